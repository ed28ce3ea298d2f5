"""Checks that scenarios use only what the pack and their map have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scenarios.areas.resolving import Resolver
from scenarios.grammar import count_text
from scenarios.model.areas import inside
from scenarios.model.game import Game
from scenarios.model.scenario import Group, Scenario, Victory
from scenarios.model.tables import span
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import Findings, Record, check_known, place
from scenarios.rules.shapes import SetUp


def check_scenarios(game: Game, findings: Findings) -> None:
    """Run every check on every scenario. Inherited parts are checked in the scenario that declares them."""
    for key, scenario in game.scenarios.items():
        if scenario.node is not None:
            _ScenarioChecker(game, key, scenario, findings).check()


class _ScenarioChecker:
    def __init__(self, game: Game, key: str, scenario: Scenario, findings: Findings) -> None:
        self.game, self.key, self.scenario, self.findings = game, key, scenario, findings
        self.sides = game.sides_in(scenario)
        self.nations = game.nations
        field = game.scenario_maps.get(key)
        zones = dict(scenario.zones)
        self.resolver = Resolver(field, zones, findings) if field is not None else None
        self.groups = {g.id for force in scenario.forces.values() for g in force.groups if g.id}

    def check_known(self, record: Record, key: str, value: str, words: Iterable[str], noun: str, *steps: Any) -> None:
        check_known(record, key, value, words, noun, self.findings, *steps)

    def check(self) -> None:
        scenario, game = self.scenario, self.game
        assert scenario.node is not None
        self.check_known(scenario, "map", scenario.map, game.maps, "map")
        if not scenario.map and scenario.arrangement is None:
            self.findings.add(scenario.node, f"scenario {self.key} has no map; add `map` or `arrangement`")
        self.check_known(scenario, "sequence", scenario.sequence, game.sequence, "sequence")
        self.check_known(scenario, "first", scenario.first, self.sides, "side")
        self.check_known(scenario, "sets_up_first", scenario.sets_up_first, self.sides, "side")
        if scenario.turns is not None and scenario.turns.last < scenario.turns.first:
            self.findings.add(place(scenario.turns, "last"), "the last turn comes before the first; exchange them")
        early_end = scenario.turns.early_end if scenario.turns is not None else None
        if (
            scenario.turns is not None
            and early_end is not None
            and not scenario.turns.first <= early_end.last < scenario.turns.last
        ):
            self.findings.add(
                place(early_end, "last"), f"`early_end` is before turn {scenario.turns.last}; give an earlier turn"
            )
        if early_end is not None and self.game.rules is None:
            self.findings.add(place(early_end), "`early_end` is worked out by the rules of a pack; add `rules`")
        for nation in scenario.morale:
            self.check_known(scenario, "morale", nation, self.nations, "nation", nation)
        for zone in scenario.zones.values():
            self._area(zone)
        for side, force in scenario.forces.items():
            self.check_known(scenario, "forces", side, self.sides, "side", side)
            for group in force.groups:
                self._group(group)
            for support in force.support:
                self.check_known(support, "nation", support.nation, self.nations, "nation")
                if support.count < 1:
                    self.findings.add(place(support, "count"), "there must be one or more of it")
        self._counts("units", {key: unit.count for key, unit in game.units.items()})
        self._counts("markers", {key: marker.count for key, marker in game.markers.items()})
        for special in scenario.special:
            for effect in special.effects:
                self.check_known(effect, "effect", effect.effect, game.effects, "effect")
                self.check_known(effect, "side", effect.side, self.sides, "side")
                self.check_known(effect, "nation", effect.nation, self.nations, "nation")
                for i, unit in enumerate(effect.units):
                    self.check_known(effect, "units", unit, game.units, "counter", i)
                self._area(effect.at)
            for demand in special.set_up:
                self._set_up(demand)
        if game.rules is not None and self.key == next(iter(game.scenarios)):
            for demand in game.rules.set_up:
                self._set_up(demand)
        for victory in scenario.victory:
            self._victory(victory)

    def _group(self, group: Group) -> None:
        self.check_known(group, "nation", group.nation, self.nations, "nation")
        for i, state in enumerate(group.states):
            self.check_known(group, "states", state, self.game.states, "state", i)
        for unit in group.units:
            node = (place(group, "units").entries or {}).get(unit)
            if unit and unit not in self.game.units and node:
                self.findings.add(node[0], f"no counter sheet has {unit!r}; {suggest(unit, self.game.units)}")
        for marker in group.markers:
            node = (place(group, "markers").entries or {}).get(marker)
            if marker and marker not in self.game.markers and node:
                self.findings.add(
                    node[0], f"no counter sheet has the marker {marker!r}; {suggest(marker, self.game.markers)}"
                )
        self._area(group.at)
        if group.enters is not None:
            self._area(group.enters.at)
            last = self.scenario.turns.last if self.scenario.turns else None
            for way in group.enters.ways:
                if way is not group.enters:
                    self._area(way.at)
                if way.turn < 1 or (last is not None and way.turn > last):
                    self.findings.add(place(way, "turn"), f"turn {way.turn} is no turn of this scenario; it has {last}")
                if way.until is not None and way.until < way.turn:
                    self.findings.add(place(way, "until"), "`until` comes before `turn`; exchange them")

    def _set_up(self, demand: SetUp) -> None:
        pieces = [*self.game.units, *self.game.markers]
        for key, piece_ids in (("of", demand.of), ("from", demand.from_)):
            for i, piece in enumerate(piece_ids):
                self.check_known(demand, key, piece, pieces, "counter or marker", i)
        for marker in demand.between:
            self.check_known(demand, "between", marker, self.game.markers, "marker", marker)
        for area in (demand.at, demand.never):
            self._area(area)
        if demand.never is None and demand.at_least is None and demand.at_most is None and not demand.between:
            self.findings.add(place(demand), "it asks for nothing; add `never`, `at_least`, `at_most` or `between`")

    def _counts(self, section: str, copies: dict[str, int | None]) -> None:
        """Check that a scenario never uses more of a counter than there are copies."""
        used: dict[str, int] = {}
        for force in self.scenario.forces.values():
            for group in force.groups:
                for key, count in getattr(group, section).items():
                    node = place(group, section, key)
                    if count < 1:
                        self.findings.add(node, f"{count} of {key} is none; write 1 or more, or leave it out")
                    used_before = used.get(key, 0)
                    used[key] = used_before + count
                    copy_count = copies.get(key)
                    if copy_count is not None and used_before <= copy_count < used[key]:
                        self.findings.add(
                            node,
                            f"scenario {self.key} uses {used[key]} of {key} with these, but it has {count_text(copy_count, 'counter')}; "
                            "use fewer, or raise `count`",
                        )

    def _victory(self, victory: Victory) -> None:
        self.check_known(victory, "side", victory.side, self.sides, "side")
        self.check_known(victory, "player", victory.player, self.game.card.players, "player")
        if victory.points is None and not victory.wins:
            assert victory.node is not None
            self.findings.add(victory.node, "a victory line gives `points`, or `wins: true`; add one")
        if victory.at_end and not victory.wins:
            self.findings.add(place(victory, "at_end"), "`at_end` goes with `wins: true`; leave it out")
        if victory.at_most is not None and not victory.wins:
            self.findings.add(place(victory, "at_most"), "`at_most` goes with `wins: true`; leave it out")
        if victory.times is not None and victory.event != "other":
            self.findings.add(
                place(victory, "times"), f"{victory.event!r} says already how often it counts; write `event: other`"
            )
        if (victory.needs or victory.times or victory.where or victory.lost) and self.game.rules is None:
            self.findings.add(
                place(victory),
                "`needs`, `times`, `where` and `lost` are worked out by the rules of a pack; add `rules`",
            )
        if victory.who is not None:
            winner = victory.who
            self.check_known(winner, "side", winner.side, self.sides, "side")
            self.check_known(winner, "nation", winner.nation, self.nations, "nation")
            for key in ("units", "except_"):
                for i, unit in enumerate(getattr(winner, key)):
                    self.check_known(
                        winner, key.rstrip("_"), unit, [*self.game.units, *self.game.markers], "counter", i
                    )
            for i, word in enumerate(winner.classes):
                self.check_known(winner, "classes", word, self.game.classes, "class", i)
            for i, word in enumerate(winner.groups):
                self.check_known(winner, "groups", word, self.groups, "group", i)
        if victory.turns:
            try:
                span(victory.turns)
            except ValueError as error:
                self.findings.add(place(victory, "turns"), str(error))
            if victory.event != "exited":
                self.findings.add(
                    place(victory, "turns"), "`turns` goes with `event: exited`; leave it out, or put it under `needs`"
                )
        if victory.where is not None and victory.event in ("eliminated", "exited", "other"):
            self.findings.add(place(victory, "where"), f"{victory.event!r} is of no place; leave out `where`")
        if victory.lost is not None and not (
            victory.event == "eliminated" and victory.at is not None and victory.at.box
        ):
            self.findings.add(
                place(victory, "lost"),
                "`lost` goes with `event: eliminated` and a box, as in at: {box: dead}; leave it out",
            )
        if victory.event == "survived" and victory.at is not None:
            self.findings.add(
                place(victory, "at"),
                "'survived' asks who is left, wherever he is; leave out `at`, or write `event: remaining` for those in a place",
            )
        self._area(victory.at, allows_markers=True)

    def _area(self, area: Any, *, allows_markers: bool = False) -> None:
        """Check an area. With `allows_markers` a position is known, so the area may refer to `now` and to markers."""
        if area is None or self.resolver is None or area.node is None:
            return
        findings_before = len(self.findings)
        area_places = self.resolver.places(area)
        for part in inside(area):
            if part.marker and not allows_markers:
                self.findings.add(
                    place(part, "marker"),
                    "where a marker stands is known when points are counted; use it under `victory`",
                )
            self.check_known(part, "marker", part.marker, [*self.game.markers, *self.game.units], "marker")
            if part.sides and not part.path:
                self.findings.add(place(part, "sides"), "`sides` are crossed by a path; add `path`")
        for i, kind in enumerate(area.terrain):
            self.check_known(area, "terrain", kind, self.game.terrain, "terrain", i)
        self.check_known(area, "path", area.path, self.game.paths, "path")
        if not area_places and len(self.findings) == findings_before:
            self.findings.add(area.node, "no place on this scenario's map meets all of this; loosen a condition")

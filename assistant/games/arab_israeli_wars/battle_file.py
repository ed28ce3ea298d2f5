"""A battle from a YAML file (docs/assistant.md says how one looks)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

from assistant.answers import BadQuestion
from assistant.attack import Value, read_answer
from assistant.games.arab_israeli_wars.asking import hex_of
from assistant.games.arab_israeli_wars.battle import OTHER_NAMES, WRITTEN, Battle, Fighter, seated, strike
from assistant.games.arab_israeli_wars.forces import checked, field_on
from assistant.games.arab_israeli_wars.roster import roster
from assistant.rules.field import Field
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.position import Piece, nation_of
from scenarios.reading.findings import PackError, instead
from scenarios.reading.shapes import Findings, Record, noted, place, reader, record
from scenarios.sources import IdField

MOST = 99
"""Units of a kind in one battle."""


@record
class FighterShape(Record):
    """A unit (or several alike) in a battle file."""

    unit: IdField = noted("The counter, or a marker: a minefield, a bridge.", "")
    count: int = noted("How many of it.", 1)
    at: str = noted("Its hex.", "")
    nation: IdField = noted("Whose it is in this Situation, where that isn't its sheet's.", "")
    states: tuple[IdField, ...] = noted("The states it is in.", ())
    support: str = noted("Instead of a unit: a battery or air strike of the Situation, by name.", "")
    strike: str = noted("Instead of a unit: an air strike's weapon type.", "")
    battery: str = noted("Instead of a unit: an off-board battery's weapon type.", "")
    points: Fraction | None = noted("The strike's or the battery's attack points.", None)
    destructive: str = noted("The unit that destructive fire is written for.", "")
    told: Mapping[IdField, str] = noted("What else is told of it: distance, sees, ammunition, shielded ...", {})


@record
class BattleShape(Record):
    """A battle file."""

    game: IdField = noted("The game it is of.", "")
    attack: IdField = noted("The kind of attack.", "direct_fire")
    scenario: IdField = noted("The Situation: its map, its year.", "")
    map: str = noted("Or the boards, as in 'B / A'.", "")
    year: int | None = noted("The year, where no Situation says it.", None)
    works: Mapping[str, tuple[IdField, ...]] = noted("Markers by hex: {A-H-5: [fort]}.", {})
    firers: tuple[FighterShape, ...] = noted("Who attacks.")
    targets: tuple[FighterShape, ...] = noted("Who is attacked, all in one hex.", ())
    others: tuple[FighterShape, ...] = noted("Other units on the map, friends who spot for one.", ())
    target_hex: str = noted("For indirect fire: the hex written down, where it isn't the targets'.", "")
    seen: bool | None = noted("For indirect fire: whether a friend sees that hex.", None)
    overrun: str = noted("For opportunity fire at units just overrunning: the hex they overrun.", "")
    told: Mapping[IdField, str] = noted("What else is told of the battle: terrain, works, next_to ...", {})


def battle_file(game: Game, path: Path, rulings: Mapping[str, str] | None = None) -> Battle:
    """The battle of a file; PackError tells all that is wrong with it, by line and column."""
    from scenarios.reading.composing import read_nodes

    node, found = read_nodes(path)
    findings = Findings(found)
    if node is None:
        raise PackError(findings)
    shape: BattleShape = reader(BattleShape)(node, findings)
    if shape.game and shape.game != game.id:
        findings.at(place(shape, "game"), f"this battle is of {shape.game}, not of {game.id}")
    if findings:
        raise PackError(findings)
    kind = OTHER_NAMES.get(shape.attack, shape.attack)
    if kind not in game.attacks:
        known = [*game.attacks, *OTHER_NAMES]
        findings.at(place(shape, "attack"), f"{game.id} has no attack {shape.attack!r}; {instead(shape.attack, known)}")
        raise PackError(findings)
    made = _Maker(game, shape, findings, checked(game, rulings or {}))
    battle = made.battle()
    if findings or battle is None:
        raise PackError(findings)
    return battle


class _Maker:
    def __init__(self, game: Game, shape: BattleShape, findings: Findings, rulings: Mapping[str, str]) -> None:
        self.game, self.shape, self.findings, self.rulings = game, shape, findings, rulings
        self.sides = roster(game, shape.scenario if shape.scenario in game.scenarios else "")
        self.attack = game.attacks[OTHER_NAMES.get(shape.attack, shape.attack)]
        self.field = self._field()

    def _field(self) -> Field | None:
        where = self.shape.scenario or self.shape.map
        if not where:
            return None
        try:
            field = field_on(self.game, where, year=self.shape.year, rulings=self.rulings)
            return field.with_markers({hex_of(field, hex): works for hex, works in self.shape.works.items()})
        except BadQuestion as error:
            key = "scenario" if self.shape.scenario else "map"
            self.findings.at(
                place(self.shape, "works" if self.shape.works and "hex" in str(error) else key), str(error)
            )
            return None

    def battle(self) -> Battle | None:
        """The battle, unless there were findings."""
        attackers, defenders = self.attack.groups[self.attack.attackers], self.attack.groups[self.attack.defenders]
        firers = tuple(one for held in self.shape.firers for one in self._fighters(held, attackers.inputs))
        targets = tuple(one for held in self.shape.targets for one in self._fighters(held, defenders.inputs))
        others = tuple(one for held in self.shape.others for one in self._fighters(held, {}))
        told = self._told(self.shape, self.attack.inputs)
        if self.shape.year is not None and self.field is None and "year" in self.attack.inputs:
            told.setdefault("year", Fraction(self.shape.year))
        overrun = self._hex(self.shape, "overrun", self.shape.overrun)
        if overrun is not None and self.shape.attack != "opportunity_fire":
            message = "units that overrun are under opportunity fire: write `attack: opportunity_fire` (Standard II.E.5)"
            self.findings.at(place(self.shape, "overrun"), message)
        written = self._hex(self.shape, "target_hex", self.shape.target_hex)
        if written is None and OTHER_NAMES.get(self.shape.attack, self.shape.attack) in WRITTEN and targets:
            written = targets[0].at
        if self.findings:
            return None
        scenario = self.game.scenarios.get(self.shape.scenario)
        firers = seated(self.game, firers, scenario is None or scenario.level == "advanced")
        everyone = (*firers, *targets, *others) if others or self.field else ()
        return Battle(
            self.game,
            self.shape.attack,
            firers,
            targets,
            self.field,
            told,
            everyone,
            overrun,
            written,
            self.shape.seen,
            self.rulings,
        )

    def _fighters(self, held: FighterShape, asked: Mapping[str, object]) -> Iterator[Fighter]:
        told = self._told(held, asked)
        if not 0 <= held.count <= MOST:
            self.findings.at(place(held, "count"), f"{held.count} of a kind are in no battle; write 1 to {MOST}")
            return
        if held.support or held.strike or held.battery:
            yield from self._support(held, told)
            return
        known = [*self.game.units, *self.game.markers]
        if held.unit not in known:
            node = place(held, "unit") if held.unit else place(held)
            self.findings.at(node, f"no counter sheet has {held.unit!r}; {instead(held.unit, known)}")
            return
        for i, state in enumerate(held.states):
            if state not in self.game.states:
                self.findings.at(
                    place(held, "states", i), f"there is no state {state!r}; {instead(state, self.game.states)}"
                )
        unit = self.game.units.get(held.unit)
        name = unit.name if unit else self.game.markers[held.unit].name
        if held.nation and held.nation not in self.game.nations:
            message = f"there is no nation {held.nation!r}; {instead(held.nation, self.game.nations)}"
            self.findings.at(place(held, "nation"), message)
        nation = held.nation or nation_of(self.game, self.shape.scenario, held.unit)
        side = self.sides.side(Piece(held.unit, "", nation, "box:asked"))
        at = self._hex(held, "at", held.at)
        for _ in range(held.count):
            yield Fighter(held.unit, name, side, nation, at, frozenset(held.states), told, aim=held.destructive)

    def _support(self, held: FighterShape, told: dict[str, Value]) -> Iterator[Fighter]:
        weapon, points, name, nation = (
            held.strike or held.battery,
            held.points,
            held.strike or held.battery,
            held.nation,
        )
        more: dict[str, Value] = {"points": points or 0, "kind": weapon} if held.strike else {"off_board": points or 0}
        if held.support:
            scenario = self.game.scenarios.get(self.shape.scenario)
            supports = {s.name: s for force in scenario.forces.values() for s in force.support} if scenario else {}
            if held.support not in supports:
                near = instead(held.support, supports) if supports else "name a Situation"
                self.findings.at(place(held, "support"), f"there is no support called {held.support!r}; {near}")
                return
            one = supports[held.support]
            weapon, name, nation, more = one.weapon, one.name, one.nation, strike(one)
        elif points is None:
            self.findings.at(place(held), "a strike or battery needs its `points`")
            return
        else:
            name = f"{weapon} strike" if held.strike else f"{weapon} battery"
        for _ in range(held.count):
            yield Fighter(
                "support",
                name,
                self.sides.side(Piece("", "", nation, "box:asked")),
                nation,
                None,
                frozenset(),
                {**more, **told},
                "",
                weapon,
                held.destructive,
            )

    def _hex(self, record: Record, key: str, name: str) -> Hex | None:
        if not name or self.field is None:
            if name and not (self.shape.scenario or self.shape.map):
                self.findings.at(place(record, key), f"{name} lies on no map; name the `scenario` or the `map`")
            return None
        try:
            return hex_of(self.field, name)
        except BadQuestion as error:
            self.findings.at(place(record, key), str(error))
            return None

    def _told(self, record: FighterShape | BattleShape, asked: Mapping[str, object]) -> dict[str, Value]:
        result: dict[str, Value] = {}
        for key, text in record.told.items():
            if key not in asked:
                self.findings.at(
                    place(record, "told", key),
                    f"{self.shape.attack} asks nothing called {key!r}; {instead(key, asked)}",
                )
                continue
            try:
                result[key] = read_answer(self.game, key, asked[key], text)  # type: ignore[arg-type]
            except BadQuestion as error:
                self.findings.at(place(record, "told", key), str(error))
        return result

"""A battle from a YAML file (docs/assistant.md says how one looks)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TypeVar

from assistant.answers import BadQuestion
from assistant.attack import Value, read_answer
from assistant.games.arab_israeli_wars.battle import (
    OTHER_NAMES,
    WRITTEN,
    Battle,
    Fighter,
    named_support,
    seated,
    strike,
)
from assistant.games.arab_israeli_wars.forces import checked, field_on
from assistant.games.arab_israeli_wars.questions import counter, hex_of
from assistant.rules.field import Field
from assistant.rules.roster import roster
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.inputs import Input as Asking
from scenarios.position import Piece, nation_of
from scenarios.reading.findings import PackError, instead
from scenarios.reading.shapes import Findings, Record, noted, place, reader, record
from scenarios.sources import IdField

T = TypeVar("T")
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
    known = [*game.attacks, *OTHER_NAMES]
    if not findings and shape.attack not in known:
        findings.at(place(shape, "attack"), f"{game.id} has no attack {shape.attack!r}; {instead(shape.attack, known)}")
    if findings:
        raise PackError(findings)
    battle = _Maker(game, shape, findings, checked(game, rulings or {})).battle()
    if findings:
        raise PackError(findings)
    return battle


class _Maker:
    def __init__(self, game: Game, shape: BattleShape, findings: Findings, rulings: Mapping[str, str]) -> None:
        self.game, self.shape, self.findings, self.rulings = game, shape, findings, rulings
        self.sides = roster(game, shape.scenario)
        self.attack = game.attacks[OTHER_NAMES.get(shape.attack, shape.attack)]
        self.field = self._field()

    def tried(self, record: Record, key: str, make: Callable[[], T], *steps: str) -> T | None:
        """What is made of a value of the file; nothing, and a finding there, where nothing can be."""
        try:
            return make()
        except BadQuestion as error:
            self.findings.at(place(record, key, *steps), str(error))
            return None

    def _field(self) -> Field | None:
        shape = self.shape
        where, key = shape.scenario or shape.map, "scenario" if shape.scenario else "map"
        field = self.tried(shape, key, lambda: field_on(self.game, where, year=shape.year, rulings=self.rulings)) if where else None
        if field is None or not shape.works:
            return field
        on = field
        return self.tried(shape, "works", lambda: on.with_markers({hex_of(on, hex): works for hex, works in shape.works.items()}))

    def battle(self) -> Battle:
        """The battle, which means nothing where there are findings."""
        game, shape = self.game, self.shape
        attackers, defenders = self.attack.groups[self.attack.attackers], self.attack.groups[self.attack.defenders]
        firers = tuple(one for held in shape.firers for one in self._fighters(held, attackers.inputs))
        targets = tuple(one for held in shape.targets for one in self._fighters(held, defenders.inputs))
        others = tuple(one for held in shape.others for one in self._fighters(held, {}))
        told = self._told(shape, self.attack.inputs)
        if shape.year is not None and self.field is None and "year" in self.attack.inputs:
            told.setdefault("year", Fraction(shape.year))
        overrun, written = self._hex(shape, "overrun", shape.overrun), self._hex(shape, "target_hex", shape.target_hex)
        if overrun is not None and shape.attack != "opportunity_fire":
            message = "units that overrun are under opportunity fire: write `attack: opportunity_fire` (Standard II.E.5)"
            self.findings.at(place(shape, "overrun"), message)
        if written is None and OTHER_NAMES.get(shape.attack, shape.attack) in WRITTEN and targets:
            written = targets[0].at
        scenario = game.scenarios.get(shape.scenario)
        if not self.findings:
            firers = seated(game, firers, scenario is None or scenario.level == "advanced")
        everyone = (*firers, *targets, *others) if others or self.field else ()
        return Battle(game, shape.attack, firers, targets, self.field, told, everyone, overrun, written, shape.seen, self.rulings)

    def _fighters(self, held: FighterShape, asked: Mapping[str, Asking]) -> list[Fighter]:
        """A unit, a marker, a battery or a strike, as often as it takes part."""
        game = self.game
        if not 0 <= held.count <= MOST:
            self.findings.at(place(held, "count"), f"{held.count} of a kind are in no battle; write 1 to {MOST}")
            return []
        told = self._told(held, asked)
        if held.support or held.strike or held.battery:
            return self._support(held, told) * held.count
        known = [*game.units, *game.markers]
        if held.unit not in known:
            node = place(held, "unit") if held.unit else place(held)
            self.findings.at(node, f"no counter sheet has {held.unit!r}; {instead(held.unit, known)}")
            return []
        for i, state in enumerate(held.states):
            if state not in game.states:
                self.findings.at(place(held, "states", i), f"there is no state {state!r}; {instead(state, game.states)}")
        if held.nation and held.nation not in game.nations:
            self.findings.at(place(held, "nation"), f"there is no nation {held.nation!r}; {instead(held.nation, game.nations)}")
        nation = held.nation or nation_of(game, self.shape.scenario, held.unit)
        side, at = self.sides.side(Piece(held.unit, "", nation, "box:asked")), self._hex(held, "at", held.at)
        one = Fighter(held.unit, counter(game, held.unit).name, side, nation, at, frozenset(held.states), told, aim=held.destructive)
        return [replace(one) for _ in range(held.count)]

    def _support(self, held: FighterShape, told: dict[str, Value]) -> list[Fighter]:
        weapon, nation = held.strike or held.battery, held.nation
        if held.support:
            found = self.tried(held, "support", lambda: named_support(self.game, self.shape.scenario, held.support))
            if found is None:
                return []
            one = found[1]
            name, weapon, nation, more = one.name, one.weapon, one.nation, strike(one)
        elif held.points is None:
            self.findings.at(place(held), "a strike or battery needs its `points`")
            return []
        elif held.strike:
            name, more = f"{weapon} strike", {"points": held.points, "kind": weapon}
        else:
            name, more = f"{weapon} battery", {"off_board": held.points}
        side = self.sides.side(Piece("", "", nation, "box:asked"))
        return [Fighter("support", name, side, nation, told={**more, **told}, weapon=weapon, aim=held.destructive)]

    def _hex(self, record: Record, key: str, name: str) -> Hex | None:
        field = self.field
        if name and field is not None:
            return self.tried(record, key, lambda: hex_of(field, name))
        if name and not (self.shape.scenario or self.shape.map):
            self.findings.at(place(record, key), f"{name} lies on no map; name the `scenario` or the `map`")
        return None

    def _told(self, record: FighterShape | BattleShape, asked: Mapping[str, Asking]) -> dict[str, Value]:
        result: dict[str, Value] = {}
        for key, text in record.told.items():
            if key not in asked:
                message = f"{self.shape.attack} asks nothing called {key!r}; {instead(key, asked)}"
                self.findings.at(place(record, "told", key), message)
            elif (value := self.tried(record, "told", partial(read_answer, self.game, key, asked[key], text), key)) is not None:
                result[key] = value
        return result

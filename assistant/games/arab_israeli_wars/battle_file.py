"""A battle in a question: read from a YAML file (docs/assistant.md describes its form)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TypeVar

from assistant.attack import AttackValue, read_answer
from assistant.engine.field import Field
from assistant.engine.roster import roster
from assistant.games.arab_israeli_wars.battle import named_support, seat_passengers, strike_inputs
from assistant.games.arab_israeli_wars.forces import (
    OTHER_NAMES,
    RECORDED_ATTACKS,
    AskedAttack,
    Fighter,
    attack_kind,
    bare_fighter,
    check_rulings,
    counter_fighter,
    field_on,
)
from assistant.games.arab_israeli_wars.questions import hex_of
from assistant.questions.answer import BadQuestion
from scenarios.model.attack_inputs import AttackInput
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.position import Piece, nation_of
from scenarios.model.sources import IdField
from scenarios.reading.findings import PackError, suggest
from scenarios.reading.shapes import Findings, Record, documented_field, place, reader, record

T = TypeVar("T")
MAX_COUNT = 99
"""The maximum number of units of a kind in one battle."""


@record
class FighterShape(Record):
    """A unit (or several equal ones) in a battle file."""

    unit: IdField = documented_field("The counter, or a marker: a minefield, a bridge.", "")
    count: int = documented_field("How many of it.", 1)
    at: str = documented_field("Its hex.", "")
    nation: IdField = documented_field("Its nation in this Situation, if it isn't the nation of its counter sheet.", "")
    states: tuple[IdField, ...] = documented_field("The states it is in.", ())
    support: str = documented_field("Instead of a unit: a battery or air strike of the Situation, by name.", "")
    strike: str = documented_field("Instead of a unit: an air strike's weapon type.", "")
    battery: str = documented_field("Instead of a unit: an off-board battery's weapon type.", "")
    points: Fraction | None = documented_field("The strike's or the battery's attack points.", None)
    destructive: str = documented_field("The recorded target of destructive fire.", "")
    inputs: Mapping[IdField, str] = documented_field("Other inputs of it: distance, sees, ammunition, shielded ...", {})


@record
class BattleShape(Record):
    """A battle file."""

    game: IdField = documented_field("The game of this battle.", "")
    attack: IdField = documented_field("The kind of attack.", "direct_fire")
    scenario: IdField = documented_field("The Situation: its map, its year.", "")
    map: str = documented_field("Or the boards, as in 'B / A'.", "")
    year: int | None = documented_field("The year, if no Situation gives it.", None)
    works: Mapping[str, tuple[IdField, ...]] = documented_field("Markers by hex: {A-H-5: [fort]}.", {})
    firers: tuple[FighterShape, ...] = documented_field("The attacking units.")
    targets: tuple[FighterShape, ...] = documented_field("The attacked units, all in one hex.", ())
    others: tuple[FighterShape, ...] = documented_field("Other units on the map, such as friendly units that spot.", ())
    target_hex: str = documented_field("For indirect fire: the recorded hex, if it isn't the targets' hex.", "")
    seen: bool | None = documented_field("For indirect fire: whether a friendly unit sees that hex.", None)
    overrun: str = documented_field("For opportunity fire at overrunning units: the hex they overrun.", "")
    inputs: Mapping[IdField, str] = documented_field("Other inputs of the battle: terrain, works, next_to ...", {})


def battle_file(game: Game, path: Path, rulings: Mapping[str, str] | None = None) -> AskedAttack:
    """Return the battle of a file; PackError lists all errors in it, by line and column."""
    # Imported late: only a file needs YAML, and a question without one starts without it.
    from scenarios.reading.yaml_tree import read_nodes

    node, node_findings = read_nodes(path)
    findings = Findings(node_findings)
    if node is None:
        raise PackError(findings)
    shape: BattleShape = reader(BattleShape)(node, findings)
    if shape.game and shape.game != game.id:
        findings.add(place(shape, "game"), f"this battle is for {shape.game}, not for {game.id}")
    attacks = [*game.attacks, *OTHER_NAMES]
    if not findings and shape.attack not in attacks:
        findings.add(
            place(shape, "attack"), f"{game.id} has no attack {shape.attack!r}; {suggest(shape.attack, attacks)}"
        )
    if findings:
        raise PackError(findings)
    battle = _BattleReader(game, shape, findings, check_rulings(game, rulings or {})).battle()
    if findings:
        raise PackError(findings)
    return battle


def _with_works(field: Field, works: Mapping[str, Sequence[str]]) -> Field:
    return field.with_markers({hex_of(field, hex): markers for hex, markers in works.items()})


class _BattleReader:
    """Makes the battle of a file; what is wrong becomes a finding in its place."""

    def __init__(self, game: Game, shape: BattleShape, findings: Findings, rulings: Mapping[str, str]) -> None:
        self.game, self.shape, self.findings, self.rulings = game, shape, findings, rulings
        self.sides = roster(game, shape.scenario)
        self.kind = attack_kind(shape.attack)
        self.attack = game.attacks[self.kind]
        self.field = self._field()

    def try_or_report(self, record: Record, key: str, make: Callable[[], T], *steps: str) -> T | None:
        """Return what a function makes of a value of the file; on an error add a finding and return None."""
        try:
            return make()
        except BadQuestion as error:
            self.findings.add(place(record, key, *steps), str(error))
            return None

    def _field(self) -> Field | None:
        shape, map_name = self.shape, self.shape.scenario or self.shape.map
        if not map_name:
            return None
        make_field = partial(field_on, self.game, map_name, year=shape.year, rulings=self.rulings)
        field = self.try_or_report(shape, "scenario" if shape.scenario else "map", make_field)
        if field is None or not shape.works:
            return field
        return self.try_or_report(shape, "works", partial(_with_works, field, shape.works))

    def battle(self) -> AskedAttack:
        """Return the battle; it is meaningless if there are findings."""
        game, shape, groups = self.game, self.shape, self.attack.groups
        firers = self._fighters(shape.firers, groups[self.attack.attackers].inputs)
        targets = self._fighters(shape.targets, groups[self.attack.defenders].inputs)
        other_fighters = self._fighters(shape.others, {})
        battle_inputs = self._read_inputs(shape, self.attack.inputs)
        span = game.year_span()
        if shape.year is not None and span is not None and not span[0] <= shape.year <= span[1]:
            message = f"the Situations are of {span[0]} to {span[1]}, not of {shape.year}"
            self.findings.add(place(shape, "year"), message)
        if shape.year is not None and self.field is None and "year" in self.attack.inputs:
            battle_inputs.setdefault("year", Fraction(shape.year))
        overrun, target_hex = self._hex(shape, "overrun"), self._hex(shape, "target_hex")
        if overrun is not None and shape.attack != "opportunity_fire":
            message = (
                "units that overrun are targets of opportunity fire: write `attack: opportunity_fire` (Standard II.E.5)"
            )
            self.findings.add(place(shape, "overrun"), message)
        if target_hex is None and self.kind in RECORDED_ATTACKS and targets:
            target_hex = targets[0].hex
        if not self.findings and any(firer.is_loaded for firer in firers):
            firers = seat_passengers(self.field or field_on(game, next(iter(game.boards))), firers)
        everyone = (*firers, *targets, *other_fighters) if other_fighters or self.field else ()
        return AskedAttack(
            game,
            shape.attack,
            firers,
            targets,
            self.field,
            battle_inputs,
            everyone,
            overrun,
            target_hex,
            shape.seen,
            self.rulings,
        )

    def _fighters(self, shapes: Sequence[FighterShape], input_shapes: Mapping[str, AttackInput]) -> tuple[Fighter, ...]:
        fighters: list[Fighter] = []
        for shape in shapes:
            if not 0 <= shape.count <= MAX_COUNT:
                message = f"the count {shape.count} is not allowed; write 1 to {MAX_COUNT}"
                self.findings.add(place(shape, "count"), message)
                continue
            inputs = self._read_inputs(shape, input_shapes)
            is_counter = not (shape.support or shape.strike or shape.battery)
            fighter = self._counter(shape, inputs) if is_counter else self._support(shape, inputs)
            # Each is a fighter of its own.
            fighters += [dataclasses.replace(fighter) for _ in range(shape.count)] if fighter is not None else []
        return tuple(fighters)

    def _counter(self, shape: FighterShape, inputs: dict[str, AttackValue]) -> Fighter | None:
        """Return a unit or a marker."""
        game, counters = self.game, [*self.game.units, *self.game.markers]
        if shape.unit not in counters:
            node = place(shape, "unit") if shape.unit else place(shape)
            self.findings.add(node, f"no counter sheet has {shape.unit!r}; {suggest(shape.unit, counters)}")
            return None
        for i, state in enumerate(shape.states):
            if state not in game.states:
                message = f"there is no state {state!r}; {suggest(state, game.states)}"
                self.findings.add(place(shape, "states", i), message)
        if shape.nation and shape.nation not in game.nations:
            message = f"there is no nation {shape.nation!r}; {suggest(shape.nation, game.nations)}"
            self.findings.add(place(shape, "nation"), message)
        nation = shape.nation or nation_of(game, self.shape.scenario, shape.unit)
        side = self.sides.side(Piece(shape.unit, "", nation, "box:asked"))
        return counter_fighter(
            game, shape.unit, side, nation, self._hex(shape, "at"), shape.states, inputs, aim=shape.destructive
        )

    def _support(self, shape: FighterShape, inputs: dict[str, AttackValue]) -> Fighter | None:
        """Return a battery or a strike."""
        if shape.support:
            find_support = partial(named_support, self.game, self.shape.scenario, shape.support)
            support = self.try_or_report(shape, "support", find_support)
            if support is None:
                return None
            unit = support[1]
            fighter = Fighter(
                "support", unit.name, nation=unit.nation, inputs=strike_inputs(unit) | inputs, weapon=unit.weapon
            )
        elif shape.points is None:
            self.findings.add(place(shape), "a strike or battery needs its `points`")
            return None
        else:
            fighter = bare_fighter(shape.points, shape.strike or shape.battery, bool(shape.strike), inputs)
        nation = fighter.nation or shape.nation
        side = self.sides.side(Piece("", "", nation, "box:asked"))
        return dataclasses.replace(fighter, nation=nation, side=side, aim=shape.destructive)

    def _hex(self, record: Record, key: str) -> Hex | None:
        name, field = str(getattr(record, key)), self.field
        if name and field is not None:
            return self.try_or_report(record, key, partial(hex_of, field, name))
        if name and not (self.shape.scenario or self.shape.map):
            self.findings.add(place(record, key), f"{name} is on no map; name the `scenario` or the `map`")
        return None

    def _read_inputs(
        self, record: FighterShape | BattleShape, input_shapes: Mapping[str, AttackInput]
    ) -> dict[str, AttackValue]:
        inputs: dict[str, AttackValue] = {}
        for key, text in record.inputs.items():
            if key not in input_shapes:
                message = f"{self.shape.attack} has no input {key!r}; {suggest(key, input_shapes)}"
                self.findings.add(place(record, "inputs", key), message)
                continue
            read = partial(read_answer, self.game, key, input_shapes[key], text)
            if (value := self.try_or_report(record, "inputs", read, key)) is not None:
                inputs[key] = value
        return inputs

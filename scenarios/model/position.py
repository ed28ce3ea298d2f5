"""A position: the place and state of every piece."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from scenarios.areas.resolving import Location, Resolver
from scenarios.grammar import count_text
from scenarios.model.game import Game, Map, phases
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap
from scenarios.model.memo import cached_on
from scenarios.model.scenario import Force, Group, Scenario
from scenarios.model.sources import IdField
from scenarios.reading.findings import Finding, PackError, suggest
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, Record, documented_field, place, reader, record

WAITING = ("setup", "turn", "box")
MAX_LENGTH, MAX_PIECES = 1_000_000, 5000
"""The maximum size of a position file in bytes, and the maximum number of pieces in it."""


class Piece(NamedTuple):
    """One counter or marker on the table. `copy` distinguishes copies of the same counter."""

    unit: str
    copy: str
    nation: str
    at: Location
    states: frozenset[str] = frozenset()
    steps_lost: int = 0
    group: str = ""


class Exit(NamedTuple):
    """Where and when a piece left the map, if known."""

    edge: str
    board: str = ""
    turn: int | None = None


REMOVED_WORD = "box:eliminated"
"""The box of eliminated pieces, for a map without such a box."""
EXIT = re.compile(r"box:exited:(?:(?P<board>\w+)-)?(?P<edge>north|east|south|west)(?:@(?P<turn>\d+))?")


def exit_of(piece: Piece) -> Exit | None:
    """The exit of a piece that has left the map. Raises ValueError if its box can't be parsed."""
    if not (isinstance(piece.at, str) and piece.at.startswith("box:exited")):
        return None
    match = EXIT.fullmatch(piece.at)
    if match is None:
        raise ValueError(f"{piece.unit}: {piece.at!r} is no exit; write box:exited:west, or box:exited:D-west@5")
    return Exit(match["edge"], match["board"] or "", int(match["turn"]) if match["turn"] else None)


class Unknown(NamedTuple):
    """Something in a save that the pack doesn't know: a piece, by its id in the save, or a state of a piece."""

    unit: str
    copy: str
    at: Location
    state: str = ""


@dataclass(frozen=True)
class Position:
    """Every piece on the table. For a piece off the map, `at` is `box:ID`, `turn:N` or `setup:GROUP`.

    `unknown` lists what else was on the table. Answers ignore it.
    """

    game: str
    scenario: str = ""
    turn: int = 1
    phase: str = ""
    pieces: tuple[Piece, ...] = field(default=())
    unknown: tuple[Unknown, ...] = ()
    map: str = ""
    """The map that a file without a scenario names."""
    extensions: tuple[str, ...] = ()
    """The module extensions that were loaded when the save was made."""

    def pieces_at(self, location: Location) -> tuple[Piece, ...]:
        """The pieces in a place."""
        return tuple(piece for piece in self.pieces if piece.at == location)

    def copies_of(self, unit: str) -> tuple[Piece, ...]:
        """The pieces of a counter."""
        return tuple(piece for piece in self.pieces if piece.unit == unit)

    def on_track(self, track: str) -> int | None:
        """The number of the space where a track's marker lies. A marker without a space is on the first, 0. None without a marker."""
        for piece in self.pieces:
            box, _, space = str(piece.at).partition("/")
            if box == f"box:{track}":
                return int(space) if space.isdecimal() else 0
        return None

    def with_move(self, unit: str, copy: str, destination: Location) -> Position:
        """The position with one piece moved to another place."""
        return self._with_change(unit, copy, at=destination)

    def with_states(self, unit: str, copy: str, states: frozenset[str]) -> Position:
        """The position with other states on one piece."""
        return self._with_change(unit, copy, states=states)

    def _with_change(self, unit: str, copy: str, **changes: Any) -> Position:
        if not any(p.unit == unit and p.copy == copy for p in self.pieces):
            raise ValueError(f"{unit} {copy} is not on the table")
        return replace(
            self,
            pieces=tuple(p._replace(**changes) if (p.unit, p.copy) == (unit, copy) else p for p in self.pieces),
        )


def from_scenario(game: Game, scenario_id: str) -> Position:
    """The start of a scenario. A piece with one possible place stands there. The others wait in the tray of their group."""
    if scenario_id not in game.scenarios:
        raise ValueError(f"there is no scenario {scenario_id!r}; {suggest(scenario_id, game.scenarios)}")
    return cached_on(game, _from_scenario, scenario_id)


def _from_scenario(game: Game, scenario_id: str) -> Position:
    scenario = game.scenarios[scenario_id]
    used: dict[str, int] = {}
    pieces: list[Piece] = []
    for side, force in scenario.forces.items():
        for number, group in enumerate(force.groups, 1):
            label = f"{side}/{group.id or number}"
            start = _start(game, scenario_id, scenario, group, label)
            for unit, count in (*group.units.items(), *group.markers.items()):
                for _ in range(count):
                    copy = _copy(game, unit, used.get(unit, 0))
                    used[unit] = used.get(unit, 0) + 1
                    nation = _own_nation(game, group, unit)
                    states = frozenset(group.states) if unit in game.units else frozenset()
                    pieces.append(Piece(unit, copy, nation, start, states, group.steps_lost, label))
    first = scenario.turns.first if scenario.turns else 1
    return Position(game.id, scenario_id, first, "", tuple(pieces))


class Armies(NamedTuple):
    """The owners of counters in a scenario. A scenario may give one nation the counters of another."""

    groups: Mapping[str, Group]
    """By side and id or number, as in arab/A."""
    nations: Mapping[str, frozenset[str]]
    """The nations that use each counter."""


def armies(game: Game, scenario_id: str) -> Armies:
    """The groups of a scenario and the nations of its counters."""
    return cached_on(game, _armies, scenario_id)


def _armies(game: Game, scenario_id: str) -> Armies:
    group_by_label: dict[str, Group] = {}
    nations: dict[str, frozenset[str]] = {}
    scenario = game.scenarios.get(scenario_id)
    for side, force in scenario.forces.items() if scenario else ():
        for name, group in groups(force).items():
            group_by_label[f"{side}/{name}"] = group
            for unit in group.units:
                nations[unit] = nations.get(unit, frozenset()) | {_own_nation(game, group, unit)}
    return Armies(group_by_label, nations)


def nation_of(game: Game, scenario_id: str, unit: str, group: str = "") -> str:
    """The nation of a piece that doesn't name one: that of its group, else the one the scenario gives the counter to, else that of its
    counter sheet. Empty if the scenario gives the counter to several nations and the sheet's nation is not among them.
    """
    unit_record = game.units.get(unit)
    army_groups = armies(game, scenario_id)
    if unit_record is None:
        return army_groups.groups[group].nation if group in army_groups.groups else ""
    if group in army_groups.groups:
        return _own_nation(game, army_groups.groups[group], unit)
    nations = army_groups.nations.get(unit, frozenset())
    if not nations or unit_record.nation in nations:
        return unit_record.nation
    return next(iter(nations)) if len(nations) == 1 else ""


def _own_nation(game: Game, group: Group, unit: str) -> str:
    return group.nation or (game.units[unit].nation if unit in game.units else "")


def _start(game: Game, scenario_id: str, scenario: Scenario, group: Group, label: str) -> Location:
    if group.enters is not None:
        return f"turn:{group.enters.turn}"
    if group.at is None:
        return f"setup:{label}"
    places = Resolver(game.scenario_maps[scenario_id], dict(scenario.zones)).places(group.at)
    return next(iter(places)) if len(places) == 1 else f"setup:{label}"


def _copy(game: Game, unit: str, index: int) -> str:
    unit_record = game.units.get(unit)
    return (
        unit_record.numbers[index] if unit_record is not None and index < len(unit_record.numbers) else str(index + 1)
    )


@record
class PieceShape(Record):
    """A piece in a position file."""

    unit: IdField = documented_field("The counter or marker.")
    copy: str = documented_field("Its printed number, or which of the copies it is.", "")
    nation: IdField = documented_field(
        "Its nation, where that isn't the one that the scenario gives the counter to.", ""
    )
    at: str = documented_field("A hex or point, or box:ID, turn:N, setup:GROUP.")
    states: tuple[IdField, ...] = documented_field("The states it is in.", ())
    steps_lost: int = documented_field("Steps it has lost.", 0)
    group: str = documented_field("The group of the scenario that it came with: SIDE/GROUP.", "")


@record
class UnknownShape(Record):
    """Something in a save that the pack doesn't know."""

    unit: str = documented_field("The counter or marker, as the save calls it.")
    copy: str = documented_field("Which of the copies it is.", "")
    at: str = documented_field("Where it is: a hex or point, or box:ID, turn:N, setup:GROUP.")
    state: str = documented_field("The state that isn't known, where the counter is.", "")


@record
class PositionShape(Record):
    """A position file."""

    game: IdField = documented_field("The game it is of.")
    scenario: IdField = documented_field("The scenario it is of.", "")
    map: IdField = documented_field("The map, where there is no scenario.", "")
    turn: int | None = documented_field("The turn; left out, the scenario's first.", None)
    phase: IdField = documented_field("The phase.", "")
    pieces: tuple[PieceShape, ...] = documented_field("The pieces.")
    unknown: tuple[UnknownShape, ...] = documented_field(
        "What a save had besides and the pack doesn't know; no answer counts it.", ()
    )


def from_file(game: Game, path: Path) -> Position:
    """Read a position from a file. Raises PackError with everything that is wrong with it."""
    # Imported late: only a file needs YAML, and a question without one starts without it.
    from scenarios.reading.yaml_tree import read_nodes

    return _from_nodes(game, *read_nodes(path, MAX_LENGTH), spare=False)


def from_text(game: Game, text: str, name: str) -> Position:
    """Read a position from text that Mitla wrote. A table may have more copies of a counter than were printed."""
    # Imported late: only a file needs YAML, and a question without one starts without it.
    from scenarios.reading.yaml_tree import parse_nodes

    return _from_nodes(game, *parse_nodes(text.encode("utf-8"), name), spare=True)


def _from_nodes(game: Game, node: Node | None, file_findings: Iterable[Finding], spare: bool) -> Position:
    findings = Findings(file_findings)
    if node is not None and len(node.child("pieces").items or ()) > MAX_PIECES:
        findings.add(
            node.child("pieces"), f"no game has more than {MAX_PIECES} pieces; leave out what isn't on the table"
        )
        node = None
    if node is None:
        raise PackError(findings)
    shape: PositionShape = reader(PositionShape)(node, findings)
    if shape.game and shape.game != game.id:
        findings.add(place(shape, "game"), f"this position is of {shape.game}, not of {game.id}")
    if shape.scenario and shape.scenario not in game.scenarios:
        message = f"there is no scenario {shape.scenario!r}; {suggest(shape.scenario, game.scenarios)}"
        findings.add(place(shape, "scenario"), message)
    table = map_of(game, shape)
    pieces = tuple(_pieces(game, shape, table, findings, spare))
    unknown = tuple(_unknown(shape, table, findings))
    span = game.turn_span(shape.scenario) if shape.scenario else None
    turn = shape.turn if shape.turn is not None else span[0] if span is not None else 1
    if fault := game.turn_fault(turn, shape.scenario):
        findings.add(place(shape, "turn"), fault)
    scenario = game.scenarios.get(shape.scenario)
    names = [scenario.sequence] if scenario is not None and scenario.sequence else list(game.sequence)
    phase_ids = [phase.id for name in names if name in game.sequence for phase in phases(game.sequence[name])]
    if shape.phase and phase_ids and shape.phase not in phase_ids:
        findings.add(place(shape, "phase"), f"there is no phase {shape.phase!r}; {suggest(shape.phase, phase_ids)}")
    if findings:
        raise PackError(findings)
    return Position(game.id, shape.scenario, turn, shape.phase, pieces, unknown, shape.map)


def _unknown(shape: PositionShape, table: Map | None, findings: Findings) -> Iterator[Unknown]:
    for piece in shape.unknown:
        try:
            yield Unknown(piece.unit, piece.copy, locate(table, piece.at), piece.state)
        except ValueError as error:
            findings.add(place(piece, "at"), str(error))


def _pieces(game: Game, shape: PositionShape, table: Map | None, findings: Findings, spare: bool) -> Iterator[Piece]:
    used: dict[str, int] = {}
    piece_ids, groups = [*game.units, *game.markers], armies(game, shape.scenario).groups
    for piece in shape.pieces:
        piece = replace(piece, unit=game.former_ids.get(piece.unit, piece.unit))
        if piece.unit and piece.unit not in piece_ids:
            findings.add(place(piece, "unit"), f"no counter sheet has {piece.unit!r}; {suggest(piece.unit, piece_ids)}")
            continue
        for i, state in enumerate(piece.states):
            if state not in game.states:
                findings.add(place(piece, "states", i), f"there is no state {state!r}; {suggest(state, game.states)}")
        index = used.get(piece.unit, 0)
        used[piece.unit] = index + 1
        unit = game.units.get(piece.unit)
        if unit is not None and index >= unit.count and not spare:
            findings.add(
                place(piece, "unit"), f"{piece.unit} has {count_text(unit.count, 'counter')}, and this is one more"
            )
        most_steps = 0 if unit is None else unit.steps
        if not spare and not 0 <= piece.steps_lost <= most_steps:
            name = piece.unit if unit is not None else f"the marker {piece.unit}"
            message = f"{name} has {count_text(most_steps, 'step')} to lose, not {piece.steps_lost}"
            findings.add(place(piece, "steps_lost"), message)
        try:
            location = locate(table, piece.at)
        except ValueError as error:
            findings.add(place(piece, "at"), str(error))
            continue
        copy = piece.copy or _copy(game, piece.unit, index)
        if piece.nation and piece.nation not in game.nations:
            findings.add(
                place(piece, "nation"), f"there is no nation {piece.nation!r}; {suggest(piece.nation, game.nations)}"
            )
        if piece.group and piece.group not in groups:
            message = f"{shape.scenario or 'no scenario'} has no group {piece.group!r}; {suggest(piece.group, groups)}"
            findings.add(place(piece, "group"), message)
        nation = piece.nation or nation_of(game, shape.scenario, piece.unit, piece.group)
        yield Piece(piece.unit, copy, nation, location, frozenset(piece.states), piece.steps_lost, piece.group)


def map_of(game: Game, position: Position | PositionShape) -> Map | None:
    """The map of a position: that of its scenario, else the one it names, else the first of the game."""
    return (
        game.scenario_maps.get(position.scenario) or game.maps.get(position.map) or next(iter(game.maps.values()), None)
    )


def locate(table: Map | None, text: str) -> Location:
    """Find the place that a text names on a map. Raises ValueError with a sentence if there is none."""
    if text.partition(":")[0] in WAITING and ":" in text:
        return text
    if table is None:
        raise ValueError("there is no map to place a piece on")
    if isinstance(table, HexMap):
        return table.hex(text)
    table.adjacent(text)
    return text


def format_location(table: Map | None, location: Location) -> str:
    """Format a place for people."""
    if isinstance(location, Hex):
        assert isinstance(table, HexMap)
        return table.name(location)
    return location


def groups(force: Force) -> Mapping[str, Group]:
    """The groups of a side by id or number."""
    return {group.id or str(number): group for number, group in enumerate(force.groups, 1)}

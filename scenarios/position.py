"""A position: which piece is where, in which state."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from scenarios.game import Game, Map
from scenarios.hexes import Hex
from scenarios.kept import once
from scenarios.maps import HexMap
from scenarios.reading.findings import Finding, PackError, instead
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, Record, noted, place, reader, record
from scenarios.resolve import Location, Resolver
from scenarios.scenario import Force, Group, Scenario
from scenarios.sources import IdField

WAITING = ("setup", "turn", "box")
LONGEST, MANY = 1_000_000, 5000
"""The longest position file in bytes, and the most pieces in one."""


class Piece(NamedTuple):
    """One counter or marker on the table. `copy` tells copies of the same counter apart."""

    unit: str
    copy: str
    nation: str
    at: Location
    states: frozenset[str] = frozenset()
    steps_lost: int = 0
    group: str = ""


class Exit(NamedTuple):
    """Where and when a piece left the map, as far as that is known."""

    edge: str
    board: str = ""
    turn: int | None = None


GONE = "box:eliminated"
"""Where pieces are that were eliminated, where a map has no box for them."""
EXIT = re.compile(r"box:exited:(?:(?P<board>\w+)-)?(?P<edge>north|east|south|west)(?:@(?P<turn>\d+))?")


def exit_of(piece: Piece) -> Exit | None:
    """The exit of a piece that has left the map; ValueError where its box can't be read."""
    if not (isinstance(piece.at, str) and piece.at.startswith("box:exited")):
        return None
    match = EXIT.fullmatch(piece.at)
    if match is None:
        raise ValueError(f"{piece.unit}: {piece.at!r} is no exit; write box:exited:west, or box:exited:D-west@5")
    return Exit(match["edge"], match["board"] or "", int(match["turn"]) if match["turn"] else None)


class Unknown(NamedTuple):
    """What a save has and the pack doesn't know: a piece by the id it has there, or the state of a piece."""

    unit: str
    copy: str
    at: Location
    state: str = ""


@dataclass(frozen=True)
class Position:
    """Every piece on the table. Where a piece isn't on the map, `at` is `box:ID`, `turn:N` or `setup:GROUP`.

    `unknown` is what was there too, and no answer counts.
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
    """The extensions of its module that a save was played with."""

    def at(self, location: Location) -> tuple[Piece, ...]:
        """The pieces in one place."""
        return tuple(piece for piece in self.pieces if piece.at == location)

    def of(self, unit: str) -> tuple[Piece, ...]:
        """The pieces of one counter."""
        return tuple(piece for piece in self.pieces if piece.unit == unit)

    def on_track(self, track: str) -> int | None:
        """The number that a marker of a track stands on; without a space it is the first, 0. None if there is no marker."""
        for piece in self.pieces:
            box, _, space = str(piece.at).partition("/")
            if box == f"box:{track}":
                return int(space) if space.isdecimal() else 0
        return None

    def moved(self, unit: str, copy: str, to: Location) -> Position:
        """The position with one piece somewhere else."""
        return self._changed(unit, copy, at=to)

    def marked(self, unit: str, copy: str, states: frozenset[str]) -> Position:
        """The position with one piece in other states."""
        return self._changed(unit, copy, states=states)

    def _changed(self, unit: str, copy: str, **changes: Any) -> Position:
        if not any(p.unit == unit and p.copy == copy for p in self.pieces):
            raise ValueError(f"{unit} {copy} is not on the table")
        return replace(
            self,
            pieces=tuple(p._replace(**changes) if (p.unit, p.copy) == (unit, copy) else p for p in self.pieces),
        )


def from_scenario(game: Game, scenario_id: str) -> Position:
    """The start of a scenario: pieces with one place stand there, the others wait in their group's tray."""
    if scenario_id not in game.scenarios:
        raise ValueError(f"there is no scenario {scenario_id!r}; {instead(scenario_id, game.scenarios)}")
    return once(game, _from_scenario, scenario_id)


def _from_scenario(game: Game, scenario_id: str) -> Position:
    scenario = game.scenarios[scenario_id]
    used: dict[str, int] = {}
    pieces: list[Piece] = []
    for side, force in scenario.forces.items():
        for number, group in enumerate(force.groups, 1):
            label = f"{side}/{group.id or number}"
            where = _start(game, scenario_id, scenario, group, label)
            for unit, count in (*group.units.items(), *group.markers.items()):
                for _ in range(count):
                    copy = _copy(game, unit, used.get(unit, 0))
                    used[unit] = used.get(unit, 0) + 1
                    nation = _own(game, group, unit)
                    states = frozenset(group.states) if unit in game.units else frozenset()
                    pieces.append(Piece(unit, copy, nation, where, states, group.steps_lost, label))
    first = scenario.turns.first if scenario.turns else 1
    return Position(game.id, scenario_id, first, "", tuple(pieces))


class Armies(NamedTuple):
    """Whose counters are whose in a scenario, which may give a nation the counters of another."""

    groups: Mapping[str, Group]
    """By side and id or number, as in arab/A."""
    nations: Mapping[str, frozenset[str]]
    """The nations that have a counter."""


def armies(game: Game, scenario_id: str) -> Armies:
    """The groups of a scenario and the nations of its counters."""
    return once(game, _armies, scenario_id)


def _armies(game: Game, scenario_id: str) -> Armies:
    labelled: dict[str, Group] = {}
    nations: dict[str, frozenset[str]] = {}
    scenario = game.scenarios.get(scenario_id)
    for side, force in scenario.forces.items() if scenario else ():
        for name, group in groups(force).items():
            labelled[f"{side}/{name}"] = group
            for unit in group.units:
                nations[unit] = nations.get(unit, frozenset()) | {_own(game, group, unit)}
    return Armies(labelled, nations)


def nation_of(game: Game, scenario_id: str, unit: str, group: str = "") -> str:
    """The nation of a piece that doesn't tell it: its group's, else the one that the scenario gives the counter to, else
    its sheet's. "" where the scenario gives it to several, the sheet's not among them."""
    held = game.units.get(unit)
    known = armies(game, scenario_id)
    if held is None:
        return known.groups[group].nation if group in known.groups else ""
    if group in known.groups:
        return _own(game, known.groups[group], unit)
    found = known.nations.get(unit, frozenset())
    if not found or held.nation in found:
        return held.nation
    return next(iter(found)) if len(found) == 1 else ""


def _own(game: Game, group: Group, unit: str) -> str:
    return group.nation or (game.units[unit].nation if unit in game.units else "")


def _start(game: Game, scenario_id: str, scenario: Scenario, group: Group, label: str) -> Location:
    if group.enters is not None:
        return f"turn:{group.enters.turn}"
    if group.at is None:
        return f"setup:{label}"
    found = Resolver(game.scenario_maps[scenario_id], dict(scenario.zones)).places(group.at)
    return next(iter(found)) if len(found) == 1 else f"setup:{label}"


def _copy(game: Game, unit: str, index: int) -> str:
    held = game.units.get(unit)
    return held.numbers[index] if held is not None and index < len(held.numbers) else str(index + 1)


@record
class PieceShape(Record):
    """A piece in a position file."""

    unit: IdField = noted("The counter or marker.")
    copy: str = noted("Its printed number, or which of the copies it is.", "")
    nation: IdField = noted("Its nation, where that isn't the one that the scenario gives the counter to.", "")
    at: str = noted("A hex or point, or box:ID, turn:N, setup:GROUP.")
    states: tuple[IdField, ...] = noted("The states it is in.", ())
    steps_lost: int = noted("Steps it has lost.", 0)
    group: str = noted("The group of the scenario that it came with: SIDE/GROUP.", "")


@record
class UnknownShape(Record):
    """What a save had and the pack doesn't know."""

    unit: str = noted("The counter or marker, as the save calls it.")
    copy: str = noted("Which of the copies it is.", "")
    at: str = noted("Where it is: a hex or point, or box:ID, turn:N, setup:GROUP.")
    state: str = noted("The state that isn't known, where the counter is.", "")


@record
class PositionShape(Record):
    """A position file."""

    game: IdField = noted("The game it is of.")
    scenario: IdField = noted("The scenario it is of.", "")
    map: IdField = noted("The map, where there is no scenario.", "")
    turn: int = noted("The turn.", 1)
    phase: IdField = noted("The phase.", "")
    pieces: tuple[PieceShape, ...] = noted("The pieces.")
    unknown: tuple[UnknownShape, ...] = noted(
        "What a save had besides and the pack doesn't know; no answer counts it.", ()
    )


def from_file(game: Game, path: Path) -> Position:
    """A position from a file; PackError tells all that is wrong with it."""
    from scenarios.reading.composing import read_nodes

    return _from_nodes(game, *read_nodes(path, LONGEST), spare=False)


def from_text(game: Game, text: str, name: str) -> Position:
    """A position from the text of a position file that Mitla wrote; a table may have more copies of a counter than were printed."""
    from scenarios.reading.composing import parse_nodes

    return _from_nodes(game, *parse_nodes(text.encode("utf-8"), name), spare=True)


def _from_nodes(game: Game, node: Node | None, found: Iterable[Finding], spare: bool) -> Position:
    findings = Findings(found)
    if node is not None and len(node.at("pieces").items or ()) > MANY:
        findings.at(node.at("pieces"), f"no game has more than {MANY} pieces; leave out what isn't on the table")
        node = None
    if node is None:
        raise PackError(findings)
    shape: PositionShape = reader(PositionShape)(node, findings)
    if shape.game and shape.game != game.id:
        findings.at(place(shape, "game"), f"this position is of {shape.game}, not of {game.id}")
    if shape.scenario and shape.scenario not in game.scenarios:
        message = f"there is no scenario {shape.scenario!r}; {instead(shape.scenario, game.scenarios)}"
        findings.at(place(shape, "scenario"), message)
    table = map_of(game, shape)
    pieces = tuple(_pieces(game, shape, table, findings, spare))
    unknown = tuple(_unknown(shape, table, findings))
    if findings:
        raise PackError(findings)
    return Position(game.id, shape.scenario, shape.turn, shape.phase, pieces, unknown, shape.map)


def _unknown(shape: PositionShape, table: Map | None, findings: Findings) -> Iterator[Unknown]:
    for held in shape.unknown:
        try:
            yield Unknown(held.unit, held.copy, locate(table, held.at), held.state)
        except ValueError as error:
            findings.at(place(held, "at"), str(error))


def _pieces(game: Game, shape: PositionShape, table: Map | None, findings: Findings, spare: bool) -> Iterator[Piece]:
    used: dict[str, int] = {}
    known, groups = [*game.units, *game.markers], armies(game, shape.scenario).groups
    for piece in shape.pieces:
        piece = replace(piece, unit=game.renamed.get(piece.unit, piece.unit))
        if piece.unit and piece.unit not in known:
            findings.at(place(piece, "unit"), f"no counter sheet has {piece.unit!r}; {instead(piece.unit, known)}")
            continue
        for i, state in enumerate(piece.states):
            if state not in game.states:
                findings.at(place(piece, "states", i), f"there is no state {state!r}; {instead(state, game.states)}")
        index = used.get(piece.unit, 0)
        used[piece.unit] = index + 1
        held = game.units.get(piece.unit)
        if held is not None and index >= held.count and not spare:
            findings.at(place(piece, "unit"), f"there are {held.count} counters of {piece.unit}, and this is one more")
        try:
            where = locate(table, piece.at)
        except ValueError as error:
            findings.at(place(piece, "at"), str(error))
            continue
        copy = piece.copy or _copy(game, piece.unit, index)
        if piece.nation and piece.nation not in game.nations:
            findings.at(
                place(piece, "nation"), f"there is no nation {piece.nation!r}; {instead(piece.nation, game.nations)}"
            )
        if piece.group and piece.group not in groups:
            message = f"{shape.scenario or 'no scenario'} has no group {piece.group!r}; {instead(piece.group, groups)}"
            findings.at(place(piece, "group"), message)
        nation = piece.nation or nation_of(game, shape.scenario, piece.unit, piece.group)
        yield Piece(piece.unit, copy, nation, where, frozenset(piece.states), piece.steps_lost, piece.group)


def map_of(game: Game, position: Position | PositionShape) -> Map | None:
    """The map that a position is on: its scenario's, or the one it names, or the game's first."""
    return (
        game.scenario_maps.get(position.scenario) or game.maps.get(position.map) or next(iter(game.maps.values()), None)
    )


def locate(table: Map | None, text: str) -> Location:
    """The place that a text names on a map; ValueError with a sentence if there is none."""
    if text.partition(":")[0] in WAITING and ":" in text:
        return text
    if table is None:
        raise ValueError("there is no map to place a piece on")
    if isinstance(table, HexMap):
        return table.hex(text)
    table.adjacent(text)
    return text


def shown(table: Map | None, location: Location) -> str:
    """A place as a person writes it."""
    if isinstance(location, Hex):
        assert isinstance(table, HexMap)
        return table.name(location)
    return location


def groups(force: Force) -> Mapping[str, Group]:
    """A side's groups by id or number."""
    return {group.id or str(number): group for number, group in enumerate(force.groups, 1)}

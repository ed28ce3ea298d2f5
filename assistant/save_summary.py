"""The contents of a VASSAL save or a position file: the question `open`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from assistant.questions.answer import Answer, BadQuestion, Cell, Node, Section, Value, remark
from assistant.questions.question import POSITION, Input, Inputs, Question
from scenarios.model.game import Game
from scenarios.model.position import Piece, Position, format_location, map_of
from scenarios.opening_positions import open_position, write_position
from scenarios.unit_view import printed_name


def _open(game: Game, inputs: Inputs) -> Answer:
    position = inputs["position"]
    if isinstance(position, Path):
        try:
            position = open_position(game, position)
        except ValueError as error:
            raise BadQuestion(str(error)) from None
    if "write" in inputs:
        _write(game, position, inputs["write"])
    return Answer("open", game.id, _nodes(game, position))


def _write(game: Game, position: Position, file: Path) -> None:
    try:
        write_position(game, position, file)
    except OSError as error:
        raise BadQuestion(f"{file} can't be written: {error.strerror}; name another with --write") from None


def _nodes(game: Game, position: Position) -> list[Node]:
    """Return a position by side, nation and place; units that aren't on the map are counted."""
    scenario = game.scenarios.get(position.scenario)
    map = map_of(game, position)
    sides: dict[str, dict[str, list[str]]] = {}
    for piece in position.pieces:
        sides.setdefault(_owner(game, position, piece), {}).setdefault(format_location(map, piece.at), []).append(
            _piece_name(game, piece)
        )
    head: dict[str, Cell] = {"scenario": position.scenario, "turn": position.turn, "phase": position.phase}
    return [
        remark(f"{game.title}: {f'{position.scenario} {scenario.title}, ' if scenario else ''}turn {position.turn}"),
        *(Value(key, value, for_people=False) for key, value in head.items()),
        *(
            Section(
                [remark(f"{place}: {', '.join(_count_names(names))}") for place, names in sorted(places.items())], side
            )
            for side, places in sides.items()
        ),
        Value(
            "pieces",
            [
                {
                    "unit": piece.unit,
                    "copy": piece.copy,
                    "nation": piece.nation,
                    "at": format_location(map, piece.at),
                    "states": sorted(piece.states),
                    "steps_lost": piece.steps_lost,
                }
                for piece in position.pieces
            ],
            for_people=False,
        ),
    ]


OPEN = Question(
    name="open",
    about="the contents of a VASSAL save or log, or of a position file: the scenario, the turn, and where each piece is",
    inputs=(
        replace(POSITION, required=True),
        Input(name="write", about="write the position to this file", kind="file"),
    ),
    answer=_open,
    positional=("position",),
)


def _count_names(names: list[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        yield f"{count} x {name}" if count > 1 else name


def _owner(game: Game, position: Position, piece: Piece) -> str:
    """Return the owner of a piece: its side, and its nation where the side has several."""
    unit = game.units.get(piece.unit)
    if unit is None:
        return "Markers"
    scenario = game.scenarios.get(position.scenario)
    scenario_sides = scenario.sides if scenario else {}
    side = next((key for key, side_record in scenario_sides.items() if piece.nation in side_record.nations), unit.side)
    side_record = scenario_sides.get(side) or game.sides.get(side)
    name = side_record.name if side_record else side
    side_nations = [nation for nation in game.nations.values() if nation.side == unit.side]
    nation = game.nations.get(piece.nation) if len(side_nations) > 1 else None
    nation_name = (nation.adjective or nation.name) if nation else ""
    return f"{name}, {nation_name}" if nation_name and nation_name != name else name


def _piece_name(game: Game, piece: Piece) -> str:
    name = printed_name(game, piece.unit)
    states = ", ".join(game.states[state].name.lower() for state in sorted(piece.states))
    return f"{name} ({states})" if states else name

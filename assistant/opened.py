"""What a save of VASSAL or a position file shows: the question `open`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from assistant.answers import Answer, BadQuestion, Cell, Node, Section, Value, said
from assistant.questions import POSITION, Input, Question, Told
from scenarios.game import Game
from scenarios.position import Piece, Position, map_of, shown

SHOWN = 12
"""How many kinds of what isn't known are named."""


def _open(game: Game, told: Told) -> Answer:
    position = told["position"]
    if isinstance(position, Path):
        from scenarios.opening import open_position

        try:
            position = open_position(game, position)
        except ValueError as error:
            raise BadQuestion(str(error)) from None
    if "write" in told:
        _write(game, position, told["write"])
    return Answer("open", game.id, _nodes(game, position))


def _write(game: Game, position: Position, file: Path) -> None:
    from scenarios.opening import write_position

    try:
        write_position(game, position, file)
    except OSError as error:
        raise BadQuestion(f"{file} can't be written: {error.strerror}; name another with --write") from None


def _nodes(game: Game, position: Position) -> list[Node]:
    """A position by side, nation and place; who waits is counted."""
    held = game.scenarios.get(position.scenario)
    map = map_of(game, position)
    sides: dict[str, dict[str, list[str]]] = {}
    for piece in position.pieces:
        sides.setdefault(_owner(game, position, piece), {}).setdefault(shown(map, piece.at), []).append(
            _named(game, piece)
        )
    head: dict[str, Cell] = {"scenario": position.scenario, "turn": position.turn, "phase": position.phase}
    return [
        said(f"{game.title}: {f'{position.scenario} {held.title}, ' if held else ''}turn {position.turn}"),
        *(Value(key, value, shown=False) for key, value in head.items()),
        *(
            Section([said(f"{where}: {', '.join(_counted(names))}") for where, names in sorted(places.items())], side)
            for side, places in sides.items()
        ),
        Value(
            "pieces",
            [
                {
                    "unit": piece.unit,
                    "copy": piece.copy,
                    "nation": piece.nation,
                    "at": shown(map, piece.at),
                    "states": sorted(piece.states),
                    "steps_lost": piece.steps_lost,
                }
                for piece in position.pieces
            ],
            shown=False,
        ),
    ]


OPEN = Question(
    name="open",
    about="what a save or log of VASSAL, or a position file, shows: the scenario, the turn, and which piece stands where",
    inputs=(replace(POSITION, needed=True), Input(name="write", about="write it as a position file", kind="file")),
    answer=_open,
    bare=("position",),
)


def unknown_json(game: Game, position: Position) -> list[dict[str, str]]:
    """What a save has and the pack doesn't know, for a program."""
    table = map_of(game, position)
    return [
        {"unit": one.unit, "copy": one.copy, "at": shown(table, one.at), **({"state": one.state} if one.state else {})}
        for one in position.unknown
    ]


def unknown_text(game: Game, position: Position) -> str:
    """What a save has and the pack doesn't know, in a sentence; nothing where it knows everything."""
    if not position.unknown:
        return ""
    table = map_of(game, position)
    places: dict[str, list[str]] = {}
    for one in position.unknown:
        what = f"the state {one.state} of {one.unit}" if one.state else one.unit
        places.setdefault(what, []).append(shown(table, one.at))
    named = [f"{len(at)} x {what} ({', '.join(dict.fromkeys(at))})" for what, at in places.items()]
    more = [f"and {len(named) - SHOWN} more"] * (len(named) > SHOWN)
    fix = "if a counter was renamed, its pack can say so with `was`"
    if position.extensions:
        played = ", ".join(position.extensions)
        fix = f"the save was played with {played}: name the overlay that it was made of with --overlay"
    return f"Not known to {game.id}, and left out: {', '.join([*named[:SHOWN], *more])}; {fix}."


def _counted(names: list[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        yield f"{count} x {name}" if count > 1 else name


def _owner(game: Game, position: Position, piece: Piece) -> str:
    """Whose a piece is: its side, and its nation where the side has several."""
    unit = game.units.get(piece.unit)
    if unit is None:
        return "Markers"
    scenario = game.scenarios.get(position.scenario)
    own = scenario.sides if scenario else {}
    side = next((key for key, held in own.items() if piece.nation in held.nations), unit.side)
    held = own.get(side) or game.sides.get(side)
    name = held.name if held else side
    alike = [nation for nation in game.nations.values() if nation.side == unit.side]
    nation = game.nations.get(piece.nation) if len(alike) > 1 else None
    told = (nation.adjective or nation.name) if nation else ""
    return f"{name}, {told}" if told and told != name else name


def _named(game: Game, piece: Piece) -> str:
    unit = game.units.get(piece.unit)
    name = unit.name if unit is not None else game.markers[piece.unit].name
    states = ", ".join(game.states[state].name.lower() for state in sorted(piece.states))
    return f"{name} ({states})" if states else name

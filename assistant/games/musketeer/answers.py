"""Supply, escalation and refits asked by the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.musketeer.politics import Forecast, forecast, marker_points, refit_chance, refits
from assistant.games.musketeer.support import Line, Support, support
from assistant.shared.asking import Options, Said, amount, asked_position, chances_json, percent, told
from scenarios.game import Game
from scenarios.hexes import Hex


def supply_answer(game: Game, options: Options) -> Said:
    """Lines of support of both sides, or of `side`, and the hexes whose loss would cut most."""
    here = support(game, asked_position(game, options))
    sides = [side for side in game.sides if options.get("side") in (None, "", side)]
    json = {"game": game.id, "scenario": here.position.scenario, "sides": {side: _side(here, side) for side in sides}}
    return json, [line for side in sides for line in supply_text(game, here, side)]


def _side(here: Support, side: str) -> dict[str, Any]:
    lines = here.lines(side)
    return {
        "in": sum(line.supplied for line in lines),
        "out": sum(not line.supplied for line in lines),
        "units": [
            {
                "unit": line.piece.unit,
                "hex": _name(here, line),
                "supplied": line.supplied,
                "path": [here.table.name(hex) for hex in line.path],
                "by_road": line.by_road,
                "why": line.why,
            }
            for line in lines
        ],
        "worst": [
            {"hex": here.table.name(cut.hex), "cuts": [piece.unit for piece in cut.units]} for cut in here.cuts(side, 3)
        ],
    }


def _name(here: Support, line: Line) -> str:
    assert isinstance(line.piece.at, Hex)
    return here.table.name(line.piece.at)


def supply_text(game: Game, here: Support, side: str) -> Iterator[str]:
    """One side's lines of support in lines of text."""
    lines = here.lines(side)
    inside = sum(line.supplied for line in lines)
    yield f"{game.sides[side].name}: {inside} with a line of support, {len(lines) - inside} without"
    for line in lines:
        unit = game.units[line.piece.unit].name
        way = " ".join(here.table.name(hex) for hex in line.path)
        said = f"in   {way}{' by road' * line.by_road}" if line.supplied else f"OUT  {line.why}"
        yield f"  {unit:22} {_name(here, line):6} {said}"
    cuts = here.cuts(side, 3)
    for cut in cuts:
        names = ", ".join(game.units[piece.unit].name for piece in cut.units)
        yield f"  an enemy in {here.table.name(cut.hex)} would cut {len(cut.units)}: {names}"
    if not cuts:
        yield "  no single hex would cut anybody"


KNOWN = ("index", "turn", "markers", "later", "turns", "committed", "banned", "libya")


def escalation_answer(game: Game, options: Options) -> Said:
    """`index=38 turn=3 markers=command_us,command_egypt`: the chance of World War III this turn; with `later` markers
    for each turn after it and `turns`, the turns to come."""
    given = told(tuple(options.get("words") or ()), KNOWN)
    turn = int(amount("turn", given.get("turn", "1")))
    index = int(amount("index", given.get("index", "1")))
    turns = int(amount("turns", given.get("turns", "1")))
    if turns < 1 or turn < 1 or index < 1:
        raise BadQuestion("index, turn and turns are 1 or more (6.1)")
    markers = _listed(given, "markers")
    plan = [markers, *[_listed(given, "later") for _ in range(turns - 1)]]
    found = forecast(
        game,
        index,
        plan,
        turn=turn,
        committed=_listed(given, "committed"),
        banned=given.get("banned", ""),
        libya=int(amount("libya", given.get("libya", "0"))),
    )
    json = {
        "game": game.id,
        "question": "escalation",
        "index": index,
        "turn": turn,
        "markers": {marker: marker_points(game, marker) for marker in markers},
        "war": chances_json(found.war),
        "peace": chances_json(found.index),
        "committed": chances_json(found.committed),
    }
    return json, list(escalation_text(game, found))


def _listed(given: Mapping[str, str], key: str) -> list[str]:
    return [word for word in given.get(key, "").split(",") if word]


def escalation_text(game: Game, found: Forecast) -> Iterator[str]:
    """A forecast in lines."""
    for turn, chance in found.war.items():
        yield f"World War III in turn {turn}: {percent(chance)}"
    peace = sum(found.index.values())
    if peace:
        mean = sum(level * chance for level, chance in found.index.items()) / peace
        yield f"peace: {percent(peace)}; the index then {min(found.index)} to {max(found.index)}, {float(mean):.1f} on average"
    for who, chance in found.committed.items():
        yield f"{game.nations[who].name} committed by then: {percent(chance)}"


def refit_answer(game: Game, options: Options) -> Said:
    """`nation=egypt kind=ground units=3 impulses=2`: how many units refit, each rolling until it succeeds."""
    given = told(tuple(options.get("words") or ()), ("nation", "kind", "units", "impulses"))
    chance = refit_chance(game, given.get("nation", ""), given.get("kind", "ground"))
    units, impulses = (int(amount(key, given.get(key, "1"))) for key in ("units", "impulses"))
    found = refits(chance, units, impulses)
    json = {"game": game.id, "question": "refit", "chance": str(chance), "refitted": chances_json(found)}
    lines = [f"one roll: {percent(chance)}"]
    if chance:
        lines.append(f"impulses until one unit is back: {float(1 / chance):.1f} on average")
    return json, [*lines, *(f"{count} of {units} after {impulses}: {percent(c)}" for count, c in found.items())]

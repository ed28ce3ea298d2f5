"""Supply, escalation, entry and refits as they are asked."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from assistant.games.musketeer.contingents import contingent, label
from assistant.games.musketeer.politics import (
    WATCHED,
    Forecast,
    World,
    forecast,
    marker_points,
    playable,
    refit_chance,
    refits,
)
from assistant.games.musketeer.support import Line, Support, support
from assistant.shared.asking import Options, Said, asked_position, chances_json, percent
from assistant.shared.options import choice, listed, whole, word, yes
from scenarios.game import Game
from scenarios.hexes import Hex

PLACE = {"position": "a position file", "scenario": "the start of a scenario, instead of a position"}
SUPPLY = {"side": "one side only: west or east", **PLACE}
ESCALATION = {
    "index": "the Escalation Index now",
    "turn": "the turn now",
    "markers": "command markers drawn this turn: command_us,command_egypt",
    "later": "markers drawn in each turn after it",
    "turns": "how many turns to look ahead",
    "committed": f"contingents already committed: {', '.join(WATCHED)}",
    "used": "special markers already used up",
    "banned": "the marker that the last event forbids this turn, or west_special",
    "libya": "units that come by way of Libya this turn",
    "what_if": "also without each marker (yes or no)",
}
REFIT = {
    "nation": "whose units",
    "kind": "ground, air or special",
    "units": "how many try",
    "impulses": "in how many Refit Phases",
    **PLACE,
    "position": "a position file: all disrupted units that may try",
}


def supply_answer(game: Game, options: Options) -> Said:
    """Lines of support of both sides, or of one, and the hexes whose loss would cut most."""
    here = support(game, asked_position(game, options))
    wanted = choice(options, "side", game.sides)
    sides = [side for side in game.sides if wanted in ("", side)]
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
        unit = label(game, game.units[line.piece.unit])
        way = " ".join(here.table.name(hex) for hex in line.path)
        said = f"in   {way}{' by road' * line.by_road}" if line.supplied else f"OUT  {line.why}"
        yield f"  {unit:22} {_name(here, line):6} {said}"
    cuts = here.cuts(side, 3)
    for cut in cuts:
        names = ", ".join(label(game, game.units[piece.unit]) for piece in cut.units)
        yield f"  an enemy in {here.table.name(cut.hex)} would cut {len(cut.units)}: {names}"
    if not cuts:
        yield "  no single hex would cut anybody"


def escalation_answer(game: Game, options: Options) -> Said:
    """The chance of World War III this turn, and in the turns to come."""
    turn, index = whole(options, "turn", 1, 1), whole(options, "index", 1, 1)
    turns, markers = whole(options, "turns", 1, 1, 7), listed(options, "markers")
    later = [listed(options, "later") for _ in range(turns - 1)]
    committed, used, banned = listed(options, "committed"), listed(options, "used"), word(options, "banned")
    libya = whole(options, "libya")

    def seen(drawn: list[str]) -> Forecast:
        return forecast(
            game, index, [drawn, *later], turn=turn, committed=committed, used=used, banned=banned, libya=libya
        )

    found = seen(markers)
    world = World(turn, index, banned, frozenset(committed), frozenset(used))
    held = [marker for marker in dict.fromkeys(markers) if not playable(game, marker, world)]
    json: dict[str, Any] = {
        "game": game.id,
        "question": "escalation",
        "index": index,
        "turn": turn,
        "markers": {marker: marker_points(game, marker) for marker in markers},
        "not_playable": held,
        "war": chances_json(found.war),
        "peace": chances_json(found.index),
        "committed": chances_json(found.committed),
    }
    lines = [f"{marker} can't be played in turn {turn} (7.7, 22.2, 28.2, 28.3)" for marker in held]
    lines += escalation_text(game, found)
    if yes(options, "what_if"):
        without = {m: seen([other for other in markers if other != m]).war[turn] for m in dict.fromkeys(markers)}
        json["what_if"] = chances_json(without)
        lines += [f"without {m}: World War III in turn {turn} {percent(chance)}" for m, chance in without.items()]
    return json, lines


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
    """How many units refit, each rolling until it succeeds; or who in a position may try, and how likely."""
    if options.get("position") or options.get("scenario"):
        return _trying(game, support(game, asked_position(game, options)), word(options, "nation"))
    chance = refit_chance(game, word(options, "nation"), word(options, "kind", "ground"))
    units, impulses = whole(options, "units", 1, 1, 60), whole(options, "impulses", 1, 1, 60)
    found = refits(chance, units, impulses)
    json = {"game": game.id, "question": "refit", "chance": str(chance), "refitted": chances_json(found)}
    lines = [f"one roll: {percent(chance)}"]
    if chance:
        lines.append(f"impulses until one unit is back: {float(1 / chance):.1f} on average")
    return json, [*lines, *(f"{count} of {units} after {impulses}: {percent(c)}" for count, c in found.items())]


def _trying(game: Game, here: Support, nation: str) -> Said:
    """21.2: disrupted ground units with a line of support roll in their contingent's Refit Phase."""
    who = contingent(nation) if nation else ""
    found, lines = [], []
    for line in (line for side in game.sides for line in here.lines(side) if "disrupted" in line.piece.states):
        unit = game.units[line.piece.unit]
        if who and contingent(unit.nation) != who:
            continue
        chance = refit_chance(game, unit.nation) if line.supplied else Fraction(0)
        found.append({"unit": unit.id, "hex": _name(here, line), "chance": str(chance), "why": line.why})
        said = percent(chance) if line.supplied else f"no line of support: {line.why}"
        lines.append(f"{label(game, unit)} in {_name(here, line)}: {said}")
    return {"game": game.id, "question": "refit", "units": found}, lines or ["no disrupted unit is on the map"]

"""Supply and refits as they are asked."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.musketeer.asked import PLACE, asked_support, told
from assistant.games.musketeer.contingents import contingent, label
from assistant.games.musketeer.field import GROUND
from assistant.games.musketeer.politics import refit_chance, refits
from assistant.games.musketeer.score import DEAD
from assistant.games.musketeer.support import Line, Support
from assistant.shared.asking import Options, Said, chances_json, percent
from assistant.shared.options import choice, whole, word
from assistant.shared.sourced import ours
from scenarios.game import Game
from scenarios.hexes import Hex

SUPPLY = {"side": "one side only: west or east", **PLACE}
REFIT = {
    "nation": "whose units",
    "kind": "ground, air or special",
    "units": "how many try",
    "impulses": "in how many Refit Phases",
    **PLACE,
    "position": "a position file: all who may try, those in the box of the eliminated too",
}
KINDS = {
    **dict.fromkeys(GROUND, "ground"), "airstrike": "air", "special_forces": "special", "guerrilla": "special",
    "guerrillas": "special", "airstrikes": "air",
}  # fmt: skip
"""The column of the Refit Table for each class of counter (21.2, 21.9, 25.8)."""


def supply_answer(game: Game, options: Options) -> Said:
    """Lines of support of both sides, or of one, and the hexes whose loss would cut most."""
    here = asked_support(game, options)
    wanted = choice(options, "side", game.sides)
    sides = [side for side in game.sides if wanted in ("", side)]
    tracing = [unit for _, unit, _ in here.units if unit.side in sides]
    json = {
        "game": game.id, "question": "supply", "scenario": here.position.scenario,
        "sides": {side: _side(here, side) for side in sides}, "not_the_rulebooks": ours(game, ((unit, "movement") for unit in tracing)),
    }  # fmt: skip
    lines = [line for side in sides for line in supply_text(game, here, side)]
    if json["not_the_rulebooks"]:
        lines.append("the movement factors are not the rulebook's; in an overlay: counters/UNIT/factors/movement")
    return json, lines


def _side(here: Support, side: str) -> dict[str, Any]:
    lines = here.lines(side)
    return {
        "in": sum(line.supplied for line in lines),
        "out": sum(not line.supplied for line in lines),
        "off_map": _off_map(here, side),
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


def _off_map(here: Support, side: str) -> int:
    """Ground units of a side that are in a box or still to be set up."""
    units = here.game.units
    return sum(
        piece.unit in units and units[piece.unit].class_ in GROUND and units[piece.unit].side == side
        for piece in here.position.pieces
        if not isinstance(piece.at, Hex) and piece.at != DEAD
    )


def _name(here: Support, line: Line) -> str:
    assert isinstance(line.piece.at, Hex)
    return here.table.name(line.piece.at)


def supply_text(game: Game, here: Support, side: str) -> Iterator[str]:
    """One side's lines of support in lines of text."""
    lines = here.lines(side)
    inside = sum(line.supplied for line in lines)
    off = _off_map(here, side)
    more = f"; {off} more are not on the map yet (put=UNIT@HEX)" if off else ""
    yield f"{game.sides[side].name}: {inside} with a line of support, {len(lines) - inside} without{more}"
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


def refit_answer(game: Game, options: Options) -> Said:
    """How many units refit, each rolling until it succeeds; or who in a position may try, and how likely."""
    if told(options):
        return _trying(game, asked_support(game, options), word(options, "nation"))
    nation, kind = word(options, "nation"), word(options, "kind", "ground")
    if not nation:
        raise BadQuestion("say whose units: nation=egypt; or a position, for all who may try")
    chance = refit_chance(game, nation, KINDS.get(kind, kind))
    units, impulses = whole(options, "units", 1, 1, 60), whole(options, "impulses", 1, 1, 60)
    found = refits(chance, units, impulses)
    json = {"game": game.id, "question": "refit", "chance": str(chance), "refitted": chances_json(found)}
    lines = [f"one roll: {percent(chance)}" if chance else "it never refits these (Refit Table)"]
    if chance:
        lines.append(f"impulses until one unit is back: {float(1 / chance):.1f} on average")
    return json, [*lines, *(f"{count} of {units} after {impulses}: {percent(c)}" for count, c in found.items())]


def _trying(game: Game, here: Support, nation: str) -> Said:
    """Disrupted ground units with a line of support, and lost airstrikes, special forces and guerrillas, roll in their
    contingent's Refit Phase (21.2, 21.9, 25.8)."""
    found = []
    for line in (line for side in game.sides for line in here.lines(side) if "disrupted" in line.piece.states):
        unit = game.units[line.piece.unit]
        chance = refit_chance(game, unit.nation) if line.supplied else Fraction(0)
        why = "" if line.supplied else f"no line of support: {line.why}"
        found.append((unit, _name(here, line), chance, why))
    for piece in here.position.pieces:
        lost = game.units.get(piece.unit)
        if piece.at == DEAD and lost is not None and KINDS.get(lost.class_, "ground") != "ground":
            found.append((lost, "eliminated", refit_chance(game, lost.nation, KINDS[lost.class_]), ""))
    if nation:
        found = [one for one in found if contingent(one[0].nation) == contingent(nation)]
    json = [
        {"unit": unit.id, "hex": where, "chance": str(chance), "why": why.partition(": ")[2]}
        for unit, where, chance, why in found
    ]
    lines = [
        f"{label(game, unit)} {'' if where == 'eliminated' else 'in '}{where}: {why or percent(chance)}"
        for unit, where, chance, why in found
    ]
    return {"game": game.id, "question": "refit", "units": json}, lines or ["nobody may try to refit"]

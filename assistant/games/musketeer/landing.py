"""Entry and paradrops as they are asked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.musketeer.asked import PLACE, asked_hex, asked_support
from assistant.games.musketeer.contingents import contingent, label
from assistant.games.musketeer.entry import Entry, Way
from assistant.games.musketeer.placed import UNIT, asked_unit, piece_of
from assistant.games.musketeer.politics import WATCHED, paradrop
from assistant.games.musketeer.score import DEAD
from assistant.games.musketeer.support import Support
from assistant.shared.asking import Options, Said, percent
from assistant.shared.options import yes
from assistant.shared.sourced import ours, ours_text
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex, distance

ENTRY = {
    "unit": "the counter",
    "from": "the hex it starts in, if not in its box",
    "to": "one hex to come to; left out, all",
    **PLACE,
}
DROP = {**UNIT, "to": "the hex it lands in", "contested": "an enemy is there, or AAA next to it (yes or no)"}
SHOWN = 12
"""How many hexes of a way are listed in text."""


def _coming(game: Game, options: Options) -> tuple[Support, Unit, Hex | None, bool]:
    """The position, the unit, the hex it starts in (None: its box) and whether it is disrupted."""
    here, unit = asked_support(game, options), asked_unit(game, options)
    piece, start = piece_of(here, unit), asked_hex(here.table, options, "from")
    if start is None and piece is not None and isinstance(piece.at, Hex):
        start = piece.at
    return here, unit, start, yes(options, "disrupted", piece is not None and "disrupted" in piece.states)


def entry_answer(game: Game, options: Options) -> Said:
    """The ways by which a unit may come, and the hexes of each."""
    here, unit, start, _ = _coming(game, options)
    if unit.count == 1 and any(piece.unit == unit.id and piece.at == DEAD for piece in here.position.pieces):
        raise BadQuestion(f"{label(game, unit)} is eliminated; ground units don't come back (21.8), but for a Soviet one by event 11")
    goal, said = asked_hex(here.table, options, "to"), here.table.name
    ways = [way for way in Entry(here, unit, start).ways if goal is None or goal in way.hexes | way.assault]
    limits = _limits(game, unit) if start is None else {}
    json: dict[str, Any] = {
        "game": game.id, "question": "entry", "unit": unit.id, "from": said(start) if start else "box", "limits": limits,
        "ways": [
            {
                "way": way.name, "rule": way.rule, "note": way.note,
                "hexes": [said(hex) for hex in sorted(way.hexes) if goal in (None, hex)],
                "assault": [said(hex) for hex in sorted(way.assault) if goal in (None, hex)],
            }
            for way in ways
        ],
    }  # fmt: skip
    where = f" to {said(goal)}" if goal is not None else ""
    lines = [f"{label(game, unit)}, from {f'hex {said(start)}' if start else 'its box'}{where}: {_ways(len(ways))}"]
    lines += [f"  {line}" for way in ways for line in _way_text(here, way, goal)]
    if start is None and contingent(unit.nation) in WATCHED:
        lines.append("only when its contingent is committed (28.3)")
    json["not_the_rulebooks"] = ours(game, cells=[("reinforcements", contingent(unit.nation), "ground")] if limits else [])
    if limits:
        lines.append("an impulse of its contingent: " + ", ".join(f"{name} {most}" for name, most in limits.items()))
    return json, [*lines, *ours_text(json["not_the_rulebooks"])]


def _ways(count: int) -> str:
    return f"{count} way{'s' * (count != 1)}" if count else "no way"


def _way_text(here: Support, way: Way, goal: Hex | None) -> list[str]:
    note = f"; {way.note}" if way.note else ""
    if goal is not None:
        enemy = "; on the enemy: a direct assault (29.5)" * (goal in way.assault)
        return [f"{way.name} ({way.rule}){note}{enemy}"]
    lines = [f"{way.name} ({way.rule}){note}: {_hexes(here, way.hexes)}"]
    return lines + [f"  as a direct assault (29.5): {_hexes(here, way.assault)}"] * bool(way.assault)


def _hexes(here: Support, hexes: frozenset[Hex]) -> str:
    names = [here.table.name(hex) for hex in sorted(hexes)]
    return ", ".join(names) or "none free" if len(names) <= SHOWN else f"{len(names)} hexes"


def _limits(game: Game, unit: Unit) -> dict[str, int]:
    """What an impulse lets in: ground units of the box (8.2), airborne and sealift moves (10.4, 11.6)."""
    box, lift, who = game.tables["reinforcements"], game.tables["contingents"], contingent(unit.nation)
    found = {"ground units": int(box.cell(who, box.named_column("ground")).code)}
    for column in ("airborne moves", "sealift moves"):
        found[column] = int(lift.cell(who, lift.named_column(column)).code)
    return found


def paradrop_answer(game: Game, options: Options) -> Said:
    """The chance that a drop disrupts the unit, and whether it may drop (10.2, 24.3, 29.5, 29.6)."""
    here, unit, start, disrupted = _coming(game, options)
    entry = Entry(here, unit, start)
    if "airborne" not in unit.abilities:
        raise BadQuestion(f"{label(game, unit)} is not airborne (10.2)")
    if "no_drop" in unit.abilities:
        raise BadQuestion(f"{label(game, unit)} can't drop (24.3)")
    if start is not None and not entry.drops:
        raise BadQuestion(f"{label(game, unit)} is in {here.table.name(start)}; it drops out of its box or from an airbase (10.2)")
    target = asked_hex(here.table, options, "to")
    enemy = flak = False
    if target is not None:
        drop = entry.way("paradrop", "10.2", frozenset({target}), assault=True)
        if target not in drop.hexes | drop.assault:
            raise BadQuestion(f"{label(game, unit)} can't land in {here.table.name(target)} (8.3, 10.3, 12.0, 28.1)")
        enemy = target in drop.assault
        flak = any(
            "flak" in one.abilities and one.side != unit.side and distance(at, target) == 1 for _, one, at in here.units
        )
    contested = yes(options, "contested", enemy or flak)
    chance = paradrop(game, contested)
    lost = disrupted or unit.back is None
    json = {
        "game": game.id, "question": "paradrop", "unit": unit.id, "contested": contested,
        "disrupted": str(Fraction(0) if lost else chance), "eliminated": str(chance if lost else Fraction(0)),
    }  # fmt: skip
    fate = "lost, for it has no step to lose," if lost else "disrupted"
    lines = [f"{label(game, unit)} is {fate} as it lands: {percent(chance)} (29.6)"]
    lines += ["  an enemy is in the hex: a direct assault, it must clear it or is lost (29.5)"] * enemy
    lines += ["  an enemy AAA unit is next to it"] * flak
    return json, lines

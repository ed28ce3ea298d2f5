"""Bridges as text and JSON: those that lie, those that could, and the PCB bridge."""

from __future__ import annotations

from typing import Any

from assistant.games.yom_kippur.bridges import launches, sites
from assistant.games.yom_kippur.field import SIDES, Field, Stand
from assistant.games.yom_kippur.printed import ours
from assistant.games.yom_kippur.questions import asked_field, asked_side, asked_units
from assistant.shared.asking import Options, Said
from assistant.shared.options import choice
from assistant.shared.sourced import ours_text
from scenarios.game import Game
from scenarios.hexes import Hexside


def bridges_answer(game: Game, options: Options) -> Said:
    """Bridges that lie and who may cross them, where engineers may build, which armor can launch the PCB bridge (1.14, 2.2)."""
    field = asked_field(game, options)
    wanted, named = asked_side(options), asked_units(field, options, "unit")
    phase = choice(options, "phase", ("movement", "exploitation"), "movement")
    table = field.ground.table
    shifted = asked_units(field, options, "shifted")

    def over(side: Hexside) -> str:
        return f"{table.name(side.a)}/{table.name(side.b)}"

    lines, told = [], {"bridges": [], "sites": [], "launches": []}  # type: ignore[var-annotated]
    for side in SIDES:
        for bridge in sorted(field.bridges[side]):
            users = [one for one in SIDES if bridge in field.open_bridges[one]]
            lines.append(f"{game.sides[side].name} bridge {over(bridge)}: open to {' and '.join(game.sides[u].name for u in users)}")
            told["bridges"].append({"side": side, "over": over(bridge), "open_to": users})
    for stand in named or field.of(wanted) if wanted or named else field.stands:
        if named and (why := _idle(field, stand)):
            lines.append(f"{stand.name} {why}")
        for site in sites(field, stand, shifted=stand in shifted):
            lines.append(f"{stand.name} in {table.name(stand.hex)} may bridge {over(site.over)}" * (not site.reason)
                         or f"{stand.name} can't bridge {over(site.over)}: {site.reason}")  # fmt: skip
            told["sites"].append({"unit": stand.key, "over": over(site.over), "reason": site.reason})
        for launch in launches(field, stand, "exploitation" if phase == "exploitation" else "movement"):
            entry: dict[str, Any] = {
                "unit": stand.key, "road": launch.road, "to": table.name(launch.to), "reason": launch.reason,
                "points": None if launch.points is None else str(launch.points),
            }  # fmt: skip
            told["launches"].append(entry)
            if not launch.reason:
                lines.append(f"{stand.name} can launch the PCB bridge by {launch.road} to {entry['to']}: {launch.points} points")
            elif named:
                lines.append(f"{stand.name} can't launch the PCB bridge by {launch.road}: {launch.reason}")
    towing = {entry["unit"] for entry in told["launches"] if not entry["reason"]}
    pulling = [(stand, "movement") for stand in field.stands if stand.key in towing]
    rebuilt = ours(game, pulling, ground=True) if towing else {}
    lines = lines or ["no bridge lies, and nobody can build one now"]
    return {"game": game.id, **told, "not_the_rulebooks": rebuilt}, [*lines, *ours_text(rebuilt)]


def _idle(field: Field, stand: Stand) -> str:
    """Why a unit has nothing to do with bridges; empty if it has."""
    abilities = stand.unit.abilities
    if not abilities & {"builds_bridge", "tows_pcb"}:
        return "builds no bridges: engineers do, and armor tows the PCB bridge (1.14, 2.2)"
    if "builds_bridge" in abilities and not sites(field, stand):
        return f"in {field.ground.table.name(stand.hex)} has no water straight east or west of it to bridge (1.14c)"
    return ""

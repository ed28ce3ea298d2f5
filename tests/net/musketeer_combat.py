"""Recorded combats of Operation Musketeer in today's words: help is named by its counters, and policies by their groups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from assistant.questions.references import named_place, named_unit
from scenarios.model.game import Game
from scenarios.model.position import Position

HELP = ("airstrike", "special_forces", "guerrilla")
RENAMED = {"attacker_losses": "attackers_losses", "defender_losses": "defenders_losses"}


def combat_words(game: Game, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs of a combat as the question has them."""
    words = {RENAMED.get(key, key): value for key, value in inputs.items()}
    for role in ("attacker", "defender"):
        told = {name: words.pop(f"{role}_{name}", None) for name in HELP[1:]}
        told["airstrike"] = words.pop("cas", None) if role == "attacker" else None
        if any(value not in (None, "") for value in told.values()):
            words[f"{role}s_support"] = ",".join(_help(game, inputs, role, told)) or "none"
    return words


def _help(game: Game, inputs: Mapping[str, Any], role: str, told: Mapping[str, Any]) -> Iterable[str]:
    nation = _nation(game, inputs, role)
    own = ("britain", "france") if nation in ("britain", "france") else (nation,)
    there = [unit for unit in _there(game, inputs) if unit.nation in own]
    if told["airstrike"] in (None, ""):
        yield from (unit.id for unit in there if unit.class_ == "airstrike" and role == "attacker")
    else:
        count = int(told["airstrike"])
        known = [u for u in game.units.values() if u.class_ == "airstrike" and u.nation in own] or [
            game.units["airstrike_us"]
        ]
        for i, unit in enumerate(known):
            share = count if i == len(known) - 1 else min(count, unit.count)
            count -= share
            if share:
                yield f"{share}*{unit.id}"
    if told["special_forces"] in (None, "") and told["guerrilla"] in (None, ""):
        yield from (unit.id for unit in there if unit.class_ in HELP[1:])
    if told["special_forces"] in ("yes", True, "Y"):
        yield next(
            (u.id for u in game.units.values() if u.class_ == "special_forces" and u.nation in own), "special_forces_us"
        )
    if told["guerrilla"] not in (None, ""):
        yield f"guerrilla_{int(told['guerrilla'])}"


def _there(game: Game, inputs: Mapping[str, Any], landed_only: bool | None = None) -> list[Any]:
    """The units of a position in the hex attacked: all, those who landed on the enemy, or the others."""
    position, place = inputs.get("position"), inputs.get("hex") or inputs.get("at")
    if not isinstance(position, Position) or not place:
        return []
    at = named_place(game.maps["main"], str(place), "hex")
    there = [piece for piece in position.pieces if piece.at == at and piece.unit in game.units]
    landed = [piece for piece in there if "direct_assault" in piece.states]
    return [game.units[piece.unit] for piece in there if landed_only is None or (piece in landed) == landed_only]


def _nation(game: Game, inputs: Mapping[str, Any], role: str) -> str:
    """The nation of the first unit of a side, as named or in its hex."""
    named = re.split(r"[,;/]", str(inputs.get(f"{role}s") or ""))[0].split("+")[0].split("*")[-1].strip()
    if named:
        unit = game.units.get(named_unit(game, named, frozenset(), role).id)
        return unit.nation if unit is not None else ""
    fighters = [u for u in _there(game, inputs, role == "attacker") if u.class_ in ("mechanized", "foot", "static")]
    starts = re.split(r"\s*,\s*", str(inputs.get("from") or ""))
    position = inputs.get("position")
    if role == "attacker" and isinstance(position, Position):
        for start in filter(None, starts):
            at = named_place(game.maps["main"], start, "from")
            if start in (inputs.get("hex"), inputs.get("at")):
                continue
            for piece in position.pieces:
                unit = game.units.get(piece.unit)
                if piece.at == at and unit is not None and unit.class_ in ("mechanized", "foot", "static"):
                    return unit.nation
    return fighters[0].nation if fighters else ""


def flight_words(game: Game, inputs: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Which procedure a flight is, and its inputs."""
    words = dict(inputs)
    guess = "bombardment" if "units" in inputs else "superiority"
    mission = words.pop("mission", guess)
    if mission == "superiority":
        for role in ("attacker", "defender"):
            words[f"{role}s"] = ",".join(_airstrikes(game, str(words.pop(role, ""))))
        return mission, words
    words |= {"attackers": words.pop("units", ""), "defenders": words.pop("targets", "")}
    return mission, {key: value for key, value in words.items() if key not in ("attacker", "defender")}


def _airstrikes(game: Game, text: str) -> Iterable[str]:
    """The airstrikes of a contingent or a nation and their number: anglo_french:7, israel:3."""
    name, _, count = text.partition(":")
    nation = {"UK": "britain", "Egyptians": "egypt"}.get(name, name)
    own = ("britain", "france") if nation == "anglo_french" else (nation,)
    known = [unit for unit in game.units.values() if unit.class_ == "airstrike" and unit.nation in own]
    left = int(count or 1)
    for i, unit in enumerate(known):
        share = left if i == len(known) - 1 else min(left, unit.count)
        left -= share
        if share:
            yield f"{share}*{unit.id}"


def drop_words(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs of a drop."""
    words = dict(inputs)
    state = "+disrupted" if words.pop("disrupted", None) in ("yes", True) else ""
    words["paras"] = f"{words.pop('unit')}{state}"
    if "to" in words:
        words["at"] = words.pop("to")
    return words

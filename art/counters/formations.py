"""Formations on counters: their short names, and the tints of symbols that distinguish them."""

from __future__ import annotations

import re
from typing import NamedTuple

from art.color import lighter, luminance
from scenarios.model.counters import Unit
from scenarios.model.game import Game

SHORT = {
    "Infantry": "Inf", "Mechanized": "Mech", "Armored": "Arm", "Tank": "Tk", "Airborne": "Abn", "Parachute": "Para",
    "Airmobile": "Airmob", "Amphibious": "Amph", "Guards": "Gds", "Commando": "Cdo", "Motor Rifle": "MR",
    "Division": "Div", "Brigade": "Bde", "Regiment": "Rgt", "Group": "Gp", "Battalion": "Bn", "Command": "Cmd",
    "Expeditionary Force": "EF", "expeditionary force": "EF", "Separate": "Sep", "Palestinian": "Pal",
    "Special": "Spec", "National": "Nat", "Northern": "North", "Southern": "South", "Central": "Cent", "Reserve": "Res",
    "reserve": "Res", "Liberation": "Lib", "Marine": "Mar", "Second": "2", "Third": "3", "First": "1", "Mobile": "Mob",
    "Volunteers": "Vols", "General Staff": "GS", "Armoured": "Arm", "Independent": "Ind", "Cavalry": "Cav",
    "Battalions": "Bns", "Commands": "Cmds", 
}  # fmt: skip
ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
SIZE_WORDS = re.compile(r" (?:Div|Bde|Gp|Rgt|Bn)$")
TINTS = (
    "#ffffff",
    "#ffdf80",
    "#f6b39c",
    "#b4e2a8",
    "#cbb6ee",
    "#8fd6ea",
    "#f4bfdd",
    "#d8cfb8",
    "#e4ef7e",
    "#ffbe66",
)


class Tint(NamedTuple):
    """The fill of a symbol's frame. If tints repeat, the lower half has a second color."""

    upper: str
    lower: str


def short_names(formation: str) -> list[str]:
    """A formation's name and its shorter forms, the shortest last."""
    brief = ORDINAL.sub("", formation)
    for word, short in SHORT.items():
        brief = re.sub(rf"\b{word}\b", short, brief)
    without_size = SIZE_WORDS.sub("", brief)
    first = re.split(r",| \(", without_size)[0]
    return list(dict.fromkeys([formation, brief, without_size, without_size.replace("'s", ""), first]))


def says_formation(unit: Unit) -> bool:
    """Whether the name begins with that of its formation: Reshef A of Reshef's Armored Brigade."""
    formation = unit.formation.split()
    return bool(formation) and unit.name.split()[0] == ORDINAL.sub("", formation[0]).removesuffix("'s")


def tint(game: Game, unit: Unit) -> Tint:
    """The tint of a counter's formation within its nation. A formation of one counter has none."""
    colors = game.nations[unit.nation].colors
    plain_color = lighter(colors.fill, 0.55 if luminance(colors.ink) < luminance(colors.fill) else 0.85)
    number = game.formations.get(unit.nation, {}).get(unit.formation)
    if number is None:
        return Tint(plain_color, plain_color)
    cycle, index = divmod(number, len(TINTS))
    return Tint(TINTS[index], TINTS[index] if not cycle else TINTS[(index + cycle) % len(TINTS)])

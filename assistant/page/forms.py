"""The fields of a question as a form: counters and places to pick, choices, numbers, yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from assistant.shared.asking import Question
from scenarios.game import Game

HIDDEN = ("position", "scenario", "words")
"""Told by the table that is chosen, or of the command line alone."""
UNITS = ("attackers", "firers", "defenders", "targets", "unit", "gone", "mark", "put", "shifted", "wishes", "passengers")
PLACES = ("hex", "point", "target", "at", "from", "to", "cleared", "taken")
NUMBERS = (
    "turn", "turns", "shift", "attacker_shift", "defender_shift", "attacker_hq", "defender_hq", "headquarters", "israel", "egypt",
    "syria", "israel_others", "arab_others", "weasels", "tac", "ssm", "sites", "sites_here", "sead", "kept", "armor_battalion",
    "mech_battalion", "units", "israeli", "egyptian", "syrian", "israeli_air", "egyptian_air", "sam_zone_air", "available", "steps",
    "die", "superiority", "special_forces", "ground", "level", "barrages", "airstrikes", "spent", "event", "index", "later", "libya",
    "roll", "cas", "attacker_guerrilla", "defender_guerrilla", "impulses", "echelon", "strength",
)  # fmt: skip
SEVERAL = ("committed",)
WHAT_IF = ("what_if", "put", "mark", "gone", "taken")

_FLAG = " (yes or no)"
_ALIAS = re.compile(r"the same( as \w+)?|another word for \w+|\w+ by another name")
_EXAMPLE = re.compile(r",? as in [A-Z].*$|: \w*\d?\*?\w+_\w+[,+/*].*$|;? in words UNIT.*$")
_LISTED = re.compile(r"(?:^|: )([a-z_]+(?:, [a-z_]+)+|[a-z_]+(?:, [a-z_]+)*,? or [a-z_]+)(?=$|[,;])")


def form_of(game: Game, question: Question) -> list[dict[str, Any]]:
    """The fields of a question, each with `name`, `title`, `about`, `kind`, `choices`, `many`, `what_if`."""
    return list(_fields(game, question))


def _fields(game: Game, question: Question) -> Iterator[dict[str, Any]]:
    for name, text in question.names.items():
        if name in HIDDEN or _ALIAS.fullmatch(text):
            continue
        about = _EXAMPLE.sub("", text.removesuffix(_FLAG))
        kind, choices = _kind(game, name, text)
        yield {
            "name": name, "title": name.replace("_", " ").capitalize(), "about": about, "kind": kind, "choices": choices,
            "many": kind == "units" and not text.startswith("the counter"), "what_if": name in WHAT_IF,
        }  # fmt: skip


def _kind(game: Game, name: str, text: str) -> tuple[str, list[str]]:
    """What a field is told as, and its choices."""
    if text.endswith(_FLAG):
        return "flag", []
    if name in PLACES or (name in UNITS and "hexes" in text):
        return "place", []
    if name in UNITS or "*" in text:
        return "placed" if name == "put" else "units", []
    if name in ("terrain", "nation", "side"):
        known = {"terrain": game.terrain, "nation": game.nations, "side": game.sides}[name]
        return "choice", list(known)
    listed = _LISTED.search(text)
    if listed:
        choices = re.split(r",? or |, ", listed[1])
        return ("several" if name in SEVERAL else "choice"), choices
    counted = name in NUMBERS and ":" not in text.partition(" as in ")[2]
    return "number" if counted else "text", []

"""Printed numbers: the one a counter lacks, and those that are not the rulebook's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from assistant.answers import BadQuestion
from scenarios.counters import Unit
from scenarios.data import OURS
from scenarios.game import Game
from scenarios.sources import Source

if TYPE_CHECKING:
    from assistant.attack import Applied


def address(unit: Unit, factor: str) -> str:
    """Where an overlay puts a factor."""
    return f"counters/{unit.template}/factors/{factor}"


def needed(game: Game, unit: Unit, factor: str) -> Fraction:
    """A number of a counter; where nobody knows it, the overlay entry that would fill it in."""
    value = unit.factors.get(factor)
    if isinstance(value, Fraction):
        return value
    default = game.factors[factor].default
    if default is not None:
        return Fraction(default)
    name = game.factors[factor].name.lower()
    raise BadQuestion(f"nobody knows the {name} of {unit.name}; an overlay fills it in: {address(unit, factor)}")


def source_of(unit: Unit, factor: str) -> Source | None:
    """Where a factor of a counter comes from."""
    sources = unit.counter.sources
    return sources.get(factor) or sources.get("factors") or unit.counter.source


def not_the_books(game: Game, units: Iterable[tuple[Unit, str]]) -> dict[str, str]:
    """The overlay entries of numbers that are neither the rulebook's nor, by an overlay, the user's own; each with where
    it comes from."""
    found: dict[str, str] = {}
    for unit, factor in units:
        source = source_of(unit, factor)
        if source is not None and source.word in OURS:
            found[address(unit, factor)] = source.word
    left = still_ours(game, found)
    return {entry: word for entry, word in found.items() if entry in left}


def modifier_sources(game: Game, attack: str, applied: Iterable[Applied]) -> dict[str, Source | None]:
    """The overlay entries of the declared modifiers that an attack used, each with where it comes from."""
    used = {(one.text, one.rule) for one in applied}
    return {
        f"attacks/{attack}/modifiers/{number}": modifier.source
        for number, modifier in enumerate(game.attacks[attack].modifiers)
        if (modifier.text, modifier.rule) in used
    }


def map_sources(game: Game) -> Mapping[str, Source | None]:
    """The overlay entries of the ground, terrain of boards or points of a point map, each with where it comes from."""
    return game.grounds


def still_ours(game: Game, entries: Iterable[str]) -> list[str]:
    """Those entries that the user's overlays haven't replaced, at least not wholly."""
    if not game.overlays:
        return list(entries)
    left = {datum.path for datum in game.data if datum.source is not None and datum.source.word in OURS}
    return [entry for entry in entries if entry in left or any(path.startswith(f"{entry}/") for path in left)]

"""Printed numbers: the one a counter lacks, and those that are not the rulebook's."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from assistant.attacks import BadQuestion
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.sources import Source

OURS = ("inferred", "reconstructed")


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


def not_the_books(units: Iterable[tuple[Unit, str]]) -> dict[str, str]:
    """The overlay entries of numbers that aren't the rulebook's, each with where it comes from."""
    found: dict[str, str] = {}
    for unit, factor in units:
        source = source_of(unit, factor)
        if source is not None and source.word in OURS:
            found[address(unit, factor)] = source.word
    return found

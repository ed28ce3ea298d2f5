"""What was told of a question, read by name: text in, a value or a kind sentence out."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from assistant.attacks import BadQuestion
from assistant.shared.asking import Options, amount, flag
from scenarios.game import Game
from scenarios.reading.findings import instead
from scenarios.sources import Source


def word(options: Options, key: str, default: str = "") -> str:
    """A text; a bare name is `yes`."""
    value = options.get(key)
    if value is None or value is False:
        return default
    return "yes" if value is True else str(value).strip() or default


def words(options: Options, key: str) -> list[str]:
    """Texts with commas between them."""
    return [part.strip() for part in word(options, key).split(",") if part.strip()]


def yes(options: Options, key: str, default: bool = False) -> bool:
    """Yes or no."""
    return flag(key, word(options, key, "yes" if default else "no"))


def number(options: Options, key: str, default: Fraction | int = 0) -> Fraction:
    """A number that isn't below 0."""
    found = amount(key, word(options, key, str(default)))
    if found < 0:
        raise BadQuestion(f"{key} is never below 0, but {found} is told")
    return found


def whole(options: Options, key: str, default: int = 0, least: int = 0, most: int = 999) -> int:
    """A whole number."""
    found = amount(key, word(options, key, str(default)))
    if found.denominator != 1 or not least <= found <= most:
        raise BadQuestion(f"{key} is a whole number, {least} to {most}, not {found}")
    return int(found)


def choice(options: Options, key: str, known: Iterable[str], default: str = "") -> str:
    """One of some texts; the default may be none of them."""
    found, among = word(options, key, default), list(known)
    if found not in among and found != default:
        raise BadQuestion(f"{found!r} is no {key.replace('_', ' ')}; {instead(found, among)}")
    return found


def source_of(game: Game, unit: str, factor: str) -> Source | None:
    """Where a factor of a counter comes from."""
    counter = game.units[unit].counter
    return counter.sources.get(factor) or counter.source


def needs_factor(game: Game, unit: str, factor: str) -> None:
    """BadQuestion with the overlay's entry, where a counter has no number for a factor that has no default."""
    if factor not in game.units[unit].factors and game.factors[factor].default is None:
        template = game.units[unit].template
        raise BadQuestion(
            f"the {game.factors[factor].name.lower()} of {game.units[unit].name} is unknown; an overlay can fill it: "
            f"counters.{template}.factors.{factor}"
        )

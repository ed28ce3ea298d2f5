"""Questions as the command line hands them over: options in, JSON and lines of text out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from assistant.attacks import BadQuestion
from scenarios.game import Game
from scenarios.opening import open_position
from scenarios.position import Position, from_scenario
from scenarios.reading.findings import instead
from scenarios.reading.shapes import number

Options = Mapping[str, Any]
Said = tuple[dict[str, Any], list[str]]
"""The answer for a program and for a person."""
Answerer = Callable[[Game, Options], Said]


class Question(NamedTuple):
    """A question that a game answers, as the command line and the page offer it."""

    answer: Answerer
    about: str
    """One line: what is asked."""
    names: Mapping[str, str]
    """What may be told, each with a few words; the text of a flag ends with `(yes or no)`."""


def asked_position(game: Game, options: Options) -> Position:
    """`position` (a Position or a file), or the start of `scenario`; of the only one, if none is named."""
    position = options.get("position")
    if isinstance(position, Position):
        return position
    if position:
        try:
            return open_position(game, Path(str(position)))
        except (OSError, ValueError) as error:
            raise BadQuestion(f"no position can be read from {str(position)!r}: {error}") from None
    scenario = str(options.get("scenario") or (next(iter(game.scenarios)) if len(game.scenarios) == 1 else ""))
    if scenario not in game.scenarios:
        raise BadQuestion(f"there is no scenario {scenario!r}; {instead(scenario, game.scenarios)}")
    return from_scenario(game, scenario)


def units_of(text: str) -> list[str]:
    """Units listed with commas; `3*armor_battalion` is three of them."""
    result = []
    for part in text.split(","):
        count, star, name = part.partition("*")
        if star and (not count.isdecimal() or len(count) > 2):
            raise BadQuestion(f"{part!r}: write a number up to 99 before the star, as in 3*{name or 'UNIT'}")
        result += [name] * int(count) if star else [part] * bool(part)
    return result


def flag(key: str, text: str) -> bool:
    """Yes or no."""
    if text not in ("true", "false", "yes", "no"):
        raise BadQuestion(f"{key} is yes or no, not {text!r}")
    return text in ("true", "yes")


def amount(key: str, text: str) -> Fraction:
    """A number."""
    try:
        return number(text)
    except ValueError as error:
        raise BadQuestion(f"{key}: {error}") from None


def percent(chance: Fraction) -> str:
    """A chance for a person: exact where it is short, and as a percentage."""
    exact = f"{chance}, " if chance.denominator < 10_000 else ""
    return f"{exact}{float(chance):.1%}"


def chances_json(chances: Mapping[Any, Fraction]) -> dict[str, str]:
    """Exact chances by name."""
    return {str(key): str(chance) for key, chance in chances.items()}

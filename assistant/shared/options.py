"""What a question was told, read by name: text of the command line or of the page in, a value or a kind sentence out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any

from assistant.answers import BadQuestion
from scenarios.reading.findings import instead
from scenarios.reading.shapes import number as read_number

BIG = 999
Options = Mapping[str, Any]


def flag(key: str, text: str) -> bool:
    """Yes or no."""
    if text not in ("true", "false", "yes", "no"):
        raise BadQuestion(f"{key} is yes or no, not {text!r}")
    return text in ("true", "yes")


def amount(key: str, text: str) -> Fraction:
    """A number."""
    try:
        return read_number(text)
    except ValueError as error:
        raise BadQuestion(f"{key}: {error}") from None


def given(options: Options, key: str) -> bool:
    """Whether anything was told under a name."""
    return options.get(key) not in (None, "", (), [])


def word(options: Options, key: str, default: str = "") -> str:
    """A text; a bare name is `yes`."""
    value = options.get(key)
    if value is None or value is False:
        return default
    return "yes" if value is True else str(value).strip() or default


def listed(options: Options, key: str) -> list[str]:
    """Several names, with commas between them."""
    value: Any = options.get(key)
    parts = [str(part) for part in value] if isinstance(value, list | tuple) else word(options, key).split(",")
    return [part.strip() for part in parts if part.strip()]


def yes(options: Options, key: str, default: bool = False) -> bool:
    """Yes or no; the default where nothing was told."""
    value = options.get(key)
    return value if isinstance(value, bool) else flag(key, word(options, key, "yes" if default else "no").lower())


def number(options: Options, key: str, default: Fraction | int = 0) -> Fraction:
    """A number that isn't below 0."""
    found = amount(key, word(options, key, str(default)))
    if found < 0:
        raise BadQuestion(f"{key} is never below 0, but {found} is told")
    return found


def whole(options: Options, key: str, default: int = 0, least: int = 0, most: int = BIG) -> int:
    """A whole number between two others."""
    if not given(options, key):
        return default
    found = amount(key, word(options, key))
    if found.denominator != 1 or not least <= found <= most:
        span = f"{least} or more" if most == BIG else f"{least} to {most}"
        raise BadQuestion(f"{key} is a whole number, {span}, not {options[key]}")
    return int(found)


def paired(options: Options, key: str, *, by: str = ":", example: str = "NAME:VALUE") -> dict[str, str]:
    """Names with a value each, as in israeli:2,egyptian:1."""
    value = options.get(key)
    if isinstance(value, Mapping):
        return {str(name): str(one) for name, one in value.items()}
    found: dict[str, str] = {}
    for part in listed(options, key):
        name, sign, text = part.partition(by)
        if not sign or not name or not text:
            raise BadQuestion(f"{key}: {part!r} should look like {example}")
        if found.get(name.strip(), text.strip()) != text.strip():
            raise BadQuestion(f"{key}: {name.strip()} is told twice, {found[name.strip()]} and {text.strip()}")
        found[name.strip()] = text.strip()
    return found


def counted(options: Options, key: str, known: Collection[str], *, least: int = 0, example: str) -> dict[str, int]:
    """Known names with a whole number each."""
    found = {}
    for name, text in paired(options, key, example=example).items():
        one_of(name, known, key)
        found[name] = whole({f"{key} {name}": text}, f"{key} {name}", 0, least=least)
    return found


def one_of(text: str, known: Iterable[str], what: str) -> str:
    """A word that has to be one of some."""
    among = list(known)
    if text not in among:
        raise BadQuestion(f"{what.replace('_', ' ')}: there is no {text!r}; {instead(text, among)}")
    return text


def choice(options: Options, key: str, known: Iterable[str], default: str = "") -> str:
    """One of some words; the default, which may be none of them, where nothing else was told."""
    found = word(options, key, default)
    return found if found == default else one_of(found, known, key)

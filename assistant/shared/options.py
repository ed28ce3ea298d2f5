"""What a question was told, read kindly: text of the command line or of a page, or a program's own values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from assistant.attacks import BadQuestion
from assistant.shared.asking import Options, amount, flag
from scenarios.reading.findings import instead

BIG = 999


def given(options: Options, key: str) -> bool:
    """Whether anything was told under a name."""
    return options.get(key) not in (None, "", (), [])


def yes(options: Options, key: str) -> bool:
    """Yes or no; no where nothing was told."""
    value = options.get(key)
    return value if isinstance(value, bool) else given(options, key) and flag(key, str(value).strip().lower())


def whole(options: Options, key: str, default: int, *, least: int = 0, most: int = BIG) -> int:
    """A whole number between two others."""
    if not given(options, key):
        return default
    value = amount(key, str(options[key]))
    if value.denominator != 1 or not least <= value <= most:
        span = f"{least} or more" if most == BIG else f"{least} to {most}"
        raise BadQuestion(f"{key} is a whole number, {span}, not {options[key]}")
    return int(value)


def listed(options: Options, key: str) -> list[str]:
    """Several names, with commas between them."""
    value: Any = options.get(key) or ()
    parts = value.split(",") if isinstance(value, str) else [str(part) for part in value]
    return [part.strip() for part in parts if part.strip()]


def paired(options: Options, key: str, *, by: str = ":", example: str = "NAME:VALUE") -> dict[str, str]:
    """Names with a value each, as in israeli:2,egyptian:1."""
    value = options.get(key)
    if isinstance(value, Mapping):
        return {str(name): str(one) for name, one in value.items()}
    found = {}
    for part in listed(options, key):
        name, sign, text = part.partition(by)
        if not sign or not name or not text:
            raise BadQuestion(f"{key}: {part!r} should look like {example}")
        found[name.strip()] = text.strip()
    return found


def counted(options: Options, key: str, known: Collection[str], *, least: int = 0, example: str) -> dict[str, int]:
    """Known names with a whole number each."""
    found = {}
    for name, text in paired(options, key, example=example).items():
        one_of(name, known, key)
        found[name] = whole({f"{key} {name}": text}, f"{key} {name}", 0, least=least)
    return found


def one_of(word: str, known: Collection[str], what: str) -> str:
    """A word that has to be one of some."""
    if word not in known:
        raise BadQuestion(f"{what}: there is no {word!r}; {instead(word, known)}")
    return word


def choice(options: Options, key: str, known: Collection[str], default: str = "") -> str:
    """One of some words; the default where nothing was told."""
    return one_of(str(options[key]), known, key) if given(options, key) else default

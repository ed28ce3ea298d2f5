"""The keys of `rules`, and a game as it would be without one of them: what a test that names a key rests on."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.answers import BadQuestion, Refusal
from assistant.questions import answer, from_words
from assistant.registry import questions
from assistant.rendering import as_json
from assistant.verbs import bare_words
from modgen.kit.rules import rules_page
from scenarios import load
from scenarios.game import Game
from scenarios.inputs import Formula
from scenarios.rules import shapes
from scenarios.rules.shapes import EFFECTS
from tests.packs import copy


def keys() -> set[str]:
    """Every key that a shape of `rules` adds to those it inherits, as `Walk.minimum`."""
    found = set()
    for name, kind in vars(shapes).items():
        if (
            not (inspect.isclass(kind) and dataclasses.is_dataclass(kind) and kind.__module__ == shapes.__name__)
            or name == "Use"
        ):
            continue
        inherited = {
            field.name
            for base in kind.__mro__[1:]
            if dataclasses.is_dataclass(base)
            for field in dataclasses.fields(base)
        }
        found |= {f"{name}.{field.name}" for field in dataclasses.fields(kind) if field.name not in inherited}
    return found


def without(value: Any, key: str) -> Any:
    """The same rules without a key. A record whose effect or whose needed key goes is left out."""
    kind, _, name = key.partition(".")
    if isinstance(value, Formula) or value is None:
        return value
    if isinstance(value, Mapping):
        return {one: kept for one, item in value.items() if (kept := without(item, key)) is not GONE}
    if isinstance(value, tuple):
        return tuple(kept for item in value if (kept := without(item, key)) is not GONE)
    if not dataclasses.is_dataclass(value):
        return value
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(value):
        held = getattr(value, field.name)
        if field.name == "node":
            continue
        if field.name == name and isinstance(value, getattr(shapes, kind)):
            default = field.default if field.default is not dataclasses.MISSING else field.default_factory
            if default is dataclasses.MISSING or (name in EFFECTS.get(type(value), ()) and held):
                return GONE
            changes[field.name] = default() if callable(default) else default
        else:
            kept = without(held, key)
            changes[field.name] = None if kept is GONE else kept
    return dataclasses.replace(value, **changes)


GONE = object()


def asked(game: Game, words: Sequence[str]) -> Any:
    """The JSON of an answer; of a refusal, its reasons; of a wrong question, what is said."""
    verb, *rest = words
    if verb == "page":
        return rules_page(game)
    if verb == "ask":
        verb, *rest = rest
    try:
        question = questions(game)[verb]
        return as_json(answer(question, game, from_words(question, bare_words(game, question, rest))))
    except Refusal as refusal:
        return {"refused": [{"text": text, "rule": rule} for text, rule in refusal.reasons]}
    except (BadQuestion, KeyError, AssertionError) as error:
        return {"said": str(error)}


def small(folder: Path, rules: str, more: str = "", features: str = "", tables: str = "", line: str = "") -> Game:
    """Two Wells with other rules, and perhaps more of a pack beside them: further features of hexes, tables, a line of victory."""
    pack = copy(folder)
    lines = "".join(f"  {line}\n" for line in rules.splitlines())
    more += f"source: {{mine: a test}}\ntables: {tables}\n" if tables else ""
    (pack / "rules.yaml").write_text(f"rules:\n{lines}{more}", encoding="utf-8")
    text = (pack / "map.yaml").read_text(encoding="utf-8")
    text = text.replace("    hexsides: {", f"    features: {features}\n    hexsides: {{", 1) if features else text
    text = text.replace("    victory:\n", f"    victory:\n      - {line}\n", 1) if line else text
    (pack / "map.yaml").write_text(text, encoding="utf-8")
    return load(pack)


def lacking(game: Game, key: str) -> Game:
    """The game as it would be if its rules hadn't a key."""
    return dataclasses.replace(game, rules=without(game.rules, key))


def part(found: Any, path: str) -> Any:
    """What stands at a place of an answer, as `units.0.fate`; `=0301` is the row with that value. None where there is nothing."""
    for key in path.split("."):
        if isinstance(found, list):
            if key.startswith("="):
                found = next((row for row in found if key[1:] in row.values()), None)
            else:
                found = found[int(key)] if int(key) < len(found) else None
        else:
            found = found.get(key) if isinstance(found, dict) else None
    return found

"""The keys of `rules`, and a game as it would be without one of them: what a test that names a key rests on."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.questions.answer import BadQuestion, Refusal
from assistant.questions.answering import answer_question
from assistant.questions.command_line import bare_words
from assistant.questions.question import from_words
from assistant.questions.registry import questions
from assistant.questions.rendering import answer_json
from modgen.kit.rules import rules_page
from scenarios import load
from scenarios.model.attack_inputs import Formula
from scenarios.model.game import Game
from scenarios.rules import counters, procedures, records, resources, shapes
from scenarios.rules.shapes import EFFECTS
from tests.packs import copy

SHAPES = {
    name: kind
    for module in (records, counters, procedures, resources, shapes)
    for name, kind in vars(module).items()
    if inspect.isclass(kind) and dataclasses.is_dataclass(kind) and kind.__module__ == module.__name__ and name != "Use"
}
"""The shapes of `rules`, by name."""
EFFECTS_OF: Mapping[Any, Sequence[str]] = {**EFFECTS, procedures.Stage: procedures.STAGE_EFFECTS}


def keys() -> set[str]:
    """Every key that a shape of `rules` adds to those it inherits, as `Walk.minimum`."""
    names = set()
    for name, kind in SHAPES.items():
        base_fields = {
            field.name
            for base in kind.__mro__[1:]
            if dataclasses.is_dataclass(base)
            for field in dataclasses.fields(base)
        }
        names |= {f"{name}.{field.name}" for field in dataclasses.fields(kind) if field.name not in base_fields}
    return names


def without(value: Any, key: str) -> Any:
    """The same rules without a key. A record whose effect or whose needed key goes is left out."""
    kind, _, name = key.partition(".")
    if isinstance(value, Formula) or value is None:
        return value
    if isinstance(value, Mapping):
        return {
            child_key: remainder
            for child_key, item in value.items()
            if (remainder := without(item, key)) is not REMOVED_VALUE
        }
    if isinstance(value, tuple):
        return tuple(remainder for item in value if (remainder := without(item, key)) is not REMOVED_VALUE)
    if not dataclasses.is_dataclass(value):
        return value
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(value):
        field_value = getattr(value, field.name)
        if field.name == "node":
            continue
        if field.name == name and isinstance(value, SHAPES[kind]):
            default = field.default if field.default is not dataclasses.MISSING else field.default_factory
            if default is dataclasses.MISSING or (name in EFFECTS_OF.get(type(value), ()) and field_value):
                return REMOVED_VALUE
            changes[field.name] = default() if callable(default) else default
        else:
            remainder = without(field_value, key)
            changes[field.name] = None if remainder is REMOVED_VALUE else remainder
    return dataclasses.replace(value, **changes)


REMOVED_VALUE = object()


def ask_words(game: Game, words: Sequence[str]) -> Any:
    """The JSON of an answer; of a refusal, its reasons; of a wrong question, what is said."""
    verb, *arguments = words
    if verb == "page":
        return rules_page(game)
    if verb == "ask":
        verb, *arguments = arguments
    try:
        question = questions(game)[verb]
        return answer_json(answer_question(question, game, from_words(question, bare_words(game, question, arguments))))
    except Refusal as refusal:
        return {"refused": [{"text": text, "rule": rule} for text, rule in refusal.reasons]}
    except (BadQuestion, KeyError, AssertionError) as error:
        return {"said": str(error)}


def small(folder: Path, rules: str, extra_text: str = "", features: str = "", tables: str = "", line: str = "") -> Game:
    """Two Wells with other rules, and perhaps more of a pack beside them: further features of hexes, tables, a line of victory."""
    pack = copy(folder)
    lines = "".join(f"  {line}\n" for line in rules.splitlines())
    extra_text += f"source: {{mine: a test}}\ntables: {tables}\n" if tables else ""
    (pack / "rules.yaml").write_text(f"rules:\n{lines}{extra_text}", encoding="utf-8")
    text = (pack / "map.yaml").read_text(encoding="utf-8")
    text = text.replace("    hexsides: {", f"    features: {features}\n    hexsides: {{", 1) if features else text
    text = text.replace("    victory:\n", f"    victory:\n      - {line}\n", 1) if line else text
    (pack / "map.yaml").write_text(text, encoding="utf-8")
    return load(pack)


def lacking(game: Game, key: str) -> Game:
    """The game as it would be if its rules hadn't a key."""
    return dataclasses.replace(game, rules=without(game.rules, key))


def part(node: Any, path: str) -> Any:
    """What stands at a place of an answer, as `units.0.fate`; `=0301` is the row with that value. None where there is nothing."""
    for key in path.split("."):
        if isinstance(node, list):
            if key.startswith("="):
                node = next((row for row in node if key[1:] in row.values()), None)
            else:
                node = node[int(key)] if int(key) < len(node) else None
        else:
            node = node.get(key) if isinstance(node, dict) else None
    return node

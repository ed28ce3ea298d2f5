"""A battle in a few words of the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.attacks import BadQuestion, Value, unit_fields
from scenarios.attacks import Attack, Input, input_kind
from scenarios.game import Game
from scenarios.reading.findings import instead
from scenarios.reading.shapes import number

TOLD = re.compile(r":(?=[A-Za-z_])")
Groups = dict[str, list[dict[str, Value]]]


def read_words(game: Game, attack_id: str, words: Sequence[str]) -> tuple[Groups, dict[str, Value]]:
    """GROUP=UNIT+STATE:INPUT=VALUE,... and INPUT=VALUE words as groups and inputs."""
    if attack_id not in game.attacks:
        raise BadQuestion(f"{game.id} has no attack {attack_id!r}; {instead(attack_id, game.attacks)}")
    attack = game.attacks[attack_id]
    groups: Groups = {}
    inputs: dict[str, Value] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if key in attack.groups and equals:
            groups.setdefault(key, []).extend(_unit(game, attack, key, part) for part in text.split(",") if part)
        elif key in attack.inputs:
            inputs[key] = read_answer(game, key, attack.inputs[key], text if equals else "true")
        else:
            known = [*attack.groups, *attack.inputs]
            raise BadQuestion(f"{attack_id} knows no {key!r}; {instead(key, known)}")
    return groups, inputs


def _unit(game: Game, attack: Attack, group: str, text: str) -> dict[str, Value]:
    """One unit: its id, then +STATE and :INPUT=VALUE as often as needed."""
    head, *told = TOLD.split(text)
    unit, *states = head.split("+")
    shapes = attack.groups[group].inputs
    more: dict[str, Value] = {}
    for one in told:
        key, equals, value = one.partition("=")
        if key not in shapes:
            raise BadQuestion(f"nothing called {key!r} is asked of {group}; {instead(key, shapes)}")
        more[key] = read_answer(game, key, shapes[key], value if equals else "true")
    return {**unit_fields(game, unit, states), **more}


def read_answer(game: Game, key: str, shape: Input, text: str) -> Value:
    """The answer to an input, from its text."""
    kind = input_kind(shape, tuple(game.terrain))
    if kind.base == "number":
        try:
            return number(text)
        except ValueError as error:
            raise BadQuestion(f"{key}: {error}") from None
    if kind.base == "flag":
        if text not in ("true", "false", "yes", "no"):
            raise BadQuestion(f"{key} is yes or no, not {text!r}")
        return text in ("true", "yes")
    return text

"""What the commands of the assistant share: words into inputs, the answer on the terminal, the help of a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from assistant.questions.answer import Answer, BadQuestion, Refusal
from assistant.questions.answering import answer_question
from assistant.questions.question import PLACES, SAVES, Question, from_words, help_rows
from assistant.questions.registry import questions
from assistant.questions.rendering import answer_json, as_lines
from assistant.questions.verbs import VERBS
from assistant.unofficial import unofficial_line
from scenarios.command import print_json, wrong
from scenarios.model.game import Game
from scenarios.opening_positions import open_position
from scenarios.reading.findings import PackError
from scenarios.vassal import MAX_BYTES

PACK_QUESTIONS: Mapping[str, str] = {
    "move": "movement; add `rules.movement`",
    "supply": "supply; add `rules.supply`",
    "retreat": "retreats; add `rules.retreat`",
    "stack": "stacking; add `rules.stacking`",
    "los": "line of sight; add `rules.sight`",
    "odds": "combat; add `attacks`",
    "score": "victory; add `victory` to a scenario, or `rules.victory`",
    "turn": "turns; add `sequence`, or `rules.turn`",
}
"""The verbs that a pack answers by declaring rules, and what it lacks where it doesn't declare them."""


def missing(game: Game, name: str) -> str:
    """Return the message for a verb that a pack doesn't answer."""
    if name in PACK_QUESTIONS:
        return f"{game.title}: this pack has no rules for {PACK_QUESTIONS[name]} (docs/packs.md)"
    game_verbs = [verb for verb in VERBS if verb in questions(game)]
    return f"{game.title} can't answer `assistant {name}`; its commands are `assistant {'`, `'.join(game_verbs)}`"


def say(
    game: Game, question: Question, words: Sequence[str], as_json: bool, max_bytes: int = MAX_BYTES, **extra_inputs: Any
) -> None:
    """Ask and print. A wrong question prints a sentence and exits with code 2. A save may unpack to `max_bytes`."""
    try:
        question_inputs = {**extra_inputs, **from_words(question, bare_words(game, question, words))}
        result = answer_question(question, game, open_positions(game, question_inputs, max_bytes))
    except PackError as error:
        raise wrong("\n".join(map(str, error.findings))) from None
    except BadQuestion as error:
        refusal_preface = Answer(question.name, game.id, error.preface)
        if as_json and isinstance(error, Refusal):
            reasons = [{"text": text, "rule": rule} for text, rule in error.reasons]
            print_json({**answer_json(refusal_preface), "refused": reasons})
        elif error.preface:
            click.echo("\n".join(as_lines(refusal_preface)), err=True)
        raise wrong(str(error)) from None
    if as_json:
        print_json(answer_json(result))
    else:
        click.echo("\n".join(as_lines(result, name_entries=partial(unofficial_line, game))))
    if result.is_failure:
        raise SystemExit(1)


def open_positions(game: Game, inputs: dict[str, Any], max_bytes: int) -> dict[str, Any]:
    """Return the inputs with the position itself instead of its file. A file that can't be opened stays: the answer
    reports it."""
    file = inputs.get("position")
    if not isinstance(file, str | Path) or not file:
        return inputs
    try:
        return {**inputs, "position": open_position(game, Path(file), max_bytes)}
    except (OSError, ValueError, PackError):
        return inputs


MAP_INPUTS = ("scenario", "position", "map")
"""The inputs that select the map of a question."""


def bare_words(game: Game, question: Question, words: Sequence[str]) -> list[str]:
    """Return the words, with bare words turned into inputs: a word that names a scenario, and a first word that is
    one of the choices. A question may have a flag of the same name.

    Where the inputs already select a map and bare words may be places, such a word is a place: `S-7` is a hex as
    well as a scenario.
    """
    first = question.input(question.positional[0]) if question.positional else None
    choices = first.words(game) if first is not None and first.kind == "choice" else ()
    scenarios = game.scenarios if question.input("scenario") is not None else {}
    takes_places = any(
        input_ is not None and input_.kind in PLACES for input_ in map(question.input, question.positional)
    )
    has_map = any(_names_map(question, word) for word in words)
    result: list[str] = []
    for previous_word, word in zip(("", *words), words, strict=False):
        if previous_word.startswith("--") and "=" not in previous_word:
            result.append(word)
        elif word in scenarios and not (takes_places and has_map):
            result.append(f"scenario={word}")
            has_map = True
        else:
            result.append(f"{question.positional[0]}={word}" if word in choices and not result else word)
    return result


def _names_map(question: Question, word: str) -> bool:
    """Whether a word of the command line selects a map: `--map`, `scenario=S-5`, a save."""
    name, equals, _ = word.removeprefix("--").partition("=")
    option = question.input(name) if equals or word.startswith("--") else None
    return option.name in MAP_INPUTS if option is not None else Path(word).suffix.lower() in SAVES


COMMON = 5
"""An input that so many questions share is listed once, at the end."""


def listed_lines(game: Game, game_questions: Mapping[str, Question]) -> list[str]:
    """Return the list of a game's questions: what each is, and its inputs; those that most share at the end."""
    rows = {name: help_rows(question, game) for name, question in game_questions.items()}
    counts = Counter(row for question_rows in rows.values() for row in dict.fromkeys(question_rows))
    common_rows = [row for row, count in counts.items() if count >= COMMON]
    lines = []
    for name, question in game_questions.items():
        own_rows = [row for row in rows[name] if row not in common_rows]
        lines += [f"{name}: {question.about}", *_row_lines(own_rows)]
    if common_rows:
        lines += ["", "Most of them also take:", *_row_lines(common_rows)]
    return [*lines, "", f"All inputs of one question: assistant ask {game.id} QUESTION --help"]


def _row_lines(rows: Sequence[tuple[str, str]]) -> list[str]:
    width = max((len(usage) for usage, _ in rows), default=0)
    return [f"    {usage:{width}}  {text}".rstrip() for usage, text in rows]


def help_lines(game: Game, question: Question) -> list[str]:
    """Return a question with its inputs, for people."""
    rows = help_rows(question, game)
    width = max((len(usage) for usage, _ in rows), default=0)
    command = f"{question.name} {game.id}" if question.name in VERBS else f"ask {game.id} {question.name}"
    lines = [f"assistant {command} [NAME=VALUE | --NAME VALUE]...", "", f"  {question.about}", ""]
    return lines + [f"  {usage:{width}}  {right}" for usage, right in rows]

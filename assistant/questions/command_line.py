"""The verbs of the command line, the same in every game: `assistant move GAME ...`. Their options are the question's
inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scenarios.command import json_option, limit_option, load_game, overlay_options, print_json, wrong
from scenarios.vassal import MAX_BYTES

if TYPE_CHECKING:
    from assistant.questions.question import Question
    from scenarios.model.game import Game

VERBS: Mapping[str, str] = {
    "odds": "An attack: the odds, every modifier, the chance of each result.",
    "los": "Sight between two places, all that one place sees, or every pair of the map.",
    "move": "Where a unit can go and at what cost; what stops it.",
    "supply": "Who is in supply, by which way, and what would cut it.",
    "retreat": "Where units can go back to, and what it costs them.",
    "stack": "Who stands together, and whether they may.",
    "morale": "The chance that units recover.",
    "score": "The points of a position, and who wins.",
    "turn": "What a turn brings.",
    "air": "Missions in the air.",
    "table": "A table: a cell, a column's chances, a row, or the whole.",
    "roll": "A throw of dice, or on a table.",
    "rules": "The rules that a few words mean, with numbers, sources and what changes them.",
    "scenario": "A scenario's card: set-up, entry, morale, special rules, victory.",
}
PACK_QUESTIONS: Mapping[str, str] = {
    "move": "how units move; add `rules.movement`",
    "supply": "who is in supply; add `rules.supply`",
    "retreat": "where units retreat to; add `rules.retreat`",
    "stack": "how many may stand together; add `rules.stacking`",
    "los": "who sees whom; add `rules.sight`",
    "odds": "how units fight; add `attacks`",
    "score": "what wins; add `victory` to a scenario, or `rules.victory`",
    "turn": "what a turn brings; add `sequence`, or `rules.turn`",
}
"""The verbs that a pack answers by declaring rules, and what it lacks where it doesn't declare them."""
UNKNOWN = {"ignore_unknown_options": True, "allow_interspersed_args": True}


def verb_command(name: str) -> click.Command:
    """Return the command of a verb."""

    @click.command(name, help=VERBS[name], short_help=VERBS[name], context_settings=UNKNOWN, add_help_option=False)
    @click.argument("game", required=False)
    @click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[NAME=VALUE | --NAME VALUE]...")
    @click.option("-h", "--help", "helped", is_flag=True, help="The inputs of this question in GAME.")
    @limit_option
    @overlay_options
    @json_option
    @click.pass_context
    def verb(
        ctx: click.Context,
        /,
        game: str | None,
        words: tuple[str, ...],
        helped: bool,
        most: int,
        overlays: tuple[Path, ...],
        **switches: bool,
    ) -> None:
        if game is None:
            click.echo(ctx.get_help())
            if not helped:
                ctx.exit(2)
            return
        from assistant.questions.registry import questions

        no_overlay, as_json = switches["no_overlay"], switches["as_json"]
        loaded_game = load_game(game, overlays, no_overlay)
        question = questions(loaded_game).get(name)
        if name == "odds" and words and not helped and (strengths := _strengths(loaded_game, words[0])) is not None:
            question = strengths
        elif name == "odds" and words and _is_declared_attack(loaded_game, words[0], question):
            from assistant.odds import attack_question

            question = attack_question(loaded_game)
        if question is None:
            raise wrong(missing(loaded_game, name))
        if helped:
            click.echo("\n".join(help_lines(loaded_game, question)))
        else:
            say(loaded_game, question, words, as_json, most)

    return verb


def _strengths(game: Game, word: str) -> Question | None:
    """Return the question of two bare strengths, if a word gives them."""
    from assistant.tables import STRENGTHS, are_strengths

    return STRENGTHS if are_strengths(game, word) else None


def _is_declared_attack(game: Game, word: str, question: Question | None) -> bool:
    """Whether the words name a declared attack that the game's own question leaves to the pack."""
    from assistant.odds import is_attack

    return is_attack(game, word) and question is not None and "attack" not in question.positional


def missing(game: Game, name: str) -> str:
    """Return the message for a verb that a pack doesn't answer."""
    if name in PACK_QUESTIONS:
        return f"{game.title}: this pack doesn't say {PACK_QUESTIONS[name]} (docs/packs.md)"
    from assistant.questions.registry import questions

    game_verbs = [verb for verb in VERBS if verb in questions(game)]
    return f"{game.title} has no answer to `assistant {name}`; ask by a command: `assistant {'`, `'.join(game_verbs)}`"


def say(
    game: Game, question: Question, words: Sequence[str], as_json: bool, max_bytes: int = MAX_BYTES, **extra_inputs: Any
) -> None:
    """Ask and print. A wrong question prints a sentence and exits with code 2. A save may unpack to `max_bytes`."""
    from assistant.questions.answer import Answer, BadQuestion, Refusal
    from assistant.questions.answering import answer
    from assistant.questions.question import from_words
    from assistant.questions.rendering import as_json as json_of
    from assistant.questions.rendering import as_lines
    from scenarios import PackError

    try:
        question_inputs = {**extra_inputs, **from_words(question, bare_words(game, question, words))}
        result = answer(question, game, open_positions(game, question_inputs, max_bytes))
    except PackError as error:
        raise wrong("\n".join(map(str, error.findings))) from None
    except BadQuestion as error:
        refusal_preface = Answer(question.name, game.id, error.preface)
        if as_json and isinstance(error, Refusal):
            reasons = [{"text": text, "rule": rule} for text, rule in error.reasons]
            print_json({**json_of(refusal_preface), "refused": reasons})
        elif error.preface:
            click.echo("\n".join(as_lines(refusal_preface)), err=True)
        raise wrong(str(error)) from None
    if as_json:
        print_json(json_of(result))
    else:
        click.echo("\n".join(as_lines(result)))
    if result.is_failure:
        raise SystemExit(1)


def open_positions(game: Game, inputs: dict[str, Any], max_bytes: int) -> dict[str, Any]:
    """Return the inputs with the position itself instead of its file. A file that can't be opened stays: the answer
    reports it."""
    from scenarios import PackError
    from scenarios.opening_positions import open_position

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
    from assistant.questions.question import PLACES

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
    from assistant.questions.question import SAVES

    name, equals, _ = word.removeprefix("--").partition("=")
    option = question.input(name) if equals or word.startswith("--") else None
    return option.name in MAP_INPUTS if option is not None else Path(word).suffix.lower() in SAVES


def listed_lines(game: Game, name: str, question: Question) -> list[str]:
    """Return a list entry of a question: what it is, and its inputs."""
    from assistant.questions.question import help_rows

    rows = help_rows(question, game)
    width = max((len(usage) for usage, _ in rows), default=0)
    return [f"{name}: {question.about}", *(f"    {usage:{width}}  {right}".rstrip() for usage, right in rows)]


def help_lines(game: Game, question: Question) -> list[str]:
    """Return a question with its inputs, for people."""
    from assistant.questions.question import help_rows

    rows = help_rows(question, game)
    width = max((len(usage) for usage, _ in rows), default=0)
    command = f"{question.name} {game.id}" if question.name in VERBS else f"ask {game.id} {question.name}"
    lines = [f"assistant {command} [NAME=VALUE | --NAME VALUE]...", "", f"  {question.about}", ""]
    return lines + [f"  {usage:{width}}  {right}" for usage, right in rows]

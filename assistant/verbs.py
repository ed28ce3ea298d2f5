"""The verbs of the command line, the same in every game: `assistant move GAME ...`. Their flags are the question's inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scenarios.command import json_option, limit_option, load_game, overlay_options, print_json, wrong
from scenarios.vassal import MEGABYTE, MOST

if TYPE_CHECKING:
    from assistant.questions import Question
    from scenarios.game import Game

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
}
DECLARED: Mapping[str, str] = {
    "move": "how units move; add `rules.movement`",
    "supply": "who is in supply; add `rules.supply`",
    "retreat": "where units retreat to; add `rules.retreat`",
    "stack": "how many may stand together; add `rules.stacking`",
}
"""The verbs that a pack answers by declaring rules, and what it lacks where it doesn't."""
UNKNOWN = {"ignore_unknown_options": True, "allow_interspersed_args": True}


def verb_command(name: str, older: click.Command | None = None) -> click.Command:
    """The command of a verb. `older` answers for games whose question has no typed inputs yet."""

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
        from assistant.parts import has, questions
        from assistant.questions import Question

        no_overlay, as_json = switches["no_overlay"], switches["as_json"]
        loaded = load_game(game, overlays, no_overlay)
        if name == "odds" and _bare_strengths(loaded, words, as_json):
            return
        question = questions(loaded).get(name)
        if name == "odds" and words and _declared(loaded, words[0], question):
            from assistant.attack import attack_question

            question = attack_question(loaded)
        if isinstance(question, Question):
            if helped:
                click.echo("\n".join(help_lines(loaded, question)))
            else:
                say(loaded, question, words, as_json, most)
        elif older is not None and (question is not None or has(loaded, name)):
            switched = [*["--help"] * helped, *["--json"] * as_json, "--limit", str(most // MEGABYTE)]
            arguments = [*switched, *_overlays(overlays, no_overlay), game, *words]
            with older.make_context(name, arguments, parent=ctx.parent) as inner:
                older.invoke(inner)
        else:
            raise wrong(missing(loaded, name))

    return verb


def _bare_strengths(game: Game, words: Sequence[str], as_json: bool) -> bool:
    """Answer two bare strengths, or a column, on the game's table of odds; False if the words are something else."""
    from assistant.lookup import bare
    from assistant.saying import say as printed
    from assistant.text import lookup_text

    plain = [word for word in words if not word.startswith("--")]
    try:
        found = bare(game, plain)
    except ValueError as error:
        raise wrong(str(error)) from None
    if found is not None:
        if len(plain) < len(words):
            flag = next(word for word in words if word.startswith("--"))
            raise wrong(f"{flag} doesn't go with bare strengths; leave it out")
        printed(lambda: lookup_text(found), lambda: found, as_json)
    return found is not None


def _declared(game: Game, word: str, question: object) -> bool:
    """Whether the words name a declared attack that the game's own question leaves to the pack."""
    from assistant.attack import is_attack
    from assistant.parts import has

    return is_attack(game, word) and not has(game, "odds") and question is not None


def _overlays(overlays: Sequence[Path], no_overlay: bool) -> list[str]:
    return [word for path in overlays for word in ("--overlay", str(path))] + ["--no-overlay"] * no_overlay


def missing(game: Game, name: str) -> str:
    """What to say where a pack doesn't answer a verb."""
    if name in DECLARED:
        return f"{game.title}: this pack doesn't say {DECLARED[name]} (docs/packs.md)"
    from assistant.parts import answers

    return f"{game.title} has no answer to `assistant {name}`; {answers(game)}"


def say(game: Game, question: Question, words: Sequence[str], as_json: bool, most: int = MOST, **told: Any) -> None:
    """Ask and print; a wrong question gets a sentence and exit code 2. A save may unpack to `most` bytes."""
    from assistant.answers import BadQuestion, Refusal
    from assistant.questions import answer, from_words
    from assistant.rendering import as_json as json_of
    from assistant.rendering import as_lines
    from assistant.saying import opened
    from scenarios import PackError

    try:
        asked = {**told, **from_words(question, bare_scenario(game, question, words))}
        found = answer(question, game, opened(game, asked, most))
    except PackError as error:
        raise wrong("\n".join(map(str, error.findings))) from None
    except Refusal as refusal:
        if as_json:
            print_json({"game": game.id, "question": question.name, "refused": [{"text": refusal.text, "rule": refusal.rule}]})
        raise wrong(str(refusal)) from None
    except BadQuestion as error:
        raise wrong(str(error)) from None
    if as_json:
        print_json(json_of(found))
    else:
        click.echo("\n".join(as_lines(found)))


def bare_scenario(game: Game, question: Question, words: Sequence[str]) -> list[str]:
    """The words, where a bare one that names a scenario tells it."""
    if question.input("scenario") is None:
        return list(words)
    return [f"scenario={word}" if word in game.scenarios else word for word in words]


def help_lines(game: Game, question: Question) -> list[str]:
    """A question with its inputs, for people."""
    from assistant.questions import help_rows

    rows = help_rows(question, game)
    wide = max((len(left) for left, _ in rows), default=0)
    asked = f"{question.name} {game.id}" if question.name in VERBS else f"ask {game.id} {question.name}"
    lines = [f"assistant {asked} [NAME=VALUE | --NAME VALUE]...", "", f"  {question.about}", ""]
    return lines + [f"  {left:{wide}}  {right}" for left, right in rows]

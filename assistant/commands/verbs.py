"""The verbs on the command line: `assistant move GAME ...`. Their options are the question's inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from assistant.questions.command_line import help_lines, missing, say
from assistant.questions.question import Question
from assistant.questions.registry import questions
from assistant.questions.verbs import VERBS
from scenarios.command import json_option, limit_option, load_game, overlay_options, wrong
from scenarios.model.game import Game

UNKNOWN = {"ignore_unknown_options": True, "allow_interspersed_args": True}


FindQuestion = Callable[[Game, str, Sequence[str]], Question | None]
"""From a game, a verb and its words to the question that they ask."""


def named_question(game: Game, name: str, words: Sequence[str]) -> Question | None:
    """Return the game's question of that name."""
    return questions(game).get(name)


def verb_command(name: str, find_question: FindQuestion = named_question) -> click.Command:
    """Return the command of a verb."""

    @click.command(name, help=VERBS[name], short_help=VERBS[name], context_settings=UNKNOWN, add_help_option=False)
    @click.argument("game", required=False)
    @click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[NAME=VALUE | --NAME VALUE]...")
    @click.option("-h", "--help", "helped", is_flag=True, help="Show the inputs of this question in GAME.")
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
        no_overlay, as_json = switches["no_overlay"], switches["as_json"]
        loaded_game = load_game(game, overlays, no_overlay)
        question = find_question(loaded_game, name, () if helped else words)
        if question is None:
            raise wrong(missing(loaded_game, name))
        if helped:
            click.echo("\n".join(help_lines(loaded_game, question)))
        else:
            say(loaded_game, question, words, as_json, most)

    return verb

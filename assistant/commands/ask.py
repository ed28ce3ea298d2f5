"""`assistant ask`: any question of a game, with its inputs and its schema."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.questions.command_line import help_lines, listed_lines, say
from assistant.questions.keys import answer_schema
from assistant.questions.question import help_rows, question_schema
from assistant.questions.registry import questions
from scenarios.command import json_option, limit_option, load_game, overlay_options, print_json, wrong
from scenarios.reading.findings import suggest

DRAFT = "https://json-schema.org/draft/2020-12/schema"


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.argument("game", required=False)
@click.argument("question", required=False)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[NAME=VALUE | --NAME VALUE]...")
@click.option("-h", "--help", "helped", is_flag=True, help="Show this help, or the inputs of a QUESTION.")
@click.option("--schema", is_flag=True, help="Print the questions and answers as JSON Schema.")
@limit_option
@overlay_options
@json_option
@click.pass_context
def ask(
    ctx: click.Context,
    game: str | None,
    question: str | None,
    words: tuple[str, ...],
    helped: bool,
    schema: bool,
    most: int,
    overlays: tuple[Path, ...],
    no_overlay: bool,
    as_json: bool,
) -> None:
    """Ask any question of a game, such as forecast, refit, entry or mobilization.

    Without a QUESTION, list all questions with their inputs.
    """
    if game is None or (helped and question is None):
        click.echo(ctx.get_help())
        ctx.exit(0 if helped else 2)
    loaded_game = load_game(game, overlays, no_overlay)
    game_questions = questions(loaded_game)
    if schema:
        schemas = {name: question_schema(game_question, loaded_game) for name, game_question in game_questions.items()}
        print_json({"$schema": DRAFT, "questions": schemas, "answer": answer_schema()})
    elif question is None and as_json:
        summaries = {
            name: {"about": game_question.about, "names": dict(help_rows(game_question, loaded_game))}
            for name, game_question in game_questions.items()
        }
        print_json({"game": loaded_game.id, "questions": summaries})
    elif question is None:
        click.echo("\n".join(listed_lines(loaded_game, game_questions)))
    elif question not in game_questions:
        raise wrong(f"{loaded_game.title} has no answer to {question!r}; {suggest(question, game_questions)}")
    elif helped:
        click.echo("\n".join(help_lines(loaded_game, game_questions[question])))
    else:
        say(loaded_game, game_questions[question], words, as_json, most)

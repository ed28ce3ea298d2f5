"""The `assistant` command: the verbs, `ask` for any question of a game, `open` for a save, and `serve` for the page."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.page.cli import serve
from assistant.questions.command_line import VERBS, help_lines, listed_lines, say, verb_command
from scenarios.command import Suggesting, json_option, limit_option, load_game, overlay_options, print_json, run, wrong
from scenarios.reading.findings import suggest

FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
DRAFT = "https://json-schema.org/draft/2020-12/schema"


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.argument("game", required=False)
@click.argument("question", required=False)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[NAME=VALUE | --NAME VALUE]...")
@click.option("-h", "--help", "helped", is_flag=True, help="This help; of a QUESTION, its inputs.")
@click.option("--schema", is_flag=True, help="The questions and answers as JSON Schema.")
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
    """Any question that a game answers: forecast, refit, entry, mobilization ...

    Without a QUESTION: the list of them, with what each may be told.
    """
    if game is None or (helped and question is None):
        click.echo(ctx.get_help())
        ctx.exit(0 if helped else 2)
    from assistant.questions.question import help_rows
    from assistant.questions.question import schema as schema_of
    from assistant.questions.registry import questions

    loaded_game = load_game(game, overlays, no_overlay)
    game_questions = questions(loaded_game)
    if schema:
        from assistant.questions.keys import schema as answer_schema

        schemas = {name: schema_of(game_question, loaded_game) for name, game_question in game_questions.items()}
        print_json({"$schema": DRAFT, "questions": schemas, "answer": answer_schema()})
    elif question is None and as_json:
        summaries = {
            name: {"about": game_question.about, "names": dict(help_rows(game_question, loaded_game))}
            for name, game_question in game_questions.items()
        }
        print_json({"game": loaded_game.id, "questions": summaries})
    elif question is None:
        click.echo(
            "\n".join(
                line
                for name, game_question in game_questions.items()
                for line in listed_lines(loaded_game, name, game_question)
            )
        )
    elif question not in game_questions:
        raise wrong(f"{loaded_game.title} has no answer to {question!r}; {suggest(question, game_questions)}")
    elif helped:
        click.echo("\n".join(help_lines(loaded_game, game_questions[question])))
    else:
        say(loaded_game, game_questions[question], words, as_json, most)


@click.command("open")
@click.argument("save", type=FILE, metavar="FILE.vsav|FILE.vlog|FILE.yaml")
@click.option("--game", default="", help="The game, where the save is of a pack of your own.")
@click.option("--write", default="", metavar="FILE", help="Write it as a position file.")
@click.option(
    "--map",
    "table",
    type=FILE,
    metavar="TABLE",
    help="For a save of somebody else's module: what modgen import --for wrote.",
)
@limit_option
@overlay_options
@json_option
def open_(
    save: Path,
    game: str,
    write: str,
    table: Path | None,
    most: int,
    overlays: tuple[Path, ...],
    no_overlay: bool,
    as_json: bool,
) -> None:
    """What a save or log of VASSAL shows: the scenario, the turn, and which piece stands where.

    Any command with --position takes the save as it is. A save of somebody else's module needs a table between that
    module and the pack (docs/import.md): named with --map, or lying beside the save.
    """
    from assistant.save_summary import OPEN
    from scenarios import PackError, shipped_games
    from scenarios.opening_positions import game_of, open_position

    try:
        pack_name = game or game_of(save, most, table)
        if not game and pack_name not in shipped_games():
            raise wrong(f"this save is of {pack_name!r}, which doesn't come with Mitla; name its pack: --game FOLDER")
        loaded_game = load_game(pack_name, overlays, no_overlay)
        position = save if table is None else open_position(loaded_game, save, most, table)
    except (ValueError, PackError) as error:
        raise wrong(str(error)) from None
    say(loaded_game, OPEN, (), as_json, most, position=position, write=write)


@click.group(cls=Suggesting, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="mitla", prog_name="assistant")
def cli() -> None:
    """Answers at the table: odds, sight, supply, moves, morale, points, throws and table results.

    GAME is the id of a pack (see `modgen list`) or a folder with a pack of your own. `assistant VERB GAME --help` lists what a
    question may be told there, `assistant ask GAME` all questions of a game.
    """


for command in (*(verb_command(name) for name in VERBS), ask, open_, serve):
    cli.add_command(command)


def main() -> None:
    """Run `assistant`."""
    run(cli)


if __name__ == "__main__":
    main()

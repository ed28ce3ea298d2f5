"""The `assistant` command."""

from __future__ import annotations

from pathlib import Path

import click

from scenarios.command import Suggesting, json_option, load_game, overlay_options, print_json, run, wrong


@click.group(cls=Suggesting, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="mitla", prog_name="assistant")
def cli() -> None:
    """Answers at the table: odds and table results.

    GAME is the id of a pack (see `modgen list`) or a folder with a pack of your own.
    """


@cli.command()
@click.argument("game")
@click.argument("table", required=False)
@click.option("--row", help="The row: a name, or a die roll.")
@click.option("--column", help="The column: its label, or a number (odds such as 7:2, a percentage, a strength).")
@click.option("--shift", type=int, default=0, help="Columns to the right (or left, if negative).")
@click.option("--die", "modifier", type=int, default=0, help="What is added to the die.")
@overlay_options
@json_option
def table(
    game: str,
    table: str | None,
    row: str | None,
    column: str | None,
    shift: int,
    modifier: int,
    overlays: tuple[Path, ...],
    no_overlay: bool,
    as_json: bool,
) -> None:
    """Look something up in a table; without a row, the chance of each result."""
    from assistant.lookup import lookup
    from assistant.text import lookup_text

    loaded = load_game(game, overlays, no_overlay)
    if table is None:
        names = {key: held.title for key, held in loaded.tables.items()}
        if as_json:
            print_json({"game": loaded.id, "tables": names})
        else:
            click.echo(
                "\n".join(f"{key}: {title}" for key, title in names.items()) or f"{loaded.title} has no tables yet"
            )
        return
    try:
        answer = lookup(loaded, table, row, column, shift, modifier)
    except ValueError as error:
        raise wrong(str(error)) from None
    if as_json:
        print_json(answer)
    else:
        click.echo("\n".join(lookup_text(answer)))


@cli.command()
@click.argument("game")
@click.argument("attack")
@click.argument("words", nargs=-1, metavar="[GROUP=UNIT,UNIT+STATE... INPUT=VALUE]...")
@overlay_options
@json_option
def odds(
    game: str, attack: str, words: tuple[str, ...], overlays: tuple[Path, ...], no_overlay: bool, as_json: bool
) -> None:
    """The odds of an attack, with every modifier and the chance of each result.

    \b
    A group is given by its units, each with its states and what is told of it:
      assistant odds GAME assault attackers=cars,infantry_red+dry defenders=infantry_blue+dug_in terrain=hill
      assistant odds GAME fire attackers=t_62:range=4,t_62:range=5 defenders=m60a1
    """
    from assistant.attacks import BadQuestion
    from assistant.attacks import odds as evaluate
    from assistant.text import odds_json, odds_text
    from assistant.words import read_words

    loaded = load_game(game, overlays, no_overlay)
    try:
        groups, inputs = read_words(loaded, attack, words)
        answer = evaluate(loaded, attack, groups, inputs)
    except BadQuestion as error:
        raise wrong(str(error)) from None
    if as_json:
        print_json(odds_json(loaded, answer))
    else:
        click.echo("\n".join(odds_text(loaded, answer)))


def main() -> None:
    """Run `assistant`."""
    run(cli)


if __name__ == "__main__":
    main()

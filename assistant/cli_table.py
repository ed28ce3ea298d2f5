"""The commands that need no position: tables, throws, scenarios."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from assistant.saying import say
from scenarios.command import Command, json_option, load_game, overlay_options, wrong


def column_options(command: Command) -> Command:
    """Which column of a table, and how the column and the die are changed."""
    for option in (
        click.option("--die", "modifier", type=int, default=0, help="What is added to the die."),
        click.option("--shift", type=int, default=0, help="Columns to the right (or left, if negative)."),
        click.option(
            "--column", help="The column: its label, or a number (odds such as 7:2, a percentage, a strength)."
        ),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("game")
@click.argument("table", required=False)
@click.argument("words", nargs=-1, metavar="[COLUMN [ROW]]")
@click.option("--row", help="The row: a name, or a die roll.")
@column_options
@overlay_options
@json_option
def table(
    game: str,
    table: str | None,
    words: tuple[str, ...],
    row: str | None,
    column: str | None,
    shift: int,
    modifier: int,
    overlays: tuple[Path, ...],
    no_overlay: bool,
    as_json: bool,
) -> None:
    """Look something up in a table: without a row, the chance of each result; without a column, the whole row or table."""
    from assistant.lookup import lookup, part, placed
    from assistant.text import lookup_text, part_text

    loaded = load_game(game, overlays, no_overlay)
    if table is None:
        names = {key: held.title for key, held in loaded.tables.items()}
        listed = [f"{key}: {title}" for key, title in names.items()] or [f"{loaded.title} has no tables yet"]
        say(lambda: listed, lambda: {"game": loaded.id, "tables": names}, as_json)
        return
    try:
        row, column = placed(loaded, table, words, row, column)
        whole = None if shift or modifier else part(loaded, table, row, column)
        answer = whole or lookup(loaded, table, row, column, shift, modifier)
    except ValueError as error:
        raise wrong(str(error)) from None
    say(lambda: part_text(loaded, answer) if whole else lookup_text(answer), lambda: answer, as_json)


@click.command()
@click.argument("game")
@click.argument("what", metavar="TABLE|DICE")
@click.argument("label", required=False, metavar="[COLUMN]")
@column_options
@click.option("--times", type=int, default=1, help="How often.")
@click.option("--seed", type=int, help="A number: the same one gives the same throws.")
@click.option("--log", type=click.Path(path_type=Path, dir_okay=False), help="A file that keeps every throw.")
@overlay_options
@json_option
def roll(
    game: str,
    what: str,
    label: str | None,
    column: str | None,
    shift: int,
    modifier: int,
    times: int,
    seed: int | None,
    log: Path | None,
    overlays: tuple[Path, ...],
    no_overlay: bool,
    as_json: bool,
) -> None:
    """Throw dice, such as 2d6, or throw on a table.

    With a seed and a log the next call goes on where the last one stopped, and whoever has the seed can throw it all
    again.
    """
    from assistant.dicelog import logged, note, roll_text, thrown_before
    from assistant.dicelog import roll as thrown

    loaded = load_game(game, overlays, no_overlay)
    try:
        before = [] if log is None else logged(log)
        answer = thrown(
            loaded, what, seed=seed, times=times, column=column or label or "", shift=shift, modifier=modifier,
            skip=lambda dice: thrown_before(before, seed, dice),
        )  # fmt: skip
        if log is not None:
            note(log, answer)
    except ValueError as error:
        raise wrong(str(error)) from None
    except OSError as error:
        raise wrong(f"the log {log} can't be written: {error.strerror}; name another with --log") from None
    say(lambda: roll_text(answer), lambda: answer, as_json)


@click.command()
@click.argument("game")
@click.argument("scenario", required=False)
@overlay_options
@json_option
def scenario(game: str, scenario: str | None, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool) -> None:
    """A scenario's card: length, forces, special rules, victory; without one, the list of them."""
    from scenarios.cards import card
    from scenarios.export import scenario as exported
    from scenarios.reading.findings import instead

    loaded = load_game(game, overlays, no_overlay)
    if scenario is None:
        titles = {key: held.title for key, held in loaded.scenarios.items()}
        width = max(map(len, titles), default=0)
        lines: Iterable[str] = [f"{key:{width}}  {title}" for key, title in titles.items()]
        say(lambda: lines, lambda: {"game": loaded.id, "scenarios": titles}, as_json)
        return
    if scenario not in loaded.scenarios:
        raise wrong(f"{loaded.title} has no scenario {scenario!r}; {instead(scenario, loaded.scenarios)}")
    held = loaded.scenarios[scenario]
    say(lambda: card(loaded, scenario, held), lambda: {"game": loaded.id, **exported(scenario, held)}, as_json)

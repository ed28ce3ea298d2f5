"""`modgen show` on the command line."""

from __future__ import annotations

from pathlib import Path

import click

from modgen.text import PART_TEXTS
from scenarios.command import (
    json_option,
    load_game,
    overlay_options,
    print_json,
    wrong,
)
from scenarios.pack.export import PART_VALUES
from scenarios.pack.pack_folder import find_pack
from scenarios.pack.spreadsheet_writing import to_csv
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import Findings

PARTS = ("overview", "counters", "tables", "map", "scenarios", "sources", "attacks", "blanks")


@click.command()
@click.argument("game")
@click.argument("part", default="overview", metavar=f"[{'|'.join(PARTS)}]")
@click.option(
    "--csv",
    "as_csv",
    is_flag=True,
    help="Print CSV; PART may also be tables/ID, boards/ID/places, scenarios/ID/forces ...",
)
@overlay_options
@json_option
def show(game: str, part: str, as_csv: bool, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool) -> None:
    """Show a game, or a part of it."""
    if as_csv:
        if as_json:
            raise wrong("--csv and --json exclude each other; leave one of them out")
        _show_csv(game, part, overlays, no_overlay)
        return
    if part not in PARTS:
        raise wrong(f"there is no part {part!r}; {suggest(part, PARTS)}")
    loaded_game = load_game(game, overlays, no_overlay)
    if as_json:
        print_json(PART_VALUES[part](loaded_game))
        return
    click.echo("\n".join(PART_TEXTS[part](loaded_game)).rstrip())


def _show_csv(game: str, part: str, overlays: tuple[Path, ...], no_overlay: bool) -> None:
    """Print a part of a pack as CSV."""
    # Imported late: a game from the cache is shown without the readers of packs.
    from scenarios.pack.building import read_tree

    load_game(game, overlays, no_overlay)  # reports the game's faults
    root, _ = read_tree(find_pack(game), list(overlays), not no_overlay, Findings())
    assert root is not None
    try:
        click.echo(to_csv(root, part), nl=False)
    except ValueError as error:
        raise wrong(str(error)) from None

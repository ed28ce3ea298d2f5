"""`assistant open`: what a save shows."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.questions.command_line import say
from assistant.save_summary import OPEN
from scenarios.command import json_option, limit_option, load_game, overlay_options, wrong
from scenarios.opening_positions import game_of, open_position
from scenarios.pack.pack_folder import shipped_games
from scenarios.reading.findings import PackError

FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command("open")
@click.argument("save", type=FILE, metavar="FILE.vsav|FILE.vlog|FILE.yaml")
@click.option("--game", default="", help="The folder of your pack, if the save is of a pack of your own.")
@click.option("--write", default="", metavar="FILE", help="Write the position to this file.")
@click.option(
    "--map",
    "table",
    type=FILE,
    metavar="TABLE",
    help="For a save of another publisher's module: the table that modgen import --for wrote.",
)
@limit_option
@overlay_options
@json_option
def open_save(
    save: Path,
    game: str,
    write: str,
    table: Path | None,
    most: int,
    overlays: tuple[Path, ...],
    no_overlay: bool,
    as_json: bool,
) -> None:
    """Show what a VASSAL save or log contains: the scenario, the turn, and where each piece is.

    Any command with --position also reads the save directly. A save of another publisher's module needs a table that
    connects that module with the pack (docs/import.md): name it with --map, or put it beside the save.
    """
    try:
        pack_name = game or game_of(save, most, table)
        if not game and pack_name not in shipped_games():
            raise wrong(
                f"this save is of {pack_name!r}, which doesn't come with Mitla; name the folder of its pack: --game FOLDER"
            )
        loaded_game = load_game(pack_name, overlays, no_overlay)
        position = save if table is None else open_position(loaded_game, save, most, table)
    except (ValueError, PackError) as error:
        raise wrong(str(error)) from None
    say(loaded_game, OPEN, (), as_json, most, position=position, write=write)

"""`modgen new` on the command line."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from modgen.new import CannotStart, new_game
from scenarios.command import json_option, print_json, wrong


@click.command("new")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--title", default="", help="The game's title.  [the folder's name]")
@click.option(
    "--like",
    default="",
    metavar="SAMPLE",
    help="Begin with a sample's rules, map and counters, such as two_wells, corps or valley.",
)
@json_option
def new(folder: Path, title: str, like: str, as_json: bool) -> None:
    """Start your own game: a small pack that you can check, print and play at once."""
    try:
        files = new_game(folder, title, datetime.datetime.now(datetime.UTC).date(), like)
    except CannotStart as error:
        raise wrong(str(error)) from None
    except OSError as error:
        raise wrong(f"{folder} can't be written: {error.strerror}; name another folder") from None
    if as_json:
        print_json({"files": [str(file) for file in files]})
        return
    for file in files:
        click.echo(f"wrote {file}")
    click.echo(f"try: modgen check {folder}, modgen build {folder}, assistant serve {folder}")

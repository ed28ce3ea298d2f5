"""`modgen import` on the command line."""

from __future__ import annotations

from pathlib import Path

import click

from modgen.importing.pack import read_module, write_pack
from modgen.importing.pictures import PictureTooLarge
from modgen.importing.table import propose, write_table
from scenarios.command import json_option, limit_option, load_game, print_json, wrong


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The new folder for the pack; with --for, the file for the table.",
)
@click.option(
    "--for", "game", default="", metavar="GAME|DIR", help="Write a table between the module and this pack instead."
)
@click.option("--title", default="", help="The game's title.  [the module's name]")
@limit_option
@json_option
def import_module(file: Path, to: Path | None, game: str, title: str, most: int, as_json: bool) -> None:
    """Make a pack from a VASSAL module: pieces, maps, sides, turns and set-ups, with a list of what is missing.

    With --for, write a table instead that pairs that module's pieces and places with a pack's. Correct the table by hand; then
    `assistant open SAVE --map TABLE` answers for saves of that module.
    """
    if to is None and not game:
        raise wrong("name a folder for the pack: --to my_game; or a pack to write a table for: --for yom_kippur")
    pack = load_game(game, (), True) if game else None
    try:
        module = read_module(file, most)
        if pack is not None:
            rows = propose(module, pack)
            path = to if to is not None else Path(f"{file.stem}.map.csv")
            row_counts = write_table(path, rows)
            if as_json:
                print_json({"file": str(path), **row_counts})
            else:
                click.echo(f"wrote {path}: " + ", ".join(f"{count} {label}" for label, count in row_counts.items()))
                click.echo(f"correct it by hand, then: assistant open SAVE --map {path}")
            return
        assert to is not None
        files = write_pack(module, to, title)
    except (ValueError, PictureTooLarge) as error:
        raise wrong(str(error)) from None
    except OSError as error:
        raise wrong(f"{to} can't be written: {error.strerror}; name another folder") from None
    report = module.report
    if as_json:
        print_json(
            {
                "files": [str(path) for path in files],
                "counts": report.counts,
                "choices": report.choices,
                "left_out": report.omissions,
            }
        )
        return
    for line in (*report.lines(report.choices), *report.lines(report.omissions)):
        click.echo(line)
    click.echo("in the pack: " + ", ".join(f"{count} {label}" for label, count in report.counts.items()))
    click.echo(f"wrote {len(files)} files to {to}; what isn't in the pack stands above and in {to / 'IMPORT.md'}")
    click.echo(f"try: modgen check {to}, modgen build {to}, assistant serve {to}")

"""`modgen save` on the command line."""

from __future__ import annotations

from pathlib import Path

import click

from modgen.vmod.setups.saving import position_save
from scenarios.command import json_option, limit_option, load_game, overlay_options, print_json, wrong
from scenarios.files import write
from scenarios.opening_positions import open_position
from scenarios.reading.findings import PackError

MODULE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("game")
@click.argument("position", type=MODULE)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="The save to write.  [POSITION.vsav]")
@limit_option
@overlay_options
@json_option
def save(
    game: str, position: Path, out: Path | None, most: int, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool
) -> None:
    """Write a position file as a VASSAL save for the game's module."""
    loaded_game = load_game(game, overlays, no_overlay)
    out = out or position.with_suffix(".vsav")
    if out.resolve() == position.resolve():
        raise wrong(f"{out} is the position itself; name another file with --out")
    try:
        opened_position = open_position(loaded_game, position, most)
        write(out, position_save(loaded_game, opened_position))
    except (ValueError, PackError) as error:
        raise wrong(str(error)) from None
    except OSError as error:
        raise wrong(f"can't write {out}: {error.strerror}; choose another --out") from None
    if as_json:
        print_json(
            {
                "file": str(out),
                "scenario": opened_position.scenario,
                "turn": opened_position.turn,
                "pieces": len(opened_position.pieces),
            }
        )
    else:
        click.echo(
            f"wrote {out}: {opened_position.scenario}, turn {opened_position.turn}, {len(opened_position.pieces)} pieces"
        )

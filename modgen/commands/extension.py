"""`modgen extension`: builds an overlay's additions to a game as an extension of its module."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from modgen.build import writable
from modgen.cache import Cache, cache_folder
from modgen.render import CannotDraw
from modgen.vmod.files.extension import extension_bytes, read_overlay, summary
from modgen.vmod.files.lock import CannotBuild, missing, read_lock, write_lock
from scenarios.command import EXIT_FAILED, json_option, load_game, print_json, wrong
from scenarios.files import write
from scenarios.reading.findings import PackError

FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
NAME = re.compile(r"\w[\w .-]{0,60}")


@click.command()
@click.argument("game", metavar="GAME|DIR")
@click.option(
    "--overlay",
    "overlays",
    multiple=True,
    required=True,
    type=FILE,
    help="An overlay with `add`. Repeatable.",
)
@click.option("--name", default="", help="Name of the extension.  [the overlay's file name]")
@click.option("--locked", is_flag=True, help="Fail if the extension's lock file would change.")
@click.option(
    "--new-lock",
    is_flag=True,
    help="Create a missing lock file; saves of the earlier extension will not open.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("dist"), show_default=True, help="The folder to write to."
)
@json_option
def extension(
    game: str, overlays: tuple[Path, ...], name: str, locked: bool, new_lock: bool, out: Path, as_json: bool
) -> None:
    """Make a VASSAL extension from what an overlay adds: counters, markers, scenarios, tables.

    The extension goes to dist/GAME/GAME_ext/GAME-NAME.vmdx, where the module dist/GAME/GAME.vmod finds it. It works with the
    released module. NAME.lock.json beside the overlay stores the ids of its pieces: keep both files together.
    """
    name = name or overlays[0].stem
    if not NAME.fullmatch(name):
        raise wrong(
            f"{name!r} is no name for an extension; write letters, figures, spaces, - and _, such as --name reinforcements"
        )
    base = load_game(game, (), True)
    extended_game = load_game(game, overlays, True)
    path = out / base.id / f"{base.id}_ext" / f"{base.id}-{name}.vmdx"
    folder, lock_name = overlays[0].parent, f"{name}.lock.json"
    cache = Cache(cache_folder())
    try:
        writable(out)
        overlay = read_overlay(base.id, overlays)
        if path.exists() and not (folder / lock_name).exists() and not new_lock:
            raise CannotBuild(missing(folder / lock_name, f"{path} was built with one"))
        lock = read_lock(folder, lock_name)
        lock_text = lock.as_text()
        content, notes = extension_bytes(base, extended_game, overlay, name, lock, cache)
        if lock.as_text() != lock_text:
            if locked:
                raise CannotBuild(f"{folder / lock_name} would change; build without --locked and keep it")
            write_lock(folder, lock, lock_name)
        write(path, content)
    except PackError as error:
        for finding in error.findings:
            click.echo(str(finding), err=True)
        sys.exit(EXIT_FAILED)
    except (CannotBuild, CannotDraw) as error:
        click.echo(f"{game}: {error}", err=True)
        sys.exit(EXIT_FAILED)
    except OSError as error:
        raise wrong(f"can't write to {error.filename or out}: {error.strerror}; choose another --out") from None
    if as_json:
        print_json(
            {
                "file": str(path),
                "lock": str(folder / lock_name),
                "id": lock.id,
                "adds": list(summary(overlay)),
                "notes": notes,
            }
        )
        return
    for note in notes:
        click.echo(note, err=True)
    click.echo(
        f"wrote {path}: {', '.join(summary(overlay))}; put it into the folder {base.id}_ext beside {base.id}.vmod"
    )

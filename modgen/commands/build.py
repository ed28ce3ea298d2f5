"""`modgen build` on the command line."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import click

from modgen.build import DEFAULT, build_games
from modgen.build_jobs import BuildJob
from modgen.commands.kit_options import kit_options
from modgen.kit.options import FORMATS, options
from modgen.kit.paper import WrongOption
from modgen.page import NoRuntime, build_page
from scenarios.command import (
    EXIT_FAILED,
    WRONG,
    json_option,
    load_game,
    overlay_options,
    print_json,
    wrong,
)
from scenarios.grammar import count_text
from scenarios.pack.pack_folder import find_pack, shipped_games
from scenarios.reading.findings import NoSuchGame, suggest


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME|DIR]...")
@click.option(
    "--only",
    multiple=True,
    metavar="WHAT",
    help="What to build: kit, module, cut, png, json, calibration, page, tabletop or tts. Repeatable.  [kit, module, json]",
)
@click.option("--locked", is_flag=True, help="Fail if a module's lock file would change.")
@click.option("--new-lock", is_flag=True, help="Create a missing lock file; saves of earlier modules will not open.")
@kit_options
@click.option("--ink-saver", is_flag=True, help="Print light surfaces and dark lines.")
@click.option("--grey", is_flag=True, help="Print for a printer without colours.")
@click.option(
    "--counter-size", type=float, metavar="MM", help="Size of a counter; the map and boxes follow.  [the pack's]"
)
@click.option("--large-print", is_flag=True, help="Counters of 25 mm and larger charts.")
@click.option("--travel", is_flag=True, help="Counters of 13 mm.")
@click.option("--cuts", default="separate", show_default=True, help="separate, or shared (no gutter between counters).")
@click.option("--roll", type=float, metavar="MM", help="Width of the paper roll for posters, for example 914.")
@click.option("--scenario", default="", metavar="ID", help="Print only what this scenario needs.")
@click.option("--pieces", metavar="NAME,NAME", help="Print only these counters and markers, to replace lost ones.")
@click.option("--dpi", default=300, show_default=True, help="Resolution of PNG pictures.")
@click.option(
    "--template", type=click.Path(path_type=Path), metavar="FILE", help="Print only counters, on your own sheet layout."
)
@click.option(
    "--runtime",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="With --only page: the unpacked npm package of Pyodide. By default npm fetches it.",
)
@click.option(
    "--images-at",
    default="",
    metavar="URL",
    help="With --only tts: web address of the pictures, if they are not in Mods/Images.",
)
@click.option("--bleed", is_flag=True, help="Add 1 mm of colour beyond the cut to PNG pictures of pieces.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("dist"), show_default=True, help="The folder to write to."
)
@overlay_options
@json_option
def build(
    games: tuple[str, ...],
    only: tuple[str, ...],
    locked: bool,
    new_lock: bool,
    runtime: Path | None,
    images_at: str,
    out: Path,
    overlays: tuple[Path, ...],
    no_overlay: bool,
    as_json: bool,
    **print_choices: Any,
) -> None:
    """Check and build games into dist/GAME/.

    By default this writes a print-and-play kit (PDF), a VASSAL module, and the whole game as JSON with its charts as text.
    --only chooses the outputs. Others are cut files for cutting machines (cut), PNG pictures (png), a calibration sheet,
    pictures with a manifest for other tabletops (tabletop), saves of Tabletop Simulator (tts), and the assistant's page as a
    folder that needs no server (page).
    """
    for output_name in only:
        if output_name not in (*FORMATS, "page"):
            raise wrong(f"there is nothing called {output_name!r} to build; {suggest(output_name, (*FORMATS, 'page'))}")
    try:
        read = options(**print_choices)
        for game in games:
            find_pack(game)
    except (WrongOption, NoSuchGame) as error:
        raise wrong(str(error)) from None
    if "page" in only:
        _build_page(games or tuple(shipped_games()), out / "page", runtime, overlays, no_overlay, as_json)
        only = tuple(output_name for output_name in only if output_name != "page")
        if not only:
            return
    is_partial = read.pieces or read.layout or print_choices.get("scenario")
    parts = tuple(
        output_name for output_name in FORMATS if output_name in (only or (("kit",) if is_partial else DEFAULT))
    )
    jobs = [
        BuildJob(game, overlays, not no_overlay, parts, read, locked, new_lock, images_at)
        for game in games or shipped_games()
    ]
    try:
        answer = build_games(jobs, out, quiet=as_json)
    except OSError as error:
        raise wrong(f"can't write to {error.filename or out}: {error.strerror}; choose another --out") from None
    findings, failures = answer.pop("findings", ()), answer.pop("failed", ())
    for finding in (*findings, *failures):
        click.echo(finding, err=True)
    mistakes = answer.pop("wrong", None)
    if mistakes:
        raise wrong(mistakes[0])
    if findings or failures:
        sys.exit(WRONG if findings else EXIT_FAILED)
    if as_json:
        print_json(answer)
    else:
        for path, parts in answer["paper"].items():
            part_counts = ", ".join(f"{part} {count}" for part, count in parts.items())
            click.echo(f"{path}: {count_text(sum(parts.values()), 'sheet')} of paper to play ({part_counts})")
        click.echo(f"wrote {count_text(len(answer['files']), 'file')} to {out} in {answer['seconds']} s")


def _build_page(
    games: tuple[str, ...],
    folder: Path,
    runtime: Path | None,
    overlays: tuple[Path, ...],
    no_overlay: bool,
    as_json: bool,
) -> None:
    """Build the assistant's page as a folder."""
    start = time.perf_counter()
    loaded_games = [load_game(game, overlays, no_overlay) for game in games]
    is_hidden = as_json or not sys.stdout.isatty()
    try:
        with click.progressbar(
            length=len(loaded_games) + 1, label="building the page", hidden=is_hidden, show_eta=False
        ) as bar:
            files = build_page(loaded_games, folder, runtime, lambda phase: bar.update(1))
    except NoRuntime as error:
        raise wrong(str(error)) from None
    except OSError as error:
        raise wrong(f"can't write to {error.filename or folder}: {error.strerror}; choose another --out") from None
    seconds = round(time.perf_counter() - start, 2)
    if as_json:
        print_json({"files": [str(path) for path in files], "seconds": seconds})
    else:
        size = sum(path.stat().st_size for path in files)
        click.echo(
            f"wrote {len(files)} files, {size / 1e6:.0f} MB, to {folder} in {seconds} s; put them on any web host, or try them:"
        )
        click.echo(f"  python -m http.server --directory {folder}")

"""`modgen edit`: boards, maps and numbers in the browser."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from modgen.editing.page import editor, serve
from scenarios.command import EXIT_FAILED, wrong
from scenarios.pack.pack_folder import find_pack, samples, shipped_games
from scenarios.reading.findings import NoSuchGame, PackError


@click.command()
@click.argument("game")
@click.option(
    "--overlay",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The overlay to write to; it may be new. By default the editor changes the pack's own files.",
)
@click.option(
    "--with",
    "others",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Another overlay to load below yours.",
)
@click.option("--port", default=8732, type=click.IntRange(0, 65535), help="The port; 0 picks a free one.")
def edit(game: str, overlay: Path | None, others: tuple[Path, ...], port: int) -> None:
    """Paint boards and maps in the browser, over our drawing or over a photo of your own copy.

    Paint terrain, hexsides, roads, places, points and routes, and fill in numbers that a rulebook lacks. With --overlay your
    work goes into an overlay, which kit, module and assistant read (--overlay FILE). Without it the editor changes your own
    pack's files and keeps all other lines.
    """
    try:
        folder = find_pack(game)
    except NoSuchGame as error:
        raise wrong(str(error)) from None
    if overlay is None and game in (*shipped_games(), *samples()):
        raise wrong(f"{game} comes with Mitla; name a file for your changes: modgen edit {game} --overlay mine.yaml")
    if overlay is not None and not overlay.suffix:
        overlay = overlay.with_suffix(".yaml")
    try:
        page = editor(game, overlay, others)
    except PackError as error:
        for finding in error.findings:
            click.echo(str(finding), err=True)
        raise click.exceptions.Exit(EXIT_FAILED) from None
    try:
        server = serve(page, port)
    except OSError as error:
        raise wrong(f"can't listen on port {port}: {error.strerror}; choose another --port") from None
    click.echo(f"the editor is at {server.url}edit/ (stop with Ctrl+C); changes go to {overlay or folder}")
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()

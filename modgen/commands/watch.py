"""The command `modgen watch`."""

from __future__ import annotations

import contextlib
import webbrowser
from pathlib import Path

import click

from modgen.watch.serving import serve
from scenarios.command import overlay_options, wrong
from scenarios.reading.findings import NoSuchGame


@click.command()
@click.argument("game")
@click.option(
    "--port", default=8732, type=click.IntRange(0, 65535), show_default=True, help="The port; 0 picks a free one."
)
@click.option("--no-open", is_flag=True, help="Print the address without opening a browser.")
@overlay_options
def watch(game: str, port: int, no_open: bool, overlays: tuple[Path, ...], no_overlay: bool) -> None:
    """Show a pack in your browser while you write it, and redraw it whenever you save.

    The page lists every mistake with its line and keeps showing the last correct state. It answers only this machine.
    """
    try:
        server, watcher = serve(game, port, overlays, not no_overlay)
    except NoSuchGame as error:
        raise wrong(str(error)) from None
    except OSError as error:
        raise wrong(f"can't listen on port {port}: {error.strerror}; choose another --port") from None
    url = f"{server.url}watch/"
    click.echo(f"watching {watcher.folder}: {url} (stop with Ctrl+C)")
    if not no_open:
        webbrowser.open(url)
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()
    watcher.end()

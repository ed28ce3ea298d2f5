"""`assistant serve`: the assistant as a page."""

from __future__ import annotations

import contextlib
import functools
import io
from pathlib import Path
from typing import TYPE_CHECKING

import click
import segno

from assistant.page.game_info import title_of
from assistant.page.jobs import GameSource
from assistant.page.live_tables import Live
from assistant.page.saves import Saves
from assistant.page.server import Server
from assistant.page.site import Site
from assistant.page.workers import Workers
from scenarios.command import limit_option, load_game, overlay_options, wrong
from scenarios.folders import config_folder
from scenarios.opening_positions import game_of, open_position
from scenarios.pack.pack_folder import shipped_games
from scenarios.reading.findings import PackError, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scenarios.model.game import Game

FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("game", nargs=-1)
@click.option(
    "--host",
    default="",
    help="The address to listen on; 127.0.0.1, the default, is this computer only, 0.0.0.0 your whole network.",
)
@click.option(
    "--lan", is_flag=True, help="Open the page to your network, and print an address and a QR code for phones."
)
@click.option("--port", default=8731, type=click.IntRange(0, 65535), help="The port; 0 chooses a free port.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="Another host name for the page; may be repeated.",
)
@click.option("--scenario", default="", help="The scenario of GAME to show first.")
@click.option(
    "--save", type=FILE, help="A VASSAL save or a position file to show; the page reads it again whenever it changes."
)
@click.option(
    "--watch",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="A folder; the page shows its newest VASSAL save of GAME.",
)
@click.option(
    "--workers",
    default=0,
    type=click.IntRange(0, 64),
    help="The number of worker processes; by default one for each processor core.",
)
@limit_option
@overlay_options
def serve(
    game: tuple[str, ...],
    host: str,
    lan: bool,
    port: int,
    names: tuple[str, ...],
    scenario: str,
    save: Path | None,
    watch: Path | None,
    workers: int,
    most: int,
    overlays: tuple[Path, ...],
    no_overlay: bool,
) -> None:
    """Serve the assistant as a page for your browser, for all games or for the games you name.

    With --lan, or a --host that others can reach, the printed address contains a token. The page only answers requests
    with this token.
    """
    if lan and host:
        raise wrong(f"--lan listens on every address, --host on {host}; leave one out")

    @functools.cache
    def load(key: str) -> Game:
        return load_game(key, overlays, no_overlay)

    packs_by_id = {load(key).id: key for key in game} or {key: key for key in shipped_games()}
    titles = {key: title_of(pack) for key, pack in packs_by_id.items()}
    saves = Saves(max_bytes=most, live=Live(config_folder() / "tables"))
    if save is not None:
        saves.file, saves.file_game = save, (key := _game_of(save, packs_by_id, most))
        titles = {key: titles[key], **titles}
        _check_save(load(packs_by_id[key]), save, most)
    if watch is not None:
        if save is not None or len(packs_by_id) != 1:
            raise wrong("--watch needs one game and no --save: assistant serve GAME --watch FOLDER")
        saves.watched_path, saves.file_game = watch, next(iter(packs_by_id))
    if scenario:
        _check_scenario(game, scenario, load)
    host = "0.0.0.0" if lan else host or "127.0.0.1"
    sources = {key: GameSource(pack, overlays, not no_overlay) for key, pack in packs_by_id.items()}
    site = Site(titles, lambda key: load(packs_by_id[key]), saves=saves, scenario=scenario)
    try:
        server = Server(host, port, site, names, sources, Workers(workers))
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "there is no such host"
        raise wrong(f"can't listen on {host}:{port}: {reason}; choose another --host or --port") from None
    if lan:
        _print_code(server.url)
    click.echo(f"the page is at {server.url} (stop with Ctrl+C)")
    if server.token:
        click.echo("everybody with this address can ask questions and open saves")
        click.echo(f"for spectators: {server.look_url}")
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()


def _check_scenario(game: tuple[str, ...], scenario: str, load: Callable[[str], Game]) -> None:
    """Raise an error where the first scenario can't be shown."""
    if len(game) != 1:
        raise wrong("--scenario needs its game: assistant serve GAME --scenario ID")
    game_scenarios = load(game[0]).scenarios
    if scenario not in game_scenarios:
        raise wrong(f"{game[0]} has no scenario {scenario!r}; {suggest(scenario, game_scenarios)}")


def _print_code(url: str) -> None:
    """Print an address as a QR code."""
    code = io.StringIO()
    segno.make(url, micro=False).terminal(code, compact=True)
    click.echo(code.getvalue())


def _game_of(save: Path, packs_by_id: Mapping[str, str], max_bytes: int) -> str:
    """Return the game of a save or position among those served."""
    if len(packs_by_id) == 1:
        return next(iter(packs_by_id))
    try:
        game = game_of(save, max_bytes)
    except ValueError as error:
        raise wrong(f"{error}; or name the game: assistant serve GAME --save {save}") from None
    if game not in packs_by_id:
        raise wrong(f"this save is of {game!r}; name its pack: assistant serve FOLDER --save {save}")
    return game


def _check_save(game: Game, save: Path, max_bytes: int) -> None:
    """Raise an error where a save can't be read."""
    try:
        open_position(game, save, max_bytes)
    except (ValueError, PackError) as error:
        raise wrong(str(error)) from None

"""The server of a watched pack: the assistant's page with the live view mounted on it. Loopback only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assistant.page.server import Server
from assistant.page.site import site_of
from modgen.watch.page import WatchPage
from modgen.watch.watcher import Watcher
from scenarios.model.game import Game


def serve(
    game: str, port: int, overlays: Sequence[Path] = (), with_config_overlays: bool = False
) -> tuple[Server, Watcher]:
    """A server that shows a pack and answers from its last valid state. Raises OSError if the port is in use."""
    watcher = Watcher(game, overlays, with_config_overlays)
    server = Server("127.0.0.1", port, site_of(watcher.state.game), mounts={"watch": WatchPage(watcher)})

    def on_change(game: Game | None) -> None:
        server.application.site = site_of(game)

    watcher.on_change = on_change
    watcher.start()
    return server, watcher

"""The assistant inside a browser: questions in, answers out, no server. `engine.js` calls it."""

from __future__ import annotations

import gzip
from pathlib import Path

from assistant.page.live_tables import Live
from assistant.page.saves import Saves
from assistant.page.site import Site
from scenarios.model.game import Game
from scenarios.pack import pack_cache


class BrowserSite:
    """A site whose games arrive in their prepared form."""

    def __init__(self, tables: str) -> None:
        """Prepare the site. `tables` is the folder of the live tables."""
        self._games: dict[str, Game] = {}
        self._titles: dict[str, str] = {}
        self._site = Site(self._titles, self._games.__getitem__, saves=Saves(live=Live(Path(tables))))

    def take(self, key: str, archive: bytes) -> None:
        """Add a game."""
        game = pack_cache.decode(gzip.decompress(archive), Path(key))
        self._games[key], self._titles[key] = game, game.title

    def ask(self, method: str, target: str, body: str) -> tuple[int, str]:
        """Return the status of an answer and its text."""
        response = self._site.get(target) if method == "GET" else self._site.post(target, body.encode())
        return response.status, response.body.decode()

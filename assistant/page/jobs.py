"""Jobs: work for a game, here or in another process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from assistant.page.response import Response, or_error, wrong
from assistant.page.wording import for_page
from scenarios.model.game import Game


class GameSource(NamedTuple):
    """Where a game is loaded from: its id or folder, and the user's own numbers."""

    pack: str
    overlays: tuple[Path, ...] = ()
    standing: bool = False


class Job(NamedTuple):
    """A unit of work for a game: `function(game, *arguments)`. The answer is kept under `name`."""

    game: str
    function: Callable[..., Response]
    arguments: tuple[Any, ...] = ()
    name: str = ""

    def done(self, game: Game) -> Response:
        """Return the answer; an internal error becomes an error response."""
        try:
            return or_error(lambda: self.function(game, *self.arguments), for_page)
        except MemoryError:
            return wrong("that needs more memory than this computer has; ask for less at once")
        except Exception as error:
            return wrong(f"an error in the program: {type(error).__name__}: {error}", 500)

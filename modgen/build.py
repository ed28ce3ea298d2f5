"""Building what a game ships as."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from modgen.files import write_text
from modgen.text import tables
from scenarios.export import everything
from scenarios.game import Game

NOTICE = "Mitla is not affiliated with any publisher. Code: MIT. Packs and art: CC BY 4.0."


def build_games(games: Sequence[Game], out: Path, quiet: bool) -> dict[str, Any]:
    """Build every game into its folder below `out`; says what was written and how long it took."""
    start = time.perf_counter()
    files: list[str] = []
    with click.progressbar(games, label="building", hidden=quiet, item_show_func=_title) as bar:
        for game in bar:
            folder = out / game.id
            whole = json.dumps({"notice": NOTICE, **everything(game)}, indent=1, ensure_ascii=False) + "\n"
            charts = "\n".join([game.title, NOTICE, *_overlaid(game), "", *tables(game)]).rstrip() + "\n"
            for path, text in ((folder / f"{game.id}.json", whole), (folder / f"{game.id}-charts.txt", charts)):
                write_text(path, text)
                files.append(str(path))
    return {"files": files, "seconds": round(time.perf_counter() - start, 2)}


def _title(game: Game | None) -> str:
    return game.title if game is not None else ""


def _overlaid(game: Game) -> list[str]:
    return [f"Built with the overlay {path.name}: numbers of the user's own." for path in game.overlays]

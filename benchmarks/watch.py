"""From a saved file to new drawings in `modgen watch`: everything but the browser's own work."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from modgen.watch.page import WatchPage, state_json
from modgen.watch.watcher import Watcher
from scenarios.pack.pack_folder import find_pack

CASES = (
    ("island", "counters.csv", "militia,battalion,2,2,2", "militia,battalion,3,2,2", "counters", 0.5),
    ("island", "map.yaml", "name: Vik,", "name: Vika,", "maps", 0.5),
    ("yom_kippur", "counters_israeli.yaml", "movement: 10", "movement: 11", "counters", 2.0),
    ("yom_kippur", "map.yaml", "name: ", "name: X", "maps", 2.0),
)


def figures() -> Iterator[str]:
    """How long a change takes to be seen."""
    for game, file, old, new, tab, max_seconds in CASES:
        with tempfile.TemporaryDirectory() as temporary_folder:
            pack = Path(shutil.copytree(find_pack(game), Path(temporary_folder) / game))
            watcher = Watcher(str(pack))
            page = WatchPage(watcher)
            earlier_keys = {item["key"] for item in state_json(watcher.state, pack)["shown"][tab]}
            watcher.start()
            text = (pack / file).read_text(encoding="utf-8")
            assert old in text, (game, file, old)
            version = watcher.state.version
            start = time.perf_counter()
            (pack / file).write_text(text.replace(old, new, 1), encoding="utf-8")
            page.news(json.dumps({"version": version}), 10)
            items = [item for item in state_json(watcher.state, pack)["shown"][tab] if item["key"] not in earlier_keys]
            page.post("drawings", json.dumps({"names": [item["name"] for item in items][:400]}).encode())
            took = time.perf_counter() - start
            watcher.end()
            yield f"watch {game}: {len(items)} of its {tab} drawn anew {took:.2f} s after a file was saved (promised {max_seconds})"

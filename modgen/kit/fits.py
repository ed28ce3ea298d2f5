"""How each scenario card is best set. That takes many trials, so what was found is kept by the card's content."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from modgen.cache import Cache, code_key, key_of
from modgen.typesetting import query

MAIN = '#import "style.typ": *\n#import "cards.typ": found-fits\n#show: styled\n#found-fits()\n'


def add_fits(data: dict[str, Any], files: Callable[[], Mapping[str, bytes]], cache: Cache, templates: Path) -> None:
    """Tell every scenario card of a kit its fit; Typst finds those that aren't known yet, all at once."""
    frame = {
        key: held
        for key, held in data.items()
        if isinstance(held, str | int | float | bool) or key in ("words", "paper")
    }
    head = json.dumps(frame, ensure_ascii=False, sort_keys=True)
    keys = [key_of("fit", code_key(), head, json.dumps(card, sort_keys=True)) for card in data["scenarios"]]
    known = [cache.get(key) for key in keys]
    new = [n for n, kept in enumerate(known) if kept is None]
    if new:
        asked = {**data, "parts": [], "scenarios": [data["scenarios"][n] for n in new]}
        found = query(MAIN, {**files(), "data.json": json.dumps(asked).encode("utf-8")}, "<fit>", templates)
        for n, fit in zip(new, found, strict=True):
            known[n] = json.dumps(fit, sort_keys=True).encode("utf-8")
            cache.put(keys[n], known[n] or b"")
    for card, kept in zip(data["scenarios"], known, strict=True):
        card["fit"] = json.loads(kept or b"")

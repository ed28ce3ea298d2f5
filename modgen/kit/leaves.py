"""Leaves: pages of text, set once and cached, with windows for the pictures that the kit puts on them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from modgen.cache import Cache, code_key, key_of
from modgen.typesetting import pdf_and_told

TEMPLATES = Path(__file__).parent / "templates"


class Leaves(NamedTuple):
    """Leaves as a PDF, and the data for binding them: their number, their windows, their headings."""

    plate: bytes
    data: dict[str, Any]


def leaves(template: str, data: Mapping[str, Any], release: str, cache: Cache) -> Leaves:
    """The result of a template for some data. The template's last function has its name."""
    text = json.dumps(data, ensure_ascii=False, sort_keys=True).encode("utf-8")

    def make() -> bytes:
        main = (
            f'#import "style.typ": *\n#import "{template}.typ": {template}\n'
            f"#show: styled.with(footer: none)\n#told()\n#{template}()\n"
        )
        pdf_bytes, records = pdf_and_told(main, {"data.json": text}, release, "<told>", TEMPLATES)
        return json.dumps(records[0]).encode("utf-8") + b"\n" + pdf_bytes

    content = cache.get_or_make(key_of("leaves", code_key(), release, template, text), make)
    metadata, _, plate = content.partition(b"\n")
    return Leaves(plate, json.loads(metadata))

"""A pack as its next release might be: counters in another order, one renamed, one new, and a new state before all others."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

ENTRY = re.compile(r"^  (\w+):\n(?:(?:    .*|\s*)\n)+", re.MULTILINE)
NEW = "a_new_one"


def reorder_counters(pack: Path, file: str, folder: Path) -> tuple[Path, str]:
    """A copy of a pack with the counters of one file turned round, the last renamed and another beside it; which was renamed."""
    copy = Path(shutil.copytree(pack, folder / pack.name))
    path = copy / file
    head, middle, remainder = re.split(r"^(counters:\n)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    block = re.match(r"(?:  .*\n|\s*\n)+", remainder)
    assert block is not None
    counters_text = re.sub(r"^  #.*\n", "", block[0], flags=re.MULTILINE)
    entries = [match[0] for match in ENTRY.finditer(counters_text)]
    assert "".join(entries).split() == counters_text.split(), "every line belongs to a counter"
    last = entries.pop()
    key = last.split(":")[0].strip()
    new_entry = re.sub(r"^    setup:.*\n", "", last.replace(f"  {key}:", f"  {NEW}:", 1), flags=re.MULTILINE)
    renamed_entry = re.sub(r"^    name: (.*)", r"    name: \1 again", last, count=1, flags=re.MULTILINE)
    new_block = "".join([new_entry, *reversed(entries), renamed_entry])
    path.write_text(head + middle + new_block + remainder[block.end() :], encoding="utf-8")
    for words in copy.glob("*.yaml"):
        text = words.read_text(encoding="utf-8")
        words.write_text(
            re.sub(r"^states:\n", f"states:\n  {NEW}: {{name: New}}\n", text, flags=re.MULTILINE), encoding="utf-8"
        )
    return copy, key

"""A pack as its next release might be: counters in another order, one renamed, one new, and a new state before all others."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

ENTRY = re.compile(r"^  (\w+):\n(?:(?:    .*|\s*)\n)+", re.MULTILINE)
NEW = "a_new_one"


def changed(pack: Path, file: str, folder: Path) -> tuple[Path, str]:
    """A copy of a pack with the counters of one file turned round, the last renamed and another beside it; which was renamed."""
    copy = Path(shutil.copytree(pack, folder / pack.name))
    path = copy / file
    head, middle, rest = re.split(r"^(counters:\n)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    block = re.match(r"(?:  .*\n|\s*\n)+", rest)
    assert block is not None
    bare = re.sub(r"^  #.*\n", "", block[0], flags=re.MULTILINE)
    entries = [found[0] for found in ENTRY.finditer(bare)]
    assert "".join(entries).split() == bare.split(), "every line belongs to a counter"
    last = entries.pop()
    key = last.split(":")[0].strip()
    added = re.sub(r"^    setup:.*\n", "", last.replace(f"  {key}:", f"  {NEW}:", 1), flags=re.MULTILINE)
    renamed = re.sub(r"^    name: (.*)", r"    name: \1 again", last, count=1, flags=re.MULTILINE)
    whole = "".join([added, *reversed(entries), renamed])
    path.write_text(head + middle + whole + rest[block.end() :], encoding="utf-8")
    for words in copy.glob("*.yaml"):
        text = words.read_text(encoding="utf-8")
        words.write_text(
            re.sub(r"^states:\n", f"states:\n  {NEW}: {{name: New}}\n", text, flags=re.MULTILINE), encoding="utf-8"
        )
    return copy, key

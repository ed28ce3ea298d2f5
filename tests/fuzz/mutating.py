"""Small damage: to bytes, to texts, to trees of JSON and YAML."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from random import Random
from typing import Any

ODD_TEXTS = (
    "", " ", "0", "-1", "1", "2", "1e999", "nan", "999999999999999999999", "0x10", "1_000", "1/0", "½", "²", "٣", "yes", "no", "null", "~",
    "true", "[]", "{}", "a", "é", "\u202e", "\x00", "\ufeff", "😀", "\ud7ff", "../../x", "/", "\\", "'", '"', "{{", "%s", "a: b", "- a",
    "<b>", "&amp;", "x" * 5000, "(" * 300, "1+" * 300 + "1", "0101", "A-1", "turn:1", "box:lost", "1d6", "D6", "2026-02-30", "#ffffff",
    "1-1", "5-", "*", "&a", "*a", "!!python/object:os.system", "<<", "| ", "not not", "min(", "sum(units.attack)",
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 999, 1000, 10**6, 10**12, 10**30, 0.5, -0.0, 1e308, "", "x", [], {}, [[]], [None], {"": None},
    {"a": 1}, ["a"], [1, 2], [0.1, 0.2], [[1, 2], [3]],
)  # fmt: skip
BYTES = (
    b"",
    b"\x00",
    b"\xff",
    b"\xff\xfe",
    b"\n",
    b"\r",
    b"\t",
    b":",
    b"-",
    b"{",
    b"}",
    b"[",
    b'"',
    b";",
    b"/",
    b"\\",
    b"\x1b",
    b",",
    b"\xc3",
)


def bytes_damaged(random: Random, content: bytes) -> bytes:
    """A few bytes flipped, cut, doubled, put in or moved."""
    data = bytearray(content)
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        start = random.randrange(len(data) + 1)
        end = min(len(data), start + random.choice((1, 1, 2, 4, 16, 64, 500)))
        kind = random.randrange(7)
        if kind == 0 and start < len(data):
            data[start] ^= 1 << random.randrange(8)
        elif kind == 1 and start < len(data):
            data[start] = random.randrange(256)
        elif kind == 2:
            del data[start:end]
        elif kind == 3:
            data[start:start] = data[start:end] * random.choice((1, 2, 5))
        elif kind == 4:
            data[start:start] = random.choice(BYTES)
        elif kind == 5:
            data[start:end] = random.choice(ODD_TEXTS).encode("utf-8")
        elif random.random() < 0.2:
            del data[start:]
    return bytes(data)


def text_damaged(random: Random, text: str, delimiters: str = "\n:,;/ \t\x1b|") -> str:
    """A word or a line exchanged, left out, doubled or put elsewhere; or bytes damaged."""
    if random.random() < 0.25:
        return bytes_damaged(random, text.encode("utf-8")).decode("utf-8", "replace")
    mark = random.choice([sign for sign in delimiters if sign in text] or [" "])
    parts = text.split(mark)
    for _ in range(random.choice((1, 1, 2, 4))):
        index = random.randrange(len(parts))
        kind = random.randrange(5)
        if kind == 0:
            parts[index] = random.choice(ODD_TEXTS)
        elif kind == 1 and len(parts) > 1:
            del parts[index]
        elif kind == 2:
            parts.insert(index, random.choice(parts))
        elif kind == 3:
            other_index = random.randrange(len(parts))
            parts[index], parts[other_index] = parts[other_index], parts[index]
        else:
            parts[index] = bytes_damaged(random, parts[index].encode("utf-8")).decode("utf-8", "replace")
    return mark.join(parts)


def tree_damaged(random: Random, tree: Any, words: Sequence[str] = ODD_TEXTS) -> Any:
    """A tree of JSON or YAML with some nodes exchanged, left out, renamed, doubled or moved."""
    root = [copy.deepcopy(tree)]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        holders = list(_holders(root))
        if not holders:
            return tree
        holder, key = random.choice(holders)
        if not (key in holder if isinstance(holder, dict) else key < len(holder)):
            continue
        kind = random.randrange(7)
        if kind == 0:
            holder[key] = copy.deepcopy(random.choice(ODD_VALUES))
        elif kind == 1:
            holder[key] = random.choice(words)
        elif kind == 2 and holder is not root:
            del holder[key]
        elif kind == 3 and isinstance(holder, dict):
            holder[random.choice(words)] = holder.pop(key)
        elif kind == 4 and isinstance(holder, list) and holder is not root:
            holder.insert(key, copy.deepcopy(holder[key]))
        elif kind == 5:
            other_holder, place = random.choice(holders)
            if place in other_holder if isinstance(other_holder, dict) else place < len(other_holder):
                holder[key] = copy.deepcopy(other_holder[place])
        elif isinstance(holder[key], str):
            holder[key] = text_damaged(random, holder[key])
        elif isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
            holder[key] = random.choice(
                (-holder[key], holder[key] + 1, holder[key] * 1000, str(holder[key]), holder[key] / 3)
            )
    return root[0]


def _holders(root: Any) -> list[tuple[Any, Any]]:
    """Every place in a tree: what holds it, and under which key."""
    pairs: list[tuple[Any, Any]] = []
    open_ = [root]
    while open_ and len(pairs) < 20_000:
        holder = open_.pop()
        for key, value in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            pairs.append((holder, key))
            if isinstance(value, dict | list):
                open_.append(value)
    return pairs

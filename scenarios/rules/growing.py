"""Rules built on others: a walk that is `like` another, and a pack whose rules are `like` a sample's."""

from __future__ import annotations

from collections.abc import Callable

from scenarios.reading.findings import instead
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings

WALKS = (("movement",), ("retreat",), ("advance",), ("command",), ("supply", "traces"))
Sample = Callable[[str], Node | None]


def grow_rules(root: Node, sample: Sample, samples: list[str], findings: Findings) -> None:
    """Give the rules what they take over from a sample, and each walk what it takes over from another."""
    rules = root.get("rules")
    if rules is None or rules.entries is None:
        return
    like = rules.get("like")
    if like is not None:
        base = sample(like.text or "")
        if base is None or base.entries is None:
            findings.at(like, f"there is no sample {like.text or ''!r} with rules; {instead(like.text or '', samples)}")
        else:
            rules.entries = _merged(base, rules, 2)
    for section in WALKS:
        held = rules.at(*section) if rules.get(section[0]) is not None else None
        if held is not None and held.entries is not None:
            done: set[str] = set()
            for key in held.entries:
                _grow(held, key, done, (), findings)


def _grow(walks: Node, key: str, done: set[str], below: tuple[str, ...], findings: Findings) -> None:
    assert walks.entries is not None
    own = walks.entries[key][1]
    like = own.get("like")
    if key in done or like is None or own.entries is None:
        return
    done.add(key)
    name = like.text or ""
    if name not in walks.entries or name in (*below, key):
        others = [other for other in walks.entries if other not in (*below, key)]
        findings.at(like, f"it can't be like {name!r}; {instead(name, others)}")
        return
    _grow(walks, name, done, (*below, key), findings)
    base = walks.entries[name][1]
    if base.entries is not None:
        own.entries = _merged(base, own, 0)


def _merged(base: Node, own: Node, deep: int) -> dict[str, tuple[Node, Node]]:
    """The entries of both; where both have a key, the own one, or down to a depth what both have in it."""
    assert base.entries is not None and own.entries is not None
    result = {key: pair for key, pair in base.entries.items() if key not in ("like", "title", "note")}
    for key, (key_node, value) in own.entries.items():
        old = result.get(key)
        if deep and old is not None and old[1].entries is not None and value.entries is not None:
            value = Node(value.path, value.line, value.column, entries=_merged(old[1], value, deep - 1))
        result[key] = (key_node, value)
    return result

"""Attacks built on other attacks: `like` takes over what a declaration doesn't say itself."""

from __future__ import annotations

from scenarios.reading.findings import instead
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings


def grow_attacks(root: Node, findings: Findings) -> None:
    """Give every attack that is `like` another all that the other has and it doesn't."""
    attacks = root.get("attacks")
    if attacks is None or attacks.entries is None:
        return
    done: set[str] = set()
    for key in attacks.entries:
        _grow(attacks, key, done, (), findings)


def _grow(attacks: Node, key: str, done: set[str], below: tuple[str, ...], findings: Findings) -> None:
    assert attacks.entries is not None
    own = attacks.entries[key][1]
    like = own.get("like")
    if key in done or like is None or own.entries is None:
        return
    done.add(key)
    name = like.text or ""
    if name not in attacks.entries or name in (*below, key):
        others = [other for other in attacks.entries if other not in (*below, key)]
        findings.at(like, f"it can't be like {name!r}; {instead(name, others)}")
        return
    _grow(attacks, name, done, (*below, key), findings)
    base = attacks.entries[name][1]
    if base.entries is not None:
        own.entries = _merged(base, own)


def _merged(base: Node, own: Node) -> dict[str, tuple[Node, Node]]:
    """Mappings by key, lists one after the other; anything else is the own one."""
    assert base.entries is not None and own.entries is not None
    result = {key: pair for key, pair in base.entries.items() if key not in ("like", "note")}
    for key, (key_node, value) in own.entries.items():
        old = result.get(key)
        if old is not None and key != "source" and old[1].entries is not None and value.entries is not None:
            value = Node(value.path, value.line, value.column, entries=_merged(old[1], value))
        elif old is not None and key in ("modifiers", "requires") and old[1].items is not None:
            value = Node(value.path, value.line, value.column, items=[*old[1].items, *(value.items or [])])
        result[key] = (key_node, value)
    return result

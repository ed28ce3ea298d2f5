"""Inheritance: an attack or a walk that is `like` another, and a pack whose rules are `like` those of a sample."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from scenarios.reading.findings import suggest
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings

WALKS = (("movement",), ("retreat",), ("advance",), ("command",), ("supply", "traces"))
Entries = dict[str, tuple[Node, Node]]
Merge = Callable[[Node, Node], Entries]
Sample = Callable[[str], Node | None]


def grow_attacks(root: Node, findings: Findings) -> None:
    """Give every attack that is `like` another the keys that only the other has."""
    attacks = root.get("attacks")
    if attacks is not None:
        _grow_all(attacks, _attack, findings)


def grow_rules(root: Node, sample: Sample, samples: list[str], findings: Findings) -> None:
    """Add the inherited rules of a sample to the rules, and the inherited keys of another walk to each walk."""
    rules = root.get("rules")
    if rules is None or rules.entries is None:
        return
    like = rules.get("like")
    if like is not None:
        base = sample(like.text or "")
        if base is None or base.entries is None:
            findings.add(
                like, f"there is no sample {like.text or ''!r} with rules; {suggest(like.text or '', samples)}"
            )
        else:
            rules.entries = _rules(base, rules, deep=2)
    for section in WALKS:
        if rules.get(section[0]) is not None:
            _grow_all(rules.child(*section), partial(_rules, deep=0), findings)


def _grow_all(section: Node, merge: Merge, findings: Findings) -> None:
    done: set[str] = set()
    for key in section.entries or {}:
        _grow(section, key, merge, done, (), findings)


def _grow(
    section: Node, key: str, merge: Merge, done: set[str], descendants: tuple[str, ...], findings: Findings
) -> None:
    """Merge one entry of a section with its base, after the base itself is merged."""
    assert section.entries is not None
    record = section.entries[key][1]
    like = record.get("like")
    if key in done or like is None or record.entries is None:
        return
    done.add(key)
    name = like.text or ""
    if name not in section.entries or name in (*descendants, key):
        candidates = [candidate for candidate in section.entries if candidate not in (*descendants, key)]
        findings.add(like, f"it can't be like {name!r}; {suggest(name, candidates)}")
        return
    _grow(section, name, merge, done, (*descendants, key), findings)
    base = section.entries[name][1]
    if base.entries is not None:
        record.entries = merge(base, record)


def _attack(base: Node, attack_node: Node) -> Entries:
    """Merge mappings by key. Lists of modifiers and requirements are joined. For anything else the entry's own value wins."""
    assert base.entries is not None and attack_node.entries is not None
    result = {key: pair for key, pair in base.entries.items() if key not in ("like", "note")}
    for key, (key_node, value) in attack_node.entries.items():
        old = result.get(key)
        if old is not None and key != "source" and old[1].entries is not None and value.entries is not None:
            value = Node(value.path, value.line, value.column, entries=_attack(old[1], value))
        elif old is not None and key in ("modifiers", "requires") and old[1].items is not None:
            value = Node(value.path, value.line, value.column, items=[*old[1].items, *(value.items or [])])
        result[key] = (key_node, value)
    return result


def _rules(base: Node, rules_node: Node, deep: int) -> Entries:
    """Merge the entries of both. If both have a key, the own value wins. Down to the depth `deep` their contents are merged instead."""
    assert base.entries is not None and rules_node.entries is not None
    result = {key: pair for key, pair in base.entries.items() if key not in ("like", "title", "note")}
    for key, (key_node, value) in rules_node.entries.items():
        old = result.get(key)
        if deep and old is not None and old[1].entries is not None and value.entries is not None:
            value = Node(value.path, value.line, value.column, entries=_rules(old[1], value, deep - 1))
        result[key] = (key_node, value)
    return result

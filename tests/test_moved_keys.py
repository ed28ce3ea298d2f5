"""`modgen check` names the new name or place of an old key, and what its sentence says works."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenarios import PackError, load
from scenarios.pack.pack_file import PackFile
from scenarios.reading.reference import reference
from scenarios.reading.renamed_keys import NEW_NAMES, RENAMED_KEYS
from scenarios.reading.shapes import Findings, Record, key_of, reader
from scenarios.reading.yaml_tree import parse_nodes
from tests.packs import SMALL, break_pack

ROOT = Path(__file__).parent.parent
OLD = {
    ("Card", "zone_of"): ("game.yaml", "dice: 1d6", "zone_of: attack"),
    ("TerrainKind", "stops_ranges"): ("game.yaml", 'color: "#cdaf7e"', "stops_ranges: true"),
    ("Modifier", "on"): ("counters.yaml", "to: defenders, when: dug_in", "on: defenders, when: dug_in"),
    ("Requirement", "on"): ("counters.yaml", "to: attackers, that: not", "on: attackers, that: not"),
}
"""A text of Two Wells, and the old key that stands there instead."""


@pytest.mark.parametrize("key", OLD, ids=" ".join)
def test_each_gets_its_sentence_at_its_line(tmp_path: Path, key: tuple[str, str]) -> None:
    pack, line, column = break_pack(tmp_path, *OLD[key])
    with pytest.raises(PackError) as error_info:
        load(pack)
    assert f"{OLD[key][0]}:{line}:{column}: the key {key[1]!r} is gone since 0.2; {RENAMED_KEYS[key]}" in str(
        error_info.value
    )


def shapes(base: type[Record] = Record) -> Iterator[type[Record]]:
    """All kinds of records."""
    for shape in base.__subclasses__():
        yield shape
        yield from shapes(shape)


@pytest.mark.parametrize(("key", "name"), NEW_NAMES.items())
def test_a_key_with_a_new_name_is_answered_with_it(key: tuple[str, str], name: str) -> None:
    record, old = key
    shape = next(shape for shape in shapes() if shape.__name__ == record)
    fields = {key_of(field.name) for field in dataclasses.fields(shape)}
    assert name in fields and old not in fields
    node, _ = parse_nodes(f"title: a\n{old}: 1\n".encode(), "rules.yaml")
    findings = Findings()
    assert node is not None
    reader(shape)(node, findings)  # type: ignore[arg-type]
    assert f"rules.yaml:2:1: the key {old!r} is gone since 0.2; it is called `{name}` now" in map(str, findings)


def test_an_old_name_in_an_expression_is_answered_with_the_new_one(tmp_path: Path) -> None:
    rules = """rules:
  inputs: {mud: {title: Is there mud?}}
  movement: {move: {steps: [{text: mud, when: told.mud, cost: 1}]}}
"""
    (tmp_path / "game.yaml").write_text(SMALL + rules, encoding="utf-8")
    with pytest.raises(
        PackError, match=r"game\.yaml:\d+:47: there is no name 'told\.mud' here; it is called input\.mud now"
    ):
        load(tmp_path)


def sections() -> dict[str, str]:
    """What the reference says of each kind of record today."""
    text = reference(PackFile, "What a pack may hold")
    return dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))


def test_every_key_of_0_1_is_a_key_today_or_has_its_sentence() -> None:
    """tests/data/keys-0.1.txt has every key that the reference of 0.1 ever had, by the kind of record."""
    today = sections()
    for line in (ROOT / "tests" / "data" / "keys-0.1.txt").read_text(encoding="utf-8").splitlines():
        record, _, keys = line.partition(": ")
        for key in keys.split():
            assert (f"| `{key}` |" in today[record]) != ((record, key) in RENAMED_KEYS), (record, key)


def test_the_docs_list_them() -> None:
    text = (ROOT / "docs" / "packs.md").read_text(encoding="utf-8").partition("## Packs written for 0.1")[2]
    assert all(f"`{key}`" in text for _, key in RENAMED_KEYS)


def test_what_the_sentences_say_is_a_pack(tmp_path: Path) -> None:
    zones = re.findall(r"`(rules: \{.*\})`", RENAMED_KEYS["Card", "zone_of"])[0]
    (tmp_path / "game.yaml").write_text(f"{SMALL}factors: {{attack: {{name: Attack}}}}\n{zones}\n", encoding="utf-8")
    assert set(load(tmp_path).rules.zones) == {"zoc"}  # type: ignore[union-attr]
    step = re.findall(r"`- (\{.*\})`", RENAMED_KEYS["TerrainKind", "stops_ranges"])[0].replace("TERRAIN", "lake")
    zones = f"rules:\n  zones:\n    zoc:\n      length: 3\n      steps:\n        - {step}\n"
    (tmp_path / "game.yaml").write_text(f"{SMALL}{zones}", encoding="utf-8")
    assert len(load(tmp_path).rules.zones["zoc"].steps) == 1  # type: ignore[union-attr]

"""A pack written for 0.1 is told where each key went that is gone, and what the sentence says then works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scenarios import PackError, load
from scenarios.pack.pack_file import PackFile
from scenarios.reading.reference import reference
from scenarios.reading.renamed_keys import RENAMED_KEYS
from tests.packs import SMALL, break_pack

ROOT = Path(__file__).parent.parent
OLD = {
    ("Card", "zone_of"): ("game.yaml", "dice: 1d6", "zone_of: attack"),
    ("TerrainKind", "stops_ranges"): ("game.yaml", 'color: "#cdaf7e"', "stops_ranges: true"),
    ("Modifier", "on"): ("counters.yaml", "to: defenders, when: dug_in", "on: defenders, when: dug_in"),
    ("Requirement", "on"): ("counters.yaml", "to: attackers, that: not", "on: attackers, that: not"),
}
"""A text of Two Wells, and the old key that stands there instead."""


@pytest.mark.parametrize("key", RENAMED_KEYS, ids=" ".join)
def test_each_gets_its_sentence_at_its_line(tmp_path: Path, key: tuple[str, str]) -> None:
    pack, line, column = break_pack(tmp_path, *OLD[key])
    with pytest.raises(PackError) as error_info:
        load(pack)
    assert f"{OLD[key][0]}:{line}:{column}: the key {key[1]!r} is gone since 0.2; {RENAMED_KEYS[key]}" in str(
        error_info.value
    )


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

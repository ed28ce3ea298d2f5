"""The battle of the guide in docs/rules.md, written into a new game as a reader does it, and the keys that the page explains."""

from __future__ import annotations

import dataclasses
import datetime
import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from modgen.new import new_game
from scenarios import check, load
from scenarios.rules import counters, procedures
from tests.rule_keys import SHAPES, ask_words

GUIDE = (Path(__file__).parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
COLUMNS = {1: "-----1", 2: "----11"}
"""Whether a die hits, by what a unit of infantry has left: attack 1 in the first column, attack 3 in the second."""


def yaml_of(heading: str) -> list[str]:
    """The YAML under a heading of the guide."""
    section = GUIDE.partition(f"{heading}\n")[2].partition("\n### ")[0]
    return re.findall(r"```yaml\n(.*?)```", section, flags=re.S)


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("guide") / "my_game"
    new_game(folder, "", datetime.date(2026, 11, 19))
    pieces, rules = yaml_of("### 8. A battle in rounds")
    tables, _, attacks = pieces.partition("attacks:\n")
    text = (folder / "counters.yaml").read_text(encoding="utf-8")
    text = text.replace("tables:\n", tables, 1).replace("attacks:\n", f"attacks:\n{attacks}", 1)
    (folder / "counters.yaml").write_text(text, encoding="utf-8")
    (folder / "rules.yaml").write_text(rules, encoding="utf-8")
    return folder


def test_the_battle_of_the_guide_is_the_one_played_by_hand(folder: Path) -> None:
    """One company of infantry against another, of two steps each: rounds go on until one is eliminated."""
    assert check(folder) == []
    answer = ask_words(load(folder), ["battle", "infantry_north", "infantry_south"])
    now = {(2, 2): Fraction(1)}
    ends: dict[str, Fraction] = {}
    for _ in range(400):  # more rounds than could matter
        following: dict[tuple[int, int], Fraction] = {}
        for (one, two), chance in now.items():
            for first, second in product(range(6), repeat=2):
                left = one - (COLUMNS[two][second] == "1"), two - (COLUMNS[one][first] == "1")
                share = chance / 36
                if 0 in left:
                    end = (
                        "both sides are eliminated"
                        if left == (0, 0)
                        else "the attackers win"
                        if left[0]
                        else "the defenders win"
                    )
                    ends[end] = ends.get(end, Fraction(0)) + share
                else:
                    following[left] = following.get(left, Fraction(0)) + share
        now = following
    for row in answer["outcomes"]:
        assert abs(Fraction(row["chance"]) - ends[row["text"]]) < Fraction(1, 10**12)
    assert ask_words(load(folder), ["battle", "2*tanks", "3*infantry_north", "attackers_withdraw=1"])["outcomes"]


def test_every_key_of_procedures_and_counters_is_explained() -> None:
    """The page names every key; pack-reference.md lists them by shape."""
    explained = GUIDE.partition("## Procedures\n")[2]
    missing = []
    for name, shape in SHAPES.items():
        if shape.__module__ in (procedures.__name__, counters.__name__):
            keys = {field.name.rstrip("_") for field in dataclasses.fields(shape)} - {"node", "source", "sources"}
            missing += [f"{name}.{key}" for key in keys if not re.search(rf"[`{{, ]{key}[`:,}}]", explained)]
    assert not missing, missing

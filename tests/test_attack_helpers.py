"""Helpers, what-ifs of inputs, notes and prices of attacks, and battles in words, for any pack."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from scenarios import PackError, load
from tests.asking import ask_json

PACK = Path("scenarios/packs/yom_kippur")
FIELD = "put=nir_arm_bde_a@33.21,karen_arm_bde_a@33.21,sharon_div_hq@33.21,inf_2_4@33.22,mech_90@32.22"


def changed(folder: Path, old_text: str, new_text: str) -> Path:
    """The pack with another text in its attacks."""
    copy = Path(shutil.copytree(PACK, folder / "yom_kippur", ignore=shutil.ignore_patterns("module.lock.json")))
    path = copy / "attacks.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count(old_text) == 1
    path.write_text(text.replace(old_text, new_text), encoding="utf-8")
    return copy


@pytest.mark.parametrize(
    ("old_text", "new_text", "words"),
    [
        (
            "road: {title: The attackers come along a road,",
            "road: {title: The attackers come along a road, helps: true,",
            "make this a flag of the battle with `read: units` and `at: attackers`",
        ),
        (
            "terrain: {title: The defender's terrain,",
            "terrain: {title: The defender's terrain, what_if: in the town,",
            "only a flag or a number of the battle has a what-if",
        ),
        ("when: star_counts}", "when: star_count}", "star_counts"),
    ],
)
def test_misuse_is_found(tmp_path: Path, old_text: str, new_text: str, words: str) -> None:
    with pytest.raises(PackError) as error_info:
        load(changed(tmp_path, old_text, new_text))
    assert words in str(error_info.value)


def test_an_input_with_a_what_if_is_tried(tmp_path: Path) -> None:
    inputs = ("odds", FIELD, "attackers=nir_arm_bde_a", "target=33.22", "attacker_helper=no", "what_if=yes")
    changes = {row["change"]: row["column"] for row in ask_json("ask", "yom_kippur", *inputs)["what_if"]}
    helped = ask_json("ask", "yom_kippur", *inputs[:-2], "attacker_helper=yes")
    assert changes["with a headquarters or engineer"] == helped["column"] != changes["unchanged"]
    pack = changed(tmp_path, "what_if: with a headquarters or engineer, ", "")
    assert "with a headquarters or engineer" not in {row["change"] for row in ask_json("ask", pack, *inputs)["what_if"]}


def test_a_helper_helps_one_attack_of_a_plan(tmp_path: Path) -> None:
    """Two attacks on two hexes by a stack with one headquarters: its shift counts in one of them."""
    inputs = (
        "odds",
        "best=yes",
        "at=33.22,32.22",
        "price=0",
        "turn=4",
        FIELD,
        "attackers=nir_arm_bde_a,karen_arm_bde_a",
    )
    plan = ask_json("ask", "yom_kippur", *inputs)
    assert sum("sharon_div_hq" in attack["units"] for attack in plan["attacks"]) == 1
    free = ask_json("ask", changed(tmp_path, "helps: true, ", ""), *inputs)
    assert Fraction(free["worth"]) >= Fraction(plan["worth"])
    assert not any("sharon_div_hq" in attack["units"] for attack in free["attacks"])


def test_a_helper_may_advance(tmp_path: Path) -> None:
    inputs = ("odds", "turn=4", "attackers=gonen_arm_bde_a", "target=33.22",
              "put=gonen_arm_bde_a@33.21,engineer_bn_1@33.21,inf_2_4@33.22")  # fmt: skip
    answer = ask_json("ask", "yom_kippur", *inputs)
    other = ask_json("ask", changed(tmp_path, "helps: true, ", ""), *inputs)
    assert answer["hex_taken"] == answer["hex_falls"] and Fraction(other["hex_taken"]) < Fraction(other["hex_falls"])


def test_notes_that_hold_are_added() -> None:
    inputs = ("odds", "attackers=nir_arm_bde_a", "defenders=inf_2_4")
    early, late = (ask_json("ask", "yom_kippur", *inputs, f"turn={turn}")["remarks"] for turn in (1, 4))
    assert [row["text"] for row in early] != [row["text"] for row in late]
    assert {row["rule"] for row in (*early, *late)} == {"3.6"}


def test_a_price_of_own_steps() -> None:
    inputs = ("odds", "best=yes", "at=33.22", "turn=4", FIELD, "side=israeli")
    worths = [
        Fraction(ask_json("ask", "yom_kippur", *inputs, f"price={price}")["worth"]) for price in ("0", "1/2", "1")
    ]
    assert worths == sorted(worths, reverse=True) and worths[0] > worths[-1]
    assert Fraction(ask_json("ask", "yom_kippur", *inputs)["worth"]) == worths[-1]


def test_a_battle_in_words_has_the_results_of_the_map() -> None:
    units = ("attackers=nir_arm_bde_a,karen_arm_bde_a", "turn=4")
    words = ask_json("ask", "yom_kippur", "odds", *units, "defenders=inf_2_4")
    placed = ask_json("ask", "yom_kippur", "odds", *units, "target=33.22",
                      "put=nir_arm_bde_a@33.21,karen_arm_bde_a@33.21,inf_2_4@33.22")  # fmt: skip
    assert words["spread"] == placed["spread"] and words["hex_falls"] == placed["hex_falls"]

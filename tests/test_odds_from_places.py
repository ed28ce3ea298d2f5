"""An attack read from the map, in any pack: who takes part, what the map tells, what has to be told. Worked out by hand from RULES.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modgen.cache import Cache
from modgen.vmod.files.lock import Lock
from modgen.vmod.files.module import compose
from scenarios import check, load
from tests.asking import ask_json, run_assistant
from tests.packs import copy


def values(answer: dict[str, Any], group: str) -> dict[str, Any]:
    return {unit["name"]: unit["value"] for unit in answer["units"] if unit["group"] == group}


def test_the_map_tells_terrain_hexsides_and_hexes() -> None:
    # Cars 5 and 5 and infantry 3 against a gun of 1 on the hill 0402: 13 to 1, a column left for the hill, one right for three hexes.
    put = "cars/14@0401,cars/15@0302,infantry_red/11@0403,gun@0402"
    answer = ask_json("odds", "two_wells", "--from", "0401,0302,0403", "--at", "0402", "--put", put)
    assert (answer["attack_strength"], answer["defense_strength"], answer["start"], answer["column"]) == (
        13,
        1,
        "4-1",
        "4-1",
    )
    assert answer["inputs"] == {"terrain": "hill", "hexes": 3, "across_wadi": False} and [
        assumption["input"] for assumption in answer["assumptions"]
    ] == ["turn"]
    assert [modifier["rule"] for modifier in answer["applied"]] == ["3.3", "3.3"]
    assert (answer["sources"], answer["at"], answer["side"]) == (["0401", "0302", "0403"], ["0402"], "red")


def test_a_flag_of_the_battle_holds_where_every_attacker_crosses() -> None:
    camels = "camels/23@0302"
    wadi_answer = ask_json("odds", "two_wells", "--at", "0302", "--from", "0202", "--put", f"cars/14@0202,{camels}")
    assert wadi_answer["inputs"]["across_wadi"] is True and wadi_answer["die"] == 1
    mixed_answer = ask_json(
        "odds", "two_wells", "--at", "0302", "--from", "0202,0402", "--put", f"cars/14@0202,cars/15@0402,{camels}"
    )
    assert mixed_answer["inputs"]["across_wadi"] is False and mixed_answer["die"] == 0


def test_a_flag_of_a_unit_is_read_of_its_own_hexside() -> None:
    # From Lindau over the river at half, from 0706 on the same bank whole: 5/2 + 5 against 6 + 6.
    answer = ask_json(
        "odds", "corps", "--at", "0806", "--from", "0805,0706", "--put", "infantry_north/3@0805,infantry_north/4@0706"
    )
    assert values(answer, "attackers") == {"Infantry corps 3": "5/2", "Infantry corps 4": 5}
    assert (answer["attack_strength"], answer["defense_strength"], answer["column"]) == ("15/2", 12, "1-2")


def test_units_can_be_named_and_what_is_told_goes_before_the_map() -> None:
    put = "--put", "cars/14@0302,cars/15@0302,gun@0402"
    assert values(ask_json("odds", "two_wells", "--at", "0402", "attackers=cars/15", *put), "attackers") == {
        "Armoured cars 15": 5
    }
    assert ask_json("odds", "two_wells", "--at", "0402", "terrain=clear", *put)["shift"] == 0
    far_answer = ask_json("odds", "two_wells", "--at", "0402", "attackers=cars/15:adjacent=no", *put)
    assert far_answer["units"][0]["value"] == 5
    # A gun next to its target may not fire at it (3.4).
    guns = ask_json("odds", "two_wells", "--at", "0302", "side=blue", "attackers=gun", "--put", "cars/14@0302,gun@0402")
    assert {refusal["rule"] for refusal in guns["refused"]} == {"3.4"}


def test_states_of_the_position_count() -> None:
    put = ("--put", "cars/14@0302,gun@0402")
    assert ask_json("odds", "two_wells", "--at", "0402", *put)["attack_strength"] == 5
    dry = ask_json("odds", "two_wells", "--at", "0402", *put, "--mark", "cars/14+dry")
    assert dry["attack_strength"] == "5/2" and dry["units"][0]["applied"][0]["rule"] == "3.2"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--at", "0203"),
            "no unit is in 0203, so there is nothing to attack; to add a unit there, write put=UNIT@0203",
        ),
        (
            ("--at", "0301"),
            "no Red unit is adjacent to 0301; name the attacking places, from=PLACE, or add a unit, put=UNIT@PLACE",
        ),
        (("--at", "0301", "--from", "0201"), "no Red unit stands in 0201"),
        (("--at", "0301", "side=blue"), "only Blue units are in 0301"),
        (("--from", "0201"), "from needs `at`, the attacked place: at=PLACE"),
        (("--at", "0301", "attackers=cars"), "is not on the map: it enters on turn 2"),
        (("--at", "9999"), "9999"),
    ],
)
def test_nobody_there_is_a_sentence(words: tuple[str, ...], message: str) -> None:
    assert message in " ".join(run_assistant("odds", "two_wells", *words, code=2).split())


def test_what_the_map_cannot_tell_is_named_or_asked_for(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    counters = pack / "counters.yaml"
    text = counters.read_text(encoding="utf-8")
    target_options = ("--at", "0402", "--put", "cars/14@0302,gun@0402")
    counters.write_text(text.replace(", read: hexes", ""), encoding="utf-8")
    assert [assumption["input"] for assumption in ask_json("odds", str(pack), *target_options)["assumptions"]] == [
        "turn",
        "hexes",
    ]
    counters.write_text(
        text.replace("default: 1, read: hexes", "read: turn").replace("From how many hexes", "The turn"),
        encoding="utf-8",
    )
    assert ask_json("odds", str(pack), *target_options, "turn=4")["inputs"]["hexes"] == 4
    counters.write_text(text.replace("kind: number, default: 1, read: hexes", "kind: number"), encoding="utf-8")
    assert "the map doesn't show hexes (From how many hexes); add hexes=VALUE" in run_assistant(
        "odds", str(pack), *target_options, code=2
    )


def test_a_flag_that_reads_needs_to_know_what(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    counters = pack / "counters.yaml"
    text = counters.read_text(encoding="utf-8")
    for old, new, message in (
        ("hexsides: [wadi]", "hexsides: [wadis]", "no hexside is called 'wadis'; did you mean wadi"),
        (", hexsides: [wadi]", "", "add `hexsides: [river]`"),
        ("read: hexes", "read: adjacent", "adjacent answers a flag"),
    ):
        counters.write_text(text.replace(old, new), encoding="utf-8")
        assert any(message in str(finding) for finding in check(pack)), message


def test_a_save_of_the_module(tmp_path: Path) -> None:
    save = tmp_path / "autumn.vsav"
    save.write_bytes(compose(load("corps"), Lock(), Cache(None)).files["Autumn rains.vsav"])
    answer = ask_json("odds", "corps", "--at", "0806", "--position", str(save), "--put", "infantry_north/3@0805")
    assert answer["attack_strength"] == "5/2" and answer["defense_strength"] == 12


def test_a_pack_without_rules_reads_the_map_too(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / "rules.yaml").unlink()
    assert ask_json("odds", str(pack), "--at", "0402", "--put", "cars/14@0302,gun@0402")["inputs"]["terrain"] == "hill"


def test_a_module_reads_the_same_flags() -> None:
    """The whole battle where all attackers cross one kind, a unit by its own hexside, and whether it is adjacent."""
    from modgen.vmod.battle.places import crossings, usual

    wells, corps = load("two_wells"), load("corps")
    assault = wells.attacks["assault"]
    assert '"wadi;".equals(' in usual(wells, assault.inputs["across_wadi"], True) and list(crossings(wells)) == ["wadi"]
    river = corps.attacks["assault"].groups["attackers"].inputs["across_river"]
    assert '"river".equals(' in usual(corps, river, False)
    assert '"1".equals(' in usual(wells, assault.groups["attackers"].inputs["adjacent"], False)

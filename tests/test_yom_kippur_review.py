"""Yom Kippur asked through the command line: flights, reserves, hexes taken, air units, where units may be put."""

from __future__ import annotations

import functools
import json
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from scenarios.command import load_game
from scenarios.model.game import Game
from tests.asking import ask_text


@functools.cache
def load_cached(game: str, overlays: tuple[Path, ...], no_overlay: bool) -> Game:
    return load_game(game, overlays, no_overlay)


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is loaded once."""
    for module in ("ask", "verbs", "open_save"):
        monkeypatch.setattr(f"assistant.commands.{module}.load_game", load_cached)


text_of = partial(ask_text, "ask", "yom_kippur", "--no-overlay")


def json_answer(*words: str) -> dict[str, Any]:
    return dict(json.loads(text_of(*words, "--json")))


def refusal_of(*words: str) -> str:
    return text_of(*words, code=2)


def test_nobody_flies_in_the_exploitation_phase() -> None:
    """1.11a: the phases of a flight are those of movement."""
    flight = ("move", "put=matt_abn_bde_a@27.10", "unit=matt_abn_bde_a", "kind=flight")
    assert json_answer(*flight)["places"]
    rules = load_game("yom_kippur", (), True).rules
    assert rules is not None
    assert set(rules.movement["flight"].phases) == {"egyptian_movement", "israeli_movement"}


@pytest.mark.parametrize(
    ("other_units", "destination", "reason"),
    [
        ("inf_2_4@27.15", "27.15", "an enemy unit is there (1.11)"),
        ("sam/1@27.30", "27.20", "in range of enemy missiles: SAM 1 (1.10, 1.11)"),
        ("", "30.35", "27 points away, but the unit has 25 (1.11)"),
        ("nir_arm_bde_a@27.12,nir_arm_bde_b@27.12,karen_arm_bde_a@27.12,karen_arm_bde_b@27.12,amir_arm_bde_a@27.12,"
         "amir_arm_bde_b@27.12", "27.12", "(1.3)"),
        ("", "17.22", "a lake (3.5b)"),
    ],
)  # fmt: skip
def test_a_landing_that_cant_be_made_says_why(other_units: str, destination: str, reason: str) -> None:
    """1.10, 1.11, 1.3: enemies, missiles, distance, room and water each by its own name."""
    put = ",".join(filter(None, ["matt_abn_bde_a@27.10", other_units]))
    assert reason in refusal_of("move", f"put={put}", "unit=matt_abn_bde_a", "kind=flight", f"to={destination}")


def test_a_lake_is_no_place_to_end() -> None:
    """3.5b: the amphibious brigade crosses a lake hex and never ends there, however empty it is."""
    words = ("move", "put=amphib_130_a@17.21", "unit=amphib_130_a", "to=17.22")
    assert "(3.5b)" in refusal_of(*words) and "1.3" not in refusal_of(*words)
    full = ",".join(f"{unit}@16.20" for unit in ("amphib_130_a", "inf_2_4", "inf_2_120", "inf_16_16"))
    crowd = full.replace("amphib_130_a@16.20", "amphib_130_a@17.21")
    assert "(1.3)" in refusal_of("move", f"put={crowd}", "unit=amphib_130_a", "to=16.20")


CROSSING_WORDS = ("forecast", "scenario=4.5", "put=nir_arm_bde_a@42.25", "remove=sam/1")


def test_one_who_crosses_frees_both_reserves_for_sure() -> None:
    """3.3, 3.4: the GHQ Reserve comes with the first Egyptian turn after an Israeli is west of the canal, and its release
    releases the other; there is no throw left to make."""
    answer = json_answer(*CROSSING_WORDS)
    first = answer["turns"][0]["counters"]
    assert first["ghq_out"] == first["reserve_out"] == {"yes": "1"}
    assert all(Fraction(roll["now"]) == 0 for roll in answer["turn_rolls"] if roll["rule"] == "3.4")


def test_the_throws_without_him() -> None:
    """3.4: 9 or more on two dice is 10 in 36, each turn until it comes; not before turn 2."""
    answer = json_answer("forecast", "scenario=4.2")
    assert all(row["counters"]["ghq_out"] == {"no": "1"} for row in answer["turns"])
    chance_left = Fraction(1)
    for row in (roll for roll in answer["turn_rolls"] if roll["rule"] == "3.4"):
        chance_now = chance_left * Fraction(10, 36) if row["turn"] >= 2 else Fraction(0)
        chance_left -= chance_now
        assert (Fraction(row["now"]), Fraction(row["expected"])) == (chance_now, 1 - chance_left)


@pytest.mark.parametrize(("phase", "turn"), [("egyptian_reserve_release", 2), ("israeli_combat", 3)])
def test_the_next_egyptian_turn_depends_on_the_phase(tmp_path: Path, phase: str, turn: int) -> None:
    """1.2, 3.3: once the Egyptian turn has begun, the next is a turn later."""
    path = tmp_path / "position.yaml"
    path.write_text(
        f"game: yom_kippur\nscenario: '4.5'\nturn: 2\nphase: {phase}\npieces:\n"
        "  - {unit: nir_arm_bde_a, at: '42.25'}\n  - {unit: arm_21_1, at: 'box:exploitation_reserve'}\n"
        "  - {unit: hq_ghq, at: 'box:ghq_holding'}\n",
        encoding="utf-8",
    )
    for row in json_answer("forecast", f"position={path}")["turns"]:
        has_come = {"yes": "1"} if row["turn"] >= turn else {"no": "1"}
        assert row["counters"]["ghq_out"] == row["counters"]["reserve_out"] == has_come


BATTLE = ("odds", "put=nir_arm_bde_a@33.21,nir_arm_bde_b@33.21,inf_2_4@33.22", "attackers=nir_arm_bde_a,nir_arm_bde_b",
          "target=33.22")  # fmt: skip


def test_a_hex_that_nobody_is_left_to_take() -> None:
    """Two single steps of armor at 2 to 1 before turn 4: each throw below 9 kills both (a step, and a Sagger's, 3.6)."""
    answer = json_answer(*BATTLE, "turn=2")
    assert (answer["column"], answer["hex_falls"], answer["hex_taken"]) == ("2-1", "5/6", "5/18")
    for result in answer["results"]:
        steps_lost = sum(row["steps"] for row in result["units"] if row["role"] == "attacker")
        assert result["hex_taken"] == (result["hex_falls"] and steps_lost < 2)
    late_answer = json_answer(*BATTLE, "turn=4")
    assert late_answer["hex_taken"] == late_answer["hex_falls"] == "5/6", "one of two is always left"
    text = text_of(*BATTLE, "turn=2")
    assert "captured: 83.3%" in text and "advance into it: 27.8%" in text


def test_a_helper_takes_the_hex_too() -> None:
    """1.5: a headquarters or engineer stacked with the attackers takes part and may advance; 3.5a: not an army's to the
    east bank."""
    arguments = ("odds", "turn=4", "attackers=gonen_arm_bde_a", "target=33.22")
    with_nobody = json_answer(*arguments, "put=gonen_arm_bde_a@33.21,inf_2_4@33.22")
    helper_answer = json_answer(*arguments, "put=gonen_arm_bde_a@33.21,engineer_bn_1@33.21,inf_2_4@33.22")
    assert Fraction(with_nobody["hex_taken"]) < Fraction(with_nobody["hex_falls"])
    assert helper_answer["hex_taken"] == helper_answer["hex_falls"]
    told_off = json_answer(
        *arguments, "put=gonen_arm_bde_a@33.21,engineer_bn_1@33.21,inf_2_4@33.22", "attacker_helper=no"
    )
    assert told_off["hex_taken"] == with_nobody["hex_taken"]


def test_attackers_who_go_back_take_nothing() -> None:
    """Combat Results Table: an r in the attacker's part."""
    answer = json_answer("odds", "attackers=nir_arm_bde_a", "defenders=inf_2_4,inf_2_120,inf_16_16", "turn=4")
    assert all(not result["hex_taken"] for result in answer["results"] if "attacker_retreat" in result["effects"])


def test_hexes_are_counted_when_they_are_taken() -> None:
    plan = json_answer("odds", "best=yes", "at=33.22", "aim=places", BATTLE[1], "turn=2")
    assert plan["worth"] == plan["attacks"][0]["hex_taken"] == "5/18"


@pytest.mark.parametrize(
    "words",
    [
        (*BATTLE, "turn=1", "israeli_air=3"),
        ("odds", "attackers=nir_arm_bde_a", "defenders=inf_2_4", "turn=1", "israeli_air=3"),
        ("odds", "attackers=nir_arm_bde_a", "defenders=inf_2_4", "israeli_air=9"),
        (
            "odds",
            "attack=barrage",
            "put=arty_bde_a@33.19,inf_2_4@33.22",
            "attackers=arty_bde_a",
            "target=33.22",
            "turn=1",
            "israeli_air=3",
        ),
        ("odds", "attack=barrage", "attackers=arty_bde_a:distance=2", "turn=1", "israeli_air=3"),
    ],
)
def test_no_more_air_units_than_the_turn_has(words: tuple[str, ...]) -> None:
    """1.12; the track itself is ours, and the refusal says so. Turn 1 has 2."""
    refusals = json_answer(*words)["refused"]
    assert [row["rule"] for row in refusals] == ["1.12"] and "isn't the rulebook's" in refusals[0]["text"]
    allowed_answer = json_answer(*(word for word in words if not word.startswith("israeli_air")), "israeli_air=2")
    assert not allowed_answer["refused"]


def test_no_plan_uses_more_air_units_than_the_turn_has() -> None:
    arguments = ("odds", "best=yes", "at=33.22", BATTLE[1], "turn=1", "price=0")
    assert (
        not json_answer(*arguments, "israeli_air=3")["attacks"] and json_answer(*arguments, "israeli_air=2")["attacks"]
    )


def test_what_if_offers_no_air_unit_that_the_turn_lacks() -> None:
    """1.12: turn 1 has two Israeli air units."""
    changes = {row["change"] for row in json_answer(*BATTLE, "turn=1", "israeli_air=2", "what_if=yes")["what_if"]}
    assert "with one Israeli air unit more" not in changes
    assert "with one Israeli air unit more" in {
        row["change"] for row in json_answer(*BATTLE, "turn=1", "what_if=yes")["what_if"]
    }


def test_the_sam_zone_box_holds_part_of_those_used() -> None:
    """1.12c."""
    refusals = json_answer(*BATTLE, "turn=4", "israeli_air=1", "sam_zone_air=2")["refused"]
    assert [row["rule"] for row in refusals] == ["1.12c"] and "SAM Zone Box" in refusals[0]["text"]


@pytest.mark.parametrize("unit", ["hq_2_army", "sam/1"])
def test_who_stays_west_isnt_put_east(unit: str) -> None:
    """1.10b, 1.13c, 3.5a; 3.8 lifts it."""
    message = refusal_of("supply", f"put={unit}@42.22")
    assert "3.5a" in message and "may_cross_east=yes" in message
    json_answer("supply", f"put={unit}@42.22", "may_cross_east=yes")
    json_answer("supply", f"put={unit}@42.25")


def test_schnell_abdul_is_paid_for_in_the_score() -> None:
    """3.8: two points to Israel."""
    arguments = ("score", "scenario=4.1", "put=hq_2_army@42.22")
    refusal_of(*arguments)
    paid, unpaid = json_answer(*arguments, "may_cross_east=yes"), json_answer("score", "scenario=4.1")
    points = [Fraction(answer["totals"]["israeli"]) for answer in (paid, unpaid)]
    assert points[0] - points[1] >= 2


@pytest.mark.parametrize("place", ["17.22", "60.22"])
def test_nobody_is_put_in_the_water(place: str) -> None:
    """3.5b, Terrain Effects Chart."""
    assert "can't be in" in refusal_of("stacks", f"put=nir_arm_bde_a@{place}")


def test_enemies_by_name() -> None:
    answer = json_answer("odds", "attackers=nir_arm_bde_a", "defenders=nir_arm_bde_b")
    assert any("must be of opposite sides" in text for text in (refusal["text"] for refusal in answer["refused"]))


@pytest.mark.parametrize(
    ("words", "entry"),
    [
        ("odds attackers=nir_arm_bde_a defenders=inf_2_4", "counters/nir_arm_bde_a/factors/attack"),
        ("odds attackers=nir_arm_bde_a defenders=inf_2_4", "counters/nir_arm_bde_a/steps"),
        ("odds attackers=arm_15+reduced defenders=static_1", "counters/arm_15/back/factors/attack"),
        ("odds best=yes at=33.22 put=nir_arm_bde_a@33.21,inf_2_4@33.22 price=0", "counters/inf_2_4/factors/defense"),
        ("odds attack=barrage attackers=arty_bde_a:distance=2", "counters/arty_bde_a/factors/barrage"),
        ("odds attack=barrage attackers=arty_bde_a:distance=2 spotter=yes", "attacks/barrage/modifiers/5"),
        ("supply scenario=4.5", "counters/hq_2_army/factors/supply_range"),
        ("supply scenario=4.5", "boards/sinai/terrain"),
        ("move put=nir_arm_bde_a@33.21 unit=nir_arm_bde_a", "counters/nir_arm_bde_a/factors/movement"),
        ("move put=nir_arm_bde_a@33.21 unit=nir_arm_bde_a", "boards/sinai/terrain"),
        ("move put=matt_abn_bde_a@27.10 unit=matt_abn_bde_a kind=flight", "counters/matt_abn_bde_a/steps"),
        ("stack put=nir_arm_bde_a@33.21 at=33.21", "counters/nir_arm_bde_a/steps"),
        ("replacement put=arm_15@43.25 mark=arm_15+reduced", "counters/arm_15/steps"),
    ],
)
def test_an_answer_names_what_isnt_the_rulebooks(words: str, entry: str) -> None:
    """Strengths, steps, ranges and the map aren't in the book: the answer says so, in the JSON and in a line."""
    assert entry in json_answer(*words.split())["unofficial"]
    assert text_of(*words.split()).count("Uses unofficial numbers") == 1


def test_steps_that_the_book_gives_are_its_own() -> None:
    """1.4c: three-step Egyptian infantry."""
    answer = json_answer("stack", "put=inf_2_4@33.21", "at=33.21")
    assert answer["stacks"][0]["steps"] == 3 and answer["unofficial"] == {}


@pytest.mark.parametrize("unit", ["arm_15", "inf_2_4"])
def test_a_lake_is_called_a_lake(unit: str) -> None:
    """3.5b: a lake hex is shut to all but the amphibious brigade, road or no road."""
    assert "(3.5b)" in refusal_of("move", f"put={unit}@17.21", f"unit={unit}", "to=17.22")

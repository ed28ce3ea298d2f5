"""Helicopters that bring their strikes into other fire, in The Arab-Israeli Wars, and units fired at as they unload."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import cli
from tests.asking import ask_json, run_assistant, run_command
from tests.questions import base

HEAD = "game: arab_israeli_wars\nscenario: {}\npieces:\n"


odds = partial(ask_json, "odds", "arab_israeli_wars")


refusal_of = partial(run_assistant, "odds", "arab_israeli_wars", code=2)


def position(folder: Path, scenario: str, *pieces: str) -> str:
    path = folder / "position.yaml"
    path.write_text(HEAD.format(scenario) + "".join(f"  - {{unit: {piece}}}\n" for piece in pieces), encoding="utf-8")
    return str(path)


def strengths(answer: dict[str, Any]) -> tuple[str, str]:
    return str(answer["attack_strength"]), str(answer["defense_strength"])


# Advanced I.E.7.d: a strike and ground fire at one target are one attack; I.E.7.c: each by its part of the chart.


def test_a_strike_adds_to_the_fire_of_others(tmp_path: Path) -> None:
    """In A-3 each Mi-8 carries 30 G: with a Sagger's 30 and infantry's 6 next to the tanks, 66 to 30."""
    position_path = position(
        tmp_path, "A-3", "mi_8, at: B-H-5", "sagger, at: B-H-5", "infantry_egypt, at: B-L-5", *["m48a5, at: B-M-5"] * 2
    )
    answer = odds("--position", position_path, "--from", "B-H-5,B-L-5", "--at", "B-M-5")
    assert strengths(answer) == ("66", "30") and answer["column"] == "2-1"
    assert strengths(odds("--position", position_path, "--from", "B-H-5", "--at", "B-M-5", "--firers", "mi_8")) == (
        "30",
        "30",
    )
    single_answer = odds("--position", position_path, "--from", "B-H-5", "--at", "B-M-5", "--attack", "air_strike")
    assert strengths(single_answer) == ("30", "30") and [base(attacker) for attacker in single_answer["attackers"]] == [
        "mi_8"
    ]
    plan = odds("--position", position_path, "--best", "--side", "arab", "--at", "B-M-5")
    assert plan["worth"] == 1 and [base(attacker) for attacker in plan["attacks"][0]["attackers"]] == ["mi_8", "sagger"]


def test_cover_counts_and_hull_down_only_from_the_ground() -> None:
    """Advanced I.C.6, I.E.5: woods +1 against a strike, +2 more where a tank sees the target hull down."""
    strike, tank = "mi_8:points=30:kind=G:distance=5", "t_62:distance=3"
    target = "m48a5+spotted:shielded=yes"
    for firers, die in ((strike, 1), (f"{strike},{tank}", 3), ("huey_gunship:distance=2", 0)):
        answer = odds("direct_fire", f"firers={firers}", f"targets={target}", "terrain=woods")
        assert answer["targets"][0]["die"] == die


@pytest.mark.parametrize(
    ("attack", "firer", "reason"),
    [
        ("direct_fire", "mi_8:points=30:kind=G:distance=13", "Basic VI.C.2"),
        ("direct_fire", "mi_8:points=21:kind=A:distance=4", "Basic VI.C.2"),
        ("direct_fire", "mi_8:points=20:kind=H:distance=1", "Basic VI.C.2"),
        ("direct_fire", "mi_8:points=20:kind=(H):distance=0", "Advanced I.E.7.a"),
        ("opportunity_fire", "jet_arab:points=21:kind=A:distance=1", "Advanced I.E.7.a"),
        ("direct_fire", "t_62:points=21:kind=A", "Advanced I.E.7.a"),
        ("direct_fire", "mi_8+spent:points=30:kind=G:distance=5", "Advanced II.F"),
        ("indirect_fire", "mi_8:points=30:kind=G:distance=0", "Advanced I.E.7.b"),
        ("indirect_fire", "mi_8:points=20:distance=1", "Advanced I.C.2.c"),
        ("indirect_fire", "mi_8", "Standard II.A.2.a"),
    ],
)
def test_strikes_that_may_not_join(attack: str, firer: str, reason: str) -> None:
    assert reason in refusal_of(attack, f"firers={firer}", "targets=m48a5")


def test_a_strike_at_cover_needs_the_marker() -> None:
    """Advanced I.C.3.b: a neighbour is enough for ground fire, not for a strike."""
    words = ("direct_fire", "firers=mi_8:points=30:kind=G:distance=5,t_62:distance=1", "terrain=woods")
    assert "Advanced I.C.3.b" in refusal_of(*words, "targets=m48a5")
    assert strengths(odds(*words, "targets=m48a5+spotted")) == ("58", "15")


def test_an_h_strike_joins_indirect_fire(tmp_path: Path) -> None:
    """Advanced I.E.7.b: in A-6 a Mi-8 has 20 (H), half of it against armor, with a 122 mm howitzer's 13/2."""
    position_path = position(
        tmp_path, "A-6", "mi_8, at: A-H-9", "how_122, at: A-AA-9", "m60a1, at: A-H-9", "infantry_israel, at: A-H-9"
    )
    answer = odds(
        "--position",
        position_path,
        "--attack",
        "indirect_fire",
        "--from",
        "A-H-9,A-AA-9",
        "--at",
        "A-H-9",
        "--side",
        "arab",
    )
    assert [strengths(attack) for attack in answer["attacks"]] == [("33/2", "16"), ("33", "8")]
    assert [fall["how"] for fall in answer["falls"]] == ["hit"]  # the helicopter sees what lies below it


# Advanced II.A.2.a: mounted infantry joins any attack of its carrier, overruns among them.


def test_mounted_infantry_joins_an_overrun(tmp_path: Path) -> None:
    """5 and 7 to 8; in the Standard Rules it stays inside."""
    pieces = ("m113a1, at: A-M-8", "infantry_israel, at: A-M-8, states: [loaded]", "infantry_egypt, at: A-M-7")
    for scenario, strength in (("A-5", "12"), ("S-9", "5")):
        position_path = position(tmp_path, scenario, *pieces)
        answer = odds("--position", position_path, "--attack", "overrun", "--from", "A-M-8", "--at", "A-M-7")
        assert strengths(answer) == (strength, "8")
    assert "Standard II.D.2.a" in refusal_of("overrun", "attackers=m113a1,infantry_israel", "targets=infantry_egypt")


# Standard II.E.3.h: who unloads is a target with the carrier or without it; who is loaded is none.


def test_unloading_passengers_are_targets(tmp_path: Path) -> None:
    """A T-55 three hexes off and infantry next to it: 10 + 6 at the carrier; 5 + 6 at the infantry, and at both, where
    nobody has the majority (Basic VI.D.3.b)."""
    position_path = position(
        tmp_path,
        "S-9",
        "t_55, at: A-L-5",
        "infantry_egypt, at: A-M-7",
        "m113a1, at: A-L-9",
        "infantry_israel, at: A-L-9, states: [loaded]",
    )
    fire = ("--position", position_path, "--attack", "opportunity_fire", "--path")
    way = "A-L-9,A-L-8,unload"
    assert strengths(odds(*fire, way)) == ("16", "5")
    assert strengths(odds(*fire, way, "--targets", "infantry_israel")) == ("11", "8")
    answer = odds(*fire, way, "--targets", "m113a1,infantry_israel")
    assert strengths(answer) == ("11", "13") and len(answer["targets"]) == 2
    assert "no 'infantry_israel' spends points there" in refusal_of(
        *fire, "A-L-9,A-L-8,unload,A-L-7", "--targets", "m113a1,infantry_israel"
    )


def test_mounted_infantry_is_in_the_plan(tmp_path: Path) -> None:
    """Advanced II.A.2: a passenger fires at what its carrier fires at. Two M113A1, one with infantry, against infantry
    and a truck: every way to share them out."""
    position_path = position(
        tmp_path,
        "A-5",
        "m113a1, at: A-M-8",
        "infantry_israel, at: A-M-8, states: [loaded]",
        "m113a1, at: A-N-8",
        "infantry_egypt, at: A-N-7, states: [dispersed]",
        "truck_egypt, at: A-L-9",
    )
    plan = odds("--position", position_path, "--best", "--side", "israeli", "--at", "A-N-7,A-L-9")
    best = Fraction(0)
    for first_target, second_target in (("A-N-7", "A-L-9"), ("A-L-9", "A-N-7")):
        for split in ((("A-M-8", first_target), ("A-N-8", second_target)), (("A-M-8,A-N-8", first_target),)):
            answers = [odds("--position", position_path, "--from", hexes, "--at", target) for hexes, target in split]
            best = max(best, sum((Fraction(str(answer["eliminated"])) for answer in answers), Fraction(0)))
    assert Fraction(str(plan["worth"])) == best > 1
    for attack in plan["attacks"]:
        units = [(base(attacker), attacker["place"]) for attacker in attack["attackers"]]
        assert (("infantry_israel", "A-M-8") in units) == (("m113a1", "A-M-8") in units)
    assert [
        base(attacker) for attack in plan["attacks"] for attacker in attack["attackers"] if base(attacker) != "m113a1"
    ] == ["infantry_israel"]


def test_a_strike_waits_for_what_moves(tmp_path: Path) -> None:
    """Advanced I.E.7.a: opportunity fire too; a tank of 6 is a target after two hexes of clear ground."""
    position_path = position(tmp_path, "A-3", "mi_8, at: B-H-5", "m48a5, at: B-M-5")
    words = ("--position", position_path, "--unit", "m48a5", "--from", "B-M-5", "--path", "B-M-6,B-M-7", "--json")
    move_answer = json.loads(run_command(cli, "move", "arab_israeli_wars", *words).stdout)
    assert [(base(shot), shot["place"], shot["may"]) for shot in move_answer["shots"]] == [("mi_8", "B-M-7", True)]
    answer = odds("--position", position_path, "--attack", "opportunity_fire", "--path", "B-M-5,B-M-6,B-M-7")
    assert strengths(answer) == ("30", "15")


# Standard II.B, II.F: what has no counter, by points and type.


def test_strikes_and_batteries_in_words() -> None:
    """21 A doubled against armor with 20 (H) halved for each of two tanks; 18 M halved and 15 (H) thrice that at one."""
    assert strengths(odds("air_strike", "strikes=21A,20(H)", "targets=t_62,t_62")) == ("62", "20")
    answer = odds("indirect_fire", "firers=18M,15(H):destructive=yes,mortar_120_m3:distance=5", "targets=t_62")
    assert strengths(answer) == ("36", "10")
    assert "'foo'" in refusal_of("indirect_fire", "firers=15(H):foo=2", "targets=t_62")
    assert "Standard II.A.2.a" in refusal_of("indirect_fire", "firers=21A", "targets=t_62")

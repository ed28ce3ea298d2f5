"""What a turn of Operation Musketeer and of October War brings, by the charts of the rulebooks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.asking import ask_json


def happens(answer: dict[str, Any], phase: str) -> list[dict[str, Any]]:
    (events,) = [section["happens"] for section in answer["phases"] if section["phase"] == phase]
    return list(events)


def test_disrupted_units_roll_to_refit() -> None:
    """Refit Table: Israel on 1 to 3, Egypt on 1 and 2; each in the impulse of its side (21.2)."""
    turn = ask_json(
        "turn", "musketeer", "--turn", "2", "--mark", "garrison_israel/2+disrupted,garrison_egypt/1+disrupted"
    )
    for phase, unit, chance in (
        ("first_refit", "garrison_israel/2", "1/2"),
        ("second_refit", "garrison_egypt/1", "1/3"),
    ):
        (rolls,) = [event for event in happens(turn, phase) if event.get("clears") == "disrupted"]
        (row,) = rolls["units"]
        assert rolls["rule"] == "21.2" and (row["unit"], Fraction(str(row["chance"]))) == (unit, Fraction(chance))


@pytest.mark.parametrize(("turn", "chance"), [(1, "1/6"), (2, "1/3"), (5, "5/6"), (7, "1")])
def test_involvement_by_the_turn(turn: int, chance: str) -> None:
    """28.3: a die no higher than the turn's number."""
    rolls = happens(ask_json("turn", "musketeer", "--turn", str(turn), "ussr=yes"), "involvement")
    # The Soviets are in, so the Arab League and the US roll.
    assert len(rolls) == 2 and {Fraction(str(roll["chances"]["it succeeds"])) for roll in rolls} == {Fraction(chance)}
    assert len(happens(ask_json("turn", "musketeer", "--turn", str(turn)), "involvement")) == 2


def test_events_and_the_world_war() -> None:
    """22.1: two dice; 6.4: at 50 on the escalation track the game ends."""
    turn = ask_json("turn", "musketeer")
    (event,) = happens(turn, "events")
    assert Fraction(str(event["chances"]["Brinksmanship"])) == Fraction(1, 6) and not happens(turn, "second_activation")
    (end,) = happens(ask_json("turn", "musketeer", "--put", "escalation@box:escalation/50"), "second_activation")
    assert end["rule"] == "6.4"


def test_mobilization_and_refit() -> None:
    """10.1, 10.6: points by the turn, from the fifth one unit is free; 11.4: an Arab unit is gone on 1 and 2."""
    fourth, fifth = (ask_json("turn", "october_war", "--turn", turn) for turn in ("4", "5"))
    assert [event["gain"] for event in happens(fourth, "arab_mobilization")] == [3, 2]
    assert [event["gain"] for event in happens(fourth, "israeli_mobilization")] == [5]
    assert [event["gain"] for event in happens(fifth, "israeli_mobilization")] == [5, 1]
    (refit,) = happens(fifth, "arab_refit")
    assert Fraction(str(refit["chances"]["X"])) == Fraction(1, 3)
    assert all(section["phase"] != "arab_mobilization" for section in ask_json("turn", "october_war")["phases"]), (
        "6.3: not on turn 1"
    )


def test_what_a_result_does() -> None:
    """15.1 of Musketeer, 16.0 of October War: the records of each result, with their sections."""
    fire = {
        row["result"]: row
        for row in ask_json("odds", "musketeer", "attackers=bde_7_israel", "defenders=div_1_egypt")["results"]
    }
    assert len(fire["DR*"]["does"]) == 3 and "17.6" in fire["DR*"]["rule"] and "A/G" not in fire
    battle = ask_json("odds", "october_war", "attackers=armor_battalion", "defenders=infantry_brigade_egypt")
    does = {row["result"]: [record["text"] for record in row["does"]] for row in battle["results"]}
    assert does["r"] == ["one unit retreats, or the force takes one loss instead"]
    assert does["R"] == ["all units retreat, or the force takes one loss instead"]

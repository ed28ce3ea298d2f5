"""What a result does, who may attack, turns and points, as the samples' RULES.md tell them. The numbers are worked out by hand."""

from __future__ import annotations

import re
import shutil
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from scenarios import check, load
from tests.asking import ask_json, ask_text
from tests.packs import break_pack, copy


def results(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The units that each result touches, by code and id."""
    return {result["result"]: {unit["unit"]: unit for unit in result["units"]} for result in answer["results"]}


FORD = ("--at", "0806", "--from", "0805,0706",
        "--put", "infantry_north/3@0805,infantry_north/4@0706,infantry_north/5@0706,infantry_south/12@0508")  # fmt: skip


# --- results ----------------------------------------------------------------------------------------------------------


def test_losses_retreats_and_advances_at_the_ford() -> None:
    # 5/2 over the river and twice 5 against 6: 2-1, where 1 is nothing, 2 to 4 DR, 5 and 6 D1.
    answer = ask_json("odds", "corps", *FORD)
    assert answer["column"] == "2-1" and answer["chances"] == {"-": "1/6", "DR": "1/2", "D1": "1/3"}
    outcomes = results(answer)
    assert outcomes["-"] == {}
    beaten = outcomes["D1"]["infantry_south/11"]
    assert (beaten["steps"], beaten["eliminated"], beaten["retreat"], beaten["rule"]) == (1, False, 2, "5.4, 6")
    assert outcomes["DR"]["infantry_south/11"]["steps"] == 0
    # The same ends as the retreat alone, and none north of the river without a road.
    ways = ask_json("retreat", "corps", "infantry_south/11", "hexes=2", *FORD[4:])["units"][0]["ways"]
    assert set(beaten["ends"]) == {way["to"] for way in ways} and all(end[2:] > "05" for end in beaten["ends"])
    assert all(outcomes["DR"][f"infantry_north/{n}"]["advances"] == ["0806"] for n in (3, 4, 5))
    assert (answer["hex_falls"], answer["attacker_steps"], answer["defender_steps"]) == ("5/6", 0, "1/3")


def test_what_a_result_does_depends_on_the_terrain() -> None:
    """Out of a town defenders go back one hex less (6)."""
    south = "infantry_south/11@0905,infantry_south/12@0804,infantry_south/13@0804"
    town = ask_json("odds", "corps", "--at", "0805", "--from", "0905,0804", "--put", f"{south},infantry_north/3@0805")
    open_ = ask_json("odds", "corps", "--at", "0904", "--from", "0905,0804", "--put", f"{south},infantry_north/3@0904")
    assert results(town)["DR"]["infantry_north/3"]["retreat"] == 1
    assert {
        unit["retreat"] for units in results(open_).values() for key, unit in units.items() if "retreat" in unit
    } == {2}


def test_attackers_go_back_and_lose_too() -> None:
    # 5 against 12: worse than 1-2 but for 6 to 12, which is 1-2: AR AR A1 A1 A1 -.
    answer = ask_json(
        "odds", "corps", "--at", "0806", "--from", "0706", "--put", "infantry_north/3@0706,cavalry_north@0706"
    )
    assert answer["column"] == "1-2" and answer["chances"] == {"AR": "1/3", "A1": "1/2", "-": "1/6"}
    outcomes = results(answer)
    assert {unit["retreat"] for unit in outcomes["AR"].values()} == {1} and len(outcomes["AR"]) == 2
    # The owner gives a step of the corps, not its only cavalry.
    assert list(outcomes["A1"]) == ["infantry_north/3"] and outcomes["A1"]["infantry_north/3"]["steps"] == 1
    lines = next(row for row in answer["results"] if row["result"] == "A1")["lines"]
    assert lines == [{"text": "the owner chooses who: the attackers lose steps", "rule": "5.4"}]
    assert answer["attacker_steps"] == "1/2" and answer["hex_falls"] == "0"


HILL = ("--at", "0402", "--from", "0302", "--put", "cars/14@0302,cars/15@0302,camels/23@0402,infantry_blue/21@0402")


def test_who_is_dug_in_stays_and_who_has_no_step_left_is_gone() -> None:
    # 10 against 5 and 3 is 1-1, one column left for the hill: D1 on 1, nothing on 2 and 3, A1 above.
    answer = ask_json("odds", "two_wells", *HILL, "--mark", "infantry_blue/21")
    assert answer["column"] == "1-2" and answer["chances"] == {"D1": "1/6", "-": "1/3", "A1": "1/2"}
    outcome = results(answer)["D1"]["infantry_blue/21"]
    # 0302, 0401 and 0303 are the enemy's or watched by him; from 0402 that leaves 0403.
    assert (outcome["steps"], outcome["retreat"], outcome["ends"], outcome["rule"]) == (1, 1, ["0403"], "4, 4.1")
    assert [unit["eliminated"] for unit in results(answer)["A1"].values()] == [True]
    assert (answer["attacker_steps"], answer["defender_steps"], answer["hex_falls"]) == ("1/2", "1/6", "0")
    assert "stays: dug in (4.2)" in ask_text("odds", "two_wells", *HILL)


def changed_results(folder: Path, records: str) -> str:
    """Corps with other results."""
    pack = Path(shutil.copytree(load("corps").folder, folder / "corps"))
    rules = pack / "rules.yaml"
    text = rules.read_text(encoding="utf-8")
    head, tail = text.split("  results:\n")
    _, turn_text = tail.split("  turn:\n")
    rules.write_text(f"{head}  results:\n{records}\n  turn:\n{turn_text}", encoding="utf-8")
    # An effect that no record carries out is a finding: the tables keep those that have one.
    result_names = set(re.findall(r"^ {4}(\w+):", records, re.MULTILINE))
    for path in pack.glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        path.write_text(
            re.sub(r"effects: \{([^}]*)\}", lambda match: _kept_effects(match[1], result_names), text), encoding="utf-8"
        )
    assert check(pack) == []
    return str(pack)


def _kept_effects(effects: str, result_names: set[str]) -> str:
    return f"effects: {{{', '.join(effect for effect in effects.split(', ') if effect.partition(':')[0] in result_names)}}}"


def test_exchanges_states_and_eliminations(tmp_path: Path) -> None:
    pack = changed_results(
        tmp_path,
        """\
    defender_retreat:
      - {text: the defenders are gone, to: defenders, eliminate: true}
      - {text: the attackers pay as much, rule: "5", to: attackers, exchange: 'if(role == "attacker", attack, defense)'}
    always:
      - {text: tired, to: attackers, when: code == "-", set: starving}
""",
    )
    outcomes = results(ask_json("odds", pack, *FORD))
    # Gone is a corps of defense 6; attackers of 5 each: two of them have to pay, and only two.
    assert outcomes["DR"]["infantry_south/11"]["eliminated"]
    assert sum(unit["eliminated"] for key, unit in outcomes["DR"].items() if "north" in key) == 2
    assert all(unit["states"] == ["starving"] for unit in outcomes["-"].values()) and len(outcomes["-"]) == 3


def test_strongest_weakest_and_enemy(tmp_path: Path) -> None:
    for choice, loses in (
        ("strongest", "infantry_south/11"),
        ("weakest", "cavalry_south/16"),
        ("enemy", "infantry_south/11"),
    ):
        pack = changed_results(
            tmp_path / choice,
            f"    defender_retreat:\n      - {{text: a step, to: defenders, lose: 1, who: {choice}}}\n",
        )
        put = "infantry_north/3@0805,infantry_north/4@0706,infantry_north/5@0706,infantry_south/12@0508,cavalry_south/16@0806"
        outcomes = results(ask_json("odds", pack, "--at", "0806", "--from", "0706", "--put", put))
        codes = [code for code in outcomes if code.startswith("D")]
        assert codes and all(list(outcomes[code]) == [loses] for code in codes), choice


def test_one_unit_of_several_and_a_loss_instead(tmp_path: Path) -> None:
    """`many`: one defender loses a step and goes back, the same for both records; `instead`: a loss where there is no way."""
    pack = changed_results(
        tmp_path,
        """\
    defender_retreat:
      - {text: one loses a step, to: defenders, count: 1, lose: 1}
      - {text: and goes back or loses another, to: defenders, count: 1, retreat: 1, instead: 1}
""",
    )
    put = (
        "infantry_north/3@0805,infantry_north/4@0706,infantry_north/5@0706,infantry_south/12@0508,cavalry_south/16@0806"
    )
    outcomes = results(ask_json("odds", pack, "--at", "0806", "--from", "0706", "--put", put))
    hit = [code for code in outcomes if code.startswith("DR")]
    assert hit and all(len(outcomes[code]) == 1 for code in hit), "only one of the two suffers"
    (unit,) = outcomes[hit[0]].values()
    assert unit["steps"] == 1 and unit["retreat"] == 1
    ring = ",".join(
        f"infantry_north/{n}@{place}" for n, place in enumerate(("0805", "0706", "0707", "0807", "0906", "0907"), 1)
    )
    outcome = results(ask_json("odds", pack, "--at", "0806", "--put", f"{ring},infantry_south/12@0508"))[hit[0]][
        "infantry_south/11"
    ]
    assert outcome["steps"] == 2 and outcome["eliminated"] and "retreat" not in outcome


# --- who may and who must ---------------------------------------------------------------------------------------------


def test_who_may_attack_and_who_must() -> None:
    answer = ask_json("odds", "corps", "--at", "0806", "attackers=infantry_north/3")
    (refusal,) = answer["refused"]
    assert (refusal["text"], refusal["rule"], refusal["name"]) == (
        "only adjacent units may attack it",
        "5",
        "Infantry corps 3",
    )
    lone_answer = ask_json(
        "odds",
        "corps",
        "--at",
        "0806",
        "attackers=hq_north,infantry_north/3",
        "--put",
        "hq_north@0706,infantry_north/3@0805",
    )
    assert [row["name"] for row in lone_answer["refused"]] == ["Northern Army headquarters"]
    (north,) = ask_json("ask", "corps", "attacks", "north", "--put", "infantry_north/3@0805,infantry_north/4@0706")[
        "sides"
    ]
    (attack,) = north["attacks"]
    assert (attack["place"], attack["units"], attack["column"]) == (
        "0806",
        ["infantry_north/3", "infantry_north/4"],
        "1-2",
    )
    # The guard's zone doesn't go over the river to Lindau, but it reaches 0706.
    assert [line["text"].split()[2] for line in north["must"]] == ["4"] and north["must"][0]["rule"] == "5"


def test_a_gun_of_two_wells_fires_two_hexes_far() -> None:
    put = ("--put", "cars/14@0202,gun@0402")
    assert ask_json("odds", "two_wells", "--at", "0202", "side=blue", "attackers=gun", *put)["refused"] == []
    answer = ask_json(
        "odds", "two_wells", "--at", "0302", "side=blue", "attackers=gun", "--put", "cars/14@0302,gun@0402"
    )
    assert {refusal["rule"] for refusal in answer["refused"]} == {"3.4"} and len(answer["refused"]) == 2


# --- what if and plans ------------------------------------------------------------------------------------------------


def test_one_attacker_fewer_and_other_states() -> None:
    rows = {row["change"]: row for row in ask_json("odds", "corps", *FORD, "--what-if")["what_if"]}
    # Without the one over the river 10 against 6 is 3-2: - - DR DR EX D1.
    smaller_attack = rows["without Infantry corps 3"]
    assert (
        smaller_attack["column"],
        smaller_attack["hex_falls"],
        smaller_attack["attacker_steps"],
        smaller_attack["defender_steps"],
    ) == (
        "3-2",
        "1/2",
        "1/6",
        "1/3",
    )
    # A reduced defender counts 3: 25/2 is 4-1, DR DR D1 D1 DE DE, and his last step is a step.
    weak = rows["Infantry corps 11 reduced"]
    assert (weak["column"], weak["hex_falls"], weak["defender_steps"]) == ("4-1", "1", "2/3")
    assert rows["Infantry corps 3 moved by rail"]["column"] == "not allowed"
    changes = {row["change"] for row in ask_json("odds", "corps", *FORD[:3], "0805", *FORD[4:], "--what-if")["what_if"]}
    assert {"with Infantry corps 4 from 0706", "with Infantry corps 5 from 0706"} <= changes


@pytest.mark.parametrize("aim", ["steps", "places"])
def test_the_best_plan_is_the_best_of_all(aim: str) -> None:
    """Against every way to share three corps out among two places, each asked alone."""
    units = ("infantry_north/3", "infantry_north/4", "infantry_north/5")
    put = ("--put", "infantry_north/3@0907,infantry_north/4@0907,infantry_north/5@0706,infantry_south/12@1007")
    places = ("0806", "1007")
    plan = ask_json("odds", "corps", "--at", ",".join(places), "--best", "--aim", aim, *put)

    def worth(place: str, group: tuple[str, ...]) -> Fraction | None:
        answer = ask_json("odds", "corps", "--at", place, f"attackers={','.join(group)}", *put)
        if answer["column"] is None or answer["refused"]:
            return None
        if aim == "places":
            return Fraction(answer["hex_falls"])
        return Fraction(answer["defender_steps"]) - Fraction(answer["attacker_steps"])

    best = Fraction(0)
    for assignment in product((None, *places), repeat=len(units)):
        groups = {
            place: tuple(unit for unit, target in zip(units, assignment, strict=True) if target == place)
            for place in places
        }
        values = [worth(place, group) for place, group in groups.items() if group]
        if None not in values:
            best = max(best, sum((value for value in values if value is not None), Fraction(0)))
    assert plan["is_best"] is True and Fraction(plan["worth"]) == best > 0


# --- turns ------------------------------------------------------------------------------------------------------------


def happens(answer: dict[str, Any], phase: str) -> dict[str, Any]:
    section = next(section_answer for section_answer in answer["phases"] if section_answer["phase"] == phase)
    return {event["text"]: event for event in section["happens"]}


def test_a_turn_at_the_ford() -> None:
    marks = (
        "--mark",
        "infantry_north/1+reduced,infantry_north/3+entrained,infantry_north/5+reduced",
        "--put",
        "infantry_north/1@0603",
    )
    answer = ask_json("turn", "corps", "--turn", "6", *marks)
    came = happens(answer, "north_replacements")
    (text,) = came
    # Two steps on turns 6 to 8; of the two reduced corps only one stands in a town.
    assert text == "replacements: 2 steps may be recovered, one for each unit" and came[text]["units"] == [
        "infantry_north/1"
    ]
    assert [event["units"] for event in happens(answer, "north_supply").values()] == [["infantry_north/3"]]
    first_turn = ask_json("turn", "corps", "--turn", "1", *marks)
    assert happens(first_turn, "north_replacements") == {}
    # In mud the headquarters reaches four hexes: both corps of the right wing are out of supply.
    mud = happens(ask_json("turn", "corps", "--turn", "3"), "north_supply")
    assert mud["out of supply"]["units"] == ["infantry_north/1", "infantry_north/2"]


def test_a_turn_of_two_wells() -> None:
    answer = ask_json("turn", "two_wells", "--turn", "2")
    (cars,) = answer["reinforcements"]
    assert cars["units"] == {"cars": 2} and cars["text"] == "on the south edge" and cars["together"]
    assert "reinforcements" not in ask_json("turn", "two_wells", "--turn", "3")
    # 6: both wells behind the watch of the garrison and nobody else about: Red at 0103 has the West Well two hexes off.
    dry = happens(
        ask_json("turn", "two_wells", "--put", "infantry_red/11@0103", "--mark", "infantry_red/11+dry"), "end"
    )
    assert dry["water again: no longer out of water"]["units"] == ["infantry_red/11"]


RECORDS = """
  turn:
    - {text: rally, rule: "6", phases: [red_move], when: dry, roll: 1d6, needs: roll <= 4, clear: dry}
    - {text: the weather, phases: [red_move], table: combat, column: '"1-1"'}
    - {text: who begins, phases: [red_move], contest: {red: 1d6+1, blue: 1d6}}
    - {text: the cup, phases: [red_fight], draw: {red: 3, blue: 2, pause: 1}}
    - {text: night falls, when: turn >= 5, roll: 1d6, needs: roll >= 5, end: true}
    - {text: thirst, when: dry and not supplied, lose: 1}
"""


def test_throws_cups_and_contests(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    rules = pack / "rules.yaml"
    rules.write_text(rules.read_text(encoding="utf-8").split("\n  turn:")[0] + RECORDS, encoding="utf-8")
    assert check(pack) == []
    red = ("--put", "infantry_red/11@0103,infantry_red/12@0101", "--mark", "infantry_red/11+dry")
    events = happens(ask_json("turn", str(pack), *red), "red_move")
    assert events["rally: no longer out of water"]["units"] == [{"unit": "infantry_red/11", "chance": "2/3"}]
    # 36 throws: Red is higher with b <= a in 21 of them, level with b = a + 1 in 5.
    assert events["who begins"]["chances"] == {"Red": "7/12", "Blue": "5/18", "tie": "5/36"}
    assert events["the weather"]["chances"] == {"D1": "1/3", "-": "1/3", "A1": "1/3"}
    assert happens(ask_json("turn", str(pack)), "red_fight")["the cup"]["chances"] == {
        "red": "1/2",
        "blue": "1/3",
        "pause": "1/6",
    }
    assert all(
        row["phase"] != "end" or "night falls" not in str(row) for row in ask_json("turn", str(pack), *red)["phases"]
    )
    assert happens(ask_json("turn", str(pack), "--turn", "5", *red), "end")["night falls"]["chances"] == {
        "the game ends": "1/3"
    }


# --- points -----------------------------------------------------------------------------------------------------------


def test_points_and_levels_at_the_ford() -> None:
    # Lindau 5 and the depot of Sudheim 2; a lead of 7 is decisive.
    answer = ask_json("score", "corps", "--put", "infantry_north/3@0805,hq_north@1107,infantry_south/14@0909")
    assert (answer["totals"], answer["ahead"], answer["level"]) == ({"north": 7, "south": 0}, "north", "decisive")
    depot = next(line for line in answer["scores"] if line["count"] and line["each"] == 2)
    assert depot["places"] == ["1107"] and depot["rule"] == "9"
    assert ask_json("score", "corps")["level"] == "drawn"
    narrow_win = ask_json("score", "corps", "--remove", "cavalry_south/16")
    assert (narrow_win["totals"], narrow_win["level"]) == ({"north": 1, "south": 0}, "narrow")
    assert ask_json("score", "corps", "--put", "hq_south@box:lost")["won"] == [
        {"side": "north", "why": "South has no headquarters left"}
    ]


def test_points_of_two_wells_and_lines_that_must_be_told(tmp_path: Path) -> None:
    answer = ask_json("score", "two_wells", "--put", "cars/14@0202,cars/15@box:lost,camels/23@0302")
    assert answer["totals"] == {"red": 3, "blue": 4}
    strikes = "{side: red, points: 2, per: other, event: other, text: 2 points for each air strike.}"
    pack, _, _ = break_pack(tmp_path, "map.yaml", "    victory:\n", f"    victory:\n      - {strikes}\n")
    answer = ask_json("score", str(pack))
    line = {
        "number": 1,
        "text": "2 points for each air strike.",
        "side": "red",
        "input": "1",
        "note": "the position doesn't show how often",
    }
    assert answer["missing_inputs"] == [line]
    assert ask_json("score", str(pack), "counts=1:3")["totals"]["red"] == 6


def test_points_for_units_by_their_worth(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    with (pack / "rules.yaml").open("a", encoding="utf-8") as file:
        file.write("""
  victory:
    points:
      - {text: men west of the wadi, side: red, of: to.west and class == "foot", points: 1}
      - {text: what blue has lost, side: red, lost: side == "blue", points: defense}
      - {text: the village, side: blue, when: control.west_well != "red", points: 4}
""")
    assert check(pack) == []
    put = (
        "--put",
        "infantry_red/11@0101,infantry_red/12@0301,infantry_red/13@0302,gun@box:lost,camels/23@box:lost",
        "--remove",
        "infantry_blue/21,infantry_blue/22",
    )
    lines = {line["text"]: line["points"] for line in ask_json("score", str(pack), *put)["scores"]}
    # A gun of 1, camels of 3 and two infantry of 5 are gone.
    assert (lines["men west of the wadi"], lines["what blue has lost"], lines["the village"]) == (1, 14, 4)


NEEDY = """      - side: red
        wins: true
        event: remaining
        who: {side: blue}
        at_most: 1
        rule: "5"
        text: Blue is beaten.
        needs:
          - {text: after turn 2, that: turn > 2}
          - {text: a unit at a well, rule: "5", among: to.west_well or to.east_well, that: to.friend, at_least: 1}
          - {text: no Blue unit east of the wadi, among: not to.west, that: not to.enemy}
          - {text: troops of Red, amount: 'count(units, side == "red")', at_least: 3}
      - {side: blue, points: 2, per: other, event: other, times: turn - 1, text: 2 for each turn that is over.}
"""


def test_what_a_win_at_once_lacks(tmp_path: Path) -> None:
    """Each need is held against the position, and what is missing is told with the names of the places."""
    pack, _, _ = break_pack(tmp_path, "map.yaml", "    victory:\n", f"    victory:\n{NEEDY}")
    assert check(pack) == []
    distant_units = ",".join(
        f"{unit}@box:lost" for unit in ("camels/23", "camels/24", "gun", "infantry_blue/21", "infantry_blue/22")
    )
    (start,) = ask_json("score", str(pack), "--put", "infantry_blue/21@0402")["sudden_death"]
    assert start["rule"] == "5" and start["lacks"][1:3] == [
        "after turn 2",
        "a unit at a well: East Well or West Well",
    ], start
    assert start["lacks"][3].startswith("no Blue unit east of the wadi: not true in ")
    (close,) = ask_json("score", str(pack), "--turn", "3", "--put", f"cars/14@0202,{distant_units}")["sudden_death"]
    assert close["lacks"] == []
    won = ask_json("score", str(pack), "--turn", "3", "--put", f"cars/14@0202,{distant_units}")
    assert won["won"] == [{"side": "red", "why": "Blue is beaten."}] and won["totals"]["blue"] >= 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("that: turn > 2", "that: turns > 2", "'turns'"),
        ("that: turn > 2", "that: to.friend", "this list is about no place"),
        ("that: turn > 2", "that: turn > 2, at_least: 2", "`at_least` goes with `among` or `amount`"),
        ("that: turn > 2", "that: turn", "turn"),
        (", at_least: 3}", "}", "give `at_least`"),
        ("that: to.friend, at_least: 1", "at_least: 1", "a record has one effect"),
        ("event: other, times: turn - 1", "event: exited, times: turn - 1", "says already how often"),
        ("        wins: true\n", "        points: 3\n", "`at_most` goes with `wins: true`"),
    ],
)
def test_findings_of_needs(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in NEEDY
    pack, line, _ = break_pack(tmp_path, "map.yaml", "    victory:\n", f"    victory:\n{NEEDY.replace(old, new)}")
    findings = check(pack)
    expected_line = line + NEEDY[: NEEDY.index(old)].count("\n") + 1
    assert any(message in str(finding) and abs(finding.line - expected_line) <= 4 for finding in findings), [
        str(finding) for finding in findings
    ]


# --- what is wrong is told --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "    attacker_steps:\n",
            "    attacker_step:\n",
            "has the effect 'attacker_step'; did you mean attacker_steps",
        ),
        (
            "lose: result, who: owner}\n    defender",
            "lose: results, who: owner}\n    defender",
            "did you mean 'result'",
        ),
        (
            "when: steps_lost > 0, retreat: 1",
            "when: steps_lost > 0, retreat: 1, eliminate: true",
            "a record has one effect",
        ),
        ("when: steps_lost > 0, retreat: 1", "when: steps_lost > 0, retreat: 1, kind: rout", "'rout'"),
        (
            "when: steps_lost > 0, retreat: 1",
            "when: steps_lost > 0, lose: 1, instead: 1",
            "`instead` goes with `retreat`",
        ),
        ("when: steps_lost > 0, retreat: 1", "when: steps_lost > 0, retreat: 1, count: west", "'west'"),
        (
            "when: fires_far, that: distance == 2",
            "when: fires_far, that: roll == 1",
            "'roll' can't be asked here",
        ),
        ("when: not supplied, set: dry", "when: not supplied, set: wet", "'wet'"),
        ("when: not supplied, set: dry", "when: not supplied, roll: 1d6, set: dry", "`roll` and `needs` go together"),
        ("when: not supplied, set: dry", "when: not dry, end: true", "no single unit is meant here"),
        ("when: not supplied, set: dry", "table: combat", "has 5 columns; name the `column`"),
        ("when: not supplied, set: dry", "contest: {red: 6, green: 1d6}", "is no roll of dice"),
        ("when: not supplied, set: dry", "phases: [dawn], end: true", "'dawn'"),
        ("when: not supplied, set: dry", "draw: {red: 0}", "one or more of each chit"),
    ],
)
def test_findings(old: str, new: str, message: str, tmp_path: Path) -> None:
    pack, line, _ = break_pack(tmp_path, "rules.yaml", old, new)
    findings = check(pack)
    assert any(message in str(finding) and abs(finding.line - line) <= 1 for finding in findings), [
        str(finding) for finding in findings
    ]

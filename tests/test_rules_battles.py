"""What a result does, who may attack, turns and points, as the samples' RULES.md tell them. The numbers are worked out by hand."""

from __future__ import annotations

import json
import re
import shutil
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.cli import cli
from scenarios import check, load
from tests.packs import broken, copy


def ask(*words: str) -> dict[str, Any]:
    result = CliRunner().invoke(cli, [*words, "--json"])
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.output)
    return answer


def said(*words: str) -> str:
    result = CliRunner().invoke(cli, list(words))
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


def results(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The units that each result touches, by code and id."""
    return {one["result"]: {unit["unit"]: unit for unit in one["units"]} for one in answer["results"]}


FORD = ("--at", "0806", "--from", "0805,0706",
        "--put", "infantry_north/3@0805,infantry_north/4@0706,infantry_north/5@0706,infantry_south/12@0508")  # fmt: skip


# --- results ----------------------------------------------------------------------------------------------------------


def test_losses_retreats_and_advances_at_the_ford() -> None:
    # 5/2 over the river and twice 5 against 6: 2-1, where 1 is nothing, 2 to 4 DR, 5 and 6 D1.
    found = ask("odds", "corps", *FORD)
    assert found["column"] == "2-1" and found["chances"] == {"-": "1/6", "DR": "1/2", "D1": "1/3"}
    touched = results(found)
    assert touched["-"] == {}
    beaten = touched["D1"]["infantry_south/11"]
    assert (beaten["steps"], beaten["eliminated"], beaten["retreat"], beaten["rule"]) == (1, False, 2, "5.4, 6")
    assert touched["DR"]["infantry_south/11"]["steps"] == 0
    # The same ends as the retreat alone, and none north of the river without a road.
    alone = ask("retreat", "corps", "infantry_south/11", "hexes=2", *FORD[4:])["units"][0]["ways"]
    assert set(beaten["ends"]) == {way["to"] for way in alone} and all(end[2:] > "05" for end in beaten["ends"])
    assert all(touched["DR"][f"infantry_north/{n}"]["advances"] == ["0806"] for n in (3, 4, 5))
    assert (found["hex_falls"], found["attacker_steps"], found["defender_steps"]) == ("5/6", 0, "1/3")


def test_what_a_result_does_depends_on_the_terrain() -> None:
    """Out of a town defenders go back one hex less (6)."""
    south = "infantry_south/11@0905,infantry_south/12@0804,infantry_south/13@0804"
    town = ask("odds", "corps", "--at", "0805", "--from", "0905,0804", "--put", f"{south},infantry_north/3@0805")
    open_ = ask("odds", "corps", "--at", "0904", "--from", "0905,0804", "--put", f"{south},infantry_north/3@0904")
    assert results(town)["DR"]["infantry_north/3"]["retreat"] == 1
    assert {
        unit["retreat"] for units in results(open_).values() for key, unit in units.items() if "retreat" in unit
    } == {2}


def test_attackers_go_back_and_lose_too() -> None:
    # 5 against 12: worse than 1-2 but for 6 to 12, which is 1-2: AR AR A1 A1 A1 -.
    found = ask("odds", "corps", "--at", "0806", "--from", "0706", "--put", "infantry_north/3@0706,cavalry_north@0706")
    assert found["column"] == "1-2" and found["chances"] == {"AR": "1/3", "A1": "1/2", "-": "1/6"}
    touched = results(found)
    assert {unit["retreat"] for unit in touched["AR"].values()} == {1} and len(touched["AR"]) == 2
    # The owner gives a step of the corps, not its only cavalry.
    assert list(touched["A1"]) == ["infantry_north/3"] and touched["A1"]["infantry_north/3"]["steps"] == 1
    chosen = next(one for one in found["results"] if one["result"] == "A1")["lines"]
    assert chosen == [{"text": "the owner chooses who: the attackers lose steps", "rule": "5.4"}]
    assert found["attacker_steps"] == "1/2" and found["hex_falls"] == "0"


HILL = ("--at", "0402", "--from", "0302", "--put", "cars/14@0302,cars/15@0302,camels/23@0402,infantry_blue/21@0402")


def test_who_is_dug_in_stays_and_who_has_no_step_left_is_gone() -> None:
    # 10 against 5 and 3 is 1-1, one column left for the hill: D1 on 1, nothing on 2 and 3, A1 above.
    found = ask("odds", "two_wells", *HILL, "--mark", "infantry_blue/21")
    assert found["column"] == "1-2" and found["chances"] == {"D1": "1/6", "-": "1/3", "A1": "1/2"}
    back = results(found)["D1"]["infantry_blue/21"]
    # 0302, 0401 and 0303 are the enemy's or watched by him; from 0402 that leaves 0403.
    assert (back["steps"], back["retreat"], back["ends"], back["rule"]) == (1, 1, ["0403"], "4, 4.1")
    assert [unit["eliminated"] for unit in results(found)["A1"].values()] == [True]
    assert (found["attacker_steps"], found["defender_steps"], found["hex_falls"]) == ("1/2", "1/6", "0")
    assert "stays: dug in (4.2)" in said("odds", "two_wells", *HILL)


def changed_results(folder: Path, records: str) -> str:
    """Corps with other results."""
    pack = Path(shutil.copytree(load("corps").folder, folder / "corps"))
    rules = pack / "rules.yaml"
    text = rules.read_text(encoding="utf-8")
    before, rest = text.split("  results:\n")
    _, after = rest.split("  turn:\n")
    rules.write_text(f"{before}  results:\n{records}\n  turn:\n{after}", encoding="utf-8")
    # An effect that no record carries out is a finding: the tables keep those that have one.
    kept = set(re.findall(r"^ {4}(\w+):", records, re.MULTILINE))
    for path in pack.glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        path.write_text(
            re.sub(r"effects: \{([^}]*)\}", lambda match: _kept_effects(match[1], kept), text), encoding="utf-8"
        )
    assert check(pack) == []
    return str(pack)


def _kept_effects(effects: str, kept: set[str]) -> str:
    return f"effects: {{{', '.join(one for one in effects.split(', ') if one.partition(':')[0] in kept)}}}"


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
    found = results(ask("odds", pack, *FORD))
    # Gone is a corps of defense 6; attackers of 5 each: two of them have to pay, and only two.
    assert found["DR"]["infantry_south/11"]["eliminated"]
    assert sum(unit["eliminated"] for key, unit in found["DR"].items() if "north" in key) == 2
    assert all(unit["states"] == ["starving"] for unit in found["-"].values()) and len(found["-"]) == 3


def test_strongest_weakest_and_enemy(tmp_path: Path) -> None:
    for who, loses in (
        ("strongest", "infantry_south/11"),
        ("weakest", "cavalry_south/16"),
        ("enemy", "infantry_south/11"),
    ):
        pack = changed_results(
            tmp_path / who, f"    defender_retreat:\n      - {{text: a step, to: defenders, lose: 1, who: {who}}}\n"
        )
        put = "infantry_north/3@0805,infantry_north/4@0706,infantry_north/5@0706,infantry_south/12@0508,cavalry_south/16@0806"
        found = results(ask("odds", pack, "--at", "0806", "--from", "0706", "--put", put))
        codes = [code for code in found if code.startswith("D")]
        assert codes and all(list(found[code]) == [loses] for code in codes), who


def test_one_unit_of_several_and_a_loss_instead(tmp_path: Path) -> None:
    """`many`: one defender loses a step and goes back, the same for both records; `instead`: a loss where there is no way."""
    pack = changed_results(
        tmp_path,
        """\
    defender_retreat:
      - {text: one loses a step, to: defenders, many: 1, lose: 1}
      - {text: and goes back or loses another, to: defenders, many: 1, retreat: 1, instead: 1}
""",
    )
    put = (
        "infantry_north/3@0805,infantry_north/4@0706,infantry_north/5@0706,infantry_south/12@0508,cavalry_south/16@0806"
    )
    found = results(ask("odds", pack, "--at", "0806", "--from", "0706", "--put", put))
    hit = [code for code in found if code.startswith("DR")]
    assert hit and all(len(found[code]) == 1 for code in hit), "only one of the two suffers"
    (unit,) = found[hit[0]].values()
    assert unit["steps"] == 1 and unit["retreat"] == 1
    ring = ",".join(
        f"infantry_north/{n}@{at}" for n, at in enumerate(("0805", "0706", "0707", "0807", "0906", "0907"), 1)
    )
    alone = results(ask("odds", pack, "--at", "0806", "--put", f"{ring},infantry_south/12@0508"))[hit[0]][
        "infantry_south/11"
    ]
    assert alone["steps"] == 2 and alone["eliminated"] and "retreat" not in alone


# --- who may and who must ---------------------------------------------------------------------------------------------


def test_who_may_attack_and_who_must() -> None:
    far = ask("odds", "corps", "--at", "0806", "attackers=infantry_north/3")
    (why,) = far["refused"]
    assert (why["text"], why["rule"], why["name"]) == ("only units next to it attack", "5", "Infantry corps 3")
    alone = ask(
        "odds",
        "corps",
        "--at",
        "0806",
        "attackers=hq_north,infantry_north/3",
        "--put",
        "hq_north@0706,infantry_north/3@0805",
    )
    assert [one["name"] for one in alone["refused"]] == ["Northern Army headquarters"]
    (north,) = ask("ask", "corps", "attacks", "north", "--put", "infantry_north/3@0805,infantry_north/4@0706")["sides"]
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
    assert ask("odds", "two_wells", "--at", "0202", "side=blue", "attackers=gun", *put)["refused"] == []
    near = ask("odds", "two_wells", "--at", "0302", "side=blue", "attackers=gun", "--put", "cars/14@0302,gun@0402")
    assert {one["rule"] for one in near["refused"]} == {"3.4"} and len(near["refused"]) == 2


# --- what if and plans ------------------------------------------------------------------------------------------------


def test_one_attacker_fewer_and_other_states() -> None:
    rows = {row["change"]: row for row in ask("odds", "corps", *FORD, "--what-if")["what_if"]}
    # Without the one over the river 10 against 6 is 3-2: - - DR DR EX D1.
    fewer = rows["without Infantry corps 3"]
    assert (fewer["column"], fewer["hex_falls"], fewer["attacker_steps"], fewer["defender_steps"]) == (
        "3-2",
        "1/2",
        "1/6",
        "1/3",
    )
    # A reduced defender counts 3: 25/2 is 4-1, DR DR D1 D1 DE DE, and his last step is a step.
    weak = rows["Infantry corps 11 reduced"]
    assert (weak["column"], weak["hex_falls"], weak["defender_steps"]) == ("4-1", "1", "2/3")
    assert rows["Infantry corps 3 moved by rail"]["column"] == "not allowed"
    more = {row["change"] for row in ask("odds", "corps", *FORD[:3], "0805", *FORD[4:], "--what-if")["what_if"]}
    assert {"with Infantry corps 4 from 0706", "with Infantry corps 5 from 0706"} <= more


@pytest.mark.parametrize("aim", ["steps", "places"])
def test_the_best_plan_is_the_best_of_all(aim: str) -> None:
    """Against every way to share three corps out among two places, each asked alone."""
    units = ("infantry_north/3", "infantry_north/4", "infantry_north/5")
    put = ("--put", "infantry_north/3@0907,infantry_north/4@0907,infantry_north/5@0706,infantry_south/12@1007")
    places = ("0806", "1007")
    plan = ask("odds", "corps", "--at", ",".join(places), "--best", "--aim", aim, *put)

    def worth(place: str, group: tuple[str, ...]) -> Fraction | None:
        found = ask("odds", "corps", "--at", place, f"attackers={','.join(group)}", *put)
        if found["column"] is None or found["refused"]:
            return None
        if aim == "places":
            return Fraction(found["hex_falls"])
        return Fraction(found["defender_steps"]) - Fraction(found["attacker_steps"])

    best = Fraction(0)
    for shared in product((None, *places), repeat=len(units)):
        groups = {place: tuple(unit for unit, at in zip(units, shared, strict=True) if at == place) for place in places}
        values = [worth(place, group) for place, group in groups.items() if group]
        if None not in values:
            best = max(best, sum((value for value in values if value is not None), Fraction(0)))
    assert plan["sure"] is True and Fraction(plan["worth"]) == best > 0


# --- turns ------------------------------------------------------------------------------------------------------------


def happens(answer: dict[str, Any], phase: str) -> dict[str, Any]:
    section = next(one for one in answer["phases"] if one["phase"] == phase)
    return {one["text"]: one for one in section["happens"]}


def test_a_turn_at_the_ford() -> None:
    marks = (
        "--mark",
        "infantry_north/1+reduced,infantry_north/3+entrained,infantry_north/5+reduced",
        "--put",
        "infantry_north/1@0603",
    )
    found = ask("turn", "corps", "--turn", "6", *marks)
    came = happens(found, "north_replacements")
    (text,) = came
    # Two steps on turns 6 to 8; of the two reduced corps only one stands in a town.
    assert text == "replacements: 2 steps may come back, one to a unit" and came[text]["units"] == ["infantry_north/1"]
    assert [one["units"] for one in happens(found, "north_supply").values()] == [["infantry_north/3"]]
    early = ask("turn", "corps", "--turn", "1", *marks)
    assert happens(early, "north_replacements") == {}
    # In mud the headquarters reaches four hexes: both corps of the right wing are out of supply.
    mud = happens(ask("turn", "corps", "--turn", "3"), "north_supply")
    assert mud["out of supply"]["units"] == ["infantry_north/1", "infantry_north/2"]


def test_a_turn_of_two_wells() -> None:
    found = ask("turn", "two_wells", "--turn", "2")
    (cars,) = found["reinforcements"]
    assert cars["units"] == {"cars": 2} and cars["text"] == "on the south edge" and cars["together"]
    assert "reinforcements" not in ask("turn", "two_wells", "--turn", "3")
    # 6: both wells behind the watch of the garrison and nobody else about: Red at 0103 has the West Well two hexes off.
    dry = happens(ask("turn", "two_wells", "--put", "infantry_red/11@0103", "--mark", "infantry_red/11+dry"), "end")
    assert dry["water again: no longer out of water"]["units"] == ["infantry_red/11"]


RECORDS = """
  turn:
    - {text: rally, rule: "6", phases: [red_move], when: dry, throw: 1d6, needs: roll <= 4, clear: dry}
    - {text: the weather, phases: [red_move], table: combat, column: '"1-1"'}
    - {text: who begins, phases: [red_move], contest: {red: 1d6+1, blue: 1d6}}
    - {text: the cup, phases: [red_fight], draw: {red: 3, blue: 2, pause: 1}}
    - {text: night falls, when: turn >= 5, throw: 1d6, needs: roll >= 5, end: true}
    - {text: thirst, when: dry and not supplied, lose: 1}
"""


def test_throws_cups_and_contests(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    rules = pack / "rules.yaml"
    rules.write_text(rules.read_text(encoding="utf-8").split("\n  turn:")[0] + RECORDS, encoding="utf-8")
    assert check(pack) == []
    red = ("--put", "infantry_red/11@0103,infantry_red/12@0101", "--mark", "infantry_red/11+dry")
    found = happens(ask("turn", str(pack), *red), "red_move")
    assert found["rally: no longer out of water"]["units"] == [{"unit": "infantry_red/11", "chance": "2/3"}]
    # 36 throws: Red is higher with b <= a in 21 of them, level with b = a + 1 in 5.
    assert found["who begins"]["chances"] == {"Red": "7/12", "Blue": "5/18", "tie": "5/36"}
    assert found["the weather"]["chances"] == {"D1": "1/3", "-": "1/3", "A1": "1/3"}
    assert happens(ask("turn", str(pack)), "red_fight")["the cup"]["chances"] == {
        "red": "1/2",
        "blue": "1/3",
        "pause": "1/6",
    }
    assert all(one["phase"] != "end" or "night falls" not in str(one) for one in ask("turn", str(pack), *red)["phases"])
    assert happens(ask("turn", str(pack), "--turn", "5", *red), "end")["night falls"]["chances"] == {
        "the game ends": "1/3"
    }


# --- points -----------------------------------------------------------------------------------------------------------


def test_points_and_levels_at_the_ford() -> None:
    # Lindau 5 and the depot of Sudheim 2; a lead of 7 is decisive.
    found = ask("score", "corps", "--put", "infantry_north/3@0805,hq_north@1107,infantry_south/14@0909")
    assert (found["totals"], found["ahead"], found["level"]) == ({"north": 7, "south": 0}, "north", "decisive")
    depot = next(line for line in found["scores"] if line["count"] and line["each"] == 2)
    assert depot["places"] == ["1107"] and depot["rule"] == "9"
    assert ask("score", "corps")["level"] == "drawn"
    one = ask("score", "corps", "--gone", "cavalry_south/16")
    assert (one["totals"], one["level"]) == ({"north": 1, "south": 0}, "narrow")
    assert ask("score", "corps", "--put", "hq_south@box:lost")["won"] == [
        {"side": "north", "why": "South has no headquarters left"}
    ]


def test_points_of_two_wells_and_lines_that_must_be_told(tmp_path: Path) -> None:
    found = ask("score", "two_wells", "--put", "cars/14@0202,cars/15@box:lost,camels/23@0302")
    assert found["totals"] == {"red": 3, "blue": 4}
    strikes = "{side: red, points: 2, per: other, event: other, text: 2 points for each air strike.}"
    pack, _, _ = broken(tmp_path, "map.yaml", "    victory:\n", f"    victory:\n      - {strikes}\n")
    found = ask("score", str(pack))
    line = {"number": 1, "text": "2 points for each air strike.", "side": "red", "tell": "1", "note": "how often?"}
    assert found["untold"] == [line]
    assert ask("score", str(pack), "tell=1:3")["totals"]["red"] == 6


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
        "--gone",
        "infantry_blue/21,infantry_blue/22",
    )
    lines = {line["text"]: line["points"] for line in ask("score", str(pack), *put)["scores"]}
    # A gun of 1, camels of 3 and two infantry of 5 are gone.
    assert (lines["men west of the wadi"], lines["what blue has lost"], lines["the village"]) == (1, 14, 4)


NEEDY = """      - side: red
        wins: true
        event: remaining
        who: {side: blue}
        most: 1
        rule: "5"
        text: Blue is beaten.
        needs:
          - {text: after turn 2, that: turn > 2}
          - {text: a unit at a well, rule: "5", among: to.west_well or to.east_well, that: to.friend, least: 1}
          - {text: no Blue unit east of the wadi, among: not to.west, that: not to.enemy}
          - {text: troops of Red, amount: 'count(units, side == "red")', least: 3}
      - {side: blue, points: 2, per: other, event: other, times: turn - 1, text: 2 for each turn that is over.}
"""


def test_what_a_win_at_once_lacks(tmp_path: Path) -> None:
    """Each need is held against the position, and what is missing is told with the names of the places."""
    pack, _, _ = broken(tmp_path, "map.yaml", "    victory:\n", f"    victory:\n{NEEDY}")
    assert check(pack) == []
    away = ",".join(
        f"{unit}@box:lost" for unit in ("camels/23", "camels/24", "gun", "infantry_blue/21", "infantry_blue/22")
    )
    (start,) = ask("score", str(pack), "--put", "infantry_blue/21@0402")["sudden_death"]
    assert start["rule"] == "5" and start["lacks"][1:3] == [
        "after turn 2",
        "a unit at a well: East Well or West Well",
    ], start
    assert start["lacks"][3].startswith("no Blue unit east of the wadi: not so in ")
    (close,) = ask("score", str(pack), "--turn", "3", "--put", f"cars/14@0202,{away}")["sudden_death"]
    assert close["lacks"] == []
    won = ask("score", str(pack), "--turn", "3", "--put", f"cars/14@0202,{away}")
    assert won["won"] == [{"side": "red", "why": "Blue is beaten."}] and won["totals"]["blue"] >= 4


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("that: turn > 2", "that: turns > 2", "'turns'"),
        ("that: turn > 2", "that: to.friend", "this list is about no place"),
        ("that: turn > 2", "that: turn > 2, least: 2", "`least` goes with `among` or `amount`"),
        ("that: turn > 2", "that: turn", "turn"),
        (", least: 3}", "}", "give `least`"),
        ("that: to.friend, least: 1", "least: 1", "a record has one effect"),
        ("event: other, times: turn - 1", "event: exited, times: turn - 1", "says already how often"),
        ("        wins: true\n", "        points: 3\n", "`most` goes with `wins: true`"),
    ],
)
def test_findings_of_needs(old: str, new: str, told: str, tmp_path: Path) -> None:
    assert old in NEEDY
    pack, line, _ = broken(tmp_path, "map.yaml", "    victory:\n", f"    victory:\n{NEEDY.replace(old, new)}")
    findings = check(pack)
    there = line + NEEDY[: NEEDY.index(old)].count("\n") + 1
    assert any(told in str(one) and abs(one.line - there) <= 4 for one in findings), [str(one) for one in findings]


# --- what is wrong is told --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "told"),
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
        ("when: steps_lost > 0, retreat: 1", "when: steps_lost > 0, retreat: 1, many: west", "'west'"),
        (
            "when: fires_far, that: distance == 2",
            "when: fires_far, that: roll == 1",
            "'roll' can't be asked here",
        ),
        ("when: not supplied, set: dry", "when: not supplied, set: wet", "'wet'"),
        ("when: not supplied, set: dry", "when: not supplied, throw: 1d6, set: dry", "`throw` and `needs` go together"),
        ("when: not supplied, set: dry", "when: not dry, end: true", "no single unit is meant here"),
        ("when: not supplied, set: dry", "table: combat", "has 5 columns; name the `column`"),
        ("when: not supplied, set: dry", "contest: {red: 6, green: 1d6}", "is no throw of dice"),
        ("when: not supplied, set: dry", "phases: [dawn], end: true", "'dawn'"),
        ("when: not supplied, set: dry", "draw: {red: 0}", "one or more of each chit"),
    ],
)
def test_findings(old: str, new: str, told: str, tmp_path: Path) -> None:
    pack, line, _ = broken(tmp_path, "rules.yaml", old, new)
    findings = check(pack)
    assert any(told in str(one) and abs(one.line - line) <= 1 for one in findings), [str(one) for one in findings]

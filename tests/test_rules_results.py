"""What a result does, in the words that records have for it: who loses, what was told of the battle, how far who advances."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scenarios import check
from tests.asking import ask_json, ask_text
from tests.packs import copy
from tests.test_rules_battles import changed_results, results

# Three Northern corps of attack 5, one of them over the river, against a Southern corps of defense 6 and cavalry.
PUT = "infantry_north/3@0805,infantry_north/4@0706,infantry_north/5@0706,infantry_south/12@0806,cavalry_south/16@0508"
FIGHT = ("--at", "0806", "--from", "0805,0706", "--put", PUT)


def result_of(pack: str, code: str) -> Mapping[str, Any]:
    """The units that a result touches, in the fight above."""
    outcomes = results(ask_json("odds", pack, *FIGHT))
    assert code in outcomes, sorted(outcomes)
    return outcomes[code]


def test_one_step_from_each_in_turn_the_strongest_first(tmp_path: Path) -> None:
    """Of three attackers one is told apart by `by`: it loses the first step, and the second goes to another, not to it again."""
    for steps, expected_steps in ((1, {"infantry_north/5": 1}), (2, {"infantry_north/5": 1, "infantry_north/3": 1})):
        records = (
            "    defender_retreat:\n"
            f"      - {{text: steps, to: attackers, lose: {steps}, who: in_turn, by: 'if(copy == \"5\", 9, 1)'}}\n"
        )
        pack = changed_results(tmp_path / str(steps), records)
        assert {unit: row["steps"] for unit, row in result_of(pack, "DR").items()} == expected_steps


def test_equals_are_the_owners_choice_and_some_come_first(tmp_path: Path) -> None:
    records = (
        "    defender_retreat:\n"
        "      - {text: the strongest goes, rule: '5.4', to: attackers, lose: 1, who: strongest, by: attack, first: copy == \"4\"}\n"
    )
    pack = changed_results(tmp_path, records)
    assert list(result_of(pack, "DR")) == ["infantry_north/4"], (
        "all have an attack of 5; number 4 comes before its equals"
    )
    assert "the owner chooses who: the strongest goes (or Infantry corps 3 or Infantry corps 5)" in ask_text(
        "odds", pack, *FIGHT
    )


def test_units_that_stop(tmp_path: Path) -> None:
    records = "    defender_retreat: [{text: they go no farther, rule: '5.4', to: defenders, when: class == \"foot\", stop: true}]\n"
    pack = changed_results(tmp_path, records)
    outcomes = {unit: (row["stops"], row["steps"], row["states"]) for unit, row in result_of(pack, "DR").items()}
    assert outcomes == dict.fromkeys(("infantry_south/11", "infantry_south/12"), (True, 0, []))
    assert "stops (5.4)" in ask_text("odds", pack, *FIGHT)


def test_records_ask_what_was_told_of_the_battle(tmp_path: Path) -> None:
    """`battle.` is followed by what the attack is told or works out, or by `attack`, its id; `result_text` is the effect as written."""
    records = (
        "    defender_retreat:\n"
        '      - {text: in the open, to: defenders, when: battle.terrain == "clear" and battle.attack == "assault", lose: 1}\n'
        '      - {text: elsewhere, to: attackers, when: battle.terrain != "clear", lose: 1}\n'
        '      - {text: two hexes, to: defenders, when: result_text == "2", set: starving}\n'
    )
    pack = changed_results(tmp_path, records)
    assert {(row["role"], row["steps"], tuple(row["states"])) for row in result_of(pack, "DR").values()} == {
        ("defender", 1, ("starving",))
    }
    answer = ask_json("odds", pack, *FIGHT, "terrain=hills")
    assert {row["role"] for rows in results(answer).values() for row in rows.values() if row["steps"]} <= {"attacker"}


def test_how_far_who_advances(tmp_path: Path) -> None:
    """Two hexes, once the defenders are gone: into 0806, or on from there, but not where two corps stand (0706); one hex: there alone."""
    walk = "    always: [{text: on, rule: '6', to: attackers, advance: true, hexes: 1 + 1}]\n"
    pack = changed_results(tmp_path, "    defender_retreat: [{text: gone, to: defenders, eliminate: true}]\n" + walk)
    rules = Path(pack) / "rules.yaml"
    text = rules.read_text(encoding="utf-8")
    advance_section = "    advance:\n      title: Advance\n      length: 1\n"
    assert text.count(advance_section) == 1
    assert {tuple(row["advances"]) for unit, row in result_of(pack, "DR").items() if "north" in unit} == {("0806",)}
    rules.write_text(
        text.replace(advance_section, advance_section.replace("length: 1", "length: result")), encoding="utf-8"
    )
    assert set(result_of(pack, "DR")["infantry_north/3"]["advances"]) == {"0806", "0707", "0807", "0906", "0907"}


WRONG = (
    ("lose: 1, by: attack", "`by` goes with `who`"),
    ("lose: 1, first: reduced", "`first` goes with `who`"),
    ("lose: 1, hexes: 2", "`hexes` goes with `advance`"),
    ("lose: 1, instead: 1", "`instead` goes with `retreat`"),
    ("lose: 1, who: weakest, by: terrain", "terrain"),
    ('lose: 1, when: battle.terain == "clear"', "battle.terrain"),
)


@pytest.mark.parametrize(("effect", "message"), WRONG, ids=[message for _, message in WRONG])
def test_wrong_records_are_findings_at_their_line(tmp_path: Path, effect: str, message: str) -> None:
    pack = copy(tmp_path)
    rules = pack / "rules.yaml"
    lines = rules.read_text(encoding="utf-8").splitlines()
    index = lines.index("  results:") + 1
    lines[index:index] = ["    always:", f"      - {{text: a test, to: attackers, {effect}}}"]
    lines = [line for n, line in enumerate(lines) if not (line == "    always:" and n != index)]
    rules.write_text("\n".join(lines) + "\n", encoding="utf-8")
    findings = [str(finding) for finding in check(pack)]
    assert any(message in line and f"rules.yaml:{index + 2}:" in line for line in findings), findings


def test_what_was_told_of_a_battle_is_known_in_results_alone(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    rules = pack / "rules.yaml"
    text, may = rules.read_text(encoding="utf-8"), "attacking:\n    may:\n"
    rules.write_text(
        text.replace(may, may + '      - {text: no, that: battle.terrain == "hill"}\n', 1), encoding="utf-8"
    )
    assert any("known under `results` only" in str(finding) for finding in check(pack))


# --- victory: whose a place is, whose lead is looked up ----------------------------------------------------------------


def test_whose_a_place_is_where_nobody_stands() -> None:
    """Yom Kippur's banks (1.15): an empty hex belongs to its bank, until somebody was told to have been there, or stands there."""
    start = ask_json("score", "yom_kippur", "scenario=4.1")
    points = {
        row["side"]: row for row in start["scores"] if row["each"] == 1 and row["text"].startswith("Each Victory")
    }
    israeli_place = points["israeli"]["places"][0]
    answer = ask_json("score", "yom_kippur", "scenario=4.1", f"control={israeli_place}:egyptian")
    rows_by_side = {
        row["side"]: row for row in answer["scores"] if row["each"] == 1 and row["text"].startswith("Each Victory")
    }
    assert (
        israeli_place in rows_by_side["egyptian"]["places"] and israeli_place not in rows_by_side["israeli"]["places"]
    )
    assert rows_by_side["israeli"]["count"] == points["israeli"]["count"] - 1
    assert lead_of_israel(answer) == lead_of_israel(start) - 2


def lead_of_israel(answer: dict[str, Any]) -> int:
    totals: dict[str, int] = answer["totals"]
    return totals["israeli"] - totals["egyptian"]


def test_the_lead_of_one_side_is_looked_up() -> None:
    """Its table of victory has columns below 0: -5 and less is an Egyptian major victory, -4 to -2 a minor one."""
    for ignored_count, level in ((0, None), (1, None), (5, "Egyptian major")):
        answer = ask_json("score", "yom_kippur", "scenario=4.1", f"ignored_israeli={ignored_count}")
        lead = lead_of_israel(answer)
        expected_level = (
            "Egyptian major" if lead <= -5 else "Egyptian minor" if lead <= -2 else "Draw" if lead < 2 else "Israeli"
        )
        assert answer["level"].startswith(expected_level) and (level is None or answer["level"] == level), answer[
            "level"
        ]


def test_a_scenario_without_points_is_won_or_drawn() -> None:
    """4.5: units in supply on two of three hexes win; who loses one of his two has drawn."""
    start = ask_json("score", "yom_kippur", "scenario=4.5")
    ends = {row["side"]: row for row in start["sudden_death"]}
    assert all(row["at_end"] for row in ends.values())
    assert sorted(ends["egyptian"]["places"]) == ["10.15", "24.20"] and not ends["israeli"]["places"]
    assert start["level"] == "Egyptian victory"
    stacks = ask_json("stack", "yom_kippur", "scenario=4.5", "at=10.15")
    units = ",".join(unit for stack in stacks["stacks"] for unit in stack["units"])
    assert ask_json("score", "yom_kippur", "scenario=4.5", f"remove={units}")["level"] == "Draw"


def test_wrong_holders_and_leads_are_findings(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    rules = pack / "rules.yaml"
    text = rules.read_text(encoding="utf-8")
    for line, message in (
        ("  holder: to.friend", "gives a flag; here belongs a text"),
        ("  holder: attack", "no single unit is meant here"),
    ):
        rules.write_text(text.replace("rules:\n", f"rules:\n{line}\n", 1), encoding="utf-8")
        assert any(message in str(finding) for finding in check(pack)), (
            line,
            [str(finding) for finding in check(pack)],
        )

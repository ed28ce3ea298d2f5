"""Questions that every pack with rules answers: units told with a place and a state, empty maps, where units can be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from assistant.cli import cli
from scenarios import load
from scenarios.model.hexes import distance, neighbours
from scenarios.model.maps import HexMap
from tests.packs import break_pack, copy


def text_of(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli, [*words, "--json"] if not code else list(words))
    assert result.exit_code == code, result.output
    return result.output


def costs(*words: str) -> dict[str, float]:
    return {row["place"]: float(row["cost"]) for row in json.loads(text_of("move", *words))["places"]}


def test_a_unit_is_where_and_as_the_question_says(tmp_path: Path) -> None:
    """`from` and UNIT@PLACE are the same; UNIT+STATE shows its back; none is an empty map."""
    pack = str(copy(tmp_path))
    move_costs = costs(pack, "cars/14", "--from", "0102", "--scenario", "none")
    assert move_costs == costs(pack, "cars/14@0102", "--scenario", "none")
    assert move_costs == costs(pack, "cars/14", "--scenario", "none", "--put", "cars/14@0102")
    assert costs(pack, "infantry_red/11+reduced@0102", "--scenario", "none").keys() < move_costs.keys()
    assert "not in this position" in text_of("move", pack, "cars/14", "--scenario", "none", code=2)


def test_from_takes_a_copy_that_there_is() -> None:
    """27 armor battalions wait in boxes, 3 infantry units in their set-up area: `from` asks of one of them, not of one more."""
    for game, unit, place in (("october_war", "armor_battalion", "adabiya"), ("two_wells", "infantry_red", "0303")):
        counter = load(game).units[unit]
        copies = counter.numbers or tuple(str(n) for n in range(1, counter.count + 1))
        answer = json.loads(text_of("move", game, unit, "--from", place))
        assert answer["from"] == place
        assert answer["unit"].partition("/")[2] in copies


def test_the_minimum_move_keeps_its_price(tmp_path: Path) -> None:
    """A hill is 2: with one point it is reached all the same, and says what it would cost."""
    pack, *_ = break_pack(tmp_path, "rules.yaml", "set: movement", "set: 1")
    reach = json.loads(text_of("move", str(pack), "cars/14@0401", "--scenario", "none"))["places"]
    hill = next(row for row in reach if row["place"] == "0402")
    assert hill["cost"] == 2 and hill["rule"] == "2.4"


def test_where_a_unit_can_be_at_all(tmp_path: Path) -> None:
    rule = '  allowed_places:\n    - {text: nobody camps on a hill, rule: "9", that: not to.hill}\n  zones:\n'
    pack, *_ = break_pack(tmp_path, "rules.yaml", "  zones:\n", rule)
    message = text_of("move", str(pack), "cars/14@0402", "--scenario", "none", code=2)
    assert "Armoured cars 14 can't be in 0402: nobody camps on a hill (9)" in message
    assert costs(str(pack), "cars/14@0401", "--scenario", "none")


def test_an_input_that_is_needed(tmp_path: Path) -> None:
    """A first hex that the question has to name; a way may lead back through the start."""
    old = """      length: 1
      steps:
        - {text: an enemy unit is there, rule: "4.3", when: to.enemy, forbid: true}"""
    new = """      length: 3
      steps:
        - {text: the hex they left first, rule: "4.3", when: first and not to.left, forbid: true}"""
    pack, *_ = break_pack(tmp_path, "rules.yaml", old, new)
    rules = pack / "rules.yaml"
    text = rules.read_text(encoding="utf-8")
    input_rules = "rules:\n  inputs: {left: {title: The hex they left, kind: places, needed: true}}\n"
    rules.write_text(text.replace("rules:\n", input_rules, 1), encoding="utf-8")
    question = ("advance", str(pack), "unit=cars/14@0202", "scenario=none")
    assert "needs The hex they left" in text_of("ask", str(pack), *question[:1], *question[2:], code=2)
    rows = json.loads(text_of("ask", str(pack), "advance", *question[2:], "left=0102"))["places"]
    rows_by_place = {row["place"]: row for row in rows}
    assert rows_by_place["0202"]["returns"] and rows_by_place["0302"]["cost"] == 3  # back through the start
    assert "left" not in text_of("ask", str(pack), "move", "unit=cars/14@0202", "scenario=none")


RETREAT = """      length: result
      outcomes:
        - {text: dug in, rule: "4.2", when: dug_in, stay: true}
"""


def ask_retreat(pack: Path, *words: str) -> dict[str, Any]:
    unit: dict[str, Any] = json.loads(text_of("retreat", str(pack), *words, "--scenario", "none"))["units"][0]
    return unit


def test_a_retreat_leads_towards_its_goals(tmp_path: Path) -> None:
    """The village (0301) first; where no way leads nearer to it, a well; each step comes nearer."""
    goals = """      length: result
      toward:
        village: {text: to the village, rule: "4.4", places: to.village}
        wells: {text: to a well, rule: "4.5", aims: [{nearest: to.well}]}
      outcomes:
        - {text: dug in, rule: "4.2", when: dug_in, stay: true}
"""
    pack, *_ = break_pack(tmp_path, "rules.yaml", RETREAT, goals)
    map = load("two_wells").maps["main"]
    assert isinstance(map, HexMap)

    def nearer(start: str, goal: str, blocked_place: str = "") -> list[str]:
        hexes = [hex for hex in neighbours(map.hex(start)) if hex in map and map.name(hex) != blocked_place]
        return sorted(
            map.name(hex) for hex in hexes if distance(hex, map.hex(goal)) < distance(map.hex(start), map.hex(goal))
        )

    for start in ("0102", "0203"):
        (fate,) = ask_retreat(pack, f"cars/14@{start}", "hexes=1")["outcomes"]
        assert (fate["toward"], sorted(fate["ends"])) == ("village", nearer(start, "0301"))
    # From 0101 only 0201 leads to the village; with the enemy there the nearest well, 0202, is left.
    (fate,) = ask_retreat(pack, "cars/14@0101", "hexes=1", "--put", "infantry_blue/21+reduced@0201")["outcomes"]
    assert nearer("0101", "0301", "0201") == []
    assert (fate["toward"], fate["goal"], sorted(fate["ends"])) == (
        "wells",
        "to a well",
        nearer("0101", "0202", "0201"),
    )


def test_a_retreat_looks_further_for_room_and_may_be_waived(tmp_path: Path) -> None:
    old, new = "when: dug_in, stay: true}\n", "when: dug_in, may_stay: true}\n      further: 1\n"
    pack, *_ = break_pack(tmp_path, "rules.yaml", old, new)
    full = "infantry_red/11@0201,infantry_red/12@0201"
    answer = ask_retreat(pack, "cars/14+dug_in@0101", "hexes=1", "--put", f"{full},infantry_blue/21+reduced@0102")
    assert answer["may_stay"][0]["rule"] == "4.2"
    assert answer["outcomes"][0]["outcome"] == "unharmed" and "0201" not in answer["outcomes"][0]["ends"]
    assert all(len(way["path"]) == 3 for way in answer["ways"])
    plain_pack, *_ = break_pack(tmp_path / "plain", "rules.yaml", old, old)
    plain_answer = ask_retreat(plain_pack, "cars/14@0101", "hexes=1", "--put", f"{full},infantry_blue/21+reduced@0102")
    assert plain_answer["eliminated"] == "1" and plain_answer["no_path"][0]["rule"] == "4.1"


def test_a_list_says_where_a_walk_may_end(tmp_path: Path) -> None:
    """Ends may name a list that forbids; a list that does anything else is refused at its line."""
    lists = '  lists:\n    dry:\n      - {text: not on a hill, rule: "9", when: to.hill, forbid: true}\n  zones:\n'
    pack, *_ = break_pack(tmp_path, "rules.yaml", "  zones:\n", lists)
    rules = pack / "rules.yaml"
    text = rules.read_text(encoding="utf-8").replace(
        "forbid: true}\n      ends: stacking", "forbid: true}\n      ends: [dry, stacking]"
    )
    rules.write_text(text, encoding="utf-8")
    rows = json.loads(text_of("ask", str(pack), "advance", "unit=cars/14@0401", "scenario=none"))["places"]
    assert {row["place"]: row["rule"] for row in rows if not row["may_end"]} == {"0402": "9"}
    rules.write_text(
        text.replace("when: to.hill, forbid: true}\n  zones", "when: to.hill, stop: true}\n  zones"), encoding="utf-8"
    )
    message = text_of("ask", str(pack), "advance", "unit=cars/14@0401", "scenario=none", code=1)
    assert "only says what it does `forbid`" in message and "the list 'dry' can't be used here" in message


ENTRY = """  entry:
    ways:
      ferry:
        title: by ferry
        rule: "8"
        note: at dawn
        assault: fighting
        who:
          - {text: guns don't swim, rule: "8.1", when: fires_far, forbid: true}
          - {text: only from a well, rule: "8.2", when: on_map and not start.well, forbid: true}
        to: if(on_map, gone == 2, to.west)
    limits: {boats: 'number(lookup("movement", "wadi", "cost"))'}
    notes:
      - {text: only by night, rule: "8.3", when: not on_map}
"""


def entry(pack: Path, *words: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(text_of("ask", str(pack), "entry", *words, "scenario=none"))
    return answer


def test_ways_onto_the_map(tmp_path: Path) -> None:
    """From the box to the west bank, with room and without the enemy unless in assault; from a well two hexes on."""
    pack, *_ = break_pack(tmp_path, "rules.yaml", "  movement:\n", ENTRY + "  movement:\n")
    full = "put=infantry_red/11@0101,infantry_red/12@0101,infantry_blue/21@0103"
    box_answer = entry(pack, "unit=cars/14", full)
    (way,) = box_answer["ways"]
    assert {row["place"] for row in way["reach"]} == {"0102", "0201", "0202", "0203"}  # 0101 is full (2.3)
    assert [row["place"] for row in way["assault"]] == ["0103"] and way["way"] == "by ferry"
    assert box_answer["limits"] == {"boats": 1} and box_answer["remarks"][-1]["rule"] == "8.3"
    map = load("two_wells").maps["main"]
    assert isinstance(map, HexMap)
    (way,) = entry(pack, "unit=cars/14", "from=0202")["ways"]
    assert {row["place"] for row in way["reach"]} == {
        map.name(hex) for hex in map.hexes if distance(hex, map.hex("0202")) == 2
    }
    assert entry(pack, "unit=cars/14", "from=0201")["ways"] == []
    assert entry(pack, "unit=gun")["ways"] == []

"""What somebody who writes a pack of his own can say in one line: one unit in each of several hexes, two features in a hex."""

from __future__ import annotations

from pathlib import Path

from art.charts.charts import format_heading, readable_table
from scenarios import check, load
from scenarios.model.position import format_location, from_scenario
from tests.asking import ask_json
from tests.packs import break_pack, copy

COLUMN = "units: {infantry_red: 3}, at: {zone: west, within: {distance: 0, of: {edge: west}}}}"


def test_one_unit_in_each_of_several_hexes(tmp_path: Path) -> None:
    pack, _, _ = break_pack(
        tmp_path, "map.yaml", COLUMN, 'units: {infantry_red: 1}, at_each: ["0101", "0102", "0103"]}'
    )
    assert check(pack) == []
    game = load(pack)
    start = from_scenario(game, "noon")
    placed_units = {
        format_location(game.scenario_maps["noon"], piece.at): (piece.unit, piece.copy)
        for piece in start.copies_of("infantry_red")
    }
    assert placed_units == {
        "0101": ("infantry_red", "11"),
        "0102": ("infantry_red", "12"),
        "0103": ("infantry_red", "13"),
    }
    groups = ask_json("scenario", str(pack), "noon")["sides"][0]["groups"]
    assert [(group["set_up"], group["units"]) for group in groups[:3]] == [
        (f"in 010{n}", {"infantry_red": 1}) for n in (1, 2, 3)
    ]


def test_more_of_them_than_there_are_is_told(tmp_path: Path) -> None:
    pack, line, _ = break_pack(tmp_path, "map.yaml", COLUMN, 'units: {infantry_red: 2}, at_each: ["0101", "0102"]}')
    (finding,) = check(pack)
    assert finding.line == line and "uses 4 of infantry_red" in finding.message
    twice = 'units: {infantry_red: 1}, at: "0101", at_each: ["0102"]}'
    pack, line, _ = break_pack(tmp_path / "other", "map.yaml", COLUMN, twice)
    assert any(problem.line == line and "give one of them" in problem.message for problem in check(pack))


FEATURES = "    hexsides: {wadi"


def test_a_hex_may_be_of_two_kinds(tmp_path: Path) -> None:
    pack, _, _ = break_pack(
        tmp_path, "map.yaml", FEATURES, f'    features: {{hill: ["0401"], village: ["0402"]}}\n{FEATURES}'
    )
    rules = pack / "rules.yaml"
    text = rules.read_text(encoding="utf-8")
    uphill = '{text: uphill, when: to.hill and to.terrain != "hill", add: 1}'
    rules.write_text(
        text.replace("{text: the wadi, rule", f"{uphill}\n        - {{text: the wadi, rule"), encoding="utf-8"
    )
    assert check(pack) == []
    put = ("--put", "cars/14@0302", "--remove", "infantry_blue/21,infantry_blue/22")
    costs = {row["place"]: row["cost"] for row in ask_json("move", str(pack), "cars", *put)["places"]}
    # 0401 is drawn clear and a hill besides: 1 for the ground and 1 more; 0403 is clear alone.
    assert (costs["0401"], costs["0303"]) == (2, 1)
    # 0402 is a hill and a village: three units may stand there (2.3).
    three = ("0402", "--unit", "camels/23,camels/24,infantry_blue/21", "--put", "camels/23@0303,camels/24@0303")
    assert ask_json("stack", str(pack), *three)["may"] is True
    assert ask_json("stack", "two_wells", *three)["may"] is False


def test_an_attack_reads_either_kind(tmp_path: Path) -> None:
    pack, _, _ = break_pack(tmp_path, "map.yaml", FEATURES, f'    features: {{village: ["0402"]}}\n{FEATURES}')
    counters = pack / "counters.yaml"
    text = counters.read_text(encoding="utf-8")
    flag = "built_up: {title: In a village, read: terrain, terrain: [village]}\n      hexes: {title"
    counters.write_text(
        text.replace("hexes: {title", flag).replace('when: terrain == "village"', "when: built_up"), encoding="utf-8"
    )
    assert check(pack) == []
    answer = ask_json("odds", str(pack), "--at", "0402", "--put", "cars/14@0302,gun@0402")
    assert (
        answer["inputs"]["built_up"] is True
        and answer["inputs"]["terrain"] == "hill"
        and answer["defense_strength"] == 2
    )


def test_a_feature_that_is_no_terrain_is_told(tmp_path: Path) -> None:
    pack, line, _ = break_pack(tmp_path, "map.yaml", FEATURES, f'    features: {{hil: ["0401"]}}\n{FEATURES}')
    (finding,) = check(pack)
    assert finding.line == line and "no terrain is called 'hil'; did you mean hill" in finding.message
    pack = copy(tmp_path / "other")
    path = pack / "map.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace(FEATURES, f'    features: {{hill: ["9901"]}}\n{FEATURES}'),
        encoding="utf-8",
    )
    assert any("9901" in str(problem) for problem in check(pack))


def test_a_word_of_two_vocabularies_is_read_by_those_beside_it(tmp_path: Path) -> None:
    """`cars` is a type of its own; made a class too, it is the class beside `foot` and the type beside `gun`."""
    classes = "classes: {foot: Foot, wheels: Wheels, cars: Cars on wheels}"
    pack, *_ = break_pack(tmp_path, "game.yaml", "classes: {foot: Foot, wheels: Wheels}", classes)
    text = (pack / "counters.yaml").read_text(encoding="utf-8")
    table_text = "tables:\n" + "".join(
        f"  {key}:\n    title: {key}\n    columns: {{names: [{names}]}}\n    cells: {{clear: 1 1, hill: 2 2}}\n"
        for key, names in (("by_class", "foot, cars"), ("by_type", "gun, cars"))
    )
    (pack / "counters.yaml").write_text(text.replace("tables:\n", table_text, 1), encoding="utf-8")
    game = load(pack)
    for key, words in (("by_class", ["Foot", "Cars on wheels"]), ("by_type", ["Gun", "Armoured cars"])):
        table = readable_table(game, game.tables[key])
        assert [format_heading(game, label, table) for label in table.columns.labels] == words

"""Who may advance: into the place that was fought for only, and where only one may, all who could are named."""

from __future__ import annotations

from typing import Any

from tests.asking import ask_json

NO_SCENARIO = ("--scenario", "none", "--put")


def results(*words: str) -> dict[str, Any]:
    return {row["result"]: row for row in ask_json("odds", "two_wells", *words)["results"]}


def advances(row: dict[str, Any]) -> dict[str, list[str]]:
    return {unit["name"]: unit["advances"] for unit in row["units"] if "advances" in unit}


def choices(row: dict[str, Any]) -> list[str]:
    return [line["text"] for line in row.get("lines", ()) if "advance" in line["text"]]


def test_nobody_advances_who_can_not_reach_the_place() -> None:
    # 0202 is two hexes from 0402; an advance is one hex (RULES.md 4.3).
    result_rows = results("--at", "0402", "--from", "0202,0401", *NO_SCENARIO, "cars/14@0202,cars/15@0401,gun@0402")
    falling_rows = [row for row in result_rows.values() if row["hex_falls"]]
    assert falling_rows
    for row in falling_rows:
        assert advances(row) == {"Armoured cars 15": ["0402"]} and choices(row) == []


def test_all_are_named_where_one_may_advance_and_only_where_the_place_falls() -> None:
    put = "cars/14@0401,cars/15@0302,infantry_red/11@0403,infantry_blue/21@0402"
    result_rows = results("--at", "0402", "terrain=village", *NO_SCENARIO, put)
    falling_rows = [row for row in result_rows.values() if row["hex_falls"]]
    holding_rows = [row for row in result_rows.values() if not row["hex_falls"]]
    assert falling_rows and holding_rows
    for row in falling_rows:
        assert advances(row) == {"Armoured cars 14": ["0402"], "Armoured cars 15": ["0402"], "Infantry 11": ["0402"]}
        assert choices(row) == ["the owner chooses which one of them may advance: the hex is empty"]
    for row in holding_rows:
        assert advances(row) == {} and choices(row) == []

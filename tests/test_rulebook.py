"""`assistant rules` finds the records that a player means; `assistant scenario --check` tells what is wrong with a set-up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import cli
from scenarios import check, load, shipped_games
from scenarios.model.position import Piece, Position, from_scenario, locate
from scenarios.opening_positions import write_position
from tests.asking import ask_json, run_command
from tests.packs import break_pack, copy


def rules(*words: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = ask_json("rules", *words)["rules"]
    return entries


# --- rules ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "words", "rule", "part"),
    [
        ("yom_kippur", ("cross", "canal"), "1.13a", "infantry may cross the canal"),
        ("yom_kippur", ("overruns",), "Player's Notes", "overrun"),
        ("corps", ("zone", "town"), "3.1", "a zone of control does not extend into a town"),
        ("corps", ("retreating", "towns"), "6", "of a town"),
        ("two_wells", ("gun", "adjacent"), "3.4", "a gun may not fire at adjacent units"),
        ("arab_israeli_wars", ("hull", "down"), "Basic VII.F", "hull down"),
    ],
)
def test_a_few_words_find_the_rule(game: str, words: tuple[str, ...], rule: str, part: str) -> None:
    assert any(entry.get("rule") == rule and part in entry["text"] for entry in rules(game, *words)[:4])


def test_a_rule_tells_what_changes_it() -> None:
    mud = next(entry for entry in rules("corps", "mud") if entry["text"] == "mud")
    assert mud["rule"] == "2" and mud["section"] == "movement / March"
    assert [(change["kind"], change["id"]) for change in mud["changed_by"]] == [("scenario", "autumn")]
    water = next(entry for entry in rules("two_wells", "out", "of", "water") if entry["section"] == "Assault")
    assert ("state", "dry") in [(change["kind"], change["id"]) for change in water["changed_by"]]
    trace = next(entry for entry in rules("yom_kippur", "1.6b") if entry["changed_by"])
    assert {change["kind"] for change in trace["changed_by"]} >= {"ruling"}


def test_a_number_finds_its_section_and_nothing_else() -> None:
    entries = rules("corps", "3.3")
    assert len(entries) >= 5 and all("3.3" in entry["rule"].split(", ") for entry in entries)


def test_every_pack_lists_its_rules_and_says_where_there_are_none() -> None:
    for game in (*shipped_games(), "corps", "two_wells"):
        entries = rules(game)
        assert len(entries) > 10 and all(entry["section"] for entry in entries)
    result = run_command(cli, "rules", "corps", "moonshine")
    assert result.exit_code == 2 and "no rule about 'moonshine'; try other words" in result.output


# --- set-ups ----------------------------------------------------------------------------------------------------------


def check_position(game: str, scenario: str, position: str) -> dict[str, Any]:
    """What a check says; its exit code is 1 where something is wrong."""
    result = run_command(cli, "scenario", game, scenario, "--check", position, "--json")
    report: dict[str, Any] = json.loads(result.output)
    assert result.exit_code == (0 if report["ok"] else 1), result.output
    return report


def set_up(
    folder: Path, pack: str, scenario: str, places: dict[tuple[str, str], str], extra_pieces: tuple[Piece, ...] = ()
) -> str:
    """A position file: the scenario's start with some pieces in other places."""
    game = load(pack)
    start = from_scenario(game, scenario)
    map = game.scenario_maps[scenario]
    pieces = [
        p._replace(at=locate(map, places[p.unit, p.copy])) if (p.unit, p.copy) in places else p for p in start.pieces
    ]
    path = folder / "set_up.yaml"
    write_position(game, Position(game.id, scenario, 1, "", (*pieces, *extra_pieces)), path)
    return str(path)


def test_a_lawful_set_up_is_told_so(tmp_path: Path) -> None:
    # Red's column along the west edge, Blue's riders and gun east of the wadi and out of 0301.
    places = {
        ("infantry_red", "11"): "0101",
        ("infantry_red", "12"): "0102",
        ("infantry_red", "13"): "0103",
        ("camels", "23"): "0401",
        ("camels", "24"): "0402",
        ("gun", "1"): "0403",
    }
    report = check_position("two_wells", "noon", set_up(tmp_path, "two_wells", "noon", places))
    assert report["ok"] is True and report["faults"] == []


def test_what_stands_where_it_may_not(tmp_path: Path) -> None:
    places = {
        ("infantry_red", "11"): "0101",
        ("infantry_red", "12"): "0202",
        ("infantry_red", "13"): "0101",
        ("cars", "14"): "0103",
        ("camels", "23"): "0401",
        ("camels", "24"): "0301",
        ("gun", "1"): "0403",
    }
    report = check_position("two_wells", "noon", set_up(tmp_path, "two_wells", "noon", places))
    faults = {(fault["kind"], fault["unit"]): fault for fault in report["faults"]}
    assert (
        set(faults) == {("misplaced", "infantry_red"), ("misplaced", "cars"), ("misplaced", "camels")}
        and not report["ok"]
    )
    red = faults["misplaced", "infantry_red"]
    assert red["place"] == "0202" and red["text"].startswith("Infantry 12 of Group A, Column is in 0202, but sets up")
    assert "enters on turn 2" in faults["misplaced", "cars"]["text"]


def test_what_is_missing_and_what_is_too_many(tmp_path: Path) -> None:
    report = check_position("two_wells", "noon", set_up(tmp_path, "two_wells", "noon", {}))
    missing = [fault["unit"] for fault in report["faults"] if fault["kind"] == "missing"]
    assert missing.count("infantry_red") == 3 and missing.count("camels") == 2 and missing.count("gun") == 1
    pack, _, _ = break_pack(tmp_path, "map.yaml", "units: {cars: 2}", "units: {cars: 1}")
    places = {("infantry_red", copy): "0101" for copy in ("11", "12", "13")}
    extra_pieces = (Piece("cars", "15", "red", locate(load(pack).scenario_maps["noon"], "0103")),)
    crowd = check_position(str(pack), "noon", set_up(tmp_path, str(pack), "noon", places, extra_pieces))
    faults = {fault["kind"]: fault for fault in crowd["faults"]}
    assert faults["too_many"]["text"] == "Armoured cars 15: one counter too many; the scenario has 1"
    assert (faults["stacking"]["rule"], faults["stacking"]["place"]) == ("2.3", "0101")


def test_pieces_are_matched_to_groups_as_well_as_can_be(tmp_path: Path) -> None:
    """The same counters in several groups: swapped numbers are no fault."""
    places = {
        ("infantry_north", copy): place for copy, place in (("1", "0704"), ("2", "0704"), ("3", "0304"), ("4", "0304"))
    }
    assert check_position("corps", "autumn", set_up(tmp_path, "corps", "autumn", places))["ok"] is True


def test_works_that_exclude_each_other(tmp_path: Path) -> None:
    old = "dry: {name: Out of water, kind: state, state: dry, count: 4}"
    wire = "wire: {name: Wire, kind: construction, count: 4, excludes: [wire, mines]}"
    new = f"{old}\n  {wire}\n  mines: {{name: Mines, kind: construction, count: 4}}"
    pack, _, _ = break_pack(tmp_path, "counters.yaml", old, new)
    assert check(pack) == []
    place = locate(load(pack).scenario_maps["noon"], "0401")
    for works, names in ((("wire", "mines"), "Wire and Mines"), (("wire", "wire"), "two of Wire")):
        extra_pieces = tuple(Piece(work, str(n), "", place) for n, work in enumerate(works, 1))
        report = check_position(str(pack), "noon", set_up(tmp_path, str(pack), "noon", {}, extra_pieces))
        assert [fault["text"] for fault in report["faults"] if fault["kind"] == "works"] == [
            f"{names} can't be in the same place"
        ]
    counters = copy(tmp_path / "other") / "counters.yaml"
    text = counters.read_text(encoding="utf-8")
    counters.write_text(text.replace(old, old.replace("count: 4", "count: 4, excludes: [wires]")), encoding="utf-8")
    assert any("'wires'" in str(finding) for finding in check(counters.parent))


def test_the_starts_of_all_scenarios_have_only_what_waits_to_be_set_up(tmp_path: Path) -> None:
    """Who has one place stands there; who is set up by area is missing, and nobody is misplaced or too many."""
    for name in ("two_wells", "corps", "yom_kippur", "six_day_war", "musketeer", "october_war", "arab_israeli_wars"):
        game = load(name)
        for key in list(game.scenarios)[:3]:
            report = check_position(name, key, set_up(tmp_path, name, key, {}))
            wrong = [fault for fault in report["faults"] if fault["kind"] in ("misplaced", "too_many")]
            assert not wrong, (name, key, wrong[:2])

"""Stacking, moves and their refusals in October War, asked through the command line; expectations from the rulebook."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.cli import cli
from assistant.games import october_war
from scenarios.command import load_game
from scenarios.game import Game
from scenarios.position import Piece, Position
from tests.questions import ask


@functools.cache
def loaded(game: str, overlays: tuple[Path, ...], no_overlay: bool) -> Game:
    return load_game(game, overlays, no_overlay)


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is loaded once."""
    for part in ("table", "turn", "more"):
        monkeypatch.setattr(f"assistant.cli_{part}.load_game", loaded)


def said(*words: str, code: int = 0) -> dict[str, Any]:
    result = CliRunner().invoke(cli, [*words, "--json", "--no-overlay"])
    assert result.exit_code == code, result.output
    return dict(json.loads(result.output)) if code == 0 else {"error": result.output}


def position(tmp_path: Path, *pieces: tuple[str, str]) -> str:
    """A position file with units in points."""
    rows = "\n".join(f"  - {{unit: {unit}, at: {at}}}" for unit, at in pieces)
    path = tmp_path / "position.yaml"
    path.write_text(f"game: october_war\nscenario: standard\npieces:\n{rows}\n", encoding="utf-8")
    return str(path)


def move(tmp_path: Path, unit: str, start: str, to: str, *others: tuple[str, str]) -> dict[str, Any]:
    file = position(tmp_path, (unit, start), *others)
    return said("move", "october_war", "--unit", unit, "--from", start, "--to", to, "--position", file)


def full_up(found: dict[str, Any], to: str) -> bool:
    """Whether a unit that moves there can't stay because of the stack."""
    (one,) = found["places"]
    assert one["place"] == to
    return not one["may_end"]


def barred(found: dict[str, Any], point: str) -> str:
    """Why a unit can't retreat to a point; nothing where it can."""
    assert point in {way["to"] for way in found["ways"]} ^ {one["place"] for one in found["barred"]}
    return "".join(one["why"] for one in found["barred"] if one["place"] == point)


FULL = [("infantry_division_egypt", "{}"), ("armored_brigade_egypt", "{}")]
"""A division is three brigades, so with one more the Arab limit of four is reached (12.1)."""


def full(point: str) -> list[tuple[str, str]]:
    return [(unit, point) for unit, _ in FULL]


@pytest.mark.parametrize(
    ("unit", "there", "over"),
    [
        ("hq_3a", "hq_2a", True),  # two armies
        ("hq_252", "hq_143", True),  # two divisions
        ("hq_sc", "hq_143", False),  # a command and a division
    ],
)
def test_one_headquarters_of_each_size(tmp_path: Path, unit: str, there: str, over: bool) -> None:
    """12.1 and 17.4: no two of one size in a point, whatever else is there."""
    start, to = ("el_firdan", "ismailia") if unit == "hq_3a" else ("tasa", "khatmia")
    found = move(tmp_path, unit, start, to, (there, to))
    assert full_up(found, to) is over
    assert ("17.4" in (found["places"][0]["why"] or "")) is over


def test_a_headquarters_stands_above_the_limit(tmp_path: Path) -> None:
    """12.1: one headquarters in addition to the four brigades."""
    assert not full_up(move(tmp_path, "hq_2a", "deversoir", "fayid", *full("fayid")), "fayid")


def test_headquarters_dont_retreat_onto_one_of_their_size(tmp_path: Path) -> None:
    """16.4 (7)."""
    file = position(
        tmp_path, ("hq_3a", "deversoir"), ("armor_battalion", "deversoir"), ("hq_2a", "fayid"), ("engineer_egypt", "fayid")
    )
    found = said("ask", "october_war", "retreat", "point=deversoir", "side=arab", "--position", file)["units"][0]
    assert "17.4" in barred(found, "fayid")
    assert "umm_katib" in [way["to"] for way in found["ways"]]


@pytest.mark.parametrize(
    ("start", "to", "over"),
    [
        ("deversoir", "fayid", True),  # a town
        ("el_firdan", "ismailia", False),  # a city that may be its own
        ("el_firdan", "qantara", True),
    ],
)
def test_city_brigades_are_free_in_their_city_only(tmp_path: Path, start: str, to: str, over: bool) -> None:
    """5.2 (2)."""
    assert full_up(move(tmp_path, "city_brigade_egypt", start, to, *full(to)), to) is over


def test_one_city_brigade_is_free_in_a_city(tmp_path: Path) -> None:
    """5.2 (2): each has a city of its own, so the second in one is away from home."""
    file = position(tmp_path, ("city_brigade_egypt", "ismailia"), ("city_brigade_egypt", "deversoir"), *full("ismailia"))
    asked = ("move", "october_war", "--unit", "city_brigade_egypt", "--from", "deversoir", "--to", "ismailia")
    assert full_up(said(*asked, "--position", file), "ismailia")
    # and whoever else comes finds it counted outside its city: four and the fifth
    units = [("city_brigade_egypt", "fayid"), ("infantry_division_egypt", "fayid")]
    assert full_up(move(tmp_path, "armored_brigade_egypt", "deversoir", "fayid", *units), "fayid")
    home = [("city_brigade_egypt", "ismailia"), ("infantry_division_egypt", "ismailia")]
    assert not full_up(move(tmp_path, "armored_brigade_egypt", "deversoir", "ismailia", *home), "ismailia")


def test_a_position_that_knows_the_set_up_tells_whose_city_it_is() -> None:
    """5.2 (2): the brigade of Suez counts in Ismailia, even if Ismailia's own is gone."""
    game = loaded("october_war", (), True)
    pieces = [
        Piece("city_brigade_egypt", "3", "egypt", "deversoir", group="arab/suez"),
        Piece("infantry_division_egypt", "1", "egypt", "ismailia"),
        Piece("armored_brigade_egypt", "1", "egypt", "ismailia"),
    ]
    place = Position("october_war", "standard", 2, "", tuple(pieces))
    asked = {"unit": "city_brigade_egypt", "from": "deversoir", "to": "ismailia", "position": place}
    assert full_up(ask(game, october_war.QUESTIONS["move"], asked)[0], "ismailia")


@pytest.mark.parametrize(("terrain", "over"), [("open", True), ("town", True), ("city", False)])
def test_a_battle_counts_city_brigades_away_from_home(terrain: str, over: bool) -> None:
    """5.2 (2), 15.3: beyond the limit nobody fires."""
    defenders = "defenders=infantry_division_egypt,armored_brigade_egypt,city_brigade_egypt"
    found = said("odds", "october_war", "attackers=armor_battalion", defenders, f"terrain={terrain}")
    assert any("stacking limit" in line["text"] for line in found.get("lines", [])) is over


@pytest.mark.parametrize(
    ("unit", "start", "to", "others", "rules"),
    [
        ("armored_brigade_egypt", "suez_city", "jebel_ataqa", [], ["Terrain Effects Chart"]),
        ("armored_brigade_egypt", "el_firdan", "hizayon", [], ["21.1"]),
        ("armor_battalion", "baluza", "bir_el_abd", [], ["13.5"]),  # an objective between
        ("armor_battalion", "tasa", "bir_gifgafa", [("armored_brigade_egypt", "khatmia")], ["13.6"]),
        ("armor_battalion", "tasa", "el_arish", [], ["13.2"]),
        ("armor_battalion", "el_arish", "kiryat_shmona", [], ["25.3"]),
        ("armored_brigade_egypt", "fayid", "nawa", [], ["3.1"]),
        ("armored_brigade_egypt", "fayid", "great_bitter_lake", [], ["21.6"]),
        ("armor_battalion", "kilometer_101", "egyptian_reserve", [], ["25.2"]),
        ("city_brigade_egypt", "qantara", "milano", [("engineer_egypt", "qantara")], ["5.2 (2)"]),
        ("static_sam_egypt", "qantara", "el_firdan", [], ["2.3"]),
        # an engineer sees men on foot over the canal, with their whole move
        ("paratroop_brigade_egypt", "el_firdan", "machshir", [("engineer_egypt", "el_firdan")], ["21.1"]),
    ],
)
def test_every_no_names_its_rule(
    tmp_path: Path, unit: str, start: str, to: str, others: list[tuple[str, str]], rules: list[str]
) -> None:
    found = move(tmp_path, unit, start, to, *others)
    assert found["places"] == []
    for rule in rules:
        assert any(rule in one["why"] for one in found["barred"]), found["barred"]


LEADER, STRENGTH = "counters/hq_2a/factors/leader", "counters/armor_battalion/factors/strength"


@pytest.mark.parametrize(
    ("words", "entry"),
    [
        ("odds attackers=armor_battalion defenders=armored_brigade_egypt", STRENGTH),
        ("odds attackers=armor_battalion defenders=armored_brigade_egypt morale=yes", "attacks/ground/modifiers/7"),
        ("odds attackers=armored_brigade_egypt,hq_2a defenders=armor_battalion", LEADER),
        ("fire unit=armor_battalion terrain=open", STRENGTH),
        ("air mission=strategic nation=israel tac=2", "tables/air_defense/cells"),
        ("air mission=ground nation=egypt ssm=1", "counters/ssm_egypt/factors/strength"),
        ("command unit=hq_2a from=ismailia", LEADER),
        ("umbrella unit=air_defense_battalion from=tasa", "counters/air_defense_battalion/factors/umbrella"),
        ("mobilization wishes=hq_143", "tables/mobilization_points/cells"),
        ("move unit=armor_battalion from=tasa", "maps/main/points"),
        ("airmobile unit=commando_brigade_egypt from=ismailia", "maps/main/points"),
        ("retreat point=ismailia side=arab", "maps/main/points"),
        ("supply side=arab", "maps/main/points"),
    ],
)
def test_an_answer_names_what_isnt_the_rulebooks(words: str, entry: str) -> None:
    """Our leader values, strengths, point map and torn table lines are said to be ours, in the JSON and in one line."""
    asked = ("ask", "october_war", *words.split())
    assert entry in said(*asked)["not_the_rulebooks"]
    told = CliRunner().invoke(cli, [*asked, "--no-overlay"]).output
    assert told.count("not the rulebook's") == 1


@pytest.mark.parametrize(
    "words",
    [
        "fire unit=armored_brigade_egypt terrain=open",  # an Egyptian armored brigade is 5 (9.4)
        "air mission=ground nation=egypt tac=2 sites=1",  # TAC are 1 (19.2), the ground line is printed
    ],
)
def test_what_the_rulebook_gives_isnt_said_to_be_ours(words: str) -> None:
    assert said("ask", "october_war", *words.split())["not_the_rulebooks"] == {}


def test_a_retreat_that_the_ground_forbids_says_so(tmp_path: Path) -> None:
    """16.4 (3), Terrain Effects Chart: armor doesn't retreat up a mountain."""
    file = position(tmp_path, ("armored_brigade_egypt", "suez_city"), ("armor_battalion", "suez_city"))
    found = said("ask", "october_war", "retreat", "point=suez_city", "side=arab", "--position", file)["units"][0]
    assert "mountain" in barred(found, "jebel_ataqa") and "16.4" in barred(found, "jebel_ataqa")

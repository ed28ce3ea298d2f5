"""Stacking, moves and their refusals in October War, asked through the command line; expectations from the rulebook."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import cli
from assistant.questions.answer import BadQuestion
from assistant.questions.registry import questions
from scenarios.command import load_game
from scenarios.model.game import Game
from scenarios.model.position import Piece, Position
from tests.asking import ask, ask_json, run_assistant, run_command


@functools.cache
def load_cached(game: str, overlays: tuple[Path, ...], no_overlay: bool) -> Game:
    return load_game(game, overlays, no_overlay)


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is loaded once."""
    for module in ("ask", "verbs", "open_save"):
        monkeypatch.setattr(f"assistant.commands.{module}.load_game", load_cached)


def json_answer(*words: str, code: int = 0) -> dict[str, Any]:
    if code:
        return {"error": run_assistant(*words, "--json", "--no-overlay", code=code)}
    return ask_json(*words, "--no-overlay")


def position(tmp_path: Path, *pieces: tuple[str, str]) -> str:
    """A position file with units in points."""
    rows = "\n".join(f"  - {{unit: {unit}, at: {place}}}" for unit, place in pieces)
    path = tmp_path / "position.yaml"
    path.write_text(f"game: october_war\nscenario: standard\npieces:\n{rows}\n", encoding="utf-8")
    return str(path)


def move(tmp_path: Path, unit: str, start: str, destination: str, *other_units: tuple[str, str]) -> str:
    """Why a unit can't move to a point; nothing where it can."""
    return move_refusal(
        "--unit",
        unit,
        "--from",
        start,
        "--to",
        destination,
        "--position",
        position(tmp_path, (unit, start), *other_units),
    )


def move_refusal(*words: str) -> str:
    result = run_command(cli, "move", "october_war", *words, "--json", "--no-overlay")
    assert result.exit_code in (0, 2), result.output
    if result.exit_code == 0:
        assert json.loads(result.output)["path"][-1] == words[words.index("--to") + 1]
        return ""
    refusal = json.loads(result.output[: result.output.rindex("}") + 1])["refused"][0]
    return f"{refusal['text']} ({refusal['rule']})"


def full_up(refusal: str) -> bool:
    """Whether a unit that moves there can't stay because of the stack."""
    assert not refusal or "may not end" in refusal
    return "12.1" in refusal


def retreat_bar(answer: dict[str, Any], point: str) -> str:
    """Why a unit can't retreat to a point; nothing where it can."""
    assert point in {way["to"] for way in answer["ways"]} ^ {row["place"] for row in answer["barred"]}
    return "".join(f"{row['why']} ({row['rule']})" for row in answer["barred"] if row["place"] == point)


FULL = [("infantry_division_egypt", "{}"), ("armored_brigade_egypt", "{}")]
"""A division is three brigades, so with one more the Arab limit of four is reached (12.1)."""


def full(point: str) -> list[tuple[str, str]]:
    return [(unit, point) for unit, _ in FULL]


@pytest.mark.parametrize(
    ("unit", "other_unit", "is_full"),
    [
        ("hq_3a", "hq_2a", True),  # two armies
        ("hq_252", "hq_143", True),  # two divisions
        ("hq_sc", "hq_143", False),  # a command and a division
    ],
)
def test_one_headquarters_of_each_size(tmp_path: Path, unit: str, other_unit: str, is_full: bool) -> None:
    """12.1 and 17.4: no two of one size in a point, whatever else is there."""
    start, destination = ("el_firdan", "ismailia") if unit == "hq_3a" else ("tasa", "khatmia")
    refusal = move(tmp_path, unit, start, destination, (other_unit, destination))
    assert full_up(refusal) is is_full
    assert ("17.4" in refusal) is is_full


def test_a_headquarters_stands_above_the_limit(tmp_path: Path) -> None:
    """12.1: one headquarters in addition to the four brigades."""
    assert not full_up(move(tmp_path, "hq_2a", "deversoir", "fayid", *full("fayid")))


def test_headquarters_dont_retreat_onto_one_of_their_size(tmp_path: Path) -> None:
    """16.4 (7)."""
    file = position(
        tmp_path,
        ("hq_3a", "deversoir"),
        ("armor_battalion", "deversoir"),
        ("hq_2a", "fayid"),
        ("engineer_egypt", "fayid"),
    )
    unit_answer = json_answer("ask", "october_war", "retreat", "point=deversoir", "side=arab", "--position", file)[
        "units"
    ][0]
    assert "17.4" in retreat_bar(unit_answer, "fayid")
    assert "umm_katib" in [way["to"] for way in unit_answer["ways"]]


@pytest.mark.parametrize(
    ("start", "destination", "is_full"),
    [
        ("deversoir", "fayid", True),  # a town
        ("el_firdan", "ismailia", False),  # a city that may be its own
        ("el_firdan", "qantara", True),
    ],
)
def test_city_brigades_are_free_in_their_city_only(tmp_path: Path, start: str, destination: str, is_full: bool) -> None:
    """5.2 (2)."""
    assert full_up(move(tmp_path, "city_brigade_egypt", start, destination, *full(destination))) is is_full


def test_one_city_brigade_is_free_in_a_city(tmp_path: Path) -> None:
    """5.2 (2): each has a city of its own, so the second in one is away from home."""
    file = position(
        tmp_path, ("city_brigade_egypt", "ismailia"), ("city_brigade_egypt", "deversoir"), *full("ismailia")
    )
    assert full_up(
        move_refusal("--unit", "city_brigade_egypt", "--from", "deversoir", "--to", "ismailia", "--position", file)
    )
    # and whoever else comes finds it counted outside its city: four and the fifth
    units = [("city_brigade_egypt", "fayid"), ("infantry_division_egypt", "fayid")]
    assert full_up(move(tmp_path, "armored_brigade_egypt", "deversoir", "fayid", *units))
    home = [("city_brigade_egypt", "ismailia"), ("infantry_division_egypt", "ismailia")]
    assert not full_up(move(tmp_path, "armored_brigade_egypt", "deversoir", "ismailia", *home))


def test_a_position_that_knows_the_set_up_tells_whose_city_it_is() -> None:
    """5.2 (2): the brigade of Suez counts in Ismailia, even if Ismailia's own is gone."""
    game = load_cached("october_war", (), True)
    pieces = [
        Piece("city_brigade_egypt", "3", "egypt", "deversoir", group="arab/suez"),
        Piece("infantry_division_egypt", "1", "egypt", "ismailia"),
        Piece("armored_brigade_egypt", "1", "egypt", "ismailia"),
    ]
    place = Position("october_war", "standard", 2, "", tuple(pieces))
    inputs = {"unit": "city_brigade_egypt", "from": "deversoir", "to": "ismailia", "position": place}
    with pytest.raises(BadQuestion, match=r"may not end.*12\.1"):
        ask(game, questions(game)["move"], inputs)


@pytest.mark.parametrize(("terrain", "is_full"), [("open", True), ("town", True), ("city", False)])
def test_a_battle_counts_city_brigades_away_from_home(terrain: str, is_full: bool) -> None:
    """5.2 (2), 15.3: beyond the limit nobody fires."""
    defenders = "defenders=infantry_division_egypt,armored_brigade_egypt,city_brigade_egypt"
    answer = json_answer("odds", "october_war", "attackers=armor_battalion", defenders, f"terrain={terrain}")
    assert any("stacking limit" in line["text"] for line in answer.get("lines", [])) is is_full


@pytest.mark.parametrize(
    ("unit", "start", "destination", "other_units", "rules"),
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
        # an engineer sees men on foot over the canal, with their whole move, and a fort of the enemy stops them
        ("paratroop_battalion", "matzmed", "fayid", [("engineer_battalion", "matzmed")], ["21.1"]),
        ("paratroop_brigade_egypt", "el_firdan", "machshir", [("engineer_egypt", "el_firdan")], ["13.5"]),
    ],
)
def test_every_no_names_its_rule(
    tmp_path: Path, unit: str, start: str, destination: str, other_units: list[tuple[str, str]], rules: list[str]
) -> None:
    refusal = move(tmp_path, unit, start, destination, *other_units)
    assert all(rule in refusal for rule in rules), refusal


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
    command_words = ("ask", "october_war", *words.split())
    assert entry in json_answer(*command_words)["unofficial"]
    output = run_command(cli, *command_words, "--no-overlay").output
    assert output.count("Uses unofficial numbers") == 1


@pytest.mark.parametrize(
    "words",
    [
        "fire unit=armored_brigade_egypt terrain=open",  # an Egyptian armored brigade is 5 (9.4)
        "air mission=ground nation=egypt tac=2 sites=1",  # TAC are 1 (19.2), the ground line is printed
    ],
)
def test_what_the_rulebook_gives_isnt_said_to_be_ours(words: str) -> None:
    assert json_answer("ask", "october_war", *words.split())["unofficial"] == {}


def test_a_retreat_that_the_ground_forbids_says_so(tmp_path: Path) -> None:
    """16.4 (3), Terrain Effects Chart: armor doesn't retreat up a mountain."""
    file = position(tmp_path, ("armored_brigade_egypt", "suez_city"), ("armor_battalion", "suez_city"))
    unit_answer = json_answer("ask", "october_war", "retreat", "point=suez_city", "side=arab", "--position", file)[
        "units"
    ][0]
    assert "mountain" in retreat_bar(unit_answer, "jebel_ataqa") and "16.4" in retreat_bar(unit_answer, "jebel_ataqa")


def test_who_must_fight(tmp_path: Path) -> None:
    """15.0, 15.1, 25.5: whoever shares a point with enemies, nobody else, and nobody in a reserve area."""
    file = position(
        tmp_path,
        ("armor_battalion", "tasa"),
        ("armored_brigade_egypt", "tasa"),
        ("armored_brigade_egypt", "hamutal"),
        ("armor_battalion", "israeli_reserve"),
    )
    side_rows = {
        side_row["side"]: side_row
        for side_row in json_answer("ask", "october_war", "attacks", f"position={file}")["sides"]
    }
    assert [row["place"] for row in side_rows["israeli"]["attacks"]] == ["tasa"]
    assert [row["units"] for row in side_rows["arab"]["attacks"]] == [["armored_brigade_egypt/1"]]
    assert [line["rule"] for line in side_rows["arab"]["must"]] == ["15.0"]


def test_what_a_turn_marks(tmp_path: Path) -> None:
    """11.2, 14.1: who has no line before the first echelon, who is in command before the second."""
    file = position(
        tmp_path, ("armored_brigade_egypt", "milano"), ("armored_brigade_egypt", "qantara"), ("hq_2a", "el_firdan")
    )
    result = run_command(cli, "turn", "october_war", "--position", file, "--no-overlay")
    lines = [line.strip() for line in result.output.splitlines()]
    assert lines[lines.index("no line of communication: out of supply (11.2)") + 1] == "Armored brigade 1"
    led_index = next(n for n, line in enumerate(lines) if line.startswith("near a headquarters") and "14.1" in line)
    assert lines[led_index + 1] == "Armored brigade 2, HQ 2"


@pytest.mark.parametrize(
    ("unit", "start", "other_units", "bridge_places"),
    [
        ("engineer_egypt", "el_firdan", [], ["hizayon"]),
        ("engineer_egypt", "el_firdan", [("bridge_arab", "el_firdan")], []),  # there is one already
        ("engineer_egypt", "salihiya", [], []),  # a road away from the canal
        ("engineer_egypt", "hizayon", [], []),  # without a line of communication
        ("armored_brigade_egypt", "el_firdan", [], []),
    ],
)
def test_where_an_engineer_lays_a_bridge(
    tmp_path: Path, unit: str, start: str, other_units: list[tuple[str, str]], bridge_places: list[str]
) -> None:
    """13.7, 21.2: an engineer that begins next to the canal and has a line, with its whole move."""
    file = position(tmp_path, (unit, start), *other_units)
    acts = json_answer("move", "october_war", "--unit", unit, "--from", start, "--position", file)["acts"]
    assert [act["place"] for act in acts] == bridge_places and all(act["left"] == 0 for act in acts)

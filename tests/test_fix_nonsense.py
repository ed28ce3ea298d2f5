"""What can't be is refused: a turn that the game hasn't got, more counters than there are, no hexes at all."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from assistant.cli import cli
from tests.asking import run_command

CARS = ("attackers=cars", "defenders=gun")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("turn", "two_wells", "turn=20"), "the scenario noon has turns 1 to 6, not 20"),
        (("turn", "arab_israeli_wars", "--scenario", "S-5", "turn=30"), "the scenario S-5 has turns 1 to 20, not 30"),
        (
            ("odds", "yom_kippur", "attackers=raviv_a", "defenders=inf_2_4", "turn=20"),
            "turn must be a whole number from 1 to 12, not '20'",
        ),
        (
            ("air", "october_war", "mission=superiority", "israel=12", "egypt=5", "turn=20"),
            "the scenario standard has turns 1 to 9, not 20",
        ),
        (("odds", "two_wells", *CARS, "hexes=0"), "hexes must be a whole number from 1"),
        (("odds", "two_wells", *CARS, "hexes=1.5"), "hexes must be a whole number from 1"),
        (
            ("odds", "two_wells", "attackers=3*cars", "defenders=gun"),
            "there are only 2 counters of Armoured cars, and 3 are named",
        ),
        (("odds", "two_wells", "attackers=cars/14,cars/14", "defenders=gun"), "cars/14 is named twice"),
        (
            ("odds", "arab_israeli_wars", "firers=t_62:distance=-4", "targets=m60a1"),
            "distance must be a whole number from 0",
        ),
        (
            ("odds", "arab_israeli_wars", "firers=t_62:distance=3", "targets=m60a1", "year=2500"),
            "year must be a whole number from 1956 to 1977, not '2500'; write for example year=1956",
        ),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_it_is_refused_with_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = run_command(cli, *words)
    assert result.exit_code == 2 and sentence in " ".join(result.output.split()), result.output


def test_the_last_turn_and_all_counters_are_fine() -> None:
    for words in (
        ("turn", "two_wells", "turn=6"),
        ("odds", "yom_kippur", "attackers=raviv_a", "defenders=inf_2_4", "turn=12"),
        ("odds", "two_wells", "attackers=cars/14,cars", "defenders=gun", "hexes=2"),
    ):
        assert run_command(cli, *words).exit_code == 0


UNIT_LINE = '{unit: is_7_armor, at: "4622"}'


def position_file(folder: Path, head: str, piece: str = UNIT_LINE) -> Path:
    """A position file of Six Day War."""
    path = folder / "position.yaml"
    path.write_text(f"game: six_day_war\nscenario: standard\n{head}\npieces:\n  - {piece}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("head", "piece", "sentence"),
    [
        ("turn: 99", UNIT_LINE, "position.yaml:3:7: the scenario standard has turns 1 to 6, not 99"),
        ("turn: 0", UNIT_LINE, "position.yaml:3:7: the scenario standard has turns 1 to 6, not 0"),
        ("turn: -1", UNIT_LINE, "position.yaml:3:7: the scenario standard has turns 1 to 6, not -1"),
        ("phase: tea", UNIT_LINE, "position.yaml:3:8: there is no phase 'tea'"),
        ("turn: 2", UNIT_LINE.replace("}", ", steps_lost: 7}"), "is_7_armor has 1 step to lose, not 7"),
        ("turn: 2", UNIT_LINE.replace("}", ", steps_lost: -1}"), "is_7_armor has 1 step to lose, not -1"),
    ],
)
def test_a_position_file_holds_what_can_be(tmp_path: Path, head: str, piece: str, sentence: str) -> None:
    path = position_file(tmp_path, head, piece)
    result = run_command(cli, "supply", "six_day_war", "--position", str(path))
    assert result.exit_code == 2 and sentence in " ".join(result.output.split()), result.output


def test_the_page_opens_no_such_position(tmp_path: Path) -> None:
    from assistant.page.site import Site
    from scenarios import load

    site = Site({"six_day_war": "Six Day War"}, load)
    data = base64.b64encode(position_file(tmp_path, "turn: 99").read_bytes()).decode()
    response = site.post("/api/six_day_war/open", json.dumps({"name": "position.yaml", "data": data}).encode())
    assert response.status == 400 and "has turns 1 to 6, not 99" in json.loads(response.body)["wrong"]


def test_a_position_without_a_turn_is_on_the_first_of_its_scenario(tmp_path: Path) -> None:
    path = tmp_path / "position.yaml"
    path.write_text('game: yom_kippur\nscenario: "4.6"\npieces:\n  - {unit: inf_2_4, at: "33.26"}\n', encoding="utf-8")
    result = run_command(cli, "turn", "yom_kippur", "--position", str(path))
    assert result.exit_code == 0 and "Turn 6 of 12" in result.output


def test_a_save_beyond_the_end_counts_as_on_the_last_turn() -> None:
    """The turn counter of a module counts on. The answer says which turn it takes."""
    from dataclasses import replace

    from assistant.questions.registry import ask
    from assistant.questions.rendering import answer_json
    from scenarios import load
    from scenarios.model.position import from_scenario

    game = load("six_day_war")
    answer = answer_json(ask(game, "turn", {"position": replace(from_scenario(game, "standard"), turn=9)}))
    assert answer["turn"] == 6
    assert answer["assumptions"] == [
        {"input": "turn", "value": 6, "text": "turn 6, the nearest to the position's turn 9"}
    ]

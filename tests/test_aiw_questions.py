"""The commands of The Arab-Israeli Wars, asked by name as other games are."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.cli import cli
from assistant.page.answers import question_of
from assistant.questions.answer import BadQuestion
from assistant.questions.registry import questions
from scenarios import load
from scenarios.model.position import Piece, Position, locate
from scenarios.opening_positions import open_position
from tests.asking import ask, assert_fits_schema
from tests.questions import check_answer, nonsense

GAME = load("arab_israeli_wars")
QUESTIONS = {name: questions(GAME)[name] for name in ("los", "morale", "move", "odds", "score", "smoke")}
FIRDAN = "docs/examples/el_firdan.yaml"
QUESTION_CASES: list[tuple[str, dict[str, Any]]] = [
    ("odds", {"position": FIRDAN, "from": "A-L-9", "at": "A-M-7"}),
    ("los", {"position": FIRDAN, "hexes": "A-L-9"}),
    ("odds", {"position": FIRDAN, "from": "A-L-9", "at": "A-M-7", "attack": "direct_fire", "what_if": "yes"}),
    ("move", {"scenario": "S-9", "unit": "t_62", "from": "A-H-3", "quick": "yes"}),
    ("move", {"position": FIRDAN, "unit": "m60a1"}),
    ("morale", {"unit": "t_62", "level": "B", "turns": "3"}),
    ("morale", {"position": FIRDAN}),
    ("smoke", {"position": FIRDAN, "unit": "mortar_120_arab", "at": "A-N-9"}),
    ("score", {"scenario": "S-1"}),
    ("score", {"position": FIRDAN}),
]


@pytest.mark.parametrize(("name", "options"), QUESTION_CASES)
def test_a_question_is_the_command(name: str, options: dict[str, Any]) -> None:
    check_answer(GAME, QUESTIONS[name], options)
    if name == "smoke":  # there is no command of that name
        return
    flags = [
        word for key, value in options.items() for word in (f"--{key.replace('_', '-')}", *[value] * (value != "yes"))
    ]
    runner = CliRunner()
    by_flags = runner.invoke(cli, [name, GAME.id, *flags])
    by_names = runner.invoke(cli, ["ask", GAME.id, name, *(f"{key}={value}" for key, value in options.items())])
    assert by_flags.exit_code == by_names.exit_code == 0, by_flags.output
    assert by_flags.output == by_names.output


@pytest.mark.parametrize("name", list(QUESTIONS))
def test_junk_gets_a_sentence(name: str) -> None:
    nonsense(GAME, QUESTIONS[name], next(options for question_name, options in QUESTION_CASES if question_name == name))


def test_an_open_position_is_as_good_as_its_file() -> None:
    position = open_position(GAME, Path(FIRDAN))
    for name in QUESTIONS:
        inputs = {
            "move": {"unit": "m60a1"},
            "odds": {"from": "A-L-9", "at": "A-M-7"},
            "los": {"hexes": "A-L-9"},
            "smoke": {"unit": "how_122", "at": "A-M-7"},
        }.get(name, {})
        assert ask(GAME, QUESTIONS[name], {**inputs, "position": position}) == ask(
            GAME, QUESTIONS[name], {**inputs, "position": FIRDAN}
        )


def test_an_attack_needs_a_position() -> None:
    with pytest.raises(BadQuestion, match="open a save"):
        ask(GAME, QUESTIONS["odds"], {"scenario": "S-9", "from": "A-L-9", "at": "A-M-7"})


def smoke_inputs(target: str, *, unit: str = "mortar_120_arab", **changes: Any) -> dict[str, Any]:
    """Smoke in a position with one firer in A-L-5, a friend in A-N-8 and an enemy in A-N-9."""
    pieces = [
        ("mortar_120_arab", "A-L-5"),
        ("how_122", "A-L-5"),
        ("rocket_140", "A-L-5"),
        ("t_55", "A-N-8"),
        ("m60a1", "A-N-9"),
    ]
    table = GAME.scenario_maps["S-9"]
    position_pieces = [
        Piece(name, "1", GAME.units[name].nation, locate(table, place), changes.get(name, frozenset()))
        for name, place in pieces
    ]
    answer, _ = ask(
        GAME,
        QUESTIONS["smoke"],
        {"position": Position(GAME.id, "S-9", 3, "", tuple(position_pieces)), "unit": unit, "at": target},
    )
    ways = {way["way"]: [bar["text"] for bar in way["refused"]] for way in answer["ways"]}
    return {**ways, "falls": answer["falls"], "until": answer["until"]}


def test_smoke() -> None:
    """Optional II.B.3 and II.B.4: who may fire it, where to, by sight or written down, for two turns."""
    answer = smoke_inputs("A-N-9")
    assert answer["direct"] == answer["written"] == [] and answer["until"] == 5
    assert sum(Fraction(fall["chance"]) for fall in answer["falls"]) == 1
    assert {fall["place"]: Fraction(fall["chance"]) for fall in answer["falls"]}["A-N-9"] == Fraction(1, 3), (
        "Scatter Chart: 1 or 2"
    )
    assert "a friendly unit is in the hex" in smoke_inputs("A-N-8")["direct"][0]
    assert "except rockets" in smoke_inputs("A-N-9", unit="rocket_140")["written"][0]
    assert "can't fire smoke" in smoke_inputs("A-K-6", unit="t_55")["direct"][0]
    assert "inverted" in smoke_inputs("A-N-9", mortar_120_arab=frozenset({"inverted"}))["direct"][0]
    assert (
        smoke_inputs("A-L-7", unit="how_122")["direct"] == []
        and "quarter" in smoke_inputs("A-L-7", unit="how_122")["written"][0]
    )
    assert [reason for reason in smoke_inputs("B-GG-10")["direct"] if "range" in reason], "the mortar reaches 23 hexes"


@pytest.mark.parametrize(("name", "options"), [
    *QUESTION_CASES, ("los", {"map": "A", "hexes": "A-H-3,A-H-5"}), ("los", {"map": "A"}), ("los", {"map": "A", "hexes": "A-H-3"}),
    ("odds", {"attack": "indirect_fire", "firers": "15(H)", "targets": "t_62,btr_50"}),
    ("odds", {"position": FIRDAN, "best": "yes", "side": "israeli", "at": "A-M-7,A-M-6"}),
    ("odds", {"position": FIRDAN, "attack": "indirect_fire", "support": "155 mm battery", "at": "A-M-6", "seen": "no"}),
    ("move", {"position": FIRDAN, "unit": "m60a1", "path": "A-L-9,A-L-8,A-L-7,overrun@A-M-7"}),
])  # fmt: skip
def test_answers_have_known_keys(name: str, options: dict[str, Any]) -> None:
    assert_fits_schema(ask(GAME, QUESTIONS[name], options)[0])


def test_names_as_people_say_them() -> None:
    answer, _ = ask(
        GAME, QUESTIONS["odds"], {"attack": "direct fire", "firers": "T-62:distance=4", "targets": "M-60A1"}
    )
    assert [row["name"] for row in answer["attackers"]] == ["T-62"] and [row["name"] for row in answer["targets"]] == [
        "M-60A1"
    ]


def test_a_hex_tells_the_enemies_that_it_sees() -> None:
    """Not its own side, not who is behind the dune in A-M-6, and not the 179 hexes unless they are asked for."""
    answer, lines = ask(GAME, QUESTIONS["los"], {"position": FIRDAN, "hexes": "A-L-9"})
    visible_places = {row["place"] for row in answer["in_view"]}
    assert (
        "A-M-7" in visible_places
        and "A-M-6" not in visible_places
        and {row["side"] for row in answer["in_view"]} == {"arab"}
    )
    assert visible_places <= {row["place"] for row in answer["sees"]} and not any("A-L-10 " in line for line in lines)
    _, all_lines = ask(GAME, QUESTIONS["los"], {"position": FIRDAN, "hexes": "A-L-9", "all": "yes"})
    assert any("A-L-10" in line for line in all_lines)


def test_a_position_is_changed_in_thought() -> None:
    """With the tank behind the dune put in front of it, the M-60A1s see it."""
    inputs = {"position": FIRDAN, "from": "A-L-9", "at": "A-M-8", "put": "infantry_egypt@A-M-8"}
    answer, _ = ask(GAME, QUESTIONS["odds"], inputs)
    assert [target["unit"].partition("/")[0] for target in answer["targets"]] == ["infantry_egypt"]
    with pytest.raises(BadQuestion, match="no enemy"):
        ask(GAME, QUESTIONS["odds"], {key: value for key, value in inputs.items() if key != "put"})


def test_the_page_reads_no_battle_file() -> None:
    with pytest.raises(BadQuestion, match="takes no file names"):
        question_of(GAME, {"question": "odds", "inputs": {"battle": "docs/examples/ambush.yaml"}})


@pytest.mark.parametrize(("carrier", "load", "scenario", "rule"), [
    ("btr_50", "infantry_egypt", "S-9", ""), ("btr_50", "2*infantry_egypt", "S-9", "Basic V.B.1"),
    ("btr_50", "how_122", "S-9", "Basic V.B.3"), ("truck_egypt", "how_122", "S-9", ""),
    ("truck_egypt", "t_62", "S-9", "Basic V.B.4"), ("t_62", "infantry_egypt", "S-9", "Basic V.B"),
    ("btr_50", "2*sagger", "S-9", "Basic V.B.1"), ("btr_50", "2*sagger", "A-5", ""), ("btr_50", "3*sagger", "A-5", "Basic V.B.1"),
    ("btr_50", "sagger,infantry_egypt", "A-5", "Basic V.B.1"), ("mi_8", "2*infantry_egypt,2*sagger", "A-5", ""),
    ("mi_8", "3*infantry_egypt,sagger", "A-5", "Advanced I.E.9"),
])  # fmt: skip
def test_who_carries_whom(carrier: str, load: str, scenario: str, rule: str) -> None:
    """Basic V.B.1 to V.B.4: one passenger, guns by truck only; Advanced I.E.9: three by helicopter; II.E: two Saggers count as one."""
    answer, _ = ask(GAME, questions(GAME)["carry"], {"unit": carrier, "load": load, "scenario": scenario})
    assert answer["may"] == (not rule) and (not rule or answer["refused"][0]["rule"].startswith(rule))

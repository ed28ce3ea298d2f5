"""Questions with typed inputs: what is read, what is refused and how; answers shown in three ways."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path as File
from typing import Any

import jsonschema
import pytest

from assistant.questions import keys
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Chance,
    Chances,
    CounterRef,
    MapPath,
    PlaceList,
    PlaceRef,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    Warning,
)
from assistant.questions.question import Input, Question, form, from_words, question_schema, read
from assistant.questions.references import UnitRef, named_place, named_unit
from assistant.questions.registry import ask, questions
from assistant.questions.rendering import answer_json, as_lines, as_nodes
from scenarios import load as pack
from scenarios.model.game import Game
from tests.asking import assert_fits_schema


@pytest.fixture(scope="module")
def game() -> Game:
    return pack("yom_kippur")


def _nothing(game: Game, inputs: Any) -> Answer:
    return Answer("test", game.id, [])


QUESTION = Question(
    name="test",
    about="anything",
    answer=_nothing,
    positional=("target", "units"),
    inputs=(
        Input(name="target", about="the hex attacked", kind="place", aliases=("at",)),
        Input(name="units", about="who attacks", kind="units"),
        Input(name="turns", about="how many turns", kind="number", minimum=1, maximum=12, default=Fraction(1)),
        Input(name="price", about="what a step counts", kind="number", integer=False),
        Input(name="side", about="whose", kind="choice", vocabulary="side"),
        Input(name="overrun", about="it is an overrun", kind="flag"),
        Input(name="ignored", about="cease-fires ignored", kind="pairs", vocabulary="side"),
        Input(name="put", about="put elsewhere", kind="put"),
        Input(name="stacks", about="who stands together", kind="units", stacks=True),
        Input(name="planes", about="whose and how many", kind="pairs", vocabulary="side", default_value="1"),
        Input(name="results", about="results", kind="choice", rows="sam_suppression", multiple=True),
        Input(name="kind", about="what kind", kind="choice", choices=("air", "ground"), synonyms={"plane": "air"}),
    ),
)


def read_inputs(game: Game, *words: str) -> dict[str, Any]:
    return read(QUESTION, game, from_words(QUESTION, words))


def test_words_and_flags_become_values(game: Game) -> None:
    values = read_inputs(
        game, "33.10", "--units", "Raviv A,2*sam+disorganized", "turns=3", "--price=1/2", "--overrun", "side=EGYPTIAN"
    )
    assert values["target"] == "33.10"
    assert values["units"] == (UnitRef("raviv_arm_bde_a"), UnitRef("sam", 2, states=("disorganized",)))
    assert (values["turns"], values["price"], values["overrun"], values["side"]) == (
        3,
        Fraction(1, 2),
        True,
        "egyptian",
    )
    assert read_inputs(game, "at=33.10", "ignored=israeli:2")["ignored"] == {"israeli": 2}
    assert read_inputs(game)["turns"] == 1


@pytest.mark.parametrize(
    ("words", "stacks"),
    [
        (["stacks=sam,Raviv A;sam/3"], [["sam", "raviv_arm_bde_a"], ["sam/3"]]),
        (["stacks=sam,Raviv A", "stacks=sam/3"], [["sam", "raviv_arm_bde_a"], ["sam/3"]]),
        (["stacks=sam/2/Raviv A+disorganized,sam/3"], [["sam/2"], ["raviv_arm_bde_a+disorganized", "sam/3"]]),
        (["stacks=sam/2"], [["sam/2"]]),  # a copy, not two stacks
        (["stacks=raviv_arm_bde_a/sam"], [["raviv_arm_bde_a"], ["sam"]]),
    ],
)
def test_units_in_stacks(game: Game, words: list[str], stacks: list[list[str]]) -> None:
    assert [[str(unit) for unit in stack] for stack in read_inputs(game, *words)["stacks"]] == stacks
    assert [[str(unit) for unit in stack] for stack in read(QUESTION, game, {"stacks": stacks})["stacks"]] == stacks


def test_other_words_for_a_choice(game: Game) -> None:
    assert read_inputs(game, "kind=Plane")["kind"] == "air" and read_inputs(game, "planes=egyptian")["planes"] == {
        "egyptian": 1
    }
    suez = pack("musketeer")
    ground = Input(name="ground", about="the ground", kind="choice", vocabulary="terrain")
    nation = Input(name="nation", about="whose", kind="choice", vocabulary="nation")
    question = Question(name="test", about="anything", answer=_nothing, inputs=(ground, nation))
    assert read(question, suez, {"ground": "Desert", "nation": "Soviet"}) == {"ground": "open", "nation": "ussr"}


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["turns=two"], ("turns", "whole number", "turns=2")),
        (["turns=13"], ("turns", "from 1 to 12")),
        (["turns=1/2"], ("turns", "whole number")),
        (["overrun=maybe"], ("overrun", "yes or no")),
        (["side=egyptain"], ("side", "egyptian")),
        (["trun=3"], ("trun", "turns")),
        (["--trun", "3"], ("--trun", "turns")),
        (["units=raviv_arm_bde_b_x"], ("units", "raviv")),
        (["units=raviv_arm_bde_a+tired"], ("units", "tired")),
        (["ignored=israeli"], ("ignored", "egyptian:2")),
        (["put=raviv_arm_bde_a"], ("put", "raviv_arm_bde_a@PLACE")),
        (["target=33.10", "at=33.11"], ("target", "twice")),
        (["--turns"], ("--turns", "value")),
        (["units=0*sam"], ("0*sam", "1 to 99")),
        (["stacks=sam/3;sam/99"], ("stacks", "'99'")),
    ],
)
def test_a_wrong_input_is_named_with_what_would_be_right(game: Game, words: list[str], parts: tuple[str, ...]) -> None:
    with pytest.raises(BadQuestion) as error_info:
        read_inputs(game, *words)
    for part in parts:
        assert part in str(error_info.value)


@pytest.mark.parametrize(
    ("pack_id", "text", "unit_ref"),
    [
        ("arab_israeli_wars", "T-62", "t_62"),
        ("arab_israeli_wars", "M-60A1", "m60a1"),
        ("yom_kippur", "raviv a", "raviv_arm_bde_a"),
        ("yom_kippur", "130 Amphib A", "amphib_130_a"),
        ("yom_kippur", "sam/3", "sam/3"),
        ("october_war", "Armored battalion 3", "armor_battalion/3"),
        ("musketeer", "abn 234g", "abn_234g_ussr"),
        ("musketeer", "7th armoured brigade", "bde_7_israel"),
        ("musketeer", "Israeli Gol", "gol_israel"),
        ("october_war", "143rd HQ", "hq_143"),
        ("yom_kippur", "4 inf bde", "inf_2_4"),
        ("yom_kippur", "Third Army headquarters", "hq_3_army"),
        ("yom_kippur", "nir tanks b", "nir_arm_bde_b"),
        ("six_day_war", "Princess Alia brigade", "jo_alia"),
    ],
)
def test_units_are_understood_as_people_say_them(pack_id: str, text: str, unit_ref: str) -> None:
    assert str(named_unit(pack(pack_id), text)) == unit_ref


def test_words_that_fit_several_units_name_them() -> None:
    with pytest.raises(BadQuestion, match="'Raviv' fits several counters; choose raviv_arm_bde_a or raviv_arm_bde_b"):
        named_unit(pack("yom_kippur"), "Raviv")
    with pytest.raises(BadQuestion, match="armored_brigade_egypt/3 or armor_brigade/3 or armored_brigade_syria/3"):
        named_unit(pack("october_war"), "armored brigade 3")
    assert named_unit(pack("yom_kippur"), "Raviv", {"raviv_arm_bde_b"}).id == "raviv_arm_bde_b"


@pytest.mark.parametrize(
    ("pack_id", "text", "place_name"),
    [
        ("musketeer", "44.22", "4422"),
        ("musketeer", "port said", "Port Said"),
        ("six_day_war", "EILAT", "eilat"),
        ("october_war", "Suez City", "suez_city"),
    ],
)
def test_places_are_understood_as_people_say_them(pack_id: str, text: str, place_name: str) -> None:
    map = next(iter(pack(pack_id).maps.values()))
    assert named_place(map, text) == named_place(map, place_name)


def test_no_two_hexes_of_a_map_answer_to_one_number(game: Game) -> None:
    map = next(iter(game.maps.values()))
    with pytest.raises(BadQuestion):
        named_place(map, "41.8")  # not 4.18


def test_form_and_schema_come_from_the_inputs(game: Game) -> None:
    fields = {field["name"]: field for field in form(QUESTION, game)}
    assert fields["side"]["choices"] == list(game.sides)
    assert fields["units"]["many"] and fields["turns"]["most"] == 12
    input_schema = question_schema(QUESTION, game)
    jsonschema.Draft202012Validator.check_schema(input_schema)
    jsonschema.validate({"turns": 3, "side": "egyptian", "units": ["sam"]}, input_schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"turns": 13}, input_schema)


ANSWER = Answer(
    "test",
    "small",
    [
        Sentence(("cut at ", PlaceRef("29.22"), ": an enemy zone"), "1.6b"),
        Value("allowance", Fraction(6), "Points"),
        Value("hidden", "for programs", for_people=False),
        Chances("chances", {"DR": Fraction(1, 6), "-": Fraction(5, 6)}, "Results", {"DR": "goes back"}),
        RowTable(
            "turns",
            [TableColumn("turn", "turn"), TableColumn("chance", "chance"), TableColumn("id")],
            [{"turn": 1, "chance": Chance(Fraction(1, 36)), "id": CounterRef("sam/3", "SAM 3")}],
        ),
        MapPath("path", [PlaceRef(f"1.{number}") for number in range(9)], cost=Fraction(5, 2)),
        PlaceList("reach", {PlaceRef("a"): {"cost": Fraction(1, 2)}}, "Reach", [TableColumn("cost", "points")]),
        Warning("not allowed", "2.1"),
        Unofficial({"counters/x/factors/attack": "inferred"}),
        Sections("sides", [Section([Value("in", 3)], "Egypt"), Section([Sentence("all " + "word " * 40)], "Israel")]),
        Section([Sentence("more")], "Notes"),
    ],
)


def test_an_answer_for_a_program() -> None:
    json_answer = answer_json(ANSWER)
    assert json_answer["lines"] == [{"text": "cut at 29.22: an enemy zone", "rule": "1.6b"}, {"text": "more"}]
    assert json_answer["allowance"] == 6 and json_answer["hidden"] == "for programs"
    assert json_answer["chances"] == {"DR": "1/6", "-": "5/6"} and json_answer["meanings"] == {"DR": "goes back"}
    assert json_answer["turns"] == [{"turn": 1, "chance": "1/36", "id": "sam/3"}]
    assert json_answer["path"][0] == "1.0" and json_answer["cost"] == "5/2"
    assert json_answer["reach"] == [{"place": "a", "cost": "1/2"}]
    assert json_answer["warnings"] == [{"text": "not allowed", "rule": "2.1"}]
    assert json_answer["unofficial"] == {"counters/x/factors/attack": "inferred"}
    assert [side["title"] for side in json_answer["sides"]] == ["Egypt", "Israel"]


def test_an_answer_for_a_terminal() -> None:
    lines = list(as_lines(ANSWER))
    assert max(map(len, lines)) <= 100
    assert "cut at 29.22: an enemy zone (1.6b)" in lines
    assert "! not allowed (2.1)" in lines
    assert not any("for programs" in line or "sam/3" in line for line in lines)
    assert any("2.8%" in line for line in lines)
    assert any(line.endswith("1.7 1.8 (9 places): 2½ points") for line in lines)


def test_an_answer_for_the_page_keeps_places_as_places() -> None:
    nodes = as_nodes(ANSWER)
    assert nodes[0]["text"][1] == {"place": "29.22", "text": "29.22"}
    assert {node["kind"] for node in nodes} == {
        "line",
        "value",
        "chances",
        "table",
        "path",
        "places",
        "warning",
        "unofficial",
        "several",
        "section",
    }
    assert next(node for node in nodes if node["kind"] == "path")["places"][-1] == "1.8"


def test_many_rare_outcomes_are_counted() -> None:
    """A screen names what is likely; programs get every outcome."""
    rare = {str(number): Fraction(1, 10_000) for number in range(2, 6)}
    answer = Answer("test", "yom_kippur", [Chances("rounds", {"1": Fraction(9996, 10_000), **rare})])
    assert len(list(as_lines(answer))) == 2 and "4 others, each below 0.05%" in list(as_lines(answer))[-1]
    assert len(answer_json(answer)["rounds"]) == 5


def test_names_of_several_words_have_commas_between_them() -> None:
    towns = [PlaceRef("suez_city", "Suez City"), PlaceRef("tasa", "Tasa")]
    answer = Answer("test", "october_war", [PlaceList("reach", {town: {} for town in towns}), MapPath("path", towns)])
    assert list(as_lines(answer)) == ["reach: Suez City, Tasa", "Suez City, Tasa"]


def test_a_number_and_a_blank_count() -> None:
    war = pack("october_war")
    assert str(named_unit(war, "2 Armored battalion")) == "2*armor_battalion"
    assert str(named_unit(war, "2 x armor-battalion")) == "2*armor_battalion"


def test_the_docs_list_every_key() -> None:
    page_text = (File(__file__).parent.parent / "docs" / "json-keys.md").read_text(encoding="utf-8")
    assert page_text == keys.page(), "run: python -m assistant.questions.keys > docs/json-keys.md"


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("missiles", {"at": "33.16"}), ("suppression", {"allocated": "2"}), ("forecast", {}), ("recovery", {}),
        ("replacement", {"mark": "arm_25+reduced"}), ("score", {}),
        ("odds", {"attackers": "alush_inf_bde_a", "target": "45.21", "what_if": "yes"}),
        ("odds", {"best": "yes", "targets": "45.21"}),
        ("odds", {"attack": "barrage", "attackers": "arty_bde_1", "target": "45.21", "what_if": "yes"}), ("stack", {}),
    ],
)  # fmt: skip
def test_answers_have_known_keys(game: Game, name: str, inputs: dict[str, str]) -> None:
    assert_fits_schema(answer_json(ask(game, name, {"scenario": "4.5", **inputs})))


def test_a_form_tells_with_which_attack_an_input_is_asked_for() -> None:
    game = pack("arab_israeli_wars")
    fields = {field["name"]: field["only"] for field in form(questions(game)["odds"], game)}
    assert fields["overrun"] == {"input": "attack", "values": ["opportunity_fire"]}
    assert fields["attack"] == {"input": "", "values": []}
    for name, attack in (
        (name, attack) for attack, shape in game.attacks.items() for name in shape.inputs if name in fields
    ):
        condition = fields[name]
        assert not condition["input"] or attack in condition["values"], (name, attack)

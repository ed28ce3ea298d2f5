"""The menu Ask of a module: what units tell of movement and supply, and the commands that it prints."""

from __future__ import annotations

import re

import pytest

from assistant.questions.registry import ask, questions
from assistant.questions.rendering import as_lines
from modgen.vmod.files.keys import ADVICE_KEY, all_keys, display_key
from modgen.vmod.text.advice import ENTRIES, advice, moving, save_questions, supply_expressions
from scenarios import load, shipped_games
from scenarios.model.counters import Unit
from tests.bsh import Scope, evaluate_text

GAMES = [*shipped_games(), "two_wells", "corps", "island", "march", "ridge"]


def evaluate_advice(expressions: list[str], unit: Unit, **extra_values: str) -> str:
    """What a unit of a game says, as the engine would work it out; nobody stands next to it."""
    values = {
        "unit": unit.id,
        "class": unit.class_,
        "type": unit.type,
        "size": unit.size,
        "side": unit.side,
        "nation": unit.nation,
    }
    values |= {key: str(value) for key, value in unit.factors.items()} | {
        f"can_{word}": "true" for word in unit.abilities
    }
    values |= {"steps": str(unit.steps), "CurrentMap": "Main Map", "CurrentX": "0", "CurrentY": "0", "Face_Level": "1"}
    scope = Scope(values | extra_values, {"CountMap": lambda filter_expression: 0})
    return "".join(str(evaluate_text(expression, scope)) for expression in expressions)


@pytest.mark.parametrize(
    "states, points",
    [((), 1.0), (("disorganized",), 0.5), (("out_of_supply",), 0.5), (("disorganized", "out_of_supply"), 0.25)],
)
def test_yom_kippurs_units_know_their_points(states: tuple[str, ...], points: float) -> None:
    """As printed (a rule of the series); 1.7 and 1.9a: half where a unit is out of supply or disorganized."""
    game = load("yom_kippur")
    expressions = moving(game)
    for unit in list(game.units.values())[:60]:
        movement_points = unit.factors.get("movement", 0)
        assert not isinstance(movement_points, str)
        heard = evaluate_advice(expressions, unit, **{f"{state}_Active": "true" for state in states})
        points_text = re.match(r"; movement \(ruling series_movement\): ([0-9.]+)", heard)
        assert points_text and points_text[1] == f"{float(movement_points * points):g}", (unit.id, heard)
        for state, rule in (("disorganized", "1.9a"), ("out of supply", "1.7")):
            assert (f", {state} ({rule})" in heard) == (state.replace(" ", "_") in states)


def test_static_units_of_october_war_say_why_they_stay() -> None:
    """2.3: static units may not move; 13.0: the others have two points."""
    game = load("october_war")
    expressions = moving(game)
    for unit in game.units.values():
        heard = evaluate_advice(expressions, unit)
        if unit.class_ == "strike":
            assert heard.startswith("; movement (13.2): no, it may not move on the ground")
        elif "static" in unit.abilities:
            assert heard == "; movement (13.2): no, static units may not move (2.3)"
        else:
            assert (
                heard.startswith("; movement (13.2): 2 (not checked: ") and "no line of communication (13.2)" in heard
            )


def test_the_assistant_has_the_same_points_for_the_units_of_a_set_up() -> None:
    """Musketeer: whatever the module tells of a unit's points, the assistant tells too."""
    game = load("musketeer")
    expressions = moving(game)
    for unit in list(game.units.values())[:25]:
        if unit.class_ not in ("mechanized", "foot"):
            continue
        lines = list(as_lines(ask(game, "move", {"scenario": "none", "unit": unit.id, "put": f"{unit.id}@5416"})))
        points = next(line.partition("Points: ")[2] for line in lines if "Points: " in line)
        assert evaluate_advice(expressions, unit).startswith(f"; movement (9.1): {points};"), unit.id


def test_who_needs_no_supply_says_so() -> None:
    """1.6d of Yom Kippur: forts need none. Two Wells 6: camels carry their water."""
    game = load("yom_kippur")
    fort = next(unit for unit in game.units.values() if "always_supplied" in unit.abilities)
    assert (
        evaluate_advice(supply_expressions(game), fort)
        == "; needs none, a fort needs no supply (1.6d); isn't marked out of supply"
    )
    wells = load("two_wells")
    for unit in wells.units.values():
        assert ("needs none" in evaluate_advice(supply_expressions(wells), unit)) == (unit.type == "camels")


@pytest.mark.parametrize("name", GAMES)
def test_only_what_the_assistant_answers_from_a_save_is_in_the_menu(name: str) -> None:
    game = load(name)
    known_questions = questions(game)
    for question in save_questions(game):
        expected_inputs = {"position"} if question == "supply" else {"unit", "position"}
        assert expected_inputs <= {question_input.name for question_input in known_questions[question].inputs}
    assert ("move" in save_questions(game)) == any(stroke == display_key(ADVICE_KEY) for _, stroke, _ in all_keys(game))
    assert ("supply" in save_questions(game)) == (
        game.rules is not None and game.rules.supply is not None and "supply" in known_questions
    )
    entries = [part.attributes["text"] for part in advice(game)[1] if part.attributes.get("text")]
    assert entries == [*(ENTRIES[entry] for entry in save_questions(game)), "Ask"]


def test_a_file_with_a_space_in_its_name_is_quoted_and_a_set_up_has_to_be_saved_first() -> None:
    game = load("corps")
    (end,) = (part for part in advice(game)[1] if part.attributes.get("name") == f"{ENTRIES['move']}: command")
    line = str(end.attributes["reportFormat"])[1:-1]

    def printed_line(file: str, units: str, places: str = "0101") -> str:
        text = str(evaluate_text(line, Scope({"ModuleGameFileName": file, "Best": units, "AdvicePlace": places})))
        return re.sub(r"<[^>]*>|&nbsp;|\|", "", text)

    assert printed_line("my game.vsav", ",cavalry_south/17").endswith(
        'assistant move corps position="my game.vsav" unit=cavalry_south/17'
    )
    assert printed_line("g.vsav", ",a/1,b/2").endswith("assistant move corps position=g.vsav unit=a/1,b/2")
    assert "Save the game" in printed_line("", ",a/1") and "position=SAVE.vsav" in printed_line("", ",a/1")
    assert printed_line("g.vsav", "") == printed_line("g.vsav", ",a/1,b/2", "0101*") == "", (
        "nobody, or units in two places"
    )

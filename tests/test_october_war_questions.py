"""Questions of October War: what the rules forbid, what if, landings, and numbers that are ours."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from assistant.questions.answer import BadQuestion
from assistant.questions.registry import questions
from scenarios import load
from scenarios.model.position import Piece, Position
from scenarios.pack.pack_folder import PACKS
from tests.asking import ask, run_assistant

GAME = load("october_war")
QUESTIONS = questions(GAME)
START = {"scenario": "standard"}


def test_the_command_line() -> None:
    output = run_assistant("ask", "october_war", "odds", "attackers=armor_battalion", "defenders=mech_brigade_egypt")
    assert "Defenders go first." in output
    assert "did you mean attackers" in run_assistant("ask", "october_war", "odds", "atackers=armor_battalion", code=2)
    assert "did you mean armor_battalion" in run_assistant(
        "ask", "october_war", "odds", "attackers=armor_batalion", "defenders=x", code=2
    )
    assert "airmobile" in run_assistant("ask", "october_war", "airmobil", code=2)
    led_answer = json.loads(
        run_assistant("odds", "october_war", "ground", "firing=mech_brigade_egypt", "headquarters=2", "--json")
    )
    assert led_answer["column"] == "5"


def test_an_unknown_strength_names_the_overlay(tmp_path: Path) -> None:
    """A counter without its number: the sentence says which entry of an overlay would fill it, with exit code 2."""
    pack = Path(shutil.copytree(PACKS / "october_war", tmp_path / "october_war"))
    file = pack / "counters_israeli_special.yaml"
    text = file.read_text(encoding="utf-8")
    start = text.index("  engineer_battalion:")
    offset = text.index("factors: {strength: 1}", start)
    file.write_text(text[:offset] + "factors: {}" + text[offset + len("factors: {strength: 1}") :], encoding="utf-8")
    output = run_assistant(
        "ask", str(pack), "odds", "attackers=engineer_battalion", "defenders=mech_brigade_egypt", code=2
    )
    assert "counters/engineer_battalion/factors/strength" in output


def test_the_numbers_that_are_ours_are_named() -> None:
    json_, lines = ask(GAME, QUESTIONS["odds"], {"attackers": "armor_battalion", "defenders": "armored_brigade_egypt"})
    assert json_["unofficial"] == {"counters/armor_battalion/factors/strength": "reconstructed"}
    assert any("Armored battalion (combat strength)" in line for line in lines)


def test_what_if() -> None:
    """One unit less, one more, a headquarters, first fire, a column: each is the battle asked that way."""
    base = {"attackers": "2*armor_battalion,recon_battalion", "defenders": "armored_brigade_egypt"}
    answer, _ = ask(GAME, QUESTIONS["odds"], {**base, "what_if": "yes"})
    changes = {row["change"]: row for row in answer["what_if"]}
    for change, changed_inputs in {
        "Attackers without Recon battalion": {"attackers": "2*armor_battalion"},
        "Attackers with one more Armored battalion": {"attackers": "3*armor_battalion,recon_battalion"},
        "a headquarters of 2 next to the attackers": {"attackers_led": "2"},
        "the other side fires first (EW)": {"ew_attacker": "yes"},
        "a barrage first": {"guns": "barrage_israel"},
        "defenders out of supply": {"defenders": "armored_brigade_egypt+out_of_supply"},
        "one TAC strike first": {"wing": "tac_israel"},
    }.items():
        changed_answer, _ = ask(GAME, QUESTIONS["odds"], {**base, **changed_inputs})
        (holder,) = [row for row in changed_answer["named"] if row["name"] == "holder"]
        assert changes[change]["chances"]["attacker"] == holder["chances"]["attacker"], change
        (defenders,) = [force for force in changed_answer["forces"] if force["group"] == "defenders"]
        assert Fraction(changes[change]["lost"]["defenders"]) == Fraction(defenders["mean_worth_lost"])
    assert "Attackers fire one column more" in changes and "Defenders fire one column more" in changes


def test_landings() -> None:
    """23.4, 25.7: four points, not into objectives nor under enemy missiles; the table's three lines."""
    inputs = {"unit": "commando_brigade_egypt", "from": "ismailia", **START}
    chances = {
        frozenset(flags): ask(
            GAME, QUESTIONS["airmobile"], {**inputs, "to": "hamutal", **dict.fromkeys(flags, "yes"), **turn}
        )[0]["landings"][0]["chances"]
        for flags, turn in (((), {"turn": "2"}), (("enemy_superiority",), {"turn": "2"}))
    }
    assert chances[frozenset()] == {"E": "1/6", "A": "1/3", "S": "1/2"}
    assert chances[frozenset({"enemy_superiority"})] == {"E": "1/3", "A": "1/3", "S": "1/3"}
    first = ask(GAME, QUESTIONS["airmobile"], {**inputs, "to": "hamutal", "turn": "1"})[0]["landings"][0]
    assert first["chances"] == {"A": "1/3", "S": "2/3"}
    far_landing = ask(GAME, QUESTIONS["airmobile"], {**inputs, "to": "el_arish"})[0]["landings"][0]
    assert "23.4" in far_landing["why"][0]
    objective = next(p for p, shape in GAME.maps["main"].points.items() if shape.terrain == "objective")  # type: ignore[union-attr]
    assert any(
        "objective" in reason
        for reason in ask(GAME, QUESTIONS["airmobile"], {**inputs, "to": objective})[0]["landings"][0]["why"]
    )
    with pytest.raises(BadQuestion, match=r"13\.10"):
        ask(GAME, QUESTIONS["airmobile"], {**inputs, "drop": "yes"})


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("odds", {"attackers": "armor_battalion", "defenders": "armor_battalion"}, "israeli side"),
        ("odds", {"attackers": "hq_143,hq_146", "defenders": "hq_2a"}, "12.1"),
        (
            "odds",
            {"attackers": "armor_battalion", "defenders": "mech_brigade_egypt", "terrain": "mountain"},
            "mountain",
        ),
        ("odds", {"attackers": "armored_brigade_egypt", "defenders": "garrison", "across": "suez_canal"}, "13.7"),
        ("odds", {"attackers": "tac_israel", "defenders": "mech_brigade_egypt"}, "18.8"),
        ("odds", {"attackers": "armored_brigade_egypt", "defenders": "garrison", "wing": "4*tac_egypt"}, "18.6"),
        ("odds", {"attackers": "mech_brigade+combined_arms", "defenders": "hq_2a"}, "9.9"),
        ("odds", {"attackers": "brigade_kuwait", "defenders": "garrison", "guns": "barrage_egypt"}, "24.0"),
        ("air", {"mission": "superiority", "israel": "11", "egypt": "2", "turn": "1"}, "6.3"),
        ("air", {"mission": "ground", "tac": "2", "at_air_defense": "yes", "turn": "1"}, "6.3"),
        ("air", {"mission": "strategic", "nation": "egypt", "tac": "2", "ew": "yes"}, "26.3"),
        ("mobilization", {"wishes": "armor_battalion", "turn": "10"}, "turns 1 to 9"),
        ("retreat", {"point": "tasa", "side": "arab", **START}, "no arab unit"),
    ],
)
def test_what_the_rules_forbid(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadQuestion, match=message.replace(".", r"\.")):
        ask(GAME, QUESTIONS[name], options)


def test_israelis_in_a_fort_move_two_points_without_a_line() -> None:
    """11.2, 13.2."""
    pieces = [("armor_battalion", "budapest"), ("armored_brigade_egypt", "orkal"), ("armored_brigade_egypt", "baluza")]
    placed_pieces = tuple(Piece(unit, str(i), "", place) for i, (unit, place) in enumerate(pieces))
    position = Position("october_war", "standard", pieces=placed_pieces)
    answer, _ = ask(GAME, QUESTIONS["move"], {"unit": "armor_battalion", "position": position})
    assert answer["allowance"] == 2


def test_a_number_of_the_users_own_is_not_ours(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.yaml"
    overlay.write_text("overlay: october_war\ncounters:\n  armor_brigade: {factors: {strength: 5}}\n", encoding="utf-8")
    inputs = {"attackers": "armor_brigade", "defenders": "armored_brigade_egypt"}
    entry = "counters/armor_brigade/factors/strength"
    overlay_game = load("october_war", [overlay])
    assert entry in ask(GAME, QUESTIONS["odds"], inputs)[0]["unofficial"]
    assert entry not in ask(overlay_game, QUESTIONS["odds"], inputs)[0]["unofficial"]


@pytest.mark.parametrize(
    ("spoken_inputs", "expected_inputs"),
    [
        ({"attackers": "2 Armored battalion, HQ 143", "terrain": "TOWN"}, {"attackers": "2*armor_battalion,hq_143"}),
        ({"attackers": "2x armor-battalion,hq_143", "terrain": "Town"}, {"attackers": "2*armor_battalion,hq_143"}),
        ({"attackers": "MECH_BATTALION+Out_Of_Supply"}, {"attackers": "mech_battalion+out_of_supply"}),
        ({"point": "Chinese_Farm"}, {"point": "chinese_farm"}),
        ({"point": "109/110"}, {"point": "fort_109_110"}),
    ],
)
def test_names_and_words_as_a_player_writes_them(
    spoken_inputs: dict[str, str], expected_inputs: dict[str, str]
) -> None:
    base_inputs = {"attackers": "armor_battalion", "defenders": "armored_brigade_syria"}
    expected_inputs |= {"terrain": "town"} if "terrain" in spoken_inputs else {}
    odds = QUESTIONS["odds"]
    assert ask(GAME, odds, {**base_inputs, **spoken_inputs}) == ask(GAME, odds, {**base_inputs, **expected_inputs})


def test_a_name_that_several_counters_have() -> None:
    with pytest.raises(
        BadQuestion, match="several counters are called 'Commando brigade'; choose commando_brigade_egypt or"
    ):
        ask(GAME, QUESTIONS["airmobile"], {"unit": "Commando brigade", "from": "Ismailia"})


@pytest.mark.parametrize(("point", "message"), [("syrian_reserve", "25.5"), ("little_bitter_lake", "21.6")])
def test_points_without_combat(point: str, message: str) -> None:
    with pytest.raises(BadQuestion, match=message):
        ask(GAME, QUESTIONS["odds"], {"attackers": "armor_battalion", "defenders": "hq_2a", "point": point})

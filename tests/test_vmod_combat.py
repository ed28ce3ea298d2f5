"""Battles in a module: every attack is there, and its expressions say what the pack says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from modgen.vmod.battle.beanshell import number_of
from modgen.vmod.battle.combat import combat
from modgen.vmod.battle.places import place, seams, terrain, to_target, watched_markers
from modgen.vmod.battle.rolls import code_of, dies
from modgen.vmod.files.xml import XmlPart
from modgen.vmod.maps.point_ranges import MAX_DISTANCE, range_texts
from modgen.vmod.pieces.fighting import fighting, slots, unit_inputs
from modgen.vmod.pieces.unit_fields import field_expressions
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.model.hexes import distance
from scenarios.model.maps import HexMap
from scenarios.model.points import PointMap
from scenarios.vassal.geometry import BoardSheet
from scenarios.vassal.sequence import split
from tests import shared
from tests.bsh import Scope, evaluate_text
from tests.engine.bystanders import steps_between


@pytest.fixture(scope="module", params=shipped_games())
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


def expressions(game: Game) -> Iterator[tuple[str, str]]:
    """Every expression of the module's battles: where it stands, and its text."""
    props, parts, _ = combat(game)
    for prop in props:
        for button in prop.parts:
            words = split(str(button.attributes["propChanger"]), ",")
            if words[0] == "P" and words[1].startswith("{"):
                yield str(prop.attributes["name"]), words[1][1:-1]
    for part in parts:
        if "parameters" in part.attributes:
            if part.attributes["filter"]:
                yield f"{part.attributes['name']} filter", str(part.attributes["filter"])[1:-1]
            for pair in split(str(part.attributes["parameters"]), ","):
                if pair:
                    name, expression = split(pair, ":")
                    yield f"{part.attributes['name']} {name}", expression[1:-1]
        elif str(part.attributes.get("reportFormat", "")).startswith("{"):
            yield str(part.attributes["name"]), str(part.attributes["reportFormat"])[1:-1]


def depth(expression: str) -> int:
    """How deep parentheses stand in one another, those in texts left out."""
    level = max_depth = 0
    for letter in re.sub(r'"(\\.|[^"\\])*"', "", expression):
        level += (letter == "(") - (letter == ")")
        max_depth = max(max_depth, level)
    return max_depth


def test_every_attack_has_its_buttons(game: Game) -> None:
    root = ElementTree.fromstring(shared.module(game).files["buildFile.xml"])
    texts = [part.get("text") for part in root.iter("VASSAL.build.module.DoActionButton")]
    menus = " ".join(part.get("menuItems", "") for part in root.iter("VASSAL.build.module.ToolbarMenu"))
    for attack in game.attacks.values():
        assert texts.count(f"Odds: {attack.title}") == texts.count(f"Attack: {attack.title}") == 1
        assert f"Attack: {attack.title}" in menus.replace("\\", "")


def test_every_table_with_dice_has_a_roll(game: Game) -> None:
    root = ElementTree.fromstring(shared.module(game).files["buildFile.xml"])
    texts = {part.get("text") for part in root.iter("VASSAL.build.module.DoActionButton")}
    dice = {part.get("name") for part in root.iter("VASSAL.build.module.DiceButton")}
    dice_tables = [table for table in game.tables.values() if table.dice]
    assert dice_tables
    for table in dice_tables:
        assert table.title in texts
        assert table.dice in dice


def test_no_expression_reads_an_id_as_a_number(game: Game) -> None:
    """Hex 4.10 must not become 4.1: texts are only compared as texts, never a bare property with one."""
    for location, expression in expressions(game):
        assert not re.search(r'\w+\s*[!=]=\s*"', expression), (location, expression)
        assert not re.search(r'"\s*[!=]=', expression), (location, expression)
        identifiers = set(re.findall(r"\b[A-Za-z_]\w*\b(?!\s*[(.])", re.sub(r'"(\\.|[^"\\])*"', "", expression)))
        assert identifiers <= {"Role", "Face_Level", "true", "false", "int", "Fold", "Best"}, (location, identifiers)


def test_expressions_are_shallow(game: Game) -> None:
    """The engine's parser needs many times as long for every parenthesis that stands in another."""
    assert max(depth(expression) for _, expression in expressions(game)) <= 6


def test_every_step_of_a_battle_is_a_button(game: Game) -> None:
    props, parts, missing = combat(game)
    assert missing == {}
    hotkeys = {str(part.attributes.get("buttonHotkey") or part.attributes.get("hotkey")) for part in parts}
    hotkeys |= {str(button.attributes["hotkey"]) for prop in props for button in prop.parts}
    for part in parts:
        if part.tag.endswith("DoActionButton"):
            for stroke in filter(None, split(str(part.attributes["hotkeys"]), ",")):
                assert stroke in hotkeys, stroke


def test_pieces_have_every_slot_that_battles_fill(game: Game) -> None:
    trait_text = " ".join(trait.type for trait in fighting(game))
    slot_names = set()
    _, parts, _ = combat(game)
    for part in parts:
        slot_names |= {split(pair, ":")[0] for pair in split(str(part.attributes.get("parameters", "")), ",") if pair}
    assert all(f"PROP;{name};" in trait_text for name in slot_names), slot_names
    assert all(f"PROP;own_{name};" in trait_text for name in unit_inputs(game))
    assert slots(game) >= 2


def test_the_codes_of_a_table_are_its_cells(game: Game) -> None:
    for table in (table for table in game.tables.values() if table.dice):
        expression = code_of(table, number_of("column"), number_of("die"))
        for column in range(len(table.columns.labels)):
            for die in range(dies(table)[0] - 3, dies(table)[-1] + 4):
                scope = Scope({"column": str(column), "die": str(die)})
                assert evaluate_text(expression, scope) == table.cell(die, column).code.replace(";", ",")
        assert evaluate_text(expression, Scope({"column": "-1", "die": "1"})) == "none"


def test_terrain_is_the_maps_on_every_hex(game: Game) -> None:
    """Seams too: where two boards share a hex, the half that isn't plain decides."""
    expression = terrain(game)
    seam_names = {name for names in seams(game).values() for name in names}
    for scenario, table in list(game.scenario_maps.items())[:8]:
        if not isinstance(table, HexMap):
            for point in table.points.values():
                scope = Scope({"LocationName": point.name, "Scenario": scenario})
                assert evaluate_text(expression, scope) == point.terrain
            continue
        for hex, names in list(table.names.items())[::7] + [(h, n) for h, n in table.names.items() if len(n) > 1]:
            if len(names) > 1 and not any(f"{scenario}/{name}" in seam_names for name in names):
                continue
            for name in names if len(names) == 1 else [n for n in names if f"{scenario}/{n}" in seam_names]:
                scope = Scope({"LocationName": name, "Scenario": scenario})
                assert evaluate_text(expression, scope) == table.terrain.get(hex, table.plain), name


def test_distances_are_the_maps(game: Game) -> None:
    expression = to_target(game)
    for scenario, table in list(game.scenario_maps.items())[-3:]:
        if not isinstance(table, HexMap):
            _points_apart(game, table)
            return
        sheet = BoardSheet(table)
        sample_hexes = table.hexes[::97]
        for a in sample_hexes:
            for b in sample_hexes:
                x, y = sheet.centre(a)
                u, v = sheet.centre(b)
                place = {"CurrentMap": "Main Map", "CurrentX": str(x), "CurrentY": str(y), "Target": f"{u};{v};"}
                assert evaluate_text(expression, Scope(place)) == str(distance(a, b)), (
                    scenario,
                    table.name(a),
                    table.name(b),
                )


def _points_apart(game: Game, table: PointMap) -> None:
    """From every seventh point to every other, by a walk over the routes of the pack."""
    texts, stands, distance_expression = range_texts(game), place(game), to_target(game)
    for b in list(table.points)[::7]:
        scope = {"LocationName": table.points[b].name, "CurrentX": "1", "CurrentY": "2", "Scenario": "", **texts}
        target_value = evaluate_text(stands, Scope(scope, {"CountLocation": lambda location: 0}))
        for a, start in table.points.items():
            stand = {"CurrentMap": "Main Map", "LocationName": start.name, "Target": target_value, **texts}
            expected_distance = steps_between(game, table, a, b)
            assert evaluate_text(distance_expression, Scope(stand)) == str(
                MAX_DISTANCE if expected_distance is None else expected_distance
            ), (a, b)


def test_markers_that_answer_exist(game: Game) -> None:
    assert set(watched_markers(game)) <= set(game.markers)


def test_parts_are_elements(game: Game) -> None:
    props, parts, _ = combat(game)
    assert all(isinstance(part, XmlPart) for part in (*props, *parts))


@pytest.mark.parametrize(
    ("face", "is_marked", "expected_value"), [(1, False, "8"), (2, False, "5"), (1, True, "5"), (2, True, "5")]
)
def test_a_unit_marked_with_a_lost_step_counts_by_its_back(face: int, is_marked: bool, expected_value: str) -> None:
    """Yom Kippur 1.4c: the marker lies under a flipped unit; whoever forgets to flip it gets the same battle."""
    _, reads = field_expressions(load("yom_kippur"))
    scope = Scope(
        {
            "Face_Level": str(face),
            "step_loss_Active": str(is_marked).lower(),
            "defense": "8",
            "defense_back": "5",
            "face_state": "reduced",
        }
    )
    assert evaluate_text(reads["defense"], scope) == expected_value
    assert evaluate_text(reads["reduced"], scope) == ("true" if expected_value == "5" else "false")

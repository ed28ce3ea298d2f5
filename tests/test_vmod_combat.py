"""Battles in a module: every attack is there, and its expressions say what the pack says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from modgen.vmod.battle import unit_words
from modgen.vmod.beanshell import number_of
from modgen.vmod.combat import combat
from modgen.vmod.fighters import fighting, slots, unit_inputs
from modgen.vmod.near import FAR, near
from modgen.vmod.places import place, seams, terrain, to_target, watched
from modgen.vmod.rolls import code_of, dies
from modgen.vmod.xml import Part
from scenarios import load, shipped
from scenarios.game import Game
from scenarios.hexes import distance
from scenarios.maps import HexMap
from scenarios.points import PointMap
from scenarios.vassal.geometry import Sheet
from scenarios.vassal.sequence import split
from tests import shared
from tests.bsh import Scope, evaluated
from tests.engine.bystanders import away


@pytest.fixture(scope="module", params=shipped())
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


def expressions(game: Game) -> Iterator[tuple[str, str]]:
    """Every expression of the module's battles: where it stands, and its text."""
    props, parts, _ = combat(game)
    for held in props:
        for button in held.parts:
            words = split(str(button.attributes["propChanger"]), ",")
            if words[0] == "P" and words[1].startswith("{"):
                yield str(held.attributes["name"]), words[1][1:-1]
    for part in parts:
        if "parameters" in part.attributes:
            if part.attributes["filter"]:
                yield f"{part.attributes['name']} filter", str(part.attributes["filter"])[1:-1]
            for pair in split(str(part.attributes["parameters"]), ","):
                if pair:
                    name, said = split(pair, ":")
                    yield f"{part.attributes['name']} {name}", said[1:-1]
        elif str(part.attributes.get("reportFormat", "")).startswith("{"):
            yield str(part.attributes["name"]), str(part.attributes["reportFormat"])[1:-1]


def depth(said: str) -> int:
    """How deep parentheses stand in one another, those in texts left out."""
    deep = most = 0
    for letter in re.sub(r'"(\\.|[^"\\])*"', "", said):
        deep += (letter == "(") - (letter == ")")
        most = max(most, deep)
    return most


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
    thrown = [table for table in game.tables.values() if table.dice]
    assert thrown
    for table in thrown:
        assert table.title in texts
        assert table.dice in dice


def test_no_expression_reads_an_id_as_a_number(game: Game) -> None:
    """Hex 4.10 must not become 4.1: texts are only compared as texts, never a bare property with one."""
    for where, said in expressions(game):
        assert not re.search(r'\w+\s*[!=]=\s*"', said), (where, said)
        assert not re.search(r'"\s*[!=]=', said), (where, said)
        bare = set(re.findall(r"\b[A-Za-z_]\w*\b(?!\s*[(.])", re.sub(r'"(\\.|[^"\\])*"', "", said)))
        assert bare <= {"Role", "Face_Level", "true", "false", "int", "Fold", "Best"}, (where, bare)


def test_expressions_are_shallow(game: Game) -> None:
    """The engine's parser needs many times as long for every parenthesis that stands in another."""
    assert max(depth(said) for _, said in expressions(game)) <= 6


def test_every_step_of_a_battle_is_a_button(game: Game) -> None:
    props, parts, missing = combat(game)
    assert missing == {}
    known = {str(part.attributes.get("buttonHotkey") or part.attributes.get("hotkey")) for part in parts}
    known |= {str(button.attributes["hotkey"]) for held in props for button in held.parts}
    for part in parts:
        if part.tag.endswith("DoActionButton"):
            for stroke in filter(None, split(str(part.attributes["hotkeys"]), ",")):
                assert stroke in known, stroke


def test_pieces_have_every_slot_that_battles_fill(game: Game) -> None:
    made = " ".join(trait.type for trait in fighting(game))
    filled = set()
    _, parts, _ = combat(game)
    for part in parts:
        filled |= {split(pair, ":")[0] for pair in split(str(part.attributes.get("parameters", "")), ",") if pair}
    assert all(f"PROP;{name};" in made for name in filled), filled
    assert all(f"PROP;own_{name};" in made for name in unit_inputs(game))
    assert slots(game) >= 2


def test_the_codes_of_a_table_are_its_cells(game: Game) -> None:
    for table in (table for table in game.tables.values() if table.dice):
        said = code_of(table, number_of("column"), number_of("die"))
        for column in range(len(table.columns.labels)):
            for die in range(dies(table)[0] - 3, dies(table)[-1] + 4):
                scope = Scope({"column": str(column), "die": str(die)})
                assert evaluated(said, scope) == table.cell(die, column).code.replace(";", ",")
        assert evaluated(said, Scope({"column": "-1", "die": "1"})) == "none"


def test_terrain_is_the_maps_on_every_hex(game: Game) -> None:
    """Seams too: where two boards share a hex, the half that isn't plain decides."""
    said = terrain(game)
    lost = {name for names in seams(game).values() for name in names}
    for scenario, table in list(game.scenario_maps.items())[:8]:
        if not isinstance(table, HexMap):
            for point in table.points.values():
                scope = Scope({"LocationName": point.name, "Scenario": scenario})
                assert evaluated(said, scope) == point.terrain
            continue
        for hex, names in list(table.names.items())[::7] + [(h, n) for h, n in table.names.items() if len(n) > 1]:
            if len(names) > 1 and not any(f"{scenario}/{name}" in lost for name in names):
                continue
            for name in names if len(names) == 1 else [n for n in names if f"{scenario}/{n}" in lost]:
                scope = Scope({"LocationName": name, "Scenario": scenario})
                assert evaluated(said, scope) == table.terrain.get(hex, table.plain), name


def test_distances_are_the_maps(game: Game) -> None:
    said = to_target(game)
    for scenario, table in list(game.scenario_maps.items())[-3:]:
        if not isinstance(table, HexMap):
            _points_apart(game, table)
            return
        sheet = Sheet(table)
        listed = table.hexes[::97]
        for a in listed:
            for b in listed:
                x, y = sheet.centre(a)
                u, v = sheet.centre(b)
                place = {"CurrentMap": "Main Map", "CurrentX": str(x), "CurrentY": str(y), "Target": f"{u};{v};"}
                assert evaluated(said, Scope(place)) == str(distance(a, b)), (scenario, table.name(a), table.name(b))


def _points_apart(game: Game, table: PointMap) -> None:
    """From every seventh point to every other, by a walk over the routes of the pack."""
    texts, stands, measured = near(game), place(game), to_target(game)
    for b in list(table.points)[::7]:
        scope = {"LocationName": table.points[b].name, "CurrentX": "1", "CurrentY": "2", "Scenario": "", **texts}
        held = evaluated(stands, Scope(scope, {"CountLocation": lambda said: 0}))
        for a, start in table.points.items():
            stand = {"CurrentMap": "Main Map", "LocationName": start.name, "Target": held, **texts}
            far = away(game, table, a, b)
            assert evaluated(measured, Scope(stand)) == str(FAR if far is None else far), (a, b)


def test_markers_that_answer_exist(game: Game) -> None:
    assert set(watched(game)) <= set(game.markers)


def test_parts_are_elements(game: Game) -> None:
    props, parts, _ = combat(game)
    assert all(isinstance(part, Part) for part in (*props, *parts))


@pytest.mark.parametrize(
    ("face", "marked", "wanted"), [(1, False, "8"), (2, False, "5"), (1, True, "5"), (2, True, "5")]
)
def test_a_unit_marked_with_a_lost_step_counts_by_its_back(face: int, marked: bool, wanted: str) -> None:
    """Yom Kippur 1.4c: the marker lies under a flipped unit; whoever forgets to flip it gets the same battle."""
    _, reads = unit_words(load("yom_kippur"))
    scope = Scope(
        {
            "Face_Level": str(face),
            "step_loss_Active": str(marked).lower(),
            "defense": "8",
            "defense_back": "5",
            "face_state": "reduced",
        }
    )
    assert evaluated(reads["defense"], scope) == wanted
    assert evaluated(reads["reduced"], scope) == ("true" if wanted == "5" else "false")

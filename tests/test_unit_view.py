"""The assistant, the module, the page and the kit agree on what every counter is: its face, factors, states and names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest

from art.counters.face import FRACTIONS, words
from assistant.attack import missing_factors, unit_fields
from assistant.cli import cli
from assistant.engine.question_field import asked_field
from assistant.page.game_info import about_game
from assistant.page.site import pieces as page_pieces
from modgen.kit.cards import turned_over
from modgen.tabletop.simulator import _tile
from modgen.vmod.files.lock import Lock
from modgen.vmod.pieces.faces import counted_steps, loose_states
from modgen.vmod.pieces.pieces import piece_entry
from modgen.vmod.pieces.unit_fields import field_expressions
from modgen.vmod.setups.setups import commands
from scenarios import load
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.position import Piece, Position, from_scenario
from scenarios.reading.shapes import number
from scenarios.unit_view import display_name, nation_adjective, view_face, view_piece, view_unit
from scenarios.vassal.playing import TablePiece, play_text
from scenarios.vassal.reading import read_position
from scenarios.vassal.sequence import split
from tests import shared
from tests.asking import run_command
from tests.bsh import Scope, evaluate_text
from tests.packs import copy
from tests.test_fix_unit_fields import PACKS, STEPS, change_pack

BACK = "    back: {state: reduced, factors: {attack: 2, defense: 2}}\n"
THREE_STEPS = (("counters.yaml", f"{BACK}    steps: 2\n", f"{BACK}    steps: 3\n"),)
"""Infantry with a second face and a third step."""
FACES: tuple[Literal["front", "back"], ...] = ("front", "back")


class Expected(NamedTuple):
    """What a counter sheet and the states of a pack say of a unit."""

    face: str
    factors: dict[str, Fraction | str | bool]
    steps: int


@pytest.fixture(scope="module", params=[*PACKS, "four_steps", "three_steps"], ids=lambda path: Path(path).name)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Every pack and sample; and two whose infantry has so many steps that a layer of the module counts them."""
    changes = {"four_steps": STEPS, "three_steps": THREE_STEPS}
    if request.param in changes:
        return load(change_pack(tmp_path_factory.mktemp(request.param), *changes[request.param]))
    return load(request.param)


def expect(game: Game, unit: Unit, states: frozenset[str], steps_lost: int) -> Expected:
    """Work out a unit from the record of its counter sheet alone."""
    record = unit.counter
    lost = max(steps_lost, sum(game.states[state].steps_lost for state in states))
    is_back = record.back is not None and (lost > 0 or record.back.state in states)
    texts = {**record.factors, **(record.back.factors if record.back is not None and is_back else {})}
    factors: dict[str, Fraction | str | bool] = {}
    for key, factor in game.factors.items():
        text = texts.get(key, factor.default)
        if factor.kind == "number":
            factors[key] = number(text or "0")
        else:
            factors[key] = text == "true" if factor.kind == "flag" else text or ""
    return Expected("back" if is_back else "front", factors, max(0, record.steps - lost))


def marked_states(game: Game, unit: Unit) -> Iterator[tuple[frozenset[str], int]]:
    """The states that a unit can be marked with, alone and in pairs, and the steps that it can have lost."""
    back = {unit.back_state} - {""} if unit.back is not None else {"inverted"} & {*game.states}
    possible = [state for state in game.states if state in back or state in loose_states(game)]
    for count in range(3):
        for states in combinations(possible, count):
            yield frozenset(states), 0
    for steps_lost in range(1, unit.steps if counted_steps(game) else 1):
        yield frozenset(), steps_lost


def all_pieces(game: Game, at: Any) -> list[Piece]:
    """Each counter in all its states."""
    return [
        Piece(unit.id, str(number), unit.nation, at, states, steps_lost)
        for unit in game.units.values()
        for number, (states, steps_lost) in enumerate(marked_states(game, unit))
    ]


def start(game: Game) -> Position:
    return from_scenario(game, next(iter(game.scenarios)))


def some_place(game: Game) -> Any:
    field = asked_field(game, {"position": start(game)})
    return field.map_index.places[0]


def check_fields(game: Game, fields: Any, expected: Expected) -> None:
    assert {key: fields[key] for key in game.factors} == expected.factors
    assert fields["steps"] == expected.steps


def test_a_view_says_what_the_counter_sheet_says(game: Game) -> None:
    for unit in game.units.values():
        for states, steps_lost in marked_states(game, unit):
            view = view_unit(game, unit, states, steps_lost)
            expected = expect(game, unit, states, steps_lost)
            assert view.face == expected.face and view.steps == expected.steps
            assert view.factors == expected.factors
            check_fields(game, view.fields, expected)
            on_back = {unit.back_state} & {*game.states} if expected.face == "back" else set()
            assert {state for state in game.states if view.fields[state] is True} == states | on_back == view.states


def test_questions_in_words_and_on_the_map_see_the_same(game: Game) -> None:
    field = asked_field(game, {"position": start(game)})
    for piece in all_pieces(game, field.map_index.places[0]):
        unit, view = game.units[piece.unit], view_piece(game, piece, field.scenario)
        placed_unit = field.as_if(piece)
        assert placed_unit.display_name == view.display_name
        assert {key: placed_unit.fields[key] for key in view.fields} == view.fields
        if not piece.steps_lost:
            in_words = unit_fields(game, unit.id, piece.states)
            own_fields = {"nation": view.nation, "side": view.side}
            assert {**in_words, **own_fields} == view.fields
            assert missing_factors(game, in_words) == view.missing_factors


def table_scope(piece: TablePiece) -> Scope:
    """What an expression of the engine sees of a piece in a save."""
    values = dict(piece.properties)
    for name, level in piece.layers.items():
        values |= {f"{name}_Active": "true" if level > 0 else "false", f"{name}_Level": str(level)}
    return Scope(values)


def test_a_save_means_the_same_to_the_module_and_to_the_assistant(game: Game) -> None:
    pieces = all_pieces(game, some_place(game))
    position = Position(game.id, start(game).scenario, 1, "", tuple(pieces))
    lock = Lock()
    gpids = {key: lock.gpid(key) for key in (*game.units, *game.markers)}
    text = commands(game, position, gpids, shared.prototypes(game), "")
    read_pieces = {(piece.unit, piece.copy): piece for piece in read_position(game, text).pieces}
    _, reads = field_expressions(game)
    scenario = game.scenarios[position.scenario]
    table_pieces = {
        (piece.properties["unit"], piece.properties["copy"]): piece
        for piece in play_text(text).pieces.values()
        if piece.properties.get("copy")
    }
    for piece in pieces:
        key = piece.unit, piece.copy
        view = view_piece(game, read_pieces[key], scenario)
        original = view_piece(game, piece, scenario)
        assert (view.face, view.factors, view.states) == (original.face, original.factors, original.states), piece
        assert view.steps == original.steps, piece
        scope = table_scope(table_pieces[key])
        assert scope.values["Face_Level"] == ("2" if view.is_flipped else "1"), piece
        for name, value in view.fields.items():
            if name in ("nation", "side"):
                continue
            read = evaluate_text(reads[name], scope) if name in reads else scope.text(name)
            if isinstance(value, bool):
                assert read == str(value).lower() or (not value and read == ""), (piece, name)
            elif isinstance(value, str):
                assert read == value, (piece, name)
            else:
                assert abs(float(read) - value) < 1e-6, (piece, name)


def test_the_palette_has_the_names_and_factors_of_both_faces(game: Game) -> None:
    for unit in game.units.values():
        entry = piece_entry(game, unit.id, "1")
        assert entry.name == view_unit(game, unit).display_name
        (marks,) = [trait for trait in entry.traits if trait.type.startswith("mark;Layer")]
        texts = dict(zip(split(marks.type[5:], ","), split(marks.state, ","), strict=True))
        for face in FACES if unit.back is not None else FACES[:1]:
            expected = expect(game, unit, frozenset(), int(face == "back"))
            view = view_face(game, unit, face)
            assert (view.face, view.factors) == (face, expected.factors)
            for name in view.printed_factors:
                text = texts[f"{name}_back" if face == "back" else name]
                printed = expected.factors[name]
                assert text == printed if isinstance(printed, str) else float(text) == float(printed)


def test_the_kit_prints_the_factors_and_names_of_both_faces(game: Game) -> None:
    for unit in game.units.values():
        for face in FACES if unit.back is not None else FACES[:1]:
            view, expected = view_face(game, unit, face), expect(game, unit, frozenset(), int(face == "back"))
            # In a layout `front` stands for the front itself.
            for name in view.printed_factors.keys() - {"front"}:
                printed = str(expected.factors[name])
                assert words(f"{{{name}}}", view, "") == FRACTIONS.get(printed, printed)
            record = unit.counter
            back_name = record.back.name if record.back is not None and face == "back" else ""
            assert words("{name}", view, "") == (back_name or record.name)


def test_cards_page_and_table_show_the_faces_of_every_set_up(game: Game) -> None:
    for key, scenario in game.scenarios.items():
        position = from_scenario(game, key)
        shown = [piece for pieces in json.loads(page_pieces(game, key).body).values() for piece in pieces]
        on_page = {(piece["unit"], piece["copy"]): piece for piece in shown}
        flipped = {
            (f"{side}/{group.id or number}", unit)
            for side, force in scenario.forces.items()
            for number, group in enumerate(force.groups, 1)
            for unit in turned_over(game, group)
        }
        for piece in position.pieces:
            view = view_piece(game, piece, scenario)
            if piece.unit in game.units:
                assert ((piece.group, piece.unit) in flipped) == view.shows_back
            if shown_piece := on_page.get((piece.unit, piece.copy)):
                assert (shown_piece["name"], shown_piece["side"]) == (view.display_name, view.face)
            assert ("rotZ", 180.0) in _tile(game, piece, "1", (0, 0, 0), 1, str)["Transform"].items() or (
                not view.shows_back
            )


@pytest.mark.parametrize(("states", "steps_lost"), [({"reduced"}, 0), (set(), 1), ({"step_loss"}, 0)])
def test_the_page_shows_the_face_that_counts(states: set[str], steps_lost: int) -> None:
    """Yom Kippur 1.4c: a unit that has lost a step has its back up, however the loss is marked."""
    game = load("yom_kippur")
    unit = next(unit for unit in game.units.values() if unit.back_state == "reduced")
    place = next(piece.at for piece in from_scenario(game, "4.1").pieces if not isinstance(piece.at, str))
    piece = Piece(unit.id, "1", unit.nation, place, frozenset(states), steps_lost)
    position = Position(game.id, "4.1", 1, "", (piece,))
    (shown,) = [
        shown for shown_pieces in json.loads(page_pieces(game, "4.1", position).body).values() for shown in shown_pieces
    ]
    assert shown["side"] == "back"


def test_a_lost_step_flips_a_counter_in_a_save(tmp_path: Path) -> None:
    """A position may give lost steps without a state; the assistant counts the back, and the module must show it."""
    game = load(copy(tmp_path))
    unit = next(unit for unit in game.units.values() if unit.back is not None)
    at = next(piece.at for piece in start(game).pieces if not isinstance(piece.at, str))
    position = Position(game.id, start(game).scenario, 1, "", (Piece(unit.id, "1", unit.nation, at, frozenset(), 1),))
    lock = Lock()
    gpids = {key: lock.gpid(key) for key in (*game.units, *game.markers)}
    text = commands(game, position, gpids, shared.prototypes(game), "")
    (piece,) = read_position(game, text).pieces
    assert view_piece(game, piece).printed_factors == unit.back != unit.factors


def test_steps_that_are_counted_count_in_a_formula_of_the_module(tmp_path: Path) -> None:
    """Infantry of four steps whose attack is 3 for each step: after one loss it attacks with 9 in every product."""
    game = load(change_pack(tmp_path, *STEPS))
    _, reads = field_expressions(game)
    for level, expected_steps in (("1", 4), ("2", 3), ("4", 1)):
        values = {"steps": "4", "Steps_Level": level, "Face_Level": "1", "attack": "3"}
        assert float(evaluate_text(reads["steps"], Scope(values))) == expected_steps
        view = view_unit(game, game.units["infantry_red"], steps_lost=int(level) - 1)
        assert view.steps == expected_steps


def test_a_counter_with_a_counted_loss_fights_by_its_back(tmp_path: Path) -> None:
    """A player of the module may count a lost step and forget to flip the counter."""
    game = load(change_pack(tmp_path, *THREE_STEPS))
    _, reads = field_expressions(game)
    unit = next(unit for unit in game.units.values() if unit.back is not None)
    view = view_unit(game, unit, steps_lost=1)
    values = {"Face_Level": "1", "Steps_Level": "2", "face_state": unit.back_state, "steps": str(unit.steps)}
    values |= {name: str(value) for name, value in unit.factors.items()}
    values |= {f"{name}_back": str(value) for name, value in (unit.back or {}).items()}
    for name in unit.factors:
        assert Fraction(str(evaluate_text(reads[name], Scope(values)))) == view.factors[name]
    assert evaluate_text(reads[unit.back_state], Scope(values)) == "true"


def test_an_ambiguous_name_has_its_nation_everywhere(game: Game) -> None:
    for unit in game.units.values():
        enemies = [other for other in game.units.values() if other.name == unit.name and other.side != unit.side]
        is_ambiguous = not any(map(str.isalpha, unit.name)) or (unit.count == 1 and bool(enemies))
        adjective = nation_adjective(game, unit.nation)
        assert view_unit(game, unit).display_name == (f"{adjective} {unit.name}" if is_ambiguous else unit.name)
        assert display_name(game, unit, always=True) == f"{adjective} {unit.name}"


def test_an_answer_and_the_page_name_the_nation_where_the_name_is_ambiguous() -> None:
    game = load(PACKS[0].parents[1] / "samples" / "island")
    words = ["island", "attackers=guns_mainland", "defenders=guns_islanders"]
    output = run_command(cli, "odds", *words, "--json").output
    assert [unit["name"] for unit in json.loads(output)["units"]] == ["Mainland Guns", "Island Guns"]
    page_names = {unit["id"]: unit["name"] for unit in about_game(game)["units"]}
    assert page_names["guns_mainland"] == "Mainland Guns"


def test_the_page_knows_the_states_that_turn_a_counter(game: Game) -> None:
    for unit in about_game(game)["units"]:
        counter = game.units[unit["id"]]
        expected = {state for state in game.states if expect(game, counter, frozenset({state}), 0).face == "back"}
        assert {*unit["back_states"]} == expected

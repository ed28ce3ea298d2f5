"""Who takes part in a module's battle, what is thrown and what is told, by the module's own text."""

from __future__ import annotations

import re

import pytest

from modgen.vmod.battle.rolls import MODIFIER, rolls
from modgen.vmod.files.lock import Lock
from modgen.vmod.pieces import pieces
from modgen.vmod.pieces.fighting import USUAL, fights, unit_inputs
from modgen.vmod.pieces.traits import named_key
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.vassal.sequence import split
from scenarios.vassal.windows import BOXES, MAIN, SETUP
from tests.bsh import Scope, evaluate_text, java
from tests.machine import Machine


def machine(game: Game, scenario: str) -> Machine:
    lock = Lock()
    gpids = {key: lock.gpid(key) for key in (*game.units, *game.markers)}
    return Machine(game, scenario, gpids, 1)


def put(
    engine: Machine, name: str, unit: str, role: int, window: str = MAIN, zone: str = "", place: str = "C-K-5"
) -> None:
    engine.pieces[name] = engine.put(unit, window, "100", "100", place) | {"Role": str(role), "CurrentZone": zone}


@pytest.mark.parametrize("name", shipped_games())
def test_whatever_takes_a_piece_out_of_play_takes_its_mark_off(name: str) -> None:
    game = load(name)
    engine = machine(game, next(iter(game.scenarios)))
    fighters = [*game.units, *(key for key in game.markers if fights(game, key))]
    input_slots = [f"own_{input_name}" for input_name in unit_inputs(game)]
    for unit in fighters:
        traits = pieces.expand_prototypes(pieces.piece_entry(game, unit, "1").traits, engine.all_prototypes)
        sending = [split(trait.type, ";")[2] for trait in traits if trait.type.startswith("sendto;")]
        assert sending or unit in game.markers
        for stroke in sending:
            put(engine, "one", unit, 2)
            engine.pieces["one"] |= dict.fromkeys(input_slots, "yes")
            engine.send(stroke, engine.pieces["one"])
            assert engine.pieces["one"]["Role"] == "0", (unit, stroke)
            assert {engine.pieces["one"][slot] for slot in input_slots} <= {USUAL}


def fire(engine: Machine, button: str = "direct_fire-odds") -> str:
    engine.chat.clear()
    engine.press(named_key(button))
    return re.sub(r"<[^>]*>|&nbsp;", "", "\n".join(engine.chat))


def ready(windows: tuple[str, str] = (MAIN, "")) -> Machine:
    """Two tanks at one of the enemy, the second of them somewhere."""
    engine = machine(load("arab_israeli_wars"), "S-2")
    put(engine, "first", "m60a1", 1)
    put(engine, "second", "m60a1", 1, *windows)
    put(engine, "target", "t_55", 2, place="C-K-7")
    return engine


@pytest.mark.parametrize("location", [(BOXES, "Eliminated: Israel"), (SETUP, "1st Company")])
def test_a_marked_piece_that_is_off_the_map_does_not_fight(location: tuple[str, str]) -> None:
    pair_engine, lone_engine = ready(), ready(location)
    fire(pair_engine)
    chat_text = fire(lone_engine)
    strength = "v_direct_fire_attack"
    assert float(pair_engine.values[strength]) == 2 * float(lone_engine.values[strength]) > 0
    assert "isn't on the map and is no longer marked" in chat_text
    assert lone_engine.pieces["second"]["Role"] == "0"
    assert lone_engine.pieces["first"]["Role"] == "1"
    assert "isn't on the map" not in fire(lone_engine)


def test_pieces_fight_from_a_box_that_they_act_from_and_not_from_a_pile() -> None:
    game = load("october_war")
    plane = next(key for key, unit in game.units.items() if unit.type == "tac")
    engine = machine(game, next(iter(game.scenarios)))
    put(engine, "flying", plane, 1, BOXES, "Israeli Air, Sinai: Air Superiority", "Israeli Air, Sinai: Air Superiority")
    put(engine, "lost", plane, 1, BOXES, "Israeli Eliminated", "Israeli Eliminated")
    fire(engine, "air_superiority-odds")
    assert (engine.pieces["flying"]["Role"], engine.pieces["lost"]["Role"]) == ("1", "0")


def test_marks_come_off_after_an_attack_unless_a_player_keeps_them() -> None:
    engine = ready()
    fire(engine)
    assert [piece["Role"] for piece in engine.pieces.values()] == ["1", "1", "2"], "odds only tell"
    engine.values["MarksAfter"] = "stay"
    fire(engine, "direct_fire-fight")
    assert [piece["Role"] for piece in engine.pieces.values()] == ["1", "1", "2"]
    engine.values["MarksAfter"] = "come off"
    fire(engine, "direct_fire-fight")
    assert [piece["Role"] for piece in engine.pieces.values()] == ["0", "0", "0"]


def test_an_attack_that_has_no_column_leaves_the_marks() -> None:
    engine = ready()
    del engine.pieces["target"]
    fire(engine, "direct_fire-fight")
    assert [piece["Role"] for piece in engine.pieces.values()] == ["1", "1"]


@pytest.mark.parametrize("name", shipped_games())
def test_a_report_lists_every_condition_that_nobody_told(name: str) -> None:
    game = load(name)
    engine = machine(game, next(iter(game.scenarios)))
    by_target = ("", "sight", "shielded")  # no target is marked here
    for key, attack in game.attacks.items():
        input_groups = [attack.inputs, *(group.inputs for group in attack.groups.values())]
        unread = {
            input_name: shape
            for inputs in input_groups
            for input_name, shape in inputs.items()
            if shape.read in by_target
        }
        report = fire(engine, f"{key}-odds")
        lines = [line for line in report.splitlines() if "Defaults, not read" in line]
        assert len(lines) == bool(unread), key
        for input_name, shape in unread.items():
            title = shape.title.replace('"', "")
            assert title in lines[0]
            engine.values[f"told_{input_name}"] = (
                "yes" if shape.kind == "flag" else "1" if shape.kind == "number" else shape.choices[0]
            )
        assert "Defaults, not read" not in fire(engine, f"{key}-odds")
        for input_name in unread:
            engine.values[f"told_{input_name}"] = USUAL


def roll_table(game: Game, key: str, answer: str | None) -> tuple[dict[str, str], list[str]]:
    """The properties after a roll on a table whose question is answered, or cancelled; and the chat."""
    props, buttons = rolls(game)
    values = {str(p.attributes["name"]): str(p.attributes["initialValue"]) for p in props} | {MODIFIER: "2"}
    changes = {str(b.attributes["hotkey"]): (str(p.attributes["name"]), b) for p in props for b in p.parts}
    buttons_by_key = {
        str(b.attributes["hotkey"]): b for b in buttons if "hotkeys" in b.attributes and b.attributes["hotkey"]
    }
    die_sizes: list[int] = []

    def throw(sides: int) -> int:
        die_sizes.append(sides)
        return 1

    scope = Scope(values, {"Random": throw})
    chat: list[str] = []
    start = next(b for b in buttons if named_key(f"throw-{key}") in split(str(b.attributes.get("hotkeys", "")), ","))
    for stroke in split(str(start.attributes["hotkeys"]), ","):
        if stroke in changes:
            name, button = changes[stroke]
            way, expression, *_ = split(str(button.attributes["propChanger"]), ",")
            if way == "E":
                values[name] = values[name] if answer is None else answer
            else:
                values[name] = (
                    java(evaluate_text(expression[1:-1], scope)) if expression.startswith("{") else expression
                )
        else:
            report = evaluate_text(str(buttons_by_key[stroke].attributes["reportFormat"])[1:-1], scope)
            chat += [report] if report else []
    return values | {"thrown": str(len(die_sizes))}, chat


@pytest.mark.parametrize("name", shipped_games())
def test_a_cancelled_question_throws_nothing(name: str) -> None:
    game = load(name)
    table_keys = [key for key, table in game.tables.items() if table.dice and len(table.columns.labels) > 1]
    assert table_keys or name == "october_war"
    for key in table_keys:
        values, chat = roll_table(game, key, None)
        assert (values["thrown"], chat, values[MODIFIER]) == ("0", [], "2")
        values, chat = roll_table(game, key, game.tables[key].columns.labels[-1])
        assert values["thrown"] != "0" and len(chat) == 1 and values[MODIFIER] == "0"

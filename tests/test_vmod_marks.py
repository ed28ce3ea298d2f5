"""Who takes part in a module's battle, what is thrown and what is told, by the module's own text."""

from __future__ import annotations

import re

import pytest

from modgen.vmod import pieces
from modgen.vmod.fighters import USUAL, fights, unit_inputs
from modgen.vmod.lock import Lock
from modgen.vmod.rolls import MODIFIER, rolls
from modgen.vmod.traits import named
from scenarios import load, shipped
from scenarios.game import Game
from scenarios.vassal.sequence import split
from scenarios.vassal.windows import BOXES, MAIN, SETUP
from tests.bsh import Scope, evaluated, java
from tests.machine import Machine


def machine(game: Game, scenario: str) -> Machine:
    lock = Lock()
    gpids = {key: lock.gpid(key) for key in (*game.units, *game.markers)}
    return Machine(game, scenario, gpids, 1)


def put(
    held: Machine, name: str, unit: str, role: int, window: str = MAIN, zone: str = "", place: str = "C-K-5"
) -> None:
    held.pieces[name] = held.put(unit, window, "100", "100", place) | {"Role": str(role), "CurrentZone": zone}


@pytest.mark.parametrize("name", shipped())
def test_whatever_takes_a_piece_out_of_play_takes_its_mark_off(name: str) -> None:
    game = load(name)
    held = machine(game, next(iter(game.scenarios)))
    fighters = [*game.units, *(key for key in game.markers if fights(game, key))]
    asked = [f"own_{one}" for one in unit_inputs(game)]
    for unit in fighters:
        traits = pieces.expanded(pieces.piece(game, unit, "1").traits, held.known)
        sending = [split(one.type, ";")[2] for one in traits if one.type.startswith("sendto;")]
        assert sending or unit in game.markers
        for stroke in sending:
            put(held, "one", unit, 2)
            held.pieces["one"] |= dict.fromkeys(asked, "yes")
            held.send(stroke, held.pieces["one"])
            assert held.pieces["one"]["Role"] == "0", (unit, stroke)
            assert {held.pieces["one"][one] for one in asked} <= {USUAL}


def fire(held: Machine, button: str = "direct_fire-odds") -> str:
    held.chat.clear()
    held.press(named(button))
    return re.sub(r"<[^>]*>|&nbsp;", "", "\n".join(held.chat))


def ready(windows: tuple[str, str] = (MAIN, "")) -> Machine:
    """Two tanks at one of the enemy, the second of them somewhere."""
    held = machine(load("arab_israeli_wars"), "S-2")
    put(held, "first", "m60a1", 1)
    put(held, "second", "m60a1", 1, *windows)
    put(held, "target", "t_55", 2, place="C-K-7")
    return held


@pytest.mark.parametrize("where", [(BOXES, "Eliminated: Israel"), (SETUP, "1st Company")])
def test_a_marked_piece_that_is_off_the_map_does_not_fight(where: tuple[str, str]) -> None:
    both, alone = ready(), ready(where)
    fire(both)
    told = fire(alone)
    strength = "v_direct_fire_attack"
    assert float(both.values[strength]) == 2 * float(alone.values[strength]) > 0
    assert "isn't on the map: its mark is taken off" in told
    assert alone.pieces["second"]["Role"] == "0"
    assert alone.pieces["first"]["Role"] == "1"
    assert "isn't on the map" not in fire(alone)


def test_pieces_fight_from_a_box_that_they_act_from_and_not_from_a_pile() -> None:
    game = load("october_war")
    plane = next(key for key, unit in game.units.items() if unit.type == "tac")
    held = machine(game, next(iter(game.scenarios)))
    put(held, "flying", plane, 1, BOXES, "Israeli Air, Sinai: Air Superiority", "Israeli Air, Sinai: Air Superiority")
    put(held, "lost", plane, 1, BOXES, "Israeli Eliminated", "Israeli Eliminated")
    fire(held, "air_superiority-odds")
    assert (held.pieces["flying"]["Role"], held.pieces["lost"]["Role"]) == ("1", "0")


def test_marks_come_off_after_an_attack_unless_a_player_keeps_them() -> None:
    held = ready()
    fire(held)
    assert [one["Role"] for one in held.pieces.values()] == ["1", "1", "2"], "odds only tell"
    held.values["MarksAfter"] = "stay"
    fire(held, "direct_fire-fight")
    assert [one["Role"] for one in held.pieces.values()] == ["1", "1", "2"]
    held.values["MarksAfter"] = "come off"
    fire(held, "direct_fire-fight")
    assert [one["Role"] for one in held.pieces.values()] == ["0", "0", "0"]


def test_an_attack_that_has_no_column_leaves_the_marks() -> None:
    held = ready()
    del held.pieces["target"]
    fire(held, "direct_fire-fight")
    assert [one["Role"] for one in held.pieces.values()] == ["1", "1"]


@pytest.mark.parametrize("name", shipped())
def test_a_report_lists_every_condition_that_nobody_told(name: str) -> None:
    game = load(name)
    held = machine(game, next(iter(game.scenarios)))
    by_target = ("", "sight", "shielded")  # no target is marked here
    for key, attack in game.attacks.items():
        listed = [attack.inputs, *(group.inputs for group in attack.groups.values())]
        unread = {one: shape for inputs in listed for one, shape in inputs.items() if shape.read in by_target}
        told = fire(held, f"{key}-odds")
        lines = [line for line in told.splitlines() if "Not read from the map" in line]
        assert len(lines) == bool(unread), key
        for one, shape in unread.items():
            title = shape.title.replace('"', "")
            assert title in lines[0]
            held.values[f"told_{one}"] = (
                "yes" if shape.kind == "flag" else "1" if shape.kind == "number" else shape.choices[0]
            )
        assert "Not read from the map" not in fire(held, f"{key}-odds")
        for one in unread:
            held.values[f"told_{one}"] = USUAL


def rolled(game: Game, key: str, answer: str | None) -> tuple[dict[str, str], list[str]]:
    """The properties after a roll on a table whose question is answered, or cancelled; and the chat."""
    props, buttons = rolls(game)
    values = {str(p.attributes["name"]): str(p.attributes["initialValue"]) for p in props} | {MODIFIER: "2"}
    changes = {str(b.attributes["hotkey"]): (str(p.attributes["name"]), b) for p in props for b in p.parts}
    pressed = {str(b.attributes["hotkey"]): b for b in buttons if "hotkeys" in b.attributes and b.attributes["hotkey"]}
    thrown: list[int] = []

    def throw(sides: int) -> int:
        thrown.append(sides)
        return 1

    scope = Scope(values, {"Random": throw})
    chat: list[str] = []
    start = next(b for b in buttons if named(f"throw-{key}") in split(str(b.attributes.get("hotkeys", "")), ","))
    for stroke in split(str(start.attributes["hotkeys"]), ","):
        if stroke in changes:
            name, button = changes[stroke]
            way, said, *_ = split(str(button.attributes["propChanger"]), ",")
            if way == "E":
                values[name] = values[name] if answer is None else answer
            else:
                values[name] = java(evaluated(said[1:-1], scope)) if said.startswith("{") else said
        else:
            told = evaluated(str(pressed[stroke].attributes["reportFormat"])[1:-1], scope)
            chat += [told] if told else []
    return values | {"thrown": str(len(thrown))}, chat


@pytest.mark.parametrize("name", shipped())
def test_a_cancelled_question_throws_nothing(name: str) -> None:
    game = load(name)
    asked = [key for key, table in game.tables.items() if table.dice and len(table.columns.labels) > 1]
    assert asked or name == "october_war"
    for key in asked:
        values, chat = rolled(game, key, None)
        assert (values["thrown"], chat, values[MODIFIER]) == ("0", [], "2")
        values, chat = rolled(game, key, game.tables[key].columns.labels[-1])
        assert values["thrown"] != "0" and len(chat) == 1 and values[MODIFIER] == "0"

"""Sight and hull down as a module looks them up are what the assistant works out."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.sight.visibility import Sights
from modgen.vmod.battle.places import GROUND_SIGHT, HIDES, SEES, SMOKE, TARGET
from modgen.vmod.files.keys import SIGHT_KEY
from modgen.vmod.files.lock import Lock
from modgen.vmod.pieces.traits import named_key
from modgen.vmod.sight import battle_sight
from modgen.vmod.sight import sight_tables as tables
from modgen.vmod.sight.sight_tables import LAYOUT, LETTERS
from modgen.vmod.sight.visibility import SightTable, blockers, flying
from scenarios import load
from scenarios.expressions import unparse
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance
from scenarios.model.maps import HexMap
from scenarios.model.position import Position
from scenarios.pack.pack_folder import SAMPLES
from scenarios.vassal.geometry import BoardSheet
from scenarios.vassal.windows import MAIN
from tests.bsh import Scope, evaluate_text, java
from tests.machine import Machine
from tests.sights import field_of, look

PAIRS = 90
"""For each of the twelve ways that boards lie: over a thousand in all."""


@pytest.fixture(scope="module")
def game() -> Game:
    return load("arab_israeli_wars")


@pytest.fixture(scope="module")
def kept(game: Game) -> dict[str, str]:
    """The module's tables."""
    return {str(part.attributes["name"]): str(part.attributes["initialValue"]) for part in tables.messages(game)}


def scope(
    property_values: dict[str, str], sheet: BoardSheet, layout: str, a: Hex, b: Hex, **extra_values: str
) -> Scope:
    x, y = sheet.centre(a)
    u, v = sheet.centre(b)
    place = {"CurrentMap": MAIN, "CurrentX": str(x), "CurrentY": str(y), TARGET: f"{u};{v};clear;|;there;"}
    return Scope(
        property_values
        | place
        | {LAYOUT: layout, GROUND_SIGHT: "1", "class": "armor", "down_Active": "false"}
        | extra_values
    )


def sees(game: Game, base_scope: Scope) -> str:
    """Step by step, as a battle does: the numbers of the target's hex, the unit's own, then the look."""
    values = dict(base_scope.values)
    values["Aim"] = evaluate_text(battle_sight.aim(game), Scope(values))
    values["Fold"] = evaluate_text(battle_sight.own_hex(game), Scope(values))
    base_scope.values = values
    return java(evaluate_text(battle_sight.sees(game), base_scope))


def test_random_pairs_of_every_layout(game: Game, kept: dict[str, str]) -> None:
    shields = battle_sight.shields(game)
    dice = random.Random(1973)
    layout_texts = tables.setup_values(game)
    first = {text: scenario for scenario, text in reversed(layout_texts.items())}
    assert len(first) == 12
    hulls = clears = 0
    for layout, scenario in first.items():
        table = game.scenario_maps[scenario]
        assert isinstance(table, HexMap)
        field, sheet = field_of(game, scenario), BoardSheet(table)
        for _ in range(PAIRS):
            a = dice.choice(table.hexes)
            nearby_hexes = [hex for hex in table.hexes if abs(hex.q - a.q) < 7 and abs(hex.r - a.r) < 7]
            b = dice.choice(nearby_hexes if dice.random() < 0.6 else table.hexes)
            expected_sight = look(field, a, b)
            base_scope = scope(kept, sheet, layout, a, b)
            sight_value = sees(game, base_scope)
            assert sight_value == ("true" if expected_sight.clear else "false"), (
                scenario,
                table.name(a),
                table.name(b),
            )
            bars = evaluate_text(shields, Scope({**base_scope.values, SEES: sight_value}))
            assert bool(bars) == bool(expected_sight.shields), (scenario, table.name(a), table.name(b))
            clears, hulls = clears + expected_sight.clear, hulls + bool(expected_sight.shields)
    assert clears > 200 and hulls > 40


def test_from_the_air_boards_that_lie_apart_are_not_seen(game: Game, kept: dict[str, str]) -> None:
    field = field_of(game, "A-4")
    sheet, layout = BoardSheet(field.hex_map), tables.setup_values(game)["A-4"]
    dice = random.Random(4)
    outcomes = set()
    for _ in range(100):
        a, b = dice.choice(field.hex_map.hexes), dice.choice(field.hex_map.hexes)
        is_clear = look(field, a, b, "air", "air").clear
        assert sees(game, scope(kept, sheet, layout, a, b, **{"class": "air"})) == ("true" if is_clear else "false")
        outcomes.add(is_clear)
    assert outcomes == {True, False}
    elsewhere = tables.setup_values(game)["S-2"]
    flat = game.scenario_maps["S-2"]
    assert isinstance(flat, HexMap)
    for _ in range(20):
        a, b = dice.choice(flat.hexes), dice.choice(flat.hexes)
        assert sees(game, scope(kept, BoardSheet(flat), elsewhere, a, b, **{"class": "air"})) == "true"


def test_without_a_set_up_of_ours_sight_is_not_known(game: Game, kept: dict[str, str]) -> None:
    table = game.scenario_maps["S-2"]
    assert isinstance(table, HexMap)
    a, b = table.hexes[:2]
    assert sees(game, scope(kept, BoardSheet(table), "", a, b)) == ""


def test_a_table_has_no_letter_that_the_engine_reads_as_its_own(kept: dict[str, str]) -> None:
    assert len(LETTERS) == len(set(LETTERS)) == 64
    assert all(re.fullmatch("[A-Za-z0-9_-]+", text) for text in kept.values())


def put(machine: Machine, game: Game, name: str, unit: str, place: str, role: int) -> None:
    table = game.scenario_maps["S-2"]
    assert isinstance(table, HexMap)
    hex = table.hex(place)
    x, y = BoardSheet(table).centre(hex)
    machine.pieces[name] = machine.put(unit, MAIN, str(x), str(y), place) | {"Role": str(role)}


def fire_report(machine: Machine, button: str = "direct_fire-odds") -> str:
    machine.chat.clear()
    machine.press(button if "," in button else named_key(button))
    return re.sub(r"<[^>]*>|&nbsp;", "", "\n".join(machine.chat))


def ready(game: Game, *placements: tuple[str, str, int]) -> Machine:
    lock = Lock()
    machine = Machine(game, "S-2", {key: lock.gpid(key) for key in (*game.units, *game.markers)}, 1)
    for number, (unit, place, role) in enumerate(placements):
        put(machine, game, f"p{number}", unit, place, role)
    return machine


def test_guns_at_a_tank_behind_a_crest_are_told_hull_down(game: Game) -> None:
    """The assistant says +2 of the same shot."""
    machine = ready(game, ("atg_85", "B-W-6", 1), ("centurion_iii", "B-Y-7", 2))
    report = fire_report(machine)
    assert "die +2, +2 hull down (Basic VII.F)" in report
    assert "doesn't see" not in report
    assert "Has a clear line of sight" not in report, "it was read"


def test_smoke_on_the_line_hides_the_target(game: Game) -> None:
    """Optional II.B.1: W-6 to Y-7 passes X-7."""
    machine = ready(game, ("atg_85", "B-W-6", 1), ("centurion_iii", "B-Y-7", 2))
    put(machine, game, "smoke", "smoke", "B-A-1", 0)
    assert "hull down" in fire_report(machine), "smoke elsewhere"
    put(machine, game, "smoke", "smoke", "B-X-7", 0)
    report = fire_report(machine)
    assert "hull down" not in report and "it doesn't see the target (Basic VIII.B.1)" in report
    assert "can't see it: SMOKE lies on the line" in fire_report(machine, SIGHT_KEY)


def test_smoke_is_looked_for_as_the_assistant_does(game: Game) -> None:
    """Any line with smoke in any hex, corners and lines along hexsides among them."""
    table = game.scenario_maps["S-2"]
    assert isinstance(table, HexMap)
    sheet, dice = BoardSheet(table), random.Random(2)
    machine = ready(game, ("atg_85", "B-W-6", 1), ("centurion_iii", "B-Y-7", 2), ("smoke", "B-X-6", 0))
    bare_field, expression, blocked_count = field_of(game, "S-2"), battle_sight.on_line(game, ["smoke"]), 0
    machine.values["Smokes"] = "SMOKE"

    def numbers(hex: Hex) -> str:
        machine.values[TARGET] = "{};{};clear;|;there;".format(*sheet.centre(hex))
        return str(evaluate_text(battle_sight.aim(game), machine.scope()))

    for _ in range(1500):
        a, b = dice.sample(table.hexes, 2)
        hexes_between = [hex for hex in table.hexes if min(a.q, b.q) - 1 <= hex.q <= max(a.q, b.q) + 1]
        smoke = dice.choice([hex for hex in hexes_between if hex not in (a, b)])
        if not look(bare_field, a, b).clear:
            continue
        x, y = sheet.centre(smoke)
        machine.pieces["p2"] |= {"CurrentX": str(x), "CurrentY": str(y)}
        start, machine.values["Aim"] = numbers(a), numbers(b)
        gun = machine.pieces["p0"] | {"Fold": start}
        gun["Told"] = str(evaluate_text(battle_sight.line_numbers(SMOKE), machine.scope(gun)))
        is_blocked = not look(field_of(game, "S-2", {smoke: ["smoke"]}), a, b).clear
        assert (evaluate_text(expression, machine.scope(gun)) > 0) is is_blocked, [
            table.name(hex) for hex in (a, b, smoke)
        ]
        blocked_count += is_blocked
    assert blocked_count > 40


def on_canal(game: Game, a: Hex, b: Hex, *works: tuple[str, Hex]) -> tuple[Machine, HexMap]:
    """A gun, a tank and works on the board with the canal."""
    table = game.scenario_maps["A-1"]
    assert isinstance(table, HexMap)
    lock = Lock()
    machine = Machine(game, "A-1", {key: lock.gpid(key) for key in (*game.units, *game.markers)}, 1)
    for number, (unit, hex) in enumerate((("atg_85", a), ("centurion_iii", b), *works)):
        x, y = BoardSheet(table).centre(hex)
        role = str(number + 1) if number < 2 else "0"
        machine.pieces[f"{unit}{number}"] = machine.put(unit, MAIN, str(x), str(y), table.name(hex)) | {"Role": role}
    return machine, table


def test_works_on_a_line_are_told_with_their_rules(game: Game) -> None:
    table = game.scenario_maps["A-1"]
    assert isinstance(table, HexMap)
    a, b, middle_hex, far_hex = (table.hex(name) for name in ("L-6", "L-2", "L-4", "Y-9"))
    heading, both_works = "On a line or at its ends: ", "FORT 10 (Standard V.C), TRENCH (Standard V.G, VI.C)."
    assert heading not in fire_report(on_canal(game, a, b, ("fort", far_hex), ("trench", far_hex))[0])
    assert heading + "TRENCH (Standard V.G, VI.C)." in fire_report(
        on_canal(game, a, b, ("fort", far_hex), ("trench", middle_hex))[0]
    )
    assert heading + both_works in fire_report(
        on_canal(game, a, b, ("fort", a), ("trench", middle_hex), ("trench", b))[0]
    )
    assert heading + both_works in fire_report(on_canal(game, a, b, ("fort", b), ("trench", middle_hex))[0], SIGHT_KEY)


def test_no_work_that_changes_a_line_is_missed(game: Game) -> None:
    """Wherever the assistant judges a line otherwise for a trench, fort or position, the module finds it on the line."""
    dice = random.Random(73)
    table = game.scenario_maps["A-1"]
    assert isinstance(table, HexMap)
    machine, _ = on_canal(game, table.hexes[0], table.hexes[9], ("fort", table.hexes[20]))
    gun, work = machine.pieces["atg_850"], machine.pieces["fort2"]
    bare_field, sheet, expression = field_of(game, "A-1"), BoardSheet(table), battle_sight.works_on_line(game)
    canal = [hex for hex in table.hexes if table.terrain[hex] == "suez_canal"]
    banks = [hex for hex in table.hexes if any(distance(hex, wet) <= 1 for wet in canal)]
    change_count = report_count = 0
    for _ in range(6000):
        a, b = dice.sample(banks, 2)
        if distance(a, b) > 4:
            continue
        kind = dice.choice(["fort", "improved_position", "trench"])
        nearby_hexes = [
            hex
            for hex in (canal if kind == "trench" else table.hexes)
            if distance(hex, a) + distance(hex, b) <= distance(a, b) + 1
        ]
        hex = dice.choice([a, b, *nearby_hexes] if kind == "trench" or dice.random() < 0.3 else [a, b])
        was, new_sight = (look(ground, a, b) for ground in (bare_field, field_of(game, "A-1", {hex: [kind]})))
        differs = (was.clear, bool(was.shields)) != (new_sight.clear, bool(new_sight.shields))
        (x, y), (u, v), (s, t) = sheet.centre(a), sheet.centre(b), sheet.centre(hex)
        gun |= {"CurrentX": str(x), "CurrentY": str(y)}
        work |= {"unit": kind, "CurrentX": str(s), "CurrentY": str(t)}
        machine.values |= {TARGET: f"{u};{v};clear;|;there;", HIDES: "yes"}
        machine.values["Aim"] = str(evaluate_text(battle_sight.aim(game), machine.scope(gun)))
        gun["Fold"] = str(evaluate_text(battle_sight.own_hex(game), machine.scope(gun)))
        gun["Told"] = str(evaluate_text(battle_sight.line_numbers(HIDES), machine.scope(gun)))
        work_code = int(evaluate_text(expression, machine.scope(gun)))
        order = [work_kinds[0] for work_kinds in battle_sight.works(game)]
        assert work_code in (0, 100 ** order.index(kind))
        assert work_code or not differs, [kind, *(table.name(place) for place in (a, b, hex))]
        change_count, report_count = change_count + differs, report_count + bool(work_code)
    assert change_count > 20 and report_count > change_count


def test_a_pack_that_declares_sight_has_it_in_its_module() -> None:
    """Every pair of the sample, on a turn by day and on one at dusk."""
    ridge = load(SAMPLES / "ridge")
    property_values = {
        str(part.attributes["name"]): str(part.attributes["initialValue"]) for part in tables.messages(ridge)
    }
    layout = tables.setup_values(ridge)["dusk"]
    table, map_index = ridge.scenario_maps["dusk"], map_index_of(ridge, "dusk")
    assert isinstance(table, HexMap) and map_index is not None
    sheet, dice = BoardSheet(table), random.Random(7)
    cases = set()
    for turn in (1, 7, 9):
        rules = Sights(make_field(map_index, Position("ridge", "dusk", min(turn, 8))))
        for _ in range(300):
            a, b = dice.choice(table.hexes), dice.choice(table.hexes)
            base_scope = scope(property_values, sheet, layout, a, b, TurnNumber=str(turn))
            sight_value = sees(ridge, base_scope)
            expected_sight = rules.look(map_index.number[a], map_index.number[b])
            assert sight_value == ("true" if expected_sight.clear else "false"), (turn, table.name(a), table.name(b))
            is_shielded = bool(
                evaluate_text(battle_sight.shields(ridge), Scope({**base_scope.values, SEES: sight_value}))
            )
            assert is_shielded == bool(expected_sight.shields), (turn, table.name(a), table.name(b))
            cases.add((turn, sight_value, is_shielded))
    assert len(cases) > 6


def test_the_sight_button_tells_who_sees_and_from_whom_the_hex_is_shielded(game: Game) -> None:
    machine = ready(game, ("atg_85", "B-W-6", 1), ("atg_85", "B-A-10", 1), ("centurion_iii", "B-Y-7", 2))
    report = fire_report(machine, SIGHT_KEY)
    assert "2 from B-Y-7: sees it; a unit there is hull down (Basic VII.F.1) from here" in report
    assert "can't see it. Why: assistant los arab_israeli_wars --scenario S-2 B-A-10 B-Y-7" in report
    machine.pieces.clear()
    assert "mark the observers" in fire_report(machine, SIGHT_KEY)


def test_the_army_is_the_situations(game: Game) -> None:
    """Syrian infantry on Egyptian counters doubles in close assault and doesn't triple (WEC note 7)."""
    machine = ready(game, ("infantry_egypt", "B-W-6", 1), ("centurion_iii", "B-W-7", 2))
    machine.values["told_year"] = "1973"
    printed_strength = float(machine.pieces["p0"]["attack"])
    for nation, times in (("syria", 2), ("egypt", 3)):
        machine.pieces["p0"]["nation"] = nation
        assert "Whose it is" not in fire_report(machine, "close_assault-odds")
        assert float(machine.values["v_close_assault_attack"]) == times * printed_strength


@pytest.mark.parametrize(
    ("ruling", "choice", "blocks"),
    [
        ("sight_along", "clear", False),
        ("sight_touch", "clear", False),
        ("smoke_between", "clear", False),
        ("sight_corner", "clear", True),
    ],
)
def test_smoke_blocks_every_line_unless_a_reading_lets_some_pass(
    ruling: str, choice: str, blocks: bool, tmp_path: Path
) -> None:
    """At a corner two of a smoke hex's own sides end, so that it blocks even where one side isn't enough."""
    overlay = tmp_path / "mine.yaml"
    overlay.write_text(f"overlay: arab_israeli_wars\nrulings: {{{ruling}: {choice}}}\n", encoding="utf-8")
    game = load("arab_israeli_wars", overlays=[overlay])
    assert blockers(game) == (("smoke",) if blocks else ())


def test_who_flies_is_declared(game: Game) -> None:
    assert unparse(flying(game)) == 'class == "air" and not down'  # type: ignore[arg-type]
    assert flying(load(SAMPLES / "ridge")) is None
    # Either end in the air is enough, and other observers see what those on the ground see.
    eyes = SightTable(game, "A-4")
    sights = eyes.sights
    for viewer, seen_as, like in (("air", "ground", "air"), ("ground", "air", "air"), ("infantry", "ground", "ground")):
        for n in range(0, len(eyes.map.hexes), 97):
            assert sights.seen_from(n, viewer, seen_as) == sights.seen_from(n, like, like)


def test_nothing_hides_from_the_air_but_where_boards_lie_apart(game: Game) -> None:
    for scenario in ("S-2", "B-1", "A-4"):
        eyes = SightTable(game, scenario)
        count = len(eyes.map.hexes)
        assert eyes.has_gaps == (eyes.sights.count("air", "air") < count * (count - 1) // 2)
        assert eyes.sights.judge("", "").may_hide(eyes.sights.codes)

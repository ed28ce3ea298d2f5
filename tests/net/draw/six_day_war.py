"""Six Day War 1967: battles on two tables, panic and retreats, movement by dice, lines of communication, the air war."""

from __future__ import annotations

import random

from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from tests.net.draw.inputs import every_input
from tests.net.draw.sheet import Land, Scene, Sheet, draw_some, scene

POSITIONS = 110
FRONTS = ("sinai", "eastern")


def draw(sheet: Sheet) -> None:
    """The start, the questions without a position, and random positions."""
    game = sheet.game
    table = game.scenario_maps["standard"]
    assert isinstance(table, HexMap)
    land = Land(table, ("sea", "lake"))
    rng = random.Random("six_day_war start")
    units = sorted(unit.id for unit in game.units.values())
    for extra_inputs in ({}, {"turn": "3"}, {"gone": "is_7_armor,eg_7_11"}):
        inputs = {"scenario": "standard", **extra_inputs}
        for question in ("supply", "score", "stacks", "duties", "arrivals", "forecast", "reserve"):
            sheet.ask(question, **inputs)
        for unit in draw_some(rng, units, 12):
            sheet.ask("move", unit=unit, die=rng.choice(("", "2", "5")), **inputs)
            sheet.ask("retreat", unit=unit, hexes=rng.choice(("1", "2", "panic")), **inputs)
    ask_without_position(sheet, random.Random("six_day_war plain"))
    for number in range(POSITIONS):
        ask_mixed_position(sheet, random.Random(f"six_day_war {number}"), land)
    for position_number in range(len(sheet.positions)):
        sheet.ask("stack", position_number)
    for position_number in range(len(sheet.positions)):
        sheet.ask("turn", position_number)
        sheet.ask("attacks", position_number)
    every_input(sheet, land)


def ask_without_position(sheet: Sheet, rng: random.Random) -> None:
    """Questions that need no position."""
    for _ in range(40):
        inputs = {
            "front": rng.choice(FRONTS),
            "superiority": rng.randint(0, 9),
            "ground": rng.randint(0, 4),
            "level": rng.randint(0, 5),
        }
        inputs |= {
            "special_forces": rng.randint(0, 2),
            "barrages": rng.randint(0, 4),
            "first": rng.choice(("levels", "barrages", "")),
        }
        sheet.ask("air", **inputs, shock_turn=rng.choice(("yes", "no", "")), what_if=rng.choice(("yes", "")))
    for strengths in ("20:12", "10:12", "1000:100", "1:9", "37:8"):
        sheet.ask("odds", strengths=strengths, shift=rng.choice(("", "-1", "2")))
    for plan in ("enhanced_attack:3", "purchase_ground_unit:2,forced_march:1", "airborne_move:9", "nonsense:1"):
        sheet.ask(
            "reserve",
            plan=plan,
            sinai_spent=rng.choice(("", "10", "40")),
            more=rng.choice(("", "1:-3", "1:4")),
            front=rng.choice(FRONTS),
        )


def ask_mixed_position(sheet: Sheet, rng: random.Random, land: Land) -> None:
    """Units of both sides in a heap; control, terror and broken bridges as markers."""
    game = sheet.game
    pools = {side: _pool(game, side) for side in game.sides}
    battle_scene = scene(rng, land, pools, max_units=9, spread=rng.randint(2, 5), stack=2)
    markers = [
        f"{marker}/1@{rng.choice(land.dry)}"
        for marker in ("control_israeli", "control_arab", "terrorized")
        if rng.random() < 0.4
    ]
    position_number = sheet.put(
        "standard", rng.randint(1, 9), [*(stand.text for stand in battle_scene.stands), *markers]
    )
    ask(sheet, rng, land, battle_scene, position_number)


def ask(sheet: Sheet, rng: random.Random, land: Land, battle_scene: Scene, position_number: int) -> None:
    """All that can be asked of a position."""
    broken_fronts = rng.choice(("", "", "sinai", "sinai,eastern"))
    for question in ("supply", "score", "stacks", "arrivals"):
        sheet.ask(question, position_number)
    sheet.ask("forecast", position_number, sinai_score=rng.choice(("", "2:3,3:5")))
    sheet.ask("duties", position_number, side=rng.choice(("israeli", "arab", "")), front=rng.choice(FRONTS))
    sheet.ask("reserve", position_number, front=rng.choice(FRONTS), plan="enhanced_attack:1")
    for stand in draw_some(rng, battle_scene.stands, 3):
        sheet.ask(
            "move",
            position_number,
            unit=stand.unit,
            die=rng.choice(("", "", "1", "6")),
            forced=rng.choice(("", "", "yes")),
        )
        sheet.ask(
            "retreat",
            position_number,
            unit=stand.unit,
            hexes=rng.choice(("1", "2", "3", "panic")),
            disintegrated=broken_fronts,
        )
        sheet.ask("advance", position_number, unit=stand.unit, hexes=rng.randint(1, 3))
    for stand in draw_some(rng, battle_scene.stands_of("israeli"), 2):
        sheet.ask("move", position_number, unit=stand.unit, air="yes")
        sheet.ask("move", position_number, unit=stand.unit, transfer="yes")
        sheet.ask("barrage", position_number, hex=stand.place, place=rng.choice(("", "yes")))
    for stand in draw_some(rng, battle_scene.stands_of("arab"), 2):
        sheet.ask("strike", position_number, hex=stand.place, airstrikes=rng.randint(1, 3), disintegrated=broken_fronts)
    for men in draw_some(rng, [men for men in battle_scene.held.values() if len(men) > 1], 1):
        sheet.ask("retreat", position_number, unit=",".join(man.unit for man in men), hexes=rng.choice(("1", "panic")))
    for side in sheet.game.sides:
        for target, places in draw_some(rng, list(battle_scene.targets(land, side).items()), 3):
            inputs = {key: rng.choice(("", "", "yes")) for key in ("enhanced", "airborne_surprise", "what_if")}
            sheet.ask(
                "odds", position_number, from_=",".join(places), target=target, disintegrated=broken_fronts, **inputs
            )


def _pool(game: Game, side: str) -> list[tuple[str, str]]:
    return [(unit.id, "1") for unit in game.units.values() if unit.side == side]

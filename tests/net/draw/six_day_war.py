"""Six Day War 1967: battles on two tables, panic and retreats, movement by dice, lines of communication, the air war."""

from __future__ import annotations

import random

from scenarios.game import Game
from scenarios.maps import HexMap
from tests.net.draw.inputs import every_input
from tests.net.draw.sheet import Land, Scene, Sheet, scene, some

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
    for more in ({}, {"turn": "3"}, {"gone": "is_7_armor,eg_7_11"}):
        told = {"scenario": "standard", **more}
        for question in ("supply", "score", "stacks", "duties", "arrivals", "events", "reserve"):
            sheet.ask(question, **told)
        for unit in some(rng, units, 12):
            sheet.ask("move", unit=unit, die=rng.choice(("", "2", "5")), **told)
            sheet.ask("retreat", unit=unit, hexes=rng.choice(("1", "2", "panic")), **told)
    plain(sheet, random.Random("six_day_war plain"))
    for number in range(POSITIONS):
        mixed(sheet, random.Random(f"six_day_war {number}"), land)
    for at in range(len(sheet.positions)):
        sheet.ask("stack", at)
    for at in range(len(sheet.positions)):
        sheet.ask("turn", at)
        sheet.ask("attacks", at)
    every_input(sheet, land)


def plain(sheet: Sheet, rng: random.Random) -> None:
    """Questions that need no position."""
    for _ in range(40):
        told = {
            "front": rng.choice(FRONTS),
            "superiority": rng.randint(0, 9),
            "ground": rng.randint(0, 4),
            "level": rng.randint(0, 5),
        }
        told |= {
            "special_forces": rng.randint(0, 2),
            "barrages": rng.randint(0, 4),
            "first": rng.choice(("levels", "barrages", "")),
        }
        sheet.ask("air", **told, shock_turn=rng.choice(("yes", "no", "")), what_if=rng.choice(("yes", "")))
    for strengths in ("20:12", "10:12", "1000:100", "1:9", "37:8"):
        sheet.ask("odds", strengths=strengths, shift=rng.choice(("", "-1", "2")))
    for plan in ("enhanced_attack:3", "purchase_ground_unit:2,forced_march:1", "airborne_move:9", "nonsense:1"):
        sheet.ask(
            "reserve",
            plan=plan,
            spent=rng.choice(("", "10", "40")),
            events=rng.choice(("", "-3", "4")),
            front=rng.choice(FRONTS),
        )


def mixed(sheet: Sheet, rng: random.Random, land: Land) -> None:
    """Units of both sides in a heap; control, terror and broken bridges as markers."""
    game = sheet.game
    pools = {side: _pool(game, side) for side in game.sides}
    here = scene(rng, land, pools, most=9, spread=rng.randint(2, 5), stack=2)
    markers = [
        f"{marker}/1@{rng.choice(land.dry)}"
        for marker in ("control_israeli", "control_arab", "terrorized")
        if rng.random() < 0.4
    ]
    at = sheet.put("standard", rng.randint(1, 9), [*(stand.text for stand in here.stands), *markers])
    ask(sheet, rng, land, here, at)


def ask(sheet: Sheet, rng: random.Random, land: Land, here: Scene, at: int) -> None:
    """All that can be asked of a position."""
    broken = rng.choice(("", "", "sinai", "sinai,eastern"))
    for question in ("supply", "score", "stacks", "arrivals"):
        sheet.ask(question, at)
    sheet.ask("events", at, scores=rng.choice(("", "2:3,3:5")))
    sheet.ask("duties", at, side=rng.choice(("israeli", "arab", "")), front=rng.choice(FRONTS))
    sheet.ask("reserve", at, front=rng.choice(FRONTS), plan="enhanced_attack:1")
    for stand in some(rng, here.stands, 3):
        sheet.ask("move", at, unit=stand.unit, die=rng.choice(("", "", "1", "6")), forced=rng.choice(("", "", "yes")))
        sheet.ask("retreat", at, unit=stand.unit, hexes=rng.choice(("1", "2", "3", "panic")), disintegrated=broken)
        sheet.ask("advance", at, unit=stand.unit, hexes=rng.randint(1, 3))
    for stand in some(rng, here.of("israeli"), 2):
        sheet.ask("move", at, unit=stand.unit, air="yes")
        sheet.ask("move", at, unit=stand.unit, transfer="yes")
        sheet.ask("barrage", at, hex=stand.place, place=rng.choice(("", "yes")))
    for stand in some(rng, here.of("arab"), 2):
        sheet.ask("strike", at, hex=stand.place, airstrikes=rng.randint(1, 3), disintegrated=broken)
    for men in some(rng, [men for men in here.held.values() if len(men) > 1], 1):
        sheet.ask("retreat", at, unit=",".join(man.unit for man in men), hexes=rng.choice(("1", "panic")))
    for side in sheet.game.sides:
        for target, places in some(rng, list(here.targets(land, side).items()), 3):
            told = {key: rng.choice(("", "", "yes")) for key in ("enhanced", "airborne_surprise", "what_if")}
            sheet.ask("odds", at, from_=",".join(places), target=target, disintegrated=broken, **told)


def _pool(game: Game, side: str) -> list[tuple[str, str]]:
    return [(unit.id, "1") for unit in game.units.values() if unit.side == side]

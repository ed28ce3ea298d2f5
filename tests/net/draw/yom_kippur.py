"""Yom Kippur: supply, movement, battles, barrages, bridges, missiles, reserves."""

from __future__ import annotations

import random

from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from tests.net.draw.inputs import every_input
from tests.net.draw.sheet import Land, Scene, Sheet, draw_some, scene

POSITIONS = 110
CANAL = ("23.24", "42.24", "33.24", "13.17", "47.24", "37.24")


def draw(sheet: Sheet) -> None:
    """Every scenario's start, changed a little, and random positions."""
    game = sheet.game
    table = game.scenario_maps["4.1"]
    assert isinstance(table, HexMap)
    land = Land(table, ("sea", "lake"))
    for scenario in game.scenarios:
        start(sheet, random.Random(f"yom_kippur {scenario}"), scenario)
    for number in range(POSITIONS):
        ask_mixed_position(sheet, random.Random(f"yom_kippur {number}"), land)
    numbered_positions = list(enumerate(sheet.positions))
    for position_number, position in numbered_positions:
        units = [text.partition("/")[0] for text in position.pieces if "bridge" not in text]
        rng = random.Random(f"yom_kippur more {position_number}")
        sheet.ask("stack", position_number)
        for unit in draw_some(rng, units, 2):
            sheet.ask("retreat", position_number, unit=unit, hexes=rng.randint(1, 3))
    for position_number, position in numbered_positions:
        rng = random.Random(f"yom_kippur turns {position_number}")
        sheet.ask("turn", position_number)
        sheet.ask("attacks", position_number)
        for text in draw_some(rng, [text for text in position.pieces if "bridge" not in text], 1):
            sheet.ask("advance", position_number, unit=text.partition("/")[0])
    every_input(sheet, land)


def start(sheet: Sheet, rng: random.Random, scenario: str) -> None:
    """The start of a scenario: every question, with and without a change."""
    units = [
        unit
        for group in sheet.game.scenarios[scenario].forces.values()
        for unit_group in group.groups
        for unit in unit_group.units
    ]
    gone_units = ",".join(draw_some(rng, sorted(set(units)), 2))
    for extra_inputs in ({}, {"gone": gone_units}):
        for question in (
            "supply",
            "score",
            "stacks",
            "bridges",
            "replacement",
            "recovery",
            "forecast",
            "suppression",
        ):
            sheet.ask(question, scenario=scenario, **extra_inputs)
        for unit in draw_some(rng, sorted(set(units)), 6):
            sheet.ask("move", scenario=scenario, unit=unit, **extra_inputs)
    sheet.ask("supply", scenario=scenario, taken="42.24,24.24", zone="yes")
    for unit in draw_some(rng, sorted(set(units)), 4):
        sheet.ask("move", scenario=scenario, unit=unit, phase="exploitation", turn=3)
        sheet.ask("move", scenario=scenario, unit=unit, air="yes", turn=2)
    sheet.ask(
        "score", scenario=scenario, control="20.25:israeli,16.10:egyptian", ignored_israeli="1", world_war="egyptian"
    )


def ask_mixed_position(sheet: Sheet, rng: random.Random, land: Land) -> None:
    """Units of both sides in a heap, some of them reduced, disorganized, out of supply; bridges over the canal."""
    game = sheet.game
    scenario, turn = rng.choice(list(game.scenarios)), rng.randint(1, 8)
    pools = {side: _pool(game, side) for side in game.sides}
    centre = rng.choice(CANAL) if rng.random() < 0.5 else ""
    battle_scene = scene(
        rng,
        land,
        pools,
        max_units=10,
        spread=rng.randint(2, 5),
        stack=3,
        centre=centre,
        write=lambda *piece: _piece(rng, game, *piece),
    )
    distant_pieces = [
        f"{unit}/{copy}@{rng.choice(land.dry)}"
        for side in pools
        for unit, copy in _hqs(game, side)
        if rng.random() < 0.4
    ]
    used = {stand.unit for stand in battle_scene.stands}
    distant_pieces = [
        text
        for text in distant_pieces
        if text.partition("/")[0] not in used and text.partition("@")[2] not in battle_scene.held
    ]
    position_number = sheet.put(scenario, turn, [*(stand.text for stand in battle_scene.stands), *distant_pieces])
    ask(sheet, rng, land, battle_scene, position_number)


def ask(sheet: Sheet, rng: random.Random, land: Land, battle_scene: Scene, position_number: int) -> None:
    """All that can be asked of a position."""
    for question in ("supply", "score", "stacks", "bridges", "replacement", "recovery", "forecast"):
        sheet.ask(question, position_number)
    sheet.ask("supply", position_number, taken=",".join(rng.sample(land.dry, 2)), zone=rng.choice(("yes", "no")))
    for stand in draw_some(rng, battle_scene.stands, 3):
        sheet.ask("move", position_number, unit=stand.unit)
        sheet.ask("missiles", position_number, at=stand.place)
        sheet.ask("suppression", position_number, allocated="2", available=rng.choice(("", "6")))
    for stand in draw_some(rng, battle_scene.stands, 2):
        sheet.ask(
            "move", position_number, unit=stand.unit, phase="exploitation", may_cross_east=rng.choice(("yes", ""))
        )
        sheet.ask("move", position_number, unit=stand.unit, air="yes")
    for men in draw_some(rng, [men for men in battle_scene.held.values() if len(men) > 1], 1):
        sheet.ask("move", position_number, unit=",".join(man.unit for man in men))
    for side in sheet.game.sides:
        targets = battle_scene.targets(land, side)
        for target, places in draw_some(rng, list(targets.items()), 3):
            air = {key: rng.choice(("", "", "1", "3")) for key in ("israeli_air", "egyptian_air")}
            sheet.ask(
                "odds",
                position_number,
                from_=",".join(places),
                target=target,
                overrun=rng.choice(("", "", "yes")),
                **air,
            )
        for target, places in draw_some(rng, list(targets.items()), 1):
            sheet.ask("odds", position_number, from_=",".join(places), target=target, what_if="yes")
        if len(targets) > 1 and rng.random() < 0.5:
            sheet.ask(
                "odds",
                position_number,
                best="yes",
                side=side,
                at=",".join(draw_some(rng, list(targets), 2)),
                aim=rng.choice(("steps", "places")),
                price="0",
            )
        enemies = [place for place, men in battle_scene.held.items() if men[0].side != side]
        guns = [
            man.unit for man in battle_scene.stands_of(side) if "fires_barrage" in sheet.game.units[man.unit].abilities
        ]
        for target in draw_some(rng, enemies, 1):
            sheet.ask(
                "odds",
                position_number,
                attack="barrage",
                attackers=",".join(guns),
                target=target,
                side=side,
                egyptian_air="2" if side == "egyptian" else "",
            )
            sheet.ask(
                "odds", position_number, attack="barrage", attackers=",".join(guns[:1]), target=target, what_if="yes"
            )


def _pool(game: Game, side: str) -> list[tuple[str, str]]:
    return [
        (unit.id, str(copy))
        for unit in game.units.values()
        if unit.side == side
        for copy in range(1, min(unit.count, 2) + 1)
    ]


def _hqs(game: Game, side: str) -> list[tuple[str, str]]:
    return [(unit.id, "1") for unit in game.units.values() if unit.side == side and unit.type in ("hq", "sam")]


def _piece(rng: random.Random, game: Game, unit: str, copy: str, place: str) -> str:
    shape = game.units[unit]
    states = [state for state in ("disorganized", "out_of_supply") if rng.random() < 0.12]
    if shape.steps > 1 and rng.random() < 0.25:
        states.append("reduced")
    if "builds_bridge" in shape.abilities and rng.random() < 0.4:
        states = ["bridge"]
    return f"{unit}/{copy}@{place}" + "".join(f"+{state}" for state in states)

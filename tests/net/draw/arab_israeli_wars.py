"""The Arab-Israeli Wars: sight, fire of every kind, movement under fire, morale, smoke, points; on every Situation's boards."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping

from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.position import from_scenario
from tests.net.draw.inputs import every_input
from tests.net.draw.sheet import Land, Scene, Sheet, draw_some, scene

POSITION_COUNT = 4
"""Positions of each Situation."""
ATTACKS = (
    "direct_fire",
    "direct_fire",
    "direct_fire",
    "opportunity_fire",
    "indirect_fire",
    "close_assault",
    "overrun",
    "air_strike",
)
WORKS = ("fort", "improved_position", "mine_1_1", "mine_3_1", "block", "trench", "bridge", "wreck", "smoke")
BOARDS = ("A", "B", "C", "D", "B / A turned", "C D")


def draw(sheet: Sheet) -> None:
    """Every board and Situation, the questions without a position, and random positions."""
    game = sheet.game
    ask_without_position(sheet, random.Random("arab_israeli_wars plain"))
    lands: dict[str, Land] = {}
    for scenario in game.scenarios:
        table = game.scenario_maps[scenario]
        assert isinstance(table, HexMap)
        land = lands.setdefault(scenario, Land(table))
        start(sheet, random.Random(f"arab_israeli_wars {scenario}"), scenario, land)
        for number in range(POSITION_COUNT):
            ask_mixed_position(sheet, random.Random(f"arab_israeli_wars {scenario} {number}"), scenario, land)
    every_input(sheet, lands["S-9"])


def ask_without_position(sheet: Sheet, rng: random.Random) -> None:
    """Questions that need no position."""
    for unit in sheet.game.units:
        sheet.ask(
            "morale", unit=unit, level=rng.choice("ABCD"), turns=rng.choice(("", "3")), works=rng.choice(("", "fort"))
        )
    for boards in BOARDS:
        sheet.ask("los", map=boards, viewer=rng.choice(("ground", "infantry")))


def start(sheet: Sheet, rng: random.Random, scenario: str, land: Land) -> None:
    """A Situation before anybody is on the map."""
    sheet.ask("score", scenario=scenario)
    units = sorted(
        {piece.unit for piece in from_scenario(sheet.game, scenario).pieces if piece.unit in sheet.game.units}
    )
    for unit in draw_some(rng, units, 4):
        sheet.ask(
            "move", scenario=scenario, unit=unit, from_=rng.choice(land.dry), quick=rng.choice((False, False, True))
        )
        sheet.ask("morale", scenario=scenario, unit=unit)
    for _ in range(3):
        a, b = rng.sample(land.dry, 2)
        observer_kinds = {key: rng.choice(("ground", "ground", "infantry", "air")) for key in ("viewer", "target")}
        sheet.ask("los", scenario=scenario, hexes=f"{a},{b}", **observer_kinds)
    sheet.ask("los", scenario=scenario, hexes=rng.choice(land.dry))


def ask_mixed_position(sheet: Sheet, rng: random.Random, scenario: str, land: Land) -> None:
    """Units of both sides of a Situation in a heap, with works, mines, smoke and wrecks."""
    game = sheet.game
    nation: dict[tuple[str, str], str] = {}
    pools: Mapping[str, list[tuple[str, str]]] = defaultdict(list)
    for piece in from_scenario(game, scenario).pieces:
        if piece.unit in game.units:
            pools[piece.group.partition("/")[0]].append((piece.unit, piece.copy))
            own_nation = game.units[piece.unit].nation
            nation[piece.unit, piece.copy] = "" if piece.nation == own_nation else f"~{piece.nation}"

    def write(unit: str, copy: str, place: str) -> str:
        states = [state for state in ("inverted", "dispersed", "spotted") if rng.random() < 0.15]
        return f"{unit}/{copy}{nation[unit, copy]}@{place}" + "".join(f"+{state}" for state in states)

    battle_scene = scene(
        rng, land, dict(sorted(pools.items())), max_units=10, spread=rng.randint(2, 6), stack=3, write=write
    )
    area = land.places_within(rng.choice(list(battle_scene.held)), 4)
    works = [f"{work}/{copy}@{rng.choice(area)}" for work in WORKS for copy in (1, 2) if rng.random() < 0.2]
    position_number = sheet.put(scenario, rng.randint(1, 9), [*(stand.text for stand in battle_scene.stands), *works])
    ask(sheet, rng, game, land, battle_scene, position_number)


def ask(sheet: Sheet, rng: random.Random, game: Game, land: Land, battle_scene: Scene, position_number: int) -> None:
    """All that can be asked of a position."""
    sheet.ask("score", position_number)
    sheet.ask("morale", position_number)
    places = list(battle_scene.held)
    sheet.ask("los", position_number, hexes=rng.choice(places))
    for _ in range(3):
        sheet.ask("los", position_number, hexes=f"{rng.choice(places)},{rng.choice(land.places_within(places[0], 8))}")
    for stand in draw_some(rng, battle_scene.stands, 2):
        sheet.ask("move", position_number, unit=stand.unit, from_=stand.place, quick=rng.choice((False, False, True)))
        sheet.ask(
            "move",
            position_number,
            unit=stand.unit,
            from_=stand.place,
            to=rng.choice(land.places_within(stand.place, 4)[1:]),
        )
    for stand in draw_some(rng, battle_scene.stands, 1):
        step = rng.choice(land.next[stand.place])
        sheet.ask(
            "move", position_number, unit=stand.unit, from_=stand.place, path=f"{step},{rng.choice(land.next[step])}"
        )
        sheet.ask(
            "smoke",
            position_number,
            unit=stand.unit,
            from_=stand.place,
            position_number=rng.choice(land.places_within(stand.place, 6)),
        )
    sides = list(dict.fromkeys(stand.side for stand in battle_scene.stands))
    for side in sides:
        own_places = [place for place, men in battle_scene.held.items() if men[0].side == side]
        enemy_places = [place for place, men in battle_scene.held.items() if men[0].side != side]
        for target in draw_some(rng, enemy_places, 3):
            kind = rng.choice(ATTACKS)
            adjacent_places = [place for place in land.next[target] if place in own_places]
            sources = (
                adjacent_places
                if kind in ("close_assault", "overrun") and adjacent_places
                else draw_some(rng, own_places, 3)
            )
            sheet.ask(
                "odds",
                position_number,
                from_=",".join(sources),
                position_number=target,
                attack=kind,
                anyway=rng.choice((True, False)),
                what_if=rng.random() < 0.2,
            )
        if own_places and enemy_places and rng.random() < 0.4:
            sheet.ask(
                "odds",
                position_number,
                from_=",".join(draw_some(rng, own_places, 3)),
                position_number=",".join(draw_some(rng, enemy_places, 2)),
                best=True,
            )
        for target in draw_some(rng, enemy_places, 1):
            sheet.ask("odds", position_number, from_=",".join(draw_some(rng, own_places, 3)), position_number=target)

"""October War: battles of many rounds, fire, lines and command, missiles, airmobile moves, the air war, mobilization."""

from __future__ import annotations

import random

from scenarios.model.game import Game
from scenarios.model.points import PointMap
from tests.net.draw.inputs import every_input
from tests.net.draw.sheet import Land, Sheet, Stand, draw_some, scene

POSITIONS = 100
TERRAIN = ("open", "rough", "town", "city", "pass", "desert", "arab_fort", "israeli_fort_sinai", "")
FLAGS = ("morale", "breached", "ew_attacker", "barrage", "landed", "air_ew", "surprise")


def draw(sheet: Sheet) -> None:
    """The start, the questions without a position, and random positions."""
    game = sheet.game
    table = game.scenario_maps["standard"]
    assert isinstance(table, PointMap)
    land = Land(table)
    rng = random.Random("october_war start")
    for question in ("supply", "score", "command", "umbrella"):
        sheet.ask(question, scenario="standard")
    sheet.ask("supply", scenario="standard", control="no")
    for unit, _ in draw_some(rng, _pool(game, "arab") + _pool(game, "israeli"), 40):
        point = rng.choice(land.dry)
        sheet.ask("move", scenario="standard", unit=unit, from_=point)
        sheet.ask(
            "airmobile",
            scenario="standard",
            unit=unit,
            from_=point,
            turn=rng.randint(1, 3),
            drop=rng.choice(("", "", "yes")),
            enemy_superiority=rng.choice(("", "yes")),
        )
    ask_without_position(sheet, random.Random("october_war plain"))
    for number in range(POSITIONS):
        ask_mixed_position(sheet, random.Random(f"october_war {number}"), land)
    every_input(sheet, land)
    ask_declared_rules(sheet, random.Random("october_war declared"))


def ask_declared_rules(sheet: Sheet, rng: random.Random) -> None:
    """What the engine answers by the pack's rules alone: stacks, turns, who may attack."""
    for turn in range(1, 10):
        sheet.ask("turn", scenario="standard", turn=turn)
    for position_number, position in enumerate(sheet.positions):
        units = [text.partition("/")[0] for text in position.pieces if text.partition("/")[0] in sheet.game.units]
        place = rng.choice(position.pieces).partition("@")[2].partition("+")[0]
        sheet.ask("stack", position_number)
        sheet.ask("stack", position_number, position_number=place, unit=rng.choice(units))
        sheet.ask("turn", position_number)
        sheet.ask("attacks", position_number)


def ask_without_position(sheet: Sheet, rng: random.Random) -> None:
    """Questions that need no position."""
    game = sheet.game
    pools = {side: [unit for unit, _ in _pool(game, side)] for side in game.sides}
    for _ in range(50):
        sides = rng.sample(list(pools), 2)
        a, b = (",".join(rng.choices(pools[side], k=rng.randint(1, 3))) for side in sides)
        inputs = {
            "attackers": a,
            "defenders": b,
            "terrain": rng.choice(TERRAIN),
            "tac": rng.choice(("", "", "2")),
            "sites": rng.choice(("", "1")),
        }
        inputs |= {key: "yes" for key in FLAGS if rng.random() < 0.12}
        inputs |= {
            "attacker_hq": rng.choice(("", "2")),
            "defender_shift": rng.choice(("", "1", "-1")),
            "what_if": rng.choice(("", "", "yes")),
        }
        sheet.ask("odds", **inputs)
    for _ in range(30):
        sheet.ask(
            "air",
            mission="superiority",
            israel=rng.randint(1, 12),
            egypt=rng.randint(1, 6),
            weasels=rng.randint(0, 2),
            turn=rng.randint(1, 3),
            israel_others=rng.randint(0, 3),
            arab_others=rng.randint(0, 3),
            ew=rng.choice(("", "yes")),
        )
        for mission in ("strategic", "ground", "recon"):
            nation = rng.choice(("israel", "egypt", "syria"))
            sheet.ask(
                "air",
                mission=mission,
                nation=nation,
                tac=rng.randint(1, 4),
                ssm=rng.choice(("", "1")),
                sites=rng.choice(("", "2")),
                sites_here=rng.choice(("", "1")),
                turn=rng.randint(1, 3),
                terrain=rng.choice(TERRAIN[:4]),
            )
        unit = rng.choice(pools[rng.choice(list(pools))])
        sheet.ask(
            "fire",
            unit=unit,
            terrain=rng.choice(TERRAIN),
            headquarters=rng.choice(("", "2")),
            attacking=rng.choice(("", "yes", "no")),
            shift=rng.choice(("", "1", "-2")),
            armor=rng.choice(("", "yes")),
            morale=rng.choice(("", "yes")),
        )
        sheet.ask("refit", unit=unit, side=game.units[unit].side, units=rng.randint(1, 4), turns=rng.randint(1, 4))
        nation = rng.choice(("israel", "egypt", "syria"))
        wishes = [
            f"{rng.randint(1, 3)}*{nation_unit.id}"
            for nation_unit in game.units.values()
            if nation_unit.nation == nation
        ]
        sheet.ask(
            "mobilization",
            nation=nation,
            wishes=",".join(draw_some(rng, wishes, 4)),
            turn=rng.randint(1, 4),
            kept=rng.choice(("", "5")),
            how=rng.choice(("", "mobilize", "refit")),
            more=rng.choice(("", "3:+4,4:-3")),
            scenario=rng.choice(("", "standard")),
        )
    for strength in (1, 7, 25):
        sheet.ask("fire", strength=strength, side=rng.choice(("arab", "israeli")), shift=rng.choice(("", "1")))


def ask_mixed_position(sheet: Sheet, rng: random.Random, land: Land) -> None:
    """Units of both sides around a point, in some points both; bridges, breaches and control as markers."""
    game = sheet.game
    pools = {side: _pool(game, side) for side in game.sides}

    def write(unit: str, copy: str, place: str) -> str:
        extra_states = ("combined_arms",) if game.units[unit].back_state == "combined_arms" else ()
        states = [state for state in ("out_of_supply", "in_command", *extra_states) if rng.random() < 0.08]
        return f"{unit}/{copy}@{place}" + "".join(f"+{state}" for state in states)

    battle_scene = scene(rng, land, pools, max_units=9, spread=rng.randint(2, 4), stack=3, write=write)
    battle_places = draw_some(rng, list(battle_scene.held), 2)
    destinations = {
        stand.key: rng.choice(battle_places) for stand in battle_scene.stands if battle_places and rng.random() < 0.3
    }
    stands = [_move_stand(stand, destinations.get(stand.key, stand.place)) for stand in battle_scene.stands]
    marker_names = ("bridge_arab", "bridge_israeli", "breach", "control_israeli", "control_arab")
    markers = [
        f"{kind}/{copy}@{rng.choice(land.dry)}" for kind in marker_names for copy in (1, 2) if rng.random() < 0.4
    ]
    position_number = sheet.put("standard", rng.randint(1, 9), [*(stand.text for stand in stands), *markers])
    for question in ("supply", "score", "command", "umbrella"):
        sheet.ask(question, position_number)
    sheet.ask("supply", position_number, control="no")
    sheet.ask("umbrella", position_number, point=rng.choice(land.dry))
    for stand in draw_some(rng, stands, 4):
        sheet.ask("move", position_number, unit=stand.unit, from_=stand.place)
        sheet.ask("fire", position_number, unit=stand.unit, point=stand.place)
    for stand in draw_some(rng, stands, 2):
        sheet.ask("airmobile", position_number, unit=stand.unit, from_=stand.place)
        sheet.ask("retreat", position_number, point=stand.place, side=stand.side)
        sheet.ask(
            "air", position_number, mission="ground", nation=rng.choice(("israel", "egypt")), tac=2, point=stand.place
        )
    shared_places = [
        place for place in battle_places if len({stand.side for stand in stands if stand.place == place}) > 1
    ]
    for place in shared_places:
        for side in game.sides:
            small = len([stand for stand in stands if stand.place == place]) <= 6
            sheet.ask("odds", position_number, point=place, side=side, barrage=rng.choice(("", "", "yes")))
            if small:
                sheet.ask("retreat", position_number, point=place, side=side)


def _move_stand(stand: Stand, place: str) -> Stand:
    return stand._replace(place=place, text=stand.text.replace(f"@{stand.place}", f"@{place}"))


def _pool(game: Game, side: str) -> list[tuple[str, str]]:
    return [
        (unit.id, str(copy))
        for unit in game.units.values()
        if unit.side == side and unit.class_ != "strike"
        for copy in range(1, min(unit.count, 2) + 1)
    ]

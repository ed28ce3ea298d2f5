"""Operation Musketeer: combats, retreats and pursuits, movement, support, landings, escalation."""

from __future__ import annotations

import random

from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from tests.net.draw.inputs import every_input
from tests.net.draw.sheet import Land, Scene, Sheet, draw_some, scene

POSITIONS = 100
GROUND = ("foot", "mechanized", "static")
CONTINGENTS = ("britain", "france", "israel", "egypt", "us", "ussr")
MARKERS = (
    "command_anglo_french",
    "command_israel",
    "command_us",
    "command_musketeer",
    "command_egypt",
    "command_ussr",
    "command_suez",
)
POLICIES = ("spread", "weakest", "strongest", "listed")


def draw(sheet: Sheet) -> None:
    """The start, the questions without a position, and random positions."""
    game = sheet.game
    table = game.scenario_maps["standard"]
    assert isinstance(table, HexMap)
    land = Land(table, ("sea", "lake", "neutral"))
    rng = random.Random("musketeer start")
    for question in ("supply", "score", "refit", "event"):
        sheet.ask(question, scenario="standard")
    for roll in range(2, 13):
        sheet.ask("event", scenario="standard", roll=roll)
    for unit in draw_some(rng, _pool(game, "west") + _pool(game, "east"), 30):
        sheet.ask("entry", scenario="standard", unit=unit[0], turn=rng.choice(("", "2", "4")))
        sheet.ask("paradrop", scenario="standard", unit=unit[0], to=rng.choice(land.dry))
    ask_without_position(sheet, random.Random("musketeer plain"))
    for number in range(POSITIONS):
        ask_mixed_position(sheet, random.Random(f"musketeer {number}"), land)
    every_input(sheet, land)
    ask_declared_rules(sheet, random.Random("musketeer declared"), land)


def ask_declared_rules(sheet: Sheet, rng: random.Random, land: Land) -> None:
    """What the engine answers by the pack's rules alone: stacks, turns, advances by their general name."""
    for turn in range(1, 8):
        sheet.ask("turn", scenario="standard", turn=turn)
    for position_number, position in enumerate(sheet.positions):
        pieces = [text.partition("/")[0] + "@" + text.partition("@")[2].partition("+")[0] for text in position.pieces]
        unit, _, place = rng.choice([text for text in pieces if "box:" not in text]).partition("@")
        sheet.ask("stack", position_number)
        sheet.ask("stack", position_number, position_number=place, unit=rng.choice(pieces).partition("@")[0])
        sheet.ask("turn", position_number)
        sheet.ask("advance", position_number, unit=unit, from_=place, cleared=rng.choice(land.next[place]))


def ask_without_position(sheet: Sheet, rng: random.Random) -> None:
    """Questions that need no position."""
    game = sheet.game
    pools = {side: [unit for unit, _ in _pool(game, side)] for side in game.sides}
    for _ in range(40):
        sides = rng.sample(list(pools), 2)
        stacks = [
            "/".join(",".join(rng.choices(pools[sides[0]], k=rng.randint(1, 2))) for _ in range(rng.randint(1, 2)))
        ]
        inputs = {"attackers": stacks[0], "defenders": ",".join(rng.choices(pools[sides[1]], k=rng.randint(1, 2)))}
        inputs |= {"terrain": rng.choice(("open", "rough", "town", "city", "fortification", "pass", ""))}
        inputs |= {"across": rng.choice(("", "", "suez_canal", "river", "wadi")), "cas": rng.choice(("", "1", "2"))}
        inputs |= {
            key: rng.choice(("", "", "yes"))
            for key in ("special_command", "concentric", "enemy_flak", "spare_air", "what_if")
        }
        inputs |= {f"{role}_losses": rng.choice(("", *POLICIES)) for role in ("attacker", "defender")}
        sheet.ask(
            "odds",
            **inputs,
            attacker_special_forces=rng.choice(("", "yes")),
            defender_guerrilla=rng.choice(("", "", "1")),
        )
    for _ in range(30):
        a, b = rng.sample(CONTINGENTS, 2)
        sheet.ask(
            "superiority",
            attackers=f"{rng.randint(1, 5)}*airstrike_{a}",
            defenders=f"{rng.randint(1, 5)}*airstrike_{b}",
            special_command=rng.choice(("", "yes")),
        )
        sheet.ask(
            "bombardment",
            attackers=f"{rng.randint(1, 4)}*airstrike_{a}",
            terrain=rng.choice(("open", "city", "rough")),
            enemy_flak=rng.choice(("", "yes")),
        )
        sheet.ask(
            "forecast",
            index=rng.randint(1, 49),
            turn=rng.randint(1, 5),
            markers=",".join(draw_some(rng, MARKERS, rng.randint(0, 3))),
            turns=rng.choice(("1", "2", "3")),
            **dict.fromkeys(rng.choice(((), ("ussr",), ("ussr", "us"), ("arab_league",))), "yes"),
            libya=rng.choice(("", "2")),
        )
        sheet.ask(
            "refit",
            nation=a,
            kind=rng.choice(("", "ground", "air", "special")),
            units=rng.randint(1, 4),
            impulses=rng.randint(1, 3),
        )


def ask_mixed_position(sheet: Sheet, rng: random.Random, land: Land) -> None:
    """Units of both sides in a heap, some disrupted, some landed on the enemy, some dead."""
    game = sheet.game
    pools = {side: _pool(game, side) for side in game.sides}

    def write(unit: str, copy: str, place: str) -> str:
        state = "+disrupted" if game.units[unit].back is not None and rng.random() < 0.2 else ""
        return f"{unit}/{copy}@{place}{state}"

    battle_scene = scene(rng, land, pools, max_units=9, spread=rng.randint(2, 4), stack=2, write=write)
    used = {stand.key for stand in battle_scene.stands}
    dead = [
        f"{unit}/{copy}@box:eliminated"
        for unit, copy in draw_some(rng, pools["west"] + pools["east"], 4)
        if f"{unit}/{copy}" not in used
    ]
    position_number = sheet.put("standard", rng.randint(1, 7), [*(stand.text for stand in battle_scene.stands), *dead])
    ask(sheet, rng, land, battle_scene, position_number)


def ask(sheet: Sheet, rng: random.Random, land: Land, battle_scene: Scene, position_number: int) -> None:
    """All that can be asked of a position."""
    for question in ("supply", "score", "refit", "event"):
        sheet.ask(question, position_number)
    for stand in draw_some(rng, battle_scene.stands, 3):
        sheet.ask("move", position_number, unit=stand.unit, from_=stand.place)
    for stand in draw_some(rng, battle_scene.stands, 3):
        sheet.ask("retreat", position_number, unit=stand.unit, from_=stand.place, disrupted=rng.choice(("", "", "yes")))
        sheet.ask(
            "pursuit", position_number, unit=stand.unit, from_=stand.place, cleared=rng.choice(land.next[stand.place])
        )
    for stand in draw_some(rng, battle_scene.stands, 1):
        sheet.ask("bombardment", position_number, attackers="2*airstrike_britain,airstrike_france", at=stand.place)
        sheet.ask("entry", position_number, unit=rng.choice(sheet.cases[-2:])[1].get("unit", stand.unit))
        sheet.ask(
            "paradrop",
            position_number,
            unit=rng.choice(("rep_1_france", "para_16_britain", "abn_202_israel")),
            to=stand.place,
        )
    for side in sheet.game.sides:
        for target, places in draw_some(rng, list(battle_scene.targets(land, side).items()), 2):
            inputs = {key: rng.choice(("", "", "yes")) for key in ("special_command", "what_if")}
            sheet.ask(
                "odds", position_number, hex=target, from_=",".join(places), cas=rng.choice(("", "", "1")), **inputs
            )


def _pool(game: Game, side: str) -> list[tuple[str, str]]:
    return [
        (unit.id, str(copy))
        for unit in game.units.values()
        if unit.side == side and unit.class_ in GROUND
        for copy in range(1, min(unit.count, 2) + 1)
    ]

"""Yom Kippur on small random maps: the ground, the units and the rules about zones and bridges, by hand."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from scenarios.model.boards import BoardPath
from scenarios.model.game import Game
from scenarios.model.grids import Grid
from scenarios.model.hexes import Hex, Hexside, hexside, neighbours
from scenarios.model.maps import HexMap
from tests.net.board import Board, Man

COSTS = {"open": "1", "rough": "3", "sand_dune": "4", "city": "1/2", "swamp": None, "sea": None, "bar_lev_hex": "1"}
UNITS = {
    "egyptian": ["hq_2_army", "hq_3_army", "inf_2_4", "inf_2_120", "mech_2_117", "commando_130", "arty_53"],
    "israeli": ["adan_div_hq", "sharon_div_hq", "reshef_arm_bde_a", "alush_inf_bde_a", "fort_nisan", "arty_bde_1", "us_hq",
                "hawk_bn"],
}  # fmt: skip


def small(game: Game, dice: random.Random) -> Game:
    """The game on fifteen hexes: the canal between the second and the third row from the west, roads, rough ground."""
    main_map = game.maps["main"]
    assert isinstance(main_map, HexMap)
    board = main_map.placed[0].board
    grid = Grid("flat", 3, 5, "odd", numbering=board.grid.numbering)
    rows = {hex: int(grid.name(hex).split(".")[1]) for hex in grid.hexes}
    terrain = {hex: dice.choice(["open", "open", "open", "rough", "swamp", "city", "sea"]) for hex in grid.hexes}
    bank = dice.choice([2, 3, 4])
    sides = {hexside(a, b) for a in grid.hexes for b in neighbours(a) if b in rows}
    side_kinds: dict[Hexside, frozenset[str]] = {}
    for side in sides:
        if (rows[side.a] <= bank) != (rows[side.b] <= bank):
            side_kinds[side] = frozenset(["suez_canal"])
        elif dice.random() < 0.15:
            side_kinds[side] = frozenset(["minor_canal"])
    roads = tuple(BoardPath("road", "", (side.a, side.b)) for side in sorted(sides) if dice.random() < 0.35)
    dry = {hex for hex in grid.hexes if terrain[hex] != "sea"}
    zones = {
        "east_of_canal": frozenset(h for h in dry if rows[h] <= bank),
        "west_of_canal": frozenset(h for h in dry if rows[h] > bank),
        "east_edge": frozenset(h for h in dry if rows[h] == 1),
        "west_edge": frozenset(h for h in dry if rows[h] == 5),
    }
    small_board = replace(board, grid=grid, terrain=terrain, hexsides=side_kinds, paths=roads, places={}, zones=zones)
    table = replace(main_map, placed=(replace(main_map.placed[0], board=small_board),))
    return replace(game, maps={"main": table}, scenario_maps=dict.fromkeys(game.scenarios, table))


def scatter(game: Game, dice: random.Random) -> Board:
    """Units here and there, some disorganized, perhaps a bridge or two."""
    table = Board(game, ()).table
    hexes = [hex for hex in table.hexes if table.terrain[hex] != "sea"]
    owner = {hex: dice.choice(["egyptian", "israeli"]) for hex in hexes}
    men = []
    for side, units in UNITS.items():
        own_hexes = [hex for hex in hexes if owner[hex] == side]
        for unit in dice.sample(units, 4):
            if own_hexes:
                unit_states = frozenset(["disorganized"]) if dice.random() < 0.2 else frozenset[str]()
                men.append(Man(game.units[unit], dice.choice(own_hexes), unit_states))
    for unit in ("engineer_2_9", "engineer_bn_1"):
        if dice.random() < 0.7 and hexes:
            men.append(Man(game.units[unit], dice.choice(hexes), frozenset(["bridge"])))
    return Board(game, tuple(men))


def fighting(board: Board, side: str = "") -> list[Man]:
    """The units of a side, or of both, without those that lie as bridges (1.14d)."""
    return [man for man in board.men if "bridge" not in man.states and side in ("", man.side)]


def enemy_of(side: str) -> str:
    return "israeli" if side == "egyptian" else "egyptian"


def steps(man: Man) -> int:
    """The steps that a unit has left (1.4c)."""
    return man.unit.steps - ("reduced" in man.states) - ("step_loss" in man.states)


def factor(man: Man, name: str) -> Fraction:
    """A printed factor, on the face that shows."""
    face = man.unit.back if "reduced" in man.states and man.unit.back else man.unit.factors
    return Fraction(str(face.get(name, 0)))


@lru_cache(maxsize=8)
def bridges(board: Board) -> dict[str, set[Hexside]]:
    """The hexsides that each side's bridges lie on, as the assistant tells them: the marker lies in a hex, not on a hexside."""
    sides_by_owner: dict[str, set[Hexside]] = {"egyptian": set(), "israeli": set()}
    for place in board.ask("bridges")["bridges"]:
        side, _, crossing = place.partition("@")
        a, b = map(board.table.hex, crossing.partition("#")[0].split("/"))
        sides_by_owner[side].add(hexside(a, b))
    return sides_by_owner


def crossable(board: Board, side: str, dead: frozenset[str] = frozenset()) -> set[Hexside]:
    """The bridges that a side can cross: its own, and enemy ones between two hexes free of enemies (1.14e)."""
    enemies = {man.hex for man in fighting(board, enemy_of(side)) if man.id not in dead}
    return {
        crossing for crossing in bridges(board)[enemy_of(side)] if not {crossing.a, crossing.b} & enemies
    } | bridges(board)[side]


def zone(board: Board, man: Man) -> set[Hex]:
    """1.9a, 1.13a: a unit that can attack and isn't disorganized watches every neighbour that it could ever step into."""
    if factor(man, "attack") < 1 or "disorganized" in man.states:
        return set()
    return {
        neighbour for neighbour in neighbours(man.hex) if neighbour in board.table and _watches(board, man, neighbour)
    }


def _watches(board: Board, man: Man, target: Hex) -> bool:
    table, side = board.table, hexside(man.hex, target)
    if table.terrain[target] in ("sea", "lake"):
        return False
    if man.unit.class_ == "infantry":
        return True
    canal = "suez_canal" in table.hexsides.get(side, ())
    if canal and side not in bridges(board)[man.side]:
        return False
    return table.terrain[target] != "swamp" or ("road" in table.path_sides.get(side, ()) and not canal)


def zones(board: Board, side: str, dead: frozenset[str] = frozenset()) -> set[Hex]:
    """All that a side's living units watch."""
    return {hex for man in fighting(board, side) if man.id not in dead for hex in zone(board, man)}


def may(board: Board, man: Man, a: Hex, b: Hex, dead: frozenset[str] = frozenset()) -> bool:
    """Whether a unit could ever step from a to b: 1.4a, 1.10b, 1.13a, 3.5a."""
    table = board.table
    enemies = {foe.hex for foe in fighting(board, enemy_of(man.side)) if foe.id not in dead}
    if b not in table or table.terrain[b] in ("sea", "lake") or b in enemies:
        return False
    if "stays_west" in man.unit.abilities and b in table.zones["east_of_canal"]:
        return False
    if man.unit.class_ == "infantry":
        return True
    side = hexside(a, b)
    canal = "suez_canal" in table.hexsides.get(side, frozenset())
    if canal and side not in crossable(board, man.side, dead):
        return False
    road = "road" in table.path_sides.get(side, frozenset()) and not canal
    return table.terrain[b] != "swamp" or road

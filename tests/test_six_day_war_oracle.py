"""Six Day War: whole battles against a plain, slow reading of the rules: odds, shifts, losses, retreats, panics, advances."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction

import pytest

from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance, hexside, neighbours
from scenarios.model.maps import HexMap
from tests.net.board import Board, Man, put

# 13.15, typed from the explanations: who dies of the attackers and of the defenders, who goes back how far (d is a die), and how
# far the attackers and the defenders may follow.
CODES = {
    "AA": ("weakest", "", "", "", 0, 0), "AD": ("strongest", "", "1", "", 0, 1), "AE": ("all", "", "", "", 0, 1),
    "AP": ("", "", "d", "", 0, 1), "AR": ("", "", "1", "", 0, 1), "AZ": ("strongest", "", "d", "", 0, 2),
    "BB": ("strongest", "strongest", "", "", 1, 0), "DA": ("", "weakest", "", "", 0, 0), "DD": ("", "strongest", "", "1", 1, 0),
    "DE": ("", "all", "", "", 1, 0), "DP": ("", "", "", "d", 2, 0), "DR": ("", "", "", "1", 1, 0),
    "MD": ("weakest", "", "", "1", 1, 0), "OR": ("", "strongest", "", "d", 3, 0),
}  # fmt: skip
BOUNDS = (0, 50, 100, 150, 200, 300, 400, 500, 600)
SHIFTS = {"clear": 0, "commanding": -1, "rough": -1, "mountain": -2, "dunes": 0, "city": -2, "fortified_city": -3, "town": -1,
          "kibbutz": -1, "fortification": -2, "airbase": 0, "river": -1, "suez_canal": -2}  # fmt: skip
STRENGTH = {"is_7_armor": 8, "is_202_airborne": 6, "is_granit_recon": 4, "is_militia_sinai": 2, "eg_14_armor": 4, "eg_4_6_mech": 3,
            "eg_7_11": 2, "eg_garrison_el_arish": 1, "jo_40_armor": 6, "jo_kw": 3, "jo_garrison_nablus": 1}  # fmt: skip
STATIC = {"is_militia_sinai", "eg_garrison_el_arish", "jo_garrison_nablus"}
ISRAELI_STACKS = [
    ["is_7_armor", "is_202_airborne", "is_granit_recon"],
    ["is_202_airborne"],
    ["is_7_armor"],
    ["is_granit_recon", "is_militia_sinai"],
]
ARAB_STACKS = [["eg_14_armor", "eg_7_11"], ["eg_7_11", "eg_garrison_el_arish"], ["eg_4_6_mech"], ["jo_40_armor", "jo_kw"],
          ["jo_kw", "jo_garrison_nablus"]]  # fmt: skip
EXTRA_UNITS = {"israeli": ["is_60_armor", "is_14_armor", "is_200_armor"], "arab": ["eg_2_10", "eg_2_12", "eg_3_a"]}


class Table:
    """The rules over a field, one by one."""

    def __init__(self, board: Board, turn: int, broken_front: str) -> None:
        self.map, self.units, self.turn, self.broken_sector = board.table, board.men, turn, broken_front

    def sector(self, hex: Hex) -> str:
        return next((front for front in ("sinai", "eastern") if hex in self.map.zones[f"{front}_sector"]), "")

    def works(self, hex: Hex, side: str) -> bool:
        """12.1, 14.5: works of one's own side; a kibbutz is the Israelis'."""
        kind = self.map.terrain[hex]
        home = hex in self.map.zones["israel"]
        return (kind == "kibbutz" and side == "israeli") or (
            kind in ("fortified_city", "fortification") and home == (side == "israeli")
        )

    def is_watched(self, hex: Hex, watcher_side: str, dead: Iterable[Man]) -> bool:
        """12: next to a living enemy of the same sector, and not in works of one's own."""
        side = "arab" if watcher_side == "israeli" else "israeli"
        return not self.works(hex, side) and any(
            s.unit.side == watcher_side
            and s not in dead
            and distance(s.hex, hex) == 1
            and self.sector(s.hex) == self.sector(hex)
            for s in self.units
        )

    def is_closed(self, hex: Hex, side: str) -> bool:
        """25.1, 25.2, 25.4: countries that a side may not enter; nothing here says that Lebanon has gone to war."""
        closed_zones = ["saudi_arabia", "lebanon"]
        if side == "israeli":
            closed_zones += ["egypt_mainland", "syria", *(["jordan_east_bank"] if self.turn < 4 else [])]
        return any(hex in self.map.zones[zone] for zone in closed_zones)

    def step(self, a: Hex, b: Hex, side: str, dead: Iterable[Man]) -> bool:
        """14.2, 25.1, 25.2, 25.4."""
        foe = "arab" if side == "israeli" else "israeli"
        if b not in self.map or self.map.terrain[b] in ("sea", "lake") or self.sector(a) != self.sector(b):
            return False
        is_enemy_held = any(s.hex == b and s.unit.side == foe and s not in dead for s in self.units)
        if is_enemy_held or self.is_closed(b, side):
            return False
        crossing = hexside(a, b)
        wet = self.map.hexsides.get(crossing, frozenset()) & {"river", "suez_canal"}
        return (not wet or "road" in self.map.path_sides.get(crossing, frozenset())) and not self.is_watched(
            b, foe, dead
        )

    def survives(self, stand: Man, length: int, dead: Iterable[Man], loose: bool) -> bool:
        """14.2: some walk ends that far away, or in works on the way (14.5), which don't help on a broken front (21.3)."""
        spots = {stand.hex}
        for _ in range(length):
            spots = {b for a in spots for b in neighbours(a) if self.step(a, b, stand.unit.side, dead)}
            if not loose and any(self.works(hex, stand.unit.side) and hex != stand.hex for hex in spots):
                return True
        return any(distance(stand.hex, hex) == length for hex in spots)

    def dies(self, stand: Man, retreat: str, dead: Iterable[Man]) -> Fraction:
        """The chance that a retreat of one hex or a panic kills a unit (14.3, 14.5, 21.3, 21.4)."""
        loose = (
            stand.unit.side == "arab" and stand.unit.nation != "jordan" and self.sector(stand.hex) == self.broken_sector
        )
        if loose and retreat == "d":
            return Fraction(1)
        if not loose and self.works(stand.hex, stand.unit.side):
            return Fraction(0)
        if stand.unit.id in STATIC:
            return Fraction(1)
        lengths = [1] if retreat == "1" and not loose else [1, 2, 3, 4, 5, 6]
        return Fraction(sum(not self.survives(stand, length, dead, loose) for length in lengths), len(lengths))


def pick(stands: list[Man], which: str) -> list[Man]:
    """13.16: no two strengths are equal here."""
    ranking = sorted(stands, key=lambda s: STRENGTH[s.unit.id])
    return {"": [], "all": ranking, "weakest": ranking[:1], "strongest": ranking[-1:]}[which]


def check(game: Game, seed: int) -> int:
    """One random battle, on every table that may be chosen; how many there were."""
    dice = random.Random(seed)
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    zone = dice.choice(["egypt_sinai", "israel", "jordan_west_bank", "golan", "gaza", "jordan_east_bank"])
    land = {hex for hex in table.hexes if table.terrain[hex] not in ("sea", "lake")}
    target = dice.choice(sorted(table.zones[zone] & land))
    sector = next(front for front in ("sinai", "eastern") if target in table.zones[f"{front}_sector"])
    neighbour_hexes = [hex for hex in neighbours(target) if hex in land & table.zones[f"{sector}_sector"]]
    if not neighbour_hexes:
        return 0
    israeli_units, arab_units = dice.choice(ISRAELI_STACKS), dice.choice(ARAB_STACKS)
    side = dice.choice(["israeli", "arab"])
    attackers, defenders = (israeli_units, arab_units) if side == "israeli" else (arab_units, israeli_units)
    attackers = [unit for unit in attackers if unit not in STATIC]
    spots = {unit: dice.choice(neighbour_hexes) for unit in attackers}
    nearby_hexes = [h for h in land if 1 <= distance(h, target) <= 4 and h not in spots.values()]
    other_units = [
        (unit, dice.choice(nearby_hexes))
        for unit_names in EXTRA_UNITS.values()
        for unit in unit_names
        if nearby_hexes and dice.random() < 0.6
    ]
    sides_by_hex: dict[Hex, str] = {}
    extra_units = [
        (u, h) for u, h in other_units if sides_by_hex.setdefault(h, game.units[u].side) == game.units[u].side
    ]
    turn, is_enhanced, broken_front = dice.randint(1, 6), dice.random() < 0.3, dice.choice(["", "sinai", "eastern"])
    is_enhanced = is_enhanced and side == "israeli" and turn > 1
    board = put(
        game,
        *((u, table.name(spots[u])) for u in attackers),
        *((u, table.name(target)) for u in defenders),
        *((u, table.name(h)) for u, h in extra_units),
        turn=turn,
        scenario="standard",
    )
    a, d = list(board.men[: len(attackers)]), list(board.men[len(attackers) : len(attackers) + len(defenders)])
    fronts = {game.units[s.unit.id].factors.get("front") for s in (*a, *d)}
    if len(fronts) > 1:
        return 0
    answer = board.ask(
        "odds",
        attackers=",".join(attackers),
        target=table.name(target),
        enhanced=is_enhanced,
        disintegrated=broken_front,
    )["tables"]
    rules = Table(board, turn, broken_front)
    is_fortified = table.terrain[target] in ("fortified_city", "fortification")
    mobile = side == "israeli" and not is_fortified and any(s.unit.type in ("armor", "mechanized", "recon") for s in a)
    assert list(answer) == (["mobile", "assault"] if mobile else ["assault"])
    percent = 100 * Fraction(sum(STRENGTH[s.unit.id] for s in a), sum(STRENGTH[s.unit.id] for s in d))
    waters = [table.hexsides.get(hexside(s.hex, target), frozenset()) & {"river", "suez_canal"} for s in a]
    shift = SHIFTS[table.terrain[target]] + (
        min(SHIFTS[kind] for water in waters for kind in water) if all(waters) else 0
    )
    shift += any(table.terrain[s.hex] == "commanding" for s in a) + is_enhanced + 2 * (turn == 1 and side == "israeli")
    place = min(8, max(0, sum(percent >= threshold for threshold in BOUNDS) - 1 + shift))
    for kind, battle in answer.items():
        odds_table = game.tables[kind]
        assert battle["column"] == odds_table.columns.labels[place] and not battle["forbidden"]
        loss_chances = {s.key: Fraction(0) for s in (*a, *d)}
        for face in range(1, 7):
            code = odds_table.cell(face, place).code
            attacker_loss, their, attacker_retreat, flee, follow, chase = CODES[code]
            dead = [*pick(a, attacker_loss), *pick(d, their)]
            for stands, retreat in ((a, attacker_retreat), (d, flee)):
                for s in stands:
                    loss_chances[s.key] += Fraction(s in dead or (rules.dies(s, retreat, dead) if retreat else 0), 6)
            survivors = [s for s in a if s not in dead]
            if not survivors or (code == "BB" and len(pick(d, their)) < len(d)):
                follow = 0
            follow *= 2 if side == "israeli" and (is_enhanced or turn == 1) else 1
            recon = follow + 1 if follow and kind == "mobile" and any(s.unit.type == "recon" for s in survivors) else 0
            chase *= any(s.unit.id not in STATIC for s in d)
            result = battle["results"][code]
            assert (result["advance"], result["recon_advance"], result["defender_advance"]) == (follow, recon, chase), (
                code
            )
            assert {*result["attackers_lost"], *result["defenders_lost"]} == {s.key for s in dead}
        assert battle["eliminated"] == loss_chances, seed
    return len(answer)


@pytest.fixture(scope="module")
def game() -> Game:
    return load("six_day_war", with_config_overlays=False)


def test_battles_by_the_book(game: Game) -> None:
    assert {
        code for table in ("mobile", "assault") for row in game.tables[table].cells.values() for code in row
    } <= set(CODES)
    assert sum(check(game, seed) for seed in range(60)) > 30

"""Combats in a position with what retreats cost, against every throw and every path (14.0 to 16.0)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import cast

import pytest

from scenarios import load
from scenarios.hexes import Hex, distance, neighbours
from scenarios.maps import HexMap
from scenarios.position import Piece, Position
from tests.net.adapter import ask
from tests.test_musketeer_oracle import EAST, GROUND, WEST, Case, Man, War, losses, play
from tests.test_musketeer_retreats import CLOSED, SINAI, harm, havens, paths, towards_any, towards_haven, towards_line

GAME = load("musketeer")
MAP = cast(HexMap, GAME.maps["main"])
FORTS = [hex for hex in MAP.hexes if MAP.terrain[hex] == "fortification"]
PLAINS = [hex for hex in SINAI if MAP.terrain[hex] in ("open", "rough") and min(distance(hex, f) for f in FORTS) > 7]


def withdrawal(start: Hex, enemies: set[Hex], zone: set[Hex], steps: int) -> Iterator[int | None]:
    """For each face of a die the disruptions of a unit that goes one hex back; None where it is lost."""
    hurts = [
        harm((start, near), zone)
        for near in neighbours(start)
        if near in MAP and MAP.terrain[near] not in CLOSED and near not in enemies
    ]
    alive = [hurt for hurt in hurts if hurt < steps]
    yield from [min(alive) if alive else None] * 6


def rout(start: Hex, enemies: set[Hex], zone: set[Hex], steps: int) -> Iterator[int | None]:
    """The same for a unit that goes as many hexes as a die says, in the order of 16.3."""
    goals = havens(enemies)
    for length in range(1, 7):
        alive = [path for path in paths(start, length, enemies) if harm(path, zone) < steps]
        ways = ([path for path in alive if kind(path, goals)] for kind in (towards_haven, towards_line, towards_any))
        best = next((way for way in ways if way), [])
        yield min((harm(path, zone) for path in best), default=None)


def ends(men: tuple[Man, ...], after: dict[int, list[int | None]]) -> Iterator[tuple[tuple[int, int, int], Fraction]]:
    """The eliminated, disrupted and retreated of a side when each who went has thrown its die."""
    gone = sum(man.where == "dead" for man in men)
    worn = sum(man.back for man in men if man.where == "in")
    going = [place for place, man in enumerate(men) if man.where == "away"]
    for faces in product(range(6), repeat=len(going)):
        fates = [(after[place][face], men[place].back) for place, face in zip(going, faces, strict=True)]
        lost = sum(hurt is None for hurt, _ in fates)
        hurt_or_back = sum(hurt is not None and (hurt > 0 or back) for hurt, back in fates)
        yield (gone + lost, worn + hurt_or_back, len(going) - lost), Fraction(1, 6 ** len(going))


class Field:
    """A combat in the Sinai with others around it."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.target = rng.choice(PLAINS)
        near = [hex for hex in neighbours(self.target) if hex in SINAI]
        self.starts = rng.sample(near, rng.choice((1, 1, 2)))
        names = rng.sample(["armd_25_britain", "rep_1_france", "cdo_45_britain", "loc_britain"], 3)
        stacks = [names[:2], names[2:]][: len(self.starts)]
        west = tuple(Man(name, stack) for stack, held in enumerate(stacks) for name in held)
        east = tuple(
            Man(name, 0) for name in rng.sample(["bde_4_egypt", "armd_1_egypt", "ng_1_egypt"], rng.randint(1, 2))
        )
        free = [hex for hex in SINAI if hex not in (self.target, *self.starts) and distance(hex, self.target) < 5]
        spots = rng.sample(free, min(len(free), 16))
        self.others = {"gd_britain": spots[::2], "div_1_egypt": spots[1::2]}
        self.war = War(west, east, rng.randint(0, 2), False, None)
        terrain = rng.choice([MAP.terrain[self.target], "pass"])
        aim = rng.randrange(len(stacks))
        self.case = Case(terrain, "nothing", rng.random() < 0.3, False, False, False, aim, ("spread", "weakest"), False)

    def position(self) -> Position:
        held = [(man.name, self.starts[man.stack]) for man in self.war.west]
        held += [(man.name, self.target) for man in self.war.east]
        held += [(name, hex) for name, hexes in self.others.items() for hex in hexes]
        pieces = tuple(Piece(name, str(i), GAME.units[name].nation, hex) for i, (name, hex) in enumerate(held))
        return Position("musketeer", "standard", pieces=pieces)

    def asked(self) -> dict[str, str]:
        return {
            "hex": MAP.name(self.target),
            "from": ",".join(map(MAP.name, self.starts)),
            "cas": str(self.war.cas),
            "concentric": "no",
            "terrain": self.case.terrain,
            "across": "nothing",
            "fire_at": str(self.case.aim + 1),
            "defender_losses": "weakest",
            "special_command": "yes" if self.case.special else "no",
            "attackers": "/".join(
                ",".join(man.name for man in self.war.west if man.stack == stack) for stack in range(len(self.starts))
            ),
        }

    def enemies(self, men: tuple[Man, ...], west: bool) -> tuple[set[Hex], set[Hex]]:
        """The hexes that the men and the others of their side hold, and their zones of control."""
        where = {man: self.starts[man.stack] if west else self.target for man in men if man.where == "in"}
        others = set(self.others["gd_britain" if west else "div_1_egypt"])
        able = {hex for man, hex in where.items() if not man.back} | others
        return set(where.values()) | others, {near for hex in able for near in neighbours(hex)}

    def after(self, end: War, west: bool) -> dict[int, list[int | None]]:
        """What each face does to those of a side who went: the enemy stands as it did when it fired."""
        first = not GROUND[self.case.terrain][1]  # whether the West fires first
        if west:
            men, enemies = end.west, self.enemies(end.east if first else self.war.east, False)
        else:
            men, enemies = end.east, self.enemies(self.war.west if first else end.west, True)
        found = {}
        for place, man in enumerate(men):
            if man.where == "away":
                steps = 1 if man.back or not {**WEST, **EAST}[man.name][1] else 2
                start = self.starts[man.stack] if west else self.target
                found[place] = list((withdrawal if west else rout)(start, *enemies, steps))
        return found


@pytest.mark.parametrize("seed", range(12))
def test_losses_count_what_retreats_cost(seed: int) -> None:
    field = Field(seed)
    told = ask(GAME, "odds", field.position(), **field.asked())
    for west in (True, False):
        expected: dict[tuple[int, int, int], Fraction] = {}
        for end, chance in play(field.case, field.war).items():
            for tally, share in ends(end.west if west else end.east, field.after(end, west)):
                expected[tally] = expected.get(tally, Fraction(0)) + chance * share
        assert losses(told, "attacker" if west else "defender") == expected
    assert "left_out" not in told


def test_nowhere_to_go() -> None:
    """16.4 b: with enemies all around, whoever must retreat is eliminated; without a position nobody can tell."""
    target = PLAINS[0]
    names = ["armd_25_britain", *["gd_britain"] * 5]
    around = [Piece(names[i], str(i), "britain", hex) for i, hex in enumerate(neighbours(target))]
    pieces = (*around, Piece("bde_4_egypt", "1", "egypt", target))
    start = MAP.name(neighbours(target)[0])
    asked = {"attackers": "armd_25_britain", "defenders": "bde_4_egypt", "terrain": MAP.terrain[target]}
    bare = ask(GAME, "odds", **asked)
    position = Position("musketeer", "standard", pieces=pieces)
    found = ask(GAME, "odds", position, **asked, hex=MAP.name(target), from_=start)
    fate = bare["sides"]["defender"]["units"][0]["fate"]
    gone = sum(fate.get(name, 0) for name in ("retreated", "disrupted and retreated", "eliminated"))
    assert found["sides"]["defender"]["units"][0]["fate"]["eliminated"] == gone
    assert bare["left_out"] == {"16.4"}

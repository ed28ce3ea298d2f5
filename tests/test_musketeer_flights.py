"""Combats in a position with what retreats cost, against every throw and every path (14.0 to 16.0)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import cast

import pytest

from scenarios import load
from scenarios.model.hexes import Hex, distance, neighbours
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position
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
        harm((start, adjacent_hex), zone)
        for adjacent_hex in neighbours(start)
        if adjacent_hex in MAP and MAP.terrain[adjacent_hex] not in CLOSED and adjacent_hex not in enemies
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


def ends(
    men: tuple[Man, ...], retreat_results: dict[int, list[int | None]]
) -> Iterator[tuple[tuple[int, int, int], Fraction]]:
    """The eliminated, disrupted and retreated of a side when each who went has thrown its die."""
    dead_count = sum(man.where == "dead" for man in men)
    disrupted_count = sum(man.back for man in men if man.where == "in")
    going = [place for place, man in enumerate(men) if man.where == "away"]
    for faces in product(range(6), repeat=len(going)):
        fates = [(retreat_results[place][face], men[place].back) for place, face in zip(going, faces, strict=True)]
        retreat_deaths = sum(hurt is None for hurt, _ in fates)
        hurt_or_back = sum(hurt is not None and (hurt > 0 or is_disrupted) for hurt, is_disrupted in fates)
        yield (
            (dead_count + retreat_deaths, disrupted_count + hurt_or_back, len(going) - retreat_deaths),
            Fraction(1, 6 ** len(going)),
        )


class Field:
    """A combat in the Sinai with others around it."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.target = rng.choice(PLAINS)
        adjacent_hexes = [hex for hex in neighbours(self.target) if hex in SINAI]
        self.starts = rng.sample(adjacent_hexes, rng.choice((1, 1, 2)))
        names = rng.sample(["armd_25_britain", "rep_1_france", "cdo_45_britain", "loc_britain"], 3)
        stacks = [names[:2], names[2:]][: len(self.starts)]
        west = tuple(Man(name, stack) for stack, stack_names in enumerate(stacks) for name in stack_names)
        east = tuple(
            Man(name, 0) for name in rng.sample(["bde_4_egypt", "armd_1_egypt", "ng_1_egypt"], rng.randint(1, 2))
        )
        free = [hex for hex in SINAI if hex not in (self.target, *self.starts) and distance(hex, self.target) < 5]
        spots = rng.sample(free, min(len(free), 16))
        self.bystanders = {"gd_britain": spots[::2], "div_1_egypt": spots[1::2]}
        self.war = War(west, east, rng.randint(0, 2), False, None)
        terrain = rng.choice([MAP.terrain[self.target], "pass"])
        aim = rng.randrange(len(stacks))
        self.case = Case(terrain, "nothing", rng.random() < 0.3, False, False, False, aim, ("spread", "weakest"), False)

    def position(self) -> Position:
        placements = [(man.name, self.starts[man.stack]) for man in self.war.west]
        placements += [(man.name, self.target) for man in self.war.east]
        placements += [(name, hex) for name, hexes in self.bystanders.items() for hex in hexes]
        pieces = tuple(Piece(name, str(i), GAME.units[name].nation, hex) for i, (name, hex) in enumerate(placements))
        return Position("musketeer", "standard", pieces=pieces)

    def question_inputs(self) -> dict[str, str]:
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
        hex_by_man = {man: self.starts[man.stack] if west else self.target for man in men if man.where == "in"}
        other_hexes = set(self.bystanders["gd_britain" if west else "div_1_egypt"])
        able_hexes = {hex for man, hex in hex_by_man.items() if not man.back} | other_hexes
        return set(hex_by_man.values()) | other_hexes, {zone_hex for hex in able_hexes for zone_hex in neighbours(hex)}

    def retreat_losses(self, end: War, west: bool) -> dict[int, list[int | None]]:
        """What each face does to those of a side who went: the enemy stands as it did when it fired."""
        first = not GROUND[self.case.terrain][1]  # whether the West fires first
        if west:
            men, enemies = end.west, self.enemies(end.east if first else self.war.east, False)
        else:
            men, enemies = end.east, self.enemies(self.war.west if first else end.west, True)
        harm_by_man = {}
        for place, man in enumerate(men):
            if man.where == "away":
                steps = 1 if man.back or not {**WEST, **EAST}[man.name][1] else 2
                start = self.starts[man.stack] if west else self.target
                harm_by_man[place] = list((withdrawal if west else rout)(start, *enemies, steps))
        return harm_by_man


@pytest.mark.parametrize("seed", range(12))
def test_losses_count_what_retreats_cost(seed: int) -> None:
    field = Field(seed)
    answer = ask(GAME, "odds", field.position(), **field.question_inputs())
    for west in (True, False):
        expected_losses: dict[tuple[int, int, int], Fraction] = {}
        for end, chance in play(field.case, field.war).items():
            for tally, share in ends(end.west if west else end.east, field.retreat_losses(end, west)):
                expected_losses[tally] = expected_losses.get(tally, Fraction(0)) + chance * share
        assert losses(answer, "attacker" if west else "defender") == expected_losses
    assert "left_out" not in answer


def test_nowhere_to_go() -> None:
    """16.4 b: with enemies all around, whoever must retreat is eliminated; without a position nobody can tell."""
    target = PLAINS[0]
    names = ["armd_25_britain", *["gd_britain"] * 5]
    enemy_ring = [Piece(names[i], str(i), "britain", hex) for i, hex in enumerate(neighbours(target))]
    pieces = (*enemy_ring, Piece("bde_4_egypt", "1", "egypt", target))
    start = MAP.name(neighbours(target)[0])
    inputs = {"attackers": "armd_25_britain", "defenders": "bde_4_egypt", "terrain": MAP.terrain[target]}
    bare_answer = ask(GAME, "odds", **inputs)
    position = Position("musketeer", "standard", pieces=pieces)
    answer = ask(GAME, "odds", position, **inputs, hex=MAP.name(target), from_=start)
    fate = bare_answer["sides"]["defender"]["units"][0]["fate"]
    retreat_chance = sum(fate.get(name, 0) for name in ("retreated", "disrupted and retreated", "eliminated"))
    assert answer["sides"]["defender"]["units"][0]["fate"]["eliminated"] == retreat_chance
    assert bare_answer["left_out"] == {"16.4"}

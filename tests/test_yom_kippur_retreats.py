"""Yom Kippur: ways back and losses, against every path and every throw."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.games.yom_kippur.combat import ground_combat
from assistant.games.yom_kippur.field import Field, Stand, other
from assistant.games.yom_kippur.ground import Ground
from assistant.games.yom_kippur.retreats import changed, retreat
from scenarios import load
from scenarios.game import Game
from scenarios.hexes import Hex, distance, hexside, neighbours
from tests.test_yom_kippur_combat import put
from tests.test_yom_kippur_supply import crossable, scatter, small


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", standing=False)


@pytest.fixture(scope="module")
def ground(game: Game) -> Ground:
    return Ground.of(game, "4.1")


def may(field: Field, stand: Stand, a: Hex, b: Hex) -> bool:
    """Whether a unit could ever step from a to b: 1.4a, 1.10b, 1.13a, 3.5a by hand."""
    table = field.ground.table
    if b not in table or table.terrain[b] in ("sea", "lake") or b in field.held[other(stand.unit.side)]:
        return False
    if "stays_west" in stand.unit.abilities and b in table.zones["east_of_canal"]:
        return False
    if stand.unit.class_ == "infantry":
        return True
    side = hexside(a, b)
    canal = "suez_canal" in table.hexsides.get(side, frozenset())
    if canal and side not in crossable(field, stand.unit.side):
        return False
    road = "road" in table.path_sides.get(side, frozenset()) and not canal
    return table.terrain[b] != "swamp" or road


def every_path(field: Field, stand: Stand, hexes: int) -> dict[Hex, int]:
    """The fewest steps that any path so long costs, by its end."""
    foe, best = other(stand.unit.side), dict[Hex, int]()
    paths: list[tuple[Hex, ...]] = [(stand.hex,)]
    for _ in range(hexes):
        paths = [(*path, b) for path in paths for b in neighbours(path[-1]) if may(field, stand, path[-1], b)]
    for path in paths:
        if distance(stand.hex, path[-1]) != hexes:
            continue
        afoot = [
            b for a, b in pairwise(path)
            if "suez_canal" in field.ground.table.hexsides.get(hexside(a, b), frozenset())
            and hexside(a, b) not in crossable(field, stand.unit.side)
        ]  # fmt: skip
        if afoot and (len(path) > 2 or afoot[0] in field.zones[foe]):
            continue
        price = sum(hex in field.zones[foe] and hex not in field.held[stand.unit.side] for hex in path[1:])
        there = sum(s.steps for s in field.held[stand.unit.side].get(path[-1], ()))
        if there + max(0, stand.steps - price) <= 6 and price < best.get(path[-1], 99):
            best[path[-1]] = price
    return best


@pytest.mark.parametrize("seed", range(40))
def test_ways_back_against_every_path(game: Game, seed: int) -> None:
    dice = random.Random(5000 + seed)
    field = scatter(small(game, dice), dice)
    for stand in field.stands:
        for hexes in (1, 2, 3):
            found = retreat(field, stand, hexes, stand.steps)
            expected = every_path(field, stand, hexes)
            least = min(expected.values(), default=99)
            if least >= stand.steps:
                assert not found.ways and found.lost == stand.steps
                continue
            assert found.lost == least
            assert {way.end for way in found.ways} == {hex for hex, price in expected.items() if price == least}
            for way in found.ways:
                assert len(way.path) == hexes + 1 and way.path[0] == stand.hex


def test_tanks_driven_into_a_swamp_are_destroyed(ground: Ground) -> None:
    """1.4a: a mechanized unit with nothing but swamp behind it has no way."""
    swamps = [hex for hex in ground.table.hexes if ground.table.terrain[hex] == "swamp"]
    wet = next(
        hex for hex in ground.table.hexes
        if ground.off_road(hex, "mechanized") and sum(n in swamps for n in neighbours(hex)) >= 1
    )  # fmt: skip
    dry, _ = ground.around(wet, "mechanized")
    foes = ["nir_arm_bde_a", "nir_arm_bde_b", "karen_arm_bde_a", "karen_arm_bde_b", "amir_arm_bde_a", "amir_arm_bde_b"]
    name = ground.table.name
    field = put(ground, ("arm_15", name(wet)), *((unit, name(hex)) for unit, hex in zip(foes, dry, strict=False)))
    assert not retreat(field, field.stands[0], 1, 2).ways
    foot = put(ground, ("inf_2_4", name(wet)), *((unit, name(hex)) for unit, hex in zip(foes, dry, strict=False)))
    assert retreat(foot, foot.stands[0], 1, 3).ways, "men on foot go in"


def test_the_dead_have_no_zone(ground: Ground) -> None:
    """Steps are lost before anybody goes back."""
    field = put(ground, ("inf_2_4", "33.22"), ("nir_arm_bde_a", "33.21"), ("nir_arm_bde_b", "33.23"))
    stand = field.stands[0]
    alive, dead = retreat(field, stand, 1, 3), retreat(field, stand, 1, 3, changed(field, "egyptian", field.stands[1:2]))
    assert {way.end for way in dead.ways} != {way.end for way in alive.ways} or dead.lost < alive.lost


UNITS = {
    "israeli": ["nir_arm_bde_a", "nir_arm_bde_b", "alush_inf_bde_a", "rami_mech_bde_a", "engineer_bn_1", "matt_abn_bde_a"],
    "egyptian": ["inf_2_4", "mech_90", "arm_15", "commando_130", "engineer_1_9", "plo_inf"],
}
STATES = st.lists(st.sampled_from(["disorganized", "out_of_supply", "reduced"]), unique=True, max_size=3)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    attackers=st.lists(st.tuples(st.sampled_from(UNITS["israeli"]), STATES), min_size=1, max_size=4, unique_by=lambda u: u[0]),
    defenders=st.lists(st.tuples(st.sampled_from(UNITS["egyptian"]), STATES), min_size=1, max_size=3, unique_by=lambda u: u[0]),
    air=st.tuples(st.integers(0, 5), st.integers(0, 5)), turn=st.integers(1, 12),
    where=st.sampled_from([("33.21", "33.22"), ("38.17", "38.18"), ("24.21", "24.20"), ("42.23", "42.24")]),
)  # fmt: skip
def test_any_battle_adds_up(
    ground: Ground, attackers: list[tuple[str, list[str]]], defenders: list[tuple[str, list[str]]], air: tuple[int, int],
    turn: int, where: tuple[str, str],
) -> None:  # fmt: skip
    units = [(unit, where[0], *states) for unit, states in attackers] + [(unit, where[1], *states) for unit, states in defenders]
    field = put(ground, *units, turn=turn)
    combat = ground_combat(field, field.of("israeli"), ground.table.hex(where[1]), israeli_air=air[0], egyptian_air=air[1])
    assert sum(one.chance for one in combat.results) == 1
    for share in (share for one in combat.results for share in (one.attacker, one.defender)):
        assert all(loss.left >= 0 and 0 < loss.steps <= loss.stand.steps for loss in share.losses)
        assert share.total <= sum(s.steps for s in field.stands)
        assert not share.sagger or (combat.stars and turn <= 3)
    assert 0 <= combat.falls <= Fraction(1)
    spread = combat.spread(lambda one: one.defender.total)
    assert combat.expected(lambda one: one.defender.total) == sum(count * chance for count, chance in spread.items())

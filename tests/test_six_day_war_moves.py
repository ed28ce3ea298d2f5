"""Six Day War on the move: costs typed from the rules, every way tried, airborne moves, set-ups, duties."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from assistant.attacks import BadQuestion
from assistant.games.six_day_war import QUESTIONS
from assistant.games.six_day_war.duties import duties, to_attack
from assistant.games.six_day_war.field import Field, Stand, other
from assistant.games.six_day_war.lines import replacement_lines
from assistant.games.six_day_war.movement import airborne, allowance, reach
from assistant.games.six_day_war.placing import start
from assistant.games.six_day_war.retreats import ways_back
from assistant.rules.walk import SCALE
from scenarios import load
from scenarios.game import Game
from scenarios.hexes import Hex, distance, hexside, neighbours
from scenarios.maps import HexMap
from scenarios.position import Piece
from tests.test_six_day_war_assistant import put

# The terrain chart, typed again: what entering costs, by kind.
COSTS = {"clear": 1, "commanding": 2, "rough": 2, "mountain": 4, "dunes": 3, "city": 2, "fortified_city": 2, "town": 2,
         "kibbutz": 2, "fortification": 2, "airbase": 2}  # fmt: skip


@pytest.fixture(scope="module")
def game() -> Game:
    return load("six_day_war", standing=False)


@pytest.fixture(scope="module")
def table(game: Game) -> HexMap:
    held = game.maps["main"]
    assert isinstance(held, HexMap)
    return held


def price(table: HexMap, a: Hex, b: Hex, side: str) -> Fraction | None:
    """10.12 to 10.15 by hand."""
    if table.terrain[b] not in COSTS:
        return None
    between = hexside(a, b)
    paths = table.path_sides.get(between, frozenset())
    if "road" in paths:
        return Fraction(1, 2)
    wet = 3 * len(table.hexsides.get(between, frozenset()) & {"river", "suez_canal"})
    return Fraction((1 if "track" in paths and side == "israeli" else COSTS[table.terrain[b]]) + wet)


def test_a_river_into_clear_costs_four_and_one_point_never_crosses_it(game: Game, table: HexMap) -> None:
    """The examples of 10.8 and 10.12."""
    rivers = [
        (side.a, side.b)
        for side, kinds in table.hexsides.items()
        if "river" in kinds and not table.path_sides.get(side) and table.terrain[side.b] == "clear" and table.terrain[side.a] == "clear"
        and side.a in table.zones["eastern_sector"] and side.b in table.zones["eastern_sector"]
    ]  # fmt: skip
    assert rivers
    a, b = rivers[0]
    field = put(game, ("jo_kw", table.name(a)))
    walked = reach(field, field.stands[0], die=6).declared
    n, m = walked.field.kinds.number[a], walked.field.kinds.number[b]
    step = walked.stepper.verdict(n, m, dict(walked.field.kinds.near(n))[m]).cost
    assert step is not None and Fraction(step) / SCALE == 4
    assert b not in reach(field, field.stands[0], die=1).costs
    for die in range(1, 4):
        ends = reach(field, field.stands[0], die=die).paths
        assert b not in ends or len(ends[b]) > 2, "three points don't do for the river itself"


def every_way(field: Field, stand: Stand, points: int) -> dict[Hex, Fraction]:
    """Relaxed until nothing changes: 10.9, 12.3, 12.4, 5.4, 25.1 to 25.4."""
    table, foe, zones = field.table, other(stand.side), field.zones[other(stand.side)]
    best = {stand.hex: Fraction(0)}
    changed = True
    while changed:
        changed = False
        for hex, spent in list(best.items()):
            if hex in zones and hex != stand.hex:
                continue
            for near in neighbours(hex):
                if near not in table or near in field.held[foe] or near in field.closed(stand.side):
                    continue
                if (hex in zones and near in zones) or field.front(near) != field.front(hex):
                    continue
                paid = price(table, hex, near, stand.side)
                if paid is not None and spent + paid <= points and spent + paid < best.get(near, Fraction(99)):
                    best[near] = spent + paid
                    changed = True
    return best


@pytest.mark.parametrize("seed", range(10))
def test_moves_against_every_way(game: Game, table: HexMap, seed: int) -> None:
    dice = random.Random(seed)
    zone = dice.choice(["egypt_sinai", "jordan_west_bank", "golan", "israel"])
    land = sorted(hex for hex in table.zones[zone] if table.terrain[hex] in COSTS)
    start_hex = dice.choice(land)
    near = [hex for hex in land if 0 < distance(hex, start_hex) <= 5]
    foes = dice.sample(near, min(4, len(near)))
    mine, theirs = dice.choice([("is_7_armor", ["eg_7_11", "eg_7_16", "eg_14_armor", "eg_2_10"]),
                                ("jo_kw", ["is_7_armor", "is_60_armor", "is_14_armor", "is_200_armor"])])  # fmt: skip
    units = [(mine, table.name(start_hex)), *((unit, table.name(hex)) for unit, hex in zip(theirs, foes, strict=False))]
    field = put(game, *units)
    stand = field.stands[0]
    points = 6 if stand.side == "israeli" else 4
    found = reach(field, stand, die=None if stand.side == "israeli" else points)
    assert dict(found.costs) == every_way(field, stand, points)
    for hex, path in found.paths.items():
        assert path[0] == start_hex and path[-1] == hex
        steps = [price(table, a, b, stand.side) for a, b in pairwise(path)]
        assert sum((paid for paid in steps if paid is not None), Fraction(0)) == found.costs[hex]


def test_points_by_die_and_by_forced_march(game: Game) -> None:
    """10.2, 10.4, 10.16, 25.5, 19.2."""
    field = put(game, ("is_7_armor", "5031"), ("eg_7_11", "4621"), ("eg_garrison_gaza", "gaza"))
    armor, arab, wall = field.stands
    assert allowance(field, armor) == {6: 1}
    assert allowance(field, armor, forced=True) == {6 + face: Fraction(1, 6) for face in range(1, 7)}
    assert allowance(field, arab) == {face: Fraction(1, 6) for face in range(1, 7)}
    found = reach(field, arab)
    for hex in found.costs:
        assert found.chance(hex) == Fraction(sum(face >= found.costs[hex] for face in range(1, 7)), 6)
    with pytest.raises(BadQuestion, match="static"):
        allowance(field, wall)
    with pytest.raises(BadQuestion, match="only Israelis"):
        allowance(field, arab, forced=True)
    first = put(game, ("eg_7_11", "4621"), turn=1)
    with pytest.raises(BadQuestion, match=r"25\.5"):
        reach(first, first.stands[0])


def test_closed_country_and_the_boundary(game: Game, table: HexMap) -> None:
    """5.4, 25.4: out of Jordan east of the river before turn 4, never over the canal."""
    bank = [h for h in sorted(table.zones["jordan_west_bank"]) if any(n in table.zones["jordan_east_bank"] for n in neighbours(h))
            and table.terrain[h] in COSTS]  # fmt: skip
    for turn, allowed in ((3, False), (4, True)):
        crossed = False
        for hex in bank:
            field = put(game, ("is_45_armor", table.name(hex)), turn=turn)
            found = reach(field, field.stands[0])
            crossed |= bool(set(found.costs) & table.zones["jordan_east_bank"])
            assert all(field.front(end) == "eastern" for end in found.costs)
        assert crossed == allowed


def test_stacks(game: Game) -> None:
    """11.2, 11.3 and its example: three Israelis, two Arabs of one contingent, one static unit."""
    field = put(game, ("is_7_armor", "5031"), ("is_60_armor", "5030"), ("is_14_armor", "5030"), ("is_200_armor", "5030"))
    assert field.table.hex("5030") not in reach(field, field.stands[0]).ends
    assert field.table.hex("5030") in reach(field, field.stands[0]).costs, "through it, not in it (11.4)"
    arabs = put(game, ("sy_8", "7841"), ("jo_kw", "7941"), ("jo_ha", "7842"), ("jo_alia", "7842"))
    syrian, jordanian = arabs.stands[0], arabs.stands[1]
    assert not arabs.room((syrian,), jordanian.hex), "contingents don't mix"
    assert not arabs.room((jordanian,), arabs.table.hex("7842")), "two are enough"
    third = put(game, ("eg_2_10", "abu_agheila"), ("eg_garrison_abu_agheila", "abu_agheila"), ("eg_2_12", "4621"))
    assert third.room((third.stands[2],), third.stands[0].hex), "a static unit doesn't count with the mobile ones"


def test_airborne(game: Game, table: HexMap) -> None:
    """20.1 to 20.5."""
    field = put(game, ("is_202_airborne", "5031"), ("eg_2_10", "abu_agheila"), ("eg_7_11", "4621"), ("is_7_armor", "4622"))
    drop = airborne(field, field.stands[0])
    assert not drop.extraction and drop.hot and field.stands[1].hex in drop.surprised
    assert field.stands[1].hex not in drop.landings and not set(drop.landings) & field.closed("israeli")
    assert all(field.front(hex) == "sinai" and table.terrain[hex] in COSTS for hex in drop.landings)
    assert set(drop.hot) == set(drop.landings) & set(field.zones["arab"])
    hot = put(game, ("is_202_airborne", "4622"), ("eg_7_11", "4621"))
    out = airborne(hot, hot.stands[0])
    assert out.extraction and not set(out.landings) & set(hot.zones["arab"]), "to a hex without an enemy zone"
    for unit in ("is_7_armor", "eg_7_11"):
        with pytest.raises(BadQuestion, match=r"20\.1"):
            airborne(field, next(s for s in field.stands if s.unit.id == unit))
    told, lines = QUESTIONS["move"].answer(game, {"unit": "is_202_airborne", "air": "yes", "position": field.position})
    assert told["price"] == "1" and "nullified" in lines[2]


def test_the_set_up_by_area_is_lawful(game: Game, table: HexMap) -> None:
    """24.1, 11.8: areas, static units, a mobile unit in each fortification, militia in towns, stacking."""
    position, assumed = start(game, "standard")
    field = Field.of(game, position, assumed)
    assert not [piece for piece in position.pieces if str(piece.at).startswith("setup:") and piece.unit in game.units]
    assert not set(field.held["israeli"]) & set(field.held["arab"])
    for side, held in field.held.items():
        for hex, stands in held.items():
            mobile = [s for s in stands if not s.static]
            assert len(mobile) <= (3 if side == "israeli" else 2) and len(stands) - len(mobile) <= 1
            assert side == "israeli" or len({s.contingent for s in mobile}) <= 1
            assert (hex in table.zones["israel"]) == (side == "israeli")
    forts = [hex for hex in table.field if table.terrain[hex] == "fortification"]
    assert forts and all(any(not s.static for s in field.held["arab"].get(hex, ())) for hex in forts)
    for stand in field.stands:
        if stand.unit.type == "militia":
            assert table.terrain[stand.hex] in ("city", "fortified_city", "town", "kibbutz")
        if stand.unit.nation == "palestine":
            assert stand.hex in table.zones["gaza"]
        if stand.unit.nation == "syria":
            assert stand.hex in table.zones["golan"] | table.zones["syria"]


def test_duties(game: Game) -> None:
    """13.3, 13.4, 13.11 and the example of 12.1: who stands in works of his own needn't attack."""
    field = put(game, ("is_7_armor", "4622"), ("eg_7_11", "4621"))
    (duty,) = duties(field, "israeli", "sinai")
    assert duty.must and to_attack((duty,)) == (field.stands[1].hex,)
    (theirs,) = duties(field, "arab", "sinai")
    assert theirs.must
    fort = put(game, ("is_7_armor", "4425"), ("eg_2_10", "abu_agheila"))
    (holder,) = duties(fort, "arab", "sinai")
    assert not holder.must
    (outside,) = duties(fort, "israeli", "sinai")
    assert outside.must, "the converse isn't so (13.3)"
    walls = put(game, ("is_7_armor", "5328"), ("eg_garrison_gaza", "gaza"))
    assert not duties(walls, "arab", "sinai"), "static units never attack (13.11)"


def test_a_retreat_into_works_under_an_enemy_zone(game: Game, table: HexMap) -> None:
    """The example of 12.1: an Arab goes back into a Golan fortification that an Israeli zone would cover."""
    found = False
    for fort in sorted(hex for hex in table.zones["golan"] if table.terrain[hex] == "fortification"):
        for home in neighbours(fort):
            for foe in neighbours(fort):
                if home not in table.zones["golan"] or foe not in table.zones["israel"] | table.zones["golan"]:
                    continue
                if foe == home or foe not in neighbours(home) or not {table.terrain[foe], table.terrain[home]} <= set(COSTS):
                    continue
                field = put(game, ("sy_8", table.name(home)), ("is_45_armor", table.name(foe)))
                between = hexside(home, fort)
                if table.hexsides.get(between, frozenset()) & {"river"} and "road" not in table.path_sides.get(between, ()):
                    continue
                assert fort not in field.zones["israeli"]
                assert fort in ways_back(field, field.stands[0], 1)
                found = True
    assert found


def kept(field: Field) -> set[str]:
    """8.2 by flooding the land from the cities and towns of Israel."""
    table = field.table
    shut = set(field.held["arab"]) | set(field.zones["arab"]) | field.closed("israeli")
    havens = {h for h in table.zones["israel"] if table.terrain[h] in ("city", "fortified_city", "town")}
    seen = havens - shut
    todo = list(seen)
    while todo:
        for near in neighbours(todo.pop()):
            if near not in seen and near not in shut and table.terrain.get(near) in COSTS:
                seen.add(near)
                todo.append(near)
    mine = [s for s in field.stands if s.side == "israeli"]
    return {s.name for s in mine if s.hex in havens or seen & set(neighbours(s.hex))}


@pytest.mark.parametrize("seed", range(2))
def test_what_cuts_most_against_every_hex_taken(game: Game, table: HexMap, seed: int) -> None:
    """8.2 with one more Arab, tried in every hex near the units by a plain search."""
    dice = random.Random(seed)
    land = sorted(hex for hex in table.zones["egypt_sinai"] | table.zones["israel"] if table.terrain[hex] in COSTS)
    near = [hex for hex in land if hex in table.zones["egypt_sinai"] and any(n in table.zones["israel"] for n in neighbours(hex))]
    homes = dice.sample(near, 3)
    around = [hex for hex in land if any(0 < distance(hex, home) <= 3 for home in homes) and hex not in homes]
    arabs = ["eg_7_11", "eg_7_16", "eg_14_armor", "eg_2_10", "eg_2_12", "eg_3_a"]
    units = [(u, table.name(h)) for u, h in zip(("is_7_armor", "is_60_armor", "is_14_armor"), homes, strict=True)]
    units += [(u, table.name(h)) for u, h in zip(arabs, dice.sample(around, 6), strict=True)]
    field = put(game, *units)
    lines, threats = replacement_lines(field, most=10_000)
    safe = kept(field)
    assert {line.stand.name for line in lines if line.refit} == safe
    tried = [h for h in land if h not in homes and h not in field.held["arab"] and min(distance(h, home) for home in homes) <= 4]
    expected = {}
    for hex in tried:
        more = Piece("eg_3_b", "1", "egypt", hex)
        worse = replace(field.position, pieces=(*field.position.pieces, more))
        if cut := safe - kept(Field.of(game, worse, ground=field.ground)):
            expected[hex] = cut
    assert {threat.hex: set(threat.names) for threat in threats if threat.hex in tried} == expected

"""Six Day War on the move: costs typed from the rules, every way tried, airborne moves, set-ups, duties."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance, hexside, neighbours
from scenarios.model.maps import HexMap
from scenarios.model.position import from_scenario
from tests.net.adapter import GameAnswer, ask
from tests.net.board import Board, Man
from tests.net.board import put as placed
from tests.test_six_day_war_oracle import Table

# The terrain chart, typed again: what entering costs, by kind.
COSTS = {"clear": 1, "commanding": 2, "rough": 2, "mountain": 4, "dunes": 3, "city": 2, "fortified_city": 2, "town": 2,
         "kibbutz": 2, "fortification": 2, "airbase": 2}  # fmt: skip


@pytest.fixture(scope="module")
def game() -> Game:
    return load("six_day_war", with_config_overlays=False)


@pytest.fixture(scope="module")
def table(game: Game) -> HexMap:
    main_map = game.maps["main"]
    assert isinstance(main_map, HexMap)
    return main_map


def put(game: Game, *units: tuple[str, ...], turn: int = 2) -> Board:
    """A board with these units: id and hex (or place)."""
    return placed(game, *units, turn=turn, scenario="standard")


def move(game: Game, *units: tuple[str, ...], turn: int = 2, **inputs: str) -> GameAnswer:
    """Where the first of these units can go."""
    return put(game, *units, turn=turn).ask("move", unit=units[0][0], **inputs)


def zones(board: Board, side: str) -> set[Hex]:
    """12: what a side watches."""
    rules = Table(board, board.turn, "")
    nearby_hexes = {
        hex
        for man in board.units_of(side)
        for hex in neighbours(man.hex)
        if hex in board.table and board.table.terrain[hex] in COSTS
    }
    return {hex for hex in nearby_hexes if rules.is_watched(hex, side, ())}


def enemy_of(side: str) -> str:
    return "arab" if side == "israeli" else "israeli"


def price(table: HexMap, a: Hex, b: Hex, side: str) -> Fraction | None:
    """10.12 to 10.15 by hand."""
    if table.terrain[b] not in COSTS:
        return None
    crossing = hexside(a, b)
    paths = table.path_sides.get(crossing, frozenset())
    if "road" in paths:
        return Fraction(1, 2)
    wet = 3 * len(table.hexsides.get(crossing, frozenset()) & {"river", "suez_canal"})
    return Fraction((1 if "track" in paths and side == "israeli" else COSTS[table.terrain[b]]) + wet)


def test_a_river_into_clear_costs_four_and_one_point_never_crosses_it(game: Game, table: HexMap) -> None:
    """The examples of 10.8 and 10.12."""
    rivers = [
        (side.a, side.b)
        for side, side_kinds in table.hexsides.items()
        if "river" in side_kinds
        and not table.path_sides.get(side)
        and table.terrain[side.b] == "clear"
        and table.terrain[side.a] == "clear"
        and side.a in table.zones["eastern_sector"]
        and side.b in table.zones["eastern_sector"]
    ]
    assert rivers
    four = []
    for a, b in rivers:
        name = table.name(b)
        for die in range(1, 5):
            answer = move(game, ("jo_kw", table.name(a)), die=str(die))
            straight = len(answer["ways"].get(name, ())) == 2
            assert die == 4 or not straight, "three points don't do for the river itself"
            four += [answer["costs"][name]] if straight else []
    assert four and set(four) == {4}


def every_way(board: Board, man: Man, points: int) -> dict[Hex, Fraction]:
    """Relaxed until nothing changes: 10.9, 12.3, 12.4, 5.4, 25.1 to 25.4."""
    table, foe, watched_hexes = board.table, enemy_of(man.side), zones(board, enemy_of(man.side))
    rules = Table(board, board.turn, "")
    best = {man.hex: Fraction(0)}
    has_changed = True
    while has_changed:
        has_changed = False
        for hex, cost in list(best.items()):
            if hex in watched_hexes and hex != man.hex:
                continue
            for neighbour in neighbours(hex):
                if (
                    neighbour not in table
                    or neighbour in board.units_by_hex[foe]
                    or rules.is_closed(neighbour, man.side)
                ):
                    continue
                if (hex in watched_hexes and neighbour in watched_hexes) or rules.sector(neighbour) != rules.sector(
                    hex
                ):
                    continue
                step_cost = price(table, hex, neighbour, man.side)
                if (
                    step_cost is not None
                    and cost + step_cost <= points
                    and cost + step_cost < best.get(neighbour, Fraction(99))
                ):
                    best[neighbour] = cost + step_cost
                    has_changed = True
    return best


@pytest.mark.parametrize("seed", range(10))
def test_moves_against_every_way(game: Game, table: HexMap, seed: int) -> None:
    dice = random.Random(seed)
    zone = dice.choice(["egypt_sinai", "jordan_west_bank", "golan", "israel"])
    land = sorted(hex for hex in table.zones[zone] if table.terrain[hex] in COSTS)
    start_hex = dice.choice(land)
    nearby_hexes = [hex for hex in land if 0 < distance(hex, start_hex) <= 5]
    foes = dice.sample(nearby_hexes, min(4, len(nearby_hexes)))
    own_unit, enemy_units = dice.choice(
        [
            ("is_7_armor", ["eg_7_11", "eg_7_16", "eg_14_armor", "eg_2_10"]),
            ("jo_kw", ["is_7_armor", "is_60_armor", "is_14_armor", "is_200_armor"]),
        ]
    )
    units = [
        (own_unit, table.name(start_hex)),
        *((unit, table.name(hex)) for unit, hex in zip(enemy_units, foes, strict=False)),
    ]
    board = put(game, *units)
    man = board.men[0]
    points = 6 if man.side == "israeli" else 4
    answer = board.ask("move", unit=man.id, die="" if man.side == "israeli" else str(points))
    assert answer["costs"] == {table.name(hex): cost for hex, cost in every_way(board, man, points).items()}
    for place, way in answer["ways"].items():
        path = [table.hex(step) for step in way]
        assert path[0] == start_hex and way[-1] == place
        steps = [price(table, a, b, man.side) for a, b in pairwise(path)]
        assert sum((step_cost for step_cost in steps if step_cost is not None), Fraction(0)) == answer["costs"][place]


def test_points_by_die_and_by_forced_march(game: Game) -> None:
    """10.2, 10.4, 10.16, 25.5, 19.2."""
    board = put(game, ("is_7_armor", "5031"), ("eg_7_11", "4621"), ("eg_garrison_gaza", "gaza"))
    assert board.ask("move", unit="is_7_armor")["allowance"] == {"6": 1}
    faces = {str(face): Fraction(1, 6) for face in range(1, 7)}
    assert board.ask("move", unit="is_7_armor", forced="yes")["allowance"] == {
        str(6 + face): Fraction(1, 6) for face in range(1, 7)
    }
    answer = board.ask("move", unit="eg_7_11")
    assert answer["allowance"] == faces
    for place, cost in answer["costs"].items():
        assert answer["chances"][place] == Fraction(sum(face >= cost for face in range(1, 7)), 6)
    assert "static" in board.ask("move", unit="eg_garrison_gaza").refusal
    assert "only Israeli units" in board.ask("move", unit="eg_7_11", forced="yes").refusal
    assert "25.5" in move(game, ("eg_7_11", "4621"), turn=1).rules


def test_closed_country_and_the_boundary(game: Game, table: HexMap) -> None:
    """5.4, 25.4: out of Jordan east of the river before turn 4, never over the canal."""
    bank = [
        h
        for h in sorted(table.zones["jordan_west_bank"])
        if any(n in table.zones["jordan_east_bank"] for n in neighbours(h)) and table.terrain[h] in COSTS
    ]
    rules = Table(put(game), 3, "")
    for turn, is_allowed in ((3, False), (4, True)):
        can_cross = False
        for hex in bank:
            ends = {table.hex(place) for place in move(game, ("is_45_armor", table.name(hex)), turn=turn)["costs"]}
            can_cross |= bool(ends & table.zones["jordan_east_bank"])
            assert all(rules.sector(end) == "eastern" for end in ends)
        assert can_cross == is_allowed


def test_stacks(game: Game) -> None:
    """11.2, 11.3 and its example: three Israelis, two Arabs of one contingent, one static unit."""
    full = move(
        game, ("is_7_armor", "5031"), ("is_60_armor", "5030"), ("is_14_armor", "5030"), ("is_200_armor", "5030")
    )
    assert "5030" not in full["ends"]
    assert "5030" in full["costs"], "through it, not in it (11.4)"
    arabs = [("sy_8", "7841"), ("jo_kw", "7941"), ("jo_ha", "7842"), ("jo_alia", "7842")]
    assert "7941" in put(game, *arabs).ask("move", unit="sy_8", die="6")["passed_only"], "contingents don't mix"
    assert "7842" in put(game, *arabs).ask("move", unit="jo_kw", die="6")["passed_only"], "two are enough"
    fort = [("eg_2_10", "abu_agheila"), ("eg_garrison_abu_agheila", "abu_agheila"), ("eg_2_12", "4424")]
    third = put(game, *fort).ask("move", unit="eg_2_12", die="6")
    place = put(game, *fort).table.name(put(game, *fort).men[0].hex)
    assert place in third["ends"], "a static unit doesn't count with the mobile ones"


def test_airborne(game: Game, table: HexMap) -> None:
    """20.1 to 20.5."""
    board = put(
        game, ("is_202_airborne", "5031"), ("eg_2_10", "abu_agheila"), ("eg_7_11", "4621"), ("is_7_armor", "4622")
    )
    drop = board.ask("move", unit="is_202_airborne", kind="airborne")
    fort = table.name(board.men[1].hex)
    rules = Table(board, board.turn, "")
    landings = {table.hex(place) for place in drop["landings"]}
    assert drop["price"] == 1 and drop["in_enemy_zone"] and "20.5" in drop["notes"]
    assert fort not in drop["landings"] and not any(rules.is_closed(hex, "israeli") for hex in landings)
    assert all(rules.sector(hex) == "sinai" and table.terrain[hex] in COSTS for hex in landings)
    assert drop["in_enemy_zone"] == board.names(landings & zones(board, "arab"))
    hot = put(game, ("is_202_airborne", "4622"), ("eg_7_11", "4621"))
    extraction = hot.ask("move", unit="is_202_airborne", kind="airborne")
    assert "20.5" not in extraction["notes"] and not extraction["landings"] & hot.names(zones(hot, "arab")), (
        "to a hex without an enemy zone"
    )
    for unit in ("is_7_armor", "eg_7_11"):
        assert "20.1" in board.ask("move", unit=unit, kind="airborne").rules


def test_the_set_up_by_area_is_lawful(game: Game, table: HexMap) -> None:
    """24.1, 11.8: areas, static units, a mobile unit in each fortification, militia in towns, stacking."""
    pieces = [piece for piece in from_scenario(game, "standard").pieces if piece.unit in game.units]
    waiting = {piece.unit for piece in pieces if str(piece.at).startswith("setup:") and "box" not in str(piece.at)}
    hexes_by_unit: dict[str, Hex] = {piece.unit: piece.at for piece in pieces if isinstance(piece.at, Hex)}
    for unit in sorted(waiting - set(hexes_by_unit)):
        if game.units[unit].class_ == "static":
            continue
        answer = ask(
            game,
            "move",
            scenario="standard",
            turn="2",
            unit=unit,
            die="" if game.units[unit].side == "israeli" else "1",
        )
        if not answer.refusal:
            hexes_by_unit[unit] = next(table.hex(place) for place, cost in answer["costs"].items() if not cost)
    hexes_by_unit |= {
        unit.partition("/")[0]: table.hex(place)
        for unit, place in ask(game, "supply", scenario="standard")["places"].items()
    }
    assert len(hexes_by_unit) > 40
    units_by_hex: dict[Hex, list[str]] = {}
    for unit, hex in hexes_by_unit.items():
        units_by_hex.setdefault(hex, []).append(unit)
    for hex, units in units_by_hex.items():
        (side,) = {game.units[unit].side for unit in units}
        mobile = [unit for unit in units if game.units[unit].class_ == "mobile"]
        assert len(mobile) <= (3 if side == "israeli" else 2) and len(units) - len(mobile) <= 1
        assert side == "israeli" or len({game.units[unit].factors["contingent"] for unit in mobile}) <= 1
        assert (hex in table.zones["israel"]) == (side == "israeli")
    forts = [hex for hex in table.field if table.terrain[hex] == "fortification"]
    assert forts and all(
        any(game.units[unit].class_ == "mobile" for unit in units_by_hex.get(hex, ())) for hex in forts
    )
    for unit, hex in hexes_by_unit.items():
        if game.units[unit].nation == "palestine":
            assert hex in table.zones["gaza"]
        if game.units[unit].nation == "syria":
            assert hex in table.zones["golan"] | table.zones["syria"]
    towns = [
        hex for hex in table.zones["israel"] if table.terrain[hex] in ("city", "fortified_city", "town", "kibbutz")
    ]
    barrages = [ask(game, "barrage", scenario="standard", turn="2", hex=table.name(hex)) for hex in towns]
    struck_units = {unit.partition("/")[0] for barrage in barrages if not barrage.refusal for unit in barrage["struck"]}
    militia = {unit for unit in waiting if game.units[unit].type == "militia"}
    assert militia and militia <= struck_units


def test_duties(game: Game) -> None:
    """13.3, 13.4, 13.11 and the example of 12.1: who stands in works of his own needn't attack."""

    def duties(side: str, *units: tuple[str, str]) -> GameAnswer:
        return put(game, *units).ask("duties", side=side, front="sinai")

    open_ground = [("is_7_armor", "4622"), ("eg_7_11", "4621")]
    israeli_duties = duties("israeli", *open_ground)
    assert israeli_duties["stacks"]["4622"]["must"] and israeli_duties["to_attack"] == {"4621"}
    assert duties("arab", *open_ground)["stacks"]["4621"]["must"]
    fort = [("is_7_armor", "4425"), ("eg_2_10", "abu_agheila")]
    (holder,) = duties("arab", *fort)["stacks"].values()
    assert not holder["must"]
    (outside,) = duties("israeli", *fort)["stacks"].values()
    assert outside["must"], "the converse isn't so (13.3)"
    assert not duties("arab", ("is_7_armor", "5328"), ("eg_garrison_gaza", "gaza"))["stacks"], (
        "static units may not attack (13.11)"
    )


def test_a_retreat_into_works_under_an_enemy_zone(game: Game, table: HexMap) -> None:
    """The example of 12.1: an Arab goes back into a Golan fortification that an Israeli zone would cover."""
    has_case = False
    for fort in sorted(hex for hex in table.zones["golan"] if table.terrain[hex] == "fortification"):
        for home in neighbours(fort):
            for foe in neighbours(fort):
                if home not in table.zones["golan"] or foe not in table.zones["israel"] | table.zones["golan"]:
                    continue
                if (
                    foe == home
                    or foe not in neighbours(home)
                    or not {table.terrain[foe], table.terrain[home]} <= set(COSTS)
                ):
                    continue
                board = put(game, ("sy_8", table.name(home)), ("is_45_armor", table.name(foe)))
                crossing = hexside(home, fort)
                if table.hexsides.get(crossing, frozenset()) & {"river"} and "road" not in table.path_sides.get(
                    crossing, ()
                ):
                    continue
                assert fort not in zones(board, "israeli")
                assert table.name(fort) in board.ask("retreat", unit="sy_8", hexes="1")["back"]["sy_8"]
                has_case = True
    assert has_case


def units_in_supply(board: Board) -> set[str]:
    """8.2 by flooding the land from the cities and towns of Israel."""
    table, rules = board.table, Table(board, board.turn, "")
    shut = set(board.units_by_hex["arab"]) | zones(board, "arab")
    havens = {h for h in table.zones["israel"] if table.terrain[h] in ("city", "fortified_city", "town")}
    reachable_hexes = havens - shut
    todo = list(reachable_hexes)
    while todo:
        for neighbour in neighbours(todo.pop()):
            if (
                neighbour not in reachable_hexes
                and neighbour not in shut
                and table.terrain.get(neighbour) in COSTS
                and not rules.is_closed(neighbour, "israeli")
            ):
                reachable_hexes.add(neighbour)
                todo.append(neighbour)
    return {
        man.id for man in board.units_of("israeli") if man.hex in havens or reachable_hexes & set(neighbours(man.hex))
    }


@pytest.mark.parametrize("seed", range(2))
def test_what_cuts_most_against_every_hex_taken(game: Game, table: HexMap, seed: int) -> None:
    """8.2 with one more Arab, tried in every hex near the units by a plain search."""
    dice = random.Random(seed)
    land = sorted(hex for hex in table.zones["egypt_sinai"] | table.zones["israel"] if table.terrain[hex] in COSTS)
    home_candidates = [
        hex
        for hex in land
        if hex in table.zones["egypt_sinai"] and any(n in table.zones["israel"] for n in neighbours(hex))
    ]
    homes = dice.sample(home_candidates, 3)
    nearby_hexes = [hex for hex in land if any(0 < distance(hex, home) <= 3 for home in homes) and hex not in homes]
    arabs = ["eg_7_11", "eg_7_16", "eg_14_armor", "eg_2_10", "eg_2_12", "eg_3_a"]
    units = [(u, table.name(h)) for u, h in zip(("is_7_armor", "is_60_armor", "is_14_armor"), homes, strict=True)]
    units += [(u, table.name(h)) for u, h in zip(arabs, dice.sample(nearby_hexes, 6), strict=True)]
    board = put(game, *units)
    answer, safe = board.ask("supply"), units_in_supply(board)
    assert answer["supplied"] == safe and answer["out"] == {man.id for man in board.units_of("israeli")} - safe
    taken_hexes = [
        h
        for h in land
        if h not in homes and h not in board.units_by_hex["arab"] and min(distance(h, home) for home in homes) <= 4
    ]
    expected_cuts = {}
    for hex in taken_hexes:
        if cut := safe - units_in_supply(put(game, *units, ("eg_3_b", table.name(hex)))):
            expected_cuts[table.name(hex)] = cut
    sizes = sorted((len(cut) for cut in expected_cuts.values()), reverse=True)
    assert list(answer["cuts_most"]) == sizes[: len(answer["cuts_most"])] and len(answer["cuts_most"]) == min(
        3, len(sizes)
    )
    for place, cut in answer["cuts"].items():
        assert expected_cuts[place] == cut

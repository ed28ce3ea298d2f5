"""Sight in The Arab-Israeli Wars: the rules' examples, each open reading, and no disagreement with brute force."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, product

import pytest

from scenarios.model.boards import Arrangement
from scenarios.model.grids import Grid, Numbering
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap, put_together
from scenarios.pack.loading import load
from scenarios.reading.shapes import Findings
from tests.aiw_sight_oracle import Kind, Oracle, random_table, random_works, some_pairs
from tests.aiw_world import World
from tests.net.adapter import GameAnswer, ask

GAME = load("arab_israeli_wars")
SLOW = os.environ.get("MITLA_SLOW") == "1"
SWITCHES = {
    "sight_between": "blocked",
    "smoke_between": "clear",
    "sight_along": "clear",
    "sight_corner": "clear",
    "sight_touch": "clear",
    "sight_moraine_end": "clear",
    "hull_down_end": "open",
}
CHOICES = {key: GAME.rulings[key].choice for key in SWITCHES}
KINDS: tuple[Kind, ...] = ("ground", "infantry", "air")

GRID = Grid("flat", 9, 8, "even", "both", numbering=Numbering("letters", rows_from="bottom"))


def field(
    terrain: Mapping[str, str] | None = None,
    sides: Mapping[str, str] | None = None,
    works: Mapping[str, str] | None = None,
    rulings: Mapping[str, str] | None = None,
) -> World:
    """An open board with a few hexes and hexsides on it."""
    terrains = dict.fromkeys(GRID.hexes, "clear") | {GRID.hex(name): kind for name, kind in (terrain or {}).items()}
    bars = {GRID.side(name): frozenset({kind}) for name, kind in (sides or {}).items()}
    board = replace(GAME.boards["B"], id="Z", grid=GRID, terrain=terrains, hexsides=bars, paths=(), places={}, zones={})
    table = put_together("z", "Z", Arrangement(boards=(("Z",),)), {"Z": board}, "clear", Findings())
    assert table is not None
    return World(table, {table.hex(name): [marker] for name, marker in (works or {}).items()}, rulings=rulings or {})


def board(*rows: str, north: str = "left") -> HexMap:
    """Boards put together as a Situation puts them."""
    arrangement = Arrangement(boards=tuple((row,) for row in rows), north=north)  # type: ignore[arg-type]
    table = put_together("a", "A", arrangement, GAME.boards, "clear", Findings())
    assert table is not None
    return table


def see(world: World, a: str, b: str, viewer: str = "ground", target: str = "ground") -> GameAnswer:
    return world.look(world.table.hex(a), world.table.hex(b), viewer, target)


def shields(answer: GameAnswer, role: str = "target") -> frozenset[str]:
    """The hexsides behind which one end is hull down."""
    hexsides: frozenset[str] = answer["hull_down"][role]
    return hexsides


def sides_named(world: World, *names: str) -> set[str]:
    return {world.side(world.table.hex(part) for part in name.split("/")) for name in names}


def canal(ruling: Mapping[str, str] | None = None, **works: str) -> World:
    table = board("A")
    return World(
        table, {table.hex(name.replace("_", "-")): [marker] for name, marker in works.items()}, rulings=ruling or {}
    )


BOARD_A = canal()


# The rules' own examples.


def test_behind_a_dune_seen_and_hull_down_from_afar_not_seen() -> None:
    ground = field(sides={"D-5/D-4": "sand_dune"})
    view = see(ground, "D-7", "D-4")
    assert view["clear"] and shields(view) == sides_named(ground, "D-5/D-4") and not shields(view, "viewer")
    blocked_view = see(ground, "D-7", "D-2")
    assert not blocked_view["clear"] and [block["what"] for block in blocked_view["blocked_by"]] == ["sand dune"]
    assert blocked_view["blocked_by"][0]["hexsides"] == sides_named(ground, "D-5/D-4") and not shields(blocked_view)


def test_hull_down_between_neighbours_shields_both() -> None:
    ground = field(sides={"D-5/D-4": "ridge"})
    view = see(ground, "D-5", "D-4")
    assert view["clear"] and shields(view) == shields(view, "viewer") == sides_named(ground, "D-5/D-4")


@pytest.mark.parametrize(("bar", "is_shielded"), [("sand_dune", False), ("ridge", False), ("crest", True)])
def test_from_a_slope_only_crests_block_and_shield(bar: str, is_shielded: bool) -> None:
    ground = field({"D-7": "slope"}, {"D-5/D-4": bar})
    assert bool(shields(see(ground, "D-7", "D-4"))) == is_shielded
    assert shields(see(ground, "D-6", "D-4")), "from the ground it shields all the same"
    assert see(ground, "D-7", "D-2")["clear"] != is_shielded
    assert see(ground, "D-2", "D-7")["clear"] != is_shielded
    assert not see(ground, "D-6", "D-2")["clear"]


def test_a_slope_sees_over_towns_and_woods_but_not_who_hides_there() -> None:
    ground = field({"D-7": "slope", "D-5": "woods", "D-4": "town"})
    assert see(ground, "D-7", "D-2")["clear"] and not see(ground, "D-6", "D-2")["clear"]
    view = see(ground, "D-7", "D-5")
    assert view["clear"] and view["conceals"] and not view["spotted"]
    assert see(ground, "D-6", "D-5")["spotted"], "next to it"


def test_the_canal_town_is_seen_into_and_not_through() -> None:
    assert see(BOARD_A, "A-Q-1", "A-R-2")["clear"]
    blocked_view = see(BOARD_A, "A-Q-1", "A-T-3")
    assert [(block["what"], block["at"]) for block in blocked_view["blocked_by"]] == [("town", "A-R-2")]


# The canal.


def test_moraines_block_across_the_canal_and_are_named() -> None:
    blocked_view = see(BOARD_A, "A-H-3", "A-H-5")
    assert not blocked_view["clear"]
    assert {block["what"] for block in blocked_view["blocked_by"]} == {"moraine"}
    assert {side for block in blocked_view["blocked_by"] for side in block["hexsides"]} == sides_named(
        BOARD_A, "A-H-3/A-H-4", "A-H-4/A-H-5"
    )
    assert all(block["rule"].startswith("Standard VI.B.3") for block in blocked_view["blocked_by"])
    assert not see(BOARD_A, "A-H-3", "A-H-4")["clear"], "even between neighbours"


def test_cuts_are_dunes_for_their_own_hexes_and_block_others() -> None:
    ground = canal(A_H_4="trench")
    view = see(ground, "A-H-3", "A-H-5")
    assert view["clear"] and shields(view) == sides_named(ground, "A-H-4/A-H-5")
    assert see(ground, "A-H-4", "A-H-5")["clear"]
    assert not see(ground, "A-H-2", "A-H-5")["clear"]
    assert not see(ground, "A-I-3", "A-H-4")["clear"], "only the entry hexsides are cut"
    assert see(BOARD_A, "A-H-3", "A-H-5")["clear"] is False


def test_forts_and_positions_on_the_east_bank_open_their_moraines() -> None:
    fort, position = canal(A_H_5="fort"), canal(A_H_5="improved_position")
    for ground in (fort, position):
        view = see(ground, "A-H-4", "A-H-5")
        assert view["clear"] and shields(view) and shields(see(ground, "A-H-5", "A-H-4"))
        assert not see(ground, "A-H-5", "A-H-3")["clear"], "the moraine on the far bank still blocks"
    assert (
        see(fort, "A-H-5", "A-H-4", "infantry")["clear"] and see(fort, "A-H-4", "A-H-5", "ground", "infantry")["clear"]
    )
    assert not see(position, "A-H-5", "A-H-4", "infantry")["clear"]
    assert see(position, "A-H-5", "A-H-4", "ground", "infantry")["clear"]
    west = canal(A_H_3="fort")
    assert not see(west, "A-H-3", "A-H-4")["clear"], "a fort on the west bank does nothing for sight"


def test_a_position_on_the_west_bank_is_a_slope_for_sight() -> None:
    ground = canal(A_H_3="improved_position")
    assert see(ground, "A-H-3", "A-H-7")["slope"]["from"] and not see(BOARD_A, "A-H-3", "A-H-7")["slope"]["from"]
    view = see(ground, "A-H-3", "A-H-7")
    assert view["clear"] and not shields(view) and not shields(view, "viewer")
    assert see(ground, "A-H-7", "A-H-3", "infantry", "infantry")["clear"]


def test_which_bank_is_east_depends_on_north() -> None:
    """A fort opens its moraines on the east bank only; turned round, that is the other bank."""
    for north, east in (("left", "A-H-5"), ("right", "A-H-3")):
        table = board("A", north=north)
        for place in ("A-H-3", "A-H-5"):
            world = World(table, {table.hex(place): ["fort"]})
            assert see(world, "A-H-4", place)["clear"] == (place == east)


# Corners and lengths: the readings that the letter leaves open.


def test_woods_exactly_between_two_hexes() -> None:
    for kind in ("woods", "town"):
        assert see(field({"D-5": kind}), "D-6", "D-4")["clear"]
        blocked_view = see(field({"D-5": kind}, rulings={"sight_between": "blocked"}), "D-6", "D-4")
        assert not blocked_view["clear"] and blocked_view["blocked_by"][0]["how"] == "through"
        assert see(field({"D-5": kind, "D-6": "slope"}, rulings={"sight_between": "blocked"}), "D-6", "D-4")["clear"]


def test_smoke_exactly_between_two_hexes() -> None:
    assert not see(field(works={"D-5": "smoke"}), "D-6", "D-4")["clear"]
    assert see(field(works={"D-5": "smoke"}, rulings={"smoke_between": "clear"}), "D-6", "D-4")["clear"]
    assert not see(field(works={"D-5": "smoke"}), "D-6", "D-4", "air")["clear"]


def test_along_a_hexside_with_woods_on_one_side() -> None:
    # D-5 and F-5 lie two columns apart at one height: the line runs between E-5 and E-4.
    assert see(field(), "D-5", "F-5")["clear"]
    assert not see(field({"E-5": "woods"}), "D-5", "F-5")["clear"]
    loose = {"sight_along": "clear"}
    assert see(field({"E-5": "woods"}, rulings=loose), "D-5", "F-5")["clear"]
    assert not see(field({"E-5": "woods", "E-4": "town"}, rulings=loose), "D-5", "F-5")["clear"]
    assert not see(field(sides={"E-5/E-4": "ridge"}, rulings=loose), "D-5", "F-5")["clear"]
    # On a longer line the same woods are met at the ends of that hexside too.
    assert not see(field({"E-5": "woods"}), "D-5", "H-5")["clear"]
    assert see(field({"E-5": "woods"}, rulings=loose), "D-5", "H-5")["clear"]


def corner_case() -> tuple[str, str, str, str]:
    """Two hexes whose line passes a corner: the names of the hex it leaves, enters and only touches."""
    from scenarios.model.hexes import hexes_at
    from scenarios.model.lines import line

    for a, b in combinations(GRID.hexes, 2):
        sight_line = line(a, b)
        for corner in sight_line.corners:
            meeting = [hex for hex in hexes_at(corner) if hex in GRID]
            off_line_hexes = [hex for hex in meeting if hex not in sight_line.hexes]
            if (
                not sight_line.followed_sides
                and len(meeting) == 3
                and len(off_line_hexes) == 1
                and not {a, b} & set(meeting)
            ):
                line_hexes = [hex for hex in meeting if hex in sight_line.hexes]
                return (
                    GRID.name(a),
                    GRID.name(b),
                    GRID.name(off_line_hexes[0]),
                    f"{GRID.name(line_hexes[0])}/{GRID.name(line_hexes[1])}",
                )
    raise AssertionError("no such line")


def test_a_corner_where_one_hexside_blocks() -> None:
    a, b, off_line_hex, side_name = corner_case()
    assert see(field(), a, b)["clear"]
    blocked_view = see(field(sides={side_name: "ridge"}), a, b)
    assert (
        not blocked_view["clear"]
        and blocked_view["blocked_by"][0]["how"] == "corner"
        and "VII.C.4.c" in blocked_view["blocked_by"][0]["rule"]
    )
    assert see(field(sides={side_name: "ridge"}, rulings={"sight_corner": "clear"}), a, b)["clear"]
    two = {side_name: "ridge", f"{off_line_hex}/{side_name.split('/')[0]}": "sand_dune"}
    assert not see(field(sides=two, rulings={"sight_corner": "clear"}), a, b)["clear"]


def test_woods_touched_at_one_corner() -> None:
    a, b, off_line_hex, _ = corner_case()
    blocked_view = see(field({off_line_hex: "woods"}), a, b)
    assert not blocked_view["clear"] and blocked_view["blocked_by"][0]["at"] == field().table.name(
        GRID.hex(off_line_hex)
    )
    assert see(field({off_line_hex: "woods"}, rulings={"sight_touch": "clear"}), a, b)["clear"]
    assert not see(field({off_line_hex: "woods"}, rulings={"sight_corner": "clear"}), a, b)["clear"], (
        "two of its sides block"
    )


def test_an_own_moraine_touched_at_its_end() -> None:
    # The line leaves I-3 in the corner of two canal hexes and runs between them to the other bank.
    blocked_view = see(BOARD_A, "A-I-3", "A-J-5")
    assert not blocked_view["clear"] and {block["how"] for block in blocked_view["blocked_by"]} == {"corner"}
    assert see(canal({"sight_moraine_end": "clear"}), "A-I-3", "A-J-5")["clear"]
    assert not see(canal({"sight_moraine_end": "clear"}), "A-I-3", "A-K-3")["clear"], "along another hex's moraine"
    assert not see(canal({"sight_moraine_end": "clear"}), "A-I-3", "A-I-4")["clear"], "across its own"


def test_hull_down_from_a_touch_at_the_end() -> None:
    assert shields(see(field(sides={"F-5/E-5": "ridge"}), "D-5", "F-5"))
    assert not shields(see(field(sides={"F-5/E-5": "ridge"}, rulings={"hull_down_end": "open"}), "D-5", "F-5"))


# Smoke and the air.


def test_smoke_is_endlessly_tall() -> None:
    ground = field({"D-7": "slope"}, works={"D-5": "smoke"})
    for viewer, target in product(KINDS, KINDS):
        assert not see(ground, "D-7", "D-3", viewer, target)["clear"]
        assert see(ground, "D-7", "D-5", viewer, target)["clear"], "into it"
        assert see(ground, "D-5", "D-3", viewer, target)["clear"], "and out of it"
    blocked_view = see(ground, "D-7", "D-3")
    assert [(block["what"], block["at"]) for block in blocked_view["blocked_by"]] == [
        ("smoke", ground.table.name(GRID.hex("D-5")))
    ]
    smoke_view = see(ground, "D-7", "D-5")
    assert smoke_view["conceals"] and not smoke_view["spotted"]


def test_the_air_sees_everything_and_nothing_shields_from_it() -> None:
    ground = field({"D-5": "woods"}, {"D-4/D-3": "crest"})
    for viewer, target in (("air", "ground"), ("ground", "air"), ("air", "infantry"), ("air", "air")):
        view = see(ground, "D-7", "D-3", viewer, target)
        assert view["clear"] and not shields(view)
    assert see(ground, "D-7", "D-5", "ground", "air")["spotted"]
    assert not see(ground, "D-7", "D-3")["clear"]


# Against brute force.


def check(world: World, oracle: Oracle, a: Hex, b: Hex, viewer: Kind, target: Kind) -> None:
    """One line: whether it is clear, and behind which hexsides either end is hull down."""
    right = oracle.answer(a, b, viewer, target)
    label = f"{world.table.names[a]} {world.table.names[b]} {viewer} {target} {dict(world.rulings)}"
    view = world.look(a, b, viewer, target)
    assert view["clear"] == right.clear, label
    assert bool(view["blocked_by"]) != view["clear"], label
    assert view["hull_down"]["target"] == {world.side(side) for side in right.b_hull_down}, label
    assert view["hull_down"]["viewer"] == {world.side(side) for side in right.a_hull_down}, label


def compare(seed: int, pairs: int, looks: int) -> None:
    """One random map under random readings: many pairs of those that see each other, and some lines in full."""
    rng = random.Random(seed)
    table = random_table(GAME, rng)
    rulings = {key: value for key, value in SWITCHES.items() if seed % 2 and rng.random() < 0.4}
    world = World(table, random_works(table, rng), rulings=rulings)
    oracle = Oracle(table, {hex: frozenset(hex_works) for hex, hex_works in world.works.items()}, CHOICES | rulings)
    viewer, target = rng.choice(KINDS), rng.choice(KINDS)
    sees = world.ask("los", viewer=viewer, target=target)["sees"]
    reverse_views = sees if viewer == target else world.ask("los", viewer=target, target=viewer)["sees"]
    for a, b in some_pairs(table, rng, pairs):
        if a != b:
            start_name, two = table.name(a), table.name(b)
            assert (two in sees[start_name]) == oracle.answer(a, b, viewer, target).clear, (
                start_name,
                two,
                viewer,
                target,
                rulings,
            )
            assert (two in sees[start_name]) == (start_name in reverse_views[two])
    for a, b in some_pairs(table, rng, looks):
        check(world, oracle, a, b, rng.choice(KINDS), rng.choice(KINDS))


@pytest.mark.parametrize("seed", range(24))
def test_no_disagreement(seed: int) -> None:
    compare(seed, 150, 12)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_no_disagreement_in_millions(part: int) -> None:
    for seed in range(1000 + part, 2000, 8):
        compare(seed, 2500, 100)


@pytest.mark.parametrize("seed", range(4))
def test_everything_a_hex_sees_and_every_pair(seed: int) -> None:
    rng = random.Random(seed)
    table = random_table(GAME, rng)
    works = random_works(table, rng)
    world, oracle = World(table, works), Oracle(table, works, CHOICES)
    answer = world.ask("los")
    assert answer["pairs"] == sum(map(len, answer["sees"].values())) / 2
    hex = rng.choice(table.hexes)
    for viewer in ("ground", "air"):
        visible_names = {
            table.name(other_hex)
            for other_hex in table.hexes
            if other_hex != hex and oracle.answer(hex, other_hex, viewer).clear
        }
        assert world.ask("los", hexes=[table.name(hex)], viewer=viewer)["sees"] == visible_names
        assert viewer != "ground" or answer["sees"][table.name(hex)] == visible_names


# Real boards.


def real(name: str) -> HexMap:
    """The map of a Situation, or a board by itself."""
    hex_map = GAME.scenario_maps.get(name)
    return hex_map if isinstance(hex_map, HexMap) else board(name)


@pytest.mark.parametrize("name", ["A", "B turned", "S-9", "S-11", "A-6", "A-4"])
def test_no_disagreement_on_real_boards(name: str) -> None:
    rng = random.Random(name)
    world = World(real(name))
    oracle = Oracle(world.table, {}, CHOICES)
    for a, b in some_pairs(world.table, rng, 4000 if SLOW else 25):
        if not lies_apart(world, a, b):
            check(world, oracle, a, b, "ground", "ground")


def lies_apart(world: World, a: Hex, b: Hex) -> bool:
    """Whether two hexes are on boards with a gap between them: even the air sees nothing then."""
    return a != b and {block["what"] for block in world.look(a, b, "air", "air")["blocked_by"]} == {
        "the gap between the boards"
    }


def test_a_turned_board_is_the_same_ground() -> None:
    first_answer, two = (ask(GAME, "los", map=name) for name in ("D", "D turned"))
    assert first_answer["sees"] == two["sees"] and first_answer["pairs"] == two["pairs"]


def test_boards_that_lie_apart_see_nothing_of_each_other() -> None:
    answer = ask(GAME, "los", scenario="A-4", hexes="B-H-6,A-DD-7", viewer="air", target="air")
    assert not answer["clear"] and answer["blocked_by"][0]["what"] == "the gap between the boards"
    visible_places = ask(GAME, "los", scenario="A-4", hexes="B-H-6")["sees"]
    assert visible_places and not any(place.startswith("A-") for place in visible_places)


def test_the_chart_says_what_the_rules_do() -> None:
    """The column of sight in the Terrain Effects Chart, which players read, and the declared records agree."""
    chart = GAME.tables["terrain"]
    column = chart.named_column("sight")
    for kind, cells in chart.cells.items():
        if kind in GAME.hexsides:
            flat_world, level = (field(terrain, {"D-5/D-4": kind}) for terrain in ({}, {"D-7": "slope"}))
            blocks_adjacent = not see(flat_world, "D-5", "D-4")["clear"]
            low, blocks_high = (not see(world, "D-7", "D-2")["clear"] for world in (flat_world, level))
            cell_text = "all" if blocks_high else "near" if blocks_adjacent else "ground" if low else "open"
        elif kind in GAME.terrain:
            hides = not see(field({"D-5": kind}), "D-7", "D-2")["clear"]
            is_seen_over = see(field({"D-7": kind}, {"D-5/D-4": "ridge"}), "D-7", "D-2")["clear"]
            cell_text = "hides" if hides else "high" if is_seen_over else "open"
        else:
            continue
        assert cells[column] == cell_text, kind

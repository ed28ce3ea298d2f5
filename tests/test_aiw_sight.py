"""Sight in The Arab-Israeli Wars: the rules' examples, each open reading, and no disagreement with brute force."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, product

import pytest

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.ground import Ground, from_position
from assistant.games.arab_israeli_wars.sight import (
    Observer,
    Sight,
    Sights,
    all_pairs,
    look,
    observer,
    seen_from,
    sight,
    spotted,
)
from assistant.games.arab_israeli_wars.sight_masks import Masks
from assistant.games.arab_israeli_wars.sight_text import pairs_json, pairs_text, seen_text, sight_json, sight_text
from scenarios.boards import Arrangement
from scenarios.grids import Grid, Numbering
from scenarios.hexes import Hex, Hexside, hexside
from scenarios.loading import load
from scenarios.maps import put_together
from scenarios.position import Piece, Position
from scenarios.reading.shapes import Findings
from tests.aiw_sight_oracle import Kind, Oracle, next_to, random_table, random_works, some_pairs
from tests.aiw_world import World

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
KINDS: tuple[Observer, ...] = ("ground", "infantry", "air")
BOARD_A = Ground.of(GAME, "A")

GRID = Grid("flat", 9, 8, "even", "both", numbering=Numbering("letters", rows_from="bottom"))


def field(
    terrain: Mapping[str, str] | None = None,
    sides: Mapping[str, str] | None = None,
    works: Mapping[str, str] | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Ground:
    """An open board with a few hexes and hexsides on it."""
    kinds = dict.fromkeys(GRID.hexes, "clear") | {GRID.hex(name): kind for name, kind in (terrain or {}).items()}
    bars = {GRID.side(name): frozenset({kind}) for name, kind in (sides or {}).items()}
    board = replace(GAME.boards["B"], id="Z", grid=GRID, terrain=kinds, hexsides=bars, paths=())
    table = put_together("z", "Z", Arrangement(boards=(("Z",),)), {"Z": board}, "clear", Findings())
    assert table is not None
    markers = {table.hex(name): [marker] for name, marker in (works or {}).items()}
    return Ground.of(GAME, table, markers, rulings=rulings)


def see(ground: Ground, a: str, b: str, viewer: Observer = "ground", target: Observer = "ground") -> Sight:
    return sight(ground, ground.hex(a), ground.hex(b), viewer=viewer, target=target)


def named(ground: Ground, *names: str) -> set[Hexside]:
    return {hexside(*(ground.hex(part) for part in name.split("/"))) for name in names}


def canal(ruling: Mapping[str, str] | None = None, **works: str) -> Ground:
    markers = {BOARD_A.hex(name.replace("_", "-")): [marker] for name, marker in works.items()}
    return Ground.of(GAME, "A", markers, rulings=ruling)


# The rules' own examples.


def test_behind_a_dune_seen_and_hull_down_from_afar_not_seen() -> None:
    ground = field(sides={"D-5/D-4": "sand_dune"})
    seen = see(ground, "D-7", "D-4")
    assert seen.clear and set(seen.hull_down) == named(ground, "D-5/D-4") and not seen.hull_down_back
    blocked = see(ground, "D-7", "D-2")
    assert not blocked.clear and [block.what for block in blocked.blocked_by] == ["sand_dune"]
    assert set(blocked.blocked_by[0].sides) == named(ground, "D-5/D-4") and not blocked.hull_down


def test_hull_down_between_neighbours_shields_both() -> None:
    ground = field(sides={"D-5/D-4": "ridge"})
    seen = see(ground, "D-5", "D-4")
    assert seen.clear and set(seen.hull_down) == set(seen.hull_down_back) == named(ground, "D-5/D-4")


@pytest.mark.parametrize(("bar", "shielded"), [("sand_dune", False), ("ridge", False), ("crest", True)])
def test_from_a_slope_only_crests_block_and_shield(bar: str, shielded: bool) -> None:
    ground = field({"D-7": "slope"}, {"D-5/D-4": bar})
    assert bool(see(ground, "D-7", "D-4").hull_down) == shielded
    assert see(ground, "D-6", "D-4").hull_down, "from the ground it shields all the same"
    assert see(ground, "D-7", "D-2").clear != shielded
    assert see(ground, "D-2", "D-7").clear != shielded
    assert not see(ground, "D-6", "D-2").clear


def test_a_slope_sees_over_towns_and_woods_but_not_who_hides_there() -> None:
    ground = field({"D-7": "slope", "D-5": "woods", "D-4": "town"})
    assert see(ground, "D-7", "D-2").clear and not see(ground, "D-6", "D-2").clear
    seen = see(ground, "D-7", "D-5")
    assert seen.clear and seen.conceals and not spotted(seen)
    assert spotted(seen, marked=True) and spotted(seen, moving=True) and spotted(seen, down=True)
    assert spotted(see(ground, "D-6", "D-5")), "next to it"


def test_the_canal_town_is_seen_into_and_not_through() -> None:
    assert see(BOARD_A, "A-Q-1", "A-R-2").clear
    blocked = see(BOARD_A, "A-Q-1", "A-T-3")
    assert [block.what for block in blocked.blocked_by] == ["town"] and blocked.blocked_by[0].hex == BOARD_A.hex(
        "A-R-2"
    )


# The canal.


def test_moraines_block_across_the_canal_and_are_named() -> None:
    blocked = see(BOARD_A, "A-H-3", "A-H-5")
    assert not blocked.clear
    assert {block.what for block in blocked.blocked_by} == {"moraine"}
    assert {side for block in blocked.blocked_by for side in block.sides} == named(
        BOARD_A, "A-H-3/A-H-4", "A-H-4/A-H-5"
    )
    assert all(block.rule.startswith("Standard VI.B.3") for block in blocked.blocked_by)
    assert not see(BOARD_A, "A-H-3", "A-H-4").clear, "even between neighbours"


def test_cuts_are_dunes_for_their_own_hexes_and_block_others() -> None:
    ground = canal(A_H_4="trench")
    seen = see(ground, "A-H-3", "A-H-5")
    assert seen.clear and set(seen.hull_down) == named(ground, "A-H-4/A-H-5")
    assert see(ground, "A-H-4", "A-H-5").clear
    assert not see(ground, "A-H-2", "A-H-5").clear
    assert not see(ground, "A-I-3", "A-H-4").clear, "only the entry hexsides are cut"
    assert see(BOARD_A, "A-H-3", "A-H-5").clear is False


def test_forts_and_positions_on_the_east_bank_open_their_moraines() -> None:
    fort, position = canal(A_H_5="fort"), canal(A_H_5="improved_position")
    assert fort.east_bank(fort.hex("A-H-5")) and fort.west_bank(fort.hex("A-H-3"))
    for ground in (fort, position):
        seen = see(ground, "A-H-4", "A-H-5")
        assert seen.clear and seen.hull_down and see(ground, "A-H-5", "A-H-4").hull_down
        assert not see(ground, "A-H-5", "A-H-3").clear, "the moraine on the far bank still blocks"
    assert see(fort, "A-H-5", "A-H-4", "infantry").clear and see(fort, "A-H-4", "A-H-5", "ground", "infantry").clear
    assert not see(position, "A-H-5", "A-H-4", "infantry").clear
    assert see(position, "A-H-5", "A-H-4", "ground", "infantry").clear
    west = canal(A_H_3="fort")
    assert not see(west, "A-H-3", "A-H-4").clear, "a fort on the west bank does nothing for sight"


def test_a_position_on_the_west_bank_is_a_slope_for_sight() -> None:
    ground = canal(A_H_3="improved_position")
    assert ground.is_slope(ground.hex("A-H-3")) and not BOARD_A.is_slope(ground.hex("A-H-3"))
    seen = see(ground, "A-H-3", "A-H-7")
    assert seen.clear and not seen.hull_down and not seen.hull_down_back
    assert see(ground, "A-H-7", "A-H-3", "infantry", "infantry").clear


def test_which_bank_is_east_depends_on_north() -> None:
    table = put_together("a", "A", Arrangement(boards=(("A",),), north="right"), GAME.boards, "clear", Findings())
    assert table is not None
    ground = Ground.of(GAME, table)
    assert ground.east_bank(ground.hex("A-H-3")) and ground.west_bank(ground.hex("A-H-5"))


# Corners and lengths: the readings that the letter leaves open.


def test_woods_exactly_between_two_hexes() -> None:
    for kind in ("woods", "town"):
        assert see(field({"D-5": kind}), "D-6", "D-4").clear
        blocked = see(field({"D-5": kind}, rulings={"sight_between": "blocked"}), "D-6", "D-4")
        assert not blocked.clear and blocked.blocked_by[0].how == "through"
        assert see(field({"D-5": kind, "D-6": "slope"}, rulings={"sight_between": "blocked"}), "D-6", "D-4").clear


def test_smoke_exactly_between_two_hexes() -> None:
    assert not see(field(works={"D-5": "smoke"}), "D-6", "D-4").clear
    assert see(field(works={"D-5": "smoke"}, rulings={"smoke_between": "clear"}), "D-6", "D-4").clear
    assert not see(field(works={"D-5": "smoke"}), "D-6", "D-4", "air").clear


def test_along_a_hexside_with_woods_on_one_side() -> None:
    # D-5 and F-5 lie two columns apart at one height: the line runs between E-5 and E-4.
    assert see(field(), "D-5", "F-5").clear
    assert not see(field({"E-5": "woods"}), "D-5", "F-5").clear
    loose = {"sight_along": "clear"}
    assert see(field({"E-5": "woods"}, rulings=loose), "D-5", "F-5").clear
    assert not see(field({"E-5": "woods", "E-4": "town"}, rulings=loose), "D-5", "F-5").clear
    assert not see(field(sides={"E-5/E-4": "ridge"}, rulings=loose), "D-5", "F-5").clear
    # On a longer line the same woods are met at the ends of that hexside too.
    assert not see(field({"E-5": "woods"}), "D-5", "H-5").clear
    assert see(field({"E-5": "woods"}, rulings=loose), "D-5", "H-5").clear


def corner_case() -> tuple[str, str, str, str]:
    """Two hexes whose line passes a corner: the names of the hex it leaves, enters and only touches."""
    from scenarios.hexes import hexes_at
    from scenarios.lines import line

    for a, b in combinations(GRID.hexes, 2):
        drawn = line(a, b)
        for corner in drawn.corners:
            meeting = [hex for hex in hexes_at(corner) if hex in GRID]
            beside = [hex for hex in meeting if hex not in drawn.hexes]
            if not drawn.along and len(meeting) == 3 and len(beside) == 1 and not {a, b} & set(meeting):
                entered = [hex for hex in meeting if hex in drawn.hexes]
                return (
                    GRID.name(a),
                    GRID.name(b),
                    GRID.name(beside[0]),
                    f"{GRID.name(entered[0])}/{GRID.name(entered[1])}",
                )
    raise AssertionError("no such line")


def test_a_corner_where_one_hexside_blocks() -> None:
    a, b, beside, between = corner_case()
    assert see(field(), a, b).clear
    blocked = see(field(sides={between: "ridge"}), a, b)
    assert not blocked.clear and blocked.blocked_by[0].how == "end" and "VII.C.4.c" in blocked.blocked_by[0].rule
    assert see(field(sides={between: "ridge"}, rulings={"sight_corner": "clear"}), a, b).clear
    two = {between: "ridge", f"{beside}/{between.split('/')[0]}": "sand_dune"}
    assert not see(field(sides=two, rulings={"sight_corner": "clear"}), a, b).clear


def test_woods_touched_at_one_corner() -> None:
    a, b, beside, _ = corner_case()
    blocked = see(field({beside: "woods"}), a, b)
    assert not blocked.clear and blocked.blocked_by[0].hex == field().hex(beside)
    assert see(field({beside: "woods"}, rulings={"sight_touch": "clear"}), a, b).clear
    assert not see(field({beside: "woods"}, rulings={"sight_corner": "clear"}), a, b).clear, "two of its sides block"


def test_an_own_moraine_touched_at_its_end() -> None:
    # The line leaves I-3 in the corner of two canal hexes and runs between them to the other bank.
    blocked = see(BOARD_A, "A-I-3", "A-J-5")
    assert not blocked.clear and {block.how for block in blocked.blocked_by} == {"end"}
    assert see(canal({"sight_moraine_end": "clear"}), "A-I-3", "A-J-5").clear
    assert not see(canal({"sight_moraine_end": "clear"}), "A-I-3", "A-K-3").clear, "along another hex's moraine"
    assert not see(canal({"sight_moraine_end": "clear"}), "A-I-3", "A-I-4").clear, "across its own"


def test_hull_down_from_a_touch_at_the_end() -> None:
    assert see(field(sides={"F-5/E-5": "ridge"}), "D-5", "F-5").hull_down
    assert not see(field(sides={"F-5/E-5": "ridge"}, rulings={"hull_down_end": "open"}), "D-5", "F-5").hull_down


# Smoke and the air.


def test_smoke_is_endlessly_tall() -> None:
    ground = field({"D-7": "slope"}, works={"D-5": "smoke"})
    for viewer, target in product(KINDS, KINDS):
        assert not see(ground, "D-7", "D-3", viewer, target).clear
        assert see(ground, "D-7", "D-5", viewer, target).clear, "into it"
        assert see(ground, "D-5", "D-3", viewer, target).clear, "and out of it"
    blocked = see(ground, "D-7", "D-3")
    assert [(block.what, block.hex) for block in blocked.blocked_by] == [("smoke", ground.hex("D-5"))]
    assert see(ground, "D-7", "D-5").conceals and not spotted(see(ground, "D-7", "D-5"))


def test_the_air_sees_everything_and_nothing_shields_from_it() -> None:
    ground = field({"D-5": "woods"}, {"D-4/D-3": "crest"})
    for viewer, target in (("air", "ground"), ("ground", "air"), ("air", "infantry"), ("air", "air")):
        seen = see(ground, "D-7", "D-3", viewer, target)  # type: ignore[arg-type]
        assert seen.clear and not seen.hull_down
    assert spotted(see(ground, "D-7", "D-5", "ground", "air"))
    assert not see(ground, "D-7", "D-3").clear
    assert sight(ground, ground.hex("D-7"), ground.hex("D-7"), air=True).clear


def test_a_helicopter_that_is_down_is_seen_like_a_ground_unit() -> None:
    gunship = next(unit for unit in GAME.units.values() if unit.type == "gunship")
    assert observer(gunship) == "air" and observer(gunship, {"down"}) == "ground"
    assert observer(next(unit for unit in GAME.units.values() if unit.class_ == "infantry")) == "infantry"


# Against brute force.


def check(world: World, oracle: Oracle, a: Hex, b: Hex, viewer: Kind, target: Kind) -> None:
    """One line: whether it is clear, and behind which hexsides either end is hull down."""
    right = oracle.answer(a, b, viewer, target)
    where = f"{world.table.names[a]} {world.table.names[b]} {viewer} {target} {dict(world.rulings)}"
    seen = world.look(a, b, viewer, target)
    assert seen["clear"] == right.clear, where
    assert bool(seen["blocked_by"]) != seen["clear"], where
    assert seen["hull_down"]["target"] == {world.side(side) for side in right.b_hull_down}, where
    assert seen["hull_down"]["viewer"] == {world.side(side) for side in right.a_hull_down}, where


def compare(seed: int, pairs: int, looks: int) -> None:
    """One random map under random readings: many pairs of those that see each other, and some lines in full."""
    rng = random.Random(seed)
    table = random_table(GAME, rng)
    rulings = {key: value for key, value in SWITCHES.items() if seed % 2 and rng.random() < 0.4}
    world = World(table, random_works(table, rng), rulings=rulings)
    oracle = Oracle(table, {hex: frozenset(held) for hex, held in world.works.items()}, CHOICES | rulings)
    viewer, target = rng.choice(KINDS), rng.choice(KINDS)
    sees = world.ask("los", viewer=viewer, target=target)["sees"]
    back = sees if viewer == target else world.ask("los", viewer=target, target=viewer)["sees"]
    for a, b in some_pairs(table, rng, pairs):
        if a != b:
            one, two = table.name(a), table.name(b)
            assert (two in sees[one]) == oracle.answer(a, b, viewer, target).clear, (one, two, viewer, target, rulings)
            assert (two in sees[one]) == (one in back[two])
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
    ground = Ground.of(GAME, table, random_works(table, rng))
    world = World(table, ground.works)
    oracle = Oracle(table, ground.works, CHOICES)
    told = world.ask("los")
    assert told["pairs"] == sum(map(len, told["sees"].values())) / 2
    hex = rng.choice(table.hexes)
    for viewer in ("ground", "air"):
        seen = {table.name(other) for other in table.hexes if other != hex and oracle.answer(hex, other, viewer).clear}
        assert world.ask("los", hexes=[table.name(hex)], viewer=viewer)["sees"] == seen
        assert viewer != "ground" or told["sees"][table.name(hex)] == seen


def later_and_from_scratch(seed: int) -> None:
    """Markers come and go; what is mended is what would be found from scratch, and what the oracle finds."""
    rng = random.Random(seed)
    table = random_table(GAME, rng)
    rulings = {key: value for key, value in SWITCHES.items() if seed % 4 == 3 and rng.random() < 0.4}
    ground = Ground.of(GAME, table, random_works(table, rng), rulings=rulings)
    first = known = all_pairs(ground)
    before = known.count()
    for _ in range(3):
        near = [hex for hex in table.hexes if {table.terrain.get(o) for o in (hex, *next_to(hex))} & {"suez_canal"}]
        places = rng.sample(table.hexes, 3) + rng.sample(near, min(3, len(near)))
        known = known.after({hex: random_works(table, rng).get(hex, ()) for hex in places})
        fresh = Sights(known.ground)
        assert known.codes.sides == fresh.codes.sides and known.codes.hexes == fresh.codes.hexes
        oracle = Oracle(table, known.ground.works, CHOICES | rulings)
        for viewer, target in product(KINDS, KINDS):
            scratch = Masks(fresh.codes, fresh.how, viewer, target)
            assert dict(known.all_pairs(viewer, target)) == {key: scratch[key] for key in fresh.codes.numbers.keys}
            for a, b in some_pairs(table, rng, 5):
                assert known.clear(a, b, viewer, target) == oracle.answer(a, b, viewer, target).clear
        for hex in rng.sample(table.hexes, 6):
            assert known.seen_from(hex) == {other for other in table.hexes if fresh.clear(hex, other)}
    assert first.count() == before


@pytest.mark.parametrize("seed", range(8))
def test_sight_is_right_again_after_a_change(seed: int) -> None:
    later_and_from_scratch(seed)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_sight_is_right_again_after_thousands_of_changes(part: int) -> None:
    for seed in range(100 + part, 500, 4):
        later_and_from_scratch(seed)


# Real boards.


@pytest.mark.parametrize("name", ["A", "B turned", "S-9", "S-11", "A-6", "A-4"])
def test_no_disagreement_on_real_boards(name: str) -> None:
    rng = random.Random(name)
    ground = Ground.of(GAME, name)
    world = World(ground.table, ground.works)
    oracle = Oracle(ground.table, ground.works, CHOICES)
    for a, b in some_pairs(ground.table, rng, 4000 if SLOW else 25):
        if ground.together(a, b):
            check(world, oracle, a, b, "ground", "ground")


def test_a_turned_board_is_the_same_ground() -> None:
    plain, turned = Ground.of(GAME, "D"), Ground.of(GAME, "D turned")
    one, two = Sights(plain), Sights(turned)
    there = {turned.table.name(hex): hex for hex in turned.table.hexes}
    for a, b in some_pairs(plain.table, random.Random(4), 2000):
        assert one.clear(a, b) == two.clear(there[plain.table.name(a)], there[plain.table.name(b)])
    assert one.count() == two.count()


def test_boards_that_lie_apart_see_nothing_of_each_other() -> None:
    ground = Ground.of(GAME, "A-4")
    a, b = ground.hex("B-H-6"), ground.hex("A-DD-7")
    blocked = sight(ground, a, b, air=True)
    assert not blocked.clear and blocked.blocked_by[0].what == "boards"
    assert all(ground.together(a, other) for other in seen_from(ground, a))


# Words.


def test_the_text_names_what_blocks() -> None:
    lines = list(sight_text(see(BOARD_A, "A-H-3", "A-H-5")))
    assert lines[0] == "A-H-3 to A-H-5, 2 hexes: blocked"
    assert "┃moraine┃" in lines[1] and all(len(line) <= 100 for line in lines)
    assert sum("blocked by moraine" in line for line in lines) == 2


def test_every_pair_in_words() -> None:
    known = Sights(BOARD_A)
    lines = list(pairs_text(known, "ground", "ground"))
    hexes = len(BOARD_A.table.hexes)
    assert lines[0].startswith(f"{known.count()} of {hexes * (hexes - 1) // 2} pairs")
    held = pairs_json(known, "ground", "ground")
    assert held["pairs"] == known.count() and sum(map(len, held["sees"].values())) == 2 * known.count()
    assert all(one in held["sees"][other] for one, seen in held["sees"].items() for other in seen)


def test_the_json_keeps_its_keys() -> None:
    answer = sight_json(see(BOARD_A, "A-H-3", "A-H-5"))
    assert answer["clear"] is False and answer["from"] == ["A-H-3"] and answer["distance"] == 2
    assert [block["what"] for block in answer["blocked_by"]] == ["moraine", "moraine"]
    assert set(answer["hull_down"]) == {"target", "viewer"}


def test_every_line_can_be_told() -> None:
    ground = Ground.of(GAME, "S-9")
    known = Sights(ground)
    rng = random.Random(5)
    for a, b in some_pairs(ground.table, rng, 200):
        seen = look(known, a, b)
        assert list(sight_text(seen)) and sight_json(seen)["clear"] == seen.clear
    hex = ground.hex("A-H-9")
    assert "sees" in next(iter(seen_text(known, hex, known.seen_from(hex))))


def test_bad_questions_are_answered_with_a_sentence() -> None:
    with pytest.raises(BadQuestion, match="H-3"):
        BOARD_A.hex("A-H-33")
    with pytest.raises(BadQuestion, match="not on this map"):
        sight(BOARD_A, Hex(99, 99), BOARD_A.hex("A-H-3"))
    with pytest.raises(BadQuestion, match="end to end"):
        Ground.of(GAME, "A, B")
    with pytest.raises(BadQuestion, match="marker"):
        BOARD_A.with_works({BOARD_A.hex("A-H-3"): ["tent"]})
    with pytest.raises(BadQuestion, match="reading"):
        Ground.of(GAME, "A", rulings={"sight_along": "maybe"})
    with pytest.raises(BadQuestion, match="can't be switched"):
        Ground.of(GAME, "A", rulings={"aircraft_fire": "modified"})
    with pytest.raises(BadQuestion, match="which map"):
        from_position(GAME, Position(GAME.id))


def test_the_ground_of_a_position_has_its_markers() -> None:
    hex = Ground.of(GAME, "A-1").hex("A-H-5")
    position = Position(GAME.id, "A-1", pieces=(Piece("fort", "1", "", hex), Piece("trench", "1", "", "setup:x")))
    ground = from_position(GAME, position)
    assert ground.works == {hex: {"fort"}} and ground.year == 1973

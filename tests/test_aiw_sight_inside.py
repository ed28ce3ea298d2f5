"""Sight in The Arab-Israeli Wars from the inside: what is kept and mended, what is said, and what is refused."""

from __future__ import annotations

import random
from itertools import product

import pytest

from assistant.answers import BadQuestion
from assistant.games.arab_israeli_wars.ground import Ground, from_position
from assistant.games.arab_israeli_wars.los import line_nodes, pairs_nodes, seen_nodes
from assistant.games.arab_israeli_wars.sight import Observer, Sight, Sights, all_pairs, look, observer, sight, spotted
from assistant.games.arab_israeli_wars.sight_masks import Masks
from scenarios.boards import Arrangement
from scenarios.hexes import Hex
from scenarios.loading import load
from scenarios.maps import put_together
from scenarios.position import Piece, Position
from scenarios.reading.shapes import Findings
from tests.aiw_sight_oracle import Oracle, next_to, random_table, random_works, some_pairs
from tests.questions import shown
from tests.test_aiw_sight import CHOICES, SWITCHES, field

GAME = load("arab_israeli_wars")
KINDS: tuple[Observer, ...] = ("ground", "infantry", "air")
BOARD_A = Ground.of(GAME, "A")


def see(ground: Ground, a: str, b: str, viewer: Observer = "ground", target: Observer = "ground") -> Sight:
    return sight(ground, ground.hex(a), ground.hex(b), viewer=viewer, target=target)


def test_who_hides_is_seen_when_marked_or_moving() -> None:
    ground = Ground.of(GAME, field({"D-7": "slope", "D-5": "woods", "D-4": "town"}).table)
    seen = see(ground, "D-7", "D-5")
    assert not spotted(seen) and spotted(seen, marked=True) and spotted(seen, moving=True) and spotted(seen, down=True)
    assert sight(ground, ground.hex("D-7"), ground.hex("D-7"), air=True).clear


def test_a_helicopter_that_is_down_is_seen_like_a_ground_unit() -> None:
    gunship = next(unit for unit in GAME.units.values() if unit.type == "gunship")
    assert observer(gunship) == "air" and observer(gunship, {"down"}) == "ground"
    assert observer(next(unit for unit in GAME.units.values() if unit.class_ == "infantry")) == "infantry"


def test_which_bank_is_east_depends_on_north() -> None:
    table = put_together("a", "A", Arrangement(boards=(("A",),), north="right"), GAME.boards, "clear", Findings())
    assert table is not None
    ground = Ground.of(GAME, table)
    assert ground.east_bank(ground.hex("A-H-3")) and ground.west_bank(ground.hex("A-H-5"))
    assert BOARD_A.west_bank(BOARD_A.hex("A-H-3")) and BOARD_A.east_bank(BOARD_A.hex("A-H-5"))


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


# Words.


def test_the_text_names_what_blocks() -> None:
    lines = shown(line_nodes(see(BOARD_A, "A-H-3", "A-H-5")))[1]
    assert lines[0] == "A-H-3 to A-H-5, 2 hexes: blocked"
    assert "┃moraine┃" in lines[1] and all(len(line) <= 100 for line in lines)
    assert sum("blocked by moraine" in line for line in lines) == 2


def test_every_pair_in_words() -> None:
    known = Sights(BOARD_A)
    held, lines = shown(pairs_nodes(known, "ground", "ground"))
    hexes = len(BOARD_A.table.hexes)
    assert lines[0].startswith(f"{known.count()} of {hexes * (hexes - 1) // 2} pairs")
    sees = {row["place"]: row["sees"] for row in held["places"]}
    assert held["pairs"] == known.count() and sum(map(len, sees.values())) == 2 * known.count()
    assert all(one in sees[other] for one, seen in sees.items() for other in seen)


def test_the_json_keeps_its_keys() -> None:
    answer, _ = shown(line_nodes(see(BOARD_A, "A-H-3", "A-H-5")))
    assert answer["clear"] is False and answer["from"] == "A-H-3" and answer["distance"] == 2
    assert [block["what"] for block in answer["blocked_by"]] == ["moraine", "moraine"]
    assert set(answer["hull_down"]) == {"target", "viewer"}


def test_every_line_can_be_told() -> None:
    ground = Ground.of(GAME, "S-9")
    known = Sights(ground)
    rng = random.Random(5)
    for a, b in some_pairs(ground.table, rng, 200):
        seen = look(known, a, b)
        held, lines = shown(line_nodes(seen))
        assert lines and held["clear"] == seen.clear
    hex = ground.hex("A-H-9")
    held, lines = shown(seen_nodes(known, hex, "ground", "ground"))
    assert "sees" in lines[0] and {row["place"] for row in held["sees"]} == {ground.table.name(o) for o in known.seen_from(hex) if o != hex}


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

"""Sight in The Arab-Israeli Wars from the inside: what is kept and mended, what is said, and what is refused."""

from __future__ import annotations

import random
from itertools import product

import pytest

from assistant.engine.field import Field
from assistant.engine.sight.bit_planes import PlaneMasks
from assistant.engine.sight.line_of_sight import line_nodes, los_nodes
from assistant.engine.sight.visibility import LineByLine, SightResult, Sights, sights_of
from assistant.games.arab_israeli_wars.forces import field_of, field_on
from assistant.games.arab_israeli_wars.questions import hex_of
from assistant.questions.answer import BadQuestion
from scenarios.model.boards import Arrangement
from scenarios.model.hexes import Hex
from scenarios.model.maps import put_together
from scenarios.model.position import Piece, Position
from scenarios.pack.loading import load
from scenarios.reading.shapes import Findings
from tests.aiw_sight_oracle import Kind, Oracle, next_to, random_table, random_works, some_pairs
from tests.questions import render_nodes
from tests.test_aiw_sight import CHOICES, SWITCHES
from tests.test_aiw_sight import field as board

GAME = load("arab_israeli_wars")
KINDS: tuple[Kind, ...] = ("ground", "infantry", "air")
BOARD_A = field_on(GAME, "A")


def look(field: Field, a: Hex, b: Hex, viewer: str = "") -> SightResult:
    number = field.map_index.number
    return sights_of(field).look(number[a], number[b], viewer)


def see(field: Field, a: str, b: str) -> SightResult:
    return look(field, field.hex_map.hex(a), field.hex_map.hex(b))


def east_bank(field: Field, hex: Hex) -> bool:
    return bool(field.map_index.map_value(field.map_index.number[hex], "suez_canal_west"))


def west_bank(field: Field, hex: Hex) -> bool:
    return bool(field.map_index.map_value(field.map_index.number[hex], "suez_canal_east"))


def in_words(field: Field, a: str, b: str) -> tuple[dict[str, object], list[str]]:
    return render_nodes(line_nodes(sights_of(field), see(field, a, b)))


def test_who_hides_is_seen_when_marked_or_down() -> None:
    field = field_on(GAME, board({"D-7": "slope", "D-5": "woods", "D-4": "town"}).table)
    tank = next(unit for unit in GAME.units.values() if unit.class_ == "battle_tank")
    for states, unseen in (((), 1), (("spotted",), 0), (("down",), 0)):
        units = field.with_pieces([Piece(tank.id, "1", "", field.hex_map.hex("D-5"), frozenset(states))])
        hides, records = sights_of(units).hides(see(field, "D-7", "D-5"), units.placed_units[0])
        assert hides and len(records) == unseen
    assert look(field, field.hex_map.hex("D-7"), field.hex_map.hex("D-7"), "air").clear


def test_a_helicopter_that_is_down_is_seen_like_a_ground_unit() -> None:
    gunship = next(unit for unit in GAME.units.values() if unit.type == "gunship")
    infantry = next(unit for unit in GAME.units.values() if unit.class_ == "infantry")
    kinds = [(gunship, set[str](), "air"), (gunship, {"down"}, "ground"), (infantry, set[str](), "infantry")]
    for unit, states, kind in kinds:
        assert sights_of(BOARD_A).observer(BOARD_A.fields_of(unit, states)) == kind


def test_which_bank_is_east_depends_on_north() -> None:
    table = put_together("a", "A", Arrangement(boards=(("A",),), north="right"), GAME.boards, "clear", Findings())
    assert table is not None
    field = field_on(GAME, table)
    assert east_bank(field, field.hex_map.hex("A-H-3")) and west_bank(field, field.hex_map.hex("A-H-5"))
    assert west_bank(BOARD_A, BOARD_A.hex_map.hex("A-H-3")) and east_bank(BOARD_A, BOARD_A.hex_map.hex("A-H-5"))


def all_known(field: Field, viewer: str, target: str) -> Sights:
    sights = Sights(field)
    sights.all_pairs(viewer, target)
    return sights


def later_and_from_scratch(seed: int) -> None:
    """Markers come and go: every pair by planes, one by one and as the oracle has it; and what a hex sees, mended and from scratch."""
    rng = random.Random(seed)
    table = random_table(GAME, rng)
    rulings = {key: value for key, value in SWITCHES.items() if seed % 4 == 3 and rng.random() < 0.4}
    plain_field = field_on(GAME, table, rulings=rulings)
    field = plain_field.with_markers(random_works(table, rng))
    sights_of(plain_field).all_pairs()
    number = plain_field.map_index.number
    for _ in range(3):
        canal_hexes = [
            hex for hex in table.hexes if {table.terrain.get(o) for o in (hex, *next_to(hex))} & {"suez_canal"}
        ]
        places = rng.sample(table.hexes, 3) + rng.sample(canal_hexes, min(3, len(canal_hexes)))
        field = field.with_markers({hex: random_works(table, rng).get(hex, ()) for hex in places})
        oracle = Oracle(table, {hex: field.markers_at(hex) for hex in table.hexes}, CHOICES | rulings)
        for viewer, target in product(KINDS, KINDS):
            all_sights = all_known(field, viewer, target)
            for a, b in some_pairs(table, rng, 8):
                right = oracle.answer(a, b, viewer, target).clear
                fresh = Sights(field)
                assert all_sights.clear(number[a], number[b], viewer, target) == right
                assert fresh.clear(number[a], number[b], viewer, target) == right
                assert fresh.look(number[a], number[b], viewer, target).clear == right
        later_sights, fresh_sights = Sights(field), all_known(field, "", "")
        for hex in rng.sample(table.hexes, 6):
            visible_numbers = later_sights.seen_from(number[hex])
            assert visible_numbers == fresh_sights.seen_from(number[hex])
            assert visible_numbers == [
                n for n, other_hex in enumerate(table.hexes) if other_hex != hex and oracle.answer(hex, other_hex).clear
            ]


def test_too_many_kinds_for_planes_are_looked_at_one_by_one() -> None:
    sights = sights_of(field_on(GAME, board({"D-5": "woods"}, {"C-3/C-4": "ridge"}).table))
    for is_turned in (False, True):
        slow, quick = LineByLine(sights, "", "", is_turned), PlaneMasks(sights.codes, sights.judge("", ""), is_turned)
        slow.fill()
        quick.fill()
        assert dict(slow) == dict(quick)


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
    lines = in_words(BOARD_A, "A-H-3", "A-H-5")[1]
    assert lines[0] == "A-H-3 to A-H-5, 2 hexes: blocked"
    assert "┃moraine┃" in lines[1] and all(len(line) <= 100 for line in lines)
    assert sum("blocked by moraine" in line for line in lines) == 2


def test_every_pair_in_words() -> None:
    sights = sights_of(BOARD_A)
    answer, lines = render_nodes(los_nodes(BOARD_A, [], {}))
    hexes = len(BOARD_A.hex_map.hexes)
    assert lines[0].startswith(f"{sights.count()} of {hexes * (hexes - 1) // 2} pairs")
    sees = {row["place"]: row["sees"] for row in answer["places"]}
    assert answer["pairs"] == sights.count() and sum(map(len, sees.values())) == 2 * sights.count()
    assert all(place in sees[other_place] for place, visible_places in sees.items() for other_place in visible_places)


def test_the_json_keeps_its_keys() -> None:
    answer, _ = in_words(BOARD_A, "A-H-3", "A-H-5")
    assert answer["clear"] is False and answer["from"] == "A-H-3" and answer["distance"] == 2
    assert [block["what"] for block in answer["blocked_by"]] == ["moraine", "moraine"]  # type: ignore[attr-defined]
    assert set(answer["hull_down"]) == {"target", "viewer"}  # type: ignore[call-overload]


def test_every_line_can_be_told() -> None:
    field = field_on(GAME, "S-9")
    rng = random.Random(5)
    for a, b in some_pairs(field.hex_map, rng, 200):
        sight_look = look(field, a, b)
        answer, lines = render_nodes(line_nodes(sights_of(field), sight_look))
        assert lines and answer["clear"] == sight_look.clear
    n = field.map_index.number[field.hex_map.hex("A-H-9")]
    answer, lines = render_nodes(los_nodes(field, [n], {}))
    names = {field.map_index.name(m) for m in sights_of(field).seen_from(n)}
    assert "sees" in lines[0] and {row["place"] for row in answer["sees"]} == names


def test_bad_questions_are_answered_with_a_sentence() -> None:
    with pytest.raises(BadQuestion, match="H-3"):
        hex_of(BOARD_A, "A-H-33")
    with pytest.raises(BadQuestion, match="Z-99"):
        hex_of(BOARD_A, "A-Z-99")
    with pytest.raises(BadQuestion, match="end to end"):
        field_on(GAME, "A, B")
    with pytest.raises(BadQuestion, match="marker"):
        BOARD_A.with_markers({BOARD_A.hex_map.hex("A-H-3"): ["tent"]})
    with pytest.raises(BadQuestion, match="reading"):
        field_on(GAME, "A", rulings={"sight_along": "maybe"})
    with pytest.raises(BadQuestion, match="has a fixed reading"):
        field_on(GAME, "A", rulings={"aircraft_fire": "modified"})
    with pytest.raises(BadQuestion, match="name its map"):
        field_of(GAME, Position(GAME.id))


def test_the_field_of_a_position_has_its_markers() -> None:
    hex = field_on(GAME, "A-1").hex_map.hex("A-H-5")
    position = Position(GAME.id, "A-1", pieces=(Piece("fort", "1", "", hex), Piece("trench", "1", "", "setup:x")))
    field = field_of(GAME, position)
    assert {
        marker_hex: field.markers_at(marker_hex) for marker_hex in field.hex_map.hexes if field.markers_at(marker_hex)
    } == {hex: {"fort"}}
    assert field.value("year") == 1973

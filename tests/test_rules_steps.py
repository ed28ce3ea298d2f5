"""What a step may ask and tell: directions, what lies ahead, markers' states, the parts of a price, harm, ways without a mode."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.movement.reach import Reach, reach
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position
from tests.packs import TWO_SIDES

PACK = (
    TWO_SIDES
    + """states: {broken: Broken}
terrain:
  clear: {name: Clear, mark: ".", color: "#ffffff"}
  lake: {name: Lake, mark: "l", color: "#0000ff"}
paths: {road: Road}
factors: {movement: {name: Movement, kind: number}}
classes: {foot: Foot}
counters: {squad: {name: Squad, nation: red, class: foot, count: 3, factors: {movement: 3}}}
markers: {mine: {name: Mine, count: 4}, ferry: {name: Ferry, count: 2}}
rulings: {mud: {question: Does mud slow?, why: a test, readings: {"yes": It does, "no": It doesn't}, choice: "no", switch: true}}
boards:
  plain:
    name: Plain
    grid: {columns: 3, rows: 5, numbering: {scheme: xxyy}}
    terrain: |
      #  123
      01 . .
      01  .
      02 . .
      02  .
      03 . .
      03  l
      04 . .
      04  .
      05 . .
      05  .
    paths: [{kind: road, hexes: ["0301", "0302", "0303", "0304", "0305"]}]
maps: {main: {name: Plain, arrangement: {boards: [[plain]]}}}
rules:
  movement:
    march:
      allowance: [{text: its movement, set: movement}]
      modes: {road: over.road, country: "true"}
      harm: mines
      steps:
        - {text: nobody swims, rule: "1", when: 'to.lake and not any(to.markers, id == "ferry" and not broken)', forbid: true}
        - {text: the ground, rule: "2", cost: 1}
        - {text: mud, rule: "3", when: ruling.mud == "yes", add: 1/2}
        - {text: southward, rule: "4", when: over.south, add: 1}
        - {text: a lake lies to the south, rule: "5", when: to.lake_south, add: 1}
        - {text: a road, rule: "6", when: mode == "road", cost: 1/2}
        - {text: a mine, rule: "7", when: to.mine, harm: 1}
"""
)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder: Path = tmp_path_factory.mktemp("small")
    (folder / "game.yaml").write_text(PACK, encoding="utf-8")
    return load(folder)


def march_reach(game: Game, start: str, *markers: tuple[str, str, str], mud: str = "", **options: object) -> Reach:
    """A squad's reach, with markers in some states."""
    map_index = map_index_of(game)
    assert map_index is not None and isinstance(map_index.map, HexMap)
    pieces = [Piece("squad", "1", "red", map_index.map.hex(start))]
    for number, (marker, hex_name, state) in enumerate(markers):
        pieces.append(Piece(marker, str(number), "", map_index.map.hex(hex_name), frozenset(filter(None, [state]))))
    field = make_field(map_index, Position(game.id, pieces=tuple(pieces)), readings={"ruling.mud": mud} if mud else {})
    return reach(field, field.placed_units[0], **options)  # type: ignore[arg-type]


def cost(unit_reach: Reach, hex: str) -> Fraction | None:
    map_index = unit_reach.field.map_index
    assert isinstance(map_index.map, HexMap)
    return unit_reach.costs.get(map_index.number[map_index.map.hex(hex)])


def test_a_direction_and_what_lies_ahead(game: Game) -> None:
    """Straight south costs one more; so does a hex with the lake straight south of it."""
    assert cost(march_reach(game, "0103"), "0104") == 2 and cost(march_reach(game, "0103"), "0102") == 1
    assert cost(march_reach(game, "0102"), "0202") == 2 and cost(march_reach(game, "0302"), "0202") == 2
    north_of_the_lake = [
        hex
        for hex in ("0201", "0202", "0203", "0204", "0205")
        if march_reach(game, hex).field.map_index.map_value(march_reach(game, hex).unit.place, "lake_south")
    ]
    assert north_of_the_lake == ["0202"]


def test_a_markers_state(game: Game) -> None:
    """The lake is crossed by a ferry that isn't broken."""
    assert cost(march_reach(game, "0103"), "0203") is None
    assert cost(march_reach(game, "0103", ("ferry", "0203", "")), "0203") == 1
    assert cost(march_reach(game, "0103", ("ferry", "0203", "broken")), "0203") is None


def test_the_parts_of_a_price(game: Game) -> None:
    """Each record with what it adds; a later price takes the place of those before it."""
    unit_reach = march_reach(game, "0103", mud="yes")
    map_index = unit_reach.field.map_index
    assert isinstance(map_index.map, HexMap)
    last = unit_reach.tree.way(map_index.number[map_index.map.hex("0104")])[-1][1]
    assert last is not None
    assert [(record.rule, points) for record, points in last.parts] == [("2", 1), ("3", Fraction(1, 2)), ("4", 1)]
    road = march_reach(game, "0303", mud="yes")
    step = road.tree.way(map_index.number[map_index.map.hex("0302")])[-1][1]
    assert (
        step is not None
        and step.mode == "road"
        and [(record.rule, points) for record, points in step.parts] == [("6", Fraction(1, 2))]
    )


def test_a_ruling_may_be_read_otherwise(game: Game) -> None:
    assert cost(march_reach(game, "0103"), "0102") == 1 and cost(
        march_reach(game, "0103", mud="yes"), "0102"
    ) == Fraction(3, 2)


def test_without_a_mode(game: Game) -> None:
    assert cost(march_reach(game, "0303"), "0302") == Fraction(1, 2)
    assert cost(march_reach(game, "0303", without=("road",)), "0302") == 1


def test_of_equal_ways_the_one_without_harm(game: Game) -> None:
    """Two steps lead from 0105 to 0203's neighbour 0204 at the same price; one of them is mined."""
    mined_reach = march_reach(game, "0105", ("mine", "0104", ""))
    map_index = mined_reach.field.map_index
    assert isinstance(map_index.map, HexMap)
    name = map_index.name
    for target in ("0103", "0204"):
        n = map_index.number[map_index.map.hex(target)]
        free = march_reach(game, "0105", ("mine", "0104", ""), avoids_harm=True)
        way = [name(place) for place, _ in mined_reach.tree.way(n)]
        if free.costs.get(n) == mined_reach.costs[n]:
            assert "0104" not in way, way
    assert cost(march_reach(game, "0105", ("mine", "0104", ""), avoids_harm=True), "0104") is None

"""What the engine of declared rules takes, in CPU time, on a pack of 5,000 hexes and 1,000 units. Prints; asserts nothing."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from assistant.engine.field_values import make_field
from assistant.engine.map_index import MapIndex
from assistant.engine.movement.reach import reach
from assistant.engine.program import Program
from assistant.engine.retreat.paths import retreat
from assistant.engine.supply.supply_lines import supply_of
from benchmarks.timing import took
from scenarios import check, load
from scenarios.model.game import Game
from scenarios.model.position import Piece, Position
from scenarios.pack.pack_cache import decode, encode
from tests.packs import TWO_SIDES

PACK = (
    TWO_SIDES
    + """terrain:
  clear: {name: Clear, mark: ".", color: "#ffffff"}
  woods: {name: Woods, mark: "w", color: "#00ff00"}
  hills: {name: Hills, mark: "h", color: "#aa8800"}
  town: {name: Town, mark: "t", color: "#888888"}
hexsides: {river: River}
paths: {road: Road}
classes: {foot: Foot, wheels: Wheels}
types: {man: Man, staff: Staff}
abilities: {supplies: Supplies}
factors: {movement: {name: Movement}, range: {name: Range, default: "0"}, attack: {name: Attack}}
counters:
  foot: {name: Foot, class: foot, type: man, factors: {movement: 8, attack: 3}, variants: {red: {count: 400}, blue: {count: 400}}}
  cars: {name: Cars, class: wheels, type: man, factors: {movement: 12, attack: 2}, variants: {red: {count: 90}, blue: {count: 90}}}
  staff: {name: Staff, class: wheels, type: staff, abilities: [supplies], factors: {movement: 12, attack: 0, range: 12},
    variants: {red: {count: 10}, blue: {count: 10}}}
tables:
  costs:
    title: Costs
    row_title: Terrain
    columns: {names: [foot, wheels]}
    cells: {clear: [1, 1], woods: [2, 3], hills: [2, 4], town: [1, 1], road: [1, 1/2], river: ["+1", "+2"]}
rules:
  lists:
    price:
      - {text: the ground, cost: 'number(lookup("costs", to.terrain, class))'}
      - {text: a river, when: over.river, add: 'number(lookup("costs", "river", class))'}
      - {text: a road, when: over.road, cost: 'number(lookup("costs", "road", class))'}
    trace:
      - {text: the enemy, when: to.enemy, forbid: true}
      - {text: a zone, when: to.zoc and not to.friend, forbid: true}
      - price
  zones: {zoc: {has: attack > 0, steps: [{text: a river, when: over.river, forbid: true}]}}
  stacking: [{text: four, that: count(stack) <= 4}]
  supply:
    traces:
      edge: {text: from the edge, for: supplies, steps: trace, as: {class: wheels},
        from: {places: 'to.west_edge and side == "red" or to.east_edge and side == "blue"'}}
      staff: {text: from a staff, for: not supplies, steps: trace, as: {class: wheels}, length: source.range, near: 1,
        from: {units: supplies and by.edge}}
  movement:
    move:
      allowance: movement
      steps:
        - {text: the enemy, when: to.enemy, forbid: true}
        - price
        - {text: a zone, when: to.zoc, stop: true}
      ends: stacking
  retreat:
    back:
      length: result
      steps:
        - {text: farther, when: not farther, forbid: true}
        - {text: the enemy, when: to.enemy, forbid: true}
        - {text: a zone, when: to.zoc and not to.friend, harm: 1}
      ends: stacking
"""
)
COLUMNS, ROWS = 100, 50


def _road(column: int) -> str:
    return ", ".join(f'"{column:03}{row:03}"' for row in range(1, ROWS + 1))


def big_pack(folder: Path) -> None:
    """A pack of 5,000 hexes and 1,000 counters."""
    rnd = random.Random(1)
    terrain_kinds = rnd.choices(["clear", "woods", "hills", "town"], [6, 3, 2, 1], k=COLUMNS * ROWS)
    names = [f"{column + 1:03}{row + 1:03}" for column in range(COLUMNS) for row in range(ROWS)]
    hexes = ", ".join(f'"{name}": {kind}' for name, kind in zip(names, terrain_kinds, strict=True))
    rivers = ", ".join(f"{column:03}025/{column:03}026" for column in range(1, COLUMNS + 1))
    roads = "\n".join(
        f"      - {{kind: road, name: R{column}, hexes: [{_road(column)}]}}" for column in range(5, COLUMNS, 10)
    )
    board = f"""
boards:
  b:
    name: B
    grid: {{columns: {COLUMNS}, rows: {ROWS}, numbering: {{scheme: xxyy, digits: 3}}}}
    hexes: {{{hexes}}}
    hexsides: {{river: [{rivers}]}}
    paths:
{roads}
maps: {{m: {{name: M, arrangement: {{boards: b}}}}}}
"""
    (folder / "game.yaml").write_text(PACK + board, encoding="utf-8")


def position(game: Game, seed: int) -> Position:
    """A thousand units, each side on its half."""
    rnd = random.Random(seed)
    hexes = list(next(iter(game.maps.values())).hexes)  # type: ignore[union-attr]
    halves = {"red": [h for h in hexes if h.q < COLUMNS // 2 - 1], "blue": [h for h in hexes if h.q > COLUMNS // 2 + 1]}
    pieces = []
    for unit in game.units.values():
        for number in range(unit.count):
            pieces.append(Piece(unit.id, str(number + 1), unit.nation, rnd.choice(halves[unit.side])))
    return Position(game.id, pieces=tuple(pieces))


def figures() -> Iterator[str]:
    """Every figure with what was promised."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        big_pack(folder)
        findings = check(folder)
        assert not findings, findings[0]
        game = load(folder)
        yield from _big(game)
    for key in ("yom_kippur", "six_day_war"):
        game = load(key)
        raw, rules = encode(game), game.rules
        assert rules is not None

        def ready(game: Game = game) -> object:
            assert game.rules is not None
            return Program(game, game.rules).place_names

        def decode_pack(raw: bytes = raw, game: Game = game) -> object:
            return decode(raw, game.folder)

        yield f"Rules of {key}, made ready: {took(5, ready):.1f} ms (promised 30)"
        yield f"Rules of {key}, the whole pack from its prepared form: {took(5, decode_pack):.1f} ms"


def _big(game: Game) -> Iterator[str]:
    rules, map = game.rules, next(iter(game.maps.values()))
    assert rules is not None
    program = Program(game, rules)
    starts = [position(game, seed) for seed in range(8)]
    first = next(i for i, piece in enumerate(starts[0].pieces) if piece.unit == "cars_red")

    def cold() -> None:
        field = make_field(MapIndex(program, map, ""), starts[0])
        reach(field, field.placed_units[first])

    yield f"Rules, 5,000 hexes and 1,000 units, reach of a unit, cold: {took(3, cold):.1f} ms (promised 150)"
    map_index = MapIndex(program, map, "")
    field = make_field(map_index, starts[0])
    reach(field, field.placed_units[first])
    positions = iter(starts * 2)

    def fresh() -> None:
        new = make_field(map_index, next(positions))
        reach(new, new.placed_units[first])

    yield f"Rules, the same in a new position: {took(6, fresh):.1f} ms (promised 20)"
    yield f"Rules, the same in the same position: {took(5, lambda: reach(field, field.placed_units[first])):.1f} ms"
    yield f"Rules, a retreat of two hexes: {took(5, lambda: retreat(field, field.placed_units[first], 2)):.1f} ms"

    def supply(units: int) -> float:
        def trace_supply() -> None:
            pieces = tuple(
                piece for piece in starts[1].pieces if int(piece.copy) <= units * 0.8 or "staff" in piece.unit
            )
            new = make_field(map_index, Position(game.id, pieces=pieces))
            side = supply_of(new, "red")
            for unit in side.own_units[:units]:
                side.is_served(unit, "supplied")

        return took(3, trace_supply)

    yield f"Rules, supply of 300 units: {supply(300):.1f} ms (promised 200)"
    yield f"Rules, supply of 150 units: {supply(150):.1f} ms"


if __name__ == "__main__":
    print("\n".join(figures()))

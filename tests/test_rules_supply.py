"""What would cut supply most, against every place tried one by one; what may be done on the way, against every step tried."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.movement.reach import reach
from assistant.engine.supply.cuts import cuts
from assistant.engine.supply.supply_lines import SideSupply
from scenarios import check, load
from scenarios.model.hexes import Hex
from scenarios.model.position import Piece, Position
from tests.packs import SMALL

PACK = (
    SMALL
    + """paths: {road: Road}
classes: {foot: Foot}
types: {man: Man, staff: Staff}
abilities: {supplies: Supplies}
factors: {movement: {name: Movement}, reach: {name: Reach, default: "0"}}
counters:
  man: {name: Man, class: foot, type: man, factors: {movement: 5}, variants: {red: {count: 6}, blue: {count: 4}}}
  staff: {name: Staff, class: foot, type: staff, abilities: [supplies], factors: {movement: 4, reach: 3}, variants: {red: {count: 2}}}
"""
)
RULES = """
rules:
  lists:
    trace:
      - {text: the enemy, when: to.enemy, forbid: true}
      - {text: a lake, when: to.lake, forbid: true}
      - {text: a zone, when: to.zoc and not to.friend, ZONE}
      - {text: the ground, cost: 1}
      - {text: woods, when: to.woods, cost: 2}
      MODE
  zones: {zoc: {has: class == "foot"}}
  supply:
    traces:
      edge: {text: from the edge, for: supplies, steps: trace, MODES from: {places: to.west_edge}}
      staff: {text: from a staff, for: not supplies, steps: trace, MODES length: source.reach, near: NEAR,
        from: {units: supplies and by.edge}}
  movement:
    move:
      allowance: movement
      steps:
        - {text: the enemy, when: to.enemy, forbid: true}
        - {text: the ground, cost: 1}
        - {text: a zone, when: to.zoc, stop: true}
  acts:
    raid:
      title: Raid
      steps:
        - {text: nobody is there, when: not to.enemy, forbid: true}
        - {text: in woods, when: to.woods, forbid: true}
        - {text: another watches, when: over.other_zoc, forbid: true}
        - {text: it began in a zone, when: start.zoc, forbid: true}
        - {text: the raid, cost: 2}
"""
COLUMNS, ROWS = 6, 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cuts")


def build(folder: Path, rnd: random.Random, zone: str, modes: bool) -> tuple[Field, Mapping[Hex, str]]:
    """A small map, its terrain and units of both sides at random."""
    grid = f"boards:\n  b:\n    name: B\n    grid: {{columns: {COLUMNS}, rows: {ROWS}, numbering: {{scheme: xxyy}}}}\n"
    hexes = [Hex(q, r - q // 2) for q in range(COLUMNS) for r in range(ROWS)]
    names = {hex: f"{hex.q + 1:02}{hex.r + hex.q // 2 + 1:02}" for hex in hexes}
    terrain = {hex: rnd.choice(["clear", "clear", "clear", "woods", "lake"]) for hex in hexes}
    road = [f"'{names[Hex(q, 1 - q // 2)]}'" for q in range(COLUMNS)]
    terrain_text = ", ".join(f"'{names[hex]}': {kind}" for hex, kind in terrain.items())
    board = f"    hexes: {{{terrain_text}}}\n    paths: [{{kind: road, name: R, hexes: [{', '.join(road)}]}}]\n"
    rules = RULES.replace("ZONE", zone).replace("NEAR", str(rnd.randint(0, 1)))
    rules = rules.replace("MODES", "modes: {road: over.road, country: true}," if modes else "")
    extra = '- {text: off the road again, when: mode == "country" and last_mode == "road", add: 1}' if modes else ""
    rules = rules.replace("      MODE\n", f"      {extra}\n" if extra else "")
    text = PACK + grid + board + "maps: {m: {name: M, arrangement: {boards: b}}}\n" + rules
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    assert not check(folder), check(folder)[0]
    game = load(folder)
    pieces, sides_by_hex = [], dict[Hex, str]()
    for unit in game.units.values():
        for number in range(unit.count if unit.id != "man_blue" else rnd.randint(0, 4)):
            free = [hex for hex in hexes if terrain[hex] != "lake" and sides_by_hex.get(hex, unit.side) == unit.side]
            location = rnd.choice(free)
            sides_by_hex[location] = unit.side
            pieces.append(Piece(unit.id, str(number + 1), unit.nation, location))
    map_index = map_index_of(game)
    assert map_index is not None
    return make_field(map_index, Position(game.id, pieces=tuple(pieces))), terrain


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.integers(0, 10**9), st.booleans(), st.sampled_from(["forbid: true", "stop: true"]), st.booleans())
def test_what_cuts_most_against_every_place(folder: Path, seed: int, zone: bool, zones_do: str, modes: bool) -> None:
    """Each place taken by an enemy, and the supply of the whole side worked out anew."""
    zone = zone and zones_do == "forbid: true"  # where a zone only stops a way, no place is lost with another
    field, _ = build(folder, random.Random(seed), zones_do, modes)
    supply = SideSupply(field, "red")
    supplied_units = [line.unit for line in supply.lines if line.is_supplied]
    expected_cuts: dict[int, set[str]] = {}
    for place in range(len(field.map_index.places)):
        if any(s.side == "blue" for s in field.by_place.get(place, ())):
            continue
        new_supply = SideSupply(field.with_taken("red", [place], zone=zone), "red")
        remaining_units = {line.unit for line in new_supply.lines if line.is_supplied}
        if cut_units := {unit.key for unit in supplied_units if unit not in remaining_units and unit.place != place}:
            expected_cuts[place] = cut_units
    actual_cuts = {cut.place: {unit.key for unit in cut.unsupplied} for cut in cuts(supply, max_cuts=99, zone=zone)}
    assert actual_cuts == expected_cuts
    (worst,) = cuts(supply, max_cuts=1, zone=zone) or (None,)
    assert (len(worst.unsupplied) if worst else 0) == max(map(len, expected_cuts.values()), default=0)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.integers(0, 10**9))
def test_raids_on_the_way_against_every_step(folder: Path, seed: int) -> None:
    field, terrain = build(folder, random.Random(seed), "forbid: true", False)
    places, neighbours = field.map_index.places, field.map_index.neighbours
    enemies = {n: [s for s in units if s.side == "blue"] for n, units in field.by_place.items()}
    enemies = {n: units for n, units in enemies.items() if units}
    adjacent_enemies = {n: {m for m, _ in neighbours(n) if m in enemies} for n in range(len(places))}
    for unit in field.units_of("red")[:3]:
        unit_reach = reach(field, unit)
        expected_raids: dict[int, Fraction] = {}
        for n, cost in unit_reach.costs.items():
            for m, _ in neighbours(n):
                points_left = unit.fields["movement"] - cost - 2
                can_raid = m in enemies and terrain[places[m]] != "woods" and not adjacent_enemies[n] - {m}  # type: ignore[index]
                if can_raid and not adjacent_enemies[unit.place] and points_left >= 0:
                    expected_raids[m] = max(points_left, expected_raids.get(m, Fraction(0)))
        assert unit_reach.acts["raid"] == expected_raids

"""What would cut supply most, against every place tried one by one; what may be done on the way, against every step tried."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.rules.cuts import cuts
from assistant.rules.field import Field
from assistant.rules.kinds import kinds_of
from assistant.rules.movement import reach
from assistant.rules.supply import SideSupply
from scenarios import check, load
from scenarios.hexes import Hex
from scenarios.position import Piece, Position
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
    listed = ", ".join(f"'{names[hex]}': {kind}" for hex, kind in terrain.items())
    board = f"    hexes: {{{listed}}}\n    paths: [{{kind: road, name: R, hexes: [{', '.join(road)}]}}]\n"
    rules = RULES.replace("ZONE", zone).replace("NEAR", str(rnd.randint(0, 1)))
    rules = rules.replace("MODES", "modes: {road: over.road, country: true}," if modes else "")
    extra = '- {text: off the road again, when: mode == "country" and last_mode == "road", add: 1}' if modes else ""
    rules = rules.replace("      MODE\n", f"      {extra}\n" if extra else "")
    text = PACK + grid + board + "maps: {m: {name: M, arrangement: {boards: b}}}\n" + rules
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    assert not check(folder), check(folder)[0]
    game = load(folder)
    pieces, held = [], dict[Hex, str]()
    for unit in game.units.values():
        for number in range(unit.count if unit.id != "man_blue" else rnd.randint(0, 4)):
            free = [hex for hex in hexes if terrain[hex] != "lake" and held.get(hex, unit.side) == unit.side]
            at = rnd.choice(free)
            held[at] = unit.side
            pieces.append(Piece(unit.id, str(number + 1), unit.nation, at))
    kinds = kinds_of(game)
    assert kinds is not None
    return Field(kinds, Position(game.id, pieces=tuple(pieces))), terrain


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.integers(0, 10**9), st.booleans(), st.sampled_from(["forbid: true", "stop: true"]), st.booleans())
def test_what_cuts_most_against_every_place(folder: Path, seed: int, zone: bool, zones_do: str, modes: bool) -> None:
    """Each place taken by an enemy, and the supply of the whole side worked out anew."""
    zone = zone and zones_do == "forbid: true"  # where a zone only stops a way, no place is lost with another
    field, _ = build(folder, random.Random(seed), zones_do, modes)
    supply = SideSupply(field, "red")
    served = [line.standing for line in supply.lines if line.supplied]
    wanted: dict[int, set[str]] = {}
    for place in range(len(field.kinds.places)):
        if any(s.side == "blue" for s in field.by_place.get(place, ())):
            continue
        after = SideSupply(field.taken("red", [place], zone=zone), "red")
        left = {line.standing for line in after.lines if line.supplied}
        if out := {standing.key for standing in served if standing not in left and standing.at != place}:
            wanted[place] = out
    found = {cut.place: {standing.key for standing in cut.out} for cut in cuts(supply, most=99, zone=zone)}
    assert found == wanted
    (worst,) = cuts(supply, most=1, zone=zone) or (None,)
    assert (len(worst.out) if worst else 0) == max(map(len, wanted.values()), default=0)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.integers(0, 10**9))
def test_raids_on_the_way_against_every_step(folder: Path, seed: int) -> None:
    field, terrain = build(folder, random.Random(seed), "forbid: true", False)
    places, near = field.kinds.places, field.kinds.near
    enemies = {n: [s for s in there if s.side == "blue"] for n, there in field.by_place.items()}
    enemies = {n: there for n, there in enemies.items() if there}
    watched = {n: {m for m, _ in near(n) if m in enemies} for n in range(len(places))}
    for standing in field.of("red")[:3]:
        found = reach(field, standing)
        wanted: dict[int, Fraction] = {}
        for n, cost in found.costs.items():
            for m, _ in near(n):
                left = standing.fields["movement"] - cost - 2
                plain = m in enemies and terrain[places[m]] != "woods" and not watched[n] - {m}  # type: ignore[index]
                if plain and not watched[standing.at] and left >= 0:
                    wanted[m] = max(left, wanted.get(m, Fraction(0)))
        assert found.acts["raid"] == wanted

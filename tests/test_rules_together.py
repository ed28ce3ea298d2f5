"""Retreats of several units that share room, against every plan: small random maps, rules of stacking and positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.questions import rule_questions
from assistant.engine.retreat.joint_retreat import RetreatChoice, TooManyRetreats, in_turn, retreat_together, shared_out
from assistant.questions.answering import answer_question
from assistant.questions.rendering import answer_json
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance
from scenarios.model.position import Piece, Position
from tests.test_rules_walk import PACK, STEPS, World, small_world

RULES = """
rules:
  zones: {zoc: {has: heavy, steps: [{text: no river, when: over.river, forbid: true}]}}
  stacking:
    - {text: four steps, rule: s1, that: 'sum(stack, steps) <= 4'}
    - {text: one heavy unit, rule: s2, when: heavy, that: 'sum(stack, if(heavy, 1, 0)) <= 1'}
  retreat:
    back:
      length: result
      HARM
      prefer: least_harm
      together: true
      no_path: {text: it has no retreat path, lose: all}
      steps:
        - {text: farther, when: not farther, forbid: true}
        - {text: the enemy, when: to.enemy, forbid: true}
        - {text: a lake, when: to.lake and not heavy, forbid: true}
        - {text: a zone and no friend, when: to.zoc and not to.friend, harm: 1}
      ends: stacking
"""
Way = tuple[Hex | None, int]
"""Where a unit ends (None: it is lost), and the harm on the way."""


def build(folder: Path, world: World, harm: str) -> tuple[Game, Field]:
    columns = max(hex.q for hex in world.terrain) + 1
    board = f"boards:\n  b:\n    name: B\n    grid: {{columns: {columns}, rows: 4, numbering: {{scheme: xxyy}}}}\n"
    maps = "maps: {m: {name: M, arrangement: {boards: b}}}\n"
    (folder / "game.yaml").write_text(PACK + board + maps, encoding="utf-8")
    grid = load(folder).boards["b"].grid
    terrain = ", ".join(f"'{grid.name(hex)}': {kind}" for hex, kind in world.terrain.items())
    rivers = ", ".join(f"{grid.name(a)}/{grid.name(b)}" for a, b in map(sorted, world.rivers))
    text = (
        PACK
        + board
        + f"    hexes: {{{terrain}}}\n    hexsides: {{river: [{rivers}]}}\n"
        + maps
        + RULES.replace("HARM", harm)
    )
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    game = load(folder)
    used: dict[str, int] = {}
    pieces = []
    for side, heavy, location in world.units:
        unit = f"{'heavy_one' if heavy else 'light'}_{side}"
        used[unit] = used.get(unit, 0) + 1
        pieces.append(Piece(unit, str(used[unit]), side, location))
    map_index = map_index_of(game)
    assert map_index is not None
    return game, make_field(map_index, Position(game.id, pieces=tuple(pieces)))


def walks(world: World, heavy: bool, start: Hex, length: int, walkers: int) -> Iterator[Way]:
    """Every end of every path so long, with its harm; the walkers are the first units, and nobody's friends on the way."""
    friends = {location for side, _, location in world.units[walkers:] if side == "red"}

    def onward(hex: Hex, step_count: int, harm: int) -> Iterator[Way]:
        if step_count == length:
            yield hex, harm
            return
        for neighbour in world.adjacent_hexes(hex):
            if (
                distance(start, neighbour) > distance(start, hex)
                and not world.enemy(neighbour)
                and (heavy or world.terrain[neighbour] != "lake")
            ):
                yield from onward(neighbour, step_count + 1, harm + (world.zoc(neighbour) and neighbour not in friends))

    yield from set(onward(start, 0, 0))


def room(world: World, walkers: list[tuple[bool, int]], plan: tuple[Way, ...], steps_are_harm: bool) -> bool:
    """Whether every hex holds all who are there in the end."""
    ends = {end for end, _ in plan if end is not None}
    for end in ends:
        occupants = [
            (heavy, STEPS) for side, heavy, location in world.units[len(walkers) :] if side == "red" and location == end
        ]
        occupants += [
            (heavy, steps - harm * steps_are_harm)
            for (heavy, steps), (target, harm) in zip(walkers, plan, strict=True)
            if target == end
        ]
        if sum(steps for _, steps in occupants) > 4 or sum(heavy for heavy, _ in occupants) > 1:
            return False
    return True


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("together")


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.integers(0, 10**9), st.integers(1, 2), st.booleans())
def test_units_that_share_room_against_every_plan(folder: Path, seed: int, length: int, steps_are_harm: bool) -> None:
    rnd = random.Random(seed)
    world = small_world(rnd)
    hexes = {location for _, _, location in world.units}
    start = rnd.choice([hex for hex in world.terrain if hex not in hexes or hex == world.start])
    other_units = [unit for unit in world.units if unit[2] != start and (unit[0], unit[1]) != ("red", False)]
    walkers = [("red", rnd.random() < 0.4, start) for _ in range(rnd.randint(2, 3))]
    extra_units = [
        unit
        for n, unit in enumerate(other_units)
        if sum(candidate[:2] == unit[:2] for candidate in [*walkers, *other_units[:n]]) < 4
    ]
    world = World(world.terrain, world.rivers, world.roads, [*walkers, *extra_units])
    losses = [rnd.randint(0, STEPS - 1) for _ in walkers]
    _, field = build(folder, world, "harm: steps" if steps_are_harm else "harm: shaken")
    going = [
        field.with_loss(placed_unit, count) for placed_unit, count in zip(field.placed_units, losses, strict=False)
    ]
    field = field.with_changes(removed_units=field.placed_units[: len(walkers)])
    joint = retreat_together(field, going, length)

    walker_states = [(heavy, STEPS - count) for (_, heavy, _), count in zip(walkers, losses, strict=True)]
    options: list[list[Way]] = []
    for heavy, steps in walker_states:
        unit_options = [
            (end, harm)
            for end, harm in walks(world, heavy, start, length, len(walkers))
            if not steps_are_harm or harm < steps
        ]
        options.append([*unit_options, (None, steps if steps_are_harm else 99)])
    best: tuple[object, ...] = (10**6,)
    plans: list[tuple[Way, ...]] = []
    for plan in product(*options):
        if room(world, walker_states, plan, steps_are_harm):
            costs = tuple(harm for _, harm in plan)
            price = sum(costs), sum(end is None for end, _ in plan), costs
            plans = [plan, *(plans if price == best else ())] if price <= best else plans
            best = min(best, price)
    places = field.map_index.places
    actual_ends = [{(places[way.end], way.harm) for way in unit_retreat.ways[length]} for unit_retreat in joint.backs]
    assert actual_ends == [{plan[n] for plan in plans if plan[n][0] is not None} for n in range(len(walker_states))]


@pytest.mark.parametrize("seed", range(40))
def test_sharing_room_out_against_every_plan(seed: int) -> None:
    """Tighter than any field: the lowest price, and what each unit does in any plan that has it."""
    dice = random.Random(seed)
    rooms = tuple(dice.randint(0, 4) for _ in range(dice.randint(1, 4)))
    choices = []
    for steps in (dice.choice((1, 1, 2, 3)) for _ in range(dice.randint(2, 5))):
        ways = {(dice.randint(0, 2), place) for place in range(len(rooms)) for _ in range(2)}
        fit = [
            RetreatChoice(cost, place, steps - cost) for cost, place in sorted(ways) if 0 < steps - cost <= rooms[place]
        ]
        choices.append([*fit, RetreatChoice(steps, -1, -1)])

    def fits(place: int, arrivals: tuple[int, ...]) -> bool:
        return sum(arrivals) <= rooms[place]

    best: tuple[object, ...] = (99,)
    plans: list[tuple[RetreatChoice, ...]] = []
    for plan in product(*choices):
        if all(
            fits(place, tuple(choice.arrival for choice in plan if choice.place == place))
            for place in range(len(rooms))
        ):
            costs = tuple(choice.cost for choice in plan)
            price = sum(costs), sum(choice.place < 0 for choice in plan), costs
            plans = [plan, *(plans if price == best else ())] if price <= best else plans
            best = min(best, price)
    shares = shared_out(choices, len(rooms), fits)
    assert [set(share) for share in shares] == [{plan[n] for plan in plans} for n in range(len(choices))]
    simple = in_turn(choices, len(rooms), fits)
    assert all(
        fits(place, tuple(share[0].arrival for share in simple if share[0].place == place))
        for place in range(len(rooms))
    )


def test_a_pile_beyond_all_limits_gets_one_plan() -> None:
    """Thirty steps of units that may go to ten places with too little room: not every plan is tried, and that is said."""
    rooms = (2, 2, 1, 2, 1, 2, 2, 1, 2, 1)
    choices = [
        [
            *(RetreatChoice(0, place, 2) for place in range(10) if rooms[place] > 1 and (place + unit) % 3),
            RetreatChoice(1, 9 - unit % 10, 1),
            RetreatChoice(2, -1, -1),
        ]
        for unit in range(15)
    ]
    with pytest.raises(TooManyRetreats):
        shared_out(choices, len(rooms), lambda place, arrivals: sum(arrivals) <= rooms[place])


def test_the_question_shares_room_too(folder: Path) -> None:
    """Two heavy units, one open hex: one of them has a way back."""
    hexes = [Hex(q, r - q // 2) for q in range(4) for r in range(4)]
    start, exit_hex = hexes[0], hexes[1]
    world = World(dict.fromkeys(hexes, "clear"), set(), set(), [("red", True, start), ("red", True, start)])
    world.units += [("blue", False, hex) for hex in world.adjacent_hexes(start) if hex != exit_hex]
    game, field = build(folder, world, "harm: steps")
    result = answer_json(
        answer_question(
            rule_questions(game)["retreat"], game, {"position": field.position, "unit": "2*heavy_one_red", "hexes": "1"}
        )
    )
    assert result["crowded"] and sorted(len(unit.get("ways", ())) for unit in result["units"]) == [0, 1]

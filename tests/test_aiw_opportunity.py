"""When a moving unit of The Arab-Israeli Wars is a target, from the inside: with sight and shots that no question can tell."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from assistant.engine.movement.route_plan import PlannedMove, Spending
from assistant.games.arab_israeli_wars.forces import field_of
from assistant.games.arab_israeli_wars.mover import MovingUnit, mover_in
from assistant.games.arab_israeli_wars.opportunity import opportunity
from scenarios.model.hexes import Hex
from scenarios.model.position import Piece, Position
from tests.aiw_small import HALF_POINT, F, small

TABLE = small(columns=2, rows=12)


def moving(unit: str, firer: str) -> MovingUnit:
    pieces = (Piece(unit, "1", "", Hex(0, 0)), Piece(firer, "1", "", Hex(1, 0)))
    return mover_in(field_of(TABLE.game, Position(TABLE.game.id, pieces=pieces), map_name="z"), unit)


def steps(
    mover: MovingUnit, costs: Sequence[Fraction], sees: Callable[[Hex], bool], fired_steps: Collection[int] = ()
) -> list[int]:
    """The spendings of a straight way at which the one enemy may fire, if it sees the unit in some hexes."""
    number, total, spendings = mover.field.map_index.number, F(0), []
    for i, points in enumerate(costs):
        total += points
        hex_number = number[Hex(0, i + 1)]
        spendings.append(Spending("", number[Hex(0, i)], hex_number, hex_number, points, total, ()))
    way = PlannedMove(mover.placed_unit, (), mover.field, F(99), tuple(spendings))
    (enemy,) = mover.field.placed_units
    places = mover.field.map_index.places
    return [trigger.step for trigger in opportunity(mover, way, [enemy], lambda _, n: sees(places[n]), fired_steps)]  # type: ignore[arg-type]


def test_out_of_sight_the_count_begins_again_and_after_a_shot_too() -> None:
    """Standard II.E.1.c, II.E.3.e: with an allowance of 6 a point and a half makes a target."""
    mover = moving("m60a1", "t_62")
    assert steps(mover, [F(1)] * 3, lambda hex: True) == [1, 2]
    assert steps(mover, [F(1)] * 3, lambda hex: hex != Hex(0, 2)) == []
    assert steps(mover, [F(1)] * 3, lambda hex: True, fired_steps=[1]) == [1]
    helicopter = moving("mi_8", "aa_20_m3")
    assert steps(helicopter, [F(1)] * 6, lambda hex: True) == [3, 4, 5]
    assert steps(helicopter, [F(1)] * 6, lambda hex: True, fired_steps=[3, 4]) == [3, 4, 5]


def active(spendings: Sequence[tuple[Fraction, bool]], need: Fraction, fired_steps: frozenset[int]) -> list[int]:
    """From the words of Standard II.E.1: some unbroken stretch in sight, since the last shot, of a quarter or more."""
    active_steps = []
    for i in range(len(spendings)):
        since = max((k + 1 for k in fired_steps if k < i), default=0)
        stretches = (spendings[j : i + 1] for j in range(since, i + 1))
        if any(all(is_seen for _, is_seen in s) and sum(p for p, _ in s) >= need for s in stretches):
            active_steps.append(i)
    return active_steps


@given(
    st.lists(st.tuples(st.sampled_from([HALF_POINT, F(1), F(3, 2), F(2), F(3)]), st.booleans()), max_size=9),
    st.frozensets(st.integers(0, 8), max_size=3),
)
def test_opportunity_against_its_definition(
    spendings: list[tuple[Fraction, bool]], fired_steps: frozenset[int]
) -> None:
    visible_hexes = {Hex(0, i + 1): visible for i, (_, visible) in enumerate(spendings)}
    trigger_steps = steps(
        moving("t_62", "m60a1"), [points for points, _ in spendings], lambda hex: visible_hexes[hex], fired_steps
    )
    assert trigger_steps == active(spendings, F(3, 2), fired_steps)

"""Retreats of several units at once, which share the room in the places that they retreat to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from assistant.engine.field import Field
from assistant.engine.movement.reach import walk_named
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.retreat.paths import STEPS, RetreatPath, RetreatPaths, all_ways, fate_of, preferred_ways, retreat
from assistant.engine.stacking import StackingSpace
from scenarios.rules.shapes import Retreat

MOST_TRIED = 4_000
"""The number of places tried for the units of one retreat. A legal stack takes about a hundred at most."""
LOST_PLACE = -1
"""The place number of an eliminated unit."""
WORSE = 1_000
"""The cost of elimination where harm isn't steps: more than any harm on the way."""


@dataclass(frozen=True)
class JointRetreat:
    """What a retreat does to units that retreat together. `crowded`: some place lacks room for all units that could
    go there."""

    backs: tuple[RetreatPaths, ...]
    is_crowded: bool = False
    sure: bool = True
    """Whether every plan was tried; if not, there may be a better one."""


class RetreatChoice(NamedTuple):
    """One choice of a unit: retreat to a place (by number) or be eliminated; its cost, and the form in which it
    arrives."""

    cost: int
    place: int
    arrival: int
    """The number of what arrives: units with the same number take the same room. Below 0 they take none."""


Fits = Callable[[int, tuple[int, ...]], bool]
"""Whether a place has room for all of these arrivals. Adding an arrival never makes room."""
Arrivals = tuple[tuple[int, ...], ...]
"""The arrivals in each place, in order."""


class TooManyRetreats(Exception):
    """There are more plans than the search can try."""


def retreat_together(
    field: Field, units: Sequence[PlacedUnit], result: int = 1, name: str = "", absent_units: Sequence[PlacedUnit] = ()
) -> JointRetreat:
    """Return what a retreat of so many hexes does to units that retreat at once. They and the `absent_units` have
    left their places by then.

    Where the walk says `together`, the plan has the least total cost: the fewest steps (or units, where harm isn't
    steps), then the fewest units, then the choice of the first units. Each unit keeps every end that it takes in
    some plan in which all units pay the same as in the best one.
    """
    walk = walk_named(field.program.rules.retreat, name, "retreat")
    assert isinstance(walk, Retreat)
    if len(units) < 2 or not walk.together or walk.room == "any":
        if len(units) > 1:  # a unit that leaves makes room for the others; one that stays, or may stay, doesn't
            fates = [fate_of(field, unit, walk, result) for unit in units]
            absent_units = (
                *absent_units,
                *(s for s, fate in zip(units, fates, strict=True) if fate is None or fate.lost),
            )
        return JointRetreat(tuple([retreat(field, unit, result, name, absent_units) for unit in units]))
    # A retreating unit isn't a friend on the others' paths.
    placed_units = [unit for unit in units if unit in field.by_place.get(unit.place, ())]
    free = field.with_changes(removed_units=placed_units) if placed_units else field
    all_retreats = [all_ways(free, unit, result, name, absent_units) for unit in units]
    separate_retreats = [
        replace(
            retreat_result, ways={length: preferred_ways(walk, ways) for length, ways in retreat_result.ways.items()}
        )
        for retreat_result in all_retreats
    ]
    sharing = [
        number
        for number, retreat_result in enumerate(all_retreats)
        if retreat_result.fate is None and len(retreat_result.ways) == 1
    ]
    room_plan = _Shared(free, [all_retreats[number] for number in sharing], absent_units)
    if room_plan.room_for_all([separate_retreats[number] for number in sharing]):
        return JointRetreat(tuple(separate_retreats))
    backs, sure = room_plan.best()
    for number, retreat_result in zip(sharing, backs, strict=True):
        separate_retreats[number] = retreat_result
    return JointRetreat(tuple(separate_retreats), True, sure)


class _Shared:
    """Units that share the room of places."""

    def __init__(self, field: Field, backs: Sequence[RetreatPaths], absent_units: Sequence[PlacedUnit]) -> None:
        self.field, self.backs, self.room = field, backs, StackingSpace(field, absent_units)
        self.ways: list[Sequence[RetreatPath]] = [next(iter(retreat_result.ways.values())) for retreat_result in backs]
        ends = dict.fromkeys(way.end for ways in self.ways for way in ways)
        self.numbers: Mapping[int, int] = {end: number for number, end in enumerate(ends)}
        self.places = tuple(ends)

    def arrival(self, retreat_result: RetreatPaths, way: RetreatPath) -> int:
        """Return the number of what arrives by a path. A unit that arrives without room (`room: first`) takes none."""
        if way.room:
            return LOST_PLACE
        return self.room.kind(
            self.field.with_loss(retreat_result.unit, way.harm)
            if retreat_result.walk.harm == STEPS
            else retreat_result.unit
        )

    def fits(self, place: int, arrivals: tuple[int, ...]) -> bool:
        """Whether a place has room for all of these."""
        return self.room.fits(self.places[place], arrivals)

    def room_for_all(self, separate_retreats: Sequence[RetreatPaths]) -> bool:
        """Whether every place has room for all units that could go there."""
        coming: dict[int, list[int]] = {}
        for retreat_result in separate_retreats:
            for way in next(iter(retreat_result.ways.values())):
                coming.setdefault(self.numbers[way.end], []).append(self.arrival(retreat_result, way))
        return all(self.fits(place, tuple(sorted(n for n in arrivals if n >= 0))) for place, arrivals in coming.items())

    def best(self) -> tuple[list[RetreatPaths], bool]:
        """Return the units with the paths of the best plan, and of all plans with the same cost for each unit; and
        whether all plans were tried."""
        choices = [
            [*(self._choice(retreat_result, way) for way in ways), self._lost_choice(retreat_result)]
            for retreat_result, ways in zip(self.backs, self.ways, strict=True)
        ]
        sure = True
        try:
            plan = shared_out(choices, len(self.places), self.fits)
        except TooManyRetreats:
            plan, sure = in_turn(choices, len(self.places), self.fits), False
        planned_retreats = []
        for retreat_result, ways, unit_choices in zip(self.backs, self.ways, plan, strict=True):
            best_ways = tuple(way for way in ways if self._choice(retreat_result, way) in unit_choices)
            planned_retreats.append(replace(retreat_result, ways=dict.fromkeys(retreat_result.ways, best_ways)))
        return planned_retreats, sure

    def _choice(self, retreat_result: RetreatPaths, way: RetreatPath) -> RetreatChoice:
        counts = retreat_result.walk.prefer == "least_harm" or retreat_result.walk.harm == STEPS
        return RetreatChoice(
            (way.harm if counts else 0) + (WORSE if way.room else 0),
            self.numbers[way.end],
            self.arrival(retreat_result, way),
        )

    def _lost_choice(self, retreat_result: RetreatPaths) -> RetreatChoice:
        return RetreatChoice(
            retreat_result.unit.steps if retreat_result.walk.harm == STEPS else 2 * WORSE, LOST_PLACE, LOST_PLACE
        )


def in_turn(choices: Sequence[Sequence[RetreatChoice]], places: int, fits: Fits) -> list[list[RetreatChoice]]:
    """Return a simple plan: one unit after the other takes its cheapest choice, in the emptiest place."""
    occupancy: Arrivals = ((),) * places
    plan = []
    for unit_choices in choices:
        possible_choices = [
            choice
            for choice in unit_choices
            if choice.arrival < 0 or fits(choice.place, _join_arrival(occupancy, choice))
        ]
        best = min(
            possible_choices, key=lambda choice: (choice.cost, choice.place == LOST_PLACE, _crowd(occupancy, choice))
        )
        occupancy = _take_choice(occupancy, best)
        plan.append([best])
    return plan


def shared_out(choices: Sequence[Sequence[RetreatChoice]], places: int, fits: Fits) -> list[list[RetreatChoice]]:
    """Return what each unit does in any of the best plans: least total cost, then fewest eliminated, then the choice
    of the first units. Each unit pays the same in all of them."""
    search = _Plans(places, fits)
    remaining_choices = [list(unit_choices) for unit_choices in choices]
    cost = search.least_cost(remaining_choices)
    loss_count = next(
        loss_count
        for loss_count in range(len(remaining_choices) + 1)
        if search.possible(remaining_choices, cost, loss_count)
    )
    for place, unit_choices in enumerate(remaining_choices):
        for choice_cost in sorted({choice.cost for choice in unit_choices}):
            remaining_choices[place] = [choice for choice in unit_choices if choice.cost == choice_cost]
            if search.possible(remaining_choices, cost, loss_count):
                break
    cache: dict[tuple[tuple[RetreatChoice, ...], RetreatChoice], bool] = {}
    result = []
    for place, unit_choices in enumerate(remaining_choices):
        for choice in unit_choices:
            key = tuple(unit_choices), choice
            if key not in cache:
                cache[key] = search.possible(
                    [*remaining_choices[:place], [choice], *remaining_choices[place + 1 :]], cost, loss_count
                )
        result.append([choice for choice in unit_choices if cache[tuple(unit_choices), choice]])
    return result


def _join_arrival(occupancy: Arrivals, choice: RetreatChoice) -> tuple[int, ...]:
    """Return the arrivals in a place with one more."""
    return tuple(sorted((*occupancy[choice.place], choice.arrival)))


def _crowd(occupancy: Arrivals, choice: RetreatChoice) -> int:
    """Return how many units go to a place already."""
    return len(occupancy[choice.place]) if choice.place != LOST_PLACE else 0


def _take_choice(occupancy: Arrivals, choice: RetreatChoice) -> Arrivals:
    """Return all arrivals after a choice."""
    if choice.arrival < 0:
        return occupancy
    return (*occupancy[: choice.place], _join_arrival(occupancy, choice), *occupancy[choice.place + 1 :])


class _Plans:
    """Plans for units that have to find room."""

    def __init__(self, places: int, fits: Fits) -> None:
        self.places, self.fits = places, fits
        self.attempts = 0

    def least_cost(self, choices: Sequence[Sequence[RetreatChoice]]) -> int:
        """Return the least total cost, however many units are eliminated."""
        sums = {0}
        for unit_choices in choices:
            sums = {total + cost for total in sums for cost in {choice.cost for choice in unit_choices}}
        return next(cost for cost in sorted(sums) if self.possible(choices, cost, len(choices)))

    def possible(self, choices: Sequence[Sequence[RetreatChoice]], cost: int, max_losses: int) -> bool:
        """Whether all units can choose so that they pay at most this cost and eliminate at most this many."""
        # The unit with the fewest choices comes first; equal units follow each other.
        order = sorted(choices, key=lambda unit_choices: (len(unit_choices), unit_choices))
        min_costs = [0]
        for unit_choices in reversed(order):
            min_costs.append(min_costs[-1] + min(choice.cost for choice in unit_choices))
        min_costs.reverse()
        failed_states: set[tuple[int, Arrivals, int, int]] = set()

        def onward(depth: int, occupancy: Arrivals, cost: int, losses_left: int) -> bool:
            if depth == len(order):
                return True
            key = depth, occupancy, cost, losses_left
            if min_costs[depth] > cost or key in failed_states:
                return False
            self.attempts += 1
            if self.attempts > MOST_TRIED:
                raise TooManyRetreats
            # The emptiest place first: this usually finds a plan at once.
            for choice in sorted(order[depth], key=lambda candidate: (candidate.cost, _crowd(occupancy, candidate))):
                dies = choice.place == LOST_PLACE
                if dies > losses_left or choice.cost > cost:
                    continue
                if choice.arrival >= 0 and not self.fits(choice.place, _join_arrival(occupancy, choice)):
                    continue
                if onward(depth + 1, _take_choice(occupancy, choice), cost - choice.cost, losses_left - dies):
                    return True
            failed_states.add(key)
            return False

        return onward(0, ((),) * self.places, cost, max_losses)


# --- without a plan for all: how many units find no room --------------------------------------------------------------

MOST_STATES = 5_000
"""The number of ways to fill places that the search keeps."""
Group = tuple[int, int, tuple[int, ...]]
"""Equal units that have the same ends with room: their kind, their number, the ends."""
Occupancy = tuple[tuple[int, ...], frozenset[int]]
"""The kinds of units in a place, and the kinds for which it must be full in the end."""


def without_room(backs: Sequence[RetreatPaths]) -> dict[int, Fraction]:
    """Return how many units of a retreating side end without room, with the chances of their dice.

    No unit takes a full place while it has another end. Their owner leaves out as few as possible. Where the enemy
    moves one of them (`enemy_moves`), the enemy leaves out as many as possible.
    """
    going = [retreat_result for retreat_result in backs if retreat_result.ways and not retreat_result.stays]
    if not going:
        return {0: Fraction(1)}
    worst = any(retreat_result.enemy_moves for retreat_result in going)
    room = StackingSpace(going[0].field, [retreat_result.unit for retreat_result in backs if not retreat_result.stays])
    chance_by_count: dict[int, Fraction] = {}
    for length, chance in max((retreat_result.length.chances for retreat_result in going), key=len).items():
        ways = [
            retreat_result.ways[int(length)]
            if int(length) in retreat_result.ways
            else retreat_result.ways[min(retreat_result.ways)]
            for retreat_result in going
        ]
        ends = [
            (retreat_result.unit, frozenset(way.end for way in unit_ways))
            for retreat_result, unit_ways in zip(going, ways, strict=True)
            if unit_ways
        ]
        count = left_out(room, ends, worst)
        chance_by_count[count] = chance_by_count.get(count, Fraction(0)) + chance
    return chance_by_count


def left_out(room: StackingSpace, units: Sequence[tuple[PlacedUnit, Collection[int]]], worst: bool) -> int:
    """Return how many units find no room at any of their ends, if they are moved as badly (`worst`) or as well as
    possible."""
    members: dict[tuple[int, tuple[int, ...]], int] = {}
    outside = 0
    for unit, ends in units:
        kind = room.kind(unit)
        roomy = tuple(sorted(n for n in ends if room.fits(n, (kind,))))
        outside += not roomy
        if roomy:
            members[kind, roomy] = members.get((kind, roomy), 0) + 1
    groups = [(kind, count, ends) for (kind, ends), count in members.items()]
    return outside + (0 if _plenty(room, groups) else _most_or_fewest(room, groups, worst))


def _plenty(room: StackingSpace, groups: Sequence[Group]) -> bool:
    """Whether no unit can be left out in any case: all units that could come don't fill the ends of any group."""
    for kind, _, ends in groups:
        rivals = [other_group for other_group in groups if not set(ends).isdisjoint(other_group[2])]
        rival_count = sum(count for _, count, _ in rivals) - 1
        if sum(_filled_by(room, n, kind, {rival[0] for rival in rivals}, rival_count) for n in ends) <= rival_count:
            return False
    return True


def _filled_by(room: StackingSpace, n: int, kind: int, other_kinds: Collection[int], max_count: int) -> int:
    """Return the least number of units of some kinds that leave no room in a place for one more of a kind; more than
    `max_count` if that many still leave room."""
    fillings: set[tuple[int, ...]] = {()}
    for count in range(1, max_count + 1):
        new_fillings = {
            tuple(sorted((*unit_kinds, other_kind))) for unit_kinds in fillings for other_kind in other_kinds
        }
        fillings = {unit_kinds for unit_kinds in new_fillings if room.fits(n, unit_kinds)}
        if len(fillings) > MOST_STATES or any(
            not room.fits(n, tuple(sorted((*unit_kinds, kind)))) for unit_kinds in fillings
        ):
            return count
    return max_count + 1


def _most_or_fewest(room: StackingSpace, groups: Sequence[Group], worst: bool) -> int:
    """Try all ways to place the groups, one after the other. A unit may be left out only if all its ends are full in
    the end."""
    last = {n: number for number, (_, _, ends) in enumerate(groups) for n in ends}
    states: dict[frozenset[tuple[int, Occupancy]], int] = {frozenset(): 0}
    choose = max if worst else min
    for number, (kind, count, ends) in enumerate(groups):
        onward: dict[frozenset[tuple[int, Occupancy]], int] = {}
        for state, outside in states.items():
            occupancy = dict(state)
            old_fillings = [occupancy.get(n, ((), frozenset())) for n in ends]
            for spread in _spreads(
                room, kind, count, [(n, unit_kinds) for n, (unit_kinds, _) in zip(ends, old_fillings, strict=True)]
            ):
                extra_count = count - sum(spread)
                new_occupancy = dict(occupancy)
                for n, (unit_kinds, wanted_kinds), arrival_count in zip(ends, old_fillings, spread, strict=True):
                    new_occupancy[n] = (
                        tuple(sorted((*unit_kinds, *(kind,) * arrival_count))),
                        wanted_kinds | {kind} if extra_count else wanted_kinds,
                    )
                done = [(n, new_occupancy.pop(n)) for n in ends if last[n] == number]
                if not any(
                    room.fits(n, tuple(sorted((*unit_kinds, wanted_kind))))
                    for n, (unit_kinds, wanted_kinds) in done
                    for wanted_kind in wanted_kinds
                ):
                    key = frozenset(new_occupancy.items())
                    onward[key] = choose(onward.get(key, outside + extra_count), outside + extra_count)
        states = dict(sorted(onward.items(), key=lambda pair: pair[1], reverse=worst)[:MOST_STATES])
    return choose(states.values())


def _spreads(
    room: StackingSpace, kind: int, count: int, places: Sequence[tuple[int, tuple[int, ...]]]
) -> Iterator[tuple[int, ...]]:
    """Yield all ways to place at most so many units of a kind where there is room."""
    if not places:
        yield ()
        return
    n, unit_kinds = places[0]
    for arrival_count in range(count + 1):
        if arrival_count and not room.fits(n, tuple(sorted((*unit_kinds, *(kind,) * arrival_count)))):
            return
        for tail in _spreads(room, kind, count - arrival_count, places[1:]):
            yield arrival_count, *tail

"""Retreats of several units at once, who share the room of the places they go back to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from assistant.rules.field import Field, Standing
from assistant.rules.movement import walk_named
from assistant.rules.retreat import STEPS, Back, Way, all_ways, fate_of, offered, retreat
from assistant.rules.stacking import Room
from scenarios.rules.shapes import Retreat

MOST_TRIED = 4_000
"""So many places are tried for the units of one retreat. A lawful stack takes about a hundred at most."""
LOST = -1
"""The number of the place of who is lost."""
WORSE = 1_000
"""What being lost counts where harm isn't steps: more than any harm on the way."""


@dataclass(frozen=True)
class Joint:
    """What a retreat does to units that go back together; `crowded` where some place hasn't room for all who could go there."""

    backs: tuple[Back, ...]
    crowded: bool = False
    sure: bool = True
    """Whether every plan was tried; if not, there may be a better one."""


class Choice(NamedTuple):
    """One thing that a unit can do: go back to a place (by number), or be lost; what it costs, and as what it arrives."""

    cost: int
    place: int
    arrival: int
    """The number of what arrives: units with the same number take the same room. Below 0 it takes none."""


Fits = Callable[[int, tuple[int, ...]], bool]
"""Whether a place has room for all of these arrivals. Who finds none with fewer finds none with more."""
Held = tuple[tuple[int, ...], ...]
"""The arrivals in each place, in order."""


class TooMany(Exception):
    """There are more plans than can be tried."""


def retreat_together(
    field: Field, standings: Sequence[Standing], result: int = 1, name: str = "", gone: Sequence[Standing] = ()
) -> Joint:
    """What a retreat of so many hexes does to units that go back at once; `gone` have left their places by then, as have they.

    Where the walk says `together`, they go by a plan that costs all of them least: fewest steps (or units, where harm isn't
    steps), then fewest units, then by those who come first. Each has the ends that it takes in any plan in which all pay what
    they pay in the best.
    """
    walk = walk_named(field.program.rules.retreat, name, "retreat")
    assert isinstance(walk, Retreat)
    if len(standings) < 2 or not walk.together or walk.room == "any":
        if len(standings) > 1:  # who leaves makes room for the others; who stays, or may stay, doesn't
            fates = [fate_of(field, standing, walk, result) for standing in standings]
            gone = (*gone, *(s for s, fate in zip(standings, fates, strict=True) if fate is None or fate.lost))
        return Joint(tuple([retreat(field, standing, result, name, gone) for standing in standings]))
    # Who goes is no friend on the others' way.
    there = [standing for standing in standings if standing in field.by_place.get(standing.at, ())]
    free = field.changed(gone=there) if there else field
    every = [all_ways(free, standing, result, name, gone) for standing in standings]
    alone = [replace(back, ways={length: offered(walk, ways) for length, ways in back.ways.items()}) for back in every]
    sharing = [number for number, back in enumerate(every) if back.fate is None and len(back.ways) == 1]
    shared = _Shared(free, [every[number] for number in sharing], gone)
    if shared.room_for_all([alone[number] for number in sharing]):
        return Joint(tuple(alone))
    backs, sure = shared.best()
    for number, back in zip(sharing, backs, strict=True):
        alone[number] = back
    return Joint(tuple(alone), True, sure)


class _Shared:
    """Units that share the room of places."""

    def __init__(self, field: Field, backs: Sequence[Back], gone: Sequence[Standing]) -> None:
        self.field, self.backs, self.room = field, backs, Room(field, gone)
        self.ways: list[Sequence[Way]] = [next(iter(back.ways.values())) for back in backs]
        ends = dict.fromkeys(way.end for ways in self.ways for way in ways)
        self.numbers: Mapping[int, int] = {end: number for number, end in enumerate(ends)}
        self.places = tuple(ends)

    def arrival(self, back: Back, way: Way) -> int:
        """The number of what arrives by a way; who comes where there is no room (`room: first`) takes none."""
        if way.room:
            return LOST
        return self.room.kind(
            self.field.with_loss(back.standing, way.harm) if back.walk.harm == STEPS else back.standing
        )

    def fits(self, place: int, arrivals: tuple[int, ...]) -> bool:
        """Whether a place has room for all of these."""
        return self.room.fits(self.places[place], arrivals)

    def room_for_all(self, alone: Sequence[Back]) -> bool:
        """Whether every place has room for all who could go there, so that no unit is in another's way."""
        coming: dict[int, list[int]] = {}
        for back in alone:
            for way in next(iter(back.ways.values())):
                coming.setdefault(self.numbers[way.end], []).append(self.arrival(back, way))
        return all(self.fits(place, tuple(sorted(n for n in all_ if n >= 0))) for place, all_ in coming.items())

    def best(self) -> tuple[list[Back], bool]:
        """The units with the ways of the best plan, and of all that cost each of them the same; whether all plans were tried."""
        choices = [
            [*(self._choice(back, way) for way in ways), self._lost(back)]
            for back, ways in zip(self.backs, self.ways, strict=True)
        ]
        sure = True
        try:
            plan = shared_out(choices, len(self.places), self.fits)
        except TooMany:
            plan, sure = in_turn(choices, len(self.places), self.fits), False
        found = []
        for back, ways, chosen in zip(self.backs, self.ways, plan, strict=True):
            kept = tuple(way for way in ways if self._choice(back, way) in chosen)
            found.append(replace(back, ways=dict.fromkeys(back.ways, kept)))
        return found, sure

    def _choice(self, back: Back, way: Way) -> Choice:
        counts = back.walk.prefer == "least_harm" or back.walk.harm == STEPS
        return Choice(
            (way.harm if counts else 0) + (WORSE if way.room else 0), self.numbers[way.end], self.arrival(back, way)
        )

    def _lost(self, back: Back) -> Choice:
        return Choice(back.standing.steps if back.walk.harm == STEPS else 2 * WORSE, LOST, LOST)


def in_turn(choices: Sequence[Sequence[Choice]], places: int, fits: Fits) -> list[list[Choice]]:
    """A plan: one after the other, each where it costs least, in the place with fewest."""
    held: Held = ((),) * places
    plan = []
    for mine in choices:
        able = [choice for choice in mine if choice.arrival < 0 or fits(choice.place, _joined(held, choice))]
        best = min(able, key=lambda choice: (choice.cost, choice.place == LOST, _crowd(held, choice)))
        held = _taken(held, best)
        plan.append([best])
    return plan


def shared_out(choices: Sequence[Sequence[Choice]], places: int, fits: Fits) -> list[list[Choice]]:
    """What each unit does in any of the best plans: least cost of all, then fewest lost, then by the units that come
    first; each unit pays the same in all of them."""
    search = _Plans(places, fits)
    fixed = [list(mine) for mine in choices]
    cost = search.least(fixed)
    lost = next(lost for lost in range(len(fixed) + 1) if search.possible(fixed, cost, lost))
    for place, mine in enumerate(fixed):
        for one in sorted({choice.cost for choice in mine}):
            fixed[place] = [choice for choice in mine if choice.cost == one]
            if search.possible(fixed, cost, lost):
                break
    known: dict[tuple[tuple[Choice, ...], Choice], bool] = {}
    result = []
    for place, mine in enumerate(fixed):
        for choice in mine:
            key = tuple(mine), choice
            if key not in known:
                known[key] = search.possible([*fixed[:place], [choice], *fixed[place + 1 :]], cost, lost)
        result.append([choice for choice in mine if known[tuple(mine), choice]])
    return result


def _joined(held: Held, choice: Choice) -> tuple[int, ...]:
    """The arrivals in a place with one more."""
    return tuple(sorted((*held[choice.place], choice.arrival)))


def _crowd(held: Held, choice: Choice) -> int:
    """How many go to a place already."""
    return len(held[choice.place]) if choice.place != LOST else 0


def _taken(held: Held, choice: Choice) -> Held:
    """The arrivals everywhere after a choice."""
    if choice.arrival < 0:
        return held
    return (*held[: choice.place], _joined(held, choice), *held[choice.place + 1 :])


class _Plans:
    """Plans for units that have to find room."""

    def __init__(self, places: int, fits: Fits) -> None:
        self.places, self.fits = places, fits
        self.tried = 0

    def least(self, choices: Sequence[Sequence[Choice]]) -> int:
        """The least that all can pay together, however many are lost."""
        sums = {0}
        for mine in choices:
            sums = {paid + cost for paid in sums for cost in {choice.cost for choice in mine}}
        return next(cost for cost in sorted(sums) if self.possible(choices, cost, len(choices)))

    def possible(self, choices: Sequence[Sequence[Choice]], cost: int, lost: int) -> bool:
        """Whether all can choose so that they pay no more than this and no more of them are lost."""
        # Who has least choice comes first, and units alike come one after the other.
        order = sorted(choices, key=lambda mine: (len(mine), mine))
        least = [0]
        for mine in reversed(order):
            least.append(least[-1] + min(choice.cost for choice in mine))
        least.reverse()
        failed: set[tuple[int, Held, int, int]] = set()

        def onward(depth: int, held: Held, cost: int, lost: int) -> bool:
            if depth == len(order):
                return True
            key = depth, held, cost, lost
            if least[depth] > cost or key in failed:
                return False
            self.tried += 1
            if self.tried > MOST_TRIED:
                raise TooMany
            # The emptiest place first: if there is a plan, it is mostly found at once.
            for choice in sorted(order[depth], key=lambda one: (one.cost, _crowd(held, one))):
                dies = choice.place == LOST
                if dies > lost or choice.cost > cost:
                    continue
                if choice.arrival >= 0 and not self.fits(choice.place, _joined(held, choice)):
                    continue
                if onward(depth + 1, _taken(held, choice), cost - choice.cost, lost - dies):
                    return True
            failed.add(key)
            return False

        return onward(0, ((),) * self.places, cost, lost)


# --- without a plan for all: how many find no room --------------------------------------------------------------------

MOST_STATES = 5_000
"""So many ways to fill places are kept while they are looked through."""
Group = tuple[int, int, tuple[int, ...]]
"""Units of one kind that have the same ends with room: the kind, how many they are, the ends."""
Filled = tuple[tuple[int, ...], frozenset[int]]
"""The kinds that have come to a place, and the kinds of those whom it has to be too full for in the end."""


def without_room(backs: Sequence[Back]) -> dict[int, Fraction]:
    """How many of the units of a side that go back at once end where there is no room, with the chances of their dice.

    None of them takes a full place while it has another end. Their owner leaves as few out as he can; where the enemy moves one of
    them (`enemy_moves`), he leaves out as many as he can.
    """
    going = [back for back in backs if back.ways and not back.stays]
    if not going:
        return {0: Fraction(1)}
    worst = any(back.enemy_moves for back in going)
    room = Room(going[0].field, [back.standing for back in backs if not back.stays])
    found: dict[int, Fraction] = {}
    for length, chance in max((back.length.chances for back in going), key=len).items():
        ways = [back.ways[int(length)] if int(length) in back.ways else back.ways[min(back.ways)] for back in going]
        ends = [
            (back.standing, frozenset(way.end for way in mine)) for back, mine in zip(going, ways, strict=True) if mine
        ]
        count = left_out(room, ends, worst)
        found[count] = found.get(count, Fraction(0)) + chance
    return found


def left_out(room: Room, units: Sequence[tuple[Standing, Collection[int]]], worst: bool) -> int:
    """How many units find no room at one of their ends, if they are moved as badly (`worst`) or as well as may be."""
    members: dict[tuple[int, tuple[int, ...]], int] = {}
    outside = 0
    for standing, ends in units:
        kind = room.kind(standing)
        roomy = tuple(sorted(n for n in ends if room.fits(n, (kind,))))
        outside += not roomy
        if roomy:
            members[kind, roomy] = members.get((kind, roomy), 0) + 1
    groups = [(kind, count, ends) for (kind, ends), count in members.items()]
    return outside + (0 if _plenty(room, groups) else _most_or_fewest(room, groups, worst))


def _plenty(room: Room, groups: Sequence[Group]) -> bool:
    """Whether no unit can be left out, whatever is done: all who could come can't fill the ends of any group."""
    for kind, _, ends in groups:
        rivals = [other for other in groups if not set(ends).isdisjoint(other[2])]
        others = sum(count for _, count, _ in rivals) - 1
        if sum(_filled_by(room, n, kind, {other[0] for other in rivals}, others) for n in ends) <= others:
            return False
    return True


def _filled_by(room: Room, n: int, kind: int, others: Collection[int], most: int) -> int:
    """How many units of some kinds, at least, leave no room in a place for one more of a kind; more than `most`, if so many don't."""
    filled: set[tuple[int, ...]] = {()}
    for count in range(1, most + 1):
        more = {tuple(sorted((*kinds, other))) for kinds in filled for other in others}
        filled = {kinds for kinds in more if room.fits(n, kinds)}
        if len(filled) > MOST_STATES or any(not room.fits(n, tuple(sorted((*kinds, kind)))) for kinds in filled):
            return count
    return most + 1


def _most_or_fewest(room: Room, groups: Sequence[Group], worst: bool) -> int:
    """All ways to put the groups down, one after the other; a unit may be left out only if all its ends are full in the end."""
    last = {n: number for number, (_, _, ends) in enumerate(groups) for n in ends}
    states: dict[frozenset[tuple[int, Filled]], int] = {frozenset(): 0}
    choose = max if worst else min
    for number, (kind, count, ends) in enumerate(groups):
        onward: dict[frozenset[tuple[int, Filled]], int] = {}
        for state, outside in states.items():
            now = dict(state)
            before = [now.get(n, ((), frozenset())) for n in ends]
            for spread in _spreads(room, kind, count, [(n, kinds) for n, (kinds, _) in zip(ends, before, strict=True)]):
                more = count - sum(spread)
                after = dict(now)
                for n, (kinds, wanted), come in zip(ends, before, spread, strict=True):
                    after[n] = tuple(sorted((*kinds, *(kind,) * come))), wanted | {kind} if more else wanted
                done = [(n, after.pop(n)) for n in ends if last[n] == number]
                if not any(room.fits(n, tuple(sorted((*kinds, who)))) for n, (kinds, wanted) in done for who in wanted):
                    key = frozenset(after.items())
                    onward[key] = choose(onward.get(key, outside + more), outside + more)
        states = dict(sorted(onward.items(), key=lambda pair: pair[1], reverse=worst)[:MOST_STATES])
    return choose(states.values())


def _spreads(
    room: Room, kind: int, count: int, places: Sequence[tuple[int, tuple[int, ...]]]
) -> Iterator[tuple[int, ...]]:
    """All ways to put at most so many units of a kind where there is room."""
    if not places:
        yield ()
        return
    n, kinds = places[0]
    for come in range(count + 1):
        if come and not room.fits(n, tuple(sorted((*kinds, *(kind,) * come)))):
            return
        for rest in _spreads(room, kind, count - come, places[1:]):
            yield come, *rest

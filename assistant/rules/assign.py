"""The best way to share firers out among attacks, exactly: dynamic programming over who has fired, with bounds.

Firers that are alike everywhere are one kind with a count. A state is how many of each kind have fired, packed into
one number: a field for each kind, with a spare bit on top that a subtraction clears when there are too few. Of all
ways to make an attack, and of all states, only those are kept of which no part does as well.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Worth = Callable[[int, int], int]
"""What an attack in so high a band, by firers with these traits together, is worth."""
LIMIT = 50_000
"""States at most: 15 firers of which no two are alike, or more where some are."""


@dataclass(frozen=True)
class Option:
    """An attack that may be made on some of a stack's units (bits)."""

    units: int
    able: tuple[int, ...]
    """How many of each kind of firer may take part."""
    strengths: tuple[int, ...]
    """What one of each kind adds to the attack."""
    traits: tuple[int, ...]
    """Bits that one of each kind brings into the attack, however many do."""
    bands: tuple[int, ...]
    """The least strength of each column, from the lowest up; below the first (band 0) there is no attack."""
    worth: Worth
    whole: Callable[[tuple[int, ...]], int] | None = None
    """Where strengths and traits can't tell it: what the attack is worth with so many of each kind."""


def whole_option(able: tuple[int, ...], whole: Callable[[tuple[int, ...]], int]) -> Option:
    """An attack on all of a stack of which only the numbers of each kind are known."""
    none = (0,) * len(able)
    return Option(1, able, none, none, (), lambda band, traits: 0, whole)


@dataclass(frozen=True)
class Stack:
    """Units in one hex: each may be in one attack at most."""

    size: int
    options: tuple[Option, ...]


class Attack(NamedTuple):
    """An attack of the best plan: which stack and option, by their places, and how many of each kind fire."""

    stack: int
    option: int
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """The best plan and its worth."""

    worth: int
    attacks: tuple[Attack, ...]


class TooMany(ValueError):
    """More different firers than can all be tried."""


class Way(NamedTuple):
    """One way to make an attack: what it is worth, how many of each kind (packed), and how many in all."""

    worth: int
    step: int
    size: int


Held = dict[int, tuple[int, Any]]
"""States: what each is worth, and the attacks that lead to it, as a chain of pairs."""


def best_plan(counts: Sequence[int], stacks: Sequence[Stack]) -> Plan:
    """The plan that is worth most; of several, one with the fewest firers. Each unit fires once."""
    pack = _Pack(counts)
    ways = [[pack.ways(option) for option in stack.options] for stack in stacks]
    hopes = [_hopes(stack, held) for stack, held in zip(stacks, ways, strict=True)]
    floor = pack.greedy(stacks, ways)
    states: Held = {0: (0, None)}
    for s, stack in enumerate(stacks):
        later = sum(held[-1] for held in hopes[s + 1 :])
        states = pack.after(states, s, stack, ways[s], hopes[s], floor - later)
    top = max(worth for worth, _ in states.values())
    _, end = min((pack.sizes[pack.places[state]], state) for state, (worth, _) in states.items() if worth == top)
    attacks, chain = [], states[end][1]
    while chain is not None:
        chain, s, o, w = chain
        attacks.append(Attack(s, o, pack.digits(ways[s][o][w].step)))
    return Plan(top, tuple(reversed(attacks)))


class _Pack:
    """Counts packed into numbers."""

    def __init__(self, counts: Sequence[int]) -> None:
        self.counts = tuple(counts)
        self.units: list[int] = []
        self.guard = self.full = 0
        shift, size = 0, 1
        for count in counts:
            self.units.append(1 << shift)
            self.full |= count << shift
            shift += count.bit_length()
            self.guard |= 1 << shift
            shift += 1
            size *= count + 1
            if size > LIMIT:
                raise TooMany("so many different firers can't all be tried; name fewer firers or fewer targets")
        self.every = self.sums(self.counts, self.units)
        self.sizes = self.sums(self.counts, [1] * len(self.counts))
        self.places = {state: place for place, state in enumerate(self.every)}
        self.more = 1 + sum(self.counts)

    @staticmethod
    def sums(most: Sequence[int], each: Sequence[int]) -> list[int]:
        """For all counts up to these, the last kind counting up slowest: the sum of what each one adds."""
        found = [0]
        for count, one in zip(most, each, strict=True):
            found = [n * one + held for n in range(count + 1) for held in found]
        return found

    def digits(self, state: int) -> tuple[int, ...]:
        """The counts of a packed state."""
        return tuple(
            state // unit & ((1 << count.bit_length()) - 1) for unit, count in zip(self.units, self.counts, strict=True)
        )

    def ways(self, option: Option) -> list[Way]:
        """The ways to make an attack of which no part is worth as much; the best first."""
        steps, sizes = self.sums(option.able, self.units), self.sums(option.able, [1] * len(option.able))
        keys = self.keys(option, steps, sizes)
        best = _best_of_parts(keys, option.able)
        ways = [
            Way((key + size) // self.more, step, size)
            for key, top, step, size in zip(keys, best, steps, sizes, strict=True)
            if key == top and key > 0
        ]
        ways.sort(key=lambda way: (-way.worth, way.size, way.step))
        return ways

    def keys(self, option: Option, steps: Sequence[int], sizes: Sequence[int]) -> list[int]:
        """What each way to make an attack is worth, and of equal worth the higher the fewer take part."""
        if option.whole is not None:
            return [option.whole(self.digits(step)) * self.more - size for step, size in zip(steps, sizes, strict=True)]
        strengths = self.sums(option.able, option.strengths)
        traits = [0]
        for able, bits in zip(option.able, option.traits, strict=True):
            traits = traits + [held | bits for held in traits] * able
        known: dict[tuple[int, int], int] = {}
        keys = []
        for strength, together, size in zip(strengths, traits, sizes, strict=True):
            band = bisect_right(option.bands, strength) if size else 0
            worth = known.get((band, together))
            if worth is None:
                worth = known[band, together] = option.worth(band, together) if band else 0
            keys.append(worth * self.more - size)
        return keys

    def after(
        self, states: Held, s: int, stack: Stack, ways: Sequence[Sequence[Way]], hopes: Sequence[int], floor: int
    ) -> Held:
        """The states after a stack: the first of its units that is left is attacked with others, or let be."""
        layers: dict[int, Held] = {0: states}
        full = (1 << stack.size) - 1
        for mask in range(full):
            held = layers.pop(mask, None)
            if held is None:
                continue
            held = self.undominated(held)
            low = (mask + 1) & ~mask
            onward = layers.setdefault(mask | low, {})
            bar = floor - hopes[full & ~(mask | low)]
            for state, one in held.items():
                if one[0] >= bar and (state not in onward or one[0] > onward[state][0]):
                    onward[state] = one
            for o, option in enumerate(stack.options):
                if option.units & low and not option.units & mask:
                    onward = layers.setdefault(mask | option.units, {})
                    bar = floor - hopes[full & ~(mask | option.units)]
                    self.spread(held, onward, ways[o], (s, o), bar)
        return self.undominated(layers[full])

    def spread(self, held: Held, onward: Held, ways: Sequence[Way], where: tuple[int, int], bar: int) -> None:
        """Every state goes on by every way that its free firers allow, unless it can't reach the bar."""
        guard, room_of = self.guard, self.full | self.guard
        steps = [(way.worth, way.step, w) for w, way in enumerate(ways)]
        for state, (so_far, chain) in held.items():
            room = room_of - state
            for worth, step, w in steps:
                total = so_far + worth
                if total < bar:
                    break
                if (room - step) & guard == guard:
                    there = onward.get(state + step)
                    if there is None or total > there[0]:
                        onward[state + step] = (total, (chain, *where, w))

    def greedy(self, stacks: Sequence[Stack], ways: Sequence[Sequence[Sequence[Way]]]) -> int:
        """The worth of a plan that always takes the attack with most worth for each firer: the best is no worse."""
        every = [
            (way.worth, s, option.units, way.step, way.size)
            for s, stack in enumerate(stacks)
            for option, held in zip(stack.options, ways[s], strict=True)
            for way in held
        ]
        best = 0
        for power in (1, 2, 4):
            every.sort(key=lambda one: (-(one[0] ** power) // one[4], one))
            room, taken, total = self.full | self.guard, [0] * len(stacks), 0
            for worth, s, units, step, _ in every:
                if not taken[s] & units and (room - step) & self.guard == self.guard:
                    room -= step
                    taken[s] |= units
                    total += worth
            best = max(best, total)
        return best

    def undominated(self, held: Held) -> Held:
        """The states of which no part (fewer firers) is worth as much."""
        if len(held) < 2:
            return held
        keys = [-self.more] * len(self.every)
        places, sizes, more = self.places, self.sizes, self.more
        for state, one in held.items():
            place = places[state]
            keys[place] = one[0] * more - sizes[place]
        best = _best_of_parts(keys, self.counts)
        return {state: one for state, one in held.items() if keys[places[state]] == best[places[state]]}


def _best_of_parts(keys: Sequence[int], counts: Sequence[int]) -> list[int]:
    """For all counts, the highest key of any part of them, themselves included."""
    best = list(keys)
    stride = 1
    for count in counts:
        if count:
            for start in range(0, len(best), stride * (count + 1)):
                for here in range(start + stride, start + stride * (count + 1), stride):
                    best[here : here + stride] = map(max, best[here - stride : here], best[here : here + stride])
        stride *= count + 1
    return best


def _hopes(stack: Stack, ways: Sequence[Sequence[Way]]) -> list[int]:
    """What each part of a stack could be worth if all firers were free for every attack on it."""
    best = [0] * (1 << stack.size)
    tops = [held[0].worth if held else 0 for held in ways]
    for mask in range(1, 1 << stack.size):
        low = mask & -mask
        best[mask] = best[mask ^ low]
        for option, top in zip(stack.options, tops, strict=True):
            if option.units & low and not option.units & ~mask:
                best[mask] = max(best[mask], top + best[mask ^ option.units])
    return best

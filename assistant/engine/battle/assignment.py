"""The exact best way to distribute firers among attacks: dynamic programming over the firers used, with bounds.

Firers that are equal everywhere are one kind with a count. A state says how many of each kind have fired. It is
packed into one number: a field for each kind, with a spare bit on top that a subtraction clears when there are too
few. Attacks and states are dropped if a part of them is worth as much.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Worth = Callable[[int, int], int]
"""The worth of an attack in this band by firers with these combined traits."""
LIMIT = 50_000
"""The maximum number of states: enough for 15 different firers, or more where some are equal."""


@dataclass(frozen=True)
class AttackOption:
    """An attack on some of a stack's units (bits)."""

    units: int
    usable_units: tuple[int, ...]
    """How many of each kind of firer may take part."""
    strengths: tuple[int, ...]
    """What one firer of each kind adds to the attack."""
    traits: tuple[int, ...]
    """Bits that a kind adds to the attack, however many firers of it take part."""
    bands: tuple[int, ...]
    """The lowest strength of each column, in rising order; below the first (band 0) there is no attack."""
    worth: Worth
    total_value: Callable[[tuple[int, ...]], int] | None = None
    """The attack's worth by the number of each kind, where strengths and traits can't give it."""


def whole_option(max_counts: tuple[int, ...], worth_of_counts: Callable[[tuple[int, ...]], int]) -> AttackOption:
    """Return an attack on a whole stack whose worth depends only on the number of each kind."""
    zeros = (0,) * len(max_counts)
    return AttackOption(1, max_counts, zeros, zeros, (), lambda band, traits: 0, worth_of_counts)


@dataclass(frozen=True)
class UnitStack:
    """Units in one hex. Each may be attacked only once."""

    size: int
    options: tuple[AttackOption, ...]


class PlannedAttack(NamedTuple):
    """An attack of the best plan: the index of the stack and of the option, and how many of each kind fire."""

    stack: int
    option: int
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Assignment:
    """The best plan and its worth."""

    worth: int
    attacks: tuple[PlannedAttack, ...]


class TooManyAssignments(ValueError):
    """There are more different firers than the search can try."""


class FiringChoice(NamedTuple):
    """One way to make an attack: its worth, how many of each kind (packed), and how many in all."""

    worth: int
    step: int
    size: int


Assignments = dict[int, tuple[int, Any]]
"""States: the worth of each, and the attacks that lead to it as a chain of pairs."""


def best_plan(counts: Sequence[int], stacks: Sequence[UnitStack]) -> Assignment:
    """Return the plan with the highest worth, and of several the one with the fewest firers. Each unit fires once."""
    pack = _Pack(counts)
    ways = [[pack.ways(option) for option in stack.options] for stack in stacks]
    hopes = [_hopes(stack, option_ways) for stack, option_ways in zip(stacks, ways, strict=True)]
    floor = pack.greedy(stacks, ways)
    states: Assignments = {0: (0, None)}
    for s, stack in enumerate(stacks):
        later = sum(stack_hopes[-1] for stack_hopes in hopes[s + 1 :])
        states = pack.next_states(states, s, stack, ways[s], hopes[s], floor - later)
    top = max(worth for worth, _ in states.values())
    _, end = min((pack.sizes[pack.places[state]], state) for state, (worth, _) in states.items() if worth == top)
    attacks, chain = [], states[end][1]
    while chain is not None:
        chain, s, o, w = chain
        attacks.append(PlannedAttack(s, o, pack.digits(ways[s][o][w].step)))
    return Assignment(top, tuple(reversed(attacks)))


class _Pack:
    """Packs counts into numbers."""

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
                raise TooManyAssignments(
                    "there are too many different firers to try every plan; name fewer firers or fewer targets"
                )
        self.full_state = self.sums(self.counts, self.units)
        self.sizes = self.sums(self.counts, [1] * len(self.counts))
        self.places = {state: place for place, state in enumerate(self.full_state)}
        self.base = 1 + sum(self.counts)

    @staticmethod
    def sums(max_counts: Sequence[int], addends: Sequence[int]) -> list[int]:
        """Return the sum of the addends for all counts up to these; the last kind counts up slowest."""
        totals = [0]
        for count, addend in zip(max_counts, addends, strict=True):
            totals = [n * addend + total for n in range(count + 1) for total in totals]
        return totals

    def digits(self, state: int) -> tuple[int, ...]:
        """Return the counts of a packed state."""
        return tuple(
            state // unit & ((1 << count.bit_length()) - 1) for unit, count in zip(self.units, self.counts, strict=True)
        )

    def ways(self, option: AttackOption) -> list[FiringChoice]:
        """Return the ways to make an attack, except those of which a part is worth as much; the best first."""
        steps, sizes = (
            self.sums(option.usable_units, self.units),
            self.sums(option.usable_units, [1] * len(option.usable_units)),
        )
        keys = self.keys(option, steps, sizes)
        best = _best_of_parts(keys, option.usable_units)
        ways = [
            FiringChoice((key + size) // self.base, step, size)
            for key, top, step, size in zip(keys, best, steps, sizes, strict=True)
            if key == top and key > 0
        ]
        ways.sort(key=lambda way: (-way.worth, way.size, way.step))
        return ways

    def keys(self, option: AttackOption, steps: Sequence[int], sizes: Sequence[int]) -> list[int]:
        """Return a sort key for each way to make an attack: its worth, then fewer firers."""
        if option.total_value is not None:
            return [
                option.total_value(self.digits(step)) * self.base - size
                for step, size in zip(steps, sizes, strict=True)
            ]
        strengths = self.sums(option.usable_units, option.strengths)
        traits = [0]
        for max_count, bits in zip(option.usable_units, option.traits, strict=True):
            traits = traits + [trait_bits | bits for trait_bits in traits] * max_count
        worth_cache: dict[tuple[int, int], int] = {}
        keys = []
        for strength, trait_union, size in zip(strengths, traits, sizes, strict=True):
            band = bisect_right(option.bands, strength) if size else 0
            worth = worth_cache.get((band, trait_union))
            if worth is None:
                worth = worth_cache[band, trait_union] = option.worth(band, trait_union) if band else 0
            keys.append(worth * self.base - size)
        return keys

    def next_states(
        self,
        states: Assignments,
        s: int,
        stack: UnitStack,
        ways: Sequence[Sequence[FiringChoice]],
        hopes: Sequence[int],
        floor: int,
    ) -> Assignments:
        """Return the states after a stack: its first remaining unit is attacked with others, or left alone."""
        layers: dict[int, Assignments] = {0: states}
        full = (1 << stack.size) - 1
        for mask in range(full):
            layer = layers.pop(mask, None)
            if layer is None:
                continue
            layer = self.drop_dominated(layer)
            low = (mask + 1) & ~mask
            onward = layers.setdefault(mask | low, {})
            bar = floor - hopes[full & ~(mask | low)]
            for state, entry in layer.items():
                if entry[0] >= bar and (state not in onward or entry[0] > onward[state][0]):
                    onward[state] = entry
            for o, option in enumerate(stack.options):
                if option.units & low and not option.units & mask:
                    onward = layers.setdefault(mask | option.units, {})
                    bar = floor - hopes[full & ~(mask | option.units)]
                    self.spread(layer, onward, ways[o], (s, o), bar)
        return self.drop_dominated(layers[full])

    def spread(
        self,
        states: Assignments,
        onward: Assignments,
        ways: Sequence[FiringChoice],
        option_key: tuple[int, int],
        bar: int,
    ) -> None:
        """Extend every state by every way that its free firers allow, unless it can't reach the bar."""
        guard, room_of = self.guard, self.full | self.guard
        steps = [(way.worth, way.step, w) for w, way in enumerate(ways)]
        for state, (so_far, chain) in states.items():
            room = room_of - state
            for worth, step, w in steps:
                total = so_far + worth
                if total < bar:
                    break
                if (room - step) & guard == guard:
                    rival = onward.get(state + step)
                    if rival is None or total > rival[0]:
                        onward[state + step] = (total, (chain, *option_key, w))

    def greedy(self, stacks: Sequence[UnitStack], ways: Sequence[Sequence[Sequence[FiringChoice]]]) -> int:
        """Return the worth of a plan that always takes the attack with the most worth for each firer: a lower bound
        of the best."""
        candidates = [
            (way.worth, s, option.units, way.step, way.size)
            for s, stack in enumerate(stacks)
            for option, option_ways in zip(stack.options, ways[s], strict=True)
            for way in option_ways
        ]
        best = 0
        for power in (1, 2, 4):
            candidates.sort(key=lambda candidate: (-(candidate[0] ** power) // candidate[4], candidate))
            room, used_units, total = self.full | self.guard, [0] * len(stacks), 0
            for worth, s, units, step, _ in candidates:
                if not used_units[s] & units and (room - step) & self.guard == self.guard:
                    room -= step
                    used_units[s] |= units
                    total += worth
            best = max(best, total)
        return best

    def drop_dominated(self, states: Assignments) -> Assignments:
        """Drop the states of which a part (fewer firers) is worth as much."""
        if len(states) < 2:
            return states
        keys = [-self.base] * len(self.full_state)
        places, sizes, scale = self.places, self.sizes, self.base
        for state, entry in states.items():
            place = places[state]
            keys[place] = entry[0] * scale - sizes[place]
        best = _best_of_parts(keys, self.counts)
        return {state: entry for state, entry in states.items() if keys[places[state]] == best[places[state]]}


def _best_of_parts(keys: Sequence[int], counts: Sequence[int]) -> list[int]:
    """Return, for all counts, the highest key of the counts or any part of them."""
    best = list(keys)
    stride = 1
    for count in counts:
        if count:
            for start in range(0, len(best), stride * (count + 1)):
                for offset in range(start + stride, start + stride * (count + 1), stride):
                    best[offset : offset + stride] = map(
                        max, best[offset - stride : offset], best[offset : offset + stride]
                    )
        stride *= count + 1
    return best


def _hopes(stack: UnitStack, ways: Sequence[Sequence[FiringChoice]]) -> list[int]:
    """Return an upper bound for each part of a stack: its worth if all firers were free for every attack on it."""
    best = [0] * (1 << stack.size)
    tops = [option_ways[0].worth if option_ways else 0 for option_ways in ways]
    for mask in range(1, 1 << stack.size):
        low = mask & -mask
        best[mask] = best[mask ^ low]
        for option, top in zip(stack.options, tops, strict=True):
            if option.units & low and not option.units & ~mask:
                best[mask] = max(best[mask], top + best[mask ^ option.units])
    return best

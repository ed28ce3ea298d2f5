"""What would cut supply most: a place that the enemy takes, and who would be out of supply then."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from assistant.rules.asked import AskedOfEmptyMap
from assistant.rules.field import Standing, UnnamedEnemy, Walker
from assistant.rules.stacking import unmet
from assistant.rules.supply import Root, SideSupply
from assistant.rules.walk import MOST_COST, Price, Stepper

Lost = frozenset[int]
NOWHERE: Lost = frozenset()


class Cut(NamedTuple):
    """A place, the units that would be out of supply if the enemy took it, and those that would be lost with it."""

    place: int
    out: tuple[Standing, ...]
    gone: tuple[Standing, ...]


class Claim(NamedTuple):
    """What may serve a unit: a root, the places that a way from it may come to, and how far it may go."""

    root: Root
    touch: Collection[int]
    limit: Price | None


def cuts(supply: SideSupply, *, most: int = 3, zone: bool = False) -> tuple[Cut, ...]:
    """The places that, taken by the enemy, would cut most units; worst first, ties by number.

    With `zone` he who takes a place brings every zone along, which counts where the trace's records forbid entering one. Exact: a
    place that leaves a known way to a unit whole can't cut it. The place that threatens most units is tried first; a way found around
    it is known from then on, and places that threaten fewer units than the worst cut needn't be tried.
    """
    search = _Cuts(supply, zone)
    held = {standing.at for standing in supply.field.standings if standing.side != supply.side}
    allowed = ~sum(1 << place for place in held | _closed(supply))
    alike: dict[tuple[int, tuple[Claim, ...]], list[Standing]] = {}
    for standing in supply.mine:
        if supply.free(standing) is None and (claims := search.claims(standing)):
            alike.setdefault((standing.at, claims), []).append(standing)
    threats = {key: search.threats(key[1]) & allowed & ~(1 << key[0]) for key in alike}
    found: dict[int, list[Standing]] = {}
    while True:
        count, places = _most_common((mask, len(alike[key])) for key, mask in threats.items())
        worst = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))[:most]
        if not count or (len(worst) == most and count < len(worst[-1][1])):
            break
        place = (places & -places).bit_length() - 1
        for key, mask in threats.items():
            if mask >> place & 1:
                spared = search.without(place).way(key[1])
                if spared is None:
                    found.setdefault(place, []).extend(alike[key])
                threats[key] = mask & (~(1 << place) if spared is None else spared)
    order = {standing: number for number, standing in enumerate(supply.mine)}
    there = supply.field.by_place
    return tuple(Cut(place, tuple(sorted(out, key=order.__getitem__)), there.get(place, ())) for place, out in worst)


def _most_common(masks: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """How often, weights counted, the most common bits of some masks occur; and these bits. Counted for all bits at once: plane by plane
    of the binary number."""
    planes: list[int] = []
    for mask, weight in masks:
        place = 0
        while weight:
            carry = mask if weight & 1 else 0
            at = place
            while carry:
                if at >= len(planes):
                    planes += [0] * (at + 1 - len(planes))
                planes[at], carry = planes[at] ^ carry, planes[at] & carry
                at += 1
            weight >>= 1
            place += 1
    count, bits = 0, -1
    for plane in reversed(planes):
        count = 2 * count + bool(bits & plane)
        bits = bits & plane or bits
    return count, bits if count else 0


def _closed(supply: SideSupply) -> set[int]:
    """The places where no enemy can be at all, whichever unit he is."""
    field, demands = supply.field, supply.field.program.for_anybody(supply.field.program.rules.standing).records
    side = next((side for side in field.sides if side != supply.side), None)
    if not demands or side is None:
        return set()
    walker = Walker(side, {"side": side, "nation": "", "id": ""})
    names = frozenset(name.removeprefix("to.") for demand in demands for name in demand.uses)
    found: set[int] = set()
    for places in field.kinds.alike(names):
        if unmet(field, demands, AskedOfEmptyMap(field, walker, {"to": places[0]}, None)):
            found.update(places)
    return found


class _Cuts:
    """The ways of one side's supplies, as sets of bits: every place whose taking would cut them."""

    def __init__(self, supply: SideSupply, zone: bool) -> None:
        self.supply, self.zone, self.field = supply, zone, supply.field
        self._claims: dict[tuple[str, Standing], tuple[Claim, ...]] = {}
        self._threats: dict[tuple[int, int], int] = {}
        self._masks: dict[tuple[int, int], int] = {}
        self._shut: dict[tuple[Any, ...], bool] = {}
        self._watched: dict[int, frozenset[int]] = {}
        self._losses: dict[int, _Loss] = {}
        self._back: dict[Root, dict[int, tuple[tuple[int, Price], ...]]] = {}
        self._beyond: dict[Root, int] = {}
        self._reached: dict[tuple[int, int, Price | None], tuple[tuple[Price, int], ...]] = {}
        self._takings: dict[int, tuple[int, ...]] = {}
        program = self.field.program
        asked = frozenset(name for trace in supply.traces.values() for name in program.ready(trace.steps).uses.to)
        self._zones = tuple(zone for zone in program.rules.zones if zone in asked)
        self._zoned = {f"to.{name}": True for name in self._zones}

    def claims(self, standing: Standing) -> tuple[Claim, ...]:
        """All that serves a unit."""
        return tuple(claim for name in self.supply.traces for claim in self.by(name, standing))

    def by(self, name: str, standing: Standing) -> tuple[Claim, ...]:
        """What serves a unit by one trace."""
        key = name, standing
        if key not in self._claims:
            self._claims[key] = tuple(
                Claim(root, touch, limit) for root, touch, limit in self.supply.able(name, standing)
            )
        return self._claims[key]

    def without(self, place: int) -> _Loss:
        """What is left when a place is lost."""
        if place not in self._losses:
            self._losses[place] = _Loss(self, place)
        return self._losses[place]

    def shut(self, stepper: Stepper, n: int) -> bool:
        """Whether a way can't enter a place that is in the zones of who took the place next to it."""
        key = id(stepper.memo), *stepper.alike(n)
        if key not in self._shut:
            self._shut[key] = stepper.entered_if(n, {"last": False, **self._zoned, **stepper.more}) is not None
        return self._shut[key]

    def watched(self, place: int) -> frozenset[int]:
        """The places that are in a zone of who takes a place."""
        if place not in self._watched:
            field = self.field
            taker = field.taker(self.supply.side, place, zone=True)
            self._watched[place] = frozenset(n for zone in self._zones for n in field.zones.around(zone, taker))
        return self._watched[place]

    def threatened(self, root: Root, state: int) -> int:
        """The places whose taking costs a way this state."""
        stepper, n = judge(root, state), place_of(root, state)
        key = id(stepper.memo), n
        if key not in self._threats:
            mask = 1 << n
            if self.zone and self.shut(stepper, n):
                for m in self._taking(n):
                    mask |= 1 << m
            self._threats[key] = mask
        return self._threats[key]

    @cached_property
    def _taker(self) -> UnnamedEnemy:
        return self.field.taker(self.supply.side, 0, zone=True)

    def _taking(self, n: int) -> tuple[int, ...]:
        """The places whose taking puts a place into a zone of who took them."""
        if n not in self._takings:
            self._takings[n] = self.field.zones.from_taken(self._zones, self._taker, n)
        return self._takings[n]

    def within(self, root: Root, state: int) -> int:
        """The way from a root to a state."""
        fresh, here = [], state
        key = id(root), here
        while key not in self._masks:
            fresh.append(here)
            before = came_from(root, here)
            if before is None:
                self._masks[key] = self.threatened(root, here)
                break
            here = before
            key = id(root), here
        mask = self._masks[key]
        for one in reversed(fresh):
            mask |= self.threatened(root, one)
            self._masks[id(root), one] = mask
        return mask

    def beyond(self, root: Root) -> int:
        """The ways by which the unit that a root begins with is in supply itself."""
        if root not in self._beyond:
            mask = 0
            for name in self.stages(root):
                claims = self.by(name, root.source) if root.source is not None else ()
                best = min(
                    ((cost, number) for number, claim in enumerate(claims) for cost, _ in reached(claim)), default=None
                )
                if best is not None:
                    claim = claims[best[1]]
                    mask |= self.within(claim.root, min(reached(claim))[1]) | self.beyond(claim.root)
            self._beyond[root] = mask
        return self._beyond[root]

    def stages(self, root: Root) -> tuple[str, ...]:
        """The traces by which the unit that a root begins with has to be in supply itself."""
        return self.supply.stages(root.name) if root.source is not None else ()

    def reached(self, claim: Claim) -> tuple[tuple[Price, int], ...]:
        """The states by which a claim is met, each with what it costs."""
        key = id(claim.root), id(claim.touch), claim.limit
        if key not in self._reached:
            self._reached[key] = tuple(reached(claim))
        return self._reached[key]

    def threats(self, claims: Iterable[Claim]) -> int:
        """What threatens every known way at once; nothing where there is no way."""
        common = -1
        for claim in claims:
            for _, state in self.reached(claim):
                common &= self.within(claim.root, state) | self.beyond(claim.root)
        return 0 if common == -1 else common

    def known_back(self, root: Root) -> dict[int, tuple[tuple[int, Price], ...]]:
        """For states of a root that were asked for so far: those from which a step leads there, and what it costs."""
        return self._back.setdefault(root, {})


class _Loss:
    """What is left of a side's supply when a place is lost."""

    def __init__(self, cuts: _Cuts, place: int) -> None:
        self.cuts, self.place = cuts, place
        self._lost: dict[int, Lost] = {}
        self._gone: dict[Root, Lost] = {}
        self._stands: dict[Root, int | None] = {}
        self._fallen: dict[Root, dict[int, bool]] = {}

    def lost(self, stepper: Stepper) -> Lost:
        """The places that a way can't enter any more."""
        key = id(stepper.memo)
        if key not in self._lost:
            near = self.cuts.watched(self.place) if self.cuts.zone else ()
            self._lost[key] = frozenset([self.place, *(n for n in near if self.cuts.shut(stepper, n))])
        return self._lost[key]

    def gone(self, root: Root) -> Lost:
        """The states that a way from a root can't come to any more."""
        if root not in self._gone:
            if root.final is None and root.tree.modes == 1:
                places, tree = self.lost(root.stepper), root.tree
                self._gone[root] = frozenset(
                    [*(n for n in places if n in tree.costs), *(-1 - n for n in places if n in tree.leaves)]
                )
                return self._gone[root]
            places = self.lost(root.stepper) | (self.lost(root.final) if root.final is not None else NOWHERE)
            states = (state for n in places for state in states_of(root, n))
            self._gone[root] = frozenset(
                state for state in states if place_of(root, state) in self.lost(judge(root, state))
            )
        return self._gone[root]

    def way(self, claims: Iterable[Claim]) -> int | None:
        """A way that something that serves a unit still has, or None."""
        for claim in claims:
            begins = self._begins(claim.root)
            if begins is not None and (onward := self._reaches(claim)) is not None:
                return begins | onward
        return None

    def _begins(self, root: Root) -> int | None:
        """The ways by which a root still serves; None where its unit is gone or out of supply."""
        if root not in self._stands:
            self._stands[root] = self._found_begins(root)
        return self._stands[root]

    def _found_begins(self, root: Root) -> int | None:
        source, supply = root.source, self.cuts.supply
        if source is None:
            return 0
        if source.at == self.place:
            return None
        ways = {name: self.way(self.cuts.by(name, source)) for name in self.cuts.stages(root)}
        served = {f"by.{name}": way is not None for name, way in ways.items()}
        if served and not supply.begins(root.name, source, served):
            return None
        mask = 0
        for way in ways.values():
            mask |= way or 0
        return mask

    def _reaches(self, claim: Claim) -> int | None:
        """How a root could still reach one of the wanted places within its limit.

        Searched backwards: the old cost of a state is the least its new one can be, so the first state found whose old way is
        whole decides.
        """
        root, cuts = claim.root, self.cuts
        fallen, lost = self._fallen.setdefault(root, {}), self.gone(root)
        best: dict[int, Price] = {state: 0 for _, state in cuts.reached(claim) if state not in lost}
        after: dict[int, int] = {}
        heap: list[tuple[Price, Price, int]] = [(cost_of(root, state), 0, state) for state in best]
        heapq.heapify(heap)
        costs, known = root.tree.costs, cuts.known_back(root)
        while heap:
            _, gone, here = heapq.heappop(heap)
            if gone > best[here]:
                continue
            if not (fallen[here] if here in fallen else _cut(root, here, lost, fallen)):
                mask = cuts.within(root, here)
                while here in after:
                    here = after[here]
                    mask |= cuts.threatened(root, here)
                return mask
            if here not in known:
                known[here] = tuple(_steps_to(root, here))
            for state, paid in known[here]:
                if state in lost:
                    continue
                onward = gone + paid
                least = onward + costs[state]
                if (claim.limit is None or least <= claim.limit) and (state not in best or onward < best[state]):
                    best[state], after[state] = onward, here
                    heapq.heappush(heap, (least, onward, state))
        return None


def _cut(root: Root, state: int, lost: Lost, fallen: dict[int, bool]) -> bool:
    """Whether the old way to a state leads through a lost one."""
    way: list[int] = []
    here: int | None = state
    result = False
    while here is not None:
        if here in fallen:
            result = fallen[here]
            break
        way.append(here)
        if here in lost:
            result = True
            break
        here = came_from(root, here)
    fallen.update(dict.fromkeys(way, result))
    return result


# States of the ways from a root: a place in a mode; below 0 a place where a way had to stop, and below those a place that only the
# last step of a way leads to.


def place_of(root: Root, state: int) -> int:
    """The place of a state."""
    if state >= 0:
        return state // root.tree.modes
    return -1 - state if not arrives(root, state) else -1 - state - len(root.stepper.kinds.places)


def arrives(root: Root, state: int) -> bool:
    """Whether a state is come to by the last step of a way."""
    return state < -len(root.stepper.kinds.places)


def judge(root: Root, state: int) -> Stepper:
    """Who judges the step to a state."""
    return root.final if root.final is not None and arrives(root, state) else root.stepper


def cost_of(root: Root, state: int) -> Price:
    """What a state costs."""
    if state >= 0:
        return root.tree.costs[state]
    if arrives(root, state):
        found = root.arrival(place_of(root, state))
        return found[0] if found is not None else MOST_COST
    return root.tree.leaves[-1 - state][0]


def came_from(root: Root, state: int) -> int | None:
    """The state before a state; None where a way begins."""
    if state >= 0:
        before = root.tree.before.get(state)
        return None if before is None else before[0]
    if arrives(root, state):
        found = root.arrival(place_of(root, state))
        return root.tree.states[found[1]] if found is not None else None
    return root.tree.leaves[-1 - state][1]


def states_of(root: Root, n: int) -> Iterator[int]:
    """The states of a place that are reached."""
    modes = root.tree.modes
    for state in range(n * modes, (n + 1) * modes):
        if state in root.tree.costs:
            yield state
    if n in root.tree.leaves:
        yield -1 - n
    if root.arrival(n) is not None:
        yield -1 - n - len(root.stepper.kinds.places)


def reached(claim: Claim) -> Iterator[tuple[Price, int]]:
    """The states by which a claim is met, each with what it costs."""
    for place in claim.touch:
        for state in states_of(claim.root, place):
            cost = cost_of(claim.root, state)
            if claim.limit is None or cost <= claim.limit:
                yield cost, state


def _steps_to(root: Root, state: int) -> Iterator[tuple[int, Price]]:
    tree, stepper = root.tree, judge(root, state)
    kinds, n, last = stepper.kinds, place_of(root, state), arrives(root, state)
    if tree.modes == 1 and not last and "" in stepper.modes:
        costs, start = tree.costs, tree.before
        for m, step in kinds.into(n):
            if m in costs:
                verdict = stepper.verdict(m, n, step, m not in start)
                if verdict.cost is not None and (verdict.stop is not None) == (state < 0):
                    yield m, verdict.cost
        return
    names = ("",) if tree.modes == 1 else ("", *stepper.modes)
    for m, step in kinds.into(n):
        for before in range(m * tree.modes, (m + 1) * tree.modes):
            if before not in tree.costs:
                continue
            came = "" if last else names[before % tree.modes]
            for mode, verdict in stepper.ways(m, n, step, before not in tree.before, came):
                stops = verdict.stop is not None
                fits = last or (
                    stops if state < 0 else not stops and (tree.modes == 1 or names[state % tree.modes] == mode)
                )
                if fits and verdict.cost is not None:
                    yield before, verdict.cost

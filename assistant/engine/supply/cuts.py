"""The places whose capture by the enemy cuts supply most, and the units that would then be out of supply."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from assistant.engine.movement.walk import MOST_COST, Price, StepEvaluator
from assistant.engine.placed_units import Mover, PlacedUnit, UnnamedEnemy
from assistant.engine.scope import EmptyMapScope
from assistant.engine.stacking import unmet
from assistant.engine.supply.supply_lines import SideSupply, SupplyRoot
from assistant.engine.zones import zones_of

LostPlaces = frozenset[int]
NOWHERE: LostPlaces = frozenset()


class SupplyCut(NamedTuple):
    """A place, the units that would be out of supply if the enemy took it, and the units that would be lost with it."""

    place: int
    unsupplied: tuple[PlacedUnit, ...]
    eliminated: tuple[PlacedUnit, ...]


class SupplyClaim(NamedTuple):
    """What may supply a unit: a root, the places that a path from it may end in, and its maximum length."""

    root: SupplyRoot
    touch: Collection[int]
    limit: Price | None


def cuts(supply: SideSupply, *, max_cuts: int = 3, zone: bool = False) -> tuple[SupplyCut, ...]:
    """Return the places whose capture by the enemy would cut off most units; worst first, ties by number.

    With `zone` the capturing unit has every zone, which counts where the trace's records forbid entering one. The
    result is exact: a place cannot cut a unit if a known path to the unit avoids it. The search tries the place first
    that threatens most units, and remembers every path around it. It skips places that threaten fewer units than the
    worst cut.
    """
    search = _Cuts(supply, zone)
    enemy_places = {unit.place for unit in supply.field.placed_units if unit.side != supply.side}
    allowed_mask = ~sum(1 << place for place in enemy_places | _unreachable_places(supply))
    units_by_claims: dict[tuple[int, tuple[SupplyClaim, ...]], list[PlacedUnit]] = {}
    for unit in supply.own_units:
        if supply.free(unit) is None and (claims := search.claims(unit)):
            units_by_claims.setdefault((unit.place, claims), []).append(unit)
    threats = {key: search.threats(key[1]) & allowed_mask & ~(1 << key[0]) for key in units_by_claims}
    units_by_place: dict[int, list[PlacedUnit]] = {}
    while True:
        count, places = _most_common((mask, len(units_by_claims[key])) for key, mask in threats.items())
        worst = sorted(units_by_place.items(), key=lambda item: (-len(item[1]), item[0]))[:max_cuts]
        if not count or (len(worst) == max_cuts and count < len(worst[-1][1])):
            break
        place = (places & -places).bit_length() - 1
        for key, mask in threats.items():
            if mask >> place & 1:
                remaining_mask = search.without(place).way(key[1])
                if remaining_mask is None:
                    units_by_place.setdefault(place, []).extend(units_by_claims[key])
                threats[key] = mask & (~(1 << place) if remaining_mask is None else remaining_mask)
    order = {unit: number for number, unit in enumerate(supply.own_units)}
    occupants = supply.field.by_place
    return tuple(
        SupplyCut(place, tuple(sorted(cut_units, key=order.__getitem__)), occupants.get(place, ()))
        for place, cut_units in worst
    )


def _most_common(masks: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Return how often, by weight, the most common bits of some masks occur, and these bits. It counts all bits at
    once: one bit plane of the binary number after the other."""
    planes: list[int] = []
    for mask, weight in masks:
        place = 0
        while weight:
            carry = mask if weight & 1 else 0
            level = place
            while carry:
                if level >= len(planes):
                    planes += [0] * (level + 1 - len(planes))
                planes[level], carry = planes[level] ^ carry, planes[level] & carry
                level += 1
            weight >>= 1
            place += 1
    count, bits = 0, -1
    for plane in reversed(planes):
        count = 2 * count + bool(bits & plane)
        bits = bits & plane or bits
    return count, bits if count else 0


def _unreachable_places(supply: SideSupply) -> set[int]:
    """Return the places where no enemy unit can ever be."""
    field, demands = supply.field, supply.field.program.for_anybody(supply.field.program.rules.allowed_places).records
    side = next((side for side in field.sides if side != supply.side), None)
    if not demands or side is None:
        return set()
    mover = Mover(side, {"side": side, "nation": "", "id": ""})
    names = frozenset(name.removeprefix("to.") for demand in demands for name in demand.uses)
    closed_places: set[int] = set()
    for places in field.map_index.group_places(names):
        if unmet(field, demands, EmptyMapScope(field.rule_values, mover, {"to": places[0]}, None)):
            closed_places.update(places)
    return closed_places


class _Cuts:
    """The supply paths of one side as sets of bits: every place whose capture would cut them."""

    def __init__(self, supply: SideSupply, zone: bool) -> None:
        self.supply, self.zone, self.field = supply, zone, supply.field
        self._claims: dict[tuple[str, PlacedUnit], tuple[SupplyClaim, ...]] = {}
        self._threats: dict[tuple[int, int], int] = {}
        self._masks: dict[tuple[int, int], int] = {}
        self._shut: dict[tuple[Any, ...], bool] = {}
        self._watched_places: dict[int, frozenset[int]] = {}
        self._losses: dict[int, _Loss] = {}
        self._back_steps: dict[SupplyRoot, dict[int, tuple[tuple[int, Price], ...]]] = {}
        self._own_lines: dict[SupplyRoot, int] = {}
        self._claim_states: dict[tuple[int, int, Price | None], tuple[tuple[Price, int], ...]] = {}
        self._takings: dict[int, tuple[int, ...]] = {}
        program = self.field.program
        step_names = frozenset(
            name for trace in supply.traces.values() for name in program.ready(trace.steps).uses.to_names
        )
        self._zones = tuple(zone for zone in program.rules.zones if zone in step_names)
        self._zone_values = {f"to.{name}": True for name in self._zones}

    def claims(self, unit: PlacedUnit) -> tuple[SupplyClaim, ...]:
        """Return everything that supplies a unit."""
        return tuple(claim for name in self.supply.traces for claim in self.claims_by(name, unit))

    def claims_by(self, name: str, unit: PlacedUnit) -> tuple[SupplyClaim, ...]:
        """Return what supplies a unit by one trace."""
        key = name, unit
        if key not in self._claims:
            self._claims[key] = tuple(
                SupplyClaim(root, touch, limit) for root, touch, limit in self.supply.usable_roots(name, unit)
            )
        return self._claims[key]

    def without(self, place: int) -> _Loss:
        """Return what is left when a place is lost."""
        if place not in self._losses:
            self._losses[place] = _Loss(self, place)
        return self._losses[place]

    def shut(self, evaluator: StepEvaluator, n: int) -> bool:
        """Whether a path can't enter a place because it is in the zones of a unit that took the adjacent place."""
        key = id(evaluator.memo), *evaluator.place_key(n)
        if key not in self._shut:
            self._shut[key] = (
                evaluator.entered_if(n, {"last": False, **self._zone_values, **evaluator.extra_values}) is not None
            )
        return self._shut[key]

    def watched_places(self, place: int) -> frozenset[int]:
        """Return the places in a zone of a unit that takes the place."""
        if place not in self._watched_places:
            field = self.field
            taker = field.taker(self.supply.side, place, zone=True)
            self._watched_places[place] = frozenset(
                n for zone in self._zones for n in zones_of(field).places_around(zone, taker)
            )
        return self._watched_places[place]

    def threatened_places(self, root: SupplyRoot, state: int) -> int:
        """Return the places whose capture cuts a path off from this state."""
        evaluator, n = judge(root, state), place_of(root, state)
        key = id(evaluator.memo), n
        if key not in self._threats:
            mask = 1 << n
            if self.zone and self.shut(evaluator, n):
                for m in self._taking(n):
                    mask |= 1 << m
            self._threats[key] = mask
        return self._threats[key]

    @cached_property
    def _taker(self) -> UnnamedEnemy:
        return self.field.taker(self.supply.side, 0, zone=True)

    def _taking(self, n: int) -> tuple[int, ...]:
        """Return the places whose capture puts a place into a zone of the capturing unit."""
        if n not in self._takings:
            self._takings[n] = zones_of(self.field).from_taken(self._zones, self._taker, n)
        return self._takings[n]

    def within(self, root: SupplyRoot, state: int) -> int:
        """Return the path from a root to a state."""
        fresh, current_state = [], state
        key = id(root), current_state
        while key not in self._masks:
            fresh.append(current_state)
            previous_state = came_from(root, current_state)
            if previous_state is None:
                self._masks[key] = self.threatened_places(root, current_state)
                break
            current_state = previous_state
            key = id(root), current_state
        mask = self._masks[key]
        for fresh_state in reversed(fresh):
            mask |= self.threatened_places(root, fresh_state)
            self._masks[id(root), fresh_state] = mask
        return mask

    def own_lines(self, root: SupplyRoot) -> int:
        """Return the paths by which the unit at a root is in supply itself."""
        if root not in self._own_lines:
            mask = 0
            for name in self.stages(root):
                claims = self.claims_by(name, root.source) if root.source is not None else ()
                best = min(
                    ((cost, number) for number, claim in enumerate(claims) for cost, _ in iter_claim_states(claim)),
                    default=None,
                )
                if best is not None:
                    claim = claims[best[1]]
                    mask |= self.within(claim.root, min(iter_claim_states(claim))[1]) | self.own_lines(claim.root)
            self._own_lines[root] = mask
        return self._own_lines[root]

    def stages(self, root: SupplyRoot) -> tuple[str, ...]:
        """Return the traces by which the unit at a root must be in supply itself."""
        return self.supply.stages(root.name) if root.source is not None else ()

    def claim_states(self, claim: SupplyClaim) -> tuple[tuple[Price, int], ...]:
        """Return the states that meet a claim, each with its cost."""
        key = id(claim.root), id(claim.touch), claim.limit
        if key not in self._claim_states:
            self._claim_states[key] = tuple(iter_claim_states(claim))
        return self._claim_states[key]

    def threats(self, claims: Iterable[SupplyClaim]) -> int:
        """Return the places that threaten every known path at once; empty where there is no path."""
        common = -1
        for claim in claims:
            for _, state in self.claim_states(claim):
                common &= self.within(claim.root, state) | self.own_lines(claim.root)
        return 0 if common == -1 else common

    def known_back(self, root: SupplyRoot) -> dict[int, tuple[tuple[int, Price], ...]]:
        """Return, for known states of a root, the states one step before and the cost of that step."""
        return self._back_steps.setdefault(root, {})


class _Loss:
    """What is left of a side's supply when a place is lost."""

    def __init__(self, cuts: _Cuts, place: int) -> None:
        self.cuts, self.place = cuts, place
        self._lost_places: dict[int, LostPlaces] = {}
        self._lost_states: dict[SupplyRoot, LostPlaces] = {}
        self._stands: dict[SupplyRoot, int | None] = {}
        self._fallen_states: dict[SupplyRoot, dict[int, bool]] = {}

    def lost_places(self, evaluator: StepEvaluator) -> LostPlaces:
        """Return the places that a path can't enter any more."""
        key = id(evaluator.memo)
        if key not in self._lost_places:
            near_places = self.cuts.watched_places(self.place) if self.cuts.zone else ()
            self._lost_places[key] = frozenset([self.place, *(n for n in near_places if self.cuts.shut(evaluator, n))])
        return self._lost_places[key]

    def lost_states(self, root: SupplyRoot) -> LostPlaces:
        """Return the states that a path from a root can't reach any more."""
        if root not in self._lost_states:
            if root.final is None and root.tree.modes == 1:
                places, tree = self.lost_places(root.stepper), root.tree
                self._lost_states[root] = frozenset(
                    [*(n for n in places if n in tree.costs), *(-1 - n for n in places if n in tree.leaves)]
                )
                return self._lost_states[root]
            places = self.lost_places(root.stepper) | (
                self.lost_places(root.final) if root.final is not None else NOWHERE
            )
            states = (state for n in places for state in states_of(root, n))
            self._lost_states[root] = frozenset(
                state for state in states if place_of(root, state) in self.lost_places(judge(root, state))
            )
        return self._lost_states[root]

    def way(self, claims: Iterable[SupplyClaim]) -> int | None:
        """Return a path that still supplies a unit, or None."""
        for claim in claims:
            begins = self._begins(claim.root)
            if begins is not None and (onward := self._reaches(claim)) is not None:
                return begins | onward
        return None

    def _begins(self, root: SupplyRoot) -> int | None:
        """Return the paths by which a root still serves; None where its unit is lost or out of supply."""
        if root not in self._stands:
            self._stands[root] = self._found_begins(root)
        return self._stands[root]

    def _found_begins(self, root: SupplyRoot) -> int | None:
        source, supply = root.source, self.cuts.supply
        if source is None:
            return 0
        if source.place == self.place:
            return None
        ways = {name: self.way(self.cuts.claims_by(name, source)) for name in self.cuts.stages(root)}
        service = {f"by.{name}": way is not None for name, way in ways.items()}
        if service and not supply.begins(root.name, source, service):
            return None
        mask = 0
        for way in ways.values():
            mask |= way or 0
        return mask

    def _reaches(self, claim: SupplyClaim) -> int | None:
        """Return how a root could still reach one of the wanted places within its limit.

        It searches backwards. The old cost of a state is a lower bound of its new cost, so the first state with an
        intact old path decides.
        """
        root, cuts = claim.root, self.cuts
        cut_by_state, lost_states = self._fallen_states.setdefault(root, {}), self.lost_states(root)
        best: dict[int, Price] = {state: 0 for _, state in cuts.claim_states(claim) if state not in lost_states}
        next_state: dict[int, int] = {}
        heap: list[tuple[Price, Price, int]] = [(cost_of(root, state), 0, state) for state in best]
        heapq.heapify(heap)
        costs, steps_back = root.tree.costs, cuts.known_back(root)
        while heap:
            _, cost_so_far, current_state = heapq.heappop(heap)
            if cost_so_far > best[current_state]:
                continue
            if not (
                cut_by_state[current_state]
                if current_state in cut_by_state
                else _cut(root, current_state, lost_states, cut_by_state)
            ):
                mask = cuts.within(root, current_state)
                while current_state in next_state:
                    current_state = next_state[current_state]
                    mask |= cuts.threatened_places(root, current_state)
                return mask
            if current_state not in steps_back:
                steps_back[current_state] = tuple(_steps_to(root, current_state))
            for state, step_cost in steps_back[current_state]:
                if state in lost_states:
                    continue
                onward = cost_so_far + step_cost
                min_total = onward + costs[state]
                if (claim.limit is None or min_total <= claim.limit) and (state not in best or onward < best[state]):
                    best[state], next_state[state] = onward, current_state
                    heapq.heappush(heap, (min_total, onward, state))
        return None


def _cut(root: SupplyRoot, state: int, lost_states: LostPlaces, cut_by_state: dict[int, bool]) -> bool:
    """Whether the old path to a state leads through a lost one."""
    way: list[int] = []
    current_state: int | None = state
    result = False
    while current_state is not None:
        if current_state in cut_by_state:
            result = cut_by_state[current_state]
            break
        way.append(current_state)
        if current_state in lost_states:
            result = True
            break
        current_state = came_from(root, current_state)
    cut_by_state.update(dict.fromkeys(way, result))
    return result


# States of the paths from a root are numbers: a place in a mode; below 0 a place where a path had to stop; below those
# a place that only the last step of a path enters.


def place_of(root: SupplyRoot, state: int) -> int:
    """The place of a state."""
    if state >= 0:
        return state // root.tree.modes
    return -1 - state if not arrives(root, state) else -1 - state - len(root.stepper.map_index.places)


def arrives(root: SupplyRoot, state: int) -> bool:
    """Whether the last step of a path leads to a state."""
    return state < -len(root.stepper.map_index.places)


def judge(root: SupplyRoot, state: int) -> StepEvaluator:
    """Return the evaluator of the step to a state."""
    return root.final if root.final is not None and arrives(root, state) else root.stepper


def cost_of(root: SupplyRoot, state: int) -> Price:
    """Return the cost of a state."""
    if state >= 0:
        return root.tree.costs[state]
    if arrives(root, state):
        arrival = root.arrival(place_of(root, state))
        return arrival[0] if arrival is not None else MOST_COST
    return root.tree.leaves[-1 - state][0]


def came_from(root: SupplyRoot, state: int) -> int | None:
    """Return the state before a state; None where a path begins."""
    if state >= 0:
        predecessor = root.tree.predecessors.get(state)
        return None if predecessor is None else predecessor[0]
    if arrives(root, state):
        arrival = root.arrival(place_of(root, state))
        return root.tree.states[arrival[1]] if arrival is not None else None
    return root.tree.leaves[-1 - state][1]


def states_of(root: SupplyRoot, n: int) -> Iterator[int]:
    """The states of a place that are reached."""
    modes = root.tree.modes
    for state in range(n * modes, (n + 1) * modes):
        if state in root.tree.costs:
            yield state
    if n in root.tree.leaves:
        yield -1 - n
    if root.arrival(n) is not None:
        yield -1 - n - len(root.stepper.map_index.places)


def iter_claim_states(claim: SupplyClaim) -> Iterator[tuple[Price, int]]:
    """Yield the states that meet a claim, each with its cost."""
    for place in claim.touch:
        for state in states_of(claim.root, place):
            cost = cost_of(claim.root, state)
            if claim.limit is None or cost <= claim.limit:
                yield cost, state


def _steps_to(root: SupplyRoot, state: int) -> Iterator[tuple[int, Price]]:
    tree, evaluator = root.tree, judge(root, state)
    map_index, n, last = evaluator.map_index, place_of(root, state), arrives(root, state)
    if tree.modes == 1 and not last and "" in evaluator.modes:
        costs, start = tree.costs, tree.predecessors
        for m, step in map_index.incoming(n):
            if m in costs:
                verdict = evaluator.verdict(m, n, step, m not in start)
                if verdict.cost is not None and (verdict.stop is not None) == (state < 0):
                    yield m, verdict.cost
        return
    names = ("",) if tree.modes == 1 else ("", *evaluator.modes)
    for m, step in map_index.incoming(n):
        for previous_state in range(m * tree.modes, (m + 1) * tree.modes):
            if previous_state not in tree.costs:
                continue
            came = "" if last else names[previous_state % tree.modes]
            for mode, verdict in evaluator.ways(m, n, step, previous_state not in tree.predecessors, came):
                stops = verdict.stop is not None
                fits = last or (
                    stops if state < 0 else not stops and (tree.modes == 1 or names[state % tree.modes] == mode)
                )
                if fits and verdict.cost is not None:
                    yield previous_state, verdict.cost

"""A group in the course of a procedure: its states by number, and what losses, retreats and states make of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from assistant.engine.battle.rounds import NumberedStates
from assistant.engine.field import Field
from assistant.engine.procedures.case import Case, Values, evaluate
from assistant.engine.procedures.units import Kinds
from scenarios.model.attack_inputs import Formula
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.model.position import Piece
from scenarios.rules.procedures import Procedure

LOST, STAYS = "lost", "stays"


class GroupState(NamedTuple):
    """Who of a group is still in the procedure, and the worth of those that have gone since the chain last took note."""

    present: tuple[int, ...]
    """How many units of each kind are there."""
    departed: tuple[int, ...]
    """How many of each kind have left, of the kinds for which it matters."""
    worth_left: int = 0
    worth_lost: int = 0


class Group:
    """One group of a procedure."""

    def __init__(self, case: Case, name: str, states: Iterable[str], base: Values) -> None:
        self.case, self.name, self.base = case, name, base
        self.procedure: Procedure = case.procedure
        self.shape = self.procedure.groups[name]
        self.lookup = case.program.lookup
        self.policy: dict[str, Any] = {f"policy.{key}": value for key, value in decisions(case, name).items()}
        self.kinds = Kinds(case, name, states, base)
        self.keeps_units = self.shape.keep == "units"
        counts = [0] * len(self.kinds)
        for number in self.kinds.listed:
            counts[number] += 1
        self.counter_mix = {
            kind.counter.id: kind.counter.count - case.elsewhere.get(kind.counter.id, 0)
            for kind in self.kinds
            if kind.counter is not None
        }
        self.scarce = self.scarce_of(counts)
        self.watched = [
            kind.number for kind in self.kinds if self.keeps_units or (kind.counter and kind.counter.id in self.scarce)
        ]
        self._watched_index = {number: index for index, number in enumerate(self.watched)}
        self.states: NumberedStates[GroupState] = NumberedStates()
        self.start = self.states.number(GroupState(tuple(counts), (0,) * len(self.watched)))
        self.start_worth = sum(count * kind.worth for count, kind in zip(counts, self.kinds, strict=True))
        self._orders: dict[Any, list[int]] = {}
        self._units: dict[int, list[dict[str, Any]]] = {}
        self._settled: dict[int, tuple[int, int, int]] = {}
        immobile = case.immobile.get(name, frozenset())
        self.fates = [self._fate(kind.number) for kind in self.kinds]
        self.immobile = [
            kind.number for kind in self.kinds if kind.participant.unit in immobile and not self.fates[kind.number]
        ]
        self.leavers = [
            number
            for number in self.order(self.leaving_order, due=0)
            if not self.fates[number] and number not in self.immobile
        ]

    # Who comes first.

    def order(self, formulas: tuple[Formula, ...], **extra: Any) -> list[int]:
        """Every kind, those for which the expressions are least first; equals as they are listed."""
        key = formulas, tuple(extra.items())
        if key not in self._orders:
            values = [
                tuple(evaluate(f, {**self.base, **kind.fields, **self.policy, **extra}, self.lookup) for f in formulas)
                for kind in self.kinds
            ]
            self._orders[key] = sorted(
                range(len(self.kinds)), key=lambda number: (*values[number], self._listed_index(number), number)
            )
        return self._orders[key]

    def _listed_index(self, number: int) -> int:
        return self.kinds[number].index if self.keeps_units else -1

    def _policy_order(self, policy: str) -> tuple[Formula, ...] | None:
        shape = self.procedure.policies.get(policy)
        if shape is None or not shape.choices or (shape.groups and self.name not in shape.groups):
            return None
        choice = self.policy.get(f"policy.{policy}", shape.default or next(iter(shape.choices)))
        return _formulas(shape.choices[str(choice)].order)

    @property
    def loss_order(self) -> tuple[Formula, ...]:
        """Who takes a loss first where the owner chooses."""
        return _formulas(self.shape.order) or self._policy_order("losses") or ()

    @property
    def enemy_order(self) -> tuple[Formula, ...]:
        """Who takes a loss first where the enemy chooses."""
        losses = self.procedure.losses
        return (_formulas(losses.enemy_order) if losses is not None else ()) or self.loss_order

    @property
    def leaving_order(self) -> tuple[Formula, ...]:
        """Who leaves first where some leave."""
        return self._policy_order("leaving") or self.loss_order

    @property
    def has_leaving_order(self) -> bool:
        """Whether the procedure says who leaves first."""
        return self._policy_order("leaving") is not None

    # Retreats.

    def _fate(self, number: int) -> str:
        """What the rules of retreat say of a kind before it goes: lost, stays, or nothing."""
        kind, case = self.kinds[number], self.case
        unit = kind.participant
        if kind.counter is None or not case.program.rules.retreat or case.field is None:
            return ""
        place = unit.place if unit.place is not None else case.place
        is_here = self.shape.read is None or not self.shape.read.from_
        terrain = case.terrain if is_here else ""
        if place is None or (unit.place is None and not is_here):
            return cached_on(case.game, _fate_off_map, case.field, unit.unit, unit.states, terrain)
        return _fate_at(case.field, place, unit.unit, unit.states, terrain)

    def can_leave(self, state: GroupState) -> bool:
        """Whether anybody can retreat."""
        return self.name not in self.case.cannot_leave and any(state.present[number] for number in self.leavers)

    def can_all_leave(self, state: GroupState) -> bool:
        """Whether the whole group can leave: nobody is there who has nowhere to go."""
        return self.can_leave(state) and not any(state.present[number] for number in self.immobile)

    def leave(self, state: GroupState, goes: Iterable[tuple[int, int]], is_watched: bool = True) -> GroupState:
        """So many units of some kinds leave."""
        present, departed, worth_left = list(state.present), list(state.departed), state.worth_left
        for number, count in goes:
            present[number] -= count
            worth_left += count * self.kinds[number].worth
            if is_watched and number in self._watched_index:
                departed[self._watched_index[number]] += count
        return state._replace(present=tuple(present), departed=tuple(departed), worth_left=worth_left)

    def leave_all(self, state: GroupState) -> GroupState:
        """All who can leave do. Those whose fate is to be lost are lost; others stay."""
        goes = [(number, state.present[number]) for number in self.leavers if state.present[number]]
        staying = {*self.immobile, *(number for number, fate in enumerate(self.fates) if fate == STAYS)}
        stays = [count if number in staying else 0 for number, count in enumerate(state.present)]
        after = self.leave(state, goes, self.keeps_units or any(stays))
        lost = [(number, count - stays[number]) for number, count in enumerate(after.present) if count > stays[number]]
        return self.eliminate(after, lost)

    def leave_one(self, state: GroupState, number: int) -> GroupState:
        """One unit retreats, stays, or is lost for it."""
        if self.fates[number] == STAYS or number in self.immobile:
            return state
        return self.eliminate(state, [(number, 1)]) if self.fates[number] == LOST else self.leave(state, [(number, 1)])

    def walk_off(self, state: GroupState, number: int, steps: int) -> GroupState:
        """One unit retreats and loses so many steps on its way; below 0 it is eliminated."""
        if steps < 0:
            return self.eliminate(state, [(number, 1)])
        state, after = self.lose_steps(state, number, steps)
        return state if after is None else self.leave(state, [(after, 1)])

    # Losses.

    def eliminate(self, state: GroupState, lost: Iterable[tuple[int, int]]) -> GroupState:
        """So many units of some kinds are eliminated."""
        present, worth_lost = list(state.present), state.worth_lost
        for number, count in lost:
            present[number] -= count
            worth_lost += count * self.kinds[number].worth
        return state._replace(present=tuple(present), worth_lost=worth_lost)

    def change_kind(self, state: GroupState, number: int, other: int, count: int = 1) -> GroupState:
        """So many units of a kind become another kind."""
        present = list(state.present)
        present[number] -= count
        present[other] += count
        return state._replace(present=tuple(present))

    def lose_steps(self, state: GroupState, number: int, steps: int, count: int = 1) -> tuple[GroupState, int | None]:
        """So many units of a kind lose so many steps each. The kind that they are then; None if they are eliminated."""
        for _ in range(min(steps, int(self.kinds[number].fields["steps"]))):
            reduced = self.kinds[number].reduced
            if reduced is None:
                return self.eliminate(state, [(number, count)]), None
            state, number = self.change_kind(state, number, reduced, count), reduced
        return state, number

    def lose(self, state: GroupState, losses: int, order: Sequence[int], by_owner: bool = True) -> GroupState:
        """So many losses by an order: each is a step, a break-down, or a unit."""
        while losses > 0:
            able = [number for number in order if state.present[number]]
            if not able:
                break
            spared = [n for n in able if not self.kinds[n].parts or self.can_break(state, n)] if by_owner else able
            number = (spared or able)[0]
            kind = self.kinds[number]
            if kind.reduced is not None:
                state = self.change_kind(state, number, kind.reduced)
                losses -= 1
            elif kind.parts and self.can_break(state, number):
                present = list(state.present)
                present[number] -= 1
                for part, count in kind.parts.items():
                    present[part] += count
                state = state._replace(present=tuple(present))
                losses -= 1
            else:
                state = self.eliminate(state, [(number, 1)])
                losses -= sum(kind.parts.values()) or 1
        return state

    def can_break(self, state: GroupState, number: int) -> bool:
        """Whether there are counters for the parts of a unit."""
        for part, count in self.kinds[number].parts.items() if self.scarce else ():
            counter = self._counter_id(part)
            in_use = sum(n for kind, n in enumerate(state.present) if n and self._counter_id(kind) == counter)
            in_use += sum(
                n
                for kind, n in zip(self.watched, state.departed, strict=True)
                if n and self._counter_id(kind) == counter
            )
            if in_use + count > self.counter_mix[counter]:
                return False
        return True

    def _counter_id(self, number: int) -> str:
        return self.kinds[number].participant.unit

    def scarce_of(self, counts: Sequence[int]) -> frozenset[str]:
        """The counters of which the group could need more than there are if all its units broke down."""
        need: dict[str, int] = {}
        for number, count in enumerate(counts):
            need[self._counter_id(number)] = need.get(self._counter_id(number), 0) + count
            for part, many in self.kinds[number].parts.items():
                need[self._counter_id(part)] = need.get(self._counter_id(part), 0) + count * many
        parts = {self._counter_id(part) for kind in self.kinds for part in kind.parts}
        return frozenset(name for name in parts if need[name] > self.counter_mix[name])

    # What expressions and the chain see.

    def state(self, number: int) -> GroupState:
        """A state by its number."""
        if number < 0:
            raise IndexError(f"the chain left out the group {self.name}, but something asks for it")
        return self.states.states[number]

    def units(self, number: int) -> list[dict[str, Any]]:
        """The units that are there in a state, as expressions see them."""
        if number not in self._units:
            present = self.state(number).present
            self._units[number] = [
                kind.fields for kind, count in zip(self.kinds, present, strict=True) for _ in range(count)
            ]
        return self._units[number]

    def settle(self, number: int) -> tuple[int, int, int]:
        """A state whose gone units are written off, with the worth of those that left and of those that were lost."""
        settled = self._settled.get(number)
        if settled is None:
            state = self.state(number)
            settled = self._settled[number] = (
                self.states.number(state._replace(worth_left=0, worth_lost=0)),
                state.worth_left,
                state.worth_lost,
            )
        return settled

    def worth(self, number: int) -> int:
        """The worth of the units that are there in a state."""
        present = self.state(number).present
        return sum(count * kind.worth for kind, count in zip(self.kinds, present, strict=True))

    @property
    def keeps_worth(self) -> bool:
        """Whether a unit is worth as much with a step less, or in its parts: then what is lost follows from what is left."""
        return all(
            (kind.reduced is None or self.kinds[kind.reduced].worth == kind.worth)
            and (not kind.parts or sum(self.kinds[part].worth * n for part, n in kind.parts.items()) == kind.worth)
            and all(
                self.kinds[other].worth == kind.worth
                for other in (*kind.in_state.values(), *kind.out_of_state.values())
            )
            for kind in self.kinds
        )

    def steps(self, number: int) -> int:
        """How many steps the units have that are there in a state. A marker has none."""
        present = self.state(number).present
        return sum(count * int(kind.fields.get("steps", 0)) for kind, count in zip(self.kinds, present, strict=True))

    def mean_left(self, number: int) -> dict[str, Fraction]:
        """How many units of each name are there in a state."""
        names: dict[str, Fraction] = {}
        for kind, count in zip(self.kinds, self.state(number).present, strict=True):
            if count:
                names[kind.name] = names.get(kind.name, Fraction(0)) + count
        return names


def decisions(case: Case, group: str) -> dict[str, Any]:
    """What the owner of a group decides, by policy: as told, else the default."""
    decided: dict[str, Any] = {}
    for name, policy in case.procedure.policies.items():
        if policy.groups and group not in policy.groups:
            continue
        if policy.kind == "number":
            decided[name] = Fraction(policy.default or 0)
        elif policy.kind == "flag":
            decided[name] = policy.default == "true"
        else:
            decided[name] = policy.default or next(iter(policy.choices), "")
    return decided | dict(case.policies.get(group, {}))


def _formulas(listed: Iterable[Formula | None]) -> tuple[Formula, ...]:
    return tuple(formula for formula in listed if formula is not None)


def _fate_at(field: Field, place: int, unit: str, states: tuple[str, ...], terrain: str) -> str:
    """What the rules of retreat say of a unit in a place; the question may say which kind of ground that is."""
    counter = field.game.units[unit]
    piece = Piece(unit, "", counter.nation, field.map_index.places[place], frozenset(states))
    is_told = terrain and terrain not in field.map_index.features(field.map_index.places[place])
    ground = {f"to.{name}": name == terrain for name in field.game.terrain} if is_told else {}
    return _fate(field, piece, place, ground)


def _fate_off_map(game: Game, field: Field, unit: str, states: tuple[str, ...], terrain: str) -> str:
    """The fate of a unit on a kind of ground, where no map is asked: that in the first place of the kind."""
    counter, map_index = field.game.units[unit], field.map_index
    place = next((n for n, at in enumerate(map_index.places) if terrain and terrain in map_index.features(at)), 0)
    piece = Piece(unit, "", counter.nation, map_index.places[place], frozenset(states))
    return _fate(field, piece, place, {f"to.{name}": name == terrain for name in game.terrain})


def _fate(field: Field, piece: Piece, place: int, ground: Mapping[str, bool]) -> str:
    walk = next(iter(field.program.rules.retreat.values()))
    for fate in walk.outcomes:
        if field.holds(fate.when, field.mover(field.as_if(piece)), {**ground, "result": 1}, to=place, start=place):
            return LOST if fate.lost else STAYS if fate.stay or fate.may_stay else ""
    return ""

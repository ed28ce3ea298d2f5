"""What a procedure takes over from another that differs little, such as one of a what-if: groups and fires that are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any

from assistant.engine.procedures.case import Case, uses
from assistant.engine.procedures.groups import Group, GroupState, decisions
from assistant.engine.procedures.units import Kinds
from scenarios.rules.procedures import Procedure, Stage


def changed_names(base: Mapping[str, Any], other: Mapping[str, Any]) -> frozenset[str]:
    """The names whose values differ."""
    return frozenset(name for name in {*base, *other} if base.get(name) != other.get(name))


def shared_group(like: Group, case: Case, base: Mapping[str, Any]) -> Group | None:
    """A group with other units, with everything that is known of the group `like`; None where something else differs. Its units are
    some of the units of the other, or more of the same."""
    name, earlier = like.name, like.case
    if like.keeps_units or not like.kinds or decisions(case, name) != decisions(earlier, name):
        return None
    if (case.place, case.terrain, case.elsewhere) != (earlier.place, earlier.terrain, earlier.elsewhere):
        return None
    if case.immobile.get(name) != earlier.immobile.get(name) or case.field is not earlier.field:
        return None
    if (name in case.cannot_leave) != (name in earlier.cannot_leave):
        return None
    used = _names_of_group(case.procedure, name)
    if used & case.procedure.values.keys():
        return None
    if used & changed_names(base, like.base) and not _are_same_kinds(like, case, base):
        return None
    numbers = {kind.participant: kind.number for kind in like.kinds}
    units = case.groups.get(name, ())
    if not units or any(unit not in numbers for unit in units):
        return None
    listed = [numbers[unit] for unit in units]
    order = _in_order(like, listed)
    if order != sorted(order):
        return None
    counts = [0] * len(like.kinds)
    for number, count in Counter(listed).items():
        counts[number] = count
    if not like.scarce_of(counts) <= like.scarce:
        return None
    group = copy(like)
    group.case, group.base = case, base
    group.kinds = copy(like.kinds)
    group.kinds.listed = listed
    group.start = group.states.number(GroupState(tuple(counts), (0,) * len(group.watched)))
    group.start_worth = sum(count * kind.worth for count, kind in zip(counts, group.kinds, strict=True))
    return group


def _are_same_kinds(like: Group, case: Case, base: Mapping[str, Any]) -> bool:
    """Whether the units of a group are the same although something that they ask for has changed."""
    kinds = Kinds(case, like.name, like.kinds.changed_states, base)
    return [(k.participant, k.fields, k.worth) for k in kinds] == [
        (k.participant, k.fields, k.worth) for k in like.kinds
    ]


def _in_order(like: Group, listed: Iterable[int]) -> list[int]:
    """The kinds that units are or can become, in the order in which a group of their own would number them."""
    order: dict[int, None] = {}
    waiting = list(reversed(list(listed)))
    while waiting:
        number = waiting.pop()
        if number not in order:
            order[number] = None
            kind = like.kinds[number]
            reduced = [] if kind.reduced is None else [kind.reduced]
            following = [*kind.parts, *reduced, *kind.in_state.values(), *kind.out_of_state.values()]
            waiting += reversed(following)
    return list(order)


def _names_of_group(procedure: Procedure, name: str) -> frozenset[str]:
    """The names that decide what the units of a group are and which of them comes first."""
    shape = procedure.groups[name]
    formulas = [shape.worth, *shape.order, *shape.values.values()]
    formulas += [
        f for policy in procedure.policies.values() for choice in policy.choices.values() for f in choice.order
    ]
    formulas += [*procedure.losses.enemy_order] if procedure.losses is not None else []
    return frozenset[str]().union(*(uses(formula) for formula in formulas))


def same_group(group: Group, other: Group) -> bool:
    """Whether the numbers of the states of two groups mean the same."""
    return group.states is other.states


def fire_key(stage: Stage, of: str, at: str, touched: Iterable[str], counted: Iterable[str]) -> tuple[object, ...]:
    """What a fire of a stage has in common with the same fire in another procedure."""
    with_ = tuple((name, formula.text) for name, formula in stage.with_.items() if formula is not None)
    texts = tuple(formula.text if formula is not None else "" for formula in (stage.most, stage.who, stage.among))
    return stage.fire, of, at, stage.by, with_, texts, id(stage.within), tuple(touched), tuple(counted)

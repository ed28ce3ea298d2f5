"""The names that procedures and counters add to expressions."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.expressions import FLAG, NUMBER, TEXT, ValueType
from scenarios.model.attack_inputs import input_kind
from scenarios.rules.counters import RuleCounter
from scenarios.rules.procedures import Policy, Procedure

IN_RESULTS: Mapping[str, ValueType] = {
    "left": NUMBER, "roll": NUMBER, "in_group": TEXT, "goes_first": TEXT, "unit.stack_number": NUMBER,
}  # fmt: skip
"""Names that records of `results` may use in a procedure."""
GROUPS_IN_RESULTS = ("own", "enemy", "own_support", "enemy_support")


def counter_kind(counter: RuleCounter) -> ValueType:
    """The kind of a counter's values."""
    if counter.kind == "text":
        return ValueType("text", frozenset(counter.choices))
    return NUMBER if counter.kind == "number" else FLAG


def policy_kind(policy: Policy) -> ValueType:
    """The kind of what an owner decides."""
    if policy.kind == "choice":
        return ValueType("text", frozenset(policy.choices))
    return NUMBER if policy.kind == "number" else FLAG


def names_of_procedures(
    procedures: Mapping[str, Procedure], counters: Mapping[str, RuleCounter], terrain: tuple[str, ...]
) -> dict[str, ValueType]:
    """The names that procedures add to `results`: counters, policies and inputs of any of them."""
    known = {f"counter.{name}": counter_kind(shape) for name, shape in counters.items()}
    for procedure in procedures.values():
        known |= {f"counter.{name}": counter_kind(shape) for name, shape in procedure.counters.items()}
        for name, policy in procedure.policies.items():
            kind = policy_kind(policy)
            earlier = known.get(f"policy.{name}")
            if earlier is not None and earlier.choices is not None and kind.choices is not None:
                kind = ValueType("text", earlier.choices | kind.choices)
            known[f"policy.{name}"] = kind
        known |= {f"input.{name}": input_kind(shape, terrain) for name, shape in procedure.inputs.items()}
    return known

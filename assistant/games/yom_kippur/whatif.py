"""What if: one unit less or more, a helper, an air unit, a shaken defender, a column; and what the next column would take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from assistant.attack import Answer
from assistant.games.yom_kippur.air import air_units
from assistant.games.yom_kippur.combat import Battle, Combat, Mean, star_counts
from assistant.rules.field import Standing
from scenarios.tables import odds

SHAKEN = ("disorganized", "out_of_supply")


class Variant(NamedTuple):
    """A change to an attack and what becomes of it."""

    change: str
    column: str | None
    mean: Mean


def variants(combat: Combat) -> Iterator[Variant]:
    """The attack with one unit less, with each idle neighbour that may join, with a helper, with one air unit more on
    either side, on a defender without order or supply, and one column left and right (1.5, 1.7, 1.9a, 1.12a)."""
    battle, attackers = combat.battle, combat.attackers
    for gone in attackers if len(attackers) > 1 else ():
        yield _variant(f"without {gone.name}", battle.by([s for s in attackers if s is not gone]))
    for standing in idle(battle):
        joined = battle.by([*attackers, standing])
        answer = joined.odds()
        if not any(failure.group == "attackers" and failure.place == len(attackers) for failure in answer.refused):
            yield _variant(f"with {standing.name}", joined, answer)
    if not combat.answer.values["attack_help"]:
        yield _variant("with a headquarters or engineer", battle.given(attacker_helper=True))
    yield from _flown(combat)
    for state in SHAKEN:
        if any(_would_hurt(standing, state) for standing in combat.defenders):
            yield _variant(f"if the defenders were {state.replace('_', ' ')}", with_state(battle, state))
    if combat.answer.column is not None:
        labels = battle.table.columns.labels
        here = battle.table.named_column(combat.answer.column)
        for column, name in ((here - 1, "one column to the left"), (here + 1, "one column to the right")):
            if 0 <= column < len(labels):
                yield Variant(name, labels[column], battle.mean(labels[column], combat.stars))


def _variant(change: str, battle: Battle, answer: Answer | None = None) -> Variant:
    """What becomes of a battle."""
    answer = answer or battle.odds()
    return Variant(change, answer.column, battle.mean(answer.column, star_counts(answer)))


def _flown(combat: Combat) -> Iterator[Variant]:
    battle = combat.battle
    for side in ("israeli", "egyptian"):
        if battle.target is not None and int(battle.inputs.get(f"{side}_air", 0)) >= air_units(battle.field, side):
            continue
        # An Israeli air unit more is taken from the SAM Zone Box, so that missiles don't matter.
        keys = (f"{side}_air", "sam_zone_air") if side == "israeli" else (f"{side}_air",)
        flown = battle.given(**{key: Fraction(battle.inputs.get(key, 0)) + 1 for key in keys})
        answer = flown.odds()
        if len(answer.failures) <= len(combat.answer.failures):
            mine = side == combat.attackers[0].side
            under = side == "israeli" and battle.inputs.get("under_sam")
            what = "with one air unit more" if mine else "with an enemy air unit"
            yield _variant(f"{what} (SAM Zone)" if under else what, flown, answer)


def _would_hurt(standing: Standing, state: str) -> bool:
    spared = state == "out_of_supply" and "always_supplied" in standing.unit.abilities
    return state not in standing.piece.states and not spared


def with_state(battle: Battle, state: str) -> Battle:
    """The battle with every defender in a state; who is disorganized has no zone of control (1.9a)."""
    field = battle.field
    if battle.target is None:
        return replace(battle, seen={**battle.seen, **{s: {**battle.seen[s], state: True} for s in battle.defenders}})
    shaken = {s: s.piece.states | {state} for s in battle.defenders}
    seen = {s: field.as_if(s.piece._replace(at=field.kinds.places[s.at], states=states)).fields for s, states in shaken.items()}
    return replace(battle, shaken=shaken, seen={**battle.seen, **seen})


def idle(battle: Battle) -> Sequence[Standing]:
    """Friends next to the target who could attack it too."""
    field = battle.field
    if battle.target is None:
        return ()
    near = [s for n, _ in field.kinds.near(battle.target) for s in field.stack(n, battle.attackers[0].side)]
    return [s for s in near if s not in battle.attackers and s.fields["attack"] > 0]


def next_column(combat: Combat) -> Fraction | None:
    """How many points of attack strength more would start one column further right; None at the last."""
    answer, labels = combat.answer, combat.battle.table.columns.labels
    if answer.start is None or answer.defense_strength is None:
        return None
    place = labels.index(answer.start)
    if place + 1 == len(labels):
        return None
    return odds(labels[place + 1]) * answer.defense_strength - answer.attack_strength

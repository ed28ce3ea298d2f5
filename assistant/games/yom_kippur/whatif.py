"""What if: one unit less or more, a helper, an air unit, a shaken defender, a column; and what the next column would take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from assistant.games.yom_kippur.combat import Battle, Combat, fight, shifted
from assistant.games.yom_kippur.field import Stand
from scenarios.hexes import neighbours
from scenarios.tables import odds

SHAKEN = ("disorganized", "out_of_supply")


@dataclass(frozen=True)
class Variant:
    """A change to an attack and what becomes of it."""

    change: str
    combat: Combat

    @property
    def json(self) -> dict[str, Any]:
        """For a program."""
        mine, theirs = self.steps
        return {"change": self.change, "column": self.combat.answer.column, "hex_falls": str(self.combat.falls),
                "attacker_steps": str(mine), "defender_steps": str(theirs)}  # fmt: skip

    @property
    def text(self) -> str:
        """For a person."""
        mine, theirs = self.steps
        column, falls = self.combat.answer.column or "-", float(self.combat.falls)
        return f"  {self.change:35} {column:5} the hex falls {falls:6.1%}, steps {float(mine):.2f} to {float(theirs):.2f}"

    @property
    def steps(self) -> tuple[Fraction, Fraction]:
        """The steps that attacker and defender lose on average."""
        of = self.combat.expected
        return of(lambda result: result.attacker.total), of(lambda result: result.defender.total)


def variants(combat: Combat) -> Iterator[Variant]:
    """The attack with one unit less, with each idle neighbour that may join, with a helper, with one air unit more on
    either side, on a defender without order or supply, and one column left and right (1.5, 1.7, 1.9a, 1.12a)."""
    battle, attackers = combat.battle, combat.attackers
    for gone in attackers if len(attackers) > 1 else ():
        yield Variant(f"without {gone.name}", fight(battle.by([s for s in attackers if s is not gone])))
    for stand in idle(battle):
        joined = fight(battle.by([*attackers, stand]))
        if not any(failure.name == stand.name for failure in joined.answer.refused):
            yield Variant(f"with {stand.name}", joined)
    if not combat.answer.values["attack_help"]:
        yield Variant("with a headquarters or engineer", fight(battle.given(attacker_helper=True)))
    yield from _flown(combat)
    for state in SHAKEN:
        if any(_would_hurt(stand, state) for stand in combat.defenders):
            yield Variant(f"if the defenders were {state.replace('_', ' ')}", fight(with_state(battle, state)))
    for shift, name in ((-1, "one column to the left"), (1, "one column to the right")):
        if (moved := shifted(combat, shift)) is not None:
            yield Variant(name, moved)


def _flown(combat: Combat) -> Iterator[Variant]:
    battle = combat.battle
    for side in ("israeli", "egyptian"):
        # An Israeli air unit more is taken from the SAM Zone Box, so that missiles don't matter.
        keys = (f"{side}_air", "sam_zone_air") if side == "israeli" else (f"{side}_air",)
        flown = fight(battle.given(**{key: Fraction(battle.inputs.get(key, 0)) + 1 for key in keys}))
        if len(flown.answer.failures) <= len(combat.answer.failures):
            mine = side == combat.attackers[0].unit.side
            under = side == "israeli" and battle.inputs.get("under_sam")
            what = "with one air unit more" if mine else "with an enemy air unit"
            yield Variant(f"{what} (SAM Zone)" if under else what, flown)


def _would_hurt(stand: Stand, state: str) -> bool:
    spared = state == "out_of_supply" and "always_supplied" in stand.unit.abilities
    return state not in stand.piece.states and not spared


def with_state(battle: Battle, state: str) -> Battle:
    """The battle with every defender in a state, its zones of control and all."""
    swapped = {
        s: Stand(s.unit, s.piece._replace(states=s.piece.states | {state}), s.hex, s.assumed) for s in battle.defenders
    }
    field = battle.field
    if field is not None:
        field = replace(field, stands=tuple(swapped.get(s, s) for s in field.stands))
    return replace(battle, defenders=tuple(swapped.values()), field=field)


def idle(battle: Battle) -> Sequence[Stand]:
    """Friends next to the target who could attack it too."""
    if battle.field is None:
        return ()
    held = battle.field.held[battle.attackers[0].unit.side]
    return [
        stand
        for near in neighbours(battle.defenders[0].hex)
        for stand in held.get(near, ())
        if stand not in battle.attackers and stand.factor("attack") > 0
    ]


def next_column(combat: Combat) -> Fraction | None:
    """How many points of attack strength more would start one column further right; None at the last."""
    answer, labels = combat.answer, combat.battle.table.columns.labels
    if answer.start is None or answer.defense_strength is None:
        return None
    place = labels.index(answer.start)
    if place + 1 == len(labels):
        return None
    return odds(labels[place + 1]) * answer.defense_strength - answer.attack_strength

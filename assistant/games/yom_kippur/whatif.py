"""What if: one unit less or more, a helper, an air unit, a shaken defender, a column; and what the next column would take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from assistant.games.yom_kippur.air_units import air_units
from assistant.games.yom_kippur.combat import Battle, Combat, fields
from assistant.games.yom_kippur.field import Stand
from assistant.games.yom_kippur.losses import Force
from assistant.games.yom_kippur.results import Mean
from assistant.shared.again import Again, Kept
from scenarios.hexes import neighbours
from scenarios.tables import odds

SHAKEN = ("disorganized", "out_of_supply")


class Variant(NamedTuple):
    """A change to an attack and what becomes of it."""

    change: str
    column: str | None
    mean: Mean

    @property
    def json(self) -> dict[str, Any]:
        """For a program."""
        return {"change": self.change, "column": self.column, "hex_falls": str(self.mean.falls),
                "hex_taken": str(self.mean.taken), "attacker_steps": str(self.mean.mine),
                "defender_steps": str(self.mean.theirs)}  # fmt: skip

    @property
    def text(self) -> str:
        """For a person."""
        steps = f"steps {float(self.mean.mine):.2f} to {float(self.mean.theirs):.2f}"
        falls, taken = float(self.mean.falls), float(self.mean.taken)
        return f"  {self.change:35} {self.column or '-':5} the hex falls {falls:6.1%}, taken {taken:6.1%}, {steps}"


class _Tried:
    """Attacks much like one that was fought."""

    def __init__(self, combat: Combat) -> None:
        self.kept = Kept(combat.battle.game, "ground")

    def again(self, battle: Battle) -> Again:
        """The arithmetic of a battle."""
        return Again(self.kept, battle.groups, battle.inputs)

    def variant(self, change: str, battle: Battle, again: Again | None = None) -> Variant:
        """What becomes of a battle."""
        fought = again or self.again(battle)
        return self.on_column(change, battle, fought.column(), fought.battle["star_counts"] is True)

    def on_column(self, change: str, battle: Battle, column: int | None, stars: bool) -> Variant:
        """What becomes of a battle on a column."""
        label = None if column is None else battle.table.columns.labels[column]
        return Variant(change, label, battle.mean(column, stars))


def variants(combat: Combat) -> Iterator[Variant]:
    """The attack with one unit less, with each idle neighbour that may join, with a helper, with one air unit more on
    either side, on a defender without order or supply, and one column left and right (1.5, 1.7, 1.9a, 1.12a)."""
    battle, attackers, tried = combat.battle, combat.attackers, _Tried(combat)
    known: dict[Stand, Variant] = {}
    for gone in attackers if len(attackers) > 1 else ():
        first = _first_alike(battle, gone, tried.kept.reads.names)
        if first not in known:
            known[first] = tried.variant("", battle.by(battle.mine.without(first)))
        yield known[first]._replace(change=f"without {gone.name}")
    for stand in idle(battle):
        joined = battle.by(Force.of([*attackers, stand], "attacker", battle.field))
        again = tried.again(joined)
        if not again.failures("attackers", len(attackers)):
            yield tried.variant(f"with {stand.name}", joined, again)
    if not combat.answer.values["attack_help"]:
        yield tried.variant("with a headquarters or engineer", battle.given(attacker_helper=True))
    yield from _flown(combat, tried)
    for state in SHAKEN:
        if any(_would_hurt(stand, state) for stand in combat.defenders):
            yield tried.variant(f"if the defenders were {state.replace('_', ' ')}", with_state(battle, state))
    if combat.answer.column is not None:
        here, last = battle.table.named_column(combat.answer.column), len(battle.table.columns.labels) - 1
        for column, name in ((here - 1, "one column to the left"), (here + 1, "one column to the right")):
            if 0 <= column <= last:
                yield tried.on_column(name, battle, column, combat.stars)


def _first_alike(battle: Battle, stand: Stand, read: frozenset[str]) -> Stand:
    """The first attacker who differs from this one in its name alone and loses its steps just before it, or after others
    like it: without either the battle is the same."""
    order = battle.mine.order
    place = order.index(stand)
    names = dict.fromkeys({"id", "name"} - read, "")
    while place and _alike(battle, order[place - 1], stand, names):
        place -= 1
    return order[place]


def _alike(battle: Battle, one: Stand, other: Stand, names: Mapping[str, str]) -> bool:
    if one.hex != other.hex or one.steps != other.steps:
        return False
    return {**battle.seen[one], **names} == {**battle.seen[other], **names}


def _flown(combat: Combat, tried: _Tried) -> Iterator[Variant]:
    battle = combat.battle
    for side in ("israeli", "egyptian"):
        if battle.field is not None and int(battle.inputs.get(f"{side}_air", 0)) >= air_units(battle.field, side):
            continue
        # An Israeli air unit more is taken from the SAM Zone Box, so that missiles don't matter.
        keys = (f"{side}_air", "sam_zone_air") if side == "israeli" else (f"{side}_air",)
        flown = battle.given(**{key: Fraction(battle.inputs.get(key, 0)) + 1 for key in keys})
        again = tried.again(flown)
        if again.failures() <= len(combat.answer.failures):
            mine = side == combat.attackers[0].unit.side
            under = side == "israeli" and battle.inputs.get("under_sam")
            what = "with one air unit more" if mine else "with an enemy air unit"
            yield tried.variant(f"{what} (SAM Zone)" if under else what, flown, again)


def _would_hurt(stand: Stand, state: str) -> bool:
    spared = state == "out_of_supply" and "always_supplied" in stand.unit.abilities
    return state not in stand.piece.states and not spared


def with_state(battle: Battle, state: str) -> Battle:
    """The battle with every defender in a state; who is disorganized has no zone of control (1.9a)."""
    shaken = {s: Stand(s.unit, s.piece._replace(states=s.piece.states | {state}), s.hex) for s in battle.defenders}
    mine, field = battle.mine, battle.field
    if field is not None and any(field.has_zone(s) and not field.has_zone(shaken[s]) for s in shaken):
        mine = mine.on(field.without_zones(battle.defenders[0].unit.side, battle.defenders))
    return replace(battle, mine=mine, seen={**battle.seen, **{s: fields(battle.game, one) for s, one in shaken.items()}})


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

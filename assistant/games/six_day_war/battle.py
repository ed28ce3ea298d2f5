"""Which battles there have to be: who must attack and who must be attacked (12.5, 13.3 to 13.5, 13.10, 13.11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from assistant.answers import Answer, Cell, Column, Line, Node, Place, Places, Table, Value
from assistant.games.six_day_war.forces import FRONTS, around, foe, front, static
from assistant.games.six_day_war.questions import FRONT, ON_THE_MAP, asked_field
from assistant.questions import Input, Question, Told
from assistant.rules.attacking import duties as must_attack
from assistant.rules.attacking import unmet
from assistant.rules.field import Field, Standing
from scenarios.game import Game


class Duty(NamedTuple):
    """A hex with units that must attack, or may, and the enemy hexes around it."""

    hex: int
    units: tuple[Standing, ...]
    """Those who can attack; none where all are static or neutral (13.11, 25.2)."""
    must: bool
    enemies: tuple[int, ...]
    alone: tuple[int, ...]
    """Those of them that no other hex can attack: whoever must attack must attack them all (13.5)."""


def duties(field: Field, side: str, on: str) -> tuple[Duty, ...]:
    """The stacks of a side on a front next to the enemy, by the pack's `attacking`: those in an enemy zone must attack; those in
    their own works may, and then attack all around them (13.4)."""
    bound = {standing for duty, standing in must_attack(field, side) if duty.attack}
    beside: dict[int, tuple[tuple[Standing, ...], tuple[int, ...]]] = {}
    for n in sorted(
        {standing.at for standing in field.of(side) if front(field, standing.at) == on}, key=field.kinds.name
    ):
        at_war = [
            m for m in around(field, n) if any("neutral" not in s.piece.states for s in field.stack(m, foe(side)))
        ]
        near = [m for m in at_war if front(field, m) == on]
        if near:
            beside[n] = tuple(s for s in field.stack(n, side) if not unmet(field, s, near)), tuple(near)
    touching = [enemy for able, enemies in beside.values() if able for enemy in enemies]
    return tuple(
        Duty(n, able, not bound.isdisjoint(able), enemies, tuple(m for m in enemies if touching.count(m) == 1))
        for n, (able, enemies) in beside.items()
    )


class Neglect(NamedTuple):
    """What an attack leaves undone that has to be done: units that stay out, and enemies that nobody attacks."""

    left_out: list[Standing]
    """Mobile units stacked with attackers (13.10)."""
    must_join: list[Standing]
    """Units elsewhere that have to attack and touch only enemies that this attack takes up (13.2, 13.3)."""
    unattacked: list[int]
    """Enemies that only the attackers touch (13.5), or that attackers out of their works pass over (13.4)."""
    why: list[tuple[str, str]]
    """All that in sentences, each with its rule."""


def neglect(field: Field, attackers: Sequence[Standing], targets: Sequence[int]) -> Neglect:
    """What has to be done beside an attack on some hexes and can't be done once it is made."""
    side, home = attackers[0].side, dict.fromkeys(standing.at for standing in attackers)
    found = [duty for duty in duties(field, side, front(field, targets[0])) if duty.units]
    # Who is in works of his own attacks all around him or nobody (13.4), and none of them twice (13.2).
    idle = [duty for duty in found if duty.hex not in home and (duty.must or set(duty.enemies).isdisjoint(targets))]
    others = {enemy for duty in idle for enemy in duty.enemies}
    left_out = [s for n in home for s in field.stack(n, side) if s not in attackers and not static(s)]
    why = [(f"{s.name} shares a hex with an attacker and has to attack too", "13.10") for s in left_out]
    unattacked: list[int] = []
    for duty in (duty for duty in found if duty.hex in home):
        spared = [enemy for enemy in duty.enemies if enemy not in targets]
        missed = [enemy for enemy in spared if enemy not in others] if duty.must else spared
        unattacked += missed
        if missed:
            alone, all_around = (
                ("which nobody else can attack", "13.5"),
                ("for units in their own works attack all around them", "13.4"),
            )
            reason, rule = alone if duty.must else all_around
            why.append((f"{_who(field, duty)} must also attack {_named(field, missed)}, {reason}", rule))
    joining: list[Standing] = []
    for duty in (duty for duty in found if duty.must and duty.hex not in home and set(duty.enemies) <= set(targets)):
        apart = [n for n in targets if n not in duty.enemies]
        joining += duty.units
        if apart:
            only = f"touches only {_named(field, duty.enemies)}, not {_named(field, apart)}"
            why.append((f"{_who(field, duty)} must attack and {only}: these can't be attacked as one", "13.3, 13.5"))
        else:
            why.append((f"{_who(field, duty)} must attack and touches no other enemy, so it has to join", "13.3"))
    return Neglect(left_out, joining, list(dict.fromkeys(unattacked)), why)


def _who(field: Field, duty: Duty) -> str:
    return f"{' and '.join(standing.name for standing in duty.units)} in {field.kinds.name(duty.hex)}"


def _named(field: Field, hexes: Sequence[int]) -> str:
    return " and ".join(map(field.kinds.name, hexes))


# --- the question -----------------------------------------------------------------------------------------------------


def _duties(game: Game, told: Told) -> Answer:
    """Who must attack in the combat phase of `side` on `front`, and which enemies must be attacked (13.3, 13.4)."""
    field, side, front = asked_field(game, told), told["side"], told["front"]
    found = duties(field, side, front)
    nodes: list[Node] = [Value("side", side, shown=False), Value("front", front, shown=False)]
    rows: list[dict[str, Cell]] = []
    never: list[dict[str, Cell]] = []
    for duty in found:
        units = duty.units or field.stack(duty.hex, side)
        row: dict[str, Cell] = {"place": field.place(duty.hex), "units": [s.counter for s in units]}
        if duty.units:
            what, rule = _duty(field, duty)
            near: dict[str, Cell] = {"enemies": field.places_at(duty.enemies), "alone": field.places_at(duty.alone)}
            rows.append({**row, "what": what, "rule": rule, "must": duty.must, **near})
        else:
            why, rule = ("static", "13.11") if all(map(static, units)) else ("neutral", "25.2")
            never.append({**row, "what": f"never attacks: {why}", "why": why, "rule": rule})
    columns = [
        Column("place", "in"),
        Column("units", "units"),
        Column("what", "what", told=False),
        Column("rule", "rule"),
    ]
    nodes += [Table("stacks", columns, rows, heads=False), Table("unable", columns, never, heads=False)]
    nodes += [] if found else [Line("nobody is next to an enemy")]
    touched = sorted({n for duty in found if duty.must for n in duty.enemies}, key=field.kinds.name)
    attacked: dict[Place, dict[str, Cell]] = {field.place(n): {} for n in touched}
    nodes.append(Places("to_attack", attacked, "Every one of these has to be attacked (13.3)"))
    return Answer("duties", game.id, nodes)


def _duty(field: Field, duty: Duty) -> tuple[str, str]:
    """What a stack must or may attack, and the rule."""
    enemies, alone = _named(field, duty.enemies), _named(field, duty.alone)
    shared = _named(field, [n for n in duty.enemies if n not in duty.alone])
    if not duty.must:
        return f"may attack {enemies}" + (", all or none" if len(duty.enemies) > 1 else ""), "13.4"
    if len(duty.enemies) == 1:
        return f"must attack {enemies}", "13.3"
    if not shared:
        return f"must attack {alone} at once, for nobody else touches them", "13.5"
    if alone:
        return f"must attack {alone}, and {shared} too unless others attack there", "13.5"
    return f"must attack {shared}, or one of them if others attack the rest", "13.5"


DUTIES = Question(
    name="duties",
    about="who must attack, and which enemies must be attacked",
    answer=_duties,
    inputs=(
        *ON_THE_MAP,
        Input(name="side", about="whose combat phase it is", kind="choice", of="side", default="israeli"),
        replace(FRONT, default=FRONTS[0]),
    ),
)

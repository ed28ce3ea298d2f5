"""What one thing more or less would change in a combat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from assistant.answers import BadQuestion
from assistant.games.musketeer.combat import solve
from assistant.games.musketeer.fighters import Fighter, Support
from assistant.games.musketeer.outcome import ATTACKER, DEFENDER, Combat, Outcome
from assistant.games.musketeer.questions import contingent, crowding, has_special
from assistant.games.musketeer.retreats import Retreats


class Weight(NamedTuple):
    """The chance that the hex is cleared, and the units each side loses for good on average."""

    cleared: Fraction
    attacker: Fraction
    defender: Fraction


def weigh(outcome: Outcome) -> Weight:
    """A combat in three numbers."""
    lost = []
    for units, ends in zip(outcome.combat.sides, outcome.sides, strict=True):
        steps = [unit.steps for unit in units]
        ways = sum(
            count * sum(body.lost >= most for body, most in zip(end.bodies, steps, strict=True))
            for end, count in ends.items()
        )
        lost.append(Fraction(ways, outcome.throws))
    return Weight(outcome.cleared(), lost[0], lost[1])


def weighed(combat: Combat, fled: Retreats | None = None) -> Iterator[tuple[str, Weight]]:
    """Each variation that the rules allow, with what it comes to; after its retreats, where these are known."""
    for text, other in _variations(combat):
        try:
            outcome = solve(other, watched=fled is not None)
        except BadQuestion:
            continue  # what the rules don't allow is no alternative
        yield text, weigh(fled.folded(outcome) if fled is not None else outcome)


def _variations(combat: Combat) -> Iterator[tuple[str, Combat]]:
    game = combat.game
    for side, units in ((ATTACKER, combat.attackers), (DEFENDER, combat.defenders)):
        for place in {(unit.alike, unit.stack): i for i, unit in reversed(list(enumerate(units)))}.values():
            fewer = units[:place] + units[place + 1 :]
            if fewer:
                less = _attacked_by(combat, fewer) if side == ATTACKER else replace(combat, defenders=fewer)
                yield f"{side} without {units[place].name}", less
    best = max(combat.attackers, key=lambda unit: unit.strengths[0])
    stack = [game.units[str(unit.fields["id"])] for unit in combat.attackers if unit.stack == best.stack]
    if not crowding(game, [*stack, game.units[str(best.fields["id"])]]):
        yield f"attacker with one more {best.name}", replace(combat, attackers=(*combat.attackers, best))
    own = combat.support[0]
    table = game.tables["air_stacking"]
    most = int(table.cell(contingent(game, str(best.fields["nation"])), table.named_column("hex")).code)
    if own.cas < most:
        yield "one airstrike more", _supported(combat, own._replace(cas=own.cas + 1))
    if own.cas:
        yield "one airstrike less", _supported(combat, own._replace(cas=own.cas - 1))
    if not own.special_forces and own.guerrilla is None:
        yield "attacker with special forces", _supported(combat, own._replace(special_forces=True))
    for key, text in (("special_command", "a special command"), ("concentric", "a concentric attack")):
        now = combat.inputs.get(key) is True
        if key == "special_command" and not has_special(game, str(best.fields["nation"])):
            continue
        yield f"{'without' if now else 'with'} {text}", replace(combat, inputs={**combat.inputs, key: not now})
    yield "attacker one column more", replace(combat, shifts=(combat.shifts[0] + 1, combat.shifts[1]))
    yield "defender one column more", replace(combat, shifts=(combat.shifts[0], combat.shifts[1] + 1))


def _attacked_by(combat: Combat, attackers: tuple[Fighter, ...]) -> Combat:
    """The combat with fewer attackers: without a stack it may no longer be concentric, or all come across (14.10)."""
    return replace(combat, attackers=attackers, inputs={**combat.inputs, **combat.mapped(attackers)})


def _supported(combat: Combat, own: Support) -> Combat:
    return replace(combat, support=(own, combat.support[1]))

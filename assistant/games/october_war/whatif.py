"""What one thing more or less would change in a battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from assistant.attacks import Fields
from assistant.games.october_war.battle import Solver
from assistant.games.october_war.fire import Battle
from assistant.games.october_war.limits import within
from assistant.games.october_war.result import ATTACKER, DEFENDER, Weight


def what_if(solver: Solver) -> Iterator[tuple[str, Weight]]:
    """What each change makes of a battle that is solved; what is known of its fires is used again."""
    for text, battle in variations(solver.battle):
        yield text, Solver(battle, solver).weigh()


def variations(battle: Battle) -> Iterator[tuple[str, Battle]]:
    """One unit less or more on each side, a headquarters, an air strike, a barrage, supply, first fire, a column."""
    for side, units in ((ATTACKER, battle.attackers), (DEFENDER, battle.defenders)):
        for place in _distinct(units):
            if len(units) > 1:
                fewer = [*units[:place], *units[place + 1 :]]
                yield f"{side} without {units[place]['name']}", _with(battle, side, fewer)
    strongest = max(battle.attackers, key=lambda unit: Fraction(str(unit["strength"])))
    more = [*battle.attackers, strongest]
    game, own = battle.game, str(strongest["side"])
    over = within(game, more, lambda unit: game.units[str(unit["id"])], own, battle.at_home)[1]
    if not over and strongest["type"] != "headquarters":
        yield f"attacker with one more {strongest['name']}", _with(battle, ATTACKER, more)
    best = max(int(str(unit.factors.get("leader", 0))) for unit in game.units.values() if unit.side == own)
    led = max([*battle.near[0].values(), *(int(str(unit["leader"])) for unit in battle.attackers)], default=0)
    if led < best:
        near = {**battle.near[0], "": best}
        yield f"attacker with a headquarters of {best} next to it", replace(battle, near=(near, battle.near[1]))
    yield from _blows(battle)
    yield from _supply(battle)
    other = DEFENDER if battle.first == ATTACKER else ATTACKER
    yield f"the {other} fires first (EW)", replace(battle, first=other)
    yield "attacker one column more", replace(battle, shifts=(battle.shifts[0] + 1, battle.shifts[1]))
    yield "defender one column more", replace(battle, shifts=(battle.shifts[0], battle.shifts[1] + 1))


def _blows(battle: Battle) -> Iterator[tuple[str, Battle]]:
    """Without each blow that falls, and with each that could; aircraft come before guns (6.2 (2f))."""
    for place, blow in enumerate(battle.blows):
        yield f"without the {blow.name}", replace(battle, blows=battle.blows[:place] + battle.blows[place + 1 :])
    for text, blow in battle.offers:
        yield text, replace(battle, blows=tuple(sorted((*battle.blows, blow), key=lambda one: one.name)))


def _supply(battle: Battle) -> Iterator[tuple[str, Battle]]:
    """Who is cut off with a line (11.2), and a defender who has one without it."""
    for side, units in ((ATTACKER, battle.attackers), (DEFENDER, battle.defenders)):
        cut = any(unit["out_of_supply"] for unit in units)
        if cut or side == DEFENDER:
            changed: list[Fields] = [{**unit, "out_of_supply": not cut} for unit in units]
            yield f"{side} {'in' if cut else 'out of'} supply", _with(battle, side, changed)


def _with(battle: Battle, side: str, units: list[Fields]) -> Battle:
    return replace(battle, attackers=units) if side == ATTACKER else replace(battle, defenders=units)


def _distinct(units: Sequence[Fields]) -> list[int]:
    """The place of the first unit of each kind."""
    seen: dict[tuple[object, ...], int] = {}
    for place, unit in enumerate(units):
        key = (unit["id"], tuple(sorted(name for name, value in unit.items() if value is True)))
        seen.setdefault(key, place)
    return list(seen.values())

"""Solved battles as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from assistant.games.october_war.battle import Solver
from assistant.games.october_war.battle_asked import asked_battle
from assistant.games.october_war.casualties import ended
from assistant.games.october_war.fire import Battle
from assistant.games.october_war.result import ATTACKER, DEFENDER, Result
from assistant.games.october_war.rows import GROUND
from assistant.games.october_war.whatif import what_if
from assistant.shared.asking import Options, Said, chances_json, percent
from assistant.shared.chains import mean
from assistant.shared.options import yes
from assistant.shared.sourced import ours, ours_text
from assistant.shared.strengths import modifier_sources
from scenarios.game import Game

RARE = Fraction(1, 2000)
"""Chances below this are left out of the text."""


def odds_answer(game: Game, options: Options) -> Said:
    """A whole battle; `what_if` also what one thing more or less would change."""
    battle = asked_battle(game, options)
    solver = Solver(battle)
    result = solver.result()
    json, lines = battle_json(game, battle, result), list(battle_text(game, battle, result))
    if yes(options, "what_if"):
        found, base = list(what_if(solver)), result.weight()
        json["what_if"] = [
            {"change": text, "attacker_holds": str(w.holds), ATTACKER: str(w.attacker), DEFENDER: str(w.defender)}
            for text, w in found
        ]
        lines.append("what if: the attacker holds the point; casualty points of attacker, defender")
        for text, w in found:
            better = float(w.holds - base.holds)
            losses = f"{float(w.attacker):5.2f}, {float(w.defender):5.2f}"
            lines.append(f"  {text:44} {float(w.holds):6.1%} ({better:+.1%})  {losses}")
    return json, lines


def battle_json(game: Game, battle: Battle, result: Result) -> dict[str, Any]:
    """A solved battle for a program: chances are exact fractions."""
    sides = {ATTACKER: result.attacker, DEFENDER: result.defender}
    return {
        "game": game.id,
        "question": "battle",
        "first_fire": result.first,
        "blows": {blow.name: chances_json(blow.codes) for blow in battle.blows},
        "holds": chances_json(result.holds()),
        "endings": [
            {"holder": holder, "other_side": why, "chance": str(chance)}
            for (holder, why), chance in sorted(result.whys().items())
        ],
        "rounds": chances_json(result.rounds),
        "sides": {
            side: {
                "side": army.side,
                "policy": list(army.policy.lines()),
                "casualty_points": chances_json(result.casualties(side)),
                "mean_casualty_points": str(result.mean_casualties(side)),
                "left_in_point": chances_json(result.left(side)),
                "volleys": [
                    {
                        "unit": volley.name,
                        "column": volley.answer.column,
                        "shift": volley.answer.shift,
                        "why": [
                            {"text": a.text, "rule": a.rule, "shift": int(a.amount)} for a in volley.answer.applied
                        ],
                    }
                    for volley in result.volleys
                    if volley.side == side
                ],
            }
            for side, army in sides.items()
        },
        "tolls": [
            {"holder": toll.holder, ATTACKER: toll.attacker, DEFENDER: toll.defender, "chance": str(chance)}
            for toll, chance in sorted(result.tolls().items())
        ],
        "sudden_death": chances_json(_ended(battle, result)),
        "not_the_rulebooks": _ours(game, battle, result),
        "notes": list(result.notes),
    }


def _ours(game: Game, battle: Battle, result: Result) -> dict[str, str]:
    """What the rulebook doesn't give of what is used here: strengths, brackets, leader values, those of headquarters next
    to the point too."""
    units = [kind.unit for army in (result.attacker, result.defender) for kind in army.kinds]
    near = [unit for unit in game.units.values() if unit.id in battle.advisers]
    used = [(unit, key) for unit in units for key in ("strength", "bracket", "leader") if unit.factors.get(key)]
    shifts = modifier_sources(game, GROUND, [one for volley in result.volleys for one in volley.answer.applied])
    return ours(game, [*used, *((unit, "leader") for unit in near)], more=shifts)


def battle_text(game: Game, battle: Battle, result: Result) -> Iterator[str]:
    """A solved battle in lines."""
    for blow in battle.blows:
        yield f"{blow.name} first: " + ", ".join(f"{code} {float(chance):.1%}" for code, chance in blow.codes.items())
    yield f"the {result.first} fires first"
    for side, army in ((ATTACKER, result.attacker), (DEFENDER, result.defender)):
        yield f"{side} ({army.side}): " + "; ".join(army.policy.lines())
        for volley in dict.fromkeys((v.name, v.answer.column, tuple(v.answer.applied)) for v in _of(result, side)):
            name, column, applied = volley
            many = sum((v.name, v.answer.column, tuple(v.answer.applied)) == volley for v in _of(result, side))
            how = ", ".join(f"{a.text} {int(a.amount):+d} ({a.rule})" for a in applied)
            said = f"{many} x {name}" if many > 1 else name
            yield f"  {said:22} column {column}" + (f": {how}" if how else "")
    yield from result.notes
    whys = result.whys()
    for side, chance in result.holds().items():
        yield f"the {side} holds the point: {percent(chance)}"
        for (holder, why), part in sorted(whys.items(), key=lambda item: -item[1]):
            if holder == side:
                yield f"  {_why(why)}: {percent(part)}"
    rounds = result.rounds
    likely = ", ".join(f"{n}: {float(chance):.1%}" for n, chance in rounds.items() if chance >= RARE)
    yield f"rounds: {float(mean(rounds, lambda n: n)):.2f} on average ({likely})"
    for side in (ATTACKER, DEFENDER):
        points = result.casualties(side)
        yield f"casualty points of the {side}: {float(result.mean_casualties(side)):.2f} on average"
        yield "  " + ", ".join(f"{n}: {float(chance):.1%}" for n, chance in points.items() if chance >= RARE)
    for side, chance in _ended(battle, result).items():
        if chance:
            yield f"by casualties {game.sides[side].name} wins the game when the turn ends: {percent(chance)} (4.1)"
    yield from ours_text(_ours(game, battle, result))


def _ended(battle: Battle, result: Result) -> dict[str, Fraction]:
    return ended(battle.game, result, battle.casualties, battle.golan) if battle.casualties else {}


def _of(result: Result, side: str) -> list[Any]:
    return [volley for volley in result.volleys if volley.side == side]


def _why(why: str) -> str:
    words = {"eliminated": "the other side is gone", "retreated": "the other side has retreated"}
    return words.get(why, "a round without a result sends the attackers back (15.3)")

"""A whole battle, solved: who holds the point, and what it costs (15.0, 16.0)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from assistant.answers import (
    Answer,
    Cell,
    Chance,
    Chances,
    Column,
    Line,
    Node,
    Ours,
    Section,
    Several,
    Table,
    Value,
    chances_of,
)
from assistant.games.october_war.battle import Solver
from assistant.games.october_war.battlefield import INPUTS, told_battle
from assistant.games.october_war.casualties import ended
from assistant.games.october_war.fire import Battle
from assistant.games.october_war.forces import Army
from assistant.games.october_war.result import ATTACKER, DEFENDER, Result, Volley
from assistant.games.october_war.rows import GROUND
from assistant.games.october_war.whatif import what_if
from assistant.questions import Question, Told
from assistant.shared.chains import mean
from assistant.shared.sourced import ours
from assistant.shared.strengths import modifier_sources
from scenarios.game import Game

ENDS = {"eliminated": "the other side is gone", "retreated": "the other side has retreated"}
VOLLEYS = [Column("count", "units"), Column("name", "fire"), Column("column", "on column"), Column("how", "because of", told=False)]
STALEMATE = "a round without a result sends the attackers back (15.3)"


def _odds(game: Game, told: Told) -> Answer:
    battle = told_battle(game, told)
    solver = Solver(battle)
    result = solver.result()
    more = [_what_if(solver, result)] if told.get("what_if") else []
    return Answer("odds", game.id, [*_opening(battle, result), *_ending(battle, result), *more, Ours(_ours(game, battle, result))])


ODDS = Question(
    name="odds", about="a whole battle: who holds the point, what it costs (15.0, 16.0)", inputs=INPUTS, answer=_odds,
    bare=("attackers", "defenders"),
)  # fmt: skip


# --- before and during ------------------------------------------------------------------------------------------------


def _opening(battle: Battle, result: Result) -> Iterator[Node]:
    """What falls before the ground fire, who fires first, and each unit's fire in the first round."""
    yield Several("blows", [
        Section([Value("name", blow.name, shown=False), Chances("chances", blow.codes)], f"{blow.name} first") for blow in battle.blows
    ])  # fmt: skip
    yield Value("first_fire", result.first, "Fires first")
    sides = ((ATTACKER, result.attacker), (DEFENDER, result.defender))
    yield Section([_force(result, name, army) for name, army in sides], key="sides")
    for note in result.notes:
        yield Line(note)


def _force(result: Result, name: str, army: Army) -> Section:
    volleys = [one for one in result.volleys if one.side == name]
    return Section([
        Value("side", army.side, shown=False),
        *(Line(text, key="policy") for text in army.policy.lines()),
        Table("volleys", VOLLEYS, [_volley(list(alike)) for _, alike in groupby(volleys, _alike)]),
        chances_of("casualty_points", result.casualties(name), "Casualty points"),
        Value("mean_casualty_points", result.mean_casualties(name), "Casualty points, on average"),
        Value("left_in_point", {str(key): str(chance) for key, chance in result.left(name).items()}, shown=False),
    ], f"{name} ({army.side})", name)  # fmt: skip


def _alike(volley: Volley) -> tuple[object, ...]:
    return volley.name, volley.answer.column, tuple(volley.answer.applied)


def _volley(alike: list[Volley]) -> dict[str, Cell]:
    """Units that fire alike, one after the other."""
    found = alike[0].answer
    why: list[Cell] = [{"text": one.text, "rule": one.rule, "shift": int(one.amount)} for one in found.applied]
    return {
        "count": len(alike), "name": alike[0].name, "column": found.column, "shift": found.shift, "applied": why,
        "how": ", ".join(f"{one.text} {int(one.amount):+d} ({one.rule})" for one in found.applied),
    }  # fmt: skip


# --- afterwards -------------------------------------------------------------------------------------------------------


def _ending(battle: Battle, result: Result) -> Iterator[Node]:
    """Who holds the point and how the other side left it, the rounds, the toll, and whether it ends the game."""
    yield chances_of("holds", result.holds(), "Holds the point")
    endings: list[dict[str, Cell]] = [
        {"holder": holder, "other_side": why, "words": ENDS.get(why, STALEMATE), "chance": Chance(chance)}
        for (holder, why), chance in sorted(result.whys().items(), key=lambda item: (item[0][0], -item[1]))
    ]
    columns = [Column("holder", "holds it"), Column("words", "because", told=False), Column("chance", "chance")]
    yield Table("endings", columns, endings)
    yield chances_of("rounds", result.rounds, "Rounds")
    yield Value("mean_rounds", mean(result.rounds, lambda n: n), "Rounds, on average")
    tolls: list[dict[str, Cell]] = [
        {"holder": toll.holder, ATTACKER: toll.attacker, DEFENDER: toll.defender, "chance": str(chance)}
        for toll, chance in sorted(result.tolls().items())
    ]
    yield Table("tolls", [Column("holder")], tolls)
    found = ended(battle.game, result, battle.casualties, battle.golan) if battle.casualties else {}
    wins = {side: Chance(chance) for side, chance in found.items()}
    yield Value("sudden_death", wins, "Wins the game by casualties when the turn ends", "4.1", shown=any(found.values()))


def _what_if(solver: Solver, result: Result) -> Table:
    base = result.weight()
    rows: list[dict[str, Cell]] = [
        {"change": text, "attacker_holds": Chance(one.holds), "better": f"{float(one.holds - base.holds):+.1%}",
         ATTACKER: one.attacker, DEFENDER: one.defender}
        for text, one in what_if(solver)
    ]  # fmt: skip
    columns = [
        Column("change", "what if"), Column("attacker_holds", "attacker holds"), Column("better", "change", told=False),
        Column(ATTACKER, "it loses"), Column(DEFENDER, "defender loses"),
    ]  # fmt: skip
    return Table("what_if", columns, rows)


def _ours(game: Game, battle: Battle, result: Result) -> dict[str, str]:
    """What the rulebook doesn't give of what is used here: strengths, brackets, leader values, those of headquarters next
    to the point too."""
    units = [kind.unit for army in (result.attacker, result.defender) for kind in army.kinds]
    near = [unit for unit in game.units.values() if unit.id in battle.advisers]
    used = [(unit, key) for unit in units for key in ("strength", "bracket", "leader") if unit.factors.get(key)]
    shifts = modifier_sources(game, GROUND, [one for volley in result.volleys for one in volley.answer.applied])
    return ours(game, [*used, *((unit, "leader") for unit in near)], more=shifts)

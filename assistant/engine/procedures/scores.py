"""Who wins the game by what a procedure costs: the scenario's own lines, with the counters as they stand afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assistant.engine.procedures.case import evaluate
from assistant.engine.procedures.effects import named
from assistant.engine.procedures.program import ProcedureProgram
from assistant.engine.scoring import Tally
from assistant.engine.victory import missing_needs
from assistant.questions.answer import BadQuestion

Points = tuple[int, ...]
"""The values of the counters that `scores` changes, in its order."""


class Scores:
    """The counters of a game after a procedure, and the sides that win by them."""

    def __init__(self, program: ProcedureProgram) -> None:
        self.program = program
        self.formulas = {name: f for name, f in program.procedure.scores.items() if f is not None}
        self.base = {**program.base, **named(program.case.counters_of_game)}

    def points(self, amounts: Mapping[str, int]) -> Points:
        """The counters after an end with these sums of losses."""
        values = {**self.base, **amounts}
        return tuple(int(evaluate(formula, values, self.program.lookup)) for formula in self.formulas.values())

    def winners(self, chances: Mapping[Points, Fraction]) -> dict[str, Fraction]:
        """The chance of each side to fulfill a line of the scenario that wins the game at once."""
        case = self.program.case
        if case.field is None or case.field.scenario is None:
            raise BadQuestion(f"{case.procedure.title}: there is no scenario whose lines could decide the game")
        lines = [line for line in case.field.scenario.victory if line.wins and line.event == "other"]
        won = dict.fromkeys(case.game.sides, Fraction(0))
        for points, chance in chances.items():
            after = case.field.telling(**dict(zip(self.formulas, points, strict=True)))
            for side in {line.side for line in lines if not missing_needs(Tally(after, ()), line)}:
                won[side] += chance
        return won

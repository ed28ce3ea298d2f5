"""A what-if takes over groups and fires that stay the same: every change comes to what it comes to when it is solved by itself."""

from __future__ import annotations

import random

from assistant.chances import mean
from assistant.engine.procedures.outcomes import Solver
from assistant.engine.procedures.requirements import check_case
from assistant.engine.procedures.what_if import variations
from assistant.questions.answer import BadQuestion
from tests.test_october_war_battle import case
from tests.test_procedures_october_war import procedure_case, tolls


def test_a_change_is_what_it_is_by_itself() -> None:
    compared = same = 0
    for seed in range(16):
        base = procedure_case(case(random.Random(seed), 3, 1))
        solved = Solver(base)
        try:
            check_case(solved.program)
        except BadQuestion:
            continue
        solution = solved.solve(False)
        for text, changed in variations(solved.program):
            alone, shared = Solver(changed), Solver(changed, like=solved)
            try:
                check_case(alone.program)
            except BadQuestion:
                continue
            expected, found = alone.solve(False), shared.solve(False)
            assert tolls(found) == tolls(expected), (seed, text)
            for name in ("attackers", "defenders"):
                left, lost = found.groups[name], expected.groups[name]
                assert mean(left.worth_left, lambda n: n) == mean(lost.worth_left, lambda n: n), (seed, text)
            if solved.is_same(shared.program):
                same += 1
                assert tolls(expected) == tolls(solution), (seed, text)
            compared += 1
    assert compared > 60 and same > 3

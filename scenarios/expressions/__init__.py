"""The expressions in which a pack declares the arithmetic of its attacks.

    sum(attackers, attack) / sum(defenders, defense)
    if(terrain in ["woods", "town"] and not dispersed, 2, 1)

`parse` a text once, `check` it against the names a pack has, `evaluate` it as often as there are battles.
"""

from scenarios.expressions.checking import FLAG, NUMBER, TEXT, Kind, Problem, Scope, check, names
from scenarios.expressions.evaluating import compiled, evaluate
from scenarios.expressions.meaning import Compiled, EvaluationError, Lookup, Value, Values
from scenarios.expressions.parsing import ExpressionError, parse
from scenarios.expressions.syntax import (
    AGGREGATES,
    FUNCTIONS,
    Aggregate,
    Binary,
    Call,
    Expression,
    Flag,
    Function,
    Literal,
    Membership,
    Name,
    Number,
    Text,
    Unary,
    unparse,
)

__all__ = [
    "AGGREGATES",
    "FLAG",
    "FUNCTIONS",
    "NUMBER",
    "TEXT",
    "Aggregate",
    "Binary",
    "Call",
    "Compiled",
    "EvaluationError",
    "Expression",
    "ExpressionError",
    "Flag",
    "Function",
    "Kind",
    "Literal",
    "Lookup",
    "Membership",
    "Name",
    "Number",
    "Problem",
    "Scope",
    "Text",
    "Unary",
    "Value",
    "Values",
    "check",
    "compiled",
    "evaluate",
    "names",
    "parse",
    "unparse",
]

"""The expressions in which a pack declares the arithmetic of its attacks.

    sum(attackers, attack) / sum(defenders, defense)
    if(terrain in ["woods", "town"] and not dispersed, 2, 1)

`parse` a text once, `check` it against the names of a pack, and `evaluate` it for each battle.
"""

from scenarios.expressions.checking import FLAG, NUMBER, TEXT, KnownNames, Problem, ValueType, check, names
from scenarios.expressions.evaluating import compile_expression, evaluate
from scenarios.expressions.meaning import EvaluationError, Evaluator, Lookup, Value, Values
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
    "EvaluationError",
    "Evaluator",
    "Expression",
    "ExpressionError",
    "Flag",
    "Function",
    "KnownNames",
    "Literal",
    "Lookup",
    "Membership",
    "Name",
    "Number",
    "Problem",
    "Text",
    "Unary",
    "Value",
    "ValueType",
    "Values",
    "check",
    "compile_expression",
    "evaluate",
    "names",
    "parse",
    "unparse",
]

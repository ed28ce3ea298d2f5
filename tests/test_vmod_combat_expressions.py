"""Any expression of a pack means the same to the engine as to the assistant."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from modgen.vmod.battle.beanshell import ATOM, JavaExpression, Translator
from scenarios.expressions import FLAG, NUMBER, TEXT, EvaluationError, evaluate
from scenarios.expressions.syntax import Binary, Call, Expression, Flag, Membership, Name, Number, Text, Unary
from tests.bsh import Scope, evaluate_text, java

WORDS = Translator(
    {"one": NUMBER, "two": NUMBER, "word": TEXT, "flag": FLAG}, {}, {}, lambda node: JavaExpression("0.0", ATOM)
)
NUMBERS = st.one_of(
    st.sampled_from([Name("one"), Name("two")]),
    st.integers(-9, 9).map(lambda n: Number(Fraction(n)) if n >= 0 else Unary("-", Number(Fraction(-n)))),
    st.sampled_from([Number(Fraction(1, 2)), Number(Fraction(5, 2))]),
)
TEXTS = st.sampled_from([Name("word"), Text("a"), Text("4.10"), Text("4.1"), Text("")])
CHOICES = st.lists(st.sampled_from([Text("a"), Text("b"), Text("4.10"), Text("4.1")]), min_size=1, max_size=3)


def numbers(depth: int) -> st.SearchStrategy[Expression]:
    if not depth:
        return NUMBERS
    inner = numbers(depth - 1)
    return st.one_of(
        NUMBERS,
        st.builds(Binary, st.sampled_from("+-*"), inner, inner),
        st.builds(Unary, st.just("-"), inner),
        st.builds(lambda a, b: Binary("/", a, b), inner, st.sampled_from([Number(Fraction(2)), Number(Fraction(4))])),
        st.builds(lambda f, a: Call(f, (a,)), st.sampled_from(["floor", "ceil", "abs"]), inner),
        st.builds(lambda f, a, b, c: Call(f, (a, b, c)), st.sampled_from(["min", "max"]), inner, inner, inner),
        st.builds(lambda f, a, b: Call("if", (f, a, b)), flags(depth - 1), inner, inner),
    )


def flags(depth: int) -> st.SearchStrategy[Expression]:
    simple: st.SearchStrategy[Expression] = st.one_of(
        st.sampled_from((Name("flag"), Flag(True), Flag(False))),
        st.builds(lambda a, b, n: Membership(a, tuple(b), n), TEXTS, CHOICES, st.booleans()),
        st.builds(Binary, st.sampled_from(["==", "!="]), TEXTS, TEXTS),
    )
    if not depth:
        return simple
    inner, number = flags(depth - 1), numbers(depth - 1)
    return st.one_of(
        simple,
        st.builds(Binary, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), number, number),
        st.builds(Binary, st.sampled_from(["and", "or", "==", "!="]), inner, inner),
        st.builds(Unary, st.just("not"), inner),
    )


@given(
    st.one_of(numbers(3), flags(3)),
    st.integers(-4, 9),
    st.sampled_from([Fraction(1, 2), Fraction(3), Fraction(0), Fraction(7, 4)]),
    st.sampled_from(["a", "b", "4.1", "4.10", ""]),
    st.booleans(),
)
def test_translated_expressions_have_the_same_value(
    tree: Expression, whole_number: int, two: Fraction, word: str, flag: bool
) -> None:
    values: dict[str, Any] = {"one": Fraction(whole_number), "two": two, "word": word, "flag": flag}
    try:
        expected_value = evaluate(tree, values)
    except EvaluationError:
        return
    scope = Scope({"one": str(whole_number), "two": java(float(two)), "word": word, "flag": java(flag)})
    actual_value = evaluate_text(WORDS.translate(tree), scope)
    if isinstance(expected_value, Fraction):
        assert abs(actual_value - float(expected_value)) < 1e-6, WORDS.translate(tree)
    else:
        assert actual_value == expected_value, WORDS.translate(tree)

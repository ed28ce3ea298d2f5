"""Expressions agree with Python's own arithmetic, survive writing and reading, and complain in sentences."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenarios.expressions import (
    FLAG,
    NUMBER,
    TEXT,
    Aggregate,
    Binary,
    Call,
    EvaluationError,
    Expression,
    ExpressionError,
    Flag,
    KnownNames,
    Membership,
    Name,
    Number,
    Text,
    Unary,
    ValueType,
    check,
    evaluate,
    names,
    parse,
    unparse,
)

F = Fraction
QUICK = settings(max_examples=80, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])

WEAPON = ValueType("text", frozenset({"A", "B", "C"}))
SCOPE = KnownNames(
    names={
        "attack": NUMBER,
        "range": NUMBER,
        "air": NUMBER,
        "dispersed": FLAG,
        "weapon": WEAPON,
        "target": WEAPON,
        "terrain": ValueType("text", frozenset({"clear", "woods", "town"})),
        "band": TEXT,
    },
    groups={
        "attackers": {"strength": NUMBER, "type": ValueType("text", frozenset({"engineer", "infantry"}))},
        "defenders": {"defense": NUMBER, "range": NUMBER},
    },
    tables={"weapons": 2},
)
VALUES: dict[str, Any] = {
    "attack": 3,
    "range": 2,
    "air": 5,
    "dispersed": False,
    "weapon": "A",
    "target": "A",
    "terrain": "woods",
    "band": "1/2",
    "half": F(1, 2),
    "attackers": [{"strength": 4, "type": "engineer"}, {"strength": F(7, 2), "type": "infantry"}],
    "defenders": ({"defense": 2, "range": 9}, {"defense": 3, "range": 8}),
    "nobody": [],
}


def value(text: str, lookup: Callable[[str, tuple[str, ...]], str] | None = None) -> Fraction | str | bool:
    return evaluate(parse(text), VALUES, lookup)


@pytest.mark.parametrize(
    ("text", "expected_value"),
    [
        ("attack * 2", F(6)),
        ('terrain in ["woods", "town"] and not dispersed', True),
        ("terrain not in ['woods']", False),
        ("attack in [-1, 3.0]", True),
        ("sum(attackers, strength) / sum(defenders, defense)", F(3, 2)),
        ('if(weapon == "A" and target == "A" and range <= 2, 2, 1)', F(2)),
        ('count(attackers, type == "engineer") >= 1', True),
        ("count(attackers)", F(2)),
        ("min(3, floor(air / 2))", F(2)),
        ("ceil(air / 2) + floor(-air / 2)", F(0)),
        ("ceil(2) + ceil(-2) + ceil(0.1) + floor(3)", F(4)),
        ("abs(-1.5)", F(3, 2)),
        ("0.1 + 0.2 == 0.3", True),
        ("2 - 3 - 4", F(-5)),
        ("12 / 3 / 2 * 2", F(4)),
        ("2 + 3 * 4", F(14)),
        ("-2 * -3", F(6)),
        ("not dispersed == true", True),
        ("true or false and false", True),
        ("largest(attackers, strength)", F(4)),
        ("smallest(attackers, strength)", F(7, 2)),
        ("largest(nobody, strength) + smallest(nobody, strength) + sum(nobody, strength)", F(0)),
        ("any(nobody, true) or not all(nobody, false)", False),
        ("sum(defenders, range)", F(17)),  # a unit's field hides the name outside
        ("sum(attackers, strength * range)", F(15)),
        ("weapon", "A"),
        ('"it\'s"', "it's"),
        ("number('+2') + number('-1') + number('1/2') + number('3')", F(9, 2)),
    ],
)
def test_values_worked_out_by_hand(text: str, expected_value: object) -> None:
    result = value(text)
    assert result == expected_value
    assert type(result) is type(expected_value)


def test_lookup_gets_texts_and_its_own_errors_are_told() -> None:
    lookups: list[tuple[str, tuple[str, ...]]] = []

    def lookup(table: str, keys: tuple[str, ...]) -> str:
        lookups.append((table, keys))
        if keys[0] == "C":
            raise KeyError(keys)
        return "-3/2"

    assert value('number(lookup("weapons", weapon, band))', lookup) == F(-3, 2)
    assert value("lookup('weapons', 6 / 2, half, -air)", lookup) == "-3/2"
    assert lookups == [("weapons", ("A", "1/2")), ("weapons", ("3", "1/2", "-5"))]
    with pytest.raises(EvaluationError, match="table \"weapons\" has nothing at 'C', '1'") as error_info:
        value("1 == number(lookup('weapons', 'C', 1))", lookup)
    assert error_info.value.offset == 12


def test_what_is_not_needed_is_not_evaluated() -> None:
    assert value("false and 1 / 0 == 1") is False
    assert value("true or missing") is True
    assert value("if(true, 1, 1 / 0)") == 1
    assert value("if(false, number('x'), 2)") == 2
    assert value("any(attackers, type == 'engineer' or missing)") is True
    with pytest.raises(EvaluationError):
        value("true and 1 / 0 == 1")


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("1 + 2 / (air - 5)", 6, "'air - 5' is 0, and nothing can be divided by it"),
        ("1 + missing", 4, "'missing' has no value"),
        ("1 + attackers", 4, "'attackers' is a group of units, not a value"),
        ("count(air)", 6, "'air' is not a group of units"),
        ("count(weapon)", 6, "'weapon' is not a group of units"),
        ("count(missing)", 6, "there is no group 'missing'"),
        ("1 + number('NE')", 11, "the text 'NE' is no number"),
        ("number('1/0')", 7, "the text '1/0' is no number"),
        ("number('1/00')", 7, "the text '1/00' is no number"),
        ("number(' 1')", 7, "the text ' 1' is no number"),
        ("number('1.5')", 7, "the text '1.5' is no number"),
        ("number('٣')", 7, "the text '٣' is no number"),
        ("number(3)", 7, "number(...) takes texts; '3' is a number"),
        ("true + 1", 0, "'+' works on numbers; 'true' is a flag"),
        ("1 + dispersed", 4, "'+' works on numbers; 'dispersed' is a flag"),
        ("min(1, true)", 7, "min(...) takes numbers; 'true' is a flag"),
        ("sum(attackers, type)", 15, "sum(...) takes a number; 'type' is a text"),
        ("sum(attackers, true)", 15, "sum(...) takes a number; 'true' is a flag"),
        ("count(attackers, strength)", 17, "count(...) takes a flag; 'strength' is a number"),
        ("-'a'", 1, "'-' works on numbers; \"a\" is a text"),
        ("not 1", 4, "'not' turns a flag round; '1' is a number"),
        ("1 and true", 0, "'and' joins flags; '1' is a number"),
        ("false or 'a'", 9, "'or' joins flags; \"a\" is a text"),
        ("'a' < 'b'", 0, "'<' compares numbers; \"a\" is a text"),
        ("1 == true", 2, "a number is compared with a flag"),
        ("weapon in [1]", 7, "a text is compared with a number"),
        ("true in [1]", 5, "a flag is compared with a number"),
        ("if(1, 2, 3)", 3, "if(...) asks a flag; '1' is a number"),
        ("1 + frob(2)", 4, "frob(...) has no value: there is no such function"),
        ("sum(attackers)", 0, "sum(...) has no value: write sum(group, number)"),
        ("floor()", 0, "floor(...) is written floor(number)"),
        ("lookup('weapons', 1)", 0, 'there are no tables here to look up "weapons"'),
        ("lookup(weapon, 1)", 7, "a table is named by a text in quotes, not by 'weapon'"),
    ],
)
def test_errors_of_evaluation(text: str, offset: int, message: str) -> None:
    with pytest.raises(EvaluationError) as error_info:
        value(text)
    assert (error_info.value.offset, str(error_info.value)) == (offset, message)


def test_no_float_and_no_flag_passes_for_a_number() -> None:
    with pytest.raises(EvaluationError, match="neither a number nor a text nor a flag"):
        evaluate(parse("x + 1"), {"x": 0.5})  # type: ignore[dict-item]
    with pytest.raises(EvaluationError, match="'x' is a flag"):
        evaluate(parse("x + 1"), {"x": True})
    with pytest.raises(EvaluationError, match="a text or a number belongs here; 'x' is a flag"):
        evaluate(parse("lookup('t', x)"), {"x": True}, lambda table, keys: "1")


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("", 0, "the expression is empty"),
        (" \n", 0, "the expression is empty"),
        ("a = 1", 2, "'=' compares nothing here; write '=='"),
        ("a && b", 2, "'&&' is written 'and'"),
        ("a || b", 2, "'||' is written 'or'"),
        ("!a", 0, "'!' is written 'not'"),
        ("a <> 1", 2, "'<>' is written '!='"),
        ("a => 1", 2, "'=>' is written '>='"),
        ("a ≤ 1", 2, "'≤' is written '<='"),
        ("a ** 2", 2, "'**' has no meaning here: there are no powers"),
        ("a // 2", 2, "'//' is written floor(a / b)"),
        ("“a”", 0, 'a text stands in straight quotes, as in "woods"'),
        ("1 + (a * 2", 4, "the '(' opened here is not closed"),
        ("1 + min(a", 7, "the '(' opened here is not closed"),
        ("a in [1, 2", 5, "the '[' opened here is not closed"),
        ("a == 'woods", 5, "the quote ' opened here is not closed"),
        ('a == "woods', 5, 'the quote " opened here is not closed'),
        ("a b", 2, "'b' cannot follow here; an operator such as '+' or 'and' is missing"),
        ("(a b)", 3, "'b' cannot follow here; an operator such as '+' or 'and' is missing"),
        ("a AND b", 2, "'AND' is written 'and'"),
        ("a)", 1, "this ')' closes nothing"),
        ("a, b", 1, "a ',' stands only between arguments and in lists"),
        ("a +", 3, "the expression ends where a value should follow"),
        ("a + * b", 4, "'*' stands where a value should be; write a name, a number or a text in quotes there"),
        ("and b", 0, "'and' stands where a value should be; write a name, a number or a text in quotes there"),
        ("min(1,)", 6, "')' stands where a value should be; write a name, a number or a text in quotes there"),
        ("a < b < c", 6, "comparisons do not chain; write a < b and b < c"),
        ("a == b in [true]", 7, "comparisons do not chain; write a < b and b < c"),
        ("1 + not a", 4, "'not' needs parentheses here: (not ...)"),
        ("a == not b", 5, "'not' needs parentheses here: (not ...)"),
        ("if a", 0, "'if' is written if(condition, then, else)"),
        ("a in b", 5, '\'in\' is followed by a list, as in ["woods", "town"]'),
        ("[1]", 0, "a list stands only after 'in' or 'not in'"),
        ("a in []", 6, "a list holds numbers, texts in quotes, true and false; at least one"),
        ("a in [b]", 6, "a list holds numbers, texts in quotes, true and false; at least one"),
        ("a in [1, 'b']", 9, "a list holds values of one kind"),
        ("1.5.2", 0, "'1.5.2' is no number; numbers look like 2 or 0.5, names begin with a letter"),
        ("1 + 2x", 4, "'2x' is no number; numbers look like 2 or 0.5, names begin with a letter"),
        (".5", 0, "'.5' is no number; numbers look like 2 or 0.5, names begin with a letter"),
        ("unit.attack.x", 11, "'.' has no meaning here: it stands between the two parts of a name, as in to.terrain"),
        ("a; b", 1, "';' has no meaning here"),
        ("a\0", 1, "the character U+0000 has no meaning here"),
        ("'a\0'", 2, "a text cannot hold the character U+0000"),
        ("'a\nb'", 2, "a text cannot hold the character U+000A"),
        ("sum(a, 1 + count(b))", 11, "count(...) cannot stand inside sum(...)"),
        ("(" * 51 + "1" + ")" * 51, 50, "the expression is nested more than 50 deep"),
        ("-" * 51 + "1", 50, "the expression is nested more than 50 deep"),
        ("1" + "+1" * 101, 201, "an expression has at most 100 operators"),
        (" " * 2001, 2000, "an expression has at most 2000 characters; here are 2001"),
    ],
)
def test_errors_of_the_text(text: str, offset: int, message: str) -> None:
    with pytest.raises(ExpressionError) as error_info:
        parse(text)
    assert (error_info.value.offset, str(error_info.value)) == (offset, message)


def test_the_limits_themselves_are_allowed() -> None:
    assert parse("(" * 50 + "1" + ")" * 50) == Number(F(1))
    assert value("1" + "+1" * 100) == 101
    assert value("1" + " " * 1999) == 1
    tallest = parse("not " * 50 + "true" + " and true" * 100)
    assert value(unparse(tallest)) is True
    assert check(tallest, SCOPE) == (FLAG, [])
    assert parse(unparse(tallest)) == tallest
    assert repr(tallest) and hash(tallest) and names(tallest) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000_000,
        "1+" * 5_000_000,
        "(" * 1_999,
        "-" * 1_999,
        "not " * 499 + "a",
        "f(" * 900,
        "[" * 1_999,
        "if(" * 500 + "1",
        "'" * 1_999,
        "\0" * 2_000,
        "\ud800",
        "'\udfff'",
        "'\u202e'",
        "a\u00a0+ 1",
        "１ + 1",
        "é",
        "x²",
        "\u2028",
        "9" * 1_990 + "x",
        "__import__('os').system('x')",
        "a.b.c",
        "a.1",
        "lambda: 1",
        "1 if a else 2",
        "a := 1",
        "{}",
        "a[0]",
        "f'{a}'",
        "\\",
        "\ufeffa",
    ],
    ids=range(30),
)
def test_hostile_texts_are_refused_at_once(text: str) -> None:
    with pytest.raises(ExpressionError) as error_info:
        parse(text)
    assert 0 <= error_info.value.offset <= 2_000
    assert str(error_info.value).isprintable() and len(str(error_info.value)) < 150


@QUICK
@given(st.text(max_size=60) | st.text("ab1.'\"()[],+-*/<>=!notinadrfe ", max_size=60))
def test_any_text_is_an_expression_or_an_error(text: str) -> None:
    try:
        tree = parse(text)
    except ExpressionError as error:
        assert 0 <= error.offset <= len(text)
    else:
        assert parse(unparse(tree)) == tree
        check(tree, SCOPE)


# Random expressions, each with its twin in Python, drawn without more parentheses than the grammar needs.

Pair = tuple[str, str]
TWIN = {
    "floor": math.floor,
    "ceil": math.ceil,
    "abs": abs,
    "min": min,
    "max": max,
    "F": F,
    "sum": sum,
    "any": any,
    "all": all,
    "len": len,
}
UNITS = st.lists(
    st.fixed_dictionaries(
        {
            "power": st.integers(-3, 9) | st.fractions(-2, 2, max_denominator=4),
            "ready": st.booleans(),
            "type": st.sampled_from("AB"),
        }
    ),
    max_size=3,
)
WORLD = st.fixed_dictionaries(
    {
        "n": st.integers(-3, 9),
        "q": st.fractions(-3, 3, max_denominator=6),
        "t": st.sampled_from("AB"),
        "f": st.booleans(),
        "g": st.booleans(),
        "us": UNITS,
        "them": UNITS,
    }
)


@st.composite
def numeric(draw: st.DrawFn, depth: int, unit: bool) -> Pair:
    expression, twin = draw(number_term(depth, unit))
    for _ in range(draw(st.integers(0, 2))):
        operator = draw(st.sampled_from("+-*/"))
        right = draw(number_term(depth, unit))
        expression, twin = f"{expression} {operator} {right[0]}", f"{twin} {operator} {right[1]}"
    return expression, twin


@st.composite
def number_term(draw: st.DrawFn, depth: int, unit: bool) -> Pair:
    shape = draw(st.integers(0, 3 if depth == 0 else 8))
    if shape == 0:
        tenths = draw(st.integers(0, 40))
        return str(tenths / 10), f"F({tenths}, 10)"
    if shape == 1:
        number = draw(st.integers(0, 12))
        return str(number), f"F({number})"
    if shape == 2:
        name = draw(st.sampled_from("nq"))
        return name, f"F({name})"
    if shape == 3 and unit:
        return "power", "F(u['power'])"
    if shape in (3, 4) and depth:
        expression, twin = draw(number_term(depth - 1, unit))
        return f"-{expression}", f"-{twin}"
    if shape == 5:
        expression, twin = draw(numeric(depth - 1, unit))
        return f"({expression})", f"({twin})"
    if shape == 6:
        function = draw(st.sampled_from(["floor", "ceil", "abs", "min", "max"]))
        has_many_arguments = function in ("min", "max")
        parts = [draw(numeric(depth - 1, unit)) for _ in range(draw(st.integers(1, 3)) if has_many_arguments else 1)]
        expression, twin = (", ".join(part[side] for part in parts) for side in (0, 1))
        return (
            f"{function}({expression})",
            f"F({function}([{twin}]))" if has_many_arguments else f"F({function}({twin}))",
        )
    if shape == 7:
        (condition, python_condition), then_pair, else_pair = (
            draw(flag(depth - 1, unit)),
            draw(numeric(depth - 1, unit)),
            draw(numeric(depth - 1, unit)),
        )
        return (
            f"if({condition}, {then_pair[0]}, {else_pair[0]})",
            f"(({then_pair[1]}) if ({python_condition}) else ({else_pair[1]}))",
        )
    if shape == 8 and not unit:
        group = draw(st.sampled_from(["us", "them"]))
        function = draw(st.sampled_from(["sum", "largest", "smallest", "count"]))
        if function == "count":
            expression, twin = draw(flag(depth - 1, True))
            return f"count({group}, {expression})", f"F(len([1 for u in {group} if ({twin})]))"
        expression, twin = draw(numeric(depth - 1, True))
        python_list = f"[({twin}) for u in {group}]"
        python_forms = {"sum": f"F(sum({python_list}))", "largest": f"max({python_list}, default=F(0))"}
        return f"{function}({group}, {expression})", python_forms.get(function, f"min({python_list}, default=F(0))")
    return "n", "F(n)"


@st.composite
def flag(draw: st.DrawFn, depth: int, unit: bool) -> Pair:
    expression, twin = draw(flag_term(depth, unit))
    for _ in range(draw(st.integers(0, 2))):
        operator = draw(st.sampled_from(["and", "or"]))
        right = draw(flag_term(depth, unit))
        expression, twin = f"{expression} {operator} {right[0]}", f"{twin} {operator} {right[1]}"
    return expression, twin


@st.composite
def flag_term(draw: st.DrawFn, depth: int, unit: bool) -> Pair:
    shape = draw(st.integers(0, 4 if depth == 0 else 8))
    if shape == 0:
        return draw(st.sampled_from([("f", "f"), ("g", "g"), ("true", "True"), ("false", "False")]))
    if shape == 1:
        return ("ready", "u['ready']") if unit else ("f != g", "f != g")
    if shape == 2:
        operator, letter = draw(st.sampled_from(["==", "!="])), draw(st.sampled_from("AB"))
        subject = ("type", "u['type']") if unit else ("t", "t")
        return f"{subject[0]} {operator} '{letter}'", f"{subject[1]} {operator} '{letter}'"
    if shape == 3:
        operator = draw(st.sampled_from(["in", "not in"]))
        items = draw(st.sampled_from(["'A'", "'B', 'A'", "'C'"]))
        return f"t {operator} [{items}]", f"t {operator} [{items}]"
    if shape in (4, 5):
        left, right = draw(numeric(max(depth - 1, 0), unit)), draw(numeric(max(depth - 1, 0), unit))
        operator = draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
        return f"{left[0]} {operator} {right[0]}", f"{left[1]} {operator} {right[1]}"
    if shape == 6:
        expression, twin = draw(flag_term(depth - 1, unit))
        return f"not {expression}", f"not {twin}"
    if shape == 7 and not unit:
        function, group = draw(st.sampled_from(["any", "all"])), draw(st.sampled_from(["us", "them"]))
        expression, twin = draw(flag(depth - 1, True))
        return f"{function}({group}, {expression})", f"{function}(({twin}) for u in {group})"
    expression, twin = draw(flag(depth - 1, unit))
    return f"({expression})", f"({twin})"


TWIN_SCOPE = KnownNames(
    {"n": NUMBER, "q": NUMBER, "t": ValueType("text", frozenset("ABC")), "f": FLAG, "g": FLAG},
    {group: {"power": NUMBER, "ready": FLAG, "type": ValueType("text", frozenset("AB"))} for group in ("us", "them")},
)


@settings(QUICK, max_examples=100)
@given(numeric(2, False) | flag(2, False), WORLD)
def test_python_says_the_same(pair: Pair, world: dict[str, Any]) -> None:
    expression, twin = pair
    tree = parse(expression)
    kind, problems = check(tree, TWIN_SCOPE)
    assert [problem for problem in problems if "divided" not in problem.message] == []
    assert kind is not None
    try:
        expected_value = eval(twin, {**TWIN, **world})
    except ZeroDivisionError:
        with pytest.raises(EvaluationError, match="divided"):
            evaluate(tree, world)
        return
    result = evaluate(tree, world)
    assert result == expected_value
    assert type(result) is (bool if kind == FLAG else Fraction)
    assert names(tree, TWIN_SCOPE.groups) <= set(world)


# Random trees, of any kinds, for the way to text and back.

WORDS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,5}", fullmatch=True).filter(
    lambda word: word not in {"and", "or", "not", "in", "true", "false", "if"}
)
GROUPS = WORDS.map(Name)
TENTHS = st.builds(lambda top, places: F(top, 10**places), st.integers(0, 10**6), st.integers(0, 4))
TEXTS = (
    st.text(st.characters(codec="utf-8"), max_size=5)
    .filter(lambda text: text.isprintable() and not ('"' in text and "'" in text))
    .map(Text)
)
FLAGS = st.booleans().map(Flag)
LISTS = (
    st.lists((TENTHS | TENTHS.map(lambda tenth: -tenth)).map(Number), min_size=1, max_size=3)
    | st.lists(TEXTS, min_size=1, max_size=3)
    | st.lists(FLAGS, min_size=1, max_size=3)
).map(tuple)
OPERATORS = ["*", "/", "+", "-", "==", "!=", "<", "<=", ">", ">=", "and", "or"]
FUNCTIONS = st.sampled_from(["min", "if", "lookup"]) | WORDS.filter(
    lambda word: word not in {"sum", "count", "any", "all", "largest", "smallest", "kinds"}
)


def larger(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return (
        st.builds(Unary, st.sampled_from(["-", "not"]), inner)
        | st.builds(Binary, st.sampled_from(OPERATORS), inner, inner)
        | st.builds(Membership, inner, LISTS, st.booleans())
        | st.builds(Call, FUNCTIONS, st.lists(inner, max_size=3).map(tuple))
    )


PLAIN_EXPRESSIONS: st.SearchStrategy[Expression] = st.recursive(
    st.builds(Number, TENTHS) | TEXTS | FLAGS | WORDS.map(Name), larger, max_leaves=8
)
AGGREGATE: st.SearchStrategy[Expression] = st.builds(
    Aggregate, st.sampled_from(["sum", "any", "all", "largest", "smallest"]), GROUPS, PLAIN_EXPRESSIONS
) | st.builds(Aggregate, st.just("count"), GROUPS, st.none() | PLAIN_EXPRESSIONS)


@QUICK
@given(st.recursive(PLAIN_EXPRESSIONS | AGGREGATE, larger, max_leaves=4))
def test_text_and_back(tree: Expression) -> None:
    text = unparse(tree)
    assert parse(text) == tree
    assert unparse(parse(text)) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("((a))+( b*c )", "a + b * c"),
        ("(a+b)*c", "(a + b) * c"),
        ("a-(b-c)", "a - (b - c)"),
        ("(a-b)-c", "a - b - c"),
        ("not(a==b)", "not a == b"),
        ("(not a)==b", "(not a) == b"),
        ("not(a and b)", "not (a and b)"),
        ("(not a)and b", "not a and b"),
        ("-(a*b)", "-(a * b)"),
        ("(a<b)==c", "(a < b) == c"),
        ("-(-a)", "--a"),
        ("1.50", "1.5"),
        ("0.05", "0.05"),
        ("0.10", "0.1"),
        ("12.25", "12.25"),
        ("007", "7"),
        ("'a'", '"a"'),
        ("'\"'", "'\"'"),
        ("a not   in[-1,2]", "a not in [-1, 2]"),
        ("count( us )", "count(us)"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert unparse(parse(text)) == canonical


def test_offsets_are_those_of_the_text() -> None:
    tree = parse("  ab + sum(us, -x) * 2 in [1, 3]")
    assert isinstance(tree, Membership) and tree.offset == 23
    assert [choice.offset for choice in tree.choices] == [27, 30]
    plus = tree.operand
    assert isinstance(plus, Binary) and (plus.operator, plus.offset, plus.left.offset) == ("+", 5, 2)
    times = plus.right
    assert isinstance(times, Binary) and times.offset == 19
    total = times.left
    assert isinstance(total, Aggregate) and (total.offset, total.group.offset) == (7, 11)
    assert isinstance(total.argument, Unary) and total.argument.operand.offset == 16


@pytest.mark.parametrize(
    ("text", "kind", "problems"),
    [
        ("attack * 2", NUMBER, []),
        ("lookup('weapons', weapon, range)", TEXT, []),
        ("if(dispersed, 'x', 'y')", ValueType("text", frozenset("xy")), []),
        ("if(dispersed, weapon, band)", TEXT, []),
        ("weapon == target and any(attackers, strength > range)", FLAG, []),
        ("terain", None, [(0, "there is no name 'terain' here; did you mean 'terrain'?")]),
        ("xyzzy", None, [(0, "there is no name 'xyzzy' here")]),
        ("True", None, [(0, "there is no name 'True' here; did you mean 'true'?")]),
        ("range and dispersed", FLAG, [(0, "'and' joins flags; 'range' is a number")]),
        ("not 'a'", FLAG, [(4, "'not' turns a flag round; \"a\" is a text")]),
        ("dispersed < 1", FLAG, [(0, "'<' compares numbers; 'dispersed' is a flag")]),
        ("mim(1)", None, [(0, "there is no function 'mim'; did you mean 'min'?")]),
        ("floor(1, 2)", NUMBER, [(0, "write floor(number); 2 arguments are given")]),
        ("min()", NUMBER, [(0, "write min(number, ...); 0 arguments are given")]),
        ("if(true, 1)", None, [(0, "write if(condition, then, else); 2 arguments are given")]),
        ("sum(attackers)", NUMBER, [(0, "write sum(group, number); 1 argument is given")]),
        ("any(1 + 1, true)", FLAG, [(0, "any(group, flag) begins with the name of a group")]),
        (
            "if(dispersed, 1, 'a')",
            None,
            [(0, "both branches of if(...) are of one kind; here are a number and a text")],
        ),
        ("if(1, 2, 3)", NUMBER, [(3, "if(...) asks a flag; '1' is a number")]),
        ("terrain == 'wods'", FLAG, [(11, '\'terrain\' is never "wods"; did you mean "woods"?')]),
        ("'wods' != terrain", FLAG, [(0, '\'terrain\' is never "wods"; did you mean "woods"?')]),
        (
            "terrain in ['woods', 'twn', '?']",
            FLAG,
            [(21, '\'terrain\' is never "twn"; did you mean "town"?'), (28, "'terrain' is never \"?\"")],
        ),
        ("weapon == terrain", FLAG, [(7, "'weapon' and 'terrain' have no text in common")]),
        (
            "count(attackers, type == 'enginer')",
            NUMBER,
            [(25, '\'type\' is never "enginer"; did you mean "engineer"?')],
        ),
        ("range == 'a'", FLAG, [(6, "'==' compares two values of one kind; 'range' is a number and \"a\" is a text")]),
        (
            "range in ['a', 'b']",
            FLAG,
            [(10, "'in' compares two values of one kind; 'range' is a number and \"a\" is a text")],
        ),
        ("attackers + 1", NUMBER, [(0, "'attackers' is a group of units; use it as in count(attackers)")]),
        ("count(atackers)", NUMBER, [(6, "there is no group 'atackers'; did you mean 'attackers'?")]),
        ("sum(range, 1)", NUMBER, [(4, "'range' is a number, not a group of units")]),
        (
            "sum(defenders, range)",
            NUMBER,
            [(15, "'range' is a field of the units in 'defenders' and hides the name outside")],
        ),
        (
            "strength",
            None,
            [
                (
                    0,
                    "there is no name 'strength' here; it is told of units: write sum(attackers, strength), or say `to: attackers`",
                )
            ],
        ),
        ("terrain == town", FLAG, [(11, "there is no name 'town' here; a text stands in quotes: \"town\"")]),
        ("lookup('wepons', 1, 2)", TEXT, [(7, 'there is no table "wepons"; did you mean "weapons"?')]),
        ("lookup('weapons', 1)", TEXT, [(0, 'table "weapons" takes 2 keys; 1 given')]),
        ("lookup(band, 1, 2)", TEXT, [(7, "a table is named by a text in quotes, not by 'band'")]),
        ("lookup('weapons', 1, true)", TEXT, [(21, "lookup(...) takes texts and numbers; 'true' is a flag")]),
        ("range / 0", NUMBER, [(6, "nothing can be divided by 0")]),
        ("number(1)", NUMBER, [(7, "number(...) takes texts; '1' is a number")]),
    ],
)
def test_check(text: str, kind: ValueType | None, problems: list[tuple[int, str]]) -> None:
    kind_found, problem_list = check(parse(text), SCOPE)
    assert (kind_found, [(offset, message.partition("; known ")[0]) for offset, message in problem_list]) == (
        kind,
        problems,
    )


def test_check_reports_everything_at_once() -> None:
    text = "-dispersed + rang / 0 < 'a' and frob(atack) or sum(atackers, strength and 1) in [true]"
    _, problems = check(parse(text), SCOPE)
    assert [(offset, message.split(";")[0]) for offset, message in problems] == [
        (1, "'-' works on numbers"),
        (13, "there is no name 'rang' here"),
        (18, "nothing can be divided by 0"),
        (24, "'<' compares numbers"),
        (32, "there is no function 'frob'"),
        (37, "there is no name 'atack' here"),
        (51, "there is no group 'atackers'"),
        (70, "sum(...) takes a number"),
        (74, "'and' joins flags"),
        (81, "'in' compares two values of one kind"),
    ]


def test_tables_that_are_not_known_are_not_checked() -> None:
    assert check(parse("lookup('anything', 1)"), KnownNames()) == (TEXT, [])
    assert check(parse("lookup('anything', 1)"), KnownNames(tables={}))[1] != []


def test_names() -> None:
    tree = parse("if(f, a, min(b, -c)) + sum(us, power * d) + count(them) * number(lookup('t', e, 'x'))")
    assert names(tree) == set("abcdef") | {"us", "them", "power"}
    assert names(tree, {"us": {"power"}}) == set("abcdef") | {"us", "them"}
    assert names(parse("power in [1] and any(us, power > 0)"), {"us": ["power"]}) == {"power", "us"}


def test_join_makes_a_text() -> None:
    scope = KnownNames({"weapon": TEXT, "n": NUMBER, "f": FLAG})
    expression = parse('join("direct/", weapon, " ", n)')
    assert check(expression, scope) == (TEXT, [])
    assert evaluate(expression, {"weapon": "(H)", "n": Fraction(1, 2)}) == "direct/(H) 1/2"
    assert parse(unparse(expression)) == expression
    assert [p.message for p in check(parse('join("a", f)'), scope)[1]] == [
        "join(...) takes texts and numbers; 'f' is a flag"
    ]
    assert check(parse('join("a")'), scope)[1]

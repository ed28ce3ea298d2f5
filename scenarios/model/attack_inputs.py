"""The inputs of a battle: the formulas of a pack, the values that a player gives, and how a module reads those values from its map."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from scenarios.expressions import (
    Evaluator,
    Expression,
    ExpressionError,
    KnownNames,
    ValueType,
    check,
    compile_expression,
    parse,
)
from scenarios.model.sources import IdField
from scenarios.model.tables import Table
from scenarios.reading.findings import suggest
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, Form, Record, Schema, documented_field, place, record


class _FormulaForm(Form):
    """An expression, with its place in the file."""

    empty: ClassVar[Formula | None] = None

    @staticmethod
    def read(node: Node, findings: Findings) -> Formula | None:
        if node.text is None or node.empty:
            findings.add(node, f"here stands {node.kind}; write an expression such as attack * 2")
            return None
        try:
            formula = Formula(node.text, node)
            formula.expression  # noqa: B018  parsed now, so that a mistake is found where it stands
            return formula
        except ExpressionError as error:
            findings.add(node.letter(error.offset), str(error))
            return None

    @staticmethod
    def schema(define: Callable[[Any], Schema]) -> Schema:
        return {"type": ["string", "number", "boolean"]}


@dataclass(frozen=True)
class Formula:
    """An expression of a pack. It is parsed on first use. A pack from the cache has been checked and is not checked again."""

    text: str
    node: Node | None = field(default=None, repr=False, compare=False)

    @cached_property
    def expression(self) -> Expression:
        """The parsed expression. Raises ExpressionError if the text is no expression."""
        return parse(self.text)

    @cached_property
    def work(self) -> Evaluator:
        """The compiled expression. It can be evaluated for any number of battles."""
        return compile_expression(self.expression)

    def check(
        self, scope: KnownNames, expected_base: Literal["number", "text", "flag"] | None, findings: Findings
    ) -> ValueType | None:
        """Check that the expression fits its scope and gives the expected kind of value. Returns that kind, if known."""
        node = self.node or Node("(built in code)", 1, 1)
        kind, problems = check(self.expression, scope)
        for problem in problems:
            findings.add(node.letter(problem.offset), f"{problem.message} (in {self.text!r})")
        if kind is not None and expected_base is not None and kind.base != expected_base:
            findings.add(node, f"{self.text!r} gives a {kind.base}; here belongs a {expected_base}")
        return kind


FormulaField = Annotated[Formula | None, _FormulaForm]


@record
class NearUnits(Record):
    """Units on the map that answer a question: which units, of which side, and how near."""

    where: FormulaField = documented_field(
        "Which units: an expression of what a unit has and, in a procedure, of its place, such as leader > 0 and not to.depot; all, if "
        "left out.",
        None,
    )
    whose: Literal["any", "own", "nation", "enemy"] = documented_field(
        "Whose: anybody's, of the attackers' side, of their nation, or of the other side.", "any"
    )
    within: FormulaField = documented_field(
        "How far off at most, in hexes or points: a number, or an expression of the unit; 0, if left out.", None
    )
    beyond: int | None = documented_field(
        "Only units farther off than this; 0 leaves out those in the place itself.", None
    )
    worth: FormulaField = documented_field("For a number: what such a unit is worth; the largest answers.", None)
    total: bool = documented_field("What all of them are worth together answers instead.", False)


@record
class AttackInput(Record):
    """An input of the battle that a player gives."""

    title: str = documented_field("What the player is asked.")
    kind: Literal["number", "text", "flag"] = documented_field("What the answer is.", "flag")
    choices: tuple[str, ...] = documented_field(
        "The possible answers; the word `terrain` stands for all kinds of terrain.", ()
    )
    default: str | None = documented_field("The answer when none is given.", None)
    read: Literal[
        "",
        "terrain",
        "markers",
        "units",
        "distance",
        "adjacent",
        "hexes",
        "hexside",
        "angle",
        "turn",
        "first_turn",
        "year",
        "sight",
        "shielded",
        "nation",
        "support",
        "effect",
    ] = documented_field(
        "How the assistant (from places) and a module find the answer by themselves: the kind of the targets' hex or point, the "
        "markers there, the units there or near, the hexes or points from a unit to it, whether it is next to it, from how many "
        "hexes the attackers come, the kind of the hexside between them (told of the battle: where all attackers cross one kind), whether "
        "two attackers stand `degrees` or more apart around it, the turn, whether it is the first, the scenario's year, whether a unit "
        "sees the targets, whether a hexside shields them from any attacker, the nation that the scenario gives a unit, whether a "
        "special rule of the scenario has an effect (for a number the value of the effect, or the default), and in a module what a "
        "piece of support off the map has: its strength for a number, its weapon for a text.",
        "",
    )
    at: Literal["targets", "attackers", "either"] = documented_field(
        "For terrain, markers and units: whose place counts. A flag is true where it holds of any of them; a text is read "
        "of the targets first.",
        "targets",
    )
    markers: tuple[IdField, ...] = documented_field(
        "For `read: markers` of a flag: the markers any of which makes it true.", ()
    )
    terrain: tuple[IdField, ...] = documented_field(
        "For `read: terrain` of a flag: the kinds any of which makes it true.", ()
    )
    hexsides: tuple[IdField, ...] = documented_field(
        "For `read: hexside` of a flag: the kinds any of which makes it true; told of the battle, where every attacker crosses one.",
        (),
    )
    units: NearUnits | None = documented_field("For `read: units`: which.", None)
    support: tuple[IdField, ...] = documented_field(
        "For `read: support`: the kinds of support that it is asked of, such as artillery.", ()
    )
    effect: IdField = documented_field(
        "For `read: effect`: the effect of a scenario's special rule that makes it true.", ""
    )
    degrees: int | None = documented_field(
        "For `read: angle`: how far apart two attackers have to stand around the target, 60 to 180 on hexes. With `by_rules`, that has to "
        "hold of every attacker too.",
        None,
    )
    largest: FormulaField = documented_field(
        "In a procedure, for an input with `choices`: where nobody says, the choice for which this is largest; `it` is the choice. With "
        "`read: hexside`, of the kinds that the attackers cross, where every attacker crosses one.",
        None,
    )
    unshielded: bool = documented_field(
        "For a flag of each attacking unit: where it is set, nothing shields the targets from that unit, and `read: shielded` asks the "
        "other attackers only.",
        False,
    )
    helps: bool = documented_field(
        "For a flag with `read: units` and `at: attackers`: those units take part without fighting. They lose nothing and may advance as "
        "attackers may, and in a plan each of them helps one attack only.",
        False,
    )
    what_if: str = documented_field(
        "For a flag or a number: the what-if of an attack also tries it with this set, or one higher; this text names that change.",
        "",
    )
    by_rules: FormulaField = documented_field(
        "How the assistant finds the answer instead: an expression of the pack's `rules`, asked of each attacker (`from` is where it "
        "stands, `to` the place attacked). Told of the battle, a flag is true where it holds of all of them; any other answer is that of "
        "the first.",
        None,
    )

    @cached_property
    def usual(self) -> Fraction | str | bool | None:
        """The default of the input, if it has one."""
        if self.default is None:
            return False if self.kind == "flag" else None
        if self.kind == "number":
            return Fraction(self.default)
        return self.default == "true" if self.kind == "flag" else self.default


READS = {
    "terrain": ("text", "flag"),
    "markers": ("text", "flag"),
    "units": ("number", "flag"),
    "distance": ("number",),
    "adjacent": ("flag",),
    "hexes": ("number",),
    "hexside": ("text", "flag"),
    "angle": ("flag",),
    "turn": ("number",),
    "first_turn": ("flag",),
    "year": ("number",),
    "sight": ("flag",),
    "shielded": ("flag",),
    "nation": ("text",),
    "support": ("number", "text", "flag"),
    "effect": ("flag", "number"),
}
"""The kinds of values that each way to read an input gives."""
UNIT_TEXTS = ("id", "name", "nation", "side", "class", "type", "size")


@dataclass(frozen=True)
class Vocabulary:
    """The names that expressions of a pack may use."""

    factors: Mapping[str, ValueType]
    flags: frozenset[str]
    terrain: tuple[str, ...]
    tables: Mapping[str, Table]
    markers: frozenset[str] = frozenset()
    hexsides: frozenset[str] = frozenset()
    effects: frozenset[str] = frozenset()

    def unit_fields(self) -> dict[str, ValueType]:
        """The names that every unit has."""
        fields = {name: ValueType("text") for name in UNIT_TEXTS} | {"steps": ValueType("number")}
        return fields | {flag: ValueType("flag") for flag in self.flags} | dict(self.factors)


def input_kind(shape: AttackInput, terrain: tuple[str, ...]) -> ValueType:
    """The kind of an input's values."""
    if shape.kind != "text":
        return ValueType(shape.kind)
    choices = [c for choice in shape.choices for c in (terrain if choice == "terrain" else (choice,))]
    return ValueType("text", frozenset(choices) if choices else None)


def check_input(
    name: str,
    shape: AttackInput,
    words: Vocabulary,
    of_unit: bool,
    findings: Findings,
    place_names: Mapping[str, ValueType] | None = None,
) -> None:
    """Check that an input of a battle, or of each unit, can be answered in the way it declares. `place_names` are the names of a unit's
    place, which inputs of procedures know."""
    kind = input_kind(shape, words.terrain)
    if shape.default is not None and kind.choices and shape.default not in kind.choices:
        findings.add(
            place(shape, "default"), f"{shape.default!r} is no answer to {name}; {suggest(shape.default, kind.choices)}"
        )
    if shape.choices and shape.kind != "text":
        findings.add(place(shape, "choices"), "only an input of the kind text has choices; add `kind: text`")
    for marker in shape.markers:
        if marker not in words.markers:
            findings.add(place(shape, "markers"), f"there is no marker {marker!r}; {suggest(marker, words.markers)}")
    fitting = READS.get(shape.read, ())
    if shape.read and shape.kind not in fitting:
        findings.add(place(shape, "read"), f"{shape.read} answers a {' or a '.join(fitting)}; this is a {shape.kind}")
    for kind_of in shape.terrain:
        if kind_of not in words.terrain:
            findings.add(
                place(shape, "terrain"), f"no terrain is called {kind_of!r}; {suggest(kind_of, words.terrain)}"
            )
    if shape.read == "terrain" and shape.kind == "flag" and not shape.terrain:
        findings.add(place(shape, "read"), "a flag that reads terrain needs to know which; add `terrain: [woods]`")
    for kind_of in shape.hexsides:
        if kind_of not in words.hexsides:
            findings.add(
                place(shape, "hexsides"), f"no hexside is called {kind_of!r}; {suggest(kind_of, words.hexsides)}"
            )
    if shape.read == "hexside" and shape.kind == "flag" and not shape.hexsides:
        findings.add(place(shape, "read"), "a flag that reads the hexside needs to know which; add `hexsides: [river]`")
    if shape.read == "hexes" and of_unit:
        findings.add(
            place(shape, "read"), "from how many hexes they come is read of the whole battle; put this input there"
        )
    if shape.read == "adjacent" and not of_unit:
        findings.add(
            place(shape, "read"),
            "whether it is next to the targets is read of each unit; put this input into its group",
        )
    if (shape.read == "support") != bool(shape.support):
        need = "add `support: [artillery]`" if not shape.support else "add `read: support`"
        findings.add(
            place(shape, "read" if not shape.support else "support"),
            f"`read: support` and `support` go together; {need}",
        )
    if (shape.read == "effect") != bool(shape.effect):
        need = "add `effect`, the id of one" if not shape.effect else "add `read: effect`"
        findings.add(
            place(shape, "read" if not shape.effect else "effect"), f"`read: effect` and `effect` go together; {need}"
        )
    if shape.effect and shape.effect not in words.effects:
        findings.add(
            place(shape, "effect"), f"no effect is called {shape.effect!r}; {suggest(shape.effect, words.effects)}"
        )
    if (shape.read == "angle") != (shape.degrees is not None):
        need = "add `degrees: 120`" if shape.degrees is None else "add `read: angle`"
        findings.add(
            place(shape, "read" if shape.degrees is None else "degrees"),
            f"`read: angle` and `degrees` go together; {need}",
        )
    elif shape.degrees is not None and (of_unit or not 60 <= shape.degrees <= 180):
        problem = (
            "the angle is read of all attackers together; put this input beside the groups"
            if of_unit
            else (f"{shape.degrees} isn't an angle from 60 to 180")
        )
        findings.add(place(shape, "degrees"), problem)
    if (shape.read == "units") != (shape.units is not None):
        need = "add `units`, such as {where: leader > 0}" if shape.units is None else "add `read: units`"
        findings.add(
            place(shape, "read" if shape.units is None else "units"), f"`read: units` and `units` go together; {need}"
        )
    if shape.unshielded and (shape.kind != "flag" or shape.read or shape.by_rules is not None or shape.usual):
        message = "only what a player tells of a unit leaves its targets unshielded; make this a flag that isn't read and has no default"
        findings.add(place(shape, "unshielded"), message)
    if shape.helps and (of_unit or shape.kind != "flag" or shape.read != "units" or shape.at != "attackers"):
        message = "helpers are units stacked with the attackers; make this a flag of the battle with `read: units` and `at: attackers`"
        findings.add(place(shape, "helps"), message)
    if shape.what_if and (of_unit or shape.kind == "text"):
        findings.add(
            place(shape, "what_if"), "only a flag or a number of the battle has a what-if; leave out `what_if`"
        )
    if shape.units is not None:
        _check_units(shape, shape.units, words, of_unit, findings, place_names)


def _check_units(
    shape: AttackInput,
    near_units: NearUnits,
    words: Vocabulary,
    of_unit: bool,
    findings: Findings,
    place_names: Mapping[str, ValueType] | None,
) -> None:
    in_procedure = place_names is not None
    scope = KnownNames({**words.unit_fields(), **(place_names or {})}, {}, dict.fromkeys(words.tables, 2))
    if near_units.beyond is not None and not in_procedure:
        findings.add(place(near_units, "beyond"), "only inputs of procedures know `beyond`; leave it out")
    for formula, expected_base in (
        (near_units.where, "flag"),
        (near_units.within, "number"),
        (near_units.worth, "number"),
    ):
        if formula is not None:
            formula.check(scope, expected_base, findings)  # type: ignore[arg-type]
    if of_unit and not in_procedure:
        findings.add(place(shape, "read"), "units are read of the whole battle; put this input there")
    if (shape.kind == "number") != (near_units.worth is not None):
        need = "add `worth`, such as leader" if near_units.worth is None else "leave out `worth`"
        findings.add(place(shape, "units"), f"this answers a {shape.kind}; {need}")

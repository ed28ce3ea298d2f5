"""What the section `rules` of a pack may hold: records, lists of records, and walks made of lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from scenarios.areas import Compass
from scenarios.expressions import Name
from scenarios.inputs import Formula, FormulaField, _FormulaForm
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, Form, Record, Schema, noted, reader, record
from scenarios.sources import IdField, Sourced


@record
class RuleRecord(Sourced):
    """A rule in a sentence, with its number."""

    text: str = noted("What a player is told, written as a reason: an enemy zone of control.")
    when: FormulaField = noted("When it holds; always, if left out.", None)
    note: str = noted("What else a reader should know.", "")


@record
class Amount(RuleRecord):
    """A record of an amount: of movement points, of a length."""

    text: str = noted("What a player is told.", "")
    set: FormulaField = noted("The amount is this.", None)
    add: FormulaField = noted("Add this to the amount so far.", None)
    multiply: FormulaField = noted("Multiply the amount so far by this.", None)
    throw: FormulaField = noted("Add a throw of dice, a text such as 1d6.", None)
    forbid: bool = noted("There is none: it may not walk at all.", False)


@record
class Step(RuleRecord):
    """A record about one step of a walk. The list is gone through from top to bottom."""

    cost: FormulaField = noted("The step costs this, whatever was said before; `all` takes the whole allowance.", None)
    add: FormulaField = noted("Add this to the cost so far.", None)
    multiply: FormulaField = noted("Multiply the cost so far by this.", None)
    harm: FormulaField = noted("How much harm the step does to who takes it.", None)
    stop: bool = noted("The walk ends where this step leads.", False)
    forbid: bool = noted("The step can't be taken, whatever is said below.", False)

    @cached_property
    def takes_all(self) -> bool:
        """Whether the step takes the whole allowance."""
        return self.cost is not None and self.cost.expression == Name("all")


@record
class Gate(RuleRecord):
    """A record that lets a unit walk or end, or doesn't."""

    forbid: bool = noted("It may not.", False)
    allow: bool = noted("For an end: here it may; where a list has such records, one of them has to hold.", False)


@record
class Demand(RuleRecord):
    """What has to be true."""

    that: FormulaField = noted("What has to be true.")


@dataclass(frozen=True, kw_only=True)
class Use:
    """A word in a list: another list of that name."""

    name: str
    node: Node | None = field(default=None, repr=False, compare=False)


R = TypeVar("R", bound=RuleRecord)


class _ListForm(Form):
    """A list of records and of words; a word stands for the list of that name."""

    empty: ClassVar[tuple[Any, ...]] = ()
    item: ClassVar[Any]

    @classmethod
    def read(cls, node: Node, findings: Findings) -> tuple[Any, ...]:
        if node.items is None:
            if node.text and not node.empty:
                return (Use(name=node.text, node=node),)
            findings.at(node, f"here stands {node.kind}; write a list of records, each with text and rule")
            return ()
        read: Callable[[Node, Findings], Any] = reader(cls.item)
        return tuple(Use(name=item.text, node=item) if item.text else read(item, findings) for item in node.items)

    @classmethod
    def schema(cls, define: Callable[[Any], Schema]) -> Schema:
        return {"anyOf": [{"type": "array", "items": {"anyOf": [define(cls.item), {"type": "string"}]}}, {"type": "string"}]}


class _StepsForm(_ListForm):
    item = Step


class _GatesForm(_ListForm):
    item = Gate


class _AmountsForm(Form):
    """Records of an amount, or one expression."""

    empty: ClassVar[tuple[Amount, ...]] = ()
    item: ClassVar[Any] = Amount

    @staticmethod
    def read(node: Node, findings: Findings) -> tuple[Amount, ...]:
        if node.items is not None:
            read: Callable[[Node, Findings], Amount] = reader(Amount)
            return tuple(read(item, findings) for item in node.items)
        formula = _FormulaForm.read(node, findings)
        inner = Node(node.path, node.line, node.column, entries={"set": (node, node)})
        return (Amount(set=formula, node=inner),) if formula is not None else ()

    @staticmethod
    def schema(define: Callable[[Any], Schema]) -> Schema:
        return {"anyOf": [{"type": "array", "items": define(Amount)}, {"type": ["string", "number"]}]}


StepsField = Annotated[tuple[Step | Use, ...], _StepsForm]
GatesField = Annotated[tuple[Gate | Use, ...], _GatesForm]
AmountsField = Annotated[tuple[Amount, ...], _AmountsForm]


@record
class Told(Record):
    """What a question may be told: `told.x` in expressions; places are asked as `to.x`."""

    title: str = noted("What a player is asked.")
    kind: Literal["flag", "number", "text", "places"] = noted("What the answer is.", "flag")
    choices: tuple[str, ...] = noted("For a text: the possible answers.", ())
    default: str | None = noted("The answer when none is given; without it false, 0, an empty text, no place.", None)


@record
class Minimum(RuleRecord):
    """So many hexes may be walked even by who can't pay for them."""

    hexes: int = noted("How many hexes or points.", 1)


@record
class Walk(Sourced):
    """Who may go where: a move, a trace of supply, a retreat, an advance."""

    partial: ClassVar[bool] = True
    title: str = noted("What it is called.", "")
    like: IdField = noted("The walk of this section that this one takes over every key from that isn't given here.", "")
    note: str = noted("What else holds for it.", "")
    phases: tuple[IdField, ...] = noted("The phases in which it is made; left out, any.", ())
    who: GatesField = noted("Who may not walk.", ())
    as_: Mapping[IdField, str] = noted("Fields of a walker that stands for the unit: {class: wheels} for its supplies.", {})
    allowance: AmountsField = noted("The points it has for the costs of its steps.", ())
    length: AmountsField = noted("Or how far it goes: each step counts 1 unless a record gives it a cost.", ())
    modes: Mapping[IdField, FormulaField] = noted(
        "Ways in which one and the same step may be taken, each with its condition: {road: over.road, country: true}.", {}
    )
    steps: StepsField = noted("What a step costs, what stops it, what forbids it.", ())
    ends: GatesField = noted("Where it may end; the word `stacking` stands for the demands on stacking.", ())
    minimum: Minimum | None = noted("So many hexes it can always go.", None)
    harm: str = noted("What harm is: steps, a state.", "")
    prefer: Literal["cheapest", "least_harm"] = noted("Which ways are offered.", "cheapest")


@record
class Zone(Sourced):
    """A zone of control, or anything else that a unit spreads around itself."""

    title: str = noted("What it is called.", "")
    has: FormulaField = noted("Which units have it; all, if left out.", None)
    steps: StepsField = noted("Where it doesn't go: records that forbid.", ())
    length: AmountsField = noted("How far it goes; 1, if left out.", ())
    note: str = noted("What else holds for it.", "")


@record
class Span(Sourced):
    """A piece that stands on a hexside or a route: a bridge, a ferry."""

    text: str = noted("Where it lies, in a few words.", "")
    of: FormulaField = noted("Which pieces: an expression of a unit or a marker.")
    over: tuple[IdField, ...] = noted("The kinds of hexside or route it lies over, the likeliest first.")
    toward: tuple[Compass, ...] = noted("On hexes: the directions in which it may lie from its hex, in order; any, if left out.", ())
    stands: FormulaField = noted("When it can be used: an expression of `from` and `to`.", None)
    told_by: IdField = noted("The effect of a scenario that gives a piece its two places.", "")
    note: str = noted("What else holds for it.", "")


@record
class Origin(Record):
    """Where a trace begins: in places, or with units."""

    places: FormulaField = noted("Places for which this is true.", None)
    units: FormulaField = noted("Units for which this is true,", None)
    serves: FormulaField = noted("and whom such a unit (`source`) serves; all of its side, if left out.", None)


@record
class Trace(Walk):
    """A line of supply, from where it begins to the unit."""

    text: str = noted("What it is, in a few words: from a headquarters.")
    for_: FormulaField = noted("Which units it may serve; all, if left out.", None)
    from_: Origin = noted("Where it begins.")
    near: int = noted("How near to the unit it has to come.", 0)


@record
class Supply(Record):
    """Who is in supply: whoever needs none, or whom one of the traces reaches."""

    free: tuple[RuleRecord, ...] = noted("Who needs none.", ())
    out: IdField = noted("The state of a unit out of supply.", "")
    traces: Mapping[IdField, Trace] = noted("The traces; one may use what an earlier one found, as by.ID.", {})


@record
class Command(Walk):
    """Who is in command: how far a headquarters reaches."""

    text: str = noted("What it is, in a few words.", "")
    of: FormulaField = noted("Which units command.")
    serves: FormulaField = noted("Whom such a unit (`source`) commands; all of its side, if left out.", None)


@record
class Fate(RuleRecord):
    """What becomes of a unit before it walks: the first that holds."""

    stay: bool = noted("It stays where it is.", False)
    lost: bool = noted("It is lost.", False)


@record
class NoWay(RuleRecord):
    """What it means that there is no way."""

    lose: str = noted("What is lost: all, or a number of steps.", "all")


@record
class Retreat(Walk):
    """Where a beaten unit goes. Without `allow` in its ends it goes its whole length."""

    fate: tuple[Fate, ...] = noted("Who stays and who is lost; the first that holds.", ())
    room: Literal["must", "first", "any"] = noted(
        "Whether an end needs room: it must; ends with room first, and if none has any; or it doesn't matter.", "must"
    )
    none: NoWay | None = noted("What it means that there is no way.", None)
    together: bool = noted("Units that go back at once share the room there is.", False)


@record
class Rules(Record):
    """The rules of the game outside its battles."""

    like: IdField = noted("A sample game whose rules these are; what is given here replaces theirs by key.", "")
    inputs: Mapping[IdField, Told] = noted("What questions may be told.", {})
    units: Mapping[IdField, FormulaField] = noted("Values worked out for every unit, in order.", {})
    values: Mapping[IdField, FormulaField] = noted("Values that records use, in order.", {})
    lists: Mapping[IdField, StepsField] = noted("Lists of steps that several walks use.", {})
    spans: Mapping[IdField, Span] = noted("Pieces on hexsides: `over.own_ID`, `over.enemy_ID`.", {})
    zones: Mapping[IdField, Zone] = noted("Zones of control: `to.ID` where an enemy has one, `to.own_ID`, `to.ID_units`.", {})
    stacking: tuple[Demand, ...] = noted("What has to be true of the units in one place, the group `stack`.", ())
    supply: Supply | None = noted("Who is in supply: `supplied`, `by.ID`.", None)
    command: Mapping[IdField, Command] = noted("Who is in command: `commanded`, `by.ID`.", {})
    movement: Mapping[IdField, Walk] = noted("The kinds of move; the first is the usual one.", {})
    retreat: Mapping[IdField, Retreat] = noted("The kinds of retreat; the first is the usual one.", {})
    advance: Mapping[IdField, Walk] = noted("The kinds of advance after combat; the first is the usual one.", {})

    def spread(self, records: tuple[Step | Use, ...] | tuple[Gate | Use, ...]) -> Iterator[Any]:
        """The records of a list, with those of the lists that it names in their place; `stacking` stays a Use."""
        for one in records:
            if isinstance(one, Use) and one.name in self.lists:
                yield from self.spread(self.lists[one.name])
            else:
                yield one


EFFECTS: Mapping[type[RuleRecord], tuple[str, ...]] = {
    Amount: ("set", "add", "multiply", "throw", "forbid"),
    Step: ("cost", "add", "multiply", "harm", "stop", "forbid"),
    Gate: ("forbid", "allow"),
    Demand: ("that",),
    Fate: ("stay", "lost"),
}
"""The effects that a record of each kind may have: exactly one of them."""


def effect_of(rule: RuleRecord) -> tuple[str, Formula | None] | None:
    """The one effect that a record has, with its expression; None where it has none, or several."""
    found: list[tuple[str, Formula | None]] = []
    for name in EFFECTS[type(rule)]:
        value: Any = getattr(rule, name)
        if isinstance(value, Formula):
            found.append((name, value))
        elif value is True:
            found.append((name, None))
    return found[0] if len(found) == 1 else None

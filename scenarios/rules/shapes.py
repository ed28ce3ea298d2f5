"""What the section `rules` of a pack may hold: records, lists of records, and walks made of lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from scenarios.expressions import Name
from scenarios.model.areas import AreaField, Compass
from scenarios.model.attack_inputs import Formula, FormulaField, _FormulaForm
from scenarios.model.sources import IdField, Sourced
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, Form, Record, Schema, documented_field, reader, record
from scenarios.rules.counters import RuleCounter
from scenarios.rules.procedures import Procedure
from scenarios.rules.records import Demand, Note, RuleRecord
from scenarios.rules.resources import Resource


@record
class Amount(RuleRecord):
    """A record with an amount: of movement points or of length."""

    text: str = documented_field("What a player reads.", "")
    set: FormulaField = documented_field("The amount is this.", None)
    add: FormulaField = documented_field("Add this to the amount so far.", None)
    multiply: FormulaField = documented_field("Multiply the amount so far by this.", None)
    roll: FormulaField = documented_field("Add a roll of dice, a text such as 1d6.", None)
    forbid: bool = documented_field("There is none: it may not walk at all.", False)


@record
class Step(RuleRecord):
    """A record about one step of a walk. The engine applies the list from top to bottom."""

    cost: FormulaField = documented_field(
        "The step costs this, whatever was said before; `all` takes the whole allowance.", None
    )
    add: FormulaField = documented_field("Add this to the cost so far.", None)
    multiply: FormulaField = documented_field("Multiply the cost so far by this.", None)
    harm: FormulaField = documented_field("How much harm the step does to who takes it.", None)
    stop: bool = documented_field("The walk ends where this step leads.", False)
    forbid: bool = documented_field("The step can't be taken, whatever is said below.", False)

    @cached_property
    def takes_all(self) -> bool:
        """Whether the step takes the whole allowance."""
        return self.cost is not None and self.cost.expression == Name("all")


@record
class Gate(RuleRecord):
    """A record that allows or forbids a unit to walk, or to end its walk."""

    forbid: bool = documented_field("It may not.", False)
    allow: bool = documented_field(
        "For an end: here it may; where a list has such records, one of them has to hold.", False
    )


@record
class SetUp(RuleRecord):
    """The rules for set-up in relation to terrain and other pieces, besides the areas of the groups."""

    text: str = documented_field("What a player reads; of a special rule, the rule's own text, if left out.", "")
    of: tuple[IdField, ...] = documented_field("The counters and markers that it is about.")
    at: AreaField | None = documented_field("Only those of them that stand here.", None)
    never: AreaField | None = documented_field("They may not stand here.", None)
    from_: tuple[IdField, ...] = documented_field("What their distance counts from; from each other, if left out.", ())
    at_least: int | None = documented_field("At least so many hexes or points away from each of those.", None)
    at_most: int | None = documented_field(
        "At most so many away: from one of `from`, or else from all of each other.", None
    )
    between: Mapping[IdField, int] = documented_field(
        "Between any two of them lie so many of these markers at least, with none of the two's kind on them.", {}
    )


@dataclass(frozen=True, kw_only=True)
class Use:
    """A word in a list: the name of another list."""

    name: str
    node: Node | None = field(default=None, repr=False, compare=False)


class _ListForm(Form):
    """A list of records and words. A word is replaced by the list of that name."""

    empty: ClassVar[tuple[Any, ...]] = ()
    item: ClassVar[Any]

    @classmethod
    def read(cls, node: Node, findings: Findings) -> tuple[Any, ...]:
        if node.items is None:
            if node.text and not node.empty:
                return (Use(name=node.text, node=node),)
            findings.add(node, f"here stands {node.kind}; write a list of records, each with text and rule")
            return ()
        read: Callable[[Node, Findings], Any] = reader(cls.item)
        return tuple(Use(name=item.text, node=item) if item.text else read(item, findings) for item in node.items)

    @classmethod
    def schema(cls, define: Callable[[Any], Schema]) -> Schema:
        return {
            "anyOf": [{"type": "array", "items": {"anyOf": [define(cls.item), {"type": "string"}]}}, {"type": "string"}]
        }


class _StepsForm(_ListForm):
    item = Step


class _GatesForm(_ListForm):
    item = Gate


class _AmountsForm(Form):
    """Records with an amount, or one expression."""

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
class RuleInput(Record):
    """An input of a question: `input.x` in expressions, or `to.x` for places."""

    title: str = documented_field("What a player is asked.")
    kind: Literal["flag", "number", "text", "places", "markers"] = documented_field("What the answer is.", "flag")
    choices: tuple[str, ...] = documented_field("For a text: the possible answers.", ())
    default: str | None = documented_field(
        "The answer when none is given; without it false, 0, an empty text, no place.", None
    )
    needed: bool = documented_field("A question that asks for it can't be answered without it.", False)
    what_if: str = documented_field(
        "For a number: `score` also tells the result with this input one higher; this text names that change.", ""
    )
    state: IdField = documented_field("For a flag: the state that the unit in question is in, or isn't.", "")
    marker: IdField = documented_field(
        "For a flag: without an answer it holds while this marker lies somewhere, turned to its `state` if it has one.",
        "",
    )


@record
class Minimum(RuleRecord):
    """A minimum number of hexes that a unit may move, even if it can't pay for them."""

    hexes: int = documented_field("How many hexes or points.", 1)


@record
class Walk(Sourced):
    """Which units may go where: a move, a supply line, a retreat, an advance."""

    partial: ClassVar[bool] = True
    title: str = documented_field("What it is called.", "")
    like: IdField = documented_field(
        "The walk of this section that this one takes over every key from that isn't given here.", ""
    )
    note: str = documented_field("What else holds for it.", "")
    phases: tuple[IdField, ...] = documented_field("The phases in which it is made; left out, any.", ())
    who: GatesField = documented_field("Who may not walk.", ())
    as_: Mapping[IdField, str] = documented_field(
        "Fields of a walker that stands for the unit: {class: wheels} for its supplies.", {}
    )
    allowance: AmountsField = documented_field("The points it has for the costs of its steps.", ())
    length: AmountsField = documented_field(
        "Or how far it goes: each step counts 1 unless a record gives it a cost.", ()
    )
    modes: Mapping[IdField, FormulaField] = documented_field(
        "Ways in which one and the same step may be taken, each with its condition: {road: over.road, country: true}.",
        {},
    )
    steps: StepsField = documented_field("What a step costs, what stops it, what forbids it.", ())
    ends: GatesField = documented_field(
        "Where it may end; `stacking` stands for the demands on stacking, another word for the list of that name.", ()
    )
    minimum: Minimum | None = documented_field("So many hexes it can always go.", None)
    harm: str = documented_field("What harm is: steps, a state.", "")
    cites: Mapping[Literal["step", "points"], str] = documented_field(
        "Sections of what holds for any walk: that a `step` leads to a neighbouring place, that it is paid for with `points`.",
        {},
    )
    prefer: Literal["cheapest", "least_harm"] = documented_field("Which ways are offered.", "cheapest")


@record
class Move(Walk):
    """A move or an advance."""

    movers: tuple[Demand, ...] = documented_field(
        "What has to be true of all units that make such a move at once, from one place or several: the group `movers`.",
        (),
    )
    notes: tuple[Note, ...] = documented_field("What an answer about it adds for units for which it holds.", ())


@record
class Zone(Sourced):
    """A zone of control, or any other zone around a unit."""

    title: str = documented_field("What it is called.", "")
    has: FormulaField = documented_field("Which units have it; all, if left out.", None)
    steps: StepsField = documented_field("Where it doesn't go: records that forbid.", ())
    length: AmountsField = documented_field("How far it goes; 1, if left out.", ())
    own_place: bool = documented_field("It covers the unit's own place too.", False)
    note: str = documented_field("What else holds for it.", "")


@record
class Span(Sourced):
    """A piece on a hexside or a route: a bridge, a ferry."""

    text: str = documented_field("Where it lies, in a few words.", "")
    of: FormulaField = documented_field("Which pieces: an expression of a unit or a marker.")
    over: tuple[IdField, ...] = documented_field("The kinds of hexside or route it lies over, the likeliest first.")
    toward: tuple[Compass, ...] = documented_field(
        "On hexes: the directions in which it may lie from its hex, in order; any, if left out.", ()
    )
    usable: FormulaField = documented_field("When it can be used: an expression of `from` and `to`.", None)
    effect: IdField = documented_field("The effect of a scenario that gives a piece its two places.", "")
    note: str = documented_field("What else holds for it.", "")


@record
class Origin(Record):
    """The start of a supply line: places or units."""

    places: FormulaField = documented_field("Places for which this is true.", None)
    units: FormulaField = documented_field("Units for which this is true,", None)
    serves: FormulaField = documented_field(
        "and whom such a unit (`source`) serves; all of its side, if left out.", None
    )


@record
class Trace(Walk):
    """A supply line from its start to the unit."""

    text: str = documented_field("What it is, in a few words: from a headquarters.")
    for_: FormulaField = documented_field("Which units it may serve; all, if left out.", None)
    from_: Origin = documented_field("Where it begins.")
    near: int = documented_field("How near to the unit it has to come.", 0)


@record
class Supply(Record):
    """Which units are in supply: those that need none, and those that a supply line reaches."""

    exempt: tuple[RuleRecord, ...] = documented_field("Who needs none.", ())
    out: IdField = documented_field("The state of a unit out of supply.", "")
    cut_by_zones: bool = documented_field(
        "Who would cut supply brings his zones along, unless a question says otherwise.", False
    )
    no_path: RuleRecord | None = documented_field(
        "What is said of a unit that no trace could come to, enemy or not.", None
    )
    prefer: Literal["first", "cheapest"] = documented_field(
        "By which trace a unit is said to be served: the first, or the cheapest.", "first"
    )
    traces: Mapping[IdField, Trace] = documented_field(
        "The traces; one may use what an earlier one found, as by.ID.", {}
    )


@record
class Command(Walk):
    """Which units are in command: the command range of headquarters."""

    text: str = documented_field("What it is, in a few words.", "")
    exempt: tuple[RuleRecord, ...] = documented_field("Who needs none.", ())
    of: FormulaField = documented_field("Which units command.")
    serves: FormulaField = documented_field("Whom such a unit (`source`) commands; all of its side, if left out.", None)


@record
class Fate(RuleRecord):
    """The outcome for a unit before it walks. The first record that applies counts."""

    stay: bool = documented_field("It stays where it is.", False)
    may_stay: bool = documented_field("It stays or goes, as its owner likes.", False)
    lost: bool = documented_field("It is lost.", False)


@record
class NoWay(RuleRecord):
    """The result if no path exists."""

    lose: str = documented_field("What is lost: all, or a number of steps.", "all")


@record
class Aim(Record):
    """What a step may approach: the nearest of some places, or any of them."""

    when: FormulaField = documented_field("When it counts, asked of `from` and `start`; always, if left out.", None)
    nearest: FormulaField = documented_field("Places for which this is true of `to`: the nearest of them.", None)
    any: FormulaField = documented_field("Or any of them.", None)


@record
class Goal(RuleRecord):
    """The goal of a retreat: every step approaches something."""

    when: FormulaField = documented_field("When it is a goal, asked of `start`; always, if left out.", None)
    places: FormulaField = documented_field(
        "Places for which this is true of `to`: one of them until it is reached, then any other.", None
    )
    aims: tuple[Aim, ...] = documented_field("Or each step serves one of these.", ())


@record
class Retreat(Move):
    """The retreat of a beaten unit. Without `allow` in its ends, the unit retreats the full length."""

    outcomes: tuple[Fate, ...] = documented_field("Who stays and who is lost; the first that holds.", ())
    room: Literal["must", "first", "any"] = documented_field(
        "Whether an end needs room: it must; ends with room first, and if none has any; or it doesn't matter.", "must"
    )
    further: int = documented_field("How many steps more it may take where no end has room.", 0)
    toward: Mapping[IdField, Goal] = documented_field(
        "Where it leads: the first of these goals that leaves the unit a way.", {}
    )
    no_path: NoWay | None = documented_field("What it means that there is no way.", None)
    together: bool = documented_field("Units that retreat at once share the room there is.", False)
    enemy_moves: FormulaField = documented_field(
        "When the enemy chooses the way: of several who retreat at once he leaves as many without room as he can.", None
    )


# --- battles, turns and victory ---------------------------------------------------------------------------------------


@record
class ResultRule(RuleRecord):
    """What an effect of a result does to the units of a battle. `to` is the attacked place, `from` is the unit's place."""

    to: Literal["", "attackers", "defenders", "defender_support"] = documented_field(
        "To whom: every unit of that group for which `when` holds. In a procedure `attackers` are who fires, `defenders` who is fired "
        "at, and `defender_support` the group that supports them. A record with `change` is about no unit.",
        "",
    )
    lose: FormulaField = documented_field("They lose so many steps; `who` says which of them.", None)
    eliminate: bool = documented_field("They are gone.", False)
    exchange: FormulaField = documented_field(
        "They lose units whose worth by this expression is together at least that of what the other group has lost by then.",
        None,
    )
    set: IdField = documented_field("They come into this state.", "")
    clear: IdField = documented_field("They come out of this state.", "")
    stop: bool = documented_field("They stop where they are, and move no farther this turn.", False)
    retreat: FormulaField = documented_field("They retreat so many hexes, by a walk of `retreat`.", None)
    advance: bool = documented_field("Where no defender is left, they may advance, by a walk of `advance`.", False)
    who: Literal["each", "owner", "enemy", "strongest", "weakest", "in_turn"] = documented_field(
        "For `lose`: each of them so many; or so many in all, chosen by their owner or by the enemy, from the strongest or weakest, or "
        "one from each in turn, the strongest first.",
        "each",
    )
    by: FormulaField = documented_field(
        "For `who`: what makes one stronger than another; what it counts in this battle, if left out.", None
    )
    first: FormulaField = documented_field(
        "For `who`: of equals, whoever this holds for loses before the others.", None
    )
    hexes: FormulaField = documented_field("For `advance`: how many hexes; 1, if left out.", None)
    count: FormulaField = documented_field(
        "Only so many units, whom their owner chooses: the same ones for all records of a result that say so.", None
    )
    instead: FormulaField = documented_field(
        "For `retreat`: or so many losses instead; they are taken where there is no retreat path.", None
    )
    kind: IdField = documented_field("For `retreat` and `advance`: which walk; the first, if left out.", "")
    change: Mapping[IdField, FormulaField] = documented_field(
        "Counters take these values, all worked out before any of them changes.", {}
    )
    roll: str = documented_field(
        "For `change`: a roll of these dice is `roll`; `result_text` reads them from the effect.", ""
    )
    send: IdField = documented_field(
        "In a procedure: they leave for this box; with `count` only so many of them, whom their owner chooses.", ""
    )
    stand: FormulaField = documented_field(
        "For `retreat` with `instead`: where it holds, the losses are taken although there is a way.", None
    )
    evade: FormulaField = documented_field(
        "For `lose` in a procedure: where it holds, the whole group leaves instead and `avoids` losses; `left` is how many units "
        "would be left after the loss.",
        None,
    )
    avoids: FormulaField = documented_field("For `evade`: how many losses are avoided so.", None)


@record
class Duty(RuleRecord):
    """Which units must attack, or must be attacked, in a combat phase. `to` is the unit's place."""

    attack: bool = documented_field("A unit of the side that fights for which `when` holds must attack.", False)
    attacked: bool = documented_field("An enemy for which `when` holds must be attacked.", False)


@record
class Front(Record):
    """A part of the map with a separate answer, because its battles are separate."""

    title: str = documented_field("What it is called.")
    that: FormulaField = documented_field("Places for which this is true of `to`.")


@record
class Attacking(Record):
    """Which units may attack which, and which must attack."""

    may: tuple[Demand, ...] = documented_field(
        "What has to be true of every attacker: `from` is where it stands, `to` the place attacked.", ()
    )
    together: tuple[Demand, ...] = documented_field(
        "What has to be true of all who attack one place: the groups `attackers` and `defenders`.", ()
    )
    must: tuple[Duty, ...] = documented_field("Who must attack, and who must be attacked.", ())
    all_adjacent: RuleRecord | None = documented_field(
        "Who must attack attacks every enemy place that he may, unless others do: the rule that says so.", None
    )
    all_or_none: tuple[RuleRecord, ...] = documented_field(
        "Units that needn't attack, but for which `when` holds, attack every enemy place that they may, or none.", ()
    )
    fronts: Mapping[IdField, Front] = documented_field(
        "Parts of the map that are answered apart, each under its name.", {}
    )


@record
class TurnRule(RuleRecord):
    """An event of a turn: a state begins or ends, steps return, dice are rolled."""

    phases: tuple[IdField, ...] = documented_field(
        "The phases in which it happens; left out, at the end of the turn.", ()
    )
    side: IdField = documented_field("Whose units; left out, those of whoever acts in the phase, or all.", "")
    roll: str = documented_field(
        "For `set`, `clear`, `change` and `end`: it needs a roll of these dice; `change` may ask for `roll`.", ""
    )
    needs: FormulaField = documented_field("The roll succeeds where this is true: an expression of `roll`.", None)
    each: IdField = documented_field(
        "For `change`: once for each marker that this input of the kind `markers` names; names without a prefix are those "
        "of the marker.",
        "",
    )
    who: GatesField = documented_field("For `each`: which of these markers may not take part, and why.", ())
    change: Mapping[IdField, FormulaField] = documented_field(
        "Counters take these values, all worked out before any of them changes.", {}
    )
    use_up: FormulaField = documented_field("For `each`: which of the markers are used up then, for good.", None)
    set: IdField = documented_field("Units for which `when` holds come into this state.", "")
    clear: IdField = documented_field("Units for which `when` holds come out of this state.", "")
    lose: FormulaField = documented_field("Units for which `when` holds lose so many steps.", None)
    restore: FormulaField = documented_field("So many steps come back to units for which `when` holds.", None)
    to_each: Literal["one", "any"] = documented_field(
        "For `restore`: one step to a unit, or as many as it has lost.", "one"
    )
    gain: FormulaField = documented_field("So many points come in, of the kind that the text says.", None)
    table: IdField = documented_field("A throw on this table: weather, an event.", "")
    column: FormulaField = documented_field(
        "For `table`: its column, where it has several; its label, or a number that falls in it.", None
    )
    draw: Mapping[IdField, int] = documented_field("A chit is drawn from a cup: how many there are of each.", {})
    contest: Mapping[IdField, str] = documented_field(
        "Both sides throw dice, such as 1d6+1, and the higher one wins.", {}
    )
    end: bool = documented_field("The game ends.", False)


@record
class Need(RuleRecord):
    """A further condition for points or a win. Answers say which condition is not met."""

    that: FormulaField = documented_field(
        "This has to hold: once, or with `among` in so many of these places (`to`).", None
    )
    among: FormulaField = documented_field("The places that are looked at: those for which this holds.", None)
    amount: FormulaField = documented_field("A number that has to come to `at_least`.", None)
    at_least: FormulaField = documented_field(
        "How many of the places at least, all if left out; or what `amount` has to come to.", None
    )


@record
class Points(RuleRecord):
    """What gives a side points or wins the game: in total, or for each unit, place or loss that counts."""

    side: IdField = documented_field("Who earns it.")
    of: FormulaField = documented_field("For each unit on the map for which this holds; `to` is where it stands.", None)
    lost: FormulaField = documented_field("For each unit that is gone, for which this holds.", None)
    places: FormulaField = documented_field("For each place for which this holds: `to`.", None)
    points: FormulaField = documented_field("How many points; for each unit an expression of it.", None)
    wins: bool = documented_field("It wins the game at once.", False)
    needs: tuple[Need, ...] = documented_field(
        "What has to be true besides; what is missing to win at once is told.", ()
    )


@record
class VictoryRules(Record):
    """The victory conditions besides the scenario's own lines."""

    points: tuple[Points, ...] = documented_field("What gives points.", ())
    levels: IdField = documented_field(
        "The table that says what a lead is called: its rows, or its columns, are ranges of points.", ""
    )
    lead: Literal["difference", "ratio"] = documented_field(
        "What is looked up there: by how many points a side leads, or how many times as many it has.", "difference"
    )
    of: IdField = documented_field(
        "Whose lead is looked up, below 0 where the other side leads; whoever leads, if left out.", ""
    )
    players: Mapping[IdField, str] = documented_field(
        "Who scores, where several players play one side: ids for `players` of the game. The lines of each count for him.",
        {},
    )
    nobody: RuleRecord | None = documented_field(
        "With `players`: what is so where nobody has more than 0 points, or where a side wins that none of them scores for.",
        None,
    )
    missing: Literal["gone", "unknown"] = documented_field(
        "What units are that a position lacks: gone, or (where only a box of the dead counts) unknown.", "gone"
    )


@record
class SightRule(RuleRecord):
    """The effect of a hexside or a hex on a line of sight that meets it."""

    block: bool = documented_field("It blocks the line.", False)
    shield: Literal["", "to", "from"] = documented_field(
        "It shields who is looked at (`to`) or who looks (`from`), where the line is clear.", ""
    )
    degrade: FormulaField = documented_field("It makes the line so much worse; see `degrade_limit`.", None)


@record
class Meeting(Sourced):
    """How to treat a line that runs along a hexside or through a corner."""

    needs: FormulaField = documented_field(
        "Along a hexside: how many of the two hexes beside it have to block; in a corner: how many of its hexsides. 1, if left out.",
        None,
    )


@record
class Sight(Sourced):
    """Line of sight: what the straight line between the centers of two hexes meets."""

    title: str = documented_field("What it is called.", "")
    note: str = documented_field("What else holds for it.", "")
    observers: Mapping[IdField, FormulaField] = documented_field(
        "How units look and are looked at: the first whose condition holds for a unit; the last where none is meant.",
        {},
    )
    limit: AmountsField = documented_field("How many hexes one can see at all; as far as one likes, if left out.", ())
    ends: tuple[SightRule, ...] = documented_field("What blocks a line by where it begins and ends alone.", ())
    sides: tuple[SightRule, ...] = documented_field(
        "What hexsides do that the line crosses, runs along or touches in a corner.", ()
    )
    hexes: tuple[SightRule, ...] = documented_field(
        "What hexes between do that the line passes through, runs along or touches in a corner.", ()
    )
    along: Meeting | None = documented_field("How a line along a hexside is read, and by which rule.", None)
    corner: Meeting | None = documented_field("How a line through a corner is read, and by which rule.", None)
    degrade_limit: FormulaField = documented_field(
        "How much worse a line may get by `degrade` before it is blocked.", None
    )
    spotting: tuple[Demand, ...] = documented_field(
        "What has to be true (`that`) of a unit that is looked at for it to be seen in `to`; `when`: where units hide at all.",
        (),
    )


@record
class Act(Sourced):
    """What a unit may do during a move: overrun, lay a bridge, take units aboard. It pays the cost and stays in its place."""

    title: str = documented_field("What it is called.")
    of: tuple[IdField, ...] = documented_field("The kinds of move on whose way it may be done; any, if left out.", ())
    where: Literal["next", "here", "near", "into"] = documented_field(
        "In which place: `next` to the unit, its own (`here`), either (`near`); or one next to it that it moves `into` at that.",
        "next",
    )
    steps: StepsField = documented_field("What it costs, and what forbids it; without a price it can't be done.")
    beside: tuple[Demand, ...] = documented_field("What has to be true of at least one place next to it (`to`).", ())
    cargo: Literal["", "load", "unload"] = documented_field(
        "Units are taken aboard, or put down: the group `load`.", ""
    )
    marks: tuple[IdField, ...] = documented_field("States that units are in once they are put down.", ())
    sets: Mapping[IdField, str] = documented_field("Inputs that are so from then on: {towing: true}.", {})
    without: tuple[IdField, ...] = documented_field("Modes of the move that can't be used on the way to it.", ())
    ends: bool = documented_field("The move ends with it.", False)
    does: str = documented_field("What it does, told beside its price.", "")
    note: str = documented_field("What else holds for it.", "")


@record
class EntryWay(Sourced):
    """A route of entry onto the map, or by air or sea from one place of the map to another."""

    title: str = documented_field("What it is called.", "")
    note: str = documented_field("What a player should know of it.", "")
    who: GatesField = documented_field(
        "Who may not come so; `on_map` where the unit is on the map already, in `start`.", ()
    )
    to: FormulaField = documented_field("Places for which this is true; `gone` is how far they are from `start`.")
    where: str = documented_field("These places in words, for the answer about another place.", "")
    assault: str = documented_field("What landing on enemies is called, where that may be done.", "")


@record
class Entries(Record):
    """How units enter the map."""

    ways: Mapping[IdField, EntryWay] = documented_field("The ways.", {})
    closed: tuple[RuleRecord, ...] = documented_field("Why a place is closed to a unit, whichever way it comes.", ())
    limits: Mapping[IdField, FormulaField] = documented_field(
        "How many of a kind may come at once, told beside the ways.", {}
    )
    notes: tuple[Note, ...] = documented_field("What else a player reads where it holds for a unit.", ())
    lost: RuleRecord | None = documented_field("What is said of a unit that is lost.", None)


@record
class Nearness(Record):
    """The distance of places from other places, in steps."""

    places: FormulaField = documented_field("To which places: those for which this holds of `to`.")
    over: FormulaField = documented_field("Over which places a way goes; any, if left out.", None)


@record
class Priority(Record):
    """A place that some units fill before all others."""

    when: FormulaField = documented_field("For which units; all, if left out.", None)
    that: FormulaField = documented_field("Which place: what has to be true of `to`.")


@record
class Placing(Record):
    """Automatic places for units that a scenario sets up by area.

    They apply if a question needs these units on the map and no input places them. A place must have room and no enemy. Answers mark it as
    chosen by the assistant.
    """

    text: str = documented_field("What a player reads of such a place.")
    order: tuple[FormulaField, ...] = documented_field(
        "Which places of an area are taken first: flags and numbers of `to`, the least first; then those nearest to the place that the "
        "area lies around, if it does (`within`).",
        (),
    )
    near: Nearness | None = documented_field("Then those nearest to these places.", None)
    spread: int = documented_field(
        "An area that lies around no place is filled evenly: so many places of it first, then those between.", 0
    )
    first: tuple[Priority, ...] = documented_field(
        "Before all that, places that some units take first, where there are any.", ()
    )
    best: tuple[FormulaField, ...] = documented_field(
        "Of the places with room, the first for which these are least.", ()
    )


@record
class Rules(Record):
    """The rules of the game except the arithmetic of its battles."""

    like: IdField = documented_field(
        "A sample game whose rules these are; what is given here replaces theirs by key.", ""
    )
    inputs: Mapping[IdField, RuleInput] = documented_field("What questions may be told.", {})
    present: FormulaField = documented_field(
        "Which units count in their place; all, if left out. Aircraft over a place may not.", None
    )
    control: FormulaField = documented_field(
        "Which markers tell whose a place is where nobody stands, or both sides do.", None
    )
    holder: FormulaField = documented_field(
        "Whose a place is where nobody stands and no marker tells: an expression of `to` that gives a side; whom it was printed for, "
        "if left out.",
        None,
    )
    units: Mapping[IdField, FormulaField] = documented_field("Values worked out for every unit, in order.", {})
    values: Mapping[IdField, FormulaField] = documented_field("Values that records use, in order.", {})
    height: FormulaField = documented_field(
        "How high the ground is in a place: an expression of `to`; it gives `to.height` and `over.rise`.", None
    )
    allowed_places: tuple[Demand, ...] = documented_field(
        "Where a unit can be at all: what has to be true of it in `to`, where a question puts it.", ()
    )
    set_up: tuple[SetUp, ...] = documented_field("What a set-up of any scenario has to keep to.", ())
    auto_set_up: Placing | None = documented_field(
        "Where units stand that a scenario sets up by area, until somebody says.", None
    )
    lists: Mapping[IdField, StepsField] = documented_field("Lists of steps that several walks use.", {})
    spans: Mapping[IdField, Span] = documented_field("Pieces on hexsides: `over.own_ID`, `over.enemy_ID`.", {})
    zones: Mapping[IdField, Zone] = documented_field(
        "Zones of control: `to.ID` where an enemy has one, `to.own_ID`, `to.ID_units`.", {}
    )
    stacking: tuple[Demand, ...] = documented_field(
        "What has to be true of the units in one place, the group `stack`.", ()
    )
    carry: tuple[Demand, ...] = documented_field(
        "What has to be true of a carrier and of all that it would carry, the group `load`.", ()
    )
    aboard: IdField = documented_field(
        "The state of a unit that is aboard the carrier listed before it in the same place.", ""
    )
    supply: Supply | None = documented_field("Who is in supply: `supplied`, `by.ID`.", None)
    command: Mapping[IdField, Command] = documented_field("Who is in command: `commanded`, `by.ID`.", {})
    entry: Entries | None = documented_field("How units come onto the map.", None)
    movement: Mapping[IdField, Move] = documented_field("The kinds of move; the first is the usual one.", {})
    acts: Mapping[IdField, Act] = documented_field("What may be done on the way of a move.", {})
    retreat: Mapping[IdField, Retreat] = documented_field("The kinds of retreat; the first is the usual one.", {})
    advance: Mapping[IdField, Move] = documented_field(
        "The kinds of advance after combat; the first is the usual one.", {}
    )
    sight: Sight | None = documented_field("Who sees whom.", None)
    attacking: Attacking | None = documented_field("Who may attack whom, and who must.", None)
    results: Mapping[IdField, tuple[ResultRule, ...]] = documented_field(
        "What each effect of a table's results does, in this order; `always` holds after every result.", {}
    )
    counters: Mapping[IdField, RuleCounter] = documented_field(
        "Numbers, flags and texts that the game keeps: `counter.NAME`.", {}
    )
    procedures: Mapping[IdField, Procedure] = documented_field(
        "Several rolls in a row, solved as one chain; each answers the question of its name.", {}
    )
    resources: Mapping[IdField, Resource] = documented_field(
        "What points buy; each answers the question of its name.", {}
    )
    turn: tuple[TurnRule, ...] = documented_field("What happens in a turn, in order.", ())
    victory: VictoryRules | None = documented_field("What wins.", None)
    notes: Mapping[IdField, tuple[Note, ...]] = documented_field(
        "What other answers add, by question: `supply`, `stack`, `attacks`, `score` or a zone with a length.", {}
    )

    def spread(self, records: tuple[Step | Use, ...] | tuple[Gate | Use, ...]) -> Iterator[Any]:
        """The records of a list, with named lists replaced by their records. `stacking` stays a Use."""
        for rule_record in records:
            if isinstance(rule_record, Use) and rule_record.name in self.lists:
                yield from self.spread(self.lists[rule_record.name])
            else:
                yield rule_record


EFFECTS: Mapping[type[RuleRecord], tuple[str, ...]] = {
    Amount: ("set", "add", "multiply", "roll", "forbid"),
    Step: ("cost", "add", "multiply", "harm", "stop", "forbid"),
    Gate: ("forbid", "allow"),
    Demand: ("that",),
    Fate: ("stay", "may_stay", "lost"),
    ResultRule: ("lose", "eliminate", "exchange", "set", "clear", "stop", "retreat", "advance", "change", "send"),
    Duty: ("attack", "attacked"),
    SightRule: ("block", "shield", "degrade"),
    TurnRule: ("set", "clear", "lose", "restore", "gain", "table", "draw", "contest", "end", "change"),
    Points: ("points", "wins"),
    Need: ("that", "amount"),
}
"""The effects that a record of each kind may have. A record has exactly one of them."""


def effect_of(rule: RuleRecord) -> tuple[str, Formula | None] | None:
    """The single effect of a record, with its expression. None if the record has none or several."""
    effects: list[tuple[str, Formula | None]] = []
    for name in EFFECTS[type(rule)]:
        value: Any = getattr(rule, name)
        if isinstance(value, Formula):
            effects.append((name, value))
        elif value is True or (value and not isinstance(value, bool)):
            effects.append((name, None))
    return effects[0] if len(effects) == 1 else None

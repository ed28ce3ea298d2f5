"""Checks on single records of the rules: the names that their list may use, the kinds of values, their single effect."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from scenarios.expressions import FLAG, NUMBER, TEXT, Expression, KnownNames, Name, Text, ValueType
from scenarios.model.attack_inputs import Formula, Vocabulary
from scenarios.reading.findings import suggest
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, place
from scenarios.rules.names import calls_in, constant, names_in
from scenarios.rules.procedure_names import GROUPS_IN_RESULTS, IN_RESULTS, names_of_procedures
from scenarios.rules.records import Note, RuleRecord
from scenarios.rules.shapes import EFFECTS, Amount, EntryWay, Rules, Step, Use, Walk, effect_of
from scenarios.rules.vocabulary import PLACE_PREFIXES, SECTIONS, RuleVocabulary, Section, words_of

if TYPE_CHECKING:
    from scenarios.pack.pack_file import PackFile

Base = Literal["number", "text", "flag"]
BATTLE: Mapping[str, ValueType] = {
    "code": TEXT,
    "role": ValueType("text", frozenset({"attacker", "defender"})),
    "steps_lost": NUMBER,
    "result_text": TEXT,
}
IN_ATTACK: Mapping[str, ValueType] = {"distance": NUMBER, "attack_kind": TEXT}
OF_ATTACK: Mapping[str, ValueType] = {"hexes": NUMBER}
DICE_NAMES: Mapping[str, ValueType] = {"roll": NUMBER}
MANNERS = ValueType("text", frozenset({"crossed", "through", "along", "corner"}))
ENDPOINTS = ValueType("text", frozenset({"", "from", "to", "both"}))
OF_SIDE: Mapping[str, ValueType] = {"manner": MANNERS, "own": ENDPOINTS, "distance": NUMBER}
OF_HEX: Mapping[str, ValueType] = {**OF_SIDE, "line.height": NUMBER}
OF_ENDS: Mapping[str, ValueType] = {"same_board": FLAG}
"""Names that only lists about battles, die rolls and sight may use."""
ONE_SIDED = frozenset({"enemy", "friend", "control", "friends", "enemies", "room", "supplied"})
"""Names that depend on whose unit asks. Sight doesn't have them, because it is the same for all sides."""


WHOLE_MAP = ("turn", "victory")
"""Lists about the whole map; only they ask for all places and for boxes."""


@dataclass(frozen=True)
class AllowedNames:
    """The names that a list may use: for which places, and which others besides those of the unit and the question."""

    section: Section
    places: tuple[str, ...] = ("to",)
    groups_over: bool = False
    source: bool = False
    groups_by: tuple[str, ...] = ()
    extra_names: Mapping[str, ValueType] = field(default_factory=dict)
    stack: bool = False
    load: bool = False
    movers: bool = False
    unit: bool = True
    """Whether the list is about one unit."""
    battle: bool = False
    """Whether the groups `attackers` and `defenders` are available."""
    whole_map: bool = False
    """Whether all places and boxes are available, also outside of the lists about the whole map."""


class RecordChecks:
    """The rule names of one pack, and the checks on its records."""

    def __init__(self, pack: PackFile, rules: Rules, vocabulary: Vocabulary, findings: Findings) -> None:
        self.pack, self.rules, self.findings = pack, rules, findings
        self.tables = dict.fromkeys(vocabulary.tables, 2)
        self.vocabulary = vocabulary
        self.words: RuleVocabulary = words_of(pack, rules, vocabulary)
        self.unit = dict(self.words.unit)
        self.closures: dict[str, frozenset[str]] = {}
        """The names that each value depends on, down to names that aren't values."""
        self.all_names = self.everything()
        """Every rule name and, after they are read, every value."""
        self.groups = self.all_groups()

    # All available names.

    def everything(self) -> dict[str, ValueType]:
        """Every rule name with its kind, from any list."""
        names: dict[str, ValueType] = {**self.unit, **self.words.question}
        for prefix in PLACE_PREFIXES:
            names |= {f"{prefix}.{name}": word.kind for name, word in self.words.place.items()}
        names |= {f"over.{name}": word.kind for name, word in self.words.over_prefixes.items()}
        for prefix in ("unit", "source"):
            names |= {f"{prefix}.{name}": kind for name, kind in self.unit.items()}
        names |= {f"by.{name}": FLAG for name in self.words.by_prefixes}
        names |= {f"battle.{name}": kind for name, kind in self.words.battle.items()}
        modes = frozenset(mode for walk in self.walks() for mode in walk.modes)
        names |= {
            "on_map": FLAG,
            "first": FLAG,
            "last": FLAG,
            "farther": FLAG,
            "supplied": FLAG,
            "commanded": FLAG,
            "mode": ValueType("text", modes | {""}),
            "last_mode": ValueType("text", modes | {""}),
            "length": NUMBER,
            "taken": NUMBER,
            "gone": NUMBER,
            "result": NUMBER,
            "amount": NUMBER,
            **BATTLE,
            **IN_ATTACK,
            **OF_ATTACK,
            **DICE_NAMES,
            **OF_SIDE,
            **OF_HEX,
            **OF_ENDS,
            **self.looking(),
            **self.procedure_names,
        }
        return names

    @cached_property
    def procedure_names(self) -> dict[str, ValueType]:
        """The names that procedures add to `results`."""
        rules = self.rules
        known = names_of_procedures(rules.procedures, rules.counters, self.vocabulary.terrain)
        return {**known, **IN_RESULTS} if rules.procedures else known

    def looking(self) -> dict[str, ValueType]:
        """The observer and the target, where sight distinguishes kinds of them."""
        sight = self.rules.sight
        return (
            dict.fromkeys(("viewer", "seen_as"), ValueType("text", frozenset(sight.observers)))
            if sight and sight.observers
            else {}
        )

    def all_groups(self) -> dict[str, Mapping[str, ValueType]]:
        groups: dict[str, Mapping[str, ValueType]] = dict.fromkeys(
            ("stack", "load", "movers", "units", "attackers", "defenders"), self.unit
        )
        groups["over.features"] = {"kind": TEXT}
        if self.rules.procedures:
            groups |= dict.fromkeys(GROUPS_IN_RESULTS, self.unit)
        for prefix in PLACE_PREFIXES:
            for name, (fields, _) in self.words.place_groups.items():
                groups[f"{prefix}.{name}"] = self.unit if fields is self.words.unit else fields
        groups["places"] = {f"to.{name}": word.kind for name, word in self.words.place.items()}
        boxes = (box for shape in self.pack.maps.values() for box in shape.boxes)
        return groups | {f"box.{name}": self.unit for name in boxes}

    def walks(self) -> Iterator[Walk]:
        rules = self.rules
        yield from rules.movement.values()
        yield from rules.retreat.values()
        yield from rules.advance.values()
        yield from rules.command.values()
        yield from rules.supply.traces.values() if rules.supply else ()

    # Whether a list may use a name.

    def refusal(self, name: str, asks: AllowedNames) -> str:
        """The reason why a list may not use a rule name. Empty if it may."""
        prefix, dot, field_name = name.partition(".")
        if name in asks.extra_names:
            return ""
        if not dot:
            if name in self.unit and not asks.unit:
                return 'no single unit is meant here; ask a group, as in count(units, side == "red")'
            if name in asks.extra_names or name in self.unit or name in self.words.question:
                return ""
            if name in ("attackers", "defenders"):
                return "" if asks.battle else "it is known in battles only"
            if name == "units":
                return ""
            if name == "places":
                return (
                    ""
                    if asks.whole_map or asks.section in WHOLE_MAP
                    else "all places are asked under `turn` and `victory` only"
                )
            if name == "stack":
                return "" if asks.stack else "it is known under `stacking` only"
            if name == "load":
                return "" if asks.load else "it is known under `carry` and in acts with `cargo` only"
            if name == "movers":
                return "" if asks.movers else "it is known under `movers` and in the notes of moves only"
            if name in ("supplied", "commanded"):
                return self.too_early("supply" if name == "supplied" else "command", asks)
            return "it isn't known in this list"
        if prefix in PLACE_PREFIXES:
            if prefix not in asks.places:
                place_names = " and ".join(f"`{place_name}`" for place_name in asks.places) or "no place"
                return f"this list is about {place_names}"
            if field_name in self.words.doubles and field_name in self.words.place:
                return f"{self.words.doubles[field_name]} are both called {field_name!r}; rename one of them"
            if asks.section == "sight" and field_name in ONE_SIDED:
                return "sight is the same for all sides; ask for terrain, regions and markers"
            section = (
                self.words.place_groups[field_name][1]
                if field_name in self.words.place_groups
                else self.words.place[field_name].section
            )
            return self.too_early(section, asks)
        if prefix == "over":
            if not asks.groups_over:
                return "this list is about a place, not about a step"
            return (
                self.too_early(self.words.over_prefixes[field_name].section, asks)
                if field_name in self.words.over_prefixes
                else ""
            )
        if prefix == "box":
            return (
                "" if asks.whole_map or asks.section in WHOLE_MAP else "boxes are known under `turn` and `victory` only"
            )
        if prefix == "line":
            return "it is known under `sight.hexes` only"
        if prefix == "battle":
            return "" if asks.section == "results" else "what was told of an attack is known under `results` only"
        if prefix == "policy" or (name in self.procedure_names and not self.is_of_question(name)):
            return "" if asks.section == "results" else "it is known in procedures and under `results` only"
        if prefix == "source":
            return "" if asks.source else "only a trace or a command comes from a source"
        if prefix == "by":
            if field_name in asks.groups_by:
                return ""
            return (
                "a trace may ask only for those above it"
                if asks.section == "supply"
                else self.too_early("supply", asks)
            )
        return ""

    def is_of_question(self, name: str) -> bool:
        """Whether a name has a value for any question: an input of the rules, or a counter that the game keeps."""
        return name in self.words.question or name.partition(".")[2] in self.rules.counters

    def too_early(self, found_by: Section | None, asks: AllowedNames) -> str:
        if found_by is None or SECTIONS.index(found_by) < SECTIONS.index(asks.section):
            return ""
        return (
            f"`{asks.section}` is worked out before or with `{found_by}`, so neither may rest on the other in a circle"
        )

    @property
    def scope(self) -> KnownNames:
        """All names. Another check tests whether a list may use them."""
        return KnownNames(self.all_names, self.groups, self.tables, rules=True)

    def formula(self, formula: Formula | None, asks: AllowedNames, expected_base: Base | None) -> None:
        """Check an expression of a list."""
        if formula is None:
            return
        for reference in names_in(formula.expression, self.groups):
            name = reference.node.name
            for base in sorted(self.closures.get(name, {name})):
                if base not in self.all_names and base not in self.groups:
                    continue
                reason = self.refusal(base, asks)
                if reason:
                    rests = f"{name!r} asks for {base!r}" if base != name else f"{name!r} can't be asked here"
                    self.findings.add(
                        node_of(formula.node).letter(reference.node.offset), f"{rests}: {reason} (in {formula.text!r})"
                    )
                    break
        used = {reference.node.name for reference in names_in(formula.expression, self.groups)}
        unknown = any(name not in self.all_names and name not in self.groups for name in used)
        formula.check(self.allowed_names(asks, used) if unknown else self.scope, expected_base, self.findings)
        self.lookups(formula)

    def allowed_names(self, asks: AllowedNames, used: Collection[str]) -> KnownNames:
        """The names that a list may use, and those that an expression uses anyway. A finding on an unknown name lists them."""
        names = {name: kind for name, kind in self.all_names.items() if name in used or not self.refusal(name, asks)}
        groups = {name: fields for name, fields in self.groups.items() if name in used or not self.refusal(name, asks)}
        return KnownNames(names, groups, self.tables, rules=True)

    def lookups(self, formula: Formula) -> None:
        """Check that a cell named by constants exists, and that the row comes before the column."""
        for call in calls_in(formula.expression):
            name, *keys = (
                call.arguments if call.function == "lookup" and len(call.arguments) == 3 else (None, None, None)
            )
            table = self.vocabulary.tables.get(name.value) if isinstance(name, Text) else None
            if table is None or not isinstance(name, Text) or table.dice or table.columns is None:
                continue
            rows, columns = table.cells, table.columns.labels if table.columns.kind == "names" else ()
            row, column = self.texts(keys[0]), self.texts(keys[1])
            node = node_of(formula.node).letter(call.offset)
            if (
                row
                and column
                and not row & set(rows)
                and not column & set(columns)
                and row & set(columns)
                and column & set(rows)
            ):
                message = (
                    f"the row of the table {name.value} comes first, then the column; write the two the other way round"
                )
                self.findings.add(node, f"{message} (in {formula.text!r})")
            elif isinstance(keys[0], Text) and keys[0].value not in rows:
                self.findings.add(
                    node, f"the table {name.value} has no row {keys[0].value!r}; {suggest(keys[0].value, rows)}"
                )
            elif isinstance(keys[1], Text) and columns and keys[1].value not in columns:
                self.findings.add(
                    node, f"the table {name.value} has no column {keys[1].value!r}; {suggest(keys[1].value, columns)}"
                )

    def texts(self, key: Expression | None) -> set[str]:
        """The texts that a key of a lookup can have, as far as they are known."""
        if isinstance(key, Text):
            return {key.value}
        kind = self.all_names.get(key.name) if isinstance(key, Name) else None
        return set(kind.choices or ()) - {""} if kind is not None else set()

    # Lists and records.

    def amounts(self, records: tuple[Amount, ...], asks: AllowedNames) -> None:
        for record in records:
            self.formula(record.when, asks, "flag")
            self.effect(record, asks)

    def notes(self, notes: Iterable[Note], asks: AllowedNames) -> None:
        for note in notes:
            self.formula(note.when, asks, "flag")
            self.formula(note.amount, asks, "number")

    def steps(self, records: tuple[Step | Use, ...], asks: AllowedNames, allowed_effects: tuple[str, ...] = ()) -> None:
        for record in records:
            if isinstance(record, Use):
                if record.name not in self.rules.lists:
                    self.findings.add(
                        node_of(record.node),
                        f"there is no list {record.name!r}; {suggest(record.name, self.rules.lists)}",
                    )
                continue
            self.record(record, asks, allowed_effects)
        for used in (record for record in records if isinstance(record, Use) and record.name in self.rules.lists):
            findings_before = len(self.findings)
            for record in self.rules.spread((used,)):
                self.record(record, asks, allowed_effects)
            if len(self.findings) > findings_before:
                self.findings.add(node_of(used.node), f"the list {used.name!r} can't be used here: see its records")

    def record(self, record: Step, asks: AllowedNames, allowed_effects: tuple[str, ...]) -> None:
        self.formula(record.when, asks, "flag")
        self.effect(record, asks)
        effect = effect_of(record)
        if allowed_effects and effect is not None and effect[0] not in allowed_effects:
            self.findings.add(
                place(record, effect[0]),
                f"here a record only says what it does `{allowed_effects[0]}`; write `{allowed_effects[0]}: true`",
            )

    def gates(self, walk: Walk | EntryWay, key: str, asks: AllowedNames, *, allow: bool) -> None:
        for record in getattr(walk, key):
            if isinstance(record, Use):
                if key == "ends" and record.name in self.rules.lists:
                    self.steps((record,), asks, ("forbid",))
                elif record.name != "stacking" or key != "ends":
                    hint = (
                        f"; {suggest(record.name, ['stacking', *self.rules.lists])}"
                        if key == "ends"
                        else "; write records"
                    )
                    self.findings.add(node_of(record.node), f"{record.name!r} can't stand here{hint}")
                elif not self.rules.stacking:
                    self.findings.add(
                        node_of(record.node),
                        "the pack doesn't say how units stack; add `stacking`, or leave out this word",
                    )
                continue
            self.formula(record.when, asks, "flag")
            self.effect(record, asks)
            if record.allow and not allow:
                self.findings.add(
                    place(record, "allow"), "`allow` is for ends; write `forbid` with the opposite `when`"
                )

    def effect(self, record: RuleRecord, asks: AllowedNames) -> None:
        """Check that a record has exactly one effect, of a kind that its list allows."""
        effects = EFFECTS[type(record)]
        assert record.node is not None
        effect_keys = [name for name in effects if record.node.get(name) is not None]
        if len(effect_keys) != 1:
            words = ", ".join(effects[:-1]) + f" or {effects[-1]}" if len(effects) > 1 else effects[0]
            self.findings.add(
                record.node, f"a record has one effect: {words}; give {'one of them' if len(effects) > 1 else 'it'}"
            )
            return
        named_formula = effect_of(record)
        if named_formula is None:
            if record.node.child(effect_keys[0]).text in ("false", "no"):
                self.findings.add(
                    record.node.child(effect_keys[0]),
                    f"`{effect_keys[0]}: false` says nothing; leave out the record, or give it a `when`",
                )
            elif record.node.child(effect_keys[0]).empty:
                self.findings.add(
                    record.node.child(effect_keys[0]),
                    f"`{effect_keys[0]}` is empty; give it a value, or leave out the record",
                )
            return
        name, formula = named_formula
        if formula is None or (isinstance(record, Step) and record.takes_all):
            return
        expected_base: Base = "text" if name == "roll" else "flag" if name == "that" else "number"
        self.formula(formula, asks, expected_base)
        if name in ("cost", "multiply", "harm") and (value := constant(formula)) is not None and value < 0:
            self.findings.add(node_of(formula.node), f"a {name} is never below 0, but this is {value}")


def node_of(node: Node | None) -> Node:
    """The place of a part of the file, for findings."""
    return node or Node("(built in code)", 1, 1)


def phase_ids(phases: Iterable[Any]) -> Iterator[str]:
    """The ids of phases and of the phases nested in them."""
    for phase in phases:
        yield phase.id
        yield from phase_ids(phase.phases)

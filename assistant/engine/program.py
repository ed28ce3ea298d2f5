"""A pack's compiled rules: every list with its compiled expressions and the names that it asks for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from scenarios.expressions import TEXT, Evaluator, Expression, Lookup, ValueType
from scenarios.model.attack_inputs import Formula
from scenarios.model.game import Game
from scenarios.rules.names import names_in
from scenarios.rules.records import Demand, Note, RuleRecord
from scenarios.rules.resources import Resource
from scenarios.rules.shapes import (
    Command,
    Move,
    Retreat,
    Rules,
    Step,
    Trace,
    Use,
    Walk,
    effect_of,
)

if TYPE_CHECKING:
    from assistant.engine.sight.line_crossings import Lines

STACKING = "stacking"
PLACES = ("to", "from", "start", "hex", "near", "far")
RARE_FIELDS = frozenset({"copy", "group"})
NOT_PLACE_ALONE = frozenset({"first", "last", "mode", "last_mode", "farther"})


@dataclass(frozen=True, eq=False)
class CompiledRecord:
    """A record with its condition compiled."""

    record: RuleRecord
    condition: Evaluator | None
    effect: str
    work: Evaluator | None
    uses: frozenset[str]
    """The names that it depends on, including those that values ask for."""
    takes_all: bool = False

    @property
    def text(self) -> str:
        """The sentence for players."""
        return self.record.text

    @property
    def rule(self) -> str:
        """The section of the rulebook."""
        return self.record.rule

    @cached_property
    def about_place(self) -> bool:
        """Whether it asks only about the place entered, not about the step."""
        return self.of_place_if(frozenset())

    def of_place_if(self, known_names: Collection[str]) -> bool:
        """Whether it asks only about the place entered, if some names of the step are known."""
        return not any(
            (name in NOT_PLACE_ALONE and name not in known_names) or name.startswith(("from.", "over."))
            for name in self.uses
        )


@dataclass(frozen=True)
class UsedNames:
    """The names that a list asks for, sorted by what they describe."""

    mover: tuple[str, ...]
    """Names that are the same for the whole walk: the unit's, the source's, the question's."""
    start: tuple[str, ...]
    to_names: tuple[str, ...]
    from_names: tuple[str, ...]
    over_names: tuple[str, ...]
    step: frozenset[str]
    """The names that it uses of first, last, mode, last_mode and farther."""

    @staticmethod
    def sort_names(names: Iterable[str]) -> UsedNames:
        """Sort names by what they describe."""
        sorted_names = sorted(names)

        def after_prefix(prefix: str) -> tuple[str, ...]:
            return tuple(name.partition(".")[2] for name in sorted_names if name.startswith(f"{prefix}."))

        step = frozenset(sorted_names) & NOT_PLACE_ALONE
        mover_names = tuple(
            n for n in sorted_names if n not in step and n.partition(".")[0] not in ("to", "from", "start", "over")
        )
        return UsedNames(
            mover_names, after_prefix("start"), after_prefix("to"), after_prefix("from"), after_prefix("over"), step
        )


@dataclass(frozen=True, eq=False)
class CompiledList:
    """A list of compiled records. `stacking` in a list of ends is kept apart."""

    records: tuple[CompiledRecord, ...]
    uses: UsedNames
    stacking: bool = False

    @cached_property
    def names(self) -> frozenset[str]:
        """All names that it asks for."""
        return frozenset(name for record in self.records for name in record.uses)


class Program:
    """The compiled rules of a game."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self.game, self.rules = game, rules
        self.values: Mapping[str, Formula] = {
            name: formula for name, formula in rules.values.items() if formula is not None
        }
        self._fields = _Fields(game, rules)
        self._closures: dict[str, frozenset[str]] = {}
        self._mentioned_names: set[str] = set()
        self._asked_of_all_places: set[str] = set()
        for name, formula in self.values.items():
            self._closures[name] = self._names(formula)
        tables = game.tables

        def looked_up(table: str, keys: tuple[str, ...]) -> str:
            return tables[table].looked_up(*keys)

        self.lookup: Lookup = looked_up
        self._lists: dict[int, CompiledList] = {}
        self._list_memo: dict[tuple[tuple[int, ...], bool], CompiledList] = {}
        self._impersonal: dict[int, CompiledList] = {}
        self._conditions: dict[int, frozenset[str]] = {}
        self.map_indexes: dict[tuple[int, str], Any] = {}
        """The indexes of the maps used so far, each with its scenario."""
        self.lines: dict[Any, Lines] = {}
        """The straight lines of maps. Maps of one height and one way of reading share them."""

    def _names(self, formula: Formula) -> frozenset[str]:
        names = {reference.node.name for reference in names_in(formula.expression, {})}
        self._mentioned_names |= names & RARE_FIELDS
        if "places" in names:
            self._asked_of_all_places |= {name for name in names if name.startswith("to.")}
        return self.names_of(formula.expression)

    def names_of(self, expression: Expression) -> frozenset[str]:
        """Return the names that an expression depends on, including those that values ask for."""
        names: frozenset[str] = frozenset()
        for reference in names_in(expression, self._fields):
            names |= self._closures.get(reference.node.name, frozenset({reference.node.name}))
        return names

    def names(self, formula: Formula | None) -> frozenset[str]:
        """Return the names that a condition depends on."""
        if formula is None:
            return frozenset()
        if id(formula) not in self._conditions:
            self._conditions[id(formula)] = self._names(formula)
        return self._conditions[id(formula)]

    def ready(self, records: Any) -> CompiledList:
        """Compile a list of the rules, with the lists that it names inserted. The same records are compiled only
        once."""
        key = id(records)
        if key not in self._lists:
            spread = list(self.rules.spread(records))
            stacking = any(isinstance(record, Use) and record.name == STACKING for record in spread)
            own_records = [record for record in spread if not isinstance(record, Use)]
            identity = tuple(map(id, own_records)), stacking
            if identity not in self._list_memo:
                compiled_records = tuple(map(self._ready, own_records))
                self._list_memo[identity] = CompiledList(
                    compiled_records,
                    UsedNames.sort_names(
                        frozenset(name for compiled_record in compiled_records for name in compiled_record.uses)
                    ),
                    stacking,
                )
            self._lists[key] = self._list_memo[identity]
        return self._lists[key]

    def for_anybody(self, records: Any) -> CompiledList:
        """Return the records of a list that ask nothing of a unit but its side; computed once."""
        key = id(records)
        if key not in self._impersonal:
            impersonal_records = [
                record
                for record in self.ready(records).records
                if all("." in name or name == "side" for name in record.uses)
            ]
            names = frozenset(name for record in impersonal_records for name in record.uses)
            self._impersonal[key] = CompiledList(tuple(impersonal_records), UsedNames.sort_names(names))
        return self._impersonal[key]

    def _ready(self, record: RuleRecord) -> CompiledRecord:
        effect = effect_of(record)
        assert effect is not None
        name, formula = effect
        takes_all = isinstance(record, Step) and record.takes_all
        work = None if takes_all or formula is None else formula
        uses = self.names(record.when) | self.names(work)
        condition = None if record.when is None else record.when.work
        return CompiledRecord(record, condition, name, None if work is None else work.work, uses, takes_all)

    @cached_property
    def place_names(self) -> frozenset[str]:
        """Every name that any rule asks of a place. They decide which places share a class."""
        names = self.all_names | self._asked_of_all_places
        return frozenset(name.partition(".")[2] for name in names if name.partition(".")[0] in PLACES)

    @cached_property
    def rare_fields(self) -> frozenset[str]:
        """The rarely used fields that this pack asks for. Units that differ only in the others count as the same."""
        assert self.all_names is not None  # every list is compiled by then
        return frozenset(self._mentioned_names)

    @cached_property
    def units_alone(self) -> bool:
        """Whether the pack's own values of a unit depend on the unit alone."""
        known_names = {*self._fields.unit}
        return all(name in known_names for formula in self.rules.units.values() for name in self.names(formula))

    @cached_property
    def all_names(self) -> frozenset[str]:
        """Every name that any rule asks for."""
        return self.playing | self.winning

    @cached_property
    def playing(self) -> frozenset[str]:
        """Every name that any rule asks for, except points and victory."""
        rules = self.rules
        walks = (*rules.movement.values(), *rules.retreat.values(), *rules.advance.values())
        return frozenset().union(
            self._everywhere,
            self._supplying,
            self._entering,
            self.seeing,
            self._fighting,
            *map(self.resource_names, rules.resources.values()),
            *map(self.walk_names, walks),
            *(self.note_names(notes) for question, notes in rules.notes.items() if question != "score"),
        )

    @cached_property
    def _entering(self) -> frozenset[str]:
        """The names that the ways onto the map ask for."""
        entry = self.rules.entry
        if entry is None:
            return frozenset()
        names = self._names_in(*(way.to for way in entry.ways.values()), *entry.limits.values())
        names |= self.note_names(entry.notes)
        return names | self._names_in_lists(*(way.who for way in entry.ways.values()))

    def resource_names(self, resource: Resource) -> frozenset[str]:
        """Every name that a resource asks for, with the ways onto the map by which bought units come."""
        records: list[RuleRecord] = [*resource.barred]
        formulas = [*resource.paid_by.values(), resource.spends_up_to]
        names = self.note_names(resource.notes) | {f"counter.{name}" for name in resource.paid_by}
        entry_ways = self.rules.entry.ways if self.rules.entry is not None else {}
        for way in resource.ways.values():
            records += [*way.barred, *way.limits, *way.free]
            formulas += [way.price, way.refills, way.delay]
            formulas += [formula for limit in way.limits for formula in (limit.at_most, limit.before)]
            formulas += [entry_ways[way.enters].to] if way.enters in entry_ways else []
            names |= self.note_names(way.notes)
        changes = [record.change for record in self.rules.turn if record.change.keys() & resource.paid_by.keys()]
        formulas += [change[name] for change in changes for name in change.keys() & resource.paid_by.keys()]
        return names | self._names_in(*formulas, *(record.when for record in records))

    @cached_property
    def stacked_by(self) -> tuple[str, ...]:
        """Every name that stacking asks for, including those of the other units in the stack."""
        return tuple(sorted(self._names_with_groups(self.rules.stacking)))

    def joint_names(self, walk: Move) -> frozenset[str]:
        """Every name that the conditions on all movers ask for, including those of each of them."""
        return self._names_with_groups(walk.movers)

    def _names_with_groups(self, demands: Iterable[Demand]) -> frozenset[str]:
        """Return every name that some conditions ask for, including the fields of units in a group."""
        names: set[str] = set()
        formulas = [formula for demand in demands for formula in (demand.when, demand.that) if formula is not None]
        while formulas:
            new = {reference.node.name for reference in names_in(formulas.pop().expression, {})} - names
            names |= new
            formulas += [self.values[name] for name in new if name in self.values]
        return frozenset(names)

    def walk_names(self, walk: Walk) -> frozenset[str]:
        """Every name that a walk asks for."""
        names = self._names_in_lists(walk.who, walk.steps, walk.ends, walk.allowance, walk.length)
        names |= self._names_in(*walk.modes.values(), *((walk.minimum.when,) if walk.minimum else ()))
        if isinstance(walk, Trace):
            names |= self._names_in(walk.for_, walk.from_.places, walk.from_.units, walk.from_.serves)
        elif isinstance(walk, Command):
            names |= self._names_in(walk.of, walk.serves, *(record.when for record in walk.exempt))
        if isinstance(walk, Move):
            names |= self.note_names(walk.notes) | self.joint_names(walk)
        if isinstance(walk, Retreat):
            names |= self._names_in(walk.enemy_moves, *(record.when for record in walk.outcomes))
            for goal in walk.toward.values():
                names |= self._names_in(
                    goal.when,
                    goal.places,
                    *(formula for aim in goal.aims for formula in (aim.when, aim.nearest, aim.any)),
                )
        return names

    def note_names(self, notes: Iterable[Note]) -> frozenset[str]:
        """Every name that some notes ask for."""
        return self._names_in(*(formula for note in notes for formula in (note.when, note.amount)))

    def question_names(self, walks: Iterable[Walk]) -> frozenset[str]:
        """Every name that may matter for a question about some walks."""
        names = self._everywhere.union(*map(self.walk_names, walks))
        needs_supply = any(
            name.startswith("by.") or name.rpartition(".")[2] in ("supplied", "commanded") for name in names
        )
        return names | self._supplying if needs_supply else names

    @cached_property
    def going_back(self) -> frozenset[str]:
        """Every name that may matter for a retreat: those of its walks and of stacking, and those of the unit's own
        zones where they are asked for."""
        names = self._names_in_lists(self.rules.stacking).union(*map(self.walk_names, self.rules.retreat.values()))
        if any(name.startswith(("to.own_", "from.own_", "start.own_")) for name in names):
            names |= self._names_in(*(zone.has for zone in self.rules.zones.values()))
        return names

    @cached_property
    def _everywhere(self) -> frozenset[str]:
        """The names that spans, zones, stacking and acts ask for."""
        rules = self.rules
        names = self._names_in(rules.present, rules.control, rules.holder, rules.height, *rules.units.values())
        names |= self._names_in_lists(rules.stacking, rules.allowed_places, rules.carry)
        if rules.auto_set_up is not None:
            nearness = rules.auto_set_up.near
            names |= self._names_in(*rules.auto_set_up.order, *rules.auto_set_up.best)
            names |= self._names_in(
                *(formula for priority in rules.auto_set_up.first for formula in (priority.when, priority.that))
            )
            names |= self._names_in(nearness.places, nearness.over) if nearness is not None else frozenset()
        for span in rules.spans.values():
            names |= self._names_in(span.of, span.usable)
        for zone in rules.zones.values():
            names |= self._names_in(zone.has) | self._names_in_lists(zone.steps, zone.length)
        return names | self._names_in_lists(
            *(records for act in rules.acts.values() for records in (act.steps, act.beside))
        )

    @cached_property
    def _supplying(self) -> frozenset[str]:
        """The names that supply and command ask for."""
        rules = self.rules
        free, traces = (rules.supply.exempt, rules.supply.traces.values()) if rules.supply else ((), ())
        return self._names_in(*(record.when for record in free)).union(
            *map(self.walk_names, (*traces, *rules.command.values()))
        )

    @cached_property
    def seeing(self) -> frozenset[str]:
        """The names that sight asks for."""
        sight = self.rules.sight
        if sight is None:
            return frozenset()
        needs = [meeting.needs for meeting in (sight.along, sight.corner) if meeting is not None]
        lists = (sight.limit, sight.ends, sight.sides, sight.hexes, sight.spotting)
        return self._names_in_lists(*lists) | self._names_in(sight.degrade_limit, *sight.observers.values(), *needs)

    @cached_property
    def turning(self) -> frozenset[str]:
        """The names that records of turns ask for, and what counters change to."""
        rules = self.rules
        changes = [record.change for records in rules.results.values() for record in records]
        names = self._names_in_lists(rules.turn, *(record.who for record in rules.turn))
        names |= self._names_in(*(formula for change in changes for formula in change.values()))
        return names | self._names_in(
            *(f for record in rules.turn for f in (record.needs, record.column, record.use_up, *record.change.values()))
        )

    @cached_property
    def _fighting(self) -> frozenset[str]:
        """The names that battles and turns ask for."""
        rules = self.rules
        names = self.turning | self._names_in_lists(*rules.results.values())
        outcomes = [record for records in rules.results.values() for record in records]
        names |= self._names_in(
            *(
                f
                for outcome in outcomes
                for f in (outcome.by, outcome.first, outcome.hexes, outcome.count, outcome.instead)
            )
        )
        names |= self._names_in(
            *(shape.by_rules for attack in self.game.attacks.values() for shape in attack.all_inputs)
        )
        for procedure in rules.procedures.values():
            names |= self._names_in(*(shape.by_rules for shape in procedure.inputs.values()))
            names |= self._names_in(*(demand.that for demand in procedure.places))
            shapes = [*procedure.inputs.values(), *(s for g in procedure.groups.values() for s in g.inputs.values())]
            names |= self._names_in(*(shape.units.where for shape in shapes if shape.units is not None))
            for group in procedure.groups.values():
                names |= self._names_in(group.read.where if group.read is not None else None, *group.states.values())
                names |= self._names_in(*(record.when for record in group.barred))
                names |= self._names_in(*(shape.by_rules for shape in group.inputs.values()))
        if rules.attacking is not None:
            names |= self._names_in_lists(rules.attacking.may, rules.attacking.together, rules.attacking.must)
            names |= self._names_in(*(record.when for record in rules.attacking.all_or_none))
            names |= self._names_in(*(front.that for front in rules.attacking.fronts.values()))
        return names

    @cached_property
    def winning(self) -> frozenset[str]:
        """The names that points and victory ask for: those of the rules' records and of the scenarios' lines."""
        records = self.rules.victory.points if self.rules.victory is not None else ()
        lines = [line for scenario in self.game.scenarios.values() for line in scenario.victory]
        needs = [
            *(need for record in records for need in record.needs),
            *(need for line in lines for need in line.needs),
        ]
        turns = [scenario.turns for scenario in self.game.scenarios.values() if scenario.turns is not None]
        sooner = [turn_range.early_end.when for turn_range in turns if turn_range.early_end is not None]
        return self.note_names(self.rules.notes.get("score", ())) | self._names_in(
            *(formula for line in lines for formula in (line.times, line.where, line.lost)),
            *sooner,
            *(f for need in needs for f in (need.when, need.that, need.among, need.amount, need.at_least)),
            *(f for record in records for f in (record.when, record.of, record.lost, record.places, record.points)),
        )

    def _names_in(self, *formulas: Formula | None) -> frozenset[str]:
        return frozenset[str]().union(*map(self.names, formulas))

    def _names_in_lists(self, *lists: Any) -> frozenset[str]:
        return frozenset(name for records in lists for record in self.ready(records).records for name in record.uses)


class _PlaceFields(dict[str, ValueType]):
    """The fields of the group `places`: every name that begins with `to.`"""

    def __contains__(self, name: object) -> bool:
        return str(name).startswith("to.")


_PLACE_FIELDS = _PlaceFields()


class _Fields(dict[str, Mapping[str, ValueType]]):
    """The fields of the units, markers or features of a group, by the group's name."""

    def __init__(self, game: Game, rules: Rules) -> None:
        texts = ("id", "name", "nation", "side", "class", "type", "size", "formation", "copy", "group", "steps")
        flags = (*game.abilities, *game.states, *rules.units)
        self.unit = dict.fromkeys((*texts, *game.factors, *flags), TEXT)
        self.marker = dict.fromkeys(("id", "side", *game.factors, *game.states), TEXT)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the names of the fields; their kinds don't matter here."""
        if key == "places":
            return _PLACE_FIELDS
        field_name = key.rpartition(".")[2]
        return {"kind": TEXT} if field_name == "features" else self.marker if field_name == "markers" else self.unit

"""A pack's rules made ready: every list with its expressions compiled and with the names that it asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scenarios.expressions import TEXT, Compiled, Kind, Lookup
from scenarios.game import Game
from scenarios.inputs import Formula
from scenarios.rules.names import names_in
from scenarios.rules.shapes import RuleRecord, Rules, Step, Use, Walk, effect_of

STACKING = "stacking"
PLACES = ("to", "from", "start")
NOT_PLACE_ALONE = frozenset({"first", "mode", "last_mode", "farther"})


@dataclass(frozen=True, eq=False)
class Ready:
    """A record ready to be judged."""

    record: RuleRecord
    when: Compiled | None
    effect: str
    work: Compiled | None
    uses: frozenset[str]
    """The names it rests on, down through values."""
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
        """Whether it asks of the place entered alone, not of the step there."""
        return not any(name in NOT_PLACE_ALONE or name.startswith(("from.", "over.")) for name in self.uses)


@dataclass(frozen=True)
class Uses:
    """The names that a list asks for, by what they are told of."""

    walker: tuple[str, ...]
    """Names that hold for the whole walk: the unit's, the source's, the question's."""
    start: tuple[str, ...]
    to: tuple[str, ...]
    from_: tuple[str, ...]
    over: tuple[str, ...]
    step: frozenset[str]
    """Of first, mode, last_mode, farther."""

    @staticmethod
    def of(names: Iterable[str]) -> Uses:
        """The names sorted."""
        listed = sorted(names)

        def behind(prefix: str) -> tuple[str, ...]:
            return tuple(name.partition(".")[2] for name in listed if name.startswith(f"{prefix}."))

        step = frozenset(listed) & NOT_PLACE_ALONE
        walker = tuple(n for n in listed if n not in step and n.partition(".")[0] not in ("to", "from", "start", "over"))
        return Uses(walker, behind("start"), behind("to"), behind("from"), behind("over"), step)


@dataclass(frozen=True, eq=False)
class ReadyList:
    """A list of records ready to be judged; `stacking` in a list of ends is told apart."""

    records: tuple[Ready, ...]
    uses: Uses
    stacking: bool = False


class Program:
    """The rules of a game, ready."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self.game, self.rules = game, rules
        self.values: Mapping[str, Formula] = {name: formula for name, formula in rules.values.items() if formula is not None}
        self._fields = _Fields(game, rules)
        self._closures: dict[str, frozenset[str]] = {}
        for name, formula in self.values.items():
            self._closures[name] = self._names(formula)
        tables = game.tables

        def looked_up(table: str, keys: tuple[str, ...]) -> str:
            return tables[table].looked_up(*keys)

        self.lookup: Lookup = looked_up
        self._lists: dict[int, ReadyList] = {}
        self._conditions: dict[int, frozenset[str]] = {}

    def _names(self, formula: Formula) -> frozenset[str]:
        """The names that an expression rests on, down through values."""
        found: frozenset[str] = frozenset()
        for named in names_in(formula.expression, self._fields):
            found |= self._closures.get(named.node.name, frozenset({named.node.name}))
        return found

    def names(self, formula: Formula | None) -> frozenset[str]:
        """The names that a condition rests on."""
        if formula is None:
            return frozenset()
        if id(formula) not in self._conditions:
            self._conditions[id(formula)] = self._names(formula)
        return self._conditions[id(formula)]

    def ready(self, records: Any) -> ReadyList:
        """A list of the rules, with the lists that it names in their place; made once."""
        key = id(records)
        if key not in self._lists:
            found, stacking = [], False
            for record in self.rules.spread(records):
                if isinstance(record, Use):
                    stacking = stacking or record.name == STACKING
                else:
                    found.append(self._ready(record))
            names = frozenset(name for one in found for name in one.uses)
            self._lists[key] = ReadyList(tuple(found), Uses.of(names), stacking)
        return self._lists[key]

    def _ready(self, record: RuleRecord) -> Ready:
        effect = effect_of(record)
        assert effect is not None
        name, formula = effect
        takes_all = isinstance(record, Step) and record.takes_all
        work = None if takes_all or formula is None else formula
        uses = self.names(record.when) | self.names(work)
        when = None if record.when is None else record.when.work
        return Ready(record, when, name, None if work is None else work.work, uses, takes_all)

    @cached_property
    def place_names(self) -> frozenset[str]:
        """Every name that any rule asks of a place: what kinds of place are told apart by."""
        return frozenset(name.partition(".")[2] for name in self.all_names if name.partition(".")[0] in PLACES)

    @cached_property
    def all_names(self) -> frozenset[str]:
        """Every name that any rule asks for."""
        found: set[str] = set()
        rules = self.rules

        def take(*formulas: Formula | None) -> None:
            for formula in formulas:
                found.update(self.names(formula))

        def take_list(records: Any) -> None:
            for record in self.ready(records).records:
                found.update(record.uses)

        def take_walk(walk: Walk) -> None:
            for records in (walk.who, walk.steps, walk.ends, walk.allowance, walk.length):
                take_list(records)
            take(*walk.modes.values(), *((walk.minimum.when,) if walk.minimum else ()))

        for span in rules.spans.values():
            take(span.of, span.stands)
        for zone in rules.zones.values():
            take(zone.has)
            take_list(zone.steps)
            take_list(zone.length)
        take_list(rules.stacking)
        for trace in rules.supply.traces.values() if rules.supply else ():
            take(trace.for_, trace.from_.places, trace.from_.units, trace.from_.serves)
            take_walk(trace)
        for record in rules.supply.free if rules.supply else ():
            take(record.when)
        for command in rules.command.values():
            take(command.of, command.serves)
            take_walk(command)
        for walks in (rules.movement, rules.retreat, rules.advance):
            for walk in walks.values():
                take_walk(walk)
        for retreat in rules.retreat.values():
            take(*(record.when for record in retreat.fate))
        return frozenset(found)


class _Fields(dict[str, Mapping[str, Kind]]):
    """The fields of the units, markers or features of a group, by the group's name."""

    def __init__(self, game: Game, rules: Rules) -> None:
        texts = ("id", "name", "nation", "side", "class", "type", "size", "formation", "copy", "steps")
        flags = (*game.abilities, *game.states, *rules.units)
        self.unit = dict.fromkeys((*texts, *game.factors, *flags), TEXT)
        self.marker = dict.fromkeys(("id", "side", *game.factors), TEXT)

    def get(self, key: str, default: Any = None) -> Any:
        """The names of the fields; their kinds don't matter here."""
        of = key.rpartition(".")[2]
        return {"kind": TEXT} if of == "features" else self.marker if of == "markers" else self.unit

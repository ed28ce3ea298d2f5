"""Whether the rules of a pack hold together: names, kinds, choices, effects, sections that need each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from scenarios.expressions import (
    FLAG,
    NUMBER,
    TEXT,
    Kind,
    Scope,
    Text,
)
from scenarios.inputs import Formula, Vocabulary
from scenarios.reading.findings import instead
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, known, number, place
from scenarios.rules.names import calls_in, constant, names_in
from scenarios.rules.shapes import (
    EFFECTS,
    Amount,
    EntryWay,
    Need,
    ResultRule,
    Retreat,
    RuleRecord,
    Rules,
    Step,
    Trace,
    TurnRule,
    Use,
    Walk,
    effect_of,
)
from scenarios.rules.words import PLACE_PREFIXES, SECTIONS, Section, Words, words_of

if TYPE_CHECKING:
    from scenarios.pack import PackFile

MOST_MODES = 8
MOST_FURTHER = 9
LONGEST_LIST = 400
MOST_VALUES = 400
Base = Literal["number", "text", "flag"]
BATTLE: Mapping[str, Kind] = {
    "code": TEXT, "role": Kind("text", frozenset({"attacker", "defender"})), "steps_lost": NUMBER, "result_text": TEXT,
}  # fmt: skip
IN_ATTACK: Mapping[str, Kind] = {"distance": NUMBER}
OF_ATTACK: Mapping[str, Kind] = {"hexes": NUMBER}
THROWN: Mapping[str, Kind] = {"roll": NUMBER}
MANNERS = Kind("text", frozenset({"crossed", "through", "along", "corner"}))
OWN = Kind("text", frozenset({"", "from", "to", "both"}))
OF_SIDE: Mapping[str, Kind] = {"manner": MANNERS, "own": OWN, "distance": NUMBER}
OF_HEX: Mapping[str, Kind] = {**OF_SIDE, "line.height": NUMBER}
OF_ENDS: Mapping[str, Kind] = {"same_board": FLAG}
"""Names that only lists about battles, throws and sight know."""
ONE_SIDED = frozenset({"enemy", "friend", "control", "friends", "enemies", "room", "supplied"})
"""What a place is for somebody; sight is the same for all."""
DICE_AND_MORE = re.compile(r"[1-9]?d[1-9]\d?([+-]\d{1,2})?")
RESERVED = frozenset({
    "unit", "from", "to", "kind", "hexes", "side", "at", "paths", "taken", "zone", "scenario", "position", "turn", "put", "mark", "gone",
})  # fmt: skip
"""Inputs that questions have of their own."""


@dataclass(frozen=True)
class Asks:
    """What a list may ask: of which places, and what else besides the unit and the question."""

    section: Section
    places: tuple[str, ...] = ("to",)
    over: bool = False
    source: bool = False
    by: tuple[str, ...] = ()
    more: Mapping[str, Kind] = field(default_factory=dict)
    stack: bool = False
    load: bool = False
    unit: bool = True
    """Whether it is about one unit."""
    battle: bool = False
    """Whether the groups `attackers` and `defenders` are known."""


def check_rules(pack: PackFile, rules: Rules, vocabulary: Vocabulary, findings: Findings) -> None:
    """Every check on the section `rules`."""
    _Checker(pack, rules, vocabulary, findings).check()


class _Checker:
    def __init__(self, pack: PackFile, rules: Rules, vocabulary: Vocabulary, findings: Findings) -> None:
        self.pack, self.rules, self.findings = pack, rules, findings
        self.tables = dict.fromkeys(vocabulary.tables, 2)
        self.vocabulary = vocabulary
        self.words: Words = words_of(pack, rules, vocabulary)
        self.unit = dict(self.words.unit)
        self.closures: dict[str, frozenset[str]] = {}
        """What each value rests on, down to names that are no values."""
        self.all = self.everything()
        """Every name of the language and, once they are read, of the values."""
        self.groups = self.all_groups()

    # What there is to ask at all.

    def everything(self) -> dict[str, Kind]:
        """Every name of the language with its kind, wherever it may be used."""
        names: dict[str, Kind] = {**self.unit, **self.words.question}
        for prefix in PLACE_PREFIXES:
            names |= {f"{prefix}.{name}": word.kind for name, word in self.words.place.items()}
        names |= {f"over.{name}": word.kind for name, word in self.words.over.items()}
        for prefix in ("unit", "source"):
            names |= {f"{prefix}.{name}": kind for name, kind in self.unit.items()}
        names |= {f"by.{name}": FLAG for name in self.words.by}
        names |= {f"battle.{name}": kind for name, kind in self.words.battle.items()}
        modes = frozenset(mode for walk in self.walks() for mode in walk.modes)
        names |= {
            "on_map": FLAG,
            "first": FLAG, "last": FLAG, "farther": FLAG, "supplied": FLAG, "commanded": FLAG, "mode": Kind("text", modes | {""}),
            "last_mode": Kind("text", modes | {""}), "length": NUMBER, "taken": NUMBER, "gone": NUMBER, "result": NUMBER, "amount": NUMBER,
            **BATTLE, **IN_ATTACK, **OF_ATTACK, **THROWN, **OF_SIDE, **OF_HEX, **OF_ENDS, **self.looking(),
        }  # fmt: skip
        return names

    def looking(self) -> dict[str, Kind]:
        """Who looks and who is looked at, where sight tells kinds of them apart."""
        sight = self.rules.sight
        return dict.fromkeys(("viewer", "seen_as"), Kind("text", frozenset(sight.observers))) if sight and sight.observers else {}

    def all_groups(self) -> dict[str, Mapping[str, Kind]]:
        found: dict[str, Mapping[str, Kind]] = dict.fromkeys(("stack", "load", "units", "attackers", "defenders"), self.unit)
        found["over.features"] = {"kind": TEXT}
        for prefix in PLACE_PREFIXES:
            for name, (fields, _) in self.words.place_groups.items():
                found[f"{prefix}.{name}"] = self.unit if fields is self.words.unit else fields
        return found

    def walks(self) -> Iterator[Walk]:
        rules = self.rules
        yield from rules.movement.values()
        yield from rules.retreat.values()
        yield from rules.advance.values()
        yield from rules.command.values()
        yield from rules.supply.traces.values() if rules.supply else ()

    # Whether a name may be asked here.

    def refused(self, name: str, asks: Asks) -> str:
        """Why a name of the language can't be asked in a list; empty if it can."""
        prefix, dot, rest = name.partition(".")
        if name in asks.more:
            return ""
        if not dot:
            if name in self.unit and not asks.unit:
                return "no single unit is meant here; ask a group, as in count(units, side == \"red\")"
            if name in asks.more or name in self.unit or name in self.words.question:
                return ""
            if name in ("attackers", "defenders"):
                return "" if asks.battle else "it is known in battles only"
            if name == "units":
                return ""
            if name == "stack":
                return "" if asks.stack else "it is known under `stacking` only"
            if name == "load":
                return "" if asks.load else "it is known under `carry` only"
            if name in ("supplied", "commanded"):
                return self.too_early("supply" if name == "supplied" else "command", asks)
            return "it isn't known in this list"
        if prefix in PLACE_PREFIXES:
            if prefix not in asks.places:
                others = " and ".join(f"`{other}`" for other in asks.places) or "no place"
                return f"this list is about {others}"
            if rest in self.words.doubles and rest in self.words.place:
                return f"{self.words.doubles[rest]} are both called {rest!r}; rename one of them"
            if asks.section == "sight" and rest in ONE_SIDED:
                return "sight is the same for all sides; ask for terrain, regions and markers"
            found = self.words.place_groups[rest][1] if rest in self.words.place_groups else self.words.place[rest].section
            return self.too_early(found, asks)
        if prefix == "over":
            if not asks.over:
                return "this list is about a place, not about a step"
            return self.too_early(self.words.over[rest].section, asks) if rest in self.words.over else ""
        if prefix == "line":
            return "it is known under `sight.hexes` only"
        if prefix == "battle":
            return "" if asks.section == "results" else "what was told of an attack is known under `results` only"
        if prefix == "source":
            return "" if asks.source else "only a trace or a command comes from a source"
        if prefix == "by":
            if rest in asks.by:
                return ""
            return "a trace may ask only for those above it" if asks.section == "supply" else self.too_early("supply", asks)
        return ""

    def too_early(self, found_by: Section | None, asks: Asks) -> str:
        if found_by is None or SECTIONS.index(found_by) < SECTIONS.index(asks.section):
            return ""
        return f"`{asks.section}` is worked out before or with `{found_by}`, so neither may rest on the other in a circle"

    @property
    def scope(self) -> Scope:
        """All names; whether one may be asked in a list is looked at apart."""
        return Scope(self.all, self.groups, self.tables, rules=True)

    def formula(self, formula: Formula | None, asks: Asks, wanted: Base | None) -> None:
        """Check an expression of a list."""
        if formula is None:
            return
        for named in names_in(formula.expression, self.groups):
            name = named.node.name
            for base in sorted(self.closures.get(name, {name})):
                if base not in self.all and base not in self.groups:
                    continue
                why = self.refused(base, asks)
                if why:
                    rests = f"{name!r} asks for {base!r}" if base != name else f"{name!r} can't be asked here"
                    self.findings.at(_place(formula.node).letter(named.node.offset), f"{rests}: {why} (in {formula.text!r})")
                    break
        formula.check(self.scope, wanted, self.findings)
        self.lookups(formula)

    def lookups(self, formula: Formula) -> None:
        """A cell that is named outright has to be there."""
        for call in calls_in(formula.expression):
            texts = [part.value for part in call.arguments if isinstance(part, Text)]
            if call.function != "lookup" or len(texts) != 3 or len(call.arguments) != 3 or texts[0] not in self.vocabulary.tables:
                continue
            table = self.vocabulary.tables[texts[0]]
            if not table.dice and texts[1] not in table.cells:
                node = _place(formula.node).letter(call.offset)
                self.findings.at(node, f"the table {texts[0]} has no row {texts[1]!r}; {instead(texts[1], table.cells)}")
            elif table.columns is not None and table.columns.kind == "names" and texts[2] not in table.columns.labels:
                node = _place(formula.node).letter(call.offset)
                self.findings.at(node, f"the table {texts[0]} has no column {texts[2]!r}; {instead(texts[2], table.columns.labels)}")

    # The sections.

    def check(self) -> None:
        rules = self.rules
        self.names()
        if not self.lists():
            return
        for name, told in rules.inputs.items():
            if name in RESERVED:
                self.findings.at(place(told), f"questions have an input {name!r} already; choose another name")
            if told.choices and told.kind != "text":
                self.findings.at(place(told, "choices"), "only an input of the kind text has choices; add `kind: text`")
            known(told, "state", told.state, self.pack.states, "state", self.findings)
            tracks = {track for shape in self.pack.maps.values() for track in shape.tracks}
            known(told, "track", told.track, tracks, "track", self.findings)
            if told.track and told.kind != "number":
                self.findings.at(place(told, "track"), "only a number is read from a track; add `kind: number`")
            if told.state and told.kind != "flag":
                self.findings.at(place(told, "state"), "only a flag puts a unit in a state; leave out `kind`")
            if told.kind == "number" and told.default is not None and not _is_number(told.default):
                self.findings.at(place(told, "default"), f"{told.default!r} is no number")
        self.formula(rules.height, Asks("spans", unit=False), "number")
        for formula in (rules.present, rules.control):
            self.formula(formula, Asks("spans", ()), "flag")
        self.formula(rules.holder, Asks("spans", unit=False), "text")
        self.spans()
        for zone in rules.zones.values():
            self.formula(zone.has, Asks("zones"), "flag")
            self.amounts(zone.length, Asks("zones"))
            self.steps(zone.steps, Asks("zones", ("from", "to"), over=True), only=("forbid",))
        carrying = Asks("stacking", (), load=True)
        listed = ((rules.standing, Asks("stacking")), (rules.stacking, Asks("stacking", stack=True)), (rules.carry, carrying))
        for demands, asks in listed:
            for demand in demands:
                self.formula(demand.when, asks, "flag")
                self.effect(demand, asks)
        self.placing()
        self.supply()
        self.entry()
        for command in rules.command.values():
            base = Asks("command", by=tuple(rules.supply.traces) if rules.supply else ())
            self.formula(command.of, base, "flag")
            for record in command.free:
                self.formula(record.when, base, "flag")
            self.formula(command.serves, Asks("command", source=True, by=base.by), "flag")
            self.walk(command, "command", Asks("command", ("from", "to"), over=True, source=True))
        for act in rules.acts.values():
            self.steps(act.steps, Asks("acts", ("from", "to", "start"), over=True, more={"first": FLAG}))
            records = [record for record in self.rules.spread(act.steps) if not isinstance(record, Use)]
            if records and not any(record.cost is not None or record.add is not None for record in records):
                self.findings.at(place(act, "steps"), "no record gives it a price, so it can't be done; add one with `cost`")
            for i, walk_id in enumerate(act.of):
                known(act, "of", walk_id, rules.movement, "kind of move", self.findings, i)
        for section in ("movement", "retreat", "advance"):
            for walk in getattr(rules, section).values():
                self.walk(walk, section, Asks(section, ("from", "to", "start"), over=True))
                if isinstance(walk, Retreat):
                    self.retreat(walk)
        self.sight()
        self.attacking()
        self.results()
        self.turn()
        self.victory()
        self.lines()

    def placing(self) -> None:
        """Where units set up by area stand."""
        placing, asks = self.rules.placing, Asks("supply")
        if placing is None:
            return
        for priority in placing.first:
            self.formula(priority.when, asks, "flag")
            self.formula(priority.that, asks, "flag")
        for formula in (*placing.order, *placing.best):
            self.formula(formula, asks, None)
        if placing.near is not None:
            self.formula(placing.near.places, asks, "flag")
            self.formula(placing.near.over, asks, "flag")
        if not 0 <= placing.spread <= 999:
            self.findings.at(place(placing, "spread"), f"{placing.spread} is too many; write 0 to 999")

    def entry(self) -> None:
        """How units come onto the map."""
        entry, known_ = self.rules.entry, {"on_map": FLAG}
        if entry is None:
            return
        for way in entry.ways.values():
            self.gates(way, "who", Asks("movement", ("start",), by=self.words.by, more=known_), allow=False)
            self.formula(way.to, Asks("movement", ("to", "start"), by=self.words.by, more={**known_, "gone": NUMBER}), "flag")
        unit = Asks("movement", (), by=self.words.by, more=known_)
        for formula in entry.limits.values():
            self.formula(formula, unit, "number")
        for note in (*entry.notes, *((entry.lost,) if entry.lost is not None else ())):
            self.formula(note.when, unit, "flag")

    def names(self) -> None:
        """The values of units and of records, in order."""
        rules = self.rules
        if len(rules.units) + len(rules.values) > MOST_VALUES:
            self.findings.at(place(rules, "values"), f"there are more than {MOST_VALUES} values; use fewer")
        asks = Asks("spans", ())
        for name, formula in rules.units.items():
            self.own_name(rules, "units", name)
            if formula is not None:
                self.formula(formula, asks, None)
                kind = formula.check(self.scope, None, Findings()) or NUMBER
                self.unit[name] = self.all[name] = self.all[f"unit.{name}"] = self.all[f"source.{name}"] = kind
        for name, formula in rules.values.items():
            self.own_name(rules, "values", name)
            if formula is None:
                continue
            self.all[name] = formula.check(self.scope, None, self.findings) or NUMBER
            self.lookups(formula)
            rests: frozenset[str] = frozenset()
            for named in names_in(formula.expression, self.groups):
                rests |= self.closures.get(named.node.name, frozenset({named.node.name}))
            self.closures[name] = rests

    def own_name(self, rules: Rules, section: str, name: str) -> None:
        pair = (place(rules, section).entries or {}).get(name)
        node = pair[0] if pair else place(rules, section)
        if name in self.all or name in self.groups:
            self.findings.at(node, f"the name {name!r} means something already; choose another")
        elif not name.isidentifier():
            self.findings.at(node, f"{name!r} can't be used in an expression; write letters, digits and _ only")

    def lists(self) -> bool:
        """Whether the lists can be put into one another: each names only those above it, and none gets too long."""
        lengths: dict[str, int] = {}
        before = len(self.findings)
        for name, records in self.rules.lists.items():
            length = 0
            for record in records:
                if isinstance(record, Use):
                    if record.name not in lengths:
                        above = f"; {instead(record.name, lengths)}" if lengths else ""
                        what = "stands below, or needs this one in a circle" if record.name in self.rules.lists else "isn't there"
                        self.findings.at(_place(record.node), f"the list {record.name!r} {what}; a list names lists above it{above}")
                    length += lengths.get(record.name, 0)
                else:
                    length += 1
            if length > LONGEST_LIST:
                self.findings.at(place(self.rules, "lists", name), f"this list has {length} records in the end; {LONGEST_LIST} is the most")
            lengths[name] = length
        return len(self.findings) == before

    def spans(self) -> None:
        pack = self.pack
        kinds = [*pack.hexsides, *pack.paths, *pack.routes]
        for span in self.rules.spans.values():
            self.formula(span.of, Asks("spans", ()), "flag")
            self.formula(span.stands, Asks("spans", ("from", "to")), "flag")
            for i, kind in enumerate(span.over):
                known(span, "over", kind, kinds, "hexside or route", self.findings, i)
            known(span, "told_by", span.told_by, pack.effects, "effect", self.findings)

    def supply(self) -> None:
        supply = self.rules.supply
        if supply is None:
            return
        known(supply, "out", supply.out, self.pack.states, "state", self.findings)
        for record in supply.free:
            self.formula(record.when, Asks("supply"), "flag")
        if supply.none is not None and supply.none.when is not None:
            self.findings.at(place(supply.none, "when"), "this is said whenever no trace could come; leave out `when`")
        earlier: tuple[str, ...] = ()
        for name, trace in supply.traces.items():
            unit = Asks("supply", by=earlier)
            self.formula(trace.for_, unit, "flag")
            origin = trace.from_
            if origin is not None and origin.node is not None:
                self.formula(origin.places, unit, "flag")
                self.formula(origin.units, unit, "flag")
                self.formula(origin.serves, Asks("supply", source=True, by=earlier), "flag")
                if (origin.places is None) == (origin.units is None):
                    self.findings.at(origin.node, "a trace begins in `places` or with `units`; give one of them")
                if origin.serves is not None and origin.units is None:
                    self.findings.at(place(origin, "serves"), "only units serve; leave out `serves`, or say `units`")
            if not 0 <= trace.near <= 99:
                self.findings.at(place(trace, "near"), f"{trace.near} is too far; write 0 to 99")
            self.walk(trace, "supply", Asks("supply", ("from", "to"), over=True, source=bool(origin and origin.units), by=earlier))
            earlier = (*earlier, name)

    def walk(self, walk: Walk, section: Section, asks: Asks) -> None:
        """The keys that every walk has."""
        trace = isinstance(walk, Trace) or section == "command"
        by = self.words.by if section not in ("supply", "command") else asks.by
        begins = ("to",) if trace else ("start",)
        more = {"result": NUMBER} if section in ("retreat", "advance") else {}
        unit = Asks(section, begins, source=asks.source, by=by, more=more)
        self.gates(walk, "who", unit, allow=False)
        self.fields(walk)
        amounts = Asks(section, begins, source=asks.source, by=by, more={**more, "amount": NUMBER})
        for key in ("allowance", "length"):
            self.amounts(getattr(walk, key), amounts)
        if walk.allowance and walk.length:
            self.findings.at(place(walk, "length"), "a walk has an `allowance` or a `length`, not both; leave out one")
        if len(walk.modes) > MOST_MODES:
            self.findings.at(place(walk, "modes"), f"a walk has at most {MOST_MODES} modes")
        modes = frozenset(walk.modes)
        step = {**more, "first": FLAG, "farther": FLAG, "length": NUMBER, **({"last": FLAG} if trace else {})}
        steps = Asks(section, asks.places, True, asks.source, by, step)
        for formula in walk.modes.values():
            self.formula(formula, steps, "flag")
        if walk.modes:
            step |= {"mode": Kind("text", modes), "last_mode": Kind("text", modes | {""})}
        self.steps(walk.steps, Asks(section, asks.places, True, asks.source, by, step))
        ends = {**more, "taken": NUMBER, "gone": NUMBER, "length": NUMBER}
        at_end = tuple(name for name in asks.places if name != "from")
        self.gates(walk, "ends", Asks(section, at_end, source=asks.source, by=by, more=ends), allow=True)
        if walk.minimum is not None:
            self.formula(walk.minimum.when, unit, "flag")
            if not 1 <= walk.minimum.hexes <= 9:
                self.findings.at(place(walk.minimum, "hexes"), "write 1 to 9")
        phases = {phase for sequence in self.pack.sequence.values() for phase in _phase_ids(sequence.phases)}
        for i, phase in enumerate(walk.phases):
            known(walk, "phases", phase, phases, "phase", self.findings, i)

    def fields(self, walk: Walk) -> None:
        """What is said of the walker who stands for a unit."""
        for name, text in walk.as_.items():
            pair = (place(walk, "as").entries or {}).get(name)
            node = pair[1] if pair else place(walk, "as")
            kind = self.unit.get(name)
            if kind is None:
                self.findings.at(pair[0] if pair else node, f"no unit has a {name!r}; {instead(name, self.unit)}")
            elif kind.base == "flag" and text not in ("true", "false"):
                self.findings.at(node, f"{name} is true or false, not {text!r}")
            elif kind.base == "number" and not _is_number(text):
                self.findings.at(node, f"{name} is a number, not {text!r}")
            elif kind.choices is not None and text not in kind.choices:
                self.findings.at(node, f"{name} is never {text!r}; {instead(text, kind.choices)}")

    def retreat(self, walk: Retreat) -> None:
        asks = Asks("retreat", ("to", "start"), by=self.words.by, more={"result": NUMBER})
        for record in walk.fate:
            self.formula(record.when, asks, "flag")
            self.effect(record, asks)
        for goal in walk.toward.values():
            self.formula(goal.when, replace(asks, places=("start",)), "flag")
            self.formula(goal.one, asks, "flag")
            if (goal.one is None) == (not goal.aims):
                self.findings.at(place(goal), "a goal has `one` of some places, or `aims`; give one of them")
            for aim in goal.aims:
                self.formula(aim.when, replace(asks, places=("from", "start")), "flag")
                self.formula(aim.nearest, asks, "flag")
                self.formula(aim.any, asks, "flag")
                if (aim.nearest is None) == (aim.any is None):
                    self.findings.at(place(aim), "an aim is the `nearest` of some places or `any` of them; give one of them")
        self.formula(walk.enemy_moves, replace(asks, places=("start",)), "flag")
        if walk.together and walk.room == "any":
            self.findings.at(place(walk, "together"), "where room doesn't matter there is none to share; leave out one of the two")
        if not 0 <= walk.further <= MOST_FURTHER:
            self.findings.at(place(walk, "further"), f"write 0 to {MOST_FURTHER}")
        if not walk.length and not walk.allowance:
            self.findings.at(place(walk), "a retreat needs its `length`: a number, or `result` for what the battle says")

    def sight(self) -> None:
        rules = self.rules.sight
        if rules is None:
            return
        if not any(board.grid is not None for board in self.pack.boards.values()):
            self.findings.at(place(self.rules, "sight"), "sight goes along straight lines, so it needs a board of hexes; add `boards`")
        looks = dict.fromkeys(("viewer", "seen_as"), Kind("text", frozenset(rules.observers)))
        for observer in rules.observers.values():
            self.formula(observer, Asks("sight", ()), "flag")
        ends = Asks("sight", ("from", "to"), unit=False, more={"distance": NUMBER, "amount": NUMBER, **looks})
        self.amounts(rules.limit, ends)
        self.formula(rules.most, ends, "number")
        for meeting in (rules.along, rules.corner):
            self.formula(meeting.needs if meeting is not None else None, Asks("sight", (), unit=False), "number")
        for records, asks in (
            (rules.ends, Asks("sight", ("from", "to"), unit=False, more={"distance": NUMBER, **OF_ENDS, **looks})),
            (rules.sides, Asks("sight", ("from", "to", "near", "far"), over=True, unit=False, more={**OF_SIDE, **looks})),
            (rules.hexes, Asks("sight", ("from", "to", "hex"), unit=False, more={**OF_HEX, **looks})),
        ):
            for record in records:
                self.formula(record.when, asks, "flag")
                self.effect(record, asks)
                if record.degrade is not None and rules.most is None:
                    self.findings.at(place(record, "degrade"), "say under `most` how much a line may get worse before it is blocked")
                if records is rules.ends and not record.block:
                    self.findings.at(place(record), "a record of `ends` blocks; write `block: true`")
                if records is rules.hexes and record.shield:
                    self.findings.at(place(record, "shield"), "hexsides shield; write it under `sides`")
        for demand in rules.spotting:
            asks = Asks("sight", ("from", "to"), more={"distance": NUMBER, **looks})
            self.formula(demand.when, asks, "flag")
            self.effect(demand, asks)

    # Battles, turns and victory.

    def attacking(self) -> None:
        rules = self.rules.attacking
        each = Asks("attacking", ("from", "to"), over=True, by=self.words.by, more=IN_ATTACK)
        for attack in self.pack.attacks.values():
            for shape in attack.all_inputs:
                self.formula(shape.by_rules, each, shape.kind)
        if rules is None:
            return
        whole = Asks("attacking", by=self.words.by, more=OF_ATTACK, unit=False, battle=True)
        for demands, asks in ((rules.may, each), (rules.together, whole)):
            for demand in demands:
                self.formula(demand.when, asks, "flag")
                self.effect(demand, asks)
        for duty in rules.must:
            self.formula(duty.when, Asks("attacking", by=self.words.by), "flag")
            self.effect(duty, Asks("attacking"))

    def results(self) -> None:
        effects = {key for table in self.pack.tables.values() for result in table.results.values() for key in result.effects}
        asks = Asks("results", ("from", "to"), over=True, by=self.words.by, more={**BATTLE, "result": NUMBER}, battle=True)
        for name, outcomes in self.rules.results.items():
            if name not in (*effects, "always"):
                pair = (place(self.rules, "results").entries or {}).get(name)
                node = pair[0] if pair else place(self.rules, "results")
                self.findings.at(node, f"no result of a table has the effect {name!r}; {instead(name, [*effects, 'always'])}")
            for outcome in outcomes:
                self.formula(outcome.when, asks, "flag")
                self.effect(outcome, asks)
                self.states(outcome)
                for effect, walks in (("retreat", self.rules.retreat), ("advance", self.rules.advance)):
                    if not getattr(outcome, effect):
                        continue
                    if not walks:
                        self.findings.at(place(outcome, effect), f"the pack doesn't say how units {effect}; add `rules.{effect}`")
                    known(outcome, "kind", outcome.kind, walks, f"kind of {effect}", self.findings)
                self.formula(outcome.many, asks, "number")
                self.formula(outcome.instead, asks, "number")
                if outcome.instead is not None and outcome.retreat is None:
                    self.findings.at(place(outcome, "instead"), "`instead` goes with `retreat`; leave it out")
                if outcome.who != "each" and outcome.lose is None:
                    self.findings.at(place(outcome, "who"), "`who` goes with `lose`; leave it out")
                for key, wanted in (("by", "number"), ("first", "flag")):
                    self.formula(getattr(outcome, key), asks, wanted)  # type: ignore[arg-type]
                    if getattr(outcome, key) is not None and outcome.who == "each":
                        self.findings.at(place(outcome, key), f"`{key}` goes with `who`, such as who: strongest; leave it out")
                self.formula(outcome.hexes, asks, "number")
                if outcome.hexes is not None and not outcome.advance:
                    self.findings.at(place(outcome, "hexes"), "`hexes` goes with `advance`; leave it out")

    def states(self, record: ResultRule | TurnRule) -> None:
        for key in ("set", "clear"):
            known(record, key, getattr(record, key), self.pack.states, "state", self.findings)

    def turn(self) -> None:
        phases = {phase for sequence in self.pack.sequence.values() for phase in _phase_ids(sequence.phases)}
        for record in self.rules.turn:
            of_units = bool(record.set or record.clear or record.lose or record.restore)
            whole = Asks("turn", (), by=self.words.by, unit=False)
            each = Asks("turn", by=self.words.by) if of_units else whole
            self.formula(record.when, each, "flag")
            self.effect(record, whole if record.restore else each)
            self.formula(record.needs, replace(each, more=THROWN), "flag")
            self.formula(record.column, whole, None)
            self.states(record)
            if record.to_each != "one" and record.restore is None:
                self.findings.at(place(record, "to_each"), "`to_each` goes with `restore`; leave it out")
            for i, phase in enumerate(record.phases):
                known(record, "phases", phase, phases, "phase", self.findings, i)
            known(record, "side", record.side, self.pack.sides, "side", self.findings)
            known(record, "table", record.table, self.pack.tables, "table", self.findings)
            self.thrown(record)

    def thrown(self, record: TurnRule) -> None:
        """Dice, tables that are thrown on, cups."""
        if bool(record.throw) != (record.needs is not None):
            self.findings.at(place(record), "`throw` and `needs` go together, as in throw: 1d6, needs: roll <= 4")
        if record.throw and not (record.set or record.clear or record.lose or record.end):
            self.findings.at(place(record, "throw"), "`throw` goes with `set`, `clear`, `lose` or `end`; leave it out")
        for key, text in [("throw", record.throw)] * bool(record.throw) + [("contest", text) for text in record.contest.values()]:
            if not DICE_AND_MORE.fullmatch(text):
                self.findings.at(place(record, key), f"{text!r} is no throw of dice; write one such as 1d6 or 1d6+1")
        table = self.pack.tables.get(record.table)
        if table is not None and not table.dice:
            self.findings.at(place(record, "table"), f"the table {record.table!r} isn't rolled on; name one with dice")
        if table is not None and (record.column is None) != (len(table.columns.labels) == 1):
            need = "name the `column`" if record.column is None else "it has one column; leave out `column`"
            self.findings.at(place(record, "table"), f"the table {record.table!r} has {len(table.columns.labels)} columns; {need}")
        for side in record.contest:
            known(record, "contest", side, self.pack.sides, "side", self.findings)
        if any(count < 1 for count in record.draw.values()):
            self.findings.at(place(record, "draw"), "a cup holds one or more of each chit; leave out what it hasn't")

    def victory(self) -> None:
        rules = self.rules.victory
        if rules is None:
            return
        known(rules, "levels", rules.levels, self.pack.tables, "table", self.findings)
        known(rules, "of", rules.of, self.pack.sides, "side", self.findings)
        if rules.of and rules.lead == "ratio":
            self.findings.at(place(rules, "of"), "`of` goes with a difference of points; leave it out, or `lead`")
        whole = Asks("victory", (), by=self.words.by, unit=False)
        unit, lost, there = Asks("victory", by=self.words.by), Asks("victory", ()), Asks("victory", unit=False)
        for record in rules.points:
            known(record, "side", record.side, self.pack.sides, "side", self.findings)
            counted = [key for key in ("of", "lost", "places") if getattr(record, key) is not None]
            if len(counted) > 1:
                self.findings.at(place(record, counted[1]), f"points are for units, losses or places; leave out `{counted[1]}`")
            for key, asks in (("of", unit), ("lost", lost), ("places", there)):
                self.formula(getattr(record, key), asks, "flag")
            self.formula(record.when, whole, "flag")
            self.effect(record, {"of": unit, "lost": lost, "places": there}.get(next(iter(counted), ""), whole))
            self.needs(record.needs)

    def lines(self) -> None:
        """The lines of scenarios that ask for something by an expression."""
        for scenario in self.pack.scenarios.values():
            for line in scenario.victory:
                self.needs(line.needs)
                self.formula(line.times, Asks("victory", (), by=self.words.by, unit=False), "number")

    def needs(self, needs: tuple[Need, ...]) -> None:
        """What has to be true for points or a win to count."""
        whole, there = Asks("victory", (), by=self.words.by, unit=False), Asks("victory", unit=False)
        for need in needs:
            self.formula(need.when, whole, "flag")
            self.effect(need, whole if need.among is None else there)
            self.formula(need.among, there, "flag")
            self.formula(need.least, whole, "number")
            if need.amount is not None and (need.among is not None or need.least is None):
                self.findings.at(place(need, "amount"), "an `amount` has to come to a number; give `least`, and no `among`")
            elif need.least is not None and need.amount is None and need.among is None:
                self.findings.at(place(need, "least"), "`least` goes with `among` or `amount`; leave it out")

    # Lists and records.

    def amounts(self, records: tuple[Amount, ...], asks: Asks) -> None:
        for record in records:
            self.formula(record.when, asks, "flag")
            self.effect(record, asks)

    def steps(self, records: tuple[Step | Use, ...], asks: Asks, only: tuple[str, ...] = ()) -> None:
        for record in records:
            if isinstance(record, Use):
                if record.name not in self.rules.lists:
                    self.findings.at(_place(record.node), f"there is no list {record.name!r}; {instead(record.name, self.rules.lists)}")
                continue
            self.record(record, asks, only)
        for used in (record for record in records if isinstance(record, Use) and record.name in self.rules.lists):
            before = len(self.findings)
            for record in self.rules.spread((used,)):
                self.record(record, asks, only)
            if len(self.findings) > before:
                self.findings.at(_place(used.node), f"the list {used.name!r} can't be used here: see its records")

    def record(self, record: Step, asks: Asks, only: tuple[str, ...]) -> None:
        self.formula(record.when, asks, "flag")
        self.effect(record, asks)
        effect = effect_of(record)
        if only and effect is not None and effect[0] not in only:
            self.findings.at(place(record, effect[0]), f"here a record only says what it does `{only[0]}`; write `{only[0]}: true`")

    def gates(self, walk: Walk | EntryWay, key: str, asks: Asks, *, allow: bool) -> None:
        for record in getattr(walk, key):
            if isinstance(record, Use):
                if key == "ends" and record.name in self.rules.lists:
                    self.steps((record,), asks, ("forbid",))
                elif record.name != "stacking" or key != "ends":
                    known = f"; {instead(record.name, ['stacking', *self.rules.lists])}" if key == "ends" else "; write records"
                    self.findings.at(_place(record.node), f"{record.name!r} can't stand here{known}")
                elif not self.rules.stacking:
                    self.findings.at(_place(record.node), "the pack doesn't say how units stack; add `stacking`, or leave out this word")
                continue
            self.formula(record.when, asks, "flag")
            self.effect(record, asks)
            if record.allow and not allow:
                self.findings.at(place(record, "allow"), "`allow` is for ends; write `forbid` with the opposite `when`")

    def effect(self, record: RuleRecord, asks: Asks) -> None:
        """A record has one effect, of the kind that belongs there."""
        effects = EFFECTS[type(record)]
        assert record.node is not None
        given = [name for name in effects if record.node.get(name) is not None]
        if len(given) != 1:
            words = ", ".join(effects[:-1]) + f" or {effects[-1]}" if len(effects) > 1 else effects[0]
            self.findings.at(record.node, f"a record has one effect: {words}; give {'one of them' if len(effects) > 1 else 'it'}")
            return
        found = effect_of(record)
        if found is None:
            if record.node.at(given[0]).text in ("false", "no"):
                self.findings.at(record.node.at(given[0]), f"`{given[0]}: false` says nothing; leave out the record, or give it a `when`")
            return
        name, formula = found
        if formula is None or (isinstance(record, Step) and record.takes_all):
            return
        wanted: Base = "text" if name == "throw" else "flag" if name == "that" else "number"
        self.formula(formula, asks, wanted)
        if name in ("cost", "multiply", "harm") and (value := constant(formula)) is not None and value < 0:
            self.findings.at(_place(formula.node), f"a {name} is never below 0, but this is {value}")


def _place(node: Node | None) -> Node:
    return node or Node("(built in code)", 1, 1)


def _is_number(text: str) -> bool:
    try:
        number(text)
    except ValueError:
        return False
    return True


def _phase_ids(phases: Iterable[Any]) -> Iterator[str]:
    for phase in phases:
        yield phase.id
        yield from _phase_ids(phase.phases)


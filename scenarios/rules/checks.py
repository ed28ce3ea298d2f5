"""Checks on the rules of a pack: names, kinds, choices, effects, and sections that need each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scenarios.expressions import NUMBER, ValueType
from scenarios.model.attack_inputs import Vocabulary
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import Findings, check_known, place
from scenarios.rules.counter_checks import check_counter
from scenarios.rules.names import names_in
from scenarios.rules.procedure_checks import ProcedureChecks
from scenarios.rules.record_checks import AllowedNames, node_of
from scenarios.rules.resource_checks import ResourceChecks
from scenarios.rules.shapes import Retreat, Rules, Use
from scenarios.rules.walk_checks import WalkChecks, is_number

if TYPE_CHECKING:
    from scenarios.pack.pack_file import PackFile

LONGEST_LIST = 400
MOST_VALUES = 400
RESERVED_NAMES = frozenset(
    {
        "unit",
        "from",
        "to",
        "kind",
        "hexes",
        "side",
        "at",
        "paths",
        "taken",
        "zone",
        "scenario",
        "position",
        "turn",
        "put",
        "mark",
        "remove",
        "counts",
        "lost",
    }
)
"""Inputs that questions have without a declaration."""


def check_rules(pack: PackFile, rules: Rules, vocabulary: Vocabulary, findings: Findings) -> None:
    """Run every check on the section `rules`."""
    _RuleChecker(pack, rules, vocabulary, findings).check()


class _RuleChecker(WalkChecks, ProcedureChecks, ResourceChecks):
    def check(self) -> None:
        rules = self.rules
        self.names()
        if not self.lists():
            return
        for name, rule_input in rules.inputs.items():
            if name in RESERVED_NAMES:
                self.findings.add(place(rule_input), f"questions have an input {name!r} already; choose another name")
            if rule_input.choices and rule_input.kind not in ("text", "markers"):
                self.findings.add(
                    place(rule_input, "choices"),
                    "only an input of the kind text or markers has choices; add `kind: text`",
                )
            for i, choice in enumerate(rule_input.choices if rule_input.kind == "markers" else ()):
                check_known(rule_input, "choices", choice, self.pack.markers, "marker", self.findings, i)
            check_known(rule_input, "state", rule_input.state, self.pack.states, "state", self.findings)
            check_known(rule_input, "marker", rule_input.marker, self.pack.markers, "marker", self.findings)
            if rule_input.what_if and rule_input.kind != "number":
                self.findings.add(place(rule_input, "what_if"), "only a number has a what-if; leave it out")
            if rule_input.marker and rule_input.kind != "flag":
                self.findings.add(place(rule_input, "marker"), "only a flag is read from a marker; leave out `kind`")
            if rule_input.state and rule_input.kind != "flag":
                self.findings.add(place(rule_input, "state"), "only a flag puts a unit in a state; leave out `kind`")
            if rule_input.kind == "number" and rule_input.default is not None and not is_number(rule_input.default):
                self.findings.add(place(rule_input, "default"), f"{rule_input.default!r} is no number")
        self.counters()
        self.formula(rules.height, AllowedNames("spans", unit=False), "number")
        for formula in (rules.present, rules.control):
            self.formula(formula, AllowedNames("spans", ()), "flag")
        self.formula(rules.holder, AllowedNames("spans", unit=False), "text")
        self.spans()
        for zone in rules.zones.values():
            self.formula(zone.has, AllowedNames("zones"), "flag")
            self.amounts(zone.length, AllowedNames("zones"))
            self.steps(zone.steps, AllowedNames("zones", ("from", "to"), groups_over=True), allowed_effects=("forbid",))
        check_known(rules, "aboard", rules.aboard, self.pack.states, "state", self.findings)
        carrying = AllowedNames("stacking", (), load=True)
        demand_lists = (
            (rules.allowed_places, AllowedNames("stacking")),
            (rules.stacking, AllowedNames("stacking", stack=True)),
            (rules.carry, carrying),
        )
        for demands, asks in demand_lists:
            for demand in demands:
                self.formula(demand.when, asks, "flag")
                self.effect(demand, asks)
        for set_up in rules.set_up:
            self.formula(set_up.when, AllowedNames("spans", unit=False), "flag")
        self.placing()
        self.supply()
        self.entry()
        for command in rules.command.values():
            base = AllowedNames("command", groups_by=tuple(rules.supply.traces) if rules.supply else ())
            self.formula(command.of, base, "flag")
            for record in command.exempt:
                self.formula(record.when, base, "flag")
            self.formula(command.serves, AllowedNames("command", source=True, groups_by=base.groups_by), "flag")
            self.walk(command, "command", AllowedNames("command", ("from", "to"), groups_over=True, source=True))
        for act in rules.acts.values():
            self.act(act)
        for section in ("movement", "retreat", "advance"):
            for walk in getattr(rules, section).values():
                self.walk(walk, section, AllowedNames(section, ("from", "to", "start"), groups_over=True))
                asks = AllowedNames(
                    section, ("to", "start"), groups_by=self.words.by_prefixes, movers=section != "retreat"
                )
                self.notes(walk.notes, asks)
                for demand in walk.movers:
                    self.formula(demand.when, replace(asks, places=("start",)), "flag")
                    self.effect(demand, replace(asks, places=("start",)))
                if isinstance(walk, Retreat):
                    self.retreat(walk)
        self.sight()
        self.attacking()
        self.results()
        self.procedures()
        self.resources()
        self.turn()
        self.victory()
        self.notes_of_questions()
        self.lines()

    def notes_of_questions(self) -> None:
        """Check the notes of questions: each question exists, and a note that isn't `each` asks for no unit."""
        rules = self.rules
        questions = {
            "supply": rules.supply is not None,
            "stack": bool(rules.stacking),
            "attacks": rules.attacking is not None,
            "score": rules.victory is not None or any(scenario.victory for scenario in self.pack.scenarios.values()),
            **{name: bool(zone.length) for name, zone in rules.zones.items()},
        }
        for question, notes in rules.notes.items():
            check_known(
                rules,
                "notes",
                question,
                [name for name, exists in questions.items() if exists],
                "question",
                self.findings,
            )
            side = {"side": ValueType("text", frozenset(self.pack.sides))} if question in ("supply", "attacks") else {}
            for note in notes:
                unit = AllowedNames("victory", groups_by=self.words.by_prefixes)
                whole = AllowedNames("victory", (), unit=False, extra_names=side)
                self.notes((note,), unit if note.each else whole)

    def counters(self) -> None:
        """Check the numbers, flags and texts that the game keeps."""
        tracks = {track for shape in self.pack.maps.values() for track in shape.tracks}
        for name, counter in self.rules.counters.items():
            if name in RESERVED_NAMES or name in self.rules.inputs:
                self.findings.add(place(counter), f"there is an input {name!r} already; choose another name")
            check_counter(counter, tracks, self.pack.markers, self.findings)

    def names(self) -> None:
        """Check the values of units and of records, in order."""
        rules = self.rules
        if len(rules.units) + len(rules.values) > MOST_VALUES:
            self.findings.add(place(rules, "values"), f"there are more than {MOST_VALUES} values; use fewer")
        asks = AllowedNames("spans", ())
        for name, formula in rules.units.items():
            self.own_name(rules, "units", name)
            if formula is not None:
                self.formula(formula, asks, None)
                kind = formula.check(self.scope, None, Findings()) or NUMBER
                self.unit[name] = self.all_names[name] = self.all_names[f"unit.{name}"] = self.all_names[
                    f"source.{name}"
                ] = kind
        for name, formula in rules.values.items():
            self.own_name(rules, "values", name)
            if formula is None:  # The formula couldn't be read; a finding already reports that.
                self.all_names[name], self.closures[name] = NUMBER, frozenset()
                continue
            self.all_names[name] = formula.check(self.scope, None, self.findings) or NUMBER
            self.lookups(formula)
            rests: frozenset[str] = frozenset()
            for reference in names_in(formula.expression, self.groups):
                rests |= self.closures.get(reference.node.name, frozenset({reference.node.name}))
            self.closures[name] = rests

    def own_name(self, rules: Rules, section: str, name: str) -> None:
        pair = (place(rules, section).entries or {}).get(name)
        node = pair[0] if pair else place(rules, section)
        if name in self.all_names or name in self.groups:
            self.findings.add(node, f"the name {name!r} means something already; choose another")
        elif not name.isidentifier():
            self.findings.add(node, f"{name!r} can't be used in an expression; write letters, digits and _ only")

    def lists(self) -> bool:
        """Whether the lists can be expanded: each names only lists above it, and none gets too long."""
        lengths: dict[str, int] = {}
        findings_before = len(self.findings)
        for name, records in self.rules.lists.items():
            length = 0
            for record in records:
                if isinstance(record, Use):
                    if record.name not in lengths:
                        hint = f"; {suggest(record.name, lengths)}" if lengths else ""
                        problem = (
                            "stands below, or needs this one in a circle"
                            if record.name in self.rules.lists
                            else "isn't there"
                        )
                        self.findings.add(
                            node_of(record.node),
                            f"the list {record.name!r} {problem}; a list names lists above it{hint}",
                        )
                    length += lengths.get(record.name, 0)
                else:
                    length += 1
            if length > LONGEST_LIST:
                self.findings.add(
                    place(self.rules, "lists", name),
                    f"this list has {length} records in the end; {LONGEST_LIST} is the most",
                )
            lengths[name] = length
        return len(self.findings) == findings_before

    def spans(self) -> None:
        pack = self.pack
        crossing_kinds = [*pack.hexsides, *pack.paths, *pack.routes]
        for span in self.rules.spans.values():
            self.formula(span.of, AllowedNames("spans", ()), "flag")
            self.formula(span.usable, AllowedNames("spans", ("from", "to")), "flag")
            for i, kind in enumerate(span.over):
                check_known(span, "over", kind, crossing_kinds, "hexside or route", self.findings, i)
            check_known(span, "effect", span.effect, pack.effects, "effect", self.findings)

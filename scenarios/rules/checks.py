"""Whether the rules of a pack hold together: names, kinds, choices, effects, sections that need each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenarios.expressions import NUMBER
from scenarios.inputs import Vocabulary
from scenarios.reading.findings import instead
from scenarios.reading.shapes import Findings, known, place
from scenarios.rules.names import names_in
from scenarios.rules.play_checks import PlayChecks
from scenarios.rules.record_checks import Asks, node_of
from scenarios.rules.shapes import Retreat, Rules, Use
from scenarios.rules.walk_checks import WalkChecks, is_number

if TYPE_CHECKING:
    from scenarios.pack import PackFile

LONGEST_LIST = 400
MOST_VALUES = 400
RESERVED = frozenset(
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
        "gone",
        "tell",
        "lost",
    }
)
"""Inputs that questions have of their own."""


def check_rules(pack: PackFile, rules: Rules, vocabulary: Vocabulary, findings: Findings) -> None:
    """Every check on the section `rules`."""
    _Checker(pack, rules, vocabulary, findings).check()


class _Checker(WalkChecks, PlayChecks):
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
            known(told, "marker", told.marker, self.pack.markers, "marker", self.findings)
            if told.marker and told.kind != "flag":
                self.findings.at(place(told, "marker"), "only a flag is read from a marker; leave out `kind`")
            if told.state and told.kind != "flag":
                self.findings.at(place(told, "state"), "only a flag puts a unit in a state; leave out `kind`")
            if told.kind == "number" and told.default is not None and not is_number(told.default):
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
        known(rules, "aboard", rules.aboard, self.pack.states, "state", self.findings)
        carrying = Asks("stacking", (), load=True)
        listed = (
            (rules.standing, Asks("stacking")),
            (rules.stacking, Asks("stacking", stack=True)),
            (rules.carry, carrying),
        )
        for demands, asks in listed:
            for demand in demands:
                self.formula(demand.when, asks, "flag")
                self.effect(demand, asks)
        for set_up in rules.set_up:
            self.formula(set_up.when, Asks("spans", unit=False), "flag")
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
            self.act(act)
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
            if formula is None:  # it couldn't be read, and that is told already
                self.all[name], self.closures[name] = NUMBER, frozenset()
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
                        what = (
                            "stands below, or needs this one in a circle"
                            if record.name in self.rules.lists
                            else "isn't there"
                        )
                        self.findings.at(
                            node_of(record.node), f"the list {record.name!r} {what}; a list names lists above it{above}"
                        )
                    length += lengths.get(record.name, 0)
                else:
                    length += 1
            if length > LONGEST_LIST:
                self.findings.at(
                    place(self.rules, "lists", name),
                    f"this list has {length} records in the end; {LONGEST_LIST} is the most",
                )
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

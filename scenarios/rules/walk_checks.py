"""Checks on the walks of the rules: moves, supply lines, retreats, entry."""

from __future__ import annotations

from dataclasses import replace

from scenarios.expressions import FLAG, NUMBER, ValueType
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import check_known, number, place
from scenarios.rules.record_checks import AllowedNames, RecordChecks, phase_ids
from scenarios.rules.shapes import Act, Retreat, Step, Trace, Use, Walk
from scenarios.rules.vocabulary import Section

MOST_MODES = 8
MOST_FURTHER = 9


class WalkChecks(RecordChecks):
    """The checks on walks."""

    def placing(self) -> None:
        """Check the placement of units that set up by area."""
        placing, asks = self.rules.auto_set_up, AllowedNames("supply")
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
            self.findings.add(place(placing, "spread"), f"{placing.spread} is too many; write 0 to 999")

    def entry(self) -> None:
        """Check how units enter the map."""
        entry, entry_names = self.rules.entry, {"on_map": FLAG}
        if entry is None:
            return
        for way in entry.ways.values():
            self.gates(
                way,
                "who",
                AllowedNames("movement", ("start",), groups_by=self.words.by_prefixes, extra_names=entry_names),
                allow=False,
            )
            self.formula(
                way.to,
                AllowedNames(
                    "movement",
                    ("to", "start"),
                    groups_by=self.words.by_prefixes,
                    extra_names={**entry_names, "gone": NUMBER},
                ),
                "flag",
            )
        for record in entry.closed:
            self.formula(
                record.when,
                AllowedNames(
                    "movement",
                    ("to", "start"),
                    groups_by=self.words.by_prefixes,
                    extra_names={**entry_names, "gone": NUMBER},
                ),
                "flag",
            )
        unit = AllowedNames("movement", (), groups_by=self.words.by_prefixes, extra_names=entry_names)
        for formula in entry.limits.values():
            self.formula(formula, unit, "number")
        self.notes(entry.notes, unit)
        if entry.lost is not None:
            self.formula(entry.lost.when, unit, "flag")

    def supply(self) -> None:
        supply = self.rules.supply
        if supply is None:
            return
        check_known(supply, "out", supply.out, self.pack.states, "state", self.findings)
        for record in supply.exempt:
            self.formula(record.when, AllowedNames("supply"), "flag")
        if supply.no_path is not None and supply.no_path.when is not None:
            self.findings.add(
                place(supply.no_path, "when"), "this is said whenever no trace could come; leave out `when`"
            )
        earlier: tuple[str, ...] = ()
        for name, trace in supply.traces.items():
            unit = AllowedNames("supply", groups_by=earlier)
            self.formula(trace.for_, unit, "flag")
            origin = trace.from_
            if origin is not None and origin.node is not None:
                self.formula(origin.places, unit, "flag")
                self.formula(origin.units, unit, "flag")
                self.formula(origin.serves, AllowedNames("supply", source=True, groups_by=earlier), "flag")
                if (origin.places is None) == (origin.units is None):
                    self.findings.add(origin.node, "a trace begins in `places` or with `units`; give one of them")
                if origin.serves is not None and origin.units is None:
                    self.findings.add(place(origin, "serves"), "only units serve; leave out `serves`, or say `units`")
            if not 0 <= trace.near <= 99:
                self.findings.add(place(trace, "near"), f"{trace.near} is too far; write 0 to 99")
            self.walk(
                trace,
                "supply",
                AllowedNames(
                    "supply", ("from", "to"), groups_over=True, source=bool(origin and origin.units), groups_by=earlier
                ),
            )
            earlier = (*earlier, name)

    def walk(self, walk: Walk, section: Section, asks: AllowedNames) -> None:
        """Check the keys that every walk has."""
        trace = isinstance(walk, Trace) or section == "command"
        source_names = self.words.by_prefixes if section not in ("supply", "command") else asks.groups_by
        begins = ("to",) if trace else ("start",)
        extra_names = {"result": NUMBER} if section in ("retreat", "advance") else {}
        unit = AllowedNames(section, begins, source=asks.source, groups_by=source_names, extra_names=extra_names)
        self.gates(walk, "who", unit, allow=False)
        self.fields(walk)
        amounts = AllowedNames(
            section, begins, source=asks.source, groups_by=source_names, extra_names={**extra_names, "amount": NUMBER}
        )
        for key in ("allowance", "length"):
            self.amounts(getattr(walk, key), amounts)
        if walk.allowance and walk.length:
            self.findings.add(place(walk, "length"), "a walk has an `allowance` or a `length`, not both; leave out one")
        if walk.allowance and section in ("movement", "retreat", "advance") and not self.has_price(walk.steps):
            self.findings.add(
                place(walk, "steps" if walk.steps else "allowance"),
                "no record gives a step a price, so its points buy nothing; add one with `cost`",
            )
        if len(walk.modes) > MOST_MODES:
            self.findings.add(place(walk, "modes"), f"a walk has at most {MOST_MODES} modes")
        modes = frozenset(walk.modes)
        step = {**extra_names, "first": FLAG, "farther": FLAG, "length": NUMBER, **({"last": FLAG} if trace else {})}
        steps = AllowedNames(section, asks.places, True, asks.source, source_names, step)
        for formula in walk.modes.values():
            self.formula(formula, steps, "flag")
        if walk.modes:
            step |= {"mode": ValueType("text", modes), "last_mode": ValueType("text", modes | {""})}
        self.steps(walk.steps, AllowedNames(section, asks.places, True, asks.source, source_names, step))
        ends = {**extra_names, "taken": NUMBER, "gone": NUMBER, "length": NUMBER}
        at_end = tuple(name for name in asks.places if name != "from")
        self.gates(
            walk,
            "ends",
            AllowedNames(section, at_end, source=asks.source, groups_by=source_names, extra_names=ends),
            allow=True,
        )
        if walk.minimum is not None:
            self.formula(walk.minimum.when, unit, "flag")
            if not 1 <= walk.minimum.hexes <= 9:
                self.findings.add(place(walk.minimum, "hexes"), "write 1 to 9")
        phases = {phase for sequence in self.pack.sequence.values() for phase in phase_ids(sequence.phases)}
        for i, phase in enumerate(walk.phases):
            check_known(walk, "phases", phase, phases, "phase", self.findings, i)

    def has_price(self, steps: tuple[Step | Use, ...]) -> bool:
        """Whether a record of these steps, or of a list in them, gives a price."""
        records = [record for record in self.rules.spread(steps) if not isinstance(record, Use)]
        return any(record.cost is not None or record.add is not None for record in records)

    def act(self, act: Act) -> None:
        """Check what a unit may do during a move."""
        asks = AllowedNames(
            "acts",
            ("from", "to", "start"),
            groups_over=True,
            load=bool(act.cargo),
            extra_names={"first": FLAG, "distance": NUMBER},
        )
        self.steps(act.steps, asks)
        if act.steps and not self.has_price(act.steps):
            self.findings.add(
                place(act, "steps"), "no record gives it a price, so it can't be done; add one with `cost`"
            )
        for demand in act.beside:
            self.formula(demand.when, asks, "flag")
            self.effect(demand, asks)
        moves = self.rules.movement
        for i, walk_id in enumerate(act.of):
            check_known(act, "of", walk_id, moves, "kind of move", self.findings, i)
        for i, state in enumerate(act.marks):
            check_known(act, "marks", state, self.pack.states, "state", self.findings, i)
        modes = {mode for walk in moves.values() for mode in walk.modes}
        for i, mode in enumerate(act.without):
            check_known(act, "without", mode, modes, "mode of a move", self.findings, i)
        for name, text in act.sets.items():
            pair = (place(act, "sets").entries or {}).get(name)
            rule_input = self.rules.inputs.get(name)
            if rule_input is None or rule_input.kind == "places":
                inputs = [input_name for input_name, shape in self.rules.inputs.items() if shape.kind != "places"]
                self.findings.add(
                    pair[0] if pair else place(act, "sets"),
                    f"there is no input {name!r} to set; {suggest(name, inputs)}",
                )
            elif rule_input.kind == "flag" and text not in ("true", "false"):
                self.findings.add(pair[1] if pair else place(act, "sets"), f"{name} is true or false, not {text!r}")
            elif rule_input.kind == "number" and not is_number(text):
                self.findings.add(pair[1] if pair else place(act, "sets"), f"{name} is a number, not {text!r}")
            elif rule_input.choices and text not in rule_input.choices:
                self.findings.add(
                    pair[1] if pair else place(act, "sets"),
                    f"{name} is never {text!r}; {suggest(text, rule_input.choices)}",
                )

    def fields(self, walk: Walk) -> None:
        """Check the overrides of fields for the moving unit."""
        for name, text in walk.as_.items():
            pair = (place(walk, "as").entries or {}).get(name)
            node = pair[1] if pair else place(walk, "as")
            kind = self.unit.get(name)
            if kind is None:
                self.findings.add(pair[0] if pair else node, f"no unit has a {name!r}; {suggest(name, self.unit)}")
            elif kind.base == "flag" and text not in ("true", "false"):
                self.findings.add(node, f"{name} is true or false, not {text!r}")
            elif kind.base == "number" and not is_number(text):
                self.findings.add(node, f"{name} is a number, not {text!r}")
            elif kind.choices is not None and text not in kind.choices:
                self.findings.add(node, f"{name} is never {text!r}; {suggest(text, kind.choices)}")

    def retreat(self, walk: Retreat) -> None:
        asks = AllowedNames(
            "retreat", ("to", "start"), groups_by=self.words.by_prefixes, extra_names={"result": NUMBER}
        )
        for record in walk.outcomes:
            self.formula(record.when, asks, "flag")
            self.effect(record, asks)
        for goal in walk.toward.values():
            self.formula(goal.when, replace(asks, places=("start",)), "flag")
            self.formula(goal.places, asks, "flag")
            if (goal.places is None) == (not goal.aims):
                self.findings.add(place(goal), "a goal has `places`, or `aims`; give one of them")
            for aim in goal.aims:
                self.formula(aim.when, replace(asks, places=("from", "start")), "flag")
                self.formula(aim.nearest, asks, "flag")
                self.formula(aim.any, asks, "flag")
                if (aim.nearest is None) == (aim.any is None):
                    self.findings.add(
                        place(aim), "an aim is the `nearest` of some places or `any` of them; give one of them"
                    )
        self.formula(walk.enemy_moves, replace(asks, places=("start",)), "flag")
        if walk.together and walk.room == "any":
            self.findings.add(
                place(walk, "together"), "where room doesn't matter there is none to share; leave out one of the two"
            )
        if not 0 <= walk.further <= MOST_FURTHER:
            self.findings.add(place(walk, "further"), f"write 0 to {MOST_FURTHER}")
        if not walk.length and not walk.allowance:
            self.findings.add(
                place(walk), "a retreat needs its `length`: a number, or `result` for what the battle says"
            )


def is_number(text: str) -> bool:
    """Whether a text is a number."""
    try:
        number(text)
    except ValueError:
        return False
    return True

"""Whether the walks of the rules hold together: moves, traces of supply, retreats, how units enter."""

from __future__ import annotations

from dataclasses import replace

from scenarios.expressions import FLAG, NUMBER, Kind
from scenarios.reading.findings import instead
from scenarios.reading.shapes import known, number, place
from scenarios.rules.record_checks import Asks, RecordChecks, phase_ids
from scenarios.rules.shapes import Act, Retreat, Step, Trace, Use, Walk
from scenarios.rules.words import Section

MOST_MODES = 8
MOST_FURTHER = 9


class WalkChecks(RecordChecks):
    """The checks on walks."""

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
            self.formula(
                way.to, Asks("movement", ("to", "start"), by=self.words.by, more={**known_, "gone": NUMBER}), "flag"
            )
        for record in entry.closed:
            self.formula(
                record.when,
                Asks("movement", ("to", "start"), by=self.words.by, more={**known_, "gone": NUMBER}),
                "flag",
            )
        unit = Asks("movement", (), by=self.words.by, more=known_)
        for formula in entry.limits.values():
            self.formula(formula, unit, "number")
        for note in (*entry.notes, *((entry.lost,) if entry.lost is not None else ())):
            self.formula(note.when, unit, "flag")

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
            self.walk(
                trace,
                "supply",
                Asks("supply", ("from", "to"), over=True, source=bool(origin and origin.units), by=earlier),
            )
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
        if walk.allowance and section in ("movement", "retreat", "advance") and not self.has_price(walk.steps):
            self.findings.at(
                place(walk, "steps" if walk.steps else "allowance"),
                "no record gives a step a price, so its points buy nothing; add one with `cost`",
            )
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
        phases = {phase for sequence in self.pack.sequence.values() for phase in phase_ids(sequence.phases)}
        for i, phase in enumerate(walk.phases):
            known(walk, "phases", phase, phases, "phase", self.findings, i)

    def has_price(self, steps: tuple[Step | Use, ...]) -> bool:
        """Whether a record of these steps, or of a list among them, gives a price."""
        records = [record for record in self.rules.spread(steps) if not isinstance(record, Use)]
        return any(record.cost is not None or record.add is not None for record in records)

    def act(self, act: Act) -> None:
        """What may be done on the way of a move."""
        asks = Asks(
            "acts", ("from", "to", "start"), over=True, load=bool(act.cargo), more={"first": FLAG, "distance": NUMBER}
        )
        self.steps(act.steps, asks)
        if act.steps and not self.has_price(act.steps):
            self.findings.at(
                place(act, "steps"), "no record gives it a price, so it can't be done; add one with `cost`"
            )
        for demand in act.beside:
            self.formula(demand.when, asks, "flag")
            self.effect(demand, asks)
        moves = self.rules.movement
        for i, walk_id in enumerate(act.of):
            known(act, "of", walk_id, moves, "kind of move", self.findings, i)
        for i, state in enumerate(act.marks):
            known(act, "marks", state, self.pack.states, "state", self.findings, i)
        modes = {mode for walk in moves.values() for mode in walk.modes}
        for i, mode in enumerate(act.without):
            known(act, "without", mode, modes, "mode of a move", self.findings, i)
        for name, text in act.sets.items():
            pair = (place(act, "sets").entries or {}).get(name)
            told = self.rules.inputs.get(name)
            if told is None or told.kind == "places":
                inputs = [one for one, shape in self.rules.inputs.items() if shape.kind != "places"]
                self.findings.at(
                    pair[0] if pair else place(act, "sets"),
                    f"there is no input {name!r} to set; {instead(name, inputs)}",
                )
            elif told.kind == "flag" and text not in ("true", "false"):
                self.findings.at(pair[1] if pair else place(act, "sets"), f"{name} is true or false, not {text!r}")
            elif told.kind == "number" and not is_number(text):
                self.findings.at(pair[1] if pair else place(act, "sets"), f"{name} is a number, not {text!r}")
            elif told.choices and text not in told.choices:
                self.findings.at(
                    pair[1] if pair else place(act, "sets"), f"{name} is never {text!r}; {instead(text, told.choices)}"
                )

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
            elif kind.base == "number" and not is_number(text):
                self.findings.at(node, f"{name} is a number, not {text!r}")
            elif kind.choices is not None and text not in kind.choices:
                self.findings.at(node, f"{name} is never {text!r}; {instead(text, kind.choices)}")

    def retreat(self, walk: Retreat) -> None:
        asks = Asks("retreat", ("to", "start"), by=self.words.by, more={"result": NUMBER})
        for record in walk.fate:
            self.formula(record.when, asks, "flag")
            self.effect(record, asks)
        for note in walk.notes:
            self.formula(note.when, replace(asks, places=("to",)), "flag")
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
                    self.findings.at(
                        place(aim), "an aim is the `nearest` of some places or `any` of them; give one of them"
                    )
        self.formula(walk.enemy_moves, replace(asks, places=("start",)), "flag")
        if walk.together and walk.room == "any":
            self.findings.at(
                place(walk, "together"), "where room doesn't matter there is none to share; leave out one of the two"
            )
        if not 0 <= walk.further <= MOST_FURTHER:
            self.findings.at(place(walk, "further"), f"write 0 to {MOST_FURTHER}")
        if not walk.length and not walk.allowance:
            self.findings.at(
                place(walk), "a retreat needs its `length`: a number, or `result` for what the battle says"
            )


def is_number(text: str) -> bool:
    """Whether a text is a number."""
    try:
        number(text)
    except ValueError:
        return False
    return True

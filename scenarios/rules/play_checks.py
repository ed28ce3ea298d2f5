"""Checks on the sight, battles, turns and victory of the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from scenarios.expressions import NUMBER, ValueType
from scenarios.reading.findings import Finding, suggest
from scenarios.reading.shapes import check_known, place
from scenarios.rules.procedure_names import GROUPS_IN_RESULTS, IN_RESULTS
from scenarios.rules.record_checks import (
    BATTLE,
    DICE_NAMES,
    IN_ATTACK,
    OF_ATTACK,
    OF_ENDS,
    OF_HEX,
    OF_SIDE,
    AllowedNames,
    RecordChecks,
    node_of,
    phase_ids,
)
from scenarios.rules.shapes import Need, ResultRule, TurnRule, Use

DICE_AND_MORE = re.compile(r"[1-9]?d[1-9]\d?([+-]\d{1,2})?")


class PlayChecks(RecordChecks):
    """The checks on sight, battles, turns and victory."""

    def sight(self) -> None:
        rules = self.rules.sight
        if rules is None:
            return
        if not any(board.grid is not None for board in self.pack.boards.values()):
            self.findings.add(
                place(self.rules, "sight"),
                "sight goes along straight lines, so it needs a board of hexes; add `boards`",
            )
        looks = dict.fromkeys(("viewer", "seen_as"), ValueType("text", frozenset(rules.observers)))
        for observer in rules.observers.values():
            self.formula(observer, AllowedNames("sight", ()), "flag")
        ends = AllowedNames(
            "sight", ("from", "to"), unit=False, extra_names={"distance": NUMBER, "amount": NUMBER, **looks}
        )
        self.amounts(rules.limit, ends)
        self.formula(rules.degrade_limit, ends, "number")
        for meeting in (rules.along, rules.corner):
            self.formula(
                meeting.needs if meeting is not None else None, AllowedNames("sight", (), unit=False), "number"
            )
        for records, asks in (
            (
                rules.ends,
                AllowedNames("sight", ("from", "to"), unit=False, extra_names={"distance": NUMBER, **OF_ENDS, **looks}),
            ),
            (
                rules.sides,
                AllowedNames(
                    "sight",
                    ("from", "to", "near", "far"),
                    groups_over=True,
                    unit=False,
                    extra_names={**OF_SIDE, **looks},
                ),
            ),
            (rules.hexes, AllowedNames("sight", ("from", "to", "hex"), unit=False, extra_names={**OF_HEX, **looks})),
        ):
            for record in records:
                self.formula(record.when, asks, "flag")
                self.effect(record, asks)
                if record.degrade is not None and rules.degrade_limit is None:
                    self.findings.add(
                        place(record, "degrade"),
                        "say under `degrade_limit` how much a line may get worse before it is blocked",
                    )
                if records is rules.ends and not record.block:
                    self.findings.add(place(record), "a record of `ends` blocks; write `block: true`")
                if records is rules.hexes and record.shield:
                    self.findings.add(place(record, "shield"), "hexsides shield; write it under `sides`")
        for demand in rules.spotting:
            asks = AllowedNames("sight", ("from", "to"), extra_names={"distance": NUMBER, **looks})
            self.formula(demand.when, asks, "flag")
            self.effect(demand, asks)

    # Battles, turns and victory.

    def attacking(self) -> None:
        rules = self.rules.attacking
        unit_asks = AllowedNames(
            "attacking", ("from", "to"), groups_over=True, groups_by=self.words.by_prefixes, extra_names=IN_ATTACK
        )
        for attack in self.pack.attacks.values():
            for shape in attack.all_inputs:
                self.formula(shape.by_rules, unit_asks, shape.kind)
        if rules is None:
            return
        attack_asks = AllowedNames(
            "attacking", groups_by=self.words.by_prefixes, extra_names=OF_ATTACK, unit=False, battle=True
        )
        for demands, asks in ((rules.may, unit_asks), (rules.together, attack_asks)):
            for demand in demands:
                self.formula(demand.when, asks, "flag")
                self.effect(demand, asks)
        for duty in rules.must:
            self.formula(duty.when, AllowedNames("attacking", groups_by=self.words.by_prefixes), "flag")
            self.effect(duty, AllowedNames("attacking"))
        for record in rules.all_or_none:
            self.formula(record.when, AllowedNames("attacking", groups_by=self.words.by_prefixes), "flag")
        for front in rules.fronts.values():
            self.formula(front.that, AllowedNames("attacking", groups_by=self.words.by_prefixes, unit=False), "flag")

    def results(self) -> None:
        effects = {
            key for table in self.pack.tables.values() for result in table.results.values() for key in result.effects
        }
        in_procedures = {**IN_RESULTS, **dict.fromkeys(GROUPS_IN_RESULTS, NUMBER)} if self.rules.procedures else {}
        asks = AllowedNames(
            "results",
            ("from", "to"),
            groups_over=True,
            groups_by=self.words.by_prefixes,
            extra_names={**BATTLE, "result": NUMBER, **in_procedures},
            battle=True,
        )
        for name, outcomes in self.rules.results.items():
            if name not in (*effects, "always"):
                pair = (place(self.rules, "results").entries or {}).get(name)
                node = pair[0] if pair else place(self.rules, "results")
                self.findings.add(
                    node, f"no result of a table has the effect {name!r}; {suggest(name, [*effects, 'always'])}"
                )
            for outcome in outcomes:
                change_asks = replace(asks, extra_names={**asks.extra_names, **DICE_NAMES}, whole_map=True)
                self.formula(outcome.when, change_asks if outcome.change else asks, "flag")
                self.effect(outcome, asks)
                self.change(outcome, change_asks)
                if bool(outcome.to) == bool(outcome.change):
                    problem = (
                        "a record with `change` is about no unit; leave out `to`"
                        if outcome.change
                        else "say `to` whom it happens: to: attackers or to: defenders"
                    )
                    self.findings.add(place(outcome), problem)
                if outcome.roll and not outcome.change:
                    self.findings.add(place(outcome, "roll"), "`roll` goes with `change`; leave it out")
                if outcome.roll not in ("", "result_text") and not DICE_AND_MORE.fullmatch(outcome.roll):
                    self.findings.add(
                        place(outcome, "roll"),
                        f"{outcome.roll!r} is no roll of dice; write one such as 1d6, or result_text",
                    )
                self.states(outcome)
                for effect, walks in (("retreat", self.rules.retreat), ("advance", self.rules.advance)):
                    if not getattr(outcome, effect):
                        continue
                    if not walks:
                        self.findings.add(
                            place(outcome, effect), f"the pack doesn't say how units {effect}; add `rules.{effect}`"
                        )
                    check_known(outcome, "kind", outcome.kind, walks, f"kind of {effect}", self.findings)
                self.formula(outcome.count, asks, "number")
                self.formula(outcome.instead, asks, "number")
                if outcome.instead is not None and outcome.retreat is None:
                    self.findings.add(place(outcome, "instead"), "`instead` goes with `retreat`; leave it out")
                if outcome.who != "each" and outcome.lose is None and outcome.instead is None:
                    self.findings.add(place(outcome, "who"), "`who` goes with `lose` and `instead`; leave it out")
                for key, base in (("by", "number"), ("first", "flag")):
                    self.formula(getattr(outcome, key), asks, base)  # type: ignore[arg-type]
                    if getattr(outcome, key) is not None and outcome.who == "each":
                        self.findings.add(
                            place(outcome, key), f"`{key}` goes with `who`, such as who: strongest; leave it out"
                        )
                self._in_procedures(outcome, asks)
                self.formula(outcome.hexes, asks, "number")
                if outcome.hexes is not None and not outcome.advance:
                    self.findings.add(place(outcome, "hexes"), "`hexes` goes with `advance`; leave it out")

    def _in_procedures(self, outcome: ResultRule, asks: AllowedNames) -> None:
        """The keys of a result that only procedures use."""
        for key, base in (("stand", "flag"), ("evade", "flag"), ("avoids", "number")):
            self.formula(getattr(outcome, key), asks, base)  # type: ignore[arg-type]
        for key, partner in (("stand", "instead"), ("evade", "lose"), ("avoids", "evade")):
            if getattr(outcome, key) and not getattr(outcome, partner):
                self.findings.add(place(outcome, key), f"`{key}` goes with `{partner}`; leave it out")

    def states(self, record: ResultRule | TurnRule) -> None:
        for key in ("set", "clear"):
            check_known(record, key, getattr(record, key), self.pack.states, "state", self.findings)

    def change(self, record: ResultRule | TurnRule, asks: AllowedNames) -> None:
        """Check the counters that a record changes, and the values that they take. A result may change counters of a
        procedure too."""
        counters = dict(self.rules.counters)
        if isinstance(record, ResultRule):
            for procedure in self.rules.procedures.values():
                counters |= procedure.counters
        for name, formula in record.change.items():
            if check_known(record, "change", name, counters, "counter", self.findings, name):
                self.formula(formula, asks, counters[name].kind)

    def turn(self) -> None:
        phases = {phase for sequence in self.pack.sequence.values() for phase in phase_ids(sequence.phases)}
        for record in self.rules.turn:
            of_units = bool(record.set or record.clear or record.lose or record.restore)
            turn_asks = AllowedNames("turn", (), groups_by=self.words.by_prefixes, unit=False)
            unit_asks = AllowedNames("turn", groups_by=self.words.by_prefixes) if of_units else turn_asks
            if record.each:
                unit_asks = AllowedNames("turn", (), groups_by=self.words.by_prefixes)
            self.change(record, replace(unit_asks, extra_names=DICE_NAMES if record.roll else {}))
            self.each(record, unit_asks)
            self.formula(record.when, unit_asks, "flag")
            self.effect(record, turn_asks if record.restore else unit_asks)
            self.formula(record.needs, replace(unit_asks, extra_names=DICE_NAMES), "flag")
            self.formula(record.column, turn_asks, None)
            self.states(record)
            if record.to_each != "one" and record.restore is None:
                self.findings.add(place(record, "to_each"), "`to_each` goes with `restore`; leave it out")
            for i, phase in enumerate(record.phases):
                check_known(record, "phases", phase, phases, "phase", self.findings, i)
            check_known(record, "side", record.side, self.pack.sides, "side", self.findings)
            check_known(record, "table", record.table, self.pack.tables, "table", self.findings)
            self.check_dice(record)

    def each(self, record: TurnRule, asks: AllowedNames) -> None:
        """Check a record that happens once for each marker that an input names."""
        markers = [name for name, rule_input in self.rules.inputs.items() if rule_input.kind == "markers"]
        check_known(record, "each", record.each, markers, "input of the kind markers", self.findings)
        if record.each and not record.change:
            self.findings.add(place(record, "each"), "`each` goes with `change`; leave it out")
        self.formula(record.use_up, asks, "flag")
        for key in ("who", "use_up"):
            if getattr(record, key) and not record.each:
                self.findings.add(place(record, key), f"`{key}` goes with `each`; name an input of the kind markers")
        for gate in record.who:
            if isinstance(gate, Use):
                self.findings.add(node_of(gate.node), f"{gate.name!r} can't stand here; write records")
                continue
            self.formula(gate.when, asks, "flag")
            self.effect(gate, asks)

    def check_dice(self, record: TurnRule) -> None:
        """Check dice, tables to roll on, and cups."""
        if bool(record.roll) != (record.needs is not None) and not (record.roll and record.change):
            self.findings.add(place(record), "`roll` and `needs` go together, as in roll: 1d6, needs: roll <= 4")
        if record.roll and not (record.set or record.clear or record.lose or record.end or record.change):
            self.findings.add(
                place(record, "roll"), "`roll` goes with `set`, `clear`, `lose`, `change` or `end`; leave it out"
            )
        for key, text in [("roll", record.roll)] * bool(record.roll) + [
            ("contest", text) for text in record.contest.values()
        ]:
            if not DICE_AND_MORE.fullmatch(text):
                self.findings.add(place(record, key), f"{text!r} is no roll of dice; write one such as 1d6 or 1d6+1")
        table = self.pack.tables.get(record.table)
        if table is not None and not table.dice:
            self.findings.add(place(record, "table"), f"the table {record.table!r} isn't rolled on; name one with dice")
        if table is not None and (record.column is None) != (len(table.columns.labels) == 1):
            need = "name the `column`" if record.column is None else "it has one column; leave out `column`"
            self.findings.add(
                place(record, "table"), f"the table {record.table!r} has {len(table.columns.labels)} columns; {need}"
            )
        for side in record.contest:
            check_known(record, "contest", side, self.pack.sides, "side", self.findings)
        if any(count < 1 for count in record.draw.values()):
            self.findings.add(
                place(record, "draw"), "a cup holds one or more of each chit; leave out chits that it doesn't hold"
            )

    def victory(self) -> None:
        rules = self.rules.victory
        if rules is None:
            return
        check_known(rules, "levels", rules.levels, self.pack.tables, "table", self.findings)
        check_known(rules, "of", rules.of, self.pack.sides, "side", self.findings)
        if rules.of and rules.lead == "ratio":
            self.findings.add(place(rules, "of"), "`of` goes with a difference of points; leave it out, or `lead`")
        known_players = self.pack.game.players if self.pack.game is not None else ()
        for key, player in rules.players.items():
            check_known(rules, "players", player, known_players, "player of the game", self.findings, key)
        if rules.nobody is not None and not rules.players:
            self.findings.add(place(rules, "nobody"), "`nobody` goes with `players`; leave it out")
        game_asks = AllowedNames("victory", (), groups_by=self.words.by_prefixes, unit=False)
        unit, loss_asks, place_asks = (
            AllowedNames("victory", groups_by=self.words.by_prefixes),
            AllowedNames("victory", ()),
            AllowedNames("victory", unit=False),
        )
        for record in rules.points:
            check_known(record, "side", record.side, self.pack.sides, "side", self.findings)
            counting_keys = [key for key in ("of", "lost", "places") if getattr(record, key) is not None]
            if len(counting_keys) > 1:
                self.findings.add(
                    place(record, counting_keys[1]),
                    f"points are for units, losses or places; leave out `{counting_keys[1]}`",
                )
            for key, asks in (("of", unit), ("lost", loss_asks), ("places", place_asks)):
                self.formula(getattr(record, key), asks, "flag")
            self.formula(record.when, game_asks, "flag")
            self.effect(
                record,
                {"of": unit, "lost": loss_asks, "places": place_asks}.get(next(iter(counting_keys), ""), game_asks),
            )
            self.needs(record.needs)

    def lines(self) -> None:
        """Check the scenario lines that have an expression as a condition."""
        for scenario in self.pack.scenarios.values():
            game_asks = AllowedNames("victory", (), groups_by=self.words.by_prefixes, unit=False)
            if scenario.turns is not None and scenario.turns.early_end is not None:
                self.formula(scenario.turns.early_end.when, game_asks, "flag")
            for line in scenario.victory:
                self.needs(line.needs)
                self.formula(line.times, game_asks, "number")
                self.formula(line.where, AllowedNames("victory", unit=False), "flag")
                self.formula(line.lost, AllowedNames("victory", ()), "flag")

    def needs(self, needs: tuple[Need, ...]) -> None:
        """Check the conditions for points or a win."""
        game_asks, place_asks = (
            AllowedNames("victory", (), groups_by=self.words.by_prefixes, unit=False),
            AllowedNames("victory", unit=False),
        )
        for need in needs:
            self.formula(need.when, game_asks, "flag")
            self.effect(need, game_asks if need.among is None else place_asks)
            self.formula(need.among, place_asks, "flag")
            self.formula(need.at_least, game_asks, "number")
            if need.amount is not None and (need.among is not None or need.at_least is None):
                self.findings.add(
                    place(need, "amount"), "an `amount` has to come to a number; give `at_least`, and no `among`"
                )
            elif need.at_least is not None and need.amount is None and need.among is None:
                self.findings.add(place(need, "at_least"), "`at_least` goes with `among` or `amount`; leave it out")


def effects_without_record(game: Any) -> Iterator[Finding]:
    """Report effects in an attack's table on defenders that no record carries out. They would do nothing."""
    results = game.rules.results if game.rules is not None else {}
    result_tables = {
        attack.table
        for attack in game.attacks.values()
        if attack.attackers and attack.defenders and not attack.per_defender
    }
    for name in sorted(result_tables & game.tables.keys()) if results else ():
        for code, outcome in game.tables[name].results.items():
            for effect in outcome.effects:
                if effect not in results:
                    pair = (place(outcome, "effects").entries or {}).get(effect)
                    node = pair[0] if pair else place(outcome)
                    yield node.find(
                        f"nothing carries out the effect {effect!r} of the result {code!r}; {suggest(effect, results)}, "
                        f"or add records under `rules.results.{effect}`",
                    )

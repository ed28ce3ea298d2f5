"""Checks on procedures: the names in their expressions, the effect of each stage, groups, counters, and that they can end."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from functools import cached_property

from scenarios.expressions import FLAG, NUMBER, TEXT, KnownNames, ValueType, names
from scenarios.model.attack_inputs import AttackInput, Formula, check_input, input_kind
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import Record, check_known, place
from scenarios.rules.counters import RuleCounter
from scenarios.rules.names import constant
from scenarios.rules.play_checks import DICE_AND_MORE, PlayChecks
from scenarios.rules.procedure_endings import EndingChecks, is_always_false
from scenarios.rules.procedure_names import counter_kind, policy_kind
from scenarios.rules.procedures import (
    MAX_GROUPS,
    MAX_STAGES,
    MAX_UNITS,
    STAGE_EFFECTS,
    Procedure,
    ProcedureGroup,
    Stage,
    effects_of,
    formulas_of,
)
from scenarios.rules.record_checks import IN_ATTACK, AllowedNames

NUMBER_TEXT = re.compile(r"-?\d+(\.\d+|/[1-9]\d*)?")
UNIT_EFFECTS = ("set", "clear", "lose", "eliminate", "send")
GOES_WITH: Mapping[str, tuple[str, ...]] = {
    "at": ("fire",), "by": ("fire",), "most": ("fire",), "simultaneous": ("fire",), "who": ("fire",), "among": ("fire",),
    "within": ("fire",), "with_": ("fire",), "column": ("table",), "roll": ("change", *UNIT_EFFECTS),
}  # fmt: skip
"""The keys that only stages with some effects have."""
STAGE_KEYS = frozenset(field.name.rstrip("_") for field in dataclasses.fields(Stage))
QUESTIONS = frozenset({
    "acts", "advance", "attacks", "carry", "command", "entry", "forecast", "los", "move", "roll", "retreat", "rules", "scenario",
    "score", "spans", "stack", "supply", "table", "turn",
})  # fmt: skip
"""The questions that every game answers. A procedure of such a name would take its place."""
RESERVED_GROUPS = frozenset({"first", "second", "own", "enemy", "own_support", "enemy_support", "stack", "units"})


class ProcedureChecks(PlayChecks):
    """The checks on procedures and counters."""

    def procedures(self) -> None:
        for name, counter in self.rules.counters.items():
            self._counter(name, counter, {}, {})
        for name, procedure in self.rules.procedures.items():
            _OneProcedure(self, name, procedure).check()

    def _counter(
        self,
        name: str,
        counter: RuleCounter,
        known: Mapping[str, ValueType],
        groups: Mapping[str, Mapping[str, ValueType]],
    ) -> None:
        if not name.isidentifier():
            self.findings.add(
                place(counter), f"{name!r} can't be used in an expression; write letters, digits and _ only"
            )
        if (counter.kind == "text") != bool(counter.choices):
            need = "add `choices`" if counter.kind == "text" else "add `kind: text`, or leave out `choices`"
            self.findings.add(
                place(counter, "choices"), f"a counter of the kind text has choices, and no other; {need}"
            )
        low, high = counter.at_least, counter.at_most
        if counter.kind != "number" and (low is not None or high is not None):
            self.findings.add(place(counter), "only a number has bounds; leave out `at_least` and `at_most`")
        if low is not None and high is not None and low > high:
            self.findings.add(
                place(counter, "at_most"), f"`at_most` is {high} and below `at_least`, {low}; exchange them"
            )
        if counter.start is not None:
            scope = KnownNames({**self._whole_question(), **known}, groups, self.tables, rules=True)
            counter.start.check(scope, counter.kind, self.findings)

    def _whole_question(self) -> dict[str, ValueType]:
        """The names that have one value for a whole question."""
        kept = {f"counter.{name}": counter_kind(counter) for name, counter in self.rules.counters.items()}
        return {**self.words.question, **kept}


class _OneProcedure:
    """The checks on one procedure."""

    def __init__(self, checks: ProcedureChecks, name: str, procedure: Procedure) -> None:
        self.checks, self.name, self.procedure = checks, name, procedure
        self.findings, self.pack = checks.findings, checks.pack
        terrain = checks.vocabulary.terrain
        self.counters = {**checks.rules.counters, **procedure.counters}
        inputs = {f"input.{key}": input_kind(shape, terrain) for key, shape in procedure.inputs.items()}
        own = {f"counter.{key}": counter_kind(shape) for key, shape in procedure.counters.items()}
        self.base: dict[str, ValueType] = {
            **checks._whole_question(),
            **inputs,
            **own,
            "goes_first": TEXT,
            "on_map": FLAG,
        }
        self.units: dict[str, dict[str, ValueType]] = {
            key: {**checks.unit, "stack_number": NUMBER, "in_group": TEXT} for key in procedure.groups
        }
        self.policies = {f"policy.{key}": policy_kind(shape) for key, shape in procedure.policies.items()}
        self.stages = procedure.all_stages
        self.written = (*procedure.stages, *procedure.rounds, *procedure.turns)

    def check(self) -> None:
        procedure = self.procedure
        if self.name in QUESTIONS:
            self._add(
                procedure, "", f"{self.name!r} is a question of every game; choose another name for the procedure"
            )
        if len(procedure.groups) > MAX_GROUPS:
            self._add(
                procedure,
                "groups",
                f"a procedure has {MAX_GROUPS} groups at most, and this has {len(procedure.groups)}",
            )
        if len(self.stages) > MAX_STAGES:
            self._add(
                procedure, "stages", f"a procedure has {MAX_STAGES} stages at most, and this has {len(self.stages)}"
            )
        check_known(procedure, "side", procedure.side, self.pack.sides, "side", self.findings)
        self._inputs()
        for key, group in procedure.groups.items():
            self._group(key, group)
        self._first()
        for key, formula in procedure.values.items():
            if formula is not None:
                self.base[key] = formula.check(self._scope(), None, self.findings) or NUMBER
        for key, counter in procedure.counters.items():
            self.checks._counter(key, counter, self.base, {**self.units, **self._boxes()})
            value = constant(counter.start) if counter.kind == "number" and counter.start is not None else None
            low, high = counter.at_least, counter.at_most
            if value is not None and ((low is not None and value < low) or (high is not None and value > high)):
                self._add(counter, "start", f"{value} is outside of its limits")
            if key in self.checks.rules.counters:
                self._add(counter, "", f"the game keeps a counter {key!r} already; choose another name")
        for requirement in procedure.requires:
            if requirement.to and requirement.to not in procedure.groups:
                self._add(
                    requirement, "to", f"{requirement.to!r} is no group; {suggest(requirement.to, procedure.groups)}"
                )
            else:
                self._formula(requirement.that, self._scope(unit=requirement.to), "flag")
        for demand in procedure.places:
            self.checks.formula(demand.that, AllowedNames("attacking", unit=False), "flag")
        self._policies()
        self._stages()
        self._endings()
        self._outcomes()

    @cached_property
    def _pieces(self) -> frozenset[str]:
        """The ids of all counters and markers; those of variants by nation too."""
        counters = self.pack.counters.items()
        variants = {f"{key}_{nation}" for key, counter in counters for nation in counter.variants}
        return frozenset({*self.pack.markers, *self.pack.counters, *variants})

    # Parts.

    def _boxes(self) -> dict[str, Mapping[str, ValueType]]:
        """The groups of pieces in boxes, as they are when the procedure begins."""
        return {name: fields for name, fields in self.checks.groups.items() if name.startswith("box.")}

    def _first(self) -> None:
        """`first` names groups that oppose each other, and stages may only use it where it is given."""
        procedure = self.procedure
        main = [key for key, group in procedure.groups.items() if not group.supports]
        if procedure.first is None:
            for stage in self.written:
                for key in ("of", "at", "draw"):
                    if getattr(stage, key) in ("first", "second") and len(main) > 1:
                        hint = f"add `first` to the procedure, or name a group: {', '.join(main)}"
                        self._add(stage, key, f"nothing says which group is {getattr(stage, key)!r}; {hint}")
            return
        kind = procedure.first.check(self._scope(), "text", self.findings)
        self.checks.lookups(procedure.first)
        for name in sorted(kind.choices or () if kind is not None else ()):
            if name not in procedure.groups:
                self._add(procedure, "first", f"there is no group {name!r}; {suggest(name, main)}")
            elif name not in main[:2]:
                self._add(
                    procedure, "first", f"{name!r} is none of the two groups that oppose each other; name one of them"
                )

    def _inputs(self) -> None:
        for key, shape in self.procedure.inputs.items():
            self._input(key, shape, False)
            if shape.largest is not None:
                groups = {} if shape.read else self._groups("")
                scope = KnownNames({**self.base, "it": TEXT}, groups, self.checks.tables, rules=True)
                self._formula(shape.largest, scope, "number")
                if not shape.choices:
                    self._add(shape, "largest", "`largest` picks one of the `choices`; add them")

    def _input(self, key: str, shape: AttackInput, of_unit: bool) -> None:
        places = {f"to.{name}": word.kind for name, word in self.checks.words.place.items()}
        places |= {"supplied": FLAG, "commanded": FLAG}
        places |= {f"by.{name}": FLAG for name in self.checks.words.by_prefixes}
        check_input(key, shape, self.checks.vocabulary, of_unit, self.findings, places)
        in_attack = AllowedNames(
            "attacking",
            ("from", "to"),
            groups_over=True,
            groups_by=self.checks.words.by_prefixes,
            extra_names=IN_ATTACK,
        )
        self.checks.formula(shape.by_rules, in_attack, shape.kind)

    def _group(self, key: str, group: ProcedureGroup) -> None:
        if key in RESERVED_GROUPS or key in self.checks.unit:
            self._add(group, "", f"{key!r} means something already; choose another name for the group")
        if group.supports and group.supports not in self.procedure.groups:
            self._add(
                group,
                "supports",
                f"there is no group {group.supports!r}; {suggest(group.supports, self.procedure.groups)}",
            )
        supported = self.procedure.groups.get(group.supports)
        if supported is not None and supported.supports:
            self._add(
                group, "supports", f"{group.supports!r} supports a group itself; name a group that opposes another"
            )
        most = min(group.at_most if group.at_most is not None else MAX_UNITS, MAX_UNITS)
        if most < 1:
            self._add(group, "at_most", "nobody could be in the group; write 1 or more")
        elif group.at_least > most:
            limit = f"`at_most` is {most}" if group.at_most is not None else f"a group has {MAX_UNITS} units at most"
            self._add(group, "at_least", f"{limit}, and `at_least` is {group.at_least}; make it smaller")
        for name, shape in group.inputs.items():
            self._input(name, shape, True)
            self.units[key][name] = input_kind(shape, self.checks.vocabulary.terrain)
        for name, formula in group.values.items():
            if formula is not None:
                self.units[key][name] = (
                    formula.check(self._scope(unit=key, groups=False), None, self.findings) or NUMBER
                )
        self._formula(group.worth, self._scope(unit=key, groups=False), "number")
        for formula in group.order:
            self._formula(formula, self._scope(unit=key, groups=False, extra={"due": NUMBER, **self.policies}), None)
        on_map = AllowedNames(
            "attacking",
            places=("to", "from"),
            groups_by=self.checks.words.by_prefixes,
            extra_names={"distance": NUMBER},
        )
        for state, formula in group.states.items():
            check_known(group, "states", state, self.pack.states, "state", self.findings, state)
            self.checks.formula(formula, on_map, "flag")
        for record in group.barred:
            self.checks.formula(record.when, on_map, "flag")
        if group.read is not None and group.read.from_ and (group.read.zone or group.read.with_ or group.supports):
            self._add(
                group.read, "from", "`from` goes with neither `zone` nor `with`, nor with a support; leave one out"
            )
        if group.read is not None and group.read.same:
            check_known(group.read, "same", group.read.same, self.checks.unit, "name of a unit", self.findings)
            if not group.supports:
                self._add(group.read, "same", "only the units of a support are compared with others; add `supports`")
        if group.read is not None:
            self.checks.formula(group.read.where, on_map, "flag")
            if group.read.where is not None and is_always_false(group.read.where):
                self._add(group.read, "where", "it never holds, so nobody is in the group; write who is")
            check_known(group.read, "zone", group.read.zone, self.checks.rules.zones, "zone", self.findings)
            check_known(group.read, "with", group.read.with_, self.procedure.groups, "group", self.findings)

    def _policies(self) -> None:
        for key, policy in self.procedure.policies.items():
            if (policy.kind == "choice") != bool(policy.choices):
                need = "add `choices`" if policy.kind == "choice" else "leave out `choices`, or `kind`"
                self._add(policy, "choices", f"a policy of the kind choice has choices, and no other; {need}")
            for group in policy.groups:
                check_known(policy, "groups", group, self.procedure.groups, "group", self.findings)
            if policy.kind == "choice" and policy.default is not None and policy.default not in policy.choices:
                self._add(
                    policy, "default", f"{policy.default!r} is no choice; {suggest(policy.default, policy.choices)}"
                )
            if policy.kind == "number" and policy.default is not None and not NUMBER_TEXT.fullmatch(policy.default):
                self._add(policy, "default", f"{policy.default!r} is no number; write one such as 0 or 1/2")
            if policy.kind == "flag" and policy.default not in (None, "true", "false"):
                self._add(policy, "default", f"{policy.default!r} is neither true nor false")
            for choice in policy.choices.values():
                if choice.order and key not in ("losses", "leaving"):
                    self._add(
                        choice, "order", "only the policies `losses` and `leaving` put units in order; leave it out"
                    )
                for formula in choice.order:
                    self._formula(formula, self._any_unit({"due": NUMBER}), None)
        for formula in self.procedure.losses.enemy_order if self.procedure.losses is not None else ():
            self._formula(formula, self._any_unit({"due": NUMBER}), None)

    # Stages.

    def _stages(self) -> None:
        ids: dict[str, Stage] = {}
        for stage in self.written:
            if stage.id and stage.id in ids:
                self._add(stage, "id", f"another stage is called {stage.id!r}; choose another id")
            ids.setdefault(stage.id, stage)
        for stage, full in zip(self.written, self.stages, strict=True):
            if stage.like and stage.like not in ids:
                known = [key for key in ids if key]
                hint = suggest(stage.like, known) if known else "give the stage an `id`"
                self._add(stage, "like", f"no stage is called {stage.like!r}; {hint}")
                continue
            if stage.like and ids[stage.like].like:
                self._add(
                    stage, "like", f"the stage {stage.like!r} is itself like another; name a stage that has no `like`"
                )
                continue
            self._stage(stage, full)

    def _stage(self, stage: Stage, full: Stage) -> None:
        effects = effects_of(full)
        if not effects and stage.node is not None and set(stage.node.entries or {}) - STAGE_KEYS:
            return  # an unknown key is found already, and it may be the effect
        if len(effects) != 1:
            listed = ", ".join(STAGE_EFFECTS[:-1]) + f" or {STAGE_EFFECTS[-1]}"
            self._add(stage, "", f"a stage has one effect: {listed}; give one of them")
            return
        effect = effects[0]
        if not full.text:
            self._add(stage, "", "say in `text` what happens, in a few words")
        for key, fitting in GOES_WITH.items():
            given = getattr(full, key) not in (None, "", {}, "each")
            if given and effect not in fitting and not (key == "column" and full.table):
                name = key.rstrip("_")
                self._add(stage, name, f"`{name}` goes with {' or '.join(f'`{one}`' for one in fitting)}; leave it out")
        if bool(full.needs) and not full.roll:
            self._add(stage, "needs", "`needs` is about a roll; add `roll`, as in roll: 1d6")
        if full.roll and not DICE_AND_MORE.fullmatch(full.roll):
            self._add(stage, "roll", f"{full.roll!r} is no roll of dice; write one such as 1d6 or 1d6+1")
        if not full.of and (effect in (*UNIT_EFFECTS, "leave")):
            self._add(stage, "", f"`{effect}` is about a group; add `of`")
        self._group_names(stage, full)
        self._targets(stage, full)
        asked = frozenset[str]().union(*(names(formula.expression) for formula in formulas_of(full)))
        about_group = sorted(
            name
            for name in asked
            if name in ("own", "enemy", "own_support", "enemy_support") or name.startswith("policy.")
        )
        if about_group and not full.of and not full.draw:
            self._add(stage, "", f"`{about_group[0]}` is about the group `of` the stage; add `of`")
            return
        self._stage_formulas(full, effect)

    def _group_names(self, stage: Stage, full: Stage) -> None:
        known = [*self.procedure.groups, *(("first", "second") if len(self.procedure.groups) > 1 else ())]
        for key in ("of", "at", "draw"):
            name = getattr(full, key)
            if name and name not in known:
                self._add(
                    stage, key, f"there is no group {name!r}; {suggest(name, known) if known else 'add it to `groups`'}"
                )
        if full.fire and not full.of and not full.with_ and self._attack_needs_units(full):
            self._add(stage, "fire", "nobody fires; add `of`, the group whose units do")

    def _attack_needs_units(self, full: Stage) -> bool:
        attack = self.pack.attacks.get(full.fire)
        group = attack.groups.get(attack.attackers) if attack is not None else None
        return group is not None and group.at_least > 0

    def _targets(self, stage: Stage, full: Stage) -> None:
        check_known(stage, "fire", full.fire, self.pack.attacks, "attack", self.findings)
        check_known(stage, "table", full.table, self.pack.tables, "table", self.findings)
        for key in ("set", "clear"):
            check_known(stage, key, getattr(full, key), self.pack.states, "state", self.findings)
        for name in full.change:
            if name not in self.counters:
                hint = suggest(name, self.counters) if self.counters else "add it to `counters`"
                self._add(stage, "change", f"there is no counter {name!r}; {hint}")
        attack = self.pack.attacks.get(full.fire)
        if attack is not None:
            for name in stage.with_:
                if name not in attack.inputs:
                    self._add(
                        stage, "with", f"{full.fire} asks nothing called {name!r}; {suggest(name, attack.inputs)}"
                    )
            if attack.per_defender:
                self._add(
                    stage,
                    "fire",
                    "an attack with a result for each defender can't be fired in a procedure; name another",
                )
            if full.by == "volleys" and full.most is None:
                self._add(stage, "by", "say in `most` how much strength fires at once")
        table = self.pack.tables.get(full.table)
        if table is not None and not full.draw and not table.dice:
            self._add(stage, "table", f"the table {full.table!r} isn't rolled on; name one with dice")
        if table is not None and not full.draw and (full.column is None) != (len(table.columns.labels) == 1):
            need = "name the `column`" if full.column is None else "it has one column; leave out `column`"
            self._add(stage, "table", f"the table {full.table!r} has {len(table.columns.labels)} columns; {need}")
        if table is not None and full.draw and not self._pieces & table.results.keys():
            hint = "its `results` are the ids of the units or markers that are drawn"
            self._add(stage, "table", f"no piece has a result on the table {full.table!r}; {hint}")
        boxes = {box for field in self.pack.maps.values() for box in field.boxes}
        if boxes:
            check_known(stage, "send", full.send, boxes, "box", self.findings)
        self._unhandled(stage, full)

    def _unhandled(self, stage: Stage, full: Stage) -> None:
        """An effect of a table that no record of `results` carries out would do nothing."""
        attack = self.pack.attacks.get(full.fire)
        table = self.pack.tables.get(attack.table if attack is not None else full.table)
        if table is None or stage.like:
            return
        effects = {effect for result in table.results.values() for effect in result.effects}
        missing = sorted(effects - self.checks.rules.results.keys())
        if missing and "always" not in self.checks.rules.results:
            listed = ", ".join(missing)
            effect = "the effect" if len(missing) == 1 else "the effects"
            key = "fire" if full.fire else "table"
            self._add(
                stage, key, f"nothing carries out {effect} {listed} of this table; add records for it to `results`"
            )

    def _stage_formulas(self, full: Stage, effect: str) -> None:
        group = full.of
        of_unit = bool(group) and (effect in UNIT_EFFECTS or effect == "change")
        whole, each = self._scope(about=group), self._scope(about=group, unit=group)
        self._formula(full.when, each if of_unit else whole, "flag")
        for formula in (full.simultaneous,):
            self._formula(formula, whole, "flag")
        self._formula(full.column, whole, None)
        rolled = {"roll": NUMBER} if full.roll or full.needs is not None else {}
        self._formula(full.needs, self._scope(about=group, unit=group if of_unit else "", extra=rolled), "flag")
        self._formula(full.lose, each, "number")
        for name, formula in full.change.items():
            scope = self._scope(about=group, unit=group if of_unit else "", extra=rolled)
            self._changed_value(full, name, formula, scope)
        self._formula(full.who, each, "flag")
        self._formula(full.most, each, "number")
        self._formula(full.among, self._scope(about=full.at, unit=full.at, groups=False), "flag")
        attack = self.pack.attacks.get(full.fire)
        for name, formula in full.with_.items():
            shape = attack.inputs.get(name) if attack is not None else None
            self._formula(formula, each, shape.kind if shape is not None else None)
        if full.within is not None:
            for formula in full.within.first:
                self._formula(formula, each, None)
            stack = KnownNames(
                {**self.base, "side": self.checks.unit["side"], "nation": self.checks.unit["nation"]},
                {"stack": self._fields(group)},
                self.checks.tables,
                rules=True,
            )
            self._formula(full.within.that, stack, "flag")

    def _changed_value(self, stage: Stage, name: str, formula: Formula | None, scope: KnownNames) -> None:
        """The new value of a counter is of its kind, and one of its choices."""
        if formula is None:
            return
        wanted = counter_kind(self.counters[name]) if name in self.counters else None
        given = formula.check(scope, wanted.base if wanted is not None else None, self.findings)
        self.checks.lookups(formula)
        if wanted is not None and given is not None and wanted.choices and given.choices:
            for choice in sorted(given.choices - wanted.choices):
                self._add(stage, "change", f"{choice!r} is no choice of {name!r}; {suggest(choice, wanted.choices)}")

    # Ends and outcomes.

    def _endings(self) -> None:
        """A procedure whose rounds no stage ends, or whose counters have no bounds, would go on for ever."""
        tables_of_attacks = {key: attack.table for key, attack in self.pack.attacks.items()}
        checks = EndingChecks(
            self.procedure, self.counters, self.pack.tables, self.checks.rules.results, tables_of_attacks
        )
        for mistake in checks.mistakes():
            self._add(*mistake)

    def _outcomes(self) -> None:
        procedure = self.procedure
        sums = {f"{word}.{key}": NUMBER for word in ("gone", "away") for key in procedure.groups}
        ends = frozenset(stage.end for stage in self.stages if stage.end)
        scope = self._scope(extra={"ended": ValueType("text", ends or None), **sums})
        for outcome in procedure.outcomes:
            self._formula(outcome.when, scope, "flag")
        if procedure.outcomes and procedure.outcomes[-1].when is not None:
            self._add(
                procedure.outcomes[-1], "when", "the last outcome counts where no other does; leave out its `when`"
            )
        words = {name for outcome in procedure.outcomes for name in outcome.is_}
        known = [*words, *self.counters, *sums]
        for i, name in enumerate(procedure.together):
            if name not in known:
                check_known(procedure, "together", name, known, "outcome or counter", self.findings, i)
        for note in procedure.notes:
            check_known(note, "each", note.each, procedure.groups, "group", self.findings)
            note_scope = self._scope(unit=note.each if note.each in procedure.groups else "")
            self._formula(note.when, note_scope, "flag")
            self._formula(note.amount, note_scope, "number")
        for name, formula in procedure.scores.items():
            check_known(
                procedure, "scores", name, self.checks.rules.counters, "counter of the game", self.findings, name
            )
            self._formula(formula, self._scope(extra=sums), "number")
            counter = self.checks.rules.counters.get(name)
            if counter is not None and counter.kind != "number":
                self._add(procedure, "scores", f"the counter {name!r} is a {counter.kind}; scores are numbers")
        of_units = {
            f"{key}_{name}": shape for key, group in procedure.groups.items() for name, shape in group.inputs.items()
        }
        for change in procedure.what_if:
            self._formula(change.when, self._scope(), "flag")
            for group, formula in change.add.items():
                check_known(change, "add", group, procedure.groups, "group", self.findings, group)
                kind = formula.check(self._scope(), "text", self.findings) if formula is not None else None
                for piece in sorted(kind.choices or () if kind is not None else ()):
                    if piece not in self._pieces:
                        self._add(change, "add", f"there is no counter {piece!r}; {suggest(piece, self._pieces)}")
            for key, formula in change.inputs.items():
                check_known(change, "inputs", key, {**procedure.inputs, **of_units}, "input", self.findings, key)
                self._formula(formula, self._scope(), None)
            for attribute in ("set", "clear"):
                for group, state in getattr(change, attribute).items():
                    check_known(change, attribute, group, procedure.groups, "group", self.findings, group)
                    check_known(change, attribute, state, self.pack.states, "state", self.findings, group)

    # Scopes.

    def _fields(self, group: str) -> dict[str, ValueType]:
        """The fields of a group's units; of `first` and `second`, those that any group has."""
        if group in self.units:
            return self.units[group]
        merged: dict[str, ValueType] = dict(self.checks.unit)
        for fields in self.units.values():
            merged |= {name: kind for name, kind in fields.items() if name not in merged}
        return merged

    def _groups(self, about: str) -> dict[str, Mapping[str, ValueType]]:
        groups: dict[str, Mapping[str, ValueType]] = dict(self.units)
        if len(self.units) > 1:
            groups |= {name: self._fields("") for name in ("first", "second")}
        if about:
            groups |= {name: self._fields("") for name in ("own", "enemy", "own_support", "enemy_support")}
        return groups

    def _scope(
        self, about: str = "", unit: str = "", groups: bool = True, extra: Mapping[str, ValueType] | None = None
    ) -> KnownNames:
        known = {**self.base, **(extra or {})}
        if about:
            known |= {**self.policies, "in_group": TEXT}
        if unit:
            fields = self._fields(unit)
            known |= {**fields, **{f"unit.{name}": kind for name, kind in fields.items()}}
        return KnownNames(known, self._groups(about) if groups else {}, self.checks.tables, rules=True)

    def _any_unit(self, extra: Mapping[str, ValueType]) -> KnownNames:
        return KnownNames(
            {**self.base, **self.policies, **self._fields(""), **extra}, {}, self.checks.tables, rules=True
        )

    def _formula(self, formula: Formula | None, scope: KnownNames, base: str | None) -> None:
        if formula is not None:
            formula.check(scope, base, self.findings)  # type: ignore[arg-type]
            self.checks.lookups(formula)

    def _add(self, record: Record, key: str, message: str) -> None:
        self.findings.add(place(record, key) if key else place(record), message)

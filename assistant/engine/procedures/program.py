"""A procedure made ready for one case: its groups, its counters, its stages in order, and the names that expressions use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assistant.engine.battle.results import ALWAYS
from assistant.engine.procedures.case import Case, evaluate, holds, uses
from assistant.engine.procedures.effects import (
    Counters,
    Effects,
    bounded,
    counter_shape,
    counters_in,
    formulas_of_result,
    named,
)
from assistant.engine.procedures.groups import Group
from assistant.engine.procedures.retreats import WalkedRetreats
from assistant.engine.procedures.sharing import shared_group
from assistant.questions.answer import BadQuestion, Refusal
from scenarios.expressions import Binary, Name, unparse
from scenarios.model.attack_inputs import AttackInput, Formula
from scenarios.rules.names import constant
from scenarios.rules.procedures import MAX_UNITS, Stage, effects_of, formulas_of

QUESTION_NAMES = frozenset({"year", "phase", "level", "exited"})
QUESTION_PREFIXES = frozenset({"ruling", "effect", "effect_value", "control", "input"})
UNIT_EFFECTS = ("set", "clear", "lose", "eliminate", "send")


@dataclass(frozen=True)
class Step:
    """A stage in its turn. `turn_ends` is true for the last stage of a turn of a forecast."""

    stage: Stage
    turn: int
    index: int


class _ReadValues(dict[str, Any]):
    """The values of an expression, with the boxes that were looked into."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self.boxes: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        """Return a value, and remember the box that it is about."""
        if name.startswith("box."):
            self.boxes.add(name.removeprefix("box."))
        return super().get(name, default)


class ProcedureProgram:
    """A procedure with everything that a question says of it."""

    def __init__(self, case: Case, like: ProcedureProgram | None = None) -> None:
        """`like` is another that differs little: groups that are the same are taken over with all that is known of them."""
        self.case = case
        self.procedure = procedure = case.procedure
        self.lookup = case.program.lookup
        self.results = case.program.rules.results
        self.stages = procedure.all_stages
        self.boxes_read: set[str] = set()
        """The boxes whose pieces decide how counters start."""
        self.base: dict[str, Any] = self._base()
        for name, shape in procedure.groups.items():
            count = len(case.groups.get(name, ()))
            if count > MAX_UNITS:
                raise Refusal(f"{shape.title}: {MAX_UNITS} units at most, and the question names {count}")
        self.groups: dict[str, Group] = {}
        for name in procedure.groups:
            shared = shared_group(like.groups[name], case, self.base) if like is not None else None
            self.groups[name] = shared or Group(case, name, self._changed_states, self.base)
        self.names = list(self.groups)
        self.index = {name: i for i, name in enumerate(self.names)}
        starting = {name: group.units(group.start) for name, group in self.groups.items()}
        self.largest_values: dict[str, list[Any]] = {}
        """Of each input with a largest choice, what its expression comes to for those choices where it is above 0."""
        for name, asked in procedure.inputs.items():
            if name not in case.inputs and asked.largest is not None and not asked.read:
                self.base[f"input.{name}"] = self._largest(name, asked, starting)
        kept = named(self._starting_counters(case.program.rules.counters, {}))
        for name, formula in procedure.values.items():
            if formula is not None:
                self.base[name] = evaluate(formula, {**kept, **self.base, **starting}, self.lookup)
        main = [name for name in self.names if not procedure.groups[name].supports]
        first = ""
        if procedure.first is not None:
            first = str(evaluate(procedure.first, {**kept, **self.base, **starting}, self.lookup))
            if first not in self.groups:
                raise BadQuestion(f"{procedure.title}: {first!r} goes first, but no group is called so")
        elif main:
            first = main[0]
        second = next((name for name in main if name != first), "")
        self.opponents = {a: b for a, b in ((first, second), (second, first)) if a}
        self.aliases = {"first": first, "second": second} if first else {}
        self.base["goes_first"] = first
        self.supports = {shape.supports: name for name, shape in procedure.groups.items() if shape.supports}
        self._effects: dict[str, Effects] = {}
        self._walked: dict[tuple[str, str], WalkedRetreats] = {}
        self.counters = self._counters(starting)
        self.tallies = [name for name in self.counters if self._is_tally(name)]
        self._group_names: dict[str, dict[str, str]] = {}
        self._held: dict[Any, bool] = {}
        self._asked: dict[Any, tuple[list[int], list[str]]] = {}

    # Names.

    def _base(self) -> dict[str, Any]:
        """The names that have one value for the whole procedure."""
        case, own = self.case, {f"input.{key}" for key in self.procedure.inputs}
        base: dict[str, Any] = {"turn": case.turn, "on_map": case.place is not None}
        for name in (self._names_used | self._names_around) - own:
            prefix, dot, _ = name.partition(".")
            if name in QUESTION_NAMES or (dot and prefix in QUESTION_PREFIXES):
                base[name] = case.value(name)
            elif prefix == "box":
                base[name] = case.field.box_pieces(name[4:]) if case.field is not None else []
        base |= {f"input.{key}": shape.usual for key, shape in self.procedure.inputs.items()}
        return base | {f"input.{key}": value for key, value in case.inputs.items()}

    def _largest(self, name: str, shape: AttackInput, starting: Mapping[str, Any]) -> str:
        """Of the choices of an input, the first for which its expression is largest."""
        assert shape.largest is not None
        formula, values = shape.largest, {**self.base, **starting}
        worth = {choice: evaluate(formula, {**values, "it": choice}, self.lookup) for choice in shape.choices}
        self.largest_values[name] = [value for value in worth.values() if value]
        return max(shape.choices, key=lambda choice: worth[choice])

    @cached_property
    def _names_used(self) -> frozenset[str]:
        procedure = self.procedure
        formulas: list[Formula | None] = [formula for stage in self.stages for formula in formulas_of(stage)]
        formulas += [procedure.first, *procedure.values.values(), *(outcome.when for outcome in procedure.outcomes)]
        for group in procedure.groups.values():
            formulas += [group.worth, *group.order, *group.values.values()]
        for policy in procedure.policies.values():
            formulas += [formula for choice in policy.choices.values() for formula in choice.order]
        for counter in procedure.counters.values():
            formulas.append(counter.start)
        if procedure.losses is not None:
            formulas += procedure.losses.enemy_order
        return frozenset[str]().union(*(uses(formula) for formula in formulas), self.names_in_results)

    @cached_property
    def _names_around(self) -> frozenset[str]:
        """The names that are asked for only before it begins or after it is over."""
        procedure = self.procedure
        formulas = [*procedure.scores.values(), *(change.when for change in procedure.what_if)]
        formulas += [requirement.that for requirement in procedure.requires]
        formulas += [formula for note in procedure.notes for formula in (note.when, note.amount)]
        return frozenset[str]().union(*(uses(formula) for formula in formulas))

    @cached_property
    def names_in_results(self) -> frozenset[str]:
        """The names that results of the procedure's tables ask for."""
        formulas = [
            f for effect in self._effect_names for r in self.results.get(effect, ()) for f in formulas_of_result(r)
        ]
        return frozenset[str]().union(*(uses(formula) for formula in formulas))

    @cached_property
    def _effect_names(self) -> frozenset[str]:
        """The effects that its tables can have."""
        game = self.case.game
        tables = {game.attacks[stage.fire].table for stage in self.stages if stage.fire}
        tables |= {stage.table for stage in self.stages if stage.table}
        results = [result for table in tables for result in game.tables[table].results.values()]
        return frozenset({ALWAYS} if tables else ()).union(*(result.effects for result in results))

    @cached_property
    def _changed_states(self) -> tuple[str, ...]:
        """The states that stages and results can change."""
        changed = {state for stage in self.stages for state in (stage.set, stage.clear) if state}
        for name in self._effect_names & self.results.keys():
            changed |= {state for record in self.results[name] for state in (record.set, record.clear) if state}
        return tuple(state for state in self.case.game.states if state in changed)

    def group_of(self, name: str) -> str:
        """The name of the group that a stage means: `first` and `second` are who goes first and its enemy."""
        return self.aliases.get(name, name)

    def names_of_groups(self, group: str) -> dict[str, str]:
        """The names of groups in an expression about one of them."""
        if group not in self._group_names:
            names = {name: name for name in self.names} | self.aliases
            enemy = self.opponents.get(group, "")
            if group:
                names |= {"own": group, "enemy": enemy}
                names |= {"own_support": self.supports.get(group, ""), "enemy_support": self.supports.get(enemy, "")}
            self._group_names[group] = {key: name for key, name in names.items() if name}
        return self._group_names[group]

    def scope(self, nums: Sequence[int], group: str, asked: Iterable[str]) -> dict[str, Any]:
        """The values that an expression about a group sees, but for counters."""
        values: dict[str, Any] = {**self.base, "in_group": group}
        known = self.names_of_groups(group)
        for name in asked:
            if name in known:
                values[name] = self.groups[known[name]].units(nums[self.index[known[name]]])
            elif name in ("own_support", "enemy_support", "own", "enemy"):
                values[name] = []
        if group in self.groups:
            values |= self.groups[group].policy
        return values

    def holds(
        self, formula: Formula | None, nums: Sequence[int], counters: Mapping[str, Any], group: str, turn: int
    ) -> bool:
        """Whether a condition about a group as a whole holds. Answers are kept by what the condition looks at."""
        if formula is None:
            return True
        key = formula.text, group
        if key not in self._asked:
            asked, known = uses(formula), self.names_of_groups(group)
            places = sorted({self.index[known[name]] for name in asked if name in known})
            self._asked[key] = places, sorted(name[8:] for name in asked if name.startswith("counter."))
        places, asked_counters = self._asked[key]
        state = key, turn, tuple([nums[i] for i in places]), tuple([counters[name] for name in asked_counters])
        if state not in self._held:
            values = self.scope(nums, group, uses(formula))
            values |= {f"counter.{name}": counters[name] for name in asked_counters}
            values["turn"] = turn
            self._held[state] = holds(formula, values, self.lookup)
        return self._held[state]

    # Counters.

    def _counters(self, starting: Mapping[str, Any]) -> Counters:
        """The counters that matter, as they start."""
        rules = self.case.program.rules
        asked = {name[8:] for name in self._names_used if name.startswith("counter.")}
        asked |= self.changing_counters
        return self._starting_counters(
            (*self.procedure.counters, *(key for key in rules.counters if key in asked)),
            {**named(self._starting_counters(rules.counters, {})), **starting},
        )

    def _starting_counters(self, names: Iterable[str], starting: Mapping[str, Any]) -> Counters:
        counters: Counters = {}
        for name in names:
            shape = counter_shape(self.case, name)
            if name in self.case.counters:
                counters[name] = bounded(shape, self.case.counters[name])
            elif shape.start is not None:
                values = _ReadValues({**self.base, **starting})
                counters[name] = bounded(shape, evaluate(shape.start, values, self.lookup))
                self.boxes_read |= values.boxes
            else:
                usual: Any = False if shape.kind == "flag" else 0
                counters[name] = shape.choices[0] if shape.kind == "text" and shape.choices else usual
        return counters

    @cached_property
    def changing_counters(self) -> frozenset[str]:
        """The counters that a stage or a result of the procedure can change."""
        changed = {key for stage in self.stages for key in stage.change}
        rolling = [stage for stage in self.stages if stage.fire or stage.table]
        return frozenset(changed.union(*(self.effects_of_stage(stage).changed for stage in rolling)))

    @property
    def starting_values(self) -> dict[str, Any]:
        """The values that an expression about the whole procedure sees as it begins."""
        units = {name: group.units(group.start) for name, group in self.groups.items()}
        return {**self.base, **units, **named({**self.case.counters_of_game, **self.counters})}

    def _is_tally(self, name: str) -> bool:
        """Whether a counter only ever grows by a fixed amount in stages, and nothing asks for it before the end."""
        own, asked_name = f"counter.{name}", f"counter.{name}"
        if counter_shape(self.case, name).kind != "number" or self.case.turn_count:
            return False
        changes = [
            stage.change[name] for stage in self.stages if name in stage.change and not stage.of and not stage.roll
        ]
        if not changes or any(name in stage.change and (stage.of or stage.roll) for stage in self.stages):
            return False
        if any(name in self.effects_of_stage(stage).changed for stage in self.stages if stage.fire or stage.table):
            return False
        if any(added_constant(formula, own) is None for formula in changes if formula is not None):
            return False
        texts = [f for stage in self.stages for f in formulas_of(stage) if f not in changes]
        texts += [outcome.when for outcome in self.procedure.outcomes if outcome.when is not None]
        texts += [r.when for records in self.results.values() for r in records if r.when is not None]
        return not any(asked_name in uses(formula) for formula in texts)

    # Stages.

    def effects_of(self, attack: str, table: str = "") -> Effects:
        """What the results of an attack, or of a table, do."""
        key = attack or f" {table}"
        if key not in self._effects:
            game = self.case.game
            effects = Effects(self.case, game.tables[table or game.attacks[attack].table], attack)
            effects.base = self.base
            self._effects[key] = effects
        return self._effects[key]

    def effects_of_stage(self, stage: Stage) -> Effects:
        """What the results of a stage that rolls on a table do."""
        return self.effects_of(stage.fire, "" if stage.fire else stage.table)

    def walked(self, of: str, at: str) -> WalkedRetreats | None:
        """The retreats of a group from another that fires at it, if they are walked on the map."""
        case = self.case
        if case.place is None or case.field is None or not case.program.rules.retreat:
            return None
        if (of, at) not in self._walked:
            self._walked[of, at] = WalkedRetreats(case, self.groups[at], self.groups[of])
        return self._walked[of, at] if self._walked[of, at].walkers else None

    @cached_property
    def firer_names(self) -> tuple[str, ...]:
        """The names of the firing unit that records for counters ask for."""
        asked = {
            name[5:]
            for records in self.results.values()
            for record in records
            for formula in (record.when, *record.change.values())
            for name in uses(formula)
            if record.change and name.startswith("unit.")
        }
        return tuple(sorted(asked))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The stages in order, those of a forecast once for each turn."""
        procedure, case = self.procedure, self.case
        once = len(procedure.stages) + len(procedure.rounds)
        steps = [Step(stage, case.turn, i) for i, stage in enumerate(self.stages[:once])]
        for turn in range(case.turn, case.turn + case.turn_count):
            steps += [Step(stage, turn, i) for i, stage in enumerate(self.stages[once:], start=once)]
        return tuple(steps)

    @property
    def loop(self) -> int | None:
        """Where the rounds begin."""
        return len(self.procedure.stages) if self.procedure.rounds else None

    def fire_reads(self, stage: Stage) -> list[str]:
        """The groups that decide who fires and how."""
        group = self.group_of(stage.of)
        known = self.names_of_groups(group)
        return list(dict.fromkeys([group, *(known[name] for name in sorted(stage_names(stage)) if name in known)]))

    def counters_of_fire(self, stage: Stage) -> list[str]:
        """The counters that decide who fires and how."""
        formulas = [stage.who, stage.most, *stage.with_.values()]
        return sorted(counters_in(*formulas))

    def touches(self, stage: Stage) -> tuple[set[str], set[str]]:
        """The groups and counters that a stage reads, and those that it changes. Counters are named `counter.NAME`."""
        group = self.group_of(stage.draw or stage.of)
        known = self.names_of_groups(group)

        def used(*formulas: Formula | None) -> set[str]:
            names = frozenset[str]().union(*(uses(formula) for formula in formulas))
            return {known[n] for n in names if n in known} | {n for n in names if n.startswith("counter.")}

        reads, writes = used(*formulas_of(stage)), set[str]()
        effect = next(iter(effects_of(stage)), "")
        if group and effect != "end":
            reads.add(group)
        if effect in ("fire", "table", "draw"):
            at = self.group_of(stage.at) if effect == "fire" else group
            effects = self.effects_of_stage(stage) if stage.fire or stage.table else None
            if effects is not None:
                writes |= {f"counter.{name}" for name in effects.changed}
                reads |= {f"counter.{name}" for name in effects.counters_used}
                reads |= {known[name] for name in effects.groups_asked if name in known}
                roles = {
                    "defenders": at,
                    "attackers": group if effect == "fire" else "",
                    "defender_support": self.supports.get(at, ""),
                }
                writes |= {roles[role] for role in effects.targets if roles.get(role)}
            if effect == "draw":
                writes.add(group)
            if at:
                reads.add(at)
        elif effect == "change":
            writes |= {f"counter.{name}" for name in stage.change}
        elif effect in (*UNIT_EFFECTS, "leave"):
            writes.add(group)
        return reads, writes


def stage_names(stage: Stage) -> frozenset[str]:
    """The names that decide who fires and how."""
    return frozenset[str]().union(*(uses(f) for f in (stage.who, stage.most, *stage.with_.values())))


def added_constant(formula: Formula, name: str) -> int | None:
    """The whole number of at least 0 that an expression adds to a counter; None if it does anything else."""
    match formula.expression:
        case Binary("+", Name(own), other) if own == name:
            value = constant(Formula(unparse(other)))
            return int(value) if value is not None and value.denominator == 1 and value >= 0 else None
    return None

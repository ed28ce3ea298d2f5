"""A stage in which units of one group attack another, one by one or together: exact, as numbers of ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from assistant.attack import Odds, chances, odds, shift_answer
from assistant.engine.battle.rounds import NumberedStates, Salvos
from assistant.engine.procedures.case import Values, evaluate, holds, uses
from assistant.engine.procedures.effects import named
from assistant.engine.procedures.program import ProcedureProgram, stage_names
from assistant.engine.procedures.retreats import WalkedRetreats
from assistant.engine.procedures.sharing import changed_names, fire_key, same_group
from scenarios.expressions import names
from scenarios.model.dice import dice
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.rules.names import aggregates_in
from scenarios.rules.procedures import Stage

Seen = tuple[tuple[str, Any], ...]
"""The fields of a unit that an attack asks for."""
Row = tuple[tuple[str, int], ...]
"""The codes of a roll with how many of its equally likely outcomes each has."""


class Shot(NamedTuple):
    """One roll: the kinds that fire together, and the inputs of the attack."""

    kinds: tuple[int, ...]
    inputs: Seen
    facing: int = 0
    """How those who fire stand, where retreats from them are walked."""


Targets = tuple[tuple[int, int], ...]
"""The different targets that an attack sees, and how many there are of each where it counts them."""
Volley = tuple[int, ...]
"""The shots of a stage in order, by their numbers."""


class LocalState(NamedTuple):
    """What a shot can change: the states of the groups by number, and the values of counters."""

    groups: tuple[int, ...]
    counters: tuple[Any, ...]


class FireOutcome(NamedTuple):
    """What a volley leaves: the groups and counters, and the worth of who left and who was lost, group by group."""

    groups: tuple[int, ...]
    counters: tuple[Any, ...]
    gains: tuple[int, ...]


class Fire:
    """A stage that fires. `touched` are the groups, and `counted` the counters, that a later stage or an answer asks for."""

    def __init__(self, program: ProcedureProgram, stage: Stage, touched: Sequence[str], counted: Sequence[str]) -> None:
        self.program, self.stage, self.attack = program, stage, stage.fire
        self.case, game = program.case, program.case.game
        self.lookup = self.case.program.lookup
        self.own = program.groups[program.group_of(stage.of)] if stage.of else None
        self.enemy = program.groups[program.group_of(stage.at)] if stage.at else None
        self.table = game.tables[game.attacks[self.attack].table]
        self.effects = program.effects_of(self.attack)
        self.scale = self._own_dice()
        self.walked: WalkedRetreats | None = None
        if self.own is not None and self.enemy is not None and self.effects.walks:
            self.walked = program.walked(self.own.name, self.enemy.name)
        self.retreat_faces = self.walked.faces if self.walked is not None else 1
        self.faces = faces_of(game, self.attack) * self.scale * self.retreat_faces
        self.full, self.as_target, self.target_group, self.counts_targets = cached_on(game, names_asked, self.attack)
        self.touched, self.counted = list(touched), list(counted)
        self.shots: NumberedStates[Shot] = NumberedStates()
        self.local: NumberedStates[LocalState] = NumberedStates()
        self.seen = [_seen(kind.fields, self.full) for kind in self.own.kinds] if self.own else []
        targets = [_seen(kind.fields, self.as_target) for kind in self.enemy.kinds] if self.enemy else []
        self.targets, self.alike = targets, [targets.index(target) for target in targets]
        self.among = self._among()
        self.extra_columns = self.case.shifts.get(self.own.name, 0) if self.own else 0
        self.salvos: Salvos[int] = Salvos(self._shares)
        self._volleys: dict[tuple[Any, ...], Volley] = {}
        self._fitting: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._rows: dict[tuple[int, Targets], Row] = {}
        self._hits: dict[tuple[Any, ...], tuple[tuple[int, int], ...]] = {}
        self._counts: dict[tuple[Any, ...], tuple[tuple[tuple[Any, ...], int], ...]] = {}
        self._outcomes: dict[tuple[int, Volley], dict[FireOutcome, int]] = {}
        self.reads = [program.index[name] for name in program.fire_reads(stage)] if self.own is not None else []
        self.counters_read = program.counters_of_fire(stage)
        self._asked_counters = [name for name in self.counted if name in self.effects.counters_asked]

    @property
    def key(self) -> tuple[object, ...]:
        """What it has in common with the same fire in another procedure."""
        own, enemy = self.own.name if self.own else "", self.enemy.name if self.enemy else ""
        return fire_key(self.stage, own, enemy, self.touched, self.counted)

    def take_results(self, other: Fire) -> None:
        """Take over what results make of the groups, where these and all that results ask for are the same."""
        changed = changed_names(self.program.base, other.program.base)
        if (
            not self.effects.walks
            and self._has_groups_of(other.program)
            and not self.program.names_in_results & changed
        ):
            self.local, self._hits, self._counts = other.local, other._hits, other._counts

    def _has_groups_of(self, program: ProcedureProgram) -> bool:
        groups = {program.names[i] for i in self.reads} | {*self.touched}
        groups |= {group.name for group in (self.own, self.enemy) if group is not None}
        return all(same_group(self.program.groups[name], program.groups[name]) for name in groups)

    def fits(self, program: ProcedureProgram) -> bool:
        """Whether all that decides it is the same in another procedure."""
        if self.effects.walks or not self._has_groups_of(program):
            return False
        if self.own is not None and program.case.shifts.get(self.own.name, 0) != self.extra_columns:
            return False
        names = stage_names(self.stage) | uses(self.stage.among) | program.names_in_results
        if self.stage.within is not None:
            names |= uses(self.stage.within.that)
        if self.own is not None and names & {"goes_first", "first", "second"}:
            return False
        if names & changed_names(self.program.base, program.base):
            return False
        asked, told = self.case.game.attacks[self.attack].inputs, program.case.inputs
        return all(self.case.inputs.get(name) == told.get(name) for name in asked)

    def rolls_the_same(self, told: Values) -> bool:
        """Whether every roll that came about would have the same results with other inputs of the procedure."""
        if self.effects.asks_battle or self.effects.walks:
            return False
        game, attack = self.case.game, self.case.game.attacks[self.attack]
        for (shot, seen), row in self._rows.items():
            kinds, inputs, _ = self.shots.states[shot]
            given = {name: value for name, value in inputs if name in self.stage.with_}
            changed = tuple({**{name: told[name] for name in attack.inputs if name in told}, **given}.items())
            if changed != inputs:
                targets = tuple(self.targets[number] for number, count in seen for _ in range(count))
                firing = tuple(self.seen[number] for number in kinds)
                if row != cached_on(game, roll_row, self.attack, firing, targets, changed, self.extra_columns):
                    return False
        return True

    def _own_dice(self) -> int:
        """By how much dice that results roll multiply the number of equally likely outcomes."""
        if not self.effects.can_roll:
            return 1
        counts = [
            lcm(*(share.denominator for _, share in self.effects.count({}, code, {}))) for code in self.table.results
        ]
        return lcm(1, *counts)

    def _among(self) -> list[bool] | None:
        if self.stage.among is None or self.enemy is None:
            return None
        values = {**self.program.base, "in_group": self.enemy.name}
        return [holds(self.stage.among, {**values, **kind.fields}, self.lookup) for kind in self.enemy.kinds]

    # Who fires.

    def volley(self, nums: Sequence[int], counters: Mapping[str, Any]) -> Volley:
        """The shots of all that may fire."""
        if self.own is None:
            key: tuple[Any, ...] = tuple(counters.items())
            if key not in self._volleys:
                values = {**self.program.base, **named(counters)}
                self._volleys[key] = (self.shots.number(Shot((), tuple(self._inputs(values).items()))),)
            return self._volleys[key]
        key = (
            tuple([nums[i] for i in self.reads]),
            tuple([counters[name] for name in self.counters_read if name in counters]),
        )
        volley = self._volleys.get(key)
        if volley is None:
            volley = self._volleys[key] = self._make_volley(nums, counters)
        return volley

    def _make_volley(self, nums: Sequence[int], counters: Mapping[str, Any]) -> Volley:
        assert self.own is not None
        stage, own = self.stage, self.own
        present = own.state(nums[self.program.index[own.name]]).present
        values = {**self.program.scope(nums, own.name, stage_names(stage)), **named(counters), "in_group": own.name}
        shots: list[int] = []
        firing: list[int] = []
        inputs: Seen | None = None
        facing = self.walked.facing(present) if self.walked is not None else 0
        for number, count in enumerate(self._within(present)):
            kind = own.kinds[number]
            if not count:
                continue
            scope = {**values, **kind.fields, **{f"unit.{name}": value for name, value in kind.fields.items()}}
            if not holds(stage.who, scope, self.lookup):
                continue
            inputs = tuple(self._inputs(scope).items()) if inputs is None or stage.by == "each" else inputs
            if stage.by == "each":
                shots += [self.shots.number(Shot((number,), inputs, facing))] * count
            else:
                firing += [number] * count
        if not firing or inputs is None:
            return tuple(shots)
        parts = [firing] if stage.by == "all" else self._parts(firing, values)
        return tuple(self.shots.number(Shot(tuple(part), inputs, facing)) for part in parts)

    def _inputs(self, scope: Values) -> dict[str, Any]:
        """The inputs of the attack: what the stage says, else the procedure's inputs of the same name."""
        attack = self.case.game.attacks[self.attack]
        told = {name: self.case.inputs[name] for name in attack.inputs if name in self.case.inputs}
        return {
            **told,
            **{name: _plain(evaluate(f, scope, self.lookup)) for name, f in self.stage.with_.items() if f is not None},
        }

    def _parts(self, firing: Sequence[int], values: Values) -> list[list[int]]:
        """As few and as full volleys as so much strength allows, the strongest units first."""
        assert self.own is not None and self.stage.most is not None
        shape = self.case.game.attacks[self.attack].groups[self.case.game.attacks[self.attack].attackers]
        fields = [{**values, **self.own.kinds[number].fields} for number in firing]
        side = {"side": fields[0]["side"], "nation": fields[0]["nation"]}
        most = Fraction(evaluate(self.stage.most, {**values, **side}, self.lookup))
        strengths = [Fraction(evaluate(shape.strength, scope, self.lookup)) for scope in fields if shape.strength]
        parts: list[list[int]] = []
        totals: list[Fraction] = []
        for strength, number in sorted(zip(strengths, firing, strict=True), key=lambda pair: (-pair[0], pair[1])):
            fitting = [i for i, total in enumerate(totals) if total + strength <= most]
            if fitting:
                parts[fitting[0]].append(number)
                totals[fitting[0]] += strength
            else:
                parts.append([number])
                totals.append(strength)
        return parts

    def _within(self, present: tuple[int, ...]) -> tuple[int, ...]:
        """How many of each kind fit within the limit of the stage, those first that come first."""
        within, own = self.stage.within, self.own
        if within is None or own is None or within.that is None or not any(present):
            return present
        if present not in self._fitting:
            order = own.order(tuple(formula for formula in within.first if formula is not None))
            everybody = [own.kinds[number].fields for number in order for _ in range(present[number])]
            base = {**self.program.base, "side": everybody[0]["side"], "nation": everybody[0]["nation"]}
            if holds(within.that, {**base, "stack": everybody}, self.lookup):
                self._fitting[present] = present
                return present
            fitting: list[dict[str, Any]] = []
            counts = [0] * len(present)
            for number in order:
                for _ in range(present[number]):
                    if holds(within.that, {**base, "stack": [*fitting, own.kinds[number].fields]}, self.lookup):
                        fitting.append(own.kinds[number].fields)
                        counts[number] += 1
            self._fitting[present] = tuple(counts)
        return self._fitting[present]

    # What a shot does.

    def row(self, shot: int, target: int) -> Row:
        """What a shot at a state of the target may roll."""
        seen: Targets = ()
        if self.enemy is not None and self.target_group:
            counts: dict[int, int] = {}
            for number, count in enumerate(self.enemy.state(target).present):
                if count:
                    alike = self.alike[number]
                    counts[alike] = counts.get(alike, 0) + count if self.counts_targets else 1
            seen = tuple(sorted(counts.items()))
        row = self._rows.get((shot, seen))
        if row is None:
            kinds, inputs, _ = self.shots.states[shot]
            targets = tuple(self.targets[number] for number, count in seen for _ in range(count))
            firing = tuple(self.seen[number] for number in kinds)
            row = cached_on(self.case.game, roll_row, self.attack, firing, targets, inputs, self.extra_columns)
            self._rows[shot, seen] = row
        return row

    def first_fire(self, nums: Sequence[int], counters: Mapping[str, Any]) -> list[tuple[str, Odds]]:
        """What each shot rolls on as the procedure begins, with the reasons."""
        found: list[tuple[str, Odds]] = []
        for number in self.volley(nums, counters):
            kinds, inputs, _ = self.shots.states[number]
            firing = [self.own.kinds[kind].fields for kind in kinds] if self.own else []
            targets: Sequence[Values] = []
            if self.enemy is not None and self.target_group:
                targets = self.enemy.units(nums[self.program.index[self.enemy.name]])
            answer = odds(
                self.case.game, self.attack, groups_of(self.case.game, self.attack, firing, targets), dict(inputs)
            )
            answer = shift_answer(self.table, answer, self.extra_columns)
            names_of_units = [self.own.kinds[kind].name for kind in kinds] if self.own else []
            found.append((", ".join(dict.fromkeys(names_of_units)), answer))
        return found

    def _shares(self, number: int, shot: int) -> dict[int, int]:
        """What a shot makes of a state. A shot at nobody isn't rolled."""
        state = self.local.states[number]
        if self.enemy is not None and not self._has_target(state.groups[0]):
            return {number: self.faces}
        shares: dict[int, int] = {}
        for code, faces in self.row(shot, state.groups[0] if self.enemy is not None else 0):
            for groups, retreats in self._hit_groups(state, code, shot):
                counted = self._count(groups, state.counters, code, shot) if self.counted else (((), self.scale),)
                for counters, ways in counted:
                    after = self.local.number(LocalState(groups, counters))
                    shares[after] = shares.get(after, 0) + faces * ways * retreats
        return shares

    def _hit_groups(self, state: LocalState, code: str, shot: int) -> list[tuple[tuple[int, ...], int]]:
        """What a result leaves of every group, each in so many ways of the dice of retreats."""
        found: list[tuple[tuple[int, ...], int]] = [((), 1)]
        for name, number in zip(self.touched, state.groups, strict=True):
            hits = self._hit(name, number, code, shot, state)
            found = [((*groups, after), ways * more) for groups, ways in found for after, more in hits]
        if self.walked is not None and self.enemy is not None and self.enemy.name not in self.touched:
            found = [(groups, ways * self.retreat_faces) for groups, ways in found]
        return found

    def _has_target(self, number: int) -> bool:
        assert self.enemy is not None
        present = self.enemy.state(number).present
        return any(count and (self.among is None or self.among[kind]) for kind, count in enumerate(present))

    def _hit(self, name: str, number: int, code: str, shot: int, state: LocalState) -> tuple[tuple[int, int], ...]:
        asked = dict(zip(self.counted, state.counters, strict=True)) if self._asked_counters else {}
        inputs = self.shots.states[shot].inputs if self.effects.asks_battle else ()
        is_target = self.enemy is not None and name == self.enemy.name
        facing = self.shots.states[shot].facing if is_target and self.walked is not None else 0
        key = name, number, code, inputs, tuple([asked[counter] for counter in self._asked_counters]), facing
        hit = self._hits.get(key)
        if hit is None:
            group = self.program.groups[name]
            is_support = self.enemy is not None and group.shape.supports == self.enemy.name
            role = "defenders" if is_target else "defender_support" if is_support else "attackers"
            extra = {**{f"battle.{key}": value for key, value in inputs}, **named(asked), "in_group": name}
            among, walked = (self.among, self.walked) if is_target else (None, None)
            as_they_stand = walked.as_they_stand(facing) if walked is not None else None
            hit = tuple(self.effects.hits(group, number, code, role, among, extra, as_they_stand))
            self._hits[key] = hit
        return hit

    def _count(
        self, groups: tuple[int, ...], counters: tuple[Any, ...], code: str, shot: int
    ) -> tuple[tuple[tuple[Any, ...], int], ...]:
        """The counters after a result, with their shares of the ways of a code."""
        kinds, inputs, _ = self.shots.states[shot]
        firer = self.own.kinds[kinds[0]].fields if self.own is not None and kinds else {}
        asked_firer = tuple([firer.get(name) for name in self.program.firer_names])
        seen = groups if self.effects.groups_asked else ()
        key = seen, counters, code, asked_firer, inputs if self.effects.asks_battle else ()
        counted = self._counts.get(key)
        if counted is None:
            extra: dict[str, Any] = {f"unit.{name}": value for name, value in firer.items()}
            extra |= {f"battle.{name}": value for name, value in inputs}
            extra["in_group"] = self.own.name if self.own is not None else ""
            for name, number in zip(self.touched, groups, strict=True):
                key_name = "enemy" if self.enemy is not None and name == self.enemy.name else "own"
                extra[key_name] = self.program.groups[name].units(number)
            current = dict(zip(self.counted, counters, strict=True))
            counted = self._counts[key] = tuple(
                (tuple(after[name] for name in self.counted), int(share * self.scale))
                for after, share in self.effects.count(current, code, extra)
            )
        return counted

    def outcomes(self, volley: Volley, nums: Sequence[int], counters: Mapping[str, Any]) -> dict[FireOutcome, int]:
        """In how many ways a volley leads from a state to others."""
        start = LocalState(
            tuple([nums[self.program.index[name]] for name in self.touched]),
            tuple([counters[name] for name in self.counted]),
        )
        number = self.local.number(start)
        outcomes = self._outcomes.get((number, volley))
        if outcomes is None:
            outcomes = self._outcomes[number, volley] = {}
            for after, ways in self.salvos.successors(number, volley).items():
                state = self.local.states[after]
                groups: list[int] = []
                gains: list[int] = []
                for name, n in zip(self.touched, state.groups, strict=True):
                    settled, left, lost = self.program.groups[name].settle(n)
                    groups.append(settled)
                    gains += [left, lost]
                key = FireOutcome(tuple(groups), state.counters, tuple(gains))
                outcomes[key] = outcomes.get(key, 0) + ways
        return outcomes


def _plain(value: Any) -> Any:
    """A number as an input of an attack takes it."""
    return value if isinstance(value, (bool, str)) else Fraction(value)


def _seen(fields: Values, asked: Sequence[str]) -> Seen:
    return tuple((name, fields[name]) for name in asked if name in fields)


def names_asked(game: Game, attack: str) -> tuple[list[str], list[str], str, bool]:
    """The names in an attack's formulas, those in formulas about its targets, its group of targets, and whether it counts them."""
    shape = game.attacks[attack]
    target = shape.defenders or next((name for name in shape.groups if name != shape.attackers), "")
    formulas = [*shape.values.values(), *(group.strength for group in shape.groups.values()), shape.column]
    formulas += [value for group in shape.groups.values() for value in group.values.values()]
    formulas += [modifier.when for modifier in shape.modifiers]
    formulas += [modifier.effect[1] for modifier in shape.modifiers if modifier.effect]
    expressions = [formula.expression for formula in formulas if formula is not None]
    used = [frozenset(names(expression)) for expression in expressions]
    full = sorted(frozenset({"name"}).union(*used, *(group.inputs for group in shape.groups.values())))
    if not target:
        return full, [], "", False
    if shape.defenders or any(modifier.to == target for modifier in shape.modifiers):
        return full, full, target, True
    about = sorted(frozenset[str]().union(*(one for one in used if target in one)))
    aggregates = [one for expression in expressions for one in aggregates_in(expression) if one.group.name == target]
    return full, about, target, any(one.function not in ("any", "all", "largest", "kinds") for one in aggregates)


def groups_of(game: Game, attack: str, firing: Sequence[Values], targets: Sequence[Values]) -> dict[str, list[Values]]:
    """The groups of an attack."""
    shape = game.attacks[attack]
    target = cached_on(game, names_asked, attack)[2]
    return {shape.attackers: list(firing)} | ({target: list(targets)} if target else {})


def roll_row(
    game: Game, attack: str, firing: tuple[Seen, ...], targets: tuple[Seen, ...], inputs: Seen, extra: int
) -> Row:
    """The codes of an attack with their numbers of ways."""
    groups = groups_of(game, attack, [dict(unit) for unit in firing], [dict(unit) for unit in targets])
    faces = faces_of(game, attack)
    return tuple(
        (code, chance.numerator * (faces // chance.denominator))
        for code, chance in chances(game, attack, groups, dict(inputs), extra).items()
    )


def faces_of(game: Game, attack: str) -> int:
    """How many equally likely outcomes a roll of an attack has."""
    return cached_on(game, _faces, game.attacks[attack].table)


def _faces(game: Game, table: str) -> int:
    return lcm(*(chance.denominator for chance in dice(game.tables[table].dice).values()))

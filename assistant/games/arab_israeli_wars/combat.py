"""The units in an attack and why a unit may not take part, the odds, and the effect of a roll on the defenders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from assistant.attack import AttackValue, Odds, odds
from assistant.chances import chain, gather, mean
from assistant.engine.battle.requirements import outside_distance
from assistant.engine.battle.results import records_for
from assistant.engine.movement.route_plan import MovePlanner, MoveRefusal
from assistant.engine.roster import roster
from assistant.engine.sight.visibility import sights_of
from assistant.games.arab_israeli_wars.forces import (
    CANAL,
    MINES,
    NEXT_TO,
    RECORDED_ATTACKS,
    SEEN_FIRST,
    AskedAttack,
    Fighter,
    blocked_text,
    counter_fighter,
    enlist,
    limit,
)
from scenarios.grammar import count_text
from scenarios.model.dice import dice
from scenarios.model.hexes import distance
from scenarios.model.position import Piece

# --- the effect of a roll --------------------------------------------------------------------------------------------


ELIMINATION, NO_HARM = "eliminated", "unharmed"
HURT = ("dispersed", "stopped", "inverted")
ORDER = (ELIMINATION, *HURT, NO_HARM)


class DefenderLosses(NamedTuple):
    """How many defenders are eliminated, and how many are dispersed (stopped, inverted) but stay."""

    eliminated: int
    hurt: int


LossChances = Mapping[DefenderLosses, Fraction]
"""The chance of each toll; the chances add up to 1."""
NO_LOSSES: LossChances = MappingProxyType({DefenderLosses(0, 0): Fraction(1)})


@dataclass(frozen=True)
class DefenderChances:
    """One defender's chances, by outcome; they add up to 1."""

    fighter: Fighter
    die: int
    chances: Mapping[str, Fraction]

    @property
    def kill_chance(self) -> Fraction:
        """The chance that it is eliminated."""
        return self.chances.get(ELIMINATION, Fraction(0))


def fates_by_code(battle: AskedAttack, target: Fighter) -> Mapping[str, str]:
    """Return the meaning of each result for one defender in its state, by the pack's records of results."""
    cache = battle.fates_by_code
    if (target.unit, target.states) not in cache:
        fields, inputs, fates = battle.target_fields(target, False), battle.inputs(), dict[str, str]()
        for code in battle.game.tables[battle.shape.table].results:
            *_, last = None, *records_for(battle.game, battle.kind, code, fields, inputs)
            fates[code] = (
                NO_HARM if last is None else ELIMINATION if last.eliminate else "stopped" if last.stop else last.set
            )
        cache[target.unit, target.states] = fates
    return cache[target.unit, target.states]


def roll_for_all(
    battle: AskedAttack, answer: Odds, targets: Sequence[Fighter]
) -> tuple[tuple[DefenderChances, ...], LossChances]:
    """Return the outcomes where all defenders share one roll, each with its own modifiers (Basic VI.B)."""
    table = battle.game.tables[battle.shape.table]
    if answer.column is None:
        certain_chances = {NO_HARM: Fraction(1)}
        return tuple(DefenderChances(target, 0, certain_chances) for target in targets), NO_LOSSES
    column = table.named_column(answer.column)
    modifiers = [target.die for target in answer.targets] or [answer.die] * len(targets)
    rolls = dice(table.dice)
    codes = {row: table.cell(row, column).code for row in {roll + die for roll in rolls for die in set(modifiers)}}
    effects = [fates_by_code(battle, target) for target in targets]
    fates = {
        roll: [effect[codes[roll + die]] for effect, die in zip(effects, modifiers, strict=True)] for roll in rolls
    }
    defenders = (
        DefenderChances(target, die, sort_outcomes(gather(rolls, lambda roll, j=j: fates[roll][j])))  # type: ignore[misc]
        for j, (target, die) in enumerate(zip(targets, modifiers, strict=True))
    )
    return tuple(defenders), sorted_tolls(gather(rolls, lambda roll: losses_of(fates[roll])))


def losses_of(fates: Sequence[str]) -> DefenderLosses:
    """Return the losses that some outcomes mean."""
    return DefenderLosses(fates.count(ELIMINATION), sum(fate in HURT for fate in fates))


def add_losses(parts: Iterable[LossChances]) -> LossChances:
    """Return the toll of a roll for each defender, as in indirect fire (Standard II.A.5.d): the tolls add up."""
    total = NO_LOSSES
    for part in parts:
        total = chain(total, lambda toll: gather(part, lambda losses: _sum(toll, losses)))  # noqa: B023
    return sorted_tolls(total)


def _sum(first: DefenderLosses, second: DefenderLosses) -> DefenderLosses:
    return DefenderLosses(first.eliminated + second.eliminated, first.hurt + second.hurt)


def mix_losses(parts: Sequence[tuple[Fraction, LossChances]]) -> LossChances:
    """Return the toll where one of several cases happens, each with its chance."""
    cases = {case: chance for case, (chance, _) in enumerate(parts)}
    return sorted_tolls(chain(cases, lambda case: parts[case][1]))


def sort_outcomes(chances: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Sort chances, the worst for the defender first."""
    return {word: chances[word] for word in ORDER if chances.get(word)}


def sorted_tolls(tolls: Mapping[DefenderLosses, Fraction]) -> dict[DefenderLosses, Fraction]:
    """Sort tolls, the heaviest first."""
    return {toll: tolls[toll] for toll in sorted(tolls, reverse=True) if tolls[toll]}


def mean_losses(toll_chances: LossChances) -> tuple[Fraction, Fraction]:
    """Return the average numbers of eliminated and of dispersed units."""
    return mean(toll_chances, lambda toll: toll.eliminated), mean(toll_chances, lambda toll: toll.hurt)


def bars(battle: AskedAttack, firer: Fighter) -> Iterator[MoveRefusal]:
    """Yield why a unit can't take part, beyond the checks of the pack's attack."""
    kind, field = battle.kind, battle.field
    if firer.bar is not None:
        yield MoveRefusal(*firer.bar)
    if firer.is_loaded and not fires_mounted(battle, firer):
        yield MoveRefusal("it is a passenger, and passengers can't attack", "Basic V.B.6.b")
    if _drops(battle, firer) and is_hidden(battle):
        yield MoveRefusal("no unit in the woods or town is spotted", "Basic VII.D.3, Advanced I.C.4.b")
    if "committed" in firer.states and kind not in RECORDED_ATTACKS:
        yield MoveRefusal("it has recorded indirect fire", "Standard II.A.1.a")
    if (
        kind in (*SEEN_FIRST, *NEXT_TO, "air_strike")
        and firer.side
        and any(target.side == firer.side for target in battle.targets)
    ):
        yield MoveRefusal("the target is not an enemy", "Basic VI.A.1")
    if field is None or firer.hex is None or battle.hex is None:
        return
    hex_distance = distance(firer.hex, battle.hex)
    factors = firer.counter.factors if firer.counter else {}
    if kind != "interdiction" or isinstance(factors.get("range"), Fraction):
        outside = outside_distance(battle.game, kind, hex_distance, factors)
        if outside is not None:
            yield MoveRefusal(outside.text, outside.rule)
    if kind in NEXT_TO and field.map_index.terrain(firer.hex) == CANAL:
        yield MoveRefusal("no unit in the canal may make this attack", "Standard VI.E.2")
    if kind == "close_assault" and not field.markers_at(firer.hex).isdisjoint(MINES):
        yield MoveRefusal("no unit in a minefield may assault", "Standard II.C.6")
    reach = factors.get("range") if kind == "interdiction" and factors.get("weapon") == "(H)" else None
    if isinstance(reach, Fraction) and 4 * hex_distance < reach:
        yield MoveRefusal("the target is nearer than a quarter of its range", "Advanced III.A.2.b")
    if kind not in SEEN_FIRST:
        ends = field.map_index.number[firer.hex], field.map_index.number[battle.hex]
        yield from (
            MoveRefusal("the boards are not adjacent", effect.rule) for effect in sights_of(field).by_ends(*ends)
        )


def overrun_bars(battle: AskedAttack) -> Iterator[tuple[int, MoveRefusal]]:
    """Yield why targets can't be in the middle of the given overrun, each by its index (Standard II.D.2, II.D.3)."""
    field, battle_hex, hex = battle.field, battle.hex, battle.overrun
    if field is None or battle_hex is None or hex is None:
        return
    army_roster = roster(battle.game, field.position.scenario)
    marks = [piece for piece in field.position.pieces if piece.unit not in battle.game.units]
    fighters = [
        enlist(army_roster, fighter.piece, fighter.side)
        for fighter in battle.everyone or (*battle.firers, *battle.targets)
        if fighter.hex is not None and fighter.counter
    ]
    overrun_field = field.with_pieces((*marks, *fighters))
    for place, target in enumerate(battle.targets):
        if target.counter is None:
            continue
        unit = overrun_field.as_if(
            enlist(army_roster, Piece(target.unit, target.copy, target.nation, battle_hex, target.states), target.side)
        )
        outside = outside_distance(battle.game, "overrun", distance(battle_hex, hex), {})
        if outside is not None:
            yield place, MoveRefusal("it isn't next to the hex that it overruns", outside.rule)
            continue
        step = MovePlanner(overrun_field, unit).act("overrun", unit.place, overrun_field.map_index.number[hex])
        if isinstance(step, MoveRefusal):
            yield place, step


def _drops(battle: AskedAttack, firer: Fighter) -> bool:
    """Whether an aircraft brings an (H) strike: by itself, or a helicopter into indirect fire (Advanced I.E.7.b)."""
    if battle.kind == "indirect_fire":
        return bool(firer.inputs.get("points"))
    return battle.kind == "air_strike" and firer.inputs.get("kind") == "(H)" and bool(firer.inputs.get("carried"))


def is_hidden(battle: AskedAttack) -> bool:
    """Whether the attacked hex conceals and none of its units is spotted (Basic VII.D.3.a, Optional II.B.1.b)."""
    battle_inputs = battle.inputs()
    occupants = [
        *battle.targets,
        *(fighter for fighter in battle.everyone if fighter.hex is not None and fighter.hex == battle.hex),
    ]
    is_concealed = battle_inputs.get("terrain") in ("woods", "town") or bool(battle_inputs.get("in_smoke"))
    return is_concealed and not any("spotted" in fighter.states for fighter in occupants)


def fires_mounted(battle: AskedAttack, firer: Fighter) -> bool:
    """Whether a passenger joins its carrier's fire: special infantry of the right army and year, aboard an I carrier
    (so not a truck) that fires with it (Advanced II.A; UFT key)."""
    if battle.field is None or "special_infantry" not in firer.abilities:
        return False
    carrier, since = firer.carrier, f"mounted_{firer.nation}"
    if (
        not battle.is_advanced
        or since not in battle.game.tables["limits"].cells
        or battle.field.value("year") < limit(battle.game, since)
    ):
        return False
    return (
        carrier is not None
        and "carries_infantry" in carrier.abilities
        and any(
            (battle_firer.unit, battle_firer.copy, battle_firer.hex) == (carrier.unit, carrier.copy, carrier.hex)
            for battle_firer in battle.firers
        )
    )


# --- the units that take part ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LeftOut:
    """A unit that doesn't take part."""

    fighter: Fighter
    reasons: tuple[MoveRefusal, ...]


def attacks_singly(battle: AskedAttack) -> bool:
    """Whether each defender is attacked alone: indirect fire (Standard II.A.5.d), interdiction (Advanced III.D.3),
    mines (Standard V.E.2), the end of a quick march (Advanced II.C.2.d) and (H) strikes by themselves (Standard
    II.F.3.c)."""
    if battle.kind == "air_strike":
        return all(firer.inputs.get("kind") == "(H)" for firer in battle.firers)
    return battle.kind in (*RECORDED_ATTACKS, "minefield", "quick_march")


Refusals = dict[tuple[str, int], tuple[MoveRefusal, ...]]
WHOLE_ATTACK = ("", -1)
UNSEEN = "Basic VIII.B.1"
"""The rule that every attacker must see the target."""


def resolve_groups(battle: AskedAttack) -> tuple[tuple[Odds, ...], Refusals]:
    """Return the results of the pack's attacks, and all refusals."""
    shape = battle.shape
    if battle.kind in RECORDED_ATTACKS and not battle.targets:
        # No unit is there now: what forbids the fire doesn't depend on the units to come.
        unit = next(unit for unit in battle.game.units.values() if unit.factors["target"] == "NA")
        _, bars_by_key = resolve_groups(replace(battle, targets=(counter_fighter(battle.game, unit.id),)))
        return (), {key: reasons for key, reasons in bars_by_key.items() if key[0] != "targets"}
    firers = list(_merge_equal(_firer(battle, i, fighter) for i, fighter in enumerate(battle.firers)))
    targets = list(
        _merge_equal(battle.target_fields(fighter, battle.is_shielded(j)) for j, fighter in enumerate(battle.targets))
    )
    inputs = battle.inputs()
    refusals: Refusals = {}
    answers: list[Odds] = []
    for target_numbers in [[j] for j in range(len(targets))] if attacks_singly(battle) else [list(range(len(targets)))]:
        firing = [
            i
            for i, fighter in enumerate(battle.firers)
            if not attacks_singly(battle) or fires_at(fighter, battle.targets[target_numbers[0]])
        ]
        groups = {shape.attackers: [firers[i] for i in firing], shape.defenders: [targets[j] for j in target_numbers]}
        answers.append(odds(battle.game, battle.kind, groups, inputs))
        for failure in answers[-1].violations:
            places = {shape.attackers: ("firers", firing), shape.defenders: ("targets", target_numbers)}.get(
                failure.group
            )
            _refuse(
                refusals,
                (places[0], places[1][failure.place]) if places else WHOLE_ATTACK,
                MoveRefusal(failure.text, failure.rule),
            )
    for j, bar in overrun_bars(battle):
        _refuse(refusals, ("targets", j), bar)
    sights = battle.sights
    unseen_numbers = [
        j for j in range(len(targets)) if sights and not any(sight.clear for (_, k), sight in sights.items() if k == j)
    ]
    for j in unseen_numbers if len(unseen_numbers) < len(targets) else ():
        _refuse(refusals, ("targets", j), MoveRefusal("no attacker sees the target", UNSEEN))
    for i, firer in enumerate(battle.firers):
        blocked_sight = next((sight for (k, _), sight in sights.items() if k == i and not sight.clear), None)
        firer_bars = [
            MoveRefusal(f"{bar.text}: {blocked_text(battle.field, blocked_sight)}", bar.rule)
            if battle.field is not None and blocked_sight is not None and bar.rule == UNSEEN
            else bar
            for bar in refusals.get(("firers", i), ())
        ]
        if all_bars := (*bars(battle, firer), *firer_bars):
            refusals["firers", i] = all_bars
    return tuple(answers), refusals


def _refuse(refusals: Refusals, key: tuple[str, int], bar: MoveRefusal) -> None:
    """Record why a unit can't take part, once."""
    if bar not in refusals.get(key, ()):
        refusals[key] = (*refusals.get(key, ()), bar)


def _firer(battle: AskedAttack, i: int, firer: Fighter) -> dict[str, AttackValue]:
    lines = [sight.clear for (k, _), sight in battle.sights.items() if k == i]
    fields = battle.firer_fields(firer, all(lines) if lines else None)
    return fields | {"destructive": True} if firer.aim else fields


def fires_at(firer: Fighter, target: Fighter) -> bool:
    """Whether a firer may hit a target: destructive fire hits only its own target (Advanced III.C.2.b)."""
    return not firer.aim or target.matches(firer.aim)


def _merge_equal(units: Iterator[dict[str, AttackValue]]) -> Iterator[dict[str, AttackValue]]:
    """Yield equal units as one mapping, which is computed once."""
    unique_units: dict[tuple[tuple[str, AttackValue], ...], dict[str, AttackValue]] = {}
    for unit in units:
        yield unique_units.setdefault(tuple(unit.items()), unit)


def excluded_units(battle: AskedAttack, refusals: Refusals) -> set[tuple[str, int]]:
    """Return the units left out: defenders that can't be attacked first, then attackers that can't attack; none if
    none would remain."""
    for group, size in (("targets", len(battle.targets)), ("firers", len(battle.firers))):
        excluded_keys = {key for key in refusals if key[0] == group}
        if excluded_keys:
            return excluded_keys if len(excluded_keys) < size else set()
    return set()


def member(battle: AskedAttack, key: tuple[str, int]) -> Fighter:
    return (battle.firers if key[0] == "firers" else battle.targets)[key[1]]


def sentences(battle: AskedAttack, refusals: Refusals) -> tuple[MoveRefusal, ...]:
    """Return every reason with its unit, each once."""
    return tuple(
        dict.fromkeys(
            MoveRefusal(f"{label(battle, member(battle, key))}: {bar.text}", bar.rule) if key != WHOLE_ATTACK else bar
            for key, bars_ in refusals.items()
            for bar in bars_
        )
    )


def label(battle: AskedAttack, fighter: Fighter) -> str:
    """Return a fighter's name, with its hex and distance."""
    if fighter.hex is None or battle.field is None:
        return fighter.name
    text = f"{fighter.name} ({battle.field.hex_map.name(fighter.hex)}"
    if battle.aim_hex in (None, fighter.hex):
        return f"{text})"
    return f"{text}, {count_text(distance(fighter.hex, battle.aim_hex), 'hex')} away)"


def outcome(battle: AskedAttack, answers: Sequence[Odds]) -> tuple[tuple[DefenderChances, ...], LossChances]:
    if not attacks_singly(battle):
        return roll_for_all(battle, answers[0], battle.targets)
    results = [roll_for_all(battle, answer, [target]) for answer, target in zip(answers, battle.targets, strict=True)]
    return tuple(fates[0] for fates, _ in results), add_losses(toll_chances for _, toll_chances in results)

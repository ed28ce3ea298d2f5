"""Ground combat: percentage, choice of table, each result spelled out for the units at hand, and what if (13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from assistant.attack import AttackValue, Odds, odds
from assistant.engine.battle.battle import Battle, BattleInputs, battle_of, by_others, with_inputs
from assistant.engine.battle.result_effects import consequences
from assistant.engine.battle.results import Consequence, GroupOutcome
from assistant.engine.battle.what_if import Prospect, adjacent_columns, prospect
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.games.six_day_war.forces import around, foe, front, static, strength, terrain
from assistant.questions.answer import BadQuestion, Refusal
from scenarios.model.game import Game

TABLES = ("mobile", "assault")
FORTIFIED = ("fortified_city", "fortification")
Units = tuple[PlacedUnit, ...]


def column(game: Game, attack: Fraction | int, defense: Fraction | int, shift: int = 0, table: str = "assault") -> str:
    """The column of two strengths: percent, from the end column if beyond it, then shifted (13.12, 13.14)."""
    chart = game.tables[table]
    if defense <= 0:
        raise BadQuestion("the defense strength is 0: there is no percentage to find")
    start = chart.find_column(Fraction(attack) / Fraction(defense) * 100)
    return chart.columns.labels[chart.shift_column(0 if start is None else start, shift)]


@dataclass(frozen=True)
class Combat:
    """An attack on one of the two tables: its arithmetic, and every result spelled out for these units."""

    battle: Battle
    odds: Odds

    @property
    def doubled(self) -> bool:
        """Whether advances are doubled (15.5)."""
        return bool(self.battle.inputs["enhanced"] or self.battle.inputs["shock_turn"])

    @cached_property
    def results(self) -> tuple[Consequence, ...]:
        """Each result of the column, spelled out (13.15, 13.16, 14, 15)."""
        return consequences(self.battle, self.odds)

    @cached_property
    def gone(self) -> Mapping[PlacedUnit, tuple[Fraction, Fraction]]:
        """The chance that each unit is eliminated, by the result or for want of a way back: the least and the most.

        Where the owner chooses among equally strong units (13.16), they share a loss if it is all the same which of
        them he takes. If it isn't, as where one of them has no way back, the two chances differ.
        """
        gone = dict.fromkeys((*self.battle.attackers, *self.battle.defenders), (Fraction(0), Fraction(0)))
        for one in self.results:
            least = {fate.unit: fate.chance_gone for fate in one.fates}
            most = dict(least)
            for alike in _equals(one):
                alternatives = [self._chosen(one.code, unit) for unit in alike]
                spared = {chances[unit] for chances in alternatives for unit in alike if chances[unit] < 1}
                others = {
                    tuple(chance for unit, chance in chances.items() if unit not in alike) for chances in alternatives
                }
                if (
                    len(spared) <= 1
                    and len(others) == 1
                    and len({sum(chances.values()) for chances in alternatives}) == 1
                ):
                    share = sum((least[unit] for unit in alike), Fraction(0)) / len(alike)
                    least |= dict.fromkeys(alike, share)
                    most |= dict.fromkeys(alike, share)
                    continue
                for unit in least:
                    least[unit] = min(least[unit], *(chances[unit] for chances in alternatives))
                    most[unit] = max(most[unit], *(chances[unit] for chances in alternatives))
            for unit, (low, high) in gone.items():
                gone[unit] = (low + one.chance * least[unit], high + one.chance * most[unit])
        return gone

    def _chosen(self, code: str, unit: PlacedUnit) -> Mapping[PlacedUnit, Fraction]:
        """The chance that each unit is eliminated by a result, where the owner takes this one of several equals."""
        (one,) = consequences(self.battle, self.odds, chances={code: Fraction(1)}, preferred=frozenset({unit}))
        return {fate.unit: fate.chance_gone for fate in one.fates}

    @cached_property
    def equals(self) -> Mapping[PlacedUnit, Units]:
        """The other units with which a unit shares a loss, as their owner likes (13.16)."""
        found: dict[PlacedUnit, dict[PlacedUnit, None]] = {}
        for alike in (alike for one in self.results for alike in _equals(one)):
            for unit in alike:
                found.setdefault(unit, {}).update(dict.fromkeys(other for other in alike if other is not unit))
        return {unit: tuple(others) for unit, others in found.items()}

    @property
    def clears(self) -> Fraction:
        """The chance that no defender is left where he was: dead, or sure to have gone back."""
        return Prospect(self.odds, self.results).falls


def combats(
    field: Field, attackers: Units, targets: Sequence[int], told: Mapping[str, AttackValue], table: str = ""
) -> tuple[Combat, ...]:
    """An attack on a hex (or on several at once, 13.5) on each table the attacker may choose (13.13); if he may choose none,
    on those that refuse only what all refuse, else on the one with the fewest objections. With `table` on that one only, or
    BadQuestion tells why not."""
    defenders = _checked(field, attackers, targets)
    kinds = [terrain(field, n) for n in targets]
    if told["airborne_surprise"] and kinds != ["fortification"]:
        raise Refusal("airborne surprise is for an attack on one fortification", "20.5")
    shifts = {kind: int(field.game.tables["terrain"].looked_up(kind, "shift")) for kind in kinds}
    inputs = {**told, "terrain": min(kinds, key=lambda kind: (shifts[kind], kind not in FORTIFIED))}

    def battle(field: Field, table: str) -> Battle:
        return battle_of(field, table, attackers[0].side, targets, attackers, defenders, BattleInputs(inputs, {}, {}))

    fought = {one: battle(field, one) for one in TABLES}
    worked = {one: arithmetic(battle) for one, battle in fought.items()}
    nullified = worked["assault"].values["nullified"] is True
    walled = any(kind in FORTIFIED for kind in kinds)
    allowed = [one for one in TABLES if not worked[one].failures and (one == "assault" or not walled or nullified)]
    # What every table refuses alike, such as an enhanced attack paid for on turn 1, leaves the choice of the table open.
    common = set.intersection(*(set(odds.failures) for odds in worked.values()))
    allowed = allowed or [one for one in TABLES if set(worked[one].failures) == common]
    allowed = allowed or [min(reversed(TABLES), key=lambda one: len(worked[one].failures))]
    if table and table not in allowed:
        why = worked[table].failures or ("a fortified city or a fortification is among the hexes attacked (13.13)",)
        raise BadQuestion(f"the {table} table may not be chosen: {'; '.join(why)}")
    if nullified:
        field = field.telling(nullified=targets)
    return tuple(
        Combat(battle(field, one) if nullified else fought[one], worked[one]) for one in ([table] if table else allowed)
    )


def _equals(result: Consequence) -> Iterator[Units]:
    """The units that are as strong as one that a result takes, so that the owner chooses among them (13.16)."""
    game = result.fight.field.game
    for share in (result.attackers, result.defenders):
        for equals in (choice.equals for choice in share.choices if choice.equals):
            printed = strength(equals[0], game)
            yield tuple(fate.unit for fate in share.fates if strength(fate.unit, game) == printed)


def arithmetic(battle: Battle) -> Odds:
    """What a battle comes to on its table."""
    return odds(battle.field.game, battle.attack, battle.groups, battle.inputs)


def advances(share: GroupOutcome) -> tuple[int, int]:
    """How many hexes a group may advance, and how many its recon if that is farther (15, 19.1); 0 where nobody may."""
    hexes = {hexes for fate in share.fates if fate.steps_left for _, hexes in fate.ahead}
    return min(hexes, default=0), max(hexes) if len(hexes) > 1 else 0


def _checked(field: Field, attackers: Units, targets: Sequence[int]) -> Units:
    """The defenders, if everybody is where he has to be (13.5), and has a strength."""
    name = field.map_index.name
    found: list[PlacedUnit] = []
    for n in targets:
        there = field.stack(n, foe(attackers[0].side))
        if not there:
            raise BadQuestion(f"no enemy of {attackers[0].name} stands in {name(n)}")
        for standing in attackers:
            if n not in around(field, standing.place):
                raise Refusal(f"{standing.name} in {name(standing.place)} is not next to {name(n)}", "13.5")
            if front(field, standing.place) != front(field, n):
                raise Refusal(
                    f"nobody attacks across the front boundary, as from {name(standing.place)} into {name(n)}", "5.7"
                )
        found += there
    for standing in (*attackers, *found):
        strength(standing, field.game)
    return tuple(found)


# --- what if ----------------------------------------------------------------------------------------------------------


def variants(combat: Combat) -> Iterator[tuple[str, str, Prospect]]:
    """The same attack without each unit, with each stack that could join, enhanced, and a column left and right, where that is
    allowed: what is changed, the column, and what it comes to."""
    battle, attackers = combat.battle, combat.battle.attackers
    without = attackers if len(attackers) > 1 else ()
    tries = [(f"without {gone.name}", by_others(battle, [s for s in attackers if s is not gone])) for gone in without]
    joining = _joining(battle)
    tries += [
        (f"with {' and '.join(s.name for s in stack)}", by_others(battle, (*attackers, *stack))) for stack in joining
    ]
    if not combat.doubled and battle.side == "israeli":
        price = battle.field.game.tables["zrp_costs"].looked_up("enhanced_attack", "cost")
        tries.append((f"as an enhanced attack, {price} reserve point", with_inputs(battle, enhanced=True)))
    for change, other in tries:
        worked = arithmetic(other)
        if worked.column is not None and not worked.failures:
            yield change, worked.column, prospect(other, worked)
    yield from adjacent_columns(battle, combat.odds)


def _joining(battle: Battle) -> list[Units]:
    """Idle stacks of the attackers' side next to every target, whole as they must attack (13.5, 13.10)."""
    field, targets = battle.field, battle.targets
    near = [n for n in around(field, targets[0]) if all(n in around(field, m) for m in targets)]
    stacks = [
        tuple(s for s in field.stack(n, battle.side) if not static(s) and s not in battle.attackers)
        for n in near
        if front(field, n) == front(field, targets[0])
    ]
    return [stack for stack in stacks if stack]

"""Ground combat: percentage, choice of table, each result spelled out for the units at hand, and what if (13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from assistant.answers import BadQuestion, Refusal
from assistant.attack import Answer as Odds
from assistant.attack import Value, odds
from assistant.games.six_day_war.fronts import (
    WATER,
    around,
    fields_of,
    foe,
    front,
    in_force,
    static,
    terrain,
)
from assistant.rules import results
from assistant.rules.field import Field, Standing
from assistant.rules.results import Consequence, Share
from scenarios.game import Game
from scenarios.tables import span

TABLES = ("mobile", "assault")
FORTIFIED = ("fortified_city", "fortification")
Units = tuple[Standing, ...]


def column(game: Game, attack: Fraction | int, defense: Fraction | int, shift: int = 0, table: str = "assault") -> str:
    """The column of two strengths: percent, from the end column if beyond it, then shifted (13.12, 13.14)."""
    held = game.tables[table]
    if defense <= 0:
        raise BadQuestion("the defense strength is 0: there is no percentage to find")
    start = held.find_column(Fraction(attack) / Fraction(defense) * 100)
    return held.columns.labels[held.shifted(0 if start is None else start, shift)]


@dataclass(frozen=True)
class Told:
    """What a player tells of an attack beside the units."""

    enhanced: bool = False
    airborne_surprise: bool = False
    shock_and_enhanced: bool = True


@dataclass(frozen=True)
class Toll:
    """The chance that no defender is left in place, and how many units of each side are eliminated on average."""

    clears: Fraction
    lost: Mapping[str, Fraction]


class Fight:
    """Attacks of a side on some hexes, by whichever units."""

    def __init__(self, field: Field, attackers: Units, targets: Sequence[int], told: Told) -> None:
        self.field, self.targets, self.told = field, targets, told
        self.side = attackers[0].side
        self.defenders = _checked(field, attackers, targets)
        if told.airborne_surprise and [terrain(field, n) for n in targets] != ["fortification"]:
            raise Refusal("airborne surprise is for an attack on one fortification", "20.5")
        self.shock = self.side == "israeli" and in_force(field, "free_enhanced")
        kinds = [terrain(field, n) for n in targets]
        self.terrain = min(kinds, key=lambda kind: (self._shift(kind), kind not in FORTIFIED))
        self._fields: dict[Standing, Mapping[str, Value]] = {}

    def inputs(self, attackers: Units, *, enhanced: bool | None = None) -> dict[str, Value]:
        """What the map and the player tell of an attack."""
        field, hexes = self.field, dict.fromkeys(standing.at for standing in attackers)
        waters = [field.kinds.lies(n, m) & WATER for n in hexes for m in self.targets]
        wet = sorted({kind for water in waters for kind in water}, key=self._shift)
        return {
            "terrain": self.terrain,
            "hexside": wet[0] if wet and all(waters) else "none",
            "commanding": any(terrain(field, n) == "commanding" for n in hexes),
            "shock_turn": self.shock,
            "enhanced": self.told.enhanced if enhanced is None else enhanced,
            "airborne_surprise": self.told.airborne_surprise,
            "shock_and_enhanced": self.told.shock_and_enhanced,
        }

    def _shift(self, kind: str) -> int:
        return int(self.field.game.tables["terrain"].looked_up(kind, "shift"))

    def odds(self, table: str, attackers: Units, *, enhanced: bool | None = None) -> Odds:
        """The arithmetic of an attack on one of the tables."""
        game = self.field.game
        groups = {"attackers": attackers, "defenders": self.defenders}
        fields = {group: [self._fields_of(standing) for standing in units] for group, units in groups.items()}
        return odds(game, table, fields, self.inputs(attackers, enhanced=enhanced))

    def _fields_of(self, standing: Standing) -> Mapping[str, Value]:
        if standing not in self._fields:
            self._fields[standing] = fields_of(self.field.game, standing)
        return self._fields[standing]

    def results(
        self, table: str, attackers: Units, chances: Mapping[str, Fraction], *, enhanced: bool | None = None, alone: bool = False
    ) -> tuple[Consequence, ...]:
        """What each result on one of the tables does to these units, by the pack's records (13.15, 13.16, 14, 15)."""
        told = self.inputs(attackers, enhanced=enhanced)
        fought = results.Fight(self.field, table, tuple(self.targets), attackers, self.defenders, told, {})
        return self.field.outcomes.of(fought, chances, alone=alone)

    def toll(self, table: str, attackers: Units, label: str) -> Toll:
        """What an attack on a column comes to, on average."""
        held = self.field.game.tables[table]
        found = self.results(table, attackers, held.distribution(held.named_column(label)), alone=True)
        lost = {
            self.side: sum((one.chance * one.attackers.steps for one in found), Fraction(0)),
            foe(self.side): sum((one.chance * one.defenders.steps for one in found), Fraction(0)),
        }
        return Toll(sum((one.chance for one in found if one.falls), Fraction(0)), lost)


@dataclass(frozen=True)
class Battle:
    """An attack on one of the two tables."""

    fight: Fight
    table: str
    odds: Odds
    attackers: Units
    doubled: bool
    """Whether advances are doubled (15.5)."""

    @property
    def defenders(self) -> Units:
        """Who is attacked."""
        return self.fight.defenders

    @cached_property
    def results(self) -> tuple[Consequence, ...]:
        """Each result of the column, spelled out."""
        return self.fight.results(self.table, self.attackers, self.odds.chances)

    @cached_property
    def gone(self) -> Mapping[Standing, Fraction]:
        """The chance that each unit is eliminated, by the result or for want of a way back."""
        gone = dict.fromkeys((*self.attackers, *self.defenders), Fraction(0))
        for one in self.results:
            for fate in one.fates:
                gone[fate.standing] += one.chance * fate.chance_gone
        return gone

    @property
    def clears(self) -> Fraction:
        """The chance that no defender is left where he was: dead, or sure to have gone back."""
        return sum((one.chance for one in self.results if one.falls), Fraction(0))


def advances(share: Share) -> tuple[int, int]:
    """How many hexes a group may advance, and how many its recon if that is farther (15, 19.1); 0 where nobody may."""
    hexes = {hexes for fate in share.fates if fate.left for _, hexes in fate.ahead}
    return min(hexes, default=0), max(hexes) if len(hexes) > 1 else 0


def battles(field: Field, attackers: Units, targets: Sequence[int], told: Told, table: str = "") -> tuple[Battle, ...]:
    """An attack on a hex (or on several at once, 13.5) on each table the attacker may choose (13.13); if he may choose none,
    on the one with the fewest objections. With `table` on that one only, or BadQuestion tells why not."""
    fight = Fight(field, attackers, targets, told)
    worked = {one: fight.odds(one, attackers) for one in TABLES}
    nullified = worked["assault"].values["nullified"] is True
    if nullified:
        fight = Fight(field.telling(nullified=targets), attackers, targets, told)
    walled = any(terrain(field, n) in FORTIFIED for n in targets)
    allowed = [one for one in TABLES if not worked[one].failures and (one == "assault" or not walled or nullified)]
    allowed = allowed or [min(reversed(TABLES), key=lambda one: len(worked[one].failures))]
    if table and table not in allowed:
        why = worked[table].failures or ("a fortified city or a fortification is among the hexes attacked (13.13)",)
        raise BadQuestion(f"the {table} table may not be chosen: {'; '.join(why)}")
    return tuple(Battle(fight, one, worked[one], attackers, told.enhanced or fight.shock) for one in ([table] if table else allowed))


def _checked(field: Field, attackers: Units, targets: Sequence[int]) -> Units:
    """The defenders, if everybody is where he has to be (13.5)."""
    name = field.kinds.name
    found: list[Standing] = []
    for n in targets:
        there = field.stack(n, foe(attackers[0].side))
        if not there:
            raise BadQuestion(f"no enemy of {attackers[0].name} stands in {name(n)}")
        for standing in attackers:
            if n not in around(field, standing.at):
                raise Refusal(f"{standing.name} in {name(standing.at)} is not next to {name(n)}", "13.5")
            if front(field, standing.at) != front(field, n):
                raise Refusal(f"nobody attacks across the front boundary, as from {name(standing.at)} into {name(n)}", "5.7")
        found += there
    return tuple(found)


# --- what if ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Variant:
    """A change to an attack, the column it is fought on then, and what it costs."""

    change: str
    column: str
    toll: Toll


def variants(battle: Battle) -> Iterator[Variant]:
    """The same attack without each unit, with each stack that could join, enhanced, and a column left and right; where
    that is allowed."""
    fight, table, attackers = battle.fight, battle.table, battle.attackers
    enhanced = fight.told.enhanced
    tries = [(f"without {gone.name}", tuple(s for s in attackers if s is not gone), enhanced) for gone in attackers]
    tries = tries if len(attackers) > 1 else []
    tries += [(f"with {' and '.join(s.name for s in stack)}", (*attackers, *stack), enhanced) for stack in _joining(battle)]
    if not battle.doubled and fight.side == "israeli":
        price = fight.field.game.tables["zrp_costs"].looked_up("enhanced_attack", "cost")
        tries.append((f"as an enhanced attack, {price} reserve point", attackers, True))
    for change, units, more in tries:
        worked = fight.odds(table, units, enhanced=more)
        if worked.column is not None and not worked.failures:
            yield Variant(change, worked.column, fight.toll(table, units, worked.column))
    labels = fight.field.game.tables[table].columns.labels
    if battle.odds.column is not None:
        at = labels.index(battle.odds.column)
        for moved, name in ((at - 1, "one column to the left"), (at + 1, "one column to the right")):
            if 0 <= moved < len(labels):
                yield Variant(name, labels[moved], fight.toll(table, attackers, labels[moved]))


def _joining(battle: Battle) -> list[Units]:
    """Idle stacks of the attackers' side next to every target, whole as they must attack (13.5, 13.10)."""
    fight = battle.fight
    field, targets = fight.field, fight.targets
    near = [n for n in around(field, targets[0]) if all(n in around(field, m) for m in targets)]
    stacks = [
        tuple(s for s in field.stack(n, fight.side) if not static(s) and s not in battle.attackers)
        for n in near
        if front(field, n) == front(field, targets[0])
    ]
    return [stack for stack in stacks if stack]


def next_column(battle: Battle) -> Fraction | None:
    """How much more strength would start one column further right; None at the last."""
    worked, labels = battle.odds, battle.fight.field.game.tables[battle.table].columns.labels
    if worked.start is None or not worked.defense_strength or worked.start == labels[-1]:
        return None
    least = span(labels[labels.index(worked.start) + 1]).low
    return Fraction(least or 0) * worked.defense_strength / 100 - worked.attack_strength

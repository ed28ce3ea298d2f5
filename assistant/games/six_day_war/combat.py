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
    limit,
    static,
    strength,
    terrain,
)
from assistant.games.six_day_war.retreat import Retreat, back_together, too_many
from assistant.rules.field import Field, Standing
from scenarios.game import Game
from scenarios.tables import span

TABLES = ("mobile", "assault")
FORTIFIED = ("fortified_city", "fortification")
PARTIES = ("attacker", "defender")
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
class Result:
    """One result: its chance, who is eliminated, who retreats how, how far the winner may advance."""

    code: str
    chance: Fraction
    attackers_lost: Units
    defenders_lost: Units
    equals: Units
    """Units as strong as one that is lost: its owner may choose one of them instead (13.16)."""
    attacker_retreats: tuple[Retreat, ...]
    defender_retreats: tuple[Retreat, ...]
    advance: int
    recon_advance: int
    defender_advance: int

    @cached_property
    def no_room(self) -> Mapping[int, Fraction]:
        """How many of those who go back find no room, with the chances of a panic's die."""
        return too_many((*self.attacker_retreats, *self.defender_retreats))


@dataclass(frozen=True)
class Toll:
    """The chance that no defender is left in place, and how many units of each side are eliminated on average."""

    clears: Fraction
    lost: Mapping[str, Fraction]


class Fight:
    """Attacks of a side on some hexes, by whichever units. What a retreat does to a unit is worked out once."""

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
        self._after: dict[frozenset[Standing], Field] = {}
        self._alone: dict[tuple[Standing, str, frozenset[Standing]], Retreat] = {}

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

    def after(self, dead: frozenset[Standing]) -> Field:
        """The field when the dead are off it: they have no zone of control when the others go back."""
        if dead not in self._after:
            self._after[dead] = self.field.changed(gone=dead) if dead else self.field
        return self._after[dead]

    def back(self, standing: Standing, hexes: str, dead: frozenset[Standing]) -> Retreat:
        """What a retreat does to one unit, whatever the others do."""
        key = standing, hexes, dead
        if key not in self._alone:
            (self._alone[key],) = back_together(self.after(dead), [standing], hexes)
        return self._alone[key]

    def losers(self, units: Units, which: str) -> Units:
        """Who is eliminated: the weakest or the strongest by printed strength, all, or nobody (13.15, 13.16).

        Of equals the owner chooses; we name a static one first, then by id.
        """
        if which == "all":
            return units
        if which not in ("weakest", "strongest") or not units:
            return ()
        sign = 1 if which == "weakest" else -1
        return (min(units, key=lambda s: (sign * strength(s, self.field.game), not static(s), s.key)),)

    def result(self, table: str, code: str, chance: Fraction, attackers: Units, *, doubled: bool) -> Result:
        """What a result on one of the tables does to these units (13.15, 13.16, 15)."""
        game = self.field.game
        effects, fought = game.tables[table].results[code].effects, {"attacker": attackers, "defender": self.defenders}
        lost = {who: self.losers(units, effects.get(f"{who}_loses", "-")) for who, units in fought.items()}
        dead = frozenset((*lost["attacker"], *lost["defender"]))
        equals = tuple(s for who in PARTIES for s in self._equals(fought[who], lost[who]))
        back: dict[str, tuple[Retreat, ...]] = {}
        for who, units in fought.items():
            hexes = effects.get(f"{who}_retreats", "0")
            back[who] = back_together(self.after(dead), [s for s in units if s not in dead], hexes) if hexes != "0" else ()
        told = effects.get("attacker_advances", "0")
        left = [s for s in attackers if s not in dead and not static(s)]
        steps = int(told.split()[0]) if left and ("if" not in told or len(lost["defender"]) == len(self.defenders)) else 0
        steps *= int(limit(game, "enhanced_advance")) if doubled else 1
        scouts = steps and table == "mobile" and any("extra_advance" in s.unit.abilities for s in left)
        recon = steps + int(limit(game, "recon_advance")) if scouts else 0
        follow = int(effects.get("defender_advances", "0")) if not all(map(static, self.defenders)) else 0
        return Result(
            code, chance, lost["attacker"], lost["defender"], equals, back["attacker"], back["defender"], steps, recon, follow
        )

    def _equals(self, units: Units, lost: Units) -> Units:
        """Others of the same strength as the one that is lost (13.16)."""
        if len(lost) != 1:
            return ()
        game = self.field.game
        return tuple(s for s in units if s is not lost[0] and strength(s, game) == strength(lost[0], game))

    def toll(self, table: str, attackers: Units, label: str) -> Toll:
        """What an attack on a column comes to, on average."""
        held = self.field.game.tables[table]
        cleared, lost = Fraction(0), dict.fromkeys((self.side, foe(self.side)), Fraction(0))
        for code, chance in held.distribution(held.named_column(label)).items():
            effects = held.results[code].effects
            parties = {"attacker": attackers, "defender": self.defenders}
            dying = {who: self.losers(units, effects.get(f"{who}_loses", "-")) for who, units in parties.items()}
            dead = frozenset((*dying["attacker"], *dying["defender"]))
            stays = False
            for who, units in parties.items():
                hexes = effects.get(f"{who}_retreats", "0")
                left = [s for s in units if s not in dead]
                backs = [self.back(s, hexes, dead) for s in left] if hexes != "0" else []
                lost[units[0].side] += chance * (len(dying[who]) + sum(one.dies for one in backs))
                if who == "defender":
                    stays = any(one.stays for one in backs) if hexes != "0" else bool(left)
            cleared += 0 if stays else chance
        return Toll(cleared, lost)


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
    def results(self) -> tuple[Result, ...]:
        """Each result of the column, spelled out."""
        chances = self.odds.chances.items()
        return tuple(self.fight.result(self.table, code, p, self.attackers, doubled=self.doubled) for code, p in chances)

    @cached_property
    def gone(self) -> Mapping[Standing, Fraction]:
        """The chance that each unit is eliminated, by the result or for want of a way back."""
        gone = dict.fromkeys((*self.attackers, *self.defenders), Fraction(0))
        for one in self.results:
            for standing in (*one.attackers_lost, *one.defenders_lost):
                gone[standing] += one.chance
            for back in (*one.attacker_retreats, *one.defender_retreats):
                gone[back.standing] += one.chance * back.dies
        return gone

    @property
    def clears(self) -> Fraction:
        """The chance that no defender is left where he was: dead, or sure to have gone back."""
        return sum((one.chance for one in self.results if self._cleared(one)), Fraction(0))

    def _cleared(self, one: Result) -> bool:
        back = {retreat.standing for retreat in one.defender_retreats if not retreat.stays}
        return all(standing in one.defenders_lost or standing in back for standing in self.defenders)


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

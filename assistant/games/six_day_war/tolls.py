"""What an attack costs on average, for many sets of attackers against the same defenders."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from assistant.games.six_day_war.battle import Battle
from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.outcomes import ranked
from assistant.games.six_day_war.retreats import broken, risk


@dataclass(frozen=True)
class Toll:
    """The chance that no defender is left in place, and how many units of each side are eliminated on average."""

    clears: Fraction
    lost: Mapping[str, Fraction]


class Tolls:
    """The tolls of a battle fought by others of a pool of units. What a retreat does to each is worked out once."""

    def __init__(self, field: Field, battle: Battle, joining: Sequence[Stand]) -> None:
        self.field, self.battle = field, battle
        self.table = field.game.tables[battle.table]
        self.pool = (*battle.attackers, *joining, *battle.defenders)
        self.places = {
            which: {s: n for n, s in enumerate(ranked(field, self.pool, which))} for which in ("weakest", "strongest")
        }
        self.risks: dict[tuple[str, str, frozenset[Stand]], dict[Stand, tuple[Fraction, bool]]] = {}
        self.defense: dict[tuple[str, tuple[Stand, ...]], tuple[tuple[Stand, ...], Fraction | int, bool]] = {}
        self.throws: dict[str, tuple[list[tuple[str, int]], int]] = {}

    def of(self, attackers: tuple[Stand, ...], column: str) -> Toll:
        """What an attack on a column costs."""
        defenders = self.battle.defenders
        throws, of = self._throws(column)
        cleared = 0
        ours: Fraction | int = 0
        theirs: Fraction | int = 0
        for code, ways in throws:
            effects = self.table.results[code].effects
            dead = self._losers(attackers, effects.get("attacker_loses", "-"))
            fallen, lost, left = self._defense(code, dead)
            ours += ways * (len(dead) + self._dying(attackers, dead, effects.get("attacker_retreats", "0"), fallen)[0])
            theirs += ways * lost
            cleared += 0 if left else ways
        side, foe = attackers[0].side, defenders[0].side
        return Toll(Fraction(cleared, of), {side: Fraction(ours) / of, foe: Fraction(theirs) / of})

    def _defense(self, code: str, dead: tuple[Stand, ...]) -> tuple[tuple[Stand, ...], Fraction | int, bool]:
        """What a result does to the defenders with these attackers dead: who falls, how many die, whether anybody is left."""
        key = code, dead
        if key not in self.defense:
            effects, defenders = self.table.results[code].effects, self.battle.defenders
            fallen = self._losers(defenders, effects.get("defender_loses", "-"))
            dying, left = self._dying(defenders, fallen, effects.get("defender_retreats", "0"), dead)
            self.defense[key] = fallen, len(fallen) + dying, left
        return self.defense[key]

    def _throws(self, column: str) -> tuple[list[tuple[str, int]], int]:
        """The results of a column, each with its number of throws, and of how many."""
        if column not in self.throws:
            chances = self.table.distribution(self.table.named_column(column))
            of = lcm(*(chance.denominator for chance in chances.values()))
            self.throws[column] = [(code, int(chance * of)) for code, chance in chances.items()], of
        return self.throws[column]

    def _losers(self, stands: tuple[Stand, ...], which: str) -> tuple[Stand, ...]:
        """Who is eliminated (13.16)."""
        if which == "all":
            return stands
        return (min(stands, key=self.places[which].__getitem__),) if which in self.places and stands else ()

    def _dying(
        self, stands: Sequence[Stand], dead: Collection[Stand], hexes: str, enemies: Collection[Stand]
    ) -> tuple[Fraction | int, bool]:
        """How many of the living die of a retreat on average, and whether anybody may stay."""
        if hexes == "0":
            return 0, len(dead) < len(stands)
        risks = self._risks(stands[0].side, hexes, frozenset(enemies))
        if not risks:
            return 0, False
        known = [found for stand, found in risks.items() if stand in stands and stand not in dead]
        return sum(dies for dies, _ in known), any(stays for _, stays in known)

    def _risks(self, side: str, hexes: str, enemies: frozenset[Stand]) -> dict[Stand, tuple[Fraction, bool]]:
        """The units of a side that may die of a retreat, or may stay."""
        key = side, hexes, enemies
        if key not in self.risks:
            setting, risks = self.battle.setting, {}
            for stand in self.pool:
                if stand.side == side:
                    loose = broken(self.field, stand, setting.disintegrated)
                    risks[stand] = risk(self.field, stand, hexes, loose, enemies, setting.nullified)
            self.risks[key] = {stand: found for stand, found in risks.items() if any(found)}
        return self.risks[key]

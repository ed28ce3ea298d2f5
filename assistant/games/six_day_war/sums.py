"""The arithmetic of attacks on some hexes: what the map tells of them, and what the declared attack makes of it (13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.attacks import Answer, Value, odds, unit_fields
from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.ground import WATER
from assistant.shared.again import Again, Kept
from scenarios.expressions import names
from scenarios.game import Game
from scenarios.hexes import Hex, hexside
from scenarios.same import Same

TABLES = ("mobile", "assault")
FORTIFIED = ("fortified_city", "fortification")


@dataclass(frozen=True)
class Told:
    """What a player tells of an attack beside the units."""

    enhanced: bool = False
    airborne_surprise: bool = False
    shock_and_enhanced: bool = True
    shock_turn: bool | None = None
    """Where it isn't as the turn says."""


class Sums:
    """Attacks of a side on some hexes. What was worked out for some units is kept for others like them."""

    def __init__(self, field: Field, side: str, targets: Sequence[Hex], defenders: Sequence[Stand], told: Told) -> None:
        self.field, self.targets, self.defenders, self.told = field, targets, defenders, told
        shock = any(field.effects("free_enhanced", side)) if told.shock_turn is None else told.shock_turn
        self.shock = shock and side == "israeli"
        kinds = [field.table.terrain[hex] for hex in targets]
        self.terrain = min(kinds, key=lambda kind: (self._shift(kind), kind not in FORTIFIED))
        self.found: dict[tuple[object, ...], str | None] = {}
        self.alike: dict[tuple[str, tuple[object, ...]], dict[str, Value]] = {}
        self.kept: dict[str, Kept] = {}
        self.known: dict[tuple[str, Stand], dict[str, Value]] = {}

    def answer(self, table: str, attackers: Sequence[Stand]) -> Answer:
        """An attack on one of the tables."""
        groups = {"attackers": attackers, "defenders": self.defenders}
        fields = {key: [self._fields(s) for s in stands] for key, stands in groups.items()}
        return odds(self.field.game, table, fields, self._inputs(attackers, self.told.enhanced))

    def inputs(self, attackers: Sequence[Stand]) -> dict[str, Value]:
        """What the map and the player tell of an attack."""
        return self._inputs(attackers, self.told.enhanced)

    def column(self, table: str, attackers: Sequence[Stand], enhanced: bool) -> str | None:
        """The column of an attack, or None where it isn't allowed."""
        inputs = self._inputs(attackers, enhanced)
        groups = {"attackers": attackers, "defenders": self.defenders}
        alike = {key: [self._alike(table, s) for s in stands] for key, stands in groups.items()}
        key = (table, *inputs.values(), *sorted(map(id, alike["attackers"])))
        if key not in self.found:
            if table not in self.kept:
                self.kept[table] = Kept(self.field.game, table)
            attack = Again(self.kept[table], alike, inputs)
            column = None if attack.failures() else attack.column()
            self.found[key] = None if column is None else self.field.game.tables[table].columns.labels[column]
        return self.found[key]

    def _inputs(self, attackers: Sequence[Stand], enhanced: bool) -> dict[str, Value]:
        table, hexes = self.field.table, dict.fromkeys(s.hex for s in attackers)
        waters = [table.hexsides.get(hexside(a, b), frozenset()) & WATER for a in hexes for b in self.targets]
        wet = sorted({kind for water in waters for kind in water}, key=self._shift)
        return {
            "terrain": self.terrain,
            "hexside": wet[0] if wet and all(waters) else "none",
            "commanding": any(table.terrain[hex] == "commanding" for hex in hexes),
            "shock_turn": self.shock,
            "enhanced": enhanced,
            "airborne_surprise": self.told.airborne_surprise,
            "shock_and_enhanced": self.told.shock_and_enhanced,
        }

    def _shift(self, kind: str) -> int:
        return int(self.field.chart(kind, "shift"))

    def _fields(self, stand: Stand) -> dict[str, Value]:
        self.field.strength(stand)
        return _fields(Same(self.field.game), stand.unit.id, tuple(sorted(stand.piece.states)))

    def _alike(self, table: str, stand: Stand) -> dict[str, Value]:
        """The fields of the first unit that is the same in all that the attack looks at: it is worked out but once."""
        if (table, stand) not in self.known:
            fields = self._fields(stand)
            looked_at = tuple([fields.get(name) for name in _read(Same(self.field.game), table)])
            self.known[table, stand] = self.alike.setdefault((table, looked_at), fields)
        return self.known[table, stand]


@lru_cache(maxsize=512)
def _fields(game: Same[Game], unit: str, states: tuple[str, ...]) -> dict[str, Value]:
    return unit_fields(game.value, unit, states)


@lru_cache(maxsize=16)
def _read(game: Same[Game], attack_id: str) -> tuple[str, ...]:
    """All names that the formulas of an attack read."""
    attack = game.value.attacks[attack_id]
    shapes = attack.groups.values()
    read = [attack.column, *attack.values.values(), *(one.that for one in attack.requires)]
    read += [formula for one in attack.modifiers for formula in (one.when, one.effect[1] if one.effect else None)]
    read += [formula for shape in shapes for formula in (shape.strength, *shape.values.values())]
    inputs = {name for shape in shapes for name in shape.inputs}
    return tuple(sorted({name for one in read if one is not None for name in names(one.expression)} | inputs))

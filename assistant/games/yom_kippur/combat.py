"""Ground combat: the declared attack filled in from a position or from words, and what each result costs both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from assistant.attacks import Answer, BadQuestion, Value, odds, unit_fields
from assistant.games.yom_kippur.field import Field, Stand, other
from assistant.games.yom_kippur.ground import CANAL, MINOR
from assistant.games.yom_kippur.losses import Force
from assistant.games.yom_kippur.results import CombatResult, Mean, mean, results
from assistant.games.yom_kippur.umbrella import umbrellas
from assistant.shared.again import exact_sum
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex, hexside, neighbours
from scenarios.same import Same
from scenarios.tables import Table


@dataclass(frozen=True)
class Battle:
    """An attack before the dice: who fights whom, and what the declared attack asks. Without a field nobody has a hex."""

    game: Game
    mine: Force
    theirs: Force
    seen: Mapping[Stand, Mapping[str, Value]]
    """What the declared attack sees of each unit, with what an attacker attacks across."""
    inputs: Mapping[str, Value]

    @property
    def attackers(self) -> tuple[Stand, ...]:
        """Who attacks."""
        return self.mine.stands

    @property
    def defenders(self) -> tuple[Stand, ...]:
        """Who is attacked."""
        return self.theirs.stands

    @property
    def field(self) -> Field | None:
        """Where they stand, if anywhere."""
        return self.theirs.field

    @property
    def groups(self) -> dict[str, list[Mapping[str, Value]]]:
        """What the declared attack sees of them."""
        return {"attackers": [self.seen[s] for s in self.attackers], "defenders": [self.seen[s] for s in self.defenders]}

    @property
    def table(self) -> Table:
        """The Combat Results Table."""
        return self.game.tables[self.game.attacks["ground"].table]

    def helpers(self, group: str) -> tuple[Stand, ...]:
        """The headquarters and engineers that are stacked with the attackers, or with the defenders (1.5)."""
        stands = self.attackers if group == "attackers" else self.defenders
        if self.field is not None:
            held = self.field.helpers
            return tuple([s for hex in dict.fromkeys([s.hex for s in stands]) for s in held.get(hex, ())])
        return tuple(s for s in stands if "gives_shift" in s.unit.abilities and "bridge" not in s.piece.states)

    def by(self, mine: Force) -> Battle:
        """The same attack by others of its side."""
        if self.field is None:
            return replace(self, mine=mine)
        field, target = self.field, self.defenders[0].hex
        new = [s for s in mine.stands if s not in self.seen]
        water = {hex: _across(field, new[0].unit.side, hex, target) for hex in {s.hex for s in new}}
        fresh = {s: {**fields(self.game, s), **water[s.hex]} for s in new}
        battle = replace(self, mine=mine, seen={**self.seen, **fresh})
        inputs = {"road": _by_road(field, mine.stands, target), "attacker_helper": bool(battle.helpers("attackers"))}
        return replace(battle, inputs={**self.inputs, **inputs})

    def mean(self, column: int | None, stars: bool) -> Mean:
        """What it comes to on a column; `stars`: whether a star costs an Israeli armor step (3.6)."""
        return mean(self.mine, self.theirs, self.table, column, stars, self.follower)

    @property
    def follower(self) -> bool:
        """Whether a headquarters or engineer that only helps, and so loses no steps, can advance into the hex (1.5)."""
        field = self.field
        if field is None or self.inputs.get("attacker_helper") is not True:
            return False
        target, side = self.defenders[0].hex, self.attackers[0].unit.side
        bridges = field.bridges[side] | field.open_bridges[side]
        return any(
            s not in self.attackers
            and target in field.could_enter(s, s.hex, bridges)
            and not ("stays_west" in s.unit.abilities and target in field.ground.east)
            for s in self.helpers("attackers")
        )

    def given(self, **inputs: Value) -> Battle:
        """The same attack with other inputs."""
        return replace(self, inputs={**self.inputs, **inputs})


@dataclass(frozen=True)
class Combat:
    """A battle: the arithmetic, and every result spelled out for these units."""

    battle: Battle
    answer: Answer
    results: tuple[CombatResult, ...]

    def spread(self, of: Callable[[CombatResult], int]) -> Mapping[int, Fraction]:
        """The chance of each value of something that results have, such as the attacker's steps."""
        chances: dict[int, list[Fraction]] = {}
        for result in self.results:
            chances.setdefault(of(result), []).append(result.chance)
        return {value: exact_sum(chances[value]) for value in sorted(chances)}

    def expected(self, of: Callable[[CombatResult], int]) -> Fraction:
        """Its mean."""
        return exact_sum([result.chance for result in self.results], [of(result) for result in self.results])

    @property
    def attackers(self) -> tuple[Stand, ...]:
        """Who attacks."""
        return self.battle.attackers

    @property
    def defenders(self) -> tuple[Stand, ...]:
        """Who is attacked."""
        return self.battle.defenders

    @property
    def falls(self) -> Fraction:
        """The chance that the defenders' hex is left free."""
        return exact_sum([result.chance for result in self.results if result.hex_falls])

    @property
    def taken(self) -> Fraction:
        """The chance that an attacker is left who may advance into it."""
        return exact_sum([result.chance for result in self.results if result.hex_taken])

    @property
    def stars(self) -> bool:
        """Whether a star costs an Israeli armor step (3.6)."""
        return self.answer.values.get("star_counts") is True


def fields(game: Game, stand: Stand) -> Mapping[str, Value]:
    """What the declared attacks see of a unit."""
    reduced = stand.reduced and stand.unit.back is not None
    return _fields(Same(game), Same(stand.unit), stand.piece.states | {"reduced"} if reduced else stand.piece.states)


@lru_cache(maxsize=256)
def _fields(game: Same[Game], unit: Same[Unit], states: frozenset[str]) -> Mapping[str, Value]:
    return MappingProxyType(unit_fields(game.value, unit.value, sorted(states)))


def battle_of(
    field: Field, attackers: Sequence[Stand], target: Hex, *, israeli_air: int = 0, egyptian_air: int = 0,
    sam_zone_air: int = 0, overrun: bool = False, turn: int | None = None, rulings: Mapping[str, bool] | None = None,
    helper: bool | None = None,
) -> Battle:  # fmt: skip
    """An attack on a hex from where the attackers stand (1.5, 1.7, 1.9, 1.12, 1.13, 3.6).

    A headquarters or engineer stacked with an attacker helps, unless `helper` says otherwise.
    """
    if not attackers:
        raise BadQuestion(f"say who attacks: attackers; {_who_could(field, target)}")
    side = attackers[0].unit.side
    defenders = field.held[other(side)].get(target, ())
    name = field.ground.table.name
    if not defenders:
        raise BadQuestion(f"no enemy of {attackers[0].name} stands in {name(target)}")
    for stand in attackers:
        if target not in neighbours(stand.hex):
            where = f"{stand.name} in {name(stand.hex)} is not next to {name(target)}"
            raise BadQuestion(f"{where}; {_who_could(field, target)}")
    inputs: dict[str, Value] = {
        "terrain": field.ground.table.terrain[target],
        "defender_helper": any("gives_shift" in s.unit.abilities for s in defenders),
        "israeli_air": Fraction(israeli_air),
        "egyptian_air": Fraction(egyptian_air),
        "sam_zone_air": Fraction(sam_zone_air),
        "under_sam": bool(umbrellas(field, "egyptian", target)),
        "under_hawk": bool(umbrellas(field, "israeli", target)),
        "turn": Fraction(field.position.turn if turn is None else turn),
        "overrun": overrun,
        "allied_saggers": field.ground.reading("allies_atgm") == "side",
        **(rulings or {}),
    }
    game = field.ground.game
    theirs, seen = Force.of(defenders, "defender", field), {s: fields(game, s) for s in defenders}
    battle = Battle(game, Force.of((), "attacker", field), theirs, seen, inputs).by(Force.of(attackers, "attacker", field))
    return battle if helper is None else battle.given(attacker_helper=helper)


def _who_could(field: Field, target: Hex) -> str:
    """The half sentence that tells who stands next to a hex and could attack it."""
    where = field.ground.table.name(target)
    for side, held in field.held.items():
        if target in held:
            foes = field.held[other(side)]
            near = [s for hex in field.ground.near(target) for s in foes.get(hex, ()) if s.factor("attack") > 0]
            names = ", ".join(f"{s.name} in {field.ground.table.name(s.hex)}" for s in near[:6])
            return f"next to {where} stand {names}" if names else f"nobody who could stands next to {where}"
    return f"nobody stands in {where}"


def fight(battle: Battle) -> Combat:
    """The arithmetic of a battle, and its results."""
    answer = odds(battle.game, "ground", battle.groups, battle.inputs)
    return Combat(battle, answer, results(
        battle.mine, battle.theirs, battle.table, answer.chances, answer.values.get("star_counts") is True,
        battle.follower,
    ))  # fmt: skip


def ground_combat(field: Field, attackers: Sequence[Stand], target: Hex, **told: Any) -> Combat:
    """An attack on a hex: `battle_of`, fought."""
    return fight(battle_of(field, attackers, target, **told))


def _across(field: Field, side: str, hex: Hex, target: Hex) -> dict[str, Value]:
    """The water that a side attacks over from a hex, and whether a bridge lies there (1.13b)."""
    over = hexside(hex, target)
    kinds = field.ground.table.hexsides.get(over, frozenset())
    water = sorted(kinds & CANAL) or ["minor_canal" for kind in kinds & MINOR]
    return {"across": water[0] if water else "none", "bridged": field.bridged(side, over)}


def _by_road(field: Field, attackers: Sequence[Stand], target: Hex) -> bool:
    """Whether all who need one come along a road (1.4a)."""
    starts = {s.hex for s in attackers if s.kind == "mechanized"}
    return bool(starts) and all(field.ground.by_road(hex, target) for hex in starts)

"""Ground combat: the declared attack filled in from a position or from words, and what each result costs both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from assistant.attacks import Answer, BadQuestion, Value, odds, unit_fields
from assistant.games.yom_kippur.field import Field, Stand, other
from assistant.games.yom_kippur.ground import CANAL, MINOR
from assistant.games.yom_kippur.losses import Share, share
from assistant.games.yom_kippur.umbrella import umbrellas
from scenarios.game import Game
from scenarios.hexes import Hex, hexside, neighbours
from scenarios.tables import Table


@dataclass(frozen=True)
class Battle:
    """An attack before the dice: who fights whom, and what the declared attack asks. Without a field nobody has a hex."""

    game: Game
    attackers: tuple[Stand, ...]
    defenders: tuple[Stand, ...]
    told: Mapping[Stand, Mapping[str, Value]]
    """What each attacker attacks across."""
    inputs: Mapping[str, Value]
    field: Field | None = None

    @property
    def table(self) -> Table:
        """The Combat Results Table."""
        return self.game.tables[self.game.attacks["ground"].table]

    def helpers(self, group: str) -> tuple[Stand, ...]:
        """The headquarters and engineers that are stacked with the attackers, or with the defenders (1.5)."""
        stands = self.attackers if group == "attackers" else self.defenders
        if self.field is not None:
            held = self.field.held[stands[0].unit.side]
            stands = tuple(s for hex in dict.fromkeys(s.hex for s in stands) for s in held.get(hex, ()))
        return tuple(s for s in stands if "gives_shift" in s.unit.abilities and "bridge" not in s.piece.states)

    def by(self, attackers: Sequence[Stand]) -> Battle:
        """The same attack by others of its side."""
        if self.field is None:
            return replace(self, attackers=tuple(attackers))
        told = {s: _across(self.field, s, self.defenders[0].hex) for s in attackers}
        battle = replace(self, attackers=tuple(attackers), told=told)
        tracked = [s for s in attackers if s.kind == "mechanized"]
        inputs = {
            "road": bool(tracked) and all(self.field.ground.by_road(s.hex, self.defenders[0].hex) for s in tracked),
            "attacker_helper": bool(battle.helpers("attackers")),
        }
        return replace(battle, inputs={**self.inputs, **inputs})

    def given(self, **inputs: Value) -> Battle:
        """The same attack with other inputs."""
        return replace(self, inputs={**self.inputs, **inputs})


@dataclass(frozen=True)
class CombatResult:
    """One result of the table: its chance and what it does."""

    code: str
    chance: Fraction
    attacker: Share
    defender: Share
    hex_falls: bool


@dataclass(frozen=True)
class Combat:
    """A battle: the arithmetic, and every result spelled out for these units."""

    battle: Battle
    answer: Answer
    results: tuple[CombatResult, ...]

    def spread(self, of: Callable[[CombatResult], int]) -> Mapping[int, Fraction]:
        """The chance of each value of something that results have, such as the attacker's steps."""
        chances: dict[int, Fraction] = {}
        for result in self.results:
            chances[of(result)] = chances.get(of(result), Fraction(0)) + result.chance
        return dict(sorted(chances.items()))

    def expected(self, of: Callable[[CombatResult], int]) -> Fraction:
        """Its mean."""
        return sum((result.chance * of(result) for result in self.results), Fraction(0))

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
        return sum((result.chance for result in self.results if result.hex_falls), Fraction(0))

    @property
    def stars(self) -> bool:
        """Whether a star costs an Israeli armor step (3.6)."""
        return self.answer.values.get("star_counts") is True


def fields(game: Game, stand: Stand) -> dict[str, Value]:
    """What the declared attacks see of a unit."""
    states = set(stand.piece.states) | ({"reduced"} if stand.reduced and stand.unit.back is not None else set())
    return unit_fields(game, stand.unit, sorted(states))


def battle_of(
    field: Field, attackers: Sequence[Stand], target: Hex, *, israeli_air: int = 0, egyptian_air: int = 0,
    sam_zone_air: int = 0, overrun: bool = False, turn: int | None = None, rulings: Mapping[str, bool] | None = None,
    helper: bool | None = None,
) -> Battle:  # fmt: skip
    """An attack on a hex from where the attackers stand (1.5, 1.7, 1.9, 1.12, 1.13, 3.6).

    A headquarters or engineer stacked with an attacker helps, unless `helper` says otherwise.
    """
    if not attackers:
        raise BadQuestion("say who attacks: attackers")
    side = attackers[0].unit.side
    defenders = field.held[other(side)].get(target, ())
    name = field.ground.table.name
    if not defenders:
        raise BadQuestion(f"no enemy of {attackers[0].name} stands in {name(target)}")
    for stand in attackers:
        if target not in neighbours(stand.hex):
            raise BadQuestion(f"{stand.name} in {name(stand.hex)} is not next to {name(target)}")
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
        **(rulings or {}),
    }
    battle = Battle(field.ground.game, (), defenders, {}, inputs, field).by(attackers)
    return battle if helper is None else battle.given(attacker_helper=helper)


def fight(battle: Battle) -> Combat:
    """The arithmetic of a battle, and its results."""
    groups = {
        "attackers": [{**fields(battle.game, s), **battle.told.get(s, {})} for s in battle.attackers],
        "defenders": [fields(battle.game, s) for s in battle.defenders],
    }
    answer = odds(battle.game, "ground", groups, battle.inputs)
    return _solved(Combat(battle, answer, ()))


def ground_combat(field: Field, attackers: Sequence[Stand], target: Hex, **told: Any) -> Combat:
    """An attack on a hex: `battle_of`, fought."""
    return fight(battle_of(field, attackers, target, **told))


def shifted(combat: Combat, shift: int) -> Combat | None:
    """The same battle some columns further; None beyond the end of the table."""
    table = combat.battle.table
    if combat.answer.column is None:
        return None
    place = table.named_column(combat.answer.column) + shift
    if not 0 <= place < len(table.columns.labels):
        return None
    answer = replace(combat.answer, column=table.columns.labels[place], chances=table.distribution(place))
    return _solved(replace(combat, answer=answer))


def _across(field: Field, stand: Stand, target: Hex) -> dict[str, Value]:
    """The water an attacker attacks over, and whether a bridge lies there, anybody's (1.13b, ruling enemy_bridges)."""
    over = hexside(stand.hex, target)
    kinds = field.ground.table.hexsides.get(over, frozenset())
    water = sorted(kinds & CANAL) or ["minor_canal" for kind in kinds & MINOR]
    bridged = any(over in bridges for bridges in field.bridges.values())
    return {"across": water[0] if water else "none", "bridged": bridged}


def _solved(combat: Combat) -> Combat:
    """A battle with its results spelled out."""
    battle, stars, found = combat.battle, combat.stars, []
    for code, chance in combat.answer.chances.items():
        outcome = battle.table.results[code]
        # Steps first, on both sides; who dies of them has no zone when the others go back.
        killed = share(battle.field, battle.attackers, outcome, "attacker", stars).dead
        theirs = share(battle.field, battle.defenders, outcome, "defender", stars, killed)
        mine = share(battle.field, battle.attackers, outcome, "attacker", stars, theirs.dead)
        rooted = any("stands_fast" in s.unit.abilities and s not in theirs.dead for s in battle.defenders)
        falls = theirs.dead == frozenset(battle.defenders) or (theirs.retreat > 0 and not rooted)
        found.append(CombatResult(code, chance, mine, theirs, falls))
    return replace(combat, results=tuple(found))

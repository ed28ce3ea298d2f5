"""Ground combat: the declared attack filled in from a position, and what each result costs both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assistant.attacks import Answer, BadQuestion, Value, odds, unit_fields
from assistant.games.yom_kippur.field import Field, Stand, other
from assistant.games.yom_kippur.ground import CANAL, MINOR
from assistant.games.yom_kippur.losses import Share, share
from assistant.games.yom_kippur.umbrella import umbrellas
from scenarios.hexes import Hex, hexside, neighbours


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

    answer: Answer
    attackers: tuple[Stand, ...]
    defenders: tuple[Stand, ...]
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
    def falls(self) -> Fraction:
        """The chance that the defenders' hex is left free."""
        return sum((result.chance for result in self.results if result.hex_falls), Fraction(0))

    @property
    def stars(self) -> bool:
        """Whether a star costs an Israeli armor step (3.6)."""
        return self.answer.values.get("star_counts") is True


def fields(field: Field, stand: Stand) -> dict[str, Value]:
    """What the declared attacks see of a unit."""
    states = set(stand.piece.states) | ({"reduced"} if stand.reduced and stand.unit.back is not None else set())
    return unit_fields(field.ground.game, stand.unit, sorted(states))


def ground_combat(
    field: Field, attackers: Sequence[Stand], target: Hex, *, israeli_air: int = 0, egyptian_air: int = 0,
    sam_zone_air: int = 0, overrun: bool = False, turn: int | None = None, rulings: Mapping[str, bool] | None = None,
    helper: bool | None = None,
) -> Combat:  # fmt: skip
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
    helpers = [s for hex in {a.hex for a in attackers} for s in field.held[side].get(hex, ())]
    tracked = [s for s in attackers if s.kind == "mechanized"]
    inputs: dict[str, Value] = {
        "terrain": field.ground.table.terrain[target],
        "road": bool(tracked) and all(field.ground.by_road(s.hex, target) for s in tracked),
        "attacker_helper": any("gives_shift" in s.unit.abilities for s in helpers) if helper is None else helper,
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
    groups = {
        "attackers": [fields(field, s) | _across(field, s, target) for s in attackers],
        "defenders": [fields(field, s) for s in defenders],
    }
    answer = odds(field.ground.game, "ground", groups, inputs)
    combat = Combat(answer, tuple(attackers), defenders, ())
    return replace(combat, results=_results(field, combat))


def shifted(field: Field, combat: Combat, shift: int) -> Combat | None:
    """The same battle some columns further; None beyond the end of the table."""
    table = field.ground.game.tables[field.ground.game.attacks["ground"].table]
    if combat.answer.column is None:
        return None
    place = table.named_column(combat.answer.column) + shift
    if not 0 <= place < len(table.columns.labels):
        return None
    answer = replace(combat.answer, column=table.columns.labels[place], chances=table.distribution(place))
    moved = replace(combat, answer=answer)
    return replace(moved, results=_results(field, moved))


def _across(field: Field, stand: Stand, target: Hex) -> dict[str, Value]:
    """The water an attacker attacks over, and whether a bridge lies there, anybody's (1.13b, ruling enemy_bridges)."""
    over = hexside(stand.hex, target)
    kinds = field.ground.table.hexsides.get(over, frozenset())
    water = sorted(kinds & CANAL) or ["minor_canal" for kind in kinds & MINOR]
    bridged = any(over in bridges for bridges in field.bridges.values())
    return {"across": water[0] if water else "none", "bridged": bridged}


def _results(field: Field, combat: Combat) -> tuple[CombatResult, ...]:
    table = field.ground.game.tables[field.ground.game.attacks["ground"].table]
    found = []
    for code, chance in combat.answer.chances.items():
        outcome = table.results[code]
        # Steps first, on both sides; who dies of them has no zone when the others go back.
        killed = share(field, combat.attackers, outcome, "attacker", combat.stars).dead
        theirs = share(field, combat.defenders, outcome, "defender", combat.stars, killed)
        mine = share(field, combat.attackers, outcome, "attacker", combat.stars, theirs.dead)
        rooted = any("stands_fast" in s.unit.abilities and s not in theirs.dead for s in combat.defenders)
        falls = theirs.dead == frozenset(combat.defenders) or (theirs.retreat > 0 and not rooted)
        found.append(CombatResult(code, chance, mine, theirs, falls))
    return tuple(found)

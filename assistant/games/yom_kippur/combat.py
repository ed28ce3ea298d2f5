"""Ground combat: the declared attack filled in from a position, and what each result costs both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assistant.attacks import Answer, BadQuestion, Value, odds, unit_fields
from assistant.games.yom_kippur.field import Field, Stand, other
from assistant.games.yom_kippur.ground import CANAL, MINOR
from scenarios.hexes import Hex, distance, hexside, neighbours
from scenarios.tables import Outcome


@dataclass(frozen=True)
class Loss:
    """Steps that one unit loses, and what becomes of it."""

    name: str
    steps: int
    left: int


@dataclass(frozen=True)
class Share:
    """What a result does to one side. `sagger` is the step that a star costs (3.6)."""

    steps: int
    sagger: int
    retreat: int
    losses: tuple[Loss, ...]

    @property
    def total(self) -> int:
        """Steps that are really lost."""
        return sum(loss.steps for loss in self.losses)


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


def umbrellas(field: Field, side: str, hex: Hex) -> tuple[Stand, ...]:
    """The missile units of a side that have a hex in range (1.10)."""
    return tuple(s for s in field.of(side) if "umbrella" in s.unit.abilities and distance(s.hex, hex) <= s.factor("sam_range"))


def fields(field: Field, stand: Stand) -> dict[str, Value]:
    """What the declared attacks see of a unit."""
    states = set(stand.piece.states) | ({"reduced"} if stand.reduced and stand.unit.back is not None else set())
    return unit_fields(field.ground.game, stand.unit, sorted(states))


def ground_combat(
    field: Field, attackers: Sequence[Stand], target: Hex, *, israeli_air: int = 0, egyptian_air: int = 0,
    sam_zone_air: int = 0, overrun: bool = False, turn: int | None = None, rulings: Mapping[str, bool] | None = None,
) -> Combat:  # fmt: skip
    """An attack on a hex from where the attackers stand (1.5, 1.7, 1.9, 1.12, 1.13, 3.6)."""
    if not attackers:
        raise BadQuestion("say who attacks")
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
        "attacker_helper": any("gives_shift" in s.unit.abilities for s in helpers),
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
        "attackers": [fields(field, s) | _across(field, side, s, target) for s in attackers],
        "defenders": [fields(field, s) for s in defenders],
    }
    answer = odds(field.ground.game, "ground", groups, inputs)
    return Combat(answer, _results(field, answer, tuple(attackers), defenders))


def _across(field: Field, side: str, stand: Stand, target: Hex) -> dict[str, Value]:
    """The water an attacker attacks over, and whether his side has a bridge there (1.13b)."""
    over = hexside(stand.hex, target)
    kinds = field.ground.table.hexsides.get(over, frozenset())
    water = sorted(kinds & CANAL) or ["minor_canal" for kind in kinds & MINOR]
    bridged = over in field.bridges[side] or over in field.bridges[other(side)]
    return {"across": water[0] if water else "none", "bridged": bridged}


def _results(
    field: Field, answer: Answer, attackers: tuple[Stand, ...], defenders: tuple[Stand, ...]
) -> tuple[CombatResult, ...]:
    table = field.ground.game.tables[field.ground.game.attacks["ground"].table]
    stars = any(applied.rule == "3.6" for applied in answer.applied)
    found = []
    for code, chance in answer.chances.items():
        outcome = table.results[code]
        mine = share(attackers, outcome, "attacker", "attack", stars)
        theirs = share(defenders, outcome, "defender", "defense", stars)
        dead = theirs.total >= sum(stand.steps for stand in defenders)
        rooted = any("stands_fast" in stand.unit.abilities for stand in defenders)
        falls = dead or (theirs.retreat > 0 and not rooted)
        found.append(CombatResult(code, chance, mine, theirs, falls))
    return tuple(found)


def share(stands: tuple[Stand, ...], outcome: Outcome, who: str, strength: str, stars: bool) -> Share:
    """What a result does to one side: steps from the strongest first, the star from armor, retreats of forts as steps."""
    effects = outcome.effects
    steps, retreat = int(effects.get(f"{who}_steps", "0")), int(effects.get(f"{who}_retreat", "0"))
    armor = [s for s in stands if "pure_armor" in s.unit.abilities and s.unit.nation == "israel"]
    sagger = int(stars and effects.get(f"{who}_star") == "true" and bool(armor))
    left = {id(s): s.steps for s in stands}
    lost = dict.fromkeys(left, 0)

    def hit(stand: Stand, count: int = 1) -> int:
        count = min(count, left[id(stand)])
        left[id(stand)] -= count
        lost[id(stand)] += count
        return count

    # The strongest loses first, then each in turn before anybody loses again (ruling combat_losses).
    due = steps
    order = sorted(stands, key=lambda s: (-s.factor(strength), s.key))
    while due and any(left.values()):
        for stand in order:
            due -= hit(stand) if due else 0
    # The owner picks whose armor step the Saggers take: a unit that lives on if he can (3.6).
    alive = sorted((s for s in armor if left[id(s)]), key=lambda s: (left[id(s)] == 1, s.factor(strength), s.key))
    for stand in alive[:sagger]:
        hit(stand)
    for stand in stands:
        if "stands_fast" in stand.unit.abilities:
            hit(stand, retreat)
    losses = tuple(Loss(s.name, lost[id(s)], left[id(s)]) for s in stands if lost[id(s)])
    return Share(steps, min(sagger, len(alive)), retreat, losses)

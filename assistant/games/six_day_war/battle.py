"""Ground combat: percentage, choice of table, and each result spelled out for the units at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from assistant.attacks import Answer, BadQuestion, Value, odds, unit_fields
from assistant.games.six_day_war.field import WATER, Field, Stand, other
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.hexes import Hex, hexside, neighbours

TABLES = ("mobile", "assault")


def column(game: Game, attack: Fraction | int, defense: Fraction | int, shift: int = 0, table: str = "assault") -> str:
    """The column of two strengths: percent, from the end column if beyond it, then shifted (13.12, 13.14)."""
    held = game.tables[table]
    if defense <= 0:
        raise BadQuestion("the defense strength is 0: there is no percentage to find")
    start = held.find_column(Fraction(attack) / Fraction(defense) * 100)
    return held.columns.labels[held.shifted(0 if start is None else start, shift)]


@dataclass(frozen=True)
class Retreat:
    """What a retreat does to a unit: the chance that it dies of it, and where it may go for one hex."""

    name: str
    dies: Fraction
    to: tuple[Hex, ...]
    why: str


@dataclass(frozen=True)
class Result:
    """One result: its chance, who is eliminated, who retreats how, how far the winner may advance."""

    code: str
    chance: Fraction
    meaning: str
    attackers_lost: tuple[str, ...]
    defenders_lost: tuple[str, ...]
    attacker_retreats: tuple[Retreat, ...]
    defender_retreats: tuple[Retreat, ...]
    advance: int
    recon_advance: int


@dataclass(frozen=True)
class Battle:
    """An attack on one of the two tables."""

    table: str
    answer: Answer
    results: tuple[Result, ...]
    gone: dict[str, Fraction]
    """The chance that each unit is eliminated, by the result or for want of a way back."""


def battles(
    field: Field, attackers: Sequence[Stand], target: Hex, *, shock_turn: bool | None = None, enhanced: bool = False,
    airborne_surprise: bool = False, disintegrated: frozenset[str] = frozenset(), shock_and_enhanced: bool = True,
) -> tuple[Battle, ...]:  # fmt: skip
    """An attack on a hex on each table the attacker may choose; both with what forbids them if none may (13.13)."""
    if not attackers:
        raise BadQuestion("say who attacks")
    side = attackers[0].side
    defenders = field.held[other(side)].get(target, ())
    name = field.table.name
    if not defenders:
        raise BadQuestion(f"no enemy of {attackers[0].name} stands in {name(target)}")
    for stand in attackers:
        if target not in neighbours(stand.hex):
            raise BadQuestion(f"{stand.name} in {name(stand.hex)} is not next to {name(target)}")
    waters = [field.table.hexsides.get(hexside(s.hex, target), frozenset()) & WATER for s in attackers]
    first_day = field.position.turn == 1 if shock_turn is None else shock_turn
    inputs: dict[str, Value] = {
        "terrain": field.table.terrain[target],
        "hexside": min(waters[0]) if all(waters) else "none",
        "commanding": any(field.table.terrain[s.hex] == "commanding" for s in attackers),
        "shock_turn": first_day and side == "israeli",
        "enhanced": enhanced,
        "airborne_surprise": airborne_surprise,
        "shock_and_enhanced": shock_and_enhanced,
    }
    groups = {
        "attackers": [_fields(field, s) for s in attackers],
        "defenders": [_fields(field, s) for s in defenders],
    }
    doubled = enhanced or bool(inputs["shock_turn"])
    answers = {table: odds(field.game, table, groups, inputs) for table in TABLES}
    allowed = [table for table in TABLES if not answers[table].failures] or list(TABLES)
    return tuple(
        _battle(field, table, answers[table], tuple(attackers), defenders, doubled, disintegrated) for table in allowed
    )


def _fields(field: Field, stand: Stand) -> dict[str, Value]:
    return unit_fields(field.game, stand.unit, sorted(stand.piece.states))


def losers(stands: tuple[Stand, ...], which: str) -> tuple[Stand, ...]:
    """Who is eliminated: the weakest or the strongest by printed strength, all, or nobody (13.15, 13.16).

    Of equals the owner chooses; we name a static one first, then by id.
    """
    if which == "all":
        return stands
    if which not in ("weakest", "strongest") or not stands:
        return ()
    sign = 1 if which == "weakest" else -1
    return (min(stands, key=lambda s: (sign * s.strength, not s.static, s.key)),)


def retreat(field: Field, stand: Stand, hexes: str, broken: bool) -> Retreat:
    """What a retreat of one hex, or a panic of a die, does to a unit (14.2, 14.3, 14.5, 21.3)."""
    if broken and hexes != "1":
        return Retreat(stand.name, Fraction(1), (), "panic on a disintegrated front (21.3)")
    if not broken and field.protects(stand.hex, stand.side):
        return Retreat(stand.name, Fraction(0), (stand.hex,), "may stay (14.5)")
    if stand.static:
        return Retreat(stand.name, Fraction(1), (), "static (14.3)")
    far = {1: Fraction(1)} if hexes == "1" and not broken else dict(dice("1d6"))
    dies = sum((chance for count, chance in far.items() if not field.retreats(stand, count)), Fraction(0))
    why = "" if len(far) == 1 else "panic, moved by the enemy (14.2)"
    return Retreat(stand.name, dies, tuple(sorted(field.retreats(stand, 1))), why)


def _battle(
    field: Field, table: str, answer: Answer, attackers: tuple[Stand, ...], defenders: tuple[Stand, ...],
    doubled: bool, disintegrated: frozenset[str],
) -> Battle:  # fmt: skip
    def broken(stand: Stand) -> bool:
        return (
            stand.side == "arab"
            and "keeps_order" not in stand.unit.abilities
            and (field.front(stand.hex) in disintegrated or "disintegrated" in stand.piece.states)
        )

    gone = {stand.name: Fraction(0) for stand in (*attackers, *defenders)}
    results = []
    held = field.game.tables[table]
    for code, chance in answer.chances.items():
        effects = held.results[code].effects
        parts: dict[str, tuple[tuple[Stand, ...], tuple[Retreat, ...]]] = {}
        for who, stands in (("attacker", attackers), ("defender", defenders)):
            lost = losers(stands, effects.get(f"{who}_loses", "-"))
            hexes = effects.get(f"{who}_retreats", "0")
            left = [s for s in stands if s not in lost] if hexes != "0" else []
            back = tuple(retreat(field, s, hexes, broken(s)) for s in left)
            parts[who] = lost, back
            for stand in lost:
                gone[stand.name] += chance
            for one in back:
                gone[one.name] += chance * one.dies
        told = effects.get("attacker_advances", "0")
        free = len(parts["defender"][0]) == len(defenders)
        steps = int(told.split()[0]) if "if" not in told or free else 0
        steps *= 2 if doubled else 1
        recon = steps + 1 if steps and table == "mobile" and any("extra_advance" in s.unit.abilities for s in attackers) else 0
        results.append(
            Result(
                code, chance, held.results[code].meaning,
                tuple(s.name for s in parts["attacker"][0]), tuple(s.name for s in parts["defender"][0]),
                parts["attacker"][1], parts["defender"][1], steps, recon,
            )
        )  # fmt: skip
    return Battle(table, answer, tuple(results), gone)

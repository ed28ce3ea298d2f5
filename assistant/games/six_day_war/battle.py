"""Ground combat: percentage, choice of table, and each result spelled out for the units at hand."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from fractions import Fraction

from assistant.attacks import Answer, BadQuestion, Value, odds, unit_fields
from assistant.games.six_day_war.field import Field, Stand, other
from assistant.games.six_day_war.ground import WATER
from assistant.games.six_day_war.retreats import Retreat, broken, retreat
from scenarios.game import Game
from scenarios.hexes import Hex, hexside, neighbours

TABLES = ("mobile", "assault")
FORTIFIED = ("fortified_city", "fortification")


def column(game: Game, attack: Fraction | int, defense: Fraction | int, shift: int = 0, table: str = "assault") -> str:
    """The column of two strengths: percent, from the end column if beyond it, then shifted (13.12, 13.14)."""
    held = game.tables[table]
    if defense <= 0:
        raise BadQuestion("the defense strength is 0: there is no percentage to find")
    start = held.find_column(Fraction(attack) / Fraction(defense) * 100)
    return held.columns.labels[held.shifted(0 if start is None else start, shift)]


@dataclass(frozen=True)
class Result:
    """One result: its chance, who is eliminated, who retreats how, how far the winner may advance."""

    code: str
    chance: Fraction
    meaning: str
    attackers_lost: tuple[Stand, ...]
    defenders_lost: tuple[Stand, ...]
    equals: tuple[Stand, ...]
    """Units as strong as one that is lost: its owner may choose one of them instead (13.16)."""
    attacker_retreats: tuple[Retreat, ...]
    defender_retreats: tuple[Retreat, ...]
    advance: int
    recon_advance: int
    defender_advance: int


@dataclass(frozen=True)
class Setting:
    """What bears on every result: doubled advances (15.5), broken fronts (21.3), works that don't count (20.5)."""

    doubled: bool
    disintegrated: AbstractSet[str]
    nullified: AbstractSet[Hex]


@dataclass(frozen=True)
class Battle:
    """An attack on one of the two tables."""

    table: str
    answer: Answer
    setting: Setting
    attackers: tuple[Stand, ...]
    defenders: tuple[Stand, ...]
    results: tuple[Result, ...]
    gone: dict[str, Fraction]
    """The chance that each unit is eliminated, by the result or for want of a way back."""

    def lost(self, side: str) -> Fraction:
        """How many units of a side are eliminated on average."""
        return sum((self.gone[s.key] for s in (*self.attackers, *self.defenders) if s.side == side), Fraction(0))

    @property
    def clears(self) -> Fraction:
        """The chance that no defender is left where he was: dead, or sure to have gone back."""
        return sum((one.chance for one in self.results if self._cleared(one)), Fraction(0))

    def _cleared(self, one: Result) -> bool:
        back = {r.stand for r in one.defender_retreats if not r.stays}
        return all(stand in one.defenders_lost or stand in back for stand in self.defenders)


def battles(
    field: Field, attackers: Sequence[Stand], targets: Sequence[Hex], *, enhanced: bool = False,
    airborne_surprise: bool = False, disintegrated: AbstractSet[str] = frozenset(), shock_and_enhanced: bool = True,
    shock_turn: bool | None = None, table: str = "",
) -> tuple[Battle, ...]:  # fmt: skip
    """An attack on a hex (or on several at once, 13.5) on each table the attacker may choose (13.13); if he may choose none,
    on the one with the fewest objections. With `table` on that one only, or BadQuestion tells why not."""
    defenders = _checked(field, attackers, targets)
    side = attackers[0].side
    if airborne_surprise and [field.table.terrain[hex] for hex in targets] != ["fortification"]:
        raise BadQuestion("airborne surprise is for an attack on one fortification (20.5)")
    terrain = min((field.table.terrain[hex] for hex in targets), key=lambda kind: (_shift(field, kind), kind not in FORTIFIED))
    waters = [field.table.hexsides.get(hexside(s.hex, hex), frozenset()) & WATER for s in attackers for hex in targets]
    wet = sorted({kind for water in waters for kind in water}, key=lambda kind: _shift(field, kind))
    shock = any(field.effects("free_enhanced", side)) if shock_turn is None else shock_turn
    inputs: dict[str, Value] = {
        "terrain": terrain,
        "hexside": wet[0] if wet and all(waters) else "none",
        "commanding": any(field.table.terrain[s.hex] == "commanding" for s in attackers),
        "shock_turn": shock and side == "israeli",
        "enhanced": enhanced,
        "airborne_surprise": airborne_surprise,
        "shock_and_enhanced": shock_and_enhanced,
    }
    groups = {
        "attackers": [_fields(field, s) for s in attackers],
        "defenders": [_fields(field, s) for s in defenders],
    }
    answers = {one: odds(field.game, one, groups, inputs) for one in TABLES}
    nullified = answers["assault"].values["nullified"] is True
    walled = [hex for hex in targets if field.table.terrain[hex] in FORTIFIED]
    allowed = [
        one for one in TABLES if not answers[one].failures and (one == "assault" or not walled or nullified)
    ] or [min(reversed(TABLES), key=lambda one: len(answers[one].failures))]
    if table and table not in allowed:
        why = answers[table].failures or ("a fortified city or a fortification is among the hexes attacked (13.13)",)
        raise BadQuestion(f"the {table} table may not be chosen: {'; '.join(why)}")
    bare = frozenset(targets) if nullified else frozenset[Hex]()
    setting = Setting(enhanced or bool(inputs["shock_turn"]), disintegrated, bare)
    chosen = [table] if table else allowed
    return tuple(_battle(field, one, answers[one], setting, tuple(attackers), defenders) for one in chosen)


def shifted(field: Field, battle: Battle, shift: int) -> Battle | None:
    """The same battle some columns further; None beyond the end of the table."""
    table = field.game.tables[battle.table]
    if battle.answer.column is None:
        return None
    place = table.named_column(battle.answer.column) + shift
    if not 0 <= place < len(table.columns.labels):
        return None
    answer = replace(battle.answer, column=table.columns.labels[place], chances=table.distribution(place))
    return _battle(field, battle.table, answer, battle.setting, battle.attackers, battle.defenders)


def _checked(field: Field, attackers: Sequence[Stand], targets: Sequence[Hex]) -> tuple[Stand, ...]:
    """The defenders, if everybody is where he has to be (13.5)."""
    if not attackers:
        raise BadQuestion("say who attacks: attackers")
    if not targets:
        raise BadQuestion("say which hex is attacked: target")
    name = field.table.name
    found: list[Stand] = []
    for hex in targets:
        there = field.held[other(attackers[0].side)].get(hex, ())
        if not there:
            raise BadQuestion(f"no enemy of {attackers[0].name} stands in {name(hex)}")
        for stand in attackers:
            if hex not in neighbours(stand.hex):
                raise BadQuestion(f"{stand.name} in {name(stand.hex)} is not next to {name(hex)} (13.5)")
            if field.front(stand.hex) != field.front(hex):
                raise BadQuestion(f"nobody attacks across the front boundary, as from {name(stand.hex)} into {name(hex)} (5.7)")
        found += there
    return tuple(found)


def left_out(field: Field, attackers: Sequence[Stand]) -> tuple[Stand, ...]:
    """Mobile units stacked with attackers: they have to take part too (13.10)."""
    side = attackers[0].side
    return tuple(
        s
        for hex in dict.fromkeys(a.hex for a in attackers)
        for s in field.held[side].get(hex, ())
        if s not in attackers and not s.static
    )


def _shift(field: Field, kind: str) -> int:
    return int(field.chart(kind, "shift"))


def _fields(field: Field, stand: Stand) -> dict[str, Value]:
    field.strength(stand)
    return unit_fields(field.game, stand.unit, sorted(stand.piece.states))


def losers(field: Field, stands: tuple[Stand, ...], which: str) -> tuple[Stand, ...]:
    """Who is eliminated: the weakest or the strongest by printed strength, all, or nobody (13.15, 13.16).

    Of equals the owner chooses; we name a static one first, then by id.
    """
    if which == "all":
        return stands
    if which not in ("weakest", "strongest") or not stands:
        return ()
    sign = 1 if which == "weakest" else -1
    return (min(stands, key=lambda s: (sign * field.strength(s), not s.static, s.key)),)


def _battle(
    field: Field, table: str, answer: Answer, setting: Setting, attackers: tuple[Stand, ...], defenders: tuple[Stand, ...]
) -> Battle:
    gone = {stand.key: Fraction(0) for stand in (*attackers, *defenders)}
    results = []
    held = field.game.tables[table]
    for code, chance in answer.chances.items():
        effects = held.results[code].effects
        lost = {
            who: losers(field, stands, effects.get(f"{who}_loses", "-"))
            for who, stands in (("attacker", attackers), ("defender", defenders))
        }
        # Losses come before retreats: the dead have no zone of control when the others go back.
        dead = frozenset((*lost["attacker"], *lost["defender"]))
        equals = (*_equals(field, attackers, lost["attacker"]), *_equals(field, defenders, lost["defender"]))
        back: dict[str, tuple[Retreat, ...]] = {}
        for who, stands in (("attacker", attackers), ("defender", defenders)):
            hexes = effects.get(f"{who}_retreats", "0")
            back[who] = tuple(
                retreat(field, s, hexes, broken(field, s, setting.disintegrated), dead, setting.nullified)
                for s in stands
                if s not in dead and hexes != "0"
            )
        for stand in dead:
            gone[stand.key] += chance
        for one in (*back["attacker"], *back["defender"]):
            gone[one.stand.key] += chance * one.dies
        told = effects.get("attacker_advances", "0")
        left = [s for s in attackers if s not in dead and not s.static]
        steps = int(told.split()[0]) if left and ("if" not in told or len(lost["defender"]) == len(defenders)) else 0
        steps *= int(field.limit("enhanced_advance")) if setting.doubled else 1
        scouts = steps and table == "mobile" and any("extra_advance" in s.unit.abilities for s in left)
        recon = steps + int(field.limit("recon_advance")) if scouts else 0
        follow = int(effects.get("defender_advances", "0")) if not all(s.static for s in defenders) else 0
        results.append(
            Result(
                code, chance, held.results[code].meaning, lost["attacker"], lost["defender"], equals, back["attacker"],
                back["defender"], steps, recon, follow,
            )
        )  # fmt: skip
    return Battle(table, answer, setting, attackers, defenders, tuple(results), gone)


def _equals(field: Field, stands: tuple[Stand, ...], lost: tuple[Stand, ...]) -> tuple[Stand, ...]:
    """Others of the same strength as the one that is lost (13.16)."""
    return tuple(s for s in stands if len(lost) == 1 and s not in lost and field.strength(s) == field.strength(lost[0]))

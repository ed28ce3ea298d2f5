"""Each result of a battle spelled out for the units at hand: who is lost, who goes back, who follows (13.15, 13.16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.retreats import Retreat, back_together, broken
from assistant.games.six_day_war.together import too_many
from scenarios.hexes import Hex

PARTIES = ("attacker", "defender")


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

    @cached_property
    def too_many(self) -> Mapping[int, Fraction]:
        """How many of those who go back find no room, with the chances of a panic's die."""
        return too_many((*self.attacker_retreats, *self.defender_retreats))


@dataclass(frozen=True)
class Setting:
    """What bears on every result: doubled advances (15.5), broken fronts (21.3), works that don't count (20.5)."""

    doubled: bool
    disintegrated: AbstractSet[str]
    nullified: AbstractSet[Hex]


def spelled_out(
    field: Field, table: str, code: str, chance: Fraction, setting: Setting,
    attackers: tuple[Stand, ...], defenders: tuple[Stand, ...],
) -> Result:  # fmt: skip
    """What a result on one of the tables does to these units."""
    outcome = field.game.tables[table].results[code]
    effects, fought = outcome.effects, dict(zip(PARTIES, (attackers, defenders), strict=True))
    lost = {who: losers(field, stands, effects.get(f"{who}_loses", "-")) for who, stands in fought.items()}
    # Losses come before retreats: the dead have no zone of control when the others go back.
    dead = frozenset((*lost["attacker"], *lost["defender"]))
    equals = tuple(s for who in PARTIES for s in _equals(field, fought[who], lost[who]))
    back: dict[str, tuple[Retreat, ...]] = {}
    for who, stands in fought.items():
        hexes = effects.get(f"{who}_retreats", "0")
        units = [(s, broken(field, s, setting.disintegrated)) for s in stands if s not in dead and hexes != "0"]
        back[who] = back_together(field, units, hexes, dead, setting.nullified)
    told = effects.get("attacker_advances", "0")
    left = [s for s in attackers if s not in dead and not s.static]
    steps = int(told.split()[0]) if left and ("if" not in told or len(lost["defender"]) == len(defenders)) else 0
    steps *= int(field.limit("enhanced_advance")) if setting.doubled else 1
    scouts = steps and table == "mobile" and any("extra_advance" in s.unit.abilities for s in left)
    recon = steps + int(field.limit("recon_advance")) if scouts else 0
    follow = int(effects.get("defender_advances", "0")) if not all(s.static for s in defenders) else 0
    return Result(
        code, chance, outcome.meaning, lost["attacker"], lost["defender"], equals, back["attacker"], back["defender"],
        steps, recon, follow,
    )  # fmt: skip


def losers(field: Field, stands: tuple[Stand, ...], which: str) -> tuple[Stand, ...]:
    """Who is eliminated: the weakest or the strongest by printed strength, all, or nobody (13.15, 13.16).

    Of equals the owner chooses; we name a static one first, then by id.
    """
    if which == "all":
        return stands
    if which not in ("weakest", "strongest") or not stands:
        return ()
    return (ranked(field, stands, which)[0],)


def ranked(field: Field, stands: Sequence[Stand], which: str) -> list[Stand]:
    """The weakest, or the strongest, first."""
    sign = 1 if which == "weakest" else -1
    return sorted(stands, key=lambda s: (sign * field.strength(s), not s.static, s.key))


def _equals(field: Field, stands: tuple[Stand, ...], lost: tuple[Stand, ...]) -> tuple[Stand, ...]:
    """Others of the same strength as the one that is lost (13.16)."""
    if len(lost) != 1:
        return ()
    strength = field.strength(lost[0])
    return tuple(s for s in stands if s is not lost[0] and field.strength(s) == strength)

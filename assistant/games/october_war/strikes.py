"""Air attacks of October War through air defense, solved exactly: strategic, ground and recon (19.5 to 20.11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from assistant.attacks import BadQuestion, Value, odds, unit_fields
from assistant.games.october_war.air import Losses, Wing, strikes_of
from assistant.shared.chains import gather
from scenarios.game import Game


@dataclass(frozen=True, eq=False)
class Mission:
    """A strategic or ground attack, solved: what gets through and what it does."""

    through: Mapping[tuple[Wing, Losses], Fraction]
    codes: Mapping[str, Fraction]
    points: Mapping[int, Fraction]
    """Strategic: how far the enemy's casualties rise. Ground: how many losses the force takes."""


def mission(
    game: Game, kind: str, nation: str, wing: Wing, sites: int = 0, ew: bool = False,
    inputs: Mapping[str, Value] | None = None, *, sites_here: int = 0,
) -> Mission:  # fmt: skip
    """An air attack of the declared kind `strategic_attack` or `air_ground_attack` after air defense fire.

    Strategic attacks are fired at once in a theater (20.7), ground attacks by `sites` SAM units (20.8); beside Wild
    Weasels only by those in the point, `sites_here` (20.11). An EW marker (Israelis only) and Wild Weasels ignore ELIM
    (20.11, 26.3).
    """
    if kind not in ("strategic_attack", "air_ground_attack"):
        raise BadQuestion(f"{kind!r} is no air attack; ask strategic_attack or air_ground_attack")
    strategic = kind == "strategic_attack"
    shots = int(wing.flying > 0) if strategic else sites_here if wing.weasels else sites
    through = shot_at(game, "strategic_attack" if strategic else "ground_attack", wing, shots, ew)
    codes: dict[str, Fraction] = {}
    for left, chance in gather(through, lambda held: held[0]).items():
        strikes = strikes_of(game, nation, left)
        told = {**(inputs or {}), "ew": ew}
        answer = odds(game, kind, {"firing": strikes}, told) if strikes else None
        if answer is not None and answer.failures and left == wing:
            raise BadQuestion("; ".join(answer.failures))
        none = left.tac + left.ssm == 0 and not (inputs or {}).get("at_air_defense")
        for code, share in {"-": Fraction(1)}.items() if answer is None or none else answer.chances.items():
            codes[code] = codes.get(code, Fraction(0)) + chance * share
    points = gather(codes, lambda code: _worth(game, code, strategic))
    return Mission(through, codes, dict(sorted(points.items())))


def shot_at(game: Game, target: str, wing: Wing, shots: int, ew: bool) -> dict[tuple[Wing, Losses], Fraction]:
    """What is left of a wing after so many throws of air defense against a mission (20.9), and what is lost."""
    through = {(wing, Losses()): 1}
    defense = _defense(game, target)
    of = lcm(*(chance.denominator for chance in defense.values()))
    for _ in range(shots):
        after: dict[tuple[Wing, Losses], int] = {}
        for (left, lost), ways in through.items():
            for (eliminate, refit), share in defense.items():
                state = _shot_down(left, lost, eliminate * (not ew), refit)
                after[state] = after.get(state, 0) + ways * share.numerator * (of // share.denominator)
        through = after
    return {state: Fraction(ways, of**shots) for state, ways in through.items()}


def suppressed(game: Game, weasels: int, sites_here: int, inputs: Mapping[str, Value]) -> dict[int, Fraction]:
    """How many SAM units of a point are left to fire after Wild Weasels have struck them first (20.11 (3)).

    They are not fired at. Where all would have to retreat their owner takes the loss instead: the others still fire.
    """
    told = {**inputs, "at_air_defense": True, "umbrella_over": True}
    answer = odds(game, "air_ground_attack", {"firing": strikes_of(game, "israel", Wing(0, weasels))}, told)
    if answer.failures:
        raise BadQuestion("; ".join(answer.failures))
    results = game.tables["air"].results

    def left(code: str) -> int:
        effect = results[code].effects.get("ground", "0")
        return max(0, sites_here - (int(effect) if effect.isdecimal() else 1))

    return gather(answer.chances, left)


def mixed(parts: Mapping[Mission, Fraction]) -> Mission:
    """A mission that is flown in one of several ways, each with its chance."""
    through: dict[tuple[Wing, Losses], Fraction] = {}
    codes: dict[str, Fraction] = {}
    points: dict[int, Fraction] = {}
    for part, chance in parts.items():
        for held, share in part.through.items():
            through[held] = through.get(held, Fraction(0)) + chance * share
        for code, share in part.codes.items():
            codes[code] = codes.get(code, Fraction(0)) + chance * share
        for count, share in part.points.items():
            points[count] = points.get(count, Fraction(0)) + chance * share
    return Mission(through, codes, dict(sorted(points.items())))


def _defense(game: Game, target: str) -> dict[tuple[int, int], Fraction]:
    """The chances of (eliminated, to refit) of one air defense throw (20.9)."""
    site = next(u for u in game.units.values() if u.type == "static_sam")
    firing = [] if target == "strategic_attack" else [unit_fields(game, site)]
    chances = odds(game, "air_defense", {"firing": firing}, {"mission": target}).chances
    results = game.tables["air_defense"].results

    def toll(code: str) -> tuple[int, int]:
        effects = results[code].effects
        return int(effects.get("eliminate", "0")), int(effects.get("refit", "0"))

    return gather(chances, toll)


def _shot_down(wing: Wing, lost: Losses, eliminate: int, refit: int) -> tuple[Wing, Losses]:
    """Air defense results on a wing: ELIM hits TAC only (20.11), AR any strike, TAC first."""
    eliminated = min(eliminate, wing.tac)
    wing = wing.less(eliminated)
    back = min(refit, wing.flying)
    return wing.less(back), Losses(lost.refit + back, lost.eliminated + eliminated)


def _worth(game: Game, code: str, strategic: bool) -> int:
    effects = game.tables["air"].results[code].effects
    value = effects.get("strategic" if strategic else "ground", "0")
    return int(value) if value.isdecimal() else 0

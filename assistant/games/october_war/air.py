"""Air missions of October War, solved exactly: superiority with both fires, attacks through air defense (19.0, 20.0)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from assistant.attacks import BadQuestion, Fields, Value, odds, unit_fields
from assistant.shared.chains import gather
from scenarios.game import Game

GROUP = 10
"""Points of one throw in air superiority (19.3)."""


class Wing(NamedTuple):
    """Strikes of one side: tactical air, Wild Weasels, missiles."""

    tac: int = 0
    weasels: int = 0
    ssm: int = 0

    def less(self, count: int) -> Wing:
        """The wing with so many strikes gone, TAC before Wild Weasels (19.4); missiles are never hit (18.9)."""
        tac = min(self.tac, count)
        return Wing(self.tac - tac, max(0, self.weasels - (count - tac)), self.ssm)

    @property
    def flying(self) -> int:
        return self.tac + self.weasels


class Losses(NamedTuple):
    """Strikes sent to refit, and strikes eliminated."""

    refit: int = 0
    eliminated: int = 0


class Duel(NamedTuple):
    """What is left of both sides after air superiority, and their losses."""

    left: tuple[Wing, Wing]
    losses: tuple[Losses, Losses]


@dataclass(frozen=True)
class Superiority:
    """Air superiority in a theater, solved."""

    first: int | None
    """Which of the two sides fires first; None where they fire together."""
    duels: Mapping[Duel, Fraction]
    freed: tuple[int, int]
    """TAC that may fly ground attacks instead, where nobody came up against them (19.3 (7))."""

    def holder(self) -> dict[int | None, Fraction]:
        """Who has more left of what flew (the ruling on air superiority); None for equals."""

        def more(duel: Duel) -> int | None:
            a, b = (wing.flying for wing in duel.left)
            return None if a == b else 0 if a > b else 1

        return gather(self.duels, more)

    def lost(self, side: int) -> dict[Losses, Fraction]:
        """The chances of a side's losses."""
        return dict(sorted(gather(self.duels, lambda duel: duel.losses[side]).items()))


def superiority(game: Game, nations: tuple[str, str], wings: tuple[Wing, Wing], ew: bool = False) -> Superiority:
    """Both sides' fire (19.3, 19.4): who has more TAC fires first, equals together. `ew`: an Israeli marker is added."""
    for wing in wings:
        if wing.ssm or min(wing) < 0:
            raise BadQuestion("missiles don't fly air superiority (18.9), and nobody has fewer than no strikes")
    first = None if wings[0].tac == wings[1].tac else 0 if wings[0].tac > wings[1].tac else 1
    states = {Duel(wings, (Losses(), Losses())): Fraction(1)}
    opposed = wings[0].flying and wings[1].flying
    for side in ((first, 1 - first) if first is not None else (0, 1)) if opposed else ():
        after: dict[Duel, Fraction] = {}
        for duel, chance in states.items():
            shooters = wings[side] if first is None else duel.left[side]
            shift = ew and nations[side] == "israel"
            for hit, share in _fire(game, nations[side], shooters, shift).items():
                hurt = _hurt(duel, 1 - side, hit)
                after[hurt] = after.get(hurt, Fraction(0)) + chance * share
        states = after
    freed = tuple(-(-wing.tac // 2) if wing.tac and not other.flying else 0 for wing, other in (wings, wings[::-1]))
    return Superiority(first, states, (freed[0], freed[1]))


def _hurt(duel: Duel, side: int, hit: Losses) -> Duel:
    wing, had = duel.left[side], duel.losses[side]
    eliminated = min(hit.eliminated, wing.flying)
    refit = min(hit.refit, wing.flying - eliminated)
    left, losses = list(duel.left), list(duel.losses)
    left[side] = wing.less(eliminated + refit)
    losses[side] = Losses(had.refit + refit, had.eliminated + eliminated)
    return Duel((left[0], left[1]), (losses[0], losses[1]))


def _fire(game: Game, nation: str, wing: Wing, ew: bool) -> dict[Losses, Fraction]:
    """The losses that a wing inflicts: one throw for each ten points and the rest; the EW marker helps the first."""
    result = {Losses(): Fraction(1)}
    for number, group in enumerate(_groups(game, nation, wing)):
        chances = odds(game, "air_superiority", {"firing": group}, {"ew": ew and not number}).chances
        after: dict[Losses, Fraction] = {}
        for losses, chance in result.items():
            for code, share in chances.items():
                refit, eliminated = _superiority(game, code)
                hit = Losses(losses.refit + refit, losses.eliminated + eliminated)
                after[hit] = after.get(hit, Fraction(0)) + chance * share
        result = after
    return result


def _superiority(game: Game, code: str) -> tuple[int, int]:
    words = game.tables["air"].results[code].effects.get("superiority", "").split()
    if not words:
        return 0, 0
    return (int(words[0]), 0) if words[1] == "refit" else (0, int(words[0]))


def _groups(game: Game, nation: str, wing: Wing) -> list[list[Fields]]:
    """A wing in groups of at most ten points, as full as they can be."""
    strikes = _strikes(game, nation, wing)
    groups: list[list[Fields]] = []
    room = Fraction(0)
    for strike in sorted(strikes, key=_points, reverse=True):
        if _points(strike) > room:
            groups.append([])
            room = Fraction(GROUP)
        groups[-1].append(strike)
        room -= _points(strike)
    return groups


def _points(strike: Fields) -> Fraction:
    value = strike["strength"]
    assert isinstance(value, Fraction | int)
    return Fraction(value)


def _strikes(game: Game, nation: str, wing: Wing) -> list[Fields]:
    result: list[Fields] = []
    for kind, count in (("tac", wing.tac), ("wild_weasel", wing.weasels), ("ssm", wing.ssm)):
        if count:
            found = next((u for u in game.units.values() if u.nation == nation and u.type == kind), None)
            if found is None:
                raise BadQuestion(f"{nation} has no strikes of the kind {kind}")
            result += [unit_fields(game, found)] * count
    return result


@dataclass(frozen=True)
class Mission:
    """A strategic or ground attack, solved: what gets through and what it does."""

    through: Mapping[tuple[Wing, Losses], Fraction]
    codes: Mapping[str, Fraction]
    points: Mapping[int, Fraction]
    """Strategic: how far the enemy's casualties rise. Ground: how many losses the force takes."""


def mission(
    game: Game, kind: str, nation: str, wing: Wing, sites: int = 0, ew: bool = False, inputs: Mapping[str, Value] | None = None
) -> Mission:  # fmt: skip
    """An air attack of the declared kind `strategic_attack` or `air_ground_attack` after air defense fire.

    Strategic attacks are fired at once in a theater (20.7), ground attacks by `sites` SAM units (20.8). An EW marker
    (Israelis only) and Wild Weasels ignore ELIM (20.11, 26.3).
    """
    if kind not in ("strategic_attack", "air_ground_attack"):
        raise BadQuestion(f"{kind!r} is no air attack; ask strategic_attack or air_ground_attack")
    strategic = kind == "strategic_attack"
    shots = int(wing.flying > 0) if strategic else sites
    through = {(wing, Losses()): Fraction(1)}
    defense = _defense(game, "strategic_attack" if strategic else "ground_attack")
    for _ in range(shots):
        after: dict[tuple[Wing, Losses], Fraction] = {}
        for (left, lost), chance in through.items():
            for (eliminate, refit), share in defense.items():
                state = _shot_down(left, lost, eliminate * (not ew), refit)
                after[state] = after.get(state, Fraction(0)) + chance * share
        through = after
    codes: dict[str, Fraction] = {}
    for (left, _), chance in through.items():
        strikes = _strikes(game, nation, left)
        told = {**(inputs or {}), "ew": ew}
        answer = odds(game, kind, {"firing": strikes}, told) if strikes else None
        if answer is not None and answer.failures and left == wing:
            raise BadQuestion("; ".join(answer.failures))
        none = left.tac + left.ssm == 0 and not (inputs or {}).get("at_air_defense")
        for code, share in {"-": Fraction(1)}.items() if answer is None or none else answer.chances.items():
            codes[code] = codes.get(code, Fraction(0)) + chance * share
    points = gather(codes, lambda code: _worth(game, code, strategic))
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
    return int(value) if value.isdigit() else 0

"""Air superiority of October War, solved exactly: both fires, and what is left of both sides (19.1 to 19.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from assistant.attacks import BadQuestion, Fields, odds, unit_fields
from assistant.games.october_war.limits import AIR_GROUP, FREED, counters, limit
from assistant.questions import Told
from assistant.shared.chains import gather
from assistant.shared.options import whole
from scenarios.game import Game


class Wing(NamedTuple):
    """Strikes of one side: tactical air, Wild Weasels, missiles."""

    tac: int = 0
    weasels: int = 0
    ssm: int = 0
    others: int = 0
    """TAC on other missions or ready, hit when no strike that flew is left (19.4)."""

    def less(self, count: int) -> Wing:
        """The wing with so many strikes gone: TAC, Wild Weasels, the others (19.4); missiles are never hit (18.9)."""
        tac = min(self.tac, count)
        weasels = min(self.weasels, count - tac)
        others = min(self.others, count - tac - weasels)
        return Wing(self.tac - tac, self.weasels - weasels, self.ssm, self.others - others)

    @property
    def flying(self) -> int:
        return self.tac + self.weasels

    @property
    def within_reach(self) -> int:
        """Strikes that air superiority can hit."""
        return self.flying + self.others


class Losses(NamedTuple):
    """Strikes sent to refit, and strikes eliminated."""

    refit: int = 0
    eliminated: int = 0


class Duel(NamedTuple):
    """What is left of both sides after air superiority, and their losses."""

    left: tuple[Wing, Wing]
    losses: tuple[Losses, Losses]


def asked_wing(game: Game, told: Told, side: str) -> Wing:
    """The strikes that are told, no more than the counters."""
    kinds = (("tac", "tac"), ("weasels", "wild_weasel"), ("ssm", "ssm"))
    return Wing(*(whole(told, key, 0, 0, counters(game, side, kind)) for key, kind in kinds))


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
    """Both sides' fire (19.3, 19.4): who has more TAC fires first, equals together. `ew`: an Israeli marker is added.

    A side with nobody against it fires too, at strikes on other missions and on the ground (19.1).
    """
    for wing in wings:
        if wing.ssm or min(wing) < 0:
            raise BadQuestion("missiles don't fly air superiority (18.9), and nobody has fewer than no strikes")
    first = None if wings[0].tac == wings[1].tac else 0 if wings[0].tac > wings[1].tac else 1
    states = {Duel(wings, (Losses(), Losses())): Fraction(1)}
    for side in (first, 1 - first) if first is not None else (0, 1):
        after: dict[Duel, Fraction] = {}
        fires: dict[Wing, dict[Losses, Fraction]] = {}
        for duel, chance in states.items():
            shooters = (wings if first is None else duel.left)[side]
            if not shooters.flying or not duel.left[1 - side].within_reach:
                after[duel] = after.get(duel, Fraction(0)) + chance
                continue
            if shooters not in fires:
                fires[shooters] = _fire(game, nations[side], shooters, ew and nations[side] == "israel")
            for hit, share in fires[shooters].items():
                hurt = _hurt(duel, 1 - side, hit)
                after[hurt] = after.get(hurt, Fraction(0)) + chance * share
        states = after
    freed = tuple(
        ceil(wing.tac * limit(game, FREED, game.nations[nation].side)) if not enemy.flying else 0
        for nation, wing, enemy in zip(nations, wings, wings[::-1], strict=True)
    )
    return Superiority(first, states, (freed[0], freed[1]))


def _hurt(duel: Duel, side: int, hit: Losses) -> Duel:
    wing, had = duel.left[side], duel.losses[side]
    eliminated = min(hit.eliminated, wing.within_reach)
    refit = min(hit.refit, wing.within_reach - eliminated)
    left, losses = list(duel.left), list(duel.losses)
    left[side] = wing.less(eliminated + refit)
    losses[side] = Losses(had.refit + refit, had.eliminated + eliminated)
    return Duel((left[0], left[1]), (losses[0], losses[1]))


def _fire(game: Game, nation: str, wing: Wing, ew: bool) -> dict[Losses, Fraction]:
    """The losses that a wing inflicts: one throw for each ten points and the rest; an EW marker shifts them all."""
    result = {Losses(): Fraction(1)}
    for group in _groups(game, nation, wing):
        chances = odds(game, "air_superiority", {"firing": group}, {"ew": ew}).chances
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
    """A wing in groups of at most so many points for each throw, as full as they can be (19.3)."""
    most = limit(game, AIR_GROUP, game.nations[nation].side)
    strikes = strikes_of(game, nation, wing)
    groups: list[list[Fields]] = []
    room = Fraction(0)
    for strike in sorted(strikes, key=_points, reverse=True):
        if _points(strike) > room:
            groups.append([])
            room = most
        groups[-1].append(strike)
        room -= _points(strike)
    return groups


def _points(strike: Fields) -> Fraction:
    value = strike["strength"]
    assert isinstance(value, Fraction | int)
    return Fraction(value)


def strikes_of(game: Game, nation: str, wing: Wing) -> list[Fields]:
    """The strikes of a wing, as expressions see them."""
    result: list[Fields] = []
    for kind, count in (("tac", wing.tac), ("wild_weasel", wing.weasels), ("ssm", wing.ssm)):
        if count:
            found = next((u for u in game.units.values() if u.nation == nation and u.type == kind), None)
            if found is None:
                raise BadQuestion(f"{nation} has no strikes of the kind {kind}")
            result += [unit_fields(game, found)] * count
    return result

"""The attacks of a plan."""

from __future__ import annotations

from typing import NamedTuple

from assistant.games.arab_israeli_wars.battle import Battle, Fighter, Looks
from assistant.games.arab_israeli_wars.fire import fire
from assistant.games.arab_israeli_wars.outcomes import Fate, Together


class Volley(NamedTuple):
    """One attack of a plan."""

    firers: tuple[Fighter, ...]
    targets: tuple[Fighter, ...]
    column: str
    """Where each target is attacked alone, the columns of all of them."""
    fates: tuple[Fate, ...]
    together: Together
    scatters: bool = False
    """Indirect fire that nobody sees: it may come down elsewhere."""


def volley(battle: Battle, looks: Looks | None) -> Volley:
    """An attack worked out in full."""
    held = fire(battle, looks, anyway=True)
    columns = dict.fromkeys(answer.column or "no attack" for answer in held.answers)
    column = " / ".join(columns) if len(columns) > 1 else held.answers[0].column or ""
    return Volley(battle.firers, battle.targets, column, held.fates, held.together, len(held.landings) > 1)

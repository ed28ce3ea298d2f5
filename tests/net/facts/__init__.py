"""What each question of each game answers, as neutral facts: the only place that knows the keys of today's JSON."""

from __future__ import annotations

from collections.abc import Mapping

from tests.net.facts import arab_israeli_wars, musketeer, october_war, shared, six_day_war, yom_kippur
from tests.net.reading import Facts

GAMES: Mapping[str, Mapping[str, Facts]] = {
    "arab_israeli_wars": arab_israeli_wars.FACTS,
    "musketeer": musketeer.FACTS,
    "october_war": october_war.FACTS,
    "six_day_war": six_day_war.FACTS,
    "yom_kippur": yom_kippur.FACTS,
}


def facts_of(game: str, question: str) -> Facts:
    """The facts of a question's answer."""
    return {**shared.COMMON_FACTS, **{**shared.FACTS, **GAMES.get(game, {})}[question]}

"""What a player writes, as the pack spells it: units and points by name, words in any case."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from assistant.attacks import BadQuestion
from assistant.shared.asking import Answerer, Options, Said, units_of
from scenarios.game import Game
from scenarios.points import PointMap
from scenarios.reading.findings import instead
from scenarios.same import Same

AS_WRITTEN = frozenset(
    ("position", "attackers", "defenders", "targets", "wishes", "unit", "point", "at", "from", "from_", "to")
)
"""What isn't a word of the rules: a file, and units and points, which are looked up."""
MANY = re.compile(r"(\d{1,2})\s*(?:[*x×]\s*|\s)(?=[^\W\d])")
"""A number before a unit: 2*, 2x, or 2 and a space."""


def in_any_case(answer: Answerer) -> Answerer:
    """An answer that takes the words of the rules in capitals too."""

    def read(game: Game, options: Options) -> Said:
        return answer(
            game,
            {
                key: value.lower() if isinstance(value, str) and key not in AS_WRITTEN else value
                for key, value in options.items()
            },
        )

    read.__doc__ = answer.__doc__
    return read


def listed_units(game: Game, text: str) -> list[str]:
    """Units listed with commas, each by its id, with its states: 2*armor_battalion, or 2 Armored battalion."""
    parts = (MANY.sub(r"\1*", part.strip(), count=1) for part in text.split(","))
    result = []
    for one in units_of(",".join(parts)):
        name, plus, states = one.partition("+")
        result.append(f"{unit_id(game, name)}{plus}{states.lower()}")
    return result


def unit_id(game: Game, text: str) -> str:
    """The id of a counter that is told by its id or its name; the text itself where no counter is called so."""
    if text in game.units or text in game.markers:
        return text
    found = _units(Same(game)).get(_plain(text), ())
    if len(found) > 1:
        raise BadQuestion(f"{len(found)} counters are called {text.strip()!r}: say {' or '.join(found)}")
    return found[0] if found else text.strip()


def point_id(field: PointMap, text: str) -> str:
    """A point by its id or its name."""
    if text in field.points:
        return text
    found = _points(Same(field)).get(_plain(text), "")
    if not found:
        raise BadQuestion(f"there is no point {text!r}; {instead(text, field.points)}")
    return found


def _plain(text: str) -> str:
    return " ".join(re.split(r"[\s_-]+", text.strip().lower()))


@lru_cache(maxsize=8)
def _units(game: Same[Game]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for unit in game.value.units.values():
        for name in {_plain(unit.id), _plain(unit.name)}:
            found[name] = (*found.get(name, ()), unit.id)
    return found


@lru_cache(maxsize=8)
def _points(field: Same[PointMap]) -> Mapping[str, str]:
    names = {_plain(shape.name): point for point, shape in field.value.points.items()}
    return names | {_plain(point): point for point in field.value.points}

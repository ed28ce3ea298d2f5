"""Units as a player writes them: by the name on the counter or by its id, in capitals or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from assistant.shared.asking import Answerer, Options, Said
from scenarios.game import Game
from scenarios.same import Same

LISTS = ("attackers", "defenders", "unit", "shifted", "gone", "mark", "put")
"""What names units."""
HEAD = re.compile(r"(\s*\d+\s*\*)?([^+:@]*)")


class Named(Mapping[str, Any]):
    """What was told, with every unit by its counter's id; names that no counter has stay as they are."""

    def __init__(self, game: Game, options: Options) -> None:
        self.ids, self.options = _ids(Same(game)), options
        self.known: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        return self._by_id(key, self.options[key])

    def get(self, key: str, default: Any = None) -> Any:
        """What was told under a name."""
        return self._by_id(key, self.options.get(key, default))

    def __iter__(self) -> Iterator[str]:
        return iter(self.options)

    def __len__(self) -> int:
        return len(self.options)

    def _by_id(self, key: str, value: Any) -> Any:
        if key not in LISTS or not isinstance(value, str | list | tuple):
            return value
        if key not in self.known:
            self.known[key] = self._read(value)
        return self.known[key]

    def _read(self, value: str | list[Any] | tuple[Any, ...]) -> str | list[str]:
        parts = value.split(",") if isinstance(value, str) else [str(part) for part in value]
        found = [HEAD.sub(self._unit, part, count=1) for part in parts]
        return ",".join(found) if isinstance(value, str) else found

    def _unit(self, head: re.Match[str]) -> str:
        """A unit's id for its name, which may have a number of copies before it or the number of one after it."""
        name, slash, copy = head[2].partition("/")
        told = self.ids.get(head[2].strip().casefold())
        return (head[1] or "") + (told or self.ids.get(name.strip().casefold(), name) + slash + copy)


@lru_cache(maxsize=4)
def _ids(game: Same[Game]) -> Mapping[str, str]:
    """The id of each counter by its id and its name; of several alike, with their numbers."""
    found = {}
    for unit in game.value.units.values():
        for name in (unit.name, unit.id):
            found[name.casefold()] = unit.id
        if unit.count > 1:
            found |= {f"{unit.name} {number}".casefold(): f"{unit.id}/{number}" for number in range(1, unit.count + 1)}
    return found


def by_name(answer: Answerer) -> Answerer:
    """An answer to questions that name units in any of these ways."""

    def named(game: Game, options: Options) -> Said:
        return answer(game, Named(game, options))

    named.__doc__ = answer.__doc__
    return named

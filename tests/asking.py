"""What every question of a game owes: it reads only what it names, it bears junk, its lines fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assistant.attacks import BadQuestion
from assistant.questions import Question as Typed
from assistant.questions import answer
from assistant.rendering import as_json, as_lines
from assistant.shared.asking import Question
from scenarios import PackError
from scenarios.game import Game

JUNK = ("banana", "-3", "1/2", "@", "99999999", "a:b,c", "x@y", ",", ":", "+", "*", "yes", "0", "4.5", "é", " ", "nir_arm_bde_a+x")


class Watched(Mapping[str, Any]):
    """Options that remember what was looked up."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = options
        self.seen: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.seen.add(key)
        return self.options[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.options)

    def __len__(self) -> int:
        return len(self.options)

    def get(self, key: str, default: Any = None) -> Any:
        self.seen.add(key)
        return self.options.get(key, default)


def ask(game: Game, question: Question | Typed, options: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The answer, checked: names, width, and every spread of chances whole."""
    if isinstance(question, Typed):
        found = answer(question, game, options)
        return as_json(found), list(as_lines(found))
    watched = Watched(options)
    json, lines = question.answer(game, watched)
    strange = {key for key in watched.seen if key not in question.names}
    assert not strange, f"looked for {strange}, which its names don't tell"
    assert lines and all(len(line) <= 100 and line == line.rstrip() for line in lines)
    return json, lines


def bears_junk(game: Game, question: Question | Typed, options: Mapping[str, Any], name: str) -> None:
    """Nothing but a kind complaint comes of junk under a name."""
    for junk in JUNK:
        try:
            ask(game, question, {**options, name: junk})
        except (BadQuestion, PackError) as error:
            assert str(error)

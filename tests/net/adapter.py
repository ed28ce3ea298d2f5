"""One door to the assistant for tests: a position and a question in; numbers, sets, fractions and the refusing rule out.

Nothing here or in its results is a class of a game's code. When questions, inputs or the keys of answers change, `_door` and
`tests/net/facts` change, and no test does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from assistant.attacks import BadQuestion, odds
from assistant.cli import cli
from assistant.dicelog import roll
from assistant.lookup import bare, lookup, part
from assistant.parts import COMMANDS, _command, has, question, questions
from assistant.parts import ask as command
from assistant.saying import FLAGS
from assistant.text import odds_json
from assistant.words import read_words
from scenarios import PackError, load, shipped
from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.position import Piece, Position, from_scenario, locate
from tests.net.facts import facts_of
from tests.net.reading import rules

ANYWHERE = ("declared", "bare", "table", "roll")
"""Questions that every pack answers: an attack in words, two bare strengths, a table, a throw with a seed."""
_LISTS = ("hexes", "works", "rulings", "tell", "support", "boats")
_YES = ("quick", "what_if", "best", "anyway")


@dataclass(frozen=True)
class Told(Mapping[str, Any]):
    """An answer: its facts by neutral names; or, where the question was refused, the sentence and the rules it cites."""

    refusal: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    free: frozenset[str] = frozenset()

    @property
    def rules(self) -> frozenset[str]:
        """The rules that a refusal cites."""
        return rules(self.refusal)

    @property
    def settled(self) -> dict[str, Any]:
        """The facts that the rules settle."""
        return {name: value for name, value in self.facts.items() if name not in self.free}

    def __getitem__(self, name: str) -> Any:
        assert not self.refusal, self.refusal
        return self.facts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.facts)

    def __len__(self) -> int:
        return len(self.facts)


def ask(game: str | Game, name: str, position: Position | None = None, /, **inputs: Any) -> Told:
    """The answer to a question. `from_` is the input `from`; what is None, False or empty isn't told."""
    held = load(game) if isinstance(game, str) else game
    told = {key.rstrip("_"): value for key, value in inputs.items() if value not in (None, False, "", ())}
    if position is not None:
        told["position"] = position
    try:
        json = _door(held, name, told)
    except (BadQuestion, PackError) as error:
        return Told(refusal=str(error))
    except ValueError as error:
        if name not in ANYWHERE:
            raise
        return Told(refusal=str(error))
    facts = facts_of(held.id, name)
    found = {key: fact.read(json[fact.key]) for key, fact in facts.items() if json.get(fact.key) is not None}
    return Told("", found, frozenset(key for key, fact in facts.items() if fact.free))


def position(
    game: str | Game, scenario: str, pieces: Iterable[str | tuple[str, ...]], *, turn: int = 1, phase: str = "", map: str = ""
) -> Position:
    """A position of a game. A piece is `unit@place`, `unit/copy~nation@place+state+state!2` (two steps lost), or a tuple of unit,
    place and states. Copies that aren't named are numbered as a position file's are."""
    held = load(game) if isinstance(game, str) else game
    table = held.scenario_maps.get(scenario) or held.maps.get(map) or next(iter(held.maps.values()), None)
    used: dict[str, int] = {}
    found = []
    for text in pieces:
        unit, copy, nation, place, states, lost = _parts(text)
        index = used.get(unit, 0)
        used[unit] = index + 1
        shape = held.units.get(unit)
        numbers = shape.numbers if shape is not None else ()
        copy = copy or (numbers[index] if index < len(numbers) else str(index + 1))
        found.append(Piece(unit, copy, nation or (shape.nation if shape else ""), locate(table, place), states, lost))
    return Position(held.id, scenario, turn, phase, tuple(found))


def _parts(text: str | tuple[str, ...]) -> tuple[str, str, str, str, frozenset[str], int]:
    if isinstance(text, tuple):
        unit, place, *states = text
        lost = 0
    else:
        unit, _, rest = text.partition("@")
        place, *states = rest.split("+")
        *states, last = [place, *states]
        last, _, steps = last.partition("!")
        place, *states = [*states, last]
        lost = int(steps or 0)
    unit, _, nation = unit.partition("~")
    unit, _, copy = unit.partition("/")
    return unit, copy, nation, place, frozenset(filter(None, states)), lost


def written(game: Game, held: Position) -> list[str]:
    """The pieces of a position as `position` reads them."""
    table = held.scenario and game.scenario_maps.get(held.scenario)
    found = []
    for piece in held.pieces:
        place = table.name(piece.at) if isinstance(table, HexMap) and not isinstance(piece.at, str) else str(piece.at)
        states = "".join(f"+{state}" for state in sorted(piece.states))
        own = game.units[piece.unit].nation if piece.unit in game.units else ""
        nation = f"~{piece.nation}" if piece.nation != own else ""
        lost = f"!{piece.steps_lost}" if piece.steps_lost else ""
        found.append(f"{piece.unit}/{piece.copy}{nation}@{place}{states}{lost}")
    return found


def start(game: str | Game, scenario: str) -> Position:
    """The start of a scenario; who is set up by area waits in its tray."""
    return from_scenario(load(game) if isinstance(game, str) else game, scenario)


def offered(game: Game) -> dict[str, set[str]]:
    """The questions that a game answers by name, each with the names of its inputs."""
    return {name: set(one.names) for name, one in questions(game).items()}


def own_flags(game: Game) -> dict[str, set[str]]:
    """The verbs of the command line that a game answers with flags of its own, and which it takes."""
    found = {verb: _command(game, verb) for verb in ("odds", *COMMANDS)}
    return {verb: {key.rstrip("_") for key in signature(one).parameters} - {"game"} for verb, one in found.items() if one is not None}


def verbs() -> dict[str, set[str]]:
    """The verbs of the command line with their flags and arguments; where these are a question's inputs, those of every game."""
    found = {name: {spelling for param in verb.params for spelling in param.opts} for name, verb in cli.commands.items()}
    for game in map(load, shipped()):
        for name, inputs in [*offered(game).items(), *own_flags(game).items()]:
            if name in found:
                found[name] |= {key if key in ("words", "hexes") else _flag(key) for key in inputs}
    return found


def _flag(key: str) -> str:
    return "--" + FLAGS.get(key, key).replace("_", "-")


def _door(game: Game, name: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """Today's JSON: the same functions as behind the command line's `--json`."""
    if name == "declared":
        words = _words(told)
        return odds_json(game, odds(game, words[0], *read_words(game, words[0], words[1:])))
    if name == "bare":
        found = bare(game, _words(told))
        if found is None:
            raise BadQuestion("these are no bare strengths")
        return found
    if name == "table":
        table, row, column = (told.get(key) for key in ("table", "row", "column"))
        shift, die = int(told.get("shift", 0)), int(told.get("die", 0))
        whole = None if shift or die else part(game, str(table), row, column)
        return whole or lookup(game, str(table), row, column, shift, die)
    if name == "roll":
        return roll(game, str(told["what"]), seed=int(told["seed"]), times=int(told.get("times", 1)), column=str(told.get("column", "")))
    if has(game, name):
        flags = {"from_" if key == "from" else key: _value(key, value) for key, value in told.items()}
        return command(game, name, **flags).json()
    return question(game, name, {key: "yes" if value is True else value for key, value in told.items()}).json()


def _words(told: Mapping[str, Any]) -> tuple[str, ...]:
    value = told.get("words", "")
    return tuple(value.split()) if isinstance(value, str) else tuple(value)


def _value(key: str, value: Any) -> Any:
    """What a flag of the command line hands over."""
    if key == "words":
        return _words({"words": value})
    if key in _LISTS:
        return tuple(value.split(",")) if isinstance(value, str) else tuple(value)
    if key in _YES:
        return value in (True, "yes")
    return int(value) if key == "turns" else value

"""Questions: a name, a sentence and typed inputs. The command line, `ask`, the page's forms and the JSON Schema come from them.

What a player tells is text; `read` turns it into values by the inputs' kinds, or says which input is wrong, of which kind it
is and what one looks like. The English of an input is for people alone: nothing is read out of it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from assistant.answers import Answer, Assumption, Assumptions, BadQuestion, Refusal, Value, Warning
from assistant.asking import Named, listed_parts, named_stacks, named_unit
from assistant.specials import left_to_players
from scenarios.game import Game
from scenarios.position import Position
from scenarios.reading.findings import instead
from scenarios.reading.shapes import number

Kind = Literal[
    "unit", "units", "place", "places", "number", "choice", "flag", "text", "position", "file", "pairs", "put"
]
"""A `file` is one of this machine, read or written, on the command line only; `pairs` are names with a value each,
`israeli:2,egyptian:1`; `put` are pieces with their places, `UNIT@PLACE`."""
Told = Mapping[str, Any]
"""What was told, by input, as values: a flag is a bool, a number a Fraction, a unit is Named, places are texts, pairs a mapping;
where there may be several, a tuple."""

MOST = 999
"""The largest number that is taken, where an input doesn't say another."""
EXAMPLES: Mapping[Kind, str] = {
    "unit": "UNIT", "units": "UNIT,UNIT+STATE", "place": "PLACE", "places": "PLACE,PLACE", "number": "2", "choice": "WORD",
    "flag": "yes", "text": "TEXT", "position": "FILE", "file": "FILE", "pairs": "NAME:VALUE,NAME:VALUE", "put": "UNIT@PLACE,UNIT@PLACE",
}  # fmt: skip
NOUNS: Mapping[Kind, str] = {
    "unit": "a unit", "units": "units", "place": "a place on the map", "places": "places on the map", "number": "a number",
    "choice": "one of some words", "flag": "yes or no", "text": "a text", "position": "a position file or a save of VASSAL",
    "file": "a file", "pairs": "names with a value each", "put": "units with their places",
}  # fmt: skip
PLACES: frozenset[Kind] = frozenset({"place", "places"})
SAVES = (".vsav", ".vlog", ".yaml", ".yml")
"""How files that hold a position end."""
LISTS: frozenset[Kind] = frozenset({"units", "places", "put"})
FIRST = ("scenario", "position", "put")
"""Read before the others, for they say which counters are there."""
TRUE, FALSE = ("yes", "true", "y", "1"), ("no", "false", "n", "0")


@dataclass(frozen=True, kw_only=True)
class Input:
    """Something that a question may be told."""

    name: str
    about: str
    kind: Kind = "text"
    choices: tuple[str, ...] = ()
    """The words of a choice, or of the names in pairs."""
    of: Literal["", "terrain", "hexside", "nation", "side", "state", "scenario", "attack", "table", "marker"] = ""
    """Or the pack's own words of that sort."""
    rows: str = ""
    """Or the rows of this table."""
    also: Mapping[str, str] = field(default_factory=dict)
    """Other words for choices, with the choice that each means; the pack's own words have theirs in the pack (`also`)."""
    many: bool = False
    """Several choices, numbers or texts, with commas."""
    default: Any = None
    assumed: bool = False
    """Whether an answer says that the default was taken."""
    needed: bool = False
    least: Fraction | int = 0
    most: Fraction | int = MOST
    whole: bool = True
    """Whether a number has no fraction."""
    values: Literal["number", "text", "side", "place"] = "number"
    """What stands behind the names in pairs."""
    between: str = ":"
    """What stands between a name and its value in pairs."""
    alone: str = ""
    """What a name in pairs is worth where none is told behind it."""
    besides: str = ""
    """A pattern of what may stand for a unit without being a counter, such as `15(H)` for a battery; it is handed over as a text."""
    stacks: bool = False
    """Units in stacks: a semicolon between stacks, or the input told once for each. They are read as a tuple of tuples."""
    example: str = ""
    aliases: tuple[str, ...] = ()
    """Other names that mean the same, such as `at` for `target`."""
    what_if: bool = False
    """Whether it changes the position in thought; the page keeps these apart."""
    only: tuple[str, tuple[str, ...]] = ("", ())
    """Another input, and its values with which this one is asked for (an empty one: where it isn't told); else the page hides it."""

    def words(self, game: Game) -> tuple[str, ...]:
        """The words that may be chosen in a game."""
        known: Mapping[str, Iterable[str]] = {
            "": (),
            "terrain": game.terrain,
            "hexside": game.hexsides,
            "nation": game.nations,
            "side": _sides(game),
            "state": game.states,
            "scenario": game.scenarios,
            "attack": game.attacks,
            "table": game.tables,
            "marker": game.markers,
        }
        return tuple(
            dict.fromkeys((*self.choices, *known[self.of], *(game.tables[self.rows].cells if self.rows else ())))
        )

    def other_words(self, game: Game) -> dict[str, str]:
        """What people say for the words that may be chosen, each with the word it means."""
        found = dict(self.also)
        for word in self.words(game):
            for held in (game.nations, game.terrain, game.hexsides, game.markers):
                if (one := held.get(word)) is not None:
                    said = (one.name, getattr(one, "adjective", ""), *one.also)
                    found.update(dict.fromkeys(filter(None, said), word))
        return found

    def sample(self, game: Game | None = None) -> str:
        """What one looks like."""
        if self.example:
            return self.example
        words = self.choices if game is None else self.words(game)
        if words and self.kind == "choice":
            return words[0]
        if words and self.kind == "pairs":
            return f"{words[0]}{self.between}2"
        return EXAMPLES[self.kind]


def _sides(game: Game) -> list[str]:
    """The sides of a game, and those that only some of its scenarios have."""
    return list(
        dict.fromkeys((*game.sides, *(side for scenario in game.scenarios.values() for side in scenario.sides)))
    )


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question that a game answers."""

    name: str
    about: str
    inputs: tuple[Input, ...]
    answer: Callable[[Game, Told], Answer]
    bare: tuple[str, ...] = ()
    """The inputs that words without a name fill, in this order; the last one takes all that are left."""
    on_map: Callable[[Told], bool] = lambda told: True
    """Whether it is asked of the units on a map, where it may be asked in words alone too."""

    def input(self, name: str) -> Input | None:
        """An input by its name or another that means the same; dashes are underscores."""
        key = name.replace("-", "_").strip("_").lower()
        return next((one for one in self.inputs if key == one.name or key in one.aliases), None)

    @property
    def names(self) -> Mapping[str, str]:
        """All names that an input may be told by, each with what it is."""
        return {name: one.about for one in self.inputs for name in (one.name, *one.aliases)}


class Late(Mapping[str, Question]):
    """Questions by name, each imported when it is asked for: `{"odds": "assistant.games.yom_kippur.odds:ODDS"}`; or a function that
    makes it for a game, where its inputs are the pack's."""

    def __init__(self, places: Mapping[str, Any]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> Question:
        held = self._places[name]
        if not isinstance(held, str):
            question: Question = held
            return question
        module, _, attribute = held.partition(":")
        found: Question = getattr(importlib.import_module(module), attribute)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places


SCENARIO = Input(name="scenario", about="the start of a scenario", kind="choice", of="scenario")
POSITION = Input(name="position", about="a position file, or a save of VASSAL", kind="position")
TURN = Input(name="turn", about="the turn, where it isn't the position's", kind="number", least=1)
PUT = Input(
    name="put", about="pieces put somewhere else", kind="put", what_if=True, example="UNIT@PLACE,2*UNIT@box:NAME"
)
MARK = Input(name="mark", about="units in other states", kind="units", what_if=True, example="UNIT+STATE+STATE,UNIT")
GONE = Input(name="gone", about="pieces taken away", kind="units", what_if=True)
ON_A_MAP = (SCENARIO, POSITION, TURN, PUT, MARK, GONE)
EMPTY = "none"
"""The scenario of an empty map."""
ON_ANY_MAP = (
    replace(SCENARIO, about=f"{SCENARIO.about}, or {EMPTY} for an empty map", choices=(EMPTY,)),
    *ON_A_MAP[1:],
)
"""The same for questions that every pack answers."""
"""What every question about a position may be told."""


def whole(told: Told, key: str, default: int, least: int, most: int) -> int:
    """A whole number that is told, between limits that hang on the game or the position."""
    found = Fraction(told.get(key, default))
    if found.denominator != 1 or not least <= found <= most:
        raise BadQuestion(f"{key} is a whole number, {least} to {most}, not {found}")
    return int(found)


def answer(question: Question, game: Game, told: Mapping[str, Any]) -> Answer:
    """The answer to a question that was told texts (or values that were read before).

    What it takes for granted comes first. It names what a save has and the pack doesn't know: that is counted nowhere.
    """
    from assistant.assumptions import NOTES

    notes: list[Assumption] = []
    values = read(question, game, told, notes)
    try:
        found = question.answer(game, {**values, NOTES: notes})
    except Refusal as refusal:
        refusal.assumptions = tuple(notes)
        raise
    if left := list(left_to_players(game, question.name, values)):
        found = replace(found, nodes=[*found.nodes, *left])
    if notes:
        found = replace(found, nodes=[Assumptions(tuple(notes)), *found.nodes])
    position = values.get("position")
    if isinstance(position, Position) and position.unknown:
        from assistant.opened import unknown_json, unknown_text

        left_out = Value("left_out", unknown_json(game, position), shown=False)
        found = replace(found, nodes=[*found.nodes, Warning(unknown_text(game, position)), left_out])
    if question.input("put") is not None and question.on_map(values):
        from assistant.rules.placed import not_set_up

        found = replace(found, nodes=[*not_set_up(game, values), *found.nodes])
    return found


def read(
    question: Question, game: Game, told: Mapping[str, Any], notes: list[Assumption] | None = None
) -> dict[str, Any]:
    """What was told, as values by input; BadQuestion names the first input that is wrong. Defaults that an answer says go to `notes`."""
    values: dict[str, Any] = {}
    for name, value in sorted(told.items(), key=lambda item: item[0] not in FIRST):
        if value is None or value == "" or value == ():
            continue
        one = question.input(name)
        if one is None:
            raise BadQuestion(f"{question.name} can't be told {name!r}; {instead(name, question.names)}")
        if one.name in values:
            other = next(other for other in told if question.input(other) is one)
            raise BadQuestion(f"{one.name} is told twice, as {other} and as {name}; leave one out")
        values[one.name] = _read(one, game, value, _present(values))
    _check_turn(game, values)
    for one in question.inputs:
        if values.get(one.name) in (None, ()) and one.needed:
            raise BadQuestion(f"{question.name} needs {one.name}, {one.about}: {one.name}={one.sample(game)}")
        if one.name not in values and one.default is not None:
            values[one.name] = one.default
            if one.assumed and notes is not None:
                notes.append(Assumption(one.name, one.default, f"{one.about}: {one.default}"))
    return values


def _check_turn(game: Game, values: Told) -> None:
    """BadQuestion for a turn that the scenario, or any scenario of the game, hasn't got."""
    turn, scenario = values.get("turn"), str(values.get("scenario"))
    asked = {scenario} & game.scenarios.keys() or set(game.scenarios)
    tracks = [game.scenarios[name].turns for name in asked]
    spans = [track for track in tracks if track is not None]
    if not isinstance(turn, Fraction) or not spans or len(spans) < len(tracks):
        return
    first, last = min(track.first for track in spans), max(track.last for track in spans)
    if not first <= turn <= last:
        whose = f"the scenario {next(iter(asked))}" if len(asked) == 1 else game.title
        raise BadQuestion(f"turn: {whose} has turns {first} to {last}, not {turn}")


def _present(values: Told) -> frozenset[str]:
    """The counters that a position has, as far as it is told: they are meant where several have a name."""
    position, put = values.get("position"), {named.id for named in values.get("put", ())}
    if isinstance(position, Position):
        return frozenset(put | {piece.unit for piece in position.pieces})
    return frozenset(put) if values.get("scenario") == EMPTY else frozenset()


def _read(one: Input, game: Game, value: Any, present: frozenset[str] = frozenset()) -> Any:
    """One value by its kind."""
    match one.kind:
        case "flag":
            return _flag(one, game, value)
        case "number":
            return tuple(_number(one, game, part) for part in _listed(value)) if one.many else _number(one, game, value)
        case "choice":
            return tuple(_choice(one, game, part) for part in _listed(value)) if one.many else _choice(one, game, value)
        case "pairs":
            return _pairs(one, game, value)
        case "position":
            return value if isinstance(value, Position) else Path(_text(one, game, value))
        case "file":
            return Path(_text(one, game, value))
        case "text" if one.many:
            return tuple(_listed(value))
        case "unit":
            return _unit(one, game, value if isinstance(value, Named) else _text(one, game, value), present)
        case "units" if one.stacks:
            return tuple(named_stacks(game, value, one.name))
        case "units" | "put":
            named = tuple(_unit(one, game, part, present) for part in listed_parts(value))
            if one.kind == "put" and (lost := next((v for v in named if not v.place), None)):
                raise BadQuestion(f"{one.name} needs a place for {lost.id}: {one.name}={lost.id}@PLACE")
            return named
        case "places":
            return tuple(_listed(value))
        case _:
            return _text(one, game, value)


def _unit(one: Input, game: Game, value: Any, present: frozenset[str]) -> Any:
    """A unit as it was named; or the text, where the input knows what it stands for."""
    if isinstance(value, Named):
        return value
    text = str(value).strip()
    return text if one.besides and re.fullmatch(one.besides, text) else named_unit(game, text, present, one.name)


def wrong_kind(one: Input, game: Game, value: Any) -> BadQuestion:
    """A value that isn't of its input's kind."""
    noun = NOUNS[one.kind]
    if one.kind == "number":
        low, high = f", {one.least} or more" * (one.least not in (0, -MOST)), f" from {one.least} to {one.most}"
        span = "" if one.least == -one.most else low if one.most == MOST else high
        noun = f"{'a whole number' if one.whole else 'a number'}{span}"
    return BadQuestion(f"{one.name} is {noun}, not {value!r}; write for example {one.name}={one.sample(game)}")


def _flag(one: Input, game: Game, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word not in (*TRUE, *FALSE):
        raise wrong_kind(one, game, value)
    return word in TRUE


def _number(one: Input, game: Game, value: Any) -> Fraction:
    try:
        found = value if isinstance(value, Fraction) else number(str(value).strip())
    except ValueError:
        raise wrong_kind(one, game, value) from None
    if isinstance(value, bool) or (one.whole and found.denominator != 1) or not one.least <= found <= one.most:
        raise wrong_kind(one, game, value)
    return found


def _choice(one: Input, game: Game, value: Any, among: Sequence[str] = ()) -> str:
    text, words = str(value).strip(), among or one.words(game)
    if text in words:
        return text
    folded = {_fold(word): meant for word, meant in one.other_words(game).items()} | {
        _fold(word): word for word in words
    }
    if _fold(text) not in folded:
        raise BadQuestion(f"{one.name}: there is no {text!r}; {instead(text, words)}")
    return folded[_fold(text)]


def _pairs(one: Input, game: Game, value: Any) -> dict[str, Any]:
    parts = [] if isinstance(value, Mapping) else _listed(value)
    pairs = (
        value.items()
        if isinstance(value, Mapping)
        else [part.partition("=" if "=" in part else one.between)[::2] for part in parts]
    )
    words = one.words(game)
    found: dict[str, Any] = {}
    for name, text in pairs:
        name, text = str(name).strip(), str(text).strip()
        text = text or one.alone
        if not name or not text:
            raise BadQuestion(
                f"{one.name} are names with a value each, not {value!r}; write for example {one.name}={one.sample(game)}"
            )
        key = _choice(one, game, name) if words else name
        if key in found:
            raise BadQuestion(f"{one.name}: {key} is told twice; leave one out")
        found[key] = _pair_value(one, game, text)
    return found


def _pair_value(one: Input, game: Game, text: str) -> Any:
    if one.values == "number":
        return _number(one, game, text)
    return _choice(one, game, text, tuple(game.sides)) if one.values == "side" else text


def _text(one: Input, game: Game, value: Any) -> str:
    if value is True or isinstance(value, list | tuple | dict):
        raise wrong_kind(one, game, "nothing" if value is True else value)
    return str(value).strip()


def _listed(value: Any) -> list[str]:
    return [text for part in listed_parts(value) if (text := str(part).strip())]


def _fold(word: str) -> str:
    return re.sub(r"[\s_-]+", "_", word.strip().casefold())


# --- the words of a command line --------------------------------------------------------------------------------------


def from_words(question: Question, words: Sequence[str]) -> dict[str, Any]:
    """`--name value`, `--name=value`, `name=value` and bare words as what is told. A flag needs no value."""
    told: dict[str, Any] = {}
    bare: list[str] = []
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word.startswith("--") and len(word) > 2:
            name, equals, value = word[2:].partition("=")
            one = question.input(name)
            if one is None:
                raise BadQuestion(f"{question.name} doesn't take --{name}; {instead(name, question.names)}")
            if not equals and one.kind == "flag":
                value = waiting.pop(0) if waiting and waiting[0] in (*TRUE[:2], *FALSE[:2]) else "yes"
            elif not equals:
                if not waiting:
                    raise BadQuestion(f"--{name} needs a value: --{name} {one.sample()}")
                value = waiting.pop(0)
            _add(told, one, value)
            continue
        name, equals, value = word.partition("=")
        one = question.input(name)
        if one is not None and (equals or one.kind == "flag"):
            _add(told, one, value if equals else "yes")
        elif equals and re.fullmatch(r"[A-Za-z_-]+", name):
            raise BadQuestion(f"{question.name} can't be told {name!r}; {instead(name, question.names)}")
        else:
            bare.append(word)
    _place_bare(question, bare, told)
    return told


def _add(told: dict[str, Any], one: Input, value: str) -> None:
    """Told several times, lists grow; anything else is a mistake."""
    if one.name not in told:
        told[one.name] = value
    elif one.kind in LISTS or one.kind == "pairs" or one.many:
        told[one.name] = f"{told[one.name]}{';' if one.stacks else ','}{value}"
    else:
        raise BadQuestion(f"{one.name} is told twice; leave one out")


def _place_bare(question: Question, bare: list[str], told: dict[str, Any]) -> None:
    """Words without a name: a save is the position; then the question's own order."""
    for word in list(bare):
        if Path(word).suffix.lower() in SAVES and question.input("position") and "position" not in told:
            told["position"] = word
            bare.remove(word)
    order = [name for name in question.bare if name not in told]
    for at, word in enumerate(bare):
        if not order:
            raise BadQuestion(
                f"{question.name} doesn't know what {word!r} is; write NAME=VALUE, with one of {', '.join(question.names)}"
            )
        name = order[min(at, len(order) - 1)]
        one = question.input(name)
        assert one is not None
        _add(told, one, word)


# --- described for others ---------------------------------------------------------------------------------------------


def schema(question: Question, game: Game) -> dict[str, Any]:
    """A JSON Schema of what the question may be told."""
    needed = [one.name for one in question.inputs if one.needed]
    return {
        "title": question.name,
        "description": question.about,
        "type": "object",
        "properties": {one.name: {"description": one.about, **_schema(one, game)} for one in question.inputs},
        "additionalProperties": False,
        **({"required": needed} if needed else {}),
    }


def _schema(one: Input, game: Game) -> dict[str, Any]:
    words = list(one.words(game))
    text: dict[str, Any] = {"type": "string"}
    number_: dict[str, Any] = {"type": ["number", "string"]}
    if one.kind == "number" and one.whole:
        number_ = {"type": ["integer", "string"], "minimum": int(one.least), "maximum": int(one.most)}
    held: dict[str, Any] = {
        "flag": {"type": ["boolean", "string"]},
        "number": number_,
        "choice": {"enum": words} if words and not one.many else text,
        "pairs": {"type": ["object", "string"]},
        "units": {"type": ["array", "string"], "items": text},
        "places": {"type": ["array", "string"], "items": text},
        "put": {"type": ["array", "string"], "items": text},
    }.get(one.kind, text)
    return {
        **held,
        "x-kind": one.kind,
        **({"x-many": True} if one.many else {}),
        **({"x-choices": words} if words else {}),
    }


def help_rows(question: Question, game: Game) -> list[tuple[str, str]]:
    """Each input with what it looks like and what it is, for help texts."""
    rows = []
    for one in question.inputs:
        left = f"{one.name}" if one.kind == "flag" else f"{one.name}={one.sample(game)}"
        words = one.words(game)
        among = f" ({', '.join(words)})" if one.kind in ("choice", "pairs") and 0 < len(words) <= 8 else ""
        other = f"; also {', '.join(one.aliases)}" if one.aliases else ""
        what_if = "what if: " if one.what_if else ""
        rows.append((left, f"{what_if}{one.about}{among}{other}"))
    return rows


def form(question: Question, game: Game) -> list[dict[str, Any]]:
    """The inputs as fields of a form for the page."""
    return [
        {
            "name": one.name,
            "title": one.name.replace("_", " ").capitalize(),
            "aliases": list(one.aliases),
            "about": one.about,
            "kind": one.kind,
            "choices": list(one.words(game)),
            "many": one.many or one.kind in LISTS,
            "needed": one.needed,
            "default": None if one.default is None else str(one.default),
            "what_if": one.what_if,
            "example": one.sample(game),
            "least": int(one.least),
            "most": int(one.most),
            "only": {"input": one.only[0], "values": list(one.only[1])},
        }
        for one in question.inputs
        if one.name != "scenario" and one.kind not in ("position", "file")
    ]

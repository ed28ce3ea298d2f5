"""Questions: a name, a sentence and typed inputs. The command line, `ask`, the page's forms and the JSON Schema are
built from them.

A player's inputs are text. `read` turns them into values by the inputs' kinds, or says which input is wrong, its
kind and an example. The English of an input is for people only: the code reads nothing out of it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from assistant.questions.answer import Answer, Assumption, BadQuestion, rule_text
from assistant.questions.references import UnitRef, listed_parts, named_stacks, named_unit
from scenarios.model.game import Game
from scenarios.model.position import Position
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import number
from scenarios.rules.counters import RuleCounter
from scenarios.rules.shapes import RuleInput

Kind = Literal[
    "unit", "units", "place", "places", "number", "choice", "flag", "text", "position", "file", "pairs", "put"
]
"""A `file` is a file on this machine, read or written, on the command line only. `pairs` are names with a value
each, `israeli:2,egyptian:1`. `put` are pieces with their places, `UNIT@PLACE`."""
Inputs = Mapping[str, Any]
"""The player's inputs as values: a flag is a bool, a number a Fraction, a unit a UnitRef, a place a text, pairs a
mapping. An input that may have several values is a tuple."""

MAX_NUMBER = 999
"""The largest number allowed, where an input doesn't give another."""
EXAMPLES: Mapping[Kind, str] = {
    "unit": "UNIT", "units": "UNIT,UNIT+STATE", "place": "PLACE", "places": "PLACE,PLACE", "number": "2", "choice": "WORD",
    "flag": "yes", "text": "TEXT", "position": "FILE", "file": "FILE", "pairs": "NAME:VALUE,NAME:VALUE", "put": "UNIT@PLACE,UNIT@PLACE",
}  # fmt: skip
NOUNS: Mapping[Kind, str] = {
    "unit": "a unit", "units": "units", "place": "a place on the map", "places": "places on the map", "number": "a number",
    "choice": "a choice", "flag": "yes or no", "text": "a text", "position": "a position file or a save of VASSAL",
    "file": "a file", "pairs": "pairs NAME:VALUE", "put": "units with their places",
}  # fmt: skip
PLACES: frozenset[Kind] = frozenset({"place", "places"})
SAVES = (".vsav", ".vlog", ".yaml", ".yml")
"""The suffixes of files that hold a position."""
LISTS: frozenset[Kind] = frozenset({"units", "places", "put"})
FIRST = ("scenario", "position", "put")
"""These are read before the others, because they decide which counters are present."""
TRUE, FALSE = ("yes", "true", "y", "1"), ("no", "false", "n", "0")


@dataclass(frozen=True, kw_only=True)
class Input:
    """One input of a question."""

    name: str
    about: str
    kind: Kind = "text"
    choices: tuple[str, ...] = ()
    """The words of a choice, or of the names in pairs."""
    vocabulary: Literal[
        "", "terrain", "hexside", "nation", "side", "state", "scenario", "attack", "table", "marker"
    ] = ""
    """Or the pack's own words of that sort."""
    rows: str = ""
    """Or the rows of this table."""
    synonyms: Mapping[str, str] = field(default_factory=dict)
    """Other words for choices, each with the choice that it means. The pack's own words have theirs in the pack
    (`also`)."""
    multiple: bool = False
    """Several choices, numbers or texts, separated by commas."""
    default: Any = None
    assumed: bool = False
    """Whether an answer mentions that the default was used."""
    required: bool = False
    minimum: Fraction | int = 0
    maximum: Fraction | int = MAX_NUMBER
    integer: bool = True
    """Whether a number must be whole."""
    values: Literal["number", "text", "side", "place"] = "number"
    """The type of the values in pairs."""
    separator: str = ":"
    """The separator between a name and its value in pairs."""
    default_value: str = ""
    """The value of a name in pairs that has none."""
    extra_pattern: str = ""
    """A pattern for words that stand for a unit without being a counter, such as `15(H)` for a battery; they are
    passed on as text."""
    markers: bool = False
    """Whether markers may be named among units."""
    stacks: bool = False
    """Units in stacks: stacks are separated by semicolons, or the input is given once for each. They are read as a
    tuple of tuples."""
    example: str = ""
    aliases: tuple[str, ...] = ()
    """Other names of the input, such as `at` for `target`."""
    what_if: bool = False
    """Whether it changes the position for this question only; the page keeps these inputs separate."""
    condition: tuple[str, tuple[str, ...]] = ("", ())
    """Another input, and its values for which this input applies (an empty one: where it isn't given); otherwise the
    page hides it."""

    def words(self, game: Game) -> tuple[str, ...]:
        """Return the words that may be chosen in a game."""
        words_by_source: Mapping[str, Iterable[str]] = {
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
            dict.fromkeys(
                (*self.choices, *words_by_source[self.vocabulary], *(game.tables[self.rows].cells if self.rows else ()))
            )
        )

    def other_words(self, game: Game) -> dict[str, str]:
        """Return synonyms of the words that may be chosen, each with the word it means."""
        word_by_name = dict(self.synonyms)
        for word in self.words(game):
            for records in (game.nations, game.terrain, game.hexsides, game.markers):
                if (record := records.get(word)) is not None:
                    names = (record.name, getattr(record, "adjective", ""), *record.also)
                    word_by_name.update(dict.fromkeys(filter(None, names), word))
        return word_by_name

    def sample(self, game: Game | None = None) -> str:
        """Return an example."""
        if self.example:
            return self.example
        words = self.choices if game is None else self.words(game)
        if words and self.kind == "choice":
            return words[0]
        if words and self.kind == "pairs":
            return f"{words[0]}{self.separator}2"
        if self.kind == "number" and not self.minimum <= 2 <= self.maximum:
            return str(self.minimum)
        return EXAMPLES[self.kind]


def _sides(game: Game) -> list[str]:
    """Return the sides of a game, including those that only some of its scenarios have."""
    return list(
        dict.fromkeys((*game.sides, *(side for scenario in game.scenarios.values() for side in scenario.sides)))
    )


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question that a game answers."""

    name: str
    about: str
    inputs: tuple[Input, ...]
    answer: Callable[[Game, Inputs], Answer]
    positional: tuple[str, ...] = ()
    """The inputs that words without a name fill, in this order; the last one takes all that are left."""
    on_map: Callable[[Inputs], bool] = lambda question_inputs: True
    """Whether the question is about units on a map, where it also works with words alone."""

    def input(self, name: str) -> Input | None:
        """Return an input by its name or an alias; dashes are underscores."""
        key = name.replace("-", "_").strip("_").lower()
        return next((input_ for input_ in self.inputs if key == input_.name or key in input_.aliases), None)

    @property
    def names(self) -> Mapping[str, str]:
        """All names of the inputs, each with its input."""
        return {name: input_.about for input_ in self.inputs for name in (input_.name, *input_.aliases)}


class LazyQuestions(Mapping[str, Question]):
    """Questions by name, each imported on demand: `{"odds": "assistant.games.yom_kippur.odds:ODDS"}`; or a function
    that builds it for a game, where its inputs are the pack's."""

    def __init__(self, places: Mapping[str, Any]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> Question:
        entry = self._places[name]
        if not isinstance(entry, str):
            question: Question = entry
            return question
        module, _, attribute = entry.partition(":")
        loaded_question: Question = getattr(importlib.import_module(module), attribute)
        return loaded_question

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places


SCENARIO = Input(name="scenario", about="the scenario, from its start", kind="choice", vocabulary="scenario")
POSITION = Input(name="position", about="a position file, or a save of VASSAL", kind="position")
TURN = Input(name="turn", about="the turn, if it isn't the position's turn", kind="number", minimum=1)
PUT = Input(
    name="put", about="pieces to add or to move", kind="put", what_if=True, example="UNIT@PLACE,2*UNIT@box:NAME"
)
MARK = Input(name="mark", about="units with other states", kind="units", what_if=True, example="UNIT+STATE+STATE,UNIT")
REMOVE = Input(name="remove", about="pieces to remove", kind="units", what_if=True)
RENAMED_INPUTS: Mapping[str, str] = {"gone": "remove", "tell": "counts", "air": "kind", "phase": "kind"}
"""The new names of inputs that no longer exist."""
ON_A_MAP = (SCENARIO, POSITION, TURN, PUT, MARK, REMOVE)
EMPTY = "none"
"""The scenario of an empty map."""
ON_ANY_MAP = (
    replace(SCENARIO, about=f"{SCENARIO.about}, or {EMPTY} for an empty map", choices=(EMPTY,)),
    *ON_A_MAP[1:],
)
"""The same for questions that every pack answers."""
"""The inputs of every question about a position."""


def read_integer(inputs: Inputs, key: str, default: int, min_value: int, max_value: int) -> int:
    """Return an integer input, checked against limits that depend on the game or the position."""
    value = Fraction(inputs.get(key, default))
    if value.denominator != 1 or not min_value <= value <= max_value:
        raise BadQuestion(f"{key} must be a whole number, {min_value} to {max_value}, not {value}")
    return int(value)


def read(
    question: Question, game: Game, inputs: Mapping[str, Any], notes: list[Assumption] | None = None
) -> dict[str, Any]:
    """Return the inputs as values; BadQuestion names the first wrong input. Defaults that an answer mentions go to
    `notes`."""
    values: dict[str, Any] = {}
    for name, value in sorted(inputs.items(), key=lambda item: item[0] not in FIRST):
        if value is None or value == "" or value == ():
            continue
        input_ = question.input(name)
        if input_ is None:
            raise unknown_input(question, name)
        if input_.name in values:
            other_name = next(other_name for other_name in inputs if question.input(other_name) is input_)
            raise BadQuestion(f"{input_.name} is given twice, as {other_name} and as {name}; leave one out")
        values[input_.name] = _read(input_, game, value, _present(values))
    _check_turn(game, values)
    for input_ in question.inputs:
        if values.get(input_.name) in (None, ()) and input_.required:
            raise BadQuestion(f"{question.name} needs {input_.about}: {input_.name}={input_.sample(game)}")
        if input_.name not in values and input_.default is not None:
            values[input_.name] = input_.default
            if input_.assumed and notes is not None and _applies(input_, values):
                notes.append(Assumption(input_.name, input_.default, f"{input_.about}: {input_.default}"))
    return values


def _applies(input_: Input, values: Inputs) -> bool:
    """Whether an input has an effect next to the others."""
    name, allowed = input_.condition
    value = values.get(name) or ""
    return not name or (value if isinstance(value, str) else "given" if value else "") in allowed


def unknown_input(question: Question, name: str, label: str = "") -> BadQuestion:
    """Return the error for an input that a question doesn't have, with its new or a similar name."""
    new_name = RENAMED_INPUTS.get(name, "")
    hint = f"it is called {new_name!r} now" if new_name in question.names else suggest(name, question.names)
    return BadQuestion(f"{question.name} has no {label or f'input {name!r}'}; {hint}")


def _check_turn(game: Game, values: Inputs) -> None:
    """Raise BadQuestion for a turn that the scenario, or any scenario of the game, doesn't have."""
    turn, position, scenario_id = values.get("turn"), values.get("position"), str(values.get("scenario") or "")
    if isinstance(position, Position):
        scenario_id = position.scenario or scenario_id
    if isinstance(turn, Fraction) and (fault := game.turn_fault(int(turn), scenario_id)):
        raise BadQuestion(f"turn: {fault}")


def _present(values: Inputs) -> frozenset[str]:
    """Return the counters of the position, as far as it is given. If a name is ambiguous, they win."""
    position, put = values.get("position"), {unit_ref.id for unit_ref in values.get("put", ())}
    if isinstance(position, Position):
        return frozenset(put | {piece.unit for piece in position.pieces})
    return frozenset(put) if values.get("scenario") == EMPTY else frozenset()


def _read(input_: Input, game: Game, value: Any, present: frozenset[str] = frozenset()) -> Any:
    """Read one value by its kind."""
    match input_.kind:
        case "flag":
            return _flag(input_, game, value)
        case "number":
            return (
                tuple(_number(input_, game, part) for part in _as_list(value))
                if input_.multiple
                else _number(input_, game, value)
            )
        case "choice":
            return (
                tuple(_choice(input_, game, part) for part in _as_list(value))
                if input_.multiple
                else _choice(input_, game, value)
            )
        case "pairs":
            return _pairs(input_, game, value)
        case "position":
            return value if isinstance(value, Position) else Path(_text(input_, game, value))
        case "file":
            return Path(_text(input_, game, value))
        case "text" if input_.multiple:
            return tuple(_as_list(value))
        case "unit":
            return _unit(input_, game, value if isinstance(value, UnitRef) else _text(input_, game, value), present)
        case "units" if input_.stacks:
            return tuple(named_stacks(game, value, input_.name))
        case "units" | "put":
            unit_refs = tuple(_unit(input_, game, part, present) for part in listed_parts(value))
            if input_.kind == "put" and (ref_without_place := next((v for v in unit_refs if not v.place), None)):
                raise BadQuestion(
                    f"{input_.name} needs a place for {ref_without_place.id}: {input_.name}={ref_without_place.id}@PLACE"
                )
            return unit_refs
        case "places":
            return tuple(_as_list(value))
        case _:
            return _text(input_, game, value)


def _unit(input_: Input, game: Game, value: Any, present: frozenset[str]) -> Any:
    """Read a unit reference; or a text that the input accepts instead of a unit."""
    if isinstance(value, UnitRef):
        return value
    text = str(value).strip()
    return (
        text
        if input_.extra_pattern and re.fullmatch(input_.extra_pattern, text)
        else named_unit(game, text, present, input_.name)
    )


def wrong_kind(input_: Input, game: Game, value: Any) -> BadQuestion:
    """Return the error for a value of the wrong kind."""
    noun = NOUNS[input_.kind]
    if input_.kind == "number":
        low, limits_text = (
            f", {input_.minimum} or more" * (input_.minimum not in (0, -MAX_NUMBER)),
            f" from {input_.minimum} to {input_.maximum}",
        )
        span = "" if input_.minimum == -input_.maximum else low if input_.maximum == MAX_NUMBER else limits_text
        noun = f"{'a whole number' if input_.integer else 'a number'}{span}"
    return BadQuestion(
        f"{input_.name} must be {noun}, not {value!r}; write for example {input_.name}={input_.sample(game)}"
    )


def _flag(input_: Input, game: Game, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word not in (*TRUE, *FALSE):
        raise wrong_kind(input_, game, value)
    return word in TRUE


def _number(input_: Input, game: Game, value: Any) -> Fraction:
    try:
        parsed_number = value if isinstance(value, Fraction) else number(str(value).strip())
    except ValueError:
        raise wrong_kind(input_, game, value) from None
    if (
        isinstance(value, bool)
        or (input_.integer and parsed_number.denominator != 1)
        or not input_.minimum <= parsed_number <= input_.maximum
    ):
        raise wrong_kind(input_, game, value)
    return parsed_number


def _choice(input_: Input, game: Game, value: Any, choices: Sequence[str] = ()) -> str:
    text, words = str(value).strip(), choices or input_.words(game)
    if text in words:
        return text
    canonical_words = {_fold(word): canonical_word for word, canonical_word in input_.other_words(game).items()} | {
        _fold(word): word for word in words
    }
    if _fold(text) not in canonical_words:
        raise BadQuestion(f"{input_.name}: there is no {text!r}; {suggest(text, words)}")
    return canonical_words[_fold(text)]


def _pairs(input_: Input, game: Game, value: Any) -> dict[str, Any]:
    parts = [] if isinstance(value, Mapping) else _as_list(value)
    pairs = (
        value.items()
        if isinstance(value, Mapping)
        else [part.partition("=" if "=" in part else input_.separator)[::2] for part in parts]
    )
    words = input_.words(game)
    values: dict[str, Any] = {}
    for name, text in pairs:
        name, text = str(name).strip(), str(text).strip()
        text = text or input_.default_value
        if not name or not text:
            raise BadQuestion(
                f"{input_.name} must be names with a value each, not {value!r}; write for example {input_.name}={input_.sample(game)}"
            )
        key = _choice(input_, game, name) if words else name
        if key in values:
            raise BadQuestion(f"{input_.name}: {key} is given twice; leave one out")
        values[key] = _pair_value(input_, game, text)
    return values


def _pair_value(input_: Input, game: Game, text: str) -> Any:
    if input_.values == "number":
        return _number(input_, game, text)
    return _choice(input_, game, text, tuple(game.sides)) if input_.values == "side" else text


def _text(input_: Input, game: Game, value: Any) -> str:
    if value is True or isinstance(value, list | tuple | dict):
        raise wrong_kind(input_, game, "nothing" if value is True else value)
    return str(value).strip()


def _as_list(value: Any) -> list[str]:
    return [text for part in listed_parts(value) if (text := str(part).strip())]


def _fold(word: str) -> str:
    return re.sub(r"[\s_-]+", "_", word.strip().casefold())


# --- the words of a command line --------------------------------------------------------------------------------------


def from_words(question: Question, words: Sequence[str]) -> dict[str, Any]:
    """Read `--name value`, `--name=value`, `name=value` and bare words as inputs. A flag needs no value."""
    inputs: dict[str, Any] = {}
    bare_words: list[str] = []
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word.startswith("--") and len(word) > 2:
            name, equals, value = word[2:].partition("=")
            input_ = question.input(name)
            if input_ is None:
                raise unknown_input(question, name, f"option --{name}")
            if not equals and input_.kind == "flag":
                value = waiting.pop(0) if waiting and waiting[0] in (*TRUE[:2], *FALSE[:2]) else "yes"
            elif not equals:
                if not waiting:
                    raise BadQuestion(f"--{name} needs a value: --{name} {input_.sample()}")
                value = waiting.pop(0)
            _add(inputs, input_, value)
            continue
        name, equals, value = word.partition("=")
        input_ = question.input(name)
        if input_ is not None and (equals or input_.kind == "flag"):
            _add(inputs, input_, value if equals else "yes")
        elif equals and re.fullmatch(r"[A-Za-z_-]+", name):
            raise unknown_input(question, name)
        else:
            bare_words.append(word)
    _place_bare(question, bare_words, inputs)
    return inputs


def _add(inputs: dict[str, Any], input_: Input, value: str) -> None:
    """Add a value to an input. A list may be given several times; for any other input that is an error."""
    if input_.name not in inputs:
        inputs[input_.name] = value
    elif _takes_more(input_):
        inputs[input_.name] = f"{inputs[input_.name]}{';' if input_.stacks else ','}{value}"
    else:
        raise BadQuestion(f"{input_.name} is given twice; leave one out")


def _takes_more(input_: Input) -> bool:
    return input_.kind in LISTS or input_.kind == "pairs" or input_.multiple


def _place_bare(question: Question, bare_words: list[str], inputs: dict[str, Any]) -> None:
    """Assign words without a name: a save is the position; the others follow the question's own order."""
    for word in list(bare_words):
        if Path(word).suffix.lower() in SAVES and question.input("position") and "position" not in inputs:
            inputs["position"] = word
            bare_words.remove(word)
    order = [name for name in question.positional if name not in inputs]
    for index, word in enumerate(bare_words):
        if not order:
            raise BadQuestion(
                f"{question.name} can't use {word!r}; write NAME=VALUE, with one of {', '.join(question.names)}"
            )
        name = order[min(index, len(order) - 1)]
        input_ = question.input(name)
        assert input_ is not None
        if name in inputs and not _takes_more(input_):
            raise BadQuestion(
                f"{question.name} takes {inputs[name]!r} as {name} and can't use {word!r}; write NAME=VALUE, with one of "
                f"{', '.join(question.names)}"
            )
        _add(inputs, input_, word)


# --- descriptions: schema, help and forms -----------------------------------------------------------------------------


def question_schema(question: Question, game: Game) -> dict[str, Any]:
    """Return a JSON Schema of the question's inputs."""
    required_names = [input_.name for input_ in question.inputs if input_.required]
    return {
        "title": question.name,
        "description": question.about,
        "type": "object",
        "properties": {
            input_.name: {"description": input_.about, **_schema(input_, game)} for input_ in question.inputs
        },
        "additionalProperties": False,
        **({"required": required_names} if required_names else {}),
    }


def _schema(input_: Input, game: Game) -> dict[str, Any]:
    words = list(input_.words(game))
    text: dict[str, Any] = {"type": "string"}
    number_: dict[str, Any] = {"type": ["number", "string"]}
    if input_.kind == "number" and input_.integer:
        number_ = {"type": ["integer", "string"], "minimum": int(input_.minimum), "maximum": int(input_.maximum)}
    kind_schema: dict[str, Any] = {
        "flag": {"type": ["boolean", "string"]},
        "number": number_,
        "choice": {"enum": words} if words and not input_.multiple else text,
        "pairs": {"type": ["object", "string"]},
        "units": {"type": ["array", "string"], "items": text},
        "places": {"type": ["array", "string"], "items": text},
        "put": {"type": ["array", "string"], "items": text},
    }.get(input_.kind, text)
    return {
        **kind_schema,
        "x-kind": input_.kind,
        **({"x-many": True} if input_.multiple else {}),
        **({"x-choices": words} if words else {}),
    }


def help_rows(question: Question, game: Game) -> list[tuple[str, str]]:
    """Return each input with an example and its description, for help texts."""
    rows = []
    for input_ in question.inputs:
        usage = f"{input_.name}" if input_.kind == "flag" else f"{input_.name}={input_.sample(game)}"
        words = input_.words(game)
        choices = f" ({', '.join(words)})" if input_.kind in ("choice", "pairs") and 0 < len(words) <= 8 else ""
        aliases = f"; also {', '.join(input_.aliases)}" if input_.aliases else ""
        what_if = "what if: " if input_.what_if else ""
        rows.append((usage, rule_text(f"{what_if}{input_.about}{choices}{aliases}")))
    return rows


def form(question: Question, game: Game) -> list[dict[str, Any]]:
    """Return the inputs as fields of a form for the page."""
    return [
        {
            "name": input_.name,
            "title": input_.name.replace("_", " ").capitalize(),
            "aliases": list(input_.aliases),
            "about": input_.about,
            "kind": input_.kind,
            "choices": list(input_.words(game)),
            "many": input_.multiple or input_.kind in LISTS,
            "markers": input_.markers,
            "needed": input_.required,
            "default": None if input_.default is None else str(input_.default),
            "what_if": input_.what_if,
            "example": input_.sample(game),
            "least": int(input_.minimum),
            "most": int(input_.maximum),
            "only": {"input": input_.condition[0], "values": list(input_.condition[1])},
        }
        for input_ in question.inputs
        if input_.name != "scenario" and input_.kind not in ("position", "file")
    ]


def question_input(name: str, rule_input: RuleInput) -> Input:
    """One of the pack's own inputs, as an input of a question."""
    if rule_input.kind == "text" and rule_input.choices:
        return Input(
            name=name,
            about=rule_input.title,
            kind="choice",
            choices=rule_input.choices,
            default=rule_input.default,
            required=rule_input.needed,
        )
    if rule_input.kind == "markers":
        return Input(name=name, about=rule_input.title, kind="choice", choices=rule_input.choices, multiple=True)
    is_whole = rule_input.kind != "number"
    return Input(name=name, about=rule_input.title, kind=rule_input.kind, integer=is_whole, required=rule_input.needed)


def counter_input(name: str, counter: RuleCounter) -> Input:
    """One of the pack's counters, as an input of a question: the player says what a position doesn't show."""
    if counter.kind == "text":
        return Input(name=name, about=counter.title, kind="choice", choices=counter.choices)
    about = f"{counter.title}, where that isn't what the position's track shows" if counter.track else counter.title
    low, high = counter.at_least, counter.at_most
    return Input(
        name=name,
        about=about,
        kind=counter.kind,
        minimum=-MAX_NUMBER if low is None else low,
        maximum=MAX_NUMBER if high is None else high,
    )

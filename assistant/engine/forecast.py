"""The question `forecast`: what the counters of a game come to, turn by turn, and when the game ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from assistant.chances import mean
from assistant.engine.field import Field
from assistant.engine.map_index import program_of
from assistant.engine.question_field import asked_field
from assistant.engine.turn_chain import (
    ForecastTurn,
    TurnChain,
    closed_groups,
    forecast_records,
    names_in_records,
    sequence_phases,
    turn_values,
)
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    CounterRef,
    Node,
    RowTable,
    TableColumn,
    Unofficial,
    Value,
    remark,
)
from assistant.questions.question import (
    MAX_NUMBER,
    ON_ANY_MAP,
    Input,
    Inputs,
    Question,
    counter_input,
    question_input,
    read,
    read_integer,
)
from assistant.unofficial import unofficial_addresses
from scenarios.model.game import Game
from scenarios.reading.findings import suggest
from scenarios.rules.counters import RuleCounter
from scenarios.rules.shapes import RuleInput

MAX_TURNS = 60
MAX_LISTED = 12
"""A counter with more values than this is shown as a range and a mean."""
MAX_COLUMNS = 4
"""A counter with no more values than this has a line for each."""
MAX_TURNS_ACROSS = 7
"""A table with more turns than this is cut into several."""
Forecast = tuple[TurnChain, Sequence[ForecastTurn]]
"""A group of counters with what it comes to in each turn."""
BY_TURN = re.compile(r"(?:(\d+):)?(.+)", re.DOTALL)
NOTHING = "none"
"""The word for no marker at all."""


class _ByTurn:
    """What the player says of an input, from which turn on: `scores=2:3,3:5`."""

    def __init__(self, game: Game, input_: Input, is_list: bool, texts: Sequence[str]) -> None:
        self.is_list = is_list
        self.by_turn: dict[int, list[Any]] = {}
        question = Question(name="forecast", about="", inputs=(input_,), answer=_forecast)
        for text in texts:
            match = BY_TURN.fullmatch(str(text).strip())
            assert match is not None
            values = self.by_turn.setdefault(int(match[1] or 0), [])
            if is_list and match[2].strip() == NOTHING:
                continue
            value = read(question, game, {input_.name: match[2].strip()})[input_.name]
            values += value if is_list else [value]
            if not is_list and len(values) > 1:
                raise BadQuestion(f"{input_.name} has two values for one turn; write {input_.name}=2:3,3:5")

    def values(self, turn: int) -> list[Any]:
        """Return what holds in a turn: what was said for it, or for the last turn before it."""
        before = [since for since in self.by_turn if since <= turn]
        return self.by_turn[max(before)] if before else []


def _by_turn(game: Game, inputs: Inputs) -> dict[str, _ByTurn]:
    """Return what the player says by turn: the pack's inputs, and values that rest on the position."""
    rules = program_of(game).rules
    said = {
        name: _ByTurn(game, question_input(name, shape), shape.kind == "markers", inputs[name])
        for name, shape in rules.inputs.items()
        if name in inputs and shape.kind != "places"
    }
    values = {name: _ByTurn(game, _value_input(name), False, inputs[name]) for name in rules.values if name in inputs}
    return {**said, **values}


def _value_input(name: str) -> Input:
    return Input(name=name, about=name, kind="number", minimum=-MAX_NUMBER)


def _forecast(game: Game, inputs: Inputs) -> Answer:
    program = program_of(game)
    by_turn = _by_turn(game, inputs)
    field = asked_field(game, {name: value for name, value in inputs.items() if name not in by_turn})
    turn, last = field.position.turn, last_turn(field)
    if last is not None and turn > last:
        raise BadQuestion(f"turn {turn} is past the last turn, {last}")
    count = read_integer(inputs, "turns", last - turn + 1 if last else 1, 1, last - turn + 1 if last else MAX_TURNS)
    phase = _phase(field, str(inputs.get("phase", field.position.phase)))

    def markers(name: str, turn: int) -> Sequence[str]:
        values = by_turn[name].values(turn) if name in by_turn else ()
        return list(dict.fromkeys(values))

    def said_values(turn: int) -> Mapping[str, Any]:
        said = {name: by_turn[name].values(turn) for name in by_turn if not by_turn[name].is_list}
        prefixes = {name: "input." if name in program.rules.inputs else "" for name in said}
        return {f"{prefixes[name]}{name}": values[0] for name, values in said.items() if values}

    chains = [
        TurnChain(field, group, markers, said_values) for group in closed_groups(program, forecast_records(program))
    ]
    forecasts = [(chain, chain.run(range(turn, turn + count), phase)) for chain in chains]
    nodes: list[Node] = [Value("turn", turn, for_people=False), Value("phase", phase or None, for_people=False)]
    nodes += _refused(chains, turn)
    nodes += _turns(forecasts)
    nodes += _rolls(forecasts)
    nodes += _at_the_end(game, forecasts)
    cells = sorted({(cell[0], cell[1], cell[2]) for chain in chains for cell in chain.cells if len(cell) == 3})
    nodes.append(Unofficial(unofficial_addresses(game, cells=cells)))
    return Answer("forecast", game.id, nodes)


def last_turn(field: Field) -> int | None:
    """Return the last turn of the scenario, or of the game's turns."""
    scenario = field.scenario
    if scenario is not None and scenario.turns is not None:
        return scenario.turns.last
    return len(field.game.turns.names) or None if field.game.turns else None


def _phase(field: Field, phase: str) -> str:
    names = [entry.id for entry in sequence_phases(field)]
    if phase and phase not in names:
        raise BadQuestion(f"phase: the turn has no {phase!r}; {suggest(phase, names)}")
    return phase


def _refused(chains: Sequence[TurnChain], turn: int) -> list[Node]:
    """Name the markers of the first turn that may not take part, and why."""
    gates = {
        (marker, gate.text): gate
        for chain in chains
        for _, marker, gate in chain.refusals(turn)
        if gate and gate.forbid
    }
    rows: list[dict[str, Cell]] = [
        {"marker": CounterRef(marker, chains[0].field.game.markers[marker].name), "text": text, "rule": gate.rule}
        for (marker, text), gate in gates.items()
    ]
    columns = [
        TableColumn("marker", "marker"),
        TableColumn("text", f"why not in turn {turn}"),
        TableColumn("rule", "rule"),
    ]
    return [RowTable("refused", columns, rows)] if rows else []


def _turns(forecasts: Sequence[Forecast]) -> list[Node]:
    """The chance that the game ends in each turn; and what the counters are after it, in games that go on.

    Programs get a row for each turn, people a column: the titles of counters are long.
    """
    shapes, homes = forecasts[0][0].shapes, _homes(forecasts)
    flags = [name for name in homes if shapes[name].kind == "flag"]
    numbers = [name for name in homes if shapes[name].kind == "number"]
    ends_at_all = _may_end(forecasts)
    rows: list[dict[str, Cell]] = []
    by_title: list[dict[str, Cell]] = []
    for number, first_turn in enumerate(forecasts[0][1]):
        row: dict[str, Cell] = {"turn": first_turn.turn}
        if ends_at_all:
            row["game_ends"] = Chance(sum(first_turn.ends.values(), Fraction(0)))
        counters = {name: forecast[number].chances(name) for name, (_, forecast) in homes.items()}
        row["counters"] = {
            name: {_text(value): Chance(chance) for value, chance in chances.items()}
            for name, chances in counters.items()
        }
        rows.append(row)
        ended = {"the game ends": row["game_ends"]} if ends_at_all else {}
        by_title.append(ended | dict(_amounts(shapes, counters, [*flags, *numbers])))
    columns = [TableColumn(key) for key in ("turn", *(["game_ends"] if ends_at_all else []), "counters")]
    titles = list(dict.fromkeys(title for cells in by_title for title in cells))
    nodes: list[Node] = [RowTable("turns", columns, rows)]
    cells_by_turn = {str(row["turn"]): cells for row, cells in zip(rows, by_title, strict=True)}
    all_turns, block_count = list(cells_by_turn), -(-len(rows) // MAX_TURNS_ACROSS)
    size = -(-len(rows) // block_count)
    for turns in [all_turns[start : start + size] for start in range(0, len(rows), size)]:
        lines: list[dict[str, Cell]] = [
            {"title": title, **{turn: cells_by_turn[turn].get(title) for turn in turns}} for title in titles
        ]
        heads = [TableColumn("title", "after turn"), *(TableColumn(turn, turn) for turn in turns)]
        nodes.append(RowTable("turns", heads, lines, for_programs=False))
    return nodes


def _amounts(
    shapes: Mapping[str, RuleCounter],
    counters: Mapping[str, Mapping[Any, Fraction]],
    names: Sequence[str],
) -> Iterator[tuple[str, Cell]]:
    """Yield the title and the chance of each flag and of each value of a number; of a number with many values, the mean."""
    for name in names:
        title, values, chances = shapes[name].title, _values(shapes[name]), counters[name]
        if shapes[name].kind == "flag":
            yield title, Chance(chances.get(True, Fraction(0)))
        elif values:
            yield from ((f"{title}: {value}", Chance(chances.get(value, Fraction(0)))) for value in values)
        elif chances:
            yield f"{title}, on average", mean(chances, lambda value: value)


def _may_end(forecasts: Sequence[Forecast]) -> bool:
    return any(stage.record.end for stage in forecasts[0][0].stages)


def _homes(forecasts: Sequence[Forecast]) -> dict[str, Forecast]:
    """Return the counters that may change, each with a forecast that has it."""
    homes: dict[str, Forecast] = {}
    for forecast in forecasts:
        chain = forecast[0]
        changed = {name for stage in chain.stages for name in chain.changes(stage.record)}
        for name in chain.names:
            if name in changed:
                homes.setdefault(name, forecast)
    return {name: homes[name] for name in forecasts[0][0].shapes if name in homes}


def _values(counter: RuleCounter) -> Sequence[int]:
    """Return the values of a counter, where there are so few that each has a column."""
    low, high = counter.at_least, counter.at_most
    return range(low, high + 1) if low is not None and high is not None and high - low < MAX_COLUMNS else ()


def _rolls(forecasts: Sequence[Forecast]) -> list[Node]:
    """The chance of each roll to succeed in each turn, and how often it has succeeded by then."""
    rows: list[dict[str, Cell]] = []
    shapes, known, of_flags = forecasts[0][0].shapes, set[int](), set[str]()
    for chain, forecast in forecasts:
        for number, stage in enumerate(chain.stages):
            record, by_now = stage.record, Fraction(0)
            if not record.roll or record.needs is None or id(record) in known:
                continue
            known |= (
                {id(record)} if number == max(n for n, s in enumerate(chain.stages) if s.record is record) else set()
            )
            # What sets a flag stands beside the turns already.
            of_flags |= {record.text} if all(shapes[name].kind == "flag" for name in record.change) else set()
            for this_turn in forecast:
                chance = this_turn.happens.get(number, Fraction(0))
                by_now += chance
                row: dict[str, Cell] = {"text": record.text, "turn": this_turn.turn, "now": Chance(chance)}
                rows.append({**row, "expected": by_now, "rule": record.rule})
    columns = [TableColumn(key) for key in ("text", "turn", "now", "expected", "rule")]
    nodes: list[Node] = [RowTable("turn_rolls", columns, rows)] if rows else []
    heads = [
        TableColumn("turn", "turn"),
        TableColumn("now", "now"),
        TableColumn("expected", "times by then, on average"),
    ]
    for text in dict.fromkeys(str(row["text"]) for row in rows if row["text"] not in of_flags):
        possible = [row for row in rows if row["text"] == text and row["now"] != Chance(Fraction(0))]
        title = f"{text} ({possible[0]['rule']})" if possible and possible[0]["rule"] else text
        nodes += [RowTable("turn_rolls", heads, possible, title, for_programs=False)] if possible else []
    return nodes


def _at_the_end(game: Game, forecasts: Sequence[Forecast]) -> list[Node]:
    """The chances of each counter after the last turn, in games that go on until then."""
    last, shapes = forecasts[0][1][-1], forecasts[0][0].shapes
    nodes: list[Node] = []
    if _may_end(forecasts):
        nodes.append(Value("goes_on", Chance(last.goes_on), f"The game goes on after turn {last.turn}"))
    for name, (_, forecast) in _homes(forecasts).items() if last.goes_on else ():
        counter, chances = shapes[name], forecast[-1].chances(name)
        if counter.kind == "flag" or _values(counter):
            continue
        listed = ", ".join(f"{_name(game, value)} {Chance(chance)}" for value, chance in chances.items())
        text = listed if len(chances) <= MAX_LISTED else f"from {min(chances)} to {max(chances)}"
        nodes.append(remark(f"{counter.title} after turn {last.turn}: {text}"))
    return nodes


def _text(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _name(game: Game, value: Any) -> str:
    """Return a value as people read it: the name of a marker, a choice without underscores."""
    text = _text(value)
    return game.markers[text].name if text in game.markers else text.replace("_", " ")


def forecast_question(game: Game) -> Question | None:
    """Return the question `forecast`, where the turns of a pack change counters."""
    if game.rules is None or not game.rules.counters:
        return None
    program = program_of(game)
    records = forecast_records(program)
    if not any(record.change or record.table for record in records):
        return None
    names = names_in_records(program, records)
    rule_inputs = [
        Input(name=name, about=f"{shape.title}; by turn: {name}={_sample(shape)}", kind="text", multiple=True)
        for name, shape in game.rules.inputs.items()
        if f"input.{name}" in names and shape.kind != "places"
    ]
    position_values = [
        Input(
            name=name,
            about=f"{name.replace('_', ' ')}, where it isn't what the position shows; by turn: {name}=2:3,3:5",
            multiple=True,
        )
        for name in turn_values(program, records)
        if program.names(program.values[name]) & {"places", "units"}
    ]
    counters = [
        counter_input(name, counter) for name, counter in game.rules.counters.items() if f"counter.{name}" in names
    ]
    return Question(
        name="forecast",
        about="what the counters come to turn by turn, and when the game ends",
        answer=_forecast,
        positional=("turns",),
        on_map=lambda inputs: False,
        inputs=(
            Input(
                name="turns",
                about="how many turns, this one first; until the last, if left out",
                kind="number",
                minimum=1,
            ),
            Input(name="phase", about="the phase now: what happens before it is over in this turn", example="PHASE"),
            *counters,
            *rule_inputs,
            *position_values,
            *ON_ANY_MAP,
        ),
    )


def _sample(shape: RuleInput) -> str:
    if shape.kind == "markers":
        first = shape.choices[0] if shape.choices else "MARKER"
        return f"1:{first},2:{NOTHING}"
    return {"number": "1:2,3:0", "flag": "1:yes,3:no"}.get(shape.kind, f"1:{next(iter(shape.choices), 'WORD')}")

"""The question `forecast`: what the counters of a game come to, turn by turn, and when the game ends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from assistant.chances import mean
from assistant.engine.field import Field
from assistant.engine.map_index import program_of
from assistant.engine.question_field import asked_field
from assistant.engine.turn_chain import ForecastTurn, TurnChain, forecast_records, names_in_records, sequence_phases
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    CounterRef,
    Node,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    chances_of,
    remark,
)
from assistant.questions.question import (
    ON_ANY_MAP,
    Input,
    Inputs,
    Question,
    counter_input,
    read,
    read_integer,
    told_input,
)
from assistant.unofficial import unofficial_addresses
from scenarios.model.game import Game
from scenarios.reading.findings import suggest
from scenarios.rules.shapes import RuleInput

MAX_TURNS = 60
MAX_LISTED = 12
"""A counter with more values than this is shown as a range and a mean."""
MAX_COLUMNS = 4
"""A counter with no more values than this has a column for each."""
BY_TURN = re.compile(r"(?:(\d+):)?(.+)", re.DOTALL)
NOTHING = "none"
"""The word for no marker at all."""


class _ByTurn:
    """What the player says of an input, from which turn on: `scores=2:3,3:5`."""

    def __init__(self, game: Game, name: str, shape: RuleInput, texts: Sequence[str]) -> None:
        self.shape = shape
        self.by_turn: dict[int, list[Any]] = {}
        question = Question(name="forecast", about="", inputs=(told_input(name, shape),), answer=_forecast)
        for text in texts:
            match = BY_TURN.fullmatch(str(text).strip())
            assert match is not None
            values = self.by_turn.setdefault(int(match[1] or 0), [])
            if shape.kind == "markers" and match[2].strip() == NOTHING:
                continue
            value = read(question, game, {name: match[2].strip()})[name]
            values += value if shape.kind == "markers" else [value]
            if shape.kind != "markers" and len(values) > 1:
                raise BadQuestion(f"{name} is told twice for the same turn: {name}=2:3,3:5 gives a value for each turn")

    def values(self, turn: int) -> list[Any]:
        """Return what holds in a turn: what was said for it, or for the last turn before it."""
        before = [since for since in self.by_turn if since <= turn]
        return self.by_turn[max(before)] if before else []


def _forecast(game: Game, inputs: Inputs) -> Answer:
    rules = program_of(game).rules
    by_turn = {
        name: _ByTurn(game, name, shape, inputs[name])
        for name, shape in rules.inputs.items()
        if name in inputs and shape.kind != "places"
    }
    field = asked_field(game, {name: value for name, value in inputs.items() if name not in by_turn})
    turn, last = field.position.turn, last_turn(field)
    if last is not None and turn > last:
        raise BadQuestion(f"turn {turn} is past the last turn, {last}")
    count = read_integer(inputs, "turns", last - turn + 1 if last else 1, 1, last - turn + 1 if last else MAX_TURNS)
    phase = _phase(field, str(inputs.get("phase", field.position.phase)))

    def markers(name: str, turn: int) -> Sequence[str]:
        values = by_turn[name].values(turn) if name in by_turn else ()
        return list(dict.fromkeys(values))

    def inputs_of(turn: int) -> Mapping[str, Any]:
        values = {name: said.values(turn) for name, said in by_turn.items() if said.shape.kind != "markers"}
        return {name: said[0] for name, said in values.items() if said}

    chain = TurnChain(field, markers, inputs_of)
    forecast = chain.run(range(turn, turn + count), phase)
    nodes: list[Node] = [Value("turn", turn, for_people=False), Value("phase", phase or None, for_people=False)]
    nodes += _refused(chain, turn)
    nodes += _turns(chain, forecast)
    nodes += _rolls(chain, forecast)
    nodes += _at_the_end(chain, forecast[-1])
    cells = [(cell[0], cell[1], cell[2]) for cell in sorted(chain.cells) if len(cell) == 3]
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


def _refused(chain: TurnChain, turn: int) -> list[Node]:
    """Name the markers of the first turn that may not take part, and why."""
    rows: list[dict[str, Cell]] = [
        {
            "marker": CounterRef(marker, chain.field.game.markers[marker].name),
            "text": gate.text,
            "rule": gate.rule,
        }
        for _, marker, gate in chain.refusals(turn)
        if gate is not None and gate.forbid
    ]
    columns = [
        TableColumn("marker", "marker"),
        TableColumn("text", f"why not in turn {turn}"),
        TableColumn("rule", "rule"),
    ]
    return [RowTable("refused", columns, rows)] if rows else []


def _turns(chain: TurnChain, forecast: Sequence[ForecastTurn]) -> list[Node]:
    """The chance that the game ends in each turn; and what the counters are after it, in games that go on."""
    changing = _changing(chain)
    flags = [name for name in changing if chain.shapes[name].kind == "flag"]
    numbers = [name for name in changing if chain.shapes[name].kind == "number"]
    ends_at_all = any(stage.record.end for stage in chain.stages)
    rows: list[dict[str, Cell]] = []
    for this_turn in forecast:
        row: dict[str, Cell] = {"turn": this_turn.turn}
        if ends_at_all:
            row["game_ends"] = Chance(sum(this_turn.ends.values(), Fraction(0)))
        counters = {name: this_turn.chances(name) for name in changing}
        row["counters"] = {
            name: {_text(value): Chance(chance) for value, chance in chances.items()}
            for name, chances in counters.items()
        }
        row |= {f"{name} ": Chance(counters[name].get(True, Fraction(0))) for name in flags}
        for name in numbers:
            row |= {f"{name} {value}": Chance(counters[name].get(value, Fraction(0))) for value in _values(chain, name)}
            if counters[name]:
                row[f"{name} "] = mean(counters[name], lambda value: value)
        rows.append(row)
    columns = [TableColumn("turn", "turn")]
    columns += [TableColumn("game_ends", "the game ends")] if ends_at_all else []
    columns.append(TableColumn("counters"))
    columns += [TableColumn(f"{name} ", chain.shapes[name].title, for_programs=False) for name in flags]
    for name in numbers:
        title, values = chain.shapes[name].title, _values(chain, name)
        columns += [TableColumn(f"{name} {value}", f"{title}: {value}", for_programs=False) for value in values]
        if not values:
            columns.append(TableColumn(f"{name} ", f"{title}, on average", for_programs=False))
    return [RowTable("turns", columns, rows)]


def _values(chain: TurnChain, name: str) -> Sequence[int]:
    """Return the values of a counter, where there are so few that each has a column."""
    low, high = chain.shapes[name].at_least, chain.shapes[name].at_most
    is_small = low is not None and high is not None and high - low < MAX_COLUMNS
    return range(low, high + 1) if is_small and low is not None and high is not None else ()


def _rolls(chain: TurnChain, forecast: Sequence[ForecastTurn]) -> list[Node]:
    """The chance of each roll to succeed in each turn, and to have succeeded by then."""
    rows: list[dict[str, Cell]] = []
    # What sets a flag stands beside the turns already.
    of_flags = {
        stage.record.text
        for stage in chain.stages
        if stage.record.change and all(chain.shapes[name].kind == "flag" for name in stage.record.change)
    }
    for number, stage in enumerate(chain.stages):
        by_now = Fraction(0)
        for this_turn in forecast if stage.record.roll and stage.record.needs is not None else ():
            chance = this_turn.happens.get(number, Fraction(0))
            by_now += chance
            rows.append(
                {
                    "text": stage.record.text,
                    "turn": this_turn.turn,
                    "now": Chance(chance),
                    "expected": by_now,
                    "rule": stage.record.rule,
                }
            )
    columns = [TableColumn(key) for key in ("text", "turn", "now", "expected", "rule")]
    nodes: list[Node] = [RowTable("rolls", columns, rows)] if rows else []
    for text in dict.fromkeys(str(row["text"]) for row in rows if row["text"] not in of_flags):
        possible = [row for row in rows if row["text"] == text and row["now"] != Chance(Fraction(0))]
        title = f"{text} ({possible[0]['rule']})" if possible and possible[0]["rule"] else text
        heads = [
            TableColumn("turn", "turn"),
            TableColumn("now", "now"),
            TableColumn("expected", "times by then, on average"),
        ]
        nodes += [RowTable("rolls", heads, possible, title, for_programs=False)] if possible else []
    return nodes


def _at_the_end(chain: TurnChain, last: ForecastTurn) -> list[Node]:
    """The chances of each counter after the last turn, in games that go on until then."""
    goes_on = last.goes_on
    nodes: list[Node] = []
    if any(stage.record.end for stage in chain.stages):
        nodes.append(Value("goes_on", Chance(goes_on), f"The game goes on after turn {last.turn}"))
    for name in _changing(chain) if goes_on else ():
        counter, chances = chain.shapes[name], last.chances(name)
        if counter.kind == "flag" or _values(chain, name):
            continue
        title = f"{counter.title} after turn {last.turn}"
        if len(chances) <= MAX_LISTED:
            node = chances_of(name, {_text(value): chance for value, chance in chances.items()}, title)
            nodes.append(
                Sentence(
                    f"{title}: " + ", ".join(f"{key} {Chance(c)}" for key, c in node.chances.items()),
                    for_programs=False,
                )
            )
        else:
            nodes.append(remark(f"{title}: from {min(chances)} to {max(chances)}"))
    return nodes


def _changing(chain: TurnChain) -> list[str]:
    """Return the counters that a forecast may change."""
    changed = {name for stage in chain.stages for name in chain.changes(stage.record)}
    return [name for name in chain.names if name in changed]


def _text(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


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
            *ON_ANY_MAP,
        ),
    )


def _sample(shape: RuleInput) -> str:
    if shape.kind == "markers":
        first = shape.choices[0] if shape.choices else "MARKER"
        return f"1:{first},2:{NOTHING}"
    return {"number": "1:2,3:0", "flag": "1:yes,3:no"}.get(shape.kind, f"1:{next(iter(shape.choices), 'WORD')}")

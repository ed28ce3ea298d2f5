"""Repeatable dice rolls: a seed gives the same rolls, a log keeps them. The question is `roll`."""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from assistant.questions.answer import Answer, BadQuestion, Cell, Node, RowTable, TableColumn, Value, remark
from assistant.questions.question import Input, Inputs, Question
from assistant.questions.rendering import answer_json
from assistant.tables import COLUMN, DIE, SHIFT, find
from scenarios.model.dice import DICE
from scenarios.model.game import Game
from scenarios.reading.findings import suggest

MAX_ROLLS = 10_000
"""The maximum number of rolls at once."""
SEEDS = 10**6
"""The number of possible seeds where none is given."""


def throws(dice: str, seed: int, skip: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield roll after roll of, for example, 2d6, from the one after `skip`; the same seed gives the same rolls."""
    match = DICE.fullmatch(dice)
    if match is None:
        raise ValueError(f"{dice!r} is not a dice roll; write one such as 1d6 or 2d6")
    source = random.Random(f"{seed}:{dice}")
    count, faces = int(match[1] or 1), int(match[2])
    for _ in range(skip * count):
        source.randint(1, faces)
    while True:
        yield tuple(source.randint(1, faces) for _ in range(count))


def _roll(game: Game, inputs: Inputs) -> Answer:
    log: Path | None = inputs.get("log")
    seed = int(inputs["seed"]) if "seed" in inputs else None
    try:
        history = [] if log is None else read_log(log)
        dice, nodes = _thrown_on(game, inputs)
        roll_seed = secrets.randbelow(SEEDS) if seed is None else seed
        rolls = throws(dice, roll_seed, thrown_before(history, seed, dice))
        rows = [_row(next(rolls), int(inputs["die"]), game, inputs) for _ in range(int(inputs["times"]))]
        answer = Answer(
            "roll",
            game.id,
            [
                *nodes,
                remark(f"{_location_text(nodes)}{dice}, seed {roll_seed}"),
                Value("seed", roll_seed, for_people=False),
                Value("dice", dice, for_people=False),
                RowTable("rolls", [TableColumn("said", "throw", for_programs=False)], rows, heads=False),
            ],
        )
        if log is not None:
            note(log, answer_json(answer))
    except ValueError as error:
        raise BadQuestion(str(error)) from None
    except OSError as error:
        raise BadQuestion(f"the log {log} can't be written: {error.strerror}; name another with --log") from None
    return answer


def _thrown_on(game: Game, inputs: Inputs) -> tuple[str, list[Node]]:
    """Return the dice, and the table and column of the roll, if any."""
    dice_or_table = inputs["what"]
    if DICE.fullmatch(dice_or_table):
        return dice_or_table, []
    if dice_or_table not in game.tables:
        raise ValueError(
            f"{game.id} has no table {dice_or_table!r}; {suggest(dice_or_table, game.tables)} (or dice, such as 2d6)"
        )
    table = game.tables[dice_or_table]
    if not table.dice:
        raise ValueError(f"{table.title} takes no die roll; look it up with `assistant table`")
    column = table.columns.labels[_column(game, inputs)]
    table_fields = {"table": dice_or_table, "title": table.title, "column": column}
    return table.dice, [Value(key, value, for_people=False) for key, value in table_fields.items()]


def _column(game: Game, inputs: Inputs) -> int:
    table = game.tables[inputs["what"]]
    labels, column = table.columns.labels, inputs.get("column", "")
    if not column and len(labels) > 1:
        raise ValueError(f"choose a --column of {table.title}: {', '.join(labels)}")
    start = find(table, column or labels[0])
    if start is None:
        raise ValueError(f"{column} is below {labels[0]}, the first column of {table.title}, so no attack is possible")
    return table.shift_column(start, int(inputs["shift"]))


def _location_text(nodes: Iterable[Node]) -> str:
    values = {node.key: node.value for node in nodes if isinstance(node, Value)}
    return f"{values['title']}, column {values['column']}: " if values else ""


def _row(dice: tuple[int, ...], modifier: int, game: Game, inputs: Inputs) -> dict[str, Cell]:
    """Return one roll, with its result on a table."""
    total = sum(dice) + modifier
    parts = "+".join(map(str, dice)) + f" {modifier:+d}" * bool(modifier)
    words = parts + f" = {total}" * (len(dice) > 1 or bool(modifier))
    row: dict[str, Cell] = {"dice": list(dice), "modifier": modifier, "total": total}
    if inputs["what"] in game.tables:
        table = game.tables[inputs["what"]]
        result = table.cell(total, _column(game, inputs))
        row |= {"row": table.row(total), "result": result.code, "meaning": result.meaning}
        words += f": {result.code} {result.meaning}".rstrip()
    return row | {"said": words}


def note(log: Path, answer: Mapping[str, Any]) -> None:
    """Append rolls to a log, a line of JSON each; one write, so that a line is never incomplete."""
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(answer, ensure_ascii=False) + "\n")


def read_log(log: Path) -> list[dict[str, Any]]:
    """Return the contents of a log; empty if the file doesn't exist. Raise ValueError if it is no log."""
    if not log.exists():
        return []
    try:
        entries: list[Any] = (
            list(map(json.loads, log.read_text(encoding="utf-8").splitlines())) if log.is_file() else [None]
        )
    except (ValueError, RecursionError):
        entries = [None]
    if not all(isinstance(answer, dict) and isinstance(answer.get("rolls"), list) for answer in entries):
        raise ValueError(f"{log} is not a log of dice rolls; name another file")
    return entries


def thrown_before(answers: Iterable[Mapping[str, Any]], seed: int | None, dice: str) -> int:
    """Return how many rolls of the same dice and seed a log holds."""
    return sum(len(answer["rolls"]) for answer in answers if answer.get("seed") == seed and answer.get("dice") == dice)


ROLL = Question(
    name="roll",
    about="roll dice, such as 2d6, or roll on a table; a seed repeats the same rolls, a log file records them",
    inputs=(
        Input(name="what", about="the dice, or the table to roll on", required=True, example="2d6"),
        replace(COLUMN, aliases=("label",)),
        SHIFT,
        DIE,
        Input(name="times", about="how many rolls", kind="number", minimum=1, maximum=MAX_ROLLS, default=Fraction(1)),
        Input(
            name="seed",
            about="a number; the same seed gives the same rolls",
            kind="number",
            minimum=1 - SEEDS**2,
            maximum=SEEDS**2 - 1,
        ),
        Input(
            name="log",
            about="a file that records every roll; the next call with the same seed continues where this one stopped",
            kind="file",
        ),
    ),
    answer=_roll,
    positional=("what", "column"),
)

"""Throws of dice that can be made again: a seed gives the same throws, a log keeps them. The question is `roll`."""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from assistant.answers import Answer, BadQuestion, Cell, Column, Node, Table, Value, said
from assistant.questions import Input, Question, Told
from assistant.rendering import as_json
from assistant.tables import COLUMN, DIE, SHIFT, find
from scenarios.dice import DICE
from scenarios.game import Game
from scenarios.reading.findings import instead

MOST = 10_000
"""How many throws can be asked for at once."""
SEEDS = 10**6
"""How many seeds there are to choose from where none is told."""


def throws(dice: str, seed: int, skip: int = 0) -> Iterator[tuple[int, ...]]:
    """Throw after throw of, say, 2d6, from the one after `skip`: the same ones for the same seed."""
    match = DICE.fullmatch(dice)
    if match is None:
        raise ValueError(f"{dice!r} is no throw of dice; write one such as 1d6 or 2d6")
    source = random.Random(f"{seed}:{dice}")
    count, faces = int(match[1] or 1), int(match[2])
    for _ in range(skip * count):
        source.randint(1, faces)
    while True:
        yield tuple(source.randint(1, faces) for _ in range(count))


def _roll(game: Game, told: Told) -> Answer:
    log: Path | None = told.get("log")
    seed = int(told["seed"]) if "seed" in told else None
    try:
        before = [] if log is None else logged(log)
        dice, nodes = _thrown_on(game, told)
        chosen = secrets.randbelow(SEEDS) if seed is None else seed
        thrown = throws(dice, chosen, thrown_before(before, seed, dice))
        rows = [_row(next(thrown), int(told["die"]), game, told) for _ in range(int(told["times"]))]
        found = Answer(
            "roll",
            game.id,
            [
                *nodes,
                said(f"{_where(nodes)}{dice}, seed {chosen}"),
                Value("seed", chosen, shown=False),
                Value("dice", dice, shown=False),
                Table("throws", [Column("said", "throw", told=False)], rows, heads=False),
            ],
        )
        if log is not None:
            note(log, as_json(found))
    except ValueError as error:
        raise BadQuestion(str(error)) from None
    except OSError as error:
        raise BadQuestion(f"the log {log} can't be written: {error.strerror}; name another with --log") from None
    return found


def _thrown_on(game: Game, told: Told) -> tuple[str, list[Node]]:
    """The dice, and the table and column that they are thrown on, if any."""
    what = told["what"]
    if DICE.fullmatch(what):
        return what, []
    if what not in game.tables:
        raise ValueError(f"{game.id} has no table {what!r}; {instead(what, game.tables)} (or dice, such as 2d6)")
    table = game.tables[what]
    if not table.dice:
        raise ValueError(f"{table.title} isn't thrown for: it is looked up with `assistant table`")
    column = table.columns.labels[_column(game, told)]
    told_ = {"table": what, "title": table.title, "column": column}
    return table.dice, [Value(key, value, shown=False) for key, value in told_.items()]


def _column(game: Game, told: Told) -> int:
    table = game.tables[told["what"]]
    labels, column = table.columns.labels, told.get("column", "")
    if not column and len(labels) > 1:
        raise ValueError(f"say which --column of {table.title}: {', '.join(labels)}")
    start = find(table, column or labels[0])
    if start is None:
        raise ValueError(f"{column} is worse than {labels[0]}, the first column of {table.title}: no attack")
    return table.shifted(start, int(told["shift"]))


def _where(nodes: Iterable[Node]) -> str:
    values = {node.key: node.value for node in nodes if isinstance(node, Value)}
    return f"{values['title']}, column {values['column']}: " if values else ""


def _row(dice: tuple[int, ...], modifier: int, game: Game, told: Told) -> dict[str, Cell]:
    """One throw, with its result on a table."""
    total = sum(dice) + modifier
    parts = "+".join(map(str, dice)) + f" {modifier:+d}" * bool(modifier)
    words = parts + f" = {total}" * (len(dice) > 1 or bool(modifier))
    row: dict[str, Cell] = {"dice": list(dice), "modifier": modifier, "total": total}
    if told["what"] in game.tables:
        table = game.tables[told["what"]]
        result = table.cell(total, _column(game, told))
        row |= {"row": table.row(total), "result": result.code, "meaning": result.meaning}
        words += f": {result.code} {result.meaning}".rstrip()
    return row | {"said": words}


def note(log: Path, answer: Mapping[str, Any]) -> None:
    """Add throws to a log, a line of JSON each time; one write, so that a line is never half there."""
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(answer, ensure_ascii=False) + "\n")


def logged(log: Path) -> list[dict[str, Any]]:
    """What a log holds; nothing if there is none yet. ValueError if it is no log."""
    if not log.exists():
        return []
    try:
        held: list[Any] = (
            list(map(json.loads, log.read_text(encoding="utf-8").splitlines())) if log.is_file() else [None]
        )
    except (ValueError, RecursionError):
        held = [None]
    if not all(isinstance(answer, dict) and isinstance(answer.get("throws"), list) for answer in held):
        raise ValueError(f"{log} is no log of throws; name another file")
    return held


def thrown_before(answers: Iterable[Mapping[str, Any]], seed: int | None, dice: str) -> int:
    """How many throws of the same dice and seed a log holds."""
    return sum(len(answer["throws"]) for answer in answers if answer.get("seed") == seed and answer.get("dice") == dice)


ROLL = Question(
    name="roll",
    about="a throw of dice, such as 2d6, or on a table; a seed gives the same throws again, a log keeps them",
    inputs=(
        Input(name="what", about="dice, or the table that is thrown on", needed=True, example="2d6"),
        replace(COLUMN, aliases=("label",)),
        SHIFT,
        DIE,
        Input(name="times", about="how often", kind="number", least=1, most=MOST, default=Fraction(1)),
        Input(
            name="seed",
            about="a number: the same one gives the same throws",
            kind="number",
            least=1 - SEEDS**2,
            most=SEEDS**2 - 1,
        ),
        Input(
            name="log",
            about="a file that keeps every throw; the next call with its seed goes on where this one stopped",
            kind="file",
        ),
    ),
    answer=_roll,
    bare=("what", "column"),
)

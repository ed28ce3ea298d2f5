"""Throws of dice that can be thrown again: a seed gives the same throws, a log keeps them."""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from assistant.lookup import find
from scenarios.dice import DICE
from scenarios.game import Game
from scenarios.reading.findings import instead

MOST = 10_000
"""How many throws can be asked for at once."""


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


def roll(
    game: Game,
    what: str,
    *,
    seed: int | None = None,
    times: int = 1,
    column: str = "",
    shift: int = 0,
    modifier: int = 0,
    skip: Callable[[str], int] = lambda dice: 0,
) -> dict[str, Any]:
    """Throws of dice (`2d6`) or on a table, with the result of each. ValueError says what is missing.

    `skip` tells how many throws of the seed were made before.
    """
    if not 1 <= times <= MOST:
        raise ValueError(f"{times} throws can't be made; ask for 1 to {MOST}")
    chosen = secrets.randbelow(10**6) if seed is None else seed
    head: dict[str, Any] = {"game": game.id, "seed": chosen}
    if DICE.fullmatch(what):
        thrown = throws(what, chosen, skip(what))
        return head | {"dice": what, "throws": [_thrown(next(thrown), modifier) for _ in range(times)]}
    if what not in game.tables:
        raise ValueError(f"{game.id} has no table {what!r}; {instead(what, game.tables)} (or dice, such as 2d6)")
    table = game.tables[what]
    if not table.dice:
        raise ValueError(f"{table.title} isn't thrown for: it is looked up with `assistant table`")
    labels = table.columns.labels
    if not column and len(labels) > 1:
        raise ValueError(f"say which --column of {table.title}: {', '.join(labels)}")
    start = find(table, column or labels[0])
    if start is None:
        raise ValueError(f"{column} is worse than {labels[0]}, the first column of {table.title}: no attack")
    index = table.shifted(start, shift)
    thrown = throws(table.dice, chosen, skip(table.dice))
    results = []
    for _ in range(times):
        one = _thrown(next(thrown), modifier)
        found = table.cell(one["total"], index)
        results.append(one | {"row": table.row(one["total"]), "result": found.code, "meaning": found.meaning})
    named = {"dice": table.dice, "table": what, "title": table.title, "column": labels[index]}
    return head | named | {"throws": results}


def _thrown(dice: tuple[int, ...], modifier: int) -> dict[str, Any]:
    return {"dice": list(dice), "modifier": modifier, "total": sum(dice) + modifier}


def roll_text(answer: Mapping[str, Any]) -> Iterator[str]:
    """Throws in lines."""
    where = f"{answer['title']}, column {answer['column']}: " if "title" in answer else ""
    yield f"{where}{answer['dice']}, seed {answer['seed']}"
    for one in answer["throws"]:
        parts = "+".join(map(str, one["dice"])) + (f" {one['modifier']:+d}" if one["modifier"] else "")
        total = f" = {one['total']}" if len(one["dice"]) > 1 or one["modifier"] else ""
        result = f": {one['result']} {one['meaning']}".rstrip() if "result" in one else ""
        yield f"  {parts}{total}{result}"


def note(log: Path, answer: Mapping[str, Any]) -> None:
    """Add throws to a log, a line of JSON each time; one write, so that a line is never half there."""
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(answer, ensure_ascii=False) + "\n")


def logged(log: Path) -> list[dict[str, Any]]:
    """What a log holds; nothing if there is none yet. ValueError if it is no log."""
    if not log.exists():
        return []
    try:
        held: list[Any] = list(map(json.loads, log.read_text(encoding="utf-8").splitlines())) if log.is_file() else [None]
    except (ValueError, RecursionError):
        held = [None]
    if not all(isinstance(one, dict) and isinstance(one.get("throws"), list) for one in held):
        raise ValueError(f"{log} is no log of throws; name another file")
    return held


def thrown_before(answers: Iterable[Mapping[str, Any]], seed: int | None, dice: str) -> int:
    """How many throws of the same dice and seed a log holds."""
    return sum(len(one["throws"]) for one in answers if one.get("seed") == seed and one.get("dice") == dice)

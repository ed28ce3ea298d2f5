"""Amounts: an allowance or a length, worked out from top to bottom; with dice, the chance of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assistant.answers import BadQuestion
from assistant.rules.asked import Asked, TableCell
from assistant.rules.field import Field, Walker
from assistant.rules.program import Ready
from scenarios.dice import dice
from scenarios.expressions import EvaluationError
from scenarios.rules.shapes import Amount

MOST = 10**6
MOST_DICE = 6


@dataclass(frozen=True)
class Worked:
    """An amount: each value with its chance, the records it rests on, and the one that forbids it, if one does."""

    chances: Mapping[Fraction | int, Fraction]
    rests: tuple[Ready, ...] = ()
    forbidden: Ready | None = None
    cells: frozenset[TableCell] = frozenset()
    """The cells of tables that it rests on."""

    @property
    def most(self) -> Fraction | int:
        """The largest it can be."""
        return max(self.chances)

    @property
    def sure(self) -> bool:
        """Whether no die is thrown for it."""
        return len(self.chances) == 1


def amount(
    field: Field, records: tuple[Amount, ...], walker: Walker, more: Mapping[str, Any] | None = None, **places: int
) -> Worked:
    """The records from top to bottom, beginning with 0."""
    chances: dict[Any, Fraction] = {0: Fraction(1)}
    rests: list[Ready] = []
    lookup, thrown = field.program.lookup, 0
    cells: set[TableCell] = set()
    for record in field.program.ready(records).records:
        asked = Asked(field, walker, places, more)
        try:
            # What is asked of `amount` is asked for each value that it may have; conditions mostly don't.
            if "amount" not in record.uses and record.when is not None and record.when(asked, lookup, None) is not True:
                continue
            if record.effect == "forbid":
                return Worked({0: Fraction(1)}, (record,), record)
            rests.append(record)
            assert record.work is not None
            if record.effect == "throw":
                thrown += 1
                if thrown > MOST_DICE:
                    raise BadQuestion(f"more than {MOST_DICE} throws of dice make one amount; see {record.text!r}")
                asked.cells = cells
                chances = _thrown(chances, str(record.work(asked, asked.lookup, None)), record)
                continue
            changed: dict[Any, Fraction] = {}
            for value, chance in chances.items():
                each = Asked(field, walker, places, {**(more or {}), "amount": value})
                holds = record.when is None or record.when(each, lookup, None) is True
                each.cells = cells
                new = _changed(record.effect, value, record.work(each, each.lookup, None)) if holds else value
                new = min(max(new, 0), MOST)
                changed[new] = changed.get(new, Fraction(0)) + chance
            chances = changed
        except EvaluationError as error:
            raise BadQuestion(f"{error} (in {record.text or 'an amount'!r})") from None
    found = {plain(value): chance for value, chance in sorted(chances.items())}
    return Worked(found, tuple(rests), cells=frozenset(cells))


def _changed(effect: str, value: Any, by: Any) -> Any:
    return by if effect == "set" else value + by if effect == "add" else value * by


def _thrown(chances: Mapping[Any, Fraction], text: str, record: Ready) -> dict[Any, Fraction]:
    try:
        faces = dice(text)
    except ValueError as error:
        raise BadQuestion(f"{error} (in {record.text!r})") from None
    found: dict[Any, Fraction] = {}
    for value, chance in chances.items():
        for face, more in faces.items():
            found[value + face] = found.get(value + face, Fraction(0)) + chance * more
    return found


def plain(value: Any) -> Fraction | int:
    """A number, whole if it is."""
    return int(value) if value == int(value) else value

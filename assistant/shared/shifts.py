"""A fire moved by further columns."""

from __future__ import annotations

from dataclasses import replace

from assistant.attack import Answer
from scenarios.tables import Table


def shifted(table: Table, answer: Answer, more: int) -> Answer:
    """A fire so many columns farther to the right, to see what that would change."""
    if not more or answer.start is None:
        return answer
    labels = table.columns.labels
    column = table.shifted(labels.index(answer.start), answer.shift + more)
    return replace(answer, shift=answer.shift + more, column=labels[column], chances=table.distribution(column))

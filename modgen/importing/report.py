"""What an import understood and what it didn't: counts for the former, a line for each of the latter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

NAME_LIMIT = 12
"""The number of names on a line; the rest are only counted."""


@dataclass
class Report:
    """Messages collected while a module is read. Each reason has the names of the parts that it concerns."""

    counts: Counter[str] = field(default_factory=Counter)
    choices: dict[str, list[str]] = field(default_factory=dict)
    """Decisions made by a rule of thumb, which a person may correct."""
    omissions: dict[str, list[str]] = field(default_factory=dict)
    """What isn't in the pack."""

    def chose(self, reason: str, name: str = "") -> None:
        """Record a decision that a person may want to change."""
        self.choices.setdefault(reason, []).append(name)

    def left_out(self, reason: str, name: str = "") -> None:
        """Record something that isn't in the pack."""
        self.omissions.setdefault(reason, []).append(name)

    def lines(self, which: dict[str, list[str]]) -> list[str]:
        """One line for each reason, with its count and the first names."""
        return [f"{reason}: {list_names(names)}" if any(names) else reason for reason, names in which.items()]

    def text(self, title: str) -> str:
        """The text of the report file in the pack."""
        parts = [f"# {title}", "", "## In the pack", *(f"- {count} {label}" for label, count in self.counts.items())]
        parts += [
            "",
            "## Guessed: check these in the files",
            *(f"- {line}" for line in self.lines(self.choices)),
        ]
        parts += [
            "",
            "## Not in the pack",
            *(f"- {line}" for line in self.lines(self.omissions) or ["nothing is missing"]),
        ]
        return "\n".join(parts) + "\n"


def list_names(names: Iterable[str]) -> str:
    """A count, and the first names, each once."""
    name_counts = Counter(name for name in names if name)
    words = [name if count == 1 else f"{name} ({count} times)" for name, count in name_counts.items()]
    remainder = len(words) - NAME_LIMIT
    return (
        f"{name_counts.total()}: " + ", ".join(words[:NAME_LIMIT]) + (f" and {remainder} more" if remainder > 0 else "")
    )

"""What an import understood and what it didn't: counts for the first, a line for each of the second."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

NAME_LIMIT = 12
"""How many names a line lists; the rest are counted."""


@dataclass
class Report:
    """Collected while a module is read. A reason holds the names of what it is about."""

    counts: Counter[str] = field(default_factory=Counter)
    choices: dict[str, list[str]] = field(default_factory=dict)
    """What was decided by a rule of thumb and may be corrected by hand."""
    omissions: dict[str, list[str]] = field(default_factory=dict)
    """What isn't in the pack."""

    def chose(self, reason: str, name: str = "") -> None:
        """Something was decided that a person may want otherwise."""
        self.choices.setdefault(reason, []).append(name)

    def left_out(self, reason: str, name: str = "") -> None:
        """Something isn't in the pack."""
        self.omissions.setdefault(reason, []).append(name)

    def lines(self, which: dict[str, list[str]]) -> list[str]:
        """One line for each reason, with how many there are and the first names."""
        return [f"{reason}: {list_names(names)}" if any(names) else reason for reason, names in which.items()]

    def text(self, title: str) -> str:
        """The report as the file that lies in the pack."""
        parts = [f"# {title}", "", "## In the pack", *(f"- {count} {label}" for label, count in self.counts.items())]
        parts += [
            "",
            "## Decided by rule of thumb: correct it in the files",
            *(f"- {line}" for line in self.lines(self.choices)),
        ]
        parts += [
            "",
            "## Not in the pack",
            *(f"- {line}" for line in self.lines(self.omissions) or ["nothing is missing"]),
        ]
        return "\n".join(parts) + "\n"


def list_names(names: Iterable[str]) -> str:
    """How many, and the first of them by name, each once."""
    name_counts = Counter(name for name in names if name)
    words = [name if count == 1 else f"{name} ({count} times)" for name, count in name_counts.items()]
    remainder = len(words) - NAME_LIMIT
    return (
        f"{name_counts.total()}: " + ", ".join(words[:NAME_LIMIT]) + (f" and {remainder} more" if remainder > 0 else "")
    )

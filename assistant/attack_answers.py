"""What is answered about a declared attack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

from assistant.answers import BadQuestion as BadQuestion
from assistant.answers import Refusal

Value = Fraction | int | str | bool
Effect = Literal["multiply", "add", "shift", "die"]


class Applied(NamedTuple):
    """A modifier that applied, and by how much."""

    text: str
    rule: str
    effect: Effect
    amount: Fraction
    on: str


@dataclass(frozen=True)
class Strength:
    """One unit's strength, from what is printed to what counts."""

    name: str
    group: str
    printed: Fraction
    value: Fraction
    applied: tuple[Applied, ...]
    values: Mapping[str, Value]
    """What the attack works out for this unit, such as the row of a chart."""


class Failure(NamedTuple):
    """A requirement that isn't met: by the unit at this place of a group, or (no group, -1) by the attack as a whole."""

    text: str
    rule: str
    group: str
    place: int
    name: str

    def __str__(self) -> str:
        whom = f"{self.name}: " if self.name else ""
        return f"{whom}{self.text}" + (f" ({self.rule})" if self.rule else "")


def refusal(failures: Sequence[Failure]) -> Refusal:
    """A refusal by all requirements that aren't met."""
    texts = dict.fromkeys(f"{one.name}: {one.text}" if one.name else one.text for one in failures)
    return Refusal("; ".join(texts), ", ".join(dict.fromkeys(one.rule for one in failures if one.rule)))


@dataclass(frozen=True)
class Target:
    """One defender's own die modifier and chances."""

    name: str
    die: int
    applied: tuple[Applied, ...]
    chances: Mapping[str, Fraction]


@dataclass(frozen=True)
class Answer:
    """What an attack comes to. `column` is None where the table allows no attack."""

    attack: str
    units: tuple[Strength, ...]
    attack_strength: Fraction
    defense_strength: Fraction | None
    start: str | None
    shift: int
    column: str | None
    die: int
    applied: tuple[Applied, ...]
    chances: Mapping[str, Fraction]
    targets: tuple[Target, ...]
    failures: tuple[str, ...]
    refused: tuple[Failure, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)
    """What the attack works out for the battle as a whole."""

    @property
    def ratio(self) -> Fraction | None:
        """Attack strength for each point of defense."""
        return self.attack_strength / self.defense_strength if self.defense_strength else None

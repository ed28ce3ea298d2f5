"""Counters: the printed pieces, their factors and their copies."""

from __future__ import annotations

import collections
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal

from scenarios.model.images import Image
from scenarios.model.sources import IdField, Sourced
from scenarios.reading.findings import suggest
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Color, Findings, Form, Record, Schema, documented_field, number, record

RANGE = re.compile(r"(\d+)(?:-(\d+))?")
PLACE = "{place}"
"""The placeholder in a marker's sentence for the place of the marker."""


class _NumbersForm(Form):
    """Identification numbers: '6421-6441', or a list of such ranges."""

    empty: ClassVar[tuple[tuple[str, str], ...]] = ()
    is_list: ClassVar[bool] = True

    @staticmethod
    def read(node: Node, findings: Findings) -> tuple[tuple[str, str], ...]:
        parts = node.items if node.items is not None else [node]
        numbers: list[tuple[str, str]] = []
        for part in parts:
            match = RANGE.fullmatch(part.text or "")
            if not match:
                findings.add(
                    part, f"{part.text or part.kind} is no number or range; write 7, 11-14 or a list: [7, 11-14]"
                )
                continue
            first, last = match[1], match[2] or match[1]
            if int(last) < int(first) or int(last) - int(first) > 999:
                findings.add(part, f"the range {part.text} runs backwards or is too long; write the lower end first")
                continue
            numbers.append((first, last))
        return tuple(numbers)

    @staticmethod
    def schema(define: Callable[[Any], Schema]) -> Schema:
        number_schema = {"type": ["string", "integer"]}
        return {"anyOf": [number_schema, {"type": "array", "items": number_schema}]}


Ranges = tuple[tuple[str, str], ...]
Numbers = Annotated[Ranges, _NumbersForm]
FactorValue = Fraction | str | bool


@record
class Factor(Record):
    """A kind of factor on this game's counters."""

    name: str = documented_field("What players call it.")
    kind: Literal["number", "text", "flag"] = documented_field("What its values are.", "number")
    choices: tuple[str, ...] = documented_field("The texts it can be, where they are few.", ())
    default: str | None = documented_field("The value of a counter that doesn't give one.", None)
    area: Annotated[str, Color] = documented_field(
        "For a range in hexes or points: the colour in which a module shades what lies within it.", ""
    )
    note: str = documented_field("What it means.", "")


@record
class Face(Record):
    """The back of a counter."""

    name: str = documented_field("The name on this face, if it is another.", "")
    state: IdField = documented_field("The state a unit is in when this face shows.", "")
    factors: Mapping[IdField, str] = documented_field("The factors that differ from the front.", {})
    image: Image | None = documented_field("The picture on it; left out, the front's.", None)
    breaks_into: Mapping[IdField, int] = documented_field(
        "The counters it can be broken down into while this face shows, if not those of the front.", {}
    )


@record
class Variant(Sourced):
    """The differences of a nation's own print of a counter."""

    name: str = documented_field("Its name, if it is another.", "")
    short: str = documented_field("Its short name, if it is another.", "")
    factors: Mapping[IdField, str] = documented_field("The factors that differ.", {})
    steps: int | None = documented_field("Its steps, if they differ.", None)
    count: int | None = documented_field("How many copies.", None)
    numbers: Numbers = documented_field("The numbers printed on the copies.", ())
    image: Image | None = documented_field("Its picture, if it is another.", None)
    was: tuple[IdField, ...] = documented_field("Ids that this print had before; saves that name them mean it.", ())


@record
class Counter(Sourced):
    """A kind of printed piece that fights, with one or more copies."""

    name: str = documented_field("What players call it.")
    short: str = documented_field("The name printed where room is short.", "")
    nation: IdField = documented_field("Whose it is; left out where `variants` names the nations.", "")
    class_: IdField = documented_field("Its class, from `classes`.", "")
    type: IdField = documented_field("Its type, from `types`: what the symbol shows.", "")
    symbol: str = documented_field("The drawing on it, where it isn't its type's.", "")
    image: Image | None = documented_field("A picture of your own that fills its front.", None)
    size: str = documented_field("Its size: platoon, battalion, brigade ...", "")
    formation: str = documented_field("The formation it belongs to.", "")
    factors: Mapping[IdField, str] = documented_field("Its factors, from `factors`.", {})
    back: Face | None = documented_field("What its back shows.", None)
    steps: int = documented_field("How many step losses it takes.", 1)
    abilities: tuple[IdField, ...] = documented_field("What it can do, from `abilities`.", ())
    count: int | None = documented_field("How many copies there are; the numbers say so too.", None)
    numbers: Numbers = documented_field("The numbers printed on the copies.", ())
    setup: str = documented_field("The set-up code printed on it.", "")
    breaks_into: Mapping[IdField, int] = documented_field("The counters it can be broken down into, and how many.", {})
    note: str = documented_field("What a player should know of it.", "")
    variants: Mapping[IdField, Variant] = documented_field("Its prints by nation.", {})
    was: tuple[IdField, ...] = documented_field(
        "Ids that it had before; saves and positions that name them mean this counter.", ()
    )


@record
class MarkerBack(Record):
    """The back of a marker or card."""

    image: Image | None = documented_field("The picture on it.", None)


@record
class MarkerWords(Record):
    """The chat texts of a module for a marker, in whole sentences. `{place}` is the place of the marker."""

    put: str = documented_field("As it is put on the map: Smoke is laid in {place}.", "")
    boxes: Mapping[IdField, str] = documented_field(
        "As it is put into a box beside the map, by the box: An airstrike is shot down.", {}
    )
    back: str = documented_field("As it is turned to its back: The Sinai front disintegrates.", "")
    front: str = documented_field("As it is turned to its front again.", "")
    gone: str = documented_field("As it is taken out of the game: The smoke in {place} lifts.", "")


@record
class Marker(Sourced):
    """A printed piece that doesn't fight: a construction, a state, a turn marker."""

    name: str = documented_field("What it says.")
    kind: Literal["state", "construction", "function", "support"] = documented_field("What it is for.", "function")
    side: IdField = documented_field("Whose it is, if it is somebody's.", "")
    state: IdField = documented_field("The state it stands for.", "")
    symbol: str = documented_field("The picture on it, where its id suggests none or another; none for no picture.", "")
    image: Image | None = documented_field("A picture of your own that fills it.", None)
    back: MarkerBack | None = documented_field("What its back shows, where that isn't the same as its front.", None)
    factors: Mapping[IdField, str] = documented_field("Its factors, from `factors`.", {})
    count: int | None = documented_field("How many copies there are.", None)
    numbers: Numbers = documented_field("The numbers printed on the copies.", ())
    also: tuple[str, ...] = documented_field("Other words that people say for it.", ())
    excludes: tuple[IdField, ...] = documented_field(
        "Markers that can't be in one place with it; its own id: only one of it.", ()
    )
    note: str = documented_field("What it does.", "")
    says: MarkerWords | None = documented_field(
        "What the chat of a module says as it is put down, turned over or taken away.", None
    )
    was: tuple[IdField, ...] = documented_field(
        "Ids that it had before; saves and positions that name them mean this marker.", ()
    )


def parse_factor(kind: Factor, text: str) -> FactorValue:
    """Parse the text of a factor. Raises ValueError with a sentence if it is no such factor."""
    if kind.kind == "number":
        return number(text)
    if kind.kind == "flag":
        if text not in ("true", "false"):
            raise ValueError(f"{text!r} is neither true nor false")
        return text == "true"
    if kind.choices and text not in kind.choices:
        raise ValueError(f"{text!r} is no {kind.name.lower()}; {suggest(text, kind.choices)}")
    return text


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A counter as a player knows it: the template merged with the print of its nation."""

    id: str
    name: str
    short: str
    nation: str
    side: str
    class_: str
    type: str
    symbol: str
    size: str
    formation: str
    factors: Mapping[str, FactorValue]
    back: Mapping[str, FactorValue] | None
    back_name: str
    back_state: str
    steps: int
    abilities: frozenset[str]
    numbers: tuple[str, ...]
    count: int
    setup: str
    breaks_into: Mapping[str, int]
    note: str
    template: str
    counter: Counter
    image: Image | None = None
    back_image: Image | None = None
    back_breaks_into: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


def prints(counter_id: str, counter: Counter) -> list[tuple[str, Counter]]:
    """The printed versions of a counter, each with its id: the counter itself, or one for each nation with its own print."""
    if not counter.variants:
        return [(counter_id, counter)]
    result = []
    for nation, variant in counter.variants.items():
        nation_counter = replace(
            counter,
            nation=nation,
            variants=MappingProxyType({}),
            name=variant.name or counter.name,
            short=variant.short or ("" if variant.name else counter.short),
            factors=MappingProxyType({**counter.factors, **variant.factors}),
            steps=counter.steps if variant.steps is None else variant.steps,
            count=counter.count if variant.count is None and not variant.numbers else variant.count,
            numbers=variant.numbers or counter.numbers,
            image=variant.image or counter.image,
            was=(*(f"{old}_{nation}" for old in counter.was), *variant.was),
        )
        result.append((f"{counter_id}_{nation}", nation_counter))
    return result


def numbers(ranges: Ranges, skip_zeros: bool) -> tuple[str, ...]:
    """Every number of the ranges. With `skip_zeros`, numbers inside a range that end in 0 are left out."""
    result = []
    for first, last in ranges:
        for n in range(int(first), int(last) + 1):
            if not (skip_zeros and n % 10 == 0 and first != last):
                result.append(str(n).zfill(len(first)))
    return tuple(result)


def formations(units: Iterable[Unit]) -> dict[str, Mapping[str, int]]:
    """The formations of each nation that have more than one counter, with numbers."""
    counts = collections.Counter((unit.nation, unit.formation) for unit in units if unit.formation)
    order_by_nation: dict[str, dict[str, int]] = {}
    for (nation, formation), count in counts.items():
        if count > 1:
            formation_order = order_by_nation.setdefault(nation, {})
            formation_order[formation] = len(formation_order)
    return {nation: MappingProxyType(formation_order) for nation, formation_order in order_by_nation.items()}

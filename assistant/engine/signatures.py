"""The contents of places as numbers. Places with the same number look the same to a rule, so it is evaluated once
for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.engine.field import Field
from assistant.engine.placed_units import Mover
from scenarios.model.attack_inputs import Formula


def signature_numbers(field: Field, side: str, names: tuple[str, ...]) -> Mapping[int, int]:
    """Return the places that aren't empty for a side under some names, each with a number. Places with the same
    number have the same contents."""
    key = side, names
    if key not in field.looks:
        columns = [field.rule_values.flag_places(side, name) for name in names]
        if None in columns:
            mover = Mover(side, {})
            field.looks[key] = {n: look(field, mover, n, names) for n in _not_empty(field, side, names)}
        else:  # flags alone: a few sets hold what is true of a place
            flags = [column for column in columns if column is not None]
            places = frozenset[int]().union(*flags)
            field.looks[key] = {n: field.map_index.look((names, tuple([n in flag for flag in flags]))) for n in places}
    return field.looks[key]


def _not_empty(field: Field, side: str, names: tuple[str, ...]) -> set[int]:
    """Return the places with units, coverage or markers."""
    places = set(field.by_place) | set(field.markers) | set(field.markers_by_place)
    for name in names:
        places |= field.input_places.get(name, frozenset())
        places |= field.rule_values.flag_places(side, name.removesuffix("_units")) or frozenset()
    return places


def look(field: Field, mover: Mover, n: int, names: tuple[str, ...]) -> int:
    """Return the number of the contents of a place under some names."""
    values: list[Any] = []
    for name in names:
        if name in ("friends", "enemies") or name.endswith("_units"):
            units = field.rule_values.units_at(mover, n, name)
            values.append(tuple(sorted((tuple(unit.equivalence_key) for unit in units), key=repr)))
        elif name == "markers":
            values.append(tuple(sorted(repr(marker) for marker in field.markers.get(n, ()))))
        else:
            values.append(field.rule_values.of_place(mover, n, name))
    return field.map_index.look((names, tuple(values))) if any(values) else 0


class LazySignatures(dict[int, int]):
    """The same as `signature_numbers` for a walk that meets few places: each number is computed on demand."""

    def __init__(self, field: Field, mover: Mover, names: tuple[str, ...]) -> None:
        super().__init__()
        self.field, self.mover, self.names = field, mover, names

    def get(self, n: int, default: Any = 0) -> Any:
        """Return the number of the contents of a place."""
        if n not in self:
            self[n] = look(self.field, self.mover, n, self.names)
        return self[n]


def places_where(field: Field, condition: Formula | None, mover: Mover, start: int | None = None) -> tuple[int, ...]:
    """Return the places for which a condition is true, computed once for each class of place and contents. `start`
    is the mover's place, if it matters."""
    map_index, asked_names = field.map_index, field.program.names(condition)
    names = {asked_name.partition(".")[2] for asked_name in asked_names if asked_name.startswith("to.")}
    position = tuple(sorted(names & map_index.position_names))
    special = tuple(sorted(names & map_index.mover_names))
    of_unit = [asked_name for asked_name in asked_names if "." not in asked_name or asked_name.startswith("unit.")] + [
        "id",
        "nation",
    ] * bool(special)
    unit_values = tuple([repr(mover.fields.get(asked_name.removeprefix("unit."))) for asked_name in of_unit])
    key = (
        id(condition),
        mover.side,
        start,
        unit_values,
        mover.unit if "friend" in names or "friends" in names else None,
    )
    if key not in field.places_by_name:
        uses_distance = start is not None and "gone" in asked_names
        extra_values: dict[str, Any] = {"on_map": start is not None}
        spots = {} if start is None else {"start": start}
        looks = signature_numbers(field, mover.side, position) if position else {}
        # A condition on an empty place has the same result in every position.
        is_place_only = (
            not special
            and start is None
            and all(
                asked_name.startswith("to.") or asked_name.removeprefix("unit.") in mover.fields
                for asked_name in asked_names
            )
        )
        empty = map_index.place_sets.setdefault((id(condition), mover.side, unit_values), {}) if is_place_only else {}
        groups = map_index.group_numbers(frozenset(names))
        results: dict[Any, bool] = {}
        matches = []

        def holds_in(n: int) -> bool:
            content, distance = (
                looks.get(n, 0),
                map_index.distance(start, n) if uses_distance and start is not None else 0,
            )
            kind = (
                groups[n],
                content,
                distance,
                *[field.rule_values.of_place(mover, n, special_name) for special_name in special],
            )
            if kind not in results:
                results[kind] = field.holds(condition, mover, {**extra_values, "gone": distance}, to=n, **spots)
            return results[kind]

        if uses_distance or special:
            matches = [n for n in range(len(map_index.places)) if holds_in(n)]
        else:
            for number, places in enumerate(map_index.group_places(frozenset(names))):
                empty_places = [n for n in places if n not in looks] if empty.get(number, True) else []
                if empty_places and number not in empty:
                    empty[number] = holds_in(empty_places[0])
                matches += empty_places if empty_places and empty[number] else []
            matches += [n for n in looks if holds_in(n)]
        field.places_by_name[key] = tuple(sorted(matches))
    return field.places_by_name[key]

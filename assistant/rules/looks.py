"""What is in places, as numbers: places with the same number look the same to a rule, so that it is judged once for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.rules.asked import of_position, of_walker
from assistant.rules.field import Field, Standing, Walker
from scenarios.inputs import Formula


def seen(field: Field, side: str, names: tuple[str, ...]) -> Mapping[int, int]:
    """The places that aren't empty for a side under some names, each with a number: the same number, the same there."""
    key = side, names
    if key not in field.looks:
        columns = [_flagged(field, side, name) for name in names]
        if None in columns:
            walker = Walker(side, {})
            field.looks[key] = {n: look(field, walker, n, names) for n in _not_empty(field, side, names)}
        else:  # flags alone: what is true of a place is read from a few sets
            flags = [column for column in columns if column is not None]
            places = frozenset[int]().union(*flags)
            field.looks[key] = {n: field.kinds.look((names, tuple([n in flag for flag in flags]))) for n in places}
    return field.looks[key]


def _not_empty(field: Field, side: str, names: tuple[str, ...]) -> set[int]:
    """The places that something stands in, covers or marks."""
    places = set(field.by_place) | set(field.markers) | set(field.marked)
    for name in names:
        places |= field.told_places.get(name, frozenset())
        places |= _flagged(field, side, name.removesuffix("_units")) or frozenset()
    return places


def _flagged(field: Field, side: str, name: str) -> frozenset[int] | None:
    """The places where a flag of the position holds for a side; None for what isn't such a flag."""
    if name == "enemy":
        return frozenset(s.at for s in field.standings if s.side != side)
    if name == "friend":
        return frozenset(s.at for s in field.standings if s.side == side)
    if name in field.program.rules.zones:
        return frozenset[int]().union(*field.zones.enemy(name, side))
    if name.removeprefix("own_") in field.program.rules.zones:
        return frozenset(field.zones.of(name.removeprefix("own_"), side))
    return None


def look(field: Field, walker: Walker, n: int, names: tuple[str, ...]) -> int:
    """The number of what is in a place under some names."""
    values: list[Any] = []
    for name in names:
        if name in ("friends", "enemies") or name.endswith("_units"):
            values.append(tuple(sorted((tuple(s.alike) for s in _group(field, walker, n, name)), key=repr)))
        elif name == "markers":
            values.append(tuple(sorted(repr(marker) for marker in field.markers.get(n, ()))))
        else:
            values.append(of_position(field, walker, n, name))
    return field.kinds.look((names, tuple(values))) if any(values) else 0


def _group(field: Field, walker: Walker, n: int, name: str) -> list[Standing]:
    here = field.by_place.get(n, ())
    if name == "friends":
        return [s for s in here if s.side == walker.side and s is not walker.standing]
    if name == "enemies":
        return [s for s in here if s.side != walker.side]
    return field.zones.enemies_at(name.removesuffix("_units"), walker.side, n)


class Looks(dict[int, int]):
    """The same as `seen`, for a walk that meets few places: each is looked at when it is asked for."""

    def __init__(self, field: Field, walker: Walker, names: tuple[str, ...]) -> None:
        super().__init__()
        self.field, self.walker, self.names = field, walker, names

    def get(self, n: int, default: Any = 0) -> Any:
        """The number of what is in a place."""
        if n not in self:
            self[n] = look(self.field, self.walker, n, self.names)
        return self[n]


def places_where(field: Field, condition: Formula | None, walker: Walker, start: int | None = None) -> tuple[int, ...]:
    """The places for which a condition is true, asked once for each kind of place and what is in it; `start` is where the
    walker is, if that matters."""
    kinds, asked = field.kinds, field.program.names(condition)
    names = {one.partition(".")[2] for one in asked if one.startswith("to.")}
    position = tuple(sorted(names & kinds.position_names))
    special = tuple(sorted(names & kinds.walker_names))
    of_unit = [one for one in asked if "." not in one or one.startswith("unit.")] + ["id", "nation"] * bool(special)
    whose = tuple([repr(walker.fields.get(one.removeprefix("unit."))) for one in of_unit])
    key = id(condition), walker.side, start, whose, walker.standing if "friend" in names or "friends" in names else None
    if key not in field.where:
        far = start is not None and "gone" in asked
        more: dict[str, Any] = {"on_map": start is not None}
        spots = {} if start is None else {"start": start}
        looks = seen(field, walker.side, position) if position else {}
        # Where nothing is, what holds of the place alone is the same in every position.
        alone = (
            not special
            and start is None
            and all(one.startswith("to.") or one.removeprefix("unit.") in walker.fields for one in asked)
        )
        empty = kinds.where.setdefault((id(condition), walker.side, whose), {}) if alone else {}
        groups = kinds.numbered(frozenset(names))
        known: dict[Any, bool] = {}
        found = []

        def judged(n: int) -> bool:
            there, gone = looks.get(n, 0), kinds.distance(start, n) if far and start is not None else 0
            kind = (groups[n], there, gone, *[of_walker(field, walker, n, one) for one in special])
            if kind not in known:
                known[kind] = field.holds(condition, walker, {**more, "gone": gone}, to=n, **spots)
            return known[kind]

        if far or special:
            found = [n for n in range(len(kinds.places)) if judged(n)]
        else:
            for number, places in enumerate(kinds.alike(frozenset(names))):
                bare = [n for n in places if n not in looks] if empty.get(number, True) else []
                if bare and number not in empty:
                    empty[number] = judged(bare[0])
                found += bare if bare and empty[number] else []
            found += [n for n in looks if judged(n)]
        field.where[key] = tuple(sorted(found))
    return field.where[key]

"""Whether a position is a lawful set-up of a scenario: pieces in the wrong place, missing pieces, pieces too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from assistant.answers import Cell, Column, Line, Node, Place, Table, Value
from assistant.rules.asked import Asked
from assistant.rules.field import Field, no_unit
from assistant.rules.kinds import kinds_of
from assistant.rules.stacking import stacks
from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.position import Piece, Position, shown
from scenarios.resolve import Location, Resolver
from scenarios.rules.shapes import SetUp
from scenarios.scenario import Group, Scenario, Special, lettered
from scenarios.where import Where


@dataclass(frozen=True)
class Slot:
    """One piece that a group has to set up: where it may stand, or when it comes."""

    side: str
    number: int
    group: Group
    places: frozenset[Location] | None
    """None: it isn't set up on the map."""

    @property
    def must_stand(self) -> bool:
        """Whether a set-up lacks something without it."""
        return self.places is not None and not self.group.only_with


@dataclass(frozen=True)
class Fault:
    """What is wrong with a set-up."""

    kind: str
    """misplaced, missing, too_many, stacking, works."""
    text: str
    piece: str = ""
    place: Location | None = None
    group: str = ""
    rule: str = ""


def faults(game: Game, key: str, position: Position) -> Iterator[Fault]:
    """All that is wrong with a set-up of a scenario."""
    scenario = game.scenarios[key]
    yield from _pieces(game, key, scenario, position)
    yield from _stacks(game, key, position)
    yield from _works(game, key, position)
    yield from _demands(game, key, position)


def _pieces(game: Game, key: str, scenario: Scenario, position: Position) -> Iterator[Fault]:
    """Each counter's pieces matched to the groups that have it."""
    slots: dict[str, list[Slot]] = {}
    resolver = Resolver(
        game.scenario_maps[key], dict(scenario.zones), units=lambda whose: _places_of(game, scenario, position, whose)
    )
    for side, force in scenario.forces.items():
        for number, group in enumerate(force.groups, 1):
            places = None if group.enters is not None or group.at is None else resolver.places(group.at)
            for piece, count in (*group.units.items(), *group.markers.items()):
                if piece in game.units or not _is_state(game, piece):
                    slots.setdefault(piece, []).extend([Slot(side, number, group, places)] * count)
    there: dict[str, list[Piece]] = {}
    for piece_ in position.pieces:
        there.setdefault(piece_.unit, []).append(piece_)
    for piece, wanted in slots.items():
        yield from _matched(game, key, piece, wanted, there.get(piece, []))
    for piece, found in there.items():
        if piece not in slots and piece in game.units:
            for one in found:
                yield Fault("too_many", f"{_name(game, one)} has no part in this scenario", one.unit, one.at)


def _is_state(game: Game, marker: str) -> bool:
    """Whether a marker only shows the state of a unit."""
    return game.markers[marker].kind in ("state", "function")


def _places_of(game: Game, scenario: Scenario, position: Position, whose: str) -> frozenset[Location]:
    """Where the units of a side or nation stand."""
    sides = game.sides_in(scenario)
    nations = sides[whose].nations if whose in sides and sides[whose].nations else ()
    found = set()
    for piece in position.pieces:
        unit = game.units.get(piece.unit)
        if unit is not None and (whose in (piece.nation, unit.side) or piece.nation in nations):
            found.add(piece.at)
    return frozenset(found)


def _matched(game: Game, key: str, piece: str, slots: Sequence[Slot], found: Sequence[Piece]) -> Iterator[Fault]:
    """Pieces and slots in pairs, as many as fit; what is left over on either side is a fault."""
    fits = [[n for n, slot in enumerate(slots) if _may(game, key, slot, one)] for one in found]
    taken: dict[int, int] = {}
    for start in range(len(found)):
        _augment(start, fits, taken, set())
    placed = set(taken.values())
    free = [n for n in range(len(slots)) if n not in taken]
    for number, one in enumerate(found):
        if number in placed:
            continue
        if free:
            slot = slots[free.pop(0)]
            yield _misplaced(game, key, slot, one)
        else:
            text = f"{_name(game, one)}: one too many, the scenario has {len(slots)}"
            yield Fault("too_many", text, one.unit, one.at, rule=_rule(slots[0].group))
    for n in free:
        slot = slots[n]
        if slot.must_stand:
            where = Where(game, key).words(slot.group.at) if slot.group.at else ""
            text = f"{_called(game, piece)} of {_group(slot)} is missing: it sets up {where}"
            yield Fault("missing", text, piece, group=_group(slot), rule=_rule(slot.group))


def _augment(piece: int, fits: Sequence[Sequence[int]], taken: dict[int, int], seen: set[int]) -> bool:
    """Find a slot for a piece, if need be by giving others another one."""
    for slot in fits[piece]:
        if slot in seen:
            continue
        seen.add(slot)
        if slot not in taken or _augment(taken[slot], fits, taken, seen):
            taken[slot] = piece
            return True
    return False


def _may(game: Game, key: str, slot: Slot, piece: Piece) -> bool:
    """Whether a piece may be where it is as this one of a group."""
    if piece.unit in game.units and slot.group.nation and piece.nation and piece.nation != slot.group.nation:
        return False
    waiting = isinstance(piece.at, str) and piece.at.partition(":")[0] in ("turn", "setup")
    if waiting and slot.group.only_with:
        return True
    if slot.places is None:
        return waiting or (isinstance(piece.at, str) and piece.at.startswith("box:"))
    return piece.at in slot.places


def _misplaced(game: Game, key: str, slot: Slot, piece: Piece) -> Fault:
    name, group, entry = _name(game, piece), _group(slot), slot.group.enters
    rule = _rule(slot.group)
    waiting = isinstance(piece.at, str) and piece.at.partition(":")[0] in ("turn", "setup")
    if entry is not None:
        turns = " or ".join(str(way.turn) for way in entry.ways)
        return Fault(
            "misplaced",
            f"{name} of {group} comes on turn {turns} and isn't set up",
            piece.unit,
            piece.at,
            group,
            rule,
        )
    where = Where(game, key).words(slot.group.at) if slot.group.at else "off the map"
    if waiting:
        return Fault(
            "missing", f"{name} of {group} isn't set up yet: it sets up {where}", piece.unit, None, group, rule
        )
    at = shown(game.scenario_maps.get(key), piece.at)
    return Fault(
        "misplaced", f"{name} of {group} stands in {at}, but sets up {where}", piece.unit, piece.at, group, rule
    )


def _stacks(game: Game, key: str, position: Position) -> Iterator[Fault]:
    """Too many in one place, by the pack's rules."""
    if game.rules is None or not (game.rules.stacking or game.rules.standing):
        return
    kinds = kinds_of(game, key)
    assert kinds is not None
    field = Field(kinds, position)
    for stack in stacks(field):
        for record in stack.failures:
            names = ", ".join(standing.name for standing in stack.standings)
            yield Fault("stacking", f"{names}: {record.text}", place=kinds.places[stack.place], rule=record.rule)
    for standing in field.standings:
        asked = Asked(field, field.walker(standing), {"to": standing.at}, None)
        for demand in game.rules.standing:
            if field.holds_of(demand.when, asked) and not field.holds_of(demand.that, asked):
                yield Fault(
                    "misplaced",
                    f"{standing.name}: {demand.text}",
                    standing.key,
                    kinds.places[standing.at],
                    rule=demand.rule,
                )


def _works(game: Game, key: str, position: Position) -> Iterator[Fault]:
    """Markers that exclude each other in one place."""
    there: dict[Location, Counter[str]] = {}
    for piece in position.pieces:
        if piece.unit in game.markers and not (isinstance(piece.at, str) and ":" in piece.at):
            there.setdefault(piece.at, Counter())[piece.unit] += 1
    for place, markers in there.items():
        for marker, count in markers.items():
            shape = game.markers[marker]
            for other in shape.excludes:
                twice = other in markers and marker in game.markers[other].excludes and other < marker
                if count > 1 if other == marker else other in markers and not twice:
                    both = f"two of {shape.name}" if other == marker else f"{shape.name} and {game.markers[other].name}"
                    yield Fault("works", f"{both} can't be in one place", marker, place, rule=shape.rule)


def _demands(game: Game, key: str, position: Position) -> Iterator[Fault]:
    """What the rules and the scenario ask of a set-up besides the areas of its groups."""
    if game.rules is None or (kinds := kinds_of(game, key)) is None:
        return
    field, scenario = Field(kinds, position), game.scenarios[key]
    listed = [(demand, demand.text, demand.rule) for demand in game.rules.set_up]
    for special in scenario.special:
        listed += [
            (one, one.text or special.text, one.rule or special.rule or _said_in(special)) for one in special.set_up
        ]
    for demand, text, rule in listed:
        if field.holds(demand.when, no_unit()):
            for words, piece in _broken(field, demand):
                yield Fault("misplaced", f"{words}: {text}", piece.unit, piece.at, rule=rule)


def _said_in(special: Special) -> str:
    source = special.source
    return source.note if source is not None and source.word == "rulebook" else ""


def _broken(field: Field, demand: SetUp) -> Iterator[tuple[str, Piece]]:
    """The pieces that stand against a demand, with what is wrong in words."""
    game, number, distance = field.game, field.kinds.number, field.kinds.distance
    on_map = [piece for piece in field.position.pieces if piece.at in number]
    meant = [piece for piece in on_map if piece.unit in demand.of]
    if demand.at is not None:
        area = field.places_of(demand.at)
        meant = [piece for piece in meant if piece.at in area]
    if demand.never is not None:
        barred = field.places_of(demand.never)
        yield from ((_standing(field, piece), piece) for piece in meant if piece.at in barred)
    if demand.from_:
        others = [piece for piece in on_map if piece.unit in demand.from_]
        for piece in meant:
            gaps = [(distance(number[piece.at], number[other.at]), other) for other in others]
            near = [pair for pair in gaps if demand.least is not None and pair[0] < demand.least]
            yield from ((_apart(field, piece, other, gap), piece) for gap, other in near)
            if demand.most is not None and all(gap > demand.most for gap, _ in gaps):
                names = " or ".join(_called(game, one) for one in demand.from_)
                yield f"{_standing(field, piece)}, with no {names} near enough", piece
        return
    for piece, other in combinations(meant, 2):
        gap = distance(number[piece.at], number[other.at])
        if (demand.least is not None and gap < demand.least) or (demand.most is not None and gap > demand.most):
            yield _apart(field, piece, other, gap), piece
        for marker, count in demand.between.items():
            spots = {one.at for one in on_map if one.unit == marker} - {one.at for one in meant}
            inside = [
                spot for spot in spots if max(distance(number[spot], number[end.at]) for end in (piece, other)) < gap
            ]
            if len(inside) < count:
                words = (
                    f"{_apart(field, piece, other, gap)}, with {len(inside)} empty {_called(game, marker)} between them"
                )
                yield words, piece


def _standing(field: Field, piece: Piece) -> str:
    return f"{_name(field.game, piece)} stands in {field.kinds.title(field.kinds.number[piece.at])}"


def _apart(field: Field, piece: Piece, other: Piece, gap: int) -> str:
    """How far two pieces are from each other, in words."""
    title, number = field.kinds.title, field.kinds.number
    names = [f"{_name(field.game, one)} in {title(number[one.at])}" for one in (piece, other)]
    what = "hex" if isinstance(field.kinds.map, HexMap) else "point"
    plural = "es" if what == "hex" else "s"
    return f"{names[0]} is {gap} {what}{plural * (gap != 1)} from {names[1]}"


def _called(game: Game, piece: str) -> str:
    return game.units[piece].name if piece in game.units else game.markers[piece].name


def _name(game: Game, piece: Piece) -> str:
    unit = game.units.get(piece.unit)
    return _called(game, piece.unit) + (f" {piece.copy}" if unit is not None and unit.count > 1 else "")


def _group(slot: Slot) -> str:
    return lettered(slot.group, slot.group.name or slot.group.formation) or f"group {slot.number} of {slot.side}"


def _rule(group: Group) -> str:
    """The line of the rulebook that a group comes from."""
    source = group.source
    return group.rule or (source.note if source is not None and source.word == "rulebook" else "")


HEADS: Mapping[str, str] = {
    "misplaced": "Where they may not be", "missing": "Missing", "too_many": "Too many", "stacking": "Stacking", "works": "Works",
}  # fmt: skip


def fault_nodes(game: Game, key: str, found: Sequence[Fault]) -> list[Node]:
    """The faults of a set-up, by what they are."""
    map = game.scenario_maps.get(key)
    nodes: list[Node] = [Value("ok", not found, shown=False)]
    if not found:
        nodes.append(Line("everything stands where it may"))
    rows: list[dict[str, Cell]] = []
    for fault in found:
        on_map = fault.place is not None and (not isinstance(map, HexMap) or not isinstance(fault.place, str))
        place: Cell = Place(shown(map, fault.place)) if on_map and fault.place is not None else None
        row: dict[str, Cell] = {"kind": fault.kind, "text": fault.text, "unit": fault.piece, "place": place}
        rows.append({**row, "group": fault.group, "rule": fault.rule})
    for kind, title in HEADS.items():
        listed = [row for row in rows if row["kind"] == kind]
        if listed:
            nodes.append(
                Table(
                    "faults", [Column("text", "what"), Column("rule", "rule")], listed, title, heads=False, told=False
                )
            )
    columns = [Column("kind")]
    return [*nodes, Table("faults", columns, rows)]

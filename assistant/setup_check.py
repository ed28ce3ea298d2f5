"""Checks whether a position is a legal set-up of a scenario: pieces in the wrong place, missing pieces, too many
pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.placed_units import no_unit
from assistant.engine.stacking import stacks
from assistant.questions.answer import Cell, Node, PlaceRef, RowTable, Sentence, TableColumn, Value
from scenarios.areas.resolving import Location, Resolver
from scenarios.areas.wording import AreaDescriber
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position, format_location
from scenarios.model.scenario import Group, Scenario, Special, labelled_name
from scenarios.rules.shapes import SetUp
from scenarios.unit_view import printed_name, view_piece


@dataclass(frozen=True)
class RequiredPiece:
    """One piece that a group must set up: where it may be, or when it arrives."""

    side: str
    number: int
    group: Group
    places: frozenset[Location] | None
    """None: it isn't set up on the map."""

    @property
    def must_stand(self) -> bool:
        """Whether a set-up without it is incomplete."""
        return self.places is not None and not self.group.only_with


@dataclass(frozen=True)
class SetupFault:
    """A fault of a set-up."""

    kind: str
    """misplaced, missing, too_many, stacking, works."""
    text: str
    piece: str = ""
    place: Location | None = None
    group: str = ""
    rule: str = ""


def faults(game: Game, key: str, position: Position) -> Iterator[SetupFault]:
    """Yield all faults in a set-up of a scenario."""
    scenario = game.scenarios[key]
    yield from _pieces(game, key, scenario, position)
    yield from _stacks(game, key, position)
    yield from _works(game, key, position)
    yield from _demands(game, key, position)


def _pieces(game: Game, key: str, scenario: Scenario, position: Position) -> Iterator[SetupFault]:
    """Match each counter's pieces to the groups that have it."""
    slots: dict[str, list[RequiredPiece]] = {}
    resolver = Resolver(
        game.scenario_maps[key], dict(scenario.zones), units=lambda owner: _places_of(game, scenario, position, owner)
    )
    for side, force in scenario.forces.items():
        for number, group in enumerate(force.groups, 1):
            places = None if group.enters is not None or group.at is None else resolver.places(group.at)
            for piece, count in (*group.units.items(), *group.markers.items()):
                if piece in game.units or not _is_state(game, piece):
                    slots.setdefault(piece, []).extend([RequiredPiece(side, number, group, places)] * count)
    pieces_by_unit: dict[str, list[Piece]] = {}
    for piece_ in position.pieces:
        pieces_by_unit.setdefault(piece_.unit, []).append(piece_)
    for piece, unit_slots in slots.items():
        yield from _match_pieces(game, key, piece, unit_slots, pieces_by_unit.get(piece, []))
    for piece, unit_pieces in pieces_by_unit.items():
        if piece not in slots and piece in game.units:
            for extra_piece in unit_pieces:
                yield SetupFault(
                    "too_many",
                    f"{_name(game, extra_piece)} is not in this scenario",
                    extra_piece.unit,
                    extra_piece.at,
                )


def _is_state(game: Game, marker: str) -> bool:
    """Whether a marker only shows the state of a unit."""
    return game.markers[marker].kind in ("state", "function")


def _places_of(game: Game, scenario: Scenario, position: Position, owner: str) -> frozenset[Location]:
    """Return the places of the units of a side or nation."""
    sides = game.sides_in(scenario)
    nations = sides[owner].nations if owner in sides and sides[owner].nations else ()
    locations = set()
    for piece in position.pieces:
        unit = game.units.get(piece.unit)
        if unit is not None and (owner in (piece.nation, unit.side) or piece.nation in nations):
            locations.add(piece.at)
    return frozenset(locations)


def _match_pieces(
    game: Game, key: str, piece: str, slots: Sequence[RequiredPiece], pieces: Sequence[Piece]
) -> Iterator[SetupFault]:
    """Pair as many pieces and slots as possible; what is left over on either side is a fault."""
    fits = [[n for n, slot in enumerate(slots) if _may(game, key, slot, actual_piece)] for actual_piece in pieces]
    piece_by_slot: dict[int, int] = {}
    for start in range(len(pieces)):
        _augment(start, fits, piece_by_slot, set())
    matched_numbers = set(piece_by_slot.values())
    free = [n for n in range(len(slots)) if n not in piece_by_slot]
    for number, actual_piece in enumerate(pieces):
        if number in matched_numbers:
            continue
        if free:
            slot = slots[free.pop(0)]
            yield _misplacement(game, key, slot, actual_piece)
        else:
            text = f"{_name(game, actual_piece)}: one counter too many; the scenario has {len(slots)}"
            yield SetupFault("too_many", text, actual_piece.unit, actual_piece.at, rule=_rule(slots[0].group))
    for n in free:
        slot = slots[n]
        if slot.must_stand:
            place_text = AreaDescriber(game, key).words(slot.group.at) if slot.group.at else ""
            text = f"{printed_name(game, piece)} of {_group(slot)} is missing: it sets up {place_text}"
            yield SetupFault("missing", text, piece, group=_group(slot), rule=_rule(slot.group))


def _augment(piece: int, fits: Sequence[Sequence[int]], piece_by_slot: dict[int, int], visited_slots: set[int]) -> bool:
    """Find a slot for a piece, if necessary by moving others to another slot."""
    for slot in fits[piece]:
        if slot in visited_slots:
            continue
        visited_slots.add(slot)
        if slot not in piece_by_slot or _augment(piece_by_slot[slot], fits, piece_by_slot, visited_slots):
            piece_by_slot[slot] = piece
            return True
    return False


def _may(game: Game, key: str, slot: RequiredPiece, piece: Piece) -> bool:
    """Whether a piece may be in its place as this slot of a group."""
    if piece.unit in game.units and slot.group.nation and piece.nation and piece.nation != slot.group.nation:
        return False
    waiting = isinstance(piece.at, str) and piece.at.partition(":")[0] in ("turn", "setup")
    if waiting and slot.group.only_with:
        return True
    if slot.places is None:
        return waiting or (isinstance(piece.at, str) and piece.at.startswith("box:"))
    return piece.at in slot.places


def _misplacement(game: Game, key: str, slot: RequiredPiece, piece: Piece) -> SetupFault:
    name, group, entry = _name(game, piece), _group(slot), slot.group.enters
    rule = _rule(slot.group)
    waiting = isinstance(piece.at, str) and piece.at.partition(":")[0] in ("turn", "setup")
    if entry is not None:
        turns = " or ".join(str(way.turn) for way in entry.ways)
        return SetupFault(
            "misplaced",
            f"{name} of {group} enters on turn {turns} and isn't part of the set-up",
            piece.unit,
            piece.at,
            group,
            rule,
        )
    place_text = AreaDescriber(game, key).words(slot.group.at) if slot.group.at else "off the map"
    if waiting:
        return SetupFault(
            "missing", f"{name} of {group} is not on the map: it sets up {place_text}", piece.unit, None, group, rule
        )
    actual_place = format_location(game.scenario_maps.get(key), piece.at)
    return SetupFault(
        "misplaced",
        f"{name} of {group} is in {actual_place}, but sets up {place_text}",
        piece.unit,
        piece.at,
        group,
        rule,
    )


def _stacks(game: Game, key: str, position: Position) -> Iterator[SetupFault]:
    """Yield illegal stacks, by the pack's rules."""
    if game.rules is None or not (game.rules.stacking or game.rules.allowed_places):
        return
    map_index = map_index_of(game, key)
    assert map_index is not None
    field = make_field(map_index, position)
    for stack in stacks(field):
        for record in stack.failures:
            names = ", ".join(unit.name for unit in stack.placed_units)
            yield SetupFault(
                "stacking", f"{names}: {record.text}", place=map_index.places[stack.place], rule=record.rule
            )
    for unit in field.placed_units:
        scope = field.scope(field.mover(unit), {"to": unit.place})
        for demand in game.rules.allowed_places:
            if field.holds_of(demand.when, scope) and not field.holds_of(demand.that, scope):
                yield SetupFault(
                    "misplaced",
                    f"{unit.name}: {demand.text}",
                    unit.key,
                    map_index.places[unit.place],
                    rule=demand.rule,
                )


def _works(game: Game, key: str, position: Position) -> Iterator[SetupFault]:
    """Yield markers that exclude each other in one place."""
    markers_by_place: dict[Location, Counter[str]] = {}
    for piece in position.pieces:
        if piece.unit in game.markers and not (isinstance(piece.at, str) and ":" in piece.at):
            markers_by_place.setdefault(piece.at, Counter())[piece.unit] += 1
    for place, markers in markers_by_place.items():
        for marker, count in markers.items():
            shape = game.markers[marker]
            for excluded_marker in shape.excludes:
                twice = (
                    excluded_marker in markers
                    and marker in game.markers[excluded_marker].excludes
                    and excluded_marker < marker
                )
                if count > 1 if excluded_marker == marker else excluded_marker in markers and not twice:
                    pair_text = (
                        f"two of {shape.name}"
                        if excluded_marker == marker
                        else f"{shape.name} and {game.markers[excluded_marker].name}"
                    )
                    yield SetupFault("works", f"{pair_text} can't be in the same place", marker, place, rule=shape.rule)


def _demands(game: Game, key: str, position: Position) -> Iterator[SetupFault]:
    """Yield violations of what the rules and the scenario require of a set-up, besides the areas of its groups."""
    if game.rules is None or (map_index := map_index_of(game, key)) is None:
        return
    field, scenario = make_field(map_index, position), game.scenarios[key]
    demands = [(demand, demand.text, demand.rule) for demand in game.rules.set_up]
    for special in scenario.special:
        demands += [
            (set_up, set_up.text or special.text, set_up.rule or special.rule or _said_in(special))
            for set_up in special.set_up
        ]
    for demand, text, rule in demands:
        if field.holds(demand.when, no_unit()):
            for words, piece in _broken(field, demand):
                yield SetupFault("misplaced", f"{words}: {text}", piece.unit, piece.at, rule=rule)


def _said_in(special: Special) -> str:
    source = special.source
    return source.note if source is not None and source.word == "rulebook" else ""


def _broken(field: Field, demand: SetUp) -> Iterator[tuple[str, Piece]]:
    """Yield the pieces that violate a condition, with a description."""
    game, number, distance = field.game, field.map_index.number, field.map_index.distance
    on_map = [piece for piece in field.position.pieces if piece.at in number]
    subject_pieces = [piece for piece in on_map if piece.unit in demand.of]
    if demand.at is not None:
        area = field.places_of(demand.at)
        subject_pieces = [piece for piece in subject_pieces if piece.at in area]
    if demand.never is not None:
        forbidden_places = field.places_of(demand.never)
        yield from ((_piece_in_place(field, piece), piece) for piece in subject_pieces if piece.at in forbidden_places)
    if demand.from_:
        reference_pieces = [piece for piece in on_map if piece.unit in demand.from_]
        for piece in subject_pieces:
            gaps = [
                (distance(number[piece.at], number[reference_piece.at]), reference_piece)
                for reference_piece in reference_pieces
            ]
            near_gaps = [pair for pair in gaps if demand.at_least is not None and pair[0] < demand.at_least]
            yield from ((_apart(field, piece, reference_piece, gap), piece) for gap, reference_piece in near_gaps)
            if demand.at_most is not None and all(gap > demand.at_most for gap, _ in gaps):
                names = " or ".join(printed_name(game, unit_id) for unit_id in demand.from_)
                yield f"{_piece_in_place(field, piece)}, with no {names} close enough", piece
        return
    for piece, other_piece in combinations(subject_pieces, 2):
        gap = distance(number[piece.at], number[other_piece.at])
        if (demand.at_least is not None and gap < demand.at_least) or (
            demand.at_most is not None and gap > demand.at_most
        ):
            yield _apart(field, piece, other_piece, gap), piece
        for marker, count in demand.between.items():
            spots = {marker_piece.at for marker_piece in on_map if marker_piece.unit == marker} - {
                subject_piece.at for subject_piece in subject_pieces
            }
            inside = [
                spot
                for spot in spots
                if max(distance(number[spot], number[end.at]) for end in (piece, other_piece)) < gap
            ]
            if len(inside) < count:
                words = f"{_apart(field, piece, other_piece, gap)}, with {len(inside)} empty {printed_name(game, marker)} between them"
                yield words, piece


def _piece_in_place(field: Field, piece: Piece) -> str:
    return f"{_name(field.game, piece)} stands in {field.map_index.title(field.map_index.number[piece.at])}"


def _apart(field: Field, piece: Piece, other_piece: Piece, gap: int) -> str:
    """Describe the distance between two pieces."""
    title, number = field.map_index.title, field.map_index.number
    names = [f"{_name(field.game, end_piece)} in {title(number[end_piece.at])}" for end_piece in (piece, other_piece)]
    return f"{names[0]} is {count_text(gap, field.map_index.place_noun)} from {names[1]}"


def _name(game: Game, piece: Piece) -> str:
    unit = game.units.get(piece.unit)
    return view_piece(game, piece).display_name + (f" {piece.copy}" if unit is not None and unit.count > 1 else "")


def _group(slot: RequiredPiece) -> str:
    return labelled_name(slot.group, slot.group.name or slot.group.formation) or f"group {slot.number} of {slot.side}"


def _rule(group: Group) -> str:
    """Return the line of the rulebook that a group comes from."""
    source = group.source
    return group.rule or (source.note if source is not None and source.word == "rulebook" else "")


HEADS: Mapping[str, str] = {
    "misplaced": "In a forbidden place", "missing": "Missing", "too_many": "Too many", "stacking": "Stacking", "works": "Works",
}  # fmt: skip


def fault_nodes(game: Game, key: str, set_up_faults: Sequence[SetupFault]) -> list[Node]:
    """Return the faults of a set-up, by kind."""
    map = game.scenario_maps.get(key)
    nodes: list[Node] = [Value("ok", not set_up_faults, for_people=False)]
    if not set_up_faults:
        nodes.append(Sentence("the set-up is legal"))
    rows: list[dict[str, Cell]] = []
    for fault in set_up_faults:
        on_map = fault.place is not None and (not isinstance(map, HexMap) or not isinstance(fault.place, str))
        place: Cell = PlaceRef(format_location(map, fault.place)) if on_map and fault.place is not None else None
        row: dict[str, Cell] = {"kind": fault.kind, "text": fault.text, "unit": fault.piece, "place": place}
        rows.append({**row, "group": fault.group, "rule": fault.rule})
    for kind, title in HEADS.items():
        kind_rows = [row for row in rows if row["kind"] == kind]
        if kind_rows:
            nodes.append(
                RowTable(
                    "faults",
                    [TableColumn("text", "what"), TableColumn("rule", "rule")],
                    kind_rows,
                    title,
                    heads=False,
                    for_programs=False,
                )
            )
    columns = [TableColumn("kind")]
    return [*nodes, RowTable("faults", columns, rows)]

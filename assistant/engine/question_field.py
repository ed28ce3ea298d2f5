"""The field of a question: a scenario's start or a position, with the changes that the question makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from assistant.assumptions import assume
from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import MapIndex, map_index_of, program_of
from assistant.engine.placed_units import COMING, PlacedUnit
from assistant.engine.position_changes import apply_changes
from assistant.engine.program import CompiledRecord
from assistant.engine.signatures import look
from assistant.engine.stacking import unmet
from assistant.questions.answer import BadQuestion, Node, Refusal, Value, remark
from assistant.questions.question import EMPTY as EMPTY
from assistant.questions.references import UnitRef, named_place
from scenarios.areas.resolving import Location, Resolver
from scenarios.grammar import count_text
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.model.position import Piece, Position, from_scenario, nation_of
from scenarios.opening_positions import open_position
from scenarios.reading.findings import suggest


def on_a_map(inputs: Mapping[str, Any]) -> bool:
    """Whether the inputs give a position at all."""
    return any(inputs.get(key) for key in ("position", "scenario", "put", "mark", "remove"))


def asked_field(game: Game, inputs: Mapping[str, Any], set_up: bool = True) -> Field:
    """Return the pieces on the map of `position`, or of the start of `scenario` (of the only one by default), with
    the question's changes. A unit that it names with a place or a state is there and in that state. Without `set_up` units
    set up by area stay where the scenario leaves them."""
    position, assumed_units = asked_start(game, inputs) if set_up else (asked_position(game, inputs), frozenset())
    map_index = map_index_of(game, position.scenario)
    if map_index is None:
        if game.scenario_maps:
            raise BadQuestion(
                f"{game.title} has a map for each scenario; name one, such as scenario={next(iter(game.scenarios))}"
            )
        raise BadQuestion(f"{game.title} has no map; add `maps` to the pack")
    return changed_field(map_index, settle_forced_groups(map_index, position), inputs, assumed_units)


def changed_field(
    map_index: MapIndex,
    position: Position,
    inputs: Mapping[str, Any],
    assumed_units: Iterable[tuple[str, str]] = (),
    **extra_inputs: Any,
) -> Field:
    """Return the pieces of a position on the map, with the question's changes. `extra_inputs` are further values for
    the pack's own inputs.

    `assumed_units` are the counters and copies whose place the engine chose, unless the question moves them.
    """
    game, assumed_keys = map_index.program.game, frozenset(assumed_units)
    changes = {key: inputs.get(key, ()) for key in ("remove", "put", "mark")}
    put: frozenset[tuple[str, str]] = frozenset()
    marked: frozenset[tuple[str, str]] = frozenset()
    if any(changes.values()):
        position, put, marked = apply_changes(
            game, position, **changes, location_of=lambda text: named_place(map_index.map, text, "put")
        )
        assumed_keys -= put
    pieces = _place_named_units(game, map_index, position, inputs)
    put |= (
        {(piece.unit, piece.copy) for piece in set(pieces) - set(position.pieces)}
        if pieces is not position.pieces
        else set()
    )
    turn = _turn(game, position, inputs)
    if not inputs.get("turn") and "position" not in inputs and turn_matters(game):
        assume(inputs, "turn", turn, f"turn {turn}")
    if assumed_keys and map_index.program.rules.auto_set_up is not None:
        # Units without a place would be listed here too.
        assume(
            inputs,
            "set_up",
            len(assumed_keys),
            f"{count_text(len(assumed_keys), 'unit')} marked *, {map_index.program.rules.auto_set_up.text}",
        )
    field = make_field(
        map_index,
        replace(position, turn=turn, pieces=pieces),
        {**_pack_inputs(map_index, inputs), **extra_inputs},
        assumed_keys,
    )
    check_standing(field, [unit for unit in field.placed_units if (unit.counter.id, unit.piece.copy) in put | marked])
    return field


def name_chosen(inputs: Mapping[str, Any], units: Iterable[PlacedUnit]) -> None:
    """Record which units of a battle are in places that the engine chose."""
    chosen_units = [unit for unit in units if unit.is_assumed]
    if chosen_units:
        names = ", ".join(unit.name for unit in chosen_units)
        assume(inputs, "set_up", [unit.ref for unit in chosen_units], f"of these fight here: {names}")


def turn_matters(game: Game) -> bool:
    """Whether an answer may depend on the turn: a rule, an attack or an effect of a scenario asks for it."""
    return cached_on(game, _turn_matters)


def _turn_matters(game: Game) -> bool:
    program = program_of(game)
    reads = {shape.read for attack in game.attacks.values() for shape in attack.all_inputs}
    effects = (effect for scenario in game.scenarios.values() for rule in scenario.special for effect in rule.effects)
    rule_names = program.playing | program.winning | program.seeing
    return "turn" in rule_names or bool(reads & {"turn", "first_turn"}) or any(effect.turns for effect in effects)


def _turn(game: Game, position: Position, inputs: Mapping[str, Any]) -> int:
    """Return the turn of the question: the position's, or the one that the question gives."""
    turn = int(inputs.get("turn") or position.turn)
    if inputs.get("turn") and (fault := game.turn_fault(turn, position.scenario)):
        raise BadQuestion(f"turn: {fault}")
    return turn


def asked_position(game: Game, inputs: Mapping[str, Any]) -> Position:
    """Return the position before any change; without a scenario it belongs to the game's only one."""
    position = inputs.get("position")
    only_scenario = next(iter(game.scenarios)) if len(game.scenarios) == 1 else ""
    if isinstance(position, Path):
        try:
            position = open_position(game, position)
        except OSError as error:
            raise BadQuestion(f"no position can be read from {str(position)!r}: {error.strerror}") from None
    if isinstance(position, Position):
        return position if position.scenario else replace(position, scenario=only_scenario)
    scenario = str(inputs.get("scenario") or "")
    if scenario == EMPTY:
        return Position(game.id, only_scenario)
    if not scenario and not only_scenario and inputs.get("put"):
        return Position(game.id)
    if not scenario and not only_scenario:
        raise BadQuestion(f"name a scenario or a position; {game.id} has {', '.join(game.scenarios) or 'no scenarios'}")
    return from_scenario(game, scenario or only_scenario)


def asked_start(game: Game, inputs: Mapping[str, Any]) -> tuple[Position, frozenset[tuple[str, str]]]:
    """Return the same with units set up by area in places that the engine chose, where the rules say how; and which
    units these are."""
    position = asked_position(game, inputs)
    if "position" in inputs or inputs.get("scenario") == EMPTY or game.rules is None or game.rules.auto_set_up is None:
        return position, frozenset()
    # Imported late: a question with a position of its own starts without this.
    from assistant.engine.auto_setup import start_position

    return start_position(game, position.scenario) if position.scenario in game.scenarios else (position, frozenset())


def not_set_up(game: Game, inputs: Mapping[str, Any]) -> list[Node]:
    """Return how many units of the position aren't set up yet: an answer leaves them out."""
    changes = {key: inputs.get(key, ()) for key in ("remove", "put", "mark")}
    try:
        position, _ = asked_start(game, inputs)
        map_index = map_index_of(game, position.scenario)
        if map_index is None:
            return []
        place_named = partial(named_place, map_index.map, what="put")
        position, _, _ = apply_changes(
            game, settle_forced_groups(map_index, position), **changes, location_of=place_named
        )
        pieces = _place_named_units(game, map_index, position, inputs)
    except BadQuestion:
        return []
    empty = make_field(map_index, replace(position, pieces=()))
    trays = (
        game.units[piece.unit] for piece in pieces if piece.unit in game.units and str(piece.at).startswith("setup:")
    )
    count = sum(empty.counts(unit) for unit in trays)
    if not count:
        return []
    subject = f"{count_text(count, 'unit')} {'is' if count == 1 else 'are'}"
    text = (
        f"{subject} not set up, so the answer leaves {'them' if count > 1 else 'it'} out; place one with put=UNIT@PLACE"
    )
    return [Value("not_set_up", count, for_people=False), remark(text)]


def settle_forced_groups(map_index: MapIndex, position: Position) -> Position:
    """Return the position with those set-up groups in place that leave no choice: as many copies of one counter as
    their area has places. The copies are interchangeable, unless the rules ask for numbers."""
    units = map_index.program.game.units
    scenario = map_index.program.game.scenarios.get(position.scenario)
    if scenario is None or not any(str(piece.at).startswith("setup:") for piece in position.pieces):
        return position
    resolver = Resolver(map_index.map, dict(scenario.zones))
    homes: dict[str, list[Location]] = {}
    numbers_matter = "copy" in map_index.program.rare_fields
    for side, force in scenario.forces.items():
        for number, group in enumerate(force.groups, 1):
            is_uniform = len(group.units) == 1 and not (
                numbers_matter and any(units[unit].numbers for unit in group.units)
            )
            spots = sorted(resolver.places(group.at)) if group.at is not None and is_uniform else []
            if spots and sum(group.units.values()) == len(spots):
                homes[f"setup:{side}/{group.id or number}"] = spots
    waiting = ((piece, homes.get(str(piece.at))) for piece in position.pieces)
    return replace(
        position, pieces=tuple(piece._replace(at=spots.pop(0)) if spots else piece for piece, spots in waiting)
    )


def _place_named_units(
    game: Game, map_index: MapIndex, position: Position, inputs: Mapping[str, Any]
) -> tuple[Piece, ...]:
    """Return the pieces with the units that the question names: `from` and `UNIT@PLACE` give the place, `UNIT+STATE`
    the state. The units of an attack's groups keep their places."""
    asked_refs, pieces = inputs.get("unit", ()), position.pieces
    marks = {
        shape.state: inputs[name]
        for name, shape in map_index.program.rules.inputs.items()
        if shape.state and name in inputs
    }
    named_units = [
        (unit_ref, inputs.get("from") or unit_ref.place, marks)
        for unit_ref in (asked_refs if isinstance(asked_refs, tuple) else (asked_refs,))
    ]
    group_names = {name for attack in game.attacks.values() for name in attack.groups}
    named_units += [
        (unit_ref, unit_ref.place, {})
        for name in sorted(group_names & {*inputs})
        for unit_ref in inputs[name] or ()
        if isinstance(unit_ref, UnitRef)
    ]
    new_pieces = list(pieces)
    for unit_ref, place, marks in named_units:
        if not place and not unit_ref.states and not marks:
            continue
        location = named_place(map_index.map, place, "from") if place else None
        candidates = [
            i for i, piece in enumerate(new_pieces) if piece.unit == unit_ref.id and unit_ref.copy in ("", piece.copy)
        ]
        matches = [i for i in candidates if new_pieces[i].at == location]
        if (
            not matches
            and location is not None
            and (unit_ref.copy or len(candidates) == 1 == game.units[unit_ref.id].count)
        ):
            matches = candidates[:1]
        if not matches and location is not None and candidates and len(candidates) >= game.units[unit_ref.id].count:
            # All other copies are taken: prefer one that isn't on the map.
            matches = sorted(candidates, key=lambda i: new_pieces[i].at in map_index.number)[: unit_ref.count]
        if not matches and location is not None and unit_ref.id in game.units:
            nation = nation_of(game, position.scenario, unit_ref.id)
            new_pieces.append(Piece(unit_ref.id, _free_copy(game, new_pieces, unit_ref), nation, location))
            matches = [len(new_pieces) - 1]
        for i in (matches or candidates)[: unit_ref.count]:
            piece = new_pieces[i] if location is None else new_pieces[i]._replace(at=location)
            states = frozenset(unit_ref.states) or piece.states
            states = (states | {state for state, set_ in marks.items() if set_}) - {
                state for state, set_ in marks.items() if not set_
            }
            new_pieces[i] = piece if states == piece.states else piece._replace(states=states, steps_lost=0)
    return pieces if new_pieces == list(pieces) else tuple(new_pieces)


def _free_copy(game: Game, pieces: Sequence[Piece], unit_ref: UnitRef) -> str:
    used = {piece.copy for piece in pieces if piece.unit == unit_ref.id}
    numbers = [unit_ref.copy, *game.units[unit_ref.id].numbers, *(str(n) for n in range(1, len(used) + 2))]
    return next(number for number in numbers if number and number not in used)


def check_standing(field: Field, units: Sequence[PlacedUnit]) -> None:
    """Raise BadQuestion for a unit in a place where it can't be."""
    demands, map_index = field.program.ready(field.program.rules.allowed_places), field.map_index
    special = [name for name in demands.uses.to_names if name in map_index.mover_names]
    asked_names = tuple(name for name in demands.uses.to_names if name in map_index.position_names)
    fine: set[tuple[str, int, int]] = set()
    for unit in units if demands.records else ():
        mover = field.mover(unit)
        # Where nothing of the unit itself is asked, it is computed once for all equal places.
        key = unit.side, map_index.kind(unit.place), look(field, mover, unit.place, asked_names) if asked_names else 0
        if key in fine:
            continue
        if not demands.uses.mover and not special:
            fine.add(key)
        for record in unmet(field, demands.records, field.scope(mover, {"to": unit.place})):
            flags = [
                name
                for name in field.program.rules.inputs
                if f"input.{name}" in record.uses and not field.inputs.get(name)
            ]
            hint = f"; if so, say {flags[0]}=yes" if flags else ""
            raise Refusal(
                f"{unit.name} can't be in {field.map_index.title(unit.place)}: {record.text}{hint}", record.rule
            )


def cant_be(field: Field, unit: PlacedUnit, place: int) -> tuple[CompiledRecord, ...]:
    """Return the records of `allowed_places` that keep a unit out of a place."""
    scope = field.scope(field.mover(unit), {"to": place})
    return unmet(field, field.program.ready(field.program.rules.allowed_places).records, scope)


def _pack_inputs(map_index: MapIndex, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the player's values for the pack's own inputs."""
    pack_inputs: dict[str, Any] = {}
    for name, shape in map_index.program.rules.inputs.items():
        value = inputs.get(name)
        if value is None:
            continue
        pack_inputs[name] = (
            [asked_place(map_index, place_name, name) for place_name in value] if shape.kind == "places" else value
        )
    counters = map_index.program.rules.counters
    return pack_inputs | {name: inputs[name] for name in counters if inputs.get(name) is not None}


def asked_place(map_index: MapIndex, text: str, label: str = "") -> int:
    """Return a place of the map by its name."""
    place = named_place(map_index.map, text, what=label)
    if place not in map_index.number:
        raise BadQuestion(f"{text!r} is not on the map; name a hex or point")
    return map_index.number[place]


def asked_units(field: Field, unit_refs: tuple[UnitRef, ...], start: str = "") -> list[PlacedUnit]:
    """Return the units that a question names, on the map. `start` is their place, if the question gives one for all."""
    units: list[PlacedUnit] = []
    for unit_ref in unit_refs:
        all_units = (*field.placed_units, *field.set_aside)
        matches = [
            s
            for s in all_units
            if s.counter.id == unit_ref.id and unit_ref.copy in ("", s.piece.copy) and s not in units
        ]
        place = start or unit_ref.place
        if place:
            place_number = asked_place(field.map_index, place)
            matches = [s for s in matches if s.place == place_number]
        if len(matches) < unit_ref.count:
            raise BadQuestion(_missing(field, unit_ref))
        units += matches[: unit_ref.count]
    return units


def asked_coming(field: Field, unit_ref: UnitRef, target: int) -> list[PlacedUnit]:
    """Return units that are to enter a place: first those elsewhere on the map, then others as if from off the map.
    Units that are already there count only if no copies of the counter are left."""
    if unit_ref.id not in field.game.units:
        raise BadQuestion(_missing(field, unit_ref))
    unit, place = field.game.units[unit_ref.id], field.map_index.places[target]
    matches = sorted(
        (s for s in field.placed_units if s.counter is unit and unit_ref.copy in ("", s.piece.copy)),
        key=lambda s: s.place == target,
    )
    units_elsewhere = [s for s in matches if s.place != target][: unit_ref.count]
    missing_count = unit_ref.count - len(units_elsewhere)
    spare = (
        max(0, unit.count - len(matches))
        if not unit_ref.copy
        else missing_count - (len(matches) - len(units_elsewhere))
    )
    states = frozenset(unit_ref.states)
    nation = nation_of(field.game, field.position.scenario, unit.id)
    fresh = [
        Piece(unit.id, unit_ref.copy or f"{COMING}{n}", nation, place, states) for n in range(min(missing_count, spare))
    ]
    units = [*units_elsewhere, *(field.as_if(piece) for piece in fresh)]
    return [*units, *[s for s in matches if s.place == target][: unit_ref.count - len(units)]]


def asked_anywhere(game: Game, inputs: Mapping[str, Any]) -> tuple[Field, Unit, PlacedUnit | None]:
    """Return the one unit that a question names, on the map or not."""
    unit_ref: UnitRef = inputs["unit"]
    field = asked_field(game, {**inputs, "unit": (unit_ref,)})
    unit, place = game.units.get(unit_ref.id), inputs.get("from") or unit_ref.place
    if unit is None:
        raise BadQuestion(f"{unit_ref.id} is a marker, not a unit; name a unit")
    if not field.counts(unit):
        raise BadQuestion(f"{field.display_name(unit)} is not on the map")
    place_number = asked_place(field.map_index, place, "from") if place else None
    matches = (
        s
        for s in field.placed_units
        if s.counter is unit and unit_ref.copy in ("", s.piece.copy) and place_number in (None, s.place)
    )
    return field, unit, next(matches, None)


def _missing(field: Field, unit_ref: UnitRef) -> str:
    game = field.game
    if unit_ref.id in game.markers:
        return f"{unit_ref.id} is a marker, not a unit; name a unit"
    name = field.display_name(game.units[unit_ref.id])
    waiting = [
        str(piece.at)
        for piece in field.position.pieces
        if piece.unit == unit_ref.id and piece.at not in field.map_index.number
    ]
    if any(s.counter.id == unit_ref.id for s in field.placed_units):
        return f"{name} is not in the position; {suggest(unit_ref.id, sorted({s.key for s in field.placed_units}))}"
    uncounted_piece = next(
        (piece for piece in field.position.pieces if piece.unit == unit_ref.id and piece.at in field.map_index.number),
        None,
    )
    if not waiting and uncounted_piece is not None and uncounted_piece.states:
        states = " and ".join(
            game.states[state].name.lower() for state in uncounted_piece.states if state in game.states
        )
        place = field.map_index.title(field.map_index.number[uncounted_piece.at])
        return f"{name} in {place} doesn't count as a unit while it is marked {states}; to ask without that mark, write mark={unit_ref.id}"
    if not waiting:
        return f"{name} is not in this position; to add it, write put={unit_ref.id}@PLACE"
    location_kind, _, location_name = waiting[0].partition(":")
    box = field.map_index.map.boxes.get(location_name)
    box_text = f"it is in the {box.name if box is not None else f'box {location_name}'}"
    location_text = (
        f"it enters on turn {location_name}"
        if location_kind == "turn"
        else box_text
        if location_kind == "box"
        else "it isn't set up yet"
    )
    return f"{name} is not on the map: {location_text}; to add it, write put={unit_ref.id}@PLACE"

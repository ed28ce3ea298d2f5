"""The common parts of the questions: the field and the position, hexes by name, places and units in answers, and the
unofficial numbers and boards of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assistant.assumptions import assume
from assistant.engine import question_field
from assistant.engine.field import Field
from assistant.engine.position_changes import apply_changes
from assistant.games.arab_israeli_wars.forces import field_of, field_on, level_of
from assistant.questions.answer import BadQuestion, Cell, CounterRef, Node, PlaceRef, RowTable, TableColumn, Value
from assistant.questions.question import MARK, POSITION, PUT, REMOVE, Input, Inputs
from assistant.questions.references import named_place
from assistant.unofficial import unofficial_addresses
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.position import Piece, Position

SCENARIO = Input(
    name="scenario", about="the Situation: its map, its year, its armies", kind="choice", vocabulary="scenario"
)
MAP = Input(name="map", about="instead: the boards, one or several in rows", example="B / A turned")
CHANGE_INPUTS = (PUT, MARK, REMOVE)
WITH = Input(
    name="with",
    about="additional markers in these places",
    kind="put",
    what_if=True,
    aliases=("works",),
    example="smoke@A-H-5",
)
RULING = Input(
    name="ruling",
    about="rulings with another reading than the default",
    kind="pairs",
    values="text",
    separator="=",
    aliases=("rulings",),
    example="sight_touch=clear",
)
ON_THE_GROUND = (SCENARIO, POSITION, MAP, *CHANGE_INPUTS, WITH, RULING)


def asked_position(game: Game, inputs: Inputs) -> Position | None:
    """Return the question's position with its changes; a Situation's or a map's has only the pieces that the
    question puts there."""
    position = question_field.asked_position(game, inputs) if inputs.get("position") else None
    changes = {input_.name: inputs.get(input_.name, ()) for input_ in CHANGE_INPUTS}
    if not any(changes.values()):
        return position
    base_position = position or Position(game.id, str(inputs.get("scenario", "")))
    field = _field(game, inputs, base_position)
    return apply_changes(
        game, base_position, **changes, location_of=lambda text: named_place(field.hex_map, text, "put")
    ).position


def _field(game: Game, inputs: Inputs, position: Position | None) -> Field:
    rulings = inputs.get("ruling", {})
    map_name = str(inputs.get("scenario") or inputs.get("map") or "")
    if position is not None and (position.scenario or map_name):
        return field_of(game, position, map_name="" if position.scenario else map_name, rulings=rulings)
    if not map_name:
        raise BadQuestion("name a map: --map BOARDS, --scenario SITUATION or --position FILE (Basic III.A.3)")
    return field_on(game, map_name, rulings=rulings)


def asked_field(game: Game, inputs: Inputs) -> tuple[Field, Position | None]:
    """Return the field of a question, with the markers that it adds, and the position on it."""
    position = asked_position(game, inputs)
    field = _field(game, inputs, position)
    extra_markers = dict.fromkeys(
        (marker_ref.id, hex_of(field, marker_ref.place)) for marker_ref in inputs.get("with", ())
    )
    new = [Piece(marker, "1", "", hex) for marker, hex in extra_markers if marker not in field.markers_at(hex)]
    return field.with_pieces((*field.position.pieces, *new)) if new else field, position


def assume_rules(field: Field, inputs: Inputs) -> None:
    """Record the year and the level of the rules, where no Situation gives them."""
    scenario = field.scenario
    if (scenario is None or not scenario.year) and "year" not in inputs:
        assume(inputs, "year", str(field.value("year")), f"the year is {field.value('year')}")
    if scenario is None:
        assume(inputs, "scenario", "", f"the {level_of(field).title()} Rules are played")


def hex_of(field: Field, name: str) -> Hex:
    """Return the hex of a name; raise BadQuestion where the Situation or map has none."""
    try:
        return field.hex_map.hex(name)
    except ValueError:
        pass
    try:
        location = named_place(field.hex_map, name)
    except BadQuestion as error:
        boards = [placed_board.board.id for placed_board in field.hex_map.placed]
        boards_text = f"played on {'boards' if len(boards) > 1 else 'board'} {' and '.join(boards)}"
        scenario_text = f"; Situation {field.position.scenario} is {boards_text}" if field.position.scenario else ""
        raise BadQuestion(f"{error}{scenario_text} (Basic III.A)") from None
    if not isinstance(location, Hex):
        raise BadQuestion(f"{name!r} is not a hex of this map (Basic III.A)")
    return location


def place(field: Field, hex: Hex) -> PlaceRef:
    """Return a hex for an answer."""
    return field.place(field.map_index.number[hex])


def counter(game: Game, unit: str, copy: str = "") -> CounterRef:
    """Return a unit or a marker for an answer, with its number."""
    name = game.units[unit].name if unit in game.units else game.markers[unit].name
    return CounterRef(f"{unit}/{copy}" if copy else unit, name)


def silent(**values: Cell) -> list[Node]:
    """Return values that only programs read."""
    return [Value(key, value, for_people=False) for key, value in values.items()]


def chance_table(
    key: str, first: TableColumn, rows: Sequence[Mapping[str, Cell]], title: str = "", *, is_shown: bool = True
) -> RowTable:
    """Return a table of chances, exact and in percent; if it isn't shown, only programs read it."""
    columns = [first, TableColumn("exact", "exactly", for_programs=False), TableColumn("chance", "chance")]
    if is_shown:
        return RowTable(key, columns, rows, title, heads=False)
    return RowTable(key, [column._replace(title="") for column in columns], rows)


# --- unofficial numbers -----------------------------------------------------------------------------------------------

FIRING = ("attack", "weapon", "range")
FIRED_AT = ("defense", "target", "hull_down")


def unofficial_numbers(
    game: Game,
    field: Field | None,
    tables: Iterable[str] = (),
    factors: Mapping[tuple[str, ...], Iterable[str]] | None = None,
) -> dict[str, str]:
    """Return what an answer depends on: the boards, these tables, and these factors of some counters."""
    placed_boards = field.hex_map.placed if field is not None else ()
    unit_factors = [
        (game.units[unit], key)
        for keys, units in (factors or {}).items()
        for unit in dict.fromkeys(units)
        if unit in game.units
        for key in keys
    ]
    return unofficial_addresses(
        game,
        unit_factors,
        tables,
        other_sources={
            f"boards/{placed_board.board.id}": placed_board.board.shape.source for placed_board in placed_boards
        },
    )

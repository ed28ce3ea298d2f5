"""The reach of headquarters and zones, units in command, usable spans, and where groups may set up in supply: as
questions of their own, and as additions to the answer of `supply`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from assistant.engine.field import Field
from assistant.engine.movement.walk import SCALE
from assistant.engine.notes import question_notes
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_field, asked_place, asked_units
from assistant.engine.spans import spans_of
from assistant.engine.supply.supply_lines import SupplyRoot, supplied_at, supply_of
from assistant.engine.zones import zones_of
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    CounterRef,
    Node,
    PlaceRef,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    Warning,
    remark,
)
from assistant.questions.question import ON_ANY_MAP, Input, Question
from assistant.unofficial import map_sources, unofficial_addresses
from scenarios.grammar import with_article
from scenarios.model.game import Game
from scenarios.model.position import Piece
from scenarios.rules.shapes import Rules, Zone

FROM_INPUT = Input(name="from", about="the unit's place, if the position doesn't show it", kind="place")
SIDE = Input(name="side", about="show one side only", kind="choice", vocabulary="side")
AT_INPUT = Input(name="at", about="show only what reaches this place", kind="place", aliases=("point", "place"))
MAX_LISTED = 60
"""A screen lists no more covered places than this."""
MAX_ROWS = 200
"""A group that may set up in more places than this isn't checked place by place."""


def command_questions(rules: Rules, extra_inputs: tuple[Input, ...]) -> dict[str, Question]:
    """Return the question `command`, and one named for each zone with a length. `extra_inputs` are the pack's own
    inputs."""
    questions: dict[str, Question] = {}
    inputs = (
        Input(name="unit", about="one unit; without it, all units", kind="unit"),
        FROM_INPUT,
        SIDE,
        *extra_inputs,
        *ON_ANY_MAP,
    )
    if rules.command:
        questions["command"] = Question(
            name="command",
            about="the command range of headquarters, and which units are in command",
            answer=_command,
            inputs=inputs,
            positional=("unit", "from"),
        )
    return questions | {name: _zone_question(name, zone, inputs) for name, zone in rules.zones.items() if zone.length}


def _units_in_question(game: Game, inputs: Mapping[str, Any]) -> tuple[Field, list[PlacedUnit]]:
    """Return the field and the units of the question: the named unit, or all units side by side."""
    if "unit" in inputs:
        field = asked_field(game, {**inputs, "unit": (inputs["unit"],)})
        return field, asked_units(field, (inputs["unit"],), inputs.get("from", ""))
    field, side = asked_field(game, inputs), inputs.get("side", "")
    return field, [unit for army in game.sides for unit in field.units_of(army) if side in ("", army)]


def _near_first(field: Field, places: Mapping[int, int]) -> list[PlaceRef]:
    return [field.place(n) for n in sorted(places, key=lambda n: (places[n], field.map_index.name(n)))]


def _distances(field: Field, places: Mapping[int, int]) -> list[Cell]:
    return [{"place": field.place(n), "distance": distance} for n, distance in places.items()]


def _row(field: Field, unit: PlacedUnit) -> dict[str, Cell]:
    return {"unit": CounterRef(unit.key, unit.name), "place": field.place(unit.place)}


def _factors(field: Field, formulas: Iterable[Any], units: Iterable[PlacedUnit]) -> Unofficial:
    """Return the unofficial counter numbers that a length depends on."""
    factor_names = {
        name.removeprefix("source.") for records in formulas for name in field.program.ready(records).uses.mover
    }
    used = [(unit.counter, name) for unit in units for name in sorted(factor_names & field.game.factors.keys())]
    return Unofficial(unofficial_addresses(field.game, used, other_sources=map_sources(field.game)) if used else {})


# --- headquarters -----------------------------------------------------------------------------------------------------


def radius(field: Field, unit: PlacedUnit) -> dict[str, SupplyRoot]:
    """Return what a unit commands, by the kind of command; empty if it is no headquarters."""
    lines = supply_of(field, unit.side)
    roots = {name: lines.roots(name, unit) for name in field.program.rules.command}
    return {name: root for name, kind_roots in roots.items() for root in kind_roots if root.source is unit}


def _command(game: Game, inputs: Mapping[str, Any]) -> Answer:
    field, units = _units_in_question(game, inputs)
    heads = {unit: roots_by_kind for unit in units if (roots_by_kind := radius(field, unit))}
    if "unit" in inputs and not heads:
        rules = ", ".join(command.rule for command in field.program.rules.command.values())
        raise BadQuestion(f"{units[0].display_name} is not a headquarters ({rules})")
    rows: list[dict[str, Cell]] = [
        {
            **_row(field, head),
            "by": name,
            "length": _length(field, name, head),
            "shown": _near_first(field, root.places),
            "reach": _distances(field, root.places),
        }
        for head, roots_by_kind in heads.items()
        for name, root in roots_by_kind.items()
    ]
    columns = [
        TableColumn("unit", "headquarters"),
        TableColumn("place", "in"),
        TableColumn("length", "how far"),
        TableColumn("shown", "commands, nearest first", for_programs=False),
        TableColumn("by"),
        TableColumn("reach"),
    ]
    nodes: list[Node] = [
        RowTable("headquarters", columns, rows),
        command_table(field, [] if "unit" in inputs else units, "units"),
    ]
    nodes += [] if heads else [Sentence("no headquarters is on the map; name one with its place: unit=UNIT from=PLACE")]
    return Answer(
        "command",
        game.id,
        [*nodes, _factors(field, [command.length for command in field.program.rules.command.values()], heads)],
    )


def _length(field: Field, command: str, head: PlacedUnit) -> Fraction | None:
    limit = supply_of(field, head.side).limit(field.program.rules.command[command], head, head, head.place)
    return None if limit is None else Fraction(limit) / SCALE


def command_table(field: Field, units: Iterable[PlacedUnit], key: str, titles: bool = True) -> RowTable:
    """Return a table of units with the headquarters that command them, or why they need none."""
    rows: list[dict[str, Cell]] = []
    for unit in units:
        lines = supply_of(field, unit.side)
        roots = [root for name in field.program.rules.command for root in lines.commanders(name, unit)]
        commander_names = [root.source.display_name for root in roots if root.source is not None]
        free = lines.free(unit, "commanded")
        reason = f"{free.text} ({free.rule})" if free is not None else ""
        rows.append(
            {
                **_row(field, unit),
                "by": [*commander_names],
                "why": reason or None,
                "how": ", ".join(commander_names) or reason or "NOT in command",
            }
        )
    heads = ("unit", "in", "in command of") if titles else ("", "", "")
    columns = [
        TableColumn(name, head, for_programs=name != "how")
        for name, head in zip(("unit", "place", "how"), heads, strict=True)
    ]
    return RowTable(key, columns, rows)


# --- zones ------------------------------------------------------------------------------------------------------------


def _zone_question(name: str, zone: Zone, inputs: tuple[Input, ...]) -> Question:
    title = zone.title or name

    def answer(game: Game, question_inputs: Mapping[str, Any]) -> Answer:
        field, units = _units_in_question(game, question_inputs)
        have = [unit for unit in units if zones_of(field).has(name, unit)]
        if "unit" in question_inputs and not have:
            raise BadQuestion(f"{units[0].display_name} has no {title} ({zone.rule})")
        place = asked_place(field.map_index, question_inputs["at"], "at") if question_inputs.get("at") else None
        nodes: list[Node] = [Value("place", field.place(place), "Place")] if place is not None else []
        table = _covering(field, name, have, place)
        nodes.append(table)
        if not table.rows:
            nobody = f"no unit on the map has {with_article(title)}; name one with its place: unit=UNIT from=PLACE"
            nodes.append(Sentence(("none reaches ", field.place(place)) if place is not None else nobody))
        nodes += question_notes(field, name)
        return Answer(name, game.id, [*nodes, _factors(field, [zone.length], have)])

    about = f"{title}: the units that have one, and the places in it"
    return Question(name=name, about=about, answer=answer, inputs=(*inputs, AT_INPUT), positional=("unit", "from"))


def _covering(
    field: Field, zone: str, units: Iterable[PlacedUnit], place: int | None = None, *, idle: bool = False
) -> RowTable:
    """Return a table of units with the places that their zone covers, or of the units that cover one place. With
    `idle` it includes those that cover none."""
    rows: list[dict[str, Cell]] = []
    for unit in units:
        covers = {n: distance for n, distance in zones_of(field).reach(zone, unit).items() if place in (None, n)}
        if covers or idle:
            rows.append(
                {
                    **_row(field, unit),
                    "zone": zone,
                    "shown": _near_first(field, covers),
                    "covers": _distances(field, covers),
                }
            )
    heads = ("", "", "") if idle else ("unit", "in", "covers, nearest first")
    columns = [
        TableColumn(key, head, for_programs=key != "shown")
        for key, head in zip(("unit", "place", "shown"), heads, strict=True)
    ]
    return RowTable("covering", [*columns, TableColumn("zone"), TableColumn("covers")], rows)


# --- additions to the answer of supply --------------------------------------------------------------------------------


def beside_supply(field: Field, side: str) -> list[Node]:
    """Return further information about a side: set-up groups without a supply line, spans, units out of command,
    contents of zones with a length."""
    rules, own_units = field.program.rules, field.units_of(side)
    nodes: list[Node] = [*_waiting(field, side), *_spans(field, side)]
    if rules.command:
        uncommanded_units = [unit for unit in own_units if not supply_of(field, side).is_served(unit, "commanded")]
        rule = next(iter(rules.command.values())).rule
        nodes.append(command_table(field, own_units, "command", titles=False))
        name_parts = [
            part
            for own_unit in uncommanded_units
            for part in (", ", CounterRef(own_unit.key, own_unit.name), " in ", field.place(own_unit.place))
        ]
        nodes += [Sentence(("not in command: ", *name_parts[1:]), rule)] if uncommanded_units else []
    zone_names = [name for name, zone in rules.zones.items() if zone.length]
    tables = [
        _covering(field, name, [own_unit for own_unit in own_units if zones_of(field).has(name, own_unit)], idle=True)
        for name in zone_names
    ]
    if zone_names:
        zone_places = {
            n: 0 for name in zone_names for own_unit in own_units for n in zones_of(field).reach(name, own_unit)
        }
        titles = ", ".join(rules.zones[name].title or name for name in zone_names)
        nodes.append(replace(tables[0], rows=[row for table in tables for row in table.rows]))
        nodes.append(
            Value(
                "covered",
                _near_first(field, zone_places),
                titles,
                rules.zones[zone_names[0]].rule,
                for_people=0 < len(zone_places) <= MAX_LISTED,
            )
        )
        nodes += [remark(f"{titles}: {len(zone_places)} places")] if len(zone_places) > MAX_LISTED else []
    return nodes


def _waiting(field: Field, side: str) -> list[Node]:
    """Return the groups that may still choose their place: where they may set up, and which of these places have no
    supply line."""
    forces, map_index = field.scenario.forces if field.scenario else {}, field.map_index
    trays: dict[str, Piece] = {}
    for piece in field.position.pieces:
        if str(piece.at).startswith(f"setup:{side}/") and piece.unit in field.game.units:
            trays.setdefault(str(piece.at), piece)
    rows: list[dict[str, Cell]] = []
    for number, group in enumerate(forces[side].groups if side in forces else (), 1):
        first = trays.get(f"setup:{side}/{group.id or number}")
        if first is None or group.at is None:
            continue
        places = sorted(
            (n for place in field.places_of(group.at) if (n := map_index.number.get(place)) is not None),
            key=map_index.name,
        )
        if not 0 < len(places) <= MAX_ROWS:
            continue
        unit = field.as_if(first._replace(at=map_index.places[places[0]]))
        unsupplied_places: list[Cell] = [field.place(n) for n in places if not supplied_at(field, unit, n)]
        rows.append(
            {
                "group": group.name or group.id,
                "places": [field.place(n) for n in places],
                "many": len(places),
                "unsupplied": unsupplied_places,
            }
        )
    titles = (
        ("to be set up", "places to choose from", "out of supply")
        if any(row["unsupplied"] for row in rows)
        else ("", "", "")
    )
    columns = [
        TableColumn("group", titles[0]),
        TableColumn("many", titles[1], for_programs=False),
        TableColumn("unsupplied", titles[2]),
    ]
    return [RowTable("waiting", columns, rows)] if rows or trays else []


def _spans(field: Field, side: str) -> list[Node]:
    spans = field.program.rules.spans
    placed_spans = sorted(
        (name, field.place(n), field.place(m), stands)
        for name in spans
        for owner, n, m, stands in spans_of(field).placed(name)
        if owner == side
    )
    rows: list[dict[str, Cell]] = [
        {"span": name, "place": a, "to": b, "stands": stands} for name, a, b, stands in placed_spans
    ]
    notes = {name: f": {shape.note}" if shape.note else "" for name, shape in spans.items()}
    warnings = [
        Warning((f"the {name} from ", a, " to ", b, f" can't be used{notes[name]}"), spans[name].rule)
        for name, a, b, stands in placed_spans
        if not stands
    ]
    return (
        [RowTable("spans", [TableColumn(key) for key in ("span", "place", "to", "stands")], rows), *warnings]
        if spans
        else []
    )

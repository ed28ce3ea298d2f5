"""How far headquarters and zones reach, who is in command, which spans stand, where groups may set up in supply: as questions of
their own, and as what `supply` tells besides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from assistant.answers import Answer, BadQuestion, Cell, Column, Counter, Line, Node, Ours, Place, Table, Value, Warning
from assistant.questions import ON_ANY_MAP, Input, Question
from assistant.rules.field import Field, Standing
from assistant.rules.placed import asked_field, asked_place, asked_units
from assistant.rules.supply import Root, supplied_at
from assistant.rules.walk import SCALE
from assistant.sourced import ours, route_sources
from scenarios.game import Game
from scenarios.position import Piece
from scenarios.rules.shapes import Rules, Zone

FROM = Input(name="from", about="the place it is in, if the position doesn't show it there", kind="place")
SIDE = Input(name="side", about="one side only", kind="choice", of="side")
AT = Input(name="at", about="only what reaches this place", kind="place", aliases=("point", "place"))
MOST = 200
"""A group that may set up in more places than these isn't looked at place by place."""


def command_questions(rules: Rules, more: tuple[Input, ...]) -> dict[str, Question]:
    """The question `command`, and one for each zone with a length, under its name; `more` are the pack's own inputs."""
    found: dict[str, Question] = {}
    inputs = (Input(name="unit", about="one unit; left out, all", kind="unit"), FROM, SIDE, *more, *ON_ANY_MAP)
    if rules.command:
        found["command"] = Question(
            name="command",
            about="how far headquarters reach, and who is in command",
            answer=_command,
            inputs=inputs,
            bare=("unit", "from"),
        )
    return found | {name: _zone_question(name, zone, inputs) for name, zone in rules.zones.items() if zone.length}


def _asked(game: Game, told: Mapping[str, Any]) -> tuple[Field, list[Standing]]:
    """The pieces on the map, and those asked about: the one that is named, or all, side by side."""
    if "unit" in told:
        field = asked_field(game, {**told, "unit": (told["unit"],)})
        return field, asked_units(field, (told["unit"],), told.get("from", ""))
    field, side = asked_field(game, told), told.get("side", "")
    return field, [standing for army in game.sides for standing in field.of(army) if side in ("", army)]


def _near_first(field: Field, places: Mapping[int, int]) -> list[Place]:
    return [field.place(n) for n in sorted(places, key=lambda n: (places[n], field.kinds.name(n)))]


def _distances(field: Field, places: Mapping[int, int]) -> list[Cell]:
    return [{"place": field.place(n), "distance": far} for n, far in places.items()]


def _row(field: Field, standing: Standing) -> dict[str, Cell]:
    return {"unit": Counter(standing.key, standing.name), "place": field.place(standing.at)}


def _factors(field: Field, formulas: Iterable[Any], units: Iterable[Standing]) -> Ours:
    """The numbers of counters that a length rests on, where they aren't the rulebook's."""
    asked = {name.removeprefix("source.") for records in formulas for name in field.program.ready(records).uses.walker}
    used = [(one.unit, name) for one in units for name in sorted(asked & field.game.factors.keys())]
    return Ours(ours(field.game, used, more=route_sources(field.game)) if used else {})


# --- headquarters -----------------------------------------------------------------------------------------------------


def radius(field: Field, standing: Standing) -> dict[str, Root]:
    """What a unit commands, by the kind of command; nothing where it is no headquarters."""
    lines = field.supply(standing.side)
    roots = {name: lines.roots(name, standing) for name in field.program.rules.command}
    return {name: root for name, found in roots.items() for root in found if root.source is standing}


def _command(game: Game, told: Mapping[str, Any]) -> Answer:
    field, units = _asked(game, told)
    heads = {standing: found for standing in units if (found := radius(field, standing))}
    if "unit" in told and not heads:
        rules = ", ".join(one.rule for one in field.program.rules.command.values())
        raise BadQuestion(f"{units[0].unit.name} is no headquarters ({rules})")
    rows: list[dict[str, Cell]] = [
        {
            **_row(field, head),
            "by": name,
            "length": _length(field, name, head),
            "shown": _near_first(field, root.places),
            "reach": _distances(field, root.places),
        }
        for head, found in heads.items()
        for name, root in found.items()
    ]
    columns = [
        Column("unit", "headquarters"),
        Column("place", "in"),
        Column("length", "how far"),
        Column("shown", "commands, nearest first", told=False),
        Column("by"),
        Column("reach"),
    ]
    nodes: list[Node] = [
        Table("headquarters", columns, rows),
        command_table(field, [] if "unit" in told else units, "units"),
    ]
    nodes += [] if heads else [Line("no headquarters is on the map: tell unit=UNIT from=PLACE")]
    return Answer(
        "command",
        game.id,
        [*nodes, _factors(field, [one.length for one in field.program.rules.command.values()], heads)],
    )


def _length(field: Field, command: str, head: Standing) -> Fraction | None:
    limit = field.supply(head.side).limit(field.program.rules.command[command], head, head, head.at)
    return None if limit is None else Fraction(limit) / SCALE


def command_table(field: Field, units: Iterable[Standing], key: str, titles: bool = True) -> Table:
    """Units with the headquarters that command them, or why they need none."""
    rows: list[dict[str, Cell]] = []
    for standing in units:
        lines = field.supply(standing.side)
        roots = [root for name in field.program.rules.command for root in lines.commanders(name, standing)]
        by = [root.source.unit.name for root in roots if root.source is not None]
        free = lines.free(standing, "commanded")
        why = f"{free.text} ({free.rule})" if free is not None else ""
        rows.append(
            {**_row(field, standing), "by": [*by], "why": why or None, "how": ", ".join(by) or why or "NOT in command"}
        )
    heads = ("unit", "in", "in command of") if titles else ("", "", "")
    columns = [
        Column(name, head, told=name != "how") for name, head in zip(("unit", "place", "how"), heads, strict=True)
    ]
    return Table(key, columns, rows)


# --- zones ------------------------------------------------------------------------------------------------------------


def _zone_question(name: str, zone: Zone, inputs: tuple[Input, ...]) -> Question:
    title = zone.title or name

    def answer(game: Game, told: Mapping[str, Any]) -> Answer:
        field, units = _asked(game, told)
        have = [standing for standing in units if field.zones.has(name, standing)]
        if "unit" in told and not have:
            raise BadQuestion(f"{units[0].unit.name} has no {title} ({zone.rule})")
        at = asked_place(field.kinds, told["at"], "at") if told.get("at") else None
        nodes: list[Node] = [Value("place", field.place(at), "Place")] if at is not None else []
        table = _covering(field, name, have, at)
        nodes.append(table)
        if not table.rows:
            nobody = f"nobody on the map has a {title}: tell unit=UNIT from=PLACE"
            nodes.append(Line(("none reaches ", field.place(at)) if at is not None else nobody))
        return Answer(name, game.id, [*nodes, _factors(field, [zone.length], have)])

    about = f"{title}: who has one, and what lies in it"
    return Question(name=name, about=about, answer=answer, inputs=(*inputs, AT), bare=("unit", "from"))


def _covering(
    field: Field, zone: str, units: Iterable[Standing], at: int | None = None, *, idle: bool = False
) -> Table:
    """Units with the places that their zone covers, or those that cover one; with `idle` those that cover none too."""
    rows: list[dict[str, Cell]] = []
    for standing in units:
        covers = {n: far for n, far in field.zones.reach(zone, standing).items() if at in (None, n)}
        if covers or idle:
            rows.append(
                {
                    **_row(field, standing),
                    "zone": zone,
                    "shown": _near_first(field, covers),
                    "covers": _distances(field, covers),
                }
            )
    heads = ("", "", "") if idle else ("unit", "in", "covers, nearest first")
    columns = [
        Column(key, head, told=key != "shown") for key, head in zip(("unit", "place", "shown"), heads, strict=True)
    ]
    return Table("covering", [*columns, Column("zone"), Column("covers")], rows)


# --- beside supply ----------------------------------------------------------------------------------------------------


def beside_supply(field: Field, side: str) -> list[Node]:
    """What else is told of a side: set-up groups without a line, spans, who isn't in command, what lies in zones with a length."""
    rules, mine = field.program.rules, field.of(side)
    nodes: list[Node] = [*_waiting(field, side), *_spans(field, side)]
    if rules.command:
        out = [standing for standing in mine if not field.supply(side).found(standing, "commanded")]
        rule = next(iter(rules.command.values())).rule
        nodes.append(command_table(field, mine, "command", titles=False))
        named = [part for one in out for part in (", ", Counter(one.key, one.name), " in ", field.place(one.at))]
        nodes += [Line(("not in command: ", *named[1:]), rule)] if out else []
    far = [name for name, zone in rules.zones.items() if zone.length]
    tables = [_covering(field, name, [one for one in mine if field.zones.has(name, one)], idle=True) for name in far]
    if far:
        covered = {n: 0 for name in far for one in mine for n in field.zones.reach(name, one)}
        titles = ", ".join(rules.zones[name].title or name for name in far)
        nodes.append(replace(tables[0], rows=[row for table in tables for row in table.rows]))
        nodes.append(
            Value("covered", _near_first(field, covered), titles, rules.zones[far[0]].rule, shown=bool(covered))
        )
    return nodes


def _waiting(field: Field, side: str) -> list[Node]:
    """The groups that may still choose their place: where they may set up, and which of these places have no line."""
    forces, kinds = field.scenario.forces if field.scenario else {}, field.kinds
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
            (n for place in field.places_of(group.at) if (n := kinds.number.get(place)) is not None), key=kinds.name
        )
        if not 0 < len(places) <= MOST:
            continue
        standing = field.as_if(first._replace(at=kinds.places[places[0]]))
        out: list[Cell] = [field.place(n) for n in places if not supplied_at(field, standing, n)]
        rows.append(
            {
                "group": group.name or group.id,
                "places": [field.place(n) for n in places],
                "many": len(places),
                "out": out,
            }
        )
    titles = (
        ("to be set up", "places to choose from", "out of supply") if any(row["out"] for row in rows) else ("", "", "")
    )
    columns = [Column("group", titles[0]), Column("many", titles[1], told=False), Column("out", titles[2])]
    return [Table("waiting", columns, rows)] if rows or trays else []


def _spans(field: Field, side: str) -> list[Node]:
    spans = field.program.rules.spans
    laid = sorted(
        (name, field.place(n), field.place(m), stands)
        for name in spans
        for whose, n, m, stands in field.zones.laid(name)
        if whose == side
    )
    rows: list[dict[str, Cell]] = [{"span": name, "place": a, "to": b, "stands": stands} for name, a, b, stands in laid]
    why = {name: f": {shape.note}" if shape.note else "" for name, shape in spans.items()}
    gone = [
        Warning((f"the {name} from ", a, " to ", b, f" can't be used{why[name]}"), spans[name].rule)
        for name, a, b, stands in laid
        if not stands
    ]
    return [Table("spans", [Column(key) for key in ("span", "place", "to", "stands")], rows), *gone] if spans else []

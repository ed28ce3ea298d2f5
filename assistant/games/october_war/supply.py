"""Supply: lines of communication, who is in command, what lies under missiles (11.2, 14.0, 20.3)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.answers import Answer, BadQuestion, Cell, Column, Line, Node, Ours, Several, Table, Value, Warning
from assistant.games.october_war.field import radius
from assistant.games.october_war.questions import FROM, POINT, SIDE, asked_point, counter, near_first, started
from assistant.questions import ON_A_MAP, Input, Question, Told
from assistant.rules.field import Field, Standing
from assistant.rules.placed import asked_field
from assistant.rules.questions import TAKEN, supply_sides
from assistant.rules.supply import supplied_at
from assistant.sourced import map_sources, ours
from scenarios.game import Game
from scenarios.position import Piece

HEADQUARTERS, UMBRELLA_ZONE = "headquarters", "umbrella"
INPUTS = (FROM, SIDE, *ON_A_MAP)


# --- lines of communication -------------------------------------------------------------------------------------------


def _supply(game: Game, told: Told) -> Answer:
    field = asked_field(game, told)
    sides = [side for side in game.sides if told.get("side", side) == side]
    used = [(s.unit, key) for s in field.standings if s.side in sides for key in ("leader", "umbrella") if s.unit.factors.get(key)]
    return Answer("supply", game.id, [
        Value("scenario", field.position.scenario, shown=False),
        Several("sides", [section for side in sides for section in supply_sides(field, {**told, "side": side}, _more).sections]),
        Ours(ours(game, used, more=map_sources(game))),
    ])  # fmt: skip


def _more(field: Field, side: str) -> list[Node]:
    missiles = [s for s in field.of(side) if s.fields["air_defense"]]
    covered = dict.fromkeys((n for s in missiles for n in field.zones.reach(UMBRELLA_ZONE, s)), 0)
    return [
        _waiting(field, side), *_bridges(field, side), *_commands(field, side),
        _quiet(umbrella_table(field, missiles, idle=True)),
        Value("covered", near_first(field, covered), "Under missiles", "20.3", shown=bool(covered)),
    ]  # fmt: skip


def _quiet(table: Table, key: str = "") -> Table:
    """A table for programs alone."""
    return Table(key or table.key, [column._replace(title="") for column in table.columns], table.rows)


def _on_land(field: Field, side: str) -> Standing:
    """Any unit of a side that no line over water serves."""
    units = (unit for unit in field.game.units.values() if unit.side == side and unit.class_ != "strike")
    unit = next(unit for unit in units if not field.fields_of(unit)["line_over_water"])
    return field.as_if(Piece(unit.id, "", unit.nation, field.kinds.places[0]))


def _waiting(field: Field, side: str) -> Table:
    """The groups that may still choose their point: where they may set up, and which of these points have no line."""
    rows: list[dict[str, Cell]] = []
    trays = {str(piece.at) for piece in field.position.pieces if str(piece.at).startswith("setup:")}
    forces, kinds = field.scenario.forces if field.scenario else {}, field.kinds
    for number, group in enumerate(forces[side].groups if side in forces else (), 1):
        if group.at is None or f"setup:{side}/{group.id or number}" not in trays:
            continue
        places = sorted((kinds.number[place] for place in field.places_of(group.at)), key=kinds.name)
        out: list[Cell] = [field.place(n) for n in places if not supplied_at(field, _on_land(field, side), n)]
        rows.append({"group": group.name or group.id, "places": [field.place(n) for n in places], "many": len(places), "out": out})
    columns = [Column("group", "to be set up"), Column("many", "points to choose from", told=False), Column("out", "without a line")]
    return Table("waiting", columns, rows)


def _bridges(field: Field, side: str) -> list[Node]:
    laid = [(field.place(n), field.place(m), stands) for whose, n, m, stands in field.zones.laid("bridge") if whose == side]
    rows: list[dict[str, Cell]] = [{"place": a, "to": b, "stands": stands} for a, b, stands in sorted(laid)]
    why = " goes: no unit of its side on either bank"
    gone = [Warning(("the bridge from ", a, " to ", b, why), "21.4") for a, b, stands in sorted(laid) if not stands]
    return [Table("bridges", [Column("place"), Column("to"), Column("stands")], rows), *gone]


SUPPLY = Question(
    name="supply", about="lines of communication, command, missile umbrellas (11.2, 14.0, 20.3)", answer=_supply, bare=("scenario",),
    inputs=(
        SIDE, Input(name="control", about="enemy control stops a line too, not only enemy units", kind="flag", default=True),
        Input(name="unit", about="only these units", kind="units"),
        Input(name="paths", about="every unit, and every point of its line", kind="flag"), TAKEN, *ON_A_MAP,
    ),
)  # fmt: skip


# --- headquarters -----------------------------------------------------------------------------------------------------


def _command(game: Game, told: Told) -> Answer:
    field, heads = _asked(game, told, "leader", "headquarters (14.1)")
    rows: list[dict[str, Cell]] = []
    for head in heads:
        places = radius(field, head)
        near: list[Cell] = [{"place": field.place(n), "distance": far} for n, far in places.items()]
        rows.append({
            "unit": counter(head), "place": field.place(head.at), "leader": head.fields["leader"],
            "shown": near_first(field, places), "reach": near,
        })  # fmt: skip
    columns = [
        Column("unit", "headquarters"), Column("place", "in"), Column("leader", "leader value"),
        Column("shown", "commands, nearest first", told=False), Column("reach"),
    ]  # fmt: skip
    sides = [side for side in game.sides if told.get("side", side) == side]
    units = [] if "unit" in told else [s for side in sides for s in field.of(side)]
    nodes: list[Node] = [Table("headquarters", columns, rows), command_table(field, units)]
    if not heads:
        nodes.append(Line("no headquarters is on the map: tell unit=HQ from=POINT"))
    used = ours(game, ((head.unit, "leader") for head in heads), more=map_sources(game)) if heads else {}
    return Answer("command", game.id, [*nodes, Ours(used)])


def command_table(field: Field, units: Iterable[Standing]) -> Table:
    """Units with the headquarters that command them, or why they need none."""
    rows: list[dict[str, Cell]] = []
    for standing in units:
        lines = field.supply(standing.side)
        by = [root.source.unit.name for root in lines.commanders(HEADQUARTERS, standing) if root.source is not None]
        free = lines.free(standing, "commanded")
        why = f"{free.text} ({free.rule})" if free is not None else ""
        rows.append({
            "unit": counter(standing), "place": field.place(standing.at), "by": [*by], "why": why or None,
            "how": ", ".join(by) or why or "NOT in command",
        })  # fmt: skip
    return Table("units", [Column("unit", "unit"), Column("place", "in"), Column("how", "in command of", told=False)], rows)


def _commands(field: Field, side: str) -> list[Node]:
    mine = field.of(side)
    out = [s for s in mine if not field.supply(side).found(s, "commanded")]
    lines = [Line(("not in command: ", counter(s), " in ", field.place(s.at)), "14.1") for s in out]
    return [_quiet(command_table(field, mine), "command"), *lines]


COMMAND = Question(
    name="command", about="how far headquarters reach, and who is in command (14.0)", answer=_command, bare=("unit", "from"),
    inputs=(Input(name="unit", about="one headquarters; left out, all", kind="unit"), *INPUTS),
)  # fmt: skip


# --- missiles ---------------------------------------------------------------------------------------------------------


def _umbrella(game: Game, told: Told) -> Answer:
    field, missiles = _asked(game, told, "umbrella", "SAM unit (20.2)")
    wanted = asked_point(game, field, told)
    spot = field.place(field.kinds.number[wanted]) if wanted else None
    table = umbrella_table(field, missiles, wanted)
    nodes: list[Node] = [*([Value("place", spot, "Point")] if spot else []), table]
    if not table.rows:
        nodes.append(Line(("no missiles reach ", spot) if spot else "no SAM unit is on the map: tell unit=SAM from=POINT"))
    used = [(standing.unit, "umbrella") for standing in missiles]
    return Answer("umbrella", game.id, [*nodes, Ours(ours(game, used, more=map_sources(game)) if used else {})])


def umbrella_table(field: Field, missiles: Iterable[Standing], wanted: str = "", *, idle: bool = False) -> Table:
    """Missiles with the points that they cover, or those that cover one; with `idle` those that cover none too."""
    rows: list[dict[str, Cell]] = []
    for standing in missiles:
        reach = field.zones.reach(UMBRELLA_ZONE, standing)
        places = {n: far for n, far in reach.items() if wanted in ("", field.kinds.places[n])}
        if places or idle:
            covers: list[Cell] = [{"place": field.place(n), "distance": far} for n, far in places.items()]
            shown = near_first(field, places)
            rows.append({"unit": counter(standing), "place": field.place(standing.at), "shown": shown, "covers": covers})
    columns = [
        Column("unit", "missiles"), Column("place", "in"), Column("shown", "cover, nearest first", told=False), Column("covers"),
    ]  # fmt: skip
    return Table("umbrellas", columns, rows)


UMBRELLA = Question(
    name="umbrella", about="what lies under missiles (20.3, 20.4)", answer=_umbrella, bare=("unit", "from"),
    inputs=(Input(name="unit", about="one SAM unit; left out, all", kind="unit"), *INPUTS, POINT),
)  # fmt: skip


def _asked(game: Game, told: Told, factor: str, what: str) -> tuple[Field, list[Standing]]:
    """The pieces, and the units asked about: one that is told, or all of a kind, side by side."""
    if "unit" in told:
        field, standing = started(game, told)
        if not standing.fields[factor]:
            raise BadQuestion(f"{standing.unit.name} is no {what}")
        return field, [standing]
    field, side = asked_field(game, told), told.get("side", "")
    return field, [s for army in game.sides for s in field.of(army) if s.fields[factor] and side in ("", s.side)]

"""A move as a question: where a unit can go and at what cost; along a path, the enemies that may fire at it (Basic
V, Standard II.E).

The pack's rules (`movement`, `acts`) have the cost of a step and the possible acts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from assistant.engine.field import Field
from assistant.engine.map_index import in_order
from assistant.engine.movement.reach import Reach, reach, reason
from assistant.engine.movement.route_plan import MoveAct, MoveRefusal, PlannedMove, Spending
from assistant.games.arab_israeli_wars.canal import Crossing, crossings
from assistant.games.arab_israeli_wars.forces import level_of
from assistant.games.arab_israeli_wars.mover import LOADED_STATE, QUICK, MovingUnit, mover_in, read_plan, with_mover
from assistant.games.arab_israeli_wars.opportunity import Hazards, firers, hazards, opportunity, shot
from assistant.games.arab_israeli_wars.questions import (
    ON_THE_GROUND,
    asked_field,
    assume_rules,
    counter,
    hex_of,
    silent,
    unofficial_numbers,
)
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    MapPath,
    Node,
    PlaceList,
    PlaceRef,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
    Warning,
)
from assistant.questions.question import Input, Inputs, Question
from scenarios.grammar import count_text, number_text
from scenarios.model.game import Game
from scenarios.reading.findings import suggest

ROAD = "road"


# --- where it can move ------------------------------------------------------------------------------------------------


class Stop(NamedTuple):
    """A hex that a unit can reach, by its cheapest path."""

    place: int
    cost: Fraction
    path: tuple[int, ...]
    road: bool
    mines: int
    """How often mines attack during the move."""
    off_road: Fraction | None
    """The cheapest cost without the road rate, which overruns and assaults forbid."""
    safe: Fraction | None
    """The cheapest cost that no mine attacks."""
    overruns: tuple[int, ...]
    assaults: tuple[int, ...]


def stops_of(unit_reach: Reach, kind: str) -> list[Stop]:
    """Return every hex that a unit reaches, its own included (Basic V.A)."""
    if unit_reach.refusals:
        return []
    points_by_place, ways = _costs(unit_reach), {n: unit_reach.way(n) for n in unit_reach.costs}
    off_road = _costs(unit_reach.avoiding((ROAD,)))
    has_mines = any(leg.harm for way in ways.values() for leg in way)
    safe = _costs(reach(unit_reach.field, unit_reach.unit, kind, avoids_harm=True)) if has_mines else points_by_place
    acts = {act: unit_reach.acting(act) if kind == "move" else {} for act in ("overrun", "assault")}
    return [
        Stop(
            n,
            points_by_place[n],
            tuple(leg.place for leg in way[1:]),
            any(leg.mode == ROAD for leg in way),
            sum(leg.harm for leg in way),
            off_road.get(n),
            safe.get(n),
            tuple(acts["overrun"].get(n, ())),
            tuple(acts["assault"].get(n, ())),
        )
        for n, way in ways.items()
    ]


def _costs(unit_reach: Reach) -> dict[int, Fraction]:
    """Return the cost of each hex. A hex that is reached only because an allowance of 1 buys a hex costs all of it."""
    return {n: points_of(unit_reach) if n in unit_reach.minimum_moves else cost for n, cost in unit_reach.costs.items()}


def points_of(unit_reach: Reach) -> Fraction:
    """Return how many points it may spend now."""
    return Fraction(unit_reach.allowance.maximum) if unit_reach.allowance is not None else Fraction(0)


class Handling(NamedTuple):
    """A hex where a carrier can load or unload in this turn, and the points it has left then."""

    act: str
    place: int
    units: tuple[str, ...]
    points_left: Fraction


def handlings(mover: MovingUnit, unit_reach: Reach, stops: Iterable[Stop]) -> Iterator[Handling]:
    """Yield the hexes that a carrier reaches in this turn with points left to unload its passengers or to load a
    unit (Basic V.B.7)."""
    steps, field = mover.steps, mover.field
    for stop in stops:
        n, points_left, first = stop.place, points_of(unit_reach) - stop.cost, stop.place == mover.placed_unit.place
        if n in unit_reach.stops:
            continue
        if mover.passengers:
            put = [
                field.as_if(
                    passenger.piece._replace(at=field.map_index.places[n], states=passenger.piece.states - LOADED_STATE)
                )
                for passenger in mover.passengers
            ]
            price = steps.putting("unload", n, n, put, first=first)
            if not isinstance(price, MoveRefusal) and price.points <= points_left:
                yield Handling("unload", n, tuple(unit.counter.id for unit in put), points_left - price.points)
        for unit in {
            unit.counter.id: unit for unit in field.stack(n, mover.placed_unit.side) if unit.fields["stacking_points"]
        }.values():
            price = steps.taking("load", n, n, [unit], mover.passengers, first=first)
            if not isinstance(price, MoveRefusal) and price.points <= points_left:
                yield Handling("load", n, (unit.counter.id,), points_left - price.points)


# --- the question -----------------------------------------------------------------------------------------------------


def move_answer(game: Game, inputs: Inputs) -> Answer:
    """Answer the reach of a unit; or, `to` a hex or along a `path`, the cost and the dangers."""
    field, position = asked_field(game, inputs)
    field = _enter_boards(field, inputs.get("entered", ()))
    assume_rules(field, inputs)
    unit_ref = inputs["unit"]
    if unit_ref.id not in game.units:
        raise BadQuestion(f"{counter(game, unit_ref.id)} is a marker; name a unit (Basic V.A)")
    text = inputs.get("from") or unit_ref.place
    start = hex_of(field, text) if text else None
    quick, copy = bool(inputs.get(QUICK)), str(inputs.get("copy") or unit_ref.copy)
    if position is None:
        field = with_mover(field, inputs, start, copy)
    mover = mover_in(field, unit_ref.id, start, copy, quick)
    if "to" in inputs and "path" in inputs:
        raise BadQuestion("name the destination with --to or the whole path with --path, not both")
    plan = read_plan(field, inputs.get("path", ()))
    if plan and plan[0] == MoveAct(QUICK):
        mover, plan = mover.quickly(), plan[1:]
    if plan and plan[0] == mover.placed_unit.place:
        plan = plan[1:]
    boats = {field.map_index.number[hex_of(field, name)]: int(count) for name, count in inputs.get("boats", {}).items()}
    unit_reach = reach(mover.field, mover.placed_unit, mover.kind)
    canal_crossings = crossings(mover, boats)
    if "to" in inputs:
        destination = field.map_index.number[hex_of(field, inputs["to"])]
        ways_over = [crossing for crossing in canal_crossings if destination in crossing.far_banks]
        if destination not in unit_reach.costs and ways_over:
            return Answer("move", game.id, list(_nodes(mover, unit_reach, None, ways_over, destination)))
        plan = _way_to(mover, unit_reach, destination)
    way = mover.walk(plan) if plan or "to" in inputs else None
    return Answer("move", game.id, list(_nodes(mover, unit_reach, way, canal_crossings)))


def _enter_boards(field: Field, boards: Iterable[str]) -> Field:
    """Return the field, with boards that the enemy entered earlier (A-4, special rule 2)."""
    names = {f"entered_{board.lower()}": board for board in boards}
    for name, board in names.items():
        if name not in field.program.rules.inputs:
            board_ids = [
                key.removeprefix("entered_").upper() for key in field.program.rules.inputs if key.startswith("entered_")
            ]
            raise BadQuestion(f"entered: there is no board {board!r}; {suggest(board, board_ids)}")
    return field.telling(**dict.fromkeys(names, True)) if names else field


def _way_to(mover: MovingUnit, unit_reach: Reach, destination: int) -> list[int | MoveAct]:
    if unit_reach.refusals:
        raise BadQuestion(
            f"{mover.unit.name} stays: {MoveRefusal(unit_reach.refusals[0].text, unit_reach.refusals[0].rule)}"
        )
    if destination not in unit_reach.costs:
        raise BadQuestion(_out_of_reach(mover, unit_reach, destination))
    return list(unit_reach.path(destination)[1:])


def _out_of_reach(mover: MovingUnit, unit_reach: Reach, destination: int) -> str:
    blocker = unit_reach.why_not(destination)
    rule = (
        f": {reason(unit_reach, blocker)}" if blocker is not None and blocker.record is not None else " (Basic V.A.6)"
    )
    return f"{mover.field.map_index.name(destination)} is out of reach with {count_text(points_of(unit_reach), 'point')}{rule}"


# --- the answer -------------------------------------------------------------------------------------------------------


def _nodes(
    mover: MovingUnit,
    unit_reach: Reach,
    way: PlannedMove | None,
    canal_crossings: Sequence[Crossing],
    far_bank: int | None = None,
) -> Iterator[Node]:
    """Yield the path if the question has one, else everything in reach; for a place `beyond` the canal only the ways
    over it."""
    field = mover.field
    refusals = [{"text": record.text, "rule": record.rule} for record in unit_reach.refusals[:1]]
    yield from _head(mover, unit_reach)
    yield from silent(refused=refusals)
    yield from (Warning(f"stays: {refusal['text']}", refusal["rule"]) for refusal in refusals)
    dangers = hazards(mover, way) if way is not None else None
    yield from _way(mover, way)
    yield from _dangers(field, dangers)
    stops = stops_of(unit_reach, mover.kind)
    if far_bank is not None and not refusals:
        yield Sentence(_out_of_reach(mover, unit_reach, far_bank))
    is_listed = way is None and far_bank is None
    yield from _reach_nodes(mover, unit_reach, stops, is_listed=is_listed and not refusals)
    yield from _handling_nodes(field, list(handlings(mover, unit_reach, stops)) if is_listed else [])
    yield from _crossings(field, canal_crossings)
    tables = ("terrain", "combat") if dangers is not None and dangers.blasts else ("terrain",)
    yield Unofficial(unofficial_numbers(field.game, field, tables, {("movement",): (mover.unit.id,)}))


def _head(mover: MovingUnit, unit_reach: Reach) -> Iterator[Node]:
    field, piece = mover.field, mover.placed_unit.piece
    start, unit = field.place(mover.placed_unit.place), counter(field.game, mover.unit.id, piece.copy)
    states = sorted(piece.states)
    details = [*states, *(f"with {passenger.counter.name}" for passenger in mover.passengers)]
    details += ["with a bridge"] * bool(field.inputs["towing"]) + ["quick march"] * mover.quick
    text = "".join(f", {detail}" for detail in details)
    yield Sentence((unit, " in ", start, f"{text}: allowance {number_text(mover.allowance)}"))
    passengers: list[Cell] = [
        counter(field.game, passenger.counter.id, passenger.piece.copy) for passenger in mover.passengers
    ]
    yield from silent(
        **{"unit": unit, "from": start},
        side=mover.placed_unit.side,
        states=states,
        passengers=passengers,
        quick_march=mover.quick,
        rules=level_of(field),
        allowance=mover.allowance,
        points=points_of(unit_reach),
    )


def _reach_nodes(mover: MovingUnit, unit_reach: Reach, all_stops: Sequence[Stop], is_listed: bool) -> Iterator[Node]:
    field, name = mover.field, mover.field.map_index.name
    stops = [stop for stop in all_stops if stop.place != mover.placed_unit.place]
    stops.sort(key=lambda stop: (stop.cost, in_order(name(stop.place))))
    rows_by_place: dict[PlaceRef, dict[str, Cell]] = {
        field.place(stop.place): {
            "cost": stop.cost,
            "path": field.places_at(stop.path),
            "road": stop.road,
            "harm": stop.mines,
            "cost_off_road": stop.off_road,
            "cost_unharmed": stop.safe,
            "overruns": field.places_at(stop.overruns),
            "assaults": field.places_at(stop.assaults),
        }
        for stop in stops
    }
    if not is_listed:
        yield from silent(reach=[{"place": place, **values} for place, values in rows_by_place.items()])
        return
    rows: list[dict[str, Cell]] = []
    for cost, same_cost in groupby(stops, lambda stop: stop.cost):
        hexes = (
            f"{name(stop.place)}{'*' * bool(stop.mines)}{'!' * bool(stop.overruns or stop.assaults)}"
            for stop in same_cost
        )
        rows.append({"cost": number_text(cost), "to": " ".join(hexes)})
    columns = [TableColumn("cost", "points"), TableColumn("to", "hexes")]
    yield RowTable("shown", columns, rows, heads=False, for_programs=False)
    if any(stop.mines for stop in stops):
        yield Sentence("* a minefield attacks the unit on the way", "Standard V.E.2")
    if any(stop.overruns or stop.assaults for stop in stops):
        yield Sentence("! an overrun (Standard II.D) or a close assault (II.C) is possible from there")
    title = f"hexes in reach with {count_text(points_of(unit_reach), 'point')}"
    yield PlaceList("reach", rows_by_place, title, list_names=False)


def _way(mover: MovingUnit, way: PlannedMove | None) -> Iterator[Node]:
    """Yield the path, step by step, with the enemies that may fire and when."""
    if way is None:
        yield from silent(shots=[])
        return
    field = mover.field
    shots = [shot(field, trigger) for trigger in opportunity(mover, way, firers(mover))]
    path = (mover.placed_unit.place, *(spending.end for spending in way.spendings))
    yield MapPath("path", field.places_at(path), cost=way.total_cost, complete=True)
    columns = [
        TableColumn("to", "to"),
        TableColumn("points", "points", for_programs=False),
        TableColumn("sum", "total", for_programs=False),
        TableColumn("text", "for", for_programs=False),
    ]
    yield RowTable("steps", columns, [_step(field, spending) for spending in way.spendings])
    yield Sentence(f"{number_text(way.total_cost)} of {count_text(way.points or Fraction(0), 'point')} spent")
    in_the_air = mover.air and not mover.low
    rule = "Advanced I.D.2" if in_the_air else "Standard II.E"
    titles = {"unit": "may fire", "from": "from", "place": "at it in", "distance": "off"}
    titles["in_sight"] = "points spent" if in_the_air else "points in its line of sight"
    may = [row for row in shots if row["may"]]
    fire_columns = [TableColumn(key, title) for key, title in titles.items()]
    yield RowTable("fired_at", fire_columns, may, f"opportunity fire ({rule})" * bool(may), for_programs=False)
    yield from silent(shots=shots)


def _step(field: Field, spending: Spending) -> dict[str, Cell]:
    parts = ", ".join(f"{part.text} {number_text(part.points)} ({part.rule})" for part in spending.parts)
    return {
        "to": field.place(spending.end),
        "points": number_text(spending.points),
        "sum": f"={number_text(spending.total)}",
        "text": f"{parts}{f' [{spending.note}]' if spending.note else ''}",
        "action": spending.act.removesuffix("_bridge") or "move",
        "cost": spending.points,
        "so_far": spending.total,
        "road": spending.mode == ROAD,
        "parts": [{"text": part.text, "cost": part.points, "rule": part.rule} for part in spending.parts],
        "note": spending.note,
    }


def _dangers(field: Field, move_hazards: Hazards | None) -> Iterator[Node]:
    """Yield what attacks the unit for moving, and how the move may end."""
    blasts, endings = (move_hazards.blasts, move_hazards.endings) if move_hazards is not None else ((), {})
    markers = field.game.markers
    dangers: list[dict[str, Cell]] = [
        {
            "danger": blast.kind,
            "name": markers[blast.kind].name if blast.kind in markers else blast.kind,
            "place": field.place(blast.place),
            "chances": {code: Chance(chance) for code, chance in blast.chances.items()},
            "rule": blast.rule,
        }
        for blast in blasts
    ]
    titles = {"name": "danger", "place": "in", "chances": "results", "rule": "rule"}
    yield RowTable("dangers", [TableColumn(key, title) for key, title in titles.items()], dangers)
    ends: list[dict[str, Cell]] = [
        {"outcome": ending.fate, "place": field.place(ending.place), "exact": str(chance), "chance": Chance(chance)}
        for ending, chance in endings.items()
    ]
    end_titles = {"outcome": "it ends", "place": "in", "exact": "exactly", "chance": "chance"}
    columns = [TableColumn(key, title * bool(blasts), key != "exact") for key, title in end_titles.items()]
    yield RowTable("outcomes", columns, ends)


def _handling_nodes(field: Field, all_handlings: Sequence[Handling]) -> Iterator[Node]:
    name, game = field.map_index.name, field.game
    unloads = sorted((name(handling.place) for handling in all_handlings if handling.act == "unload"), key=in_order)
    if unloads:
        yield Sentence(f"can unload in {' '.join(unloads)}", "Basic V.B.7")
    for handling in all_handlings:
        if handling.act == "load":
            names = ", ".join(game.units[unit].name for unit in handling.units)
            points_left = count_text(handling.points_left, "point")
            yield Sentence(
                (f"can load {names} in ", field.place(handling.place), f", {points_left} left"), "Basic V.B.7"
            )
    rows: list[Cell] = [
        {
            "action": handling.act,
            "place": field.place(handling.place),
            "units": [counter(game, unit) for unit in handling.units],
            "left": handling.points_left,
        }
        for handling in all_handlings
    ]
    yield from silent(loading=rows)


def _crossings(field: Field, canal_crossings: Sequence[Crossing]) -> Iterator[Node]:
    """Yield the ways over the canal that take more than a move."""
    rows: list[Cell] = []
    for crossing in canal_crossings:
        canal, far_banks = field.place(crossing.canal), field.places_at(crossing.far_banks)
        far_names = " or ".join(far_bank.name for far_bank in far_banks)
        duration_text = f"no, {crossing.no.text}" if crossing.no else count_text(crossing.turns, "turn")
        rule = crossing.no.rule if crossing.no else crossing.rule
        yield Sentence((f"canal by {crossing.means} at ", canal, f" to {far_names}: {duration_text}"), rule)
        row: dict[str, Cell] = {"way": crossing.means, "place": canal, "to": far_banks, "takes": crossing.turns}
        rows.append({**row, "why": str(crossing.no) if crossing.no else None, "rule": crossing.rule})
    yield from silent(crossings=rows)


MOVE = Question(
    name="move",
    about="where a unit can move and at what cost; along a path, which units may fire at it",
    answer=move_answer,
    positional=("unit", "to"),
    inputs=(
        Input(name="unit", about="the counter that moves", kind="unit", required=True, example="t_62@A-H-3"),
        Input(name="from", about="the hex it starts in", kind="place", example="A-H-3"),
        Input(
            name="to",
            about="the destination: the cheapest path, and which units may fire; without it, all hexes in reach",
            kind="place",
        ),
        Input(
            name="path",
            about="instead: each hex it enters, and its actions on the way",
            kind="places",
            example="A-H-4,unload@A-H-5",
        ),
        *ON_THE_GROUND,
        Input(name="copy", about="its printed number, if several such units are there"),
        Input(
            name="states",
            about="the states it is in, if no position shows it",
            kind="choice",
            vocabulary="state",
            multiple=True,
        ),
        Input(name="passengers", about="the units it carries, if no position shows them", kind="units"),
        Input(
            name="side", about="its side, if it isn't the side of its counter sheet", kind="choice", vocabulary="side"
        ),
        Input(name="quick", about="it is on a quick march", kind="flag"),
        Input(
            name="entered",
            about="A-4: boards that Israeli units have entered earlier, if none is there now",
            multiple=True,
            example="C,A",
        ),
        Input(
            name="boats",
            about="assault boats by canal hex",
            kind="pairs",
            separator="=",
            example="A-Q-7=2",
            maximum=9999,
        ),
    ),
)

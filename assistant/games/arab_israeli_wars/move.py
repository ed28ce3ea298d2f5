"""A move as a question: where a unit can go and at what price; along a path, who may fire at it (Basic V, Standard II.E)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from assistant.answers import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Column,
    Line,
    Node,
    Ours,
    Path,
    Place,
    Places,
    Refusal,
    Table,
    Value,
    Warning,
)
from assistant.games.arab_israeli_wars.canal import Crossing, crossings
from assistant.games.arab_israeli_wars.forces import enlisted, hex_at, level_of
from assistant.games.arab_israeli_wars.hazards import Hazards, hazards
from assistant.games.arab_israeli_wars.movement import Mover, Part, Reach, friends, reach, without
from assistant.games.arab_israeli_wars.opportunity import Sees, Trigger, firers, in_sight, opportunity
from assistant.games.arab_israeli_wars.questions import (
    ON_THE_GROUND,
    asked_field,
    counter,
    hex_of,
    ours_of,
    place,
    places,
)
from assistant.games.arab_israeli_wars.walk import (
    Deed,
    Spending,
    Walk,
    carry_bar,
    handling,
    load_bar,
    mover_in,
    read_plan,
    unload_bar,
    walk,
    with_carrier,
)
from assistant.questions import Input, Question, Told
from assistant.rules.field import Field, Standing
from assistant.rules.kinds import in_order
from assistant.rules.roster import roster
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.position import Piece


class Handling(NamedTuple):
    """A hex where a carrier can load or unload in this turn, and the points it has left then."""

    kind: Literal["load", "unload"]
    hex: Hex
    units: tuple[str, ...]
    left: Fraction


@dataclass(frozen=True)
class MoveAnswer:
    """All that there is to say of a move. `move` is None where no path was asked for."""

    field: Field
    mover: Mover
    reach: Reach
    move: Walk | None
    hazards: Hazards | None
    triggers: tuple[Trigger, ...]
    crossings: tuple[Crossing, ...]
    handlings: tuple[Handling, ...] = ()
    """Where it can load or unload this turn; only where no path was asked for."""


def move(
    field: Field,
    mover: Mover,
    plan: Sequence[Hex | Deed] = (),
    *,
    to: Hex | None = None,
    enemies: Sequence[Standing] | None = None,
    sees: Sees | None = None,
    fired: Sequence[int] = (),
    boats: Mapping[Hex, int] | None = None,
) -> MoveAnswer:
    """Answer a question about a move: the reach; and, with a plan or a goal, the path with its dangers.

    Enemies are those of `here` unless told. Without `sees` nobody's sight is asked and no opportunity fire is found.
    """
    found = reach(field, mover)
    made: Walk | None = None
    if to is not None and not plan:
        made = _to(field, mover, found, to)
    elif plan:
        made = walk(field, mover, plan)
    triggers: tuple[Trigger, ...] = ()
    if made is not None and sees is not None:
        against = firers(field, mover) if enemies is None else enemies
        triggers = opportunity(field, made, against, sees, fired)
    danger = None if made is None else hazards(field, mover, made.legs)
    over = crossings(field, mover, boats)
    work = handlings(field, mover, found) if made is None else ()
    return MoveAnswer(field, mover, found, made, danger, triggers, over, work)


def handlings(field: Field, mover: Mover, found: Reach) -> tuple[Handling, ...]:
    """Where a carrier gets in this turn with points left to put its passengers down or to take a unit up (Basic V.B.7)."""
    result: list[Handling] = []
    for hex, stop in found.stops.items():
        if stop.steps and stop.steps[-1].only:
            continue
        left = found.points - stop.spent
        if mover.passengers:
            cost = handling(mover, [one.unit for one in mover.passengers])[0]
            if cost <= left and unload_bar(field, mover, hex, mover.passengers, hex) is None:
                result.append(Handling("unload", hex, tuple(one.unit.id for one in mover.passengers), left - cost))
        for one in {one.unit.id: one for one in friends(field, hex, mover.side)}.values():
            cost = handling(mover, [one.unit])[0]
            if cost <= left and load_bar(field, mover, hex, [one], hex) is None:
                result.append(Handling("load", hex, (one.unit.id,), left - cost))
    return tuple(result)


def _to(field: Field, mover: Mover, found: Reach, to: Hex) -> Walk:
    if found.bar is not None:
        raise BadQuestion(f"{mover.unit.name} stays: {found.bar}")
    if to not in found.stops:
        name = field.hex_map.name(to) if to in field.hex_map else "that hex"
        raise BadQuestion(f"{name} is out of reach with {found.points} points (Basic V.A.6)")
    return walk(field, mover, found.stops[to].path)

# --- the question ----------------------------------------------------------------------------------------------------


LOADED = frozenset({"loaded"})


def move_answer(game: Game, told: Told) -> Answer:
    """The reach of a unit; or, `to` a hex or along a `path`, the price and the dangers."""
    field, position = asked_field(game, told)
    named = told["unit"]
    if named.id not in game.units:
        raise BadQuestion(f"{counter(game, named.id)} is a marker; name a unit (Basic V.A)")
    text = told.get("from") or named.place
    start = hex_of(field, text) if text else None
    quick, copy = bool(told.get("quick")), str(told.get("copy") or named.copy)
    mover = _placed(field, told, start, copy, quick) if position is None else mover_in(field, named.id, start, copy, quick)
    field = without(field, mover)
    if "to" in told and "path" in told:
        raise BadQuestion("say where it goes by --to or by its --path, not both")
    plan = read_plan(field, told.get("path", ()))
    if plan and plan[0] == Deed("quick"):
        mover, plan = replace(mover, quick=True), plan[1:]
    if plan and plan[0] == mover.hex:
        plan = plan[1:]
    boats = {hex_of(field, name): int(count) for name, count in told.get("boats", {}).items()}
    to = hex_of(field, told["to"]) if "to" in told else None
    found = move(field, mover, plan, to=to, sees=in_sight(field, mover), boats=boats or None)
    attacked = found.hazards is not None and bool(found.hazards.blasts)
    tables = ("terrain", "combat") if attacked else ("terrain",)
    return Answer("move", game.id, [*move_nodes(found), Ours(ours_of(game, field, tables, {("movement",): (found.mover.unit.id,)}))])


def _placed(field: Field, told: Told, start: Hex | None, copy: str, quick: bool) -> Mover:
    """A unit by itself on the map, with the passengers that are told."""
    named, game = told["unit"], field.game
    if start is None:
        raise BadQuestion("say from which hex it moves: --from HEX")
    who = roster(game, str(told.get("scenario", "")))
    states = frozenset((*named.states, *told.get("states", ())))

    def piece(unit: str, copy: str, states: frozenset[str]) -> Piece:
        asked = who.asked(unit)
        return enlisted(who, asked._replace(copy=copy, at=start, states=states), str(told.get("side") or who.side(asked)))

    aboard = tuple(
        field.as_if(piece(one.id, "", with_carrier(LOADED, states)))
        for one in told.get("passengers", ()) if one.id in game.units for _ in range(one.count)
    )  # fmt: skip
    if aboard and (bar := carry_bar(game, game.units[named.id], [one.unit for one in aboard], level_of(field) == "advanced")):
        raise Refusal(bar.text, bar.rule)
    return Mover(field.as_if(piece(named.id, copy, states)), aboard, False, quick)


# --- the answer -------------------------------------------------------------------------------------------------------


def move_nodes(answer: MoveAnswer) -> list[Node]:
    """The path if one was asked for, else everything in reach."""
    mover, field = answer.mover, answer.field
    states = "".join(f", {state}" for state in sorted(mover.states))
    aboard = "".join(f", with {one.unit.name}" for one in mover.passengers) + ", with a bridge" * mover.bridge
    start, unit = place(field, mover.hex), counter(field.game, mover.unit.id, mover.copy)
    silent: Mapping[str, Cell] = {
        "unit": unit, "from": start, "side": mover.side, "states": sorted(mover.states),
        "passengers": [counter(field.game, one.unit.id, one.piece.copy) for one in mover.passengers], "quick_march": mover.quick,
        "rules": level_of(answer.field), "allowance": mover.allowance, "points": answer.reach.points,
    }  # fmt: skip
    rest = f"{states}{aboard}{', quick march' * mover.quick}: allowance {points_text(mover.allowance)}"
    nodes: list[Node] = [Line((unit, " in ", start, rest)), *(Value(key, value, shown=False) for key, value in silent.items())]
    bar = answer.reach.bar
    nodes.append(Value("refused", [{"text": bar.text, "rule": bar.rule}] if bar else [], shown=False))
    if bar is not None:
        nodes.append(Warning(f"stays: {bar.text}", bar.rule))
    nodes += [*_way(answer), *_reach(answer, listed=bar is None and answer.move is None), *_handlings(answer), *_crossings(answer)]
    return [*nodes, *(Line(f"special rule: {note}") for note in answer.reach.notes)]


def _reach(answer: MoveAnswer, listed: bool) -> Iterator[Node]:
    field, found = answer.field, answer.reach
    stops = {hex: stop for hex, stop in found.stops.items() if hex != answer.mover.hex}
    order = sorted(stops, key=lambda hex: (stops[hex].spent, in_order(field.hex_map.name(hex))))
    if listed:
        rows: list[dict[str, Cell]] = []
        for cost in sorted({stop.spent for stop in stops.values()}):
            marks = {hex: "*" * bool(s.mines) + "!" * bool(s.overruns or s.assaults) for hex in order if (s := stops[hex]).spent == cost}
            rows.append({"cost": points_text(cost), "to": " ".join(f"{field.hex_map.name(hex)}{mark}" for hex, mark in marks.items())})
        yield Table("shown", [Column("cost", "points"), Column("to", "hexes")], rows, heads=False, told=False)
        if any(stop.mines for stop in stops.values()):
            yield Line("* a minefield attacks on the way", "Standard V.E.2")
        if any(stop.overruns or stop.assaults for stop in stops.values()):
            yield Line("! an overrun (Standard II.D) or a close assault (II.C) is possible from there")
    held: dict[Place, dict[str, Cell]] = {
        place(field, hex): {
            "cost": stops[hex].spent, "path": places(field, stops[hex].path), "road": any(step.road for step in stops[hex].steps),
            "harm": stops[hex].mines, "cost_off_road": stops[hex].off_road, "cost_unharmed": stops[hex].safe,
            "overruns": places(field, stops[hex].overruns), "assaults": places(field, stops[hex].assaults),
        }
        for hex in order
    }  # fmt: skip
    if listed:
        yield Places("reach", held, f"hexes in reach with {points_text(found.points)} points", listed=False)
    else:
        yield Value("reach", [{"place": at, **values} for at, values in held.items()], shown=False)


def _way(answer: MoveAnswer) -> Iterator[Node]:
    """The path, step by step, with who may fire when; then mines and interdiction on the way."""
    field, made = answer.field, answer.move
    shots = [_shot(answer, one) for one in answer.triggers]
    if made is None:
        yield Value("shots", shots, shown=False)
        yield from _dangers(answer)
        return
    yield Path("path", places(field, [made.mover.hex, *(one.end for one in made.spendings)]), cost=made.spent, whole=True)
    columns = [
        Column("to", "to"), Column("points", "points", told=False), Column("sum", "in all", told=False), Column("text", "for", told=False),
    ]  # fmt: skip
    yield Table("steps", columns, [_step(field, one) for one in made.spendings])
    yield Line(f"{points_text(made.spent)} of {points_text(made.points)} points spent")
    rule = "Advanced I.D.2" if answer.mover.air and not answer.mover.low else "Standard II.E"
    fired = [Column("unit", "may fire"), Column("from", "from"), Column("place", "at it in"), Column("distance", "off"),
             Column("in_sight", "points in its sight")]  # fmt: skip
    yield Table("fired_at", fired, [row for row in shots if row["may"]], f"opportunity fire ({rule})" * any(row["may"] for row in shots),
                told=False)  # fmt: skip
    yield Value("shots", shots, shown=False)
    yield from _dangers(answer)


def _step(field: Field, one: Spending) -> dict[str, Cell]:
    note = f" [{one.note}]" if one.note else ""
    return {
        "to": place(field, one.end), "points": points_text(one.points), "sum": f"={points_text(one.total)}",
        "text": f"{_parts(one.parts)}{note}", "deed": one.kind, "cost": one.points, "so_far": one.total, "road": one.road,
        "parts": [{"text": part.text, "cost": part.points, "rule": part.rule} for part in one.parts], "note": one.note,
    }  # fmt: skip


def _shot(answer: MoveAnswer, one: Trigger) -> dict[str, Cell]:
    field, firer = answer.field, one.firer
    return {
        "step": one.step, "place": place(field, one.hex), "unit": counter(field.game, firer.unit.id, firer.piece.copy),
        "from": place(field, hex_at(firer)), "distance": one.distance, "in_sight": one.in_sight, "newly": one.first,
        "may": not one.failures, "why": "; ".join(one.failures) or None,
    }  # fmt: skip


def _dangers(answer: MoveAnswer) -> Iterator[Node]:
    """What attacks the unit for moving, and how the move may end."""
    found, field = answer.hazards or Hazards((), {}), answer.field
    dangers: list[dict[str, Cell]] = [{
        "danger": blast.kind, "name": field.game.markers[blast.kind].name if blast.kind in field.game.markers else blast.kind,
        "place": place(field, blast.hex), "chances": {code: Chance(chance) for code, chance in blast.chances.items()},
        "rule": blast.rule,
    } for blast in found.blasts]  # fmt: skip
    yield Table("dangers", [Column("name", "danger"), Column("place", "in"), Column("chances", "results"), Column("rule", "rule")], dangers)
    ends: list[dict[str, Cell]] = [
        {"outcome": ending.fate, "place": place(field, ending.hex), "exact": str(chance), "chance": Chance(chance)}
        for ending, chance in found.endings.items()
    ]
    columns = [Column("outcome", "it ends"), Column("place", "in"), Column("exact", "exactly", told=False), Column("chance", "chance")]
    yield Table("fates", columns if found.blasts else [Column(one.key, told=one.told) for one in columns], ends)


def _handlings(answer: MoveAnswer) -> Iterator[Node]:
    field, game = answer.field, answer.field.game
    unloads = sorted((field.hex_map.name(one.hex) for one in answer.handlings if one.kind == "unload"), key=in_order)
    if unloads:
        yield Line(f"can unload in {' '.join(unloads)}", "Basic V.B.7")
    for one in answer.handlings:
        if one.kind == "load":
            names = ", ".join(game.units[unit].name for unit in one.units)
            yield Line((f"can load {names} in ", place(field, one.hex), f", {points_text(one.left)} points left"), "Basic V.B.7")
    rows: list[Cell] = [
        {"deed": one.kind, "place": place(field, one.hex), "units": [counter(game, unit) for unit in one.units], "left": one.left}
        for one in answer.handlings
    ]
    yield Value("loading", rows, shown=False)


def _crossings(answer: MoveAnswer) -> Iterator[Node]:
    """Ways over the canal that take more than a move."""
    field = answer.field
    for one in answer.crossings:
        far = " or ".join(field.hex_map.name(hex) for hex in one.far)
        told = f"no, {one.bar.text}" if one.bar else f"{one.turns} turn{'s' * (one.turns > 1)}"
        yield Line((f"canal by {one.how} at ", place(field, one.canal), f" to {far}: {told}"), one.bar.rule if one.bar else one.rule)
    rows: list[Cell] = [
        {"way": one.how, "place": place(field, one.canal), "to": places(field, one.far), "takes": one.turns,
         "why": str(one.bar) if one.bar else None, "rule": one.rule}
        for one in answer.crossings
    ]  # fmt: skip
    yield Value("crossings", rows, shown=False)


def points_text(value: Fraction) -> str:
    """Points as they are said at the table: 1½."""
    whole, rest = divmod(value, 1)
    part = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}.get(rest, str(rest) if rest else "")
    return f"{whole}{part}" if whole or not part else part


def _parts(parts: tuple[Part, ...]) -> str:
    return ", ".join(f"{part.text} {points_text(part.points)} ({part.rule})" for part in parts)


MOVE = Question(
    name="move", about="where a unit can go and at what price; along a path, who may fire at it", answer=move_answer, bare=("unit", "to"),
    inputs=(
        Input(name="unit", about="the counter that moves", kind="unit", needed=True, example="t_62@A-H-3"),
        Input(name="from", about="the hex it starts in", kind="place", example="A-H-3"),
        Input(name="to", about="one hex to go to: the cheapest way, and who may fire at it; left out, all", kind="place"),
        Input(name="path", about="instead: each hex it enters, and what it does on the way", kind="places",
              example="A-H-4,unload@A-H-5"),
        *ON_THE_GROUND,
        Input(name="copy", about="its printed number, where several are there"),
        Input(name="states", about="the states it is in, if no position shows it", kind="choice", of="state", many=True),
        Input(name="passengers", about="whom it carries, if no position shows it", kind="units"),
        Input(name="side", about="whose it is, where that isn't its sheet's", kind="choice", of="side"),
        Input(name="quick", about="it is on a quick march", kind="flag"),
        Input(name="boats", about="assault boats by canal hex", kind="pairs", between="=", example="A-Q-7=2", most=9999),
    ),
)  # fmt: skip

"""A move as a question: where a unit can go and at what price; along a path, who may fire at it (Basic V, Standard II.E).

What a step costs and what may be done on the way is in the pack's rules (`movement`, `acts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

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
from assistant.games.arab_israeli_wars.forces import BRIDGE, enlisted, hex_at, level_of, seats, with_carrier
from assistant.games.arab_israeli_wars.opportunity import Hazards, firers, hazards, opportunity, shot
from assistant.games.arab_israeli_wars.questions import (
    ON_THE_GROUND,
    asked_field,
    assume_rules,
    counter,
    hex_of,
    ours_of,
)
from assistant.questions import Input, Question, Told
from assistant.rules import planned
from assistant.rules.carrying import carry_failures
from assistant.rules.field import Field, Standing
from assistant.rules.kinds import in_order
from assistant.rules.movement import Reach, reach, reason
from assistant.rules.planned import Bar, Deed, Spending, Steps, Way, walk_planned
from assistant.rules.roster import roster
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.reading.findings import instead

QUICK, ROAD = "quick", "road"
WITH_BRIDGE = {"load:bridge": "load_bridge", "unload:bridge": "unload_bridge"}
"""What is done with a bridge instead of with units."""
LOADED = frozenset({"loaded"})

# --- who moves --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mover:
    """The unit that moves, whom it carries, and the field without it: told whether it marches quickly and tows a bridge."""

    field: Field
    standing: Standing
    passengers: tuple[Standing, ...] = ()

    @property
    def unit(self) -> Unit:
        return self.standing.unit

    @property
    def hex(self) -> Hex:
        return hex_at(self.standing)

    @property
    def quick(self) -> bool:
        """Whether it is on a quick march (Advanced II.C)."""
        return bool(self.field.told[QUICK])

    @property
    def allowance(self) -> Fraction:
        """The printed allowance, or 1 with a bridge in tow (Standard III.B, Advanced V.D.2.b)."""
        return Fraction(self.field.ask(self.field.program.values["full"], self.field.walker(self.standing)))

    @property
    def air(self) -> bool:
        return self.unit.class_ == "air"

    @property
    def low(self) -> bool:
        """A helicopter that is down (Optional I.C)."""
        return self.air and "down" in self.standing.piece.states

    @property
    def kind(self) -> str:
        """Which of the pack's kinds of move it makes."""
        return "flight" if self.air else "move"

    @cached_property
    def steps(self) -> Steps:
        return Steps(self.field, self.standing, self.kind)

    def quickly(self) -> Mover:
        """The same on a quick march."""
        return Mover(self.field.telling(quick=True), self.standing, self.passengers)

    def walked(self, plan: Sequence[int | Deed]) -> Way:
        """A planned move; Refusal where it isn't allowed."""
        return walk_planned(self.field, self.standing, plan, self.passengers, self.kind)


def mover_in(field: Field, unit: str, at: Hex | None = None, copy: str = "", quick: bool = False) -> Mover:
    """The unit of a position that is to move, with the passengers and the bridge it carries: those listed after it in its hex."""
    game, pieces = field.game, field.position.pieces
    if unit not in game.units:
        raise BadQuestion(f"no counter of {game.id} is called {unit!r}; {instead(unit, game.units)}")
    fitting = [
        piece
        for piece in pieces
        if piece.unit == unit and copy in ("", piece.copy) and isinstance(piece.at, Hex) and at in (None, piece.at)
    ]
    if not fitting:
        known = {piece.unit for piece in pieces if piece.unit in game.units and at in (None, piece.at)}
        near = f"; {instead(unit, known)}" if known else ""
        where = field.kinds.name(field.kinds.number[at]) if at is not None else "HEX"
        who = f"{unit}{'#' * bool(copy)}{copy}"
        raise BadQuestion(
            f"no {who} is there in this position (to ask all the same, put={unit}@{where}){near} (Basic V.A)"
        )
    piece = fitting[0]
    if len({one.at for one in fitting}) > 1:
        raise BadQuestion(f"there are {len(fitting)} pieces of {unit} on the map; say from which hex")
    there = [one for one in pieces if one.at == piece.at]
    found = seats(game, there, level_of(field) == "advanced")
    for number, one in enumerate(there):
        if "loaded" in one.states and number not in found and one.unit in game.units:
            raise BadQuestion(
                f"{game.units[one.unit].name} is loaded, and no carrier listed before it there has room for it "
                "(Basic V.B.1, V.B.5; pairs of missile units Advanced II.E)"
            )
    aboard = [there[number] for number, carrier in found.items() if there[carrier] is piece]
    riders = [
        field.as_if(one._replace(states=with_carrier(one.states, piece.states)))
        for one in aboard
        if one.unit in game.units
    ]
    gone = [one for one in field.standings if one.piece is piece]
    towing = any(one.unit == BRIDGE for one in aboard)
    return Mover(field.changed(gone).telling(quick=quick, towing=towing), field.as_if(piece), tuple(riders))


def _placed(field: Field, told: Told, start: Hex | None, copy: str, quick: bool) -> Mover:
    """A unit by itself on the map, with the passengers that are told."""
    named, game = told["unit"], field.game
    if start is None:
        raise BadQuestion("say from which hex it moves: --from HEX")
    who, at = roster(game, str(told.get("scenario", ""))), start
    states = frozenset((*named.states, *told.get("states", ())))

    def standing(unit: str, copy: str, states: frozenset[str]) -> Standing:
        asked = who.asked(unit)._replace(copy=copy, at=at, states=states)
        return field.as_if(enlisted(who, asked, str(told.get("side") or who.side(who.asked(unit)))))

    aboard = tuple(
        standing(one.id, "", with_carrier(LOADED, states))
        for one in told.get("passengers", ())
        if one.id in game.units
        for _ in range(one.count)
    )
    mine = standing(named.id, copy, states)
    if aboard and (broken := carry_failures(field, field.walker(mine), [one.fields for one in aboard])):
        raise Refusal(f"{mine.unit.name}: {broken[0].text}", broken[0].rule)
    return Mover(field.telling(quick=quick), mine, aboard)


def read_plan(field: Field, words: Iterable[str]) -> list[int | Deed]:
    """A plan in words: hexes, and deeds such as quick, load:sagger+sagger, load:bridge, unload@A-H-5, overrun@D-R-7, clear_mine."""
    words = [WITH_BRIDGE.get(word, word) for word in words]
    plan = planned.read_plan(field, words, lambda text: field.kinds.number[hex_of(field, text)], (QUICK,))
    if any(isinstance(one, Deed) and one.act == QUICK for one in plan[1:]):
        raise BadQuestion(
            "a quick march is announced before the unit moves: the first word of the path (Advanced II.C.2)"
        )
    return plan


# --- where it can go --------------------------------------------------------------------------------------------------


class Stop(NamedTuple):
    """A hex that a unit can reach, by its cheapest path."""

    place: int
    spent: Fraction
    path: tuple[int, ...]
    road: bool
    mines: int
    """How often mines attack on the way."""
    off_road: Fraction | None
    """The cheapest cost without the road rate, which overruns and assaults forbid."""
    safe: Fraction | None
    """The cheapest cost that no mine attacks."""
    overruns: tuple[int, ...]
    assaults: tuple[int, ...]


def stops_of(found: Reach, kind: str) -> list[Stop]:
    """Every hex that a unit gets to, its own too (Basic V.A)."""
    if found.refused:
        return []
    spent, ways = _spent(found), {n: found.way(n) for n in found.costs}
    off_road = _spent(found.avoiding((ROAD,)))
    mined = any(leg.harm for way in ways.values() for leg in way)
    safe = _spent(reach(found.field, found.standing, kind, unharmed=True)) if mined else spent
    acts = {act: found.acting(act) if kind == "move" else {} for act in ("overrun", "assault")}
    return [
        Stop(
            n,
            spent[n],
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


def _spent(found: Reach) -> dict[int, Fraction]:
    """What each hex costs; one that is reached only because an allowance of 1 buys a hex costs all of it."""
    return {n: points_of(found) if n in found.least else cost for n, cost in found.costs.items()}


def points_of(found: Reach) -> Fraction:
    """How many points it may spend now."""
    return Fraction(found.allowance.most) if found.allowance is not None else Fraction(0)


class Handling(NamedTuple):
    """A hex where a carrier can load or unload in this turn, and the points it has left then."""

    act: str
    place: int
    units: tuple[str, ...]
    left: Fraction


def handlings(mover: Mover, found: Reach, stops: Iterable[Stop]) -> Iterator[Handling]:
    """Where a carrier gets in this turn with points left to put its passengers down or to take a unit up (Basic V.B.7)."""
    steps, field = mover.steps, mover.field
    for stop in stops:
        n, left, first = stop.place, points_of(found) - stop.spent, stop.place == mover.standing.at
        if n in found.stops:
            continue
        if mover.passengers:
            put = [
                field.as_if(one.piece._replace(at=field.kinds.places[n], states=one.piece.states - LOADED))
                for one in mover.passengers
            ]
            paid = steps.putting("unload", n, n, put, first=first)
            if not isinstance(paid, Bar) and paid.points <= left:
                yield Handling("unload", n, tuple(one.unit.id for one in put), left - paid.points)
        for one in {
            one.unit.id: one for one in field.stack(n, mover.standing.side) if one.fields["stacking_points"]
        }.values():
            paid = steps.taking("load", n, n, [one], mover.passengers, first=first)
            if not isinstance(paid, Bar) and paid.points <= left:
                yield Handling("load", n, (one.unit.id,), left - paid.points)


# --- the question -----------------------------------------------------------------------------------------------------


def move_answer(game: Game, told: Told) -> Answer:
    """The reach of a unit; or, `to` a hex or along a `path`, the price and the dangers."""
    field, position = asked_field(game, told)
    field = _entered(field, told.get("entered", ()))
    assume_rules(field, told)
    named = told["unit"]
    if named.id not in game.units:
        raise BadQuestion(f"{counter(game, named.id)} is a marker; name a unit (Basic V.A)")
    text = told.get("from") or named.place
    start = hex_of(field, text) if text else None
    quick, copy = bool(told.get(QUICK)), str(told.get("copy") or named.copy)
    mover = (
        _placed(field, told, start, copy, quick) if position is None else mover_in(field, named.id, start, copy, quick)
    )
    if "to" in told and "path" in told:
        raise BadQuestion("say where it goes by --to or by its --path, not both")
    plan = read_plan(field, told.get("path", ()))
    if plan and plan[0] == Deed(QUICK):
        mover, plan = mover.quickly(), plan[1:]
    if plan and plan[0] == mover.standing.at:
        plan = plan[1:]
    boats = {field.kinds.number[hex_of(field, name)]: int(count) for name, count in told.get("boats", {}).items()}
    found = reach(mover.field, mover.standing, mover.kind)
    over = crossings(mover, boats)
    if "to" in told:
        to = field.kinds.number[hex_of(field, told["to"])]
        ways_over = [one for one in over if to in one.far]
        if to not in found.costs and ways_over:
            return Answer("move", game.id, list(_nodes(mover, found, None, ways_over, to)))
        plan = _way_to(mover, found, to)
    way = mover.walked(plan) if plan or "to" in told else None
    return Answer("move", game.id, list(_nodes(mover, found, way, over)))


def _entered(field: Field, boards: Iterable[str]) -> Field:
    """The field, with boards that the enemy has come onto before (A-4, special rule 2)."""
    names = {f"entered_{board.lower()}": board for board in boards}
    for name, board in names.items():
        if name not in field.program.rules.inputs:
            known = [
                key.removeprefix("entered_").upper() for key in field.program.rules.inputs if key.startswith("entered_")
            ]
            raise BadQuestion(f"entered: nothing waits on a board {board!r}; {instead(board, known)}")
    return field.telling(**dict.fromkeys(names, True)) if names else field


def _way_to(mover: Mover, found: Reach, to: int) -> list[int | Deed]:
    if found.refused:
        raise BadQuestion(f"{mover.unit.name} stays: {Bar(found.refused[0].text, found.refused[0].rule)}")
    if to not in found.costs:
        raise BadQuestion(_out_of_reach(mover, found, to))
    return list(found.path(to)[1:])


def _out_of_reach(mover: Mover, found: Reach, to: int) -> str:
    why = found.why_not(to)
    rule = f": {reason(found, why)}" if why is not None and why.record is not None else " (Basic V.A.6)"
    return f"{mover.field.kinds.name(to)} is out of reach with {points_of(found)} points{rule}"


# --- the answer -------------------------------------------------------------------------------------------------------


def _nodes(
    mover: Mover, found: Reach, way: Way | None, over: Sequence[Crossing], beyond: int | None = None
) -> Iterator[Node]:
    """The path if one was asked for, else everything in reach; of a place `beyond` the canal only the ways over it."""
    field, piece = mover.field, mover.standing.piece
    towing = ", with a bridge" * bool(field.told["towing"])
    aboard = "".join(f", with {one.unit.name}" for one in mover.passengers) + towing
    start, unit = field.place(mover.standing.at), counter(field.game, mover.unit.id, piece.copy)
    silent: Mapping[str, Cell] = {
        "unit": unit,
        "from": start,
        "side": mover.standing.side,
        "states": sorted(piece.states),
        "passengers": [counter(field.game, one.unit.id, one.piece.copy) for one in mover.passengers],
        "quick_march": mover.quick,
        "rules": level_of(field),
        "allowance": mover.allowance,
        "points": points_of(found),
    }
    states = "".join(f", {state}" for state in sorted(piece.states))
    yield Line(
        (
            unit,
            " in ",
            start,
            f"{states}{aboard}{', quick march' * mover.quick}: allowance {points_text(mover.allowance)}",
        )
    )
    yield from (Value(key, value, shown=False) for key, value in silent.items())
    yield Value("refused", [{"text": one.text, "rule": one.rule} for one in found.refused[:1]], shown=False)
    yield from (Warning(f"stays: {one.text}", one.rule) for one in found.refused[:1])
    dangers = hazards(mover, way) if way is not None else None
    yield from _way(mover, way)
    yield from _dangers(field, dangers)
    stops = stops_of(found, mover.kind)
    if beyond is not None and not found.refused:
        yield Line(_out_of_reach(mover, found, beyond))
    listed = way is None and beyond is None
    yield from _reached(mover, found, stops, listed=listed and not found.refused)
    yield from _handled(field, list(handlings(mover, found, stops)) if listed else [])
    yield from _crossings(field, over)
    tables = ("terrain", "combat") if dangers is not None and dangers.blasts else ("terrain",)
    yield Ours(ours_of(field.game, field, tables, {("movement",): (mover.unit.id,)}))


def _reached(mover: Mover, found: Reach, every: Sequence[Stop], listed: bool) -> Iterator[Node]:
    field, name = mover.field, mover.field.kinds.name
    stops = sorted(
        (one for one in every if one.place != mover.standing.at), key=lambda one: (one.spent, in_order(name(one.place)))
    )
    if listed:
        rows: list[dict[str, Cell]] = []
        for cost in dict.fromkeys(stop.spent for stop in stops):
            marked = [
                f"{name(s.place)}{'*' * bool(s.mines)}{'!' * bool(s.overruns or s.assaults)}"
                for s in stops
                if s.spent == cost
            ]
            rows.append({"cost": points_text(cost), "to": " ".join(marked)})
        yield Table("shown", [Column("cost", "points"), Column("to", "hexes")], rows, heads=False, told=False)
        if any(stop.mines for stop in stops):
            yield Line("* a minefield attacks on the way", "Standard V.E.2")
        if any(stop.overruns or stop.assaults for stop in stops):
            yield Line("! an overrun (Standard II.D) or a close assault (II.C) is possible from there")
    held: dict[Place, dict[str, Cell]] = {
        field.place(stop.place): {
            "cost": stop.spent,
            "path": _places(field, stop.path),
            "road": stop.road,
            "harm": stop.mines,
            "cost_off_road": stop.off_road,
            "cost_unharmed": stop.safe,
            "overruns": _places(field, stop.overruns),
            "assaults": _places(field, stop.assaults),
        }
        for stop in stops
    }
    if listed:
        yield Places("reach", held, f"hexes in reach with {points_text(points_of(found))} points", listed=False)
    else:
        yield Value("reach", [{"place": at, **values} for at, values in held.items()], shown=False)


def _way(mover: Mover, way: Way | None) -> Iterator[Node]:
    """The path, step by step, with who may fire when."""
    field = mover.field
    shots = [shot(field, one) for one in opportunity(mover, way, firers(mover))] if way is not None else []
    if way is None:
        yield Value("shots", shots, shown=False)
        return
    yield Path(
        "path", _places(field, (mover.standing.at, *(one.end for one in way.spendings))), cost=way.spent, whole=True
    )
    columns = [
        Column("to", "to"),
        Column("points", "points", told=False),
        Column("sum", "in all", told=False),
        Column("text", "for", told=False),
    ]
    yield Table("steps", columns, [_step(field, one) for one in way.spendings])
    yield Line(f"{points_text(way.spent)} of {points_text(way.points or Fraction(0))} points spent")
    rule = "Advanced I.D.2" if mover.air and not mover.low else "Standard II.E"
    fired = [
        Column("unit", "may fire"),
        Column("from", "from"),
        Column("place", "at it in"),
        Column("distance", "off"),
        Column("in_sight", "points spent" if mover.air and not mover.low else "points in its sight"),
    ]
    may = [row for row in shots if row["may"]]
    yield Table("fired_at", fired, may, f"opportunity fire ({rule})" * bool(may), told=False)
    yield Value("shots", shots, shown=False)


def _step(field: Field, one: Spending) -> dict[str, Cell]:
    parts = ", ".join(f"{part.text} {points_text(part.points)} ({part.rule})" for part in one.parts)
    return {
        "to": field.place(one.end),
        "points": points_text(one.points),
        "sum": f"={points_text(one.total)}",
        "text": f"{parts}{f' [{one.note}]' if one.note else ''}",
        "deed": one.act.removesuffix("_bridge") or "move",
        "cost": one.points,
        "so_far": one.total,
        "road": one.mode == ROAD,
        "parts": [{"text": part.text, "cost": part.points, "rule": part.rule} for part in one.parts],
        "note": one.note,
    }


def _dangers(field: Field, found: Hazards | None) -> Iterator[Node]:
    """What attacks the unit for moving, and how the move may end."""
    blasts, endings = (found.blasts, found.endings) if found is not None else ((), {})
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
    yield Table(
        "dangers",
        [Column("name", "danger"), Column("place", "in"), Column("chances", "results"), Column("rule", "rule")],
        dangers,
    )
    ends: list[dict[str, Cell]] = [
        {"outcome": ending.fate, "place": field.place(ending.place), "exact": str(chance), "chance": Chance(chance)}
        for ending, chance in endings.items()
    ]
    columns = [
        Column("outcome", "it ends"),
        Column("place", "in"),
        Column("exact", "exactly", told=False),
        Column("chance", "chance"),
    ]
    yield Table("fates", columns if blasts else [Column(one.key, told=one.told) for one in columns], ends)


def _handled(field: Field, found: Sequence[Handling]) -> Iterator[Node]:
    name, game = field.kinds.name, field.game
    unloads = sorted((name(one.place) for one in found if one.act == "unload"), key=in_order)
    if unloads:
        yield Line(f"can unload in {' '.join(unloads)}", "Basic V.B.7")
    for one in found:
        if one.act == "load":
            names = ", ".join(game.units[unit].name for unit in one.units)
            yield Line(
                (f"can load {names} in ", field.place(one.place), f", {points_text(one.left)} points left"),
                "Basic V.B.7",
            )
    rows: list[Cell] = [
        {
            "deed": one.act,
            "place": field.place(one.place),
            "units": [counter(game, unit) for unit in one.units],
            "left": one.left,
        }
        for one in found
    ]
    yield Value("loading", rows, shown=False)


def _crossings(field: Field, found: Sequence[Crossing]) -> Iterator[Node]:
    """Ways over the canal that take more than a move."""
    for one in found:
        far = " or ".join(field.kinds.name(n) for n in one.far)
        told = f"no, {one.no.text}" if one.no else f"{one.turns} turn{'s' * (one.turns > 1)}"
        yield Line(
            (f"canal by {one.how} at ", field.place(one.canal), f" to {far}: {told}"),
            one.no.rule if one.no else one.rule,
        )
    rows: list[Cell] = [
        {
            "way": one.how,
            "place": field.place(one.canal),
            "to": _places(field, one.far),
            "takes": one.turns,
            "why": str(one.no) if one.no else None,
            "rule": one.rule,
        }
        for one in found
    ]
    yield Value("crossings", rows, shown=False)


def _places(field: Field, places: Iterable[int]) -> list[Place]:
    return [field.place(n) for n in places]


def points_text(value: Fraction) -> str:
    """Points as they are said at the table: 1½."""
    whole, rest = divmod(value, 1)
    part = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}.get(rest, str(rest) if rest else "")
    return f"{whole}{part}" if whole or not part else part


MOVE = Question(
    name="move",
    about="where a unit can go and at what price; along a path, who may fire at it",
    answer=move_answer,
    bare=("unit", "to"),
    inputs=(
        Input(name="unit", about="the counter that moves", kind="unit", needed=True, example="t_62@A-H-3"),
        Input(name="from", about="the hex it starts in", kind="place", example="A-H-3"),
        Input(
            name="to", about="one hex to go to: the cheapest way, and who may fire at it; left out, all", kind="place"
        ),
        Input(
            name="path",
            about="instead: each hex it enters, and what it does on the way",
            kind="places",
            example="A-H-4,unload@A-H-5",
        ),
        *ON_THE_GROUND,
        Input(name="copy", about="its printed number, where several are there"),
        Input(
            name="states", about="the states it is in, if no position shows it", kind="choice", of="state", many=True
        ),
        Input(name="passengers", about="whom it carries, if no position shows it", kind="units"),
        Input(name="side", about="whose it is, where that isn't its sheet's", kind="choice", of="side"),
        Input(name="quick", about="it is on a quick march", kind="flag"),
        Input(
            name="entered",
            about="A-4: boards that Israelis have come onto before, though none is there now",
            many=True,
            example="C,A",
        ),
        Input(
            name="boats", about="assault boats by canal hex", kind="pairs", between="=", example="A-Q-7=2", most=9999
        ),
    ),
)

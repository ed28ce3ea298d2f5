"""Where units can go: on the ground, by air, in retreat (13.0, 16.4, 23.4)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assistant.answers import (
    Answer,
    BadQuestion,
    Cell,
    Column,
    Line,
    Node,
    Path,
    Place,
    Places,
    Refusal,
    Section,
    Several,
    Table,
    Value,
)
from assistant.attacks import Answer as Odds
from assistant.attacks import Value as Told_
from assistant.attacks import odds, unit_fields
from assistant.games.october_war.field import sites
from assistant.games.october_war.ground import ENEMY, Ground
from assistant.games.october_war.limits import DROP, FLIGHT, limit
from assistant.games.october_war.movement import CROSSINGS, Mover, Reach, moves, overstacked
from assistant.games.october_war.questions import (
    FROM,
    POINT,
    asked_ground,
    asked_point,
    counter,
    filled,
    ours_map,
    place,
    started,
)
from assistant.games.october_war.retreat import refuges
from assistant.games.october_war.unreached import why_not
from assistant.questions import ON_A_MAP, Input, Question, Told
from assistant.shared.pointpaths import ways
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.position import Piece

TO = Input(name="to", about="one point to go to; left out, all", kind="place")
COLUMNS = [Column("cost", "points"), Column("stops", "must stop"), Column("why", "not to end there"), Column("path", "way")]
BARRED = [Column("place", "not to"), Column("why", "why not")]


# --- on the ground ----------------------------------------------------------------------------------------------------


def _move(game: Game, told: Told) -> Answer:
    here, unit, piece = started(game, told)
    if unit.class_ == "strike":
        raise Refusal(f"{unit.name} doesn't move on the ground; ask `air`", "18.8")
    mover = Mover(here, unit, str(piece.at))
    found, wanted = dict(moves(mover)), asked_point(game, here, told, "to")
    if wanted:
        found = {wanted: found[wanted]} if wanted in found else {}
    cut = ", without a line of communication" if mover.allowance and not mover.supplied else ""
    rows = _reached(mover, found)
    shown = filled(COLUMNS[:3] if wanted else COLUMNS, rows.values())
    nodes: list[Node] = [
        Line((counter(game, piece), " in ", place(here, piece.at), cut)),
        Value("unit", counter(game, piece), shown=False), Value("from", place(here, piece.at), shown=False),
        Value("allowance", mover.allowance, "Movement points", "13.2"), Value("supplied", mover.supplied, shown=False),
        Places("places", rows, "Within reach", [one for one in shown if one.title]),
    ]  # fmt: skip
    if wanted in found:
        nodes.append(Path("path", [place(here, p) for p in found[wanted].path], "Way", Fraction(found[wanted].cost), whole=True))
    if not found:
        reasons: list[dict[str, Cell]] = [{"place": place(here, wanted), "why": reason} for reason in why_not(mover, wanted)]
        nodes.append(Table("barred", BARRED, reasons))
    return Answer("move", game.id, [*nodes, ours_map(game)])


def _reached(mover: Mover, found: Mapping[str, Reach]) -> dict[Place, dict[str, Cell]]:
    """The points within reach, nearest first; where a unit can't stay because of the stack, why."""
    here, rows = mover.ground, dict[Place, dict[str, Cell]]()
    for point, one in sorted(found.items(), key=lambda item: (item[1].cost, item[0])):
        full = overstacked(here, mover.unit, mover.start, point) if point != mover.start else ""
        rows[place(here, point)] = {
            "cost": one.cost, "stops": one.stops, "may_end": not full, "why": full or None, "path": [place(here, p) for p in one.path],
        }  # fmt: skip
    return rows


MOVE = Question(
    name="move", about="where a unit can go (13.0)", answer=_move, bare=("unit", "to"),
    inputs=(Input(name="unit", about="the counter that moves", kind="unit", needed=True), FROM, TO, *ON_A_MAP),
)  # fmt: skip


# --- by air -----------------------------------------------------------------------------------------------------------

RESULTS = {"S": "lands", "A": "goes back", "E": "is lost"}


def flights(here: Ground, start: str, far: int) -> Mapping[str, int]:
    """The points within so many of a start, by any route; never through a reserve area (23.4, 25.7)."""

    def step(a: str, b: str, kinds: frozenset[str]) -> int | None:
        return None if here.off_map(a) and a != start else 1

    return ways(here.map, [start], step, far).costs


def _airmobile(game: Game, told: Told) -> Answer:
    here, unit, piece = started(game, told)
    start, drop = str(piece.at), bool(told.get("drop"))
    if drop and not (here.off_map(start) or _depot(here, start) or _edge(here, start, unit.side)):
        raise Refusal("a drop starts from a mobilization depot or the map's own edge", "13.10, 23.5")
    far = limit(game, DROP if drop else FLIGHT, unit.side if not drop else "israeli")
    wanted, reach = asked_point(game, here, told, "to"), flights(here, start, int(far))
    flown: dict[str, Told_] = {
        "enemy_superiority": bool(told.get("enemy_superiority")), "drop": drop, "turn": Fraction(here.position.turn),
    }  # fmt: skip
    moving = {"moving": [unit_fields(game, unit)]}
    thrown: dict[tuple[Told_, ...], Odds] = {}
    rows: list[dict[str, Cell]] = []
    for point in [wanted] if wanted else sorted(reach, key=lambda p: (reach[p], p)):
        if point == start or here.map.points[point].terrain in CROSSINGS:
            continue
        inputs = {**flown, **_circumstances(here, unit, start, point, reach.get(point))}
        key = tuple(inputs.values())
        if key not in thrown:
            thrown[key] = odds(game, "airmobile", moving, inputs)
        rows.append(_landing(here, unit, piece, point, reach.get(point), thrown[key]))
    columns = [
        Column("place", "to"), Column("distance", "points"), Column("throw", "throw", told=False), Column("why", "why not"),
        Column("stacking", "not to stay"),
    ]  # fmt: skip
    return Answer("airmobile", game.id, [
        Line((counter(game, piece), " in ", place(here, start))),
        Value("unit", counter(game, piece), shown=False), Value("from", place(here, start), shown=False),
        Value("allowance", far, "Points by air", "23.4"),
        Table("landings", filled(columns, rows), rows), ours_map(game),
    ])  # fmt: skip


def _depot(here: Ground, point: str) -> bool:
    return any(piece.at == point and "depot_rate" in unit.abilities for piece, unit in here.units)


def _edge(here: Ground, point: str, side: str) -> bool:
    """Whether a point is on a side's own edge of the map: its reserve area touches it (23.5, 25.3)."""
    return any(here.off_map(there) and here.owner(there) == side for there in here.map.adjacent(point))


def _circumstances(here: Ground, unit: Unit, start: str, point: str, distance: int | None) -> dict[str, Told_]:
    """What the airmobile table asks of a flight (23.4)."""
    enemy = ENEMY[unit.side]
    return {
        "distance": 99 if distance is None else distance,
        "friendly_umbrella": here.off_map(point) or bool(sites(here, point, unit.side)[0]),
        "enemy_umbrella": bool(sites(here, point, enemy)[0] or sites(here, start, enemy)[0]),
        "objective": here.map.points[point].terrain == "objective",
    }


def _landing(here: Ground, unit: Unit, piece: Piece, point: str, distance: int | None, answer: Odds) -> dict[str, Cell]:
    reasons = list(dict.fromkeys(answer.failures))
    if here.off_map(point) and here.owner(point) != unit.side:
        reasons.append("the enemy's reserve area (25.2)")
    over = overstacked(here, unit, str(piece.at), point)
    return {
        "place": place(here, point), "distance": distance, "why": [*reasons], "may_end": not over, "stacking": over or None,
        "chances": {code: str(chance) for code, chance in answer.chances.items()},
        "throw": "" if reasons else ", ".join(f"{RESULTS[code]} {chance}" for code, chance in answer.chances.items()),
    }  # fmt: skip


AIRMOBILE = Question(
    name="airmobile", about="where a unit can fly, and its chances of landing (23.4, 23.5)", answer=_airmobile, bare=("unit", "to"),
    inputs=(
        Input(name="unit", about="the counter that flies", kind="unit", needed=True), FROM, TO, *ON_A_MAP,
        Input(name="enemy_superiority", about="the enemy has air superiority in the theater", kind="flag"),
        Input(name="drop", about="a parachute drop of the 202nd", kind="flag"),
    ),
)  # fmt: skip


# --- in retreat -------------------------------------------------------------------------------------------------------


def _retreat(game: Game, told: Told) -> Answer:
    here, side = asked_ground(game, told), told["side"]
    point = asked_point(game, here, told)
    held = here.stack(point, side)
    if not held:
        raise BadQuestion(f"no {side} unit is in {here.map.points[point].name}")
    return Answer("retreat", game.id, [
        Value("side", side, shown=False), Value("place", place(here, point), shown=False),
        Several("units", [_back(here, point, piece, unit) for piece, unit in held]), ours_map(game),
    ])  # fmt: skip


def _back(here: Ground, point: str, piece: Piece, unit: Unit) -> Section:
    """A unit with where it can go and why not elsewhere."""
    found, by_air = refuges(here, point, unit), "airmobile" in unit.abilities
    to: list[dict[str, Cell]] = [{"to": place(here, one.point)} for one in found if not one.why_not]
    barred: list[dict[str, Cell]] = [{"place": place(here, one.point), "why": one.why_not} for one in found if one.why_not]
    return Section([
        Value("unit", counter(here.game, piece), shown=False), Value("from", place(here, point), shown=False),
        Table("ways", [Column("to", "can go to")], to),
        *([] if to else [Line("nowhere to go")]),
        Table("barred", BARRED, barred),
        Value("by_air", by_air, shown=False),
        *([Line("or by air, with a throw on the airmobile table", "16.4, 23.4")] if by_air else []),
    ], (counter(here.game, piece),))  # fmt: skip


RETREAT = Question(
    name="retreat", about="where units can retreat to (16.3, 16.4)", answer=_retreat, bare=("point", "side"),
    inputs=(
        Input(name="point", about="the point of the battle", kind="place", needed=True, aliases=POINT.aliases),
        Input(name="side", about="whose units retreat", kind="choice", of="side", needed=True), *ON_A_MAP,
    ),
)  # fmt: skip

"""Moves, flights and retreats as they are asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assistant.attacks import Answer, BadQuestion, Value, odds, unit_fields
from assistant.games.october_war.battle_asked import asked_point
from assistant.games.october_war.field import sites
from assistant.games.october_war.ground import ENEMY, Ground, ground
from assistant.games.october_war.limits import DROP, FLIGHT, limit
from assistant.games.october_war.movement import CROSSINGS, Mover, moves, overstacked
from assistant.games.october_war.retreat import retreat_lines
from assistant.games.october_war.spelling import unit_id
from assistant.games.october_war.unreached import why_not
from assistant.shared.asking import Options, Said, asked_position, chances_json
from assistant.shared.options import choice, whole, word, yes
from assistant.shared.pointpaths import ways
from assistant.shared.sourced import ours, ours_text
from assistant.shared.strengths import map_sources
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.position import Piece
from scenarios.reading.findings import instead

PLACE = {"position": "a position file", "scenario": "the start of a scenario, instead of a position"}
MOVE = {
    "unit": "the counter that moves",
    "from": "the point it starts in, if the position doesn't show it",
    "to": "one point to go to; left out, all",
    **PLACE,
}
AIRMOBILE = {
    **MOVE,
    "unit": "the counter that flies",
    "turn": "the turn; on turn 1 Arabs land as under their own missiles",
    "enemy_superiority": "the enemy has air superiority in the theater (yes or no)",
    "drop": "a parachute drop of the 202nd (yes or no)",
}
RETREAT = {"point": "the point of the battle", "side": "whose units retreat: arab or israeli", **PLACE}


def started(game: Game, options: Options) -> tuple[Ground, Unit, str]:
    """The ground with the unit standing on it, the unit, and where it starts."""
    position = asked_position(game, options)
    here = ground(game, position)
    name = unit_id(game, word(options, "unit"))
    if name not in game.units:
        raise BadQuestion(
            f"no counter is called {name!r}; {instead(name, game.units)}" if name else "say which unit: unit=UNIT"
        )
    unit = game.units[name]
    start = asked_point(game, here, word(options, "from") or word(options, "from_"))
    if not start:
        start = next((str(piece.at) for piece, held in here.units if held.id == name), "")
    if not start:
        raise BadQuestion(f"{unit.name} is not on the map; say where it starts: from=POINT")
    shape = here.map.points[start]
    if shape.terrain in CROSSINGS:
        raise BadQuestion(f"nobody ends a move in {shape.name} (21.6), so nobody starts there; name a point on its shore")
    if not any(piece.at == start and held.id == name for piece, held in here.units):
        piece = Piece(name, "moving", unit.nation, start)
        here = ground(game, replace(position, pieces=(*position.pieces, piece)))
    return here, unit, start


def move_answer(game: Game, options: Options) -> Said:
    """Where a unit can go on the ground."""
    here, unit, start = started(game, options)
    if unit.class_ == "strike":
        raise BadQuestion(f"{unit.name} doesn't move on the ground (18.8); ask `air`")
    mover = Mover(here, unit, start)
    found = dict(moves(mover))
    wanted = asked_point(game, here, word(options, "to"))
    if wanted:
        found = {wanted: found[wanted]} if wanted in found else {}
    full = {point: overstacked(here, unit, start, point) for point in found if point != start}
    json: dict[str, Any] = {
        "game": game.id, "unit": unit.id, "from": start, "allowance": mover.allowance,
        "points": {
            p: {"cost": r.cost, "path": list(r.path), "stops": r.stops, "overstacked": bool(full.get(p)),
                "stacking": full.get(p, "")}
            for p, r in found.items()
        },
    }  # fmt: skip
    names = {point: shape.name for point, shape in here.map.points.items()}
    cut = "" if mover.supplied or not mover.allowance else ", without a line of communication"
    lines = [f"{unit.name} in {names[start]}: {mover.allowance} movement points{cut} (13.2)"]
    for p, r in sorted(found.items(), key=lambda item: (item[1].cost, item[0])):
        if p != start:
            way = " - ".join(names[q] for q in r.path[1:])
            told = f": not to end there, {full[p]}" if full[p] else ""
            lines.append(f"  {names[p]:22} {r.cost}{' stop' * r.stops:5}  {way}{told}")
    json["not_the_rulebooks"] = ours(game, more=map_sources(game))
    if not found:
        json["not"] = why_not(mover, wanted)
        lines += [f"  not {names[wanted]}: {reason}" for reason in json["not"]]
    return json, [*lines, *ours_text(json["not_the_rulebooks"])]


def flights(here: Ground, start: str, far: int) -> Mapping[str, int]:
    """The points within so many of a start, by any route; never through a reserve area (23.4, 25.7)."""

    def step(a: str, b: str, kinds: frozenset[str]) -> int | None:
        return None if here.off_map(a) and a != start else 1

    return ways(here.map, [start], step, far).costs


def airmobile_answer(game: Game, options: Options) -> Said:
    """Where a unit can fly, and the throw for each landing (23.4, 23.5)."""
    here, unit, start = started(game, options)
    drop = yes(options, "drop")
    if drop and not (here.off_map(start) or _depot(here, start) or _edge(here, start, unit.side)):
        raise BadQuestion("a drop starts from a mobilization depot or the map's own edge (13.10, 23.5)")
    far = limit(game, DROP if drop else FLIGHT, unit.side if not drop else "israeli")
    wanted = asked_point(game, here, word(options, "to"))
    reach = flights(here, start, int(far))
    told: dict[str, Value] = {"enemy_superiority": yes(options, "enemy_superiority"), "drop": drop}
    told["turn"] = whole(options, "turn", here.position.turn, 1)
    moving = {"moving": [unit_fields(game, unit)]}
    thrown: dict[tuple[Value, ...], Answer] = {}
    landings, lines = [], [f"{unit.name} in {here.map.points[start].name}: up to {far} points by air (23.4)"]
    for point in [wanted] if wanted else sorted(reach, key=lambda p: (reach[p], p)):
        if point == start or here.map.points[point].terrain in CROSSINGS:
            continue
        inputs = {**told, **_circumstances(here, unit, start, point, reach.get(point))}
        key = tuple(inputs.values())
        if key not in thrown:
            thrown[key] = odds(game, "airmobile", moving, inputs)
        one = _landing(here, unit, start, point, reach.get(point), thrown[key])
        landings.append(one)
        if wanted or not one["not"]:
            said = "; ".join(one["not"]) or ", ".join(f"{RESULTS[code]} {c}" for code, c in one["chances"].items())
            said += f"; {one['stacking']}" if one["overstacked"] else ""
            lines.append(f"  {here.map.points[point].name:22} {said}")
    rebuilt = ours(game, more=map_sources(game))
    json = {"game": game.id, "question": "airmobile", "unit": unit.id, "from": start, "landings": landings}
    return {**json, "not_the_rulebooks": rebuilt}, [*lines, *ours_text(rebuilt)]


RESULTS = {"S": "lands", "A": "goes back", "E": "is lost"}


def _depot(here: Ground, point: str) -> bool:
    return any(piece.at == point and "depot_rate" in unit.abilities for piece, unit in here.units)


def _edge(here: Ground, point: str, side: str) -> bool:
    """Whether a point is on a side's own edge of the map: its reserve area touches it (23.5, 25.3)."""
    return any(here.off_map(there) and here.owner(there) == side for there in here.map.adjacent(point))


def _circumstances(here: Ground, unit: Unit, start: str, point: str, distance: int | None) -> dict[str, Value]:
    """What the airmobile table asks of a flight (23.4)."""
    enemy = ENEMY[unit.side]
    return {
        "distance": 99 if distance is None else distance,
        "friendly_umbrella": here.off_map(point) or bool(sites(here, point, unit.side)[0]),
        "enemy_umbrella": bool(sites(here, point, enemy)[0] or sites(here, start, enemy)[0]),
        "objective": here.map.points[point].terrain == "objective",
    }


def _landing(
    here: Ground, unit: Unit, start: str, point: str, distance: int | None, answer: Answer
) -> dict[str, Any]:
    reasons = list(dict.fromkeys(answer.failures))
    if here.off_map(point) and here.owner(point) != unit.side:
        reasons.append("the enemy's reserve area (25.2)")
    over = overstacked(here, unit, start, point)
    return {
        "point": point,
        "distance": distance,
        "not": reasons,
        "overstacked": bool(over),
        "stacking": over,
        "chances": chances_json(answer.chances),
    }


def retreat_answer(game: Game, options: Options) -> Said:
    """Where the units of a side in a point can retreat to."""
    here = ground(game, asked_position(game, options))
    point = asked_point(game, here, word(options, "point"))
    side = choice(options, "side", game.sides)
    if not point or not side:
        raise BadQuestion("say where and who: point=POINT side=arab or side=israeli")
    json, lines = retreat_lines(here, point, side)
    rebuilt = ours(game, more=map_sources(game))
    return {**json, "not_the_rulebooks": rebuilt}, [*lines, *ours_text(rebuilt)]

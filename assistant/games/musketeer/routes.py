"""Moves, retreats and pursuits as they are asked."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.musketeer.asked import asked_hex
from assistant.games.musketeer.contingents import label
from assistant.games.musketeer.ground import WATERS
from assistant.games.musketeer.movement import Mover, Reach, moves
from assistant.games.musketeer.placed import UNIT, asked_placed, room
from assistant.games.musketeer.pursuit import ROWS, pursuit_hexes, pursuits
from assistant.games.musketeer.retreat import Fate, Retreat
from assistant.games.musketeer.roads import MIXED
from assistant.shared.asking import Options, Said, percent
from assistant.shared.chains import gather
from assistant.shared.sourced import ours, ours_text
from scenarios.game import Game
from scenarios.hexes import Hex, distance

MOVE = {**UNIT, "to": "one hex to go to; left out, all"}
PURSUIT = {**UNIT, "cleared": "the hex that was cleared"}
WAYS = {
    "a": "to a city or airbase", "b": "to the south edge", "c": "to the canal", MIXED: "where it still can", "": "withdraws",
}  # fmt: skip
STAYS = "it ignores R here and takes DR as D"


def move_answer(game: Game, options: Options) -> Said:
    """Where a unit can go, and at what price."""
    placed = asked_placed(game, options)
    here, unit, start, mover = placed.here, placed.unit, placed.start, placed.mover
    goal = asked_hex(here.table, options, "to")
    found = dict(moves(mover))
    if goal is not None:
        found = {goal: found[goal]} if goal in found else {}
    said = here.table.name
    full = {hex: not room(here, unit, hex) for hex in found if hex != start}
    json: dict[str, Any] = {
        "game": game.id, "question": "move", "unit": unit.id, "from": said(start), "allowance": mover.allowance,
        "hexes": {
            said(hex): {
                "cost": str(reach.cost), "path": [said(step) for step in reach.path], "stops": reach.stops,
                "overstacked": full.get(hex, False),
            }
            for hex, reach in found.items()
        },
        "not_the_rulebooks": ours(game, [(unit, "movement")], cells=_cells(mover, list(found.values()))),
    }  # fmt: skip
    lines = [f"{label(game, unit)} in {said(start)}: {mover.allowance} movement points, {_many(len(found))}"]
    for hex, reach in sorted(found.items(), key=lambda item: (item[1].cost, item[0])):
        lines.append(_reached(mover, reach) + " (no room there: 12.1, 12.5)" * full.get(hex, False))
    if goal in found:
        json["steps"] = _paid(mover, found[goal])
        lines += [f"    {one['hex']} {one['cost']}: {', '.join(one['why'])}" for one in json["steps"]]
    elif goal is not None:
        json["why_not"] = _why_not(mover, goal)
        lines.append(f"  {said(goal)} is out of its reach: {json['why_not']}")
    return json, [*lines, *ours_text(json["not_the_rulebooks"])]


def _cells(mover: Mover, reached: Sequence[Reach]) -> Iterator[tuple[str, str, str]]:
    """The cells of the terrain chart that the paths rest on."""
    ground = mover.ground
    for reach in reached:
        for (a, b), way in zip(itertools.pairwise(reach.path), reach.ways, strict=True):
            used = [way] if way else [kind for kind in ground.kinds(b) if ground.prices.get(kind, 0) * ground.parts == ground.costs[b]]
            yield from (("terrain", kind, "move") for kind in (*used, *mover.crossed(a, b)))


def _many(hexes: int) -> str:
    return f"{hexes} hex{'es' * (hexes != 1)}"


def _reached(mover: Mover, reach: Reach) -> str:
    said = mover.here.table.name
    way = " ".join(map(said, reach.path[1:]))
    over = ", by the minimum move (9.3)" * (reach.cost > mover.allowance)
    return f"  {said(reach.path[-1])} {reach.cost!s:>5}{' stop' * reach.stops}  {way}{over}"


def _paid(mover: Mover, reach: Reach) -> list[dict[str, Any]]:
    """What each step of a path costs, and for what (9.8 to 9.10, 24.2)."""
    game, steps, last = mover.here.game, [], ""
    for (a, b), way in zip(itertools.pairwise(reach.path), reach.ways, strict=True):
        cost = mover.costs(a, b, last)[way]
        sides = mover.crossed(a, b)
        ground = game.paths[way].name if way else game.terrain[mover.here.table.terrain[b]].name
        base = cost - sum(sides.values())
        what = [f"{ground} {base}" + ", changing ways" * bool(way and last and way != last)]
        what += [f"{game.hexsides[kind].name} +{price}" for kind, price in sides.items() if price]
        what += [f"{game.hexsides[kind].name} +0, engineers" for kind, price in sides.items() if kind in WATERS and not price]
        steps.append({"hex": mover.here.table.name(b), "cost": str(cost), "why": what})
        last = way
    return steps


def _why_not(mover: Mover, goal: Hex) -> str:
    """The first thing that keeps a unit from a hex."""
    if not mover.allowance:
        return "it never moves (9.5)"
    if goal in mover.enemies:
        return "enemies are there (9.4)"
    if not mover.passable(goal):
        return f"nobody enters {mover.here.game.terrain[mover.here.table.terrain[goal]].name.lower()} (9.4)"
    if goal not in mover.open:
        return "it keeps to Israel and the Sinai, and off the canal (28.1)"
    if mover.start in mover.zone and goal in mover.zone and distance(mover.start, goal) == 1:
        return "it never goes from one enemy zone of control straight into another (13.6)"
    return "too many movement points, or enemies and their zones in the way (9.1, 13.4)"


def fates_json(retreat: Retreat) -> dict[str, Any]:
    """A retreat for a program."""
    said = retreat.here.table.name
    return {
        "routs": retreat.routs,
        "stays": retreat.stays,
        "lost": str(lost_share(retreat)),
        "disrupted": str(_share(retreat, lambda fate: fate.disrupted)),
        "fates": [
            {
                "hexes": fate.hexes,
                "chance": str(chance),
                "eliminated": fate.eliminated,
                "disrupted": fate.disrupted,
                "path": [said(hex) for hex in fate.road.path] if fate.road else [],
                "way": fate.road.way if fate.road else "",
                "ends": [said(hex) for hex in fate.ends],
            }
            for fate, chance in retreat.fates.items()
        ],
    }


def lost_share(retreat: Retreat) -> Fraction:
    """The chance that a retreat is the end of the unit."""
    return _share(retreat, lambda fate: fate.eliminated)


def _share(retreat: Retreat, holds: Any) -> Fraction:
    return gather(retreat.fates, lambda fate: bool(holds(fate))).get(True, Fraction(0))


def fates_text(retreat: Retreat) -> Iterator[str]:
    """A retreat in lines: what it comes to, then each die."""
    if retreat.stays:
        yield f"{STAYS} (16.5)" + ("; its owner may let it go:" if retreat.fates else "")
    if not retreat.fates:
        return
    if retreat.landed:
        yield "in direct assault it is lost if it must retreat (29.5)"
        return
    if retreat.unit.class_ == "static":
        yield "it is static: eliminated if it must retreat (16.1)"
        return
    kind = "routs" if retreat.routs else "withdraws one hex"
    lost, worn = lost_share(retreat), _share(retreat, lambda fate: fate.disrupted)
    yield f"it {kind} (16.1): lost {percent(lost)}, disrupted {percent(worn)}"
    for fate, _ in retreat.fates.items():
        yield f"  {fate.hexes}: {_fate(retreat, fate)}"


def _fate(retreat: Retreat, fate: Fate) -> str:
    if fate.road is None:
        return "eliminated"
    said = retreat.here.table.name
    way = f"{WAYS[fate.road.way]}, {' '.join(said(hex) for hex in fate.road.path[1:])}"
    more = (
        f"; or to {', '.join(said(hex) for hex in fate.ends if hex != fate.road.path[-1])}"
        if len(fate.ends) > 1
        else ""
    )
    return f"{way}{', disrupted' * fate.disrupted}{more}"


def retreat_answer(game: Game, options: Options) -> Said:
    """Where a unit goes that must retreat, and what becomes of it."""
    placed = asked_placed(game, options)
    one, said = placed.retreat, placed.here.table.name(placed.start)
    json = {"game": game.id, "question": "retreat", "unit": placed.unit.id, "from": said, **fates_json(one)}
    return json, [f"{label(game, placed.unit)} in {said}", *fates_text(one)]


def pursuit_answer(game: Game, options: Options) -> Said:
    """Where a unit can pursue to after a hex is cleared."""
    placed = asked_placed(game, options)
    here, unit, start = placed.here, placed.unit, placed.start
    if placed.landed:
        raise BadQuestion(f"{label(game, unit)} is in a direct assault: it doesn't pursue out of its hex (29.5)")
    if not pursuit_hexes(game, unit):
        raise BadQuestion(f"{label(game, unit)} is static: it doesn't pursue (17.5)")
    cleared = asked_hex(here.table, options, "cleared")
    if cleared is None or distance(start, cleared) != 1:
        raise BadQuestion("say which hex next to it was cleared: cleared=HEX (17.3)")
    found = pursuits(placed.mover, cleared)
    said = here.table.name
    full = [hex for hex in found if hex != start and not room(here, unit, hex)]
    json: dict[str, Any] = {
        "game": game.id, "question": "pursuit", "unit": unit.id, "from": said(start),
        "hexes": {said(hex): [said(step) for step in path] for hex, path in found.items()},
        "overstacked": [said(hex) for hex in full],
        "not_the_rulebooks": ours(game, cells=[("pursuit", ROWS[unit.class_], "hexes")]),
    }  # fmt: skip
    lines = [f"{label(game, unit)} pursues {_many(pursuit_hexes(game, unit))} at most (17.2), into {len(found)}"]
    for hex, path in found.items():
        lines.append(f"  {said(hex)}  {' '.join(map(said, path[1:]))}" + " (no room there: 12.1, 12.5)" * (hex in full))
    return json, [*lines, *ours_text(json["not_the_rulebooks"])]

"""Moves, retreats, pursuits and drops as they are asked."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.musketeer.contingents import label
from assistant.games.musketeer.fighters import GROUND
from assistant.games.musketeer.movement import Mover, moves
from assistant.games.musketeer.politics import paradrop
from assistant.games.musketeer.pursuit import pursuit_hexes, pursuits
from assistant.games.musketeer.retreat import Fate, Retreat
from assistant.games.musketeer.stacking import fits
from assistant.games.musketeer.support import Support, support
from assistant.shared.asking import Options, Said, asked_position, percent
from assistant.shared.chains import gather
from assistant.shared.options import word, yes
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex, distance
from scenarios.reading.findings import instead

PLACE = {"position": "a position file", "scenario": "the start of a scenario, instead of a position"}
UNIT = {
    "unit": "the counter",
    "from": "the hex it is in, if the position doesn't show it",
    "disrupted": "it is disrupted (yes or no)",
    **PLACE,
}
MOVE = {**UNIT, "to": "one hex to go to; left out, all"}
PURSUIT = {**UNIT, "cleared": "the hex that was cleared"}
DROP = {**UNIT, "to": "the hex it lands in", "contested": "an enemy is there, or AAA next to it (yes or no)"}
WAYS = {"a": "to a city or airbase", "b": "to the south edge", "c": "to the canal", "": "withdraws"}


def _placed(game: Game, options: Options, need: bool = True) -> tuple[Support, Unit, Hex | None, bool]:
    """The position, the unit, where it is and whether it is disrupted."""
    here = support(game, asked_position(game, options))
    name = word(options, "unit")
    if name not in game.units:
        raise BadQuestion(
            f"no counter is called {name!r}; {instead(name, game.units)}" if name else "say which unit: unit=UNIT"
        )
    unit = game.units[name]
    if unit.class_ not in GROUND:
        raise BadQuestion(f"{unit.name} doesn't move on the ground")
    start = _hex(here, word(options, "from") or word(options, "from_"))
    found = next(((piece, at) for piece, held, at in here.units if held.id == name), None)
    if start is None and found is not None:
        start = found[1]
    if start is None and need:
        raise BadQuestion(f"{unit.name} is not on the map; say where it is: from=HEX")
    shown = found is not None and "disrupted" in found[0].states
    return here, unit, start, yes(options, "disrupted", shown)


def _hex(here: Support, text: str) -> Hex | None:
    try:
        return here.table.hex(text) if text else None
    except ValueError as error:
        raise BadQuestion(str(error)) from None


def move_answer(game: Game, options: Options) -> Said:
    """Where a unit can go, and at what price."""
    here, unit, start, disrupted = _placed(game, options)
    assert start is not None
    goal = _hex(here, word(options, "to"))
    mover = Mover(here, unit, start, disrupted)
    found = dict(moves(mover))
    if goal is not None:
        found = {goal: found[goal]} if goal in found else {}
    said = here.table.name
    full = {hex: not _room(here, unit, hex) for hex in found if hex != start}
    json = {
        "game": game.id, "unit": unit.id, "from": said(start), "allowance": mover.allowance,
        "hexes": {
            said(hex): {
                "cost": str(reach.cost), "path": [said(step) for step in reach.path], "stops": reach.stops,
                "overstacked": full.get(hex, False),
            }
            for hex, reach in found.items()
        },
    }  # fmt: skip
    lines = [f"{label(game, unit)} in {said(start)}: {mover.allowance} movement points, {len(found)} hexes"]
    for hex, reach in sorted(found.items(), key=lambda item: (item[1].cost, item[0])):
        way = " ".join(map(said, reach.path[1:]))
        over = " (no room there: 12.1, 12.5)" * full.get(hex, False)
        lines.append(f"  {said(hex)} {reach.cost!s:>5}{' stop' * reach.stops}  {way}{over}")
    return json, lines if found else [*lines, f"  {word(options, 'to')} is out of its reach"]


def _room(here: Support, unit: Unit, hex: Hex) -> bool:
    held = [one for _, one, at in here.units if at == hex and one.side == unit.side]
    return fits(here.game, [*held, unit])


def fates_json(retreat: Retreat) -> dict[str, Any]:
    """A retreat for a program."""
    said = retreat.here.table.name
    return {
        "routs": retreat.routs,
        "lost": str(_share(retreat, lambda fate: fate.eliminated)),
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


def _share(retreat: Retreat, holds: Any) -> Fraction:
    return gather(retreat.fates, lambda fate: bool(holds(fate))).get(True, Fraction(0))


def fates_text(retreat: Retreat) -> Iterator[str]:
    """A retreat in lines: what it comes to, then each die."""
    kind = "routs" if retreat.routs else "withdraws one hex"
    lost, worn = _share(retreat, lambda fate: fate.eliminated), _share(retreat, lambda fate: fate.disrupted)
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
    here, unit, start, disrupted = _placed(game, options)
    assert start is not None
    one = Retreat(here, unit, start, disrupted)
    json = {"game": game.id, "question": "retreat", "unit": unit.id, "from": here.table.name(start), **fates_json(one)}
    return json, [f"{label(game, unit)} in {here.table.name(start)}", *fates_text(one)]


def pursuit_answer(game: Game, options: Options) -> Said:
    """Where a unit can pursue to after a hex is cleared."""
    here, unit, start, disrupted = _placed(game, options)
    assert start is not None
    cleared = _hex(here, word(options, "cleared"))
    if cleared is None or distance(start, cleared) != 1:
        raise BadQuestion("say which hex next to it was cleared: cleared=HEX (17.3)")
    found = pursuits(Mover(here, unit, start, disrupted), cleared)
    said = here.table.name
    json = {
        "game": game.id, "question": "pursuit", "unit": unit.id, "from": said(start),
        "hexes": {said(hex): [said(step) for step in path] for hex, path in found.items()},
    }  # fmt: skip
    far = pursuit_hexes(game, unit)
    lines = [f"{label(game, unit)} pursues {far} hexes at most (17.2), into {len(found)}"]
    return json, [*lines, *(f"  {said(hex)}  {' '.join(map(said, path[1:]))}" for hex, path in found.items())]


def paradrop_answer(game: Game, options: Options) -> Said:
    """The chance that a drop disrupts the unit, and whether it may drop (10.2, 24.3, 29.5, 29.6)."""
    here, unit, _, _ = _placed(game, options, need=False)
    if "airborne" not in unit.abilities:
        raise BadQuestion(f"{unit.name} is not airborne (10.2)")
    if "no_drop" in unit.abilities:
        raise BadQuestion(f"{unit.name} can't drop (24.3)")
    target = _hex(here, word(options, "to"))
    enemy = flak = False
    if target is not None:
        foes = [(one, at) for _, one, at in here.units if one.side != unit.side]
        enemy = any(at == target for _, at in foes)
        flak = any("flak" in one.abilities and distance(at, target) == 1 for one, at in foes)
        mover = Mover(here, unit, target)
        if target not in mover.open or not mover.passable(target):
            raise BadQuestion(f"{unit.name} can't land in {here.table.name(target)} (10.3, 28.1)")
    contested = yes(options, "contested", enemy or flak)
    chance = paradrop(game, contested)
    json = {"game": game.id, "question": "paradrop", "unit": unit.id, "contested": contested, "disrupted": str(chance)}
    lines = [f"{label(game, unit)} is disrupted as it lands: {percent(chance)} (29.6)"]
    lines += ["  an enemy is in the hex: a direct assault, it must clear it or is lost (29.5)"] * enemy
    lines += ["  an enemy AAA unit is next to it"] * flak
    return json, lines

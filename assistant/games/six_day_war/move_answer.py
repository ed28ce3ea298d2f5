"""Movement as text and JSON."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.movement import Reach, airborne, paid_for, reach
from assistant.games.six_day_war.questions import CHOSEN, asked_field, asked_hex, asked_units
from assistant.games.six_day_war.refusals import no_landing
from assistant.games.six_day_war.reserves import prices
from assistant.rules.movement import reason
from assistant.shared.asking import Options, Said, percent
from assistant.shared.options import given, whole, yes
from assistant.shared.sourced import ours, ours_text
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.reading.shapes import number


def move_answer(game: Game, options: Options) -> Said:
    """Where `unit` can go, or its way `to` a hex; with a `die` thrown, a `forced` march, by `air`, or a `transfer`."""
    field = asked_field(game, options)
    stands = asked_units(field, options, "unit")
    if len(stands) != 1:
        raise BadQuestion("say which unit moves: unit (one; each moves by itself, 10.5)")
    (stand,) = stands
    to = asked_hex(field, str(options["to"])) if given(options, "to") else None
    chosen = [CHOSEN] if stand.assumed else []
    if yes(options, "air"):
        json, lines = _flown(field, stand, to, yes(options, "transfer"))
        return json, lines + chosen
    found = reach(
        field, stand, forced=yes(options, "forced"), transfer=yes(options, "transfer"),
        die=whole(options, "die", 1, least=1, most=6) if given(options, "die") else None,
    )  # fmt: skip
    json, lines = _walked(field, found, to)
    bought = [action for action, told in (("forced_march", "forced"), ("transfer_ground_unit", "transfer")) if yes(options, told)]
    price = _price(game, bought)
    lines += [f"  {price} reserve point{'s' * (price > 1)} ({', '.join(bought).replace('_', ' ')})"] if bought else []
    return {**json, "price": str(price)}, lines + chosen


def _price(game: Game, actions: Sequence[str]) -> Fraction:
    """What some things cost in reserve points (ZRP table)."""
    return sum((number(prices(game)[action][0]) for action in actions), Fraction(0))


def _walked(field: Field, found: Reach, to: Hex | None) -> Said:
    name, stand = field.table.name, found.stand
    least, most = min(found.points), max(found.points)
    points = f"{most}" if least == most else f"{least} to {most}"
    if to is not None and to not in found.costs:
        raise BadQuestion(f"{stand.name} can't reach {name(to)}: {_why_not(found, to)}")
    lines = [f"{stand.name} in {name(stand.hex)}: {points} points, {len(found.ends)} hexes to end in"]
    if to is not None:
        chance = found.chance(to)
        lines.append(f"  {' '.join(name(hex) for hex in found.paths[to])}: {found.costs[to]} points")
        lines += [] if chance == 1 else [f"  the die gives enough with {percent(chance)}"]
        lines += [f"  it has to stop in {name(to)} (12.3)"] if to in found.stops else []
        lines += [] if to in found.ends else [f"  it may not end there: {_why_not(found, to)}"]
    else:
        by_chance: dict[Fraction, int] = {}
        for hex in found.ends:
            by_chance[found.chance(hex)] = by_chance.get(found.chance(hex), 0) + 1
        if len(by_chance) > 1:
            lines += [f"  {count} of them with {percent(chance)}" for chance, count in sorted(by_chance.items(), reverse=True)]
        stops = sorted(name(hex) for hex in found.stops)
        lines.append(f"  stopped in {' '.join(stops)}" if stops else "  nothing stops it")
    hexes = [
        {"hex": name(hex), "points": str(cost), "chance": str(found.chance(hex)), "may_end": hex in found.ends,
         "stops": hex in found.stops, "path": [name(step) for step in found.paths[hex]]}
        for hex, cost in found.costs.items()
        if to is None or hex == to
    ]  # fmt: skip
    rebuilt = ours(field.game, cells=_cells(field, found, [to] if to is not None else found.costs))
    allowance = {str(points): str(chance) for points, chance in found.points.items()}
    return {"game": field.game.id, "unit": stand.key, "allowance": allowance, "hexes": hexes, "not_the_rulebooks": rebuilt}, [
        *lines, *ours_text(rebuilt)
    ]  # fmt: skip


def _why_not(found: Reach, to: Hex) -> str:
    """Why a unit can't go to a hex, or may not end there, by the pack's own rules."""
    why = found.declared.why_not(found.declared.field.kinds.number[to])
    return "" if why is None else reason(found.declared, why)


def _cells(field: Field, found: Reach, goals: Iterable[Hex]) -> Iterator[tuple[str, str, str]]:
    """The cells of the terrain chart that the ways to some hexes rest on."""
    for goal in goals:
        for a, b in itertools.pairwise(found.paths[goal]):
            yield from (("terrain", kind, "cost") for kind in paid_for(field, a, b, found.stand.side))


def _flown(field: Field, stand: Stand, to: Hex | None, transfer: bool) -> Said:
    name, found = field.table.name, airborne(field, stand, transfer=transfer)
    if to is not None and to not in found.landings:
        raise BadQuestion(f"{stand.name} can't land in {name(to)}: {no_landing(field, found, to, transfer=transfer)}")
    what = "transfer" if transfer else "extraction" if found.extraction else "assault"
    price = _price(field.game, ["airborne_move", *(["transfer_ground_unit"] if transfer else [])])
    most = field.limit("airborne_a_phase")
    lines = [f"{stand.name}: airborne {what}, {price} reserve point{'s' * (price > 1)}, {len(found.landings)} hexes to land in (20.2)"]
    lines.append(f"  {most} such move a front in a movement phase, and it moves no further (20.1, 20.2)")
    lines += [f"  {name(to)} is in an enemy zone of control: it must attack (13.0)"] if to in found.hot else []
    forts = sorted(name(hex) for hex in found.surprised)
    if forts:
        lines.append(f"  the first assault on a fortification of the front finds it nullified (20.5): {' '.join(forts)}")
    told = {"kind": what, "price": str(price), "landings": sorted(name(hex) for hex in found.landings)}
    hot = sorted(name(hex) for hex in found.hot)
    return {"game": field.game.id, "unit": stand.key, **told, "in_enemy_zone": hot, "surprised": forts}, lines

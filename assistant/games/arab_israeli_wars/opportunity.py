"""What a unit risks by moving: opportunity fire and its battle (Standard II.E; helicopters Advanced I.D.2), mines,
interdiction, the price of a quick march."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, NamedTuple

from assistant.attack import AttackValue, Fields, odds, unit_fields
from assistant.engine.field import Field
from assistant.engine.movement.route_plan import ZERO, MoveAct, PlannedMove, Spending
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.sight.visibility import sights_of
from assistant.games.arab_israeli_wars.battle import AttackRequest, battle_from, carried_strike
from assistant.games.arab_israeli_wars.forces import (
    MINES,
    AskedAttack,
    Fighter,
    hex_at,
    level_of,
    limit,
    pick_fighters,
)
from assistant.games.arab_israeli_wars.mover import QUICK, MovingUnit, mover_in, read_plan
from assistant.games.arab_israeli_wars.questions import counter
from assistant.questions.answer import BadQuestion, Cell
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, neighbours

OVERRUN = "overrun"
Sees = Callable[[PlacedUnit, int], bool]
"""Whether a firer sees the moving unit in a place."""


def in_sight(mover: MovingUnit) -> Sees:
    """Return sight by the rules: air units see and are seen everywhere, but not through smoke (Advanced I.A.2, Optional II.B.5)."""
    sights = sights_of(mover.field)
    target = sights.observer(mover.placed_unit.fields)
    return lambda firer, n: sights.clear(firer.place, n, sights.observer(firer.fields), target)


class Trigger(NamedTuple):
    """A moment when a moving unit is active as a target for a firer."""

    step: int
    """The index of the payment during the move."""
    place: int
    """The place of the moving unit then."""
    firer: PlacedUnit
    distance: int
    in_sight: Fraction
    """Points spent without a break in the firer's sight since it last stopped being a target; for a helicopter all
    points spent."""
    first: bool
    """It has just become active."""
    failures: tuple[str, ...]
    """Why this firer still can't fire; empty if it may."""


def firers(mover: MovingUnit) -> list[PlacedUnit]:
    """Return the enemies on the map, without passengers (Basic V.B.6.d)."""
    field = mover.field
    enemies = [
        unit for unit in field.placed_units if unit.side != mover.placed_unit.side and "loaded" not in unit.piece.states
    ]
    return sorted(enemies, key=hex_at)


def opportunity(
    mover: MovingUnit,
    way: PlannedMove,
    enemies: Iterable[PlacedUnit],
    sees: Sees | None = None,
    fired_steps: Collection[int] = (),
) -> tuple[Trigger, ...]:
    """Return every moment at which each enemy may fire at the moving unit, in order.

    Points spent to enter a hex are spent in it (Standard II.E.3.a); out of sight the count starts again (II.E.1.c).
    A unit is a target once it has spent a fourth of the printed allowance, split move or not (II.E.1, III.B).
    `fired_steps` are the payments at which the enemy did fire. Then the unit is no target for any enemy until it has
    spent another fourth (II.E.3.e). The Basic Rules have no opportunity fire.
    """
    field, sees = mover.field, sees or in_sight(mover)
    if level_of(field) == "basic":
        return ()
    flying, game = mover.air and not mover.low, field.game
    need = limit(game, "helicopter_target") if flying else mover.allowance * limit(game, "target_share")
    repeat_need = limit(game, "helicopter_target_again") if flying else need
    triggers: list[Trigger] = []
    for firer in enemies:
        points_seen, threshold, was = ZERO, need, False
        for index, spending in enumerate(way.spendings):
            is_seen = sees(firer, spending.end)
            # A helicopter's points count wherever it spends them (Advanced I.D.2.a).
            points_seen = points_seen + spending.points if is_seen or flying else ZERO
            was = was and is_seen
            if is_seen and points_seen >= threshold:
                firer_distance = field.map_index.distance(firer.place, spending.end)
                failures = _failures(mover, spending, firer, firer_distance)
                triggers.append(Trigger(index, spending.end, firer, firer_distance, points_seen, not was, failures))
                was = True
            if index in fired_steps:
                points_seen, threshold, was = ZERO, repeat_need, False
    return tuple(
        sorted(triggers, key=lambda t: (t.step, t.distance, t.firer.counter.id, t.firer.piece.copy, hex_at(t.firer)))
    )


def _failures(mover: MovingUnit, spending: Spending, firer: PlacedUnit, firer_distance: int) -> tuple[str, ...]:
    """Return why the pack's own rules of opportunity fire forbid this shot, ignoring hull down and spotting."""
    field, game = mover.field, mover.field.game
    overrun = spending.act == OVERRUN
    firer_inputs: dict[str, AttackValue] = {
        "distance": Fraction(firer_distance),
        "sees": True,
        "overrun_by_them": overrun and spending.place == firer.place,
    }
    if "air_strike_only" in firer.counter.abilities and (strike := carried_strike(game, field, firer.counter.id)):
        firer_inputs |= {"points": strike["points"], "kind": strike["kind"]}  # Advanced I.E.7.a
    shooter: Fields = {**firer.fields, **firer_inputs}
    target: Fields = unit_fields(game, mover.unit, ["spotted"], shielded=False)
    inputs: Fields = {
        "terrain": field.map_index.terrain(field.map_index.places[spending.end]),
        "year": Fraction(field.value("year")),
        "overrunning": overrun,
        "quick_march": mover.quick,
    }
    failures = list(odds(game, "opportunity_fire", {"firers": [shooter], "targets": [target]}, inputs).failures)
    if "committed" in firer.piece.states:
        failures.append(f"{firer.counter.name}: it has recorded indirect fire (Standard II.A.1)")
    return tuple(failures)


def shot(field: Field, trigger: Trigger) -> dict[str, Cell]:
    """Return a shot as a row of an answer."""
    firer = trigger.firer
    return {
        "step": trigger.step,
        "place": field.place(trigger.place),
        "unit": counter(field.game, firer.counter.id, firer.piece.copy),
        "from": field.place(firer.place),
        "distance": trigger.distance,
        "in_sight": trigger.in_sight,
        "new_target": trigger.first,
        "may": not trigger.failures,
        "why": "; ".join(trigger.failures) or None,
    }


# --- the battle during the move --------------------------------------------------------------------------------------


INACTIVE = ("the target has not spent a quarter of its allowance in its sight", "Standard II.E.1")
INACTIVE_HELICOPTER = (
    "it does not see the helicopter, which becomes a target when it has spent four points",
    "Advanced I.D.2.a",
)


def moving_battle(
    game: Game, field: Field, everyone: tuple[Fighter, ...], request: AttackRequest, path: Sequence[str]
) -> AskedAttack:
    """Return the battle at the last hex of a path, which starts where the position has the moving unit. Enemies for whom it is
    no target yet (or no longer) are barred; where nobody is named, all others fire."""
    if request.kind != "opportunity_fire":
        raise BadQuestion("a --path is for opportunity fire; add --attack opportunity_fire (Standard II.E)")
    plan, places = read_plan(field, path), field.map_index.places
    quick = bool(plan) and plan[0] == MoveAct(QUICK)
    begin, way = plan[quick] if plan[quick:] else None, plan[quick + 1 :]
    start = places[begin] if isinstance(begin, int) else None
    if not isinstance(start, Hex) or not way:
        raise BadQuestion("the --path begins in the hex where the unit stands, and leads to another (Basic V.A.5)")
    target = _target(game, field, everyone, request, start)
    mover = mover_in(field, target.unit, start, target.copy, quick)
    walk, last = mover.walk(way), way[-1]
    inactive = INACTIVE_HELICOPTER if mover.air and not mover.low else INACTIVE
    triggers, end = opportunity(mover, walk, firers(mover)), places[walk.spendings[-1].end]
    assert isinstance(end, Hex)
    active = {
        (trigger.firer.counter.id, trigger.firer.piece.copy, hex_at(trigger.firer))
        for trigger in triggers
        if trigger.step == len(walk.spendings) - 1
    }
    put = _put_down(everyone, target, mover, walk)
    moved_fighters = {id(target): replace(target, hex=end)} | put
    current_fighters = tuple(moved_fighters.get(id(fighter), fighter) for fighter in everyone)
    overrun = places[walk.spendings[-1].place] if isinstance(last, MoveAct) and last.act == OVERRUN else None
    source_hexes = request.source_hexes or tuple(dict.fromkeys(hex for _, _, hex in sorted(active)))
    if not source_hexes:
        raise BadQuestion(f"{target.name} is not a target for any unit in {field.hex_map.name(end)} ({inactive[1]})")
    chosen_targets = _pick_targets(request.targets, moved_fighters[id(target)], tuple(put.values()))
    names = tuple(fighter.word for fighter in chosen_targets)
    battle_inputs = {"quick_march": True, **request.inputs} if quick else request.inputs
    assert overrun is None or isinstance(overrun, Hex)
    hex = chosen_targets[0].hex
    request = replace(request, hex=hex, source_hexes=source_hexes, targets=names, overrun=overrun, inputs=battle_inputs)
    battle = battle_from(game, field, current_fighters, request)
    shooters = (
        firer if (firer.unit, firer.copy, firer.hex) in active else replace(firer, bar=inactive)
        for firer in battle.firers
    )
    return replace(battle, firers=tuple(shooters))


def _put_down(
    everyone: Sequence[Fighter], carrier: Fighter, mover: MovingUnit, walk: PlannedMove
) -> dict[int, Fighter]:
    """Return the passengers that spend points together with their carrier because it is just unloading them, by
    their former places. They are targets with it or instead of it, by the firer's choice (Standard II.E.3.h)."""
    last = walk.spendings[-1]
    if last.act != "unload":
        return {}
    passenger_keys = [(passenger.counter.id, passenger.piece.copy) for passenger in mover.passengers]
    for rider in walk.aboard:
        passenger_keys.remove((rider.counter.id, rider.piece.copy))
    end = mover.field.map_index.places[last.place]
    assert isinstance(end, Hex)
    unloaded_fighters: dict[int, Fighter] = {}
    for fighter in everyone:
        if fighter.hex == carrier.hex and fighter.is_loaded and (fighter.unit, fighter.copy) in passenger_keys:
            passenger_keys.remove((fighter.unit, fighter.copy))
            unloaded_fighters[id(fighter)] = replace(
                fighter, hex=end, states=fighter.states - {"loaded"} | {"inverted"}
            )
    return unloaded_fighters


def _pick_targets(target_names: Sequence[str], carrier: Fighter, put: Sequence[Fighter]) -> tuple[Fighter, ...]:
    """Return the targets: the moving unit, or those that the player names among it and the units that it unloads."""
    chosen_targets = pick_fighters((carrier, *put), target_names, "spends points there") if target_names else (carrier,)
    if len({fighter.hex for fighter in chosen_targets}) > 1:
        raise BadQuestion("all units attacked in one attack are in one hex (Basic VI.C.4)")
    return chosen_targets


def _target(game: Game, field: Field, everyone: Sequence[Fighter], request: AttackRequest, start: Hex) -> Fighter:
    candidates = [fighter for fighter in everyone if fighter.hex == start and fighter.counter and not fighter.is_loaded]
    if request.targets:
        named_fighters = [fighter for fighter in candidates if any(fighter.matches(word) for word in request.targets)]
        riders = [fighter for fighter in everyone if fighter.hex == start and fighter.is_loaded]
        carriers = [fighter for fighter in candidates if any(word.startswith("carries") for word in fighter.abilities)]
        candidates = named_fighters or (
            carriers if any(rider.matches(word) for rider in riders for word in request.targets) else []
        )
    if not candidates:
        raise BadQuestion(f"no unit that can move is in {field.hex_map.name(start)} (Basic V.A)")
    if len({fighter.unit for fighter in candidates}) > 1:
        names = ", ".join(sorted({fighter.unit for fighter in candidates}))
        raise BadQuestion(f"several units are in {field.hex_map.name(start)}; name the moving unit: --targets {names}")
    return candidates[0]


# --- mines, interdiction and quick marches ----------------------------------------------------------------------------


Fate = Literal["through", "stopped", "dispersed", "eliminated"]
NO_RESULT: Mapping[str, Fraction] = MappingProxyType({"-": Fraction(1)})


class Blast(NamedTuple):
    """One attack during the move: its cause, the unit's place when it is hit, and the chances."""

    kind: str
    place: int
    chances: Mapping[str, Fraction]
    rule: str


class Ending(NamedTuple):
    """How a move may end, and where."""

    fate: Fate
    place: int


@dataclass(frozen=True)
class Hazards:
    """The attacks on a path, and the chance of each ending. The chances add up to 1."""

    blasts: tuple[Blast, ...]
    endings: Mapping[Ending, Fraction]


def hazards(mover: MovingUnit, way: PlannedMove) -> Hazards:
    """Return the attacks along a path in their order: interdiction, the mine left, the mine entered; last the quick
    march.

    Interdiction stops a unit before it spends (Advanced III.D.6); a mine disperses it in its place (Standard V.E.2).
    Either ends a quick march, whose price is due at once (Advanced II.C.2.d).
    """
    field, is_either_hex = mover.field, mover.field.value("ruling.interdiction_hex") == "either"
    blasts: list[Blast] = []
    endings: dict[Ending, Fraction] = {}
    alive, has_moved, end = Fraction(1), False, mover.placed_unit.place
    for spending in way.spendings:
        start, end = spending.start, spending.end
        if not mover.air and (_is_interdicted(field, start) or (is_either_hex and _is_interdicted(field, end))):
            chances = _interdiction(mover)
            blasts.append(Blast("interdiction", start, chances, "Advanced III.D"))
            alive = _split(endings, alive, chances, Ending("stopped", start), _price(mover, has_moved, False))
        for n, entering in ((start, False), (end, True)):
            minefield = _find_minefield(mover, n, entering) if start != end else ""
            if minefield:
                chances = _chances_against(mover, "minefield", minefield, entering=entering)
                blasts.append(Blast(minefield, n, chances, "Standard V.E.2"))
                alive = _split(
                    endings, alive, chances, Ending("dispersed", n), _price(mover, has_moved or entering, True)
                )
        has_moved = has_moved or start != end
    if mover.quick and end != mover.placed_unit.place:
        chances = _quick_march(mover)
        blasts.append(Blast("quick march", end, chances, "Advanced II.C.2.d"))
        alive = _split(endings, alive, chances, Ending("dispersed", end))
    if alive:
        endings[Ending("through", end)] = alive
    return Hazards(tuple(blasts), MappingProxyType(endings))


def _find_minefield(mover: MovingUnit, n: int, entering: bool) -> str:
    """Return the minefield in a hex that attacks the unit (Standard V.E.2): not air units, flails, or engineers that
    enter."""
    fields = mover.placed_unit.fields
    if mover.air or fields["flail"] or (entering and fields["engineer_standard"]):
        return ""
    hex_markers = mover.field.markers_at(mover.field.map_index.places[n])
    return next((minefield for minefield in MINES if minefield in hex_markers), "")


def _is_interdicted(field: Field, n: int) -> bool:
    """Whether points spent in a hex draw interdiction fire (Advanced III.D.3)."""
    hex = field.map_index.places[n]
    assert isinstance(hex, Hex)
    return any("interdiction" in field.markers_at(near_hex) for near_hex in (hex, *neighbours(hex)))


def _interdiction(mover: MovingUnit) -> Mapping[str, Fraction]:
    """Return the effect of interdiction fire on a unit (Advanced III.D.5): the odds are fixed, so any battery that
    is strong enough will do."""
    game = mover.field.game
    batteries = (u for u in game.units.values() if "indirect_fire" in u.abilities and u.factors["weapon"] == "(H)")
    battery = max(batteries, key=lambda u: (Fraction(str(u.factors["attack"])), u.id))
    return _chances_against(mover, "interdiction", battery.id)


def _chances_against(
    mover: MovingUnit, attack: str, attacker: str = "", states: Sequence[str] = (), **inputs: AttackValue
) -> Mapping[str, Fraction]:
    """Return the chances of each result of an attack on the unit that moves."""
    game, shape = mover.field.game, mover.field.game.attacks[attack]
    attackers = [unit_fields(game, attacker)] if attacker else []
    groups = {shape.attackers: attackers, shape.defenders: [unit_fields(game, mover.unit, states)]}
    return odds(game, attack, groups, inputs).targets[0].chances


def _quick_march(mover: MovingUnit, is_dispersed: bool = False) -> Mapping[str, Fraction]:
    """Return the attack on a unit after its quick march, dispersed during the move or not (Advanced II.C.2.d)."""
    return _chances_against(mover, "quick_march", states=["dispersed"] * is_dispersed)


def _price(mover: MovingUnit, has_moved: bool, is_dispersed: bool) -> Mapping[str, Fraction]:
    """Return the effect of the end of a quick march on a unit that is stopped during its move; nothing if it marched
    no hex."""
    is_paid = mover.quick and has_moved and mover.field.value("ruling.quick_march_stopped") == "paid"
    return _quick_march(mover, is_dispersed) if is_paid else NO_RESULT


def _split(
    endings: dict[Ending, Fraction],
    alive: Fraction,
    chances: Mapping[str, Fraction],
    hit: Ending,
    price: Mapping[str, Fraction] = NO_RESULT,
) -> Fraction:
    """Split the chance to be still moving by the attack's effects, and return the rest. A unit that is hit and ends
    its move pays the price; DD kills it if it is already dispersed."""
    onward = ZERO
    for code, chance in chances.items():
        if code == "-":
            onward += alive * chance
            continue
        for price_code, its_chance in (price if code != "X" else NO_RESULT).items():
            fate: Fate = hit.fate if price_code == "-" else "dispersed"
            if "X" in (code, price_code) or (price_code == "DD" and hit.fate == "dispersed"):
                fate = "eliminated"
            ending = Ending(fate, hit.place)
            endings[ending] = endings.get(ending, ZERO) + alive * chance * its_chance
    return onward

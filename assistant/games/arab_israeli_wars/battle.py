"""A battle in a question: read from a position."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.attack import AttackValue
from assistant.engine.field import Field
from assistant.engine.roster import roster
from assistant.games.arab_israeli_wars.forces import (
    MINES,
    RECORDED_ATTACKS,
    AskedAttack,
    Fighter,
    attack_kind,
    counter_fighter,
    pick_fighters,
    seats,
    with_carrier,
)
from assistant.questions.answer import BadQuestion
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.position import Position
from scenarios.model.scenario import Support
from scenarios.reading.findings import suggest

ON_ALL = {"close_assault": "Standard II.C.3.b", "overrun": "Standard II.D.4.b", "indirect_fire": "Standard II.A.5.d"}
"""Attacks on all units in a hex, and the rule that says so."""
STRIKE = ("points", "kind", "carried")
"""The inputs of a strike. A unit without a strike doesn't have them."""


@dataclass(frozen=True)
class AttackRequest:
    """A player's question about a position."""

    attack: str = "direct_fire"
    source_hexes: tuple[Hex, ...] = ()
    hex: Hex | None = None
    firers: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    support: tuple[str, ...] = ()
    """Batteries and air strikes of the Situation, by name, each once."""
    destructive: str = ""
    """The target of all fire in a destructive attack."""
    overrun: Hex | None = None
    side: str = ""
    is_seen: bool | None = None
    """Whether a friend sees the hex that indirect fire is written for."""
    inputs: Mapping[str, AttackValue] = dataclasses.field(default_factory=dict)
    firer_inputs: Mapping[str, AttackValue] = dataclasses.field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The pack's attack."""
        return attack_kind(self.attack)


def on_the_map(field: Field, position: Position) -> tuple[Fighter, ...]:
    """Return every unit and marker of a position that is in a hex."""
    game, sides = field.game, roster(field.game, position.scenario)
    fighters = [
        counter_fighter(game, piece.unit, sides.side(piece), piece.nation, piece.at, piece.states, copy=piece.copy)
        for piece in position.pieces
        if isinstance(piece.at, Hex)
    ]
    return seat_passengers(field, fighters)


def seat_passengers(field: Field, fighters: Sequence[Fighter]) -> tuple[Fighter, ...]:
    """Return the fighters, each passenger with its carrier (Basic V.B.5)."""
    seated_fighters = list(fighters)
    for rider, carrier in seats(field, [fighter.piece for fighter in fighters]).items():
        states = with_carrier(seated_fighters[rider].states, seated_fighters[carrier].states)
        seated_fighters[rider] = replace(seated_fighters[rider], carrier=seated_fighters[carrier], states=states)
    return tuple(seated_fighters)


def battle_from(game: Game, field: Field, everyone: tuple[Fighter, ...], request: AttackRequest) -> AskedAttack:
    """Return the battle of a question. A unit's refusals appear when the battle is resolved."""
    kind, hexes = request.kind, [request.hex]
    if request.overrun is not None and kind != "opportunity_fire":
        raise BadQuestion(
            "units that overrun are targets of opportunity fire; add --attack opportunity_fire (Standard II.E.5)"
        )
    units = tuple(fighter for fighter in everyone if fighter.counter)
    if kind == "minefield":
        return _mines(game, field, everyone, request)
    if kind == "clear_mines":
        minefield = _find_minefield(field, everyone, request.hex)
        engineers = [f for f in units if f.hex == request.hex and "engineer_standard" in f.abilities]
        firers = pick_fighters(engineers, request.firers, "clears mines there")
        if not firers:
            raise _nobody(field, hexes, "no combat engineer is", "Standard VII.A")
        return AskedAttack(game, request.attack, firers, (minefield,), field, request.inputs, units)
    if kind == "quick_march":
        candidates = [fighter for fighter in units if fighter.hex == request.hex and not fighter.is_loaded]
        marchers = pick_fighters(candidates, request.targets, "stands there")
        if not marchers:
            raise _nobody(field, hexes, "no unit is", "Basic V.A")
        return AskedAttack(game, request.attack, (), marchers, None, request.inputs, ())
    firers = _firers(game, field, units, request)
    targets = _targets(everyone, request, firers[0].side)
    if not targets and kind != "interdiction":
        raise _nobody(field, hexes, "no enemy is")
    return AskedAttack(
        game,
        request.attack,
        firers,
        targets,
        field,
        request.inputs,
        units,
        request.overrun,
        request.hex if kind in RECORDED_ATTACKS else None,
        request.is_seen,
    )


def could_fire(battle: AskedAttack) -> Iterator[Fighter]:
    """Yield the other units of the firers' side, for `what if`."""
    firer_ids, side = set(map(id, battle.firers)), battle.firers[0].side
    for fighter in battle.everyone:
        if fighter.side == side and id(fighter) not in firer_ids and not fighter.is_loaded:
            yield fighter


def _firers(game: Game, field: Field, units: Sequence[Fighter], request: AttackRequest) -> tuple[Fighter, ...]:
    sources = request.source_hexes or _sources(field, units, request)
    candidates = [fighter for fighter in units if fighter.hex in sources]
    sides = list(dict.fromkeys(fighter.side for fighter in candidates if fighter.side))
    if request.side:
        candidates = [fighter for fighter in candidates if fighter.side == request.side]
    elif len(sides) > 1:
        raise BadQuestion(f"units of both sides are there; choose the side with --side {' or --side '.join(sides)}")
    if not candidates and not request.support:
        raise _nobody(field, sources)
    if request.attack == "air_strike" and not request.firers:
        candidates = [fighter for fighter in candidates if "air_strike" in fighter.abilities]
    firers = pick_fighters(candidates, request.firers, "stands in those hexes")
    if not request.firers:  # passengers are ignored (Basic V.B.6), except those that might join in (Advanced II.A)
        firers = tuple(f for f in firers if not f.is_loaded or "special_infantry" in f.abilities)
    firers = tuple(arm_firer(game, field, fighter, request) for fighter in firers)
    side = firers[0].side if firers else request.side
    firers += tuple(support(game, field, name, side, request) for name in request.support)
    if not firers:
        raise _nobody(field, sources)
    return firers


def _sources(field: Field, units: Sequence[Fighter], request: AttackRequest) -> tuple[Hex, ...]:
    """Return the hexes of the attackers where only the attackers are named."""
    if not request.firers:
        return ()
    own_fighters = [fighter for fighter in units if request.side in ("", fighter.side)]
    source_hexes: dict[Hex, None] = {}
    for word, fighter in zip(request.firers, pick_fighters(own_fighters, request.firers, "is on the map"), strict=True):
        hexes = dict.fromkeys(
            namesake.hex for namesake in own_fighters if namesake.matches(word) and namesake.hex is not None
        )
        if len(hexes) > 1:
            hex_names = " and ".join(map(field.hex_map.name, hexes))
            raise BadQuestion(
                f"{fighter.name} stands in {hex_names}; name the hex it attacks from: from=HEX (Basic VI.A.1)"
            )
        source_hexes |= hexes
    return tuple(source_hexes)


def arm_firer(game: Game, field: Field, fighter: Fighter, request: AttackRequest) -> Fighter:
    """Return a firer with its inputs. It brings the strike that a Situation gives it. In attacks other than air
    strikes it does so only where it has no strength of its own, because it attacks with one or the other
    (Advanced I.E.7.f)."""
    shape = game.attacks[request.kind]
    brings_strike = request.attack == "air_strike" or "air_strike_only" in fighter.abilities
    strike = carried_strike(game, field, fighter.unit) if brings_strike else {}
    inputs = {key: value for key, value in strike.items() if key in shape.groups[shape.attackers].inputs}
    may_strike = "air_strike" in fighter.abilities
    inputs |= {key: value for key, value in request.firer_inputs.items() if key not in STRIKE or may_strike}
    return replace(fighter, inputs=inputs, aim=request.destructive) if inputs or request.destructive else fighter


def carried_strike(game: Game, field: Field, unit: str) -> dict[str, AttackValue]:
    """Return the strike that a Situation gives each of these air units to carry (Advanced I.C.1), such as '30 G'."""
    for effect in field.in_force("carried_air_strike"):
        if unit in effect.units:
            points, _, kind = effect.value.partition(" ")
            return {"points": int(points), "kind": kind, "carried": True}
    return {}


def named_support(game: Game, scenario_id: str, name: str, side: str = "") -> tuple[str, Support]:
    """Return a battery off the board or an air strike of a Situation by its name, and its side (Standard II.B,
    II.F)."""
    scenario = game.scenarios.get(scenario_id)
    supports_by_name = {
        support_unit.name: (owner, support_unit)
        for owner, force in (scenario.forces if scenario else {}).items()
        for support_unit in force.support
        if side in ("", owner)
    }
    if name not in supports_by_name:
        subject = f"Situation {scenario_id} has" if scenario else "without a Situation there is"
        hint = suggest(name, supports_by_name) if supports_by_name else "name a Situation"
        raise BadQuestion(f"{subject} no support named {name!r}; {hint}")
    return supports_by_name[name]


def support(game: Game, field: Field, name: str, side: str, request: AttackRequest) -> Fighter:
    """Return a support of the Situation as a firer."""
    owner, support_unit = named_support(game, field.position.scenario, name, side)
    inputs = strike_inputs(support_unit) | dict(request.firer_inputs)
    return Fighter(
        "support",
        name,
        owner,
        support_unit.nation,
        inputs=inputs,
        weapon=support_unit.weapon,
        aim=request.destructive,
    )


def strike_inputs(support_unit: Support) -> dict[str, AttackValue]:
    """Return the inputs that a support gives an attack: points and weapon of a strike, points of a battery."""
    points = support_unit.strength or 0
    is_strike = support_unit.kind == "air_strike"
    return {"points": points, "kind": support_unit.weapon} if is_strike else {"off_board": points}


def _targets(everyone: Sequence[Fighter], request: AttackRequest, side: str) -> tuple[Fighter, ...]:
    """Return the enemies in the hex without passengers (Basic V.B.6.b); a bridge only where it is named. Some
    attacks are on all of them."""
    kind = request.kind
    names = [word.partition("#")[0] for word in request.targets]
    units = [
        fighter
        for fighter in everyone
        if fighter.hex == request.hex
        and not fighter.is_loaded
        and not (kind in RECORDED_ATTACKS and fighter.flies)
        and (fighter.unit in names or (fighter.counter and fighter.side != side))
    ]
    targets = pick_fighters(units, request.targets, "is an enemy there")
    if kind in ON_ALL and any(fighter not in targets and not fighter.flies for fighter in units):
        raise BadQuestion(f"this attack is on all units in the hex, not on single units ({ON_ALL[kind]})")
    return targets


def _mines(game: Game, field: Field, everyone: Sequence[Fighter], request: AttackRequest) -> AskedAttack:
    """Return the attack of a minefield on units that enter its hex from another, or leave it (Standard V.E.2)."""
    minefield = _find_minefield(field, everyone, request.hex)
    hexes = request.source_hexes or (request.hex,)
    movers = [fighter for fighter in everyone if fighter.hex in hexes and fighter.counter and not fighter.is_loaded]
    targets = pick_fighters(movers, request.targets or request.firers, "stands there")
    if not targets:
        raise _nobody(field, hexes)
    battle_inputs = {"entering": bool(request.source_hexes), **request.inputs}
    # A minefield attacks each mover in its own hex or an adjacent one: distance doesn't matter.
    return AskedAttack(game, "minefield", (minefield,), targets, None, battle_inputs, ())


def _find_minefield(field: Field, everyone: Sequence[Fighter], mine_hex: Hex | None) -> Fighter:
    for fighter in everyone:
        if fighter.hex == mine_hex and fighter.unit in MINES:
            return fighter
    raise _nobody(field, [mine_hex], "no minefield is", "Standard V.E")


def _nobody(
    field: Field, hexes: Sequence[Hex | None], subject: str = "no unit is", rule: str = "Basic VI.A.1"
) -> BadQuestion:
    names = ", ".join(field.hex_map.name(hex) for hex in hexes if hex is not None) or "any of the named hexes"
    return BadQuestion(f"{subject} in {names} ({rule})")

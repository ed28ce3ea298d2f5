"""A battle from a position: who is in which hex, and who of them is meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assistant.attacks import BadQuestion, Value
from assistant.games.arab_israeli_wars.battle import MINES, OTHER_NAMES, WRITTEN, Battle, Fighter, picked
from assistant.games.arab_israeli_wars.carriers import seats, with_carrier
from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.roster import roster
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.position import Position
from scenarios.reading.findings import instead
from scenarios.scenario import Support

ON_ALL = {"close_assault": "Standard II.C.3.b", "overrun": "Standard II.D.4.b", "indirect_fire": "Standard II.A.5.d"}
"""Attacks on everybody in a hex, and the rule that says so."""
STRIKE = ("points", "kind", "carried")
"""What is told of a strike, and so of nobody who carries none."""


@dataclass(frozen=True)
class Asked:
    """What a player asks of a position."""

    attack: str = "direct_fire"
    from_: tuple[Hex, ...] = ()
    at: Hex | None = None
    firers: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    support: tuple[str, ...] = ()
    """Batteries and air strikes of the Situation, by name, each once."""
    destructive: str = ""
    """The unit that all fire is written for, in a destructive attack."""
    overrun: Hex | None = None
    side: str = ""
    seen: bool | None = None
    """Whether a friend sees the hex that indirect fire is written down for."""
    told: Mapping[str, Value] = field(default_factory=dict)
    of_firers: Mapping[str, Value] = field(default_factory=dict)


def on_the_map(game: Game, position: Position) -> tuple[Fighter, ...]:
    """Every unit and marker of a position that stands in a hex."""
    sides = roster(game, position.scenario)
    scenario = game.scenarios.get(position.scenario)
    found = [
        Fighter(
            piece.unit,
            game.units[piece.unit].name if piece.unit in game.units else game.markers[piece.unit].name,
            sides.side(piece),
            piece.nation,
            piece.at,
            piece.states,
            copy=piece.copy,
        )
        for piece in position.pieces
        if isinstance(piece.at, Hex)
    ]
    return seated(game, found, scenario is None or scenario.level == "advanced")


def seated(game: Game, fighters: Sequence[Fighter], advanced: bool) -> tuple[Fighter, ...]:
    """The fighters, each passenger with its carrier (Basic V.B.5)."""
    found = list(fighters)
    for rider, carrier in seats(game, found, advanced).items():
        states = with_carrier(found[rider].states, found[carrier].states)
        found[rider] = replace(found[rider], carrier=found[carrier], states=states)
    return tuple(found)


def battle_from(game: Game, ground: Ground, everyone: tuple[Fighter, ...], asked: Asked) -> Battle:
    """The battle that a player asks about. What a unit may not do shows when it is worked out."""
    kind = OTHER_NAMES.get(asked.attack, asked.attack)
    if asked.overrun is not None and kind != "opportunity_fire":
        raise BadQuestion("units that overrun are under opportunity fire; add --attack opportunity_fire (Standard II.E.5)")
    units = tuple(one for one in everyone if one.unit in game.units)
    if kind == "minefield":
        return _mines(game, ground, everyone, asked)
    if kind == "clear_mines":
        mine = _mine(ground, everyone, asked.at)
        engineers = [
            one for one in units if one.at == asked.at and "engineer_standard" in game.units[one.unit].abilities
        ]
        firers = picked(engineers, asked.firers, "clears mines there") or _nobody(
            ground, asked.at, "no combat engineer is"
        )
        return Battle(game, asked.attack, firers, (mine,), ground, asked.told, units)
    if kind == "quick_march":
        there = [one for one in units if one.at == asked.at and "loaded" not in one.states]
        marched = picked(there, asked.targets, "stands there") or _nobody(ground, asked.at, "no unit is", "Basic V.A")
        return Battle(game, asked.attack, (), marched, None, asked.told, ())
    firers = _firers(game, ground, units, asked)
    side = firers[0].side
    targets = _targets(game, everyone, asked, side)
    if not targets and kind != "interdiction":
        _nobody(ground, asked.at, "no enemy is", "Basic VI.A.1")
    written = asked.at if kind in ("indirect_fire", "interdiction") else None
    return Battle(game, asked.attack, firers, targets, ground, asked.told, units, asked.overrun, written, asked.seen)


def could_fire(battle: Battle) -> Iterator[Fighter]:
    """The other units of the firers' side, for `what if`."""
    held = set(map(id, battle.firers))
    side = battle.firers[0].side
    for one in battle.everyone:
        if one.side == side and id(one) not in held and "loaded" not in one.states:
            yield one


def _firers(game: Game, ground: Ground, units: Sequence[Fighter], asked: Asked) -> tuple[Fighter, ...]:
    there = [one for one in units if one.at in asked.from_]
    sides = list(dict.fromkeys(one.side for one in there if one.side))
    if asked.side:
        there = [one for one in there if one.side == asked.side]
    elif len(sides) > 1:
        raise BadQuestion(f"units of both sides are there; say whose with --side {' or --side '.join(sides)}")
    if not there and not asked.support:
        raise _nobody_there(ground, asked.from_)
    passengers = [one for one in there if "loaded" in one.states]
    if asked.attack == "air_strike" and not asked.firers:
        there = [one for one in there if "air_strike" in game.units[one.unit].abilities]
    chosen = picked(there, asked.firers, "stands in those hexes")
    if not asked.firers:
        chosen = tuple(one for one in chosen if one not in passengers or _may_ride(game, one))
    told = [armed(game, ground, one, asked) for one in chosen]
    told += [
        one
        for name in asked.support
        for one in support(game, ground, name, told[0].side if told else asked.side, asked)
    ]
    if not told:
        raise _nobody_there(ground, asked.from_)
    return tuple(told)


def _may_ride(game: Game, one: Fighter) -> bool:
    """Passengers that might join in (Advanced II.A); the others are ignored (Basic V.B.6)."""
    return "special_infantry" in game.units[one.unit].abilities


def armed(game: Game, ground: Ground, one: Fighter, asked: Asked) -> Fighter:
    """A firer with what is told of it. The strike that a Situation gives it comes along; in other attacks than air
    strikes only where it has no strength of its own, as it attacks with one or the other (Advanced I.E.7.f)."""
    abilities = game.units[one.unit].abilities
    shape = game.attacks[OTHER_NAMES.get(asked.attack, asked.attack)]
    known = carried(game, ground, one.unit) if asked.attack == "air_strike" or "air_strike_only" in abilities else {}
    told = {key: value for key, value in known.items() if key in shape.groups[shape.attackers].inputs}
    told |= {key: value for key, value in asked.of_firers.items() if key not in STRIKE or "air_strike" in abilities}
    return replace(one, told=told, aim=asked.destructive) if told or asked.destructive else one


def carried(game: Game, ground: Ground, unit: str) -> dict[str, Value]:
    """The strike that a Situation gives each of these air units to carry (Advanced I.C.1), such as '30 G'."""
    scenario = game.scenarios.get(ground.scenario)
    for special in scenario.special if scenario else ():
        for one in special.effects:
            if one.effect == "carried_air_strike" and unit in one.units:
                points, _, kind = one.value.partition(" ")
                return {"points": int(points), "kind": kind, "carried": True}
    return {}


def support(game: Game, ground: Ground, name: str, side: str, asked: Asked) -> Iterator[Fighter]:
    """A battery off the board or an air strike of the Situation, by its name (Standard II.B, II.F)."""
    scenario = game.scenarios.get(ground.scenario)
    forces = scenario.forces if scenario else {}
    held = {one.name: (whose, one) for whose, force in forces.items() for one in force.support if side in ("", whose)}
    if name not in held:
        where = f"Situation {ground.scenario} has" if scenario else "without a Situation there is"
        raise BadQuestion(f"{where} no support called {name!r}; {instead(name, held) if held else 'name a Situation'}")
    whose, one = held[name]
    yield Fighter(
        "support", name, whose, one.nation, None, frozenset(), strike(one) | dict(asked.of_firers), "", one.weapon,
        asked.destructive,
    )  # fmt: skip


def strike(one: Support) -> dict[str, Value]:
    """What an attack is told of a support: points and weapon of a strike, points of a battery."""
    points = one.strength or 0
    return {"points": points, "kind": one.weapon} if one.kind == "air_strike" else {"off_board": points}


def _targets(game: Game, everyone: Sequence[Fighter], asked: Asked, side: str) -> tuple[Fighter, ...]:
    """The enemies in the hex, passengers left out (Basic V.B.6.b); a bridge only where it is named. Some attacks are
    on all of them."""
    there = [one for one in everyone if one.at == asked.at and "loaded" not in one.states]
    kind = OTHER_NAMES.get(asked.attack, asked.attack)
    if kind in WRITTEN:
        there = [one for one in there if one.unit not in game.units or not flies(game, one)]
    named = [word.partition("#")[0] for word in asked.targets]
    units = [one for one in there if (one.unit in game.units and one.side != side) or one.unit in named]
    chosen = picked(units, asked.targets, "is an enemy there")
    if kind in ON_ALL and any(one not in chosen and not flies(game, one) for one in units):
        raise BadQuestion(f"this attack is on all units in the hex, not on some ({ON_ALL[kind]})")
    return chosen


def flies(game: Game, one: Fighter) -> bool:
    """Whether it is in the air: an air unit that isn't down."""
    return one.unit in game.units and game.units[one.unit].class_ == "air" and "down" not in one.states


def _mines(game: Game, ground: Ground, everyone: Sequence[Fighter], asked: Asked) -> Battle:
    """A minefield against who enters its hex from another, or leaves it (Standard V.E.2)."""
    mine = _mine(ground, everyone, asked.at)
    hexes = asked.from_ or (asked.at,)
    movers = [one for one in everyone if one.at in hexes and one.unit in game.units and "loaded" not in one.states]
    targets = picked(movers, asked.targets or asked.firers, "stands there")
    if not targets:
        raise _nobody_there(ground, [hex for hex in hexes if hex is not None])
    told = {"entering": bool(asked.from_), **asked.told}
    # A minefield attacks each mover in its own hex or the next: distance plays no part.
    return Battle(game, "minefield", (mine,), targets, None, told, ())


def _mine(ground: Ground, everyone: Sequence[Fighter], at: Hex | None) -> Fighter:
    for one in everyone:
        if one.at == at and one.unit in MINES:
            return one
    raise _nobody_there(ground, [at] if at else [], "no minefield is", "Standard V.E")


def _nobody(ground: Ground, at: Hex | None, what: str, rule: str = "Standard VII.A") -> tuple[Fighter, ...]:
    raise _nobody_there(ground, [at] if at else [], what, rule)


def _nobody_there(
    ground: Ground, hexes: Sequence[Hex], what: str = "no unit is", rule: str = "Basic VI.A.1"
) -> BadQuestion:
    names = ", ".join(ground.table.name(hex) for hex in hexes) or "any hex that was named"
    return BadQuestion(f"{what} in {names} ({rule})")

"""A battle as it is asked about: from a position, or from a YAML file (docs/assistant.md says how one looks)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TypeVar

from assistant.answers import BadQuestion
from assistant.attack import Value, read_answer
from assistant.games.arab_israeli_wars.forces import (
    MINES,
    OTHER_NAMES,
    WRITTEN,
    Battle,
    Fighter,
    checked,
    field_on,
    picked,
    seats,
    with_carrier,
)
from assistant.games.arab_israeli_wars.questions import counter, hex_of
from assistant.rules.field import Field
from assistant.rules.roster import roster
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.inputs import Input as Asking
from scenarios.position import Piece, Position, nation_of
from scenarios.reading.findings import PackError, instead
from scenarios.reading.shapes import Findings, Record, noted, place, reader, record
from scenarios.scenario import Support
from scenarios.sources import IdField

# --- from a position -------------------------------------------------------------------------------------------------


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
    told: Mapping[str, Value] = dataclasses.field(default_factory=dict)
    of_firers: Mapping[str, Value] = dataclasses.field(default_factory=dict)


def on_the_map(game: Game, position: Position) -> tuple[Fighter, ...]:
    """Every unit and marker of a position that stands in a hex."""
    sides = roster(game, position.scenario)
    scenario = game.scenarios.get(position.scenario)
    found = [
        Fighter(
            piece.unit,
            counter(game, piece.unit).name,
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


def battle_from(game: Game, field: Field, everyone: tuple[Fighter, ...], asked: Asked) -> Battle:
    """The battle that a player asks about. What a unit may not do shows when it is worked out."""
    kind = OTHER_NAMES.get(asked.attack, asked.attack)
    if asked.overrun is not None and kind != "opportunity_fire":
        raise BadQuestion(
            "units that overrun are under opportunity fire; add --attack opportunity_fire (Standard II.E.5)"
        )
    units = tuple(one for one in everyone if one.unit in game.units)
    if kind == "minefield":
        return _mines(game, field, everyone, asked)
    if kind == "clear_mines":
        mine = _mine(field, everyone, asked.at)
        engineers = [
            one for one in units if one.at == asked.at and "engineer_standard" in game.units[one.unit].abilities
        ]
        firers = picked(engineers, asked.firers, "clears mines there")
        if not firers:
            raise _nobody(field, [asked.at], "no combat engineer is", "Standard VII.A")
        return Battle(game, asked.attack, firers, (mine,), field, asked.told, units)
    if kind == "quick_march":
        there = [one for one in units if one.at == asked.at and "loaded" not in one.states]
        marched = picked(there, asked.targets, "stands there")
        if not marched:
            raise _nobody(field, [asked.at], "no unit is", "Basic V.A")
        return Battle(game, asked.attack, (), marched, None, asked.told, ())
    firers = _firers(game, field, units, asked)
    side = firers[0].side
    targets = _targets(game, everyone, asked, side)
    if not targets and kind != "interdiction":
        raise _nobody(field, [asked.at], "no enemy is")
    written = asked.at if kind in ("indirect_fire", "interdiction") else None
    return Battle(game, asked.attack, firers, targets, field, asked.told, units, asked.overrun, written, asked.seen)


def could_fire(battle: Battle) -> Iterator[Fighter]:
    """The other units of the firers' side, for `what if`."""
    held = set(map(id, battle.firers))
    side = battle.firers[0].side
    for one in battle.everyone:
        if one.side == side and id(one) not in held and "loaded" not in one.states:
            yield one


def _firers(game: Game, field: Field, units: Sequence[Fighter], asked: Asked) -> tuple[Fighter, ...]:
    sources = asked.from_ or _sources(field, units, asked)
    there = [one for one in units if one.at in sources]
    sides = list(dict.fromkeys(one.side for one in there if one.side))
    if asked.side:
        there = [one for one in there if one.side == asked.side]
    elif len(sides) > 1:
        raise BadQuestion(f"units of both sides are there; say whose with --side {' or --side '.join(sides)}")
    if not there and not asked.support:
        raise _nobody(field, sources)
    if asked.attack == "air_strike" and not asked.firers:
        there = [one for one in there if "air_strike" in game.units[one.unit].abilities]
    chosen = picked(there, asked.firers, "stands in those hexes")
    if not asked.firers:  # passengers are ignored (Basic V.B.6), but for those that might join in (Advanced II.A)
        chosen = tuple(
            one for one in chosen if "loaded" not in one.states or "special_infantry" in game.units[one.unit].abilities
        )
    told = [armed(game, field, one, asked) for one in chosen]
    whose = told[0].side if told else asked.side
    told += [support(game, field, name, whose, asked) for name in asked.support]
    if not told:
        raise _nobody(field, sources)
    return tuple(told)


def _sources(field: Field, units: Sequence[Fighter], asked: Asked) -> tuple[Hex, ...]:
    """The hexes that the attackers stand in where only the attackers are named."""
    if not asked.firers:
        return ()
    own = [one for one in units if asked.side in ("", one.side)]
    found: dict[Hex, None] = {}
    for word, one in zip(asked.firers, picked(own, asked.firers, "is on the map"), strict=True):
        hexes = dict.fromkeys(other.at for other in own if other.called(word) and other.at is not None)
        if len(hexes) > 1:
            where = " and ".join(map(field.hex_map.name, hexes))
            raise BadQuestion(f"{one.name} stands in {where}; say from which hex it attacks: from=HEX (Basic VI.A.1)")
        found |= hexes
    return tuple(found)


def armed(game: Game, field: Field, one: Fighter, asked: Asked) -> Fighter:
    """A firer with what is told of it. The strike that a Situation gives it comes along; in other attacks than air
    strikes only where it has no strength of its own, as it attacks with one or the other (Advanced I.E.7.f)."""
    abilities = game.units[one.unit].abilities
    shape = game.attacks[OTHER_NAMES.get(asked.attack, asked.attack)]
    known = carried(game, field, one.unit) if asked.attack == "air_strike" or "air_strike_only" in abilities else {}
    told = {key: value for key, value in known.items() if key in shape.groups[shape.attackers].inputs}
    told |= {key: value for key, value in asked.of_firers.items() if key not in STRIKE or "air_strike" in abilities}
    return replace(one, told=told, aim=asked.destructive) if told or asked.destructive else one


def carried(game: Game, field: Field, unit: str) -> dict[str, Value]:
    """The strike that a Situation gives each of these air units to carry (Advanced I.C.1), such as '30 G'."""
    for one in field.in_force("carried_air_strike"):
        if unit in one.units:
            points, _, kind = one.value.partition(" ")
            return {"points": int(points), "kind": kind, "carried": True}
    return {}


def named_support(game: Game, scenario_id: str, name: str, side: str = "") -> tuple[str, Support]:
    """A battery off the board or an air strike of a Situation by its name, and whose it is (Standard II.B, II.F)."""
    scenario = game.scenarios.get(scenario_id)
    forces = scenario.forces if scenario else {}
    held = {one.name: (whose, one) for whose, force in forces.items() for one in force.support if side in ("", whose)}
    if name not in held:
        where = f"Situation {scenario_id} has" if scenario else "without a Situation there is"
        raise BadQuestion(f"{where} no support called {name!r}; {instead(name, held) if held else 'name a Situation'}")
    return held[name]


def support(game: Game, field: Field, name: str, side: str, asked: Asked) -> Fighter:
    """A support of the Situation as a firer."""
    whose, one = named_support(game, field.position.scenario, name, side)
    told = strike(one) | dict(asked.of_firers)
    return Fighter("support", name, whose, one.nation, told=told, weapon=one.weapon, aim=asked.destructive)


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


def _mines(game: Game, field: Field, everyone: Sequence[Fighter], asked: Asked) -> Battle:
    """A minefield against who enters its hex from another, or leaves it (Standard V.E.2)."""
    mine = _mine(field, everyone, asked.at)
    hexes = asked.from_ or (asked.at,)
    movers = [one for one in everyone if one.at in hexes and one.unit in game.units and "loaded" not in one.states]
    targets = picked(movers, asked.targets or asked.firers, "stands there")
    if not targets:
        raise _nobody(field, hexes)
    told = {"entering": bool(asked.from_), **asked.told}
    # A minefield attacks each mover in its own hex or the next: distance plays no part.
    return Battle(game, "minefield", (mine,), targets, None, told, ())


def _mine(field: Field, everyone: Sequence[Fighter], at: Hex | None) -> Fighter:
    for one in everyone:
        if one.at == at and one.unit in MINES:
            return one
    raise _nobody(field, [at], "no minefield is", "Standard V.E")


def _nobody(
    field: Field, hexes: Sequence[Hex | None], what: str = "no unit is", rule: str = "Basic VI.A.1"
) -> BadQuestion:
    names = ", ".join(field.hex_map.name(hex) for hex in hexes if hex is not None) or "any hex that was named"
    return BadQuestion(f"{what} in {names} ({rule})")


# --- from a file ------------------------------------------------------------------------------------------------------

T = TypeVar("T")
MOST = 99
"""Units of a kind in one battle."""


@record
class FighterShape(Record):
    """A unit (or several alike) in a battle file."""

    unit: IdField = noted("The counter, or a marker: a minefield, a bridge.", "")
    count: int = noted("How many of it.", 1)
    at: str = noted("Its hex.", "")
    nation: IdField = noted("Whose it is in this Situation, where that isn't its sheet's.", "")
    states: tuple[IdField, ...] = noted("The states it is in.", ())
    support: str = noted("Instead of a unit: a battery or air strike of the Situation, by name.", "")
    strike: str = noted("Instead of a unit: an air strike's weapon type.", "")
    battery: str = noted("Instead of a unit: an off-board battery's weapon type.", "")
    points: Fraction | None = noted("The strike's or the battery's attack points.", None)
    destructive: str = noted("The unit that destructive fire is written for.", "")
    told: Mapping[IdField, str] = noted("What else is told of it: distance, sees, ammunition, shielded ...", {})


@record
class BattleShape(Record):
    """A battle file."""

    game: IdField = noted("The game it is of.", "")
    attack: IdField = noted("The kind of attack.", "direct_fire")
    scenario: IdField = noted("The Situation: its map, its year.", "")
    map: str = noted("Or the boards, as in 'B / A'.", "")
    year: int | None = noted("The year, where no Situation says it.", None)
    works: Mapping[str, tuple[IdField, ...]] = noted("Markers by hex: {A-H-5: [fort]}.", {})
    firers: tuple[FighterShape, ...] = noted("Who attacks.")
    targets: tuple[FighterShape, ...] = noted("Who is attacked, all in one hex.", ())
    others: tuple[FighterShape, ...] = noted("Other units on the map, friends who spot for one.", ())
    target_hex: str = noted("For indirect fire: the hex written down, where it isn't the targets'.", "")
    seen: bool | None = noted("For indirect fire: whether a friend sees that hex.", None)
    overrun: str = noted("For opportunity fire at units just overrunning: the hex they overrun.", "")
    told: Mapping[IdField, str] = noted("What else is told of the battle: terrain, works, next_to ...", {})


def battle_file(game: Game, path: Path, rulings: Mapping[str, str] | None = None) -> Battle:
    """The battle of a file; PackError tells all that is wrong with it, by line and column."""
    from scenarios.reading.composing import read_nodes

    node, found = read_nodes(path)
    findings = Findings(found)
    if node is None:
        raise PackError(findings)
    shape: BattleShape = reader(BattleShape)(node, findings)
    if shape.game and shape.game != game.id:
        findings.at(place(shape, "game"), f"this battle is of {shape.game}, not of {game.id}")
    known = [*game.attacks, *OTHER_NAMES]
    if not findings and shape.attack not in known:
        findings.at(place(shape, "attack"), f"{game.id} has no attack {shape.attack!r}; {instead(shape.attack, known)}")
    if findings:
        raise PackError(findings)
    battle = _Maker(game, shape, findings, checked(game, rulings or {})).battle()
    if findings:
        raise PackError(findings)
    return battle


class _Maker:
    def __init__(self, game: Game, shape: BattleShape, findings: Findings, rulings: Mapping[str, str]) -> None:
        self.game, self.shape, self.findings, self.rulings = game, shape, findings, rulings
        self.sides = roster(game, shape.scenario)
        self.attack = game.attacks[OTHER_NAMES.get(shape.attack, shape.attack)]
        self.field = self._field()

    def tried(self, record: Record, key: str, make: Callable[[], T], *steps: str) -> T | None:
        """What is made of a value of the file; nothing, and a finding there, where nothing can be."""
        try:
            return make()
        except BadQuestion as error:
            self.findings.at(place(record, key, *steps), str(error))
            return None

    def _field(self) -> Field | None:
        shape = self.shape
        where, key = shape.scenario or shape.map, "scenario" if shape.scenario else "map"
        field = (
            self.tried(shape, key, lambda: field_on(self.game, where, year=shape.year, rulings=self.rulings))
            if where
            else None
        )
        if field is None or not shape.works:
            return field
        on = field
        return self.tried(
            shape, "works", lambda: on.with_markers({hex_of(on, hex): works for hex, works in shape.works.items()})
        )

    def battle(self) -> Battle:
        """The battle, which means nothing where there are findings."""
        game, shape = self.game, self.shape
        attackers, defenders = self.attack.groups[self.attack.attackers], self.attack.groups[self.attack.defenders]
        firers = tuple(one for held in shape.firers for one in self._fighters(held, attackers.inputs))
        targets = tuple(one for held in shape.targets for one in self._fighters(held, defenders.inputs))
        others = tuple(one for held in shape.others for one in self._fighters(held, {}))
        told = self._told(shape, self.attack.inputs)
        if shape.year is not None and self.field is None and "year" in self.attack.inputs:
            told.setdefault("year", Fraction(shape.year))
        overrun, written = self._hex(shape, "overrun", shape.overrun), self._hex(shape, "target_hex", shape.target_hex)
        if overrun is not None and shape.attack != "opportunity_fire":
            message = (
                "units that overrun are under opportunity fire: write `attack: opportunity_fire` (Standard II.E.5)"
            )
            self.findings.at(place(shape, "overrun"), message)
        if written is None and OTHER_NAMES.get(shape.attack, shape.attack) in WRITTEN and targets:
            written = targets[0].at
        scenario = game.scenarios.get(shape.scenario)
        if not self.findings:
            firers = seated(game, firers, scenario is None or scenario.level == "advanced")
        everyone = (*firers, *targets, *others) if others or self.field else ()
        return Battle(
            game, shape.attack, firers, targets, self.field, told, everyone, overrun, written, shape.seen, self.rulings
        )

    def _fighters(self, held: FighterShape, asked: Mapping[str, Asking]) -> list[Fighter]:
        """A unit, a marker, a battery or a strike, as often as it takes part."""
        game = self.game
        if not 0 <= held.count <= MOST:
            self.findings.at(place(held, "count"), f"{held.count} of a kind are in no battle; write 1 to {MOST}")
            return []
        told = self._told(held, asked)
        if held.support or held.strike or held.battery:
            return self._support(held, told) * held.count
        known = [*game.units, *game.markers]
        if held.unit not in known:
            node = place(held, "unit") if held.unit else place(held)
            self.findings.at(node, f"no counter sheet has {held.unit!r}; {instead(held.unit, known)}")
            return []
        for i, state in enumerate(held.states):
            if state not in game.states:
                self.findings.at(
                    place(held, "states", i), f"there is no state {state!r}; {instead(state, game.states)}"
                )
        if held.nation and held.nation not in game.nations:
            self.findings.at(
                place(held, "nation"), f"there is no nation {held.nation!r}; {instead(held.nation, game.nations)}"
            )
        nation = held.nation or nation_of(game, self.shape.scenario, held.unit)
        side, at = self.sides.side(Piece(held.unit, "", nation, "box:asked")), self._hex(held, "at", held.at)
        one = Fighter(
            held.unit,
            counter(game, held.unit).name,
            side,
            nation,
            at,
            frozenset(held.states),
            told,
            aim=held.destructive,
        )
        return [replace(one) for _ in range(held.count)]

    def _support(self, held: FighterShape, told: dict[str, Value]) -> list[Fighter]:
        weapon, nation = held.strike or held.battery, held.nation
        if held.support:
            found = self.tried(held, "support", lambda: named_support(self.game, self.shape.scenario, held.support))
            if found is None:
                return []
            one = found[1]
            name, weapon, nation, more = one.name, one.weapon, one.nation, strike(one)
        elif held.points is None:
            self.findings.at(place(held), "a strike or battery needs its `points`")
            return []
        elif held.strike:
            name, more = f"{weapon} strike", {"points": held.points, "kind": weapon}
        else:
            name, more = f"{weapon} battery", {"off_board": held.points}
        side = self.sides.side(Piece("", "", nation, "box:asked"))
        return [Fighter("support", name, side, nation, told={**more, **told}, weapon=weapon, aim=held.destructive)]

    def _hex(self, record: Record, key: str, name: str) -> Hex | None:
        field = self.field
        if name and field is not None:
            return self.tried(record, key, lambda: hex_of(field, name))
        if name and not (self.shape.scenario or self.shape.map):
            self.findings.at(place(record, key), f"{name} lies on no map; name the `scenario` or the `map`")
        return None

    def _told(self, record: FighterShape | BattleShape, asked: Mapping[str, Asking]) -> dict[str, Value]:
        result: dict[str, Value] = {}
        for key, text in record.told.items():
            if key not in asked:
                message = f"{self.shape.attack} asks nothing called {key!r}; {instead(key, asked)}"
                self.findings.at(place(record, "told", key), message)
            elif (
                value := self.tried(record, "told", partial(read_answer, self.game, key, asked[key], text), key)
            ) is not None:
                result[key] = value
        return result

"""A battle: who attacks whom, on which field, as told or from a position, and what is worked out of that for the pack's attacks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from assistant.answers import BadQuestion
from assistant.attack import Value, unit_fields
from assistant.games.arab_israeli_wars.questions import counter
from assistant.games.arab_israeli_wars.walk import seats, with_carrier
from assistant.rules.field import Field
from assistant.rules.roster import roster
from scenarios.attacks import Attack
from scenarios.game import Game
from scenarios.hexes import Hex, distance
from scenarios.position import Position
from scenarios.reading.findings import instead
from scenarios.scenario import Support

MINES = ("mine_1_1", "mine_2_1", "mine_3_1")
SEEN_FIRST = ("direct_fire", "opportunity_fire")
"""Attacks that need a line of sight from every firer (Basic VIII.B.1, Standard II.E.2.c)."""
NEXT_TO = {"close_assault": "Standard II.C.1.b", "overrun": "Standard II.D.2.b"}
"""Attacks on a neighbouring hex only, and the rule that says so."""
WRITTEN = ("indirect_fire", "interdiction")
"""Attacks that are written down a turn ahead (Standard II.A.1, Advanced III.A)."""
OTHER_NAMES = MappingProxyType({"anti_aircraft": "direct_fire", "neutralization": "indirect_fire"})


@dataclass(frozen=True)
class Fighter:
    """A unit in a battle (or a minefield, a bridge, an air strike, a battery off the board)."""

    unit: str
    name: str
    side: str = ""
    nation: str = ""
    at: Hex | None = None
    states: frozenset[str] = frozenset()
    told: Mapping[str, Value] = dataclasses.field(default_factory=dict)
    copy: str = ""
    weapon: str = ""
    """For what has no counter: its weapon type."""
    aim: str = ""
    """For destructive fire: the unit it is written for (Advanced III.C.1)."""
    bar: tuple[str, str] | None = None
    """Why it can't take part, and the rule, where that is known beforehand."""
    carrier: Fighter | None = None
    """For a passenger: who carries it (Basic V.B.5, Advanced II.A.2)."""

    def called(self, word: str) -> bool:
        """Whether a word of the player means this one: its id, or its id and number as in t_62#6421."""
        unit, _, copy = word.partition("#")
        return unit == self.unit and copy in ("", self.copy)


class Look(NamedTuple):
    """What one fighter sees of another."""

    clear: bool
    why: str = ""
    """What blocks, where the line isn't clear."""
    hull_down: bool = False
    by: str = ""
    """The hexside that shields."""


Looks = Callable[[Field, Fighter, Fighter], Look]


@dataclass(frozen=True)
class Battle:
    """An attack as it is asked about."""

    game: Game
    attack: str
    firers: tuple[Fighter, ...]
    targets: tuple[Fighter, ...]
    field: Field | None = None
    told: Mapping[str, Value] = dataclasses.field(default_factory=dict)
    """What the player says of the battle; it goes before what is worked out."""
    everyone: tuple[Fighter, ...] = ()
    """Every unit on the map, for spotting."""
    overrun: Hex | None = None
    """In opportunity fire at units that are just overrunning: the hex they overrun."""
    target_hex: Hex | None = None
    """For indirect fire: the hex written down, where it isn't the targets'."""
    seen: bool | None = None
    """For indirect fire: whether a friend sees that hex; worked out where nobody says."""
    rulings: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """The readings chosen for this question, where no field has them."""

    @property
    def kind(self) -> str:
        """The pack's attack."""
        return OTHER_NAMES.get(self.attack, self.attack)

    @property
    def shape(self) -> Attack:
        """The pack's declaration; BadQuestion if there is none."""
        if self.kind not in self.game.attacks:
            known = [*self.game.attacks, *OTHER_NAMES]
            raise BadQuestion(f"{self.game.id} has no attack {self.attack!r}; {instead(self.attack, known)}")
        return self.game.attacks[self.kind]

    @cached_property
    def at(self) -> Hex | None:
        """The hex attacked. All defenders are in one (Basic VI.C.4), but for interdiction, which has a hex of its own."""
        if self.kind == "interdiction" and self.target_hex is not None:
            return self.target_hex
        hexes = {target.at for target in self.targets if target.at is not None}
        if len(hexes) > 1:
            raise BadQuestion("all units attacked in one attack are in one hex (Basic VI.C.4)")
        return next(iter(hexes), self.target_hex)

    @property
    def fired_at(self) -> Hex | None:
        """The hex that distances count to: indirect fire keeps the one written down (Standard II.A.4.e)."""
        return self.target_hex or self.at

    @property
    def advanced(self) -> bool:
        """Whether the Advanced Rules hold: in their Situations, and where no Situation is named."""
        scenario = self.game.scenarios.get(self.field.position.scenario) if self.field else None
        return scenario is None or scenario.level == "advanced"

    @property
    def in_situation(self) -> bool:
        """Whether a Situation says whose units are whose (The Situations A.3.b)."""
        return self.field is not None and bool(self.field.position.scenario)

    def reading(self, ruling: str) -> str:
        """The reading of a ruling that holds."""
        if self.field is not None:
            return str(self.field.value(f"ruling.{ruling}"))
        return self.rulings.get(ruling) or self.game.rulings[ruling].choice

    def overrun_from(self, firer: Fighter) -> bool:
        """Whether a firer is in the hex that the targets are just overrunning: nothing shields them from it (Standard
        II.E.5.e)."""
        return self.overrun is not None and firer.at == self.overrun

    def inputs(self) -> dict[str, Value]:
        """What the attack asks of the battle, as far as the field tells it; then what the player says."""
        known: dict[str, Value] = dict(_of_the_hex(self)) if self.field is not None else {}
        if self.reading("smoke_die") == "minus":
            known["smoke_as_printed"] = True
        return {key: value for key, value in known.items() if key in self.shape.inputs} | dict(self.told)

    def firer_fields(self, firer: Fighter, look: Look | None) -> dict[str, Value]:
        """A firer's fields, with distance, sight and army."""
        fields = _fields(self.game, firer, self.in_situation)
        asked = self.shape.groups[self.shape.attackers].inputs
        known: dict[str, Value] = {}
        if firer.at is not None and self.fired_at is not None:
            known["distance"] = distance(firer.at, self.fired_at)
        if look is not None:
            known["sees"] = look.clear
        known["overrun_by_them"] = self.overrun_from(firer)
        if self.kind in NEXT_TO:
            known["carried"] = "loaded" in firer.states
        if self.field is not None and firer.at is not None:
            known["works_here"] = bool(_obstacles(self.field, firer.at))
        return fields | {key: value for key, value in known.items() if key in asked} | dict(firer.told)

    def target_fields(self, target: Fighter, shielded: bool) -> dict[str, Value]:
        """A defender's fields. A unit that moves is spotted wherever it is seen (Standard II.E.1.b)."""
        fields = _fields(self.game, target, self.in_situation)
        if self.kind == "opportunity_fire":
            fields["spotted"] = True
        if "shielded" in self.shape.groups[self.shape.defenders].inputs and shielded:
            fields["shielded"] = True
        return fields | dict(target.told)


def _fields(game: Game, fighter: Fighter, in_situation: bool) -> dict[str, Value]:
    """What expressions see of a fighter. Its army is the Situation's, even where that leaves it open; without a Situation
    it is its sheet's."""
    if not fighter.weapon:
        fields = unit_fields(game, fighter.unit, sorted(fighter.states))
        return fields | {"nation": fighter.nation} if fighter.nation or in_situation else fields
    bare: dict[str, Value] = {key: 0 if f.kind == "number" else "" for key, f in game.factors.items()}
    some = unit_fields(game, next(iter(game.units)))
    bare |= {key: False for key, value in some.items() if isinstance(value, bool)}
    texts = {"id": fighter.unit, "name": fighter.name, "nation": fighter.nation, "side": fighter.side}
    return bare | {"class": "", "type": "", "size": "", "steps": 1} | texts | {"weapon": fighter.weapon, "target": "NA"}


def _of_the_hex(battle: Battle) -> Iterator[tuple[str, Value]]:
    """What the field tells of the hex attacked: terrain, works, smoke, who is next to it; and the year."""
    field, at = battle.field, battle.at
    assert field is not None
    yield "year", field.value("year")
    yield "reduced_visibility", bool(field.in_force("no_doubling"))
    if battle.overrun is not None:
        yield "overrunning", True
    if at is None:
        return
    yield "terrain", field.kinds.terrain(at)
    markers = field.markers_at(at)
    yield "works", next((work for work in ("fort", "improved_position") if work in markers), "none")
    yield "in_smoke", "smoke" in markers
    yield "next_to", any(True for one in spotters(battle) if one.at is not None and distance(one.at, at) == 1)
    yield "obstacle", bool(_obstacles(field, at) - {"fort"})
    yield "minefield", not markers.isdisjoint(MINES)


def _obstacles(field: Field, hex: Hex) -> frozenset[str]:
    """What forbids overruns into and out of a hex (Standard II.D.3; bridges V.H.4.a)."""
    return field.markers_at(hex) & {*MINES, "trench", "block", "bridge", "fort"}


def spot_apart(battle: Battle) -> bool:
    """Whether each army spots for its own indirect fire only (S-12)."""
    return battle.field is not None and bool(battle.field.in_force("no_shared_spotting"))


def spotters(battle: Battle) -> Iterator[Fighter]:
    """Undispersed enemies of the targets that can spot: no trucks nor who rides in them (Basic VII.D.5), no airplanes
    (Advanced I.C.3.b)."""
    side = battle.firers[0].side if battle.firers else ""
    for one in battle.everyone or battle.firers:
        unit = battle.game.units.get(one.unit)
        if unit is None or one.side != side or one.at is None or one.states & {"dispersed", "loaded"}:
            continue
        if "no_spotting" in unit.abilities or unit.type == "jet":
            continue
        yield one


def every_look(battle: Battle, looks: Looks | None) -> Mapping[tuple[int, int], Look]:
    """What each firer sees of each target, by their places; nothing where there is no field to look over."""
    if looks is None or battle.field is None or battle.kind not in SEEN_FIRST:
        return {}
    pairs: dict[tuple[Hex, str, frozenset[str], Hex, str, frozenset[str]], Look] = {}
    found = {}
    for i, firer in enumerate(battle.firers):
        for j, target in enumerate(battle.targets):
            if firer.at is None or target.at is None:
                continue
            key = (firer.at, firer.unit, firer.states, target.at, target.unit, target.states)
            if key not in pairs:
                pairs[key] = looks(battle.field, firer, target)
            found[i, j] = pairs[key]
    return found


def picked(fighters: Sequence[Fighter], words: Sequence[str], what: str) -> tuple[Fighter, ...]:
    """Those of the fighters that the player names, each word once; all where none is named."""
    if not words:
        return tuple(fighters)
    left = list(fighters)
    result = []
    for word in words:
        one = next((fighter for fighter in left if fighter.called(word)), None)
        if one is None:
            here = sorted({fighter.unit for fighter in fighters})
            raise BadQuestion(f"no {word!r} {what}; {instead(word.partition('#')[0], here) if here else 'nobody is there'}")
        left.remove(one)
        result.append(one)
    return tuple(result)

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
        Fighter(piece.unit, counter(game, piece.unit).name, sides.side(piece), piece.nation, piece.at, piece.states, copy=piece.copy)
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
        raise BadQuestion("units that overrun are under opportunity fire; add --attack opportunity_fire (Standard II.E.5)")
    units = tuple(one for one in everyone if one.unit in game.units)
    if kind == "minefield":
        return _mines(game, field, everyone, asked)
    if kind == "clear_mines":
        mine = _mine(field, everyone, asked.at)
        engineers = [one for one in units if one.at == asked.at and "engineer_standard" in game.units[one.unit].abilities]
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
    there = [one for one in units if one.at in asked.from_]
    sides = list(dict.fromkeys(one.side for one in there if one.side))
    if asked.side:
        there = [one for one in there if one.side == asked.side]
    elif len(sides) > 1:
        raise BadQuestion(f"units of both sides are there; say whose with --side {' or --side '.join(sides)}")
    if not there and not asked.support:
        raise _nobody(field, asked.from_)
    if asked.attack == "air_strike" and not asked.firers:
        there = [one for one in there if "air_strike" in game.units[one.unit].abilities]
    chosen = picked(there, asked.firers, "stands in those hexes")
    if not asked.firers:  # passengers are ignored (Basic V.B.6), but for those that might join in (Advanced II.A)
        chosen = tuple(one for one in chosen if "loaded" not in one.states or "special_infantry" in game.units[one.unit].abilities)
    told = [armed(game, field, one, asked) for one in chosen]
    whose = told[0].side if told else asked.side
    told += [support(game, field, name, whose, asked) for name in asked.support]
    if not told:
        raise _nobody(field, asked.from_)
    return tuple(told)


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


def _nobody(field: Field, hexes: Sequence[Hex | None], what: str = "no unit is", rule: str = "Basic VI.A.1") -> BadQuestion:
    names = ", ".join(field.hex_map.name(hex) for hex in hexes if hex is not None) or "any hex that was named"
    return BadQuestion(f"{what} in {names} ({rule})")

"""A battle in a question: from a position, or from a YAML file (docs/assistant.md describes its form)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TypeVar

from assistant.attack import AttackValue, read_answer
from assistant.engine.field import Field
from assistant.engine.roster import roster
from assistant.games.arab_israeli_wars.forces import (
    MINES,
    OTHER_NAMES,
    RECORDED_ATTACKS,
    AskedAttack,
    Fighter,
    check_rulings,
    field_on,
    pick_fighters,
    seats,
    with_carrier,
)
from assistant.games.arab_israeli_wars.questions import counter, hex_of
from assistant.questions.answer import BadQuestion
from scenarios.model.attack_inputs import AttackInput
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.position import Piece, Position, nation_of
from scenarios.model.scenario import Support
from scenarios.model.sources import IdField
from scenarios.reading.findings import PackError, suggest
from scenarios.reading.shapes import Findings, Record, documented_field, place, reader, record

# --- from a position -------------------------------------------------------------------------------------------------


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


def on_the_map(game: Game, position: Position) -> tuple[Fighter, ...]:
    """Return every unit and marker of a position that is in a hex."""
    sides = roster(game, position.scenario)
    scenario = game.scenarios.get(position.scenario)
    fighters = [
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
    return seat_passengers(game, fighters, scenario is None or scenario.level == "advanced")


def seat_passengers(game: Game, fighters: Sequence[Fighter], is_advanced: bool) -> tuple[Fighter, ...]:
    """Return the fighters, each passenger with its carrier (Basic V.B.5)."""
    seated_fighters = list(fighters)
    for rider, carrier in seats(game, [fighter.piece for fighter in fighters], is_advanced).items():
        states = with_carrier(seated_fighters[rider].states, seated_fighters[carrier].states)
        seated_fighters[rider] = replace(seated_fighters[rider], carrier=seated_fighters[carrier], states=states)
    return tuple(seated_fighters)


def battle_from(game: Game, field: Field, everyone: tuple[Fighter, ...], request: AttackRequest) -> AskedAttack:
    """Return the battle of a question. A unit's refusals appear when the battle is resolved."""
    kind = OTHER_NAMES.get(request.attack, request.attack)
    if request.overrun is not None and kind != "opportunity_fire":
        raise BadQuestion(
            "units that overrun are targets of opportunity fire; add --attack opportunity_fire (Standard II.E.5)"
        )
    units = tuple(fighter for fighter in everyone if fighter.unit in game.units)
    if kind == "minefield":
        return _mines(game, field, everyone, request)
    if kind == "clear_mines":
        minefield = _find_minefield(field, everyone, request.hex)
        engineers = [
            fighter
            for fighter in units
            if fighter.hex == request.hex and "engineer_standard" in game.units[fighter.unit].abilities
        ]
        firers = pick_fighters(engineers, request.firers, "clears mines there")
        if not firers:
            raise _nobody(field, [request.hex], "no combat engineer is", "Standard VII.A")
        return AskedAttack(game, request.attack, firers, (minefield,), field, request.inputs, units)
    if kind == "quick_march":
        candidates = [fighter for fighter in units if fighter.hex == request.hex and "loaded" not in fighter.states]
        marchers = pick_fighters(candidates, request.targets, "stands there")
        if not marchers:
            raise _nobody(field, [request.hex], "no unit is", "Basic V.A")
        return AskedAttack(game, request.attack, (), marchers, None, request.inputs, ())
    firers = _firers(game, field, units, request)
    side = firers[0].side
    targets = _targets(game, everyone, request, side)
    if not targets and kind != "interdiction":
        raise _nobody(field, [request.hex], "no enemy is")
    target_hex = request.hex if kind in ("indirect_fire", "interdiction") else None
    return AskedAttack(
        game,
        request.attack,
        firers,
        targets,
        field,
        request.inputs,
        units,
        request.overrun,
        target_hex,
        request.is_seen,
    )


def could_fire(battle: AskedAttack) -> Iterator[Fighter]:
    """Yield the other units of the firers' side, for `what if`."""
    firer_ids = set(map(id, battle.firers))
    side = battle.firers[0].side
    for fighter in battle.everyone:
        if fighter.side == side and id(fighter) not in firer_ids and "loaded" not in fighter.states:
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
        candidates = [fighter for fighter in candidates if "air_strike" in game.units[fighter.unit].abilities]
    chosen_firers = pick_fighters(candidates, request.firers, "stands in those hexes")
    if not request.firers:  # passengers are ignored (Basic V.B.6), except those that might join in (Advanced II.A)
        chosen_firers = tuple(
            fighter
            for fighter in chosen_firers
            if "loaded" not in fighter.states or "special_infantry" in game.units[fighter.unit].abilities
        )
    firers = [arm_firer(game, field, fighter, request) for fighter in chosen_firers]
    firing_side = firers[0].side if firers else request.side
    firers += [support(game, field, name, firing_side, request) for name in request.support]
    if not firers:
        raise _nobody(field, sources)
    return tuple(firers)


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
    abilities = game.units[fighter.unit].abilities
    shape = game.attacks[OTHER_NAMES.get(request.attack, request.attack)]
    strike_inputs = (
        carried_strike(game, field, fighter.unit)
        if request.attack == "air_strike" or "air_strike_only" in abilities
        else {}
    )
    firer_inputs = {key: value for key, value in strike_inputs.items() if key in shape.groups[shape.attackers].inputs}
    firer_inputs |= {
        key: value for key, value in request.firer_inputs.items() if key not in STRIKE or "air_strike" in abilities
    }
    return (
        replace(fighter, inputs=firer_inputs, aim=request.destructive)
        if firer_inputs or request.destructive
        else fighter
    )


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
    forces = scenario.forces if scenario else {}
    supports_by_name = {
        support_unit.name: (owner, support_unit)
        for owner, force in forces.items()
        for support_unit in force.support
        if side in ("", owner)
    }
    if name not in supports_by_name:
        subject = f"Situation {scenario_id} has" if scenario else "without a Situation there is"
        raise BadQuestion(
            f"{subject} no support named {name!r}; {suggest(name, supports_by_name) if supports_by_name else 'name a Situation'}"
        )
    return supports_by_name[name]


def support(game: Game, field: Field, name: str, side: str, request: AttackRequest) -> Fighter:
    """Return a support of the Situation as a firer."""
    owner, support_unit = named_support(game, field.position.scenario, name, side)
    firer_inputs = strike(support_unit) | dict(request.firer_inputs)
    return Fighter(
        "support",
        name,
        owner,
        support_unit.nation,
        inputs=firer_inputs,
        weapon=support_unit.weapon,
        aim=request.destructive,
    )


def strike(support_unit: Support) -> dict[str, AttackValue]:
    """Return the inputs that a support gives an attack: points and weapon of a strike, points of a battery."""
    points = support_unit.strength or 0
    return (
        {"points": points, "kind": support_unit.weapon} if support_unit.kind == "air_strike" else {"off_board": points}
    )


def _targets(game: Game, everyone: Sequence[Fighter], request: AttackRequest, side: str) -> tuple[Fighter, ...]:
    """Return the enemies in the hex without passengers (Basic V.B.6.b); a bridge only where it is named. Some
    attacks are on all of them."""
    candidates = [fighter for fighter in everyone if fighter.hex == request.hex and "loaded" not in fighter.states]
    kind = OTHER_NAMES.get(request.attack, request.attack)
    if kind in RECORDED_ATTACKS:
        candidates = [fighter for fighter in candidates if fighter.unit not in game.units or not flies(game, fighter)]
    target_names = [word.partition("#")[0] for word in request.targets]
    units = [
        fighter
        for fighter in candidates
        if (fighter.unit in game.units and fighter.side != side) or fighter.unit in target_names
    ]
    chosen_targets = pick_fighters(units, request.targets, "is an enemy there")
    if kind in ON_ALL and any(fighter not in chosen_targets and not flies(game, fighter) for fighter in units):
        raise BadQuestion(f"this attack is on all units in the hex, not on single units ({ON_ALL[kind]})")
    return chosen_targets


def flies(game: Game, fighter: Fighter) -> bool:
    """Whether it is in the air: an air unit that isn't down."""
    return fighter.unit in game.units and game.units[fighter.unit].class_ == "air" and "down" not in fighter.states


def _mines(game: Game, field: Field, everyone: Sequence[Fighter], request: AttackRequest) -> AskedAttack:
    """Return the attack of a minefield on units that enter its hex from another, or leave it (Standard V.E.2)."""
    minefield = _find_minefield(field, everyone, request.hex)
    hexes = request.source_hexes or (request.hex,)
    movers = [
        fighter
        for fighter in everyone
        if fighter.hex in hexes and fighter.unit in game.units and "loaded" not in fighter.states
    ]
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


# --- from a file ------------------------------------------------------------------------------------------------------

T = TypeVar("T")
MAX_COUNT = 99
"""The maximum number of units of a kind in one battle."""


@record
class FighterShape(Record):
    """A unit (or several equal ones) in a battle file."""

    unit: IdField = documented_field("The counter, or a marker: a minefield, a bridge.", "")
    count: int = documented_field("How many of it.", 1)
    at: str = documented_field("Its hex.", "")
    nation: IdField = documented_field("Its nation in this Situation, if it isn't the nation of its counter sheet.", "")
    states: tuple[IdField, ...] = documented_field("The states it is in.", ())
    support: str = documented_field("Instead of a unit: a battery or air strike of the Situation, by name.", "")
    strike: str = documented_field("Instead of a unit: an air strike's weapon type.", "")
    battery: str = documented_field("Instead of a unit: an off-board battery's weapon type.", "")
    points: Fraction | None = documented_field("The strike's or the battery's attack points.", None)
    destructive: str = documented_field("The recorded target of destructive fire.", "")
    inputs: Mapping[IdField, str] = documented_field("Other inputs of it: distance, sees, ammunition, shielded ...", {})


@record
class BattleShape(Record):
    """A battle file."""

    game: IdField = documented_field("The game of this battle.", "")
    attack: IdField = documented_field("The kind of attack.", "direct_fire")
    scenario: IdField = documented_field("The Situation: its map, its year.", "")
    map: str = documented_field("Or the boards, as in 'B / A'.", "")
    year: int | None = documented_field("The year, if no Situation gives it.", None)
    works: Mapping[str, tuple[IdField, ...]] = documented_field("Markers by hex: {A-H-5: [fort]}.", {})
    firers: tuple[FighterShape, ...] = documented_field("The attacking units.")
    targets: tuple[FighterShape, ...] = documented_field("The attacked units, all in one hex.", ())
    others: tuple[FighterShape, ...] = documented_field("Other units on the map, such as friendly units that spot.", ())
    target_hex: str = documented_field("For indirect fire: the recorded hex, if it isn't the targets' hex.", "")
    is_seen: bool | None = documented_field("For indirect fire: whether a friendly unit sees that hex.", None)
    overrun: str = documented_field("For opportunity fire at overrunning units: the hex they overrun.", "")
    inputs: Mapping[IdField, str] = documented_field("Other inputs of the battle: terrain, works, next_to ...", {})


def battle_file(game: Game, path: Path, rulings: Mapping[str, str] | None = None) -> AskedAttack:
    """Return the battle of a file; PackError lists all errors in it, by line and column."""
    # Imported late: only a file needs YAML, and a question without one starts without it.
    from scenarios.reading.yaml_tree import read_nodes

    node, node_findings = read_nodes(path)
    findings = Findings(node_findings)
    if node is None:
        raise PackError(findings)
    shape: BattleShape = reader(BattleShape)(node, findings)
    if shape.game and shape.game != game.id:
        findings.add(place(shape, "game"), f"this battle is for {shape.game}, not for {game.id}")
    attack_names = [*game.attacks, *OTHER_NAMES]
    if not findings and shape.attack not in attack_names:
        findings.add(
            place(shape, "attack"), f"{game.id} has no attack {shape.attack!r}; {suggest(shape.attack, attack_names)}"
        )
    if findings:
        raise PackError(findings)
    battle = _Maker(game, shape, findings, check_rulings(game, rulings or {})).battle()
    if findings:
        raise PackError(findings)
    return battle


class _Maker:
    def __init__(self, game: Game, shape: BattleShape, findings: Findings, rulings: Mapping[str, str]) -> None:
        self.game, self.shape, self.findings, self.rulings = game, shape, findings, rulings
        self.sides = roster(game, shape.scenario)
        self.attack = game.attacks[OTHER_NAMES.get(shape.attack, shape.attack)]
        self.field = self._field()

    def try_or_report(self, record: Record, key: str, make: Callable[[], T], *steps: str) -> T | None:
        """Return what a function makes of a value of the file; on an error add a finding and return None."""
        try:
            return make()
        except BadQuestion as error:
            self.findings.add(place(record, key, *steps), str(error))
            return None

    def _field(self) -> Field | None:
        shape = self.shape
        map_name, key = shape.scenario or shape.map, "scenario" if shape.scenario else "map"
        field = (
            self.try_or_report(shape, key, lambda: field_on(self.game, map_name, year=shape.year, rulings=self.rulings))
            if map_name
            else None
        )
        if field is None or not shape.works:
            return field
        base_field = field
        return self.try_or_report(
            shape,
            "works",
            lambda: base_field.with_markers({hex_of(base_field, hex): works for hex, works in shape.works.items()}),
        )

    def battle(self) -> AskedAttack:
        """Return the battle; it is meaningless if there are findings."""
        game, shape = self.game, self.shape
        attackers, defenders = self.attack.groups[self.attack.attackers], self.attack.groups[self.attack.defenders]
        firers = tuple(
            fighter for fighter_shape in shape.firers for fighter in self._fighters(fighter_shape, attackers.inputs)
        )
        targets = tuple(
            fighter for fighter_shape in shape.targets for fighter in self._fighters(fighter_shape, defenders.inputs)
        )
        other_fighters = tuple(
            fighter for fighter_shape in shape.others for fighter in self._fighters(fighter_shape, {})
        )
        battle_inputs = self._read_inputs(shape, self.attack.inputs)
        span = game.year_span()
        if shape.year is not None and span is not None and not span[0] <= shape.year <= span[1]:
            self.findings.add(
                place(shape, "year"), f"the Situations are of {span[0]} to {span[1]}, not of {shape.year}"
            )
        if shape.year is not None and self.field is None and "year" in self.attack.inputs:
            battle_inputs.setdefault("year", Fraction(shape.year))
        overrun, target_hex = (
            self._hex(shape, "overrun", shape.overrun),
            self._hex(shape, "target_hex", shape.target_hex),
        )
        if overrun is not None and shape.attack != "opportunity_fire":
            message = (
                "units that overrun are targets of opportunity fire: write `attack: opportunity_fire` (Standard II.E.5)"
            )
            self.findings.add(place(shape, "overrun"), message)
        if target_hex is None and OTHER_NAMES.get(shape.attack, shape.attack) in RECORDED_ATTACKS and targets:
            target_hex = targets[0].hex
        scenario = game.scenarios.get(shape.scenario)
        if not self.findings:
            firers = seat_passengers(game, firers, scenario is None or scenario.level == "advanced")
        everyone = (*firers, *targets, *other_fighters) if other_fighters or self.field else ()
        return AskedAttack(
            game,
            shape.attack,
            firers,
            targets,
            self.field,
            battle_inputs,
            everyone,
            overrun,
            target_hex,
            shape.is_seen,
            self.rulings,
        )

    def _fighters(self, fighter_shape: FighterShape, input_shapes: Mapping[str, AttackInput]) -> list[Fighter]:
        """Return a unit, a marker, a battery or a strike, as often as it takes part."""
        game = self.game
        if not 0 <= fighter_shape.count <= MAX_COUNT:
            self.findings.add(
                place(fighter_shape, "count"), f"the count {fighter_shape.count} is not allowed; write 1 to {MAX_COUNT}"
            )
            return []
        unit_inputs = self._read_inputs(fighter_shape, input_shapes)
        if fighter_shape.support or fighter_shape.strike or fighter_shape.battery:
            return self._support(fighter_shape, unit_inputs) * fighter_shape.count
        counter_ids = [*game.units, *game.markers]
        if fighter_shape.unit not in counter_ids:
            node = place(fighter_shape, "unit") if fighter_shape.unit else place(fighter_shape)
            self.findings.add(
                node, f"no counter sheet has {fighter_shape.unit!r}; {suggest(fighter_shape.unit, counter_ids)}"
            )
            return []
        for i, state in enumerate(fighter_shape.states):
            if state not in game.states:
                self.findings.add(
                    place(fighter_shape, "states", i), f"there is no state {state!r}; {suggest(state, game.states)}"
                )
        if fighter_shape.nation and fighter_shape.nation not in game.nations:
            self.findings.add(
                place(fighter_shape, "nation"),
                f"there is no nation {fighter_shape.nation!r}; {suggest(fighter_shape.nation, game.nations)}",
            )
        nation = fighter_shape.nation or nation_of(game, self.shape.scenario, fighter_shape.unit)
        side, fighter_hex = (
            self.sides.side(Piece(fighter_shape.unit, "", nation, "box:asked")),
            self._hex(fighter_shape, "at", fighter_shape.at),
        )
        fighter = Fighter(
            fighter_shape.unit,
            counter(game, fighter_shape.unit).name,
            side,
            nation,
            fighter_hex,
            frozenset(fighter_shape.states),
            unit_inputs,
            aim=fighter_shape.destructive,
        )
        return [replace(fighter) for _ in range(fighter_shape.count)]

    def _support(self, fighter_shape: FighterShape, unit_inputs: dict[str, AttackValue]) -> list[Fighter]:
        weapon, nation = fighter_shape.strike or fighter_shape.battery, fighter_shape.nation
        if fighter_shape.support:
            owned_support = self.try_or_report(
                fighter_shape, "support", lambda: named_support(self.game, self.shape.scenario, fighter_shape.support)
            )
            if owned_support is None:
                return []
            support_unit = owned_support[1]
            name, weapon, nation, support_inputs = (
                support_unit.name,
                support_unit.weapon,
                support_unit.nation,
                strike(support_unit),
            )
        elif fighter_shape.points is None:
            self.findings.add(place(fighter_shape), "a strike or battery needs its `points`")
            return []
        elif fighter_shape.strike:
            name, support_inputs = f"{weapon} strike", {"points": fighter_shape.points, "kind": weapon}
        else:
            name, support_inputs = f"{weapon} battery", {"off_board": fighter_shape.points}
        side = self.sides.side(Piece("", "", nation, "box:asked"))
        return [
            Fighter(
                "support",
                name,
                side,
                nation,
                inputs={**support_inputs, **unit_inputs},
                weapon=weapon,
                aim=fighter_shape.destructive,
            )
        ]

    def _hex(self, record: Record, key: str, name: str) -> Hex | None:
        field = self.field
        if name and field is not None:
            return self.try_or_report(record, key, lambda: hex_of(field, name))
        if name and not (self.shape.scenario or self.shape.map):
            self.findings.add(place(record, key), f"{name} is on no map; name the `scenario` or the `map`")
        return None

    def _read_inputs(
        self, record: FighterShape | BattleShape, input_shapes: Mapping[str, AttackInput]
    ) -> dict[str, AttackValue]:
        result: dict[str, AttackValue] = {}
        for key, text in record.inputs.items():
            if key not in input_shapes:
                message = f"{self.shape.attack} has no input {key!r}; {suggest(key, input_shapes)}"
                self.findings.add(place(record, "inputs", key), message)
            elif (
                value := self.try_or_report(
                    record, "inputs", partial(read_answer, self.game, key, input_shapes[key], text), key
                )
            ) is not None:
                result[key] = value
        return result

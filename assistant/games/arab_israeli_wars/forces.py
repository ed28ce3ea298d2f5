"""The forces of a question: the boards with the pieces on them, the year and the chosen readings; and the fighters
of a battle, with the values that the pack's attacks need."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType

from assistant.attack import AttackValue, unit_fields
from assistant.engine.battle.battle import InputReader
from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import kinds_for
from assistant.engine.movement import carrying
from assistant.engine.placed_units import PlacedUnit, no_unit
from assistant.engine.roster import Roster, roster
from assistant.engine.sight.line_of_sight import blocking
from assistant.engine.sight.visibility import SightResult, sights_of
from assistant.questions.answer import BadQuestion
from scenarios.model.attack_inputs import AttackInput
from scenarios.model.attacks import Attack
from scenarios.model.boards import Arrangement
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance
from scenarios.model.maps import HexMap, put_together
from scenarios.model.position import Piece, Position
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import Findings, number
from scenarios.unit_view import empty_fields

CANAL, BRIDGE = "suez_canal", "bridge"
MINES = ("mine_3_1", "mine_2_1", "mine_1_1")


def field_on(
    game: Game,
    map_source: str | HexMap,
    works: Mapping[Hex, Iterable[str]] | None = None,
    *,
    year: int | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Field:
    """Return the field of a Situation's map, a map, a board, or boards in rows such as 'B / A turned', with these
    markers on it."""
    scenario = map_source if isinstance(map_source, str) and map_source in game.scenarios else ""
    map = map_source if isinstance(map_source, HexMap) else _map(game, map_source)
    base_field = make_field(
        kinds_for(game, map, scenario),
        Position(game.id, scenario),
        readings=_readings(game, scenario, year, rulings or {}),
    )
    return base_field.with_markers(works) if works else base_field


def field_of(game: Game, position: Position, *, map_name: str = "", rulings: Mapping[str, str] | None = None) -> Field:
    """Return a position on its map: each unit belongs to an army of its side."""
    if not (map_name or position.scenario):
        raise BadQuestion("the position names no Situation; name its map")
    base_field = field_on(game, map_name or position.scenario, rulings=rulings)
    scenario = base_field.position.scenario
    army_roster = roster(game, scenario)
    pieces = tuple(enlist(army_roster, piece, army_roster.side(piece)) for piece in position.pieces)
    return make_field(
        base_field.map_index, replace(position, scenario=scenario, pieces=pieces), readings=base_field.readings
    )


def enlist(army_roster: Roster, piece: Piece, side: str) -> Piece:
    """Return a unit's piece with an army of its side: its own, if that is one of them."""
    unit = army_roster.game.units.get(piece.unit)
    if unit is None:
        return piece
    sides = army_roster.scenario.sides if army_roster.scenario else {}
    nations = list(sides[side].nations) if side in sides else []
    if not sides:
        nations = [nation for nation, record in army_roster.game.nations.items() if record.side == side]
    is_of_side = not nations or (piece.nation or unit.nation) in nations
    return piece if is_of_side else piece._replace(nation=nations[0])


def seats(field: Field, pieces: Sequence[Piece]) -> dict[int, int]:
    """Return the carrier of each passenger, by their indexes in the list (Basic V.B.5). A bridge in tow goes with
    the nearest unit before it that carries bridges (Advanced V.D)."""
    units, carrier_by_rider = field.game.units, carrying.seats(field, pieces)
    for i, piece in enumerate(pieces):
        if piece.unit == BRIDGE and "loaded" in piece.states:
            towing = [n for n in range(i) if pieces[n].at == piece.at and "loaded" not in pieces[n].states]
            bridge_carriers = [
                n for n in towing if (unit := units.get(pieces[n].unit)) and "carries_bridge" in unit.abilities
            ]
            carrier_by_rider |= {i: bridge_carriers[-1]} if bridge_carriers else {}
    return carrier_by_rider


def with_carrier(rider: frozenset[str], carrier: frozenset[str]) -> frozenset[str]:
    """Return a passenger's states: it is inverted and dispersed with its carrier (Basic V.B.6.d, V.B.6.e)."""
    return rider | (carrier & {"inverted", "dispersed"})


def _readings(game: Game, scenario: str, year: int | None, rulings: Mapping[str, str]) -> dict[str, object]:
    if year is None:
        year = (game.scenarios[scenario].year if scenario else None) or game.card.year or 0
    return {"year": year, **{f"ruling.{key}": reading for key, reading in check_rulings(game, rulings).items()}}


def level_of(field: Field) -> str:
    """Return the level of the rules: the Situation's; without a Situation all rules."""
    return field.value("level") or "advanced"


def hex_at(unit: PlacedUnit) -> Hex:
    """Return the hex of a unit."""
    assert isinstance(unit.piece.at, Hex)
    return unit.piece.at


def is_slope(field: Field, hex: Hex) -> bool:
    """Whether a hex counts as a slope for sight: printed, or an improved position on the west bank (VI.E.3)."""
    return field.holds(field.program.values["high_to"], no_unit(), to=field.map_index.number[hex])


def limit(game: Game, name: str) -> Fraction:
    """Return a number from the table of limits."""
    table = game.tables["limits"]
    return number(table.cell(name, table.named_column("number")).code)


def _map(game: Game, map_name: str) -> HexMap:
    """Return the map that a word names: a Situation's, one of the pack's, or several boards."""
    named_map = game.scenario_maps.get(map_name) or game.maps.get(map_name)
    if isinstance(named_map, HexMap):
        return named_map
    rows = tuple(tuple(" ".join(cell.split()) for cell in row.split(",")) for row in map_name.split("/"))
    known_names = [*game.boards, *game.scenario_maps, *game.maps]
    for cell in (cell for row in rows for cell in row):
        if cell.removesuffix(" turned") not in game.boards:
            raise BadQuestion(f"{game.id} has no map, Situation or board {cell!r}; {suggest(cell, known_names)}")
        if len(rows[0]) > 1 and CANAL in game.boards[cell.removesuffix(" turned")].terrain.values():
            raise BadQuestion(f"board {cell} has the canal and can't be joined end to end (Basic III.A)")
    findings = Findings()
    same_arrangements = (
        s.arrangement for s in game.scenarios.values() if s.arrangement and s.arrangement.boards == rows
    )
    arrangement = next(same_arrangements, Arrangement(boards=rows))
    joined_map = put_together(map_name, map_name, arrangement, game.boards, next(iter(game.terrain)), findings)
    if joined_map is None or findings:
        raise BadQuestion(
            f"{map_name!r} is not a map: {'; '.join(finding.message for finding in findings)} (Basic III.A)"
        )
    return joined_map


def check_rulings(game: Game, rulings: Mapping[str, str]) -> dict[str, str]:
    """Return the chosen readings of a question; raise BadQuestion where the ruling or reading doesn't exist."""
    for ruling, reading in rulings.items():
        if ruling not in game.rulings:
            raise BadQuestion(f"there is no ruling {ruling!r}; {suggest(ruling, game.rulings)}")
        ruling_record = game.rulings[ruling]
        if reading not in ruling_record.readings:
            raise BadQuestion(f"ruling {ruling} has no reading {reading!r}; {suggest(reading, ruling_record.readings)}")
        if not ruling_record.switch and reading != ruling_record.choice:
            raise BadQuestion(f"ruling {ruling} has a fixed reading: {ruling_record.choice}")
    return dict(rulings)


# --- fighters and battles --------------------------------------------------------------------------------------------

SEEN_FIRST = ("direct_fire", "opportunity_fire")
"""Attacks that need a line of sight from every firer (Basic VIII.B.1, Standard II.E.2.c)."""
NEXT_TO = ("close_assault", "overrun")
"""Attacks on an adjacent hex only."""
RECORDED_ATTACKS = ("indirect_fire", "interdiction")
"""Attacks that are written a turn ahead (Standard II.A.1, Advanced III.A)."""
OTHER_NAMES = MappingProxyType({"anti_aircraft": "direct_fire", "neutralization": "indirect_fire"})


def attack_kind(attack: str) -> str:
    """Return the pack's attack that a player's word means."""
    return OTHER_NAMES.get(attack, attack)


def unit_word(unit: str, copy: str) -> str:
    """Return a unit's name in a question: its id, or its id and number as in t_62#6421."""
    return f"{unit}#{copy}" if copy else unit


@dataclass(frozen=True)
class Fighter:
    """A unit in a battle (or a minefield, a bridge, an air strike, a battery off the board)."""

    unit: str
    name: str
    side: str = ""
    nation: str = ""
    hex: Hex | None = None
    states: frozenset[str] = frozenset()
    inputs: Mapping[str, AttackValue] = dataclasses.field(default_factory=dict)
    copy: str = ""
    weapon: str = ""
    """The weapon type of something without a counter."""
    aim: str = ""
    """The target of destructive fire (Advanced III.C.1)."""
    bar: tuple[str, str] | None = None
    """Why it can't take part, and the rule, where that is known in advance."""
    carrier: Fighter | None = None
    """The carrier of a passenger (Basic V.B.5, Advanced II.A.2)."""
    counter: Unit | None = None
    """Its counter, if it is a unit."""

    @property
    def abilities(self) -> frozenset[str]:
        """The abilities of its counter."""
        return self.counter.abilities if self.counter else frozenset()

    @property
    def is_loaded(self) -> bool:
        """Whether it is a passenger."""
        return "loaded" in self.states

    @property
    def is_aircraft(self) -> bool:
        """Whether it is an air unit."""
        return self.counter is not None and self.counter.class_ == "air"

    @property
    def flies(self) -> bool:
        """Whether it is in the air: an air unit that isn't down."""
        return self.is_aircraft and "down" not in self.states

    @property
    def word(self) -> str:
        """Its name in a question."""
        return unit_word(self.unit, self.copy)

    @property
    def piece(self) -> Piece:
        """Its piece, for rules that need no battle."""
        return Piece(self.unit, self.copy, self.nation, self.hex if self.hex is not None else "", self.states)

    def matches(self, word: str) -> bool:
        """Whether a player's word means this fighter: its id, or its id and number as in t_62#6421."""
        unit, _, copy = word.partition("#")
        return unit == self.unit and copy in ("", self.copy)


def counter_fighter(
    game: Game,
    unit: str,
    side: str = "",
    nation: str = "",
    hex: Hex | None = None,
    states: Iterable[str] = (),
    inputs: Mapping[str, AttackValue] = MappingProxyType({}),
    *,
    copy: str = "",
    aim: str = "",
) -> Fighter:
    """Return a unit or a marker as a fighter."""
    counter = game.units.get(unit)
    name = counter.name if counter else game.markers[unit].name
    return Fighter(unit, name, side, nation, hex, frozenset(states), inputs, copy, aim=aim, counter=counter)


def bare_fighter(points: int | Fraction, weapon: str, is_strike: bool, inputs: Mapping[str, AttackValue]) -> Fighter:
    """Return an air strike or a battery off the board, which have no counter (Standard II.B, II.F)."""
    own_inputs: dict[str, AttackValue] = {"points": points, "kind": weapon} if is_strike else {"off_board": points}
    name = f"{weapon} {'strike' if is_strike else 'battery'}"
    return Fighter("support", name, inputs={**own_inputs, **inputs}, weapon=weapon)


@dataclass(frozen=True)
class AskedAttack:
    """The attack of a question."""

    game: Game
    attack: str
    firers: tuple[Fighter, ...]
    targets: tuple[Fighter, ...]
    field: Field | None = None
    given_inputs: Mapping[str, AttackValue] = dataclasses.field(default_factory=dict)
    """The player's inputs to the battle; they override computed values."""
    everyone: tuple[Fighter, ...] = ()
    """Every unit on the map, for spotting."""
    overrun: Hex | None = None
    """For opportunity fire at units in the middle of an overrun: the hex they overrun."""
    target_hex: Hex | None = None
    """For indirect fire: the written hex, where it isn't the targets'."""
    is_seen: bool | None = None
    """For indirect fire: whether a friend sees that hex; computed by default."""
    rulings: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """The chosen readings for this question, where no field has them."""

    @property
    def kind(self) -> str:
        """The pack's attack."""
        return attack_kind(self.attack)

    @property
    def shape(self) -> Attack:
        """The pack's declaration; raises BadQuestion if there is none."""
        if self.kind not in self.game.attacks:
            attack_names = [*self.game.attacks, *OTHER_NAMES]
            raise BadQuestion(f"{self.game.id} has no attack {self.attack!r}; {suggest(self.attack, attack_names)}")
        return self.game.attacks[self.kind]

    @cached_property
    def hex(self) -> Hex | None:
        """The attacked hex. All defenders are in one (Basic VI.C.4), except under interdiction, which has a hex of
        its own."""
        if self.kind == "interdiction" and self.target_hex is not None:
            return self.target_hex
        hexes = {target.hex for target in self.targets if target.hex is not None}
        if len(hexes) > 1:
            raise BadQuestion("all units attacked in one attack are in one hex (Basic VI.C.4)")
        return next(iter(hexes), self.target_hex)

    @cached_property
    def fates_by_code(self) -> dict[tuple[str, frozenset[str]], Mapping[str, str]]:
        """A cache of the meanings of results for the defenders, by unit and states."""
        return {}

    @property
    def aim_hex(self) -> Hex | None:
        """The hex that distances count to: for indirect fire the written one (Standard II.A.4.e)."""
        return self.target_hex or self.hex

    @property
    def is_advanced(self) -> bool:
        """Whether the Advanced Rules apply: in their Situations, and without a Situation."""
        scenario = self.game.scenarios.get(self.field.position.scenario) if self.field else None
        return scenario is None or scenario.level == "advanced"

    @property
    def in_situation(self) -> bool:
        """Whether a Situation says which side owns which units (The Situations A.3.b)."""
        return self.field is not None and bool(self.field.position.scenario)

    @cached_property
    def sights(self) -> Mapping[tuple[int, int], SightResult]:
        """What each firer sees of each target, by their indexes; empty without a map, and for attacks that need no
        sight."""
        if self.field is None or self.kind not in SEEN_FIRST:
            return {}
        return {
            (i, j): sight_between(self.field, firer, target)
            for i, firer in enumerate(self.firers)
            for j, target in enumerate(self.targets)
            if firer.hex is not None and target.hex is not None
        }

    def is_shielded(self, j: int) -> bool:
        """Whether a target is hull down from any of the firers (Basic VII.F.1.c), except those in a hex that it is
        just overrunning (Standard II.E.5.e)."""
        return any(
            sight.shields and not self.overrun_from(self.firers[i]) for (i, k), sight in self.sights.items() if k == j
        )

    def reading(self, ruling: str) -> str:
        """Return the reading of a ruling that applies."""
        if self.field is not None:
            return str(self.field.value(f"ruling.{ruling}"))
        return self.rulings.get(ruling) or self.game.rulings[ruling].choice

    def overrun_from(self, firer: Fighter) -> bool:
        """Whether a firer is in the hex that the targets are just overrunning: nothing shields them from it
        (Standard II.E.5.e)."""
        return self.overrun is not None and firer.hex == self.overrun

    def inputs(self) -> dict[str, AttackValue]:
        """Return the attack's inputs for the battle: the field's values, overridden by the player's."""
        field_values = self._read(self.shape.inputs)
        if self.field is not None:
            field_values["year"] = self.field.value("year")
            field_values |= {"overrunning": True} if self.overrun is not None else {}
            field_values |= {"next_to": self.has_adjacent_spotter(self.hex)} if self.hex is not None else {}
        if self.reading("smoke_die") == "minus":
            field_values["smoke_as_printed"] = True
        return {key: value for key, value in field_values.items() if key in self.shape.inputs} | dict(self.given_inputs)

    def has_adjacent_spotter(self, hex: Hex) -> bool:
        """Whether a unit that can spot is next to a hex."""
        return any(spotter.hex is not None and distance(spotter.hex, hex) == 1 for spotter in spotters(self))

    def _read(self, shapes: Mapping[str, AttackInput], unit: PlacedUnit | None = None) -> dict[str, AttackValue]:
        """Return what the engine reads on the map, of the attacked hex or where a unit is: terrain, markers, and
        effects of the Situation."""
        if self.field is None:
            return {}
        places = () if self.hex is None else (self.field.map_index.number[self.hex],)
        reader = InputReader(self.field, "", places, (), {})
        reads = ("effect", "terrain", "markers") if places or unit else ("effect",)
        values = {name: reader.value(shape, unit) for name, shape in shapes.items() if shape.read in reads}
        return {name: value for name, value in values.items() if value is not None}

    def firer_fields(self, firer: Fighter, sees: bool | None) -> dict[str, AttackValue]:
        """Return a firer's fields, with distance, sight (if it needs any) and army."""
        fields = _fields(self.game, firer, self.in_situation)
        input_shapes = self.shape.groups[self.shape.attackers].inputs
        field_values: dict[str, AttackValue] = {}
        if firer.hex is not None and self.aim_hex is not None:
            field_values["distance"] = distance(firer.hex, self.aim_hex)
        if sees is not None:
            field_values["sees"] = sees
        field_values["overrun_by_them"] = self.overrun_from(firer)
        if self.kind in NEXT_TO:
            field_values["carried"] = "loaded" in firer.states
        if self.field is not None and firer.hex is not None and firer.counter is not None:
            field_values |= self._read(input_shapes, self.field.as_if(firer.piece))
        return fields | {key: value for key, value in field_values.items() if key in input_shapes} | dict(firer.inputs)

    def target_fields(self, target: Fighter, is_shielded: bool) -> dict[str, AttackValue]:
        """Return a defender's fields. A moving unit is spotted wherever it is seen (Standard II.E.1.b)."""
        fields = _fields(self.game, target, self.in_situation)
        if self.kind == "opportunity_fire":
            fields["spotted"] = True
        if "shielded" in self.shape.groups[self.shape.defenders].inputs and is_shielded:
            fields["shielded"] = True
        return fields | dict(target.inputs)


def _fields(game: Game, fighter: Fighter, in_situation: bool) -> dict[str, AttackValue]:
    """Return what expressions see of a fighter. Its army is the Situation's, even where that leaves it open; without
    a Situation it is its counter sheet's."""
    if not fighter.weapon:
        fields = unit_fields(game, fighter.unit, sorted(fighter.states))
        return fields | {"nation": fighter.nation} if fighter.nation or in_situation else fields
    texts = {"id": fighter.unit, "name": fighter.name, "nation": fighter.nation, "side": fighter.side}
    return {**empty_fields(game), **texts, "steps": 1, "weapon": fighter.weapon, "target": "NA"}


def spot_apart(battle: AskedAttack) -> bool:
    """Whether each army spots for its own indirect fire only (S-12)."""
    return battle.field is not None and bool(battle.field.in_force("no_shared_spotting"))


def spotters(battle: AskedAttack) -> Iterator[Fighter]:
    """Yield undispersed enemies of the targets that can spot: no trucks or their passengers (Basic VII.D.5), no
    airplanes (Advanced I.C.3.b)."""
    side = battle.firers[0].side if battle.firers else ""
    for fighter in battle.everyone or battle.firers:
        counter = fighter.counter
        if counter is None or fighter.side != side or fighter.hex is None or fighter.states & {"dispersed", "loaded"}:
            continue
        if "no_spotting" not in counter.abilities and counter.type != "jet":
            yield fighter


def sight_between(field: Field, viewer: Fighter, target: Fighter) -> SightResult:
    """Return the line of sight from a fighter to another (Basic VII)."""
    assert viewer.hex is not None and target.hex is not None
    number = field.map_index.number
    return sights_of(field).look(
        number[viewer.hex], number[target.hex], _observer(field, viewer), _observer(field, target)
    )


def _observer(field: Field, fighter: Fighter) -> str:
    """Return how a fighter sees and is seen: in the air unless it is down (Optional I.C.3), infantry class or not
    (Standard VI.E.2)."""
    counter = fighter.counter
    return "" if counter is None else sights_of(field).observer(field.fields_of(counter, fighter.states))


def blocked_text(field: Field, sight: SightResult) -> str:
    """Return the first thing that blocks a line, with its rule."""
    effect = sight.blocked_by[0]
    return f"{blocking(field, effect)} ({effect.rule})"


def pick_fighters(fighters: Sequence[Fighter], words: Sequence[str], predicate: str) -> tuple[Fighter, ...]:
    """Return the fighters that the player names, each word once; all where no word is given."""
    if not words:
        return tuple(fighters)
    remaining_fighters = list(fighters)
    result = []
    for word in words:
        chosen_fighter = next((fighter for fighter in remaining_fighters if fighter.matches(word)), None)
        if chosen_fighter is None:
            unit_ids = sorted({fighter.unit for fighter in fighters})
            raise BadQuestion(
                f"no {word!r} {predicate}; {suggest(word.partition('#')[0], unit_ids) if unit_ids else 'no unit is there'}"
            )
        remaining_fighters.remove(chosen_fighter)
        result.append(chosen_fighter)
    return tuple(result)

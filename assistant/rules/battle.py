"""A battle read from the field: who attacks whom, and what the map tells of it.

An attack says of each input how it can be read (`read: terrain`, `hexside`, `distance` ...). What can't be read must be told, or is
taken as usual; the battle keeps which is which, so that an answer can say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as data_field
from fractions import Fraction
from typing import Any, Literal

from assistant.answers import BadQuestion
from assistant.asking import Named
from assistant.assumptions import assume_inputs
from assistant.attack import Fields, Value
from assistant.rules.field import Field, Standing, Walker
from assistant.rules.placed import asked_place, asked_units
from assistant.rules.sight import Look, has_sight
from scenarios.attacks import Attack, GroupShape
from scenarios.inputs import Formula, Input, NearUnits, input_kind
from scenarios.reading.findings import instead

How = Literal["told", "read", "usual"]
OF_THE_SCENARIO = ("turn", "first_turn", "year", "effect")
"""What is read without a place."""
OF_A_PLACE = ("terrain", "markers", "units")
"""What is read of the places attacked; of several, each defender is judged by its own."""


@dataclass(frozen=True)
class Reading:
    """What is known of the battle under a name, and how: told by the player, read from the map, or taken as usual."""

    name: str
    title: str
    value: Value
    how: How


@dataclass(frozen=True)
class Told:
    """What was told of a battle: of the whole, of single attackers, and the attack's other groups."""

    inputs: Fields
    details: Mapping[str, Mapping[str, str]]
    others: Mapping[str, Sequence[Fields]]


@dataclass(frozen=True)
class Battle:
    """Who attacks whom out of which places, with all that the attack's formulas ask."""

    field: Field
    attack: str
    side: str
    """Who attacks."""
    targets: tuple[int, ...]
    """The places that are attacked."""
    attackers: tuple[Standing, ...]
    defenders: tuple[Standing, ...]
    groups: Mapping[str, Sequence[Fields]]
    inputs: Fields
    readings: tuple[Reading, ...]
    told: Told
    states: Mapping[Standing, frozenset[str]] = data_field(default_factory=dict)
    """The states of units that are thought to be in others than on the field."""
    known: dict[Any, Any] = data_field(default_factory=dict, repr=False, compare=False)
    """What was read of single units, for battles of the same attack on the same places."""
    by_place: Mapping[int, Fields] = data_field(default_factory=dict)
    """What is read of each place attacked, by input, where it isn't the same in all of them."""

    @property
    def sources(self) -> tuple[int, ...]:
        """The places that the attackers stand in."""
        return tuple(dict.fromkeys(standing.at for standing in self.attackers))


def read_battle(
    field: Field, key: str, told: Mapping[str, Any], others: Mapping[str, Sequence[Fields]], inputs: Fields
) -> Battle:
    """The battle at the places `at`: of the units in `from`, of those named, or of everybody next to it.

    `others` are the attack's other groups as they were told, `inputs` what was told of the battle.
    """
    attack = field.game.attacks[key]
    targets = tuple(dict.fromkeys(asked_place(field.kinds, place, "at") for place in told["at"]))
    sources = tuple(dict.fromkeys(asked_place(field.kinds, place, "from") for place in told.get("from", ())))
    named: tuple[Named, ...] = told.get(attack.attackers, ())
    chosen = asked_units(field, named) if named else []
    if attack.defenders and not told.get(attack.defenders) and not any(field.by_place.get(n) for n in targets):
        raise _nobody(field, targets, "nobody stands")
    side = _side(field, told, targets, sources, chosen)
    defenders = _defenders(field, attack, told, targets, side)
    attackers = _attackers(field, targets, sources, chosen, side)
    return battle_of(
        field, key, side, targets, attackers, defenders, Told(inputs, _details(field, attack, named, chosen), others)
    )


def battle_of(
    field: Field,
    key: str,
    side: str,
    targets: Sequence[int],
    attackers: Sequence[Standing],
    defenders: Sequence[Standing],
    told: Told,
    known: dict[Any, Any] | None = None,
) -> Battle:
    """A battle of these units, with what the map tells of it."""
    attack = field.game.attacks[key]
    reader = _Reader(field, side, targets, attackers, {} if known is None else known)
    groups: dict[str, Sequence[Fields]] = dict(told.others)
    more: list[Reading] = []
    for group, units in ((attack.attackers, attackers), (attack.defenders, defenders)):
        if group:
            groups[group] = [
                _fields(reader, attack, group, unit, told.details.get(unit.key, {}), more) for unit in units
            ]
        if group and group == attack.attackers:
            unshielded = [name for name, shape in attack.groups[group].inputs.items() if shape.unshielded]
            pairs = zip(units, groups[group], strict=True)
            reader.lookers = tuple([unit for unit, fields in pairs if not any(fields[name] for name in unshielded)])
    readings = [reader.reading(name, shape, told.inputs, None) for name, shape in attack.inputs.items()]
    inputs = {reading.name: reading.value for reading in readings}
    by_place = _by_place(reader, attack, told) if attack.defenders and len(targets) > 1 else {}
    if by_place:
        pairs = zip(defenders, groups[attack.defenders], strict=True)
        groups[attack.defenders] = [{**fields, **by_place.get(unit.at, {})} for unit, fields in pairs]
    usual = {reading.name: reading for reading in more if reading.how == "usual"}
    every = (*readings, *usual.values())
    sides = tuple(attackers), tuple(defenders)
    return Battle(
        field, key, side, tuple(targets), *sides, groups, inputs, every, told, known=reader.known, by_place=by_place
    )


def _by_place(reader: _Reader, attack: Attack, told: Told) -> dict[int, dict[str, Value]]:
    """What is read of each place attacked, by input; only what isn't the same in all of them, and isn't told."""
    found: dict[int, dict[str, Value]] = {n: {} for n in reader.targets}
    for name, shape in attack.inputs.items():
        if name in told.inputs or shape.read not in OF_A_PLACE or shape.at == "attackers":
            continue
        values = {n: reader.at_place(n).reading(name, shape, told.inputs, None).value for n in reader.targets}
        if len(set(values.values())) > 1:
            for n, value in values.items():
                found[n][name] = value
    return found if any(found.values()) else {}


def scenario_inputs(field: Field, key: str, side: str) -> dict[str, Value]:
    """What an attack of a side is told wherever it takes place: the turn, the year, what is in force."""
    reader = _Reader(field, side, (0,), (), {})
    shapes = {name: shape for name, shape in field.game.attacks[key].inputs.items() if shape.read in OF_THE_SCENARIO}
    values = {name: reader.value(shape, None) for name, shape in shapes.items()}
    return {name: value for name, value in values.items() if value is not None}


def assume_readings(told: Mapping[str, Any], battle: Battle) -> None:
    """Note what neither the player nor the map tells of a battle."""
    attack = battle.field.game.attacks[battle.attack]
    shapes = {name: shape for group in attack.groups.values() for name, shape in group.inputs.items()} | dict(
        attack.inputs
    )
    usual = {reading.name for reading in battle.readings if reading.how == "usual"}
    assume_inputs(told, shapes, shapes.keys() - usual)


def by_others(battle: Battle, attackers: Sequence[Standing]) -> Battle:
    """The same attack by other units of its side."""
    targets, told = battle.targets, battle.told
    return battle_of(battle.field, battle.attack, battle.side, targets, attackers, battle.defenders, told, battle.known)


def with_inputs(battle: Battle, **told: Value) -> Battle:
    """The same attack with something else told of it."""
    groups = {
        group: [{name: value for name, value in fields.items() if name not in told} for fields in units]
        if any(told.keys() & values.keys() for values in battle.by_place.values())
        else units
        for group, units in battle.groups.items()
    }
    inputs, all_told = {**battle.inputs, **told}, replace(battle.told, inputs={**battle.told.inputs, **told})
    return replace(battle, groups=groups, inputs=inputs, told=all_told)


def _side(
    field: Field, told: Mapping[str, Any], targets: Sequence[int], sources: Sequence[int], chosen: Sequence[Standing]
) -> str:
    """Who attacks: as told, else whoever is named, else the side that isn't in the place attacked."""
    if told.get("side"):
        return str(told["side"])
    if chosen:
        return chosen[0].side
    attacked = {standing.side for n in targets for standing in field.by_place.get(n, ())}
    there = {standing.side for n in sources for standing in field.by_place.get(n, ())}
    others = (there or set(field.sides)) - attacked
    if len(others) != 1:
        raise BadQuestion(f"say whose units attack: side={next(iter(field.sides))}")
    return others.pop()


def _defenders(
    field: Field, attack: Attack, told: Mapping[str, Any], targets: Sequence[int], side: str
) -> list[Standing]:
    there = [standing for n in targets for standing in field.by_place.get(n, ()) if standing.side != side]
    if attack.defenders and told.get(attack.defenders):
        return asked_units(field, told[attack.defenders])
    if attack.defenders and not there:
        raise _nobody(field, targets, f"only {_called(field, side)} units stand")
    return there


def _nobody(field: Field, targets: Sequence[int], who: str) -> BadQuestion:
    where = [field.kinds.title(n) for n in targets]
    return BadQuestion(
        f"{who} in {' or '.join(where)}, so there is nothing to attack; to try it anyway, add put=UNIT@{where[0]}"
    )


def _attackers(
    field: Field, targets: Sequence[int], sources: Sequence[int], chosen: Sequence[Standing], side: str
) -> list[Standing]:
    kinds = field.kinds
    if chosen:
        strange = next((standing for standing in chosen if sources and standing.at not in sources), None)
        if strange is not None:
            raise BadQuestion(
                f"{strange.name} stands in {kinds.title(strange.at)}, which isn't among `from`; add it there"
            )
        return list(chosen)
    if sources:
        for n in sources:
            if not any(standing.side == side for standing in field.by_place.get(n, ())):
                raise BadQuestion(
                    f"no {_called(field, side)} unit stands in {kinds.title(n)}; {_who_is_near(field, targets, side)}"
                )
        return [standing for n in sources for standing in field.by_place[n] if standing.side == side]
    near = [s for s in field.standings if s.side == side and any(kinds.distance(s.at, n) == 1 for n in targets)]
    if not near:
        where = " or ".join(kinds.title(n) for n in targets)
        raise BadQuestion(
            f"no {_called(field, side)} unit is next to {where}; say from where: from=PLACE, or put=UNIT@PLACE"
        )
    return near


def _who_is_near(field: Field, targets: Sequence[int], side: str) -> str:
    kinds = field.kinds
    near = dict.fromkeys(
        s.at for s in field.standings if s.side == side and any(kinds.distance(s.at, n) == 1 for n in targets)
    )
    return (
        f"next to the target they stand in {', '.join(kinds.title(n) for n in near)}"
        if near
        else "none is next to the target either"
    )


def _called(field: Field, side: str) -> str:
    sides = field.game.sides_in(field.scenario) if field.scenario else field.game.sides
    return sides[side].name if side in sides else side


def _details(
    field: Field, attack: Attack, named: Iterable[Named], chosen: Sequence[Standing]
) -> dict[str, Mapping[str, str]]:
    """What was told of single attackers, by unit."""
    waiting, found = list(chosen), {}
    shapes = attack.groups[attack.attackers].inputs
    for one in named:
        if strange := next((name for name in one.details if name not in shapes), None):
            raise BadQuestion(f"nothing called {strange!r} is asked of {attack.attackers}; {instead(strange, shapes)}")
        for _ in range(one.count):
            found[waiting.pop(0).key] = one.details
    return found


def _fields(
    reader: _Reader, attack: Attack, group: str, standing: Standing, told: Mapping[str, str], readings: list[Reading]
) -> dict[str, Any]:
    """A unit as the attack's formulas see it."""
    from assistant.attack import read_answer

    key = group, standing, tuple(told.items()), reader.lookers if _asks_lookers(attack.groups[group]) else ()
    if key not in reader.known:
        fields: dict[str, Any] = {**standing.fields, "name": standing.name}
        read = []
        for name, shape in attack.groups[group].inputs.items():
            given = {name: read_answer(reader.field.game, name, shape, told[name])} if name in told else {}
            read.append(reader.reading(name, shape, given, standing))
            fields[name] = read[-1].value
        reader.known[key] = fields, read
    fields, read = reader.known[key]
    readings += read
    return fields


def _asks_lookers(group: GroupShape) -> bool:
    """Whether what is read of a group's units depends on who looks at them."""
    return any(shape.read == "shielded" for shape in group.inputs.values())


class _Reader:
    """Reads the answers to inputs from the field."""

    def __init__(
        self, field: Field, side: str, targets: Sequence[int], attackers: Sequence[Standing], known: dict[Any, Any]
    ) -> None:
        self.field, self.side, self.targets, self.attackers, self.known = field, side, targets, attackers, known
        self.lookers = tuple(attackers)
        """The attackers from whom something can shield the targets."""

    def at_place(self, n: int) -> _Reader:
        """The same for one of the places attacked."""
        return _Reader(self.field, self.side, (n,), self.attackers, self.known)

    def reading(self, name: str, shape: Input, told: Fields, unit: Standing | None) -> Reading:
        """What is known under a name, of the battle or of one unit."""
        if name in told:
            return Reading(name, shape.title, told[name], "told")
        value = self.value(shape, unit)
        if value is not None:
            return Reading(name, shape.title, value, "read")
        if shape.usual is None:
            what = f"{unit.name}: " if unit is not None else ""
            raise BadQuestion(f"{what}the map doesn't tell {name} ({shape.title}); say {name}=VALUE")
        return Reading(name, shape.title, shape.usual, "usual")

    def value(self, shape: Input, unit: Standing | None) -> Value | None:
        """What the field says of an input; None where it says nothing."""
        return self._read(shape, unit) if shape.by_rules is None else self._by_rules(shape, shape.by_rules, unit)

    def _read(self, shape: Input, unit: Standing | None) -> Value | None:
        field = self.field
        match shape.read:
            case "terrain":
                return self._terrain(shape, unit)
            case "markers":
                return self._markers(shape, unit)
            case "units" if shape.units is not None:
                return self._units(shape, shape.units, unit)
            case "distance":
                return Fraction(min(self._distance(one, n) for one in self._whom(unit) for n in self.targets))
            case "adjacent":
                return any(self._distance(one, n) == 1 for one in self._whom(unit) for n in self.targets)
            case "hexes":
                return Fraction(len({one.at for one in self.attackers}))
            case "hexside":
                return self._hexside(shape, unit)
            case "turn":
                return Fraction(field.position.turn)
            case "first_turn":
                return field.position.turn == (
                    field.scenario.turns.first if field.scenario and field.scenario.turns else 1
                )
            case "year":
                return Fraction(field.scenario.year) if field.scenario and field.scenario.year is not None else None
            case "effect":
                return bool(field.in_force(shape.effect))
            case "sight" if has_sight(field):
                return all(any(self._look(one, n).clear for n in self.targets) for one in self._whom(unit))
            case "shielded" if has_sight(field):
                return any(self._look(one, n).shields for one in self.lookers for n in self.targets)
            case "nation":
                return str(unit.fields["nation"]) if unit is not None else None
            case _:
                return None

    def _by_rules(self, shape: Input, formula: Formula, unit: Standing | None) -> Value:
        """What an expression of the rules says of the unit, or of the attackers."""
        whom: Sequence[Standing | None] = self._whom(unit) or [None]
        if shape.kind == "flag":
            return all(self._asked(formula, one, n) is True for one in whom for n in self.targets)
        value = self._asked(formula, whom[0], self.targets[0])
        return Fraction(value) if shape.kind == "number" else str(value)

    def _asked(self, formula: Formula, unit: Standing | None, n: int) -> Any:
        """The same of one unit; where none attacks (only aircraft, say), of anybody of that side."""
        field = self.field
        # Where it asks nothing of a unit but its side, all in one place get the same answer.
        anybody = unit is not None and all("." in name or name == "side" for name in field.program.names(formula))
        key = id(formula), unit.at if anybody and unit is not None else unit, n
        if key not in self.known:
            walker = (
                field.walker(unit)
                if unit is not None
                else Walker(self.side, {**field.unknown_unit.fields, "side": self.side})
            )
            at = unit.at if unit is not None else n
            self.known[key] = field.ask(
                formula, walker, {"distance": field.kinds.distance(at, n)}, **{"from": at, "to": n}
            )
        return self.known[key]

    def _look(self, unit: Standing, n: int) -> Look:
        sights = self.field.sights
        return sights.look(unit.at, n, sights.observer(unit.fields))

    def _whom(self, unit: Standing | None) -> Sequence[Standing]:
        return self.attackers if unit is None else [unit]

    def _distance(self, unit: Standing, n: int) -> int:
        return self.field.kinds.distance(unit.at, n)

    def _places(self, shape: Input, unit: Standing | None) -> list[int]:
        """The places that count, those of the targets first."""
        own = [standing.at for standing in self._whom(unit)]
        return {"targets": [*self.targets], "attackers": own}.get(shape.at, [*self.targets, *own])

    def _terrain(self, shape: Input, unit: Standing | None) -> Value | None:
        kinds = self.field.kinds
        places = [kinds.places[n] for n in self._places(shape, unit)]
        if shape.kind == "flag":
            return any(feature in shape.terrain for place in places for feature in kinds.features(place))
        fitting = input_kind(shape, tuple(self.field.game.terrain)).choices
        every = [kind for place in places for kind in kinds.features(place) if kind in self.field.game.terrain]
        return next((kind for kind in every if fitting is None or kind in fitting), None)

    def _markers(self, shape: Input, unit: Standing | None) -> Value | None:
        there = {marker["id"] for n in self._places(shape, unit) for marker in self.field.markers.get(n, ())}
        if shape.kind == "flag":
            return any(marker in there for marker in shape.markers)
        return next((marker for marker in shape.choices if marker in there), shape.default)

    def _hexside(self, shape: Input, unit: Standing | None) -> Value | None:
        """The kind of hexside that a unit attacks across; of a battle, what every attacker crosses."""
        kinds = self.field.kinds
        pairs = dict.fromkeys((one.at, n) for one in self._whom(unit) for n in self.targets)
        crossed = [kinds.lies(n, m) for n, m in pairs if kinds.distance(n, m) == 1] or [frozenset()]
        if shape.kind == "flag":
            return all(any(kind in sides for kind in shape.hexsides) for sides in crossed)
        return next((kind for kind in shape.choices if all(kind in sides for sides in crossed)), shape.default)

    def _units(self, shape: Input, near: NearUnits, unit: Standing | None) -> Value | None:
        """Whether units answer, or what they are worth."""
        field, worth = self.field, []
        nations = {standing.fields["nation"] for standing in self.attackers}
        places = self._places(shape, unit)
        near_by = (
            field.standings
            if near.within is not None
            else [one for n in dict.fromkeys(places) for one in field.by_place.get(n, ())]
        )
        for standing in near_by:
            walker = field.walker(standing)
            mine = standing.side == self.side
            whose = {
                "any": True,
                "own": mine,
                "nation": mine and standing.fields["nation"] in nations,
                "enemy": not mine,
            }[near.whose]
            if not whose or not field.holds(near.where, walker):
                continue
            within = field.ask(near.within, walker) if near.within is not None else 0
            if any(0 <= field.kinds.distance(standing.at, n) <= within for n in places):
                worth.append(Fraction(field.ask(near.worth, walker)) if near.worth is not None else Fraction(1))
        if shape.kind == "flag":
            return bool(worth)
        return (sum(worth, Fraction(0)) if near.total else max(worth)) if worth else shape.usual

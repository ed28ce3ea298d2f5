"""A map with the pieces on it: who is where, on which side, in which state; and what a rule may ask of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from assistant.attacks import BadQuestion
from assistant.rules.asked import Asked, told_values
from assistant.rules.kinds import Kinds
from scenarios.counters import Factor, Unit
from scenarios.expressions import EvaluationError
from scenarios.inputs import Formula
from scenarios.position import Piece, Position
from scenarios.reading.shapes import number
from scenarios.resolve import Resolver
from scenarios.scenario import Effect
from scenarios.tables import span

if TYPE_CHECKING:
    from assistant.rules.supply import SideSupply
    from assistant.rules.zones import Zones

Fields = Mapping[str, Any]
MOST_ALIKE = 20_000
Alike = tuple[Any, ...]
"""What a unit is known by: two units of one such key have the same fields."""


@dataclass(frozen=True, eq=False)
class Standing:
    """A unit in its place; `assumed` where the place is our choice."""

    unit: Unit
    piece: Piece
    at: int
    side: str
    fields: Fields
    alike: Alike
    assumed: bool = False

    @cached_property
    def name(self) -> str:
        """Its name, with its number where there are several of it."""
        return self.unit.name if self.unit.count == 1 else f"{self.unit.name} {self.piece.copy}"

    @cached_property
    def key(self) -> str:
        """The counter's id, with its number where there are several of it."""
        return self.unit.id if self.unit.count == 1 else f"{self.unit.id}/{self.piece.copy}"


@dataclass(frozen=True, eq=False)
class Walker:
    """Who walks: a unit, or what stands for it."""

    side: str
    fields: Fields
    standing: Standing | None = None
    source: Standing | None = None


class Field:
    """The pieces of a position on a map. Nothing in it changes; what is worked out is kept."""

    def __init__(
        self, kinds: Kinds, position: Position, told: Mapping[str, Any] | None = None,
        assumed: Iterable[tuple[str, str]] = (),
    ) -> None:  # fmt: skip
        self.kinds, self.position = kinds, position
        self.program = kinds.program
        self.game = self.program.game
        self.scenario = self.game.scenarios.get(position.scenario)
        self.told, self.told_places = told_values(kinds, told or {})
        # What a rule asks of a unit is the same in all positions of a scenario, unless the pack's own values ask for more.
        shared = kinds.units.setdefault(position.scenario if self.scenario and self.scenario.sides else "", {})
        self._fields: dict[Alike, Fields] = {} if self.program.rules.units or len(shared) > MOST_ALIKE else shared
        self._effect_places: dict[Any, frozenset[int]] = {}
        self._seen: dict[Any, dict[int, int]] = {}
        chosen = frozenset(assumed)
        standings: list[Standing] = []
        self.spanning: list[tuple[str, Piece, str, int]] = []
        """Pieces that are spans: which, the piece, its side, its place."""
        self.away: list[Alike] = []
        """Units that aren't on the map."""
        self.markers: dict[int, list[Fields]] = {}
        for piece in position.pieces:
            n = kinds.number.get(piece.at)
            unit = self.game.units.get(piece.unit)
            if n is None:
                if unit is not None:
                    self.away.append(self._alike(unit, piece))
                continue
            if unit is None:
                self._marker(piece, n)
                continue
            standing = self._standing(unit, piece, n, (piece.unit, piece.copy) in chosen)
            name = self._span_of(standing.fields)
            if name:
                self.spanning.append((name, piece, standing.side, n))
            else:
                standings.append(standing)
        self.standings = tuple(standings)

    def _standing(self, unit: Unit, piece: Piece, n: int, assumed: bool) -> Standing:
        alike = self._alike(unit, piece)
        fields = self._fields[alike]
        return Standing(unit, piece, n, fields["side"], fields, alike, assumed)

    def _alike(self, unit: Unit, piece: Piece) -> Alike:
        """What a unit is known by; its fields are then known too."""
        nation = piece.nation or unit.nation
        alike = (unit.id, nation, piece.copy if "copy" in self.program.all_names else "", piece.states, piece.steps_lost)
        if alike not in self._fields:
            self._fields[alike] = self._unit_fields(unit, piece, nation)
        return alike

    def _unit_fields(self, unit: Unit, piece: Piece, nation: str) -> Fields:
        """What a rule may ask of a unit. The face that shows is the back if it is in the back's state or has lost a step."""
        game = self.game
        lost = max(piece.steps_lost, sum(game.states[state].loses for state in piece.states if state in game.states))
        states = set(piece.states)
        turned = unit.back is not None and (unit.back_state in states or lost > 0)
        if turned and unit.back_state:
            states.add(unit.back_state)
        face = unit.back if turned and unit.back is not None else unit.factors
        values: dict[str, Any] = {
            "id": unit.id, "name": unit.name, "nation": nation, "side": self.side_of(nation, unit), "class": unit.class_,
            "type": unit.type, "size": unit.size, "formation": unit.formation, "copy": piece.copy, "steps": max(0, unit.steps - lost),
        }  # fmt: skip
        for name, factor in game.factors.items():
            values[name] = face[name] if name in face else _typed(factor, None)
        values |= {state: state in states for state in game.states if state not in values}
        values |= {ability: ability in unit.abilities for ability in game.abilities if ability not in values}
        values = {key: int(v) if isinstance(v, Fraction) and v.denominator == 1 else v for key, v in values.items()}
        for name, formula in self.program.rules.units.items():
            if formula is not None:
                walker = Walker(values["side"], values)
                values[name] = self.ask(formula, walker)
        return values

    def side_of(self, nation: str, unit: Unit) -> str:
        """The side a nation fights on in this scenario."""
        for side, held in (self.scenario.sides if self.scenario else {}).items():
            if nation in held.nations:
                return side
        known = self.game.nations.get(nation)
        return known.side if known is not None else unit.side

    def _marker(self, piece: Piece, n: int) -> None:
        marker = self.game.markers.get(piece.unit)
        if marker is None:
            return
        fields: dict[str, Any] = {"id": piece.unit, "side": marker.side}
        for name, factor in self.game.factors.items():
            fields[name] = _typed(factor, marker.factors.get(name))
        self.markers.setdefault(n, []).append(fields)
        name = self._span_of({**dict.fromkeys((*self.game.states, *self.game.abilities), False), **self._no_unit, **fields})
        if name:
            self.spanning.append((name, piece, marker.side, n))

    @cached_property
    def _no_unit(self) -> Fields:
        """The fields that a marker hasn't got."""
        return dict.fromkeys(("name", "nation", "class", "type", "size", "formation", "copy"), "") | {"steps": 0}

    def _span_of(self, fields: Fields) -> str:
        """The span that a piece is, if it is one."""
        for name, one in self.program.rules.spans.items():
            if one.of is not None and self.ask(one.of, Walker(fields["side"], fields)) is True:
                return name
        return ""

    def as_if(self, piece: Piece) -> Standing:
        """A piece as a unit in its place, whether it is there or not."""
        return self._standing(self.game.units[piece.unit], piece, self.kinds.number[piece.at], False)

    # Who is where.

    @cached_property
    def by_place(self) -> Mapping[int, tuple[Standing, ...]]:
        """The units in each place."""
        found: dict[int, list[Standing]] = {}
        for standing in self.standings:
            found.setdefault(standing.at, []).append(standing)
        return {n: tuple(held) for n, held in found.items()}

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The sides of the scenario."""
        return tuple(self.game.sides_in(self.scenario)) if self.scenario else tuple(self.game.sides)

    @cached_property
    def all_units(self) -> list[Fields]:
        """The fields of every unit of the position, on the map or not."""
        return [*(standing.fields for standing in self.standings), *(self._fields[alike] for alike in self.away)]

    @cached_property
    def all_alike(self) -> frozenset[tuple[Alike, int]]:
        """The units of the position, for telling positions apart by them."""
        return frozenset(Counter([*(standing.alike for standing in self.standings), *self.away]).items())

    def of(self, side: str) -> tuple[Standing, ...]:
        """The units of a side."""
        return tuple(standing for standing in self.standings if standing.side == side)

    def walker(self, standing: Standing, as_: Mapping[str, str] | None = None, source: Standing | None = None) -> Walker:
        """A unit as a walker, or what stands for it."""
        if not as_:
            return Walker(standing.side, standing.fields, standing, source)
        fields = dict(standing.fields)
        for name, text in as_.items():
            old = fields[name]
            fields[name] = text == "true" if isinstance(old, bool) else text if isinstance(old, str) else number(text)
        return Walker(standing.side, fields, standing, source)

    # What a rule may ask.

    def ask(self, formula: Formula, walker: Walker, more: Fields | None = None, **places: int) -> Any:
        """The value of an expression for a walker and some places."""
        asked = Asked(self, walker, places, more)
        try:
            return formula.work(asked, self.program.lookup, None)
        except EvaluationError as error:
            raise BadQuestion(f"{error} (in {formula.text!r} of the pack's rules)") from None
        except RecursionError:
            raise BadQuestion(f"{formula.text!r} of the pack's rules rests on too many values, one on the other") from None

    def holds(self, formula: Formula | None, walker: Walker, more: Fields | None = None, **places: int) -> bool:
        """Whether a condition holds; one that was left out does."""
        return formula is None or self.ask(formula, walker, more, **places) is True

    def of_place(self, walker: Walker, n: int, name: str) -> Any:
        """What a rule may ask of a place, for a walker."""
        kinds = self.kinds
        if name in kinds.position_names:
            return self._of_position(walker, n, name)
        if name in kinds.walker_names:
            return self.of_walker(walker, n, name)
        value = kinds.told(n, name)
        return [{"kind": kind} for kind in value] if name == "features" else value

    def _of_position(self, walker: Walker, n: int, name: str) -> Any:
        here = self.by_place.get(n, ())
        if name == "enemy":
            return any(s.side != walker.side for s in here)
        if name == "friend":
            return any(s.side == walker.side and s is not walker.standing for s in here)
        if name == "control":
            return here[0].side if here else self.kinds.owner(self.kinds.places[n])
        if name == "friends":
            return [s.fields for s in here if s.side == walker.side and s is not walker.standing]
        if name == "enemies":
            return [s.fields for s in here if s.side != walker.side]
        if name == "markers":
            return self.markers.get(n, [])
        if name in self.told_places:
            return n in self.told_places[name]
        zones = self.program.rules.zones
        base = name.removesuffix("_units")
        if base in zones or name.removeprefix("own_") in zones:
            if name in zones:
                return any(n in covered for covered in self.zones.enemy(name, walker.side))
            if base in zones:
                return [s.fields for covered in self.zones.enemy(base, walker.side) for s in covered.get(n, ())]
            return n in self.zones.of(name.removeprefix("own_"), walker.side)
        return any(marker["id"] == name for marker in self.markers.get(n, ()))

    def of_walker(self, walker: Walker, n: int, name: str) -> Any:
        """What of a place depends on who walks: room, supply there, the areas of special rules."""
        if name == "room":
            from assistant.rules.stacking import failures

            return not failures(self, walker, n)
        if name == "supplied":
            from assistant.rules.supply import supplied_at

            return walker.standing is not None and supplied_at(self, walker.standing, n)
        return n in self.effect_places(walker, name)

    def of_step(self, walker: Walker, n: int, m: int, name: str) -> Any:
        """What a rule may ask of the way between two neighbours."""
        if name == "features":
            return [{"kind": kind} for kind in sorted(self.kinds.lies(n, m))]
        whose, _, span_name = name.partition("_")
        if whose in ("own", "enemy") and span_name in self.program.rules.spans:
            sides = self.zones.spans(span_name).get((n, m), frozenset())
            return walker.side in sides if whose == "own" else bool(sides - {walker.side})
        return name in self.kinds.lies(n, m)

    def of_question(self, walker: Walker, name: str) -> Any:
        """What holds for the whole question: the turn, rulings, effects, what was told."""
        prefix, _, rest = name.partition(".")
        if prefix == "ruling":
            return self.game.rulings[rest].choice
        if prefix == "told":
            return self.told[rest]
        if prefix == "effect":
            return any(effect.at is None for effect in self.effects(rest, walker))
        if prefix == "effect_value":
            return next((effect.value for effect in self.effects(rest, walker)), "")
        scenario = self.scenario
        values = {"turn": self.position.turn, "phase": self.position.phase, "year": 0, "level": ""}
        if scenario is not None:
            values |= {"year": scenario.year or 0, "level": scenario.level}
        return values[name]

    def effects(self, name: str, walker: Walker) -> Iterable[Effect]:
        """The effects of special rules that hold now for a walker."""
        fields = walker.fields
        for effect in self._effects.get(name, ()):
            units = effect.units
            fits = effect.side in ("", walker.side) and effect.nation in ("", fields["nation"])
            if fits and (not units or fields["id"] in units or (walker.standing and walker.standing.unit.template in units)):
                yield effect

    @cached_property
    def _effects(self) -> Mapping[str, list[Effect]]:
        found: dict[str, list[Effect]] = {}
        for special in self.scenario.special if self.scenario else ():
            for effect in special.effects:
                if not effect.turns or span(effect.turns).holds(Fraction(self.position.turn)):
                    found.setdefault(effect.effect, []).append(effect)
        return found

    def effect_places(self, walker: Walker, name: str) -> frozenset[int]:
        """The places of an effect that holds now for a walker."""
        key = (name, walker.side, walker.fields["nation"], walker.fields["id"])
        if key not in self._effect_places:
            zones = dict(self.scenario.zones) if self.scenario else {}
            number_of, found = self.kinds.number, set()
            for effect in self.effects(name, walker):
                if effect.at is not None:
                    places = Resolver(self.kinds.map, zones).places(effect.at)
                    found |= {number_of[place] for place in places if place in number_of}
            self._effect_places[key] = frozenset(found)
        return self._effect_places[key]

    @cached_property
    def zones(self) -> Zones:
        """Zones of control and spans."""
        from assistant.rules.zones import Zones

        return Zones(self)

    @cached_property
    def _supply(self) -> dict[str, SideSupply]:
        return {}

    def supply(self, side: str) -> SideSupply:
        """Who of a side is in supply and in command."""
        if side not in self._supply:
            from assistant.rules.supply import SideSupply

            self._supply[side] = SideSupply(self, side)
        return self._supply[side]

    def seen(self, side: str, names: tuple[str, ...]) -> Mapping[int, int]:
        """The places that aren't empty for a side under some names, each with a number: the same number, the same there."""
        key = side, names
        if key not in self._seen:
            columns = [self._flagged(side, name) for name in names]
            if None in columns:
                walker = Walker(side, {})
                self._seen[key] = {n: self.look(walker, n, names) for n in self._not_empty(side, names)}
            else:  # flags alone: what is true of a place is read from a few sets
                flags = [column for column in columns if column is not None]
                places = frozenset[int]().union(*flags)
                self._seen[key] = {n: self.kinds.look((names, tuple([n in flag for flag in flags]))) for n in places}
        return self._seen[key]

    def _not_empty(self, side: str, names: tuple[str, ...]) -> set[int]:
        """The places that something stands in, covers or marks."""
        places = set(self.by_place) | set(self.markers)
        for name in names:
            places |= self.told_places.get(name, frozenset())
            places |= self._flagged(side, name.removesuffix("_units")) or frozenset()
        return places

    def _flagged(self, side: str, name: str) -> frozenset[int] | None:
        """The places where a flag of the position holds for a side; None for what isn't such a flag."""
        if name == "enemy":
            return frozenset(s.at for s in self.standings if s.side != side)
        if name == "friend":
            return frozenset(s.at for s in self.standings if s.side == side)
        if name in self.program.rules.zones:
            return frozenset[int]().union(*self.zones.enemy(name, side))
        if name.removeprefix("own_") in self.program.rules.zones:
            return frozenset(self.zones.of(name.removeprefix("own_"), side))
        return None

    def look(self, walker: Walker, n: int, names: tuple[str, ...]) -> int:
        """The number of what is in a place under some names."""
        values: list[Any] = []
        for name in names:
            if name in ("friends", "enemies") or name.endswith("_units"):
                values.append(tuple(sorted((tuple(s.alike) for s in self._group(walker, n, name)), key=repr)))
            elif name == "markers":
                values.append(tuple(sorted(repr(marker) for marker in self.markers.get(n, ()))))
            else:
                values.append(self._of_position(walker, n, name))
        return self.kinds.look((names, tuple(values)))

    def _group(self, walker: Walker, n: int, name: str) -> list[Standing]:
        here = self.by_place.get(n, ())
        if name == "friends":
            return [s for s in here if s.side == walker.side and s is not walker.standing]
        if name == "enemies":
            return [s for s in here if s.side != walker.side]
        return [s for covered in self.zones.enemy(name.removesuffix("_units"), walker.side) for s in covered.get(n, ())]


def _typed(factor: Factor, text: str | None) -> Any:
    """The value of a factor: as given, else what is meant if none is, else nothing."""
    text = factor.default if text is None else text
    if text is None:
        return {"number": 0, "text": "", "flag": False}[factor.kind]
    return number(text) if factor.kind == "number" else text == "true" if factor.kind == "flag" else text

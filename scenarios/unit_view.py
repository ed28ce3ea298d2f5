"""What a piece is at a moment: the face that shows, its factors, its states, its steps and its names.

The assistant, the module, the kit and the page all take these from here, so they can't disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from scenarios.model.counters import Factor, FactorValue, Marker, Unit, parse_factor
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.model.position import Piece
from scenarios.model.scenario import Scenario

FieldValue = Fraction | int | str | bool
INVERTED = "inverted"
"""The state of a counter without a second face that lies with its back up, in a pack with such a state."""


@dataclass(frozen=True, eq=False)
class UnitView:
    """A counter or marker in some states, with some steps lost. A scenario may give it to another nation."""

    game: Game
    counter: Unit | Marker
    id: str
    marked_states: frozenset[str] = frozenset()
    """The states that the position gives it. Its back may add one: see `states`."""
    marked_losses: int = 0
    """The steps that the position says it has lost. Its states may say more: see `steps_lost`."""
    owner: str = ""
    """The nation that uses it, where that isn't the one on its counter sheet."""
    scenario: Scenario | None = None

    @cached_property
    def steps_lost(self) -> int:
        """The steps that it has lost, by the position or by its states."""
        return max(self.marked_losses, self._state_losses)

    @property
    def _state_losses(self) -> int:
        states = self.game.states
        return sum(states[state].steps_lost for state in self.marked_states if state in states)

    @property
    def back_state(self) -> str:
        """The state that its second face stands for; empty without such a face or state."""
        return self.counter.back_state if isinstance(self.counter, Unit) and self.counter.back is not None else ""

    @cached_property
    def shows_back(self) -> bool:
        """Whether its second face shows: it is in the state of that face, or it has lost a step."""
        if not isinstance(self.counter, Unit) or self.counter.back is None:
            return False
        return self.back_state in self.marked_states or self.steps_lost > 0

    @property
    def face(self) -> Literal["front", "back"]:
        """The face that shows."""
        return "back" if self.shows_back else "front"

    @property
    def is_flipped(self) -> bool:
        """Whether the counter itself lies with its back up, a plain back too. A badge for a lost step doesn't flip it,
        although the back counts then.
        """
        if not isinstance(self.counter, Unit):
            return False
        is_in_face_state = face_state(self.game, self.counter) in self.marked_states
        return is_in_face_state or (self.shows_back and self.marked_losses > self._state_losses)

    @cached_property
    def states(self) -> frozenset[str]:
        """The states that it is in. A unit whose back shows is in the state of its back."""
        return self.marked_states | {self.back_state} if self.back_state and self.shows_back else self.marked_states

    @property
    def steps(self) -> int:
        """The steps that it has left. A marker has one."""
        return max(0, self.counter.steps - self.steps_lost) if isinstance(self.counter, Unit) else 1

    @cached_property
    def printed_factors(self) -> Mapping[str, FactorValue]:
        """The factors that are printed on the face that shows."""
        unit = self.counter
        if isinstance(unit, Marker):
            return {key: parse_factor(self.game.factors[key], text) for key, text in unit.factors.items()}
        return unit.back if unit.back is not None and self.shows_back else unit.factors

    @cached_property
    def factors(self) -> Mapping[str, FieldValue]:
        """Every factor of the game. A factor that the face doesn't show has its default, else 0, an empty text or no."""
        printed_factors = {key: _plain_number(value) for key, value in self.printed_factors.items()}
        return {**default_factors(self.game), **printed_factors}

    @property
    def missing_factors(self) -> frozenset[str]:
        """The numbers that the face doesn't show and that have no default: they count 0."""
        return frozenset(
            key
            for key, factor in self.game.factors.items()
            if factor.kind == "number" and factor.default is None and key not in self.printed_factors
        )

    @property
    def abilities(self) -> frozenset[str]:
        """What it can do."""
        return self.counter.abilities if isinstance(self.counter, Unit) else frozenset()

    @property
    def nation(self) -> str:
        """The nation that uses it."""
        return self.owner or (self.counter.nation if isinstance(self.counter, Unit) else "")

    @property
    def side(self) -> str:
        """The side that it fights on."""
        return side_of(self.game, self.scenario, self.nation, self.counter.side)

    @property
    def name(self) -> str:
        """The counter's name."""
        return self.counter.name

    @property
    def face_name(self) -> str:
        """The name that is printed on the face that shows."""
        return (self.counter.back_name if isinstance(self.counter, Unit) and self.shows_back else "") or self.name

    @property
    def display_name(self) -> str:
        """The name for people: with its nation where the name alone is ambiguous."""
        return display_name(self.game, self.counter, self.owner) if isinstance(self.counter, Unit) else self.name

    @cached_property
    def fields(self) -> Mapping[str, FieldValue]:
        """What an expression of the pack may ask of it. Whole numbers are int, which is fast and exact."""
        unit, states = self.counter, self.states
        fields = {**empty_fields(self.game), **self.factors}
        fields |= {state: True for state in states if state in self.game.states}
        fields |= {"id": self.id, "name": unit.name, "nation": self.nation, "side": self.side, "steps": self.steps}
        if isinstance(unit, Unit):
            fields |= dict.fromkeys(unit.abilities, True)
            fields |= {"class": unit.class_, "type": unit.type, "size": unit.size}
        return fields


def view_unit(game: Game, unit: Unit, states: Iterable[str] = (), steps_lost: int = 0) -> UnitView:
    """A counter in some states and with some steps lost, as its counter sheet has it."""
    return UnitView(game, unit, unit.id, frozenset(states), steps_lost)


def view_marker(game: Game, marker_id: str, states: Iterable[str] = ()) -> UnitView:
    """A marker in some states."""
    return UnitView(game, game.markers[marker_id], marker_id, frozenset(states))


def view_face(game: Game, unit: Unit, face: Literal["front", "back"]) -> UnitView:
    """A counter with one of its faces up. A counter without a second face is the same on both sides."""
    if face == "front" or unit.back is None:
        return view_unit(game, unit)
    return view_unit(game, unit, [unit.back_state]) if unit.back_state else view_unit(game, unit, steps_lost=1)


def view_piece(game: Game, piece: Piece, scenario: Scenario | None = None) -> UnitView:
    """A piece of a position, in a scenario. Raises KeyError if the game has no such counter or marker."""
    counter = game.units.get(piece.unit) or game.markers[piece.unit]
    return UnitView(game, counter, piece.unit, piece.states, piece.steps_lost, piece.nation, scenario)


def face_state(game: Game, unit: Unit) -> str:
    """The state of a counter that lies with its back up; empty if that is no state."""
    return unit.back_state if unit.back is not None else plain_back_state(game)


def plain_back_state(game: Game) -> str:
    """The state of a counter without a second face that lies with its back up; empty if the pack has no such state."""
    return INVERTED if INVERTED in game.states else ""


def factor_value(factor: Factor, text: str | None) -> FieldValue:
    """The value of a factor: as given, else its default, else 0, an empty text or no."""
    text = factor.default if text is None else text
    if text is None:
        return 0 if factor.kind == "number" else False if factor.kind == "flag" else ""
    return _plain_number(parse_factor(factor, text))


def default_factors(game: Game) -> Mapping[str, FieldValue]:
    """Every factor of the game, as a piece without any factor has it."""
    return cached_on(game, _default_factors)


def _default_factors(game: Game) -> Mapping[str, FieldValue]:
    return {key: factor_value(factor, None) for key, factor in game.factors.items()}


def empty_fields(game: Game) -> Mapping[str, FieldValue]:
    """The fields of a piece of which nothing is known."""
    return cached_on(game, _empty_fields)


def _empty_fields(game: Game) -> Mapping[str, FieldValue]:
    texts = dict.fromkeys(("id", "name", "nation", "side", "class", "type", "size"), "")
    return {**texts, "steps": 0, **default_factors(game), **dict.fromkeys((*game.abilities, *game.states), False)}


def _plain_number(value: FactorValue) -> FieldValue:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def side_of(game: Game, scenario: Scenario | None, nation: str, default: str = "") -> str:
    """The side that a nation fights on in a scenario."""
    for side, side_record in (scenario.sides if scenario is not None else {}).items():
        if nation in side_record.nations:
            return side
    nation_record = game.nations.get(nation)
    return nation_record.side if nation_record is not None else default


# --- names ------------------------------------------------------------------------------------------------------------


def printed_name(game: Game, piece_id: str) -> str:
    """The name of a counter or marker; its id if the game has no such piece."""
    counter = game.units.get(piece_id) or game.markers.get(piece_id)
    return counter.name if counter is not None else piece_id


def display_name(game: Game, unit: Unit, nation: str = "", always: bool = False) -> str:
    """A counter's name. It has the adjective of its nation if the name alone is ambiguous, or if `always` is set.

    `nation` is the nation that uses the counter, in a scenario that gives a nation the counters of another.
    """
    adjective = nation_adjective(game, nation or unit.nation) if always or needs_nation(game, unit) else ""
    return f"{adjective} {unit.name}" if adjective else unit.name


def nation_adjective(game: Game, nation: str) -> str:
    """The adjective of a nation, else its name. Empty for an unknown nation."""
    nation_record = game.nations.get(nation)
    return "" if nation_record is None else nation_record.adjective or nation_record.name


def needs_nation(game: Game, unit: Unit) -> bool:
    """Whether a counter's name leaves its nation open: it has no letter, or an enemy has a formation of the same name."""
    return not any(map(str.isalpha, unit.name)) or (unit.count == 1 and unit.name in cached_on(game, _shared_names))


def _shared_names(game: Game) -> frozenset[str]:
    """The names that counters of several sides share."""
    sides: dict[str, set[str]] = {}
    for unit in game.units.values():
        sides.setdefault(unit.name, set()).add(game.nations[unit.nation].side)
    return frozenset(name for name, owners in sides.items() if len(owners) > 1)

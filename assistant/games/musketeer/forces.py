"""Who fights in a combat of Operation Musketeer, with what help, and what the map tells of it (14.0, 25.0, 29.4, 29.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from assistant.attack import AttackValue, Fields, unit_fields
from assistant.engine.field import Field
from assistant.games.musketeer.questions import empty_field, label
from assistant.questions.answer import BadQuestion
from assistant.unofficial import required_factor
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, direction
from scenarios.model.memo import cached_on
from scenarios.model.position import Piece
from scenarios.rules.shapes import Fate

ATTACK, GROUP = "ground_fire", "firer"
ATTACKER, DEFENDER = ROLES = ("attacker", "defender")
CROSSED = ("suez_canal", "river", "wadi")
"""The hexsides of 14.10."""
POLICIES = {
    "spread": "disruptions go to whole units first, the weakest of them; all else to the weakest",
    "weakest": "the weakest unit takes every result",
    "strongest": "the strongest unit takes every result, as the enemy would wish",
    "listed": "the unit listed first takes every result",
}


@dataclass(frozen=True, eq=False)
class Fighter:
    """A unit in the combat."""

    fields: Fields
    """As it is now."""
    worn: Fields
    """As it is when disrupted."""
    steps: int
    columns: tuple[int, int]
    """Where it starts on the combat table, whole and disrupted."""
    stack: int = 0
    name: str = ""

    @property
    def id(self) -> str:
        return str(self.fields["id"])

    @property
    def nation(self) -> str:
        return str(self.fields["nation"])

    @property
    def landed(self) -> bool:
        """Whether it is in a direct assault (29.5)."""
        return self.fields.get("direct_assault") is True

    @property
    def zone(self) -> bool:
        """Whether it has a zone of control, while it isn't disrupted (13.1, 29.5)."""
        return not (self.fields.get("disrupted") is True or self.landed)

    @cached_property
    def strengths(self) -> tuple[Fraction, Fraction]:
        """Its combat factor, whole and disrupted."""
        return Fraction(str(self.fields["combat"])), Fraction(str(self.worn["combat"]))

    def fate(self, game: Game, terrain: str) -> Fate | None:
        """What the rules say of it, on such ground in Egypt, before it retreats: it stays there, or is lost (16.1, 16.5, 29.5)."""
        return cached_on(game, _fate, self, terrain)

    def piece(self, game: Game, copy: str, at: Hex | str) -> Piece:
        """It as a piece in a hex, in its states."""
        return Piece(
            self.id, copy, self.nation, at, frozenset(state for state in game.states if self.fields.get(state) is True)
        )


def fighter(game: Game, fields: Fields, stack: int = 0) -> Fighter:
    """A unit as it comes into the combat; a disrupted or one-sided one has a single step (15.3)."""
    states = tuple([state for state in game.states if fields.get(state) is True])
    return cached_on(game, _fighter, str(fields.get("id")), states, stack, str(fields.get("name") or "that"))


def _fighter(game: Game, name: str, states: tuple[str, ...], stack: int, called: str) -> Fighter:
    unit = game.units.get(name)
    if unit is not None and empty_field(game).counts(unit):
        required_factor(game, unit, "combat")
    fields = unit_fields(game, unit, states) if unit is not None else {}
    if unit is None or not fields.get("combat"):
        raise BadQuestion(f"{called} doesn't fight on the ground (14.0)")
    whole = unit.back is not None and unit.back_state not in states
    worn = unit_fields(game, unit, [*states, unit.back_state]) if whole else fields
    table = game.tables[game.attacks[ATTACK].table]
    start, back = (table.find_column(Fraction(str(face["combat"]))) or 0 for face in (fields, worn))
    return Fighter(fields, worn, 2 if whole else 1, (start, back), stack, label(game, unit))


def _fate(game: Game, unit: Fighter, terrain: str) -> Fate | None:
    field = empty_field(game)
    place = field.map_index.places[0]
    ground: dict[str, object] = {f"to.{kind}": kind == terrain for kind in game.terrain}
    asked = field.scope(field.mover(field.as_if(unit.piece(game, "", place))), {"to": 0}, {**ground, "to.egypt": True})
    (walk,) = field.program.rules.retreat.values()
    return next((fate for fate in walk.outcomes if field.holds_of(fate.when, asked)), None)


class Support(NamedTuple):
    """What helps a side: airstrikes in close air support, special forces, guerrillas of a value (None: none)."""

    cas: int = 0
    special_forces: bool = False
    guerrilla: int | None = None

    def hit(self, spares_air: bool = False) -> Support:
        """One counter is lost to A/G (15.1, 25.6), the owner's choice: an airstrike, or special forces or guerrillas;
        guerrillas of no value before all."""
        helped = self.special_forces or self.guerrilla is not None
        if self.cas and self.guerrilla != 0 and not (spares_air and helped):
            return self._replace(cas=self.cas - 1)
        return self._replace(special_forces=False, guerrilla=None)


@dataclass(frozen=True)
class Combat:
    """A combat: who fights, where, and what is told of it."""

    game: Game
    attackers: tuple[Fighter, ...]
    defenders: tuple[Fighter, ...]
    inputs: Mapping[str, AttackValue]
    support: tuple[Support, Support] = (Support(), Support())
    policies: tuple[str, str] = ("spread", "spread")
    grounds: tuple[str, ...] = ()
    """The terrain that each attacking stack stands on, where it is known: Egyptians may stay there (16.1)."""
    shifts: tuple[int, int] = (0, 0)
    """Further columns to the right, to see what one more would change."""
    spares_air: bool = False
    """The attacker gives up special forces or guerrillas to an A/G before an airstrike (25.6)."""
    mapped: Callable[[Sequence[Fighter]], Mapping[str, AttackValue]] = lambda attackers: {}
    """What the map tells of the combat with these attackers: hexsides and angles change with the stacks."""
    fired_at: int | None = None
    """The attacking stack that the defenders fire at: one, of their choice (14.4)."""

    @property
    def sides(self) -> tuple[tuple[Fighter, ...], tuple[Fighter, ...]]:
        return self.attackers, self.defenders

    @property
    def terrain(self) -> str:
        """That of the defenders' hex."""
        return str(self.inputs.get("terrain", "open"))

    @cached_property
    def aim(self) -> int:
        """The stack that the defenders fire at; the strongest, where none is told that is there."""
        strengths: dict[int, Fraction] = {}
        for unit in self.attackers:
            strengths[unit.stack] = strengths.get(unit.stack, Fraction(0)) + unit.strengths[0]
        if self.fired_at in strengths:
            return self.fired_at
        return max(strengths, key=lambda stack: (strengths[stack], -stack))


def mapped(field: Field, target: int, starts: Sequence[int], attackers: Sequence[Fighter]) -> dict[str, AttackValue]:
    """What the map tells of a combat: terrain, hexsides (14.10) and whether it is concentric (29.4)."""
    game = field.game
    able = (
        game.tables["contingents"].looked_up(
            field.off_map(game.units[attackers[0].id]).fields["contingent"], "concentric"
        )
        == "yes"
    )
    landed = any(unit.landed for unit in attackers)
    starts = [start for number, start in enumerate(starts) if any(unit.stack == number for unit in attackers)]
    return {
        "terrain": field.map_index.terrain(field.map_index.places[target]),
        "across": _crossing(field, target, starts) if starts and not landed else "nothing",
        "concentric": able and _concentric(field, target, starts),
    }


def _concentric(field: Field, target: int, stacks: Sequence[int]) -> bool:
    """Whether two of the attacking stacks stand 120 to 180 degrees apart (29.4)."""
    hexes = [place for n in (target, *stacks) if isinstance(place := field.map_index.places[n], Hex)]
    turns = [direction(hexes[0], hex) for hex in hexes[1:] if hex != hexes[0]]
    return any(min((a - b) % 6, (b - a) % 6) >= 2 for a in turns for b in turns)


def _crossing(field: Field, target: int, stacks: Sequence[int]) -> str:
    """What every attacker comes across (14.10): the hexside that helps the defender least, where they differ."""

    def help_(kind: str) -> int:
        return int(field.game.tables["terrain"].looked_up(kind, "shift"))

    crossed = [[kind for kind in sorted(field.map_index.lies(stack, target)) if kind in CROSSED] for stack in stacks]
    return (
        max((min(kinds, key=help_) for kinds in crossed), key=help_, default="nothing") if all(crossed) else "nothing"
    )

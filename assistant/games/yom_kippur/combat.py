"""Ground combat: the declared attack from a position or in words, and what each result costs both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from assistant.attack import AttackValue, Odds
from assistant.chances import gather
from assistant.engine.battle.battle import Battle, battle_of
from assistant.engine.battle.battle import BattleInputs as ToldOfBattle
from assistant.engine.battle.requirements import resolve_attack, unmet
from assistant.engine.battle.result_effects import consequences
from assistant.engine.battle.results import Consequence
from assistant.engine.battle.what_if import Prospect
from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.movement.reach import reach
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_place
from assistant.games.yom_kippur.questions import SIDES, other, sound
from assistant.odds import fields_of, read_attack_inputs
from assistant.questions.answer import BadQuestion
from assistant.questions.question import Inputs
from scenarios.model.game import Game
from scenarios.model.position import Piece, Position
from scenarios.model.tables import Table

MAP_ALONE = ("scenario", "position", "put", "mark", "remove", "target", "from", "targets", "best")
"""What a battle in words can't be told."""


@dataclass(frozen=True)
class Combat(Prospect):
    """A battle: the arithmetic, and every result spelled out for these units."""

    battle: Battle
    follower: bool
    """Whether a headquarters or engineer that only helps, and so loses no steps, can advance into the hex (1.5)."""

    @property
    def table(self) -> Table:
        """The Combat Results Table."""
        return self.battle.field.game.tables["combat"]

    def spread(self, of: Callable[[Consequence], int]) -> Mapping[int, Fraction]:
        """The chance of each value of something that results have, such as the attacker's steps."""
        return dict(sorted(gather({one: one.chance for one in self.results}, of).items()))

    def due(self, one: Consequence, effect: str) -> int:
        """A number of a result, such as the attacker's hexes back."""
        return int(self.table.results[one.code].effects.get(effect, "0"))

    @cached_property
    def advance_chance(self) -> Fraction:
        """The chance that an attacker is left to take the hex."""
        return self.mean(self.is_taken)

    def is_taken(self, one: Consequence) -> bool:
        """Whether the hex is left free, and an attacker, or a helper who loses nothing, may advance into it (1.5)."""
        return one.place_taken or (self.follower and one.falls and not one.attackers.going)

    @property
    def stars(self) -> bool:
        """Whether a star costs an Israeli armor step (3.6)."""
        return self.odds.values.get("star_counts") is True


def fight(battle: Battle, answer: Odds | None = None, column: int | None = None) -> Combat:
    """The arithmetic of a battle, and its results; on another `column` where one is told."""
    answer = answer or resolve_attack(battle)
    chances = None if column is None else battle.field.game.tables["combat"].distribution(column)
    return Combat(answer, consequences(battle, answer, chances=chances), battle, _follows(battle))


def helpers(battle: Battle, group: str) -> tuple[PlacedUnit, ...]:
    """The headquarters and engineers that are stacked with the attackers, or with the defenders (1.5)."""
    units = battle.attackers if group == "attackers" else battle.defenders
    if battle.targets:
        units = tuple(
            [s for hex in dict.fromkeys([s.place for s in units]) for s in battle.field.by_place.get(hex, ())]
        )
    return tuple([s for s in units if "gives_shift" in s.counter.abilities and "bridge" not in s.piece.states])


def _follows(battle: Battle) -> bool:
    if not battle.targets or battle.inputs.get("attacker_helper") is not True:
        return False
    helping = [s for s in helpers(battle, "attackers") if s not in battle.attackers]
    free = battle.field.with_changes(removed_units=battle.defenders) if helping else battle.field
    return any(battle.targets[0] in reach(free, s, section="advance").ends for s in helping)


def fights(standing: PlacedUnit) -> bool:
    """Whether a unit attacks, and doesn't only help."""
    return standing.fields["attack"] > 0 and "supplies" not in standing.counter.abilities


# --- on the map -------------------------------------------------------------------------------------------------------


def on_the_map(field: Field, attackers: Sequence[PlacedUnit], target: int, inputs: Mapping[str, AttackValue]) -> Battle:
    """An attack on a hex from where the attackers stand (1.5, 1.7, 1.9, 1.12, 1.13, 3.6); what is told wins over the map.

    A headquarters or engineer stacked with an attacker helps.
    """
    if not attackers:
        raise BadQuestion(f"say who attacks: attackers; {_who_could(field, target)}")
    side, name = attackers[0].side, field.map_index.name
    defenders = field.stack(target, other(side))
    if not defenders:
        raise BadQuestion(f"no enemy of {attackers[0].name} stands in {name(target)}")
    for standing in attackers:
        if field.map_index.distance(standing.place, target) != 1:
            where = f"{standing.name} in {name(standing.place)} is not next to {name(target)}"
            raise BadQuestion(f"{where}; {_who_could(field, target)}")
    return battle_of(field, "ground", side, (target,), attackers, defenders, ToldOfBattle(inputs, {}, {}))


def attacking(field: Field, units: Sequence[PlacedUnit], told: Inputs, targets: Sequence[int]) -> list[PlacedUnit]:
    """The units named, and whoever may attack one of the targets `from` some hexes; where nobody may, all who have the strength,
    so that the answer names the rule that refuses them."""
    hexes = [asked_place(field.map_index, name) for name in told.get("from", ())]
    stacks = [unit for hex in hexes for side in SIDES for unit in field.stack(hex, side)]
    strong = [unit for unit in stacks if unit.fields["attack"] > 0]
    if hexes and not strong:
        raise BadQuestion(f"nobody who could attack stands in {', '.join(map(field.map_index.name, hexes))}")
    allowed = [unit for unit in strong if not unmet(field, unit, targets)]
    return list(dict.fromkeys([*units, *(allowed or strong)]))


def _who_could(field: Field, target: int) -> str:
    """The half sentence that tells who stands next to a hex and could attack it."""
    name, where = field.map_index.name, field.map_index.name(target)
    for side in SIDES:
        if field.is_occupied(target, side):
            near = [
                s
                for hex, _ in field.map_index.neighbours(target)
                for s in field.stack(hex, other(side))
                if s.fields["attack"] > 0
            ]
            names = ", ".join(f"{s.name} in {name(s.place)}" for s in near[:6])
            return f"next to {where} stand {names}" if names else f"nobody who could stands next to {where}"
    return f"nobody stands in {where}"


# --- in words, without a map ------------------------------------------------------------------------------------------


def told_groups(game: Game, attack: str, told: Inputs) -> dict[str, list[dict[str, AttackValue]]]:
    """The units that were told, as the declared attack sees them."""
    if odd := next((key for key in told if key in MAP_ALONE), None):
        raise BadQuestion(
            f"a battle in words has no {odd}; leave it out, or put the units on the map and name a target"
        )
    groups = [name for name in game.attacks[attack].groups if name in told]
    return {name: [dict(unit) for unit in fields_of(game, attack, name, told[name])] for name in groups}


def in_words(game: Game, told: Inputs) -> Battle:
    """`attackers` and `defenders` as in UNIT+STATE:across=suez_canal,UNIT, and the inputs of the ground attack."""
    field = nowhere(game)
    units: dict[str, list[PlacedUnit]] = {"attackers": [], "defenders": []}
    groups: dict[str, list[Mapping[str, Any]]] = {"attackers": [], "defenders": []}
    asked = game.attacks["ground"].groups["attackers"].inputs
    for group, several in told_groups(game, "ground", told).items():
        for unit in several:
            standing = _unplaced(field, unit)
            units[group].append(standing)
            groups[group].append({**standing.fields, **{key: unit[key] for key in asked if key in unit}})
    for group, several_units in units.items():
        if not several_units:
            raise BadQuestion(f"say who {'attacks' if group == 'attackers' else 'is attacked'}: {group}")
    inputs = {
        "allied_saggers": game.rulings["allies_atgm"].choice == "side",
        **read_attack_inputs(game, "ground", told),
    }
    side = units["attackers"][0].side
    return replace(
        without_map(field, "ground", side, groups, inputs),
        attackers=(*units["attackers"],),
        defenders=(*units["defenders"],),
    )


def nowhere(game: Game) -> Field:
    """An empty map, for battles in words."""
    kinds = map_index_of(game)
    assert kinds is not None
    return make_field(kinds, Position(game.id))


def without_map(
    field: Field, attack: str, side: str, groups: Mapping[str, Sequence[Any]], inputs: Mapping[str, AttackValue]
) -> Battle:
    """A battle in which nobody has a hex."""
    return Battle(field, attack, side, (), (), (), groups, inputs, (), ToldOfBattle(inputs, {}, {}))


def _unplaced(field: Field, told: Mapping[str, AttackValue]) -> PlacedUnit:
    """A unit as it was told, in no place in particular."""
    game = field.game
    unit = game.units.get(str(told["id"]))
    if unit is None:
        raise BadQuestion(f"{told['id']} is a marker, and no unit that fights")
    piece = Piece(
        unit.id, "1", unit.nation, field.map_index.places[0], frozenset(state for state in game.states if told[state])
    )
    sound(game, piece)
    return field.as_if(piece)

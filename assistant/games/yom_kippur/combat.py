"""Ground combat: the declared attack filled in from a position or from words, and what each result costs both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as data_field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple

from assistant.answers import BadQuestion
from assistant.attack import Answer, Value, odds, read_answer
from assistant.games.yom_kippur.air import covering
from assistant.games.yom_kippur.asking import SIDES, asked_hex, other, sound, value
from assistant.games.yom_kippur.bridges import CANAL, MINOR
from assistant.odds import fields_of
from assistant.questions import Told
from assistant.rules.field import Field, Standing
from assistant.rules.kinds import kinds_of
from assistant.rules.movement import reach
from assistant.rules.results import Consequence, Fight
from scenarios.game import Game
from scenarios.position import Piece, Position
from scenarios.tables import Table

MAP_ALONE = ("scenario", "position", "put", "mark", "gone", "target", "from", "targets", "best")
"""What a battle in words can't be told."""


@dataclass(frozen=True)
class Battle:
    """An attack before the dice: who fights whom, and what the declared attack asks. Without a target nobody has a hex."""

    field: Field
    target: int | None
    attackers: tuple[Standing, ...]
    defenders: tuple[Standing, ...]
    seen: Mapping[Standing, Mapping[str, Value]]
    """What the declared attack sees of each unit, with what an attacker attacks across."""
    inputs: Mapping[str, Value]
    shaken: Mapping[Standing, frozenset[str]] = data_field(default_factory=dict)
    """The states of defenders who are thought to be in others than on the map."""

    @property
    def game(self) -> Game:
        """The game."""
        return self.field.game

    @property
    def groups(self) -> dict[str, list[Mapping[str, Value]]]:
        """What the declared attack sees of them."""
        return {"attackers": [self.seen[s] for s in self.attackers], "defenders": [self.seen[s] for s in self.defenders]}

    @property
    def table(self) -> Table:
        """The Combat Results Table."""
        return self.game.tables[self.game.attacks["ground"].table]

    def helpers(self, group: str) -> tuple[Standing, ...]:
        """The headquarters and engineers that are stacked with the attackers, or with the defenders (1.5)."""
        units = self.attackers if group == "attackers" else self.defenders
        if self.target is not None:
            hexes = dict.fromkeys([s.at for s in units])
            units = tuple([s for hex in hexes for s in self.field.by_place.get(hex, ())])
        return tuple([s for s in units if "gives_shift" in s.unit.abilities and "bridge" not in s.piece.states])

    def by(self, attackers: Sequence[Standing]) -> Battle:
        """The same attack by others of its side."""
        if self.target is None:
            return replace(self, attackers=tuple(attackers))
        field, target = self.field, self.target
        new = [s for s in attackers if s not in self.seen]
        water = {hex: _across(field, new[0].side, hex, target) for hex in {s.at for s in new}}
        fresh = {s: {**s.fields, **water[s.at]} for s in new}
        battle = replace(self, attackers=tuple(attackers), seen={**self.seen, **fresh})
        inputs = {"road": _by_road(field, attackers, target), "attacker_helper": bool(battle.helpers("attackers"))}
        return replace(battle, inputs={**self.inputs, **inputs})

    def odds(self) -> Answer:
        """Its arithmetic."""
        return odds(self.game, "ground", self.groups, self.inputs)

    def results(self, chances: Mapping[str, Fraction], stars: bool) -> tuple[Consequence, ...]:
        """What each result does, by the pack's records; `stars`: whether a star costs an Israeli armor step (3.6)."""
        targets = () if self.target is None else (self.target,)
        fight = Fight(self.field, "ground", targets, self.attackers, self.defenders, {"star_counts": stars}, {}, self.shaken)
        return self.field.outcomes.of(fight, chances)

    def mean(self, column: str | None, stars: bool) -> Mean:
        """What it comes to on a column; nothing where there is no attack."""
        chances = {} if column is None else self.table.distribution(self.table.named_column(column))
        return Mean.of(self.results(chances, stars), self.follower)

    @property
    def follower(self) -> bool:
        """Whether a headquarters or engineer that only helps, and so loses no steps, can advance into the hex (1.5)."""
        if self.target is None or self.inputs.get("attacker_helper") is not True:
            return False
        helpers = [s for s in self.helpers("attackers") if s not in self.attackers]
        free = self.field.changed(gone=self.defenders) if helpers else self.field
        return any(self.target in reach(free, s, section="advance").ends for s in helpers)

    def given(self, **inputs: Value) -> Battle:
        """The same attack with other inputs."""
        return replace(self, inputs={**self.inputs, **inputs})


class Mean(NamedTuple):
    """The chances that the hex falls and that an attacker takes it, and the steps that both lose on average."""

    falls: Fraction
    taken: Fraction
    mine: Fraction
    theirs: Fraction

    @staticmethod
    def of(results: Sequence[Consequence], follower: bool) -> Mean:
        """The mean of some results."""
        throws = lcm(*(one.chance.denominator for one in results))
        sums = [0, 0, 0, 0]
        for one in results:
            count = int(one.chance * throws)
            values = (one.falls, is_taken(one, follower), one.attackers.steps, one.defenders.steps)
            sums = [so_far + count * int(value) for so_far, value in zip(sums, values, strict=True)]
        return Mean(*(Fraction(count, throws) for count in sums))


def is_taken(one: Consequence, follower: bool) -> bool:
    """Whether the hex is left free, and an attacker, or a `follower` who loses nothing, may advance into it (1.5)."""
    if not one.falls or one.attackers.going:
        return False
    return follower or any(fate.left and fate.ahead for fate in one.attackers.fates)


@dataclass(frozen=True)
class Combat:
    """A battle: the arithmetic, and every result spelled out for these units."""

    battle: Battle
    answer: Answer
    results: tuple[Consequence, ...]
    follower: bool

    def spread(self, of: Callable[[Consequence], int]) -> Mapping[int, Fraction]:
        """The chance of each value of something that results have, such as the attacker's steps."""
        chances: dict[int, Fraction] = {}
        for result in self.results:
            chances[of(result)] = chances.get(of(result), Fraction(0)) + result.chance
        return dict(sorted(chances.items()))

    def due(self, one: Consequence, effect: str) -> int:
        """A number of a result, such as the attacker's hexes back."""
        return int(self.battle.table.results[one.code].effects.get(effect, "0"))

    @property
    def attackers(self) -> tuple[Standing, ...]:
        """Who attacks."""
        return self.battle.attackers

    @property
    def defenders(self) -> tuple[Standing, ...]:
        """Who is attacked."""
        return self.battle.defenders

    @cached_property
    def mean(self) -> Mean:
        """What it comes to on average."""
        return Mean.of(self.results, self.follower)

    @property
    def stars(self) -> bool:
        """Whether a star costs an Israeli armor step (3.6)."""
        return star_counts(self.answer)


def fight(battle: Battle) -> Combat:
    """The arithmetic of a battle, and its results."""
    answer = battle.odds()
    return Combat(battle, answer, battle.results(answer.chances, star_counts(answer)), battle.follower)


def star_counts(answer: Answer) -> bool:
    """Whether a star costs an Israeli armor step (3.6)."""
    return answer.values.get("star_counts") is True


def fights(standing: Standing) -> bool:
    """Whether a unit attacks, and doesn't only help."""
    return standing.fields["attack"] > 0 and "supplies" not in standing.unit.abilities


# --- on the map -------------------------------------------------------------------------------------------------------


def battle_of(field: Field, attackers: Sequence[Standing], target: int, **inputs: Value) -> Battle:
    """An attack on a hex from where the attackers stand (1.5, 1.7, 1.9, 1.12, 1.13, 3.6); what is told wins over the map.

    A headquarters or engineer stacked with an attacker helps.
    """
    if not attackers:
        raise BadQuestion(f"say who attacks: attackers; {_who_could(field, target)}")
    side, game, name = attackers[0].side, field.game, field.kinds.name
    defenders = field.stack(target, other(side))
    if not defenders:
        raise BadQuestion(f"no enemy of {attackers[0].name} stands in {name(target)}")
    for standing in attackers:
        if field.kinds.distance(standing.at, target) != 1:
            where = f"{standing.name} in {name(standing.at)} is not next to {name(target)}"
            raise BadQuestion(f"{where}; {_who_could(field, target)}")
    read: dict[str, Value] = {
        "terrain": field.kinds.terrain(field.kinds.places[target]),
        "defender_helper": any("gives_shift" in s.unit.abilities for s in defenders),
        "under_sam": bool(covering(field, "egyptian", target)),
        "under_hawk": bool(covering(field, "israeli", target)),
        "turn": Fraction(field.position.turn),
        "allied_saggers": game.rulings["allies_atgm"].choice == "side",
    }
    return Battle(field, target, (), defenders, {s: s.fields for s in defenders}, read).by(attackers).given(**inputs)


def attacking(field: Field, units: Sequence[Standing], told: Told) -> list[Standing]:
    """The units named, and whoever can attack `from` some hexes."""
    hexes = [asked_hex(field, name) for name in told.get("from", ())]
    there = [s for hex in hexes for side in SIDES for s in field.stack(hex, side) if fights(s)]
    if hexes and not there:
        raise BadQuestion(f"nobody who could attack stands in {', '.join(map(field.kinds.name, hexes))}")
    return list(dict.fromkeys([*units, *there]))


def _who_could(field: Field, target: int) -> str:
    """The half sentence that tells who stands next to a hex and could attack it."""
    name, where = field.kinds.name, field.kinds.name(target)
    for side in SIDES:
        if field.occupied(target, side):
            near = [s for hex, _ in field.kinds.near(target) for s in field.stack(hex, other(side)) if s.fields["attack"] > 0]
            names = ", ".join(f"{s.name} in {name(s.at)}" for s in near[:6])
            return f"next to {where} stand {names}" if names else f"nobody who could stands next to {where}"
    return f"nobody stands in {where}"


def _across(field: Field, side: str, hex: int, target: int) -> dict[str, Value]:
    """The water that a side attacks over from a hex, and whether a bridge lies there (1.13b)."""
    kinds = field.kinds.lies(hex, target)
    water = sorted(kinds & CANAL) or ["minor_canal" for kind in kinds & MINOR]
    return {"across": water[0] if water else "none", "bridged": value(field, "stormed", side, hex, target)}


def _by_road(field: Field, attackers: Sequence[Standing], target: int) -> bool:
    """Whether all who need one come along a road (1.4a)."""
    starts = {s.at for s in attackers if s.unit.class_ == "mechanized"}
    return bool(starts) and all(value(field, "by_road", attackers[0].side, hex, target) for hex in starts)


# --- in words, without a map ------------------------------------------------------------------------------------------


def told_inputs(game: Game, attack: str, told: Told) -> dict[str, Value]:
    """What was told of the battle as a whole, by the names of the declared attack."""
    shapes = game.attacks[attack].inputs
    return {name: read_answer(game, name, shape, _text(told[name])) for name, shape in shapes.items() if name in told}


def told_groups(game: Game, attack: str, told: Told) -> dict[str, list[dict[str, Value]]]:
    """The units that were told, as the declared attack sees them."""
    if odd := next((key for key in told if key in MAP_ALONE), None):
        raise BadQuestion(f"a battle in words has no {odd}; leave it out, or put the units on the map and name a target")
    groups = [name for name in game.attacks[attack].groups if name in told]
    return {name: [dict(unit) for unit in fields_of(game, attack, name, told[name])] for name in groups}


def battle_in_words(game: Game, told: Told) -> Battle:
    """`attackers` and `defenders` as in UNIT+STATE:across=suez_canal,UNIT, and the inputs of the ground attack."""
    groups = told_groups(game, "ground", told)
    kinds = kinds_of(game)
    assert kinds is not None
    field = Field(kinds, Position(game.id))
    units: dict[str, list[Standing]] = {"attackers": [], "defenders": []}
    seen: dict[Standing, Mapping[str, Value]] = {}
    asked = game.attacks["ground"].groups["attackers"].inputs
    for group, several in groups.items():
        for unit in several:
            standing = _unplaced(field, unit)
            units[group].append(standing)
            seen[standing] = {**standing.fields, **{key: unit[key] for key in asked if key in unit}}
    for group, several_units in units.items():
        if not several_units:
            raise BadQuestion(f"say who {'attacks' if group == 'attackers' else 'is attacked'}: {group}")
    inputs = {"allied_saggers": game.rulings["allies_atgm"].choice == "side", **told_inputs(game, "ground", told)}
    return Battle(field, None, tuple(units["attackers"]), tuple(units["defenders"]), seen, inputs)


def _unplaced(field: Field, told: Mapping[str, Value]) -> Standing:
    """A unit as it was told, in no place in particular."""
    game = field.game
    unit = game.units.get(str(told["id"]))
    if unit is None:
        raise BadQuestion(f"{told['id']} is a marker, and no unit that fights")
    piece = Piece(unit.id, "1", unit.nation, field.kinds.places[0], frozenset(state for state in game.states if told[state]))
    sound(game, piece)
    return field.as_if(piece)


def _text(told: object) -> str:
    if isinstance(told, bool):
        return "yes" if told else "no"
    return str(told)

"""A ground combat of Operation Musketeer: both fires, unit by unit, exactly (14.0 to 15.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

from assistant.attack import AppliedModifier, AttackValue, Evaluation, Violation, odds, refusal
from assistant.engine.battle.results import records_of
from assistant.engine.battle.rounds import NumberedStates, Salvos
from assistant.engine.map_index import program_of
from assistant.games.musketeer.forces import ATTACK, DEFENDER, GROUP, ROLES, Combat, Fighter, Support
from assistant.questions.answer import BadQuestion
from scenarios.model.dice import dice
from scenarios.model.game import Game
from scenarios.model.memo import cached_on

WHOLE, WORN, AWAY, GONE = 0, 1, 2, 4
"""What has become of a unit: whole, disrupted, either of them retreated (and so two more), or eliminated."""
FATES = ("unharmed", "disrupted", "retreated", "disrupted and retreated", "eliminated")
Codes = tuple[int, ...]
Facing = tuple[tuple[int, bool], ...]
"""The stacks of a side that stand in a combat, and whether each has a zone of control."""
Key = TypeVar("Key")


class End(NamedTuple):
    """How one side ends: its units, its support, and the enemy as it stood when it fired, where that is watched (16.4 b, c)."""

    codes: Codes
    support: Support
    facing: Facing = ()


class Shot(NamedTuple):
    """How a unit would fire at the start: the column, its shift with every reason, and why it may not."""

    column: str
    shift: int
    applied: tuple[AppliedModifier, ...]
    failures: tuple[Violation, ...]


@dataclass(frozen=True)
class Outcome:
    """A combat, solved: in how many ways of the throws it ends in each way."""

    combat: Combat
    first: str
    shots: tuple[tuple[Shot, ...], tuple[Shot, ...]]
    ends: tuple[Mapping[End, int], Mapping[End, int]]
    """How each side ends, whatever becomes of the other."""
    pursuits: tuple[int, int, int]
    """That no defender is left in the hex, and that attackers may and must pursue (17.0)."""
    throws: int

    def gathered(self, side: int, key: Callable[[End], Key]) -> dict[Key, Fraction]:
        """The chances of what the ends of one side have in common."""
        found: dict[Key, int] = {}
        for end, ways in self.ends[side].items():
            name = key(end)
            found[name] = found.get(name, 0) + ways
        return {name: Fraction(ways, self.throws) for name, ways in found.items()}

    @property
    def chances(self) -> tuple[Fraction, Fraction, Fraction]:
        """The chances that the hex is cleared, and that attackers may (17.1, 17.5) and must (17.6) pursue."""
        cleared, may, must = (Fraction(ways, self.throws) for ways in self.pursuits)
        return cleared, may, must

    def lost(self, side: int) -> Fraction:
        """How many units a side loses for good on average."""
        return Fraction(sum(ways * end.codes.count(GONE) for end, ways in self.ends[side].items()), self.throws)

    def losses(self, side: int) -> dict[tuple[int, int, int], Fraction]:
        """The chance of each (eliminated, disrupted, retreated) of a side; the retreated may be disrupted too."""

        def count(end: End) -> tuple[int, int, int]:
            gone, both = end.codes.count(GONE), end.codes.count(WORN + AWAY)
            return gone, end.codes.count(WORN) + both, end.codes.count(AWAY) + both

        return dict(sorted(self.gathered(side, count).items()))

    def fate(self, side: int, place: int) -> Mapping[str, Fraction]:
        """What may become of one unit, the likeliest first."""
        found = sorted(self.gathered(side, lambda end: end.codes[place]).items())
        return {FATES[code]: chance for code, chance in sorted(found, key=lambda one: -one[1])}


# --- what a fire does -------------------------------------------------------------------------------------------------


class Result(NamedTuple):
    """What a fire does to the enemy: how many steps a unit loses, if one is hit at all, and whether it retreats;
    whether a support is lost; the asterisk."""

    hits: bool = False
    steps: int = 0
    retreats: bool = False
    support: bool = False
    star: bool = False


def _faces(game: Game) -> tuple[tuple[tuple[Result, int], ...], ...]:
    """For each column of the combat table its results, each with so many faces of the die."""
    table = game.tables[game.attacks[ATTACK].table]
    die, columns = len(dice(table.dice)), []
    for column in range(len(table.columns.labels)):
        shares: dict[Result, int] = {}
        for code, chance in table.distribution(column).items():
            result = _result(game, table.results[code].effects)
            shares[result] = shares.get(result, 0) + int(die * chance)
        columns.append(tuple(shares.items()))
    return tuple(columns)


def _result(game: Game, effects: Mapping[str, str]) -> Result:
    """What a result does, by the records of the pack's rules; that it costs a support counter is this game's own."""
    found = Result(support="support" in effects)
    for record, number in records_of(program_of(game).rules, effects):
        if record.lose is not None:
            found = found._replace(hits=True, steps=number)
        elif record.retreat is not None:
            found = found._replace(hits=True, retreats=True)
        elif record.advance:
            found = found._replace(star=True)
    return found


class Stand(NamedTuple):
    """How a side stands in the middle of a combat: its units, its support; of defenders also whether they have suffered an
    asterisk and which stack has cleared them away (17.1, 17.6)."""

    codes: Codes
    support: Support
    star: bool = False
    cleared_by: int = -1

    @property
    def there(self) -> list[int]:
        """The units that are still in the combat."""
        return [place for place, code in enumerate(self.codes) if code in (WHOLE, WORN)]


Column = tuple[int, int]
"""The column that a unit fires on, none (-1) if it is gone, and its stack."""
Ways = dict[int, int]
"""In how many ways of the throws a side stands so, by the number of its stand."""
Told = tuple[tuple[str, AttackValue], ...]


class Force:
    """One side of a combat: on which columns it fires, and what fire makes of it, result by result (14.5, 14.10, 15.0)."""

    def __init__(self, combat: Combat, side: int, first: str) -> None:
        self.combat, self.side, self.game = combat, side, combat.game
        self.units, self.policy, self.more = combat.sides[side], combat.policies[side], combat.shifts[side]
        self.spent = side == 1 and first == DEFENDER
        """A defender who fires before he is fired on needs no support any more."""
        self.table = self.game.tables[self.game.attacks[ATTACK].table]
        self.faces = cached_on(self.game, _faces)
        self.die = sum(share for _, share in self.faces[0])
        self.stands: NumberedStates[Stand] = NumberedStates()
        self.salvos: Salvos[Column] = Salvos(self._shares)
        self.start = Stand((WHOLE,) * len(self.units), combat.support[side])
        terrain, grounds = combat.terrain, dict(enumerate(combat.grounds))
        ranked = sorted({strength for unit in self.units for strength in unit.strengths})
        self.ranks = [[ranked.index(strength) for strength in unit.strengths] for unit in self.units]
        """How strong each unit is, whole and disrupted, among all of them."""
        self.fates = [unit.fate(self.game, terrain if side else grounds.get(unit.stack, "")) for unit in self.units]
        self.engineers: dict[int, set[int]] = {}
        for place, unit in enumerate(self.units):
            if not side and unit.fields["bridges"] is True:
                self.engineers.setdefault(unit.stack, set()).add(place)
        self._columns: dict[tuple[Support, frozenset[int]], list[tuple[Column, Column]]] = {}

    # Its own fire.

    def shots(self) -> tuple[Shot, ...]:
        """How each unit would fire at the start, with every reason."""
        shots = []
        for unit in self.units:
            told = self._told(self.start.support, unit.stack in self.engineers)
            shift, applied, failures = cached_on(self.game, _shot, unit, told)
            column = self.table.columns.labels[self.table.shift_column(unit.columns[0], shift + self.more)]
            shots.append(Shot(column, shift + self.more, applied, failures))
        return tuple(shots)

    def fire(self, stand: Stand) -> tuple[Column, ...]:
        """The column that each unit fires on that is still there, worn or not. An engineer helps its own stack as long as it
        stands (24.2)."""
        there = stand.there
        helped = frozenset({stack for stack, places in self.engineers.items() if not places.isdisjoint(there)})
        key = stand.support, helped
        if key not in self._columns:
            told = {help_: self._told(stand.support, help_) for help_ in (False, True)}
            self._columns[key] = [
                (
                    self._column(unit, WHOLE, told[unit.stack in helped]),
                    self._column(unit, WORN, told[unit.stack in helped]),
                )
                for unit in self.units
            ]
        found: list[Column] = [(-1, unit.stack) for unit in self.units]
        for place in there:
            found[place] = self._columns[key][place][stand.codes[place]]
        return tuple(found)

    def _column(self, unit: Fighter, code: int, told: Told) -> Column:
        return self.table.shift_column(
            unit.columns[code], cached_on(self.game, _shift, unit, code, told) + self.more
        ), unit.stack

    def _told(self, support: Support, engineer: bool) -> Told:
        """What is told of a fire: close air support, special commands and angles help attackers only (14.10)."""
        told: dict[str, AttackValue] = {
            **self.combat.inputs,
            "role": ROLES[self.side],
            "cas": 0 if self.side else support.cas,
            "special_forces": support.special_forces,
            "guerrilla": support.guerrilla or 0,
            "engineer": engineer,
        }
        return tuple((told | {"special_command": False, "concentric": False} if self.side else told).items())

    # Under fire.

    def _shares(self, number: int, fire: Column) -> Ways:
        """Where a fire leads; nowhere if there is nobody left to fire, or to be fired at (15.4). Of the attackers only the stack that
        is fired at can be hit (14.4)."""
        (column, stack), stand = fire, self.stands.states[number]
        targets = [place for place in stand.there if self.side or self.units[place].stack == self.combat.aim]
        if column < 0 or not targets:
            return {number: self.die}
        found: Ways = {}
        for result, share in self.faces[column]:
            after = self.stands.number(self._suffered(stand, targets, result, stack))
            found[after] = found.get(after, 0) + share
        return found

    def _suffered(self, stand: Stand, targets: list[int], result: Result, stack: int) -> Stand:
        """A result on one unit of the side, chosen by its owner (15.1, 15.2)."""
        codes, support = stand.codes, stand.support
        if result.hits:
            place = self._chosen(codes, targets, result.steps)
            codes = (*codes[:place], self._hit(place, codes[place], result), *codes[place + 1 :])
        if result.support and not self.spent:
            support = support.hit(self.combat.spares_air)
        if not self.side:
            return Stand(codes, support)
        after = Stand(codes, support, stand.star or result.star)
        return after if after.there else after._replace(cleared_by=stack)

    def _chosen(self, codes: Codes, targets: list[int], steps: int) -> int:
        """Who suffers: of equal units the first."""
        if self.policy == "listed" or len(targets) == 1:
            return targets[0]
        if self.policy == "strongest":
            return max(targets, key=lambda place: self.ranks[place][codes[place]])
        if self.policy == "spread" and steps == 1:
            targets = [place for place in targets if codes[place] + 1 < self.units[place].steps] or targets
        return min(targets, key=lambda place: self.ranks[place][codes[place]])

    def _hit(self, place: int, code: int, result: Result) -> int:
        lost, fate = code + result.steps, self.fates[place]
        if lost >= self.units[place].steps:
            return GONE
        if not result.retreats:
            return lost
        return lost + AWAY if fate is None else GONE if fate.lost else lost

    # How it stands.

    def after(self, fire: tuple[Column, ...]) -> Ways:
        """In how many ways it stands how after the fire of the enemy."""
        return self.salvos.successors(self.stands.number(self.start), fire)

    def able(self, stand: Stand) -> frozenset[int]:
        """The stacks with someone who can pursue: no static unit, nobody who landed there (17.5, 29.5)."""
        units = (self.units[place] for place in stand.there)
        return frozenset({unit.stack for unit in units if unit.fields["class"] != "static" and not unit.landed})

    def facing(self, stand: Stand) -> Facing:
        """The stacks that stand, each with a zone of control or not: disrupted units have none (13.1)."""
        zones: dict[int, bool] = {}
        for place in stand.there:
            unit = self.units[place]
            zones[unit.stack] = zones.get(unit.stack, False) or (stand.codes[place] == WHOLE and unit.zone)
        return tuple(zones.items())

    def failed(self, codes: Codes) -> Codes:
        """Who landed on the enemy and has not cleared the hex is lost (29.5)."""
        return tuple([GONE if unit.landed else code for unit, code in zip(self.units, codes, strict=True)])


def _shift(game: Game, unit: Fighter, code: int, told: Told) -> int:
    """By how many columns the fire of a unit is shifted."""
    firer = unit.worn if code else unit.fields
    return Evaluation(game, ATTACK, {GROUP: [firer]}, dict(told), True).shift()


def _shot(game: Game, unit: Fighter, told: Told) -> tuple[int, tuple[AppliedModifier, ...], tuple[Violation, ...]]:
    """By how many columns, why, and why it may not fire."""
    answer = odds(game, ATTACK, {GROUP: [unit.fields]}, dict(told))
    return answer.shift, answer.modifiers, answer.violations


# --- both fires -------------------------------------------------------------------------------------------------------


def solve(combat: Combat, watched: bool = False) -> Outcome:
    """Both fires of a combat, exactly: every unit throws once, each result is applied at once (14.3 to 14.5). Where it is `watched`,
    the outcome also tells whom those faced who retreat."""
    if not combat.attackers or not combat.defenders:
        raise BadQuestion("a combat needs units on both sides")
    first = combat.game.tables["terrain"].looked_up(combat.terrain, "first")  # 14.4
    forces = Force(combat, 0, first), Force(combat, 1, first)
    shots = forces[0].shots(), forces[1].shots()
    refused = [failure for side in shots for shot in side for failure in shot.failures]
    if refused:
        raise refusal(refused)
    one = ROLES.index(first)
    firing, struck = forces[one], forces[1 - one]
    ends, pursuits = _Return(combat, firing, struck, watched).ends()
    throws = firing.die ** (len(combat.attackers) + len(combat.defenders))
    return Outcome(combat, first, shots, (ends[0], ends[1]) if one == 0 else (ends[1], ends[0]), pursuits, throws)


class _Return:
    """The fire of one side, and of what it leaves of the other."""

    def __init__(self, combat: Combat, firing: Force, struck: Force, watched: bool) -> None:
        self.firing, self.struck, self.watched = firing, struck, watched
        self.attackers, self.attacked_first = (firing, True) if firing.side == 0 else (struck, False)
        self.landed = any(unit.landed for unit in combat.attackers)
        self.concentric = combat.inputs.get("concentric") is True
        self.pursuits = [0, 0, 0]

    def ends(self) -> tuple[tuple[Mapping[End, int], Mapping[End, int]], tuple[int, int, int]]:
        """The ends of who fires first and of the other, and how often the hex is cleared, attackers may and must pursue."""
        firing, struck = self.firing, self.struck
        stands, dice_left = struck.stands.states, struck.die ** len(struck.units)
        groups: dict[tuple[tuple[Column, ...], Facing, int | frozenset[int], bool, int], int] = {}
        left: Ways = {}
        for number, ways in struck.after(firing.fire(firing.start)).items():
            stand = stands[number]
            able = stand.cleared_by if self.attacked_first else self.attackers.able(stand)
            key = struck.fire(stand), self._facing(struck, stand), able, stand.star, number if self.landed else 0
            groups[key] = groups.get(key, 0) + ways
            left[number] = ways * dice_left
        hurt: dict[tuple[Facing, bool], Ways] = {}
        landed: dict[bool, Ways] = {False: {}, True: {}}
        for (fire, facing, able, star, number), count in groups.items():
            after = firing.after(fire)
            good = self._cleared(after, able, star, count)
            failed = self.landed and self.attacked_first and not good
            total = hurt.setdefault((facing, failed), {})
            for there, ways in after.items():
                total[there] = total.get(there, 0) + ways * count
            if self.landed and not self.attacked_first:
                landed[False][number] = landed[False].get(number, 0) + good
                landed[True][number] = landed[True].get(number, 0) + count * dice_left - good
        unhurt = self._facing(firing, firing.start)
        struck_ends = {(unhurt, False): left}
        if self.landed and not self.attacked_first:
            struck_ends = {(unhurt, failed): ways for failed, ways in landed.items()}
        cleared, may, must = self.pursuits
        return (self._told(firing, hurt), self._told(struck, struck_ends)), (cleared, may, must)

    def _facing(self, force: Force, stand: Stand) -> Facing:
        return force.facing(stand) if self.watched else ()

    def _cleared(self, after: Ways, able: int | frozenset[int], star: bool, count: int) -> int:
        """In how many ways the hex is cleared; pursuits are counted (17.1, 17.6)."""
        states, good = self.firing.stands.states, 0
        for number, ways in after.items() if able != -1 else ():
            stand = states[number]
            if isinstance(able, int):
                by, stacks, starred = able, self.attackers.able(stand), star
            else:
                by, stacks, starred = stand.cleared_by, able, stand.star
            if by >= 0:
                good += ways * count
                # Of the stack that cleared the hex, or of any in a concentric attack (17.1, 29.4).
                if bool(stacks) if self.concentric else by in stacks:
                    self.pursuits[1] += ways * count
                    self.pursuits[2] += ways * count * starred
        self.pursuits[0] += good
        return good

    def _told(self, force: Force, found: Mapping[tuple[Facing, bool], Ways]) -> Mapping[End, int]:
        ends: dict[End, int] = {}
        for (facing, failed), ways in found.items():
            for number, count in ways.items():
                stand = force.stands.states[number]
                end = End(force.failed(stand.codes) if failed else stand.codes, stand.support, facing)
                if count:
                    ends[end] = ends.get(end, 0) + count
        return ends

"""Results of battles carried out on a field.

Results of one battle, and battles that differ in one unit, have much in common. So what becomes of a group is worked out once for
each part of a result that concerns it, and ways back once for each field that the losses leave.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from assistant.rules.asked import Asked
from assistant.rules.field import Field, Standing
from assistant.rules.movement import reach, walk_named
from assistant.rules.results import ALWAYS, ROLES, Choice, Consequence, Fate, Fight, Role, Share, number_of
from assistant.rules.retreat import Back, retreat
from assistant.rules.together import Joint, retreat_together
from scenarios.inputs import Formula
from scenarios.rules.shapes import ResultRule, Retreat

MOST_CHOSEN = 14
"""Of more units than this the cheapest for an exchange are taken one after the other."""
CHANGING = ("code", "result", "result_text", "steps_lost")
"""What a record may ask that isn't the same for all results of a battle."""
SAME = ("code", "result", "result_text")
"""What is the same for all units."""
GROUPS = frozenset({"attackers", "defenders"})


class _Unit:
    """A unit while the records are gone through."""

    __slots__ = (
        "ahead",
        "eliminated",
        "instead",
        "lost",
        "records",
        "retreat",
        "role",
        "standing",
        "states",
        "steps",
        "stopped",
    )

    def __init__(self, standing: Standing, role: Role, states: frozenset[str]) -> None:
        self.standing, self.role, self.states, self.steps = standing, role, states, standing.steps
        self.lost, self.eliminated, self.instead, self.stopped = 0, False, 0, False
        self.retreat: tuple[int, str] | None = None
        self.ahead: list[tuple[ResultRule, int]] = []
        self.records: list[ResultRule] = []

    @property
    def left(self) -> int:
        return 0 if self.eliminated or self.lost >= self.steps else self.steps - self.lost

    def key(self) -> tuple[Any, ...]:
        """What has become of it."""
        ahead = tuple([(id(record), hexes) for record, hexes in self.ahead])
        return self.lost, self.eliminated, self.retreat, self.instead, self.stopped, ahead, tuple(map(id, self.records))

    def fate(self) -> Fate:
        return Fate(
            self.standing,
            self.role,
            self.lost,
            self.eliminated,
            self.states,
            self.retreat,
            tuple(self.ahead),
            tuple(self.records),
            self.instead,
            stopped=self.stopped,
        )


class _Record:
    """A record made ready: what its condition and its measure ask."""

    def __init__(self, field: Field, record: ResultRule) -> None:
        self.record = record
        names = field.program.names
        self.when, self.by = names(record.when), names(record.by) | names(record.first)
        effects = (record.lose, record.retreat, record.exchange, record.hexes, record.many, record.instead)
        self.uses = self.when | self.by | frozenset[str]().union(*map(names, effects))
        self.apart = record.exchange is None and not self.uses & GROUPS
        """Whether it asks nothing of the other group."""
        self.role: Role = "attacker" if record.to == "attackers" else "defender"
        self.changing = tuple(name for name in self.when | self.by if name in CHANGING or name.startswith("battle."))
        """What its condition and measure ask of the result and the battle."""


class _Part(NamedTuple):
    """A result as far as records speak of it: each effect with its text and records; and what of it concerns each group."""

    effects: tuple[tuple[str, tuple[_Record, ...]], ...]
    apart: bool
    """Whether what becomes of one group rests on nothing of the other."""
    of: Mapping[Role, tuple[str, ...]]


After = tuple[frozenset[Standing], tuple[tuple[Standing, int, frozenset[str]], ...]]
"""Who is no longer there, and who is there otherwise than before."""


class Outcomes:
    """What results do on one field. What is worked out is kept."""

    def __init__(self, field: Field) -> None:
        self.field = field
        rules = field.program.rules
        self.records = {name: tuple(_Record(field, one) for one in records) for name, records in rules.results.items()}
        every = [one for records in self.records.values() for one in records]
        self.told = sorted({name for one in every for name in one.uses if name.startswith("battle.")})
        self.worth = any(
            (one.record.who != "each" or one.record.many is not None) and one.record.by is None for one in every
        )
        asked = {name.partition(".")[2] for name in field.program.all_names}
        self.groups_asked = any(name in ("friends", "enemies") or name.endswith("_units") for name in asked)
        program = field.program
        self.asked_back = program.going_back & frozenset(field.game.states)
        self._joints: dict[tuple[After, tuple[Standing, ...], int, str], Joint] = {}
        self._holds: dict[Any, bool] = {}
        self._strengths: dict[Any, tuple[Any, bool]] = {}
        self._parts: dict[tuple[str, str], _Part] = {}
        self._shares: dict[Any, Share] = {}
        self._same: dict[Any, Share] = {}
        self._backs: dict[Any, Share] = {}
        self._lone: dict[tuple[Field, Standing, int, str], Back] = {}
        self._fields: dict[After, Field] = {}
        self._standings: dict[tuple[Standing, int, frozenset[str]], Standing] = {}
        self._advances: dict[Any, tuple[int, ...]] = {}

    def of(self, fight: Fight, chances: Mapping[str, Fraction], *, alone: bool = False) -> tuple[Consequence, ...]:
        """What each result that may be thrown does. `alone`: units that share no room are looked at one by one, whoever makes room
        for them, and nobody advances; that is enough to tell who is lost and whether the place falls."""
        told = self._told(fight)
        found = []
        for code, chance in chances.items():
            if chance:
                attackers, defenders = self._result(fight, code, told, alone)
                found.append(Consequence(code, chance, attackers, defenders, fight, self))
        return tuple(found)

    def _told(self, fight: Fight) -> dict[str, Any]:
        """What records ask of the battle; nothing is told where this attack has no such name."""
        return {
            name: fight.attack if name == "battle.attack" else fight.told.get(name[7:], False) for name in self.told
        }

    def _part(self, attack: str, code: str) -> _Part:
        """What records say of a result."""
        if (attack, code) not in self._parts:
            results = self.field.game.tables[self.field.game.attacks[attack].table].results
            effects = results[code].effects if code in results else {}
            known = [
                (name, effects.get(name, "0"), records)
                for name, records in self.records.items()
                if name in effects or name == ALWAYS
            ]
            every = [one for _, _, records in known for one in records]
            coded = [code] * any("code" in one.uses for one in every)
            concerns: dict[Role, tuple[str, ...]] = {
                role: (
                    *coded,
                    *(f"{name} {text}" for name, text, records in known if any(one.role == role for one in records)),
                )
                for role in ROLES
            }
            told = tuple((text, records) for _, text, records in known)
            self._parts[attack, code] = _Part(told, all(one.apart for one in every), concerns)
        return self._parts[attack, code]

    def _result(self, fight: Fight, code: str, told: Mapping[str, Any], alone: bool) -> tuple[Share, Share]:
        """Losses first, on both sides; then defenders go back, then attackers, each group as it is after its losses."""
        part = self._part(fight.attack, code)
        if part.apart:
            attackers, defenders = (self._share(fight, role, code, part, told, alone) for role in ROLES)
        else:
            attackers, defenders = self._suffer(fight, ROLES, code, part, told, alone)
        defenders = self._go_back(fight, defenders, attackers, alone)
        return self._go_back(fight, attackers, defenders, alone), defenders

    # Losses.

    def _share(self, fight: Fight, role: Role, code: str, part: _Part, told: Mapping[str, Any], alone: bool) -> Share:
        """What becomes of a group before anybody goes back, by the part of a result that concerns it."""
        units = fight.of(role)
        worth = tuple([fight.worth.get(standing) for standing in units]) if self.worth else ()
        states = tuple([fight.states.get(standing) for standing in units]) if fight.states else ()
        key = part.of[role], units, fight.targets, tuple(told.values()), worth, states, alone
        if key not in self._shares:
            (self._shares[key],) = self._suffer(fight, (role,), code, part, told, alone)
        return self._shares[key]

    def _suffer(
        self, fight: Fight, roles: Sequence[Role], code: str, part: _Part, told: Mapping[str, Any], alone: bool
    ) -> list[Share]:
        units = {
            role: [_Unit(one, role, fight.states.get(one, one.piece.states)) for one in fight.of(role)]
            for role in roles
        }
        choices: dict[Role, list[Choice]] = {role: [] for role in roles}
        picked: dict[Role, list[_Unit]] = {}
        for text, records in part.effects:
            asking = _Asking(
                self, fight, units, {"code": code, "result": number_of(text), "result_text": text, **told}, picked
            )
            for one in records:
                if one.role in units and not (alone and one.record.advance):
                    self._carry_out(one, asking, choices[one.role])
        return [self._kept(units[role], choices[role]) for role in roles]

    def _kept(self, units: Sequence[_Unit], choices: Sequence[Choice]) -> Share:
        """What has become of a group; results that do the same to it share one."""
        touched = tuple([(n, *unit.key()) for n, unit in enumerate(units) if unit.records or unit.ahead])
        chosen = tuple([(id(one.record), *one[1:]) for one in choices])
        key = tuple([unit.standing for unit in units]), tuple([unit.states for unit in units]), touched, chosen
        if key not in self._same:
            self._same[key] = Share(tuple([unit.fate() for unit in units]), tuple(choices))
        return self._same[key]

    def _carry_out(self, one: _Record, asking: _Asking, choices: list[Choice]) -> None:
        record = one.record
        units = [unit for unit in asking.units[one.role] if unit.left and asking.holds(one, unit)]
        if record.advance and record.many is not None and units and one.role not in asking.picked:
            # Who may really go there is known later: all are asked, and their owner chooses among them.
            choices.append(Choice(record, "owner", most=int(asking.value(record.many, units[0]))))
        elif record.many is not None and units:
            units = self._pick(one, units, asking, choices)
        if not units:
            return
        before = [(unit.lost, unit.eliminated, unit.states, unit.stopped, unit.retreat) for unit in units]
        if record.lose is not None:
            self._lose(one, units, asking, choices)
        elif record.eliminate:
            for unit in units:
                unit.eliminated = True
        elif record.exchange is not None:
            self._exchange(record, units, asking, choices)
        elif record.set or record.clear:
            for unit in units:
                unit.states = (unit.states | {record.set}) - {record.clear, ""}
        elif record.stop:
            for unit in units:
                unit.stopped = True
        elif record.retreat is not None:
            for unit, hexes in zip(units, asking.values(record.retreat, units), strict=True):
                unit.retreat = max(unit.retreat or (0, ""), (hexes, record.kind)) if hexes > 0 else unit.retreat
                unit.instead = int(asking.value(record.instead, unit)) if record.instead is not None else 0
        else:
            far = asking.values(record.hexes, units) if record.hexes is not None else [1] * len(units)
            for unit, hexes in zip(units, far, strict=True):
                if hexes > 0:
                    unit.ahead.append((record, hexes))
        for unit, was in zip(units, before, strict=True):
            if (unit.lost, unit.eliminated, unit.states, unit.stopped, unit.retreat) != was:
                unit.records.append(record)

    def _pick(self, one: _Record, units: Sequence[_Unit], asking: _Asking, choices: list[Choice]) -> list[_Unit]:
        """So many of the units, chosen by their owner, who spares units, then strength; once for the whole result."""
        assert one.record.many is not None
        if one.role not in asking.picked:
            many = int(asking.value(one.record.many, units[0]))
            choices += [Choice(one.record, "owner")] if 0 < many < len(units) else []
            order = sorted(units, key=lambda unit: _rank("owner", unit, *asking.strength(one, unit)))
            asking.picked[one.role] = order[:many]
        return [unit for unit in units if unit in asking.picked[one.role]]

    def _lose(self, one: _Record, units: Sequence[_Unit], asking: _Asking, choices: list[Choice]) -> None:
        record = one.record
        assert record.lose is not None
        if record.who == "each":
            for unit, steps in zip(units, asking.values(record.lose, units), strict=True):
                unit.lost += steps
            return
        due = steps = min(int(asking.value(record.lose, units[0])), sum(unit.left for unit in units))
        strength = {unit: asking.strength(one, unit) for unit in units} if len(units) > 1 else {units[0]: (0, False)}
        if record.who in ("owner", "enemy") and 0 < steps < sum(unit.left for unit in units) and len(units) > 1:
            choices.append(Choice(record, record.who))
        if record.who == "in_turn":
            order = sorted(units, key=lambda unit: (-strength[unit][0], not strength[unit][1], unit.standing.key))
            while steps:
                for unit in [unit for unit in order if unit.left][:steps]:
                    unit.lost += 1
                    steps -= 1
            return
        hit: set[_Unit] = set()
        for _ in range(steps):
            unit = min((unit for unit in units if unit.left), key=lambda unit: _rank(record.who, unit, *strength[unit]))
            unit.lost += 1
            hit.add(unit)
        if record.who in ("strongest", "weakest") and due:
            named = {strength[unit][0] for unit in hit}
            equals = tuple(unit.standing for unit in units if unit not in hit and strength[unit][0] in named)
            choices += [Choice(record, "owner", equals)] if equals else []

    def _exchange(self, record: ResultRule, units: Sequence[_Unit], asking: _Asking, choices: list[Choice]) -> None:
        """Units whose worth is at least that of what the other group has lost, as little as will do."""
        formula = record.exchange
        assert formula is not None
        others = asking.units[ROLES[units[0].role == "attacker"]]
        owed = sum((Fraction(asking.value(formula, unit)) for unit in others if not unit.left), Fraction(0))
        paid = _paid([Fraction(asking.value(formula, unit)) for unit in units], owed)
        if 0 < len(paid) < len(units):
            choices.append(Choice(record, "owner"))
        for n in paid:
            units[n].eliminated = True

    # Where to.

    def _go_back(self, fight: Fight, own: Share, other: Share, alone: bool) -> Share:
        """A group with the ways back of all who have to go."""
        if not fight.targets or not own.going:
            return own
        kinds = dict.fromkeys(fate.retreat for fate in own.going if fate.retreat is not None)
        walks = [walk_named(self.field.program.rules.retreat, kind, "retreat") for _, kind in kinds]
        together = all(isinstance(walk, Retreat) and walk.together for walk in walks)
        alone = alone and all(isinstance(walk, Retreat) and not walk.together and walk.room != "must" for walk in walks)
        # Who goes together with others is no friend on their way.
        after = self._after(own, other, own.going if together else ())
        key = own, after, alone
        if key not in self._backs:
            field = self._field(after)
            backs: dict[Fate, Back] = {}
            crowded, sure = False, True
            for hexes, kind in kinds:
                going = [fate for fate in own.going if fate.retreat == (hexes, kind)]
                if alone:
                    backs |= {fate: self._alone(field, self._walker(fate), hexes, kind) for fate in going}
                    continue
                walkers = tuple([self._walker(fate) for fate in going])
                joint = self._joints.get((after, walkers, hexes, kind))
                if joint is None:
                    joint = self._joints[after, walkers, hexes, kind] = retreat_together(field, walkers, hexes, kind)
                backs.update(zip(going, joint.backs, strict=True))
                crowded, sure = crowded or joint.crowded, sure and joint.sure
            fates = tuple([_gone_back(fate, backs[fate]) if fate in backs else fate for fate in own.fates])
            self._backs[key] = Share(fates, own.choices, crowded, sure)
        return self._backs[key]

    def _alone(self, field: Field, standing: Standing, hexes: int, kind: str) -> Back:
        key = field, standing, hexes, kind
        if key not in self._lone:
            self._lone[key] = retreat(field, standing, hexes, kind)
        return self._lone[key]

    def _after(self, own: Share, other: Share, going: Collection[Fate]) -> After:
        """The field as the losses leave it. An enemy that is only weaker matters where it has lost a zone, or where records ask for it."""
        gone = []
        come = []
        for share in (own, other):
            for fate in share.fates:
                if not fate.left or (fate.back is not None and fate.leaves) or fate in going:
                    gone.append(fate.standing)
                elif (fate.lost or fate.states != fate.standing.piece.states) and (share is own or self._matters(fate)):
                    come.append((fate.standing, fate.lost, fate.states))
        return frozenset(gone), tuple(come)

    def _matters(self, fate: Fate) -> bool:
        zones = self.field.zones
        after = self._standing(fate)
        return self.groups_asked or any(
            zones.has(name, fate.standing) != zones.has(name, after) for name in self.field.program.rules.zones
        )

    def _field(self, after: After) -> Field:
        if after not in self._fields:
            gone, come = after
            others = [self._changed(*one) for one in come]
            self._fields[after] = (
                self.field.changed([*gone, *(one[0] for one in come)], others) if gone or come else self.field
            )
        return self._fields[after]

    def _standing(self, fate: Fate) -> Standing:
        """A unit as the battle leaves it."""
        return self._changed(fate.standing, fate.lost, fate.states)

    def _walker(self, fate: Fate) -> Standing:
        """A unit as it goes back: of states that came or went only those that retreats ask for."""
        before = fate.standing.piece.states
        states = fate.states if fate.states == before else (fate.states & self.asked_back) | (before - self.asked_back)
        return self._changed(fate.standing, fate.lost, states)

    def _changed(self, standing: Standing, lost: int, states: frozenset[str]) -> Standing:
        key = standing, lost, states
        if key not in self._standings:
            after = self.field.with_loss(standing, lost)
            if states != standing.piece.states:
                after = self.field.as_if(after.piece._replace(states=states))
            self._standings[key] = after
        return self._standings[key]

    def advances(self, fight: Fight, fate: Fate, own: Share, other: Share) -> tuple[int, ...]:
        """Where a unit may advance to, if the other group has left its places."""
        if not fate.ahead or not fate.left or fate.retreat is not None or not other.leaves or not fight.targets:
            return ()
        after = self._after(own, other, ())
        key = fate, after
        if key not in self._advances:
            field, found = self._field(after), list[int]()
            fought = fight.targets if fate.role == "attacker" else {standing.at for standing in fight.attackers}
            for record, hexes in fate.ahead:
                found += self._advance(field, self._standing(fate), record, hexes, fought)
            self._advances[key] = tuple(dict.fromkeys(found))
        return self._advances[key]

    def _advance(
        self, field: Field, standing: Standing, record: ResultRule, hexes: int, fought: Collection[int]
    ) -> list[int]:
        """Where a unit may go by a record: into the places that were fought for and on from there."""
        reached = reach(field, standing, record.kind, section="advance", result=hexes)
        if reached.refused:
            return []
        ends = [n for n in reached.ends if n != standing.at]
        beyond = {n for n in ends if reached.path(n)[1] in fought}
        far = hexes > 1 and "result" in field.program.walk_names(reached.walk)
        for n in (n for n in fought if far and n in reached.costs and n not in reached.stops):
            there = field.as_if(standing.piece._replace(at=field.kinds.places[n]))
            on = reach(field.changed([standing]), there, record.kind, section="advance", result=hexes - 1)
            beyond.update(on.ends if not on.refused else ())
        return [*(n for n in ends if n in fought), *sorted(beyond.difference(fought, {standing.at}))]


class _Asking:
    """What records ask of the units of a battle under one effect of a result."""

    def __init__(
        self,
        outcomes: Outcomes,
        fight: Fight,
        units: Mapping[Role, Sequence[_Unit]],
        more: Mapping[str, Any],
        picked: dict[Role, list[_Unit]],
    ) -> None:
        """`picked` is who suffers, where a result touches only so many units of a group."""
        self.outcomes, self.fight, self.units, self.more, self.picked = outcomes, fight, units, more, picked
        self._groups: dict[tuple[int, ...], dict[str, list[Any]]] = {}

    def holds(self, one: _Record, unit: _Unit) -> bool:
        """Whether a record's condition holds for a unit; asked once for units of which it asks the same."""
        if one.record.when is None:
            return True
        known = self.outcomes._holds
        key = self._key(one, unit)
        if key is None:
            return self._field.holds_of(one.record.when, self._asked(unit, one.when))
        if key not in known:
            known[key] = self._field.holds_of(one.record.when, self._asked(unit, one.when))
        return known[key]

    def strength(self, one: _Record, unit: _Unit) -> tuple[Any, bool]:
        """What a unit is compared by, and whether it comes before its equals."""
        record = one.record
        if record.by is None and record.first is None:
            return self.fight.worth.get(unit.standing, Fraction(0)), False
        known, key = self.outcomes._strengths, self._key(one, unit)
        if key is None or key not in known:
            asked = self._asked(unit, one.by)
            by = (
                self._field.value_of(record.by, asked)
                if record.by is not None
                else self.fight.worth.get(unit.standing, Fraction(0))
            )
            found = by, record.first is not None and self._field.holds_of(record.first, asked)
            if key is None or record.by is None:
                return found
            known[key] = found
        return known[key]

    def value(self, formula: Formula, unit: _Unit) -> Any:
        """The value of an expression for a unit."""
        return self._field.value_of(formula, self._asked(unit, self._field.program.names(formula)))

    def values(self, formula: Formula, units: Sequence[_Unit]) -> list[int]:
        """The values of an expression for some units; asked once where it is the same for all."""
        if all(name in SAME or name.startswith("battle.") for name in self._field.program.names(formula)):
            return [int(self.value(formula, units[0]))] * len(units)
        return [int(self.value(formula, unit)) for unit in units]

    @property
    def _field(self) -> Field:
        return self.fight.field

    def _key(self, one: _Record, unit: _Unit) -> tuple[Any, ...] | None:
        """What the answer rests on besides the unit and its place; None where it rests on other units."""
        if not one.apart:
            return None
        states = self.fight.states.get(unit.standing)
        if not one.changing:
            return one, unit.standing, self.fight.targets, states
        more = tuple([unit.lost if name == "steps_lost" else self.more.get(name) for name in one.changing])
        return one, unit.standing, self.fight.targets, states, more

    def _asked(self, unit: _Unit, names: frozenset[str]) -> Asked:
        """What some names mean for a unit."""
        field, targets = self._field, self.fight.targets
        standing = self.outcomes._changed(
            unit.standing, 0, self.fight.states.get(unit.standing, unit.standing.piece.states)
        )
        near = [n for n in targets if field.kinds.distance(standing.at, n) == 1]
        to = standing.at if unit.role == "defender" or not targets else (*near, *targets)[0]
        more = {**self.more, "role": unit.role, "steps_lost": min(unit.lost, standing.steps)}
        if names & GROUPS:
            left = tuple([each.left for units in self.units.values() for each in units])
            if left not in self._groups:
                both = self.units.items()
                self._groups[left] = {
                    f"{role}s": [{**each.standing.fields, "steps": each.left} for each in units] for role, units in both
                }
            more |= self._groups[left]
        return Asked(field, field.walker(standing), {"from": standing.at, "to": to}, more)


def _gone_back(fate: Fate, back: Back) -> Fate:
    """A unit with its ways back; or, where it has none and its record says so, with losses instead."""
    if fate.instead and back.fate is None and not any(back.ways.values()):
        return replace(fate, lost=fate.lost + fate.instead, retreat=None)
    return replace(fate, back=back)


def _rank(who: str, unit: _Unit, strength: Any, first: bool) -> tuple[Any, ...]:
    """In which order units lose steps: an owner spares units, then strength; the enemy and `strongest` take the strongest."""
    if who in ("enemy", "strongest", "weakest"):
        return strength if who == "weakest" else -strength, not first, unit.left, unit.standing.key
    return unit.left == 1, strength, not first, unit.standing.key


def _paid(worth: Sequence[Fraction], owed: Fraction) -> tuple[int, ...]:
    """The units that are worth at least so much, as little as will do; all where they aren't worth it."""
    if owed <= 0:
        return ()
    if sum(worth) <= owed:
        return tuple(range(len(worth)))
    if len(worth) > MOST_CHOSEN:
        paid, left = [], owed
        for n in sorted(range(len(worth)), key=lambda n: -worth[n]):
            if left > 0:
                paid.append(n)
                left -= worth[n]
        return tuple(sorted(paid))
    sets: Iterable[tuple[int, ...]] = (
        chosen for size in range(1, len(worth) + 1) for chosen in combinations(range(len(worth)), size)
    )
    return min(
        (chosen for chosen in sets if sum(worth[n] for n in chosen) >= owed),
        key=lambda c: (sum(worth[n] for n in c), len(c)),
    )

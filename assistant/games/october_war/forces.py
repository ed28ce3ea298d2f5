"""The forces of a battle: kinds of unit, what they break down into, who goes first, what a result does to them (9.4, 16.0)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from assistant.answers import BadQuestion
from assistant.attack import Fields, unit_fields
from assistant.games.october_war.questions import start_field
from assistant.games.october_war.stacking import LARGE, SMALL, SPARED, limit, within
from assistant.rules.asked import Asked
from assistant.rules.field import no_unit
from assistant.rules.kinds import once
from assistant.rules.results import records_of
from assistant.sourced import needed
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.reading.findings import instead
from scenarios.tables import Table

# --- what the owner of a force does where the rules let him choose (16.0, 16.3) ---------------------------------------


LOSSES = {
    "weakest": "large units break down first, then the weakest small unit goes; headquarters and engineers last",
    "keep_large": "small units go first, the weakest before the others, then large units break down",
    "strongest": "the strongest unit breaks down or goes first, as the enemy would wish",
    "listed": "units go in the order they are listed, the parts of a large unit right after it",
}
RETREATS = {
    "obey": "who must retreat does, where he can",
    "stand": "a loss is taken instead of every retreat",
}
DODGES = {
    "never": "no numerical loss is avoided by retreating",
    "last": "losses that would end the force are avoided by retreating, as far as 16.3 allows",
    "always": "the first numerical loss is answered by retreating",
}


@dataclass(frozen=True)
class Policy:
    """What the owner of a force does when he may choose (16.0, 16.3)."""

    losses: str = "weakest"
    retreats: str = "obey"
    dodge: str = "never"
    leave: Fraction = Fraction(0)
    """He leaves at the end of a round when his strength is less than this share of the enemy's."""
    can_retreat: bool = True
    """Whether a point to retreat to exists (16.4)."""
    stuck: frozenset[str] = frozenset()
    """The units, by their id, for whom there is none though there is for others."""

    def __post_init__(self) -> None:
        for what, known in (("losses", LOSSES), ("retreats", RETREATS), ("dodge", DODGES)):
            value = getattr(self, what)
            if value not in known:
                raise BadQuestion(f"{value!r} is no policy for {what}; {instead(value, known)}")

    def lines(self) -> tuple[str, ...]:
        """The policy in words."""
        words = [LOSSES[self.losses], RETREATS[self.retreats] if self.can_retreat else "nowhere to retreat to"]
        if self.can_retreat and self.dodge != "never":
            words.append(DODGES[self.dodge])
        if self.can_retreat and self.leave:
            words.append(f"leaves after a round with less than {self.leave} of the enemy's strength")
        return tuple(words)


# --- forces -----------------------------------------------------------------------------------------------------------


Counts = tuple[int, ...]


class Force(NamedTuple):
    """How many units of each kind are in the battle, and the casualty points that those who retreated would be."""

    present: Counts
    away: int = 0
    apart: Counts = ()
    """Of the counters that may run short, how many have retreated alone: they are still on the map (9.4, 9.8)."""

    @property
    def settled(self) -> Force:
        """The force with its retreated points counted elsewhere."""
        return self if not self.away else Force(self.present, 0, self.apart)


@dataclass(frozen=True)
class Kind:
    """Units that are alike."""

    fields: Fields
    unit: Unit
    states: tuple[str, ...]
    strength: Fraction
    leader: int
    points: int
    """Its casualty points (7.4)."""
    parts: Mapping[int, int]
    static: bool
    kept: bool
    """A headquarters or an engineer, whom the others need."""

    @property
    def name(self) -> str:
        return str(self.fields["name"])

    @property
    def nation(self) -> str:
        return self.unit.nation



@dataclass(frozen=True)
class Army:
    """One side of a battle: its kinds of unit, how many of each it began with, and its policy."""

    game: Game
    kinds: tuple[Kind, ...]
    start: Force
    policy: Policy
    side: str
    order: tuple[int, ...]
    """Which kind takes the next loss: the first of these that is present."""
    feared: tuple[int, ...]
    """The same where the enemy chooses (26.3): the strongest first."""
    leavers: tuple[int, ...]
    """Which kind goes first when one unit retreats."""
    stuck: frozenset[int]
    """The kinds that have no point to retreat to though others may (16.4)."""
    mix: Mapping[str, int]
    """How many counters of a kind there are but for those elsewhere on the map: what breaks down needs them (9.8)."""
    scarce: tuple[str, ...]
    """The counters that could run short of it."""
    spared: int
    """The losses that a whole retreat spares it (16.3)."""
    at_home: int
    """How many city brigades aren't counted for stacking (5.2 (2))."""

    def same(self, other: Army) -> bool:
        """Whether it is the same army, with the same policy and the same counters elsewhere."""
        kinds = ([(kind.unit.id, kind.states) for kind in army.kinds] for army in (self, other))
        mine, theirs = ((army.start, army.policy, army.side, army.mix, army.at_home) for army in (self, other))
        return mine == theirs and next(kinds) == next(kinds)

    def strength(self, force: Force) -> Fraction:
        """The printed strengths of all that are present."""
        return sum((kind.strength * n for kind, n in zip(self.kinds, force.present, strict=True)), Fraction(0))

    def casualties(self, force: Force) -> int:
        """Casualty points so far (7.4): a unit that breaks down is none, its three parts are one each."""
        return self.points(self.start) - self.points(force)

    def points(self, force: Force) -> int:
        """The casualty points that a force would be, those who retreated among them."""
        return force.away + sum(kind.points * n for kind, n in zip(self.kinds, force.present, strict=True))

    def names(self, force: Force) -> dict[str, int]:
        """The units in the point, by name."""
        left: dict[str, int] = {}
        for kind, n in zip(self.kinds, force.present, strict=True):
            if n:
                left[kind.name] = left.get(kind.name, 0) + n
        return left

    def breaks(self, present: Sequence[int], apart: Counts, hit: int) -> bool:
        """Whether the counters that a large unit breaks down into are there (9.4, 9.8)."""
        if not self.scarce:
            return True
        gone = dict(zip(self.scarce, apart, strict=True))
        for part, count in self.kinds[hit].parts.items():
            name = self.kinds[part].unit.id
            held = sum(n for kind, n in zip(self.kinds, present, strict=True) if kind.unit.id == name)
            if held + gone.get(name, 0) + count > self.mix[name]:
                return False
        return True

    def apart(self, apart: Counts, goes: int, many: int = 1) -> Counts:
        """What is off the battle but on the map when so many more units of a kind retreat and others don't."""
        if not self.scarce:
            return apart
        name = self.kinds[goes].unit.id
        return tuple(n + many * (counter == name) for counter, n in zip(self.scarce, apart, strict=True))

    def firing(self, present: Counts) -> Counts:
        """How many of each kind may fire: only what stands within the stacking limit, the strongest of it (15.3)."""
        listed = [i for i in self._strongest for _ in range(present[i])]
        fits, over = within(self.game, listed, lambda i: self.kinds[i].unit, self.side, self.at_home)
        return present if not over else tuple(fits.count(i) for i in range(len(present)))

    @cached_property
    def _strongest(self) -> tuple[int, ...]:
        return tuple(sorted(range(len(self.kinds)), key=lambda i: (-self.kinds[i].strength, i)))


def army(
    game: Game, units: Sequence[Fields], policy: Policy, side: str, elsewhere: Mapping[str, int], at_home: int = 0
) -> Army:
    """The army of units given by their fields; large units bring the kinds they break down into (9.4)."""
    keys: dict[tuple[str, tuple[str, ...]], int] = {}
    kinds: dict[int, Kind] = {}

    def number(fields: Fields) -> int:
        unit = game.units[str(fields["id"])]
        states = tuple(state for state in game.states if fields.get(state) is True)
        if (unit.id, states) not in keys:
            mine = keys[unit.id, states] = len(keys)
            inherited = [state for state in states if state != unit.back_state]
            parts = {
                number(unit_fields(game, part, inherited)): count for part, count in parts_of(game, unit, states).items()
            }
            kinds[mine] = _kind(game, unit, states, fields, parts)
        return keys[unit.id, states]

    counts: dict[int, int] = {}
    for fields in units:
        if str(fields.get("id")) not in game.units or fields.get("class") == "strike":
            raise BadQuestion(f"{fields.get('name') or 'that'} doesn't fight on the ground (18.8, 24.0)")
        if str(fields["side"]) != side:
            raise BadQuestion(f"{fields['name']} is not of the {side} side")
        needed(game, game.units[str(fields["id"])], "strength")
        at = number(fields)
        counts[at] = counts.get(at, 0) + 1
    listed = tuple(kinds[i] for i in range(len(kinds)))
    start = tuple(counts.get(i, 0) for i in range(len(listed)))
    weak = sorted(range(len(listed)), key=lambda i: (listed[i].kept, listed[i].strength, i))
    mix = {kind.unit.id: kind.unit.count - elsewhere.get(kind.unit.id, 0) for kind in listed}
    scarce = _scarce(listed, start, mix)
    stuck = frozenset(i for i, kind in enumerate(listed) if kind.unit.id in policy.stuck and not kind.static)
    return Army(
        game, listed, Force(start, 0, (0,) * len(scarce)), policy, side,
        order=_order(listed, weak, policy.losses),
        feared=_order(listed, weak, "strongest"),
        leavers=tuple(i for i in weak if not listed[i].static and i not in stuck),
        stuck=stuck,
        mix=mix,
        scarce=scarce,
        spared=int(limit(game, SPARED, side)),
        at_home=at_home,
    )  # fmt: skip


def _scarce(kinds: Sequence[Kind], start: Counts, mix: Mapping[str, int]) -> tuple[str, ...]:
    """The counters of which a force could need more than there are, if all its large units broke down."""
    need: dict[str, int] = {}
    for kind, count in zip(kinds, start, strict=True):
        need[kind.unit.id] = need.get(kind.unit.id, 0) + count
        for part, many in kind.parts.items():
            name = kinds[part].unit.id
            need[name] = need.get(name, 0) + count * many
    parts = {kinds[part].unit.id for kind in kinds for part in kind.parts}
    return tuple(sorted(name for name in parts if need[name] > mix[name]))


def _kind(game: Game, unit: Unit, states: tuple[str, ...], fields: Fields, parts: Mapping[int, int]) -> Kind:
    points = int(limit(game, LARGE if "large" in unit.abilities else SMALL, unit.side))
    strength, leader = fields["strength"], fields["leader"]
    assert isinstance(strength, Fraction | int) and isinstance(leader, Fraction | int)
    kept = unit.type in ("headquarters", "engineer")
    static = "static" in unit.abilities
    counted = 0 if unit.type == "static_sam" else points  # 7.4 (3)
    return Kind(fields, unit, states, Fraction(strength), int(leader), counted, parts, static, kept)


def parts_of(game: Game, unit: Unit, states: Collection[str]) -> Mapping[str, int]:
    """What a large unit breaks down into; a combined arms brigade by its own line of the chart (9.9)."""
    if "combined_arms" not in states or not unit.breaks_into:
        return unit.breaks_into
    table = game.tables["reorganization"]
    (own,) = unit.breaks_into
    mechanized = next(
        u.id
        for u in game.units.values()
        if (u.nation, u.size, u.type) == (unit.nation, game.units[own].size, "mechanized_infantry") and not u.abilities
    )
    row = "Israeli combined arms brigade"
    return {
        part: int(table.cell(row, table.named_column(column)).code)
        for part, column in ((own, "armored"), (mechanized, "mechanized"))
    }


def _order(kinds: Sequence[Kind], weak: Sequence[int], losses: str) -> tuple[int, ...]:
    large = [i for i in weak if kinds[i].parts]
    small = [i for i in weak if not kinds[i].parts]
    by_policy: dict[str, Sequence[int]] = {
        "weakest": large + small,
        "keep_large": [i for i in small if not kinds[i].kept] + large + [i for i in small if kinds[i].kept],
        "strongest": sorted(weak, key=lambda i: (-kinds[i].strength, i)),
        "listed": sorted(weak),
    }
    return tuple(by_policy[losses])


# --- losses, break-downs, retreats (16.0) -----------------------------------------------------------------------------


def lose(army: Army, force: Force, losses: int, feared: bool = False) -> Force:
    """Take losses: each breaks down one large unit or eliminates one small one (16.1).

    A large unit without counters to break down into goes whole and counts as its three parts (9.8); its owner takes
    such a loss last. `feared`: the enemy chooses.
    """
    present = list(force.present)
    while losses > 0:
        hit = _next(army, present, force, feared)
        if hit is None:
            break
        parts = army.kinds[hit].parts
        present[hit] -= 1
        if parts and army.breaks(present, force.apart, hit):
            losses -= 1
            for part, count in parts.items():
                present[part] += count
        else:
            losses -= sum(parts.values()) or 1
    return Force(tuple(present), force.away, force.apart)


def _next(army: Army, present: Sequence[int], force: Force, feared: bool) -> int | None:
    """Which kind takes the next loss, if any is left."""
    if feared or not army.scarce:
        return next((i for i in (army.feared if feared else army.order) if present[i]), None)
    able = [i for i in army.order if present[i]]
    spared = (i for i in able if not army.kinds[i].parts or army.breaks(present, force.apart, i))
    return next(spared, able[0] if able else None)


def can_leave(army: Army, force: Force) -> bool:
    """Whether anybody can retreat (16.4)."""
    return army.policy.can_retreat and any(force.present[i] for i in army.leavers)


def can_all_leave(army: Army, force: Force) -> bool:
    """Whether a side may retreat by choice: all of it or none (16.3); static units go down with it (16.4 (8))."""
    return can_leave(army, force) and not any(force.present[i] for i in army.stuck)


def leave(army: Army, force: Force) -> Force:
    """All retreat who can; static units are eliminated instead, others who can't stay (16.4)."""
    goes = [(i, force.present[i]) for i in army.leavers if force.present[i]]
    gone = sum(army.kinds[i].points * n for i, n in goes)
    stay = tuple(n if i in army.stuck else 0 for i, n in enumerate(force.present))
    apart = force.apart
    if any(stay):
        for i, n in goes:
            apart = army.apart(apart, i, n)
    return Force(stay, force.away + gone, apart)


def leave_one(army: Army, force: Force) -> Force:
    """One unit retreats."""
    present = list(force.present)
    goes = next(i for i in army.leavers if present[i])
    present[goes] -= 1
    return Force(tuple(present), force.away + army.kinds[goes].points, army.apart(force.apart, goes))


class Does(NamedTuple):
    """What a result does to a force: its losses; or that one unit retreats or all do, with the losses that may be taken instead."""

    losses: int = 0
    retreats: str = ""
    """`one`, `all` or nobody."""
    instead: int = 0


def does(game: Game, code: str) -> Does:
    """What a result of ground fire does, by the records of the pack's rules (16.0)."""
    return once(game, _does, code)


def _does(game: Game, code: str) -> Does:
    field, found = start_field(game), Does()
    effects = game.tables[game.attacks["ground"].table].results[code].effects
    for record, number in records_of(field.program.rules, effects):
        asked = Asked(field, no_unit(), {}, {"result": number, "code": code})
        if not field.holds_of(record.when, asked):
            continue
        if record.lose is not None:
            found = found._replace(losses=int(field.value_of(record.lose, asked)))
        elif record.retreat is not None:
            instead = int(field.value_of(record.instead, asked)) if record.instead is not None else 0
            found = found._replace(retreats="all" if record.many is None else "one", instead=instead)
    return found


def suffer(army: Army, force: Force, result: Does, feared: bool = False) -> Force:
    """One result on a force, by its owner's policy (16.1, 16.3, 16.4)."""
    policy = army.policy
    if result.retreats:
        if policy.retreats == "obey" and can_leave(army, force):
            return leave_one(army, force) if result.retreats == "one" else leave(army, force)
        return lose(army, force, result.instead, feared)
    losses = result.losses
    after = lose(army, force, losses, feared)
    if policy.dodge == "never" or not losses or not can_all_leave(army, force):
        return after
    if policy.dodge == "last" and any(after.present):
        return after
    spared = lose(army, force, max(0, losses - army.spared), feared)
    return leave(army, spared) if can_all_leave(army, spared) else after


# --- forces by number -------------------------------------------------------------------------------------------------


class Ledger:
    """The forces of one army in the order in which a battle meets them."""

    def __init__(self, army: Army, table: Table) -> None:
        self.army, self.table = army, table
        self.forces: list[Force] = []
        self.depths: list[int] = []
        """How many losses each force can take; 0 where nobody is left."""
        self._worth = [_depth(army.kinds, kind) for kind in army.kinds]
        self._numbers: dict[Force, int] = {}
        self._does: dict[str, Does] = {}
        self._settled: dict[int, tuple[int, int]] = {}
        self._hits: dict[tuple[int, str, bool], int] = {}
        self._points: dict[int, int] = {}
        self._strengths: dict[int, Fraction] = {}

    def number(self, force: Force) -> int:
        """The number of a force, a new one if it is new."""
        found = self._numbers.get(force)
        if found is None:
            found = self._numbers[force] = len(self.forces)
            self.forces.append(force)
            self.depths.append(sum(n * worth for n, worth in zip(force.present, self._worth, strict=True) if n))
        return found

    def settled(self, number: int) -> tuple[int, int]:
        """A force without what has retreated from it, and the casualty points that this would be."""
        found = self._settled.get(number)
        if found is None:
            force = self.forces[number]
            found = self._settled[number] = (self.number(force.settled) if force.away else number), force.away
        return found

    def hit(self, number: int, code: str, feared: bool = False) -> int:
        """What a result leaves of a force; `feared` where the enemy chooses what is lost (26.3)."""
        key = (number, code, feared)
        if key not in self._hits:
            if code not in self._does:
                self._does[code] = does(self.army.game, code)
            force = suffer(self.army, self.forces[number], self._does[code], feared)
            self._hits[key] = self.number(force)
        return self._hits[key]

    def gone(self, number: int) -> tuple[int, int] | None:
        """A force that has left of its own will, settled (16.3); None where not all of it can."""
        force = self.forces[number]
        return self.settled(self.number(leave(self.army, force))) if can_all_leave(self.army, force) else None

    def points(self, number: int) -> int:
        """The casualty points that a settled force would be (7.4)."""
        if number not in self._points:
            self._points[number] = self.army.points(self.forces[number])
        return self._points[number]

    def strength(self, number: int) -> Fraction:
        """The printed strengths of all that are present."""
        if number not in self._strengths:
            self._strengths[number] = self.army.strength(self.forces[number])
        return self._strengths[number]


def _depth(kinds: tuple[Kind, ...], kind: Kind) -> int:
    """The losses that a unit can take (16.1): to break down, and all those of its parts."""
    return 1 + sum(count * _depth(kinds, kinds[part]) for part, count in kind.parts.items())

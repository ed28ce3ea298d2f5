"""The forces of a battle: kinds of unit, what they break down into, in which order they go."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from assistant.attacks import BadQuestion, Fields, unit_fields
from assistant.games.october_war.limits import LARGE, SMALL, SPARED, limit, within
from assistant.games.october_war.policy import Policy
from assistant.shared.strengths import needed
from scenarios.counters import Unit
from scenarios.game import Game

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

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        return self.unit.id, self.states


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

    def strength(self, force: Force) -> Fraction:
        """The printed strengths of all that are present."""
        return sum((kind.strength * n for kind, n in zip(self.kinds, force.present, strict=True)), Fraction(0))

    def casualties(self, force: Force) -> int:
        """Casualty points so far (7.4): a unit that breaks down is none, its three parts are one each."""
        return self.points(self.start) - self.points(force)

    def points(self, force: Force) -> int:
        """The casualty points that a force would be, those who retreated among them."""
        return force.away + sum(kind.points * n for kind, n in zip(self.kinds, force.present, strict=True))

    @cached_property
    def places(self) -> Mapping[tuple[str, tuple[str, ...]], int]:
        """Where each kind stands."""
        return {kind.key: place for place, kind in enumerate(self.kinds)}

    def knows(self, army: Army) -> bool:
        """Whether another army has the same kinds or fewer of them, in the same order, with no counters scarcer."""
        if army is self:
            return True
        places = [self.places.get(kind.key, -1) for kind in army.kinds]
        ordered = places == sorted(places) and -1 not in places
        alike = (army.policy, army.at_home) == (self.policy, self.at_home) and army.mix.items() <= self.mix.items()
        return ordered and alike and set(army.scarce) <= set(self.scarce)

    def like(self, army: Army) -> Army:
        """An army that this one knows, counted by this one's kinds."""
        if army is self:
            return self
        counts = [0] * len(self.kinds)
        for kind, count in zip(army.kinds, army.start.present, strict=True):
            counts[self.places[kind.key]] = count
        return replace(self, start=self.start._replace(present=tuple(counts)))

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
        return tuple(n + many * (one == name) for one, n in zip(self.scarce, apart, strict=True))

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

"""The forces of a battle: kinds of unit, who takes a loss, who retreats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from assistant.attacks import BadQuestion, Fields, unit_fields
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.reading.findings import instead

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
SPARED = {"arab": 1, "israeli": 2}  # 16.3: the losses that a whole retreat spares a side

Counts = tuple[int, ...]


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


class Force(NamedTuple):
    """How many units of each kind are in the battle, and the casualty points that those who retreated would be."""

    present: Counts
    away: int = 0


@dataclass(frozen=True)
class Kind:
    """Units that are alike."""

    fields: Fields
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
        return str(self.fields["nation"])


@dataclass(frozen=True)
class Army:
    """One side of a battle: its kinds of unit, how many of each it began with, and its policy."""

    kinds: tuple[Kind, ...]
    start: Force
    policy: Policy
    side: str
    order: tuple[int, ...]
    """Which kind takes the next loss: the first of these that is present."""
    leavers: tuple[int, ...]
    """Which kind goes first when one unit retreats."""

    def strength(self, force: Force) -> Fraction:
        """The printed strengths of all that are present."""
        return sum((kind.strength * n for kind, n in zip(self.kinds, force.present, strict=True)), Fraction(0))

    def casualties(self, force: Force) -> int:
        """Casualty points so far (7.4): a unit that breaks down is none, its three parts are one each."""
        return self._points(self.start) - self._points(force)

    def _points(self, force: Force) -> int:
        return force.away + sum(kind.points * n for kind, n in zip(self.kinds, force.present, strict=True))

    def names(self, force: Force) -> dict[str, int]:
        """The units in the point, by name."""
        left: dict[str, int] = {}
        for kind, n in zip(self.kinds, force.present, strict=True):
            if n:
                left[kind.name] = left.get(kind.name, 0) + n
        return left


def army(game: Game, units: Sequence[Fields], policy: Policy, side: str) -> Army:
    """The army of units given by their fields; large units bring the kinds they break down into (9.4)."""
    keys: list[tuple[str, tuple[str, ...]]] = []
    kinds: list[Kind] = []

    def number(fields: Fields) -> int:
        unit = game.units[str(fields["id"])]
        states = tuple(state for state in game.states if fields.get(state) is True)
        key = (unit.id, states)
        if key in keys:
            return keys.index(key)
        inherited = [state for state in states if state != unit.back_state]
        parts = {
            number(unit_fields(game, part, inherited)): count for part, count in _parts(game, unit, states).items()
        }
        keys.append(key)
        kinds.append(_kind(unit, fields, parts))
        return len(kinds) - 1

    counts: dict[int, int] = {}
    for fields in units:
        if str(fields.get("id")) not in game.units or fields.get("class") == "strike":
            raise BadQuestion(f"{fields.get('name') or 'that'} doesn't fight on the ground (18.8, 24.0)")
        if str(fields["side"]) != side:
            raise BadQuestion(f"{fields['name']} is not of the {side} side")
        at = number(fields)
        counts[at] = counts.get(at, 0) + 1
    start = tuple(counts.get(i, 0) for i in range(len(kinds)))
    order, leavers = _order(kinds, policy.losses)
    return Army(tuple(kinds), Force(start), policy, side, order, leavers)


def _kind(unit: Unit, fields: Fields, parts: Mapping[int, int]) -> Kind:
    points = 3 if "large" in unit.abilities else 0 if unit.type == "static_sam" else 1
    strength, leader = fields["strength"], fields["leader"]
    assert isinstance(strength, Fraction | int) and isinstance(leader, Fraction | int)
    kept = unit.type in ("headquarters", "engineer")
    return Kind(fields, Fraction(strength), int(leader), points, parts, "static" in unit.abilities, kept)


def _parts(game: Game, unit: Unit, states: Sequence[str]) -> Mapping[str, int]:
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


def _order(kinds: Sequence[Kind], losses: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    every = range(len(kinds))
    weak = sorted(every, key=lambda i: (kinds[i].kept, kinds[i].strength, i))
    large = [i for i in weak if kinds[i].parts]
    small = [i for i in weak if not kinds[i].parts]
    by_policy: dict[str, Sequence[int]] = {
        "weakest": large + small,
        "keep_large": [i for i in small if not kinds[i].kept] + large + [i for i in small if kinds[i].kept],
        "strongest": sorted(every, key=lambda i: (-kinds[i].strength, i)),
        "listed": list(every),
    }
    return tuple(by_policy[losses]), tuple(i for i in weak if not kinds[i].static)


def lose(army: Army, force: Force, losses: int) -> Force:
    """Take losses: each breaks down one large unit or eliminates one small one (16.1)."""
    present = list(force.present)
    for _ in range(losses):
        hit = next((i for i in army.order if present[i]), None)
        if hit is None:
            break
        present[hit] -= 1
        for part, count in army.kinds[hit].parts.items():
            present[part] += count
    return Force(tuple(present), force.away)


def can_leave(army: Army, force: Force) -> bool:
    """Whether anybody can retreat (16.4)."""
    return army.policy.can_retreat and any(force.present[i] for i in army.leavers)


def leave(army: Army, force: Force) -> Force:
    """All retreat; static units are eliminated instead (16.4 (8))."""
    gone = sum(kind.points * n for kind, n in zip(army.kinds, force.present, strict=True) if not kind.static)
    return Force((0,) * len(army.kinds), force.away + gone)


def leave_one(army: Army, force: Force) -> Force:
    """One unit retreats."""
    goes = next(i for i in army.leavers if force.present[i])
    present = tuple(n - (i == goes) for i, n in enumerate(force.present))
    return Force(present, force.away + army.kinds[goes].points)


def suffer(army: Army, force: Force, effects: Mapping[str, str]) -> Force:
    """One result on a force, by its owner's policy (16.1, 16.3, 16.4)."""
    policy = army.policy
    if "retreat" in effects:
        if policy.retreats == "obey" and can_leave(army, force):
            return leave_one(army, force) if effects["retreat"] == "1" else leave(army, force)
        return lose(army, force, int(effects["or_losses"]))
    losses = int(effects.get("losses", "0"))
    after = lose(army, force, losses)
    if policy.dodge == "never" or not losses or not can_leave(army, force):
        return after
    if policy.dodge == "last" and any(after.present):
        return after
    spared = lose(army, force, max(0, losses - SPARED[army.side]))
    return leave(army, spared) if can_leave(army, spared) else after

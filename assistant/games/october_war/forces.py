"""The forces of a battle: kinds of unit, what they break down into, who goes first, what a result does to them (9.4, 16.0)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

from assistant.attack import Fields, unit_fields
from assistant.engine.battle.results import records_of
from assistant.engine.field import Field
from assistant.engine.placed_units import Mover, PlacedUnit, no_unit
from assistant.engine.retreat.paths import retreat
from assistant.engine.supply.supply_lines import supply_of
from assistant.engine.zones import zones_of
from assistant.games.october_war.questions import start_field
from assistant.questions.answer import BadQuestion
from assistant.questions.question import Inputs, read_integer
from assistant.unofficial import required_factor
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.model.position import Piece
from scenarios.model.scenario import Effect
from scenarios.unit_view import view_unit

Fighter = TypeVar("Fighter")
GROUND = "ground"
ATTACKER, DEFENDER = ROLES = ("attacker", "defender")
SPARED = "losses that a whole retreat spares"
SMALL, LARGE = "casualty points of a small unit", "casualty points of a large unit"


def limit(game: Game, what: str, side: str) -> Fraction:
    """A number of the rules for a side, from the pack's table of limits."""
    return Fraction(game.tables["limits"].looked_up(what, side))


def counters(game: Game, side: str, *types: str) -> int:
    """How many counters of some types a side has: the mix is a limit (10.5)."""
    return sum(unit.count for unit in game.units.values() if unit.side == side and unit.type in types)


def within(
    game: Game, stack: Sequence[Fighter], unit: Callable[[Fighter], Unit], side: str, at_home: int = 0
) -> tuple[list[Fighter], list[Fighter]]:
    """Those of a stack that fit in a point, first come first, and those beyond the limit (12.1, 12.5).

    One of each type that stacks free is not counted, nor are so many city brigades that are at home (5.2 (2)). One
    headquarters of each size stands above the limit; a second of that size doesn't fit at all (12.1, 17.4).
    """
    room = int(game.tables["stacking"].looked_up("limit", side))
    fits: list[Fighter] = []
    over: list[Fighter] = []
    free: set[str] = set()
    for fighter in stack:
        shape = unit(fighter)
        counts = cached_on(game, _stack_size, shape.id)
        if shape.type == "headquarters":
            counts = room + 1 if shape.size in free else 0
            free.add(shape.size)
        elif counts and "free_stacking_one" in shape.abilities and shape.type not in free:
            free.add(shape.type)
            counts = 0
        elif "free_at_home" in shape.abilities and at_home:
            at_home -= 1
            counts = 0
        (fits if counts <= room else over).append(fighter)
        room -= counts if counts <= room else 0
    return fits, over


def _stack_size(game: Game, unit: str) -> int:
    """What a unit counts for stacking where nothing spares it, as the pack's rules say (12.1)."""
    return int(start_field(game).fields_of(game.units[unit])["stack_size"])


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


class Policy(NamedTuple):
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


class Kind(NamedTuple):
    """Units that are alike."""

    fields: Fields
    unit: Unit
    states: tuple[str, ...]
    parts: Mapping[int, int]
    """The kinds that it breaks down into."""
    strength: Fraction
    leader: int
    points: int
    """Its casualty points (7.4)."""

    @property
    def name(self) -> str:
        return str(self.fields["name"])

    @property
    def static(self) -> bool:
        return "static" in self.unit.abilities

    @property
    def kept(self) -> bool:
        """A headquarters or an engineer, whom the others need."""
        return self.unit.type in ("headquarters", "engineer")


@dataclass(frozen=True)
class Army:
    """One side of a battle: its kinds of unit, how many of each it began with, and its policy."""

    game: Game
    kinds: tuple[Kind, ...]
    start: Force
    policy: Policy
    side: str
    mix: Mapping[str, int]
    """How many counters of a kind there are but for those elsewhere on the map: what breaks down needs them (9.8)."""
    at_home: int
    """How many city brigades aren't counted for stacking (5.2 (2))."""
    order: tuple[int, ...]
    """Which kind takes the next loss: the first of these that is present."""
    feared: tuple[int, ...]
    """The same where the enemy chooses (26.3): the strongest first."""
    leavers: tuple[int, ...]
    """Which kind goes first when one unit retreats."""
    stuck: frozenset[int]
    """The kinds that have no point to retreat to though others may (16.4)."""
    scarce: tuple[str, ...]
    """The counters that could run short."""
    spared: int
    """The losses that a whole retreat spares it (16.3)."""

    def same(self, other: Army) -> bool:
        """Whether it is the same army, with the same policy and the same counters elsewhere."""
        mine, theirs = ((army.start, army.policy, army.side, army.mix, army.at_home) for army in (self, other))
        kinds, others = ([(kind.unit.id, kind.states) for kind in army.kinds] for army in (self, other))
        return mine == theirs and kinds == others

    def strength(self, force: Force) -> Fraction:
        """The printed strengths of all that are present."""
        return sum((kind.strength * n for kind, n in zip(self.kinds, force.present, strict=True) if n), Fraction(0))

    def points(self, force: Force) -> int:
        """The casualty points that a force would be, those who retreated among them (7.4): a unit that breaks down is none, its three
        parts are one each."""
        return force.away + sum(kind.points * n for kind, n in zip(self.kinds, force.present, strict=True))

    def depth(self, kind: Kind) -> int:
        """The losses that a unit can take (16.1): to break down, and all those of its parts."""
        return 1 + sum(count * self.depth(self.kinds[part]) for part, count in kind.parts.items())

    def firing(self, present: Counts) -> Counts:
        """How many of each kind may fire: only what stands within the stacking limit, the strongest of it (15.3)."""
        listed = [i for i in self.feared for _ in range(present[i])]
        fits, over = within(self.game, listed, lambda i: self.kinds[i].unit, self.side, self.at_home)
        return present if not over else tuple(fits.count(i) for i in range(len(present)))

    # Losses, break-downs, retreats (16.0).

    def breaks(self, present: Sequence[int], apart: Counts, hit: int) -> bool:
        """Whether the counters that a large unit breaks down into are there (9.4, 9.8)."""
        gone = dict(zip(self.scarce, apart, strict=True))
        for part, count in self.kinds[hit].parts.items() if self.scarce else ():
            name = self.kinds[part].unit.id
            held = sum(n for kind, n in zip(self.kinds, present, strict=True) if kind.unit.id == name)
            if held + gone.get(name, 0) + count > self.mix[name]:
                return False
        return True

    def apart(self, apart: Counts, goes: int, many: int = 1) -> Counts:
        """What is off the battle but on the map when so many more units of a kind retreat and others don't."""
        name = self.kinds[goes].unit.id
        return tuple(n + many * (counter == name) for counter, n in zip(self.scarce, apart, strict=True))

    def lose(self, force: Force, losses: int, feared: bool = False) -> Force:
        """Take losses: each breaks down one large unit or eliminates one small one (16.1).

        A large unit without counters to break down into goes whole and counts as its three parts (9.8); its owner takes
        such a loss last. `feared`: the enemy chooses.
        """
        present = list(force.present)
        while losses > 0:
            able = [i for i in (self.feared if feared else self.order) if present[i]]
            if not able:
                break
            spared = (
                [i for i in able if not self.kinds[i].parts or self.breaks(present, force.apart, i)]
                if not feared
                else able
            )
            hit = (spared or able)[0]
            parts = self.kinds[hit].parts
            present[hit] -= 1
            if parts and self.breaks(present, force.apart, hit):
                losses -= 1
                for part, count in parts.items():
                    present[part] += count
            else:
                losses -= sum(parts.values()) or 1
        return Force(tuple(present), force.away, force.apart)

    def can_leave(self, force: Force) -> bool:
        """Whether anybody can retreat (16.4)."""
        return self.policy.can_retreat and any(force.present[i] for i in self.leavers)

    def can_all_leave(self, force: Force) -> bool:
        """Whether a side may retreat by choice: all of it or none (16.3); static units go down with it (16.4 (8))."""
        return self.can_leave(force) and not any(force.present[i] for i in self.stuck)

    def leave(self, force: Force) -> Force:
        """All retreat who can; static units are eliminated instead, others who can't stay (16.4)."""
        goes = [(i, force.present[i]) for i in self.leavers if force.present[i]]
        gone = sum(self.kinds[i].points * n for i, n in goes)
        stay = tuple(n if i in self.stuck else 0 for i, n in enumerate(force.present))
        apart = force.apart
        for i, n in goes if any(stay) else ():
            apart = self.apart(apart, i, n)
        return Force(stay, force.away + gone, apart)

    def leave_one(self, force: Force) -> Force:
        """One unit retreats."""
        goes = next(i for i in self.leavers if force.present[i])
        present = tuple(n - (i == goes) for i, n in enumerate(force.present))
        return Force(present, force.away + self.kinds[goes].points, self.apart(force.apart, goes))

    def suffer(self, force: Force, result: Does, feared: bool = False) -> Force:
        """One result on a force, by its owner's policy (16.1, 16.3, 16.4)."""
        if result.retreats:
            if self.policy.retreats == "obey" and self.can_leave(force):
                return self.leave_one(force) if result.retreats == "one" else self.leave(force)
            return self.lose(force, result.instead, feared)
        after = self.lose(force, result.losses, feared)
        if self.policy.dodge == "never" or not result.losses or not self.can_all_leave(force):
            return after
        if self.policy.dodge == "last" and any(after.present):
            return after
        spared = self.lose(force, max(0, result.losses - self.spared), feared)
        return self.leave(spared) if self.can_all_leave(spared) else after


class Does(NamedTuple):
    """What a result does to a force: its losses; or that one unit retreats or all do, with the losses that may be taken instead."""

    losses: int = 0
    retreats: str = ""
    """`one`, `all` or nobody."""
    instead: int = 0


def does(game: Game, code: str) -> Does:
    """What a result of ground fire does, by the records of the pack's rules (16.0)."""
    field, found = start_field(game), Does()
    effects = game.tables[game.attacks[GROUND].table].results[code].effects
    for record, number in records_of(field.program.rules, effects):
        asked = field.scope(no_unit(), {}, {"result": number, "code": code})
        if not field.holds_of(record.when, asked):
            continue
        if record.lose is not None:
            found = found._replace(losses=int(field.value_of(record.lose, asked)))
        elif record.retreat is not None:
            instead = int(field.value_of(record.instead, asked)) if record.instead is not None else 0
            found = found._replace(retreats="all" if record.count is None else "one", instead=instead)
    return found


# --- an army of units that are told -----------------------------------------------------------------------------------


def army(
    game: Game, units: Sequence[Fields], policy: Policy, side: str, elsewhere: Mapping[str, int], at_home: int = 0
) -> Army:
    """The army of units given by their fields; large units bring the kinds they break down into (9.4)."""
    keys: dict[tuple[str, tuple[str, ...]], int] = {}
    found: dict[int, Kind] = {}

    def number(fields: Fields) -> int:
        unit = game.units[str(fields["id"])]
        states = tuple(state for state in game.states if fields.get(state) is True)
        if (unit.id, states) not in keys:
            mine = keys[unit.id, states] = len(keys)
            inherited = [state for state in states if state != unit.back_state]
            parts = {
                number(unit_fields(game, part, inherited)): count
                for part, count in parts_of(game, unit, states).items()
            }
            points = int(limit(game, LARGE if "large" in unit.abilities else SMALL, unit.side))
            counted = 0 if unit.type == "static_sam" else points  # 7.4 (3)
            found[mine] = Kind(
                fields, unit, states, parts, Fraction(str(fields["strength"])), int(str(fields["leader"])), counted
            )
        return keys[unit.id, states]

    counts: dict[int, int] = {}
    for fields in units:
        if str(fields["side"]) != side:
            raise BadQuestion(f"{fields['name']} is not of the {side} side")
        required_factor(game, game.units[str(fields["id"])], "strength")
        at = number(fields)
        counts[at] = counts.get(at, 0) + 1
    kinds = tuple(found[i] for i in range(len(found)))
    start = tuple(counts.get(i, 0) for i in range(len(kinds)))
    weak = sorted(range(len(kinds)), key=lambda i: (kinds[i].kept, kinds[i].strength, i))
    mix = {kind.unit.id: kind.unit.count - elsewhere.get(kind.unit.id, 0) for kind in kinds}
    scarce = _scarce(kinds, start, mix)
    stuck = frozenset(i for i, kind in enumerate(kinds) if kind.unit.id in policy.stuck and not kind.static)
    return Army(
        game,
        kinds,
        Force(start, 0, (0,) * len(scarce)),
        policy,
        side,
        mix,
        at_home,
        order=_order(kinds, weak, policy.losses),
        feared=_order(kinds, weak, "strongest"),
        leavers=tuple(i for i in weak if not kinds[i].static and i not in stuck),
        stuck=stuck,
        scarce=scarce,
        spared=int(limit(game, SPARED, side)),
    )


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


def parts_of(game: Game, unit: Unit, states: Collection[str]) -> Mapping[str, int]:
    """What a large unit breaks down into; a combined arms brigade by its own line of the chart (9.9)."""
    if "combined_arms" not in states or not unit.breaks_into:
        return unit.breaks_into
    (own,) = unit.breaks_into
    like = unit.nation, game.units[own].size, "mechanized_infantry"
    mechanized = next(u.id for u in game.units.values() if (u.nation, u.size, u.type) == like and not u.abilities)
    table, row = game.tables["reorganization"], "Israeli combined arms brigade"
    return {part: int(table.looked_up(row, column)) for part, column in ((own, "armored"), (mechanized, "mechanized"))}


def _order(kinds: Sequence[Kind], weak: Sequence[int], losses: str) -> tuple[int, ...]:
    large, small = [i for i in weak if kinds[i].parts], [i for i in weak if not kinds[i].parts]
    by_policy: dict[str, Sequence[int]] = {
        "weakest": large + small,
        "keep_large": [i for i in small if not kinds[i].kept] + large + [i for i in small if kinds[i].kept],
        "strongest": sorted(weak, key=lambda i: (-kinds[i].strength, i)),
        "listed": sorted(weak),
    }
    return tuple(by_policy[losses])


# --- what a position tells of a battle in one of its points -----------------------------------------------------------


def fighters(field: Field, n: int, side: str, attacking: bool) -> list[Fields]:
    """A side's units in a point; those without a line of communication are out of supply (11.2).

    A fort spares the line to who holds it, not to who storms it (the ruling on forts).
    """
    spared = not attacking or field.game.rulings["fort_supply"].choice == "anyone"
    lines, game = supply_of(field, side), field.game
    found: list[Fields] = []
    for standing in field.stack(n, side):
        line = (spared and lines.free(standing) is not None) or lines.is_served(standing, "line")
        cut = set() if line else {"out_of_supply"}
        states = (standing.piece.states | cut) & set(game.states)
        found.append(view_unit(game, standing.counter, states, standing.piece.steps_lost).fields)
    return found


def near(field: Field, n: int) -> set[int]:
    """The points next to one; reserve areas don't count (15.6, 24.2)."""
    return {m for m, _ in field.map_index.neighbours(n) if field.map_index.map_value(m, "terrain") != "reserve_area"}


def near_headquarters(field: Field, n: int, side: str) -> dict[str, int]:
    """The value of the best headquarters of each nation next to a point (15.6); Israel's under no name."""
    found: dict[str, int] = {}
    around = near(field, n)
    for standing in (s for s in field.units_of(side) if s.fields["leader"] and s.place in around):
        nation = "" if side == "israeli" else str(standing.fields["nation"])
        found[nation] = max(found.get(nation, 0), int(standing.fields["leader"]))
    return found


def missiles_over(field: Field, n: int, side: str) -> tuple[PlacedUnit, ...]:
    """The missile units of a side that reach a point (20.3, 20.8)."""
    return zones_of(field).coverage("umbrella", side).get(n, ())


def asked_sites(game: Game, field: Field | None, n: int | None, side: str, told: Inputs) -> tuple[int, int]:
    """The SAM units of a side that reach a point, and those in it (20.8): told, or seen in the position."""
    seen = missiles_over(field, n, side) if field is not None and n is not None else ()
    many = read_integer(told, "sites", len(seen), 0, counters(game, side, "mobile_sam", "static_sam"))
    return many, read_integer(told, "sites_here", min(sum(s.place == n for s in seen), many), 0, many)


def effects_at(field: Field, name: str, n: int) -> list[Effect]:
    """The effects of special rules that hold now in a point, whosever they are."""
    place = field.map_index.places[n]
    return [effect for effect in field.in_force(name) if effect.at is not None and place in field.places_of(effect.at)]


def at_home(field: Field, n: int) -> int:
    """How many city brigades aren't counted for stacking in a point (5.2 (2)); one, where none is there to ask."""
    city = field.ask(field.program.values["city"], Mover("arab", {}), to=n)
    homes = {standing.fields["home"] for standing in field.by_place.get(n, ()) if standing.fields["free_at_home"]}
    return int(city != "" and (not homes or bool(homes & {city, "any"})))


def able(field: Field, n: int, units: Iterable[Fields]) -> dict[str, bool]:
    """Of units fighting in a point and what they break down into, by id: whether one can retreat (16.4).

    Each is asked as if it went alone; static units never retreat (16.4 (8)) and are left out. Nobody is asked where none
    of their side is there yet.
    """
    found: dict[str, bool] = {}
    game, place = field.game, field.map_index.places[n]
    for fields in units:
        unit = game.units[str(fields["id"])]
        if unit.id in found or not field.is_occupied(n, unit.side):
            continue
        states = [state for state in game.states if fields.get(state) is True]
        for fighter in (unit, *(game.units[part] for part in parts_of(game, unit, states))):
            if fighter.id not in found and "static" not in fighter.abilities:
                found[fighter.id] = bool(
                    retreat(field, field.as_if(Piece(fighter.id, "", fighter.nation, place))).ways[1]
                )
    return found

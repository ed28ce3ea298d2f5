"""Retreats, panics and advances: what the pack declares, shared out among several units; and the questions (14, 15)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from assistant.answers import Answer, Cell, Chance, Column, Line, Node, Section, Several, Table, Value
from assistant.games.six_day_war.fronts import SIDES, static
from assistant.games.six_day_war.questions import (
    DISINTEGRATED,
    ON_THE_MAP,
    asked_field,
    asked_stack,
    chances,
    counter,
    place,
    places,
)
from assistant.questions import Input, Question, Told
from assistant.rules.field import Field, Standing
from assistant.rules.movement import Reason, reach
from assistant.rules.questions import refusal
from assistant.rules.retreat import Back, Way, all_ways, offered
from scenarios.game import Game
from scenarios.reading.shapes import number

PANIC = "panic"


@dataclass(frozen=True, eq=False)
class Retreat:
    """What a retreat does to a unit."""

    back: Back

    @property
    def standing(self) -> Standing:
        """Who it is."""
        return self.back.standing

    @property
    def stays(self) -> bool:
        """Whether works let it ignore the retreat (14.5)."""
        return self.back.choice is not None or bool(self.back.fate and self.back.fate.stay)

    @property
    def dies(self) -> Fraction:
        """The chance that it is eliminated."""
        return Fraction(0) if self.stays else self.back.chance_of_loss

    @cached_property
    def ways(self) -> Mapping[int, tuple[Way, ...]]:
        """The ways that it is offered if it goes alone, by the number of hexes."""
        return {hexes: offered(self.back.walk, ways) for hexes, ways in self.back.ways.items()}

    @property
    def to(self) -> list[int]:
        """Where it may be after a retreat of one hex."""
        return [self.standing.at] if self.stays else [way.end for way in self.ways.get(1, ())]

    @property
    def why(self) -> tuple[str, str]:
        """Why it stays, dies or is moved by the enemy, and the rule; nothing where it simply goes."""
        back = self.back
        panic = None if back.length.sure else back.length.rests[-1]
        record = back.fate or back.choice or (back.none if self.dies == 1 else panic)
        if record is not None:
            return record.text, record.rule
        crowded = all(way.room for ways in self.ways.values() for way in ways)
        return ("only where there is no room", "11.5") if crowded else ("", "")


def back_together(field: Field, standings: Sequence[Standing], hexes: str) -> tuple[Retreat, ...]:
    """The retreats of units of a side by so many hexes, or by a panic's die: who has to go leaves room for the others."""
    name, result = (PANIC, 1) if not hexes.isdecimal() else ("retreat", int(hexes))
    alone = [Retreat(all_ways(field, standing, result, name)) for standing in standings]
    going = [one.standing for one in alone if not one.stays]
    if not going or len(standings) < 2:
        return tuple(alone)
    return tuple(Retreat(all_ways(field, standing, result, name, going)) for standing in standings)


# --- several at once: how many find no room (11.2, 11.3, 14.2) --------------------------------------------------------

Pool = tuple[str, int, frozenset[str]]
"""Room for units: who is there, how many more may come, and whom it has to be shut to in the end."""
Group = tuple[str, int, tuple[int, ...]]
"""Units that go the same ways: their contingent, how many they are, and the hexes with room for one of them."""


def too_many(retreats: Sequence[Retreat]) -> dict[int, Fraction]:
    """How many of these units of a side end where there is no room, with the chances of a panic's die.

    Whoever moves them takes no full hex while a unit has another end (14.2). The owner, who moves a retreat of one hex,
    leaves as few out as he can; the enemy, who moves a panic, takes room away from as many as he can.
    """
    going = [one for one in retreats if one.back.ways and not one.stays]
    if not going:
        return {0: Fraction(1)}
    panic = any(not one.back.length.sure or one.back.length.most > 1 for one in going)
    throws = max((one.back.length.chances for one in going), key=len)
    leaving = [one.standing for one in retreats if not one.stays]
    found: dict[int, Fraction] = {}
    for hexes, chance in throws.items():
        lengths = ((one, int(hexes) if int(hexes) in one.back.ways else min(one.back.ways)) for one in going)
        ends = [(one.standing, frozenset(way.end for way in one.back.ways[length])) for one, length in lengths]
        count = crowded(going[0].back.field, [(standing, hexes_) for standing, hexes_ in ends if hexes_], leaving, panic)
        found[count] = found.get(count, Fraction(0)) + chance
    return found


def crowded(field: Field, units: Sequence[tuple[Standing, Collection[int]]], leaving: Collection[Standing], panic: bool) -> int:
    """How many units find no room at one of their ends, if they are moved as badly (`panic`) or as well as may be."""
    limits = {effect.side: int(number(effect.value)) for effect in field.in_force("stacking")}
    pools: dict[int, Pool] = {}
    members: dict[tuple[str, tuple[int, ...]], int] = {}
    left_out = 0
    for standing, ends in units:
        whose = _whose(standing)
        for n in ends:
            if n not in pools:
                there = [s for s in field.stack(n, standing.side) if not static(s) and s not in leaving]
                room = limits[standing.side] - len(there) if len({_whose(s) for s in there}) < 2 else 0
                pools[n] = _whose(there[0]) if there else "", max(0, room), frozenset()
        roomy = tuple(sorted(n for n in ends if _room(pools[n], whose)))
        left_out += not roomy
        if roomy:
            members[whose, roomy] = members.get((whose, roomy), 0) + 1
    groups = [(whose, count, roomy) for (whose, roomy), count in members.items()]
    return left_out + (0 if _plenty(groups, pools) else _played(groups, pools, panic))


def _whose(standing: Standing) -> str:
    """Whom a unit shares a hex with: Arab contingents don't mix (11.3)."""
    return str(standing.fields["contingent"]) if standing.side == "arab" else standing.side


def _room(pool: Pool, whose: str) -> int:
    holder, left, _ = pool
    return left if holder in ("", whose) else 0


def _plenty(groups: Sequence[Group], pools: Mapping[int, Pool]) -> bool:
    """Whether nobody can be left out, whatever is done: all who could come can't fill the ends of any group."""
    for whose, _, ends in groups:
        rivals = [other for other in groups if not set(ends).isdisjoint(other[2])]
        mixed = any(other[0] != whose for other in rivals)
        # A unit of another contingent shuts a hex by itself.
        space = len(ends) if mixed else sum(_room(pools[n], whose) for n in ends)
        if space < sum(count for _, count, _ in rivals):
            return False
    return True


def _played(groups: Sequence[Group], pools: Mapping[int, Pool], panic: bool) -> int:
    """All ways to put the groups down, one group after the other; whoever is left out has to find all his ends shut."""
    last = {n: number for number, (_, _, ends) in enumerate(groups) for n in ends}
    states: dict[frozenset[tuple[int, Pool]], int] = {frozenset(): 0}
    choose = max if panic else min
    for number_, (whose, count, ends) in enumerate(groups):
        onward: dict[frozenset[tuple[int, Pool]], int] = {}
        for state, out in states.items():
            now = dict(state)
            held = [now.get(n, pools[n]) for n in ends]
            for spread in _spreads(count, [_room(pool, whose) for pool in held]):
                more = count - sum(spread)
                after = dict(now)
                for n, (holder, left, needs), come in zip(ends, held, spread, strict=True):
                    after[n] = whose if come else holder, left - come, needs | {whose} if more else needs
                done = [after.pop(n) for n in ends if last[n] == number_]
                if not any(_room(pool, who) for pool in done for who in pool[2]):
                    key = frozenset(after.items())
                    onward[key] = choose(onward.get(key, out + more), out + more)
        states = onward
    return choose(states.values())


def _spreads(count: int, rooms: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to put at most so many units where there is room."""
    if not rooms:
        yield ()
        return
    for come in range(min(count, rooms[0]) + 1):
        for rest in _spreads(count - come, rooms[1:]):
            yield come, *rest


def crowd_text(found: Mapping[int, Fraction]) -> str:
    """How many of those who go back find no room."""
    counts = [f"{count}" + ("" if chance == 1 else f" by {float(chance):.0%}") for count, chance in sorted(found.items()) if count]
    return f"too many for the room there: {', '.join(counts)}"


# --- the questions ----------------------------------------------------------------------------------------------------

WAYS = (Column("to", "to"), Column("path", "way"))


def _retreat(game: Game, told: Told) -> Answer:
    """Where units may go if they have to retreat so many hexes, or panic (14.2, 14.5, 21.3)."""
    field = asked_field(game, told)
    standings = asked_stack(field, told["unit"])
    backs = [one for side in SIDES for one in back_together(field, [s for s in standings if s.side == side], told["hexes"])]
    backs.sort(key=lambda one: standings.index(one.standing))
    crowds = {side: too_many([one for one in backs if one.standing.side == side]) for side in SIDES}
    return Answer("retreat", game.id, [
        Value("hexes", told["hexes"], shown=False), Several("units", [_back(field, back) for back in backs]),
        *(Line(crowd_text(found), "11.5, 14.2") for found in crowds.values() if any(found)),
        Value("no_room", {side: chances(found.items()) for side, found in crowds.items()}, shown=False),
    ])  # fmt: skip


def _back(field: Field, back: Retreat) -> Section:
    why, rule = back.why
    nodes: list[Node] = [
        Value("unit", counter(back.standing), shown=False), Value("from", place(field, back.standing.at), shown=False),
        Value("eliminated", Chance(back.dies), "Eliminated", shown=bool(back.dies)), Value("stays", back.stays, shown=False),
        Value("why", why, "It", rule, shown=bool(why)), Value("rule", rule, shown=False),
    ]  # fmt: skip
    rows = [{"hexes": hexes, **_way(field, way.path)} for hexes, ways in back.ways.items() for way in ways]
    if len(back.ways) > 1:
        ends: list[dict[str, Cell]] = [
            {"hexes": f"{hexes} back", "to": " ".join(sorted(field.kinds.name(way.end) for way in ways)) or "no way, eliminated"}
            for hexes, ways in back.ways.items()
        ]
        nodes.append(Table("shown_ways", [Column("hexes", "hexes"), Column("to", "to")], ends, heads=False, told=False))
    nodes.append(Table("ways", [Column("hexes"), *(WAYS if len(back.ways) < 2 else ())], rows))
    return Section(nodes, (f"{back.standing.name} in ", place(field, back.standing.at)))


def _advance(game: Game, told: Told) -> Answer:
    """Where units may advance after combat, so many hexes at most (15)."""
    field, hexes = asked_field(game, told), int(told["hexes"])
    sections = []
    for standing in asked_stack(field, told["unit"]):
        found = reach(field, standing, section="advance", result=hexes)
        if found.refused:
            raise refusal(found, Reason(found.refused[0], kind="who"), standing.at, "advance")
        rows = [_way(field, found.path(n)) for n in sorted(found.ends - {standing.at}, key=field.kinds.name)]
        sections.append(Section([
            Value("unit", counter(standing), shown=False), Table("ways", WAYS, rows), *([] if rows else [Line("nowhere")]),
        ], (f"{standing.name} in ", place(field, standing.at), f", up to {hexes}")))  # fmt: skip
    return Answer("advance", game.id, [Value("hexes", hexes, shown=False), Several("units", sections)])


def _way(field: Field, path: Sequence[int]) -> dict[str, Cell]:
    return {"to": place(field, path[-1]), "path": places(field, path)}


RETREAT = Question(
    name="retreat", about="where units may retreat or panic to, and the chance that they die of it", answer=_retreat, bare=("unit",),
    inputs=(
        Input(name="unit", about="who", kind="units", needed=True),
        Input(name="hexes", about="how far, or panic", kind="choice", choices=("1", "2", "3", "4", "5", "6", PANIC), default="1"),
        *ON_THE_MAP, DISINTEGRATED,
    ),
)  # fmt: skip
ADVANCE = Question(
    name="advance", about="where units may advance after combat", answer=_advance, bare=("unit",),
    inputs=(
        Input(name="unit", about="who", kind="units", needed=True),
        Input(name="hexes", about="how far at most", kind="number", least=1, most=7, default=Fraction(1)), *ON_THE_MAP,
    ),
)  # fmt: skip

"""Command markers, the superpowers' entry and World War III, with exact chances (6.0, 7.0, 22.0, 28.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from assistant.engine.turn import dice_chances
from assistant.games.musketeer.questions import asked_turn, contingent, last_turn
from assistant.questions.answer import Answer, BadQuestion, Cell, Chance, CounterRef, Node, RowTable, TableColumn, Value
from assistant.questions.question import TURN, Input, Inputs, Question, read_integer
from assistant.special_rules import all_effects
from scenarios.model.dice import dice
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.reading.findings import suggest

WEST_SPECIAL = "west_special"
"""What an event forbids that keeps back all special markers of the West (22.1, event 10)."""


class World(NamedTuple):
    """The political state at the start of a turn, but for the turn and the escalation index."""

    committed: frozenset[str]
    banned: str = ""
    """The marker that the last event forbids this turn; WEST_SPECIAL for all of the West's special ones (22.2)."""
    used: frozenset[str] = frozenset()
    """Special markers that were drawn: once a game each (7.7)."""


class Marker(NamedTuple):
    """A command marker: what drawing it adds to the index (6.2), whose it is, and whether it goes once a game (2.7)."""

    points: int
    contingent: str
    special: bool
    west: bool


Levels = list[int]
"""The ways to have each index."""
Change = Mapping[int, int]
"""By how much the index changes, in how many ways."""


class Politics:
    """What a game says of command markers, of who must be committed and of the world war."""

    def __init__(self, game: Game) -> None:
        self.game = game
        table, events = game.tables["escalation"], game.tables["events"]
        west = {contingent(game, name) for name, nation in game.nations.items() if nation.side == "west"}
        self.markers: dict[str, Marker] = {}
        for name in table.cells:
            points, whose, use = (table.looked_up(name, column) for column in ("points", "contingent", "use"))
            self.markers[name] = Marker(int(points), whose, use == "once", whose in west)
        self.watched = {
            effect.nation: effect.value.partition("after ")[2] for effect in all_effects(game, "commitment")
        }
        """Who must be committed, each with whom it only comes after, by the scenario's rule (28.3)."""
        self.barred = {(effect.value, effect.turns) for effect in all_effects(game, "no_marker")}
        """The markers that a special rule keeps back, each with the turn (28.2)."""
        self.limit = next(int(effect.value) for effect in all_effects(game, "world_war"))
        """The index at which World War III begins (6.4)."""
        self.die = len(dice(game.tables["involvement"].dice))
        changes: dict[str, dict[int, Fraction]] = {}
        for event, chance in events.distribution(0).items():
            effects = events.results[event].effects
            text, changed = effects.get("escalation", "0"), changes.setdefault(effects.get("no_marker", ""), {})
            for rise, share in (dice_chances(text) if "d" in text else {int(text): Fraction(1)}).items():
                changed[rise] = changed.get(rise, Fraction(0)) + chance * share
        self.throws = lcm(*(chance.denominator for changed in changes.values() for chance in changed.values()))
        self.events: dict[str, Change] = {
            ban: {rise: int(chance * self.throws) for rise, chance in changed.items()}
            for ban, changed in changes.items()
        }
        """By the marker that an event forbids next turn: how it changes the index, in how many of the throws (22.1)."""

    def why_not(self, name: str, turn: int, world: World) -> tuple[str, str]:
        """Why a marker may not be played this turn, and by which rule; nothing, if it may."""
        marker = self.markers[name]
        if world.banned == name or (world.banned == WEST_SPECIAL and marker.special and marker.west):
            return "the last event forbids it", "22.2"
        if name in world.used:
            return "it was played before, and goes once a game", "7.7"
        if (name, str(turn)) in self.barred:
            return f"not in turn {turn}", "28.2"
        if marker.contingent in self.watched and marker.contingent not in world.committed:
            return "its contingent isn't committed", "28.3"
        return "", ""

    def drawn(self, turn: int, world: World, plan: Sequence[str]) -> tuple[int, World]:
        """The points of a turn's markers, and the world with what they used up; nothing is banned any more."""
        able = [name for name in dict.fromkeys(plan) if not self.why_not(name, turn, world)[0]]
        used = world.used.union(name for name in able if self.markers[name].special)
        return sum(self.markers[name].points for name in able), World(world.committed, used=used)

    def joined(self, turn: int, committed: frozenset[str]) -> dict[frozenset[str], int]:
        """Who is committed after the involvement rolls of a turn (28.3), in how many ways of a die for each."""
        table = self.game.tables["involvement"]
        column = table.find_column(Fraction(turn))
        assert column is not None
        joins = int(table.distribution(column).get("in", Fraction(0)) * self.die)
        found = {committed: 1}
        for who, before in self.watched.items():
            after: dict[frozenset[str], int] = {}
            for inside, ways in found.items():
                good = joins if who not in inside and (not before or before in inside) else 0
                for then, share in ((inside | {who}, good), (inside, self.die - good)):
                    if share:
                        after[then] = after.get(then, 0) + ways * share
            found = after
        return found

    def changed(self, levels: Levels, change: Change) -> Levels:
        """Every index changed by some points in so many ways, but never below 1 (6.3); all from the limit on are one."""
        found, top = [0] * (self.limit + 1), self.limit
        for level, ways in enumerate(levels):
            if ways:
                for points, times in change.items():
                    found[min(top, max(1, level + points))] += ways * times
        return found


@dataclass(frozen=True)
class Forecast:
    """The end of each turn, and where it all leads. Chances are exact."""

    war: Mapping[int, Fraction]
    """The chance that World War III breaks out in each turn."""
    index: Mapping[int, Fraction]
    """The chance of each index at the end, and of peace until then; with `war` they add up to 1."""
    committed: Mapping[str, Fraction]
    """The chance that each contingent of 28.3 is committed by the end."""
    entries: Mapping[str, Mapping[int, Fraction]]
    """The chance that it is by the end of each turn, if peace holds."""


def forecast(game: Game, index: int, plan: Sequence[Sequence[str]], turn: int, world: World) -> Forecast:
    """The chances of escalation when these markers are drawn, turn by turn. All markers of a turn are drawn (nobody blinks, 6.5); then
    the event (22.1) and the involvement rolls (28.3) follow."""
    politics = cached_on(game, Politics)
    worlds = {world: politics.changed([1], {index: 1})}
    held, ways_held, throws = {world.committed: 1}, 1, 1
    war: dict[int, Fraction] = {}
    inside = dict.fromkeys(politics.watched, Fraction(0))
    entries: dict[str, dict[int, Fraction]] = {who: {} for who in politics.watched}

    def peace(levels: Levels, committed: frozenset[str], now: int) -> Levels:
        """The ways in which there is no war; what is lost is counted (6.4)."""
        if levels[-1]:
            chance = Fraction(levels[-1], throws)
            war[now] += chance
            inside.update({who: inside[who] + chance for who in committed})
        return [*levels[:-1], 0]

    for now, markers in enumerate(plan[: last_turn(game) - turn + 1], turn):
        war[now] = Fraction(0)
        drawn: dict[World, Levels] = {}
        for world, levels in worlds.items():
            points, after = politics.drawn(now, world, markers)
            _add(drawn, after, peace(politics.changed(levels, {points: 1}), world.committed, now))
        throws *= politics.throws
        joined = {
            committed: politics.joined(now, committed) for committed in {*held, *(world.committed for world in drawn)}
        }
        worlds = {}
        for world, levels in drawn.items():
            for ban, change in politics.events.items():
                safe = peace(politics.changed(levels, change), world.committed, now)
                for committed, ways in joined[world.committed].items():
                    _add(worlds, World(committed, ban, world.used), safe, ways)
        faces = politics.die ** len(politics.watched)
        throws, ways_held = throws * faces, ways_held * faces
        following: dict[frozenset[str], int] = {}
        for before, ways in held.items():
            for committed, share in joined[before].items():
                following[committed] = following.get(committed, 0) + ways * share
        held = following
        for who, chances in entries.items():
            chances[now] = Fraction(sum(ways for committed, ways in held.items() if who in committed), ways_held)
    total = [sum(column) for column in zip(*worlds.values(), strict=True)]
    for world, levels in worlds.items():
        inside |= {who: inside[who] + Fraction(sum(levels), throws) for who in world.committed}
    return Forecast(war, {level: Fraction(ways, throws) for level, ways in enumerate(total) if ways}, inside, entries)


def _add(into: dict[World, Levels], world: World, levels: Levels, times: int = 1) -> None:
    before = into.get(world)
    if before is None:
        into[world] = [times * ways for ways in levels] if times != 1 else levels
    else:
        into[world] = [a + times * b for a, b in zip(before, levels, strict=True)]


# --- the question -----------------------------------------------------------------------------------------------------


def _escalation(game: Game, told: Inputs) -> Answer:
    """The chance of World War III this turn, and in the turns to come."""
    politics, turn, libya = cached_on(game, Politics), asked_turn(game, told), int(told["libya"])
    index, turns = int(told["index"]), read_integer(told, "turns", 1, 1, last_turn(game))
    markers, later = (list(dict.fromkeys(told.get(key, ()))) for key in ("markers", "later"))
    committed = frozenset(told.get("committed", ()))
    for who in committed - politics.watched.keys():
        raise BadQuestion(f"{who!r} needs no commitment (28.3); {suggest(who, politics.watched)}")
    committed |= {
        before for who in committed if (before := politics.watched.get(who))
    }  # 28.3: the US never comes before the Soviets
    world = World(committed, told.get("banned", ""), frozenset(told.get("used", ())))

    def seen(now: Sequence[str], turns: int = 1) -> Forecast:
        return forecast(game, index + libya, [now, *[later] * (turns - 1)], turn, world)

    drawn: list[dict[str, Cell]] = []
    for marker in markers:
        why, rule = politics.why_not(marker, turn, world)
        points = politics.markers[marker].points
        drawn.append({"marker": _marker(game, marker), "points": points, "playable": not why, "why": why, "rule": rule})
    after = index + libya + politics.drawn(turn, world, markers)[0]
    nodes: list[Node] = [
        Value("turn", turn, "Turn"),
        Value("index", index, "Escalation Index"),
        RowTable(
            "markers",
            [
                TableColumn("marker", "marker"),
                TableColumn("points", "points"),
                TableColumn("why", "why not"),
                TableColumn("rule", "rule"),
            ],
            drawn,
        ),
        Value("libya", libya, "By way of Libya", for_people=libya > 0),
        Value("after_markers", after, "The index with all that", "6.2", for_people=after != index),
        *_to_come(game, seen(markers, turns)),
    ]
    if told.get("what_if"):
        rows: list[dict[str, Cell]] = [
            {
                "marker": _marker(game, one),
                "change": f"without {game.markers[one].name}",
                "war": Chance(seen([other for other in markers if other != one]).war[turn]),
            }
            for one in markers
        ]
        columns = [
            TableColumn("change", "what if", for_programs=False),
            TableColumn("marker"),
            TableColumn("war", f"World War III in turn {turn}"),
        ]
        nodes.append(RowTable("what_if", columns, rows))
    return Answer("escalation", game.id, nodes)


def _marker(game: Game, marker: str) -> CounterRef:
    return CounterRef(marker, game.markers[marker].name)


def _to_come(game: Game, found: Forecast) -> list[Node]:
    """War and peace turn by turn, and who is committed by the end of each turn if peace holds: their markers may be drawn from the
    next turn on (28.3)."""
    rows: list[dict[str, Cell]] = [
        {"turn": now, "war": Chance(war), **{who: Chance(chances[now]) for who, chances in found.entries.items()}}
        for now, war in found.war.items()
    ]
    names = [TableColumn(who, f"{game.nations[who].name} committed") for who in found.entries]
    peace = sum(found.index.values(), Fraction(0))
    nodes: list[Node] = [
        RowTable("turns", [TableColumn("turn", "turn"), TableColumn("war", "World War III"), *names], rows),
        Value("committed", {who: Chance(chance) for who, chance in found.committed.items()}, for_people=False),
        Value("peace", Chance(peace), "Peace"),
        Value("index_then", {str(level): Chance(chance) for level, chance in found.index.items()}, for_people=False),
    ]
    if peace:
        mean = sum((level * chance for level, chance in found.index.items()), Fraction(0)) / peace
        nodes.append(
            Value("expected", mean, f"The index then, from {min(found.index)} to {max(found.index)}, on average")
        )
    return nodes


def _markers_input(name: str, about: str) -> Input:
    return Input(
        name=name, about=about, kind="choice", rows="escalation", multiple=True, example="anglo_french,musketeer,us"
    )


ESCALATION = Question(
    name="escalation",
    about="World War III and the entry of the superpowers",
    answer=_escalation,
    positional=("index",),
    inputs=(
        Input(
            name="index", about="the Escalation Index now", kind="number", minimum=1, default=Fraction(1), assumed=True
        ),
        TURN,
        _markers_input("markers", "command markers drawn this turn"),
        _markers_input("later", "markers drawn in each turn after it"),
        Input(name="turns", about="how many turns to look ahead", kind="number", minimum=1),
        Input(
            name="committed",
            about="contingents already committed",
            kind="choice",
            rows="contingents",
            multiple=True,
            example="ussr",
        ),
        _markers_input("used", "special markers already used up"),
        Input(
            name="banned",
            about="the marker that the last event forbids this turn",
            kind="choice",
            choices=(WEST_SPECIAL,),
            rows="escalation",
        ),
        Input(name="libya", about="units that come by way of Libya this turn", kind="number", default=Fraction(0)),
        Input(name="what_if", about="also without each marker", kind="flag"),
    ),
)

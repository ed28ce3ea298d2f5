"""Command markers, the superpowers' entry and World War III, with exact chances (6.0, 7.0, 22.0, 28.0)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from assistant.answers import Answer, BadQuestion, Cell, Chance, Column, Counter, Node, Table, Value
from assistant.games.musketeer.questions import asked_turn, contingent, last_turn
from assistant.questions import TURN, Input, Question, Told, whole
from assistant.rules.kinds import once
from assistant.specials import all_effects
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.reading.findings import instead

# --- what the game says of it -----------------------------------------------------------------------------------------


WEST_SPECIAL = "west_special"
"""What an event forbids that keeps back all special markers of the West (22.1, event 10)."""


class World(NamedTuple):
    """The political state at the start of a turn, but for the escalation index."""

    turn: int
    banned: str
    """The marker that the last event forbids this turn; WEST_SPECIAL for all of the West's special ones (22.2)."""
    committed: frozenset[str]
    used: frozenset[str] = frozenset()
    """Special markers that were drawn: once a game each (7.7)."""


class Marker(NamedTuple):
    """A command marker: what drawing it adds to the index (6.2), whose it is, and whether it goes once a game (2.7)."""

    points: int
    contingent: str
    special: bool
    west: bool


class Politics:
    """What a game says of command markers, of who must be committed and of the world war."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.watched: Mapping[str, str] = {
            effect.nation: effect.value.partition("after ")[2] for effect in all_effects(game, "commitment")
        }
        """Who must be committed, each with whom it only comes after, by the scenario's rule (28.3)."""
        self.markers: Mapping[str, Marker] = _markers(game)
        self._barred: dict[int, frozenset[str]] = {}
        self._involved: dict[tuple[int, frozenset[str]], Mapping[frozenset[str], Fraction]] = {}

    def points(self, marker: str) -> int:
        """What drawing a command marker adds to the index (6.2)."""
        if marker not in self.markers:
            raise BadQuestion(f"there is no command marker {marker!r}; {instead(marker, self.markers)}")
        return self.markers[marker].points

    def why_not(self, name: str, world: World) -> tuple[str, str]:
        """Why a marker may not be played this turn, and by which rule; nothing, if it may."""
        marker = self.markers[name]
        if world.banned == name or (world.banned == WEST_SPECIAL and marker.special and marker.west):
            return "the last event forbids it", "22.2"
        if name in world.used:
            return "it was played before, and goes once a game", "7.7"
        if name in self.barred(world.turn):
            return f"not in turn {world.turn}", "28.2"
        if marker.contingent in self.watched and marker.contingent not in world.committed:
            return "its contingent isn't committed", "28.3"
        return "", ""

    def playable(self, names: Iterable[str], world: World) -> list[str]:
        """The markers among these that may be played this turn."""
        return [name for name in names if not self.why_not(name, world)[0]]

    def barred(self, turn: int) -> frozenset[str]:
        """The markers that a special rule keeps back in a turn (28.2)."""
        if turn not in self._barred:
            self._barred[turn] = frozenset(effect.value for effect in all_effects(self.game, "no_marker", turn))
        return self._barred[turn]

    @property
    def limit(self) -> int:
        """The index at which World War III begins (6.4), from the scenario."""
        found = all_effects(self.game, "world_war")
        if not found:
            raise BadQuestion("no scenario says at which index the world war begins")
        return int(found[0].value)

    def involved(self, turn: int, committed: frozenset[str]) -> Mapping[frozenset[str], Fraction]:
        """Who is committed after the involvement rolls of a turn (28.3)."""
        key = turn, committed
        if key in self._involved:
            return self._involved[key]
        table = self.game.tables["involvement"]
        column = table.find_column(Fraction(turn))
        assert column is not None
        joins = table.distribution(column).get("in", Fraction(0))
        result = {committed: Fraction(1)}
        for who, before in self.watched.items():
            after: dict[frozenset[str], Fraction] = {}
            for held, chance in result.items():
                rolls = who not in held and (not before or before in held)
                for inside, share in ((held | {who}, joins), (held, 1 - joins)) if rolls else ((held, Fraction(1)),):
                    if share:
                        after[inside] = after.get(inside, Fraction(0)) + chance * share
            result = after
        self._involved[key] = result
        return result

    def entries(self, turn: int, turns: int, committed: Sequence[str] = ()) -> dict[str, dict[int, Fraction]]:
        """The chance that each contingent of 28.3 is committed by the end of each turn, if peace holds."""
        sets = {frozenset(committed): Fraction(1)}
        found: dict[str, dict[int, Fraction]] = {who: {} for who in self.watched}
        for now in range(turn, min(turn + turns - 1, last_turn(self.game)) + 1):
            after: dict[frozenset[str], Fraction] = {}
            for held, chance in sets.items():
                for inside, share in self.involved(now, held).items():
                    after[inside] = after.get(inside, Fraction(0)) + chance * share
            sets = after
            for who in found:
                found[who][now] = sum((chance for inside, chance in sets.items() if who in inside), Fraction(0))
        return found


def politics_of(game: Game) -> Politics:
    """The politics of a game, read once."""
    return once(game, Politics)


def _markers(game: Game) -> Mapping[str, Marker]:
    table = game.tables["escalation"]
    west = {contingent(game, name) for name, nation in game.nations.items() if nation.side == "west"}
    found = {}
    for name in table.cells:
        points, whose, use = (table.cell(name, table.named_column(c)).code for c in ("points", "contingent", "use"))
        found[name] = Marker(int(points), whose, use == "once", whose in west)
    return found



# --- where it leads, turn by turn -------------------------------------------------------------------------------------


Levels = list[int]
"""The ways to have each index."""


@dataclass(frozen=True)
class Forecast:
    """The end of each turn, and where it all leads. Chances are exact."""

    war: Mapping[int, Fraction]
    """The chance that World War III breaks out in each turn."""
    index: Mapping[int, Fraction]
    """The chance of each index at the end, and of peace until then; with `war` they add up to 1."""
    committed: Mapping[str, Fraction]
    """The chance that each contingent of 28.3 is committed by the end."""


def forecast(
    game: Game,
    index: int,
    plan: Sequence[Sequence[str]],
    *,
    turn: int = 1,
    committed: Sequence[str] = (),
    used: Sequence[str] = (),
    banned: str = "",
    libya: int = 0,
) -> Forecast:
    """The chances of escalation when these markers are drawn, turn by turn; `libya` units come that way this turn.

    All markers of a turn are drawn (nobody blinks, 6.5); then the event (22.1) and the involvement rolls (28.3) follow.
    """
    politics = politics_of(game)
    for marker in (*(m for drawn in plan for m in drawn), *used):
        politics.points(marker)
    joining = politics.watched
    for who in committed:
        if who not in joining:
            raise BadQuestion(f"{who!r} needs no commitment (28.3); {instead(who, joining)}")
    last = min(turn + len(plan) - 1, last_turn(game))
    course = _Course(game)
    worlds = {World(turn, banned, frozenset(committed), frozenset(used)): course.changed([1], (index + libya, 1))}
    war: dict[int, Fraction] = {}
    inside = dict.fromkeys(joining, Fraction(0))
    for now in range(turn, last + 1):
        worlds, lost = course.play(worlds, plan[now - turn])
        war[now] = sum(lost.values(), Fraction(0))
        for held, chance in lost.items():
            inside |= {who: inside[who] + chance for who in held}
    peace: dict[int, Fraction] = {}
    for world, levels in worlds.items():
        for level, ways in enumerate(levels):
            if ways:
                peace[level] = peace.get(level, Fraction(0)) + Fraction(ways, course.throws)
        inside |= {who: inside[who] + Fraction(sum(levels), course.throws) for who in world.committed}
    return Forecast(war, dict(sorted(peace.items())), inside)


class _Course:
    """Turns played out: in how many ways of the `throws` so far each world has each index (a list, by index)."""

    def __init__(self, game: Game) -> None:
        self.politics, self.throws = politics_of(game), 1
        self.top = self.politics.limit
        events = _events(game)
        self.events = lcm(*(chance.denominator for chance in events.values()))
        self.joining = len(dice(game.tables["involvement"].dice)) ** len(self.politics.watched)
        self.changes: dict[str, list[tuple[int, int]]] = {}
        """By the marker that an event forbids: how the index changes, in how many ways."""
        for (change, ban), chance in events.items():
            self.changes.setdefault(ban, []).append((change, int(chance * self.events)))

    def changed(self, levels: Levels, *changes: tuple[int, int]) -> Levels:
        """Every index changed by some points in so many ways, but never below 1 (6.3); all from the limit on are one."""
        found, top = [0] * (self.top + 1), self.top
        for level, ways in enumerate(levels):
            if ways:
                for points, times in changes:
                    found[min(top, max(1, level + points))] += ways * times
        return found

    def play(self, worlds: Mapping[World, Levels], plan: Sequence[str]) -> tuple[dict[World, Levels], dict[frozenset[str], Fraction]]:
        """One turn: the worlds after it, and the chance of war in it by who was committed."""
        lost: dict[frozenset[str], Fraction] = {}
        drawn: dict[World, Levels] = {}
        for world, levels in worlds.items():
            points, after = self._drawn(world, plan)
            _add(drawn, after, self._peace(self.changed(levels, (points, 1)), world, lost))
        self.throws *= self.events
        found: dict[World, Levels] = {}
        for world, levels in drawn.items():
            joined = self.politics.involved(world.turn, world.committed)
            for ban, changes in self.changes.items():
                safe = self._peace(self.changed(levels, *changes), world, lost)
                for inside, chance in joined.items():
                    _add(found, World(world.turn + 1, ban, inside, world.used), safe, int(chance * self.joining))
        self.throws *= self.joining
        return found, lost

    def _drawn(self, world: World, plan: Sequence[str]) -> tuple[int, World]:
        """The points of a turn's markers, and the world with what they used up; nothing is banned any more."""
        known = self.politics.markers
        able = self.politics.playable(dict.fromkeys(plan), world)
        used = world.used.union(name for name in able if known[name].special)
        return sum(known[name].points for name in able), world._replace(banned="", used=used)

    def _peace(self, levels: Levels, world: World, lost: dict[frozenset[str], Fraction]) -> Levels:
        """The ways in which there is no war; the others are added to what is lost (6.4)."""
        if levels[self.top]:
            lost[world.committed] = lost.get(world.committed, Fraction(0)) + Fraction(levels[self.top], self.throws)
        return [*levels[: self.top], 0]


def _add(into: dict[World, Levels], world: World, levels: Levels, times: int = 1) -> None:
    before = into.get(world)
    if before is None:
        into[world] = [times * ways for ways in levels] if times != 1 else levels
    else:
        into[world] = [a + times * b for a, b in zip(before, levels, strict=True)]


def _events(game: Game) -> dict[tuple[int, str], Fraction]:
    """By how much the random event changes the index, and which marker it forbids next turn (22.1)."""
    table = game.tables["events"]
    result: dict[tuple[int, str], Fraction] = {}
    for event, chance in table.distribution(0).items():
        effects = table.results[event].effects
        change = effects.get("escalation", "0")
        rises = dice(change) if "d" in change else {int(change): Fraction(1)}
        for rise, share in rises.items():
            key = (rise, effects.get("no_marker", ""))
            result[key] = result.get(key, Fraction(0)) + chance * share
    return result



# --- the question -----------------------------------------------------------------------------------------------------


def _escalation(game: Game, told: Told) -> Answer:
    """The chance of World War III this turn, and in the turns to come."""
    turn, index, libya = asked_turn(game, told), int(told["index"]), int(told["libya"])
    turns = whole(told, "turns", 1, 1, last_turn(game))
    markers, later, used = (list(dict.fromkeys(told.get(key, ()))) for key in ("markers", "later", "used"))
    banned, committed = told.get("banned", ""), list(told.get("committed", ()))
    before = (politics_of(game).watched.get(who) for who in committed)
    committed += [who for who in before if who and who not in committed]  # 28.3: the US never comes before the Soviets

    def seen(now: Sequence[str], turns: int = 1) -> Forecast:
        plan = [now, *[later] * (turns - 1)]
        return forecast(game, index, plan, turn=turn, committed=committed, used=used, banned=banned, libya=libya)

    found = seen(markers, turns)
    world = World(turn, banned, frozenset(committed), frozenset(used))
    drawn = [_drawn(game, marker, world) for marker in markers]
    after = index + libya + sum(int(str(row["points"])) for row in drawn if row["playable"])
    nodes: list[Node] = [
        Value("turn", turn, "Turn"), Value("index", index, "Escalation Index"),
        Table("markers", [Column("marker", "marker"), Column("points", "points"), Column("why", "why not"), Column("rule", "rule")],
              drawn),
        Value("libya", libya, "By way of Libya", shown=libya > 0),
        Value("after_markers", after, "The index with all that", "6.2", shown=after != index),
        *_to_come(game, found, turn, turns, committed),
    ]  # fmt: skip
    if told.get("what_if"):
        rows: list[dict[str, Cell]] = [
            {"marker": _marker(game, one), "change": f"without {game.markers[one].name}",
             "war": Chance(seen([other for other in markers if other != one]).war[turn])}
            for one in markers
        ]  # fmt: skip
        columns = [Column("change", "what if", told=False), Column("marker"), Column("war", f"World War III in turn {turn}")]
        nodes.append(Table("what_if", columns, rows))
    return Answer("escalation", game.id, nodes)


def _marker(game: Game, marker: str) -> Counter:
    return Counter(marker, game.markers[marker].name)


def _drawn(game: Game, marker: str, world: World) -> dict[str, Cell]:
    """A marker that is drawn: what it adds, or why it can't be played."""
    why, rule = politics_of(game).why_not(marker, world)
    return {"marker": _marker(game, marker), "points": politics_of(game).points(marker), "playable": not why, "why": why, "rule": rule}


def _to_come(game: Game, found: Forecast, turn: int, turns: int, committed: Sequence[str]) -> list[Node]:
    """War and peace turn by turn, and who is committed by the end of each turn if peace holds: their markers may be drawn from the
    next turn on (28.3)."""
    coming = politics_of(game).entries(turn, turns, committed)
    rows: list[dict[str, Cell]] = [
        {"turn": now, "war": Chance(war), **{who: Chance(chances[now]) for who, chances in coming.items()}}
        for now, war in found.war.items()
    ]
    names = [Column(who, f"{game.nations[who].name} committed") for who in coming]
    peace = sum(found.index.values(), Fraction(0))
    nodes: list[Node] = [
        Table("turns", [Column("turn", "turn"), Column("war", "World War III"), *names], rows),
        Value("committed", {who: Chance(chance) for who, chance in found.committed.items()}, shown=False),
        Value("peace", Chance(peace), "Peace"),
        Value("index_then", {str(level): Chance(chance) for level, chance in found.index.items()}, shown=False),
    ]  # fmt: skip
    if peace:
        mean = sum((level * chance for level, chance in found.index.items()), Fraction(0)) / peace
        nodes.append(Value("expected", mean, f"The index then, from {min(found.index)} to {max(found.index)}, on average"))
    return nodes


def _markers_input(name: str, about: str) -> Input:
    return Input(name=name, about=about, kind="choice", rows="escalation", many=True, example="anglo_french,musketeer,us")


ESCALATION = Question(
    name="escalation", about="World War III and the entry of the superpowers", answer=_escalation, bare=("index",),
    inputs=(
        Input(name="index", about="the Escalation Index now", kind="number", least=1, default=Fraction(1)),
        TURN,
        _markers_input("markers", "command markers drawn this turn"),
        _markers_input("later", "markers drawn in each turn after it"),
        Input(name="turns", about="how many turns to look ahead", kind="number", least=1),
        Input(name="committed", about="contingents already committed", kind="choice", rows="contingents", many=True,
              example="ussr"),
        _markers_input("used", "special markers already used up"),
        Input(name="banned", about="the marker that the last event forbids this turn", kind="choice", choices=(WEST_SPECIAL,),
              rows="escalation"),
        Input(name="libya", about="units that come by way of Libya this turn", kind="number", default=Fraction(0)),
        Input(name="what_if", about="also without each marker", kind="flag"),
    ),
)  # fmt: skip

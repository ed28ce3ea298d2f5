"""Escalation and the entry of the superpowers as they are asked (6.0, 22.0, 28.3)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from assistant.answers import Answer, Cell, Chance, Column, Counter, Node, Table, Value
from assistant.games.musketeer.forecast import Forecast, forecast
from assistant.games.musketeer.politics import WEST_SPECIAL, World, politics_of
from assistant.games.musketeer.questions import asked_turn, last_turn
from assistant.questions import TURN, Input, Question, Told
from assistant.shared.options import whole
from scenarios.game import Game


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


def _markers(name: str, about: str) -> Input:
    return Input(name=name, about=about, kind="choice", rows="escalation", many=True, example="anglo_french,musketeer,us")


ESCALATION = Question(
    name="escalation", about="World War III and the entry of the superpowers", answer=_escalation, bare=("index",),
    inputs=(
        Input(name="index", about="the Escalation Index now", kind="number", least=1, default=Fraction(1)),
        TURN,
        _markers("markers", "command markers drawn this turn"),
        _markers("later", "markers drawn in each turn after it"),
        Input(name="turns", about="how many turns to look ahead", kind="number", least=1),
        Input(name="committed", about="contingents already committed", kind="choice", rows="contingents", many=True,
              example="ussr"),
        _markers("used", "special markers already used up"),
        Input(name="banned", about="the marker that the last event forbids this turn", kind="choice", choices=(WEST_SPECIAL,),
              rows="escalation"),
        Input(name="libya", about="units that come by way of Libya this turn", kind="number", default=Fraction(0)),
        Input(name="what_if", about="also without each marker", kind="flag"),
    ),
)  # fmt: skip

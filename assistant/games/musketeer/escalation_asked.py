"""Escalation and the entry of the superpowers as they are asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.musketeer.forecast import Forecast, forecast
from assistant.games.musketeer.politics import (
    WATCHED,
    WEST_SPECIAL,
    World,
    entries,
    marker_points,
    why_not,
)
from assistant.shared.asking import Options, Said, chances_json, percent
from assistant.shared.options import listed, whole, word, yes
from scenarios.game import Game
from scenarios.reading.findings import instead

NAMES = {
    "index": "the Escalation Index now",
    "turn": "the turn now",
    "markers": "command markers drawn this turn: anglo_french,musketeer,us",
    "later": "markers drawn in each turn after it",
    "turns": "how many turns to look ahead",
    "committed": f"contingents already committed: {', '.join(WATCHED)}",
    "used": "special markers already used up",
    "banned": f"the marker that the last event forbids this turn, or {WEST_SPECIAL}",
    "libya": "units that come by way of Libya this turn",
    "what_if": "also without each marker (yes or no)",
}


def escalation_answer(game: Game, options: Options) -> Said:
    """The chance of World War III this turn, and in the turns to come."""
    last = game.turns.count if game.turns and game.turns.count else 1
    turn, index = whole(options, "turn", 1, 1, last), whole(options, "index", 1, 1)
    turns, markers = whole(options, "turns", 1, 1, last), _markers(game, options, "markers")
    later = [_markers(game, options, "later") for _ in range(turns - 1)]
    used, banned, libya = _markers(game, options, "used"), _banned(game, options), whole(options, "libya")
    committed = listed(options, "committed")
    if "us" in committed and "ussr" not in committed:
        committed.append("ussr")  # 28.3: the US never comes before the Soviets

    def seen(plan: list[list[str]]) -> Forecast:
        return forecast(game, index, plan, turn=turn, committed=committed, used=used, banned=banned, libya=libya)

    found = seen([markers, *later])
    world = World(turn, banned, frozenset(committed), frozenset(used))
    held = {marker: why for marker in markers if (why := why_not(game, marker, world))}
    points = {marker: marker_points(game, marker) for marker in markers}
    after = index + libya + sum(cost for marker, cost in points.items() if marker not in held)
    json: dict[str, Any] = {
        "game": game.id, "question": "escalation", "index": index, "turn": turn,
        "markers": points, "not_playable": list(held), "why_not": held, "after_markers": after,
        "war": chances_json(found.war), "peace": chances_json(found.index), "committed": chances_json(found.committed),
    }  # fmt: skip
    coming = entries(game, turn, turns, committed)
    json["entry"] = {who: chances_json(chances) for who, chances in coming.items()}
    lines = [f"{marker} can't be played in turn {turn}: {why}" for marker, why in held.items()]
    costs = [f"{game.markers[marker].name} {cost}" for marker, cost in points.items() if marker not in held]
    costs += [f"by way of Libya {libya}"] * bool(libya)
    if costs:
        lines.append(f"index {index}, with the markers {after}: {', '.join(costs)} (6.2)")
    lines += [*escalation_text(found), *entry_text(game, coming)]
    if yes(options, "what_if"):
        without = {m: seen([[other for other in markers if other != m]]).war[turn] for m in markers}
        json["what_if"] = chances_json(without)
        lines += [f"without {m}: World War III in turn {turn} {percent(chance)}" for m, chance in without.items()]
    return json, lines


def _markers(game: Game, options: Options, key: str) -> list[str]:
    """Command markers by their id, with or without its first word; each is there once."""
    return list(dict.fromkeys(_marker(game, name) for name in listed(options, key)))


def _marker(game: Game, name: str) -> str:
    known = game.tables["escalation"].cells
    found = name if name in known else f"command_{name}"
    if found not in known:
        raise BadQuestion(f"there is no command marker {name!r}; {instead(found, known)}")
    return found


def _banned(game: Game, options: Options) -> str:
    name = word(options, "banned")
    return name if name in ("", WEST_SPECIAL) else _marker(game, name)


def escalation_text(found: Forecast) -> Iterator[str]:
    """A forecast in lines."""
    for turn, chance in found.war.items():
        yield f"World War III in turn {turn}: {percent(chance)}"
    peace = sum(found.index.values())
    if peace:
        mean = sum(level * chance for level, chance in found.index.items()) / peace
        yield f"peace: {percent(peace)}; the index then {min(found.index)} to {max(found.index)}, {float(mean):.1f} on average"


def entry_text(game: Game, coming: Mapping[str, Mapping[int, Fraction]]) -> Iterator[str]:
    """Who is committed by when, if peace holds; their markers may be drawn from the next turn on (28.3)."""
    for who, chances in coming.items():
        turns = "; ".join(f"turn {turn}: {percent(chance)}" for turn, chance in chances.items())
        yield f"{game.nations[who].name} committed (28.3) by the end of {turns}"

"""Battles, air, reserve points, events and score as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.air import air_phase, strike
from assistant.games.six_day_war.battle import Battle, Retreat, battles
from assistant.games.six_day_war.events import disintegration, event_chances, this_turn
from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.reserves import budget, replacement_lines
from assistant.games.six_day_war.score import standing
from assistant.text import odds_json, odds_text
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.position import Position, from_file, from_scenario
from scenarios.reading.findings import instead

Options = Mapping[str, Any]
Reply = tuple[dict[str, Any], list[str]]


def asked_field(game: Game, options: Options) -> Field:
    """The units on the map: `position` (a Position or a file), or the start of `scenario`."""
    position = options.get("position")
    if isinstance(position, str | Path):
        position = from_file(game, Path(position))
    if position is None:
        scenario = str(options.get("scenario") or "standard")
        if scenario not in game.scenarios:
            raise BadQuestion(f"there is no scenario {scenario!r}; {instead(scenario, game.scenarios)}")
        position = from_scenario(game, scenario)
    assert isinstance(position, Position)
    return Field.of(game, position)


def asked_unit(field: Field, name: str) -> Stand:
    """A unit on the map by its counter's id or its name."""
    for stand in field.stands:
        if name in (stand.key, stand.unit.id, stand.name):
            return stand
    raise BadQuestion(f"no unit on the map is called {name!r}; {instead(name, [s.key for s in field.stands])}")


def asked_hex(field: Field, name: str) -> Hex:
    """A hex by its name, or a place of one hex by its id."""
    place = field.table.places.get(name)
    if place is not None and len(place.hexes) == 1:
        return place.hexes[0]
    try:
        return field.table.hex(name)
    except ValueError as error:
        raise BadQuestion(str(error)) from None


def odds_answer(game: Game, options: Options) -> Reply:
    """An attack by `attackers` on the hex `target`, on each table that may be chosen."""
    field = asked_field(game, options)
    named = options.get("attackers", ())
    units = [asked_unit(field, name) for name in (named.split(",") if isinstance(named, str) else named) if name]
    if "target" not in options:
        raise BadQuestion("say which hex is attacked: target")
    found = battles(
        field, units, asked_hex(field, str(options["target"])), enhanced=bool(options.get("enhanced")),
        airborne_surprise=bool(options.get("airborne_surprise")), disintegrated=frozenset(options.get("disintegrated", ())),
    )  # fmt: skip
    told = {battle.table: battle_json(game, field, battle) for battle in found}
    return {"game": game.id, "tables": told}, [line for battle in found for line in battle_text(game, field, battle)]


def battle_json(game: Game, field: Field, battle: Battle) -> dict[str, Any]:
    """A battle for a program."""

    def back(one: Retreat) -> dict[str, Any]:
        return {"unit": one.name, "dies": str(one.dies), "to": [field.table.name(hex) for hex in one.to], "why": one.why}

    results = [
        {"result": one.code, "chance": str(one.chance), "attackers_lost": list(one.attackers_lost),
         "defenders_lost": list(one.defenders_lost), "attacker_retreats": [back(r) for r in one.attacker_retreats],
         "defender_retreats": [back(r) for r in one.defender_retreats], "advance": one.advance,
         "recon_advance": one.recon_advance}
        for one in battle.results
    ]  # fmt: skip
    gone = {name: str(chance) for name, chance in battle.gone.items()}
    return {**odds_json(game, battle.answer), "results": results, "eliminated": gone}


def battle_text(game: Game, field: Field, battle: Battle) -> Iterator[str]:
    """A battle in lines."""
    yield f"{game.tables[battle.table].title}:"
    yield from odds_text(game, battle.answer)
    for one in battle.results:
        parts = [f"{name} gone" for name in (*one.attackers_lost, *one.defenders_lost)]
        for each in (*one.attacker_retreats, *one.defender_retreats):
            where = " or ".join(field.table.name(hex) for hex in each.to)
            risk = f", gone by {float(each.dies):.0%}" if each.dies else ""
            parts.append(f"{each.name} back" + (f" to {where}" if where and not each.why else f" ({each.why})") + risk)
        if one.advance:
            parts.append(f"advance {one.advance}" + (f", recon {one.recon_advance}" if one.recon_advance else ""))
        yield f"  {one.code}: {'; '.join(parts) or 'nothing'}"
    yield "eliminated: " + ", ".join(f"{name} {float(chance):.1%}" for name, chance in battle.gone.items())


def air_answer(game: Game, options: Options) -> Reply:
    """Air superiority and the fire that answers it; with `targets`, the strikes on one hex."""
    if options.get("targets"):
        named = options["targets"]
        units = named.split(",") if isinstance(named, str) else list(named)
        answer = strike(game, units, int(options.get("airstrikes", 1)), jerusalem=bool(options.get("jerusalem")))
        return odds_json(game, answer), list(odds_text(game, answer))
    numbers = {key: int(options.get(key, 0)) for key in ("superiority", "special_forces", "ground", "barrages")}
    found = air_phase(
        game, level=int(options.get("level", 5)), shock_turn=bool(options.get("shock_turn")),
        levels_first=bool(options.get("levels_first", True)), **numbers,
    )  # fmt: skip
    titles = {"level": "air defense left", "barrages": "barrages left", "refit": "airstrikes to Refit", "dead": "airstrikes dead"}
    spreads = {key: found.spread(key) for key in titles}
    told = {key: {str(value): str(chance) for value, chance in spread.items()} for key, spread in spreads.items()}
    return {"game": game.id, **told}, [f"{titles[key]}: {_percent(spread)}" for key, spread in spreads.items()]


def _percent(spread: Mapping[int, Fraction]) -> str:
    return ", ".join(f"{value}: {float(chance):.1%}" for value, chance in spread.items())


def reserve_answer(game: Game, options: Options) -> Reply:
    """The price of a `plan` of purchases, with `spent` points already gone (6.2)."""
    found = budget(game, dict(options.get("plan", {})), spent=int(options.get("spent", 0)), events=int(options.get("events", 0)))
    lines = [
        f"{one.action:34} {one.cost} each, {one.phase}" + (f": {one.count} for {one.total}" if one.count else "")
        + f"; {one.affordable} more possible"
        for one in found.purchases
    ]  # fmt: skip
    lines.append(f"cost {found.cost}, left {found.left} of {found.hand} in hand; each point spent is a victory point less (23.2)")
    if found.left < 0:
        lines.append(f"not allowed: {-found.left} points too many (6.1)")
    told = {one.action: {"cost": str(one.cost), "count": one.count, "affordable": one.affordable} for one in found.purchases}
    return {"game": game.id, "actions": told, "cost": str(found.cost), "left": str(found.left)}, lines


def supply_answer(game: Game, options: Options) -> Reply:
    """Which Israelis would go to Refit and which to the deadpile, with the way to a city or town (8.2)."""
    field = asked_field(game, options)
    name = field.table.name
    lines = replacement_lines(field)
    told = [
        {"unit": one.stand.key, "hex": name(one.stand.hex), "refit": one.refit, "path": [name(hex) for hex in one.path]}
        for one in lines
    ]
    texts = [
        f"{one.stand.name:20} {name(one.stand.hex)} " + (f"Refit, by {' '.join(map(name, one.path))}" if one.refit else "deadpile")
        for one in lines
    ]
    return {"game": game.id, "units": told}, texts or ["no mobile Israeli unit is on the map"]


def event_answer(game: Game, options: Options) -> Reply:
    """The chance of each event; with `scores` (turn to objectives less places lost) the chance of disintegration."""
    chances, turn = event_chances(game), this_turn(game)
    scores = {int(key): int(value) for key, value in dict(options.get("scores", {})).items()}
    forecast = disintegration(game, scores)
    lines = [f"{event:28} {float(p):6.1%} a roll, {float(turn[event]):6.1%} this turn" for event, p in chances.items()]
    lines += [f"turn {one.turn}: disintegration now {float(one.now):.1%}, by now {float(one.by_now):.1%}" for one in forecast]
    told = {event: {"roll": str(p), "turn": str(turn[event])} for event, p in chances.items()}
    later = [{"turn": one.turn, "now": str(one.now), "by_now": str(one.by_now)} for one in forecast]
    return {"game": game.id, "events": told, "disintegration": later}, lines


def score_answer(game: Game, options: Options) -> Reply:
    """Both players' points and the level of victory; `control`, `spent` and `air_defense` as told."""
    field = asked_field(game, options)
    control = {asked_hex(field, hex): str(side) for hex, side in dict(options.get("control", {})).items()}
    found = standing(field, control=control, spent=options.get("spent"), air_defense=options.get("air_defense"))
    lines = [
        f"{one.front:8} {one.points!s:>4}  {one.line.text.partition(': ')[2]}" + (f" {one.detail}" if one.detail else "")
        for one in found.scores
        if one.count
    ]
    totals = ", ".join(f"{front.capitalize()} {points}" for front, points in found.totals.items())
    lines.append(f"{totals}: {found.level}" + (f" of the {found.winner.capitalize()} Front player" if found.winner else ""))
    lines += [found.sudden_death] if found.sudden_death else []
    told = [
        {"front": one.front, "text": one.line.text, "count": one.count, "points": str(one.points), "detail": one.detail}
        for one in found.scores
    ]
    points = {front: str(total) for front, total in found.totals.items()}
    return {
        "game": game.id, "lines": told, "totals": points, "level": found.level, "winner": found.winner,
        "sudden_death": found.sudden_death,
    }, lines  # fmt: skip

"""What a turn brings, as text and JSON: air, strikes, reserve points, lines, events, points."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.air import AirPhase, Strike, air_phase, barrage, strike
from assistant.games.six_day_war.events import disintegrates, disintegration, event_chances, front_scores, within
from assistant.games.six_day_war.field import SIDES, Field
from assistant.games.six_day_war.ground import FRONTS
from assistant.games.six_day_war.lines import HAVENS, arrivals, replacement_lines
from assistant.games.six_day_war.questions import CHOSEN, asked_field, asked_fronts, asked_hex
from assistant.games.six_day_war.reserves import budget, prices
from assistant.games.six_day_war.score import HOMES, PLAYERS, outcome, standing, start_levels
from assistant.shared.asking import Options, Said, chances_json, percent
from assistant.shared.chains import mean
from assistant.shared.folding import spread_text
from assistant.shared.options import choice, counted, given, one_of, paired, whole, yes
from assistant.shared.scoring import score_json, score_text
from assistant.text import odds_json, odds_text
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.resolve import Location
from scenarios.scenario import Turns


def air_answer(game: Game, options: Options) -> Said:
    """Air superiority on a front and the fire that answers it (16.4 to 16.13)."""
    field = asked_field(game, options, units=False)
    front = choice(options, "front", FRONTS, "sinai")
    numbers = {key: whole(options, key, 0, most=99) for key in ("superiority", "special_forces", "ground", "barrages")}
    level = whole(options, "level", start_levels(field)[front], most=int(field.limit("air_defense_most")))
    shock = yes(options, "shock_turn") if given(options, "shock_turn") else any(field.effects("free_enhanced", "israeli"))
    first = choice(options, "first", ("levels", "barrages"), "levels")

    def flown(**more: int) -> AirPhase:
        return air_phase(game, level=level, shock_turn=shock, levels_first=first == "levels", **{**numbers, **more})

    found = flown()
    titles = {"level": "air defense left", "barrages": "barrages left", "refit": "airstrikes to Refit", "dead": "airstrikes dead"}
    spreads = {key: found.spread(key) for key in titles}
    told = {key: chances_json(spread) for key, spread in spreads.items()}
    start = f"{front.capitalize()}, air defense {level}" + (", Israeli shock (25.5)" if shock else "")
    lines = [start, *(f"{titles[key]}: {spread_text(spread)}" for key, spread in spreads.items())]
    answer: dict[str, Any] = {"game": game.id, "front": front, "shock_turn": shock, **told}
    if yes(options, "what_if"):
        answer["what_if"] = []
        most = game.markers["airstrike"].count or 1
        for count in range(1, min(most, numbers["superiority"] + 1) + 1):
            other = flown(superiority=count)
            means = {key: mean(other.spread(key), int) for key in ("level", "barrages", "dead")}
            answer["what_if"].append({"superiority": count, **{key: str(value) for key, value in means.items()}})
            lines.append(
                f"  {count} on air superiority: on average {float(means['level']):.2f} levels and {float(means['barrages']):.2f} "
                f"barrages left, {float(means['dead']):.2f} airstrikes dead"
            )
    return answer, lines


def strike_answer(game: Game, options: Options) -> Said:
    """Airstrikes on the Arabs of a `hex`, each unit's chances (16.14 to 16.19)."""
    field = asked_field(game, options)
    found = strike(
        field, _hex(field, options), whole(options, "airstrikes", 1, most=99), disintegrated=asked_fronts(options, "disintegrated")
    )
    return _struck(field, found)


def barrage_answer(game: Game, options: Options) -> Said:
    """An Arab barrage on the Israelis of a `hex`, or on the `place` itself (18)."""
    field, place = asked_field(game, options), yes(options, "place")
    json, lines = _struck(field, found := barrage(field, _hex(field, options), place=place))
    results = game.tables["strike"].results
    terror = sum((p for code, p in found.answer.chances.items() if "place" in results[code].effects), Fraction(0))
    if place:
        lines.append(f"terrorized with {percent(terror)}")
    return {**json, "terrorized": str(terror if place else 0)}, lines


def _hex(field: Field, options: Options) -> Hex:
    if not given(options, "hex"):
        raise BadQuestion("say which hex: hex")
    return asked_hex(field, str(options["hex"]))


def _struck(field: Field, found: Strike) -> Said:
    name = field.table.name
    lines = list(odds_text(field.game, found.answer))
    units = []
    for one in found.units:
        back = one.retreat
        t1 = back.why or "back to " + " or ".join(name(hex) for hex in back.to)
        lines.append(f"{one.stand.name}: eliminated {float(one.eliminated):.1%} in all; T1: {t1 if back.to or back.dies < 1 else back.why}")
        units.append({"unit": one.stand.key, "eliminated": str(one.eliminated), "t1": back.why, "to": [name(h) for h in back.to]})
    return {**odds_json(field.game, found.answer), "units_struck": units}, lines


def reserve_answer(game: Game, options: Options) -> Said:
    """The price of a `plan` of purchases, with `spent` points already gone, and what each point buys (6.2)."""
    plan = counted(options, "plan", prices(game), example="ACTION:NUMBER")
    front = choice(options, "front", FRONTS)
    found = budget(game, plan, spent=whole(options, "spent", 0), events=whole(options, "events", 0, least=-99))
    lines = []
    for one in found.purchases:
        bought = f"; {one.count} for {one.total}" if one.count else ""
        worth = f", saves {one.saves} victory points" if one.saves else ""
        lines.append(f"{one.action:34} {one.cost} each, {one.phase} phase{worth}{bought}; {one.affordable} more possible")
    lines.append(f"cost {found.cost}, left {found.left} of {found.hand} in hand; each point spent is a victory point less (23.2)")
    if found.left < 0:
        lines.append(f"not allowed: {-found.left} points too many (6.1)")
    told = {
        one.action: {"cost": str(one.cost), "count": one.count, "affordable": one.affordable, "net_points": str(one.net)}
        for one in found.purchases
    }
    answer = {"game": game.id, "actions": told, "cost": str(found.cost), "left": str(found.left)}
    if front:
        field = asked_field(game, options)
        new, again = ([field.table.name(h) for h in arrivals(field, front, kinds)] for kinds in (HOMES, HAVENS))
        lines.append(f"bought units may be put in {' '.join(new) or 'no hex'} (7.2, 18.8)")
        lines.append(f"units from Refit may be put in {' '.join(again) or 'no hex'} (8.3, 18.8)")
        answer |= {"purchases_at": new, "replacements_at": again}
    return answer, lines


def supply_answer(game: Game, options: Options) -> Said:
    """Which Israelis would go to Refit and which to the deadpile, the way to a city or town, and what would cut most (8.2)."""
    field = asked_field(game, options)
    name = field.table.name
    lines, threats = replacement_lines(field)
    told, texts = [], []
    for one in lines:
        where = f"{one.stand.name:16} {name(one.stand.hex)}{'*' if one.stand.assumed else ' '}"
        way = " ".join(map(name, one.path))
        shut = f", cut at {' '.join(map(name, one.blocked))}" if one.blocked else ""
        texts.append(f"{where} in   Refit, by {way}" if one.refit else f"{where} OUT  deadpile{shut} (8.2)")
        told.append(
            {"unit": one.stand.key, "hex": name(one.stand.hex), "refit": one.refit, "path": [name(h) for h in one.path],
             "blocked": [name(h) for h in one.blocked], "assumed": one.stand.assumed}
        )  # fmt: skip
    texts = texts or ["no mobile Israeli unit is on the map"]
    texts += [CHOSEN] if any(one.stand.assumed for one in lines) else []
    texts += [f"an Arab in {name(t.hex)} would cut {len(t.names)}: {', '.join(t.names)}" for t in threats]
    texts += [] if threats else ["no single Arab would cut anybody"]
    worst = [{"hex": name(t.hex), "cuts": list(t.names)} for t in threats]
    return {"game": game.id, "units": told, "worst": worst}, texts


def event_answer(game: Game, options: Options) -> Said:
    """The chance of each event, and of disintegration with the objectives held now or as told (9, 21)."""
    field = asked_field(game, options)
    scenario = game.scenarios.get(field.position.scenario)
    turns = scenario.turns if scenario and scenario.turns else Turns()
    left = max(0, (turns.last or field.position.turn) - field.position.turn + (not any(field.effects("no_event_roll"))))
    chances, now, later = event_chances(game), within(game), within(game, left)
    lines = [
        f"{event:28} {float(p):6.1%} a roll, {float(now[event]):6.1%} a turn, {float(later[event]):6.1%} in {left} turns"
        for event, p in chances.items()
    ]
    scores = front_scores(field, _control(field, options))
    broken = {front: disintegrates(game, score) for front, score in scores.items()}
    lines += [f"a check now: {front.capitalize()} at {scores[front]} breaks with {float(p):.1%} (21.2)" for front, p in broken.items()]
    told = counted(options, "scores", [str(n) for n in range(1, 13)], least=-99, example="TURN:SCORE")
    forecast = disintegration(game, {int(turn): score for turn, score in told.items()})
    lines += [f"turn {one.turn}: disintegration now {float(one.now):.1%}, by now {float(one.by_now):.1%}" for one in forecast]
    answer: dict[str, Any] = {
        "events": {event: {"roll": str(p), "turn": str(now[event]), "rest": str(later[event])} for event, p in chances.items()},
        "check_now": {front: {"score": scores[front], "chance": str(p)} for front, p in broken.items()},
        "disintegration": [{"turn": one.turn, "now": str(one.now), "by_now": str(one.by_now)} for one in forecast],
    }
    return {"game": game.id, **answer}, lines


def _control(field: Field, options: Options) -> dict[Hex, str]:
    told = paired(options, "control", example="HEX:SIDE")
    return {asked_hex(field, hex): one_of(side, SIDES, "control") for hex, side in told.items()}


def score_answer(game: Game, options: Options) -> Said:
    """Both players' points and the level of victory (23)."""
    field = asked_field(game, options)
    found = standing(
        field, control=_control(field, options), spent=counted(options, "spent", FRONTS, example="FRONT:NUMBER"),
        air_defense=counted(options, "air_defense", FRONTS, example="FRONT:LEVEL"),
    )  # fmt: skip

    def name(spot: Location) -> str:
        return field.table.name(spot) if isinstance(spot, Hex) else spot

    winner = outcome(field, {front: found.total(front) for front in FRONTS})[1]
    lines = list(score_text(game, found, name, PLAYERS))
    return {**score_json(game, found, name, PLAYERS), "winner": winner}, lines

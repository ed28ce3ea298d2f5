"""What a turn brings, as text and JSON: reserve points, arrivals, lines, events, points."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assistant.games.six_day_war.arrivals import RETURN, arab_arrival, arab_events, arrivals, lost_mobile
from assistant.games.six_day_war.events import disintegrates, disintegration, event_chances, front_scores, within
from assistant.games.six_day_war.field import Field
from assistant.games.six_day_war.ground import FRONTS, SIDES
from assistant.games.six_day_war.lines import HAVENS, replacement_lines
from assistant.games.six_day_war.questions import CHOSEN, asked_field, asked_hex
from assistant.games.six_day_war.reserves import SAVES, budget, in_reserve
from assistant.games.six_day_war.score import HOMES, LOST, PLAYERS, counted_lines, holder, outcome, standing, verdict
from assistant.shared.asking import Options, Said, chances_json, percent
from assistant.shared.options import choice, counted, one_of, paired, whole
from assistant.shared.scoring import score_json, score_text
from assistant.shared.sourced import ours, ours_text
from assistant.shared.tracks import on_track
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.resolve import Location
from scenarios.scenario import Turns

ENHANCED = "enhanced_attack"


def reserve_answer(game: Game, options: Options) -> Said:
    """The price of a `plan` of purchases, with `spent` points already gone, and what each point buys (6.2)."""
    plan = counted(options, "plan", game.tables["zrp_costs"].cells, example="ACTION:NUMBER")
    front = choice(options, "front", FRONTS)
    field = asked_field(game, options, units=False)
    spent = whole(options, "spent", (on_track(field.position, f"{front}_zrp") if front else None) or 0)
    there = in_reserve(game, field.position)
    shock = any(field.effects("free_enhanced", "israeli"))
    if shock:
        there[ENHANCED] = 0  # every attack is enhanced already (25.5)
    found = budget(game, plan, spent=spent, events=whole(options, "events", 0, least=-99), there=there)
    lines = []
    for one in found.purchases:
        bought = f"; {one.count} for {one.total}" if one.count else ""
        worth = f", saves {one.saves} victory points" if one.saves else ""
        lines.append(f"{one.action:34} {one.cost} each, {one.phase} phase{worth}{bought}; {one.affordable} more possible")
    lines.append(f"cost {found.cost}, left {found.left} of {found.hand} in hand; each point spent is a victory point less (23.2)")
    wrong = [f"{-found.left} points too many (6.1)"] if found.left < 0 else []
    wrong += [
        f"{one.action} {one.count} times, the Reserve box has {there[one.action]} (6.2)"
        for one in found.purchases
        if one.count > there.get(one.action, one.count) and one.action != ENHANCED
    ]
    wrong += [f"{ENHANCED}: none can be bought on turn {field.position.turn} (25.5)"] if shock and plan.get(ENHANCED) else []
    lines += [f"not allowed: {why}" for why in wrong]
    if shock:
        lines.append(f"on turn {field.position.turn} every attack is enhanced for nothing, and none can be bought (25.5)")
    told = {
        one.action: {"cost": str(one.cost), "count": one.count, "affordable": one.affordable, "net_points": str(one.net)}
        for one in found.purchases
    }
    answer = {"game": game.id, "actions": told, "cost": str(found.cost), "left": str(found.left), "not_allowed": wrong}
    if front:
        control = _control(field, options)
        new, again = ([field.table.name(h) for h in arrivals(field, front, kinds, control)] for kinds in (HOMES, HAVENS))
        lines.append(f"bought units may be put in {' '.join(new) or 'no hex'} (7.2, 18.8)")
        lines.append(f"units from Refit may be put in {' '.join(again) or 'no hex'} (8.3, 18.8)")
        answer |= {"purchases_at": new, "replacements_at": again}
        if not any(holder(field, h, control) == "israeli" for h in field.israel if field.front(h) == front and _haven(field, h)):
            lines.append("no airstrikes or special forces: the front controls no city or town of Israel (7.3)")
    costs = [("zrp_costs", one.action, "cost") for one in found.purchases]
    saves = [("victory_points", SAVES[one.action], "points") for one in found.purchases if one.action in SAVES]
    rebuilt = ours(game, cells=(*costs, *saves))
    return {**answer, "not_the_rulebooks": rebuilt}, [*lines, *ours_text(rebuilt)]


def _haven(field: Field, hex: Hex) -> bool:
    return field.table.terrain[hex] in HAVENS


def arrival_answer(game: Game, options: Options) -> Said:
    """Whom an `event` brings to the Arabs of a `front`, and where they may be put (7.4)."""
    field = asked_field(game, options)
    known = arab_events(field)
    name, control = field.table.name, _control(field, options)
    told, lines, compared = [], [], list[Unit]()
    wanted, side = choice(options, "event", known), choice(options, "front", FRONTS)
    for event in [wanted] if wanted else known:
        for front in [side] if side else FRONTS:
            found = arab_arrival(field, front, event, control)
            compared += lost_mobile(field, front) if event == RETURN else ()
            units = [unit.name for unit in found.units]
            who = " and ".join(units) if found.chance == 1 and event != RETURN else " or ".join(units)
            each = f", {percent(found.chance)} each" if found.chance < 1 else ""
            lines.append(f"{known[event]} ({event}), {front.capitalize()}: {who or 'nobody waits'}{each}")
            if units:
                where = " ".join(sorted(map(name, found.hexes)))
                lines.append(f"  in {where} (7.4)" if where else "  no hex is free: they come next turn (7.4)")
            told.append({
                "event": event, "title": known[event], "front": front, "units": [unit.id for unit in found.units],
                "chance": str(found.chance), "hexes": [name(h) for h in found.hexes], "in_enemy_zone": [name(h) for h in sorted(found.hot)],
            })  # fmt: skip
    lines.append("they may stand in enemy zones, too many to a hex until the phase ends, and act as usual this turn (7.4)")
    weighed = [(unit, "combat") for unit in compared]
    rebuilt = ours(game, weighed)
    return {"game": game.id, "arrivals": told, "not_the_rulebooks": rebuilt}, [*lines, *ours_text(rebuilt)]


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
    chances, now, later, meanings = event_chances(game), within(game), within(game, left), game.tables["events"].results
    lines = [
        f"{event:28} {float(p):6.1%} a roll, {float(now[event]):6.1%} a turn, {float(later[event]):6.1%} in {left} turns"
        for event, p in chances.items()
    ]
    if any(field.effects("no_event_roll")):
        lines.append(f"nobody rolls on turn {field.position.turn} (9.3)")
    scores = front_scores(field, _control(field, options))
    broken = {front: disintegrates(game, 0 if front in field.broken else score) for front, score in scores.items()}
    for front, p in broken.items():
        chance = "has disintegrated (21.5)" if front in field.broken else f"at {scores[front]} breaks with {float(p):.1%} (21.2)"
        lines.append(f"a check now: {front.capitalize()} {chance}")
    first = field.position.turn
    coming = range(first, max(first, turns.last or first) + 1)
    stays = {
        front: disintegration(game, dict.fromkeys(coming, score))[-1].by_now
        for front, score in scores.items()
        if front not in field.broken
    }
    lines += [f"if it stays so: {front.capitalize()} broken by the end with {float(p):.1%}" for front, p in stays.items()]
    told = counted(options, "scores", [str(n) for n in range(1, 13)], least=-99, example="TURN:SCORE")
    forecast = disintegration(game, {int(turn): score for turn, score in told.items()})
    lines += [f"turn {one.turn}: disintegration now {float(one.now):.1%}, by now {float(one.by_now):.1%}" for one in forecast]
    answer: dict[str, Any] = {
        "events": {
            event: {"roll": str(p), "turn": str(now[event]), "rest": str(later[event]), "meaning": meanings[event].meaning}
            for event, p in chances.items()
        },
        "check_now": {front: {"score": scores[front], "chance": str(p)} for front, p in broken.items()},
        "if_it_stays": chances_json(stays),
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

    totals = {front: found.total(front) for front in FRONTS}
    winner = "" if found.level == LOST else outcome(field, totals)[1]
    *lines, _ = score_text(game, replace(found, won=()), name, PLAYERS)
    lines += [verdict(field, found), *(f"the game ends at once: {why} (23.1)" for _, why in found.won)]
    apart = str(abs(totals[FRONTS[0]] - totals[FRONTS[1]]))
    rebuilt = ours(game, more=counted_lines(field, found))
    answer = {**score_json(game, found, name, PLAYERS), "winner": winner, "difference": apart, "not_the_rulebooks": rebuilt}
    return answer, [*lines, *ours_text(rebuilt)]

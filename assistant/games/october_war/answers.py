"""Mobilization, refits and points as they are asked."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.attacks import BadQuestion
from assistant.games.october_war.mobilization import Plan, cost, in_boxes, plan, refit, refit_wait, returned
from assistant.games.october_war.spelling import listed_units, unit_id
from assistant.shared.asking import Options, Said, asked_position, chances_json, percent
from assistant.shared.options import choice, given, paired, whole, word
from assistant.shared.sourced import ours, ours_text
from scenarios.game import Game

NATIONS = ("israel", "egypt", "syria")
MOBILIZATION = {
    "nation": f"whose points are spent: {', '.join(NATIONS)}",
    "wishes": "what to buy, in this order: hq_143,4*armor_battalion",
    "turn": "the first turn to spend in",
    "kept": "points kept from before",
    "how": "mobilize or refit",
    "armor_battalion": "Israeli armored battalions mobilized so far",
    "mech_battalion": "Israeli mechanized battalions mobilized so far",
    "more": "points that events give or take, by turn: 3:+4,4:-3",
    "position": "a position file: only what lies in its boxes can be bought",
    "scenario": "the start of a scenario, instead of a position",
}
REFIT = {
    "side": "whose units: arab or israeli",
    "unit": "a unit, for what its refit costs",
    "units": "how many are refitted now",
    "turns": "within how many turns they should be back",
}


def mobilization_answer(game: Game, options: Options) -> Said:
    """What is bought when, in the order of the wishes."""
    wishes = listed_units(game, word(options, "wishes"))
    if not wishes:
        raise BadQuestion("say what to buy: wishes=UNIT,2*UNIT")
    raised = {key: whole(options, key) for key in ("armor_battalion", "mech_battalion")}
    how = choice(options, "how", ("mobilize", "refit"), "mobilize")
    shown = given(options, "position") or given(options, "scenario")
    boxes = in_boxes(asked_position(game, options), how) if shown else None
    found = plan(
        game,
        choice(options, "nation", NATIONS, "israel"),
        wishes,
        turn=whole(options, "turn", 2, 1),
        kept=whole(options, "kept"),
        mobilized=raised,
        how=how,
        more=_more(options),
        boxes=boxes,
    )
    notes = [] if shown or how == "refit" else list(_in_play(game, found))
    json = {
        "game": game.id,
        "question": "mobilization",
        "bought": [{"unit": one.unit, "turn": one.turn, "cost": str(one.cost)} for one in found.bought],
        "never": [{"unit": unit, "why": why} for unit, why in found.never],
        "points_left": {str(turn): left for turn, left in found.points.items()},
        "notes": notes,
        "not_the_rulebooks": ours(game, tables=["mobilization_points"]),
    }
    return json, [*_plan_text(game, found), *notes, *ours_text(ours(game, tables=["mobilization_points"]))]


def _more(options: Options) -> dict[int, int]:
    """Points by turn, as in 3:+4,4:-3."""
    found = {}
    for turn, points in paired(options, "more", example="4:-3").items():
        try:
            found[int(turn)] = int(points)
        except ValueError:
            raise BadQuestion(f"more: {turn}:{points} should be a turn and points, as in 4:-3") from None
    return found


def _in_play(game: Game, found: Plan) -> Iterator[str]:
    """What is bought though the set-up puts it on the map: it must have been lost before (10.0, 11.0)."""
    boxes = in_boxes(asked_position(game, {}))
    for unit in dict.fromkeys(one.unit for one in found.bought):
        if sum(one.unit == unit for one in found.bought) > boxes.get(unit, 0):
            left = boxes.get(unit, 0) or "none"
            yield f"{_name(game, unit)}: in the box at the start: {left}; others once they are lost or used (10.0, 11.0)"


def _plan_text(game: Game, found: Plan) -> Iterator[str]:
    for turn, left in found.points.items():
        bought = [one for one in found.bought if one.turn == turn]
        names = ", ".join(f"{_name(game, one.unit)} ({one.cost or 'free'})" for one in bought)
        if bought:
            yield f"turn {turn}: {names}; {left} left"
    for unit, why in dict.fromkeys(found.never):
        yield f"not {_name(game, unit)}: {why}"


def _name(game: Game, unit: str) -> str:
    return game.units[unit].name if unit in game.units else unit


def refit_answer(game: Game, options: Options) -> Said:
    """How many units refitted now are back within so many turns, and what one costs."""
    unit = unit_id(game, word(options, "unit"))
    price = cost(game, unit, "refit") if unit else None
    default = game.units[unit].side if unit in game.units else "israeli"
    side = choice(options, "side", game.sides, default)
    units, turns = whole(options, "units", 1, 1, 60), whole(options, "turns", 1)
    when, back = refit(game, side), returned(game, side, units, turns)
    json = {
        "game": game.id,
        "question": "refit",
        "cost": None if price is None else str(price),
        "turns": chances_json({"never" if key is None else key: chance for key, chance in when.items()}),
        "mean_turns": str(refit_wait(game, side)),
        "back": chances_json(back),
    }
    lines = [] if price is None else [f"{_name(game, unit)}: {price} mobilization points"]
    lines += [f"back after {turns}: {percent(chance)}" for turns, chance in when.items() if turns is not None]
    lines += [
        f"gone for good: {percent(when[None])} (11.4)",
        f"turns until one that comes back: {refit_wait(game, side)} on average",
    ]
    return json, [*lines, *(f"{n} of {units} back within {turns}: {percent(c)}" for n, c in sorted(back.items()))]

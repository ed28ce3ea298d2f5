"""Air missions, mobilization and refits asked by the command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.october_war.air import Mission, Superiority, Wing, mission, superiority
from assistant.games.october_war.mobilization import Plan, plan, refit, refit_wait, returned
from assistant.shared.asking import Options, Said, amount, chances_json, flag, percent, told, units_of
from assistant.words import read_words
from scenarios.game import Game

WINGS = ("tac", "weasels", "ssm")
KINDS = {"strategic": "strategic_attack", "ground": "air_ground_attack"}


def air_answer(game: Game, options: Options) -> Said:
    """`superiority israel=12 egypt=5 weasels=2 ew`, `strategic nation=israel tac=4` or `ground nation=israel tac=3
    sites=2 terrain=town umbrella_over`."""
    words = list(options.get("words") or ())
    if words[:1] == ["superiority"]:
        return _superiority(game, words[1:])
    if not words or words[0] not in KINDS:
        raise BadQuestion(f"say which mission: superiority, {', '.join(KINDS)}")
    kind = KINDS[words[0]]
    inputs = [key for key in game.attacks[kind].inputs if key != "ew"]
    given = told(words[1:], ("nation", "sites", "ew", *WINGS, *inputs))
    _, shapes = read_words(game, kind, [f"{key}={given[key]}" for key in inputs if key in given])
    wing = Wing(*(int(amount(key, given.get(key, "0"))) for key in WINGS))
    sites = int(amount("sites", given.get("sites", "0")))
    ew = flag("ew", given.get("ew", "no"))
    found = mission(game, kind, given.get("nation", "israel"), wing, sites, ew, shapes)
    return _mission_json(game, found), list(_mission_text(words[0], found))


def _superiority(game: Game, words: list[str]) -> Said:
    given = told(words, ("israel", "egypt", "syria", "weasels", "ew"))
    arab = next((nation for nation in ("egypt", "syria") if nation in given), "egypt")
    count = {nation: int(amount(nation, given.get(nation, "0"))) for nation in ("israel", arab)}
    weasels = int(amount("weasels", given.get("weasels", "0")))
    wings = (Wing(count["israel"], weasels), Wing(count[arab]))
    found = superiority(game, ("israel", arab), wings, flag("ew", given.get("ew", "no")))
    nations = ("israel", arab)
    first = None if found.first is None else nations[found.first]
    holder = {nations[side] if side is not None else "nobody": chance for side, chance in found.holder().items()}
    json: dict[str, Any] = {
        "game": game.id,
        "question": "air superiority",
        "first": first,
        "holder": chances_json(holder),
    }
    json["lost"] = {
        nation: [
            {"refit": lost.refit, "eliminated": lost.eliminated, "chance": str(chance)}
            for lost, chance in found.lost(side).items()
        ]
        for side, nation in enumerate(nations)
    }
    json["freed"] = dict(zip(nations, found.freed, strict=True))
    return json, list(_superiority_text(game, nations, first, found, json["holder"]))


def _superiority_text(
    game: Game, nations: tuple[str, str], first: str | None, found: Superiority, holder: dict[str, str]
) -> Iterator[str]:
    yield "both fire together" if first is None else f"{game.nations[first].name} fires first (19.3)"
    for side, nation in enumerate(nations):
        lost = found.lost(side)
        gone = sum(losses.eliminated * chance for losses, chance in lost.items())
        back = sum(losses.refit * chance for losses, chance in lost.items())
        yield f"{game.nations[nation].name} loses {float(gone):.2f} strikes and {float(back):.2f} to refit, on average"
        if found.freed[side]:
            yield f"  nobody is against it: {found.freed[side]} TAC may fly ground attacks instead (19.3)"
    for name, chance in holder.items():
        yield f"more strikes left: {name} {chance}"


def _mission_json(game: Game, found: Mission) -> dict[str, Any]:
    return {
        "game": game.id,
        "question": "air mission",
        "codes": chances_json(found.codes),
        "points": chances_json(found.points),
        "through": [
            {**wing._asdict(), **losses._asdict(), "chance": str(chance)}
            for (wing, losses), chance in sorted(found.through.items())
        ],
    }


def _mission_text(kind: str, found: Mission) -> Iterator[str]:
    for (wing, lost), chance in sorted(found.through.items(), reverse=True):
        yield (
            f"{wing.tac} TAC, {wing.weasels} Wild Weasels, {wing.ssm} SSM get through, {lost.eliminated} lost, "
            f"{lost.refit} to refit: {percent(chance)}"
        )
    what = "the enemy's casualties rise by" if kind == "strategic" else "losses of the force:"
    for points, chance in found.points.items():
        yield f"{what} {points}: {percent(chance)}"
    if kind == "ground" and "A" in found.codes:
        yield f"all retreat or one loss (A): {percent(found.codes['A'])}"


def mobilization_answer(game: Game, options: Options) -> Said:
    """`nation=israel turn=2 kept=0 wishes=hq_143,4*armor_battalion`: what is bought when; `how=refit` pays for refits."""
    known = ("nation", "turn", "kept", "wishes", "how", "armor_battalion", "mech_battalion")
    given = told(tuple(options.get("words") or ()), known)
    if given.get("how", "mobilize") not in ("mobilize", "refit"):
        raise BadQuestion("how is mobilize or refit")
    raised: dict[str, int] = {key: int(amount(key, given[key])) for key in known[-2:] if key in given}
    found = plan(
        game,
        given.get("nation", "israel"),
        units_of(given.get("wishes", "")),
        turn=int(amount("turn", given.get("turn", "2"))),
        kept=int(amount("kept", given.get("kept", "0"))),
        mobilized=raised,
        how=given.get("how", "mobilize"),
    )
    json = {
        "game": game.id,
        "question": "mobilization",
        "bought": [{"unit": one.unit, "turn": one.turn, "cost": str(one.cost)} for one in found.bought],
        "never": [{"unit": unit, "why": why} for unit, why in found.never],
        "points_left": {str(turn): left for turn, left in found.points.items()},
    }
    return json, list(_plan_text(game, found))


def _plan_text(game: Game, found: Plan) -> Iterator[str]:
    for turn, left in found.points.items():
        bought = [one for one in found.bought if one.turn == turn]
        names = ", ".join(f"{_name(game, one.unit)} ({one.cost or 'free'})" for one in bought)
        if bought:
            yield f"turn {turn}: {names}; {left} left"
    for unit, why in found.never:
        yield f"not {_name(game, unit)}: {why}"


def _name(game: Game, unit: str) -> str:
    return game.units[unit].name if unit in game.units else unit


def refit_answer(game: Game, options: Options) -> Said:
    """`side=arab units=3 turns=2`: how many units refitted now are back within so many turns."""
    given = told(tuple(options.get("words") or ()), ("side", "units", "turns"))
    side = given.get("side", "israeli")
    if side not in game.sides:
        raise BadQuestion(f"{side!r} is no side; there are {', '.join(game.sides)}")
    units, turns = (int(amount(key, given.get(key, "1"))) for key in ("units", "turns"))
    when, back = refit(game, side), returned(game, side, units, turns)
    json = {
        "game": game.id,
        "question": "refit",
        "turns": chances_json({"never" if key is None else key: chance for key, chance in when.items()}),
        "mean_turns": str(refit_wait(game, side)),
        "back": chances_json(back),
    }
    lines = [
        f"gone for good: {percent(when[None])}",
        f"turns until one that comes back: {refit_wait(game, side)} on average",
    ]
    return json, [
        *lines,
        *(f"{count} of {units} back within {turns}: {percent(c)}" for count, c in sorted(back.items())),
    ]

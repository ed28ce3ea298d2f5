"""Airpower as text and JSON: air superiority, strikes, barrages."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.air import (
    AirPhase,
    Strike,
    air_phase,
    barrage,
    strike,
    superiority_fire,
    takes_off,
)
from assistant.games.six_day_war.field import Field
from assistant.games.six_day_war.ground import FRONTS
from assistant.games.six_day_war.marks import in_box
from assistant.games.six_day_war.questions import asked_field, asked_fronts, asked_hex
from assistant.games.six_day_war.score import air_levels
from assistant.shared.asking import Options, Said, chances_json, percent
from assistant.shared.chains import mean
from assistant.shared.folding import spread_text
from assistant.shared.options import choice, given, whole, yes
from assistant.shared.sourced import ours, ours_text
from assistant.text import odds_json, odds_text
from scenarios.game import Game
from scenarios.hexes import Hex


def air_answer(game: Game, options: Options) -> Said:
    """Air superiority on a front and the fire that answers it (16.4 to 16.13)."""
    field = asked_field(game, options, units=False)
    front = choice(options, "front", FRONTS, "sinai")
    numbers = {key: whole(options, key, 0, most=99) for key in ("superiority", "special_forces", "ground")}
    numbers["barrages"] = whole(options, "barrages", len(in_box(field.position, f"{front}_barrage")), most=99)
    level = whole(options, "level", air_levels(field)[front], most=int(field.limit("air_defense_most")))
    shock = yes(options, "shock_turn") if given(options, "shock_turn") else any(field.effects("free_enhanced", "israeli"))
    first = choice(options, "first", ("levels", "barrages"), "levels")

    def flown(**more: int) -> AirPhase:
        return air_phase(game, level=level, shock_turn=shock, levels_first=first == "levels", **{**numbers, **more})

    found = flown()
    titles = {"level": "air defense left", "barrages": "barrages left", "refit": "airstrikes to Refit", "dead": "airstrikes dead"}
    spreads = {key: found.spread(key) for key in titles}
    told = {key: chances_json(spread) for key, spread in spreads.items()}
    start = f"{front.capitalize()}, air defense {level}, barrages {numbers['barrages']}"
    lines = [start + (", Israeli shock (25.5)" if shock else "")]
    answer: dict[str, Any] = {"game": game.id, "front": front, "shock_turn": shock, **told}
    if numbers["superiority"]:
        fire = superiority_fire(game, numbers["superiority"], numbers["special_forces"], shock)
        answer |= {"column": fire.column, "fire": chances_json(fire.chances)}
        takes = {code: takes_off(game, code, numbers["superiority"] + numbers["special_forces"]) for code in fire.chances}
        codes = ", ".join(f"{code} {percent(p)} takes {takes[code]}" for code, p in fire.chances.items())
        lines.append(f"air superiority on column {fire.column}: {codes} (16.12)")
    lines += [f"{titles[key]}: {spread_text(spread)}" for key, spread in spreads.items()]
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
    barrages = f"barrage_{front}"
    started = not given(options, "barrages") and numbers["barrages"] > 0
    counts = {f"markers/{barrages}/count": game.markers[barrages].sources.get("count")} if started else {}
    answer["not_the_rulebooks"] = ours(game, tables=["air_superiority"], more=counts)
    return answer, [*lines, *ours_text(answer["not_the_rulebooks"])]


def strike_answer(game: Game, options: Options) -> Said:
    """Airstrikes on the Arabs of a `hex`, each unit's chances (16.14 to 16.19)."""
    field = asked_field(game, options)
    found = strike(
        field, _hex(field, options), whole(options, "airstrikes", 1, most=99), disintegrated=asked_fronts(options, "disintegrated")
    )
    json, lines = _struck(field, found)
    return json, [*lines, *ours_text(json["not_the_rulebooks"])]


def barrage_answer(game: Game, options: Options) -> Said:
    """An Arab barrage on the Israelis of a `hex`, or on the `place` itself (18)."""
    field, place = asked_field(game, options), yes(options, "place")
    json, lines = _struck(field, found := barrage(field, _hex(field, options), place=place))
    results = game.tables["strike"].results
    terror = sum((p for code, p in found.answer.chances.items() if "place" in results[code].effects), Fraction(0))
    if place:
        lines.append(f"terrorized with {percent(terror)}")
    return {**json, "terrorized": str(terror if place else 0)}, [*lines, *ours_text(json["not_the_rulebooks"])]


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
        lines.append(f"{one.stand.name}: eliminated {float(one.eliminated):.1%} in all; T1: {t1}")
        units.append({"unit": one.stand.key, "eliminated": str(one.eliminated), "t1": back.why, "to": [name(h) for h in back.to]})
    rebuilt = ours(field.game, tables=["strike"])
    return {**odds_json(field.game, found.answer), "units_struck": units, "not_the_rulebooks": rebuilt}, lines

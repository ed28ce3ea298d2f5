"""One unit's fire as it is asked: by a counter, or by a bare strength read off one (15.3 to 15.7)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from assistant.attacks import Answer, BadQuestion, Fields, Value, odds, unit_fields
from assistant.games.october_war.battle_asked import asked_ground, asked_point, fought_in, units
from assistant.games.october_war.field import fighters, near_headquarters
from assistant.games.october_war.ground import ENEMY, Ground, bare
from assistant.shared.asking import Options, Said, chances_json, percent
from assistant.shared.options import choice, given, number, whole, word
from assistant.shared.shifts import shifted
from assistant.shared.sourced import ours, ours_text
from assistant.shared.strengths import modifier_sources, needed
from assistant.words import read_words
from scenarios.game import Game
from scenarios.tables import Table

GROUND = (
    "attacking", "terrain", "headquarters", "engineer", "across", "bridge", "helped", "armor", "breached", "morale",
)  # fmt: skip
NAMES = {
    "unit": "the counter that fires, as in mech_battalion+out_of_supply",
    "strength": "its strength, if yours has another printed on it; or a bare strength without a unit",
    "side": "of a bare strength: whose it is, arab or israeli",
    "class": "of a bare strength: mechanized (else it is) or non_mechanized",
    "targets": "the enemy force, for its armor: armor_brigade,mech_battalion",
    "attacking": "its side is the attacker (yes or no)",
    "terrain": "the kind of point",
    "point": "or the point itself",
    "position": "a position file: then the unit in the point tells supply, headquarters, engineers and targets",
    "scenario": "the start of a scenario, instead of a position",
    "headquarters": "value of one headquarters with it or next to it",
    "engineer": "a friendly engineer is in the point (yes or no)",
    "across": "water that all attackers came across: suez_canal, lake_crossing, red_sea_crossing",
    "bridge": "they came over a bridge (yes or no)",
    "helped": "an engineer helped them across (yes or no)",
    "armor": "the enemy has armor that isn't combined arms, if no targets are told (yes or no)",
    "breached": "a breach marker lies on the fort (yes or no)",
    "morale": "the Israeli Morale Check is in effect (yes or no)",
    "shift": "columns besides: 1 to the right, -1 to the left",
}


def fire_answer(game: Game, options: Options) -> Said:
    """The column of one unit's fire, shift by shift, and what each throw does."""
    here = asked_ground(game, options)
    point = asked_point(game, here, word(options, "point"))
    told = {key: word(options, key) for key in GROUND if given(options, key)}
    if point and "terrain" not in told:
        told["terrain"] = fought_in(here or bare(game), point)
    inputs = dict(read_words(game, "ground", [f"{key}={value}" for key, value in told.items()])[1])
    firing = _firing(game, options)
    if not firing["side"] and inputs.get("terrain") in game.tables["terrain_by_faction"].cells:
        raise BadQuestion(f"{inputs['terrain']} is not the same for both sides: side={' or side='.join(game.sides)}")
    targets = units(game, word(options, "targets"))
    if here is not None and point and firing["id"]:
        firing, targets = _placed(here, point, firing, targets, inputs)
    answer = odds(game, "ground", {"firing": [firing], "targets": targets}, inputs)
    if answer.failures:
        raise BadQuestion("; ".join(answer.failures))
    table = game.tables[game.attacks["ground"].table]
    more = whole(options, "shift", 0, -19, 19)
    answer = shifted(table, answer, more)
    rebuilt = {} if given(options, "strength") else _ours(game, firing, answer)
    return _json(game, answer, table, more, rebuilt), list(_text(answer, table, more, rebuilt))


def _firing(game: Game, options: Options) -> dict[str, Value]:
    """The unit that fires; a bare strength is a unit without any gift."""
    named, told = units(game, word(options, "unit")), given(options, "strength")
    if not named and not told:
        raise BadQuestion("say what fires: unit=UNIT, or strength=NUMBER as printed on yours")
    if len(named) > 1:
        raise BadQuestion("each unit fires alone (15.4): tell one unit")
    strength = number(options, "strength")
    own: dict[str, Value] = {"strength": strength, "bracket": strength} if told else {}
    if named:
        needed(game, game.units[str(named[0]["id"])], "strength")
        return {**named[0], **own}
    side = choice(options, "side", game.sides, "")
    some = next(unit for unit in game.units.values() if side in ("", unit.side) and unit.class_ != "strike")
    bare = {**unit_fields(game, some), **dict.fromkeys((*game.abilities, *game.states), False)}
    bare |= {"id": "", "name": "A unit", "side": side, "type": "", "leader": Fraction(0)}
    return {**bare, **own, "class": choice(options, "class", ("mechanized", "non_mechanized"), "mechanized")}


def _placed(
    here: Ground, point: str, firing: Fields, targets: list[Fields], inputs: dict[str, Value]
) -> tuple[dict[str, Value], list[Fields]]:
    """What a position tells of a unit in a point: its supply, its headquarters, engineers, the enemy (11.2, 15.6)."""
    side, attacking = str(firing["side"]), inputs.get("attacking", True) is True
    stack = fighters(here, point, side, attacking)
    mine = next((unit for unit in stack if unit["id"] == firing["id"]), None)
    cut = firing["out_of_supply"] or (mine is not None and mine["out_of_supply"] is True)
    near = near_headquarters(here, point, side)
    mates = [int(str(unit["leader"])) for unit in stack if unit["nation"] == firing["nation"]]
    best = max([0, near.get("", 0), near.get(str(firing["nation"]), 0), *mates])
    inputs.setdefault("headquarters", Fraction(best))
    inputs.setdefault("engineer", any(unit["engineering"] is True for unit in stack))
    return {**firing, "out_of_supply": cut}, targets or fighters(here, point, ENEMY[side], not attacking)


def _ours(game: Game, firing: Fields, answer: Answer) -> dict[str, str]:
    """The overlay entries of what is used here and is not the rulebook's."""
    unit = game.units[str(firing["id"])]
    used = "strength" if answer.units[0].printed == firing["strength"] else "bracket"
    led = ["leader"] * (bool(firing["leader"]) and any(one.amount == firing["leader"] for one in answer.applied))
    return ours(game, ((unit, key) for key in (used, *led)), more=modifier_sources(game, "ground", answer.applied))


def _json(game: Game, answer: Answer, table: Table, more: int, rebuilt: dict[str, str]) -> dict[str, Any]:
    assert answer.column is not None
    column = table.named_column(answer.column)
    why = [{"text": one.text, "rule": one.rule, "shift": int(one.amount)} for one in answer.applied]
    return {
        "game": game.id,
        "question": "fire",
        "unit": answer.units[0].name,
        "strength": str(answer.attack_strength),
        "start": answer.start,
        "why": why + ([{"text": "told", "rule": "", "shift": more}] if more else []),
        "shift": answer.shift,
        "column": answer.column,
        "throws": {face: table.cell(Fraction(face), column).code for face in table.cells},
        "chances": chances_json(answer.chances),
        "meanings": {code: table.results[code].meaning for code in answer.chances},
        "not_the_rulebooks": rebuilt,
    }


def _text(answer: Answer, table: Table, more: int, rebuilt: dict[str, str]) -> Iterator[str]:
    assert answer.column is not None
    yield f"{answer.units[0].name}: strength {answer.attack_strength}, starts on column {answer.start} (15.3)"
    for one in answer.applied:
        yield f"  {one.text}: {int(one.amount):+d} ({one.rule})"
    if more:
        yield f"  told: {more:+d}"
    yield f"fires on column {answer.column}"
    column = table.named_column(answer.column)
    for code, chance in answer.chances.items():
        faces = ", ".join(face for face in table.cells if table.cell(Fraction(face), column).code == code)
        yield f"  {faces:12} {code:2} {percent(chance):14} {table.results[code].meaning}"
    yield from ours_text(rebuilt)

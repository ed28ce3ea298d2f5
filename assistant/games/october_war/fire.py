"""One unit's fire, by a counter or by a bare strength read off one (15.3 to 15.7); and what falls on the defender before the ground
fire: an air attack, a barrage (6.2 (2f), 19.9, 24.0)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from assistant.assumptions import assume_inputs
from assistant.attack import AttackValue, Fields, Odds, odds, shift_answer, unit_fields
from assistant.attack_nodes import meanings
from assistant.engine.field import Field
from assistant.engine.question_field import on_a_map
from assistant.games.october_war.forces import GROUND, fighters, near_headquarters
from assistant.games.october_war.questions import ENEMY, POINT, asked_ground, declared, fighting
from assistant.questions.answer import Answer, BadQuestion, Cell, Chances, CounterRef, RowTable, TableColumn, Unofficial
from assistant.questions.answer import Value as Told_
from assistant.questions.question import ON_ANY_MAP, Input, Inputs, Question
from assistant.unofficial import modifier_sources, required_factor, unofficial_addresses
from scenarios.model.game import Game

OF_THE_SHOT = (
    "attacking", "terrain", "headquarters", "engineer", "across", "bridge", "helped", "armor", "breached", "morale",
)  # fmt: skip
WATER = ("none", "suez_canal", "lake_crossing", "red_sea_crossing")
CROSSED = (
    Input(name="across", about="water that all attackers came across", kind="choice", choices=WATER),
    Input(name="bridge", about="they came over a bridge", kind="flag"),
    Input(name="helped", about="an engineer helped them across", kind="flag"),
    Input(name="breached", about="a breach marker lies on the fort", kind="flag"),
    Input(name="morale", about="the Israeli Morale Check is in effect", kind="flag"),
)


def _fire(game: Game, told: Inputs) -> Answer:
    field, point = asked_ground(game, told)
    inputs, firing = declared(game, GROUND, told, OF_THE_SHOT, field, point), _firing(game, told)
    if not firing["side"] and inputs.get("terrain") in game.tables["terrain_by_faction"].cells:
        raise BadQuestion(f"{inputs['terrain']} is not the same for both sides: side={' or side='.join(game.sides)}")
    targets = fighting(game, told.get("targets", ()))
    if field is not None and point is not None and firing["id"]:
        firing, targets = _placed(field, point, firing, targets, inputs)
    assume_inputs(told, game.attacks[GROUND].inputs, inputs)
    found = odds(game, GROUND, {"firing": [firing], "targets": targets}, inputs)
    if found.failures:
        raise BadQuestion("; ".join(found.failures))
    table, more = game.tables[game.attacks[GROUND].table], int(told.get("shift", 0))
    found = shift_answer(table, found, more)
    assert found.column is not None
    column = table.named_column(found.column)
    why: list[dict[str, Cell]] = [
        {"text": shift.text, "shift": int(shift.amount), "rule": shift.rule} for shift in found.modifiers
    ]
    why += [{"text": "told", "shift": more, "rule": ""}] if more else []
    faces: list[dict[str, Cell]] = [
        {"throw": face, "result": table.cell(Fraction(face), column).code} for face in table.cells
    ]
    name = found.units[0].name
    return Answer(
        "fire",
        game.id,
        [
            Told_("unit", CounterRef(str(firing["id"]), name) if firing["id"] else name, "Fires"),
            Told_("strength", found.attack_strength, "Strength"),
            Told_("start", found.start, "Starts on column", "15.3"),
            RowTable(
                "applied",
                [TableColumn("text", "because of"), TableColumn("shift", "columns"), TableColumn("rule", "rule")],
                why,
            ),
            Told_("shift", found.shift, for_people=False),
            Told_("column", found.column, "Fires on column"),
            RowTable("rolls", [TableColumn("throw", "throw"), TableColumn("result", "result")], faces),
            Chances("chances", found.chances, meanings=meanings(table)),
            Unofficial({} if "strength" in told else _ours(game, firing, found)),
        ],
    )


FIRE = Question(
    name="fire",
    on_map=on_a_map,
    about="one unit's fire: its column, shift by shift, and each throw (15.3 to 15.7)",
    answer=_fire,
    positional=("unit",),
    inputs=(
        Input(name="unit", about="the counter that fires", kind="units", example="mech_battalion+out_of_supply"),
        Input(
            name="strength",
            about="its strength, if yours has another printed on it; or a bare strength without a unit",
            kind="number",
            integer=False,
        ),
        Input(name="side", about="whose a bare strength is", kind="choice", vocabulary="side"),
        Input(
            name="class",
            about="the class of a bare strength",
            kind="choice",
            choices=("mechanized", "non_mechanized"),
            default="mechanized",
            assumed=True,
            condition=("unit", ("",)),
        ),
        Input(
            name="targets", about="the enemy force, for its armor", kind="units", example="armor_brigade,mech_battalion"
        ),
        Input(name="attacking", about="its side is the attacker (yes, if left out)", kind="flag"),
        Input(name="terrain", about="the kind of point", kind="choice", vocabulary="terrain"),
        replace(
            POINT, about="or the point itself; with a position it tells supply, headquarters, engineers and targets"
        ),
        Input(name="headquarters", about="value of one headquarters with it or next to it", kind="number"),
        Input(name="engineer", about="a friendly engineer is in the point", kind="flag"),
        *CROSSED,
        Input(name="armor", about="the enemy has armor that isn't combined arms, if no targets are given", kind="flag"),
        Input(
            name="shift",
            about="columns besides: 1 to the right, -1 to the left",
            kind="number",
            minimum=-19,
            maximum=19,
        ),
        *ON_ANY_MAP,
    ),
)


def _firing(game: Game, told: Inputs) -> dict[str, AttackValue]:
    """The unit that fires; a bare strength is a unit without any gift."""
    named, strength = fighting(game, told.get("unit", ())), told.get("strength")
    if not named and strength is None:
        raise BadQuestion("say what fires: unit=UNIT, or strength=NUMBER as printed on yours")
    if len(named) > 1:
        raise BadQuestion("each unit fires alone (15.4): tell one unit")
    own: dict[str, AttackValue] = {"strength": strength, "bracket": strength} if strength is not None else {}
    if named:
        required_factor(game, game.units[str(named[0]["id"])], "strength")
        return {**named[0], **own}
    side = told.get("side", "")
    some = next(unit for unit in game.units.values() if side in ("", unit.side) and unit.class_ != "strike")
    bare = {**unit_fields(game, some), **dict.fromkeys((*game.abilities, *game.states), False)}
    bare |= {"id": "", "name": "A unit", "side": side, "type": "", "leader": Fraction(0)}
    return {**bare, **own, "class": told["class"]}


def _placed(
    field: Field, point: int, firing: Fields, targets: list[Fields], inputs: dict[str, AttackValue]
) -> tuple[dict[str, AttackValue], list[Fields]]:
    """What a position tells of a unit in a point: its supply, its headquarters, engineers, the enemy (11.2, 15.6)."""
    side, attacking = str(firing["side"]), inputs.get("attacking", True) is True
    stack = fighters(field, point, side, attacking)
    mine = next((unit for unit in stack if unit["id"] == firing["id"]), None)
    cut = firing["out_of_supply"] or (mine is not None and mine["out_of_supply"] is True)
    led = near_headquarters(field, point, side)
    mates = [int(str(unit["leader"])) for unit in stack if unit["nation"] == firing["nation"]]
    best = max([0, led.get("", 0), led.get(str(firing["nation"]), 0), *mates])
    inputs.setdefault("headquarters", Fraction(best))
    inputs.setdefault("engineer", any(unit["engineering"] is True for unit in stack))
    return {**firing, "out_of_supply": cut}, targets or fighters(field, point, ENEMY[side], not attacking)


def _ours(game: Game, firing: Fields, found: Odds) -> dict[str, str]:
    """The overlay entries of what is used here and is not the rulebook's."""
    unit = game.units[str(firing["id"])]
    used = "strength" if found.units[0].printed_value == firing["strength"] else "bracket"
    led = ["leader"] * (
        bool(firing["leader"]) and any(modifier.amount == firing["leader"] for modifier in found.modifiers)
    )
    return unofficial_addresses(
        game, ((unit, key) for key in (used, *led)), other_sources=modifier_sources(game, GROUND, found.modifiers)
    )

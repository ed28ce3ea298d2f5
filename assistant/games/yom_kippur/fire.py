"""Barrages as a question: from a position or in words, what if."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from assistant import unofficial
from assistant.attack import Odds, odds
from assistant.attack_nodes import odds_nodes
from assistant.engine.battle.battle import Battle, assume_readings, battle_of, by_others, with_inputs
from assistant.engine.battle.battle import BattleInputs as ToldOfBattle
from assistant.engine.battle.what_if import next_column
from assistant.engine.question_field import name_chosen
from assistant.games.yom_kippur.air import air_units, asked_air
from assistant.games.yom_kippur.combat import nowhere, told_groups, without_map
from assistant.games.yom_kippur.questions import ON_ITS_MAP, SIDE, asked_field, asked_target, asked_units, other, ours
from assistant.odds import assume_attack, read_attack_inputs
from assistant.questions.answer import Answer, BadQuestion, Cell, Chance, Node, RowTable, TableColumn, Unofficial, Value
from assistant.questions.question import Input, Inputs, Question
from scenarios.model.game import Game


def barrage_answer(game: Game, told: Inputs) -> Answer:
    """A barrage by `attackers` (guns) and air units on the hex `target`, or in words without one (1.8, 1.12b)."""
    if "target" in told:
        battle = _placed(game, told)
        assume_readings(told, battle)
        name_chosen(told, battle.attackers)
    else:
        battle = _in_words(game, told)
        assume_attack(game, "barrage", told)
    fired = _fired(battle)
    guns = [game.units[id] for unit in battle.groups["attackers"] if (id := str(unit["id"])) in game.units]
    used = ours(game, ((gun, "barrage") for gun in battle.attackers)) or unofficial.unofficial_addresses(
        game, ((gun, "barrage") for gun in guns)
    )
    used |= unofficial.unofficial_addresses(
        game, tables=["barrage"], other_sources=unofficial.modifier_sources(game, "barrage", fired.modifiers)
    )
    nodes: list[Node] = [*odds_nodes(game, fired), Unofficial(used)]
    if told.get("what_if"):
        more = next_column(game.tables["barrage"], fired)
        rows: list[dict[str, Cell]] = [
            {"change": change, "column": found.column, "hit": Chance(1 - found.chances.get("-", Fraction(0)))}
            for change, found in _changes(battle, fired)
        ]
        nodes.append(
            Value(
                "next_column", more, "Points more that would start a column further right", for_people=more is not None
            )
        )
        nodes.append(
            RowTable(
                "what_if",
                [
                    TableColumn("change", "change"),
                    TableColumn("column", "column"),
                    TableColumn("hit", "the hex is hit"),
                ],
                rows,
            )
        )
    return Answer("barrage", game.id, nodes)


def _in_words(game: Game, told: Inputs) -> Battle:
    air = asked_air(game, None, told)
    groups = told_groups(game, "barrage", told)
    units = groups.get("attackers", [])
    if not units and not air["israeli_air"] and not air["egyptian_air"]:
        raise BadQuestion("say who fires: attackers, israeli_air or egyptian_air; and on the map, at which hex: target")
    inputs = {
        "our_modifiers": game.rulings["barrage_modifiers"].choice == "ours",
        **read_attack_inputs(game, "barrage", told),
    }
    return without_map(
        nowhere(game), "barrage", str(units[0]["side"]) if units else _flies(air), {"attackers": units}, inputs
    )


def _placed(game: Game, told: Inputs) -> Battle:
    """Distances, spotters and missiles are read from the position, unless they are told."""
    field = asked_field(game, told)
    target = asked_target(field, told)
    guns, air = asked_units(field, told, "attackers"), asked_air(game, field, told)
    if not guns and not air["israeli_air"] and not air["egyptian_air"]:
        raise BadQuestion("say who fires: attackers, israeli_air or egyptian_air")
    side = told.get("side") or (guns[0].side if guns else _flies(air))
    if not field.is_occupied(target, other(side)):
        raise BadQuestion(f"no enemy stands in {field.map_index.name(target)}")
    return battle_of(
        field, "barrage", side, (target,), guns, (), ToldOfBattle(read_attack_inputs(game, "barrage", told), {}, {})
    )


def _flies(air: Mapping[str, int]) -> str:
    return "israeli" if air["israeli_air"] else "egyptian"


def _fired(battle: Battle) -> Odds:
    return odds(battle.field.game, "barrage", battle.groups, battle.inputs)


def _changes(battle: Battle, plain: Odds) -> Iterator[tuple[str, Odds]]:
    """Each gun more in range, one air unit more if there is one, from the SAM Zone Box if it matters, and a spotter (1.8c, 1.12b)."""
    field, side, inputs = battle.field, battle.side, battle.inputs
    for target in battle.targets:
        near = [
            s
            for s in field.units_of(side)
            if s.fields["barrage"] and field.map_index.distance(s.place, target) <= s.fields["range"]
        ]
        for gun in near:
            if gun not in battle.attackers:
                yield f"with {gun.name}", _fired(by_others(battle, (*battle.attackers, gun)))
    flown = _fired(
        with_inputs(battle, **{key: Fraction(inputs.get(key, 0)) + 1 for key in (f"{side}_air", "sam_zone_air")})
    )
    more = not battle.targets or int(inputs[f"{side}_air"]) < air_units(field, side)
    if more and len(flown.failures) <= len(plain.failures):
        yield "with one air unit more", flown
    spotted = _fired(with_inputs(battle, spotter=True))
    if spotted.column != plain.column:
        yield "with a friend next to the target", spotted


def _flag(name: str, about: str) -> Input:
    return Input(name=name, about=about, kind="flag")


INPUTS = (
    *ON_ITS_MAP,
    Input(name="attackers", about="who attacks", kind="units", example="UNIT,UNIT+STATE:across=suez_canal:bridged=yes"),
    Input(name="target", about="the hex that is attacked", kind="place", aliases=("at",)),
    Input(name="israeli_air", about="Israeli air units used", kind="number", maximum=99),
    Input(name="egyptian_air", about="Egyptian air units used", kind="number", maximum=99),
    Input(
        name="sam_zone_air", about="how many of the Israeli ones come from the SAM Zone Box", kind="number", maximum=99
    ),
    Input(name="terrain", about="the terrain there, where it isn't the map's", kind="choice", vocabulary="terrain"),
    _flag("under_sam", "the hex is in range of an Egyptian SAM, where the map doesn't say"),
    _flag("under_hawk", "the hex is in range of the Hawk"),
    SIDE,
    _flag("spotter", "with barrage: a friend is next to the target"),
    _flag("chemical", "with barrage: chemical shells (4.3)"),
    _flag("pre_game", "the barrage before turn 1"),
    _flag("our_modifiers", "our shifts for spotting and terrain in a barrage"),
    _flag("what_if", "also each change to the attack"),
)
"""What a barrage may be told, and ground combat too."""
BARRAGE = Question(
    name="barrage", about="a barrage by guns and air units (1.8, 1.12b)", inputs=INPUTS, answer=barrage_answer
)

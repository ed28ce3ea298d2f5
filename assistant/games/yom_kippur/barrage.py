"""Barrages as a question: from a position or in words, what if."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from assistant.answers import Answer, BadQuestion, Cell, Chance, Column, Node, Ours, Table
from assistant.answers import Value as Told_
from assistant.attack import odds_nodes
from assistant.attack_answers import Answer as Odds
from assistant.attacks import Value, odds
from assistant.games.yom_kippur.air_units import air_units, asked_air
from assistant.games.yom_kippur.chances import barrage
from assistant.games.yom_kippur.field import Field, Stand
from assistant.games.yom_kippur.in_words import groups_told, inputs_told
from assistant.games.yom_kippur.printed import ours, ours_tables
from assistant.games.yom_kippur.questions import asked_field, asked_side, asked_target, asked_units, effects
from assistant.games.yom_kippur.turn import ON_ITS_MAP
from assistant.questions import Input, Question, Told
from assistant.shared import sourced
from assistant.shared.strengths import modifier_sources
from scenarios.game import Game
from scenarios.hexes import Hex, distance
from scenarios.tables import span

Fire = Callable[[Mapping[str, Value]], Odds]


class Change(NamedTuple):
    """A barrage with something changed."""

    change: str
    answer: Odds

    @property
    def hit(self) -> Fraction:
        """The chance that the hex is disorganized or worse."""
        return 1 - self.answer.chances.get("-", Fraction(0))


def barrage_answer(game: Game, options: Told) -> Answer:
    """A barrage by `attackers` (guns) and air units on the hex `target`, or in words without one (1.8, 1.12b)."""
    told = {"our_modifiers": game.rulings["barrage_modifiers"].choice == "ours", **inputs_told(game, "barrage", options)}
    if "target" in options:
        field = asked_field(game, options)
        return _on_the_map(field, asked_target(field, options), told, options)
    air = asked_air(game, None, options)
    groups = groups_told(game, "barrage", options)
    if not groups.get("attackers") and not air["israeli_air"] and not air["egyptian_air"]:
        raise BadQuestion("say who fires: attackers, israeli_air or egyptian_air; and on the map, at which hex: target")
    side = str(groups["attackers"][0]["side"]) if groups.get("attackers") else _flies(air)

    def fire(more: Mapping[str, Value]) -> Odds:
        return odds(game, "barrage", groups, {**told, **more})

    guns = [game.units[str(one["id"])] for one in groups.get("attackers", []) if str(one["id"]) in game.units]
    used = sourced.ours(game, ((gun, "barrage") for gun in guns))
    return _answer(game, fire, used, list(_changes(fire, side, told)) if options.get("what_if") else None)


def _on_the_map(field: Field, target: Hex, told: Mapping[str, Value], options: Told) -> Answer:
    guns, air = asked_units(field, options, "attackers"), asked_air(field.ground.game, field, options)
    if not guns and not air["israeli_air"] and not air["egyptian_air"]:
        raise BadQuestion("say who fires: attackers, israeli_air or egyptian_air")
    side = asked_side(options) or (guns[0].unit.side if guns else _flies(air))
    scenario = {"chemical": bool(list(effects(field, "chemical_shells", "egyptian"))), **told}

    def fire(more: Mapping[str, Value], more_guns: Sequence[Stand] = ()) -> Odds:
        return barrage(field, [*guns, *more_guns], target, side=side, told={**scenario, **more})

    used = ours(field.ground.game, ((gun, "barrage") for gun in guns))
    changes = None
    if options.get("what_if"):
        near = [s for s in field.of(side) if s.factor("barrage") and distance(s.hex, target) <= s.factor("range")]
        joined = (Change(f"with {gun.name}", fire({}, [gun])) for gun in near if gun not in guns)
        more = air[f"{side}_air"] < air_units(field, side)
        changes = [*joined, *_changes(fire, side, scenario, more)]
    return _answer(field.ground.game, fire, used, changes)


def _flies(air: Mapping[str, int]) -> str:
    return "israeli" if air["israeli_air"] else "egyptian"


def _changes(fire: Fire, side: str, told: Mapping[str, Value], more: bool = True) -> Iterator[Change]:
    """One air unit more if there is one, from the SAM Zone Box if it matters, and a spotter (1.8c, 1.12b)."""
    plain = fire({})
    flown = fire({key: Fraction(told.get(key, 0)) + 1 for key in (f"{side}_air", "sam_zone_air")})
    if more and len(flown.failures) <= len(plain.failures):
        yield Change("with one air unit more", flown)
    spotted = fire({"spotter": True})
    if spotted.column != plain.column:
        yield Change("with a friend next to the target", spotted)


def _answer(game: Game, fire: Fire, used: dict[str, str], changes: Sequence[Change] | None) -> Answer:
    found = fire({})
    used = {**used, **sourced.ours(game, more=modifier_sources(game, "barrage", found.applied))}
    for table in ours_tables(game, "barrage"):
        used |= table.numbers
    nodes: list[Node] = [*odds_nodes(game, found), Ours(used)]
    if changes is not None:
        more = _next_column(game, found)
        rows: list[dict[str, Cell]] = [{"change": one.change, "column": one.answer.column, "hit": Chance(one.hit)} for one in changes]
        nodes.append(Told_("next_column", more, "Points more that would start a column further right", shown=more is not None))
        nodes.append(Table("what_if", [Column("change", "change"), Column("column", "column"), Column("hit", "the hex is hit")], rows))
    return Answer("barrage", game.id, nodes)


def _next_column(game: Game, answer: Odds) -> Fraction | None:
    labels = game.tables["barrage"].columns.labels
    if answer.start in (None, labels[-1]):
        return None
    return (span(labels[labels.index(str(answer.start)) + 1]).low or Fraction(0)) - answer.attack_strength


def _flag(name: str, about: str) -> Input:
    return Input(name=name, about=about, kind="flag")


INPUTS = (
    *ON_ITS_MAP,
    Input(name="attackers", about="who attacks", kind="units", example="UNIT,UNIT+STATE:across=suez_canal:bridged=yes"),
    Input(name="target", about="the hex that is attacked", kind="place", aliases=("at",)),
    Input(name="israeli_air", about="Israeli air units used", kind="number", most=99),
    Input(name="egyptian_air", about="Egyptian air units used", kind="number", most=99),
    Input(name="sam_zone_air", about="how many of the Israeli ones come from the SAM Zone Box", kind="number", most=99),
    Input(name="terrain", about="the terrain there, where it isn't the map's", kind="choice", of="terrain"),
    _flag("under_sam", "the hex is in range of an Egyptian SAM, where the map doesn't say"),
    _flag("under_hawk", "the hex is in range of the Hawk"),
    Input(name="side", about="whose", kind="choice", of="side"),
    _flag("spotter", "with barrage: a friend is next to the target"),
    _flag("chemical", "with barrage: chemical shells (4.3)"),
    _flag("pre_game", "the barrage before turn 1"),
    _flag("our_modifiers", "our shifts for spotting and terrain in a barrage"),
    _flag("what_if", "also each change to the attack"),
)
"""What a barrage may be told, and ground combat too."""
BARRAGE = Question(name="barrage", about="a barrage by guns and air units (1.8, 1.12b)", inputs=INPUTS, answer=barrage_answer)

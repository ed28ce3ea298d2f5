"""Barrages as a question: from a position or in words, what if."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from assistant import sourced
from assistant.answers import Answer, BadQuestion, Cell, Chance, Column, Node, Ours, Table, Value
from assistant.attack import Answer as Odds
from assistant.attack import Value as Amount
from assistant.attack import odds
from assistant.games.yom_kippur.air import air_units, asked_air, covering
from assistant.games.yom_kippur.combat import told_groups, told_inputs
from assistant.games.yom_kippur.questions import (
    ON_ITS_MAP,
    SIDE,
    asked_field,
    asked_target,
    asked_units,
    other,
    ours,
)
from assistant.odds import odds_nodes
from assistant.questions import Input, Question, Told
from assistant.rules.field import Field, Standing
from assistant.sourced import modifier_sources
from scenarios.game import Game
from scenarios.tables import span

Fire = Callable[[Mapping[str, Amount]], Odds]


class Change(NamedTuple):
    """A barrage with something changed."""

    change: str
    answer: Odds

    @property
    def hit(self) -> Fraction:
        """The chance that the hex is disorganized or worse."""
        return 1 - self.answer.chances.get("-", Fraction(0))


def barrage_answer(game: Game, told: Told) -> Answer:
    """A barrage by `attackers` (guns) and air units on the hex `target`, or in words without one (1.8, 1.12b)."""
    inputs = {"our_modifiers": game.rulings["barrage_modifiers"].choice == "ours", **told_inputs(game, "barrage", told)}
    if "target" in told:
        field = asked_field(game, told)
        return _on_the_map(field, asked_target(field, told), inputs, told)
    air = asked_air(game, None, told)
    groups = told_groups(game, "barrage", told)
    if not groups.get("attackers") and not air["israeli_air"] and not air["egyptian_air"]:
        raise BadQuestion("say who fires: attackers, israeli_air or egyptian_air; and on the map, at which hex: target")
    side = str(groups["attackers"][0]["side"]) if groups.get("attackers") else _flies(air)

    def fire(more: Mapping[str, Amount]) -> Odds:
        return odds(game, "barrage", groups, {**inputs, **more})

    guns = [game.units[str(unit["id"])] for unit in groups.get("attackers", []) if str(unit["id"]) in game.units]
    used = sourced.ours(game, ((gun, "barrage") for gun in guns))
    return _answer(game, fire, used, list(_changes(fire, side, inputs)) if told.get("what_if") else None)


def _on_the_map(field: Field, target: int, inputs: Mapping[str, Amount], told: Told) -> Answer:
    """Distances, spotters and missiles are read from the position, unless they are told."""
    guns, air, kinds = asked_units(field, told, "attackers"), asked_air(field.game, field, told), field.kinds
    if not guns and not air["israeli_air"] and not air["egyptian_air"]:
        raise BadQuestion("say who fires: attackers, israeli_air or egyptian_air")
    side = told.get("side") or (guns[0].side if guns else _flies(air))
    if not field.occupied(target, other(side)):
        raise BadQuestion(f"no enemy stands in {kinds.name(target)}")
    read: dict[str, Amount] = {
        "terrain": kinds.terrain(kinds.places[target]),
        "spotter": any(field.occupied(n, side) for n, _ in kinds.near(target)),
        "under_sam": bool(covering(field, "egyptian", target)),
        "under_hawk": bool(covering(field, "israeli", target)),
        "chemical": bool(field.in_force("chemical_shells", "egyptian")),
        **inputs,
    }

    def fire(more: Mapping[str, Amount], joining: Sequence[Standing] = ()) -> Odds:
        units = [{**gun.fields, "distance": Fraction(kinds.distance(gun.at, target))} for gun in (*guns, *joining)]
        return odds(field.game, "barrage", {"attackers": units}, {**read, **more})

    used = ours(field.game, ((gun, "barrage") for gun in guns))
    changes = None
    if told.get("what_if"):
        near = [s for s in field.of(side) if s.fields["barrage"] and kinds.distance(s.at, target) <= s.fields["range"]]
        joined = (Change(f"with {gun.name}", fire({}, [gun])) for gun in near if gun not in guns)
        more = air[f"{side}_air"] < air_units(field, side)
        changes = [*joined, *_changes(fire, side, read, more)]
    return _answer(field.game, fire, used, changes)


def _flies(air: Mapping[str, int]) -> str:
    return "israeli" if air["israeli_air"] else "egyptian"


def _changes(fire: Fire, side: str, inputs: Mapping[str, Amount], more: bool = True) -> Iterator[Change]:
    """One air unit more if there is one, from the SAM Zone Box if it matters, and a spotter (1.8c, 1.12b)."""
    plain = fire({})
    flown = fire({key: Fraction(inputs.get(key, 0)) + 1 for key in (f"{side}_air", "sam_zone_air")})
    if more and len(flown.failures) <= len(plain.failures):
        yield Change("with one air unit more", flown)
    spotted = fire({"spotter": True})
    if spotted.column != plain.column:
        yield Change("with a friend next to the target", spotted)


def _answer(game: Game, fire: Fire, used: dict[str, str], changes: Sequence[Change] | None) -> Answer:
    fired = fire({})
    used = {**used, **sourced.ours(game, more=modifier_sources(game, "barrage", fired.applied))}
    used |= sourced.ours(game, tables=["barrage"])
    nodes: list[Node] = [*odds_nodes(game, fired), Ours(used)]
    if changes is not None:
        more = _next_column(game, fired)
        rows: list[dict[str, Cell]] = [{"change": one.change, "column": one.answer.column, "hit": Chance(one.hit)} for one in changes]
        nodes.append(Value("next_column", more, "Points more that would start a column further right", shown=more is not None))
        nodes.append(Table("what_if", [Column("change", "change"), Column("column", "column"), Column("hit", "the hex is hit")], rows))
    return Answer("barrage", game.id, nodes)


def _next_column(game: Game, fired: Odds) -> Fraction | None:
    labels = game.tables["barrage"].columns.labels
    if fired.start in (None, labels[-1]):
        return None
    return (span(labels[labels.index(str(fired.start)) + 1]).low or Fraction(0)) - fired.attack_strength


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
    SIDE,
    _flag("spotter", "with barrage: a friend is next to the target"),
    _flag("chemical", "with barrage: chemical shells (4.3)"),
    _flag("pre_game", "the barrage before turn 1"),
    _flag("our_modifiers", "our shifts for spotting and terrain in a barrage"),
    _flag("what_if", "also each change to the attack"),
)
"""What a barrage may be told, and ground combat too."""
BARRAGE = Question(name="barrage", about="a barrage by guns and air units (1.8, 1.12b)", inputs=INPUTS, answer=barrage_answer)

"""Drops by parachute: who may, and what landing costs (10.2, 24.3, 29.5, 29.6)."""

from __future__ import annotations

from fractions import Fraction

from assistant.answers import Answer, Chance, Line, Node, Refusal, Value
from assistant.games.musketeer.questions import PLACED, asked_hex, counter, flak_near, label, place
from assistant.questions import Input, Question, Told
from assistant.rules.entry import arrivals
from assistant.rules.placed import asked_anywhere
from scenarios.game import Game
from scenarios.position import Piece


def landing_hazard(game: Game, contested: bool) -> Fraction:
    """The chance that a unit is disrupted as it lands (29.6)."""
    table = game.tables["paradrop"]
    column = table.named_column("contested" if contested else "quiet")
    return table.distribution(column).get("D", Fraction(0))


def _paradrop(game: Game, told: Told) -> Answer:
    field, unit, standing = asked_anywhere(game, told)
    drop, name = arrivals(field, unit, standing)["paradrop"], label(game, unit)
    if drop.refused is not None:
        raise Refusal(f"{name} can't drop: {drop.refused.text}", drop.refused.rule)
    target = asked_hex(field.kinds, told, "to")
    if target is not None and target not in drop.places + drop.assault:
        raise Refusal(f"{name} can't land in {field.kinds.name(target)}", "8.3, 10.3, 12.0, 28.1")
    enemy = target in drop.assault
    other = next(side for side in game.sides if side != unit.side)
    flak = target is not None and flak_near(field, target, other)
    contested = told.get("contested", enemy or flak)
    chance, none = landing_hazard(game, contested), Fraction(0)
    lost = (standing or field.as_if(Piece(unit.id, "", unit.nation, field.kinds.places[0]))).steps < 2
    lost = lost or told.get("disrupted") is True
    who = counter(game, unit)
    nodes: list[Node] = [
        Line((who, " lands", *((" in ", place(field.kinds, target)) if target is not None else ()))), Value("unit", who, shown=False),
        Value("to", place(field.kinds, target) if target is not None else None, shown=False), Value("contested", contested, "Contested"),
        Value("disrupted", Chance(none if lost else chance), "Disrupted as it lands", "29.6", shown=not lost),
        Value("eliminated", Chance(chance if lost else none), "Lost as it lands, for it has no step to lose", "29.6", shown=lost),
    ]  # fmt: skip
    nodes += [Line("an enemy is in the hex: a direct assault, it must clear it or is lost", "29.5")] * enemy
    nodes += [Line("an enemy AAA unit is next to it", "29.6")] * flak
    return Answer("paradrop", game.id, nodes)


PARADROP = Question(
    name="paradrop", about="the hazards of a drop", answer=_paradrop, bare=("unit", "to"),
    inputs=(
        *PLACED, Input(name="to", about="the hex it lands in", kind="place"),
        Input(name="contested", about="an enemy is there, or AAA next to it", kind="flag"),
    ),
)  # fmt: skip

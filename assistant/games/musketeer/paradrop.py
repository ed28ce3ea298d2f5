"""Drops by parachute: who may, and what landing costs (10.2, 24.3, 29.5, 29.6)."""

from __future__ import annotations

from fractions import Fraction

from assistant.answers import Answer, Chance, Line, Node, Refusal, Value
from assistant.games.musketeer.asking import PLACED, asked_hex, asked_unit, counter, place
from assistant.games.musketeer.contingents import label
from assistant.games.musketeer.entry import Entry
from assistant.questions import Input, Question, Told
from assistant.shared.options import yes
from scenarios.game import Game
from scenarios.hexes import distance


def landing_hazard(game: Game, contested: bool) -> Fraction:
    """The chance that a unit is disrupted as it lands (29.6)."""
    table = game.tables["paradrop"]
    column = table.named_column("contested" if contested else "quiet")
    return table.distribution(column).get("D", Fraction(0))


def _paradrop(game: Game, told: Told) -> Answer:
    here, unit, _, start, disrupted = asked_unit(game, told)
    entry, name = Entry(here, unit, start), label(game, unit)
    if "airborne" not in unit.abilities:
        raise Refusal(f"{name} is not airborne", "10.2")
    if "no_drop" in unit.abilities:
        raise Refusal(f"{name} can't drop", "24.3")
    if start is not None and not entry.drops:
        raise Refusal(f"{name} is in {here.table.name(start)}; it drops out of its box or from an airbase", "10.2")
    target = asked_hex(here.table, told, "to")
    enemy = flak = False
    if target is not None:
        drop = entry.way("paradrop", "10.2", frozenset({target}), assault=True)
        if target not in drop.hexes | drop.assault:
            raise Refusal(f"{name} can't land in {here.table.name(target)}", "8.3, 10.3, 12.0, 28.1")
        enemy = target in drop.assault
        flak = any("flak" in one.abilities and one.side != unit.side and distance(at, target) == 1 for _, one, at in here.units)
    contested = yes(told, "contested", enemy or flak)
    chance, none = landing_hazard(game, contested), Fraction(0)
    lost = disrupted or unit.back is None
    who = counter(game, unit)
    nodes: list[Node] = [
        Line((who, " lands", *((" in ", place(here.table, target)) if target else ()))), Value("unit", who, shown=False),
        Value("to", place(here.table, target) if target else None, shown=False), Value("contested", contested, "Contested"),
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

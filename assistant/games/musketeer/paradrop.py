"""Drops by parachute (10.2, 24.3, 29.5, 29.6)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from assistant.engine.field import Field
from assistant.engine.movement.entry import arrivals, refusal_of
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_anywhere
from assistant.engine.questions import FROM
from assistant.games.musketeer.questions import asked_hex, counter, flak_near, label
from assistant.questions.answer import Answer, Chance, Node, Refusal, Sentence, Value
from assistant.questions.question import ON_ANY_MAP, Input, Inputs, Question
from scenarios.model.game import Game
from scenarios.model.position import Piece


def _paradrop(game: Game, told: Inputs) -> Answer:
    field, unit, standing = asked_anywhere(game, told)
    drop, name = arrivals(field, unit, standing)["paradrop"], label(game, unit)
    target = asked_hex(field, told, "to")
    if drop.refusal is not None or (target is not None and target not in drop.places + drop.assault):
        walker = field.mover(standing) if standing is not None else field.off_map(unit)
        why, rule = refusal_of(field, walker, drop, target)
        lands = f"land in {field.map_index.name(target)}" if target is not None and drop.refusal is None else "drop"
        raise Refusal(f"{name} can't {lands}: {why}", rule)
    enemy, off_map = target in drop.assault, Piece(unit.id, "", unit.nation, field.map_index.places[0])
    flak = target is not None and any(flak_near(field, target, side) for side in game.sides if side != unit.side)
    return Answer(
        "paradrop", game.id, list(_landed(field, told, standing or field.as_if(off_map), target, enemy, flak))
    )


def _landed(
    field: Field, told: Inputs, standing: PlacedUnit, target: int | None, enemy: bool, flak: bool
) -> Iterator[Node]:
    """The chance that a unit is disrupted as it lands, or lost if it has no step to lose (29.6)."""
    game, contested, table = field.game, told.get("contested", enemy or flak), field.game.tables["paradrop"]
    chance, none = (
        table.distribution(table.named_column("contested" if contested else "quiet")).get("D", Fraction(0)),
        Fraction(0),
    )
    lost = standing.steps < 2 or told.get("disrupted") is True
    who, to = counter(game, standing.counter), field.place(target) if target is not None else None
    yield Sentence((who, " lands", *((" in ", to) if to is not None else ())))
    yield Value("unit", who, for_people=False)
    yield Value("to", to, for_people=False)
    yield Value("contested", contested, "Contested")
    yield Value("disrupted", Chance(none if lost else chance), "Disrupted as it lands", "29.6", for_people=not lost)
    yield Value(
        "eliminated",
        Chance(chance if lost else none),
        "Lost as it lands, for it has no step to lose",
        "29.6",
        for_people=lost,
    )
    if enemy:
        yield Sentence("an enemy is in the hex: a direct assault, it must clear it or is lost", "29.5")
    if flak:
        yield Sentence("an enemy AAA unit is next to it", "29.6")


PARADROP = Question(
    name="paradrop",
    about="the hazards of a drop",
    answer=_paradrop,
    positional=("unit", "to"),
    inputs=(
        Input(name="unit", about="the counter", kind="unit", required=True),
        FROM,
        Input(name="disrupted", about="it is disrupted", kind="flag"),
        *ON_ANY_MAP,
        Input(name="to", about="the hex it lands in", kind="place"),
        Input(name="contested", about="an enemy is there, or AAA next to it", kind="flag"),
    ),
)

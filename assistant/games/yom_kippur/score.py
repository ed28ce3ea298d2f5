"""Victory: points, the objectives of October 8th, and the level."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_place
from assistant.engine.scoring import Score, ScoreLine, scenario_of, score_nodes
from assistant.engine.victory import level_of, score
from assistant.games.yom_kippur.questions import ON_ITS_MAP, SIDES, asked_field
from assistant.games.yom_kippur.supply import in_supply
from assistant.questions.answer import Answer, Cell, PlaceRef, RowTable, Sentence, TableColumn, Value
from assistant.questions.question import Input, Inputs, Question
from scenarios.areas.resolving import Location
from scenarios.model.game import Game


def objectives(field: Field) -> dict[int, tuple[str, tuple[PlacedUnit, ...]]]:
    """Each hex that wins the scenario, the side that holds it with units in supply, or none, and those units (4.5)."""
    goals = [line.at for line in scenario_of(field.game, field.position).victory if line.wins and line.at is not None]
    hexes = {
        field.map_index.number[place]
        for area in goals
        for place in field.places_of(area)
        if place in field.map_index.number
    }
    found: dict[int, tuple[str, tuple[PlacedUnit, ...]]] = dict.fromkeys(sorted(hexes), ("", ()))
    for hex in hexes:
        for side in SIDES:
            if units := in_supply(field, field.stack(hex, side)):
                found[hex] = side, units
    return found


def difference(lines: tuple[ScoreLine, ...]) -> Fraction:
    """Israeli points less Egyptian points (1.15)."""
    return sum((line.points if line.side == "israeli" else -line.points for line in lines), Fraction(0))


def if_ignored(field: Field, score: Score) -> dict[str, str]:
    """The level there would be if a side, or both, ignored a cease-fire now (1.15b; ruling vp_both)."""
    prices = {line.side: line.points_each for line in score.lines if line.rule == "1.15b"}
    if set(prices) != set(SIDES):
        return {}
    ahead = difference(score.lines)
    return {
        "israeli": level_of(field, ahead + prices["israeli"]),
        "egyptian": level_of(field, ahead - prices["egyptian"]),
        "both": level_of(field, ahead + prices["israeli"] - prices["egyptian"]),
    }


# --- the question -----------------------------------------------------------------------------------------------------


def score_answer(game: Game, told: Inputs) -> Answer:
    """The points of both sides, the objectives, and what ignoring a cease-fire would make of the level."""
    ignored = told.get("ignored", {})
    counts = {f"ignored_{side}": ignored.get(side, Fraction(0)) for side in SIDES}
    paid = bool(told.get("schnell_abdul") or told.get("may_cross_east"))
    field = asked_field(game, {**told, **counts, "may_cross_east": paid})
    field = field.with_control(
        {asked_place(field.map_index, hex): side for hex, side in told.get("control", {}).items()}
    )
    found = replace(score(field, {}).score, won=())  # hexes win at the end of 4.5, not at once

    def name(spot: Location) -> PlaceRef:
        return field.place(field.map_index.number[spot]) if spot in field.map_index.number else PlaceRef(str(spot))

    goals = objectives(field)
    held: list[dict[str, Cell]] = [
        {
            "place": field.place(n),
            "side": side or None,
            "holder": game.sides[side].name if side else "nobody",
            "units": [s.ref for s in units],
        }
        for n, (side, units) in goals.items()
    ]
    ignoring: list[dict[str, Cell]] = [{"who": who, "level": level} for who, level in if_ignored(field, found).items()]
    more = [] if goals else [Sentence("which hexes give points is ours; the book marks them on its map", "1.15")]
    return Answer(
        "score",
        game.id,
        [
            RowTable(
                "objectives",
                [
                    TableColumn("place", "hex"),
                    TableColumn("side"),
                    TableColumn("holder", "held by", for_programs=False),
                    TableColumn("units", "in supply there"),
                ],
                held,
            ),
            *score_nodes(game, found, name),
            Value("difference", difference(found.lines), for_people=False),
            RowTable(
                "if_ignored",
                [TableColumn("who", "who ignores a cease-fire now"), TableColumn("level", "then")],
                ignoring,
            ),
            *more,
        ],
    )


SCORE = Question(
    name="score",
    about="the points of both sides and the level of victory (1.15)",
    answer=score_answer,
    positional=("scenario",),
    inputs=(
        *ON_ITS_MAP,
        Input(
            name="control", about="who was last in empty hexes", kind="pairs", values="side", example="33.10:israeli"
        ),
        Input(name="ignored", about="cease-fires ignored", kind="pairs", vocabulary="side"),
        Input(name="world_war", about="the side that began it", kind="choice", vocabulary="side"),
        Input(name="schnell_abdul", about="3.8 is played", kind="flag"),
    ),
)

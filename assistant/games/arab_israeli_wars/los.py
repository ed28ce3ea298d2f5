"""Sight as a question (Basic VII). The pack's `rules.sight` has the rules of sight."""

from __future__ import annotations

from dataclasses import replace

from assistant.engine.sight.line_of_sight import HEXES, OF_ONE_HEX, los_nodes, observers
from assistant.games.arab_israeli_wars.forces import is_slope
from assistant.games.arab_israeli_wars.questions import ON_THE_GROUND, asked_field, hex_of, unofficial_numbers
from assistant.questions.answer import Answer, Node, Unofficial, Value
from assistant.questions.question import Inputs, Question
from scenarios.model.game import Game


def los_answer(game: Game, inputs: Inputs) -> Answer:
    """Answer about sight. No hex: every pair of the map; one: what it sees; two: the line between them."""
    field, _ = asked_field(game, inputs)
    hexes = [hex_of(field, name) for name in inputs.get("hexes", ())]
    nodes: list[Node] = los_nodes(field, [field.map_index.number[hex] for hex in hexes], inputs)
    if len(hexes) == 2:
        slope = {end: is_slope(field, hex) for end, hex in zip(("from", "to"), hexes, strict=True)}
        nodes += [Value("slope", slope, for_people=False), Value("rulings", field.rulings, for_people=False)]
    return Answer("los", game.id, [*nodes, Unofficial(unofficial_numbers(game, field))])


def los_question(game: Game) -> Question:
    """Return the question, with this game's ways to name a map."""
    return Question(
        name="los",
        about="line of sight between two hexes, or everything that one hex sees",
        answer=los_answer,
        positional=("hexes",),
        inputs=(replace(HEXES, example="A-H-3,A-H-5"), *observers(game), *OF_ONE_HEX, *ON_THE_GROUND),
    )

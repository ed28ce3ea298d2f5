"""Movement as a question: on the ground as the pack's rules say, or by helicopter."""

from __future__ import annotations

from dataclasses import replace

from assistant.engine.movement.reach import reach
from assistant.engine.question_field import asked_place
from assistant.engine.questions import answer_moves
from assistant.games.yom_kippur.air import flight_nodes
from assistant.games.yom_kippur.questions import ON_ITS_MAP, UNITS, asked_field, asked_units, ours
from assistant.questions.answer import Answer, BadQuestion, Unofficial
from assistant.questions.question import Input, Inputs, Question
from scenarios.model.game import Game

PHASE = Input(
    name="phase",
    about="the phase",
    kind="choice",
    choices=("movement", "exploitation"),
    default="movement",
    assumed=True,
)


def move_answer(game: Game, told: Inputs) -> Answer:
    """Where `unit` (or a stack of units) can go, or its way `to` a hex; `phase` exploitation, or `air` for a flight."""
    field = asked_field(game, told)
    standings = asked_units(field, told, "unit")
    exploits = told.get("phase") == "exploitation"
    if told.get("air"):
        if exploits:
            raise BadQuestion("nobody flies in the Exploitation Phase, only in the Movement Phase (1.11a)")
        return Answer(
            "move",
            game.id,
            flight_nodes(field, standings, asked_place(field.map_index, told["to"]) if "to" in told else None),
        )
    reaches = [reach(field, standing, "exploitation" if exploits else "move") for standing in standings]
    answer = answer_moves(field, reaches, told, "exploit" if exploits else "move")
    nodes = [node for node in answer.nodes if not isinstance(node, Unofficial)]
    return Answer(
        "move",
        game.id,
        [*nodes, Unofficial(ours(game, ((standing, "movement") for standing in standings), ground=True))],
    )


MOVE = Question(
    name="move",
    about="where a unit or a stack can go, and at what price",
    answer=move_answer,
    positional=("unit", "to"),
    inputs=(
        replace(UNITS, required=True),
        Input(name="to", about="where to", kind="place"),
        PHASE,
        Input(name="air", about="by helicopter (1.11)", kind="flag"),
        *ON_ITS_MAP,
    ),
)

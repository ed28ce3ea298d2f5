"""Stacks as a question: who stands where, and the limit of steps."""

from __future__ import annotations

from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_place
from assistant.games.yom_kippur.questions import (
    ON_ITS_MAP,
    SIDE,
    SIDES,
    STEPS,
    asked_field,
    limit,
    ours,
)
from assistant.questions.answer import Answer, Cell, Node, RowTable, Sentence, TableColumn, Unofficial, Value
from assistant.questions.question import Input, Inputs, Question
from scenarios.grammar import count_text
from scenarios.model.game import Game


def stacks_answer(game: Game, told: Inputs) -> Answer:
    """The units of a `hex`, or all stacks of `side`, with their steps and the room that is left (1.3)."""
    field = asked_field(game, told)
    most, kinds = int(limit(game, "stack_steps")), field.map_index
    hex = asked_place(field.map_index, told["hex"]) if "hex" in told else None
    shown: list[PlacedUnit] = []
    rows: list[dict[str, Cell]] = []
    for side in (told["side"],) if "side" in told else SIDES:
        for n in sorted(field.by_place, key=lambda n: kinds.map.spot(kinds.places[n])):  # type: ignore[union-attr, arg-type]
            stack = field.stack(n, side)
            if not stack or (n != hex if hex is not None else len(stack) < 2):
                continue
            steps = sum(standing.steps for standing in stack)
            shown += stack
            verdict = f"room for {most - steps}" if steps <= most else f"{steps - most} TOO MANY (1.3)"
            rows.append(
                {
                    "place": field.place(n),
                    "side": side,
                    "units": [standing.ref for standing in stack],
                    "steps": steps,
                    "room": most - steps,
                    "why": f"{steps} of {count_text(most, 'step')}, {verdict}",
                    "who": ", ".join(f"{standing.ref} ({standing.steps})" for standing in stack),
                }
            )
    columns = [
        TableColumn("place", "hex"),
        TableColumn("side", "side"),
        TableColumn("why", "steps", for_programs=False),
        TableColumn("who", "units", for_programs=False),
        TableColumn("units"),
        TableColumn("steps"),
        TableColumn("room"),
    ]
    none: list[Node] = [] if rows else [Sentence("nobody stands there" if hex is not None else "nobody is stacked")]
    stacks = RowTable("stacks", columns, rows)
    return Answer(
        "stacks",
        game.id,
        [
            stacks,
            *none,
            Value("most", most, "Steps to a hex", "1.3", for_people=False),
            Unofficial(ours(game, ((s, STEPS) for s in shown))),
        ],
    )


STACKS = Question(
    name="stacks",
    about="the stacks and their steps (1.3)",
    answer=stacks_answer,
    positional=("hex",),
    inputs=(Input(name="hex", about="one hex", kind="place"), SIDE, *ON_ITS_MAP),
)

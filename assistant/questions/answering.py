"""The answer to a question: its inputs read, what it takes for granted noted, and what a save leaves out named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assistant.assumptions import NOTES
from assistant.engine.question_field import not_set_up
from assistant.questions.answer import Answer, Assumption, Assumptions, Refusal, Value, Warning
from assistant.questions.left_out import unknown_json, unknown_text
from assistant.questions.question import Question, read
from assistant.special_rules import left_to_players
from scenarios.model.game import Game
from scenarios.model.position import Position


def answer_question(question: Question, game: Game, inputs: Mapping[str, Any]) -> Answer:
    """The answer to a question that was told texts (or values that were read before).

    What it takes for granted comes first. It names what a save has and the pack doesn't know: that is counted nowhere.
    """
    notes: list[Assumption] = []
    values = read(question, game, inputs, notes)
    try:
        result = question.answer(game, {**values, NOTES: notes})
    except Refusal as refusal:
        refusal.assumptions = tuple(notes)
        raise
    if player_notes := list(left_to_players(game, question.name, values)):
        result = replace(result, nodes=[*result.nodes, *player_notes])
    if notes:
        result = replace(result, nodes=[Assumptions(tuple(notes)), *result.nodes])
    position = values.get("position")
    if isinstance(position, Position) and position.unknown:
        left_out = Value("left_out", unknown_json(game, position), for_people=False)
        result = replace(result, nodes=[*result.nodes, Warning(unknown_text(game, position)), left_out])
    if question.input("put") is not None and question.on_map(values):
        result = replace(result, nodes=[*not_set_up(game, values), *result.nodes])
    return result

"""The answer to a question: its inputs read, what it takes for granted noted, and what a save leaves out named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assistant.assumptions import NOTES
from assistant.engine.question_field import not_set_up
from assistant.questions.answer import Answer, Assumption, Assumptions, BadQuestion, Node, UnknownName, Value, Warning
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
    values = _within_the_game(game, read(question, game, inputs, notes), notes)
    try:
        result = question.answer(game, {**values, NOTES: notes})
    except UnknownName:
        raise
    except BadQuestion as error:
        error.preface = _preface(question, game, values, notes)
        raise
    if player_notes := list(left_to_players(game, question.name, values)):
        result = replace(result, nodes=[*result.nodes, *player_notes])
    position = values.get("position")
    if isinstance(position, Position) and position.unknown:
        left_out = Value("left_out", unknown_json(game, position), for_people=False)
        result = replace(result, nodes=[*result.nodes, Warning(unknown_text(game, position)), left_out])
    return replace(result, nodes=[*_preface(question, game, values, notes), *result.nodes])


def _preface(question: Question, game: Game, values: Mapping[str, Any], notes: Sequence[Assumption]) -> list[Node]:
    """Return the first lines of an answer or a refusal: how many units aren't set up, and the assumptions."""
    asks_map = question.input("put") is not None and question.on_map(values)
    waiting_units = not_set_up(game, values) if asks_map else []
    return [*waiting_units, *[Assumptions(tuple(notes))] * bool(notes)]


def _within_the_game(game: Game, values: dict[str, Any], notes: list[Assumption]) -> dict[str, Any]:
    """Return the inputs with a save that is on no turn of its scenario put on the nearest, which is recorded."""
    position = values.get("position")
    if not isinstance(position, Position) or "turn" in values:
        return values
    turn = game.nearest_turn(position.turn, position.scenario)
    if turn == position.turn:
        return values
    notes.append(Assumption("turn", turn, f"turn {turn}, the nearest to the position's turn {position.turn}"))
    return {**values, "position": replace(position, turn=turn)}

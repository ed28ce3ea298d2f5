"""Supply as a question: as the pack's rules say, with who waits in the GHQ Holding Box."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_place
from assistant.engine.questions import TAKEN, ZONE, supply_sides
from assistant.engine.supply.supply_lines import supply_of
from assistant.games.yom_kippur.questions import ON_ITS_MAP, SIDE, SIDES, able, asked_field, ours
from assistant.questions.answer import Answer, CounterRef, Node, Sentence, Unofficial, Value
from assistant.questions.question import Input, Inputs, Question
from scenarios.grammar import count_text
from scenarios.model.game import Game


def in_supply(field: Field, standings: Iterable[PlacedUnit]) -> tuple[PlacedUnit, ...]:
    """Those of some units that are in supply."""
    return tuple(s for s in standings if supply_of(field, s.side).is_served(s, "supplied"))


def supply_answer(game: Game, told: Inputs) -> Answer:
    """Supply of both sides, or of `side`: each unit in or out, its path, what cuts it, and what would cut most."""
    field = asked_field(game, told)
    sides = (told["side"],) if "side" in told else SIDES
    waiting = [
        game.units[piece.unit]
        for piece in field.position.pieces
        if piece.at == "box:ghq_holding" and piece.unit in game.units
    ]
    nodes: list[Node] = [supply_sides(field, told, sides=sides)]
    nodes.append(Value("ghq_holding", [CounterRef(unit.id, unit.name) for unit in waiting], for_people=False))
    if waiting and "egyptian" in sides:
        nodes.append(
            Sentence(
                f"{count_text(len(waiting), 'unit')} in the GHQ Holding Box {'is' if len(waiting) == 1 else 'are'} always in supply",
                "3.3",
            )
        )
    taken = {asked_place(field.map_index, name) for name in told.get("taken", ())}
    chiefs = [(s, "supply_range") for side in sides for s in able(field, side, "supplies") if s.place not in taken]
    return Answer("supply", game.id, [*nodes, Unofficial(ours(game, chiefs, ground=True))])


SUPPLY = Question(
    name="supply",
    about="who is in supply, by which path, what cuts it, what would cut most",
    answer=supply_answer,
    positional=("scenario",),
    inputs=(
        SIDE,
        Input(name="unit", about="only these units", kind="units"),
        TAKEN,
        ZONE,
        Input(name="paths", about="every hex of each path", kind="flag"),
        *ON_ITS_MAP,
    ),
)

"""Sight as a question, and what fighters see of each other (Basic VII). The pack's `rules.sight` has the rules of
sight."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from assistant.engine.field import Field
from assistant.engine.sight.line_of_sight import HEXES, OF_ONE_HEX, blocking, los_nodes, observers, side_name
from assistant.engine.sight.visibility import SightResult, sights_of
from assistant.games.arab_israeli_wars.forces import Fighter, Look, is_slope
from assistant.games.arab_israeli_wars.questions import ON_THE_GROUND, asked_field, hex_of, ours_of
from assistant.questions.answer import Answer, BadQuestion, Node, Unofficial, Value
from assistant.questions.question import Inputs, Question
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.hexes import Hex


def los_answer(game: Game, inputs: Inputs) -> Answer:
    """Answer about sight. No hex: every pair of the map; one: what it sees; two: the line between them."""
    field, _ = asked_field(game, inputs)
    hexes = [hex_of(field, name) for name in inputs.get("hexes", ())]
    nodes: list[Node] = los_nodes(field, [field.map_index.number[hex] for hex in hexes], inputs)
    if len(hexes) == 2:
        slope = {end: is_slope(field, hex) for end, hex in zip(("from", "to"), hexes, strict=True)}
        nodes += [Value("slope", slope, for_people=False), Value("rulings", field.rulings, for_people=False)]
    return Answer("los", game.id, [*nodes, Unofficial(ours_of(game, field))])


def los_question(game: Game) -> Question:
    """Return the question, with this game's ways to name a map."""
    return Question(
        name="los",
        about="line of sight between two hexes, or everything that one hex sees",
        answer=los_answer,
        positional=("hexes",),
        inputs=(replace(HEXES, example="A-H-3,A-H-5"), *observers(game), *OF_ONE_HEX, *ON_THE_GROUND),
    )


def look(field: Field, a: Hex, b: Hex, viewer: str = "", seen_as: str = "") -> SightResult:
    """Return the line of sight between two hexes, with what blocks it and what shields."""
    for hex in (a, b):
        if hex not in field.hex_map:
            raise BadQuestion(f"hex {tuple(hex)} is not on this map")
    number = field.map_index.number
    return sights_of(field).look(number[a], number[b], viewer, seen_as)


def observer(field: Field, unit: Unit, states: Iterable[str] = ()) -> str:
    """How a unit sees and is seen: in the air unless it is down (Optional I.C.3), infantry class or not (Standard VI.E.2)."""
    return sights_of(field).observer(field.fields_of(unit, states))


def by_the_rules(field: Field, firer: Fighter, target: Fighter) -> Look:
    """Return sight by the rules (Basic VII), with the first thing that blocks it, or the hexsides that shield the
    target."""
    assert firer.at is not None and target.at is not None
    sight = look(field, firer.at, target.at, _as_seen(field, firer), _as_seen(field, target))
    if not sight.clear:
        blocker = sight.blocked_by[0]
        return Look(False, f"{blocking(field, blocker)} ({blocker.rule})")
    shielding_sides = [
        side_name(field, effect.crossing.side) for effect in sight.shields if effect.crossing.side is not None
    ]
    return Look(True, "", bool(shielding_sides), ", ".join(dict.fromkeys(shielding_sides)))


def _as_seen(field: Field, fighter: Fighter) -> str:
    unit = field.game.units.get(fighter.unit)
    return "" if unit is None else observer(field, unit, fighter.states)

"""What the questions of Yom Kippur have in common: the position, the units they name, numbers that aren't the rulebook's."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from assistant import unofficial
from assistant.engine.field import Field
from assistant.engine.map_index import map_index_of
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_start, changed_field
from assistant.engine.question_field import asked_units as named_units
from assistant.questions.answer import BadQuestion
from assistant.questions.question import ON_ANY_MAP, Input, Inputs
from assistant.unofficial import Cell
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.model.position import Piece
from scenarios.model.sources import Source
from scenarios.reading.shapes import number

SIDES = ("egyptian", "israeli")
PAID = Input(
    name="may_cross_east", about="3.8 is paid for: Egyptian headquarters and SAMs may be east of the canal", kind="flag"
)
ON_ITS_MAP = (*ON_ANY_MAP, PAID)
"""What every question about a position may be told."""
SIDE = Input(name="side", about="whose", kind="choice", vocabulary="side")
UNITS = Input(name="unit", about="who, as in UNIT,UNIT", kind="units")
STEPS = "steps"
"""Besides the factors, a number of a unit that an answer may rest on."""


def other(side: str) -> str:
    """The enemy of a side."""
    return SIDES[1 - SIDES.index(side)]


def asked_field(game: Game, told: Inputs) -> Field:
    """The units on the map: of `position`, or of the start of `scenario`; changed as told.

    The states that a question names with its units are theirs, as if `mark` told them.
    """
    named = (unit for key in ("unit", "attackers", "shifted") for unit in told.get(key, ()) if unit.states)
    told = {**told, "mark": (*told.get("mark", ()), *named)}
    position, assumed = asked_start(game, told)
    kinds = map_index_of(game, position.scenario)
    assert kinds is not None
    field = changed_field(kinds, position, told, assumed)
    for n, there in field.by_place.items():
        enemy = next((standing for standing in there if standing.side != there[0].side), None)
        if enemy is not None:
            raise BadQuestion(f"{there[0].name} and {enemy.name} can't both be in {kinds.name(n)}: they are enemies")
    marked = {named.id for key in ("put", "mark") for named in told.get(key, ()) if named.states}
    for piece in field.position.pieces:
        if piece.unit in marked and piece.unit in game.units:
            sound(game, piece)
    return field


def sound(game: Game, piece: Piece) -> None:
    """BadQuestion if a unit can't be in the states it was told to be in (1.4c, 1.14a)."""
    unit = game.units[piece.unit]
    if "bridge" in piece.states and "builds_bridge" not in unit.abilities:
        raise BadQuestion(f"{unit.name} is no engineer and can't be a bridge (1.14a)")
    if sum(game.states[state].steps_lost for state in piece.states) >= unit.steps:
        count = count_text(unit.steps, "step")
        raise BadQuestion(f"{unit.name} has {count}: with that loss it is gone (1.4c); leave it out")


def asked_units(field: Field, told: Inputs, key: str) -> list[PlacedUnit]:
    """The units on the map that a question names, each once."""
    once = {str(named): named for named in told.get(key, ())}
    return named_units(field, tuple(once.values()))


def limit(game: Game, name: str) -> Fraction:
    """A number of the rules, from the table of limits."""
    return number(game.tables["limits"].cell(name, 0).code)


def able(field: Field, side: str, ability: str) -> tuple[PlacedUnit, ...]:
    """The units of a side with an ability."""
    return tuple(standing for standing in field.units_of(side) if ability in standing.counter.abilities)


def ours(
    game: Game, pairs: Iterable[tuple[PlacedUnit, str]] = (), cells: Iterable[Cell] = (), *, ground: bool = False
) -> dict[str, str]:
    """The overlay entries of what isn't the rulebook's: factors on the face that shows and steps of units, cells of tables,
    with `ground` the map."""
    more: dict[str, Source | None] = dict(unofficial.map_sources(game)) if ground else {}
    more |= dict(
        unofficial.shown_source(standing.counter, factor, bool(standing.fields["reduced"]))
        for standing, factor in pairs
    )
    return unofficial.unofficial_addresses(game, cells=cells, other_sources=more)

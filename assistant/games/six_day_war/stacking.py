"""Stacks that are too high when a phase ends (11.2 to 11.5)."""

from __future__ import annotations

from itertools import combinations

from assistant.answers import Answer, Cell, Column, Line, Table
from assistant.games.six_day_war.forces import static
from assistant.games.six_day_war.questions import ON_THE_MAP, asked_field
from assistant.questions import Question, Told
from assistant.rules.field import Field, Standing
from assistant.rules.stacking import failures, stacks
from scenarios.game import Game


def _stacks(game: Game, told: Told) -> Answer:
    """Hexes where too many units stand for the end of a movement or combat phase, and how many must go."""
    field = asked_field(game, told)
    rows: list[dict[str, Cell]] = []
    for stack in stacks(field):
        if stack.failures:
            walls = [static(standing) for standing in _leaving(field, stack.standings)]
            units = [standing.counter for standing in stack.standings]
            rows.append(
                {
                    "place": field.place(stack.place),
                    "units": units,
                    "mobile": walls.count(False),
                    "static": walls.count(True),
                }
            )
    rows.sort(key=lambda row: str(row["place"]))
    columns = [
        Column("place", "in"),
        Column("units", "of these"),
        Column("mobile", "mobile to go"),
        Column("static", "static to go"),
    ]
    head = Line("so many must go by the owner's choice", "11.5") if rows else Line("no hex is too full", "11.2, 11.3")
    return Answer("stacks", game.id, [head, Table("too_many", columns, rows)])


def _leaving(field: Field, units: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """The fewest units without whom the others may stay."""
    for count in range(len(units)):
        for gone in combinations(units, count):
            left = [standing for standing in units if standing not in gone]
            if not any(failures(field, field.walker(standing), standing.at, gone) for standing in left):
                return gone
    return units


STACKS = Question(
    name="stacks", about="hexes with too many units for the end of a phase", answer=_stacks, inputs=ON_THE_MAP
)

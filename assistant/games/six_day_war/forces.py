"""The two fronts on the map, and what lies beside it: boxes, tracks, markers (2.14, 5.2, 8.3, 21.5)."""

from __future__ import annotations

from fractions import Fraction

from assistant.engine.field import Field
from assistant.engine.movement.walk import StepEvaluator
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.zones import zones_of
from assistant.unofficial import required_factor
from scenarios.model.areas import Area
from scenarios.model.game import Game
from scenarios.model.position import Piece, Position

SIDES = ("israeli", "arab")
FRONTS = ("sinai", "eastern")
HOMES = ("city", "fortified_city", "town", "kibbutz")


def foe(side: str) -> str:
    """The enemy of a side."""
    return SIDES[1 - SIDES.index(side)]


def static(standing: PlacedUnit) -> bool:
    """Whether a unit never moves (19.2)."""
    return standing.counter.class_ == "static"


def strength(standing: PlacedUnit, game: Game) -> Fraction:
    """Its printed combat strength (13.16)."""
    return required_factor(game, standing.counter, "combat")


def fields_of(game: Game, standing: PlacedUnit) -> dict[str, Fraction | int | str | bool]:
    """A unit as an attack's formulas see it; BadQuestion where nobody knows its strength."""
    strength(standing, game)
    return dict(standing.fields)


# --- places -----------------------------------------------------------------------------------------------------------


def terrain(field: Field, n: int) -> str:
    """The kind of a hex."""
    return field.map_index.terrain(field.map_index.places[n])


def within(field: Field, n: int, region: str) -> bool:
    """Whether a hex is in a region of the map."""
    return field.map_index.places[n] in field.map_index.regions[region]


def front(field: Field, n: int) -> str:
    """The sector of a hex (5.2)."""
    return next((front for front in FRONTS if within(field, n, f"{front}_sector")), "")


def area(field: Field, area: Area) -> frozenset[int]:
    """The hexes of an area of the scenario."""
    return frozenset(
        field.map_index.number[place] for place in field.places_of(area) if place in field.map_index.number
    )


def around(field: Field, n: int) -> list[int]:
    """The hexes next to a hex."""
    return [m for m, _ in field.map_index.neighbours(n)]


def watched(field: Field, n: int, side: str) -> bool:
    """Whether a hex is in a zone of control of a side's enemies (12.1)."""
    return bool(zones_of(field).enemies_at("zoc", side, n))


def entering(field: Field, standing: PlacedUnit) -> StepEvaluator:
    """Tells what keeps a unit out of a hex, wherever it comes from (10.9, 25.1, 25.2, 25.4)."""
    return StepEvaluator(
        field, field.program.ready(field.program.rules.movement["move"].steps), field.mover(standing), local=True
    )


# --- beside the map ---------------------------------------------------------------------------------------------------


def dead(game: Game, position: Position, front: str) -> tuple[Piece, ...]:
    """The dead of a front: in its deadpile, or in a pile of their side's if they belong to that front (8.3)."""
    return tuple(
        piece
        for piece in position.pieces
        if piece.at == f"box:{front}_dead"
        or (
            str(piece.at).startswith("dead:")
            and piece.unit in game.units
            and game.units[piece.unit].factors.get("front") == front
        )
    )

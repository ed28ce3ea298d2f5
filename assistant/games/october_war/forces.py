"""What a position of October War tells of one unit's fire and of strikes: who is in a point, headquarters, missiles."""

from __future__ import annotations

from fractions import Fraction

from assistant.attack import Fields
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.supply.supply_lines import supply_of
from assistant.engine.zones import zones_of
from assistant.questions.question import Inputs, read_integer
from scenarios.model.game import Game
from scenarios.unit_view import view_unit

GROUND = "ground"


def limit(game: Game, what: str, side: str) -> Fraction:
    """A number of the rules for a side, from the pack's table of limits."""
    return Fraction(game.tables["limits"].looked_up(what, side))


def counters(game: Game, side: str, *types: str) -> int:
    """How many counters of some types a side has: the mix is a limit (10.5)."""
    return sum(unit.count for unit in game.units.values() if unit.side == side and unit.type in types)


def fighters(field: Field, n: int, side: str, attacking: bool) -> list[Fields]:
    """A side's units in a point; those without a line of communication are out of supply (11.2).

    A fort spares the line to who holds it, not to who storms it (the ruling on forts).
    """
    spared = not attacking or field.game.rulings["fort_supply"].choice == "anyone"
    lines, game = supply_of(field, side), field.game
    found: list[Fields] = []
    for standing in field.stack(n, side):
        line = (spared and lines.free(standing) is not None) or lines.is_served(standing, "line")
        cut = set() if line else {"out_of_supply"}
        states = (standing.piece.states | cut) & set(game.states)
        found.append(view_unit(game, standing.counter, states, standing.piece.steps_lost).fields)
    return found


def near(field: Field, n: int) -> set[int]:
    """The points next to one; reserve areas don't count (15.6, 24.2)."""
    return {m for m, _ in field.map_index.neighbours(n) if field.map_index.map_value(m, "terrain") != "reserve_area"}


def near_headquarters(field: Field, n: int, side: str) -> dict[str, int]:
    """The value of the best headquarters of each nation next to a point (15.6); Israel's under no name."""
    found: dict[str, int] = {}
    around = near(field, n)
    for standing in (s for s in field.units_of(side) if s.fields["leader"] and s.place in around):
        nation = "" if side == "israeli" else str(standing.fields["nation"])
        found[nation] = max(found.get(nation, 0), int(standing.fields["leader"]))
    return found


def missiles_over(field: Field, n: int, side: str) -> tuple[PlacedUnit, ...]:
    """The missile units of a side that reach a point (20.3, 20.8)."""
    return zones_of(field).coverage("umbrella", side).get(n, ())


def asked_sites(game: Game, field: Field | None, n: int | None, side: str, told: Inputs) -> tuple[int, int]:
    """The SAM units of a side that reach a point, and those in it (20.8): told, or seen in the position."""
    seen = missiles_over(field, n, side) if field is not None and n is not None else ()
    many = read_integer(told, "sites", len(seen), 0, counters(game, side, "mobile_sam", "static_sam"))
    return many, read_integer(told, "sites_here", min(sum(s.place == n for s in seen), many), 0, many)

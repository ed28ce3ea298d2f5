"""What a position tells of a battle in one of its points: who fights, who is cut off, which headquarters are near."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assistant.attacks import BadQuestion, Fields, unit_fields
from assistant.games.october_war.ground import ENEMY, Ground
from assistant.games.october_war.reach import umbrellas
from assistant.games.october_war.supply import Lines
from scenarios.position import Piece
from scenarios.resolve import Resolver


def fighters(here: Ground, point: str, side: str) -> list[Fields]:
    """A side's units in a point; those without a line of communication are out of supply (11.2)."""
    lines = Lines(here, side)
    result: list[Fields] = []
    for piece, unit in here.units:
        if piece.at == point and unit.side == side:
            cut = set() if lines.line(piece, unit).supplied else {"out_of_supply"}
            result.append(unit_fields(here.game, unit, sorted((piece.states | cut) & set(here.game.states))))
    return result


def both(here: Ground, point: str, side: str) -> tuple[list[Fields], list[Fields]]:
    """Attackers of a side and defenders in a point (15.0)."""
    found = fighters(here, point, side), fighters(here, point, ENEMY[side])
    for units, whose in zip(found, (side, ENEMY[side]), strict=True):
        if not units:
            raise BadQuestion(f"no {whose} unit is in {here.map.points[point].name}; combat is in one point (15.1)")
    return found


def near_headquarters(here: Ground, point: str, side: str) -> Mapping[str, int]:
    """The best headquarters of each nation next to a point (15.6); Israel's under no name."""
    result: dict[str, int] = {}
    for piece, unit in here.units:
        value = unit.factors.get("leader", Fraction(0))
        if (
            unit.side == side
            and value
            and str(piece.at) in here.map.adjacent(point)
            and not here.off_map(str(piece.at))
        ):
            nation = "" if side == "israeli" else unit.nation
            result[nation] = max(result.get(nation, 0), int(str(value)))
    return result


def surprised(here: Ground, point: str, nation: str) -> bool:
    """Whether a special rule of the scenario gives the attackers the first fire there this turn (6.3 (1))."""
    scenario = here.game.scenarios.get(here.position.scenario)
    for special in scenario.special if scenario else ():
        for effect in special.effects:
            if effect.effect == "first_fire" and effect.at is not None and effect.nation in ("", nation):
                places = Resolver(here.map, dict(scenario.zones) if scenario else {}).places(effect.at)
                if point in places and effect.turns in ("", str(here.position.turn)):
                    return True
    return False


def sites(here: Ground, point: str, side: str) -> tuple[list[Piece], list[Piece]]:
    """The missile units of a side that reach a point, and those of them that stand in it (20.3, 20.8)."""
    reach = [umbrella.piece for umbrella in umbrellas(here, side) if point in umbrella.points]
    return reach, [piece for piece in reach if piece.at == point]


def elsewhere(here: Ground, point: str) -> Mapping[str, int]:
    """How many counters of each kind stand elsewhere on the map (9.4)."""
    result: dict[str, int] = {}
    for piece, unit in here.units:
        if piece.at != point:
            result[unit.id] = result.get(unit.id, 0) + 1
    return result

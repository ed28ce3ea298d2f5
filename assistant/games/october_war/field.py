"""What a position tells of a battle in one of its points: who fights, who is cut off, which headquarters are near."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from assistant.attacks import BadQuestion, Fields, unit_fields
from assistant.games.october_war.ground import ENEMY, Ground
from assistant.games.october_war.limits import HOME
from assistant.games.october_war.reach import umbrellas
from assistant.games.october_war.supply import can_swim, lines_of
from assistant.shared.specials import effects
from scenarios.position import Piece


def fighters(here: Ground, point: str, side: str, attacking: bool) -> list[Fields]:
    """A side's units in a point; those without a line of communication are out of supply (11.2).

    A fort spares the line to who holds it, not to who storms it (the ruling on forts).
    """
    lines = lines_of(here, side)
    result: list[Fields] = []
    for piece, unit in here.stack(point, side):
        spared = not attacking and lines.safe(point)
        cut = set() if spared or lines.reach(point, can_swim(unit)) else {"out_of_supply"}
        result.append(unit_fields(here.game, unit, sorted((piece.states | cut) & set(here.game.states))))
    return result


def both(here: Ground, point: str, side: str) -> tuple[list[Fields], list[Fields]]:
    """Attackers of a side and defenders in a point (15.0)."""
    found = fighters(here, point, side, True), fighters(here, point, ENEMY[side], False)
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


def headquarters_near(here: Ground, point: str) -> tuple[str, ...]:
    """The headquarters next to a point, by counter (15.6)."""
    near = {there for there in here.map.adjacent(point) if not here.off_map(there)}
    return tuple(sorted({unit.id for piece, unit in here.units if unit.factors.get("leader") and piece.at in near}))


def spotting(here: Ground, point: str, attackers: Sequence[Fields]) -> set[str]:
    """Where units stand that may direct a barrage on a point (24.2): in it or next to it, of the nation, with a line."""
    nation, side = str(attackers[0]["nation"]), str(attackers[0]["side"])
    lines = lines_of(here, side)
    near = {there for there in here.map.adjacent(point) if not here.off_map(there)} | {point}
    found = {
        str(piece.at)
        for piece, unit in here.units
        if unit.nation == nation and piece.at in near and lines.line(piece, unit).supplied
    }
    told = any(unit["nation"] == nation and not unit["out_of_supply"] for unit in attackers)
    return found | ({point} if told else set())


def free_ew(here: Ground, point: str) -> str:
    """The side that has an EW marker for nothing there while a unit of it is on the map (23.1), or nothing."""
    held = {unit.id for piece, unit in here.units}
    for effect in effects(here.game, here.position, "free_ew"):
        if effect.at is not None and held & set(effect.units) and point in here.places(effect.at):
            return effect.side
    return ""


def surprised(here: Ground, point: str, nation: str) -> bool:
    """Whether a special rule of the scenario gives the attackers the first fire there this turn (6.3 (1))."""
    return any(
        effect.at is not None and effect.nation in ("", nation) and point in here.places(effect.at)
        for effect in effects(here.game, here.position, "first_fire")
    )


def sites(here: Ground, point: str, side: str) -> tuple[list[Piece], list[Piece]]:
    """The missile units of a side that reach a point, and those of them that stand in it (20.3, 20.8)."""
    reach = [umbrella.piece for umbrella in umbrellas(here, side) if point in umbrella.points]
    return reach, [piece for piece in reach if piece.at == point]


def at_home(here: Ground, point: str) -> int:
    """How many city brigades aren't counted for stacking in a point (5.2 (2)); one, where none is there to ask."""
    found = [piece for piece, unit in here.units if piece.at == point and HOME in unit.abilities]
    return int(any(here.at_home(piece, point) for piece in found) if found else point in here.cities)


def elsewhere(here: Ground, point: str) -> Mapping[str, int]:
    """How many counters of each kind stand elsewhere on the map (9.4)."""
    result: dict[str, int] = {}
    for piece, unit in here.units:
        if piece.at != point:
            result[unit.id] = result.get(unit.id, 0) + 1
    return result

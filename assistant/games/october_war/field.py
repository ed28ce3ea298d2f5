"""What a position tells of a battle in one of its points: who fights, who is cut off, which headquarters are near."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from assistant.answers import BadQuestion
from assistant.attack import Fields, unit_fields
from assistant.games.october_war.forces import parts_of
from assistant.games.october_war.questions import ENEMY
from assistant.games.october_war.stacking import counters
from assistant.questions import Told, whole
from assistant.rules.command import radius
from assistant.rules.field import Field, Standing, Walker
from assistant.rules.retreat import retreat
from scenarios.game import Game
from scenarios.position import Piece
from scenarios.scenario import Effect


def fighters(field: Field, point: str, side: str, attacking: bool) -> list[Fields]:
    """A side's units in a point; those without a line of communication are out of supply (11.2).

    A fort spares the line to who holds it, not to who storms it (the ruling on forts).
    """
    spared = not attacking or field.game.rulings["fort_supply"].choice == "anyone"
    lines, game = field.supply(side), field.game
    found: list[Fields] = []
    for standing in field.stack(field.kinds.number[point], side):
        line = (spared and lines.free(standing) is not None) or lines.found(standing, "line")
        cut = set() if line else {"out_of_supply"}
        found.append(unit_fields(game, standing.unit, sorted((standing.piece.states | cut) & set(game.states))))
    return found


def both(field: Field, point: str, side: str) -> tuple[list[Fields], list[Fields]]:
    """Attackers of a side and defenders in a point (15.0)."""
    found = fighters(field, point, side, True), fighters(field, point, ENEMY[side], False)
    for units, whose in zip(found, (side, ENEMY[side]), strict=True):
        if not units:
            raise BadQuestion(f"no {whose} unit is in {field.kinds.title(field.kinds.number[point])}; combat is in one point (15.1)")
    return found


def headquarters_near(field: Field, point: str, side: str = "") -> list[Standing]:
    """The headquarters next to a point (15.6); none helps out of a reserve area."""
    kinds = field.kinds
    near = {n for n, _ in kinds.near(kinds.number[point]) if kinds.told(n, "terrain") != "reserve_area"}
    return [s for s in field.standings if s.fields["leader"] and s.at in near and side in ("", s.side)]


def near_headquarters(field: Field, point: str, side: str) -> Mapping[str, int]:
    """The value of the best headquarters of each nation next to a point (15.6); Israel's under no name."""
    found: dict[str, int] = {}
    for standing in headquarters_near(field, point, side):
        nation = "" if side == "israeli" else str(standing.fields["nation"])
        found[nation] = max(found.get(nation, 0), int(standing.fields["leader"]))
    return found


def spotting(field: Field, point: str, attackers: Sequence[Fields]) -> tuple[bool, bool]:
    """Whether a unit may direct a barrage on a point (24.2): in it or next to it, of the nation, with a line; and one in command.

    Attackers that are told count as being in the point.
    """
    nation, side = str(attackers[0]["nation"]), str(attackers[0]["side"])
    kinds, lines = field.kinds, field.supply(side)
    n = kinds.number[point]
    near = {m for m, _ in kinds.near(n) if kinds.told(m, "terrain") != "reserve_area"} | {n}
    seen = {s.at for s in field.standings if s.fields["nation"] == nation and s.at in near and lines.found(s, "supplied")}
    seen |= {n} if any(unit["nation"] == nation and not unit["out_of_supply"] for unit in attackers) else set()
    heads = [s for s in field.of(side) if s.fields["leader"] and s.fields["nation"] == nation]
    led = {place for head in heads for root in radius(field, head).values() for place in root.places}
    led |= {n for unit in attackers if unit["leader"]}
    return bool(seen), bool(seen & led)


def missiles_over(field: Field, n: int, side: str) -> tuple[Standing, ...]:
    """The missile units of a side that reach a point (20.3, 20.8)."""
    return field.zones.of("umbrella", side).get(n, ())


def asked_sites(game: Game, field: Field | None, point: str, side: str, told: Told) -> tuple[int, int]:
    """The SAM units of a side that reach a point, and those in it (20.8): told, or seen in the position."""
    n = field.kinds.number[point] if field is not None and point else None
    seen = missiles_over(field, n, side) if field is not None and n is not None else ()
    many = whole(told, "sites", len(seen), 0, counters(game, side, "mobile_sam", "static_sam"))
    return many, whole(told, "sites_here", min(sum(s.at == n for s in seen), many), 0, many)


def free_ew(field: Field, point: str) -> str:
    """The side that has an EW marker for nothing there while a unit of it is on the map (23.1), or nothing."""
    present = {standing.unit.id for standing in field.standings}
    return next((effect.side for effect in _effects(field, "free_ew", point) if present & set(effect.units)), "")


def surprised(field: Field, point: str, nation: str) -> bool:
    """Whether a special rule of the scenario gives the attackers the first fire there this turn (6.3 (1))."""
    return any(effect.nation in ("", nation) for effect in _effects(field, "first_fire", point))


def _effects(field: Field, name: str, point: str) -> Iterable[Effect]:
    """The effects that hold now in a point, whosever they are."""
    return [effect for effect in field.in_force(name) if effect.at is not None and point in field.places_of(effect.at)]


def at_home(field: Field, point: str) -> int:
    """How many city brigades aren't counted for stacking in a point (5.2 (2)); one, where none is there to ask."""
    n = field.kinds.number[point]
    city = field.ask(field.program.values["city"], Walker("arab", {}), to=n)
    homes = {standing.fields["home"] for standing in field.by_place.get(n, ()) if standing.fields["free_at_home"]}
    return int(city != "" and (not homes or bool(homes & {city, "any"})))


def elsewhere(field: Field, point: str) -> Mapping[str, int]:
    """How many counters of each kind stand elsewhere on the map (9.4)."""
    return Counter(standing.unit.id for standing in field.standings if standing.piece.at != point)


def able(field: Field, point: str, units: Iterable[Fields]) -> dict[str, bool]:
    """Of units fighting in a point and what they break down into, by id: whether one can retreat (16.4).

    Each is asked as if it went alone; static units never retreat (16.4 (8)) and are left out. Nobody is asked where none
    of their side is there yet.
    """
    found: dict[str, bool] = {}
    game, n = field.game, field.kinds.number[point]
    for fields in units:
        unit = game.units[str(fields["id"])]
        if unit.id in found or not field.occupied(n, unit.side):
            continue
        states = [state for state in game.states if fields.get(state) is True]
        for fighter in (unit, *(game.units[part] for part in parts_of(game, unit, states))):
            if fighter.id not in found and "static" not in fighter.abilities:
                found[fighter.id] = bool(retreat(field, field.as_if(Piece(fighter.id, "", fighter.nation, point))).ways[1])
    return found

"""What comes back and what comes in: tank recovery, tank replacement, the reserves of the high command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from assistant.games.yom_kippur.field import Field, Stand
from assistant.games.yom_kippur.questions import effects
from assistant.games.yom_kippur.supply import in_supply
from assistant.shared.chains import together
from scenarios.game import phases
from scenarios.hexes import Hex, neighbours
from scenarios.tables import span


@dataclass(frozen=True)
class Recovery:
    """Israeli tank recovery: where it can be done, what is dead, and how many steps may come back."""

    headquarters: tuple[str, ...]
    places: tuple[Hex, ...]
    dead: tuple[str, ...]
    chances: Mapping[int, Fraction]


def recovery(field: Field, turns: int = 1) -> Recovery:
    """Steps of armor that come back in so many turns, this one first, with those who are dead now (2.3).

    A headquarters in supply, east of the canal, out of enemy zones; on it or next to it, out of them too.
    """
    game = field.ground.game
    zones = field.zones["egyptian"]
    able = [s for s in field.of("israeli") if "supplies" in s.unit.abilities and s.unit.nation == "israel"]
    chiefs = in_supply(field, "israeli", [s for s in able if s.hex not in zones and s.hex not in field.ground.west])
    places = {
        hex
        for chief in chiefs
        for hex in (chief.hex, *neighbours(chief.hex))
        if hex in field.ground.table and hex not in zones and hex not in field.held["egyptian"]
        if field.ground.table.terrain[hex] not in ("sea", "lake")
    }
    armor = {unit.id: unit for unit in game.units.values() if "pure_armor" in unit.abilities and unit.nation == "israel"}
    dead = [armor[p.unit] for p in field.position.pieces if p.at == "box:israeli_dead" and p.unit in armor]
    hurt = sum(s.unit.steps - s.steps for s in field.of("israeli") if s.unit.id in armor)
    most = sum(unit.steps for unit in dead) + hurt if places else 0
    table = game.tables["tank_recovery"]
    throw = {int(table.results[code].effects["steps"]): p for code, p in table.distribution(0).items()}
    first = field.ground.limit("recovery_first_turn")
    thrown = sum(field.position.turn + n >= first for n in range(turns))
    chances: dict[int, Fraction] = {}
    for steps, chance in together([throw] * thrown).items():
        chances[min(most, steps)] = chances.get(min(most, steps), Fraction(0)) + chance
    names = tuple(chief.name for chief in chiefs), tuple(unit.name for unit in dead)
    return Recovery(names[0], tuple(sorted(places)), names[1], dict(sorted(chances.items())))


@dataclass(frozen=True)
class Replacement:
    """A damaged Egyptian armor unit: the steps it lacks, what they bring, or why it can't have them now."""

    stand: Stand
    missing: int
    exploits_again: bool
    reason: str = ""


def tank_steps(field: Field) -> int:
    """Replacement steps that Egypt has: markers in their box, else what the scenario gives (3.7)."""
    if markers := sum(piece.at == "box:egyptian_tank_steps" for piece in field.position.pieces):
        return markers
    return sum(int(effect.value) for effect in effects(field, "tank_steps"))


def replacements(field: Field) -> tuple[Replacement, ...]:
    """Egyptian armor that has lost steps and lives (3.7); the ones that would exploit again come first (3.1)."""
    armor = [s for s in field.of("egyptian") if "pure_armor" in s.unit.abilities and s.unit.nation == "egypt"]
    hurt = [s for s in armor if s.steps < s.unit.steps]
    supplied, found = in_supply(field, "egyptian", hurt), []
    for stand in hurt:
        missing = stand.unit.steps - stand.steps
        reason = ""
        if stand.hex in field.zones["israeli"]:
            reason = "it is in an enemy zone of control"
        elif "disorganized" in stand.piece.states:
            reason = "it is disorganized"
        elif "out_of_supply" in stand.piece.states or stand not in supplied:
            reason = "it is out of supply"
        again = "exploits_at_full" in stand.unit.abilities and missing == 1
        found.append(Replacement(stand, missing, again, reason))
    return tuple(sorted(found, key=lambda one: (bool(one.reason), not one.exploits_again, one.stand.key)))


@dataclass(frozen=True)
class Release:
    """The chance that the Exploitation Reserve comes at the start of a turn, and that it has come by then."""

    turn: int
    now: Fraction
    by_now: Fraction


def last_turn(field: Field) -> int:
    """The last turn of the scenario, or of the turn track."""
    scenario = field.ground.game.scenarios.get(field.position.scenario)
    last = scenario.turns.last if scenario and scenario.turns else None
    return last or len(field.ground.game.tables["turn_track"].cells)


def waiting(field: Field, box: str) -> bool:
    """Whether anybody is still in a reserve's holding box."""
    return any(piece.at == f"box:{box}" for piece in field.position.pieces)


def next_check(field: Field) -> int:
    """The turn of the next Egyptian turn's start, where reserves come: this one, unless the phase is past it (1.2)."""
    scenario = field.ground.game.scenarios.get(field.position.scenario)
    sequences = field.ground.game.sequence
    sequence = sequences[scenario.sequence] if scenario and scenario.sequence else next(iter(sequences.values()))
    order = [phase.id for phase in phases(sequence)]
    phase = field.position.phase
    past = phase in order and order.index(phase) > order.index("egyptian_reserve_release")
    return field.position.turn + past


def releases(field: Field) -> tuple[Release, ...]:
    """When the Exploitation Reserve comes: by throws, turn by turn (3.4), or surely, where the GHQ Reserve does (3.3).

    None where there is nobody to be freed, or no turn left.
    """
    scenario = field.ground.game.scenarios.get(field.position.scenario)
    rolls = [e for special in scenario.special for e in special.effects if e.effect == "reserve_roll"] if scenario else []
    first, last = next_check(field), last_turn(field)
    if not waiting(field, "exploitation_reserve"):
        return ()
    if ghq_called(field):
        return (Release(first, Fraction(1), Fraction(1)),) if first <= last else ()
    if not rolls:
        return ()
    chance = field.ground.game.tables["reserve_release"].distribution(0).get("yes", Fraction(0))
    left, found = Fraction(1), []
    for turn in range(first, last + 1):
        now = left * chance if span(rolls[0].turns).holds(Fraction(turn)) else Fraction(0)
        left -= now
        found.append(Release(turn, now, 1 - left))
    return tuple(found)


def ghq_called(field: Field) -> tuple[Stand, ...]:
    """The Israelis west of the canal, who free both reserves (3.3)."""
    return tuple(stand for stand in field.of("israeli") if stand.hex in field.ground.west)

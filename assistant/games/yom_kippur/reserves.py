"""What comes back and what comes in: tank recovery, tank replacement, the reserves of the high command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from assistant.chances import together
from assistant.games.yom_kippur.asking import able, effects, limit, region
from assistant.games.yom_kippur.supply import in_supply
from assistant.rules.field import Field, Standing
from scenarios.game import phases
from scenarios.tables import span


@dataclass(frozen=True)
class Recovery:
    """Israeli tank recovery: where it can be done, what is dead, and how many steps may come back."""

    headquarters: tuple[str, ...]
    places: tuple[int, ...]
    dead: tuple[str, ...]
    chances: Mapping[int, Fraction]


def recovery(field: Field, turns: int = 1) -> Recovery:
    """Steps of armor that come back in so many turns, this one first, with those who are dead now (2.3).

    A headquarters in supply, east of the canal, out of enemy zones; on it or next to it, out of them too.
    """
    game, kinds = field.game, field.kinds
    zones, west = field.zones.of("zoc", "egyptian"), region(field, "west_of_canal")
    staffs = [s for s in able(field, "israeli", "supplies") if s.unit.nation == "israel"]
    chiefs = in_supply(field, [s for s in staffs if s.at not in zones and s.at not in west])
    near = {n for chief in chiefs for n in (chief.at, *(m for m, _ in kinds.near(chief.at)))}
    dry = {n for n in near if kinds.terrain(kinds.places[n]) not in ("sea", "lake")}
    places = {n for n in dry if n not in zones and not field.occupied(n, "egyptian")}
    armor = {unit.id: unit for unit in game.units.values() if "pure_armor" in unit.abilities and unit.nation == "israel"}
    dead = [armor[p.unit] for p in field.position.pieces if p.at == "box:israeli_dead" and p.unit in armor]
    hurt = sum(s.unit.steps - s.steps for s in field.of("israeli") if s.unit.id in armor)
    most = sum(unit.steps for unit in dead) + hurt if places else 0
    table = game.tables["tank_recovery"]
    throw = {int(table.results[code].effects["steps"]): p for code, p in table.distribution(0).items()}
    first = limit(game, "recovery_first_turn")
    thrown = sum(field.position.turn + n >= first for n in range(turns))
    chances: dict[int, Fraction] = {}
    for steps, chance in together([throw] * thrown).items():
        chances[min(most, steps)] = chances.get(min(most, steps), Fraction(0)) + chance
    names = tuple(chief.name for chief in chiefs), tuple(unit.name for unit in dead)
    return Recovery(names[0], tuple(sorted(places)), names[1], dict(sorted(chances.items())))


@dataclass(frozen=True)
class Replacement:
    """A damaged Egyptian armor unit: the steps it lacks, what they bring, or why it can't have them now."""

    standing: Standing
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
    armor = [s for s in able(field, "egyptian", "pure_armor") if s.unit.nation == "egypt"]
    hurt = [s for s in armor if s.steps < s.unit.steps]
    supplied, found = in_supply(field, hurt), []
    for standing in hurt:
        missing = standing.unit.steps - standing.steps
        reason = ""
        if field.zones.at("zoc", "israeli", standing.at):
            reason = "it is in an enemy zone of control"
        elif "disorganized" in standing.piece.states:
            reason = "it is disorganized"
        elif "out_of_supply" in standing.piece.states or standing not in supplied:
            reason = "it is out of supply"
        again = "exploits_at_full" in standing.unit.abilities and missing == 1
        found.append(Replacement(standing, missing, again, reason))
    return tuple(sorted(found, key=lambda one: (bool(one.reason), not one.exploits_again, one.standing.key)))


@dataclass(frozen=True)
class Release:
    """The chance that the Exploitation Reserve comes at the start of a turn, and that it has come by then."""

    turn: int
    now: Fraction
    by_now: Fraction


def last_turn(field: Field) -> int:
    """The last turn of the scenario, or of the turn track."""
    scenario = field.game.scenarios.get(field.position.scenario)
    last = scenario.turns.last if scenario and scenario.turns else None
    return last or len(field.game.tables["turn_track"].cells)


def waiting(field: Field, box: str) -> bool:
    """Whether anybody is still in a reserve's holding box."""
    return any(piece.at == f"box:{box}" for piece in field.position.pieces)


def next_check(field: Field) -> int:
    """The turn of the next Egyptian turn's start, where reserves come: this one, unless the phase is past it (1.2)."""
    scenario = field.game.scenarios.get(field.position.scenario)
    sequences = field.game.sequence
    sequence = sequences[scenario.sequence] if scenario and scenario.sequence else next(iter(sequences.values()))
    order = [phase.id for phase in phases(sequence)]
    phase = field.position.phase
    past = phase in order and order.index(phase) > order.index("egyptian_reserve_release")
    return field.position.turn + past


def releases(field: Field) -> tuple[Release, ...]:
    """When the Exploitation Reserve comes: by throws, turn by turn (3.4), or surely, where the GHQ Reserve does (3.3).

    None where there is nobody to be freed, or no turn left.
    """
    scenario = field.game.scenarios.get(field.position.scenario)
    rolls = [e for special in scenario.special for e in special.effects if e.effect == "reserve_roll"] if scenario else []
    first, last = next_check(field), last_turn(field)
    if not waiting(field, "exploitation_reserve"):
        return ()
    if ghq_called(field):
        return (Release(first, Fraction(1), Fraction(1)),) if first <= last else ()
    if not rolls:
        return ()
    chance = field.game.tables["reserve_release"].distribution(0).get("yes", Fraction(0))
    left, found = Fraction(1), []
    for turn in range(first, last + 1):
        now = left * chance if span(rolls[0].turns).holds(Fraction(turn)) else Fraction(0)
        left -= now
        found.append(Release(turn, now, 1 - left))
    return tuple(found)


def ghq_called(field: Field) -> tuple[Standing, ...]:
    """The Israelis west of the canal, who free both reserves (3.3)."""
    west = region(field, "west_of_canal")
    return tuple(standing for standing in field.of("israeli") if standing.at in west)

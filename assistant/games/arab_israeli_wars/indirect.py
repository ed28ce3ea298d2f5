"""Indirect fire: where it comes down, and whom it hits there (Standard II.A, Advanced III)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from assistant.answers import BadQuestion
from assistant.games.arab_israeli_wars.battle import Battle, Fighter, Looks, flies, spot_apart, spotters
from assistant.games.arab_israeli_wars.combat import (
    ELIMINATED,
    HURT,
    UNHARMED,
    Fate,
    Together,
    Toll,
    mixed,
    ordered,
    outcome,
    separate_throws,
    worked_out,
)
from assistant.rules.field import Field
from scenarios.dice import dice
from scenarios.hexes import Hex, neighbour, neighbours

_BEARING = {"up": 0, "right": 90, "down": 180, "left": 270}


class Fall(NamedTuple):
    """A place where the fire may come down, with its chance. No hex: off the map, or lost altogether."""

    how: Literal["hit", "drift", "scatter"]
    hex: Hex | None
    chance: Fraction
    thrown: int = 0
    """The throw on the Drift Diagram."""


def falls(field: Field, hex: Hex, *, seen: bool, interdiction: bool = False) -> tuple[Fall, ...]:
    """Where fire written down for a hex comes down; the chances add up to 1.

    A friend who sees the hex keeps it there (Standard II.A.4.b). Else the Scatter Chart decides (II.A.4.c); unseen
    interdiction always drifts (Advanced III.D.2.b).
    """
    if seen:
        return (Fall("hit", hex, Fraction(1)),)
    if interdiction:
        return drift(field, hex, Fraction(1))
    chart = field.game.tables["scatter"]
    chances = chart.distribution(0)
    found: list[Fall] = []
    if chances.get("hit"):
        found.append(Fall("hit", hex, chances["hit"]))
    if chances.get("drift"):
        found.extend(drift(field, hex, chances["drift"]))
    if chances.get("scatter"):
        found.append(Fall("scatter", None, chances["scatter"]))
    return tuple(found)


def drift(field: Field, hex: Hex, chance: Fraction) -> tuple[Fall, ...]:
    """The neighbouring hexes that fire drifts to, by the throw (Standard II.A.4.c)."""
    places = drift_hexes(field, hex)
    table = field.game.tables["drift"]
    return tuple(
        Fall("drift", places[thrown] if places[thrown] in field.hex_map else None, chance * share, thrown)
        for thrown, share in dice(table.dice).items()
    )


def drift_hexes(field: Field, hex: Hex) -> Mapping[int, Hex]:
    """The neighbour for each throw: the diagram's arrow lies along the long lettered edge and points north, or east
    where that edge runs east and west (Standard II.A.4.c)."""
    table = field.game.tables["drift"]
    north = _BEARING[field.hex_map.north]
    # The long edge of a flat-top board runs across the sheet.
    arrow = north if field.hex_map.north in ("left", "right") else north + 90
    column = table.named_column("degrees")
    return {
        thrown: neighbour(hex, (arrow + int(table.cell(thrown, column).code)) % 360 // 60)
        for thrown in dice(table.dice)
    }

# --- the fire --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Landing:
    """Indirect fire come down in one place: whom it hits there, and what becomes of them."""

    fall: Fall
    fates: tuple[Fate, ...]
    together: Together


@dataclass(frozen=True)
class Written:
    """Indirect fire, wherever it comes down."""

    landings: tuple[Landing, ...]
    fates: tuple[Fate, ...]
    """Of the targets asked about."""
    together: Together
    friends: Together
    """The toll among the firers' own side."""
    notes: tuple[str, ...]


def written(battle: Battle, looks: Looks | None) -> Written:
    """Where fire written down for a hex comes down, and whom it hits there (Standard II.A.4, II.A.5)."""
    field, hex = battle.field, battle.fired_at
    assert field is not None and hex is not None
    seen = sees_hex(battle, field, hex, looks)
    own = battle.firers[0].side
    landings: list[Landing] = []
    friends: list[tuple[Fraction, Together]] = []
    for fall in falls(field, hex, seen=seen, interdiction=battle.kind == "interdiction"):
        there = replace(battle, targets=hit(battle, fall, hex), target_hex=hex)
        there = replace(there, firers=_firing(there, fall, hex, seen))
        fates: tuple[Fate, ...] = ()
        if there.targets and there.firers:
            fates, _ = outcome(there, worked_out(there, {})[0])
        landings.append(Landing(fall, fates, _toll(fates, own, enemy=True)))
        friends.append((fall.chance, _toll(fates, own, enemy=False)))
    together = mixed((landing.fall.chance, landing.together) for landing in landings)
    fates = _overall(landings, _asked(battle, landings))
    return Written(tuple(landings), fates, together, mixed(friends), tuple(_notes(battle, seen)))


def sees_hex(battle: Battle, field: Field, hex: Hex, looks: Looks | None) -> bool:
    """Whether any undispersed friend sees the hex (Standard II.A.4.b); S-12 counts each army for itself."""
    if battle.seen is not None:
        return battle.seen
    if looks is None:
        return True
    place = Fighter("", "", at=hex)
    seeing = [one for one in spotters(battle) if looks(field, one, place).clear]
    if not spot_apart(battle) or not battle.firers:
        return bool(seeing)
    firer = battle.firers[0]
    if firer.nation and any(one.nation == firer.nation for one in seeing):
        return True
    for one in (firer, *seeing) if seeing else ():
        if not one.nation:
            where = f" in {field.hex_map.name(one.at)}" if one.at is not None else ""
            raise BadQuestion(f"{one.name}{where}: no army spots for another, so write its `nation` in the position, or say "
                              f"--seen yes or no (Situation {field.position.scenario})")  # fmt: skip
    return False


def hit(battle: Battle, fall: Fall, hex: Hex) -> tuple[Fighter, ...]:
    """Who is hit where the fire comes down: in the hex written down the targets asked about, elsewhere everybody,
    friends too (Standard II.A.4.d). Interdiction hits whoever moves or assaults in the marker's hex or next to it
    (Advanced III.D.2.c)."""
    if fall.hex is None:
        return ()
    interdiction = battle.kind == "interdiction"
    if fall.hex == hex and not interdiction:
        return battle.targets
    reach = {fall.hex, *neighbours(fall.hex)} if interdiction else {fall.hex}
    there = [one for one in battle.everyone if one.at in reach and "loaded" not in one.states]
    return tuple(one for one in there if one.unit in battle.game.units and not flies(battle.game, one))


def _asked(battle: Battle, landings: Sequence[Landing]) -> list[Fighter]:
    """Whose chances are told: the targets; under interdiction all that it may hit, enemies first, unless the player
    picked some of the hex."""
    targets = list(battle.targets)
    if battle.kind != "interdiction":
        return targets
    own = battle.firers[0].side
    here = [one for one in battle.everyone if one.at == battle.target_hex and one.side != own]
    here = [one for one in here if one.unit in battle.game.units and "loaded" not in one.states and not flies(battle.game, one)]
    if len(targets) < len(here):
        return targets
    found = {id(one.fighter): one.fighter for landing in landings for one in landing.fates}
    others = [one for key, one in found.items() if all(key != id(target) for target in targets)]
    return targets + sorted(others, key=lambda one: one.side == own)


def _firing(battle: Battle, fall: Fall, hex: Hex, seen: bool) -> tuple[Fighter, ...]:
    """Destructive fire never drifts, and does nothing where its target isn't spotted (Advanced III.C.2.c)."""
    return tuple(one for one in battle.firers if not one.aim or (seen and fall.hex == hex))


def _toll(fates: Sequence[Fate], own: str, *, enemy: bool) -> Together:
    """The toll of one side: each defender has a throw of its own (Standard II.A.5.d)."""
    parts: list[Together] = []
    for one in fates:
        if (not own or one.fighter.side != own) == enemy:
            part: dict[Toll, Fraction] = {}
            for word, chance in one.chances.items():
                toll = Toll(int(word == ELIMINATED), int(word in HURT))
                part[toll] = part.get(toll, Fraction(0)) + chance
            parts.append(part)
    return separate_throws(parts)


def _overall(landings: Sequence[Landing], targets: Sequence[Fighter]) -> tuple[Fate, ...]:
    """Each target's chances, wherever the fire comes down."""
    found = []
    for target in targets:
        chances: dict[str, Fraction] = {}
        die = 0
        for landing in landings:
            here = [one for one in landing.fates if one.fighter is target]
            die = here[0].die if here else die
            for word, chance in (here[0].chances if here else {UNHARMED: Fraction(1)}).items():
                chances[word] = chances.get(word, Fraction(0)) + landing.fall.chance * chance
        found.append(Fate(target, die, ordered(chances)))
    return tuple(found)


def _notes(battle: Battle, seen: bool) -> Iterator[str]:
    if battle.kind == "interdiction":
        yield "a unit is attacked each time it moves or assaults in the marker's hex or next to it (Advanced III.D.3)"
    if seen:
        yield "a friend sees the hex, so the fire neither scatters nor drifts (Standard II.A.4.b)"
    elif battle.kind == "interdiction":
        yield "no friend sees the hex: it drifts (Advanced III.D.2.b)"
    else:
        yield "no friend sees the hex: the fire may scatter or drift (Standard II.A.4.c)"
        yield "it can't be written down now, as nothing there is spotted (Standard II.A.1.b)"

"""An attack worked out: who may take part and why not, the odds, what becomes of the defenders; and where indirect fire comes down and
whom it hits there (Standard II.A, Advanced III)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from assistant.answers import BadQuestion, Refusal
from assistant.attack import Answer
from assistant.games.arab_israeli_wars.battle import flies
from assistant.games.arab_israeli_wars.combat import (
    ELIMINATED,
    HURT,
    UNHARMED,
    Fate,
    LeftOut,
    Refused,
    Together,
    Toll,
    fires_at,
    member,
    mixed,
    ordered,
    outcome,
    sentences,
    separate_throws,
    who_goes,
    worked_out,
)
from assistant.games.arab_israeli_wars.forces import (
    WRITTEN,
    Battle,
    Fighter,
    Look,
    Looks,
    every_look,
    spot_apart,
    spotters,
)
from assistant.rules.field import Field
from assistant.rules.planned import Bar
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
    # Fire that is written for a unit never scatters or drifts (Advanced III.C.2.c).
    kept = seen or all(firer.aim for firer in battle.firers)
    for fall in falls(field, hex, seen=kept, interdiction=battle.kind == "interdiction"):
        there = replace(battle, targets=hit(battle, fall, hex), target_hex=hex)
        there = replace(there, firers=_firing(there, fall, hex, seen))
        fates: tuple[Fate, ...] = ()
        if there.targets and there.firers:
            fates, _ = outcome(there, worked_out(there, {})[0])
        landings.append(Landing(fall, fates, _toll(fates, own, enemy=True)))
        friends.append((fall.chance, _toll(fates, own, enemy=False)))
    together = mixed((landing.fall.chance, landing.together) for landing in landings)
    fates = _overall(landings, _asked(battle, landings))
    return Written(tuple(landings), fates, together, mixed(friends), tuple(_written_notes(battle, seen)))


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
            raise BadQuestion(
                f"{one.name}{where}: no army spots for another, so say whose it is, with `nation` in the position file "
                f"or put={one.unit}@HEX:nation=NATION, or say --seen yes or no (Situation {field.position.scenario})"
            )
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
    here = [
        one
        for one in here
        if one.unit in battle.game.units and "loaded" not in one.states and not flies(battle.game, one)
    ]
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


def _written_notes(battle: Battle, seen: bool) -> Iterator[str]:
    if battle.kind == "interdiction":
        yield "a unit is attacked each time it moves or assaults in the marker's hex or next to it (Advanced III.D.3)"
    if seen:
        yield "a friend sees the hex, so the fire neither scatters nor drifts (Standard II.A.4.b)"
    elif battle.firers and all(firer.aim for firer in battle.firers):
        yield "no friend sees the hex: destructive fire has no effect, and never scatters or drifts (Advanced III.C.2.c)"
    elif battle.kind == "interdiction":
        yield "no friend sees the hex: it drifts (Advanced III.D.2.b)"
    else:
        yield "no friend sees the hex: the fire may scatter or drift (Standard II.A.4.c)"
        yield "it can't be written down now, as nothing there is spotted (Standard II.A.1.b)"


# --- any attack -------------------------------------------------------------------------------------------------------

SPOTTING = "Basic VII.D.3"
"""The rule that a unit in cover must be spotted; without a map the player has to say that it is."""


@dataclass(frozen=True)
class Fire:
    """An attack and all that can be said of it."""

    battle: Battle
    answers: tuple[Answer, ...]
    """One; or one for each defender, where each is attacked alone."""
    fates: tuple[Fate, ...]
    together: Together
    left_out: tuple[LeftOut, ...] = ()
    refused: tuple[Bar, ...] = ()
    looks: Mapping[tuple[int, int], Look] = field(default_factory=dict)
    landings: tuple[Landing, ...] = ()
    friends: Together = field(default_factory=dict)
    """The toll among the firers' own side, where fire may drift."""
    notes: tuple[str, ...] = ()


def fire(battle: Battle, looks: Looks | None = None, *, choose: bool = False, anyway: bool = False) -> Fire:
    """Work an attack out. A unit that may not take part makes it a BadQuestion with the rule; with `choose` it is left
    out as long as others remain; with `anyway` the numbers are given all the same."""
    if not battle.targets and battle.kind not in WRITTEN:
        group = battle.shape.groups[battle.shape.defenders]
        raise BadQuestion(f"{group.title}: nobody is named; say {battle.shape.defenders}=UNIT (Basic VI.A.1)")
    if battle.attack == "anti_aircraft":
        _only_aircraft(battle)
    if battle.firers and all(firer.aim for firer in battle.firers):
        battle = replace(battle, targets=_written_for(battle))
    left_out: list[LeftOut] = []
    while True:
        seen = every_look(battle, looks)
        answers, refused = worked_out(battle, seen)
        if anyway or not refused:
            break
        out = who_goes(battle, refused) if choose else set()
        if not out:
            first, *more = sentences(battle, refused)
            raise Refusal(first.text, first.rule, [*more, *((text, "") for text in _to_be_told(battle, refused))])
        left_out += [LeftOut(member(battle, key), refused[key]) for key in sorted(out)]
        battle = replace(
            battle,
            firers=tuple(one for i, one in enumerate(battle.firers) if ("firers", i) not in out),
            targets=tuple(one for i, one in enumerate(battle.targets) if ("targets", i) not in out),
        )
    said = sentences(battle, refused)
    notes = tuple(_notes(battle))
    if battle.kind in WRITTEN and battle.field is not None and battle.fired_at is not None:
        held = written(battle, looks)
        return Fire(
            battle,
            answers,
            held.fates,
            held.together,
            tuple(left_out),
            said,
            landings=held.landings,
            friends=held.friends,
            notes=notes + held.notes,
        )
    fates, together = outcome(battle, answers)
    return Fire(battle, answers, fates, together, tuple(left_out), said, seen, notes=notes)


def _written_for(battle: Battle) -> tuple[Fighter, ...]:
    """The units that destructive fire is written for: it attacks nobody else (Advanced III.C.2.b)."""
    found = tuple(target for target in battle.targets if any(fires_at(firer, target) for firer in battle.firers))
    if not found:
        aim = battle.firers[0].aim
        raise BadQuestion(f"{aim} is not in the hex, so fire written for it does nothing (Advanced III.C.2.c)")
    return found


def _to_be_told(battle: Battle, refused: Refused) -> Iterator[str]:
    """What a player may have left out, without a map."""
    unspotted = any(reason.rule.startswith(SPOTTING) for reasons in refused.values() for reason in reasons)
    if battle.field is None and unspotted:
        unit = battle.targets[0].unit if battle.targets else "UNIT"
        near = " or next_to=yes" if "next_to" in battle.shape.inputs else ""
        yield f"if it is, say so: {unit}+spotted{near}"


def _only_aircraft(battle: Battle) -> None:
    """Anti-aircraft fire is at air units (Advanced I.D)."""
    ground = [
        t.name
        for t in battle.targets
        if t.unit in battle.game.units and battle.game.units[t.unit].factors["target"] != "F"
    ]
    if ground:
        raise BadQuestion(f"{ground[0]}: anti-aircraft fire is at air units only (Advanced I.D)")


def _notes(battle: Battle) -> Iterator[str]:
    """What else a player should know."""
    shape = battle.shape
    if shape.note:
        yield shape.note.strip()
    hexes = {target.at for target in battle.targets if target.at is not None}
    if any(one.at in hexes and "loaded" in one.states for one in battle.everyone):
        yield "passengers share their carrier's fate (Basic V.B.6.d)"
        riders = (one for one in battle.everyone if one.at in hexes and "loaded" in one.states)
        if any("special_infantry" in _abilities(battle, one) for one in riders) and battle.advanced:
            yield "special infantry may bail out, dispersed, if its carrier is dispersed (Advanced II.B)"
    if any(target.unit == "bridge" for target in battle.targets):
        yield "with a bridge goes whatever can't be in its hex without it (Standard V.H.4.d, VI.E.5.c)"
    if any(one.unit in battle.game.units and battle.game.units[one.unit].type == "jet" for one in battle.targets):
        yield "a dispersed airplane leaves the board too, and its strike is lost (Advanced I.D.1.d)"
    if battle.kind == "direct_fire" and any("wire_guided" in _abilities(battle, one) for one in battle.firers):
        yield "units in the hex may fire first at wire-guided missiles (Optional I.B, if used)"


def _abilities(battle: Battle, one: Fighter) -> frozenset[str]:
    unit = battle.game.units.get(one.unit)
    return unit.abilities if unit else frozenset()

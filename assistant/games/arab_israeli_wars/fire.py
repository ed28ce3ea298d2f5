"""The result of an attack: the units that take part and why others may not, the odds, the outcome for the defenders;
and where indirect fire lands and what it hits there (Standard II.A, Advanced III)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from assistant.attack import Odds
from assistant.chances import chain, gather
from assistant.engine.field import Field
from assistant.engine.movement.route_plan import MoveRefusal
from assistant.games.arab_israeli_wars.combat import (
    NO_HARM,
    NO_LOSSES,
    DefenderChances,
    LeftOut,
    LossChances,
    Refusals,
    add_losses,
    excluded_units,
    fires_at,
    losses_of,
    member,
    mix_losses,
    outcome,
    resolve_groups,
    sentences,
    sort_outcomes,
)
from assistant.games.arab_israeli_wars.forces import (
    RECORDED_ATTACKS,
    AskedAttack,
    Fighter,
    sight_between,
    spot_apart,
    spotters,
)
from assistant.questions.answer import BadQuestion, Refusal
from scenarios.model.dice import dice
from scenarios.model.hexes import Hex, neighbour, neighbours

_BEARING = {"up": 0, "right": 90, "down": 180, "left": 270}


class Fall(NamedTuple):
    """A place where the fire may land, with its chance. No hex: off the map, or lost altogether."""

    manner: Literal["hit", "drift", "scatter"]
    hex: Hex | None
    chance: Fraction
    roll: int = 0
    """The roll on the Drift Diagram."""


def falls(field: Field, hex: Hex, *, is_seen: bool, interdiction: bool = False) -> tuple[Fall, ...]:
    """Return where fire written for a hex lands; the chances add up to 1.

    A friend who sees the hex keeps it there (Standard II.A.4.b). Otherwise the Scatter Chart decides (II.A.4.c);
    unseen interdiction always drifts (Advanced III.D.2.b).
    """
    if is_seen:
        return (Fall("hit", hex, Fraction(1)),)
    if interdiction:
        return drift(field, hex, Fraction(1))
    chart = field.game.tables["scatter"]
    chances = chart.distribution(0)
    possible_falls: list[Fall] = []
    if chances.get("hit"):
        possible_falls.append(Fall("hit", hex, chances["hit"]))
    if chances.get("drift"):
        possible_falls.extend(drift(field, hex, chances["drift"]))
    if chances.get("scatter"):
        possible_falls.append(Fall("scatter", None, chances["scatter"]))
    return tuple(possible_falls)


def drift(field: Field, hex: Hex, chance: Fraction) -> tuple[Fall, ...]:
    """Return the adjacent hexes that fire drifts to, by the roll (Standard II.A.4.c)."""
    places = drift_hexes(field, hex)
    table = field.game.tables["drift"]
    return tuple(
        Fall("drift", places[roll] if places[roll] in field.hex_map else None, chance * share, roll)
        for roll, share in dice(table.dice).items()
    )


def drift_hexes(field: Field, hex: Hex) -> Mapping[int, Hex]:
    """Return the adjacent hex for each roll: the diagram's arrow lies along the long lettered edge and points north,
    or east where that edge runs east and west (Standard II.A.4.c)."""
    table = field.game.tables["drift"]
    north = _BEARING[field.hex_map.north]
    # The long edge of a flat-top board runs across the sheet.
    arrow = north if field.hex_map.north in ("left", "right") else north + 90
    column = table.named_column("degrees")
    return {roll: neighbour(hex, (arrow + int(table.cell(roll, column).code)) % 360 // 60) for roll in dice(table.dice)}


# --- the fire --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Landing:
    """Indirect fire that landed in one place: the units that it hits, and their outcomes."""

    fall: Fall
    fates: tuple[DefenderChances, ...]
    losses: LossChances


@dataclass(frozen=True)
class Fire:
    """An attack with its full result."""

    battle: AskedAttack
    answers: tuple[Odds, ...]
    """One result; or one for each defender, where each is attacked alone."""
    fates: tuple[DefenderChances, ...]
    losses: LossChances
    left_out: tuple[LeftOut, ...] = ()
    refusals: tuple[MoveRefusal, ...] = ()
    landings: tuple[Landing, ...] = ()
    friendly_losses: LossChances = field(default_factory=dict)
    """The toll among the firers' own side, where fire may drift."""
    notes: tuple[str, ...] = ()


def with_landings(result: Fire) -> Fire:
    """Return fire recorded for a hex, with where it lands and what it hits there (Standard II.A.4, II.A.5)."""
    battle, field, hex = result.battle, result.battle.field, result.battle.aim_hex
    assert field is not None and hex is not None
    is_seen = sees_hex(battle, field, hex)
    firing_side = battle.firers[0].side
    landings: list[Landing] = []
    friendly_losses: list[tuple[Fraction, LossChances]] = []
    # Fire at a single unit never scatters or drifts (Advanced III.C.2.c).
    is_on_target = is_seen or all(firer.aim for firer in battle.firers)
    for fall in falls(field, hex, is_seen=is_on_target, interdiction=battle.kind == "interdiction"):
        landing_battle = replace(battle, targets=hit(battle, fall, hex), target_hex=hex)
        landing_battle = replace(landing_battle, firers=_firing(landing_battle, fall, hex, is_seen))
        fates: tuple[DefenderChances, ...] = ()
        if landing_battle.targets and landing_battle.firers:
            fates, _ = outcome(landing_battle, resolve_groups(landing_battle)[0])
        landings.append(Landing(fall, fates, _toll(fates, firing_side, enemy=True)))
        friendly_losses.append((fall.chance, _toll(fates, firing_side, enemy=False)))
    toll_chances = mix_losses([(landing.fall.chance, landing.losses) for landing in landings])
    fates = _overall(landings, _asked_targets(battle, landings))
    return replace(
        result,
        landings=tuple(landings),
        fates=fates,
        losses=toll_chances,
        friendly_losses=mix_losses(friendly_losses),
        notes=(*result.notes, *_written_notes(battle, is_seen)),
    )


def sees_hex(battle: AskedAttack, field: Field, hex: Hex) -> bool:
    """Whether any undispersed friend sees the hex (Standard II.A.4.b); in S-12 each army counts alone."""
    if battle.is_seen is not None:
        return battle.is_seen
    place = Fighter("", "", hex=hex)
    seeing = [spotter for spotter in spotters(battle) if sight_between(field, spotter, place).clear]
    if not spot_apart(battle) or not battle.firers:
        return bool(seeing)
    firer = battle.firers[0]
    if firer.nation and any(spotter.nation == firer.nation for spotter in seeing):
        return True
    for fighter in (firer, *seeing) if seeing else ():
        if not fighter.nation:
            place_text = f" in {field.hex_map.name(fighter.hex)}" if fighter.hex is not None else ""
            raise BadQuestion(
                f"{fighter.name}{place_text}: armies don't spot for each other, so its nation is needed: add `nation` in the "
                f"position file, write put={fighter.unit}@HEX:nation=NATION, or answer --seen yes or no "
                f"(Situation {field.position.scenario})"
            )
    return False


def hit(battle: AskedAttack, fall: Fall, hex: Hex) -> tuple[Fighter, ...]:
    """Return the units hit where the fire lands: in the written hex the targets of the question, elsewhere all
    units, friends included (Standard II.A.4.d). Interdiction hits units that move or assault in the marker's hex
    or next to it (Advanced III.D.2.c)."""
    if fall.hex is None:
        return ()
    interdiction = battle.kind == "interdiction"
    if fall.hex == hex and not interdiction:
        return battle.targets
    reach = {fall.hex, *neighbours(fall.hex)} if interdiction else {fall.hex}
    return tuple(fighter for fighter in battle.everyone if fighter.hex in reach and _can_be_hit(fighter))


def _can_be_hit(fighter: Fighter) -> bool:
    """Whether indirect fire hits it: neither markers, nor passengers, nor aircraft in the air."""
    return fighter.counter is not None and not fighter.is_loaded and not fighter.flies


def _asked_targets(battle: AskedAttack, landings: Sequence[Landing]) -> list[Fighter]:
    """Return the units whose chances the answer gives: the targets. Under interdiction these are all units that it
    may hit, enemies first, unless the player picked some of the hex."""
    targets = list(battle.targets)
    if battle.kind != "interdiction":
        return targets
    firing_side = battle.firers[0].side
    hex_enemies = [
        fighter for fighter in battle.everyone if fighter.hex == battle.target_hex and fighter.side != firing_side
    ]
    if len(targets) < sum(map(_can_be_hit, hex_enemies)):
        return targets
    hit_fighters = {id(fate.fighter): fate.fighter for landing in landings for fate in landing.fates}
    other_fighters = [fighter for key, fighter in hit_fighters.items() if all(key != id(target) for target in targets)]
    return targets + sorted(other_fighters, key=lambda fighter: fighter.side == firing_side)


def _firing(battle: AskedAttack, fall: Fall, hex: Hex, is_seen: bool) -> tuple[Fighter, ...]:
    """Return the units that fire. Destructive fire never drifts, and has no effect where its target isn't spotted
    (Advanced III.C.2.c)."""
    return tuple(firer for firer in battle.firers if not firer.aim or (is_seen and fall.hex == hex))


def _toll(fates: Sequence[DefenderChances], firing_side: str, *, enemy: bool) -> LossChances:
    """Return the toll of one side: each defender has its own roll (Standard II.A.5.d)."""
    hit_fates = [fate for fate in fates if (not firing_side or fate.fighter.side != firing_side) == enemy]
    return add_losses(gather(fate.chances, lambda outcome: losses_of([outcome])) for fate in hit_fates)


def _overall(landings: Sequence[Landing], targets: Sequence[Fighter]) -> tuple[DefenderChances, ...]:
    """Return each target's chances, wherever the fire lands."""
    return tuple(_overall_chances(landings, target) for target in targets)


def _overall_chances(landings: Sequence[Landing], target: Fighter) -> DefenderChances:
    fates = [next((fate for fate in landing.fates if fate.fighter is target), None) for landing in landings]
    cases = {case: landing.fall.chance for case, landing in enumerate(landings)}
    chances = chain(cases, lambda case: fate.chances if (fate := fates[case]) else {NO_HARM: Fraction(1)})
    die = next((fate.die for fate in reversed(fates) if fate), 0)
    return DefenderChances(target, die, sort_outcomes(chances))


def _written_notes(battle: AskedAttack, is_seen: bool) -> Iterator[str]:
    if battle.kind == "interdiction":
        yield "a unit is attacked each time it moves or assaults in the marker's hex or next to it (Advanced III.D.3)"
    if is_seen:
        yield "a friendly unit sees the hex, so the fire neither scatters nor drifts (Standard II.A.4.b)"
    elif battle.firers and all(firer.aim for firer in battle.firers):
        yield "no friendly unit sees the hex: destructive fire has no effect, and never scatters or drifts (Advanced III.C.2.c)"
    elif battle.kind == "interdiction":
        yield "no friendly unit sees the hex: it drifts (Advanced III.D.2.b)"
    else:
        yield "no friendly unit sees the hex: the fire may scatter or drift (Standard II.A.4.c)"
        yield "it can't be recorded now, because no unit there is spotted (Standard II.A.1.b)"


# --- any attack -------------------------------------------------------------------------------------------------------

SPOTTING = "Basic VII.D.3"
"""The rule that a unit in cover must be spotted; without a map the player must say that it is."""


def fire(battle: AskedAttack, *, choose: bool = False, anyway: bool = False) -> Fire:
    """Resolve an attack. A unit that may not take part raises BadQuestion with the rule. With `choose` it is left
    out as long as others remain; with `anyway` the numbers are given all the same."""
    if not battle.targets and battle.kind not in RECORDED_ATTACKS:
        group = battle.shape.groups[battle.shape.defenders]
        raise BadQuestion(f"{group.title}: no unit is named; write {battle.shape.defenders}=UNIT (Basic VI.A.1)")
    if battle.attack == "anti_aircraft":
        _only_aircraft(battle)
    if battle.firers and all(firer.aim for firer in battle.firers):
        battle = replace(battle, targets=_written_for(battle))
    left_out: list[LeftOut] = []
    while True:
        answers, refusals = resolve_groups(battle)
        if anyway or not refusals:
            break
        excluded_keys = excluded_units(battle, refusals) if choose else set()
        if not excluded_keys:
            first, *further_bars = sentences(battle, refusals)
            raise Refusal(
                first.text, first.rule, [*further_bars, *((text, "") for text in _spotting_hint(battle, refusals))]
            )
        left_out += [LeftOut(member(battle, key), refusals[key]) for key in sorted(excluded_keys)]
        battle = replace(
            battle,
            firers=tuple(fighter for i, fighter in enumerate(battle.firers) if ("firers", i) not in excluded_keys),
            targets=tuple(fighter for i, fighter in enumerate(battle.targets) if ("targets", i) not in excluded_keys),
        )
    is_placed = battle.kind in RECORDED_ATTACKS and battle.field is not None and battle.aim_hex is not None
    fates, losses = ((), NO_LOSSES) if is_placed else outcome(battle, answers)
    reasons, notes = sentences(battle, refusals), tuple(_notes(battle))
    result = Fire(battle, answers, fates, losses, tuple(left_out), reasons, notes=notes)
    return with_landings(result) if is_placed else result


def _written_for(battle: AskedAttack) -> tuple[Fighter, ...]:
    """Return the targets of destructive fire: it attacks no other unit (Advanced III.C.2.b)."""
    aimed_targets = tuple(
        target for target in battle.targets if any(fires_at(firer, target) for firer in battle.firers)
    )
    if not aimed_targets:
        aim = battle.firers[0].aim
        raise BadQuestion(
            f"{aim} is not in the hex, so destructive fire recorded for it has no effect (Advanced III.C.2.c)"
        )
    return aimed_targets


def _spotting_hint(battle: AskedAttack, refusals: Refusals) -> Iterator[str]:
    """Yield the inputs that a player may have forgotten, without a map."""
    is_unspotted = any(reason.rule.startswith(SPOTTING) for reasons in refusals.values() for reason in reasons)
    if battle.field is None and is_unspotted:
        unit = battle.targets[0].unit if battle.targets else "UNIT"
        alternative = " or next_to=yes" if "next_to" in battle.shape.inputs else ""
        yield f"if it is spotted, write {unit}+spotted{alternative}"


def _only_aircraft(battle: AskedAttack) -> None:
    """Check that anti-aircraft fire is at air units (Advanced I.D)."""
    ground = [t.name for t in battle.targets if t.counter and t.counter.factors["target"] != "F"]
    if ground:
        raise BadQuestion(f"{ground[0]}: anti-aircraft fire may only target air units (Advanced I.D)")


def _notes(battle: AskedAttack) -> Iterator[str]:
    """Yield further information for the player."""
    shape = battle.shape
    if shape.note:
        yield shape.note.strip()
    hexes = {target.hex for target in battle.targets if target.hex is not None}
    if riders := [fighter for fighter in battle.everyone if fighter.hex in hexes and fighter.is_loaded]:
        yield "passengers share their carrier's fate (Basic V.B.6.d)"
        if any("special_infantry" in rider.abilities for rider in riders) and battle.is_advanced:
            yield "special infantry may bail out, dispersed, if its carrier is dispersed (Advanced II.B)"
    if any(target.unit == "bridge" for target in battle.targets):
        yield "an eliminated bridge also eliminates every unit that can't be in its hex without it (Standard V.H.4.d, VI.E.5.c)"
    if any(target.counter and target.counter.type == "jet" for target in battle.targets):
        yield "a dispersed airplane leaves the board too, and its strike is lost (Advanced I.D.1.d)"
    if battle.kind == "direct_fire" and any("wire_guided" in firer.abilities for firer in battle.firers):
        yield "units in the hex may fire first at wire-guided missiles (Optional I.B, if used)"

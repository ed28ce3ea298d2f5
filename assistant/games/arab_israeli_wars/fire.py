"""An attack worked out: who may take part and why not, the odds, and what becomes of the defenders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from assistant.answers import BadQuestion, Refusal
from assistant.attack import Answer
from assistant.games.arab_israeli_wars.battle import WRITTEN, Battle, Fighter, Look, Looks, every_look
from assistant.games.arab_israeli_wars.combat import (
    Fate,
    LeftOut,
    Refused,
    Together,
    fires_at,
    member,
    outcome,
    sentences,
    who_goes,
    worked_out,
)
from assistant.games.arab_israeli_wars.indirect import Landing, written
from assistant.games.arab_israeli_wars.movement import Bar

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
            battle, answers, held.fates, held.together, tuple(left_out), said,
            landings=held.landings, friends=held.friends, notes=notes + held.notes,
        )  # fmt: skip
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

"""Who takes part in an attack: the pack's answer, and every reason why somebody may not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from assistant.attacks import Answer, Failure, Value, odds
from assistant.games.arab_israeli_wars.bars import bars, overrun_bars
from assistant.games.arab_israeli_wars.battle import WRITTEN, Battle, Fighter, Look
from assistant.games.arab_israeli_wars.outcomes import Fate, Together, one_throw, separate_throws
from scenarios.hexes import distance


class Reason(NamedTuple):
    """Why somebody can't take part, and the rule."""

    text: str
    rule: str

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})" if self.rule else self.text


@dataclass(frozen=True)
class LeftOut:
    """A unit that doesn't take part."""

    fighter: Fighter
    reasons: tuple[Reason, ...]


def alone(battle: Battle) -> bool:
    """Whether each defender is attacked alone: indirect fire (Standard II.A.5.d), interdiction (Advanced III.D.3), mines
    (Standard V.E.2), the end of a quick march (Advanced II.C.2.d) and (H) strikes by themselves (Standard II.F.3.c)."""
    if battle.kind == "air_strike":
        return all(firer.told.get("kind") == "(H)" for firer in battle.firers)
    return battle.kind in (*WRITTEN, "minefield", "quick_march")


Refused = dict[tuple[str, int], tuple[Reason, ...]]
WHOLE = ("", -1)


def worked_out(battle: Battle, seen: Mapping[tuple[int, int], Look]) -> tuple[tuple[Answer, ...], Refused]:
    """The pack's answers, and everybody's reasons not to take part."""
    shape = battle.shape
    if battle.kind in WRITTEN and not battle.targets:
        # Nobody is there now: what forbids the fire doesn't depend on who will be.
        unit = next(unit for unit in battle.game.units.values() if unit.factors["target"] == "NA")
        _, found = worked_out(replace(battle, targets=(Fighter(unit.id, unit.name),)), seen)
        return (), {key: reasons for key, reasons in found.items() if key[0] != "targets"}
    firers = list(_shared(_firer(battle, i, one, seen) for i, one in enumerate(battle.firers)))
    targets = list(
        _shared(battle.target_fields(one, _shielded(battle, j, seen)) for j, one in enumerate(battle.targets))
    )
    inputs = battle.inputs()
    refused: Refused = {}
    answers: list[Answer] = []
    if alone(battle):
        for j, target in enumerate(targets):
            mine = [f for i, f in enumerate(firers) if fires_at(battle.firers[i], battle.targets[j])]
            places = [i for i in range(len(firers)) if fires_at(battle.firers[i], battle.targets[j])]
            answer = odds(battle.game, battle.kind, {shape.attackers: mine, shape.defenders: [target]}, inputs)
            answers.append(answer)
            _gather(refused, battle, answer.refused, places, [j])
    else:
        answer = odds(battle.game, battle.kind, {shape.attackers: firers, shape.defenders: targets}, inputs)
        answers.append(answer)
        _gather(refused, battle, answer.refused, range(len(firers)), range(len(targets)))
    for one, bar in overrun_bars(battle):
        key = ("targets", one)
        refused[key] = (*refused.get(key, ()), Reason(*bar))
    hidden = [j for j in range(len(targets)) if seen and not any(look.clear for (_, k), look in seen.items() if k == j)]
    for j in hidden if len(hidden) < len(targets) else ():
        refused["targets", j] = (*refused.get(("targets", j), ()), Reason("no attacker sees it", "Basic VIII.B.1"))
    for i, firer in enumerate(battle.firers):
        more = tuple(Reason(*bar) for bar in bars(battle, firer))
        blocked = tuple(dict.fromkeys(look.why for (k, _), look in seen.items() if k == i and look.why))
        own = tuple(
            replace_text(reason, blocked) if reason.rule == "Basic VIII.B.1" else reason
            for reason in refused.get(("firers", i), ())
        )
        if more or own:
            refused["firers", i] = more + own
    return tuple(answers), refused


def replace_text(reason: Reason, blocked: Sequence[str]) -> Reason:
    """The reason with what blocks the line, where that is known."""
    return Reason(f"{reason.text}: {blocked[0]}", reason.rule) if blocked else reason


def _firer(battle: Battle, i: int, firer: Fighter, seen: Mapping[tuple[int, int], Look]) -> dict[str, Value]:
    mine = [look for (k, _), look in seen.items() if k == i]
    fields = battle.firer_fields(firer, Look(all(look.clear for look in mine)) if mine else None)
    if firer.aim:
        fields["destructive"] = True
    return fields


def _shielded(battle: Battle, j: int, seen: Mapping[tuple[int, int], Look]) -> bool:
    """Hull down from any of the firers (Basic VII.F.1.c), save those in a hex that the target is just overrunning
    (Standard II.E.5.e)."""
    return any(
        look.hull_down
        for (i, k), look in seen.items()
        if k == j and not battle.overrun_from(battle.firers[i])
    )


def fires_at(firer: Fighter, target: Fighter) -> bool:
    """Destructive fire hits the unit it is written for and no other (Advanced III.C.2.b)."""
    return not firer.aim or target.called(firer.aim)


def _shared(units: Iterator[dict[str, Value]]) -> Iterator[dict[str, Value]]:
    """Equal units as one and the same mapping, which is worked out once."""
    known: dict[tuple[tuple[str, Value], ...], dict[str, Value]] = {}
    for unit in units:
        yield known.setdefault(tuple(unit.items()), unit)


def _gather(
    refused: Refused, battle: Battle, failures: Sequence[Failure], firers: Sequence[int], targets: Sequence[int]
) -> None:
    shape = battle.shape
    for failure in failures:
        key = WHOLE
        if failure.group == shape.attackers:
            key = ("firers", firers[failure.place])
        elif failure.group == shape.defenders:
            key = ("targets", targets[failure.place])
        reason = Reason(failure.text, failure.rule)
        if reason not in refused.get(key, ()):
            refused[key] = (*refused.get(key, ()), reason)


def who_goes(battle: Battle, refused: Refused) -> set[tuple[str, int]]:
    """Who is left out: defenders that can't be attacked first, then attackers that can't attack; nobody if none
    would remain."""
    for group, size in (("targets", len(battle.targets)), ("firers", len(battle.firers))):
        out = {key for key in refused if key[0] == group}
        if out:
            return out if len(out) < size else set()
    return set()


def member(battle: Battle, key: tuple[str, int]) -> Fighter:
    return (battle.firers if key[0] == "firers" else battle.targets)[key[1]]


def sentences(battle: Battle, refused: Refused) -> tuple[str, ...]:
    """Every reason in a sentence with its unit and rule, each once."""
    return tuple(
        dict.fromkeys(
            f"{label(battle, member(battle, key))}: {reason}" if key != WHOLE else str(reason)
            for key, reasons in refused.items()
            for reason in reasons
        )
    )


def label(battle: Battle, fighter: Fighter) -> str:
    """A fighter's name, with its hex and how far off that is."""
    if fighter.at is None or battle.ground is None:
        return fighter.name
    away = "" if battle.fired_at in (None, fighter.at) else f", {distance(fighter.at, battle.fired_at)} off"
    return f"{fighter.name} ({battle.ground.table.name(fighter.at)}{away})"


def outcome(battle: Battle, answers: Sequence[Answer]) -> tuple[tuple[Fate, ...], Together]:
    if not alone(battle):
        return one_throw(battle, answers[0], battle.targets)
    each = [one_throw(battle, answer, [target]) for answer, target in zip(answers, battle.targets, strict=True)]
    return tuple(fates[0] for fates, _ in each), separate_throws(together for _, together in each)

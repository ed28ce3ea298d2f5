"""Battles as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby

from assistant.attacks import Answer, Applied, Strength, Target
from assistant.games.arab_israeli_wars.battle import Fighter
from assistant.games.arab_israeli_wars.fire import Fire
from assistant.games.arab_israeli_wars.outcomes import Together, Toll, expected
from assistant.games.arab_israeli_wars.taking_part import label

WIDTH = 78
BAR = 20
CHART = "Basic VI.D"
"""The rule of the Weapons Effectiveness Chart, WEC to players."""


def fire_text(fire: Fire) -> Iterator[str]:
    """An attack in lines: strengths, odds, column, every defender's chances, and those of all together."""
    battle = fire.battle
    yield from _head(fire)
    for sentence in fire.refused:
        yield from wrapped(f"not allowed: {sentence}")
    outs = [f"{label(battle, out.fighter)}: {'; '.join(map(str, out.reasons))}" for out in fire.left_out]
    yield from _counted(outs, "left out:")
    blocks = [(*_strengths(fire, answer), *_odds(fire, answer)) for answer in fire.answers]
    for lines in dict.fromkeys(blocks):
        yield from lines
    yield from _shields(fire)
    if len(fire.landings) > 1:
        yield from _landings(fire)
    for (head, chances), same in groupby(_fates(fire)):
        many = len(list(same))
        yield f"{many} x {head}, each" if many > 1 else head
        for word, chance in chances:
            yield chance_line(word, chance)
    if len(fire.fates) > 1 and battle.kind != "interdiction":
        yield from together_text(fire.together, "together")
    if battle.kind != "interdiction" and any(toll != Toll(0, 0) for toll in fire.friends):
        yield from together_text(fire.friends, "own units")
    for note in fire.notes:
        yield from wrapped(f"note: {note}")


def _head(fire: Fire) -> Iterator[str]:
    battle = fire.battle
    told = battle.inputs()
    kinds = [str(told[key]).replace("_", " ") for key in ("terrain", "works") if told.get(key, "none") != "none"]
    where = f": {', '.join(kinds)}" if kinds else ""
    if battle.ground is not None and battle.fired_at is not None:
        where = f" at {' = '.join(battle.ground.table.names[battle.fired_at])}{where}"
    yield f"{battle.shape.title}{where}" + (f" ({told['year']})" if "year" in told else "")


def _strengths(fire: Fire, answer: Answer) -> Iterator[str]:
    shape = fire.battle.shape
    firing = [unit for unit in answer.units if unit.group == shape.attackers]
    names = [label(fire.battle, one) for one in fire.battle.firers]
    if len(names) != len(firing):
        names = [unit.name for unit in firing]
    rows = [f"{name}: {strength_text(unit)}" for name, unit in zip(names, firing, strict=True)]
    yield from _counted(rows, "+")
    yield from _counted((f"{u.name}: {strength_text(u)}" for u in answer.units if u.group == shape.defenders), "-")


def _counted(rows: Iterable[str], mark: str) -> Iterator[str]:
    for row, same in groupby(rows):
        many = len(list(same))
        yield from wrapped(f"{mark} {many} x {row}" if many > 1 else f"{mark} {row}")


def strength_text(unit: Strength) -> str:
    """A strength from what is printed to what counts, with each step and the row of the chart it comes from."""
    steps: list[str] = []
    for one in unit.applied:
        row = str(unit.values.get("row", "")).partition("/")[2] if one.rule == CHART and not steps else ""
        at = f" at {unit.values['away']}" if "away" in unit.values else ""
        steps.append(f"{effect(one)} " + (f"WEC ({row}{at})" if row else one.text))
    printed = f" = {number(unit.printed)} {', '.join(steps)}" if steps else ""
    return f"{number(unit.value)}{printed}"


def _odds(fire: Fire, answer: Answer) -> Iterator[str]:
    table = fire.battle.game.tables[fire.battle.shape.table]
    for one in answer.applied:
        if one.effect in ("multiply", "add"):
            yield f"  {one.text}: {effect(one)} ({one.rule})"
    line = f"{number(answer.attack_strength)} to {number(answer.defense_strength or Fraction(0))}"
    if answer.ratio is not None and answer.ratio.denominator != 1:
        line += f" = {answer.ratio}"
    if answer.column is None:
        yield f"{line}: worse than {table.columns.labels[0]}, no attack ({table.rule})"
        return
    yield f"{line}: column {answer.column}" + ("" if answer.start == answer.column else f" (from {answer.start})")
    for one in answer.applied:
        if one.effect in ("shift", "die"):
            yield f"  {one.text}: {one.effect} {signed(one.amount)} ({one.rule})"


def _shields(fire: Fire) -> Iterator[str]:
    battle = fire.battle
    behind = {
        label(battle, battle.firers[i]): look.by
        for (i, _), look in fire.looks.items()
        if look.hull_down and not battle.overrun_from(battle.firers[i])
    }
    for name, by in behind.items():
        yield from wrapped(f"  hull down from {name}, behind {by} (Basic VII.F.1)")


def _fates(fire: Fire) -> Iterator[tuple[str, tuple[tuple[str, Fraction], ...]]]:
    targets: list[Target] = [target for answer in fire.answers for target in answer.targets]
    for i, fate in enumerate(fire.fates):
        states = "".join(f", {state}" for state in sorted(fate.fighter.states))
        head = f"{_named(fire, fate.fighter)}{states}"
        if len(targets) == len(fire.fates):
            applied = ", ".join(f"{one.text} {signed(one.amount)}" for one in targets[i].applied)
            head += f": die {targets[i].die:+d}" + (f" ({applied})" if applied else "")
        yield head, tuple(fate.chances.items())


def _named(fire: Fire, fighter: Fighter) -> str:
    """A defender's name; under interdiction with its hex, and whether it is one's own."""
    battle = fire.battle
    if battle.kind != "interdiction" or fighter.at in (None, battle.fired_at):
        return fighter.name
    own = "own " if battle.firers and fighter.side == battle.firers[0].side else ""
    return own + label(battle, fighter)


def _landings(fire: Fire) -> Iterator[str]:
    ground = fire.battle.ground
    assert ground is not None
    yield "where it comes down"
    for landing in fire.landings:
        fall = landing.fall
        place = (
            ground.table.name(fall.hex) if fall.hex is not None else "lost" if fall.how == "scatter" else "off the map"
        )
        how = f"{fall.how} {fall.thrown}" if fall.thrown else fall.how
        stops = fire.battle.kind == "interdiction"
        hit = [f"{fate.fighter.name}" + (f" (eliminated {fate.killed})" if fate.killed or not stops else "") for fate in landing.fates]
        many = [f"{hit.count(one)} x {one}" if hit.count(one) > 1 else one for one in dict.fromkeys(hit)]
        yield from wrapped(
            f"  {how:8} {place:9} {fall.chance!s:>5}" + (f"  {', '.join(many)}" if many else ""), " " * 27
        )


def together_text(together: Together, title: str) -> Iterator[str]:
    """The chance of each toll, and what to expect."""
    kills, hurt = expected(together)
    yield f"{title}: {decimal(kills)} eliminated and {decimal(hurt)} dispersed on average"
    for toll, chance in together.items():
        yield chance_line(toll_text(toll), chance)


def toll_text(toll: Toll) -> str:
    """'2 eliminated, 1 dispersed'."""
    parts = [f"{n} {word}" for n, word in ((toll.eliminated, "elim."), (toll.hurt, "disp.")) if n]
    return ", ".join(parts) or "none"


def chance_line(word: str, chance: Fraction) -> str:
    """A line with a bar."""
    return f"  {word:18} {chance!s:>9} {float(chance):6.1%} {'█' * round(chance * BAR)}".rstrip()


def wrapped(text: str, indent: str = "    ") -> list[str]:
    """A text in lines that fit a terminal."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, drop_whitespace=True) if len(text) > WIDTH else [text]


def number(value: Fraction) -> str:
    """A strength as it is written."""
    return str(value)


def decimal(value: Fraction) -> str:
    """A number of units, to the hundredth."""
    return f"{float(value):.2f}"


def signed(value: Fraction) -> str:
    """A modifier with its sign."""
    return f"+{value}" if value > 0 else str(value)


def effect(one: Applied) -> str:
    """What a modifier of a strength does."""
    return f"×{one.amount}" if one.effect == "multiply" else signed(one.amount)

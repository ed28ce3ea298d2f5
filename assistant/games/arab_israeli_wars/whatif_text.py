"""What-if answers as text for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from assistant.games.arab_israeli_wars.battle import Battle, Fighter
from assistant.games.arab_israeli_wars.fire_text import chance_line, decimal, wrapped
from assistant.games.arab_israeli_wars.outcomes import expected
from assistant.games.arab_israeli_wars.plans import Shares
from assistant.games.arab_israeli_wars.whatif import Change, Next


def what_if_text(
    battle: Battle, now: tuple[Fraction, Fraction], following: Next | None, changes: tuple[Change, ...]
) -> Iterator[str]:
    """The next column, then a line for each unit more or less; `now` is what is expected without any change."""
    if following is not None and following.column:
        yield f"next column {following.column}: {following.needed} points more"
    elif following is not None:
        yield "there is no better column"
    if following is not None and following.spare:
        yield f"to spare in this column: {following.spare} points"
    harm = "stopped" if battle.kind == "interdiction" else "disp."
    for one in changes:
        who = f"{one.fighter.name} {_place(battle, one.fighter)}".strip()
        sign = f"+ {who} (+{one.strength})" if one.added else f"- {who}"
        line = f"  {sign:35.35} {one.column or 'no attack':9} {decimal(one.kills)} elim. {decimal(one.hurt)} {harm}"
        yield line + (" no change" if (one.kills, one.hurt) == now else "")


def shares_text(pattern: Battle, held: Shares) -> Iterator[str]:
    """The best plan: an attack, who makes it, and the chances."""
    if not held.volleys:
        yield "no attack can do anything"
    for n, volley in enumerate(held.volleys, 1):
        targets = _list(pattern, volley.targets)
        yield from wrapped(
            f"{n}. {targets}: column {volley.column}, {decimal(expected(volley.together)[0])} eliminated"
        )
        yield from wrapped(f"   by {_list(pattern, volley.firers)}", "      ")
        for fate in volley.fates:
            if fate.killed:
                yield chance_line(f"{fate.fighter.name:.18}", fate.killed)
    yield f"{decimal(held.kills)} ({held.kills}) eliminated on average; no plan does better"
    if held.idle:
        yield from wrapped(f"not needed: {_list(pattern, held.idle)}")
    for one, why in held.unable:
        yield from wrapped(f"can't: {f'{one.name} {_place(pattern, one)}'.strip()}: {why}")
    for note in held.notes:
        yield from wrapped(f"note: {note}")


def _list(battle: Battle, fighters: Sequence[Fighter]) -> str:
    many = Counter((f"{one.name} at {one.aim}" if one.aim else one.name, _place(battle, one)) for one in fighters)
    return ", ".join(
        f"{n} x {name} {place}".strip() if n > 1 else f"{name} {place}".strip() for (name, place), n in many.items()
    )


def _place(battle: Battle, one: Fighter) -> str:
    return battle.ground.table.name(one.at) if battle.ground is not None and one.at is not None else ""

"""Smoke fired into a hex: whether it may be, where it comes down, how long it hangs there (Optional II.B)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.asking import hex_of, read_position
from assistant.games.arab_israeli_wars.battle import Battle, Fighter, picked
from assistant.games.arab_israeli_wars.battle_position import on_the_map
from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.indirect import sees_hex
from assistant.games.arab_israeli_wars.looking import by_the_rules
from assistant.games.arab_israeli_wars.scatter import falls
from assistant.games.arab_israeli_wars.sourced import of_smoke, with_sources
from assistant.parts import Reply
from assistant.shared.asking import Options, Said, asked_position, percent
from assistant.shared.options import word
from scenarios.game import Game
from scenarios.hexes import Hex, distance

WEAPONS = ("(H)", "M")
ROCKETS = "rocket_launcher"
LASTS = 2


@dataclass(frozen=True)
class Smoke:
    """A unit that fires smoke into a hex."""

    firer: Fighter
    hex: Hex
    direct: tuple[str, ...]
    """Why it may not be fired directly; nothing where it may."""
    indirect: tuple[str, ...]
    """Why it may not be written down."""
    unseen: tuple[tuple[str, Fraction], ...]
    """Where written fire comes down if no friend sees the hex when it is fired, with the chances."""
    gone: int
    """The turn in which it is taken off, if it is put down in the position's turn."""


def smoke(game: Game, ground: Ground, everyone: tuple[Fighter, ...], firer: Fighter, hex: Hex, turn: int) -> Smoke:
    """A smoke attack by direct fire now, or written down for the next fire phase (Optional II.B.3)."""
    battle = Battle(game, "indirect_fire", (firer,), (), ground, {}, everyone)
    both = tuple(_bars(game, ground, everyone, firer, hex))
    far, reach = distance(_at(firer), hex), game.units[firer.unit].factors.get("range", Fraction(0))
    far_off = ("the hex is out of range (Basic VI.C.2)",) if not isinstance(reach, Fraction) or far > reach else ()
    look = by_the_rules(ground, firer, Fighter("", "", at=hex))
    hidden = () if look.clear else (f"it doesn't see the hex: {look.why} (Optional II.B.3.b)",)
    close = isinstance(reach, Fraction) and game.units[firer.unit].factors["weapon"] == "(H)" and 4 * far < reach
    near = ("the hex is nearer than a quarter of its range (Standard II.A.2.c)",) if close else ()
    unseen = () if sees_hex(battle, ground, hex, by_the_rules) else ("no undispersed friend sees the hex (Optional II.B.3.c)",)
    return Smoke(
        firer, hex, both + far_off + hidden, both + far_off + near + unseen, tuple(_falls(ground, hex)), turn + LASTS
    )


def _bars(game: Game, ground: Ground, everyone: tuple[Fighter, ...], firer: Fighter, hex: Hex) -> Iterator[str]:
    unit = game.units[firer.unit]
    if unit.factors.get("weapon") not in WEAPONS or unit.type == ROCKETS:
        yield f"{unit.name} fires no smoke: only (H) and M weapons do, and no rockets (Optional II.B.3)"
    if firer.states & {"inverted", "dispersed"}:
        yield "it is inverted or dispersed (Optional II.B.3.d, Basic VI.C.2)"
    if "loaded" in firer.states:
        yield "it is loaded (Basic V.B.5)"
    if any(one.side == firer.side and one.at == hex and one.unit in game.units for one in everyone):
        yield "a friend is in the hex (Optional II.B.3.b, II.B.3.c)"


def _falls(ground: Ground, hex: Hex) -> Iterator[tuple[str, Fraction]]:
    for fall in falls(ground, hex, seen=False):
        lost = "lost" if fall.how == "scatter" else "off the map"
        yield lost if fall.hex is None else ground.table.name(fall.hex), fall.chance


def _at(fighter: Fighter) -> Hex:
    assert fighter.at is not None
    return fighter.at


def smoke_answer(game: Game, options: Options) -> Said:
    """Smoke of `unit` (in `from`, if there are several) into the hex `at` of a position."""
    if not options.get("position"):
        raise BadQuestion("smoke is fired from a position: open a save, or tell position=FILE (Optional II.B.3)")
    position, ground = read_position(game, asked_position(game, options))
    everyone = on_the_map(game, position)
    units = [one for one in everyone if one.unit in game.units]
    if place := word(options, "from"):
        start = hex_of(ground, place)
        units = [one for one in units if one.at == start]
    named = word(options, "unit")
    if not named or not word(options, "at"):
        raise BadQuestion("say which unit fires and where: unit=UNIT at=HEX (Optional II.B.3)")
    firer = picked(units, [named], "is there")[0]
    found = smoke(game, ground, everyone, firer, hex_of(ground, word(options, "at")), position.turn)
    reply = Reply(lambda: _text(ground, found), lambda: _json(game, ground, found))
    told = with_sources(reply, of_smoke(ground, firer))
    return told.json(), list(told.text())


def _json(game: Game, ground: Ground, found: Smoke) -> dict[str, Any]:
    return {
        "game": game.id, "unit": found.firer.unit, "from": ground.table.name(_at(found.firer)), "at": ground.table.name(found.hex),
        "direct": list(found.direct), "indirect": list(found.indirect),
        "unseen": [{"to": where, "chance": str(chance)} for where, chance in found.unseen], "removed_in_turn": found.gone,
    }  # fmt: skip


def _text(ground: Ground, found: Smoke) -> Iterator[str]:
    name = ground.table.name
    yield f"{found.firer.name} in {name(_at(found.firer))}: smoke into {name(found.hex)}, {distance(_at(found.firer), found.hex)} off"
    for how, bars in (("direct fire, at once", found.direct), ("written down, for the next fire phase", found.indirect)):
        yield f"  {how}: {'no' if bars else 'yes'}"
        yield from (f"    {bar}" for bar in bars)
    yield "  written down, if no friend sees the hex when it is fired (Optional II.B.3.c):"
    yield from (f"    {where:12}  {percent(chance)}" for where, chance in found.unseen)
    yield f"  put down in turn {found.gone - LASTS} it goes when the same phase of turn {found.gone} begins (Optional II.B.4)"
    yield "  the unit is inverted when it has fired (Optional II.B.3.d)"

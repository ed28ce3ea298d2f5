"""Smoke fired into a hex: whether it may be, where it comes down, how long it hangs there (Optional II.B)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from assistant.answers import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Column,
    Line,
    Node,
    Ours,
    Section,
    Several,
    Table,
    Value,
)
from assistant.games.arab_israeli_wars.battle import Battle, Fighter, on_the_map, picked
from assistant.games.arab_israeli_wars.forces import limit
from assistant.games.arab_israeli_wars.indirect import Fall, falls, sees_hex
from assistant.games.arab_israeli_wars.los import by_the_rules
from assistant.games.arab_israeli_wars.movement import Bar
from assistant.games.arab_israeli_wars.questions import ON_THE_GROUND, asked_field, counter, hex_of, ours_of, place
from assistant.questions import Input, Question, Told
from assistant.rules.field import Field
from scenarios.game import Game
from scenarios.hexes import Hex, distance

WEAPONS = ("(H)", "M")
ROCKETS = "rocket_launcher"


@dataclass(frozen=True)
class Smoke:
    """A unit that fires smoke into a hex."""

    firer: Fighter
    hex: Hex
    direct: tuple[Bar, ...]
    """Why it may not be fired directly; nothing where it may."""
    indirect: tuple[Bar, ...]
    """Why it may not be written down."""
    unseen: tuple[Fall, ...]
    """Where written fire comes down if no friend sees the hex when it is fired, with the chances."""
    gone: int
    """The turn in which it is taken off, if it is put down in the position's turn."""


def smoke(game: Game, field: Field, everyone: tuple[Fighter, ...], firer: Fighter, hex: Hex, turn: int) -> Smoke:
    """A smoke attack by direct fire now, or written down for the next fire phase (Optional II.B.3)."""
    battle = Battle(game, "indirect_fire", (firer,), (), field, {}, everyone)
    both = tuple(_bars(game, field, everyone, firer, hex))
    far, reach = distance(_at(firer), hex), game.units[firer.unit].factors.get("range", Fraction(0))
    far_off = (Bar("the hex is out of range", "Basic VI.C.2"),) if not isinstance(reach, Fraction) or far > reach else ()
    look = by_the_rules(field, firer, Fighter("", "", at=hex))
    hidden = () if look.clear else (Bar(f"it doesn't see the hex: {look.why}", "Optional II.B.3.b"),)
    close = isinstance(reach, Fraction) and game.units[firer.unit].factors["weapon"] == "(H)" and 4 * far < reach
    near = (Bar("the hex is nearer than a quarter of its range", "Standard II.A.2.c"),) if close else ()
    seen = sees_hex(battle, field, hex, by_the_rules)
    unseen = () if seen else (Bar("no undispersed friend sees the hex", "Optional II.B.3.c"),)
    written = both + far_off + near + unseen
    gone = turn + int(limit(game, "smoke_turns"))
    return Smoke(firer, hex, both + far_off + hidden, written, tuple(falls(field, hex, seen=False)), gone)


def _bars(game: Game, field: Field, everyone: tuple[Fighter, ...], firer: Fighter, hex: Hex) -> Iterator[Bar]:
    unit = game.units[firer.unit]
    if unit.factors.get("weapon") not in WEAPONS or unit.type == ROCKETS:
        yield Bar(f"{unit.name} fires no smoke: only (H) and M weapons do, and no rockets", "Optional II.B.3")
    if firer.states & {"inverted", "dispersed"}:
        yield Bar("it is inverted or dispersed", "Optional II.B.3.d, Basic VI.C.2")
    if "loaded" in firer.states:
        yield Bar("it is loaded", "Basic V.B.5")
    if any(one.side == firer.side and one.at == hex and one.unit in game.units for one in everyone):
        yield Bar("a friend is in the hex", "Optional II.B.3.b, II.B.3.c")


def _at(fighter: Fighter) -> Hex:
    assert fighter.at is not None
    return fighter.at


def smoke_answer(game: Game, told: Told) -> Answer:
    """Smoke of `unit` (in `from`, if there are several) into the hex `at` of a position."""
    if not any(key in told for key in ("position", "put")):
        raise BadQuestion("smoke is fired from a position: open a save, or tell position=FILE (Optional II.B.3)")
    field, position = asked_field(game, told)
    assert position is not None
    everyone = on_the_map(game, position)
    units = [one for one in everyone if one.unit in game.units]
    named = told["unit"]
    if text := told.get("from") or named.place:
        start = hex_of(field, text)
        units = [one for one in units if one.at == start]
    firer = picked(units, [f"{named.id}#{named.copy}" if named.copy else named.id], "is there")[0]
    found = smoke(game, field, everyone, firer, hex_of(field, told["at"]), position.turn)
    return Answer("smoke", game.id, [*_nodes(field, found), Ours(ours_of(game, field, ("drift",), {("weapon", "range"): (firer.unit,)}))])


def _nodes(field: Field, found: Smoke) -> Iterator[Node]:
    firer = found.firer
    unit, start, at = counter(field.game, firer.unit, firer.copy), place(field, _at(firer)), place(field, found.hex)
    yield Line((unit, " in ", start, ": smoke into ", at, f", {distance(_at(firer), found.hex)} off"))
    yield from (Value(key, value, shown=False) for key, value in (("unit", unit), ("from", start), ("to", at)))
    ways = (("direct", "direct fire, at once", found.direct), ("written", "written down, for the next fire phase", found.indirect))
    yield Several("ways", [
        Section([
            Value("way", way, shown=False), Value("may", not bars, shown=False),
            Value("refused", [bar._asdict() for bar in bars], shown=False), *(Line(bar.text, bar.rule) for bar in bars),
        ], f"{title}: {'no' if bars else 'yes'}")
        for way, title, bars in ways
    ])  # fmt: skip
    rows: list[dict[str, Cell]] = [
        {"where": place(field, fall.hex) if fall.hex is not None else "lost" if fall.how == "scatter" else "off the map",
         "how": fall.how, "place": place(field, fall.hex) if fall.hex is not None else None, "exact": str(fall.chance),
         "chance": Chance(fall.chance)}
        for fall in found.unseen
    ]  # fmt: skip
    columns = [Column("where", "hex", told=False), Column("exact", "exactly", told=False), Column("chance", "chance")]
    yield Table("falls", columns, rows, "written down, if no friend sees the hex when it is fired (Optional II.B.3.c)", heads=False)
    yield Value("until", found.gone, "It goes when the same phase begins of turn", "Optional II.B.4")
    yield Line("the unit is inverted when it has fired", "Optional II.B.3.d")


SMOKE = Question(
    name="smoke", about="smoke fired into a hex: whether it may be, where it comes down, how long it stays", answer=smoke_answer,
    inputs=(
        Input(name="unit", about="the counter that fires it", kind="unit", needed=True),
        Input(name="from", about="its hex, if there are several like it", kind="place"),
        Input(name="at", about="the hex it is fired into", kind="place", needed=True),
        *ON_THE_GROUND,
    ),
)  # fmt: skip

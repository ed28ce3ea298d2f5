"""Smoke fired into a hex: whether it is allowed, where it lands, how long it stays (Optional II.B)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from assistant.engine.field import Field
from assistant.engine.movement.route_plan import MoveRefusal
from assistant.games.arab_israeli_wars.battle import on_the_map
from assistant.games.arab_israeli_wars.fire import Fall, falls, sees_hex
from assistant.games.arab_israeli_wars.forces import (
    AskedAttack,
    Fighter,
    blocked_text,
    limit,
    pick_fighters,
    sight_between,
    unit_word,
)
from assistant.games.arab_israeli_wars.questions import (
    ON_THE_GROUND,
    asked_field,
    chance_table,
    counter,
    hex_of,
    place,
    silent,
    unofficial_numbers,
)
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
)
from assistant.questions.question import Input, Inputs, Question
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance

WEAPONS = ("(H)", "M")
ROCKETS = "rocket_launcher"
WRITTEN_SMOKE = "recorded now, fired in the next fire phase"


def smoke_answer(game: Game, inputs: Inputs) -> Answer:
    """Answer about smoke by `unit` (in `from`, if there are several) into the hex `at` of a position."""
    if not any(key in inputs for key in ("position", "put")):
        raise BadQuestion("smoke needs a position: open a save, or give position=FILE (Optional II.B.3)")
    field, position = asked_field(game, inputs)
    assert position is not None
    everyone = on_the_map(field, position)
    units = [fighter for fighter in everyone if fighter.counter]
    unit_ref, hex = inputs["unit"], hex_of(field, inputs["at"])
    if text := inputs.get("from") or unit_ref.place:
        units = [fighter for fighter in units if fighter.hex == hex_of(field, text)]
    firer = pick_fighters(units, [unit_word(unit_ref.id, unit_ref.copy)], "is there")[0]
    assert firer.hex is not None
    unit, start, target_place = counter(game, firer.unit, firer.copy), place(field, firer.hex), place(field, hex)
    bars = list(_bars(everyone, firer, hex))
    ways = (
        ("direct", "direct fire, immediately", [*bars, *_direct_bars(field, firer, hex)]),
        ("written", WRITTEN_SMOKE, [*bars, *_recorded_bars(field, everyone, firer, hex)]),
    )
    return Answer(
        "smoke",
        game.id,
        [
            Sentence((unit, " in ", start, ": smoke into ", target_place, f", {_hexes_away(firer.hex, hex)} away")),
            *silent(unit=unit, to=target_place, **{"from": start}),
            Sections("ways", [_way(way, title, way_bars) for way, title, way_bars in ways]),
            chance_table(
                "falls",
                TableColumn("where", "hex", for_programs=False),
                [_fall(field, fall) for fall in falls(field, hex, is_seen=False)],
                "recorded fire, if no friendly unit sees the hex when it is fired (Optional II.B.3.c)",
            ),
            Value(
                "until",
                position.turn + int(limit(game, "smoke_turns")),
                "It stays until the same phase begins on turn",
                "Optional II.B.4",
            ),
            Sentence("the unit is inverted when it has fired", "Optional II.B.3.d"),
            Unofficial(unofficial_numbers(game, field, ("drift",), {("weapon", "range"): (firer.unit,)})),
        ],
    )


def _hexes_away(start: Hex, hex: Hex) -> str:
    return count_text(distance(start, hex), "hex")


def _way(way: str, title: str, bars: Sequence[MoveRefusal]) -> Section:
    """Return a way to fire it, and why it isn't allowed."""
    values = silent(way=way, may=not bars, refused=[bar._asdict() for bar in bars])
    return Section([*values, *(Sentence(bar.text, bar.rule) for bar in bars)], f"{title}: {'no' if bars else 'yes'}")


def _fall(field: Field, fall: Fall) -> dict[str, Cell]:
    missing_place = "lost" if fall.manner == "scatter" else "off the map"
    fall_place = place(field, fall.hex) if fall.hex is not None else None
    return {
        "where": fall_place or missing_place,
        "how": fall.manner,
        "place": fall_place,
        "exact": str(fall.chance),
        "chance": Chance(fall.chance),
    }


def _bars(everyone: tuple[Fighter, ...], firer: Fighter, hex: Hex) -> Iterator[MoveRefusal]:
    """Yield why a unit may fire no smoke into a hex at all (Optional II.B.3)."""
    unit = firer.counter
    assert unit is not None and firer.hex is not None
    if unit.factors.get("weapon") not in WEAPONS or unit.type == ROCKETS:
        yield MoveRefusal(
            f"{unit.name} can't fire smoke: only (H) and M weapons can, except rockets", "Optional II.B.3"
        )
    if firer.states & {"inverted", "dispersed"}:
        yield MoveRefusal("it is inverted or dispersed", "Optional II.B.3.d, Basic VI.C.2")
    if firer.is_loaded:
        yield MoveRefusal("it is loaded", "Basic V.B.5")
    if any(fighter.side == firer.side and fighter.hex == hex and fighter.counter for fighter in everyone):
        yield MoveRefusal("a friendly unit is in the hex", "Optional II.B.3.b, II.B.3.c")
    if not isinstance(reach := unit.factors.get("range"), Fraction) or distance(firer.hex, hex) > reach:
        yield MoveRefusal("the hex is out of range", "Basic VI.C.2")


def _direct_bars(field: Field, firer: Fighter, hex: Hex) -> Iterator[MoveRefusal]:
    """Yield why it may not be fired directly."""
    sight = sight_between(field, firer, Fighter("", "", hex=hex))
    if not sight.clear:
        yield MoveRefusal(f"it doesn't see the hex: {blocked_text(field, sight)}", "Optional II.B.3.b")


def _recorded_bars(field: Field, everyone: tuple[Fighter, ...], firer: Fighter, hex: Hex) -> Iterator[MoveRefusal]:
    """Yield why it may not be written for the next fire phase."""
    factors = field.game.units[firer.unit].factors
    assert firer.hex is not None
    if (
        isinstance(reach := factors.get("range"), Fraction)
        and factors["weapon"] == "(H)"
        and 4 * distance(firer.hex, hex) < reach
    ):
        yield MoveRefusal("the hex is nearer than a quarter of its range", "Standard II.A.2.c")
    if not sees_hex(AskedAttack(field.game, "indirect_fire", (firer,), (), field, {}, everyone), field, hex):
        yield MoveRefusal("no undispersed friendly unit sees the hex", "Optional II.B.3.c")


SMOKE = Question(
    name="smoke",
    about="fire smoke into a hex: whether it is allowed, where it lands, how long it stays",
    answer=smoke_answer,
    inputs=(
        Input(name="unit", about="the counter that fires it", kind="unit", required=True),
        Input(name="from", about="its hex, if there are several such units", kind="place"),
        Input(name="at", about="the hex it is fired into", kind="place", required=True),
        *ON_THE_GROUND,
    ),
)

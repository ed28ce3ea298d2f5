"""Smoke fired into a hex: whether it is allowed, where it lands, how long it stays (Optional II.B)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from assistant.engine.field import Field
from assistant.engine.movement.route_plan import MoveRefusal
from assistant.games.arab_israeli_wars.battle import on_the_map
from assistant.games.arab_israeli_wars.fire import falls, sees_hex
from assistant.games.arab_israeli_wars.forces import (
    AskedAttack,
    Fighter,
    blocked_text,
    limit,
    pick_fighters,
    sight_between,
)
from assistant.games.arab_israeli_wars.questions import (
    ON_THE_GROUND,
    asked_field,
    counter,
    hex_of,
    place,
    unofficial_numbers,
)
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    RowTable,
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


def smoke_answer(game: Game, inputs: Inputs) -> Answer:
    """Answer about smoke by `unit` (in `from`, if there are several) into the hex `at` of a position."""
    if not any(key in inputs for key in ("position", "put")):
        raise BadQuestion("smoke needs a position: open a save, or give position=FILE (Optional II.B.3)")
    field, position = asked_field(game, inputs)
    assert position is not None
    everyone = on_the_map(game, position)
    units = [fighter for fighter in everyone if fighter.unit in game.units]
    unit_ref, hex = inputs["unit"], hex_of(field, inputs["at"])
    if text := inputs.get("from") or unit_ref.place:
        units = [fighter for fighter in units if fighter.hex == hex_of(field, text)]
    firer = pick_fighters(units, [f"{unit_ref.id}#{unit_ref.copy}" if unit_ref.copy else unit_ref.id], "is there")[0]
    assert firer.hex is not None
    unit, start, target_place = counter(game, firer.unit, firer.copy), place(field, firer.hex), place(field, hex)
    shared_bars = list(_bars(game, everyone, firer, hex))
    ways = (
        ("direct", "direct fire, immediately", [*shared_bars, *_direct(field, firer, hex)]),
        (
            "written",
            "recorded now, fired in the next fire phase",
            [*shared_bars, *_recorded_bars(field, everyone, firer, hex)],
        ),
    )
    rows: list[dict[str, Cell]] = [
        {
            "where": place(field, fall.hex)
            if fall.hex is not None
            else "lost"
            if fall.manner == "scatter"
            else "off the map",
            "how": fall.manner,
            "place": place(field, fall.hex) if fall.hex is not None else None,
            "exact": str(fall.chance),
            "chance": Chance(fall.chance),
        }
        for fall in falls(field, hex, is_seen=False)
    ]
    columns = [
        TableColumn("where", "hex", for_programs=False),
        TableColumn("exact", "exactly", for_programs=False),
        TableColumn("chance", "chance"),
    ]
    return Answer(
        "smoke",
        game.id,
        [
            Sentence(
                (
                    unit,
                    " in ",
                    start,
                    ": smoke into ",
                    target_place,
                    f", {count_text(distance(firer.hex, hex), 'hex')} away",
                )
            ),
            *(
                Value(key, value, for_people=False)
                for key, value in (("unit", unit), ("from", start), ("to", target_place))
            ),
            Sections(
                "ways",
                [
                    Section(
                        [
                            Value("way", way, for_people=False),
                            Value("may", not bars, for_people=False),
                            Value("refused", [bar._asdict() for bar in bars], for_people=False),
                            *(Sentence(bar.text, bar.rule) for bar in bars),
                        ],
                        f"{title}: {'no' if bars else 'yes'}",
                    )
                    for way, title, bars in ways
                ],
            ),
            RowTable(
                "falls",
                columns,
                rows,
                "recorded fire, if no friendly unit sees the hex when it is fired (Optional II.B.3.c)",
                heads=False,
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


def _bars(game: Game, everyone: tuple[Fighter, ...], firer: Fighter, hex: Hex) -> Iterator[MoveRefusal]:
    """Yield why a unit may fire no smoke into a hex at all (Optional II.B.3)."""
    unit = game.units[firer.unit]
    assert firer.hex is not None
    if unit.factors.get("weapon") not in WEAPONS or unit.type == ROCKETS:
        yield MoveRefusal(
            f"{unit.name} can't fire smoke: only (H) and M weapons can, except rockets", "Optional II.B.3"
        )
    if firer.states & {"inverted", "dispersed"}:
        yield MoveRefusal("it is inverted or dispersed", "Optional II.B.3.d, Basic VI.C.2")
    if "loaded" in firer.states:
        yield MoveRefusal("it is loaded", "Basic V.B.5")
    if any(fighter.side == firer.side and fighter.hex == hex and fighter.unit in game.units for fighter in everyone):
        yield MoveRefusal("a friendly unit is in the hex", "Optional II.B.3.b, II.B.3.c")
    if not isinstance(reach := unit.factors.get("range"), Fraction) or distance(firer.hex, hex) > reach:
        yield MoveRefusal("the hex is out of range", "Basic VI.C.2")


def _direct(field: Field, firer: Fighter, hex: Hex) -> Iterator[MoveRefusal]:
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

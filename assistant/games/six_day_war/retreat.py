"""Retreats, panics and advances: what the pack declares, shared out among several units; and the questions (14, 15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from assistant.answers import Answer, Cell, Chance, Column, Line, Node, Section, Several, Table, Value, chances_cell
from assistant.games.six_day_war.forces import SIDES
from assistant.games.six_day_war.questions import (
    DISINTEGRATED,
    ON_THE_MAP,
    asked_field,
    asked_stack,
)
from assistant.questions import Input, Question, Told
from assistant.rules.field import Field, Standing
from assistant.rules.movement import Reason, reach
from assistant.rules.questions import refusal
from assistant.rules.retreat import Back
from assistant.rules.together import retreat_together, without_room
from scenarios.game import Game

PANIC = "panic"


def back_together(field: Field, standings: Sequence[Standing], hexes: str) -> tuple[Back, ...]:
    """The retreats of units of a side by so many hexes, or by a panic's die."""
    name, result = (PANIC, 1) if not hexes.isdecimal() else ("retreat", int(hexes))
    return retreat_together(field, standings, result, name).backs


def ends_of(back: Back) -> list[int]:
    """Where a unit may be after a retreat of one hex."""
    return [back.standing.at] if back.stays else [way.end for way in back.ways.get(1, ())]


def why(back: Back) -> tuple[str, str]:
    """Why a unit stays, dies or is moved by the enemy, and the rule; nothing where it simply goes."""
    panic = None if back.length.sure else back.length.rests[-1]
    record = back.fate or back.choice or (back.none if back.chance_gone == 1 else panic)
    if record is not None:
        return record.text, record.rule
    crowded = all(way.room for ways in back.ways.values() for way in ways)
    return ("only where there is no room", "11.5") if crowded else ("", "")


def crowd_text(found: Mapping[int, Fraction]) -> str:
    """How many of those who go back find no room."""
    counts = [
        f"{count}" + ("" if chance == 1 else f" by {float(chance):.0%}")
        for count, chance in sorted(found.items())
        if count
    ]
    return f"too many for the room there: {', '.join(counts)}"


# --- the questions ----------------------------------------------------------------------------------------------------

WAYS = (Column("to", "to"), Column("path", "way"))


def _retreat(game: Game, told: Told) -> Answer:
    """Where units may go if they have to retreat so many hexes, or panic (14.2, 14.5, 21.3)."""
    field = asked_field(game, told)
    standings = asked_stack(field, told["unit"])
    backs = [
        one for side in SIDES for one in back_together(field, [s for s in standings if s.side == side], told["hexes"])
    ]
    backs.sort(key=lambda one: standings.index(one.standing))
    crowds = {side: without_room([one for one in backs if one.standing.side == side]) for side in SIDES}
    return Answer(
        "retreat",
        game.id,
        [
            Value("hexes", told["hexes"], shown=False),
            Several("units", [_back(field, back) for back in backs]),
            *(Line(crowd_text(found), "11.5, 14.2") for found in crowds.values() if any(found)),
            Value("no_room", {side: chances_cell(found) for side, found in crowds.items()}, shown=False),
        ],
    )


def _back(field: Field, back: Back) -> Section:
    reason, rule = why(back)
    nodes: list[Node] = [
        Value("unit", back.standing.counter, shown=False),
        Value("from", field.place(back.standing.at), shown=False),
        Value("eliminated", Chance(back.chance_gone), "Eliminated", shown=bool(back.chance_gone)),
        Value("stays", back.stays, shown=False),
        Value("why", reason, "It", rule, shown=bool(reason)),
        Value("rule", rule, shown=False),
    ]
    rows = [{"hexes": hexes, **_way(field, way.path)} for hexes, ways in back.ways.items() for way in ways]
    if len(back.ways) > 1:
        ends: list[dict[str, Cell]] = [
            {
                "hexes": f"{hexes} back",
                "to": " ".join(sorted(field.kinds.name(way.end) for way in ways)) or "no way, eliminated",
            }
            for hexes, ways in back.ways.items()
        ]
        nodes.append(Table("shown_ways", [Column("hexes", "hexes"), Column("to", "to")], ends, heads=False, told=False))
    nodes.append(Table("ways", [Column("hexes"), *(WAYS if len(back.ways) < 2 else ())], rows))
    return Section(nodes, (f"{back.standing.name} in ", field.place(back.standing.at)))


def _advance(game: Game, told: Told) -> Answer:
    """Where units may advance after combat, so many hexes at most (15)."""
    field, hexes = asked_field(game, told), int(told["hexes"])
    sections = []
    for standing in asked_stack(field, told["unit"]):
        found = reach(field, standing, section="advance", result=hexes)
        if found.refused:
            raise refusal(found, Reason(found.refused[0], kind="who"), standing.at, "advance")
        rows = [_way(field, found.path(n)) for n in sorted(found.ends - {standing.at}, key=field.kinds.name)]
        sections.append(
            Section(
                [
                    Value("unit", standing.counter, shown=False),
                    Table("ways", WAYS, rows),
                    *([] if rows else [Line("nowhere")]),
                ],
                (f"{standing.name} in ", field.place(standing.at), f", up to {hexes}"),
            )
        )
    return Answer("advance", game.id, [Value("hexes", hexes, shown=False), Several("units", sections)])


def _way(field: Field, path: Sequence[int]) -> dict[str, Cell]:
    return {"to": field.place(path[-1]), "path": field.places_at(path)}


RETREAT = Question(
    name="retreat",
    about="where units may retreat or panic to, and the chance that they die of it",
    answer=_retreat,
    bare=("unit",),
    inputs=(
        Input(name="unit", about="who", kind="units", needed=True),
        Input(
            name="hexes",
            about="how far, or panic",
            kind="choice",
            choices=("1", "2", "3", "4", "5", "6", PANIC),
            default="1",
            assumed=True,
        ),
        *ON_THE_MAP,
        DISINTEGRATED,
    ),
)
ADVANCE = Question(
    name="advance",
    about="where units may advance after combat",
    answer=_advance,
    bare=("unit",),
    inputs=(
        Input(name="unit", about="who", kind="units", needed=True),
        Input(name="hexes", about="how far at most", kind="number", least=1, most=7, default=Fraction(1), assumed=True),
        *ON_THE_MAP,
    ),
)

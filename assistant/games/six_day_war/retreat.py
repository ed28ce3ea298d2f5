"""Retreats, panics and advances: what the pack declares, shared out among several units; and the questions (14, 15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from assistant.engine.field import Field
from assistant.engine.movement.reach import Reason, reach
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.questions import refusal
from assistant.engine.retreat.joint_retreat import retreat_together, without_room
from assistant.engine.retreat.paths import RetreatPaths
from assistant.games.six_day_war.forces import SIDES
from assistant.games.six_day_war.questions import (
    DISINTEGRATED,
    ON_THE_MAP,
    asked_field,
    asked_stack,
)
from assistant.questions.answer import (
    Answer,
    Cell,
    Chance,
    Node,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Value,
    chances_cell,
)
from assistant.questions.question import Input, Inputs, Question
from scenarios.model.game import Game

PANIC = "panic"


def back_together(field: Field, standings: Sequence[PlacedUnit], hexes: str) -> tuple[RetreatPaths, ...]:
    """The retreats of units of a side by so many hexes, or by a panic's die."""
    name, result = (PANIC, 1) if not hexes.isdecimal() else ("retreat", int(hexes))
    return retreat_together(field, standings, result, name).backs


def ends_of(back: RetreatPaths) -> list[int]:
    """Where a unit may be after a retreat of one hex."""
    return [back.unit.place] if back.stays else [way.end for way in back.ways.get(1, ())]


def why(back: RetreatPaths) -> tuple[str, str]:
    """Why a unit stays, dies or is moved by the enemy, and the rule; nothing where it simply goes."""
    panic = None if back.length.sure else back.length.rests[-1]
    record = back.fate or back.choice or (back.no_way if back.chance_gone == 1 else panic)
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

WAYS = (TableColumn("to", "to"), TableColumn("path", "way"))


def _retreat(game: Game, told: Inputs) -> Answer:
    """Where units may go if they have to retreat so many hexes, or panic (14.2, 14.5, 21.3)."""
    field = asked_field(game, told)
    standings = asked_stack(field, told["unit"])
    backs = [
        one for side in SIDES for one in back_together(field, [s for s in standings if s.side == side], told["hexes"])
    ]
    backs.sort(key=lambda one: standings.index(one.unit))
    crowds = {side: without_room([one for one in backs if one.unit.side == side]) for side in SIDES}
    return Answer(
        "retreat",
        game.id,
        [
            Value("hexes", told["hexes"], for_people=False),
            Sections("units", [_back(field, back) for back in backs]),
            *(Sentence(crowd_text(found), "11.5, 14.2") for found in crowds.values() if any(found)),
            Value("no_room", {side: chances_cell(found) for side, found in crowds.items()}, for_people=False),
        ],
    )


def _back(field: Field, back: RetreatPaths) -> Section:
    reason, rule = why(back)
    nodes: list[Node] = [
        Value("unit", back.unit.ref, for_people=False),
        Value("from", field.place(back.unit.place), for_people=False),
        Value("eliminated", Chance(back.chance_gone), "Eliminated", for_people=bool(back.chance_gone)),
        Value("stays", back.stays, for_people=False),
        Value("why", reason, for_people=False),
        Value("rule", rule, for_people=False),
    ]
    if reason:
        nodes.append(Sentence(reason[0].upper() + reason[1:], rule, for_programs=False))
    rows = [{"hexes": hexes, **_way(field, way.path)} for hexes, ways in back.ways.items() for way in ways]
    if len(back.ways) > 1:
        ends: list[dict[str, Cell]] = [
            {
                "hexes": f"{hexes} back",
                "to": " ".join(sorted(field.map_index.name(way.end) for way in ways)) or "no way, eliminated",
            }
            for hexes, ways in back.ways.items()
        ]
        nodes.append(
            RowTable(
                "shown_ways",
                [TableColumn("hexes", "hexes"), TableColumn("to", "to")],
                ends,
                heads=False,
                for_programs=False,
            )
        )
    nodes.append(RowTable("ways", [TableColumn("hexes"), *(WAYS if len(back.ways) < 2 else ())], rows))
    return Section(nodes, (f"{back.unit.name} in ", field.place(back.unit.place)))


def _advance(game: Game, told: Inputs) -> Answer:
    """Where units may advance after combat, so many hexes at most (15)."""
    field, hexes = asked_field(game, told), int(told["hexes"])
    sections = []
    for standing in asked_stack(field, told["unit"]):
        found = reach(field, standing, section="advance", result=hexes)
        if found.refusals:
            raise refusal(found, Reason(found.refusals[0], kind="who"), standing.place, "advance")
        rows = [_way(field, found.path(n)) for n in sorted(found.ends - {standing.place}, key=field.map_index.name)]
        sections.append(
            Section(
                [
                    Value("unit", standing.ref, for_people=False),
                    RowTable("ways", WAYS, rows),
                    *([] if rows else [Sentence("nowhere")]),
                ],
                (f"{standing.name} in ", field.place(standing.place), f", up to {hexes}"),
            )
        )
    return Answer("advance", game.id, [Value("hexes", hexes, for_people=False), Sections("units", sections)])


def _way(field: Field, path: Sequence[int]) -> dict[str, Cell]:
    return {"to": field.place(path[-1]), "path": field.places_at(path)}


RETREAT = Question(
    name="retreat",
    about="where units may retreat or panic to, and the chance that they die of it",
    answer=_retreat,
    positional=("unit",),
    inputs=(
        Input(name="unit", about="who", kind="units", required=True),
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
    positional=("unit",),
    inputs=(
        Input(name="unit", about="who", kind="units", required=True),
        Input(
            name="hexes",
            about="how far at most",
            kind="number",
            minimum=1,
            maximum=7,
            default=Fraction(1),
            assumed=True,
        ),
        *ON_THE_MAP,
    ),
)

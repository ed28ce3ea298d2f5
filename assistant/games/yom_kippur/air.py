"""Air units, missiles and helicopters: who has how many, what suppression brings, who may be flown where."""

from __future__ import annotations

from fractions import Fraction

from assistant import unofficial
from assistant.attack import odds
from assistant.chances import gather, mean
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_place
from assistant.engine.zones import zones_of
from assistant.games.yom_kippur.questions import (
    ON_ITS_MAP,
    SIDES,
    able,
    asked_field,
)
from assistant.questions.answer import (
    Answer,
    Cell,
    Node,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    chances_cell,
)
from assistant.questions.question import Input, Inputs, Question
from scenarios.model.game import Game

# --- air units --------------------------------------------------------------------------------------------------------


def air_units(field: Field, side: str) -> int:
    """How many air units a side has on this turn: by the turn track, or as the scenario says (1.12, 4.3 A)."""
    if field.in_force("no_air_units", side):
        return 0
    for effect in field.in_force("air_units", side):
        return int(effect.value)
    return _on_track(field.game, side).get(str(field.position.turn), 0)


def _on_track(game: Game, side: str) -> dict[str, int]:
    """The air units of a side by the turn track."""
    track = game.tables["turn_track"]
    column = track.named_column(f"{side}_air")
    return {turn: int(row[column]) for turn, row in track.cells.items()}


# --- missiles ---------------------------------------------------------------------------------------------------------


def covering(field: Field, side: str, n: int) -> tuple[PlacedUnit, ...]:
    """The missile units of a side that have a hex in range (1.10)."""
    return zones_of(field).zones_over("missiles", side, n)


def suppression(game: Game, available: int, allocated: int) -> dict[int, Fraction]:
    """How many of the others may fly under the missiles if so many air units of a turn are set aside (1.12c)."""
    answer = odds(game, "sam_suppression", {}, {"allocated": Fraction(allocated), "available": Fraction(available)})
    results = game.tables["sam_suppression"].results
    found = gather(answer.chances, lambda code: min(available - allocated, int(results[code].effects["air_units"])))
    return dict(sorted(found.items()))


def _sam(game: Game, told: Inputs) -> Answer:
    field = asked_field(game, told)
    available = int(told.get("available", air_units(field, "israeli")))
    nodes: list[Node] = []
    if "hex" in told:
        hex = asked_place(field.map_index, told["hex"])
        covers = [standing for side in SIDES for standing in covering(field, side, hex)]
        nodes.append(Value("place", field.place(hex), "Hex"))
        nodes.append(Value("covered_by", [s.ref for s in covers], "Missiles in range", "1.10", for_people=bool(covers)))
        nodes += [] if covers else [Sentence((field.place(hex), ": no missiles in range"), "1.10")]
    else:
        nodes.append(Value("covered_by", [], for_people=False))
        rows: list[dict[str, Cell]] = [
            {"unit": s.ref, "place": field.place(s.place), "range": s.fields["sam_range"]}
            for side in SIDES
            for s in able(field, side, "umbrella")
        ]
        nodes.append(
            RowTable(
                "missiles",
                [
                    TableColumn("unit", "missiles"),
                    TableColumn("place", "hex"),
                    TableColumn("range", "covers hexes around"),
                ],
                rows,
            )
        )
    choices: list[dict[str, Cell]] = [
        {"allocated": aside, "others": available - aside, "chances": chances_cell(found), "expected": mean(found, int)}
        for aside in range(available + 1)
        for found in [suppression(game, available, aside)]
    ]
    columns = [
        TableColumn("allocated", "set aside"),
        TableColumn("others"),
        TableColumn("chances", "how many others may fly"),
        TableColumn("expected", "on average"),
    ]
    return Answer(
        "sam",
        game.id,
        [
            *nodes,
            Value("turn", field.position.turn, "Turn"),
            Value("available", available, "Israeli air units"),
            RowTable("suppression", columns, choices, "Under the missiles (1.12c)"),
            Unofficial(unofficial.unofficial_addresses(game, tables=["sam_suppression", "turn_track"])),
        ],
    )


SAM = Question(
    name="sam",
    about="whose missiles cover a hex, and what suppression brings (1.10, 1.12c)",
    answer=_sam,
    positional=("scenario",),
    inputs=(
        *ON_ITS_MAP,
        Input(name="hex", about="the hex", kind="place"),
        Input(name="available", about="Israeli air units, where they aren't the turn's", kind="number", maximum=99),
    ),
)

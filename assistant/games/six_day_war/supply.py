"""Lines of communication: whether an eliminated Israeli goes to Refit or to the deadpile, and what would cut most (8.2).

A fortified city is a city (ruling fortified_city_is_a_city). An Arab who takes a hex brings his zone of control along (12.1).
"""

from __future__ import annotations

from itertools import islice

from assistant.engine.field import Field
from assistant.engine.supply.cuts import SupplyCut, cuts
from assistant.engine.supply.supply_lines import supply_of
from assistant.games.six_day_war.forces import entering, static
from assistant.games.six_day_war.questions import ON_THE_MAP, asked_field
from assistant.questions.answer import Answer, Cell, RowTable, Sentence, TableColumn
from assistant.questions.question import Inputs, Question
from scenarios.model.game import Game

SHOWN, MOST = 3, 60
"""How many places that would cut most are told, and how many are looked at."""


def _supply(game: Game, told: Inputs) -> Answer:
    """Which Israelis would go to Refit and which to the deadpile, the way to a city or town, and what would cut most."""
    field = asked_field(game, told)
    rows: list[dict[str, Cell]] = []
    name, supply = field.map_index.name, supply_of(field, "israeli")
    lines = [line for line in supply.lines if not static(line.unit)]
    for line in lines:
        at = line.unit.place
        path = [at, *(n for n in reversed(line.path) if n != at)] if line.is_supplied else []
        blocked = [n for n, _ in line.cut if n != at]
        shut = f"cut at {' '.join(map(name, blocked))}" if blocked else "no way"
        rows.append(
            {
                "unit": line.unit.ref,
                "place": field.place(at),
                "assumed": line.unit.is_assumed,
                "at": name(at),
                "supplied": line.is_supplied,
                "where": "Refit" if line.is_supplied else "deadpile",
                "path": field.places_at(path),
                "way": " ".join(map(name, path)) if line.is_supplied else shut,
                "blocked": field.places_at(blocked),
            }
        )
    rows.sort(key=lambda row: bool(row["supplied"]))
    columns = [
        TableColumn("unit", "unit"),
        TableColumn("at", "in", for_programs=False),
        TableColumn("where", "goes to", for_programs=False),
        TableColumn("way", "by", for_programs=False),
    ]
    worst: list[dict[str, Cell]] = [
        {
            "place": field.place(cut.place),
            "units": [s.ref for s in cut.unsupplied],
            "many": f"would cut {len(cut.unsupplied)}",
        }
        for cut in _threats(field)
    ]
    threatened = [
        TableColumn("place", "an Arab in"),
        TableColumn("many", "does", for_programs=False),
        TableColumn("units", "whom"),
    ]
    head = (
        "who dies where he stands goes to Refit, or without a line to the deadpile"
        if rows
        else "no mobile Israeli unit is on the map"
    )
    return Answer(
        "supply",
        game.id,
        [
            Sentence(head, "8.2"),
            RowTable("units", columns, rows),
            RowTable("cuts", threatened, worst),
            *([] if worst else [Sentence("no single Arab would cut anybody")]),
        ],
    )


def _threats(field: Field) -> list[SupplyCut]:
    """The places that an Arab can enter and that would cut most."""

    def open_to_him(cut: SupplyCut) -> bool:
        taker = field.taker("israeli", cut.place, zone=True)
        return entering(field.with_changes(removed_units=cut.eliminated), taker).start_refusal(cut.place) is None

    return list(islice(filter(open_to_him, cuts(supply_of(field, "israeli"), max_cuts=MOST, zone=True)), SHOWN))


SUPPLY = Question(
    name="supply",
    about="lines of communication: Refit or deadpile, and what would cut most",
    answer=_supply,
    inputs=ON_THE_MAP,
)

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
    BadQuestion,
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
from assistant.special_rules import all_effects
from scenarios.grammar import count_text
from scenarios.model.game import Game

AIR = ("israeli_air", "egyptian_air", "sam_zone_air")


# --- air units --------------------------------------------------------------------------------------------------------


def air_units(field: Field, side: str) -> int:
    """How many air units a side has on this turn: by the turn track, or as the scenario says (1.12, 4.3 A)."""
    if field.in_force("no_air_units", side):
        return 0
    for effect in field.in_force("air_units", side):
        return int(effect.value)
    return _on_track(field.game, side).get(str(field.position.turn), 0)


def asked_air(game: Game, field: Field | None, told: Inputs) -> dict[str, int]:
    """The air units that are used: no more than the turn has (1.12); in words, without a scenario, than it may have."""
    air = {key: int(told.get(key, 0)) for key in AIR}
    if field is not None and air["israeli_air"] and field.in_force("no_air_units", "israeli"):
        raise BadQuestion("there are no Israeli air units in this scenario (4.3 A)")
    if air["sam_zone_air"] > air["israeli_air"]:
        zone, all_ = air["sam_zone_air"], air["israeli_air"]
        raise BadQuestion(
            f"sam_zone_air tells how many of the Israeli air units used come from the SAM Zone Box: {zone} of {all_}"
        )
    turn = field.position.turn if field is not None else int(told.get("turn", 0))
    for side in SIDES:
        have, used = air_units(field, side) if field is not None else _at_most(game, side, turn), air[f"{side}_air"]
        if used > have:
            when = f"turn {turn} has" if turn else "no turn has more than"
            no = f"{count_text(used, f'{game.sides[side].name} air unit')}: {when} {have} (1.12)"
            by_track = field is None or not field.in_force("air_units", side)
            if by_track and unofficial.unofficial_addresses(game, tables=["turn_track"]):
                no += f"; the {game.tables['turn_track'].title} isn't the rulebook's; your own: overlay tables/turn_track/cells"
            raise BadQuestion(no)
    return air


def _at_most(game: Game, side: str, turn: int) -> int:
    """The most air units that a side can have on a turn in any scenario; on any turn, where none is told."""
    track = _on_track(game, side)
    given = [int(effect.value) for effect in all_effects(game, "air_units") if effect.side == side]
    return max([track.get(str(turn), 0) if turn else max(track.values()), *given])


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

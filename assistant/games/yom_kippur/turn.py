"""What a turn brings: tanks that come back."""

from __future__ import annotations

from fractions import Fraction

from assistant.chances import convolve, gather
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import cant_be
from assistant.engine.stacking import failures
from assistant.engine.zones import zones_of
from assistant.games.yom_kippur.questions import ON_ITS_MAP, STEPS, able, asked_field, limit, ours
from assistant.games.yom_kippur.supply import in_supply
from assistant.questions.answer import (
    Answer,
    Cell,
    Chances,
    Node,
    PlaceList,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
)
from assistant.questions.question import Input, Inputs, Question
from assistant.unofficial import unofficial_addresses as ours_of
from scenarios.model.game import Game
from scenarios.model.position import Piece

# --- tanks ------------------------------------------------------------------------------------------------------------


def _recovery(game: Game, told: Inputs) -> Answer:
    """Steps of armor that come back in so many turns, this one first, with those who are dead now (2.3).

    A headquarters in supply, east of the canal, out of enemy zones; on it or next to it, out of them too, where armor may stand
    and has room (1.3, 1.4a).
    """
    field = asked_field(game, told)
    kinds, zones, west = (
        field.map_index,
        zones_of(field).coverage("zoc", "egyptian"),
        field.map_index.region("west_of_canal"),
    )
    staffs = [
        s
        for s in able(field, "israeli", "supplies")
        if s.counter.nation == "israel" and s.place not in zones and s.place not in west
    ]
    chiefs = in_supply(field, staffs)
    near = {n for chief in chiefs for n in (chief.place, *(m for m, _ in kinds.neighbours(chief.place)))}
    armor = {
        unit.id: unit for unit in game.units.values() if "pure_armor" in unit.abilities and unit.nation == "israel"
    }
    recovered = field.as_if(Piece(next(iter(armor)), "recovered", "israel", kinds.places[0]))
    places = sorted(
        n for n in near - set(zones) if not field.is_occupied(n, "egyptian") and _has_room(field, recovered, n)
    )
    dead = [armor[p.unit] for p in field.position.pieces if p.at == "box:israeli_dead" and p.unit in armor]
    hurt = sum(s.counter.steps - s.steps for s in field.units_of("israeli") if s.counter.id in armor)
    most = sum(unit.steps for unit in dead) + hurt if places else 0
    table, first = game.tables["tank_recovery"], limit(game, "recovery_first_turn")
    throw = {int(table.results[code].effects["steps"]): p for code, p in table.distribution(0).items()}
    throws = sum(field.position.turn + n >= first for n in range(int(told["turns"])))
    chances = gather(convolve([throw] * throws), lambda steps: min(most, steps))
    return Answer(
        "recovery",
        game.id,
        [
            Value("dead", [unit.name for unit in dead], "Dead armor"),
            RowTable(
                "headquarters",
                [TableColumn("name", "headquarters that can")],
                [{"name": chief.name} for chief in chiefs],
            ),
            *([] if throws else [Sentence(f"there is no recovery before turn {first}", "2.3")]),
            Chances("chances", {str(steps): chance for steps, chance in sorted(chances.items())}, "Steps back"),
            PlaceList("places", {field.place(hex): {} for hex in places}, "To be placed in (2.3)"),
            Unofficial(ours_of(game, tables=["tank_recovery"])),
        ],
    )


def _has_room(field: Field, unit: PlacedUnit, at: int) -> bool:
    """Whether a unit may stand in a hex, and its stack has room for it (1.3, 1.4a)."""
    return not cant_be(field, unit, at) and not failures(field, field.mover(unit), at)


RECOVERY = Question(
    name="recovery",
    about="Israeli tank recovery (2.3)",
    answer=_recovery,
    positional=("scenario",),
    inputs=(
        *ON_ITS_MAP,
        Input(name="turns", about="how many turns ahead", kind="number", minimum=1, maximum=12, default=Fraction(1)),
    ),
)


def _replacement(game: Game, told: Inputs) -> Answer:
    """Egyptian armor that has lost steps and lives (3.7); the ones that would exploit again come first (3.1)."""
    field = asked_field(game, told)
    # Markers in their box, else what the scenario gives.
    markers = sum(piece.at == "box:egyptian_tank_steps" for piece in field.position.pieces)
    left = int(told.get("steps", markers or sum(int(effect.value) for effect in field.in_force("tank_steps"))))
    hurt = [
        s for s in able(field, "egyptian", "pure_armor") if s.counter.nation == "egypt" and s.steps < s.counter.steps
    ]
    rows: list[dict[str, Cell]] = []
    for standing in hurt:
        missing, why = standing.counter.steps - standing.steps, _why_not(field, standing)
        again = "exploits_at_full" in standing.counter.abilities and missing == 1
        rows.append(
            {
                "unit": standing.ref,
                "place": field.place(standing.place),
                "missing": missing,
                "why": why or None,
                "exploits_again": again,
                "may_take": 0 if why else min(missing, left),
            }
        )
    rows.sort(key=lambda row: (bool(row["why"]), not row["exploits_again"], str(row["unit"])))
    columns = [
        TableColumn("unit", "unit"),
        TableColumn("place", "hex"),
        TableColumn("missing", "steps lost"),
        TableColumn("may_take", "may take"),
        TableColumn("exploits_again", "exploits again (3.1)"),
        TableColumn("why", "why not"),
    ]
    nodes: list[Node] = [Value("steps_left", left, "Replacement steps left; the dead never come back", "3.7")]
    nodes += [RowTable("units", columns, rows)]
    nodes += [] if rows else [Sentence("no Egyptian armor on the map has lost a step")]
    return Answer("replacement", game.id, [*nodes, Unofficial(ours(game, ((standing, STEPS) for standing in hurt)))])


def _why_not(field: Field, standing: PlacedUnit) -> str:
    """Why a unit can't have replacements now (3.7)."""
    if zones_of(field).zones_over("zoc", "israeli", standing.place):
        return "it is in an enemy zone of control"
    if "disorganized" in standing.piece.states:
        return "it is disorganized"
    supplied = "out_of_supply" not in standing.piece.states and in_supply(field, [standing])
    return "" if supplied else "it is out of supply"


REPLACEMENT = Question(
    name="replacement",
    about="Egyptian tank step replacements (3.7)",
    answer=_replacement,
    positional=("scenario",),
    inputs=(
        *ON_ITS_MAP,
        Input(name="steps", about="replacement steps left, where they aren't the scenario's", kind="number"),
    ),
)

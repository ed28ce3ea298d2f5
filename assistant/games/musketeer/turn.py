"""The end of a turn: the random event with the panic of event 9, and refits (21.0, 22.0)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from assistant.chances import successes
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_field, on_a_map
from assistant.engine.questions import supply_reason
from assistant.engine.retreat.paths import retreat
from assistant.engine.supply.supply_lines import supply_of
from assistant.games.musketeer.questions import CONTINGENT, contingent, counter
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Node,
    PlaceRef,
    RowTable,
    Sentence,
    TableColumn,
    Value,
    chances_of,
)
from assistant.questions.question import ON_ANY_MAP, Input, Inputs, Question
from scenarios.model.dice import dice
from scenarios.model.game import Game


class Costs(NamedTuple):
    """What a retreat costs: the chance that a unit is eliminated, and that it is disrupted on the way."""

    eliminated: Fraction
    disrupted: Fraction


def chances_of_going(field: Field, standing: PlacedUnit, disrupted: bool = False) -> Costs:
    """What it costs a unit to go; a static one is lost, even where it may stay (16.1)."""
    if standing.counter.class_ == "static":
        return Costs(Fraction(1), Fraction(0))
    if disrupted:
        standing = field.as_if(standing.piece._replace(states=standing.piece.states | {"disrupted"}))
    back = retreat(field, standing)
    return Costs(back.chance_of_loss, back.chance_worn if standing.steps > 1 else Fraction(0))


# --- the random event -------------------------------------------------------------------------------------------------


PANIC = "Egyptian General Staff Panics"


def _panic(field: Field, standing: PlacedUnit) -> dict[str, Cell]:
    """An Egyptian in the Sinai rolls, in cities and fortifications too: DR, R or nothing; a garrison is lost or stays (22.1 event 9,
    ruling panic_in_cities). Who gets away from a DR is disrupted; who gets away from an R is where its way costs a step (16.4)."""
    effects = field.game.tables["events"].results[PANIC].effects
    low, _, high = effects["garrison_lost"].partition("-")
    lost = runs = worn = Fraction(0)
    for die, chance in dice("1d6").items():
        if standing.counter.class_ == "static":
            lost += chance * (int(low) <= die <= int(high))
        elif str(die) in (effects["DR"], effects["R"]):
            hurt = str(die) == effects["DR"]
            gone = hurt and standing.steps < 2
            costs = chances_of_going(field, standing, disrupted=hurt)
            share = Fraction(1) if gone else costs.eliminated
            lost, runs = lost + chance * share, runs + chance * (1 - share)
            worn += chance * (1 - share if hurt else costs.disrupted)
    unit, at = counter(field.game, standing.counter, standing.piece.copy), field.place(standing.place)
    return {
        "unit": unit,
        "place": at,
        "eliminated": Chance(lost),
        "retreated": Chance(runs),
        "disrupted": Chance(worn),
    }


def _event(game: Game, told: Inputs) -> Answer:
    table = game.tables["events"]
    rolls = [int(told["roll"])] if "roll" in told else list(dice(table.dice))
    results = {roll: table.cell(roll, 0) for roll in rolls}
    rows: list[dict[str, Cell]] = [
        {"roll": roll, "event": result.code, "chance": Chance(dice(table.dice)[roll]), "meaning": result.meaning}
        for roll, result in results.items()
    ]
    columns = [
        TableColumn("roll", "roll"),
        TableColumn("event", "event"),
        TableColumn("chance", "chance"),
        TableColumn("meaning", "what it does"),
    ]
    nodes: list[Node] = [RowTable("events", columns, rows)]
    if on_a_map(told) and any(row["event"] == PANIC for row in rows):
        field = asked_field(game, told)
        sinai = field.map_index.regions["sinai"]
        there = [
            s for s in field.placed_units if s.counter.nation == "egypt" and field.map_index.places[s.place] in sinai
        ]
        heads = [
            TableColumn("unit", "unit"),
            TableColumn("place", "hex"),
            TableColumn("eliminated", "eliminated"),
            TableColumn("retreated", "retreats"),
            TableColumn("disrupted", "disrupted"),
        ]
        nodes.append(RowTable("panic", heads, [_panic(field, standing) for standing in there], PANIC))
        nodes += [] if there else [Sentence("no Egyptian unit is in the Sinai")]
    return Answer("event", game.id, nodes)


EVENT = Question(
    name="event",
    on_map=on_a_map,
    about="the random event of a turn; in a position also what a panic does in the Sinai",
    answer=_event,
    positional=("roll",),
    inputs=(
        Input(
            name="roll",
            about="the sum of both dice; left out, the chance of each event",
            kind="number",
            minimum=2,
            maximum=12,
        ),
        *ON_ANY_MAP,
    ),
)


# --- refits -----------------------------------------------------------------------------------------------------------


KINDS = {
    "mechanized": "ground", "foot": "ground", "static": "ground", "airstrike": "air", "special_forces": "special",
    "guerrilla": "special", "guerrillas": "special", "airstrikes": "air",
}  # fmt: skip
"""The column of the Refit Table for each class of counter (21.2, 21.9, 25.8)."""


def _refit_chance(game: Game, nation: str, kind: str = "ground") -> Fraction:
    """The chance of one refit roll (21.2, 21.9, 25.8): `ground`, `air` or `special`."""
    code = game.tables["refit"].looked_up(contingent(game, nation), kind)
    return Fraction(int(code), 6) if code.isdecimal() else Fraction(0)


def _refit(game: Game, told: Inputs) -> Answer:
    """How many units refit, each rolling until it succeeds; or who in a position may try, and how likely."""
    if on_a_map(told):
        rows = _trying(game, asked_field(game, told), told.get("nation", ""))
        columns = [
            TableColumn("unit", "unit"),
            TableColumn("place", "where"),
            TableColumn("chance", "chance"),
            TableColumn("why", "why not"),
            TableColumn("rule"),
        ]
        nobody = [] if rows else [Sentence("nobody may try to refit", "21.2")]
        return Answer("refit", game.id, [RowTable("units", columns, rows, heads=False), *nobody])
    if "nation" not in told:
        raise BadQuestion("say whose units: nation=egypt; or a position, for all who may try")
    units, impulses = int(told["units"]), int(told["impulses"])
    chance = _refit_chance(game, told["nation"], told["kind"])
    refitted = dict(sorted(successes(1 - (1 - chance) ** impulses, units).items(), reverse=True))
    back = chances_of("chances", refitted, f"How many of {units} are back after {impulses}")
    if not chance:
        return Answer(
            "refit",
            game.id,
            [Value("chance", Chance(chance), for_people=False), Sentence("it never refits these", "Refit Table"), back],
        )
    return Answer(
        "refit",
        game.id,
        [
            Value("chance", Chance(chance), "One roll"),
            Value("expected", 1 / chance, "Impulses until one unit is back, on average"),
            back,
        ],
    )


def _trying(game: Game, field: Field, nation: str) -> list[dict[str, Cell]]:
    """Disrupted ground units with a line of support, and lost airstrikes, special forces and guerrillas, roll in their
    contingent's Refit Phase (21.2, 21.9, 25.8)."""
    rows: list[dict[str, Cell]] = []
    for line in (line for side in game.sides for line in supply_of(field, side).lines if line.unit.fields["disrupted"]):
        standing, unit = line.unit, line.unit.counter
        chance = _refit_chance(game, unit.nation) if line.is_supplied else Fraction(0)
        text, rule = supply_reason(field, line)
        why = {} if line.is_supplied else {"why": f"no line of support: {text}", "rule": rule}
        who, at = counter(game, unit, standing.piece.copy), field.place(standing.place)
        rows.append({"unit": who, "place": at, "chance": Chance(chance), "nation": unit.nation, **why})
    for piece in field.lost_pieces:
        lost = game.units.get(piece.unit)
        kind = KINDS.get(lost.class_, "ground") if lost is not None else "ground"
        if lost is not None and kind != "ground":
            again, box = Chance(_refit_chance(game, lost.nation, kind)), PlaceRef(str(piece.at), "eliminated")
            rows.append({"unit": counter(game, lost, piece.copy), "place": box, "chance": again, "nation": lost.nation})
    return [row for row in rows if not nation or contingent(game, str(row["nation"])) == contingent(game, nation)]


REFIT = Question(
    name="refit",
    on_map=lambda told: False,
    about="the chances of refits; in a position, of all who may try",
    answer=_refit,
    positional=("nation",),
    inputs=(
        CONTINGENT,
        Input(
            name="kind",
            about="which units",
            kind="choice",
            choices=("ground", "air", "special"),
            synonyms=KINDS,
            default="ground",
            assumed=True,
        ),
        Input(name="units", about="how many try", kind="number", minimum=1, maximum=60, default=Fraction(1)),
        Input(
            name="impulses", about="in how many Refit Phases", kind="number", minimum=1, maximum=60, default=Fraction(1)
        ),
        *ON_ANY_MAP,
    ),
)

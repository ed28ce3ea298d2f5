"""The random event of a turn (22.0), and the panic of event 9 on the map."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from assistant.answers import Answer, Cell, Chance, Column, Line, Node, Table
from assistant.games.musketeer.questions import counter, place
from assistant.games.musketeer.retreats import chances_of_going
from assistant.questions import Input, Question, Told
from assistant.rules.field import Field, Standing
from assistant.rules.placed import asked_field, on_a_map
from assistant.rules.questions import MAP
from scenarios.dice import dice
from scenarios.game import Game

PANIC = "Egyptian General Staff Panics"


class Panicked(NamedTuple):
    """A unit under event 9: the chances that it is lost and that it runs; the rest of the time it stays."""

    standing: Standing
    lost: Fraction
    runs: Fraction


def panic(field: Field) -> list[Panicked]:
    """Egyptians in the Sinai roll one by one, in cities and fortifications too: DR, R or nothing; a garrison is lost or
    stays (22.1 event 9, ruling panic_in_cities)."""
    effects = field.game.tables["events"].results[PANIC].effects
    low, _, high = effects["garrison_lost"].partition("-")
    sinai = field.kinds.regions["sinai"]
    found = []
    for standing in field.standings:
        if standing.unit.nation != "egypt" or field.kinds.places[standing.at] not in sinai:
            continue
        lost = runs = Fraction(0)
        for die, chance in dice("1d6").items():
            if standing.unit.class_ == "static":
                lost += chance * (int(low) <= die <= int(high))
            elif str(die) in (effects["DR"], effects["R"]):
                hurt = str(die) == effects["DR"]
                gone = hurt and standing.steps < 2
                share = Fraction(1) if gone else chances_of_going(field, standing, disrupted=hurt).eliminated
                lost += chance * share
                runs += chance * (1 - share)
        found.append(Panicked(standing, lost, runs))
    return found


def _event(game: Game, told: Told) -> Answer:
    table = game.tables["events"]
    rolls = [int(told["roll"])] if "roll" in told else list(dice(table.dice))
    rows: list[dict[str, Cell]] = []
    for roll in rolls:
        result = table.cell(roll, 0)
        rows.append({"roll": roll, "event": result.code, "chance": Chance(dice(table.dice)[roll]), "meaning": result.meaning})
    columns = [Column("roll", "roll"), Column("event", "event"), Column("chance", "chance"), Column("meaning", "what it does")]
    nodes: list[Node] = [Table("events", columns, rows)]
    if on_a_map(told) and any(row["event"] == PANIC for row in rows):
        field = asked_field(game, told)
        found: list[dict[str, Cell]] = [
            {"unit": counter(game, one.standing.unit, one.standing.piece.copy), "place": place(field.kinds, one.standing.at),
             "eliminated": Chance(one.lost), "retreated": Chance(one.runs)}
            for one in panic(field)
        ]  # fmt: skip
        heads = [Column("unit", "unit"), Column("place", "hex"), Column("eliminated", "eliminated"), Column("retreated", "retreats")]
        nodes.append(Table("panic", heads, found, PANIC))
        nodes += [] if found else [Line("no Egyptian unit is in the Sinai")]
    return Answer("event", game.id, nodes)


EVENT = Question(
    name="event", about="the random event of a turn; in a position also what a panic does in the Sinai", answer=_event, bare=("roll",),
    inputs=(
        Input(name="roll", about="the sum of both dice; left out, the chance of each event", kind="number", least=2, most=12),
        *MAP,
    ),
)  # fmt: skip

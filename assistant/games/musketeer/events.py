"""The random event of a turn (22.0), and the panic of event 9 on the map."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from assistant.answers import Answer, Cell, Chance, Column, Line, Node, Table
from assistant.games.musketeer.asking import ON_THE_MAP, asked_support, counter, on_a_map, place
from assistant.games.musketeer.retreat import Retreat
from assistant.games.musketeer.support import Support
from assistant.questions import Input, Question, Told
from scenarios.counters import Unit
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.hexes import Hex

PANIC = "Egyptian General Staff Panics"


class Panicked(NamedTuple):
    """A unit under event 9: the chances that it is lost and that it runs; the rest of the time it stays."""

    unit: Unit
    copy: str
    hex: Hex
    lost: Fraction
    runs: Fraction


def panic(here: Support) -> list[Panicked]:
    """Egyptians in the Sinai roll one by one, in cities and fortifications too: DR, R or nothing; a garrison is lost or
    stays (22.1 event 9, ruling panic_in_cities)."""
    effects = here.game.tables["events"].results[PANIC].effects
    low, _, high = effects["garrison_lost"].partition("-")
    found = []
    for piece, unit, hex in here.units:
        if unit.nation != "egypt" or hex not in here.table.zones["sinai"]:
            continue
        lost = runs = Fraction(0)
        disrupted = "disrupted" in piece.states
        for die, chance in dice("1d6").items():
            if unit.class_ == "static":
                lost += chance * (int(low) <= die <= int(high))
            elif str(die) in (effects["DR"], effects["R"]):
                hurt = str(die) == effects["DR"]
                gone = hurt and (disrupted or unit.back is None)
                share = Fraction(1) if gone else Retreat(here, unit, hex, disrupted or hurt).costs.eliminated
                lost += chance * share
                runs += chance * (1 - share)
        found.append(Panicked(unit, piece.copy, hex, lost, runs))
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
        here = asked_support(game, told)
        found: list[dict[str, Cell]] = [
            {"unit": counter(game, one.unit, one.copy), "place": place(here.table, one.hex), "eliminated": Chance(one.lost),
             "retreated": Chance(one.runs)}
            for one in panic(here)
        ]  # fmt: skip
        heads = [Column("unit", "unit"), Column("place", "hex"), Column("eliminated", "eliminated"), Column("retreated", "retreats")]
        nodes.append(Table("panic", heads, found, PANIC))
        nodes += [] if found else [Line("no Egyptian unit is in the Sinai")]
    return Answer("event", game.id, nodes)


EVENT = Question(
    name="event", about="the random event of a turn; in a position also what a panic does in the Sinai", answer=_event, bare=("roll",),
    inputs=(
        Input(name="roll", about="the sum of both dice; left out, the chance of each event", kind="number", least=2, most=12),
        *ON_THE_MAP,
    ),
)  # fmt: skip

"""The random event of a turn (22.0), and the panic of event 9 on the map."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from assistant.games.musketeer.asked import PLACE, asked_support, told
from assistant.games.musketeer.contingents import label
from assistant.games.musketeer.retreat import Retreat
from assistant.games.musketeer.support import Support
from assistant.shared.asking import Options, Said, percent
from assistant.shared.options import given, whole
from scenarios.counters import Unit
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.hexes import Hex

PANIC = "Egyptian General Staff Panics"
NAMES = {
    "roll": "the sum of both dice, 2 to 12; left out, the chance of each event",
    **PLACE,
    "position": "a position file: for event 9, what becomes of the Egyptians in the Sinai",
}


class Panicked(NamedTuple):
    """A unit under event 9: the chances that it is lost and that it runs; the rest of the time it stays."""

    unit: Unit
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
        found.append(Panicked(unit, hex, lost, runs))
    return found


def event_answer(game: Game, options: Options) -> Said:
    """The event of a roll, or the chance of each; with a position the panic of event 9, unit by unit."""
    table = game.tables["events"]
    json: dict[str, Any] = {"game": game.id, "question": "event"}
    rolls = [whole(options, "roll", 2, 2, 12)] if given(options, "roll") else list(dice(table.dice))
    json["events"], lines = [], []
    for roll in rolls:
        result, chance = table.cell(roll, 0), dice(table.dice)[roll]
        json["events"].append({"roll": roll, "event": result.code, "meaning": result.meaning, "chance": str(chance)})
        lines.append(f"{roll:2} {result.code} ({percent(chance)}): {result.meaning}")
    if told(options) and any(one["event"] == PANIC for one in json["events"]):
        here = asked_support(game, options)
        found = panic(here)
        json["panic"] = [
            {"unit": one.unit.id, "hex": here.table.name(one.hex), "lost": str(one.lost), "runs": str(one.runs)}
            for one in found
        ]
        lines += [
            f"  {label(game, one.unit)} in {here.table.name(one.hex)}: lost {percent(one.lost)}, runs {percent(one.runs)}"
            for one in found
        ] or ["  no Egyptian unit is in the Sinai"]
    return json, lines

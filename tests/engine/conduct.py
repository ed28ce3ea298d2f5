"""How a game goes on as people play it: moves that the assistant allows, and what a battle's result asks of those who fought."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scenarios.areas.resolving import Location
from tests.engine.asked import BattleQuestion, nodes, question, word
from tests.engine.run import Told
from tests.engine.table import Counter, Table

STATES = ("state", "shaken")
"""Effects of results that put a unit in a state: named, or by their own name."""


def reach(table: Table, counter: Counter, save: Path, dice: random.Random) -> list[Location]:
    """Where the assistant lets a unit go; nowhere where it refuses the question."""
    words = ["move", f"unit={word(counter)}"]
    if table.game.id == "six_day_war" and table.side(counter) == "arab":
        words.append(f"die={dice.randint(1, 6)}")
    answer = question(table.game, save, words)
    if isinstance(answer, str):
        return []
    rows = [row for row in (*answer.get("places", ()), *answer.get("reach", ())) if row.get("may_end", True)]
    places = [place for row in rows if (place := table.find_place(str(row["place"]))) is not None]
    return [place for place in places if place != counter.at and not table.enemies(counter, place)]


def retreat(table: Table, counter: Counter, distance: int, dice: random.Random) -> None:
    """A unit goes back as the assistant allows, stays where it may, or is lost where it can do neither."""
    words = ["retreat", f"unit={word(counter)}"]
    words += [f"hexes={distance}"] if table.game.id in ("yom_kippur", "six_day_war") else []
    answer = question(table.game, table.save("retreat"), words)
    if isinstance(answer, str):
        return
    (row,) = answer["units"][:1] or [{}]
    ways = [place for way in row.get("ways", ()) if (place := table.find_place(str(way["to"]))) is not None]
    if row.get("stays"):
        return
    if ways:
        table.put(counter, dice.choice(ways))
    elif row.get("eliminated") == "1":
        table.eliminate(counter)


def carry_out(table: Table, battle: BattleQuestion, readings: Told, dice: random.Random) -> None:
    """What the results of an attack do to those who fought."""
    shape = table.game.attacks[battle.attack]
    results = table.game.tables[shape.table].results
    if shape.per_defender:
        for counter in battle.targets or battle.defenders:
            code = readings.get(f"{counter.name}.Result", "")
            if code in results and counter.unit in table.game.units:
                _hit(table, counter, results[code].effects, dice)
    elif (code := readings.get(f"v_{battle.attack}_code", "")) in results:
        strengths = {
            counter.name: float(readings.get(f"{counter.name}.Strength") or 0)
            for counter in (*battle.attackers, *battle.defenders)
        }
        _sides(table, battle, results[code].effects, strengths, dice)
    for counter in battle.attackers if "inverted" in table.game.states else ():
        if counter.unit in table.game.units and not counter.gone:
            table.mark(counter, "inverted")  # The Arab-Israeli Wars, Basic VI.C.3: who has attacked is turned over


def _hit(table: Table, counter: Counter, effects: Mapping[str, str], dice: random.Random) -> None:
    """A result that one unit takes."""
    dead = effects.get("eliminate", "") == "true" or effects.get("steps") == "all"
    if dead or (
        effects.get("eliminate", "").startswith("if ") and effects["eliminate"].removeprefix("if ") in counter.states
    ):
        table.eliminate(counter)
        return
    for _ in range(int(effects.get("steps", "0"))):
        if not counter.gone:
            table.lose_step(counter)
    for key in STATES:
        if key in effects and not counter.gone:
            table.mark(counter, effects[key] if key == "state" else key)


def _sides(
    table: Table,
    battle: BattleQuestion,
    effects: Mapping[str, str],
    strengths: Mapping[str, float],
    dice: random.Random,
) -> None:
    """A result that both sides take: steps, whole units, retreats; one of fire is for the enemies of who fires."""
    units = [counter for counter in (*battle.defenders, *battle.place_markers) if counter.unit in table.game.units]
    sides = {"attacker": list(battle.attackers), "defender": units}
    if battle.place_markers or table.game.id == "october_war":
        effects = {f"defender_{key}": value for key, value in effects.items()}
    for role, counters in sides.items():
        losses = effects.get(f"{role}_losses") or effects.get(f"{role}_steps", "0")
        for counter in _units_removed(
            "all" if losses == "all" else effects.get(f"{role}_loses", ""), counters, strengths
        ):
            table.eliminate(counter)
        for _ in range(int(losses) if losses.isdecimal() else 0):
            survivors = [counter for counter in counters if not counter.gone]
            if survivors:
                table.lose_step(dice.choice(survivors))
        retreat_length = effects.get(f"{role}_retreat") or effects.get(f"{role}_retreats", "")
        for counter in [counter for counter in counters if not counter.gone] if retreat_length else ():
            retreat(
                table,
                counter,
                dice.randint(1, 6)
                if retreat_length == "1d6"
                else int(retreat_length)
                if retreat_length.isdecimal()
                else 1,
                dice,
            )


def _units_removed(which: str, counters: Sequence[Counter], strengths: Mapping[str, float]) -> list[Counter]:
    """The units that a result takes off the map whole."""
    by_strength = sorted(counters, key=lambda counter: strengths.get(counter.name, 0))
    return {"all": by_strength, "strongest": by_strength[-1:], "weakest": by_strength[:1]}.get(which, [])


def standing_questions(table: Table, save: Path) -> Iterator[str]:
    """Why turn, score or supply can't be answered from a save, where the game has them."""
    rules = table.game.rules
    for verb in ("turn", "score", *["supply"] * (rules is not None and rules.supply is not None)):
        answer = question(table.game, save, [verb])
        if isinstance(answer, str):
            yield f"{verb}: {answer}"


def out_of_supply(answer: Mapping[str, Any]) -> set[str]:
    """The units that an answer about supply has without a line, by counter and copy."""
    return {str(node["unit"]) for node in nodes(answer) if node.get("supplied") is False or node.get("line") is False}

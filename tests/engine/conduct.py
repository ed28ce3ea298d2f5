"""How a game goes on as people play it: moves that the assistant allows, and what a battle's result asks of those who fought."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scenarios.resolve import Location
from tests.engine.asked import Asked, nodes, question, word
from tests.engine.run import Told
from tests.engine.table import Counter, Table

STATES = ("state", "shaken")
"""Effects of results that put a unit in a state: named, or by their own name."""


def reach(table: Table, one: Counter, save: Path, dice: random.Random) -> list[Location]:
    """Where the assistant lets a unit go; nowhere where it refuses the question."""
    words = ["move", f"unit={word(one)}"]
    if table.game.id == "six_day_war" and table.side(one) == "arab":
        words.append(f"die={dice.randint(1, 6)}")
    said = question(table.game, save, words)
    if isinstance(said, str):
        return []
    listed = [row for row in (*said.get("places", ()), *said.get("reach", ())) if row.get("may_end", True)]
    found = [place for row in listed if (place := table.named(str(row["place"]))) is not None]
    return [place for place in found if place != one.at and not table.enemies(one, place)]


def retreat(table: Table, one: Counter, far: int, dice: random.Random) -> None:
    """A unit goes back as the assistant allows, stays where it may, or is lost where it can do neither."""
    words = ["retreat", f"unit={word(one)}"]
    words += [f"hexes={far}"] if table.game.id in ("yom_kippur", "six_day_war") else []
    said = question(table.game, table.save("retreat"), words)
    if isinstance(said, str):
        return
    (row,) = said["units"][:1] or [{}]
    ways = [place for way in row.get("ways", ()) if (place := table.named(str(way["to"]))) is not None]
    if row.get("stays"):
        return
    if ways:
        table.put(one, dice.choice(ways))
    elif row.get("eliminated") == "1":
        table.eliminate(one)


def carry_out(table: Table, battle: Asked, told: Told, dice: random.Random) -> None:
    """What the results of an attack do to those who fought."""
    shape = table.game.attacks[battle.attack]
    results = table.game.tables[shape.table].results
    if shape.each:
        for one in battle.targets or battle.defenders:
            code = told.get(f"{one.name}.Result", "")
            if code in results and one.unit in table.game.units:
                _hit(table, one, results[code].effects, dice)
    elif (code := told.get(f"v_{battle.attack}_code", "")) in results:
        strengths = {
            one.name: float(told.get(f"{one.name}.Strength") or 0) for one in (*battle.attackers, *battle.defenders)
        }
        _sides(table, battle, results[code].effects, strengths, dice)
    for one in battle.attackers if "inverted" in table.game.states else ():
        if one.unit in table.game.units and not one.gone:
            table.mark(one, "inverted")  # The Arab-Israeli Wars, Basic VI.C.3: who has attacked is turned over


def _hit(table: Table, one: Counter, effects: Mapping[str, str], dice: random.Random) -> None:
    """A result that one unit takes."""
    dead = effects.get("eliminate", "") == "true" or effects.get("steps") == "all"
    if dead or (
        effects.get("eliminate", "").startswith("if ") and effects["eliminate"].removeprefix("if ") in one.states
    ):
        table.eliminate(one)
        return
    for _ in range(int(effects.get("steps", "0"))):
        if not one.gone:
            table.lose_step(one)
    for key in STATES:
        if key in effects and not one.gone:
            table.mark(one, effects[key] if key == "state" else key)


def _sides(
    table: Table, battle: Asked, effects: Mapping[str, str], strengths: Mapping[str, float], dice: random.Random
) -> None:
    """A result that both sides take: steps, whole units, retreats; one of fire is for the enemies of who fires."""
    units = [one for one in (*battle.defenders, *battle.marked) if one.unit in table.game.units]
    sides = {"attacker": list(battle.attackers), "defender": units}
    if battle.marked or table.game.id == "october_war":
        effects = {f"defender_{key}": value for key, value in effects.items()}
    for role, fought in sides.items():
        losses = effects.get(f"{role}_losses") or effects.get(f"{role}_steps", "0")
        for one in _lost("all" if losses == "all" else effects.get(f"{role}_loses", ""), fought, strengths):
            table.eliminate(one)
        for _ in range(int(losses) if losses.isdecimal() else 0):
            left = [one for one in fought if not one.gone]
            if left:
                table.lose_step(dice.choice(left))
        back = effects.get(f"{role}_retreat") or effects.get(f"{role}_retreats", "")
        for one in [one for one in fought if not one.gone] if back else ():
            retreat(table, one, dice.randint(1, 6) if back == "1d6" else int(back) if back.isdecimal() else 1, dice)


def _lost(which: str, fought: Sequence[Counter], strengths: Mapping[str, float]) -> list[Counter]:
    """The units that a result takes off the map whole."""
    ordered = sorted(fought, key=lambda one: strengths.get(one.name, 0))
    return {"all": ordered, "strongest": ordered[-1:], "weakest": ordered[:1]}.get(which, [])


def standing_questions(table: Table, save: Path) -> Iterator[str]:
    """Why turn, score or supply can't be answered from a save, where the game has them."""
    rules = table.game.rules
    for verb in ("turn", "score", *["supply"] * (rules is not None and rules.supply is not None)):
        said = question(table.game, save, [verb])
        if isinstance(said, str):
            yield f"{verb}: {said}"


def out_of_supply(said: Mapping[str, Any]) -> set[str]:
    """The units that an answer about supply has without a line, by counter and copy."""
    return {str(one["unit"]) for one in nodes(said) if one.get("supplied") is False or one.get("line") is False}

"""Games in which units fire one by one: Operation Musketeer's combats, October War's battles. The module is asked for one unit's fire,
the assistant for the whole battle, which lists everybody's."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scenarios.areas.resolving import Location
from scenarios.model.game import Game
from tests.engine.asked import BattleQuestion, column_of, likely, numbers, of_the_table
from tests.engine.run import Told
from tests.engine.table import Counter, Table


def combat(
    table: Table, dice: random.Random, target: Location, side: str, sources: Sequence[Location]
) -> BattleQuestion | None:
    """One fire of a combat in Operation Musketeer: of an attacker, or of a defender."""
    units = [unit for unit in table.units() if table.game.units[unit.unit].factors.get("combat")]
    attackers = [unit for unit in units if unit.at in sources and table.side(unit) == side]
    defenders = [unit for unit in units if unit.at == target and table.side(unit) != side]
    if not attackers or not defenders:
        return None
    bring_help(table, dice, target, attackers, defenders)
    words = ("odds", f"hex={table.name(target)}", f"from={','.join(map(table.name, sources))}")
    if dice.random() < 0.6:
        return BattleQuestion(
            "ground_fire", [dice.choice(attackers)], (), words, {"role": "attacker"}, place_markers=defenders[:1]
        )
    return BattleQuestion(
        "ground_fire", [dice.choice(defenders)], (), words, {"role": "defender"}, place_markers=attackers[:1]
    )


def bring_help(
    table: Table, dice: random.Random, target: Location, attackers: Sequence[Counter], defenders: Sequence[Counter]
) -> None:
    """Now and then airstrikes and special forces of the attackers, special forces or guerrillas of the defenders, in the hex attacked."""
    ground = table.ring.terrain(table.place(target))
    requests = [("airstrike", attackers)] * dice.randint(0, 2)
    requests += [("special_forces", attackers)] * dice.randint(0, 1)
    requests += [
        (dice.choice(["special_forces", *["guerrilla"] * (ground in ("city", "town"))]), defenders)
    ] * dice.randint(0, 1)
    for kind, side in requests if dice.random() < 0.5 else ():
        waiting = [
            counter
            for counter in table.counters
            if counter.unit in table.game.units and str(counter.at).startswith("box:") and not counter.gone
        ]
        candidates = [
            counter
            for counter in waiting
            if table.game.units[counter.unit].class_ == kind and counter.nation == side[0].nation
        ]
        if candidates:
            table.put(dice.choice(candidates), target)


def remove_helpers(table: Table) -> None:
    """Who helped in a combat is no longer on the map after it."""
    for unit in table.units():
        if table.game.units[unit.unit].class_ in ("airstrike", "special_forces", "guerrilla"):
            table.eliminate(unit)


def combat_told(battle: BattleQuestion, answer: Mapping[str, Any]) -> BattleQuestion:
    """What the module can't know by the one unit that is marked: where the other stacks come from."""
    answer_inputs = answer["inputs"]
    if battle.module_inputs["role"] == "defender" or "," not in battle.words[2]:
        return battle
    extra_inputs = {
        "across": str(answer_inputs["across"]).replace("_", " "),
        "concentric": "yes" if answer_inputs.get("concentric") else "no",
    }
    return replace(battle, module_inputs={**battle.module_inputs, **extra_inputs})


def combat_differences(
    game: Game, battle: BattleQuestion, answer: Mapping[str, Any], readings: Told, chat: Sequence[str]
) -> Iterator[str] | str:
    """Whether the unit fires on the column, with the shifts, that the combat has for it."""
    (side,) = (side_row for side_row in answer["sides"] if side_row["role"] == battle.module_inputs["role"])
    firer = battle.attackers[0]
    fires = [(row["column"], row["shift"]) for row in side["units"] if str(row["unit"]).partition("/")[0] == firer.unit]
    return one_of(game, battle, fires, readings, chat)


def battle_in(table: Table, dice: random.Random, point: Location, side: str) -> BattleQuestion | None:
    """One fire of the first round of a battle in October War, of the attacker or of the defender."""
    fit = [unit for unit in table.units() if unit.at == point and table.game.units[unit.unit].class_ != "strike"]
    attackers = [unit for unit in fit if table.side(unit) == side]
    defenders = [unit for unit in fit if table.side(unit) != side]
    if not attackers or not defenders:
        return None
    words = ("odds", f"point={table.name(point)}", f"side={side}")
    if dice.random() < 0.6:
        return BattleQuestion("ground", [dice.choice(attackers)], defenders, words, {"attacking": "yes"})
    return BattleQuestion("ground", [dice.choice(defenders)], attackers, words, {"attacking": "no"})


def battle_differences(
    game: Game, battle: BattleQuestion, answer: Mapping[str, Any], readings: Told, chat: Sequence[str]
) -> Iterator[str] | str:
    """Whether the unit fires on a column that a unit of its name has in the first round."""
    role = "attacker" if battle.module_inputs["attacking"] == "yes" else "defender"
    name = game.units[battle.attackers[0].unit].name
    fires = [(row["column"], row["shift"]) for row in answer["sides"][role]["volleys"] if row["name"] == name]
    return one_of(game, battle, fires, readings, chat)


def one_of(
    game: Game, battle: BattleQuestion, fires: Sequence[tuple[Any, Any]], readings: Told, chat: Sequence[str]
) -> Iterator[str] | str:
    """Differences from the fire that is nearest; a text where the assistant lists none of this unit."""
    if not fires:
        return "the unit doesn't fire in the first round"
    if failure := readings.get(f"v_{battle.attack}_failure") or readings.get(f"{battle.attackers[0].name}.Failure"):
        return iter([f"not allowed in the module: {failure}"])
    differences: list[list[str]] = [list(_fire(game, battle, column, shift, readings, chat)) for column, shift in fires]
    return iter(sorted(differences, key=len)[0])


def _fire(
    game: Game, battle: BattleQuestion, column: object, shift: object, readings: Told, chat: Sequence[str]
) -> Iterator[str]:
    yield from numbers(battle, {"column": column_of(game, battle.attack, column), "shift": shift}, readings)
    yield from likely(battle, of_the_table(game, battle.attack, str(column)), chat)

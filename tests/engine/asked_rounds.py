"""Games in which units fire one by one: Operation Musketeer's combats, October War's battles. The module is asked for one unit's fire,
the assistant for the whole battle, which lists everybody's."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scenarios.game import Game
from scenarios.resolve import Location
from tests.engine.asked import Asked, column_of, likely, numbers, of_the_table
from tests.engine.run import Told
from tests.engine.table import Counter, Table


def combat(table: Table, dice: random.Random, target: Location, side: str, sources: Sequence[Location]) -> Asked | None:
    """One fire of a combat in Operation Musketeer: of an attacker, or of a defender."""
    units = [one for one in table.units() if table.game.units[one.unit].factors.get("combat")]
    attackers = [one for one in units if one.at in sources and table.side(one) == side]
    defenders = [one for one in units if one.at == target and table.side(one) != side]
    if not attackers or not defenders:
        return None
    bring_help(table, dice, target, attackers, defenders)
    words = ("odds", f"hex={table.name(target)}", f"from={','.join(map(table.name, sources))}")
    if dice.random() < 0.6:
        return Asked("ground_fire", [dice.choice(attackers)], (), words, {"role": "attacker"}, marked=defenders[:1])
    return Asked("ground_fire", [dice.choice(defenders)], (), words, {"role": "defender"}, marked=attackers[:1])


def bring_help(
    table: Table, dice: random.Random, target: Location, attackers: Sequence[Counter], defenders: Sequence[Counter]
) -> None:
    """Now and then airstrikes and special forces of the attackers, special forces or guerrillas of the defenders, in the hex attacked."""
    ground = table.ring.terrain(table.place(target))
    wanted = [("airstrike", attackers)] * dice.randint(0, 2)
    wanted += [("special_forces", attackers)] * dice.randint(0, 1)
    wanted += [
        (dice.choice(["special_forces", *["guerrilla"] * (ground in ("city", "town"))]), defenders)
    ] * dice.randint(0, 1)
    for kind, side in wanted if dice.random() < 0.5 else ():
        waiting = [
            one
            for one in table.counters
            if one.unit in table.game.units and str(one.at).startswith("box:") and not one.gone
        ]
        able = [one for one in waiting if table.game.units[one.unit].class_ == kind and one.nation == side[0].nation]
        if able:
            table.put(dice.choice(able), target)


def dismissed(table: Table) -> None:
    """Who helped in a combat is no longer on the map after it."""
    for one in table.units():
        if table.game.units[one.unit].class_ in ("airstrike", "special_forces", "guerrilla"):
            table.eliminate(one)


def combat_told(battle: Asked, said: Mapping[str, Any]) -> Asked:
    """What the module can't know by the one unit that is marked: where the other stacks come from."""
    known = said["inputs"]
    if battle.told["role"] == "defender" or "," not in battle.words[2]:
        return battle
    more = {"across": str(known["across"]).replace("_", " "), "concentric": "yes" if known.get("concentric") else "no"}
    return replace(battle, told={**battle.told, **more})


def combat_differences(
    game: Game, battle: Asked, said: Mapping[str, Any], told: Told, chat: Sequence[str]
) -> Iterator[str] | str:
    """Whether the unit fires on the column, with the shifts, that the combat has for it."""
    (side,) = (one for one in said["sides"] if one["role"] == battle.told["role"])
    firer = battle.attackers[0]
    fires = [(row["column"], row["shift"]) for row in side["units"] if str(row["unit"]).partition("/")[0] == firer.unit]
    return one_of(game, battle, fires, told, chat)


def battle_in(table: Table, dice: random.Random, point: Location, side: str) -> Asked | None:
    """One fire of the first round of a battle in October War, of the attacker or of the defender."""
    fit = [one for one in table.units() if one.at == point and table.game.units[one.unit].class_ != "strike"]
    attackers = [one for one in fit if table.side(one) == side]
    defenders = [one for one in fit if table.side(one) != side]
    if not attackers or not defenders:
        return None
    words = ("odds", f"point={table.name(point)}", f"side={side}")
    if dice.random() < 0.6:
        return Asked("ground", [dice.choice(attackers)], defenders, words, {"attacking": "yes"})
    return Asked("ground", [dice.choice(defenders)], attackers, words, {"attacking": "no"})


def battle_differences(
    game: Game, battle: Asked, said: Mapping[str, Any], told: Told, chat: Sequence[str]
) -> Iterator[str] | str:
    """Whether the unit fires on a column that a unit of its name has in the first round."""
    role = "attacker" if battle.told["attacking"] == "yes" else "defender"
    name = game.units[battle.attackers[0].unit].name
    fires = [(row["column"], row["shift"]) for row in said["sides"][role]["volleys"] if row["name"] == name]
    return one_of(game, battle, fires, told, chat)


def one_of(
    game: Game, battle: Asked, fires: Sequence[tuple[Any, Any]], told: Told, chat: Sequence[str]
) -> Iterator[str] | str:
    """Differences from the fire that is nearest; a text where the assistant lists none of this unit."""
    if not fires:
        return "the unit doesn't fire in the first round"
    if failure := told.get(f"v_{battle.attack}_failure") or told.get(f"{battle.attackers[0].name}.Failure"):
        return iter([f"not allowed in the module: {failure}"])
    found: list[list[str]] = [list(_fire(game, battle, column, shift, told, chat)) for column, shift in fires]
    return iter(sorted(found, key=len)[0])


def _fire(game: Game, battle: Asked, column: object, shift: object, told: Told, chat: Sequence[str]) -> Iterator[str]:
    yield from numbers(battle, {"column": column_of(game, battle.attack, column), "shift": shift}, told)
    yield from likely(battle, of_the_table(game, battle.attack, str(column)), chat)

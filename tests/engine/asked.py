"""A battle as the assistant reads it from a save, beside what the module said of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from assistant.cli import cli
from scenarios.game import Game
from tests.engine.run import near

READ = {"yom_kippur": ("ground",), "six_day_war": ("mobile", "assault")}
"""The attacks that the assistant reads from a map alone, in games with procedures of their own; in other packs all are."""


def attacks(game: Game) -> Sequence[str]:
    """The attacks of a game whose odds the assistant reads from a map, from places at a place."""
    own = ("arab_israeli_wars", "musketeer", "october_war")
    two = [key for key, attack in game.attacks.items() if attack.defenders and len(attack.groups) == 2]
    return READ.get(game.id, () if game.id in own else two)


@dataclass(frozen=True)
class Asked:
    """A battle that was saved before it was fought: from where, at what."""

    attack: str
    save: Path
    sources: tuple[str, ...]
    target: str
    attackers: int


def answer(game: Game, battle: Asked) -> Mapping[str, Any] | str:
    """What the assistant says of the attack; a text where it refuses the question."""
    words = [str(game.folder)]
    words += [f"position={battle.save}", f"from={','.join(battle.sources)}", f"at={battle.target}"]
    words += [f"attack={battle.attack}"] if battle.attack not in ("mobile", "assault") or game.id != "six_day_war" else []
    result = CliRunner().invoke(cli, ["odds", *words, "--json"])
    if result.exit_code:
        return result.output.strip()
    found = [one for one in nodes(json.loads(result.output)) if one.get("attack", battle.attack) == battle.attack and "column" in one]
    if not found:
        return "no column in the answer"
    taking = sum(one.get("group") == game.attacks[battle.attack].attackers for one in found[0].get("units", ()))
    return found[0] if taking == battle.attackers else f"{taking} of {battle.attackers} attackers may take part"


def nodes(held: Any) -> Iterator[Mapping[str, Any]]:
    """Every object in an answer."""
    if isinstance(held, dict):
        yield held
    for one in held.values() if isinstance(held, dict) else held if isinstance(held, list) else ():
        yield from nodes(one)


def differences(game: Game, battle: Asked, said: Mapping[str, Any], told: Mapping[str, str]) -> Iterator[str]:
    """Where the module's battle and the assistant's answer from the save differ."""
    where = f"{battle.attack} from {', '.join(battle.sources)} at {battle.target} ({battle.save.name})"
    labels = [*game.tables[game.attacks[battle.attack].table].columns.labels]
    column = labels.index(said["column"]) if said["column"] in labels else -1
    wanted = {"column": column, "die": said.get("die", 0)}
    wanted |= {key: said[f"{name}_strength"] for key, name in (("attack", "attack"), ("defense", "defense")) if f"{name}_strength" in said}
    for name, value in wanted.items():
        heard = told.get(f"v_{battle.attack}_{name}", "")
        if not near(heard, float(Fraction(str(value)))):
            yield f"{where}: {name} is {heard} in the module, {value} says the assistant"

"""Which numbers and boards an answer rests on that the rulebook doesn't give."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from assistant.sourced import ours
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.sources import Source

if TYPE_CHECKING:
    from assistant.games.arab_israeli_wars.battle import Battle, Fighter
    from assistant.games.arab_israeli_wars.fire import Fire
    from assistant.games.arab_israeli_wars.move import MoveAnswer
    from assistant.games.arab_israeli_wars.plans import Shares
    from assistant.rules.field import Field

FIRING = ("attack", "weapon", "range")
FIRED_AT = ("defense", "target", "hull_down")


def of_fire(fire: Fire) -> dict[str, str]:
    """What an attack rests on: its table, the factors of who takes part, the drift diagram, the boards."""
    return _of_attack(fire.battle, (one.fighter for one in fire.fates), len(fire.landings) > 1)


def of_plan(pattern: Battle, plan: Shares) -> dict[str, str]:
    """What a plan rests on."""
    targets = (one for volley in plan.volleys for one in volley.targets)
    return _of_attack(pattern, targets, any(volley.scatters for volley in plan.volleys))


def _of_attack(battle: Battle, targets: Iterable[Fighter], drifts: bool) -> dict[str, str]:
    game = battle.game
    factors = [(unit, key) for unit in _units(game, battle.firers) for key in FIRING]
    factors += [(unit, key) for unit in _units(game, targets) for key in FIRED_AT]
    tables = (battle.shape.table, "drift") if drifts else (battle.shape.table,)
    return ours(game, factors, tables, more=_boards(battle.field))


def of_field(field: Field) -> dict[str, str]:
    """What a line of sight rests on: the boards."""
    return ours(field.game, more=_boards(field))


def of_smoke(field: Field, firer: Fighter) -> dict[str, str]:
    """What smoke fired into a hex rests on."""
    factors = [(unit, key) for unit in _units(field.game, (firer,)) for key in ("weapon", "range")]
    return ours(field.game, factors, ("drift",), more=_boards(field))


def of_move(answer: MoveAnswer) -> dict[str, str]:
    """What a move rests on: the costs of the ground, the unit's allowance, the boards; with attacks on the way theirs."""
    attacked = answer.hazards is not None and bool(answer.hazards.blasts)
    tables = ("terrain", "combat") if attacked else ("terrain",)
    return ours(answer.field.game, ((answer.mover.unit, "movement"),), tables, more=_boards(answer.field))


def of_morale(game: Game, thrown: bool) -> dict[str, str]:
    """What a recovery rests on; nothing where no die is thrown."""
    return ours(game, tables=("morale",)) if thrown else {}


def _units(game: Game, fighters: Iterable[Fighter]) -> list[Unit]:
    return [game.units[unit] for unit in dict.fromkeys(one.unit for one in fighters) if unit in game.units]


def _boards(field: Field | None) -> dict[str, Source | None]:
    placed = field.hex_map.placed if field is not None else ()
    return {f"boards/{one.board.id}": one.board.shape.source for one in placed}

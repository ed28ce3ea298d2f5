"""What every question about a position needs: the position, changed as told, and hexes by number or name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from assistant.attacks import BadQuestion
from assistant.games.musketeer.support import Support, support
from assistant.shared.asking import Options, asked_position
from assistant.shared.changes import CHANGES, changed, changes
from assistant.shared.options import given, listed, whole, word
from assistant.shared.stands import named_hex
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.maps import HexMap
from scenarios.position import Position

PLACE: Mapping[str, str] = {
    "position": "a position file",
    "scenario": "the start of a scenario, instead of a position; none for an empty map",
    "turn": "the turn, where it isn't the position's",
    **CHANGES,
}


def told(options: Options) -> bool:
    """Whether a position is told at all."""
    return given(options, "position") or given(options, "scenario") or changes(options)


def asked_support(game: Game, options: Options) -> Support:
    """The position: `position`, or the start of `scenario`, or an empty map; then `gone`, `put` and `mark`."""
    if word(options, "scenario") == "none":
        here = support(game, Position(game.id, next(iter(game.scenarios))))
    else:
        here = support(game, asked_position(game, options))
    changing = changes(options)
    position = here.position
    if changing:
        position = changed(game, position, options, here.table, lambda name: named_hex(here.table, name)).position
    last = game.turns.count if game.turns and game.turns.count else 1
    turn = whole(options, "turn", position.turn, 1, last)
    if turn != position.turn:
        position = replace(position, turn=turn)
    if position is not here.position:
        here = replace(here, position=position)
    if changing:
        _apart(here)
        _on_land(here)
    return here


def _on_land(here: Support) -> None:
    """9.4: no ground unit is where none can go; who lands is in the coastal hex (the ruling on assaults from the sea)."""
    for _, unit, hex in here.units:
        if here.ground.costs[hex] is None:
            ground = here.game.terrain[here.table.terrain[hex]].name.lower()
            raise BadQuestion(
                f"{unit.id} can't be in {here.table.name(hex)}, which is {ground} (9.4); who lands is put in the coastal hex, with "
                "+direct_assault if an enemy is there (29.5)"
            )


def _apart(here: Support) -> None:
    """12.5: enemies share a hex only where one of them has landed on the other (29.5)."""
    for piece, unit, hex in here.units:
        for other, enemy, at in here.units:
            if at == hex and enemy.side != unit.side and "direct_assault" not in piece.states | other.states:
                raise BadQuestion(
                    f"{unit.id} and {enemy.id} can't both be in {here.table.name(hex)} (12.5); one that landed on the "
                    "other is marked: mark=UNIT+direct_assault (29.5)"
                )


def asked_hex(table: HexMap, options: Options, key: str) -> Hex | None:
    """A hex by its number or the name of its place; None where nothing is told."""
    found = word(options, key) or word(options, f"{key}_")
    return named_hex(table, found) if found else None


def asked_hexes(table: HexMap, options: Options, key: str) -> list[Hex]:
    """Hexes by number or name."""
    return [named_hex(table, name) for name in listed(options, key) or listed(options, f"{key}_")]

"""What every question about a position needs: the position of the scenario or a file, units and hexes by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.ground import FRONTS, Ground
from assistant.games.six_day_war.placing import RULE, start
from assistant.shared.asking import Options
from assistant.shared.changes import CHANGES, apart, changed
from assistant.shared.options import BIG, given, listed, one_of, whole
from assistant.shared.stands import named_hex, named_unit, named_units
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.opening import open_position
from scenarios.position import Position, from_scenario
from scenarios.reading.findings import instead

PLACED: Mapping[str, str] = {
    "scenario": "the start of the scenario: standard, or none for only what is put",
    "position": "a position file",
    "turn": "the turn, where it isn't the position's",
    **CHANGES,
}
"""What every question about a position may be told."""
CHOSEN = f"* {RULE}"


def asked_field(game: Game, options: Options, *, units: bool = True) -> Field:
    """The units on the map: `position` (a Position or a file), or the start of the scenario; changed as told.

    With `scenario=none` only what `put` names is on the map; without `units` those set up by area needn't be.
    """
    position, assumed = options.get("position"), frozenset[tuple[str, str]]()
    if isinstance(position, str | Path) and position:
        position = open_position(game, Path(position))
        if position.scenario not in game.scenarios:
            position = replace(position, scenario=next(iter(game.scenarios)))
    if not isinstance(position, Position):
        scenario = str(options["scenario"]) if given(options, "scenario") else next(iter(game.scenarios))
        if scenario == "none":
            position = Position(game.id, next(iter(game.scenarios)))
        elif scenario not in game.scenarios:
            raise BadQuestion(f"there is no scenario {scenario!r}; {instead(scenario, [*game.scenarios, 'none'])}")
        elif units:
            position, assumed = start(game, scenario)
        else:
            position = from_scenario(game, scenario)
    ground = Ground.of(game, position.scenario)
    position = changed(game, position, options, ground.table, lambda name: named_hex(ground.table, name))
    position = replace(position, turn=whole(options, "turn", position.turn, least=1, most=BIG))
    moved = frozenset(name.partition("@")[0].partition("/")[0] for name in listed(options, "put"))
    field = Field.of(game, position, frozenset(pair for pair in assumed if pair[0] not in moved), ground)
    apart(ground.table.name, *field.held.values())
    return field


def asked_unit(field: Field, name: str) -> Stand:
    """A unit on the map by its counter's id or its name."""
    return named_unit(field.game, field.stands, name)


def asked_units(field: Field, options: Options, key: str) -> list[Stand]:
    """The units listed under a name, each once."""
    return named_units(field.game, field.stands, options, key)


def asked_hex(field: Field, name: str) -> Hex:
    """A hex of the field by its name."""
    return named_hex(field.table, name)


def asked_places(field: Field, options: Options, key: str) -> list[Hex]:
    """Hexes by number, by place, or by a unit that stands there, each once."""
    at = {name: s.hex for s in reversed(field.stands) for name in (s.unit.id, s.key)}
    return list(dict.fromkeys(at.get(name) or asked_hex(field, name) for name in listed(options, key)))


def asked_fronts(options: Options, key: str) -> frozenset[str]:
    """Fronts by name."""
    return frozenset(one_of(name, FRONTS, key) for name in listed(options, key))

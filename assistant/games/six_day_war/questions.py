"""What every question about a position needs: the position of the scenario or a file, units and hexes by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.ground import FRONTS
from assistant.games.six_day_war.placing import RULE, started
from assistant.shared.asking import Options
from assistant.shared.changes import CHANGES, apart, changed, changes
from assistant.shared.options import BIG, given, listed, one_of, whole
from assistant.shared.stands import named_hex, named_unit
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.opening import open_position
from scenarios.position import Position, from_scenario
from scenarios.reading.findings import instead
from scenarios.same import Same

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
    base = _base(game, options, units)
    field = _changed(base, options) if changes(options) else base
    turn = whole(options, "turn", base.position.turn, least=1, most=BIG)
    if turn != base.position.turn:
        field = Field(base.ground, replace(field.position, turn=turn), field.stands)
    apart(base.table.name, *field.held.values())
    _on_land(field)
    return field


def _on_land(field: Field) -> None:
    """BadQuestion if a unit stands where no unit can be (10.9)."""
    for stand in field.stands:
        if not field.enterable(stand.hex):
            ground = field.game.terrain[field.table.terrain[stand.hex]].name.lower()
            raise BadQuestion(
                f"{stand.name} can't be in {field.table.name(stand.hex)}, which is {ground} (10.9); put it on land, or leave it "
                f"out: gone={stand.key}"
            )


def _changed(base: Field, options: Options) -> Field:
    game, table = base.game, base.table
    position, put, _ = changed(game, base.position, options, table, lambda name: asked_hex(base, name))
    assumed = frozenset((s.unit.id, s.piece.copy) for s in base.stands if s.assumed)
    return Field.of(game, position, assumed - put, base.ground)


def _base(game: Game, options: Options, units: bool) -> Field:
    """The field before anything is changed."""
    position = options.get("position")
    if isinstance(position, str | Path) and position:
        return _opened(game, Path(position))
    if isinstance(position, Position):
        return Field.of(game, position if position.scenario in game.scenarios else replace(position, scenario=next(iter(game.scenarios))))
    scenario = str(options["scenario"]) if given(options, "scenario") else next(iter(game.scenarios))
    if scenario == "none":
        return Field.of(game, Position(game.id, next(iter(game.scenarios))))
    if scenario not in game.scenarios:
        raise BadQuestion(f"there is no scenario {scenario!r}; {instead(scenario, [*game.scenarios, 'none'])}")
    return started(game, scenario) if units else Field.of(game, from_scenario(game, scenario))


def _opened(game: Game, path: Path) -> Field:
    """The field of a file, kept while the file is the same."""
    try:
        held = path.stat()
    except (OSError, ValueError):
        return _read.__wrapped__(Same(game), path, ())  # which tells what is wrong
    return _read(Same(game), path, (held.st_ino, held.st_size, held.st_mtime_ns, held.st_ctime_ns))


@lru_cache(maxsize=4)
def _read(game: Same[Game], path: Path, stamp: tuple[int, ...]) -> Field:
    position = open_position(game.value, path)
    if position.scenario not in game.value.scenarios:
        position = replace(position, scenario=next(iter(game.value.scenarios)))
    return Field.of(game.value, position)


def asked_unit(field: Field, name: str) -> Stand:
    """A unit on the map by its counter's id or its name, in any case; BadQuestion where several have that name."""
    found = field.named.get(name) or field.named.get(name.lower())
    if found is not None:
        return found
    called = [s for s in field.stands if s.name.lower() == name.lower()]
    if len(called) > 1:
        raise BadQuestion(f"{len(called)} units are called {name}; name one by its counter: {', '.join(s.key for s in called)}")
    return called[0] if called else named_unit(field.game, field.stands, name)


def asked_units(field: Field, options: Options, key: str) -> list[Stand]:
    """The units listed under a name, each once."""
    return list(dict.fromkeys(asked_unit(field, name) for name in listed(options, key)))


def asked_hex(field: Field, name: str) -> Hex:
    """A hex of the field by its number, or by its place in any case."""
    return named_hex(field.table, name if name in field.table.places else name.lower())


def asked_places(field: Field, options: Options, key: str) -> list[Hex]:
    """Hexes by number, by place, or by a unit that stands there, each once."""
    told = listed(options, key)
    at = [field.named.get(name) or field.named.get(name.lower()) for name in told]
    return list(dict.fromkeys(s.hex if s else asked_hex(field, name) for s, name in zip(at, told, strict=True)))


def asked_fronts(options: Options, key: str) -> frozenset[str]:
    """Fronts by name."""
    return frozenset(one_of(name, FRONTS, key) for name in listed(options, key))

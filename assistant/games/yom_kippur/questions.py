"""What every question about a position needs: the ground, the position of a scenario or a file, units and hexes by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur.field import SIDES, Assumed, Field, Stand, field_of
from assistant.games.yom_kippur.ground import Ground
from assistant.games.yom_kippur.placing import at_start, start
from assistant.shared import specials
from assistant.shared.asking import Options
from assistant.shared.changes import CHANGES, apart, changed, changes
from assistant.shared.options import BIG, given, listed, one_of, whole, yes
from assistant.shared.stands import named_hex, named_units
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.opening import open_position
from scenarios.position import Position
from scenarios.reading.findings import instead
from scenarios.scenario import Effect

PLACED: Mapping[str, str] = {
    "scenario": "the start of a scenario, such as 4.5",
    "position": "a position file",
    "turn": "the turn, where it isn't the position's",
    "may_cross_east": "3.8 is paid for: Egyptian headquarters and SAMs may be east of the canal (yes or no)",
    **CHANGES,
}
"""What every question about a position may be told."""
NOWHERE = Hex(0, 0)
"""Where a unit stands that is on no map."""
CHOSEN = "* set up by area; the hex is our choice"


def asked_field(game: Game, options: Options) -> Field:
    """The units on the ground: `position` (a Position or a file), or the start of `scenario`; changed as told."""
    position, assumed = options.get("position"), Assumed()
    known: Mapping[int, Stand] = {}
    if isinstance(position, str | Path) and position:
        position = open_position(game, Path(position))
    if isinstance(position, Position):
        ground = Ground.of(game, position.scenario)
    elif given(options, "scenario"):
        scenario = str(options["scenario"])
        if scenario not in game.scenarios:
            raise BadQuestion(f"there is no scenario {scenario!r}; {instead(scenario, game.scenarios)}")
        ground = Ground.of(game, scenario)
        (position, assumed), known = start(ground, scenario), at_start(ground, scenario)
    elif changes(options):
        ground, position = Ground.of(game), Position(game.id)
    else:
        raise BadQuestion(f"say which scenario or position; {game.id} has {', '.join(game.scenarios)}")
    position, put, marked = changed(game, position, options, ground.table, lambda name: named_hex(ground.table, name))
    position = replace(position, turn=whole(options, "turn", position.turn, least=1, most=BIG))
    field = field_of(ground, position, frozenset(pair for pair in assumed if pair not in put), known)
    apart(ground.table.name, *field.held.values())
    paid = yes(options, "may_cross_east")
    for stand in field.stands:
        if (stand.unit.id, stand.piece.copy) in put:
            _may_stand(ground, stand, paid)
    for piece in position.pieces:
        if (piece.unit, piece.copy) in marked and piece.unit in game.units:
            sound(Stand(game.units[piece.unit], piece, NOWHERE))
    return field


def _may_stand(ground: Ground, stand: Stand, paid: bool) -> None:
    """BadQuestion if a unit was put where it can never be."""
    where = ground.table.name(stand.hex)
    if (terrain := ground.table.terrain[stand.hex]) in ("sea", "lake"):
        water = "the sea" if terrain == "sea" else "a lake"
        raise BadQuestion(f"put: {stand.name} can't be in {where}, which is {water} (3.5b, Terrain Effects Chart)")
    if "stays_west" in stand.unit.abilities and stand.hex in ground.east and not paid:
        raise BadQuestion(
            f"put: {stand.name} stays west of the canal, and {where} is east of it (1.10b, 1.13c, 3.5a); "
            "where 3.8 is paid for, say may_cross_east=yes"
        )


def sound(stand: Stand) -> Stand:
    """The unit, if it can be in the states it was told to be in (1.4c, 1.14a)."""
    if "bridge" in stand.piece.states and "builds_bridge" not in stand.unit.abilities:
        raise BadQuestion(f"{stand.name} is no engineer and can't be a bridge (1.14a)")
    if not stand.steps:
        count = stand.unit.steps
        raise BadQuestion(f"{stand.name} has {count} step{'s' * (count != 1)}: with that loss it is gone (1.4c); leave it out")
    return stand


def asked_units(field: Field, options: Options, key: str) -> list[Stand]:
    """The units listed under a name, each once; who isn't on the map yet, or any more, gets a word where it is."""
    off = {piece.unit: piece.at for piece in field.position.pieces if isinstance(piece.at, str)}
    on = {stand.unit.id for stand in field.stands}
    for name in listed(options, key):
        if name in off and name in field.ground.game.units and name not in on:
            what, _, where = off[name].partition(":")
            box = field.ground.table.boxes.get(where)
            told = f"it comes on turn {where}" if what == "turn" else f"it is in the {box.name}" if box else "it waits"
            raise BadQuestion(f"{field.ground.game.units[name].name} is not on the map: {told}; to ask all the same, put={name}@HEX")
    return named_units(field.ground.game, field.stands, options, key)


def asked_hex(field: Field, name: str) -> Hex:
    """A hex of the field by its name."""
    return named_hex(field.ground.table, name)


def asked_target(field: Field, options: Options) -> Hex:
    """The hex that is attacked: `target`, or `at`."""
    name = next((str(options[key]) for key in ("target", "at") if given(options, key)), "")
    if not name:
        raise BadQuestion("say which hex is attacked: target")
    return asked_hex(field, name)


def asked_side(options: Options, default: str = "") -> str:
    """One of the two sides."""
    return one_of(str(options["side"]).strip().lower(), SIDES, "side") if given(options, "side") else default


def effects(field: Field, kind: str, side: str = "") -> Iterator[Effect]:
    """What the scenario's special rules change now: the effects of a kind that hold on this turn."""
    return specials.effects(field.ground.game, field.position, kind, side)

"""Set-ups: every scenario as a saved game, each piece written as the engine itself would make it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from modgen.vmod import aids, shading, support
from modgen.vmod.briefing import WAITING, WELCOME, note, scenario_name, welcome
from modgen.vmod.chores import set_for
from modgen.vmod.laying import laid
from modgen.vmod.lock import CannotBuild
from modgen.vmod.maps import EMPTY, FRONT_X, FRONT_Y
from modgen.vmod.pieces import COPY, ENTERS, GROUP, NATION, expanded, face_state, loose_states, piece
from modgen.vmod.places import SCENARIO
from modgen.vmod.pools import deck_state, deck_type
from modgen.vmod.prototypes import GROUND, UNITS
from modgen.vmod.sheets import instructions
from modgen.vmod.sight import LAYOUT
from modgen.vmod.turns import players
from modgen.vmod.xml import Part, document
from scenarios.front import front
from scenarios.game import Game, Map
from scenarios.maps import HexMap
from scenarios.points import PointMap
from scenarios.position import Piece, Position, from_scenario
from scenarios.resolve import Location
from scenarios.vassal.archive import ENTRY, packed
from scenarios.vassal.commands import BEGIN, END, Added, Trait, added, nested, whole
from scenarios.vassal.geometry import PointSheet, Sheet
from scenarios.vassal.playing import ABOUT, PROPERTY
from scenarios.vassal.reading import OFF, STEP_LOSS, about
from scenarios.vassal.sequence import join, split
from scenarios.vassal.windows import (
    MAIN,
    OFF_MAP,
    SETUP,
    Sheets,
    Tray,
    board_names,
    box_sheets,
    map_of,
    piles,
    pools,
    setup_sheets,
    support_piles,
    turn_of,
    windows,
)

FIRST_ID = 1_000_000
STARTING = tuple(f"SGKC\tSGKC{n}\ttrue" for n in range(3))
"""Says that the start-up commands were done: without it the engine would take a game just opened for a changed one. As it starts a
set-up from its menu, the engine does those of a game's start all the same; as it loads a save, it doesn't."""


class Spot(NamedTuple):
    """A place in a module: a window, and pixels in it."""

    window: str
    x: int
    y: int


class Misplaced(CannotBuild):
    """A piece that a scenario puts where there is no place for it."""


def spots(game: Game, position: Position, boxed: Sheets | None = None) -> list[Spot]:
    """Where each piece of a position stands in the module; Misplaced where it has no place there."""
    table = game.scenario_maps[position.scenario]
    sheet: Sheet | PointSheet = Sheet(table) if isinstance(table, HexMap) else PointSheet(table)
    beside = map_of(game, position.scenario)
    listed = (*setup_sheets(game, position.scenario), *(boxed or box_sheets(game, beside)))
    places: dict[tuple[str, str], tuple[str, Tray]] = {}
    for page in listed:
        for tray in page.trays:
            for at in filter(None, (tray.location, turn_of(beside, tray.location))):
                places.setdefault((at, tray.group), (page.window, tray))
                places.setdefault((at, ""), (page.window, tray))

    def key_of(held: Piece) -> tuple[str, str]:
        """What tells the tray of a piece beside the map: its place, and its group where that has a tray of its own."""
        at = _space(beside, str(held.at))
        return (at, held.group) if (at, held.group) in places else (at, "")

    waiting: dict[tuple[str, str], list[int]] = {}
    for number, held in enumerate(position.pieces):
        if isinstance(held.at, str):
            waiting.setdefault(key_of(held), []).append(number)
    pile: dict[int, int] = {}
    for key, numbers in waiting.items():
        deep = places[key][1].deep if key in places else 0
        pile |= zip(numbers, piles([position.pieces[number].unit for number in numbers], deep), strict=True)
    result = []
    for number, held in enumerate(position.pieces):
        if held.at == OFF and listed:
            result.append(Spot(listed[-1].window, 1, 1))
        elif isinstance(held.at, str) and ":" in held.at:
            key = key_of(held)
            if key not in places:
                raise Misplaced(
                    f"{held.unit} {held.copy} is in {held.at}, and the module's scenario {position.scenario} has no such place"
                )
            window, tray = places[key]
            drawn = held.at.removeprefix("box:") in pools(beside)
            result.append(Spot(window, *tray.cells[0 if drawn else min(pile[number], len(tray.cells) - 1)]))
        elif isinstance(sheet, Sheet) and not isinstance(held.at, str):
            result.append(Spot(MAIN, *sheet.centre(held.at)))
        elif isinstance(sheet, PointSheet) and held.at in sheet.points:
            result.append(Spot(MAIN, *sheet.points[str(held.at)]))
        else:
            raise Misplaced(f"{held.unit} {held.copy} is off the map of scenario {position.scenario}, at {held.at}")
    return result


def _space(table: Map | None, at: str) -> str:
    """A box, or the first space of a track that is named like one."""
    key = at.removeprefix("box:")
    if table is not None and key in table.tracks:
        return f"box:{key}/{table.tracks[key].labels[0]}"
    return at


def in_state(game: Game, held: Piece, own_kind: Kind, enters: str = "") -> list[str]:
    """The states of a piece's traits at the start."""
    unit = game.units.get(held.unit)
    own = {COPY: held.copy, GROUP: held.group, ENTERS: enters, NATION: held.nation}
    flipped = unit is not None and face_state(game, unit) in held.states
    result = list(own_kind.states)
    for place, name in own_kind.told:
        result[place] = own[name]
    for place, name in own_kind.layers:
        if name == "Face" and flipped:
            result[place] = "2"
        elif name == "Steps" and held.steps_lost:
            result[place] = str(held.steps_lost + 1)
        elif name in own_kind.loose and (
            name in held.states or (name == STEP_LOSS and flipped and held.steps_lost > 1)
        ):
            result[place] = "1"
    return result


def _layer_name(text: str) -> str:
    return split(text.removeprefix("emb2;"), ";")[18] if text.startswith("emb2;") else ""


def _property(text: str) -> str:
    return text[5 : text.index(";", 5)] if text.startswith("PROP;") else ""


class Kind(NamedTuple):
    """What all copies of a counter share in a save."""

    types: str
    states: tuple[str, ...]
    """Of each trait, as the module has it."""
    layers: tuple[tuple[int, str], ...]
    """The layers that have a name, each with its place among the traits."""
    told: tuple[tuple[int, str], ...]
    """The properties that are told of each copy, likewise."""
    loose: frozenset[str]


Kinds = dict[str, Kind]


def kind(game: Game, piece_id: str, gpids: Mapping[str, str], known: Mapping[str, tuple[Trait, ...]]) -> Kind:
    """A counter with its prototypes expanded."""
    own = expanded(piece(game, piece_id, gpids[piece_id]).traits, known)
    layers = ((place, _layer_name(trait.type)) for place, trait in enumerate(own))
    told = ((place, _property(trait.type)) for place, trait in enumerate(own))
    return Kind(
        whole([trait.type for trait in own]),
        tuple(trait.state for trait in own),
        tuple((place, name) for place, name in layers if name),
        tuple((place, name) for place, name in told if name in (COPY, GROUP, ENTERS, NATION)),
        frozenset(loose_states(game)),
    )


def commands(
    game: Game,
    position: Position,
    gpids: Mapping[str, str],
    known: Mapping[str, tuple[Trait, ...]],
    turn: str,
    boxed: Sheets | None = None,
    made: Kinds | None = None,
    layout: str = "",
    stands_for: str = "",
    more: Sequence[str] = (),
) -> str:
    """A whole save: pieces, their stacks, the boards, the turn. `made` keeps kinds from save to save; `layout` names tables of sight.

    `stands_for` is the scenario that the module's expressions take it for, where they don't know its own; `more` are commands to add.
    """
    table = game.scenario_maps[position.scenario]
    made = {} if made is None else made
    listed: list[str] = []
    stacks: dict[tuple[Spot, str], list[str]] = {}
    entries = arrivals(game, position.scenario)
    places = spots(game, position, boxed)
    for number, (held, spot) in enumerate(zip(position.pieces, places, strict=True)):
        own = made.get(held.unit) or made.setdefault(held.unit, kind(game, held.unit, gpids, known))
        key = str(FIRST_ID + number)
        place = join([spot.window, str(spot.x), str(spot.y), gpids[held.unit], "1", "UniqueID", key], ";")
        enters = entries.get(held.group, "") if str(held.at).startswith("turn:") else ""
        states = [*in_state(game, held, own, enters)[:-1], place]
        listed.append("+/" + join([key, own.types, whole(states)], "/"))
        stacks.setdefault((spot, layer_of(game, held.unit)), []).append(key)
    own_trays = support_trays(game, position)
    for side, force in game.scenarios[position.scenario].forces.items():
        copies = [(held, copy) for held in force.support for copy in range(1, held.count + 1)]
        window, tray = own_trays.get(side, ("", None))
        for (held_support, copy), pile in zip(copies, support_piles(force, tray.deep if tray else 0), strict=True):
            slot = support.slot_of(held_support)
            if slot not in gpids or tray is None:
                continue
            spot = Spot(window, *tray.cells[pile])
            made_piece = support.piece(game, held_support, gpids[slot], str(copy) if held_support.count > 1 else "")
            types = expanded(made_piece.traits, known)
            key = str(FIRST_ID + len(listed))
            place = join([*map(str, spot), gpids[slot], "1", "UniqueID", key], ";")
            listed.append(
                "+/" + join([key, whole([t.type for t in types]), whole([*(t.state for t in types[:-1]), place])], "/")
            )
            stacks.setdefault((spot, UNITS), []).append(key)
    if aids.COMPASS in gpids and isinstance(table, HexMap):
        gpid = gpids[aids.COMPASS]
        listed.append(
            alone(aids.compass(game, gpid, table.north), aids.corner(table), gpid, str(FIRST_ID + len(listed)))
        )
    if layout:
        gpid = gpids[shading.NAME]
        listed.append(alone(shading.piece(game, gpid, GROUND), (0, 0), gpid, str(FIRST_ID + len(listed))))
    beside = map_of(game, position.scenario)
    boxed = boxed or box_sheets(game, beside)
    decks = {
        Spot(sheet.window, *tray.cells[0]): tray.name
        for sheet in boxed
        for tray in sheet.trays
        if tray.location.removeprefix("box:") in pools(beside)
    }
    number = FIRST_ID + len(listed)
    for (spot, _), keys in stacks.items():
        if spot in decks:
            continue
        state = join([spot.window, str(spot.x), str(spot.y), *keys, "@@0"], ";")
        listed.append(added(Added(str(number), (Trait("stack", state),))))
        number += 1
    for spot, name in decks.items():
        held_in = [key for (where, _), keys in stacks.items() if where == spot for key in keys]
        deck = Trait(deck_type(game, name), deck_state(*spot, held_in))
        listed.append(added(Added(str(number), (deck,))))
        number += 1
    if isinstance(table, HexMap):
        names = laid(game, position.scenario)
        cells = [
            part
            for (board, turned), x, y in _matrix(table)
            for part in (join([names[board], *(["rev"] if turned else [])], "/"), str(x), str(y))
        ]
    else:
        assert isinstance(table, PointMap)
        cells = [join([board_names(game)[table.id]], "/"), "0", "0"]
    listed.append(join([f"{MAIN}BoardPicker", *cells], "\t"))
    shown = {sheet.window: sheet.name for sheet in (*setup_sheets(game, position.scenario), *boxed)}
    for window in (*windows(game).trays, *windows(game).boxes):
        listed.append(join([f"{window}BoardPicker", join([shown.get(window, EMPTY)], "/"), "0", "0"], "\t"))
    listed.append(note(game, position.scenario))
    listed += [join([PROPERTY[:-1], ABOUT, about(game), ""], ";"), turn]
    listed += STARTING
    for name, value in set_for(game, game.scenarios[position.scenario]):
        listed.append(join(["GlobalProperty\t", name, value, ""], ";"))
    listed.append(join(["GlobalProperty\t", SCENARIO, stands_for or position.scenario, "Module"], ";"))
    x, y = middle(game, position)
    waiting = sum(len(keys) for (spot, _), keys in stacks.items() if spot.window == SETUP)
    told = {FRONT_X: str(x), FRONT_Y: str(y), WELCOME: welcome(game, position.scenario), WAITING: str(waiting)}
    told |= players(game, game.scenarios[position.scenario])
    # Before the turn, which is shown in these words.
    listed[:0] = [join(["GlobalProperty\t", name, value, "Module"], ";") for name, value in told.items()]
    if layout:
        listed.append(join(["GlobalProperty\t", LAYOUT, layout, "Module"], ";"))
    return nested(BEGIN, [*listed, *more, END])


def middle(game: Game, position: Position) -> tuple[int, int]:
    """The pixel that the map opens on: where the armies meet, else the middle of the map."""
    map = game.scenario_maps[position.scenario]
    sheet: Sheet | PointSheet = Sheet(map) if isinstance(map, HexMap) else PointSheet(map)

    def point(place: Location) -> tuple[float, float] | None:
        if isinstance(sheet, PointSheet):
            return sheet.points.get(str(place))
        return None if isinstance(place, str) else sheet.centre(place)

    x, y = front(game, position, point) or (sheet.size[0] / 2, sheet.size[1] / 2)
    return int(x), int(y)


def alone(traits: Sequence[Trait], at: tuple[int, int], gpid: str, key: str) -> str:
    """A piece of the map that stacks with none."""
    place = join([MAIN, *map(str, at), gpid, "1", "UniqueID", key], ";")
    return "+/" + join(
        [key, whole([trait.type for trait in traits]), whole([*(trait.state for trait in traits[:-1]), place])], "/"
    )


def support_trays(game: Game, position: Position) -> dict[str, tuple[str, Tray]]:
    """The window and tray of each side's support."""
    return {
        tray.location.removeprefix(OFF_MAP): (sheet.window, tray)
        for sheet in setup_sheets(game, position.scenario)
        for tray in sheet.trays
        if tray.location.startswith(OFF_MAP)
    }


def arrivals(game: Game, scenario_id: str) -> dict[str, str]:
    """When and where each group of reinforcements comes, in words."""
    return {
        tray.group: told.get(tray.name, "")
        for sheet in setup_sheets(game, scenario_id)
        for told in [instructions(game, scenario_id, sheet)]
        for tray in sheet.trays
        if tray.location.startswith("turn:")
    }


def layer_of(game: Game, piece_id: str) -> str:
    """The layer of a piece: what lies on the ground stacks by itself."""
    marker = game.markers.get(piece_id)
    return GROUND if marker is not None and marker.kind == "construction" else UNITS


def _matrix(table: HexMap) -> list[tuple[tuple[str, bool], int, int]]:
    """The boards of a map with their column and row in the arrangement."""
    corners = Sheet(table).corners
    xs, ys = sorted({x for x, _ in corners.values()}), sorted({y for _, y in corners.values()})
    return [
        ((placed.board.id, placed.turned), xs.index(corners[placed.board.id][0]), ys.index(corners[placed.board.id][1]))
        for placed in table.placed
    ]


def save(text: str, module: bytes, version: str, vassal: str, stamp: int, title: str) -> bytes:
    """A .vsav: the commands, and what the module manager reads.

    The commands are plain text, which the engine takes too; obfuscated they would need twice the room.
    """
    about = Part(
        "data",
        Part("version", content=version),
        Part("extra1"),
        Part("extra2"),
        Part("VassalVersion", content=vassal),
        Part("dateSaved", content=str(stamp)),
        Part("description", content=title),
        version="1",
    )
    return packed({ENTRY: text.encode("utf-8"), "moduledata": module, "savedata": document(about)})


def setup_file(game: Game, scenario_id: str) -> str:
    """The file of a set-up; the engine shows its name in the chat and over every window."""
    return re.sub(r'[\\/:*?"<>|]', "", scenario_name(game, scenario_id)) + ".vsav"


def scenario_of(game: Game, file: str) -> str:
    """The scenario of a set-up's file; nothing where it is of none."""
    return next((key for key in game.scenarios if setup_file(game, key) == file), "")


def positions(game: Game) -> dict[str, Position]:
    """The start of every scenario."""
    return {key: from_scenario(game, key) for key in game.scenarios}

"""Set-ups: every scenario as a saved game, with each piece written as the engine itself would write it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from modgen.vmod.battle.places import SCENARIO
from modgen.vmod.files.lock import CannotBuild
from modgen.vmod.files.xml import XmlPart, document
from modgen.vmod.maps import beyond
from modgen.vmod.maps.board_pictures import layout_names
from modgen.vmod.maps.trays import instructions
from modgen.vmod.maps.windows import EMPTY, FRONT_X, FRONT_Y
from modgen.vmod.pieces import aids, support
from modgen.vmod.pieces.faces import loose_states
from modgen.vmod.pieces.pieces import (
    COPY,
    ENTERS,
    GROUP,
    NATION,
    PaletteEntry,
    expand_prototypes,
    piece_entry,
)
from modgen.vmod.pieces.pools import deck_state, deck_type
from modgen.vmod.pieces.prototypes import GROUND, UNITS
from modgen.vmod.setups.phase_effects import set_for
from modgen.vmod.setups.turns import players
from modgen.vmod.sight import shading
from modgen.vmod.sight.sight_tables import LAYOUT
from modgen.vmod.text.briefing import WAITING, WELCOME, note, scenario_name, welcome
from scenarios.areas.front_line import front
from scenarios.areas.resolving import Location
from scenarios.model.game import Game, Map
from scenarios.model.maps import HexMap
from scenarios.model.points import PointMap
from scenarios.model.position import Piece, Position, from_scenario
from scenarios.unit_view import view_piece
from scenarios.vassal.archive import ENTRY, pack_zip
from scenarios.vassal.commands import BEGIN, END, Added, Trait, add_piece_command, append_commands, join_traits
from scenarios.vassal.geometry import BoardSheet, PointSheet
from scenarios.vassal.playing import PROPERTY, SAVE_DATA
from scenarios.vassal.reading import OFF_MAP_PLACE, STEP_LOSS, about
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
    windows_of,
)

FIRST_ID = 1_000_000
STARTING = tuple(f"SGKC\tSGKC{n}\ttrue" for n in range(3))
"""Records that the start-up commands are done. Without it the engine would take a newly opened game for a changed one.

When the engine starts a set-up from its menu, it still runs the commands for the start of a game. When it loads a
save, it doesn't.
"""


class WindowPlace(NamedTuple):
    """A place in a module: a window, and pixels in it."""

    window: str
    x: int
    y: int


class MisplacedPiece(CannotBuild):
    """The module has no place for a piece of a scenario."""


def spots(game: Game, position: Position, map_boxes: Sheets | None = None) -> list[WindowPlace]:
    """The place of each piece of a position in the module. Raises MisplacedPiece if a piece has no place there."""
    table = game.scenario_maps[position.scenario]
    sheet: BoardSheet | PointSheet = BoardSheet(table) if isinstance(table, HexMap) else PointSheet(table)
    game_map = map_of(game, position.scenario)
    tray_sheets = (*setup_sheets(game, position.scenario), *(map_boxes or box_sheets(game, game_map)))
    places: dict[tuple[str, str], tuple[str, Tray]] = {}
    for page in tray_sheets:
        for tray in page.trays:
            for location in filter(None, (tray.location, turn_of(game_map, tray.location))):
                places.setdefault((location, tray.group), (page.window, tray))
                places.setdefault((location, ""), (page.window, tray))

    def key_of(piece: Piece) -> tuple[str, str]:
        """The key of a piece's tray beside the map: its place, and its group if that has its own tray."""
        location = _space(game_map, str(piece.at))
        return (location, piece.group) if (location, piece.group) in places else (location, "")

    waiting: dict[tuple[str, str], list[int]] = {}
    for number, piece in enumerate(position.pieces):
        if isinstance(piece.at, str):
            waiting.setdefault(key_of(piece), []).append(number)
    pile: dict[int, int] = {}
    for key, numbers in waiting.items():
        depth = places[key][1].depth if key in places else 0
        pile |= zip(numbers, piles([position.pieces[number].unit for number in numbers], depth), strict=True)
    result = []
    for number, piece in enumerate(position.pieces):
        if piece.at == OFF_MAP_PLACE and tray_sheets:
            result.append(WindowPlace(tray_sheets[-1].window, 1, 1))
        elif isinstance(piece.at, str) and ":" in piece.at:
            key = key_of(piece)
            if key not in places:
                raise MisplacedPiece(
                    f"{piece.unit} {piece.copy} is in {piece.at}, and the module's scenario {position.scenario} has no such place"
                )
            window, tray = places[key]
            is_pool = piece.at.removeprefix("box:") in pools(game_map)
            result.append(WindowPlace(window, *tray.cells[0 if is_pool else min(pile[number], len(tray.cells) - 1)]))
        elif isinstance(sheet, BoardSheet) and not isinstance(piece.at, str):
            result.append(WindowPlace(MAIN, *sheet.centre(piece.at)))
        elif isinstance(sheet, PointSheet) and piece.at in sheet.points:
            result.append(WindowPlace(MAIN, *sheet.points[str(piece.at)]))
        else:
            raise MisplacedPiece(
                f"{piece.unit} {piece.copy} is off the map of scenario {position.scenario}, at {piece.at}"
            )
    return result


def _space(table: Map | None, location: str) -> str:
    """A box, or the first space of the track with that name."""
    key = location.removeprefix("box:")
    if table is not None and key in table.tracks:
        return f"box:{key}/{table.tracks[key].labels[0]}"
    return location


def in_state(game: Game, piece: Piece, own_kind: SharedTraits, enters: str = "") -> list[str]:
    """The states of a piece's traits at the start of the game."""
    view = view_piece(game, piece)
    property_values = {COPY: piece.copy, GROUP: piece.group, ENTERS: enters, NATION: piece.nation}
    result = list(own_kind.states)
    for place, name in own_kind.told:
        result[place] = property_values[name]
    for place, name in own_kind.layers:
        if name == "Face" and view.is_flipped:
            result[place] = "2"
        elif name == "Steps" and piece.steps_lost:
            result[place] = str(piece.steps_lost + 1)
        elif name in own_kind.loose and (
            name in piece.states or (name == STEP_LOSS and view.shows_back and piece.steps_lost > 1)
        ):
            result[place] = "1"
    return result


def _layer_name(text: str) -> str:
    return split(text.removeprefix("emb2;"), ";")[18] if text.startswith("emb2;") else ""


def _property(text: str) -> str:
    return text[5 : text.index(";", 5)] if text.startswith("PROP;") else ""


class SharedTraits(NamedTuple):
    """What all copies of a counter share in a save."""

    types: str
    states: tuple[str, ...]
    """The state of each trait in the module."""
    layers: tuple[tuple[int, str], ...]
    """The named layers, each with its index among the traits."""
    told: tuple[tuple[int, str], ...]
    """The properties that differ from copy to copy, each with its index among the traits."""
    loose: frozenset[str]


Kinds = dict[str, SharedTraits]


def kind(game: Game, entry: PaletteEntry, prototype_traits: Mapping[str, tuple[Trait, ...]]) -> SharedTraits:
    """The shared traits of a counter, with its prototypes expanded."""
    trait_list = expand_prototypes(entry.traits, prototype_traits)
    layers = ((place, _layer_name(trait.type)) for place, trait in enumerate(trait_list))
    property_names = ((place, _property(trait.type)) for place, trait in enumerate(trait_list))
    return SharedTraits(
        join_traits([trait.type for trait in trait_list]),
        tuple(trait.state for trait in trait_list),
        tuple((place, name) for place, name in layers if name),
        tuple((place, name) for place, name in property_names if name in (COPY, GROUP, ENTERS, NATION)),
        frozenset(loose_states(game)),
    )


def commands(
    game: Game,
    position: Position,
    gpids: Mapping[str, str],
    prototype_traits: Mapping[str, tuple[Trait, ...]],
    turn: str,
    map_boxes: Sheets | None = None,
    piece_kinds: Kinds | None = None,
    layout: str = "",
    stands_for: str = "",
    extra_commands: Sequence[str] = (),
) -> str:
    """A whole save: pieces, their stacks, the boards, the turn.

    `piece_kinds` keeps shared traits from save to save. `layout` names tables of sight. `stands_for` is the scenario
    that the module's expressions see, if they don't know the save's own. `extra_commands` are added to the save.
    """
    table = game.scenario_maps[position.scenario]
    piece_kinds = {} if piece_kinds is None else piece_kinds
    save_commands: list[str] = []
    stacks: dict[tuple[WindowPlace, str], list[str]] = {}
    entries = arrivals(game, position.scenario)
    places = spots(game, position, map_boxes)
    for number, (piece, spot) in enumerate(zip(position.pieces, places, strict=True)):
        piece_kind = piece_kinds.get(piece.unit) or piece_kinds.setdefault(
            piece.unit, kind(game, piece_entry(game, piece.unit, gpids[piece.unit]), prototype_traits)
        )
        key = str(FIRST_ID + number)
        place = join([spot.window, str(spot.x), str(spot.y), gpids[piece.unit], "1", "UniqueID", key], ";")
        enters = entries.get(piece.group, "") if str(piece.at).startswith("turn:") else ""
        states = [*in_state(game, piece, piece_kind, enters)[:-1], place]
        save_commands.append("+/" + join([key, piece_kind.types, join_traits(states)], "/"))
        stacks.setdefault((spot, layer_of(game, piece.unit)), []).append(key)
    own_trays = support_trays(game, position)
    for side, force in game.scenarios[position.scenario].forces.items():
        copies = [(support_kind, copy) for support_kind in force.support for copy in range(1, support_kind.count + 1)]
        window, tray = own_trays.get(side, ("", None))
        for (held_support, copy), pile in zip(copies, support_piles(force, tray.depth if tray else 0), strict=True):
            slot = support.slot_of(held_support)
            if slot not in gpids or tray is None:
                continue
            spot = WindowPlace(window, *tray.cells[pile])
            made_piece = support.piece(game, held_support, gpids[slot], str(copy) if held_support.count > 1 else "")
            types = expand_prototypes(made_piece.traits, prototype_traits)
            key = str(FIRST_ID + len(save_commands))
            place = join([*map(str, spot), gpids[slot], "1", "UniqueID", key], ";")
            save_commands.append(
                "+/"
                + join(
                    [key, join_traits([t.type for t in types]), join_traits([*(t.state for t in types[:-1]), place])],
                    "/",
                )
            )
            stacks.setdefault((spot, UNITS), []).append(key)
    if aids.COMPASS in gpids and isinstance(table, HexMap):
        gpid = gpids[aids.COMPASS]
        save_commands.append(
            single_piece(
                aids.compass(game, gpid, table.north), aids.corner(table), gpid, str(FIRST_ID + len(save_commands))
            )
        )
    if layout:
        gpid = gpids[shading.NAME]
        save_commands.append(
            single_piece(shading.piece(game, gpid, GROUND), (0, 0), gpid, str(FIRST_ID + len(save_commands)))
        )
    if beyond.NAME in gpids and isinstance(table, HexMap):
        gpid = gpids[beyond.NAME]
        for center in beyond.centers(table):
            save_commands.append(
                single_piece(beyond.piece(gpid, is_shown=True), center, gpid, str(FIRST_ID + len(save_commands)))
            )
    game_map = map_of(game, position.scenario)
    map_boxes = map_boxes or box_sheets(game, game_map)
    decks = {
        WindowPlace(sheet.window, *tray.cells[0]): tray.name
        for sheet in map_boxes
        for tray in sheet.trays
        if tray.location.removeprefix("box:") in pools(game_map)
    }
    number = FIRST_ID + len(save_commands)
    for (spot, _), keys in stacks.items():
        if spot in decks:
            continue
        state = join([spot.window, str(spot.x), str(spot.y), *keys, "@@0"], ";")
        save_commands.append(add_piece_command(Added(str(number), (Trait("stack", state),))))
        number += 1
    for spot, name in decks.items():
        held_in = [key for (stack_spot, _), keys in stacks.items() if stack_spot == spot for key in keys]
        deck = Trait(deck_type(game, name), deck_state(*spot, held_in))
        save_commands.append(add_piece_command(Added(str(number), (deck,))))
        number += 1
    if isinstance(table, HexMap):
        names = layout_names(game, position.scenario)
        cells = [
            part
            for (board, is_turned), x, y in _matrix(table)
            for part in (join([names[board], *(["rev"] if is_turned else [])], "/"), str(x), str(y))
        ]
    else:
        assert isinstance(table, PointMap)
        cells = [join([board_names(game)[table.id]], "/"), "0", "0"]
    save_commands.append(join([f"{MAIN}BoardPicker", *cells], "\t"))
    window_boards = {sheet.window: sheet.name for sheet in (*setup_sheets(game, position.scenario), *map_boxes)}
    for window in (*windows_of(game).trays, *windows_of(game).boxes):
        save_commands.append(
            join([f"{window}BoardPicker", join([window_boards.get(window, EMPTY)], "/"), "0", "0"], "\t")
        )
    save_commands.append(note(game, position.scenario))
    save_commands += [join([PROPERTY[:-1], SAVE_DATA, about(game), ""], ";"), turn]
    save_commands += STARTING
    for name, value in set_for(game, game.scenarios[position.scenario]):
        save_commands.append(join(["GlobalProperty\t", name, value, ""], ";"))
    save_commands.append(join(["GlobalProperty\t", SCENARIO, stands_for or position.scenario, "Module"], ";"))
    x, y = middle(game, position)
    waiting = sum(len(keys) for (spot, _), keys in stacks.items() if spot.window == SETUP)
    property_values = {
        FRONT_X: str(x),
        FRONT_Y: str(y),
        WELCOME: welcome(game, position.scenario),
        WAITING: str(waiting),
    }
    property_values |= players(game, game.scenarios[position.scenario])
    # Before the turn, whose display uses these names.
    save_commands[:0] = [
        join(["GlobalProperty\t", name, value, "Module"], ";") for name, value in property_values.items()
    ]
    if layout:
        save_commands.append(join(["GlobalProperty\t", LAYOUT, layout, "Module"], ";"))
    return append_commands(BEGIN, [*save_commands, *extra_commands, END])


def middle(game: Game, position: Position) -> tuple[int, int]:
    """The pixel at the center of the map's first view: where the armies meet, else the middle of the map."""
    map = game.scenario_maps[position.scenario]
    sheet: BoardSheet | PointSheet = BoardSheet(map) if isinstance(map, HexMap) else PointSheet(map)

    def point(place: Location) -> tuple[float, float] | None:
        if isinstance(sheet, PointSheet):
            return sheet.points.get(str(place))
        return None if isinstance(place, str) else sheet.centre(place)

    x, y = front(game, position, point) or (sheet.size[0] / 2, sheet.size[1] / 2)
    return int(x), int(y)


def single_piece(traits: Sequence[Trait], position: tuple[int, int], gpid: str, key: str) -> str:
    """A piece of the map that forms no stack."""
    place = join([MAIN, *map(str, position), gpid, "1", "UniqueID", key], ";")
    return "+/" + join(
        [
            key,
            join_traits([trait.type for trait in traits]),
            join_traits([*(trait.state for trait in traits[:-1]), place]),
        ],
        "/",
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
    """When and where each group of reinforcements enters, in words."""
    return {
        tray.group: tray_texts.get(tray.name, "")
        for sheet in setup_sheets(game, scenario_id)
        for tray_texts in [instructions(game, scenario_id, sheet)]
        for tray in sheet.trays
        if tray.location.startswith("turn:")
    }


def layer_of(game: Game, piece_id: str) -> str:
    """The layer of a piece. Pieces on the ground form stacks of their own."""
    marker = game.markers.get(piece_id)
    return GROUND if marker is not None and marker.kind == "construction" else UNITS


def _matrix(table: HexMap) -> list[tuple[tuple[str, bool], int, int]]:
    """The boards of a map, each with its column and row in the arrangement."""
    corners = BoardSheet(table).corners
    xs, ys = sorted({x for x, _ in corners.values()}), sorted({y for _, y in corners.values()})
    return [
        (
            (placed_board.board.id, placed_board.turned),
            xs.index(corners[placed_board.board.id][0]),
            ys.index(corners[placed_board.board.id][1]),
        )
        for placed_board in table.placed
    ]


def save(text: str, module: bytes, version: str, vassal: str, stamp: int, title: str) -> bytes:
    """A .vsav file: the commands and the data that the module manager reads.

    The commands are plain text, which the engine also accepts. Obfuscated they would take twice the space.
    """
    about = XmlPart(
        "data",
        XmlPart("version", content=version),
        XmlPart("extra1"),
        XmlPart("extra2"),
        XmlPart("VassalVersion", content=vassal),
        XmlPart("dateSaved", content=str(stamp)),
        XmlPart("description", content=title),
        version="1",
    )
    return pack_zip({ENTRY: text.encode("utf-8"), "moduledata": module, "savedata": document(about)})


def setup_file(game: Game, scenario_id: str) -> str:
    """The file name of a set-up. The engine shows it in the chat and over every window."""
    return re.sub(r'[\\/:*?"<>|]', "", scenario_name(game, scenario_id)) + ".vsav"


def scenario_of(game: Game, file: str) -> str:
    """The scenario of a set-up's file; empty if it belongs to none."""
    return next((key for key in game.scenarios if setup_file(game, key) == file), "")


def positions(game: Game) -> dict[str, Position]:
    """The starting position of every scenario."""
    return {key: from_scenario(game, key) for key in game.scenarios}

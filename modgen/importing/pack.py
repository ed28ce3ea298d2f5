"""Imports a module as a pack. It reads everything, then writes a whole folder or nothing."""

from __future__ import annotations

import datetime
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modgen.importing import yaml_writing
from modgen.importing.boards import known_hexes, layout_picture
from modgen.importing.definitions import CannotImport, definitions, prototypes
from modgen.importing.faces import ImportedFace, compose_face
from modgen.importing.kinds import FLIPPED_STATE, PieceKind, PieceKinds
from modgen.importing.maps import Window, main_window, windows
from modgen.importing.names import clean, slug
from modgen.importing.pictures import Pictures
from modgen.importing.places import COUNTER_CM, ImportedPlaces, MapOut, usual
from modgen.importing.report import Report
from modgen.importing.setups import ImportedScenario, SetUps
from modgen.importing.sides import Sides, divide
from modgen.importing.turns import turns
from modgen.vmod.files.loaded_module import LoadedModule, kind_of, name_of, open_module
from scenarios.files import write_text
from scenarios.vassal import MAX_BYTES

NOT_BUILT = {
    "DiceButton": "dice buttons", "InternetDiceButton": "dice buttons", "SpecialDiceButton": "dice buttons",
    "RandomTextButton": "random text buttons", "MultiActionButton": "multi-action buttons", "ToolbarMenu": "menus",
    "GlobalKeyCommand": "global key commands", "MassKeyCommand": "global key commands",
    "StartupGlobalKeyCommand": "global key commands", "DeckGlobalKeyCommand": "global key commands",
    "DoActionButton": "action buttons", "ChangePropertyButton": "property buttons", "Inventory": "inventories",
    "NotesWindow": "notes windows", "HelpFile": "help files", "BrowserHelpFile": "help files",
    "BrowserPDFFile": "help files", "Tutorial": "tutorials", "HtmlChart": "charts of HTML", "TextFile": "text files",
    "GlobalProperty": "global properties", "BooleanPreference": "preferences",
    "CounterDetailViewer": "mouse-over viewers", "LOS_Thread": "sight threads", "Translation": "translations",
    "GlobalTranslatableMessage": "messages", "SymbolSet": "symbol sets", "GamePieceImage": "pictures drawn by VASSAL",
}  # fmt: skip
"""Elements that a pack can't express; Mitla's own modules have their own."""
SHORT = 12
"""A number of letters that surely fit on a counter."""
NUMBERED_NAME = re.compile(r"([A-Za-z]{0,2}-?\d[\w.]{0,6})[ :.-]+(\S.*)")
"""Titles that begin with the scenario's number."""
OUTSIDE = re.compile(r"^[/\\]|^\w:|(^|[/\\])\.\.([/\\]|$)")
"""File names that lead out of a folder."""
CUSTOM = re.compile(r"^(?!VASSAL\.)")


@dataclass
class ImportedModule:
    """The data read from a module, from which the pack is made."""

    module: LoadedModule
    pictures: Pictures
    report: Report
    sides: Sides
    kinds: PieceKinds
    places: ImportedPlaces
    setups: list[ImportedScenario]
    states: Mapping[str, str]
    factors: Mapping[str, tuple[str, str]]
    files: dict[str, bytes] = field(default_factory=dict)
    """The pictures of the pack by file name."""
    _picture_files: dict[str, str] = field(default_factory=dict)

    def picture(self, face: ImportedFace, name: str) -> str:
        """The file of a face in the pack; empty if the face is invisible."""
        key = face.key
        if key and key not in self._picture_files:
            composed_picture = compose_face(face, self.pictures)
            self._picture_files[key] = (
                self.keep(f"pieces/{name}", *composed_picture) if composed_picture is not None else ""
            )
        return self._picture_files.get(key, "")

    def keep(self, name: str, ending: str, content: bytes) -> str:
        """Add a picture to the pack and return its file name."""
        path = f"pictures/{name}{ending}"
        self.files[path] = content
        return path


def read_module(path: Path, max_bytes: int = MAX_BYTES) -> ImportedModule:
    """Everything of a module that a pack can express. Raises CannotImport or ValueError with a sentence if it isn't a module."""
    module = open_module(path, max_bytes)
    unsafe = next((name for name in module.files if OUTSIDE.search(name)), None)
    if unsafe is not None:
        raise CannotImport(
            f"{path.name} has a file whose name leads out of it ({unsafe[:80]!r}); fetch the module from its maker again"
        )
    if kind_of(module.root) != "GameModule":
        raise CannotImport(
            f"{path.name} is no module but {kind_of(module.root)[:40]!r}; name a .vmod file, not an extension"
        )
    report, pictures = Report(), Pictures(module.files)
    pieces = definitions(module, prototypes(module, report), report)
    sides = divide(module, pieces, report)
    piece_kinds = PieceKinds(pictures, report, sides)
    piece_kinds.add(pieces)
    map_windows = windows(module, pictures, report)
    main = main_window(map_windows)
    if main is None or not main.start:
        raise CannotImport(f"{path.name} has no map with a board; there is nothing to play on")
    places = ImportedPlaces(main, {window.name: window for window in map_windows}, report)
    fronts = [kind.front.parts[0] for kind in piece_kinds.by_key.values() if not kind.card and kind.front.parts]
    places.counter = usual([pictures.size(part.picture) for part in fronts])
    states = piece_kinds.states()
    setups = list(SetUps(module, map_windows, piece_kinds, places, states, report, max_bytes).setups())
    _other_boards(main, places)
    for setup in setups:
        used: dict[str, int] = {}
        for placed_piece in setup.standing:
            used[placed_piece.kind.id] = used.get(placed_piece.kind.id, 0) + 1
        for key, count in used.items():
            piece_kinds.by_key[key].used = max(piece_kinds.by_key[key].used, count)
    piece_kinds.told_traits()
    return ImportedModule(module, pictures, report, sides, piece_kinds, places, setups, states, piece_kinds.factors())


def _other_boards(main: Window, places: ImportedPlaces) -> None:
    """Add a separate map for each board that no set-up uses."""
    used = {placed_sheet.sheet.name for map_out in places.maps.values() for placed_sheet in map_out.layout}
    for name, sheet in main.sheets.items():
        if name in used:
            continue
        if main.has_hexes and sheet.hexes is None:
            places.report.left_out("boards without hexes that no set-up lays out", name)
        else:
            places.map_of(main.read_layout([name, "0", "0"]))


def texts(imported_module: ImportedModule, key: str, title: str) -> dict[str, str]:
    """The files of the pack except its pictures."""
    name = clean(title) or clean(imported_module.module.root.get("name", "")) or key
    source = {"mine": f"imported from the VASSAL module {imported_module.module.path.name}"}
    turn_sections = turns(imported_module.module, imported_module.report)
    counters, markers = _pieces(imported_module)
    boards, maps = _boards(imported_module), _maps(imported_module)
    game: dict[str, Any] = {"source": source, "game": _card(imported_module, key, name)}
    game["sides"] = {side: {"name": label} for side, label in imported_module.sides.sides.items()}
    used = {kind.nation for kind in imported_module.kinds.by_key.values() if not kind.marker}
    game["nations"] = {
        army.id: {
            "name": army.name,
            "side": army.side,
            "colors": dict(zip(("fill", "ink", "accent"), army.colors, strict=True)),
        }
        for army in imported_module.sides.armies.values()
        if army.id in used
    }
    game["states"] = {FLIPPED_STATE: {"name": "Flipped"}} | {
        state: {"name": label} for state, label in imported_module.states.items()
    }
    game |= turn_sections
    game["terrain"] = {"plain": {"name": "Plain", "mark": ".", "color": "#efe9d9"}}
    game["classes"] = {
        slug(kind.group, "class"): {"name": kind.group} for kind in imported_module.kinds.by_key.values() if kind.group
    }
    game["factors"] = {
        factor: {"name": label, "kind": kind} for factor, (label, kind) in imported_module.factors.items()
    }
    game["layouts"] = {"all": {"picture": "none", "spots": {}}}
    scenarios = _scenarios(imported_module, turn_sections)
    _tell(imported_module)
    return {
        "game.yaml": yaml_writing.document(game),
        "pieces.yaml": yaml_writing.document({"source": source, "counters": counters, "markers": markers}),
        "map.yaml": yaml_writing.document({"source": source, "boards": boards, "maps": maps}),
        "scenarios.yaml": yaml_writing.document({"source": source, "scenarios": scenarios}),
        "IMPORT.md": imported_module.report.text(f"{name}: imported from {imported_module.module.path.name}"),
    }


def _card(imported_module: ImportedModule, key: str, title: str) -> dict[str, Any]:
    card: dict[str, Any] = {"id": key, "title": title, "release": _save_date(imported_module.module)}
    if summary := clean(imported_module.module.root.get("description", ""), 300):
        card["summary"] = summary
    return card


def _save_date(module: LoadedModule) -> str:
    """The date on which the module was saved."""
    match = re.search(rb"<dateSaved>(\d{9,14})</dateSaved>", module.files.get("moduledata", b"")[:100_000])
    seconds = int(match[1]) // 1000 if match else 946_684_800
    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=seconds // 86_400)).isoformat()


def _pieces(imported_module: ImportedModule) -> tuple[dict[str, Any], dict[str, Any]]:
    counters: dict[str, Any] = {}
    markers: dict[str, Any] = {}
    for kind in imported_module.kinds.by_key.values():
        record: dict[str, Any] = {"name": kind.name}
        if kind.marker and kind.nation:
            record["side"] = kind.nation
        elif not kind.marker:
            record |= {"short": kind.name[:SHORT].strip()} if len(kind.name) > SHORT else {}
            record["nation"] = kind.nation
            record |= {"class": slug(kind.group, "class")} if kind.group else {}
        record["count"] = kind.count
        if picture := imported_module.picture(kind.front, kind.id):
            record["image"] = {"file": picture, "fit": "contain", "text": False}
        record |= _back_face(imported_module, kind)
        if kind.factors:
            record["factors"] = kind.factors
        (markers if kind.marker else counters)[kind.id] = record
    imported_module.report.counts["counters"] = len(counters)
    imported_module.report.counts["markers (cards among them)"] = len(markers)
    imported_module.report.counts["printed pieces"] = sum(kind.count for kind in imported_module.kinds.by_key.values())
    return counters, markers


def _back_face(imported_module: ImportedModule, kind: PieceKind) -> dict[str, Any]:
    picture = (
        imported_module.picture(kind.back, f"{kind.id}_back")
        if kind.back.parts and kind.back.key != kind.front.key
        else ""
    )
    if not picture:
        return {}
    if kind.marker:
        return {"back": {"image": {"file": picture, "fit": "contain", "text": False}}}
    return {"back": {"state": FLIPPED_STATE, "image": {"file": picture, "fit": "contain", "text": False}}}


def _boards(imported_module: ImportedModule) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for board in imported_module.places.boards.values():
        if board is None:
            continue
        grid = board.grid.grid
        record: dict[str, Any] = {"name": clean(board.sheet.name)}
        stored_picture = imported_module.pictures.pack_image(board.sheet.image) if board.sheet.image else None
        if stored_picture is not None:
            record["image"] = {
                "file": imported_module.keep(f"boards/{board.id}", *stored_picture),
                "hexes": known_hexes(board),
            }
        numbering = grid.numbering
        record["grid"] = {
            "orientation": grid.orientation,
            "columns": grid.columns,
            "rows": grid.rows,
            "pushed": grid.pushed,
            "halves": grid.halves,
            "numbering": {
                "scheme": numbering.scheme,
                "first": numbering.first,
                "columns_from": numbering.columns_from,
                "rows_from": numbering.rows_from,
                "start": list(numbering.start),
                "digits": numbering.digits,
            },
        }
        if board.zones:
            record["zones"] = {zone: {"name": name, "hexes": hexes} for zone, (name, hexes) in board.zones.items()}
        result[board.id] = record
        imported_module.report.counts["hexes"] += len(grid.hexes)
    imported_module.report.counts["boards of hexes"] = len(result)
    return result


def _maps(imported_module: ImportedModule) -> dict[str, Any]:
    result: dict[str, Any] = {}
    boxes = {
        box.id: {"name": box.name} | ({"kind": box.kind} if box.kind != "box" else {})
        for box in imported_module.places.boxes.values()
    }
    for map_out in imported_module.places.maps.values():
        record: dict[str, Any] = {"name": map_out.name}
        if map_out.hexes:
            record["arrangement"] = {"boards": _board_rows(map_out)}
        else:
            record |= _points(imported_module, map_out)
        result[map_out.id] = record | ({"boxes": boxes} if boxes else {})
    imported_module.report.counts["maps"] = len(result)
    imported_module.report.counts["points"] = sum(
        len(map_out.points) for map_out in imported_module.places.maps.values()
    )
    imported_module.report.counts["boxes"] = len(boxes)
    return result


def _board_rows(map_out: MapOut) -> list[list[str]]:
    rows: dict[int, list[tuple[int, str]]] = {}
    for placed_sheet in map_out.layout:
        if placed_sheet.sheet.name in map_out.hexes:
            word = map_out.hexes[placed_sheet.sheet.name].id + (" turned" if placed_sheet.is_rotated else "")
            rows.setdefault(placed_sheet.row, []).append((placed_sheet.column, word))
    return [[word for _, word in sorted(rows[row])] for row in sorted(rows)]


def _points(imported_module: ImportedModule, map_out: MapOut) -> dict[str, Any]:
    per = COUNTER_CM / imported_module.places.counter
    record: dict[str, Any] = {}
    picture = layout_picture(imported_module.pictures, map_out)
    if picture is not None:
        record["image"] = imported_module.keep(f"maps/{map_out.id}", *picture)
    width, height = (round(side * per, 2) for side in map_out.size)
    record["points"] = {
        key: {"name": name, "at": [round(x * per, 2), round(y * per, 2)]}
        for key, (name, x, y) in map_out.points.items()
    }
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    record["lines"] = {
        "frame": {"kind": "frame", "closed": True, "points": " ".join(f"{x:g},{y:g}" for x, y in corners)}
    }
    return record


def _scenarios(imported_module: ImportedModule, turn_sections: Mapping[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    last = (
        len(turn_sections["turns"].get("names", ())) or turn_sections["turns"].get("count", 1)
        if "turns" in turn_sections
        else 0
    )
    first_side = next(iter(imported_module.sides.sides))
    for number, setup in enumerate(imported_module.setups, 1):
        told_id = NUMBERED_NAME.fullmatch(setup.title)
        key, title = (told_id[1], told_id[2]) if told_id and told_id[1] not in result else (str(number), setup.title)
        while key in result:
            key += "_"
        groups: dict[str, dict[tuple[Any, ...], dict[str, dict[str, int]]]] = {
            side: {} for side in imported_module.sides.sides
        }
        for placed_piece in setup.standing:
            kind = placed_piece.kind
            side = kind.nation if kind.marker else imported_module.sides.armies[kind.nation].side
            group_key = (*next(iter(placed_piece.location.items())), tuple(sorted(placed_piece.states)))
            pieces = (
                groups[side or first_side]
                .setdefault(group_key, {})
                .setdefault("markers" if kind.marker else "units", {})
            )
            pieces[kind.id] = pieces.get(kind.id, 0) + 1
        record: dict[str, Any] = {"title": title, "map": setup.map.id}
        if "sequence" in turn_sections:
            record["sequence"] = "standard"
        if last:
            record["turns"] = {"last": last}
        record["forces"] = {
            side: {
                "groups": [
                    {**pieces, "at": {area_key: place}, **({"states": list(states)} if states else {})}
                    for (area_key, place, states), pieces in held_by.items()
                ]
            }
            for side, held_by in groups.items()
        }
        result[key] = record
    imported_module.report.counts["scenarios"] = len(result)
    imported_module.report.counts["pieces set up"] = sum(len(setup.standing) for setup in imported_module.setups)
    return result


def _tell(imported_module: ImportedModule) -> None:
    """Report the parts of the module that a pack can't contain."""
    report = imported_module.report
    for number, chart in enumerate(imported_module.module.elements("Chart"), 1):
        stored_picture = (
            imported_module.pictures.pack_image(chart.get("fileName", "")) if chart.get("fileName") else None
        )
        name = clean(name_of(chart)) or f"Chart {number}"
        picture_path = (
            imported_module.keep(f"charts/{slug(name, 'chart')}_{number}", *stored_picture)
            if stored_picture is not None
            else "no picture"
        )
        report.left_out(
            "charts: a pack has tables of numbers, so only their pictures are kept", f"{name} ({picture_path})"
        )
    for name in imported_module.pictures.missing:
        report.left_out("pictures that the module names and doesn't have", name)
    for name in imported_module.pictures.broken_images:
        report.left_out("pictures that can't be opened", name)
    for part in imported_module.module.root.iter():
        kind = kind_of(part)
        if kind in NOT_BUILT:
            part_name = name_of(part) or part.get("title", "") or part.get("fileName", "")
            report.left_out(f"{NOT_BUILT[kind]} of the module", clean(part_name, 40) or kind)
        elif CUSTOM.match(part.tag) and "." in part.tag:
            report.left_out("parts that need code of the module's own", kind)


def write_pack(imported_module: ImportedModule, folder: Path, title: str = "") -> list[Path]:
    """Write the whole pack into a new or empty folder, or nothing. Its id is the folder's name."""
    key = slug(folder.resolve().name, "")
    if not key:
        raise CannotImport(
            f"a game's id begins with a letter; name the folder otherwise than {folder.name!r}, such as my_game"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CannotImport(f"{folder} is there already and isn't empty; name a new folder")
    files: dict[str, str] = texts(imported_module, key, title)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{key}.") as temporary_folder:
        pack_folder = Path(temporary_folder) / key
        for name, text in files.items():
            write_text(pack_folder / name, text)
        for name, content in imported_module.files.items():
            path = pack_folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if folder.exists():
            folder.rmdir()
        shutil.move(pack_folder, folder)
    return [folder / name for name in (*files, *imported_module.files)]


__all__ = ["CannotImport", "ImportedModule", "read_module", "write_pack"]

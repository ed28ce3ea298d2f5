"""A module as a pack: everything read, then written as a folder, whole or not at all."""

from __future__ import annotations

import datetime
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modgen.importing import yaml
from modgen.importing.boards import known_hexes, layout_picture
from modgen.importing.definitions import CannotImport, definitions, prototypes
from modgen.importing.faces import Face, composed
from modgen.importing.kinds import TURNED, Kind, Kinds
from modgen.importing.maps import Window, main_window, windows
from modgen.importing.pictures import Pictures
from modgen.importing.places import COUNTER_CM, MapOut, Places, usual
from modgen.importing.report import Report
from modgen.importing.setups import SetUp, SetUps
from modgen.importing.sides import Sides, divide
from modgen.importing.turns import turns
from modgen.importing.words import clean, slug
from modgen.vmod.opened import Opened, kind_of, name_of, open_module
from scenarios.files import write_text
from scenarios.vassal import MOST

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
"""Elements that a pack has no word for; Mitla's own modules bring theirs."""
SHORT = 12
"""How many letters surely fit on a counter."""
NUMBERED = re.compile(r"([A-Za-z]{0,2}-?\d[\w.]{0,6})[ :.-]+(\S.*)")
"""Titles that begin with the scenario's number."""
OUTSIDE = re.compile(r"^[/\\]|^\w:|(^|[/\\])\.\.([/\\]|$)")
"""Names of files that lead out of a folder."""
CUSTOM = re.compile(r"^(?!VASSAL\.)")


@dataclass
class Imported:
    """A module as read: what the pack is made of."""

    module: Opened
    pictures: Pictures
    report: Report
    sides: Sides
    kinds: Kinds
    places: Places
    setups: list[SetUp]
    states: Mapping[str, str]
    factors: Mapping[str, tuple[str, str]]
    files: dict[str, bytes] = field(default_factory=dict)
    """The pictures of the pack by file name."""
    _kept: dict[str, str] = field(default_factory=dict)

    def picture(self, face: Face, name: str) -> str:
        """The file of a face in the pack; nothing where it can't be seen."""
        key = face.key
        if key and key not in self._kept:
            made = composed(face, self.pictures)
            self._kept[key] = self.keep(f"pieces/{name}", *made) if made is not None else ""
        return self._kept.get(key, "")

    def keep(self, name: str, ending: str, content: bytes) -> str:
        """A picture in the pack."""
        path = f"pictures/{name}{ending}"
        self.files[path] = content
        return path


def read_module(path: Path, most: int = MOST) -> Imported:
    """Everything of a module that a pack can say; CannotImport or ValueError with a sentence where it is none."""
    module = open_module(path, most)
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
    kinds = Kinds(pictures, report, sides)
    kinds.add(pieces)
    held = windows(module, pictures, report)
    main = main_window(held)
    if main is None or not main.start:
        raise CannotImport(f"{path.name} has no map with a board; there is nothing to play on")
    places = Places(main, {window.name: window for window in held}, report)
    fronts = [kind.front.parts[0] for kind in kinds.all.values() if not kind.card and kind.front.parts]
    places.counter = usual([pictures.size(part.picture) for part in fronts])
    states = kinds.states()
    setups = list(SetUps(module, held, kinds, places, states, report, most).all())
    _other_boards(main, places)
    for setup in setups:
        used: dict[str, int] = {}
        for standing in setup.standing:
            used[standing.kind.id] = used.get(standing.kind.id, 0) + 1
        for key, count in used.items():
            kinds.all[key].used = max(kinds.all[key].used, count)
    kinds.told_traits()
    return Imported(module, pictures, report, sides, kinds, places, setups, states, kinds.factors())


def _other_boards(main: Window, places: Places) -> None:
    """Boards that no set-up uses are maps by themselves."""
    used = {laid.sheet.name for made in places.maps.values() for laid in made.layout}
    for name, sheet in main.sheets.items():
        if name in used:
            continue
        if main.has_hexes and sheet.hexes is None:
            places.report.left_out("boards without hexes that no set-up lays out", name)
        else:
            places.map_of(main.laid([name, "0", "0"]))


def texts(held: Imported, key: str, title: str) -> dict[str, str]:
    """The files of the pack but for its pictures."""
    name = clean(title) or clean(held.module.root.get("name", "")) or key
    source = {"mine": f"imported from the VASSAL module {held.module.path.name}"}
    told = turns(held.module, held.report)
    counters, markers = _pieces(held)
    boards, maps = _boards(held), _maps(held)
    game: dict[str, Any] = {"source": source, "game": _card(held, key, name)}
    game["sides"] = {side: {"name": said} for side, said in held.sides.sides.items()}
    used = {kind.nation for kind in held.kinds.all.values() if not kind.marker}
    game["nations"] = {
        army.id: {
            "name": army.name,
            "side": army.side,
            "colors": dict(zip(("fill", "ink", "accent"), army.colors, strict=True)),
        }
        for army in held.sides.armies.values()
        if army.id in used
    }
    game["states"] = {TURNED: {"name": "Flipped"}} | {state: {"name": said} for state, said in held.states.items()}
    game |= told
    game["terrain"] = {"plain": {"name": "Plain", "mark": ".", "color": "#efe9d9"}}
    game["classes"] = {
        slug(kind.group, "class"): {"name": kind.group} for kind in held.kinds.all.values() if kind.group
    }
    game["factors"] = {factor: {"name": said, "kind": kind} for factor, (said, kind) in held.factors.items()}
    game["layouts"] = {"all": {"picture": "none", "spots": {}}}
    scenarios = _scenarios(held, told)
    _tell(held)
    return {
        "game.yaml": yaml.document(game),
        "pieces.yaml": yaml.document({"source": source, "counters": counters, "markers": markers}),
        "map.yaml": yaml.document({"source": source, "boards": boards, "maps": maps}),
        "scenarios.yaml": yaml.document({"source": source, "scenarios": scenarios}),
        "IMPORT.md": held.report.text(f"{name}: imported from {held.module.path.name}"),
    }


def _card(held: Imported, key: str, title: str) -> dict[str, Any]:
    card: dict[str, Any] = {"id": key, "title": title, "release": _saved(held.module)}
    if summary := clean(held.module.root.get("description", ""), 300):
        card["summary"] = summary
    return card


def _saved(module: Opened) -> str:
    """The day on which the module was saved."""
    found = re.search(rb"<dateSaved>(\d{9,14})</dateSaved>", module.files.get("moduledata", b"")[:100_000])
    seconds = int(found[1]) // 1000 if found else 946_684_800
    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=seconds // 86_400)).isoformat()


def _pieces(held: Imported) -> tuple[dict[str, Any], dict[str, Any]]:
    counters: dict[str, Any] = {}
    markers: dict[str, Any] = {}
    for kind in held.kinds.all.values():
        record: dict[str, Any] = {"name": kind.name}
        if kind.marker and kind.nation:
            record["side"] = kind.nation
        elif not kind.marker:
            record |= {"short": kind.name[:SHORT].strip()} if len(kind.name) > SHORT else {}
            record["nation"] = kind.nation
            record |= {"class": slug(kind.group, "class")} if kind.group else {}
        record["count"] = kind.count
        if picture := held.picture(kind.front, kind.id):
            record["image"] = {"file": picture, "fit": "contain", "text": False}
        record |= _back(held, kind)
        if kind.factors:
            record["factors"] = kind.factors
        (markers if kind.marker else counters)[kind.id] = record
    held.report.counts["counters"] = len(counters)
    held.report.counts["markers (cards among them)"] = len(markers)
    held.report.counts["printed pieces"] = sum(kind.count for kind in held.kinds.all.values())
    return counters, markers


def _back(held: Imported, kind: Kind) -> dict[str, Any]:
    picture = held.picture(kind.back, f"{kind.id}_back") if kind.back.parts and kind.back.key != kind.front.key else ""
    if not picture:
        return {}
    if kind.marker:
        return {"back": {"image": {"file": picture, "fit": "contain", "text": False}}}
    return {"back": {"state": TURNED, "image": {"file": picture, "fit": "contain", "text": False}}}


def _boards(held: Imported) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for board in held.places.boards.values():
        if board is None:
            continue
        grid = board.fitted.grid
        record: dict[str, Any] = {"name": clean(board.sheet.name)}
        made = held.pictures.kept(board.sheet.image) if board.sheet.image else None
        if made is not None:
            record["image"] = {"file": held.keep(f"boards/{board.id}", *made), "hexes": known_hexes(board)}
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
        held.report.counts["hexes"] += len(grid.hexes)
    held.report.counts["boards of hexes"] = len(result)
    return result


def _maps(held: Imported) -> dict[str, Any]:
    result: dict[str, Any] = {}
    boxes = {
        box.id: {"name": box.name} | ({"kind": box.kind} if box.kind != "box" else {})
        for box in held.places.boxes.values()
    }
    for made in held.places.maps.values():
        record: dict[str, Any] = {"name": made.name}
        if made.hexes:
            record["arrangement"] = {"boards": _arranged(made)}
        else:
            record |= _points(held, made)
        result[made.id] = record | ({"boxes": boxes} if boxes else {})
    held.report.counts["maps"] = len(result)
    held.report.counts["points"] = sum(len(made.points) for made in held.places.maps.values())
    held.report.counts["boxes"] = len(boxes)
    return result


def _arranged(made: MapOut) -> list[list[str]]:
    rows: dict[int, list[tuple[int, str]]] = {}
    for laid in made.layout:
        if laid.sheet.name in made.hexes:
            word = made.hexes[laid.sheet.name].id + (" turned" if laid.turned else "")
            rows.setdefault(laid.row, []).append((laid.column, word))
    return [[word for _, word in sorted(rows[row])] for row in sorted(rows)]


def _points(held: Imported, made: MapOut) -> dict[str, Any]:
    per = COUNTER_CM / held.places.counter
    record: dict[str, Any] = {}
    picture = layout_picture(held.pictures, made)
    if picture is not None:
        record["image"] = held.keep(f"maps/{made.id}", *picture)
    width, height = (round(side * per, 2) for side in made.size)
    record["points"] = {
        key: {"name": name, "at": [round(x * per, 2), round(y * per, 2)]} for key, (name, x, y) in made.points.items()
    }
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    record["lines"] = {
        "frame": {"kind": "frame", "closed": True, "points": " ".join(f"{x:g},{y:g}" for x, y in corners)}
    }
    return record


def _scenarios(held: Imported, told: Mapping[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    last = len(told["turns"].get("names", ())) or told["turns"].get("count", 1) if "turns" in told else 0
    first_side = next(iter(held.sides.sides))
    for number, setup in enumerate(held.setups, 1):
        told_id = NUMBERED.fullmatch(setup.title)
        key, title = (told_id[1], told_id[2]) if told_id and told_id[1] not in result else (str(number), setup.title)
        while key in result:
            key += "_"
        groups: dict[str, dict[tuple[Any, ...], dict[str, dict[str, int]]]] = {side: {} for side in held.sides.sides}
        for standing in setup.standing:
            kind = standing.kind
            side = kind.nation if kind.marker else held.sides.armies[kind.nation].side
            where = (*next(iter(standing.at.items())), tuple(sorted(standing.states)))
            pieces = (
                groups[side or first_side].setdefault(where, {}).setdefault("markers" if kind.marker else "units", {})
            )
            pieces[kind.id] = pieces.get(kind.id, 0) + 1
        record: dict[str, Any] = {"title": title, "map": setup.map.id}
        if "sequence" in told:
            record["sequence"] = "standard"
        if last:
            record["turns"] = {"last": last}
        record["forces"] = {
            side: {
                "groups": [
                    {**pieces, "at": {where: place}, **({"states": list(states)} if states else {})}
                    for (where, place, states), pieces in held_by.items()
                ]
            }
            for side, held_by in groups.items()
        }
        result[key] = record
    held.report.counts["scenarios"] = len(result)
    held.report.counts["pieces set up"] = sum(len(setup.standing) for setup in held.setups)
    return result


def _tell(held: Imported) -> None:
    """What of the module has no place in a pack."""
    report = held.report
    for number, chart in enumerate(held.module.all("Chart"), 1):
        kept = held.pictures.kept(chart.get("fileName", "")) if chart.get("fileName") else None
        name = clean(name_of(chart)) or f"Chart {number}"
        where = held.keep(f"charts/{slug(name, 'chart')}_{number}", *kept) if kept is not None else "no picture"
        report.left_out("charts: a pack has tables of numbers, so only their pictures are kept", f"{name} ({where})")
    for name in held.pictures.missing:
        report.left_out("pictures that the module names and doesn't have", name)
    for name in held.pictures.broken:
        report.left_out("pictures that can't be opened", name)
    for part in held.module.root.iter():
        kind = kind_of(part)
        if kind in NOT_BUILT:
            called = name_of(part) or part.get("title", "") or part.get("fileName", "")
            report.left_out(f"{NOT_BUILT[kind]} of the module", clean(called, 40) or kind)
        elif CUSTOM.match(part.tag) and "." in part.tag:
            report.left_out("parts that need code of the module's own", kind)


def write_pack(held: Imported, folder: Path, title: str = "") -> list[Path]:
    """Write the pack into a new or empty folder, all of it or nothing; its id is the folder's name."""
    key = slug(folder.resolve().name, "")
    if not key:
        raise CannotImport(
            f"a game's id begins with a letter; name the folder otherwise than {folder.name!r}, such as my_game"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CannotImport(f"{folder} is there already and isn't empty; name a new folder")
    files: dict[str, str] = texts(held, key, title)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{key}.") as made:
        whole = Path(made) / key
        for name, text in files.items():
            write_text(whole / name, text)
        for name, content in held.files.items():
            path = whole / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if folder.exists():
            folder.rmdir()
        shutil.move(whole, folder)
    return [folder / name for name in (*files, *held.files)]


__all__ = ["CannotImport", "Imported", "read_module", "write_pack"]

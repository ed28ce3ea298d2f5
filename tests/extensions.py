"""Extensions for tests: one that Mitla makes of an overlay, one as VASSAL's editor writes it, and the module as it may be later."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from xml.etree import ElementTree

from modgen.cache import Cache, cache_folder
from modgen.vmod.files.extension import extension_bytes, read_overlay
from modgen.vmod.files.lock import Lock, read_lock, write_lock
from modgen.vmod.files.module import module_bytes
from scenarios import load
from scenarios.model.game import Game
from tests.changing import reorder_counters
from tests.packs import copy

GUARDS = Path(__file__).parents[1] / "docs" / "examples" / "coast_guards.yaml"
LATER = "2027-03-01"
"""The release of the module as it may be later."""
HAND = "5f2"
"""What stands before the ids of the extension made by hand."""
LIST = (
    "VASSAL.build.module.PieceWindow:Pieces/VASSAL.build.widget.BoxWidget:Pieces/"
    "VASSAL.build.widget.BoxWidget:Blue Hills/VASSAL.build.widget.ListWidget:Foot"
)
TRAYS = "VASSAL.build.module.Map:Set-up/VASSAL.build.module.map.BoardPicker"
PROTOTYPES = "VASSAL.build.module.PrototypesContainer"
SCOUT = (
    "+/null/prototype;Side Blue\tprototype;Tired\\\tmark;scouts\\\\\tpiece;;;infantry_blue.png;Desert scout/"
    "\t\\\t2\\\\\tnull;0;0;{gpid};0"
)
"""A piece of the editor: a prototype of the module, one of its own, a property, and a picture of the module."""
TIRED_PROTOTYPE = "+/null/mark;tired\tpiece;;;;/true\tnull;0;0;;0"
"""A prototype as the editor writes it: a property."""


def pack_of(folder: Path) -> Game:
    """Two Wells with a lock, as a module of it was released."""
    game = load(copy(folder))
    module_of(game, folder / "released" / "two_wells.vmod")
    return game


def module_of(game: Game, path: Path) -> Path:
    """The module of a pack; its lock grows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = read_lock(game.folder)
    path.write_bytes(module_bytes(game, lock, Cache(cache_folder())))
    write_lock(game.folder, lock)
    return path


def later(game: Game, folder: Path) -> Game:
    """The same pack with counters in another order, one more, one renamed, a new state before all others, and a higher version."""
    pack, _ = reorder_counters(game.folder, "counters.yaml", folder)
    card = pack / "game.yaml"
    card.write_text(card.read_text(encoding="utf-8").replace(game.card.release, LATER), encoding="utf-8")
    return load(pack)


def make_extension(game: Game, overlay: Path, lock: Lock | None = None) -> bytes:
    """The extension that Mitla makes of an overlay."""
    full_game = load(game.folder, [overlay])
    return extension_bytes(
        game, full_game, read_overlay(game.id, [overlay]), overlay.stem, lock or Lock(), Cache(cache_folder())
    )[0]


def by_hand(version: str, setup: bytes = b"") -> bytes:
    """An extension as VASSAL's editor writes it: a piece in a list of the palette, a prototype, and a set-up where there is one."""
    root = ElementTree.Element(
        "VASSAL.build.module.ModuleExtension",
        anyModule="false",
        description="By hand",
        extensionId=HAND,
        module="Two Wells",
        moduleVersion=version,
        nextPieceSlotId="1",
        vassalVersion="3.7.5",
        version="0.1",
    )

    def add(target: str, tag: str, text: str = "", **attributes: str) -> None:
        element = ElementTree.SubElement(root, "VASSAL.build.module.ExtensionElement", target=target)
        ElementTree.SubElement(element, tag, attributes).text = text

    add(PROTOTYPES, "VASSAL.build.module.PrototypeDefinition", TIRED_PROTOTYPE, name="Tired", description="")
    slot = SCOUT.format(gpid=f"{HAND}:0")
    add(
        LIST, "VASSAL.build.widget.PieceSlot", slot, entryName="Desert scout", gpid=f"{HAND}:0", width="66", height="66"
    )
    if setup:
        setup_attributes = {
            "name": "Scouting",
            "file": "scouting.vsav",
            "useFile": "true",
            "isMenu": "false",
            "description": "",
        }
        add("", "VASSAL.build.module.PredefinedSetup", **setup_attributes)
    about = (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<data version="1"><version>0.1</version><extra1/><extra2/>'
        "<VassalVersion>3.7.5</VassalVersion><dateSaved>1790000000000</dateSaved><description>By hand</description>"
        "<universal>false</universal></data>"
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("buildFile.xml", ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))
        archive.writestr("extensiondata", about)
        if setup:
            archive.writestr("scouting.vsav", setup)
    return buffer.getvalue()

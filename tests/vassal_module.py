"""Small modules made by hand, as VASSAL's editor would write them, for the tests of imports."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from PIL import Image

from scenarios.vassal.archive import pack_zip, veil
from scenarios.vassal.commands import Added, Trait, add_piece_command, append_commands

MODULE, MAP = "VASSAL.build.module.", "VASSAL.build.module.map."
BOARD, WIDGET = MAP + "boardPicker.", "VASSAL.build.widget."
GRID = BOARD + "board."


def element(tag: str, *inside: str, text: str = "", **attributes: object) -> str:
    """An element of a build file."""
    attribute_text = "".join(f" {key.rstrip('_')}={quoteattr(str(value))}" for key, value in attributes.items())
    return f"<{tag}{attribute_text}>{escape(text)}{''.join(inside)}</{tag}>"


def picture(color: str, size: tuple[int, int] = (40, 40), kind: str = "PNG") -> bytes:
    """A picture in one colour; `clear` is one that can't be seen."""
    buffer = io.BytesIO()
    Image.new("RGBA", size, (0, 0, 0, 0) if color == "clear" else color).convert(
        "RGBA" if kind == "PNG" else "RGB"
    ).save(buffer, kind)
    return buffer.getvalue()


def layer(
    pictures: Sequence[str],
    name: str = "",
    level: int = 1,
    always: bool = True,
    command: str = "",
    x: int = 0,
    y: int = 0,
) -> Trait:
    """A layer as VASSAL 3.7 writes it."""
    on_flag = "true" if always else "false"
    picture_names, labels = ",".join(pictures), "," * (len(pictures) - 1)
    text = f"emb2;{command};128;A;;128;;;128;;;;1;false;{x};{y};{picture_names};{labels};true;{name};;;false;;1;1;{on_flag};;;;;1.0;;true"
    return Trait(text, str(level))


def mark(**values: str) -> Trait:
    """Marks of a piece."""
    return Trait("mark;" + ",".join(values), ",".join(values.values()))


def prototype(name: str) -> Trait:
    """A prototype in its place."""
    return Trait(f"prototype;{name}", "")


def piece(name: str, *traits: Trait, gpid: str = "1", image: str = "", position: str = "null;0;0") -> Added:
    """A piece: its traits from the outside in."""
    return Added("", (*traits, Trait(f"piece;;;{image};{name}", f"{position};{gpid};0")))


def slot(name: str, *traits: Trait, gpid: str = "1", image: str = "", kind: str = "PieceSlot") -> str:
    """A piece of the palette."""
    return element(
        WIDGET + kind,
        text=add_piece_command(piece(name, *traits, gpid=gpid, image=image)),
        entryName=name,
        gpid=gpid,
        width=40,
        height=40,
    )


def prototype_definition(name: str, *traits: Trait) -> str:
    """The definition of a prototype."""
    return element(MODULE + "PrototypeDefinition", text=add_piece_command(piece("", *traits)), name=name)


def window(name: str, *boards: str, inside: Sequence[str] = (), kind: str = "Map") -> str:
    """A map window."""
    return element(
        MODULE + kind, element(MAP + "BoardPicker", *boards), *inside, mapName=name, edgeWidth=0, edgeHeight=0
    )


def board(name: str, image: str, *grid: str) -> str:
    """A board."""
    return element(BOARD + "Board", *grid, name=name, image=image, reversible="false")


def regions(*places: tuple[str, int, int]) -> str:
    """A grid of named places."""
    return element(
        GRID + "RegionGrid", *(element(GRID + "Region", name=name, originx=x, originy=y) for name, x, y in places)
    )


def zone(name: str, corners: Sequence[tuple[int, int]], *grid: str) -> str:
    """A zone with a grid of its own."""
    path = ";".join(f"{x},{y}" for x, y in corners)
    return element(GRID + "mapgrid.Zone", *grid, name=name, path=path, useParentGrid="false", locationFormat="$name$")


def roster(*sides: str) -> str:
    """The sides to choose from."""
    return element(MODULE + "PlayerRoster", *(element("entry", text=side) for side in sides))


def stack(name: str, x: int, y: int, *slots: str, board: str = "", kind: str = "SetupStack") -> str:
    """Pieces that lie on a map as the module starts."""
    return element(MAP + kind, *slots, name=name, x=x, y=y, owningBoard=board, useGridLocation="false")


def setup(name: str, file: str) -> str:
    """A predefined set-up."""
    return element(MODULE + "PredefinedSetup", name=name, file=file, useFile="true", isMenu="false")


def save(commands: Sequence[str], module: str = "Small") -> bytes:
    """A save with commands in it."""
    text = append_commands("begin_save", [*commands, "end_save"])
    data = f"<data><version>1</version><name>{module}</name></data>".encode()
    return pack_zip({"savedGame": veil(text), "moduledata": data, "savedata": data})


def piece_command(key: str, addition: Added) -> str:
    """The command that puts a piece into a save."""
    return add_piece_command(Added(key, addition.traits))


def module(
    path: Path,
    *parts: str,
    files: Mapping[str, bytes] | None = None,
    name: str = "Small",
    root: str = "VASSAL.build.GameModule",
) -> Path:
    """A module as a file."""
    build = element(
        root, *parts, name=name, version="1.0", VassalVersion="3.7.0", nextPieceSlotId=99, description="A small module"
    )
    data = f"<data version='1'><version>1.0</version><dateSaved>1700000000000</dateSaved><name>{name}</name></data>"
    path.write_bytes(pack_zip({"buildFile.xml": build.encode(), "moduledata": data.encode(), **(files or {})}))
    return path

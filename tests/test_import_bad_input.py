"""Modules that are none, or would harm whoever imports them: a sentence, exit code 2, nothing written, little memory."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from modgen.cli import cli as modgen
from scenarios.vassal.archive import pack_zip
from tests.asking import run_command
from tests.test_import import IMAGES, PLACES, cadre
from tests.vassal_module import (
    board,
    element,
    layer,
    module,
    piece,
    piece_command,
    prototype,
    prototype_definition,
    save,
    setup,
    slot,
    window,
)


def huge_png(width: int, height: int) -> bytes:
    """The head of a picture of that many dots, and hardly anything behind it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


def bomb(path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("buildFile.xml", "<VASSAL.build.GameModule/>")
        archive.writestr("images/a.png", b"\0" * 150_000_000)
    return path


def outside(path: Path) -> Path:
    return module(
        path, window("Map", board("East", "map.png", PLACES)), files={**IMAGES, "images/../../../evil.png": b"x"}
    )


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "ha">'
    + "".join(f'<!ENTITY c{n} "{"&b;" if n == 0 else f"&c{n - 1};" * 10}">' for n in range(1, 9))
    + ']><VASSAL.build.GameModule name="&c8;"/>'
)


def entities(path: Path) -> Path:
    path.write_bytes(pack_zip({"buildFile.xml": LAUGHS.replace("&c0;", "&b;").encode()}))
    return path


def outside_entity(path: Path) -> Path:
    text = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><VASSAL.build.GameModule name="x">&b;</VASSAL.build.GameModule>'
    path.write_bytes(pack_zip({"buildFile.xml": text.encode()}))
    return path


def text(content: bytes) -> Callable[[Path], Path]:
    def write_content(path: Path) -> Path:
        path.write_bytes(content)
        return path

    return write_content


def broken_zip(path: Path) -> Path:
    module_bytes = cadre(path).read_bytes()
    path.write_bytes(module_bytes[: len(module_bytes) // 2])
    return path


def picture_of(width: int, height: int) -> Callable[[Path], Path]:
    return lambda path: module(
        path, window("Map", board("East", "map.png", PLACES)), files={"images/map.png": huge_png(width, height)}
    )


def circle(path: Path) -> Path:
    prototypes = prototype_definition("a", prototype("b")), prototype_definition("b", prototype("a"))
    return module(
        path,
        *prototypes,
        slot("x", prototype("a"), image="red.png"),
        window("Map", board("East", "map.png", PLACES)),
        files=IMAGES,
    )


def swelling(path: Path) -> Path:
    protos = [
        prototype_definition("p0", layer(["red.png"])),
        *(prototype_definition(f"p{n}", *[prototype(f"p{n - 1}")] * 2) for n in range(1, 40)),
    ]
    return module(
        path, *protos, slot("x", prototype("p39")), window("Map", board("East", "map.png", PLACES)), files=IMAGES
    )


def nested_module(path: Path) -> Path:
    inner = slot("x", image="red.png")
    for _ in range(500):
        inner = element("VASSAL.build.widget.BoxWidget", inner)
    return module(path, inner, window("Map", board("East", "map.png", PLACES)), files=IMAGES)


BAD: dict[str, tuple[Callable[[Path], Path], str]] = {
    "a zip bomb": (bomb, "would unpack to more than"),
    "a name that leads out": (outside, "leads out of it"),
    "entities that swell": (entities, "declares a document type"),
    "an entity from outside": (outside_entity, "declares a document type"),
    "no zip": (text(b"hello"), "is no module"),
    "an empty file": (text(b""), "is no module"),
    "a zip that breaks off": (broken_zip, "is no module"),
    "a zip without a build file": (text(pack_zip({"a.txt": b"x"})), "it has no buildFile.xml"),
    "a save": (lambda path: text(save([]))(path), "it has no buildFile.xml"),
    "an extension": (lambda path: module(path, root="VASSAL.build.module.ModuleExtension"), "not an extension"),
    "a module without a map": (
        lambda path: module(path, slot("x", image="red.png"), files=IMAGES),
        "no map with a board",
    ),
    "a picture of 50,000 by 50,000": (picture_of(50_000, 50_000), "50,000 by 50,000 pixels"),
    "prototypes in a circle": (circle, "built on itself"),
    "prototypes that swell": (swelling, "built on itself"),
    "elements in elements": (nested_module, "deep in each other"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_sentence_and_nothing_written(name: str, tmp_path: Path) -> None:
    make, message = BAD[name]
    path = make(tmp_path / "a.vmod")
    tracemalloc.start()
    try:
        result = run_command(modgen, "import", path, "--to", tmp_path / "new" / "my_game")
        _, peak_memory = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.exit_code == 2 and message in result.output, result.output
    assert peak_memory < 200_000_000
    assert sorted(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_empty_and_options_that_say_nothing(tmp_path: Path) -> None:
    path = cadre(tmp_path / "a.vmod")
    (tmp_path / "there").mkdir()
    (tmp_path / "there/mine.txt").write_text("x")
    result = run_command(modgen, "import", path, "--to", tmp_path / "there")
    assert result.exit_code == 2 and "isn't empty" in result.output and (tmp_path / "there/mine.txt").exists()
    assert (
        run_command(modgen, "import", path).exit_code == 2
        and "--to my_game" in run_command(modgen, "import", path).output
    )
    assert run_command(modgen, "import", path, "--for", "yom_kippurr").exit_code == 2


def test_broken_pictures_saves_and_numbers_are_told_not_fatal(tmp_path: Path) -> None:
    grid = element("VASSAL.build.module.map.boardPicker.board.HexGrid", x0="nan", y0="x", dx="-1", dy="1e999")
    files = {
        **IMAGES,
        "images/bad.png": b"\x89PNG nothing",
        "bad.vsav": b"nothing",
        "odd.vsav": save(["+/1/stack/Map;x;y;2", "D/"]),
    }
    parts = [
        slot("A", layer(["bad.png", "red.png"], "Steps", 99999999999), gpid="x;y", image="nowhere.png"),
        slot("B", layer(["red.png"], "", 1), gpid=""),
        element("VASSAL.build.widget.PieceSlot", text="+/null/rubbish", entryName="C"),
        window("Map", board("East", "bad.png", grid, PLACES)),
        setup("One", "bad.vsav"),
        setup("Two", "odd.vsav"),
        setup("Three", "none.vsav"),
    ]
    result = run_command(
        modgen, "import", module(tmp_path / "a.vmod", *parts, files=files), "--to", tmp_path / "my_game"
    )
    assert result.exit_code == 0, result.output
    assert all(word in result.output for word in ("bad.png", "nowhere.png", "One", "Two", "Three"))
    assert run_command(modgen, "check", tmp_path / "my_game").exit_code == 0


def test_names_that_are_no_ids_and_texts_that_are_no_yaml(tmp_path: Path) -> None:
    names = ["", "#", "no", "0101", ": x", "{a}", "'q\"", "Ünïcödé ☭", "a" * 300, "- [x", "<b>Bold</b>", "\u202e"]
    slots = [slot(name, gpid=str(n), image="red.png") for n, name in enumerate(names, 1)]
    commands = [
        piece_command(str(n), piece(name, gpid=str(n), image="red.png", position="Map;100;100"))
        for n, name in enumerate(names, 1)
    ]
    parts = [*slots, window("Map", board("East", "map.png", PLACES)), setup(": #1 {", "a.vsav")]
    path = module(tmp_path / "a.vmod", *parts, files={**IMAGES, "a.vsav": save(commands)}, name="] : #")
    result = run_command(modgen, "import", path, "--to", tmp_path / "my_game")
    assert result.exit_code == 0, result.output
    check_result = run_command(modgen, "check", tmp_path / "my_game")
    assert check_result.exit_code == 0, check_result.output


def test_a_gif_bomb_of_frames_is_one_picture(tmp_path: Path) -> None:
    from PIL import Image

    buffer = io.BytesIO()
    frames = [Image.new("P", (30, 30), n) for n in range(50)]
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:])
    parts = slot("A", image="a.gif"), window("Map", board("East", "map.png", PLACES))
    path = module(tmp_path / "a.vmod", *parts, files={**IMAGES, "images/a.gif": buffer.getvalue()})
    assert run_command(modgen, "import", path, "--to", tmp_path / "my_game").exit_code == 0
    assert len(list((tmp_path / "my_game/pictures/pieces").iterdir())) == 1

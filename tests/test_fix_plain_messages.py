"""Messages about files that can't be read are sentences for people: they name no objects, codecs or classes of Python."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.cli import cli as assistant
from modgen.cli import cli as modgen
from scenarios.vassal.archive import HEADER
from tests.asking import run_command
from tests.packs import TWO_WELLS, copy
from tests.vassal_module import element, module

PYTHON = re.compile(r"<_io|object at|codec|\bNone\b|\bb'|base 16|indices|Error\b(?!:)|ordinal|0x[0-9a-f]{6}|Traceback")


BUILD_FILES = [
    b"\xff\xfe",
    b'<?xml version="1.0" encoding="ascii"?><a>\xe4</a>',
    b'<?xml version="1.0" encoding="utf-7"?><a/>',
]


def zipped(path: Path, name: str, content: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, content)
    return path


def misnamed(path: Path) -> Path:
    """A zip whose file's name claims to be UTF-8 and isn't."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("savedGamé", b"")
    path.write_bytes(held.getvalue().replace("é".encode(), b"\xe9\xe9"))
    return path


SAVES: dict[str, Callable[[Path], Path]] = {
    "bytes that are no text": lambda path: zipped(path, "savedGame", b"\xff\xfe\xfa"),
    "veiled bytes that are no text": lambda path: zipped(path, "savedGame", HEADER + b"4d" + b"ff"),
    "a key that is no number": lambda path: zipped(path, "savedGame", HEADER + b"\xe4\xe4" + b"00"),
    "letters that are no digits": lambda path: zipped(path, "savedGame", HEADER + b"4d" + b"zz"),
    "digits that are no ASCII": lambda path: zipped(path, "savedGame", HEADER + b"4d" + "ää".encode()),
    "a name that is no text": misnamed,
}


@pytest.mark.parametrize("name", SAVES)
def test_a_damaged_save(name: str, tmp_path: Path) -> None:
    path = SAVES[name](tmp_path / "game.vsav")
    result = run_command(assistant, "ask", TWO_WELLS, "supply", f"position={path}", "--no-overlay")
    other = run_command(assistant, "open", path, "--game", TWO_WELLS)
    for answer in (result, other):
        assert answer.exit_code in (1, 2)
        assert not PYTHON.search(answer.output), answer.output
    assert "damaged" in other.output


@pytest.mark.parametrize(
    "build",
    [b"\xff\xfe", b'<?xml version="1.0" encoding="ascii"?><a>\xe4</a>', b'<?xml version="1.0" encoding="utf-7"?><a/>'],
)
def test_a_damaged_module(build: bytes, tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.vmod", "buildFile.xml", build)
    for words in (("verify", path), ("import", path, "--to", tmp_path / "pack"), ("diff", path, path)):
        result = run_command(modgen, *words)
        assert result.exit_code == 2 and "damaged module" in result.output
        assert not PYTHON.search(result.output), result.output


@pytest.mark.parametrize("ending", ["png", "webp", "jpg"])
def test_a_picture_that_is_broken(ending: str, tmp_path: Path) -> None:
    heads = {
        "png": b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x05\0\0\0\x05\x63\0\0\0\0",
        "webp": b"RIFF\x24\0\0\0WEBPVP8L\x10\0\0\0\x2f\x04\0\0\0" + bytes(20),
        "jpg": b"\xff\xd8\xff\xc0\0\x11\x08\0\x05\0\x05\x03" + bytes(20),
    }
    pack = copy(tmp_path)
    (pack / f"bad.{ending}").write_bytes(heads[ending] + bytes(30))
    counters = pack / "counters.yaml"
    text = counters.read_text(encoding="utf-8")
    counters.write_text(
        text.replace("    name: Infantry\n", f"    name: Infantry\n    image: bad.{ending}\n", 1), encoding="utf-8"
    )
    for words in (
        ("check", pack, "--no-overlay"),
        ("build", pack, "--only", "module", "--no-overlay", "--out", tmp_path),
    ):
        result = run_command(modgen, *words)
        assert result.exit_code == 1 and f"bad.{ending} can't be shown" in result.output, result.output
        assert not PYTHON.search(result.output), result.output


@pytest.mark.parametrize("patch", ["[1]", '{"patch": 1}', '{"patch": 1, "changes": 5, "files": {}}', "[" * 100_000])
def test_a_damaged_patch(patch: str, tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / "module.patch.json").write_text(patch)
    result = run_command(modgen, "build", pack, "--only", "module", "--no-overlay", "--out", tmp_path)
    assert result.exit_code == 1 and "is damaged" in result.output
    assert not PYTHON.search(result.output), result.output


def test_an_extension_that_names_no_module(tmp_path: Path) -> None:
    theirs = module(tmp_path / "theirs.vmod")
    build = element("VASSAL.build.module.ModuleExtension", version="2", moduleVersion="9", extensionId="abc")
    extension = zipped(tmp_path / "more.vmdx", "buildFile.xml", build.encode())
    result = run_command(modgen, "verify", extension, "--module", theirs, "--json")
    assert result.exit_code == 1 and "a module that it doesn't name" in result.output
    assert all("None" not in problem for problem in json.loads(result.stdout)["problems"])

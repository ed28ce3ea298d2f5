"""What a person changed in VASSAL's editor lasts: `modgen diff OLD NEW --patch DIR`, and builds that apply it."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from modgen.cache import Cache
from modgen.cli import cli as modgen
from modgen.vmod.files.lock import CannotBuild
from modgen.vmod.files.locked_build import make_module
from modgen.vmod.files.patch import FOLDER, NAME
from scenarios import load
from scenarios.vassal.archive import pack_zip
from tests.asking import run_command
from tests.packs import copy

Files = dict[str, bytes]
DEFINITION = "+/null/piece;;;mine.png;Mine/null;0;0;900;0"
SLOT = f'<VASSAL.build.widget.PieceSlot entryName="Mine" gpid="900" height="64" width="64">{DEFINITION}</VASSAL.build.widget.PieceSlot>'


def files_of(path: Path) -> Files:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return copy(tmp_path)


@pytest.fixture
def built(pack: Path) -> Path:
    path = pack.parent / "old.vmod"
    path.write_bytes(make_module(load(pack), Cache(None), pool=False))
    return path


def edit_module(path: Path, change: Callable[[str], str], extra_files: Files | None = None) -> Path:
    """A module as somebody has changed it."""
    files = files_of(path) | (extra_files or {})
    text = files["buildFile.xml"].decode()
    new_text = change(text)
    assert new_text != text
    files["buildFile.xml"] = new_text.encode()
    new = path.with_name("new.vmod")
    new.write_bytes(pack_zip(files))
    return new


def as_the_editor_writes(text: str) -> str:
    """As VASSAL saves it: more attributes, others in their order, parts that it adds by itself."""
    root = ElementTree.fromstring(text)
    for part in root.iter():
        if part.tag.endswith(".Zone"):
            part.set("highlightProperty", "")
        if part.tag.endswith(".Inventory") and "pieceZoom" not in part.attrib:
            part.set("pieceZoom", "0.25")
        if part.tag.endswith("PieceSlot"):
            part.set("width", "80")
        for key, value in dict(part.attrib).items():
            part.set(key, re.sub(r"57348(\\?,0\\?,)", r"57385\1", value))
    for part in root.iter("VASSAL.build.module.Map"):
        ElementTree.SubElement(part, "VASSAL.build.module.properties.GlobalProperties")
    root.set("nextPieceSlotId", "77")
    return ElementTree.tostring(root, encoding="unicode")


def test_what_the_editor_writes_by_itself_is_no_change(pack: Path, built: Path) -> None:
    new = edit_module(built, as_the_editor_writes)
    result = run_command(modgen, "diff", built, new, "--patch", pack, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == {"file": str(pack / NAME), "changes": 0, "files": 0}


def by_hand(text: str) -> str:
    """Three changes by a person: an attribute, a new piece, something taken out."""
    text = as_the_editor_writes(text)
    assert 'tooltip="All counters and markers"' in text
    text = text.replace('tooltip="All counters and markers"', 'tooltip="The pieces"')
    text = text.replace("</VASSAL.build.widget.ListWidget>", f"{SLOT}</VASSAL.build.widget.ListWidget>", 1)
    return re.sub(r"<VASSAL.build.module.map.TextSaver [^>]*/>", "", text, count=1)


def test_changes_by_hand_are_in_the_next_build(pack: Path, built: Path) -> None:
    new = edit_module(built, by_hand, {"images/mine.png": b"\x89PNG mine"})
    assert run_command(modgen, "diff", built, new, "--patch", pack).exit_code == 0
    patch = json.loads((pack / NAME).read_text())
    assert sorted(next(key for key in change if key != "at") for change in patch["changes"]) == ["add", "remove", "set"]
    assert (pack / FOLDER / "images/mine.png").read_bytes() == b"\x89PNG mine"
    # The pack goes on: another name for a counter, then a new build.
    counters = pack / "counters.yaml"
    counters.write_text(counters.read_text().replace("name: Camel riders", "name: Camel corps"))
    second_build = pack.parent / "again.vmod"
    second_build.write_bytes(make_module(load(pack), Cache(None), pool=False))
    files = files_of(second_build)
    text = files["buildFile.xml"].decode()
    assert (
        'tooltip="The pieces"' in text
        and 'entryName="Mine"' in text
        and "Camel corps" in text
        and "TextSaver" not in text
    )
    assert files["images/mine.png"] == b"\x89PNG mine"
    root = ElementTree.fromstring(text)
    gpids = [part.get("gpid") for part in root.iter() if part.get("gpid")]
    assert len(gpids) == len(set(gpids)) and int(root.get("nextPieceSlotId", "0")) > 900
    # Applied twice is applied once.
    assert make_module(load(pack), Cache(None), pool=False) == second_build.read_bytes()


def test_a_change_that_no_longer_fits_is_told_with_its_place(pack: Path, built: Path) -> None:
    new = edit_module(built, lambda text: text.replace('entryName="Camel riders (2)"', 'entryName="Camels (2)"'))
    assert run_command(modgen, "diff", built, new, "--patch", pack).exit_code == 0
    counters = pack / "counters.yaml"
    counters.write_text(counters.read_text().replace("name: Camel riders", "name: Camel corps"))
    with pytest.raises(
        CannotBuild, match=r"Camel riders \(2\)' and is 'Camel corps \(2\)' now; the patch would make it 'Camels \(2\)'"
    ):
        make_module(load(pack), Cache(None), pool=False)
    result = run_command(modgen, "build", pack, "--only", "module", "--out", pack.parent / "dist")
    assert result.exit_code == 1 and "no longer fits" in result.output and "Traceback" not in result.output
    assert not (pack.parent / "dist").exists()


def test_an_element_or_file_that_is_gone_is_told(pack: Path, built: Path) -> None:
    name = next(name for name in files_of(built) if name.endswith(".vsav"))
    new = edit_module(
        built, lambda text: text.replace('tooltip="All counters', 'tooltip="Counters'), {name: b"another save"}
    )
    assert run_command(modgen, "diff", built, new, "--patch", pack).exit_code == 0
    patch = json.loads((pack / NAME).read_text())
    patch["changes"][0]["at"] = ["PieceWindow:Gone"]
    patch["files"][name]["was"] = "0" * 32
    (pack / NAME).write_text(json.dumps(patch))
    with pytest.raises(CannotBuild) as error_info:
        make_module(load(pack), Cache(None), pool=False)
    assert "there is no PieceWindow:Gone any more" in str(
        error_info.value
    ) and f"{name}: the file is another now" in str(error_info.value)


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ("{", "is damaged"),
        ("[1]", "is damaged"),
        ('{"patch": 1, "changes": [{}], "files": {}}', "is damaged"),
        (
            '{"patch": 1, "changes": [], "files": {"../../evil.txt": {"was": null, "now": "0"}}}',
            "no file that a patch may bring",
        ),
        (
            '{"patch": 1, "changes": [], "files": {"evil.class": {"was": null, "now": "0"}}}',
            "no file that a patch may bring",
        ),
        (
            '{"patch": 1, "changes": [{"at": [], "add": "<evil.Code/>", "after": null}], "files": {}}',
            "a pack brings no code",
        ),
        ('{"patch": 1, "changes": [{"at": [], "add": "<a", "after": null}], "files": {}}', "can't be read"),
    ],
)
def test_a_bad_patch_gets_a_sentence(patch: str, message: str, pack: Path) -> None:
    (pack / NAME).write_text(patch)
    with pytest.raises(CannotBuild, match=re.escape(message)):
        make_module(load(pack), Cache(None), pool=False)


def test_a_module_with_a_program_in_it_makes_no_patch(pack: Path, built: Path) -> None:
    new = edit_module(
        built, lambda text: text.replace('tooltip="All counters', 'tooltip="Counters'), {"evil/Code.class": b"x"}
    )
    result = run_command(modgen, "diff", built, new, "--patch", pack)
    assert result.exit_code == 2 and "a patch can't keep" in result.output and not (pack / NAME).exists()

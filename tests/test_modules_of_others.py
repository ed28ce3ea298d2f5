"""`modgen verify` and `modgen diff` on modules that aren't ours, or are damaged: a sentence each time, and soon."""

from __future__ import annotations

import json
import re
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest

from modgen.cache import Cache
from modgen.cli import cli as modgen
from modgen.vmod.check import engine_report
from modgen.vmod.check.engine import EngineLine
from modgen.vmod.files import loaded_module
from modgen.vmod.files.locked_build import make_module
from scenarios import load
from scenarios.vassal.archive import pack_zip
from scenarios.vassal.commands import join_traits
from tests.asking import run_command
from tests.packs import copy

Files = dict[str, bytes]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A pack that doesn't come with Mitla, and its module."""
    folder = copy(tmp_path_factory.mktemp("others"))
    path = folder.parent / "two_wells.vmod"
    path.write_bytes(make_module(load(folder), Cache(None), pool=False))
    return folder, path


def files_of(path: Path) -> Files:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def alter_module(path: Path, target_path: Path, change: Callable[[str], str]) -> Path:
    files = files_of(path)
    files["buildFile.xml"] = change(files["buildFile.xml"].decode()).encode()
    target_path.write_bytes(pack_zip(files))
    return target_path


def foreign(path: Path, *parts: str) -> Path:
    """A module that somebody else made by other means."""
    build = (
        f'<VASSAL.build.GameModule name="Other" version="1" VassalVersion="3.7.0" nextPieceSlotId="9">{"".join(parts)}'
    )
    data = b"<data><version>1</version><VassalVersion>3.7.0</VassalVersion></data>"
    path.write_bytes(pack_zip({"buildFile.xml": f"{build}</VASSAL.build.GameModule>".encode(), "moduledata": data}))
    return path


def prototype(name: str, *traits: str) -> str:
    tag = "VASSAL.build.module.PrototypeDefinition"
    return f'<{tag} name="{name}">{definition(name, traits)}</{tag}>'


def slot(name: str, *traits: str) -> str:
    tag = "VASSAL.build.widget.PieceSlot"
    return f'<{tag} entryName="{name}" gpid="1">{definition(name, traits)}</{tag}>'


def definition(name: str, traits: tuple[str, ...]) -> str:
    types, states = join_traits([*traits, f"piece;;;;{name}"]), join_traits([*[""] * len(traits), "null;0;0;1;0"])
    return f"+/null/{escape(types.replace('/', chr(92) + '/'))}/{states}"


def test_a_module_of_a_pack_of_ones_own_is_fine(small: tuple[Path, Path]) -> None:
    folder, path = small
    result = run_command(modgen, "verify", path)
    assert result.exit_code == 0 and "name its pack with --game" in result.output and "two_wells" in result.output
    assert json.loads(run_command(modgen, "verify", path, "--json").stdout)["problems"] == []
    with_pack = run_command(modgen, "verify", path, "--game", folder)
    assert with_pack.exit_code == 0 and "--game" not in with_pack.output
    answer = json.loads(run_command(modgen, "verify", path, "--game", folder, "--json").stdout)
    assert (answer["game"], answer["problems"], answer["notes"]) == ("two_wells", [], [])


def test_with_its_pack_grids_and_set_ups_are_compared(small: tuple[Path, Path], tmp_path: Path) -> None:
    folder, path = small
    moved_module = alter_module(path, tmp_path / "a.vmod", lambda text: re.sub(r'x0="\d+"', 'x0="140"', text, count=1))
    assert run_command(modgen, "verify", moved_module).exit_code == 0
    result = run_command(modgen, "verify", moved_module, "--game", folder)
    assert result.exit_code == 1 and "the engine would call 0101" in result.output
    other_result = run_command(modgen, "verify", path, "--game", "yom_kippur")
    assert other_result.exit_code == 2 and "is a module of two_wells, not of yom_kippur" in other_result.output
    nowhere = run_command(modgen, "verify", path, "--game", "nowhere")
    assert nowhere.exit_code == 2 and "there is no game and no folder" in nowhere.output


def test_a_module_that_mitla_did_not_make(tmp_path: Path) -> None:
    result = run_command(modgen, "verify", foreign(tmp_path / "a.vmod"))
    assert result.exit_code == 0 and "doesn't name its game" in result.output


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([EngineLine("VASSAL", ("3.7",)), EngineLine("PROBLEM", ("script", "no such class"))], "script: no such class"),
        ([EngineLine("PROBLEM", ("engine", "ended before the script did: Out of memory"))], "Out of memory"),
        ([EngineLine("VASSAL", ()), EngineLine("PALETTE", ("x",))], "didn't come to the set-up Noon"),
        ([EngineLine("PROBLEM", ("Noon", "no game started")), EngineLine("SETUP", ("Noon.vsav", "Noon"))], "Noon: no game started"),
        ([EngineLine("SETUP", ("Noon.vsav", "Noon")),
          EngineLine("PIECE", ("1", "2", "gun", "1", "G", "Main Map", "0101", "?", "", "a=b=c,=1,d=9"))],
         "should be at"),
    ],
)  # fmt: skip
def test_a_set_up_that_does_not_start_says_why(
    lines: list[EngineLine], message: str, small: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What the engine told is passed on, whatever it was."""
    monkeypatch.setattr(engine_report, "find_engine", lambda path: path)
    monkeypatch.setattr(engine_report, "run_script", lambda *arguments: lines)
    folder, path = small
    result = run_command(modgen, "verify", path, "--game", folder, "--engine", tmp_path)
    assert result.exit_code == 1 and message in result.output
    assert result.output.count("isn't in the engine's game") < 1 or "PIECE" in {line.word for line in lines}


def circle(count: int) -> tuple[str, ...]:
    return tuple(prototype(f"p{i}", f"prototype;p{(i + 1) % count}") for i in range(count))


PARENTHESES = "macro;x;y;;{" + "(" * 200 + "1" + ")" * 200 + "};a"
LONG: dict[str, tuple[tuple[str, ...], str]] = {
    "a prototype on itself": ((prototype("a", "prototype;a"), slot("s", "prototype;a")), "'a' is built on itself"),
    "prototypes in a circle": (circle(2000), "is built on itself"),
    "prototypes on prototypes": (
        (prototype("p0", "delete;Delete;68,130"), *(prototype(f"p{i}", *[f"prototype;p{i - 1}"] * 2) for i in range(1, 60)),
         slot("s", "prototype;p59")),
        "",
    ),
    "a chain of prototypes": (tuple(prototype(f"p{i}", f"prototype;p{i + 1}") for i in range(3000)), "'p3000', which is missing"),
    "200 parentheses": ((slot("s", PARENTHESES),), "nested more than 40 deep"),
    "brackets without end": ((slot("s", "macro;x;y;;{" + "a[" * 5000 + "};a"),), "nested more than 40 deep"),
    "no without end": ((slot("s", "macro;x;y;;{" + "!" * 5000 + "a};a"),), "nested more than 40 deep"),
    "a choice of thousands": ((slot("s", "macro;x;y;;{" + "a==1?b:" * 5000 + "c};a"),), ""),
    "a sum of thousands": ((slot("s", "macro;x;y;;{" + "a+" * 20_000 + "c};a"),), ""),
    "a long word": ((slot("s", "macro;" + "x" * 300_000),), ""),
    "a long word with points": ((slot("s", "mark;" + "x.png-" * 50_000),), "needs the picture"),
    "spaces": ((slot("s", "macro;x;y;;{a" + " " * 300_000 + "};a"),), ""),
    "backslashes": ((slot("s", "macro;{" + "\\" * 100_000 + ";" * 100),), ""),
    "quotes": ((slot("s", "macro;" + "'" * 100_000 + "{;" + "'" * 100_000),), ""),
    "tabs": ((slot("s", *["'x'"] * 200),), ""),
    "a property without its commands": ((slot("s", "PROP;x", "setprop;"),), ""),
    "a key past all letters": (
        (slot("s", f"delete;A;{'9' * 5000},0", f"delete;B;{'9' * 5000},0", "delete;C;99999999,0", "delete;D;99999999,0"),),
        "on one key",
    ),
    "texts on texts": (tuple(f"<entry>{i}</entry>" for i in range(5000)), ""),
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
def test_a_strange_module_gets_a_sentence(name: str, tmp_path: Path) -> None:
    parts, message = LONG[name]
    path = foreign(tmp_path / "a.vmod", *parts)
    result = run_command(modgen, "verify", path)
    assert result.exit_code in (0, 1) and message in result.output
    assert run_command(modgen, "diff", path, path).exit_code == 0
    diff_result = run_command(modgen, "diff", path, foreign(tmp_path / "b.vmod"))
    assert diff_result.exit_code in (0, 1)


def with_format(expression: str) -> Callable[[str], str]:
    """The names of hexes worked out by another expression."""
    old = re.compile(r"(HexGridNumbering[^>]* )locationFormat=(?:\"[^\"]*\"|'[^']*')")
    return lambda text: old.sub(lambda match: f"{match[1]}locationFormat={quoteattr('{' + expression + '}')}", text)


def put(pattern: str, new: str) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, new, text, count=1)


GRIDS: dict[str, tuple[Callable[[str], str], str]] = {
    "no width": (put(r'dx="[^"]*"', 'dx="0"'), "its dx is '0', which is no distance"),
    "endless": (put(r'dx="[^"]*"', 'dx="inf"'), "its dx is 'inf'"),
    "no number": (put(r'dy="[^"]*"', 'dy="nan"'), "its dy is 'nan'"),
    "a word": (put(r'dx="[^"]*"', 'dx="wide"'), "its dx is 'wide'"),
    "no place": (put(r'x0="[^"]*"', 'x0="left"'), "its x0 or y0 is no whole number"),
    "by nought": (with_format("column/0"), "it divides by zero"),
    "the rest by nought": (with_format("column%0"), "it divides by zero"),
    "too large": (with_format("9" * 5000), "too large"),
    "a large division": (with_format("9" * 400 + "/7"), "the engine would call"),
    "no argument": (with_format("String.valueOf()"), "valueOf can't be worked out"),
    "a member": (with_format("column.length"), "length can't be worked out"),
    "a cast": (with_format("(int)column"), "int can't be worked out"),
    "a name": (with_format("nobody"), "nothing is called 'nobody'"),
    "a text": (with_format('"x"*2'), "takes a text for a number"),
    "a long sum": (with_format("column" + "+1" * 3000), "too long"),
    "off the end": (with_format('"ab".substring(5)'), "no letters from 5"),
    "next id": (put(r'nextPieceSlotId="\d+"', 'nextPieceSlotId="many"'), "'many', which is no number"),
    "next id too long": (put(r'nextPieceSlotId="\d+"', f'nextPieceSlotId="{"9" * 5000}"'), "which is no number"),
    "an id too long": (put(r'gpid="4"', f'gpid="{"9" * 5000}"'), "has no proper id"),
    "what it tells": (
        lambda text: text.replace('initialValue="{&quot;game', f'initialValue="{"9" * 5000}{{&quot;game'),
        "",
    ),
}


@pytest.mark.parametrize("name", GRIDS)
def test_strange_numbers_get_a_sentence(name: str, small: tuple[Path, Path], tmp_path: Path) -> None:
    change, message = GRIDS[name]
    folder, path = small
    strange = alter_module(path, tmp_path / "a.vmod", change)
    result = run_command(modgen, "verify", strange, "--game", folder)
    assert result.exit_code in (0, 1) and message in result.output, result.output[-2000:]
    assert run_command(modgen, "diff", path, strange).exit_code in (0, 1)


def test_regions_that_lie_nowhere(tmp_path: Path) -> None:
    name = next(iter(load("october_war").maps.values())).title
    board = f'<x.Board name="{name}"><x.Region name="a" originx="east" originy="1"/></x.Board>'
    result = run_command(modgen, "verify", foreign(tmp_path / "a.vmod", board), "--game", "october_war")
    assert result.exit_code == 1 and "the engine would call" in result.output


def bomb(path: Path, size: int, claimed_size: int | None = None) -> Path:
    """A module whose build file unpacks to so many bytes, and claims to have another number."""
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open("buildFile.xml", "w") as file,
    ):
        for _ in range(size // 1_000_000):
            file.write(b" " * 1_000_000)
    if claimed_size is not None:
        raw = bytearray(path.read_bytes())
        struct.pack_into("<I", raw, raw.rindex(b"PK\x01\x02") + 24, claimed_size)
        path.write_bytes(raw)
    return path


def test_a_module_that_unpacks_past_measure(tmp_path: Path) -> None:
    claims, large = bomb(tmp_path / "a.vmod", 1_000_000, 200_000_000), bomb(tmp_path / "b.vmod", 3_000_000)
    for words, limit in (
        (("verify", claims), 100),
        (("diff", claims, large), 100),
        (("verify", large, "--limit", 2), 2),
    ):
        result = run_command(modgen, *words)
        assert result.exit_code == 2
        assert f"would unpack to more than {limit} MB" in result.output and "--limit MB" in result.output
    assert "is a damaged module" in run_command(modgen, "verify", large, "--limit", 3).output, (
        "it is read, and no module"
    )


def test_an_entry_that_lies_about_its_size_is_not_unpacked(tmp_path: Path) -> None:
    tracemalloc.start()
    result = run_command(modgen, "verify", bomb(tmp_path / "b.vmod", 50_000_000, 10))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result.exit_code == 2 and "a damaged one" in result.output and peak < 20_000_000


def test_a_build_file_of_very_many_elements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaded_module, "MOST_ELEMENTS", 1000)
    path = tmp_path / "a.vmod"
    path.write_bytes(pack_zip({"buildFile.xml": b"<a>" + b"<b/>" * 1000 + b"</a>"}))
    result = run_command(modgen, "verify", path)
    assert result.exit_code == 2 and "more than 1,000 elements" in result.output

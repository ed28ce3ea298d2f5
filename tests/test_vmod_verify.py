"""`modgen verify` and `modgen diff`: each thing that can be wrong is found and said, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modgen.cache import Cache
from modgen.cli import cli
from modgen.vmod.check import engine_report
from modgen.vmod.check.diff import compare
from modgen.vmod.check.engine import EngineLine, NoEngine, find_engine, read_lines, script
from modgen.vmod.check.java_expressions import BadExpression, bare_ids, parse, value
from modgen.vmod.check.verify import grids, verify_module
from modgen.vmod.files.loaded_module import open_module
from modgen.vmod.files.locked_build import make_module
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.vassal.archive import pack_zip
from tests.asking import run_command
from tests.packs import copy

Change = Callable[[dict[str, bytes]], None]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Game, Path]:
    """Two Wells and its module."""
    folder = copy(tmp_path_factory.mktemp("verify"))
    game = load(folder)
    path = folder.parent / "two_wells.vmod"
    path.write_bytes(make_module(game, Cache(None), pool=False))
    return game, path


def alter_module(path: Path, destination: Path, change: Change) -> Path:
    """A module with something changed in it."""
    files = dict(open_module(path).files)
    change(files)
    destination.write_bytes(pack_zip(files))
    return destination


def replace_text(old: str, new: str, count: int = 1) -> Change:
    """A change of the build file's text."""

    def change(files: dict[str, bytes]) -> None:
        text = files["buildFile.xml"].decode()
        assert old in text
        files["buildFile.xml"] = text.replace(old, new, count).encode()

    return change


def replace_pattern(pattern: str, new: str) -> Change:
    """A change of the build file's text, by pattern."""

    def change(files: dict[str, bytes]) -> None:
        text, number = re.subn(pattern, new, files["buildFile.xml"].decode(), count=1)
        assert number == 1
        files["buildFile.xml"] = text.encode()

    return change


def without(name: str) -> Change:
    """A file taken away."""

    def change(files: dict[str, bytes]) -> None:
        del files[name]

    return change


def extra(files: dict[str, bytes]) -> None:
    files["images/stray.png"] = b"x"


WRONG: list[tuple[Change, str]] = [
    (without("images/gun.png"), "Field gun.* needs the picture gun.png"),
    (extra, "nothing needs the picture stray.png"),
    (replace_text("prototype;Side Red", "prototype;Side Rad"), "built on the prototype 'Side Rad'"),
    (replace_text('gpid="4"', 'gpid="3"'), "the id 3 belongs to 2 pieces"),
    (replace_text('gpid="4"', 'gpid="4a"'), "no proper id, but '4a'"),
    (replace_text('gpid="4"', 'gpid="99"'), "the id 99 in the palette and another"),
    (replace_pattern('nextPieceSlotId="[0-9]+"', 'nextPieceSlotId="2"'), "next id would be 2, but 10 is in use"),
    (replace_pattern(' version="20[0-9.]+"', ' version="0"'), "differ in version"),
    (replace_text("{(column&gt;=0&amp;&amp;", "{((column&gt;=0&amp;&amp;"), "can't read"),
    (replace_pattern(r'x0="\d+"', 'x0="140"'), "the engine would call 0101"),
    (replace_pattern(r"delete;([^;]*);68,130", r"delete;\1;70,130"), r"'Flip.*' and 'Delete' on one key, Ctrl\+F"),
    (replace_pattern(r'hotkey="73,520"', 'hotkey="70,130"'), "has the key of the pieces' 'Flip.*', Ctrl\\+F"),
    (replace_pattern(r'hotkey="73,520"', 'hotkey="78,520"'), "have one key, Alt\\+N"),
    (replace_text('autoReport="Always"', 'autoReport="{LocationName == 0101}"'), "compares a name as a number"),
    (without("Noon.vsav"), "has no file Noon.vsav"),
]


@pytest.mark.parametrize("change, message", WRONG, ids=[message[:30] for _, message in WRONG])
def test_each_mistake_is_found(small: tuple[Game, Path], tmp_path: Path, change: Change, message: str) -> None:
    game, path = small
    problems = verify_module(alter_module(path, tmp_path / "a.vmod", change), game)["problems"]
    assert any(re.search(message, problem) for problem in problems), problems


def test_a_good_module_has_no_problem(small: tuple[Game, Path]) -> None:
    assert verify_module(small[1], small[0])["problems"] == []


@pytest.mark.parametrize("game_id", shipped_games())
def test_the_engine_would_call_every_hex_as_the_pack_does(game_id: str, tmp_path: Path) -> None:
    from modgen.vmod.files.xml import BOARD, XmlPart, document
    from modgen.vmod.maps.board_pictures import lying
    from modgen.vmod.maps.boards import hex_grid, point_grid
    from scenarios.model.points import PointMap
    from scenarios.vassal.windows import board_names, prefix

    game = load(game_id)
    names = board_names(game)
    board_items = lying(game).items()
    parts = [
        XmlPart(BOARD + "Board", hex_grid(board_layout.board, prefix(game, board_layout.board.id)), name=name)
        for name, board_layout in board_items
    ]
    tables = [(key, table) for key, table in game.maps.items() if isinstance(table, PointMap)]
    parts += [XmlPart(BOARD + "Board", point_grid(table), name=names[key]) for key, table in tables]
    path = tmp_path / "a.vmod"
    path.write_bytes(pack_zip({"buildFile.xml": document(XmlPart("VASSAL.build.GameModule", *parts))}))
    assert list(grids(open_module(path), game)) == []


numbers = st.integers(-50, 50)


@given(numbers, numbers, numbers.filter(bool))
def test_expressions_are_worked_out_as_java_does(a: int, b: int, c: int) -> None:
    variables = {"a": a, "b": b, "c": c}
    assert value(parse("(a+b)*2-c"), variables) == (a + b) * 2 - c
    assert value(parse('a>=b&&!(a==b)?String.valueOf(1000+a).substring(1):"x"+b'), variables) == (
        str(1000 + a)[1:] if a > b else f"x{b}"
    )
    quotient = abs(a) // abs(c) * (1 if (a < 0) == (c < 0) else -1)
    assert value(parse("a/c"), variables) == quotient
    assert value(parse("a%c"), variables) == a - c * quotient


@pytest.mark.parametrize(
    "text, message",
    [
        ("(a + 1", "is missing at the end"),
        ("a + ", "is missing at the end"),
        ("a b", "nothing should follow"),
        ('"a', "can't be read"),
        ("(a + b).substring(1)", "can't be called on a parenthesis"),
        ("a ? b", "':' is missing"),
        ("", "is missing"),
    ],
)
def test_what_the_engine_cannot_read(text: str, message: str) -> None:
    with pytest.raises(BadExpression, match=re.escape(message)):
        parse(text)


def test_names_that_look_like_numbers() -> None:
    assert list(bare_ids(parse('LocationName == 0101 || 4.10 != hex || x == "0101" || n == 10 || f(x) == 0.5'))) == [
        "LocationName == 0101",
        "hex != 4.10",
    ]


BREAKS: list[tuple[Change, str]] = [
    (
        replace_pattern(r"<VASSAL.build.widget.PieceSlot[^>]*gpid=\"5\".*?</VASSAL.build.widget.PieceSlot>", ""),
        r"the piece 5 \(Field gun",
    ),
    (without("images/gun-back.png"), "the picture gun-back.png is missing"),
    (replace_text('mapName="Tracks and Boxes"', 'mapName="Boxes"'), "the window Tracks and Boxes is missing"),
    (replace_text('name="The desert"', 'name="The sand"'), "the board The desert of Main Map is missing"),
    (replace_pattern(r'dy="74.0"', 'dy="76.0"'), "the grid of the board The desert moved"),
    (replace_text("<entry>Red</entry>", "<entry>Crimson</entry>"), "the side Red is missing"),
    (replace_text('list="Red moves,Red fights', 'list="Red fights,Red moves'), "the order of Phase changed"),
]


@pytest.mark.parametrize("change, message", BREAKS, ids=[message[:30] for _, message in BREAKS])
def test_each_reason_why_saves_break(small: tuple[Game, Path], tmp_path: Path, change: Change, message: str) -> None:
    new = alter_module(small[1], tmp_path / "new.vmod", change)
    assert any(re.search(message, reason) for reason in compare(small[1], new)["breaks"])
    result = run_command(cli, "diff", str(small[1]), str(new))
    assert result.exit_code == 1
    assert "old saves break" in result.output


def test_a_board_of_another_size_breaks_saves(small: tuple[Game, Path], tmp_path: Path) -> None:
    def wider(files: dict[str, bytes]) -> None:
        name = next(name for name in files if name.startswith("images/board-"))
        picture = files[name]
        files[name] = picture[:16] + (999).to_bytes(4, "big") + picture[20:]

    reasons = compare(small[1], alter_module(small[1], tmp_path / "new.vmod", wider))["breaks"]
    assert reasons == ["the board The desert was 278x259 pixels and is 999x259: pieces of saves would stand elsewhere"]


def test_what_is_new_breaks_nothing(small: tuple[Game, Path], tmp_path: Path) -> None:
    new = alter_module(small[1], tmp_path / "new.vmod", extra)
    answer = compare(small[1], new)
    assert answer["saves_keep"] and answer["changes"]["pictures"] == {"added": ["stray.png"], "changed": [], "gone": []}
    result = run_command(cli, "diff", str(small[1]), str(new))
    assert (result.exit_code, result.output) == (0, "pictures: added stray.png\nold saves keep\n")


def test_the_engine_must_be_there(small: tuple[Game, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = run_command(cli, "verify", str(small[1]), "--engine", str(tmp_path))
    assert result.exit_code == 2
    assert "there is no VASSAL in" in result.output and "lib/Vengine.jar" in result.output
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "Vengine.jar").write_bytes(b"")
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(NoEngine, match="no Java"):
        find_engine(tmp_path)
    monkeypatch.setattr("shutil.which", lambda name: None if name == "Xvfb" else "java")
    monkeypatch.delenv("DISPLAY", raising=False)
    assert find_engine(tmp_path / "lib" / "Vengine.jar").java == "java"


def test_the_lines_of_the_engine_are_read(small: tuple[Game, Path]) -> None:
    game, _ = small
    output_lines = [
        "INFO nothing of ours\n",
        "MITLA\tVASSAL\t3.7.26\n",
        "MITLA\tPROBLEM\tdialog\tBad picture\n",
        "MITLA\tCHAT\t- Bad Data in Module: gun.png not found\r\n",
        "MITLA\tCHAT\tRed rolls 4\n",
        "MITLA\tSETUP\tNoon.vsav\tNoon\n",
        "MITLA\tPIECE\t1\t2\tinfantry_blue\t21\tInfantry\tMain Map\t0302\t171\t111\tdug_in=1,Face=1,\n",
        "MITLA\tPIECE\t2\t2\tinfantry_blue\t22\tInfantry\tMain Map\t0301\t171\t37\tdug_in=1,Face=1,\n",
        "MITLA\tPALETTE\t8\n",
        "MITLA\tDONE\n",
    ]
    lines = read_lines(output_lines)
    assert lines[0] == EngineLine("VASSAL", ("3.7.26",)) and lines[-1] == EngineLine("DONE", ())
    answer = engine_report.answer(game, lines)
    assert (answer["vassal"], answer["palette"]) == ("3.7.26", 8)
    assert answer["set-ups"] == [{"file": "Noon.vsav", "title": "Noon", "pieces": 2}]
    problems = answer["problems"]
    assert problems[:2] == ["dialog: Bad picture", "chat: - Bad Data in Module: gun.png not found"]
    message = "scenario noon: infantry_blue 21 should be at 0301 in Main Map; the engine says 0302 in Main Map"
    assert message in problems
    assert not any("infantry_blue 22" in problem for problem in problems)
    assert "scenario noon: gun 1 isn't in the engine's game" in problems


def test_a_hex_on_a_seam_has_two_names() -> None:
    from scenarios.model.maps import HexMap
    from scenarios.model.position import Piece

    game = load("arab_israeli_wars")
    table = next(
        t for t in game.scenario_maps.values() if isinstance(t, HexMap) and any(len(n) > 1 for n in t.names.values())
    )
    seam_hex = next(hex for hex, names in table.names.items() if len(names) > 1)
    assert len(engine_report.names_of(game, table, Piece("x", "", "", seam_hex))) == 2


def test_a_script_always_ends() -> None:
    text = script('open(given[0]);\nlist("x");', "void own() { }")
    assert text.index("void own()") < text.index("void steps(") < text.index("open(given[0]);") < text.rindex("done();")
    assert text.count("{") == text.count("}")

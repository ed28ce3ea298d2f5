"""VASSAL's formats: what is written is read again, and known texts are written as the engine does."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenarios.vassal.archive import ENTRY, pack_zip, read_save, unveil, veil
from scenarios.vassal.commands import (
    BEGIN,
    END,
    Added,
    Trait,
    add_piece_command,
    append_commands,
    flatten,
    join_traits,
    read_added,
    split_traits,
)
from scenarios.vassal.sequence import join, split

letters = st.text(st.sampled_from(list("ab;/\\'\t\x1b,é 1")), max_size=8)


def readable(text: str) -> bool:
    """The engine itself can't read back a text that ends in a backslash before a delimiter."""
    return not text.endswith("\\")


@given(st.lists(letters.filter(readable), min_size=1, max_size=5), st.sampled_from(";/\t\x1b,"))
@example(["\\a", "'b'", "", "c;d"], ";")
@example(["'", "''"], ";")
def test_sequences_are_read_back(texts: list[str], delimiter: str) -> None:
    assert split(join(texts, delimiter), delimiter) == texts


def test_sequences_as_the_engine_writes_them() -> None:
    assert join(["a", "b;c", "", "\\d", "'e'"], ";") == "a;b\\;c;;'\\d';'e'".replace("'e'", "''e''")
    assert split("x\\;y;z;", ";") == ["x;y", "z", ""]


@given(st.lists(letters.filter(readable), max_size=4), st.text(st.sampled_from(list("ab;/,é 1")), max_size=8))
def test_traits_nest(outer: list[str], innermost: str) -> None:
    assert split_traits(join_traits([*outer, innermost])) == [*outer, innermost]


def test_a_piece() -> None:
    piece = Added(
        "7",
        (Trait("emb2;Flip;a/b", "1"), Trait("mark;unit;t_62", ""), Trait("piece;;;t62.png;T-62", "Main;120;340;14;0")),
    )
    command = add_piece_command(piece)
    assert command == "+/7/emb2;Flip;a\\/b\tmark;unit;t_62\\\tpiece;;;t62.png;T-62/1\t\\\tMain;120;340;14;0"
    assert read_added(command) == piece
    assert read_added("D/7/x") is None


def test_a_save_is_commands_in_commands() -> None:
    pieces = [add_piece_command(Added(str(i), (Trait("stack", f"Main;{i};0;-1"),))) for i in range(3)]
    text = append_commands(BEGIN, [append_commands("", pieces), END])
    assert list(flatten(text)) == [BEGIN, "", *pieces, END]


@given(st.text(max_size=50), st.integers(0, 255))
def test_veiling(text: str, key: int) -> None:
    data = veil(text, key)
    assert data.startswith(b"!VCSK") and unveil(data) == text
    assert unveil(text.encode()) == text or text.startswith("!VCSK")


def test_archives_are_the_same_twice_and_can_be_read(tmp_path: Path) -> None:
    files = {ENTRY: veil(BEGIN), "moduledata": b"<data/>", "a.png": b"\x89PNG"}
    data = pack_zip(files)
    assert data == pack_zip(dict(reversed(files.items())))
    path = tmp_path / "a.vsav"
    path.write_bytes(data)
    assert read_save(path) == (BEGIN, {"moduledata": b"<data/>", "a.png": b"\x89PNG"})
    path.write_bytes(b"no zip")
    with pytest.raises(ValueError, match="no VASSAL save"):
        read_save(path)
    path.write_bytes(pack_zip({"x": b""}))
    with pytest.raises(ValueError, match="no savedGame"):
        read_save(path)
    with pytest.raises(ValueError, match="damaged"):
        unveil(b"!VCSK4dzz")


def test_a_packed_save_is_read_too() -> None:
    assert unveil(lzma.compress(BEGIN.encode())) == BEGIN
    with pytest.raises(ValueError, match="damaged"):
        unveil(lzma.compress(BEGIN.encode())[:-9])

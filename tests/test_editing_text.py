"""Parts of YAML files replaced in place: what was put in is read back, and no other line changes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modgen.editing.yamltext import CannotEdit, put
from scenarios.reading.nodes import Node
from scenarios.reading.yaml_tree import parse_nodes

FILE = """\
# my board
source: {mine: me}

boards:
  # the only one
  valley:
    name: The valley
    grid: {columns: 4, rows: 4}
    # how it looks
    terrain: |
      #  1234
      01 . .
    places:
      mill: {name: The mill, hex: "0101"}   # old

    # roads below
    paths:
      - {kind: road, hexes: ["0101", "0102"]}

maps:
  main: {name: All of it}
"""


def to_plain(node: Node | None) -> Any:
    if node is None:
        return None
    if node.entries is not None:
        return {key: to_plain(value) for key, (_, value) in node.entries.items()}
    return [to_plain(item) for item in node.items] if node.items is not None else node.text


def read(text: str) -> Any:
    node, findings = parse_nodes(text.encode("utf-8"), "x")
    assert node is not None and not findings, (findings, text)
    return to_plain(node)


def test_a_part_is_replaced_and_nothing_else() -> None:
    new_text = put(FILE, ("boards", "valley", "places"), {"ford": {"name": "The ford: low", "hex": "0203"}})
    assert read(new_text)["boards"]["valley"]["places"] == {"ford": {"name": "The ford: low", "hex": "0203"}}
    removed_lines = [line for line in FILE.splitlines() if line not in new_text.splitlines()]
    assert removed_lines == ["    places:", '      mill: {name: The mill, hex: "0101"}   # old']
    assert "    # roads below\n    paths:" in new_text and "# how it looks" in new_text


def test_a_part_that_isnt_there_is_added_at_the_end_of_its_mapping() -> None:
    new_text = put(FILE, ("boards", "valley", "hexsides", "river"), ["0101/0102"])
    assert read(new_text)["boards"]["valley"]["hexsides"] == {"river": ["0101/0102"]}
    assert new_text.index("hexsides") > new_text.index("paths") and new_text.index("hexsides") < new_text.index(
        "\nmaps:"
    )
    assert read(put("", ("boards", "a"), {"name": "x"})) == {"boards": {"a": {"name": "x"}}}
    assert read(put("overlay: g\nboards:\n", ("boards", "a", "hexes"), {"0101": "hill"}))["boards"] == {
        "a": {"hexes": {"0101": "hill"}}
    }


def test_a_part_is_taken_away() -> None:
    new_text = put(FILE, ("boards", "valley", "paths"), None)
    assert "paths" not in read(new_text)["boards"]["valley"] and read(new_text)["maps"]
    assert put(FILE, ("boards", "valley", "zones"), None) == FILE


def test_what_stands_in_braces_is_written_anew_with_the_change() -> None:
    new_text = put("boards: {a: {name: x, grid: {columns: 4}}}\nmaps: {}\n", ("boards", "a", "hexes", "0101"), "hill")
    assert read(new_text) == {
        "boards": {"a": {"name": "x", "grid": {"columns": "4"}, "hexes": {"0101": "hill"}}},
        "maps": {},
    }
    with pytest.raises(CannotEdit, match="braces"):
        put("{boards: {a: {name: x}}}\n", ("boards", "a", "hexes"), {"1": "b"})


words = st.text(st.sampled_from("abz AZ019.:-#,'\"{}[]\\é|>&*!%@`~"), min_size=1, max_size=12)
keys = st.text(st.sampled_from("abcxyz019_"), min_size=1, max_size=6)
values = st.recursive(
    words,
    lambda inner: st.lists(inner, min_size=1, max_size=12) | st.dictionaries(keys, inner, min_size=1, max_size=6),
    max_leaves=40,
)


@settings(max_examples=200, deadline=None)
@given(
    address=st.lists(st.sampled_from(["boards", "valley", "maps", "places", "hexsides", "x9"]), min_size=1, max_size=4),
    value=values,
)
def test_whatever_is_put_in_is_read_back(address: list[str], value: Any) -> None:
    original = read(FILE)
    try:
        new_text = put(FILE, address, value)
    except CannotEdit:
        return
    part: Any = read(new_text)
    for key in address:
        part = part[key]
    assert part == value
    remainder = read(put(new_text, address, None)) if address != ["boards"] else {}
    for key in original:
        if key != address[0]:
            assert remainder.get(key, original[key]) == original[key]

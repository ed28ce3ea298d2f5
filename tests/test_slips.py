"""Slips of the pen in a pack: the message names the character and stands at its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenarios import check, load, shipped_games
from scenarios.reading.typos import find_slips, marks
from tests.packs import break_pack


@pytest.mark.parametrize(
    ("file", "old", "new", "ahead", "message"),
    [
        ("game.yaml", "summary: Two patrols", 'summary: "Two patrols', 9, 'the quote " that opens here closes only in line 20'),
        ("rules.yaml", "\"cost\"))'\n    wadi", '"cost"))\n    wadi', None, "the quote ' that opens here isn't closed in its line"),
        ("game.yaml", 'mark: ".", color: "#efe3bd"', 'mark: ".", color: #efe3bd', 18, "the # begins a comment"),
        ("game.yaml", "summary: Two patrols", "summary: Two #1 patrols", 13, "the # begins a comment"),
        ("counters.yaml", "text: out of water", "text: out of water, thirsty", 6, "what begins with 'out of water' has a comma in it"),
        ("rules.yaml", "that: 'count(stack, fires_far) <= 1'", "that: count(stack, fires_far) <= 1", 6, "what begins with 'count(stack'"),
        (
            "rules.yaml", "when: wadi, add: 'number(lookup(\"movement\", \"wadi\", \"cost\"))'",
            'when: wadi, add: number(lookup("movement", "wadi", "cost"))', 17, "'number(lookup(' begins an expression with commas",
        ),
        (
            "rules.yaml",
            "values:\n    price: 'number(lookup(\"movement\", to.terrain, \"cost\"))'\n    wadi: over.wadi and not over.track",
            "values: {price: if(to.hill, 2, 1), wadi: over.wadi and not over.track}", 16, "what begins with 'if(to.hill' has a comma in it",
        ),
        (
            "rules.yaml", "text: a hex holds two units", 'text: "a hex holds two units', 6,
            "the quote that opens here is closed by the next one",
        ),
        (
            "rules.yaml", "when: not to.village, that: count(stack) <= 2", "that: {count(stack)} <= 2", 6,
            "this { stands in an expression; put quotes around all of it",
        ),
        ("counters.yaml", 'when: terrain == "village"', 'when: terrain in ["village"]', 17, "this [ stands in a text without quotes"),
        ("counters.yaml", "movement: 3}\n    back", "movement: 3\n    back", None, "the { that opens here isn't closed; write }"),
        ("counters.yaml", "numbers: 11-13}", "numbers: 11-13", None, "the { that opens here isn't closed; write }"),
    ],
)  # fmt: skip
def test_the_character_and_its_line_are_named(
    file: str, old: str, new: str, ahead: int | None, message: str, tmp_path: Path
) -> None:
    """`ahead`: how many letters behind the start of the new text the finding stands; None: it is only in that line."""
    pack, line, column = break_pack(tmp_path, file, old, new)
    finding, *other_findings = check(pack)
    assert message in finding.message and finding.path.endswith(file) and finding.line == line, str(finding)
    assert not other_findings and ahead in (None, finding.column - column), (finding.column, column)


def test_a_wrong_name_is_told_with_all_that_are_known(tmp_path: Path) -> None:
    pack, line, _ = break_pack(tmp_path, "rules.yaml", "has: not reduced", "has: not xyzzy")
    (finding,) = check(pack)
    assert finding.line == line and "known here are" in finding.message
    assert all(name in finding.message for name in ("attack", "movement", "fires_far", "reduced", "docs/rules.md"))
    pack, line, _ = break_pack(tmp_path / "other", "rules.yaml", "when: not to.village", "when: not to.qqq")
    (finding,) = check(pack)
    assert (
        "behind `to.` may stand" in finding.message and "village" in finding.message and "east_well" in finding.message
    )


def test_rows_and_columns_that_are_mixed_up(tmp_path: Path) -> None:
    """In a table, in a lookup by names, and in one by texts."""
    cells = '1: "D1 D1 D2 D2 DE"\n      2: "-  D1 D1 D2 D2"\n      3: "-  -  D1 D1 D2"\n'
    pack, line, _ = break_pack(
        tmp_path, "counters.yaml", cells, '"1-2": "- - - A1 A1 A1"\n      "1-1": "D1 D1 - - A1 A1"\n'
    )
    text = (pack / "counters.yaml").read_text(encoding="utf-8")
    rows_text = '      4: "A1 -  -  D1 D1"\n      5: "A1 A1 -  -  D1"\n      6: "A1 A1 A1 -  -"\n'
    assert rows_text in text
    (pack / "counters.yaml").write_text(text.replace(rows_text, ""), encoding="utf-8")
    (finding,) = check(pack)
    assert (
        finding.line == line
        and finding.message.startswith("rows and columns are mixed up")
        and "each of the 5 columns" in finding.message
    )
    for new in ('lookup("movement", "cost", to.terrain)', 'lookup("movement", "cost", "hill")'):
        pack, line, _ = break_pack(
            tmp_path / new[20:27] / new[-6:-2], "rules.yaml", 'lookup("movement", to.terrain, "cost")', new
        )
        (finding,) = check(pack)
        assert finding.line == line and "comes first, then the column" in finding.message


def test_a_list_where_an_area_belongs(tmp_path: Path) -> None:
    pack, line, _ = break_pack(
        tmp_path, "map.yaml", 'states: [dug_in], at: "0301"', 'states: [dug_in], at: ["0301", "0302"]'
    )
    (finding,) = check(pack)
    assert (
        finding.line == line
        and '{hexes: ["0301", ...]}' in finding.message
        and "`at_each` instead of `at`" in finding.message
    )


def test_comments_quotes_and_blocks_that_are_meant_so() -> None:
    text = (
        "a: it's fine  # a comment\n"
        "b: 'one # two'\n"
        'c: |\n  a " in a block #1\n  b: {\n'
        "d: {e: [1, 2], # a comment in braces\n  f: 3}\n"
        'g: "two\n  lines: of text"\n'
        'i: "swallowed\nj: k\nl: "m"\n'
        'h: "a \\" b"\n'
        'n: {when: code == "-", set: o}\n'
        'p: a - "b\n'
        '- "q"\n'
        "#no blank, but a line of its own\n"
    )
    assert [slip.message.split(";")[0] for slip in find_slips(text)] == [
        'the quote " that opens here closes only in line 12, after other keys',
    ]
    bracket_kinds = [mark.kind for mark in marks(text)]
    assert (bracket_kinds.count("{"), bracket_kinds.count("}"), bracket_kinds.count("["), bracket_kinds.count("]")) == (
        2,
        2,
        1,
        1,
    )


def test_no_shipped_pack_has_any() -> None:
    for game in (*shipped_games(), "corps", "two_wells"):
        for path in load(game).folder.glob("*.yaml"):
            assert not list(find_slips(path.read_text(encoding="utf-8"))), path

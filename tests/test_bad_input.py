"""Every mistake gets path:line:column and a sentence, all in one run, and exit code 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from modgen.cli import cli
from scenarios import check
from tests.asking import run_command
from tests.packs import break_pack, copy

# What is broken: the file, the text, what stands there instead, how far into it the finding points, what it says.
MISTAKES: dict[str, tuple[str, str, str, int, str]] = {
    "unknown key": ("counters.yaml", "    size: section", "    sise: section", 4, "'sise' is not known here; did you mean size"),
    "missing key": ("counters.yaml", "  gun:\n    name: Field gun\n", "  gun:\n", 11, "the key 'name' is missing; add it"),
    "wrong type, number": ("counters.yaml", "    steps: 2", "    steps: two", 11, "'two' is not a whole number"),
    "wrong type, list": ("counters.yaml", "[fires_far]", "fires_far", 0, "write a list"),
    "wrong type, mapping": ("counters.yaml", "factors: {attack: 6, defense: 1, movement: 2}", "factors: 6", 9, "a mapping"),
    "wrong factor": ("counters.yaml", "attack: 6,", "attack: six,", 8, "'six' is not a number"),
    "unknown factor": ("counters.yaml", "attack: 6,", "atack: 6,", 0, "'atack'; did you mean attack"),
    "unknown class": ("counters.yaml", "    class: wheels\n    type: gun", "    class: tracks\n    type: gun", 11, "no class 'tracks'"),
    "unknown ability": ("counters.yaml", "[fires_far]", "[fires_fr]", 1, "did you mean fires_far"),
    "hex off the board": ("map.yaml", 'hex: "0202"', 'hex: "0205"', 5, "0203"),
    "hexside of strangers": ("map.yaml", "0203/0303]", "0203/0403]", 0, "share no hexside"),
    "zone off the board": ("map.yaml", '"0103", "0201"', '"0103", "0901"', 8, "0901"),
    "row one cell short": ("counters.yaml", '"A1 A1 -  -  D1"', '"A1 A1 -  D1"', 0, "row 5 has 4 cells, but the table has 5 columns"),
    "code unexplained": ("counters.yaml", '"A1 A1 -  -  D1"', '"A1 A1 -  -  D7"', 0, "'D7'; write one of"),
    "column overlap": ("counters.yaml", '"2-1", "3-1"', '"3-1", "3-1"', 7, "stands here twice"),
    "columns going down": ("counters.yaml", '["1-2", "1-1"', '["1-1", "1-2"', 8, "overlaps 1-1 before it"),
    "no row for a throw": ("counters.yaml", '      6: "A1 A1 A1 -  -"\n', "", 0, "a throw of 6 finds no row"),
    "two rows for a throw": ("counters.yaml", '      6: "A1', '      5-6: "A1', 6, "row 5-6 overlaps row 5"),
    "unit no sheet has": ("map.yaml", "units: {cars: 2}", "units: {carts: 2}", 8, "no counter sheet has 'carts'; did you mean cars"),
    "more units than counters": ("map.yaml", "units: {cars: 2}", "units: {cars: 3}", 14, "3 of cars with these, but it has 2 counters"),
    "more markers than counters": ("map.yaml", "markers: {dug_in: 2}", "markers: {dug_in: 5}", 18, "uses 5 of dug_in"),
    "road with a gap": ("map.yaml", '["0102", "0201", "0301"', '["0102", "0203", "0301"', 9, "doesn't touch 0102 before it"),
    "unknown path": ("map.yaml", "{kind: track", "{kind: trak", 7, "did you mean track"),
    "unknown board": ("map.yaml", "boards: desert}", "boards: dessert}", 8, "did you mean desert"),
    "unknown map": ("map.yaml", "    map: main", "    map: mian", 9, "did you mean main"),
    "unknown side": ("map.yaml", "    first: red", "    first: green", 11, "no side 'green'"),
    "unknown place": ("map.yaml", "at: {any: [{place: west_well}, {place: east_well}]}, text: 3 points for each well with a Blue",
                      "at: {place: west_wel}, text: 3 points for each well with a Blue", 12, "did you mean west_well"),
    "area that is empty": ("map.yaml", "at: {edge: south}", "at: {edge: south, terrain: [village]}", 4, "no place"),
    "unknown effect": ("map.yaml", "effect: no_crossing, units", "effect: no_crosing, units", 8, "did you mean no_crossing"),
    "duplicate key": ("game.yaml", "turns: {count: 6}\n", "turns: {count: 6}\nturns: {count: 7}\n", 18, "'turns' stands here twice"),
    "duplicate id": ("counters.yaml", "markers:\n",
                     "rulings: {gun_and_hill: {question: a, readings: {a: b, c: d}, choice: a, why: c}}\nmarkers:\n",
                     0, "'gun_and_hill' in rulings is taken by"),
    "mark taken": ("game.yaml", 'mark: "^"', 'mark: "."', 6, "is clear's already"),
    "mark of nothing": ("map.yaml", "      01 . v", "      01 . x", 11, "no terrain has the mark 'x' (hex 0301)"),
    "mark missing": ("map.yaml", "      01 . v", "      01 .", 11, "hex 0301 has no mark"),
    "mark out of place": ("map.yaml", "      01 . v", "      01 .v", 6, "don't stand where its hexes do; write '01 . v'"),
    "line out of place": ("map.yaml", "      02  . ^", "      02 . ^", 6, "don't stand where its hexes do; write '02  . ^'"),
    "mark too many": ("map.yaml", "      01 . v", "      01 ... v", 10, "no hex stands here"),
    "dash without quotes": ("counters.yaml", '"A1 A1 A1 -  -"', "- A1 A1 -  -", 0, "begins with a dash needs quotes"),
    "comma without quotes": ("game.yaml", "unit: platoon}", "unit: 1,000 men}", 15, "one with a comma in it needs quotes"),
    "track without spaces": ("map.yaml", "turn: {name: Turn, last: 6}", "turn: {name: Turn}", 6, "`first` and `last`"),
    "line missing": ("map.yaml", "      02  . ^\n", "", 0, "the drawing has 5 lines, but the grid has 6"),
    "no colour": ("game.yaml", '"#efe3bd"', '"sand"', 0, "'sand' is not a colour"),
    "no odds": ("counters.yaml", '"2-1", "3-1"', '"2-1", "three"', 7, "is no odds"),
    "bad expression": ("counters.yaml", 'when: terrain == "hill"', 'when: terrain = "hill"', 14, "write '=='"),
    "text without quotes": ("counters.yaml", 'when: terrain == "hill"', "when: terrain == hill", 17, 'in quotes: "hill"'),
    "state of nobody": ("counters.yaml", "to: attackers, when: dry", "when: dry", 6, "any(attackers, dry), or say `to: attackers`"),
    "unknown name in expression": ("counters.yaml", "when: hexes >= 3", "when: hexs >= 3", 6, "hexes"),
    "unknown choice in expression": ("counters.yaml", 'terrain == "hill"', 'terrain == "hil"', 11, "hill"),
    "expression of the wrong kind": ("counters.yaml", "multiply: 1/2}", 'multiply: "terrain"}', 10, "here belongs a number"),
    "two effects": ("counters.yaml", "when: across_wadi, die: 1", "when: across_wadi, die: 1, shift: 1", -38, "one effect"),
    "ruling without the choice": ("map.yaml", "choice: every", "choice: evry", 8, "did you mean every"),
    "nation of no side": ("game.yaml", "adjective: Red, side: red", "adjective: Red, side: rd", 22, "did you mean red"),
    "phase twice": ("game.yaml", "id: blue_fight", "id: blue_move", 4, "used twice in this sequence"),
    "dice that aren't": ("counters.yaml", "    dice: 1d6", "    dice: d", 10, "write one such as 1d6"),
    "no source": ("counters.yaml", 'source: {rulebook: "the counter sheet"}\n', "", -1, "data without a source"),
    "strange source": ("counters.yaml", "{rulebook: ", "{hearsay: ", 1, "no kind of source"),
    "arrival after the end": ("map.yaml", "enters: {turn: 2", "enters: {turn: 9", 15, "turn 9 is no turn of this scenario"),
    "numbers not in a list": ("counters.yaml", "numbers: 14-15", 'numbers: "14, 15"', 9, "a list: [7, 11-14]"),
    "counter of several nations": ("map.yaml", "{infantry_red: 3}", "{infantry: 3}", 1, "mean infantry_blue or infantry_red"),
    "count and numbers": ("counters.yaml", "numbers: 14-15", "numbers: 14-15\n    count: 3", 26, "counts 3, but has 2 numbers"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_where_it_stands(name: str, tmp_path: Path) -> None:
    file, old, new, offset, words = MISTAKES[name]
    pack, line, column = break_pack(tmp_path, file, old, new)
    findings = check(pack)
    hits = [finding for finding in findings if words in finding.message]
    assert hits, [str(finding) for finding in findings]
    hit = hits[0]
    assert Path(hit.path).name == (file if name != "duplicate id" else "map.yaml")
    if offset == -1:
        return
    lines = new[: max(offset, 0)].count("\n")
    expected_place = (line, column + offset) if not lines else (line + lines, offset - new.rfind("\n", 0, offset))
    if name in PLACES:
        expected_place = (line + PLACES[name][0], PLACES[name][1])
    assert (hit.line, hit.column) == expected_place, str(hit)
    assert ";" in hit.message or "add it" in hit.message, "a finding says what would be right"


# Where the finding stands on another line than the broken text: lines below it, and the column.
PLACES = {
    "missing key": (1, 5),
    "no row for a throw": (-5, 7),
    "line missing": (-5, 14),
    "duplicate key": (1, 1),
    "duplicate id": (21, 3),
    "count and numbers": (1, 12),
    "two effects": (0, 9),
    "code unexplained": (0, 23),
}


def test_all_findings_in_one_run(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    for file, old, new in (
        ("counters.yaml", "    size: section", "    sise: section"),
        ("counters.yaml", "attack: 6,", "attack: six,"),
        ("map.yaml", 'hex: "0202"', 'hex: "0205"'),
        ("map.yaml", "units: {cars: 2}", "units: {carts: 2}"),
        ("game.yaml", '"#efe3bd"', '"sand"'),
    ):
        path = pack / file
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    messages = "\n".join(str(finding) for finding in check(pack))
    for words in ("sise", "'six'", "0205", "carts", "sand"):
        assert words in messages


def test_one_mistake_is_one_finding(tmp_path: Path) -> None:
    """A wrong key or value of a counter doesn't make the scenarios that use it wrong too."""
    for i, (old, new) in enumerate([("attack: 6,", "attack: six,"), ("    size: section", "    sise: section")]):
        pack, _, _ = break_pack(tmp_path / str(i), "counters.yaml", old, new)
        assert len(check(pack)) == 1


def test_exit_codes_and_json(tmp_path: Path) -> None:
    pack, line, column = break_pack(tmp_path, "counters.yaml", "attack: 6,", "attack: six,")
    run = run_command(cli, "check", str(pack))
    assert run.exit_code == 1
    assert f"counters.yaml:{line}:{column + 8}: 'six' is not a number; write one such as" in run.stdout
    run = run_command(cli, "check", str(pack), "--json")
    assert run.exit_code == 1 and '"ok": false' in run.stdout
    assert run_command(cli, "show", str(pack)).exit_code == 1
    assert run_command(cli, "check", str(copy(tmp_path / "fine"))).exit_code == 0
    assert run_command(cli, "check", "no_such_game").exit_code == 2


def file_with(tmp_path: Path, content: bytes) -> Path:
    pack = copy(tmp_path)
    (pack / "more.yaml").write_bytes(content)
    return pack


BROKEN_FILES: dict[str, tuple[bytes, int, int, str]] = {
    "not YAML": (b"counters:\n  a: [1, 2\n  b: 3\n", 2, 6, "the [ that opens here isn't closed; write ]"),
    "a colon in a text": (
        b"source: {rulebook: x}\nmarkers:\n  a: {name: b}\n  note: this: that\n",
        4,
        13,
        "needs quotes",
    ),
    "a tab": (b"markers:\n\ta: {name: b}\n", 2, 1, "spaces, not tabs"),
    "quotes left open": (b'markers:\n  a: "b\n', 2, 6, "isn't closed in its line; close it"),
    "not UTF-8": (b"markers:\n  a: {name: caf\xe9}\n", 2, 16, "not UTF-8"),
    "a control character": (b"markers:\n  a: {name: b\x07}\n", 2, 14, "U+0007"),
    "an alias": (b"markers:\n  a: &x {name: b}\n  c: *x\n", 3, 6, "is an alias"),
    "two documents": (b"markers: {}\n---\nmarkers: {}\n", 2, 1, "second document"),
    "a list": (b"- a\n- b\n", 1, 1, "a mapping of sections"),
    "too deep": (b"markers: " + b"[" * 60 + b"]" * 60 + b"\n", 1, 50, "nested more than"),
    "a strange key": (b"markers:\n  ? [a, b]\n  : c\n", 2, 5, "a key must be a text"),
}


@pytest.mark.parametrize("name", BROKEN_FILES)
def test_a_file_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    content, line, column, words = BROKEN_FILES[name]
    findings = check(file_with(tmp_path, content))
    hits = [finding for finding in findings if words in finding.message]
    assert hits, [str(finding) for finding in findings]
    assert (Path(hits[0].path).name, hits[0].line, hits[0].column) == ("more.yaml", line, column)


def test_an_alias_bomb_is_refused_at_once(tmp_path: Path) -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    for previous_anchor, anchor in zip("abcdefgh", "bcdefghi", strict=True):
        bomb += f"{anchor}: &{anchor} [" + ", ".join([f"*{previous_anchor}"] * 9) + "]\n"
    findings = check(file_with(tmp_path, bomb.encode()))
    assert [(f.line, f.column) for f in findings if "alias" in f.message] == [(2, 8)]


def test_nesting_without_end_is_refused(tmp_path: Path) -> None:
    findings = check(file_with(tmp_path, b"a: " + b"[" * 200_000))
    assert any("nested more than" in finding.message for finding in findings)


def test_a_folder_without_a_game(tmp_path: Path) -> None:
    findings = check(tmp_path)
    assert [Path(finding.path).name for finding in findings] == ["game.yaml"]


def test_an_empty_pack_file(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("", encoding="utf-8")
    assert any("`game` is missing" in finding.message for finding in check(tmp_path))

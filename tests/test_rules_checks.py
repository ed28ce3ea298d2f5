"""Rules that don't hold together: what is said, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenarios import check
from tests.packs import break_pack

PRICE = '{text: the ground, rule: "2", cost: price}'
LAST = '{text: an enemy unit watches the hex, rule: "2.1", when: to.watch, stop: true}'


ACT = "  acts:\n    raid: {title: Raid, WHAT}\n\n  zones:"


@pytest.mark.parametrize(
    ("old", "new", "snippet", "message"),
    [
        (PRICE, PRICE.replace("price", "-1"), "-1", "a cost is never below 0, but this is -1"),
        (PRICE, PRICE.replace("price", "village"), "village", "there is no name 'village' here"),
        (PRICE, PRICE.replace("cost: price", "cost: 1, stop: true"), "{", "a record has one effect: cost, add"),
        (PRICE, PRICE.replace("cost: price", "note: none"), "{", "a record has one effect: cost, add"),
        (PRICE, PRICE.replace("price", "to.terrain"), "to.terrain", "gives a text; here belongs a number"),
        (LAST, LAST.replace("to.watch", "to.wach"), "to.wach", "there is no name 'to.wach' here; did you mean 'to.watch'"),
        (LAST, LAST.replace("to.watch", 'type == "camel"'), '"camel"', 'did you mean "camels"?'),
        (LAST, LAST.replace("to.watch", 'mode == "road"'), "mode", "'mode' can't be asked here"),
        (LAST, LAST.replace("to.watch", "taken > 1"), "taken", "'taken' can't be asked here"),
        (LAST, LAST.replace("to.watch", "last"), "last", "'last' can't be asked here"),
        ("  zones:", "  present: to.hill\n\n  zones:", "to.hill", "this list is about no place"),
        ("  zones:", "  control: attack + 1\n\n  zones:", "attack", "gives a number; here belongs a flag"),
        (LAST, LAST.replace("stop: true", "stop: false"), "false", "`stop: false` says nothing"),
        (LAST, "steep", "steep", "there is no list 'steep'"),
        ("has: not reduced", "has: supplied", "supplied", "`zones` is worked out before or with `supply`"),
        ("has: not reduced", "has: to.watch", "to.watch", "`zones` is worked out before or with `zones`"),
        ("has: not reduced", "has: wadi", "wadi", "'wadi' asks for 'over.track': this list is about a place"),
        ("when: not to.village", "when: not from.village", "from.village", "this list is about `to`"),
        ("{places: to.well}", "{places: to.well, units: reduced}", "{places", "a trace begins in `places` or with `units`"),
        ("{places: to.well}", "{places: by.water}", "by.water", "a trace may ask only for those above it"),
        ("from: {places: to.well}", "as: {class: feet}\n        from: {places: to.well}", "", "class is never 'feet'; write one of foot"),
        ("out: dry", "out: dri", "dri", "there is no state 'dri'; did you mean dry?"),
        ("phases: [red_move, blue_move]", "phases: [red_move, green_move]", "green_move", "there is no phase 'green_move'"),
        ('"wadi", "cost"', '"wady", "cost"', "", "the table movement has no row 'wady'"),
        ("that: 'count(stack, fires_far) <= 1'", "that: count(stack, fires_far) <= 1", "count", "it needs quotes around it"),
        ("length: result\n", "length: 1\n      allowance: 1\n", "", "a walk has an `allowance` or a `length`, not both"),
        ("length: result\n", "length: result\n      together: true\n      room: any\n", "", "there is none to share"),
        ("  zones:", ACT.replace("WHAT", "steps: [{text: a hill, when: to.hill, forbid: true}]"), "", "no record gives it a price"),
        ("  zones:", ACT.replace("WHAT", "of: [march], steps: [{text: it, cost: 1}]"), "", "there is no kind of move 'march'"),
        ("  zones:", ACT.replace("WHAT", "steps: [{text: it, when: over.other_wach, cost: 1}]"), "", "over.other_watch"),
        ("  values:\n", "  values:\n    reduced: attack > 1\n", "reduced", "the name 'reduced' means something already"),
        ("  values:\n", "  values:\n    one: two\n    two: one\n", "", "there is no name 'two' here"),
        ("  values:\n", "  lists:\n    a: [b]\n    b: [a]\n  values:\n", "", "stands below, or needs this one in a circle"),
        ("  values:\n", "  python: rout\n  values:\n", "python", "the key 'python' is not known here"),
        ("length: result\n", "length: result\n      toward: {home: {text: home, rule: \"4\"}}\n", "",
         "a goal has `places`, or `aims`"),
        ("length: result\n", "length: result\n      further: 99\n", "99", "write 0 to 9"),
        ("  values:\n", "  like: three_wells\n  values:\n", "three_wells", "there is no sample 'three_wells' with rules"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_at_its_place(old: str, new: str, snippet: str, message: str, tmp_path: Path) -> None:
    pack, line, column = break_pack(tmp_path, "rules.yaml", old, new)
    findings = check(pack)
    assert any(message in finding.message for finding in findings), findings
    finding = next(candidate for candidate in findings if message in candidate.message)
    if snippet:
        begin = new.index(snippet)
        assert (finding.line, finding.column) == (line, column + begin) if "\n" not in new[:begin] else True
    assert finding.path.endswith("rules.yaml")


def test_a_word_of_two_vocabularies_is_refused(tmp_path: Path) -> None:
    pack, *_ = break_pack(tmp_path, "rules.yaml", "when: not to.village", "when: not to.west")
    assert not check(pack)
    text = (pack / "counters.yaml").read_text(encoding="utf-8")
    (pack / "counters.yaml").write_text(
        text.replace("  turn: {name: Turn", "  west: {name: West}\n  turn: {name: Turn"), encoding="utf-8"
    )
    assert "a region and a marker are both called 'west'" in check(pack)[0].message


def test_lists_in_lists_stay_short(tmp_path: Path) -> None:
    nested_lists = "".join(f"    l{n}: [l{n - 1}, l{n - 1}, l{n - 1}, l{n - 1}]\n" for n in range(1, 12))
    first = "    l0: [{text: a, forbid: true}]\n"
    pack, *_ = break_pack(tmp_path, "rules.yaml", "  zones:\n", f"  lists:\n{first}{nested_lists}  zones:\n")
    assert "400 is the most" in check(pack)[0].message


def test_a_bracket_without_quotes_is_told(tmp_path: Path) -> None:
    pack, line, _ = break_pack(tmp_path, "rules.yaml", "when: dug_in, stay", 'when: type in ["gun"], stay')
    (finding,) = check(pack)
    assert (
        finding.line == line
        and finding.message == "this [ stands in a text without quotes; inside { } such a text needs quotes around it"
    )

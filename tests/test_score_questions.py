"""Who was last in a place, what ifs of the score, and ways to win at the end; for any pack."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scenarios import PackError, load
from tests.asking import ask_json

PACK = Path("scenarios/packs/yom_kippur")


@pytest.mark.parametrize(
    ("file", "old_text", "new_text", "words"),
    [
        (
            "rules.yaml",
            "may_cross_east: {title: ",
            "may_cross_east: {what_if: It is paid, title: ",
            "only a number has a what-if",
        ),
        (
            "scenarios/4.1.yaml",
            "{side: israeli, points: 1, event: supplied,",
            "{side: israeli, points: 1, at_end: true, event: supplied,",
            "`at_end` goes with `wins: true`",
        ),
    ],
)
def test_misuse_is_found(tmp_path: Path, file: str, old_text: str, new_text: str, words: str) -> None:
    copy = Path(shutil.copytree(PACK, tmp_path / "yom_kippur", ignore=shutil.ignore_patterns("module.lock.json")))
    text = (copy / file).read_text(encoding="utf-8")
    assert text.count(old_text) == 1
    (copy / file).write_text(text.replace(old_text, new_text), encoding="utf-8")
    with pytest.raises(PackError) as error_info:
        load(copy)
    assert words in str(error_info.value)


def test_who_was_last_in_an_empty_hex_has_it() -> None:
    usual, taken = (
        ask_json("ask", "yom_kippur", "score", "scenario=4.6", *words) for words in ((), ("control=5.19:israeli",))
    )
    assert int(taken["totals"]["israeli"]) == int(usual["totals"]["israeli"]) + 1
    assert int(taken["totals"]["egyptian"]) == int(usual["totals"]["egyptian"]) - 1


def test_a_what_if_is_the_score_with_that_input() -> None:
    levels = {row["change"]: row["level"] for row in ask_json("ask", "yom_kippur", "score", "scenario=4.6")["what_if"]}
    for change, words in (
        ("Israel ignores a cease-fire now", ("ignored_israeli=1",)),
        ("Egypt ignores a cease-fire now", ("ignored_egyptian=1",)),
        ("all of these", ("ignored_israeli=1", "ignored_egyptian=1")),
    ):
        assert levels[change] == ask_json("ask", "yom_kippur", "score", "scenario=4.6", *words)["level"]


def test_a_way_to_win_at_the_end_decides_in_the_last_turn() -> None:
    early, last = (ask_json("ask", "yom_kippur", "score", "scenario=4.5", f"turn={turn}") for turn in (2, 3))
    assert not early["won"] and [row["side"] for row in last["won"]] == ["egyptian"]
    assert early["level"] == last["level"] == "Egyptian victory"

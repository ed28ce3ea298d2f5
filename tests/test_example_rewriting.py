"""The script that brings the examples of documents up to date leaves out what they left out before."""

from __future__ import annotations

import pytest

from tests.examples import updated_lines


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        ("Way: A B\n  B  1", "Path: A B\n  B  1", "Path: A B\n  B  1"),
        ("Attack 3\n...\nColumn: 2-1", "Attack 3\nnew\nold\nColumn: 3-1", "Attack 3\n...\nColumn: 3-1"),
        ("...\n  it stays (16.5)", "Assumed: turn 1\n  it stays: DR is D (16.5)\nUses", "...\n  it stays: DR is D (16.5)\nUses"),
        ("one line\n...", "one line!\nand\nmore", "one line!\n..."),
        ("Error: there is no folder", "Points: 6\nPath: A", "Points: 6\nPath: A"),
    ],
)  # fmt: skip
def test_lines_that_were_left_out_stay_out(shown: str, printed: str, expected: str) -> None:
    assert updated_lines(shown.splitlines(), printed.splitlines()) == expected.splitlines()

"""Examples in documents: compared whole with what the commands print, where "..." stands for lines left out.

`python -m tests.examples --rewrite docs/cookbook.md` runs the examples of a document and writes what the commands print now.
"""

from __future__ import annotations

import argparse
import difflib
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent

import pytest
from click.testing import Result

from assistant.cli import cli as assistant
from modgen.cli import cli as modgen
from tests.asking import run_command

ROOT = Path(__file__).parent.parent
COMMAND = re.compile(r"^\$ (modgen|assistant) (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
OMITTED = "..."
MARGINS = ("", "   ")
"""How far examples are indented: those in a list stand below its text."""
SIMILAR = 0.5
"""How alike two lines are, at least, where one takes the place of the other."""
TESTS = {
    "README.md": "test_readme.py",
    "docs/install.md": "test_readme.py",
    "docs/assistant.md": "test_assistant_cli.py",
    "docs/cookbook.md": "test_cookbook.py",
    "docs/publishing.md": "test_publishing.py",
    "docs/rules.md": "test_operational_docs.py",
    "docs/assistant-yom-kippur.md": "test_operational_docs.py",
    "docs/assistant-six-day-war.md": "test_operational_docs.py",
    "docs/assistant-october-war.md": "test_war_docs.py",
    "docs/assistant-musketeer.md": "test_war_docs.py",
    "docs/tutorial": "test_tutorial.py",
}
"""The tests that run the examples of each document."""


class Rewriting:
    """Whether outdated examples are collected instead of failing, and those collected: what is shown, and what to show instead."""

    is_on = False
    changes: list[tuple[str, str]] = []  # noqa: RUF012


def commands_of(session: str) -> list[tuple[str, list[str], str]]:
    """The commands of a session, each with its program, its words and what is shown of its output."""
    commands = [(program, shlex.split(line), output) for program, line, output in COMMAND.findall(session)]
    assert commands and len(commands) == session.count("$ "), f"not every line is a command:\n{session}"
    return commands


def run(program: str, words: list[str]) -> Result:
    """What a command answers."""
    return run_command(modgen if program == "modgen" else assistant, *words)


def assert_session(session: str) -> None:
    """Run the commands of a session and compare what they print."""
    for program, words, output in commands_of(session):
        assert_shown(output, run(program, words))


def assert_shown(output: str, result: Result) -> None:
    """That an example shows what was printed, line by line and nothing else, but for empty lines; "..." stands for any lines.

    A command that only complains ends with 2, a check that finds something with 1, any other with 0. One of which the document shows
    nothing is only run.
    """
    expected_lines = [line.rstrip() for line in output.splitlines() if line.strip()]
    lines = [line.rstrip() for line in result.output.splitlines() if line.strip()]
    parts = [r"(?:[^\n]*\n)*?" if line.strip() == OMITTED else re.escape(line) + r"\n" for line in expected_lines]
    text = "".join(line + "\n" for line in lines)
    is_shown = not expected_lines or re.fullmatch("".join(parts), text)
    if expected_lines and Rewriting.is_on:
        if (new_lines := updated_lines(expected_lines, lines)) != expected_lines:
            Rewriting.changes.append((output, "".join(line + "\n" for line in new_lines)))
        return
    assert is_shown, f"the document shows\n{output}\nbut the command prints\n{result.output}"
    assert result.exit_code == (2 if lines[-1].startswith("Error:") else 1 if lines[-1].endswith(" to fix") else 0), (
        result.output
    )


def updated_lines(expected_lines: Sequence[str], lines: Sequence[str]) -> list[str]:
    """The lines that are printed now, with those left out that the example left out before."""
    kept = [line for line in expected_lines if line.strip() != OMITTED]
    omitted_before = {
        sum(1 for line in expected_lines[:i] if line.strip() != OMITTED): line
        for i, line in enumerate(expected_lines)
        if line.strip() == OMITTED
    }
    result, number, last = list[str](), 0, -1
    for old, new in [*_pairs(kept, lines), (len(kept), len(lines))]:
        # Lines between two that are shown: left out if the example left out lines there, shown otherwise.
        dots = [text for place, text in omitted_before.items() if number <= place <= old]
        result += dots[: new - last - 1][:1] if dots else lines[last + 1 : new]
        result += lines[new : new + 1]
        number, last = old + 1, new
    return result


def _pairs(old_lines: Sequence[str], new_lines: Sequence[str]) -> list[tuple[int, int]]:
    """Which printed line takes the place of which shown one, in order, so that they are as alike as can be."""
    best: dict[tuple[int, int], tuple[float, list[tuple[int, int]]]] = {}
    for i in range(len(old_lines), -1, -1):
        for j in range(len(new_lines), -1, -1):
            if i == len(old_lines) or j == len(new_lines):
                best[i, j] = (0, [])
                continue
            choices = [best[i + 1, j], best[i, j + 1]]
            if (likeness := _likeness(old_lines[i], new_lines[j])) >= SIMILAR:
                score, pairs = best[i + 1, j + 1]
                choices.insert(0, (score + likeness, [(i, j), *pairs]))
            best[i, j] = max(choices, key=lambda choice: choice[0])
    return best[0, 0][1]


def _likeness(old: str, new: str) -> float:
    return 2.0 if old == new else difflib.SequenceMatcher(None, old, new, autojunk=False).ratio()


def rewrite(document: str) -> str:
    """Rewrite the examples of a document that no longer hold; what was done, in a sentence."""
    Rewriting.is_on, Rewriting.changes = True, []
    options = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--no-header", "--tb=short"]
    pytest.main([*options, str(ROOT / "tests" / TESTS[document])])
    Rewriting.is_on, changes = False, Rewriting.changes
    path = ROOT / document
    for page in sorted(path.glob("*.md")) if path.is_dir() else [path]:
        text = page.read_text("utf-8")
        for shown, printed in changes:
            for margin in MARGINS:
                text = text.replace(f"\n{indent(shown, margin)}", f"\n{indent(printed, margin)}")
        page.write_text(text, "utf-8")
    contradictions = {shown for shown, _ in changes if len({new for old, new in changes if old == shown}) > 1}
    by_hand = f"; the same text stands under several commands, look at it: {contradictions}" if contradictions else ""
    return f"{document}: {len(changes)} examples rewritten{by_hand}"


def main() -> None:
    """Rewrite documents."""
    parser = argparse.ArgumentParser(description="Write what the examples of documents print now.")
    parser.add_argument("--rewrite", nargs="+", choices=sorted(TESTS), required=True, metavar="DOCUMENT")
    for document in parser.parse_args().rewrite:
        sys.stderr.write(f"{rewrite(document)}\n")


if __name__ == "__main__":
    from tests import examples

    examples.main()

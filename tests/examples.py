"""Examples in documents: compared whole with what the commands print, where "..." stands for lines left out."""

from __future__ import annotations

import re
import shlex

from click.testing import Result

from assistant.cli import cli as assistant
from modgen.cli import cli as modgen
from tests.asking import run_command

COMMAND = re.compile(r"^\$ (modgen|assistant) (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


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
    parts = [r"(?:[^\n]*\n)*?" if line.strip() == "..." else re.escape(line) + r"\n" for line in expected_lines]
    text = "".join(line + "\n" for line in lines)
    assert not expected_lines or re.fullmatch("".join(parts), text), (
        f"the document shows\n{output}\nbut the command prints\n{result.output}"
    )
    assert result.exit_code == (2 if lines[-1].startswith("Error:") else 1 if lines[-1].endswith(" to fix") else 0), (
        result.output
    )

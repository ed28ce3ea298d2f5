"""Examples in documents: compared whole with what the commands print, where "..." stands for lines left out."""

from __future__ import annotations

import re

from click.testing import Result


def assert_shown(shown: str, result: Result) -> None:
    """That an example shows what was printed, line by line and nothing else, but for empty lines; "..." stands for any lines.

    A command that only complains ends with 2, a check that finds something with 1, any other with 0. One of which the document shows
    nothing is only run.
    """
    wanted = [line.rstrip() for line in shown.splitlines() if line.strip()]
    lines = [line.rstrip() for line in result.output.splitlines() if line.strip()]
    parts = [r"(?:[^\n]*\n)*?" if line.strip() == "..." else re.escape(line) + r"\n" for line in wanted]
    whole = "".join(line + "\n" for line in lines)
    assert not wanted or re.fullmatch("".join(parts), whole), f"the document shows\n{shown}\nbut the command prints\n{result.output}"
    assert result.exit_code == (2 if lines[-1].startswith("Error:") else 1 if lines[-1].endswith(" to fix") else 0), result.output

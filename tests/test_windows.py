"""What docs/windows.md says and can be tested on any system."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("scenarios", "art", "modgen", "assistant", "docs", "tests", "benchmarks")
KEPT_BY_WINDOWS = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def files() -> list[Path]:
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    return [path.relative_to(ROOT) for path in paths if "__pycache__" not in path.parts]


def test_every_name_can_be_checked_out() -> None:
    names = [path.as_posix() for path in files()]
    assert len({name.lower() for name in names}) == len(names) > 500
    for name in names:
        for part in name.split("/"):
            assert not KEPT_BY_WINDOWS.fullmatch(part) and not re.search(r'[<>:"\\|?*]|[ .]$', part), name
    assert max(map(len, names)) < 150


def test_nothing_is_only_there_on_unix() -> None:
    """No module that Windows lacks is imported by what is installed, and nobody forks."""
    for path in files():
        if path.suffix != ".py" or path.parts[0] not in FOLDERS[:4]:
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {"fcntl", "pwd", "grp", "resource", "termios"} & set(names), path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                assert node.func.attr not in ("fork", "forkpty", "mkfifo"), path
                if node.func.attr == "get_context":
                    assert [arg.value for arg in node.args if isinstance(arg, ast.Constant)] == ["spawn"], path

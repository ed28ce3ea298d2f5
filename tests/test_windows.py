"""Tests the parts of docs/windows.md that any system can test."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
FOLDERS = ("scenarios", "art", "modgen", "assistant", "docs", "tests", "benchmarks")
ENDS = (".md", ".in", ".toml")
UNIX = re.compile(r"\b(fcntl|pwd|grp|resource|termios|fork|forkpty|mkfifo|get_context)\b")
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


def test_nothing_lies_about_at_the_root() -> None:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    file_list = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout
    roots = {name for name in file_list.splitlines() if "/" not in name and not name.endswith(ENDS)}
    assert roots == {
        ".editorconfig",
        ".git-blame-ignore-revs",
        ".gitattributes",
        ".gitignore",
        ".pre-commit-config.yaml",
        "LICENSE",
        "Makefile",
    }


def test_nothing_is_only_there_on_unix() -> None:
    """No module that Windows lacks is imported by what is installed, unless its counterpart there is too, and nobody forks."""
    for path in files():
        if path.suffix != ".py" or path.parts[0] not in FOLDERS[:4]:
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        if not UNIX.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            allowed = ({"fcntl"} if "import msvcrt" in text else set()) | (
                {"resource"} if "except ImportError" in text else set()
            )
            assert not ({"fcntl", "pwd", "grp", "resource", "termios"} - allowed) & set(names), path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                assert node.func.attr not in ("fork", "forkpty", "mkfifo"), path
                if node.func.attr == "get_context":
                    assert [arg.value for arg in node.args if isinstance(arg, ast.Constant)] == ["spawn"], path


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem)
def test_workflows_call_what_people_call_and_pin_what_they_use(path: Path) -> None:
    """Steps from elsewhere are pinned to a commit. Our own steps are Makefile commands, written out where there is no make."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = [line.replace("$(BIN)/", "").strip() for line in makefile.splitlines() if line.startswith("\t")]
    other_commands = (
        'python -m pip install --editable ".[dev]"',
        "cd dist/release && sha256sum --check SHA256SUMS",
        "gh release create",
    )
    for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values():
        for step in job["steps"]:
            if "uses" in step:
                assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"])
            else:
                assert (
                    step["run"] in recipes
                    or step["run"].startswith(other_commands)
                    or re.match(r"make (kit|test|release)\b", step["run"])
                )

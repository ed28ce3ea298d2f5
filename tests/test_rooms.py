"""Four rooms, one way through: which room may import which."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_USE = {
    "scenarios": {"scenarios"},
    "art": {"art", "scenarios"},
    "modgen": {"modgen", "art", "assistant", "scenarios"},
    "assistant": {"assistant", "art", "scenarios"},
}
RENDERERS = {"typst", "resvg_py", "PIL", "lxml", "pypdfium2", "cairosvg", "skia"}
FILES = sorted(path for room in MAY_USE for path in (ROOT / room).rglob("*.py"))


def imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: import by full name"
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_room_uses_only_the_rooms_above_it(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0]
    tops = {name.partition(".")[0] for name in imports(path)}
    assert tops & set(MAY_USE) <= MAY_USE[room]
    assert not tops & {"tests", "benchmarks"}
    if room in ("scenarios", "assistant"):
        assert not tops & RENDERERS, "no renderer here"


def test_the_saves_reader_uses_the_standard_library_only() -> None:
    for path in (ROOT / "scenarios" / "vassal").rglob("*.py"):
        assert not {name.partition(".")[0] for name in imports(path)} & {"yaml", "click"}


def test_nothing_opens_a_text_file_in_a_guessed_encoding() -> None:
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                if name in ("read_text", "write_text") and isinstance(node.func, ast.Attribute):
                    assert any(k.arg == "encoding" for k in node.keywords), f"{path}:{node.lineno}"


def test_every_package_says_what_is_in_it() -> None:
    for path in FILES:
        if path.name == "__init__.py":
            docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            assert len(docstring) > 100, f"{path} needs a paragraph that says what is in the package"

"""Four rooms, one way through: which room may import which, and no module imports itself by way of others."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
MAY_USE = {
    "scenarios": {"scenarios"},
    "art": {"art", "scenarios"},
    "modgen": {"modgen", "art", "assistant", "scenarios"},
    "assistant": {"assistant", "art", "scenarios"},
}
RENDERERS = {"typst", "resvg_py", "PIL", "lxml", "pypdfium2", "cairosvg", "skia"}
FILES = sorted(path for room in MAY_USE for path in (ROOT / room).rglob("*.py"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: import by full name"
            names.add(node.module or "")
    return names


def test_a_room_uses_only_the_rooms_above_it() -> None:
    wrong = []
    for path in FILES:
        room = path.relative_to(ROOT).parts[0]
        forbidden = ({*MAY_USE} - MAY_USE[room]) | {"tests", "benchmarks"}
        if room in ("scenarios", "assistant"):
            forbidden |= RENDERERS
        used = {name.partition(".")[0] for name in imports(path)} & forbidden
        wrong += [f"{path.relative_to(ROOT)} imports {name}, which {room}/ may not use" for name in sorted(used)]
    assert not wrong, "\n".join(wrong)


def module_graph() -> dict[str, set[str]]:
    """The modules that each module imports, in functions and for type checks too."""
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in FILES}
    graph: dict[str, set[str]] = {name: set() for name in names.values()}
    for path, importer in names.items():
        for node in nodes_of(path):
            targets: list[str] = []
            if isinstance(node, ast.Import):
                targets = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                submodules = [f"{node.module}.{alias.name}" for alias in node.names]
                targets = [name if name in graph else node.module or "" for name in submodules]
            graph[importer].update(name for name in targets if name in graph and name != importer)
    return graph


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    """The modules that a module imports, by way of others too."""
    found: set[str] = set()
    queue = [start]
    while queue:
        for name in graph[queue.pop()] - found:
            found.add(name)
            queue.append(name)
    return found


def import_chain(graph: dict[str, set[str]], start: str) -> list[str]:
    """The shortest way from a module back to itself."""
    chains = [[start]]
    seen: set[str] = set()
    for chain in chains:
        for name in sorted(graph[chain[-1]]):
            if name == start:
                return [*chain, start]
            if name not in seen:
                seen.add(name)
                chains.append([*chain, name])
    return []


def test_no_import_cycles() -> None:
    """Moving code breaks a cycle, an import inside a function doesn't."""
    graph = module_graph()
    chains = [" -> ".join(import_chain(graph, name)) for name in sorted(graph) if name in reachable(graph, name)]
    assert not chains, (
        "modules import themselves by way of others; move what they share into a module below:\n" + "\n".join(chains)
    )


def test_the_saves_reader_uses_the_standard_library_only() -> None:
    for path in (ROOT / "scenarios" / "vassal").rglob("*.py"):
        assert not {name.partition(".")[0] for name in imports(path)} & {"yaml", "click"}


def test_nothing_opens_a_text_file_in_a_guessed_encoding() -> None:
    for path in FILES:
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                if name in ("read_text", "write_text") and isinstance(node.func, ast.Attribute):
                    assert any(k.arg == "encoding" for k in node.keywords), f"{path}:{node.lineno}"


def test_every_package_says_what_is_in_it() -> None:
    for path in FILES:
        if path.name == "__init__.py":
            docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            assert len(docstring) > 100, f"{path} needs a paragraph that says what is in the package"

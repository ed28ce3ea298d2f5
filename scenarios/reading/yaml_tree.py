"""Read YAML as a tree of nodes from the parser's events. Every scalar stays text. The pack cache doesn't use this."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from scenarios.files import LONGEST
from scenarios.reading.findings import Finding
from scenarios.reading.nodes import LONG, Node, brief
from scenarios.reading.typos import behind_an_error, find_slips

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# YAML itself allows none of these. They can only come from an escape in double quotes.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
DEEPEST = 40


class _Broken(Exception):
    def __init__(self, finding: Finding) -> None:
        self.finding = finding


def read_nodes(path: Path, longest: int = LONGEST) -> tuple[Node | None, list[Finding]]:
    """Read the tree of one file, with everything that is wrong. None if it can't be read, or has more than `longest` bytes."""
    name = str(path)
    try:
        with path.open("rb") as file:
            raw = file.read(longest + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file has such a name"
        return None, [Finding(name, 1, 1, f"this file can't be read ({reason}); check its name and rights")]
    return parse_nodes(raw, name, longest)


def parse_nodes(raw: bytes, name: str, longest: int = LONGEST) -> tuple[Node | None, list[Finding]]:
    """Read the tree from the bytes of a file."""
    if len(raw) > longest:
        return None, [Finding(name, 1, 1, f"this file has more than {longest:,} bytes; split it, or name another")]
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        readable_bytes = raw[: error.start]
        line = readable_bytes.count(b"\n") + 1
        column = len(readable_bytes[readable_bytes.rfind(b"\n") + 1 :].decode("utf-8", errors="replace")) + 1
        byte = f"0x{raw[error.start]:02x}"
        return None, [Finding(name, line, column, f"byte {byte} is not UTF-8; save the file with UTF-8 encoding")]
    composer = _Composer(text, name)
    try:
        root = composer.compose()
    except _Broken as syntax_error:
        return None, [*composer.findings, syntax_error.finding]
    except yaml.MarkedYAMLError as error:
        finding = _yaml_finding(error, name, text)
        slip = behind_an_error(text, finding.line)
        return None, [*composer.findings, finding if slip is None else Finding(name, *slip)]
    except yaml.YAMLError as error:
        offset = int(getattr(error, "position", 0) or 0)
        text_before = text[:offset]
        line, column = text_before.count("\n") + 1, offset - text_before.rfind("\n")
        bad: Any = getattr(error, "character", None)
        subject = f"the character U+{bad:04X}" if isinstance(bad, int) else "a control character"
        return None, [Finding(name, line, column, f"{subject} is not allowed in YAML; delete it")]
    slips = [Finding(name, *slip) for slip in find_slips(text)]
    return (None, slips) if any("quote" in slip.message for slip in slips) else (root, [*composer.findings, *slips])


def _yaml_finding(error: yaml.MarkedYAMLError, name: str, text: str) -> Finding:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    problem = (error.problem or "this is not YAML").strip()
    lines = text.splitlines()
    error_line = lines[line - 1] if 0 < line <= len(lines) else ""
    if (
        "\t" in error_line[: len(error_line) - len(error_line.lstrip())]
        or "'\\t'" in problem
        or "tab" in problem.casefold()
    ):
        fix = "indent with spaces, not tabs"
    elif "mapping values are not allowed" in problem:
        fix = "a text with a colon in it needs quotes around it"
    elif "block sequence entries are not allowed" in problem:
        fix = "a text that begins with a dash needs quotes around it"
    elif "could not find expected ':'" in problem or "expected <block end>" in problem:
        fix = "check the indentation of this line and the one before it"
    elif "quoted scalar" in problem or "quoted scalar" in (error.context or ""):
        fix = "close the quotes"
    elif "',' or '}'" in problem and (sign := error_line[column - 1 : column]) in ("[", "{", '"', "'"):
        return Finding(
            name,
            line,
            column,
            f"this {sign} stands in a text without quotes; inside {{ }} such a text needs quotes around it",
        )
    elif "',' or" in problem:
        fix = "close the bracket, or put a comma between the items"
    else:
        fix = "check indentation, quotes and brackets here"
    return Finding(name, line, column, f"this is not valid YAML: {problem}; {fix}")


class _Composer:
    """Builds nodes from the parser's events in one pass, with limited depth, no aliases and no duplicate keys."""

    def __init__(self, text: str, name: str) -> None:
        self.loader = _Loader(text)
        self.text = text
        self.lines: list[str] | None = None
        self.name = name
        self.findings: list[Finding] = []

    def compose(self) -> Node:
        try:
            return self._document()
        finally:
            self.loader.dispose()

    def _indent(self, line: int) -> int:
        if self.lines is None:
            self.lines = self.text.splitlines()
        for number in range(line, len(self.lines)):
            next_line = self.lines[number]
            if next_line.strip():
                return len(next_line) - len(next_line.lstrip(" "))
        return 0

    def _document(self) -> Node:
        get, check = self.loader.get_event, self.loader.check_event
        get()  # stream start
        if check(yaml.StreamEndEvent):
            return Node(self.name, 1, 1, text="")
        get()  # document start
        root = self._node(get(), 0)
        get()  # document end
        if not check(yaml.StreamEndEvent):
            mark = get().start_mark
            raise _Broken(
                Finding(self.name, mark.line + 1, mark.column + 1, "a second document starts here; remove the '---'")
            )
        return root

    def _node(self, event: Any, depth: int) -> Node:
        mark = event.start_mark
        line, column = mark.line + 1, mark.column + 1
        kind = type(event)
        if kind is yaml.ScalarEvent:
            node = Node(self.name, line, column, text=event.value, style=event.style or None)
            if event.style == "|":
                node.indent = self._indent(line)
            elif event.style == '"' and (bad := _UNPRINTABLE.search(event.value)):
                problem = f"the character U+{ord(bad[0]):04X} can't be printed"
                self.findings.append(node.find(f"{problem}; delete its escape from this text"))
                node.text = _UNPRINTABLE.sub("?", event.value)
            return node
        if kind is yaml.AliasEvent:
            message = f"'*{event.anchor}' is an alias, and packs have none; write the value out"
            raise _Broken(Finding(self.name, line, column, message))
        if depth > DEEPEST:
            raise _Broken(Finding(self.name, line, column, f"this is nested more than {DEEPEST} deep; flatten it"))
        get = self.loader.get_event
        if kind is yaml.SequenceStartEvent:
            items = []
            while type(event := get()) is not yaml.SequenceEndEvent:
                items.append(self._node(event, depth + 1))
            return Node(self.name, line, column, items=items)
        entries: dict[str, tuple[Node, Node]] = {}
        while type(event := get()) is not yaml.MappingEndEvent:
            key = self._node(event, depth + 1)
            value = self._node(get(), depth + 1)
            if key.text is None:
                self.findings.append(key.find(f"a key must be a text, not {key.kind}; quote it or name it"))
                continue
            key.text = key.text.strip()
            if len(key.text) > LONG:
                self.findings.append(key.find(f"the key {brief(key.text)} is longer than {LONG} letters; shorten it"))
            elif key.text in entries:
                first = entries[key.text][0]
                self.findings.append(
                    key.find(f"the key {key.text!r} stands here twice (first on line {first.line}); remove one")
                )
            else:
                entries[key.text] = (key, value)
        return Node(self.name, line, column, entries=entries)

"""A pack's own rulebook, RULES.md: Markdown with references to the pack, so that no number is typed twice.

`{{table crt}}` is a table, `{{counter tank}}` a counter's picture, `{{number limits.stack}}` a value and `{{name tank}}` a name. A
reference to something that doesn't exist is a finding with its line and column.
"""

from __future__ import annotations

import dataclasses
import errno
import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from scenarios.files import OUTSIDE, leads_out, read
from scenarios.pack.pack_folder import RULEBOOKS
from scenarios.reading.findings import Finding, suggest
from scenarios.reading.shapes import Record, place
from scenarios.sections import SectionNumber, cited_sections, section_number
from scenarios.unit_view import view_face

if TYPE_CHECKING:
    from scenarios.model.game import Game

LONGEST = 1_000_000
HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
ITEM = re.compile(r"(\s*)([-*+]|\d{1,3}[.)])\s+(.*)$")
RULER = re.compile(r"\s*([-*_])(\s*\1){2,}\s*$")
ROW = re.compile(r"\s*\|(.*)\|\s*$")
DIVIDER = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$")
INLINE = re.compile(
    r"\\(?P<plain>[\\`*_{}\[\]()#+.!|<>-])|(?P<ref>\{\{.*?\}\})|(?P<open>\{\{)|`(?P<code>[^`]+)`|"
    r"\[(?P<link>[^\]]*)\]\((?P<to>[^)\s]*)\)|(?P<mark>\*\*|__|\*|_)"
)
FRACTIONS = {"1/2": "½", "1/4": "¼", "3/4": "¾", "1/3": "⅓", "2/3": "⅔"}


class Reference(NamedTuple):
    """The text between double braces, with its place."""

    text: str
    line: int
    column: int


class TextSpan(NamedTuple):
    """A piece of text in one style, or a reference."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    reference: Reference | None = None


@dataclass
class Block:
    """A heading, paragraph, list item, quotation, table, code block or horizontal rule.

    `level` is the level of a heading or the depth of a list item. `mark` is the full number of an item, or empty.
    """

    kind: str
    level: int = 0
    mark: str = ""
    lines: tuple[tuple[int, int, str], ...] = ()
    """The text line by line, each with its line and column in the file."""
    rows: tuple[tuple[tuple[TextSpan, ...], ...], ...] = ()

    @property
    def spans(self) -> tuple[TextSpan, ...]:
        """The text in pieces. Code is one unchanged piece."""
        return tuple(_spans(self.lines)) if self.kind != "code" else ()

    @property
    def only_reference(self) -> Reference | None:
        """The reference, if the block consists of one reference only."""
        spans = [span for span in self.spans if span.text.strip() or span.reference]
        return spans[0].reference if self.kind == "paragraph" and len(spans) == 1 else None


class ReferenceTarget(NamedTuple):
    """The target of a reference: a text, or a table or piece to draw."""

    text: str
    table: str = ""
    piece: str = ""
    side: str = "front"


def rules_file(folder: Path) -> Path | None:
    """The rulebook of a pack, if it has one."""
    return next((folder / name for name in RULEBOOKS if (folder / name).is_file()), None)


def read_rulebook(path: Path) -> tuple[list[Block], list[Finding]]:
    """Read a rulebook as blocks, with everything that is wrong with the file."""
    if leads_out(path.parent, path):
        return [], [Finding(str(path), 1, 1, f"this {OUTSIDE}")]
    try:
        raw = read(path, LONGEST)
    except OSError as error:
        if error.errno == errno.EFBIG:
            return [], [Finding(str(path), 1, 1, f"a rulebook has at most {LONGEST:,} bytes; shorten it")]
        return [], [Finding(str(path), 1, 1, f"this file can't be read ({error.strerror}); check its rights")]
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        return [], [
            Finding(
                str(path), line, 1, f"byte 0x{raw[error.start]:02x} is not UTF-8; save the file with UTF-8 encoding"
            )
        ]
    return list(blocks_of(text)), []


def check_rulebook(game: Game, folder: Path) -> list[Finding]:
    """Everything that is wrong with a pack's rulebook."""
    path = rules_file(folder)
    if path is None:
        return []
    blocks, findings = read_rulebook(path)
    for reference in references(blocks):
        try:
            resolve(game, reference.text)
        except ValueError as error:
            findings.append(Finding(str(path), reference.line, reference.column, str(error)))
    return findings


def missing_sections(game: Game) -> list[Finding]:
    """A finding for every record that cites a missing section. A pack with such records is still playable."""
    path = rules_file(game.folder)
    return sorted(set(_missing_sections(game, path, read_rulebook(path)[0]))) if path is not None else []


def _missing_sections(game: Game, path: Path, blocks: list[Block]) -> Iterator[Finding]:
    """Every record that cites a section that the rulebook doesn't have. Only rulebooks with numbered sections are checked."""
    section_numbers = {section.parts for section in _numbered_sections(blocks)}
    if not section_numbers:
        return
    for record in _ruled_records(game):
        for section in cited_sections(record.rule):
            if not section.parts[0].isdecimal() or _has_section(section_numbers, section.parts):
                continue
            nearest = sorted(".".join(parts) for parts in section_numbers if parts[0] == section.parts[0]) or sorted(
                ".".join(parts) for parts in section_numbers
            )
            yield place(record, "rule").find(
                f"{path.name} has no section {section.text}; {suggest(section.text, nearest)}, or add the section"
            )


def _has_section(section_numbers: Set[tuple[str, ...]], parts: tuple[str, ...]) -> bool:
    """Whether the rulebook has this section, one below it, or the section of which it is a lettered paragraph."""
    return any(section_number[: len(parts)] == parts for section_number in section_numbers) or (
        parts[-1].isalpha() and parts[:-1] in section_numbers
    )


def _numbered_sections(blocks: list[Block]) -> Iterator[SectionNumber]:
    """The numbers of headings and items. Items below a numbered heading also continue its number."""
    heading: SectionNumber | None = None
    for block in blocks:
        if block.kind in ("heading", "paragraph"):
            first = re.match(r"[*_]*(\d+(?:\.\d+)*[a-z]?)\b", "".join(text for _, _, text in block.lines))
            section = section_number(first[1]) if first is not None else None
            heading = section if block.kind == "heading" else heading
            if section is not None and (block.kind == "heading" or len(section.parts) > 1):
                yield section
        elif block.kind == "item" and (section := section_number(block.mark)) is not None:
            yield section
            if heading is not None:
                yield section._replace(parts=(*heading.parts, *section.parts))


def _ruled_records(game: Game) -> Iterator[Any]:
    """Every record of a pack that cites a rule."""
    waiting: list[Any] = [
        *(game.rules, game.attacks, game.states, game.terrain, game.hexsides, game.paths, game.routes, game.classes),
        *(
            game.types,
            game.abilities,
            game.effects,
            game.markers,
            game.tables,
            game.sequence,
            game.rulings,
            game.scenarios,
        ),
    ]
    record_ids: set[int] = set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            waiting += part.values()
        elif isinstance(part, tuple):
            waiting += part
        elif isinstance(part, Record) and part.node is not None and id(part) not in record_ids:
            record_ids.add(id(part))
            if getattr(part, "rule", ""):
                yield part
            waiting += [getattr(part, field.name) for field in dataclasses.fields(part) if field.name != "node"]


def references(blocks: list[Block]) -> Iterator[Reference]:
    """Every reference of a rulebook."""
    for block in blocks:
        spans = [span for row in block.rows for cell in row for span in cell] if block.rows else block.spans
        yield from (span.reference for span in spans if span.reference is not None)


# --- Markdown ---------------------------------------------------------------------------------------------------------


def blocks_of(text: str) -> Iterator[Block]:
    """The blocks of a text in order. An item or paragraph continues until a blank line or the next block."""
    lines = [line.expandtabs(4).rstrip() for line in text.splitlines()]
    open_: Block | None = None
    depths: list[tuple[int, str]] = []
    index = 0
    while index < len(lines):
        line, number = lines[index], index + 1
        block: Block | None = None
        if not line.strip():
            if open_ is not None:
                yield open_
            open_ = None
        elif line.lstrip().startswith("```"):
            end = next((n for n in range(index + 1, len(lines)) if lines[n].lstrip().startswith("```")), len(lines))
            block = Block("code", lines=tuple((n + 1, 1, lines[n]) for n in range(index + 1, end)))
            index = end
        elif match := HEADING.fullmatch(line):
            block = Block("heading", len(match[1]), lines=((number, match.start(2) + 1, match[2]),))
            depths = []
        elif RULER.fullmatch(line):
            block = Block("ruler")
        elif ROW.fullmatch(line) and index + 1 < len(lines) and DIVIDER.fullmatch(lines[index + 1]):
            end = next((n for n in range(index + 2, len(lines)) if not ROW.fullmatch(lines[n])), len(lines))
            rows = [_cells(lines[n], n + 1) for n in (index, *range(index + 2, end))]
            block = Block("table", rows=tuple(rows))
            index = end - 1
        elif match := ITEM.fullmatch(line):
            block = _item(match, number, depths)
        elif line.startswith(">"):
            body = line[1:].lstrip()
            block = Block("quote", lines=((number, len(line) - len(body) + 1, body),))
            if open_ is not None and open_.kind == "quote":
                open_.lines += block.lines
                block = None
        else:
            indent = len(line) - len(line.lstrip())
            if open_ is None:
                depths = [outer_level for outer_level in depths if outer_level[0] < indent]
                block = Block("paragraph", len(depths), lines=((number, indent + 1, line.lstrip()),))
            else:
                open_.lines += ((number, indent + 1, line.lstrip()),)
        if block is not None:
            if open_ is not None:
                yield open_
            open_ = block if block.kind in ("paragraph", "item", "quote") else None
            if open_ is None:
                yield block
        index += 1
    if open_ is not None:
        yield open_


def _item(match: re.Match[str], number: int, depths: list[tuple[int, str]]) -> Block:
    """A list item. The number of a nested item begins with that of the item around it."""
    indent = len(match[1])
    while depths and depths[-1][0] >= indent:
        depths.pop()
    own_number = match[2].rstrip(".)") if match[2][0].isdecimal() else ""
    parent_number = depths[-1][1] if depths else ""
    depths.append((indent, f"{parent_number}.{own_number}".strip(".") if own_number else ""))
    return Block("item", len(depths), depths[-1][1], ((number, match.start(3) + 1, match[3]),))


def _cells(line: str, number: int) -> tuple[tuple[TextSpan, ...], ...]:
    """The cells of a row of a Markdown table."""
    match = ROW.fullmatch(line)
    assert match is not None
    cells, start = [], match.start(1)
    for part in match[1].split("|"):
        inner = part.strip()
        cells.append(tuple(_spans(((number, start + len(part) - len(part.lstrip()) + 1, inner),))))
        start += len(part) + 1
    return tuple(cells)


def _spans(lines: tuple[tuple[int, int, str], ...]) -> Iterator[TextSpan]:
    """Split a text into pieces of one style. Consecutive lines count as one text."""
    starts, text = [], ""
    for line, column, words in lines:
        text += " " if text else ""
        starts.append((len(text), line, column))
        text += words

    def line_and_column(offset: int) -> tuple[int, int]:
        start, line, column = max((line_start for line_start in starts if line_start[0] <= offset), default=(0, 1, 1))
        return line, column + offset - start

    bold = italic = False
    position = 0
    for match in INLINE.finditer(text):
        if match.start() > position:
            yield TextSpan(text[position : match.start()], bold, italic)
        position = match.end()
        if match["plain"]:
            yield TextSpan(match["plain"], bold, italic)
        elif match["ref"]:
            yield TextSpan(
                "", bold, italic, reference=Reference(match["ref"][2:-2].strip(), *line_and_column(match.start()))
            )
        elif match["open"]:
            yield TextSpan("", bold, italic, reference=Reference(match["open"], *line_and_column(match.start())))
        elif match["code"]:
            yield TextSpan(match["code"], bold, italic, code=True)
        elif match["link"] is not None:
            yield TextSpan(match["link"] or match["to"], bold, italic)
        elif match["mark"] in ("**", "__"):
            bold = not bold
        elif _is_mark(text, match):
            italic = not italic
        else:
            yield TextSpan(match["mark"], bold, italic)
    if position < len(text):
        yield TextSpan(text[position:], bold, italic)


def _is_mark(text: str, match: re.Match[str]) -> bool:
    """Whether a * or _ begins or ends italics. It must stand at the edge of a word, not alone and not inside one."""
    previous_character, next_character = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if (not previous_character or previous_character.isspace()) and (not next_character or next_character.isspace()):
        return False
    return match["mark"] == "*" or not (previous_character.isalnum() and next_character.isalnum())


# --- references -------------------------------------------------------------------------------------------------------


def resolve(game: Game, text: str) -> ReferenceTarget:
    """Resolve a reference. Raises ValueError with a sentence if it has no target."""
    if text == "{{":
        raise ValueError("these braces aren't closed; write }} where the reference ends")
    word, _, argument = text.partition(" ")
    argument = argument.strip()
    if word not in KINDS:
        raise ValueError(f"{word!r} is no kind of reference; {suggest(word, KINDS)}")
    if not argument:
        raise ValueError(
            f"{{{{{word}}}}} names nothing; write what you mean behind it, as in {{{{{word} {EXAMPLES[word]}}}}}"
        )
    return KINDS[word](game, argument)


def _table(game: Game, text: str) -> ReferenceTarget:
    if text not in game.tables:
        raise ValueError(f"there is no table {text!r}; {suggest(text, game.tables)}")
    return ReferenceTarget(game.tables[text].title, table=text)


def _piece(game: Game, text: str) -> ReferenceTarget:
    name, _, side = text.partition(" ")
    if side not in ("", "front", "back"):
        raise ValueError(
            f"a counter has a front and a back, not {side!r}; write {{{{counter {name} back}}}} or leave it out"
        )
    if name in game.units:
        face: Literal["front", "back"] = "back" if side == "back" else "front"
        return ReferenceTarget(view_face(game, game.units[name], face).face_name, piece=name, side=face)
    if name in game.markers:
        return ReferenceTarget(game.markers[name].name, piece=name, side=side or "front")
    raise ValueError(f"there is no counter or marker {name!r}; {suggest(name, [*game.units, *game.markers])}")


def _number(game: Game, text: str) -> ReferenceTarget:
    parts = text.split("/") if "/" in text else text.split(".")
    for length in range(len(parts), 0, -1):
        name, steps = ".".join(parts[:length]), parts[length:]
        if name in game.tables:
            return ReferenceTarget(_cell(game, name, steps))
        if name in game.units:
            return ReferenceTarget(_factor(game, name, steps))
        if name in game.scenarios:
            return ReferenceTarget(_turns(game, name, steps))
    if text == "turns" and game.turns is not None:
        return ReferenceTarget(str(game.turns.count or len(game.turns.names)))
    known_names = [*game.tables, *game.units, *game.scenarios]
    raise ValueError(f"{parts[0]!r} is no table, counter or scenario with numbers; {suggest(parts[0], known_names)}")


def _cell(game: Game, name: str, steps: list[str]) -> str:
    table = game.tables[name]
    labels = table.columns.labels
    if not labels:
        raise ValueError(f"the table {name} has no columns; add them to the table")
    rows = [".".join(steps[:n]) for n in range(len(steps), 0, -1)]
    row = next((row for row in rows if row in table.cells), None)
    if row is None:
        row_label = ".".join(steps) if len(labels) == 1 else steps[0] if steps else ""
        raise ValueError(f"the table {name} has no row {row_label!r}; {suggest(row_label, table.cells)}")
    column = ".".join(steps[row.count(".") + 1 :])
    if not column and len(labels) == 1:
        column = labels[0]
    if column not in labels:
        if not column:
            raise ValueError(f"the table {name} has several columns; name one, as in {name}.{row}.{labels[0]}")
        raise ValueError(f"the table {name} has no column {column!r}; {suggest(column, labels)}")
    if labels.index(column) >= len(table.cells[row]):
        raise ValueError(f"row {row} of the table {name} has no cell in column {column}; add it to the table")
    return _format_number(table.cells[row][labels.index(column)])


def _factor(game: Game, name: str, steps: list[str]) -> str:
    unit = game.units[name]
    is_back = steps[:1] == ["back"]
    factors = view_face(game, unit, "back" if is_back else "front").printed_factors
    if is_back and unit.back is None:
        raise ValueError(f"the counter {name} has no back with numbers; leave out `back`")
    word = ".".join(steps[1:] if is_back else steps)
    numbers = {key: str(value) for key, value in factors.items()} | {"steps": str(unit.steps), "count": str(unit.count)}
    if word not in numbers:
        raise ValueError(f"the counter {name} has no number {word!r}; {suggest(word, numbers)}")
    return _format_number(numbers[word])


def _turns(game: Game, name: str, steps: list[str]) -> str:
    turns = game.scenarios[name].turns
    if steps != ["turns"] or turns is None:
        raise ValueError(
            f"of the scenario {name} the number of its `turns` can be told; write {{{{number {name}.turns}}}}"
        )
    return str(turns.last - turns.first + 1)


def _name(game: Game, text: str) -> ReferenceTarget:
    name_of_key: dict[str, str] = {}
    for section in (game.scenarios, game.tables, game.attacks):
        name_of_key |= {key: entry.title for key, entry in section.items()}
    for records in (
        game.factors,
        game.types,
        game.classes,
        game.abilities,
        game.effects,
        game.routes,
        game.paths,
        game.hexsides,
        game.terrain,
        game.states,
        game.sides,
        game.nations,
        game.markers,
        game.units,
    ):
        name_of_key |= {key: entry.name for key, entry in records.items()}
    if text not in name_of_key:
        raise ValueError(f"nothing is called {text!r}; {suggest(text, name_of_key)}")
    return ReferenceTarget(name_of_key[text])


def _format_number(value: str) -> str:
    """Format a number for people: ½, 1½."""
    try:
        integer, part = divmod(Fraction(value), 1)
    except (ValueError, ZeroDivisionError):
        return value
    return f"{integer or ''}{FRACTIONS[str(part)]}" if integer >= 0 and str(part) in FRACTIONS else value


KINDS: Mapping[str, Callable[[Game, str], ReferenceTarget]] = {
    "table": _table,
    "counter": _piece,
    "marker": _piece,
    "number": _number,
    "name": _name,
}
EXAMPLES = {"table": "combat", "counter": "infantry", "marker": "turn", "number": "limits.stack", "name": "infantry"}

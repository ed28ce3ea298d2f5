"""Renders answers: as lines for a terminal, as JSON for programs, as nodes for the page. No other module does this."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, assert_never

from assistant.questions.answer import (
    Answer,
    Assumption,
    Assumptions,
    Cell,
    Chance,
    Chances,
    CounterRef,
    MapPath,
    Node,
    PlaceList,
    PlaceRef,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Text,
    Unofficial,
    Value,
    Warning,
    plain_text,
    rule_text,
    with_rule,
)
from scenarios.grammar import amount_text, count_text, number_text

WIDTH = 100
SHORT = 5
"""A path of more places than this is shown without its middle."""
RARE, FEW_ROWS = Fraction(1, 2000), 2
"""If more than a few outcomes are rarer than this, only their number is shown."""
MARGIN = 4
"""The maximum indent of sections."""
BAR = 20
"""The length of a bar that means certainty."""


NameEntries = Callable[[Iterable[str]], str]


def list_entries(entries: Iterable[str]) -> str:
    """Return a line with the overlay entries of unofficial numbers; nothing if there are none."""
    listed = ", ".join(sorted(entries))
    return f"Uses unofficial numbers: {listed}" if listed else ""


# --- for a terminal ---------------------------------------------------------------------------------------------------


def as_lines(answer: Answer, width: int | None = WIDTH, name_entries: NameEntries = list_entries) -> Iterator[str]:
    """Yield the answer in lines of at most so many columns; of any length without a width. `name_entries` returns the
    line that names unofficial numbers."""
    for line in _lines(answer.nodes, "", name_entries):
        yield from _wrap(line, width) if width is not None else [line]


def _lines(nodes: Iterable[Node], indent: str, name_entries: NameEntries) -> Iterator[str]:
    for node in nodes:
        for line in _node_lines(node, name_entries):
            yield indent + line


def _node_lines(node: Node, name_entries: NameEntries) -> Iterator[str]:
    match node:
        case Sentence():
            yield with_rule(plain_text(node.text), node.rule)
        case Warning():
            yield f"! {with_rule(plain_text(node.text), node.rule)}"
        case Assumptions():
            yield _assumptions_line(node.items)
        case Value():
            if node.for_people:
                yield with_rule(f"{node.title or _words(node.key)}: {format_cell(node.value) or 'none'}", node.rule)
        case Chances():
            yield from [node.title] * bool(node.title)
            yield from _bars(node)
        case RowTable():
            yield from [node.title] * bool(node.title)
            yield from _table_lines(node)
        case MapPath():
            yield _path_line(node)
        case PlaceList():
            yield from _places_lines(node)
        case Unofficial():
            yield from filter(None, [name_entries(node.numbers)])
        case Section(for_people=False):
            pass
        case Section():
            yield from [plain_text(node.title)] * bool(node.title)
            yield from _lines(node.nodes, "  " if node.title else "", name_entries)
        case Sections():
            yield from [node.title] * bool(node.title)
            for section in node.sections:
                yield from _node_lines(section, name_entries)
        case _:
            assert_never(node)


def _assumptions_line(items: Iterable[Assumption]) -> str:
    return f"Assumed: {'; '.join(with_rule(item.text, item.rule) for item in items)}"


def _words(key: str) -> str:
    return key.replace("_", " ")


def _bars(node: Chances) -> Iterator[str]:
    """Yield each outcome with its chance, a bar and its meaning."""
    rare = [outcome for outcome, chance in node.chances.items() if chance < RARE]
    left_out = rare if len(rare) > FEW_ROWS else []
    visible_chances = {outcome: chance for outcome, chance in node.chances.items() if outcome not in left_out}
    label_width = max([4, *map(len, visible_chances)])
    for outcome, chance in visible_chances.items():
        exact = str(chance) if chance.denominator < 10_000 else ""
        head = f"  {outcome:{label_width}} {exact:>6} {Chance(chance)!s:>6} {'█' * round(chance * BAR):{BAR}} "
        first, *continuation = textwrap.wrap(node.meanings.get(outcome, ""), max(24, WIDTH - MARGIN - len(head))) or [
            ""
        ]
        yield f"{head}{first}".rstrip()
        for line in continuation:
            yield " " * len(head) + line
    if left_out:
        yield f"  {len(left_out)} others, each below {float(RARE):.2%}"


def _table_lines(node: RowTable) -> Iterator[str]:
    columns = [column for column in node.columns if column.title]
    if not columns:
        return
    rows = [[_column_cell(column, row) for column in columns] for row in node.rows]
    heads = [[column.title for column in columns]] if node.heads and rows else []
    widths = [max(len(row[index]) for row in [*heads, *rows]) for index in range(len(columns))] if rows else []
    for cells in [*heads, *rows]:
        *first, last = cells
        yield (
            "  " + "  ".join([*(cell.ljust(width) for cell, width in zip(first, widths, strict=False)), last]).rstrip()
        )


def _column_cell(column: TableColumn, row: Mapping[str, Cell]) -> str:
    text = format_cell(row.get(column.key))
    return rule_text(text) if column.key == "rule" else text


def _path_line(node: MapPath) -> str:
    if node.drawing:
        return with_rule(node.drawing, node.rule)
    names = [str(place) for place in node.places]
    long = len(names) > SHORT and not node.complete
    way = f"{names[0]} ... {_join_names(names[-2:])} ({len(names)} places)" if long else _join_names(names)
    cost = "" if node.cost is None else f": {count_text(node.cost, 'point')}"
    title = f"{node.title}: " if node.title else ""
    return with_rule(f"{title}{way}{cost}", node.rule)


def _places_lines(node: PlaceList) -> Iterator[str]:
    title = node.title or _words(node.key)
    if not node.list_names or not node.places:
        yield f"{title}: {len(node.places) or 'none'}"
    elif node.visible_columns:
        yield title
        rows = [{"place": place, **values} for place, values in node.places.items()]
        yield from _table_lines(RowTable(node.key, [TableColumn("place", "place"), *node.visible_columns], rows))
    else:
        yield f"{title}: {_join_names(map(str, node.places))}"


def _join_names(names: Iterable[str]) -> str:
    """Join names of places; commas separate names of several words."""
    place_names = list(names)
    return (", " if any(" " in name for name in place_names) else " ").join(place_names)


def format_cell(value: Cell) -> str:
    """Return a value as a person reads it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        return amount_text(value)
    if isinstance(value, str | int | Chance | PlaceRef | CounterRef):
        return str(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{_words(key)}: {format_cell(item)}" for key, item in value.items())
    return ", ".join(format_cell(item) for item in value)


def _wrap(line: str, width: int) -> list[str]:
    """Break a long line between words, and indent the rest below its start."""
    if len(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


# --- for programs -----------------------------------------------------------------------------------------------------


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return the answer by its keys; see docs/json-keys.md."""
    return {"game": answer.game, "question": answer.question, **_object(answer.nodes)}


def _object(nodes: Iterable[Node]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for node in nodes:
        match node:
            case Sentence(for_programs=False):
                pass
            case Sentence():
                result.setdefault(node.key or "lines", []).append({"text": plain_text(node.text), **_rule(node.rule)})
            case Warning():
                result.setdefault("warnings", []).append({"text": plain_text(node.text), **_rule(node.rule)})
            case Assumptions():
                result["assumptions"] = assumptions_json(node.items)
            case Unofficial():
                result.setdefault("unofficial", {}).update(node.numbers)
            case Value():
                result[node.key] = json_of(node.value)
            case Chances():
                result[node.key] = {outcome: str(chance) for outcome, chance in node.chances.items()}
                if node.meanings:
                    result.setdefault("meanings", {}).update(
                        {k: v for k, v in node.meanings.items() if k in node.chances}
                    )
            case RowTable(for_programs=False):
                pass
            case RowTable():
                words = {column.key for column in node.columns if not column.for_programs}
                result[node.key] = [
                    {key: json_of(cell) for key, cell in row.items() if key not in words} for row in node.rows
                ]
            case MapPath():
                result[node.key] = [place.name for place in node.places]
                if node.cost is not None:
                    result.setdefault("cost", json_of(node.cost))
            case PlaceList():
                place_rows = node.places.items()
                result[node.key] = [
                    {"place": p.name, **{key: json_of(cell) for key, cell in row.items()}} for p, row in place_rows
                ]
            case Section():
                contents = _object(node.nodes)
                if node.key:
                    title = {"title": plain_text(node.title)} if node.title else {}
                    result[node.key] = {**title, **contents}
                else:
                    _merge(result, contents)
            case Sections():
                result[node.key] = [
                    {**({"title": plain_text(section.title)} if section.title else {}), **_object(section.nodes)}
                    for section in node.sections
                ]
            case _:
                assert_never(node)
    return result


def assumptions_json(items: Iterable[Assumption]) -> list[dict[str, Any]]:
    """Return the assumptions of an answer or a refusal."""
    return [
        {"input": item.input, "value": json_of(item.value), "text": item.text, **_rule(item.rule)} for item in items
    ]


def _merge(result: dict[str, Any], additions: Mapping[str, Any]) -> None:
    """Add the contents of a section without a key: lists and objects join the existing ones."""
    for key, value in additions.items():
        current_value = result.get(key)
        if isinstance(current_value, list) and isinstance(value, list):
            current_value.extend(value)
        elif isinstance(current_value, dict) and isinstance(value, dict):
            current_value.update(value)
        else:
            result[key] = value


def _rule(rule: str) -> dict[str, str]:
    return {"rule": rule} if rule else {}


def json_of(value: Cell) -> Any:
    """Return a value for a program: a place by its name, a unit by its id, a fraction that isn't whole as a text
    such as `1/2`."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, Chance):
        return str(value.value)
    if isinstance(value, PlaceRef):
        return value.name
    if isinstance(value, CounterRef):
        return value.id
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {key: json_of(item) for key, item in value.items()}
    return [json_of(item) for item in value]


# --- for the page -----------------------------------------------------------------------------------------------------


def as_nodes(answer: Answer) -> list[dict[str, Any]]:
    """Return the tree for the page: each node has a `kind`; places and units in sentences and cells can be tapped."""
    return _nodes(answer.nodes)


def _nodes(nodes: Iterable[Node]) -> list[dict[str, Any]]:
    return [_node(node) for node in nodes if not (isinstance(node, Section) and not node.for_people)]


def _node(node: Node) -> dict[str, Any]:
    match node:
        case Sentence():
            return {"kind": "line", "text": _parts(node.text), "rule": rule_text(node.rule)}
        case Warning():
            return {"kind": "warning", "text": _parts(node.text), "rule": rule_text(node.rule)}
        case Value():
            title = node.title or _words(node.key)
            return {
                "kind": "value",
                "title": title,
                "value": _cell(node.value) or "none",
                "rule": rule_text(node.rule),
                "shown": node.for_people,
            }
        case Chances():
            rows = [
                {
                    "outcome": outcome,
                    "chance": str(chance),
                    "share": float(chance),
                    "meaning": node.meanings.get(outcome, ""),
                }
                for outcome, chance in node.chances.items()
            ]
            return {"kind": "chances", "title": node.title, "rows": rows}
        case RowTable():
            columns = [column for column in node.columns if column.title]
            rows_ = [
                [
                    _column_cell(column, row) if column.key == "rule" else _cell(row.get(column.key))
                    for column in columns
                ]
                for row in node.rows
            ]
            heads = [column.title for column in columns] if node.heads else []
            return {"kind": "table", "title": node.title, "heads": heads, "rows": rows_}
        case MapPath():
            cost = None if node.cost is None else number_text(node.cost)
            return {
                "kind": "path",
                "title": node.title,
                "places": [p.name for p in node.places],
                "cost": cost,
                "rule": rule_text(node.rule),
            }
        case PlaceList():
            place_rows = [
                {"place": place.name, "title": str(place), **{key: format_cell(cell) for key, cell in row.items()}}
                for place, row in node.places.items()
            ]
            column_rows = [column._asdict() for column in node.visible_columns]
            return {
                "kind": "places",
                "title": node.title or _words(node.key),
                "places": place_rows,
                "columns": column_rows,
                "listed": node.list_names,
            }
        case Assumptions():
            return {"kind": "assumptions", "text": _assumptions_line(node.items)}
        case Unofficial():
            return {"kind": "unofficial", "text": [list_entries(node.numbers)], "entries": sorted(node.numbers)}
        case Section():
            return {"kind": "section", "title": _parts(node.title), "nodes": _nodes(node.nodes)}
        case Sections():
            return {"kind": "several", "title": node.title, "nodes": _nodes(node.sections)}
        case _:
            assert_never(node)


def _parts(text: Text) -> list[Any]:
    parts: Sequence[Any] = text if type(text) is tuple else (text,)
    return [_cell(part) for part in parts if part != ""]


def _cell(value: Cell) -> Any:
    if isinstance(value, PlaceRef):
        return {"place": value.name, "text": str(value)}
    if isinstance(value, CounterRef):
        return {"unit": value.id, "text": value.name}
    if isinstance(value, list) or type(value) is tuple:
        return [_cell(item) for item in value]
    return format_cell(value)

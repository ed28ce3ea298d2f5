"""A pack's own rulebook for the kit: its blocks, with the tables, counters and numbers that it refers to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from art.charts.charts import is_narrow, readable_table
from modgen.kit.charts import chart_card
from scenarios.model.game import Game
from scenarios.pack.rulebook import Block, TextSpan, read_rulebook, resolve, rules_file

Json = dict[str, Any]
GUTTER = 8.0
"""The space between the two columns, in millimeters."""


def rulebook(game: Game, room: float) -> list[Json]:
    """The blocks of a rulebook on pages of this width; none if the pack has no rulebook."""
    path = rules_file(game.folder)
    if path is None:
        return []
    column = (room - GUTTER) / 2
    return [_block(game, block, room, column) for block in read_rulebook(path)[0]]


def _block(game: Game, block: Block, room: float, column: float) -> Json:
    if block.only_reference is not None:
        target = resolve(game, block.only_reference.text)
        if target.table:
            table, narrow = readable_table(game, game.tables[target.table]), is_narrow(game, target.table, column)
            return {
                "kind": "chart",
                "table": target.table,
                "card": chart_card(game, table, column if narrow else room),
                "wide": not narrow,
            }
        if target.piece:
            return {"kind": "piece", "picture": _picture(target.piece, target.side), "text": target.text}
    block_data: Json = {"kind": block.kind, "level": block.level, "mark": block.mark}
    if block.kind == "code":
        return {**block_data, "text": "\n".join(text for _, _, text in block.lines)}
    if block.kind == "table":
        return {**block_data, "rows": [[_spans(game, cell) for cell in row] for row in block.rows]}
    return {**block_data, "spans": _spans(game, block.spans)}


def _spans(game: Game, spans: Sequence[TextSpan]) -> list[Json]:
    result = []
    for span in spans:
        style = {"bold": span.bold, "italic": span.italic, "code": span.code}
        if span.reference is None:
            result.append({"text": span.text, **style})
            continue
        target = resolve(game, span.reference.text)
        picture_data = {"picture": _picture(target.piece, target.side)} if target.piece else {}
        result.append({"text": target.text, **style, **picture_data})
    return result


def _picture(piece: str, side: str) -> str:
    return f"{'back' if side == 'back' else 'face'}/{piece}"


def pictures_of(blocks: Sequence[Json], begins: str) -> set[str]:
    """The names of the pictures in some blocks that begin with a prefix."""
    spans = [span for block in blocks for span in block.get("spans", ())]
    spans += [span for block in blocks for row in block.get("rows", ()) for cell in row for span in cell]
    return {element["picture"] for element in (*blocks, *spans) if element.get("picture", "").startswith(begins)}

"""What Typst can't write into a PDF: how it wants to be printed, the boxes and labels of its pages, its layers."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

POINT = 72 / 25.4
DUPLEX = {"duplex-long": "/DuplexFlipLongEdge", "duplex-short": "/DuplexFlipShortEdge"}


class Leaf(NamedTuple):
    """What is to be known of a page: its label, and what is left of it when it is cut, in mm from its top left corner."""

    label: str = ""
    trim: tuple[float, float, float, float] | None = None
    bleed: float = 0.0


def finished(made: bytes, backs: str, leaves: Sequence[Leaf], paper: Mapping[str, int]) -> bytes:
    """The same PDF: no scaling and the right duplex in the viewer's preferences, boxes, labels, and its count of paper."""
    import pikepdf
    from pikepdf import Array, Dictionary, Name, String

    with pikepdf.open(io.BytesIO(made)) as pdf:
        root = pdf.Root
        root.ViewerPreferences = Dictionary(
            PrintScaling=Name("/None"),
            Duplex=Name(DUPLEX.get(backs, "/Simplex")),
            DisplayDocTitle=True,
            PickTrayByPDFSize=True,
        )
        if "/MarkInfo" in root and "/Suspects" in root.MarkInfo:
            del root.MarkInfo["/Suspects"]  # poppler takes it for a mistake
        labels: list[Any] = []
        for number, page in enumerate(pdf.pages):
            leaf = leaves[number] if number < len(leaves) else Leaf()
            _boxes(page, leaf)
            if leaf.label:
                labels += [number, Dictionary(P=String(leaf.label))]
            elif number == 0 or (leaves[number - 1].label if number - 1 < len(leaves) else False):
                labels += [number, Dictionary(S=Name("/D"), St=number + 1)]
        root.PageLabels = Dictionary(Nums=Array(labels))
        pdf.docinfo["/SheetsOfPaper"] = String(", ".join(f"{part} {count}" for part, count in paper.items()))
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return out.getvalue()


def _boxes(page: Any, leaf: Leaf) -> None:
    left, bottom, right, top = (float(side) for side in page.MediaBox)
    trim = [left, bottom, right, top]
    if leaf.trim:
        x1, y1, x2, y2 = (side * POINT for side in leaf.trim)
        trim = [left + x1, top - y2, left + x2, top - y1]
    out = leaf.bleed * POINT
    page.TrimBox = [round(side, 3) for side in trim]
    page.BleedBox = [
        round(side, 3)
        for side in (
            max(left, trim[0] - out),
            max(bottom, trim[1] - out),
            min(right, trim[2] + out),
            min(top, trim[3] + out),
        )
    ]


def sheets_of_paper(kit: bytes) -> dict[str, int]:
    """How many sheets of paper each part of a kit takes."""
    import pikepdf

    with pikepdf.open(io.BytesIO(kit)) as pdf:
        said = str(pdf.docinfo.get("/SheetsOfPaper", ""))
    parts = (word.rpartition(" ") for word in said.split(", ") if word)
    return {name: int(count) for name, _, count in parts}

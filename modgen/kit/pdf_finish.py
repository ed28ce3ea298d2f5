"""Additions to a PDF that Typst can't write: print settings, boxes and labels of pages, layers."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from modgen.kit.tagging import graft_leaves

POINT = 72 / 25.4
DUPLEX = {"duplex-long": "/DuplexFlipLongEdge", "duplex-short": "/DuplexFlipShortEdge"}


LAYERS = {"cuts": "Cut lines", "numbers": "Hex numbers"}


class PdfOverlay(NamedTuple):
    """A page of a plate on a separate layer over a page, with its offset in millimeters from the page's top left corner."""

    layer: str
    plate: str
    page: int
    x: float = 0.0
    y: float = 0.0


class PageSettings(NamedTuple):
    """The data of a page: its label, its box after cutting (in mm from its top left corner), and the plates over it."""

    label: str = ""
    trim: tuple[float, float, float, float] | None = None
    bleed: float = 0.0
    layers: tuple[PdfOverlay, ...] = ()


def finish_pdf(
    pdf_bytes: bytes, backs: str, leaves: Sequence[PageSettings], paper: Mapping[str, int], plates: Mapping[str, bytes]
) -> bytes:
    """The finished PDF: no scaling and the right duplex mode in the viewer's preferences, boxes, labels, layers, its count of paper."""
    import pikepdf
    from pikepdf import Array, Dictionary, Name, String

    with pikepdf.open(io.BytesIO(pdf_bytes)) as pdf:
        root = pdf.Root
        root.ViewerPreferences = Dictionary(
            PrintScaling=Name("/None"),
            Duplex=Name(DUPLEX.get(backs, "/Simplex")),
            DisplayDocTitle=True,
            PickTrayByPDFSize=True,
        )
        if "/MarkInfo" in root and "/Suspects" in root.MarkInfo:
            del root.MarkInfo["/Suspects"]  # poppler reports it as an error
        if "/StructTreeRoot" in root:
            graft_leaves(pdf, plates)
            _row_heads(root.StructTreeRoot)
        labels: list[Any] = []
        for number, page in enumerate(pdf.pages):
            leaf = leaves[number] if number < len(leaves) else PageSettings()
            _boxes(page, leaf)
            if leaf.label:
                labels += [number, Dictionary(P=String(leaf.label))]
            elif number == 0 or (leaves[number - 1].label if number - 1 < len(leaves) else False):
                labels += [number, Dictionary(S=Name("/D"), St=number + 1)]
        _lay_over(pdf, leaves, plates)
        root.PageLabels = Dictionary(Nums=Array(labels))
        pdf.docinfo["/SheetsOfPaper"] = String(", ".join(f"{part} {count}" for part, count in paper.items()))
        buffer = io.BytesIO()
        pdf.save(buffer, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return buffer.getvalue()


def _lay_over(pdf: Any, leaves: Sequence[PageSettings], plates: Mapping[str, bytes]) -> None:
    """Add the plates over pages, each on its layer, which a viewer can hide and a printer can leave out."""
    import pikepdf
    from pikepdf import Array, Dictionary, Name, String

    used = [name for name in LAYERS if any(overlay.layer == name for leaf in leaves for overlay in leaf.layers)]
    groups = {name: pdf.make_indirect(Dictionary(Type=Name("/OCG"), Name=String(LAYERS[name]))) for name in used}
    if not groups:
        return
    open_plates: dict[str, Any] = {}
    for page, leaf in zip(pdf.pages, leaves, strict=False):
        height = float(page.MediaBox[3])
        content = b""
        for n, overlay in enumerate(leaf.layers):
            if overlay.plate not in open_plates:
                open_plates[overlay.plate] = pikepdf.open(io.BytesIO(plates[overlay.plate]))
            source = open_plates[overlay.plate].pages[overlay.page - 1]
            form = pdf.copy_foreign(source.as_form_xobject())
            form.OC = groups[overlay.layer]
            page.add_resource(form, Name("/XObject"), Name(f"/Layer{n}"))
            offset_y = height - float(source.MediaBox[3]) - overlay.y * POINT
            content += (
                f"/Artifact BMC q 1 0 0 1 {overlay.x * POINT:.4f} {offset_y:.4f} cm /Layer{n} Do Q EMC\n".encode()
            )
        if content:
            page.contents_add(b"q\n", prepend=True)
            page.contents_add(b"Q\n" + content)
    layer_groups = Array(groups.values())
    pdf.Root.OCProperties = Dictionary(
        OCGs=layer_groups,
        D=Dictionary(Name=String("Layers"), ON=layer_groups, Order=layer_groups, BaseState=Name("/ON")),
    )


def _row_heads(node: Any) -> None:
    """Mark the first cell of each table row as its heading. Typst does this only for the first row."""
    from pikepdf import Array, Dictionary, Name

    children = node.get("/K")
    for kid in children if isinstance(children, Array) else [children]:
        if isinstance(kid, Dictionary) and "/S" in kid:
            if kid.S == "/TR":
                cell = kid.K[0] if isinstance(kid.K, Array) else kid.K
                if cell.S == "/TD":
                    cell.S = Name("/TH")
                    cell.A = Array([Dictionary(O=Name("/Table"), Scope=Name("/Row"))])
            else:
                _row_heads(kid)


def _boxes(page: Any, leaf: PageSettings) -> None:
    left, bottom, right, top = (float(side) for side in page.MediaBox)
    trim = [left, bottom, right, top]
    if leaf.trim:
        x1, y1, x2, y2 = (side * POINT for side in leaf.trim)
        trim = [left + x1, top - y2, left + x2, top - y1]
    bleed_points = leaf.bleed * POINT
    page.TrimBox = [round(side, 3) for side in trim]
    page.BleedBox = [
        round(side, 3)
        for side in (
            max(left, trim[0] - bleed_points),
            max(bottom, trim[1] - bleed_points),
            min(right, trim[2] + bleed_points),
            min(top, trim[3] + bleed_points),
        )
    ]


def sheets_of_paper(kit: bytes) -> dict[str, int]:
    """The number of sheets of paper for each part of a kit."""
    import pikepdf

    with pikepdf.open(io.BytesIO(kit)) as pdf:
        text = str(pdf.docinfo.get("/SheetsOfPaper", ""))
    parts = (word.rpartition(" ") for word in text.split(", ") if word)
    return {name: int(count) for name, _, count in parts}

"""Sheet templates: data about the positions of counters on a sheet that somebody else cuts."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from modgen.kit.paper import PageLayout, PaperSize, WrongOption
from scenarios.reading.shapes import Findings, Record, documented_field, reader, record
from scenarios.reading.yaml_tree import read_nodes


@record
class Template(Record):
    """A sheet of counters. All values are in millimeters, and the first counter's position is from the page's top left corner."""

    name: str = documented_field("What the sheet is called.")
    page: tuple[Fraction, ...] = documented_field("Its width and height.")
    columns: int = documented_field("How many counters lie side by side.")
    rows: int = documented_field("How many lie below each other.")
    left: Fraction = documented_field("How far the first counter is from the left edge.")
    top: Fraction = documented_field("How far it is from the upper edge.")
    counter: Fraction = documented_field("The side of a counter.")
    pitch: tuple[Fraction, ...] = documented_field("From one counter to the next: across, then down.")
    bleed: Fraction = documented_field("How far colour runs beyond the cut.", Fraction(0))
    corner: Fraction = documented_field("The radius of a counter's corners in a cut file.", Fraction(0))
    marks: bool = documented_field("True where crop marks and corner ticks are printed.", False)


def read_template(path: Path) -> tuple[PaperSize, float, PageLayout]:
    """The page, the counters' size and the layout of a template. Raises WrongOption with the line and column of the first mistake."""
    if not path.is_file():
        raise WrongOption(
            f"there is no template {path}; --template takes a file such as docs/templates/a4-half-inch.yaml"
        )
    node, wrong = read_nodes(path)
    findings = Findings(wrong)
    template = reader(Template)(node, findings) if node is not None else None
    if findings or template is None:
        raise WrongOption(str(findings[0]) if findings else f"{path}: the file is empty; write a template")
    assert isinstance(template, Template)
    _check(template, path)
    page_width, page_height = (float(side) for side in template.page)
    paper = PaperSize(re.sub(r"[^a-z0-9]+", "-", template.name.lower()).strip("-"), page_width, page_height)
    pitch = float(template.pitch[0]), float(template.pitch[1])
    return (
        paper,
        float(template.counter),
        PageLayout(
            template.columns,
            template.rows,
            float(template.left),
            float(template.top),
            pitch,
            float(template.bleed),
            float(template.corner),
            template.marks,
        ),
    )


def _check(template: Template, path: Path) -> None:
    if len(template.page) != 2 or len(template.pitch) != 2:
        raise WrongOption(f"{path}: page and pitch are two numbers each, such as [210, 297]")
    if min(template.columns, template.rows) < 1:
        raise WrongOption(f"{path}: a sheet has at least one column and one row")
    if not 8 <= template.counter <= 50:
        raise WrongOption(f"{path}: a counter of {float(template.counter):g} mm can't be; choose 8 to 50 mm")
    if min(template.pitch) < template.counter:
        raise WrongOption(
            f"{path}: counters of {float(template.counter):g} mm overlap; pitch must be as large at least"
        )
    for side, first, count, pitch, dimension in (
        (template.page[0], template.left, template.columns, template.pitch[0], "width"),
        (template.page[1], template.top, template.rows, template.pitch[1], "height"),
    ):
        if first < 0 or first + (count - 1) * pitch + template.counter > side:
            raise WrongOption(f"{path}: the counters don't fit the page's {dimension} of {float(side):g} mm")
    room = min(template.pitch) - template.counter
    if not 0 <= 2 * template.bleed <= room and template.bleed:
        raise WrongOption(
            f"{path}: a bleed of {float(template.bleed):g} mm runs into the next counter; at most {float(room / 2):g} mm"
        )

"""Kits as a printer sees them: measured from the PDF itself."""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from modgen.cache import Cache
from modgen.kit.calibration import calibration_pdf
from modgen.kit.imposition import back_corner
from modgen.kit.kit import lay_out, make_kit
from modgen.kit.marks import CROP, GAP
from modgen.kit.options import BACKS, PAPERS, Backs, Options
from modgen.kit.sheets import BLEED, FOOT
from scenarios import load
from scenarios.model.game import Game
from tests.packs import TWO_WELLS

ROOT = Path(__file__).parent.parent
DPI = 400
TOLERANCE = 0.1
NO_CACHE = Cache(None)


@cache
def wells() -> Game:
    return load(TWO_WELLS)


@cache
def kit(backs: Backs = "duplex-long", **choices: object) -> bytes:
    return make_kit(wells(), Options(backs=backs, **choices), NO_CACHE)  # type: ignore[arg-type]


def pages(pdf: bytes) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(pdf)


def size_mm(page: pypdfium2.PdfPage) -> tuple[float, float]:
    width, height = page.get_size()
    return width / 72 * 25.4, height / 72 * 25.4


def picture(page: pypdfium2.PdfPage) -> Image.Image:
    image: Image.Image = page.render(scale=DPI / 72, grayscale=True).to_pil()
    return image


def px(mm: float) -> int:
    return round(mm / 25.4 * DPI)


def dark_runs(strip: Image.Image) -> list[float]:
    """The middles, in millimetres, of the dark lines that a narrow strip crosses (its longer side is along)."""
    is_horizontal = strip.width > strip.height
    line = strip.resize((strip.width, 1) if is_horizontal else (1, strip.height), Image.Resampling.BOX)
    values = list(line.tobytes())
    runs: list[list[int]] = []
    for i, value in enumerate(values):
        if value < 215:
            if runs and i - runs[-1][-1] == 1:
                runs[-1].append(i)
            else:
                runs.append([i])
    return [(run[0] + run[-1] + 1) / 2 / DPI * 25.4 for run in runs]


def cuts(image: Image.Image, box: tuple[float, float, float, float]) -> tuple[list[float], list[float]]:
    """Where the crop marks above and left of a box of counters stand, measured in the picture."""
    left, top, _, bottom = box
    top_strip = image.crop((0, px(top - GAP - CROP * 0.7), image.width, px(top - GAP - CROP * 0.3)))
    left_strip = image.crop((px(left - GAP - CROP * 0.7), px(top - 0.5), px(left - GAP - CROP * 0.3), px(bottom + 0.5)))
    return dark_runs(top_strip), [top - 0.5 + y for y in dark_runs(left_strip)]


def box_of(options: Options, is_back: bool = False) -> tuple[float, float, float, float]:
    (sheet,) = lay_out(wells(), options)
    size, width = sheet.frame.size, options.paper.width
    corners = [back_corner(cell, size, width) if is_back else (cell.x, cell.y) for cell in sheet.cells]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs) - BLEED, min(ys) - BLEED, max(xs) + size + BLEED, max(ys) + size + BLEED


def is_close(a: list[float], b: list[float]) -> bool:
    return len(a) == len(b) and all(abs(x - y) <= TOLERANCE for x, y in zip(sorted(a), sorted(b), strict=True))


MODES: tuple[Backs, ...] = ("duplex-long", "duplex-short", "fold")
OFFSETS = [(0.0, 0.0), (0.4, -0.3)]


def turn_back(backs: Backs, document: pypdfium2.PdfDocument) -> tuple[Image.Image, Image.Image]:
    """The front of a sheet, and its back turned over as the printer or the fold turns it."""
    front, back_image = picture(document[2]), picture(document[2 if backs == "fold" else 3])
    flip = Image.Transpose.FLIP_TOP_BOTTOM if backs == "duplex-short" else Image.Transpose.FLIP_LEFT_RIGHT
    return front, back_image.transpose(flip)


def measure_offset(backs: Backs, options: Options) -> tuple[float, float]:
    """How far backs lie off their fronts when the sheet is held against the light, measured: right and down."""
    front, back_image = turn_back(backs, pages(make_kit(wells(), options, NO_CACHE)))
    box = box_of(options)
    x_offsets = [b - a for a, b in zip(ends(front, box), ends(back_image, box), strict=True)]
    y_offsets = [b - a for a, b in zip(lines(front, box), lines(back_image, box), strict=True)]
    assert max(x_offsets) - min(x_offsets) < TOLERANCE and max(y_offsets) - min(y_offsets) < TOLERANCE, (
        "every row alike"
    )
    return sum(x_offsets) / len(x_offsets), sum(y_offsets) / len(y_offsets)


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("backs", MODES)
def test_backs_lie_behind_their_fronts(backs: Backs, paper: str, offset: tuple[float, float]) -> None:
    """Measured in the pages; an offset moves backs by just that much, as seen from behind."""
    right, y_offset = measure_offset(backs, Options(backs=backs, paper=PAPERS[paper], back_offset=offset))
    dx, dy = (offset[0], -offset[1]) if backs == "duplex-short" else (-offset[0], offset[1])
    assert abs(right - dx) <= TOLERANCE and abs(y_offset - dy) <= TOLERANCE, f"{right:.2f}, {y_offset:.2f}"


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("backs", MODES)
def test_crop_marks_of_both_sides_agree(backs: Backs, paper: str) -> None:
    options = Options(backs=backs, paper=PAPERS[paper])
    front, back_image = turn_back(backs, pages(make_kit(wells(), options, NO_CACHE)))
    box = box_of(options)
    fronts, backs_ = cuts(front, box), cuts(back_image, box)
    columns = round((box[2] - box[0]) / 18) * (2 if backs == "fold" else 1)
    assert len(fronts[0]) == 2 * columns and len(fronts[1]) == 2 * round((box[3] - box[1]) / 18)
    assert is_close(fronts[0], backs_[0]) and is_close(fronts[1], backs_[1])
    if backs == "fold":
        middle = options.paper.width / 2
        assert max(x for x in fronts[0] if x < middle) < middle - 3 and box[2] < middle


def ends(image: Image.Image, box: tuple[float, float, float, float]) -> list[float]:
    """The left and right ends of the printed ground of each row of counters."""
    left, top, right, _ = box
    x_edges: list[float] = []
    for row in range(3):
        y = top + 0.5 + row * 18
        strip = image.crop((px(left - 0.6), px(y), px(right + 0.6), px(y) + 2))
        ground = strip.point(lambda value: 255 if value < 250 else 0).getbbox()
        assert ground is not None
        x_edges += [(ground[0]) / DPI * 25.4, ground[2] / DPI * 25.4]
    return x_edges


def lines(image: Image.Image, box: tuple[float, float, float, float]) -> list[float]:
    """The upper and lower ends of the printed ground, through the first and the second column of counters."""
    left, top, _, bottom = box
    y_edges: list[float] = []
    for column in range(2):
        x = left + 0.5 + column * 18
        strip = image.crop((px(x), px(top - 0.6), px(x) + 2, px(bottom + 0.6)))
        ground = strip.point(lambda value: 255 if value < 250 else 0).getbbox()
        assert ground is not None
        y_edges += [ground[1] / DPI * 25.4, ground[3] / DPI * 25.4]
    return y_edges


def test_fronts_only() -> None:
    assert len(pages(kit("none"))) == len(pages(kit("duplex-long"))) - 1


@pytest.mark.parametrize("backs", ["duplex-long", "duplex-short", "fold"])
def test_every_counter_has_its_own_back(backs: Backs) -> None:
    options = Options(backs=backs)
    (sheet,) = lay_out(wells(), options)
    document = pages(kit(backs))
    width, height, size = options.paper.width, options.paper.height, sheet.frame.size
    for cell in sheet.cells:
        if cell.piece.kind != "unit":
            continue
        x, y = back_corner(cell, size, width)
        if backs == "duplex-short":
            x, y = width - x - size, height - y - size
        name = wells().units[cell.piece.id].name.split()[0]
        assert name in words(document[2], cell.x, cell.y, size), "front"
        back_text = words(document[2 if backs == "fold" else 3], x, y, size)
        if backs == "duplex-short":
            back_text = "".join(back_text.split())[::-1]
        assert name in back_text, "back"


def words(page: pypdfium2.PdfPage, x: float, y: float, size: float) -> str:
    point = 72 / 25.4
    page_height = page.get_size()[1]
    text: str = page.get_textpage().get_text_bounded(
        left=x * point, right=(x + size) * point, top=page_height - y * point, bottom=page_height - (y + size) * point
    )
    return text


@pytest.mark.parametrize("backs", ["duplex-long", "duplex-short", "fold"])
def test_the_back_offset_moves_backs_and_nothing_else(backs: Backs) -> None:
    """At ten dots a millimetre the moved page is the plain one, moved: 1 mm right and 2 mm up."""
    options = Options(backs=backs, back_offset=(1.0, -2.0))
    documents = pages(kit(backs)), pages(make_kit(wells(), options, NO_CACHE))
    n = 2 if backs == "fold" else 3
    plain_image, moved_image = (document[n].render(scale=254 / 72, grayscale=True).to_pil() for document in documents)
    left, top, right, bottom = (round(10 * side) for side in box_of(options, is_back=True))
    if backs == "duplex-short":
        left, top, right, bottom = (
            plain_image.width - right,
            plain_image.height - bottom,
            plain_image.width - left,
            plain_image.height - top,
        )
    expected_area = plain_image.crop((left, top, right, bottom))
    moved_area = moved_image.crop((left + 10, top - 20, right + 10, bottom - 20))
    assert sum(
        map(abs, (a - b for a, b in zip(expected_area.tobytes(), moved_area.tobytes(), strict=True)))
    ) < 0.5 * len(expected_area.tobytes())
    fronts = [document[2].render(scale=1).to_pil().crop((0, 0, 297, 800)).tobytes() for document in documents]
    assert fronts[0] == fronts[1]


def spot(page: pypdfium2.PdfPage, text: str) -> tuple[float, float]:
    """Where a text begins on a page."""
    text_page = page.get_textpage()
    hit = text_page.search(text).get_next()
    left, bottom, _, _ = text_page.get_charbox(hit[0])
    return left / 72 * 25.4, (page.get_size()[1] - bottom) / 72 * 25.4


def test_pages_are_as_big_as_paper_to_a_hair() -> None:
    for paper in PAPERS.values():
        document = pages(make_kit(wells(), Options(paper=paper), NO_CACHE))
        width, height = size_mm(document[0])
        assert abs(width - paper.width) < 0.01 and abs(height - paper.height) < 0.01
        assert len(document) > 8


def test_the_poster_is_as_big_as_the_map() -> None:
    sizes = {tuple(round(side) for side in size_mm(page)) for page in pages(kit())}
    assert len({size for size in sizes if sorted(size) != [210, 297]}) == 1, "A4, upright or level, and the poster"


def test_the_ruler_is_true() -> None:
    page = pages(kit())[2]
    assert abs(spot(page, "100 mm")[0] - 121.5) < 0.5
    foot = picture(page)
    y = 297 - 10 - FOOT / 2 + 0.7
    ticks = dark_runs(foot.crop((px(19), px(y - 0.9), px(121), px(y - 0.3))))
    assert len(ticks) == 101 and abs(ticks[-1] - ticks[0] - 100) < TOLERANCE


def test_pdf_is_vector_with_text_title_author_and_outline() -> None:
    document = pages(kit())
    about = document.get_metadata_dict()
    assert about["Title"] == "Two Wells: print-and-play kit" and about["Author"] == "Mitla"
    outline = [item.get_title() for item in document.get_toc()]
    assert {"Contents", "Counter sheets", "Map", "Player aid cards", "Scenarios", "Where the numbers come from"} <= set(
        outline
    )
    object_types = {thing.type for page in document for thing in page.get_objects(max_depth=12)}
    assert pypdfium2.raw.FPDF_PAGEOBJ_IMAGE not in object_types, "no bitmaps"
    text = "".join(page.get_textpage().get_text_range() for page in document)
    for phrase in ("Armoured cars", "not affiliated", "CC BY 4.0", "Sets up first", "rulebook", "Combat"):
        assert phrase in text


def test_fonts_are_ours_and_embedded() -> None:
    document = pages(kit())
    fonts = {
        (thing.get_font().get_base_name(), thing.get_font().is_embedded)
        for page in document
        for thing in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_TEXT], max_depth=12)
    }
    assert fonts and all("SourceSansPro" in name.replace(" ", "") and is_embedded for name, is_embedded in fonts)


def test_ink_saver_is_lighter() -> None:
    def dark(pdf: bytes) -> float:
        image: Image.Image = pages(pdf)[2].render(scale=0.5, grayscale=True).to_pil()
        return sum(255 - value for value in image.tobytes())

    assert dark(make_kit(wells(), Options(ink_saver=True), NO_CACHE)) < 0.75 * dark(kit())


def test_the_calibration_sheet_has_its_crosses_behind_its_scales() -> None:
    for backs in BACKS[:2]:
        document = pages(calibration_pdf(Options(backs=backs), NO_CACHE))
        assert len(document) == 2
        front, back_image = picture(document[0]), picture(document[1])
        flip = Image.Transpose.FLIP_LEFT_RIGHT if backs == "duplex-long" else Image.Transpose.FLIP_TOP_BOTTOM
        (cross,) = dark_runs(front.crop((px(100), px(148.5 - 13), px(110), px(148.5 - 12))))
        ticks = dark_runs(back_image.transpose(flip).crop((px(99), px(148.5 - 9) - 14, px(111), px(148.5 - 9) - 8)))
        if backs == "duplex-short":
            ticks = dark_runs(back_image.crop((px(99), px(148.5 - 9) - 14, px(111), px(148.5 - 9) - 8)))
        assert len(ticks) == 21 and abs(cross - 5) < TOLERANCE and abs(ticks[10] - 6) < TOLERANCE, (
            "zero lies behind the cross"
        )


def test_built_twice_it_is_the_same_bytes(tmp_path: Path) -> None:
    """In another process, another folder, with another hash seed and time zone."""
    code = (
        "import sys, hashlib; from modgen.cache import Cache; from modgen.kit.kit import make_kit;"
        "from modgen.kit.options import Options; from scenarios import load;"
        "print(hashlib.sha256(make_kit(load(sys.argv[1]), Options(), Cache(None))).hexdigest())"
    )
    digests = set()
    for seed, zone in itertools.zip_longest(("1", "2"), ("UTC", "Asia/Tokyo")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", code, str(TWO_WELLS)], cwd=tmp_path, env=environment, capture_output=True, check=True
        )
        digests.add(done.stdout.strip().decode())
    assert digests == {hashlib.sha256(kit()).hexdigest()}

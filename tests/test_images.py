"""Pictures of a pack's own: on counters, markers, boards, boxes and the cover; cropped, bled and cleaned; and what is refused."""

from __future__ import annotations

import base64
import io
import shutil
import struct
import zipfile
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image as Pictures

from art import svg
from art.cleaning import UnusableDrawing, clean
from art.counters.face import face
from art.counters.markers import draw_marker
from art.maps.hexmap import draw_map, sheet_of
from art.maps.point_layout import point_sheet
from art.maps.pointmap import points_group
from art.maps.setup_thumbnail import thumbnail
from modgen.cli import cli
from modgen.printable import unprintable
from modgen.render import Picture, draw
from scenarios import check, load
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.points import PointMap
from scenarios.reading.findings import suggest
from tests.asking import run_command
from tests.packs import copy

RED, BLUE = (200, 30, 30), (30, 60, 200)


def two_halves(width: int, height: int, kind: str = "PNG") -> bytes:
    """A picture whose left half is red and whose right half is blue."""
    picture = Pictures.new("RGB", (width, height), RED)
    picture.paste(BLUE, (width // 2, 0, width, height))
    content = io.BytesIO()
    picture.save(
        content, kind, **({"lossless": True} if kind == "WEBP" else {"quality": 100} if kind == "JPEG" else {})
    )
    return content.getvalue()


HALVES_SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><rect width="100" height="100" fill="#c81e1e"/>'
    b'<rect x="100" width="100" height="100" fill="#1e3cc8"/></svg>'
)


def with_picture(folder: Path, name: str, content: bytes, image: str = "", counter: str = "cars") -> Path:
    """Two Wells with a picture on a counter."""
    pack = copy(folder)
    (pack / name).write_bytes(content)
    path = pack / "counters.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count(f"  {counter}:\n") == 1
    path.write_text(text.replace(f"  {counter}:\n", f"  {counter}:\n    image: {image or name}\n"), encoding="utf-8")
    return pack


def dots(drawing: svg.Element, per_mm: int = 10) -> Pictures.Image:
    width = round(float((drawing.get("width") or "").removesuffix("mm")) * per_mm)
    height = round(float((drawing.get("height") or "").removesuffix("mm")) * per_mm)
    (png,) = draw({"face": Picture(svg.to_bytes(drawing), width, height)}, pool=False)
    return Pictures.open(io.BytesIO(png)).convert("RGB")


def is_close(a: object, b: tuple[int, int, int], tolerance: int = 12) -> bool:
    return isinstance(a, tuple) and all(abs(x - y) <= tolerance for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.png", two_halves(200, 100)),
        ("a.jpg", two_halves(200, 100, "JPEG")),
        ("a.webp", two_halves(200, 100, "WEBP")),
        ("a.svg", HALVES_SVG),
    ],
)
def test_a_picture_fills_a_counter_and_its_bleed(tmp_path: Path, name: str, content: bytes) -> None:
    game = load(with_picture(tmp_path, name, content, f"{{file: {name}, text: false}}"))
    face_picture = dots(face(game, game.units["cars"]))
    assert is_close(face_picture.getpixel((20, 80)), RED) and is_close(
        face_picture.getpixel((140, 80)), BLUE
    )  # cropped in the middle: both halves are seen
    assert is_close(face_picture.getpixel((2, 2)), RED) and is_close(face_picture.getpixel((157, 157)), BLUE)
    bled = dots(face(game, game.units["cars"], bleed=1))
    assert (
        bled.size == (180, 180) and is_close(bled.getpixel((1, 90)), RED) and is_close(bled.getpixel((178, 178)), BLUE)
    )
    assert is_close(bled.getpixel((87, 90)), RED) and is_close(
        bled.getpixel((93, 90)), BLUE
    )  # the cut part is where it was


def test_a_picture_can_be_shown_whole(tmp_path: Path) -> None:
    game = load(with_picture(tmp_path, "a.png", two_halves(200, 100), "{file: a.png, fit: contain, text: false}"))
    face_picture = dots(face(game, game.units["cars"]))
    paper = tuple(int(game.nations["red"].colors.fill[i : i + 2], 16) for i in (1, 3, 5))
    assert (
        is_close(face_picture.getpixel((20, 20)), paper)  # type: ignore[arg-type]
        and is_close(face_picture.getpixel((20, 80)), RED)
        and is_close(face_picture.getpixel((20, 140)), paper)  # type: ignore[arg-type]
    )


def words(drawing: svg.Element) -> set[str]:
    return {str(part.text) for part in drawing.iter(f"{{{svg.SVG}}}text")}


def test_texts_stand_on_the_picture_unless_it_says_it_all(tmp_path: Path) -> None:
    game = load(with_picture(tmp_path / "a", "a.png", two_halves(64, 64)))
    assert {"5-3-6", "RED"} <= words(face(game, game.units["cars"]))
    quiet = load(with_picture(tmp_path / "b", "a.png", two_halves(64, 64), "{file: a.png, text: false}"))
    assert not words(face(quiet, quiet.units["cars"]))


def test_backs_variants_types_and_markers(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    for name, color in (("front.png", RED), ("back.png", BLUE)):
        Pictures.new("RGB", (40, 40), color).save(pack / name)
    for file, old, new in (
        (
            "counters.yaml",
            "back: {state: reduced, factors",
            "back: {image: {file: back.png, text: false}, state: reduced, factors",
        ),
        ("counters.yaml", "red: {numbers: 11-13}", "red: {numbers: 11-13, image: {file: front.png, text: false}}"),
        (
            "counters.yaml",
            "turn: {name: Turn, count: 1}",
            "turn: {name: Turn, count: 1, image: {file: front.png, text: false}}",
        ),
        ("map.yaml", "lost: {name: Lost, kind: dead}", "lost: {name: Lost, kind: dead, image: back.png}"),
        ("game.yaml", "gun: Gun", "gun: {name: Gun, image: {file: back.png, fit: cover}}"),
    ):
        path = pack / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, (file, old)
        path.write_text(text.replace(old, new), encoding="utf-8")
    game = load(pack)
    red, blue = game.units["infantry_red"], game.units["infantry_blue"]
    assert is_close(dots(face(game, red)).getpixel((80, 80)), RED) and is_close(
        dots(face(game, red, "back")).getpixel((80, 80)), BLUE
    )
    assert blue.image is None and is_close(dots(face(game, blue, "back")).getpixel((80, 80)), BLUE)
    assert is_close(dots(draw_marker(game, "turn")).getpixel((80, 80)), RED)
    assert is_close(dots(face(game, game.units["gun"])).getpixel((80, 60)), BLUE)
    assert game.maps["main"].boxes["lost"].image is not None
    assert not unprintable(game)


def board_game(folder: Path, hexes: str = "", with_: str = "[]", margin: int = 0) -> tuple[Game, Game]:
    """Two Wells as it is, and with a picture of its own board, with `grown` dots of paper around it."""
    base_game = load("two_wells")
    table = base_game.maps["main"]
    assert isinstance(table, HexMap)
    picture = dots(draw_map(base_game, table))
    scan = Pictures.new("RGB", (picture.width + 3 * margin, picture.height + 2 * margin), "#ffffff")
    scan.paste(picture, (2 * margin, margin))
    pack = copy(folder)
    scan.save(pack / "board.png")
    path = pack / "map.yaml"
    text = path.read_text(encoding="utf-8")
    image = f"    image: {{file: board.png, hexes: {{{hexes}}}, with: {with_}}}\n"
    path.write_text(
        text.replace("    name: The desert\n    grid", f"    name: The desert\n{image}    grid", 1), encoding="utf-8"
    )
    return base_game, load(pack)


def mean_difference(a: Pictures.Image, b: Pictures.Image) -> float:
    """How far two pictures differ, on average, from 0 to 255."""
    assert a.size == b.size
    pairs = zip(a.convert("L").tobytes(), b.convert("L").tobytes(), strict=True)
    return sum(abs(x - y) for x, y in pairs) / (a.width * a.height)


def test_a_board_is_its_picture(tmp_path: Path) -> None:
    base_game, picture_game = board_game(tmp_path)
    base_map, picture_map = base_game.maps["main"], picture_game.maps["main"]
    assert isinstance(base_map, HexMap) and isinstance(picture_map, HexMap)
    assert mean_difference(dots(draw_map(base_game, base_map)), dots(draw_map(picture_game, picture_map))) < 2
    assert not words(draw_map(picture_game, picture_map))  # the numbers are on the picture


def test_two_hexes_put_a_scan_in_its_place(tmp_path: Path) -> None:
    """A scan with a margin lies right to a dot once two hexes say where they are on it; without them it doesn't."""
    base_game = load("two_wells")
    table = base_game.maps["main"]
    assert isinstance(table, HexMap)
    paper, grid, margin = sheet_of(table).paper, table.placed[0].board.grid, 40
    spots = []
    for name in ("0101", "0403"):
        x, y = paper.centre(grid.hex(name))
        spots.append(f'"{name}": [{2 * margin + x * 10:.3f}, {margin + y * 10:.3f}]')
    _, fixed_game = board_game(tmp_path / "a", ", ".join(spots), margin=margin)
    _, loose = board_game(tmp_path / "b", margin=margin)
    drawing = dots(draw_map(base_game, table))
    at_home, astray = fixed_game.maps["main"], loose.maps["main"]
    assert isinstance(at_home, HexMap) and isinstance(astray, HexMap)
    assert (
        mean_difference(drawing, dots(draw_map(fixed_game, at_home)))
        < 2
        < 6
        < mean_difference(drawing, dots(draw_map(loose, astray)))
    )


def test_our_numbers_may_stand_on_a_picture(tmp_path: Path) -> None:
    _, picture_game = board_game(tmp_path, with_="[numbers, grid, names, lines]")
    table = picture_game.maps["main"]
    assert isinstance(table, HexMap)
    assert {"0101", "0403", "West Well"} <= words(draw_map(picture_game, table))


@pytest.mark.parametrize(
    ("hexes", "message"),
    [
        ('"0101": [1, 2], "0909": [3, 4]', "0909"),
        ('"0101": [1, 2]', "name two hexes or more that lie apart both across and down"),
        ('"0101": [1, 2], "0102": [1, 9]', "name two hexes or more that lie apart both across and down"),
        ('"0101": [1], "0403": [5, 6]', "here belong two numbers"),
    ],
)
def test_hexes_that_fix_nothing_are_told(tmp_path: Path, hexes: str, message: str) -> None:
    with pytest.raises(Exception, match=message):
        board_game(tmp_path, hexes)


def test_a_map_of_points_is_its_picture(tmp_path: Path) -> None:
    """A scan of the island with a margin lies right once two points say where they are; what is named is printed over it."""
    base_game = load("island")
    table = base_game.maps["main"]
    assert isinstance(table, PointMap)
    sheet, margin = point_sheet(table), 30
    picture = dots(svg.drawing(sheet.width, sheet.height, [points_group(base_game, table)]), 4)
    scan = Pictures.new("RGB", (picture.width + 3 * margin, picture.height + margin), "#ffffff")
    scan.paste(picture, (2 * margin, margin))
    pack = Path(shutil.copytree(base_game.folder, tmp_path / "island"))
    scan.save(pack / "scan.png")
    known_points = ((key, *sheet.points[key]) for key in ("havn", "east_sea", "south_sea"))
    spots = [f"{key}: [{2 * margin + 4 * x}, {margin + 4 * y}]" for key, x, y in known_points]
    path = pack / "map.yaml"
    text = path.read_text(encoding="utf-8")

    def with_image(image: str) -> None:
        path.write_text(
            text.replace("    name: Skarholm\n", f"    name: Skarholm\n    image: {image}\n", 1), encoding="utf-8"
        )

    with_image(f"{{file: scan.png, points: {{{', '.join(spots)}}}, with: [names]}}")
    picture_game = load(pack)
    picture_map = picture_game.maps["main"]
    assert isinstance(picture_map, PointMap) and unprintable(picture_game) == []
    drawing = svg.drawing(sheet.width, sheet.height, [points_group(picture_game, picture_map)])
    assert mean_difference(picture, dots(drawing, 4)) < 4 and "Kirkeby" in words(drawing)
    with_image("{file: scan.png, points: {havn: [1, 2], nowhere: [3, 4]}}")
    assert [finding.message for finding in check(pack)] == [
        "there is no point 'nowhere'; " + suggest("nowhere", table.points)
    ]
    with_image("{file: scan.png, points: {havn: [1, 2], vik: [1, 4]}}")
    assert "name two points or more that lie apart" in check(pack)[0].message


# --- what is refused --------------------------------------------------------------------------------------------------


def huge_png() -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.png", huge_png(), "a.png is 50,000 by 50,000 dots, and a picture has at most 80 million dots and 20,000 on a side; "
         "make it smaller"),
        ("a.png", b"GIF89a", "a.png is no PNG, JPEG or WebP picture, though its name says so; save it anew"),
        ("a.jpg", b"\xff\xd8\xff", "a.jpg is no PNG, JPEG or WebP picture, though its name says so; save it anew"),
        ("a.gif", b"GIF89a", "a.gif is no picture that can be used; save it as PNG, JPEG, WebP or SVG"),
        ("a.svg", b"<html/>", "a.svg is no SVG drawing, though its name says so; save it anew"),
    ],
)  # fmt: skip
def test_what_is_no_picture_gets_a_sentence(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (finding,) = check(with_picture(tmp_path, name, content))
    assert finding.message == message and Path(finding.path).name == "counters.yaml"


@pytest.mark.parametrize("name", ["../a.png", "/tmp/a.png", "..\\a.png", "C:\\a.png", "link.png", "none.png"])
def test_pictures_stay_inside_the_pack(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.png").write_bytes(two_halves(8, 8))
    pack = with_picture(tmp_path / "pack", "b.png", two_halves(8, 8), f"'{name}'")
    (pack / "link.png").symlink_to(tmp_path / "a.png")
    (finding,) = check(pack)
    assert "leads out of the pack" in finding.message or "there is no file 'none.png'" in finding.message


def test_a_broken_picture_is_told_with_its_line(tmp_path: Path) -> None:
    pack = with_picture(tmp_path, "a.png", two_halves(64, 64)[:80])
    answer = run_command(cli, "check", str(pack))
    assert (
        answer.exit_code == 1
        and "the picture a.png can't be shown" in answer.stdout
        and "counters.yaml:" in answer.stdout
    )
    answer = run_command(cli, "build", str(pack), "--only", "kit", "--out", str(tmp_path / "dist"))
    assert (
        answer.exit_code == 1
        and "the picture a.png can't be shown" in answer.stderr
        and not (tmp_path / "dist").exists()
    )


EVIL = b"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10" onload="alert(1)">
<script>alert(1)</script><style>@import url(http://example.com/a.css);</style><style>.a{fill:#123456}</style>
<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject><animate attributeName="x"/><set/>
<image href="http://example.com/a.png" width="1" height="1"/><image xlink:href="file:///etc/passwd" width="1" height="1"/>
<use href="other.svg#a"/><a href="javascript:alert(1)"><rect width="1" height="1"/></a>
<rect class="a" width="3" height="3" fill="url(http://example.com/#a)" style="filter:url(#f);fill:red" onclick="x()"/>
<rect width="4" height="4" fill="url(#g)"/><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></svg>"""


def test_svgs_are_cleaned() -> None:
    clean_svg = clean(EVIL).content
    for word in (
        b"script",
        b"alert",
        b"example.com",
        b"passwd",
        b"foreignObject",
        b"animate",
        b"onload",
        b"onclick",
        b"import",
        b"other.svg",
        b"filter",
        b"<a ",
        b"<set",
    ):
        assert word not in clean_svg, word
    assert b'fill="url(#g)"' in clean_svg and b".a{fill:#123456}" in clean_svg and b"fill:red" in clean_svg
    assert clean(clean_svg).content == clean_svg


def laughs(levels: int) -> bytes:
    groups = "".join(f'<g id="g{i}">' + f'<use href="#g{i - 1}"/>' * 10 + "</g>" for i in range(1, levels))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path id="g0" d="M0 0"/>{groups}</svg>'.encode()


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (
            b'<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">&a;</svg>',
            "entities",
        ),
        (
            b'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
            "entities",
        ),
        (laughs(9), "more than 200,000 parts"),
        (
            b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><g id="a"><use href="#a"/></g></svg>',
            "in a circle",
        ),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>', "doesn't say how large it is"),
        (b"<svg", "not valid XML"),
        (b'<svg viewBox="0 0 1 1"/>', "its first element isn't svg"),
        (
            b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">' + b"<g/>" * 60_000 + b"</svg>",
            "more than 50,000 parts",
        ),
    ],
)
def test_svgs_that_would_never_end_are_refused(raw: bytes, message: str) -> None:
    with pytest.raises(UnusableDrawing, match=message):
        clean(raw)


def test_pictures_inside_svgs_are_bounded() -> None:
    def holding(png: bytes) -> bytes:
        href = f"data:image/png;base64,{base64.b64encode(png).decode()}"
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><image width="1" height="1" href="{href}"/></svg>'.encode()

    assert b"base64" in clean(holding(two_halves(4, 4))).content
    assert b"base64" not in clean(holding(huge_png())).content


# --- kept, built ------------------------------------------------------------------------------------------------------


def test_a_changed_picture_is_drawn_anew(tmp_path: Path) -> None:
    pack = with_picture(tmp_path, "a.png", two_halves(64, 64), "{file: a.png, text: false}")
    runner = CliRunner()

    def piece() -> object:
        answer = runner.invoke(cli, ["build", str(pack), "--only", "module", "--out", str(tmp_path / "dist")])
        assert answer.exit_code == 0, answer.output
        with zipfile.ZipFile(tmp_path / "dist" / "two_wells" / "two_wells.vmod") as module:
            return Pictures.open(io.BytesIO(module.read("images/cars.png"))).convert("RGB").getpixel((20, 60))

    assert is_close(piece(), RED)
    Pictures.new("RGB", (64, 64), BLUE).save(pack / "a.png")
    assert is_close(piece(), BLUE)


def test_a_box_has_its_picture_in_the_module_too(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    Pictures.new("RGB", (40, 40), BLUE).save(pack / "lost.png")
    path = pack / "map.yaml"
    text = path.read_text(encoding="utf-8").replace(
        "lost: {name: Lost, kind: dead}", "lost: {name: Lost, kind: dead, image: lost.png}"
    )
    path.write_text(text, encoding="utf-8")
    answer = run_command(cli, "build", str(pack), "--only", "module", "--out", str(tmp_path / "dist"))
    assert answer.exit_code == 0, answer.output
    with zipfile.ZipFile(tmp_path / "dist" / "two_wells" / "two_wells.vmod") as module:
        boards = [name for name in module.namelist() if name.endswith(".png")]
        color_counts = [
            Pictures.open(io.BytesIO(module.read(name))).convert("RGB").getcolors(1 << 20) or [] for name in boards
        ]
    assert any(count > 2000 and is_close(color, BLUE) for colors in color_counts for count, color in colors)


def test_set_up_cards_show_the_boards_picture(tmp_path: Path) -> None:
    _, picture_game = board_game(tmp_path)
    small = thumbnail(picture_game, "noon", 60)
    images = list(small.iter(f"{{{svg.SVG}}}image"))
    assert len(images) == 1 and len(str(images[0].get("href"))) < 2_000_000


def test_the_sample_with_pictures_and_a_spreadsheet(tmp_path: Path) -> None:
    game = load("island")
    assert game.types["gunboat"].image is not None and game.card.image is not None
    assert unprintable(game) == []
    answer = run_command(cli, "new", str(tmp_path / "mine"), "--like", "island")
    assert answer.exit_code == 0, answer.output
    assert (tmp_path / "mine" / "counters.csv").is_file() and (tmp_path / "mine" / "pictures" / "gunboat.svg").is_file()
    assert run_command(cli, "check", str(tmp_path / "mine")).exit_code == 0

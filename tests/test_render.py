"""Pictures: dot by dot what another build of the renderer draws, each drawn once, and named when they fail."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pytest
import resvg_py
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

import modgen.render
from art import svg
from art.text import font_files, text
from modgen.cache import Cache
from modgen.render import CannotDraw, Picture, draw, exact, fitting, lots, render_all, with_resolution
from modgen.typesetting import pngs
from modgen.vmod.maps.boards import boards
from scenarios import load


def picture(width: int, height: int, words: str = "Mitla") -> Picture:
    parts = [
        svg.rect(0.3, 0.2, 17, 9, rx=2, fill="#c0261c", fill_opacity=0.5),
        svg.line(0, 0, 30, 20, stroke="#1c55c0", stroke_width=0.4),
        text(words, 15, 12, 5, "bold", fill="#000000"),
    ]
    root = svg.element("svg", parts, width=width, height=height, viewBox="0 0 30 20", preserveAspectRatio="none")
    return Picture(svg.to_bytes(root), width, height)


def on_white(image: Image.Image) -> Image.Image:
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image.convert("RGBA")).convert("RGB")


@pytest.mark.parametrize("size", [(300, 200), (674, 304), (900, 873), (901, 202), (17, 1426)])
def test_it_is_what_resvg_draws(size: tuple[int, int]) -> None:
    sample_picture = picture(*size)
    resvg_png = resvg_py.svg_to_bytes(
        svg_string=sample_picture.svg.decode(),
        width=sample_picture.width,
        height=sample_picture.height,
        skip_system_fonts=True,
        font_files=[str(path) for path in font_files().values()],
    )
    with (
        Image.open(BytesIO(draw({"it": sample_picture})[0])) as our_image,
        Image.open(BytesIO(bytes(resvg_png))) as resvg_image,
    ):
        assert our_image.size == resvg_image.size == size
        counts = ImageChops.difference(on_white(our_image), on_white(resvg_image)).convert("L").histogram()
        assert sum(counts[1:]) <= size[0] * size[1] // 2000, "a dot here and there is rounded otherwise"
        assert not any(counts[24:])


@given(st.integers(1, 5000), st.integers(1, 5000))
def test_a_size_that_is_drawn_dot_by_dot_is_near(width: int, height: int) -> None:
    exact_width, exact_height = exact(width, height)
    assert 0 <= exact_width - width + exact_height - height <= 8 and exact_width >= width and exact_height >= height


def test_pictures_are_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch_sizes: list[int] = []

    def counting(main: str, files: Mapping[str, bytes]) -> list[bytes]:
        batch_sizes.append(len(files))
        return pngs(main, files)

    monkeypatch.setattr(modgen.render, "pngs", counting)
    cache = Cache(tmp_path)
    pictures = {"a": picture(90, 60), "b": picture(90, 60), "c": picture(90, 61)}
    first = render_all(pictures, cache)
    assert sum(batch_sizes) == 2 and first["a"] == first["b"] != first["c"]
    assert render_all(pictures, cache) == first and sum(batch_sizes) == 2
    assert render_all({**pictures, "d": picture(90, 60, "Gidi")}, cache)["d"] != first["a"] and sum(batch_sizes) == 3


def test_in_threads_and_alone_it_is_the_same() -> None:
    pictures = {str(n): picture(600, 400 + n) for n in range(6)}
    assert draw(pictures) == draw(pictures, pool=False)
    shares = lots(list(pictures.items()), 2)
    assert sorted(name for lot in shares for name, _ in lot) == sorted(pictures) and len(shares) == 2


def test_a_picture_that_fails_has_its_name() -> None:
    broken_picture = Picture(b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><g></svg>', 9, 9)
    with pytest.raises(CannotDraw, match="cars-front"):
        draw({"gun-front": picture(9, 9), "cars-front": broken_picture})


def test_a_picture_knows_its_resolution() -> None:
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="16mm" height="8mm" viewBox="0 0 16 8"><rect width="9" height="8"/></svg>'
    fitted_picture, dpi = fitting(drawing, 100)
    with Image.open(BytesIO(with_resolution(draw({"it": fitted_picture})[0], dpi))) as image:
        assert image.size == (63, 32) and image.info["dpi"] == pytest.approx((100, 100), abs=0.1)
        assert image.convert("RGBA").getpixel((10, 10)) == (0, 0, 0, 255)
        assert image.convert("RGBA").getpixel((60, 10)) == (0, 0, 0, 0)


def test_a_very_large_picture_is_drawn_in_bands_and_looks_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    parts, pictures = boards(load("two_wells"), None)
    (picture,) = pictures.values()
    (plain_png,) = draw({"board": picture})
    monkeypatch.setattr("modgen.render.BIG", 0)
    monkeypatch.setattr("modgen.render.BAND", 40 * picture.width)
    (banded_png,) = draw({"board": picture})
    first, second = (Image.open(BytesIO(content)).convert("RGB") for content in (plain_png, banded_png))
    assert parts and first.size == second.size == (picture.width, picture.height)
    assert max(ImageChops.difference(first, second).tobytes()) <= 8

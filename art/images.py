"""A pack's own pictures in drawings: they are cropped, scaled down, cleaned and embedded."""

from __future__ import annotations

import base64
import functools
import io
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from art import svg
from art.cleaning import Clean, clean
from art.svg import Element
from scenarios.files import pack_file
from scenarios.model.images import Image
from scenarios.pack.images import MOST_DOTS
from scenarios.reading.findings import plain_reason

if TYPE_CHECKING:
    import PIL.Image

PER_MM = 24
"""The maximum resolution in pixels for each millimeter: 600 an inch."""
MOST_SIDE = 7000
"""The maximum side of a picture in pixels: 1.2 m at 150 an inch."""
SMALL_SIDE = 1000
"""The maximum side on a set-up card, which shows a small map."""
OPAQUE_QUALITY = 92
PIECE, OVERLAP = 1200, 3
"""The size of the pieces of a board's picture and their overlap, in pixels."""
Fit = Literal["cover", "contain"]
IMAGE_ERRORS = (OSError, ValueError, SyntaxError, EOFError, struct.error, zlib.error)
"""The errors from reading a damaged or missing picture."""


class NoPicture(ValueError):
    """Raised for a picture that can't be shown. The sentence gives the reason."""


class PictureBox(NamedTuple):
    """The box for a picture, in millimeters."""

    x: float
    y: float
    width: float
    height: float


def place_image(folder: Path, image: Image, box: PictureBox, fit: Fit = "cover", bleed: float = 0) -> list[Element]:
    """Place a picture in its box. A picture that fills the box extends into the bleed."""
    actual_fit: Fit = image.fit or fit
    bleed_share = bleed / min(box.width, box.height) if actual_fit == "cover" else 0.0
    href = _ready(
        folder,
        image,
        round(box.width / box.height, 6),
        actual_fit,
        round(bleed_share, 6),
        int(max(box.width, box.height) * PER_MM),
    )
    bled = PictureBox(box.x - bleed, box.y - bleed, box.width + 2 * bleed, box.height + 2 * bleed)
    if actual_fit != "cover" or not bleed:
        return [_element(href, box, actual_fit)]
    if image.file.lower().endswith(".svg"):  # drawn slightly larger below itself
        return [_element(href, bled, actual_fit), _element(href, box, actual_fit)]
    return [_element(href, bled, actual_fit)]


def stretch_image(folder: Path, image: Image, box: PictureBox, max_side: int = MOST_SIDE) -> list[Element]:
    """Stretch a whole picture over a box, whatever its shape. It is used for a board that names the positions of hexes.

    A large picture is split into pieces with a small overlap. A page with a part of a map then has only a part of the picture.
    """
    try:
        pieces = _pieces(image.home(folder), image.file, image.digest, max_side)
    except IMAGE_ERRORS as error:
        raise NoPicture(f"the picture {image.file} can't be shown: {plain_reason(error)}") from None
    return [
        svg.element(
            "image",
            x=box.x + left * box.width,
            y=box.y + top * box.height,
            width=width_share * box.width,
            height=height_share * box.height,
            preserveAspectRatio="none",
            href=href,
        )
        for (left, top, width_share, height_share), href in pieces
    ]


def pinned_box(
    folder: Path, image: Image, spots: Sequence[tuple[tuple[float, float], tuple[float, float]]]
) -> PictureBox:
    """The box of a whole picture, from pixels of it and the points where they belong. It is the best fit for all of them."""
    width, height = dots(folder, image)
    x_scale, left = _line([spot[0] for spot, _ in spots], [target[0] for _, target in spots])
    y_scale, top = _line([spot[1] for spot, _ in spots], [target[1] for _, target in spots])
    return PictureBox(left, top, width * x_scale, height * y_scale)


def _line(xs: Sequence[float], ys: Sequence[float]) -> tuple[float, float]:
    """The slope and start of the straight line that fits the points best."""
    middle, height = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - middle) ** 2 for x in xs)
    slope = sum((x - middle) * (y - height) for x, y in zip(xs, ys, strict=True)) / spread if spread else 1.0
    return slope, height - slope * middle


def dots(folder: Path, image: Image) -> tuple[float, float]:
    """The width and height of a picture in pixels, or of a drawing in its units."""
    try:
        raw = pack_file(image.home(folder), image.file).read_bytes()
        if image.file.lower().endswith(".svg"):
            return _clean_image(raw).size
        with _open_image(raw) as picture:  # reads the header only
            sideways = picture.getexif().get(0x0112, 1) > 4
            return (picture.height, picture.width) if sideways else picture.size
    except IMAGE_ERRORS as error:
        raise NoPicture(f"the picture {image.file} can't be shown: {plain_reason(error)}") from None


def _open_image(raw: bytes) -> PIL.Image.Image:
    """Open a picture by its header. Raises OSError if it is larger than `images.size_of` reported: such a file has two headers."""
    from PIL import Image as Pictures

    try:
        picture = Pictures.open(io.BytesIO(raw))
    except Pictures.DecompressionBombError:
        raise OSError("its data is larger than its header says") from None
    if picture.width * picture.height > MOST_DOTS:
        raise OSError("its data is larger than its header says")
    return picture


def _element(href: str, box: PictureBox, fit: Fit) -> Element:
    aspect_ratio = "xMidYMid slice" if fit == "cover" else "xMidYMid meet"
    return svg.element(
        "image", x=box.x, y=box.y, width=box.width, height=box.height, preserveAspectRatio=aspect_ratio, href=href
    )


def _ready(folder: Path, image: Image, shape: float, fit: Fit, bleed_share: float, max_side: int) -> str:
    try:
        return _href(image.home(folder), image.file, image.digest, shape, fit, bleed_share, min(max_side, MOST_SIDE))
    except IMAGE_ERRORS as error:
        raise NoPicture(f"the picture {image.file} can't be shown: {plain_reason(error)}") from None


@functools.lru_cache(maxsize=1024)
def _href(folder: Path, file: str, digest: str, shape: float, fit: Fit, bleed_share: float, max_side: int) -> str:
    """A picture as the address of an `image` element. It is cropped to `shape` if it covers its box (0: not cropped)."""
    path = pack_file(folder, file)
    raw = path.read_bytes()
    if path.suffix.lower() == ".svg":
        return _address("svg+xml", _clean_image(raw).content)
    return _address(*_raster(raw, shape if fit == "cover" else 0, bleed_share, max_side))


@functools.lru_cache(maxsize=16)
def _pieces(folder: Path, file: str, digest: str, max_side: int) -> list[tuple[tuple[float, float, float, float], str]]:
    """A picture of limited size in pieces, each with its box as fractions of the whole."""
    from PIL import Image as Pictures

    raw = pack_file(folder, file).read_bytes()
    full_extent = (0.0, 0.0, 1.0, 1.0)
    if file.lower().endswith(".svg"):
        return [(full_extent, _address("svg+xml", _stretchable(_clean_image(raw).content)))]
    kind, content = _raster(raw, 0, 0, max_side)
    with Pictures.open(io.BytesIO(content)) as picture:
        width, height = picture.size
        if max(width, height) <= 2 * PIECE:
            return [(full_extent, _address(kind, content))]
        result = []
        for top in range(0, height, PIECE):
            for left in range(0, width, PIECE):
                right, bottom = min(width, left + PIECE + OVERLAP), min(height, top + PIECE + OVERLAP)
                part = io.BytesIO()
                cut = picture.crop((left, top, right, bottom))
                cut.save(part, "PNG") if kind == "png" else cut.save(
                    part, "JPEG", quality=OPAQUE_QUALITY, subsampling=0
                )
                place = (left / width, top / height, (right - left) / width, (bottom - top) / height)
                result.append((place, _address(kind, part.getvalue())))
    return result


def _stretchable(content: bytes) -> bytes:
    """A drawing that stretches to fill any box."""
    return (
        content.replace(b"<svg ", b'<svg preserveAspectRatio="none" ', 1)
        if b"preserveAspectRatio" not in content[:400]
        else content
    )


def _address(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode('ascii')}"


@functools.lru_cache(maxsize=64)
def _clean_image(raw: bytes) -> Clean:
    return clean(raw)


def _raster(raw: bytes, shape: float, bleed_share: float, max_side: int) -> tuple[str, bytes]:
    """Crop a picture to a shape and limit its size. The result is JPEG if it is opaque, else PNG."""
    from PIL import Image as Pictures
    from PIL import ImageOps

    with _open_image(raw) as source:
        kind = source.format
        if kind not in ("PNG", "JPEG", "WEBP"):
            raise OSError("it is no PNG, JPEG or WebP picture")
        is_rotated = source.getexif().get(0x0112, 1) != 1
        if kind == "JPEG" and source.mode == "RGB" and not shape and not is_rotated and max(source.size) <= max_side:
            return "jpeg", raw
        if kind == "JPEG" and not is_rotated:
            source.draft("RGB", (2 * max_side, 2 * max_side))
        picture = ImageOps.exif_transpose(source) if is_rotated else source
        through = "A" in picture.getbands() or "transparency" in picture.info
        picture = picture.convert("RGBA" if through else "RGB")
    if shape:
        width, height = picture.size
        if width > height * shape:
            new = max(1, round(height * shape))
            picture = picture.crop(((width - new) // 2, 0, (width - new) // 2 + new, height))
        else:
            new = max(1, round(width / shape))
            picture = picture.crop((0, (height - new) // 2, width, (height - new) // 2 + new))
    if max(picture.size) > max_side:
        scale = max_side / max(picture.size)
        picture = picture.resize(
            (max(1, round(picture.width * scale)), max(1, round(picture.height * scale))), Pictures.Resampling.LANCZOS
        )
    if bleed_share:  # the edge is extended below the picture, so that a cut slightly off shows no paper
        edge = max(1, round(bleed_share * min(picture.size)))
        backdrop = picture.resize((picture.width + 2 * edge, picture.height + 2 * edge), Pictures.Resampling.BILINEAR)
        backdrop.paste(picture, (edge, edge))
        picture = backdrop
    content = io.BytesIO()
    if through:
        picture.save(content, "PNG")
        return "png", content.getvalue()
    if kind == "PNG":
        picture.save(content, "PNG")
        if len(content.getvalue()) < 200_000:
            return "png", content.getvalue()
        content = io.BytesIO()
    picture.save(content, "JPEG", quality=OPAQUE_QUALITY, subsampling=0)
    return "jpeg", content.getvalue()


def text_over_image(texts: Sequence[Element], paper: str) -> list[Element]:
    """Texts on a picture, with an outline in the color of the paper. They are then readable on any background."""
    from copy import deepcopy

    result: list[Element] = []
    for part in texts:
        rim = deepcopy(part)
        for element in rim.iter(f"{{{svg.SVG}}}text"):
            size = float(element.get("font-size") or 2)
            element.set("stroke", paper)
            element.set("stroke-width", svg.number(max(0.35, size * 0.2)))
            element.set("stroke-linejoin", "round")
            element.set("fill", paper)
        result += [rim, part]
    return result


def toned_picture(address: str, tone: str) -> str:
    """A pixel picture in a tone: lighter to save ink, or gray. Drawings stay as they are."""
    from PIL import Image as Pictures

    kind, _, content = address.removeprefix("data:image/").partition(";base64,")
    if kind not in ("png", "jpeg"):
        return address
    with Pictures.open(io.BytesIO(base64.b64decode(content))) as source:
        picture = source.convert("RGBA")
    alpha, colors = picture.getchannel("A"), picture.convert("RGB")
    if "ink-saver" in tone:
        colors = Pictures.blend(colors, Pictures.new("RGB", colors.size, "#ffffff"), 0.55)
    if "grey" in tone:
        colors = colors.convert("L").convert("RGB")
    output = io.BytesIO()
    if kind == "png":
        colors.putalpha(alpha)
        colors.save(output, "PNG")
    else:
        colors.save(output, "JPEG", quality=OPAQUE_QUALITY, subsampling=0)
    return _address(kind, output.getvalue())

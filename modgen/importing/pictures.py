"""The pictures of a module, looked up as the engine does. Their size is read before they are opened and has a limit."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from PIL import Image, UnidentifiedImageError

from scenarios.pack.images import LONGEST_SIDE, MOST_BYTES, MOST_DOTS, size_of

SMALL = 1_000_000
"""The greatest number of pixels of a picture that is searched for visible dots."""
FILE_ENDINGS = {"PNG": ".png", "JPEG": ".jpg", "WEBP": ".webp"}
"""The formats that a pack accepts unchanged, by Pillow's names."""
ENDINGS = ("", ".png", ".gif", ".jpg", ".jpeg", ".svg")
"""Old modules omit the extension."""
SVG = (".svg",)
IMAGE_ERRORS = (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError)


class PictureTooLarge(Exception):
    """The picture is too large to open; the text says why."""


@dataclass
class Pictures:
    """The pictures of a module by the names that its pieces and boards use."""

    files: Mapping[str, bytes]
    missing: dict[str, None] = field(default_factory=dict)
    broken_images: dict[str, None] = field(default_factory=dict)
    _sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    _blank: dict[str, bool] = field(default_factory=dict)

    @cached_property
    def _names_by_lowercase(self) -> Mapping[str, str]:
        return {name.removeprefix("images/").lower(): name for name in self.files if name.startswith("images/")}

    def content(self, name: str) -> bytes | None:
        """The bytes of a picture. If it is missing, this is None and goes into the report."""
        for ending in ENDINGS:
            image_bytes = self.files.get(f"images/{name}{ending}")
            if image_bytes is None and f"{name}{ending}".lower() in self._names_by_lowercase:
                image_bytes = self.files[self._names_by_lowercase[f"{name}{ending}".lower()]]
            if image_bytes is not None:
                return image_bytes
        self.missing[name] = None
        return None

    def size(self, name: str) -> tuple[int, int]:
        """Width and height from the header of the file; zero if it is missing or broken."""
        if name not in self._sizes:
            self._sizes[name] = self._size(name)
        return self._sizes[name]

    def _size(self, name: str) -> tuple[int, int]:
        content = self.content(name)
        if content is None:
            return 0, 0
        if is_svg(name, content):
            return _svg_size(content)
        # Only from the header, before Pillow reads the file: Pillow refuses huge pictures without giving their size.
        with contextlib.suppress(ValueError, IndexError):
            _no_larger(name, *size_of(content, name))
        try:
            with Image.open(io.BytesIO(content)) as picture:
                size = picture.size
        except IMAGE_ERRORS:
            self.broken_images[name] = None
            return 0, 0
        _no_larger(name, *size)
        return size

    def blank(self, name: str) -> bool:
        """Whether a small picture is invisible. Modules put such pictures over spaces to catch mouse clicks."""
        if name not in self._blank:
            width, height = self.size(name)
            self._blank[name] = 0 < width * height <= SMALL and self._seen_through(name)
        return self._blank[name]

    def _seen_through(self, name: str) -> bool:
        content = self.content(name) or b""
        try:
            with Image.open(io.BytesIO(content)) as picture:
                if picture.mode not in ("RGBA", "LA", "PA", "P"):
                    return False
                return picture.convert("RGBA").getchannel("A").getextrema()[1] == 0
        except IMAGE_ERRORS:
            return False

    def open_image(self, name: str) -> Image.Image | None:
        """A bitmap picture; None if it is missing, a vector drawing (SVG) or broken."""
        content = self.content(name)
        if content is None or not all(self.size(name)) or is_svg(name, content):
            return None
        try:
            with Image.open(io.BytesIO(content)) as picture:
                return picture.convert("RGBA")
        except IMAGE_ERRORS:
            self.broken_images[name] = None
            return None

    def pack_image(self, name: str) -> tuple[str, bytes] | None:
        """A picture in a format of a pack, and the extension of its file; None if it is missing or broken."""
        content = self.content(name)
        if content is None:
            return None
        if is_svg(name, content):
            return ".svg", content
        if not all(self.size(name)):
            return None
        with Image.open(io.BytesIO(content)) as picture:
            kind = FILE_ENDINGS.get(picture.format or "")
        if kind is not None and len(content) <= MOST_BYTES:
            return kind, content
        image = self.open_image(name)
        if image is not None and len(content) > MOST_BYTES:
            return ".jpg", as_jpeg(image)
        return (".png", as_png(image)) if image is not None else None


def _no_larger(name: str, width: int, height: int) -> None:
    if width * height > MOST_DOTS or max(width, height) > LONGEST_SIDE:
        limit = f"{MOST_DOTS // 1_000_000} million and {LONGEST_SIDE:,} on a side"
        raise PictureTooLarge(
            f"the picture {name} has {width:,} by {height:,} pixels, more than {limit}; make it smaller in the module"
        )


def is_svg(name: str, content: bytes) -> bool:
    """Whether a picture is a vector drawing."""
    return name.lower().endswith(SVG) or content[:200].lstrip().startswith((b"<svg", b"<?xml"))


def _svg_size(content: bytes) -> tuple[int, int]:
    head = content[:4000].decode("utf-8", "replace")
    matches = [re.search(rf'<svg[^>]*\s{key}="([0-9.]{{1,9}})', head) for key in ("width", "height")]
    if matches[0] and matches[1]:
        return int(float(matches[0][1])), int(float(matches[1][1]))
    box = re.search(r'viewBox="[-0-9.]+[ ,]+[-0-9.]+[ ,]+([0-9.]{1,9})[ ,]+([0-9.]{1,9})', head)
    return (int(float(box[1])), int(float(box[2]))) if box else (100, 100)


def as_png(picture: Image.Image) -> bytes:
    """A picture as a PNG file."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=4)
    return buffer.getvalue()


def as_jpeg(picture: Image.Image) -> bytes:
    """A picture as a JPEG file, used for maps, which would be ten times as large otherwise."""
    buffer = io.BytesIO()
    picture.convert("RGB").save(buffer, "JPEG", quality=88)
    return buffer.getvalue()

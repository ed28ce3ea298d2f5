"""The look of a piece: pictures of its front and back, combined from its layers as the engine draws them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PIL import Image

from modgen.importing.pictures import Pictures, as_png
from scenarios.vassal.commands import Trait
from scenarios.vassal.sequence import split

PICTURES, LABELS, NAME, ALWAYS, SCALE = 15, 16, 18, 25, 30
"""The fields in the type of a layer: pictures, their labels, the name, whether it is always on, the scale."""

LARGEST = 4_000_000
"""The greatest number of pixels of a picture that is combined with others."""


class LayerImage(NamedTuple):
    """A picture of a piece: its name in the module, and the offset of its center from the piece's."""

    picture: str
    x: int = 0
    y: int = 0
    scale: float = 1.0


@dataclass(frozen=True)
class Layer:
    """A layer of a piece: its pictures, and the number of the visible one."""

    name: str
    pictures: tuple[str, ...]
    labels: tuple[str, ...]
    level: int
    """Counted from one; zero or less if the layer is off."""
    always: bool
    command: str
    x: int
    y: int
    scale: float

    @property
    def current_image(self) -> LayerImage | None:
        """The visible picture."""
        return self.image_at(self.level)

    def image_at(self, level: int) -> LayerImage | None:
        """The picture at a level."""
        picture = self.pictures[level - 1] if 0 < level <= len(self.pictures) else ""
        return LayerImage(picture, self.x, self.y, self.scale) if picture else None

    @property
    def title(self) -> str:
        """The layer's name for players: its name, its command or the label of its first picture."""
        label = next((label.strip(" +()") for label in self.labels if label), "")
        text = self.name or self.command or label
        return text.replace("_", " ").capitalize() if "_" in text else text


@dataclass(frozen=True)
class ImportedFace:
    """One side of a piece: pictures from the bottom up; none if the side is invisible."""

    parts: tuple[LayerImage, ...]

    @property
    def key(self) -> str:
        """A key that faces with the same look share."""
        return "|".join(
            f"{p.picture}@{p.x},{p.y}*{p.scale:g}" if (p.x, p.y, p.scale) != (0, 0, 1.0) else p.picture
            for p in self.parts
        )


@dataclass(frozen=True)
class PieceFaces:
    """A piece's front and back, the layer that flips it, and layers that can be switched on."""

    front: ImportedFace
    back: ImportedFace
    turns: Layer | None
    other_layers: tuple[Layer, ...]
    is_concealed: bool = False
    """Whether the piece shows nothing at first. Then its front is the face that it may show later."""

    @property
    def extra_faces(self) -> int:
        """The number of further faces in the layer that flips the piece."""
        return max(0, len(self.turns.pictures) - 2) if self.turns is not None else 0


def looks(traits: Sequence[Trait], pictures: Pictures) -> PieceFaces:
    """The front, back and layers of a piece."""
    trait_layers = tuple(layers(traits))
    base = _base(traits)
    visible = [layer for layer in reversed(trait_layers) if layer.current_image is not None]
    size = max(
        [
            _area(pictures, base),
            *(_area(pictures, layer.current_image.picture) for layer in visible if layer.current_image),
        ],
        default=0,
    )
    turns = _turning(trait_layers, pictures, size)
    fronts = [LayerImage(base)] if base else []
    backs = list(fronts)
    for layer in visible:
        assert layer.current_image is not None
        fronts.append(layer.current_image)
        turned_face = (
            layer.image_at(2 if layer.level == 1 else 1) if layer is turns and layer.always else layer.current_image
        )
        backs += [turned_face] if turned_face is not None else []
    if turns is not None and turns.level <= 0 and (turned_face := turns.image_at(abs(turns.level) or 1)) is not None:
        backs.append(turned_face)
    mask = _mask(traits)
    if turns is None:
        backs = [LayerImage(mask)] if mask else []
    other_layers = tuple(layer for layer in trait_layers if layer is not turns)
    front, back_face = ImportedFace(_drop_covered(fronts, pictures)), ImportedFace(_drop_covered(backs, pictures))
    is_hidden = not front.parts and not back_face.parts
    if is_hidden:
        front = ImportedFace(
            _drop_covered([LayerImage(name) for layer in trait_layers for name in layer.pictures if name], pictures)[:1]
        )
    return PieceFaces(front, back_face, turns, other_layers, is_hidden and bool(front.parts))


def _drop_covered(parts: Sequence[LayerImage], pictures: Pictures) -> tuple[LayerImage, ...]:
    """The pictures that aren't wholly under one at least as large, which is assumed to be opaque."""
    result: list[LayerImage] = []
    for part in parts:
        size = pictures.size(part.picture)
        if pictures.blank(part.picture):
            continue
        if (part.x, part.y) == (0, 0) and part.scale >= 1:
            result = [
                lower_part
                for lower_part in result
                if not all(a <= b for a, b in zip(pictures.size(lower_part.picture), size, strict=True))
            ]
        if all(size):
            result.append(part)
    return tuple(result)


def _turning(trait_layers: Sequence[Layer], pictures: Pictures, size: int) -> Layer | None:
    """The layer with the piece's other side: at least two pictures as large as the piece, or one that can be switched on."""
    for layer in trait_layers:
        large = [picture for picture in layer.pictures if picture and 2 * _area(pictures, picture) >= size > 0]
        if (
            len(large) >= 2
            and layer.always
            and layer.current_image is not None
            and layer.current_image.picture in large
        ):
            return layer
    for layer in trait_layers:
        shown_face = layer.image_at(abs(layer.level) or 1)
        is_off = not layer.always and layer.level <= 0 and (layer.x, layer.y) == (0, 0)
        if is_off and shown_face is not None and 10 * _area(pictures, shown_face.picture) >= 9 * size > 0:
            return layer
    return None


def _area(pictures: Pictures, name: str) -> int:
    width, height = pictures.size(name) if name else (0, 0)
    return width * height


def layers(traits: Sequence[Trait]) -> Iterator[Layer]:
    """The layers of a piece, from the outside in."""
    for trait in traits:
        kind, _, arguments = trait.type.partition(";")
        if kind != "emb2":
            continue
        fields = [*split(arguments, ";"), *[""] * 32]
        level = split(trait.state, ";")[0]
        number = int(level) if level.lstrip("-").isdecimal() and len(level) < 6 else 1
        always = fields[ALWAYS] == "true" if fields[ALWAYS] else not (fields[0] or fields[2])
        pictures = tuple(split(fields[PICTURES], ","))
        if any(pictures):
            yield Layer(
                fields[NAME],
                pictures,
                tuple(split(fields[LABELS], ",")),
                max(1, abs(number)) if always else number,
                always,
                fields[0],
                _number(fields[13]),
                _number(fields[14]),
                _scale(fields[SCALE]),
            )


def _number(text: str) -> int:
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 7 else 0


def _scale(text: str) -> float:
    try:
        scale = float(text or 1)
    except ValueError:
        return 1.0
    return scale if 0.01 <= scale <= 20 else 1.0


def _base(traits: Sequence[Trait]) -> str:
    fields = split(traits[-1].type, ";") if traits else []
    return fields[3] if len(fields) > 3 and fields[0] == "piece" else ""


def _mask(traits: Sequence[Trait]) -> str:
    """The picture of a concealed piece for other players: the back of a card."""
    for trait in traits:
        if trait.type.startswith("obs;"):
            fields = split(trait.type, ";")
            return fields[2] if len(fields) > 2 else ""
    return ""


def compose_face(face: ImportedFace, pictures: Pictures) -> tuple[str, bytes] | None:
    """The picture of a face and the extension of its file; None if the face is invisible."""
    parts = [part for part in face.parts if all(pictures.size(part.picture))]
    if not parts:
        return None
    small = all(_area(pictures, part.picture) <= LARGEST for part in parts)
    images = [(part, pictures.open_image(part.picture)) for part in parts] if len(parts) > 1 and small else []
    if len(images) < 2 or any(picture is None for _, picture in images):
        largest = max(parts, key=lambda part: _area(pictures, part.picture))
        return pictures.pack_image(largest.picture)
    scaled_images = [
        (part, picture if part.scale == 1 else picture.resize(_times(picture.size, part.scale)))
        for part, picture in images
        if picture is not None
    ]
    left, top, right, bottom = (0, 0, 0, 0)
    for part, picture in scaled_images:
        half_size = picture.width / 2, picture.height / 2
        left, top = min(left, int(part.x - half_size[0])), min(top, int(part.y - half_size[1]))
        right, bottom = max(right, int(part.x + half_size[0])), max(bottom, int(part.y + half_size[1]))
    canvas = Image.new("RGBA", (max(1, min(right - left, 4000)), max(1, min(bottom - top, 4000))))
    for part, picture in scaled_images:
        canvas.alpha_composite(
            picture, (max(0, int(part.x - picture.width / 2) - left), max(0, int(part.y - picture.height / 2) - top))
        )
    return ".png", as_png(canvas)


def _times(size: tuple[int, int], scale: float) -> tuple[int, int]:
    return max(1, min(4000, round(size[0] * scale))), max(1, min(4000, round(size[1] * scale)))

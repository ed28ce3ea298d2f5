"""Checks that a pack's files alone can't make: whether texts fit their pieces, and whether pictures exist."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from art.color import MIN_DIFFERENCE, nearest
from art.counters.face import NoRoom, layout_of
from art.counters.marker_pictures import PICTURES
from art.counters.silhouettes import SILHOUETTES
from art.counters.symbols import MARKS, NO_SIGN, SIZES
from art.images import NoPicture, PictureBox, place_image
from modgen.kit.faces import SIDES, piece_group
from modgen.kit.sheets import PrintedPiece, copy_numbers
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.images import Image
from scenarios.model.points import PointMap
from scenarios.reading.findings import Finding, suggest
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Record, place


def unprintable(game: Game) -> list[Finding]:
    """Every counter and marker with a text that is too long, a missing picture, or something that no side shows."""
    if images := sorted({node.find(message) for node, message in _no_images(game)}):
        return images
    problems = (*_too_long(game), *_no_pictures(game), *_no_sizes(game), *_no_numbers(game))
    return sorted({node.find(message) for node, message in problems})


def _no_images(game: Game) -> Iterator[tuple[Node, str]]:
    """The pack's own pictures that can't be shown."""
    image_owners: list[tuple[Record, Image | None]] = [(game.card, game.card.image)]
    image_owners += [(word, word.image) for word in game.types.values()]
    image_owners += [(marker, marker.image) for marker in game.markers.values()]
    image_owners += [(board.shape, board.shape.image) for board in game.boards.values()]
    image_owners += [(game.card, map.image) for map in game.maps.values() if isinstance(map, PointMap)]
    image_owners += [(box, box.image) for map in game.maps.values() for box in map.boxes.values()]
    image_owners += [(unit.counter, image) for unit in game.units.values() for image in (unit.image, unit.back_image)]
    for record, image in image_owners:
        if image is not None:
            try:
                place_image(game.folder, image, PictureBox(0, 0, 16, 16))
            except NoPicture as error:
                yield place(image, "file") if image.node is not None else place(record, "image"), str(error)


def _no_sizes(game: Game) -> Iterator[tuple[Node, str]]:
    """Sizes that no counter shows, because they have no symbol and no layout has them as a word."""
    for unit in game.units.values():
        if unit.size and unit.size not in (*SIZES, *NO_SIGN) and not _shows(game, unit, "size"):
            message = f"no mark stands for the size {unit.size!r}; {suggest(unit.size, SIZES)}, or show the word with {{size}} in a layout"
            yield place(unit.counter, "size"), message


def _no_numbers(game: Game) -> Iterator[tuple[Node, str]]:
    """Printed numbers that no counter shows."""
    for unit in game.units.values():
        if unit.numbers and not _shows(game, unit, "number"):
            variant = unit.counter.variants.get(unit.nation)
            node = place(unit.counter, "numbers") if variant is None else place(variant, "numbers")
            message = f"the layout of {unit.id} shows no numbers; put {{number}} into one of its spots, or write `count` instead"
            yield node, message


def _shows(game: Game, unit: Unit, word: str) -> bool:
    """Whether one of the slots in a counter's layout has a word."""
    return any(re.search(rf"\{{{word}[?}}]", spot) for spot in layout_of(game, unit).spots.values())


def similar_colors(game: Game) -> list[Finding]:
    """Enemy nations whose colors some people can't distinguish."""
    findings = []
    for a, b in sorted(enemies(game)):
        first_nation, second_nation = game.nations[a], game.nations[b]
        color_distance, manner = nearest(first_nation.colors.fill, second_nation.colors.fill)
        if color_distance < MIN_DIFFERENCE:
            message = (
                f"the counters of {first_nation.name} ({first_nation.colors.fill}) and "
                f"{second_nation.name} ({second_nation.colors.fill}) look alike {manner}: "
                f"they differ by {color_distance:.1f}, and should by {MIN_DIFFERENCE:g} or more; make one of them lighter or darker"
            )
            findings.append(place(first_nation, "colors").find(message))
    return sorted(set(findings))


def enemies(game: Game) -> set[tuple[str, str]]:
    """The nations that fight each other, in the pack or in one of its scenarios."""
    side_maps = [{key: nation.side for key, nation in game.nations.items()}]
    for scenario in game.scenarios.values():
        side_by_nation = {nation: key for key, side in scenario.sides.items() for nation in side.nations}
        side_maps += [side_by_nation] if side_by_nation else []
    return {
        (a, b)
        for side_by_nation in side_maps
        for a, b in combinations(side_by_nation, 2)
        if side_by_nation[a] != side_by_nation[b]
    }


def _no_pictures(game: Game) -> Iterator[tuple[Node, str]]:
    """Symbols with an unknown name."""
    signs = {*MARKS, *SILHOUETTES}
    for unit in game.units.values():
        if unit.symbol and unit.symbol not in signs:
            message = f"there is no symbol {unit.symbol!r}; {suggest(unit.symbol, signs)}"
            yield place(unit.counter, "symbol"), message
    for key, word in game.types.items():
        if word.symbol and word.symbol not in signs:
            yield place(word, "symbol"), f"there is no symbol {word.symbol!r} for {key}; {suggest(word.symbol, signs)}"
    for marker in game.markers.values():
        if marker.symbol not in (*PICTURES, "", "none"):
            yield place(marker, "symbol"), f"there is no picture {marker.symbol!r}; {suggest(marker.symbol, PICTURES)}"


def _too_long(game: Game) -> Iterator[tuple[Node, str]]:
    for key, unit in game.units.items():
        node = place(unit.counter, "variants", unit.nation) if unit.counter.variants else place(unit.counter, "name")
        yield from ((node, message) for message in _faces(game, PrintedPiece("unit", key, "", unit.side)))
    for key, marker in game.markers.items():
        node = place(marker, "name")
        yield from ((node, message) for message in _faces(game, PrintedPiece("marker", key, "", marker.side)))


def _faces(game: Game, piece: PrintedPiece) -> Iterator[str]:
    """The first text that doesn't fit a piece, without a number or with its longest number."""
    copies: Sequence[str] = sorted({"", max(copy_numbers(game, piece), key=len, default="")})
    for copy in copies:
        for side in SIDES:
            try:
                piece_group(game, piece._replace(copy=copy), side)
            except NoRoom as error:
                yield str(error)
                return

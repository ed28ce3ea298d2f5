"""The silhouettes: each inside its ground, none like another, one for every type that a pack shows with one."""

from functools import cache
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from art import svg
from art.counters.face import layout_of
from art.counters.silhouettes import SILHOUETTES, silhouette
from scenarios.pack.loading import load
from scenarios.pack.pack_folder import shipped_games

resvg_py = pytest.importorskip("resvg_py")

WIDTH, HEIGHT, ROOM, ZOOM = 24, 12, 4, 20
INK, SHADE = "#000000", "#ff0000"
TANKS = ["tank_t34", "tank_t55", "tank_t62", "tank_t10", "tank_centurion", "tank_sherman", "tank_patton"]
FOOT = {"infantry", "commando", "engineer", "construction_engineer"}
"""Types that keep their military symbol."""


@cache
def paint_silhouette(name: str, zoom: int = ZOOM) -> Image.Image:
    """A silhouette on a canvas with room around its ground."""
    sheet = svg.element(
        "svg",
        [silhouette(name, INK, SHADE)],
        width=WIDTH + 2 * ROOM,
        height=HEIGHT + 2 * ROOM,
        viewBox=f"{-ROOM} {-ROOM} {WIDTH + 2 * ROOM} {HEIGHT + 2 * ROOM}",
    )
    data = resvg_py.svg_to_bytes(svg_string=svg.to_bytes(sheet).decode(), zoom=zoom)
    return Image.open(BytesIO(bytes(data))).convert("RGBA")


def share(mask: Image.Image, zoom: int) -> float:
    """The share of the ground that a mask covers."""
    return sum(i * n for i, n in enumerate(mask.histogram())) / 255 / (WIDTH * HEIGHT * zoom * zoom)


@cache
def ink_only(name: str) -> Image.Image:
    """Where the ink is, small, as a mask."""
    small = paint_silhouette(name, 8)
    return ImageChops.subtract(small.getchannel("A"), small.getchannel("R"))


def differing(first_name: str, second_name: str) -> float:
    """The share of the ground where just one of two has ink."""
    return share(ImageChops.difference(ink_only(first_name), ink_only(second_name)), 8)


@pytest.mark.parametrize("name", SILHOUETTES)
def test_inside_its_ground(name: str) -> None:
    box = paint_silhouette(name).getchannel("A").point([0] * 9 + [255] * 247).getbbox()
    assert box is not None
    left, top, right, low = (edge / ZOOM - ROOM for edge in box)
    assert left >= 0.2 and right <= 23.8, f"from {left} to {right}"
    assert top >= 0.4 and low <= 11.4, f"from {top} to {low}"


@pytest.mark.parametrize("name", SILHOUETTES)
def test_neither_thin_nor_a_blot(name: str) -> None:
    assert 0.12 <= share(ink_only(name), 8) <= 0.6


@pytest.mark.parametrize("name", SILHOUETTES)
def test_stands_or_flies_across_the_ground(name: str) -> None:
    """Wide enough to be seen, in the middle, and on its wheels unless it flies."""
    box = paint_silhouette(name).getchannel("A").getbbox()
    assert box is not None
    left, _, right, low = (edge / ZOOM - ROOM for edge in box)
    assert right - left > 15
    assert abs((left + right) / 2 - WIDTH / 2) < 2
    assert low > 11 or name.startswith("jet") or name in ("helicopter", "gunship")


@pytest.mark.parametrize("name", SILHOUETTES)
def test_two_tones_and_no_others(name: str) -> None:
    root = silhouette(name, INK, SHADE)
    colors = {node.get(key) for node in root.iter() for key in ("fill", "stroke")} - {None, "none"}
    assert colors == {INK, SHADE}


def test_main_tanks_are_told_apart() -> None:
    for first_tank, second_tank in combinations(TANKS, 2):
        assert differing(first_tank, second_tank) > 0.08, f"{first_tank} looks like {second_tank}"


def test_no_two_are_alike() -> None:
    for first_name, second_name in combinations(SILHOUETTES, 2):
        assert differing(first_name, second_name) > 0.02, f"{first_name} looks like {second_name}"


def test_the_same_bytes_every_time() -> None:
    for name in SILHOUETTES:
        assert svg.to_bytes(silhouette(name, INK, SHADE)) == svg.to_bytes(silhouette(name, INK, SHADE))


@pytest.mark.parametrize("pack", shipped_games())
def test_every_type_shown_so_has_one(pack: str) -> None:
    game = load(pack)
    unit_types = {unit.type for unit in game.units.values() if layout_of(game, unit).picture == "silhouette"}
    expected_symbols = {game.types[kind].symbol or kind for kind in unit_types - FOOT}
    assert expected_symbols <= set(SILHOUETTES)


def test_every_vehicle_of_the_arab_israeli_wars_has_one() -> None:
    assert set(load("arab_israeli_wars").types) - FOOT <= set(SILHOUETTES)

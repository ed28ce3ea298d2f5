"""Counters, markers, charts and set-up thumbnails: legible, complete, the same each time."""

from __future__ import annotations

import functools
from itertools import combinations
from pathlib import Path

import pytest

from art import svg
from art.charts import chart_group, headed, shown, spoken
from art.color import EYES, ciede2000, contrast, difference
from art.counters import FRAME_TOP, FRAME_WIDE, SIZE, SMALLEST, NoRoom, Side, face, face_group, layout_of
from art.gallery import DOCS, pages
from art.grid import LEAST
from art.markers import colors_of, marker, marker_group, picture_of
from art.pictures import PICTURES
from art.setup import marks, thumbnail
from art.silhouettes import SILHOUETTES
from art.svg import Element
from art.symbols import MARKS, SIZES
from modgen.printable import enemies
from scenarios.game import Game
from scenarios.loading import load, samples, shipped
from scenarios.scenario import called
from tests.art_boxes import Ink, texts
from tests.packs import TWO_WELLS, broken

GAMES = shipped()
FACES: tuple[Side, Side] = ("front", "back")


@functools.cache
def game(game_id: str) -> Game:
    return load(game_id)


def legible(drawn: Element, who: str, least: float, right: float, bottom: float) -> list[Ink]:
    """The texts of a drawing, after a look that all can be read: large enough, apart, inside."""
    found = list(texts(drawn))
    for ink in found:
        assert ink.size >= least - 1e-6, f"{who}: {ink.words!r} is {ink.size:.2f} mm"
        inside = min(ink.left, ink.top) >= -0.01 and ink.right <= right + 0.01 and ink.bottom <= bottom + 0.01
        assert inside, f"{who}: {ink.words!r} leaves the paper: {ink}"
    ordered = sorted(found, key=lambda ink: ink.top)
    for i, one in enumerate(ordered):
        for other in ordered[i + 1 :]:
            if other.top >= one.bottom:
                break
            assert not one.overlaps(other), f"{who}: {one.words!r} and {other.words!r} overlap"
    return found


@pytest.mark.parametrize("game_id", GAMES)
def test_every_face_of_every_counter_is_legible(game_id: str) -> None:
    held = game(game_id)
    for unit in held.units.values():
        for side in FACES:
            for copy in dict.fromkeys(
                [unit.numbers[0] if unit.numbers else "", max(unit.numbers, key=len, default="")]
            ):
                found = legible(face_group(held, unit, side, copy), f"{unit.id} {side}", SMALLEST, SIZE, SIZE)
                assert found or not unit.name, unit.id


@pytest.mark.parametrize("game_id", GAMES)
def test_no_text_touches_the_frame_of_a_symbol(game_id: str) -> None:
    held = game(game_id)
    for unit in held.units.values():
        layout = layout_of(held, unit)
        if layout.picture != "symbol":
            continue
        below = layout.spots.keys() & {"top_left", "top_right"}
        top, wide = (FRAME_TOP + 0.7, FRAME_WIDE - 1.2) if below else (FRAME_TOP, FRAME_WIDE)
        left, high, pen = (SIZE - wide) / 2, wide * 2 / 3, 0.2
        frame = Ink("the frame", 1, left - pen, top - pen, left + wide + pen, top + high + pen)
        for copy in unit.numbers or ("",):
            for ink in texts(face_group(held, unit, "front", copy)):
                inside = (
                    frame.left < ink.left
                    and ink.right < frame.right
                    and frame.top < ink.top
                    and ink.bottom < frame.bottom
                )
                assert inside or not ink.overlaps(frame), f"{unit.id}: {ink.words!r} touches the symbol"
                if copy and ink.words == copy and ink.top > frame.bottom - 0.2:
                    assert ink.top - frame.bottom >= 0.5, f"{unit.id}: {copy} is too near the symbol"


@pytest.mark.parametrize("game_id", GAMES)
def test_counters_have_pictures_layouts_and_known_sizes(game_id: str) -> None:
    held = game(game_id)
    assert held.layouts
    for unit in held.units.values():
        kind = held.types[unit.type]
        name = unit.symbol or kind.symbol or unit.type
        layout = layout_of(held, unit)
        assert layout in held.layouts.values()
        assert name in MARKS or (layout.picture == "silhouette" and name in SILHOUETTES), (
            f"{unit.id}: no picture of {name}"
        )
        assert not unit.size or unit.size in SIZES or unit.size in ("squadrons", "missiles", "regional defense"), (
            unit.size
        )


@pytest.mark.parametrize("game_id", GAMES)
def test_counters_show_their_factors(game_id: str) -> None:
    """Every strength and movement of the front is printed on it, and on the back what differs."""
    held = game(game_id)
    printed = {
        "attack",
        "defense",
        "movement",
        "range",
        "weapon",
        "barrage",
        "strength",
        "bracket",
        "leader",
        "umbrella",
    }
    printed |= {"combat", "strike", "shifts", "supply_range", "sam_range"}
    for unit in held.units.values():
        for side, factors in zip(FACES, (unit.factors, unit.back), strict=True):
            if factors is None or (unit.back_state == "bridge" and side == "back"):
                continue
            copy = unit.numbers[0] if unit.numbers else ""
            said = " ".join(ink.words for ink in texts(face_group(held, unit, side, copy)))
            for key, value in factors.items():
                if key in printed and not ("barrage" in factors and key == "attack"):
                    assert str(value).replace("1/2", "½") in said, f"{unit.id} {side}: {key} {value} not in {said!r}"


@pytest.mark.parametrize("game_id", GAMES)
def test_every_marker_is_legible_and_has_a_picture(game_id: str) -> None:
    held = game(game_id)
    for key, one in held.markers.items():
        assert picture_of(key, one) in PICTURES, key
        for side in FACES:
            for copy in dict.fromkeys(["", one.numbers[0][0] if one.numbers else ""]):
                found = legible(marker_group(held, key, copy, side), f"{key} {side}", SMALLEST, SIZE, SIZE)
                said = " ".join(ink.words for ink in found)
                if side == "front" and one.state != "disintegrated":
                    assert said.startswith(one.name), f"{key}: {said!r}"


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("width", [85.0, 180.0])
def test_every_table_is_drawn_whole(game_id: str, width: float) -> None:
    held = game(game_id)
    for key, table in held.tables.items():
        drawn, high = chart_group(held, key, width)
        found = legible(drawn, f"{key} at {width}", LEAST, width, high)
        said = " ".join(" ".join(ink.words for ink in found).split())
        assert table.title.split()[0] in said and (table.source is None or table.source.word in said), key
        table = spoken(held, table)
        cells = sorted(" ".join(shown(held, cell, table).split()) for row in table.cells.values() for cell in row)
        words = sorted(word for cell in cells for word in cell.split())
        there = said.split()
        for word in set(words):
            stands = there.count(word.upper() if key == "drift" and word.isalpha() else word)
            assert stands >= words.count(word), f"{key}: {word!r} stands {stands} times"
        for label in [*table.cells, *table.columns.labels]:
            assert all(word in there for word in headed(held, label, table).split()), f"{key}: {label}"


@pytest.mark.parametrize("game_id", GAMES)
def test_set_ups_are_lettered(game_id: str) -> None:
    held = game(game_id)
    for key in held.scenarios:
        listed = marks(held, key)
        assert listed, key
        letters = [mark.letter for mark in listed if mark.letter]
        for a, b in combinations((mark for mark in listed if mark.letter), 2):
            given = all(called(group) == a.letter for group in (*a.groups, *b.groups))
            assert a.letter != b.letter or given or a.enters, f"{key}: only the rulebook's letters stand twice"
        if len(held.scenarios) < 10 or key in ("A-4", "A-5", "S-13"):
            drawn = [ink for ink in texts(thumbnail(held, key, 80)) if ink.words in letters and ink.size < 3]
            assert not any(a.overlaps(b) for a, b in combinations(drawn, 2)), key
    key = next(iter(held.scenarios))
    said = {ink.words for ink in texts(thumbnail(held, key, 80))}
    assert {mark.letter for mark in marks(held, key) if mark.letter} <= said


SHARMA = (
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
    ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0),
    ((50, 0, 0), (50, -1, 2), 2.3669),
    ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
    ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ((50, 2.5, 0), (58, 24, 15), 19.4535),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
    ((90.8027, -2.0831, 1.441), (91.1528, -1.6435, 0.0447), 1.4441),
    ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
)
"""Pairs of colours with their difference, from the test data of Sharma, Wu and Dalal (2005)."""


def test_differences_of_colours_are_those_of_the_published_test_data() -> None:
    for one, other, apart in SHARMA:
        assert ciede2000(one, other) == pytest.approx(apart, abs=1e-4)
        assert ciede2000(other, one) == pytest.approx(apart, abs=1e-4)


@pytest.mark.parametrize("game_id", [*GAMES, *samples()])
def test_enemies_are_told_apart(game_id: str) -> None:
    """By every eye and on a printer without colours; also where friends fight each other in a scenario."""
    held = game(game_id)
    for a, b in enemies(held):
        one, other = held.nations[a], held.nations[b]
        for how, see in EYES.items():
            apart = difference(see(one.colors.fill), see(other.colors.fill))
            assert apart >= 10, f"{one.name} and {other.name} {how}: {apart:.1f}"
    nations = held.nations.values()
    for nation in nations:
        assert contrast(nation.colors.fill, nation.colors.ink) >= 7, nation.name
        assert contrast(nation.colors.accent, "#ffffff") >= 4.5, nation.name


@pytest.mark.parametrize("game_id", GAMES)
def test_every_front_names_its_nation(game_id: str) -> None:
    held = game(game_id)
    codes = [nation.letters for nation in held.nations.values()]
    assert len(set(codes)) == len(codes)
    for unit in held.units.values():
        said = {ink.words for ink in texts(face(held, unit))}
        assert held.nations[unit.nation].letters in said, unit.id


@pytest.mark.parametrize("game_id", GAMES)
def test_markers_keep_their_contrast(game_id: str) -> None:
    held = game(game_id)
    for key, one in held.markers.items():
        colors = colors_of(held, key, one)
        assert contrast(colors.fill, colors.ink) >= 7, key


def test_the_same_counter_is_the_same_bytes() -> None:
    for game_id in GAMES:
        held, again = game(game_id), load(game_id)
        unit_id, marker_id, table_id = (next(iter(s)) for s in (held.units, held.markers, held.tables))
        for side in FACES:
            one = svg.to_bytes(face(held, held.units[unit_id], side, bleed=1))
            assert one == svg.to_bytes(face(again, again.units[unit_id], side, bleed=1))
            two = svg.to_bytes(marker(held, marker_id, side=side))
            assert two == svg.to_bytes(marker(again, marker_id, side=side))
        assert svg.to_bytes(chart_group(held, table_id, 120)[0]) == svg.to_bytes(chart_group(again, table_id, 120)[0])


def test_a_name_that_is_too_long_says_so(tmp_path: Path) -> None:
    held = load(TWO_WELLS)
    unit = next(iter(held.units.values()))
    name = "A battalion with a name that nobody could print on it"
    pack, _, _ = broken(tmp_path, "counters.yaml", f"name: {unit.name}\n", f"name: {name}\n")
    held = load(pack)
    unit = next(one for one in held.units.values() if one.name == name)
    with pytest.raises(NoRoom, match=f"{unit.id}.*nobody could print"):
        face_group(held, unit, "front", "")


def test_a_pack_without_layouts_and_signs_can_be_drawn() -> None:
    held = load(TWO_WELLS)
    for unit in held.units.values():
        for side in FACES:
            assert list(texts(face_group(held, unit, side, ""))), unit.id
    gun = next(unit for unit in held.units.values() if unit.type not in MARKS)
    said = {ink.words for ink in texts(face_group(held, gun, "front", ""))}
    assert len(said) == 4, said  # factors, name, nation, and letters in the frame


def test_the_gallery_is_up_to_date() -> None:
    written = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for game_id in GAMES:
        held = game(game_id)
        assert all(f"`{key}`" in written for key in [*held.units, *held.markers]), "run python -m art.gallery"
    drawn = pages([game(game_id) for game_id in GAMES])
    assert drawn["gallery.md"].decode() == written, "run python -m art.gallery"
    assert all((DOCS / path).is_file() for path in drawn)

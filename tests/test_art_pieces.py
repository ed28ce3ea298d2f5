"""Counters, markers, charts and set-up thumbnails: legible, complete, the same each time."""

from __future__ import annotations

import functools
from itertools import combinations
from pathlib import Path

import pytest

from art import svg
from art.charts.charts import chart_group, format_heading, format_label, readable_table
from art.charts.table_grid import MIN_FONT_SIZE
from art.color import EYES, ciede2000, contrast, difference
from art.counters.face import FRAME_TOP, FRAME_WIDE, SIZE, SMALLEST, NoRoom, Side, face, face_group, layout_of
from art.counters.marker_pictures import PICTURES
from art.counters.markers import colors_of, draw_marker, marker_group, picture_of
from art.counters.silhouettes import SILHOUETTES
from art.counters.symbols import MARKS, SIZES
from art.gallery import DOCS, pages
from art.maps.setup_thumbnail import marks, thumbnail
from art.svg import Element
from modgen.printable import enemies
from scenarios.model.game import Game
from scenarios.model.scenario import group_label
from scenarios.pack.loading import load
from scenarios.pack.pack_folder import samples, shipped_games
from tests.art_boxes import Ink, texts
from tests.packs import TWO_WELLS, break_pack

GAMES = shipped_games()
FACES: tuple[Side, Side] = ("front", "back")


@functools.cache
def game(game_id: str) -> Game:
    return load(game_id)


def legible(element: Element, label: str, min_size: float, right: float, bottom: float) -> list[Ink]:
    """The texts of a drawing, after a look that all can be read: large enough, apart, inside."""
    inks = list(texts(element))
    for ink in inks:
        assert ink.size >= min_size - 1e-6, f"{label}: {ink.words!r} is {ink.size:.2f} mm"
        inside = min(ink.left, ink.top) >= -0.01 and ink.right <= right + 0.01 and ink.bottom <= bottom + 0.01
        assert inside, f"{label}: {ink.words!r} leaves the paper: {ink}"
    inks_by_top = sorted(inks, key=lambda ink: ink.top)
    for i, upper_ink in enumerate(inks_by_top):
        for lower_ink in inks_by_top[i + 1 :]:
            if lower_ink.top >= upper_ink.bottom:
                break
            assert not upper_ink.overlaps(lower_ink), f"{label}: {upper_ink.words!r} and {lower_ink.words!r} overlap"
    return inks


@pytest.mark.parametrize("game_id", GAMES)
def test_every_face_of_every_counter_is_legible(game_id: str) -> None:
    pack = game(game_id)
    for unit in pack.units.values():
        for side in FACES:
            for copy in dict.fromkeys(
                [unit.numbers[0] if unit.numbers else "", max(unit.numbers, key=len, default="")]
            ):
                inks = legible(face_group(pack, unit, side, copy), f"{unit.id} {side}", SMALLEST, SIZE, SIZE)
                assert inks or not unit.name, unit.id


@pytest.mark.parametrize("game_id", GAMES)
def test_no_text_touches_the_frame_of_a_symbol(game_id: str) -> None:
    pack = game(game_id)
    for unit in pack.units.values():
        layout = layout_of(pack, unit)
        if layout.picture != "symbol":
            continue
        corner_spots = layout.spots.keys() & {"top_left", "top_right"}
        top, frame_width = (FRAME_TOP + 0.7, FRAME_WIDE - 1.2) if corner_spots else (FRAME_TOP, FRAME_WIDE)
        left, frame_height, pen = (SIZE - frame_width) / 2, frame_width * 2 / 3, 0.2
        frame = Ink("the frame", 1, left - pen, top - pen, left + frame_width + pen, top + frame_height + pen)
        for copy in unit.numbers or ("",):
            for ink in texts(face_group(pack, unit, "front", copy)):
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
    pack = game(game_id)
    assert pack.layouts
    for unit in pack.units.values():
        kind = pack.types[unit.type]
        name = unit.symbol or kind.symbol or unit.type
        layout = layout_of(pack, unit)
        assert layout in pack.layouts.values()
        assert name in MARKS or (layout.picture == "silhouette" and name in SILHOUETTES), (
            f"{unit.id}: no picture of {name}"
        )
        assert not unit.size or unit.size in SIZES or unit.size in ("squadrons", "missiles", "regional defense"), (
            unit.size
        )


@pytest.mark.parametrize("game_id", GAMES)
def test_counters_show_their_factors(game_id: str) -> None:
    """Every strength and movement of the front is printed on it, and on the back what differs."""
    pack = game(game_id)
    printed_factors = {
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
    printed_factors |= {"combat", "strike", "shifts", "supply_range", "sam_range"}
    for unit in pack.units.values():
        for side, factors in zip(FACES, (unit.factors, unit.back), strict=True):
            if factors is None or (unit.back_state == "bridge" and side == "back"):
                continue
            copy = unit.numbers[0] if unit.numbers else ""
            said = " ".join(ink.words for ink in texts(face_group(pack, unit, side, copy)))
            for key, value in factors.items():
                if key in printed_factors and not ("barrage" in factors and key == "attack"):
                    assert str(value).replace("1/2", "½") in said, f"{unit.id} {side}: {key} {value} not in {said!r}"


@pytest.mark.parametrize("game_id", GAMES)
def test_every_marker_is_legible_and_has_a_picture(game_id: str) -> None:
    pack = game(game_id)
    for key, marker in pack.markers.items():
        assert picture_of(key, marker) in PICTURES, key
        for side in FACES:
            for copy in dict.fromkeys(["", marker.numbers[0][0] if marker.numbers else ""]):
                inks = legible(marker_group(pack, key, copy, side), f"{key} {side}", SMALLEST, SIZE, SIZE)
                marker_text = " ".join(ink.words for ink in inks)
                if side == "front" and marker.state != "disintegrated":
                    assert marker_text.startswith(marker.name), f"{key}: {marker_text!r}"


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("width", [85.0, 180.0])
def test_every_table_is_drawn_whole(game_id: str, width: float) -> None:
    pack = game(game_id)
    for key, table in pack.tables.items():
        chart, chart_height = chart_group(pack, key, width)
        inks = legible(chart, f"{key} at {width}", MIN_FONT_SIZE, width, chart_height)
        chart_text = " ".join(" ".join(ink.words for ink in inks).split())
        assert table.title.split()[0] in chart_text and (table.source is None or table.source.word in chart_text), key
        table = readable_table(pack, table)
        cells = sorted(
            " ".join(format_label(pack, cell, table).split()) for row in table.cells.values() for cell in row
        )
        words = sorted(word for cell in cells for word in cell.split())
        chart_words = chart_text.split()
        for word in set(words):
            stands = chart_words.count(word.upper() if key == "drift" and word.isalpha() else word)
            assert stands >= words.count(word), f"{key}: {word!r} stands {stands} times"
        for label in [*table.cells, *table.columns.labels]:
            assert all(word in chart_words for word in format_heading(pack, label, table).split()), f"{key}: {label}"


@pytest.mark.parametrize("game_id", GAMES)
def test_set_ups_are_lettered(game_id: str) -> None:
    pack = game(game_id)
    for key in pack.scenarios:
        scenario_marks = marks(pack, key)
        assert scenario_marks, key
        letters = [mark.letter for mark in scenario_marks if mark.letter]
        for a, b in combinations((mark for mark in scenario_marks if mark.letter), 2):
            has_given_letter = all(group_label(group) == a.letter for group in (*a.groups, *b.groups))
            assert a.letter != b.letter or has_given_letter or a.enters, (
                f"{key}: only the rulebook's letters stand twice"
            )
        if len(pack.scenarios) < 10 or key in ("A-4", "A-5", "S-13"):
            letter_inks = [ink for ink in texts(thumbnail(pack, key, 80)) if ink.words in letters and ink.size < 3]
            assert not any(a.overlaps(b) for a, b in combinations(letter_inks, 2)), key
    key = next(iter(pack.scenarios))
    printed_words = {ink.words for ink in texts(thumbnail(pack, key, 80))}
    assert {mark.letter for mark in marks(pack, key) if mark.letter} <= printed_words


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
    for first_color, second_color, expected_difference in SHARMA:
        assert ciede2000(first_color, second_color) == pytest.approx(expected_difference, abs=1e-4)
        assert ciede2000(second_color, first_color) == pytest.approx(expected_difference, abs=1e-4)


@pytest.mark.parametrize("game_id", [*GAMES, *samples()])
def test_enemies_are_told_apart(game_id: str) -> None:
    """By every eye and on a printer without colours; also where friends fight each other in a scenario."""
    pack = game(game_id)
    for a, b in enemies(pack):
        first_nation, second_nation = pack.nations[a], pack.nations[b]
        for eyesight, see in EYES.items():
            color_difference = difference(see(first_nation.colors.fill), see(second_nation.colors.fill))
            assert color_difference >= 10, (
                f"{first_nation.name} and {second_nation.name} {eyesight}: {color_difference:.1f}"
            )
    nations = pack.nations.values()
    for nation in nations:
        assert contrast(nation.colors.fill, nation.colors.ink) >= 7, nation.name
        assert contrast(nation.colors.accent, "#ffffff") >= 4.5, nation.name


@pytest.mark.parametrize("game_id", GAMES)
def test_every_front_names_its_nation(game_id: str) -> None:
    pack = game(game_id)
    codes = [nation.letters for nation in pack.nations.values()]
    assert len(set(codes)) == len(codes)
    for unit in pack.units.values():
        face_words = {ink.words for ink in texts(face(pack, unit))}
        assert pack.nations[unit.nation].letters in face_words, unit.id


@pytest.mark.parametrize("game_id", GAMES)
def test_markers_keep_their_contrast(game_id: str) -> None:
    pack = game(game_id)
    for key, marker in pack.markers.items():
        colors = colors_of(pack, key, marker)
        assert contrast(colors.fill, colors.ink) >= 7, key


def test_the_same_counter_is_the_same_bytes() -> None:
    for game_id in GAMES:
        pack, reloaded_pack = game(game_id), load(game_id)
        unit_id, marker_id, table_id = (next(iter(s)) for s in (pack.units, pack.markers, pack.tables))
        for side in FACES:
            face_bytes = svg.to_bytes(face(pack, pack.units[unit_id], side, bleed=1))
            assert face_bytes == svg.to_bytes(face(reloaded_pack, reloaded_pack.units[unit_id], side, bleed=1))
            two = svg.to_bytes(draw_marker(pack, marker_id, side=side))
            assert two == svg.to_bytes(draw_marker(reloaded_pack, marker_id, side=side))
        assert svg.to_bytes(chart_group(pack, table_id, 120)[0]) == svg.to_bytes(
            chart_group(reloaded_pack, table_id, 120)[0]
        )


def test_a_name_that_is_too_long_says_so(tmp_path: Path) -> None:
    game = load(TWO_WELLS)
    unit = next(iter(game.units.values()))
    name = "A battalion with a name that nobody could print on it"
    pack, _, _ = break_pack(tmp_path, "counters.yaml", f"name: {unit.name}\n", f"name: {name}\n")
    game = load(pack)
    unit = next(candidate for candidate in game.units.values() if candidate.name == name)
    with pytest.raises(NoRoom, match=f"{unit.id}.*nobody could print"):
        face_group(game, unit, "front", "")


def test_a_pack_without_layouts_and_signs_can_be_drawn() -> None:
    pack = load(TWO_WELLS)
    for unit in pack.units.values():
        for side in FACES:
            assert list(texts(face_group(pack, unit, side, ""))), unit.id
    gun = next(unit for unit in pack.units.values() if unit.type not in MARKS)
    face_words = {ink.words for ink in texts(face_group(pack, gun, "front", ""))}
    assert len(face_words) == 4, face_words  # factors, name, nation, and letters in the frame


def test_the_gallery_is_up_to_date() -> None:
    gallery_text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for game_id in [*GAMES, *samples()]:
        pack = game(game_id)
        assert all(f"`{key}`" in gallery_text for key in [*pack.units, *pack.markers]), "run python -m art.gallery"
    gallery_pages = pages([game(game_id) for game_id in GAMES], [game(name) for name in samples()])
    assert gallery_pages["gallery.md"].decode() == gallery_text, "run python -m art.gallery"
    assert all((DOCS / path).is_file() for path in gallery_pages)

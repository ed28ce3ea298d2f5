"""Sheets, tiles and options: the arithmetic of a kit."""

from __future__ import annotations

import json
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from art.color import luminance
from art.maps.hexmap import sheet_of
from art.maps.point_layout import point_sheet
from art.sheets.mapsheet import board_map
from art.sheets.tracks import track_spaces
from modgen.kit.cards import _place_parts, scenario_card, victory_line
from modgen.kit.cut import cut_file
from modgen.kit.imposition import back_corner
from modgen.kit.ink_saving import ink_saving_color
from modgen.kit.kit import kit_name, lay_out
from modgen.kit.options import PAPERS, Options, options, with_pack_size
from modgen.kit.paper import WrongOption
from modgen.kit.scale import map_scale, piece_scale
from modgen.kit.sheets import BLEED, MARK, frame, pieces
from modgen.kit.shelves import GAP, HEAD, ShelfCard, pages
from modgen.kit.texts import origins, piece_list, rulings
from modgen.kit.tiles import OVERLAP, SIDE_STRIP, STRIP, tiling
from modgen.kit.views import FACES, GROUND, view
from scenarios import load, shipped_games
from scenarios.areas.wording import AreaDescriber
from scenarios.model.game import Game
from scenarios.model.hexes import neighbour
from scenarios.model.maps import HexMap
from scenarios.model.scenario import Victory
from tests.packs import TWO_WELLS


@pytest.fixture(scope="module")
def wells() -> Game:
    return load(TWO_WELLS)


@given(
    paper=st.sampled_from(sorted(PAPERS)),
    backs=st.sampled_from(["duplex-long", "duplex-short", "fold", "none"]),
    size=st.floats(10, 30),
    margin=st.floats(0, 30),
)
def test_a_grid_stays_inside_its_margins(paper: str, backs: str, size: float, margin: float) -> None:
    kit_options = options(paper=paper, backs=backs, counter_size=size, margin=margin)
    grid = frame(kit_options)
    right = grid.left + grid.columns * grid.pitch - 2 * BLEED
    bottom = grid.top + grid.rows * grid.pitch - 2 * BLEED
    assert grid.left >= margin + MARK - 1e-6 and bottom <= kit_options.paper.height - margin - MARK
    assert right <= (kit_options.paper.width / 2 if backs == "fold" else kit_options.paper.width - margin - MARK) + 1e-6


def test_every_copy_lies_on_a_sheet_with_its_number() -> None:
    for game_id in shipped_games():
        game = load(game_id)
        sheets = lay_out(game, Options())
        sheet_pieces = [cell.piece for sheet in sheets for cell in sheet.cells]
        assert sheet_pieces == pieces(game, Options())
        assert len(sheet_pieces) == sum(u.count for u in game.units.values()) + sum(
            m.count or 1 for m in game.markers.values()
        )
        copies = [(piece.id, piece.copy) for piece in sheet_pieces if piece.copy]
        assert len(set(copies)) == len(copies), "no number twice"
        for sheet in sheets:
            places = [(cell.x, cell.y) for cell in sheet.cells]
            assert len(set(places)) == len(places)


def test_a_new_row_for_a_side_never_costs_a_sheet() -> None:
    for game_id in shipped_games():
        sheets = lay_out(load(game_id), Options())
        count, room = sum(len(sheet.cells) for sheet in sheets), sheets[0].frame.columns * sheets[0].frame.rows
        assert len(sheets) == -(-count // room), game_id


def test_a_back_behind_its_back_is_its_front(wells: Game) -> None:
    (sheet,) = lay_out(wells, Options())
    for cell in sheet.cells:
        x, y = back_corner(cell, 16, 210)
        assert back_corner(cell._replace(x=x, y=y), 16, 210) == pytest.approx((cell.x, cell.y))


@given(width=st.floats(30, 1500), height=st.floats(30, 1500), paper=st.sampled_from(sorted(PAPERS)))
def test_tiles_cover_the_map_and_fit_the_page(width: float, height: float, paper: str) -> None:
    map_tiling = tiling(width, height, Options(paper=PAPERS[paper]))
    for length, count, side, page, strip in (
        (width, map_tiling.columns, map_tiling.width, map_tiling.page_width, SIDE_STRIP),
        (height, map_tiling.rows, map_tiling.height, map_tiling.page_height, STRIP),
    ):
        assert count * side - (count - 1) * OVERLAP == pytest.approx(length)
        assert side <= page - 2 * (10 + strip) + 1e-6


def test_cards_are_put_on_pages_in_order_and_fit() -> None:
    cards = [ShelfCard(str(i), i, 180, height) for i, height in enumerate([100, 120, 60, 200, 30, 400], 1)]
    cards += [
        ShelfCard("half", 7, 80, 40),
        ShelfCard("whole", 8, 180, 20),
        ShelfCard("half", 9, 80, 50),
        ShelfCard("half", 10, 80, 30),
    ]
    card_pages = pages(cards, 182, 269)
    assert sorted(card["page"] for page in card_pages for shelf in page for card in shelf) == list(range(1, 11))
    assert all([s[0]["page"] for s in page] == sorted(s[0]["page"] for s in page) for page in card_pages)
    assert [[card["page"] for card in shelf] for page in card_pages for shelf in page if len(shelf) > 1] == [[7, 9]]
    cards_by_page = {card.page: card for card in cards}
    for n, page in enumerate(card_pages):
        used = sum(
            max(cards_by_page[c["page"]].height * c["shown"] / cards_by_page[c["page"]].width for c in s) + GAP
            for s in page
        )
        assert used - GAP <= 269 - (HEAD if n == 0 else 0) + 1e-6


def test_an_order_that_costs_a_page_is_given_up() -> None:
    cards = [ShelfCard(str(i), i, 180, height) for i, height in enumerate([130, 130, 130, 110, 110, 110], 1)]
    assert len(pages(cards, 182, 269)) == 3 == -(-sum(card.height for card in cards) // 269)


def test_a_cut_file_has_a_square_for_each_counter(wells: Game) -> None:
    (sheet,) = lay_out(wells, Options())
    cut_svg = cut_file(sheet, Options())
    layers = {layer.get("id"): layer for layer in cut_svg}
    assert len(layers["cut"]) == len(sheet.cells) and len(layers["registration"]) == 4
    assert cut_svg.get("width") == "210mm" and layers["cut"][0].get("width") == "16"


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"paper": "a44"}, "did you mean a4"),
        ({"paper": "foolscap"}, "write one of a3, a4, letter, tabloid"),
        ({"backs": "duplex"}, "did you mean duplex-long"),
        ({"back_offset": "1;2"}, "write two numbers"),
        ({"back_offset": "90,0"}, "calibration sheet"),
        ({"counter_size": 3.0}, "choose 8 to 50 mm"),
        ({"margin": -1.0}, "choose 0 to 52 mm"),
        ({"margin": 60.0}, "leaves too little of A4"),
        ({"pieces": " , "}, "names no piece"),
        ({"cuts": "share"}, "did you mean shared"),
        ({"roll": 20.0}, "choose 200 to 2000 mm"),
        ({"counter_size": 300.0}, "choose 8 to 50 mm"),
        ({"large_print": True, "travel": True}, "leave one of them out"),
        ({"large_print": True, "counter_size": 20.0}, "leave one of them out"),
        ({"dpi": 5}, "choose 36 to 1200"),
    ],
)
def test_wrong_options(choices: dict[str, object], message: str) -> None:
    with pytest.raises(WrongOption) as error:
        options(**choices)  # type: ignore[arg-type]
    assert message in str(error.value)


def test_no_room_and_too_small(wells: Game) -> None:
    with pytest.raises(WrongOption, match="smaller --margin"):
        lay_out(wells, Options(margin=100))
    with pytest.raises(WrongOption, match="smaller --margin"):
        tiling(500, 500, Options(margin=90))
    with pytest.raises(WrongOption, match="choose --counter-size"):
        lay_out(wells, Options(counter_size=8.0))
    with pytest.raises(WrongOption, match="did you mean cars"):
        lay_out(wells, Options(pieces=("carz",)))
    with pytest.raises(WrongOption, match="no scenario"):
        lay_out(wells, Options(scenario="midnight"))


def test_half_inch_counters_can_be_had() -> None:
    for game_id in shipped_games():
        assert lay_out(load(game_id), Options(counter_size=12.7))


def test_pieces_and_scenario_choose(wells: Game) -> None:
    assert {p.id for p in pieces(wells, Options(pieces=("cars", "gun")))} == {"cars", "gun"}
    game = load("arab_israeli_wars")
    first = next(iter(game.scenarios))
    unit_ids = {p.id for p in pieces(game, Options(scenario=first)) if p.kind == "unit"}
    assert unit_ids and unit_ids < set(game.units)
    assert kit_name(game, Options(scenario=first)) == f"arab_israeli_wars-scenario-{first}-a4.pdf"
    assert {p.id for p in pieces(game, Options(pieces=("t-55", "BMP APC")))} == {"t_55", "bmp"}, "by name too"
    assert (
        kit_name(game, Options(pieces=("t_55",), paper=PAPERS["letter"])) == "arab_israeli_wars-pieces-t_55-letter.pdf"
    )


OTHER_OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"paper": "letter"},
    {"backs": "fold"},
    {"large_print": True},
    {"travel": True},
    {"counter_size": 25.0},
    {"counter_size": 20.0},
    {"cuts": "shared"},
    {"roll": 914.0},
    {"margin": 5.0},
    {"back_offset": "0.5,0"},
    {"back_offset": "-0.5,0"},
    {"grey": True},
    {"ink_saver": True},
    {"pieces": "cars"},
    {"pieces": "gun"},
    {"scenario": "noon"},
)


def test_kits_of_other_options_have_other_names(wells: Game) -> None:
    names = [kit_name(wells, options(**choices)) for choices in OTHER_OPTIONS]  # type: ignore[arg-type]
    assert len(set(names)) == len(names)
    assert names[0] == "two_wells-kit-a4.pdf"


@pytest.mark.parametrize("name", shipped_games())
@pytest.mark.parametrize("size", [0.0, 13.0, 16.0, 25.0])
def test_counters_of_neighbours_fit(name: str, size: float) -> None:
    """A counter in every hex or point, and another in each neighbour: no two of them overlap."""
    game = load(name)
    kit_options = with_pack_size(game, Options(counter_size=size))
    counter_width = kit_options.counter_size
    for field in (*game.maps.values(), *(board_map(game, key) for key in game.boards)):
        scale = map_scale(field, kit_options)
        if isinstance(field, HexMap):
            paper = sheet_of(field).paper
            pairs = {
                (paper.centre(hex), paper.centre(adjacent_hex))
                for hex in field.hexes
                for adjacent_hex in (neighbour(hex, d) for d in range(6))
                if adjacent_hex in field.hexes
            }
        else:
            pairs = set(combinations(point_sheet(field).points.values(), 2))
        assert pairs
        for (x1, y1), (x2, y2) in pairs:
            assert max(abs(x1 - x2), abs(y1 - y2)) * scale >= counter_width + 0.3
        spaces = [track_spaces(track, 150) for track in field.tracks.values()]
        assert all(
            min(s.width, s.height) * piece_scale(kit_options) >= counter_width + 1 for slots in spaces for s in slots
        )


def test_ink_saver_keeps_ink_dark_and_order() -> None:
    ladder = [f"#{v:02x}{v:02x}{v:02x}" for v in range(0, 256, 15)]
    assert ink_saving_color("#000000") == "#000000" and ink_saving_color("none") == "none"
    light = [luminance(ink_saving_color(color)) for color in ladder]
    assert all(a <= b + 1e-9 for a, b in pairwise(light))
    assert luminance(ink_saving_color("#a9c8e8")) > 0.8


def test_areas_are_said_in_words() -> None:
    for game_id in shipped_games():
        game = load(game_id)
        for key, scenario in game.scenarios.items():
            describer = AreaDescriber(game, key)
            for force in scenario.forces.values():
                for group in force.groups:
                    areas = [group.at, group.enters.at if group.enters else None]
                    for phrase in (describer.words(area) for area in areas if area):
                        assert phrase and "_" not in phrase and "in in " not in phrase and "None" not in phrase


@pytest.mark.parametrize(
    ("points", "per", "text", "expected_line"),
    [
        (15, "once", "15 points for Cairo.", "Cairo: 15 points."),
        (7, "hex", "7 points for each of Port Said and Suez City.", "Port Said and Suez City: 7 points each."),
        (2, "unit", "2 points for an Egyptian division.", "Each Egyptian division: 2 points."),
        (5, "point", "5 each for the Mitla and the Gidi Pass.", "The Mitla and the Gidi Pass: 5 points each."),
        (-1, "point", "Sinai Front player: 1 less for each reserve point spent.",
         "Sinai Front player: 1 point less for each reserve point spent."),
        (2, "unit", "An Israeli unit is eliminated.", "An Israeli unit is eliminated: 2 points each."),
        (-2, "other", "Each cease-fire that Egypt ignores.", "Each cease-fire that Egypt ignores: 2 points lost."),
    ],
)  # fmt: skip
def test_a_line_of_victory_says_what_and_then_how_much(points: int, per: str, text: str, expected_line: str) -> None:
    victory = Victory(side="a", event="other", points=points, per=per, text=text)  # type: ignore[arg-type]
    assert victory_line(victory) == expected_line


@pytest.mark.parametrize(
    ("scenario", "expected_phrase"),
    [
        ("yom_kippur/4.1", "on the Lateral Road, 48.15 to 10.11"),
        ("arab_israeli_wars/S-1", "on board D, next to a town"),
        ("six_day_war/standard", "in Lebanon, in a town"),
        ("yom_kippur/4.1", "in Entry Area A, B or C"),
    ],
)
def test_where_groups_stand_is_said_as_players_would(scenario: str, expected_phrase: str) -> None:
    name, _, key = scenario.partition("/")
    game = load(name)
    describer = AreaDescriber(game, key)
    groups = [group for force in game.scenarios[key].forces.values() for group in force.groups]
    areas = [area for group in groups for area in (group.at, group.enters.at if group.enters else None) if area]
    assert expected_phrase in [describer.words(area) for area in areas]


def test_cards_tell_everything(wells: Game) -> None:
    faces = {key: n for n, key in enumerate([*wells.units, *wells.markers], 1)}
    key = next(iter(wells.scenarios))
    card = scenario_card(wells, key, faces, None, {})
    scenario = wells.scenarios[key]
    card_pieces = [piece for force in card["forces"] for group in force["groups"] for piece in group["pieces"]]
    piece_counts = [
        n for force in scenario.forces.values() for g in force.groups for n in (*g.units.values(), *g.markers.values())
    ]
    assert sum(piece["count"] for piece in card_pieces) == sum(piece_counts)
    card_lines = [line for column in card["below"] for part in column for line in part["lines"]]
    expected_texts = [
        *(special.text for special in scenario.special),
        *(victory_line(victory) for victory in scenario.victory),
        *scenario.notes,
    ]
    assert (
        json.dumps(card)
        and all(any(text in line for line in card_lines) for text in expected_texts)
        and len(card_lines) == len(expected_texts)
    )


@given(
    st.lists(st.lists(st.text("abc ", min_size=1, max_size=300), min_size=1, max_size=20), max_size=6),
    st.floats(40, 300),
    st.floats(10, 60),
)
def test_no_line_of_a_card_is_lost(texts: list[list[str]], picture_height: float, about: float) -> None:
    parts = [{"title": str(i), "lines": lines} for i, lines in enumerate(texts)]
    for picture in (None, {"wide": False, "height": picture_height}, {"wide": True, "height": picture_height}):
        layout = _place_parts(parts, picture, about)
        columns = [layout["beside"], *layout["below"]]
        assert [line for column in columns for part in column for line in part["lines"]] == [
            t for ls in texts for t in ls
        ]


def test_origins_add_up(wells: Game) -> None:
    about = origins(wells)
    *sections, total = about["rows"]
    assert [sum(row["counts"][i] for row in sections) for i in range(4)] == total["counts"]
    assert all(sum(row["shares"]) == pytest.approx(1) for row in about["rows"])
    assert len(rulings(wells)) == len(wells.rulings)
    listed_pieces = [piece for owner in piece_list(wells, lay_out(wells, Options())) for piece in owner["pieces"]]
    names = [*(unit.name for unit in wells.units.values()), *(marker.name for marker in wells.markers.values())]
    assert sorted(piece["name"] for piece in listed_pieces) == sorted(names)


def test_a_view_shows_what_it_is_keyed_by(wells: Game) -> None:
    faces = view(wells, FACES)
    assert not faces.game.units and not faces.game.boards and faces.game.nations == wells.nations
    assert faces.key == view(wells, FACES).key != view(wells, GROUND).key
    cars_view = faces.with_entries(units={"cars": wells.units["cars"]})
    assert cars_view.key != faces.key and set(cars_view.game.units) == {"cars"}

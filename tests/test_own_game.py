"""A game of one's own, of a kind that doesn't come with Mitla: what its author reads, and what is made of it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from art.counters.face import face_group
from art.counters.marker_pictures import PICTURES
from art.counters.markers import picture_of
from art.counters.silhouettes import SILHOUETTES
from art.counters.symbols import MARKS, SIZES
from art.maps.point_thumbnail import ThumbFrame
from art.maps.textures import texture_of
from art.sheets.tracks import track_group
from art.svg import to_bytes
from assistant.cli import cli as assistant
from modgen.cache import Cache
from modgen.cli import cli as modgen
from modgen.kit.texts import colophon
from modgen.notices import NOTICE, notice
from modgen.printable import unprintable
from modgen.vmod.files.lock import CannotBuild
from modgen.vmod.files.locked_build import make_module
from modgen.vmod.maps.trays import tray_element
from modgen.vmod.maps.windows import side_maps
from modgen.vmod.pieces.face_pictures import badges
from modgen.vmod.pieces.faces import cover
from scenarios import check, load
from scenarios.model.maps import TrackShape
from scenarios.model.points import PointMap
from scenarios.pack.pack_folder import PACKS
from scenarios.vassal.windows import Tray
from tests.asking import run_command
from tests.packs import break_pack, copy

DOCS = Path(__file__).parent.parent / "docs" / "packs.md"


def output_of(*words: str) -> str:
    """What a command says, on either stream."""
    return run_command(assistant if words[0] != "modgen" else modgen, *words[words[0] == "modgen" :]).output


def test_a_track_of_turns_has_the_turns_of_the_game(tmp_path: Path) -> None:
    pack, *_ = break_pack(tmp_path, "map.yaml", "turn: {name: Turn, last: 6}", "turn: {name: Turn, turns: true}")
    assert load(pack).maps["main"].tracks["turn"].labels == ("1", "2", "3", "4", "5", "6")
    game = pack / "game.yaml"
    game.write_text(game.read_text("utf-8").replace("turns: {count: 6}", "turns: {names: [Dawn, High noon]}"), "utf-8")
    map_text = (pack / "map.yaml").read_text("utf-8").replace("turns: {last: 6}", "turns: {last: 2}")
    (pack / "map.yaml").write_text(map_text, "utf-8")
    assert load(pack).maps["main"].tracks["turn"].labels == ("Dawn", "High noon")


def test_a_board_without_a_drawing_is_plain_and_can_be_shown_to_draw_it(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    path = pack / "map.yaml"
    drawing = re.search(r"    terrain: \|\n((?:      .*\n)+)", path.read_text("utf-8"))
    assert drawing is not None
    path.write_text(path.read_text("utf-8").replace(drawing[0], ""), "utf-8")
    plain_board = load(pack).boards["desert"]
    assert set(plain_board.terrain.values()) == {"clear"} and len(plain_board.terrain) == 12
    output = output_of("modgen", "show", str(pack), "map")
    block = [line.strip() for line in drawing[1].replace("v", ".").replace("^", ".").splitlines()]
    assert all(f"  {line}\n" in output for line in block)


def test_a_counter_shows_the_factors_it_has_and_its_number() -> None:
    game = load("scenarios/samples/two_wells")
    gun = replace(game.units["gun"], factors={k: v for k, v in game.units["gun"].factors.items() if k != "defense"})
    assert b">6-2<" in to_bytes(face_group(game, gun, "front", ""))
    assert b">14<" in to_bytes(face_group(game, game.units["cars"], "front", "14"))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "name: Field gun",
            "name: The Royal Regiment of Horse and Mountain Artillery",
            "shorten it, give a `short` name",
        ),
        ("type: gun\n", "type: gun\n    symbol: artilery\n", "no symbol 'artilery'; did you mean artillery"),
        ("turn: {name: Turn,", "turn: {name: Turn, symbol: trun,", "no picture 'trun'; did you mean turn"),
    ],
)
def test_a_check_finds_what_cannot_be_printed(old: str, new: str, words: str, tmp_path: Path) -> None:
    pack, line, _ = break_pack(tmp_path, "counters.yaml", old, new)
    (finding,) = unprintable(load(pack))
    assert words in finding.message and abs(finding.line - line) <= 1
    assert run_command(modgen, "check", str(pack)).exit_code == 1


def test_a_marker_has_the_picture_that_it_names() -> None:
    dry = load("scenarios/samples/two_wells").markers["dry"]
    assert [picture_of("dry", replace(dry, symbol=name)) for name in ("", "out_of_supply", "none")] == [
        "",
        "out_of_supply",
        "",
    ]


def test_a_pack_of_ones_own_is_not_given_away() -> None:
    game = load("scenarios/samples/two_wells")
    silent = replace(game, card=replace(game.card, licence=""))
    assert "CC BY" not in "".join(colophon(silent)) and "Ask the author" in notice(silent)
    assert notice(game).endswith("Licence: CC BY 4.0.")
    assert notice(replace(game, folder=PACKS / "musketeer")) == NOTICE


def test_long_labels_of_tracks_are_broken_and_no_word_of_them_is_lost() -> None:
    game = load("scenarios/samples/two_wells")
    label = "A dreadful blizzard with hail and thunder"
    element, _ = track_group(game, TrackShape(name="Weather", spaces=("Fair", label, "Donaudampfschifffahrt" * 3)), 60)
    texts = re.findall(r">([^<]+)<", to_bytes(element).decode())
    assert set(label.split()) <= set(" ".join(texts).split())
    tray = Tray("Weather Snow or ice", "box:weather/Snow or ice", "weather", 0, 0, 60, 60, ())
    assert any(b">Snow or ice<" in to_bytes(part) for part in tray_element(tray, "", "#222222", True))


def test_a_pack_without_a_map_or_a_scenario_says_so_or_has_an_empty_window(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("game: {id: bare, title: Bare, release: 2026-11-16}\nsides: {a: A}\n", "utf-8")
    assert not unprintable(load(tmp_path))
    with pytest.raises(CannotBuild, match="add `boards` and `maps`, or build with --only kit"):
        make_module(load(tmp_path), Cache(None))
    game = load("scenarios/samples/two_wells")
    setup, *_ = side_maps(game, {}, {})
    assert "Nothing in this scenario" in "".join(setup.lines())


def test_a_module_of_hexes_and_points_is_refused_in_a_sentence(tmp_path: Path) -> None:
    sketch = "maps:\n  sketch: {name: Sketch, points: {x: {name: X, at: [1, 1]}}}\n"
    pack, *_ = break_pack(tmp_path, "map.yaml", "maps:\n", sketch)
    with pytest.raises(CannotBuild, match="not both; make a pack for each"):
        make_module(load(pack), Cache(None))


POINTS = """source: {mine: all}
game: {id: bare, title: Bare, release: 2026-11-16, fog: true}
sides: {a: A}
TERRAIN
maps: {main: {name: Line, points: {x: {name: X, at: [1, 1]}, y: {name: Y, at: [1, 40]}}}}
"""


def test_small_maps_of_a_single_column_are_drawn_and_those_without_terrain_are_found(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(POINTS.replace("TERRAIN", ""), "utf-8")
    assert [finding.message.partition(";")[0] for finding in check(tmp_path)] == ["a map needs `terrain`"]
    ground = 'terrain: {flat: {name: Flat, mark: ".", color: "#ffffff"}}'
    (tmp_path / "game.yaml").write_text(POINTS.replace("TERRAIN", ground), "utf-8")
    game = load(tmp_path)
    table = game.maps["main"]
    assert isinstance(table, PointMap)
    frame = ThumbFrame.for_map(table, 80)
    spots = [frame.point_at(point.at) for point in table.points.values()]
    assert all(0 <= x <= 80 and 0 <= y <= frame.height <= 100 for x, y in spots) and spots[0][0] == 40
    assert cover("a") in badges(game), "a side without a nation can hide its pieces too"


def test_phases_are_shown_as_they_are_nested(tmp_path: Path) -> None:
    old = "      - {id: red_move, name: Red moves, side: red}\n"
    inside = "      - {id: red_turn, name: Red turn, phases: [{id: red_move, name: Red moves, side: red}]}\n"
    pack, *_ = break_pack(tmp_path, "game.yaml", old, inside)
    assert "Turn\n  Red turn\n      1 Red moves\n   2 Red fights\n" in output_of("modgen", "show", str(pack))


def test_terrain_with_a_common_name_has_its_texture() -> None:
    kind = load("scenarios/samples/two_wells").terrain["clear"]
    terrain_keys = ("forest", "light_woods", "mountains", "farmland", "clear")
    assert [texture_of(key, kind) for key in terrain_keys] == ["trees", "trees", "peaks", "fields", "none"]


def test_the_assistant_says_what_it_answers_for_any_pack() -> None:
    game = "scenarios/samples/two_wells"
    assert "`assistant odds`, `move`, `supply`" in output_of("air", game)
    assert "column 3-1, row 2: D2" in output_of("table", game, "combat", "3-1", "2")
    assert "row hill: 2" in output_of("table", game, "movement", "hill")
    assert "choose infantry_red or infantry_blue" in output_of(
        "odds", game, "assault", "attackers=infantry", "defenders=gun"
    )


def test_the_docs_list_every_picture() -> None:
    rows = dict(re.findall(r"^\| ([a-z ]+)(?: \(.*?\))? \| (`.*) \|$", DOCS.read_text("utf-8"), re.M))
    picture_lists = {key: re.findall(r"`([^`]+)`", row) for key, row in rows.items()}
    assert picture_lists["symbols"] == sorted(MARKS) and picture_lists["silhouettes"] == sorted(SILHOUETTES)
    assert picture_lists["sizes"] == list(SIZES) and picture_lists["pictures of markers"] == [*sorted(PICTURES), "none"]

"""What is drawn from a view is what is drawn from the whole game."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import pytest

from art.counters.face import face_group
from art.counters.markers import marker_group
from art.svg import to_bytes
from modgen.cache import Cache
from modgen.kit.faces import SIDES, Faces, piece_group
from modgen.kit.sheets import PrintedPiece
from modgen.kit.views import GROUND, face_view, faces_view, view
from modgen.vmod.maps.board_pictures import lying
from modgen.vmod.maps.boards import boards, hex_picture, point_picture
from modgen.vmod.pieces.face_pictures import faces
from scenarios import load
from scenarios.model.counters import formations
from scenarios.model.points import PointMap
from scenarios.pack.pack_folder import shipped_games


@pytest.mark.parametrize("game_id", shipped_games())
def test_every_face_is_the_same(game_id: str) -> None:
    game = load(game_id)
    shared_view = faces_view(game)
    for key, unit in game.units.items():
        small_game = face_view(shared_view, game, key).game
        for side in SIDES:
            narrow = to_bytes(face_group(small_game, small_game.units[key], side, ""))
            assert narrow == to_bytes(face_group(game, unit, side, "")), (key, side)
    for key in game.markers:
        small_game = face_view(shared_view, game, key).game
        assert to_bytes(marker_group(small_game, key, "")) == to_bytes(marker_group(game, key, "")), key


@pytest.mark.parametrize(
    "game_id", [pytest.param("arab_israeli_wars", marks=pytest.mark.slow), "yom_kippur", "october_war"]
)
def test_boards_are_the_same(game_id: str) -> None:
    game = load(game_id)
    expected_pictures = [hex_picture(game, board_layout.map) for board_layout in lying(game).values()]
    expected_pictures += [point_picture(game, table) for table in game.maps.values() if isinstance(table, PointMap)]
    assert [picture.whole_picture for picture in boards(game)[1].values()] == expected_pictures


def test_the_kit_has_the_tints_of_formations() -> None:
    game = load("yom_kippur")
    face_pictures = Faces(game, Cache(None))
    for key in ("yairi_abn_bde_a", "shom_arm_bde_a"):
        piece = PrintedPiece("unit", key, "", "")
        assert to_bytes(face_pictures(piece, "front")) == to_bytes(piece_group(game, piece, "front"))


def test_a_key_changes_with_what_a_face_shows_and_with_nothing_else() -> None:
    game = load("yom_kippur")
    key, other_unit = "yairi_abn_bde_a", "shom_arm_bde_a"

    def changed_key(piece: str, **fields: object) -> str:
        units = {**game.units, piece: dataclasses.replace(game.units[piece], **fields)}  # type: ignore[arg-type]
        changed_game = dataclasses.replace(game, units=MappingProxyType(units), formations=formations(units.values()))
        return face_view(faces_view(changed_game), changed_game, key).key

    view_key = face_view(faces_view(game), game, key).key
    assert changed_key(other_unit, name="Another", steps=9) == view_key
    assert changed_key(other_unit, formation="Another") != view_key, "tints go by formations"
    assert changed_key(key, name="Another") != view_key
    assert view(game, GROUND).key == view(load("yom_kippur"), GROUND).key
    assert len(faces(game)) == 2 * (len(game.units) + len(game.markers))

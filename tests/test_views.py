"""What is drawn from a view is what is drawn from the whole game."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import pytest

from art.counters import face_group
from art.markers import marker_group
from art.svg import to_bytes
from modgen.cache import Cache
from modgen.kit.faces import SIDES, Faces, piece_group
from modgen.kit.sheets import Piece
from modgen.kit.views import GROUND, face_view, faces_view, view
from modgen.vmod.art import faces
from modgen.vmod.boards import boards, hex_picture, point_picture
from modgen.vmod.laying import lying
from scenarios import load
from scenarios.counters import formations
from scenarios.loading import shipped
from scenarios.points import PointMap


@pytest.mark.parametrize("game_id", shipped())
def test_every_face_is_the_same(game_id: str) -> None:
    game = load(game_id)
    seen = faces_view(game)
    for key, unit in game.units.items():
        held = face_view(seen, game, key).game
        for side in SIDES:
            narrow = to_bytes(face_group(held, held.units[key], side, ""))
            assert narrow == to_bytes(face_group(game, unit, side, "")), (key, side)
    for key in game.markers:
        held = face_view(seen, game, key).game
        assert to_bytes(marker_group(held, key, "")) == to_bytes(marker_group(game, key, "")), key


@pytest.mark.parametrize(
    "game_id", [pytest.param("arab_israeli_wars", marks=pytest.mark.slow), "yom_kippur", "october_war"]
)
def test_boards_are_the_same(game_id: str) -> None:
    game = load(game_id)
    wanted = [hex_picture(game, held.map) for held in lying(game).values()]
    wanted += [point_picture(game, table) for table in game.maps.values() if isinstance(table, PointMap)]
    assert [picture.whole for picture in boards(game)[1].values()] == wanted


def test_the_kit_has_the_tints_of_formations() -> None:
    game = load("yom_kippur")
    drawn = Faces(game, Cache(None))
    for key in ("yairi_abn_bde_a", "shom_arm_bde_a"):
        piece = Piece("unit", key, "", "")
        assert to_bytes(drawn(piece, "front")) == to_bytes(piece_group(game, piece, "front"))


def test_a_key_changes_with_what_a_face_shows_and_with_nothing_else() -> None:
    game = load("yom_kippur")
    key, other = "yairi_abn_bde_a", "shom_arm_bde_a"

    def changed(piece: str, **fields: object) -> str:
        units = {**game.units, piece: dataclasses.replace(game.units[piece], **fields)}  # type: ignore[arg-type]
        there = dataclasses.replace(game, units=MappingProxyType(units), formations=formations(units.values()))
        return face_view(faces_view(there), there, key).key

    mine = face_view(faces_view(game), game, key).key
    assert changed(other, name="Another", steps=9) == mine
    assert changed(other, formation="Another") != mine, "tints go by formations"
    assert changed(key, name="Another") != mine
    assert view(game, GROUND).key == view(load("yom_kippur"), GROUND).key
    assert len(faces(game)) == 2 * (len(game.units) + len(game.markers))

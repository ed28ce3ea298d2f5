"""How counters lie in trays: each by itself where there is room, no more on one another than there has to be."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modgen.vmod.setups.setups import spots
from scenarios import load, shipped_games
from scenarios.model.position import from_scenario
from scenarios.vassal.windows import MAIN, PAGE, SETUP, piles, setup_sheets

KINDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=40)


@given(KINDS, st.integers(0, 7))
def test_a_pile_has_one_kind_and_is_no_deeper_than_it_may_be(piece_kinds: list[str], max_depth: int) -> None:
    kinds_by_pile: defaultdict[int, list[str]] = defaultdict(list)
    for kind, pile in zip(piece_kinds, piles(piece_kinds, max_depth), strict=True):
        kinds_by_pile[pile].append(kind)
    assert sorted(kinds_by_pile) == list(range(len(kinds_by_pile))), "no place is left empty"
    assert all(len(set(pile)) == 1 for pile in kinds_by_pile.values())
    assert all(len(pile) <= max_depth for pile in kinds_by_pile.values()) or not max_depth
    fewest = sum(-(-count // max_depth) if max_depth else 1 for count in Counter(piece_kinds).values())
    assert len(kinds_by_pile) == fewest, "no more places than the depth asks for"


@pytest.mark.parametrize("name", shipped_games())
def test_trays_fit_their_windows(name: str) -> None:
    game = load(name)
    for key in game.scenarios:
        for sheet in setup_sheets(game, key):
            assert sheet.width <= PAGE[0] and sheet.height <= PAGE[1], (key, sheet.window)


def test_a_scenario_with_few_counters_shows_each() -> None:
    """B-1 has 27 counters and one window: none lies on another."""
    game = load("arab_israeli_wars")
    start = from_scenario(game, "B-1")
    assert [sheet.window for sheet in setup_sheets(game, "B-1")] == [SETUP]
    places = Counter(spot for spot in spots(game, start) if spot.window == SETUP)
    assert len(places) == 27 and set(places.values()) == {1}


def test_pieces_lie_in_the_tray_of_their_group() -> None:
    game = load("arab_israeli_wars")
    for key in game.scenarios:
        start = from_scenario(game, key)
        trays = {sheet.window: sheet for sheet in setup_sheets(game, key)}
        for piece, spot in zip(start.pieces, spots(game, start), strict=True):
            tray = trays[spot.window].tray_at(spot.x, spot.y) if spot.window in trays else None
            assert (spot.window == MAIN) == (tray is None) and (tray is None or tray.group == piece.group), (key, piece)


def test_a_sides_support_lies_in_the_window_of_its_side() -> None:
    """A-5 needs several windows; none of them has a tray of each side."""
    game = load("arab_israeli_wars")
    sheets = [sheet for sheet in setup_sheets(game, "A-5") if sheet.window.startswith(SETUP)]
    sides = [{tray.group.partition("/")[0] for tray in sheet.trays} for sheet in sheets]
    assert len(sheets) == 3 and all(len(tray_sides) == 1 for tray_sides in sides)
    assert {tray.location for sheet in sheets for tray in sheet.trays if tray.location.startswith("support:")} == {
        "support:israeli",
        "support:arab",
    }

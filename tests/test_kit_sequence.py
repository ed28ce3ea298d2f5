"""The card with the sequence of play says all that the pack says, in its order, on one page."""

from __future__ import annotations

from collections.abc import Iterator

import pypdfium2
import pytest

from modgen.kit.frame import frame_of
from modgen.kit.leaves import leaves
from modgen.kit.options import PAPERS, Options
from modgen.kit.sequence import sequences
from scenarios import load, shipped_games
from scenarios.model.definitions import Phase
from scenarios.model.game import Game
from tests import shared


def pages_of(game: Game, paper: str = "a4", scenario: str = "") -> list[str]:
    """The words of each page, without the breaks between lines."""
    options = Options(paper=PAPERS[paper], scenario=scenario)
    data = {**frame_of(game, options), "sequences": sequences(game, scenario)}
    sequence_leaves = leaves("sequence", data, game.card.release, shared.DRAWN)
    document = pypdfium2.PdfDocument(sequence_leaves.plate)
    assert sequence_leaves.data["leaves"] == len(document)
    return ["".join(page.get_textpage().get_text_bounded().split()) for page in document]


def walk_phases(phases: tuple[Phase, ...]) -> Iterator[Phase]:
    """The phases as a player meets them."""
    for phase in phases:
        yield phase
        yield from walk_phases(phase.phases)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", shipped_games())
def test_every_phase_stands_on_the_one_page_of_its_sequence_in_order(name: str, paper: str) -> None:
    game = load(name)
    pages = pages_of(game, paper)
    assert len(pages) == len(game.sequence)
    for sequence, page in zip(game.sequence.values(), pages, strict=True):
        offset = 0
        for phase in walk_phases(sequence.phases):
            name_start = page.find("".join(phase.name.split()), offset)
            assert name_start >= 0, phase.name
            offset = page.index("".join(phase.note.split()), name_start)


def test_a_scenario_has_the_sequence_it_follows() -> None:
    game = load("arab_israeli_wars")
    (page,) = pages_of(game, scenario="B-1")
    assert "BasicRules" in page
    assert "Helicopter" not in page


def test_who_acts_and_when_is_said_where_it_is_not_plain() -> None:
    (war,) = sequences(load("october_war"))
    combat = next(phase for phase in war["phases"][1]["phases"] if phase["name"] == "Arab 1st Echelon Combat Phase")
    assert [inner["side"] for inner in combat["phases"]] == ["", "Israeli", "", "", ""]


@pytest.mark.parametrize("name", shipped_games())
def test_a_phase_of_some_turns_says_so(name: str) -> None:
    game = load(name)
    for sequence, page_sequence in zip(game.sequence.values(), sequences(game), strict=True):
        todo = list(zip(sequence.phases, page_sequence["phases"], strict=True))
        while todo:
            phase, page_phase = todo.pop()
            is_limited = phase.turn or phase.since > 1
            assert not is_limited or "turn" in page_phase["note"] + page_phase["turns"], phase.name
            todo += zip(phase.phases, page_phase["phases"], strict=True)

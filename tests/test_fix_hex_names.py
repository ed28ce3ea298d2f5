"""Hexes and Situations with one name: which of the two a bare word means (The Arab-Israeli Wars; Basic III.A.3)."""

from __future__ import annotations

import pytest

from tests.asking import ask_json

GAME = "arab_israeli_wars"


@pytest.mark.parametrize(
    ("words", "same_words"),
    [
        (("los", "--map", "D", "B-3", "C-4"), ("los", "--map", "D", "hexes=D-B-3,D-C-4")),
        (("los", "B-3", "C-4", "--map=D"), ("los", "--map", "D", "hexes=D-B-3,D-C-4")),
        (("los", "map=D", "S-5", "S-7"), ("los", "--map", "D", "hexes=D-S-5,D-S-7")),
        (("los", "S-11", "D-B-3", "D-C-4"), ("los", "--scenario", "S-11", "hexes=D-B-3,D-C-4")),
        (("los", "A-1", "B-3", "B-4"), ("los", "--scenario", "A-1", "hexes=A-B-3,A-B-4")),
        (("los", "--scenario", "A-1", "S-5", "S-7"), ("los", "--scenario", "A-1", "hexes=A-S-5,A-S-7")),
        (("move", "--map", "D", "t_62@C-4", "B-3"), ("move", "--map", "D", "t_62@C-4", "to=D-B-3")),
        (("score", "S-9"), ("score", "--scenario", "S-9")),
    ],
)
def test_a_word_is_a_hex_once_the_map_is_told(words: tuple[str, ...], same_words: tuple[str, ...]) -> None:
    assert ask_json(words[0], GAME, *words[1:]) == ask_json(same_words[0], GAME, *same_words[1:])

"""Morale of The Arab-Israeli Wars: the rulebook's example, who is infantry, and chances that add up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.engine.roster import roster
from assistant.games.arab_israeli_wars.forces import field_on
from assistant.games.arab_israeli_wars.morale import find_dispersed, recovery, recovery_nodes
from assistant.questions.answer import BadQuestion
from scenarios.model.position import Piece, Position
from tests.aiw_small import GAME, F
from tests.questions import render_nodes


def test_the_example_of_morale() -> None:
    """Standard IV.B.2: level A, not infantry, recovers on 1 to 5."""
    result = recovery(GAME, "t_62", "A")
    assert (result.chance, result.range, result.column) == (F(5, 6), "1-5", "other")


@pytest.mark.parametrize(
    ("unit", "works", "column"),
    [("infantry_egypt", (), "infantry"), ("commando", (), "infantry"), ("infantry_egypt", ("fort",), "other"),
     ("infantry_israel", ("improved_position",), "other"), ("infantry_israel", ("mine_2_1",), "infantry"),
     ("machine_gun", (), "other"), ("combat_engineer_arab", (), "other"), ("sagger", (), "other"),
     ("mi_8", (), "other"), ("bridge", (), "other"), ("assault_boat", (), "infantry")],
)  # fmt: skip
def test_who_is_infantry(unit: str, works: tuple[str, ...], column: str) -> None:
    assert recovery(GAME, unit, "B", frozenset(works)).column == column


@given(st.sampled_from("ABCD"), st.sampled_from(["t_62", "infantry_egypt"]), st.integers(0, 30))
def test_recovery_over_turns(level: str, unit: str, turns: int) -> None:
    result = recovery(GAME, unit, level)
    failure_chance = F(1)  # in every fire phase so far
    for n in range(turns + 1):
        assert result.chance_by(n) == 1 - failure_chance
        failure_chance *= 1 - result.chance
    assert result.mean_phases == 1 / result.chance


def test_morale_of_a_position() -> None:
    field = field_on(GAME, "S-4")
    hex = field.hex_map.hex("C-M-5")
    states = frozenset({"dispersed", "inverted"})
    pieces = (
        Piece("infantry_jordan", "1111", "jordan", hex, states),
        Piece("m3_halftrack", "2211", "israel", field.hex_map.hex("C-M-7"), states),
        Piece("infantry_israel", "1111", "israel", field.hex_map.hex("C-M-7"), states | {"loaded"}),
    )
    position = Position(GAME.id, "S-4", 1, "", pieces)
    dispersed_units = list(find_dispersed(field.with_markers({hex: ["fort"]}), position, roster(GAME, "S-4")))
    levels = GAME.scenarios["S-4"].morale
    assert [(dispersed_unit.recovery.level, dispersed_unit.recovery.column) for dispersed_unit in dispersed_units] == [
        (levels["jordan"], "other"),
        (levels["israel"], "other"),
    ]
    assert recovery(GAME, "infantry_egypt", "D", basic=True).chance == 1
    assert recovery(GAME, "jet_israel", "A").chance == 0
    with pytest.raises(BadQuestion, match="morale level"):
        recovery(GAME, "t_62", "E")
    json_answer, lines = render_nodes(recovery_nodes(dispersed_units[0].recovery, 3))
    assert lines and [row["turn"] for row in json_answer["turns"]] == [1, 2, 3]

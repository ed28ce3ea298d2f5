"""Victory points of the Situations, added up by hand, and the levels of victory."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.cli import cli
from assistant.engine.roster import roster
from assistant.questions.answer import BadQuestion
from assistant.questions.registry import ask
from assistant.questions.rendering import answer_json, as_lines
from scenarios import load
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position, from_file, from_scenario
from tests.asking import run_command

GAME = load("arab_israeli_wars")
Put = tuple[str, int, str]
"""A counter, how many of it, and where they go."""


def place_units(scenario: str, puts: Sequence[Put], turn: int = 20) -> Position:
    """A Situation's forces with some pieces put somewhere; all others are still to come and count for nothing."""
    table = GAME.scenario_maps[scenario]
    assert isinstance(table, HexMap)
    start = from_scenario(GAME, scenario)
    pieces = [piece._replace(at="setup:later") for piece in start.pieces]
    for unit, count, place in puts:
        name, _, side = unit.partition("@")
        waiting = [
            i
            for i, piece in enumerate(pieces)
            if piece.unit == name and piece.at == "setup:later" and piece.group.startswith(side)
        ]
        assert len(waiting) >= count, f"{scenario} has too few {unit}"
        for i in waiting[:count]:
            pieces[i] = pieces[i]._replace(at=place if place.startswith("box:") else table.hex(place))
    return Position(GAME.id, scenario, turn, "", tuple(pieces))


Told = Mapping[str, Any]
"""The answer to `score`."""


def totals(answer: Told) -> dict[str, int]:
    return {side: int(points) for side, points in answer["totals"].items()}


def score(position: Position, **inputs: str | int) -> Told:
    return answer_json(ask(GAME, "score", {"position": position, **{key: str(value) for key, value in inputs.items()}}))


def ask_score(scenario: str, puts: Sequence[Put], turn: int = 20, **inputs: str | int) -> Told:
    return score(place_units(scenario, puts, turn), **inputs)


def to_tell(answer: Told) -> list[str]:
    return [line["input"] for line in answer["missing_inputs"]]


ELIMINATED_BOX = "box:eliminated"


def result(answer: Told) -> tuple[str, int, str | None]:
    return answer["ahead"], int(answer["difference"]), answer["level"]


def test_b_1() -> None:
    """2 an Egyptian lost, 1 an Israeli out in the north; 2 an Israeli lost, 1 an Israeli left."""
    answer = ask_score(
        "B-1",
        [
            ("t_34_85", 4, ELIMINATED_BOX),
            ("su_100", 1, ELIMINATED_BOX),
            ("amx_13", 3, "box:exited:north"),
            ("sherman_51", 2, ELIMINATED_BOX),
            ("sherman_50", 1, "B-H-5"),
        ],
    )
    assert totals(answer) == {"israeli": 10 + 3, "arab": 4 + 1}
    assert result(answer) == ("israeli", 8, "substantial") and not to_tell(answer) and answer["over"]


def test_b_2() -> None:
    puts = [("t_55", 2, ELIMINATED_BOX), ("centurion_viii", 1, ELIMINATED_BOX), ("infantry_israel", 1, "C-O-7")]
    untold = ask_score("B-2", puts)
    assert totals(untold) == {"israeli": 4, "arab": 2}
    assert to_tell(untold) == ["attacked", "attacked"]
    assert totals(ask_score("B-2", puts, attacked=3)) == {"israeli": 4, "arab": 2 + 3}
    assert totals(ask_score("B-2", puts, attacked=0)) == {"israeli": 4 + 10, "arab": 2}
    dead = ask_score("B-2", [("infantry_israel", 1, ELIMINATED_BOX)])
    assert totals(dead) == {"israeli": 0, "arab": 4}
    assert [line["text"] for line in dead["missing_inputs"]] == [
        "A turn in which the settlement's platoon is attacked."
    ]


def test_b_4() -> None:
    """The T-62 counts otherwise than the rest."""
    other_unit = next(u for g in GAME.scenarios["B-4"].forces["arab"].groups for u in g.units if u != "t_62")
    israeli = next(u for g in GAME.scenarios["B-4"].forces["israeli"].groups for u in g.units)
    answer = ask_score(
        "B-4",
        [
            ("t_62", 2, ELIMINATED_BOX),
            (other_unit, 1, ELIMINATED_BOX),
            ("t_62", 1, "B-H-5"),
            (israeli, 1, ELIMINATED_BOX),
            ("t_62", 2, "box:exited:north"),
            (other_unit, 1, "box:exited:north"),
        ],
    )
    assert totals(answer) == {"israeli": 6 + 4 + 1, "arab": 3 + 6 + 1}
    assert result(answer) == ("israeli", 1, "marginal")


def test_s_1() -> None:
    puts = [
        ("infantry_israel", 2, ELIMINATED_BOX),
        ("m3_halftrack", 1, "D-P-7"),
        ("infantry_jordan", 4, ELIMINATED_BOX),
    ]
    answer = ask_score("S-1", puts, turn=10)
    assert totals(answer) == {"israeli": 0, "arab": 10 + 2}
    assert to_tell(answer) == ["3"] and answer["over"]
    assert totals(ask_score("S-1", puts, turn=10, counts="3:1")) == {"israeli": 10, "arab": 12}
    assert totals(ask_score("S-1", puts, turn=12)) == {"israeli": 4, "arab": 12}
    assert totals(ask_score("S-1", puts, turn=10, extended="yes")) == {"israeli": 4, "arab": 12}
    table = GAME.scenario_maps["S-1"]
    assert isinstance(table, HexMap)
    town = next(hex for hex in table.on_board("D") if table.terrain[hex] == "town")
    from scenarios.model.hexes import neighbours

    adjacent_places = [table.name(hex) for hex in neighbours(town) if hex in table and hex in table.on_board("D")]
    inside = ask_score("S-1", [*puts, ("fort", 1, adjacent_places[0]), ("machine_gun", 1, adjacent_places[0])], turn=10)
    assert totals(inside) == {"israeli": 10, "arab": 14}
    outside = ask_score(
        "S-1", [*puts, ("fort", 1, adjacent_places[0]), ("machine_gun", 1, adjacent_places[1])], turn=10
    )
    assert totals(outside) == {"israeli": 0, "arab": 14} and to_tell(outside) == ["3"]


def test_s_2() -> None:
    """Group A's exits are worth 1, Group B's 4."""
    answer = ask_score(
        "S-2",
        [
            ("sherman_51hv", 3, "box:exited:west"),
            ("centurion_viii", 2, "box:exited:west"),
            ("m3_halftrack", 1, "B-H-5"),
            ("infantry_israel", 2, ELIMINATED_BOX),
            ("t_34_85", 5, ELIMINATED_BOX),
            ("centurion_viii", 1, "box:exited:east"),
        ],
    )
    assert totals(answer) == {"israeli": 5 + 3 + 8, "arab": 6 + 1}
    assert result(answer) == ("israeli", 9, "substantial")


def test_s_3_has_sides_of_its_own() -> None:
    """10 for each town hex with Jordanians in it, however many they are."""
    table = GAME.scenario_maps["S-3"]
    assert isinstance(table, HexMap)
    towns = sorted(table.name(hex) for hex, kind in table.terrain.items() if kind == "town")
    answer = ask_score(
        "S-3",
        [
            ("infantry_jordan", 3, towns[0]),
            ("centurion_iii", 1, towns[1]),
            ("t_55", 2, towns[2]),
            ("centurion_iii", 2, ELIMINATED_BOX),
            ("t_55", 3, ELIMINATED_BOX),
            ("btr_50", 4, "box:exited:south"),
        ],
    )
    assert totals(answer) == {"jordanian": 20 + 6, "syrian": 4 + 4}
    assert result(answer) == ("jordanian", 18, "major")


def test_s_4_counts_three_kinds() -> None:
    answer = ask_score(
        "S-4",
        [
            ("how_25lbr", 1, ELIMINATED_BOX),
            ("centurion_iii", 2, ELIMINATED_BOX),
            ("infantry_jordan", 3, ELIMINATED_BOX),
            ("infantry_jordan", 2, "box:exited:east"),
            ("truck_jordan", 1, "box:exited:east"),
            ("infantry_jordan", 1, "D-H-5"),
            ("amx_13", 1, ELIMINATED_BOX),
        ],
    )
    assert totals(answer) == {"israeli": 10 + 8 + 3, "arab": 4 + 1 + 2}


def test_s_9_and_the_canal() -> None:
    """20 a bridge; Israelis next to the canal 1, five hexes off 1 for Egypt, between nothing."""
    answer = ask_score(
        "S-9",
        [
            ("bridge", 1, ELIMINATED_BOX),
            ("infantry_jordan", 2, ELIMINATED_BOX),
            ("m48a5", 2, "A-H-5"),
            ("m48a5", 1, "A-H-7"),
            ("m60a1", 1, "A-H-9"),
            ("armored_infantry", 1, ELIMINATED_BOX),
        ],
    )
    assert totals(answer) == {"israeli": 20 + 2 + 2, "arab": 5 + 1}
    assert result(answer) == ("israeli", 18, "major")


def test_s_11_air_strikes_are_told() -> None:
    puts = [
        ("t_62", 2, "box:exited:west"),
        ("t_55", 1, "D-H-5"),
        ("patturion", 3, ELIMINATED_BOX),
        ("t_55", 4, ELIMINATED_BOX),
        ("btr_60", 2, "C-H-5"),
    ]
    answer = ask_score("S-11", puts)
    assert totals(answer) == {"israeli": 8 + 6, "arab": 6 + 1 + 3}
    assert to_tell(answer) == ["4"]
    assert totals(ask_score("S-11", puts, counts="4:2")) == {"israeli": 14, "arab": 14}
    assert result(ask_score("S-11", puts, counts="4:2")) == ("", 0, None)


def test_s_12_towns() -> None:
    table = GAME.scenario_maps["S-12"]
    assert isinstance(table, HexMap)
    towns = sorted(table.name(hex) for hex, kind in table.terrain.items() if kind == "town")
    answer = ask_score(
        "S-12",
        [
            ("armored_infantry", 2, towns[0]),
            ("m60a1", 1, towns[1]),
            ("t_62", 1, towns[2]),
            ("t_62", 2, ELIMINATED_BOX),
            ("patturion", 3, "box:exited:north"),
            ("m113a1", 1, ELIMINATED_BOX),
        ],
    )
    assert len(towns) == 10
    assert totals(answer) == {"israeli": 4 + 6 + 2, "arab": 24 + 3 + 2}


def test_s_13_ferry_and_bridges() -> None:
    at_cut = ask_score(
        "S-13",
        [
            ("trench", 1, "A-H-4"),
            ("trench", 1, "A-N-4"),
            ("bridge", 1, "A-N-4"),
            ("m60a1", 1, "A-N-4"),
            ("motorized_ferry", 1, "A-H-5"),
            ("bridge", 1, ELIMINATED_BOX),
            ("t_10m", 3, ELIMINATED_BOX),
            ("m48a5", 4, ELIMINATED_BOX),
        ],
    )
    assert totals(at_cut) == {"israeli": 3 + 20 + 30 + 30, "arab": 8}
    answer = ask_score("S-13", [("trench", 1, "A-H-4"), ("motorized_ferry", 1, "A-K-5")])
    assert totals(answer) == {"israeli": 0, "arab": 0}


def test_a_1() -> None:
    answer = ask_score(
        "A-1",
        [
            ("fort", 1, "A-H-5"),
            ("fort", 1, "A-R-5"),
            ("infantry_israel", 1, "A-H-5"),
            ("m60a1", 2, "A-H-5"),
            ("infantry_egypt", 6, "A-K-6"),
            ("t_55", 1, "A-K-2"),
            ("m60a1", 1, ELIMINATED_BOX),
            ("sagger", 3, ELIMINATED_BOX),
        ],
    )
    assert totals(answer) == {"israeli": 3 + 5, "arab": 2 + 6}
    assert answer["ahead"] == ""
    bridge = Piece("bridge", "1", "egypt", GAME.scenario_maps["A-1"].hex("A-M-4"))  # type: ignore[union-attr]
    base = place_units("A-1", [])
    with_bridge = Position(GAME.id, "A-1", 20, "", (*base.pieces, bridge))
    assert totals(score(with_bridge)) == {"israeli": 0, "arab": 5}


def test_a_2_fort() -> None:
    israeli_answer = ask_score(
        "A-2", [("fort", 1, "A-H-5"), ("infantry_israel", 1, "A-H-5"), ("bridge", 1, ELIMINATED_BOX)]
    )
    assert totals(israeli_answer) == {"israeli": 4 + 20, "arab": 0}
    egyptian_answer = ask_score("A-2", [("fort", 1, "A-H-5"), ("infantry_egypt", 3, "A-H-5")])
    assert totals(egyptian_answer) == {"israeli": 0, "arab": 10}


def test_a_3_needs_the_turn_of_an_exit() -> None:
    unit = next(u for g in GAME.scenarios["A-3"].forces["israeli"].groups for u in g.units)
    answer = ask_score(
        "A-3",
        [
            (unit, 2, "box:exited:west@6"),
            (unit, 1, "box:exited:north@7"),
            ("mi_8", 1, ELIMINATED_BOX),
            ("sagger", 2, ELIMINATED_BOX),
        ],
    )
    assert totals(answer) == {"israeli": 8 + 2 + 2 + 2, "arab": 0}
    untold = ask_score("A-3", [(unit, 2, "box:exited:west")])
    assert to_tell(untold) == ["5", "6"]
    assert totals(ask_score("A-3", [(unit, 2, "box:exited:west")], counts="5:1,6:1")) == {"israeli": 6, "arab": 0}


def test_a_4_boards_left_and_junctions() -> None:
    answer = ask_score(
        "A-4",
        [
            ("centurion_viii", 1, "A-M-8"),
            ("infantry_egypt", 3, "C-T-5"),
            ("t_34_85", 1, "A-K-8"),
            ("infantry_jordan", 1, "B-CC-3"),
            ("rg_107", 1, "B-BB-4"),
            ("t_10m", 2, ELIMINATED_BOX),
        ],
    )
    # Israelis stand on A, so they have left C: three Egyptians there count, the one on A doesn't.
    towns = 0
    table = GAME.scenario_maps["A-4"]
    assert isinstance(table, HexMap)
    towns += table.terrain[table.hex("C-T-5")] == "town"
    assert totals(answer) == {"israeli": 2 + 3, "arab": 1 + 2 * towns}
    second_answer = ask_score(
        "A-4", [("patturion", 2, "box:exited:west"), ("infantry_egypt", 3, "C-T-5"), ("t_34_85", 1, "A-K-8")]
    )
    assert totals(second_answer)["israeli"] == 4 + 4
    departure_answer = ask_score(
        "A-4", [("infantry_egypt", 3, "C-T-5"), ("patturion", 1, ELIMINATED_BOX)], left_c="yes"
    )
    assert totals(departure_answer) == {"israeli": 3, "arab": 2 + 2 * towns}


def test_a_5_bridges_have_owners() -> None:
    base = place_units(
        "A-5",
        [
            ("bridge", 1, "A-H-5"),
            ("m60a1", 2, "C-H-5"),
            ("m48a5", 1, "D-H-5"),
            ("gsp_ferry", 1, ELIMINATED_BOX),
            ("infantry_israel", 3, ELIMINATED_BOX),
        ],
    )
    answer = score(base)
    assert totals(answer) == {"israeli": 4 + 5 + 15, "arab": 3 + 1}
    enemy = Piece("bridge", "9", "egypt", "box:eliminated")
    assert totals(score(Position(GAME.id, "A-5", 20, "", (*base.pieces, enemy)))) == {"israeli": 29, "arab": 4}
    pieces = [p._replace(at="box:eliminated") if p.unit == "bridge" else p for p in base.pieces]
    assert totals(score(Position(GAME.id, "A-5", 20, "", tuple(pieces)))) == {"israeli": 9, "arab": 14}


def test_a_6_needs_the_board_of_an_exit() -> None:
    unit = next(u for g in GAME.scenarios["A-6"].forces["israeli"].groups for u in g.units if u in GAME.units)
    vague = ask_score("A-6", [(unit, 2, "box:exited:south")])
    assert to_tell(vague) == ["5"]
    assert totals(ask_score("A-6", [(unit, 2, "box:exited:D-south"), (unit, 1, "box:exited:C-south")])) == {
        "israeli": 6,
        "arab": 0,
    }


def test_airplanes_that_come_back_are_told() -> None:
    assert totals(ask_score("S-6", [], lost="2*jet_israel")) == {"israeli": 0, "arab": 4}


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_every_situation_scores_and_says_what_must_be_told(scenario: str) -> None:
    answer = ask(GAME, "score", {"scenario": scenario})
    json_answer, sides = answer_json(answer), GAME.sides_in(GAME.scenarios[scenario])
    assert [line["number"] for line in json_answer["scores"]] == list(
        range(1, len(GAME.scenarios[scenario].victory) + 1)
    )
    must_be_told = {"B-2": 2, "S-1": 1, "S-11": 1}
    assert len(to_tell(json_answer)) == must_be_told.get(scenario, 0)
    assert json_answer["totals"].keys() == sides.keys()
    assert all(any(side.name in line for line in as_lines(answer)) for side in sides.values())


def test_levels_of_victory() -> None:
    """B-3 gives Israel 3 points for a unit (line 1) and the Arabs 1 for each over the west edge (line 3)."""
    expected_levels = {
        1: "marginal",
        2: "marginal",
        3: "minor",
        6: "minor",
        7: "substantial",
        14: "substantial",
        15: "major",
        30: "major",
        31: "decisive",
        99: "decisive",
    }
    for ahead, level in expected_levels.items():
        assert result(ask_score("B-3", [], counts=f"3:{ahead}")) == ("arab", ahead, level)
    assert result(ask_score("B-3", [], counts="3:3,1:1")) == ("", 0, None)


COUNTS: Mapping[str, int] = {"t_34_85": 12, "su_100": 3, "sherman_51": 5, "sherman_50": 2, "amx_13": 5}
PLACES = ("", ELIMINATED_BOX, "box:exited:north", "box:exited:south", "B-H-5")


@given(st.fixed_dictionaries({unit: st.lists(st.sampled_from(PLACES), max_size=n) for unit, n in COUNTS.items()}))
def test_b_1_against_its_words(places: dict[str, list[str]]) -> None:
    puts = [(unit, 1, place) for unit, wheres in places.items() for place in wheres if place]
    answer = ask_score("B-1", puts)

    def count_units(side: str, place: str) -> int:
        side_units = {"t_34_85", "su_100"} if side == "arab" else {"sherman_51", "sherman_50", "amx_13"}
        return sum(unit in side_units and unit_place == place for unit, _, unit_place in puts)

    israeli = 2 * count_units("arab", ELIMINATED_BOX) + count_units("israeli", "box:exited:north")
    arab = 2 * count_units("israeli", ELIMINATED_BOX) + count_units("israeli", "B-H-5")
    assert totals(answer) == {"israeli": israeli, "arab": arab}
    assert answer["difference"] == abs(israeli - arab)


def test_a_position_file(tmp_path: Path) -> None:
    file = tmp_path / "end.yaml"
    file.write_text(
        "game: arab_israeli_wars\nscenario: S-3\nturn: 12\npieces:\n"
        "  - {unit: t_55, at: box:eliminated}\n"
        "  - {unit: infantry_egypt, at: 'box:exited:south'}\n"
        "  - {unit: centurion_iii, at: box:eliminated}\n",
        encoding="utf-8",
    )
    position = from_file(GAME, file)
    scenario_roster = roster(GAME, "S-3")
    assert [scenario_roster.side(piece) for piece in position.pieces] == ["syrian", "syrian", "jordanian"]
    assert totals(score(position)) == {"jordanian": 2, "syrian": 3}


def test_groups_that_a_file_leaves_open_are_to_be_told() -> None:
    hex = GAME.scenario_maps["A-5"].hex("A-H-5")  # type: ignore[union-attr]
    assert roster(GAME, "A-5").group(Piece("infantry_egypt", "1121", "egypt", hex)) == ""
    assert roster(GAME, "S-2").group(Piece("centurion_viii", "6611", "israel", hex)) == "B"


def test_bad_questions() -> None:
    with pytest.raises(BadQuestion, match="Z-9"):
        ask(GAME, "score", {"scenario": "Z-9"})
    for inputs, sentence in (
        ({"counts": "99:1"}, "no victory line"),
        ({"counts": "foo:1"}, "no victory line"),
        ({"attacked": "-1"}, "attacked"),
        ({"lost": "t_63"}, "t_62"),
    ):
        with pytest.raises(BadQuestion, match=sentence):
            score(place_units("B-2", []), **inputs)
    with pytest.raises(BadQuestion, match="no exit"):
        ask_score("B-1", [("amx_13", 1, "box:exited:up")])


def test_a_situation_is_scored_without_a_position() -> None:
    """B-1: 2 points for each Egyptian unit eliminated, 1 for each Israeli unit over the north edge; a lead of 11 is
    substantial (The Situations B.2)."""
    words = ("--scenario", "B-1", "--lost", "4*t_34_85", "--counts", "4:3", "--json")
    answer = json.loads(run_command(cli, "score", "arab_israeli_wars", *words).stdout)
    assert (answer["ahead"], answer["difference"]) == ("israeli", 11) and "substantial" in answer["level"]

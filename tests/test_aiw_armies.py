"""The Arab-Israeli Wars: whose a unit is. The counters of one nation fight for another where the Situation says so (The
Situations A.3.b): in positions, saves, battle files and words alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modgen.vmod.files.lock import Lock
from modgen.vmod.pieces import pieces
from modgen.vmod.setups.setups import commands
from modgen.vmod.setups.turns import phases, state
from scenarios import load
from scenarios.model.position import Piece, Position, from_scenario, locate
from scenarios.vassal.archive import ENTRY, pack_zip, read_save, veil
from scenarios.vassal.playing import play_text
from tests.asking import run_assistant
from tests.questions import base

GAME = load("arab_israeli_wars")
PROTOTYPES = pieces.prototypes(GAME)


def json_answer(command: str, *words: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run_assistant(command, "arab_israeli_wars", *words, "--json"))
    return answer


def refusal_of(command: str, *words: str) -> str:
    return " ".join(run_assistant(command, "arab_israeli_wars", *words, code=2).split())


def position(folder: Path, scenario: str, *pieces: str) -> str:
    path = folder / "position.yaml"
    lines = "".join(f"  - {{unit: {piece}}}\n" for piece in pieces)
    path.write_text(f"game: arab_israeli_wars\nscenario: {scenario}\npieces:\n{lines}", encoding="utf-8")
    return str(path)


def save(folder: Path, start: Position) -> str:
    """A position as the module saves it; of pieces in one hex the first lies at the bottom."""
    lock = Lock()
    gpids = {key: lock.gpid(key) for key in (*GAME.units, *GAME.markers)}
    scenario = GAME.scenarios[start.scenario]
    text = commands(GAME, start, gpids, PROTOTYPES, state(GAME, scenario, phases(GAME)))
    path = folder / "game.vsav"
    path.write_bytes(pack_zip({ENTRY: veil(text)}))
    return str(path)


def open_pieces(path: str) -> list[dict[str, Any]]:
    pieces: list[dict[str, Any]] = json.loads(run_assistant("open", path, "--game", "arab_israeli_wars", "--json"))[
        "pieces"
    ]
    return pieces


def assault(path: str, start: str, target: str) -> str:
    answer = json_answer("odds", "--position", path, "--attack", "close_assault", "--from", start, "--at", target)
    return str(answer["attack_strength"])


@pytest.mark.parametrize(
    ("scenario", "unit", "tank", "start", "target", "strength"),
    [
        ("S-7", "infantry_egypt", "sherman_51hv", "D-R-5", "D-Q-5", "12"),  # Syrians: doubled
        ("S-13", "infantry_jordan", "m60a1", "B-H-5", "B-H-6", "18"),  # Egyptians: tripled (WEC note 7)
        ("S-13", "infantry_egypt", "m60a1", "B-H-5", "B-H-6", "18"),
        ("S-12", "infantry_egypt", "m60a1", "D-R-5", "D-Q-5", "12"),  # Syrians or Palestinians, no Egyptians
    ],
)  # fmt: skip
def test_infantry_assaults_tanks(
    tmp_path: Path, scenario: str, unit: str, tank: str, start: str, target: str, strength: str
) -> None:
    """WEC, CAT against armor: doubled; after 1970 Egyptians are tripled (note 7)."""
    position_path = position(tmp_path, scenario, f"{unit}, at: {start}", f"{tank}, at: {target}")
    assert assault(position_path, start, target) == strength
    egyptian_path = position(tmp_path, scenario, f"{unit}, at: {start}, nation: egypt", f"{tank}, at: {target}")
    assert assault(egyptian_path, start, target) == "18"  # told so, it is Egyptian all the same


def test_an_army_in_a_battle_file(tmp_path: Path) -> None:
    path = tmp_path / "battle.yaml"
    for scenario, unit, strength in (("S-7", "infantry_egypt", 12), ("S-13", "infantry_jordan", 18)):
        firer_place, target_place = ("D-R-5", "D-Q-5") if scenario == "S-7" else ("B-H-5", "B-H-6")
        path.write_text(
            f"attack: close_assault\nscenario: {scenario}\nfirers: [{{unit: {unit}, at: {firer_place}}}]\n"
            f"targets: [{{unit: m60a1, at: {target_place}}}]\n",
            encoding="utf-8",
        )
        answer = json_answer("odds", "--battle", str(path))
        assert answer["attack_strength"] == strength and answer["attackers"][0]["side"] == "arab"


def test_a_jeep_of_lebanon_is_not_jordanian(tmp_path: Path) -> None:
    """WEC note 5: after 1967 Jordanians double against armor at 3 to 6 hexes; in S-12 the jeeps are Lebanese."""
    position_path = position(tmp_path, "S-12", "jeep_106_jordan, at: C-R-5", "m60a1, at: C-R-8")
    assert (
        json_answer("odds", "--position", position_path, "--from", "C-R-5", "--at", "C-R-8", "--anyway")[
            "attack_strength"
        ]
        == 16
    )
    jordanian_path = position(tmp_path, "S-12", "jeep_106_jordan, at: C-R-5, nation: jordan", "m60a1, at: C-R-8")
    assert (
        json_answer("odds", "--position", jordanian_path, "--from", "C-R-5", "--at", "C-R-8", "--anyway")[
            "attack_strength"
        ]
        == 32
    )


def landings(path: str, *words: str) -> set[str]:
    answer = json_answer(
        "odds",
        "--position",
        path,
        "--attack",
        "indirect_fire",
        "--support",
        "130 mm battery",
        "--side",
        "arab",
        "--at",
        "D-Q-5",
        *words,
    )
    return {fall["how"] for fall in answer["falls"]}


def test_armies_spot_for_themselves(tmp_path: Path) -> None:
    """S-12: the Syrian battery has no scatter where a Syrian sees the hex, and scatters where only others do."""
    target = "infantry_israel, at: D-Q-5"
    assert landings(position(tmp_path, "S-12", "t_62, at: D-R-5", target)) == {"hit"}
    assert "scatter" in landings(position(tmp_path, "S-12", "t_34_85, at: D-R-5", target))
    assert "scatter" in landings(position(tmp_path, "S-12", "infantry_jordan, at: D-R-5", target))
    # Two armies have this counter: the answer asks whose it is, unless it makes no difference.
    message = refusal_of(
        "odds",
        "--position",
        position(tmp_path, "S-12", "infantry_egypt, at: D-R-5", target),
        "--attack",
        "indirect_fire",
        "--support",
        "130 mm battery",
        "--side",
        "arab",
        "--at",
        "D-Q-5",
    )
    assert "`nation`" in message and "S-12" in message
    syrian = position(tmp_path, "S-12", "infantry_egypt, at: D-R-5, nation: syria", target)
    assert landings(syrian) == {"hit"}
    position_path = position(tmp_path, "S-12", "infantry_egypt, at: D-R-5", "t_62, at: D-R-5", target)
    assert landings(position_path) == {"hit"}
    assert landings(position(tmp_path, "S-12", "infantry_egypt, at: D-R-5", target), "--seen", "yes") == {"hit"}


def test_mounted_fire_of_egyptians_on_jordanian_counters(tmp_path: Path) -> None:
    """Advanced II.A.1.b: Egyptians from 1970 on; A-5's Group G has three Jordanian counters."""
    position_path = position(
        tmp_path,
        "A-5",
        "btr_152, at: C-H-5",
        "infantry_jordan, at: C-H-5, states: [loaded]",
        "infantry_israel, at: C-H-6",
    )
    answer = json_answer("odds", "--position", position_path, "--from", "C-H-5", "--at", "C-H-6", "--anyway")
    assert [base(attacker) for attacker in answer["attackers"]] == ["btr_152", "infantry_jordan"]
    assert not any("passenger" in reason["text"] for reason in answer["refused"])


def test_morale_is_the_armys(tmp_path: Path) -> None:
    """Standard IV.A.1; S-12 has Lebanese D, Palestinians and Syrians B, Israelis A."""
    levels = {
        "infantry_jordan": "D",
        "mortar_120_arab": "D",
        "t_34_85": "B",
        "t_62": "B",
        "infantry_egypt": "B",
        "m60a1": "A",
    }
    position_path = position(
        tmp_path,
        "S-12",
        *(f"{unit}, at: D-{row}-5, states: [dispersed]" for unit, row in zip(levels, "ABCDEF", strict=True)),
    )
    rows = json_answer("morale", "--position", position_path)["units"]
    assert {base(unit_row): unit_row["level"] for unit_row in rows} == levels
    for unit, level in levels.items():
        assert json_answer("morale", "--unit", unit, "--scenario", "S-12")["level"] == level
    strange = position(tmp_path, "S-12", "how_122, at: D-A-5, states: [dispersed]")
    assert "write its `nation`" in refusal_of("morale", "--position", strange)


def test_a_nation_that_there_is_not(tmp_path: Path) -> None:
    assert "or syria?" in refusal_of(
        "score", "--position", position(tmp_path, "S-12", "t_62, at: D-A-5, nation: sirya")
    )


def test_set_ups_of_the_module(tmp_path: Path) -> None:
    """Every piece of a set-up is opened as of its group's nation."""
    for scenario in ("S-3", "S-7", "S-12"):
        expected_position = from_scenario(GAME, scenario)
        pieces = open_pieces(save(tmp_path, expected_position))
        assert sorted((p["unit"], p["copy"], p["nation"]) for p in pieces) == sorted(
            (p.unit, p.copy, p.nation) for p in expected_position.pieces
        )
    text = run_assistant("open", save(tmp_path, from_scenario(GAME, "S-7")), "--game", "arab_israeli_wars")
    assert "Arab, Syrian" in text and "Egypt" not in text
    text = run_assistant("open", save(tmp_path, from_scenario(GAME, "S-3")), "--game", "arab_israeli_wars")
    assert "\nJordanian\n" in text and "\nSyrian\n" in text and "Arab" not in text.replace("Arab-Israeli", "")


def test_a_save_keeps_the_army_on_the_map(tmp_path: Path) -> None:
    """Palestinians and Syrians share a counter in S-12: the group that a piece came with tells them apart, and a position
    written from the save says it."""
    start = from_scenario(GAME, "S-12")
    table = GAME.scenario_maps["S-12"]
    for piece in start.copies_of("infantry_egypt"):
        start = start.with_move(piece.unit, piece.copy, locate(table, "D-R-5"))
    path = save(tmp_path, start)
    armies = [saved_piece["nation"] for saved_piece in open_pieces(path) if saved_piece["unit"] == "infantry_egypt"]
    assert sorted(armies) == ["palestine"] * 8 + ["syria"] * 9
    written_path = tmp_path / "written.yaml"
    run_assistant("open", path, "--game", "arab_israeli_wars", "--write", str(written_path))
    second_armies = [
        saved_piece["nation"]
        for saved_piece in open_pieces(str(written_path))
        if saved_piece["unit"] == "infantry_egypt"
    ]
    assert sorted(second_armies) == sorted(armies)


def test_a_stack_of_a_save_is_read_from_the_top(tmp_path: Path) -> None:
    """Basic V.B.5: a passenger lies right under its carrier. Advanced II.A.2.c: who rides in a truck doesn't fire."""
    table = GAME.scenario_maps["A-5"]
    stack_hex, enemy_hex = locate(table, "A-M-8"), locate(table, "A-M-7")
    passenger_states = frozenset({"loaded"})
    stack = (
        Piece("infantry_israel", "1111", "israel", stack_hex, passenger_states, 0, "israeli/A"),
        Piece("truck_israel", "6411", "israel", stack_hex),
        Piece("infantry_israel", "1112", "israel", stack_hex, passenger_states, 0, "israeli/A"),
        Piece("m113a1", "7221", "israel", stack_hex),
        Piece("infantry_egypt", "1121", "egypt", enemy_hex),
    )
    path = save(tmp_path, Position(GAME.id, "A-5", 1, "", stack))
    answer = json_answer("odds", "--position", path, "--from", "A-M-8", "--at", "A-M-7", "--side", "israeli")
    assert [attacker["unit"] for attacker in answer["attackers"]] == ["m113a1/7221", "infantry_israel/1112"]


def test_the_module_knows_the_army(tmp_path: Path) -> None:
    """The module's own arithmetic asks a piece for its nation: in a set-up it is the Situation's."""
    path = Path(save(tmp_path, from_scenario(GAME, "S-7")))
    table = play_text(read_save(path)[0])
    nations = {piece.properties["nation"] for piece in table.pieces.values() if piece.properties.get("side") == "arab"}
    assert nations == {"syria"}

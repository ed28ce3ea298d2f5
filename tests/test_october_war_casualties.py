"""Casualty points on their tracks (7.1), and the battles that end the game by them (4.1, 7.2, 7.3)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from assistant.attacks import BadQuestion
from assistant.games.october_war import QUESTIONS
from modgen.vmod import pieces
from modgen.vmod.lock import Lock
from modgen.vmod.setups import commands
from modgen.vmod.turns import phases, state
from scenarios import load
from scenarios.opening import open_position
from scenarios.position import Piece, Position, from_scenario
from scenarios.vassal.reading import read_position

GAME = load("october_war")
FIGHT = [("armor_battalion", "tasa"), ("armored_brigade_egypt", "tasa")]


def put(pieces: list[tuple[str, str]], **tracks: int) -> Position:
    markers = [(f"casualties_{track}", f"box:{track}_casualties/{number}") for track, number in tracks.items()]
    held = tuple(Piece(unit, str(i), "", at) for i, (unit, at) in enumerate([*pieces, *markers]))
    return Position("october_war", "standard", 5, pieces=held)


def test_the_score_reads_the_tracks(tmp_path: Path) -> None:
    """4.2: two points for an Israeli casualty, one for an Arab one; what is told goes before the track."""
    file = tmp_path / "war.yaml"
    file.write_text(
        "game: october_war\nscenario: standard\nturn: 5\npieces:\n"
        "  - {unit: casualties_israeli, at: 'box:israeli_casualties/31'}\n"
        "  - {unit: casualties_syrian, at: 'box:syrian_casualties'}\n",
        encoding="utf-8",
    )
    json, lines = QUESTIONS["score"].answer(GAME, {"position": str(file)})
    assert json["casualties"] == {"israeli": 31, "egyptian": 0, "syrian": 0} and json["totals"]["arab"] == "62"
    assert "israeli casualty points: 31 on their track, the game ends above 70 (4.1)" in lines
    assert "casualty points not told count as 0: egyptian=NUMBER" in lines
    assert any("israeli=81" in line for line in lines)  # 7.2: the track goes round after 50
    told, _ = QUESTIONS["score"].answer(GAME, {"position": open_position(GAME, file), "israeli": "71"})
    assert [side["side"] for side in told["won"]] == ["arab"]


def test_a_save_shows_the_tracks() -> None:
    start = from_scenario(GAME, "standard")
    moved = tuple(
        piece._replace(at=f"{piece.at}/28") if piece.unit == "casualties_egyptian" else piece for piece in start.pieces
    )
    position, lock = replace(start, pieces=moved), Lock()
    gpids = {key: lock.gpid(key) for key in (*GAME.units, *GAME.markers)}
    turn = state(GAME, GAME.scenarios["standard"], phases(GAME))
    text = commands(GAME, position, gpids, pieces.prototypes(GAME), turn)
    json, _ = QUESTIONS["score"].answer(GAME, {"position": read_position(GAME, text)})
    assert json["casualties"] == {"israeli": 0, "egyptian": 28, "syrian": 0}


def test_a_battle_may_end_the_game() -> None:
    """An Israeli battalion in Tasa stands against a brigade: 70 points and one loss more, or 60 Egyptian ones."""
    asked = {"point": "tasa", "side": "israeli"}

    def ends(**tracks: int) -> tuple[int | Fraction, int | Fraction]:
        json, lines = QUESTIONS["odds"].answer(GAME, {**asked, "position": put(FIGHT, **tracks)})
        lost = {side: 1 - Fraction(json["sides"][side]["casualty_points"].get("0", "0")) for side in json["sides"]}
        assert {"arab", "israeli"} == json["sudden_death"].keys() and 0 < lost["attacker"] < 1
        found = Fraction(json["sudden_death"]["arab"]), Fraction(json["sudden_death"]["israeli"])
        assert found[0] in (0, lost["attacker"]) and found[1] in (0, lost["defender"])
        assert any(line.startswith("by casualties") for line in lines) == any(found)
        return found

    assert ends(israeli=69) == (0, 0) and ends(egyptian=59) == (0, 0)
    assert ends(israeli=70)[0] > 0 and ends(israeli=70)[1] == 0
    assert ends(egyptian=60)[1] > 0 and ends(syrian=60) == (0, 0)  # 7.3: losses in the Sinai
    assert ends(israeli=61, egyptian=60) == (0, 0)  # 7.3: Israel above 60 itself


def test_losses_on_the_golan_and_points_that_are_told() -> None:
    asked = {"attackers": "armor_battalion", "defenders": "armored_brigade_syria", "syrian": "60"}
    golan, _ = QUESTIONS["odds"].answer(GAME, {**asked, "point": "nafah"})
    sinai, _ = QUESTIONS["odds"].answer(GAME, {**asked, "point": "tasa"})
    assert golan["sudden_death"]["israeli"] != "0" and sinai["sudden_death"]["israeli"] == "0"
    with pytest.raises(BadQuestion, match="point=POINT"):
        QUESTIONS["odds"].answer(GAME, asked)
    plain, _ = QUESTIONS["odds"].answer(GAME, {**asked, "syrian": ""})
    assert plain["sudden_death"] == {}

"""Casualty points on their tracks (7.1), and the battles that end the game by them (4.1, 7.2, 7.3)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from assistant.cli import cli
from modgen.vmod.files.lock import Lock
from modgen.vmod.setups.setups import commands
from modgen.vmod.setups.turns import phases, state
from scenarios import load
from scenarios.model.position import Piece, Position, from_scenario
from scenarios.opening_positions import open_position
from scenarios.vassal.reading import read_position
from tests import shared
from tests.asking import run_command
from tests.net.adapter import ask

GAME = load("october_war")
FIGHT = [("armor_battalion", "tasa"), ("armored_brigade_egypt", "tasa")]


def put(pieces: list[tuple[str, str]], **tracks: int) -> Position:
    markers = [(f"casualties_{track}", f"box:{track}_casualties/{number}") for track, number in tracks.items()]
    placed_pieces = tuple(Piece(unit, str(i), "", place) for i, (unit, place) in enumerate([*pieces, *markers]))
    return Position("october_war", "standard", 5, pieces=placed_pieces)


def test_the_score_reads_the_tracks(tmp_path: Path) -> None:
    """4.2: two points for an Israeli casualty, one for an Arab one; what is told goes before the track."""
    file = tmp_path / "war.yaml"
    file.write_text(
        "game: october_war\nscenario: standard\nturn: 5\npieces:\n"
        "  - {unit: casualties_israeli, at: 'box:israeli_casualties/31'}\n"
        "  - {unit: casualties_syrian, at: 'box:syrian_casualties'}\n",
        encoding="utf-8",
    )
    answer = ask(GAME, "score", open_position(GAME, file))
    assert answer["casualties"] == {"israeli": 31, "egyptian": 0, "syrian": 0} and answer["points"]["arab"] == 62
    output = run_command(cli, "score", "october_war", "--position", str(file)).output
    output = " ".join(output.split())
    assert "Israeli casualty points 31 yes" in output, "read from the track"
    assert "40 more Israeli casualty points" in output, "the game ends above 70 (4.1)"
    assert "casualty points of the Arabs in the Sinai have not been entered and count as 0: egyptian=NUMBER" in output
    assert ask(GAME, "score", open_position(GAME, file), israeli="71")["won"] == ("arab",)


def test_a_save_shows_the_tracks() -> None:
    start = from_scenario(GAME, "standard")
    moved_pieces = tuple(
        piece._replace(at=f"{piece.at}/28") if piece.unit == "casualties_egyptian" else piece for piece in start.pieces
    )
    position, lock = replace(start, pieces=moved_pieces), Lock()
    gpids = {key: lock.gpid(key) for key in (*GAME.units, *GAME.markers)}
    turn = state(GAME, GAME.scenarios["standard"], phases(GAME))
    text = commands(GAME, position, gpids, shared.prototypes(GAME), turn)
    answer = ask(GAME, "score", read_position(GAME, text))
    assert answer["casualties"] == {"israeli": 0, "egyptian": 28, "syrian": 0}


def test_a_battle_may_end_the_game() -> None:
    """An Israeli battalion in Tasa stands against a brigade: 70 points and one loss more, or 60 Egyptian ones."""
    inputs = {"point": "tasa", "side": "israeli"}

    def ends(**tracks: int) -> tuple[int | Fraction, int | Fraction]:
        answer = ask(GAME, "odds", put(FIGHT, **tracks), **inputs)
        loss_chances = {side: 1 - side_row["points"].get("0", 0) for side, side_row in answer["sides"].items()}
        assert {"arab", "israeli"} == answer["sudden_death"].keys() and 0 < loss_chances["attacker"] < 1
        end_chances = answer["sudden_death"]["arab"], answer["sudden_death"]["israeli"]
        assert end_chances[0] in (0, loss_chances["attacker"]) and end_chances[1] in (0, loss_chances["defender"])
        return end_chances

    assert ends(israeli=69) == (0, 0) and ends(egyptian=59) == (0, 0)
    assert ends(israeli=70)[0] > 0 and ends(israeli=70)[1] == 0
    assert ends(egyptian=60)[1] > 0 and ends(syrian=60) == (0, 0)  # 7.3: losses in the Sinai
    assert ends(israeli=61, egyptian=60) == (0, 0)  # 7.3: Israel above 60 itself


def test_losses_on_the_golan_and_points_that_are_told() -> None:
    inputs = {"attackers": "armor_battalion", "defenders": "armored_brigade_syria", "syrian": "60"}
    golan, sinai = (ask(GAME, "odds", **inputs, point=point)["sudden_death"]["israeli"] for point in ("nafah", "tasa"))
    assert golan != 0 and sinai == 0
    assert "at=POINT" in ask(GAME, "odds", **inputs).refusal
    assert ask(GAME, "odds", **{**inputs, "syrian": ""})["sudden_death"] == {}

"""The assistant's commands for The Arab-Israeli Wars; every example of docs/assistant.md is run as it stands."""

from __future__ import annotations

import functools
import json
import re
import shlex
from fractions import Fraction
from pathlib import Path

import pytest

from assistant.cli import cli
from scenarios.command import load_game
from scenarios.model.game import Game
from tests.asking import run_assistant, run_command
from tests.examples import assert_shown

ROOT = Path(__file__).parent.parent
DOCS = (ROOT / "docs" / "assistant.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^\$ assistant (.+)\n((?:(?!\$ |```).*\n)*)", DOCS, re.MULTILINE)
GAME = "arab_israeli_wars"
POSITION = ("--position", "docs/examples/el_firdan.yaml")


@functools.cache
def load_cached(game: str, overlays: tuple[Path, ...], no_overlay: bool) -> Game:
    return load_game(game, overlays, no_overlay)


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the project's folder; each game is loaded once."""
    monkeypatch.chdir(ROOT)
    for module in ("ask", "verbs", "open_save"):
        monkeypatch.setattr(f"assistant.commands.{module}.load_game", load_cached)


@pytest.mark.parametrize(("words", "output_lines"), EXAMPLES, ids=[example[0] for example in EXAMPLES])
def test_the_documented_examples(words: str, output_lines: str) -> None:
    result = run_command(cli, *shlex.split(words))
    assert_shown(output_lines, result)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 18


@pytest.mark.parametrize(
    "words",
    [
        ("--from", "A-L-9,A-N-9", "--at", "A-M-7", "--what-if"),
        ("--from", "A-M-6", "--at", "A-N-9", "--what-if"),
        ("--from", "A-L-5,A-J-5", "--at", "A-N-9", "--attack", "indirect_fire", "--seen", "no"),
        ("--support", "155 mm battery", "--at", "A-M-6", "--attack", "interdiction", "--seen", "no"),
        ("--best", "--side", "israeli", "--at", "A-M-7,A-K-6,A-H-7"),
        ("--at", "A-P-7", "--attack", "clear_mines"),
        ("--from", "A-N-7", "--at", "A-P-7", "--attack", "minefield"),
        ("--from", "A-M-7", "--at", "A-N-7", "--attack", "overrun"),
        ("--from", "A-M-6", "--at", "A-N-7", "--attack", "close_assault", "--firers", "infantry_egypt"),
        ("--from", "A-L-9", "--at", "A-L-4", "--targets", "bridge"),
    ],
)
def test_answers_fit_a_terminal_and_are_json(words: tuple[str, ...]) -> None:
    text = run_assistant("odds", GAME, *POSITION, *words)
    assert max(map(len, text.splitlines())) <= 100
    answer = json.loads(run_assistant("odds", GAME, *POSITION, *words, "--json"))
    assert answer["game"] == GAME
    if "--best" not in words:
        assert sum(fraction(part["chance"]) for part in answer["losses"]) == 1
        for target in answer["targets"]:
            assert sum(fraction(chance) for chance in target["chances"].values()) == 1


def fraction(value: object) -> Fraction:
    return Fraction(str(value))


def test_json_keys() -> None:
    answer = json.loads(
        run_assistant("odds", GAME, *POSITION, "--from", "A-M-6", "--at", "A-N-9", "--what-if", "--json")
    )
    assert answer["column"] == "1-1" and answer["place"] == "A-N-9" and answer["ratio"] == 1
    assert answer["units"][0]["values"]["row"] == "direct/G" and answer["attackers"][0]["unit"].startswith("sagger/")
    assert answer["unable"][0]["refused"][0]["rule"] == "Basic VI.D.4"
    assert answer["looks"][0] == {
        "attacker": 0,
        "target": 0,
        "clear": True,
        "why": None,
        "hull_down": False,
        "behind": None,
    }
    assert answer["losses"] == [
        {"eliminated": 0, "dispersed": 2, "chance": "1/2"},
        {"eliminated": 0, "dispersed": 0, "chance": "1/2"},
    ]
    assert (answer["column_after"], answer["next_column"], answer["to_spare"]) == ("2-1", 30, 0)
    plan = json.loads(run_assistant("odds", GAME, *POSITION, "--best", "--side", "israeli", "--at", "A-M-7", "--json"))
    assert plan["attacks"][0]["targets"][0]["unit"].startswith("t_55/") and plan["worth"] == 2
    bare_answer = json.loads(run_assistant("odds", GAME, "11:3", "--json"))
    assert (bare_answer["column"], bare_answer["ratio"], bare_answer["chances"]["X"]) == ("3-1", "11/3", "1/2")
    sight = json.loads(run_assistant("los", GAME, "--map", "A", "A-H-3", "A-H-5", "--json"))
    assert sight["clear"] is False and {block["what"] for block in sight["blocked_by"]} == {"moraine"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("odds", GAME), "name the attack"),
        (("odds", GAME, "direct_fir"), "did you mean direct_fire"),
        (("odds", GAME, "1:9"), "below 1-4"),
        (("odds", GAME, "1:0"), "the defense strength is 0"),
        (("odds", GAME, "direct_fire", "firers=t_62:distance=9", "targets=m60a1"), "Basic VI.C.2"),
        (("odds", GAME, "direct_fire", "firers=truck_egypt", "targets=m60a1"), "Unit Function Table"),
        (("odds", GAME, "direct_fire", "firers=sagger:distance=2", "targets=m60a1"), "Basic VI.D.4"),
        (("odds", GAME, "overrun", "attackers=t_62", "targets=infantry_israel", "terrain=town"), "Standard II.D.3.b"),
        (("odds", GAME, *POSITION, "--from", "A-L-99", "--at", "A-M-7"), "there is no hex 'L-99'"),
        (
            ("odds", GAME, *POSITION, "--from", "A-L-9", "--at", "D-M-7"),
            "Situation S-9 is played on boards B and A (Basic III.A)",
        ),
        (("odds", GAME, *POSITION, "--from", "A-L-9"), "--at HEX"),
        (("odds", GAME, *POSITION, "--from", "A-A-9", "--at", "A-M-7"), "no unit is in A-A-9"),
        (("odds", GAME, *POSITION, "--from", "A-L-9", "--at", "A-N-9"), "no enemy is in A-N-9"),
        (("odds", GAME, *POSITION, "--from", "A-L-9,A-M-7", "--at", "A-M-6"), "units of both sides"),
        (("odds", GAME, *POSITION, "--from", "A-L-9", "--at", "A-M-7", "--firers", "t_62"), "no 't_62' stands"),
        (("odds", GAME, *POSITION, "--from", "A-L-9", "--at", "A-M-7", "rain=yes"), "odds has no input 'rain'"),
        (("odds", GAME, *POSITION, "--best", "--at", "A-M-7", "--aim", "A-A-1"), "is not a target"),
        (("odds", GAME, *POSITION, "--best"), "name the attacked hexes"),
        (("odds", GAME, "--best"), "--position FILE"),
        (("odds", "six_day_war", *POSITION), "is of arab_israeli_wars, not of six_day_war"),
        (("los", GAME, "--map", "A", "A-H-3", "B-H-5"), "(Basic III.A)"),
        (("los", GAME, "--map", "A", "A-H-3", "A-H-5", "--with", "fort"), "with=fort@PLACE"),
        (("los", GAME, "A-H-3", "A-H-5"), "name a map"),
        (("los", GAME, "--scenario", "S-99", "A-H-3"), "there is no 'S-99'; did you mean S-9?"),
        (("move", GAME, "--scenario", "S-8", "--unit", "t_63", "--from", "D-R-5"), "did you mean t_62"),
        (("move", GAME, "--scenario", "S-8", "--unit", "t_62", "--from", "A-R-5"), "(Basic III.A)"),
        (("morale", GAME, "--unit", "t_62"), "Standard IV.A"),
        (("score", GAME, *POSITION, "--counts", "line"), "counts=3:2"),
    ],
)
def test_wrong_questions(words: tuple[str, ...], message: str) -> None:
    assert message in run_assistant(*words, code=2)


def test_a_broken_file_gets_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "position.yaml"
    path.write_text("game: arab_israeli_wars\nscenario: S-9\npieces:\n  - {unit: t_63, at: A-L-9}\n", encoding="utf-8")
    assert "position.yaml:4:12: no counter sheet has 't_63'" in run_assistant(
        "odds", GAME, "--position", str(path), "--at", "A-L-9", code=2
    )
    path.write_text("firers: [{unit: t_63}]\n", encoding="utf-8")
    assert "position.yaml:1:17:" in run_assistant("odds", GAME, "--battle", str(path), code=2)

"""Questions about The Arab-Israeli Wars that can't be asked: a sentence with the rule, and exit code 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.cli import cli
from tests.asking import run_command

POSITION = ["--position", str(Path(__file__).parent.parent / "docs" / "examples" / "el_firdan.yaml")]
A_BATTLE = ["direct_fire", "firers=t_62", "targets=m60a1"]

QUESTIONS: list[tuple[str, list[str], str]] = [
    # A hex off the map, a board that the Situation doesn't use.
    ("los", ["--map", "A", "A-H-3", "A-H-55"], "H-11 or H-5? (Basic III.A)"),
    ("los", ["--map", "A", "A-H-3", "C-H-5"], "(Basic III.A)"),
    ("los", ["A-H-3", "A-H-5"], "--scenario SITUATION or --position FILE (Basic III.A.3)"),
    ("los", ["--map", "A, B", "A-H-3"], "can't be joined end to end (Basic III.A)"),
    ("los", ["--scenario", "S-99", "A-H-3"], "did you mean S-9?"),
    ("los", ["--map", "A", "A-H-3", "A-H-5", "--with", "castle@A-H-4"], "no counter is called 'castle'"),
    ("los", ["--map", "A", "A-H-3", "A-H-5", "--viewer", "bird"], "air, ground, infantry"),
    ("los", ["--map", "A", "A-H-3", "A-H-5", "--ruling", "sight_touch=maybe"], "write one of blocked, clear"),
    ("odds", [*POSITION, "--from", "A-L-99", "--at", "A-M-7"], "(Basic III.A)"),
    (
        "odds",
        [*POSITION, "--from", "A-L-9", "--at", "C-M-7"],
        "Situation S-9 is played on boards B and A (Basic III.A)",
    ),
    ("move", ["--scenario", "S-8", "--unit", "t_62", "--from", "A-A-1"], "played on board D (Basic III.A)"),
    # A unit that can't fire at that, or from there.
    ("odds", ["direct_fire", "firers=t_62:distance=9", "targets=m60a1"], "out of range (Basic VI.C.2)"),
    ("odds", ["direct_fire", "firers=truck_egypt", "targets=m60a1"], "may not make this attack (Unit Function Table)"),
    ("odds", ["direct_fire", "firers=sagger:distance=2", "targets=m60a1"], "doesn't allow it (Basic VI.D.4)"),
    ("odds", ["direct_fire", "firers=shilka", "targets=m60a1"], "doesn't allow it (Basic VI.D.4)"),
    ("odds", ["direct_fire", "firers=t_62+dispersed", "targets=m60a1"], "inverted or dispersed (Basic VI.C.2)"),
    ("odds", ["direct_fire", "firers=mi_8+down", "targets=m60a1"], "it is on the ground (down) (Optional I.C.4)"),
    ("odds", ["anti_aircraft", "firers=shilka", "targets=m60a1"], "may only target air units (Advanced I.D)"),
    ("odds", ["direct_fire", "firers=t_62:ammunition=4", "targets=m60a1"], "(Optional I.E)"),
    (
        "odds",
        ["overrun", "attackers=m3_halftrack", "targets=t_62"],
        "only A weapons may overrun armor (Standard II.D.2.e)",
    ),
    ("odds", ["overrun", "attackers=t_62", "targets=infantry_israel", "terrain=woods"], "(Standard II.D.3.b)"),
    ("odds", ["close_assault", "attackers=t_62", "targets=m60a1"], "it can't assault (Standard II.C.1.a)"),
    ("odds", ["indirect_fire", "firers=t_62", "targets=m60a1"], "(Standard II.A.2.a)"),
    ("odds", ["minefield", "mine=mine_2_1", "targets=pt_54_flail"], "without an attack (Standard VII.B.1.a)"),
    ("odds", [*POSITION, "--from", "A-L-9", "--at", "A-M-7", "--attack", "overrun"], "(Standard II.D.2.b)"),
    ("odds", [*POSITION, "--from", "A-L-9", "--at", "A-M-6"], "sand dune A-L-8/A-M-7, crossed"),
    ("odds", [*POSITION, "--from", "A-A-9", "--at", "A-M-7"], "no unit is in A-A-9 (Basic VI.A.1)"),
    ("odds", [*POSITION, "--from", "A-L-9", "--at", "A-A-1"], "no enemy is in A-A-1 (Basic VI.A.1)"),
    ("odds", [*POSITION, "--support", "200 mm battery", "--at", "A-M-7"], "did you mean 155 mm battery?"),
    ("odds", POSITION, "--at HEX (Basic VI.C.4)"),
    # Words that mean nothing.
    ("odds", ["direct_fir", "firers=t_62", "targets=m60a1"], "did you mean direct_fire or indirect_fire?"),
    ("odds", ["direct_fire", "firers=t_63", "targets=m60a1"], "did you mean t_62"),
    ("odds", ["direct_fire", "firers=t_62"], "no unit is named; write targets=UNIT (Basic VI.A.1)"),
    ("odds", [*A_BATTLE, "terrain=swamp"], "write one of clear, slope, suez_canal, town, woods"),
    ("odds", ["5:0"], "the defense strength is 0"),
    ("odds", [*A_BATTLE, "--path", "D-R-5,D-R-6"], "add --position FILE"),
    ("odds", [*A_BATTLE, "--best"], "add --position FILE"),
    ("odds", [*POSITION, "--best", "--side", "israeli", "--at", "A-M-7", "--aim", "A-A-1"], "is not a target"),
    # Moves, morale, points.
    ("move", ["--scenario", "S-8", "--unit", "t_62"], "--from HEX"),
    ("move", ["--scenario", "S-8", "--unit", "t_62", "--from", "D-R-5", "--to", "D-A-1"], "(Basic V.A.6)"),
    ("move", ["--scenario", "S-8", "--unit", "t_62", "--from", "D-R-5", "--passengers", "sagger"], "(Basic V.B)"),
    ("move", [*POSITION, "--unit", "t_62", "--from", "A-L-9"], "m60a1 (Basic V.A)"),
    ("morale", ["--unit", "t_62"], "(Standard IV.A)"),
    ("morale", ["--unit", "t_62", "--level", "F"], "write one of A, B, C, D"),
    ("score", [*POSITION, "--counts", "foo=1"], "there is no victory line 'foo'"),
]


@pytest.mark.parametrize(("command", "words", "reason"), QUESTIONS)
def test_a_question_that_cannot_be_asked(command: str, words: list[str], reason: str) -> None:
    result = run_command(cli, command, "arab_israeli_wars", *words)
    assert result.exit_code == 2 and "Traceback" not in result.output
    assert reason in " ".join(result.output.split())
    assert run_command(cli, command, "arab_israeli_wars", *words, "--json").exit_code == 2


def test_every_reason_is_told_to_programs() -> None:
    """Basic VI.C.2, twice: the first tank is dispersed, the second out of range."""
    words = [
        "odds",
        "arab_israeli_wars",
        "direct_fire",
        "firers=t_62+dispersed,t_62:distance=9",
        "targets=m60a1",
        "--json",
    ]
    result = run_command(cli, *words)
    refusals = json.loads(result.stdout)["refused"]
    assert result.exit_code == 2 and [refusal["rule"] for refusal in refusals] == ["Basic VI.C.2", "Basic VI.C.2"]
    assert "dispersed" in refusals[0]["text"] and "out of range" in refusals[1]["text"]

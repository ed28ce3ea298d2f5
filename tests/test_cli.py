"""The commands as a person types them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context

from assistant.cli import cli as assistant
from modgen.cli import cli as modgen
from modgen.commands.show import PARTS
from scenarios.command import CommandTable
from scenarios.files import write
from scenarios.pack.export import PART_VALUES
from tests.asking import run_assistant, run_modgen
from tests.packs import TWO_WELLS, break_pack

PACK_PATH = str(TWO_WELLS)


def test_list() -> None:
    games = json.loads(run_modgen("list", "--json"))["games"]
    assert [game["id"] for game in games] == [
        "arab_israeli_wars",
        "musketeer",
        "october_war",
        "six_day_war",
        "yom_kippur",
    ]
    assert "Yom Kippur (1995)" in run_modgen("list")


def test_check_all() -> None:
    assert run_modgen("check").count(": fine") == 5
    assert json.loads(run_modgen("check", "--json"))["ok"] is True


@pytest.mark.parametrize("part", PARTS)
def test_show_every_part(part: str) -> None:
    text = run_modgen("show", PACK_PATH, part)
    assert text.strip() and max(map(len, text.splitlines())) <= 130
    assert isinstance(json.loads(run_modgen("show", PACK_PATH, part, "--json")), dict)


def test_parts_are_the_same_in_text_and_json() -> None:
    from modgen.text import PART_TEXTS

    assert set(PARTS) == set(PART_VALUES) == set(PART_TEXTS)


def test_show_json_keys() -> None:
    counters = json.loads(run_modgen("show", PACK_PATH, "counters", "--json"))["counters"]
    gun = next(c for c in counters if c["id"] == "gun")
    assert gun["factors"] == {"attack": 6, "defense": 1, "movement": 2} and gun["source"] == {
        "rulebook": "the counter sheet"
    }
    combat = json.loads(run_modgen("show", PACK_PATH, "tables", "--json"))["tables"][0]
    assert combat["cells"]["1"]["4-1"] == "DE" and combat["columns"][0] == "1-2" and combat["rows"][5] == "6"
    board = json.loads(run_modgen("show", PACK_PATH, "map", "--json"))["boards"][0]
    assert board["terrain"]["0301"] == "village" and "0201/0301" in board["hexsides"]["wadi"]
    noon = json.loads(run_modgen("show", PACK_PATH, "scenarios", "--json"))["scenarios"][0]
    assert noon["forces"]["red"]["groups"][0]["units"] == {"infantry_red": 3}
    sources = json.loads(run_modgen("show", PACK_PATH, "sources", "--json"))
    assert sources["sources"]["rulebook"] > 100 and sources["sources"]["inferred"] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("shw",), "did you mean show"),
        (("show", "yom_kipur"), "did you mean yom_kippur"),
        (("show", PACK_PATH, "countrs"), "did you mean counters"),
        (("check", "nowhere"), "no folder 'nowhere'"),
        (("show", PACK_PATH, "--overlay", "nowhere.yaml"), "nowhere.yaml"),
        (("build", PACK_PATH, "--ot", "x"), "--out"),
    ],
)
def test_wrong_words_exit_2(words: tuple[str, ...], message: str) -> None:
    assert message in run_modgen(*words, code=2)


def test_build_writes_whole_files(tmp_path: Path) -> None:
    output = run_modgen("build", PACK_PATH, "--only", "json", "--out", str(tmp_path / "dist"))
    assert f"wrote 2 files to {tmp_path / 'dist'} in " in output.splitlines()[-1]
    first = {path.name: path.read_bytes() for path in (tmp_path / "dist" / "two_wells").iterdir()}
    assert sorted(first) == ["two_wells-charts.txt", "two_wells.json"]
    assert "not affiliated" in json.loads(first["two_wells.json"])["notice"]
    run_modgen("build", PACK_PATH, "--only", "json", "--out", str(tmp_path / "again"))
    assert first == {path.name: path.read_bytes() for path in (tmp_path / "again" / "two_wells").iterdir()}


def test_build_of_a_broken_pack_writes_nothing(tmp_path: Path) -> None:
    pack, _, _ = break_pack(tmp_path, "counters.yaml", "attack: 6,", "attack: six,")
    run_modgen("build", str(pack), "--out", str(tmp_path / "dist"), code=2)
    assert not (tmp_path / "dist").exists()


def test_build_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "dist").write_text("a file", encoding="utf-8")
    assert "choose another --out" in run_modgen("build", PACK_PATH, "--out", str(tmp_path / "dist" / "x"), code=2)


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        write(tmp_path / "a.txt", b"text")
    assert list(tmp_path.iterdir()) == []


def test_assistant_table() -> None:
    assert "combat: Combat" in run_assistant("table", PACK_PATH)
    assert "column 3-1" in run_assistant("table", PACK_PATH, "combat", "--column", "7:2")
    cell = json.loads(
        run_assistant("table", PACK_PATH, "combat", "--column", "7:2", "--row", "6", "--shift", "1", "--json")
    )
    assert (cell["column"], cell["row"], cell["result"]) == ("4-1", "6", "-")
    chances = json.loads(run_assistant("table", PACK_PATH, "combat", "--column", "4-1", "--die", "1", "--json"))[
        "chances"
    ]
    assert chances == {"D2": "1/3", "D1": "1/3", "-": "1/3"}
    assert "+1" in run_assistant("table", PACK_PATH, "movement", "--row", "wadi")
    assert "did you mean combat" in run_assistant("table", PACK_PATH, "comat", "--column", "1-1", code=2)
    assert "no attack" in run_assistant("table", PACK_PATH, "combat", "--column", "1:3", code=2)
    assert "choose a --column" in run_assistant("table", PACK_PATH, "combat", "--shift", "1", code=2)


def test_assistant_whole_tables() -> None:
    answer = json.loads(run_assistant("table", PACK_PATH, "combat", "--json"))
    table_text = run_assistant("table", PACK_PATH, "combat")
    for row, cells in answer["rows"].items():
        assert any(line.split() == [row, *cells.values()] for line in table_text.splitlines())
        assert json.loads(run_assistant("table", PACK_PATH, "combat", "--row", row, "--json"))["cells"] == cells
    for column in answer["columns"]:
        cell_answer = json.loads(
            run_assistant("table", PACK_PATH, "combat", "--column", column, "--row", "6", "--json")
        )
        assert cell_answer["result"] == answer["rows"]["6"][column]
    assert "wadi" in run_assistant("table", PACK_PATH, "movement") and "no row" in run_assistant(
        "table", PACK_PATH, "movement", "--row", "moon", code=2
    )


def test_bare_strengths() -> None:
    assert "column 19" in run_assistant("odds", "october_war", "25", "shift=-1")
    assert "write two, as in 11:3" in run_assistant("odds", "yom_kippur", "6", code=2)


def test_assistant_odds() -> None:
    words = (
        "odds",
        PACK_PATH,
        "assault",
        "attackers=cars,infantry_red+dry",
        "defenders=infantry_blue+dug_in",
        "terrain=hill",
    )
    expected_text = run_assistant(*words)
    assert "Strength: 6½\nAgainst: 6" in expected_text and "Column: 1-2\nColumn before shifts: 1-1" in expected_text
    answer = json.loads(run_assistant(*words, "--json"))
    assert answer["column"] == "1-2" and answer["chances"] == {"D1": "1/6", "-": "1/3", "A1": "1/2"}
    assert "not allowed" in run_assistant("odds", PACK_PATH, "assault", "attackers=gun", "defenders=cars")
    assert "not allowed" not in run_assistant(
        "odds", PACK_PATH, "assault", "attackers=gun:adjacent=no", "defenders=cars"
    )
    assert "no attack" in run_assistant(
        "odds", PACK_PATH, "assault", "attackers=infantry_red+dry", "defenders=infantry_blue", "terrain=village"
    )
    for bad, expected_text in (
        (("assalt",), "did you mean assault"),
        (("assault", "atackers=cars"), "did you mean attackers"),
        (("assault", "attackers=crs", "defenders=gun"), "did you mean cars"),
        (
            ("assault", "attackers=cars", "defenders=gun", "hexes=many"),
            "hexes must be a whole number from 1 to 9999, not 'many'",
        ),
        (("assault", "attackers=cars", "defenders=gun", "across_wadi=perhaps"), "yes or no"),
    ):
        assert expected_text in run_assistant("odds", PACK_PATH, *bad, code=2)


@pytest.mark.parametrize("module", ["modgen.cli", "assistant.cli"])
def test_as_a_program_in_another_folder(module: str, tmp_path: Path) -> None:
    """Run for real, away from the project and with a narrow encoding in the environment."""
    root = Path(__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for words in (["--help"], ["--version"], ["list"] if module.startswith("modgen") else ["table", PACK_PATH]):
        done = subprocess.run(
            [sys.executable, "-m", module, *words], cwd=tmp_path, env=environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
    if module.startswith("assistant"):
        words = ["odds", PACK_PATH, "assault", "attackers=cars", "defenders=gun"]
        done = subprocess.run(
            [sys.executable, "-m", module, *words], cwd=tmp_path, env=environment, capture_output=True, check=True
        )
        assert "█" in done.stdout.decode("utf-8")


def test_help_imports_late() -> None:
    """`--help` must answer at once: neither YAML nor the model is loaded for it."""
    code = (
        "import sys; from click.testing import CliRunner; from modgen.cli import cli; from assistant.cli import cli as a;"
        "r = CliRunner().invoke(cli, ['--help']); assert r.exit_code == 0; assert CliRunner().invoke(a, ['--help']).exit_code == 0;"
        "late = [m for m in ('yaml', 'scenarios.model', 'scenarios.pack', 'modgen.build', 'modgen.commands', 'assistant.commands')"
        " if m in sys.modules]; assert not late, late"
    )
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent.parent, check=True)


@pytest.mark.parametrize("group", [modgen, assistant], ids=["modgen", "assistant"])
def test_the_list_of_commands_says_what_their_help_says(group: CommandTable) -> None:
    context = Context(group)
    for name, entry in group.entries.items():
        command = group.get_command(context, name)
        assert command is not None and command.name == name
        first_paragraph = " ".join((command.help or "").split("\n\n")[0].split())
        assert first_paragraph.startswith(entry.summary) and entry.summary.endswith((".", "..."))

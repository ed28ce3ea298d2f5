"""What is printed on counters: every number has its picture, and what no side would show is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from modgen.cli import cli
from tests.asking import run_command
from tests.packs import break_pack, copy


def test_every_printed_number_has_its_picture(tmp_path: Path) -> None:
    """Two armoured cars bear 14 and 15; the gun has no number; three of the infantry bear 11 to 13."""
    pack, output_folder = copy(tmp_path), tmp_path / "out"
    command = [
        "build",
        str(pack),
        "--no-overlay",
        "--only",
        "png",
        "--pieces",
        "cars,gun,infantry_red",
        "--dpi",
        "100",
        "--out",
        str(output_folder),
    ]
    result = CliRunner().invoke(cli, command, env={"MITLA_CACHE": "off"})
    assert result.exit_code == 0, result.output
    pictures = {path.name: path.read_bytes() for path in (output_folder / "two_wells" / "png" / "counters").iterdir()}
    names = ["cars-14", "cars-15", "gun", "infantry_red-11", "infantry_red-12", "infantry_red-13"]
    assert set(pictures) == {f"{name}-{side}.png" for name in names for side in ("front", "back")}
    assert len({pictures[f"{name}-front.png"] for name in names}) == len(names), "each shows its own number"


NO_NUMBER = "layouts:\n  all: {spots: {bottom: '{attack}-{movement}', caption: '{name}'}}\n"
MISTAKES = {
    "fewer than one": (
        "counters.yaml",
        "dug_in, count: 4}",
        "dug_in, count: -6}",
        "dug_in counts -6, which is none; write 1 or more",
    ),
    "none": ("counters.yaml", "    count: 1\n", "    count: 0\n", "gun counts 0, which is none"),
    "past all sheets": ("counters.yaml", "dug_in, count: 4}", "dug_in, count: 90000000}", "write up to 999"),
    "fewer than its numbers": (
        "counters.yaml",
        "dug_in, count: 4}",
        "dug_in, count: 4, numbers: 1-5}",
        "counts 4, but has 5 numbers",
    ),
    "turns": ("game.yaml", "turns: {count: 6}", "turns: {count: -6}", "a game has 1 to 999 turns, not -6"),
    "a track": ("map.yaml", "name: Turn, last: 6}", "name: Turn, last: -6}", "the track Turn runs from 1 to -6"),
    "a size": (
        "counters.yaml",
        "    size: section",
        "    size: armee",
        "no mark stands for the size 'armee'; did you mean army",
    ),
    "numbers": (
        "game.yaml",
        "turns: {count: 6}\n",
        f"turns: {{count: 6}}\n{NO_NUMBER}",
        "shows no numbers; put {number} into",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_what_cannot_be_printed_is_told(name: str, tmp_path: Path) -> None:
    file, old, new, message = MISTAKES[name]
    pack, _, _ = break_pack(tmp_path, file, old, new)
    result = run_command(cli, "check", str(pack), "--no-overlay")
    assert result.exit_code == 1 and message in result.output, result.output
    reported_file = "counters.yaml" if name == "numbers" else file
    assert f"{reported_file}:" in result.output


def test_a_size_that_a_layout_shows_is_any_word(tmp_path: Path) -> None:
    pack, _, _ = break_pack(tmp_path, "counters.yaml", "    size: section", "    size: armee")
    layout = "layouts:\n  guns: {types: [gun], spots: {bottom: '{attack}', right: '{size}'}}\n"
    with (pack / "game.yaml").open("a", encoding="utf-8") as file:
        file.write(layout)
    result = run_command(cli, "check", str(pack), "--no-overlay")
    assert result.exit_code == 0, result.output

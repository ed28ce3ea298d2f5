"""The set-up check refuses what a scenario's special rules and the rules for constructions forbid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import cli
from scenarios import load
from tests.asking import run_command
from tests.packs import copy

GAME = "arab_israeli_wars"


def faults(folder: Path, scenario: str, *pieces: str, game: str = GAME) -> list[dict[str, Any]]:
    """What the check says of a position with these pieces, but for pieces that are missing."""
    path = folder / "position.yaml"
    lines = "".join(f"  - {{unit: {unit}, at: {place}}}\n" for unit, place in (piece.split("@") for piece in pieces))
    name = load(game).id
    path.write_text(f"game: {name}\nscenario: {scenario}\npieces:\n{lines}", encoding="utf-8")
    result = run_command(cli, "scenario", game, scenario, "--check", str(path), "--json")
    assert result.exit_code in (0, 1), result.output
    return [fault for fault in json.loads(result.output)["faults"] if fault["kind"] != "missing"]


@pytest.mark.parametrize(
    ("scenario", "pieces", "rule"),
    [
        # S-9: the bridges are twelve hexes apart or more, each on a cut; the canal runs along the 4s of board A.
        ("S-9", ("trench@A-C-4", "bridge@A-C-4", "trench@A-O-4", "bridge@A-O-4"), ""),
        ("S-9", ("trench@A-C-4", "bridge@A-C-4", "trench@A-M-4", "bridge@A-M-4"), "Situation S-9"),
        ("S-9", ("trench@A-C-4", "trench@A-E-4"), "Suez Canal hexes, note 2"),
        ("S-9", ("trench@A-C-4", "bridge@A-D-4"), "Standard VI.D.1.b"),
        ("S-9", ("improved_position@A-E-7", "improved_position@A-E-7"), "Standard V.D"),
        # R-2 and S-1 of board A are a town.
        ("S-9", ("improved_position@A-R-2",), "Neutral Counters Chart; Standard V"),
        ("S-9", ("improved_position@A-S-2",), ""),
        # S-13: three empty canal hexes between cuts, two empty cuts between bridges, forts two hexes apart at most.
        ("S-13", ("trench@A-C-4", "trench@A-G-4"), ""),
        ("S-13", ("trench@A-C-4", "trench@A-F-4"), "Situation S-13"),
        ("S-13", ("trench@A-C-4", "bridge@A-C-4", "trench@A-G-4", "trench@A-K-4", "trench@A-O-4", "bridge@A-O-4"), ""),
        ("S-13", ("trench@A-C-4", "bridge@A-C-4", "trench@A-G-4", "trench@A-K-4", "bridge@A-K-4"), "Situation S-13"),
        ("S-13", ("fort@B-E-5", "fort@B-F-5", "fort@B-G-5"), ""),
        ("S-13", ("fort@B-E-5", "fort@B-F-5", "fort@B-H-5"), "Situation S-13"),
        # two empty hexes between Israeli works, a fort for each platoon.
        ("A-1", ("fort@A-E-5", "improved_position@A-H-5"), ""),
        ("A-1", ("fort@A-E-5", "improved_position@A-G-5"), "Situation A-1"),
        ("A-1", ("fort@A-E-5", "infantry_israel@A-E-5", "fort@A-H-5", "infantry_israel@A-H-5"), ""),
        ("A-1", ("fort@A-E-5", "infantry_israel@A-E-5", "infantry_israel@A-H-5"), "Situation A-1"),
        ("A-1", ("fort@A-E-5", "infantry_israel@A-E-5", "infantry_israel@A-E-5"), "Situation A-1"),
        # works four hexes apart, bridges ten, Group B three from the fort.
        ("A-2", ("fort@A-E-5", "improved_position@A-H-5"), "Situation A-2"),
        ("A-2", ("trench@A-C-4", "bridge@A-C-4", "trench@A-F-4", "trench@A-I-4", "trench@A-L-4", "bridge@A-L-4"),
         "Situation A-2"),
        ("A-2", ("fort@A-E-5", "infantry_jordan@A-G-5"), "Situation A-2"),
        ("A-2", ("fort@A-E-5", "infantry_jordan@A-H-5"), ""),
        # A fort and a minefield exclude each other (Neutral Counters Chart, note 4).
        ("A-1", ("fort@A-E-5", "mine_2_1@A-E-5"), "Standard V.C"),
        # B-2: the settlement's platoon is in the fort.
        ("B-2", ("fort@C-O-7", "infantry_israel@C-O-7"), ""),
        ("B-2", ("fort@C-O-7", "infantry_israel@C-O-8"), "Situation B-2"),
    ],
)  # fmt: skip
def test_works_too_near_each_other(tmp_path: Path, scenario: str, pieces: tuple[str, ...], rule: str) -> None:
    assert {fault["rule"] for fault in faults(tmp_path, scenario, *pieces)} == ({rule} if rule else set())


def test_units_that_only_optional_rules_bring_need_not_be_there(tmp_path: Path) -> None:
    """The Situations D.2: with the advanced air rules S-6 has a Shilka besides."""
    path = tmp_path / "position.yaml"
    path.write_text(f"game: {GAME}\nscenario: S-6\npieces: []\n", encoding="utf-8")
    result = run_command(cli, "scenario", GAME, "S-6", "--check", str(path), "--json")
    assert "shilka" not in {fault["unit"] for fault in json.loads(result.output)["faults"]}
    assert not faults(tmp_path, "S-6", "shilka@B-Z-5")


RULES = """source: {mine: a test}
rules:
  set_up:
    - {text: nobody on a hill, rule: "1", of: [cars], never: {terrain: [hill]}}
    - {text: three apart, rule: "2", of: [infantry_red], at_least: 3}
    - {text: with the gun, rule: "3", of: [cars], at: {except: {terrain: [hill]}}, from: [gun], at_most: 1}
"""


def test_a_pack_of_ones_own_says_how_its_pieces_set_up(tmp_path: Path) -> None:
    """Rules.set_up with of, text, at, never, from_ (`from` in a file), least, most; `between` is that of S-13 above."""
    pack = copy(tmp_path)
    (pack / "rules.yaml").write_text(RULES, encoding="utf-8")

    def rules(*pieces: str) -> set[str]:
        return {
            fault["rule"]
            for fault in faults(tmp_path, "noon", *pieces, game=str(pack))
            if fault["rule"] in ("1", "2", "3")
        }

    assert rules("cars@0102") == {"1"}
    assert rules("cars@0101", "gun@0102") == set()
    assert rules("cars@0101", "gun@0401") == {"3"}
    assert rules("infantry_red@0101", "infantry_red@0201") == {"2"}
    assert rules("infantry_red@0101", "infantry_red@0401") == set()

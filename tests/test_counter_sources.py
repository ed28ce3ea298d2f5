"""`modgen show GAME counters` says of every counter which of its numbers the rulebook doesn't give."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from modgen.cli import cli

GAMES = ["arab_israeli_wars", "six_day_war", "october_war", "yom_kippur", "musketeer"]


def show(*words: str) -> str:
    result = CliRunner().invoke(cli, ["show", *words])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("game", GAMES)
def test_no_counter_claims_the_rulebook_for_what_is_ours(game: str) -> None:
    """The list of blanks, made from the files, has every number that isn't the rulebook's."""
    ours: dict[str, dict[str, str]] = {}
    for row in csv.DictReader(io.StringIO(show(game, "blanks", "--no-overlay"))):
        kind, counter, *rest = row["address"].split("/")
        if kind == "counters" and (rest[:1] == ["factors"] or rest == ["count"]):
            ours.setdefault(counter, {})[rest[-1]] = row["source"]
    shown = {
        line.split()[0]: line for line in show(game, "counters", "--no-overlay").splitlines() if line.startswith("  ")
    }
    told = {one["id"]: one for one in json.loads(show(game, "counters", "--json", "--no-overlay"))["counters"]}
    assert ours
    # One entry may make a counter for each of several nations: gunfire is gunfire_britain, gunfire_france.
    units = {
        one: entry
        for entry in ours
        for one in told
        if one == entry or (entry not in told and one.startswith(f"{entry}_"))
    }
    assert set(units.values()) == set(ours)
    for counter, entry in units.items():
        numbers = ours[entry]
        assert numbers.items() <= told[counter]["number_sources"].items()
        line = shown[counter]
        assert line.split("  ")[-1] != "rulebook", line
        assert all(word in line for word in numbers.values()), line
    for counter in told.keys() - units.keys():
        assert set(told[counter]["number_sources"].values()) <= {"rulebook"}


def test_an_overlay_makes_them_the_users_own(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("overlay: yom_kippur\ncounters: {nir_arm_bde_a: {factors: {attack: 9}}}\n", encoding="utf-8")
    line = next(
        line
        for line in show("yom_kippur", "counters", "--overlay", str(mine)).splitlines()
        if line.split()[:1] == ["nir_arm_bde_a"]
    )
    assert "mine attack; reconstructed defense, movement; rest rulebook" in line

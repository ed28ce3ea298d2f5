"""`modgen show GAME counters` says of every counter which of its numbers the rulebook doesn't give."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.asking import run_modgen

GAMES = ["arab_israeli_wars", "six_day_war", "october_war", "yom_kippur", "musketeer"]


@pytest.mark.parametrize("game", GAMES)
def test_no_counter_claims_the_rulebook_for_what_is_ours(game: str) -> None:
    """The list of blanks, made from the files, has every number that isn't the rulebook's."""
    unofficial_sources: dict[str, dict[str, str]] = {}
    for row in csv.DictReader(io.StringIO(run_modgen("show", game, "blanks", "--no-overlay"))):
        kind, counter, *address_parts = row["address"].split("/")
        if kind == "counters" and (address_parts[:1] == ["factors"] or address_parts == ["count"]):
            unofficial_sources.setdefault(counter, {})[address_parts[-1]] = row["source"]
    counter_lines = {
        line.split()[0]: line
        for line in run_modgen("show", game, "counters", "--no-overlay").splitlines()
        if line.startswith("  ")
    }
    counters = {
        counter_row["id"]: counter_row
        for counter_row in json.loads(run_modgen("show", game, "counters", "--json", "--no-overlay"))["counters"]
    }
    assert unofficial_sources
    # One entry may make a counter for each of several nations: gunfire is gunfire_britain, gunfire_france.
    units = {
        counter_id: entry
        for entry in unofficial_sources
        for counter_id in counters
        if counter_id == entry or (entry not in counters and counter_id.startswith(f"{entry}_"))
    }
    assert set(units.values()) == set(unofficial_sources)
    for counter, entry in units.items():
        numbers = unofficial_sources[entry]
        assert numbers.items() <= counters[counter]["number_sources"].items()
        line = counter_lines[counter]
        assert line.split("  ")[-1] != "rulebook", line
        assert all(word in line for word in numbers.values()), line
    for counter in counters.keys() - units.keys():
        assert set(counters[counter]["number_sources"].values()) <= {"rulebook"}


def test_an_overlay_makes_them_the_users_own(tmp_path: Path) -> None:
    overlay_path = tmp_path / "mine.yaml"
    overlay_path.write_text(
        "overlay: yom_kippur\ncounters: {nir_arm_bde_a: {factors: {attack: 9}}}\n", encoding="utf-8"
    )
    line = next(
        line
        for line in run_modgen("show", "yom_kippur", "counters", "--overlay", str(overlay_path)).splitlines()
        if line.split()[:1] == ["nir_arm_bde_a"]
    )
    assert "mine attack; reconstructed defense, movement; rest rulebook" in line

"""Operation Musketeer: what a review found, asked on the command line and answered from the rulebook."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.cli import cli
from scenarios.model.hexes import distance
from tests.asking import ask_json, run_command
from tests.test_operational_moves import BOTH, HEXES, SUEZ, relax_costs


@pytest.fixture(autouse=True)
def loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("ask", "verbs", "open_save"):
        monkeypatch.setattr(f"assistant.commands.{module}.load_game", lambda *_: SUEZ)


def reach(answer: dict[str, Any]) -> dict[str, Fraction]:
    return {
        place_row["place"]: Fraction(place_row.get("cost", 0)) for place_row in answer.get("places") or answer["reach"]
    }


def test_the_track_beside_a_road_may_be_the_cheaper_way() -> None:
    """9.10: road and track lead from 4422 to 4322, only the track to 4222: twice 1/2, not 1/3 and 1 for the change."""
    answer = ask_json("move", "musketeer", "--unit", "min_int_egypt", "--from", "4422", "--to", "4222")
    assert reach(answer)["4222"] == 1 and [step["cost"] for step in answer["steps"]] == ["1/2", "1/2"]
    assert answer["unofficial"].keys() == {"counters/min_int_egypt/factors/movement", "boards/suez/terrain"}, (
        "9.10 prints what a track costs"
    )


def test_the_minimum_move_hides_no_cheaper_way() -> None:
    """9.3: one hex can always be moved; here the road leads round to it within the allowance."""
    answer = ask_json("move", "musketeer", "--unit", "abn_234g_ussr", "--from", "4208", "--to", "4108")
    road, canal = Fraction(1, 3), 2
    assert reach(answer)["4108"] == 2 * road + canal <= answer["allowance"]
    assert sum(Fraction(step["cost"]) for step in answer["steps"]) == 2 * road + canal


@pytest.mark.parametrize("side", BOTH, ids=[f"{HEXES.name(side.a)}-{HEXES.name(side.b)}" for side in BOTH])
def test_moves_from_every_hexside_with_a_road_and_a_track(side: Any) -> None:
    """9.3, 9.8 to 9.10, by every way that there is."""
    for unit in ("min_int_egypt", "abn_234g_ussr"):
        for start in (side.a, side.b):
            answer = ask_json("ask", "musketeer", "move", f"unit={unit}", f"from={HEXES.name(start)}", "scenario=none")
            costs = {HEXES.hex(name): cost for name, cost in reach(answer).items()}
            assert costs == relax_costs(start, answer["allowance"], set())


def test_helicopters_count_from_the_coast() -> None:
    """26.1 a, as the ruling reads it: a coastal hex is at the sea; four hexes inland of one and no further."""
    answer = ask_json("ask", "musketeer", "entry", "unit=cdo_45_britain", "scenario=none")
    (way,) = [way for way in answer["ways"] if way["way"] == "helicopters"]
    coast = HEXES.zones["mediterranean_coast"]
    distances = [min(distance(HEXES.hex(name), hex) for hex in coast) for name in reach(way)]
    assert max(distances) == 4
    reading = SUEZ.rulings["helicopters_from_the_sea"]
    assert reading.choice == "coast" and set(reading.readings) == {"coast", "sea"}


@pytest.mark.parametrize("hex", ["3603", "2501"])
def test_no_ground_unit_stands_at_sea(hex: str) -> None:
    """9.4."""
    assert HEXES.terrain[HEXES.hex(hex)] == "sea"
    result = run_command(cli, "ask", "musketeer", "supply", "scenario=none", f"put=gd_britain@{hex}")
    assert result.exit_code == 2 and "9.4" in result.output


@pytest.mark.parametrize(
    ("words", "entries"),
    [
        ("entry unit=armd_25_britain scenario=none", {"tables/reinforcements/cells/anglo_french/ground"}),
        (
            "pursuit unit=bde_7_israel from=5508 cleared=5408 scenario=none",
            {"tables/pursuit/cells/mechanized/hexes", "boards/suez/terrain"},
        ),
        ("superiority attackers=3*airstrike_israel defenders=2*airstrike_egypt", {"tables/air/cells"}),
        ("refit nation=israel kind=air", set()),  # the Refit Table is printed
    ],
)
def test_an_answer_says_which_numbers_are_ours(words: str, entries: set[str]) -> None:
    answer = ask_json("ask", "musketeer", *words.split())
    assert set(answer.get("unofficial", {})) == entries
    lines = run_command(cli, "ask", "musketeer", *words.split()).output
    assert ("Uses unofficial numbers" in lines) == bool(entries)


def test_the_terrain_of_a_battle_is_ours_only_where_the_book_is_silent() -> None:
    """14.4 prints who fires first in a city; its shift is nowhere."""
    answer = ask_json("ask", "musketeer", "odds", "attackers=bde_7_israel", "defenders=bde_4_egypt", "terrain=city")
    cells = {entry for entry in answer["unofficial"] if entry.startswith("tables/terrain")}
    assert cells == {"tables/terrain/cells/city/shift"} and "tables/ground/cells" in answer["unofficial"]


def shifts(*put: str, inputs: tuple[str, ...] = ()) -> dict[str, int]:
    """The columns by which each side fires further right in a combat on open ground that a position shows, all else alike."""
    placements = {"british": "armd_25_britain@5208", "egyptian": "bde_4_egypt@5209"}
    words = [
        "odds",
        "musketeer",
        "scenario=none",
        f"put={','.join([*placements.values(), *put])}",
        "hex=5209",
        "from=5208",
        *inputs,
    ]
    base_words = ["odds", "musketeer", "scenario=none", f"put={','.join(placements.values())}", "hex=5209", "from=5208"]
    new_shifts, base_shifts = (
        [side["opening_fire"][0]["shift"] for side in ask_json(*asking)["forces"][:2]] for asking in (words, base_words)
    )
    return {
        role: new_shift - base_shift
        for role, new_shift, base_shift in zip(("attacker", "defender"), new_shifts, base_shifts, strict=True)
    }


def test_what_helps_a_combat_is_read_from_the_hex_attacked() -> None:
    """19.8, 25.2, 25.4: airstrikes and special forces are placed in the enemy's hex, the defender's special forces there too; a column
    for each airstrike, for the attacker alone, one for special forces."""
    assert shifts("airstrike_britain@5209", "airstrike_france@5209") == {"attacker": 2, "defender": 0}
    assert shifts("airstrike_israel@5209") == {"attacker": 0, "defender": 0}, "18.6: of the contingent that attacks"
    assert shifts("airstrike_egypt@5209") == {"attacker": 0, "defender": 0}, "19.8: only the attacker's"
    assert shifts("special_forces_france@5209", "special_forces_sc@5209") == {"attacker": 1, "defender": 1}
    assert shifts("airstrike_britain@5208") == {"attacker": 0, "defender": 0}, "not in the hex attacked"
    assert shifts("airstrike_britain@5209", inputs=("attackers_support=none",)) == {"attacker": 0, "defender": 0}, (
        "told otherwise"
    )
    assert shifts("special_forces_sc@5209", inputs=("defenders_support=none",)) == {"attacker": 0, "defender": 0}


def test_more_help_than_the_rules_allow_is_refused() -> None:
    """25.3: only one special forces or guerrilla counter may take part in a combat for a side; 14.10: guerrillas in cities and towns."""
    words = ["odds", "musketeer", "scenario=none", "hex=5209", "from=5208"]
    units = "armd_25_britain@5208,bde_4_egypt@5209"
    for put, rule in (("special_forces_sc@5209,special_forces_res@5209", "25.3"), ("guerrilla_2@5209", "14.10")):
        result = run_command(cli, *words, f"put={units},{put}")
        assert result.exit_code == 2 and rule in result.output, result.output

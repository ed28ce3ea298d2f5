"""Units that wait to be set up: an answer that leaves them out says so first; numbered counters are placed as counted ones are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.cli import cli
from tests.asking import ask_json, run_command
from tests.packs import copy

CARS = "cars/14@0302"
"""Blue's riders and its gun, three units, choose among many hexes; Red has exactly as many infantry as hexes."""


@pytest.mark.parametrize(
    "words",
    [
        ("move", "two_wells", "cars/14", "--from", "0101"),
        ("retreat", "two_wells", "cars/14", "--from", "0101"),
        ("supply", "two_wells"),
        ("stack", "two_wells"),
        ("odds", "two_wells", "--at", "0301", "--from", "0302", "--put", CARS),
    ],
    ids=lambda words: words[0],
)
def test_an_answer_says_first_how_many_units_are_not_set_up(words: tuple[str, ...]) -> None:
    assert ask_json(*words)["not_set_up"] == 3
    first = run_command(cli, *words).output.splitlines()[0]
    assert first.startswith("3 units are not set up")


def test_who_is_put_somewhere_is_set_up() -> None:
    put = ("--put", "gun@0402,2*camels@0401")
    assert "not_set_up" not in ask_json("stack", "two_wells", *put)
    assert ask_json("stack", "two_wells", "--put", "gun@0402")["not_set_up"] == 2
    assert "not_set_up" not in ask_json("stack", "two_wells", "--scenario", "none")
    assert "not_set_up" not in ask_json("odds", "two_wells", "attackers=cars", "defenders=gun"), (
        "words alone ask no map"
    )


@pytest.mark.parametrize("kind", ["count: 2", "numbers: 14-15"])
def test_numbered_counters_are_placed_as_counted_ones_are(tmp_path: Path, kind: str) -> None:
    pack = copy(tmp_path)
    counters, map = pack / "counters.yaml", pack / "map.yaml"
    text = counters.read_text(encoding="utf-8")
    assert text.count("numbers: 14-15") == 1
    counters.write_text(text.replace("numbers: 14-15", kind), encoding="utf-8")
    text = map.read_text(encoding="utf-8")
    old = "enters: {turn: 2, at: {edge: south}, together: true}"
    assert text.count(old) == 1
    map.write_text(text.replace(old, 'at: {hexes: ["0201", "0202"]}'), encoding="utf-8")
    answer = ask_json("supply", str(pack))
    rows = [row for side in answer["sides"] for row in side["units"] if row["unit"].startswith("cars")]
    unit_places = {row["unit"]: row["place"] for row in rows}
    assert sorted(unit_places.values()) == ["0201", "0202"] and answer["not_set_up"] == 3


BLOCKED = ("move", "two_wells", "cars/14", "--from", "0101", "--to", "0401")


def test_a_refusal_says_first_how_many_units_are_not_set_up() -> None:
    result = run_command(cli, *BLOCKED, "--json")
    refusal = json.loads(result.stdout)
    assert result.exit_code == 2 and refusal["refused"]
    assert list(refusal)[2:4] == ["not_set_up", "assumptions"] and refusal["not_set_up"] == 3
    assert run_command(cli, *BLOCKED).output.startswith("3 units are not set up")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("odds", "two_wells", "--at", "0101"), "no Blue unit is adjacent to 0101"),
        (("move", "two_wells", "gun"), "it isn't set up yet"),
        (("move", "musketeer", "bde_4_egypt", "to=1111"), "it isn't set up yet"),
        (
            ("odds", "arab_israeli_wars", "S-5", "put=infantry_israel@D-C-6", "targets=infantry_israel"),
            "name the attacked hex",
        ),
    ],
    ids=lambda words: words[0],
)
def test_an_error_that_units_could_change_says_so_too(words: tuple[str, ...], sentence: str) -> None:
    lines = run_command(cli, *words).output.splitlines()
    assert "are not set up" in lines[0] and any(line.startswith("Error: ") and sentence in line for line in lines), (
        lines
    )


def test_an_unknown_name_is_no_matter_of_units() -> None:
    result = run_command(cli, "move", "two_wells", "cars/14", "--from", "0101", "--to", "0801")
    assert result.exit_code == 2 and result.output.startswith("Error: to: there is no hex")


def test_the_page_says_it_before_a_refusal() -> None:
    from assistant.page.site import Site
    from scenarios import load

    site = Site({"two_wells": "Two Wells"}, load)
    inputs = {"unit": "cars/14", "from": "0101", "to": "0401"}
    response = site.post("/api/two_wells/ask", json.dumps({"question": "move", "inputs": inputs}).encode())
    body = json.loads(response.body)
    assert response.status == 400 and "can't reach 0401" in body["wrong"]
    assert body["preface"][0].startswith("3 units are not set up") and body["preface"][1] == "Assumed: turn 1"

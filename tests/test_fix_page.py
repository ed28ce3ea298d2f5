"""What the page asks and is answered: the turn of a live table, odds by taps, what a scenario tells, plain messages."""

from __future__ import annotations

import base64
import functools
import json
from pathlib import Path
from typing import Any

import pytest

from assistant.page.live_tables import Live
from assistant.page.saves import Saves
from assistant.page.site import Site
from scenarios import load
from scenarios.model.game import Game
from scenarios.opening_positions import open_position
from tests.packs import TWO_WELLS


@functools.cache
def game(key: str) -> Game:
    """A game, loaded once."""
    return load(TWO_WELLS if key == "two_wells" else key)


def site(folder: Path | None = None) -> Site:
    """A page of the games."""
    keys = ("arab_israeli_wars", "musketeer", "october_war", "six_day_war", "yom_kippur", "two_wells")
    return Site({key: key for key in keys}, game, saves=Saves(live=Live(folder)))


def post(page: Site, key: str, name: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """What a request is answered."""
    answer = page.post(f"/api/{key}/{name}", json.dumps(body).encode())
    return answer.status, json.loads(answer.body)


def open_file(page: Site, key: str, file: str, content: bytes | None = None) -> tuple[int, dict[str, Any]]:
    """Open a position file or a save, as the page sends it."""
    data = content if content is not None else Path(file).read_bytes()
    return post(page, key, "open", {"name": Path(file).name, "data": base64.b64encode(data).decode()})


# The turn of a live table.


def test_the_turn_of_a_table_is_in_what_is_saved(tmp_path: Path) -> None:
    page = site(tmp_path)
    table = post(page, "yom_kippur", "play", {"begin": "4.6"})[1]
    key, first = table["id"], table["turn"]
    status, table = post(page, "yom_kippur", "play", {"table": key, "version": 1, "change": {"turn": first + 1}})
    assert status == 200 and table["turn"] == first + 1
    for kind, name in (("position", "table.yaml"), ("vassal", "table.vsav")):
        (tmp_path / name).write_bytes(page.get(f"/api/yom_kippur/{kind}/{key}").body)
        assert open_position(game("yom_kippur"), tmp_path / name).turn == first + 1
    status, table = post(page, "yom_kippur", "play", {"table": key, "version": 2, "change": {"undo": True}})
    assert table["turn"] == first


def test_a_table_has_no_turn_that_its_scenario_lacks() -> None:
    page, turns = site(), game("two_wells").scenarios["noon"].turns
    assert turns is not None
    key = post(page, "two_wells", "play", {"begin": "noon"})[1]["id"]
    status, answer = post(page, "two_wells", "play", {"table": key, "version": 1, "change": {"turn": turns.last + 1}})
    assert status == 400 and f"{turns.first} to {turns.last}" in answer["wrong"]
    assert post(page, "two_wells", "play", {"table": key, "version": 1, "change": {"turn": turns.last}})[0] == 200


# Odds by two taps.

CHINESE_FARM = "docs/examples/chinese_farm.yaml"


def nodes_text(answer: dict[str, Any]) -> str:
    """An answer's nodes as one text."""
    return json.dumps(answer["nodes"], ensure_ascii=False)


def test_october_war_knows_whose_units_attack_by_their_names() -> None:
    """In one point (15.1): units of a point attack who is there, and who moved up attacks who was there before."""
    page = site()
    position = open_file(page, "october_war", CHINESE_FARM)[1]["id"]
    own_units = "armor_brigade_14,paratroop_battalion"
    cases = [
        ({"attackers": own_units, "at": "chinese_farm"}, "Defenders go first"),
        ({"attackers": "armor_battalion", "at": "purkan"}, "stands in Hamutal"),
        ({"attackers": "engineer_egypt", "at": "hamutal"}, "stands in Purkan"),
        ({"defenders": "engineer_egypt", "attackers": "armor_battalion", "at": "hizayon"}, "Defenders go first"),
    ]
    for inputs, text in cases:
        status, answer = post(
            page, "october_war", "ask", {"question": "odds", "inputs": {**inputs, "position": position}}
        )
        assert status == 200 and text in nodes_text(answer), answer
    inputs = {"attackers": own_units, "at": "tasa", "position": position}
    status, answer = post(page, "october_war", "ask", {"question": "odds", "inputs": inputs})
    assert status == 400 and "no arab unit is in Tasa" in answer["wrong"]


def test_one_unit_of_a_stack_fires_from_where_it_stands() -> None:
    """The Arab-Israeli Wars: a named unit's hex is the one that the position shows."""
    page = site()
    position = open_file(page, "arab_israeli_wars", "docs/examples/el_firdan.yaml")[1]["id"]
    pieces = json.loads(page.get(f"/api/arab_israeli_wars/pieces/S-9/{position}").body)
    unit = next(piece for piece in pieces["A-M-6"] if piece["unit"] == "infantry_egypt")
    answers = []
    for inputs in ({}, {"from": "A-M-6"}):
        unit_inputs = {"firers": f"infantry_egypt/{unit['copy']}", "at": "A-N-7", "position": position, **inputs}
        status, answer = post(page, "arab_israeli_wars", "ask", {"question": "odds", "inputs": unit_inputs})
        assert status == 200, answer
        answers.append(answer["answer"])
    assert answers[0] == answers[1]
    inputs = {"firers": "infantry_egypt", "at": "A-N-7", "position": position}
    status, answer = post(page, "arab_israeli_wars", "ask", {"question": "odds", "inputs": inputs})
    assert status == 200, "both stand in one hex"
    inputs = {"firers": "m48a5", "at": "A-M-7", "position": position}
    status, answer = post(page, "arab_israeli_wars", "ask", {"question": "odds", "inputs": inputs})
    assert status == 400 and "A-N-9" in answer["wrong"] and "A-O-9" in answer["wrong"] and "“From”" in answer["wrong"]


# What a scenario tells of an attack there.


@pytest.mark.parametrize(
    ("key", "scenario", "attack", "side", "name", "value"),
    [
        ("arab_israeli_wars", "B-1", "direct_fire", "israeli", "year", "1956"),
        ("arab_israeli_wars", "S-9", "close_assault", "arab", "year", "1973"),
        ("yom_kippur", "4.1", "ground", "israeli", "turn", "1"),
        ("six_day_war", "standard", "mobile", "israeli", "shock_turn", "true"),  # 25.5
        ("six_day_war", "standard", "mobile", "arab", "shock_turn", "false"),
    ],
)
def test_the_odds_tab_takes_turn_and_year_from_the_scenario(
    key: str, scenario: str, attack: str, side: str, name: str, value: str
) -> None:
    given_inputs = json.loads(site().get(f"/api/{key}/given/{scenario}").body)
    assert given_inputs[attack][side][name] == value


def test_the_odds_tab_takes_the_turn_from_a_live_table() -> None:
    page = site()
    table = post(page, "yom_kippur", "play", {"begin": "4.1"})[1]
    post(page, "yom_kippur", "play", {"table": table["id"], "version": 1, "change": {"turn": 2}})
    given_inputs = json.loads(page.get(f"/api/yom_kippur/given/4.1/{table['id']}").body)
    assert given_inputs["ground"]["israeli"]["turn"] == "2"
    assert page.get("/api/yom_kippur/given/9.9").status == 404


# Messages.


@pytest.mark.parametrize(
    ("key", "question", "inputs", "field"),
    [
        ("arab_israeli_wars", "los", {"hexes": "A-L-9,A-N-7"}, "“Map”"),
        ("arab_israeli_wars", "move", {"unit": "t_55", "scenario": "S-9"}, "“From”"),
        ("yom_kippur", "odds", {}, "“Attackers”"),
        ("october_war", "odds", {"at": "chinese_farm", "position": CHINESE_FARM}, "“Side” arab"),
    ],
)
def test_messages_of_the_page_name_its_fields(key: str, question: str, inputs: dict[str, str], field: str) -> None:
    page = site()
    if "position" in inputs:
        inputs = {**inputs, "position": open_file(page, key, inputs["position"])[1]["id"]}
    status, answer = post(page, key, "ask", {"question": question, "inputs": inputs})
    assert status == 400 and field in answer["wrong"]
    assert "--" not in answer["wrong"] and "=" not in answer["wrong"]


def test_unofficial_numbers_are_named_as_players_name_them() -> None:
    page = site()
    inputs = {"attackers": "armor_battalion", "at": "purkan"}
    position = open_file(page, "october_war", CHINESE_FARM)[1]["id"]
    status, answer = post(page, "october_war", "ask", {"question": "odds", "inputs": {**inputs, "position": position}})
    (node,) = [node for node in answer["nodes"] if node["kind"] == "unofficial"]
    assert status == 200 and "Armored battalion" in node["text"][0]
    assert "/" not in node["text"][0] and "_" not in node["text"][0]


@pytest.mark.parametrize("content", [b"garbage" * 9, b"PK\x03\x04" + b"z" * 50])
def test_a_damaged_save_has_its_own_name_and_no_line(content: bytes) -> None:
    status, answer = open_file(site(), "yom_kippur", "last evening.vsav", content)
    assert status == 400 and answer["wrong"].startswith("last evening.vsav is no VASSAL save")
    assert ":1:1" not in answer["wrong"]


def test_a_picture_is_no_save() -> None:
    status, answer = open_file(site(), "yom_kippur", "photo.jpg", b"\xff\xd8\xff" * 9)
    assert status == 400 and answer["wrong"] == "photo.jpg is neither a save of VASSAL nor a position file"


def test_a_table_that_cannot_be_written_names_no_folder(tmp_path: Path) -> None:
    (tmp_path / "tables").write_text("a file where the folder should be")
    status, answer = post(site(tmp_path / "tables"), "two_wells", "play", {"begin": "noon"})
    assert status == 400 and "nothing was changed" in answer["wrong"] and str(tmp_path) not in answer["wrong"]

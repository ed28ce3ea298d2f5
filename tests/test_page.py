"""The page: what it sends, what it answers, and whom it answers."""

from __future__ import annotations

import base64
import gzip
import http.client
import json
import re
import socket
import threading
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.attack import odds, unit_fields
from assistant.cli import cli
from assistant.page.game_info import about_game, title_of
from assistant.page.saves import Saves
from assistant.page.server import Server, is_loopback
from assistant.page.site import ASSETS, MAX_BODY, Site
from assistant.questions.registry import ask
from assistant.questions.rendering import as_nodes
from modgen.cache import Cache
from modgen.vmod.files.lock import Lock
from modgen.vmod.files.module import compose
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.model.position import from_scenario
from scenarios.opening_positions import open_position
from tests.asking import run_command

GAMES: dict[str, Game] = {"two_wells": load("scenarios/samples/two_wells")}


def game(key: str) -> Game:
    if key not in GAMES:
        GAMES[key] = load(key)
    return GAMES[key]


SITE = Site({"two_wells": "Two Wells", **{key: key for key in shipped_games()}}, game)


def post_json(path: str, **body: Any) -> dict[str, Any]:
    answer = SITE.post(path, json.dumps(body).encode())
    assert answer.status == 200, answer.body
    return dict(json.loads(answer.body))


def wrong(path: str, body: bytes) -> str:
    answer = SITE.post(path, body)
    assert answer.status in (400, 404)
    return str(json.loads(answer.body)["wrong"])


def test_what_the_page_says_stands_in_one_file() -> None:
    literals = re.compile(r""""([^"\n]*)"|`([^`\n]*)`""")
    sentence = re.compile(r"^[A-Z][a-z]+\b|[a-z]+ [a-z]+ [a-z]+")
    ignored_prefixes = ("Escape", "Enter", "Source Sans Pro", "Content-Type", "import sys", "Arrow")
    for path in sorted(Path("assistant/page/assets").glob("*.js")):
        if path.name != "texts.js":
            code = re.sub(r"^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.M)
            texts = [match[1] or match[2] or "" for match in literals.finditer(code)]
            sentences = [text for text in texts if sentence.search(text) and not text.startswith(ignored_prefixes)]
            assert not sentences, f"{path.name} says {sentences}; put it into texts.js"


def test_every_asset_that_the_page_names_is_there() -> None:
    folder = resources.files("assistant.page") / "assets"
    assert {asset.name for asset in folder.iterdir()} == set(ASSETS)
    for name in set(ASSETS) - {"engine.js"}:  # that one is for the page without a server
        text = SITE.get(f"/{name}").body.decode()
        for path in re.findall(r'(?:src|href)="([^"]+)"|url\(([^)]+)\)|from "\./([^"]+)"', text):
            assert SITE.get(f"/{next(filter(None, path))}").status == 200, path
        assert "http://" not in text.replace("http://www.w3.org/", "") and "https://" not in text, "nothing calls out"


@pytest.mark.parametrize("key", shipped_games())
def test_a_game_is_told_and_drawn(key: str) -> None:
    pack = game(key)
    about = about_game(pack)
    assert about == json.loads(SITE.get(f"/data/{key}/about.json").body)
    assert {attack["id"] for attack in about["attacks"]} == set(pack.attacks)
    assert title_of(key) == pack.title
    unit = next(iter(pack.units))
    (face,) = post_json(f"/api/{key}/faces", faces=[f"{unit}/front"]).values()
    assert face.startswith("<svg")
    scenario = next(iter(pack.scenarios))
    places = json.loads(SITE.get(f"/data/{key}/spots/{scenario}.json").body)
    pieces = json.loads(SITE.get(f"/data/{key}/pieces/{scenario}.json").body)
    assert places["places"] and all(
        0 <= place["x"] <= places["width"] and 0 <= place["y"] <= places["height"] for place in places["places"]
    )
    assert set(pieces) <= {place["name"] for place in places["places"]}
    assert SITE.get(f"/data/{key}/map/{scenario}.svg").body.startswith(b"<svg")
    assert SITE.get(f"/api/{key}/scenario/{scenario}").status == 200


def test_odds_are_the_assistants() -> None:
    pack = game("two_wells")
    cars = {"unit": "cars", "states": ["dry"], "inputs": {}}
    answer = post_json(
        "/api/two_wells/odds",
        attack="assault",
        groups={"attackers": [cars], "defenders": [{"unit": "camels"}]},
        inputs={"across_wadi": "true", "terrain": "hill"},
    )
    groups = {"attackers": [unit_fields(pack, "cars", ["dry"])], "defenders": [unit_fields(pack, "camels")]}
    right = odds(pack, "assault", groups, {"across_wadi": True, "terrain": "hill"})
    assert answer["column"] == right.column
    assert answer["chances"] == {
        code: str(chance) if chance.denominator > 1 else int(chance) for code, chance in right.chances.items()
    }


def test_other_questions() -> None:
    assert post_json("/api/yom_kippur/table", table="combat", column="3-1")["chances"]
    roll_answer = post_json("/api/yom_kippur/roll", what="2d6", times=3)
    assert len(roll_answer["rolls"]) == 3
    sight = post_json("/api/arab_israeli_wars/ask", question="los", inputs={"map": "A", "hexes": ["A-H-3", "A-H-5"]})
    assert sight["answer"]["clear"] is False and "moraine" in json.dumps(sight["nodes"])
    assert post_json("/api/yom_kippur/ask", question="supply", inputs={"scenario": "4.5"})["nodes"]


def test_an_answer_comes_as_nodes_and_its_places_can_be_drawn() -> None:
    answer = post_json(
        "/api/musketeer/ask", question="move", inputs={"unit": "gd_britain", "from": "4112", "scenario": "standard"}
    )
    (reach,) = [node for node in answer["nodes"] if node["kind"] == "places"]
    assert (
        {place_row["place"] for place_row in reach["places"]}
        == {place_row["place"] for place_row in answer["answer"]["places"]}
        > {"4112", "4212"}
    )
    stacks = [["bde_7_israel", "gol_israel"], ["bde_4_israel"]]
    fight = post_json(
        "/api/musketeer/ask",
        question="odds",
        inputs={"attackers": stacks, "defenders": ["bde_4_egypt"], "terrain": "city"},
    )
    assert [unit["stack"] for unit in fight["answer"]["forces"][0]["outcomes"]] == [1, 1, 2]
    fight_answer = post_json(
        "/api/musketeer/ask",
        question="odds",
        inputs={"attackers": "7,Gol;Israeli 4", "defenders": "Egyptian 4", "terrain": "city"},
    )
    assert fight_answer == fight


EXAMPLE = Path("docs/examples/chinese_farm.yaml")


def open_save(path: Path, name: str) -> dict[str, Any]:
    return post_json("/api/october_war/open", name=name, data=base64.b64encode(path.read_bytes()).decode())


def test_a_save_is_opened_shown_and_asked_about() -> None:
    pack, position = game("october_war"), open_position(game("october_war"), EXAMPLE)
    save = open_save(EXAMPLE, "C:\\games\\farm.yaml")
    assert (save["name"], save["turn"], save["scenario"]) == ("farm.yaml", position.turn, "standard")
    inputs = {"point": "chinese_farm", "side": "israeli"}
    answer = post_json("/api/october_war/ask", question="odds", inputs={**inputs, "position": save["id"]})
    expected_nodes = as_nodes(ask(pack, "odds", {**inputs, "position": position}))
    assert [node for node in answer["nodes"] if node["kind"] != "unofficial"] == [
        node for node in expected_nodes if node["kind"] != "unofficial"
    ]
    places = json.loads(SITE.get(f"/api/october_war/pieces/standard/{save['id']}").body)
    page_units = {(piece_row["unit"], place) for place, pieces in places.items() for piece_row in pieces}
    assert {(piece.unit, piece.at) for piece in position.pieces_at("chinese_farm")} <= page_units
    assert len(position.pieces_at("chinese_farm")) == len(places["chinese_farm"]) > 0


def test_a_save_of_vassal_is_opened() -> None:
    pack = game("two_wells")
    save = compose(pack, Lock(), Cache(None)).files["Noon.vsav"]
    answer = post_json("/api/two_wells/open", name="noon.vsav", data=base64.b64encode(save).decode())
    start = from_scenario(pack, "noon")
    assert (answer["scenario"], answer["turn"], answer["pieces"]) == ("noon", start.turn, len(start.pieces))


def test_a_save_that_cant_be_opened_says_why() -> None:
    path, junk = "/api/october_war/open", base64.b64encode(b"game: october_war\npieces: 3").decode()
    assert "base64" in wrong(path, b'{"name": "a.vsav", "data": "?"}')
    assert "its name and its data" in wrong(path, b'{"name": "a.vsav"}')
    assert "mine.yaml:2:9" in wrong(path, json.dumps({"name": "mine.yaml", "data": junk}).encode())
    assert wrong(path, json.dumps({"name": "a.vsav", "data": junk}).encode()).startswith("a.vsav is no VASSAL save")
    body = json.dumps({"question": "supply", "inputs": {"position": "0123"}}).encode()
    assert "open it again" in wrong("/api/october_war/ask", body)
    assert SITE.get("/api/october_war/pieces/standard/0123").status == 400
    assert "open it again" in wrong("/api/yom_kippur/ask", body)


def test_a_watched_save_is_read_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "farm.yaml"
    path.write_text(text := EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    site = Site({"october_war": "October War", "yom_kippur": "Yom Kippur"}, game, saves=Saves(path, "october_war"))

    def saves(key: str) -> list[dict[str, Any]]:
        return list(json.loads(site.get(f"/api/{key}/saves").body))

    assert [(save_row["id"], save_row["name"], save_row["turn"]) for save_row in saves("october_war")] == [
        ("watched", "farm.yaml", 5)
    ]
    assert saves("yom_kippur") == []
    path.write_text(text.replace("turn: 5", "turn: 9"), encoding="utf-8")
    assert saves("october_war")[0]["turn"] == 9
    path.write_text("game: october_w", encoding="utf-8")
    assert saves("october_war")[0]["turn"] == 9, "half-written"
    path.write_text(text.replace("turn: 5", "turn: 6 "), encoding="utf-8")
    body = json.dumps({"question": "supply", "inputs": {"position": "watched"}}).encode()
    assert (
        site.post("/api/october_war/ask", body).status == 200
        and site.saves.position(game("october_war"), "watched").turn == 6
    )
    data = base64.b64encode(EXAMPLE.read_bytes()).decode()
    site.post("/api/october_war/open", json.dumps({"name": "mine.yaml", "data": data}).encode())
    assert [save_row["name"] for save_row in saves("october_war")] == ["farm.yaml", "mine.yaml"], (
        "other devices see what one has opened"
    )


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("game: october_war", (), "pieces"),
        ("turn: 5", (), "doesn't tell its game"),
        ("game: nowhere", (), "name its pack"),
        ("game: october_war", ("yom_kippur",), "this position is of october_war"),
    ],
)
def test_a_save_that_cant_be_watched_says_why(text: str, words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
    result = run_command(cli, "serve", *words, "--save", str(tmp_path / "bad.yaml"), "--port", "0")
    assert result.exit_code == 2 and message in result.output


def test_a_form_picks_what_the_question_takes() -> None:
    fields = {
        key: {
            form_field["name"]: form_field
            for form in about_game(game(key))["questions"]
            for form_field in form["fields"]
        }
        for key in shipped_games()
    }
    names = {name for form in fields.values() for name in form}
    assert fields["october_war"]["attackers_dodge"]["choices"] == ["never", "last", "always"]
    assert fields["six_day_war"]["front"]["choices"] == ["sinai", "eastern"]
    assert fields["musketeer"]["attackers"]["kind"] == "units" and fields["musketeer"]["at"]["kind"] == "place"
    assert fields["yom_kippur"]["taken"]["kind"] == "places" and "position" not in names


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("/api/nowhere/odds", b"{}", "there is no game"),
        ("/api/two_wells/adds", b"{}", "did you mean odds?"),
        ("/api/two_wells/odds", b"{", "must be JSON"),
        ("/api/two_wells/odds", b"[]", "must be a JSON object"),
        ("/api/two_wells/odds", b'{"attack": "asault"}', "did you mean assault?"),
        (
            "/api/two_wells/odds",
            b'{"attack": "assault", "groups": {"attackers": [{"unit": "carts"}]}}',
            "did you mean cars",
        ),
        ("/api/two_wells/table", b'{"table": 3}', "name the table"),
        ("/api/two_wells/roll", b'{"what": "2d6", "times": "x"}', "whole number"),
        ("/api/arab_israeli_wars/ask", b'{"question": "los", "inputs": {"map": "A", "hexes": ["A-Z-99"]}}', "'Z-99'"),
    ],
)
def test_a_wrong_question_gets_a_sentence(path: str, body: bytes, message: str) -> None:
    assert message in wrong(path, body)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(["attack", "groups", "inputs", "table", "row", "column", "what", "attackers", "unit", "states", "told"]), inner),
    max_leaves=8), st.sampled_from(["odds", "table", "roll", "ask"]))  # fmt: skip
@settings(max_examples=150, deadline=None)
def test_junk_never_breaks_it(body: object, question: str) -> None:
    assert SITE.post(f"/api/two_wells/{question}", json.dumps(body).encode()).status in (200, 400)


@pytest.mark.parametrize(
    "path", ["/nowhere", "/../pyproject.toml", "/font/x.ttf", "/data/two_wells/map/9.svg", "/data/nowhere/about.json"]
)
def test_there_is_no_such_page(path: str) -> None:
    assert SITE.get(path).status == 404


@pytest.fixture
def server() -> Iterator[Server]:
    new_server = Server("127.0.0.1", 0, SITE)
    thread = threading.Thread(target=new_server.serve_forever, daemon=True)
    thread.start()
    yield new_server
    new_server.shutdown()
    thread.join(10)


def request(server: Server, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.address[1])
    connection.request(method, path, body or None, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_it_answers_its_own_page_only(server: Server) -> None:
    own_host = f"127.0.0.1:{server.address[1]}"
    body = b'{"what": "1d6"}'
    assert request(server, "GET", "/")[0] == 200
    assert request(server, "GET", "/", Host="elsewhere.example")[0] == 403
    assert (
        request(
            server, "POST", "/api/two_wells/roll", body, Content_Type="application/json", Origin=f"http://{own_host}"
        )[0]
        == 200
    )
    assert request(server, "POST", "/api/two_wells/roll", body, Content_Type="text/plain")[0] == 415
    strange = {"Content_Type": "application/json", "Origin": "http://elsewhere.example"}
    assert request(server, "POST", "/api/two_wells/roll", body, **strange)[0] == 403
    long = {"Content_Type": "application/json", "Content_Length": str(MAX_BODY + 1)}
    assert request(server, "POST", "/api/two_wells/roll", body, **long)[0] == 413


def test_a_large_answer_is_packed_for_who_can_unpack_it(server: Server) -> None:
    plain_response, packed_response = (
        request(server, "GET", "/page.css"),
        request(server, "GET", "/page.css", Accept_Encoding="gzip, br"),
    )
    assert (
        gzip.decompress(packed_response[1]) == plain_response[1]
        and len(packed_response[1]) < len(plain_response[1]) / 2
    )


def test_a_browser_that_goes_away_is_no_error(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    head = f"POST /api/two_wells/roll HTTP/1.1\r\nHost: 127.0.0.1:{server.address[1]}\r\nContent-Type: application/json\r\n"
    for part in ("", "GET / HT", f"{head}Content-Length: 40\r\n\r\n", f"{head}Content-Length: 40\r\n\r\n{{"):
        with socket.create_connection(server.address, timeout=10) as connection:
            connection.sendall(part.encode())
    assert request(server, "GET", "/")[0] == 200
    assert capfd.readouterr().err == ""


def test_it_listens_on_this_machine() -> None:
    assert is_loopback("127.0.0.1") and is_loopback("localhost") and is_loopback("::1")
    assert not is_loopback("0.0.0.0") and not is_loopback("192.168.0.4")

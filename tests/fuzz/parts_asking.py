"""Odd questions, expressions, commands and requests, and the files of live tables."""

from __future__ import annotations

import base64
import contextlib
import datetime
import functools
import gzip
import json
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

from click.testing import CliRunner

from assistant.page.browser_site import BrowserSite
from assistant.page.live_tables import PREFIX, Live
from assistant.page.response import Response
from assistant.page.saves import Saves
from assistant.page.site import Site
from assistant.questions.answer import BadQuestion
from assistant.questions.registry import ask, questions
from assistant.questions.rendering import as_nodes
from scenarios import check
from scenarios.expressions import ExpressionError, evaluate, parse
from scenarios.model.game import Game
from scenarios.model.position import from_scenario
from scenarios.opening_positions import as_text
from scenarios.pack import pack_cache
from scenarios.pack.pack_folder import samples
from tests.fuzz.mutating import ODD_TEXTS, bytes_damaged, text_damaged, tree_damaged
from tests.fuzz.running import Case, Part
from tests.fuzz.world import DATA, Wordless, files, folder, game, module, module_files, pack, sentence, words, zip_files

SHIPPED_GAMES = ("yom_kippur", "six_day_war", "arab_israeli_wars", "musketeer", "october_war")
STATUSES = (200, 400, 404)


# Questions.


def told_at_random(loaded_game: Game, random: Random) -> tuple[str, dict[str, Any]]:
    """A question of a game, told things that may fit."""
    question_names = list(questions(loaded_game))
    name = random.choice(question_names)
    inputs = questions(loaded_game)[name].inputs
    values: dict[str, Any] = {}
    for question_input in inputs:
        if question_input.required or random.random() < 0.3:
            values[question_input.name] = _value(loaded_game, question_input, random)
    if random.random() < 0.1:
        values[random.choice(words())] = random.choice(words())
    return name, values


def _value(loaded_game: Game, question_input: Any, random: Random) -> Any:
    kind = random.random()
    if kind < 0.15:
        return random.choice(words())
    if kind < 0.2:
        return random.choice((None, True, 0, -1, 10**9, 0.5, [], {}, ["a"], [[1]], {"a": 1}))
    if question_input.choices and kind < 0.8:
        return random.choice(question_input.choices)
    if question_input.example and kind < 0.5:
        return question_input.example if kind < 0.4 else text_damaged(random, question_input.example)
    if question_input.kind in ("number", "whole"):
        return random.choice((0, 1, 2, 3, 6, 7, "4", "1/2", "5.5"))
    names = {
        "scenario": loaded_game.scenarios,
        "table": loaded_game.tables,
        "nation": loaded_game.nations,
        "state": loaded_game.states,
        "terrain": loaded_game.terrain,
        "side": loaded_game.sides,
        "attack": loaded_game.attacks,
        "marker": loaded_game.markers,
    }.get(question_input.vocabulary or question_input.name)
    if names:
        return random.choice(list(names))
    units = list(loaded_game.units)
    sample_units = [random.choice(units) for _ in range(random.choice((1, 1, 2, 3)))] if units else []
    values = sample_units if sample_units and random.random() < 0.5 else [_place(loaded_game, random)]
    return values if question_input.multiple else values[0]


def _place(loaded_game: Game, random: Random) -> str:
    names = _places(loaded_game) if loaded_game.id in (*samples(), *SHIPPED_GAMES) else ("0101", "0203")
    return random.choice(names)


@functools.lru_cache(maxsize=16)
def _spots(key: str) -> tuple[str, ...]:
    loaded_game = game(key)
    spots = {"0101"}
    for scenario in list(loaded_game.scenarios)[:4]:
        for line in as_text(loaded_game, from_scenario(loaded_game, scenario)).splitlines():
            spots.update(line.split('at: "')[1].split('"')[:1] if 'at: "' in line else ())
    return tuple(sorted(spots))


def _places(loaded_game: Game) -> tuple[str, ...]:
    return _spots(loaded_game.id)


def question(loaded_game: Game, name: str, inputs: dict[str, Any]) -> str:
    """How a question ends."""
    return sentence(lambda: as_nodes(ask(loaded_game, name, inputs)), BadQuestion)


def _question(random: Random) -> Case:
    key = random.choice((*samples(), *samples(), *SHIPPED_GAMES))
    name, inputs = told_at_random(game(key), random)
    return {"game": key, "name": name, "told": json.dumps(inputs)}


def _try_question(case: Case) -> str:
    return question(game(case["game"]), case["name"], json.loads(case["told"]))


# Expressions.


@functools.cache
def _formulas() -> tuple[str, ...]:
    formulas = [word for word in words() if any(sign in word for sign in "+-*/<>=(") and len(word) < 120]
    return (
        *formulas,
        "min(attack, 3) * 2 + 1",
        "not (a and b) or c",
        "sum(attackers.attack) / 2",
        "'x' in y",
        "round(1.5)",
        "1 if a else 2",
    )


def _expression(random: Random) -> Case:
    return {"text": text_damaged(random, random.choice(_formulas()), " ()+-*/.,")}


def _try_expression(case: Case) -> str:
    from scenarios.expressions import EvaluationError

    def evaluate_case() -> None:
        evaluate(parse(case["text"]), {"attack": 3, "defense": 2, "a": True, "x": "y"})

    return sentence(evaluate_case, ExpressionError, EvaluationError)


# Commands.

COMMANDS = (
    "modgen list --json", "modgen check ridge", "modgen check corps --json", "modgen show ridge counters",
    "modgen show corps tables --json",
    "modgen show island map", "modgen schema game", "modgen save two_wells noon.yaml --out noon.vsav",
    "modgen verify two_wells.vmod --json",
    "modgen diff two_wells.vmod two_wells.vmod", "modgen new mine --like corps", "modgen import two_wells.vmod --to in --json",
    "modgen build ridge --only json --out out", "modgen build two_wells --only kit --scenario noon --margin x",
    "modgen calibrate --paper a4 --out out", "modgen import two_wells.vmod --for two_wells --to table.csv",
    "modgen diff two_wells.vmod other.vmod --patch patched", "modgen build two_wells --only tabletop --out out",
    "modgen build two_wells --only tts --images-at http://x --out out", "modgen docs", "modgen docs rules",
    "assistant open noon.yaml --game two_wells --map table.csv", "assistant open two_wells.vsav --json",
    "assistant odds corps 3 1", "assistant odds two_wells 4 2", "assistant move corps unit=inf from=0101",
    "assistant table corps", "assistant roll 2d6",
    "assistant los ridge --from 0101 --to 0303", "assistant supply march", "assistant stack corps", "assistant scenario two_wells noon",
    "assistant score island --json", "assistant turn march --turn 2", "assistant rules corps move",
    "assistant ask ridge", "assistant ask corps --schema",
    "assistant open noon.yaml --game two_wells", "assistant open noon.yaml --write again.yaml",
    "assistant retreat corps", "assistant roll corps combat",
    "assistant move two_wells --help", "assistant move ridge --position noon.yaml",
)  # fmt: skip
SERVING = {"serve", "edit", "watch", "release"}


def _command(random: Random) -> Case:
    parts = random.choice(COMMANDS).split()
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        index = random.randrange(1, len(parts) + 1)
        new = random.choice(
            (random.choice(words()), random.choice(random.choice(COMMANDS).split()), random.choice(ODD_TEXTS))
        )
        kind = random.randrange(4)
        if kind == 0:
            parts.insert(index, new)
        elif index < len(parts) and kind == 1:
            parts[index] = new
        elif index < len(parts) and kind == 2 and len(parts) > 2:
            del parts[index]
        elif index < len(parts):
            parts[index] = text_damaged(random, parts[index], "=-. ")
    safe = [part for part in parts if part not in SERVING and not part.startswith(("/", "~")) and "=/" not in part]
    if "build" in safe:
        safe.append("two_wells")  # without a game all five are built, which takes its time
    # No system hands a NUL over.
    return {"words": [word[:6000].replace("\0", "") for word in safe] or ["modgen"]}


@functools.cache
def _desk() -> Path:
    """A folder deep enough that no `..` leads out of this run, with a position and a module in it."""
    desk = folder() / "a" / "b" / "c" / "desk"
    desk.mkdir(parents=True)
    loaded_game = game("two_wells")
    (desk / "noon.yaml").write_text(as_text(loaded_game, from_scenario(loaded_game, "noon")), encoding="utf-8")
    (desk / "two_wells.vmod").write_bytes(module("two_wells"))
    (desk / "other.vmod").write_bytes(zip_files({**module_files("two_wells"), "extra.txt": b"extra"}))
    (desk / "two_wells.vsav").write_bytes((DATA / "two_wells.vsav").read_bytes())
    return desk


def _try_command(case: Case) -> str:
    from assistant.cli import cli as assistant
    from modgen.cli import cli as modgen

    first, *arguments = case["words"]
    if set(arguments) & SERVING:
        return "sentence"
    with contextlib.chdir(_desk()):
        result = CliRunner().invoke(modgen if first == "modgen" else assistant, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code not in (0, 1, 2) or (result.exit_code and not result.output.strip()):
        raise Wordless(f"exit code {result.exit_code} without a word")
    return "sentence" if result.exit_code else "answer"


# Requests.


def response_kind(response: Response) -> str:
    """A response is an answer or a sentence."""
    if response.status not in STATUSES:
        raise Wordless(f"{response.status}: {response.body[:2000].decode('utf-8', 'replace')}")
    if response.status != 200 and not json.loads(response.body).get("wrong"):
        raise Wordless(f"{response.status} without a sentence")
    return "answer" if response.status == 200 else "sentence"


@functools.cache
def _site() -> Site:
    names = ("two_wells", "corps", "ridge", "yom_kippur")
    return Site({name: name for name in names}, game, saves=Saves(live=Live(folder() / "tables")))


@functools.cache
def _table(name: str) -> str:
    """A live table to be changed."""
    body = {"begin": next(iter(game(name).scenarios))}
    return str(json.loads(_site().post(f"/api/{name}/play", json.dumps(body).encode()).body)["id"])


def _page(random: Random) -> Case:
    name = random.choice(("two_wells", "corps", "ridge", "yom_kippur"))
    loaded_game = game(name)
    scenario = random.choice(list(loaded_game.scenarios))
    unit = random.choice(list(loaded_game.units))
    key = _table(name)
    question_name, inputs = told_at_random(loaded_game, random)
    gets = (
        "",
        "page.js",
        "font/regular.ttf",
        "data/games.json",
        f"data/{name}/about.json",
        f"data/{name}/map/{scenario}.svg",
        f"data/{name}/spots/{scenario}.json",
        f"data/{name}/pieces/{scenario}.json",
        f"api/{name}/pieces/{scenario}/{key}",
        f"api/{name}/waiting/{scenario}/2",
        f"api/{name}/waiting/{scenario}/2/{key}",
        f"api/{name}/away/{scenario}/{key}",
        f"api/{name}/position/{key}",
        f"api/{name}/vassal/{key}",
        f"api/{name}/saves",
        f"api/{name}/scenario/{scenario}",
    )
    if random.random() < 0.25:
        path = random.choice(gets)
        return {"path": "/" + (path if random.random() < 0.3 else quote(text_damaged(random, path, "/."), safe="/%?#"))}
    piece_keys = [[piece.unit, piece.copy] for piece in from_scenario(loaded_game, scenario).pieces[:6]] or [
        [unit, "1"]
    ]
    pieces, place = [random.choice(piece_keys)], _place(loaded_game, random)
    version = json.loads(_site().get(f"/api/{name}/saves").body)[-1].get("live", 1)
    changes: tuple[dict[str, Any], ...] = (
        {"move": pieces, "to": place},
        {"states": pieces, "now": list(loaded_game.states)[:1]},
        {"lost": pieces, "steps": 1},
        {"remove": pieces},
        {"add": unit, "to": place},
        {"turn": 2},
        {"undo": True},
    )
    bodies: tuple[tuple[str, Any], ...] = (
        ("play", {"begin": scenario}),
        ("play", {"table": key, "version": version, "change": random.choice(changes)}),
        ("play", {"table": key, "version": version, "change": random.choice(changes)}),
        ("faces", {"faces": [f"{unit}/front", f"{unit}/back"]}),
        (
            "open",
            {
                "name": "x.yaml",
                "data": base64.b64encode(f"game: {name}\nscenario: {scenario}\npieces: []\n".encode()).decode(),
            },
        ),
        ("ask", {"question": question_name, "inputs": inputs}),
        ("ask", {"question": question_name, "inputs": {**inputs, "position": key}}),
        ("odds", {"attack": next(iter(loaded_game.attacks), ""), "inputs": inputs}),
        ("table", {"table": next(iter(loaded_game.tables), ""), "column": "1-1"}),
        ("roll", {"table": next(iter(loaded_game.tables), ""), "dice": "2d6"}),
    )
    endpoint, body = random.choice(bodies)
    if random.random() < 0.85:
        body = tree_damaged(random, body, words())
    text = json.dumps(body)
    return {
        "path": f"/api/{name}/{endpoint}",
        "body": text.encode() if random.random() < 0.9 else bytes_damaged(random, text.encode()),
    }


def _try_page(case: Case) -> str:
    site = _site()
    if len(site.drawing_cache) > 500:
        site.drawing_cache.clear()
    if len(site.saves.live._tables) > 60:
        site.saves.live._tables.clear()
        for path in (folder() / "tables").glob("*.jsonl"):
            path.unlink()
        _table.cache_clear()
    return response_kind(site.post(case["path"], case["body"]) if "body" in case else site.get(case["path"]))


# Files that are opened on the page, with a server and without.


@functools.cache
def _offline_page() -> BrowserSite:
    standalone = BrowserSite(str(folder() / "alone"))
    for name in ("two_wells", "corps", "ridge"):
        standalone.take(name, gzip.compress(pack_cache.encode(game(name))))
    return standalone


def _file(random: Random) -> Case:
    name = random.choice(("two_wells", "corps", "ridge"))
    loaded_game = game(name)
    text = as_text(loaded_game, from_scenario(loaded_game, random.choice(list(loaded_game.scenarios))))
    content = text_damaged(random, text, "\n:,{}[] ").encode("utf-8", "replace")
    ending = "yaml"
    if name == "two_wells" and random.random() < 0.3:
        content, ending = bytes_damaged(random, (DATA / "two_wells.vsav").read_bytes()), "vsav"
    question_name, inputs = told_at_random(loaded_game, random)
    return {
        "game": name,
        "name": f"x.{ending}",
        "content": content,
        "asked": json.dumps({"question": question_name, "inputs": inputs}),
    }


def _try_file(case: Case) -> str:
    name, request = case["game"], json.loads(case["asked"])
    body = json.dumps({"name": case["name"], "data": base64.b64encode(case["content"]).decode()})
    ends = []
    for send in (_site_response, _offline_response):
        response = send("POST", f"/api/{name}/open", body)
        ends.append(response_kind(response))
        if ends[-1] == "answer":
            save = json.loads(response.body)
            question_body = json.dumps({**request, "inputs": {**request["inputs"], "position": save["id"]}})
            for path in (f"pieces/{save['scenario']}", f"away/{save['scenario']}", "position"):
                response_kind(send("GET", f"/api/{name}/{path}/{save['id']}", ""))
            response_kind(send("POST", f"/api/{name}/ask", question_body))
    if len(set(ends)) > 1:
        raise Wordless("the page answers otherwise without a server")
    return ends[0]


def _site_response(method: str, path: str, body: str) -> Response:
    return _site().get(path) if method == "GET" else _site().post(path, body.encode())


def _offline_response(method: str, path: str, body: str) -> Response:
    status, text = _offline_page().ask(method, path, body)
    return Response(status, "", text.encode())


# The editor.


@functools.cache
def _editor(is_own: bool) -> Any:
    from modgen.editing.page import editor
    from modgen.new import new_game

    if is_own:
        new_game(folder() / "own", "Own", datetime.date(2026, 11, 18), "ridge")
        return editor(str(folder() / "own"), None)
    return editor("ridge", folder() / "edited" / "mine.yaml")


@functools.cache
def _document(is_own: bool) -> dict[str, Any]:
    return dict(json.loads(_editor(is_own).get("api/map/boards/solla").body))


def _edit(random: Random) -> Case:
    is_own = random.random() < 0.4
    document = _document(is_own)
    if random.random() < 0.15:
        path = random.choice(
            (
                "api/work",
                "api/map/boards/solla",
                "api/drawn/boards/solla",
                "api/photo/solla",
                "api/flat/solla",
                "api/numbers",
                "edit.js",
            )
        )
        return {"own": is_own, "path": text_damaged(random, path, "/.")}
    picture = base64.b64encode(_photo()).decode()
    corners = {hex: [x, y] for hex, x, y in random.sample(document["hexes"], 5)}
    bodies: tuple[tuple[str, Any], ...] = (
        ("save", {"map": "boards/solla", "parts": document["parts"]}),
        ("save", {"map": "boards/solla", "parts": document["parts"], "image": None}),
        ("save", {"map": "boards/solla", "parts": tree_damaged(random, document["parts"], words())}),
        ("numbers", {"numbers": {"units/x/factors/attack": "3"}}),
        ("photo", {"map": "boards/solla", "data": picture}),
        ("fix", {"map": "boards/solla", "hexes": corners}),
        ("board", {"id": "new", "name": "New", "columns": 4, "rows": 3, "orientation": "flat", "scheme": "column_row"}),
    )
    endpoint, body = random.choice(bodies)
    text = json.dumps(tree_damaged(random, body, words()))
    return {
        "own": is_own,
        "path": f"api/{endpoint}",
        "body": text.encode() if random.random() < 0.9 else bytes_damaged(random, text.encode()),
    }


@functools.cache
def _photo() -> bytes:
    import io

    from PIL import Image

    buffer = io.BytesIO()
    Image.linear_gradient("L").resize((120, 90)).save(buffer, "PNG")
    return buffer.getvalue()


def _try_edit(case: Case) -> str:
    site = _editor(case["own"])
    if "body" not in case:
        return response_kind(site.get(case["path"]))
    pack_folder = folder() / ("own" if case["own"] else "edited")
    old_files = {path: path.read_bytes() for path in pack_folder.rglob("*") if path.is_file()}
    end = response_kind(site.post(case["path"], case["body"]))
    new_files = {path: path.read_bytes() for path in pack_folder.rglob("*") if path.is_file()}
    if new_files == old_files:
        return end
    overlay = [pack_folder / "mine.yaml"] if not case["own"] and (pack_folder / "mine.yaml").exists() else []
    findings = check(pack_folder if case["own"] else "ridge", overlay)
    for path in new_files:
        if path in old_files:
            path.write_bytes(old_files[path])
        else:
            path.unlink()
    site.work.read()
    if findings:
        raise Wordless(f"the editor saved what has findings: {findings[0]}")
    if end != "answer":
        raise Wordless("the editor said no, and wrote all the same")
    return end


# What is watched.


@functools.cache
def _watch_page() -> Any:
    from modgen.watch.page import WatchPage
    from modgen.watch.watcher import Watcher

    return WatchPage(Watcher(str(pack("two_wells"))))


def _watch(random: Random) -> Case:
    from tests.fuzz.world import yaml_damaged

    file = random.choice([file for file in files("two_wells") if file.endswith(".yaml")])
    names = [
        item["name"] for items in json.loads(_watch_page().get("state.json").body)["shown"].values() for item in items
    ]
    body = json.dumps(tree_damaged(random, {"names": random.sample(names, min(2, len(names)))}, words()))
    return {
        "sample": "two_wells",
        "file": file,
        "content": yaml_damaged(random, "two_wells", file),
        "body": body.encode(),
    }


def _try_watch(case: Case) -> str:
    from tests.fuzz.parts_files import exchange_file

    page = _watch_page()
    with exchange_file(case["sample"], case["file"], case["content"]):
        page.watcher.look()
        ends = [response_kind(page.get("state.json")), response_kind(page.post("drawings", case["body"]))]
    page.watcher.look()
    return "sentence" if "sentence" in ends else "answer"


# Files of live tables.


@functools.cache
def _play_log() -> bytes:
    live, loaded_game = Live(folder() / "seed"), game("two_wells")
    table = live.begin(loaded_game, from_scenario(loaded_game, "noon"), "A table")
    first = table.position.pieces[0]
    for change in (
        {"turn": 2},
        {"move": [[first.unit, first.copy]], "to": "0102"},
        {"undo": True},
        {"lost": [[first.unit, first.copy]], "steps": 1},
    ):
        live.change(loaded_game, table.key, table.version, change)
    return (folder() / "seed" / f"{table.key}.jsonl").read_bytes()


def _draw_log_case(random: Random) -> Case:
    lines = _play_log().split(b"\n")
    if random.random() < 0.6:
        index = random.randrange(len(lines) - 1)
        lines[index] = json.dumps(tree_damaged(random, json.loads(lines[index]), words())).encode()
        return {"content": b"\n".join(lines)}
    return {"content": bytes_damaged(random, _play_log())}


def _try_kept(case: Case) -> str:
    loaded_game, save_folder = game("two_wells"), folder() / "kept"
    save_folder.mkdir(exist_ok=True)
    path = save_folder / f"{PREFIX}1.jsonl"
    path.write_bytes(case["content"])
    live = Live(save_folder)
    for table in live.tables_of(loaded_game):
        ending = sentence(
            lambda table=table: live.change(loaded_game, table.key, table.version, {"turn": 3}),  # type: ignore[misc]
            BadQuestion,
        )
        reloaded_tables = Live(save_folder).tables_of(loaded_game)
        if ending == "answer" and (len(reloaded_tables) != 1 or reloaded_tables[0].position != table.position):
            raise Wordless("an answered change was lost")
        return ending
    return "sentence"


ASKING = {
    "questions": Part(_question, _try_question),
    "expressions": Part(_expression, _try_expression),
    "command line": Part(_command, _try_command),
    "page": Part(_page, _try_page),
    "files on the page": Part(_file, _try_file),
    "editor": Part(_edit, _try_edit),
    "watch": Part(_watch, _try_watch),
    "tables": Part(_draw_log_case, _try_kept),
}

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

from assistant.answers import BadQuestion
from assistant.page.alone import Alone
from assistant.page.live import PREFIX, Live
from assistant.page.response import Response
from assistant.page.saves import Saves
from assistant.page.site import Site
from assistant.registry import ask, questions
from assistant.rendering import as_nodes
from scenarios import check, prepared
from scenarios.expressions import ExpressionError, evaluate, parse
from scenarios.game import Game
from scenarios.loading import samples
from scenarios.opening import as_text
from scenarios.position import from_scenario
from tests.fuzz.mutating import ODD_TEXTS, bytes_damaged, text_damaged, tree_damaged
from tests.fuzz.running import Case, Part
from tests.fuzz.world import DATA, Wordless, files, folder, game, module, module_files, pack, sentence, words, zipped

SHIPPED = ("yom_kippur", "six_day_war", "arab_israeli_wars", "musketeer", "october_war")
STATUSES = (200, 400, 404)


# Questions.


def told_at_random(held: Game, random: Random) -> tuple[str, dict[str, Any]]:
    """A question of a game, told things that may fit."""
    known = list(questions(held))
    name = random.choice(known)
    inputs = questions(held)[name].inputs
    told: dict[str, Any] = {}
    for one in inputs:
        if one.needed or random.random() < 0.3:
            told[one.name] = _value(held, one, random)
    if random.random() < 0.1:
        told[random.choice(words())] = random.choice(words())
    return name, told


def _value(held: Game, one: Any, random: Random) -> Any:
    kind = random.random()
    if kind < 0.15:
        return random.choice(words())
    if kind < 0.2:
        return random.choice((None, True, 0, -1, 10**9, 0.5, [], {}, ["a"], [[1]], {"a": 1}))
    if one.choices and kind < 0.8:
        return random.choice(one.choices)
    if one.example and kind < 0.5:
        return one.example if kind < 0.4 else text_damaged(random, one.example)
    if one.kind in ("number", "whole"):
        return random.choice((0, 1, 2, 3, 6, 7, "4", "1/2", "5.5"))
    names = {
        "scenario": held.scenarios,
        "table": held.tables,
        "nation": held.nations,
        "state": held.states,
        "terrain": held.terrain,
        "side": held.sides,
        "attack": held.attacks,
        "marker": held.markers,
    }.get(one.of or one.name)
    if names:
        return random.choice(list(names))
    units = list(held.units)
    several = [random.choice(units) for _ in range(random.choice((1, 1, 2, 3)))] if units else []
    listed = several if several and random.random() < 0.5 else [_place(held, random)]
    return listed if one.many else listed[0]


def _place(held: Game, random: Random) -> str:
    names = _places(held) if held.id in (*samples(), *SHIPPED) else ("0101", "0203")
    return random.choice(names)


@functools.lru_cache(maxsize=16)
def _spots(key: str) -> tuple[str, ...]:
    held = game(key)
    found = {"0101"}
    for scenario in list(held.scenarios)[:4]:
        for line in as_text(held, from_scenario(held, scenario)).splitlines():
            found.update(line.split('at: "')[1].split('"')[:1] if 'at: "' in line else ())
    return tuple(sorted(found))


def _places(held: Game) -> tuple[str, ...]:
    return _spots(held.id)


def question(held: Game, name: str, told: dict[str, Any]) -> str:
    """How a question ends."""
    return sentence(lambda: as_nodes(ask(held, name, told)), BadQuestion)


def _question(random: Random) -> Case:
    key = random.choice((*samples(), *samples(), *SHIPPED))
    name, told = told_at_random(game(key), random)
    return {"game": key, "name": name, "told": json.dumps(told)}


def _try_question(case: Case) -> str:
    return question(game(case["game"]), case["name"], json.loads(case["told"]))


# Expressions.


@functools.cache
def _formulas() -> tuple[str, ...]:
    found = [word for word in words() if any(sign in word for sign in "+-*/<>=(") and len(word) < 120]
    return (
        *found,
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

    def tried() -> None:
        evaluate(parse(case["text"]), {"attack": 3, "defense": 2, "a": True, "x": "y"})

    return sentence(tried, ExpressionError, EvaluationError)


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
        at = random.randrange(1, len(parts) + 1)
        new = random.choice(
            (random.choice(words()), random.choice(random.choice(COMMANDS).split()), random.choice(ODD_TEXTS))
        )
        kind = random.randrange(4)
        if kind == 0:
            parts.insert(at, new)
        elif at < len(parts) and kind == 1:
            parts[at] = new
        elif at < len(parts) and kind == 2 and len(parts) > 2:
            del parts[at]
        elif at < len(parts):
            parts[at] = text_damaged(random, parts[at], "=-. ")
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
    held = game("two_wells")
    (desk / "noon.yaml").write_text(as_text(held, from_scenario(held, "noon")), encoding="utf-8")
    (desk / "two_wells.vmod").write_bytes(module("two_wells"))
    (desk / "other.vmod").write_bytes(zipped({**module_files("two_wells"), "extra.txt": b"extra"}))
    (desk / "two_wells.vsav").write_bytes((DATA / "two_wells.vsav").read_bytes())
    return desk


def _try_command(case: Case) -> str:
    from assistant.cli import cli as assistant
    from modgen.cli import cli as modgen

    first, *rest = case["words"]
    if set(rest) & SERVING:
        return "sentence"
    with contextlib.chdir(_desk()):
        result = CliRunner().invoke(modgen if first == "modgen" else assistant, rest)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code not in (0, 1, 2) or (result.exit_code and not result.output.strip()):
        raise Wordless(f"exit code {result.exit_code} without a word")
    return "sentence" if result.exit_code else "answer"


# Requests.


def responded(response: Response) -> str:
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
    held = game(name)
    scenario = random.choice(list(held.scenarios))
    unit = random.choice(list(held.units))
    key = _table(name)
    asked, told = told_at_random(held, random)
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
    listed = [[piece.unit, piece.copy] for piece in from_scenario(held, scenario).pieces[:6]] or [[unit, "1"]]
    who, at = [random.choice(listed)], _place(held, random)
    version = json.loads(_site().get(f"/api/{name}/saves").body)[-1].get("live", 1)
    changes: tuple[dict[str, Any], ...] = (
        {"move": who, "to": at},
        {"states": who, "now": list(held.states)[:1]},
        {"lost": who, "steps": 1},
        {"remove": who},
        {"add": unit, "to": at},
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
        ("ask", {"question": asked, "told": told}),
        ("ask", {"question": asked, "told": {**told, "position": key}}),
        ("odds", {"attack": next(iter(held.attacks), ""), "told": told}),
        ("table", {"table": next(iter(held.tables), ""), "column": "1-1"}),
        ("roll", {"table": next(iter(held.tables), ""), "dice": "2d6"}),
    )
    what, body = random.choice(bodies)
    if random.random() < 0.85:
        body = tree_damaged(random, body, words())
    text = json.dumps(body)
    return {
        "path": f"/api/{name}/{what}",
        "body": text.encode() if random.random() < 0.9 else bytes_damaged(random, text.encode()),
    }


def _try_page(case: Case) -> str:
    site = _site()
    if len(site.drawn) > 500:
        site.drawn.clear()
    if len(site.saves.live._tables) > 60:
        site.saves.live._tables.clear()
        for path in (folder() / "tables").glob("*.jsonl"):
            path.unlink()
        _table.cache_clear()
    return responded(site.post(case["path"], case["body"]) if "body" in case else site.get(case["path"]))


# Files that are opened on the page, with a server and without.


@functools.cache
def _alone() -> Alone:
    held = Alone(str(folder() / "alone"))
    for name in ("two_wells", "corps", "ridge"):
        held.take(name, gzip.compress(prepared.encode(game(name))))
    return held


def _file(random: Random) -> Case:
    name = random.choice(("two_wells", "corps", "ridge"))
    held = game(name)
    text = as_text(held, from_scenario(held, random.choice(list(held.scenarios))))
    content = text_damaged(random, text, "\n:,{}[] ").encode("utf-8", "replace")
    ending = "yaml"
    if name == "two_wells" and random.random() < 0.3:
        content, ending = bytes_damaged(random, (DATA / "two_wells.vsav").read_bytes()), "vsav"
    asked, told = told_at_random(held, random)
    return {
        "game": name,
        "name": f"x.{ending}",
        "content": content,
        "asked": json.dumps({"question": asked, "told": told}),
    }


def _try_file(case: Case) -> str:
    name, asked = case["game"], json.loads(case["asked"])
    body = json.dumps({"name": case["name"], "data": base64.b64encode(case["content"]).decode()})
    ends = []
    for send in (_served, _unserved):
        opened = send("POST", f"/api/{name}/open", body)
        ends.append(responded(opened))
        if ends[-1] == "answer":
            save = json.loads(opened.body)
            told = json.dumps({**asked, "told": {**asked["told"], "position": save["id"]}})
            for path in (f"pieces/{save['scenario']}", f"away/{save['scenario']}", "position"):
                responded(send("GET", f"/api/{name}/{path}/{save['id']}", ""))
            responded(send("POST", f"/api/{name}/ask", told))
    if len(set(ends)) > 1:
        raise Wordless("the page answers otherwise without a server")
    return ends[0]


def _served(method: str, path: str, body: str) -> Response:
    return _site().get(path) if method == "GET" else _site().post(path, body.encode())


def _unserved(method: str, path: str, body: str) -> Response:
    status, text = _alone().ask(method, path, body)
    return Response(status, "", text.encode())


# The editor.


@functools.cache
def _editor(own: bool) -> Any:
    from modgen.editing.page import editor
    from modgen.new import new_game

    if own:
        new_game(folder() / "own", "Own", datetime.date(2026, 11, 18), "ridge")
        return editor(str(folder() / "own"), None)
    return editor("ridge", folder() / "edited" / "mine.yaml")


@functools.cache
def _document(own: bool) -> dict[str, Any]:
    return dict(json.loads(_editor(own).get("api/map/boards/solla").body))


def _edit(random: Random) -> Case:
    own = random.random() < 0.4
    held = _document(own)
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
        return {"own": own, "path": text_damaged(random, path, "/.")}
    picture = base64.b64encode(_photo()).decode()
    corners = {hex: [x, y] for hex, x, y in random.sample(held["hexes"], 5)}
    bodies: tuple[tuple[str, Any], ...] = (
        ("save", {"map": "boards/solla", "parts": held["parts"]}),
        ("save", {"map": "boards/solla", "parts": held["parts"], "image": None}),
        ("save", {"map": "boards/solla", "parts": tree_damaged(random, held["parts"], words())}),
        ("numbers", {"numbers": {"units/x/factors/attack": "3"}}),
        ("photo", {"map": "boards/solla", "data": picture}),
        ("fix", {"map": "boards/solla", "hexes": corners}),
        ("board", {"id": "new", "name": "New", "columns": 4, "rows": 3, "orientation": "flat", "scheme": "column_row"}),
    )
    what, body = random.choice(bodies)
    text = json.dumps(tree_damaged(random, body, words()))
    return {
        "own": own,
        "path": f"api/{what}",
        "body": text.encode() if random.random() < 0.9 else bytes_damaged(random, text.encode()),
    }


@functools.cache
def _photo() -> bytes:
    import io

    from PIL import Image

    out = io.BytesIO()
    Image.linear_gradient("L").resize((120, 90)).save(out, "PNG")
    return out.getvalue()


def _try_edit(case: Case) -> str:
    site = _editor(case["own"])
    if "body" not in case:
        return responded(site.get(case["path"]))
    where = folder() / ("own" if case["own"] else "edited")
    before = {path: path.read_bytes() for path in where.rglob("*") if path.is_file()}
    end = responded(site.post(case["path"], case["body"]))
    after = {path: path.read_bytes() for path in where.rglob("*") if path.is_file()}
    if after == before:
        return end
    overlay = [where / "mine.yaml"] if not case["own"] and (where / "mine.yaml").exists() else []
    findings = check(where if case["own"] else "ridge", overlay)
    for path in after:
        if path in before:
            path.write_bytes(before[path])
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
def _watched() -> Any:
    from modgen.watch.page import WatchPage
    from modgen.watch.watcher import Watcher

    return WatchPage(Watcher(str(pack("two_wells"))))


def _watch(random: Random) -> Case:
    from tests.fuzz.world import yaml_damaged

    file = random.choice([file for file in files("two_wells") if file.endswith(".yaml")])
    names = [
        item["name"] for items in json.loads(_watched().get("state.json").body)["shown"].values() for item in items
    ]
    body = json.dumps(tree_damaged(random, {"names": random.sample(names, min(2, len(names)))}, words()))
    return {
        "sample": "two_wells",
        "file": file,
        "content": yaml_damaged(random, "two_wells", file),
        "body": body.encode(),
    }


def _try_watch(case: Case) -> str:
    from tests.fuzz.parts_files import changed

    page = _watched()
    with changed(case["sample"], case["file"], case["content"]):
        page.watcher.look()
        ends = [responded(page.get("state.json")), responded(page.post("drawings", case["body"]))]
    page.watcher.look()
    return "sentence" if "sentence" in ends else "answer"


# Files of live tables.


@functools.cache
def _played() -> bytes:
    live, held = Live(folder() / "seed"), game("two_wells")
    table = live.begin(held, from_scenario(held, "noon"), "A table")
    first = table.position.pieces[0]
    for change in (
        {"turn": 2},
        {"move": [[first.unit, first.copy]], "to": "0102"},
        {"undo": True},
        {"lost": [[first.unit, first.copy]], "steps": 1},
    ):
        live.change(held, table.key, table.version, change)
    return (folder() / "seed" / f"{table.key}.jsonl").read_bytes()


def _kept(random: Random) -> Case:
    lines = _played().split(b"\n")
    if random.random() < 0.6:
        at = random.randrange(len(lines) - 1)
        lines[at] = json.dumps(tree_damaged(random, json.loads(lines[at]), words())).encode()
        return {"content": b"\n".join(lines)}
    return {"content": bytes_damaged(random, _played())}


def _try_kept(case: Case) -> str:
    held, where = game("two_wells"), folder() / "kept"
    where.mkdir(exist_ok=True)
    path = where / f"{PREFIX}1.jsonl"
    path.write_bytes(case["content"])
    live = Live(where)
    for table in live.of(held):
        ended = sentence(lambda table=table: live.change(held, table.key, table.version, {"turn": 3}), BadQuestion)  # type: ignore[misc]
        again = Live(where).of(held)
        if ended == "answer" and (len(again) != 1 or again[0].position != table.position):
            raise Wordless("an answered change was lost")
        return ended
    return "sentence"


ASKING = {
    "questions": Part(_question, _try_question),
    "expressions": Part(_expression, _try_expression),
    "command line": Part(_command, _try_command),
    "page": Part(_page, _try_page),
    "files on the page": Part(_file, _try_file),
    "editor": Part(_edit, _try_edit),
    "watch": Part(_watch, _try_watch),
    "tables": Part(_kept, _try_kept),
}

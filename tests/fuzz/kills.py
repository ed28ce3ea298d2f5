"""`python -m tests.fuzz.kills --times N [--only WHAT]`: kill programs at random moments and look at what they leave.

Nothing may be half-written, the next run must succeed, and what was answered must be there.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import click
from click.testing import CliRunner

from assistant.page.live import Live
from modgen.cli import cli as modgen
from modgen.editing.document import document
from modgen.editing.page import editor
from scenarios import check, load
from scenarios.game import Game
from tests.fuzz.running import ROOT
from tests.packs import TWO_WELLS, copy

LATEST = 0.6
"""How many seconds after a server's first answer it is killed at the latest."""


class Lost(Exception):
    """Something was lost, torn or left broken."""


@dataclass
class Program:
    """A program in a process group of its own."""

    words: tuple[str, ...]
    environment: Mapping[str, str]
    process: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", *self.words],
            cwd=ROOT,
            env=dict(self.environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def kill(self) -> bool:
        """Kill it and its workers; whether it was still running."""
        running = self.process.poll() is None
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        return running

    def port(self) -> int:
        """The port that it says it listens on."""
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            if found := re.search(r"http://[^/]*:(\d+)/", line):
                return int(found[1])
        raise Lost(f"the next run didn't start: {said}")


def files_of(folder: Path) -> dict[str, bytes]:
    """The files in a folder but those that a killed program was writing."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if ".part" not in name}


def same(now: Mapping[str, bytes], *allowed: Mapping[str, bytes]) -> None:
    """Every file is whole: as one of the allowed states has it."""
    for name, content in now.items():
        if not any(state.get(name) == content for state in allowed):
            raise Lost(f"{name} is torn, or shouldn't be there ({len(content)} bytes)")


def asked(port: int, path: str, body: Any = None) -> Any:
    """What a server answers; OSError where it dies meanwhile."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        if body is None:
            connection.request("GET", path)
        else:
            connection.request("POST", path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise Lost(f"{path}: {answer.status} {content[:300]!r}")
        return json.loads(content)
    except http.client.HTTPException as error:
        raise ConnectionError(str(error)) from error
    finally:
        connection.close()


@dataclass
class Bench:
    """Where the programs work: a pack, an output folder, a cache."""

    folder: Path
    random: Random
    seconds: dict[str, float] = field(default_factory=dict)
    packs: int = 0
    pack: Path = Path()
    late: int = 0
    """How many programs had ended before they were killed."""

    def __post_init__(self) -> None:
        self.fresh()
        self.before = files_of(self.pack)
        self.environment = {
            **os.environ,
            "MITLA_CACHE": str(self.folder / "cache"),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "PYTHONPATH": str(ROOT),
        }
        os.environ.update(self.environment)

    def start(self, *words: str) -> Program:
        """Start a program."""
        return Program(words, self.environment)

    def run(self, words: list[str]) -> None:
        """The next run, which must succeed."""
        result = CliRunner().invoke(modgen, words)
        if result.exit_code or result.exception:
            raise Lost(f"the next run failed: {result.output}")

    def fresh(self, *folders: Path) -> None:
        """A pack that was never built, in a folder of its own, and folders gone."""
        if self.packs:
            shutil.rmtree(self.pack.parent)
        self.packs += 1
        self.pack = copy(self.folder / f"pack{self.packs}")
        for one in folders:
            shutil.rmtree(one, ignore_errors=True)


def writer(what: str, words: Callable[[Bench, Path], list[str]]) -> Callable[[Bench], None]:
    """A program that writes a folder and ends."""
    whole: dict[str, dict[str, bytes]] = {}

    def once(bench: Bench) -> None:
        out = bench.folder / "out" / what
        told = words(bench, out)
        if not whole:
            bench.run(told)
            whole["out"], whole["pack"] = files_of(out), files_of(bench.pack)
            bench.fresh(out)
            told = words(bench, out)
            start = time.perf_counter()
            bench.start("modgen.cli", *told).process.communicate()
            bench.seconds[what] = time.perf_counter() - start
            same(files_of(out), whole["out"])
        again = bench.random.random() < 0.5
        if not again:
            bench.fresh(out)
            told = words(bench, out)
        program = bench.start("modgen.cli", *told)
        if bench.random.random() < 0.5 or again:
            time.sleep(bench.random.uniform(0, bench.seconds[what]))
        else:  # as soon as anything is written, or a little later
            until = time.monotonic() + 60
            while program.process.poll() is None and time.monotonic() < until and not any(out.parent.glob("**/*")):
                time.sleep(0.0005)
            time.sleep(bench.random.uniform(0, 0.03))
        if not program.kill():
            bench.late += 1
            bench.seconds[what] *= 0.95
        same(files_of(out), whole["out"])
        same(files_of(bench.pack), whole["pack"], bench.before)
        if what == "release" and out.exists() and files_of(out) != whole["out"]:
            raise Lost("a release that isn't whole")
        bench.run(told)
        for now, wanted in ((files_of(out), whole["out"]), (files_of(bench.pack), whole["pack"])):
            if other := sorted(name for name in {*now, *wanted} if now.get(name) != wanted.get(name)):
                raise Lost(f"the next run wrote something else: {', '.join(other)}")

    return once


def watching(bench: Bench) -> None:
    """`modgen watch` while files are saved: the pack stays as its author wrote it."""
    bench.fresh()
    program = bench.start("modgen.cli", "watch", str(bench.pack), "--port", "0", "--no-open")
    try:
        port = program.port()
        names = [item["name"] for items in asked(port, "/watch/state.json")["shown"].values() for item in items]
        until = time.monotonic() + bench.random.uniform(0, LATEST)
        path = bench.pack / "counters.yaml"
        while time.monotonic() < until:
            path.write_bytes(path.read_bytes() + b"\n# saved")
            asked(port, "/watch/drawings", {"names": bench.random.sample(names, min(5, len(names)))})
        written = path.read_bytes()
    finally:
        bench.late += not program.kill()
    same(files_of(bench.pack), {**bench.before, "counters.yaml": written})
    if check(bench.pack):
        raise Lost("the pack has findings")


def editing(bench: Bench) -> None:
    """`modgen edit` while it saves: the board is as it was answered last, or as it was asked for last."""
    overlay = bench.folder / "edited.yaml" if bench.random.random() < 0.5 else None
    bench.fresh()
    key = f"boards/{next(iter(load(bench.pack).boards))}"
    words = ["edit", str(bench.pack), "--port", "0", *(("--overlay", str(overlay)) if overlay else ())]
    program = bench.start("modgen.cli", *words)
    wanted: list[Any] = []
    saved = 0
    try:
        port = program.port()
        parts = asked(port, f"/edit/api/map/{key}")["parts"]
        wanted.append(json.loads(json.dumps(parts["terrain"])))
        hexes, kinds = sorted(parts["terrain"]), sorted(set(parts["terrain"].values()))
        until = time.monotonic() + bench.random.uniform(0, LATEST * 3)
        killer = bench.random.uniform(0, 0.05)
        while True:
            parts["terrain"][bench.random.choice(hexes)] = bench.random.choice(kinds)
            wanted.append(json.loads(json.dumps(parts["terrain"])))
            if time.monotonic() > until:  # the last one is killed while it is being saved
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
                body = json.dumps({"map": key, "parts": parts}).encode()
                connection.request("POST", "/edit/api/save", body, {"Content-Type": "application/json"})
                time.sleep(killer)
                break
            asked(port, "/edit/api/save", {"map": key, "parts": parts})
            saved = len(wanted) - 1
    finally:
        bench.late += not program.kill()
    now = editor(str(bench.pack), overlay).work.game  # the next run: it loads, or says why not
    if document(now, key)["parts"]["terrain"] not in wanted[saved:]:
        raise Lost(f"the board isn't what was saved (answered {saved} of {len(wanted) - 1})")
    if overlay is not None:
        same(files_of(bench.pack), bench.before)
        overlay.unlink(missing_ok=True)


def playing(bench: Bench) -> None:
    """A live table of `assistant serve`: every answered change is there when the next server starts, on the same table."""
    folder = Path(bench.environment["XDG_CONFIG_HOME"]) / "mitla" / "tables"
    game = _two_wells()
    program = bench.start("assistant.cli", "serve", str(TWO_WELLS), "--port", "0", "--workers", "1")
    table = next(iter(Live(folder).of(game)), None)
    answered = table.version if table else 0
    turn = table.position.turn if table else 0
    turns = [turn]
    try:
        port = program.port()
        if table is None:
            told = asked(port, "/api/two_wells/play", {"begin": "noon"})
        else:
            told = next(one for one in asked(port, "/api/two_wells/saves") if one["id"] == table.key)
        key, answered = told["id"], told["live"]
        if table is not None and answered != table.version:
            raise Lost(f"the next server has {answered} changes of {table.version}")
        until = time.monotonic() + bench.random.uniform(0, LATEST)
        while True:
            turn = bench.random.randint(1, 900)
            body = {"table": key, "version": answered, "change": {"turn": turn}}
            if time.monotonic() > until:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
                connection.request(
                    "POST", "/api/two_wells/play", json.dumps(body).encode(), {"Content-Type": "application/json"}
                )
                turns.append(turn)
                time.sleep(bench.random.uniform(0, 0.006))
                break
            answered = asked(port, "/api/two_wells/play", body)["live"]
            turns = [turn]
    finally:
        bench.late += not program.kill()
    (after,) = Live(folder).of(game)
    if after.version - answered not in (0, 1) or (
        len(turns) > 1 and after.position.turn != turns[after.version - answered]
    ):
        raise Lost(f"{answered} changes were answered, {after.version} are there")
    if after.version > 5000:
        (folder / f"{after.key}.jsonl").unlink()


def _two_wells() -> Game:
    return load(TWO_WELLS)


KILLED: Mapping[str, Callable[[Bench], None]] = {
    "build": writer("build", lambda bench, out: ["build", str(bench.pack), "--out", str(out)]),
    "release": writer("release", lambda bench, out: ["release", str(bench.pack), "--out", str(out), "--unlocked"]),
    "watch": watching,
    "edit": editing,
    "table": playing,
}


@click.command()
@click.option("--times", default=10, show_default=True, help="How often each is killed.")
@click.option("--minutes", default=60.0, help="At most so long for each.")
@click.option("--only", multiple=True, type=click.Choice(list(KILLED)), help="Only this; may be given again.")
@click.option("--seed", default=0, help="Other moments; 0 takes the time.")
def main(times: int, minutes: float, only: tuple[str, ...], seed: int) -> None:
    """Kill programs at random moments and look at what they leave."""
    seed = seed or int(time.time())
    click.echo(f"seed {seed}")
    lost = 0
    for what in only or KILLED:
        with tempfile.TemporaryDirectory(prefix="mitla-kills-") as temporary:
            bench = Bench(Path(temporary).resolve(), Random(f"{seed} {what}"))
            until = time.monotonic() + minutes * 60
            runs = failed = 0
            while runs - bench.late < times and time.monotonic() < until:
                runs += 1
                try:
                    KILLED[what](bench)
                except Lost as error:
                    failed += 1
                    click.echo(f"{what}, run {runs}: {error}")
            click.echo(
                f"{what}: {runs - bench.late} kills, {failed} losses ({bench.late} more had ended before they were killed)"
            )
            lost += failed
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()

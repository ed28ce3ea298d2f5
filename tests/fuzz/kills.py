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

from assistant.page.live_tables import Live
from modgen.cli import cli as modgen
from modgen.editing.document import document
from modgen.editing.page import editor
from scenarios import check, load
from scenarios.model.game import Game
from tests.fuzz.running import ROOT
from tests.packs import TWO_WELLS, copy

LATEST = 0.6
"""How many seconds after a server's first answer it is killed at the latest."""


class LostWork(Exception):
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
        output = ""
        for line in self.process.stdout:
            output += line
            if match := re.search(r"http://[^/]*:(\d+)/", line):
                return int(match[1])
        raise LostWork(f"the next run didn't start: {output}")


def files_of(folder: Path) -> dict[str, bytes]:
    """The files in a folder but those that a killed program was writing."""
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in paths.items() if ".part" not in name}


def check_files(files: Mapping[str, bytes], *allowed_states: Mapping[str, bytes]) -> None:
    """Every file is whole: as one of the allowed states has it."""
    for name, content in files.items():
        if not any(state.get(name) == content for state in allowed_states):
            raise LostWork(f"{name} is torn, or shouldn't be there ({len(content)} bytes)")


def request_json(port: int, path: str, body: Any = None) -> Any:
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
            raise LostWork(f"{path}: {answer.status} {content[:300]!r}")
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
    late_kills: int = 0
    """How many programs had ended before they were killed."""

    def __post_init__(self) -> None:
        self.fresh()
        self.original_files = files_of(self.pack)
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
            raise LostWork(f"the next run failed: {result.output}")

    def fresh(self, *folders: Path) -> None:
        """A pack that was never built, in a folder of its own, and folders gone."""
        if self.packs:
            shutil.rmtree(self.pack.parent)
        self.packs += 1
        self.pack = copy(self.folder / f"pack{self.packs}")
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


def writer(job: str, words: Callable[[Bench, Path], list[str]]) -> Callable[[Bench], None]:
    """A program that writes a folder and ends."""
    complete_files: dict[str, dict[str, bytes]] = {}

    def kill_once(bench: Bench) -> None:
        out_folder = bench.folder / "out" / job
        arguments = words(bench, out_folder)
        if not complete_files:
            bench.run(arguments)
            complete_files["out"], complete_files["pack"] = files_of(out_folder), files_of(bench.pack)
            bench.fresh(out_folder)
            arguments = words(bench, out_folder)
            start = time.perf_counter()
            bench.start("modgen.cli", *arguments).process.communicate()
            bench.seconds[job] = time.perf_counter() - start
            check_files(files_of(out_folder), complete_files["out"])
        keeps_output = bench.random.random() < 0.5
        if not keeps_output:
            bench.fresh(out_folder)
            arguments = words(bench, out_folder)
        program = bench.start("modgen.cli", *arguments)
        if bench.random.random() < 0.5 or keeps_output:
            time.sleep(bench.random.uniform(0, bench.seconds[job]))
        else:  # as soon as anything is written, or a little later
            until = time.monotonic() + 60
            while (
                program.process.poll() is None and time.monotonic() < until and not any(out_folder.parent.glob("**/*"))
            ):
                time.sleep(0.0005)
            time.sleep(bench.random.uniform(0, 0.03))
        if not program.kill():
            bench.late_kills += 1
            bench.seconds[job] *= 0.95
        check_files(files_of(out_folder), complete_files["out"])
        check_files(files_of(bench.pack), complete_files["pack"], bench.original_files)
        if job == "release" and out_folder.exists() and files_of(out_folder) != complete_files["out"]:
            raise LostWork("a release that isn't whole")
        bench.run(arguments)
        for current_files, expected_files in (
            (files_of(out_folder), complete_files["out"]),
            (files_of(bench.pack), complete_files["pack"]),
        ):
            if changed_names := sorted(
                name
                for name in {*current_files, *expected_files}
                if current_files.get(name) != expected_files.get(name)
            ):
                raise LostWork(f"the next run wrote something else: {', '.join(changed_names)}")

    return kill_once


def watching(bench: Bench) -> None:
    """`modgen watch` while files are saved: the pack stays as its author wrote it."""
    bench.fresh()
    program = bench.start("modgen.cli", "watch", str(bench.pack), "--port", "0", "--no-open")
    try:
        port = program.port()
        names = [item["name"] for items in request_json(port, "/watch/state.json")["shown"].values() for item in items]
        until = time.monotonic() + bench.random.uniform(0, LATEST)
        path = bench.pack / "counters.yaml"
        while time.monotonic() < until:
            path.write_bytes(path.read_bytes() + b"\n# saved")
            request_json(port, "/watch/drawings", {"names": bench.random.sample(names, min(5, len(names)))})
        saved_content = path.read_bytes()
    finally:
        bench.late_kills += not program.kill()
    check_files(files_of(bench.pack), {**bench.original_files, "counters.yaml": saved_content})
    if check(bench.pack):
        raise LostWork("the pack has findings")


def editing(bench: Bench) -> None:
    """`modgen edit` while it saves: the board is as it was answered last, or as it was asked for last."""
    overlay = bench.folder / "edited.yaml" if bench.random.random() < 0.5 else None
    bench.fresh()
    key = f"boards/{next(iter(load(bench.pack).boards))}"
    words = ["edit", str(bench.pack), "--port", "0", *(("--overlay", str(overlay)) if overlay else ())]
    program = bench.start("modgen.cli", *words)
    versions: list[Any] = []
    saved_version = 0
    try:
        port = program.port()
        parts = request_json(port, f"/edit/api/map/{key}")["parts"]
        versions.append(json.loads(json.dumps(parts["terrain"])))
        hexes, terrains = sorted(parts["terrain"]), sorted(set(parts["terrain"].values()))
        until = time.monotonic() + bench.random.uniform(0, LATEST * 3)
        killer = bench.random.uniform(0, 0.05)
        while True:
            parts["terrain"][bench.random.choice(hexes)] = bench.random.choice(terrains)
            versions.append(json.loads(json.dumps(parts["terrain"])))
            if time.monotonic() > until:  # the last one is killed while it is being saved
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
                body = json.dumps({"map": key, "parts": parts}).encode()
                connection.request("POST", "/edit/api/save", body, {"Content-Type": "application/json"})
                time.sleep(killer)
                break
            request_json(port, "/edit/api/save", {"map": key, "parts": parts})
            saved_version = len(versions) - 1
    finally:
        bench.late_kills += not program.kill()
    current_game = editor(str(bench.pack), overlay).work.game  # the next run: it loads, or says why not
    if document(current_game, key)["parts"]["terrain"] not in versions[saved_version:]:
        raise LostWork(f"the board isn't what was saved (answered {saved_version} of {len(versions) - 1})")
    if overlay is not None:
        check_files(files_of(bench.pack), bench.original_files)
        overlay.unlink(missing_ok=True)


def playing(bench: Bench) -> None:
    """A live table of `assistant serve`: every answered change is there when the next server starts, on the same table."""
    folder = Path(bench.environment["XDG_CONFIG_HOME"]) / "mitla" / "tables"
    game = _two_wells()
    program = bench.start("assistant.cli", "serve", str(TWO_WELLS), "--port", "0", "--workers", "1")
    table = next(iter(Live(folder).tables_of(game)), None)
    answered_version = table.version if table else 0
    turn = table.position.turn if table else 0
    turns = [turn]
    try:
        port = program.port()
        if table is None:
            reply = request_json(port, "/api/two_wells/play", {"begin": "noon"})
        else:
            reply = next(
                save_row for save_row in request_json(port, "/api/two_wells/saves") if save_row["id"] == table.key
            )
        key, answered_version = reply["id"], reply["live"]
        if table is not None and answered_version != table.version:
            raise LostWork(f"the next server has {answered_version} changes of {table.version}")
        until = time.monotonic() + bench.random.uniform(0, LATEST)
        while True:
            turn = bench.random.randint(1, 900)
            body = {"table": key, "version": answered_version, "change": {"turn": turn}}
            if time.monotonic() > until:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
                connection.request(
                    "POST", "/api/two_wells/play", json.dumps(body).encode(), {"Content-Type": "application/json"}
                )
                turns.append(turn)
                time.sleep(bench.random.uniform(0, 0.006))
                break
            answered_version = request_json(port, "/api/two_wells/play", body)["live"]
            turns = [turn]
    finally:
        bench.late_kills += not program.kill()
    (reopened_table,) = Live(folder).tables_of(game)
    if reopened_table.version - answered_version not in (0, 1) or (
        len(turns) > 1 and reopened_table.position.turn != turns[reopened_table.version - answered_version]
    ):
        raise LostWork(f"{answered_version} changes were answered, {reopened_table.version} are there")
    if reopened_table.version > 5000:
        (folder / f"{reopened_table.key}.jsonl").unlink()


def _two_wells() -> Game:
    return load(TWO_WELLS)


KILL_TESTS: Mapping[str, Callable[[Bench], None]] = {
    "build": writer("build", lambda bench, out_folder: ["build", str(bench.pack), "--out", str(out_folder)]),
    "release": writer(
        "release", lambda bench, out_folder: ["release", str(bench.pack), "--out", str(out_folder), "--unlocked"]
    ),
    "watch": watching,
    "edit": editing,
    "table": playing,
}


@click.command()
@click.option("--times", default=10, show_default=True, help="How often each is killed.")
@click.option("--minutes", default=60.0, help="At most so long for each.")
@click.option("--only", multiple=True, type=click.Choice(list(KILL_TESTS)), help="Only this; may be given again.")
@click.option("--seed", default=0, help="Other moments; 0 takes the time.")
def main(times: int, minutes: float, job_names: tuple[str, ...], seed: int) -> None:
    """Kill programs at random moments and look at what they leave."""
    seed = seed or int(time.time())
    click.echo(f"seed {seed}")
    loss_count = 0
    for job in job_names or KILL_TESTS:
        with tempfile.TemporaryDirectory(prefix="mitla-kills-") as temporary:
            bench = Bench(Path(temporary).resolve(), Random(f"{seed} {job}"))
            until = time.monotonic() + minutes * 60
            runs = failures = 0
            while runs - bench.late_kills < times and time.monotonic() < until:
                runs += 1
                try:
                    KILL_TESTS[job](bench)
                except LostWork as error:
                    failures += 1
                    click.echo(f"{job}, run {runs}: {error}")
            click.echo(
                f"{job}: {runs - bench.late_kills} kills, {failures} losses ({bench.late_kills} more had ended before they were killed)"
            )
            loss_count += failures
    sys.exit(1 if loss_count else 0)


if __name__ == "__main__":
    main()

"""Runs a module in an installed VASSAL: a script drives the real engine without a display, and its output is read back.

VASSAL comes with a Java runtime but no compiler. So the script is in BeanShell, which the engine includes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

LIBRARY = Path(__file__).with_name("engine.bsh")
JAR = "Vengine.jar"
SECONDS = 900
"""The time limit of a script."""


class NoEngine(ValueError):
    """The engine can't be run; the text says why."""


class EngineLine(NamedTuple):
    """One fact from a script's output: a word and its fields."""

    word: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Engine:
    """An installed VASSAL and the Java to run it."""

    jar: Path
    java: str


def find_engine(path: Path) -> Engine:
    """The engine in a folder (or its jar). Raises NoEngine with a sentence if the engine or Java is missing."""
    places = (
        [path] if path.suffix == ".jar" else [path / "lib" / JAR, path / JAR, path / "Contents/Resources/Java" / JAR]
    )
    jar = next((place for place in places if place.is_file()), None)
    if jar is None:
        raise NoEngine(f"there is no VASSAL in {path}; give the folder that has lib/{JAR} in it")
    base = jar.parent.parent if path.suffix == ".jar" else path
    homes = [*base.glob("jre/bin/java*"), *base.glob("Contents/MacOS/jre/bin/java")]
    java = next((str(home) for home in homes if home.stem == "java"), None) or shutil.which("java")
    if java is None:
        raise NoEngine("there is no Java to run VASSAL with; install Java 17 or newer, or a VASSAL that has its own")
    return Engine(jar.resolve(), java)


@contextmanager
def screen() -> Any:
    """The environment of a program that needs a display: the existing one, or a virtual one."""
    if os.name == "nt" or os.environ.get("DISPLAY") or os.uname().sysname == "Darwin":
        yield dict(os.environ)
        return
    server = shutil.which("Xvfb")
    if server is None:
        raise NoEngine("VASSAL needs a screen and there is none; install Xvfb (in most systems a package of that name)")
    reading, writing = os.pipe()
    command = [server, "-displayfd", str(writing), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=(writing,), stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with open(reading, encoding="ascii") as pipe:  # noqa: PTH123 - a pipe, not a path
            number = pipe.readline().strip()
        if not number:
            raise NoEngine("Xvfb doesn't start; give VASSAL a screen by setting DISPLAY")
        yield {**os.environ, "DISPLAY": f":{number}"}
    finally:
        process.terminate()
        process.wait()


def script(body: str, words: str = "") -> str:
    """A whole script: the common beginning, its own definitions, then its steps. It always ends, whatever happens."""
    ending = 'try { steps(bsh.args); } catch (Throwable error) { problem("script", cause(error)); }\ndone();\n'
    return f"{LIBRARY.read_text(encoding='utf-8')}\n{words}\nvoid steps(String[] given) {{\n{body}\n}}\n{ending}"


def read_lines(text: Iterable[str]) -> list[EngineLine]:
    """A script's own lines among the engine's output."""
    parts = (line.rstrip("\r\n").split("\t") for line in text if line.startswith("MITLA\t"))
    return [EngineLine(part[1], tuple(part[2:])) for part in parts if len(part) > 1]


def logged_errors(home: Path) -> list[EngineLine]:
    """The errors in the engine's own log."""
    logs = [path.read_text(encoding="utf-8", errors="replace") for path in home.rglob("errorLog*")]
    return [EngineLine("PROBLEM", ("log", line)) for text in logs for line in text.splitlines() if " ERROR " in line]


def run_script(
    engine: Engine, body: str, arguments: Sequence[str], words: str = "", seconds: int = SECONDS
) -> list[EngineLine]:
    """Run a script in the engine with a temporary home folder."""
    with tempfile.TemporaryDirectory(prefix="vassal-") as folder, screen() as environment:
        home = Path(folder)
        (home / "conf" / "prefs").mkdir(parents=True)
        (home / "conf" / "prefs" / "V_Global").write_text("welcomeWizard=false\n", encoding="utf-8")
        (home / "script.bsh").write_text(script(body, words), encoding="utf-8")
        command = [
            engine.java,
            *(f"-D{name}=UTF-8" for name in ("file.encoding", "sun.stdout.encoding", "stdout.encoding")),
            f"-Duser.home={home}",
            f"-Duser.dir={engine.jar.parent.parent}",
            f"-DVASSAL.conf={home / 'conf'}",
            "-cp",
            str(engine.jar),
            "bsh.Interpreter",
            str(home / "script.bsh"),
            *arguments,
        ]
        process = subprocess.Popen(
            command,
            cwd=home,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        # The engine's windows keep the process running whatever the script does, so a timer ends it.
        clock = threading.Timer(seconds, process.kill)
        clock.start()
        try:
            assert process.stdout is not None
            heard = list(process.stdout)
            process.wait()
        finally:
            clock.cancel()
            process.kill()
        lines = [*read_lines(heard), *logged_errors(home)]
        if not any(line.word == "DONE" for line in lines):
            last = [line.strip() for line in heard if line.strip()][-3:]
            lines.append(
                EngineLine(
                    "PROBLEM", ("engine", f"ended before the script did: {' / '.join(last) or 'it said nothing'}")
                )
            )
        return lines

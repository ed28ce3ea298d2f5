"""The engine with a game open, asked order by order: what is done next may hang on what it answers."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from tests.engine.run import command

SECONDS = 300
"""How long an order may take at most; the first one waits for the module."""


class EngineExit(Exception):
    """The engine is gone, or answers no more."""


class Session:
    """Orders as tests/engine/drive.bsh has them, and the lines that each is answered with."""

    def __init__(self, engine: Path, module: Path, folder: Path) -> None:
        self.answers = folder / "answers.txt"
        self.log = (folder / "engine.log").open("w")
        words = command(engine, module, "-", folder)
        self.process = subprocess.Popen(
            words, cwd=folder / "home", stdin=subprocess.PIPE, stdout=self.log, stderr=self.log, text=True
        )
        self.read = 0
        self.problems: list[str] = []
        """Orders that the engine didn't know or that failed."""

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.log.close()

    def ask(self, orders: Iterable[str]) -> list[str]:
        """What the engine answers to some orders, once it has done them all."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write("".join(f"{order}\n" for order in (*orders, "say\tDONE")))
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise EngineExit("the engine stopped early") from error
        until, text = time.monotonic() + SECONDS, b""
        while time.monotonic() < until and self.process.poll() is None:
            text += self._new_output()
            if text == b"DONE\n" or text.endswith(b"\nDONE\n"):
                lines = text.decode("utf-8").splitlines()[:-1]
                self.problems += [line for line in lines if line.startswith(("unknown", "failed"))]
                return lines
            time.sleep(0.01)
        raise EngineExit(f"the engine answers no more: {text.decode('utf-8', 'replace')[-500:]}")

    def _new_output(self) -> bytes:
        """What the engine has written since the last look."""
        if not self.answers.exists():
            return b""
        with self.answers.open("rb") as file:
            file.seek(self.read)
            content = file.read()
        self.read += len(content)
        return content

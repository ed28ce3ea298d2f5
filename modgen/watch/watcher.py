"""Polls a pack's files and reads them when one is saved. It keeps the last valid state beside the current faults."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from modgen.printable import similar_colors, unprintable
from scenarios.model.game import Game
from scenarios.pack.loading import read_pack
from scenarios.pack.pack_folder import find_pack
from scenarios.reading.findings import Finding, NoSuchGame

LOOK = 0.1
"""The seconds between two polls of the files."""
SETTLE_SECONDS = 0.03
"""A file that hasn't changed for this many seconds counts as saved."""
LATER = 0.6
"""The seconds after a change until texts on counters are measured; the browser draws meanwhile."""
MOST_FILES = 5000
SUFFIXES = (".yaml", ".yml", ".csv", ".tsv", ".md", ".png", ".jpg", ".jpeg", ".webp", ".svg")
Stamps = tuple[tuple[str, int, int], ...]
UNKNOWN: Stamps = (("", -1, -1),)
"""The stamps of files that have to be read again, whatever they are."""


@dataclass(frozen=True)
class WatchState:
    """The state to show: the last game that was valid, and the current faults of the files."""

    version: int = 0
    game: Game | None = None
    findings: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()
    good: float = 0.0
    """The time at which the displayed game was read, in seconds of the clock."""
    is_complete: bool = False
    """Whether the displayed game matches the current files."""
    parts: dict[str, object] = field(default_factory=dict, compare=False)
    """Data derived from the game for display, by name."""


class Watcher:
    """Reads a pack whenever one of its files changes, in a separate thread."""

    def __init__(self, game: str, overlays: Sequence[Path] = (), with_config_overlays: bool = False) -> None:
        self.overlays, self.standing = list(overlays), with_config_overlays
        self.folder = find_pack(game)
        self.state = WatchState()
        self.on_change: Callable[[Game | None], None] = lambda game: None
        """A callback with every valid game."""
        self._news = threading.Condition()
        self._stop_event = threading.Event()
        self._measure_at: float | None = None
        self._stamps = self.stamps()
        self._read()

    def stamps(self) -> Stamps:
        """Name, size and time of every file that a pack may use."""
        file_stamps = []
        for folder, folders, names in os.walk(self.folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                if name.lower().endswith(SUFFIXES) and not name.startswith("."):
                    file_stamps.append(_stamp(f"{folder}/{name}"))
            if len(file_stamps) > MOST_FILES:
                break
        return tuple(sorted(file_stamps + [_stamp(str(path)) for path in self.overlays]))

    def start(self) -> None:
        """Start polling."""
        threading.Thread(target=self._run, name="watch", daemon=True).start()

    def end(self) -> None:
        """Stop polling, and release all waiting callers."""
        self._stop_event.set()
        with self._news:
            self._news.notify_all()

    def wait(self, version: int, seconds: float) -> WatchState:
        """The state as soon as it differs from this version, or after this many seconds."""
        with self._news:
            self._news.wait_for(lambda: self.state.version != version or self._stop_event.is_set(), seconds)
            return self.state

    def look(self) -> bool:
        """Read the pack again if a file has changed, and return whether one has."""
        stamps = self.stamps()
        if stamps == self._stamps:
            return False
        while not self._stop_event.is_set():  # until nobody writes any more
            time.sleep(SETTLE_SECONDS)
            later = self.stamps()
            if later == stamps:
                break
            stamps = later
        self._stamps = stamps
        self._read()
        return True

    def _run(self) -> None:
        while not self._stop_event.wait(LOOK):
            try:
                if not self.look() and self._measure_at is not None and time.monotonic() > self._measure_at:
                    self.measure()
            except Exception as error:  # whatever it is, the next change of a file is seen
                self._measure_at = None
                self._tell_trouble(
                    f"Mitla failed on this file: {type(error).__name__}: {error}; save a file to read it again"
                )

    def _read(self) -> None:
        try:
            game, findings = read_pack(self.folder, self.overlays, self.standing)
        except (NoSuchGame, OSError):  # a file is being moved, or a branch checked out
            self._stamps = UNKNOWN if self.folder.is_dir() else self._stamps
            self._tell_trouble("the pack's folder can't be read; the page continues when it is back")
            return
        if game is None or findings:
            self._tell(self.state.game, tuple(findings), (), False)
            return
        self._tell(game, (), (), True)
        self._measure_at = time.monotonic() + LATER

    def _tell_trouble(self, message: str) -> None:
        """Report that the files can't be read at all, as a single finding, once."""
        findings = (Finding(str(self.folder), 1, 1, message),)
        if self.state.findings != findings:
            self._tell(self.state.game, findings, (), False)

    def measure(self) -> None:
        """Check whether texts fit their counters and colors can be distinguished. This takes as long as drawing, so it comes later."""
        self._measure_at = None
        game = self.state.game
        if game is not None and self.state.is_complete:
            findings, warnings = tuple(unprintable(game)), tuple(similar_colors(game))
            if findings or warnings:
                self._tell(game, findings, warnings, True)

    def _tell(
        self, game: Game | None, findings: tuple[Finding, ...], warnings: tuple[Finding, ...], is_complete: bool
    ) -> None:
        old = self.state
        with self._news:
            good = time.time() if is_complete else old.good
            parts = old.parts if game is old.game else {}
            self.state = WatchState(old.version + 1, game, findings, warnings, good, is_complete, parts)
            self._news.notify_all()
        if game is not old.game:
            self.on_change(game)


def _stamp(path: str) -> tuple[str, int, int]:
    try:
        about = Path(path).stat()
    except OSError:
        return path, -1, -1
    return path, about.st_size, about.st_mtime_ns

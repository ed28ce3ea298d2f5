"""Every shipped pack is read once for all tests of a process: nothing changes a Game, so tests and commands share it.

Kits and drawings are made once for all processes of a run: see `shared.py`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import scenarios
from scenarios.model.game import Game
from scenarios.pack import loading, pack_folder
from scenarios.pack.overlays import standing_overlays

# The same cases every time, on a slow machine too; `pytest --hypothesis-profile search` draws others.
settings.register_profile("same", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", deadline=None, derandomize=False, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")

PATCH = pytest.MonkeyPatch()
READ = loading.load
FOLDER = "MITLA_TESTS_FOLDER"
"""The variable that names the folder in which a run's processes share what they made (`shared.py`)."""
CACHE_FOLDERS: list[str] = []


@cache
def _cached_pack(game: str) -> Game:
    return READ(game)


def _load(game: str | Path, overlays: Iterable[Path] = (), with_config_overlays: bool = False) -> Game:
    overlay_paths = list(overlays)
    if overlay_paths or game not in pack_folder.shipped_games() or (with_config_overlays and standing_overlays()):
        return READ(game, overlay_paths, with_config_overlays)
    return _cached_pack(str(game))


def pytest_configure() -> None:
    """Before any test is collected, as test files load games when they are imported."""
    PATCH.setattr(loading, "load", _load)
    PATCH.setattr(scenarios, "load", _load)
    if FOLDER not in os.environ:  # workers of xdist have it from the process that started them
        PATCH.setenv(FOLDER, tempfile.mkdtemp(prefix="mitla-tests-"))
        CACHE_FOLDERS.append(os.environ[FOLDER])


def pytest_unconfigure() -> None:
    PATCH.undo()
    for folder in CACHE_FOLDERS:
        shutil.rmtree(folder, ignore_errors=True)

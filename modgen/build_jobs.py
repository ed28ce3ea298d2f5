"""The jobs of a build and their results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from modgen.kit.options import Options

Tell = Callable[[str], None]


class Output(NamedTuple):
    """A file in the folder of its game."""

    name: str
    content: bytes


@dataclass(frozen=True)
class BuildJob:
    """A game to build, and the outputs to make."""

    game: str
    overlays: tuple[Path, ...]
    standing: bool
    formats: tuple[str, ...]
    options: Options
    keeps_lock: bool = False
    new_lock: bool = False
    images_at: str = ""
    """The address of the pictures for Tabletop Simulator."""


class BuildResult(NamedTuple):
    """The result of a job: its files, or the reason why there are none."""

    game_id: str = ""
    outputs: tuple[Output, ...] = ()
    findings: tuple[str, ...] = ()
    wrong: str = ""
    failure: str = ""

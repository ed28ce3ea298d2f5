"""What many tests look at is made once: kits and drawings for all processes of a run, modules for each process."""

from __future__ import annotations

import os
from pathlib import Path

from modgen.cache import Cache, key_of
from modgen.kit.kit import make_kit
from modgen.kit.options import Options
from modgen.vmod.files.lock import Lock
from modgen.vmod.files.module import Module, compose
from modgen.vmod.pieces import pieces
from scenarios.model.game import Game
from scenarios.pack.loading import load
from scenarios.pack.pack_folder import shipped_games
from scenarios.vassal.commands import Trait
from tests.conftest import FOLDER

DRAWN = Cache(Path(os.environ[FOLDER])) if FOLDER in os.environ else Cache(None)
"""A cache for tests that aren't about caching: never one of an earlier run."""

SHIPPED_GAMES = frozenset(shipped_games())

_modules: dict[str, Module] = {}
_prototypes: dict[str, dict[str, tuple[Trait, ...]]] = {}


def _comes_with_mitla(game: Game) -> bool:
    """Whether this is a pack as it ships, and so the same for every test."""
    return game.id in SHIPPED_GAMES and load(game.id) is game


def kit(game: Game, options: Options | None = None) -> bytes:
    """The kit of a pack that ships; whoever asks first makes it."""
    kit_options = options or Options()
    if not _comes_with_mitla(game):
        return make_kit(game, kit_options, DRAWN)
    return DRAWN.get_or_make(key_of("kit", game.id, repr(kit_options)), lambda: make_kit(game, kit_options, DRAWN))


def module(game: Game) -> Module:
    """The parts of a game's module with a lock of its own. Nobody may change them."""
    if not _comes_with_mitla(game):
        return compose(game, Lock(), DRAWN)
    if game.id not in _modules:
        _modules[game.id] = compose(game, Lock(), DRAWN)
    return _modules[game.id]


def prototypes(game: Game) -> dict[str, tuple[Trait, ...]]:
    """The prototypes of a game's module."""
    if not _comes_with_mitla(game):
        return pieces.prototypes(game)
    if game.id not in _prototypes:
        _prototypes[game.id] = pieces.prototypes(game)
    return _prototypes[game.id]

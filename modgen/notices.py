"""Notices about the owner of a game's data and art: Mitla, or the author of the pack."""

from __future__ import annotations

from pathlib import Path

from scenarios.model.game import Game
from scenarios.pack.pack_folder import PACKS
from scenarios.pack.rulebook import rules_file

NOTICE = "Mitla is not affiliated with any publisher. Code: MIT. Packs and art: CC BY 4.0."


def comes_with_mitla(game: Game) -> bool:
    """Whether a pack is one of Mitla's own."""
    return is_ours(game.folder)


def is_ours(folder: Path) -> bool:
    """Whether a folder belongs to one of Mitla's own packs."""
    return folder.resolve().parent == PACKS.resolve()


def notice(game: Game) -> str:
    """The author, and what others may do with the game."""
    if comes_with_mitla(game):
        return NOTICE
    return f"Made with Mitla, which is not affiliated with any publisher. {terms(game)}"


def terms(game: Game) -> str:
    """What others may do with a pack, in its author's words."""
    if game.card.licence:
        return f"Licence: {game.card.licence.rstrip('.')}."
    return "Ask the author of its data before you share it."


def credits_of(game: Game, original: str) -> list[str]:
    """The credits on a kit's cover."""
    release = f"Release {game.card.release}."
    if not comes_with_mitla(game):
        rules_note = "" if rules_file(game.folder) else " You need its rules to play."
        return [f"{original}.{rules_note}", notice(game), release]
    return [
        f"After {original}. You need the original rules to play.",
        "Mitla is not affiliated with any publisher; the game's name belongs to its owner and is used to say what fits it.",
        f"Data and art of this kit: Mitla, CC BY 4.0. {release}",
    ]


def sharing(game: Game) -> str:
    """The text about sharing on the last page of a kit."""
    font = "Set in Source Sans Pro (SIL Open Font License)."
    if not comes_with_mitla(game):
        return font
    return (
        f"{font} You may print, change and share this kit; say where it came from (Creative Commons Attribution 4.0)."
    )

"""From a command's options to an answer on the screen; a wrong question gets a sentence and exit code 2."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scenarios.command import Command, limit_option, print_json, wrong
from scenarios.vassal import MOST

if TYPE_CHECKING:
    from assistant.parts import Reply
    from scenarios.game import Game

FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
WORDS = click.argument("words", nargs=-1, metavar="[NAME=VALUE]...")

FLAGS = {"works": "with", "rulings": "ruling"}
"""What a flag is called where the code has another name for it."""


def place_options(command: Command) -> Command:
    """`--scenario` and `--position`: where a question is asked."""
    command = click.option("--position", type=FILE, help="A position file, or a save of VASSAL.")(limit_option(command))
    return click.option("--scenario", default="", help="The start of a scenario.")(command)


def ground_options(command: Command) -> Command:
    """Where a question is asked: boards, a scenario or a position, with markers added and rulings switched."""
    for option in (
        click.option("--ruling", "rulings", multiple=True, metavar="ID=READING", help="Read a ruling the other way."),
        click.option("--with", "works", multiple=True, metavar="MARKER@HEX", help="A marker that stands in a hex."),
        place_options,
        click.option("--map", default="", help="A map, or boards: A, or rows of boards as in 'B / A turned'."),
    ):
        command = option(command)
    return command


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given."""
    return {key: value for key, value in options.items() if value not in ("", None, False, ())}


def told(words: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """NAME=VALUE words and flags as the options of a question; a bare NAME is `yes`. The words stay beside them."""
    flat = {FLAGS.get(key, key.rstrip("_")): ",".join(held) if isinstance(held, tuple) else held for key, held in given(options).items()}
    result: dict[str, Any] = {key: "yes" if value is True else value for key, value in flat.items()}
    for word in words:
        name, equals, value = word.partition("=")
        result[name] = value if equals else "yes"
    return {**result, "words": tuple(words)} if words else result


def answer(game: Game, command: str, as_json: bool, words: Sequence[str] = (), most: int = MOST, **options: Any) -> None:
    """A game's own answer to a command: by its own flags, or by the names of its question where words are told.

    A position in a file is opened here; a save may unpack to `most` bytes.
    """
    from assistant.parts import ask, has, question, questions

    if has(game, command) and not (words and command in questions(game)):
        asked = opened(game, given({**options, "words": tuple(words)}), most)
        _say_asked(lambda: ask(game, command, **asked), as_json)
    else:
        named = opened(game, told(_placed(game, words), options), most)
        _say_asked(lambda: question(game, command, named), as_json)


def opened(game: Game, options: dict[str, Any], most: int) -> dict[str, Any]:
    """The options with the position itself instead of its file; a file that can't be opened is left to the answer to complain of."""
    from scenarios import PackError
    from scenarios.opening import open_position

    file = options.get("position")
    if not isinstance(file, str | Path) or not file:
        return options
    try:
        return {**options, "position": open_position(game, Path(file), most)}
    except (OSError, ValueError, PackError):
        return options


def _placed(game: Game, words: Sequence[str]) -> list[str]:
    """The words, where a bare one that names a scenario or a save tells it."""
    result = []
    for word in words:
        save = Path(word).suffix.lower() in (".vsav", ".vlog", ".yaml", ".yml")
        name = "" if "=" in word else "scenario=" if word in game.scenarios else "position=" if save else ""
        result.append(name + word)
    return result


def _say_asked(asked: Callable[[], Reply], as_json: bool) -> None:
    from assistant.attacks import BadQuestion
    from scenarios import PackError

    try:
        reply = asked()
        say(reply.text, reply.json, as_json)
    except PackError as error:
        raise wrong("\n".join(map(str, error.findings))) from None
    except BadQuestion as error:
        raise wrong(str(error)) from None


def say(text: Callable[[], Iterable[str]], json: Callable[[], Any], as_json: bool) -> None:
    """Print an answer in one of its two forms."""
    if as_json:
        print_json(json())
    else:
        click.echo("\n".join(text()))

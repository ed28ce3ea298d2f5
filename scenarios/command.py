"""Helpers that the commands of all packages share: suggestions, overlays, JSON, exit codes."""

from __future__ import annotations

import atexit
import gc
import importlib
import inspect
import io
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from scenarios.reading.findings import NoSuchGame, PackError, suggest
from scenarios.vassal import MAX_BYTES, MEGABYTE

if TYPE_CHECKING:
    from scenarios.model.game import Game

EXIT_DONE, EXIT_FAILED, WRONG = 0, 1, 2
GC_THRESHOLD = 50_000
"""The number of new objects between two runs of the garbage collector. Python's default is 700."""
Command = TypeVar("Command", bound=Callable[..., Any])


class CommandEntry(NamedTuple):
    """A command of a group before it is imported."""

    summary: str
    """The first sentence of its help."""
    location: str
    """MODULE:ATTRIBUTE of the command, or of a function that makes the command from its name."""


class CommandTable(click.Group):
    """A group that imports a command only when it is used, and suggests the nearest names for a wrong one."""

    def __init__(
        self, *arguments: Any, entries: Mapping[str, CommandEntry], unknown_hint: str = "", **settings: Any
    ) -> None:
        """`unknown_hint` is added to the refusal of an unknown command."""
        super().__init__(*arguments, **settings)
        self.entries, self.unknown_hint = entries, unknown_hint

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.entries:
            return None
        module, _, attribute = self.entries[cmd_name].location.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        loaded_command: click.Command = command(cmd_name) if inspect.isfunction(command) else command
        return loaded_command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.entries[name].summary) for name in self.list_commands(ctx)])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self.entries:
            hint = f"; {self.unknown_hint}" if self.unknown_hint else ""
            known_names = suggest(args[0], self.list_commands(ctx))
            raise click.UsageError(f"there is no command {args[0]!r}; {known_names}{hint}", ctx)
        return super().resolve_command(ctx, args)


def run(group: click.Group) -> None:
    """Run a command line with UTF-8 texts on every system."""
    # Most objects of a command live until it ends. So the garbage collector runs rarely, and not at all at the end.
    gc.set_threshold(GC_THRESHOLD)
    atexit.register(gc.freeze)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    group()


def overlay_options(command: Command) -> Command:
    """Add the options `--overlay FILE` and `--no-overlay`."""
    path = click.Path(path_type=Path, exists=True, dir_okay=False)
    add = click.option(
        "--overlay", "overlays", multiple=True, type=path, help="A file with your own numbers. Repeatable."
    )
    no_overlay_option = click.option("--no-overlay", is_flag=True, help="Ignore the overlays in your config folder.")
    return add(no_overlay_option(command))


def limit_option(command: Command) -> Command:
    """Add the option `--limit MB`. The command gets it as `most`, in bytes."""

    def megabytes(context: click.Context, option: click.Parameter, megabyte_count: int) -> int:
        return megabyte_count * MEGABYTE

    return click.option(
        "--limit",
        "most",
        type=click.IntRange(1, 100_000),
        default=MAX_BYTES // MEGABYTE,
        show_default=True,
        metavar="MB",
        callback=megabytes,
        help="Largest size of an unpacked save or module.",
    )(command)


json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")


class WrongQuestion(click.ClickException):
    """Raised for a wrong question."""

    exit_code = WRONG


def wrong(message: str) -> click.ClickException:
    """The exception for a wrong question: it has the sentence, and exit code 2."""
    return WrongQuestion(message)


def load_game(game: str, overlays: tuple[Path, ...], no_overlay: bool) -> Game:
    """Load a game for a command. On failure the command ends with a sentence and exit code 2 or 1."""
    # Imported late: `--help` answers without the model and without YAML.
    from scenarios.pack.loading import load

    try:
        return load(game, overlays, with_config_overlays=not no_overlay)
    except NoSuchGame as error:
        raise wrong(str(error)) from None
    except PackError as error:
        for finding in error.findings:
            click.echo(str(finding), err=True)
        raise click.exceptions.Exit(EXIT_FAILED) from None


def print_json(value: Any) -> None:
    """Print a JSON answer."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))

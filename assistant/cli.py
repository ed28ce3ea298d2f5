"""The `assistant` command: the verbs, `ask` for any question of a game, `open` for a save, and `serve` for the page."""

from __future__ import annotations

import click

from assistant.questions.verbs import VERBS
from scenarios.command import CommandEntry, CommandTable, run

COMMANDS = {
    **{name: CommandEntry(summary, "assistant.commands.verbs:verb_command") for name, summary in VERBS.items()},
    "odds": CommandEntry(VERBS["odds"], "assistant.commands.odds:odds"),
    "ask": CommandEntry(
        "Ask any question of a game, such as forecast, refit, entry or mobilization.",
        "assistant.commands.ask:ask",
    ),
    "open": CommandEntry(
        "Show what a VASSAL save or log contains: the scenario, the turn, and where each piece is.",
        "assistant.commands.open_save:open_save",
    ),
    "serve": CommandEntry(
        "Serve the assistant as a page for your browser, for all games or for the games you name.",
        "assistant.commands.serve:serve",
    ),
}
"""The commands, by name. Each is imported when it is used."""


@click.group(
    cls=CommandTable,
    entries=COMMANDS,
    unknown_hint="a question of a single game is asked with `assistant ask GAME QUESTION`",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="mitla", prog_name="assistant")
def cli() -> None:
    """Answers questions about a game: odds, line of sight, supply, moves, morale, victory points, dice and tables.

    GAME is the id of a pack (see `modgen list`) or a folder with a pack of your own. `assistant COMMAND GAME --help` lists the
    inputs of a question in that game, `assistant ask GAME` lists all questions of a game.
    """


def main() -> None:
    """Run `assistant`."""
    run(cli)


if __name__ == "__main__":
    main()

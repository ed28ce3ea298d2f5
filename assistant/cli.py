"""The `assistant` command."""

from __future__ import annotations

import click

from assistant.cli_more import ask, open_, serve
from assistant.cli_table import roll, scenario, table
from assistant.cli_turn import los, morale, move, odds, score, supply
from assistant.verbs import VERBS, verb_command
from scenarios.command import Suggesting, run


@click.group(cls=Suggesting, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="mitla", prog_name="assistant")
def cli() -> None:
    """Answers at the table: odds, sight, supply, moves, morale, points, throws and table results.

    GAME is the id of a pack (see `modgen list`) or a folder with a pack of your own.
    """


OLDER = {"odds": odds, "los": los, "move": move, "supply": supply, "morale": morale, "score": score}
for command in (table, roll, scenario, *(verb_command(name, OLDER.get(name)) for name in VERBS), ask, open_, serve):
    cli.add_command(command)


def main() -> None:
    """Run `assistant`."""
    run(cli)


if __name__ == "__main__":
    main()

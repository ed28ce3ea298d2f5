"""The `modgen` command."""

from __future__ import annotations

import click

from scenarios.command import CommandEntry, CommandTable, run

COMMANDS = {
    "build": CommandEntry(
        "Check and build games into dist/GAME/.",
        "modgen.commands.build:build",
    ),
    "calibrate": CommandEntry(
        "Make a sheet that shows how far your printer shifts the back of a page (for --back-offset).",
        "modgen.commands.calibrate:calibrate",
    ),
    "check": CommandEntry(
        "Check packs and list every mistake with its line and the fix.",
        "modgen.commands.check:check",
    ),
    "diff": CommandEntry(
        "Compare two VASSAL modules and say whether old saves and extensions still work.",
        "modgen.commands.diff:diff",
    ),
    "docs": CommandEntry(
        "List the documents, or print one: `modgen docs packs`.",
        "modgen.commands.docs:docs",
    ),
    "edit": CommandEntry(
        "Paint boards and maps in the browser, over our drawing or over a photo of your own copy.",
        "modgen.commands.edit:edit",
    ),
    "extension": CommandEntry(
        "Make a VASSAL extension from what an overlay adds: counters, markers, scenarios, tables.",
        "modgen.commands.extension:extension",
    ),
    "import": CommandEntry(
        "Make a pack from a VASSAL module: pieces, maps, sides, turns and set-ups, with a list of what is missing.",
        "modgen.commands.import_module:import_module",
    ),
    "list": CommandEntry(
        "List the games that come with Mitla.",
        "modgen.commands.list_games:list_games",
    ),
    "new": CommandEntry(
        "Start your own game: a small pack that you can check, print and play at once.",
        "modgen.commands.new:new",
    ),
    "release": CommandEntry(
        "Build all files of a release: modules, kits in A4 and Letter, the page, checksums and notes.",
        "modgen.commands.release:release",
    ),
    "save": CommandEntry(
        "Write a position file as a VASSAL save for the game's module.",
        "modgen.commands.save:save",
    ),
    "schema": CommandEntry(
        "Print the JSON Schema of pack files, for editors that complete and check.",
        "modgen.commands.schema:schema",
    ),
    "show": CommandEntry(
        "Show a game, or a part of it.",
        "modgen.commands.show:show",
    ),
    "verify": CommandEntry(
        "Check a VASSAL module: pictures, prototypes, ids, keys, expressions, grids and set-ups.",
        "modgen.commands.verify:verify",
    ),
    "watch": CommandEntry(
        "Show a pack in your browser while you write it, and redraw it whenever you save.",
        "modgen.commands.watch:watch",
    ),
}
"""The commands, by name. Each is imported when it is used."""


@click.group(
    cls=CommandTable,
    entries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="mitla", prog_name="modgen")
def cli() -> None:
    """Build print-and-play kits and VASSAL modules from plain game files.

    GAME is the id of a pack (see `modgen list`) or the folder of your own pack.
    """


def main() -> None:
    """Run `modgen`."""
    run(cli)


if __name__ == "__main__":
    main()

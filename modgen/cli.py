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
        "Make a sheet that shows how far your printer's backs drift, to be read off as --back-offset.",
        "modgen.commands.calibrate:calibrate",
    ),
    "check": CommandEntry(
        "Check packs: every mistake with its line, what is wrong and what would be right.",
        "modgen.commands.check:check",
    ),
    "diff": CommandEntry(
        "Compare two VASSAL modules: what came, changed and went, and whether saves and extensions of the old one keep.",
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
        "Make a VASSAL extension of what an overlay adds: counters, markers, scenarios, tables.",
        "modgen.commands.extension:extension",
    ),
    "import": CommandEntry(
        "Make a pack of somebody's VASSAL module: pieces, maps, sides, turns and set-ups, with a list of what isn't in it.",
        "modgen.commands.import_module:import_module",
    ),
    "list": CommandEntry(
        "List the games that come with Mitla.",
        "modgen.commands.list_games:list_games",
    ),
    "new": CommandEntry(
        "Start a game of your own: a small pack that checks, prints and plays at once.",
        "modgen.commands.new:new",
    ),
    "release": CommandEntry(
        "Build what a release holds: modules, kits in A4 and Letter, the page, sums and notes; no overlays, locks as they are.",
        "modgen.commands.release:release",
    ),
    "save": CommandEntry(
        "Write a position file as a save that VASSAL opens under the game's module.",
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
        "Look a VASSAL module over: pictures, prototypes, ids, keys, expressions, grids and set-ups against the game.",
        "modgen.commands.verify:verify",
    ),
    "watch": CommandEntry(
        "Show a pack in your browser while you write it: counters, maps, charts and cards, drawn anew whenever you save.",
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
    """Turn plain game files into what a game ships as.

    GAME is the id of a pack (see `modgen list`) or a folder with a pack of your own.
    """


def main() -> None:
    """Run `modgen`."""
    run(cli)


if __name__ == "__main__":
    main()

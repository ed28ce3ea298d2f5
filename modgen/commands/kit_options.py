"""The options that `modgen build` and `modgen calibrate` share."""

from __future__ import annotations

import click

from scenarios.command import (
    Command,
)


def kit_options(command: Command) -> Command:
    """The options that decide the look of a kit. `modgen.kit.options` parses them."""
    for option in reversed(
        (
            click.option("--paper", default="a4", show_default=True, help="a4, letter, a3 or tabloid."),
            click.option(
                "--backs", default="duplex-long", show_default=True, help="duplex-long, duplex-short, fold or none."
            ),
            click.option(
                "--back-offset", default="0,0", metavar="X,Y", help="Move backs by so many mm to the right and down."
            ),
            click.option(
                "--margin",
                default=10.0,
                show_default=True,
                metavar="MM",
                help="The margin that your printer leaves blank.",
            ),
        )
    ):
        command = option(command)
    return command

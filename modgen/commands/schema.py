"""`modgen schema` on the command line."""

from __future__ import annotations

import click

from modgen.schemas import SCHEMAS
from scenarios.command import (
    json_option,
    print_json,
)


@click.command()
@click.argument("what", default="pack", type=click.Choice(["pack", "overlay", "position"]))
@json_option
def schema(what: str, as_json: bool) -> None:
    """Print the JSON Schema of pack files, for editors that complete and check.

    The output is always JSON; --json changes nothing.
    """
    print_json(SCHEMAS[what]())

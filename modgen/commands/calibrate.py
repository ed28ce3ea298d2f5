"""`modgen calibrate` on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from modgen.build import writable
from modgen.cache import Cache
from modgen.commands.kit_options import kit_options
from modgen.kit.calibration import calibration_pdf
from modgen.kit.options import options, suffix
from modgen.kit.paper import WrongOption
from scenarios.command import (
    wrong,
)
from scenarios.files import write


@click.command()
@kit_options
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("dist"), show_default=True, help="The folder to write to."
)
def calibrate(out: Path, **print_choices: Any) -> None:
    """Make a sheet that shows how far your printer shifts the back of a page (for --back-offset)."""
    try:
        read = options(**print_choices)
    except WrongOption as error:
        raise wrong(str(error)) from None
    path = out / f"calibration{suffix(read)}.pdf"
    try:
        writable(out)
        write(path, calibration_pdf(read, Cache(None)))
    except OSError as error:
        raise wrong(f"can't write to {error.filename or out}: {error.strerror}; choose another --out") from None
    click.echo(f"wrote {path}")

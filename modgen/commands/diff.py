"""`modgen diff` on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from modgen.vmod.check.diff import compare
from modgen.vmod.files.patch import make_patch, write_patch
from scenarios.command import EXIT_FAILED, json_option, limit_option, print_json, wrong
from scenarios.grammar import count_text

MODULE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("old", type=MODULE)
@click.argument("new", type=MODULE)
@click.option(
    "--patch", type=click.Path(path_type=Path), metavar="DIR", help="Write the changes into this pack as a patch."
)
@limit_option
@json_option
def diff(old: Path, new: Path, patch: Path | None, most: int, as_json: bool) -> None:
    """Compare two VASSAL modules and say whether old saves and extensions still work.

    With --patch, changes made in VASSAL's editor go into the pack as module.patch.json. Every later build applies them, or
    says where they no longer fit.
    """
    try:
        if patch is not None:
            _keep_patch(old, new, patch, most, as_json)
            return
        answer = compare(old, new, most)
    except ValueError as error:
        raise wrong(str(error)) from None
    if as_json:
        print_json(answer)
    else:
        for section, changes in answer["changes"].items():
            for word in ("added", "changed", "gone"):
                for name in changes[word]:
                    click.echo(f"{section}: {word} {name}")
        for reason in (*answer["breaks"], *answer["extensions"]):
            click.echo(reason, err=True)
        if not answer["extensions_keep"]:
            click.echo("extensions break")
        click.echo("old saves keep" if answer["saves_keep"] else "old saves break")
    if not answer["saves_keep"]:
        sys.exit(EXIT_FAILED)


def _keep_patch(old: Path, new: Path, target: Path, max_bytes: int, as_json: bool) -> None:
    """Write the changes as a patch."""
    patch, content = make_patch(old, new, max_bytes)
    try:
        path = write_patch(target, patch, content)
    except OSError as error:
        raise wrong(f"{target} can't be written: {error.strerror}; name the pack's folder") from None
    if as_json:
        print_json({"file": str(path), "changes": len(patch["changes"]), "files": len(patch["files"])})
    else:
        click.echo(
            f"wrote {path}: {count_text(len(patch['changes']), 'change')}, {count_text(len(patch['files']), 'file')}; "
            "the next build applies them"
        )

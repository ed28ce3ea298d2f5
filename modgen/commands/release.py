"""`modgen release` on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from modgen.distribution import is_source
from modgen.release import CannotRelease, make_release
from scenarios.command import EXIT_FAILED, json_option, print_json, wrong
from scenarios.grammar import count_text
from scenarios.pack.pack_folder import find_pack, shipped_games
from scenarios.reading.findings import NoSuchGame

MODULE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME|DIR]...")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("dist/release"),
    show_default=True,
    help="The folder to replace.",
)
@click.option(
    "--changelog",
    type=click.Path(path_type=Path),
    default=Path("CHANGELOG.md"),
    show_default=True,
    help="Source of the release notes.",
)
@click.option("--unlocked", is_flag=True, help="Allow lock files of modules to grow.")
@click.option(
    "--runtime",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="The unpacked npm package of Pyodide, for the page. By default npm fetches it.",
)
@json_option
def release(
    games: tuple[str, ...], out: Path, changelog: Path, unlocked: bool, runtime: Path | None, as_json: bool
) -> None:
    """Build all files of a release: modules, kits in A4 and Letter, the page, checksums and notes.

    A release uses no overlays and changes no lock file. In Mitla's source folder, a release of all games also holds wheel and
    sdist. The page needs npm or --runtime; otherwise it is left out, and the output says so.
    """
    try:
        for game in games:
            find_pack(game)
        sources = Path.cwd() if not games and is_source(Path.cwd()) else None
        answer = make_release(
            games or shipped_games(),
            out,
            changelog,
            not unlocked,
            quiet=as_json,
            sources=sources,
            page=True,
            runtime=runtime,
        )
    except NoSuchGame as error:
        raise wrong(str(error)) from None
    except CannotRelease as error:
        for finding in error.findings:
            click.echo(finding, err=True)
        sys.exit(EXIT_FAILED)
    except OSError as error:
        raise wrong(f"can't write to {error.filename or out}: {error.strerror}; choose another --out") from None
    if as_json:
        print_json(answer)
    else:
        for sentence in answer["left_out"]:
            click.echo(sentence, err=True)
        click.echo(f"wrote {count_text(len(answer['files']), 'file')} to {out}")

"""`python -m tests.keep [--locks]`: what this version writes is kept in tests/data/kept/, for the code of later versions to open.

Run before a release, and after its last change to modules. A folder of an earlier release is never made anew. With `--locks` the locks
of all packs and samples are begun anew too, which breaks saves of modules that were built with the old ones.
"""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import click

from modgen.cache import Cache
from modgen.cli import cli
from modgen.vmod.files.lock import LOCK
from modgen.vmod.files.locked_build import make_module
from scenarios import load
from scenarios.pack.pack_folder import PACKS, SAMPLES
from tests.asking import run_command
from tests.packs import TWO_WELLS

ROOT = Path(__file__).parents[1]
ARCHIVE_FOLDER = ROOT / "tests" / "data" / "kept"


def new_locks() -> list[Path]:
    """Begin every committed lock anew."""
    locks = sorted((*PACKS.glob(f"*/{LOCK}"), *SAMPLES.glob(f"*/{LOCK}")))
    for lock in locks:
        lock.unlink()
        make_module(load(lock.parent, with_config_overlays=False), Cache(None), new_lock=True)
    return locks


def keep(target_folder: Path) -> None:
    """Two Wells with its lock, its module, and the save of a position that was written by hand."""
    if not (target_folder / "position.yaml").exists():
        target_folder.mkdir(parents=True)
        last = max(folder for folder in target_folder.parent.iterdir() if (folder / "position.yaml").exists())
        shutil.copyfile(last / "position.yaml", target_folder / "position.yaml")
    pack = target_folder / "two_wells"
    shutil.rmtree(pack, ignore_errors=True)
    shutil.copytree(TWO_WELLS, pack, ignore=shutil.ignore_patterns(LOCK))
    (target_folder / "two_wells.vmod").write_bytes(make_module(load(pack), Cache(None), new_lock=True))
    words = ["save", str(pack), str(target_folder / "position.yaml"), "--out", str(target_folder / "two_wells.vsav")]
    result = run_command(cli, *words)
    if result.exit_code:
        raise SystemExit(result.output)


@click.command()
@click.option("--locks", is_flag=True, help="Begin the locks of all packs and samples anew.")
def main(locks: bool) -> None:
    """Keep what this version writes."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    for lock in new_locks() if locks else ():
        click.echo(f"begun anew: {lock.relative_to(ROOT)}")
    target_folder = ARCHIVE_FOLDER / version.rpartition(".")[0]
    keep(target_folder)
    click.echo(f'kept: {target_folder.relative_to(ROOT)}; see CONTRIBUTING.md, "Before a release"')


if __name__ == "__main__":
    main()

"""`python -m tests.fuzz [--minutes N] [--only PART] [--seed S] [--again FILE]`: count cases, keep crashes, print a table."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import click

from tests.fuzz.running import Tally, ended, kept, limits, read_case, run_part, table

ROUND = 4.0
"""How many seconds a part runs before the next has its turn."""

SLOW = 2.0
"""From how many seconds on the slowest case of a part is kept."""


@click.command()
@click.option("--minutes", default=1.0, show_default=True, help="How long, over all parts.")
@click.option("--only", multiple=True, metavar="PART", help="Only this part; may be given again.")
@click.option("--seed", default=0, help="Other cases; 0 takes the time.")
@click.option("--cases", default=10**9, help="At most so many cases of each part.")
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    default=Path("build/fuzz"),
    show_default=True,
    help="Where crashes are kept.",
)
@click.option("--again", type=click.Path(path_type=Path, exists=True), help="Run a kept crash again.")
def main(minutes: float, only: tuple[str, ...], seed: int, cases: int, keep: Path, again: Path | None) -> None:
    """Feed damaged packs, saves, modules, commands and requests to Mitla."""
    keep = keep.resolve()
    with tempfile.TemporaryDirectory(prefix="mitla-fuzz-") as temporary:
        os.environ["MITLA_CACHE"] = str(Path(temporary) / "cache")
        os.environ["XDG_CONFIG_HOME"] = str(Path(temporary) / "config")
        logging.disable(logging.CRITICAL)
        from tests.fuzz.parts import PARTS, prepared

        with prepared(Path(temporary)), limits():
            if again is not None:
                name, case = read_case(again)
                word, error = ended(PARTS[name], case)
                click.echo(f"{name}: {word}")
                if error is not None:
                    raise error
                return
            for name in only:
                if name not in PARTS:
                    raise click.UsageError(f"there is no part {name!r}; there are {', '.join(PARTS)}")
            chosen = only or tuple(PARTS)
            seed = seed or int(time.time())
            click.echo(f"seed {seed}")
            tallies = {name: Tally() for name in chosen}
            randoms = {name: Random(f"{seed} {name}") for name in chosen}
            until = time.monotonic() + minutes * 60
            open_ = list(chosen)
            while open_ and time.monotonic() < until:
                for name in tuple(open_):
                    whole = tallies[name]
                    one = run_part(
                        name,
                        PARTS[name],
                        randoms[name],
                        min(until, time.monotonic() + ROUND),
                        cases - whole.cases,
                        keep,
                    )
                    whole.cases += one.cases
                    whole.seconds += one.seconds
                    if one.slowest > whole.slowest and one.longest is not None:
                        whole.slowest = one.slowest
                        if one.slowest > SLOW:
                            click.echo(f"{one.slowest:.1f} s: {kept(name, one.longest, None, keep)}")
                    whole.ends.update(one.ends)
                    for where, path in one.crashes.items():
                        if where not in whole.crashes:
                            whole.crashes[where] = path
                            click.echo(f"crash: {where}: {path}")
                    if whole.cases >= cases:
                        open_.remove(name)
        click.echo("\n".join(table(tallies)))
        if any(one.crashes for one in tallies.values()):
            sys.exit(1)


if __name__ == "__main__":
    main()

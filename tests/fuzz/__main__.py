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

from tests.fuzz.running import Tally, limits, read_case, run_case, run_part, table, write_crash

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
def main(
    minutes: float, part_names: tuple[str, ...], seed: int, cases: int, keep: Path, case_path: Path | None
) -> None:
    """Feed damaged packs, saves, modules, commands and requests to Mitla."""
    keep = keep.resolve()
    with tempfile.TemporaryDirectory(prefix="mitla-fuzz-") as temporary:
        os.environ["MITLA_CACHE"] = str(Path(temporary) / "cache")
        os.environ["XDG_CONFIG_HOME"] = str(Path(temporary) / "config")
        logging.disable(logging.CRITICAL)
        from tests.fuzz.parts import PARTS, use_folder

        with use_folder(Path(temporary)), limits():
            if case_path is not None:
                name, case = read_case(case_path)
                word, error = run_case(PARTS[name], case)
                click.echo(f"{name}: {word}")
                if error is not None:
                    raise error
                return
            for name in part_names:
                if name not in PARTS:
                    raise click.UsageError(f"there is no part {name!r}; there are {', '.join(PARTS)}")
            parts_to_run = part_names or tuple(PARTS)
            seed = seed or int(time.time())
            click.echo(f"seed {seed}")
            tallies = {name: Tally() for name in parts_to_run}
            randoms = {name: Random(f"{seed} {name}") for name in parts_to_run}
            until = time.monotonic() + minutes * 60
            open_ = list(parts_to_run)
            while open_ and time.monotonic() < until:
                for name in tuple(open_):
                    total = tallies[name]
                    tally = run_part(
                        name,
                        PARTS[name],
                        randoms[name],
                        min(until, time.monotonic() + ROUND),
                        cases - total.cases,
                        keep,
                    )
                    total.cases += tally.cases
                    total.seconds += tally.seconds
                    if tally.slowest > total.slowest and tally.longest is not None:
                        total.slowest = tally.slowest
                        if tally.slowest > SLOW:
                            click.echo(f"{tally.slowest:.1f} s: {write_crash(name, tally.longest, None, keep)}")
                    total.ends.update(tally.ends)
                    for place, path in tally.crashes.items():
                        if place not in total.crashes:
                            total.crashes[place] = path
                            click.echo(f"crash: {place}: {path}")
                    if total.cases >= cases:
                        open_.remove(name)
        click.echo("\n".join(table(tallies)))
        if any(tally.crashes for tally in tallies.values()):
            sys.exit(1)


if __name__ == "__main__":
    main()

"""Modules of earlier releases in the engine: every set-up starts, and pieces stand where the pack of that release says."""

from __future__ import annotations

import sys
from pathlib import Path

from modgen.vmod.check.engine_report import ask
from scenarios import load

ARCHIVE_FOLDER = Path(__file__).parents[1] / "data" / "kept"


def main() -> int:
    """`python -m tests.engine.kept ENGINE`"""
    bad = 0
    for folder in sorted(ARCHIVE_FOLDER.iterdir()):
        for module in sorted(folder.glob("*.vmod")):
            report = ask(module, Path(sys.argv[1]), load(folder / module.stem))
            pieces = sum(setup["pieces"] for setup in report["set-ups"])
            problems = report["problems"]
            print(
                f"{folder.name} {module.name}: {pieces} pieces, {len(problems)} problems",
                *problems,
                sep="\n  ",
                flush=True,
            )
            bad += len(problems) + (not pieces)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

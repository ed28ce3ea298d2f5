"""Every check in the real engine, one after the other: each is a program beside this one, `python -m tests.engine.NAME ENGINE`."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from modgen.vmod.check.engine import NoEngine, find_engine

ENGINE_FOLDER = Path(__file__).parent


def checks() -> list[str]:
    """The programs beside this one."""
    files = sorted(path for path in ENGINE_FOLDER.glob("*.py") if not path.name.startswith("_"))
    return [path.stem for path in files if "\ndef main(" in path.read_text(encoding="utf-8")]


def main() -> int:
    """`python -m tests.engine --engine PATH`"""
    parser = argparse.ArgumentParser(prog="tests.engine")
    parser.add_argument("--engine", required=True, help="the folder of an installed VASSAL, with lib/Vengine.jar in it")
    engine = Path(parser.parse_args().engine)
    try:
        find_engine(engine)
    except NoEngine as error:
        print(error, file=sys.stderr)
        return 2
    worst = 0
    for name in checks():
        print(f"== {name}", flush=True)
        worst = max(
            worst, subprocess.run([sys.executable, "-m", f"tests.engine.{name}", str(engine)], check=False).returncode
        )
    return worst


if __name__ == "__main__":
    sys.exit(main())

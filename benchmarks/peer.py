"""Side by side with another program: the wargame package of LaTeX builds its tutorial game, Mitla a sample of the same size.

`python -m benchmarks.peer [TUTORIAL]`: the folder with game.tex, export.tex, game.sty and patch.py, plain or packed; where Debian's
texlive-games puts it unless named. Prints seconds of processor, with nothing kept from before, and the ratios.
"""

from __future__ import annotations

import gzip
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

TUTORIAL = Path("/usr/share/doc/texlive-doc/latex/wargame/tutorial")
FILES = ("game.tex", "game.sty", "export.tex", "patch.py")
LATEX = ("pdflatex", "-interaction=nonstopmode", "-file-line-error", "-shell-escape")
SAMPLE = "corps"
LACKING = "the peer isn't here ({}); on Debian: apt install texlive-games texlive-latex-extra texlive-pictures cm-super poppler-utils"
Row = tuple[str, float, float]


class NoPeer(Exception):
    """What the other program lacks."""


def seconds(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> float:
    """Seconds of processor that a command and its children take."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        said = (done.stdout + done.stderr).decode("utf-8", "replace").strip().splitlines()[-5:]
        raise NoPeer("\n".join([f"{command[0]} failed", *said]))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def theirs(tutorial: Path, folder: Path) -> tuple[float, float]:
    """The tutorial's kit (two passes, as its references need) and module (the export, then the script that packs it)."""
    for tool in ("pdflatex", "kpsewhich", "pdftocairo"):
        if shutil.which(tool) is None:
            raise NoPeer(LACKING.format(f"no {tool}"))
    for name in FILES:
        plain, packed = tutorial / name, tutorial / f"{name}.gz"
        if not plain.is_file() and not packed.is_file():
            raise NoPeer(LACKING.format(f"no {plain}"))
        (folder / name).write_bytes(plain.read_bytes() if plain.is_file() else gzip.decompress(packed.read_bytes()))
    script = subprocess.run(["kpsewhich", "wgexport.py"], capture_output=True, text=True, check=False).stdout.strip()
    if not script:
        raise NoPeer(LACKING.format("no wgexport.py"))
    kit = sum(seconds([*LATEX, "game.tex"], folder) for _ in range(2))
    module = seconds([*LATEX, "export.tex"], folder)
    options = ["-p", "patch.py", "-r", "game.pdf", "-t", "tutorial", "-v", "0.1", "-o", "Game.vmod"]
    module += seconds([sys.executable, script, "export.pdf", "export.json", *options], folder)
    return kit, module


def ours(folder: Path) -> tuple[float, float]:
    """A sample's kit and module, each by a command of its own with an empty cache."""
    modgen = Path(sys.executable).with_name("modgen")
    took = []
    for what in ("kit", "module"):
        environment = {**os.environ, "MITLA_CACHE": str(folder / f"cache-{what}")}
        took.append(
            seconds([str(modgen), "build", SAMPLE, "--only", what, "--out", str(folder / "dist")], folder, environment)
        )
    return took[0], took[1]


def measured(tutorial: Path) -> list[Row]:
    """Kit and module: their seconds, and ours."""
    with tempfile.TemporaryDirectory() as name:
        rows = theirs(tutorial, Path(name))
    with tempfile.TemporaryDirectory() as name:
        own = ours(Path(name))
    return [(what, peer, mine) for what, peer, mine in zip(("kit", "module"), rows, own, strict=True)]


def main() -> int:
    """Print the table of docs/benchmarks.md."""
    try:
        rows = measured(Path(sys.argv[1]) if len(sys.argv) > 1 else TUTORIAL)
    except NoPeer as error:
        print(error, file=sys.stderr)
        return 2
    print("| | wargame (LaTeX) | Mitla | ratio |\n|---|---|---|---|")
    for what, peer, mine in rows:
        print(f"| {what} | {peer:.1f} s | {mine:.1f} s | {peer / mine:.0f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

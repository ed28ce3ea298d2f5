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
    start_usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    end_usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        error_lines = (done.stdout + done.stderr).decode("utf-8", "replace").strip().splitlines()[-5:]
        raise NoPeer("\n".join([f"{command[0]} failed", *error_lines]))
    return end_usage.ru_utime + end_usage.ru_stime - start_usage.ru_utime - start_usage.ru_stime


def peer_seconds(tutorial: Path, folder: Path) -> tuple[float, float]:
    """The tutorial's kit (two passes, as its references need) and module (the export, then the script that packs it)."""
    for tool in ("pdflatex", "kpsewhich", "pdftocairo"):
        if shutil.which(tool) is None:
            raise NoPeer(LACKING.format(f"no {tool}"))
    for name in FILES:
        plain_file, packed_file = tutorial / name, tutorial / f"{name}.gz"
        if not plain_file.is_file() and not packed_file.is_file():
            raise NoPeer(LACKING.format(f"no {plain_file}"))
        (folder / name).write_bytes(
            plain_file.read_bytes() if plain_file.is_file() else gzip.decompress(packed_file.read_bytes())
        )
    script = subprocess.run(["kpsewhich", "wgexport.py"], capture_output=True, text=True, check=False).stdout.strip()
    if not script:
        raise NoPeer(LACKING.format("no wgexport.py"))
    kit = sum(seconds([*LATEX, "game.tex"], folder) for _ in range(2))
    module = seconds([*LATEX, "export.tex"], folder)
    options = ["-p", "patch.py", "-r", "game.pdf", "-t", "tutorial", "-v", "0.1", "-o", "Game.vmod"]
    module += seconds([sys.executable, script, "export.pdf", "export.json", *options], folder)
    return kit, module


def mitla_seconds(folder: Path) -> tuple[float, float]:
    """A sample's kit and module, each by a command of its own with an empty cache."""
    modgen = Path(sys.executable).with_name("modgen")
    took = []
    for output_kind in ("kit", "module"):
        environment = {**os.environ, "MITLA_CACHE": str(folder / f"cache-{output_kind}")}
        took.append(
            seconds(
                [str(modgen), "build", SAMPLE, "--only", output_kind, "--out", str(folder / "dist")],
                folder,
                environment,
            )
        )
    return took[0], took[1]


def measure_rows(tutorial: Path) -> list[Row]:
    """Kit and module: their seconds, and ours."""
    with tempfile.TemporaryDirectory() as name:
        rows = peer_seconds(tutorial, Path(name))
    with tempfile.TemporaryDirectory() as name:
        mitla_times = mitla_seconds(Path(name))
    return [
        (output_kind, peer, mitla_time)
        for output_kind, peer, mitla_time in zip(("kit", "module"), rows, mitla_times, strict=True)
    ]


def main() -> int:
    """Print the table of docs/benchmarks.md."""
    try:
        rows = measure_rows(Path(sys.argv[1]) if len(sys.argv) > 1 else TUTORIAL)
    except NoPeer as error:
        print(error, file=sys.stderr)
        return 2
    print("| | wargame (LaTeX) | Mitla | ratio |\n|---|---|---|---|")
    for output_kind, peer, mitla_time in rows:
        print(f"| {output_kind} | {peer:.1f} s | {mitla_time:.1f} s | {peer / mitla_time:.0f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The wheel and the sdist of Mitla itself, built from the sources. The same sources give the same bytes."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

FOLDERS = ("scenarios", "art", "modgen", "assistant", "docs", "tests", "benchmarks", ".github")
FILES = ("pyproject.toml", "MANIFEST.in", "Makefile", "LICENSE", "*.md")
BUILD = "import sys; from setuptools import build_meta as b; out = sys.argv[1]; b.build_wheel(out); b.build_sdist(out)"
EPOCH = (1980, 1, 1, 0, 0, 0)
SECONDS = 315532800
"""The value of EPOCH in a tar archive, in seconds."""
NO_SETUPTOOLS = "setuptools 77 or newer isn't installed; `pip install 'setuptools>=77'` in the same environment"


class CannotPack(ValueError):
    """The wheel and the sdist can't be built; the text says why."""


def is_source(root: Path) -> bool:
    """Whether a folder has the sources of Mitla, not only an installed copy."""
    return all((root / name).is_file() for name in ("pyproject.toml", "MANIFEST.in", "modgen/distribution.py"))


def distributions(root: Path) -> dict[str, bytes]:
    """The wheel and the sdist by name. They are built from a copy, so that they contain nothing from earlier builds."""
    if find_spec("setuptools") is None:
        raise CannotPack(NO_SETUPTOOLS)
    with tempfile.TemporaryDirectory(prefix="mitla-") as name:
        copy, out_folder = Path(name) / "sources", Path(name) / "out"
        out_folder.mkdir()
        _copy(root, copy)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(SECONDS), "PYTHONHASHSEED": "0"}
        environment.pop("PYTHONPATH", None)
        done = subprocess.run(
            [sys.executable, "-c", BUILD, str(out_folder)],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["no reason is given"])[-1]
            raise CannotPack(f"setuptools couldn't build: {reason}")
        built_files = {path.name: path.read_bytes() for path in out_folder.iterdir()}
    return {
        name: _wheel(content) if name.endswith(".whl") else _sdist(content)
        for name, content in sorted(built_files.items())
    }


def _copy(root: Path, target: Path) -> None:
    target.mkdir()
    ignore_function = shutil.ignore_patterns("__pycache__", "*.pyc", "*.part", "*.egg-info")
    for folder in FOLDERS:
        if (root / folder).is_dir():
            shutil.copytree(root / folder, target / folder, ignore=ignore_function)
    for pattern in FILES:
        for path in root.glob(pattern):
            shutil.copyfile(path, target / path.name)


def _wheel(content: bytes) -> bytes:
    """A wheel with fixed times and modes, in its original order. RECORD lists only contents, so it stays valid."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
        for entry in old.infolist():
            info = zipfile.ZipInfo(entry.filename, EPOCH)
            info.external_attr = 0o100644 << 16
            info.create_system = 3
            new.writestr(info, old.read(entry), zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def _sdist(content: bytes) -> bytes:
    """A compressed tar archive of the files only, sorted, with fixed times, modes and owners."""
    buffer = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(content)) as old,
        tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for entry in sorted((entry for entry in old if entry.isfile()), key=lambda entry: entry.name):
            info = tarfile.TarInfo(entry.name)
            info.size, info.mtime, info.mode = entry.size, SECONDS, 0o644
            new.addfile(info, old.extractfile(entry))
    return gzip.compress(buffer.getvalue(), 9, mtime=0)

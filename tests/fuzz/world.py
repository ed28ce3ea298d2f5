"""What the fuzzers begin with: copies of the samples, their words, saves, logs and modules made by our own code."""

from __future__ import annotations

import functools
import io
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import yaml

from scenarios import load
from scenarios.model.game import Game
from scenarios.pack.pack_folder import SAMPLES, samples
from scenarios.reading.findings import PackError
from tests.fuzz.mutating import ODD_TEXTS, bytes_damaged, text_damaged, tree_damaged
from tests.fuzz.running import ROOT, has_sentence

FOLDERS: list[Path] = []
"""The folder of this run."""
DATA = ROOT / "tests" / "data"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class Wordless(Exception):
    """An error that reached the user's eyes without a sentence."""


def folder() -> Path:
    """Where cases are written."""
    return FOLDERS[-1]


def sentence(call: Callable[[], object], *known_errors: type[Exception]) -> str:
    """How a call ends: an answer, or one of the known errors with words of our own."""
    try:
        call()
    except PackError as error:
        if not error.findings or not all(finding.message.strip() for finding in error.findings):
            raise Wordless("a pack error without findings") from error
        return "sentence"
    except known_errors as error:
        if isinstance(error, ValueError) and not has_sentence(error):
            raise
        return "sentence"
    return "answer"


@functools.cache
def pack(name: str) -> Path:
    """A copy of a sample to write to."""
    import shutil

    return Path(
        shutil.copytree(SAMPLES / name, folder() / "packs" / name, ignore=shutil.ignore_patterns("module.lock.json"))
    )


@functools.cache
def files(name: str) -> Mapping[str, bytes]:
    """The files of a sample."""
    return {p.relative_to(pack(name)).as_posix(): p.read_bytes() for p in sorted(pack(name).rglob("*")) if p.is_file()}


@functools.cache
def tree(name: str, file: str) -> Any:
    """A file of YAML as a tree."""
    return yaml.load(files(name)[file], LOADER)


@functools.cache
def game(name: str) -> Game:
    """A game, loaded once."""
    return load(name, with_config_overlays=False)


@functools.cache
def words() -> tuple[str, ...]:
    """All keys and texts of the samples, and odd ones."""
    texts: set[str] = set()
    for name in samples():
        for file in files(name):
            if file.endswith(".yaml"):
                texts.update(_texts(tree(name, file)))
    return (*sorted(texts), *(ODD_TEXTS * max(1, len(texts) // (4 * len(ODD_TEXTS)))))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, child in value.items():
            yield str(key)
            yield from _texts(child)
    elif isinstance(value, list):
        for child in value:
            yield from _texts(child)
    elif value is not None:
        yield str(value)[:200]


def yaml_damaged(random: Random, name: str, file: str) -> bytes:
    """A file of a sample with damage to its tree, its text or its bytes."""
    kind = random.random()
    if kind < 0.6:
        mutation = tree_damaged(random, tree(name, file), words())
        return bytes(yaml.dump(mutation, Dumper=DUMPER, encoding="utf-8", allow_unicode=True, sort_keys=False))
    if kind < 0.85:
        return text_damaged(random, files(name)[file].decode("utf-8")).encode("utf-8", "replace")
    return bytes_damaged(random, files(name)[file])


def zip_files(files: Mapping[str, bytes]) -> bytes:
    """Files as a zip, quickly."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


@functools.cache
def module(name: str) -> bytes:
    """The module of a sample."""
    from modgen.cache import Cache
    from modgen.vmod.files.locked_build import make_module

    return make_module(load(pack(name)), Cache(None), pool=False)


@functools.cache
def module_files(name: str) -> Mapping[str, bytes]:
    """What is in the module of a sample."""
    from scenarios.vassal.archive import read_zip

    return read_zip(io.BytesIO(module(name)), "module")

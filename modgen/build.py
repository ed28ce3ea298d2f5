"""Builds the products of a game. It makes everything first and writes it last, so that nothing is left half-done."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click

from modgen.build_jobs import BuildJob, BuildResult, Output
from modgen.cache import Cache, cache_folder, code_key, key_of
from modgen.kit.pdf_finish import sheets_of_paper
from modgen.notices import is_ours
from modgen.typesetting import ProcessStopped
from modgen.vmod.files.lock import LOCK, missing
from modgen.vmod.files.patch import patch_files
from scenarios.files import clean, read_inside, write_all
from scenarios.pack.overlays import standing_overlays
from scenarios.pack.pack_folder import find_pack, overlay_pictures, pack_files, picture_files, sheet_files
from scenarios.reading.yaml_tree import read_nodes

DEFAULT = ("kit", "module", "json")
"""The default outputs of a build."""
ROOM = 1_400_000
"""The greatest number of bytes of YAML in games built at once.

Large games are built one after the other, because each takes much memory.
"""
GAMES = 3
"""The number of games that a process builds before a new one replaces it."""
LARGEST = 100_000_000
"""The largest file of a pack in bytes: one that a patch contains."""
PHASES = 5
"""The number of steps of the progress bar for a game."""


def fingerprint(job: BuildJob) -> str:
    """A key of every byte that the outputs of a job depend on. A game whose key is known isn't even loaded."""
    folder = find_pack(job.game)
    files = sorted(
        [*pack_files(folder), *sheet_files(folder), *picture_files(folder), *folder.glob(LOCK), *patch_files(folder)]
    )
    overlays = [*(standing_overlays() if job.standing else ()), *job.overlays]
    # The owner of a pack decides what its outputs say about sharing them. The pack's location decides who the owner is.
    parts: list[str | bytes] = [
        code_key(),
        repr(job.formats),
        repr(job.options),
        repr(job.keeps_lock),
        repr(is_ours(folder)),
        job.images_at,
    ]
    for path in (*files, *overlays, *overlay_pictures(overlays)):
        name = path.relative_to(folder).as_posix() if path in files else path.name
        # The pack's reader reports files that can't be read.
        with contextlib.suppress(OSError):
            parts += [name, _digest(folder if path in files else path.parent, path)]
    return key_of("job", *parts)


def _digest(folder: Path, path: Path) -> str:
    """A key of a file's bytes, or of its size and time if no file of a pack is that large.

    Raises OSError if it isn't a file of the folder.
    """
    about = path.stat()
    if about.st_size > LARGEST:
        return f"{about.st_size} {about.st_mtime_ns}"
    return hashlib.sha256(read_inside(folder, path, LARGEST)).hexdigest()


def recall(key: str, cache: Cache) -> BuildResult | None:
    """The earlier result of a job with the same fingerprint, if all of its files still exist."""
    listing = cache.get(key)
    if listing is None:
        return None
    about = json.loads(listing)
    contents = [(name, cache.get(key)) for name, key in about["files"]]
    if any(content is None for _, content in contents):
        return None
    return BuildResult(about["game"], tuple(Output(name, content) for name, content in contents if content is not None))


def remember(job: BuildJob, key: str, result: BuildResult, cache: Cache) -> None:
    """Keep the result of a job under its fingerprint at the start. Pictures are already cached one by one.

    If a file has changed in the meantime, it is unknown which content the job read. Then nothing is kept.
    """
    if not result.outputs or {"png", "tabletop", "tts"} & {*job.formats} or fingerprint(job) != key:
        return
    files = []
    for output in result.outputs:
        output_key = key_of("output", output.content)
        if cache.get(output_key) is None:
            cache.put(output_key, output.content)
        files.append((output.name, output_key))
    cache.put(key, json.dumps({"game": result.game_id, "files": files}).encode("utf-8"))


def weight(job: BuildJob) -> int:
    """An estimate of the work for a game. The longest job begins first."""
    return max(1, sum(path.stat().st_size for path in find_pack(job.game).rglob("*.yaml") if path.is_file()))


def make_all(jobs: Sequence[BuildJob], cache: Cache, quiet: bool) -> list[BuildResult]:
    """The files of every job. With several processors, several games are built at once."""
    keys = [fingerprint(job) for job in jobs]
    cached_results = {i: recall(key, cache) for i, key in enumerate(keys)}
    done = {i: cached_result for i, cached_result in cached_results.items() if cached_result is not None}
    todo = sorted((i for i in cached_results if i not in done), key=lambda i: -weight(jobs[i]))
    is_hidden = quiet or not sys.stdout.isatty()
    with click.progressbar(length=PHASES * len(jobs), label="building", hidden=is_hidden, show_eta=False) as bar:
        bar.update(PHASES * len(done))
        heaviest = max((weight(jobs[i]) for i in todo), default=1)
        workers = min(os.cpu_count() or 1, len(todo), max(1, ROOM // heaviest))
        for i, result in (_run_jobs if workers > 1 else _in_turn)(jobs, todo, cache, workers, bar):
            remember(jobs[i], keys[i], result, cache)
            done[i] = result
    return [done[i] for i in range(len(jobs))]


def _in_turn(
    jobs: Sequence[BuildJob], todo: Sequence[int], cache: Cache, workers: int, bar: Any
) -> Iterator[tuple[int, BuildResult]]:
    # Imported late: a build whose outputs are all in the cache draws nothing.
    from modgen.products import make

    for i in todo:
        phases: list[str] = []

        def tell(phase: str, phases: list[str] = phases) -> None:
            if phase not in phases and len(phases) < PHASES:
                phases.append(phase)
                bar.update(1)

        yield i, make(jobs[i], cache, tell)
        bar.update(PHASES - len(phases))


def _run_jobs(
    jobs: Sequence[BuildJob], todo: Sequence[int], cache: Cache, workers: int, bar: Any
) -> Iterator[tuple[int, BuildResult]]:
    # Imported late: a build whose outputs are all in the cache draws nothing.
    from modgen.products import make

    # Spawned rather than forked, because Typst's threads don't survive a fork.
    # A process builds only a few games, because Typst never frees what it has set.
    with ProcessPoolExecutor(workers, get_context("spawn"), max_tasks_per_child=GAMES) as pool:
        waiting = {pool.submit(make, jobs[i], cache): i for i in todo}
        for future in as_completed(waiting):
            i = waiting[future]
            try:
                yield i, future.result()
            except BrokenProcessPool:
                yield i, BuildResult(failure=f"{jobs[i].game}: {ProcessStopped()}")
            bar.update(PHASES)


def writable(folder: Path) -> None:
    """Raise OSError if a folder, which may not exist yet, can't be written to. Checked before the work begins."""
    for parent in (folder, *folder.absolute().parents):
        if parent.exists():
            if not parent.is_dir():
                raise NotADirectoryError(20, "it isn't a folder", str(parent))
            if not os.access(parent, os.W_OK):
                raise PermissionError(13, "it can't be written to", str(parent))
            return


def missing_lock_reason(job: BuildJob, out_folder: Path) -> str:
    """Why a module shouldn't be built: there was one before, and the lock with its ids is gone."""
    folder = find_pack(job.game)
    if (folder / LOCK).exists():
        return ""
    node, _ = read_nodes(folder / "game.yaml")
    game_id = (node.child("game", "id").text if node is not None else None) or folder.name
    earlier_module = out_folder / game_id / f"{game_id}.vmod"
    return (
        f"{job.game}: {missing(folder / LOCK, f'{earlier_module} was built with one')}"
        if earlier_module.exists()
        else ""
    )


def build_games(jobs: Sequence[BuildJob], out_folder: Path, quiet: bool, cache: Cache | None = None) -> dict[str, Any]:
    """Build every game into its folder below `out_folder`. Returns what was written and the time taken.

    If a game can't be built, nothing is written, and `wrong`, `findings` or `failed` give the reasons.
    """
    start = time.perf_counter()
    build_cache = Cache(cache_folder()) if cache is None else cache
    writable(out_folder)
    if failures := [
        message
        for job in jobs
        if "module" in job.formats and not job.new_lock and (message := missing_lock_reason(job, out_folder))
    ]:
        return {"files": [], "seconds": 0.0, "wrong": [], "findings": [], "failed": failures}
    results = make_all(jobs, build_cache, quiet)
    answer: dict[str, Any] = {"files": [], "paper": {}, "seconds": 0.0}
    wrong = [result.wrong for result in results if result.wrong]
    findings = [finding for result in results for finding in result.findings]
    failures = [result.failure for result in results if result.failure]
    if wrong or findings or failures:
        return {**answer, "wrong": wrong, "findings": findings, "failed": failures}
    game_folders: set[Path] = set()
    write_all(
        (out_folder / result.game_id / output.name, output.content) for result in results for output in result.outputs
    )
    for one in results:
        for output in one.outputs:
            path = out_folder / one.game_id / output.name
            game_folders.add(path.parent)
            answer["files"].append(str(path))
            if path.suffix == ".pdf" and "calibration" not in path.name:
                answer["paper"][str(path)] = sheets_of_paper(output.content)
    for folder in sorted(game_folders | {find_pack(job.game) for job in jobs}):
        clean(folder)
    build_cache.tidy()
    return {**answer, "seconds": round(time.perf_counter() - start, 2)}

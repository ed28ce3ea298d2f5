"""Run cases under limits, count how they end, and keep what crashed."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import linecache
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[2]
SOURCE_FOLDERS = tuple(str(ROOT / room) for room in ("scenarios", "art", "modgen", "assistant"))
SECONDS = 20.0
"""How long a case may take, on a busy machine."""
MEMORY = 3 << 30
"""How much the process may take, in bytes of addresses."""

Case = Mapping[str, Any]
"""What a case is made of: bytes, texts and JSON by name."""


class TooSlow(BaseException):
    """A case that took too long."""


@dataclass(frozen=True)
class Part:
    """A kind of input: how a case is made, and how it is tried. `run` gives a word for how it ended."""

    make: Callable[[Random], Case]
    run: Callable[[Case], str]


@dataclass
class Tally:
    """How the cases of a part ended."""

    cases: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    longest: Case | None = None
    """The slowest case."""
    ends: Counter[str] = field(default_factory=Counter)
    crashes: dict[str, str] = field(default_factory=dict)
    """The files of the crashes, by where in our code they happened."""


@contextlib.contextmanager
def limits(memory: int = MEMORY) -> Iterator[None]:
    """Memory bounded, and the alarm of slow cases set up; both as before afterwards."""
    import resource

    def stop(number: int, frame: object) -> None:
        raise TooSlow

    was = resource.getrlimit(resource.RLIMIT_AS)
    old_handler = signal.signal(signal.SIGALRM, stop)
    resource.setrlimit(resource.RLIMIT_AS, (memory, was[1]))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old_handler)
        resource.setrlimit(resource.RLIMIT_AS, was)


def run_case(part: Part, case: Case) -> tuple[str, BaseException | None]:
    """How a case ends: a word, or what crashed."""
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return part.run(case), None
    except (Exception, TooSlow, SystemExit) as error:
        return "crash", error
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def has_sentence(error: BaseException) -> bool:
    """Whether an error was raised by our own code with a sentence, not by a slip in it."""
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    if last is None or not last.filename.startswith(SOURCE_FOLDERS):
        return False
    lines = [
        linecache.getline(last.filename, number)
        for number in range(max(1, (last.lineno or 1) - 6), (last.end_lineno or 1) + 1)
    ]
    return any("raise " in line for line in lines) and bool(str(error).strip())


def place(error: BaseException) -> str:
    """The kind of error and the innermost place in our code."""
    frames = traceback.extract_tb(error.__traceback__)
    own_frames = [frame for frame in frames if frame.filename.startswith(SOURCE_FOLDERS)] or frames
    frame = own_frames[-1] if own_frames else None
    location = (
        f"{Path(frame.filename).relative_to(ROOT)}:{frame.lineno}"
        if frame and frame.filename.startswith(str(ROOT))
        else "?"
    )
    detail = f" ({str(error)[:90]})" if location.startswith("tests") else ""
    return f"{type(error).__name__} at {location}{detail}"


def run_part(name: str, part: Part, random: Random, until: float, max_cases: int, keep: Path) -> Tally:
    """Cases of a part until a moment or a number of them."""
    tally = Tally()
    start_time = time.perf_counter()
    while tally.cases < max_cases and time.monotonic() < until:
        case = part.make(random)
        start = time.perf_counter()
        word, error = run_case(part, case)
        took = time.perf_counter() - start
        tally.cases += 1
        if took > tally.slowest:
            tally.slowest, tally.longest = took, case
        tally.ends[word] += 1
        if error is not None and (crash_place := place(error)) not in tally.crashes:
            tally.crashes[crash_place] = str(write_crash(name, case, error, keep))
    tally.seconds = time.perf_counter() - start_time
    return tally


def write_crash(name: str, case: Case, error: BaseException | None, folder: Path) -> Path:
    """A crash as a file: the case, and where it happened; without an error the slowest case of a part."""
    folder.mkdir(parents=True, exist_ok=True)
    trace_lines = traceback.format_exception(error) if error is not None else []
    text = json.dumps(
        {"part": name, "case": _to_plain(case), "error": "".join(trace_lines)[-4000:]}, indent=1, ensure_ascii=False
    )
    key = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8] if error is not None else "slowest"
    path = folder / f"{name}-{key}.json"
    path.write_text(text, encoding="utf-8", errors="replace")
    return path


def read_case(path: Path) -> tuple[str, Case]:
    """The part and the case of a file that a crash was kept in."""
    record = json.loads(path.read_text(encoding="utf-8"))
    return record["part"], _real(record["case"])


def _to_plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode("ascii")}
    if isinstance(value, Mapping):
        return {"items": [[key, _to_plain(child)] for key, child in value.items()]}
    return [_to_plain(child) for child in value] if isinstance(value, list | tuple) else value


def _real(value: Any) -> Any:
    if isinstance(value, dict) and "base64" in value:
        return base64.b64decode(value["base64"])
    if isinstance(value, dict):
        return {key: _real(child) for key, child in value["items"]}
    return [_real(child) for child in value] if isinstance(value, list) else value


def table(tallies: Mapping[str, Tally]) -> Sequence[str]:
    """The counts as the rows of a table."""
    rows = ["| part | cases | answers | findings, sentences | crashes | slowest |", "|---|---|---|---|---|---|"]
    for name, tally in (*tallies.items(), ("all", _sum(tallies))):
        cells = (
            f"{tally.cases:,}",
            f"{tally.ends['answer']:,}",
            f"{tally.ends['sentence']:,}",
            f"{tally.ends['crash']:,}",
            f"{tally.slowest:.1f} s",
        )
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return rows


def _sum(tallies: Mapping[str, Tally]) -> Tally:
    total = Tally()
    for tally in tallies.values():
        total.cases += tally.cases
        total.ends.update(tally.ends)
        total.slowest = max(total.slowest, tally.slowest)
    return total

"""How long something takes, on a machine that does other things too."""

from __future__ import annotations

import time
from collections.abc import Callable


def took(times: int, call: Callable[[], object]) -> float:
    """The best of several runs, in milliseconds of CPU time."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best * 1000

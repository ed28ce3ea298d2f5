"""What is worked out of a game or of a map alone, kept with it as long as it lives."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")
MOST_KEPT = 8_192


def once(of: Any, make: Callable[..., T], *told: Hashable) -> T:
    """What `make` gives for an object that never changes and for `told`: worked out once and kept with the object."""
    kept: dict[Any, T] = of.__dict__.setdefault("_kept", {})
    key = make, told
    if key not in kept:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[key] = make(of, *told)
    return kept[key]

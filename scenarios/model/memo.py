"""What is worked out of a game or of a map alone, kept with it as long as it lives."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")
MOST_KEPT = 8_192


def cached_on(owner: Any, make: Callable[..., T], *arguments: Hashable) -> T:
    """What `make` gives for an object that never changes and for `told`: worked out once and kept with the object."""
    cache: dict[Any, T] = owner.__dict__.setdefault("_kept", {})
    key = make, arguments
    if key not in cache:
        if len(cache) >= MOST_KEPT:
            cache.clear()
        cache[key] = make(owner, *arguments)
    return cache[key]

"""A memo on an object: results that depend on a game or a map alone, cached as long as the object lives."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")
MOST_KEPT = 8_192


def cached_on(owner: Any, make: Callable[..., T], *arguments: Hashable) -> T:
    """The result of `make(owner, *arguments)`. It is computed once and cached on `owner`, which must never change."""
    cache: dict[Any, T] = owner.__dict__.setdefault("_kept", {})
    key = make, arguments
    if key not in cache:
        if len(cache) >= MOST_KEPT:
            cache.clear()
        cache[key] = make(owner, *arguments)
    return cache[key]

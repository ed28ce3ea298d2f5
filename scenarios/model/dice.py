"""Exact dice: the chance of every sum as a fraction."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

DICE = re.compile(r"([1-9]?)d([1-9]\d?)")


@functools.cache
def dice(text: str) -> Mapping[int, Fraction]:
    """The chance of each sum of a dice text such as '2d6'."""
    match = DICE.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no throw of dice; write one such as 1d6 or 2d6")
    count, faces = int(match[1] or 1), int(match[2])
    chances = {0: Fraction(1)}
    for _ in range(count):
        chance_of_total: dict[int, Fraction] = {}
        for total, chance in chances.items():
            for face in range(1, faces + 1):
                chance_of_total[total + face] = chance_of_total.get(total + face, Fraction(0)) + chance / faces
        chances = chance_of_total
    return MappingProxyType(chances)

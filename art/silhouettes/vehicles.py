"""Tanks, carriers, guns and aircraft."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from art.svg import Element, circle, path, rect


def _track(x: float, width: float, ink: str, shade: str, wheels: int = 5) -> list[Element]:
    """A tank's running gear from x on."""
    step = (width - 2.4) / (wheels - 1)
    rolls = [circle(x + 1.2 + i * step, 9.9, 0.85, fill=shade) for i in range(wheels)]
    return [rect(x, 8.5, width, 2.6, rx=1.3, fill=ink), *rolls]


def tank(ink: str, shade: str) -> list[Element]:
    """A plain battle tank."""
    hull = "M3.6 8.7L2.4 7.2L5 6.3H20.4L21.8 7.4L21 8.7Z"
    turret = "M8.4 6.4L9.2 4.2Q9.6 3.4 10.6 3.4H14.6Q15.8 3.4 16.2 4.4L16.8 6.4Z"
    return [
        *_track(2.6, 18.8, ink, shade),
        path(hull, fill=ink),
        path(turret, fill=ink),
        rect(0.4, 4.4, 8.6, 0.75, fill=ink),
    ]


DRAWINGS: Mapping[str, Callable[[str, str], list[Element]]] = {"tank_t62": tank}

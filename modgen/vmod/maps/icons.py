"""The toolbar's own icons, for buttons without an icon of the engine."""

from __future__ import annotations

from art import svg
from modgen.vmod.pieces.pictures import SvgPicture, draw_picture

SIZE = 20
DARK, LIGHT, WARM, RED, BLUE = "#2e4057", "#f4efe2", "#e0b34a", "#c0261c", "#1c55c0"
PATHS = {
    "trays": [
        ("M2 3H18V8H2Z", LIGHT),
        ("M2 11H9V17H2Z", LIGHT),
        ("M11 11H18V17H11Z", LIGHT),
        ("M4 4.5H7V7H4Z", BLUE),
        ("M8.5 4.5H11.5V7H8.5Z", RED),
        ("M4 13H7V16H4Z", BLUE),
    ],
    "boxes": [
        ("M1 7H5.5V13H1Z", LIGHT),
        ("M5.5 7H10V13H5.5Z", WARM),
        ("M10 7H14.5V13H10Z", LIGHT),
        ("M14.5 7H19V13H14.5Z", LIGHT),
    ],
    "ground": [("M2 13L7 8L11 11L15 6L18 9V16H2Z", WARM), ("M4 3H9V7H4Z", LIGHT)],
    "hand": [("M3 9L6 4L9 9V16H3Z", LIGHT), ("M8 8H13V16H8Z", BLUE), ("M12 7L17 9L15 16L11 15Z", RED)],
    "charts": [
        ("M3 3H17V17H3Z", LIGHT),
        ("M3 3H17V7H3Z", WARM),
        ("M3 12H17", DARK),
        ("M8 7V17", DARK),
        ("M12.5 7V17", DARK),
    ],
    "roll": [("M3 3H17V17H3Z", LIGHT), *((f"M{x} {y}h2v2h-2Z", RED) for x, y in ((5.5, 5.5), (9, 9), (12.5, 12.5)))],
    "conditions": [
        ("M2 5.5H18M2 10.5H18M2 15.5H18", DARK),
        ("M5 3H8V8H5Z", WARM),
        ("M11 8H14V13H11Z", BLUE),
        ("M6 13H9V18H6Z", RED),
    ],
    "battle": [
        ("M3 2H5.5L15 12L13 14L3 4.5Z", LIGHT),
        ("M17 2H14.5L5 12L7 14L17 4.5Z", LIGHT),
        ("M2 13L7 17L5.5 18.5L1.5 15Z", RED),
        ("M18 13L13 17L14.5 18.5L18.5 15Z", BLUE),
    ],
    "sight": [("M1 10L6 5.5H14L19 10L14 14.5H6Z", LIGHT), ("M7 7.5H13V12.5H7Z", BLUE), ("M9 9H11V11H9Z", DARK)],
    "scenario": [("M4 2H16V18H4Z", LIGHT), ("M6 5H14M6 8H14M6 11H14M6 14H11", DARK)],
    "player": [("M7 3H13V9H7Z", LIGHT), ("M3 17V13L6 11H14L17 13V17Z", BLUE)],
    "ask": [
        ("M2 3H18V13.5H10L6 17.5V13.5H2Z", LIGHT),
        ("M7 5H13V9.3H11V10H9V7.5H11V6.7H7Z", BLUE),
        ("M9 11H11V12.5H9Z", BLUE),
    ],
    "chores": [("M3 3H17V17H3Z", LIGHT), ("M5.5 10L8.5 13.5L15 6L16 7L8.5 16L4.5 11Z", DARK)],
}


def icon(name: str) -> str:
    """The file name of an icon's picture."""
    return f"icon-{name}.png"


def icons(names: list[str]) -> dict[str, SvgPicture]:
    """Icons by the names of their pictures."""
    return {
        icon(name): draw_picture(
            [svg.path(d, fill=fill, stroke=DARK, stroke_width=1) for d, fill in PATHS[name]], SIZE, SIZE
        )
        for name in names
    }

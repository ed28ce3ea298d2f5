"""The gallery in docs/ with every counter, marker, symbol and silhouette. `python -m art.gallery` writes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from art import svg
from art.counters.face import SIZE, Side, face_group
from art.counters.marker_pictures import PICTURES
from art.counters.markers import marker_group
from art.counters.silhouettes import SILHOUETTES, silhouette
from art.counters.symbols import MARKS, SIZES, SYMBOL_HEIGHT, SYMBOL_WIDTH, symbol
from art.svg import Element
from art.text import text
from scenarios.model.counters import Marker, Unit
from scenarios.model.game import Game
from scenarios.pack.loading import load
from scenarios.pack.pack_folder import samples, shipped_games

DOCS = Path(__file__).resolve().parent.parent / "docs"
STEP = SIZE + 2
PAIRS = 6
"""The number of counters in a row. Each has its back beside it."""
BOTH_SIDES: tuple[Side, Side] = ("front", "back")


def pages(games: Sequence[Game], small_games: Sequence[Game] = ()) -> dict[str, bytes]:
    """Every file of the gallery, by its path under docs. The samples (`small_games`) come after the games."""
    files: dict[str, bytes] = {}
    words = ["# Gallery", "", "Every counter and marker, front and back, as `python -m art.gallery` draws them.", ""]
    for game in games:
        words += [f"## {game.title}", "", *_counters(game, "###", files)]
    if small_games:
        words += [
            "## Samples",
            "",
            "Small games of our own with all their rules. `modgen new DIR --like NAME` begins with one.",
            "",
        ]
    for game in small_games:
        words += [f"### {game.title}", "", f"`{game.id}`: {game.card.summary}", "", *_counters(game, "####", files)]
    files["gallery/symbols.svg"] = svg.to_bytes(_symbols())
    files["gallery/pictures.svg"] = svg.to_bytes(_pictures())
    files["gallery/silhouettes.svg"] = svg.to_bytes(_silhouettes())
    for name in ("Symbols", "Silhouettes", "Pictures"):
        words += [f"## {name}", "", f"![{name}](gallery/{name.lower()}.svg)", ""]
    files["gallery.md"] = "\n".join(words).encode()
    return files


def _counters(game: Game, heading: str, files: dict[str, bytes]) -> list[str]:
    """The counters of a game by nation, and its markers. Their pictures are added to `files`."""
    words = []
    for nation_id, nation in game.nations.items():
        units = [unit for unit in game.units.values() if unit.nation == nation_id]
        if units:
            path = f"gallery/{game.id}-{nation_id}.svg"
            files[path] = svg.to_bytes(_faces([counter for unit in units for counter in _sides(game, unit)]))
            words += [f"{heading} {nation.name}", "", f"![{nation.name}]({path})", "", *_table(game, units), ""]
    if game.markers:
        path = f"gallery/{game.id}-markers.svg"
        copies = {key: _first(marker) for key, marker in game.markers.items()}
        faces = [marker_group(game, key, copies[key], side) for key in game.markers for side in BOTH_SIDES]
        files[path] = svg.to_bytes(_faces(faces))
        words += [f"{heading} Markers", "", f"![Markers]({path})", "", *_marker_table(game.markers), ""]
    return words


def _sides(game: Game, unit: Unit) -> Iterable[Element]:
    copy = unit.numbers[0] if unit.numbers else ""
    return [face_group(game, unit, side, copy) for side in BOTH_SIDES]


def _first(marker: Marker) -> str:
    return marker.numbers[0][0] if marker.numbers else ""


def _faces(faces: Sequence[Element]) -> Element:
    """Faces in rows: fronts with their backs."""
    columns = 2 * PAIRS
    parts = []
    for i, face in enumerate(faces):
        row, place = divmod(i, columns)
        x = place * SIZE + place // 2 * 2 + place % 2 * 0.4
        cell = svg.element("svg", [face], x=x, y=row * STEP, width=SIZE, height=SIZE, viewBox=f"0 0 {SIZE:g} {SIZE:g}")
        parts.append(cell)
    rows = -(-len(faces) // columns)
    sheet_width = min(columns, len(faces)) / 2 * (2 * SIZE + 2)
    return svg.drawing(sheet_width, rows * STEP, parts)


def _lay_out_rows(entries: Sequence[tuple[str, Element]], width: float, height: float, columns: int) -> Element:
    """Drawings in rows with their names below them."""
    parts = []
    for i, (name, picture) in enumerate(entries):
        row, place = divmod(i, columns)
        x, y = place * (width + 10), row * (height + 10)
        parts.append(svg.translate(picture, x + 5, y + 4))
        parts.append(
            text(name.replace("_", " "), x + 5 + width / 2, y + height + 8, 2.6, "regular", "middle", fill="#222222")
        )
    rows = -(-len(entries) // columns)
    paper = svg.rect(0, 0, columns * (width + 10), rows * (height + 10) + 2, fill="#fffdf7")
    return svg.drawing(columns * (width + 10), rows * (height + 10) + 2, [paper, *parts])


def _symbols() -> Element:
    marks = [(name, symbol(name, "#1f2328", "#ffffff")) for name in MARKS]
    sizes = [(name, symbol("infantry", "#1f2328", "#ffffff", name)) for name in SIZES]
    return _lay_out_rows([*marks, *sizes], SYMBOL_WIDTH, SYMBOL_HEIGHT, 8)


def _silhouettes() -> Element:
    return _lay_out_rows([(name, silhouette(name, "#1f2328", "#9aa0a6")) for name in SILHOUETTES], 24, 12, 5)


def _pictures() -> Element:
    icons = [(name, svg.group(draw("#1f2328", "#d5d9dd"))) for name, draw in PICTURES.items()]
    return _lay_out_rows(icons, 12, 8, 8)


def _table(game: Game, units: Iterable[Unit]) -> list[str]:
    rows = ["| Counter | Name | Type | Factors | Back | Copies |", "|---|---|---|---|---|---|"]
    for unit in units:
        kind = game.types[unit.type].name if unit.type in game.types else unit.type
        factors = ", ".join(f"{key} {value}" for key, value in unit.factors.items())
        changes = {} if unit.back is None else {k: v for k, v in unit.back.items() if v != unit.factors.get(k)}
        back_text = ", ".join(
            [*([unit.back_state] if unit.back_state else []), *(f"{k} {v}" for k, v in changes.items())]
        )
        rows.append(f"| `{unit.id}` | {unit.name} | {kind} | {factors} | {back_text} | {unit.count} |")
    return rows


def _marker_table(markers: Mapping[str, Marker]) -> list[str]:
    rows = ["| Marker | Name | Kind | Copies |", "|---|---|---|---|"]
    return rows + [
        f"| `{key}` | {marker.name} | {marker.kind} | {marker.count or 1} |" for key, marker in markers.items()
    ]


def main() -> None:
    """Write the gallery, and remove its outdated files."""
    files = pages([load(game_id) for game_id in shipped_games()], [load(name) for name in samples()])
    folder = DOCS / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    for old in sorted(folder.glob("*.svg")):
        if f"gallery/{old.name}" not in files:
            old.unlink()
    for path, content in files.items():
        (DOCS / path).write_bytes(content)


if __name__ == "__main__":
    main()

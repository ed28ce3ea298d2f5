"""A table between another author's module of a game and Mitla's pack, proposed by names and grid. A person corrects it."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from modgen.importing.kinds import PieceKind
from modgen.importing.names import clean
from modgen.importing.pack import ImportedModule
from modgen.importing.places import MapOut
from scenarios.files import write_text
from scenarios.model.game import Game, Map
from scenarios.model.maps import HexMap
from scenarios.vassal.geometry import SMALL, BoardSheet
from scenarios.vassal.other_modules import COLUMNS, FLIPPED_FACE

Row = dict[str, object]
MIN_SIMILARITY = 0.72
"""The smallest similarity of two names that are proposed as a pair; 1 means equal."""
MOST_ROWS = 60_000
EVERYWHERE = 100_000


def propose(imported_module: ImportedModule, game: Game) -> list[Row]:
    """The rows of a table; `ours` is empty if nothing fits."""
    scenario = next(iter(game.scenarios), "")
    table = game.scenario_maps[scenario]
    rows: list[Row] = [
        {"kind": "game", "name": clean(imported_module.module.root.get("name", "")), "ours": game.id},
        {"kind": "scenario", "ours": scenario, "why": "the first; name the scenario that you play"},
    ]
    rows += _pieces(imported_module, game)
    rows += _states(imported_module, game)
    for map_out in imported_module.places.maps.values():
        rows += _on_map(imported_module, map_out, table)
    rows += _window_rows(imported_module, table)
    return rows[:MOST_ROWS]


def write_table(path: Path, rows: Sequence[Row]) -> dict[str, int]:
    """Write the table. Returns the number of rows of each kind, and the number with an entry of Mitla."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(path, buffer.getvalue())
    row_counts: Counter[str] = Counter()
    for row in rows:
        if row["kind"] in ("piece", "place"):
            row_counts[f"{row['kind']}s"] += 1
            row_counts[f"{row['kind']}s proposed"] += bool(row.get("ours"))
    return dict(row_counts)


def _words(text: str) -> str:
    """A name without the differences between writers: case, accents, endings of ordinals, order of words."""
    plain_text = re.sub(r"(\d+)(st|nd|rd|th|e)\b", r"\1", text.lower())
    word_list = re.findall(r"[^\W_]+", plain_text)
    return " ".join(sorted(word_list))


def _pieces(imported_module: ImportedModule, game: Game) -> Iterator[Row]:
    ids: dict[str, list[str]] = {}
    for gpid, kind in imported_module.kinds.by_gpid.items():
        ids.setdefault(kind.id, []).append(gpid)
    names_by_id = dict(_names(game))
    by_words: dict[str, list[str]] = {}
    for key, names in names_by_id.items():
        for name in names:
            by_words.setdefault(_words(name), []).append(key)
    find = _finder({key: [_words(name) for name in names] for key, names in names_by_id.items()})
    for kind in imported_module.kinds.by_key.values():
        pack_id, reason = _piece(kind, names_by_id, by_words, find)
        yield {"kind": "piece", "id": " ".join(ids.get(kind.id, ())), "name": kind.name, "ours": pack_id, "why": reason}


def _piece(
    kind: PieceKind,
    pack_ids: Mapping[str, object],
    by_words: Mapping[str, Sequence[str]],
    find: Callable[[str], tuple[str, float]],
) -> tuple[str, str]:
    if (unit_id := kind.properties.get("unit", "")) in pack_ids:
        return unit_id, "the same id"
    same_name_ids = dict.fromkeys(by_words.get(_words(kind.name), ()))
    if len(same_name_ids) == 1:
        return next(iter(same_name_ids)), "the same name"
    if same_name_ids:
        return next(iter(same_name_ids)), f"the same name, as {', '.join(list(same_name_ids)[1:4])}"
    pack_id, much = find(_words(kind.name))
    return (pack_id, f"a similar name ({much:.2f})") if much >= MIN_SIMILARITY else ("", "")


def _names(game: Game) -> Iterator[tuple[str, list[str]]]:
    for key, unit in game.units.items():
        nation = game.nations[unit.nation]
        names = [
            unit.name,
            key.replace("_", " "),
            f"{nation.adjective or nation.name} {unit.name}",
            f"{unit.formation} {unit.name}",
        ]
        yield key, [*names, *(f"{nation.letters} {name}" for name in names[:1])]
    for key, marker in game.markers.items():
        yield key, [marker.name, key.replace("_", " "), *marker.also]


def _finder(names: Mapping[str, Sequence[str]]) -> Callable[[str], tuple[str, float]]:
    """A function that finds the name most similar to a text. It compares only names that share a word with the text."""
    by_word: dict[str, set[tuple[str, str]]] = {}
    for key, key_names in names.items():
        for name in key_names:
            for word in name.split():
                by_word.setdefault(word, set()).add((key, name))

    def find(text: str) -> tuple[str, float]:
        pairs = {pair for word in text.split() for pair in by_word.get(word, ())}
        scores = [(SequenceMatcher(None, text, name).ratio(), key) for key, name in sorted(pairs)[:2000]]
        much, key = max(scores, default=(0.0, ""))
        return key, much

    return find


def _states(imported_module: ImportedModule, game: Game) -> Iterator[Row]:
    find = _finder({key: [_words(state.name), _words(key.replace("_", " "))] for key, state in game.states.items()})
    layer_names: set[str] = set()
    for kind in imported_module.kinds.by_key.values():
        if kind.turns is not None and kind.turns.name and kind.turns.name not in layer_names:
            layer_names.add(kind.turns.name)
            level = 2 if kind.turns.always else 1
            yield {
                "kind": "state",
                "name": kind.turns.name,
                "x": level,
                "ours": FLIPPED_FACE,
                "why": "the layer that turns counters over",
            }
        for layer in kind.layers:
            if layer.always or not layer.name or layer.name in layer_names:
                continue
            layer_names.add(layer.name)
            pack_id, much = find(_words(layer.name.replace("_", " ")))
            pack_id, reason = (pack_id, f"a similar name ({much:.2f})") if much >= MIN_SIMILARITY else ("", "")
            yield {"kind": "state", "name": layer.name, "x": 1, "ours": pack_id, "why": reason}


def _on_map(imported_module: ImportedModule, map_out: MapOut, table: Map) -> Iterator[Row]:
    boards = ";".join(placed_sheet.sheet.name for placed_sheet in map_out.layout)
    window = imported_module.places.main.name
    if not map_out.hexes:
        find = _places_of(table)
        for name, x, y in map_out.points.values():
            pack_id, reason = find(name)
            yield _place(window, boards, x, y, 1.5 * imported_module.places.counter, name, pack_id, reason)
        return
    spots: list[tuple[str, float, float, float]] = []
    for placed_sheet in map_out.layout:
        board = map_out.hexes.get(placed_sheet.sheet.name)
        if board is None or board.sheet.hexes is None:
            continue
        names = board.sheet.hexes.names()
        for cell, hex in board.cells.items():
            x, y = board.sheet.hexes.spot(cell)
            if placed_sheet.is_rotated:
                x, y = placed_sheet.sheet.size[0] - x, placed_sheet.sheet.size[1] - y
            name = names.get(cell) or board.grid.grid.name(hex)
            spots.append((name, placed_sheet.x + x, placed_sheet.y + y, 0.7 * board.sheet.hexes.dy))
    hex_matches = _hexes({name: (x, y) for name, x, y, _ in spots}, table)
    for name, x, y, reach in spots:
        yield _place(window, boards, x, y, reach, name, *hex_matches.get(name, ("", "")))


def _place(window: str, boards: str, x: float, y: float, reach: float, name: str, pack_id: str, reason: str) -> Row:
    return {
        "kind": "place",
        "name": name,
        "window": window,
        "boards": boards,
        "x": round(x),
        "y": round(y),
        "reach": round(reach),
        "ours": pack_id,
        "why": reason,
    }


def _hexes(spots: Mapping[str, tuple[float, float]], table: Map) -> Mapping[str, tuple[str, str]]:
    """Mitla's hex for each of the module's, by the same name or the same two numbers in either order.

    Neighbors have to stay neighbors.
    """
    if not isinstance(table, HexMap):
        return {}
    hex_names = {name: table.name(hex) for hex, aliases in table.names.items() for name in aliases}
    pairs = {numbers: name for name in hex_names.values() if (numbers := _numbers(name)) is not None}
    candidates: list[dict[str, tuple[str, str]]] = [
        {name: (hex_names[name], "the same name") for name in spots if name in hex_names}
    ]
    for is_turned, reason in ((False, "the same numbers"), (True, "the same numbers in reverse order")):
        matches = {}
        for name in spots:
            numbers = _numbers(name)
            key = numbers[::-1] if numbers is not None and is_turned else numbers
            if key is not None and key in pairs:
                matches[name] = pairs[key], reason
        candidates.append(matches)
    sheet = BoardSheet(table)

    def score(matches: Mapping[str, tuple[str, str]]) -> tuple[bool, int]:
        return _fits(
            [(spots[name], sheet.centre(table.hex(hex_name))) for name, (hex_name, _) in matches.items()]
        ), len(matches)

    return max(candidates, key=score)


def _fits(pairs: Sequence[tuple[tuple[float, float], tuple[int, int]]]) -> bool:
    """Whether moving, stretching and turning, without a mirror, map points onto others, by least squares."""
    count = len(pairs)
    if count < 3:
        return False
    middle = [sum(spot[i] for spot, _ in pairs) / count for i in (0, 1)]
    goal = [sum(target[i] for _, target in pairs) / count for i in (0, 1)]
    centred_pairs = [((x - middle[0], y - middle[1]), (u - goal[0], v - goal[1])) for (x, y), (u, v) in pairs]
    xx, xy, yy = (sum(spot[i] * spot[j] for spot, _ in centred_pairs) for i, j in ((0, 0), (0, 1), (1, 1)))
    determinant = xx * yy - xy * xy
    if determinant <= 0:
        return False
    rows = []
    for axis in (0, 1):
        xu, yu = (sum(spot[i] * target[axis] for spot, target in centred_pairs) for i in (0, 1))
        rows.append(((xu * yy - yu * xy) / determinant, (yu * xx - xu * xy) / determinant))
    mean_error = (
        sum(abs(a * x + b * y - target[axis]) for (x, y), target in centred_pairs for axis, (a, b) in enumerate(rows))
        / count
    )
    return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0] > 0 and mean_error < SMALL[0] / 2


def _numbers(name: str) -> tuple[int, int] | None:
    """Column and row in a hex's name. A letter counts as its position in the alphabet."""
    if match := re.fullmatch(r"\D*(\d{1,3})\D+(\d{1,3})", name):
        return int(match[1]), int(match[2])
    if match := re.fullmatch(r"\D*(\d{2})(\d{2})", name) or re.fullmatch(r"\D*(\d{3})(\d{3})", name):
        return int(match[1]), int(match[2])
    if match := re.fullmatch(r"(?:.*\W)?([A-Z])\1*\W?(\d{1,3})", name):
        letters = re.match(r"(?:.*\W)?([A-Z]+)", name)
        return ord(match[1]) - 64 + 26 * (len(letters[1]) - 1 if letters else 0), int(match[2])
    return None


def _places_of(table: Map) -> Callable[[str], tuple[str, str]]:
    """A function that finds Mitla's point or box for a place of the module."""
    names_by_place: dict[str, list[str]] = {}
    if not isinstance(table, HexMap):
        names_by_place |= {key: [_words(point.name)] for key, point in table.points.items()}
    names_by_place |= {f"box:{key}": [_words(box.name)] for key, box in table.boxes.items()}
    for key, track in table.tracks.items():
        names_by_place |= {f"box:{key}/{label}": [_words(f"{track.name} {label}")] for label in track.labels}
    exact = {name: key for key, names in reversed([*names_by_place.items()]) for name in names}
    find = _finder(names_by_place)

    def place(name: str) -> tuple[str, str]:
        words = _words(name)
        if words in exact:
            return exact[words], "the same name"
        key, much = find(words)
        return (key, f"a similar name ({much:.2f})") if much >= MIN_SIMILARITY else ("", "")

    return place


def _window_rows(imported_module: ImportedModule, table: Map) -> Iterable[Row]:
    """The rows for the windows beside the map, place by place. A window without places is one place."""
    find = _places_of(table)
    places = imported_module.places
    for window in places.windows.values():
        if window is places.main:
            continue
        for placed_sheet in window.start:
            for place in placed_sheet.sheet.places:
                pack_id, reason = find(place.name)
                yield _place(
                    window.name,
                    "",
                    placed_sheet.x + place.x,
                    placed_sheet.y + place.y,
                    3 * places.counter,
                    place.name,
                    pack_id,
                    reason,
                )
            if not placed_sheet.sheet.places:
                pack_id, reason = find(window.name)
                yield _place(window.name, "", placed_sheet.x, placed_sheet.y, EVERYWHERE, window.name, pack_id, reason)

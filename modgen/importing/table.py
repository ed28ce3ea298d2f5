"""A table between somebody's module of a game and our pack, proposed by names and grid, for a person to correct."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from modgen.importing.kinds import Kind
from modgen.importing.pack import Imported
from modgen.importing.places import MapOut
from modgen.importing.words import clean
from scenarios.files import write_text
from scenarios.game import Game, Map
from scenarios.maps import HexMap
from scenarios.vassal.foreign import BACK, COLUMNS
from scenarios.vassal.geometry import SMALL, Sheet

Row = dict[str, object]
ALIKE = 0.72
"""How much alike two names must be to be proposed: 1 is the same."""
MOST_ROWS = 60_000
EVERYWHERE = 100_000


def propose(held: Imported, game: Game) -> list[Row]:
    """The rows of a table; `ours` is empty where nothing fits."""
    scenario = next(iter(game.scenarios), "")
    table = game.scenario_maps[scenario]
    rows: list[Row] = [
        {"kind": "game", "name": clean(held.module.root.get("name", "")), "ours": game.id},
        {"kind": "scenario", "ours": scenario, "why": "the first; write the one that is played"},
    ]
    rows += _pieces(held, game)
    rows += _states(held, game)
    for made in held.places.maps.values():
        rows += _on_map(held, made, table)
    rows += _beside(held, table)
    return rows[:MOST_ROWS]


def write_table(path: Path, rows: Sequence[Row]) -> dict[str, int]:
    """Write the table; how many of each kind there are, and how many have something of ours."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(path, out.getvalue())
    counted: Counter[str] = Counter()
    for row in rows:
        if row["kind"] in ("piece", "place"):
            counted[f"{row['kind']}s"] += 1
            counted[f"{row['kind']}s proposed"] += bool(row.get("ours"))
    return dict(counted)


def _words(text: str) -> str:
    """A name without what people write in different ways: case, marks, endings of ordinals, order of words."""
    plain = re.sub(r"(\d+)(st|nd|rd|th|e)\b", r"\1", text.lower())
    found = re.findall(r"[^\W_]+", plain)
    return " ".join(sorted(found))


def _pieces(held: Imported, game: Game) -> Iterator[Row]:
    ids: dict[str, list[str]] = {}
    for gpid, kind in held.kinds.by_gpid.items():
        ids.setdefault(kind.id, []).append(gpid)
    known = dict(_names(game))
    by_words: dict[str, list[str]] = {}
    for key, names in known.items():
        for name in names:
            by_words.setdefault(_words(name), []).append(key)
    find = _finder({key: [_words(name) for name in names] for key, names in known.items()})
    for kind in held.kinds.all.values():
        ours, why = _piece(kind, known, by_words, find)
        yield {"kind": "piece", "id": " ".join(ids.get(kind.id, ())), "name": kind.name, "ours": ours, "why": why}


def _piece(
    kind: Kind,
    known: Mapping[str, object],
    by_words: Mapping[str, Sequence[str]],
    find: Callable[[str], tuple[str, float]],
) -> tuple[str, str]:
    if (told := kind.properties.get("unit", "")) in known:
        return told, "the same id"
    same = dict.fromkeys(by_words.get(_words(kind.name), ()))
    if len(same) == 1:
        return next(iter(same)), "the same name"
    if same:
        return next(iter(same)), f"the same name, as {', '.join(list(same)[1:4])}"
    ours, much = find(_words(kind.name))
    return (ours, f"a similar name ({much:.2f})") if much >= ALIKE else ("", "")


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
    """A function that finds what is called most like a text; names that share no word with it aren't compared."""
    by_word: dict[str, set[tuple[str, str]]] = {}
    for key, listed in names.items():
        for name in listed:
            for word in name.split():
                by_word.setdefault(word, set()).add((key, name))

    def find(text: str) -> tuple[str, float]:
        near = {pair for word in text.split() for pair in by_word.get(word, ())}
        scored = [(SequenceMatcher(None, text, name).ratio(), key) for key, name in sorted(near)[:2000]]
        much, key = max(scored, default=(0.0, ""))
        return key, much

    return find


def _states(held: Imported, game: Game) -> Iterator[Row]:
    find = _finder({key: [_words(state.name), _words(key.replace("_", " "))] for key, state in game.states.items()})
    seen: set[str] = set()
    for kind in held.kinds.all.values():
        if kind.turns is not None and kind.turns.name and kind.turns.name not in seen:
            seen.add(kind.turns.name)
            level = 2 if kind.turns.always else 1
            yield {
                "kind": "state",
                "name": kind.turns.name,
                "x": level,
                "ours": BACK,
                "why": "the layer that turns counters over",
            }
        for layer in kind.layers:
            if layer.always or not layer.name or layer.name in seen:
                continue
            seen.add(layer.name)
            ours, much = find(_words(layer.name.replace("_", " ")))
            ours, why = (ours, f"a similar name ({much:.2f})") if much >= ALIKE else ("", "")
            yield {"kind": "state", "name": layer.name, "x": 1, "ours": ours, "why": why}


def _on_map(held: Imported, made: MapOut, table: Map) -> Iterator[Row]:
    boards = ";".join(laid.sheet.name for laid in made.layout)
    window = held.places.main.name
    if not made.hexes:
        find = _places_of(table)
        for name, x, y in made.points.values():
            ours, why = find(name)
            yield _place(window, boards, x, y, 1.5 * held.places.counter, name, ours, why)
        return
    spots: list[tuple[str, float, float, float]] = []
    for laid in made.layout:
        board = made.hexes.get(laid.sheet.name)
        if board is None or board.sheet.hexes is None:
            continue
        names = board.sheet.hexes.names()
        for cell, hex in board.cells.items():
            x, y = board.sheet.hexes.spot(cell)
            if laid.turned:
                x, y = laid.sheet.size[0] - x, laid.sheet.size[1] - y
            name = names.get(cell) or board.fitted.grid.name(hex)
            spots.append((name, laid.x + x, laid.y + y, 0.7 * board.sheet.hexes.dy))
    named = _hexes({name: (x, y) for name, x, y, _ in spots}, table)
    for name, x, y, reach in spots:
        yield _place(window, boards, x, y, reach, name, *named.get(name, ("", "")))


def _place(window: str, boards: str, x: float, y: float, reach: float, name: str, ours: str, why: str) -> Row:
    return {
        "kind": "place",
        "name": name,
        "window": window,
        "boards": boards,
        "x": round(x),
        "y": round(y),
        "reach": round(reach),
        "ours": ours,
        "why": why,
    }


def _hexes(spots: Mapping[str, tuple[float, float]], table: Map) -> Mapping[str, tuple[str, str]]:
    """Our hex for each of the module's: of the same name, or the same two numbers in either order, if neighbours stay neighbours."""
    if not isinstance(table, HexMap):
        return {}
    known = {name: table.name(hex) for hex, listed in table.names.items() for name in listed}
    pairs = {numbers: name for name in known.values() if (numbers := _numbers(name)) is not None}
    candidates: list[dict[str, tuple[str, str]]] = [
        {name: (known[name], "the same name") for name in spots if name in known}
    ]
    for turned, why in ((False, "the same numbers"), (True, "the same numbers the other way round")):
        found = {}
        for name in spots:
            numbers = _numbers(name)
            key = numbers[::-1] if numbers is not None and turned else numbers
            if key is not None and key in pairs:
                found[name] = pairs[key], why
        candidates.append(found)
    sheet = Sheet(table)

    def score(found: Mapping[str, tuple[str, str]]) -> tuple[bool, int]:
        return _fits([(spots[name], sheet.centre(table.hex(ours))) for name, (ours, _) in found.items()]), len(found)

    return max(candidates, key=score)


def _fits(pairs: Sequence[tuple[tuple[float, float], tuple[int, int]]]) -> bool:
    """Whether points come to lie on others by moving, stretching and turning, never by a mirror: least squares tell."""
    count = len(pairs)
    if count < 3:
        return False
    middle = [sum(spot[i] for spot, _ in pairs) / count for i in (0, 1)]
    goal = [sum(ours[i] for _, ours in pairs) / count for i in (0, 1)]
    moved = [((x - middle[0], y - middle[1]), (u - goal[0], v - goal[1])) for (x, y), (u, v) in pairs]
    xx, xy, yy = (sum(spot[i] * spot[j] for spot, _ in moved) for i, j in ((0, 0), (0, 1), (1, 1)))
    whole = xx * yy - xy * xy
    if whole <= 0:
        return False
    rows = []
    for axis in (0, 1):
        xu, yu = (sum(spot[i] * ours[axis] for spot, ours in moved) for i in (0, 1))
        rows.append(((xu * yy - yu * xy) / whole, (yu * xx - xu * xy) / whole))
    off = sum(abs(a * x + b * y - ours[axis]) for (x, y), ours in moved for axis, (a, b) in enumerate(rows)) / count
    return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0] > 0 and off < SMALL[0] / 2


def _numbers(name: str) -> tuple[int, int] | None:
    """Column and row of a hex's name; a letter counts as its place in the alphabet."""
    if found := re.fullmatch(r"\D*(\d{1,3})\D+(\d{1,3})", name):
        return int(found[1]), int(found[2])
    if found := re.fullmatch(r"\D*(\d{2})(\d{2})", name) or re.fullmatch(r"\D*(\d{3})(\d{3})", name):
        return int(found[1]), int(found[2])
    if found := re.fullmatch(r"(?:.*\W)?([A-Z])\1*\W?(\d{1,3})", name):
        letters = re.match(r"(?:.*\W)?([A-Z]+)", name)
        return ord(found[1]) - 64 + 26 * (len(letters[1]) - 1 if letters else 0), int(found[2])
    return None


def _places_of(table: Map) -> Callable[[str], tuple[str, str]]:
    """Finds our point or box for a place of the module."""
    listed: dict[str, list[str]] = {}
    if not isinstance(table, HexMap):
        listed |= {key: [_words(point.name)] for key, point in table.points.items()}
    listed |= {f"box:{key}": [_words(box.name)] for key, box in table.boxes.items()}
    for key, track in table.tracks.items():
        listed |= {f"box:{key}/{label}": [_words(f"{track.name} {label}")] for label in track.labels}
    exact = {name: key for key, names in reversed([*listed.items()]) for name in names}
    find = _finder(listed)

    def place(name: str) -> tuple[str, str]:
        words = _words(name)
        if words in exact:
            return exact[words], "the same name"
        key, much = find(words)
        return (key, f"a similar name ({much:.2f})") if much >= ALIKE else ("", "")

    return place


def _beside(held: Imported, table: Map) -> Iterable[Row]:
    """The windows beside the map, place by place; a window without places is one."""
    find = _places_of(table)
    places = held.places
    for window in places.windows.values():
        if window is places.main:
            continue
        for laid in window.start:
            for place in laid.sheet.places:
                ours, why = find(place.name)
                yield _place(
                    window.name, "", laid.x + place.x, laid.y + place.y, 3 * places.counter, place.name, ours, why
                )
            if not laid.sheet.places:
                ours, why = find(window.name)
                yield _place(window.name, "", laid.x, laid.y, EVERYWHERE, window.name, ours, why)

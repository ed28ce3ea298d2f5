"""Export a game as plain JSON values with stable keys. docs/json-modgen.md describes them."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from scenarios.model.attacks import Formula
from scenarios.model.drawn_boards import draw
from scenarios.model.game import Game, Map
from scenarios.model.hexes import Hexside
from scenarios.model.maps import HexMap
from scenarios.model.scenario import Scenario
from scenarios.model.sources import WORDS, Source
from scenarios.reading.shapes import Record, key_of

Json = Any
JSON_TYPES = frozenset((str, int, bool, float, type(None)))


def to_json(value: Any) -> Json:
    """Convert any value of the model to JSON. Whole fractions become numbers, others texts such as '1/2'."""
    if value.__class__ in JSON_TYPES:
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, Source):
        return {value.word: value.note}
    if isinstance(value, Formula):
        return value.text
    if isinstance(value, Record):
        return record(value)
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(to_json(item) for item in value)
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    return value


def record(value: Record, leave_out: Iterable[str] = ()) -> dict[str, Json]:
    """A record's keys and values, without empty values."""
    result = {}
    for f in dataclasses.fields(value):
        field_value = getattr(value, f.name)
        if f.name != "node" and f.name not in leave_out and field_value not in (None, "", ()) and field_value != {}:
            result[key_of(f.name)] = to_json(field_value)
    return result


def card(game: Game) -> dict[str, Json]:
    """The main facts of a game, in a few keys."""
    return {
        "id": game.id,
        "title": game.title,
        "publisher": game.card.publisher,
        "year": game.card.year,
        "summary": game.card.summary,
        "sides": list(game.sides),
        "nations": list(game.nations),
        "counters": sum(unit.count for unit in game.units.values()),
        "tables": len(game.tables),
        "boards": len(game.boards),
        "maps": len(game.maps),
        "scenarios": len(game.scenarios),
        "overlays": [str(path) for path in game.overlays],
    }


def overview(game: Game) -> dict[str, Json]:
    """The card, with sides, nations, sequence of play and kinds of terrain."""
    return {
        **card(game),
        "game": record(game.card),
        "sides": to_json(game.sides),
        "nations": to_json(game.nations),
        "states": to_json(game.states),
        "turns": to_json(game.turns) if game.turns else None,
        "sequence": to_json(game.sequence),
        "terrain": to_json(game.terrain),
        "hexsides": to_json(game.hexsides),
        "paths": to_json(game.paths),
        "routes": to_json(game.routes),
    }


def number_sources(game: Game) -> dict[str, dict[str, str]]:
    """For each unit, the source words of its factors and its count, by name. Overlays are included."""
    words = {datum.path: datum.source.word for datum in game.data if datum.source is not None}
    sources_by_unit: dict[str, dict[str, str]] = {}
    for unit in game.units.values():
        place = f"counters/{unit.template}"
        paths = {key: f"{place}/factors/{key}" for key in unit.factors} | {"count": f"{place}/count"}
        sources_by_unit[unit.id] = {key: words[path] for key, path in paths.items() if path in words}
    return sources_by_unit


def counters(game: Game) -> dict[str, Json]:
    """Every counter and marker with its factors."""
    units = []
    numbers = number_sources(game)
    for unit in game.units.values():
        source = unit.counter.source
        units.append(
            {
                "id": unit.id,
                "name": unit.name,
                "short": unit.short,
                "side": unit.side,
                "nation": unit.nation,
                "class": unit.class_,
                "type": unit.type,
                "symbol": unit.symbol,
                "size": unit.size,
                "formation": unit.formation,
                "factors": to_json(unit.factors),
                "back": None if unit.back is None else to_json(unit.back),
                "back_state": unit.back_state,
                "steps": unit.steps,
                "abilities": sorted(unit.abilities),
                "count": unit.count,
                "numbers": list(unit.numbers),
                "setup": unit.setup,
                "breaks_into": to_json(unit.breaks_into),
                "note": unit.note,
                "source": to_json(source) if source else None,
                "sources": to_json(unit.counter.sources),
                "number_sources": dict(numbers[unit.id]),
            }
        )
    markers = [{"id": key, **record(marker)} for key, marker in game.markers.items()]
    return {"game": game.id, "counters": units, "markers": markers}


def tables(game: Game) -> dict[str, Json]:
    """Every table. `cells` are keyed by row label, then by column label."""
    result = []
    for key, table in game.tables.items():
        labels = table.columns.labels
        result.append(
            {
                "id": key,
                **record(table, ("columns", "cells")),
                "kind": table.columns.kind,
                "columns": list(labels),
                "rows": list(table.cells),
                "cells": {row: dict(zip(labels, cells, strict=True)) for row, cells in table.cells.items()},
            }
        )
    return {"game": game.id, "tables": result}


def maps(game: Game) -> dict[str, Json]:
    """Every board by hex id, and every map."""
    marks = {key: terrain.mark for key, terrain in game.terrain.items()}
    boards = []
    for board in game.boards.values():
        grid = board.grid
        boards.append(
            {
                "id": board.id,
                "name": board.name,
                "grid": record(board.shape.grid),
                "drawing": draw(grid, {hex: marks[kind] for hex, kind in board.terrain.items()}).splitlines(),
                "terrain": {grid.name(hex): kind for hex, kind in board.terrain.items()},
                "hexsides": _sides(board.hexsides, grid.side_name),
                "paths": [
                    {"kind": path.kind, "name": path.name, "hexes": [grid.name(hex) for hex in path.hexes]}
                    for path in board.paths
                ],
                "places": {
                    key: {"name": p.name, "kind": p.kind, "side": p.side, "hexes": [grid.name(h) for h in p.hexes]}
                    for key, p in board.places.items()
                },
                "zones": {key: sorted(map(grid.name, hexes)) for key, hexes in board.zones.items()},
                "source": to_json(board.shape.source),
                "note": board.shape.note,
            }
        )
    return {"game": game.id, "boards": boards, "maps": [field(key, game_map) for key, game_map in game.maps.items()]}


def _sides(sides: Mapping[Hexside, frozenset[str]], name: Callable[[Hexside], str]) -> dict[str, list[str]]:
    by_kind: dict[str, list[str]] = {}
    for side, side_kinds in sides.items():
        for kind in sorted(side_kinds):
            by_kind.setdefault(kind, []).append(name(side))
    return by_kind


def field(key: str, game_map: Map) -> dict[str, Json]:
    """A map: its boards and their arrangement, or its points and routes, with its boxes and tracks."""
    boxes_and_tracks = {"boxes": to_json(game_map.boxes), "tracks": to_json(game_map.tracks)}
    if isinstance(game_map, HexMap):
        boards = [{"board": placed_board.board.id, "turned": placed_board.turned} for placed_board in game_map.placed]
        return {
            "id": key,
            "name": game_map.title,
            "kind": "hexes",
            "north": game_map.north,
            "boards": boards,
            **boxes_and_tracks,
        }
    return {
        "id": key,
        "name": game_map.title,
        "kind": "points",
        "north": game_map.north,
        "points": to_json(game_map.points),
        "routes": [{"from": route.a, "to": route.b, "kind": route.kind} for route in game_map.routes],
        "areas": to_json(game_map.areas),
        **boxes_and_tracks,
    }


def scenarios(game: Game) -> dict[str, Json]:
    """Every scenario, with everything that it inherits from another."""
    return {
        "game": game.id,
        "scenarios": [scenario(key, game_scenario) for key, game_scenario in game.scenarios.items()],
    }


def scenario(key: str, game_scenario: Scenario) -> dict[str, Json]:
    """One scenario."""
    return {"id": key, **record(game_scenario)}


def count_sources(game: Game) -> dict[str, Json]:
    """How many data come from each source, by section and in total, with the rulings."""
    tally: dict[str, Counter[str]] = {}
    for datum in game.data:
        word = datum.source.word if datum.source else "none"
        tally.setdefault(datum.address[0], Counter())[word] += 1
    by_section = {section: {word: counts[word] for word in WORDS} for section, counts in tally.items()}
    total = {word: sum(section_counts[word] for section_counts in by_section.values()) for word in WORDS}
    return {
        "game": game.id,
        "sources": total,
        "by_section": by_section,
        "rulings": {key: record(ruling) for key, ruling in game.rulings.items()},
        "overlays": [str(path) for path in game.overlays],
    }


def attacks(game: Game) -> dict[str, Json]:
    """Every declared attack."""
    return {"game": game.id, "attacks": [{"id": key, **record(attack)} for key, attack in game.attacks.items()]}


def blanks(game: Game) -> dict[str, Json]:
    """The data that an owner of the game may want to replace: inferred and reconstructed values."""
    rows = [
        {"address": datum.path, "value": datum.value, "source": datum.source.word, "why": datum.source.note}
        for datum in game.data
        if datum.source is not None and datum.source.word in ("inferred", "reconstructed")
    ]
    return {"game": game.id, "blanks": rows}


PART_VALUES: Mapping[str, Callable[[Game], dict[str, Json]]] = {
    "overview": overview,
    "counters": counters,
    "tables": tables,
    "map": maps,
    "scenarios": scenarios,
    "sources": count_sources,
    "attacks": attacks,
    "blanks": blanks,
}


def everything(game: Game) -> dict[str, Json]:
    """The whole game."""
    document: dict[str, Json] = {}
    for name, part in PART_VALUES.items():
        if name != "blanks":
            document |= part(game)
    return {**document, "game": record(game.card)}

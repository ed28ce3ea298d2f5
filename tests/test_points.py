"""Point maps."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from scenarios import check, load
from scenarios.areas.resolving import Resolver
from scenarios.model.points import PointMap

GAME = """
source: {rulebook: "1"}
game: {id: canal, title: Canal, release: 2026-01-01}
sides: {east: East, west: West}
terrain: {flat: {name: Flat, mark: ".", color: "#ffffff"}, pass: {name: Pass, mark: "P", color: "#aaaaaa"}}
routes: {road: Road, canal: Canal crossing, lake: Lake crossing}
maps:
  main:
    name: The canal
    points:
      cairo: {name: Cairo, terrain: flat, at: [1, 2]}
      suez: {name: Suez, terrain: flat, at: [2, 3]}
      ismailia: {name: Ismailia, at: [3, 3]}
      kabrit: {name: Kabrit, at: [4, 3]}
      mitla: {name: Mitla, terrain: pass, at: [5, 3]}
      tasa: {name: Tasa, at: [6, 3]}
      island: {name: Island, at: [7, 3]}
    routes:
      road: [[cairo, suez], [cairo, ismailia, suez], [mitla, tasa]]
      canal: [[suez, mitla], [ismailia, tasa]]
      lake: [[kabrit, mitla]]
    areas:
      africa: {name: Africa, kind: theater, points: [cairo, suez, ismailia, kabrit]}
      reserve: {name: Reserve, kind: reserve, points: [island]}
"""


def write(folder: Path, text: str) -> Path:
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return folder


def table(folder: Path) -> PointMap:
    point_map = load(write(folder, GAME)).maps["main"]
    assert isinstance(point_map, PointMap)
    return point_map


def test_points_routes_and_areas(tmp_path: Path) -> None:
    point_map = table(tmp_path)
    assert dict(point_map.adjacent("suez")) == {"cairo": {"road"}, "ismailia": {"road"}, "mitla": {"canal"}}
    assert point_map.distance("cairo", "mitla") == 2
    assert point_map.distance("cairo", "tasa", ["road"]) is None
    assert point_map.distance("kabrit", "cairo") == 3
    assert point_map.distance("cairo", "island") is None
    assert point_map.in_area("africa") == {"cairo", "suez", "ismailia", "kabrit"}
    assert Resolver(point_map).places(areas("{zone: africa, within: {distance: 1, of: {point: mitla}}}")) == {
        "suez",
        "kabrit",
    }
    assert Resolver(point_map).places(areas("{terrain: [pass]}")) == {"mitla"}
    assert Resolver(point_map).places(areas("{adjacent: {point: tasa}}")) == {"mitla", "ismailia"}
    with pytest.raises(ValueError, match="did you mean suez"):
        point_map.distance("cairo", "suex")


def areas(text: str):  # type: ignore[no-untyped-def]
    from scenarios.model.areas import Area
    from scenarios.reading.shapes import Findings, reader
    from scenarios.reading.yaml_tree import parse_nodes

    return reader(Area)(parse_nodes(text.encode(), "f")[0], Findings())  # type: ignore[arg-type]


def test_distance_against_all_paths() -> None:
    """Random small maps: the distance is the length of the shortest of all simple paths."""
    from scenarios.model.points import PointShape, Route

    rng = random.Random(7)
    for _ in range(60):
        names = [f"p{i}" for i in range(6)]
        pairs = [pair for pair in itertools.combinations(names, 2) if rng.random() < 0.35]
        routes = tuple(Route(a, b, rng.choice(["road", "canal"])) for a, b in pairs)
        point_map = PointMap("m", "M", {n: PointShape(name=n) for n in names}, routes, {}, "up", {}, {})
        for route_kinds in (None, ["road"]):
            links = {(r.a, r.b) for r in routes if route_kinds is None or r.kind in route_kinds}
            links |= {(b, a) for a, b in links}
            for a, b in itertools.permutations(names, 2):
                middles = [n for n in names if n not in (a, b)]
                lengths = [
                    size + 1
                    for size in range(5)
                    for way in itertools.permutations(middles, size)
                    if all(step in links for step in itertools.pairwise((a, *way, b)))
                ]
                assert point_map.distance(a, b, route_kinds) == (min(lengths) if lengths else None)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[suez, mitla]", "[suez, mitlla]", "the route leads to 'mitlla', which is no point; did you mean mitla"),
        ("[suez, mitla]", "[suez]", "a route joins two points"),
        ("[suez, mitla]", "[suez, suez]", "to itself"),
        ("[suez, mitla]", "[suez, mitla], [mitla, suez]", "twice"),
        ("lake: [[", "river: [[", "no route is called 'river'"),
        ("points: [island]", "points: [iceland]", "did you mean island"),
        ("terrain: pass, at", "terrain: pas, at", "did you mean pass"),
        ("at: [1, 2]", "at: [1]", "two numbers"),
        ("    points:\n      cairo", "    point:\n      cairo", "did you mean points"),
    ],
)
def test_mistakes(old: str, new: str, words: str, tmp_path: Path) -> None:
    assert GAME.count(old) == 1
    text = GAME.replace(old, new)
    hits = [f for f in check(write(tmp_path, text)) if words in f.message]
    assert hits and hits[0].line > 1

"""Sight in The Arab-Israeli Wars: what one line, one hex and every pair take."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from assistant.engine.field_values import make_field
from assistant.engine.map_index import kinds_for
from assistant.engine.sight.bit_planes import PlaneMasks
from assistant.engine.sight.visibility import sights_of
from assistant.games.arab_israeli_wars.forces import field_on
from scenarios import load
from scenarios.model.boards import Arrangement
from scenarios.model.game import Game
from scenarios.model.maps import HexMap, put_together
from scenarios.model.position import Position
from scenarios.reading.shapes import Findings


def figures() -> Iterator[str]:
    """Every figure with what was promised."""
    game = load("arab_israeli_wars")
    two, four = field_on(game, "S-9"), field_on(game, four_boards(game))
    start = time.perf_counter()
    sights = sights_of(two)
    sights.all_pairs()
    cold = time.perf_counter() - start
    places, rng = range(len(two.hex_map.hexes)), random.Random(1)
    lines = [(rng.choice(places), rng.choice(places)) for _ in range(1000)]
    for a, b in lines:
        sights.look(a, b)
    yield f"sight, clear or not: {1e6 * _seconds_per_line(sights.clear, lines):.2f} µs (promised 2)"
    yield f"sight with the reasons: {1e6 * _seconds_per_line(sights.look, lines):.1f} µs (promised 10)"
    wide_sights = sights_of(four)
    hexes = four.hex_map.hexes
    middle, smoke = len(hexes) // 2, hexes[len(hexes) // 3]
    wide_sights.all_pairs()
    yield f"all that one hex sees on four boards: {1e3 * best(lambda: wide_sights.seen_from(middle)):.2f} ms (promised 1)"
    refill_time = best(lambda: PlaneMasks(sights.codes, sights.judge("", ""), False).fill())
    yield f"every pair of two boards: {1e3 * refill_time:.1f} ms (promised 50), the first time {1e3 * cold:.0f} ms"

    def move_smoke() -> None:
        sights_of(four.with_markers({smoke: ["smoke"]})).seen_from(middle)

    yield f"all that one hex sees, right again after smoke: {1e3 * best(move_smoke):.2f} ms (promised 5)"
    for change_label, changes in (
        ("a cut", {two.hex_map.hex("A-H-4"): ["trench"]}),
        ("smoke", {two.hex_map.hexes[len(two.hex_map.hexes) // 2]: ["smoke"]}),
        ("a position on the west bank", {two.hex_map.hex("A-H-3"): ["improved_position"]}),
    ):
        update_time = best(lambda changes=changes: sights_of(two.with_markers(changes)).all_pairs())  # type: ignore[misc]
        yield f"every pair of two boards, right again after {change_label}: {1e3 * update_time:.1f} ms (promised 5)"
    yield from large()


def large() -> Iterator[str]:
    """Sight with heights, scrub and smoke on 5,000 hexes: the rules of the sample `ridge`."""
    game = load("ridge")
    board = next(iter(game.boards.values()))
    assert board.grid is not None
    grid, dice = replace(board.grid, columns=71, rows=71), random.Random(2)
    terrain_kinds = ("open",) * 12 + ("scrub", "woods", "slope", "slope", "summit")
    terrain = {hex: dice.choice(terrain_kinds) for hex in grid.hexes}
    hex_map = put_together(
        "large",
        "Large",
        Arrangement(boards=((board.id,),)),
        {board.id: replace(board, grid=grid, terrain=terrain, hexsides={}, paths=(), places={}, zones={})},
        "open",
        Findings(),
    )
    assert hex_map is not None
    field = make_field(kinds_for(game, hex_map), Position(game.id))
    sights, middle = sights_of(field), len(hex_map.hexes) // 2
    start = time.perf_counter()
    visible_hexes = sights.seen_from(middle)
    cold = time.perf_counter() - start
    warm = best(lambda: sights.seen_from(middle), 5)
    size = f"sight on {len(hex_map.hexes)} hexes with heights"
    yield f"{size}: what one hex sees ({len(visible_hexes)}): {1e3 * warm:.0f} ms, the first time {1e3 * cold:.0f} ms"
    start = time.perf_counter()
    sights.all_pairs()
    cold = time.perf_counter() - start
    refill_time = best(lambda: PlaneMasks(sights.codes, sights.judge("", ""), False).fill(), 1)
    yield f"every pair of them: {refill_time:.1f} s, the first time {cold:.1f} s"


def four_boards(game: Game) -> HexMap:
    """Four boards, two by two. The board with the canal joins none end to end, so D lies there twice."""
    boards = {**game.boards, "E": replace(game.boards["D"], id="E")}
    arrangement = Arrangement(boards=(("B", "C"), ("D", "E turned")))
    hex_map = put_together("four", "Four", arrangement, boards, "clear", Findings())
    assert hex_map is not None
    return hex_map


def best(call: Callable[[], object], times: int = 15) -> float:
    """The best of several runs, in seconds."""
    result = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        call()
        result = min(result, time.perf_counter() - start)
    return result


def _seconds_per_line(call: Callable[[int, int], object], lines: list[tuple[int, int]]) -> float:
    """What one line takes: the best of several runs over a few lines at a time, so that others' work doesn't count."""
    total = 0.0
    for start in range(0, len(lines), 20):
        part = lines[start : start + 20]
        total += best(lambda part=part: [call(a, b) for a, b in part])  # type: ignore[misc]
    return total / len(lines)

"""Sight of any pack, held against slow geometry that shares no code: segments cut with hexagons, exactly, rule by rule."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.sight.visibility import Sights
from assistant.questions.answer import BadQuestion
from scenarios import check, load
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, Hexside, hexside, neighbours
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position, from_scenario
from scenarios.pack.pack_folder import find_pack
from tests.asking import ask_json

GAME = load("ridge")
HEIGHT = {"open": 0, "scrub": 0, "woods": 0, "village": 0, "slope": 1, "summit": 2}
STANDS = {"woods": 1, "village": 1}
Point = tuple[int, int]


def change_file(pack: Path, folder: Path, file: str, text: str) -> Path:
    """A copy of a pack with another text in one file."""
    copy = Path(shutil.copytree(pack, folder / pack.name))
    (copy / file).write_text(text, encoding="utf-8")
    return copy


def centre(hex: Hex) -> Point:
    """The middle of a hex in a skewed plane. All is counted in thirds of a hex, so that corners are whole numbers too."""
    return 3 * hex.q, 3 * hex.r


NEIGHBOUR_OFFSETS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


@cache
def corners(hex: Hex) -> list[Point]:
    """The corners: the middles of the triangles that a hex makes with two neighbours in a row."""
    return [
        (3 * hex.q + a + c, 3 * hex.r + b + d)
        for (a, b), (c, d) in zip(NEIGHBOUR_OFFSETS, NEIGHBOUR_OFFSETS[1:] + NEIGHBOUR_OFFSETS[:1], strict=True)
    ]


@cache
def ends(side: Hexside) -> tuple[Point, Point]:
    """The two corners that both hexes of a side have."""
    first, second = sorted(set(corners(side.a)) & set(corners(side.b)))
    return first, second


def turn(a: Point, b: Point, p: Point) -> int:
    """Above zero on one side of the line through a and b, below it on the other, zero on it."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def within(a: Point, b: Point, p: Point) -> bool:
    """Whether a point of the line lies between its ends."""
    return min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])


def meets_side(a: Point, b: Point, c: Point, d: Point) -> str:
    """How the segment from a to b meets the hexside from c to d."""
    at_c, at_d = turn(a, b, c), turn(a, b, d)
    if at_c == 0 == at_d:
        return (
            "along" if within(a, b, c) and within(a, b, d) else "corner" if within(a, b, c) or within(a, b, d) else ""
        )
    if at_c == 0 or at_d == 0:
        return "corner" if within(a, b, c if at_c == 0 else d) else ""
    crossing = at_c * at_d < 0 and turn(c, d, a) * turn(c, d, b) < 0
    return "crossed" if crossing else ""


def meets_hex(a: Point, b: Point, hex: Hex) -> str:
    """How the segment meets a hex: through its inside, along a side, or in a corner."""
    points = corners(hex)
    turns = [turn(a, b, point) for point in points]
    if all(t > 0 for t in turns) or all(t < 0 for t in turns):
        return ""  # the whole hex lies on one side of the line
    sides = [meets_side(a, b, points[i - 1], points[i]) for i in range(6)]
    if "crossed" in sides or (any(t < 0 for t in turns) and any(t > 0 for t in turns) and sides.count("corner") >= 4):
        return "through"
    return "along" if "along" in sides else "corner" if "corner" in sides else ""


class SightResult(NamedTuple):
    clear: bool
    worse: int
    is_shielded: bool


def law(game: Game, a: Hex, b: Hex, smoke: frozenset[Hex], dusk: bool) -> SightResult:
    """RULES.md 4 and 6, word by word."""
    map = game.scenario_maps["dusk"]
    assert isinstance(map, HexMap)
    p, q = centre(a), centre(b)
    low, target_height = HEIGHT[map.terrain[a]], HEIGHT[map.terrain[b]]
    hex_distance = max(abs(a.q - b.q), abs(a.r - b.r), abs(a.q + a.r - b.q - b.r))
    clear, worse, is_shielded = not (dusk and hex_distance > 5), 0, False
    for side, side_kinds in map.hexsides.items():
        manner = meets_side(p, q, *ends(side))
        if not manner:
            continue
        is_own_hexside = a in side or b in side
        if "wall" in side_kinds and not is_own_hexside and low == 0 == target_height:
            clear = False
        if side_kinds & {"wall", "hedge"} and b in side and manner == "crossed" and low <= target_height:
            is_shielded = True
    length = (b.q - a.q, b.r - a.r)
    for hex in map.hexes:
        manner = "" if hex in (a, b) else meets_hex(p, q, hex)
        if not manner:
            continue
        if hex in smoke:
            clear = False
        step = (hex.q - a.q, hex.r - a.r)
        # The foot of the hex's middle on the line, in a plane where the axes stand at 60 degrees.
        dot = step[0] * length[0] + step[1] * length[1] + Fraction(step[0] * length[1] + step[1] * length[0], 2)
        part = Fraction(dot) / (length[0] ** 2 + length[1] ** 2 + length[0] * length[1])
        line = low + (target_height - low) * part
        ground = HEIGHT[map.terrain[hex]]
        if ground > line:
            clear = False
        if manner != "corner" and map.terrain[hex] in STANDS and ground + STANDS[map.terrain[hex]] > line:
            clear = False
        worse += map.terrain[hex] == "scrub" and manner == "through" and line == 0
    clear = clear and worse <= 2
    return SightResult(clear, worse, is_shielded and clear)


def sights(game: Game, smoke: frozenset[Hex] = frozenset(), turn: int = 1) -> Sights:
    map_index = map_index_of(game, "dusk")
    assert map_index is not None
    pieces = tuple(Piece("smoke", str(number), "", hex) for number, hex in enumerate(sorted(smoke)))
    return Sights(make_field(map_index, Position(game.id, "dusk", turn, "", pieces), {}))


def look_between(sight: Sights, a: Hex, b: Hex) -> SightResult:
    number = sight.field.map_index.number
    look = sight.look(number[a], number[b])
    return SightResult(look.clear, int(look.degradation), bool(look.shields))


def pairs(game: Game) -> Iterator[tuple[Hex, Hex]]:
    map = game.scenario_maps["dusk"]
    assert isinstance(map, HexMap)
    yield from combinations(sorted(map.hexes), 2)


def test_every_pair_of_the_ridge() -> None:
    sight, results = sights(GAME), set()
    for a, b in pairs(GAME):
        result = look_between(sight, a, b)
        assert result == law(GAME, a, b, frozenset(), False), (a, b)
        results.add(result)
    assert len(results) > 5


HEXES = sorted(GAME.scenario_maps["dusk"].hexes)  # type: ignore[union-attr]


@given(
    st.frozensets(st.sampled_from(HEXES), max_size=6), st.booleans(),
    st.lists(st.tuples(st.sampled_from(HEXES), st.sampled_from(HEXES)).filter(lambda pair: pair[0] != pair[1]), min_size=1, max_size=12),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_smoke_and_dusk(smoke: frozenset[Hex], dusk: bool, hex_pairs: list[tuple[Hex, Hex]]) -> None:
    sight = sights(GAME, smoke, 7 if dusk else 1)
    for a, b in hex_pairs:
        assert look_between(sight, a, b) == law(GAME, a, b, smoke, dusk), (a, b)


@given(st.lists(st.sampled_from("..sw^Av"), min_size=108, max_size=108), st.integers(0, 400))
@settings(max_examples=12, deadline=None)
def test_other_ground(tmp_path_factory: pytest.TempPathFactory, marks: list[str], start: int) -> None:
    """The same rules on ground of any kind."""
    folder = tmp_path_factory.mktemp("ground")
    text = (find_pack("ridge") / "map.yaml").read_text(encoding="utf-8")
    terrain_marks = iter(marks)
    lines, inside = [], False
    for line in text.splitlines():
        inside = (inside and not line.startswith("    hexsides")) or "terrain: |" in line
        if inside and line.strip()[:2].isdigit():
            line = line[:8] + "".join(next(terrain_marks) if mark in "..sw^Av" else mark for mark in line[8:])
        lines.append(line)
    game = load(change_file(find_pack("ridge"), folder, "map.yaml", "\n".join(lines)))
    sight = sights(game)
    for number, (a, b) in enumerate(pairs(game)):
        if number % 97 == start % 97:
            assert look_between(sight, a, b) == law(game, a, b, frozenset(), False), (a, b)


def test_worked_examples() -> None:
    """RULES.md by the command line: the tower is seen from the road, not through smoke; two hexes of scrub are looked through."""
    assert ask_json("los", "ridge", "0206", "0704")["clear"] is True
    answer = ask_json("los", "ridge", "0206", "0704", "--put", "smoke@0405")
    assert answer["clear"] is False
    assert [(blocker["what"], blocker["place"], blocker["rule"]) for blocker in answer["blocked_by"]] == [
        ("smoke", "0405", "6")
    ]
    village = ask_json("los", "ridge", "0206", "0906")
    assert village["clear"] and village["degraded"] == 2 and village["hull_down"]["target"] == ["0806/0906"]
    view = ask_json("los", "ridge", "0206")
    assert {(row["place"], row["spotted"]) for row in view["in_view"]} == {("0704", True), ("0906", False)}
    dusk = ask_json("los", "ridge", "0206", "0906", "--turn", "7")
    assert dusk["clear"] is False


def test_fire_reads_sight_from_the_map() -> None:
    clear = ask_json("odds", "ridge", "--from", "0206", "--at", "0704", "target=guns_brown/25")
    assert not clear["refused"] and clear["column"] == "3-1"
    smoke = ask_json("odds", "ridge", "--from", "0206", "--at", "0704", "target=guns_brown/25", "--put", "smoke@0405")
    assert {refusal["rule"] for refusal in smoke["refused"]} == {"4, 5"}
    wall = ask_json("odds", "ridge", "--from", "0206", "--at", "0906")
    assert any(modifier["text"] == "behind a hedge or wall" for modifier in wall["applied"])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("when: hex.smoke, block", "when: to.enemy, block", "the same for all sides"),
        ("when: hex.smoke, block", "when: hex.smok, block", "did you mean 'hex.smoke'"),
        ("when: hex.smoke, block", "when: movement > 3, block", "no single unit is meant"),
        ("degrade: 1}", "degrade: 1, block: true}", "one effect"),
        ("    degrade_limit: number", "    degrade_limits: number", "degrade_limit"),
        ("bar and own in", "line.height == 0 and own in", "known under `sight.hexes` only"),
        ('height: \'number(lookup("sight", to.terrain, "height"))\'', "height: movement", "no single unit is meant"),
    ],
)
def test_a_wrong_declaration_is_found_at_its_place(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = (find_pack("ridge") / "rules.yaml").read_text(encoding="utf-8")
    assert old in text
    findings = check(change_file(find_pack("ridge"), tmp_path, "rules.yaml", text.replace(old, new, 1)))
    assert any(message in finding.message and finding.path.endswith("rules.yaml") for finding in findings), [
        str(problem) for problem in findings
    ]


def test_a_pack_without_sight_says_so() -> None:
    map_index = map_index_of(load("corps"), "autumn")
    assert map_index is not None
    with pytest.raises(BadQuestion, match=r"rules\.sight"):
        Sights(make_field(map_index, Position("corps", "autumn"), {}))


def test_climbing_costs() -> None:
    reach = {
        row["place"]: row["cost"]
        for row in ask_json("move", "ridge", "rifles_blue/4", "--put", "rifles_blue/4@0505")["places"]
    }
    map = GAME.scenario_maps["dusk"]
    assert isinstance(map, HexMap)
    for place, cost in reach.items():
        if map.terrain[map.hex(place)] == "slope" and place in ("0604", "0605"):
            assert cost == 2, "1 for the ground and 1 for the height"
    assert from_scenario(GAME, "dusk").pieces


# What the rules of `ridge` don't use: both hexes of a hexside, corners of which two sides have to block, kinds of observers.

STEEP = """      - {text: a bank, rule: "9", block: true,
         when: 'own == "" and viewer != "air" and manner != "along" and over.hedge and far.height > near.height'}
      - {text: a low wall, rule: "9", when: 'own == "" and viewer != "air" and seen_as != "air" and over.wall', block: true}
"""


def steep(game: Game, a: Hex, b: Hex, viewer: str, seen_as: str) -> bool:
    """Whether a bank or low walls block: a hedge uphill as one looks; of walls in a corner two, along the line and across it one."""
    map = game.scenario_maps["dusk"]
    assert isinstance(map, HexMap)
    p, q = centre(a), centre(b)
    direction = (b.q - a.q, b.r - a.r)

    def ahead(hex: Hex) -> Fraction:
        q, r = hex.q - a.q, hex.r - a.r
        return Fraction(2 * (q * direction[0] + r * direction[1]) + q * direction[1] + r * direction[0])

    hedges: dict[Point, int] = {}
    for side, side_kinds in map.hexsides.items():
        ends = sorted(set(corners(side.a)) & set(corners(side.b)))
        manner = "" if {a, b} & set(side) else meets_side(p, q, *ends)
        near_hex, far_hex = sorted(side, key=ahead)
        bank = (
            "hedge" in side_kinds and viewer != "air" and HEIGHT[map.terrain[far_hex]] > HEIGHT[map.terrain[near_hex]]
        )
        wall = "wall" in side_kinds and "air" not in (viewer, seen_as)
        if manner in ("crossed", "along") and (wall or (bank and manner == "crossed")):
            return True
        if manner == "corner" and (bank or wall):
            corner = next(end for end in ends if turn(p, q, end) == 0 and within(p, q, end))
            hedges[corner] = hedges.get(corner, 0) + 1
    return any(count > 1 for count in hedges.values())


@pytest.fixture(scope="module")
def steep_game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The ridge with many hedges and walls, and with other rules of sight."""
    pack = find_pack("ridge")
    rules = (pack / "rules.yaml").read_text(encoding="utf-8")
    start, end = rules.index("    limit:\n      - {text: dusk"), rules.index("  results:\n")
    sight_rules = (
        '    observers: {air: class == "gun", ground: "true"}\n    corner: {rule: "9", needs: 2}\n    sides:\n'
        + STEEP
        + "\n"
    )
    folder = tmp_path_factory.mktemp("steep")
    game = load(change_file(pack, folder, "rules.yaml", rules[:start] + sight_rules + rules[end:]))
    map = game.scenario_maps["dusk"]
    assert isinstance(map, HexMap)
    dice = random.Random(7)
    sides = {hexside(hex, neighbour) for hex in map.hexes for neighbour in neighbours(hex) if neighbour in map}
    side_kinds = {side: frozenset({dice.choice(("hedge", "wall"))}) for side in sorted(sides) if dice.random() < 0.15}
    board = replace(map.placed[0].board, hexsides=side_kinds)
    return replace(game, scenario_maps={"dusk": replace(map, placed=(replace(map.placed[0], board=board),))})


def test_both_hexes_of_a_hexside_corners_and_observers(steep_game: Game) -> None:
    sight, slow, cases = sights(steep_game), sights(steep_game), set()
    number = sight.field.map_index.number
    looks = [(viewer, seen_as) for viewer in ("air", "ground") for seen_as in ("air", "ground")]
    rows = {look: dict(sight.every_row(*look)) for look in looks}
    for i, (first, second) in enumerate(pairs(steep_game)):
        if i % 7 == 0:
            for a, b in ((first, second), (second, first)):
                look = looks[i % 4]
                is_clear = not steep(steep_game, a, b, *look)
                assert slow.look(number[a], number[b], *look).clear == is_clear, (a, b, look)
                assert (
                    slow.clear(number[a], number[b], *look) == sight.clear(number[a], number[b], *look) == is_clear
                ), (
                    a,
                    b,
                    look,
                )
                assert (number[b] in rows[look][number[a]]) == is_clear, (a, b, look)
                cases.add((look, is_clear))
    assert len(cases) == 6, "who looks from the air sees all, others do and don't"


def test_every_pair_by_planes_is_every_line() -> None:
    """Heights, scrub that is counted, smoke and dusk: planes of bits give what one line after the other gives."""
    for smoke, turn in ((frozenset[Hex](), 1), (frozenset(HEXES[20:60:9]), 1), (frozenset[Hex](), 7)):
        sight, slow = sights(GAME, smoke, turn), sights(GAME, smoke, turn)
        rows = {n: sorted(targets) for n, targets in sight.every_row()}
        assert [*sorted(rows)] == [*range(len(HEXES))]
        for n in range(0, len(HEXES), 5):
            assert rows[n] == sight.seen_from(n) == [m for m in range(len(HEXES)) if m != n and slow.look(n, m).clear]

"""Operation Musketeer's combats, escalation, refits and lines of support, against the rules read straight."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import cast

import pytest

from assistant.attacks import BadQuestion, unit_fields
from assistant.games.musketeer.air import Sky, superiority
from assistant.games.musketeer.combat import solve
from assistant.games.musketeer.fighters import Fighter, Support, concentric, crossing, fighter, first_fire
from assistant.games.musketeer.forecast import forecast
from assistant.games.musketeer.outcome import ATTACKER, DEFENDER, Combat
from assistant.games.musketeer.politics import paradrop, refit_chance, refits
from assistant.games.musketeer.support import support
from scenarios import load
from scenarios.hexes import Hex, hexside, neighbour, neighbours
from scenarios.maps import HexMap
from scenarios.position import Piece, Position, from_scenario

GAME = load("musketeer")
MAP = cast(HexMap, GAME.maps["main"])
# The columns of the pack's ground table, die 1 to 6; retyped so that a slip in either shows.
CRT = [
    "- - - - A/G R", "- - - A/G R D", "- - A/G R D DR", "- A/G R D D DR", "A/G R D D DR DR*",
    "A/G R D D DR E", "R D D DR DR* E", "R D DR DR* E E*", "D DR DR DR* E E*", "D DR DR* E E E*",
]  # fmt: skip
# Whole and disrupted strength (0: one-sided), and whether it is static.
KNOWN = {
    "armd_25_britain": (4, 2, False), "rep_1_france": (3, 2, False), "loc_britain": (1, 0, False),
    "div_1_egypt": (4, 2, False), "bde_4_egypt": (2, 1, False), "ng_1_egypt": (1, 0, False),
    "garrison_egypt": (1, 0, True),
}  # fmt: skip
SHIFT = {"open": 0, "town": -1, "city": -2, "rough": -1, "fortification": -2}


def units(*names: str) -> tuple[Fighter, ...]:
    return tuple(fighter(GAME, unit_fields(GAME, name)) for name in names)


class Hand:
    """One combat by hand: the weakest unit takes every result."""

    def __init__(self, west: list[str], east: list[str], terrain: str, cas: int, guerrilla: int) -> None:
        self.west = [[name, KNOWN[name][0], "in"] for name in west]
        self.east = [[name, KNOWN[name][0], "in"] for name in east]
        self.terrain, self.cas, self.guerrilla, self.star = terrain, cas, guerrilla, False

    def play(self, faces: Iterator[int]) -> tuple[int, int, int, int, int, bool]:
        order = [(self.east, self.west), (self.west, self.east)]
        for firers, targets in order if self.terrain in ("city", "fortification") else reversed(order):
            for unit in firers:
                if unit[2] != "in" or all(target[2] != "in" for target in targets):
                    continue
                column = int(str(unit[1]))
                if firers is self.west:
                    column += SHIFT[self.terrain] + self.cas
                else:
                    column += self.guerrilla
                code = CRT[max(1, min(10, column)) - 1].split()[next(faces) - 1]
                self.apply(targets, code, firers is self.west)
        gone = [sum(u[2] == "dead" for u in side) for side in (self.west, self.east)]
        away = [sum(u[2] == "away" for u in side) for side in (self.west, self.east)]
        return gone[0], away[0], gone[1], away[1], self.cas, self.star

    def apply(self, targets: list[list[object]], code: str, west_fires: bool) -> None:
        if code.endswith("*") and west_fires:
            self.star = True
        code = code.rstrip("*")
        if code == "A/G":
            if west_fires:
                self.guerrilla = 0
            else:
                self.cas = max(0, self.cas - 1)
        if code in ("-", "A/G"):
            return
        unit = min((u for u in targets if u[2] == "in"), key=lambda u: int(str(u[1])))
        whole, worn, static = KNOWN[str(unit[0])]
        if code == "E" or ("D" in code and (unit[1] != whole or not worn)):
            unit[2] = "dead"
        elif "D" in code:
            unit[1] = worn
        if "R" in code and unit[2] == "in":
            if west_fires and self.terrain in ("city", "fortification"):
                return
            unit[2] = "dead" if static else "away"


@pytest.mark.parametrize("terrain", list(SHIFT))
@pytest.mark.parametrize(
    ("west", "east", "cas", "guerrilla"),
    [
        (["armd_25_britain", "rep_1_france"], ["div_1_egypt", "garrison_egypt"], 2, 0),
        (["rep_1_france", "loc_britain"], ["bde_4_egypt", "ng_1_egypt"], 0, 2),
        (["armd_25_britain"], ["garrison_egypt"], 1, 1),
    ],
)
def test_every_throw_of_both_fires(west: list[str], east: list[str], cas: int, guerrilla: int, terrain: str) -> None:
    value = guerrilla if terrain in ("city", "town") else 0
    brute: tuple[dict[tuple[int, ...], Fraction], ...] = ({}, {})
    stars = Fraction(0)
    count = len(west) + len(east)
    for faces in product(range(1, 7), repeat=count):
        hand = Hand(west, east, terrain, cas, value)
        gone, away, lost, fled, left, star = hand.play(iter(faces))
        for side, end in zip(brute, ((gone, away, left), (lost, fled)), strict=True):
            side[end] = side.get(end, Fraction(0)) + Fraction(1, 6**count)
        cleared = all(unit[2] != "in" for unit in hand.east) and any(unit[2] == "in" for unit in hand.west)
        stars += Fraction(cleared and star, 6**count)
    combat = Combat(
        GAME, units(*west), units(*east), {"terrain": terrain},
        (Support(cas=cas), Support(guerrilla=value or None)), ("weakest", "weakest"),
    )  # fmt: skip
    outcome = solve(combat)
    for number, fighters in enumerate(combat.sides):
        found: dict[tuple[int, ...], Fraction] = {}
        for left_as, ways in outcome.sides[number].items():
            gone = sum(body.lost >= unit.steps for unit, body in zip(fighters, left_as.bodies, strict=True))
            end = (gone, sum(body.away for body in left_as.bodies), *([] if number else [left_as.support.cas]))
            found[end] = found.get(end, Fraction(0)) + Fraction(ways, outcome.throws)
        assert found == brute[number]
    assert outcome.must_pursue() == stars
    assert sum(outcome.losses(ATTACKER).values()) == sum(outcome.fate(DEFENDER, 0).values()) == 1
    assert outcome.must_pursue() <= outcome.may_pursue() <= outcome.cleared()


def test_first_fire_and_the_examples() -> None:
    """14.4, 14.7, 19.9, 25.4."""
    assert first_fire(GAME, "city") == first_fire(GAME, "fortification") == DEFENDER
    assert first_fire(GAME, "open") == ATTACKER
    two = solve(Combat(GAME, units("rep_1_france", "reg_10_france"), units("ng_1_egypt"), {}))
    assert [answer.column for answer in two.shots[0]] == ["3", "2"]
    city = Combat(GAME, units("armd_25_britain"), units("div_1_egypt"), {"terrain": "city"},
                  (Support(special_forces=True), Support(guerrilla=2)))  # fmt: skip
    columns = {side: shots[0].shift for side, shots in zip((ATTACKER, DEFENDER), solve(city).shots, strict=True)}
    assert columns == {ATTACKER: -1, DEFENDER: 2}
    with pytest.raises(BadQuestion, match="town"):
        solve(Combat(GAME, units("armd_25_britain"), units("div_1_egypt"), {}, (Support(), Support(guerrilla=1))))


def test_concentric_attacks_and_hexsides_from_the_map() -> None:
    """29.4: 120 to 180 degrees apart; 14.10: a hexside counts only if all come across it."""
    target = MAP.hex("5212")
    for a, b in product(range(6), repeat=2):
        apart = min((a - b) % 6, (b - a) % 6) * 60
        assert concentric(target, [neighbour(target, a), neighbour(target, b)]) == (apart >= 120)
    canal = next(side for side, kinds in MAP.hexsides.items() if "suez_canal" in kinds)
    dry = next(n for n in neighbours(canal.b) if n in MAP and not MAP.hexsides.get(hexside(n, canal.b)))
    assert crossing(MAP, GAME, canal.b, [canal.a]) == "suez_canal"
    assert crossing(MAP, GAME, canal.b, [canal.a, dry]) == "nothing"


def test_a_direct_assault_that_fails_is_lost() -> None:
    """29.5."""
    landed = (fighter(GAME, unit_fields(GAME, "cdo_3_britain", ["direct_assault"])),)
    outcome = solve(Combat(GAME, landed, units("div_1_egypt"), {"terrain": "city"}))
    assert outcome.fate(ATTACKER, 0)["eliminated"] >= 1 - outcome.cleared()


# Random events that change the index, typed from the table: sum of two dice to what happens.
RISES = {2: {-1: 36}, 7: {n: 6 - abs(n - 7) for n in range(2, 13)}, 11: dict.fromkeys(range(1, 7), 6)}
POINTS = {"command_anglo_french": 1, "command_israel": 1, "command_musketeer": 2, "command_egypt": 0}


@pytest.mark.parametrize("index", [1, 30, 38, 45, 49])
def test_world_war_this_turn(index: int) -> None:
    """6.2 to 6.4, 22.1: the markers' points, then the event."""
    markers = ["command_anglo_french", "command_israel", "command_egypt"]
    here = index + sum(POINTS[m] for m in markers)
    war = Fraction(0)
    peace: dict[int, Fraction] = {}
    for a, b in product(range(1, 7), repeat=2):
        for rise, ways in RISES.get(a + b, {0: 36}).items():
            chance = Fraction(ways, 36 * 36)
            after = max(1, here + rise)
            if here >= 50 or after >= 50:
                war += chance
            else:
                peace[after] = peace.get(after, Fraction(0)) + chance
    found = forecast(GAME, index, [markers])
    assert found.war == {1: war} and found.index == dict(sorted(peace.items()))


def test_a_forecast_of_two_turns_against_every_event() -> None:
    """22.2: a marker that an event forbids adds nothing next turn; 28.3: neither does one that isn't committed."""
    banned = {5: "command_anglo_french", 12: "command_israel", 10: "special"}
    plan = [
        ["command_anglo_french", "command_israel"],
        ["command_anglo_french", "command_israel", "command_musketeer", "command_ussr"],
    ]
    war: dict[int, Fraction] = {1: Fraction(0), 2: Fraction(0)}
    for a, b in product(range(1, 7), repeat=2):
        for rise, ways in RISES.get(a + b, {0: 36}).items():
            first = max(1, 38 + 2 + rise)
            chance = Fraction(ways, 36 * 36)
            if first >= 50:
                war[1] += chance
                continue
            ban = banned.get(a + b, "")
            markers = [m for m in plan[1][:3] if m != ban and not (ban == "special" and m == "command_musketeer")]
            for soviets, share in ((2, Fraction(1, 6)), (0, Fraction(5, 6))):
                if a + b == 6:
                    soviets = 0  # the Hungarian Uprising keeps the Soviet marker out
                second = first + sum(POINTS[m] for m in markers) + soviets
                if second >= 50:
                    war[2] += chance * share
                    continue
                for c, d in product(range(1, 7), repeat=2):
                    for more, more_ways in RISES.get(c + d, {0: 36}).items():
                        if max(1, second + more) >= 50:
                            war[2] += chance * share * Fraction(more_ways, 36 * 36)
    assert forecast(GAME, 38, plan).war == war


def test_entry_of_the_superpowers() -> None:
    """28.3: on turn 1 a 1 brings the Soviets in, and then the US rolls at once."""
    found = forecast(GAME, 1, [[]]).committed
    assert found == {"ussr": Fraction(1, 6), "arab_league": Fraction(1, 6), "us": Fraction(1, 36)}
    with pytest.raises(BadQuestion, match="did you mean"):
        forecast(GAME, 1, [["command_izrael"]])


def test_refits_and_drops() -> None:
    """Refit Table; 29.6."""
    assert refit_chance(GAME, "france") == Fraction(1, 2) and refit_chance(GAME, "egypt", "air") == Fraction(1, 6)
    assert refit_chance(GAME, "israel", "special") == 0
    assert refits(Fraction(1, 3), 2, 2)[2] == (1 - Fraction(4, 9)) ** 2
    assert paradrop(GAME, False) == Fraction(1, 6) and paradrop(GAME, True) == Fraction(1, 3)


EAST = ("bde_4_egypt", "armd_1_egypt", "ng_1_egypt", "garrison_egypt")
WEST = ("bde_7_israel", "gol_israel", "armd_25_britain")


def straight(pieces: list[Piece], piece: Piece) -> bool:
    """21.3 to 21.7, every way tried."""
    assert isinstance(piece.at, Hex)
    unit = GAME.units[piece.unit]
    shut = set()
    for other in pieces:
        assert isinstance(other.at, Hex)
        if GAME.units[other.unit].side != unit.side:
            shut.add(other.at)
            if "disrupted" not in other.states:
                shut |= set(neighbours(other.at))
    held: dict[object, set[str]] = {}
    for other in pieces:
        held.setdefault(other.at, set()).add(other.unit)
    kinds: dict[Hex, set[str]] = {}
    for place in MAP.places.values():
        for hex in place.hexes:
            kinds.setdefault(hex, set()).add(place.kind)

    def source(hex: Hex) -> bool:
        names = held.get(hex, set())
        here = kinds.get(hex, set()) | {MAP.terrain[hex]}
        if unit.nation == "israel":
            return (
                any(n.endswith("israel") for n in names)
                and hex in MAP.zones["israel"]
                and bool(here & {"town", "kibbutz"})
            )
        if unit.nation == "egypt":
            east = any(GAME.units[n].side == "east" for n in names)
            return east and hex in MAP.zones["egypt"] and bool(here & {"city", "airbase", "fortification"})
        return any(GAME.units[n].nation in ("britain", "france") for n in names) and bool(here & {"port", "airbase"})

    shape = unit.back if unit.back is not None and "disrupted" in piece.states else unit.factors
    reach = int(str(shape["movement"]))
    for roads, limit in ((False, reach), (True, 2 * reach)):
        edge = {piece.at}
        for _ in range(limit + 1):
            if any(source(hex) for hex in edge):
                return True
            edge |= {
                near
                for hex in edge
                for near in neighbours(hex)
                if near in MAP and near not in shut and MAP.terrain[near] != "sea"
                and (not roads or MAP.path_sides.get(hexside(hex, near), frozenset()) & {"road", "track"})
            }  # fmt: skip
    return False


@pytest.mark.parametrize("seed", range(12))
def test_lines_of_support_against_every_way(seed: int) -> None:
    rng = random.Random(seed)
    land = sorted(h for h in MAP.zones["sinai"] | MAP.zones["israel"] if MAP.terrain[h] != "sea")
    towns = [hex for place in MAP.places.values() for hex in place.hexes if hex in land]
    pieces = []
    taken: dict[Hex, str] = {}
    for i in range(14):
        unit = rng.choice(EAST + WEST)
        hex = rng.choice(towns if rng.random() < 0.5 else land)
        if taken.setdefault(hex, GAME.units[unit].side) != GAME.units[unit].side:
            continue
        states = frozenset({"disrupted"}) if rng.random() < 0.3 and GAME.units[unit].back else frozenset[str]()
        pieces.append(Piece(unit, str(i), GAME.units[unit].nation, hex, states))
    own = support(GAME, Position("musketeer", pieces=tuple(pieces)))
    for side in ("west", "east"):
        lines = own.lines(side)
        for line in lines:
            assert line.supplied == straight(pieces, line.piece), line
        cuts = own.cuts(side)
        for cut in cuts:
            enemy = "ng_1_egypt" if side == "west" else "gol_israel"
            after = [p for p in pieces if p.at != cut.hex] + [Piece(enemy, "x", "", cut.hex)]
            assert all(not straight(after, piece) for piece in cut.units)
        most = len(cuts[0].units) if cuts else 0
        for hex in rng.sample(land, 25):
            after = [p for p in pieces if p.at != hex] + [
                Piece("ng_1_egypt" if side == "west" else "gol_israel", "x", "", hex)
            ]
            lost = [
                line for line in lines if line.supplied and line.piece.at != hex and not straight(after, line.piece)
            ]
            assert len(lost) <= most


def test_the_start() -> None:
    """4.3: the garrisons stand in their own sources."""
    own = support(GAME, from_scenario(GAME, "standard"))
    assert len(own.lines("east")) == 8 and len(own.lines("west")) == 6
    assert all(line.supplied for side in ("west", "east") for line in own.lines(side))


def test_air_supply_serves_its_own_hex() -> None:
    """26.2; Israel has no such marker."""
    far, near = MAP.hex("4813"), MAP.hex("4814")
    for unit, flies in (("gd_britain", True), ("cca_us", True), ("bde_7_israel", False)):
        pieces = [Piece(unit, "1", GAME.units[unit].nation, far), Piece(unit, "2", GAME.units[unit].nation, near)]
        alone = support(GAME, Position("musketeer", "standard", pieces=tuple(pieces)))
        assert [line.supplied for line in alone.lines("west")] == [False, False]
        marked = Position("musketeer", "standard", pieces=(*pieces, Piece("air_supply_west", "1", "", far)))
        assert [line.supplied for line in support(GAME, marked).lines("west")] == [flies, False]


AIR = ["AA AA - - - 1", "AA AA - - 1 1", "AA - - 1 1 1", "AA - - 1 1 2", "AA - 1 1 2 2", "AA - 1 2 2 3", "AA 1 1 2 3 4"]


@pytest.mark.parametrize(("west", "east", "special"), [(3, 2, False), (2, 3, True), (9, 3, False), (1, 1, True), (2, 7, False)])
def test_air_superiority_against_every_throw(west: int, east: int, special: bool) -> None:
    """19.1 to 19.4, an East Bloc attack: the West fires first, but not against a special command."""
    brute: dict[Sky, Fraction] = {}
    for dice in product(range(1, 7), repeat=2):
        left = {"west": west, "east": east}
        for die, side in zip(dice, ("east", "west") if special else ("west", "east"), strict=True):
            other = "east" if side == "west" else "west"
            if not left[side] or not left[other]:
                continue
            column = min(7, min(7, left[side]) + 2 * (special and side == "east"))
            code = AIR[column - 1].split()[die - 1]
            if code == "AA":
                left[side] -= 1
            elif code != "-":
                left[other] = max(0, left[other] - int(code))
        sky = Sky(left["east"], left["west"])
        brute[sky] = brute.get(sky, Fraction(0)) + Fraction(1, 36)
    assert dict(superiority(GAME, "egypt", "israel", Sky(east, west), special).left) == brute

"""Operation Musketeer's combats, escalation, refits and lines of support, against the rules read straight."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import cast

import pytest

from scenarios import load
from scenarios.hexes import Hex, hexside, neighbour, neighbours
from scenarios.maps import HexMap
from scenarios.position import Piece, Position
from tests.net.adapter import Told, ask

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
        for spread, end in zip(brute, ((gone, away, left), (lost, fled)), strict=True):
            spread[end] = spread.get(end, Fraction(0)) + Fraction(1, 6**count)
        cleared = all(unit[2] != "in" for unit in hand.east) and any(unit[2] == "in" for unit in hand.west)
        stars += Fraction(cleared and star, 6**count)
    told = ask(
        GAME,
        "odds",
        attackers=",".join(west),
        defenders=",".join(east),
        terrain=terrain,
        cas=str(cas),
        enemy_flak="no",
        defender_guerrilla=str(value or ""),
        attacker_losses="weakest",
        defender_losses="weakest",
    )
    for side, ends in zip(("attacker", "defender"), brute, strict=True):
        expected: dict[tuple[int, int], Fraction] = {}
        for end, chance in ends.items():
            expected[end[0], end[1]] = expected.get((end[0], end[1]), Fraction(0)) + chance
        found: dict[tuple[int, int], Fraction] = {}
        for one in told["sides"][side]["losses"]:
            key = int(one["eliminated"]), int(one["retreated"])
            found[key] = found.get(key, Fraction(0)) + one["chance"]
        assert found == expected
        assert all(sum(unit["fate"].values()) == 1 for unit in told["sides"][side]["units"])
    shot_down: dict[str, Fraction] = {}
    for (_, _, left), chance in brute[0].items():
        shot_down[str(cas - left)] = shot_down.get(str(cas - left), Fraction(0)) + chance
    assert told["airstrikes_lost"] == shot_down
    assert told["must_pursue"] == stars
    assert told["must_pursue"] <= told["may_pursue"] <= told["cleared"]


def test_first_fire_and_the_examples() -> None:
    """14.4, 14.7, 19.9, 25.4."""
    for terrain, first in (("city", "defender"), ("fortification", "defender"), ("open", "attacker")):
        told = ask(GAME, "odds", attackers="rep_1_france", defenders="ng_1_egypt", terrain=terrain)
        assert told["first_fire"] == first
    two = ask(GAME, "odds", attackers="rep_1_france,reg_10_france", defenders="ng_1_egypt")
    assert [unit["column"] for unit in two["sides"]["attacker"]["units"]] == ["3", "2"]
    fought = {"attackers": "armd_25_britain", "defenders": "div_1_egypt"}
    city = ask(GAME, "odds", **fought, terrain="city", attacker_special_forces="yes", defender_guerrilla="2")
    assert [city["sides"][side]["units"][0]["shift"] for side in ("attacker", "defender")] == [-1, 2]
    assert "town" in ask(GAME, "odds", **fought, defender_guerrilla="1").refusal


def test_concentric_attacks_and_hexsides_from_the_map() -> None:
    """29.4: 120 to 180 degrees apart; 14.10: a hexside counts only if all come across it."""

    def shifts(target: Hex, starts: list[Hex]) -> list[set[tuple[str, Fraction]]]:
        stacks = ["bde_7_israel", "gol_israel"] if target == MAP.hex("5212") else ["gd_britain", "armd_25_britain"]
        told = ask(
            GAME,
            "odds",
            attackers="/".join(stacks[: len(starts)]),
            defenders="bde_4_egypt",
            hex=MAP.name(target),
            from_=",".join(map(MAP.name, starts)),
        )
        return [{(why["rule"], why["shift"]) for why in unit["why"]} for unit in told["sides"]["attacker"]["units"]]

    target = MAP.hex("5212")
    alone = shifts(target, [neighbour(target, 0)])[0]
    for a, b in product(range(6), repeat=2):
        apart = min((a - b) % 6, (b - a) % 6) * 60
        if a != b:
            both = shifts(target, [neighbour(target, a), neighbour(target, b)])
            assert all(bool({why for why in unit if why[1] == 1} - alone) == (apart >= 120) for unit in both), (a, b)
    canal = next(
        side for side, kinds in MAP.hexsides.items() if "suez_canal" in kinds and MAP.terrain[side.b] == "open"
    )
    dry = next(
        n
        for n in neighbours(canal.b)
        if n in MAP and not MAP.hexsides.get(hexside(n, canal.b)) and n in neighbours(canal.a)
    )
    assert min(shift for _, shift in shifts(canal.b, [canal.a])[0]) == -2
    assert not any(shift == -2 for unit in shifts(canal.b, [canal.a, dry]) for _, shift in unit)


def test_a_direct_assault_that_fails_is_lost() -> None:
    """29.5."""
    told = ask(GAME, "odds", attackers="cdo_3_britain+direct_assault", defenders="div_1_egypt", terrain="city")
    assert told["sides"]["attacker"]["units"][0]["fate"]["eliminated"] >= 1 - told["cleared"]


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
    found = ask(GAME, "escalation", index=str(index), markers=",".join(markers))
    assert found["war"] == {"1": war} and found["peace"] == {str(after): chance for after, chance in peace.items()}


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
    told = ask(GAME, "escalation", index="38", markers=",".join(plan[0]), turns="2", later=",".join(plan[1]))
    assert told["war"] == {str(turn): chance for turn, chance in war.items()}


def test_entry_of_the_superpowers() -> None:
    """28.3: on turn 1 a 1 brings the Soviets in, and then the US rolls at once."""
    found = ask(GAME, "escalation", index="1")["committed"]
    assert found == {"ussr": Fraction(1, 6), "arab_league": Fraction(1, 6), "us": Fraction(1, 36)}
    assert "did you mean" in ask(GAME, "escalation", index="1", markers="command_izrael").refusal


def test_refits_and_drops() -> None:
    """Refit Table; 29.6."""
    assert ask(GAME, "refit", nation="france", kind="ground")["chance"] == Fraction(1, 2)
    assert ask(GAME, "refit", nation="egypt", kind="air")["chance"] == Fraction(1, 6)
    none = ask(GAME, "refit", nation="israel", kind="special")
    assert none.refusal or none["chance"] == 0
    egypt = ask(GAME, "refit", nation="egypt", kind="ground", units="2", impulses="2")
    assert egypt["chance"] == Fraction(1, 3) and egypt["refitted"]["2"] == (1 - Fraction(4, 9)) ** 2
    for contested, chance in (("no", Fraction(1, 6)), ("yes", Fraction(1, 3))):
        drop = ask(GAME, "paradrop", unit="rep_1_france", to="4106", scenario="standard", contested=contested)
        assert drop["disrupted"] == chance


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
                if near in MAP
                and near not in shut
                and MAP.terrain[near] != "sea"
                and (not roads or MAP.path_sides.get(hexside(hex, near), frozenset()) & {"road", "track"})
            }
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
    told = ask(GAME, "supply", Position("musketeer", "standard", pieces=tuple(pieces)))
    for side in ("west", "east"):
        mine = [piece for piece in pieces if GAME.units[piece.unit].side == side]
        supplied = [piece for piece in mine if straight(pieces, piece)]
        assert sorted(told["supplied"][side]) == sorted(map(_at, supplied))
        assert sorted(told["out"][side]) == sorted(_at(piece) for piece in mine if piece not in supplied)
        enemy = "ng_1_egypt" if side == "west" else "gol_israel"

        def cut(hex: Hex, supplied: list[Piece] = supplied, enemy: str = enemy) -> list[str]:
            """Whom an enemy in a hex would cut."""
            after = [p for p in pieces if p.at != hex] + [Piece(enemy, "x", "", hex)]
            return [piece.unit for piece in supplied if piece.at != hex and not straight(after, piece)]

        for place, units in told["cuts"][side].items():
            assert not Counter(units) - Counter(cut(MAP.hex(place)))
        most = (told["cuts_most"][side] or (0,))[0]
        assert all(len(cut(hex)) <= most for hex in rng.sample(land, 25))


def _at(piece: Piece) -> str:
    assert isinstance(piece.at, Hex)
    return f"{piece.unit}@{MAP.name(piece.at)}"


def test_the_start() -> None:
    """4.3: the garrisons stand in their own sources."""
    told = ask(GAME, "supply", scenario="standard")
    assert len(told["supplied"]["east"]) == 8 and len(told["supplied"]["west"]) == 6
    assert not told["out"]["east"] and not told["out"]["west"]


def test_air_supply_serves_its_own_hex() -> None:
    """26.2; Israel has no such marker."""
    far, near = MAP.hex("4813"), MAP.hex("4814")

    def supplied(*pieces: Piece) -> Told:
        return ask(GAME, "supply", Position("musketeer", "standard", pieces=pieces))

    for unit, flies in (("gd_britain", True), ("cca_us", True), ("bde_7_israel", False)):
        pieces = [Piece(unit, "1", GAME.units[unit].nation, far), Piece(unit, "2", GAME.units[unit].nation, near)]
        assert not supplied(*pieces)["supplied"]["west"]
        marked = supplied(*pieces, Piece("air_supply_west", "1", "", far))
        assert marked["supplied"]["west"] == ((f"{unit}@4813",) if flies else ())


AIR = ["AA AA - - - 1", "AA AA - - 1 1", "AA - - 1 1 1", "AA - - 1 1 2", "AA - 1 1 2 2", "AA - 1 2 2 3", "AA 1 1 2 3 4"]


@pytest.mark.parametrize(
    ("west", "east", "special"), [(3, 2, False), (2, 3, True), (8, 3, False), (1, 1, True), (2, 5, False)]
)
def test_air_superiority_against_every_throw(west: int, east: int, special: bool) -> None:
    """19.1 to 19.4, an East Bloc attack: the West fires first, but not against a special command."""
    brute: dict[str, dict[str, Fraction]] = {"west": {}, "east": {}}
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
        for side, had in (("west", west), ("east", east)):
            lost = str(had - left[side])
            brute[side][lost] = brute[side].get(lost, Fraction(0)) + Fraction(1, 36)
    told = ask(
        GAME,
        "air",
        mission="superiority",
        attacker=f"ussr:{east}",
        defender=f"anglo_french:{west}",
        special_command="yes" if special else "no",
    )
    assert told["lost"] == {"attacker": brute["east"], "defender": brute["west"]}

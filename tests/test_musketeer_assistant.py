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
from scenarios.model.hexes import Hex, hexside, neighbour, neighbours
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position
from tests.net.adapter import GameAnswer, ask

GAME = load("musketeer")
MAP = cast(HexMap, GAME.maps["main"])
# The columns of the pack's ground table, die 1 to 6; retyped so that a slip in either shows.
CRT = [
    "- - - - A/G R", "- - - A/G R D", "- - A/G R D DR", "- A/G R D D DR", "A/G R D D DR DR*",
    "A/G R D D DR E", "R D D DR DR* E", "R D DR DR* E E*", "D DR DR DR* E E*", "D DR DR* E E E*",
]  # fmt: skip
# Whole and disrupted strength (0: one-sided), and whether it is static.
UNIT_VALUES = {
    "armd_25_britain": (4, 2, False), "rep_1_france": (3, 2, False), "loc_britain": (1, 0, False),
    "div_1_egypt": (4, 2, False), "bde_4_egypt": (2, 1, False), "ng_1_egypt": (1, 0, False),
    "garrison_egypt": (1, 0, True),
}  # fmt: skip
SHIFT = {"open": 0, "town": -1, "city": -2, "rough": -1, "fortification": -2}


class Hand:
    """One combat by hand: the weakest unit takes every result."""

    def __init__(self, west: list[str], east: list[str], terrain: str, cas: int, guerrilla: int) -> None:
        self.west = [[name, UNIT_VALUES[name][0], "in"] for name in west]
        self.east = [[name, UNIT_VALUES[name][0], "in"] for name in east]
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
        dead_counts = [sum(u[2] == "dead" for u in side) for side in (self.west, self.east)]
        retreat_counts = [sum(u[2] == "away" for u in side) for side in (self.west, self.east)]
        return dead_counts[0], retreat_counts[0], dead_counts[1], retreat_counts[1], self.cas, self.star

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
        full_strength, reduced_strength, static = UNIT_VALUES[str(unit[0])]
        if code == "E" or ("D" in code and (unit[1] != full_strength or not reduced_strength)):
            unit[2] = "dead"
        elif "D" in code:
            unit[1] = reduced_strength
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
        west_dead, west_retreats, east_dead, fled, cas_left, star = hand.play(iter(faces))
        for spread, end in zip(brute, ((west_dead, west_retreats, cas_left), (east_dead, fled)), strict=True):
            spread[end] = spread.get(end, Fraction(0)) + Fraction(1, 6**count)
        is_cleared = all(unit[2] != "in" for unit in hand.east) and any(unit[2] == "in" for unit in hand.west)
        stars += Fraction(is_cleared and star, 6**count)
    answer = ask(
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
        expected_losses: dict[tuple[int, int], Fraction] = {}
        for end, chance in ends.items():
            expected_losses[end[0], end[1]] = expected_losses.get((end[0], end[1]), Fraction(0)) + chance
        actual_losses: dict[tuple[int, int], Fraction] = {}
        for loss in answer["sides"][side]["losses"]:
            key = int(loss["eliminated"]), int(loss["retreated"])
            actual_losses[key] = actual_losses.get(key, Fraction(0)) + loss["chance"]
        assert actual_losses == expected_losses
        assert all(sum(unit["fate"].values()) == 1 for unit in answer["sides"][side]["units"])
    shot_down: dict[str, Fraction] = {}
    for (_, _, cas_left), chance in brute[0].items():
        shot_down[str(cas - cas_left)] = shot_down.get(str(cas - cas_left), Fraction(0)) + chance
    assert answer["airstrikes_lost"] == shot_down
    assert answer["must_pursue"] == stars
    assert answer["must_pursue"] <= answer["may_pursue"] <= answer["cleared"]


def test_first_fire_and_the_examples() -> None:
    """14.4, 14.7, 19.9, 25.4."""
    for terrain, first in (("city", "defender"), ("fortification", "defender"), ("open", "attacker")):
        answer = ask(GAME, "odds", attackers="rep_1_france", defenders="ng_1_egypt", terrain=terrain)
        assert answer["first_fire"] == first
    two = ask(GAME, "odds", attackers="rep_1_france,reg_10_france", defenders="ng_1_egypt")
    assert [unit["column"] for unit in two["sides"]["attacker"]["units"]] == ["3", "2"]
    battle_inputs = {"attackers": "armd_25_britain", "defenders": "div_1_egypt"}
    city = ask(GAME, "odds", **battle_inputs, terrain="city", attacker_special_forces="yes", defender_guerrilla="2")
    assert [city["sides"][side]["units"][0]["shift"] for side in ("attacker", "defender")] == [-1, 2]
    assert "town" in ask(GAME, "odds", **battle_inputs, defender_guerrilla="1").refusal


def test_concentric_attacks_and_hexsides_from_the_map() -> None:
    """29.4: 120 to 180 degrees apart; 14.10: a hexside counts only if all come across it."""

    def shifts(target: Hex, starts: list[Hex]) -> list[set[tuple[str, Fraction]]]:
        stacks = ["bde_7_israel", "gol_israel"] if target == MAP.hex("5212") else ["gd_britain", "armd_25_britain"]
        answer = ask(
            GAME,
            "odds",
            attackers="/".join(stacks[: len(starts)]),
            defenders="bde_4_egypt",
            hex=MAP.name(target),
            from_=",".join(map(MAP.name, starts)),
        )
        return [
            {(reason["rule"], reason["shift"]) for reason in unit["why"]}
            for unit in answer["sides"]["attacker"]["units"]
        ]

    target = MAP.hex("5212")
    single_shifts = shifts(target, [neighbour(target, 0)])[0]
    for a, b in product(range(6), repeat=2):
        angle = min((a - b) % 6, (b - a) % 6) * 60
        if a != b:
            pair_shifts = shifts(target, [neighbour(target, a), neighbour(target, b)])
            assert all(
                bool({reason for reason in unit if reason[1] == 1} - single_shifts) == (angle >= 120)
                for unit in pair_shifts
            ), (a, b)
    canal = next(
        side
        for side, side_kinds in MAP.hexsides.items()
        if "suez_canal" in side_kinds and MAP.terrain[side.b] == "open"
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
    answer = ask(GAME, "odds", attackers="cdo_3_britain+direct_assault", defenders="div_1_egypt", terrain="city")
    assert answer["sides"]["attacker"]["units"][0]["fate"]["eliminated"] >= 1 - answer["cleared"]


# Random events that change the index, typed from the table: sum of two dice to what happens.
RISES = {2: {-1: 36}, 7: {n: 6 - abs(n - 7) for n in range(2, 13)}, 11: dict.fromkeys(range(1, 7), 6)}
POINTS = {"command_anglo_french": 1, "command_israel": 1, "command_musketeer": 2, "command_egypt": 0}


@pytest.mark.parametrize("index", [1, 30, 38, 45, 49])
def test_world_war_this_turn(index: int) -> None:
    """6.2 to 6.4, 22.1: the markers' points, then the event."""
    markers = ["command_anglo_french", "command_israel", "command_egypt"]
    marked_index = index + sum(POINTS[m] for m in markers)
    war = Fraction(0)
    peace: dict[int, Fraction] = {}
    for a, b in product(range(1, 7), repeat=2):
        for rise, ways in RISES.get(a + b, {0: 36}).items():
            chance = Fraction(ways, 36 * 36)
            new_index = max(1, marked_index + rise)
            if marked_index >= 50 or new_index >= 50:
                war += chance
            else:
                peace[new_index] = peace.get(new_index, Fraction(0)) + chance
    answer = ask(GAME, "forecast", turns="1", index=str(index), markers=",".join(markers))
    assert answer["ends"] == {"1": war} and answer["goes_on"] == 1 - war
    # What the index comes to is told of the games that go on.
    index_chances = answer["counters"]["1"].get("index", {})
    assert {int(level): chance * (1 - war) for level, chance in index_chances.items()} == peace


def test_a_forecast_of_two_turns_against_every_event() -> None:
    """22.2: a marker that an event forbids adds nothing next turn; 28.3: neither does one that isn't committed."""
    markers_by_event = {5: "command_anglo_french", 12: "command_israel", 10: "special"}
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
            ban = markers_by_event.get(a + b, "")
            markers = [m for m in plan[1][:3] if m != ban and not (ban == "special" and m == "command_musketeer")]
            for soviets, share in ((2, Fraction(1, 6)), (0, Fraction(5, 6))):
                if a + b == 6:
                    soviets = 0  # the Hungarian Uprising keeps the Soviet marker out
                second = first + sum(POINTS[m] for m in markers) + soviets
                if second >= 50:
                    war[2] += chance * share
                    continue
                for c, d in product(range(1, 7), repeat=2):
                    for second_rise, more_ways in RISES.get(c + d, {0: 36}).items():
                        if max(1, second + second_rise) >= 50:
                            war[2] += chance * share * Fraction(more_ways, 36 * 36)
    markers = [f"{turn}:{marker}" for turn, names in enumerate(plan, 1) for marker in names]
    answer = ask(GAME, "forecast", index="38", markers=",".join(markers), turns="2")
    assert answer["ends"] == {str(turn): chance for turn, chance in war.items()}


def test_entry_of_the_superpowers() -> None:
    """28.3: on turn 1 a 1 brings the Soviets in, and then the US rolls at once."""
    counters = ask(GAME, "forecast", turns="1", index="1")["counters"]["1"]
    entry_chances = {power: counters[power]["yes"] for power in ("ussr", "arab_league", "us")}
    assert entry_chances == {"ussr": Fraction(1, 6), "arab_league": Fraction(1, 6), "us": Fraction(1, 36)}
    assert "did you mean" in ask(GAME, "forecast", index="1", markers="command_izrael").refusal


def test_refits_and_drops() -> None:
    """Refit Table; 29.6."""
    assert ask(GAME, "refit", nation="france", kind="ground")["chance"] == Fraction(1, 2)
    assert ask(GAME, "refit", nation="egypt", kind="air")["chance"] == Fraction(1, 6)
    special_refit = ask(GAME, "refit", nation="israel", kind="special")
    assert special_refit.refusal or special_refit["chance"] == 0
    egypt = ask(GAME, "refit", nation="egypt", kind="ground", units="2", impulses="2")
    assert egypt["chance"] == Fraction(1, 3) and egypt["refitted"]["2"] == (1 - Fraction(4, 9)) ** 2
    for contest, chance in (("no", Fraction(1, 6)), ("yes", Fraction(1, 3))):
        drop = ask(GAME, "paradrop", unit="rep_1_france", to="4106", scenario="standard", contested=contest)
        assert drop["disrupted"] == chance


EAST = ("bde_4_egypt", "armd_1_egypt", "ng_1_egypt", "garrison_egypt")
WEST = ("bde_7_israel", "gol_israel", "armd_25_britain")


def straight(pieces: list[Piece], piece: Piece) -> bool:
    """21.3 to 21.7, every way tried."""
    assert isinstance(piece.at, Hex)
    unit = GAME.units[piece.unit]
    shut = set()
    for other_piece in pieces:
        assert isinstance(other_piece.at, Hex)
        if GAME.units[other_piece.unit].side != unit.side:
            shut.add(other_piece.at)
            if "disrupted" not in other_piece.states:
                shut |= set(neighbours(other_piece.at))
    units_by_place: dict[object, set[str]] = {}
    for other_piece in pieces:
        units_by_place.setdefault(other_piece.at, set()).add(other_piece.unit)
    kinds_by_hex: dict[Hex, set[str]] = {}
    for place in MAP.places.values():
        for hex in place.hexes:
            kinds_by_hex.setdefault(hex, set()).add(place.kind)

    def source(hex: Hex) -> bool:
        names = units_by_place.get(hex, set())
        ground_kinds = kinds_by_hex.get(hex, set()) | {MAP.terrain[hex]}
        if unit.nation == "israel":
            return (
                any(n.endswith("israel") for n in names)
                and hex in MAP.zones["israel"]
                and bool(ground_kinds & {"town", "kibbutz"})
            )
        if unit.nation == "egypt":
            east = any(GAME.units[n].side == "east" for n in names)
            return east and hex in MAP.zones["egypt"] and bool(ground_kinds & {"city", "airbase", "fortification"})
        return any(GAME.units[n].nation in ("britain", "france") for n in names) and bool(
            ground_kinds & {"port", "airbase"}
        )

    shape = unit.back if unit.back is not None and "disrupted" in piece.states else unit.factors
    reach = int(str(shape["movement"]))
    for roads, limit in ((False, reach), (True, 2 * reach)):
        edge = {piece.at}
        for _ in range(limit + 1):
            if any(source(hex) for hex in edge):
                return True
            edge |= {
                adjacent_hex
                for hex in edge
                for adjacent_hex in neighbours(hex)
                if adjacent_hex in MAP
                and adjacent_hex not in shut
                and MAP.terrain[adjacent_hex] != "sea"
                and (not roads or MAP.path_sides.get(hexside(hex, adjacent_hex), frozenset()) & {"road", "track"})
            }
    return False


@pytest.mark.parametrize("seed", range(12))
def test_lines_of_support_against_every_way(seed: int) -> None:
    rng = random.Random(seed)
    land = sorted(h for h in MAP.zones["sinai"] | MAP.zones["israel"] if MAP.terrain[h] != "sea")
    towns = [hex for place in MAP.places.values() for hex in place.hexes if hex in land]
    pieces = []
    side_by_hex: dict[Hex, str] = {}
    for i in range(14):
        unit = rng.choice(EAST + WEST)
        hex = rng.choice(towns if rng.random() < 0.5 else land)
        if side_by_hex.setdefault(hex, GAME.units[unit].side) != GAME.units[unit].side:
            continue
        states = frozenset({"disrupted"}) if rng.random() < 0.3 and GAME.units[unit].back else frozenset[str]()
        pieces.append(Piece(unit, str(i), GAME.units[unit].nation, hex, states))
    answer = ask(GAME, "supply", Position("musketeer", "standard", pieces=tuple(pieces)))
    for side in ("west", "east"):
        side_pieces = [piece for piece in pieces if GAME.units[piece.unit].side == side]
        supplied_pieces = [piece for piece in side_pieces if straight(pieces, piece)]
        assert sorted(answer["supplied"][side]) == sorted(map(_piece_text, supplied_pieces))
        assert sorted(answer["out"][side]) == sorted(
            _piece_text(piece) for piece in side_pieces if piece not in supplied_pieces
        )
        enemy = "ng_1_egypt" if side == "west" else "gol_israel"

        def cut(hex: Hex, supplied_pieces: list[Piece] = supplied_pieces, enemy: str = enemy) -> list[str]:
            """Whom an enemy in a hex would cut."""
            remaining_pieces = [p for p in pieces if p.at != hex] + [Piece(enemy, "x", "", hex)]
            return [
                piece.unit for piece in supplied_pieces if piece.at != hex and not straight(remaining_pieces, piece)
            ]

        for place, units in answer["cuts"][side].items():
            assert not Counter(units) - Counter(cut(MAP.hex(place)))
        max_cut = (answer["cuts_most"][side] or (0,))[0]
        assert all(len(cut(hex)) <= max_cut for hex in rng.sample(land, 25))


def _piece_text(piece: Piece) -> str:
    assert isinstance(piece.at, Hex)
    return f"{piece.unit}@{MAP.name(piece.at)}"


def test_the_start() -> None:
    """4.3: the garrisons stand in their own sources."""
    answer = ask(GAME, "supply", scenario="standard")
    assert len(answer["supplied"]["east"]) == 8 and len(answer["supplied"]["west"]) == 6
    assert not answer["out"]["east"] and not answer["out"]["west"]


def test_air_supply_serves_its_own_hex() -> None:
    """26.2; Israel has no such marker."""
    far_hex, near_hex = MAP.hex("4813"), MAP.hex("4814")

    def ask_supply(*pieces: Piece) -> GameAnswer:
        return ask(GAME, "supply", Position("musketeer", "standard", pieces=pieces))

    for unit, flies in (("gd_britain", True), ("cca_us", True), ("bde_7_israel", False)):
        pieces = [
            Piece(unit, "1", GAME.units[unit].nation, far_hex),
            Piece(unit, "2", GAME.units[unit].nation, near_hex),
        ]
        assert not ask_supply(*pieces)["supplied"]["west"]
        answer = ask_supply(*pieces, Piece("air_supply_west", "1", "", far_hex))
        assert answer["supplied"]["west"] == ((f"{unit}@4813",) if flies else ())


AIR = ["AA AA - - - 1", "AA AA - - 1 1", "AA - - 1 1 1", "AA - - 1 1 2", "AA - 1 1 2 2", "AA - 1 2 2 3", "AA 1 1 2 3 4"]


@pytest.mark.parametrize(
    ("west", "east", "special"), [(3, 2, False), (2, 3, True), (8, 3, False), (1, 1, True), (2, 5, False)]
)
def test_air_superiority_against_every_throw(west: int, east: int, special: bool) -> None:
    """19.1 to 19.4, an East Bloc attack: the West fires first, but not against a special command."""
    brute: dict[str, dict[str, Fraction]] = {"west": {}, "east": {}}
    for dice in product(range(1, 7), repeat=2):
        strikes_left = {"west": west, "east": east}
        for die, side in zip(dice, ("east", "west") if special else ("west", "east"), strict=True):
            enemy = "east" if side == "west" else "west"
            if not strikes_left[side] or not strikes_left[enemy]:
                continue
            column = min(7, min(7, strikes_left[side]) + 2 * (special and side == "east"))
            code = AIR[column - 1].split()[die - 1]
            if code == "AA":
                strikes_left[side] -= 1
            elif code != "-":
                strikes_left[enemy] = max(0, strikes_left[enemy] - int(code))
        for side, had in (("west", west), ("east", east)):
            losses = str(had - strikes_left[side])
            brute[side][losses] = brute[side].get(losses, Fraction(0)) + Fraction(1, 36)
    answer = ask(
        GAME,
        "air",
        mission="superiority",
        attacker=f"ussr:{east}",
        defender=f"anglo_french:{west}",
        special_command="yes" if special else "no",
    )
    assert answer["lost"] == {"attacker": brute["east"], "defender": brute["west"]}

"""Fire by the assistant against an oracle that was written from the rules alone, in random battles."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from scenarios import load
from scenarios import position as pieces
from scenarios.hexes import Hex, distance
from scenarios.maps import HexMap
from tests import aiw_fire_oracle as slow
from tests.aiw_fire_law import breaches
from tests.aiw_fire_oracle import Battle, Piece
from tests.aiw_sight_oracle import Kind, Oracle, random_table, random_works
from tests.aiw_world import World
from tests.net.adapter import Told, ask

GAME = load("arab_israeli_wars")
CHOICES = {key: ruling.choice for key, ruling in GAME.rulings.items()}
EVERY = slow.pieces()
TERRAIN = ("clear", "clear", "woods", "town", "slope", "suez_canal")
YEARS = {"S-1": 1956, "S-2": 1967, "S-9": 1973}
SEEN_FIRST = ("direct_fire", "opportunity_fire")
ATTACKS = ("direct_fire", "opportunity_fire", "indirect_fire", "overrun", "close_assault", "air_strike")


def a_firer(rng: random.Random, attack: str, sheet: list[Piece]) -> Piece:
    if attack == "air_strike":
        kind = rng.choice(("A", "A", "G", "H", "(H)", "(H)"))
        far = rng.choice((0, 1, 1, 2, 3, 4, 12, 13))
        strike = Piece("strike", 0, kind, 0, 0, "F", 0, "", frozenset(), points=rng.choice((10, 16, 21, 30, 45)))
        return replace(strike, distance=far, carried=True) if rng.random() < 0.5 else strike
    if attack == "indirect_fire" and rng.random() < 0.2:
        kind = rng.choice(("(H)", "M"))
        return Piece("battery", 0, kind, 0, 0, "NA", 0, "egypt", frozenset(), points=rng.choice((9, 12, 14, 18)))
    able = [one for one in sheet if attack in one.abilities] if rng.random() < 0.9 else sheet
    one = rng.choice(able)
    states = {state for state in ("inverted", "dispersed") if rng.random() < 0.02}
    if one.flies and rng.random() < 0.1:
        states.add("down")
    far = rng.choice((1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 24, 36)) if "fire" in attack else 1
    rare = [rng.random() < 0.04 for _ in range(5)]
    overrun = attack == "opportunity_fire" and far == 1 and rng.random() < 0.6
    army = rng.choice(("", "", "syria", "jordan", "israel", "iraq")) if one.nation else ""
    more = 1 if "reloads" in one.abilities or one.flies else rng.choice((1, 1, 1, 2, 3))
    held = replace(one, states=frozenset(states), distance=far, sees=rng.random() < 0.97, army=army, ammunition=more)
    return replace(
        held,
        behind=rng.random() < 0.2,
        overrun=overrun,
        on_road=rare[0],
        works_here=rare[1],
        carried=rare[2],
        quick=rare[3],
        destructive=rare[4],
        **_strike(rng, attack, one),
    )


def _strike(rng: random.Random, attack: str, one: Piece) -> dict[str, Any]:
    """Half of the aircraft in other fire bring a strike (Advanced I.E.7), most as the rules allow."""
    if "fire" not in attack or "air_strike" not in one.abilities or rng.random() < 0.5:
        return {}
    kind = rng.choice(("(H)", "(H)", "G") if attack == "indirect_fire" else ("A", "A", "G", "G", "H", "(H)"))
    far = rng.choice((0, 0, 0, 1) if "H" in kind else (0, 1, 2, 3, 4) if kind == "A" else (1, 3, 7, 12, 13))
    return {"strike": kind, "points": rng.choice((20, 21, 30, 45)), "distance": far}


def a_battle(rng: random.Random) -> Battle:
    attack = rng.choice(ATTACKS)
    israeli = rng.random() < 0.5
    own = [one for one in EVERY if one.nation and (one.nation == "israel") == israeli]
    foe = [one for one in EVERY if (one.nation == "israel") != israeli]
    if rng.random() < 0.7:
        foe = [one for one in foe if not one.flies]
    targets = []
    for one in rng.choices(foe, k=rng.choice((1, 1, 2, 3, 4))):
        states = {state for state in ("dispersed", "spotted", "spotted", "inverted") if rng.random() < 0.4}
        if one.flies and rng.random() < 0.6:
            states.add("down")
        targets.append(replace(one, states=frozenset(states)))
    overrunning = attack == "opportunity_fire" and rng.random() < 0.4
    works = rng.choice(("none", "none", "improved_position", "fort"))
    terrain = rng.choice(TERRAIN)
    if terrain == "suez_canal" or (overrunning and works == "fort"):
        works = "none"  # nobody digs in there (Standard V.C.1, V.D.1) nor overruns out of a fort (V.C.2.d)
    return Battle(
        attack,
        tuple(a_firer(rng, attack, own) for _ in range(rng.choice((1, 1, 2, 3, 5)))),
        tuple(targets),
        terrain,
        works,
        rng.choice((1956, 1960, 1961, 1967, 1968, 1970, 1971, 1973)),
        rng.random() < 0.15,
        rng.random() < 0.3,
        overrunning,
        attack == "opportunity_fire" and rng.random() < 0.2,
        rng.random() < 0.1,
        rng.random() < 0.1,
        rng.random() < 0.1,
        rng.random() < 0.2,
    )


def told(b: Battle, f: Piece) -> dict[str, object]:
    aimed: dict[str, object] = {"destructive": True} if f.destructive else {}
    brought: dict[str, object] = {"points": f.points, "kind": f.strike} if f.strike else {}
    fired = {"distance": f.distance, "sees": f.sees, "army": f.army or "own", "ammunition": f.ammunition, **brought}
    off_board: dict[str, object] = {} if f.strike or f.points else {"off_board": 0}
    every: dict[str, dict[str, object]] = {
        "direct_fire": fired,
        "indirect_fire": {"distance": f.distance, **off_board, "ammunition": f.ammunition, **aimed, **brought},
        "overrun": {"on_road": f.on_road, "works_here": f.works_here, "ammunition": f.ammunition},
        "close_assault": {
            "army": f.army or "own",
            "carried": f.carried,
            "on_road": f.on_road,
            "quick_march": f.quick,
            "ammunition": f.ammunition,
        },
        "air_strike": {"distance": f.distance, "carried": f.carried},
    }
    every["opportunity_fire"] = every["direct_fire"] | {"overrun_by_them": b.overrunning and f.overrun}
    return every[b.attack]


def word(name: str, states: frozenset[str], inputs: dict[str, object]) -> str:
    """A unit as it is told in words."""
    shown = {True: "yes", False: "no"}
    head = "+".join([name, *sorted(states)])
    return ":".join(
        [head, *(f"{key}={shown[value] if isinstance(value, bool) else value}" for key, value in inputs.items())]
    )


def asked(b: Battle) -> list[str]:
    """The same battle as the assistant is asked about it, in words, without a map. A strike by itself, and a battery off the board, are
    told by their points and type."""
    inputs: dict[str, object] = {
        "terrain": b.terrain,
        "works": b.works,
        "year": b.year,
        "in_smoke": b.smoke,
        "next_to": b.next_to,
        "reduced_visibility": b.dim,
        "howitzer_rule": b.howitzers,
        "overrunning": b.overrunning,
        "quick_march": b.quick_march,
        "obstacle": b.obstacle,
        "minefield": b.minefield,
    }
    shape = GAME.attacks[b.attack]
    firers = [
        word(f"{f.points}{f.weapon}" if f.points and not f.strike else f.id, f.states, told(b, f)) for f in b.firers
    ]
    behind = b.attack in SEEN_FIRST and slow.shielded(b)
    targets = [word(t.id, t.states, {"shielded": True} if behind else {}) for t in b.targets]
    held = [word("", frozenset(), {key: value})[1:] for key, value in inputs.items() if key in shape.inputs]
    return [b.attack, f"{shape.attackers}={','.join(firers)}", f"{shape.defenders}={','.join(targets)}", *held]


def compare(b: Battle, held: Told) -> None:
    """An answer, given even if the attack isn't allowed, against the oracle's."""
    wrong = breaches(b)
    assert held["allowed"] == (not wrong), (held["forbidden"], wrong)
    if wrong - {"spotted"}:
        return
    expected = slow.answers(b)
    attacks = held.get("each", [held])
    assert len(attacks) == len(expected)
    places = list(range(len(b.targets)))
    for answer, mine in zip(attacks, expected, strict=True):
        assert sorted(answer["strengths"][GAME.attacks[b.attack].attackers]) == sorted(mine.strengths)
        assert (answer["attack"], answer.get("defense")) == (mine.attack, mine.defense)
        assert (answer.get("column") or None) == mine.column
        for die, chances in zip(mine.dice, mine.chances, strict=True):
            fate = held["defenders"][places.pop(0)]
            assert (
                fate["chances"] == {key: chance for key, chance in chances.items() if chance}
                and sum(chances.values()) == 1
            )
            assert mine.column is None or fate["die"] == die
    toll = {(one["eliminated"], one["dispersed"]): one["chance"] for one in held["toll"]}
    assert toll == slow.tolls(expected)
    assert sum(toll.values()) == Fraction(1)


def on_a_map(
    rng: random.Random, table: HexMap, works: dict[Hex, frozenset[str]], years: Mapping[str, int], sight: Oracle
) -> tuple[Told, Battle]:
    """A battle on the map: for the assistant by hexes, for the oracle by what its own sight sees."""
    attack = rng.choice(("direct_fire", "direct_fire", "direct_fire", "overrun", "close_assault"))
    at = rng.choice(table.hexes)
    reach = 1 if attack not in SEEN_FIRST and rng.random() < 0.9 else 6
    near = [hex for hex in table.hexes if 0 < distance(hex, at) <= reach] or [at]
    scenario = rng.choice(list(years))
    here = works.get(at, frozenset())
    foe = [one for one in EVERY if one.nation not in ("israel", "") and (not one.flies or rng.random() < 0.2)]
    targets = []
    for one in rng.choices(foe, k=rng.choice((1, 1, 2, 3))):
        states = {state for state in ("dispersed", "spotted") if rng.random() < 0.4}
        if "air_strike_only" in one.abilities:
            states.discard("dispersed")  # a jet is shot down or unharmed; it never stays on the board dispersed
        elif one.flies and rng.random() < 0.5:
            states.add("down")
        targets.append(replace(one, states=frozenset(states)))
    firers, hexes = [], []
    able = [one for one in EVERY if one.nation == "israel" and attack in one.abilities]
    for one in rng.choices(able, k=rng.choice((1, 2, 3))):
        hex = rng.choice(near)
        looks = [sight.answer(hex, at, seen_as(one), seen_as(t)) for t in targets]
        standing = works.get(hex, frozenset())
        hexes.append(hex)
        firers.append(
            replace(
                one,
                distance=distance(hex, at),
                sees=all(look.clear for look in looks),
                behind=any(look.b_hull_down for look in looks),
                works_here=bool(standing & {"fort", "trench"}),
                afloat=table.terrain[hex] == "suez_canal",
            )
        )
    seeing = [f for f in firers if "air_strike_only" not in f.abilities]
    b = Battle(
        attack,
        tuple(firers),
        tuple(targets),
        table.terrain[at],
        "fort" if "fort" in here else "improved_position" if "improved_position" in here else "none",
        years[scenario],
        "smoke" in here,
        any(f.distance == 1 for f in seeing),
        obstacle="trench" in here,
    )
    units = [
        pieces.Piece(f.id, copy_of(f, i), f.nation, hex, f.states)
        for i, (f, hex) in enumerate(zip(firers, hexes, strict=True))
    ]
    units += [pieces.Piece(t.id, str(50 + i), t.nation, at, t.states) for i, t in enumerate(targets)]
    world = World(table, works, tuple(units), scenario)
    asked_for = {
        "from_": ",".join(dict.fromkeys(map(table.name, hexes))),
        "at": table.name(at),
        "attack": attack,
        "side": "israeli",
    }
    named = {"firers": ",".join(f"{unit.unit}#{unit.copy}" for unit in units if unit.at != at)}
    return world.ask("odds", **asked_for, **named, anyway=True), b


def copy_of(one: Piece, number: int) -> str:
    """A printed number of the counter; where there are more pieces than numbers, some have the same."""
    known = GAME.units[one.id].numbers or tuple(str(copy) for copy in range(1, 1 + GAME.units[one.id].count))
    return known[number % len(known)]


def seen_as(one: Piece) -> Kind:
    if one.flies and "down" not in one.states:
        return "air"
    return "infantry" if GAME.units[one.id].class_ == "infantry" else "ground"


def many(seed: int, count: int) -> None:
    rng = random.Random(seed)
    for i in range(count):
        b = a_battle(rng)
        try:
            compare(b, ask(GAME, "odds", words=asked(b), anyway=True))
        except AssertionError as error:
            raise AssertionError(f"battle {i} of seed {seed}: {b}") from error


def test_many_battles() -> None:
    many(1977, 1500)


def maps(seed: int, count: int) -> None:
    rng = random.Random(seed)
    table = random_table(GAME, rng)
    works = random_works(table, rng)
    sight = Oracle(table, works, CHOICES)
    for i in range(count):
        answer, b = on_a_map(rng, table, works, YEARS, sight)
        try:
            compare(b, answer)
        except AssertionError as error:
            raise AssertionError(f"battle {i} of map {seed}: {b}") from error


@pytest.mark.parametrize("seed", range(12))
def test_battles_on_a_map(seed: int) -> None:
    maps(seed, 60)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_thousands_of_battles_on_maps(part: int) -> None:
    for seed in range(100 + part, 500, 8):
        maps(seed, 100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_a_hundred_thousand_battles(seed: int) -> None:
    many(seed, 12500)

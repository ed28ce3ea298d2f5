"""Fire by the assistant against an oracle that was written from the rules alone, in random battles."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from scenarios import load
from scenarios.model import position as pieces
from scenarios.model.hexes import Hex, distance
from scenarios.model.maps import HexMap
from tests import aiw_fire_oracle as slow
from tests.aiw_fire_law import breaches
from tests.aiw_fire_oracle import Battle, Piece
from tests.aiw_sight_oracle import Kind, Oracle, random_table, random_works
from tests.aiw_world import World
from tests.net.adapter import GameAnswer, ask

GAME = load("arab_israeli_wars")
CHOICES = {key: ruling.choice for key, ruling in GAME.rulings.items()}
ALL_PIECES = slow.pieces()
TERRAIN = ("clear", "clear", "woods", "town", "slope", "suez_canal")
YEARS = {"S-1": 1956, "S-2": 1967, "S-9": 1973}
SEEN_FIRST = ("direct_fire", "opportunity_fire")
ATTACKS = ("direct_fire", "opportunity_fire", "indirect_fire", "overrun", "close_assault", "air_strike")


def a_firer(rng: random.Random, attack: str, sheet: list[Piece]) -> Piece:
    if attack == "air_strike":
        kind = rng.choice(("A", "A", "G", "H", "(H)", "(H)"))
        distance = rng.choice((0, 1, 1, 2, 3, 4, 12, 13))
        strike = Piece("strike", 0, kind, 0, 0, "F", 0, "", frozenset(), points=rng.choice((10, 16, 21, 30, 45)))
        return replace(strike, distance=distance, carried=True) if rng.random() < 0.5 else strike
    if attack == "indirect_fire" and rng.random() < 0.2:
        kind = rng.choice(("(H)", "M"))
        return Piece("battery", 0, kind, 0, 0, "NA", 0, "egypt", frozenset(), points=rng.choice((9, 12, 14, 18)))
    candidates = [piece for piece in sheet if attack in piece.abilities] if rng.random() < 0.9 else sheet
    piece = rng.choice(candidates)
    states = {state for state in ("inverted", "dispersed") if rng.random() < 0.02}
    if piece.flies and rng.random() < 0.1:
        states.add("down")
    distance = rng.choice((1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 24, 36)) if "fire" in attack else 1
    rare = [rng.random() < 0.04 for _ in range(5)]
    overrun = attack == "opportunity_fire" and distance == 1 and rng.random() < 0.6
    army = rng.choice(("", "", "syria", "jordan", "israel", "iraq")) if piece.nation else ""
    ammunition = 1 if "reloads" in piece.abilities or piece.flies else rng.choice((1, 1, 1, 2, 3))
    firer = replace(
        piece, states=frozenset(states), distance=distance, sees=rng.random() < 0.97, army=army, ammunition=ammunition
    )
    return replace(
        firer,
        crosses_elevation=rng.random() < 0.2,
        overrun=overrun,
        on_road=rare[0],
        works_here=rare[1],
        carried=rare[2],
        quick=rare[3],
        destructive=rare[4],
        **_strike(rng, attack, piece),
    )


def _strike(rng: random.Random, attack: str, piece: Piece) -> dict[str, Any]:
    """Half of the aircraft in other fire bring a strike (Advanced I.E.7), most as the rules allow."""
    if "fire" not in attack or "air_strike" not in piece.abilities or rng.random() < 0.5:
        return {}
    kind = rng.choice(("(H)", "(H)", "G") if attack == "indirect_fire" else ("A", "A", "G", "G", "H", "(H)"))
    distance = rng.choice((0, 0, 0, 1) if "H" in kind else (0, 1, 2, 3, 4) if kind == "A" else (1, 3, 7, 12, 13))
    return {"strike": kind, "points": rng.choice((20, 21, 30, 45)), "distance": distance}


def a_battle(rng: random.Random) -> Battle:
    attack = rng.choice(ATTACKS)
    israeli = rng.random() < 0.5
    own_pieces = [piece for piece in ALL_PIECES if piece.nation and (piece.nation == "israel") == israeli]
    foe = [piece for piece in ALL_PIECES if (piece.nation == "israel") != israeli]
    if rng.random() < 0.7:
        foe = [piece for piece in foe if not piece.flies]
    targets = []
    for piece in rng.choices(foe, k=rng.choice((1, 1, 2, 3, 4))):
        states = {state for state in ("dispersed", "spotted", "spotted", "inverted") if rng.random() < 0.4}
        if piece.flies and rng.random() < 0.6:
            states.add("down")
        targets.append(replace(piece, states=frozenset(states)))
    overrunning = attack == "opportunity_fire" and rng.random() < 0.4
    works = rng.choice(("none", "none", "improved_position", "fort"))
    terrain = rng.choice(TERRAIN)
    if terrain == "suez_canal" or (overrunning and works == "fort"):
        works = "none"  # nobody digs in there (Standard V.C.1, V.D.1) nor overruns out of a fort (V.C.2.d)
    return Battle(
        attack,
        tuple(a_firer(rng, attack, own_pieces) for _ in range(rng.choice((1, 1, 2, 3, 5)))),
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


def firer_fields(b: Battle, f: Piece) -> dict[str, object]:
    aim_inputs: dict[str, object] = {"destructive": True} if f.destructive else {}
    strike_inputs: dict[str, object] = {"points": f.points, "kind": f.strike} if f.strike else {}
    fire_inputs = {
        "distance": f.distance,
        "sees": f.sees,
        "army": f.army or "own",
        "ammunition": f.ammunition,
        **strike_inputs,
    }
    off_board: dict[str, object] = {} if f.strike or f.points else {"off_board": 0}
    inputs_by_attack: dict[str, dict[str, object]] = {
        "direct_fire": fire_inputs,
        "indirect_fire": {
            "distance": f.distance,
            **off_board,
            "ammunition": f.ammunition,
            **aim_inputs,
            **strike_inputs,
        },
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
    inputs_by_attack["opportunity_fire"] = inputs_by_attack["direct_fire"] | {
        "overrun_by_them": b.overrunning and f.overrun
    }
    return inputs_by_attack[b.attack]


def word(name: str, states: frozenset[str], inputs: dict[str, object]) -> str:
    """A unit as it is told in words."""
    flag_words = {True: "yes", False: "no"}
    head = "+".join([name, *sorted(states)])
    return ":".join(
        [head, *(f"{key}={flag_words[value] if isinstance(value, bool) else value}" for key, value in inputs.items())]
    )


def question_words(b: Battle) -> list[str]:
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
        word(f"{f.points}{f.weapon}" if f.points and not f.strike else f.id, f.states, firer_fields(b, f))
        for f in b.firers
    ]
    is_shielded = b.attack in SEEN_FIRST and slow.has_shield(b)
    targets = [word(t.id, t.states, {"shielded": True} if is_shielded else {}) for t in b.targets]
    input_words = [word("", frozenset(), {key: value})[1:] for key, value in inputs.items() if key in shape.inputs]
    return [b.attack, f"{shape.attackers}={','.join(firers)}", f"{shape.defenders}={','.join(targets)}", *input_words]


def compare(b: Battle, result: GameAnswer) -> None:
    """An answer, given even if the attack isn't allowed, against the oracle's."""
    wrong = breaches(b)
    assert result["allowed"] == (not wrong), (result["forbidden"], wrong)
    if wrong - {"spotted"}:
        return
    expected_answers = slow.answers(b)
    attacks = result.get("each", [result])
    assert len(attacks) == len(expected_answers)
    places = list(range(len(b.targets)))
    for answer, expected_answer in zip(attacks, expected_answers, strict=True):
        assert sorted(answer["strengths"][GAME.attacks[b.attack].attackers]) == sorted(expected_answer.strengths)
        assert (answer["attack"], answer.get("defense")) == (expected_answer.attack, expected_answer.defense)
        assert (answer.get("column") or None) == expected_answer.column
        for die, chances in zip(expected_answer.dice, expected_answer.chances, strict=True):
            fate = result["defenders"][places.pop(0)]
            assert (
                fate["chances"] == {key: chance for key, chance in chances.items() if chance}
                and sum(chances.values()) == 1
            )
            assert expected_answer.column is None or fate["die"] == die
    toll = {(toll_row["eliminated"], toll_row["dispersed"]): toll_row["chance"] for toll_row in result["toll"]}
    assert toll == slow.tolls(expected_answers)
    assert sum(toll.values()) == Fraction(1)


def on_a_map(
    rng: random.Random, table: HexMap, works: dict[Hex, frozenset[str]], years: Mapping[str, int], sight: Oracle
) -> tuple[GameAnswer, Battle]:
    """A battle on the map: for the assistant by hexes, for the oracle by what its own sight sees."""
    attack = rng.choice(("direct_fire", "direct_fire", "direct_fire", "overrun", "close_assault"))
    target_hex = rng.choice(table.hexes)
    reach = 1 if attack not in SEEN_FIRST and rng.random() < 0.9 else 6
    firing_hexes = [hex for hex in table.hexes if 0 < distance(hex, target_hex) <= reach] or [target_hex]
    scenario = rng.choice(list(years))
    target_works = works.get(target_hex, frozenset())
    foe = [
        piece for piece in ALL_PIECES if piece.nation not in ("israel", "") and (not piece.flies or rng.random() < 0.2)
    ]
    targets = []
    for piece in rng.choices(foe, k=rng.choice((1, 1, 2, 3))):
        states = {state for state in ("dispersed", "spotted") if rng.random() < 0.4}
        if "air_strike_only" in piece.abilities:
            states.discard("dispersed")  # a jet is shot down or unharmed; it never stays on the board dispersed
        elif piece.flies and rng.random() < 0.5:
            states.add("down")
        targets.append(replace(piece, states=frozenset(states)))
    firers, hexes = [], []
    candidates = [piece for piece in ALL_PIECES if piece.nation == "israel" and attack in piece.abilities]
    for piece in rng.choices(candidates, k=rng.choice((1, 2, 3))):
        hex = rng.choice(firing_hexes)
        looks = [sight.answer(hex, target_hex, seen_as(piece), seen_as(t)) for t in targets]
        firer_works = works.get(hex, frozenset())
        hexes.append(hex)
        firers.append(
            replace(
                piece,
                distance=distance(hex, target_hex),
                sees=all(look.clear for look in looks),
                crosses_elevation=any(look.b_hull_down for look in looks),
                works_here=bool(firer_works & {"fort", "trench"}),
                afloat=table.terrain[hex] == "suez_canal",
            )
        )
    seeing = [f for f in firers if "air_strike_only" not in f.abilities]
    b = Battle(
        attack,
        tuple(firers),
        tuple(targets),
        table.terrain[target_hex],
        "fort" if "fort" in target_works else "improved_position" if "improved_position" in target_works else "none",
        years[scenario],
        "smoke" in target_works,
        any(f.distance == 1 for f in seeing),
        obstacle="trench" in target_works,
    )
    units = [
        pieces.Piece(f.id, copy_of(f, i), f.nation, hex, f.states)
        for i, (f, hex) in enumerate(zip(firers, hexes, strict=True))
    ]
    units += [pieces.Piece(t.id, str(50 + i), t.nation, target_hex, t.states) for i, t in enumerate(targets)]
    world = World(table, works, tuple(units), scenario)
    asked_for = {
        "from_": ",".join(dict.fromkeys(map(table.name, hexes))),
        "at": table.name(target_hex),
        "attack": attack,
        "side": "israeli",
    }
    firer_inputs = {"firers": ",".join(f"{unit.unit}#{unit.copy}" for unit in units if unit.at != target_hex)}
    return world.ask("odds", **asked_for, **firer_inputs, anyway=True), b


def copy_of(piece: Piece, number: int) -> str:
    """A printed number of the counter; where there are more pieces than numbers, some have the same."""
    numbers = GAME.units[piece.id].numbers or tuple(str(copy) for copy in range(1, 1 + GAME.units[piece.id].count))
    return numbers[number % len(numbers)]


def seen_as(piece: Piece) -> Kind:
    if piece.flies and "down" not in piece.states:
        return "air"
    return "infantry" if GAME.units[piece.id].class_ == "infantry" else "ground"


def compare_battles(seed: int, count: int) -> None:
    rng = random.Random(seed)
    for i in range(count):
        b = a_battle(rng)
        try:
            compare(b, ask(GAME, "odds", words=question_words(b), anyway=True))
        except AssertionError as error:
            raise AssertionError(f"battle {i} of seed {seed}: {b}") from error


def test_many_battles() -> None:
    compare_battles(1977, 1500)


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
    compare_battles(seed, 12500)

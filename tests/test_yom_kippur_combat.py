"""Yom Kippur battles, dice and score."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur import QUESTIONS
from assistant.games.yom_kippur.chances import barrage, cease_fires, suppression
from assistant.games.yom_kippur.combat import ground_combat
from assistant.games.yom_kippur.field import Field, Stand, field_of
from assistant.games.yom_kippur.ground import Ground
from assistant.games.yom_kippur.reserves import recovery
from assistant.games.yom_kippur.score import difference, standing
from scenarios import load
from scenarios.game import Game
from scenarios.position import Piece, Position
from tests.asking import ask


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", standing=False)


@pytest.fixture(scope="module")
def ground(game: Game) -> Ground:
    return Ground.of(game, "4.1")


def put(ground: Ground, *units: tuple[str, ...], turn: int = 1, scenario: str = "") -> Field:
    """A field with these units: id, hex and states."""
    pieces = []
    for unit, hex, *states in units:
        at = hex if hex.startswith("box:") else ground.table.hex(hex)
        pieces.append(Piece(unit, "1", ground.game.units[unit].nation, at, frozenset(states)))
    return field_of(ground, Position("yom_kippur", scenario, turn, pieces=tuple(pieces)))


def who(field: Field, side: str) -> list[Stand]:
    return list(field.of(side))


def test_october_8th_costs_a_task_force_and_another(ground: Ground) -> None:
    field = put(ground, ("reshef_arm_bde_a", "38.17"), ("reshef_arm_bde_b", "38.17"), ("inf_2_4", "38.18"))
    combat = ground_combat(field, who(field, "israeli"), ground.table.hex("38.18"))
    assert combat.answer.attack_strength == 16 and combat.answer.defense_strength == 16, "dunes double the defender"
    open_field = put(ground, ("reshef_arm_bde_a", "33.21"), ("reshef_arm_bde_b", "33.21"), ("inf_2_4", "33.22"))
    combat = ground_combat(open_field, who(open_field, "israeli"), ground.table.hex("33.22"))
    assert combat.answer.column == "2-1"
    assert combat.spread(lambda one: one.attacker.total)[2] == Fraction(26, 36), "a throw below 9: a step and a Sagger's"
    calm = ground_combat(open_field, who(open_field, "israeli"), ground.table.hex("33.22"), turn=4)
    assert set(calm.spread(lambda one: one.attacker.total)) == {0, 1}, "after turn 3 the star is nothing (3.6)"


def test_every_throw_gives_the_steps_that_the_table_says(game: Game, ground: Ground) -> None:
    """Each of the 36 throws by hand against the solved spread."""
    field = put(ground, ("nir_arm_bde_a", "33.21"), ("alush_inf_bde_a", "33.21"), ("mech_2_117", "33.22"))
    combat = ground_combat(field, who(field, "israeli"), ground.table.hex("33.22"))
    table = game.tables["combat"]
    assert combat.answer.column is not None
    column = table.named_column(combat.answer.column)
    counted: dict[tuple[int, int], Fraction] = {}
    for a, b in product(range(1, 7), repeat=2):
        code = table.cell(a + b, column).code
        first, _, rest = code.partition("D")
        attacker = int(first[1]) if len(first) > 1 and first[1].isdigit() else 0
        # Nir, the strongest, goes by the table; the infantry can't give the Sagger's step for him.
        attacker = min(2, attacker) if attacker else int("*" in first)
        defender = min(2, int(rest[0]) if rest and rest[0].isdigit() else 0)
        counted[attacker, defender] = counted.get((attacker, defender), Fraction(0)) + Fraction(1, 36)
    solved: dict[tuple[int, int], Fraction] = {}
    for one in combat.results:
        key = one.attacker.total, one.defender.total
        solved[key] = solved.get(key, Fraction(0)) + one.chance
    assert solved == counted


def test_a_fort_takes_its_retreat_as_steps(ground: Ground) -> None:
    field = put(ground, ("inf_2_4", "29.23"), ("fort_purkan", "29.24"), turn=5)
    combat = ground_combat(field, who(field, "egyptian"), ground.table.hex("29.24"))
    for one in combat.results:
        assert one.defender.total == min(2, one.defender.steps + one.defender.retreat)
        assert one.hex_falls == (one.defender.total == 2)


def test_water_missiles_and_helpers_come_from_the_position(ground: Ground) -> None:
    target = ground.table.hex("38.23")
    field = put(ground, ("inf_2_4", "38.24"), ("hq_2_army", "38.24"), ("fort_mfrkt", "38.23"), ("sam", "39.29"))
    combat = ground_combat(field, [who(field, "egyptian")[0]], target, israeli_air=1)
    assert combat.answer.attack_strength == 2, "a quarter over the canal"
    assert combat.answer.shift == 0, "the headquarters for, an air unit against"
    assert [failure for failure in combat.answer.failures if "SAM Zone" in failure]
    allowed = ground_combat(field, [who(field, "egyptian")[0]], target, israeli_air=1, sam_zone_air=1)
    assert not allowed.answer.failures
    tanks = put(ground, ("arm_15", "38.24"), ("fort_mfrkt", "38.23"))
    assert ground_combat(tanks, who(tanks, "egyptian"), target).answer.failures, "tanks need a bridge"
    bridged = put(ground, ("arm_15", "38.24"), ("fort_mfrkt", "38.23"), ("engineer_1_9", "38.24", "bridge"))
    assert not ground_combat(bridged, who(bridged, "egyptian"), target).answer.failures


def test_halved_twice(ground: Ground) -> None:
    field = put(ground, ("nir_arm_bde_a", "33.21", "disorganized", "out_of_supply"), ("inf_2_4", "33.22"))
    assert ground_combat(field, who(field, "israeli"), ground.table.hex("33.22")).answer.attack_strength == 2


def test_barrage_sees_distance_and_spotters(ground: Ground) -> None:
    far = put(ground, ("arty_bde_1", "33.17"), ("inf_2_4", "33.22"))
    target = ground.table.hex("33.22")
    assert any("range" in failure for failure in barrage(far, who(far, "israeli"), target).failures)
    near = put(ground, ("arty_bde_1", "33.18"), ("nir_arm_bde_a", "33.21"), ("inf_2_4", "33.22"))
    answer = barrage(near, who(near, "israeli")[:1], target)
    assert not answer.failures and answer.shift == 1
    assert sum(answer.chances.values()) == 1


def test_suppression_cease_fire_and_recovery_add_up(game: Game, ground: Ground) -> None:
    for one in suppression(game, 8):
        assert sum(one.chances.values()) == 1
    assert [one.expected for one in suppression(game, 8)][:2] == [Fraction(1, 3), Fraction(5, 6)]
    turns = cease_fires(game)
    brute_first = dict.fromkeys(range(1, 13), Fraction(0))
    chances = [one.chance for one in turns]
    for pattern in product((False, True), repeat=12):
        weight = Fraction(1)
        for hit, chance in zip(pattern, chances, strict=True):
            weight *= chance if hit else 1 - chance
        if weight and True in pattern:
            brute_first[pattern.index(True) + 1] += weight
    assert {one.turn: one.first for one in turns} == brute_first
    field = put(ground, ("sharon_div_hq", "27.14"), ("nir_arm_bde_a", "box:israeli_dead"), ("nir_arm_bde_b", "box:israeli_dead"), turn=2)
    assert recovery(field).chances == {1: Fraction(1, 3), 2: Fraction(2, 3)}
    alone = put(ground, ("nir_arm_bde_a", "box:israeli_dead"))
    assert recovery(alone).chances == {0: Fraction(1)}


def test_score(game: Game, ground: Ground) -> None:
    field = put(ground, ("sharon_div_hq", "27.14"), ("arm_15", "33.25"), scenario="4.1")
    assert [standing(field).total(side) for side in ("egyptian", "israeli")] == [5, 5]
    crossing = put(ground, ("adan_div_hq", "22.22"), ("nir_arm_bde_a", "22.24"), ("engineer_bn_1", "22.23", "bridge"), scenario="4.1")
    assert standing(crossing).total("israeli") == 6
    taken = standing(crossing, control={ground.table.hex("20.25"): "israeli", ground.table.hex("5.19"): "israeli"})
    assert difference(taken.lines) == 5 and taken.level == "Israeli major"
    paid = standing(crossing, ignored={"israeli": 2})
    assert difference(paid.lines) == -3 and paid.level == "Egyptian minor"
    _, lines = ask(game, QUESTIONS["score"], {"scenario": "4.5"})
    assert "Level: Egyptian victory" in lines


def test_answers_and_bad_questions(game: Game) -> None:
    asked = {"scenario": "4.5", "attackers": "alush_inf_bde_a", "target": "45.21"}
    told, lines = ask(game, QUESTIONS["odds"], asked)
    assert sum(Fraction(one["chance"]) for one in told["results"]) == 1
    assert any(line.startswith("the hex falls") for line in lines)
    told, _ = ask(game, QUESTIONS["odds"], {**asked, "what_if": True})
    assert told["what_if"] and Fraction(told["next_column"]) > 0
    for command in ("sam", "cease_fire", "recovery"):
        assert ask(game, QUESTIONS[command], {"scenario": "4.5"})[1]
    with pytest.raises(BadQuestion, match="not next to"):
        ask(game, QUESTIONS["odds"], {**asked, "target": "10.15"})
    with pytest.raises(BadQuestion, match="no unit on the map"):
        ask(game, QUESTIONS["odds"], {**asked, "attackers": "alush"})

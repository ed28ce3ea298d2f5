"""Several units that go back at once where ends with room come first: how many find none, against every order and every choice."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from assistant.engine.questions import rule_questions
from assistant.questions.answering import answer_question
from assistant.questions.rendering import answer_json
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, neighbours
from scenarios.model.position import Piece, Position
from tests.test_rules_walk import PACK

RULES = """
boards: {b: {name: B, grid: {columns: 3, rows: 3, numbering: {scheme: xxyy}}}}
maps: {m: {name: M, arrangement: {boards: b}}}
rules:
  stacking:
    - {text: two units, rule: s1, that: count(stack) <= 2}
    - {text: heavy units stand alone, rule: s2, that: 'count(stack) < 2 or not any(stack, heavy)'}
  retreat:
    back:
      length: result
      room: first
      enemy_moves: heavy
      no_path: {text: it has no retreat path, lose: all}
      steps: [{text: the enemy, when: to.enemy, forbid: true}]
      ends: stacking
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("pack")
    (folder / "game.yaml").write_text(PACK + RULES, encoding="utf-8")
    return load(folder)


def fits(stack: list[str]) -> bool:
    return len(stack) <= 2 and (len(stack) < 2 or "heavy_one_red" not in stack)


def every_order(units: list[str], ends: list[Hex], occupants: dict[Hex, list[str]]) -> set[int]:
    """One after the other in any order, into any place with room; into a full one only if there is no other."""
    if not units:
        return {0}
    counts = set()
    for number, unit in enumerate(units):
        other_units = units[:number] + units[number + 1 :]
        free = [hex for hex in ends if fits([*occupants.get(hex, []), unit])]
        for hex in free:
            counts |= every_order(other_units, ends, {**occupants, hex: [*occupants.get(hex, []), unit]})
        if not free:
            counts |= {1 + count for count in every_order(other_units, ends, occupants)}
    return counts


def test_who_finds_no_room(game: Game) -> None:
    board = game.maps["m"]
    middle = Hex(1, 1)
    ring = [hex for hex in neighbours(middle) if hex in board.hexes]  # type: ignore[union-attr]
    count_ranges = set()
    for seed in range(60):
        dice = random.Random(seed)
        units = [dice.choice(("light_red", "heavy_one_red")) for _ in range(dice.randint(2, 3))]
        ends = dice.sample(ring, dice.randint(1, 3))
        friends = [(dice.choice(("light_red", "heavy_one_red")), hex) for hex in ends if dice.random() < 0.7]
        copies: dict[str, int] = {}
        pieces = []
        for unit, hex in [
            *((unit, middle) for unit in units),
            *friends,
            *(("light_blue", hex) for hex in ring if hex not in ends),
        ]:
            copies[unit] = copies.get(unit, 0) + 1
            if copies[unit] <= 4:
                pieces.append(Piece(unit, str(copies[unit]), unit.rpartition("_")[2], hex))
        enemies = {piece.at for piece in pieces if piece.nation == "blue"}
        ends = [hex for hex in ring if hex not in enemies]
        occupants: dict[Hex, list[str]] = {}
        for piece in pieces[len(units) :]:
            if piece.nation == "red":
                assert isinstance(piece.at, Hex)
                occupants.setdefault(piece.at, []).append(piece.unit)
        inputs = {
            "position": Position(game.id, pieces=tuple(pieces)),
            "unit": ",".join(f"{p.unit}/{p.copy}" for p in pieces[: len(units)]),
        }
        chances = answer_json(answer_question(rule_questions(game)["retreat"], game, inputs))["no_room"]
        counts = every_order(units, ends, occupants)
        expected_count = max(counts) if "heavy_one_red" in units else min(counts)
        assert {int(count): Fraction(str(chance)) for count, chance in chances.items()} == {expected_count: 1}, seed
        count_ranges.add((min(counts), max(counts)))
    assert any(min_count < max_count for min_count, max_count in count_ranges), "who moves them matters"

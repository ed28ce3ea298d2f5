"""Several units that go back at once where ends with room come first: how many find none, against every order and every choice."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from assistant.questions import answer
from assistant.rendering import as_json
from assistant.rules.questions import rule_questions
from scenarios import load
from scenarios.game import Game
from scenarios.hexes import Hex, neighbours
from scenarios.position import Piece, Position
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
      none: {text: no way back, lose: all}
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


def every_order(units: list[str], ends: list[Hex], there: dict[Hex, list[str]]) -> set[int]:
    """One after the other in any order, into any place with room; into a full one only if there is no other."""
    if not units:
        return {0}
    found = set()
    for number, unit in enumerate(units):
        rest = units[:number] + units[number + 1 :]
        free = [hex for hex in ends if fits([*there.get(hex, []), unit])]
        for hex in free:
            found |= every_order(rest, ends, {**there, hex: [*there.get(hex, []), unit]})
        if not free:
            found |= {1 + more for more in every_order(rest, ends, there)}
    return found


def test_who_finds_no_room(game: Game) -> None:
    board = game.maps["m"]
    middle = Hex(1, 1)
    around = [hex for hex in neighbours(middle) if hex in board.hexes]  # type: ignore[union-attr]
    seen = set()
    for seed in range(60):
        dice = random.Random(seed)
        units = [dice.choice(("light_red", "heavy_one_red")) for _ in range(dice.randint(2, 3))]
        ends = dice.sample(around, dice.randint(1, 3))
        friends = [(dice.choice(("light_red", "heavy_one_red")), hex) for hex in ends if dice.random() < 0.7]
        copies: dict[str, int] = {}
        pieces = []
        for unit, hex in [
            *((unit, middle) for unit in units),
            *friends,
            *(("light_blue", hex) for hex in around if hex not in ends),
        ]:
            copies[unit] = copies.get(unit, 0) + 1
            if copies[unit] <= 4:
                pieces.append(Piece(unit, str(copies[unit]), unit.rpartition("_")[2], hex))
        enemies = {piece.at for piece in pieces if piece.nation == "blue"}
        ends = [hex for hex in around if hex not in enemies]
        there: dict[Hex, list[str]] = {}
        for piece in pieces[len(units) :]:
            if piece.nation == "red":
                assert isinstance(piece.at, Hex)
                there.setdefault(piece.at, []).append(piece.unit)
        asked = {
            "position": Position(game.id, pieces=tuple(pieces)),
            "unit": ",".join(f"{p.unit}/{p.copy}" for p in pieces[: len(units)]),
        }
        told = as_json(answer(rule_questions(game)["retreat"], game, asked))["no_room"]
        counts = every_order(units, ends, there)
        expected = max(counts) if "heavy_one_red" in units else min(counts)
        assert {int(count): Fraction(str(chance)) for count, chance in told.items()} == {expected: 1}, seed
        seen.add((min(counts), max(counts)))
    assert any(least < most for least, most in seen), "who moves them matters"

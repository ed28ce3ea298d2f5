"""The evaluator of declared attacks against an oracle that follows the small game's written rules."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.attack import AttackValue, chances, odds, unit_fields
from assistant.questions.answer import BadQuestion
from scenarios import check, load
from tests.packs import TWO_WELLS, break_pack, copy

GAME = load(TWO_WELLS)

# The rules of Two Wells once more, by hand: printed strengths, the combat table by column.
ATTACK = {"infantry_red": 3, "infantry_blue": 3, "cars": 5, "camels": 4, "gun": 6}
DEFENSE = {"infantry_red": 4, "infantry_blue": 5, "cars": 3, "camels": 3, "gun": 1}
REDUCED_STRENGTHS = {"infantry_red": (2, 2), "infantry_blue": (2, 2)}
COMBAT = {
    "1-2": ["D1", "-", "-", "A1", "A1", "A1"],
    "1-1": ["D1", "D1", "-", "-", "A1", "A1"],
    "2-1": ["D2", "D1", "D1", "-", "-", "A1"],
    "3-1": ["D2", "D2", "D1", "D1", "-", "-"],
    "4-1": ["DE", "D2", "D2", "D1", "D1", "-"],
}

units = st.tuples(st.sampled_from(sorted(ATTACK)), st.sets(st.sampled_from(["dry", "dug_in", "reduced"])))


def oracle(
    attackers: list[tuple[str, set[str]]], defenders: list[tuple[str, set[str]]], terrain: str, hexes: int, wadi: bool
) -> tuple[Fraction, Fraction, str | None, dict[str, Fraction]]:
    attack = Fraction(0)
    for unit, states in attackers:
        strength = Fraction(
            REDUCED_STRENGTHS[unit][0] if "reduced" in states and unit in REDUCED_STRENGTHS else ATTACK[unit]
        )
        attack += strength / 2 if "dry" in states else strength
    defense = Fraction(0)
    for unit, states in defenders:
        strength = Fraction(
            REDUCED_STRENGTHS[unit][1] if "reduced" in states and unit in REDUCED_STRENGTHS else DEFENSE[unit]
        )
        defense += strength * (2 if terrain == "village" else 1) + ("dug_in" in states)
    names = list(COMBAT)
    if attack * 2 < defense:
        return attack, defense, None, {}
    column = 0 if attack < defense else min(4, floor(attack / defense))
    column += (hexes >= 3) - (terrain == "hill")
    name = names[max(0, min(4, column))]
    chances: dict[str, Fraction] = {}
    for die in range(1, 7):
        code = COMBAT[name][min(6, die + wadi) - 1]
        chances[code] = chances.get(code, Fraction(0)) + Fraction(1, 6)
    return attack, defense, name, chances


@given(
    st.lists(units, min_size=1, max_size=6),
    st.lists(units, min_size=1, max_size=4),
    st.sampled_from(["clear", "hill", "village"]),
    st.integers(1, 6),
    st.booleans(),
)
def test_random_battles(
    attackers: list[tuple[str, set[str]]], defenders: list[tuple[str, set[str]]], terrain: str, hexes: int, wadi: bool
) -> None:
    groups = {
        "attackers": [unit_fields(GAME, unit, sorted(states)) for unit, states in attackers],
        "defenders": [unit_fields(GAME, unit, sorted(states)) for unit, states in defenders],
    }
    inputs: dict[str, AttackValue] = {"terrain": terrain, "hexes": hexes, "across_wadi": wadi}
    answer = odds(GAME, "assault", groups, inputs)
    attack, defense, column, expected_chances = oracle(attackers, defenders, terrain, hexes, wadi)
    assert (answer.attack_strength, answer.defense_strength, answer.column) == (attack, defense, column)
    assert answer.chances == expected_chances == chances(GAME, "assault", groups, inputs)
    assert sum(answer.chances.values()) == (1 if column else 0)
    assert len(answer.failures) == sum(unit == "gun" for unit, _ in attackers)
    texts = {modifier.text for modifier in answer.modifiers}
    assert ("hill" in texts, "across the wadi" in texts) == (terrain == "hill", wadi)


def simple(**inputs: object) -> object:
    groups = {"attackers": [unit_fields(GAME, "cars")], "defenders": [unit_fields(GAME, "gun")]}
    return odds(GAME, "assault", groups, inputs)  # type: ignore[arg-type]


def test_questions_that_cannot_be_answered() -> None:
    fields = unit_fields(GAME, "cars")
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: odds(GAME, "asault", {}), "did you mean assault"),
        (lambda: odds(GAME, "assault", {"attacker": [fields]}), "did you mean attackers"),
        (lambda: odds(GAME, "assault", {"attackers": [fields]}), "the question names 0 units, 1 or more"),
        (lambda: unit_fields(GAME, "crs"), "did you mean cars"),
        (lambda: unit_fields(GAME, "cars", ["dri"]), "did you mean dry"),
        (lambda: simple(terrain="hil"), "did you mean hill"),
        (lambda: simple(terain="hill"), "did you mean terrain"),
    ]
    for call, words in cases:
        with pytest.raises(BadQuestion, match=words):
            call()


FIRE_RULES = """
source: {rulebook: "1"}
attacks:
  fire:
    title: Fire
    table: combat
    defenders: targets
    distance: {}
    per_defender: true
    groups:
      attackers:
        title: Firers
        strength: attack
        round: down
        inputs: {range: {title: Range, kind: number}}
        values: {close: range <= 2}
      targets: {title: Targets, strength: defense, at_most: 3}
    values: {engineers: "count(attackers, fires_far)"}
    modifiers:
      - {text: close, to: attackers, when: close, multiply: 3/2}
      - {text: massed, to: attack, when: count(attackers) >= 3, add: 4}
      - {text: screened, to: defense, when: engineers == 0, multiply: 2}
      - {text: dug in, to: targets, when: dug_in, die: 2}
      - {text: far, when: "smallest(attackers, range) > 4", die: 1}
      - {text: guns, shift: "min(2, engineers)"}
"""


def test_each_target_has_its_own_die(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / "fire.yaml").write_text(FIRE_RULES, encoding="utf-8")
    game = load(pack)
    firers = [
        unit_fields(game, "cars", range=2),
        unit_fields(game, "infantry_red", range=5),
        unit_fields(game, "gun", range=6),
    ]
    targets = [unit_fields(game, "camels", ["dug_in"]), unit_fields(game, "cars")]
    answer = odds(game, "fire", {"attackers": firers, "targets": targets})
    # 5 x 3/2 rounded down is 7, with 3 and 6 is 16, massed 20; 6 defend; 20:6 is 3-1, one gun makes it 4-1.
    assert [u.value for u in answer.units] == [7, 3, 6, 3, 3]
    assert answer.attack_strength == 20 and answer.defense_strength == 6
    assert (answer.start, answer.column) == ("3-1", "4-1")
    assert [t.die for t in answer.targets] == [2, 0]
    assert answer.targets[0].chances == {"D2": Fraction(1, 6), "D1": Fraction(1, 3), "-": Fraction(1, 2)}
    assert answer.targets[1].chances["DE"] == Fraction(1, 6)
    far_answer = odds(game, "fire", {"attackers": [unit_fields(game, "infantry_red", range=5)], "targets": targets[1:]})
    assert far_answer.die == 1 and far_answer.defense_strength == 6
    with pytest.raises(BadQuestion, match="needs 'range' for Armoured cars"):
        odds(game, "fire", {"attackers": [unit_fields(game, "cars")], "targets": targets})
    with pytest.raises(BadQuestion, match="1 to 3 are needed"):
        odds(game, "fire", {"attackers": firers, "targets": targets * 2})


def test_an_attack_like_another(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / "raid.yaml").write_text(
        "source: {rulebook: x}\n"
        "attacks:\n"
        "  raid:\n"
        "    like: assault\n"
        "    title: Raid\n"
        "    inputs: {night: {title: At night}}\n"
        "    modifiers: [{text: night, when: night, shift: 1}]\n",
        encoding="utf-8",
    )
    game = load(pack)
    assault, raid = game.attacks["assault"], game.attacks["raid"]
    assert raid.title == "Raid" and raid.table == "combat" and set(raid.inputs) == {*assault.inputs, "night"}
    assert len(raid.modifiers) == len(assault.modifiers) + 1 and len(raid.requires) == len(assault.requires)
    groups = {"attackers": [unit_fields(game, "cars")], "defenders": [unit_fields(game, "gun")]}
    assert odds(game, "raid", groups, {"night": True, "terrain": "hill"}).shift == 0
    (pack / "raid.yaml").write_text("attacks: {raid: {like: asault, title: R}}", encoding="utf-8")
    assert any("it can't be like 'asault'; did you mean assault" in f.message for f in check(pack))
    (pack / "raid.yaml").write_text("attacks: {a: {like: b, title: R}, b: {like: a, title: S}}", encoding="utf-8")
    assert any("it can't be like" in f.message for f in check(pack))


def test_a_name_means_one_thing(tmp_path: Path) -> None:
    pack, line, _ = break_pack(tmp_path, "counters.yaml", "across_wadi: {title: Everybody", "dry: {title: Everybody")
    hits = [f for f in check(pack) if "every unit has a 'dry' already" in f.message]
    assert [f.line for f in hits] == [line]


def test_a_table_with_named_columns(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / "raid.yaml").write_text(
        "source: {rulebook: x}\n"
        "tables: {raid: {title: Raid, dice: 1d6, columns: {names: [day, night]}, cells: {1-3: [a, b], 4-6: [c, d]}}}\n"
        "attacks:\n"
        "  raid:\n"
        "    title: Raid\n"
        "    table: raid\n"
        '    column: if(dark, "night", "day")\n'
        "    groups: {attackers: {title: Raiders, strength: attack}}\n"
        "    inputs: {dark: {title: By night}}\n"
        "    modifiers: [{text: cold, when: dark, die: 1}]\n",
        encoding="utf-8",
    )
    game = load(pack)
    groups = {"attackers": [unit_fields(game, "cars")]}
    assert odds(game, "raid", groups).chances == {"a": Fraction(1, 2), "c": Fraction(1, 2)}
    assert odds(game, "raid", groups, {"dark": True}).chances == {"b": Fraction(1, 3), "d": Fraction(2, 3)}
    text = (pack / "raid.yaml").read_text(encoding="utf-8")
    (pack / "raid.yaml").write_text(text.replace("    column: if", "    note: if"), encoding="utf-8")
    assert any("name the `column`" in f.message for f in check(pack))

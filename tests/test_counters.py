"""Counters and forecasts: what a pack may not say, and chances against every sequence of dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios import PackError
from tests.rule_keys import ask_words, small

OIL = "counters: {oil: {title: Oil, at_least: 0, at_most: 9, start: 5}}\n"


@pytest.mark.parametrize(
    ("rules", "finding"),
    [
        ("counters: {oil: {title: Oil, track: oli}}", "there is no track 'oli'"),
        ("counters: {war: {title: War, kind: flag, track: turn}}", "only a number has `track`"),
        ("counters: {oil: {title: Oil, marker: dry}}", "only a flag is read from a marker"),
        ("counters: {sky: {title: Sky, kind: text}}", "a counter of the kind text has `choices`"),
        ("counters: {oil: {title: Oil, at_most: 4, start: 5}}", "5 is outside of its limits"),
        ("counters: {oil: {title: Oil, at_least: 4, at_most: 3}}", "`at_most` is below `at_least`"),
        ("counters: {turn: {title: Turn}}", "there is an input 'turn' already"),
        (OIL + "turn: [{text: x, change: {oli: 1}}]", "there is no counter 'oli'"),
        (OIL + "turn: [{text: x, change: {oil: 'true'}}]", "gives a flag; here belongs a number"),
        (OIL + "turn: [{text: x, each: oil, change: {oil: 1}}]", "there is no input of the kind markers 'oil'"),
        (OIL + "turn: [{text: x, change: {oil: 1}, use_up: 'true'}]", "`use_up` goes with `each`"),
        (OIL + "results: {attacker_steps: [{text: x, to: attackers, change: {oil: 1}}]}", "leave out `to`"),
        ("results: {attacker_steps: [{text: x, lose: 1}]}", "say `to` whom it happens"),
        (OIL + "stacking: [{text: x, that: 'count(places, to.hill) > 1'}]", "all places are asked under `turn`"),
        (OIL + "stacking: [{text: x, that: count(box.lost) > 1}]", "boxes are known under `turn`"),
    ],
)
def test_what_a_pack_may_not_say(tmp_path: Path, rules: str, finding: str) -> None:
    with pytest.raises(PackError) as error:
        small(tmp_path, rules)
    assert finding in str(error.value)


def test_places_and_boxes(tmp_path: Path) -> None:
    """Two hills, and one unit in the box of the lost."""
    rules = "counters: {hills: {title: Hills}, dead: {title: Dead}}\nturn:\n"
    rules += "  - {text: hills, change: {hills: 'count(places, to.hill)'}}\n"
    rules += "  - {text: the lost, change: {dead: count(box.lost)}}\n"
    answer = ask_words(small(tmp_path, rules), ["forecast", "1", "scenario=none", "put=gun@box:lost"])
    assert answer["turns"][0]["counters"] == {"hills": {"2": "1"}, "dead": {"1": "1"}}


@settings(max_examples=25, deadline=None)
@given(start=st.integers(0, 9), used=st.integers(0, 6), needed=st.integers(0, 7), end=st.integers(0, 9))
def test_a_forecast_against_every_sequence_of_dice(
    tmp_path_factory: pytest.TempPathFactory, start: int, used: int, needed: int, end: int
) -> None:
    """Three turns: oil is used, a die may end the drought, and the game ends where too little is left."""
    rules = (
        OIL
        + f"""turn:
  - {{text: oil is used, roll: 1d6, change: {{oil: counter.oil - {used} + roll}}}}
  - {{text: a spill, roll: 1d6, needs: roll <= {needed}, change: {{oil: counter.oil - 2}}}}
  - {{text: it ends, when: counter.oil > {end}, end: true}}
"""
    )
    game = small(tmp_path_factory.mktemp("pack"), rules)
    answer = ask_words(game, ["forecast", "3", "scenario=none", f"oil={start}"])
    ends, levels = dict.fromkeys((1, 2, 3), Fraction(0)), dict[int, Fraction]()
    for dice in product(range(1, 7), repeat=6):
        oil = start
        for turn in (1, 2, 3):
            oil = min(9, max(0, oil - used + dice[2 * turn - 2]))
            if dice[2 * turn - 1] <= needed:
                oil = max(0, oil - 2)
            if oil > end:
                ends[turn] += Fraction(1, 6**6)
                break
        else:
            levels[oil] = levels.get(oil, Fraction(0)) + Fraction(1, 6**6)
    assert [Fraction(row["game_ends"]) for row in answer["turns"]] == list(ends.values())
    goes_on = Fraction(answer["goes_on"])
    assert goes_on == sum(levels.values(), Fraction(0))
    told = answer["turns"][-1]["counters"].get("oil", {})
    assert {int(level): Fraction(chance) * goes_on for level, chance in told.items()} == levels

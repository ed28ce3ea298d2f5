"""Resources: what a pack may not say of them, and purchases against a plain count of points turn by turn."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios import PackError
from tests.rule_keys import ask_words, small

OIL = "counters: {oil: {title: Oil, at_least: 0, at_most: 99, start: 5}, war: {title: War, kind: flag}}\n"


def shop(way: str, more: str = "paid_by: {oil: 'true'}") -> str:
    """A resource with one way to buy."""
    return f"resources: {{shop: {{title: Oil, {more}, ways: {{buy: {{title: Buy, {way}}}}}}}}}\n"


@pytest.mark.parametrize(
    ("rules", "finding"),
    [
        (OIL + shop("price: 1", "paid_by: {oli: 'true'}"), "there is no counter 'oli'"),
        (OIL + shop("price: 1", "paid_by: {war: 'true'}"), "'war' is no number; points are a number"),
        (OIL + shop("price: 1", "side: red"), "say under `paid_by` which counter holds the points"),
        (OIL + shop("price: 1", "side: rde, paid_by: {oil: 'true'}"), "there is no side 'rde'"),
        (OIL + "resources: {shop: {title: Oil, paid_by: {oil: 'true'}}}\n", "say under `ways` what the points buy"),
        (OIL + shop("price: -1"), "a price is never below 0, but this is -1"),
        (OIL + shop("price: 'true'"), "gives a flag; here belongs a number"),
        (OIL + shop("price: 1, from: [lots]"), "there is no box 'lots'"),
        (OIL + shop("price: 1, refills: 'true'"), "`refills` is about units; say under `from`"),
        (OIL + shop("price: 1, free: [{text: a gift}]"), "`free` is about units; say under `from`"),
        (OIL + shop("price: 1, from: [lost], free: [{text: a gift, count: 0}]"), "at least one unit is free"),
        (OIL + shop("price: 1, from: [lost], enters: road"), "there is no way onto the map 'road'"),
        (OIL + shop("price: 1, from: [lost], delay: '\"refit\"'"), "there is no table 'refit'"),
        (OIL + shop("price: 1, from: [lost], delay: '\"combat\"'"), "has the effect `turns`"),
        (OIL + shop("price: to.height"), "'to.height'"),
        (OIL + "inputs: {plan: {title: A plan}}\n" + shop("price: 1"), "has an input 'plan' already"),
    ],
)
def test_what_a_pack_may_not_say(tmp_path: Path, rules: str, finding: str) -> None:
    with pytest.raises(PackError) as error:
        small(tmp_path, rules)
    assert finding in str(error.value)


def play(start: int, income: int, prices: list[Fraction], whole: bool) -> tuple[dict[int, int], list[Fraction]]:
    """The turn in which each wish is bought, in order, and the points after each of six turns: counted by hand."""
    bought, points, after, waiting = dict[int, int](), Fraction(start), list[Fraction](), list(enumerate(prices))
    for turn in range(1, 7):
        points, spent = points + income, Fraction(0)
        while waiting:
            total = spent + waiting[0][1]
            if (ceil(total) if whole else total) > points:
                break
            spent = total
            bought[waiting.pop(0)[0]] = turn
        points -= ceil(spent) if whole else spent
        after.append(points)
    return bought, after


@settings(max_examples=25, deadline=None)
@given(
    start=st.integers(0, 6),
    income=st.integers(0, 3),
    wishes=st.lists(st.sampled_from(["infantry_red", "cars", "gun"]), max_size=5),
    whole=st.booleans(),
)
def test_purchases_against_points_counted_by_hand(
    tmp_path_factory: pytest.TempPathFactory, start: int, income: int, wishes: list[str], whole: bool
) -> None:
    """Half its attack is the price: infantry 3/2, cars 5/2, the gun 3. Boxes never run out."""
    rules = OIL.replace("start: 5", f"start: {start}")
    rules += f"turn: [{{text: oil comes, phases: [red_move], change: {{oil: counter.oil + {income}}}}}]\n"
    way = "from: [lost], price: attack / 2, refills: 'true'"
    rules += shop(way, f"whole_points: {str(whole).lower()}, paid_by: {{oil: 'true'}}")
    game = small(tmp_path_factory.mktemp("pack"), rules)
    lost = "put=infantry_red/11@box:lost,cars/14@box:lost,gun@box:lost"
    words = ["shop", "scenario=none", lost, *([f"wishes={','.join(wishes)}"] if wishes else [])]
    answer: dict[str, Any] = ask_words(game, words)
    prices = [{"infantry_red": Fraction(3, 2), "cars": Fraction(5, 2), "gun": Fraction(3)}[wish] for wish in wishes]
    bought, after = play(start, income, prices, whole)
    assert [row["turn"] for row in answer["bought"]] == [bought[i] for i in sorted(bought)]
    assert [Fraction(row["left"]) for row in answer["turns"]] == after
    assert sum(row["count"] for row in answer["refused"]) == len(wishes) - len(bought)


def test_a_box_that_is_empty_and_points_that_an_event_takes(tmp_path: Path) -> None:
    """One unit lies in the box, so a second of its kind can't be bought; an event takes 4 of 5 points."""
    game = small(tmp_path, OIL + shop("from: [lost], price: 1"))
    words = ["shop", "wishes=2*infantry_red", "scenario=none", "put=infantry_red/11@box:lost"]
    answer = ask_words(game, words)
    assert answer["left"] == 4 and answer["refused"][0]["text"] == "the position has 1 of them in the box Lost"
    answer = ask_words(game, [*words, "more=1:-4"])
    assert (answer["cost"], answer["left"]) == (1, 0)


def test_two_counters_pay_apart(tmp_path: Path) -> None:
    """Red and Blue have their own points; Blue's poverty doesn't hold up Red."""
    rules = "counters: {red_oil: {title: Red oil, start: 3}, blue_oil: {title: Blue oil, start: 1}}\n"
    purses = "paid_by: {red_oil: 'side == \"red\"', blue_oil: 'side == \"blue\"'}"
    game = small(tmp_path, rules + shop("from: [lost], price: 2", purses))
    put = "put=gun@box:lost,infantry_red/11@box:lost"
    answer = ask_words(game, ["shop", "wishes=gun,infantry_red", "scenario=none", put])
    assert [row["unit"] for row in answer["bought"]] == ["infantry_red"]
    assert answer["refused"][0]["unit"] == "gun" and answer["refused"][0]["text"] == "there are too few points"

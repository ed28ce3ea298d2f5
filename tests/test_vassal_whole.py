"""Traits put into each other at once are what they are when put together one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenarios.vassal.commands import join_traits
from scenarios.vassal.sequence import join

TEXTS = st.lists(st.text("ab'\\\t;", max_size=4), min_size=1, max_size=6)


@given(TEXTS)
def test_whole_is_a_sequence_in_a_sequence(texts: list[str]) -> None:
    slow = texts[-1]
    for outer in reversed(texts[:-1]):
        slow = join([outer, slow], "\t")
    assert join_traits(texts) == slow

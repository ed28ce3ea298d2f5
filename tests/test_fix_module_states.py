"""A module's guide says which rules of stacking it doesn't check, and a state is offered only to counters that can be in it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from scenarios import load
from tests import shared


@pytest.mark.parametrize("game_id", ["arab_israeli_wars", "october_war", "yom_kippur", "six_day_war"])
def test_the_guide_names_every_rule_of_stacking_that_is_not_checked(game_id: str) -> None:
    game = load(game_id)
    files = shared.module(game).files
    guide = re.sub(r"\s+", " ", files["help/guide.html"].decode())
    chat = files["buildFile.xml"].decode()
    assert game.rules is not None
    for demand in game.rules.stacking:
        text = demand.text.replace('"', "")
        assert text in guide.replace("&#x27;", "'") or text in chat.replace("&apos;", "'"), text


def test_only_engineers_can_be_a_captured_bridge() -> None:
    """1.14e: a bridge is captured, and a bridge is an engineer turned over."""
    root = ElementTree.fromstring(shared.module(load("yom_kippur")).files["buildFile.xml"])
    unit = next(
        part.text or "" for part in root.iter("VASSAL.build.module.PrototypeDefinition") if part.get("name") == "Unit"
    )
    stroke = re.search(r"emb2;Captured bridge;[^\t]*?;(\d+,520)", unit)
    assert stroke is not None
    hiding_traits = [part for part in unit.split("\t") if part.startswith("hideCmd;") and "can_builds_bridge" in part]
    assert len(hiding_traits) == 1 and stroke[1].replace("\\", "") in hiding_traits[0].replace("\\", "")

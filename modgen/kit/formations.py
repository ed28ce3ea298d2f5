"""The set-up card by formation: each division with its counters and its place, for sorting and setting up."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from modgen.kit.cards import group_words
from scenarios.areas.wording import AreaDescriber
from scenarios.model.game import Game

Json = dict[str, Any]
HEX = re.compile(r"In \d[\w.-]*")
SHARE = 1 / 3
"""A game has a card if at least this share of its counters belongs to a formation."""


def formation_card(game: Game, scenario: str = "") -> Json | None:
    """The formations of every nation, with their places in a scenario (the first by default); None if few counters have any."""
    key = scenario or next(iter(game.scenarios), "")
    units = list(game.units.values())
    if scenario:
        unit_ids = {
            unit for force in game.scenarios[key].forces.values() for group in force.groups for unit in group.units
        }
        units = [unit for unit in units if unit.id in unit_ids]
    if not units or sum(bool(unit.formation) for unit in units) < SHARE * len(units):
        return None
    stands = _stands(game, key) if key else {}
    nations = []
    for nation_id, nation in game.nations.items():
        formations: dict[str, list[str]] = {}
        for unit in units:
            if unit.nation == nation_id and unit.formation:
                formations.setdefault(unit.formation, []).append(unit.id)
        if formations:
            nations.append(
                {
                    "name": nation.name,
                    "colors": {"fill": nation.colors.fill, "ink": nation.colors.ink},
                    "formations": [
                        {
                            "name": name,
                            "where": _join_places(place_text for unit in ids for place_text in stands.get(unit, ())),
                            "pieces": [{"face": f"face/{unit}", "count": game.units[unit].count} for unit in ids],
                        }
                        for name, ids in formations.items()
                    ],
                }
            )
    return {"title": game.scenarios[key].title if key else "", "nations": nations}


def _join_places(places: Iterable[str]) -> list[str]:
    """Places in words, each once. Several single hexes are joined: 'In 10.01, 17.01'."""
    place_texts = list(dict.fromkeys(places))
    hexes = [words.removeprefix("In ") for words in place_texts if HEX.fullmatch(words)]
    other_places = [words for words in place_texts if not HEX.fullmatch(words)]
    return [*([f"In {', '.join(hexes)}"] if hexes else []), *other_places]


def _stands(game: Game, key: str) -> dict[str, list[str]]:
    """Where each unit is when a scenario begins, or when it enters, in words."""
    place_words = AreaDescriber(game, key)
    places_by_unit: dict[str, list[str]] = {}
    for force in game.scenarios[key].forces.values():
        for number, group in enumerate(force.groups, 1):
            words = group_words(game, place_words, group, number)
            comes = [note for note in words["notes"] if note.startswith("Enters on ")]
            place_text = " ".join(filter(None, [words["name"], words["where"]])) if not comes else comes[0]
            for unit in group.units:
                places_by_unit.setdefault(unit, []).append(place_text)
    return places_by_unit

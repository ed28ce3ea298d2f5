"""Scenario cards and trays: distances in the rulebook's numbers, groups by the rulebook's letters, entries where they are."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from art.maps.setup_thumbnail import marks, thumbnail
from modgen.kit.cards import group_words, letters_of, scenario_card
from modgen.vmod.maps.trays import instructions
from scenarios import load, shipped_games
from scenarios.areas.wording import AreaDescriber
from scenarios.model.game import Game
from scenarios.model.scenario import Group
from scenarios.vassal.windows import setup_sheets

AIW = load("arab_israeli_wars")

# What the set-up of each Situation says of distances; "more than 4" is at least 5. S-5 replays S-4, S-10 replays S-9.
S_4 = {("israeli", "A-moshe"): "at most 6 hexes from the west edge", ("israeli", "A-albert"): "at most 6 hexes from the west edge",
       ("arab", "A"): "at most 5 hexes from board C"}  # fmt: skip
S_9 = {("arab", "division"): "at most 6 hexes from the Suez Canal"}
DISTANCES: dict[str, dict[tuple[str, str], str]] = {
    "B-3": {("israeli", "all"): "at least 12 hexes from the east edge"},
    "S-1": {("israeli", "B"): "at least 5 hexes from any Jordanian unit"},
    "S-2": {("arab", "B"): "at least 4 hexes from the north edge"},
    "S-4": S_4,
    "S-5": S_4,
    "S-9": S_9,
    "S-10": S_9,
    "S-13": {("arab", "A"): "at most 12 hexes from the Suez Canal"},
    "A-2": {("arab", "B"): "at most 4 hexes from the Suez Canal"},
    "A-5": {("arab", "A"): "at least 3 hexes from any Israeli unit"},
    "A-6": {
        ("arab", "A"): "at least 3 hexes from any Israeli unit",
        ("arab", "A-minelayer"): "at least 3 hexes from any Israeli unit",
        ("arab", "B"): "at least 3 hexes from any Israeli unit",
    },
}
# The groups that a Situation's text names.
LETTERS: dict[str, dict[str, str]] = {
    "S-1": {"arab": "AB", "israeli": "ABC"},
    "S-2": {"arab": "AB", "israeli": "AB"},
    "S-4": {"arab": "AB", "israeli": "AB"},
    "S-5": {"arab": "AB", "israeli": "AB"},
    "S-11": {"israeli": "AB"},
    "S-13": {"arab": "AB", "israeli": "AB"},
    "A-1": {"arab": "AB"},
    "A-2": {"arab": "AB", "israeli": "AB"},
    "A-4": {"arab": "ABC"},
    "A-5": {"arab": "ABCDEFG", "israeli": "ABCD"},
    "A-6": {"arab": "ABCDEF", "israeli": "ABC"},
    "A-7": {"arab": "AB", "israeli": "AB"},
}


def groups(game: Game, key: str) -> dict[tuple[str, str], tuple[int, Group]]:
    """The groups of a scenario by side and id, with their place in the force."""
    forces = game.scenarios[key].forces
    return {(side, group.id): (n, group) for side, force in forces.items() for n, group in enumerate(force.groups, 1)}


def card_words(key: str) -> dict[tuple[str, str], str]:
    """What a card says of where each group goes."""
    faces = {*AIW.units, *AIW.markers}
    card = scenario_card(AIW, key, faces, None, letters_of(AIW, key))
    group_texts = [[f"{row['where']} {' '.join(row['notes'])}" for row in force["groups"]] for force in card["forces"]]
    sides = [[(side, group.id) for group in force.groups] for side, force in AIW.scenarios[key].forces.items()]
    return {
        group: words
        for ids, texts in zip(sides, group_texts, strict=True)
        for group, words in zip(ids, texts, strict=True)
    }


@pytest.mark.parametrize("key", list(AIW.scenarios))
def test_distances_are_the_rulebooks(key: str) -> None:
    """On the card and in the module's trays; and no group has a distance that isn't in the list."""
    card = card_words(key)
    trays: dict[str, str] = {}
    for sheet in setup_sheets(AIW, key):
        texts = instructions(AIW, key, sheet)
        trays |= {tray.group: texts[tray.name] for tray in sheet.trays if tray.name in texts}
    expected_distances = DISTANCES.get(key, {})
    for (side, name), words in expected_distances.items():
        assert words in card[side, name]
        assert words.lower() in trays[f"{side}/{name}"].lower()
    for group, words in card.items():
        assert group in expected_distances or not re.search(r"\d hex", words), words


def badges(game: Game, key: str) -> dict[tuple[str, str], str]:
    """The letter of each group on a card."""
    letters = letters_of(game, key)
    groups_by_place = {f"{side}/{number}": (side, name) for (side, name), (number, _) in groups(game, key).items()}
    return {groups_by_place[place]: letter["badge"] for place, letter in letters.items()}


@pytest.mark.parametrize("key", list(AIW.scenarios))
def test_groups_have_the_rulebooks_letters(key: str) -> None:
    """Group A of a side is circle A of its colour; where the rulebook has no groups, a letter of ours that it doesn't use."""
    books, badge_letters = LETTERS.get(key, {}), badges(AIW, key)
    assert {side: set(letters) for side, letters in books.items()} == {
        side: {
            letter
            for (owner, name), letter in badge_letters.items()
            if owner == side and name[0] == letter and name[1:2] in ("", "-")
        }
        for side in books
    }
    extra_letters = {letter for (side, name), letter in badge_letters.items() if name[1:2] not in ("", "-")}
    assert not extra_letters & set("".join(books.values()))
    scenario = AIW.scenarios[key]
    for text in (*(rule.text for rule in scenario.special), *(line.text for line in scenario.victory)):
        for letter in re.findall(r"Group ([A-Z])\b", text):
            assert letter in set("".join(books.values())) & set(badge_letters.values()), text


@pytest.mark.parametrize("key", LETTERS)
def test_trays_and_text_name_the_groups(key: str) -> None:
    """A unit of Group A can be told from one of Group B in the module too."""
    tray_texts = [(tray, instructions(AIW, key, sheet)) for sheet in setup_sheets(AIW, key) for tray in sheet.trays]
    for tray, texts in tray_texts:
        side, _, name = tray.group.partition("/")
        if name and name[1:2] in ("", "-") and side in LETTERS[key] and tray.name in texts:
            assert f"Group {name[0]}" in f"{tray.name}. {texts[tray.name]}"


def test_a_packs_own_ids_are_kept() -> None:
    """Ids that fit in a circle stand there as they are, in whatever order; others get a letter that is free."""
    game = load("scenarios/samples/two_wells")
    (key, scenario), *_ = game.scenarios.items()
    names = iter(["N1", "C", "third", "A"])
    forces = {
        side: replace(force, groups=tuple(replace(group, id=next(names, group.id)) for group in force.groups))
        for side, force in scenario.forces.items()
    }
    changed_game = replace(game, scenarios={**game.scenarios, key: replace(scenario, forces=forces)})
    letters = {group.id: mark.letter for mark in marks(changed_game, key) for group in mark.groups}
    assert all(letter == name for name, letter in letters.items() if len(name) <= 2)
    assert len(set(letters.values())) == len(letters) >= 2


def discs(
    game: Game, key: str, width: float = 100.0
) -> tuple[dict[str, list[tuple[float, float]]], int, tuple[float, float]]:
    """The letters on a set-up picture with their places on the map, how many arrows there are, and the map's size."""
    drawing: Any = thumbnail(game, key, width)
    positions: dict[str, list[tuple[float, float]]] = {}
    for text in drawing.iter("{*}text", "text"):
        if (
            text.get("text-anchor") == "middle"
            and re.fullmatch(r"[A-Z]\d?", text.text or "")
            and text.get("fill-opacity") is None
        ):
            positions.setdefault(text.text, []).append((float(text.get("x")), float(text.get("y"))))
    frame = [rect for rect in drawing.iter("{*}rect", "rect") if rect.get("fill") == "none"][-1]
    heads = len(list(drawing.iter("{*}polygon", "polygon")))
    return positions, heads, (float(frame.get("width")), float(frame.get("height")))


@pytest.mark.parametrize(
    ("game", "key", "arrows"),
    [
        ("arab_israeli_wars", "B-3", 2),  # either of two roads
        ("arab_israeli_wars", "S-2", 2),  # the east edge, the north edge
        ("arab_israeli_wars", "A-5", 4),  # E north, F west, G south or west
        ("yom_kippur", "4.1", 6),  # A, B and C, and those who may come by any of the three
    ],
)
def test_an_arrow_for_each_way_in(game: str, key: str, arrows: int) -> None:
    _, heads, _ = discs(load(game), key)
    assert heads == arrows


def test_entry_areas_keep_their_names() -> None:
    """Yom Kippur 4.1: reinforcements come by Entry Area A, B or C, east of the map, from north to south."""
    letters, _, (width, height) = discs(load("yom_kippur"), "4.1")
    feet = {letter: letters[letter] for letter in "ABC"}
    assert all(len(spots) == 1 and spots[0][1] > height for spots in feet.values()), (
        "below: the map's lower edge is the east"
    )
    assert feet["C"][0][0] < feet["B"][0][0] < feet["A"][0][0] <= width, "north is to the right"


def test_places_inside_the_map_have_no_arrow() -> None:
    """Six Day War: volunteers come over an edge or in a city; the city has the letter and no arrow."""
    game = load("six_day_war")
    letters, _, (width, height) = discs(game, "standard")
    entering = [mark.letter for mark in marks(game, "standard") if mark.enters]
    assert entering
    for letter in entering:
        inside = [0 < x < width and 0 < y < height for x, y in letters[letter]]
        assert sorted(inside) == [False, True]


def test_no_card_says_twice_how_far_from_where() -> None:
    number = re.compile(r"\b\d+\.\d+\b|\b\d{4}\b")
    for name in shipped_games():
        game = load(name)
        for key, scenario in game.scenarios.items():
            locator = AreaDescriber(game, key)
            for force in scenario.forces.values():
                for n, group in enumerate(force.groups, 1):
                    words = group_words(game, locator, group, n)
                    twice = set(number.findall(words["name"])) & set(number.findall(words["where"]))
                    assert not twice, (name, key, words)


def test_a_group_near_a_hex_and_its_state_read_as_people_say_it() -> None:
    game = load("yom_kippur")
    group_texts: dict[tuple[str, str], dict[str, Any]] = {}
    for key in ("4.5", "4.6"):
        locator = AreaDescriber(game, key)
        for force in game.scenarios[key].forces.values():
            group_texts |= {
                (key, group.id): group_words(game, locator, group, n) for n, group in enumerate(force.groups, 1)
            }
    bridge = group_texts["4.5", "hex_13_18_bridge"]
    assert (bridge["name"], bridge["where"]) == ("Eng 1-109", "in 13.18")
    assert bridge["notes"] == ["Bridge side up, over the canal at 13.17/13.18"]
    nearby_group = next(words for (key, _), words in group_texts.items() if key == "4.6" and "9.12" in words["name"])
    assert (nearby_group["name"], nearby_group["where"]) == ("Within 2 hexes of 9.12", "east of the Suez Canal")


def test_a_name_that_says_where_or_when_is_not_followed_by_the_same() -> None:
    """Checked by eye once; here by words: a group's place adds at least one word to its name, and its notes don't repeat it."""
    small = {"a", "and", "at", "box", "in", "it", "of", "on", "the"}
    for name in shipped_games():
        game = load(name)
        for key, scenario in game.scenarios.items():
            locator = AreaDescriber(game, key)
            for force in scenario.forces.values():
                for n, group in enumerate(force.groups, 1):
                    texts = group_words(game, locator, group, n)
                    name_words, place_words = (
                        set(re.findall(r"[\w.]+", texts[part].casefold())) - small for part in ("name", "where")
                    )
                    assert not place_words or place_words - name_words, (name, key, texts)
                    assert texts["name"] not in texts["notes"], (name, key, texts)
                    assert not (
                        texts["name"].startswith("Turn ")
                        and texts["notes"][:1]
                        and texts["notes"][0].startswith("Enters")
                    ), texts

"""Scenario cards: the data that Typst sets, in the project's own words."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Mapping
from typing import Any

from art.charts.charts import number_rulings
from art.maps.setup_thumbnail import marks
from modgen.kit.texts import GOES_ON
from scenarios.areas.wording import AreaDescriber, entry_words, join_alternatives, words_of_id
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.model.points import PointMap
from scenarios.model.scenario import Force, Group, Scenario, Side, Victory
from scenarios.unit_view import view_unit

Json = dict[str, Any]
CHARACTERS = 56
"""The approximate number of characters on a line of a column."""
SPLIT = 45.0
"""Parts of at least this height, in millimeters, may continue in another column."""
LONG = 190.0
"""A side whose units take more than this height, in millimeters, comes before the other side instead of beside it."""
PLAIN_COLORS = {"fill": "#e8e2d4", "ink": "#2b2620"}


def side_colors(game: Game, sides: Mapping[str, Side], side_id: str) -> Json:
    """The colors of a side: those of its first nation."""
    side = sides.get(side_id)
    nation_ids = side.nations if side and side.nations else ()
    for key, nation in game.nations.items():
        if key in nation_ids or (not nation_ids and nation.side == side_id):
            return {"fill": nation.colors.fill, "ink": nation.colors.ink}
    return PLAIN_COLORS


def scenario_card(
    game: Game, key: str, faces: Container[str], picture: Json | None, letters: Mapping[str, Json]
) -> Json:
    """The content of a scenario's card. `faces` are the pieces that have a picture."""
    scenario = game.scenarios[key]
    place_words = AreaDescriber(game, key)
    sides = game.sides_in(scenario)
    forces = [
        {
            "name": sides[side].name,
            "colors": side_colors(game, sides, side),
            **_force(game, place_words, side, force, faces, letters),
        }
        for side, force in scenario.forces.items()
    ]
    card_forces = [force for force in forces if force["groups"] or force["places"] or force["support"]]
    parts: list[Json] = [{"title": "Special rules", "lines": [special.text for special in scenario.special]}]
    for side in sides:
        lines = [victory_line(victory) for victory in scenario.victory if victory.side == side]
        parts.append({"title": f"{sides[side].name}: victory", "lines": lines})
    parts.append({"title": "Notes", "lines": list(scenario.notes)})
    scenario_facts = facts(game, scenario)
    parts = [part for part in parts if part["lines"]]
    for part in parts:
        part["lines"] = [number_rulings(game, line) for line in part["lines"]]
    return {
        "id": key,
        "kicker": " · ".join(filter(None, [game.title, f"Scenario {key}", scenario.date])),
        "title": scenario.title,
        "summary": number_rulings(game, scenario.summary),
        "facts": scenario_facts,
        "map": picture,
        "forces": card_forces,
        "long": any(_force_height(force) > LONG for force in card_forces),
        "parts": parts,
        **_place_parts(parts, picture, _about_height(scenario.summary, scenario_facts)),
    }


def _about_height(summary: str, facts: list[tuple[str, str]]) -> float:
    """The approximate height, in millimeters, of the description beside a scenario's map."""
    rows = sum(math.ceil(len(fact) / (CHARACTERS - 16)) for _, fact in facts)
    return 4.4 * math.ceil(len(summary) / (CHARACTERS - 8)) + 5.2 * rows + 2


def _place_parts(parts: list[Json], picture: Json | None, about: float) -> Json:
    """The parts beside the map below the description, and the parts below the map, in two columns of about equal height.

    `below_all` are the columns if nothing is beside the map.
    """
    side_parts: list[Json] = []
    columns_without_map = list(_take_parts(parts, _height(parts) / 2, may_overflow=True))
    if picture and not picture["wide"]:
        side_parts, parts = _take_parts(parts, picture["height"] - about)
    lower_columns = list(_take_parts(parts, _height(parts) / 2, may_overflow=True))
    return {"beside": side_parts, "below": lower_columns, "below_all": columns_without_map}


def _height(parts: list[Json]) -> float:
    """The approximate height of parts in a column, in millimeters."""
    return sum(8 + sum(1.7 + 3.9 * math.ceil(len(line) / CHARACTERS) for line in part["lines"]) for part in parts)


def _take_parts(parts: list[Json], room: float, may_overflow: bool = False) -> tuple[list[Json], list[Json]]:
    """The parts that fit into a height, and the rest. Only a long part is split. With `may_overflow`, a short one may stick out."""
    first_parts: list[Json] = []
    for i, part in enumerate(parts):
        height = _height([part])
        if height <= room:
            first_parts.append(part)
            room -= height
            continue
        if height > SPLIT and room > SPLIT / 2:
            n = 1
            while n < len(part["lines"]) and _height([{"lines": part["lines"][: n + 1]}]) <= room:
                n += 1
            title = f"{part['title'].removesuffix(GOES_ON)}{GOES_ON}"
            remainder = [{"title": title, "lines": part["lines"][n:]}] if part["lines"][n:] else []
            return [*first_parts, {**part, "lines": part["lines"][:n]}], [*remainder, *parts[i + 1 :]]
        if may_overflow and (not first_parts or room > height / 2):
            return [*first_parts, part], parts[i + 1 :]
        return first_parts, parts[i:]
    return first_parts, []


def _force_height(force: Json) -> float:
    """The approximate height of a side's units in a column."""
    rows = [14 * math.ceil(len(group["pieces"]) / 7) + 5 + 4 * len(group["notes"]) for group in force["groups"]]
    return sum(rows) + 15 * len(force["places"]) / 5 + 5 * len(force["support"])


SMALL_WORDS = frozenset(["a", "and", "at", "box", "in", "it", "of", "on", "the"])
"""Words that don't distinguish one place from another."""
WITHIN_PATTERN = re.compile(r"Within (?P<far>\d+)(?: hexes)? of (?P<of>.+)")
POINTS_PATTERN = re.compile(
    r"(?P<who>[A-Z][^:]*: )?(?P<points>\d+)(?: points?)?(?P<more> each| less)? for (?P<what>.+?)\.?"
)
"""A text that gives its points itself: '15 points for Cairo.', 'Sinai Front player: 1 less for each city lost.'"""


def victory_line(victory: Victory) -> str:
    """A victory condition and its points: 'Cairo: 15 points.'"""
    if victory.points is None:
        is_sudden_death = victory.text.startswith("Sudden death")
        return victory.text if is_sudden_death else f"{'Wins' if victory.wins else 'Counts'}: {victory.text}"
    points = count_text(abs(victory.points), "point")
    match = POINTS_PATTERN.fullmatch(victory.text)
    if match and int(match["points"]) == abs(victory.points):
        addition, objective = match["more"] or "", match["what"]
        if match["who"]:
            return f"{match['who']}{points}{addition} for {objective}."
        if objective.startswith("each of "):
            addition, objective = " each", objective.removeprefix("each of ")
        objective = re.sub(r"^an? ", "each ", objective)
        return f"{objective[0].upper()}{objective[1:]}: {points}{addition}."
    loss_suffix = " lost" if victory.points < 0 else ""
    rate_suffix = "" if victory.per in ("once", "other") or victory.text.startswith("Each ") else " each"
    text = victory.text.removesuffix(".")
    return f"{text}{' –' if ':' in text else ':'} {points}{loss_suffix}{rate_suffix}."


def facts(game: Game, scenario: Scenario) -> list[tuple[str, str]]:
    """What a player needs to know first: length, order of set-up and play, boards, morale."""
    sides = game.sides_in(scenario)
    facts = []
    if scenario.turns:
        turns = scenario.turns
        count = turns.last - turns.first + 1
        names = game.turns.names if game.turns else ()
        span = (
            f", {names[turns.first - 1]} to {names[turns.last - 1]}" if len(names) >= turns.last and count > 1 else ""
        )
        numbers = f" ({turns.first} to {turns.last})" if turns.first != 1 else ""
        facts.append(("Length", f"{count} turn{'s' * (count != 1)}{numbers}{span}" + _continuation(turns.note)))
    for title, side in (("Sets up first", scenario.sets_up_first), ("Moves first", scenario.first)):
        if side in sides:
            facts.append((title, sides[side].name))
    if scenario.level:
        facts.append(("Rules", words_of_id(scenario.level).capitalize()))
    if scenario.arrangement:
        rows = "; ".join(", ".join(row) for row in scenario.arrangement.boards)
        facts.append(("Boards", f"{rows}; north is {scenario.arrangement.north}"))
    if scenario.morale:
        morale_text = ", ".join(
            f"{game.nations[n].name} {level}" for n, level in scenario.morale.items() if n in game.nations
        )
        facts.append(("Morale", morale_text))
    return facts


def _continuation(note: str) -> str:
    """A note that continues a sentence, or is one itself."""
    return f"{'.' if note[:1].isupper() else ';'} {note}" if note else ""


def letters_of(game: Game, key: str) -> dict[str, Json]:
    """The letter of each group on the scenario's map, in its colors, by the group's side and place in its force."""
    badges = {
        id(group): {"badge": mark.letter, "fill": mark.colors.fill, "ink": mark.colors.ink, "edge": mark.colors.accent}
        for mark in marks(game, key)
        for group in mark.groups
        if mark.letter
    }
    return {
        f"{side}/{number}": badges[id(group)]
        for side, force in game.scenarios[key].forces.items()
        for number, group in enumerate(force.groups, 1)
        if id(group) in badges
    }


def _force(
    game: Game, place_words: AreaDescriber, side: str, force: Force, faces: Container[str], letters: Mapping[str, Json]
) -> Json:
    groups, places = [], []
    for number, group in enumerate(force.groups, 1):
        pieces = _pieces(game, group, faces)
        if _is_short(group) and place_words.field is not None and not isinstance(place_words.field, PointMap):
            places.append({"where": group.at.hex if group.at else "", "pieces": _group_pieces(pieces)})
        else:
            letter = letters.get(f"{side}/{number}")
            groups.append({**group_words(game, place_words, group, number), "letter": letter, "pieces": pieces})
    return {"groups": groups, "places": places, "support": support_lines(force)}


def support_lines(force: Force) -> list[str]:
    """A side's off-map support, with its numbers."""
    lines = []
    for support in force.support:
        strength = f", {support.strength} {support.weapon} each" if support.strength is not None else ""
        lines.append(f"{support.count} × {support.name}{strength}" + (f": {support.note}" if support.note else ""))
    return lines


def _is_short(group: Group) -> bool:
    """Whether a group is just a few units in a hex."""
    description = group.name or group.formation or group.note or group.enters or group.states or group.steps_lost
    return (
        not description
        and group.at is not None
        and bool(group.at.hex)
        and sum(group.units.values()) <= 4
        and not group.markers
    )


def turned_over(game: Game, group: Group) -> frozenset[str]:
    """The units of a group that are set up with their backs up."""
    units = [game.units[key] for key in group.units if key in game.units]
    return frozenset(unit.id for unit in units if view_unit(game, unit, group.states, group.steps_lost).shows_back)


def _pieces(game: Game, group: Group, faces: Container[str]) -> list[Json]:
    flipped_units = turned_over(game, group)
    return [
        {"face": f"face/{key}/back" if key in flipped_units else f"face/{key}", "count": count}
        for key, count in (*group.units.items(), *group.markers.items())
        if key in faces
    ]


def _group_pieces(pieces: list[Json]) -> list[Json]:
    return [{"face": piece["face"]} for piece in pieces for _ in range(piece["count"])]


def group_words(game: Game, place_words: AreaDescriber, group: Group, number: int) -> Json:
    """A group in words: its name, where it goes, when it comes."""
    # The back of a counter may not show its owner.
    back_names = [game.units[key].name for key in group.units if key in turned_over(game, group)]
    name = group.name or group.formation or ", ".join(back_names)
    notes = (
        [group.formation]
        if group.name and group.formation and not _words(group.formation) <= _words(group.name)
        else []
    )
    place_text = place_words.words(group.at) if group.at else ""
    if group.enters:
        enters = group.enters
        turns = entry_words(place_words, enters, ", ")
        addition = ", all together" if enters.together else ""
        notes.append(f"Enters on {turns}{addition}" + (f", if {enters.condition}" if enters.condition else ""))
        if re.match(rf"Turn {enters.turn}\b", name):
            name = notes.pop()
    notes += _state_words(game, group)
    if group.only_with:
        notes.append(f"Only with {group.only_with}")
    group_note = group.note[:1].upper() + group.note[1:]
    if group.order and not group.enters and max(_orders(place_words.scenario)) > len(place_words.scenario.forces):
        group_note = f"Sets up in step {group.order}" + (f". {group_note}" if group_note else "")
    notes += [group_note] if group_note else []
    if not name and not place_text:
        name = words_of_id(group.id).capitalize() or f"Group {number}"
    if not name:
        place_text = place_text[:1].upper() + place_text[1:]
    elif _says(name, place_text):
        name, place_text = place_text[:1].upper() + place_text[1:], ""
    else:
        name, place_text = _without_repeat(name, place_text)
    return {
        "name": number_rulings(game, name),
        "where": place_text,
        "notes": [number_rulings(game, note) for note in notes],
    }


def _orders(scenario: Scenario) -> list[int]:
    """The steps of the set-up. With more steps than sides, the first side to set up doesn't describe the order."""
    return [group.order for force in scenario.forces.values() for group in force.groups]


def _state_words(game: Game, group: Group) -> list[str]:
    """The state of a group at the start, unless its name or note gives it: 'Starts reduced'."""
    names = [game.states[key].name.lower() if key in game.states else words_of_id(key) for key in group.states]
    names = [name for name in names if name not in f"{group.name} {group.note}".lower()]
    state_losses = sum(game.states[key].steps_lost for key in group.states if key in game.states)
    loss_text = f"{group.steps_lost} step{'s' * (group.steps_lost != 1)}"
    if not names:
        return [f"Has lost {loss_text}"] if group.steps_lost else []
    return [
        f"Starts {join_alternatives(names, 'and')}"
        + (f", with {loss_text} lost" if group.steps_lost > state_losses else "")
    ]


def _without_repeat(name: str, place_text: str) -> tuple[str, str]:
    """A name and a place without repetition: 'Within 2 of 9.12' and 'at most 2 hexes from 9.12'."""
    match = WITHIN_PATTERN.fullmatch(name)
    if match:
        repetition = re.compile(rf",? ?\bat most {match['far']} (hexe?s?|points?) from {re.escape(match['of'])}$")
        unit = repetition.search(place_text)
        return (
            (f"Within {match['far']} {unit[1]} of {match['of']}", repetition.sub("", place_text))
            if unit
            else (name, place_text)
        )
    in_name, in_place = _words(name), _words(place_text)
    if in_place <= in_name:
        return name, ""
    return (place_text[:1].upper() + place_text[1:], "") if in_name <= in_place else (name, place_text)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[\w.]+", text.casefold())) - SMALL_WORDS


def _says(name: str, place_text: str) -> bool:
    """Whether a group's name says no more than its place: 'Along the Lateral Road', 'on the Lateral Road'."""
    short_name = re.sub(r"^(?:along|on|in|at) (?:the )?", "", name, flags=re.IGNORECASE)
    place = re.sub(r"^(?:on|in|at) (?:the )?", "", place_text).partition(",")[0]
    return bool(place) and short_name.casefold() == place.casefold()

"""Scenario cards: what Typst is to set, in our words."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Mapping
from typing import Any

from art.charts import referred
from art.setup import marks
from modgen.kit.words import GOES_ON
from scenarios.game import Game
from scenarios.points import PointMap
from scenarios.scenario import Force, Group, Scenario, Side, Victory
from scenarios.where import Where, either, entry_words, spoken

Json = dict[str, Any]
CHARACTERS = 56
"""About how many letters a line of a column holds."""
SPLIT = 45.0
"""A part of at least this many millimetres may go on in another column."""
LONG = 190.0
"""A side whose units take more than this many millimetres isn't set beside the other but before it."""
PLAIN = {"fill": "#e8e2d4", "ink": "#2b2620"}


def side_colors(game: Game, sides: Mapping[str, Side], side_id: str) -> Json:
    """The colours that stand for a side: those of its first nation."""
    side = sides.get(side_id)
    own = side.nations if side and side.nations else ()
    for key, nation in game.nations.items():
        if key in own or (not own and nation.side == side_id):
            return {"fill": nation.colors.fill, "ink": nation.colors.ink}
    return PLAIN


def scenario_card(
    game: Game, key: str, faces: Container[str], picture: Json | None, letters: Mapping[str, Json]
) -> Json:
    """Everything on a scenario's card; `faces` are the pieces that have a picture."""
    held = game.scenarios[key]
    where = Where(game, key)
    sides = game.sides_in(held)
    forces = [
        {
            "name": sides[side].name,
            "colors": side_colors(game, sides, side),
            **_force(game, where, side, force, faces, letters),
        }
        for side, force in held.forces.items()
    ]
    listed = [force for force in forces if force["groups"] or force["places"] or force["support"]]
    parts: list[Json] = [{"title": "Special rules", "lines": [special.text for special in held.special]}]
    for side in sides:
        lines = [victory_line(victory) for victory in held.victory if victory.side == side]
        parts.append({"title": f"{sides[side].name}: victory", "lines": lines})
    parts.append({"title": "Notes", "lines": list(held.notes)})
    known = facts(game, held)
    parts = [part for part in parts if part["lines"]]
    for part in parts:
        part["lines"] = [referred(game, line) for line in part["lines"]]
    return {
        "id": key,
        "kicker": " · ".join(filter(None, [game.title, f"Scenario {key}", held.date])),
        "title": held.title,
        "summary": referred(game, held.summary),
        "facts": known,
        "map": picture,
        "forces": listed,
        "long": any(_force_height(force) > LONG for force in listed),
        "parts": parts,
        **_placed(parts, picture, _about_height(held.summary, known)),
    }


def _about_height(summary: str, facts: list[tuple[str, str]]) -> float:
    """About how high what a scenario is about stands beside its map, in millimetres."""
    rows = sum(math.ceil(len(said) / (CHARACTERS - 16)) for _, said in facts)
    return 4.4 * math.ceil(len(summary) / (CHARACTERS - 8)) + 5.2 * rows + 2


def _placed(parts: list[Json], picture: Json | None, about: float) -> Json:
    """Which parts stand beside the map below what it is about, and which below it, in two columns about as high.

    `below_all` are the columns where nothing stands beside the map.
    """
    beside: list[Json] = []
    alone = list(_taken(parts, _height(parts) / 2, whole=True))
    if picture and not picture["wide"]:
        beside, parts = _taken(parts, picture["height"] - about)
    below = list(_taken(parts, _height(parts) / 2, whole=True))
    return {"beside": beside, "below": below, "below_all": alone}


def _height(parts: list[Json]) -> float:
    """About how high parts are in a column, in millimetres."""
    return sum(8 + sum(1.7 + 3.9 * math.ceil(len(line) / CHARACTERS) for line in part["lines"]) for part in parts)


def _taken(parts: list[Json], room: float, whole: bool = False) -> tuple[list[Json], list[Json]]:
    """As many parts as a room holds, and the rest; only a long one is split. `whole` takes a short one that sticks out."""
    taken: list[Json] = []
    for i, part in enumerate(parts):
        high = _height([part])
        if high <= room:
            taken.append(part)
            room -= high
            continue
        if high > SPLIT and room > SPLIT / 2:
            n = 1
            while n < len(part["lines"]) and _height([{"lines": part["lines"][: n + 1]}]) <= room:
                n += 1
            title = f"{part['title'].removesuffix(GOES_ON)}{GOES_ON}"
            rest = [{"title": title, "lines": part["lines"][n:]}] if part["lines"][n:] else []
            return [*taken, {**part, "lines": part["lines"][:n]}], [*rest, *parts[i + 1 :]]
        if whole and (not taken or room > high / 2):
            return [*taken, part], parts[i + 1 :]
        return taken, parts[i:]
    return taken, []


def _force_height(force: Json) -> float:
    """About how high a side's units are in a column."""
    rows = [14 * math.ceil(len(group["pieces"]) / 7) + 5 + 4 * len(group["notes"]) for group in force["groups"]]
    return sum(rows) + 15 * len(force["places"]) / 5 + 5 * len(force["support"])


SMALL_WORDS = frozenset(["a", "and", "at", "box", "in", "it", "of", "on", "the"])
"""Words that don't tell one place from another."""
NEAR = re.compile(r"Within (?P<far>\d+)(?: hexes)? of (?P<of>.+)")
STATED = re.compile(r"(?P<who>[A-Z][^:]*: )?(?P<points>\d+)(?: points?)?(?P<more> each| less)? for (?P<what>.+?)\.?")
"""A text that says its points itself: '15 points for Cairo.', 'Sinai Front player: 1 less for each city lost.'"""


def victory_line(victory: Victory) -> str:
    """What has to come true, and what it gives: 'Cairo: 15 points.'"""
    if victory.points is None:
        told = victory.text.startswith("Sudden death")
        return victory.text if told else f"{'Wins' if victory.wins else 'Counts'}: {victory.text}"
    points = f"{abs(victory.points)} {'point' if abs(victory.points) == 1 else 'points'}"
    stated = STATED.fullmatch(victory.text)
    if stated and int(stated["points"]) == abs(victory.points):
        more, what = stated["more"] or "", stated["what"]
        if stated["who"]:
            return f"{stated['who']}{points}{more} for {what}."
        if what.startswith("each of "):
            more, what = " each", what.removeprefix("each of ")
        what = re.sub(r"^an? ", "each ", what)
        return f"{what[0].upper()}{what[1:]}: {points}{more}."
    lost = " lost" if victory.points < 0 else ""
    each = "" if victory.per in ("once", "other") or victory.text.startswith("Each ") else " each"
    text = victory.text.removesuffix(".")
    return f"{text}{' –' if ':' in text else ':'} {points}{lost}{each}."


def facts(game: Game, held: Scenario) -> list[tuple[str, str]]:
    """What a player needs to know first: length, who sets up and moves first, boards, morale."""
    sides = game.sides_in(held)
    facts = []
    if held.turns:
        turns = held.turns
        count = turns.last - turns.first + 1
        names = game.turns.names if game.turns else ()
        span = (
            f", {names[turns.first - 1]} to {names[turns.last - 1]}" if len(names) >= turns.last and count > 1 else ""
        )
        numbers = f" ({turns.first} to {turns.last})" if turns.first != 1 else ""
        facts.append(("Length", f"{count} turn{'s' * (count != 1)}{numbers}{span}" + _after(turns.note)))
    for title, side in (("Sets up first", held.sets_up_first), ("Moves first", held.first)):
        if side in sides:
            facts.append((title, sides[side].name))
    if held.level:
        facts.append(("Rules", spoken(held.level).capitalize()))
    if held.arrangement:
        rows = "; ".join(", ".join(row) for row in held.arrangement.boards)
        facts.append(("Boards", f"{rows}; north is {held.arrangement.north}"))
    if held.morale:
        said = ", ".join(f"{game.nations[n].name} {level}" for n, level in held.morale.items() if n in game.nations)
        facts.append(("Morale", said))
    return facts


def _after(note: str) -> str:
    """A note that goes on with a sentence, or is one of its own."""
    return f"{'.' if note[:1].isupper() else ';'} {note}" if note else ""


def letters_of(game: Game, key: str) -> dict[str, Json]:
    """The letter of each group on the scenario's map, in its colours; by the group's side and place in its force."""
    shown = {
        id(group): {"badge": mark.letter, "fill": mark.colors.fill, "ink": mark.colors.ink, "edge": mark.colors.accent}
        for mark in marks(game, key)
        for group in mark.groups
        if mark.letter
    }
    return {
        f"{side}/{number}": shown[id(group)]
        for side, force in game.scenarios[key].forces.items()
        for number, group in enumerate(force.groups, 1)
        if id(group) in shown
    }


def _force(
    game: Game, where: Where, side: str, force: Force, faces: Container[str], letters: Mapping[str, Json]
) -> Json:
    groups, places = [], []
    for number, group in enumerate(force.groups, 1):
        pieces = _pieces(game, group, faces)
        if _bare(group) and where.field is not None and not isinstance(where.field, PointMap):
            places.append({"where": group.at.hex if group.at else "", "pieces": _each(pieces)})
        else:
            letter = letters.get(f"{side}/{number}")
            groups.append({**group_words(game, where, group, number), "letter": letter, "pieces": pieces})
    return {"groups": groups, "places": places, "support": support_lines(force)}


def support_lines(force: Force) -> list[str]:
    """What a side has off the map, with its numbers."""
    found = []
    for one in force.support:
        strength = f", {one.strength} {one.weapon} each" if one.strength is not None else ""
        found.append(f"{one.count} × {one.name}{strength}" + (f": {one.note}" if one.note else ""))
    return found


def _bare(group: Group) -> bool:
    """Whether a group is no more than a few units in a hex."""
    said = group.name or group.formation or group.note or group.enters or group.states or group.steps_lost
    return (
        not said
        and group.at is not None
        and bool(group.at.hex)
        and sum(group.units.values()) <= 4
        and not group.markers
    )


def turned_over(game: Game, group: Group) -> frozenset[str]:
    """The units of a group that it sets up with their backs up."""
    lost = max(group.steps_lost, sum(game.states[state].loses for state in group.states if state in game.states))
    return frozenset(key for key in group.units if key in game.units and game.units[key].shows_back(group.states, lost))


def _pieces(game: Game, group: Group, faces: Container[str]) -> list[Json]:
    turned = turned_over(game, group)
    return [
        {"face": f"face/{key}/back" if key in turned else f"face/{key}", "count": count}
        for key, count in (*group.units.items(), *group.markers.items())
        if key in faces
    ]


def _each(pieces: list[Json]) -> list[Json]:
    return [{"face": piece["face"]} for piece in pieces for _ in range(piece["count"])]


def group_words(game: Game, where: Where, group: Group, number: int) -> Json:
    """A group in words: its name, where it goes, when it comes."""
    # A back may not say whose it is.
    turned = [game.units[key].name for key in group.units if key in turned_over(game, group)]
    name = group.name or group.formation or ", ".join(turned)
    notes = (
        [group.formation]
        if group.name and group.formation and not _words(group.formation) <= _words(group.name)
        else []
    )
    said = where.words(group.at) if group.at else ""
    if group.enters:
        enters = group.enters
        turns = entry_words(where, enters, ", ")
        together = ", all together" if enters.together else ""
        notes.append(f"Enters on {turns}{together}" + (f", if {enters.condition}" if enters.condition else ""))
        if re.match(rf"Turn {enters.turn}\b", name):
            name = notes.pop()
    notes += _state_words(game, group)
    if group.only_with:
        notes.append(f"Only with {group.only_with}")
    own = group.note[:1].upper() + group.note[1:]
    if group.order and not group.enters and max(_orders(where.scenario)) > len(where.scenario.forces):
        own = f"Sets up in step {group.order}" + (f". {own}" if own else "")
    notes += [own] if own else []
    if not name and not said:
        name = spoken(group.id).capitalize() or f"Group {number}"
    if not name:
        said = said[:1].upper() + said[1:]
    elif _says(name, said):
        name, said = said[:1].upper() + said[1:], ""
    else:
        name, said = _once(name, said)
    return {"name": referred(game, name), "where": said, "notes": [referred(game, note) for note in notes]}


def _orders(scenario: Scenario) -> list[int]:
    """The steps of the set-up; where there are more than sides, who sets up first doesn't say it all."""
    return [group.order for force in scenario.forces.values() for group in force.groups]


def _state_words(game: Game, group: Group) -> list[str]:
    """In which state a group starts, unless its name or note says it: 'Starts reduced'."""
    names = [game.states[key].name.lower() if key in game.states else spoken(key) for key in group.states]
    names = [name for name in names if name not in f"{group.name} {group.note}".lower()]
    told = sum(game.states[key].loses for key in group.states if key in game.states)
    lost = f"{group.steps_lost} step{'s' * (group.steps_lost != 1)}"
    if not names:
        return [f"Has lost {lost}"] if group.steps_lost else []
    return [f"Starts {either(names, 'and')}" + (f", with {lost} lost" if group.steps_lost > told else "")]


def _once(name: str, said: str) -> tuple[str, str]:
    """A name and a place that don't both say the same: 'Within 2 of 9.12' and 'at most 2 hexes from 9.12'."""
    near = NEAR.fullmatch(name)
    if near:
        again = re.compile(rf",? ?\bat most {near['far']} (hexe?s?|points?) from {re.escape(near['of'])}$")
        unit = again.search(said)
        return (f"Within {near['far']} {unit[1]} of {near['of']}", again.sub("", said)) if unit else (name, said)
    in_name, in_place = _words(name), _words(said)
    if in_place <= in_name:
        return name, ""
    return (said[:1].upper() + said[1:], "") if in_name <= in_place else (name, said)


def _words(said: str) -> set[str]:
    return set(re.findall(r"[\w.]+", said.casefold())) - SMALL_WORDS


def _says(name: str, said: str) -> bool:
    """Whether a group's name says no more than where it stands: 'Along the Lateral Road', 'on the Lateral Road'."""
    bare = re.sub(r"^(?:along|on|in|at) (?:the )?", "", name, flags=re.IGNORECASE)
    place = re.sub(r"^(?:on|in|at) (?:the )?", "", said).partition(",")[0]
    return bool(place) and bare.casefold() == place.casefold()

"""References to units and places as people write them, the same in every game and in every question.

A unit is named by its id, its printed name or its short name, with or without its nation, in any case and with any
punctuation: `t_62`, `T-62`, `t 62`. A count, a copy, states, a place and further inputs may surround the name:

    2*armor_battalion    sam/3    t_62#5411    infantry_red+dry+dug_in    raviv_a@33.10    t_62:distance=4
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from assistant.questions.answer import UnknownName
from scenarios.areas.resolving import Location
from scenarios.model.counters import Unit
from scenarios.model.game import Game, Map
from scenarios.model.maps import HexMap
from scenarios.model.memo import cached_on
from scenarios.model.points import PointMap
from scenarios.model.position import EXIT, REMOVED_WORD
from scenarios.reading.findings import suggest

COUNT = re.compile(r"(\d{1,3})\s*(?:[*x×]\s*|\s+)(?=[^\W\d])")
"""A count before a name: 2*, 2x, or 2 and a space."""
DETAIL, STATE_SEPARATOR = re.compile(r":(?=[A-Za-z_]+=)"), re.compile(r":(?=[A-Za-z_]+(?:=|:|$))")
"""What starts a detail. A detail without a value means yes, except after a place, which may be `box:NAME`."""
MAX_COPIES = 99
NAME_LIMIT = 6
"""The number of counters that a message names where a name is ambiguous."""
ABBREVIATIONS = {
    short: word
    for word, shorts in {
        "armor": "arm armd armored armoured armour tank tanks",
        "mechanized": "mech mechanised",
        "infantry": "inf",
        "amphibious": "amphib",
        "airborne": "abn para paras paratroop paratroops parachute",
        "commando": "cdo commandos",
        "artillery": "arty",
        "engineer": "eng engr engineers",
        "headquarters": "hq",
        "reconnaissance": "recon",
        "brigade": "bde",
        "division": "div",
        "battalion": "bn",
        "regiment": "regt rgt",
        "company": "coy",
        "1": "first",
        "2": "second",
        "3": "third",
    }.items()
    for short in shorts.split()
}
"""Abbreviations that wargamers write, and the word that each stands for."""


@dataclass(frozen=True)
class UnitRef:
    """A reference to a unit or marker."""

    id: str
    count: int = 1
    copy: str = ""
    states: tuple[str, ...] = ()
    place: str = ""
    details: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        count_prefix = f"{self.count}*" if self.count != 1 else ""
        copy = f"/{self.copy}" if self.copy else ""
        states = "".join(f"+{state}" for state in self.states)
        place = f"@{self.place}" if self.place else ""
        return f"{count_prefix}{self.id}{copy}{states}{place}" + "".join(
            f":{key}={value}" for key, value in self.details.items()
        )


def normalize_name(text: str) -> str:
    """Return a name without the differences in people's spelling: case, accents, spaces, dashes, dots."""
    plain_text = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in plain_text if letter.isalnum())


def named_unit(game: Game, text: str, preferred_ids: Collection[str] = (), label: str = "") -> UnitRef:
    """Read one unit or marker. If a name is ambiguous, `preferred_ids` win."""
    start = f"{label}: " if label else ""
    head, *details = (DETAIL if "@" in text else STATE_SEPARATOR).split(text.strip())
    head, at_sign, place = head.partition("@")
    name, *states = head.split("+")
    count, name = _count(game, name.strip())
    counter_id, copy = _counter(game, name, preferred_ids, start)
    detail_values = {}
    for detail in details:
        key, equals, value = detail.partition("=")
        detail_values[key.strip()] = value.strip() if equals else "yes"
    if at_sign and not place.strip():
        raise UnknownName(f"{start}{text!r} has no place; write {counter_id}@PLACE")
    return UnitRef(
        counter_id, count, copy, tuple(_state(game, state, start) for state in states), place.strip(), detail_values
    )


def named_stacks(game: Game, value: Any, label: str = "") -> Iterator[tuple[UnitRef, ...]]:
    """Yield units in stacks. A semicolon separates stacks; so does a slash if no copy of the counter before it
    follows."""
    is_sequence = isinstance(value, list | tuple)
    if is_sequence and all(isinstance(part, str) for part in value):
        value, is_sequence = ",".join(value), False
    is_nested = is_sequence and all(isinstance(stack, list | tuple) for stack in value)
    for stack in value if is_nested else [value] if is_sequence else str(value).split(";"):
        units: list[UnitRef] = []
        for part in listed_parts(stack):
            if isinstance(part, UnitRef):
                units.append(part)
                continue
            first, *later_units = _split_slashes(game, str(part))
            units.append(named_unit(game, first, label=label))
            for unit_text in later_units:
                yield tuple(units)
                units = [named_unit(game, unit_text, label=label)]
        if units:
            yield tuple(units)


def _split_slashes(game: Game, text: str) -> list[str]:
    """Split `UNIT/UNIT` into two stacks; `UNIT/2` is the second copy of a counter."""
    first, *later_parts = text.split("/")
    unit_texts = [first]
    for part in later_parts:
        try:
            named_unit(game, f"{unit_texts[-1]}/{part}")
            unit_texts[-1] = f"{unit_texts[-1]}/{part}"
        except UnknownName:
            unit_texts.append(part)
    return [part for part in unit_texts if part.strip()] or [text]


def listed_parts(value: Any) -> list[Any]:
    """Return several values; commas separate them in a text."""
    return list(value) if isinstance(value, list | tuple) else [part for part in str(value).split(",") if part.strip()]


def _count(game: Game, name: str) -> tuple[int, str]:
    """Return the count and the name. A number and a space belong to the name where a name begins this way, such as
    `7 Brigade`."""
    match = COUNT.match(name)
    if match is None:
        return 1, name
    counter_index = cached_on(game, _index)
    if not match[0].rstrip().endswith(("*", "x", "×")) and (
        normalize_name(name) in counter_index or normalize_name(name[match.end() :]) not in counter_index
    ):
        return 1, name
    count = int(match[1])
    if not 1 <= count <= MAX_COPIES:
        raise UnknownName(
            f"{name!r}: write a number from 1 to {MAX_COPIES} before the star, as in 3*{name[match.end() :]}"
        )
    return count, name[match.end() :]


def _counter(game: Game, name: str, preferred_ids: Collection[str], start: str) -> tuple[str, str]:
    """Return the counter's id and its copy."""
    if name in game.units or name in game.markers:
        return name, ""
    base, copy = name, ""
    for sign in "#/":
        if sign in name:
            base, _, copy = name.rpartition(sign)
            break
    counter_index = cached_on(game, _index)
    for counter_name, number in ((name, ""), (base, copy)):
        matches = (
            [counter_name]
            if counter_name in game.units or counter_name in game.markers
            else counter_index.get(normalize_name(counter_name), [])
        )
        candidates = [counter_id for counter_id in matches if counter_id in preferred_ids] or matches
        if len(candidates) > 1:
            raise UnknownName(f"{start}several counters are called {counter_name!r}; choose {' or '.join(candidates)}")
        if candidates:
            unit = game.units.get(candidates[0])
            if number and unit is not None and number not in _copies(game, candidates[0]):
                raise UnknownName(
                    f"{start}{unit.name} has no copy {number!r}; {suggest(number, _copies(game, candidates[0]))}"
                )
            return candidates[0], number
    return _by_words(game, name, preferred_ids, start)


def _by_words(game: Game, name: str, preferred_ids: Collection[str], start: str) -> tuple[str, str]:
    """Return the counter and its copy by words in any order, such as `143rd HQ` or `7 armoured bde`.

    The text must have all words of one of its names, or some of them if only one counter of `preferred_ids` has
    them. Type, size and nation may be added, then the formation. With less, the error names similar counters.
    """
    words_given = _words(name) if not set("#/") & set(name) else set()
    names = {unit.id: cached_on(game, _name_words)[unit.id] for unit in game.units.values()}
    name_words = {unit.id: frozenset().union(*names[unit.id]) for unit in game.units.values()}
    kind = {
        unit.id: name_words[unit.id] | _words(f"{unit.type} {unit.size} {' '.join(_nations(game, unit))}")
        for unit in game.units.values()
    }
    all_words = {unit.id: kind[unit.id] | _words(unit.formation) for unit in game.units.values()}
    numbers = {word for word in words_given if word.isdigit()}

    def is_named(id: str, query_words: Set[str], unit_words: Set[str]) -> bool:
        return (
            bool(query_words)
            and query_words <= unit_words
            and (id in preferred_ids or any(words <= query_words for words in names[id]))
        )

    for words in (name_words, kind, all_words):
        matches = [(id, "") for id in words if is_named(id, words_given, words[id])]
        for number in numbers:
            copy_ids = [
                id for id in words if (id, "") not in matches and is_named(id, words_given - {number}, words[id])
            ]
            matches += [(id, number) for id in copy_ids if number in _copies(game, id)]
        candidates = [match for match in matches if match[0] in preferred_ids] or matches
        candidates = [match for match in candidates if numbers <= _words(game.units[match[0]].name)] or candidates
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            raise UnknownName(f"{start}{name!r} fits several counters; choose {_choices(candidates)}")
    near_matches = [(id, "") for id in all_words if _resembles(words_given, all_words[id])]
    near_matches = [match for match in near_matches if match[0] in preferred_ids] or near_matches
    if len(near_matches) == 1:
        id = near_matches[0][0]
        raise UnknownName(f"{start}no counter is called {name!r}; did you mean {id} ({game.units[id].name})?")
    if near_matches:
        raise UnknownName(f"{start}{name!r} fits several counters; choose {_choices(near_matches)}")
    raise UnknownName(f"{start}no counter is called {name!r}; {suggest(name, [*game.units, *game.markers])}")


def _choices(counters: Sequence[tuple[str, str]]) -> str:
    """Return some counters with their copies, for a message that asks which one is meant."""
    labels = [f"{id}/{copy}" if copy else id for id, copy in counters]
    remainder = f" or {len(labels) - NAME_LIMIT} others" if len(labels) > NAME_LIMIT else ""
    return f"{' or '.join(labels[:NAME_LIMIT])}{remainder}"


def _name_words(game: Game) -> Mapping[str, list[frozenset[str]]]:
    """Return the words of each name of a unit: its id with and without its nation, its printed name, its short name."""
    texts = (
        (unit, (unit.id, unit.id.removesuffix(f"_{unit.nation}"), unit.name, unit.short))
        for unit in game.units.values()
    )
    return {unit.id: [frozenset(_words(text)) for text in names if _words(text)] for unit, names in texts}


def _words(text: str) -> set[str]:
    """Return the words and numbers of a name, with ordinals as numbers and abbreviations spelled out."""
    plain_text = unicodedata.normalize("NFKD", text).casefold()
    parts = re.findall(r"\d+|[^\W\d_]+", re.sub(r"(?<=\d)(st|nd|rd|th)\b", "", plain_text))
    return {ABBREVIATIONS.get(word, word) for word in parts}


def _resembles(query_words: Collection[str], known_words: Collection[str]) -> bool:
    """Whether each given word is one of these or, with three letters or more, one is a prefix of the other."""

    def fits(word: str, other_word: str) -> bool:
        begins = word.startswith(other_word) or other_word.startswith(word)
        return word == other_word or (begins and word.isalpha() and min(len(word), len(other_word)) > 2)

    return bool(query_words) and all(any(fits(word, known_word) for known_word in known_words) for word in query_words)


def _copies(game: Game, counter: str) -> list[str]:
    unit = game.units.get(counter)
    if unit is None:
        return [str(number) for number in range(1, 1 + (game.markers[counter].count or MAX_COPIES))]
    return [*unit.numbers, *(str(number) for number in range(1, unit.count + 1))]


def _state(game: Game, text: str, start: str) -> str:
    keys_by_name = {normalize_name(state): state for state in game.states} | {
        normalize_name(declared_state.name): key for key, declared_state in game.states.items()
    }
    if text in game.states:
        return text
    if normalize_name(text) not in keys_by_name:
        raise UnknownName(f"{start}there is no state {text.strip()!r}; {suggest(text, game.states)}")
    return keys_by_name[normalize_name(text)]


def _index(game: Game) -> Mapping[str, list[str]]:
    """Return the ids of the counters for each name."""
    ids_by_name: dict[str, list[str]] = {}
    for unit in game.units.values():
        nations = _nations(game, unit)
        short_id = unit.id.removesuffix(f"_{unit.nation}")
        names = {unit.id, short_id, unit.name, unit.short} - {""}
        names |= {f"{nation} {unit.name}" for nation in nations} | {f"{unit.name} {nation}" for nation in nations}
        for name in {normalize_name(name) for name in names}:
            ids_by_name.setdefault(name, []).append(unit.id)
    for key, marker in game.markers.items():
        for name in {normalize_name(marker_name) for marker_name in (key, marker.name, *marker.also)}:
            ids_by_name.setdefault(name, []).append(key)
    return ids_by_name


def _nations(game: Game, unit: Unit) -> set[str]:
    """Return the names of a unit's nation."""
    nation = game.nations.get(unit.nation)
    return {unit.nation, *((nation.name, nation.adjective, *nation.also) if nation else ())} - {""}


def named_place(map: Map, text: str, what: str = "") -> Location:
    """Return a hex, a point, a box (`box:NAME`) or a space of a track (`box:NAME/SPACE`) by its number, its id or
    its name; or the place of units that were eliminated or have left the map."""
    start = f"{what}: " if what else ""
    kind, colon, name = text.strip().partition(":")
    if text.strip() == REMOVED_WORD or EXIT.fullmatch(text.strip()):
        return text.strip()
    if colon and kind == "box":
        boxes = {normalize_name(key): key for key in (*map.boxes, *map.tracks)} | {
            normalize_name(box.name): key for key, box in map.boxes.items()
        }
        name, slash, space = name.partition("/")
        if normalize_name(name) not in boxes:
            raise UnknownName(f"{start}there is no box {name!r}; {suggest(name, [*map.boxes, *map.tracks])}")
        box = boxes[normalize_name(name)]
        labels = map.tracks[box].labels if box in map.tracks else ()
        if slash and space not in labels:
            raise UnknownName(f"{start}{box} has no space {space!r}; {suggest(space, labels)}")
        return f"box:{box}{slash}{space}"
    if colon and kind in ("turn", "setup", "dead"):
        return text.strip()
    places, name = cached_on(map, _places), text.strip()
    if (location := places.get(name.casefold(), places.get(normalize_name(name)))) is not None:
        return location
    if isinstance(map, HexMap):
        try:
            return map.hex(name)
        except ValueError as error:
            if any(letter.isdigit() for letter in name):
                raise UnknownName(f"{start}{error}") from None
    raise UnknownName(f"{start}there is no place {name!r}; {suggest(name, _titles(map))}")


def _places(map: Map) -> Mapping[str, Location]:
    """Return places by their normalized names, hexes by their numbers. Numbers of digits alone may have a separator."""
    locations: dict[str, Location] = {}
    if isinstance(map, PointMap):
        for key, point in map.points.items():
            locations[normalize_name(point.name)] = key
        return locations | {normalize_name(key): key for key in map.points}
    for key, place in map.places.items():
        if len(place.hexes) == 1:
            locations[normalize_name(place.name)] = locations[normalize_name(key)] = place.hexes[0]
    return locations | {name.casefold(): hex for hex, names in map.names.items() for name in names}


def _titles(map: Map) -> list[str]:
    if isinstance(map, HexMap):
        return [key for key, place in map.places.items() if len(place.hexes) == 1]
    return list(map.points)

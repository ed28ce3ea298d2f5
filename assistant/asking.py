"""Names as people say them: one way to name a unit and a place, in every game and in every question.

A unit is named by its id, its printed name, its short name, with or without its nation, in any case and with any punctuation:
`t_62`, `T-62`, `t 62`. Around the name may stand how many, which copy, its states, where it is and what else is told of it:

    2*armor_battalion    sam/3    t_62#5411    infantry_red+dry+dug_in    raviv_a@33.10    t_62:distance=4
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from assistant.answers import BadQuestion
from scenarios.counters import Unit
from scenarios.game import Game, Map
from scenarios.kept import once
from scenarios.maps import HexMap
from scenarios.points import PointMap
from scenarios.position import EXIT, GONE
from scenarios.reading.findings import instead
from scenarios.resolve import Location

COUNT = re.compile(r"(\d{1,3})\s*(?:[*x×]\s*|\s+)(?=[^\W\d])")
"""How many, before a name: 2*, 2x, or 2 and a space."""
DETAIL, MARKED = re.compile(r":(?=[A-Za-z_]+=)"), re.compile(r":(?=[A-Za-z_]+(?:=|:|$))")
"""What starts a detail. One without a value says yes; not behind a place, which may be `box:NAME`."""
MOST = 99
NAMED = 6
"""How many counters a message names where several may be meant."""
ABBREVIATED = {
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
class Named:
    """A unit or marker as somebody named it."""

    id: str
    count: int = 1
    copy: str = ""
    states: tuple[str, ...] = ()
    place: str = ""
    details: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        many = f"{self.count}*" if self.count != 1 else ""
        copy = f"/{self.copy}" if self.copy else ""
        states = "".join(f"+{state}" for state in self.states)
        place = f"@{self.place}" if self.place else ""
        return f"{many}{self.id}{copy}{states}{place}" + "".join(
            f":{key}={value}" for key, value in self.details.items()
        )


def folded(text: str) -> str:
    """A name without what people write differently: capitals, accents, blanks, dashes, dots."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


def named_unit(game: Game, text: str, among: Collection[str] = (), what: str = "") -> Named:
    """One unit or marker; `among` are the ids that are meant where several counters have that name."""
    start = f"{what}: " if what else ""
    head, *details = (DETAIL if "@" in text else MARKED).split(text.strip())
    head, at, place = head.partition("@")
    name, *states = head.split("+")
    count, name = _count(game, name.strip())
    found, copy = _counter(game, name, among, start)
    told = {}
    for detail in details:
        key, equals, value = detail.partition("=")
        told[key.strip()] = value.strip() if equals else "yes"
    if at and not place.strip():
        raise BadQuestion(f"{start}{text!r} names no place; write {found}@PLACE")
    return Named(found, count, copy, tuple(_state(game, state, start) for state in states), place.strip(), told)


def named_stacks(game: Game, value: Any, what: str = "") -> Iterator[tuple[Named, ...]]:
    """Units in stacks, with a semicolon between them; or a slash, where what follows it is no copy of the counter before it."""
    several = isinstance(value, list | tuple)
    if several and all(isinstance(part, str) for part in value):
        value, several = ",".join(value), False
    nested = several and all(isinstance(stack, list | tuple) for stack in value)
    for stack in value if nested else [value] if several else str(value).split(";"):
        units: list[Named] = []
        for part in listed_parts(stack):
            if isinstance(part, Named):
                units.append(part)
                continue
            first, *others = _slashed(game, str(part))
            units.append(named_unit(game, first, what=what))
            for other in others:
                yield tuple(units)
                units = [named_unit(game, other, what=what)]
        if units:
            yield tuple(units)


def _slashed(game: Game, text: str) -> list[str]:
    """`UNIT/2` is the second copy of a counter, `UNIT/UNIT` are two stacks."""
    first, *others = text.split("/")
    found = [first]
    for part in others:
        try:
            named_unit(game, f"{found[-1]}/{part}")
            found[-1] = f"{found[-1]}/{part}"
        except BadQuestion:
            found.append(part)
    return [part for part in found if part.strip()] or [text]


def listed_parts(value: Any) -> list[Any]:
    """Several values; in a text commas part them."""
    return list(value) if isinstance(value, list | tuple) else [part for part in str(value).split(",") if part.strip()]


def _count(game: Game, name: str) -> tuple[int, str]:
    """How many, and the name; a number and a blank are the start of a name where one begins so, as of `7 Brigade`."""
    found = COUNT.match(name)
    if found is None:
        return 1, name
    known = once(game, _index)
    if not found[0].rstrip().endswith(("*", "x", "×")) and (
        folded(name) in known or folded(name[found.end() :]) not in known
    ):
        return 1, name
    count = int(found[1])
    if not 1 <= count <= MOST:
        raise BadQuestion(f"{name!r}: write a number from 1 to {MOST} before the star, as in 3*{name[found.end() :]}")
    return count, name[found.end() :]


def _counter(game: Game, name: str, among: Collection[str], start: str) -> tuple[str, str]:
    """The counter's id and its copy."""
    if name in game.units or name in game.markers:
        return name, ""
    base, copy = name, ""
    for sign in "#/":
        if sign in name:
            base, _, copy = name.rpartition(sign)
            break
    known = once(game, _index)
    for told, number in ((name, ""), (base, copy)):
        found = [told] if told in game.units or told in game.markers else known.get(folded(told), [])
        meant = [one for one in found if one in among] or found
        if len(meant) > 1:
            raise BadQuestion(f"{start}several counters are called {told!r}; say {' or '.join(meant)}")
        if meant:
            unit = game.units.get(meant[0])
            if number and unit is not None and number not in _copies(game, meant[0]):
                raise BadQuestion(
                    f"{start}{unit.name} has no copy {number!r}; {instead(number, _copies(game, meant[0]))}"
                )
            return meant[0], number
    return _by_words(game, name, among, start)


def _by_words(game: Game, name: str, among: Collection[str], start: str) -> tuple[str, str]:
    """The counter and its copy by words in any order, such as `143rd HQ` or `7 armoured bde`.

    All words of one of its names have to be there, or some where only one counter `among` those on the map has them. Type, size and
    nation may stand besides, then the formation. Anything less is asked back with the counters that it resembles."""
    words_given = _words(name) if not set("#/") & set(name) else set()
    names = {unit.id: once(game, _name_words)[unit.id] for unit in game.units.values()}
    own = {unit.id: frozenset().union(*names[unit.id]) for unit in game.units.values()}
    kind = {
        unit.id: own[unit.id] | _words(f"{unit.type} {unit.size} {' '.join(_nations(game, unit))}")
        for unit in game.units.values()
    }
    whole = {unit.id: kind[unit.id] | _words(unit.formation) for unit in game.units.values()}
    numbers = {word for word in words_given if word.isdigit()}

    def is_named(id: str, given: Set[str], known: Set[str]) -> bool:
        return bool(given) and given <= known and (id in among or any(words <= given for words in names[id]))

    for words in (own, kind, whole):
        matches = [(id, "") for id in words if is_named(id, words_given, words[id])]
        for number in numbers:
            others = [id for id in words if (id, "") not in matches and is_named(id, words_given - {number}, words[id])]
            matches += [(id, number) for id in others if number in _copies(game, id)]
        meant = [match for match in matches if match[0] in among] or matches
        meant = [match for match in meant if numbers <= _words(game.units[match[0]].name)] or meant
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise BadQuestion(f"{start}several counters may be meant by {name!r}; say {_choices(meant)}")
    alike = [(id, "") for id in whole if _resembles(words_given, whole[id])]
    alike = [match for match in alike if match[0] in among] or alike
    if len(alike) == 1:
        id = alike[0][0]
        raise BadQuestion(f"{start}no counter is called {name!r}; did you mean {id} ({game.units[id].name})?")
    if alike:
        raise BadQuestion(f"{start}several counters may be meant by {name!r}; say {_choices(alike)}")
    raise BadQuestion(f"{start}no counter is called {name!r}; {instead(name, [*game.units, *game.markers])}")


def _choices(counters: Sequence[tuple[str, str]]) -> str:
    """Some counters with their copies, for a message that asks which is meant."""
    listed = [f"{id}/{copy}" if copy else id for id, copy in counters]
    more = f" or {len(listed) - NAMED} others" if len(listed) > NAMED else ""
    return f"{' or '.join(listed[:NAMED])}{more}"


def _name_words(game: Game) -> Mapping[str, list[frozenset[str]]]:
    """The words of each name of a unit: its id, with and without its nation, its printed name, its short name."""
    texts = (
        (unit, (unit.id, unit.id.removesuffix(f"_{unit.nation}"), unit.name, unit.short))
        for unit in game.units.values()
    )
    return {unit.id: [frozenset(_words(text)) for text in named if _words(text)] for unit, named in texts}


def _words(text: str) -> set[str]:
    """The words and numbers of a name, ordinals as numbers and abbreviations as the word they stand for."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    parts = re.findall(r"\d+|[^\W\d_]+", re.sub(r"(?<=\d)(st|nd|rd|th)\b", "", plain))
    return {ABBREVIATED.get(word, word) for word in parts}


def _resembles(given: Collection[str], known: Collection[str]) -> bool:
    """Whether each word given is one of these or, with three letters or more, begins one or is begun by it."""

    def fits(word: str, other: str) -> bool:
        begins = word.startswith(other) or other.startswith(word)
        return word == other or (begins and word.isalpha() and min(len(word), len(other)) > 2)

    return bool(given) and all(any(fits(word, other) for other in known) for word in given)


def _copies(game: Game, counter: str) -> list[str]:
    unit = game.units.get(counter)
    if unit is None:
        return [str(number) for number in range(1, 1 + (game.markers[counter].count or MOST))]
    return [*unit.numbers, *(str(number) for number in range(1, unit.count + 1))]


def _state(game: Game, text: str, start: str) -> str:
    found = {folded(state): state for state in game.states} | {
        folded(one.name): key for key, one in game.states.items()
    }
    if text in game.states:
        return text
    if folded(text) not in found:
        raise BadQuestion(f"{start}there is no state {text.strip()!r}; {instead(text, game.states)}")
    return found[folded(text)]


def _index(game: Game) -> Mapping[str, list[str]]:
    """The ids of the counters that each name may mean."""
    found: dict[str, list[str]] = {}
    for unit in game.units.values():
        nations = _nations(game, unit)
        bare = unit.id.removesuffix(f"_{unit.nation}")
        names = {unit.id, bare, unit.name, unit.short} - {""}
        names |= {f"{one} {unit.name}" for one in nations} | {f"{unit.name} {one}" for one in nations}
        for name in {folded(name) for name in names}:
            found.setdefault(name, []).append(unit.id)
    for key, marker in game.markers.items():
        for name in {folded(said) for said in (key, marker.name, *marker.also)}:
            found.setdefault(name, []).append(key)
    return found


def _nations(game: Game, unit: Unit) -> set[str]:
    """What a unit's nation may be called."""
    nation = game.nations.get(unit.nation)
    return {unit.nation, *((nation.name, nation.adjective, *nation.also) if nation else ())} - {""}


def named_place(map: Map, text: str, what: str = "") -> Location:
    """A hex, a point, a box (`box:NAME`) or a space of a track (`box:NAME/SPACE`) by its number, its id or its name; or where units
    are that were eliminated or have left the map."""
    start = f"{what}: " if what else ""
    kind, colon, name = text.strip().partition(":")
    if text.strip() == GONE or EXIT.fullmatch(text.strip()):
        return text.strip()
    if colon and kind == "box":
        boxes = {folded(key): key for key in (*map.boxes, *map.tracks)} | {
            folded(box.name): key for key, box in map.boxes.items()
        }
        name, slash, space = name.partition("/")
        if folded(name) not in boxes:
            raise BadQuestion(f"{start}there is no box {name!r}; {instead(name, [*map.boxes, *map.tracks])}")
        box = boxes[folded(name)]
        labels = map.tracks[box].labels if box in map.tracks else ()
        if slash and space not in labels:
            raise BadQuestion(f"{start}{box} has no space {space!r}; {instead(space, labels)}")
        return f"box:{box}{slash}{space}"
    if colon and kind in ("turn", "setup", "dead"):
        return text.strip()
    places, name = once(map, _places), text.strip()
    if (found := places.get(name.casefold(), places.get(folded(name)))) is not None:
        return found
    if isinstance(map, HexMap):
        try:
            return map.hex(name)
        except ValueError as error:
            if any(letter.isdigit() for letter in name):
                raise BadQuestion(f"{start}{error}") from None
    raise BadQuestion(f"{start}there is no place {name!r}; {instead(name, _titles(map))}")


def _places(map: Map) -> Mapping[str, Location]:
    """Places by their folded names, hexes by their numbers; where numbers are digits alone, with or without a break in them."""
    found: dict[str, Location] = {}
    if isinstance(map, PointMap):
        for key, point in map.points.items():
            found[folded(point.name)] = key
        return found | {folded(key): key for key in map.points}
    for key, place in map.places.items():
        if len(place.hexes) == 1:
            found[folded(place.name)] = found[folded(key)] = place.hexes[0]
    return found | {name.casefold(): hex for hex, names in map.names.items() for name in names}


def _titles(map: Map) -> list[str]:
    if isinstance(map, HexMap):
        return [key for key, place in map.places.items() if len(place.hexes) == 1]
    return list(map.points)

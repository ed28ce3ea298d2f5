"""What people say for the names of Operation Musketeer: counters by what is printed on them, places, nations."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from assistant.attacks import BadQuestion
from assistant.games.musketeer.contingents import ANGLO_FRENCH, contingent, label
from assistant.shared.asking import Answerer, Options, Said
from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.same import Same

NATIONS = {
    "uk": "britain", "british": "britain", "england": "britain", "french": "france", "usa": "us", "america": "us",
    "israeli": "israel", "israelis": "israel", "egyptian": "egypt", "egyptians": "egypt", "soviet": "ussr",
    "soviets": "ussr", "russia": "ussr", "soviet_union": "ussr", "united_states": "us", "american": "us",
    "anglo_french": ANGLO_FRENCH, "arabs": "arab_league",
}  # fmt: skip
GROUND = {
    "fort": "fortification", "fortress": "fortification", "canal": "suez_canal", "suez": "suez_canal", "clear": "open",
    "desert": "open", "sand": "dunes", "dune": "dunes", "hills": "rough", "mountains": "rough", "swamp": "marsh",
}  # fmt: skip
WORDS = {"y": "yes", "n": "no", "true": "yes", "false": "no"}
Reader = Callable[[Game, str], str]
WORD = re.compile(r"\s*[A-Za-z][A-Za-z_\s\-]*")
PART = re.compile(r"\s*(?P<count>\d+\s*\*)?\s*(?P<name>[^+:@/*]+)(?P<rest>.*)", re.DOTALL)


def fold(text: str) -> str:
    """A name without capitals, with underscores for all that parts words."""
    return re.sub(r"[\s_.,\-]+", "_", text.strip().casefold())


def _meant(text: str, words: Mapping[str, str]) -> str:
    """A word for which there is another, or a word without its capitals; what is no word, as it is."""
    return words.get(fold(text), fold(text)) if WORD.fullmatch(text) else text


@lru_cache(maxsize=8)
def _counters(game: Same[Game]) -> Mapping[str, tuple[str, ...]]:
    """The counters that each name may mean: their ids, with or without the nation, what is printed on them, both."""
    found: dict[str, tuple[str, ...]] = {}
    for unit in game.value.units.values():
        short = unit.id.removesuffix(f"_{unit.nation}")
        for name in {_squeezed(name) for name in (unit.id, short, unit.name, label(game.value, unit))}:
            found[name] = (*found.get(name, ()), unit.id)
    return found


def _squeezed(text: str) -> str:
    return fold(text).replace("_", "")


def _counter(game: Game, name: str) -> str:
    name = name.strip()
    if name in game.units or name in game.markers or not name[:1].isalnum():
        return name
    known = _counters(Same(game)).get(_squeezed(name), ())
    if len(known) > 1:
        raise BadQuestion(f"{name!r} may be any of {', '.join(known)}; say which")
    return known[0] if known else name


def _units(game: Game, text: str, between: str) -> str:
    """Counters in a list, each perhaps with a number, states and inputs, or the hex where it is put."""
    return re.sub(f"[^{between}]+", lambda part: _unit(game, part[0]), text)


def _unit(game: Game, text: str) -> str:
    found = PART.fullmatch(text)
    if found is None:
        return text
    rest, at, place = found["rest"].partition("@")
    if at and not place.startswith("box:"):
        place = _place(game, place)
    return f"{(found['count'] or '').replace(' ', '')}{_counter(game, found['name'])}{rest.casefold()}{at}{place}"


@lru_cache(maxsize=8)
def _places(game: Same[Game]) -> Mapping[str, str]:
    """The places of the map by their names."""
    table = next(iter(game.value.maps.values()))
    assert isinstance(table, HexMap)
    places = [(key, place) for key, place in table.places.items() if len(place.hexes) == 1]
    return {fold(place.name): key for key, place in places} | {fold(key): key for key, _ in places}


def _place(game: Game, text: str) -> str:
    """A hex number without what parts its digits, or with zeros before them; a place by its name."""
    digits = re.sub(r"[\s.\-]", "", text)
    if digits.isdecimal() and len(digits) > 3:
        return digits.lstrip("0").zfill(4)
    return _places(Same(game)).get(fold(text), text.strip())


def _nation(game: Game, text: str) -> str:
    name, colon, count = text.partition(":")
    return _meant(name, NATIONS) + colon + count


def _marker(game: Game, text: str) -> str:
    known = {fold(game.markers[key].name): key for key in game.tables["escalation"].cells}
    return contingent(_meant(text, {**NATIONS, **known}))


def _each(reader: Reader) -> Reader:
    return lambda game, text: ",".join(reader(game, part) for part in text.split(","))


def _plain(words: Mapping[str, str]) -> Reader:
    return lambda game, text: _meant(text, words)


def _keys(reader: Reader, *keys: str) -> dict[str, Reader]:
    return dict.fromkeys(keys, reader)


READERS: Mapping[str, Reader] = {
    **_keys(lambda game, text: _units(game, text, ",/"), "attackers", "defenders"),
    **_keys(lambda game, text: _units(game, text, ","), "targets", "unit", "gone", "mark"),
    "put": lambda game, text: _units(game, text, ",") if "@" in text else text,
    "units": lambda game, text: text if text.strip().isdecimal() else _units(game, text, ","),  # or how many
    **_keys(_each(_place), "hex", "at", "from", "from_", "to", "cleared"),
    **_keys(_plain(GROUND), "terrain", "across"),
    **_keys(_nation, "nation", "attacker", "defender", "side"),
    **_keys(_each(_nation), "committed"),
    **_keys(_each(_marker), "markers", "later", "used", "banned"),
    **_keys(_plain({}), "mission", "kind", "attacker_losses", "defender_losses"),
    **_keys(
        _plain(WORDS), "special_command", "concentric", "enemy_flak", "attacker_special_forces", "disrupted", "contested",
        "defender_special_forces", "spare_air", "what_if",
    ),
}  # fmt: skip
"""How each name of a question is read."""


def understood(game: Game, options: Options) -> Options:
    """What was told, in the game's own words where it is clear what is meant."""
    return {
        key: READERS[key](game, value) if key in READERS and isinstance(value, str) and value.strip() else value
        for key, value in options.items()
    }


def spoken(answer: Answerer) -> Answerer:
    """An answer to what people say."""

    def answered(game: Game, options: Options) -> Said:
        return answer(game, understood(game, options))

    answered.__doc__ = answer.__doc__
    return answered

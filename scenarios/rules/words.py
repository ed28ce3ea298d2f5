"""What an expression under `rules` may ask: of a unit, of a place, of the way between two places, of the question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from scenarios.attacks import battle_names
from scenarios.counters import prints
from scenarios.expressions import FLAG, NUMBER, TEXT, Kind
from scenarios.inputs import Vocabulary

if TYPE_CHECKING:
    from scenarios.pack import PackFile
    from scenarios.rules.shapes import Rules

Section = Literal[
    "spans",
    "zones",
    "stacking",
    "supply",
    "command",
    "movement",
    "acts",
    "retreat",
    "advance",
    "sight",
    "attacking",
    "results",
    "turn",
    "victory",
]
SECTIONS: tuple[Section, ...] = get_args(Section)
"""The order in which sections are worked out: each may use what those before it found."""
COMPASS = ("north", "east", "south", "west")
PLACE_PREFIXES = ("to", "from", "start", "hex", "near", "far")


class Word(NamedTuple):
    """A name: what its value is, which section finds it (none: it is known from the start), and what it is."""

    kind: Kind
    section: Section | None
    what: str


@dataclass(frozen=True)
class Words:
    """Every name that a pack's rules may use, without the prefix."""

    unit: Mapping[str, Kind]
    """Bare names: the walker's own fields; inside a group function the fields of the group's unit."""
    place: Mapping[str, Word]
    """Behind `to.`, `from.` and `start.`"""
    over: Mapping[str, Word]
    question: Mapping[str, Kind]
    """Names with their prefix: turn, ruling.x, effect.x, told.x ..."""
    place_groups: Mapping[str, tuple[Mapping[str, Kind], Section | None]]
    by: tuple[str, ...]
    """The traces and headquarters, behind `by.`"""
    doubles: Mapping[str, str]
    """Words that two vocabularies have, and which."""
    markers: Mapping[str, Kind] = field(default_factory=dict)
    battle: Mapping[str, Kind] = field(default_factory=dict)
    """Behind `battle.`: what is told of an attack and worked out for it."""


def unit_kinds(pack: PackFile, words: Vocabulary) -> dict[str, Kind]:
    """The fields of every unit, with the texts that they can be."""
    ids = [unit for key, counter in pack.counters.items() for unit, _ in prints(key, counter)]
    known: dict[str, Iterable[str]] = {
        "side": pack.sides,
        "nation": pack.nations,
        "class": [*pack.classes, ""],
        "type": [*pack.types, ""],
        "id": [*ids, *pack.markers],
    }
    fields = {**words.unit_fields(), "formation": TEXT, "copy": TEXT, "group": TEXT}
    return {**fields, **{name: Kind("text", frozenset(choices)) for name, choices in known.items()}}


def words_of(pack: PackFile, rules: Rules, vocabulary: Vocabulary) -> Words:
    """The names of a pack. What a terrain and a kind of place are both called is the terrain."""
    unit = unit_kinds(pack, vocabulary)
    sides = Kind("text", frozenset([*pack.sides, ""]))
    place: dict[str, Word] = {}
    doubles: dict[str, str] = {}

    def add(name: str, kind: Kind, what: str, section: Section | None = None, yields: bool = False) -> None:
        if name not in place:
            place[name] = Word(kind, section, what)
        elif not yields and place[name].what != what:
            doubles.setdefault(name, f"{place[name].what} and {what}")

    add("terrain", Kind("text", frozenset(pack.terrain)), "a word of the language")
    add("owner", sides, "a word of the language")
    add("control", sides, "a word of the language")
    if rules.height is not None:
        add("height", NUMBER, "a word of the language")
    for name in ("enemy", "friend"):
        add(name, FLAG, "a word of the language")
    for section, name in (("stacking", "room"), ("supply", "supplied")):
        add(name, FLAG, "a word of the language", section)  # type: ignore[arg-type]
    for name in rules.zones:
        add(name, FLAG, "a zone of control", "zones")
        add(f"own_{name}", FLAG, "a zone of control", "zones")
    for name in pack.terrain:
        add(name, FLAG, "a terrain")
    for name in regions(pack):
        add(name, FLAG, "a region")
    for name in pack.effects:
        add(name, FLAG, "an effect")
    for name in pack.markers:
        add(name, FLAG, "a marker")
    for name, told in rules.inputs.items():
        if told.kind == "places":
            add(name, FLAG, "an input")
    for name in place_kinds(pack):
        add(name, FLAG, "a kind of place", yields=True)
    for name in COMPASS:
        add(f"{name}_edge", FLAG, "an edge", yields=True)
        for terrain in pack.terrain:
            add(f"{terrain}_{name}", FLAG, "what lies straight ahead", yields=True)
    for name in pack.paths:
        add(name, FLAG, "a path", yields=True)
    for name in place_ids(pack):
        add(name, FLAG, "a place", yields=True)
    over = {name: Word(FLAG, None, "a hexside") for name in pack.hexsides}
    over |= {name: Word(FLAG, None, "a path") for name in pack.paths}
    over |= {name: Word(FLAG, None, "a route") for name in pack.routes}
    over |= {name: Word(FLAG, None, "a direction") for name in COMPASS if name not in over}
    if rules.height is not None:
        over["rise"] = Word(NUMBER, None, "a word of the language")
    for name in rules.spans:
        over |= {f"{whose}_{name}": Word(FLAG, "spans", "a span") for whose in ("own", "enemy")}
    over |= {f"other_{name}": Word(FLAG, "zones", "a zone of control") for name in rules.zones}
    marker = {
        name: kind
        for name, kind in unit.items()
        if name in ("id", "side") or name in pack.factors or name in pack.states
    }
    groups: dict[str, tuple[Mapping[str, Kind], Section | None]] = {
        "friends": (unit, None),
        "enemies": (unit, None),
        "markers": (marker, None),
        "features": ({"kind": TEXT}, None),
    }
    for name in rules.zones:
        groups[f"{name}_units"] = (unit, "zones")
    by = (*(rules.supply.traces if rules.supply else ()), *rules.command)
    return Words(unit, place, over, _question(pack, rules), groups, by, doubles, marker, _battle(pack, vocabulary))


def _battle(pack: PackFile, vocabulary: Vocabulary) -> dict[str, Kind]:
    """What attacks are told and work out; a name that means a number here and a text there can't be asked."""
    found: dict[str, Kind] = {}
    mixed: set[str] = set()
    for attack in pack.attacks.values():
        for name, kind in battle_names(attack, vocabulary).items():
            known = found.setdefault(name, kind)
            if known.base != kind.base:
                mixed.add(name)
            elif known != kind:
                found[name] = Kind(kind.base, known.choices | kind.choices if known.choices and kind.choices else None)
    kept = {name: kind for name, kind in found.items() if name not in mixed}
    return {**kept, "attack": Kind("text", frozenset(pack.attacks))} if pack.attacks else {}


def _question(pack: PackFile, rules: Rules) -> dict[str, Kind]:
    """The names that hold for a whole question."""
    names = {"turn": NUMBER, "phase": TEXT, "year": NUMBER, "level": TEXT, "exited": NUMBER}
    names |= {f"ruling.{key}": Kind("text", frozenset(ruling.readings)) for key, ruling in pack.rulings.items()}
    for key in pack.effects:
        names |= {f"effect.{key}": FLAG, f"effect_value.{key}": TEXT}
    names |= {f"control.{key}": Kind("text", frozenset([*pack.sides, ""])) for key in place_ids(pack)}
    names |= {f"{whose}present.{key}": FLAG for whose in ("", "enemy_") for key in regions(pack)}
    for key, told in rules.inputs.items():
        if told.kind != "places":
            names[f"told.{key}"] = Kind("text", frozenset(told.choices) | {""}) if told.choices else Kind(told.kind)
    return names


def regions(pack: PackFile) -> list[str]:
    """The named regions of boards, maps of points and scenarios."""
    boards = (name for board in pack.boards.values() for name in board.zones)
    areas = (name for shape in pack.maps.values() for name in shape.areas)
    return list(
        dict.fromkeys([*boards, *areas, *(name for scenario in pack.scenarios.values() for name in scenario.zones)])
    )


def place_kinds(pack: PackFile) -> list[str]:
    """What places and points are besides: fort, pass, objective."""
    boards = (spot.kind for board in pack.boards.values() for spot in board.places.values() if spot.kind)
    points = (kind for shape in pack.maps.values() for point in shape.points.values() for kind in point.kinds)
    return list(dict.fromkeys([*boards, *points]))


def place_ids(pack: PackFile) -> list[str]:
    """The ids of named places and of points."""
    boards = (name for board in pack.boards.values() for name in board.places)
    return list(dict.fromkeys([*boards, *(name for shape in pack.maps.values() for name in shape.points)]))

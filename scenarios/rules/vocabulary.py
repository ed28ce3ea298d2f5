"""The names that an expression under `rules` may use: of a unit, a place, the path between two places, the question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from scenarios.expressions import FLAG, NUMBER, TEXT, ValueType
from scenarios.model.attack_inputs import Vocabulary
from scenarios.model.attacks import battle_names
from scenarios.model.counters import prints

if TYPE_CHECKING:
    from scenarios.pack.pack_file import PackFile
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
"""The order in which sections are computed. Each may use names from the sections before it."""
COMPASS = ("north", "east", "south", "west")
PLACE_PREFIXES = ("to", "from", "start", "hex", "near", "far")


class RuleWord(NamedTuple):
    """A name: the kind of its value, the section that computes it (None if it is known from the start), and its description."""

    kind: ValueType
    section: Section | None
    description: str


@dataclass(frozen=True)
class RuleVocabulary:
    """Every name that a pack's rules may use, without the prefix."""

    unit: Mapping[str, ValueType]
    """Bare names: the fields of the moving unit. Inside a group function they are the fields of the group's unit."""
    place: Mapping[str, RuleWord]
    """Names after `to.`, `from.` and `start.`"""
    over_prefixes: Mapping[str, RuleWord]
    question: Mapping[str, ValueType]
    """Names with their prefix: turn, ruling.x, effect.x, input.x, counter.x ..."""
    place_groups: Mapping[str, tuple[Mapping[str, ValueType], Section | None]]
    by_prefixes: tuple[str, ...]
    """The traces and headquarters that can follow `by.`"""
    doubles: Mapping[str, str]
    """Words that two vocabularies share, with the names of those two."""
    markers: Mapping[str, ValueType] = field(default_factory=dict)
    battle: Mapping[str, ValueType] = field(default_factory=dict)
    """Names after `battle.`: the inputs and computed values of attacks."""


def unit_kinds(pack: PackFile, words: Vocabulary) -> dict[str, ValueType]:
    """The fields of every unit, with the texts that they can have."""
    ids = [unit for key, counter in pack.counters.items() for unit, _ in prints(key, counter)]
    choices_by_field: dict[str, Iterable[str]] = {
        "side": pack.sides,
        "nation": pack.nations,
        "class": [*pack.classes, ""],
        "type": [*pack.types, ""],
        "id": [*ids, *pack.markers],
    }
    fields = {**words.unit_fields(), "formation": TEXT, "copy": TEXT, "group": TEXT}
    return {**fields, **{name: ValueType("text", frozenset(choices)) for name, choices in choices_by_field.items()}}


def words_of(pack: PackFile, rules: Rules, vocabulary: Vocabulary) -> RuleVocabulary:
    """The names of a pack. If a terrain and a kind of place share a name, the name means the terrain."""
    unit = unit_kinds(pack, vocabulary)
    sides = ValueType("text", frozenset([*pack.sides, ""]))
    place: dict[str, RuleWord] = {}
    doubles: dict[str, str] = {}

    def add(name: str, kind: ValueType, description: str, section: Section | None = None, yields: bool = False) -> None:
        if name not in place:
            place[name] = RuleWord(kind, section, description)
        elif not yields and place[name].description != description:
            doubles.setdefault(name, f"{place[name].description} and {description}")

    add("terrain", ValueType("text", frozenset(pack.terrain)), "a word of the language")
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
    for name, rule_input in rules.inputs.items():
        if rule_input.kind == "places":
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
    crossing_words = {name: RuleWord(FLAG, None, "a hexside") for name in pack.hexsides}
    crossing_words |= {name: RuleWord(FLAG, None, "a path") for name in pack.paths}
    crossing_words |= {name: RuleWord(FLAG, None, "a route") for name in pack.routes}
    crossing_words |= {name: RuleWord(FLAG, None, "a direction") for name in COMPASS if name not in crossing_words}
    if rules.height is not None:
        crossing_words["rise"] = RuleWord(NUMBER, None, "a word of the language")
    for name in rules.spans:
        crossing_words |= {f"{owner}_{name}": RuleWord(FLAG, "spans", "a span") for owner in ("own", "enemy")}
    crossing_words |= {f"other_{name}": RuleWord(FLAG, "zones", "a zone of control") for name in rules.zones}
    marker = {
        name: kind
        for name, kind in unit.items()
        if name in ("id", "side") or name in pack.factors or name in pack.states
    }
    groups: dict[str, tuple[Mapping[str, ValueType], Section | None]] = {
        "friends": (unit, None),
        "enemies": (unit, None),
        "markers": (marker, None),
        "features": ({"kind": TEXT}, None),
    }
    for name in rules.zones:
        groups[f"{name}_units"] = (unit, "zones")
    source_names = (*(rules.supply.traces if rules.supply else ()), *rules.command)
    return RuleVocabulary(
        unit,
        place,
        crossing_words,
        _question(pack, rules),
        groups,
        source_names,
        doubles,
        marker,
        _battle(pack, vocabulary),
    )


def _battle(pack: PackFile, vocabulary: Vocabulary) -> dict[str, ValueType]:
    """The inputs and computed values of attacks. Names that are a number in one attack and a text in another are left out."""
    kinds_by_name: dict[str, ValueType] = {}
    mixed_names: set[str] = set()
    for attack in pack.attacks.values():
        for name, kind in battle_names(attack, vocabulary).items():
            earlier_kind = kinds_by_name.setdefault(name, kind)
            if earlier_kind.base != kind.base:
                mixed_names.add(name)
            elif earlier_kind != kind:
                kinds_by_name[name] = ValueType(
                    kind.base, earlier_kind.choices | kind.choices if earlier_kind.choices and kind.choices else None
                )
    consistent_kinds = {name: kind for name, kind in kinds_by_name.items() if name not in mixed_names}
    return {**consistent_kinds, "attack": ValueType("text", frozenset(pack.attacks))} if pack.attacks else {}


def _question(pack: PackFile, rules: Rules) -> dict[str, ValueType]:
    """The names that have one value for a whole question."""
    names = {"turn": NUMBER, "phase": TEXT, "year": NUMBER, "level": TEXT, "exited": NUMBER}
    names |= {f"ruling.{key}": ValueType("text", frozenset(ruling.readings)) for key, ruling in pack.rulings.items()}
    for key in pack.effects:
        names |= {f"effect.{key}": FLAG, f"effect_value.{key}": TEXT}
    names |= {f"control.{key}": ValueType("text", frozenset([*pack.sides, ""])) for key in place_ids(pack)}
    names |= {f"{prefix}present.{key}": FLAG for prefix in ("", "enemy_") for key in regions(pack)}
    for key, rule_input in rules.inputs.items():
        if rule_input.kind not in ("places", "markers"):
            names[f"input.{key}"] = _kind_of(rule_input.kind, rule_input.choices)
    names |= {f"counter.{key}": _kind_of(counter.kind, counter.choices) for key, counter in rules.counters.items()}
    return names


def _kind_of(kind: str, choices: tuple[str, ...]) -> ValueType:
    if choices:
        return ValueType("text", frozenset(choices) | {""})
    return NUMBER if kind == "number" else FLAG if kind == "flag" else TEXT


def regions(pack: PackFile) -> list[str]:
    """The named regions of boards, point maps and scenarios."""
    boards = (name for board in pack.boards.values() for name in board.zones)
    areas = (name for shape in pack.maps.values() for name in shape.areas)
    return list(
        dict.fromkeys([*boards, *areas, *(name for scenario in pack.scenarios.values() for name in scenario.zones)])
    )


def place_kinds(pack: PackFile) -> list[str]:
    """The kinds of places and points besides terrain: fort, pass, objective."""
    boards = (spot.kind for board in pack.boards.values() for spot in board.places.values() if spot.kind)
    points = (kind for shape in pack.maps.values() for point in shape.points.values() for kind in point.kinds)
    return list(dict.fromkeys([*boards, *points]))


def place_ids(pack: PackFile) -> list[str]:
    """The ids of named places and points."""
    boards = (name for board in pack.boards.values() for name in board.places)
    return list(dict.fromkeys([*boards, *(name for shape in pack.maps.values() for name in shape.points)]))

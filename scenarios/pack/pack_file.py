"""The shape of a pack: the content of its files. Any section may be in any file of the pack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from scenarios.model.attacks import Attack
from scenarios.model.boards import BoardShape
from scenarios.model.counters import Counter, Factor, Marker
from scenarios.model.definitions import (
    Card,
    CounterType,
    EffectWord,
    Layout,
    LineKind,
    Nation,
    Sequence,
    State,
    TerrainKind,
    TurnTrack,
    Word,
)
from scenarios.model.maps import MapShape
from scenarios.model.scenario import Scenario, Side
from scenarios.model.sources import IdField, Ruling, SourceField
from scenarios.model.tables import Table
from scenarios.reading.shapes import Record, documented_field, record
from scenarios.rules.shapes import Rules


@record
class PackFile(Record):
    """A file of a pack, or the whole pack."""

    source: SourceField = documented_field("Where this file's data come from, unless they say otherwise.", None)
    game: Card | None = documented_field("What the game is; in one file only.", None)
    sides: Mapping[IdField, Side] = documented_field("The players' sides.", {})
    nations: Mapping[IdField, Nation] = documented_field("The armies.", {}, sheet=True)
    states: Mapping[IdField, State] = documented_field("The states a unit can be in.", {}, sheet=True)
    turns: TurnTrack | None = documented_field("The turns of the game.", None)
    sequence: Mapping[IdField, Sequence] = documented_field("Sequences of play.", {})
    terrain: Mapping[IdField, TerrainKind] = documented_field(
        "Kinds of hex or point; the first is plain ground.", {}, sheet=True
    )
    hexsides: Mapping[IdField, LineKind] = documented_field("Kinds of hexside.", {})
    paths: Mapping[IdField, LineKind] = documented_field("Kinds of path through hexes.", {})
    routes: Mapping[IdField, LineKind] = documented_field("Kinds of route between points.", {})
    classes: Mapping[IdField, Word] = documented_field("Classes of counter.", {}, sheet=True)
    types: Mapping[IdField, CounterType] = documented_field("Types of counter.", {}, sheet=True)
    abilities: Mapping[IdField, Word] = documented_field("What a counter can do.", {}, sheet=True)
    effects: Mapping[IdField, EffectWord] = documented_field(
        "What special rules of scenarios can change.", {}, sheet=True
    )
    factors: Mapping[IdField, Factor] = documented_field("The factors that counters carry.", {}, sheet=True)
    layouts: Mapping[IdField, Layout] = documented_field("What stands where on counters.", {})
    counters: Mapping[IdField, Counter] = documented_field("The counters that fight.", {}, sheet=True)
    markers: Mapping[IdField, Marker] = documented_field("The counters that don't.", {}, sheet=True)
    tables: Mapping[IdField, Table] = documented_field("The tables.", {}, sheet=True)
    boards: Mapping[IdField, BoardShape] = documented_field("The printed sheets of hexes.", {})
    maps: Mapping[IdField, MapShape] = documented_field("The playing surfaces.", {})
    attacks: Mapping[IdField, Attack] = documented_field("The kinds of attack.", {})
    rules: Rules | None = documented_field("The rules outside battles: moves, zones, stacking, supply, retreats.", None)
    scenarios: Mapping[IdField, Scenario] = documented_field("The scenarios.", {})
    rulings: Mapping[IdField, Ruling] = documented_field("Where the rulebook is in doubt, and what was chosen.", {})


SideWord = Literal["first", "second", "both", "neither"]
SIDE_WORDS: tuple[SideWord, ...] = ("first", "second", "both", "neither")
DATA_SECTIONS = ("counters", "markers", "tables", "boards", "maps", "attacks", "scenarios")
SOURCED_SECTIONS = (
    *DATA_SECTIONS,
    "nations",
    "states",
    "sequence",
    "terrain",
    "hexsides",
    "paths",
    "routes",
    "classes",
    "types",
    "abilities",
    "effects",
)

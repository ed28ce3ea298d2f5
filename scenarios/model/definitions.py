"""The definitions of a pack besides pieces and maps: the game, nations, states, kinds of terrain and lines, phases, layouts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from scenarios.model.images import Image
from scenarios.model.sources import IdField, Sourced
from scenarios.reading.shapes import Color, Mark, Record, documented_field, record

ColorField = Annotated[str, Color]


@record
class Card(Record):
    """The basic facts of the game."""

    id: IdField = documented_field("The pack's id: its folder's name.")
    title: str = documented_field("The game's title.")
    publisher: str = documented_field("Who published it.", "")
    year: int | None = documented_field("When.", None)
    designers: tuple[str, ...] = documented_field("Who designed it.", ())
    licence: str = documented_field("What others may do with this pack, as its kit and module say: CC BY 4.0.", "")
    release: str = documented_field("The date of this pack, used wherever a build needs one: 2026-11-16.")
    summary: str = documented_field("What it is about, in a sentence or two of our own.", "")
    scale: Mapping[str, str] = documented_field("What a hex or point, a turn and a unit stand for.", {})
    dice: str = documented_field("What is thrown in combat: 1d6, 2d6.", "")
    players: tuple[str, ...] = documented_field(
        "Who plays, where that isn't one player for each side: what a module's players choose from.", ()
    )
    fog: bool = documented_field("True where a player may not look into every enemy stack.", False)
    spellings: tuple[str, ...] = documented_field(
        "Words that ids write small, as charts shall print them: names and abbreviations, such as Suez or HQ.", ()
    )
    counter_size: Fraction = documented_field(
        "How many millimetres wide the counters of a printed kit are, 12.5 to 25: 12.7 for half an inch.", Fraction(16)
    )
    image: Image | None = documented_field("The picture on the cover of its kit.", None)
    skip_zeros: bool = documented_field("True where printed numbers never end in 0, but for a unique counter's.", False)


@record
class Colors(Record):
    """The colors of a nation's counters."""

    fill: ColorField = documented_field("The counter.")
    ink: ColorField = documented_field("What is printed on it.")
    accent: ColorField = documented_field("Bands and symbols.", "#000000")


@record
class Nation(Sourced):
    """An army with counters of its own."""

    name: str = documented_field("The nation.")
    adjective: str = documented_field("Its adjective.", "")
    also: tuple[str, ...] = documented_field("Other words that people say for it.", ())
    code: str = documented_field(
        "What stands on its counters, so that they are known without their colour, in at most five letters: EGY; "
        "left out, the first three letters of its name.",
        "",
    )
    flag: IdField = documented_field(
        "Its flag, where that isn't the one its id suggests: `kingdom_of_egypt` (until 1958), `arab_federation` (Egypt, Syria and "
        "Libya from 1972).",
        "",
    )
    side: IdField = documented_field("The side it fights on.")
    colors: Colors = documented_field("Its colours.")
    note: str = documented_field("What else holds for it.", "")

    @property
    def letters(self) -> str:
        """The code on its counters."""
        return self.code or self.name[:3].upper()


@record
class Word(Sourced):
    """A word of the game: a class, a type, an ability, an effect."""

    shorthand: ClassVar[str] = "name"
    name: str = documented_field("What players call it.")
    short: str = documented_field("What is printed where room is short.", "")
    symbol: str = documented_field(
        "For a type: the drawing that stands for it, if its id isn't the drawing's name.", ""
    )
    note: str = documented_field("What it means.", "")


@record
class EffectWord(Word):
    """An effect that a special rule of a scenario can have."""

    left_to_players: tuple[str, ...] = documented_field(
        "Questions whose answers say that the players see to it, as no program does: [move, odds]; `check` is the check of a set-up.",
        (),
    )


@record
class CounterType(Word):
    """A type of counter."""

    image: Image | None = documented_field("A picture of your own that stands for it instead of a symbol.", None)


@record
class StateWords(Record):
    """The chat texts of a module for a unit's state, in words that follow the unit's name."""

    begins: str = documented_field("As the unit gets into it: is dispersed.")
    ends: str = documented_field("As it is over: rallies.")


@record
class State(Word):
    """A state that a unit can be in."""

    steps_lost: int = documented_field("How many steps a unit in it has lost.", 0)
    abilities: tuple[IdField, ...] = documented_field(
        "Only counters with one of these abilities can be in it; any counter, if left out.", ()
    )
    says: StateWords | None = documented_field(
        "What the chat of a module says of it; left out, that a unit is marked so, or no longer.", None
    )


@record
class TerrainKind(Sourced):
    """A kind of terrain of a hex or point. The first one of a pack is its plain terrain."""

    name: str = documented_field("What players call it.")
    mark: Annotated[str, Mark] = documented_field("The character that stands for it in a drawn board.")
    color: ColorField = documented_field("Its colour on the map.")
    texture: Literal[
        "",
        "none",
        "trees",
        "fields",
        "buildings",
        "hachures",
        "peaks",
        "dunes",
        "sand",
        "tufts",
        "waves",
        "fort",
        "runway",
        "anchor",
    ] = documented_field("What is drawn over the colour; left out, what its id suggests.", "")
    icon: str = documented_field("The icon that stands for it in a legend, if its id isn't the icon's name.", "")
    water: bool = documented_field(
        "Whether it is water, with a coast around it; `sea`, `lake`, `ocean` and `water` are.", False
    )
    also: tuple[str, ...] = documented_field("Other words that people say for it.", ())
    note: str = documented_field("What it does.", "")


@record
class LineKind(Sourced):
    """A kind of hexside, path or route."""

    shorthand: ClassVar[str] = "name"
    name: str = documented_field("What players call it.")
    color: ColorField = documented_field("Its colour on the map.", "#555555")
    drawn: Literal["", "bar", "river", "canal", "road", "track", "border"] = documented_field(
        "How it is drawn; left out, as its id suggests.", ""
    )
    also: tuple[str, ...] = documented_field("Other words that people say for it.", ())
    note: str = documented_field("What it does.", "")


@record
class TurnTrack(Record):
    """The turns of the game."""

    names: tuple[str, ...] = documented_field("The name of each turn.", ())
    count: int | None = documented_field("Or how many there are.", None)


@record
class CleanUp(Record):
    """A phase effect on many pieces at once: a state is removed, or boxes are emptied into another."""

    clear: IdField = documented_field("The state that comes off.", "")
    unless: IdField = documented_field("Units in this state keep it.", "")
    from_: tuple[IdField, ...] = documented_field("Or: the boxes that are emptied,", ())
    to: IdField = documented_field("and the box that what was in them goes to.", "")
    side: IdField = documented_field("Whose pieces: a side, or first, second, both; left out, the phase's.", "")
    of: tuple[IdField, ...] = documented_field("Only pieces of these classes, counters or markers.", ())


@record
class Phase(Sourced):
    """A phase of a turn, optionally with nested phases."""

    id: IdField = documented_field("Its id, once in a sequence.")
    name: str = documented_field("What it is called.")
    side: IdField = documented_field("Who acts: a side, or first, second, both, neither.", "")
    note: str = documented_field("What is done.", "")
    turn: int = documented_field("The only turn that has it; 0: every turn.", 0)
    since: int = documented_field("The first turn that has it; 0: the first.", 0)
    clean_up: tuple[CleanUp, ...] = documented_field("What a module can do for the players in it.", ())
    phases: tuple[Phase, ...] = documented_field("The phases inside.", ())


@record
class Sequence(Sourced):
    """A sequence of play: the phases of a turn, in order."""

    title: str = documented_field("What it is called.")
    phases: tuple[Phase, ...] = documented_field("Its phases, in order.")
    note: str = documented_field("What else holds for it.", "")


@record
class Layout(Record):
    """The layout of a counter. The first layout that fits a counter is used."""

    classes: tuple[IdField, ...] = documented_field("For counters of these classes; left out, of any.", ())
    types: tuple[IdField, ...] = documented_field("For counters of these types; left out, of any.", ())
    picture: Literal["silhouette", "symbol", "none"] = documented_field(
        "A vehicle's silhouette, or the military symbol.", "symbol"
    )
    spots: Mapping[IdField, str] = documented_field(
        "What is printed in each spot (top_left, top, top_right, badge, left, right, caption, low_left, low_right, "
        "bottom_left, bottom, bottom_right): a text with {attack} and the like in it, or {name}, {formation}, {number}, "
        "{setup}, {size}, {steps}; {ability?C} is C on counters with that ability, {front?} holds on fronts only. "
        "Of choices with | between them the first is used of which nothing is missing. A formation is shortened, or "
        "left out where even that is too long.",
        {},
    )

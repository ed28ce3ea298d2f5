"""Pieces: every counter and marker, built on prototypes by side and class so that no trait is written twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from modgen.vmod.files.keys import FLIP
from modgen.vmod.pieces import traits
from modgen.vmod.pieces.faces import SCALE, back_picture, front
from modgen.vmod.pieces.fighting import fights
from modgen.vmod.pieces.losses import losses
from modgen.vmod.pieces.prototypes import ANSWERS, FIGHTER, UNITS, of_unit, prototypes, returning
from modgen.vmod.pieces.unit_fields import marker_marks, unit_marks
from modgen.vmod.sight.visibility import obstacles
from modgen.vmod.text.piece_reports import REMOVAL, backs, changed_factors, own_flips, put_down, taken_away, turned_over
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.unit_view import face_state, view_unit
from scenarios.vassal.commands import Added, Trait, add_piece_command
from scenarios.vassal.windows import turn_markers

__all__ = [
    "COPY",
    "ENTERS",
    "GROUP",
    "NATION",
    "PaletteEntry",
    "definition",
    "expand_prototypes",
    "marker_piece",
    "piece_entry",
    "prototypes",
    "unit_piece",
]


COPY, GROUP, ENTERS, NATION = "copy", "group", "Enters", "nation"
"""A piece's own properties: its copy of its counter, its set-up group, when and where it enters, and its nation.

A scenario may give a nation the counters of another. These aren't marks, because the engine gives a refreshed piece
the marks of the palette.
"""


@dataclass(frozen=True)
class PaletteEntry:
    """A piece of the palette: the id of its counter or marker, its name, and its traits from the outside in."""

    id: str
    name: str
    gpid: str
    traits: tuple[Trait, ...]


def face(piece_id: str, back_name: str) -> Trait:
    """The layer with a piece's front and back."""
    return traits.layer(
        "Face",
        [front(piece_id), back_picture(piece_id)],
        labels=["", f"+ ({back_name})" if back_name else ""],
        up_command=f"Flip ({back_name})" if back_name else "Flip",
        up_key=FLIP,
        scale=SCALE,
    )


def own_traits(copy: str) -> tuple[Trait, ...]:
    """The traits that distinguish a piece from other copies of its counter."""
    return tuple(
        traits.dynamic(name, initial_value, []) for name, initial_value in ((COPY, copy), (GROUP, ""), (ENTERS, ""))
    )


def unit_piece(game: Game, unit: Unit, gpid: str, copy: str = "") -> PaletteEntry:
    """The palette entry of a counter."""
    state, name = face_state(game, unit), view_unit(game, unit).display_name
    lines = [
        *(traits.prototype(name) for name in of_unit(game, unit)),
        own_flips(game, unit) if changed_factors(game, unit) else traits.prototype(backs(game)[state]),
        face(unit.id, game.states[state].name.lower() if state in game.states else ""),
        *_losses(game, unit.id),
        traits.prototype(REMOVAL),
        *own_traits(copy),
        traits.dynamic(NATION, unit.nation, []),
        traits.marks({"Layer": UNITS} | unit_marks(game, unit)),
        traits.basic(name, gpid),
    ]
    return PaletteEntry(unit.id, name, gpid, tuple(lines))


def _losses(game: Game, piece_id: str) -> list[Trait]:
    """The traits that send a piece to its pile, if it has one."""
    name = losses(game, piece_id)
    return [traits.prototype(name)] if name else []


def marker_piece(game: Game, marker_id: str, gpid: str, copy: str = "") -> PaletteEntry:
    """The palette entry of a marker."""
    marker = game.markers[marker_id]
    fighter = fights(game, marker_id)
    hides = not fighter and marker_id in obstacles(game)
    lines = [
        *put_down(game, marker_id),
        *([traits.prototype(ANSWERS)] if fighter or hides else []),
        traits.prototype("Construction" if marker.kind == "construction" else "Marker"),
        *([traits.prototype(FIGHTER)] if fighter else []),
        *([traits.prototype(f"Side {game.sides[marker.side].name}")] if marker.side in game.sides else []),
        *([traits.prototype("Returns")] if returning(game, marker_id) else []),
        *([traits.prototype(f"Marker of {turn_markers(game)[marker_id]}")] if marker_id in turn_markers(game) else []),
        turned_over(game, marker_id),
        face(marker_id, ""),
        *_losses(game, marker_id),
        *taken_away(game, marker_id),
        *([traits.marks(marker_marks(game, marker_id))] if fighter else []),
        *([traits.dynamic("Fold", "", [])] if hides else []),
        *own_traits(copy),
        traits.marks({"unit": marker_id, "Factors": marker.note.replace("\n", " ")}),
        traits.basic(marker.name, gpid),
    ]
    return PaletteEntry(marker_id, marker.name, gpid, tuple(lines))


def piece_entry(game: Game, piece_id: str, gpid: str, copy: str = "") -> PaletteEntry:
    """The palette entry of a counter or a marker."""
    if piece_id in game.units:
        return unit_piece(game, game.units[piece_id], gpid, copy)
    return marker_piece(game, piece_id, gpid, copy)


def expand_prototypes(
    trait_list: Sequence[Trait], prototype_traits: Mapping[str, tuple[Trait, ...]]
) -> tuple[Trait, ...]:
    """Traits with every prototype replaced by its traits, as the engine does when a player takes a piece from the palette."""
    result: list[Trait] = []
    for trait in trait_list:
        if trait.type.startswith("prototype;"):
            result += expand_prototypes(prototype_traits[trait.type.removeprefix("prototype;")], prototype_traits)
        else:
            result.append(trait)
    return tuple(result)


def definition(trait_list: Sequence[Trait]) -> str:
    """Traits as the engine writes them in a palette."""
    return add_piece_command(Added("", tuple(trait_list)))

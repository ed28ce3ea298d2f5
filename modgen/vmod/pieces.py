"""Pieces: every counter and marker on prototypes by side and class, no trait written twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from modgen.vmod import traits
from modgen.vmod.fighters import fighting, fights, usual
from modgen.vmod.traits import ALT, CTRL, SHIFT, key, named
from scenarios.counters import FactorValue, Unit
from scenarios.game import Game
from scenarios.vassal.commands import Added, Trait, added
from scenarios.vassal.windows import BOXES, counter_size, dead_zone

SCALE = "0.5"
"""Faces have twice as many pixels as they show, so that zooming in stays sharp."""
FLIP, ELIMINATE, BACK = key("F"), key("E"), key("E", CTRL | SHIFT)
LOSS, RECOVER = key("L"), key("L", CTRL | SHIFT)
UNMOVE = named("unmove")
FIGHTER = "Fighter"


@dataclass(frozen=True)
class Made:
    """A piece of the palette: what it stands for, its name and its traits from the outside in."""

    id: str
    name: str
    gpid: str
    traits: tuple[Trait, ...]


def front(piece_id: str) -> str:
    """The picture of a piece's front."""
    return f"{piece_id}.png"


def back(piece_id: str) -> str:
    """The picture of a piece's back."""
    return f"{piece_id}-back.png"


def badge(state: str) -> str:
    """The picture of a state."""
    return f"state-{state}.png"


def loose_states(game: Game) -> list[str]:
    """The states that a badge shows: those that no face does."""
    faces = {unit.back_state for unit in game.units.values() if unit.back is not None} | {turned_state(game)}
    return [state for state in game.states if state not in faces]


def turned_state(game: Game) -> str:
    """The state of a counter that lies with a plain back up."""
    return "inverted" if "inverted" in game.states else ""


def face_state(game: Game, unit: Unit) -> str:
    """The state that a counter's back stands for."""
    return unit.back_state if unit.back is not None else turned_state(game)


def value(held: FactorValue) -> str:
    """A factor as a property: whole numbers plainly, halves as decimals."""
    if isinstance(held, bool):
        return "true" if held else "false"
    if isinstance(held, str):
        return held
    return str(held.numerator) if held.denominator == 1 else str(float(held))


def ability(word: str) -> str:
    """The property of an ability."""
    return f"can_{word}"


def prototypes(game: Game) -> dict[str, tuple[Trait, ...]]:
    """Every prototype by name, its traits from the outside in."""
    half = counter_size(game) // 2
    states = loose_states(game)
    made: dict[str, tuple[Trait, ...]] = {}
    common = [
        traits.delete("Delete", key("D")),
        traits.trail(),
        traits.moved("moved.png", half - 14, -half),
    ]
    made["Piece"] = tuple(common)
    badges: list[Trait] = []
    strokes: list[str] = []
    for i, state in enumerate(states):
        stroke = key(str(i + 1), ALT) if i < 9 else named(f"state{i}")
        strokes.append(stroke)
        place = (-half // 2, half - 8 - 13 * i) if i < 4 else (half // 2, half - 8 - 13 * (i - 4))
        badges.append(
            traits.layer(
                state,
                [badge(state)],
                active=False,
                toggle=game.states[state].name,
                toggle_key=stroke,
                scale=SCALE,
                shift=place,
            )
        )
    menu = [traits.submenu("State", [game.states[state].name for state in states])] if states else []
    told = [FLIP, ELIMINATE, BACK, LOSS, RECOVER, key("D"), *strokes]
    fighter = (traits.prototype(FIGHTER),) if game.attacks else ()
    if game.attacks:
        made[FIGHTER] = fighting(game)
    made["Unit"] = (
        traits.report(told, "$location$: $oldPieceName$: $menuCommand$"),
        *menu,
        *badges,
        *fighter,
        traits.prototype("Piece"),
    )
    made["Marker"] = (
        traits.report([FLIP, ELIMINATE, BACK, key("D")], "$location$: $oldPieceName$: $menuCommand$"),
        traits.prototype("Piece"),
    )
    for steps in sorted({unit.steps for unit in game.units.values()}):
        if steps > 1:
            pictures = ["", *(f"loss-{n}.png" for n in range(1, steps))]
            made[f"Steps {steps}"] = (
                traits.layer(
                    "Steps",
                    pictures,
                    up="Step loss",
                    up_key=LOSS,
                    reset="Full strength",
                    reset_key=RECOVER,
                    scale=SCALE,
                    shift=(half - 12, half - 12),
                ),
            )
    for side_id, side in game.sides.items():
        made[f"Side {side.name}"] = (
            traits.send_zone("Eliminate", ELIMINATE, BOXES, dead_zone(side.name), "Return from the dead", BACK),
            traits.marks({"side": side_id, "SideName": side.name}),
        )
    for class_id, word in game.classes.items():
        made[f"Class {word.name}"] = (traits.marks({"class": class_id, "ClassName": word.name}),)
    return made


def face(piece_id: str, back_name: str, two: bool = True) -> Trait:
    """The layer of a piece's front and back."""
    if not two:
        return traits.layer("Face", [front(piece_id)], scale=SCALE)
    return traits.layer(
        "Face",
        [front(piece_id), back(piece_id)],
        labels=["", f"+ ({back_name})" if back_name else ""],
        up="Flip",
        up_key=FLIP,
        scale=SCALE,
    )


def unit_piece(game: Game, unit: Unit, gpid: str, copy: str = "") -> Made:
    """A counter."""
    state = face_state(game, unit)
    marks = {
        "unit": unit.id,
        "copy": copy,
        "nation": unit.nation,
        "type": unit.type,
        "size": unit.size,
        "formation": unit.formation,
    }
    marks |= {"steps": str(unit.steps), "one": "1", "face_state": state}
    held: dict[str, str] = {
        name: value(unit.factors[name]) if name in unit.factors else usual(factor)
        for name, factor in game.factors.items()
    }
    if unit.back is not None:
        held |= {f"{name}_back": value(unit.back[name]) for name in game.factors if name in unit.back}
    lines = [
        traits.prototype("Unit"),
        traits.prototype(f"Side {game.sides[unit.side].name}"),
        *([traits.prototype(f"Class {game.classes[unit.class_].name}")] if unit.class_ in game.classes else []),
        *([traits.prototype(f"Steps {unit.steps}")] if unit.steps > 1 else []),
        face(unit.id, game.states[state].name.lower() if state in game.states else ""),
        traits.marks({"Factors": said(game, unit)}),
        *([traits.marks(held)] if held else []),
        *([traits.marks({ability(word): "true" for word in sorted(unit.abilities)})] if unit.abilities else []),
        traits.marks(marks),
        traits.basic(unit.name, gpid),
    ]
    return Made(unit.id, unit.name, gpid, tuple(lines))


def said(game: Game, unit: Unit) -> str:
    """A counter's factors as a text."""
    parts = [f"{game.factors[name].name} {value(held)}" for name, held in unit.factors.items() if name in game.factors]
    return ", ".join(part for part in parts if not part.endswith(" "))


def marker_piece(game: Game, marker_id: str, gpid: str, copy: str = "") -> Made:
    """A marker."""
    held = game.markers[marker_id]
    fighter = fights(game, marker_id)
    factors = {name: held.factors.get(name, usual(factor)) for name, factor in game.factors.items()}
    lines = [
        traits.prototype("Marker"),
        *([traits.prototype(FIGHTER)] if fighter else []),
        *([traits.prototype(f"Side {game.sides[held.side].name}")] if held.side in game.sides else []),
        face(marker_id, ""),
        *([traits.marks(factors | {"steps": "1", "one": "1"})] if fighter else []),
        traits.marks({"unit": marker_id, "copy": copy, "Factors": held.note.replace("\n", " ")}),
        traits.basic(held.name, gpid),
    ]
    return Made(marker_id, held.name, gpid, tuple(lines))


def piece(game: Game, piece_id: str, gpid: str, copy: str = "") -> Made:
    """A counter or a marker."""
    if piece_id in game.units:
        return unit_piece(game, game.units[piece_id], gpid, copy)
    return marker_piece(game, piece_id, gpid, copy)


def expanded(listed: Sequence[Trait], known: Mapping[str, tuple[Trait, ...]]) -> tuple[Trait, ...]:
    """Traits with every prototype replaced by its own, as the engine does when it takes a piece from the palette."""
    result: list[Trait] = []
    for trait in listed:
        if trait.type.startswith("prototype;"):
            result += expanded(known[trait.type.removeprefix("prototype;")], known)
        else:
            result.append(trait)
    return tuple(result)


def definition(listed: Sequence[Trait]) -> str:
    """Traits as the engine keeps them in a palette."""
    return added(Added("", tuple(listed)))

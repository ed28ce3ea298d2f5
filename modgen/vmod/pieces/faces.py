"""What a piece shows: its pictures, its states, and its factors as properties and as text."""

from __future__ import annotations

from collections.abc import Mapping

from art.counters.face import FIELD_PATTERN, Side, layout_of, words
from scenarios.model.counters import Factor, Unit
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.unit_view import FieldValue, plain_back_state, view_face
from scenarios.vassal.playing import BADGE
from scenarios.vassal.reading import STEP_LOSS

SCALE = "0.5"
"""Faces have twice as many pixels as they need at normal size, so they stay sharp when a player zooms in."""


def front(piece_id: str) -> str:
    """The picture of a piece's front."""
    return f"{piece_id}.png"


def back_picture(piece_id: str) -> str:
    """The picture of a piece's back."""
    return f"{piece_id}-back.png"


def badge(state: str) -> str:
    """The picture of a state."""
    return f"{BADGE}{state}.png"


def cover(side: str) -> str:
    """The picture that other players see of a side's concealed pieces."""
    return f"concealed-{side}.png"


def loose_states(game: Game) -> list[str]:
    """The states that need a badge, because no face shows them."""
    return cached_on(game, _loose_states)


def _loose_states(game: Game) -> list[str]:
    faces = {unit.back_state for unit in game.units.values() if unit.back is not None} | {plain_back_state(game)}
    return [state for state in game.states if state not in faces]


def counted_steps(game: Game) -> list[int]:
    """The numbers of lost steps that have badges. There are none if a flipped counter, alone or with a state, shows all of them."""
    return cached_on(game, _counted_steps)


def _counted_steps(game: Game) -> list[int]:
    if STEP_LOSS in game.states and all(unit.back is not None for unit in game.units.values() if unit.steps > 1):
        return []
    has_lost_steps = any(
        group.steps_lost for scenario in game.scenarios.values() for f in scenario.forces.values() for group in f.groups
    )
    has_extra_steps = any(unit.steps > (1 if unit.back is None else 2) for unit in game.units.values())
    return (
        sorted({unit.steps for unit in game.units.values() if unit.steps > 1})
        if has_lost_steps or has_extra_steps
        else []
    )


def value(factor_value: FieldValue) -> str:
    """A factor as a property: whole numbers as they are, halves as decimals."""
    if isinstance(factor_value, bool):
        return "true" if factor_value else "false"
    if isinstance(factor_value, str):
        return factor_value
    return str(factor_value.numerator) if factor_value.denominator == 1 else str(float(factor_value))


def ability(word: str) -> str:
    """The name of an ability's property."""
    return f"can_{word}"


def ranges(game: Game) -> list[tuple[str, Factor]]:
    """The factors that are ranges, in the pack's order."""
    return [(key, factor) for key, factor in game.factors.items() if factor.area]


def lower(name: str) -> str:
    """A name as it is written within a sentence: SAM range stays as it is."""
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def reaches(unit: Unit, factor: str) -> bool:
    """Whether a unit has a range that is worth showing."""
    reach = unit.factors.get(factor, 0)
    return not isinstance(reach, str) and reach > 0


def factors_text(game: Game, factors: Mapping[str, FieldValue]) -> str:
    """Factors as a text."""
    parts = [
        f"{game.factors[name].name} {value(factor_value)}"
        for name, factor_value in factors.items()
        if name in game.factors
    ]
    return ", ".join(part for part in parts if not part.endswith(" "))


def short(game: Game, unit: Unit, side: Side = "front") -> str:
    """Factors as they are printed on a counter, slot by slot: 14-A-10-1-0.

    A factor on a badge has its name: (6)-2-10, barrage range 4.
    """
    view = view_face(game, unit, side)
    row, badges = [], []
    for spot, template in layout_of(game, unit).spots.items():
        printed_text = words(template, view, "")
        factor_names = [match[1] for match in FIELD_PATTERN.finditer(template) if match[1] in game.factors]
        if printed_text and factor_names and spot == "badge":
            badges.append(f"{lower(game.factors[factor_names[0]].name)} {printed_text}")
        elif printed_text and factor_names:
            row.append("\N{EN DASH}" if printed_text == "-" else printed_text)
    return ", ".join(["-".join(row), *badges])

"""A unit's fields in the module: the marks that a piece carries, and the expressions that read its fields from them.

Both come from `UnitView`. A piece's marks say what the unit is on each face. Its layers say which face shows, which
states it is in and what it has lost. An expression chooses among the marks by the layers, as `UnitView` does.
"""

from __future__ import annotations

from collections.abc import Mapping

from modgen.vmod.battle.beanshell import text_of
from modgen.vmod.pieces.faces import ability, counted_steps, factors_text, loose_states, short, value
from scenarios.expressions import FLAG, NUMBER, TEXT, ValueType, names
from scenarios.model.attacks import UNIT_TEXTS
from scenarios.model.counters import Marker, Unit
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.unit_view import FieldValue, default_factors, face_state, plain_back_state, view_face, view_marker
from scenarios.vassal.reading import STEP_LOSS

FLIPPED = "Face_Level==2"
"""A test of whether a piece lies with its back up."""
STEPS_LEVEL = "Steps_Level"
"""The property of the layer that counts lost steps: 1 at full strength. Only some counters have it."""


def unit_marks(game: Game, unit: Unit) -> dict[str, str]:
    """The marks of a counter: its names, its steps, and the factors and abilities of both faces."""
    front, back = view_face(game, unit, "front"), view_face(game, unit, "back")
    marks = {"unit": unit.id, "type": unit.type, "size": unit.size, "formation": unit.formation}
    if unit.class_ in game.classes:
        marks |= {"class": unit.class_, "ClassName": game.classes[unit.class_].name}
    marks |= {"printed": front.name, "steps": str(front.steps), "face_state": face_state(game, unit)}
    marks |= {"Factors": factors_text(game, front.printed_factors), "Short": short(game, unit)}
    if back.shows_back:
        marks |= {"FactorsBack": factors_text(game, back.printed_factors), "ShortBack": short(game, unit, "back")}
    marks |= _factor_marks(front.factors)
    if back.shows_back:
        marks |= {f"{name}_back": value(back.factors[name]) for name in game.factors if name in back.printed_factors}
    marks |= missing_marks(game, unit)
    return marks | {ability(word): "true" for word in sorted(front.abilities)}


def marker_marks(game: Game, marker_id: str) -> dict[str, str]:
    """The marks of a marker that fights."""
    view = view_marker(game, marker_id)
    marks = {**_factor_marks(view.factors), "printed": view.name, "steps": str(view.steps)}
    return marks | missing_marks(game, game.markers[marker_id])


def marks_of_support(game: Game, name: str, factors: Mapping[str, str]) -> dict[str, str]:
    """The marks of support off the map, which has only these factors."""
    own_factors = {key: text for key, text in factors.items() if key in game.factors}
    return {**_factor_marks(default_factors(game)), **own_factors, "printed": name, "steps": "1"}


def _factor_marks(factors: Mapping[str, FieldValue]) -> dict[str, str]:
    return {name: value(factor) for name, factor in factors.items()}


BOTH_FACES, FRONT_FACE, BACK_FACE = "both", "front", "back"


def missing_mark(factor: str) -> str:
    """The property with the faces that lack a factor."""
    return f"no_{factor}"


def strength_factors(game: Game) -> list[str]:
    """The numbers without a default that some strength reads: a counter that lacks one counts 0."""
    return cached_on(game, _strength_factors)


def _strength_factors(game: Game) -> list[str]:
    shapes = [shape for attack in game.attacks.values() for shape in attack.groups.values()]
    used_names = {name for shape in shapes if shape.strength for name in names(shape.strength.expression)}
    return [
        key
        for key, factor in game.factors.items()
        if key in used_names and factor.kind == "number" and factor.default is None
    ]


def missing_factors(game: Game, counter: Unit | Marker) -> dict[str, str]:
    """The factors of strengths that a counter or marker lacks, with the faces that lack them."""
    back = counter.back if isinstance(counter, Unit) and counter.back is not None else counter.factors
    faces = {(True, True): BOTH_FACES, (True, False): FRONT_FACE, (False, True): BACK_FACE}
    lacks = {key: (key not in counter.factors, key not in back) for key in strength_factors(game)}
    return {key: faces[lack] for key, lack in lacks.items() if any(lack)}


def missing_marks(game: Game, counter: Unit | Marker) -> dict[str, str]:
    """The marks that name the missing factors of a counter or marker."""
    return {missing_mark(key): faces for key, faces in missing_factors(game, counter).items()}


def field_expressions(game: Game) -> tuple[dict[str, ValueType], dict[str, str]]:
    """The names of a unit's fields with their kinds, and the expressions that read them.

    A name without an expression is read from the mark of the same name.
    """
    kinds = {**dict.fromkeys(UNIT_TEXTS, TEXT), "steps": NUMBER}
    kinds |= {name: ValueType(factor.kind) for name, factor in game.factors.items()}
    kinds |= dict.fromkeys((*game.states, *game.abilities), FLAG)
    reads = {"id": text_of("unit"), "name": text_of("printed"), "steps": f"String.valueOf({steps_left(game)})"}
    back_shows = back_test(game)
    for name in game.factors:
        if is_on_backs(game, name):
            back_value = text_of(f"{name}_back")
            reads[name] = f'{back_shows}&&!"".equals({back_value})?{back_value}:{text_of(name)}'
    loose = loose_states(game)
    for state in game.states:
        # Only being flipped puts a counter without a second face into the state of its back.
        face_test = back_shows if _is_on_second_face(game, state) else FLIPPED
        face_text = f'{face_test}&&"{state}".equals({text_of("face_state")})?"true":"false"'
        reads[state] = text_of(f"{state}_Active") if state in loose else face_text
    return kinds, reads | {word: text_of(ability(word)) for word in game.abilities}


def is_on_backs(game: Game, factor: str) -> bool:
    """Whether the back of some counter shows a factor."""
    return any(unit.back is not None and factor in unit.back for unit in game.units.values())


def changes_on_back(game: Game, factor: str) -> bool:
    """Whether a factor differs between the faces of some counter."""
    return any(
        view_face(game, unit, "front").factors[factor] != view_face(game, unit, "back").factors[factor]
        for unit in game.units.values()
    )


def _is_on_second_face(game: Game, state: str) -> bool:
    return state != plain_back_state(game) or any(
        unit.back is not None and unit.back_state == state for unit in game.units.values()
    )


def _loose_losses(game: Game) -> dict[str, int]:
    """The states with a badge that cost steps, each with its number."""
    return {state: game.states[state].steps_lost for state in loose_states(game) if game.states[state].steps_lost}


def _reads_lost_steps(game: Game) -> bool:
    """Whether expressions read the layer that counts lost steps. An extension may add the first counter that has it."""
    if counted_steps(game):
        return True
    return STEP_LOSS not in game.states and any(unit.steps > 1 for unit in game.units.values())


def back_test(game: Game) -> str:
    """A test of whether a unit's second face counts: it is flipped, or has lost a step."""
    tests = [FLIPPED, *(f'"true".equals({text_of(f"{state}_Active")})' for state in _loose_losses(game))]
    if _reads_lost_steps(game):
        level = text_of(STEPS_LEVEL)
        tests.append(f'!"".equals({level})&&!"1".equals({level})')
    return f"({'||'.join(tests)})" if len(tests) > 1 else FLIPPED


def steps_left(game: Game) -> str:
    """An expression for the number of steps that a unit still has."""
    face_losses = {
        unit.back_state: game.states[unit.back_state].steps_lost
        for unit in game.units.values()
        if unit.back is not None and unit.back_state in game.states and game.states[unit.back_state].steps_lost
    }
    parts = [f'({FLIPPED}&&"{state}".equals({text_of("face_state")})?{lost}:0)' for state, lost in face_losses.items()]
    parts += [f'("true".equals({text_of(f"{state}_Active")})?{lost}:0)' for state, lost in _loose_losses(game).items()]
    if _reads_lost_steps(game):
        counted = f'("".equals({text_of(STEPS_LEVEL)})?0:{STEPS_LEVEL}-1)'
        parts = [f"Math.max({counted},{'+'.join(parts)})" if parts else counted]
    return f"Math.max(0,steps-{'-'.join(parts)})" if parts else "steps"

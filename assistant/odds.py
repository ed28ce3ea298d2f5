"""Attacks as a pack declares them: the question that any pack answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from assistant.assumptions import NOTES, assume_inputs, assume_of_units
from assistant.attack import (
    LARGEST,
    AttackValue,
    Fields,
    NumberRange,
    number_range,
    odds,
    read_answer,
    unit_fields,
)
from assistant.attack_nodes import odds_nodes
from assistant.engine.battle.odds import outcome_nodes, placed_answer
from assistant.engine.battle.words import battle_in_words, ruled_inputs
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Value,
)
from assistant.questions.question import ON_ANY_MAP, Input, Inputs, Kind, Question
from assistant.questions.references import UnitRef, normalize_name
from scenarios.model.attacks import Attack, AttackInput
from scenarios.model.game import Game
from scenarios.reading.findings import suggest
from scenarios.unit_view import display_name

KINDS: Mapping[str, Kind] = {"number": "number", "flag": "flag", "text": "text"}


FROM_INPUT = Input(
    name="from",
    about="the attackers' places; by default all units adjacent to the attacked place",
    kind="places",
)
AT_INPUT = Input(
    name="at",
    about="the attacked place; terrain and units are read from the map",
    kind="places",
    aliases=("target", "targets"),
)
SIDE = Input(name="side", about="the attacking side", kind="choice", vocabulary="side")
WHAT_IF = Input(
    name="what_if",
    about="also show the effect of one attacker more or fewer, or of another state",
    kind="flag",
    default=False,
)
BEST = Input(
    name="best", about="find the best assignment of the attackers to the attacked places", kind="flag", default=False
)
AIM = Input(
    name="aim",
    about="the aim of the best plan: most enemy steps minus own steps lost, or most captured places",
    kind="choice",
    choices=("steps", "places"),
    default="steps",
)
PRICE = Input(
    name="price",
    about="for the best plan: the worth of one step of your own; by default 1, and 0 where places count",
    kind="number",
    integer=False,
    example="1/2",
)
PLACE_INPUTS = (FROM_INPUT, AT_INPUT, SIDE, WHAT_IF, BEST, AIM, PRICE, *ON_ANY_MAP)
"""The further inputs of an attack that is read from the map."""


def attack_question(game: Game) -> Question:
    """Return the question of an attack's odds. Its inputs are the attack, the units and the facts of the battle; or
    the places, and the map gives the rest."""
    inputs = {
        "attack": Input(
            name="attack",
            about="the kind of attack",
            kind="choice",
            vocabulary="attack",
            default=next(iter(game.attacks)),
            assumed=len(game.attacks) > 1,
        )
    }
    for attack in game.attacks.values():
        for name, group in attack.groups.items():
            about = f"{group.title.lower()}: the units that take part"
            inputs.setdefault(name, Input(name=name, about=about, kind="units", example=_example(group.inputs)))
        for name, shape in attack.inputs.items():
            inputs.setdefault(name, attack_input(game, name, shape))
    for place in PLACE_INPUTS if game.maps or game.scenario_maps else ():
        inputs.setdefault(place.name, place)
    return Question(
        name="odds",
        about="the odds of an attack, all modifiers and the chance of each result",
        inputs=tuple(inputs.values()),
        answer=_answer,
        positional=("attack",),
        on_map=lambda question_inputs: "at" in question_inputs,
    )


def _example(shapes: Mapping[str, AttackInput]) -> str:
    detail = next((f":{name}={'3' if shape.kind == 'number' else 'yes'}" for name, shape in shapes.items()), "")
    return f"UNIT,UNIT+STATE{detail}"


def attack_input(game: Game, name: str, shape: AttackInput) -> Input:
    """Return an attack's input as an input of a question."""
    choices = tuple(word for choice in shape.choices for word in (game.terrain if choice == "terrain" else (choice,)))
    kind = "choice" if choices else KINDS[shape.kind]
    limits = number_range(game, shape) if kind == "number" else NumberRange(0, LARGEST, True)
    return Input(name=name, about=shape.title, kind=kind, choices=choices, **limits._asdict())


def _answer(game: Game, question_inputs: Inputs) -> Answer:
    key = question_inputs.get("attack") or next(iter(game.attacks))
    attack = game.attacks[key]
    own_names = ("attack", *attack.groups, *attack.inputs)
    map_names = [place.name for place in PLACE_INPUTS]
    strange = next(
        (name for name in question_inputs if name not in own_names and name not in (*map_names, NOTES)), None
    )
    if strange is not None:
        raise BadQuestion(f"{key} has no input {strange!r}; {suggest(strange, [*attack.groups, *attack.inputs])}")
    inputs = read_attack_inputs(game, key, question_inputs)
    if "at" in question_inputs:
        other_groups = {
            name: fields_of(game, key, name, question_inputs.get(name, ()))
            for name in attack.groups
            if name not in _sides(attack)
        }
        return placed_answer(game, key, question_inputs, other_groups, inputs)
    strange = next(
        (
            name
            for name in question_inputs
            if name not in (*own_names, WHAT_IF.name, NOTES) and question_inputs[name] not in (False, AIM.default)
        ),
        None,
    )
    if strange is not None:
        raise BadQuestion(f"{strange} needs `at`, the attacked place: at=PLACE")
    groups = {name: fields_of(game, key, name, question_inputs.get(name, ())) for name in attack.groups}
    inputs = {**ruled_inputs(game, key), **inputs}
    assume_attack(game, key, question_inputs, *ruled_inputs(game, key))
    refs = {name: tuple(question_inputs.get(name, ())) for name in attack.groups}
    battle = battle_in_words(game, key, refs, groups, inputs)
    if battle is not None:
        nodes = outcome_nodes(battle, bool(question_inputs.get("what_if")))
        return Answer("odds", game.id, [Value("attack", key, for_people=False), *nodes])
    if question_inputs.get("what_if"):
        raise BadQuestion("what_if needs `at`, the attacked place: at=PLACE")
    return Answer(
        "odds", game.id, [Value("attack", key, for_people=False), *odds_nodes(game, odds(game, key, groups, inputs))]
    )


def assume_attack(game: Game, key: str, inputs: Inputs, *known_names: str) -> None:
    """Record the assumptions of an attack in words; `known_names` are inputs that the question gets from elsewhere."""
    attack = game.attacks[key]
    assume_inputs(inputs, attack.inputs, {*known_names, *inputs})
    for name, group in attack.groups.items():
        assume_of_units(
            inputs, group.inputs, (unit.details for unit in inputs.get(name, ()) if isinstance(unit, UnitRef))
        )


def read_attack_inputs(game: Game, key: str, inputs: Inputs) -> dict[str, AttackValue]:
    """Return the inputs of a battle as a whole, by the names of the declared attack."""
    shapes = game.attacks[key].inputs
    return {
        name: read_answer(game, name, shape, _text(inputs[name])) for name, shape in shapes.items() if name in inputs
    }


def _sides(attack: Attack) -> tuple[str, str]:
    """Return the groups that fight; others help."""
    return attack.attackers, attack.defenders


def fields_of(game: Game, attack: str, group: str, unit_refs: Iterable[UnitRef]) -> list[Fields]:
    """Return units as an attack's formulas see them, each as often as it takes part."""
    unit_refs = tuple(unit_refs)
    check_copies(game, unit_refs)
    return [fields for unit_ref in unit_refs for fields in _units(game, game.attacks[attack], group, unit_ref)]


def check_copies(game: Game, unit_refs: Iterable[UnitRef]) -> None:
    """Raise BadQuestion where more copies of a counter take part than exist."""
    counts: Counter[str] = Counter()
    copies: set[tuple[str, str]] = set()
    for unit_ref in unit_refs:
        counts[unit_ref.id] += unit_ref.count
        if unit_ref.copy and (unit_ref.id, unit_ref.copy) in copies:
            raise BadQuestion(f"{unit_ref.id}/{unit_ref.copy} is named twice; leave one out")
        copies.add((unit_ref.id, unit_ref.copy))
    for counter, count in counts.items():
        unit = game.units.get(counter)
        if unit is not None and count > unit.count:
            count_phrase = f"are only {unit.count} counters" if unit.count > 1 else "is only one counter"
            raise BadQuestion(f"there {count_phrase} of {unit.name}, and {count} are named")


def _units(game: Game, attack: Attack, group: str, unit_ref: UnitRef) -> list[dict[str, Any]]:
    """Return a unit as the attack's formulas see it, as often as it takes part."""
    if unit_ref.place:
        raise BadQuestion(
            f"{group}: {unit_ref.id}@{unit_ref.place} has a place, and a battle in words has none; leave it out, or put the "
            f"units on the map and name the place attacked: put={unit_ref.id}@{unit_ref.place}"
        )
    shapes = attack.groups[group].inputs
    unit_inputs = {}
    for key, text in unit_ref.details.items():
        if key not in shapes:
            raise BadQuestion(f"{group} has no input {key!r}; {suggest(key, shapes)}")
        unit_inputs[key] = read_answer(game, key, shapes[key], text)
    fields = unit_fields(game, unit_ref.id, unit_ref.states)
    if unit_ref.id in game.units:
        fields["name"] = display_name(game, game.units[unit_ref.id])
    return [{**fields, **unit_inputs}] * unit_ref.count


def _text(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def is_attack(game: Game, word: str) -> bool:
    """Whether a word names a declared attack."""
    return normalize_name(word) in {normalize_name(key) for key in game.attacks}

"""Attacks as a pack declares them: the question that any pack answers, and the result of an attack as an answer's
nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from assistant.assumptions import NOTES, assume_inputs, assume_of_units
from assistant.attack import (
    LARGEST,
    AppliedModifier,
    DefenderOdds,
    Fields,
    NumberRange,
    UnitStrength,
    number_range,
    odds,
    read_answer,
    unit_fields,
)
from assistant.attack import Odds as Odds
from assistant.attack import Value as Amount
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chances,
    Node,
    RowTable,
    Section,
    Sections,
    TableColumn,
    Value,
    Warning,
    remark,
)
from assistant.questions.question import ON_ANY_MAP, Input, Inputs, Kind, Question
from assistant.questions.references import UnitRef, normalize_name
from scenarios.model.attacks import Attack
from scenarios.model.attacks import AttackInput as Told_
from scenarios.model.game import Game
from scenarios.model.tables import Table as Chart
from scenarios.reading.findings import suggest

KINDS: Mapping[str, Kind] = {"number": "number", "flag": "flag", "text": "text"}


# --- the question -----------------------------------------------------------------------------------------------------


FROM_INPUT = Input(
    name="from",
    about="where the attackers stand; everybody next to the place attacked, unless you say so",
    kind="places",
)
AT_INPUT = Input(
    name="at", about="the place attacked: the rest is read from the map", kind="places", aliases=("target",)
)
SIDE = Input(name="side", about="whose units attack", kind="choice", vocabulary="side")
WHAT_IF = Input(
    name="what_if",
    about="also what one attacker more or fewer, or another state, would change",
    kind="flag",
    default=False,
)
BEST = Input(
    name="best", about="share the attackers out among the places attacked in the best way", kind="flag", default=False
)
AIM = Input(
    name="aim",
    about="what the best way is for: steps that the enemy loses more than oneself, or places that fall",
    kind="choice",
    choices=("steps", "places"),
    default="steps",
)
PLACE_INPUTS = (FROM_INPUT, AT_INPUT, SIDE, WHAT_IF, BEST, AIM, *ON_ANY_MAP)
"""The further inputs of an attack that is read from the map."""


def attack_question(game: Game) -> Question:
    """Return the question of an attack's odds. Its inputs are the attack, the units and the facts of the battle; or
    the places, and the map gives the rest."""
    inputs = {
        "attack": Input(
            name="attack", about="which attack", kind="choice", vocabulary="attack", required=len(game.attacks) != 1
        )
    }
    for attack in game.attacks.values():
        for name, group in attack.groups.items():
            about = f"{group.title.lower()}: who takes part"
            inputs.setdefault(name, Input(name=name, about=about, kind="units", example=_example(group.inputs)))
        for name, shape in attack.inputs.items():
            inputs.setdefault(name, attack_input(game, name, shape))
    for place in PLACE_INPUTS if game.maps or game.scenario_maps else ():
        inputs.setdefault(place.name, place)
    return Question(
        name="odds",
        about="the odds of an attack, every modifier and the chance of each result",
        inputs=tuple(inputs.values()),
        answer=_answer,
        positional=("attack",),
        on_map=lambda question_inputs: "at" in question_inputs,
    )


def _example(shapes: Mapping[str, Told_]) -> str:
    detail = next((f":{name}={'3' if shape.kind == 'number' else 'yes'}" for name, shape in shapes.items()), "")
    return f"UNIT,UNIT+STATE{detail}"


def attack_input(game: Game, name: str, shape: Told_) -> Input:
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
        raise BadQuestion(f"{key} knows no {strange!r}; {suggest(strange, [*attack.groups, *attack.inputs])}")
    inputs = told_inputs(game, key, question_inputs)
    if "at" in question_inputs:
        from assistant.engine.battle.odds import placed_answer

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
            if name not in (*own_names, NOTES) and question_inputs[name] not in (False, AIM.default)
        ),
        None,
    )
    if strange is not None:
        raise BadQuestion(f"{strange} goes with `at`, the place that is attacked: at=PLACE")
    groups = {name: fields_of(game, key, name, question_inputs.get(name, ())) for name in attack.groups}
    assume_attack(game, key, question_inputs)
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


def told_inputs(game: Game, key: str, inputs: Inputs) -> dict[str, Amount]:
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
    _check_copies(game, unit_refs)
    return [fields for unit_ref in unit_refs for fields in _units(game, game.attacks[attack], group, unit_ref)]


def _check_copies(game: Game, unit_refs: Iterable[UnitRef]) -> None:
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
    shapes = attack.groups[group].inputs
    unit_inputs = {}
    for key, text in unit_ref.details.items():
        if key not in shapes:
            raise BadQuestion(f"nothing called {key!r} is asked of {group}; {suggest(key, shapes)}")
        unit_inputs[key] = read_answer(game, key, shapes[key], text)
    return [{**unit_fields(game, unit_ref.id, unit_ref.states), **unit_inputs}] * unit_ref.count


def _text(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def is_attack(game: Game, word: str) -> bool:
    """Whether a word names a declared attack."""
    return normalize_name(word) in {normalize_name(key) for key in game.attacks}


# --- the answer -------------------------------------------------------------------------------------------------------


def odds_nodes(game: Game, answer: Odds, *, chances: bool = True) -> list[Node]:
    """Return the result of an attack: each unit's strength, the totals, the modifiers, the column and the chances."""
    table = game.tables[game.attacks[answer.attack].table]
    nodes: list[Node] = [Warning(f"not allowed: {failure}") for failure in answer.failures]
    nodes.append(RowTable("refused", [TableColumn("text")], [failure._asdict() for failure in answer.violations]))
    nodes.append(
        RowTable(
            "units",
            [
                TableColumn("group", "group"),
                TableColumn("name", "unit"),
                TableColumn("counts", "counts", for_programs=False),
            ],
            [_strength(unit) for unit in answer.units],
            heads=False,
        )
    )
    if answer.missing:
        nodes += [remark(text) for text in dict.fromkeys(missing_factor.text for missing_factor in answer.missing)]
        nodes.append(
            Value("missing_factors", [missing_factor._asdict() for missing_factor in answer.missing], for_people=False)
        )
    nodes.append(Value("attack_strength", answer.attack_strength, "Strength"))
    if answer.defense_strength is not None:
        nodes += [
            Value("defense_strength", answer.defense_strength, "Against"),
            Value("ratio", answer.ratio, for_people=False),
        ]
    nodes.append(
        RowTable(
            "applied",
            [
                TableColumn("text", "modifier"),
                TableColumn("change", "change", for_programs=False),
                TableColumn("rule", "rule"),
            ],
            [
                {**applied_modifier._asdict(), "change": effect_text(applied_modifier)}
                for applied_modifier in answer.modifiers
            ],
            heads=False,
        )
    )
    if answer.column is None:
        silent: dict[str, Cell] = {
            "column": None,
            "start": answer.start,
            "shift": answer.shift,
            "die": answer.die,
            "chances": {},
            "targets": [],
        }
        nodes += [Value(key, value, for_people=False) for key, value in silent.items()]
        return [*nodes, Warning(f"worse than {table.columns.labels[0]}: no attack")]
    nodes.append(Value("column", answer.column, "Column"))
    nodes.append(Value("start", answer.start, "Before the shifts", for_people=answer.start != answer.column))
    nodes += [
        Value("shift", answer.shift, for_people=False),
        Value("die", answer.die, "Die", for_people=bool(answer.die)),
    ]
    nodes.append(Sections("targets", [_target(target, table) for target in answer.targets]))
    if chances and not answer.targets:
        nodes.append(Chances("chances", answer.chances, meanings=meanings(table)))
    elif answer.targets:
        nodes.append(Value("chances", {code: str(chance) for code, chance in answer.chances.items()}, for_people=False))
    return nodes


def meanings(table: Chart) -> dict[str, str]:
    """Return the meaning of each result of a table."""
    return {code: outcome.meaning for code, outcome in table.results.items()}


def _strength(unit: UnitStrength) -> dict[str, Cell]:
    explanation = "; ".join(
        f"{applied_modifier.text} {effect_text(applied_modifier)}" for applied_modifier in unit.modifiers
    )
    counts = number_text(unit.value) + (f" ({number_text(unit.printed_value)}; {explanation})" if explanation else "")
    modifier_rows = [applied_modifier._asdict() for applied_modifier in unit.modifiers]
    return {
        "group": unit.group,
        "name": unit.name,
        "counts": counts,
        "printed": unit.printed_value,
        "value": unit.value,
        "applied": modifier_rows,
        "values": dict(unit.values),
    }


def _target(target: DefenderOdds, table: Chart) -> Section:
    reasons = ", ".join(
        f"{applied_modifier.text} {format_signed(applied_modifier.amount)}" for applied_modifier in target.modifiers
    )
    title = f"{target.name}: die {target.die:+d}" + (f" ({reasons})" if reasons else "")
    return Section(
        [
            Value("name", target.name, for_people=False),
            Value("die", target.die, for_people=False),
            Value("applied", [applied_modifier._asdict() for applied_modifier in target.modifiers], for_people=False),
            Chances("chances", target.chances, meanings=meanings(table)),
        ],
        title,
    )


def effect_text(applied_modifier: AppliedModifier) -> str:
    """Return the effect of a modifier, such as ×1/2, +1 or shift -1."""
    if applied_modifier.effect == "multiply":
        return f"×{applied_modifier.amount}"
    return (
        format_signed(applied_modifier.amount)
        if applied_modifier.effect == "add"
        else f"{applied_modifier.effect} {format_signed(applied_modifier.amount)}"
    )


def format_signed(value: Fraction) -> str:
    """Return a number with its sign."""
    return f"+{value}" if value > 0 else str(value)


def number_text(value: Fraction) -> str:
    """Return a strength as people read it."""
    return str(value) if value.denominator in (1, 2, 4) else f"{float(value):.2f}"

"""Attacks as a pack declares them: the question that any pack answers, and what an attack comes to as an answer's nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from assistant.answers import (
    Answer,
    BadQuestion,
    Cell,
    Chances,
    Column,
    Node,
    Section,
    Several,
    Table,
    Value,
    Warning,
    said,
)
from assistant.asking import Named, folded
from assistant.assumptions import NOTES, assume_inputs, assume_of_units
from assistant.attack import (
    LARGEST,
    Applied,
    Fields,
    NumberRange,
    Strength,
    Target,
    number_range,
    odds,
    read_answer,
    unit_fields,
)
from assistant.attack import Answer as Odds
from assistant.attack import Value as Amount
from assistant.questions import ON_ANY_MAP, Input, Kind, Question, Told
from scenarios.attacks import Attack
from scenarios.attacks import Input as Told_
from scenarios.game import Game
from scenarios.reading.findings import instead
from scenarios.tables import Table as Chart

KINDS: Mapping[str, Kind] = {"number": "number", "flag": "flag", "text": "text"}


# --- the question -----------------------------------------------------------------------------------------------------


FROM = Input(
    name="from",
    about="where the attackers stand; everybody next to the place attacked, unless you say so",
    kind="places",
)
AT = Input(name="at", about="the place attacked: the rest is read from the map", kind="places", aliases=("target",))
SIDE = Input(name="side", about="whose units attack", kind="choice", of="side")
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
PLACED = (FROM, AT, SIDE, WHAT_IF, BEST, AIM, *ON_ANY_MAP)
"""What an attack that is read from the map may be told besides."""


def attack_question(game: Game) -> Question:
    """The odds of an attack: which attack, who takes part and what is told of the battle; or where, and the map tells the rest."""
    inputs = {
        "attack": Input(name="attack", about="which attack", kind="choice", of="attack", needed=len(game.attacks) != 1)
    }
    for attack in game.attacks.values():
        for name, group in attack.groups.items():
            about = f"{group.title.lower()}: who takes part"
            inputs.setdefault(name, Input(name=name, about=about, kind="units", example=_example(group.inputs)))
        for name, shape in attack.inputs.items():
            inputs.setdefault(name, attack_input(game, name, shape))
    for place in PLACED if game.maps or game.scenario_maps else ():
        inputs.setdefault(place.name, place)
    return Question(
        name="odds",
        about="the odds of an attack, every modifier and the chance of each result",
        inputs=tuple(inputs.values()),
        answer=_answer,
        bare=("attack",),
        on_map=lambda told: "at" in told,
    )


def _example(shapes: Mapping[str, Told_]) -> str:
    more = next((f":{name}={'3' if shape.kind == 'number' else 'yes'}" for name, shape in shapes.items()), "")
    return f"UNIT,UNIT+STATE{more}"


def attack_input(game: Game, name: str, shape: Told_) -> Input:
    """What an attack asks, as an input of a question."""
    choices = tuple(word for choice in shape.choices for word in (game.terrain if choice == "terrain" else (choice,)))
    kind = "choice" if choices else KINDS[shape.kind]
    limits = number_range(game, shape) if kind == "number" else NumberRange(0, LARGEST, True)
    return Input(name=name, about=shape.title, kind=kind, choices=choices, **limits._asdict())


def _answer(game: Game, told: Told) -> Answer:
    key = told.get("attack") or next(iter(game.attacks))
    attack = game.attacks[key]
    own = ("attack", *attack.groups, *attack.inputs)
    placed = [place.name for place in PLACED]
    strange = next((name for name in told if name not in own and name not in (*placed, NOTES)), None)
    if strange is not None:
        raise BadQuestion(f"{key} knows no {strange!r}; {instead(strange, [*attack.groups, *attack.inputs])}")
    inputs = told_inputs(game, key, told)
    if "at" in told:
        from assistant.rules.odds import placed_answer

        others = {
            name: fields_of(game, key, name, told.get(name, ())) for name in attack.groups if name not in _sides(attack)
        }
        return placed_answer(game, key, told, others, inputs)
    strange = next(
        (name for name in told if name not in (*own, NOTES) and told[name] not in (False, AIM.default)), None
    )
    if strange is not None:
        raise BadQuestion(f"{strange} goes with `at`, the place that is attacked: at=PLACE")
    groups = {name: fields_of(game, key, name, told.get(name, ())) for name in attack.groups}
    assume_attack(game, key, told)
    return Answer(
        "odds", game.id, [Value("attack", key, shown=False), *odds_nodes(game, odds(game, key, groups, inputs))]
    )


def assume_attack(game: Game, key: str, told: Told, *known: str) -> None:
    """Note what an attack in words takes for granted; `known` are inputs that the question knows otherwise."""
    attack = game.attacks[key]
    assume_inputs(told, attack.inputs, {*known, *told})
    for name, group in attack.groups.items():
        assume_of_units(told, group.inputs, (unit.details for unit in told.get(name, ()) if isinstance(unit, Named)))


def told_inputs(game: Game, key: str, told: Told) -> dict[str, Amount]:
    """What was told of a battle as a whole, by the names of the declared attack."""
    shapes = game.attacks[key].inputs
    return {name: read_answer(game, name, shape, _text(told[name])) for name, shape in shapes.items() if name in told}


def _sides(attack: Attack) -> tuple[str, str]:
    """The groups that fight; others help."""
    return attack.attackers, attack.defenders


def fields_of(game: Game, attack: str, group: str, named: Iterable[Named]) -> list[Fields]:
    """Units as an attack's formulas see them, each as often as it takes part."""
    named = tuple(named)
    _check_copies(game, named)
    return [fields for one in named for fields in _units(game, game.attacks[attack], group, one)]


def _check_copies(game: Game, named: Iterable[Named]) -> None:
    """BadQuestion where more of a counter takes part than there is."""
    counts: Counter[str] = Counter()
    copies: set[tuple[str, str]] = set()
    for one in named:
        counts[one.id] += one.count
        if one.copy and (one.id, one.copy) in copies:
            raise BadQuestion(f"{one.id}/{one.copy} is named twice; leave one out")
        copies.add((one.id, one.copy))
    for counter, count in counts.items():
        unit = game.units.get(counter)
        if unit is not None and count > unit.count:
            there = f"are only {unit.count} counters" if unit.count > 1 else "is only one counter"
            raise BadQuestion(f"there {there} of {unit.name}, and {count} are named")


def _units(game: Game, attack: Attack, group: str, named: Named) -> list[dict[str, Any]]:
    """A unit as the attack's formulas see it, as often as it takes part."""
    shapes = attack.groups[group].inputs
    told = {}
    for key, text in named.details.items():
        if key not in shapes:
            raise BadQuestion(f"nothing called {key!r} is asked of {group}; {instead(key, shapes)}")
        told[key] = read_answer(game, key, shapes[key], text)
    return [{**unit_fields(game, named.id, named.states), **told}] * named.count


def _text(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def is_attack(game: Game, word: str) -> bool:
    """Whether a word names a declared attack."""
    return folded(word) in {folded(key) for key in game.attacks}


# --- the answer -------------------------------------------------------------------------------------------------------


def odds_nodes(game: Game, found: Odds, *, chances: bool = True) -> list[Node]:
    """What an attack comes to: who counts how much, the strengths, the modifiers, the column and the chances."""
    table = game.tables[game.attacks[found.attack].table]
    nodes: list[Node] = [Warning(f"not allowed: {failure}") for failure in found.failures]
    nodes.append(Table("refused", [Column("text")], [failure._asdict() for failure in found.refused]))
    nodes.append(
        Table(
            "units",
            [Column("group", "group"), Column("name", "unit"), Column("counts", "counts", told=False)],
            [_strength(unit) for unit in found.units],
            heads=False,
        )
    )
    if found.missing:
        nodes += [said(text) for text in dict.fromkeys(one.text for one in found.missing)]
        nodes.append(Value("missing_factors", [one._asdict() for one in found.missing], shown=False))
    nodes.append(Value("attack_strength", found.attack_strength, "Strength"))
    if found.defense_strength is not None:
        nodes += [
            Value("defense_strength", found.defense_strength, "Against"),
            Value("ratio", found.ratio, shown=False),
        ]
    nodes.append(
        Table(
            "applied",
            [Column("text", "modifier"), Column("change", "change", told=False), Column("rule", "rule")],
            [{**one._asdict(), "change": effect_text(one)} for one in found.applied],
            heads=False,
        )
    )
    if found.column is None:
        silent: dict[str, Cell] = {
            "column": None,
            "start": found.start,
            "shift": found.shift,
            "die": found.die,
            "chances": {},
            "targets": [],
        }
        nodes += [Value(key, value, shown=False) for key, value in silent.items()]
        return [*nodes, Warning(f"worse than {table.columns.labels[0]}: no attack")]
    nodes.append(Value("column", found.column, "Column"))
    nodes.append(Value("start", found.start, "Before the shifts", shown=found.start != found.column))
    nodes += [Value("shift", found.shift, shown=False), Value("die", found.die, "Die", shown=bool(found.die))]
    nodes.append(Several("targets", [_target(target, table) for target in found.targets]))
    if chances and not found.targets:
        nodes.append(Chances("chances", found.chances, meanings=meanings(table)))
    elif found.targets:
        nodes.append(Value("chances", {code: str(chance) for code, chance in found.chances.items()}, shown=False))
    return nodes


def meanings(table: Chart) -> dict[str, str]:
    """What each result of a table means."""
    return {code: outcome.meaning for code, outcome in table.results.items()}


def _strength(unit: Strength) -> dict[str, Cell]:
    how = "; ".join(f"{one.text} {effect_text(one)}" for one in unit.applied)
    counts = number_text(unit.value) + (f" ({number_text(unit.printed)}; {how})" if how else "")
    applied = [one._asdict() for one in unit.applied]
    return {
        "group": unit.group,
        "name": unit.name,
        "counts": counts,
        "printed": unit.printed,
        "value": unit.value,
        "applied": applied,
        "values": dict(unit.values),
    }


def _target(target: Target, table: Chart) -> Section:
    why = ", ".join(f"{one.text} {signed(one.amount)}" for one in target.applied)
    title = f"{target.name}: die {target.die:+d}" + (f" ({why})" if why else "")
    return Section(
        [
            Value("name", target.name, shown=False),
            Value("die", target.die, shown=False),
            Value("applied", [one._asdict() for one in target.applied], shown=False),
            Chances("chances", target.chances, meanings=meanings(table)),
        ],
        title,
    )


def effect_text(one: Applied) -> str:
    """What a modifier does, such as ×1/2, +1 or shift -1."""
    if one.effect == "multiply":
        return f"×{one.amount}"
    return signed(one.amount) if one.effect == "add" else f"{one.effect} {signed(one.amount)}"


def signed(value: Fraction) -> str:
    """A number with its sign."""
    return f"+{value}" if value > 0 else str(value)


def number_text(value: Fraction) -> str:
    """A strength as people read it."""
    return str(value) if value.denominator in (1, 2, 4) else f"{float(value):.2f}"

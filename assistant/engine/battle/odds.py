"""The odds of an attack that is read from the map: the effect of each result, useful changes, the best plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from assistant.attack import Fields, Odds
from assistant.attack_nodes import meanings, odds_nodes
from assistant.engine.battle.battle import Battle, BattleInputs, assume_readings, read_battle
from assistant.engine.battle.plans import Planner
from assistant.engine.battle.requirements import possible, resolve_attack
from assistant.engine.battle.result_effects import consequences
from assistant.engine.battle.results import Consequence, UnitOutcome
from assistant.engine.battle.what_if import Prospect, changes, next_column, prospect
from assistant.engine.field import Field
from assistant.engine.question_field import asked_field, asked_place, name_chosen
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    Node,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Value,
    remark,
)
from assistant.questions.rendering import format_cell
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.model.scenario import Scenario
from scenarios.rules.shapes import ResultRule


def placed_answer(
    game: Game,
    key: str,
    question_inputs: Mapping[str, Any],
    other_groups: Mapping[str, Sequence[Fields]],
    inputs: Fields,
) -> Answer:
    """Answer for an attack that is read from the map."""
    field = asked_field(game, question_inputs)
    if question_inputs.get("best"):
        return Answer("odds", game.id, list(_plan(field, key, question_inputs, BattleInputs(inputs, {}, other_groups))))
    battle = read_battle(field, key, question_inputs, other_groups, inputs)
    assume_readings(question_inputs, battle)
    name_chosen(question_inputs, (*battle.attackers, *battle.defenders))
    odds = resolve_attack(battle)
    has_results = bool(field.program.rules.results) and not game.attacks[key].per_defender and odds.column is not None
    nodes = [*battle_nodes(battle), *odds_nodes(game, odds, chances=not has_results)]
    if has_results:
        nodes += _results(battle, odds)
    if question_inputs.get("what_if"):
        points_needed = next_column(game.tables[game.attacks[key].table], odds)
        nodes.append(
            Value(
                "next_column",
                points_needed,
                "More strength points for the next column",
                for_people=points_needed is not None,
            )
        )
        nodes.append(_what_if(battle))
    return Answer("odds", game.id, nodes)


def battle_nodes(battle: Battle) -> list[Node]:
    """Return who attacks from where, what the map says, and the inputs that are missing."""
    field = battle.field
    # Names of points contain spaces.
    comma = ", " if any(" " in field.map_index.title(n) for n in (*battle.sources, *battle.targets)) else " "
    sources: list[Any] = [part for n in battle.sources for part in (field.place(n), comma)]
    targets: list[Any] = [part for n in battle.targets for part in (comma, field.place(n))]
    nodes: list[Node] = [
        Value("attack", battle.attack, for_people=False),
        Value("side", battle.side, for_people=False),
        remark(
            (f"{side_names(field.game, field.scenario)[battle.side]} from ", *sources[:-1], " against ", *targets[1:])
        ),
        Value("sources", [field.place(n) for n in battle.sources], for_people=False),
        Value("at", [field.place(n) for n in battle.targets], for_people=False),
        Value("inputs", {reading.name: reading.value for reading in battle.readings}, for_people=False),
    ]
    read = [f"{reading.title}: {format_cell(reading.value)}" for reading in battle.readings if reading.method == "read"]
    if read:
        nodes.append(remark(f"Read from the map: {'; '.join(read)}"))
    if battle.by_place:
        nodes += _by_place(battle)
    return nodes


def _by_place(battle: Battle) -> Iterator[Node]:
    """Yield what differs between the places attacked: each defender uses its own, the battle as a whole uses the
    first."""
    field, titles = battle.field, {reading.name: reading.title for reading in battle.readings}
    for name in next(iter(battle.by_place.values())):
        values = [
            f"{format_cell(place_values[name])} in {field.map_index.title(n)}"
            for n, place_values in battle.by_place.items()
        ]
        battle_value = format_cell(battle.inputs[name])
        yield remark(
            f"{titles[name]}: {', '.join(values)}; each defender uses the value of its own place, "
            f"the whole attack uses {battle_value}"
        )
    rows: list[dict[str, Cell]] = [
        {"place": field.place(n), "inputs": dict(place_values)} for n, place_values in battle.by_place.items()
    ]
    yield Value("by_place", rows, for_people=False)


def side_names(game: Game, scenario: Scenario | None) -> dict[str, str]:
    """Return the names of the sides in a scenario."""
    return {key: side.name for key, side in (game.sides_in(scenario) if scenario else game.sides).items()}


# --- what each result does --------------------------------------------------------------------------------------------


def _results(battle: Battle, odds: Odds) -> Iterator[Node]:
    game = battle.field.game
    table = game.tables[game.attacks[battle.attack].table]
    battle_results = consequences(battle, odds)
    yield Chances("chances", odds.chances, meanings=meanings(table))
    yield Sections(
        "results", [_consequence(battle.field, consequence) for consequence in battle_results], "What happens"
    )
    falls = sum((consequence.chance for consequence in battle_results if consequence.falls), Fraction(0))
    yield Value("hex_falls", Chance(falls), "The place is captured")
    for role, title in (("attacker", "Average steps lost by the attackers"), ("defender", "The defenders")):
        steps = (result.chance * result.steps(role) for result in battle_results)  # type: ignore[arg-type]
        yield Value(f"{role}_steps", sum(steps, Fraction(0)), title)


def _consequence(field: Field, consequence: Consequence) -> Section:
    """Return a result: a line for each unit that it affects."""
    rows = [_fate(field, consequence, fate) for fate in consequence.fates if fate.records or consequence.advances(fate)]
    columns = [TableColumn("name", "unit"), TableColumn("said", "what", for_programs=False)]
    nodes: list[Node] = [
        Value("result", consequence.code, for_people=False),
        Value("chance", Chance(consequence.chance), for_people=False),
        Value("hex_falls", consequence.falls, for_people=False),
        RowTable("units", columns, rows, heads=False),
    ]
    for record, chooser, equals, max_units in consequence.choices:
        alternatives = f" (or {' or '.join(unit.name for unit in equals)})" if equals else ""
        choice_label = (
            f"which {'one' if max_units == 1 else max_units} of them may advance" if record.advance else "who"
        )
        nodes.append(Sentence(f"the {chooser} chooses {choice_label}: {record.text}{alternatives}", record.rule))
    suffix = "" if rows else ": nothing"
    return Section(
        nodes,
        f"{consequence.code} {Chance(consequence.chance)}{', the place is captured' if consequence.falls else ''}{suffix}",
    )


def _fate(field: Field, consequence: Consequence, fate: UnitOutcome) -> dict[str, Cell]:
    retreat_result, advances = fate.retreat_paths, consequence.advances(fate)
    records = [*fate.records, *(record for record, _ in fate.ahead if advances)]
    row: dict[str, Cell] = {
        "unit": fate.unit.ref,
        "name": fate.unit.name,
        "role": fate.role,
        "steps": fate.steps,
        "eliminated": fate.is_lost,
        "states": sorted(fate.states - fate.unit.piece.states),
        "clears": sorted(fate.unit.piece.states - fate.states),
        "rule": ", ".join(dict.fromkeys(record.rule for record in records if record.rule)),
    }
    if fate.is_stopped:
        row["stops"] = True
    if retreat_result is not None:
        row["retreat"] = fate.retreat[0] if fate.retreat else 0
        row["ends"] = [field.place(n) for n in _ends(fate)]
    if advances:
        row["advances"] = [field.place(n) for n in advances]
    return {**row, "said": "; ".join(_outcome_lines(field, fate, advances))}


def _ends(fate: UnitOutcome) -> list[int]:
    return (
        list(dict.fromkeys(way.end for ways in fate.retreat_paths.ways.values() for way in ways))
        if fate.retreat_paths is not None
        else []
    )


def _outcome_lines(field: Field, fate: UnitOutcome, advances: Sequence[int]) -> Iterator[str]:
    name, states = field.map_index.title, field.game.states
    if not fate.steps_left:
        yield _with_effect_rules("eliminated", fate, ("lose", "eliminate", "exchange"))
        return
    if fate.steps_lost:
        yield _with_effect_rules(f"loses {count_text(fate.steps_lost, 'step')}", fate, ("lose",))
    for state in sorted(fate.states - fate.unit.piece.states):
        yield _with_effect_rules(states[state].name.lower(), fate, ("set",))
    for state in sorted(fate.unit.piece.states - fate.states):
        yield _with_effect_rules(f"no longer {states[state].name.lower()}", fate, ("clear",))
    if fate.is_stopped:
        yield _with_effect_rules("stops", fate, ("stop",))
    retreat_result = fate.retreat_paths
    if retreat_result is not None and retreat_result.fate is not None:
        reason = _with_rule(retreat_result.fate.text, retreat_result.fate.rule)
        yield f"{'stays' if retreat_result.fate.stay else 'is eliminated'}: {reason}"
    elif retreat_result is not None and not any(retreat_result.ways.values()):
        no_way = retreat_result.no_way
        text = _with_rule(no_way.text, no_way.rule) if no_way is not None else "no retreat path"
        loss = f"loses {count_text(int(no_way.lose), 'step')}" if no_way is not None and no_way.lose != "all" else ""
        yield f"{text}: {'eliminated' if fate.no_way else loss}"
    elif retreat_result is not None and fate.retreat is not None:
        if retreat_result.choice is not None:
            yield f"may stay: {_with_rule(retreat_result.choice.text, retreat_result.choice.rule)}"
        harm = f" ({retreat_result.harm_title} on the way: {retreat_result.harm})" if retreat_result.harm else ""
        distance = count_text(fate.retreat[0], field.map_index.place_noun)
        ends = " or ".join(name(n) for n in _ends(fate))
        yield _with_effect_rules(f"retreats {distance} to {ends}{harm}", fate, ("retreat",))
    if advances:
        rules = ", ".join(dict.fromkeys(record.rule for record, _ in fate.ahead if record.rule))
        yield _with_rule(f"may advance to {' or '.join(name(n) for n in advances)}", rules)


def _with_effect_rules(text: str, fate: UnitOutcome, effects: Sequence[str]) -> str:
    """Add the rules of the records to a text about an effect."""
    rules = dict.fromkeys(record.rule for record in fate.records if record.rule and _does(record, effects))
    return _with_rule(text, ", ".join(rules))


def _does(record: ResultRule, effects: Sequence[str]) -> bool:
    return any(getattr(record, effect) not in (None, False, "") for effect in effects)


def _with_rule(text: str, rule: str) -> str:
    return f"{text} ({rule})" if rule else text


# --- what if, and the best plan ---------------------------------------------------------------------------------------

WORTH = (
    TableColumn("column", "column"),
    TableColumn("die", "die"),
    TableColumn("hex_falls", "falls"),
    TableColumn("attacker_steps", "attackers lose"),
    TableColumn("defender_steps", "defenders lose"),
)


def _what_if(battle: Battle) -> RowTable:
    rows: list[dict[str, Cell]] = [{"change": "unchanged", **_worth(prospect(battle))}]
    rows += [{"change": text, **_worth(new_prospect)} for text, new_prospect in changes(battle)]
    return RowTable("what_if", (TableColumn("change", "what if"), *WORTH), rows, "What if")


def _worth(prospect: Prospect) -> dict[str, Cell]:
    column = prospect.odds.column if prospect.odds.column is not None else "no attack"
    column = "not allowed" if prospect.odds.violations else column
    return {
        "column": column,
        "die": prospect.odds.die,
        "hex_falls": Chance(prospect.falls),
        "attacker_steps": prospect.attacker_steps,
        "defender_steps": prospect.defender_steps,
    }


def _plan(field: Field, key: str, inputs: Mapping[str, Any], battle_inputs: BattleInputs) -> Iterator[Node]:
    """Yield the best distribution of attackers among the places."""
    if field.game.attacks[key].per_defender or not field.program.rules.results:
        raise BadQuestion(
            "the best plan needs an attack of one die roll with declared results; add `rules.results` (docs/rules.md)"
        )
    name = field.map_index.title
    targets = list(dict.fromkeys(asked_place(field.map_index, place, "at") for place in inputs["at"]))
    sources = [asked_place(field.map_index, place, "from") for place in inputs.get("from", ())]
    defending_sides = {occupant.side for n in targets for occupant in field.by_place.get(n, ())}
    side = inputs.get("side") or next((candidate for candidate in field.sides if candidate not in defending_sides), "")
    units_by_target = {
        n: [unit for unit in units if not sources or unit.place in sources]
        for n, units in possible(field, side).items()
        if n in targets
    }
    if not any(units_by_target.values()):
        raise BadQuestion(
            f"no unit may attack {' or '.join(map(name, targets))}; name other places with at=PLACE,PLACE"
        )
    plan = Planner(field, key, side, units_by_target, inputs.get("aim", "steps"), battle_inputs).plan()
    aim = "enemy steps lost minus own steps lost" if inputs.get("aim", "steps") == "steps" else "captured places"
    yield Value("aim", inputs.get("aim", "steps"), for_people=False)
    yield Value("worth", plan.worth, f"Best on average ({aim})")
    yield Value("is_best", plan.sure, "This is the best possible plan", for_people=not plan.sure)
    rows: list[dict[str, Cell]] = [
        {"place": field.place(n), "units": [unit.ref for unit in units], **_worth(prospect)}
        for n, (units, prospect) in plan.attacks.items()
    ]
    yield RowTable("attacks", (TableColumn("place", "at"), TableColumn("units", "by"), *WORTH), rows)
    yield Value("not_needed", [unit.ref for unit in plan.idle], "Not needed", for_people=bool(plan.idle))

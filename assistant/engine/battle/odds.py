"""The odds of an attack that is read from the map: the effect of each result, useful changes, the best plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from assistant.attack import Fields, Odds
from assistant.attack_nodes import meanings, odds_nodes
from assistant.engine.battle.battle import Battle, BattleInputs, assume_readings, battle_of, by_others, read_battle
from assistant.engine.battle.plans import Planner
from assistant.engine.battle.requirements import is_of_unit, possible, resolve_attack, unmet
from assistant.engine.battle.results import ROLES, Consequence, Role, UnitOutcome
from assistant.engine.battle.what_if import (
    Prospect,
    adjacent_columns,
    changes,
    has_declared_results,
    next_column,
    prospect,
    results_apply,
)
from assistant.engine.field import Field
from assistant.engine.question_field import asked_field, asked_place, asked_units, name_chosen
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
    Unofficial,
    Value,
    chances_cell,
    remark,
    rule_text,
)
from assistant.questions.rendering import format_cell
from assistant.unofficial import modifier_sources, shown_source, unofficial_addresses
from scenarios.expressions import names
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.model.scenario import Scenario
from scenarios.model.sources import Source
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
    battle, left_out = _without_unable(read_battle(field, key, question_inputs, other_groups, inputs), question_inputs)
    if has_declared_results(game, key) and not battle.defenders:
        place_names = " or ".join(field.map_index.title(n) for n in battle.targets)
        raise BadQuestion(f"no enemy is in {place_names}, so there is nothing to attack")
    assume_readings(question_inputs, battle)
    name_chosen(question_inputs, (*battle.attackers, *battle.defenders))
    nodes = [*battle_nodes(battle), *left_out, *outcome_nodes(battle, bool(question_inputs.get("what_if")))]
    return Answer("odds", game.id, nodes)


def _without_unable(battle: Battle, question_inputs: Mapping[str, Any]) -> tuple[Battle, list[Node]]:
    """Leave out units that may not attack the places, where the question names places and not units, and other units
    may attack."""
    if question_inputs.get(battle.field.game.attacks[battle.attack].attackers):
        return battle, []
    demands = {
        unit: unmet(battle.field, unit, battle.targets, battle.attack, battle.inputs) for unit in battle.attackers
    }
    able = [unit for unit, refusals in demands.items() if not refusals]
    # Where nobody may attack, the answer is about those who could attack another place.
    able = able or [
        unit for unit, refusals in demands.items() if not any(is_of_unit(battle.field, refusal) for refusal in refusals)
    ]
    if not able or len(able) == len(demands):
        return battle, []
    nodes: list[Node] = [
        Sentence(f"{unit.name} doesn't attack: {refusals[0].text}", refusals[0].rule)
        for unit, refusals in demands.items()
        if unit not in able
    ]
    return by_others(battle, able), nodes


def outcome_nodes(battle: Battle, with_what_if: bool) -> list[Node]:
    """Return the odds of a battle, what each result does, and with `with_what_if` useful changes."""
    game, key = battle.field.game, battle.attack
    odds = resolve_attack(battle)
    has_results = results_apply(battle) and odds.column is not None
    nodes = odds_nodes(game, odds, chances=not has_results)
    if has_results:
        nodes += _results(battle, odds)
    if with_what_if:
        points_needed = next_column(game.tables[game.attacks[key].table], odds)
        nodes.append(
            Value(
                "next_column",
                points_needed,
                "More strength points for the next column",
                for_people=points_needed is not None,
            )
        )
        nodes.append(_what_if(battle, odds))
    return [*nodes, Unofficial(unofficial_numbers(battle, odds, has_results))]


def unofficial_numbers(battle: Battle, odds: Odds, has_results: bool) -> dict[str, str]:
    """Return the overlay entries of the unofficial numbers behind an attack: factors and steps of the units, the
    column of the table, and the modifiers."""
    game = battle.field.game
    attack = game.attacks[battle.attack]
    sources: dict[str, Source | None] = {}
    for group, units in ((attack.attackers, battle.attackers), (attack.defenders, battle.defenders)):
        strength = attack.groups[group].strength if group else None
        factors = sorted(names(strength.expression) & game.factors.keys()) if strength is not None else []
        factors += ["steps"] if has_results else []
        for factor in factors:
            sources |= dict(shown_source(unit.counter, factor, unit.shows_back) for unit in units)
    table = game.tables[attack.table]
    cells = [(attack.table, row, odds.column) for row in table.cells] if odds.column is not None else []
    sources |= modifier_sources(game, battle.attack, odds.modifiers)
    return unofficial_addresses(game, cells=cells, other_sources=sources)


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
    usual = {name: shape.usual for name, shape in field.game.attacks[battle.attack].inputs.items()}
    read = [
        f"{reading.title}: {format_cell(reading.value)}"
        for reading in battle.readings
        # A flag that isn't set and a number as usual are no news.
        if reading.method == "read" and (isinstance(reading.value, str) or reading.value != usual.get(reading.name))
    ]
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
    whole = prospect(battle, odds, one_by_one=False)
    yield Chances("chances", odds.chances, meanings=meanings(table))
    yield Sections(
        "results", [_consequence(battle, whole, consequence) for consequence in whole.results], "What happens"
    )
    yield Value("hex_falls", Chance(whole.falls), "The place is captured")
    if has_advances(battle.field):
        yield Value("hex_taken", Chance(whole.advance_chance), "A unit may advance into it")
    yield Value("attacker_steps", whole.attacker_steps, "Average steps lost by the attackers")
    yield Value("defender_steps", whole.defender_steps, "The defenders")
    spread = {f"{role}_steps": _spread(whole, role) for role in ROLES}
    yield Value("spread", {key: chances_cell(chances) for key, chances in spread.items()}, for_people=False)


def _spread(whole: Prospect, role: Role) -> dict[Fraction, Fraction]:
    """Return the chance of each number of steps that a group loses."""
    chances: dict[Fraction, Fraction] = {}
    for result in whole.results:
        steps = Fraction(result.steps(role))
        chances[steps] = chances.get(steps, Fraction(0)) + result.chance
    return dict(sorted(chances.items()))


def has_advances(field: Field) -> bool:
    """Whether a record of the results lets units advance."""
    return any(record.advance for records in field.program.rules.results.values() for record in records)


def _consequence(battle: Battle, whole: Prospect, consequence: Consequence) -> Section:
    """Return a result: a line for each unit that it affects."""
    field = battle.field
    results = field.game.tables[field.game.attacks[battle.attack].table].results
    effects = results[consequence.code].effects if consequence.code in results else {}
    rows = [_fate(field, consequence, fate) for fate in consequence.fates if fate.records or consequence.advances(fate)]
    columns = [TableColumn("name", "unit"), TableColumn("said", "what", for_programs=False)]
    nodes: list[Node] = [
        Value("result", consequence.code, for_people=False),
        Value("chance", Chance(consequence.chance), for_people=False),
        Value("effects", dict(effects), for_people=False),
        Value("hex_falls", consequence.falls, for_people=False),
        RowTable("units", columns, rows, heads=False),
    ]
    if has_advances(field):
        nodes.append(Value("hex_taken", whole.is_taken(consequence), for_people=False))
    nodes += _crowding(consequence)
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


def _crowding(consequence: Consequence) -> Iterator[Node]:
    """Yield which groups can't all retreat to one place, and where a better plan may exist."""
    for key, groups in (
        ("crowded_groups", [role for role in ROLES if consequence.share_of(role).is_crowded]),
        ("uncertain_groups", [role for role in ROLES if not consequence.share_of(role).sure]),
    ):
        yield Value(key, [f"{role}s" for role in groups], for_people=False)
    for role in ROLES:
        share = consequence.share_of(role)
        if share.is_crowded:
            hint = "" if share.sure else "; there may be a better plan"
            yield Sentence(f"the {role}s can't all retreat to one place{hint}", for_programs=False)


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
        row["harm"] = fate.steps - fate.steps_lost
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
    elif retreat_result is None and fate.retreat is not None:
        distance = count_text(fate.retreat[0], field.map_index.place_noun)
        yield _with_effect_rules(f"retreats {distance}", fate, ("retreat",))
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
    return f"{text} ({rule_text(rule)})" if rule else text


# --- what if, and the best plan ---------------------------------------------------------------------------------------

WORTH = (
    TableColumn("column", "column"),
    TableColumn("die", "die"),
    TableColumn("hex_falls", "falls"),
    TableColumn("hex_taken", "taken"),
    TableColumn("attacker_steps", "attackers lose"),
    TableColumn("defender_steps", "defenders lose"),
)
CHANCES = (TableColumn("column", "column"), TableColumn("die", "die"), TableColumn("chances", "chances"))
"""Where the pack doesn't say what results do to units."""


def _what_if(battle: Battle, odds: Odds) -> RowTable:
    one_by_one = not has_advances(battle.field)
    base = prospect(battle, odds, one_by_one=one_by_one)
    rows: list[dict[str, Cell]] = [{"change": "unchanged", **_worth(battle.field, base)}]
    rows += [
        {"change": text, **_worth(battle.field, new_prospect)}
        for text, new_prospect in changes(battle, one_by_one=one_by_one)
    ]
    neighbours = adjacent_columns(battle, odds, one_by_one=one_by_one) if base.results_apply else ()
    rows += [
        {"change": text, **_worth(battle.field, new_prospect), "column": column}
        for text, column, new_prospect in neighbours
    ]
    columns = _worth_columns(battle.field) if base.results_apply else CHANCES
    return RowTable("what_if", (TableColumn("change", "what if"), *columns), rows, "What if")


def _worth_columns(field: Field) -> tuple[TableColumn, ...]:
    return WORTH if has_advances(field) else tuple(column for column in WORTH if column.key != "hex_taken")


def _worth(field: Field, prospect: Prospect) -> dict[str, Cell]:
    if not prospect.results_apply:
        odds = prospect.odds
        column = "not allowed" if odds.violations else odds.column or "no attack"
        return {"column": column, "die": odds.die, "chances": chances_cell(odds.chances)}
    taken: dict[str, Cell] = {"hex_taken": Chance(prospect.advance_chance)} if has_advances(field) else {}
    column = prospect.odds.column if prospect.odds.column is not None else "no attack"
    column = "not allowed" if prospect.odds.violations else column
    return {
        "column": column,
        "die": prospect.odds.die,
        "hex_falls": Chance(prospect.falls),
        **taken,
        "attacker_steps": prospect.attacker_steps,
        "defender_steps": prospect.defender_steps,
    }


def _plan(field: Field, key: str, inputs: Mapping[str, Any], battle_inputs: BattleInputs) -> Iterator[Node]:
    """Yield the best distribution of attackers among the places."""
    if not has_declared_results(field.game, key):
        raise BadQuestion(
            "the best plan needs an attack of one die roll with declared results; add `rules.results` (docs/rules.md)"
        )
    name = field.map_index.title
    targets = list(dict.fromkeys(asked_place(field.map_index, place, "at") for place in inputs["at"]))
    sources = [asked_place(field.map_index, place, "from") for place in inputs.get("from", ())]
    chosen = asked_units(field, inputs.get(field.game.attacks[key].attackers, ()))
    defending_sides = {occupant.side for n in targets for occupant in field.by_place.get(n, ())}
    side = (
        inputs.get("side")
        or (chosen[0].side if chosen else "")
        or next((candidate for candidate in field.sides if candidate not in defending_sides), "")
    )
    units_by_target = {
        n: [unit for unit in units if (not sources or unit.place in sources) and (not chosen or unit in chosen)]
        for n, units in possible(field, side, key).items()
        if n in targets
    }
    if not any(units_by_target.values()):
        raise BadQuestion(
            f"no unit may attack {' or '.join(map(name, targets))}; name other places with at=PLACE,PLACE"
        )
    price = inputs.get("price")
    plan = Planner(field, key, side, units_by_target, inputs.get("aim", "steps"), battle_inputs, price).plan()
    own = "" if price == 0 else "own steps lost" if price is None else f"{price} for each own step lost"
    if inputs.get("aim", "steps") == "steps":
        aim = f"enemy steps lost{' minus ' * bool(own)}{own}"
    else:
        aim = f"captured places{f' minus {own}' if own and price is not None else ''}"
    yield Value("aim", inputs.get("aim", "steps"), for_people=False)
    yield Value("worth", plan.worth, f"Best on average ({aim})")
    yield Value("is_best", plan.sure, "This is the best possible plan", for_people=not plan.sure)
    rows: list[dict[str, Cell]] = [
        {"place": field.place(n), "units": [unit.ref for unit in units], **_worth(field, prospect)}
        for n, (units, prospect) in plan.attacks.items()
    ]
    columns = (TableColumn("place", "at"), TableColumn("units", "by"), *_worth_columns(field))
    yield RowTable("attacks", columns, rows)
    yield Value("not_needed", [unit.ref for unit in plan.idle], "Not needed", for_people=bool(plan.idle))
    unofficial: dict[str, str] = {}
    for n, (units, outlook) in plan.attacks.items():
        defenders = [defender for defender in field.by_place[n] if defender.side != side]
        battle = battle_of(
            field, key, side, (n,), [unit for unit in units if unit in field.units_of(side)], defenders, battle_inputs
        )
        unofficial |= unofficial_numbers(battle, outlook.odds, True)
    yield Unofficial(unofficial)

"""The odds of an attack that is read from the map: what each result does, what would change it, the best plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from assistant.answers import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    Column,
    Line,
    Node,
    Section,
    Several,
    Table,
    Value,
    said,
)
from assistant.attack import Answer as Odds
from assistant.attack import Fields
from assistant.odds import meanings, odds_nodes
from assistant.rendering import shown
from assistant.rules.attacking import fought, possible
from assistant.rules.battle import Battle, Told, assume_readings, read_battle
from assistant.rules.field import Field
from assistant.rules.placed import asked_field, asked_place, name_chosen
from assistant.rules.plans import Planner
from assistant.rules.results import Consequence, Fate, consequences
from assistant.rules.whatif import Prospect, changes, next_column, prospect
from scenarios.game import Game
from scenarios.rules.shapes import ResultRule
from scenarios.scenario import Scenario


def placed_answer(
    game: Game, key: str, told: Mapping[str, Any], others: Mapping[str, Sequence[Fields]], inputs: Fields
) -> Answer:
    """An attack that is read from the map."""
    field = asked_field(game, told)
    if told.get("best"):
        return Answer("odds", game.id, list(_plan(field, key, told, Told(inputs, {}, others))))
    battle = read_battle(field, key, told, others, inputs)
    assume_readings(told, battle)
    name_chosen(told, (*battle.attackers, *battle.defenders))
    odds = fought(battle)
    declared = bool(field.program.rules.results) and not game.attacks[key].each and odds.column is not None
    nodes = [*battle_nodes(battle), *odds_nodes(game, odds, chances=not declared)]
    if declared:
        nodes += _results(battle, odds)
    if told.get("what_if"):
        more = next_column(game.tables[game.attacks[key].table], odds)
        nodes.append(
            Value("next_column", more, "Points more that would start a column further right", shown=more is not None)
        )
        nodes.append(_what_if(battle))
    return Answer("odds", game.id, nodes)


def battle_nodes(battle: Battle) -> list[Node]:
    """Who attacks from where, and what the map tells; what it doesn't tell is named."""
    field = battle.field
    # Names of points have spaces in them.
    comma = ", " if any(" " in field.kinds.title(n) for n in (*battle.sources, *battle.targets)) else " "
    sources: list[Any] = [part for n in battle.sources for part in (field.place(n), comma)]
    targets: list[Any] = [part for n in battle.targets for part in (comma, field.place(n))]
    nodes: list[Node] = [
        Value("attack", battle.attack, shown=False),
        Value("side", battle.side, shown=False),
        said(
            (f"{side_names(field.game, field.scenario)[battle.side]} from ", *sources[:-1], " against ", *targets[1:])
        ),
        Value("sources", [field.place(n) for n in battle.sources], shown=False),
        Value("at", [field.place(n) for n in battle.targets], shown=False),
        Value("inputs", {one.name: one.value for one in battle.readings}, shown=False),
    ]
    read = [f"{one.title}: {shown(one.value)}" for one in battle.readings if one.how == "read"]
    if read:
        nodes.append(said(f"The map tells: {'; '.join(read)}"))
    if battle.by_place:
        nodes += _by_place(battle)
    return nodes


def _by_place(battle: Battle) -> Iterator[Node]:
    """What isn't the same in all places attacked: each defender is judged by its own, the battle as a whole by the first."""
    field, titles = battle.field, {reading.name: reading.title for reading in battle.readings}
    for name in next(iter(battle.by_place.values())):
        values = [f"{shown(found[name])} in {field.kinds.title(n)}" for n, found in battle.by_place.items()]
        whole = shown(battle.inputs[name])
        yield said(
            f"{titles[name]}: {', '.join(values)}; each defender is judged in its own place, what changes the whole attack "
            f"counts as {whole}"
        )
    rows: list[dict[str, Cell]] = [
        {"place": field.place(n), "inputs": dict(found)} for n, found in battle.by_place.items()
    ]
    yield Value("by_place", rows, shown=False)


def side_names(game: Game, scenario: Scenario | None) -> dict[str, str]:
    """The names of the sides, as a scenario has them."""
    return {key: side.name for key, side in (game.sides_in(scenario) if scenario else game.sides).items()}


# --- what each result does --------------------------------------------------------------------------------------------


def _results(battle: Battle, odds: Odds) -> Iterator[Node]:
    game = battle.field.game
    table = game.tables[game.attacks[battle.attack].table]
    found = consequences(battle, odds)
    yield Chances("chances", odds.chances, meanings=meanings(table))
    yield Several("results", [_consequence(battle.field, one) for one in found], "What happens")
    falls = sum((one.chance for one in found if one.falls), Fraction(0))
    yield Value("hex_falls", Chance(falls), "The place falls")
    for role, title in (("attacker", "Steps the attackers lose on average"), ("defender", "The defenders")):
        yield Value(f"{role}_steps", sum((one.chance * one.steps(role) for one in found), Fraction(0)), title)  # type: ignore[arg-type]


def _consequence(field: Field, found: Consequence) -> Section:
    """A result: a line for each unit that something happens to."""
    rows = [_fate(field, found, fate) for fate in found.fates if fate.records or found.advances(fate)]
    columns = [Column("name", "unit"), Column("said", "what", told=False)]
    nodes: list[Node] = [
        Value("result", found.code, shown=False),
        Value("chance", Chance(found.chance), shown=False),
        Value("hex_falls", found.falls, shown=False),
        Table("units", columns, rows, heads=False),
    ]
    for record, who, equals, most in found.choices:
        others = f" (or {' or '.join(unit.name for unit in equals)})" if equals else ""
        whom = f"which {'one' if most == 1 else most} of them may advance" if record.advance else "who"
        nodes.append(Line(f"the {who} chooses {whom}: {record.text}{others}", record.rule))
    what = "" if rows else ": nothing"
    return Section(nodes, f"{found.code} {Chance(found.chance)}{', the place falls' if found.falls else ''}{what}")


def _fate(field: Field, found: Consequence, fate: Fate) -> dict[str, Cell]:
    back, advances = fate.back, found.advances(fate)
    records = [*fate.records, *(record for record, _ in fate.ahead if advances)]
    row: dict[str, Cell] = {
        "unit": fate.standing.counter,
        "name": fate.standing.name,
        "role": fate.role,
        "steps": fate.steps,
        "eliminated": fate.gone,
        "states": sorted(fate.states - fate.standing.piece.states),
        "clears": sorted(fate.standing.piece.states - fate.states),
        "rule": ", ".join(dict.fromkeys(record.rule for record in records if record.rule)),
    }
    if fate.stopped:
        row["stops"] = True
    if back is not None:
        row["retreat"] = fate.retreat[0] if fate.retreat else 0
        row["ends"] = [field.place(n) for n in _ends(fate)]
    if advances:
        row["advances"] = [field.place(n) for n in advances]
    return {**row, "said": "; ".join(_said(field, fate, advances))}


def _ends(fate: Fate) -> list[int]:
    return (
        list(dict.fromkeys(way.end for ways in fate.back.ways.values() for way in ways))
        if fate.back is not None
        else []
    )


def _said(field: Field, fate: Fate, advances: Sequence[int]) -> Iterator[str]:
    name, states = field.kinds.title, field.game.states
    if not fate.left:
        yield _ruled("gone", fate, ("lose", "eliminate", "exchange"))
        return
    if fate.lost:
        yield _ruled(f"loses {fate.lost} step{'s' * (fate.lost > 1)}", fate, ("lose",))
    for state in sorted(fate.states - fate.standing.piece.states):
        yield _ruled(states[state].name.lower(), fate, ("set",))
    for state in sorted(fate.standing.piece.states - fate.states):
        yield _ruled(f"no longer {states[state].name.lower()}", fate, ("clear",))
    if fate.stopped:
        yield _ruled("stops", fate, ("stop",))
    back = fate.back
    if back is not None and back.fate is not None:
        yield f"{'stays' if back.fate.stay else 'is lost'}: {_cited(back.fate.text, back.fate.rule)}"
    elif back is not None and not any(back.ways.values()):
        none = back.none
        text = _cited(none.text, none.rule) if none is not None else "no way back"
        yield f"{text}: {'gone' if fate.no_way else f'loses {none.lose}' if none is not None else ''}"
    elif back is not None and fate.retreat is not None:
        if back.choice is not None:
            yield f"may stay: {_cited(back.choice.text, back.choice.rule)}"
        harm = f", losing {back.harm} more" if back.harm else ""
        yield _ruled(
            f"goes back {fate.retreat[0]} to {' or '.join(name(n) for n in _ends(fate))}{harm}", fate, ("retreat",)
        )
    if advances:
        rules = ", ".join(dict.fromkeys(record.rule for record, _ in fate.ahead if record.rule))
        yield _cited(f"may advance to {' or '.join(name(n) for n in advances)}", rules)


def _ruled(text: str, fate: Fate, effects: Sequence[str]) -> str:
    """What happens, with the rules of the records that do it."""
    rules = dict.fromkeys(record.rule for record in fate.records if record.rule and _does(record, effects))
    return _cited(text, ", ".join(rules))


def _does(record: ResultRule, effects: Sequence[str]) -> bool:
    return any(getattr(record, effect) not in (None, False, "") for effect in effects)


def _cited(text: str, rule: str) -> str:
    return f"{text} ({rule})" if rule else text


# --- what if, and the best plan ---------------------------------------------------------------------------------------

WORTH = (
    Column("column", "column"), Column("die", "die"), Column("hex_falls", "falls"), Column("attacker_steps", "attackers lose"),
    Column("defender_steps", "defenders lose"),
)  # fmt: skip


def _what_if(battle: Battle) -> Table:
    rows: list[dict[str, Cell]] = [{"change": "as it is", **_worth(prospect(battle))}]
    rows += [{"change": text, **_worth(found)} for text, found in changes(battle)]
    return Table("what_if", (Column("change", "what if"), *WORTH), rows, "What if")


def _worth(found: Prospect) -> dict[str, Cell]:
    column = found.odds.column if found.odds.column is not None else "no attack"
    column = "not allowed" if found.odds.refused else column
    return {
        "column": column,
        "die": found.odds.die,
        "hex_falls": Chance(found.falls),
        "attacker_steps": found.attacker_steps,
        "defender_steps": found.defender_steps,
    }


def _plan(field: Field, key: str, told: Mapping[str, Any], rest: Told) -> Iterator[Node]:
    """Who attacks which of the places, in the best way."""
    if field.game.attacks[key].each or not field.program.rules.results:
        raise BadQuestion(
            "the best way is known where one throw decides and results are declared; add `rules.results` (docs/rules.md)"
        )
    name = field.kinds.title
    targets = list(dict.fromkeys(asked_place(field.kinds, place, "at") for place in told["at"]))
    sources = [asked_place(field.kinds, place, "from") for place in told.get("from", ())]
    held = {standing.side for n in targets for standing in field.by_place.get(n, ())}
    side = told.get("side") or next((one for one in field.sides if one not in held), "")
    able = {
        n: [unit for unit in units if not sources or unit.at in sources]
        for n, units in possible(field, side).items()
        if n in targets
    }
    if not any(able.values()):
        raise BadQuestion(f"nobody may attack {' or '.join(map(name, targets))}; name other places with at=PLACE,PLACE")
    plan = Planner(field, key, side, able, told.get("aim", "steps"), rest).plan()
    aim = "steps that the enemy loses more" if told.get("aim", "steps") == "steps" else "places that fall"
    yield Value("aim", told.get("aim", "steps"), shown=False)
    yield Value("worth", plan.worth, f"Best on average ({aim})")
    yield Value("sure", plan.sure, "No plan is better", shown=not plan.sure)
    rows: list[dict[str, Cell]] = [
        {"place": field.place(n), "units": [unit.counter for unit in units], **_worth(found)}
        for n, (units, found) in plan.attacks.items()
    ]
    yield Table("attacks", (Column("place", "at"), Column("units", "by"), *WORTH), rows)
    yield Value("idle", [unit.counter for unit in plan.idle], "Not needed", shown=bool(plan.idle))

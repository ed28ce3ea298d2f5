"""A scenario as its card: length, morale, forces with the place and time of their arrival, special rules, victory.
The question is `scenario`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from assistant.questions.answer import (
    Answer,
    Cell,
    Node,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Value,
    remark,
)
from assistant.questions.question import Input, Inputs, Question
from assistant.setup_check import fault_nodes, faults
from scenarios.areas.wording import AreaDescriber, entry_words
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.model.scenario import Entry, Force, Group, Scenario, Support, Victory, labelled_name
from scenarios.model.sources import Source
from scenarios.opening_positions import open_position
from scenarios.unit_view import nation_adjective, printed_name


def _scenario(game: Game, inputs: Inputs) -> Answer:
    if "scenario" not in inputs:
        titles = {key: scenario.title for key, scenario in game.scenarios.items()}
        rows: list[dict[str, Cell]] = [{"scenario": key, "title": title} for key, title in titles.items()]
        scenario_table = RowTable(
            "scenarios",
            [TableColumn("scenario", "scenario"), TableColumn("title", "title")],
            rows,
            heads=False,
            for_programs=False,
        )
        return Answer("scenario", game.id, [scenario_table, Value("scenarios", titles, for_people=False)])
    key = inputs["scenario"]
    scenario = game.scenarios[key]
    if "check" in inputs:
        position = inputs["check"]
        if isinstance(position, Path):
            position = open_position(game, position)
        wrong = list(faults(game, key, position))
        return Answer(
            "scenario",
            game.id,
            [Value("scenario", key, for_people=False), *fault_nodes(game, key, wrong)],
            is_failure=bool(wrong),
        )
    number = f"{key} " if any(letter.isdigit() for letter in key) else ""  # an id such as `standard` isn't a number
    head = f"{number}{scenario.title}" + f", {scenario.date}" * bool(scenario.date)
    return Answer("scenario", game.id, [Section(list(_card(game, key, scenario)), head)])


def _card(game: Game, key: str, scenario: Scenario) -> Iterator[Node]:
    place_namer, sides = AreaDescriber(game, key), game.sides_in(scenario)
    json_values: dict[str, Cell] = {
        "scenario": key,
        "title": scenario.title,
        "date": scenario.date,
        "year": scenario.year,
        "rules_level": scenario.level,
        "summary": scenario.summary,
        "moves_first": scenario.first,
        "sets_up_first": scenario.sets_up_first,
        "morale": dict(scenario.morale),
        "map": scenario.map,
    }
    yield from (
        Value(name, value, for_people=False) for name, value in json_values.items() if value or name == "scenario"
    )
    if scenario.summary:
        yield remark(scenario.summary)
    if scenario.turns:
        count = scenario.turns.last - scenario.turns.first + 1
        first = f"; first player: {sides[scenario.first].name}" if scenario.first in sides else ""
        yield remark(f"{count_text(count, 'turn')}{first}" + f"; {scenario.turns.note}" * bool(scenario.turns.note))
        yield Value(
            "turns",
            {"first": scenario.turns.first, "last": scenario.turns.last, "note": scenario.turns.note},
            for_people=False,
        )
    if scenario.sets_up_first in sides:
        yield remark(f"first to set up: {sides[scenario.sets_up_first].name}")
    if scenario.arrangement:
        rows = " / ".join(" ".join(row) for row in scenario.arrangement.boards)
        yield remark(f"boards {rows}, north {scenario.arrangement.north}")
        yield Value("boards", [list(row) for row in scenario.arrangement.boards], for_people=False)
    yield Sections(
        "sides", [_side(game, place_namer, scenario, side, force) for side, force in scenario.forces.items()]
    )
    if scenario.special:
        yield Section(
            [Sentence(special.text, _rule(special.source), "special") for special in scenario.special], "Special rules"
        )
    if scenario.victory:
        yield Section([_victory(game, scenario)], "Victory")
    yield from (Sentence(note, key="notes") for note in scenario.notes)


def _rule(source: Source | None) -> str:
    """Return the section of the rulebook that a line comes from."""
    return source.note if source is not None and source.word == "rulebook" else ""


def _side(game: Game, place_namer: AreaDescriber, scenario: Scenario, side: str, force: Force) -> Section:
    """Return a side: its morale, its groups with their set-up or entry, its support off the map."""
    shape = game.sides_in(scenario)[side]
    nations = shape.nations or tuple(key for key, nation in game.nations.items() if nation.side == side)
    morale = {nation: scenario.morale[nation] for nation in nations if nation in scenario.morale}
    nodes: list[Node] = [Value("side", side, for_people=False), Value("name", shape.name, for_people=False)]
    if morale:
        morale_text = ", ".join(
            f"{_nation(game, nation)} {level}" if len(morale) > 1 else level for nation, level in morale.items()
        )
        nodes.append(remark(f"Morale: {morale_text}"))
    groups = sorted(enumerate(force.groups, 1), key=lambda numbered_group: numbered_group[1].order)
    nodes.append(Sections("groups", [_group(game, place_namer, number, group) for number, group in groups]))
    nodes.append(
        RowTable(
            "support",
            [TableColumn("said", "support", for_programs=False)],
            [_support(support) for support in force.support],
            heads=False,
        )
    )
    return Section(nodes, shape.name)


def _nation(game: Game, nation: str) -> str:
    return nation_adjective(game, nation) or nation


def _group(game: Game, place_namer: AreaDescriber, number: int, group: Group) -> Section:
    """Return one group as a line: its name, its place or the time and place of its entry, its pieces."""
    name = (
        labelled_name(group, group.name or group.formation or (group.id.replace("_", " ") if len(group.id) > 2 else ""))
        or f"Group {number}"
    )
    pieces: Mapping[str, int] = {**group.units, **group.markers}
    pieces_text = ", ".join(
        f"{count} x {printed_name(game, piece)}" if count > 1 else printed_name(game, piece)
        for piece, count in pieces.items()
    )
    set_up = place_namer.words(group.at) if group.at else ""
    entry = _entry(place_namer, group.enters) if group.enters else ""
    states = ", ".join(game.states[state].name.lower() for state in group.states)
    losses = f"{count_text(group.steps_lost, 'step')} lost" if group.steps_lost else ""
    extra = f"only with {group.only_with}" if group.only_with else ""
    about = "; ".join(part for part in (set_up, entry, states, losses, extra) if part)
    note = f" ({group.note})" if group.note else ""
    json_values: dict[str, Cell] = {
        "group": group.id or str(number),
        "name": name,
        "nation": group.nation,
        "order": group.order,
        "units": dict(group.units),
        "markers": dict(group.markers),
        "set_up": set_up,
        "entry": _entry_value(group.enters, entry),
        "states": list(group.states),
        "steps_lost": group.steps_lost,
        "only_with": group.only_with,
        "note": group.note,
        "rule": _rule(group.source),
    }
    values: list[Node] = [Value(key, value, for_people=False) for key, value in json_values.items() if value]
    return Section(values, name + f", {about}" * bool(about) + f": {pieces_text}{note}")


def _entry(place_namer: AreaDescriber, entry: Entry) -> str:
    one_turn_note = ", all on one turn" if entry.together else ""
    return f"enters on {entry_words(place_namer, entry)}{one_turn_note}" + f", if {entry.condition}" * bool(
        entry.condition
    )


def _entry_value(entry: Entry | None, words: str) -> Cell:
    if entry is None:
        return None
    return {
        "turn": entry.turn,
        "until": entry.until,
        "together": entry.together,
        "condition": entry.condition,
        "instead": [{"turn": way.turn, "until": way.until} for way in entry.instead],
        "text": words,
    }


def _support(support: Support) -> dict[str, Cell]:
    strength = f", {support.strength} {support.weapon} each" if support.strength is not None else ""
    note = f" ({support.note})" if support.note else ""
    return {
        "kind": support.kind,
        "name": support.name,
        "count": support.count,
        "strength": support.strength,
        "weapon": support.weapon,
        "note": support.note,
        "said": f"{support.count} {support.name}{strength}{note}",
    }


def _victory(game: Game, scenario: Scenario) -> RowTable:
    sides = game.sides_in(scenario)
    rows: list[dict[str, Cell]] = []
    for line in scenario.victory:
        sentence = f"{sides[line.side].name}, {_worth(line)}: {line.text}"
        rows.append(
            {
                "side": line.side,
                "points": line.points,
                "wins": line.wins,
                "per": line.per,
                "event": line.event,
                "text": line.text,
                "condition": line.condition,
                "rule": _rule(line.source),
                "said": sentence,
            }
        )
    return RowTable("victory", [TableColumn("said", "victory", for_programs=False)], rows, heads=False)


def _worth(victory: Victory) -> str:
    """Return what a victory line gives."""
    if victory.points is None:
        return "wins"
    per = "" if victory.per in ("once", "other") else f" a {victory.per}"
    return f"{count_text(victory.points, 'point')}{per}"


CHECK = Input(name="check", about="a position or save: check whether it is a legal set-up", kind="position")
SCENARIO = Question(
    name="scenario",
    about="a scenario's length, morale, set-up, entry, special rules and victory; without a scenario, a list of them",
    inputs=(Input(name="scenario", about="which scenario", kind="choice", vocabulary="scenario"), CHECK),
    answer=_scenario,
    positional=("scenario",),
)

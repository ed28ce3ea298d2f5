"""A scenario as its card: length, morale, forces with where and when they come, special rules, victory. The question is `scenario`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from assistant.answers import Answer, Cell, Column, Line, Node, Section, Several, Table, Value, said
from assistant.questions import Input, Question, Told
from scenarios.display_names import nation_adjective
from scenarios.game import Game
from scenarios.opening import open_position
from scenarios.scenario import Entry, Force, Group, Scenario, Support, Victory, lettered
from scenarios.sources import Source
from scenarios.where import Where, entry_words


def _scenario(game: Game, told: Told) -> Answer:
    if "scenario" not in told:
        titles = {key: scenario.title for key, scenario in game.scenarios.items()}
        rows: list[dict[str, Cell]] = [{"scenario": key, "title": title} for key, title in titles.items()]
        listed = Table(
            "scenarios", [Column("scenario", "scenario"), Column("title", "title")], rows, heads=False, told=False
        )
        return Answer("scenario", game.id, [listed, Value("scenarios", titles, shown=False)])
    key = told["scenario"]
    scenario = game.scenarios[key]
    if "check" in told:
        from assistant.setup import fault_nodes, faults

        position = told["check"]
        if isinstance(position, Path):
            position = open_position(game, position)
        wrong = list(faults(game, key, position))
        return Answer(
            "scenario",
            game.id,
            [Value("scenario", key, shown=False), *fault_nodes(game, key, wrong)],
            failed=bool(wrong),
        )
    number = f"{key} " if any(letter.isdigit() for letter in key) else ""  # an id such as `standard` is no number
    head = f"{number}{scenario.title}" + f", {scenario.date}" * bool(scenario.date)
    return Answer("scenario", game.id, [Section(list(_card(game, key, scenario)), head)])


def _card(game: Game, key: str, scenario: Scenario) -> Iterator[Node]:
    where, sides = Where(game, key), game.sides_in(scenario)
    hidden: dict[str, Cell] = {
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
    yield from (Value(name, value, shown=False) for name, value in hidden.items() if value or name == "scenario")
    if scenario.summary:
        yield said(scenario.summary)
    if scenario.turns:
        count = scenario.turns.last - scenario.turns.first + 1
        first = f", {sides[scenario.first].name} first" if scenario.first in sides else ""
        yield said(f"{count} turns{first}" + f"; {scenario.turns.note}" * bool(scenario.turns.note))
        yield Value(
            "turns",
            {"first": scenario.turns.first, "last": scenario.turns.last, "note": scenario.turns.note},
            shown=False,
        )
    if scenario.sets_up_first in sides:
        yield said(f"{sides[scenario.sets_up_first].name} sets up first")
    if scenario.arrangement:
        rows = " / ".join(" ".join(row) for row in scenario.arrangement.boards)
        yield said(f"boards {rows}, north {scenario.arrangement.north}")
        yield Value("boards", [list(row) for row in scenario.arrangement.boards], shown=False)
    yield Several("sides", [_side(game, where, scenario, side, force) for side, force in scenario.forces.items()])
    if scenario.special:
        yield Section(
            [Line(special.text, _rule(special.source), "special") for special in scenario.special], "Special rules"
        )
    if scenario.victory:
        yield Section([_victory(game, scenario)], "Victory")
    yield from (Line(note, key="notes") for note in scenario.notes)


def _rule(source: Source | None) -> str:
    """The section of the rulebook that a line comes from."""
    return source.note if source is not None and source.word == "rulebook" else ""


def _side(game: Game, where: Where, scenario: Scenario, side: str, force: Force) -> Section:
    """A side: its morale, its groups with where they set up or when they enter, what it has off the map."""
    shape = game.sides_in(scenario)[side]
    nations = shape.nations or tuple(key for key, nation in game.nations.items() if nation.side == side)
    morale = {nation: scenario.morale[nation] for nation in nations if nation in scenario.morale}
    nodes: list[Node] = [Value("side", side, shown=False), Value("name", shape.name, shown=False)]
    if morale:
        spoken = ", ".join(
            f"{_nation(game, nation)} {level}" if len(morale) > 1 else level for nation, level in morale.items()
        )
        nodes.append(said(f"Morale: {spoken}"))
    groups = sorted(enumerate(force.groups, 1), key=lambda numbered: numbered[1].order)
    nodes.append(Several("groups", [_group(game, where, number, group) for number, group in groups]))
    nodes.append(
        Table(
            "support",
            [Column("said", "support", told=False)],
            [_support(support) for support in force.support],
            heads=False,
        )
    )
    return Section(nodes, shape.name)


def _nation(game: Game, nation: str) -> str:
    return nation_adjective(game, nation) or nation


def _group(game: Game, where: Where, number: int, group: Group) -> Section:
    """One group as a line: its name, where it stands or when and where it comes, its pieces."""
    name = (
        lettered(group, group.name or group.formation or (group.id.replace("_", " ") if len(group.id) > 2 else ""))
        or f"Group {number}"
    )
    pieces: Mapping[str, int] = {**group.units, **group.markers}
    listed = ", ".join(
        f"{count} x {_piece(game, piece)}" if count > 1 else _piece(game, piece) for piece, count in pieces.items()
    )
    set_up = where.words(group.at) if group.at else ""
    entry = _entry(where, group.enters) if group.enters else ""
    states = ", ".join(game.states[state].name.lower() for state in group.states)
    lost = f"{group.steps_lost} step{'s' * (group.steps_lost > 1)} lost" if group.steps_lost else ""
    extra = f"only with {group.only_with}" if group.only_with else ""
    about = "; ".join(part for part in (set_up, entry, states, lost, extra) if part)
    note = f" ({group.note})" if group.note else ""
    hidden: dict[str, Cell] = {
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
    values: list[Node] = [Value(key, value, shown=False) for key, value in hidden.items() if value]
    return Section(values, name + f", {about}" * bool(about) + f": {listed}{note}")


def _piece(game: Game, piece: str) -> str:
    return game.units[piece].name if piece in game.units else game.markers[piece].name


def _entry(where: Where, entry: Entry) -> str:
    together = ", all on one turn" if entry.together else ""
    return f"enters on {entry_words(where, entry)}{together}" + f", if {entry.condition}" * bool(entry.condition)


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


def _victory(game: Game, scenario: Scenario) -> Table:
    sides = game.sides_in(scenario)
    rows: list[dict[str, Cell]] = []
    for line in scenario.victory:
        said_ = f"{sides[line.side].name}, {_worth(line)}: {line.text}"
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
                "said": said_,
            }
        )
    return Table("victory", [Column("said", "victory", told=False)], rows, heads=False)


def _worth(victory: Victory) -> str:
    """What a victory line gives."""
    if victory.points is None:
        return "wins"
    per = "" if victory.per in ("once", "other") else f" a {victory.per}"
    return f"{victory.points} {'point' if victory.points == 1 else 'points'}{per}"


CHECK = Input(
    name="check", about="a position or save: whether it is a lawful set-up, and what is wrong with it", kind="position"
)
SCENARIO = Question(
    name="scenario",
    about="a scenario's card: length, morale, set-up, entry, special rules, victory; without one, the list of them",
    inputs=(Input(name="scenario", about="which scenario", kind="choice", of="scenario"), CHECK),
    answer=_scenario,
    bare=("scenario",),
)

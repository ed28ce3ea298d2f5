"""The questions that any pack with `rules` answers: move, advance, retreat, supply, stack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from assistant.answers import (
    Answer,
    BadQuestion,
    Cell,
    Chances,
    Column,
    Counter,
    Line,
    Node,
    Path,
    Place,
    Places,
    Refusal,
    Section,
    Several,
    Table,
    Value,
)
from assistant.questions import ON_A_MAP, Input, Question
from assistant.rules.field import Field
from assistant.rules.movement import Reach, Reason, reach, reason
from assistant.rules.placed import asked_field, asked_place, asked_units
from assistant.rules.program import Ready
from assistant.rules.retreat import Back, Way, retreat
from assistant.rules.stacking import failures, stacks
from assistant.rules.supply import Line as SupplyLine
from scenarios.game import Game
from scenarios.rules.shapes import Rules, Told, Walk

RESERVED = frozenset({"unit", "to", "kind", "hexes", "side", "at", "paths", *(one.name for one in ON_A_MAP)})
"""Names of inputs that the pack's own can't have."""
UNIT = Input(name="unit", about="who, as in UNIT,UNIT for a stack", kind="units", needed=True)
SHOWN = 12


def rule_questions(game: Game) -> dict[str, Question]:
    """The questions that the pack's rules answer, by name."""
    rules = game.rules
    if rules is None:
        return {}
    found: dict[str, Question] = {}
    to = Input(name="to", about="where to: the cheapest way, or why there is none", kind="place")
    hexes = Input(name="hexes", about="how many hexes the result says", kind="number", least=1, most=30, default=Fraction(1))
    if rules.movement:
        found["move"] = Question(
            name="move", about="where a unit or a stack can go, at what cost, what stops it", answer=move_answer, bare=("unit", "to"),
            inputs=(UNIT, to, *_kind(rules.movement), *_inputs(game, rules, rules.movement.values()), *ON_A_MAP),
        )  # fmt: skip
    if rules.advance:
        found["advance"] = Question(
            name="advance", about="where a unit can advance to after combat", answer=advance_answer, bare=("unit", "hexes"),
            inputs=(UNIT, hexes, *_kind(rules.advance), *_inputs(game, rules, rules.advance.values()), *ON_A_MAP),
        )  # fmt: skip
    if rules.retreat:
        found["retreat"] = Question(
            name="retreat", about="where units can go back to, and what it costs them", answer=retreat_answer, bare=("unit", "hexes"),
            inputs=(UNIT, hexes, *_kind(rules.retreat), *_inputs(game, rules, rules.retreat.values()), *ON_A_MAP),
        )  # fmt: skip
    side = Input(name="side", about="whose units", kind="choice", of="side")
    if rules.supply is not None:
        units = Input(name="unit", about="only these units", kind="units")
        paths = Input(name="paths", about="every place of each way", kind="flag", default=False)
        found["supply"] = Question(
            name="supply", about="who is in supply, by which way, and what cuts it", answer=supply_answer, bare=("unit",),
            inputs=(side, units, paths, *_inputs(game, rules, rules.supply.traces.values()), *ON_A_MAP),
        )  # fmt: skip
    if rules.stacking:
        at = Input(name="at", about="one place", kind="place")
        units = Input(name="unit", about="with `at`: whether these may stand there too", kind="units")
        found["stack"] = Question(
            name="stack", about="who stands together, and whether they may", answer=stack_answer, bare=("at",),
            inputs=(at, units, side, *ON_A_MAP),
        )  # fmt: skip
    return found


def _kind(walks: Mapping[str, Walk]) -> tuple[Input, ...]:
    if len(walks) < 2:
        return ()
    return (Input(name="kind", about="which kind of it", kind="choice", choices=tuple(walks), default=next(iter(walks))),)


def _inputs(game: Game, rules: Rules, walks: Iterable[Walk]) -> tuple[Input, ...]:
    """The pack's own inputs."""
    return tuple(_input(name, told) for name, told in rules.inputs.items())


def _input(name: str, told: Told) -> Input:
    if told.kind == "text" and told.choices:
        return Input(name=name, about=told.title, kind="choice", choices=told.choices, default=told.default)
    whole = told.kind != "number"
    return Input(name=name, about=told.title, kind=told.kind, whole=whole)


# --- movement ---------------------------------------------------------------------------------------------------------


def move_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """Where a unit or a stack can go."""
    field = asked_field(game, told)
    standings = asked_units(field, told["unit"])
    reaches = [reach(field, standing, told.get("kind", "")) for standing in standings]
    return _walked(field, reaches, told, "move")


def advance_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """Where a unit can advance to."""
    field = asked_field(game, told)
    standings = asked_units(field, told["unit"])
    found = [reach(field, one, told.get("kind", ""), section="advance", result=int(told["hexes"])) for one in standings]
    return _walked(field, found, told, "advance")


def _walked(field: Field, reaches: Sequence[Reach], told: Mapping[str, Any], verb: str) -> Answer:
    name = field.kinds.name
    if len({one.standing.at for one in reaches}) > 1:
        where = ", ".join(f"{one.standing.name} in {name(one.standing.at)}" for one in reaches)
        raise BadQuestion(f"units that {verb} together stand in one place, but these don't: {where}")
    for one in reaches:
        if one.refused:
            raise refusal(one, Reason(one.refused[0], kind="who"), one.standing.at, verb)
    first = reaches[0]
    if told.get("to"):
        return Answer(verb, field.game.id, _way(field, reaches, asked_place(field.kinds, told["to"], "to"), verb))
    nodes: list[Node] = [_head(field, reaches)]
    shared = [n for n in first.costs if all(n in one.costs for one in reaches)]
    rows: dict[Place, dict[str, Cell]] = {}
    ends = 0
    for n in sorted(shared, key=lambda n: max(one.costs[n] for one in reaches)):
        slowest = max(reaches, key=lambda one: one.costs[n])
        why = _end_reasons(field, reaches, n)
        ends += not why and n != first.standing.at
        stop = next((one.stops[n] for one in reaches if n in one.stops), None)
        row: dict[str, Cell] = {"cost": slowest.costs[n], "may_end": not why, "stops": stop is not None}
        if stop is not None:
            row |= {"why": stop.text, "rule": stop.rule}
        if why:
            row |= {"why": why[0].text, "rule": why[0].rule}
        if slowest.allowance is not None and not slowest.allowance.sure:
            row["chance"] = slowest.chance(n)
        rows[Place(name(n))] = row
    nodes.append(Line(f"{ends} place{'s' * (ends != 1)} to end in, besides where it is"))
    stops: dict[tuple[str, str], list[str]] = {}
    for n in shared:
        for one in reaches:
            if n in one.stops:
                record = one.stops[n]
                stops.setdefault((record.text, record.rule), []).append(name(n))
                break
    for (text, rule), places in stops.items():
        nodes.append(Line(f"{text} stops it in {' '.join(sorted(places))}", rule))
    nodes.append(Places("places", rows, "Within reach", (Column("cost", "cost"),), listed=len(rows) <= SHOWN))
    return Answer(verb, field.game.id, nodes)


def _end_reasons(field: Field, reaches: Sequence[Reach], n: int) -> tuple[Ready, ...]:
    """Why units may not end in a place, alone or all together."""
    for one in reaches:
        if n in one.barred:
            return one.barred[n]
    first = reaches[0]
    if len(reaches) > 1 and n != first.standing.at and field.program.ready(first.walk.ends).stacking:
        return failures(field, first.stepper.walker, n, (), [one.standing for one in reaches])
    return ()


def _head(field: Field, reaches: Sequence[Reach]) -> Node:
    first = reaches[0]
    who = " and ".join(one.standing.name for one in reaches)
    slowest = min(reaches, key=lambda one: one.allowance.most if one.allowance is not None else 0)
    inside: list[Node] = [
        Value("unit", [Counter(one.standing.key, one.standing.name) for one in reaches], shown=False),
        Value("from", Place(field.kinds.name(first.standing.at)), shown=False),
    ]
    if slowest.allowance is not None:
        chances = slowest.allowance.chances
        if slowest.allowance.sure:
            inside.append(Value("allowance", Fraction(slowest.allowance.most), "Points"))
        else:
            inside.append(Chances("allowance", {str(points): chance for points, chance in chances.items()}, "Points"))
        for record in slowest.allowance.rests:
            if record.text and record.record.when is not None:
                inside.append(Line(record.text, record.rule))
    return Section(inside, (f"{who} in ", Place(field.kinds.name(first.standing.at))))


def _way(field: Field, reaches: Sequence[Reach], to: int, verb: str) -> list[Node]:
    name = field.kinds.name
    for one in reaches:
        why = one.why_not(to)
        if why is not None and to != one.standing.at:
            raise refusal(one, why, to, verb)
    together = _end_reasons(field, reaches, to)
    if together:
        who = " and ".join(one.standing.name for one in reaches)
        raise Refusal(f"{who} may not end in {name(to)} together: {together[0].text}", together[0].rule)
    slowest = max(reaches, key=lambda one: one.costs[to])
    legs = slowest.way(to)
    nodes: list[Node] = [_head(field, reaches)]
    nodes.append(Path("path", [Place(name(leg.place)) for leg in legs], "Way", slowest.costs[to], whole=True))
    rows = [{"place": Place(name(leg.place)), "cost": leg.cost, "why": _spelled(leg.rests)} for leg in legs[1:]]
    nodes.append(Table("steps", (Column("place", "to"), Column("cost", "cost"), Column("why", "for")), rows, heads=False))
    if to in slowest.stops:
        stop = slowest.stops[to]
        nodes.append(Line(f"it has to stop there: {stop.text}", stop.rule))
    if slowest.allowance is not None and not slowest.allowance.sure:
        nodes.append(Value("chance", slowest.chance(to), "The dice give enough with"))
    return nodes


def _spelled(rests: Iterable[Ready]) -> str:
    """The records that a price rests on."""
    return "; ".join(_cited(record.text, record.rule) for record in rests if record.effect != "stop")


def _cited(text: str, rule: str) -> str:
    return f"{text} ({rule})" if rule else text


def refusal(found: Reach, why: Reason, to: int, verb: str) -> Refusal:
    """What is said where a unit can't get somewhere: the record that says no."""
    name, who = found.field.kinds.name, found.standing.name
    rule = why.record.rule if why.record is not None else found.walk.rule if why.kind == "points" else ""
    doing = {"who": f"can't {verb}", "end": f"may not end in {name(to)}", "step": f"can't enter {name(to)}"}
    no = doing.get(why.kind, f"can't reach {name(to)}")
    return Refusal(f"{who} {no}: {reason(found, why, ruled=False)}", rule)


# --- retreats ---------------------------------------------------------------------------------------------------------


def retreat_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """Where units can go back to."""
    field = asked_field(game, told)
    standings = asked_units(field, told["unit"])
    gone = standings if len(standings) > 1 else ()
    backs = [retreat(field, one, int(told["hexes"]), told.get("kind", ""), gone) for one in standings]
    return Answer("retreat", game.id, [Several("units", [_back(field, back) for back in backs])])


def _back(field: Field, back: Back) -> Section:
    name, standing = field.kinds.name, back.standing
    nodes: list[Node] = [
        Value("unit", Counter(standing.key, standing.name), shown=False), Value("from", Place(name(standing.at)), shown=False),
    ]  # fmt: skip
    head = (f"{standing.name} in ", Place(name(standing.at)))
    if back.fate is not None:
        nodes.append(Line(f"it {'stays' if back.fate.stay else 'is lost'}: {back.fate.text}", back.fate.rule, "fate"))
        return Section(nodes, head)
    if not back.length.sure:
        nodes.append(Chances("length", {str(length): chance for length, chance in back.length.chances.items()}, "Hexes"))
    rows: list[dict[str, Cell]] = []
    for length, ways in back.ways.items():
        rows += [_way_row(field, back, length, way) for way in ways]
    if rows:
        columns = [Column("to", "to"), Column("path", "way"), Column("harm", back.walk.harm or "harm"), Column("why", "because")]
        if not any(row["harm"] for row in rows):
            columns = [Column("to", "to"), Column("path", "way"), Column("harm"), Column("why")]
        nodes.append(Table("ways", (*columns, Column("length"), Column("room"), Column("rule")), rows))
    if any(not ways for ways in back.ways.values()) or not back.ways:
        none = back.none
        text = f"{none.text}: {'it is lost' if none.lose == 'all' else f'it loses {none.lose}'}" if none else "there is no way back"
        nodes.append(Line(text, none.rule if none else "", "none"))
        if not back.length.sure and back.ways:
            nodes.append(Value("chance_of_none", back.chance_of_none, "The chance of that"))
        for place, record in back.refused if not rows else ():
            nodes.append(Line((Place(name(place)), f": {record.text}"), record.rule))
    return Section(nodes, head)


def _way_row(field: Field, back: Back, length: int, way: Way) -> dict[str, Cell]:
    name = field.kinds.name
    row: dict[str, Cell] = {
        "to": Place(name(way.end)), "path": [Place(name(n)) for n in way.path], "harm": way.harm, "length": length, "room": not way.room,
    }  # fmt: skip
    reasons = [f"{_cited(record.text, record.rule)} in {name(place)}" for place, record in way.harms]
    reasons += [f"no room: {_cited(record.text, record.rule)}" for record in way.room]
    return {**row, "why": "; ".join(reasons)}


# --- supply and stacking ----------------------------------------------------------------------------------------------


def supply_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """Who is in supply."""
    field = asked_field(game, told)
    only = asked_units(field, told["unit"]) if told.get("unit") else []
    sides = [told["side"]] if told.get("side") else list(dict.fromkeys(s.side for s in only or field.standings))
    sections = []
    for side in sides:
        lines = [line for line in field.supply(side).lines if not only or line.standing in only]
        served = sum(line.supplied for line in lines)
        nodes: list[Node] = [Value("side", side, shown=False)]
        whole = bool(only) or bool(told.get("paths"))
        rows = [_supply_row(field, line) for line in lines]
        shown = [row for row, line in zip(rows, lines, strict=True) if whole or not line.supplied]
        way = Column("path", "way" if told.get("paths") else "")
        columns = (
            Column("unit", "unit"), Column("place", "in"), Column("why", "by"), way, Column("supplied"), Column("by"), Column("rule"),
            Column("cost"),
        )  # fmt: skip
        nodes.append(Table("units", columns, rows if whole else shown, heads=False))
        for key, flag in (("supplied", True), ("out", False)):
            nodes.append(Value(key, [Counter(s.standing.key, s.standing.name) for s in lines if s.supplied is flag], shown=False))
        title = f"{game.sides[side].name if side in game.sides else side}: {served} of {len(lines)} in supply"
        sections.append(Section(nodes, title))
    return Answer("supply", game.id, [Several("sides", sections)])


def _supply_row(field: Field, line: SupplyLine) -> dict[str, Cell]:
    name, standing = field.kinds.name, line.standing
    row: dict[str, Cell] = {
        "unit": Counter(standing.key, standing.name), "place": Place(name(standing.at)), "supplied": line.supplied, "by": line.by,
        "rule": line.rule, "path": [Place(name(n)) for n in line.path],
    }  # fmt: skip
    source = f" {line.source.name}" if line.source is not None else ""
    if line.supplied:
        row["why"] = f"{line.text}{':' if source else ''}{source}"
        if line.cost is not None:
            row["cost"] = line.cost
    elif line.cut:
        place, record = line.cut[0]
        row |= {"why": f"cut at {name(place)}: {record.text}", "rule": record.rule}
    elif line.needs is not None:
        row["why"] = f"{line.text}{':' if source else ''}{source} goes {line.limit} far, and this is {line.needs} away"
    else:
        row["why"] = f"no way leads to it{f' ({line.text})' if line.by else ''}"
    return row


def stack_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """Who stands together, and whether they may."""
    field = asked_field(game, told)
    name = field.kinds.name
    at = asked_place(field.kinds, told["at"], "at") if told.get("at") else None
    nodes: list[Node] = []
    if told.get("unit"):
        if at is None:
            raise BadQuestion("say where: at=PLACE")
        coming = asked_units(field, told["unit"])
        broken: dict[Ready, None] = {}
        for standing in coming:
            broken |= dict.fromkeys(failures(field, field.walker(standing), at, (), coming))
        who = " and ".join(standing.name for standing in coming)
        nodes.append(Value("may", not broken, f"{who} may stand in {name(at)}"))
        nodes += [Line(record.text, record.rule) for record in broken]
        return Answer("stack", game.id, nodes)
    rows: list[dict[str, Cell]] = []
    for stack in stacks(field, at):
        if told.get("side") not in (None, "", stack.side):
            continue
        row: dict[str, Cell] = {
            "place": Place(name(stack.place)), "side": stack.side, "units": [Counter(s.key, s.name) for s in stack.standings],
            "may": not stack.failures, "why": "; ".join(_cited(record.text, record.rule) for record in stack.failures),
        }  # fmt: skip
        rows.append(row)
    rows.sort(key=lambda row: bool(row["may"]))
    too_many = sum(not row["may"] for row in rows)
    nodes.append(Line(f"{len(rows)} stack{'s' * (len(rows) != 1)}, {too_many or 'none'} of them against the rules"))
    columns = (Column("place", "in"), Column("side"), Column("units", "units"), Column("may"), Column("why", "against"))
    nodes.append(Table("stacks", columns, rows))
    return Answer("stack", game.id, nodes)

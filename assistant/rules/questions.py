"""The questions that any pack with `rules` answers: move, advance, retreat, supply, stack."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from assistant.answers import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    Column,
    Line,
    Node,
    Ours,
    Path,
    Place,
    Places,
    Refusal,
    Section,
    Several,
    Table,
    Value,
    Warning,
)
from assistant.questions import ON_ANY_MAP, Input, Question
from assistant.rules.asked import TableCell
from assistant.rules.command import AT, SIDE, beside_supply, command_questions
from assistant.rules.cuts import cuts
from assistant.rules.field import Field, Standing
from assistant.rules.kinds import program_of
from assistant.rules.movement import Leg, Reach, Reason, reach, reason
from assistant.rules.placed import asked_coming, asked_field, asked_place, asked_units, cant_be
from assistant.rules.planned import planned_nodes
from assistant.rules.program import PLACES, Ready
from assistant.rules.stacking import failures, stacks, too_many
from assistant.rules.supply import Line as SupplyLine
from assistant.sourced import ours, route_sources
from scenarios.game import Game
from scenarios.rules.shapes import RuleInput, Walk

if TYPE_CHECKING:
    from assistant.rules.retreat import Back, Way

UNIT = Input(name="unit", about="who, as in UNIT,UNIT for a stack", kind="units", needed=True)
TAKEN = Input(name="taken", about="places that the enemy takes", kind="places", what_if=True)
ZONE = Input(name="zone", about="the enemy who takes a place brings his zones along", kind="flag")
FROM = Input(name="from", about="the place it is in, where the position doesn't show it there", kind="place")
MAP = ON_ANY_MAP
WHO = (UNIT, FROM)
PATH = Input(
    name="path", about="instead: each place it goes to, and what it does on the way", kind="places", example="0203,0204"
)
SHOWN = 12


def rule_questions(game: Game) -> dict[str, Question]:
    """The questions that the pack's rules answer, by name."""
    from assistant.rules.duties import attacks_question
    from assistant.rules.turn import turn_question
    from assistant.rules.victory import score_question

    rules = game.rules
    others = {"attacks": attacks_question(game), "score": score_question(game), "turn": turn_question(game)}
    found: dict[str, Question] = {name: question for name, question in others.items() if question is not None}
    if rules is None:
        return found
    to = Input(name="to", about="where to: the cheapest way, or why there is none", kind="place")
    if rules.movement:
        found["move"] = Question(
            name="move",
            about="where a unit or a stack can go, at what cost, what stops it",
            answer=move_answer,
            bare=("unit", "to"),
            inputs=(*WHO, to, PATH, *_kind(rules.movement), *_inputs(game, rules.movement.values()), *MAP),
        )
    if rules.advance:
        hexes = _hexes(game, rules.advance)
        found["advance"] = Question(
            name="advance",
            about="where a unit can advance to after combat",
            answer=advance_answer,
            bare=("unit", *(one.name for one in hexes)),
            inputs=(
                *WHO,
                to,
                *hexes,
                *_kind(rules.advance),
                *_inputs(game, rules.advance.values()),
                *MAP,
            ),
        )
        # A kind with a name of its own can be asked for by it.
        found |= {
            name: _named_advance(game, name, walk, to) for name, walk in rules.advance.items() if name not in found
        }
    if rules.retreat:
        hexes = _hexes(game, rules.retreat)
        found["retreat"] = Question(
            name="retreat",
            about="where units can go back to, and what it costs them",
            answer=retreat_answer,
            bare=("unit", *(one.name for one in hexes)),
            inputs=(
                replace(UNIT, needed=False),
                FROM,
                replace(AT, about="or all units of a side in this place"),
                SIDE,
                *hexes,
                *_kind(rules.retreat),
                *_inputs(game, rules.retreat.values()),
                *MAP,
            ),
        )
    if rules.sight is not None:
        from assistant.rules.los import los_question

        found["los"] = los_question(game, _inputs(game, ()))
    if rules.entry is not None:
        from assistant.rules.entry import entry_answer

        found["entry"] = Question(
            name="entry",
            about="how a unit may come onto the map, and where",
            answer=entry_answer,
            bare=("unit", "to"),
            inputs=(replace(UNIT, about="who", kind="unit"), FROM, to, *_inputs(game, ()), *MAP),
        )
    side = Input(name="side", about="whose units", kind="choice", of="side")
    if rules.supply is not None:
        units = Input(name="unit", about="only these units", kind="units")
        paths = Input(name="paths", about="every place of each way", kind="flag", default=False)
        found["supply"] = Question(
            name="supply",
            about="who is in supply, by which way, what cuts it, what would cut most",
            answer=supply_answer,
            bare=("unit",),
            inputs=(
                side,
                units,
                paths,
                TAKEN,
                replace(ZONE, default=rules.supply.cut_by_zones),
                *_inputs(game, rules.supply.traces.values()),
                *MAP,
            ),
        )
    if rules.stacking:
        at = Input(name="at", about="one place", kind="place")
        units = Input(name="unit", about="whether these may stand in the place too", kind="units")
        found["stack"] = Question(
            name="stack",
            about="who stands together, and whether they may",
            answer=stack_answer,
            bare=("at",),
            inputs=(at, units, side, *_inputs(game, ()), *MAP),
        )
    if rules.carry:
        from assistant.rules.carrying import CARRY

        found["carry"] = CARRY
    return found | command_questions(rules, _inputs(game, rules.command.values()))


def _named_advance(game: Game, name: str, walk: Walk, to: Input) -> Question:
    def answer(game: Game, told: Mapping[str, Any]) -> Answer:
        return replace(advance_answer(game, {**told, "kind": name}), question=name)

    inputs = _inputs(game, [walk])
    asked = tuple(one.name for one in inputs if one.needed)
    return Question(
        name=name,
        about=f"{walk.title or name}: where a unit can go",
        answer=answer,
        bare=("unit", "from", *asked),
        inputs=(*WHO, to, *_hexes(game, {name: walk}), *inputs, *MAP),
    )


def _kind(walks: Mapping[str, Walk]) -> tuple[Input, ...]:
    if len(walks) < 2:
        return ()
    return (
        Input(
            name="kind",
            about="which kind of it",
            kind="choice",
            choices=tuple(walks),
            default=next(iter(walks)),
            assumed=True,
        ),
    )


def _hexes(game: Game, walks: Mapping[str, Walk]) -> tuple[Input, ...]:
    """How many hexes a battle's result says, where a walk asks for it."""
    if "result" not in program_of(game).question_names(walks.values()):
        return ()
    return (
        Input(
            name="hexes",
            about="how many hexes the result says",
            kind="number",
            least=1,
            most=30,
            default=Fraction(1),
            assumed=True,
        ),
    )


def _inputs(game: Game, walks: Iterable[Walk]) -> tuple[Input, ...]:
    """The pack's own inputs, but for those that only points rest on; of those that have to be told only what matters for some walks."""
    program = program_of(game)
    asked = program.question_names(walks)
    names = {name.removeprefix("told.") for name in asked if name.startswith("told.")}
    names |= {name.partition(".")[2] for name in asked if name.partition(".")[0] in PLACES}
    # What only points and wins ask is told to `score`.
    others = {name.removeprefix("told.") for name in program.winning - program.playing if name.startswith("told.")}
    names |= {name for name, told in program.rules.inputs.items() if not (told.needed or told.track or name in others)}
    return tuple(told_input(name, told) for name, told in program.rules.inputs.items() if name in names)


def told_input(name: str, told: RuleInput) -> Input:
    """One of the pack's own inputs, as an input of a question."""
    if told.kind == "text" and told.choices:
        return Input(
            name=name, about=told.title, kind="choice", choices=told.choices, default=told.default, needed=told.needed
        )
    whole = told.kind != "number"
    return Input(name=name, about=told.title, kind=told.kind, whole=whole, needed=told.needed)


# --- movement ---------------------------------------------------------------------------------------------------------


def move_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """Where a unit or a stack can go."""
    field = asked_field(game, told)
    standings = asked_units(field, told["unit"], told.get("from", ""))
    if told.get("path"):
        if len(standings) > 1:
            raise BadQuestion("a path is walked by one unit; name one")
        return Answer("move", game.id, planned_nodes(field, standings[0], told["path"], told.get("kind", "")))
    reaches = [reach(field, standing, told.get("kind", "")) for standing in standings]
    return walked(field, reaches, told, "move")


def advance_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """Where a unit can advance to."""
    field = asked_field(game, told)
    standings = asked_units(field, told["unit"], told.get("from", ""))
    found = [
        reach(field, one, told.get("kind", ""), section="advance", result=int(told.get("hexes", 1)))
        for one in standings
    ]
    for one in found:
        if not one.refused and (record := one.barred_by) is not None:
            raise refusal(one, Reason(record, kind="who"), one.standing.at, "advance")
    return walked(field, found, told, "advance")


def walked(field: Field, reaches: Sequence[Reach], told: Mapping[str, Any], verb: str) -> Answer:
    """Where units that walk together can go, or their way `to` a place."""
    name = field.kinds.title
    if not reaches:
        raise BadQuestion("say who: unit=UNIT, or unit=UNIT,UNIT for a stack")
    if len({one.standing.at for one in reaches}) > 1:
        where = ", ".join(f"{one.standing.name} in {name(one.standing.at)}" for one in reaches)
        raise BadQuestion(f"units that {verb} together stand in one place, but these don't: {where}")
    for one in reaches:
        if one.refused:
            raise refusal(one, Reason(one.refused[0], kind="who"), one.standing.at, verb)
    first = reaches[0]
    if told.get("to"):
        to = asked_place(field.kinds, told["to"], "to")
        way = _way(field, reaches, to, verb)
        cells = (cells for one in reaches for cells in one.way_cells(to))
        return Answer(verb, field.game.id, [*way, _ours(field, reaches, cells)])
    nodes: list[Node] = [_head(field, reaches)]
    shared = [n for n in first.costs if all(n in one.costs for one in reaches)]
    rows: dict[Place, dict[str, Cell]] = {}
    ends = 0
    for n in sorted(shared, key=lambda n: max(one.costs[n] for one in reaches)):
        slowest = max(reaches, key=lambda one: one.costs[n])
        why = end_reasons(field, reaches, n)
        ends += not why and n != first.standing.at
        stop = next((one.stops[n] for one in reaches if n in one.stops), None)
        row: dict[str, Cell] = {"cost": slowest.costs[n], "may_end": not why, "stops": stop is not None}
        row["path"] = [Place(name(m)) for m in slowest.path(n)]
        if n == first.standing.at and all(one.returns for one in reaches):
            row["returns"] = True
        if n in slowest.least and slowest.walk.minimum is not None:
            row |= {"why": slowest.walk.minimum.text, "rule": slowest.walk.minimum.rule}
        if stop is not None:
            row |= {"why": stop.text, "rule": stop.rule}
        if why:
            row |= {"why": why[0].text, "rule": why[0].rule}
        if slowest.allowance is not None and not slowest.allowance.sure:
            row["chance"] = slowest.chance(n)
        rows[field.place(n)] = row
    nodes.append(Line(f"{ends} place{'s' * (ends != 1)} to end in, besides where it is"))
    stops: dict[tuple[str, str], list[str]] = {}
    for n in shared:
        for one in reaches:
            if n in one.stops:
                record = one.stops[n]
                stops.setdefault((record.text, record.rule), []).append(name(n))
                break
    for (text, rule), places in stops.items():
        between = ", " if any(" " in one for one in places) else " "
        nodes.append(Line(f"{text} stops it in {between.join(sorted(places))}", rule))
    nodes.append(
        Places("places", rows, "Within reach", (Column("cost", "cost"), Column("why", "")), listed=len(rows) <= SHOWN)
    )
    nodes += [
        *_acts(field, reaches),
    ]
    return Answer(verb, field.game.id, [*nodes, _ours(field, reaches, (one.cells for one in reaches))])


def _acts(field: Field, reaches: Sequence[Reach]) -> list[Node]:
    """What units could do on their way, all of them together."""
    first = reaches[0]
    rows: list[dict[str, Cell]] = []
    for act, places in first.acts.items():
        shape = field.program.rules.acts[act]
        for n in places:
            if all(n in one.acts.get(act, {}) for one in reaches):
                left = min(one.acts[act][n] for one in reaches)
                rows.append(
                    {"act": act, "title": shape.title, "place": field.place(n), "left": left, "rule": shape.rule}
                )
    columns = (
        Column("title", "could"),
        Column("place", "in"),
        Column("left", "points left"),
        Column("act"),
        Column("rule"),
    )
    return [Table("acts", columns, rows)] if field.program.rules.acts else []


def _ours(field: Field, reaches: Sequence[Reach], cells: Iterable[Iterable[TableCell]]) -> Node:
    """The numbers of an answer that the rulebook doesn't give: factors of the units, cells of tables, routes of a map of points."""
    rests = [
        (one.standing.unit, record) for one in reaches if one.allowance is not None for record in one.allowance.rests
    ]
    factors = [(unit, name) for unit, record in rests for name in record.uses if name in field.game.factors]
    used = [(cell[0], cell[1], cell[2]) for one in cells for cell in one if len(cell) == 3]
    return Ours(ours(field.game, factors, cells=used, more=route_sources(field.game)))


def end_reasons(field: Field, reaches: Sequence[Reach], n: int) -> tuple[Ready, ...]:
    """Why units may not end in a place, alone or all together."""
    several, first = len(reaches) > 1, reaches[0]
    for one in reaches:
        # Who has no room alone may have it together, as a load has with its ship.
        found = tuple([record for record in one.barred.get(n, ()) if not several or record.effect != "that"])
        if found:
            return found
    if several and n != first.standing.at and field.program.ready(first.walk.ends).stacking:
        together = [one.standing for one in reaches]
        return next((found for one in reaches if (found := failures(field, one.stepper.walker, n, (), together))), ())
    return ()


def _who(standings: Sequence[Standing]) -> list[Node]:
    """The unit that a question is about, or all of them."""
    counters: list[Cell] = [standing.counter for standing in standings]
    return [Value("unit", counters[0], shown=False)] if len(counters) == 1 else [Value("units", counters, shown=False)]


def _head(field: Field, reaches: Sequence[Reach]) -> Node:
    first = reaches[0]
    who = " and ".join(str(one.standing.counter) for one in reaches)
    slowest = min(reaches, key=lambda one: one.allowance.most if one.allowance is not None else 0)
    inside: list[Node] = [
        *_who([one.standing for one in reaches]),
        Value("from", field.place(first.standing.at), shown=False),
    ]
    if slowest.allowance is not None:
        chances = slowest.allowance.chances
        what = "Points" if slowest.walk.allowance else "Steps at most"
        if slowest.allowance.sure:
            inside.append(Value("allowance", Fraction(slowest.allowance.most), what))
        else:
            inside.append(Chances("allowance", {str(points): chance for points, chance in chances.items()}, what))
        for record in slowest.allowance.rests:
            if record.text and record.record.when is not None:
                inside.append(Line(record.text, record.rule))
    return Section(inside, (f"{who} in ", field.place(first.standing.at)))


def _way(field: Field, reaches: Sequence[Reach], to: int, verb: str) -> list[Node]:
    name = field.kinds.title
    for one in reaches:
        why = one.why_not(to) if to not in one.costs or len(reaches) == 1 else None
        if why is not None and to != one.standing.at:
            raise refusal(one, why, to, verb)
    together = end_reasons(field, reaches, to)
    if together:
        who = " and ".join(str(one.standing.counter) for one in reaches)
        raise Refusal(f"{who} may not end in {name(to)} together: {together[0].text}", together[0].rule)
    slowest = max(reaches, key=lambda one: one.costs[to])
    legs = slowest.way(to)
    nodes: list[Node] = [_head(field, reaches)]
    nodes.append(Path("path", [field.place(leg.place) for leg in legs], "Way", slowest.costs[to], whole=True))
    row: Cell = {"place": field.place(to), "cost": slowest.costs[to], "may_end": True, "stops": to in slowest.stops}
    nodes.append(Value("places", [row], shown=False))
    rows = [{"place": field.place(leg.place), "cost": leg.cost, "why": _spelled(leg)} for leg in legs[1:]]
    nodes.append(
        Table("steps", (Column("place", "to"), Column("cost", "cost"), Column("why", "for")), rows, heads=False)
    )
    if to in slowest.least and slowest.walk.minimum is not None:
        nodes.append(Line(slowest.walk.minimum.text, slowest.walk.minimum.rule))
    if to in slowest.stops:
        stop = slowest.stops[to]
        nodes.append(Line(f"it has to stop there: {stop.text}", stop.rule))
    if slowest.allowance is not None and not slowest.allowance.sure:
        nodes.append(Value("chance", slowest.chance(to), "The dice give enough with"))
    return nodes


def _spelled(leg: Leg) -> str:
    """The records that a price rests on; where there are several, each with its share."""
    records = [record for record in leg.rests if record.effect != "stop"]
    parts = dict(leg.parts) if len(records) > 1 else {}
    shares = {record: f" {'+' * (record.effect == 'add')}{part}" for record, part in parts.items()}
    return "; ".join(_cited(f"{record.text}{shares.get(record, '')}", record.rule) for record in records)


def _cited(text: str, rule: str) -> str:
    return f"{text} ({rule})" if rule else text


def refusal(found: Reach, why: Reason, to: int, verb: str) -> Refusal:
    """What is said where a unit can't get somewhere: the record that says no."""
    name, who = found.field.kinds.title, found.standing.name
    rule = why.record.rule if why.record is not None else found.walk.rule if why.kind == "points" else ""
    doing = {"who": f"can't {verb}", "end": f"may not end in {name(to)}", "step": f"can't enter {name(to)}"}
    no = doing.get(why.kind, f"can't reach {name(to)}")
    return Refusal(f"{who} {no}: {reason(found, why, ruled=False)}", rule)


# --- retreats ---------------------------------------------------------------------------------------------------------


def retreat_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """Where units can go back to."""
    field = asked_field(game, told)
    if told.get("unit"):
        standings = asked_units(field, told["unit"], told.get("from", ""))
    elif told.get("at") and told.get("side"):
        n = asked_place(field.kinds, told["at"], "at")
        standings = list(field.stack(n, told["side"]))
        if not standings:
            raise BadQuestion(f"no {told['side']} unit is in {field.kinds.title(n)}")
    else:
        raise BadQuestion("say who goes back: unit=UNIT,UNIT, or at=PLACE side=SIDE for all who are there")
    more = Ours(ours(game, more=route_sources(game)))
    return Answer("retreat", game.id, [*gone_back(field, standings, told), more])


def gone_back(field: Field, standings: Sequence[Standing], told: Mapping[str, Any]) -> list[Node]:
    """Where units can go back to."""
    from assistant.rules.together import retreat_together, without_room

    joint = retreat_together(field, standings, int(told.get("hexes", 1)), told.get("kind", ""))
    nodes: list[Node] = [Several("units", [_back(field, back) for back in joint.backs])]
    if len(standings) > 1:
        nodes += [Value("crowded", joint.crowded, shown=False), Value("sure", joint.sure, shown=False)]
    if len(standings) > 1 and all(back.walk.room == "first" and not back.walk.together for back in joint.backs):
        found = without_room(joint.backs)
        nodes.append(
            Value(
                "no_room",
                {str(count): Chance(chance) for count, chance in found.items()},
                "Find no room",
                shown=any(found),
            )
        )
    if joint.crowded:
        nodes.append(
            Line("not all of them find room in one place: each has the ends that a best plan for all gives it")
        )
    if not joint.sure:
        nodes.append(Warning("not every plan was tried; there may be a better one"))
    return nodes


def _back(field: Field, back: Back) -> Section:
    from assistant.rules.retreat import barred

    standing, fate, goes = back.standing, back.fate, back.fate is None
    lengths = {str(length): chance for length, chance in back.length.chances.items()}
    nodes: list[Node] = [
        Value("unit", standing.counter, shown=False),
        Value("from", field.place(standing.at), shown=False),
    ]
    if fate is not None:
        nodes.append(Line(f"it {'stays' if fate.stay else 'is lost'}: {fate.text}", fate.rule, "fate"))
    elif back.choice is not None:
        nodes.append(Line(f"it may stay: {back.choice.text}", back.choice.rule, "may_stay"))
    nodes += [
        Line(one.text, one.rule) for one in back.length.rests if goes and one.text and one.record.when is not None
    ]
    if not back.length.sure:
        nodes.append(Value("length", {length: Chance(chance) for length, chance in lengths.items()}, shown=False))
    chancy = goes and not back.length.sure
    nodes += [
        Value("eliminated", Chance(back.chance_of_loss), "Lost", shown=chancy),
        Value("worn", Chance(back.chance_worn), "Arrives with fewer steps", shown=chancy),
    ]
    rows = [_way_row(field, back, length, way) for length, ways in back.ways.items() for way in ways]
    dearer = "or, with more harm, in" if any(row["harm"] != back.harm for row in rows) else ""
    heads = ("hexes", "chance", "it is", "goes", "way", "ends in", dearer) if chancy else ("",) * 7
    keys = ("length", "chance", "outcome", "goes", "path", "ends", "harmed_ends")
    columns = [Column(key, head) for key, head in zip(keys, heads, strict=True)]
    nodes.append(Table("fates", [*columns, Column("toward")], fates(field, back)))
    if rows:
        harmed = any(row["harm"] for row in rows)
        titles = (
            ("",) * 4
            if chancy
            else ("to", "way", back.walk.harm or "harm", "because")
            if harmed
            else ("to", "way", "", "")
        )
        columns = [Column(key, title) for key, title in zip(("to", "path", "harm", "why"), titles, strict=True)]
        nodes.append(Table("ways", (*columns, Column("length"), Column("room"), Column("rule")), rows))
    if goes and not all(back.ways.values() or (False,)):
        none = back.none
        text = (
            f"{none.text}: {'it is lost' if none.lose == 'all' else f'it loses {none.lose}'}"
            if none
            else "there is no way back"
        )
        nodes.append(Line(text, none.rule if none else "", "none"))
    shut = barred(back) or dict(back.refused if not rows else ())
    if shut:
        shown: list[dict[str, Cell]] = [
            {"place": field.place(n), "why": one.text, "rule": one.rule} for n, one in shut.items()
        ]
        nodes.append(
            Table("barred", (Column("place", "not to"), Column("why", "because"), Column("rule", "rule")), shown)
        )
    notes = [note for note in back.walk.notes if field.holds(note.when, field.walker(standing), to=standing.at)]
    return Section(
        [*nodes, *(Line(note.text, note.rule) for note in notes)], (f"{standing.name} in ", field.place(standing.at))
    )


def fates(field: Field, back: Back) -> list[dict[str, Cell]]:
    """What becomes of a unit, length by length, as rows of an answer; none where it stays for good."""
    if back.fate is not None:
        lost: dict[str, Cell] = {
            "length": 0,
            "chance": Chance(Fraction(1)),
            "outcome": "eliminated",
            "toward": "",
            "goes": "",
        }
        lost |= {"path": [], "ends": [], "harmed_ends": []}
        return [lost] if back.fate.lost else []
    return [_fate_row(field, back, int(length)) for length in back.length.chances]


def _fate_row(field: Field, back: Back, length: int) -> dict[str, Cell]:
    """What becomes of a unit that goes back so far."""
    ways = back.ways.get(length, ())
    best = min(ways, key=lambda way: way.harm, default=None)
    least = best.harm if best is not None else 0
    ends = {way.end for way in ways if way.harm == least}
    worn = back.standing.unit.back_state or "worn"
    toward = back.toward.get(length, "")
    return {
        "length": length,
        "chance": Chance(back.length.chances[length]),
        "outcome": "eliminated" if best is None else worn if back.worn(best) else "unharmed",
        "toward": toward,
        "goes": back.walk.toward[toward].text if toward else "",
        "path": [field.place(n) for n in best.path] if best is not None else [],
        "ends": [field.place(end) for end in sorted(ends)],
        "harmed_ends": [field.place(end) for end in sorted({way.end for way in ways} - ends)],
    }


def _way_row(field: Field, back: Back, length: int, way: Way) -> dict[str, Cell]:
    name = field.kinds.title
    row: dict[str, Cell] = {
        "to": field.place(way.end),
        "path": [field.place(n) for n in way.path],
        "harm": way.harm,
        "length": length,
        "room": not way.room,
    }
    reasons = [f"{_cited(record.text, record.rule)} in {name(place)}" for place, record in way.harms]
    reasons += [f"no room: {_cited(record.text, record.rule)}" for record in way.room]
    return {**row, "why": "; ".join(reasons)}


# --- supply and stacking ----------------------------------------------------------------------------------------------


def supply_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """Who is in supply, and what would cut most; besides, who is in command and what lies in zones that reach far."""
    field = asked_field(game, told)
    program, rules = field.program, field.program.rules
    walks = [*(rules.supply.traces.values() if rules.supply is not None else ()), *rules.command.values()]
    asked = {name.removeprefix("source.") for walk in walks for name in program.walk_names(walk)}
    asked |= {name for zone in rules.zones.values() if zone.length for name in program.ready(zone.length).uses.walker}
    tracing = [s.unit for s in field.standings if told.get("side") in (None, "", s.side)]
    factors = [(unit, name) for unit in tracing for name in asked if name in unit.factors]
    present = [side for side in field.sides if field.of(side)]
    sides = supply_sides(field, told, beside_supply, present)
    return Answer(
        "supply",
        game.id,
        [sides, Ours(ours(game, factors, more=route_sources(game)))],
    )


def supply_sides(
    field: Field,
    told: Mapping[str, Any],
    more: Callable[[Field, str], Sequence[Node]] = lambda *_: (),
    sides: Sequence[str] = (),
) -> Several:
    """The supply of some sides, or of all; `taken` are places that its enemies took, `more` is what else is told of a side."""
    only = asked_units(field, told["unit"]) if told.get("unit") else []
    if told.get("side"):
        sides = [told["side"]]
    elif only or not sides:
        sides = list(dict.fromkeys(s.side for s in only or field.standings))
    sides = sides or list(field.sides)
    places = [asked_place(field.kinds, name, "taken") for name in told.get("taken", ())]
    zone = bool(told.get("zone"))
    fields = {side: field.taken(side, places, zone=zone) for side in sides}
    sections = [_side_supply(taken, side, only, told, zone) for side, taken in fields.items()]
    whole = [
        replace(one, nodes=[*one.nodes, *more(fields[side], side)]) for one, side in zip(sections, sides, strict=True)
    ]
    return Several("sides", whole)


def _side_supply(field: Field, side: str, only: Collection[Standing], told: Mapping[str, Any], zone: bool) -> Section:
    game, supply = field.game, field.supply(side)
    lines = [line for line in supply.lines if not only or line.standing in only]
    served = sum(line.supplied for line in lines)
    whole = bool(only) or bool(told.get("paths"))
    rows = [_supply_row(field, line) for line in lines]
    shown = [row for row, line in zip(rows, lines, strict=True) if whole or not line.supplied]
    columns = (
        Column("unit", "unit"),
        Column("place", "in"),
        Column("why", "by"),
        Column("path", "way" if told.get("paths") else ""),
    )
    more = [Column(key) for key in ("supplied", "by", "source", "rule", "cost", "assumed", "cut", "cut_by")]
    worst = cuts(supply, zone=zone)
    threats: list[dict[str, Cell]] = [
        {
            "place": field.place(cut.place),
            "count": len(cut.out),
            "out": [s.counter for s in cut.out],
            "gone": [s.counter for s in cut.gone],
        }
        for cut in worst
    ]
    nodes: list[Node] = [
        Value("side", side, shown=False),
        Table("shown_units", columns, shown, heads=False, told=False),
        Table("units", [Column(column.key) for column in (*columns, *more)], rows),
        *(
            Value(key, [s.standing.counter for s in lines if s.supplied is flag], shown=False)
            for key, flag in (("supplied", True), ("out", False))
        ),
        Table(
            "cuts",
            (Column("place", "taken"), Column("count", "cuts"), Column("out", "units"), Column("gone", "lost with it")),
            threats,
        ),
    ]
    rules = field.program.rules.supply
    state = game.states.get(rules.out) if rules is not None else None
    if state is not None and rules is not None and served < len(lines):
        nodes.insert(2, Value("state", rules.out, shown=False))
        nodes.insert(2, Line(f"{state.name}{': ' * bool(state.note)}{state.note}", state.rule, told=False))
    off_map = 0 if only else sum(piece_side == side for piece_side in field.waiting)
    nodes.append(Value("off_map", off_map, "Not on the map", shown=off_map > 0))
    if not worst and served:
        nodes.append(Line(f"no single place taken by the enemy{', with its zones,' * zone} would cut off a unit"))
    title = f"{game.sides[side].name if side in game.sides else side}: {served} of {len(lines)} in supply"
    return Section(nodes, title)


def _supply_row(field: Field, line: SupplyLine) -> dict[str, Cell]:
    name, standing = field.kinds.title, line.standing
    row: dict[str, Cell] = {
        "unit": standing.counter,
        "place": field.place(standing.at),
        "supplied": line.supplied,
        "by": line.by,
        "assumed": standing.assumed,
        "rule": line.rule,
        "path": [field.place(n) for n in line.path],
    }
    if line.source is not None:
        row["source"] = line.source.counter
    if line.cut:
        row["cut"] = [field.place(place) for place, _ in line.cut]
        row["cut_by"] = [f"{_cited(record.text, record.rule)} in {name(n)}" for n, record in line.cut]
    if line.supplied and line.cost is not None:
        row["cost"] = line.cost
    elif line.needs is not None:
        row["cost"] = line.needs
    row["why"], row["rule"] = supply_reason(field, line)
    return row


def supply_reason(field: Field, line: SupplyLine) -> tuple[str, str]:
    """Why a unit is in supply, or isn't, and the rule that says so."""
    source = line.source.name if line.source is not None else ""
    whole = f"{line.text}{': ' * bool(source)}{source}"
    if line.supplied:
        return whole, line.rule
    if line.cut:
        place, record = line.cut[0]
        return f"cut at {field.kinds.title(place)}{', from ' * bool(source)}{source}: {record.text}", record.rule
    if line.idle:
        return f"{whole} is out of supply itself", line.rule
    if line.needs is not None:
        return f"{whole} goes {line.limit} far, and this is {line.needs} away", line.rule
    return f"no way leads to it ({line.text})" if line.by else line.text, line.rule


def stack_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """Who stands together, and whether they may."""
    field = asked_field(game, told)
    name = field.kinds.title
    at = asked_place(field.kinds, told["at"], "at") if told.get("at") else None
    nodes: list[Node] = []
    if told.get("unit"):
        if at is None:
            raise BadQuestion("say where: at=PLACE")
        coming = [standing for one in told["unit"] for standing in asked_coming(field, one, at)]
        broken: dict[Ready, None] = {}
        for standing in coming:
            broken |= dict.fromkeys(cant_be(field, standing, at))
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
            "place": field.place(stack.place),
            "side": stack.side,
            "units": [s.counter for s in stack.standings],
            "may": not stack.failures,
            "must_go": too_many(field, stack) if stack.failures else None,
            "why": "; ".join(_cited(record.text, record.rule) for record in stack.failures),
        }
        rows.append(row)
    rows.sort(key=lambda row: bool(row["may"]))
    too_many_stacks = sum(not row["may"] for row in rows)
    against = f"{too_many_stacks or 'none'} of them against the rules"
    nodes.append(Line(f"{len(rows)} stack{'s' * (len(rows) != 1)}, {against}"))
    columns = (
        Column("place", "in"),
        Column("side"),
        Column("units", "units"),
        Column("may"),
        Column("must_go", "must go" if too_many_stacks else ""),
        Column("why", "against"),
    )
    nodes.append(Table("stacks", columns, rows))
    return Answer("stack", game.id, nodes)

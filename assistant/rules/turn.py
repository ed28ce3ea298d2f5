"""What a turn brings, phase by phase: who arrives, which states come and go, what is thrown for. The question is `turn`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from assistant.answers import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    Column,
    Counter,
    Line,
    Node,
    Ours,
    Section,
    Several,
    Table,
    Value,
    said,
)
from assistant.questions import ON_ANY_MAP, Question, Told
from assistant.rules.asked import Asked, TableCell
from assistant.rules.field import Field, Standing, no_unit
from assistant.rules.odds import side_names
from assistant.rules.placed import asked_field
from assistant.sourced import ours
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.pack import Chore, Phase
from scenarios.rules.shapes import TurnRule
from scenarios.scenario import Arrival, Group
from scenarios.where import Where

THROW = re.compile(r"([1-9]?d[1-9]\d?)([+-]\d{1,2})?")


def thrown(text: str) -> Mapping[int, Fraction]:
    """The chance of each sum of dice such as 1d6 or 2d6+1."""
    match = THROW.fullmatch(text)
    if match is None:
        raise BadQuestion(f"{text!r} is no throw of dice; the pack should say one such as 1d6 or 1d6+1")
    return {face + int(match[2] or 0): chance for face, chance in dice(match[1]).items()}


@dataclass(frozen=True)
class Event:
    """One record of the turn, and what it comes to now."""

    record: TurnRule
    units: tuple[Standing, ...] = ()
    """The units that it touches, or may touch."""
    amount: Fraction | int = 0
    chances: Mapping[str, Fraction] | None = None
    """The chance of each outcome of a throw, a draw or a contest."""
    each: Mapping[str, Fraction] | None = None
    """The chance for each unit, where a throw decides."""
    cells: tuple[TableCell, ...] = ()
    """The cells of tables that the amount or the chances rest on."""


def events(field: Field, phase: Phase | None) -> Iterator[Event]:
    """What the rules say of a phase, or (None) of the end of the turn."""
    for record in field.program.rules.turn:
        if (phase.id in record.phases) if phase is not None else not record.phases:
            found = _event(field, record, _acting(field, record, phase))
            if found is not None:
                yield found


def _acting(field: Field, record: TurnRule, phase: Phase | None) -> str:
    """Whose units a record touches; none: everybody's."""
    side = record.side or (phase.side if phase is not None else "")
    if side in ("first", "second") and field.scenario is not None and field.scenario.first:
        others = [one for one in field.sides if one != field.scenario.first]
        return field.scenario.first if side == "first" else (others[0] if len(others) == 1 else "")
    return side if side in field.sides else ""


def _event(field: Field, record: TurnRule, side: str) -> Event | None:
    if record.set or record.clear or record.lose is not None or record.restore is not None:
        return _of_units(field, record, side)
    asked = Asked(field, no_unit(side), {}, None)
    if not field.holds_of(record.when, asked):
        return None
    if record.gain is not None:
        amount = field.value_of(record.gain, asked)
        return Event(record, amount=amount, cells=tuple(asked.cells)) if amount else None
    if record.table:
        table, column = field.game.tables[record.table], _column(field, record, asked)
        cells = tuple((record.table, row, table.columns.labels[column]) for row in table.cells)
        return Event(record, chances=table.distribution(column), cells=cells)
    if record.draw:
        total = sum(record.draw.values())
        return Event(record, chances={chit: Fraction(count, total) for chit, count in record.draw.items()})
    if record.contest:
        return Event(record, chances=_contest(field, record))
    if record.throw:
        return Event(record, chances={"the game ends": _chance(field, record, asked)})
    return Event(record, chances={"the game ends": Fraction(1)})


def _of_units(field: Field, record: TurnRule, side: str) -> Event | None:
    touched = [
        standing
        for standing in field.standings
        if side in ("", standing.side)
        and _changes(record, standing)
        and field.holds(record.when, field.walker(standing), to=standing.at)
    ]
    amount: Fraction | int = 0
    if record.restore is not None:
        amount = field.value_of(record.restore, Asked(field, no_unit(side), {}, None))
        if not amount:
            return None
    if not touched:
        return None
    if record.lose is not None:
        losses = {field.ask(record.lose, field.walker(standing), to=standing.at) for standing in touched}
        amount = losses.pop() if len(losses) == 1 else 0
    if not record.throw:
        return Event(record, tuple(touched), amount)
    each = {
        standing.key: _chance(field, record, Asked(field, field.walker(standing), {"to": standing.at}, None))
        for standing in touched
    }
    return Event(record, tuple(touched), amount, each=each)


def _changes(record: TurnRule, standing: Standing) -> bool:
    """Whether a record can change anything of a unit."""
    if record.set:
        return not standing.fields.get(record.set)
    if record.clear:
        return bool(standing.fields.get(record.clear))
    return record.restore is None or standing.steps < standing.unit.steps


def _chance(field: Field, record: TurnRule, asked: Asked) -> Fraction:
    """The chance that a throw is what is needed."""
    assert record.needs is not None
    total = Fraction(0)
    for roll, chance in thrown(record.throw).items():
        each = Asked(field, asked.walker, asked.places, {"roll": roll})
        total += chance * field.holds_of(record.needs, each)
    return total


def _column(field: Field, record: TurnRule, asked: Asked) -> int:
    """The column of a record's table on which is thrown."""
    table = field.game.tables[record.table]
    if record.column is None:
        return 0
    label = field.value_of(record.column, asked)
    if str(label) in table.columns.labels:
        return table.columns.labels.index(str(label))
    column = None if isinstance(label, str) else table.find_column(Fraction(label))
    if column is None:
        raise BadQuestion(f"{table.title} has no column {str(label)!r} (in {record.text!r} of the pack's rules)")
    return column


def _contest(field: Field, record: TurnRule) -> Mapping[str, Fraction]:
    """The chance that each side throws highest, and of a tie."""
    names = side_names(field.game, field.scenario)
    sides = {names.get(side, side): thrown(text) for side, text in record.contest.items()}
    found: dict[str, Fraction] = {}
    for side, chances in sides.items():
        found[side] = Fraction(0)
        for roll, chance in chances.items():
            for other, others in sides.items():
                if other != side:
                    chance *= sum((more for lower, more in others.items() if lower < roll), Fraction(0))
            found[side] += chance
    return {**found, "tie": 1 - sum(found.values(), Fraction(0))}


# --- the answer -------------------------------------------------------------------------------------------------------


def _turn(game: Game, told: Told) -> Answer:
    field = asked_field(game, told)
    turn, last = field.position.turn, field.scenario.turns.last if field.scenario and field.scenario.turns else None
    name = game.turns.names[turn - 1] if game.turns and game.turns.names and 0 < turn <= len(game.turns.names) else ""
    head = f"Turn {turn}" + f" of {last}" * (last is not None) + f", {name}" * bool(name)
    nodes: list[Node] = [said(head), Value("turn", turn, shown=False)]
    arriving = list(_arriving(field))
    if arriving:
        nodes.append(
            Table("reinforcements", [Column("said", "come", told=False)], arriving, "Reinforcements", heads=False)
        )
    sections = []
    all_events: list[Event] = []
    for phase in _phases(game, field):
        in_phase = list(events(field, phase))
        inside = [*_chores(field, phase), *(_shown(field, event) for event in in_phase)]
        sections.append(_section(phase.name, phase.id, phase.side, inside, phase.rule, phase.note))
        all_events += in_phase
    ends = list(events(field, None))
    if ends:
        sections.append(_section("At the end of the turn", "end", "", [_shown(field, event) for event in ends], "", ""))
    nodes.append(Several("phases", sections))
    if last is not None and turn >= last:
        nodes.append(Line("the last turn: then the game ends"))
    cells = [(cell[0], cell[1], cell[2]) for event in (*all_events, *ends) for cell in event.cells if len(cell) == 3]
    nodes.append(Ours(ours(game, cells=cells)))
    return Answer("turn", game.id, nodes)


def _section(title: str, phase: str, side: str, happens: list[Section], rule: str, note: str) -> Section:
    inside: list[Node] = [Value("phase", phase, shown=False), Value("side", side, shown=False)]
    inside += [Line(note, rule)] if note else []
    return Section([*inside, Several("happens", happens)], f"{title} ({rule})" if rule and not note else title)


def _phases(game: Game, field: Field) -> Iterator[Phase]:
    key = field.scenario.sequence if field.scenario and field.scenario.sequence else next(iter(game.sequence), "")
    if key in game.sequence:
        yield from _flat(game.sequence[key].phases, field.position.turn)


def _flat(phases: Iterable[Phase], turn: int) -> Iterator[Phase]:
    for phase in phases:
        if phase.turn in (0, turn) and phase.since <= turn:
            yield phase
            yield from _flat(phase.phases, turn)


def _arriving(field: Field) -> Iterator[dict[str, Cell]]:
    """The groups that may come this turn and aren't on the map yet."""
    game, scenario, turn = field.game, field.scenario, field.position.turn
    if scenario is None:
        return
    where = Where(game, field.position.scenario)
    waiting: dict[str, int] = {}
    for piece in field.position.pieces:
        if isinstance(piece.at, str) and piece.at.partition(":")[0] in ("turn", "setup"):
            waiting[piece.unit] = waiting.get(piece.unit, 0) + 1
    for side, force in scenario.forces.items():
        for group in force.groups:
            entry = group.enters
            way = (
                next((one for one in entry.ways if one.turn <= turn <= (one.until or one.turn)), None)
                if entry
                else None
            )
            if entry is None or way is None:
                continue
            units = {unit: min(count, waiting.get(unit, 0)) for unit, count in group.units.items()}
            if not any(units.values()):
                continue
            at = where.words(way.at) if way.at else ""
            yield {
                "side": side,
                "group": group.id,
                "units": {unit: count for unit, count in units.items() if count},
                "text": at,
                "condition": entry.condition,
                "only_with": group.only_with,
                "together": entry.together,
                "rule": group.rule,
                "note": group.note,
                "said": _arrival(field, side, group, units, at, way),
            }


def _arrival(field: Field, side: str, group: Group, units: Mapping[str, int], at: str, way: Arrival) -> str:
    """A group that may come, in words; with its owner's other choices, and until when it may come."""
    game, entry = field.game, group.enters
    assert entry is not None
    names = ((game.units[unit].name, count) for unit, count in units.items() if count)
    listed = ", ".join(f"{count} x {name}" if count > 1 else name for name, count in names)
    whose = side_names(game, field.scenario).get(side, side)
    # Who comes only on a condition may never come: then there is no latest turn, only a last one.
    last = f"; not after turn {way.until}" if entry.condition else f"; on turn {way.until} at the latest"
    until = last if way.until else ""
    condition = f", if {entry.condition}" if entry.condition else ""
    optional = f", only with {group.only_with}" if group.only_with else ""
    where = Where(game, field.position.scenario)
    others = [one for one in entry.ways if one is not way]
    choice = "".join(
        f"; {'its owner may choose' if one.turn > way.turn else 'if it did not come on'} turn {one.turn}"
        + (f" {where.words(one.at)}" if one.at else "")
        + " instead" * (one.turn > way.turn)
        for one in others
    )
    together = ", all together" * entry.together
    note = f"; {group.note}" if group.note else ""
    return f"{whose}: {listed}" + f" {at}" * bool(at) + together + optional + condition + until + choice + note


def _chores(field: Field, phase: Phase) -> Iterator[Section]:
    """What the sequence of play itself takes off in a phase, where no rule says it."""
    for chore in phase.chores:
        said_by_rules = any(
            record.clear == chore.clear and phase.id in record.phases for record in field.program.rules.turn
        )
        if chore.clear and not said_by_rules:
            units = [standing for standing in field.standings if _chore_fits(field, chore, phase, standing)]
            if units:
                state = field.game.states[chore.clear].name.lower()
                yield _listed(f"no longer {state}", "", units, {"clears": chore.clear})


def _chore_fits(field: Field, chore: Chore, phase: Phase, standing: Standing) -> bool:
    fields, side = standing.fields, chore.side or phase.side
    mine = side not in field.sides or standing.side == side
    of = not chore.of or bool({standing.unit.id, standing.unit.class_, standing.unit.template} & {*chore.of})
    return bool(fields.get(chore.clear)) and mine and of and not (chore.unless and fields.get(chore.unless))


def _shown(field: Field, event: Event) -> Section:
    record, states = event.record, field.game.states
    if event.chances is not None:
        return _chances(field, event)
    if record.set:
        effect, told = states[record.set].name.lower(), {"sets": record.set}
    elif record.clear:
        effect, told = f"no longer {states[record.clear].name.lower()}", {"clears": record.clear}
    elif record.gain is not None:
        inside: list[Node] = [Value("text", record.text, shown=False), Value("rule", record.rule, shown=False)]
        title = f"{record.text}: {event.amount}" + f" ({record.rule})" * bool(record.rule)
        return Section([*inside, Value("gain", event.amount, shown=False)], title)
    elif record.restore is not None:
        whom = "one to a unit" if record.to_each == "one" else "as many to a unit as it has lost"
        effect, told = (
            f"{event.amount} step{'s' * (event.amount != 1)} may come back, {whom}",
            {"restore": str(event.amount)},
        )
    else:
        steps = f"{event.amount} step{'s' * (event.amount != 1)}" if event.amount else "steps, not all the same number"
        effect, told = f"each loses {steps}", {"lose": str(event.amount) if event.amount else "steps"}
    text = record.text if record.text.lower() == effect else f"{record.text}: {effect}"
    return _listed(text, record.rule, event.units, told, event.each or {})


def _listed(
    text: str, rule: str, units: Iterable[Standing], told: Mapping[str, str], each: Mapping[str, Fraction] | None = None
) -> Section:
    chances = each or {}
    rows: list[dict[str, Cell]] = []
    for standing in units:
        chance: Cell = Chance(chances[standing.key]) if standing.key in chances else None
        rows.append({"unit": Counter(standing.key, standing.name), "chance": chance})
    columns = [Column("unit", "unit"), Column("chance", "chance" if chances else "")]
    inside: list[Node] = [Value(key, value, shown=False) for key, value in told.items()]
    inside += [Value("text", text, shown=False), Value("rule", rule, shown=False)]
    if chances:
        inside.append(Table("units", columns, rows, heads=False))
    else:
        inside += [
            said(", ".join(standing.name for standing in units)),
            Value("units", [row["unit"] for row in rows], shown=False),
        ]
    return Section(inside, f"{text} ({rule})" if rule else text)


def _chances(field: Field, event: Event) -> Section:
    record = event.record
    table = field.game.tables.get(record.table)
    meanings = (
        {code: table.results[code].meaning for code in event.chances or {} if code in table.results} if table else {}
    )
    inside: list[Node] = [
        Value("text", record.text, shown=False),
        Value("rule", record.rule, shown=False),
        Chances("chances", event.chances or {}, meanings=meanings),
    ]
    return Section(inside, f"{record.text} ({record.rule})" if record.rule else record.text)


def turn_question(game: Game) -> Question | None:
    """The question `turn`, where a pack has anything to say of a turn."""
    rules = game.rules
    arriving = any(
        group.enters
        for scenario in game.scenarios.values()
        for force in scenario.forces.values()
        for group in force.groups
    )
    if not (game.sequence or arriving or (rules is not None and rules.turn)) or not (game.maps or game.scenario_maps):
        return None
    about = "what a turn brings: who arrives, which states come and go, what is thrown for"
    return Question(name="turn", about=about, inputs=ON_ANY_MAP, answer=_turn, bare=("turn",))

"""The points of a position and who wins: the scenario's lines, and the records of `rules.victory`. The question is `score`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from assistant.answers import Answer, BadQuestion, Cell, Column, Node, Ours, Place, Table, Value
from assistant.answers import Line as Said
from assistant.questions import Input, Question, Told
from assistant.rules.asked import Asked
from assistant.rules.field import Field, Fields, Walker, no_unit
from assistant.rules.kinds import program_of
from assistant.rules.looks import places_where
from assistant.rules.odds import side_names
from assistant.rules.placed import asked_field
from assistant.rules.program import Program
from assistant.rules.questions import MAP, told_input
from assistant.rules.scoring import Counted, Line, Score, Tally, score_nodes
from assistant.sourced import ours
from scenarios.data import OURS
from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.position import GONE, Piece, from_scenario, nation_of
from scenarios.resolve import Location
from scenarios.rules.shapes import Points, RuleInput
from scenarios.scenario import Victory
from scenarios.tables import span

NAMED = 4
"""So many places are named, the others counted."""


class Way(NamedTuple):
    """A way to win at once, and what is still missing; nothing if it is won."""

    side: str
    text: str
    rule: str
    lacks: tuple[str, ...]


@dataclass(frozen=True)
class ScoredPosition:
    """The points of a position; the ways to win at once; lines that it doesn't show, by their numbers; and how many units are
    missing in it."""

    score: Score
    ways: tuple[Way, ...]
    untold: Mapping[int, Victory]
    missing: int


def score(field: Field, told: Mapping[str, Fraction], besides: Sequence[Piece] = ()) -> ScoredPosition:
    """Every line counted. `told` gives the counts of lines that a position doesn't show, by number; `besides` are units that were
    lost and aren't in it."""
    lost, missing = _lost(field)
    tally = Tally(field, (*lost, *besides))
    lines: list[Line] = []
    ways: list[Way] = []
    untold: dict[int, Victory] = {}
    for number, victory in enumerate(field.scenario.victory if field.scenario else (), 1):
        counted = Counted(int(told[str(number)]), "as told") if str(number) in told else tally.count(victory)
        tell = tally.untold(victory) if counted.times != 0 and str(number) not in told else ""
        tell = tell or str(number) * (counted.times is None)
        count, lacks = counted.times or 0, () if tell else missing_needs(tally, victory)
        if tell:
            untold[number] = victory
        if victory.wins and not tell:
            short = (
                ()
                if str(number) in told and count >= victory.least
                else (*_short(field, victory, count, counted.others),)
            )
            ways.append(Way(victory.side, victory.text, victory.rule, (*short, *lacks)))
        elif victory.points is not None and not victory.wins:
            count = count if count >= victory.least and not lacks and not tell else 0
            count, note = min(count, 1) if victory.per == "once" else count, counted.note or "; ".join(lacks)
            lines.append(
                Line(
                    victory.player or victory.side,
                    " ".join(victory.text.split()),
                    victory.rule,
                    victory.points,
                    count,
                    counted.places,
                    number,
                    tell,
                    note,
                )
            )
    rules = field.program.rules.victory
    for record in rules.points if rules is not None else ():
        _record(tally, record, lines, ways)
    won = tuple((way.side, way.text) for way in ways if not way.lacks)
    return ScoredPosition(Score(tuple(lines), level(field, lines, won), won), tuple(ways), untold, missing)


def _lost(field: Field) -> tuple[list[Piece], int]:
    """The units that are gone: in a box for the dead or, unless the rules say otherwise, not in the position at all; and how many
    of the latter."""
    position, rules = field.position, field.program.rules.victory
    if position.scenario not in field.game.scenarios or (rules is not None and rules.missing == "unknown"):
        return list(field.lost), 0
    there = Counter((piece.unit, piece.copy) for piece in position.pieces)
    start = from_scenario(field.game, position.scenario).pieces
    missing = [piece for piece in start if (piece.unit, piece.copy) not in there and piece.unit in field.game.units]
    return [*field.lost, *missing], len(missing)


def last_turn(field: Field) -> int | None:
    """The turn after which the game is over."""
    turns = field.scenario.turns if field.scenario is not None else None
    if turns is None:
        return None
    sooner = turns.sooner
    return sooner.last if sooner is not None and field.holds(sooner.when, no_unit()) else turns.last


def _short(field: Field, line: Victory, count: int, others: Sequence[Location]) -> Iterator[str]:
    """What a line that wins lacks of its own count."""
    if line.most is not None:
        if count > line.most:
            yield f"{count - line.most} fewer of them"
    elif count < line.least:
        yield (
            f"{line.least - count} more"
            + f" of {_names(field, [field.kinds.number[spot] for spot in others])}" * bool(others)
        )


def missing_needs(tally: Tally, line: Victory | Points) -> tuple[str, ...]:
    """Those of the needs of a line or a record that aren't met, in words; none of them, if all are."""
    return tuple(_missing_needs(tally, line))


def _missing_needs(tally: Tally, line: Victory | Points) -> Iterator[str]:
    field, whole = tally.field, tally.whole(line.side)
    for need in line.needs:
        if not field.holds_of(need.when, whole):
            continue
        rule = f" ({need.rule})" * (need.rule not in ("", *line.rule.split(", ")))
        least = field.value_of(need.least, whole) if need.least is not None else None
        if need.amount is not None:
            assert least is not None
            short = least - field.value_of(need.amount, whole)
            if short > 0:
                yield f"{short} more {need.text}{rule}"
        elif need.among is None:
            if not field.holds_of(need.that, whole):
                yield f"{need.text}{rule}"
        else:
            asker = no_unit(line.side)
            among = places_where(field, need.among, asker)
            others = [n for n in among if not field.holds(need.that, asker, to=n)]
            short = len(others) if least is None else least - (len(among) - len(others))
            if short > 0:
                so = (
                    f"not so in {_names(field, others)}"
                    if least is None
                    else _names(field, others, "or")
                    if short == 1
                    else (f"{short} more of {_names(field, others)}")
                )
                yield f"{need.text}{rule}: {so}"


def _place(field: Field, n: int) -> Place:
    """A place in an answer: by its own name, or that of the town or fort in its hex."""
    map, place = field.kinds.map, field.place(n)
    if isinstance(map, HexMap) and str(place) == place.name:
        return Place(
            place.name, next((spot.name for spot in map.places.values() if field.kinds.places[n] in spot.hexes), "")
        )
    return place


def _names(field: Field, places: Sequence[int], word: str = "and") -> str:
    names = sorted(str(_place(field, n)) for n in places)
    if len(names) > NAMED + 1:
        names = [*names[:NAMED], f"{len(names) - NAMED} others"]
    return f" {word} ".join(([", ".join(names[:-1])] if names[1:] else []) + names[-1:])


def _record(tally: Tally, record: Points, lines: list[Line], ways: list[Way]) -> None:
    """A record of the rules: for each unit, loss or place that counts, or once."""
    field, living, whole = tally.field, tally.living, tally.whole(record.side)
    if not field.holds_of(record.when, whole):
        return
    worth: list[Fraction] = []
    spots: list[Location] = []

    def count(asked: Asked) -> None:
        worth.append(Fraction(field.value_of(record.points, asked)) if record.points is not None else Fraction(1))

    if record.of is not None:
        for standing in field.standings:
            asked = Asked(field, field.walker(standing), {"to": standing.at}, {"units": living})
            if field.holds_of(record.of, asked):
                count(asked)
    elif record.lost is not None:
        for fields in filter(None, (_fields(field, piece) for piece in tally.lost)):
            asked = Asked(field, Walker(str(fields["side"]), fields), {}, {"units": living})
            if field.holds_of(record.lost, asked):
                count(asked)
    elif record.places is not None:
        for n, place in enumerate(field.kinds.places):
            asked = Asked(field, no_unit(record.side), {"to": n}, {"units": living})
            if field.holds_of(record.places, asked):
                count(asked)
                spots.append(place)
    else:
        count(whole)
    lacks = missing_needs(tally, record)
    if record.wins:
        ways += [Way(record.side, record.text, record.rule, lacks)] * bool(worth)
    elif lacks:
        lines.append(Line(record.side, record.text, record.rule, Fraction(0), 0, ()))
    elif len(set(worth)) == 1:
        lines.append(Line(record.side, record.text, record.rule, worth[0], len(worth), tuple(spots)))
    else:  # units that are worth different points: all of them in one line
        lines.append(
            Line(record.side, record.text, record.rule, sum(worth, Fraction(0)), int(bool(worth)), tuple(spots))
        )


def _fields(field: Field, piece: Piece) -> Fields | None:
    """What is asked of a unit that is gone."""
    place = field.kinds.places[0] if field.kinds.places else None
    if piece.unit not in field.game.units or place is None:
        return None
    return field.as_if(piece._replace(at=place)).fields


def level(field: Field, lines: Sequence[Line], won: Sequence[tuple[str, str]]) -> str:
    """What the lead is called; in a scenario without points, who alone has won."""
    rules, scenario = field.program.rules.victory, field.scenario
    if not lines and scenario is not None and any(line.wins for line in scenario.victory):
        sides = {side for side, _ in won}
        return f"{side_names(field.game, scenario)[sides.pop()]} victory" if len(sides) == 1 else "Draw"
    totals = {side: sum((line.points for line in lines if line.side == side), Fraction(0)) for side in field.sides}
    if rules is not None and rules.of:
        return level_of(
            field,
            totals[rules.of]
            - max((points for side, points in totals.items() if side != rules.of), default=Fraction(0)),
        )
    first, *others = sorted(totals.values(), reverse=True) or [Fraction(0)]
    if rules is None or not rules.levels:
        return "even" if others and first == others[0] else "ahead"
    second = others[0] if others else Fraction(0)
    return level_of(field, (first / second if second else first) if rules.lead == "ratio" else first - second)


def level_of(field: Field, lead: Fraction) -> str:
    """What a lead is called, by the table of levels; nothing where the table has no row for a tie."""
    rules = field.program.rules.victory
    assert rules is not None
    table = field.game.tables[rules.levels]
    if table.columns.kind == "names":
        return table.cell(str(lead), 0).code if lead or any(span(row).holds(lead) for row in table.cells) else ""
    column = table.find_column(lead)
    return table.cell(next(iter(table.cells)), column or 0).code


# --- the answer -------------------------------------------------------------------------------------------------------


def _score(game: Game, told: Told) -> Answer:
    field = asked_field(game, told)
    position, counts = field.position, {key.removeprefix("line:"): count for key, count in told.get("tell", {}).items()}
    lines = len(field.scenario.victory) if field.scenario is not None else 0
    for number in counts:
        if not number.isdecimal() or not 1 <= int(number) <= lines:
            raise BadQuestion(
                f"tell: there is no victory line {number!r}; they are 1 to {lines}, as in tell=1:2"
                if lines
                else "tell: the scenario has no victory lines"
            )
    besides = [
        Piece(named.id, f"lost {n}", nation_of(game, position.scenario, named.id), GONE)
        for named in told.get("lost", ())
        for n in range(1, named.count + 1)
    ]
    try:
        found = score(field, counts, besides)
    except ValueError as error:  # a piece that has left the map somewhere where it has no edge
        raise BadQuestion(str(error)) from None

    def name(spot: Location) -> Place:
        return _place(field, field.kinds.number[spot]) if spot in field.kinds.number else Place(str(spot))

    last, names = last_turn(field), side_names(game, field.scenario)
    totals = sorted((found.score.total(side) for side in names), reverse=True) or [Fraction(0)]
    nodes: list[Node] = [
        Value("turn", position.turn, shown=False),
        Value("last_turn", last, shown=False),
        Value("over", last is not None and position.turn >= last, shown=False),
        Value("difference", totals[0] - totals[1] if len(totals) > 1 else totals[0], shown=False),
        *score_nodes(game, found.score, name, names),
        *_tracks(field, told),
        *_ways(field, found),
    ]
    if last is not None and position.turn < last:
        nodes.append(
            Said(f"turn {position.turn} of {last}: what counts at the end is counted as if the game ended now")
        )
    if found.missing:
        units, are = ("unit", "is") if found.missing == 1 else ("units", "are")
        nodes.append(Said(f"{found.missing} {units} of the scenario {are} missing in the position: counted as gone"))
    notes = {line.number: line for line in found.score.lines}
    rows: list[dict[str, Cell]] = [
        {
            "number": number,
            "tell": notes[number].tell if number in notes else str(number),
            "text": line.text,
            "note": notes[number].note if number in notes else "",
            "side": line.side,
        }
        for number, line in found.untold.items()
    ]
    columns = [Column("number", "line"), Column("text", "for"), Column("note", "open"), Column("tell"), Column("side")]
    inputs = sorted({str(row["tell"]) for row in rows} & field.untold)
    how = "A position doesn't show these; tell how often, as in tell=LINE:2" + "".join(
        f", or {one}=NUMBER" for one in inputs
    )
    nodes.append(Table("untold", columns, rows, how if rows else ""))
    return Answer("score", game.id, [*nodes, Ours(_ours(field))])


def _ours(field: Field) -> dict[str, str]:
    """The scenario's lines that aren't the rulebook's."""
    sources = (line.source for line in (field.scenario.victory if field.scenario is not None else ()))
    mine = next((source for source in sources if source is not None and source.word in OURS), None)
    return ours(field.game, more={f"scenarios/{field.position.scenario}/victory": mine})


def _tracks(field: Field, told: Told) -> Iterator[Node]:
    """The numbers that are told, or read from the tracks of the position."""
    rows: list[dict[str, Cell]] = []
    notes: list[Node] = []
    for name, shape in _asked_for(field.program).items():
        if not shape.track:
            continue
        shown = field.position.on_track(shape.track) if name not in told else None
        rows.append({"track": name, "text": shape.title, "points": field.told[name], "on_track": shown is not None})
        if shown is None and name not in told:
            notes.append(Said(f"{shape.title} aren't told and count as {field.told[name]}: {name}=NUMBER"))
    columns = [
        Column("text", "on tracks"),
        Column("points", "so far"),
        Column("on_track", "read from the track"),
        Column("track"),
    ]
    if rows:
        yield Table("tracks", columns, rows)
    yield from notes


def _asked_for(program: Program) -> dict[str, RuleInput]:
    """The pack's inputs that points or wins ask for."""
    return {name: shape for name, shape in program.rules.inputs.items() if f"told.{name}" in program.winning}


def _ways(field: Field, found: ScoredPosition) -> Iterator[Node]:
    """The ways to win at once, and what each of them lacks."""
    names = side_names(field.game, field.scenario)
    rows: list[dict[str, Cell]] = [
        {"side": way.side, "text": way.text, "rule": way.rule, "lacks": list(way.lacks)} for way in found.ways
    ]
    if rows:
        yield Table("sudden_death", [Column("side"), Column("text"), Column("lacks"), Column("rule")], rows)
    for way in found.ways:
        if way.lacks:
            missing = "; ".join(way.lacks)
            yield Said(
                f"{names.get(way.side, way.side)} has not yet won by this: {way.text} Missing: {missing}", way.rule
            )


TELL = Input(
    name="tell", about="how often a line counts that a position doesn't show", kind="pairs", example="3:2", most=9999
)
LOST = Input(name="lost", about="units lost besides, as those whose counters came back", kind="units", example="2*UNIT")


def score_question(game: Game) -> Question | None:
    """The question `score`, where a pack says what wins."""
    lines = any(scenario.victory for scenario in game.scenarios.values())
    if not lines and (game.rules is None or game.rules.victory is None):
        return None
    asked = _asked_for(program_of(game)) if game.rules is not None else {}
    inputs = tuple(
        Input(name=name, about=f"{shape.title}, where that isn't what the position's track shows", kind="number")
        if shape.track
        else replace(told_input(name, shape), needed=False)  # a line that needs it stays open
        for name, shape in asked.items()
    )
    return Question(
        name="score",
        about="the points of a position, and who wins",
        inputs=(*inputs, TELL, LOST, *MAP),
        answer=_score,
        bare=("scenario",),
    )

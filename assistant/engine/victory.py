"""The points of a position and the winner: the scenario's lines, and the records of `rules.victory`. The question is
`score`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from assistant.engine.battle.odds import side_names
from assistant.engine.field import Field
from assistant.engine.map_index import program_of
from assistant.engine.notes import question_notes
from assistant.engine.placed_units import Fields, Mover, no_unit
from assistant.engine.program import Program
from assistant.engine.question_field import asked_field, asked_place
from assistant.engine.scope import Scope
from assistant.engine.scoring import Score, ScoreLine, Tallied, Tally, score_nodes
from assistant.engine.signatures import places_where
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Node,
    PlaceRef,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
)
from assistant.questions.question import ON_ANY_MAP, Input, Inputs, Question, counter_input, question_input
from assistant.unofficial import unofficial_addresses
from scenarios.areas.resolving import Location
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.position import REMOVED_WORD, Piece, from_scenario, nation_of
from scenarios.model.scenario import Victory
from scenarios.model.sources import UNOFFICIAL_SOURCES
from scenarios.model.tables import span
from scenarios.rules.counters import RuleCounter
from scenarios.rules.shapes import Points, RuleInput

NAME_LIMIT = 4
"""An answer names at most this many places and counts the others."""


class VictoryCondition(NamedTuple):
    """A way to win at once, and what is still missing; empty if it is won."""

    side: str
    text: str
    rule: str
    lacks: tuple[str, ...]
    places: tuple[Location, ...] = ()
    """Where it holds."""
    at_end: bool = False
    """Whether it decides at the end of the last turn only."""


@dataclass(frozen=True)
class ScoredPosition:
    """The points of a position; the ways to win at once; lines that it doesn't show, by number; and how many units
    are missing from it."""

    score: Score
    ways: tuple[VictoryCondition, ...]
    untold: Mapping[int, Victory]
    missing: int


def score(field: Field, counts: Mapping[str, Fraction], extra_losses: Sequence[Piece] = ()) -> ScoredPosition:
    """Count every line. `counts` gives the counts of lines that a position doesn't show, by number; `extra_losses`
    are lost units that aren't in it."""
    lost_pieces, missing = _lost_units(field)
    tally = Tally(field, (*lost_pieces, *extra_losses))
    rules = field.program.rules.victory
    player_ids = {name: key for key, name in rules.players.items()} if rules is not None else {}
    lines: list[ScoreLine] = []
    ways: list[VictoryCondition] = []
    untold: dict[int, Victory] = {}
    for number, victory in enumerate(field.scenario.victory if field.scenario else (), 1):
        result = Tallied(int(counts[str(number)]), "as entered") if str(number) in counts else tally.count(victory)
        tell = tally.untold(victory) if result.times != 0 and str(number) not in counts else ""
        tell = tell or str(number) * (result.times is None)
        count, lacks = result.times or 0, () if tell else missing_needs(tally, victory)
        if tell:
            untold[number] = victory
        if victory.wins and not tell:
            short = (
                ()
                if str(number) in counts and count >= victory.at_least
                else (*_short(field, victory, count, result.other_places),)
            )
            ways.append(
                VictoryCondition(
                    victory.side, victory.text, victory.rule, (*short, *lacks), result.places, victory.at_end
                )
            )
        elif victory.points is not None and not victory.wins:
            count = count if count >= victory.at_least and not lacks and not tell else 0
            count, note = min(count, 1) if victory.per == "once" else count, result.note or "; ".join(lacks)
            lines.append(
                ScoreLine(
                    player_ids.get(victory.player, victory.player or victory.side),
                    " ".join(victory.text.split()).removeprefix(f"{victory.player}: "),
                    victory.rule,
                    victory.points,
                    count,
                    result.places,
                    number,
                    tell,
                    note,
                )
            )
    for record in rules.points if rules is not None else ():
        _record(tally, record, lines, ways)
    won = tuple((way.side, way.text) for way in ways if not way.lacks)
    return ScoredPosition(Score(tuple(lines), level(field, lines, won), won), tuple(ways), untold, missing)


def _lost_units(field: Field) -> tuple[list[Piece], int]:
    """Return the lost units: in a dead pile or, unless the rules say otherwise, absent from the position; and the
    number of absent ones."""
    position, rules = field.position, field.program.rules.victory
    if position.scenario not in field.game.scenarios or (rules is not None and rules.missing == "unknown"):
        return list(field.lost_pieces), 0
    present_pieces = Counter((piece.unit, piece.copy) for piece in position.pieces)
    start = from_scenario(field.game, position.scenario).pieces
    missing = [
        piece for piece in start if (piece.unit, piece.copy) not in present_pieces and piece.unit in field.game.units
    ]
    return [*field.lost_pieces, *missing], len(missing)


def last_turn(field: Field) -> int | None:
    """Return the last turn of the game."""
    turns = field.scenario.turns if field.scenario is not None else None
    if turns is None:
        return None
    sooner = turns.early_end
    return sooner.last if sooner is not None and field.holds(sooner.when, no_unit()) else turns.last


def _short(field: Field, line: Victory, count: int, open_places: Sequence[Location]) -> Iterator[str]:
    """Yield what a winning line lacks of its own count."""
    if line.at_most is not None:
        if count > line.at_most:
            yield f"{count - line.at_most} fewer of them"
    elif count < line.at_least:
        yield (
            f"{line.at_least - count} more"
            + f" of {_names(field, [field.map_index.number[spot] for spot in open_places])}" * bool(open_places)
        )


def missing_needs(tally: Tally, line: Victory | Points) -> tuple[str, ...]:
    """Return the needs of a line or a record that aren't met, as text; empty if all are met."""
    return tuple(_missing_needs(tally, line))


def _missing_needs(tally: Tally, line: Victory | Points) -> Iterator[str]:
    field, scope = tally.field, tally.position_scope(line.side)
    for need in line.needs:
        if not field.holds_of(need.when, scope):
            continue
        rule = f" ({need.rule})" * (need.rule not in ("", *line.rule.split(", ")))
        min_value = field.value_of(need.at_least, scope) if need.at_least is not None else None
        if need.amount is not None:
            assert min_value is not None
            short = min_value - field.value_of(need.amount, scope)
            if short > 0:
                yield f"{short} more {need.text}{rule}"
        elif need.among is None:
            if not field.holds_of(need.that, scope):
                yield f"{need.text}{rule}"
        else:
            asker = no_unit(line.side)
            candidates = places_where(field, need.among, asker)
            open_places = [n for n in candidates if not field.holds(need.that, asker, to=n)]
            short = len(open_places) if min_value is None else min_value - (len(candidates) - len(open_places))
            if short > 0:
                detail = (
                    f"not true in {_names(field, open_places)}"
                    if min_value is None
                    else _names(field, open_places, "or")
                    if short == 1
                    else (f"{short} more of {_names(field, open_places)}")
                )
                yield f"{need.text}{rule}: {detail}"


def _place(field: Field, n: int) -> PlaceRef:
    """Return a place for an answer: by its own name, or that of the town or fort in its hex."""
    map, place = field.map_index.map, field.place(n)
    if isinstance(map, HexMap) and str(place) == place.name:
        return PlaceRef(
            place.name, next((spot.name for spot in map.places.values() if field.map_index.places[n] in spot.hexes), "")
        )
    return place


def _names(field: Field, places: Sequence[int], word: str = "and") -> str:
    names = sorted(str(_place(field, n)) for n in places)
    if len(names) > NAME_LIMIT + 1:
        names = [*names[:NAME_LIMIT], f"{len(names) - NAME_LIMIT} others"]
    return f" {word} ".join(([", ".join(names[:-1])] if names[1:] else []) + names[-1:])


def _record(tally: Tally, record: Points, lines: list[ScoreLine], ways: list[VictoryCondition]) -> None:
    """Apply a record of the rules: for each unit, loss or place that counts, or once."""
    field, living, side_scope = tally.field, tally.living, tally.position_scope(record.side)
    if not field.holds_of(record.when, side_scope):
        return
    worth: list[Fraction] = []
    spots: list[Location] = []

    def count(scope: Scope) -> None:
        worth.append(Fraction(field.value_of(record.points, scope)) if record.points is not None else Fraction(1))

    if record.of is not None:
        for unit in field.placed_units:
            scope = field.scope(field.mover(unit), {"to": unit.place}, {"units": living})
            if field.holds_of(record.of, scope):
                count(scope)
    elif record.lost is not None:
        for fields in filter(None, (_fields(field, piece) for piece in tally.lost_pieces)):
            scope = field.scope(Mover(str(fields["side"]), fields), {}, {"units": living})
            if field.holds_of(record.lost, scope):
                count(scope)
    elif record.places is not None:
        for n, place in enumerate(field.map_index.places):
            scope = field.scope(no_unit(record.side), {"to": n}, {"units": living})
            if field.holds_of(record.places, scope):
                count(scope)
                spots.append(place)
    else:
        count(side_scope)
    lacks = missing_needs(tally, record)
    if record.wins:
        ways += [VictoryCondition(record.side, record.text, record.rule, lacks)] * bool(worth)
    elif lacks:
        lines.append(ScoreLine(record.side, record.text, record.rule, Fraction(0), 0, ()))
    elif len(set(worth)) == 1:
        lines.append(ScoreLine(record.side, record.text, record.rule, worth[0], len(worth), tuple(spots)))
    else:  # units with different points share one line
        lines.append(
            ScoreLine(record.side, record.text, record.rule, sum(worth, Fraction(0)), int(bool(worth)), tuple(spots))
        )


def _fields(field: Field, piece: Piece) -> Fields | None:
    """Return the fields of a lost unit."""
    place = field.map_index.places[0] if field.map_index.places else None
    if piece.unit not in field.game.units or place is None:
        return None
    return field.as_if(piece._replace(at=place)).fields


def level(field: Field, lines: Sequence[ScoreLine], won: Sequence[tuple[str, str]]) -> str:
    """Return the level of the lead; in a scenario without points, the only winner."""
    rules, scenario = field.program.rules.victory, field.scenario
    if not lines and scenario is not None and any(line.wins for line in scenario.victory):
        sides = {side for side, _ in won}
        return f"{side_names(field.game, scenario)[sides.pop()]} victory" if len(sides) == 1 else "Draw"
    scorers = (*rules.players,) if rules is not None and rules.players else field.sides
    totals = {side: sum((line.points for line in lines if line.side == side), Fraction(0)) for side in scorers}
    if rules is not None and rules.nobody is not None and (_wins_alone(field, won) or max(totals.values()) <= 0):
        return rules.nobody.text
    if rules is not None and rules.of:
        return level_of(
            field,
            totals[rules.of]
            - max((points for side, points in totals.items() if side != rules.of), default=Fraction(0)),
        )
    first, *other_totals = sorted(totals.values(), reverse=True) or [Fraction(0)]
    if rules is None or not rules.levels:
        return "even" if other_totals and first == other_totals[0] else "ahead"
    second = other_totals[0] if other_totals else Fraction(0)
    return level_of(field, (first / second if second else first) if rules.lead == "ratio" else first - second)


def _wins_alone(field: Field, won: Sequence[tuple[str, str]]) -> bool:
    """Whether a side has won for which no player scores."""
    scoring = {line.side for line in (field.scenario.victory if field.scenario else ()) if line.player}
    return any(side not in scoring for side, _ in won)


def level_of(field: Field, lead: Fraction) -> str:
    """Return the name of a lead by the table of levels; empty where the table has no row for a tie."""
    rules = field.program.rules.victory
    assert rules is not None
    table = field.game.tables[rules.levels]
    if table.columns.kind == "names":
        return table.cell(str(lead), 0).code if lead or any(span(row).holds(lead) for row in table.cells) else ""
    column = table.find_column(lead)
    return table.cell(next(iter(table.cells)), column or 0).code


# --- the answer -------------------------------------------------------------------------------------------------------


def _score(game: Game, question_inputs: Inputs) -> Answer:
    field = _controlled_field(game, question_inputs)
    position, counts = (
        field.position,
        {key.removeprefix("line:"): count for key, count in question_inputs.get("counts", {}).items()},
    )
    lines = len(field.scenario.victory) if field.scenario is not None else 0
    for number in counts:
        if not number.isdecimal() or not 1 <= int(number) <= lines:
            raise BadQuestion(
                f"counts: there is no victory line {number!r}; the lines are 1 to {lines}, as in counts=1:2"
                if lines
                else "counts: the scenario has no victory lines"
            )
    extra_losses = [
        Piece(unit_ref.id, f"lost {n}", nation_of(game, position.scenario, unit_ref.id), REMOVED_WORD)
        for unit_ref in question_inputs.get("lost", ())
        for n in range(1, unit_ref.count + 1)
    ]
    try:
        scored_position = score(field, counts, extra_losses)
    except ValueError as error:  # a piece left the map at a place without an edge
        raise BadQuestion(str(error)) from None

    def name(spot: Location) -> PlaceRef:
        return _place(field, field.map_index.number[spot]) if spot in field.map_index.number else PlaceRef(str(spot))

    rules = field.program.rules.victory
    last, names = last_turn(field), side_names(game, field.scenario)
    if last is None or position.turn < last:
        at_once = tuple((way.side, way.text) for way in scored_position.ways if not way.lacks and not way.at_end)
        scored_position = replace(scored_position, score=replace(scored_position.score, won=at_once))
    names = dict(rules.players) if rules is not None and rules.players else names
    totals = sorted((scored_position.score.total(side) for side in names), reverse=True) or [Fraction(0)]
    nodes: list[Node] = [
        Value("turn", position.turn, for_people=False),
        Value("last_turn", last, for_people=False),
        Value("over", last is not None and position.turn >= last, for_people=False),
        Value("difference", totals[0] - totals[1] if len(totals) > 1 else totals[0], for_people=False),
        *score_nodes(game, scored_position.score, name, names, _nobody(field, scored_position)),
        *_tracks(field, question_inputs),
        *_ways(field, scored_position, name),
        *_what_if(game, question_inputs, counts, extra_losses),
        *question_notes(field, "score"),
    ]
    if last is not None and position.turn < last:
        nodes.append(
            Sentence(
                f"turn {position.turn} of {last}: what counts at the end of the game is counted as if it ended now"
            )
        )
    if scored_position.missing:
        units, are = ("unit", "is") if scored_position.missing == 1 else ("units", "are")
        nodes.append(
            Sentence(
                f"{scored_position.missing} {units} of the scenario {are} missing from the position and count as eliminated"
            )
        )
    notes = {line.number: line for line in scored_position.score.lines}
    rows: list[dict[str, Cell]] = [
        {
            "number": number,
            "input": notes[number].tell if number in notes else str(number),
            "text": line.text,
            "note": notes[number].note if number in notes else "",
            "side": line.side,
        }
        for number, line in scored_position.untold.items()
        if not _is_of_levels(field, line)
    ]
    columns = [
        TableColumn("number", "line"),
        TableColumn("text", "for"),
        TableColumn("note", "status"),
        TableColumn("input"),
        TableColumn("side"),
    ]
    inputs = sorted({str(row["input"]) for row in rows} & field.untold)
    explanation = "A position doesn't show these; enter how often they happened, as in counts=LINE:2" + "".join(
        f", or {input_name}=NUMBER" for input_name in inputs
    )
    nodes.append(RowTable("missing_inputs", columns, rows, explanation if rows else ""))
    return Answer("score", game.id, [*nodes, Unofficial(_unofficial_lines(field, scored_position))])


def _is_of_levels(field: Field, line: Victory) -> bool:
    """Whether a line only says that the table of levels decides; the answer tells the level anyway."""
    rules = field.program.rules.victory
    return line.wins and rules is not None and bool(rules.levels) and line.condition == f"the table {rules.levels}"


def _nobody(field: Field, scored_position: ScoredPosition) -> list[Node]:
    """Say that nobody wins, and by which rule."""
    rules = field.program.rules.victory
    if rules is None or rules.nobody is None or scored_position.score.level != rules.nobody.text:
        return []
    return [Sentence(rules.nobody.text, rules.nobody.rule)]


def _unofficial_lines(field: Field, scored_position: ScoredPosition) -> dict[str, str]:
    """Return the scenario's unofficial lines: of several players those that count for something, each by itself."""
    lines, name = field.scenario.victory if field.scenario is not None else (), field.position.scenario
    counted = {line.number for line in scored_position.score.lines if line.count}
    rules = field.program.rules.victory
    if rules is not None and rules.players:
        sources = {
            f"scenarios/{name}/victory/{number - 1}/points": line.sources.get("points") or line.source
            for number, line in enumerate(lines, 1)
            if number in counted
        }
        return unofficial_addresses(field.game, other_sources=sources)
    unofficial_source = next(
        (line.source for line in lines if line.source is not None and line.source.word in UNOFFICIAL_SOURCES), None
    )
    return unofficial_addresses(field.game, other_sources={f"scenarios/{name}/victory": unofficial_source})


def _tracks(field: Field, inputs: Inputs) -> Iterator[Node]:
    """Yield the numbers that the player gives, or that the tracks of the position show."""
    rows: list[dict[str, Cell]] = []
    notes: list[Node] = []
    for name, shape in _counters_asked_for(field.program).items():
        track_value = field.position.on_track(shape.track) if name not in inputs else None
        rows.append(
            {"track": name, "text": shape.title, "points": field.inputs[name], "on_track": track_value is not None}
        )
        if track_value is None and name not in inputs:
            notes.append(
                Sentence(f"{shape.title} have not been entered and count as {field.inputs[name]}: {name}=NUMBER")
            )
    columns = [
        TableColumn("text", "on tracks"),
        TableColumn("points", "so far"),
        TableColumn("on_track", "read from the track"),
        TableColumn("track"),
    ]
    if rows:
        yield RowTable("tracks", columns, rows)
    yield from notes


def _asked_for(program: Program) -> dict[str, RuleInput]:
    """Return the pack's inputs that points or victory ask for."""
    return {name: shape for name, shape in program.rules.inputs.items() if f"input.{name}" in program.winning}


def _counters_asked_for(program: Program) -> dict[str, RuleCounter]:
    """Return the pack's counters that points or victory ask for."""
    return {name: counter for name, counter in program.rules.counters.items() if f"counter.{name}" in program.winning}


def _controlled_field(game: Game, question_inputs: Inputs) -> Field:
    """Return the position of the question, with the control of empty places that it gives."""
    field = asked_field(game, question_inputs)
    control = question_inputs.get("control", {})
    return field.with_control({asked_place(field.map_index, place, "control"): side for place, side in control.items()})


def _what_if(
    game: Game, question_inputs: Inputs, counts: Mapping[str, Fraction], extra_losses: Sequence[Piece]
) -> Iterator[Node]:
    """Yield the result with each input one higher that declares a what-if, and with all of them."""
    inputs = game.rules.inputs if game.rules is not None else {}
    changes: dict[str, tuple[str, ...]] = {shape.what_if: (name,) for name, shape in inputs.items() if shape.what_if}
    if len(changes) > 1:
        changes["all of these"] = tuple(name for names in changes.values() for name in names)
    rows: list[dict[str, Cell]] = []
    for text, names in changes.items():
        higher = {name: Fraction(question_inputs.get(name, 0)) + 1 for name in names}
        found = score(_controlled_field(game, {**question_inputs, **higher}), counts, extra_losses).score
        if any(line.points for line in found.lines):
            rows.append({"change": text, "level": found.level})
    if rows:
        yield RowTable("what_if", [TableColumn("change", "what if"), TableColumn("level", "then")], rows)


def _ways(field: Field, scored_position: ScoredPosition, name: Callable[[Location], PlaceRef]) -> Iterator[Node]:
    """Yield the ways to win outright, and what each of them lacks."""
    names = side_names(field.game, field.scenario)
    rows: list[dict[str, Cell]] = [
        {
            "side": way.side,
            "text": way.text,
            "rule": way.rule,
            "lacks": list(way.lacks),
            "places": [name(place) for place in way.places],
            "at_end": way.at_end,
        }
        for way in scored_position.ways
    ]
    if rows:
        columns = [TableColumn(key) for key in ("side", "text", "lacks", "rule", "places", "at_end")]
        yield RowTable("sudden_death", columns, rows)
    for way in scored_position.ways:
        if not way.lacks and way.at_end:
            yield Sentence(f"{names.get(way.side, way.side)} wins if the game ends so: {way.text}", way.rule)
        if way.lacks:
            missing = "; ".join(way.lacks)
            yield Sentence(
                f"{names.get(way.side, way.side)} has not yet met this condition: {way.text} Still needed: {missing}",
                way.rule,
            )


TELL = Input(
    name="counts",
    about="how often a victory line counts that a position doesn't show",
    kind="pairs",
    example="3:2",
    maximum=9999,
)
CONTROL = Input(
    name="control",
    about="the side that was last in an empty place",
    kind="pairs",
    values="side",
    example="0101:SIDE",
)
LOST_INPUT = Input(
    name="lost",
    about="eliminated units that the position doesn't show, such as counters that came back",
    kind="units",
    example="2*UNIT",
)


def score_question(game: Game) -> Question | None:
    """Return the question `score`, where a pack says how to win."""
    lines = any(scenario.victory for scenario in game.scenarios.values())
    if not lines and (game.rules is None or game.rules.victory is None):
        return None
    program = program_of(game) if game.rules is not None else None
    rule_inputs = _asked_for(program) if program is not None else {}
    counters = _counters_asked_for(program) if program is not None else {}
    controlled = any(line.event == "controlled" for scenario in game.scenarios.values() for line in scenario.victory)
    inputs = (
        *((CONTROL,) if controlled else ()),
        *(counter_input(name, counter) for name, counter in counters.items()),
        # A line that needs an input stays open without it.
        *(replace(question_input(name, shape), required=False) for name, shape in rule_inputs.items()),
    )
    return Question(
        name="score",
        about="the victory points of a position, and who wins",
        inputs=(*inputs, TELL, LOST_INPUT, *ON_ANY_MAP),
        answer=_score,
        positional=("scenario",),
    )

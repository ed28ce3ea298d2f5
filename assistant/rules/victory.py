"""The points of a position and who wins: the scenario's lines, and the records of `rules.victory`. The question is `score`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from assistant.answers import Answer, Cell, Column, Node, Place, Table, Value
from assistant.answers import Line as Said
from assistant.questions import Input, Question, Told
from assistant.rules.asked import Asked
from assistant.rules.attacking import nobody
from assistant.rules.field import Field, Fields, Walker
from assistant.rules.kinds import program_of
from assistant.rules.odds import side_names
from assistant.rules.placed import asked_field
from assistant.rules.program import Program
from assistant.rules.questions import MAP, told_input
from assistant.rules.scoring import Line, Score, matches, score_nodes
from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.position import Piece, from_scenario
from scenarios.resolve import Location, Resolver
from scenarios.rules.shapes import Points
from scenarios.rules.shapes import Told as Shape
from scenarios.scenario import Scenario, Victory

NAMED = 4
"""So many places are named, the others counted."""


class Way(NamedTuple):
    """A way to win at once, and what is still missing; nothing if it is won."""

    side: str
    text: str
    rule: str
    lacks: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """The points of a position; the ways to win at once; lines that it doesn't show, by their numbers; and how many units are
    missing in it."""

    score: Score
    ways: tuple[Way, ...]
    untold: Mapping[int, Victory]
    missing: int


def score(field: Field, told: Mapping[str, Fraction]) -> Found:
    """Every line counted. `told` gives the counts of lines that a position doesn't show, by number."""
    lost, missing = _lost(field)
    lines: list[Line] = []
    ways: list[Way] = []
    untold: dict[int, Victory] = {}
    for number, victory in enumerate(field.scenario.victory if field.scenario else (), 1):
        counted = (int(told[str(number)]), (), ()) if str(number) in told else _counted(field, victory, lost)
        if counted is None:
            untold[number] = victory
            counted = 0, (), ()
        count, spots, others = counted
        if victory.wins and number not in untold:
            lacks = () if str(number) in told and count >= victory.least else (*_short(field, victory, count, others),)
            ways.append(Way(victory.side, victory.text, victory.rule, (*lacks, *missing_needs(field, victory))))
        elif victory.points is not None and not victory.wins:
            count = count if count >= victory.least and not missing_needs(field, victory) else 0
            count = min(count, 1) if victory.per == "once" else count
            lines.append(Line(victory.player or victory.side, victory.text, victory.rule, victory.points, count, spots))
    rules = field.program.rules.victory
    for record in rules.points if rules is not None else ():
        _record(field, record, lost, lines, ways)
    won = tuple((way.side, way.text) for way in ways if not way.lacks)
    return Found(Score(tuple(lines), level(field, lines, won), won), tuple(ways), untold, missing)


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


Counted = tuple[int, tuple[Location, ...], tuple[Location, ...]]
"""How often a line counts, in which places, and the places of the line where it doesn't."""


def _counted(field: Field, line: Victory, lost: list[Piece]) -> Counted | None:
    """How often a line of the scenario counts; None where a position can't show it."""
    scenario = field.scenario
    assert scenario is not None
    if line.condition and not line.needs:
        return None
    spots = tuple(sorted(Resolver(field.kinds.map, dict(scenario.zones)).places(line.at), key=str)) if line.at is not None else ()
    match line.event:
        case "occupied" | "controlled" if line.at is not None:
            occupied = line.event == "occupied"
            whose = line.who.side if line.who is not None and line.who.side else line.side
            held = tuple(spot for spot in spots if _holds(field, whose, field.kinds.number.get(spot), occupied))
            return len(held), held, tuple(spot for spot in spots if spot not in held)
        case "eliminated" if line.at is None:
            gone = [piece for piece in lost if _matches(field, line, piece)]
            return (sum(field.game.units[piece.unit].steps for piece in gone) if line.per == "step" else len(gone)), (), ()
        case "remaining" if line.at is not None and (line.at.box or _of_markers(field, line)):
            inside = {f"box:{line.at.box}"} if line.at.box else set(spots)
            return sum(piece.at in inside and _is_meant(field, line, piece) for piece in field.position.pieces), (), ()
        case "remaining" | "survived" | "supplied":
            there = [s for s in field.standings if _matches(field, line, s.piece) and (not spots or field.kinds.places[s.at] in spots)]
            if line.event == "supplied":
                if field.program.rules.supply is None:
                    return None
                there = [s for s in there if field.supply(s.side).found(s, "supplied")]
            if line.per == "hex":
                places = tuple(field.kinds.places[n] for n in sorted({s.at for s in there}))
                return len(places), places, tuple(spot for spot in spots if spot not in places)
            return (sum(s.steps for s in there) if line.per == "step" else len(there)), (), ()
        case "other" if line.times is not None:
            return int(field.value_of(line.times, _whole(field, line.side))), (), ()
        case "other" if line.needs:
            return 1, (), ()
        case _:
            return None


def _short(field: Field, line: Victory, count: int, others: Sequence[Location]) -> Iterator[str]:
    """What a line that wins lacks of its own count."""
    if line.most is not None:
        if count > line.most:
            yield f"{count - line.most} fewer"
    elif count < line.least:
        yield f"{line.least - count} more" + f" of {_names(field, [field.kinds.number[spot] for spot in others])}" * bool(others)


def missing_needs(field: Field, line: Victory | Points) -> tuple[str, ...]:
    """Those of the needs of a line or a record that aren't met, in words; none of them, if all are."""
    return tuple(_missing_needs(field, line))


def _missing_needs(field: Field, line: Victory | Points) -> Iterator[str]:
    whole = _whole(field, line.side)
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
            asker = nobody(field, line.side)
            among = field.places_where(need.among, asker)
            others = [n for n in among if not field.holds(need.that, asker, to=n)]
            short = len(others) if least is None else least - (len(among) - len(others))
            if short > 0:
                so = f"not so in {_names(field, others)}" if least is None else _names(field, others, "or") if short == 1 else (
                    f"{short} more of {_names(field, others)}")  # fmt: skip
                yield f"{need.text}{rule}: {so}"


def _whole(field: Field, side: str) -> Asked:
    """What is asked of the whole position."""
    return Asked(field, nobody(field, side), {}, {})


def _place(field: Field, n: int) -> Place:
    """A place in an answer: by its own name, or that of the town or fort in its hex."""
    map, place = field.kinds.map, field.place(n)
    if isinstance(map, HexMap) and str(place) == place.name:
        return Place(place.name, next((spot.name for spot in map.places.values() if field.kinds.places[n] in spot.hexes), ""))
    return place


def _names(field: Field, places: Sequence[int], word: str = "and") -> str:
    names = sorted(str(_place(field, n)) for n in places)
    if len(names) > NAMED + 1:
        names = [*names[:NAMED], f"{len(names) - NAMED} others"]
    return f" {word} ".join(([", ".join(names[:-1])] if names[1:] else []) + names[-1:])


def _holds(field: Field, side: str, n: int | None, occupied: bool) -> bool:
    if n is None:
        return False
    return field.occupied(n, side) if occupied else field.control(n) == side


def _of_markers(field: Field, line: Victory) -> bool:
    return line.who is not None and any(unit in field.game.markers for unit in line.who.units)


def _is_meant(field: Field, line: Victory, piece: Piece) -> bool:
    """Whether a piece is one of those that a line counts, a marker too."""
    return _matches(field, line, piece) or (line.who is not None and piece.unit in line.who.units)


def _matches(field: Field, line: Victory, piece: Piece) -> bool:
    groups = line.who.groups if line.who is not None else ()
    return matches(field.game, line.who, piece) and (not groups or piece.group.rpartition("/")[2] in groups)


def _record(field: Field, record: Points, lost: list[Piece], lines: list[Line], ways: list[Way]) -> None:
    """A record of the rules: for each unit, loss or place that counts, or once."""
    gone = [fields for piece in lost if (fields := _fields(field, piece)) is not None]
    away = Counter(piece.unit for piece in lost)
    living = [fields for fields in field.all_units if not _taken(away, str(fields["id"]))]
    whole = Asked(field, nobody(field, record.side), {}, {"units": living})
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
        for fields in gone:
            asked = Asked(field, Walker(str(fields["side"]), fields), {}, {"units": living})
            if field.holds_of(record.lost, asked):
                count(asked)
    elif record.places is not None:
        for n, place in enumerate(field.kinds.places):
            asked = Asked(field, nobody(field, record.side), {"to": n}, {"units": living})
            if field.holds_of(record.places, asked):
                count(asked)
                spots.append(place)
    else:
        count(whole)
    lacks = missing_needs(field, record)
    if record.wins:
        ways += [Way(record.side, record.text, record.rule, lacks)] * bool(worth)
    elif lacks:
        lines.append(Line(record.side, record.text, record.rule, Fraction(0), 0, ()))
    elif len(set(worth)) == 1:
        lines.append(Line(record.side, record.text, record.rule, worth[0], len(worth), tuple(spots)))
    else:  # units that are worth different points: all of them in one line
        lines.append(Line(record.side, record.text, record.rule, sum(worth, Fraction(0)), int(bool(worth)), tuple(spots)))


def _taken(away: Counter[str], unit: str) -> bool:
    """Whether this is one of the units that are gone; each is taken once."""
    if away[unit] > 0:
        away[unit] -= 1
        return True
    return False


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
        return level_of(field, totals[rules.of] - max((points for side, points in totals.items() if side != rules.of), default=Fraction(0)))
    first, *others = sorted(totals.values(), reverse=True) or [Fraction(0)]
    if rules is None or not rules.levels:
        return "even" if others and first == others[0] else "ahead"
    second = others[0] if others else Fraction(0)
    return level_of(field, (first / second if second else first) if rules.lead == "ratio" else first - second)


def level_of(field: Field, lead: Fraction) -> str:
    """What a lead is called, by the table of levels."""
    rules = field.program.rules.victory
    assert rules is not None
    table = field.game.tables[rules.levels]
    if table.columns.kind == "names":
        return table.cell(str(lead), 0).code
    column = table.find_column(lead)
    return table.cell(next(iter(table.cells)), column or 0).code


# --- the answer -------------------------------------------------------------------------------------------------------


def _score(game: Game, told: Told) -> Answer:
    field = asked_field(game, told)
    found = score(field, told.get("tell", {}))
    def name(spot: Location) -> Place:
        return _place(field, field.kinds.number[spot]) if spot in field.kinds.number else Place(str(spot))

    nodes: list[Node] = [Value("turn", field.position.turn, shown=False)]
    nodes += [*score_nodes(game, found.score, name, side_names(game, field.scenario)), *_tracks(field, told), *_ways(field, found)]
    last = field.scenario.turns.last if field.scenario and field.scenario.turns else None
    if last is not None and field.position.turn < last:
        nodes.append(Said(f"turn {field.position.turn} of {last}: what counts at the end is counted as if the game ended now"))
    if found.missing:
        units, are = ("unit", "is") if found.missing == 1 else ("units", "are")
        nodes.append(Said(f"{found.missing} {units} of the scenario {are} missing in the position: counted as gone"))
    rows: list[dict[str, Cell]] = [{"number": number, "text": line.text, "side": line.side} for number, line in found.untold.items()]
    if rows:
        columns = [Column("number", "line"), Column("text", "for"), Column("side")]
        nodes.append(Table("untold", columns, rows, "A position doesn't show these; tell how often, as in tell=LINE:2"))
    return Answer("score", game.id, nodes)


def _tracks(field: Field, told: Told) -> Iterator[Node]:
    """The numbers that are told, or read from the tracks of the position."""
    rows: list[dict[str, Cell]] = []
    notes: list[Node] = []
    for name, shape in _counted_on_tracks(field.program).items():
        shown = field.position.on_track(shape.track) if name not in told else None
        rows.append({"track": name, "text": shape.title, "points": field.told[name], "on_track": shown is not None})
        if shown is None and name not in told:
            notes.append(Said(f"{shape.title} aren't told and count as {field.told[name]}: {name}=NUMBER"))
        track = field.kinds.map.tracks[shape.track]
        if shown and track.reach is not None and track.last is not None and not notes:
            more = f"a marker that has gone round its track counts {track.last} more: {name}={shown + track.last}"
            notes.append(Said(more, track.rule))
    columns = [Column("text", "on tracks"), Column("points", "so far"), Column("on_track", "read from the track"), Column("track")]
    if rows:
        yield Table("tracks", columns, rows)
    yield from notes


def _counted_on_tracks(program: Program) -> dict[str, Shape]:
    """The pack's inputs that are read from tracks and that points or wins ask for."""
    return {name: shape for name, shape in program.rules.inputs.items() if shape.track and f"told.{name}" in program.winning}


def _ways(field: Field, found: Found) -> Iterator[Node]:
    """The ways to win at once, and what each of them lacks."""
    names = side_names(field.game, field.scenario)
    rows: list[dict[str, Cell]] = [
        {"side": way.side, "text": way.text, "rule": way.rule, "lacks": list(way.lacks)} for way in found.ways
    ]
    if rows:
        yield Table("sudden_death", [Column("side"), Column("text"), Column("lacks"), Column("rule")], rows)
    for way in found.ways:
        if way.lacks:
            yield Said(f"{way.text} {names.get(way.side, way.side)} lacks: {'; '.join(way.lacks)}", way.rule)


TELL = Input(name="tell", about="how often a line counts that a position doesn't show", kind="pairs", example="3:2")


def score_question(game: Game) -> Question | None:
    """The question `score`, where a pack says what wins."""
    lines = any(_says(scenario) for scenario in game.scenarios.values())
    if not lines and (game.rules is None or game.rules.victory is None):
        return None
    asked = {name: shape for name, shape in game.rules.inputs.items() if f"told.{name}" in program_of(game).winning} if game.rules else {}
    inputs = tuple(
        Input(name=name, about=f"{shape.title}, where that isn't what the position's track shows", kind="number")
        if shape.track else told_input(name, shape)
        for name, shape in asked.items()
    )
    return Question(
        name="score", about="the points of a position, and who wins", inputs=(*inputs, TELL, *MAP), answer=_score, bare=("scenario",)
    )


def _says(scenario: Scenario) -> bool:
    return bool(scenario.victory)

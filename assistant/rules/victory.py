"""The points of a position and who wins: the scenario's lines, and the records of `rules.victory`. The question is `score`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assistant.answers import Answer, Cell, Column, Node, Place, Table, Value
from assistant.answers import Line as Said
from assistant.questions import ON_A_MAP, Input, Question, Told
from assistant.rules.asked import Asked
from assistant.rules.attacking import nobody
from assistant.rules.field import Field, Fields, Walker
from assistant.rules.odds import side_names
from assistant.rules.placed import asked_field
from assistant.shared.scoring import Line, Score, matches, score_nodes
from scenarios.game import Game
from scenarios.position import Piece, from_scenario
from scenarios.resolve import Location, Resolver
from scenarios.rules.shapes import Points
from scenarios.scenario import Scenario, Victory


@dataclass(frozen=True)
class Found:
    """The points of a position; lines that it doesn't show, by their numbers; and how many units are missing in it."""

    score: Score
    untold: Mapping[int, Victory]
    missing: int


def score(field: Field, told: Mapping[str, Fraction]) -> Found:
    """Every line counted. `told` gives the counts of lines that a position doesn't show, by number."""
    lost, missing = _lost(field)
    lines: list[Line] = []
    won: list[tuple[str, str]] = []
    untold: dict[int, Victory] = {}
    for number, victory in enumerate(field.scenario.victory if field.scenario else (), 1):
        counted = (int(told[str(number)]), ()) if str(number) in told else _counted(field, victory, lost)
        if counted is None:
            untold[number] = victory
            counted = 0, ()
        count, spots = counted
        if victory.wins and count >= victory.least and count:
            won.append((victory.side, victory.text))
        elif victory.points is not None and not victory.wins:
            count = count if count >= victory.least else 0
            count = min(count, 1) if victory.per == "once" else count
            lines.append(Line(victory.player or victory.side, victory.text, victory.rule, victory.points, count, spots))
    rules = field.program.rules.victory
    for record in rules.points if rules is not None else ():
        _record(field, record, lost, lines, won)
    return Found(Score(tuple(lines), level(field, lines, won), tuple(won)), untold, missing)


def _lost(field: Field) -> tuple[list[Piece], int]:
    """The units that are gone: in a box for the dead, or not in the position at all; and how many of the latter."""
    map, position = field.kinds.map, field.position
    dead = [piece for piece in position.pieces if _is_dead(map.boxes, piece.at)]
    if position.scenario not in field.game.scenarios:
        return dead, 0
    there = Counter((piece.unit, piece.copy) for piece in position.pieces)
    start = from_scenario(field.game, position.scenario).pieces
    missing = [piece for piece in start if (piece.unit, piece.copy) not in there and piece.unit in field.game.units]
    return [*dead, *missing], len(missing)


def _is_dead(boxes: Mapping[str, object], at: Location) -> bool:
    kind, _, name = str(at).partition(":")
    return kind == "dead" or (kind == "box" and getattr(boxes.get(name), "kind", "") == "dead")


Counted = tuple[int, tuple[Location, ...]]


def _counted(field: Field, line: Victory, lost: list[Piece]) -> Counted | None:
    """How often a line of the scenario counts; None where a position can't show it."""
    scenario = field.scenario
    assert scenario is not None
    if line.condition:
        return None
    spots = tuple(sorted(Resolver(field.kinds.map, dict(scenario.zones)).places(line.at), key=str)) if line.at is not None else ()
    match line.event:
        case "occupied" | "controlled" if line.at is not None:
            occupied = line.event == "occupied"
            whose = line.who.side if line.who is not None and line.who.side else line.side
            held = tuple(spot for spot in spots if _holds(field, whose, field.kinds.number.get(spot), occupied))
            return len(held), held
        case "eliminated" if line.at is None:
            gone = [piece for piece in lost if _matches(field, line, piece)]
            return (sum(field.game.units[piece.unit].steps for piece in gone) if line.per == "step" else len(gone)), ()
        case "remaining" if line.at is not None and (line.at.box or _of_markers(field, line)):
            inside = {f"box:{line.at.box}"} if line.at.box else set(spots)
            return sum(piece.at in inside and _is_meant(field, line, piece) for piece in field.position.pieces), ()
        case "remaining" | "survived" | "supplied":
            there = [s for s in field.standings if _matches(field, line, s.piece) and (not spots or field.kinds.places[s.at] in spots)]
            if line.event == "supplied":
                if field.program.rules.supply is None:
                    return None
                there = [s for s in there if field.supply(s.side).found(s, "supplied")]
            if line.per == "hex":
                places = tuple(field.kinds.places[n] for n in sorted({s.at for s in there}))
                return len(places), places
            return (sum(s.steps for s in there) if line.per == "step" else len(there)), ()
        case _:
            return None


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


def _record(field: Field, record: Points, lost: list[Piece], lines: list[Line], won: list[tuple[str, str]]) -> None:
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
    if record.wins:
        if worth:
            won.append((record.side, record.text))
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
    name = _named(field)
    nodes: list[Node] = [Value("turn", field.position.turn, shown=False)]
    nodes += score_nodes(game, found.score, name, side_names(game, field.scenario))
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


def _named(field: Field) -> Callable[[Location], Place]:
    def name(spot: Location) -> Place:
        return Place(field.kinds.title(field.kinds.number[spot]) if spot in field.kinds.number else str(spot))

    return name


TELL = Input(name="tell", about="how often a line counts that a position doesn't show", kind="pairs", example="3:2")


def score_question(game: Game) -> Question | None:
    """The question `score`, where a pack says what wins."""
    lines = any(_says(scenario) for scenario in game.scenarios.values())
    if not lines and (game.rules is None or game.rules.victory is None):
        return None
    return Question(name="score", about="the points of a position, and who wins", inputs=(TELL, *ON_A_MAP), answer=_score)


def _says(scenario: Scenario) -> bool:
    return bool(scenario.victory)

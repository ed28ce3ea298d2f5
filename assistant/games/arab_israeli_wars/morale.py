"""Morale: the chance to recover from dispersal, now and over the turns (Standard IV)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from assistant.engine.field import Field
from assistant.engine.roster import Roster, roster
from assistant.games.arab_israeli_wars.forces import check_rulings
from assistant.games.arab_israeli_wars.questions import (
    CHANGE_INPUTS,
    RULING,
    SCENARIO,
    asked_field,
    counter,
    silent,
    unofficial_numbers,
)
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Node,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
)
from assistant.questions.question import POSITION, Input, Inputs, Question
from scenarios.grammar import with_article
from scenarios.model.counters import Unit
from scenarios.model.dice import dice
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.position import Piece, Position, format_location
from scenarios.model.tables import span
from scenarios.reading.findings import suggest

SHELTERS = frozenset({"fort", "improved_position"})
LOOK_AHEAD = 6
"""The default number of turns in an answer."""
WITHOUT_COUNTER = {
    "assault_boat": ("infantry", "a boat counts as infantry", "Advanced IV.D.3.e"),
    "bridge": ("other", "a bridge isn't infantry", "Standard VI.E.5.b"),
}
"""The columns of pieces that are no units."""


@dataclass(frozen=True)
class Recovery:
    """A dispersed unit's chance to recover: the deciding cell, the chance in one phase, and the reason for the cell."""

    name: str
    level: str
    column: str | None
    """The column of the Morale Chart: infantry or other; None where no die is rolled."""
    chance: Fraction
    range: str
    """The rolls that recover."""
    reason: str
    rule: str

    def chance_by(self, phases: int) -> Fraction:
        """Return the chance to have recovered after so many of its fire phases (Standard IV.B.3)."""
        return 1 - (1 - self.chance) ** phases

    @property
    def mean_phases(self) -> Fraction | None:
        """The average number of fire phases that it takes, ignoring the end of the game."""
        return 1 / self.chance if self.chance else None


def column(unit: Unit, works: frozenset[str]) -> tuple[str, str, str]:
    """Return the column of the Morale Chart, the reason, and the rule (Standard IV.A.2)."""
    if "infantry_morale" not in unit.abilities:
        return "other", "only INF and CDO counters are infantry here", "Standard IV.A.2.a"
    if shelter := next((work for work in sorted(works) if work in SHELTERS), ""):
        return "other", f"infantry with {with_article(shelter.replace('_', ' '))}", "Standard IV.A.2.c, V.C.4, V.D.5"
    return "infantry", "INF or CDO in the open", "Standard IV.A.2.a"


def recovery(
    game: Game, piece: str, level: str, works: frozenset[str] = frozenset(), *, basic: bool = False
) -> Recovery:
    """Return the chance that a dispersed unit, bridge or assault boat recovers at the end of its fire phase. In the
    Basic Rules dispersal always ends (Basic IV.A.2). Airplanes that are dispersed leave the map (Advanced I.B.5,
    I.D.1.d)."""
    unit = game.units.get(piece)
    if unit is None and piece not in WITHOUT_COUNTER:
        raise BadQuestion(f"no counter of {game.id} is called {piece!r}; {suggest(piece, game.units)}")
    name = unit.name if unit else piece.replace("_", " ")
    if basic:
        return Recovery(name, level, None, Fraction(1), "any", "dispersal ends without a die roll", "Basic IV.A.2")
    if unit and unit.class_ == "air" and not unit.factors["movement"]:
        reason = "dispersed airplanes leave the board"
        return Recovery(name, level, None, Fraction(0), "none", reason, "Advanced I.D.1.d")
    table = game.tables["morale"]
    if level not in table.cells:
        raise BadQuestion(f"there is no morale level {level!r}; {suggest(level, table.cells)}")
    column_name, reason, rule = column(unit, works) if unit else WITHOUT_COUNTER[piece]
    if unit and unit.class_ == "air":
        reason, rule = f"{reason}; a helicopter moves even while dispersed", "Standard IV.A.2.b, Advanced I.E.2.c"
    cell = table.cell(level, table.named_column(column_name)).code
    rolls = span(cell)
    chance = sum((p for roll, p in dice(game.card.dice).items() if rolls.holds(Fraction(roll))), Fraction(0))
    return Recovery(name, level, column_name, chance, cell, reason, rule)


class DispersedPiece(NamedTuple):
    """A dispersed piece of a position and its recovery."""

    piece: Piece
    side: str
    place_name: str
    recovery: Recovery


def find_dispersed(
    field: Field, position: Position, army_roster: Roster, basic: bool = False
) -> Iterator[DispersedPiece]:
    """Yield every dispersed piece of a position that rolls for its own morale."""
    game = field.game
    passengers_roll = field.value("ruling.passenger_morale") == "own"
    for piece in position.pieces:
        if "dispersed" not in piece.states or (piece.unit not in game.units and piece.unit != "bridge"):
            continue
        if "loaded" in piece.states and not passengers_roll:
            continue
        works = field.markers_at(piece.at) if isinstance(piece.at, Hex) else frozenset()
        level, place_name = army_roster.morale(piece), format_location(field.hex_map, piece.at)
        if not level and not basic:
            nations = ", ".join(army_roster.scenario.morale if army_roster.scenario else ())
            raise BadQuestion(
                f"{piece.unit} in {place_name}: the Situation has morale levels of {nations}; write its `nation` "
                "(Standard IV.A.1)"
            )
        piece_recovery = recovery(game, piece.unit, level, works, basic=basic)
        yield DispersedPiece(piece, army_roster.side(piece), place_name, piece_recovery)


def morale_answer(game: Game, inputs: Inputs) -> Answer:
    """Answer the chance that dispersed units recover, this turn and over several turns (Standard IV)."""
    turns = int(inputs.get("turns", LOOK_AHEAD))
    recoveries: list[Recovery] = []
    nodes: list[Node] = []
    if "position" in inputs or "put" in inputs:
        field, position = asked_field(game, {key: value for key, value in inputs.items() if key != "with"})
        assert position is not None
        basic = field.scenario is not None and field.scenario.level == "basic"
        dispersed_pieces = list(find_dispersed(field, position, roster(game, position.scenario), basic))
        nodes.append(Sections("units", [_piece_section(game, piece, turns) for piece in dispersed_pieces]))
        nodes += [] if dispersed_pieces else [Sentence("no unit is dispersed")]
        recoveries = [dispersed_piece.recovery for dispersed_piece in dispersed_pieces]
    else:
        recoveries = [_named_recovery(game, inputs)]
        nodes += recovery_nodes(recoveries[0], turns)
    needs_table = any(unit_recovery.column for unit_recovery in recoveries)
    return Answer(
        "morale", game.id, [*nodes, Unofficial(unofficial_numbers(game, None, ("morale",) if needs_table else ()))]
    )


def _named_recovery(game: Game, inputs: Inputs) -> Recovery:
    """Return the recovery of a unit that the question names, without a position."""
    check_rulings(game, inputs.get("ruling", {}))
    unit = inputs.get("unit")
    name = unit if isinstance(unit, str) else unit.id if unit is not None else ""
    level, scenario, basic = inputs.get("level", ""), inputs.get("scenario", ""), False
    if scenario:
        basic = not level and game.scenarios[scenario].level == "basic"
        army_roster = roster(game, scenario)
        level = level or army_roster.morale(army_roster.piece_of(name))
    if not name or not level:
        raise BadQuestion("give a --unit and its --level of morale, or a --position (Standard IV.A)")
    works = frozenset(marker_ref.id for marker_ref in inputs.get("with", ()))
    return recovery(game, name.replace(" ", "_"), level, works, basic=basic)


def _piece_section(game: Game, dispersed_piece: DispersedPiece, turns: int) -> Section:
    piece, side, place_name, piece_recovery = dispersed_piece
    values = silent(unit=counter(game, piece.unit, piece.copy), place=place_name, side=side)
    return Section([*values, *recovery_nodes(piece_recovery, turns)], f"{piece_recovery.name} in {place_name}")


def recovery_nodes(unit_recovery: Recovery, turns: int) -> list[Node]:
    """Return the chance now and after each of the next turns."""
    column_text = f", column {unit_recovery.column}" if unit_recovery.column else ""
    heading = f"{unit_recovery.name}: morale {unit_recovery.level or '-'}{column_text}"
    columns = [
        TableColumn("turn", "by turn"),
        TableColumn("exact", "exactly", for_programs=False),
        TableColumn("by_now", "chance"),
    ]
    chances = {turn: unit_recovery.chance_by(turn) for turn in range(1, turns + 1)}
    rows: list[dict[str, Cell]] = [
        {"turn": turn, "exact": str(chance), "by_now": Chance(chance)} for turn, chance in chances.items()
    ]
    return [
        Sentence(f"{heading}, recovers on {unit_recovery.range} ({unit_recovery.reason})", unit_recovery.rule),
        *silent(
            name=unit_recovery.name,
            level=unit_recovery.level,
            column=unit_recovery.column,
            recovers_on=unit_recovery.range,
            why=unit_recovery.reason,
            rule=unit_recovery.rule,
            chance=Chance(unit_recovery.chance),
        ),
        RowTable("turns", columns, rows),
        Value("mean_turns", unit_recovery.mean_phases, "Average turns", for_people=bool(unit_recovery.mean_phases)),
    ]


MORALE = Question(
    name="morale",
    about="the chance that dispersed units recover, this turn and over several turns",
    answer=morale_answer,
    positional=("unit",),
    inputs=(
        Input(name="unit", about="the counter, if no position shows it", kind="unit", extra_pattern="assault[ _]boat"),
        Input(name="level", about="its morale level, if no Situation gives it", kind="choice", rows="morale"),
        SCENARIO,
        POSITION,
        *CHANGE_INPUTS,
        RULING,
        Input(
            name="with",
            about="markers in its hex, if no position shows them",
            kind="units",
            aliases=("works",),
            example="fort",
        ),
        Input(name="turns", about="how many turns to look ahead", kind="number", minimum=1, maximum=99),
    ),
)

"""Morale: the chance to recover from dispersal, now and over the turns (Standard IV)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from assistant.engine.field import Field
from assistant.engine.roster import Roster, roster
from assistant.games.arab_israeli_wars.forces import check_rulings
from assistant.games.arab_israeli_wars.questions import (
    CHANGE_INPUTS,
    RULING,
    SCENARIO,
    asked_field,
    counter,
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

Column = Literal["infantry", "other"]
SHELTERS = frozenset({"fort", "improved_position"})
LOOK_AHEAD = 6
"""The default number of turns in an answer."""


@dataclass(frozen=True)
class Recovery:
    """A dispersed unit's chance to recover: the deciding cell, the chance in one phase, and the reason for the cell."""

    name: str
    level: str
    column: Column | None
    """None where no die is rolled."""
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


def column(unit: Unit | str, works: frozenset[str] = frozenset()) -> tuple[Column, str, str]:
    """Return the column of the Morale Chart, the reason, and the rule (Standard IV.A.2; boats Advanced IV.D.3.e;
    bridges VI.E.5.b)."""
    if unit == "assault_boat":
        return "infantry", "a boat counts as infantry", "Advanced IV.D.3.e"
    if isinstance(unit, str):
        return "other", "a bridge isn't infantry", "Standard VI.E.5.b"
    if "infantry_morale" not in unit.abilities:
        return "other", "only INF and CDO counters are infantry here", "Standard IV.A.2.a"
    if shelter := next((work for work in sorted(works) if work in SHELTERS), ""):
        return "other", f"infantry with {with_article(shelter.replace('_', ' '))}", "Standard IV.A.2.c, V.C.4, V.D.5"
    return "infantry", "INF or CDO in the open", "Standard IV.A.2.a"


def recovery(
    game: Game, unit: Unit | str, level: str, works: frozenset[str] = frozenset(), *, basic: bool = False
) -> Recovery:
    """Return the chance that a dispersed unit recovers at the end of its fire phase.

    `unit` may also be "bridge" or "assault_boat". In the Basic Rules dispersal always ends (Basic IV.A.2). Airplanes
    that are dispersed leave the map (Advanced I.B.5, I.D.1.d).
    """
    if isinstance(unit, str) and unit not in ("bridge", "assault_boat"):
        if unit not in game.units:
            raise BadQuestion(f"no counter of {game.id} is called {unit!r}; {suggest(unit, game.units)}")
        unit = game.units[unit]
    name = unit.name if isinstance(unit, Unit) else unit.replace("_", " ")
    if basic:
        return Recovery(name, level, None, Fraction(1), "any", "dispersal ends without a die roll", "Basic IV.A.2")
    if isinstance(unit, Unit) and unit.class_ == "air" and not unit.factors["movement"]:
        return Recovery(
            name, level, None, Fraction(0), "none", "dispersed airplanes leave the board", "Advanced I.D.1.d"
        )
    table = game.tables["morale"]
    if level not in table.cells:
        raise BadQuestion(f"there is no morale level {level!r}; {suggest(level, table.cells)}")
    column_name, reason, rule = column(unit, works)
    if isinstance(unit, Unit) and unit.class_ == "air":
        reason, rule = f"{reason}; a helicopter moves even while dispersed", "Standard IV.A.2.b, Advanced I.E.2.c"
    cell = table.cell(level, table.named_column(column_name)).code
    recovery_span = span(cell)
    chance = sum((p for roll, p in dice(game.card.dice).items() if recovery_span.holds(Fraction(roll))), Fraction(0))
    return Recovery(name, level, column_name, chance, cell, reason, rule)


class DispersedPiece(NamedTuple):
    """A dispersed piece of a position and its recovery."""

    piece: Piece
    side: str
    place_name: str
    recovery: Recovery


def find_dispersed(
    field: Field, position: Position, army_roster: Roster, basic: bool = False
) -> tuple[DispersedPiece, ...]:
    """Return every dispersed piece of a position that rolls for its own morale."""
    game = field.game
    is_own_morale = field.value("ruling.passenger_morale") == "own"
    dispersed_pieces = []
    for piece in position.pieces:
        unit = game.units.get(piece.unit)
        if "dispersed" not in piece.states or (unit is None and piece.unit != "bridge"):
            continue
        if "loaded" in piece.states and not is_own_morale:
            continue
        works = field.markers_at(piece.at) if isinstance(piece.at, Hex) else frozenset()
        level = army_roster.morale(piece)
        if not level and not basic:
            piece_text = f"{piece.unit} in {format_location(field.hex_map, piece.at)}"
            nations = ", ".join(army_roster.scenario.morale if army_roster.scenario else ())
            raise BadQuestion(
                f"{piece_text}: the Situation has morale levels of {nations}; write its `nation` (Standard IV.A.1)"
            )
        piece_recovery = recovery(game, unit or piece.unit, level, works, basic=basic)
        dispersed_pieces.append(
            DispersedPiece(piece, army_roster.side(piece), format_location(field.hex_map, piece.at), piece_recovery)
        )
    return tuple(dispersed_pieces)


def morale_answer(game: Game, inputs: Inputs) -> Answer:
    """Answer the chance that dispersed units recover, this turn and over several turns (Standard IV)."""
    turns = int(inputs.get("turns", LOOK_AHEAD))
    if "position" in inputs or "put" in inputs:
        field, position = asked_field(game, {key: value for key, value in inputs.items() if key != "with"})
        assert position is not None
        basic = position.scenario in game.scenarios and game.scenarios[position.scenario].level == "basic"
        dispersed_pieces = find_dispersed(field, position, roster(game, position.scenario), basic)
        sections = [
            Section(
                [
                    Value(
                        "unit", counter(game, dispersed_piece.piece.unit, dispersed_piece.piece.copy), for_people=False
                    ),
                    Value("place", dispersed_piece.place_name, for_people=False),
                    Value("side", dispersed_piece.side, for_people=False),
                    *recovery_nodes(dispersed_piece.recovery, turns),
                ],
                f"{dispersed_piece.recovery.name} in {dispersed_piece.place_name}",
            )
            for dispersed_piece in dispersed_pieces
        ]
        nobody: list[Node] = [] if dispersed_pieces else [Sentence("no unit is dispersed")]
        needs_table = any(dispersed_piece.recovery.column for dispersed_piece in dispersed_pieces)
        return Answer(
            "morale",
            game.id,
            [
                Sections("units", sections),
                *nobody,
                Unofficial(unofficial_numbers(game, None, ("morale",) if needs_table else ())),
            ],
        )
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
    unit_recovery = recovery(
        game,
        name.replace(" ", "_"),
        level,
        frozenset(marker_ref.id for marker_ref in inputs.get("with", ())),
        basic=basic,
    )
    return Answer(
        "morale",
        game.id,
        [
            *recovery_nodes(unit_recovery, turns),
            Unofficial(unofficial_numbers(game, None, ("morale",) if unit_recovery.column else ())),
        ],
    )


def recovery_nodes(unit_recovery: Recovery, turns: int) -> list[Node]:
    """Return the chance now and after each of the next turns."""
    column_ = f", column {unit_recovery.column}" if unit_recovery.column else ""
    text = f"{unit_recovery.name}: morale {unit_recovery.level or '-'}{column_}, recovers on {unit_recovery.range} ({unit_recovery.reason})"
    rows: list[dict[str, Cell]] = [
        {"turn": n, "exact": str(unit_recovery.chance_by(n)), "by_now": Chance(unit_recovery.chance_by(n))}
        for n in range(1, turns + 1)
    ]
    silent: Mapping[str, Cell] = {
        "name": unit_recovery.name,
        "level": unit_recovery.level,
        "column": unit_recovery.column,
        "recovers_on": unit_recovery.range,
        "why": unit_recovery.reason,
        "rule": unit_recovery.rule,
        "chance": Chance(unit_recovery.chance),
    }
    return [
        Sentence(text, unit_recovery.rule),
        *(Value(key, value, for_people=False) for key, value in silent.items()),
        RowTable(
            "turns",
            [
                TableColumn("turn", "by turn"),
                TableColumn("exact", "exactly", for_programs=False),
                TableColumn("by_now", "chance"),
            ],
            rows,
        ),
        Value(
            "mean_turns", unit_recovery.mean_phases, "Average turns", for_people=unit_recovery.mean_phases is not None
        ),
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

"""Morale: the chance to recover from dispersal, now and over the turns (Standard IV)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from assistant.answers import Answer, BadQuestion, Cell, Chance, Line, Node, Ours, Section, Several, Table, Value
from assistant.answers import Column as Shown
from assistant.games.arab_israeli_wars.forces import checked
from assistant.games.arab_israeli_wars.questions import CHANGED, RULING, SCENARIO, asked_field, counter, ours_of
from assistant.questions import POSITION, Input, Question, Told
from assistant.rules.field import Field
from assistant.rules.roster import Roster, roster
from scenarios.counters import Unit
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.position import Piece, Position, shown
from scenarios.reading.findings import instead
from scenarios.tables import span

Column = Literal["infantry", "other"]
SHELTERS = frozenset({"fort", "improved_position"})
LOOK_AHEAD = 6
"""How many turns are told of, where nobody says."""


@dataclass(frozen=True)
class Recovery:
    """A dispersed unit's chance to recover: which cell decides, how likely in one phase, and why that cell."""

    name: str
    level: str
    column: Column | None
    """None where no die is thrown."""
    chance: Fraction
    range: str
    """The throws that recover."""
    why: str
    rule: str

    def by(self, phases: int) -> Fraction:
        """The chance to have recovered after so many of its fire phases (Standard IV.B.3)."""
        return 1 - (1 - self.chance) ** phases

    @property
    def expected(self) -> Fraction | None:
        """How many fire phases it takes on average, with no end of the game in sight."""
        return 1 / self.chance if self.chance else None


def column(unit: Unit | str, works: frozenset[str] = frozenset()) -> tuple[Column, str, str]:
    """The column of the Morale Chart, why, and the rule (Standard IV.A.2; boats Advanced IV.D.3.e; bridges VI.E.5.b)."""
    if unit == "assault_boat":
        return "infantry", "a boat counts as infantry", "Advanced IV.D.3.e"
    if isinstance(unit, str):
        return "other", "a bridge isn't infantry", "Standard VI.E.5.b"
    if "infantry_morale" not in unit.abilities:
        return "other", "only INF and CDO counters are infantry here", "Standard IV.A.2.a"
    if shelter := next((one for one in sorted(works) if one in SHELTERS), ""):
        return "other", f"infantry with a {shelter.replace('_', ' ')}", "Standard IV.A.2.c, V.C.4, V.D.5"
    return "infantry", "INF or CDO in the open", "Standard IV.A.2.a"


def recovery(
    game: Game, unit: Unit | str, level: str, works: frozenset[str] = frozenset(), *, basic: bool = False
) -> Recovery:
    """The chance that a dispersed unit recovers at the end of its fire phase.

    `unit` may also be "bridge" or "assault_boat". In the Basic Rules dispersal always ends (Basic IV.A.2); airplanes that are
    dispersed are gone (Advanced I.B.5, I.D.1.d).
    """
    if isinstance(unit, str) and unit not in ("bridge", "assault_boat"):
        if unit not in game.units:
            raise BadQuestion(f"no counter of {game.id} is called {unit!r}; {instead(unit, game.units)}")
        unit = game.units[unit]
    name = unit.name if isinstance(unit, Unit) else unit.replace("_", " ")
    if basic:
        return Recovery(name, level, None, Fraction(1), "any", "dispersal ends by itself", "Basic IV.A.2")
    if isinstance(unit, Unit) and unit.class_ == "air" and not unit.factors["movement"]:
        return Recovery(
            name, level, None, Fraction(0), "none", "dispersed airplanes leave the board", "Advanced I.D.1.d"
        )
    table = game.tables["morale"]
    if level not in table.cells:
        raise BadQuestion(f"there is no morale level {level!r}; {instead(level, table.cells)}")
    found, why, rule = column(unit, works)
    if isinstance(unit, Unit) and unit.class_ == "air":
        why, rule = f"{why}; a helicopter moves even while dispersed", "Standard IV.A.2.b, Advanced I.E.2.c"
    cell = table.cell(level, table.named_column(found)).code
    held = span(cell)
    chance = sum((p for thrown, p in dice(game.card.dice).items() if held.holds(Fraction(thrown))), Fraction(0))
    return Recovery(name, level, found, chance, cell, why, rule)


class Dispersed(NamedTuple):
    """A dispersed piece of a position and its recovery."""

    piece: Piece
    side: str
    where: str
    recovery: Recovery


def dispersed(field: Field, position: Position, who: Roster, basic: bool = False) -> tuple[Dispersed, ...]:
    """Every dispersed piece of a position that throws for morale itself."""
    game = field.game
    own = field.value("ruling.passenger_morale") == "own"
    found = []
    for piece in position.pieces:
        unit = game.units.get(piece.unit)
        if "dispersed" not in piece.states or (unit is None and piece.unit != "bridge"):
            continue
        if "loaded" in piece.states and not own:
            continue
        works = field.markers_at(piece.at) if isinstance(piece.at, Hex) else frozenset()
        level = who.morale(piece)
        if not level and not basic:
            named = f"{piece.unit} in {shown(field.hex_map, piece.at)}"
            nations = ", ".join(who.scenario.morale if who.scenario else ())
            raise BadQuestion(
                f"{named}: the Situation has morale levels of {nations}; write its `nation` (Standard IV.A.1)"
            )
        one = recovery(game, unit or piece.unit, level, works, basic=basic)
        found.append(Dispersed(piece, who.side(piece), shown(field.hex_map, piece.at), one))
    return tuple(found)


def morale_answer(game: Game, told: Told) -> Answer:
    """The chance that dispersed units recover, now and over the turns (Standard IV)."""
    turns = int(told.get("turns", LOOK_AHEAD))
    if "position" in told or "put" in told:
        field, position = asked_field(game, {key: value for key, value in told.items() if key != "with"})
        assert position is not None
        basic = position.scenario in game.scenarios and game.scenarios[position.scenario].level == "basic"
        every = dispersed(field, position, roster(game, position.scenario), basic)
        sections = [
            Section(
                [
                    Value("unit", counter(game, one.piece.unit, one.piece.copy), shown=False),
                    Value("place", one.where, shown=False),
                    Value("side", one.side, shown=False),
                    *recovery_nodes(one.recovery, turns),
                ],
                f"{one.recovery.name} in {one.where}",
            )
            for one in every
        ]
        nobody: list[Node] = [] if every else [Line("nobody is dispersed")]
        thrown = any(one.recovery.column for one in every)
        return Answer(
            "morale",
            game.id,
            [Several("units", sections), *nobody, Ours(ours_of(game, None, ("morale",) if thrown else ()))],
        )
    checked(game, told.get("ruling", {}))
    unit = told.get("unit")
    name = unit if isinstance(unit, str) else unit.id if unit is not None else ""
    level, scenario, basic = told.get("level", ""), told.get("scenario", ""), False
    if scenario:
        basic = not level and game.scenarios[scenario].level == "basic"
        who = roster(game, scenario)
        level = level or who.morale(who.asked(name))
    if not name or not level:
        raise BadQuestion("say which --unit and which --level of morale, or give a --position (Standard IV.A)")
    found = recovery(
        game, name.replace(" ", "_"), level, frozenset(one.id for one in told.get("with", ())), basic=basic
    )
    return Answer(
        "morale",
        game.id,
        [*recovery_nodes(found, turns), Ours(ours_of(game, None, ("morale",) if found.column else ()))],
    )


def recovery_nodes(found: Recovery, turns: int) -> list[Node]:
    """The chance now and after each of the next turns."""
    column_ = f", column {found.column}" if found.column else ""
    text = f"{found.name}: morale {found.level or '-'}{column_}, recovers on {found.range} ({found.why})"
    rows: list[dict[str, Cell]] = [
        {"turn": n, "exact": str(found.by(n)), "by_now": Chance(found.by(n))} for n in range(1, turns + 1)
    ]
    silent: Mapping[str, Cell] = {
        "name": found.name,
        "level": found.level,
        "column": found.column,
        "recovers_on": found.range,
        "why": found.why,
        "rule": found.rule,
        "chance": Chance(found.chance),
    }
    return [
        Line(text, found.rule),
        *(Value(key, value, shown=False) for key, value in silent.items()),
        Table(
            "turns", [Shown("turn", "by turn"), Shown("exact", "exactly", told=False), Shown("by_now", "chance")], rows
        ),
        Value("mean_turns", found.expected, "Turns on average", shown=found.expected is not None),
    ]


MORALE = Question(
    name="morale",
    about="the chance that dispersed units recover, now and over the turns",
    answer=morale_answer,
    bare=("unit",),
    inputs=(
        Input(name="unit", about="the counter, if no position shows it", kind="unit", besides="assault[ _]boat"),
        Input(name="level", about="its morale, if no Situation tells it", kind="choice", rows="morale"),
        SCENARIO,
        POSITION,
        *CHANGED,
        RULING,
        Input(
            name="with",
            about="markers in its hex, if no position shows them",
            kind="units",
            aliases=("works",),
            example="fort",
        ),
        Input(name="turns", about="how many turns to look ahead", kind="number", least=1, most=99),
    ),
)

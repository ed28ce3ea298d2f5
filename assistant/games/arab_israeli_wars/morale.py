"""Morale: the chance to recover from dispersal, now and over the turns (Standard IV)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.roster import Roster
from scenarios.counters import Unit
from scenarios.dice import dice
from scenarios.export import plain
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.position import Piece, Position, shown
from scenarios.reading.findings import instead
from scenarios.tables import span

Column = Literal["infantry", "other"]
SHELTERS = frozenset({"fort", "improved_position"})


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

    def first(self, phase: int) -> Fraction:
        """The chance to recover just in this fire phase, the first counted as 1."""
        return (1 - self.chance) ** (phase - 1) * self.chance

    @property
    def expected(self) -> Fraction | None:
        """How many fire phases it takes on average, with no end of the game in sight."""
        return 1 / self.chance if self.chance else None

    def over(self, phases: int) -> Mapping[int | None, Fraction]:
        """The chance of each fire phase up to the last one, and under None of none; together 1."""
        chances: dict[int | None, Fraction] = {n: self.first(n) for n in range(1, phases + 1)}
        chances[None] = (1 - self.chance) ** phases
        return MappingProxyType(chances)


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
    game: Game,
    unit: Unit | str,
    level: str,
    works: frozenset[str] = frozenset(),
    *,
    carrier: Unit | None = None,
    basic: bool = False,
) -> Recovery:
    """The chance that a dispersed unit recovers at the end of its fire phase.

    `unit` may also be "bridge" or "assault_boat". A passenger recovers with its `carrier` (ruling passenger_morale). In
    the Basic Rules dispersal always ends (Basic IV.A.2); airplanes that are dispersed are gone (Advanced I.B.5, I.D.1.d).
    """
    if isinstance(unit, str) and unit not in ("bridge", "assault_boat"):
        unit = _known(game, unit)
    name = unit.name if isinstance(unit, Unit) else unit.replace("_", " ")
    if basic:
        return Recovery(name, level, None, Fraction(1), "any", "dispersal ends by itself", "Basic IV.A.2")
    if isinstance(unit, Unit) and unit.class_ == "air" and not unit.factors["movement"]:
        return Recovery(name, level, None, Fraction(0), "none", "dispersed airplanes leave the board", "Advanced I.D.1.d")
    table = game.tables["morale"]
    if level not in table.cells:
        raise BadQuestion(f"there is no morale level {level!r}; {instead(level, table.cells)}")
    found, why, rule = column(carrier or unit, works)
    if carrier is not None:
        why, rule = f"recovers with its {carrier.name}: {why}", f"Basic V.B.6; {rule}"
    elif isinstance(unit, Unit) and unit.class_ == "air":
        why, rule = f"{why}; a helicopter moves even while dispersed", "Standard IV.A.2.b, Advanced I.E.2.c"
    cell = table.cell(level, table.named_column(found)).code
    held = span(cell)
    chance = sum((p for thrown, p in dice(game.card.dice).items() if held.holds(Fraction(thrown))), Fraction(0))
    return Recovery(name, level, found, chance, cell, why, rule)


def _known(game: Game, unit: str) -> Unit:
    if unit not in game.units:
        raise BadQuestion(f"no counter of {game.id} is called {unit!r}; {instead(unit, game.units)}")
    return game.units[unit]


def how_many(chances: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The chance that just 0, 1, 2 ... of these units recover, each with its own die."""
    counts = [Fraction(1)]
    for chance in chances:
        failed = [have * (1 - chance) for have in counts] + [Fraction(0)]
        passed = [Fraction(0)] + [have * chance for have in counts]
        counts = [a + b for a, b in zip(failed, passed, strict=True)]
    return tuple(counts)


@dataclass(frozen=True)
class Dispersed:
    """A dispersed piece of a position and its recovery."""

    piece: Piece
    side: str
    where: str
    recovery: Recovery


def dispersed(ground: Ground, position: Position, who: Roster, basic: bool = False) -> tuple[Dispersed, ...]:
    """Every dispersed piece of a position that throws for morale itself."""
    game = ground.game
    own = ground.reading("passenger_morale") == "own"
    found = []
    for piece in position.pieces:
        unit = game.units.get(piece.unit)
        if "dispersed" not in piece.states or (unit is None and piece.unit != "bridge"):
            continue
        if "loaded" in piece.states and not own:
            continue
        works = ground.works.get(piece.at, frozenset()) if isinstance(piece.at, Hex) else frozenset()
        level = who.morale(piece)
        if not level and not basic:
            named = f"{piece.unit} in {shown(ground.table, piece.at)}"
            nations = ", ".join(who.scenario.morale if who.scenario else ())
            raise BadQuestion(f"{named}: the Situation has morale levels of {nations}; write its `nation` (Standard IV.A.1)")
        one = recovery(game, unit or piece.unit, level, works, basic=basic)
        found.append(Dispersed(piece, who.side(piece), shown(ground.table, piece.at), one))
    return tuple(found)


def morale_text(found: Recovery, turns: int = 6) -> Iterator[str]:
    """A recovery in lines: the chance now and after each of the next turns."""
    column_ = f", column {found.column}" if found.column else ""
    head = f"{found.name}: morale {found.level or '-'}{column_}, recovers on {found.range}"
    yield from textwrap.wrap(f"{head} ({found.why}; {found.rule})", 78, subsequent_indent="  ")
    for n in range(1, turns + 1):
        chance = found.by(n)
        yield f"  by turn {n:<3} {chance!s:>12} {float(chance):6.1%} {'█' * round(chance * 20)}".rstrip()
    if found.expected is not None:
        yield f"  {float(found.expected):.1f} turns on average"


def morale_json(found: Recovery, turns: int = 6) -> dict[str, Any]:
    """A recovery with stable keys."""
    held = {
        "name": found.name, "level": found.level, "column": found.column, "range": found.range,
        "chance": found.chance, "why": found.why, "rule": found.rule, "expected_turns": found.expected,
        "by_turn": [found.by(n) for n in range(1, turns + 1)],
    }  # fmt: skip
    result: dict[str, Any] = plain(held)
    return result

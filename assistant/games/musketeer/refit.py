"""Refits: the chances of a roll, and who in a position may try (21.0)."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from assistant.answers import Answer, BadQuestion, Cell, Chance, Column, Line, Place, Table, Value, chances_of
from assistant.games.musketeer.questions import CONTINGENT, contingent, counter, place
from assistant.questions import Input, Question, Told
from assistant.rules.field import Field
from assistant.rules.placed import asked_field, on_a_map
from assistant.rules.questions import MAP, supply_reason
from scenarios.game import Game

KINDS = {
    "mechanized": "ground", "foot": "ground", "static": "ground", "airstrike": "air", "special_forces": "special",
    "guerrilla": "special", "guerrillas": "special", "airstrikes": "air",
}  # fmt: skip
"""The column of the Refit Table for each class of counter (21.2, 21.9, 25.8)."""


def refit_chance(game: Game, nation: str, kind: str = "ground") -> Fraction:
    """The chance of one refit roll (21.2, 21.9, 25.8): `ground`, `air` or `special`."""
    table = game.tables["refit"]
    code = table.cell(contingent(game, nation), table.named_column(kind)).code
    return Fraction(int(code), 6) if code.isdecimal() else Fraction(0)


def refits(chance: Fraction, units: int, impulses: int) -> dict[int, Fraction]:
    """How many of so many units are refitted after so many Refit Phases, each rolling until it succeeds."""
    whole = 1 - (1 - chance) ** impulses
    good, all_ = whole.numerator, whole.denominator
    found = {
        count: comb(units, count) * good**count * (all_ - good) ** (units - count) for count in range(units, -1, -1)
    }
    return {count: Fraction(ways, all_**units) for count, ways in found.items() if ways}


def _refit(game: Game, told: Told) -> Answer:
    """How many units refit, each rolling until it succeeds; or who in a position may try, and how likely."""
    if on_a_map(told):
        rows = _trying(game, asked_field(game, told), told.get("nation", ""))
        columns = [Column("unit", "unit"), Column("place", "where"), Column("chance", "chance"), Column("why", "why not"), Column("rule")]
        nobody = [] if rows else [Line("nobody may try to refit", "21.2")]
        return Answer("refit", game.id, [Table("units", columns, rows, heads=False), *nobody])
    if "nation" not in told:
        raise BadQuestion("say whose units: nation=egypt; or a position, for all who may try")
    units, impulses = int(told["units"]), int(told["impulses"])
    chance = refit_chance(game, told["nation"], told["kind"])
    back = chances_of("chances", refits(chance, units, impulses), f"How many of {units} are back after {impulses}")
    if not chance:
        return Answer("refit", game.id, [Value("chance", Chance(chance), shown=False), Line("it never refits these", "Refit Table"), back])
    return Answer("refit", game.id, [
        Value("chance", Chance(chance), "One roll"), Value("expected", 1 / chance, "Impulses until one unit is back, on average"), back,
    ])  # fmt: skip


def _trying(game: Game, field: Field, nation: str) -> list[dict[str, Cell]]:
    """Disrupted ground units with a line of support, and lost airstrikes, special forces and guerrillas, roll in their
    contingent's Refit Phase (21.2, 21.9, 25.8)."""
    rows: list[dict[str, Cell]] = []
    for line in (line for side in game.sides for line in field.supply(side).lines if line.standing.fields["disrupted"]):
        standing, unit = line.standing, line.standing.unit
        chance = refit_chance(game, unit.nation) if line.supplied else Fraction(0)
        text, rule = supply_reason(field, line)
        why = {} if line.supplied else {"why": f"no line of support: {text}", "rule": rule}
        at = place(field.kinds, standing.at)
        rows.append({"unit": counter(game, unit, standing.piece.copy), "place": at, "chance": Chance(chance), "nation": unit.nation, **why})
    for piece in field.lost:
        lost = game.units.get(piece.unit)
        if lost is not None and KINDS.get(lost.class_, "ground") != "ground":
            again = Chance(refit_chance(game, lost.nation, KINDS[lost.class_]))
            rows.append({"unit": counter(game, lost, piece.copy), "place": Place(str(piece.at), "eliminated"), "chance": again,
                         "nation": lost.nation})  # fmt: skip
    return [row for row in rows if not nation or contingent(game, str(row["nation"])) == contingent(game, nation)]


REFIT = Question(
    name="refit", about="the chances of refits; in a position, of all who may try", answer=_refit, bare=("nation",),
    inputs=(
        CONTINGENT,
        Input(name="kind", about="which units", kind="choice", choices=("ground", "air", "special"), also=KINDS, default="ground"),
        Input(name="units", about="how many try", kind="number", least=1, most=60, default=Fraction(1)),
        Input(name="impulses", about="in how many Refit Phases", kind="number", least=1, most=60, default=Fraction(1)),
        *MAP,
    ),
)  # fmt: skip

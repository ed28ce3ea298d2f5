"""Reserve points: what they buy, and what that is worth in victory points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.marks import in_box
from scenarios.game import Game
from scenarios.position import Position
from scenarios.reading.findings import instead
from scenarios.reading.shapes import number

SAVES = {
    "replace_armor_airborne_mechanized": "israeli_mobile_refit",
    "replace_other_mobile": "israeli_mobile_refit",
    "remove_terrorized": "terror_marker",
}
"""Purchases that take away something the victory chart counts (23.2)."""


@dataclass(frozen=True)
class Purchase:
    """One thing that reserve points buy; `saves` are the victory points that come back with each."""

    action: str
    cost: Fraction
    phase: str
    count: int
    affordable: int
    """How many more the points left would buy, and the Reserve box has."""
    saves: Fraction

    @property
    def total(self) -> Fraction:
        """What so many cost."""
        return self.cost * self.count

    @property
    def net(self) -> Fraction:
        """What each does to the score: each point spent is a victory point less."""
        return self.saves - self.cost


@dataclass(frozen=True)
class Budget:
    """What is bought, what it costs, and what is left."""

    purchases: tuple[Purchase, ...]
    hand: Fraction

    @property
    def cost(self) -> Fraction:
        """What all purchases cost."""
        return sum((one.total for one in self.purchases), Fraction(0))

    @property
    def left(self) -> Fraction:
        """Points that can still be spent afterwards; below 0 the plan is too dear."""
        return self.hand - self.cost


def limit(game: Game, scenario: str = "standard") -> Fraction:
    """How many points a player may spend in the game (6.1)."""
    effects = [e for s in game.scenarios[scenario].special for e in s.effects if e.effect == "reserve_points"]
    return number(effects[0].value)


def prices(game: Game) -> Mapping[str, tuple[str, ...]]:
    """What can be bought: cost and phase (ZRP table)."""
    return {action: row for action, row in game.tables["zrp_costs"].cells.items() if row[0] != "no"}


def in_reserve(game: Game, position: Position) -> dict[str, int]:
    """How many markers and brigades the Reserve box still has (6.2); nothing where a position leaves them all out."""
    kinds = {
        "purchase_airstrike_or_sf": frozenset(("airstrike", "special_forces")),
        "purchase_ground_unit": frozenset(unit.id for unit in game.units.values() if unit.factors.get("front") == "either"),
    }
    shown = {piece.unit for piece in position.pieces}
    return {action: len(in_box(position, "reserve", units)) for action, units in kinds.items() if units & shown}


def budget(
    game: Game, plan: Mapping[str, int], *, spent: int = 0, scenario: str = "standard", events: int = 0,
    there: Mapping[str, int] | None = None,
) -> Budget:  # fmt: skip
    """The price of a plan, and how many of each thing the points left would buy (6.1, 6.2).

    `events` is what events 4 and 5 have taken from or added to the points in hand, which stay between 0 and the limit
    (ruling zrp_index). `there` is how many of a thing are left to buy.
    """
    known = prices(game)
    for action in plan:
        if action not in known:
            table = game.tables["zrp_costs"].cells
            why = "can't be bought" if action in table else f"is nothing to buy; {instead(action, known)}"
            raise BadQuestion(f"{action!r} {why}")
    most = limit(game, scenario)
    hand = max(Fraction(0), min(most, most - spent + events))
    left = hand - sum((number(known[action][0]) * count for action, count in plan.items()), Fraction(0))
    chart = game.tables["victory_points"]

    def more(action: str, price: str) -> int:
        points = int(left / number(price))
        unsold = there[action] - plan.get(action, 0) if there and action in there else points
        return max(0, min(points, unsold))

    found = tuple(
        Purchase(
            action, number(row[0]), row[1], plan.get(action, 0), more(action, row[0]),
            -number(chart.cell(SAVES[action], 0).code) if action in SAVES else Fraction(0),
        )
        for action, row in known.items()
    )  # fmt: skip
    return Budget(found, hand)

"""What the markers of a position tell: control, air defense, reserve points spent, disintegration, barrages, terror."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.games.six_day_war.ground import FRONTS
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.position import Piece, Position

CONTROL = {"control_israeli": "israeli", "control_arab": "arab"}


def controlled(position: Position) -> dict[Hex, str]:
    """Hexes with a control marker, and whose it is (2.14)."""
    return {p.at: CONTROL[p.unit] for p in position.pieces if p.unit in CONTROL and isinstance(p.at, Hex)}


def terrorized(position: Position) -> frozenset[Hex]:
    """Hexes with a Terrorized marker (18.7)."""
    return frozenset(p.at for p in position.pieces if p.unit == "terrorized" and isinstance(p.at, Hex))


def disintegrated(position: Position) -> frozenset[str]:
    """Fronts whose marker is turned (21.5)."""
    turned = {p.unit for p in position.pieces if "disintegrated" in p.states}
    return frozenset(front for front in FRONTS if f"disintegration_{front}" in turned)


def dead(game: Game, position: Position, front: str) -> tuple[Piece, ...]:
    """The dead of a front: in its deadpile, or in a pile of their side's if they belong to that front (8.3)."""
    return tuple(
        p
        for p in position.pieces
        if p.at == f"box:{front}_dead"
        or (str(p.at).startswith("dead:") and p.unit in game.units and game.units[p.unit].factors.get("front") == front)
    )


def in_box(position: Position, box: str, units: Iterable[str] = ()) -> tuple[Piece, ...]:
    """The pieces in a box; only those of some kinds, where told."""
    wanted = frozenset(units)
    return tuple(p for p in position.pieces if p.at == f"box:{box}" and (not wanted or p.unit in wanted))

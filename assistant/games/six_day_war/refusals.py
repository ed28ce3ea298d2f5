"""Why a unit can't be put down in a hex from the air."""

from __future__ import annotations

from assistant.games.six_day_war.field import Field, Stand, other
from assistant.games.six_day_war.movement import Drop
from scenarios.hexes import Hex


def no_landing(field: Field, found: Drop, to: Hex, *, transfer: bool) -> str:
    """Why an airborne unit can't be put down in a hex."""
    stand = found.stand
    if to == stand.hex:
        return "it is there already"
    if why := barred(field, stand, to):
        return why
    if transfer != (field.front(to) != field.front(stand.hex)):
        return "a transfer ends on the other front (6.2)" if transfer else "an airborne move stays on its front (20.2)"
    if to in field.zones["arab"] and (transfer or found.extraction):
        what, rule = ("a transfer", "6.2") if transfer else ("an extraction", "20.2")
        return f"{what} doesn't end in an enemy zone of control ({rule})"
    return "too many units are there (11.2)"


def barred(field: Field, stand: Stand, to: Hex) -> str:
    """What keeps a unit out of a hex, wherever it comes from."""
    if not field.enterable(to):
        return f"nobody enters {field.game.terrain[field.table.terrain[to]].name.lower()} (10.9)"
    if rule := field.closed_by(to, stand.side):
        return f"that country is closed to it ({rule})"
    if to in field.held[other(stand.side)]:
        return "an enemy is there (10.9)"
    return ""

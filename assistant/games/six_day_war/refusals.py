"""Why a unit can't go to a hex, by land or by air."""

from __future__ import annotations

from fractions import Fraction

from assistant.games.six_day_war.field import Field, Stand, other
from assistant.games.six_day_war.movement import Drop, Reach, price_of_way
from scenarios.hexes import Hex, distance


def no_way(field: Field, found: Reach, to: Hex, *, transfer: bool) -> str:
    """Why a unit can't move to a hex: the hex itself, or else what it would cost or what shuts the way."""
    stand = found.stand
    if why := barred(field, stand, to):
        return why
    if not transfer and field.front(to) != field.front(stand.hex):
        return f"the front boundary lies between ({'5.4' if stand.side == 'israeli' else '5.3'})"
    zones = field.zones[other(stand.side)]
    if distance(stand.hex, to) == 1 and stand.hex in zones and to in zones:
        return "nobody goes straight from one enemy zone of control into another (12.4)"
    most = max(found.points)
    cost = price_of_way(field, stand, to, transfer=transfer)
    if cost is None:
        return "no way leads there but through country that is closed to it (25.1, 25.2, 25.4)"
    if cost > most:
        return f"it takes {_points(cost)}, and it has {most}{' at most' * (len(found.points) > 1)} (10.7)"
    return "enemies and their zones of control shut the way (10.9, 12.3)"


def no_end(field: Field, stand: Stand, to: Hex, *, transfer: bool) -> str:
    """Why a unit may move into a hex and not end there."""
    if transfer and field.front(to) == field.front(stand.hex):
        return "a transfer ends on the other front (6.2)"
    if transfer and to in field.zones["arab"]:
        return "a transfer doesn't end in an enemy zone of control (6.2)"
    return "too many units are there (11.2, 11.3)"


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


def _points(cost: Fraction) -> str:
    return f"{cost} point{'s' * (cost > 1)}"

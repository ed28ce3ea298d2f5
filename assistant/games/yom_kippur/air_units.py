"""The air units of a turn, and those that a question uses."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.attacks import BadQuestion, Value
from assistant.games.yom_kippur.field import SIDES, Field
from assistant.games.yom_kippur.questions import effects
from assistant.shared.asking import Options
from assistant.shared.options import whole

AIR = ("israeli_air", "egyptian_air", "sam_zone_air")


def air_units(field: Field, side: str) -> int:
    """How many air units a side has on this turn: by the turn track, or as the scenario says (1.12, 4.3 A)."""
    if list(effects(field, "no_air_units", side)):
        return 0
    for effect in effects(field, "air_units", side):
        return int(effect.value)
    track = field.ground.game.tables["turn_track"]
    printed = track.cells.get(str(field.position.turn))
    return int(printed[track.named_column(f"{side}_air")]) if printed else 0


def asked_air(field: Field | None, options: Options) -> dict[str, int]:
    """The air units that are used."""
    air = {key: whole(options, key, 0, most=99) for key in AIR}
    if field is not None and air["israeli_air"] and list(effects(field, "no_air_units", "israeli")):
        raise BadQuestion("there are no Israeli air units in this scenario (4.3 A)")
    return air


def air_notes(field: Field, inputs: Mapping[str, Value]) -> list[str]:
    """What to know where more air units are used than the turn has (1.12)."""
    turn = field.position.turn
    found = [(side, air_units(field, side)) for side in SIDES]
    return [
        f"turn {turn} has {have} {field.ground.game.sides[side].name} air unit{'s' * (have != 1)} in all (1.12)"
        for side, have in found
        if int(inputs.get(f"{side}_air", 0)) > have
    ]

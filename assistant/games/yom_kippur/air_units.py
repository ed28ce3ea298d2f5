"""The air units of a turn, and those that a question uses."""

from __future__ import annotations

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur.field import SIDES, Field
from assistant.games.yom_kippur.printed import table_notes
from assistant.games.yom_kippur.questions import effects
from assistant.shared.asking import Options
from assistant.shared.options import whole
from assistant.shared.specials import all_effects
from scenarios.game import Game

AIR = ("israeli_air", "egyptian_air", "sam_zone_air")


def air_units(field: Field, side: str) -> int:
    """How many air units a side has on this turn: by the turn track, or as the scenario says (1.12, 4.3 A)."""
    if list(effects(field, "no_air_units", side)):
        return 0
    for effect in effects(field, "air_units", side):
        return int(effect.value)
    return _on_track(field.ground.game, side).get(str(field.position.turn), 0)


def asked_air(game: Game, field: Field | None, options: Options) -> dict[str, int]:
    """The air units that are used: no more than the turn has (1.12); in words, without a scenario, than it may have."""
    air = {key: whole(options, key, 0, most=99) for key in AIR}
    if field is not None and air["israeli_air"] and list(effects(field, "no_air_units", "israeli")):
        raise BadQuestion("there are no Israeli air units in this scenario (4.3 A)")
    if air["sam_zone_air"] > air["israeli_air"]:
        zone, all_ = air["sam_zone_air"], air["israeli_air"]
        raise BadQuestion(f"sam_zone_air tells how many of the Israeli air units used come from the SAM Zone Box: {zone} of {all_}")
    turn = field.position.turn if field is not None else whole(options, "turn", 0, least=1)
    for side in SIDES:
        have, used = air_units(field, side) if field is not None else _at_most(game, side, turn), air[f"{side}_air"]
        if used > have:
            when = f"turn {turn} has" if turn else "no turn has more than"
            told = f"{used} {game.sides[side].name} air unit{'s' * (used != 1)}: {when} {have} (1.12)"
            by_track = field is None or not list(effects(field, "air_units", side))
            raise BadQuestion("; ".join([told, *(table_notes(game, "turn_track") if by_track else ())]))
    return air


def _at_most(game: Game, side: str, turn: int) -> int:
    """The most air units that a side can have on a turn in any scenario; on any turn, where none is told."""
    track = _on_track(game, side)
    given = [int(effect.value) for effect in all_effects(game, "air_units") if effect.side == side]
    return max([track.get(str(turn), 0) if turn else max(track.values()), *given])


def _on_track(game: Game, side: str) -> dict[str, int]:
    """The air units of a side by the turn track."""
    track = game.tables["turn_track"]
    column = track.named_column(f"{side}_air")
    return {turn: int(row[column]) for turn, row in track.cells.items()}

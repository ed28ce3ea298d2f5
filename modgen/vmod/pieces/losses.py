"""Where an eliminated piece goes: the dead boxes of the scenario's map, or its side's pile."""

from __future__ import annotations

from collections.abc import Mapping

from modgen.vmod.battle.beanshell import text_of
from modgen.vmod.battle.places import SCENARIO
from modgen.vmod.battle.table_lookups import is_any_of
from modgen.vmod.files import keys
from modgen.vmod.files.buttons import plain_text
from modgen.vmod.pieces import traits
from modgen.vmod.text import piece_reports
from scenarios.model.game import Game, phases
from scenarios.vassal.commands import Trait
from scenarios.vassal.windows import dead_boxes, dead_zone, map_of, sides_without_boxes, windows_of

RETURN = "Return to play"


def on_map(game: Game, key: str) -> str:
    """An expression that tests whether the scenario uses a map."""
    return is_any_of(
        [s for s in game.scenarios if (table := map_of(game, s)) is not None and table.id == key], text_of(SCENARIO)
    )


def zone_for(game: Game, names: Mapping[str, str]) -> str:
    """A zone, given by its name on each map: the name, or an expression if maps name it differently."""
    if len(set(names.values())) == 1:
        return next(iter(names.values()))
    *other_names, (_, last) = names.items()
    return (
        "{"
        + "".join(f'{on_map(game, key)}?"{plain_text(name)}":' for key, name in other_names)
        + f'"{plain_text(last)}"}}'
    )


def sent_to_zone(
    game: Game, text: str, stroke: str, names: Mapping[str, str], return_text: str, back_key: str
) -> Trait:
    """Sends a piece to a zone beside the map, in whichever window that zone is. The zone is given by its name on each map."""
    windows = {key: windows_of(game).of_zone[name] for key, name in names.items()}
    return traits.send_zone(text, stroke, zone_for(game, windows), zone_for(game, names), return_text, back_key)


def piles(game: Game, piece_id: str) -> dict[str, list[str]]:
    """The zones on each map where an eliminated piece can go, the default first."""
    side = game.units[piece_id].side if piece_id in game.units else game.markers[piece_id].side
    pile_names: dict[str, list[str]] = {}
    for table in game.maps.values() or [None]:
        boxes = [table.boxes[key].name for key in dead_boxes(game, piece_id, table)] if table is not None else []
        if not boxes and side in sides_without_boxes(game, table):
            boxes = [dead_zone(game.sides[side].name)]
        pile_names[table.id if table is not None else ""] = boxes
    return pile_names


def leaving(game: Game) -> list[str]:
    """Every keystroke that takes a piece out of play: to its pile, or to a box in the clean-up of a phase."""
    max_piles = max(
        (len(zones) for key in (*game.units, *game.markers) for zones in piles(game, key).values()), default=1
    )
    clean_ups = [
        clean_up for sequence in game.sequence.values() for phase in phases(sequence) for clean_up in phase.clean_up
    ]
    boxes = dict.fromkeys(clean_up.to for clean_up in clean_ups if clean_up.to)
    return [keys.ELIMINATE, *map(keys.eliminate_key, range(2, max_piles + 1)), *map(keys.sent_to, boxes)]


def losses(game: Game, piece_id: str) -> str:
    """The prototype that takes a piece out of play; empty if the piece has no pile."""
    zones = dict.fromkeys(zone for zone_names in piles(game, piece_id).values() for zone in zone_names)
    return " or ".join(["Losses", *zones]) if zones else ""


def taken_out(game: Game, piece_id: str) -> tuple[Trait, ...]:
    """Commands that send a piece to its pile. If there are several piles, a submenu has one command for each."""
    zones_by_map = piles(game, piece_id)
    piles_by_map = {key: zones for key, zones in zones_by_map.items() if zones}
    max_piles = max(map(len, piles_by_map.values()), default=0)
    destinations = [
        {key: zones[min(n, len(zones) - 1)] for key, zones in piles_by_map.items()} for n in range(max_piles)
    ]
    texts = (
        [f"To {' or '.join(dict.fromkeys(names.values()))}" for names in destinations]
        if max_piles > 1
        else ["Eliminate"] * max_piles
    )
    strokes = [keys.ELIMINATE, *map(keys.eliminate_key, range(2, max_piles + 1))][:max_piles]
    send_traits = [
        sent_to_zone(game, text, stroke, names, RETURN, keys.RETURN_TO_PLAY)
        for text, stroke, names in zip(texts, strokes, destinations, strict=True)
    ]
    report_traits = piece_reports.lost_reports(strokes) if max_piles else ()
    menu = [traits.submenu("Eliminate", [*texts, RETURN])] if max_piles > 1 else []
    nowhere = [on_map(game, key) for key, zones in zones_by_map.items() if not zones]
    hide_traits = (
        [traits.hide_commands("No pile", "{" + "||".join(nowhere) + "}", strokes)] if nowhere and send_traits else []
    )
    return (*hide_traits, *report_traits, *menu, *send_traits)

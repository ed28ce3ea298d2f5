"""Where a piece goes that is taken out of play: the dead boxes of the scenario's map, or its side's pile."""

from __future__ import annotations

from collections.abc import Mapping

from modgen.vmod import keys, reports, traits
from modgen.vmod.beanshell import text_of
from modgen.vmod.buttons import bare
from modgen.vmod.lookups import among
from modgen.vmod.places import SCENARIO
from scenarios.game import Game, phases
from scenarios.vassal.commands import Trait
from scenarios.vassal.windows import dead_boxes, dead_zone, map_of, piled
from scenarios.vassal.windows import windows as windows_of

RETURN = "Return from the dead"


def on_map(game: Game, key: str) -> str:
    """An expression that tells whether the scenario is one of a map's."""
    return among(
        [s for s in game.scenarios if (table := map_of(game, s)) is not None and table.id == key], text_of(SCENARIO)
    )


def zone_for(game: Game, names: Mapping[str, str]) -> str:
    """A zone by the maps that have it: its name, or an expression where maps call it otherwise."""
    if len(set(names.values())) == 1:
        return next(iter(names.values()))
    *others, (_, last) = names.items()
    return "{" + "".join(f'{on_map(game, key)}?"{bare(name)}":' for key, name in others) + f'"{bare(last)}"}}'


def sent_to_zone(game: Game, text: str, stroke: str, names: Mapping[str, str], back: str, back_key: str) -> Trait:
    """Sends a piece to a zone beside the map, in whichever window it is; by the maps that have it."""
    windows = {key: windows_of(game).of_zone[name] for key, name in names.items()}
    return traits.send_zone(text, stroke, zone_for(game, windows), zone_for(game, names), back, back_key)


def piles(game: Game, piece_id: str) -> dict[str, list[str]]:
    """Where a lost piece can go on each map, by the names of the zones; the usual one first."""
    side = game.units[piece_id].side if piece_id in game.units else game.markers[piece_id].side
    found: dict[str, list[str]] = {}
    for table in game.maps.values() or [None]:
        boxes = [table.boxes[key].name for key in dead_boxes(game, piece_id, table)] if table is not None else []
        if not boxes and side in piled(game, table):
            boxes = [dead_zone(game.sides[side].name)]
        found[table.id if table is not None else ""] = boxes
    return found


def leaving(game: Game) -> list[str]:
    """Every keystroke that takes a piece out of play: to its pile, or to the box of a chore."""
    most = max((len(zones) for key in (*game.units, *game.markers) for zones in piles(game, key).values()), default=1)
    chores = [chore for sequence in game.sequence.values() for phase in phases(sequence) for chore in phase.chores]
    boxes = dict.fromkeys(chore.to for chore in chores if chore.to)
    return [keys.ELIMINATE, *map(keys.eliminated, range(2, most + 1)), *map(keys.sent_to, boxes)]


def losses(game: Game, piece_id: str) -> str:
    """The prototype of what takes a piece out of play; none where it has no pile."""
    zones = dict.fromkeys(zone for held in piles(game, piece_id).values() for zone in held)
    return " or ".join(["Losses", *zones]) if zones else ""


def taken_out(game: Game, piece_id: str) -> tuple[Trait, ...]:
    """Commands that send a piece to its pile; where there is a choice, one for each in a menu."""
    found = piles(game, piece_id)
    held = {key: zones for key, zones in found.items() if zones}
    most = max(map(len, held.values()), default=0)
    placed = [{key: zones[min(n, len(zones) - 1)] for key, zones in held.items()} for n in range(most)]
    texts = (
        [f"To {' or '.join(dict.fromkeys(names.values()))}" for names in placed] if most > 1 else ["Eliminate"] * most
    )
    strokes = [keys.ELIMINATE, *map(keys.eliminated, range(2, most + 1))][:most]
    sent = [
        sent_to_zone(game, text, stroke, names, RETURN, keys.BACK)
        for text, stroke, names in zip(texts, strokes, placed, strict=True)
    ]
    told = reports.lost(strokes) if most else ()
    menu = [traits.submenu("Eliminate", [*texts, RETURN])] if most > 1 else []
    nowhere = [on_map(game, key) for key, zones in found.items() if not zones]
    kept = [traits.hidden("No pile", "{" + "||".join(nowhere) + "}", strokes)] if nowhere and sent else []
    return (*kept, *told, *menu, *sent)

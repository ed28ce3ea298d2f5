"""What a fighter sees of another, by the rules of sight."""

from __future__ import annotations

from assistant.games.arab_israeli_wars.battle import Fighter, Look
from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.sight import Observer, look, observer
from assistant.games.arab_israeli_wars.sight_fast import sights
from assistant.games.arab_israeli_wars.sight_text import block_text, side_name


def by_the_rules(ground: Ground, firer: Fighter, target: Fighter) -> Look:
    """Sight by the rules (Basic VII), with the first thing that blocks it, or the hexsides that shield the target."""
    assert firer.at is not None and target.at is not None
    seen = look(sights(ground), firer.at, target.at, _as_seen(ground, firer), _as_seen(ground, target))
    if not seen.clear:
        return Look(False, block_text(ground, seen.blocked_by[0]) if seen.blocked_by else "")
    return Look(True, "", bool(seen.hull_down), ", ".join(side_name(ground, side) for side in seen.hull_down))


def _as_seen(ground: Ground, fighter: Fighter) -> Observer:
    unit = ground.game.units.get(fighter.unit)
    return "ground" if unit is None else observer(unit, fighter.states)

"""Battles as JSON, with stable keys (docs/json.md says what they are)."""

from __future__ import annotations

from typing import Any

from assistant.games.arab_israeli_wars.battle import Battle, Fighter
from assistant.games.arab_israeli_wars.fire import Fire
from assistant.games.arab_israeli_wars.outcomes import Fate, Together, expected
from assistant.games.arab_israeli_wars.plans import Shares
from assistant.games.arab_israeli_wars.whatif import Change, Next
from assistant.text import odds_json
from scenarios.export import plain


def fire_json(fire: Fire) -> dict[str, Any]:
    """An attack: what `odds` answers of the first (or only) attack, and what is added for this game."""
    battle = fire.battle
    held: dict[str, Any] = odds_json(battle.game, fire.answers[0]) if fire.answers else {"game": battle.game.id}
    kills, hurt = expected(fire.together)
    harm = "stopped" if battle.kind == "interdiction" else "dispersed"
    more = {
        "attack": battle.attack,
        "at": _hex(battle, battle.fired_at),
        "told": battle.inputs(),
        "firers": [fighter_json(battle, one) for one in battle.firers],
        "defenders": [fate_json(battle, one) for one in fire.fates],
        "looks": [
            {
                "firer": i,
                "defender": j,
                "clear": look.clear,
                "blocked_by": look.why or None,
                "hull_down": look.hull_down,
                "behind": look.by or None,
            }
            for (i, j), look in fire.looks.items()
        ],
        "together": together_json(fire.together, harm),
        "expected": {"eliminated": kills, harm: hurt},
        "left_out": [
            {**fighter_json(battle, out.fighter), "reasons": [reason._asdict() for reason in out.reasons]}
            for out in fire.left_out
        ],
        "refused": list(fire.refused),
        "landings": [
            {
                "how": landing.fall.how,
                "hex": _hex(battle, landing.fall.hex),
                "chance": landing.fall.chance,
                "defenders": [fate_json(battle, one) for one in landing.fates],
            }
            for landing in fire.landings
        ],
        "own_units": together_json(fire.friends, harm),
        "notes": list(fire.notes),
    }
    if len(fire.answers) > 1:
        held["each"] = [odds_json(battle.game, answer) for answer in fire.answers]
    result: dict[str, Any] = {**held, **plain(more)}
    return result


def _hex(battle: Battle, hex: Any) -> str | None:
    return battle.ground.table.name(hex) if battle.ground is not None and hex is not None else None


def fighter_json(battle: Battle, one: Fighter) -> dict[str, Any]:
    """A unit in a battle."""
    return {
        "unit": one.unit, "copy": one.copy, "name": one.name, "side": one.side, "nation": one.nation,
        "hex": _hex(battle, one.at), "states": sorted(one.states),
    }  # fmt: skip


def fate_json(battle: Battle, one: Fate) -> dict[str, Any]:
    """A defender and its chances."""
    return {**fighter_json(battle, one.fighter), "die": one.die, "chances": one.chances}


def together_json(together: Together, harm: str = "dispersed") -> list[dict[str, Any]]:
    """The chance of each toll."""
    return [{"eliminated": toll.eliminated, harm: toll.hurt, "chance": c} for toll, c in together.items()]


def what_if_json(battle: Battle, following: Next | None, changes: tuple[Change, ...]) -> dict[str, Any]:
    """The next column, and one unit more or less."""
    harm = "stopped" if battle.kind == "interdiction" else "dispersed"
    result: dict[str, Any] = plain(
        {
            "next_column": following._asdict() if following else None,
            "changes": [
                {
                    **fighter_json(battle, one.fighter),
                    "added": one.added,
                    "strength": one.strength,
                    "column": one.column,
                    "expected": {"eliminated": one.kills, harm: one.hurt},
                }
                for one in changes
            ],
        }
    )
    return result


def shares_json(pattern: Battle, held: Shares) -> dict[str, Any]:
    """The best plan."""
    result: dict[str, Any] = plain(
        {
            "game": pattern.game.id,
            "attack": pattern.attack,
            "attacks": [
                {
                    "firers": [{**fighter_json(pattern, one), "written_for": one.aim} for one in volley.firers],
                    "column": volley.column,
                    "defenders": [fate_json(pattern, one) for one in volley.fates],
                    "together": together_json(volley.together),
                }
                for volley in held.volleys
            ],
            "expected": held.kills,
            "idle": [fighter_json(pattern, one) for one in held.idle],
            "unable": [{**fighter_json(pattern, one), "why": why} for one, why in held.unable],
            "notes": list(held.notes),
        }
    )
    return result

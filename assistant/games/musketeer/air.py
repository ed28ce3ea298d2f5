"""Air superiority and bombardment of Operation Musketeer, exactly (19.0, 20.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from assistant.attacks import Answer, BadQuestion, Fields, Value, odds, unit_fields
from assistant.games.musketeer.contingents import nation_of
from assistant.shared.chains import gather
from scenarios.game import Game


class Sky(NamedTuple):
    """Airstrikes left of the attacker and of the defender."""

    attacker: int
    defender: int


@dataclass(frozen=True)
class Fight:
    """Air superiority over one Available Box, solved."""

    first: str
    began: Sky
    left: Mapping[Sky, Fraction]
    fires: Mapping[str, Answer]
    """The fire of each side with all that it began with."""

    def lost(self, side: str) -> dict[int, Fraction]:
        """The chance of each number of airstrikes a side loses."""
        began: int = getattr(self.began, side)
        return dict(sorted(gather(self.left, lambda sky: began - int(getattr(sky, side))).items()))


def superiority(game: Game, attacker: str, defender: str, began: Sky, special_command: bool = False) -> Fight:
    """Both fires (19.1 to 19.4): the West first, but for an East Bloc attack under a special command (19.2).

    Seven airstrikes at most attack, and seven fire back; losses come from all that are in the box.
    """
    sides = {"attacker": nation_of(attacker), "defender": nation_of(defender)}
    attacker, defender = sides.values()
    for role, nation in sides.items():
        if nation not in game.nations:
            raise BadQuestion(f"{nation!r} is no nation; there are {', '.join(game.nations)}")
        if getattr(began, role) < 1:
            raise BadQuestion(f"the {role} has no airstrikes")
    if game.nations[attacker].side == game.nations[defender].side:
        raise BadQuestion("both are of one side")
    limit = game.tables["air_stacking"]
    most = max(int(limit.cell(row, limit.named_column("superiority")).code) for row in limit.cells)
    east_first = special_command and game.nations[attacker].side == "east"
    west = next(role for role, nation in sides.items() if game.nations[nation].side == "west")
    if began.attacker > most:
        raise BadQuestion(f"{most} airstrikes at most attack at once (19.1)")
    order = ("attacker", "defender") if east_first or west == "attacker" else ("defender", "attacker")
    def fire(role: str, own: int) -> Answer:
        strikes = [_strike(game, sides[role])] * min(own, most)
        return odds(game, "air_superiority", {"attackers": strikes}, {"role": role, "special_command": special_command})

    states = {began: Fraction(1)}
    for role in order:
        after: dict[Sky, Fraction] = {}
        for sky, chance in states.items():
            own, other = getattr(sky, role), "defender" if role == "attacker" else "attacker"
            if not own or not getattr(sky, other):
                after[sky] = after.get(sky, Fraction(0)) + chance
                continue
            for code, share in fire(role, own).chances.items():
                effects = game.tables["air"].results[code].effects
                hits = min(int(effects.get("hits", "0")), getattr(sky, other))
                flak = int(effects.get("own_airstrikes", "0"))
                next_ = sky._replace(**{other: getattr(sky, other) - hits, role: own - flak})
                after[next_] = after.get(next_, Fraction(0)) + chance * share
        states = after
    return Fight(order[0], began, states, {role: fire(role, getattr(began, role)) for role in order})


def _strike(game: Game, nation: str) -> Fields:
    found = next((u for u in game.units.values() if u.nation == nation and u.class_ == "airstrike"), None)
    if found is None:
        raise BadQuestion(f"{nation} has no airstrikes")
    return unit_fields(game, found)


def bombardment(
    game: Game, units: Sequence[Fields], inputs: Mapping[str, Value]
) -> tuple[dict[int, Fraction], Fraction, Answer]:
    """How many ground units lose a step (19.6), the chance that a bombarding airstrike is lost (20.4), and the fire."""
    answer = odds(game, "bombardment", {"attackers": units}, inputs)
    if answer.failures:
        raise BadQuestion("; ".join(answer.failures))
    results = game.tables["air"].results
    hits = gather(answer.chances, lambda code: int(results[code].effects.get("hits", "0")))
    flying = any(unit["class"] == "airstrike" for unit in units)
    lost = sum((c for code, c in answer.chances.items() if "own_airstrikes" in results[code].effects), Fraction(0))
    return dict(sorted(hits.items())), lost if flying else Fraction(0), answer

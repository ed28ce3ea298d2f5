"""Air superiority and bombardment of Operation Musketeer, exactly (19.0, 20.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from assistant.attacks import BadQuestion, Fields, Value, odds, unit_fields
from assistant.shared.asking import Options, Said, chances_json, percent, units_of
from assistant.shared.chains import gather
from assistant.shared.options import choice, whole, word, yes
from assistant.words import read_words
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

    def lost(self, side: str) -> dict[int, Fraction]:
        """The chance of each number of airstrikes a side loses."""
        began: int = getattr(self.began, side)
        return dict(sorted(gather(self.left, lambda sky: began - int(getattr(sky, side))).items()))


def superiority(game: Game, attacker: str, defender: str, began: Sky, special_command: bool = False) -> Fight:
    """Both fires (19.1 to 19.4): the West first, but for an East Bloc attack under a special command (19.2).

    Seven airstrikes of a side at most fire; losses come from all that are in the box.
    """
    sides = {"attacker": attacker, "defender": defender}
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
    order = ("attacker", "defender") if east_first or west == "attacker" else ("defender", "attacker")
    states = {began: Fraction(1)}
    for role in order:
        after: dict[Sky, Fraction] = {}
        for sky, chance in states.items():
            own, other = getattr(sky, role), "defender" if role == "attacker" else "attacker"
            if not own or not getattr(sky, other):
                after[sky] = after.get(sky, Fraction(0)) + chance
                continue
            strikes = [_strike(game, sides[role])] * min(own, most)
            inputs: dict[str, Value] = {"role": role, "special_command": special_command}
            for code, share in odds(game, "air_superiority", {"attackers": strikes}, inputs).chances.items():
                effects = game.tables["air"].results[code].effects
                hits = min(int(effects.get("hits", "0")), getattr(sky, other))
                flak = int(effects.get("own_airstrikes", "0"))
                next_ = sky._replace(**{other: getattr(sky, other) - hits, role: own - flak})
                after[next_] = after.get(next_, Fraction(0)) + chance * share
        states = after
    return Fight(order[0], began, states)


def _strike(game: Game, nation: str) -> Fields:
    found = next((u for u in game.units.values() if u.nation == nation and u.class_ == "airstrike"), None)
    if found is None:
        raise BadQuestion(f"{nation} has no airstrikes")
    return unit_fields(game, found)


def bombardment(
    game: Game, units: Sequence[Fields], inputs: Mapping[str, Value]
) -> tuple[dict[int, Fraction], Fraction]:
    """How many ground units lose a step (19.6), and the chance that a bombarding airstrike is lost (20.4)."""
    answer = odds(game, "bombardment", {"attackers": units}, inputs)
    if answer.failures:
        raise BadQuestion("; ".join(answer.failures))
    results = game.tables["air"].results
    hits = gather(answer.chances, lambda code: int(results[code].effects.get("hits", "0")))
    flying = any(unit["class"] == "airstrike" for unit in units)
    lost = sum((c for code, c in answer.chances.items() if "own_airstrikes" in results[code].effects), Fraction(0))
    return dict(sorted(hits.items())), lost if flying else Fraction(0)


MISSIONS = ("superiority", "bombardment")
NAMES = {
    "mission": "superiority or bombardment",
    "attacker": "superiority: the nation that attacks and its airstrikes, israel:3",
    "defender": "superiority: the nation attacked and its airstrikes, egypt:2",
    "special_command": "the impulse is a special command (yes or no)",
    "units": "bombardment: airstrikes, gunfire, rockets: 3*airstrike_britain,gunfire_britain:distance=1",
    "terrain": "bombardment: the terrain of the hex",
    "enemy_flak": "bombardment: an enemy AAA unit is in or next to the hex (yes or no)",
}
INPUTS = ("terrain", "special_command", "enemy_flak")


def air_answer(game: Game, options: Options) -> Said:
    """Air superiority over an Available Box, or a bombardment."""
    kind = choice(options, "mission", MISSIONS)
    if kind == "superiority":
        return _superiority(game, options)
    if kind == "bombardment":
        return _bombardment(game, options)
    raise BadQuestion("say which mission: mission=superiority or mission=bombardment")


def _superiority(game: Game, options: Options) -> Said:
    names, counts = [], []
    for role in ("attacker", "defender"):
        nation, _, count = word(options, role).partition(":")
        names.append(nation)
        counts.append(whole({role: count or "1"}, role, 1, 1, 60))
    fight = superiority(game, names[0], names[1], Sky(*counts), yes(options, "special_command"))
    lost = {role: fight.lost(role) for role in ("attacker", "defender")}
    json: dict[str, Any] = {"game": game.id, "question": "air superiority", "first_fire": fight.first}
    json["lost"] = {role: chances_json(chances) for role, chances in lost.items()}
    lines = [f"the {fight.first} fires first (19.2)"]
    for role, chances in lost.items():
        lines += [f"the {role} loses {count}: {percent(chance)}" for count, chance in chances.items()]
    return json, lines


def _bombardment(game: Game, options: Options) -> Said:
    told = [f"{key}={word(options, key)}" for key in INPUTS if word(options, key)]
    _, inputs = read_words(game, "bombardment", told)
    units = []
    for name in units_of(word(options, "units")):
        units += read_words(game, "bombardment", [f"attackers={name}"])[0]["attackers"]
    if not units:
        raise BadQuestion("say what bombards: units=2*airstrike_israel")
    hits, flak = bombardment(game, units, inputs)
    json = {"game": game.id, "question": "bombardment", "steps": chances_json(hits), "airstrike_lost": str(flak)}
    lines = [f"{count} units lose a step: {percent(chance)}" for count, chance in hits.items()]
    return json, [*lines, f"an airstrike is lost: {percent(flak)}"]

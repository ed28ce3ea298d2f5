"""A battle told in words, without a map: units with their states, and the inputs of the declared attack."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.attacks import BadQuestion, Value
from assistant.games.yom_kippur.combat import Battle, fields
from assistant.games.yom_kippur.field import Stand
from assistant.games.yom_kippur.losses import Force
from assistant.games.yom_kippur.questions import NOWHERE, sound
from assistant.shared.asking import Options
from assistant.shared.options import given, listed, whole
from assistant.words import read_words
from scenarios.game import Game
from scenarios.position import Piece

PLACES = ("scenario", "position", "put", "mark", "gone", "target", "at", "from", "targets", "best")


def inputs_told(game: Game, attack: str, options: Options) -> dict[str, Value]:
    """What was told of the battle as a whole, by the names of the declared attack."""
    return read_words(game, attack, _words(options, game.attacks[attack].inputs))[1]


def groups_told(game: Game, attack: str, options: Options) -> dict[str, list[dict[str, Value]]]:
    """The units that were told, as the declared attack sees them."""
    if odd := next((key for key in options if key in PLACES and given(options, key)), None):
        raise BadQuestion(f"a battle in words has no {odd}; leave it out, or put the units on the map and name a target")
    return read_words(game, attack, _words(options, game.attacks[attack].groups))[0]


def battle_in_words(game: Game, options: Options) -> Battle:
    """`attackers` and `defenders` as in UNIT+STATE:across=suez_canal,UNIT, and the inputs of the ground attack."""
    told = groups_told(game, "ground", options)
    stands: dict[str, list[Stand]] = {"attackers": [], "defenders": []}
    seen: dict[Stand, Mapping[str, Value]] = {}
    asked = game.attacks["ground"].groups["attackers"].inputs
    for group, units in told.items():
        for one in units:
            stand = _stand(game, one)
            stands[group].append(stand)
            seen[stand] = {**fields(game, stand), **{key: one[key] for key in asked if key in one}}
    for group, found in stands.items():
        if not found:
            raise BadQuestion(f"say who {'attacks' if group == 'attackers' else 'is attacked'}: {group}")
    whole(options, "turn", least=1)
    inputs = {"allied_saggers": game.rulings["allies_atgm"].choice == "side", **inputs_told(game, "ground", options)}
    forces = Force.of(stands["attackers"], "attacker"), Force.of(stands["defenders"], "defender")
    return Battle(game, *forces, seen, inputs)


def _stand(game: Game, told: Mapping[str, Value]) -> Stand:
    unit = game.units.get(str(told["id"]))
    if unit is None:
        raise BadQuestion(f"{told['id']} is a marker, and no unit that fights")
    states = frozenset(state for state in game.states if told[state])
    return sound(Stand(unit, Piece(unit.id, "1", unit.nation, NOWHERE, states), NOWHERE))


def _words(options: Options, names: Mapping[str, object]) -> list[str]:
    return [f"{key}={_text(options, key)}" for key in names if given(options, key)]


def _text(options: Options, key: str) -> str:
    value = options[key]
    return ("yes" if value else "no") if isinstance(value, bool) else ",".join(listed(options, key))

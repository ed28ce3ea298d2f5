"""The questions of The Arab-Israeli Wars by name: what the commands answer, for the page and for `assistant ask`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.asking import split
from assistant.games.arab_israeli_wars.smoke import smoke_answer
from assistant.parts import FREE, ask
from assistant.shared.asking import Answerer, Options, Question, Said, asked_position
from assistant.shared.options import given, whole, yes
from scenarios.game import Game

WHERE = {"scenario": "the Situation", "position": "a position file, or a save of VASSAL"}
ATTACKS = ("direct_fire", "opportunity_fire", "indirect_fire", "interdiction", "close_assault", "overrun", "air_strike")
_LISTS, _FLAGS, _NUMBERS = ("works", "tell", "support"), ("quick", "what_if", "anyway", "best"), ("turns",)


def _asked(command: str) -> Answerer:
    """A command as a question: the same words, told by name."""

    def answer(game: Game, options: Options) -> Said:
        names = [name for name in options if name != FREE and given(options, name)]
        reply = ask(game, command, **{"from_" if name == "from" else name: _value(game, options, name) for name in names})
        return reply.json(), list(reply.text())

    return answer


def _attack(game: Game, options: Options) -> Said:
    """An attack from a position, by the hexes of both sides."""
    told = {name: value for name, value in options.items() if name != "scenario"}
    if not given(told, "position"):
        raise BadQuestion("an attack is worked out from a position: open a save, or tell position=FILE (Basic VI.A.1)")
    return _asked("odds")(game, told)


def _value(game: Game, options: Options, name: str) -> Any:
    if name == "position":
        return asked_position(game, options)
    if name in _FLAGS:
        return yes(options, name)
    if name in _NUMBERS:
        return whole(options, name, 1, least=1, most=99)
    return split(str(options[name])) if name in _LISTS else str(options[name])


QUESTIONS: Mapping[str, Question] = {
    "attack": Question(_attack, "an attack from a position: who may fire, the odds, each target's fate", {
        **WHERE, "from": "the hexes of the attackers, as in A-L-9,A-L-10", "at": "the hex attacked; with best, several",
        "attack": f"what it is, else direct fire: {', '.join(ATTACKS)}", "firers": "only these attackers, as in UNIT,UNIT#5411",
        "targets": "only these defenders, as in UNIT,UNIT", "side": "whose units attack",
        "support": "batteries and air strikes of the Situation, by name, as in NAME,NAME",
        "what_if": "also the next column, and one unit more or less (yes or no)",
        "best": "the best way to share the attackers out (yes or no)",
        "aim": "with best: what it is for, else kills, as in HEX or HEX:UNIT",
        "anyway": "the numbers even if it isn't allowed (yes or no)",
    }),
    "smoke": Question(smoke_answer, "smoke fired into a hex: whether it may be, where it comes down, how long it stays", {
        "position": WHERE["position"], "unit": "the counter that fires it", "from": "its hex, if there are several like it",
        "at": "the hex it is fired into",
    }),
    "move": Question(_asked("move"), "where a unit can go and at what price; along a path, who may fire at it", {
        **WHERE, "unit": "the counter that moves", "from": "the hex it starts in, as in A-H-3",
        "to": "one hex to go to; left out, all", "path": "instead: each hex it enters, as in A-H-4,A-H-5",
        "quick": "a quick march (yes or no)", "passengers": "the counters it carries, as in UNIT,UNIT",
        "works": "markers besides, as in MARKER@HEX,MARKER@HEX",
    }),
    "morale": Question(_asked("morale"), "the chance that dispersed units recover, now and over the turns", {
        **WHERE, "unit": "the counter, if no position shows it", "level": "its morale, if no Situation tells it, as in B",
        "turns": "how many turns to look ahead",
    }),
    "score": Question(_asked("score"), "the points of both sides and who wins", {
        **WHERE, "tell": "what happened, as in EVENT=NUMBER",
    }),
}  # fmt: skip

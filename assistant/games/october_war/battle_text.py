"""Battles asked in words, and their answers as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion, Fields, Value
from assistant.games.october_war.battle import OWN_INPUTS, battle, first_fire
from assistant.games.october_war.forces import Policy
from assistant.games.october_war.result import ATTACKER, DEFENDER, Result
from assistant.shared.asking import Options, Said, amount, chances_json, declared_odds, flag, percent, told, units_of
from assistant.words import read_words
from scenarios.game import Game

CHOICES = ("losses", "retreats", "dodge", "leave", "can_retreat", "hq")
OWN = (
    "attackers", "defenders", "contingent", "ew_attacker", "ew_defender", "surprise",
    *(f"{side}_{what}" for side in (ATTACKER, DEFENDER) for what in CHOICES),
)  # fmt: skip


def odds_answer(game: Game, options: Options) -> Said:
    """`odds battle attackers=... defenders=... terrain=...` solves a whole battle; other words ask a declared attack."""
    words = list(options.get("words") or ())
    if words[:1] != ["battle"]:
        return declared_odds(game, words)
    result = asked_battle(game, words[1:])
    return battle_json(game, result), list(battle_text(result))


def asked_battle(game: Game, words: Sequence[str]) -> Result:
    """The battle that the words describe."""
    shapes = game.attacks["ground"].inputs
    inputs = [key for key in shapes if key not in OWN_INPUTS]
    given = told(words, [*OWN, *inputs])
    for side in ("attackers", "defenders"):
        if not given.get(side):
            raise BadQuestion(f"say who the {side} are: {side}=UNIT,UNIT")
    _, ground = read_words(game, "ground", [f"{key}={given[key]}" for key in inputs if key in given])
    flags = {key: flag(key, given.get(key, "no")) for key in ("ew_attacker", "ew_defender", "surprise")}
    return battle(
        game,
        _units(game, given["attackers"]),
        _units(game, given["defenders"]),
        ground,
        first=first_fire(**flags),
        headquarters=(_whole(given, ATTACKER), _whole(given, DEFENDER)),
        policies=(_policy(given, ATTACKER), _policy(given, DEFENDER)),
        contingent=given.get("contingent", ""),
    )


def _units(game: Game, text: str) -> list[Fields]:
    listed: list[dict[str, Value]] = []
    for name in units_of(text):
        listed += read_words(game, "ground", [f"firing={name}"])[0]["firing"]
    return list(listed)


def _whole(given: dict[str, str], side: str) -> int:
    return int(amount(f"{side}_hq", given.get(f"{side}_hq", "0")))


def _policy(given: dict[str, str], side: str) -> Policy:
    def of(what: str, default: str) -> str:
        return given.get(f"{side}_{what}", default)

    return Policy(
        of("losses", "weakest"),
        of("retreats", "obey"),
        of("dodge", "never"),
        amount(f"{side}_leave", of("leave", "0")),
        flag(f"{side}_can_retreat", of("can_retreat", "yes")),
    )


def battle_json(game: Game, result: Result) -> dict[str, Any]:
    """A solved battle for a program: chances are exact fractions."""
    sides = {ATTACKER: result.attacker, DEFENDER: result.defender}
    return {
        "game": game.id,
        "question": "battle",
        "first_fire": result.first,
        "holds": chances_json(result.holds()),
        "endings": [
            {"holder": holder, "other_side": why, "chance": str(chance)}
            for (holder, why), chance in sorted(result.whys().items())
        ],
        "sides": {
            side: {
                "side": army.side,
                "policy": list(army.policy.lines()),
                "casualty_points": chances_json(result.casualties(side)),
                "mean_casualty_points": str(result.mean_casualties(side)),
                "left_in_point": chances_json(result.left(side)),
                "volleys": [
                    {"unit": volley.name, "column": volley.answer.column, "shift": volley.answer.shift}
                    for volley in result.volleys
                    if volley.side == side
                ],
            }
            for side, army in sides.items()
        },
        "tolls": [
            {"holder": toll.holder, ATTACKER: toll.attacker, DEFENDER: toll.defender, "chance": str(chance)}
            for toll, chance in sorted(result.tolls().items())
        ],
        "notes": list(result.notes),
    }


def battle_text(result: Result) -> Iterator[str]:
    """A solved battle in lines."""
    yield f"the {result.first} fires first"
    for side, army in ((ATTACKER, result.attacker), (DEFENDER, result.defender)):
        yield f"{side} ({army.side}): " + "; ".join(army.policy.lines())
        for volley in result.volleys:
            if volley.side == side:
                how = ", ".join(f"{a.text} {int(a.amount):+d}" for a in volley.answer.applied)
                yield f"  {volley.name:22} column {volley.answer.column}" + (f" ({how})" if how else "")
    yield from result.notes
    for side, chance in result.holds().items():
        yield f"the {side} holds the point: {percent(chance)}"
        for (holder, why), part in sorted(result.whys().items(), key=lambda item: -item[1]):
            if holder == side:
                yield f"  {_why(why)}: {percent(part)}"
    for side in (ATTACKER, DEFENDER):
        points = result.casualties(side)
        mean = result.mean_casualties(side)
        yield f"casualty points of the {side}: {float(mean):.2f} on average"
        yield "  " + ", ".join(
            f"{n}: {float(chance):.1%}" for n, chance in points.items() if chance >= Fraction(1, 2000)
        )


def _why(why: str) -> str:
    words = {"eliminated": "the other side is gone", "retreated": "the other side has retreated"}
    return words.get(why, "a round without a result sends the attackers back (15.3)")

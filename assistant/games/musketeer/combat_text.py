"""Combats asked in words, and their answers as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assistant.attacks import BadQuestion, Value
from assistant.games.musketeer.combat import ATTACKER, DEFENDER, POLICIES, Combat, Outcome, solve
from assistant.games.musketeer.contingents import contingent
from assistant.games.musketeer.fighters import Fighter, Support, concentric, crossing, fighter
from assistant.shared.asking import Options, Said, amount, chances_json, declared_odds, flag, percent, told, units_of
from assistant.words import read_words
from scenarios.game import Game
from scenarios.hexes import distance
from scenarios.maps import HexMap

INPUTS = ("terrain", "across", "special_command", "enemy_flak", "concentric")
OWN = (
    "attackers", "defenders", "hex", "from", "cas", "attacker_losses", "defender_losses", "attacker_special_forces",
    "defender_special_forces", "attacker_guerrilla", "defender_guerrilla",
)  # fmt: skip


def odds_answer(game: Game, options: Options) -> Said:
    """`odds combat attackers=A,B/C defenders=D hex=5509 from=5408,5510` solves a combat, a slash between stacks; other
    words ask a declared attack."""
    words = list(options.get("words") or ())
    if words[:1] != ["combat"]:
        return declared_odds(game, words)
    outcome = solve(asked_combat(game, words[1:]))
    return combat_json(game, outcome), list(combat_text(game, outcome))


def asked_combat(game: Game, words: Sequence[str]) -> Combat:
    """The combat that the words describe; terrain, hexsides and angles come from the map where hexes are given."""
    given = told(words, [*OWN, *INPUTS])
    for side in ("attackers", "defenders"):
        if not given.get(side):
            raise BadQuestion(f"say who the {side} are: {side}=UNIT,UNIT")
    stacks = given["attackers"].split("/")
    attackers = tuple(unit for number, text in enumerate(stacks) for unit in _fighters(game, text, number))
    defenders = tuple(_fighters(game, given["defenders"], 0))
    if len({contingent(str(unit.fields["nation"])) for unit in attackers}) > 1:
        raise BadQuestion("only one contingent attacks at a time (14.1)")
    for name, units in (("attackers", attackers), ("defenders", defenders)):
        if len({unit.fields["side"] for unit in units}) > 1:
            raise BadQuestion(f"the {name} are of both sides")
    if defenders[0].fields["side"] == attackers[0].fields["side"]:
        raise BadQuestion("attackers and defenders are of one side")
    words_given = [f"{key}={given[key]}" for key in INPUTS if key in given]
    _, inputs = read_words(game, "ground_fire", words_given)
    mapped = _mapped(game, given, len(stacks), contingent(str(attackers[0].fields["nation"])))
    support = (_support(given, ATTACKER), _support(given, DEFENDER))
    policies = (given.get("attacker_losses", "spread"), given.get("defender_losses", "spread"))
    return Combat(game, attackers, defenders, {**mapped, **inputs}, support, policies)


def _fighters(game: Game, text: str, stack: int) -> list[Fighter]:
    listed = []
    for name in units_of(text):
        (fields,) = read_words(game, "ground_fire", [f"firer={name}"])[0]["firer"]
        listed.append(fighter(game, fields, stack))
    return listed


def _support(given: dict[str, str], side: str) -> Support:
    cas = int(amount("cas", given.get("cas", "0"))) if side == ATTACKER else 0
    guerrilla = given.get(f"{side}_guerrilla")
    return Support(
        cas,
        flag("special_forces", given.get(f"{side}_special_forces", "no")),
        None if guerrilla is None else int(amount("guerrilla", guerrilla)),
    )


def _mapped(game: Game, given: dict[str, str], stacks: int, whose: str) -> dict[str, Value]:
    """What the map tells of a combat: terrain, hexsides (14.10) and whether it is concentric (29.4)."""
    if "hex" not in given:
        return {}
    table = next(iter(game.maps.values()))
    assert isinstance(table, HexMap)
    try:
        target = table.hex(given["hex"])
        starts = [table.hex(name) for name in given.get("from", "").split(",") if name]
    except ValueError as error:
        raise BadQuestion(str(error)) from None
    if starts and len(starts) != stacks:
        raise BadQuestion(f"{stacks} stacks attack, but {len(starts)} hexes are given with from=")
    if any(distance(target, start) != 1 for start in starts):
        raise BadQuestion("attackers stand next to the hex they attack (14.2)")
    may = game.tables["contingents"]
    able = may.cell(whose, may.named_column("concentric")).code == "yes"
    return {
        "terrain": table.terrain[target],
        "across": crossing(table, game, target, starts) if starts else "nothing",
        "concentric": able and concentric(target, starts),
    }


def combat_json(game: Game, outcome: Outcome) -> dict[str, Any]:
    """A solved combat for a program: chances are exact fractions."""
    combat = outcome.combat
    return {
        "game": game.id,
        "question": "combat",
        "first_fire": outcome.first,
        "inputs": {key: value if isinstance(value, bool) else str(value) for key, value in combat.inputs.items()},
        "cleared": str(outcome.cleared()),
        "may_pursue": str(outcome.may_pursue()),
        "must_pursue": str(outcome.must_pursue()),
        "airstrikes_lost": chances_json(outcome.air_lost()),
        "sides": {
            side: {
                "policy": POLICIES[combat.policies[number]],
                "units": [
                    {
                        "unit": unit.fields["id"],
                        "column": answer.column,
                        "shift": answer.shift,
                        "fate": chances_json(outcome.fate(side, place)),
                    }
                    for place, (unit, answer) in enumerate(
                        zip(combat.sides[number], _answers(outcome, side), strict=True)
                    )
                ],
                "losses": [
                    {"eliminated": gone, "disrupted": worn, "retreated": away, "chance": str(chance)}
                    for (gone, worn, away), chance in outcome.losses(side).items()
                ],
            }
            for number, side in enumerate((ATTACKER, DEFENDER))
        },
    }


def _answers(outcome: Outcome, side: str) -> list[Any]:
    return [answer for whose, _, answer in outcome.volleys if whose == side]


def combat_text(game: Game, outcome: Outcome) -> Iterator[str]:
    """A solved combat in lines."""
    combat = outcome.combat
    terrain = str(combat.inputs.get("terrain", "open"))
    yield f"{game.terrain[terrain].name}: the {outcome.first} fires first (14.4)"
    for number, side in enumerate((ATTACKER, DEFENDER)):
        yield f"{side}: {POLICIES[combat.policies[number]]}"
        for place, (unit, answer) in enumerate(zip(combat.sides[number], _answers(outcome, side), strict=True)):
            how = ", ".join(f"{a.text} {int(a.amount):+d}" for a in answer.applied)
            yield f"  {unit.name:22} column {answer.column}" + (f" ({how})" if how else "")
            fate = sorted(outcome.fate(side, place).items(), key=lambda item: -item[1])
            yield "    " + ", ".join(f"{name} {float(chance):.1%}" for name, chance in fate)
    yield f"the hex is cleared: {percent(outcome.cleared())}"
    yield f"  attackers may pursue {percent(outcome.may_pursue())}, must {percent(outcome.must_pursue())} (17.1, 17.6)"
    if combat.support[0].cas:
        lost = ", ".join(f"{count}: {float(chance):.1%}" for count, chance in outcome.air_lost().items())
        yield f"airstrikes lost: {lost}"
    yield from _pursuit(game, combat)


def _pursuit(game: Game, combat: Combat) -> Iterator[str]:
    table = game.tables["pursuit"]
    rows = {"mechanized": "mechanized", "foot": "non-mechanized", "static": "static"}
    far = {unit.name: table.cell(rows[str(unit.fields["class"])], 0).code for unit in combat.attackers}
    yield "pursuit in hexes: " + ", ".join(f"{name} {hexes}" for name, hexes in far.items())

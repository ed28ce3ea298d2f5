"""Ground combat as text and JSON: from a position or in words, what if, the best plan."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur.air_units import asked_air
from assistant.games.yom_kippur.barrage_answer import barrage_answer
from assistant.games.yom_kippur.best import best_plan
from assistant.games.yom_kippur.combat import Battle, Combat, battle_of, fight
from assistant.games.yom_kippur.combat_text import combat_json, combat_text, rebuilt, saggers_text
from assistant.games.yom_kippur.field import Field, Stand, other
from assistant.games.yom_kippur.in_words import battle_in_words, inputs_told
from assistant.games.yom_kippur.questions import PLACED, asked_field, asked_hex, asked_side, asked_target, asked_units
from assistant.games.yom_kippur.whatif import next_column, variants
from assistant.shared.asking import Options, Said, amount
from assistant.shared.options import choice, given, listed, yes
from assistant.shared.sourced import ours_text
from scenarios.game import Game


def odds_answer(game: Game, options: Options) -> Said:
    """An attack by `attackers` on the hex `target`, or on `defenders` in words; `what_if` for changes, `best` for a plan."""
    if choice(options, "attack", ("ground", "barrage"), "ground") == "barrage":
        return barrage_answer(game, options)
    if given(options, "defenders"):
        asked_air(game, None, options)
        battle = battle_in_words(game, options)
    else:
        if not any(given(options, key) for key in PLACED):
            raise BadQuestion(
                "say who attacks whom: attackers=UNIT,UNIT and defenders=UNIT; or on the map, as in "
                "scenario=4.5 attackers=UNIT target=HEX"
            )
        field = asked_field(game, options)
        if yes(options, "best"):
            return _best(field, options)
        battle = _on_the_map(field, options)
    combat = fight(battle)
    notes = _notes(combat, options)
    answer, lines = {**combat_json(combat), "notes": notes}, [*combat_text(combat), *notes]
    if yes(options, "what_if"):
        more, changes = next_column(combat), list(variants(combat))
        lines += [] if more is None else [f"{more} points more would start a column further right"]
        lines += [one.text for one in changes]
        answer |= {"next_column": None if more is None else str(more), "what_if": [one.json for one in changes]}
    return answer, lines


def _on_the_map(field: Field, options: Options) -> Battle:
    """The attack where the units stand; what is told besides wins over what the map says."""
    told = inputs_told(field.ground.game, "ground", options)
    asked_air(field.ground.game, field, options)
    return battle_of(field, _attackers(field, options), asked_target(field, options)).given(**told)


def _notes(combat: Combat, options: Options) -> list[str]:
    """What the numbers don't say: in words, that Saggers need a turn."""
    if combat.battle.field is not None:
        return []
    return [] if given(options, "turn") or not saggers_text(combat) else ["no turn is told: it is taken as one without Saggers"]


def _attackers(field: Field, options: Options) -> list[Stand]:
    """`attackers`, and whoever can attack `from` some hexes."""
    hexes = [asked_hex(field, name) for name in listed(options, "from")]
    there = [s for hex in hexes for side in field.held.values() for s in side.get(hex, ()) if _fights(s)]
    if hexes and not there:
        raise BadQuestion(f"nobody who could attack stands in {', '.join(map(field.ground.table.name, hexes))}")
    return list(dict.fromkeys([*asked_units(field, options, "attackers"), *there]))


def _fights(stand: Stand) -> bool:
    return stand.factor("attack") > 0 and "supplies" not in stand.unit.abilities


def _best(field: Field, options: Options) -> Said:
    """`best`: all units of `side` (or `attackers`) shared out among `targets`."""
    told: dict[str, Any] = {**asked_air(field.ground.game, field, options), "overrun": yes(options, "overrun")}
    if given(options, "allied_saggers"):
        told["rulings"] = {"allied_saggers": yes(options, "allied_saggers")}
    targets = list(dict.fromkeys(asked_hex(field, name) for name in (*listed(options, "targets"), *listed(options, "at"))))
    if not targets:
        raise BadQuestion("say which hexes may be attacked: targets")
    side = asked_side(options, "israeli")
    units = _attackers(field, options) or [s for s in field.of(side) if _fights(s)]
    side = units[0].unit.side if units else side
    name = field.ground.table.name
    for hex in targets:
        if hex not in field.held[other(side)]:
            raise BadQuestion(f"no enemy stands in {name(hex)}")
    aim = choice(options, "aim", ("steps", "hexes"), "steps")
    price = amount("price", str(options["price"])) if given(options, "price") else Fraction(0)
    plan = best_plan(field, units, targets, "hexes" if aim == "hexes" else "steps", told, price)
    lines = [
        f"{name(hex)}: column {combat.answer.column}, falls {float(combat.falls):.1%}, taken "
        f"{float(combat.taken):.1%}, "
        f"by {', '.join(s.name for s in combat.attackers)}"
        for hex, combat in plan.attacks
    ] or ["nobody named can attack there"]
    what = "hexes taken" if aim == "hexes" else "enemy steps lost"
    less = f", less {price} for each step of one's own" if price else ""
    lines.append(f"on average {float(plan.worth):.2f} ({plan.worth}) {what}{less}; no plan does better")
    if plan.idle:
        lines.append("not needed: " + ", ".join(s.name for s in plan.idle))
    attacks = [
        {"target": name(hex), "units": [s.key for s in combat.attackers], "column": combat.answer.column,
         "hex_falls": str(combat.falls), "hex_taken": str(combat.taken),
         "defender_steps": str(combat.expected(lambda one: one.defender.total))}
        for hex, combat in plan.attacks
    ]  # fmt: skip
    used = {entry: word for _, combat in plan.attacks for entry, word in rebuilt(combat).items()}
    worth = {"aim": aim, "worth": str(plan.worth), "idle": [s.key for s in plan.idle], "not_the_rulebooks": used}
    return {"game": field.ground.game.id, "attacks": attacks, **worth}, [*lines, *ours_text(used)]

"""Battles as text and JSON: ground combat, what if, the best plan, barrages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from assistant.attacks import Answer, BadQuestion
from assistant.games.yom_kippur.best import best_plan
from assistant.games.yom_kippur.chances import barrage
from assistant.games.yom_kippur.combat import Combat, ground_combat
from assistant.games.yom_kippur.field import Field, other
from assistant.games.yom_kippur.losses import Share
from assistant.games.yom_kippur.questions import CHOSEN, asked_field, asked_hex, asked_side, asked_units, effects
from assistant.games.yom_kippur.whatif import next_column, variants
from assistant.shared.asking import Options, Said, amount, chances_json
from assistant.shared.folding import spread_text
from assistant.shared.options import choice, given, listed, whole, yes
from assistant.shared.strengths import not_the_books
from assistant.text import odds_json, odds_text
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.tables import span

AIR = ("israeli_air", "egyptian_air", "sam_zone_air")


def odds_answer(game: Game, options: Options) -> Said:
    """An attack by `attackers` on the hex `target`; `what_if` for changes, `best` for the best plan."""
    if choice(options, "attack", ("ground", "barrage"), "ground") == "barrage":
        return barrage_answer(game, options)
    field = asked_field(game, options)
    told = {**_air(field, options), "overrun": yes(options, "overrun"), "rulings": _rulings(options, "allied_saggers")}
    if yes(options, "best"):
        return _best(field, options, told)
    units = asked_units(field, options, "attackers")
    target = _target(field, options)
    combat = ground_combat(field, units, target, **told)
    answer, lines = combat_json(field, combat), list(combat_text(field, combat))
    if yes(options, "what_if"):
        more = next_column(field, combat)
        lines += [] if more is None else [f"{more} points more would start a column further right"]
        answer["next_column"] = None if more is None else str(more)
        answer["what_if"] = []
        for one in variants(field, units, target, told):
            mine = one.combat.expected(lambda result: result.attacker.total)
            theirs = one.combat.expected(lambda result: result.defender.total)
            lines.append(
                f"  {one.change:32} {one.combat.answer.column or '-':5} the hex falls {float(one.combat.falls):6.1%}, steps "
                f"{float(mine):.2f} to {float(theirs):.2f}"
            )
            answer["what_if"].append(
                {"change": one.change, "column": one.combat.answer.column, "hex_falls": str(one.combat.falls),
                 "attacker_steps": str(mine), "defender_steps": str(theirs)}
            )  # fmt: skip
    return answer, lines


def _target(field: Field, options: Options) -> Hex:
    if not given(options, "target"):
        raise BadQuestion("say which hex is attacked: target")
    return asked_hex(field, str(options["target"]))


def _air(field: Field, options: Options) -> dict[str, Any]:
    air = {key: whole(options, key, 0, most=99) for key in AIR}
    if air["israeli_air"] and list(effects(field, "no_air_units", "israeli")):
        raise BadQuestion("there are no Israeli air units in this scenario (4.3 A)")
    return air


def _rulings(options: Options, key: str) -> dict[str, bool]:
    return {key: yes(options, key)} if given(options, key) else {}


def combat_json(field: Field, combat: Combat) -> dict[str, Any]:
    """A battle for a program: the odds, each result spelled out, and the chances of steps and retreats."""
    name = field.ground.table.name

    def share(one: Share) -> dict[str, Any]:
        losses = [{"unit": loss.stand.key, "name": loss.name, "steps": loss.steps, "left": loss.left} for loss in one.losses]
        back = [
            {"unit": b.stand.key, "name": b.stand.name, "steps": b.lost, "to": [name(way.end) for way in b.ways],
             "path": [name(hex) for hex in b.ways[0].path] if b.ways else []}
            for b in one.back
        ]  # fmt: skip
        return {"steps": one.steps, "sagger": one.sagger, "retreat": one.retreat, "losses": losses, "back": back}

    results = [
        {"result": one.code, "chance": str(one.chance), "attacker": share(one.attacker), "defender": share(one.defender),
         "hex_falls": one.hex_falls}
        for one in combat.results
    ]  # fmt: skip
    spreads = {
        "attacker_steps": chances_json(combat.spread(lambda one: one.attacker.total)),
        "defender_steps": chances_json(combat.spread(lambda one: one.defender.total)),
        "attacker_retreat": chances_json(combat.spread(lambda one: one.attacker.retreat)),
        "defender_retreat": chances_json(combat.spread(lambda one: one.defender.retreat)),
    }
    told = {"results": results, "spread": spreads, "hex_falls": str(combat.falls), "saggers": combat.stars}
    return {**odds_json(field.ground.game, combat.answer), **told, "not_the_books": _ours(combat)}


def _ours(combat: Combat) -> dict[str, str]:
    pairs = [(s.unit, "attack") for s in combat.attackers] + [(s.unit, "defense") for s in combat.defenders]
    return not_the_books(pairs)


def combat_text(field: Field, combat: Combat) -> Iterator[str]:
    """A battle in lines."""
    # The chances stand with what each result does to these units, not with what it means in general.
    yield from odds_text(field.ground.game, replace(combat.answer, chances={}))
    if combat.stars:
        yield "Saggers: a star in the Israeli result costs a step of armor more (3.6)"
    for one in combat.results:
        parts = [f"{who} {told}" for who, s in (("attacker", one.attacker), ("defender", one.defender)) if (told := _share(field, s))]
        yield f"  {one.code:9} {one.chance!s:>5} {float(one.chance):6.1%}  {', '.join(parts) or 'nothing'}"
    yield f"steps lost: attacker {spread_text(combat.spread(lambda one: one.attacker.total))}"
    yield f"            defender {spread_text(combat.spread(lambda one: one.defender.total))}"
    yield f"the hex falls: {combat.falls} ({float(combat.falls):.1%})"
    if guessed := [s.name for s in (*combat.attackers, *combat.defenders) if s.assumed]:
        yield f"{CHOSEN}: {', '.join(guessed)}"
    if ours := _ours(combat):
        yield f"{len(ours)} strengths aren't the rulebook's; your own: overlay {next(iter(ours))}"


def _share(field: Field, one: Share) -> str:
    name = field.ground.table.name
    told = [f"{loss.name} {'gone' if not loss.left else f'loses {loss.steps}, {loss.left} left'}" for loss in one.losses]
    for back in one.back:
        if back.ways:
            shown = [name(way.end) for way in back.ways]
            where = " or ".join(shown[:4]) + (f" or {len(shown) - 4} more" if len(shown) > 4 else "")
            price = f" ({back.lost} by enemy zones)" if back.lost else ""
            told.append(f"{back.stand.name} back {one.retreat} to {where}{price}")
        else:
            told.append(f"{back.stand.name} has no way back")
    told += ["one step by Saggers"] if one.sagger else []
    return "; ".join(told)


def _best(field: Field, options: Options, told: dict[str, Any]) -> Said:
    """`best`: all units of `side` (or `attackers`) shared out among `targets`."""
    targets = list(dict.fromkeys(asked_hex(field, name) for name in listed(options, "targets")))
    if not targets:
        raise BadQuestion("say which hexes may be attacked: targets")
    side = asked_side(options, "israeli")
    units = asked_units(field, options, "attackers") or [
        s for s in field.of(side) if s.factor("attack") > 0 and "supplies" not in s.unit.abilities
    ]
    side = units[0].unit.side if units else side
    name = field.ground.table.name
    for hex in targets:
        if hex not in field.held[other(side)]:
            raise BadQuestion(f"no enemy stands in {name(hex)}")
    aim = choice(options, "aim", ("steps", "hexes"), "steps")
    price = amount("price", str(options["price"])) if given(options, "price") else Fraction(0)
    plan = best_plan(field, units, targets, "hexes" if aim == "hexes" else "steps", told, price)
    lines = [
        f"{name(hex)}: column {combat.answer.column}, falls {float(combat.falls):.1%}, "
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
         "hex_falls": str(combat.falls), "defender_steps": str(combat.expected(lambda one: one.defender.total))}
        for hex, combat in plan.attacks
    ]  # fmt: skip
    worth = {"aim": aim, "worth": str(plan.worth), "idle": [s.key for s in plan.idle]}
    return {"game": field.ground.game.id, "attacks": attacks, **worth}, lines


def barrage_answer(game: Game, options: Options) -> Said:
    """A barrage by `attackers` (guns) and air units on the hex `target` (1.8, 1.12b)."""
    field = asked_field(game, options)
    guns = asked_units(field, options, "attackers")
    air = _air(field, options)
    if not guns and not air["israeli_air"] and not air["egyptian_air"]:
        raise BadQuestion("say who fires: attackers, israeli_air or egyptian_air")
    chemical = bool(list(effects(field, "chemical_shells", "egyptian")))
    target = _target(field, options)

    def fired(**more: int) -> Answer:
        return barrage(
            field, guns, target, side=asked_side(options), pre_game=yes(options, "pre_game"), chemical=chemical,
            rulings=_rulings(options, "our_modifiers"), **{**air, **more},
        )  # fmt: skip

    answer = fired()
    told, lines = odds_json(game, answer), list(odds_text(game, answer))
    if yes(options, "what_if"):
        labels = game.tables["barrage"].columns.labels
        place = None if answer.start in (None, labels[-1]) else labels.index(str(answer.start)) + 1
        more = None if place is None else (span(labels[place]).low or Fraction(0)) - answer.attack_strength
        lines += [] if more is None else [f"{more} points more would start a column further right"]
        side = asked_side(options) or (guns[0].unit.side if guns else "israeli" if air["israeli_air"] else "egyptian")
        flown = fired(**{f"{side}_air": air[f"{side}_air"] + 1}, sam_zone_air=air["sam_zone_air"] + 1)
        extra: dict[str, Any] = {"next_column": None if more is None else str(more), "what_if": []}
        if len(flown.failures) <= len(answer.failures):
            hit = 1 - flown.chances.get("-", Fraction(0))
            lines.append(f"  with one air unit more: column {flown.column}, the hex is hit with {float(hit):.1%}")
            extra["what_if"] = [{"change": "with one air unit more", "column": flown.column, "hit": str(hit)}]
        told |= extra
    return told, lines

"""A battle as text and JSON: the odds, each result spelled out, who gave the shift."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from assistant.games.yom_kippur.combat import Battle, Combat
from assistant.games.yom_kippur.field import Stand
from assistant.games.yom_kippur.losses import Share
from assistant.games.yom_kippur.printed import STEPS, ours
from assistant.games.yom_kippur.questions import CHOSEN
from assistant.shared.asking import chances_json
from assistant.shared.folding import spread_text
from assistant.shared.sourced import ours_text
from assistant.text import odds_json, odds_text
from scenarios.hexes import Hex

TOGETHER = "who goes back together shares the room of a hex (1.3), and keeps no enemy zone off the others"


def combat_json(combat: Combat) -> dict[str, Any]:
    """A battle for a program: the odds, each result spelled out, and the chances of steps and retreats."""
    results = [
        {"result": one.code, "chance": str(one.chance), "attacker": _share_json(combat.battle, one.attacker),
         "defender": _share_json(combat.battle, one.defender), "hex_falls": one.hex_falls,
         "hex_taken": one.hex_taken}
        for one in combat.results
    ]  # fmt: skip
    spreads = {
        "attacker_steps": chances_json(combat.spread(lambda one: one.attacker.total)),
        "defender_steps": chances_json(combat.spread(lambda one: one.defender.total)),
        "attacker_retreat": chances_json(combat.spread(lambda one: one.attacker.retreat)),
        "defender_retreat": chances_json(_pushed(combat)),
    }
    told = {"results": results, "spread": spreads, "hex_falls": str(combat.falls), "hex_taken": str(combat.taken),
            "saggers": combat.stars}  # fmt: skip
    helpers = {group: [s.key for s in combat.battle.helpers(group)] for group in ("attackers", "defenders")}
    bound = [s.key for s in bound_engineers(combat.battle)]
    return {
        **odds_json(combat.battle.game, combat.answer), **told, "not_the_rulebooks": rebuilt(combat), "helpers": helpers,
        "no_bridge": bound,
    }  # fmt: skip


def _pushed(combat: Combat) -> Mapping[int, Fraction]:
    """How many hexes the defender goes back; forts alone none, they take a retreat as losses (2.1)."""
    rooted = all("stands_fast" in s.unit.abilities for s in combat.defenders)
    return combat.spread(lambda one: 0 if rooted else one.defender.retreat)


def _share_json(battle: Battle, one: Share) -> dict[str, Any]:
    losses = [{"unit": loss.stand.key, "name": loss.name, "steps": loss.steps, "left": loss.left} for loss in one.losses]
    back = [
        {"unit": b.stand.key, "name": b.stand.name, "steps": b.lost, "to": [_name(battle, way.end) for way in b.ways],
         "path": [_name(battle, hex) for hex in b.ways[0].path] if b.ways else []}
        for b in one.back
    ]  # fmt: skip
    told = {"steps": one.steps, "sagger": one.sagger, "retreat": one.retreat, "losses": losses, "back": back}
    return {**told, "crowded": one.retreats.crowded, "sure": one.retreats.sure}


def _name(battle: Battle, hex: Hex) -> str:
    return battle.field.ground.table.name(hex) if battle.field is not None else ""


def bound_engineers(battle: Battle) -> list[Stand]:
    """Engineers of whom one gave a shift, and so can't become a bridge in this turn (1.14a, ruling shift_turn).

    Where a headquarters is stacked with them too, the shift can be its own. An Egyptian engineer that helps to defend has
    its Bridging Phase of the turn behind it.
    """
    found: list[Stand] = []
    for group, stands in (("attackers", battle.attackers), ("defenders", battle.defenders)):
        helpers = battle.helpers(group)
        late = group == "defenders" and stands[0].unit.side == "egyptian"
        if not late and all("builds_bridge" in s.unit.abilities for s in helpers):
            found += helpers
    return found


def rebuilt(combat: Combat) -> dict[str, str]:
    """What a battle rests on that isn't the rulebook's: strengths, steps, a few cells of the table."""
    used = [*((s, "attack") for s in combat.attackers), *((s, "defense") for s in combat.defenders)]
    used += [(s, STEPS) for s in (*combat.attackers, *combat.defenders)]
    table, column = combat.battle.table, combat.answer.column
    cells = [(combat.battle.game.attacks["ground"].table, row, column) for row in table.cells] if column else []
    return ours(combat.battle.game, used, cells)


def saggers_text(combat: Combat) -> str:
    """Whether Saggers count, and if not, why; nothing where no Israeli armor fights (3.6)."""
    values, limits = combat.answer.values, combat.battle.game.tables["limits"]
    if not values["armor_attacks"] and not values["armor_defends"]:
        return ""
    if combat.stars:
        return "Saggers: a star in the Israeli result costs a step of armor more (3.6)"
    if not values["saggers"]:
        return "no Saggers: no Egyptian infantry is in it (3.6)"
    return f"no Saggers: they count up to turn {limits.cell('sagger_last_turn', 0).code} only (3.6)"


def combat_text(combat: Combat) -> Iterator[str]:
    """A battle in lines."""
    # The chances stand with what each result does to these units, not with what it means in general.
    yield from odds_text(combat.battle.game, replace(combat.answer, chances={}))
    if told := saggers_text(combat):
        yield told
    if bound := bound_engineers(combat.battle):
        yield f"{' or '.join(s.name for s in bound)} gives the column, and can't become a bridge this turn (1.5, 1.14a)"
    for one in combat.results:
        both = (("attacker", one.attacker), ("defender", one.defender))
        parts = [f"{who} {told}" for who, s in both if (told := _share(combat, s))]
        yield f"  {one.code:9} {one.chance!s:>5} {float(one.chance):6.1%}  {', '.join(parts) or 'nothing'}"
    yield f"steps lost: attacker {spread_text(combat.spread(lambda one: one.attacker.total))}"
    yield f"            defender {spread_text(combat.spread(lambda one: one.defender.total))}"
    yield f"hexes back: attacker {spread_text(combat.spread(lambda one: one.attacker.retreat))}"
    yield f"            defender {spread_text(_pushed(combat))}"
    left = f"an attacker is left to take it: {combat.taken} ({float(combat.taken):.1%})"
    yield f"the hex falls: {combat.falls} ({float(combat.falls):.1%}); {left}"
    if any(len(share.back) > 1 for one in combat.results for share in (one.attacker, one.defender)):
        yield TOGETHER
    if guessed := [s.name for s in (*combat.attackers, *combat.defenders) if s.assumed]:
        yield f"{CHOSEN}: {', '.join(guessed)}"
    yield from ours_text(rebuilt(combat))


def _share(combat: Combat, one: Share) -> str:
    battle = combat.battle
    told = [f"{loss.name} {'gone' if not loss.left else f'loses {loss.steps}, {loss.left} left'}" for loss in one.losses]
    for back in one.back:
        if back.ways:
            shown = [_name(battle, way.end) for way in back.ways]
            where = " or ".join(shown[:4]) + (f" or {len(shown) - 4} more" if len(shown) > 4 else "")
            price = f" ({back.lost} by enemy zones)" if back.lost else ""
            told.append(f"{back.stand.name} back {one.retreat} to {where}{price}")
        else:
            told.append(f"{back.stand.name} has no way back")
    if one.retreats.crowded:
        told.append("not all to one hex" if one.retreats.sure else "not all to one hex; there may be a better plan")
    if battle.field is None and one.retreat and one.standing:
        told.append(f"{', '.join(s.name for s in one.standing)} back {one.retreat}")
    told += ["one step by Saggers"] if one.sagger else []
    return "; ".join(told)

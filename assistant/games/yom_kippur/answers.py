"""Battles, dice and score as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur.chances import barrage, cease_fires, recovery, suppression
from assistant.games.yom_kippur.combat import Combat, Share, ground_combat, umbrellas
from assistant.games.yom_kippur.field import Stand
from assistant.games.yom_kippur.questions import Options, asked_field, asked_hex, asked_unit
from assistant.games.yom_kippur.score import standing
from assistant.games.yom_kippur.whatif import next_column, variants
from assistant.text import odds_json, odds_text
from scenarios.game import Game

Reply = tuple[dict[str, Any], list[str]]


def odds_answer(game: Game, options: Options) -> Reply:
    """An attack (or `attack: barrage`) by `attackers` on the hex `target`, with air units as told; `what_if` for changes."""
    field = asked_field(game, options)
    named = options.get("attackers", ())
    units = [asked_unit(field, name) for name in (named.split(",") if isinstance(named, str) else named) if name]
    if "target" not in options:
        raise BadQuestion("say which hex is attacked: target")
    target = asked_hex(field, str(options["target"]))
    air: dict[str, Any] = {key: int(options.get(key, 0)) for key in ("israeli_air", "egyptian_air", "sam_zone_air")}
    if options.get("attack", "ground") == "barrage":
        fired = barrage(field, units, target, side=str(options.get("side", "")), pre_game=bool(options.get("pre_game")), **air)
        return odds_json(game, fired), list(odds_text(game, fired))
    turn = options.get("turn")
    told = {**air, "overrun": bool(options.get("overrun")), "turn": None if turn is None else int(turn)}
    combat = ground_combat(field, units, target, **told)
    answer, lines = combat_json(game, combat), list(combat_text(game, combat))
    if options.get("what_if"):
        more = next_column(field, combat)
        others = variants(field, units, target, told)
        lines += [] if more is None else [f"{more} points more would start a column further right"]
        lines += [f"{one.change}: {one.combat.answer.column}, the hex falls {float(one.combat.falls):.1%}" for one in others]
        answer["next_column"] = None if more is None else str(more)
        answer["what_if"] = [
            {"change": one.change, "column": one.combat.answer.column, "hex_falls": str(one.combat.falls)} for one in others
        ]
    return answer, lines


def combat_json(game: Game, combat: Combat) -> dict[str, Any]:
    """A battle for a program: the odds, each result spelled out, and the chances of steps and retreats."""

    def share(one: Share) -> dict[str, Any]:
        losses = [{"unit": loss.name, "steps": loss.steps, "left": loss.left} for loss in one.losses]
        return {"steps": one.steps, "sagger": one.sagger, "retreat": one.retreat, "losses": losses}

    results = [
        {"result": one.code, "chance": str(one.chance), "attacker": share(one.attacker), "defender": share(one.defender),
         "hex_falls": one.hex_falls}
        for one in combat.results
    ]  # fmt: skip
    spreads = {
        "attacker_steps": combat.spread(lambda one: one.attacker.total),
        "defender_steps": combat.spread(lambda one: one.defender.total),
        "attacker_retreat": combat.spread(lambda one: one.attacker.retreat),
        "defender_retreat": combat.spread(lambda one: one.defender.retreat),
    }
    told = {key: _texts(spread) for key, spread in spreads.items()}
    return {**odds_json(game, combat.answer), "results": results, "spread": told, "hex_falls": str(combat.falls)}


def combat_text(game: Game, combat: Combat) -> Iterator[str]:
    """A battle in lines."""
    yield from odds_text(game, combat.answer)
    for one in combat.results:
        parts = [f"{who} {_share(share)}" for who, share in (("attacker", one.attacker), ("defender", one.defender))]
        yield f"  {one.code:9} {', '.join(part for part in parts if not part.endswith(' '))}"
    yield f"steps lost: attacker {_percent(combat.spread(lambda one: one.attacker.total))}"
    yield f"            defender {_percent(combat.spread(lambda one: one.defender.total))}"
    yield f"the hex falls: {combat.falls} ({float(combat.falls):.1%})"


def _share(one: Share) -> str:
    told = [f"{loss.name} {'gone' if not loss.left else f'loses {loss.steps}, {loss.left} left'}" for loss in one.losses]
    told += [f"goes back {one.retreat}"] if one.retreat else []
    told += ["one of these steps by Saggers"] if one.sagger else []
    return "; ".join(told)


def _percent(spread: Mapping[int, Fraction]) -> str:
    return ", ".join(f"{value}: {float(chance):.1%}" for value, chance in spread.items())


def _texts(spread: Mapping[int, Fraction]) -> dict[str, str]:
    return {str(value): str(chance) for value, chance in spread.items()}


def sam_answer(game: Game, options: Options) -> Reply:
    """Who covers a `hex` with missiles (1.10), and what suppression brings with the air units of a `turn` (1.12c)."""
    field = asked_field(game, options)
    name = field.ground.table.name
    turn = int(options.get("turn", field.position.turn))
    track = game.tables["turn_track"]
    available = int(options.get("available", track.cell(str(turn), track.named_column("israeli_air")).code))
    choices = suppression(game, available)
    lines = []
    covers: list[Stand] = []
    if "hex" in options:
        hex = asked_hex(field, str(options["hex"]))
        covers = [*umbrellas(field, "egyptian", hex), *umbrellas(field, "israeli", hex)]
        lines.append(f"{name(hex)}: " + (", ".join(f"{s.name} in {name(s.hex)}" for s in covers) or "no missiles in range"))
    lines.append(f"turn {turn}, {available} Israeli air units; set aside: how many others may fly under the missiles")
    lines += [f"  {one.allocated}: {_percent(one.chances)}; on average {float(one.expected):.2f}" for one in choices]
    told = [
        {"allocated": one.allocated, "others": one.others, "chances": _texts(one.chances), "expected": str(one.expected)}
        for one in choices
    ]
    return {"game": game.id, "turn": turn, "covered_by": [s.key for s in covers], "suppression": told}, lines


def cease_fire_answer(game: Game, options: Options) -> Reply:
    """The chance of a cease-fire turn by turn, from `turn` on (1.15)."""
    turns = cease_fires(game, int(options.get("turn", 1)))
    told = [
        {"turn": one.turn, "needed": one.needed, "chance": str(one.chance), "first": str(one.first), "second": str(one.second)}
        for one in turns
    ]
    lines = [
        f"turn {one.turn:2}: {'none' if one.needed is None else f'{one.needed}+':5} {float(one.chance):6.1%}, the first one "
        f"now {float(one.first):6.1%}, the second now {float(one.second):6.1%}"
        for one in turns
    ]
    never = 1 - sum(one.first for one in turns)
    lines.append(f"no cease-fire at all: {never} ({float(never):.1%})")
    return {"game": game.id, "turns": told, "never": str(never)}, lines


def recovery_answer(game: Game, options: Options) -> Reply:
    """Israeli tank recovery in the next `turns` (2.3)."""
    field = asked_field(game, options)
    found = recovery(field, int(options.get("turns", 1)))
    name = field.ground.table.name
    lines = [
        f"dead armor: {', '.join(found.dead) or 'none'}",
        f"headquarters: {', '.join(found.headquarters) or 'none that can'}",
        f"steps back: {_percent(found.chances)}",
    ]
    told = {"dead": list(found.dead), "headquarters": list(found.headquarters), "places": [name(h) for h in found.places]}
    return {"game": game.id, **told, "chances": _texts(found.chances)}, lines


def score_answer(game: Game, options: Options) -> Reply:
    """The score of a position and the level of victory (1.15); `control` maps hexes to sides, `ignored` counts cease-fires."""
    field = asked_field(game, options)
    control = {asked_hex(field, hex): str(side) for hex, side in dict(options.get("control", {})).items()}
    found = standing(
        field, control=control, ignored=options.get("ignored"), world_war=str(options.get("world_war", "")),
        schnell_abdul=bool(options.get("schnell_abdul")),
    )  # fmt: skip
    lines = [
        f"{game.sides[one.line.side].name:9} {one.points!s:>3}  {one.line.text}" + (f" {one.detail}" if one.detail else "")
        for one in found.scores
        if one.count
    ]
    lines.append(", ".join(f"{game.sides[side].name} {points}" for side, points in found.totals.items()) + f": {found.level}")
    told = [
        {"side": one.line.side, "text": one.line.text, "count": one.count, "points": str(one.points), "detail": one.detail}
        for one in found.scores
    ]
    totals = {side: str(points) for side, points in found.totals.items()}
    return {"game": game.id, "lines": told, "totals": totals, "difference": str(found.difference), "level": found.level}, lines

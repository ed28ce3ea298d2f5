"""Battles as text and JSON: percentage, tables, results spelled out, what if."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from assistant.attacks import Answer, BadQuestion
from assistant.games.six_day_war.battle import Battle, battles, column
from assistant.games.six_day_war.duties import neglect
from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.ground import SIDES
from assistant.games.six_day_war.outcomes import Result
from assistant.games.six_day_war.questions import CHOSEN, asked_field, asked_fronts, asked_places, asked_units
from assistant.games.six_day_war.retreats import Retreat
from assistant.games.six_day_war.sums import TABLES
from assistant.games.six_day_war.tolls import Toll
from assistant.games.six_day_war.whatif import next_column, variants
from assistant.lookup import lookup, ratio
from assistant.shared.asking import Options, Said, chances_json, percent
from assistant.shared.options import choice, given, whole, word, yes
from assistant.shared.sourced import ours, ours_text
from assistant.text import lookup_text, odds_json, odds_text
from scenarios.game import Game
from scenarios.hexes import Hex

TARGETS = ("target", "at", "defenders")
OF_UNITS = ("attackers", "from", "enhanced", "airborne_surprise", "disintegrated", "what_if")
"""What means nothing beside two bare strengths."""


def odds_answer(game: Game, options: Options) -> Said:
    """An attack by `attackers` on the hex (or hexes) `target`, on each table that may be chosen; or two bare `strengths`."""
    wanted = choice(options, "table", TABLES)
    if given(options, "strengths"):
        return _bare(game, options, (wanted,) if wanted else TABLES)
    if given(options, "shift"):
        raise BadQuestion("shift goes with two bare strengths, as in strengths=20:12; between units the rules give the shifts")
    field = asked_field(game, options)
    targets = list(dict.fromkeys(hex for key in TARGETS for hex in asked_places(field, options, key)))
    units = asked_units(field, options, "attackers") or _standing(field, options, targets)
    told: dict[str, Any] = {
        "enhanced": yes(options, "enhanced"),
        "airborne_surprise": yes(options, "airborne_surprise"),
        "disintegrated": asked_fronts(options, "disintegrated"),
        "shock_and_enhanced": yes(options, "shock_and_enhanced", game.rulings["shock_turn_shifts"].choice == "both"),
    }
    found = battles(field, units, targets, table=wanted, **told)
    undone = neglect(field, units, targets)
    answer: dict[str, Any] = {
        "game": game.id, "not_allowed": list(undone.why), "left_out": [s.key for s in undone.left_out],
        "must_join": [s.key for s in undone.must_join], "unattacked": [field.table.name(hex) for hex in undone.unattacked],
        "tables": {},
    }  # fmt: skip
    lines = [f"not allowed: {why}" for why in undone.why]
    for battle in found:
        answer["tables"][battle.table] = battle_json(field, battle)
        lines += battle_text(field, battle)
        if yes(options, "what_if"):
            more = next_column(field, battle)
            answer["tables"][battle.table]["next_column"] = None if more is None else str(more)
            lines += [] if more is None else [f"{more} points more would start a column further right"]
            others = list(variants(field, battle, targets))
            lines += [f"  {one.change:40} {one.column:9} {_brief(one.toll)}" for one in others]
            answer["tables"][battle.table]["what_if"] = [
                {"change": one.change, "column": one.column, "clears": str(one.toll.clears),
                 "israelis_lost": str(one.toll.lost["israeli"]), "arabs_lost": str(one.toll.lost["arab"])}
                for one in others
            ]  # fmt: skip
    guessed = [s for s in (*found[0].attackers, *found[0].defenders) if s.assumed]
    if guessed:
        lines += [f"* {', '.join(s.name for s in guessed)}", CHOSEN]
    return answer, lines


def _standing(field: Field, options: Options, targets: list[Hex]) -> list[Stand]:
    """All who can attack out of the hexes `from`: the mobile units of whoever is the enemy of the target's (13.10)."""
    side = "israeli" if any(hex in field.held["arab"] for hex in targets) else "arab"
    return [s for hex in asked_places(field, options, "from") for s in field.held[side].get(hex, ()) if not s.static]


def _brief(toll: Toll) -> str:
    israeli, arab = (float(toll.lost[side]) for side in SIDES)
    return f"cleared {float(toll.clears):6.1%}, lost {israeli:.2f} Israeli, {arab:.2f} Arab"


def _bare(game: Game, options: Options, tables: Sequence[str]) -> Said:
    """Two strengths, as in 20:12, with a net shift (13.12, 13.14)."""
    text, shift = str(options["strengths"]), whole(options, "shift", 0, least=-20, most=20)
    for key in (*TARGETS, *OF_UNITS):
        if given(options, key) and word(options, key) != "no":
            raise BadQuestion(f"{key} goes with units; two bare strengths take only shift and table")
    try:
        found = ratio(game, text)
    except ValueError as error:
        raise BadQuestion(str(error)) from None
    if found is None:
        raise BadQuestion(f"strengths: {text!r} should look like 20:12")
    attack, defense = Fraction(found["attack_strength"]), Fraction(found["defense_strength"])
    share = 100 * attack / defense
    lines = [f"{attack} to {defense} is {int(share)} %" + (f", shifted {shift:+d}" if shift else "")]
    told = {}
    for table in tables:
        answer = lookup(game, table, None, column(game, attack, defense, shift, table))
        strengths = {"attack_strength": str(attack), "defense_strength": str(defense), "percent": str(share), "shift": shift}
        told[table] = {**answer, **strengths}
        lines += lookup_text(answer)
    return {"game": game.id, "tables": told}, lines


def battle_json(field: Field, battle: Battle) -> dict[str, Any]:
    """A battle for a program."""
    name = field.table.name

    def back(one: Retreat) -> dict[str, Any]:
        return {"unit": one.stand.key, "name": one.name, "dies": str(one.dies), "to": [name(hex) for hex in one.to], "why": one.why}

    results = [
        {"result": one.code, "chance": str(one.chance), "attackers_lost": [s.key for s in one.attackers_lost],
         "defenders_lost": [s.key for s in one.defenders_lost], "equals": [s.key for s in one.equals],
         "attacker_retreats": [back(r) for r in one.attacker_retreats],
         "defender_retreats": [back(r) for r in one.defender_retreats], "advance": one.advance,
         "too_many": chances_json(one.too_many), "recon_advance": one.recon_advance, "defender_advance": one.defender_advance}
        for one in battle.results
    ]  # fmt: skip
    gone = {key: str(chance) for key, chance in battle.gone.items()}
    told = {"results": results, "eliminated": gone, "clears": str(battle.clears), "not_the_rulebooks": _ours(field, battle)}
    share = _percent(battle.answer)
    told["no_advance_into"] = [name(hex) for hex in _shut(field, battle)]
    return {**odds_json(field.game, battle.answer), "percent": None if share is None else str(share), **told}


def _ours(field: Field, battle: Battle) -> dict[str, str]:
    """What a battle rests on that isn't the rulebook's: strengths, the table, and the shifts of the terrain."""
    strengths = [(s.unit, "combat") for s in (*battle.attackers, *battle.defenders)]
    told = battle.sums.inputs(battle.attackers)
    kinds = [str(told[key]) for key in ("terrain", "hexside") if told[key] != "none"]
    cells = [("terrain", kind, "shift") for kind in kinds if int(field.chart(kind, "shift"))]
    return ours(field.game, strengths, [battle.table], cells)


def _lost(stand: Stand, result: Result) -> str:
    """Who is gone; of equals the owner chooses (13.16)."""
    others = [s.name for s in result.equals if s.side == stand.side]
    return f"{' or '.join([stand.name, *others])} gone" + (", the owner's choice" if others else "")


def _back(one: Retreat, name: Callable[[Hex], str]) -> str:
    """Where a unit goes back to, or why it doesn't or dies."""
    if one.dies == 1:
        return f"{one.name} gone, {one.why}"
    risk = f", gone by {float(one.dies):.0%}" if one.dies else ""
    return one.name + (f": {one.why}" if one.why else " back to " + " or ".join(name(hex) for hex in one.to)) + risk


def crowd_text(found: Mapping[int, Fraction]) -> str:
    """How many of those who go back find no room."""
    counts = [f"{count}" + ("" if chance == 1 else f" by {float(chance):.0%}") for count, chance in sorted(found.items()) if count]
    return f"too many for the room there: {', '.join(counts)} (11.5, 14.2)"


def _shut(field: Field, battle: Battle) -> list[Hex]:
    """Hexes of the defenders that the attackers may fight but not enter (25.2, 25.4)."""
    return sorted({s.hex for s in battle.defenders} & field.closed(battle.attackers[0].side))


def _percent(answer: Answer) -> Fraction | None:
    """Attack over defense times 100 (13.1)."""
    return 100 * answer.attack_strength / answer.defense_strength if answer.defense_strength else None


def battle_text(field: Field, battle: Battle) -> Iterator[str]:
    """A battle in lines."""
    name = field.table.name
    share = _percent(battle.answer)
    yield f"{field.game.tables[battle.table].title}:" + ("" if share is None else f" {int(share)} %")
    # The chances stand with what each result does to these units, not with what it means in general.
    yield from odds_text(field.game, replace(battle.answer, chances={}))
    shut = _shut(field, battle)
    rules = sorted({field.closed_by(hex, battle.attackers[0].side) for hex in shut})
    barred = f", not into {' '.join(map(name, shut))} ({', '.join(rules)})" if shut else ""
    for one in battle.results:
        parts = [_lost(stand, one) for stand in (*one.defenders_lost, *one.attackers_lost)]
        for each in (*one.attacker_retreats, *one.defender_retreats):
            parts.append(_back(each, name))
        if any(one.too_many):
            parts.append(crowd_text(one.too_many))
        if one.advance:
            parts.append(f"advance {one.advance}" + (f", recon {one.recon_advance}" if one.recon_advance else "") + barred)
        if one.defender_advance:
            parts.append(f"the defender may advance {one.defender_advance}")
        yield f"  {one.code} {one.chance!s:>4} {float(one.chance):6.1%}  {'; '.join(parts) or 'nothing'}"
    names = {s.key: s.name for s in (*battle.attackers, *battle.defenders)}
    yield "eliminated: " + ", ".join(f"{names[key]} {float(chance):.1%}" for key, chance in battle.gone.items())
    yield f"no defender left in place: {percent(battle.clears)}"
    yield from ours_text(_ours(field, battle))

"""Battles as text and JSON: percentage, tables, results spelled out, what if, duties."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.battle import TABLES, Battle, battles, column, left_out
from assistant.games.six_day_war.duties import duties, to_attack
from assistant.games.six_day_war.field import SIDES, Field
from assistant.games.six_day_war.ground import FRONTS
from assistant.games.six_day_war.questions import CHOSEN, asked_field, asked_fronts, asked_hex, asked_units
from assistant.games.six_day_war.retreats import Retreat, ways_back
from assistant.games.six_day_war.whatif import next_column, variants
from assistant.lookup import lookup, ratio
from assistant.shared.asking import Options, Said, percent
from assistant.shared.options import choice, given, listed, whole, yes
from assistant.shared.strengths import not_the_books
from assistant.text import lookup_text, odds_json, odds_text
from scenarios.game import Game


def odds_answer(game: Game, options: Options) -> Said:
    """An attack by `attackers` on the hex (or hexes) `target`, on each table that may be chosen; or two bare `strengths`."""
    if given(options, "strengths"):
        return _bare(game, str(options["strengths"]), whole(options, "shift", 0, least=-20, most=20))
    field = asked_field(game, options)
    units = asked_units(field, options, "attackers")
    targets = list(dict.fromkeys(asked_hex(field, name) for name in listed(options, "target")))
    told: dict[str, Any] = {
        "enhanced": yes(options, "enhanced"),
        "airborne_surprise": yes(options, "airborne_surprise"),
        "disintegrated": asked_fronts(options, "disintegrated"),
        "shock_and_enhanced": yes(options, "shock_and_enhanced") if given(options, "shock_and_enhanced") else True,
    }
    found = battles(field, units, targets, **told)
    wanted = choice(options, "table", TABLES)
    found = tuple(one for one in found if not wanted or one.table == wanted)
    if not found:
        raise BadQuestion(f"the {wanted} table may not be chosen for this attack (13.13)")
    must = left_out(field, units)
    answer: dict[str, Any] = {"game": game.id, "left_out": [s.key for s in must], "tables": {}}
    lines = [f"{s.name} shares a hex with an attacker and has to attack too (13.10)" for s in must]
    for battle in found:
        answer["tables"][battle.table] = battle_json(field, battle)
        lines += battle_text(field, battle)
        if yes(options, "what_if"):
            more = next_column(field, battle)
            answer["tables"][battle.table]["next_column"] = None if more is None else str(more)
            lines += [] if more is None else [f"{more} points more would start a column further right"]
            others = [(one.change, one.battle) for one in variants(field, battle, targets, told)]
            lines += [f"  {change:40} {b.answer.column or '-':9} {_brief(b)}" for change, b in others]
            answer["tables"][battle.table]["what_if"] = [
                {"change": change, "column": b.answer.column, "clears": str(b.clears),
                 "israelis_lost": str(b.lost("israeli")), "arabs_lost": str(b.lost("arab"))}
                for change, b in others
            ]  # fmt: skip
    guessed = [s for s in (*found[0].attackers, *found[0].defenders) if s.assumed]
    if guessed:
        lines += [f"* {', '.join(s.name for s in guessed)}", CHOSEN]
    return answer, lines


def _brief(battle: Battle) -> str:
    return (
        f"cleared {float(battle.clears):6.1%}, lost {float(battle.lost('israeli')):.2f} Israeli, "
        f"{float(battle.lost('arab')):.2f} Arab"
    )


def _bare(game: Game, text: str, shift: int) -> Said:
    """Two strengths, as in 20:12, with a net shift (13.12, 13.14)."""
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
    for table in TABLES:
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
         "defenders_lost": [s.key for s in one.defenders_lost], "attacker_retreats": [back(r) for r in one.attacker_retreats],
         "defender_retreats": [back(r) for r in one.defender_retreats], "advance": one.advance,
         "recon_advance": one.recon_advance, "defender_advance": one.defender_advance}
        for one in battle.results
    ]  # fmt: skip
    gone = {key: str(chance) for key, chance in battle.gone.items()}
    ours = not_the_books((s.unit, "combat") for s in (*battle.attackers, *battle.defenders))
    told = {"results": results, "eliminated": gone, "clears": str(battle.clears), "not_the_books": ours}
    return {**odds_json(field.game, battle.answer), **told}


def battle_text(field: Field, battle: Battle) -> Iterator[str]:
    """A battle in lines."""
    name = field.table.name
    yield f"{field.game.tables[battle.table].title}:"
    # The chances stand with what each result does to these units, not with what it means in general.
    yield from odds_text(field.game, replace(battle.answer, chances={}))
    for one in battle.results:
        parts = [f"{stand.name} gone" for stand in (*one.attackers_lost, *one.defenders_lost)]
        for each in (*one.attacker_retreats, *one.defender_retreats):
            where = " or ".join(name(hex) for hex in each.to)
            risk = f", gone by {float(each.dies):.0%}" if 0 < each.dies < 1 else ", gone" if each.dies else ""
            parts.append(f"{each.name} back" + (f" to {where}" if where and not each.why else f" ({each.why})" if each.why else "") + risk)
        if one.advance:
            parts.append(f"advance {one.advance}" + (f", recon {one.recon_advance}" if one.recon_advance else ""))
        if one.defender_advance:
            parts.append(f"the defender may advance {one.defender_advance}")
        yield f"  {one.code} {one.chance!s:>4} {float(one.chance):6.1%}  {'; '.join(parts) or 'nothing'}"
    names = {s.key: s.name for s in (*battle.attackers, *battle.defenders)}
    yield "eliminated: " + ", ".join(f"{names[key]} {float(chance):.1%}" for key, chance in battle.gone.items())
    yield f"no defender left in place: {percent(battle.clears)}"
    ours = not_the_books((s.unit, "combat") for s in (*battle.attackers, *battle.defenders))
    if ours:
        yield f"{len(ours)} strengths aren't the rulebook's; your own: overlay {next(iter(ours))}"


def duties_answer(game: Game, options: Options) -> Said:
    """Who must attack in the combat phase of `side` on `front`, and which enemies must be attacked (13.3, 13.4)."""
    field = asked_field(game, options)
    side, front = choice(options, "side", SIDES, "israeli"), choice(options, "front", FRONTS, "sinai")
    name = field.table.name
    found = duties(field, side, front)
    open_ = to_attack(found)
    lines = [
        f"{name(one.hex)}: {', '.join(s.name for s in one.stands)} {'must' if one.must else 'may'} attack "
        f"{' or '.join(name(hex) for hex in one.enemies)}"
        for one in found
    ] or ["nobody is next to an enemy"]
    if open_:
        lines.append(f"every one of these has to be attacked: {' '.join(name(hex) for hex in open_)} (13.3)")
    told = [
        {"hex": name(one.hex), "units": [s.key for s in one.stands], "must": one.must, "enemies": [name(h) for h in one.enemies]}
        for one in found
    ]
    return {"game": game.id, "side": side, "front": front, "stacks": told, "to_attack": [name(h) for h in open_]}, lines


def retreat_answer(game: Game, options: Options) -> Said:
    """Where `unit` may go if it has to retreat so many `hexes`, each end with a path (14.2)."""
    field = asked_field(game, options)
    stands = asked_units(field, options, "unit")
    if not stands:
        raise BadQuestion("say which unit retreats: unit")
    hexes, name = whole(options, "hexes", 1, least=1, most=6), field.table.name
    lines, told = [], {}
    for stand in stands:
        ways = ways_back(field, stand, hexes)
        lines.append(f"{stand.name} in {name(stand.hex)}, {hexes} back:" + (" no way, eliminated" if not ways else ""))
        lines += [f"  {name(end)} by {' '.join(map(name, path))}" for end, path in sorted(ways.items())]
        told[stand.key] = {name(end): [name(hex) for hex in path] for end, path in ways.items()}
    return {"game": game.id, "hexes": hexes, "ways": told}, lines

"""Solved combats as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from assistant.games.musketeer.combat import POLICIES, Kept, solve
from assistant.games.musketeer.combat_asked import asked_combat, asked_hexes, fought
from assistant.games.musketeer.fighters import Fighter
from assistant.games.musketeer.flights import Flights, flights
from assistant.games.musketeer.outcome import ATTACKER, DEFENDER, Combat, Outcome
from assistant.games.musketeer.pursuit import pursuit_hexes
from assistant.games.musketeer.retreat import Retreat
from assistant.games.musketeer.routes import STAYS, fates_json, fates_text
from assistant.games.musketeer.support import Support
from assistant.games.musketeer.whatif import weigh, weighed
from assistant.shared.asking import Options, Said, chances_json, percent
from assistant.shared.options import yes
from assistant.shared.sourced import ours, ours_text
from scenarios.game import Game
from scenarios.hexes import Hex


def odds_answer(game: Game, options: Options) -> Said:
    """A combat with both fires; `what_if` also what one thing more or less would change."""
    combat, here = asked_combat(game, options)
    fled = None
    if here is not None:
        target, starts = asked_hexes(here.table, options)
        here = fought(here, combat, target, starts)
        fled = flights(here, combat, target, starts)
    outcome = solve(combat, Kept(watched=fled is not None))
    outcome = fled.folded(outcome) if fled is not None else outcome
    json, lines = combat_json(game, outcome), list(combat_text(game, outcome))
    json["left_out"] = left_out(outcome, fled)
    lines += [f"left out: {text}" for text in json["left_out"]]
    lines += ["what becomes of the units is after their retreats, each as if it went alone (16.4)"] * (fled is not None)
    if here is not None:
        told, more = _retreats(here, combat, target, starts)
        json["retreats"] = told
        lines += more
    if yes(options, "what_if"):
        base, others = weigh(outcome), list(weighed(combat, fled))
        json["what_if"] = [
            {"change": text, "cleared": str(w.cleared), ATTACKER: str(w.attacker), DEFENDER: str(w.defender)}
            for text, w in others
        ]
        lines.append("what if: the hex is cleared; units of attacker, defender eliminated")
        for text, w in others:
            better = f"({float(w.cleared - base.cleared):+.1%})"
            losses = f"{float(w.attacker):5.2f}, {float(w.defender):5.2f}"
            lines.append(f"  {text:40} {float(w.cleared):6.1%} {better:9} {losses}")
    return json, lines


def left_out(outcome: Outcome, fled: Flights | None) -> list[str]:
    """What the chances don't tell, for nobody says where the units stand."""
    going = [
        name
        for number, (name, units) in enumerate(zip((ATTACKER, DEFENDER), outcome.combat.sides, strict=True))
        if fled is None or any(fled.hex(number, unit) is None for unit in units)
        if any(body.away for end in outcome.sides[number] for body in end.bodies)
    ]
    where = "a position with hex=HEX from=HEX tells" if fled is None else "from=HEX tells where they stand"
    return [f"what retreats cost the {' and the '.join(going)} (16.4); {where}"] if going else []


def _retreats(
    here: Support, combat: Combat, target: Hex | None, starts: list[Hex]
) -> tuple[list[dict[str, Any]], list[str]]:
    """What a retreat would do to each unit as it is, and after a DR, all who fight in place (16.0)."""
    json: list[dict[str, Any]] = []
    lines: list[str] = []
    spots: list[tuple[Any, Hex]] = [(unit, target) for unit in combat.defenders if target is not None]
    spots += [(unit, starts[unit.stack]) for unit in combat.attackers if unit.stack < len(starts)]
    for unit, at in spots:
        landed = unit.fields.get("direct_assault") is True
        one = Retreat(here, here.game.units[str(unit.fields["id"])], at, unit.steps == 1, landed)
        if one.stays:
            json.append({"unit": one.unit.id, "stays": True})
            lines.append(f"if {unit.name} must retreat: {STAYS} (16.5)")
            continue
        worn = replace(one, disrupted=True).costs.eliminated if unit.steps > 1 else Fraction(1)
        json.append({"unit": one.unit.id, **fates_json(one), "lost_after_dr": str(worn)})
        after = f"; after DR lost {percent(worn)}" if unit.steps > 1 and not landed else ""
        lines.append(f"if {unit.name} must retreat: {next(fates_text(one))}{after}")
    return json, lines


def combat_json(game: Game, outcome: Outcome) -> dict[str, Any]:
    """A solved combat for a program: chances are exact fractions."""
    combat = outcome.combat
    return {
        "game": game.id,
        "question": "combat",
        "first_fire": outcome.first,
        "fired_at": combat.aim + 1,
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
                        "why": [{"text": a.text, "rule": a.rule, "shift": int(a.amount)} for a in answer.applied],
                        "fate": chances_json(outcome.fate(side, place)),
                    }
                    for place, (unit, answer) in enumerate(
                        zip(combat.sides[number], outcome.shots[number], strict=True)
                    )
                ],
                "losses": [
                    {"eliminated": gone, "disrupted": worn, "retreated": away, "chance": str(chance)}
                    for (gone, worn, away), chance in outcome.losses(side).items()
                ],
            }
            for number, side in enumerate((ATTACKER, DEFENDER))
        },
        "pursuit": {str(unit.fields["id"]): _far(game, unit) for unit in combat.attackers},
        "not_the_rulebooks": _ours(game, combat),
    }


def _far(game: Game, unit: Fighter) -> int:
    """How far a unit pursues (17.2); not at all out of a hex it has landed in (29.5)."""
    return 0 if unit.fields.get("direct_assault") is True else pursuit_hexes(game, game.units[str(unit.fields["id"])])


def _ours(game: Game, combat: Combat) -> dict[str, str]:
    strengths = [(game.units[str(one.fields["id"])], "combat") for side in combat.sides for one in side]
    terrain = str(combat.inputs.get("terrain", "open"))
    cells = [("terrain", terrain, "shift"), ("terrain", terrain, "first")]
    across = str(combat.inputs.get("across", ""))
    cells += [("terrain", across, "shift")] if across in game.tables["terrain"].cells else []
    return ours(game, strengths, ["ground"], cells)


def combat_text(game: Game, outcome: Outcome) -> Iterator[str]:
    """A solved combat in lines."""
    combat = outcome.combat
    terrain = str(combat.inputs.get("terrain", "open"))
    yield f"{game.terrain[terrain].name}: the {outcome.first} fires first (14.4)"
    if len({unit.stack for unit in combat.attackers}) > 1:
        names = ", ".join(unit.name for unit in combat.attackers if unit.stack == combat.aim)
        yield f"the defenders fire at one stack, here {combat.aim + 1}: {names} (14.4)"
    for number, side in enumerate((ATTACKER, DEFENDER)):
        yield f"{side}: {POLICIES[combat.policies[number]]}"
        for place, (unit, answer) in enumerate(zip(combat.sides[number], outcome.shots[number], strict=True)):
            how = ", ".join(f"{a.text} {int(a.amount):+d} ({a.rule})" for a in answer.applied)
            yield f"  {unit.name:22} column {answer.column}" + (f": {how}" if how else "")
            fate = outcome.fate(side, place).items()
            yield "    " + ", ".join(f"{name} {float(chance):.1%}" for name, chance in fate)
    yield f"the hex is cleared: {percent(outcome.cleared())}"
    yield f"  attackers may pursue {percent(outcome.may_pursue())}, must {percent(outcome.must_pursue())} (17.1, 17.6)"
    if combat.support[0].cas:
        lost = ", ".join(f"{count}: {float(chance):.1%}" for count, chance in outcome.air_lost().items())
        yield f"airstrikes lost: {lost}"
    far = {unit.name: _far(game, unit) for unit in combat.attackers}
    yield "pursuit in hexes: " + ", ".join(f"{name} {hexes}" for name, hexes in far.items())
    yield from ours_text(_ours(game, combat))

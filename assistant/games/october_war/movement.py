"""Airmobile moves and drops: where a unit can fly, and its chances of landing (23.4, 23.5)."""

from __future__ import annotations

from fractions import Fraction

from assistant.answers import Answer, Cell, Column, Line, Refusal, Table, Value
from assistant.attack import Answer as Odds
from assistant.attack import Value as Told_
from assistant.attack import odds, unit_fields
from assistant.games.october_war.field import missiles_over
from assistant.games.october_war.questions import ENEMY, asked_point, counter, filled, ours_map, started
from assistant.questions import ON_A_MAP, Input, Question, Told
from assistant.rules.field import Field, Standing
from assistant.rules.movement import Reach, reach
from assistant.rules.questions import FROM
from scenarios.game import Game

RESULTS = {"S": "lands", "A": "goes back", "E": "is lost"}
FAR = 99
"""A point that no flight comes to is this far away."""


def _airmobile(game: Game, told: Told) -> Answer:
    field, standing = started(game, told)
    drop = bool(told.get("drop"))
    found = reach(field, standing, "drop" if drop else "airmobile")
    if found.refused:
        raise Refusal(found.refused[0].text, found.refused[0].rule)
    assert found.allowance is not None
    wanted = asked_point(game, field, told, "to")
    flown: dict[str, Told_] = {
        "enemy_superiority": bool(told.get("enemy_superiority")), "drop": drop, "turn": Fraction(field.position.turn),
    }  # fmt: skip
    moving = {"moving": [unit_fields(game, standing.unit)]}
    thrown: dict[tuple[Told_, ...], Odds] = {}
    rows: list[dict[str, Cell]] = []
    for n in [field.kinds.number[wanted]] if wanted else sorted(found.costs, key=lambda n: (found.costs[n], field.kinds.name(n))):
        terrain = field.kinds.told(n, "terrain")
        if n == standing.at or terrain in ("lake_crossing", "red_sea_crossing"):
            continue
        inputs = {**flown, **_circumstances(field, standing, n, found.costs.get(n))}
        key = tuple(inputs.values())
        if key not in thrown:
            thrown[key] = odds(game, "airmobile", moving, inputs)
        rows.append(_landing(found, n, thrown[key]))
    columns = [
        Column("place", "to"), Column("distance", "points"), Column("throw", "throw", told=False), Column("why", "why not"),
        Column("stacking", "not to stay"),
    ]  # fmt: skip
    return Answer("airmobile", game.id, [
        Line((counter(standing), " in ", field.place(standing.at))),
        Value("unit", counter(standing), shown=False), Value("from", field.place(standing.at), shown=False),
        Value("allowance", found.allowance.most, "Points by air", "23.4"),
        Table("landings", filled(columns, rows), rows), ours_map(game),
    ])  # fmt: skip


def _circumstances(field: Field, standing: Standing, n: int, distance: Fraction | None) -> dict[str, Told_]:
    """What the airmobile table asks of a flight (23.4)."""
    enemy, terrain = ENEMY[standing.side], field.kinds.told(n, "terrain")
    return {
        "distance": FAR if distance is None else distance,
        "friendly_umbrella": terrain == "reserve_area" or bool(missiles_over(field, n, standing.side)),
        "enemy_umbrella": bool(missiles_over(field, n, enemy) or missiles_over(field, standing.at, enemy)),
        "objective": terrain == "objective",
    }


def _landing(found: Reach, n: int, answer: Odds) -> dict[str, Cell]:
    field, standing = found.field, found.standing
    reasons = list(dict.fromkeys(answer.failures))
    kinds = field.kinds
    if kinds.told(n, "terrain") == "reserve_area" and kinds.owner(kinds.places[n]) != standing.side:
        reasons.append("the enemy's reserve area (25.2)")
    over = found.why_not(n) if n in found.costs else None
    return {
        "place": field.place(n), "distance": found.costs.get(n), "why": [*reasons], "may_end": over is None,
        "stacking": None if over is None or over.record is None else f"{over.record.text} ({over.record.rule})",
        "chances": {code: str(chance) for code, chance in answer.chances.items()},
        "throw": "" if reasons else ", ".join(f"{RESULTS[code]} {chance}" for code, chance in answer.chances.items()),
    }  # fmt: skip


AIRMOBILE = Question(
    name="airmobile", about="where a unit can fly, and its chances of landing (23.4, 23.5)", answer=_airmobile, bare=("unit", "to"),
    inputs=(
        Input(name="unit", about="the counter that flies", kind="unit", needed=True), FROM,
        Input(name="to", about="one point to go to; left out, all", kind="place"), *ON_A_MAP,
        Input(name="enemy_superiority", about="the enemy has air superiority in the theater", kind="flag"),
        Input(name="drop", about="a parachute drop of the 202nd", kind="flag"),
    ),
)  # fmt: skip

"""Airmobile moves and drops: where a unit can fly, and its chances of landing (23.4, 23.5)."""

from __future__ import annotations

from fractions import Fraction

from assistant.attack import AttackValue as Told_
from assistant.attack import Odds, odds, unit_fields
from assistant.engine.movement.reach import Reach, Reason, end_failures, reach
from assistant.engine.question_field import asked_field, asked_place, asked_units
from assistant.engine.questions import FROM, refusal
from assistant.games.october_war.forces import missiles_over
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    CounterRef,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
)
from assistant.questions.question import ON_ANY_MAP, Input, Inputs, Question
from assistant.unofficial import map_sources, unofficial_addresses
from scenarios.model.game import Game

RESULTS = {"S": "lands", "A": "goes back", "E": "is lost"}
WATER = ("lake_crossing", "red_sea_crossing")


def _airmobile(game: Game, told: Inputs) -> Answer:
    if told["unit"].id not in game.units:
        raise BadQuestion(f"{game.markers[told['unit'].id].name} is a marker; name a unit")
    field, drop = asked_field(game, told), bool(told.get("drop"))
    standing = asked_units(field, (told["unit"],), told.get("from", ""))[0]
    moving = {"moving": [unit_fields(game, standing.counter)]}
    found = reach(field, standing, "drop" if drop else "airmobile")
    if found.refusals:
        raise refusal(found, Reason(found.refusals[0], kind="who"), standing.place, "drop" if drop else "fly")
    assert found.allowance is not None
    flown: dict[str, Told_] = {
        "enemy_superiority": bool(told.get("enemy_superiority")),
        "drop": drop,
        "turn": Fraction(field.position.turn),
    }
    thrown: dict[tuple[Told_, ...], Odds] = {}
    rows: list[dict[str, Cell]] = []
    every = sorted(found.costs, key=lambda n: (found.costs[n], field.map_index.name(n)))
    for n in [asked_place(field.map_index, told["to"], "to")] if told.get("to") else every:
        if n == standing.place or field.map_index.map_value(n, "terrain") in WATER:
            continue
        in_reserve = field.map_index.map_value(n, "terrain") == "reserve_area"
        covered = in_reserve or bool(missiles_over(field, n, standing.side))
        inputs = {**flown, "friendly_umbrella": covered}
        key = tuple(inputs.values())
        if key not in thrown:
            thrown[key] = odds(game, "airmobile", moving, inputs)
        rows.append(_landing(found, n, thrown[key]))
    heads = {"place": "to", "distance": "points", "throw": "throw", "why": "why not", "stacking": "not to stay"}
    filled = [key for key in heads if any(row.get(key) not in (None, "", []) for row in rows)]
    columns = [
        TableColumn(key, head if key in filled else "", for_programs=key != "throw") for key, head in heads.items()
    ]
    who, at = CounterRef(standing.key, standing.name), field.place(standing.place)
    return Answer(
        "airmobile",
        game.id,
        [
            Sentence((who, " in ", at)),
            Value("unit", who, for_people=False),
            Value("from", at, for_people=False),
            Value("allowance", found.allowance.maximum, "Points by air", "23.5" if drop else "23.4"),
            RowTable("landings", columns, rows),
            Unofficial(unofficial_addresses(game, other_sources=map_sources(game))),
        ],
    )


def _landing(found: Reach, n: int, answer: Odds) -> dict[str, Cell]:
    """A landing, with what the walk's own records say against it (`movement.airmobile` and `movement.drop`)."""
    field, start = found.field, found.unit.place
    records = end_failures(field, found.walk, found.stepper.mover, n, start, {}, room=False)
    reasons = [f"{record.text} ({record.rule})" for record in records]
    over = found.why_not(n)
    if n not in found.costs and not reasons and over is not None:
        text, rule = (over.record.text, over.record.rule) if over.record else ("it is too far", found.walk.rule)
        reasons.append(f"{text} ({rule})")
    crowded = over.record if over is not None and not reasons else None
    return {
        "place": field.place(n),
        "distance": found.costs.get(n),
        "why": [*reasons],
        "may_end": over is None,
        "stacking": None if crowded is None else f"{crowded.text} ({crowded.rule})",
        "chances": {code: str(chance) for code, chance in answer.chances.items()},
        "throw": "" if reasons else ", ".join(f"{RESULTS[code]} {chance}" for code, chance in answer.chances.items()),
    }


AIRMOBILE = Question(
    name="airmobile",
    about="where a unit can fly, and its chances of landing (23.4, 23.5)",
    answer=_airmobile,
    positional=("unit", "to"),
    inputs=(
        Input(name="unit", about="the counter that flies", kind="unit", required=True),
        FROM,
        Input(name="to", about="one point to go to; left out, all", kind="place"),
        *ON_ANY_MAP,
        Input(name="enemy_superiority", about="the enemy has air superiority in the theater", kind="flag"),
        Input(name="drop", about="a parachute drop of the 202nd", kind="flag"),
    ),
)

"""What the questions of Six Day War have in common: the position, hexes by name, and how units and hexes stand in answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from assistant.answers import Chance, Counter, Line, Node, Place
from assistant.asking import Named
from assistant.games.six_day_war.fronts import FRONTS, disintegrated
from assistant.games.six_day_war.setup import RULE, started
from assistant.questions import GONE, MARK, POSITION, PUT, TURN, Input, Told
from assistant.rules.field import Field, Standing
from assistant.rules.kinds import kinds_of
from assistant.rules.placed import EMPTY, asked_place, asked_position, asked_units, changed_field, check_standing
from scenarios.game import Game

SCENARIO = Input(
    name="scenario", about="the start of the scenario, or none for only what is put", kind="choice", choices=(EMPTY,), of="scenario",
    example="standard",
)  # fmt: skip
ON_THE_MAP = (SCENARIO, POSITION, TURN, PUT, MARK, GONE)
FRONT = Input(name="front", about="the front", kind="choice", choices=FRONTS)
DISINTEGRATED = Input(name="disintegrated", about="fronts whose Arabs have disintegrated", kind="choice", choices=FRONTS, many=True)
CONTROL = Input(name="control", about="who controls empty hexes", kind="pairs", values="side", example="gaza:israeli")


# --- the position -----------------------------------------------------------------------------------------------------


def asked_field(game: Game, told: Told, *, units: bool = True) -> Field:
    """The units on the map: of `position`, or of the start of the scenario; changed as told.

    With `scenario=none` only what `put` names is on the map; without `units` those set up by area needn't be.
    """
    position = asked_position(game, told)
    position = position if position.scenario in game.scenarios else replace(position, scenario=next(iter(game.scenarios)))
    kinds = kinds_of(game, position.scenario)
    assert kinds is not None
    assumed: frozenset[tuple[str, str]] = frozenset()
    if units and "position" not in told and told.get("scenario") != EMPTY:
        position, assumed = started(game, position.scenario)
    broken = disintegrated(position) | set(told.get("disintegrated", ()))
    field = changed_field(kinds, position, told, assumed, **{f"{front}_broken": front in broken for front in FRONTS})
    check_standing(field)
    return field.held({asked_place(kinds, hex, "control"): side for hex, side in told.get("control", {}).items()})


def broken(field: Field, front: str) -> bool:
    """Whether the Arabs of a front have disintegrated (21.5)."""
    return bool(field.told[f"{front}_broken"])


def asked_hexes(field: Field, told: Told, key: str) -> list[int]:
    """Hexes by number, by place, or by a unit that stands there, each once."""
    by_name = {name.lower(): s.at for s in reversed(field.standings) for name in (s.unit.id, s.key)}
    texts = [text.lower() for text in told.get(key, ())]
    return list(dict.fromkeys(by_name[text] if text in by_name else asked_place(field.kinds, text, key) for text in texts))


def asked_stack(field: Field, named: Iterable[Named]) -> list[Standing]:
    """The units that are named, each once."""
    return list(dict.fromkeys(standing for one in named for standing in asked_units(field, (one,))))


# --- in answers -------------------------------------------------------------------------------------------------------


def counter(standing: Standing) -> Counter:
    """A unit in an answer."""
    return Counter(standing.key, standing.name)


def place(field: Field, n: int) -> Place:
    """A hex in an answer."""
    return Place(field.kinds.name(n))


def places(field: Field, hexes: Iterable[int]) -> list[Place]:
    """Hexes in an answer, in their order."""
    return [place(field, n) for n in hexes]


def chances(found: Iterable[tuple[object, Fraction]]) -> dict[str, Chance]:
    """Outcomes of any kind with their chances, as a value."""
    return {str(outcome): Chance(chance) for outcome, chance in found}


def chosen(standings: Iterable[Standing], *, named: bool = False) -> list[Node]:
    """What is said where a unit's hex is our choice."""
    guessed = [standing.name for standing in standings if standing.assumed]
    who = f": {', '.join(guessed)}" if named else ""
    return [Line(f"* {RULE}{who}")] if guessed else []

"""The field that a question is about: a scenario's start or a position, changed in thought as the question tells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from assistant.answers import BadQuestion, Node, Refusal, Value, said
from assistant.asking import Named, named_place
from assistant.assumptions import assume
from assistant.questions import EMPTY as EMPTY
from assistant.rules.asked import Asked
from assistant.rules.changes import rearranged
from assistant.rules.field import COMING, Field, Standing
from assistant.rules.kinds import Kinds, kinds_of, program_of
from assistant.rules.looks import look
from assistant.rules.program import Ready
from assistant.rules.stacking import unmet
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.kept import once
from scenarios.opening import open_position
from scenarios.position import Piece, Position, from_scenario, nation_of
from scenarios.reading.findings import instead
from scenarios.resolve import Location, Resolver


def on_a_map(told: Mapping[str, Any]) -> bool:
    """Whether a position is told at all."""
    return any(told.get(key) for key in ("position", "scenario", "put", "mark", "gone"))


def asked_field(game: Game, told: Mapping[str, Any]) -> Field:
    """The pieces on the map: of `position`, or of the start of `scenario` (of the only one, if none is named), changed as the
    question tells. A unit that it names with a place or a state is there and in that state."""
    position, assumed = asked_start(game, told)
    kinds = kinds_of(game, position.scenario)
    if kinds is None:
        if game.scenario_maps:
            raise BadQuestion(
                f"{game.title} has a map for each scenario: say which, such as scenario={next(iter(game.scenarios))}"
            )
        raise BadQuestion(f"{game.title} has no map to ask about; add `maps`")
    return changed_field(kinds, settled(kinds, position), told, assumed)


def changed_field(
    kinds: Kinds, position: Position, told: Mapping[str, Any], assumed: Iterable[tuple[str, str]] = (), **more: Any
) -> Field:
    """The pieces of a position on the map, changed as the question tells; `more` is told of the pack's own inputs besides.

    `assumed` are the counters and copies whose place is our choice, unless the question puts them elsewhere.
    """
    game, chosen = kinds.program.game, frozenset(assumed)
    changes = {key: told.get(key, ()) for key in ("gone", "put", "mark")}
    put: frozenset[tuple[str, str]] = frozenset()
    if any(changes.values()):
        position, put, _ = rearranged(
            game, position, **changes, located=lambda text: named_place(kinds.map, text, "put")
        )
        chosen -= put
    pieces = _named(game, kinds, position, told)
    put |= (
        {(piece.unit, piece.copy) for piece in set(pieces) - set(position.pieces)}
        if pieces is not position.pieces
        else set()
    )
    turn = _turn(game, position, told)
    if not told.get("turn") and "position" not in told and turn_matters(game):
        assume(told, "turn", turn, f"turn {turn}")
    if chosen and kinds.program.rules.placing is not None:
        # Units that nobody set up would be said here too.
        assume(told, "set_up", len(chosen), f"{len(chosen)} units marked *, {kinds.program.rules.placing.text}")
    field = Field(kinds, replace(position, turn=turn, pieces=pieces), {**_told(kinds, told), **more}, chosen)
    check_standing(field, [standing for standing in field.standings if (standing.unit.id, standing.piece.copy) in put])
    return field


def name_chosen(told: Mapping[str, Any], standings: Iterable[Standing]) -> None:
    """Note which units of a battle stand in places of our choice."""
    chosen = [standing for standing in standings if standing.assumed]
    if chosen:
        names = ", ".join(standing.name for standing in chosen)
        assume(told, "set_up", [standing.counter for standing in chosen], f"of these fight here: {names}")


def turn_matters(game: Game) -> bool:
    """Whether an answer may hang on the turn: a rule, an attack or an effect of a scenario asks for it."""
    return once(game, _turn_matters)


def _turn_matters(game: Game) -> bool:
    program = program_of(game)
    reads = {shape.read for attack in game.attacks.values() for shape in attack.all_inputs}
    effects = (effect for scenario in game.scenarios.values() for rule in scenario.special for effect in rule.effects)
    asked = program.playing | program.winning | program.seeing
    return "turn" in asked or bool(reads & {"turn", "first_turn"}) or any(effect.turns for effect in effects)


def _turn(game: Game, position: Position, told: Mapping[str, Any]) -> int:
    """The turn that is asked about: the position's, or one of its scenario that the question tells."""
    if not told.get("turn"):
        return position.turn
    turn, scenario = int(told["turn"]), game.scenarios.get(position.scenario)
    turns = scenario.turns if scenario is not None else None
    if turns is not None and not turns.first <= turn <= turns.last:
        raise BadQuestion(f"turn: the scenario {position.scenario} has turns {turns.first} to {turns.last}, not {turn}")
    return turn


def asked_position(game: Game, told: Mapping[str, Any]) -> Position:
    """The position before anything is changed; where it names no scenario, it is of the game's only one."""
    position = told.get("position")
    only = next(iter(game.scenarios)) if len(game.scenarios) == 1 else ""
    if isinstance(position, Path):
        try:
            position = open_position(game, position)
        except OSError as error:
            raise BadQuestion(f"no position can be read from {str(position)!r}: {error.strerror}") from None
    if isinstance(position, Position):
        return position if position.scenario else replace(position, scenario=only)
    scenario = str(told.get("scenario") or "")
    if scenario == EMPTY:
        return Position(game.id, only)
    if not scenario and not only and told.get("put"):
        return Position(game.id)
    if not scenario and not only:
        raise BadQuestion(
            f"say which scenario or position; {game.id} has {', '.join(game.scenarios) or 'no scenarios'}"
        )
    return from_scenario(game, scenario or only)


def asked_start(game: Game, told: Mapping[str, Any]) -> tuple[Position, frozenset[tuple[str, str]]]:
    """The same with units set up by area in places of our choice, where the rules say how to choose; and which units these are."""
    position = asked_position(game, told)
    if "position" in told or told.get("scenario") == EMPTY or game.rules is None or game.rules.placing is None:
        return position, frozenset()
    from assistant.rules.placing import started

    return started(game, position.scenario) if position.scenario in game.scenarios else (position, frozenset())


def not_set_up(game: Game, told: Mapping[str, Any]) -> list[Node]:
    """How many units of the position wait for their owner to set them up: an answer leaves them out."""
    changes = {key: told.get(key, ()) for key in ("gone", "put", "mark")}
    try:
        position, _ = asked_start(game, told)
        kinds = kinds_of(game, position.scenario)
        if kinds is None:
            return []
        place_named = partial(named_place, kinds.map, what="put")
        position, _, _ = rearranged(game, settled(kinds, position), **changes, located=place_named)
        pieces = _named(game, kinds, position, told)
    except BadQuestion:
        return []
    empty = Field(kinds, replace(position, pieces=()))
    trays = (game.units[one.unit] for one in pieces if one.unit in game.units and str(one.at).startswith("setup:"))
    count = sum(empty.counts(unit) for unit in trays)
    if not count:
        return []
    who = f"{count} units are" if count > 1 else "1 unit is"
    text = f"{who} not set up, so the answer leaves {'them' if count > 1 else 'it'} out; place one with put=UNIT@PLACE"
    return [Value("not_set_up", count, shown=False), said(text)]


def settled(kinds: Kinds, position: Position) -> Position:
    """The position with those set-up groups in place that leave no choice: as many copies of one counter as their area has places.
    Which number stands where is no choice, unless the rules ask for numbers."""
    units = kinds.program.game.units
    scenario = kinds.program.game.scenarios.get(position.scenario)
    if scenario is None or not any(str(piece.at).startswith("setup:") for piece in position.pieces):
        return position
    resolver = Resolver(kinds.map, dict(scenario.zones))
    homes: dict[str, list[Location]] = {}
    numbers_matter = "copy" in kinds.program.seldom
    for side, force in scenario.forces.items():
        for number, group in enumerate(force.groups, 1):
            alike = len(group.units) == 1 and not (numbers_matter and any(units[unit].numbers for unit in group.units))
            spots = sorted(resolver.places(group.at)) if group.at is not None and alike else []
            if spots and sum(group.units.values()) == len(spots):
                homes[f"setup:{side}/{group.id or number}"] = spots
    waiting = ((piece, homes.get(str(piece.at))) for piece in position.pieces)
    return replace(
        position, pieces=tuple(piece._replace(at=spots.pop(0)) if spots else piece for piece, spots in waiting)
    )


def _named(game: Game, kinds: Kinds, position: Position, told: Mapping[str, Any]) -> tuple[Piece, ...]:
    """The pieces as the question's units are named: `from` and `UNIT@PLACE` say where, `UNIT+STATE` in which state."""
    named, pieces = told.get("unit", ()), position.pieces
    changed = list(pieces)
    for one in named if isinstance(named, tuple) else (named,):
        place = told.get("from") or one.place
        marks = {
            shape.state: told[name]
            for name, shape in kinds.program.rules.inputs.items()
            if shape.state and name in told
        }
        if not place and not one.states and not marks:
            continue
        at = named_place(kinds.map, place, "from") if place else None
        mine = [i for i, piece in enumerate(changed) if piece.unit == one.id and one.copy in ("", piece.copy)]
        there = [i for i in mine if changed[i].at == at]
        if not there and at is not None and (one.copy or len(mine) == 1 == game.units[one.id].count):
            there = mine[:1]
        if not there and at is not None and mine and len(mine) >= game.units[one.id].count:
            # There is no other copy of it: one that isn't on the map, else any.
            there = sorted(mine, key=lambda i: changed[i].at in kinds.number)[: one.count]
        if not there and at is not None and one.id in game.units:
            nation = nation_of(game, position.scenario, one.id)
            changed.append(Piece(one.id, _free_copy(game, changed, one), nation, at))
            there = [len(changed) - 1]
        for i in (there or mine)[: one.count]:
            piece = changed[i] if at is None else changed[i]._replace(at=at)
            states = frozenset(one.states) or piece.states
            states = (states | {state for state, set_ in marks.items() if set_}) - {
                state for state, set_ in marks.items() if not set_
            }
            changed[i] = piece if states == piece.states else piece._replace(states=states, steps_lost=0)
    return pieces if changed == list(pieces) else tuple(changed)


def _free_copy(game: Game, pieces: Sequence[Piece], named: Named) -> str:
    used = {piece.copy for piece in pieces if piece.unit == named.id}
    numbers = [named.copy, *game.units[named.id].numbers, *(str(n) for n in range(1, len(used) + 2))]
    return next(number for number in numbers if number and number not in used)


def check_standing(field: Field, standings: Sequence[Standing]) -> None:
    """BadQuestion for one of some units in a place where it can't be."""
    demands, kinds = field.program.ready(field.program.rules.standing), field.kinds
    special = [name for name in demands.uses.to if name in kinds.walker_names]
    asked = tuple(name for name in demands.uses.to if name in kinds.position_names)
    fine: set[tuple[str, int, int]] = set()
    for standing in standings if demands.records else ():
        walker = field.walker(standing)
        # Where nothing of the unit itself is asked, it is asked once for all places that are alike.
        key = standing.side, kinds.kind(standing.at), look(field, walker, standing.at, asked) if asked else 0
        if key in fine:
            continue
        if not demands.uses.walker and not special:
            fine.add(key)
        for record in unmet(field, demands.records, Asked(field, walker, {"to": standing.at}, None)):
            flags = [
                name
                for name in field.program.rules.inputs
                if f"told.{name}" in record.uses and not field.told.get(name)
            ]
            hint = f"; if so, say {flags[0]}=yes" if flags else ""
            raise Refusal(
                f"{standing.name} can't be in {field.kinds.title(standing.at)}: {record.text}{hint}", record.rule
            )


def cant_be(field: Field, standing: Standing, at: int) -> tuple[Ready, ...]:
    """The records of `standing` that keep a unit out of a place."""
    asked = Asked(field, field.walker(standing), {"to": at}, None)
    return unmet(field, field.program.ready(field.program.rules.standing).records, asked)


def _told(kinds: Kinds, told: Mapping[str, Any]) -> dict[str, Any]:
    """What the pack's own inputs were told."""
    found: dict[str, Any] = {}
    for name, shape in kinds.program.rules.inputs.items():
        value = told.get(name)
        if value is None:
            continue
        found[name] = [asked_place(kinds, one, name) for one in value] if shape.kind == "places" else value
    return found


def asked_place(kinds: Kinds, text: str, what: str = "") -> int:
    """A place of the map by its name."""
    place = named_place(kinds.map, text, what=what)
    if place not in kinds.number:
        raise BadQuestion(f"{text!r} is not on the map; name a hex or point")
    return kinds.number[place]


def asked_units(field: Field, named: tuple[Named, ...], start: str = "") -> list[Standing]:
    """The units that a question names, on the map; `start` is where they are, if the question says so for all."""
    found: list[Standing] = []
    for one in named:
        there = (*field.standings, *field.aside)
        mine = [s for s in there if s.unit.id == one.id and one.copy in ("", s.piece.copy) and s not in found]
        place = start or one.place
        if place:
            at = asked_place(field.kinds, place)
            mine = [s for s in mine if s.at == at]
        if len(mine) < one.count:
            raise BadQuestion(_missing(field, one))
        found += mine[: one.count]
    return found


def asked_coming(field: Field, named: Named, at: int) -> list[Standing]:
    """Units that are to come to a place: those elsewhere on the map, then any others as if they came from nowhere; those who are
    there already only where there are no more of the counter."""
    if named.id not in field.game.units:
        raise BadQuestion(_missing(field, named))
    unit, place = field.game.units[named.id], field.kinds.places[at]
    mine = sorted(
        (s for s in field.standings if s.unit is unit and named.copy in ("", s.piece.copy)), key=lambda s: s.at == at
    )
    away = [s for s in mine if s.at != at][: named.count]
    more = named.count - len(away)
    spare = max(0, unit.count - len(mine)) if not named.copy else more - (len(mine) - len(away))
    states = frozenset(named.states)
    nation = nation_of(field.game, field.position.scenario, unit.id)
    fresh = [Piece(unit.id, named.copy or f"{COMING}{n}", nation, place, states) for n in range(min(more, spare))]
    found = [*away, *(field.as_if(piece) for piece in fresh)]
    return [*found, *[s for s in mine if s.at == at][: named.count - len(found)]]


def asked_anywhere(game: Game, told: Mapping[str, Any]) -> tuple[Field, Unit, Standing | None]:
    """The one unit that a question names, on the map or not."""
    named: Named = told["unit"]
    field = asked_field(game, {**told, "unit": (named,)})
    unit, place = game.units.get(named.id), told.get("from") or named.place
    if unit is None:
        raise BadQuestion(f"{named.id} is a marker; name a unit")
    if not field.counts(unit):
        raise BadQuestion(f"{field.called(unit)} doesn't stand on the map")
    at = asked_place(field.kinds, place, "from") if place else None
    mine = (s for s in field.standings if s.unit is unit and named.copy in ("", s.piece.copy) and at in (None, s.at))
    return field, unit, next(mine, None)


def _missing(field: Field, named: Named) -> str:
    game = field.game
    if named.id in game.markers:
        return f"{named.id} is a marker; name a unit"
    name = field.called(game.units[named.id])
    waiting = [
        str(piece.at)
        for piece in field.position.pieces
        if piece.unit == named.id and piece.at not in field.kinds.number
    ]
    if any(s.unit.id == named.id for s in field.standings):
        return f"there is no such {name} there; {instead(named.id, sorted({s.key for s in field.standings}))}"
    uncounted = next(
        (piece for piece in field.position.pieces if piece.unit == named.id and piece.at in field.kinds.number), None
    )
    if not waiting and uncounted is not None and uncounted.states:
        states = " and ".join(game.states[state].name.lower() for state in uncounted.states if state in game.states)
        place = field.kinds.title(field.kinds.number[uncounted.at])
        return f"{name} in {place} is no unit while it is marked {states}; to ask without the mark, mark={named.id}"
    if not waiting:
        return f"{name} is not in this position; to ask all the same, put={named.id}@PLACE"
    what, _, where = waiting[0].partition(":")
    box = field.kinds.map.boxes.get(where)
    held = f"it is in the {box.name if box is not None else f'box {where}'}"
    told = f"it comes on turn {where}" if what == "turn" else held if what == "box" else "it isn't set up yet"
    return f"{name} is not on the map: {told}; to ask all the same, put={named.id}@PLACE"

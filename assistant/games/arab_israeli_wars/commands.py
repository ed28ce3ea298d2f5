"""The commands of The Arab-Israeli Wars: sight, movement, morale and points; the odds are next door."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.asking import Words, ground_of, hex_of, read_position, split, switched
from assistant.games.arab_israeli_wars.ground import Ground, checked
from assistant.games.arab_israeli_wars.odds_command import odds_command
from assistant.games.arab_israeli_wars.sight_fast import Observer
from assistant.parts import Reply
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.position import Position, from_scenario
from scenarios.reading.findings import instead

LOADED = frozenset({"loaded"})

__all__ = ["los_command", "morale_command", "move_command", "odds_command", "score_command"]


def los_command(
    game: Game,
    *,
    hexes: Words = (),
    map: str = "",
    scenario: str = "",
    position: Path | Position | None = None,
    works: Words = (),
    rulings: Words = (),
    viewer: str = "ground",
    target: str = "ground",
) -> Reply:
    """The line of sight between two hexes, all that one hex sees, or every pair of the map (Basic VII)."""
    from assistant.games.arab_israeli_wars.sight import look
    from assistant.games.arab_israeli_wars.sight_fast import sights
    from assistant.games.arab_israeli_wars.sight_text import pairs_json, pairs_text, seen_text, sight_json, sight_text
    from assistant.games.arab_israeli_wars.sourced import of_ground, with_sources

    ground, _ = ground_of(game, map, scenario, position, works, rulings)
    if len(hexes) > 2:
        raise BadQuestion(
            f"sight is from one hex to another, or from one to all; {len(hexes)} are given (Basic VII.B.2)"
        )
    first, second = _observer(viewer), _observer(target)
    places = [hex_of(ground, name) for name in hexes]
    known = sights(ground)
    ours = of_ground(ground)
    if not places:
        return with_sources(Reply(lambda: pairs_text(known, first, second), lambda: pairs_json(known, first, second)), ours)
    if len(places) == 2:
        seen = look(known, places[0], places[1], first, second)
        return with_sources(Reply(lambda: sight_text(seen), lambda: sight_json(seen)), ours)
    found = known.seen_from(places[0], first, second)
    names = sorted(ground.table.name(hex) for hex in found if hex != places[0])
    reply = Reply(
        lambda: seen_text(known, places[0], found),
        lambda: {
            "game": game.id,
            "from": list(ground.table.names[places[0]]),
            "viewer": first,
            "target": second,
            "sees": names,
        },
    )
    return with_sources(reply, ours)


def move_command(
    game: Game,
    *,
    unit: str,
    from_: str = "",
    to: str = "",
    path: str = "",
    scenario: str = "",
    map: str = "",
    position: Path | Position | None = None,
    works: Words = (),
    rulings: Words = (),
    states: str = "",
    passengers: str = "",
    side: str = "",
    copy: str = "",
    quick: bool = False,
    boats: Words = (),
) -> Reply:
    """Where a unit can go and at what price; along a path who may fire at it (Basic V, Standard II.E)."""
    from assistant.games.arab_israeli_wars.carriers import carry_bar, with_carrier
    from assistant.games.arab_israeli_wars.deeds import Deed
    from assistant.games.arab_israeli_wars.move_text import move_json, move_text
    from assistant.games.arab_israeli_wars.moves import move, mover_in
    from assistant.games.arab_israeli_wars.opportunity import in_sight
    from assistant.games.arab_israeli_wars.roster import roster
    from assistant.games.arab_israeli_wars.sight_fast import sights
    from assistant.games.arab_israeli_wars.sourced import of_move, with_sources
    from assistant.games.arab_israeli_wars.steps import Mover
    from assistant.games.arab_israeli_wars.traffic import Occupant, traffic
    from assistant.games.arab_israeli_wars.walk import read_plan

    if unit not in game.units:
        raise BadQuestion(f"no counter of {game.id} is called {unit!r}; {instead(unit, game.units)}")
    ground, held = ground_of(game, map, scenario, position, works, rulings)
    start = hex_of(ground, from_) if from_ else None
    if held is not None:
        mover = mover_in(game, held, unit, start, copy, quick)
    else:
        if start is None:
            raise BadQuestion("say from which hex it moves: --from HEX")
        held = Position(game.id, scenario)
        who = roster(game, scenario)
        riders = tuple(_rider(game, name, side or who.side(who.asked(name))) for name in split(passengers))
        marked = _states(game, states)
        aboard = tuple(Occupant(game.units[name], "", owner, with_carrier(LOADED, marked)) for name, owner in riders)
        advanced = not scenario or game.scenarios[scenario].level == "advanced"
        if aboard and (bar := carry_bar(game.units[unit], [one.unit for one in aboard], advanced)):
            raise BadQuestion(str(bar))
        own = side or who.side(who.asked(unit))
        mover = Mover(game.units[unit], start, own, copy, marked, aboard, False, quick)
    here = traffic(game, held)
    if mover.copy:
        here = here.without(unit, mover.copy)
    if to and path:
        raise BadQuestion("say where it goes by --to or by its --path, not both")
    plan = read_plan(ground, split(path))
    if plan and plan[0] == Deed("quick"):
        mover, plan = replace(mover, quick=True), plan[1:]
    if plan and plan[0] == mover.hex:
        plan = plan[1:]
    answer = move(
        ground, mover, here, plan, to=hex_of(ground, to) if to else None, sees=in_sight(sights(ground), mover),
        boats=_boats(ground, boats) or None,
    )  # fmt: skip
    return with_sources(Reply(lambda: move_text(answer), lambda: move_json(answer)), of_move(answer))


def score_command(game: Game, *, position: Path | Position | None = None, scenario: str = "", tell: Words = ()) -> Reply:
    """The points of a position, or of a Situation with nobody on the map yet, and who wins (The Situations B)."""
    from assistant.games.arab_israeli_wars.score import score
    from assistant.games.arab_israeli_wars.score_text import score_json, score_text
    from assistant.games.arab_israeli_wars.sourced import of_score, with_sources

    held = _scored(game, position, scenario)
    events: dict[str, int] = {}
    for word in tell:
        event, equals, count = word.partition("=")
        if not equals or not count.isdecimal() or len(count) > 4:
            raise BadQuestion(f"tell what happened as EVENT=NUMBER, not {word!r}")
        events[event] = int(count)
    found = score(game, held, events)
    return with_sources(Reply(lambda: score_text(found), lambda: score_json(found)), of_score(game, held.scenario))


def _scored(game: Game, position: Path | Position | None, scenario: str) -> Position:
    if position is not None and scenario:
        raise BadQuestion("give --position FILE or --scenario SITUATION, not both")
    if position is not None:
        return read_position(game, position)[0]
    if scenario not in game.scenarios:
        known = instead(scenario, game.scenarios)
        raise BadQuestion(f"points are a Situation's: --position FILE or --scenario SITUATION; {known} (The Situations B)")
    return from_scenario(game, scenario)


def morale_command(
    game: Game,
    *,
    unit: str = "",
    level: str = "",
    scenario: str = "",
    position: Path | Position | None = None,
    works: Words = (),
    rulings: Words = (),
    turns: int = 6,
) -> Reply:
    """The chance that dispersed units recover, now and over the turns (Standard IV)."""
    from assistant.games.arab_israeli_wars.morale import dispersed, morale_json, morale_text, recovery
    from assistant.games.arab_israeli_wars.roster import roster
    from assistant.games.arab_israeli_wars.sourced import of_morale, with_sources

    if position is not None:
        held, ground = read_position(game, position, rulings)
        basic = game.scenarios[held.scenario].level == "basic"
        every = dispersed(ground, held, roster(game, held.scenario), basic)
        reply = Reply(
            lambda: (line for one in every for line in (f"{one.where}:", *morale_text(one.recovery, turns))),
            lambda: {"game": game.id, "dispersed": [
                {"unit": one.piece.unit, "hex": one.where, "side": one.side, **morale_json(one.recovery, turns)} for one in every
            ]},
        )  # fmt: skip
        return with_sources(reply, of_morale(game, any(one.recovery.column for one in every)))
    checked(game, switched(rulings))
    basic = False
    if scenario:
        if scenario not in game.scenarios:
            raise BadQuestion(f"there is no Situation {scenario!r}; {instead(scenario, game.scenarios)}")
        basic = not level and game.scenarios[scenario].level == "basic"
        who = roster(game, scenario)
        level = level or who.morale(who.asked(unit))
    if not unit or not level:
        raise BadQuestion("say which --unit and which --level of morale, or give a --position (Standard IV.A)")
    found = recovery(game, unit, level.upper(), frozenset(works), basic=basic)
    reply = Reply(lambda: morale_text(found, turns), lambda: {"game": game.id, **morale_json(found, turns)})
    return with_sources(reply, of_morale(game, found.column is not None))


def _observer(word: str) -> Observer:
    known: dict[str, Observer] = {"ground": "ground", "infantry": "infantry", "air": "air"}
    if word not in known:
        raise BadQuestion(f"{word!r} is no way to see; {instead(word, known)}")
    return known[word]


def _states(game: Game, text: str) -> frozenset[str]:
    found = frozenset(split(text))
    for state in found:
        if state not in game.states:
            raise BadQuestion(f"there is no state {state!r}; {instead(state, game.states)}")
    return found


def _rider(game: Game, name: str, side: str) -> tuple[str, str]:
    if name not in game.units:
        raise BadQuestion(f"no counter of {game.id} is called {name!r}; {instead(name, game.units)}")
    return name, side


def _boats(ground: Ground, words: Words) -> dict[Hex, int]:
    """Assault boats by canal hex: HEX=NUMBER (Advanced IV.D.2.a)."""
    found: dict[Hex, int] = {}
    for word in words:
        place, equals, count = word.partition("=")
        if not equals or not count.isdecimal() or len(count) > 4:
            raise BadQuestion(f"write boats as HEX=NUMBER, not {word!r} (Advanced IV.D.2.a)")
        found[hex_of(ground, place)] = int(count)
    return found

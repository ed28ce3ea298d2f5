"""Random events: the chance of each, and of disintegration turn by turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from assistant.answers import Answer, Cell, Chance, Column, Line, Node, Table
from assistant.games.six_day_war.fronts import FRONTS, HOMES, in_force, limit, region, terrain
from assistant.games.six_day_war.questions import CONTROL, ON_THE_MAP, asked_field, broken
from assistant.questions import Input, Question, Told
from assistant.rules.field import Field
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.scenario import Turns
from scenarios.tables import span

CHECK = "disintegration"


def event_chances(game: Game) -> Mapping[str, Fraction]:
    """The chance of each event in one throw (9.1)."""
    return game.tables["events"].distribution(0)


def within(game: Game, turns: int = 1) -> Mapping[str, Fraction]:
    """The chance that each event comes at least once in so many turns: both players roll (ruling eastern_events_phase)."""
    rolls = int(limit(game, "events_a_turn")) * turns
    return {event: 1 - (1 - chance) ** rolls for event, chance in event_chances(game).items()}


def disintegrates(game: Game, score: int) -> Fraction:
    """The chance that a check breaks a front: a die of no more than objectives taken less places lost (21.2)."""
    return sum((chance for face, chance in dice(limit(game, "disintegration")).items() if face <= score), Fraction(0))


def front_scores(field: Field) -> dict[str, int]:
    """For each front: objectives that Israelis control, less cities, towns and kibbutzes that Arabs control (21.2)."""
    found = {}
    for front in FRONTS:
        homes = [n for n in region(field, f"israel_{front}") if terrain(field, n) in HOMES]
        taken = sum(field.control(n) == "israeli" for n in region(field, f"{front}_objectives"))
        found[front] = taken - sum(field.control(n) == "arab" for n in homes)
    return found


@dataclass(frozen=True)
class Forecast:
    """One turn of the forecast: the chance that the front breaks now, and that it has broken by now."""

    turn: int
    now: Fraction
    by_now: Fraction


def disintegration(field: Field, scores: Mapping[int, int]) -> tuple[Forecast, ...]:
    """The chance of disintegration turn by turn, given objectives less lost places on each turn (9.3, 21.2).

    Each check that comes rolls a die of its own.
    """
    game, scenario = field.game, field.scenario
    effects = [effect for special in (scenario.special if scenario else ()) for effect in special.effects]
    silent = [span(effect.turns) for effect in effects if effect.effect == "no_event_roll"]
    rolls = int(limit(game, "events_a_turn"))
    table = game.tables["events"]
    check = sum(
        (p for event, p in event_chances(game).items() if table.results[event].effects.get("check") == CHECK), Fraction(0)
    )
    whole = Fraction(1)
    found = []
    for turn, score in sorted(scores.items()):
        chance = Fraction(0) if any(one.holds(Fraction(turn)) for one in silent) else 1 - (1 - check * disintegrates(game, score)) ** rolls
        found.append(Forecast(turn, whole * chance, 1 - whole * (1 - chance)))
        whole *= 1 - chance
    return tuple(found)


# --- the question -----------------------------------------------------------------------------------------------------


def _events(game: Game, told: Told) -> Answer:
    """The chance of each event, and of disintegration with the objectives held now or as told (9, 21)."""
    field = asked_field(game, told)
    turn, silent = field.position.turn, in_force(field, "no_event_roll")
    scenario = game.scenarios.get(field.position.scenario)
    last = (scenario.turns if scenario and scenario.turns else Turns()).last or turn
    left = max(0, last - turn + (not silent))
    now, later, meanings = within(game), within(game, left), game.tables["events"].results
    events: list[dict[str, Cell]] = [
        {"event": event, "chance": Chance(chance), "now": Chance(now[event]), "rest": Chance(later[event]),
         "meaning": meanings[event].meaning}
        for event, chance in event_chances(game).items()
    ]  # fmt: skip
    nodes: list[Node] = [
        Table("events", [Column("event", "event"), Column("chance", "a roll"), Column("now", "a turn"),
                         Column("rest", f"in {left} turns"), Column("meaning")], events),
        *([Line(f"nobody rolls on turn {turn}", "9.3")] if silent else []),
    ]  # fmt: skip
    checks: list[dict[str, Cell]] = []
    for front, score in front_scores(field).items():
        row: dict[str, Cell] = {"front": front, "score": score, "chance": Chance(disintegrates(game, score)), "what": "breaks"}
        if broken(field, front):
            row |= {"chance": Chance(Fraction(0)), "what": "has disintegrated (21.5)"}
        else:
            row["by_the_end"] = Chance(disintegration(field, dict.fromkeys(range(turn, max(turn, last) + 1), score))[-1].by_now)
        checks.append(row)
    columns = [Column("front", "a check now"), Column("score", "at"), Column("what", "the front", told=False), Column("chance", "with"),
               Column("by_the_end", "if it stays so, broken by the end")]  # fmt: skip
    nodes.append(Table("checks", columns, checks))
    forecast = disintegration(field, {int(number): int(score) for number, score in told.get("scores", {}).items()})
    turns: list[dict[str, Cell]] = [{"turn": one.turn, "now": Chance(one.now), "by_now": Chance(one.by_now)} for one in forecast]
    nodes.append(Table("turns", [Column("turn", "turn"), Column("now", "disintegration now"), Column("by_now", "by now")], turns))
    return Answer("events", game.id, nodes)


EVENTS = Question(
    name="events", about="the chance of each event, and of disintegration", answer=_events,
    inputs=(
        *ON_THE_MAP, CONTROL,
        Input(name="scores", about="objectives less places lost on coming turns", kind="pairs", least=-99, example="2:3,3:5",
              choices=tuple(str(number) for number in range(1, 13))),
    ),
)  # fmt: skip

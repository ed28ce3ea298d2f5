"""The turn tracker: turns, and the phases of every sequence of play in one list."""

from __future__ import annotations

from collections.abc import Iterator

from modgen.vmod import keys
from modgen.vmod.icons import icon
from modgen.vmod.xml import MODULE, Part
from scenarios.game import Game
from scenarios.pack import Phase, Sequence
from scenarios.scenario import Scenario
from scenarios.vassal.sequence import join

NAME = "Turn"
ID = "TURNTurnTracker0"


def named_phases(sequence: Sequence) -> Iterator[tuple[str, Phase]]:
    """The phases of a sequence in order, each with its full name."""

    def below(phase: Phase, above: str) -> Iterator[tuple[str, Phase]]:
        if not phase.phases:
            yield f"{above}{phase.name}", phase
        for inner in phase.phases:
            yield from below(inner, f"{phase.name}: ")

    for phase in sequence.phases:
        yield from below(phase, "")


def leaves(sequence: Sequence) -> Iterator[str]:
    """The phases of a sequence by full name, in order."""
    return (name for name, _ in named_phases(sequence))


def phases(game: Game) -> list[str]:
    """The phases of all sequences; what only one has stands behind what comes before it there."""
    ordered = sorted(game.sequence.values(), key=lambda s: -len(list(leaves(s))))
    result: list[str] = []
    for sequence in ordered:
        at = 0
        for name in leaves(sequence):
            if name in result:
                at = result.index(name) + 1
            else:
                result.insert(at, name)
                at += 1
    return result


def turn_names(game: Game) -> tuple[str, ...]:
    """The names of the turns, where they aren't just numbers."""
    return game.turns.names if game.turns else ()


def tracker(game: Game, listed: list[str], hotkeys: list[Part]) -> Part:
    """The tracker, with what it does as a phase begins."""
    inner = Part(
        MODULE + "turn.ListTurnLevel",
        name="Phase",
        property="Phase",
        turnFormat="$value$",
        list=join(listed, ","),
        configList=True,
        configFirst=False,
        prompt="Phases of this scenario",
    )
    names = turn_names(game)
    if names:
        outer = Part(
            MODULE + "turn.ListTurnLevel",
            inner,
            name="Turn",
            property="TurnName",
            turnFormat="$value$",
            list=join(names, ","),
            configList=False,
            configFirst=False,
            prompt="",
        )
    else:
        outer = Part(
            MODULE + "turn.CounterTurnLevel",
            inner,
            name="Turn",
            property="TurnNumber",
            turnFormat="Turn $value$",
            start=1,
            incr=1,
            loop=False,
            loopLimit=-1,
        )
    return Part(
        MODULE + "turn.TurnTracker",
        outer,
        *hotkeys,
        name=NAME,
        buttonText="Turn",
        hotkey=keys.TURN_KEY,
        icon=icon("turn"),
        nexthotkey=keys.NEXT_KEY,
        prevhotkey=keys.PREVIOUS_KEY,
        turnFormat="$level1$, $level2$",
        reportFormat="$newTurn$",
        buttonTooltip="Turn and phase",
        lengthStyle="Maximum",
        turnButtonHeight=22,
    )


def state(game: Game, scenario: Scenario | None, listed: list[str]) -> str:
    """The command that sets turn and phase as a scenario begins; phases that it does not have are switched off."""
    sequence = (
        game.sequence.get(scenario.sequence)
        if scenario and scenario.sequence
        else next(iter(game.sequence.values()), None)
    )
    first = scenario.turns.first if scenario and scenario.turns else 1
    listed_there = named_phases(sequence) if sequence else ()
    used = {name for name, phase in listed_there if not phase.turn or phase.turn >= first}
    active = ["true" if name in used else "false" for name in listed]
    start = next((i for i, on in enumerate(active) if on == "true"), 0)
    inner = join([str(start), "0", "0", join(active, ",")], ";")
    names = turn_names(game)
    if names:
        outer = join([str(first - 1), "0", "0", join(["true"] * len(names), ","), inner], ";")
    else:
        outer = join([str(first), "0", "false", "-1", inner], ";")
    return join([ID, join(["0", outer], "|")], "\t")

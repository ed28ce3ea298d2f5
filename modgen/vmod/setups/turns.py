"""The turn tracker: turns, and the phases of all sequences of play in one list."""

from __future__ import annotations

from collections.abc import Iterator

from modgen.vmod.files import keys
from modgen.vmod.files.buttons import all_units, matching, plain_text
from modgen.vmod.files.xml import MODULE, XmlPart
from scenarios.model.definitions import Phase, Sequence
from scenarios.model.game import Game
from scenarios.model.scenario import Scenario
from scenarios.vassal.sequence import join
from scenarios.vassal.windows import turn_markers

NAME = "Turn"
ID = "TURNTurnTracker0"


def named_phases(sequence: Sequence) -> Iterator[tuple[str, Phase]]:
    """The phases of a sequence in order, each with its full name."""

    def phases_below(phase: Phase, prefix: str) -> Iterator[tuple[str, Phase]]:
        if not phase.phases:
            yield f"{prefix}{phase.name}", phase
        for inner in phase.phases:
            yield from phases_below(inner, f"{phase.name}: ")

    for phase in sequence.phases:
        yield from phases_below(phase, "")


def leaves(sequence: Sequence) -> Iterator[str]:
    """The full names of a sequence's phases, in order."""
    return (name for name, _ in named_phases(sequence))


def phases(game: Game) -> list[str]:
    """The phases of all sequences. A phase of only one sequence comes after the phase that precedes it there."""
    sequences = sorted(game.sequence.values(), key=lambda s: -len(list(leaves(s))))
    result: list[str] = []
    for sequence in sequences:
        position = 0
        for name in leaves(sequence):
            if name in result:
                position = result.index(name) + 1
            else:
                result.insert(position, name)
                position += 1
    return result


PLAYERS = {"First Player": "FirstPlayer", "Second Player": "SecondPlayer"}
"""Words in the names of phases that a scenario replaces by its sides, and the properties with the sides' names."""


def named_players(game: Game) -> bool:
    """Whether names of phases begin with the first or the second player."""
    return any(name.startswith(tuple(PLAYERS)) for name in phases(game))


def shown_phase(game: Game, value: str) -> str:
    """An expression for a phase's display: with the scenario's sides in place of the first and the second player."""
    if not named_players(game):
        return f"String.valueOf({value})"
    replacements = "".join(f'.replace("{words}",String.valueOf({name}))' for words, name in PLAYERS.items())
    return f"String.valueOf({value}){replacements}"


def players(game: Game, scenario: Scenario) -> dict[str, str]:
    """The properties that a scenario sets: the names of its first and its second player."""
    sides = game.sides_in(scenario)
    if not named_players(game) or len(sides) != len(PLAYERS):
        return {}
    first = scenario.first if scenario.first in sides else next(iter(sides))
    second = next(key for key in sides if key != first)
    return dict(zip(PLAYERS.values(), (sides[first].name, sides[second].name), strict=True))


def turn_names(game: Game) -> tuple[str, ...]:
    """The names of the turns, if they aren't just numbers."""
    return game.turns.names if game.turns else ()


def turn_number(game: Game) -> str:
    """An expression for the number of the turn."""
    names = turn_names(game)
    if not names:
        return "TurnNumber"
    return "(" + "".join(f'TurnName=="{plain_text(name)}"?{n}:' for n, name in enumerate(names, 1)) + "0)"


def tracker(game: Game, phase_names: list[str], hotkeys: list[XmlPart]) -> XmlPart:
    """The tracker, with its actions at the start of a phase."""
    inner = XmlPart(
        MODULE + "turn.ListTurnLevel",
        name="Phase",
        property="Phase",
        turnFormat=f"{{{shown_phase(game, 'value')}}}" if named_players(game) else "$value$",
        list=join(phase_names, ","),
        configList=True,
        configFirst=False,
        prompt="Phases of this scenario",
    )
    names = turn_names(game)
    if names:
        outer = XmlPart(
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
        outer = XmlPart(
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
    return XmlPart(
        MODULE + "turn.TurnTracker",
        outer,
        *hotkeys,
        *passed_over(game),
        *([moving()] if turn_markers(game) else []),
        name=NAME,
        buttonText="",
        hotkey="",
        icon="",
        nexthotkey=keys.NEXT_KEY,
        prevhotkey=keys.PREVIOUS_KEY,
        turnFormat="$level1$, $level2$",
        reportFormat="$newTurn$",
        buttonTooltip="Turn and phase",
        lengthStyle="Maximum",
        turnButtonHeight=22,
    )


def moving() -> XmlPart:
    """The parts that move the turn markers when the turn advances."""
    return XmlPart(
        MODULE + "turn.TurnGlobalHotkey", name="Turn marker", hotkey=keys.TURN_BEGINS, match="", reportFormat=""
    )


def markers_moved(game: Game) -> list[XmlPart]:
    """The command to the turn markers."""
    marker_pattern = "|".join(turn_markers(game))
    return (
        [all_units(keys.TURN_BEGINS, "", keys.TURN_MARKER, [], matching("unit", marker_pattern, "MATCH"))]
        if marker_pattern
        else []
    )


def held_on(phase: Phase, turn: int) -> bool:
    """Whether a turn has a phase."""
    return turn >= phase.since and phase.turn in (0, turn)


def passed_over(game: Game) -> list[XmlPart]:
    """Skips a phase that the turn doesn't have, backward if the player goes back."""
    hotkeys = []
    for key, sequence in game.sequence.items():
        sequence_test = f'&&Sequence=="{key}"' if len(game.sequence) > 1 else ""
        for name, phase in named_phases(sequence):
            tests = [number(game, "<", phase.since)] if phase.since else []
            tests += [f"!({number(game, '==', phase.turn)})"] if phase.turn else []
            for way, stroke in (("Next", keys.NEXT_KEY), ("Prev", keys.PREVIOUS_KEY)) if tests else ():
                phase_test = (
                    f'{NAME}_command=="{way}"&&Phase=="{plain_text(name)}"{sequence_test}&&({"||".join(tests)})'
                )
                parts = {"name": f"No {name}", "hotkey": stroke, "match": f"{{{phase_test}}}", "reportFormat": ""}
                hotkeys.append(XmlPart(MODULE + "turn.TurnGlobalHotkey", **parts))
    return hotkeys


def number(game: Game, comparison: str, turn: int) -> str:
    """A condition on the number of the turn; if turns have names, on the name."""
    names = turn_names(game)
    if not names:
        return f"TurnNumber{comparison}{turn}"
    matching_names = names[: turn - 1] if comparison == "<" else names[turn - 1 : turn]
    return "||".join(f'TurnName=="{plain_text(name)}"' for name in matching_names) or "false"


def state(game: Game, scenario: Scenario | None, phase_names: list[str], turn: int = 0) -> str:
    """The command that sets the turn and its first phase. The default is the scenario's first turn.

    Phases that the scenario does not have are switched off.
    """
    sequence = (
        game.sequence.get(scenario.sequence)
        if scenario and scenario.sequence
        else next(iter(game.sequence.values()), None)
    )
    first = turn or (scenario.turns.first if scenario and scenario.turns else 1)
    listed_there = named_phases(sequence) if sequence else ()
    phases_by_name = dict(listed_there)
    used = {name for name, phase in phases_by_name.items() if not phase.turn or phase.turn >= first}
    active = ["true" if name in used else "false" for name in phase_names]
    start = next(
        (i for i, name in enumerate(phase_names) if name in phases_by_name and held_on(phases_by_name[name], first)), 0
    )
    inner = join([str(start), "0", "0", join(active, ",")], ";")
    names = turn_names(game)
    if names:
        outer = join([str(first - 1), "0", "0", join(["true"] * len(names), ","), inner], ";")
    else:
        outer = join([str(first), "0", "false", "-1", inner], ";")
    return join([ID, join(["0", outer], "|")], "\t")

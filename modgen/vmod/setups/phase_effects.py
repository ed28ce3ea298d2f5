"""Clean-up of a phase: it takes states off many units and empties boxes, by a button or as the phase begins."""

from __future__ import annotations

from collections.abc import Iterator

from modgen.vmod.battle.beanshell import text_of
from modgen.vmod.files import keys
from modgen.vmod.files.buttons import change, plain_text, press, prop, set_to
from modgen.vmod.files.xml import MODULE, XmlPart
from modgen.vmod.pieces.faces import loose_states
from modgen.vmod.pieces.traits import named_key
from modgen.vmod.setups.turns import named_phases, shown_phase
from scenarios.model.definitions import Chore, Phase
from scenarios.model.game import Game
from scenarios.model.scenario import Scenario
from scenarios.vassal.windows import MAIN, box_names

AT_PHASE, SEQUENCE = "ChoresAtPhase", "Sequence"
NATIONS = {"first": "FirstNations", "second": "SecondNations"}
SWITCH = named_key("chores-switch")


def all_chores(game: Game) -> Iterator[tuple[str, str, Phase, Chore]]:
    """Every clean-up step with its sequence, the name of its phase in the tracker, and the phase."""
    for key, sequence in game.sequence.items():
        for name, phase in named_phases(sequence):
            for chore in phase.clean_up:
                yield key, name, phase, chore


def side_condition(phase: Phase, chore: Chore) -> str:
    """A condition for the pieces of a clean-up step's side."""
    side = chore.side or phase.side
    if side in NATIONS:
        return f'String.valueOf({NATIONS[side]}).contains("|"+nation+"|")'
    return f'side=="{side}"' if side and side not in ("both", "neither") else 'unit!=""'


def condition(game: Game, sequence: str, name: str, phase: Phase, chore: Chore) -> str:
    """A condition for the pieces that a clean-up step affects, only in its phase of its sequence."""
    parts = [f'Phase=="{plain_text(name)}"']
    if len(game.sequence) > 1:
        parts.append(f'{SEQUENCE}=="{sequence}"')
    parts.append(side_condition(phase, chore))
    if chore.of:
        # The property `class` is read as a text, because the word means something else in an expression.
        parts.append("(" + "||".join(f'unit=="{word}"||{text_of("class")}.equals("{word}")' for word in chore.of) + ")")
    if chore.to:
        names = box_names(game)
        zones = "||".join(f'CurrentZone=="{plain_text(names[box])}"' for box in chore.from_)
        return "{" + "&&".join([*parts, f'CurrentMap!="{MAIN}"', f"({zones})"]) + "}"
    parts.append(in_state(game, chore.clear))
    if chore.unless:
        parts.append(f"!{in_state(game, chore.unless)}")
    return "{" + "&&".join(parts) + "}"


def in_state(game: Game, state: str) -> str:
    """A condition: a unit is in a state, shown by a badge or by its back."""
    if state in loose_states(game):
        return f"({state}_Active==true)"
    return f'(Face_Level==2&&face_state=="{state}")'


def chore_key(game: Game, chore: Chore) -> str:
    """The keystroke that a clean-up step sends to its pieces."""
    if chore.to:
        return keys.sent_to(chore.to)
    loose = loose_states(game)
    return keys.state_key(loose.index(chore.clear)) if chore.clear in loose else keys.FLIP


def own_key(number: int) -> str:
    """The keystroke of a clean-up step's own command."""
    return named_key(f"chore-{number + 1}")


def words(game: Game, chore: Chore) -> str:
    """A clean-up step in words."""
    if chore.to:
        names = box_names(game)
        return f"back to {names[chore.to]}"
    exemption = f", except units that are {game.states[chore.unless].name.lower()}" if chore.unless else ""
    return f"no longer {game.states[chore.clear].name.lower()}{exemption}"


def buttons(game: Game) -> tuple[list[XmlPart], list[XmlPart]]:
    """The property for automatic clean-up, and the buttons."""
    phase_chores = list(all_chores(game))
    if not phase_chores:
        return [], []
    commands = []
    for number, (sequence, name, phase, chore) in enumerate(phase_chores):
        phase_test = f'Phase=="{plain_text(name)}"' + (f'&&{SEQUENCE}=="{sequence}"' if len(game.sequence) > 1 else "")
        commands.append(
            XmlPart(
                MODULE + "GlobalKeyCommand",
                name=f"Chore {number + 1}",
                buttonText="",
                tooltip="",
                icon="",
                buttonHotkey=own_key(number),
                hotkey=chore_key(game, chore),
                filter=condition(game, sequence, name, phase, chore),
                deckCount=0,
                reportSingle=True,
                reportFormat=f'{{{phase_test}?{shown_phase(game, "Phase")}+": {plain_text(words(game, chore))}":""}}',
                suppressSounds=False,
            )
        )
    phases = list(dict.fromkeys(name for _, name, _, _ in phase_chores))
    any_here = "||".join(f'Phase=="{plain_text(name)}"' for name in phases)
    message = f'{{({any_here})?"":"This phase has no clean-up"}}'
    switch_message = f'{{{AT_PHASE}==1?"Automatic clean-up is on":"Automatic clean-up is off"}}'
    props = [prop(AT_PHASE, "0", change(SWITCH, set_to(f"{{{AT_PHASE}==1?0:1}}")))]
    if len(game.sequence) > 1:
        props.append(prop(SEQUENCE, next(iter(game.sequence))))
    if any(phase.side in NATIONS for _, _, phase, _ in phase_chores):
        props += [prop(name, "") for name in NATIONS.values()]
    menu_buttons = [
        press("Clean-up of a phase", [own_key(number) for number in range(len(phase_chores))], stroke=keys.GO),
        press("Clean up for this phase", [keys.GO], text="Clean up now", stroke=keys.CHORES_KEY, report=message),
        press("Switch automatic clean-up", [SWITCH, named_key("chores-told")], text="Automatic clean-up: on or off"),
        press("Report automatic clean-up", [], stroke=named_key("chores-told"), report=switch_message),
    ]
    return props, [*commands, *menu_buttons]


def at_phases(game: Game) -> list[XmlPart]:
    """What the turn tracker does as a phase with clean-up begins: it cleans up, or says that clean-up waits."""
    names = list(dict.fromkeys(name for _, name, _, _ in all_chores(game)))
    if not names:
        return []
    phase_test = "(" + "||".join(f'Phase=="{plain_text(name)}"' for name in names) + ")"
    tag = MODULE + "turn.TurnGlobalHotkey"
    return [
        XmlPart(tag, name="Clean-up", hotkey=keys.GO, match=f"{{{phase_test}&&{AT_PHASE}==1}}", reportFormat=""),
        XmlPart(
            tag,
            name="Clean-up waits",
            hotkey="",
            match=f"{{{phase_test}&&{AT_PHASE}!=1}}",
            reportFormat=f'{{{shown_phase(game, "Phase")}+" has clean-up: {keys.display_key(keys.CHORES_KEY)} does it"}}',
        ),
    ]


def set_for(game: Game, scenario: Scenario) -> list[tuple[str, str]]:
    """The properties that a scenario sets: its sequence, and the nations of the first and the second player."""
    phase_chores = list(all_chores(game))
    if not phase_chores:
        return []
    settings = []
    if len(game.sequence) > 1:
        settings.append((SEQUENCE, scenario.sequence or next(iter(game.sequence))))
    if any(phase.side in NATIONS for _, _, phase, _ in phase_chores):
        sides = game.sides_in(scenario)
        nations = {
            key: side.nations or tuple(n for n, nation in game.nations.items() if nation.side == key)
            for key, side in sides.items()
        }
        first = scenario.first if scenario.first in sides else next(iter(sides))
        second = [nation for key, side_nations in nations.items() if key != first for nation in side_nations]
        settings += [("FirstNations", _delimited(nations[first])), ("SecondNations", _delimited(second))]
    return settings


def _delimited(names: tuple[str, ...] | list[str]) -> str:
    return "|" + "|".join(names) + "|"

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
from scenarios.model.definitions import CleanUp, Phase
from scenarios.model.game import Game
from scenarios.model.scenario import Scenario
from scenarios.vassal.windows import MAIN, box_names

AT_PHASE, SEQUENCE = "ChoresAtPhase", "Sequence"
NATIONS = {"first": "FirstNations", "second": "SecondNations"}
SWITCH = named_key("chores-switch")


def all_clean_ups(game: Game) -> Iterator[tuple[str, str, Phase, CleanUp]]:
    """Every clean-up step with its sequence, the name of its phase in the tracker, and the phase."""
    for key, sequence in game.sequence.items():
        for name, phase in named_phases(sequence):
            for clean_up in phase.clean_up:
                yield key, name, phase, clean_up


def side_condition(phase: Phase, clean_up: CleanUp) -> str:
    """A condition for the pieces of a clean-up step's side."""
    side = clean_up.side or phase.side
    if side in NATIONS:
        return f'String.valueOf({NATIONS[side]}).contains("|"+nation+"|")'
    return f'side=="{side}"' if side and side not in ("both", "neither") else 'unit!=""'


def condition(game: Game, sequence: str, name: str, phase: Phase, clean_up: CleanUp) -> str:
    """A condition for the pieces that a clean-up step affects, only in its phase of its sequence."""
    parts = [f'Phase=="{plain_text(name)}"']
    if len(game.sequence) > 1:
        parts.append(f'{SEQUENCE}=="{sequence}"')
    parts.append(side_condition(phase, clean_up))
    if clean_up.of:
        # The property `class` is read as a text, because the word means something else in an expression.
        parts.append(
            "(" + "||".join(f'unit=="{word}"||{text_of("class")}.equals("{word}")' for word in clean_up.of) + ")"
        )
    if clean_up.to:
        names = box_names(game)
        zones = "||".join(f'CurrentZone=="{plain_text(names[box])}"' for box in clean_up.from_)
        return "{" + "&&".join([*parts, f'CurrentMap!="{MAIN}"', f"({zones})"]) + "}"
    parts.append(in_state(game, clean_up.clear))
    if clean_up.unless:
        parts.append(f"!{in_state(game, clean_up.unless)}")
    return "{" + "&&".join(parts) + "}"


def in_state(game: Game, state: str) -> str:
    """A condition: a unit is in a state, shown by a badge or by its back."""
    if state in loose_states(game):
        return f"({state}_Active==true)"
    return f'(Face_Level==2&&face_state=="{state}")'


def clean_up_key(game: Game, clean_up: CleanUp) -> str:
    """The keystroke that a clean-up step sends to its pieces."""
    if clean_up.to:
        return keys.sent_to(clean_up.to)
    loose = loose_states(game)
    return keys.state_key(loose.index(clean_up.clear)) if clean_up.clear in loose else keys.FLIP


def own_key(number: int) -> str:
    """The keystroke of a clean-up step's own command."""
    return named_key(f"chore-{number + 1}")


def words(game: Game, clean_up: CleanUp) -> str:
    """A clean-up step in words."""
    if clean_up.to:
        names = box_names(game)
        return f"back to {names[clean_up.to]}"
    exemption = f", except units that are {game.states[clean_up.unless].name.lower()}" if clean_up.unless else ""
    return f"no longer {game.states[clean_up.clear].name.lower()}{exemption}"


def buttons(game: Game) -> tuple[list[XmlPart], list[XmlPart]]:
    """The property for automatic clean-up, and the buttons."""
    phase_clean_ups = list(all_clean_ups(game))
    if not phase_clean_ups:
        return [], []
    commands = []
    for number, (sequence, name, phase, clean_up) in enumerate(phase_clean_ups):
        phase_test = f'Phase=="{plain_text(name)}"' + (f'&&{SEQUENCE}=="{sequence}"' if len(game.sequence) > 1 else "")
        commands.append(
            XmlPart(
                MODULE + "GlobalKeyCommand",
                name=f"Chore {number + 1}",
                buttonText="",
                tooltip="",
                icon="",
                buttonHotkey=own_key(number),
                hotkey=clean_up_key(game, clean_up),
                filter=condition(game, sequence, name, phase, clean_up),
                deckCount=0,
                reportSingle=True,
                reportFormat=f'{{{phase_test}?{shown_phase(game, "Phase")}+": {plain_text(words(game, clean_up))}":""}}',
                suppressSounds=False,
            )
        )
    phases = list(dict.fromkeys(name for _, name, _, _ in phase_clean_ups))
    any_here = "||".join(f'Phase=="{plain_text(name)}"' for name in phases)
    message = f'{{({any_here})?"":"This phase has no clean-up"}}'
    switch_message = f'{{{AT_PHASE}==1?"Automatic clean-up is on":"Automatic clean-up is off"}}'
    props = [prop(AT_PHASE, "0", change(SWITCH, set_to(f"{{{AT_PHASE}==1?0:1}}")))]
    if len(game.sequence) > 1:
        props.append(prop(SEQUENCE, next(iter(game.sequence))))
    if any(phase.side in NATIONS for _, _, phase, _ in phase_clean_ups):
        props += [prop(name, "") for name in NATIONS.values()]
    menu_buttons = [
        press("Clean-up of a phase", [own_key(number) for number in range(len(phase_clean_ups))], stroke=keys.GO),
        press("Clean up for this phase", [keys.GO], text="Clean up now", stroke=keys.CLEAN_UP_KEY, report=message),
        press("Switch automatic clean-up", [SWITCH, named_key("chores-told")], text="Automatic clean-up: on or off"),
        press("Report automatic clean-up", [], stroke=named_key("chores-told"), report=switch_message),
    ]
    return props, [*commands, *menu_buttons]


def at_phases(game: Game) -> list[XmlPart]:
    """What the turn tracker does as a phase with clean-up begins: it cleans up, or says that clean-up waits."""
    names = list(dict.fromkeys(name for _, name, _, _ in all_clean_ups(game)))
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
            reportFormat=f'{{{shown_phase(game, "Phase")}+" has clean-up: {keys.display_key(keys.CLEAN_UP_KEY)} does it"}}',
        ),
    ]


def set_for(game: Game, scenario: Scenario) -> list[tuple[str, str]]:
    """The properties that a scenario sets: its sequence, and the nations of the first and the second player."""
    phase_clean_ups = list(all_clean_ups(game))
    if not phase_clean_ups:
        return []
    settings = []
    if len(game.sequence) > 1:
        settings.append((SEQUENCE, scenario.sequence or next(iter(game.sequence))))
    if any(phase.side in NATIONS for _, _, phase, _ in phase_clean_ups):
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

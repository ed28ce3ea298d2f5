"""What the chat says of what players do to pieces: a sentence for each command, one line for a stack.

A piece's report only says what was done, by a sign and a few words: pieces are written into every save with all their traits. The
window that it is in makes the sentence of it (`SENTENCES`), who and where, and for a stack how many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from modgen.vmod import keys, traits
from modgen.vmod.buttons import bare
from modgen.vmod.faces import face_state, lower
from scenarios.game import Game
from scenarios.vassal.commands import Trait
from scenarios.vassal.windows import MAIN

DEED, OWN, BELOW, ABOVE, LOST, BACK, CROWD, EARLY = "~", "=", "<", ">", "-", "+", "!", "?"
"""The signs: a deed of a stack, of a piece alone, flipped to the back and to the front, lost, back again, a stack against the
rules, a piece before its turn."""
CONCEALED = "concealed"
"""How the name of a concealed piece begins."""
NAME = "String.valueOf(newPieceName)"
WHO = f'{NAME}.replaceAll(" [(].*","")'
"""A piece without what its layers say behind its name; of a concealed piece only that it is one. What the engine gives a report is a
variable, no property."""


def sentences(crowded: Sequence[tuple[str, str]] = (), now: str = "TurnNumber") -> str:
    """What a window makes of a report: an expression of its change format. `crowded` has the rules of stacking, when each is broken
    and its words; `now` the number of the turn."""
    message = "String.valueOf(message)"
    words = f"{message}.substring(1)"
    selected = 'CountStack("{Selected==true}")'
    spoken = 'Selected==true&&CountStack("{Selected==true&&StackPos<$StackPos$}")>0'
    several = f"Selected==true&&{selected}>1"
    plural = f'({words}.startsWith("is ")?"are"+{words}.substring(2):{words}.replaceFirst("s(?![a-z])",""))'
    here, old = 'LocationName+": "', 'GetString("OldLocationName")'
    top = f'", "+{WHO}+" on top"'
    front, back = 'GetString("Short")', 'GetString("ShortBack")'
    same = f'{back}.equals("")||{back}.equals({front})||{WHO}.startsWith("{CONCEALED}")'
    broken = "".join(f'{words}.equals("{n}")&&StackPos==1&&({when})?"{rule}":' for n, (when, rule) in enumerate(crowded, 1)) + '""'
    entering = f'OldMap!=""&&OldMap!="{MAIN}"&&GetString("Enters").startsWith("Turn ")'
    due = 'Integer.parseInt(GetString("Enters").substring(5).replaceAll("[^0-9].*",""))'
    said = {
        DEED: f'{spoken}?"":{here}+({several}?{selected}+" pieces "+{plural}+{top}:{WHO}+" "+{words})',
        OWN: f'{here}+{WHO}+" "+{words}',
        BELOW: f'{spoken}?"":{here}+({several}?{selected}+" pieces flip to "+{words}.replace("its back","their backs")+{top}:'
        f'{WHO}+" flips to "+{words}+({same}?"":": now "+{back}+", was "+{front}))',
        ABOVE: f'{spoken}?"":{here}+({several}?{selected}+" pieces flip back to their fronts"+{top}:'
        f'{WHO}+" flips back to its front"+({same}?"":": "+{front}+" again"))',
        LOST: f'{WHO}+" is lost in "+{old}+", to "+LocationName',
        BACK: f'{WHO}+" is back in "+LocationName+", from "+{old}',
        CROWD: f'("".equals({broken})?"":"Stacking in "+LocationName+" is against the rules: "+({broken}))',
        EARLY: f'{entering}&&{now}<{due}?{here}+{WHO}+" is early: "+GetString("Enters"):""',
    }
    listed = "".join(f'{message}.startsWith("{sign}")?({sentence}):' for sign, sentence in said.items())
    return f"{{{listed}{message}}}"


def arrivals(game: Game, rules: int) -> Iterator[Trait]:
    """What a piece says as it is put down on the map: which rule of stacking is broken there, and that it comes too early."""
    for number in range(1, rules + 1):
        yield traits.report([keys.ARRIVED], f"{CROWD}{number}", f"Stacking {number}")
    if any(group.enters for held in game.scenarios.values() for force in held.forces.values() for group in force.groups):
        yield traits.report([keys.ARRIVED], EARLY, "Early")


def states(game: Game, listed: list[str], each: bool) -> tuple[Trait, ...]:
    """A state that a badge shows is put on or taken off; one report for each, or one for all."""
    names = [bare(lower(game.states[state].name)) for state in listed]
    strokes = [keys.state_key(number) for number in range(len(listed))]
    if not each:
        on = "||".join(
            f'menuCommand=="{bare(game.states[state].name)}"&&{state}_Active==true' for state in listed
        )
        said = f'{{"{DEED}is "+({on}?"":"no longer ")+"marked "+String.valueOf(menuCommand).toLowerCase()}}'
        return (traits.report(strokes, said, "States"),)
    return tuple(
        traits.report([stroke], f'{{"{DEED}is "+({state}_Active==true?"":"no longer ")+"marked {name}"}}', name)
        for stroke, state, name in zip(strokes, listed, names, strict=True)
    )


def backs(game: Game) -> dict[str, str]:
    """The prototype of each kind of back, by the state that it stands for."""
    kinds = {face_state(game, unit) for unit in game.units.values()} | {""}
    return {kind: f"Back: {lower(game.states[kind].name)}" if kind in game.states else "Back" for kind in sorted(kinds)}


def flips(game: Game, state: str, each: bool) -> tuple[Trait, ...]:
    """A counter is turned over: to its back, and to its front again."""
    name = bare(lower(game.states[state].name)) if state in game.states else "its back"
    if not each:
        return (traits.report([keys.FLIP], f'{{Face_Level==2?"{BELOW}{name}":"{ABOVE}"}}', "Flipped"),)
    return (
        traits.report([keys.FLIP], f'{{Face_Level==2?"{BELOW}{name}":""}}', f"Flipped to {name}"),
        traits.report([keys.FLIP], f'{{Face_Level==1?"{ABOVE}":""}}', "Flipped to the front"),
    )


def used() -> tuple[Trait, ...]:
    """Support off the map is used, or ready again."""
    return (
        traits.report([keys.FLIP], f'{{Face_Level==2?"{OWN}is used":""}}', "Used"),
        traits.report([keys.FLIP], f'{{Face_Level==1?"{OWN}is ready again":""}}', "Ready again"),
    )


def changes_hands(game: Game) -> Trait:
    """A place is another side's now."""
    sides = "".join(f'Face_Level=={n}?"{bare(side.name)}":' for n, side in enumerate(game.sides.values(), 1))
    return traits.report([keys.FLIP], f'{{LocationName+" is held by: "+({sides}"nobody")}}', "A place changes hands")


def handled() -> tuple[Trait, ...]:
    """What can be done to any piece: its mark of having moved, and taking it out of the game."""
    moved = f'{{"{DEED}is "+(Moved==true?"":"no longer ")+"marked as moved"}}'
    return (
        traits.report([keys.MOVED], moved, "Moved"),
        traits.report([keys.DELETE], "$newPieceName$ is taken out of the game", "Taken out"),
    )


def roles(each: bool) -> tuple[Trait, ...]:
    """A piece is to attack, or to be attacked, or no longer."""
    if not each:
        said = f'{{"{DEED}"+(Role==1?"attacks":Role==2?"is attacked":"leaves the battle")}}'
        return (traits.report([keys.ATTACKER, keys.DEFENDER], said, "Battle"),)
    return (
        traits.report([keys.ATTACKER], f'{{Role==1?"{DEED}attacks":"{DEED}leaves the battle"}}', "Attacker"),
        traits.report([keys.DEFENDER], f'{{Role==2?"{DEED}is attacked":"{DEED}leaves the battle"}}', "Defender"),
    )


def steps(number: int) -> tuple[Trait, ...]:
    """A unit loses a step, or has all of them again."""
    return (
        traits.report([keys.LOSS], f'{{"{OWN}loses a step, "+({number + 1}-Steps_Level)+" of {number} left"}}', "Step lost"),
        traits.report([keys.RECOVER], f"{OWN}has all {number} steps again", "Full strength"),
    )


def lost(strokes: list[str]) -> tuple[Trait, ...]:
    """A piece goes to a pile, or comes back; where it has a choice of piles the ways there and back have a report each."""
    if len(strokes) == 1:
        either = f'{{CurrentMap=="{MAIN}"?"{BACK}":"{LOST}"}}'
        return (traits.report([*strokes, keys.BACK], either, "Lost and back"),)
    return (traits.report(strokes, LOST, "Lost"), traits.report([keys.BACK], BACK, "Back"))


def concealed() -> tuple[Trait, ...]:
    """A piece is concealed, or shown."""
    hidden = f'{NAME}.startsWith("{CONCEALED}")'
    return (
        traits.report([keys.CONCEAL], f'{{{hidden}?"{OWN}lies here now":""}}', "Concealed"),
        traits.report([keys.CONCEAL], f'{{{hidden}?"":"{OWN}is shown"}}', "Shown"),
    )


def copies(built: bool) -> Trait:
    """There is another of a marker."""
    return traits.report([keys.CLONE], f"{OWN}{'is built once more' if built else 'has a second marker'}", "Another one")

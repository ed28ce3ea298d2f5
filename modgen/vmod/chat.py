"""What a window says in the chat: of pieces that move, and the sentences that it makes of their reports.

A report says what was done by a sign and a few words (`reports`); the window adds who and where, and says it once for a stack. The words
of states are here: a window is never written into a save.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from modgen.vmod.aids import HELD_BY, flags
from modgen.vmod.buttons import bare
from modgen.vmod.faces import face_state, loose_states
from modgen.vmod.pools import hand_name
from modgen.vmod.reports import (
    BACK,
    CONCEALED,
    CROWD,
    DEED,
    EARLY,
    FACE,
    LOST,
    OWN,
    PUT,
    STATE,
    WHERE,
    boxed,
    state_words,
    turned,
    words_of,
)
from modgen.vmod.stacking import stacking
from modgen.vmod.turns import turn_number
from modgen.vmod.xml import MODULE, Part
from scenarios.display_names import display_name
from scenarios.game import Game
from scenarios.vassal.windows import MAIN, box_names, prefix

WHO = 'String.valueOf(newPieceName).replaceAll(" [(][-a-z][^)]*[)]","")'
"""A piece without what its layers say behind its name; of a concealed piece only that it is one. What the engine gives a report is a
variable, no property."""
HERE, OLD = 'GetString("LocationName")', 'GetString("OldLocationName")'
"""Places as texts: as a number, hex 4.10 would be 4.1."""
MESSAGE = "String.valueOf(message)"
WORDS = f"{MESSAGE}.substring(1)"
SELECTED = 'CountStack("{Selected==true}")'
SEVERAL = f"Selected==true&&{SELECTED}>1"
SPOKEN = 'Selected==true&&CountStack("{Selected==true&&StackPos<$StackPos$}")>0'
"""Whether a piece further down in the stack has said it already."""
ALIKE = f'CountStack("{{Selected==true&&face_state==\\"$face_state$\\"}}")=={SELECTED}'
"""Whether the backs of all that are flipped stand for the same state."""
ORIGIN, PLACE = "previousLocation.trim()", "location.trim()"
"""The places of a move, which are variables: the engine leaves those as texts that a text's method is called on."""
NAMES, LARGE = "NamesOfPlaces", 4
"""The constant that lists named hexes, and the number of hexes beyond which a name is that of a region."""
IRREGULAR = {"is": "are", "has": "have", "was": "were", "goes": "go", "does": "do"}


def plural(words: str) -> str:
    """What is said of one piece, said of several: is spotted, are spotted; loses its way, lose their way."""
    verb, *rest = words.split(" ")
    for ending, other in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("s", "")):
        if verb.endswith(ending):
            verb = IRREGULAR.get(verb) or verb.removesuffix(ending) + other
            break
    several = " ".join([verb, *("their" if word == "its" else word for word in rest)])
    return several.replace("their back", "their backs").replace("their front", "their fronts")


def _plural(game: Game, words: str) -> str:
    """An expression for the same, of what reports say: an ending less, but for the words of faces that aren't so regular."""
    faces = {face_state(game, unit) for unit in game.units.values()} | {""}
    known = {bare(said): bare(plural(said)) for state in sorted(faces) for said in turned(game, state)}
    chosen = "".join(
        f'{words}.equals("{said}")?"{several}":'
        for said, several in known.items()
        if several != said.replace("s ", " ", 1)
    )
    usual = f'{words}.replaceFirst("s(?![a-z])","")'
    return f'({chosen}{words}.startsWith("is ")?"are"+{words}.substring(2):{words}.startsWith("has ")?"have"+{words}.substring(3):{usual})'


def _line(game: Game, alone: str, several: str, secret: bool = False, whole: str = "") -> str:
    """Who does what where, once for a stack. Of concealed pieces only what isn't secret."""
    top, pieces = f'+", "+{WHO}+" on top"', f'{SELECTED}+" pieces "+'
    said = f'({SEVERAL}?{HERE}+": "+{pieces}{several}{top}:{whole}{HERE}+": "+{WHO}+" "+{alone})'
    if secret and game.card.fog:
        hidden = f'{WHO}.startsWith("{CONCEALED}")||Selected==true&&CountStack("{{Selected==true&&ObscuredToOthers==true}}")>0'
        changed = f'{HERE}+": "+({SEVERAL}?{pieces}"are changed"{top}:{WHO}+" is changed")'
        said = f"({hidden}?{changed}:{said})"
    return f'{SPOKEN}?"":{said}'


def _states(game: Game, several: bool) -> str:
    """The words for the state that a message names, as it is now."""
    chosen = ""
    for state in loose_states(game):
        on, off = (bare(plural(words) if several else words) for words in state_words(game, state))
        chosen += f'{WORDS}.equals("{bare(game.states[state].name)}")?({state}_Active==true?"{on}":"{off}"):'
    return f'({chosen}"")'


def sentences(game: Game, main: bool = True) -> str:
    """What a window makes of a report: an expression of its change format."""
    crowded = stacking(game) if main else []
    broken = (
        "".join(f'{WORDS}.equals("{n}")&&StackPos==1&&({when})?"{rule}":' for n, (when, rule) in enumerate(crowded, 1))
        + '""'
    )
    entering = f'OldMap!=""&&OldMap!="{MAIN}"&&GetString("Enters").startsWith("Turn ")'
    due = 'Integer.parseInt(GetString("Enters").substring(5).replaceAll("[^0-9].*",""))'
    head = f'{WORDS}.replaceFirst("[:|].*","")'
    sentence = f'{WORDS}.contains("|")?{WORDS}.replaceFirst(".*[|]",""):'
    speaking = speakers(game)
    back = f'{WHO}.matches("{_any(speaking)}")?"":' if main and speaking else ""
    if not main:
        back = "".join(
            f'{HERE}.equals("{box}")&&{WHO}.matches("{_any(names)}")?"":' for box, names in _by_box(game).items()
        )
    gone = back if not main else ""
    said = {
        DEED: _line(game, WORDS, _plural(game, WORDS)),
        STATE: _line(game, _states(game, False), _states(game, True), secret=True),
        FACE: _line(game, WORDS, f'({ALIKE}?{_plural(game, head)}:"are flipped")', secret=True, whole=sentence),
        OWN: f'{HERE}+": "+{WHO}+" "+{WORDS}',
        LOST: f'{gone}{WHO}+" is lost in "+{OLD}+", to "+{HERE}',
        BACK: f'{back}{WHO}+" is back in "+{HERE}+", from "+{OLD}',
        CROWD: f'("".equals({broken})?"":"Stacking in "+{HERE}+" is against the rules: "+({broken}))',
        EARLY: f'{entering}&&{turn_number(game)}<{due}?{HERE}+": "+{WHO}+" is early: "+GetString("Enters"):""',
    }
    if speaking or boxed(game):
        said[PUT] = _put(game, main)
    if not loose_states(game):
        del said[STATE]
    listed = "".join(f'{MESSAGE}.startsWith("{sign}")?({words}):' for sign, words in said.items())
    return f"{{{listed}{MESSAGE}}}"


def _put(game: Game, main: bool) -> str:
    """What a marker says that is put where it wasn't before; a concealed one nothing."""
    came = (
        f'OldMap!="{MAIN}"' if main else f'!{OLD}.equals({HERE})&&String.valueOf("|"+{WORDS}).contains("|"+{HERE}+"|")'
    )
    seen = f'&&!{WHO}.startsWith("{CONCEALED}")' if game.card.fog else ""
    return f'{came}{seen}?{WORDS}.replaceFirst(".*[|]","").replace("{WHERE}",{_named(game, HERE)}):""'


def names_of_places(game: Game) -> str:
    """The hexes that have names, as a text to look them up in: |4827=Gaza|4301=Haifa|."""
    named: dict[str, str] = {}
    for key, board in game.boards.items():
        for place in board.places.values():
            for hex in place.hexes if len(place.hexes) <= LARGE else ():
                named.setdefault(prefix(game, key) + board.grid.name(hex), bare(place.name))
    return "|" + "".join(f"{hex}={name}|" for hex, name in named.items()) if named else ""


def messages(game: Game) -> list[Part]:
    """The constant with the names of hexes."""
    text = names_of_places(game)
    about = "Names of hexes"
    return (
        [Part(MODULE + "properties.GlobalTranslatableMessage", name=NAMES, initialValue=text, description=about)]
        if text
        else []
    )


def _named(game: Game, here: str) -> str:
    """An expression for what players call a place: its name with its number, or its number alone."""
    if not names_of_places(game):
        return here
    names, start = f'GetString("{NAMES}")', f'"|"+{here}+"="'
    first = f"{names}.indexOf({start})+{here}.length()+2"
    return f'({names}.contains({start})?{names}.substring({first},{names}.indexOf("|",{first}))+" ("+{here}+")":{here})'


def speakers(game: Game, box: str = "") -> list[str]:
    """The names of pieces that say themselves that they are put on the map, or into a box, and that no silent piece of the side has."""
    spoken = {key for key in game.markers if (said := words_of(game, key)) and (box in said.boxes if box else said.put)}
    sides = {(game.markers[key].name, game.markers[key].side) for key in spoken}
    silent = {
        marker.name for key, marker in game.markers.items() if key not in spoken and (marker.name, marker.side) in sides
    }
    silent |= {display_name(game, unit) for unit in game.units.values()}
    names = dict.fromkeys(game.markers[key].name for key in game.markers if key in spoken)
    return [*(name for name in names if name not in silent), *([HELD_BY] if flags(game) and not box else [])]


def _any(names: Sequence[str]) -> str:
    """A pattern for any of these names, a flag's with whose it is."""
    plain = [re.sub(r"[^A-Za-z0-9 ]", ".", name) + (" [^,]+" if name == HELD_BY else "") for name in names]
    return "|".join(plain)


def _without(names: Sequence[str]) -> str:
    """The names of moved pieces without these, which speak for themselves."""
    return f'pieceName.replaceAll("(^|, )({_any(names)})(?![^,])","").replaceAll("^, ","")'


def formats(game: Game, main: bool = True) -> Mapping[str, str]:
    """What a window says of pieces that move within it, come to it, are new in it or report something, by the attribute."""
    plain = "pieceName.trim()"
    names, within = _without(speakers(game)) if main and speakers(game) else plain, plain
    if not main and (listed := _by_box(game)):
        within = "".join(f'location.trim().equals("{name}")?{_without(said)}:' for name, said in listed.items())
        names = within = f"({within}{plain})"
    # A hand has no places: it is named itself.
    origin = (
        f'(previousMap.endsWith("{hand_name("")}")?"the "+previousMap.trim():{ORIGIN})' if game.card.fog else ORIGIN
    )
    return {
        "moveWithinFormat": _move(within, '": from "', ORIGIN, '" to "', PLACE),
        "moveToFormat": _move(names, '": to "', PLACE, '", from "', origin),
        "createFormat": _move(names, '": new in "', PLACE),
        "changeFormat": sentences(game, main),
    }


def _by_box(game: Game) -> dict[str, list[str]]:
    """The names of the pieces that say themselves that they are put into a box, by the box's name."""
    boxes = dict.fromkeys(box for key in game.markers for box in words_of(game, key).boxes)
    return {bare(box_names(game)[box]): said for box in boxes if (said := speakers(game, box))}


def _move(names: str, *parts: str) -> str:
    """A format: what moves, where it doesn't speak for itself, and the rest of the sentence."""
    return f'{{"".equals({names})?"":{names}+{"+".join(parts)}}}'


def silent(window: str) -> Mapping[str, str]:
    """What is said of a window that only one side sees: that something went there, and no more."""
    said = f"A piece: to the {window}, from $previousLocation$"
    return {"moveWithinFormat": "", "moveToFormat": said, "createFormat": "", "changeFormat": ""}

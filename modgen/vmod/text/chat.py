"""What a window says in the chat: of pieces that move, and the sentences that it makes of their reports.

A report says what was done by a sign and a few words (`reports`); the window adds who and where, and says it once for a stack. The words
of states are here: a window is never written into a save.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from modgen.vmod.files.buttons import plain_text
from modgen.vmod.files.xml import MODULE, XmlPart
from modgen.vmod.maps.stacking import stacking
from modgen.vmod.pieces.aids import HELD_BY, flags
from modgen.vmod.pieces.faces import face_state, loose_states
from modgen.vmod.pieces.pools import hand_name
from modgen.vmod.setups.turns import turn_number
from modgen.vmod.text.piece_reports import (
    CONCEALED_NAME,
    CROWD,
    DEED,
    EARLY_REPORT,
    FACE,
    LOST_REPORT,
    OWN_REPORT,
    PLACE_MARK,
    PUT,
    RETURN_REPORT,
    STATE,
    flip_text,
    has_box_report,
    state_words,
    words_of,
)
from scenarios.display_names import display_name
from scenarios.model.game import Game
from scenarios.vassal.windows import MAIN, box_names, prefix

PIECE_NAME = 'String.valueOf(newPieceName).replaceAll(" [(][-a-z][^)]*[)]","")'
"""A piece without what its layers say behind its name; of a concealed piece only that it is one. What the engine gives a report is a
variable, no property."""
LOCATION, OLD_LOCATION = 'GetString("LocationName")', 'GetString("OldLocationName")'
"""Places as texts: as a number, hex 4.10 would be 4.1."""
MESSAGE = "String.valueOf(message)"
WORDS = f"{MESSAGE}.substring(1)"
SELECTED_COUNT = 'CountStack("{Selected==true}")'
SEVERAL_SELECTED = f"Selected==true&&{SELECTED_COUNT}>1"
REPORTED_ALREADY = 'Selected==true&&CountStack("{Selected==true&&StackPos<$StackPos$}")>0'
"""Whether a piece further down in the stack has said it already."""
SAME_STATE = f'CountStack("{{Selected==true&&face_state==\\"$face_state$\\"}}")=={SELECTED_COUNT}'
"""Whether the backs of all that are flipped stand for the same state."""
ORIGIN, PLACE = "previousLocation.trim()", "location.trim()"
"""The places of a move, which are variables: the engine leaves those as texts that a text's method is called on."""
NAMES, LARGE = "NamesOfPlaces", 4
"""The constant that lists named hexes, and the number of hexes beyond which a name is that of a region."""
IRREGULAR = {"is": "are", "has": "have", "was": "were", "goes": "go", "does": "do"}


def plural(words: str) -> str:
    """What is said of one piece, said of several: is spotted, are spotted; loses its way, lose their way."""
    verb, *other_words = words.split(" ")
    for ending, replacement in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("s", "")):
        if verb.endswith(ending):
            verb = IRREGULAR.get(verb) or verb.removesuffix(ending) + replacement
            break
    plural_words = " ".join([verb, *("their" if word == "its" else word for word in other_words)])
    return plural_words.replace("their back", "their backs").replace("their front", "their fronts")


def _plural(game: Game, words: str) -> str:
    """An expression for the same, of what reports say: an ending less, but for the words of faces that aren't so regular."""
    faces = {face_state(game, unit) for unit in game.units.values()} | {""}
    plurals = {
        plain_text(singular): plain_text(plural(singular))
        for state in sorted(faces)
        for singular in flip_text(game, state)
    }
    cases = "".join(
        f'{words}.equals("{singular}")?"{plural_form}":'
        for singular, plural_form in plurals.items()
        if plural_form != singular.replace("s ", " ", 1)
    )
    usual = f'{words}.replaceFirst("s(?![a-z])","")'
    return f'({cases}{words}.startsWith("is ")?"are"+{words}.substring(2):{words}.startsWith("has ")?"have"+{words}.substring(3):{usual})'


def _line(game: Game, piece_text: str, stack_text: str, secret: bool = False, sentence_case: str = "") -> str:
    """Who does what where, once for a stack. Of concealed pieces only what isn't secret."""
    top, pieces = f'+", "+{PIECE_NAME}+" on top"', f'{SELECTED_COUNT}+" pieces "+'
    report = f'({SEVERAL_SELECTED}?{LOCATION}+": "+{pieces}{stack_text}{top}:{sentence_case}{LOCATION}+": "+{PIECE_NAME}+" "+{piece_text})'
    if secret and game.card.fog:
        concealed_count = 'CountStack("{Selected==true&&ObscuredToOthers==true}")'
        concealed_test = f'{PIECE_NAME}.startsWith("{CONCEALED_NAME}")||Selected==true&&{concealed_count}>0'
        neutral_report = f'{LOCATION}+": "+({SEVERAL_SELECTED}?{pieces}"are changed"{top}:{PIECE_NAME}+" is changed")'
        report = f"({concealed_test}?{neutral_report}:{report})"
    return f'{REPORTED_ALREADY}?"":{report}'


def _states(game: Game, is_plural: bool) -> str:
    """The words for the state that a message names, as it is now."""
    cases = ""
    for state in loose_states(game):
        start_text, end_text = (plain_text(plural(words) if is_plural else words) for words in state_words(game, state))
        cases += f'{WORDS}.equals("{plain_text(game.states[state].name)}")?({state}_Active==true?"{start_text}":"{end_text}"):'
    return f'({cases}"")'


def sentences(game: Game, main: bool = True) -> str:
    """What a window makes of a report: an expression of its change format."""
    stacking_rules = stacking(game) if main else []
    rule_text = (
        "".join(
            f'{WORDS}.equals("{n}")&&StackPos==1&&({condition})?"{rule}":'
            for n, (condition, rule) in enumerate(stacking_rules, 1)
        )
        + '""'
    )
    entering = f'OldMap!=""&&OldMap!="{MAIN}"&&GetString("Enters").startsWith("Turn ")'
    due = 'Integer.parseInt(GetString("Enters").substring(5).replaceAll("[^0-9].*",""))'
    head = f'{WORDS}.replaceFirst("[:|].*","")'
    sentence = f'{WORDS}.contains("|")?{WORDS}.replaceFirst(".*[|]",""):'
    speaking = speakers(game)
    silence_case = f'{PIECE_NAME}.matches("{_any_pattern(speaking)}")?"":' if main and speaking else ""
    if not main:
        silence_case = "".join(
            f'{LOCATION}.equals("{box}")&&{PIECE_NAME}.matches("{_any_pattern(names)}")?"":'
            for box, names in _by_box(game).items()
        )
    loss_silence = silence_case if not main else ""
    expressions = {
        DEED: _line(game, WORDS, _plural(game, WORDS)),
        STATE: _line(game, _states(game, False), _states(game, True), secret=True),
        FACE: _line(
            game, WORDS, f'({SAME_STATE}?{_plural(game, head)}:"are flipped")', secret=True, sentence_case=sentence
        ),
        OWN_REPORT: f'{LOCATION}+": "+{PIECE_NAME}+" "+{WORDS}',
        LOST_REPORT: f'{loss_silence}{PIECE_NAME}+" is lost in "+{OLD_LOCATION}+", to "+{LOCATION}',
        RETURN_REPORT: f'{silence_case}{PIECE_NAME}+" is back in "+{LOCATION}+", from "+{OLD_LOCATION}',
        CROWD: f'("".equals({rule_text})?"":"Stacking in "+{LOCATION}+" is against the rules: "+({rule_text}))',
        EARLY_REPORT: f'{entering}&&{turn_number(game)}<{due}?{LOCATION}+": "+{PIECE_NAME}+" is early: "+GetString("Enters"):""',
    }
    if speaking or has_box_report(game):
        expressions[PUT] = _put(game, main)
    if not loose_states(game):
        del expressions[STATE]
    cases = "".join(f'{MESSAGE}.startsWith("{sign}")?({words}):' for sign, words in expressions.items())
    return f"{{{cases}{MESSAGE}}}"


def _put(game: Game, main: bool) -> str:
    """What a marker says that is put where it wasn't before; a concealed one nothing."""
    came = (
        f'OldMap!="{MAIN}"'
        if main
        else f'!{OLD_LOCATION}.equals({LOCATION})&&String.valueOf("|"+{WORDS}).contains("|"+{LOCATION}+"|")'
    )
    visible_test = f'&&!{PIECE_NAME}.startsWith("{CONCEALED_NAME}")' if game.card.fog else ""
    return f'{came}{visible_test}?{WORDS}.replaceFirst(".*[|]","").replace("{PLACE_MARK}",{_place_name(game, LOCATION)}):""'


def names_of_places(game: Game) -> str:
    """The hexes that have names, as a text to look them up in: |4827=Gaza|4301=Haifa|."""
    place_names: dict[str, str] = {}
    for key, board in game.boards.items():
        for place in board.places.values():
            for hex in place.hexes if len(place.hexes) <= LARGE else ():
                place_names.setdefault(prefix(game, key) + board.grid.name(hex), plain_text(place.name))
    return "|" + "".join(f"{hex}={name}|" for hex, name in place_names.items()) if place_names else ""


def messages(game: Game) -> list[XmlPart]:
    """The constant with the names of hexes."""
    text = names_of_places(game)
    about = "Names of hexes"
    return (
        [XmlPart(MODULE + "properties.GlobalTranslatableMessage", name=NAMES, initialValue=text, description=about)]
        if text
        else []
    )


def _place_name(game: Game, place: str) -> str:
    """An expression for what players call a place: its name with its number, or its number alone."""
    if not names_of_places(game):
        return place
    names, start = f'GetString("{NAMES}")', f'"|"+{place}+"="'
    first = f"{names}.indexOf({start})+{place}.length()+2"
    return (
        f'({names}.contains({start})?{names}.substring({first},{names}.indexOf("|",{first}))+" ("+{place}+")":{place})'
    )


def speakers(game: Game, box: str = "") -> list[str]:
    """The names of pieces that say themselves that they are put on the map, or into a box, and that no silent piece of the side has."""
    speaker_ids = {
        key
        for key in game.markers
        if (marker_words := words_of(game, key)) and (box in marker_words.boxes if box else marker_words.put)
    }
    sides = {(game.markers[key].name, game.markers[key].side) for key in speaker_ids}
    silent = {
        marker.name
        for key, marker in game.markers.items()
        if key not in speaker_ids and (marker.name, marker.side) in sides
    }
    silent |= {display_name(game, unit) for unit in game.units.values()}
    names = dict.fromkeys(game.markers[key].name for key in game.markers if key in speaker_ids)
    return [*(name for name in names if name not in silent), *([HELD_BY] if flags(game) and not box else [])]


def _any_pattern(names: Sequence[str]) -> str:
    """A pattern for any of these names, a flag's with whose it is."""
    patterns = [re.sub(r"[^A-Za-z0-9 ]", ".", name) + (" [^,]+" if name == HELD_BY else "") for name in names]
    return "|".join(patterns)


def _without(names: Sequence[str]) -> str:
    """The names of moved pieces without these, which speak for themselves."""
    return f'pieceName.replaceAll("(^|, )({_any_pattern(names)})(?![^,])","").replaceAll("^, ","")'


def formats(game: Game, main: bool = True) -> Mapping[str, str]:
    """What a window says of pieces that move within it, come to it, are new in it or report something, by the attribute."""
    piece_name = "pieceName.trim()"
    names, within = _without(speakers(game)) if main and speakers(game) else piece_name, piece_name
    if not main and (speakers_by_box := _by_box(game)):
        within = "".join(
            f'location.trim().equals("{name}")?{_without(speaker_names)}:'
            for name, speaker_names in speakers_by_box.items()
        )
        names = within = f"({within}{piece_name})"
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
    return {plain_text(box_names(game)[box]): speaker_names for box in boxes if (speaker_names := speakers(game, box))}


def _move(names: str, *parts: str) -> str:
    """A format: what moves, where it doesn't speak for itself, and the rest of the sentence."""
    return f'{{"".equals({names})?"":{names}+{"+".join(parts)}}}'


def silent(window: str) -> Mapping[str, str]:
    """What is said of a window that only one side sees: that something went there, and no more."""
    message = f"A piece: to the {window}, from $previousLocation$"
    return {"moveWithinFormat": "", "moveToFormat": message, "createFormat": "", "changeFormat": ""}

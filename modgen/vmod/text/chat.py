"""What a window writes in the chat: moves of pieces, and sentences made from the pieces' reports.

A piece reports an action as a sign and a few words (`piece_reports`). The window adds the piece and its place, and
writes one line for a whole stack. The texts of states are here, because no save contains a window.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from modgen.vmod.files.buttons import plain_text
from modgen.vmod.files.xml import MODULE, XmlPart
from modgen.vmod.maps.stacking import stacking
from modgen.vmod.pieces.aids import HELD_BY, flags
from modgen.vmod.pieces.faces import loose_states
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
from scenarios.model.game import Game
from scenarios.unit_view import display_name, face_state
from scenarios.vassal.windows import MAIN, box_names, prefix

PIECE_NAME = 'String.valueOf(newPieceName).replaceAll(" [(][-a-z][^)]*[)]","")'
"""A piece's name without the additions of its layers; for a concealed piece only that it is one.

In a report format this is a variable of the engine, not a property.
"""
LOCATION, OLD_LOCATION = 'GetString("LocationName")', 'GetString("OldLocationName")'
"""Places read as texts: as a number, hex 4.10 would be 4.1."""
MESSAGE = "String.valueOf(message)"
WORDS = f"{MESSAGE}.substring(1)"
SELECTED_COUNT = 'CountStack("{Selected==true}")'
SEVERAL_SELECTED = f"Selected==true&&{SELECTED_COUNT}>1"
REPORTED_ALREADY = 'Selected==true&&CountStack("{Selected==true&&StackPos<$StackPos$}")>0'
"""Whether a piece lower in the stack has made the same report."""
SAME_STATE = f'CountStack("{{Selected==true&&face_state==\\"$face_state$\\"}}")=={SELECTED_COUNT}'
"""Whether the backs of all flipped pieces show the same state."""
ORIGIN, PLACE = "previousLocation.trim()", "location.trim()"
"""The places of a move. These are variables, and the engine keeps them as texts if the expression calls a method of text on them."""
NAMES, LARGE = "NamesOfPlaces", 4
"""The constant that lists named hexes. A name of more hexes than this number is that of a region."""
IRREGULAR = {"is": "are", "has": "have", "was": "were", "goes": "go", "does": "do"}


def plural(words: str) -> str:
    """The plural of a report about one piece: is spotted, are spotted; loses its way, lose their way."""
    verb, *other_words = words.split(" ")
    for ending, replacement in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("s", "")):
        if verb.endswith(ending):
            verb = IRREGULAR.get(verb) or verb.removesuffix(ending) + replacement
            break
    plural_words = " ".join([verb, *("their" if word == "its" else word for word in other_words)])
    return plural_words.replace("their back", "their backs").replace("their front", "their fronts")


def _plural(game: Game, words: str) -> str:
    """An expression for the plural of a report: the verb without its ending. Irregular texts of faces are cases of their own."""
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
    """Who does what where, once for a stack. For concealed pieces it has only what isn't secret."""
    top, pieces = f'+", "+{PIECE_NAME}+" on top"', f'{SELECTED_COUNT}+" pieces "+'
    report = f'({SEVERAL_SELECTED}?{LOCATION}+": "+{pieces}{stack_text}{top}:{sentence_case}{LOCATION}+": "+{PIECE_NAME}+" "+{piece_text})'
    if secret and game.card.fog:
        concealed_count = 'CountStack("{Selected==true&&ObscuredToOthers==true}")'
        concealed_test = f'{PIECE_NAME}.startsWith("{CONCEALED_NAME}")||Selected==true&&{concealed_count}>0'
        neutral_report = f'{LOCATION}+": "+({SEVERAL_SELECTED}?{pieces}"are changed"{top}:{PIECE_NAME}+" is changed")'
        report = f"({concealed_test}?{neutral_report}:{report})"
    return f'{REPORTED_ALREADY}?"":{report}'


def _states(game: Game, is_plural: bool) -> str:
    """The current text of the state that a message names."""
    cases = ""
    for state in loose_states(game):
        start_text, end_text = (plain_text(plural(words) if is_plural else words) for words in state_words(game, state))
        cases += f'{WORDS}.equals("{plain_text(game.states[state].name)}")?({state}_Active==true?"{start_text}":"{end_text}"):'
    return f'({cases}"")'


def sentences(game: Game, main: bool = True) -> str:
    """An expression for a window's change format, which turns a report into a sentence."""
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
        LOST_REPORT: f'{loss_silence}{PIECE_NAME}+" is eliminated in "+{OLD_LOCATION}+", to "+{LOCATION}',
        RETURN_REPORT: f'{silence_case}{PIECE_NAME}+" returns to play in "+{LOCATION}+", from "+{OLD_LOCATION}',
        CROWD: f'("".equals({rule_text})?"":"Stacking in "+{LOCATION}+" breaks the rules: "+({rule_text}))',
        EARLY_REPORT: f'{entering}&&{turn_number(game)}<{due}?{LOCATION}+": "+{PIECE_NAME}+" is early: "+GetString("Enters"):""',
    }
    if speaking or has_box_report(game):
        expressions[PUT] = _put(game, main)
    if not loose_states(game):
        del expressions[STATE]
    cases = "".join(f'{MESSAGE}.startsWith("{sign}")?({words}):' for sign, words in expressions.items())
    return f"{{{cases}{MESSAGE}}}"


def _put(game: Game, main: bool) -> str:
    """What a marker reports when it is put down in a new place; nothing if it is concealed."""
    came = (
        f'OldMap!="{MAIN}"'
        if main
        else f'!{OLD_LOCATION}.equals({LOCATION})&&String.valueOf("|"+{WORDS}).contains("|"+{LOCATION}+"|")'
    )
    visible_test = f'&&!{PIECE_NAME}.startsWith("{CONCEALED_NAME}")' if game.card.fog else ""
    return f'{came}{visible_test}?{WORDS}.replaceFirst(".*[|]","").replace("{PLACE_MARK}",{_place_name(game, LOCATION)}):""'


def names_of_places(game: Game) -> str:
    """The named hexes as one text for lookups: |4827=Gaza|4301=Haifa|."""
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
    """An expression for a place as players call it: its name with its number, or its number alone."""
    if not names_of_places(game):
        return place
    names, start = f'GetString("{NAMES}")', f'"|"+{place}+"="'
    first = f"{names}.indexOf({start})+{place}.length()+2"
    return (
        f'({names}.contains({start})?{names}.substring({first},{names}.indexOf("|",{first}))+" ("+{place}+")":{place})'
    )


def speakers(game: Game, box: str = "") -> list[str]:
    """The names of pieces that report by themselves that they are put on the map or into a box.

    No silent piece of the same side has such a name.
    """
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
    """A pattern that matches any of these names. That of a flag also matches its side."""
    patterns = [re.sub(r"[^A-Za-z0-9 ]", ".", name) + (" [^,]+" if name == HELD_BY else "") for name in names]
    return "|".join(patterns)


def _without(names: Sequence[str]) -> str:
    """The names of moved pieces except these, which report by themselves."""
    return f'pieceName.replaceAll("(^|, )({_any_pattern(names)})(?![^,])","").replaceAll("^, ","")'


def formats(game: Game, main: bool = True) -> Mapping[str, str]:
    """What a window writes about pieces that move in it, enter it, are new in it or report something, by attribute."""
    piece_name = "pieceName.trim()"
    names, within = _without(speakers(game)) if main and speakers(game) else piece_name, piece_name
    if not main and (speakers_by_box := _by_box(game)):
        within = "".join(
            f'location.trim().equals("{name}")?{_without(speaker_names)}:'
            for name, speaker_names in speakers_by_box.items()
        )
        names = within = f"({within}{piece_name})"
    # A hand has no places, so the text names the hand.
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
    """By the name of a box, the names of the pieces that report by themselves that they are put into it."""
    boxes = dict.fromkeys(box for key in game.markers for box in words_of(game, key).boxes)
    return {plain_text(box_names(game)[box]): speaker_names for box in boxes if (speaker_names := speakers(game, box))}


def _move(names: str, *parts: str) -> str:
    """A format: the piece that moves, if it doesn't report by itself, and the rest of the sentence."""
    return f'{{"".equals({names})?"":{names}+{"+".join(parts)}}}'


def silent(window: str) -> Mapping[str, str]:
    """The formats of a window that only one side sees: they report only that a piece went there."""
    message = f"A piece: to the {window}, from $previousLocation$"
    return {"moveWithinFormat": "", "moveToFormat": message, "createFormat": "", "changeFormat": ""}

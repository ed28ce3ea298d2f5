"""What pieces report: a sign and a few words for each action of a player. The window makes a sentence of it (`chat`).

A piece's reports are short, because every save contains all of its traits. A report that depends on a counter's back
or on a marker is in the palette slot of that piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from modgen.vmod.files import keys
from modgen.vmod.files.buttons import plain_text
from modgen.vmod.pieces import traits
from modgen.vmod.pieces.faces import lower, value
from scenarios.model.counters import PLACE, FactorValue, MarkerWords, Unit
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.unit_view import face_state, view_face
from scenarios.vassal.commands import Trait
from scenarios.vassal.windows import MAIN, box_names

DEED, STATE, FACE, OWN_REPORT, LOST_REPORT, RETURN_REPORT, CROWD, EARLY_REPORT, PUT = (
    "~",
    "#",
    "<",
    "=",
    "-",
    "+",
    "!",
    "?",
    "%",
)
"""The signs of reports: an action, a state put on or taken off, another face, a report of a single piece, eliminated,
returned, a stack against the rules, a piece before its turn, a marker put down.

An action, a state or a face is reported once for a stack. Text after a colon is only for a single piece. So is a
sentence after a bar, which replaces all before it.
"""
FACES: tuple[Literal["front", "back"], ...] = ("front", "back")
CONCEALED_NAME = "concealed"
"""The beginning of a concealed piece's name."""
NAME = "String.valueOf(newPieceName)"
PLACE_MARK = "@"
"""Stands for the marker's place in the text of a marker that is put down."""
REMOVAL = "Removal"
REMOVED_TEXT = " is removed from the game"
OPEN = f'!{NAME}.startsWith("{CONCEALED_NAME}")'


def arrivals(game: Game, rules: int) -> tuple[Trait, ...]:
    """What a piece reports as a player puts it on the map: the stacking rule that is broken there, and that it comes too early."""
    crowds = [traits.report([keys.ARRIVAL], f"{CROWD}{number}", f"Stacking {number}") for number in range(1, rules + 1)]
    if any(
        group.enters
        for scenario in game.scenarios.values()
        for force in scenario.forces.values()
        for group in force.groups
    ):
        crowds.append(traits.report([keys.ARRIVAL], EARLY_REPORT, "Early"))
    return tuple(crowds)


def state_words(game: Game, state: str) -> tuple[str, str]:
    """The texts for a unit that enters a state and that leaves it."""
    unit_state = game.states[state]
    name = lower(unit_state.name)
    return (
        (unit_state.says.begins, unit_state.says.ends)
        if unit_state.says is not None
        else (f"is marked {name}", f"is no longer marked {name}")
    )


def states(state_count: int) -> Trait:
    """The report that one of this many badge states is put on or taken off. The window has each state's text."""
    return traits.report([keys.state_key(number) for number in range(state_count)], f"{STATE}$menuCommand$", "States")


def flip_text(game: Game, state: str) -> tuple[str, str]:
    """The texts for a counter that is flipped to its back, which shows one state or none, and to its front again."""
    unit_state = game.states.get(state)
    if unit_state is not None and unit_state.says is not None:
        return unit_state.says.begins, unit_state.says.ends
    return f"flips to {lower(unit_state.name) if unit_state is not None else 'its back'}", "flips back to its front"


def backs(game: Game) -> dict[str, str]:
    """The prototype for each kind of back, by the state that it shows. If a back changes factors, the counter has a report of its own."""
    return cached_on(game, _back_prototypes)


def _back_prototypes(game: Game) -> dict[str, str]:
    kinds = {face_state(game, unit) for unit in game.units.values() if not changed_factors(game, unit)} | {""}
    return {kind: f"Back: {lower(game.states[kind].name)}" if kind in game.states else "Back" for kind in sorted(kinds)}


def _faces(back_text: str, front_text: str) -> Trait:
    """The report for both faces."""
    return traits.report(
        [keys.FLIP], f'{{Face_Level==2?"{FACE}{plain_text(back_text)}":"{FACE}{plain_text(front_text)}"}}', "Flipped"
    )


def flips(game: Game, state: str) -> Trait:
    """The report of a counter that is flipped to its back and to its front again."""
    return _faces(*flip_text(game, state))


def changed_factors(game: Game, unit: Unit) -> dict[str, tuple[FactorValue, FactorValue]]:
    """The factors that a counter's back changes, each with both values."""
    front, back = (view_face(game, unit, face).printed_factors for face in FACES)
    return {
        key: (front[key], back[key]) for key in game.factors if key in front and key in back and front[key] != back[key]
    }


def own_flips(game: Game, unit: Unit) -> Trait:
    """The report of a counter that is flipped and whose factors change: which factors, and their values before and after."""
    back_text, front_text = flip_text(game, face_state(game, unit))
    changed_values = {lower(game.factors[key].name): values for key, values in changed_factors(game, unit).items()}
    back_changes = [
        f"{name} {value(back_value)} instead of {value(front)}" if back_value else f"no {name}"
        for name, (front, back_value) in changed_values.items()
    ]
    ending = "" if "again" in front_text else " again"
    front_changes = [f"{name} {value(front)}{ending}" for name, (front, _) in changed_values.items()]
    return _faces(f"{back_text}: {', '.join(back_changes)}", f"{front_text}: {', '.join(front_changes)}")


def used() -> Trait:
    """The report that off-map support is used, or ready again."""
    return _faces("is used", "is ready again")


def changes_hands(game: Game) -> tuple[Trait, ...]:
    """The reports that a place changes sides: a player puts a flag there, flips it, copies it or removes it."""
    sides = [*game.sides.values()]
    side_cases = (
        "".join(f'Face_Level=={n}?"{plain_text(side.name)}":' for n, side in enumerate(sides[:-1], 1))
        + f'"{plain_text(sides[-1].name)}"'
    )
    gain_text = f'GetString("LocationName")+" is under "+({side_cases})+" control"'
    loss_text = f'GetString("OldLocationName")+" is no longer under "+({side_cases})+" control"'
    return (
        traits.report([keys.ARRIVAL], f'{{OldMap=="{MAIN}"?"":{gain_text}}}', "Flag put"),
        traits.report([keys.FLIP], f"{{{gain_text}}}", "Flag turned"),
        traits.report([keys.CLONE], '{GetString("LocationName")+": another flag"}', "Another flag"),
        traits.report([keys.DELETE], f"{{{loss_text}}}", "Flag gone"),
    )


def moved_report() -> Trait:
    """The report that a piece is marked as moved, or loses the mark."""
    return traits.report([keys.MARK_MOVED], f'{{"{DEED}is "+(Moved==true?"":"no longer ")+"marked as moved"}}', "Moved")


def removed_report() -> Trait:
    """The report that a piece is deleted from the game."""
    return traits.report([keys.DELETE], f"$newPieceName${REMOVED_TEXT}", "Taken out")


def roles() -> Trait:
    """The report that a piece is marked as attacker or defender, or no longer."""
    message = f'{{"{DEED}"+(Role==1?"attacks":Role==2?"is attacked":"leaves the battle")}}'
    return traits.report([keys.ATTACKER, keys.DEFENDER], message, "Battle")


def steps(number: int) -> tuple[Trait, ...]:
    """The reports that a unit loses a step, or recovers all of them."""
    return (
        traits.report(
            [keys.LOSS], f'{{"{FACE}loses a step: "+({number + 1}-Steps_Level)+" of {number} left"}}', "Step lost"
        ),
        traits.report([keys.RECOVER], f"{FACE}has all {number} steps again", "Full strength"),
    )


def lost_reports(strokes: list[str]) -> tuple[Trait, ...]:
    """The reports that a piece goes to a pile, or returns. With a choice of piles, each way there and back has its own report."""
    if len(strokes) == 1:
        report_text = f'{{CurrentMap=="{MAIN}"?"{RETURN_REPORT}":"{LOST_REPORT}"}}'
        return (traits.report([*strokes, keys.RETURN_TO_PLAY], report_text, "Lost and back"),)
    return (traits.report(strokes, LOST_REPORT, "Lost"), traits.report([keys.RETURN_TO_PLAY], RETURN_REPORT, "Back"))


def concealed_reports() -> tuple[Trait, ...]:
    """The reports that a piece is concealed, or revealed."""
    return (
        traits.report([keys.CONCEAL], f'{{{OPEN}?"":"{OWN_REPORT}lies here now"}}', "Concealed"),
        traits.report([keys.CONCEAL], f'{{{OPEN}?"{OWN_REPORT}is shown":""}}', "Shown"),
    )


def copies() -> Trait:
    """The report that a marker is copied."""
    return traits.report([keys.CLONE], '{GetString("LocationName")+": another "+newPieceName}', "Another one")


# --- markers ----------------------------------------------------------------------------------------------------------


def words_of(game: Game, marker_id: str) -> MarkerWords:
    """The texts about a marker: its own, or those of its kind."""
    marker = game.markers[marker_id]
    if marker.says is not None:
        return marker.says
    if marker.kind == "construction":
        return MarkerWords(put=f"{marker.name} is built in {PLACE}", gone=f"{marker.name} in {PLACE} is destroyed")
    if marker.kind == "state" and marker.state in game.states:
        begins, ends = state_words(game, marker.state)
        return MarkerWords(put=f"A unit in {PLACE} {begins}", gone=f"A unit in {PLACE} {ends}")
    return MarkerWords()


def has_box_report(game: Game) -> bool:
    """Whether any marker reports that it is put into a box."""
    return any(words_of(game, key).boxes for key in game.markers)


def _marker_text(words: str, place: str) -> str:
    """A marker's text as an expression, with its place."""
    first_part, *other_parts = plain_text(words.replace(PLACE, PLACE_MARK)).split(PLACE_MARK)
    return f'"{first_part}"' + "".join(f'+GetString("{place}")+"{part}"' for part in other_parts)


def put_down(game: Game, marker_id: str) -> list[Trait]:
    """What a marker reports as a player puts it on the map or into boxes. The boxes' names come before the text."""
    words = words_of(game, marker_id)
    put = [traits.report([keys.ARRIVAL], _put(words.put), "Put down")] if words.put else []
    by_text: dict[str, list[str]] = {}
    for box, box_text in words.boxes.items():
        by_text.setdefault(box_text, []).append(plain_text(box_names(game)[box]))
    return [
        *put,
        *(traits.report([keys.BOX_ARRIVAL], _put(box_text, boxes), "In a box") for box_text, boxes in by_text.items()),
    ]


def _put(words: str, boxes: Sequence[str] = ()) -> str:
    return PUT + "".join(f"{box}|" for box in boxes) + plain_text(words.replace(PLACE, PLACE_MARK))


def turned_over(game: Game, marker_id: str) -> Trait:
    """The report that a marker is flipped, in its own words if it has any."""
    words = words_of(game, marker_id)
    if not words.back and not words.front:
        return traits.prototype(backs(game)[""])
    marker_texts = [f'|"+{_marker_text(text, "LocationName")}' if text else '"' for text in (words.back, words.front)]
    back_text, front_text = (
        f'"{FACE}{flip_text}{marker_text}'
        for flip_text, marker_text in zip(flip_text(game, ""), marker_texts, strict=True)
    )
    return traits.report([keys.FLIP], f"{{Face_Level==2?{back_text}:{front_text}}}", "Flipped")


def taken_away(game: Game, marker_id: str) -> tuple[Trait, ...]:
    """The report that a marker is removed, in its own words if it is on the map. A concealed marker doesn't say what it is."""
    words = words_of(game, marker_id)
    if not words.gone:
        return (traits.prototype(REMOVAL),)
    secret = f"&&{OPEN}" if game.card.fog else ""
    message = (
        f'{{OldMap=="{MAIN}"{secret}?{_marker_text(words.gone, "OldLocationName")}:newPieceName+"{REMOVED_TEXT}"}}'
    )
    return (traits.report([keys.DELETE], message, "Taken away"), traits.delete("Delete", keys.DELETE))

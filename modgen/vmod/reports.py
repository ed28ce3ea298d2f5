"""What pieces report of what players do to them: a sign and a few words, of which the window makes a sentence (`chat`).

A piece says no more than it must: it is written into every save with all its traits. What a counter's back changes, and what a marker has
to say, stands in its own slot of the palette.
"""

from __future__ import annotations

from collections.abc import Sequence

from modgen.vmod import keys, traits
from modgen.vmod.buttons import bare
from modgen.vmod.faces import face_state, lower, value
from scenarios.counters import PLACE, FactorValue, MarkerWords, Unit
from scenarios.game import Game
from scenarios.kept import once
from scenarios.vassal.commands import Trait
from scenarios.vassal.windows import MAIN, box_names

DEED, STATE, FACE, OWN, LOST, BACK, CROWD, EARLY, PUT = "~", "#", "<", "=", "-", "+", "!", "?", "%"
"""The signs: a deed, a state that is put on or taken off, another face, what a piece alone says, lost, back again, a stack against the
rules, a piece before its turn, a marker put down. A deed, a state or a face is said once for a stack; what stands behind a colon, and a
sentence behind a bar instead of all before it, only of a piece alone."""
CONCEALED = "concealed"
"""How the name of a concealed piece begins."""
NAME = "String.valueOf(newPieceName)"
WHERE = "@"
"""What stands in the words of a marker that is put down for its place."""
REMOVAL = "Removal"
GONE = " is taken out of the game"
OPEN = f'!{NAME}.startsWith("{CONCEALED}")'


def arrivals(game: Game, rules: int) -> tuple[Trait, ...]:
    """What a piece says as it is put down on the map: which rule of stacking is broken there, and that it comes too early."""
    crowds = [traits.report([keys.ARRIVED], f"{CROWD}{number}", f"Stacking {number}") for number in range(1, rules + 1)]
    if any(
        group.enters for held in game.scenarios.values() for force in held.forces.values() for group in force.groups
    ):
        crowds.append(traits.report([keys.ARRIVED], EARLY, "Early"))
    return tuple(crowds)


def state_words(game: Game, state: str) -> tuple[str, str]:
    """What is said of a unit as it gets into a state, and as that is over."""
    held = game.states[state]
    name = lower(held.name)
    return (
        (held.says.begins, held.says.ends)
        if held.says is not None
        else (f"is marked {name}", f"is no longer marked {name}")
    )


def states(listed: int) -> Trait:
    """One of so many states that badges show is put on or taken off; the window has the words of each."""
    return traits.report([keys.state_key(number) for number in range(listed)], f"{STATE}$menuCommand$", "States")


def turned(game: Game, state: str) -> tuple[str, str]:
    """What is said of a counter that is turned to its back, which stands for a state or for none, and to its front again."""
    held = game.states.get(state)
    if held is not None and held.says is not None:
        return held.says.begins, held.says.ends
    return f"flips to {lower(held.name) if held is not None else 'its back'}", "flips back to its front"


def backs(game: Game) -> dict[str, str]:
    """The prototype of each kind of back, by the state that it stands for; where a back changes factors, its counter says so itself."""
    return once(game, _back_prototypes)


def _back_prototypes(game: Game) -> dict[str, str]:
    kinds = {face_state(game, unit) for unit in game.units.values() if not changed(game, unit)} | {""}
    return {kind: f"Back: {lower(game.states[kind].name)}" if kind in game.states else "Back" for kind in sorted(kinds)}


def _faces(below: str, above: str) -> Trait:
    """The report of both faces."""
    return traits.report([keys.FLIP], f'{{Face_Level==2?"{FACE}{bare(below)}":"{FACE}{bare(above)}"}}', "Flipped")


def flips(game: Game, state: str) -> Trait:
    """A counter is turned over: to its back, and to its front again."""
    return _faces(*turned(game, state))


def changed(game: Game, unit: Unit) -> dict[str, tuple[FactorValue, FactorValue]]:
    """The factors that a counter's back changes, with both values."""
    back = unit.back or {}
    both = {key: (unit.factors[key], back[key]) for key in game.factors if key in unit.factors and key in back}
    return {key: (front, other) for key, (front, other) in both.items() if front != other}


def own_flips(game: Game, unit: Unit) -> Trait:
    """A counter is turned over, and its factors change: which, and from what to what."""
    below, above = turned(game, face_state(game, unit))
    named = {lower(game.factors[key].name): values for key, values in changed(game, unit).items()}
    less = [
        f"{name} {value(back)} instead of {value(front)}" if back else f"no {name}"
        for name, (front, back) in named.items()
    ]
    ending = "" if "again" in above else " again"
    again = [f"{name} {value(front)}{ending}" for name, (front, _) in named.items()]
    return _faces(f"{below}: {', '.join(less)}", f"{above}: {', '.join(again)}")


def used() -> Trait:
    """Support off the map is used, or ready again."""
    return _faces("is used", "is ready again")


def changes_hands(game: Game) -> tuple[Trait, ...]:
    """A place is another side's now: a flag is put there, turned over, doubled or taken away."""
    sides = [*game.sides.values()]
    chosen = (
        "".join(f'Face_Level=={n}?"{bare(side.name)}":' for n, side in enumerate(sides[:-1], 1))
        + f'"{bare(sides[-1].name)}"'
    )
    said = f'GetString("LocationName")+" is under "+({chosen})+" control"'
    gone = f'GetString("OldLocationName")+" is no longer under "+({chosen})+" control"'
    return (
        traits.report([keys.ARRIVED], f'{{OldMap=="{MAIN}"?"":{said}}}', "Flag put"),
        traits.report([keys.FLIP], f"{{{said}}}", "Flag turned"),
        traits.report([keys.CLONE], '{GetString("LocationName")+": another flag"}', "Another flag"),
        traits.report([keys.DELETE], f"{{{gone}}}", "Flag gone"),
    )


def moved() -> Trait:
    """A piece gets the mark of having moved, or loses it."""
    return traits.report([keys.MOVED], f'{{"{DEED}is "+(Moved==true?"":"no longer ")+"marked as moved"}}', "Moved")


def removed() -> Trait:
    """A piece is taken out of the game."""
    return traits.report([keys.DELETE], f"$newPieceName${GONE}", "Taken out")


def roles() -> Trait:
    """A piece is to attack, or to be attacked, or no longer."""
    said = f'{{"{DEED}"+(Role==1?"attacks":Role==2?"is attacked":"leaves the battle")}}'
    return traits.report([keys.ATTACKER, keys.DEFENDER], said, "Battle")


def steps(number: int) -> tuple[Trait, ...]:
    """A unit loses a step, or has all of them again."""
    return (
        traits.report(
            [keys.LOSS], f'{{"{FACE}loses a step: "+({number + 1}-Steps_Level)+" of {number} left"}}', "Step lost"
        ),
        traits.report([keys.RECOVER], f"{FACE}has all {number} steps again", "Full strength"),
    )


def lost(strokes: list[str]) -> tuple[Trait, ...]:
    """A piece goes to a pile, or comes back; where it has a choice of piles the ways there and back have a report each."""
    if len(strokes) == 1:
        either = f'{{CurrentMap=="{MAIN}"?"{BACK}":"{LOST}"}}'
        return (traits.report([*strokes, keys.BACK], either, "Lost and back"),)
    return (traits.report(strokes, LOST, "Lost"), traits.report([keys.BACK], BACK, "Back"))


def concealed() -> tuple[Trait, ...]:
    """A piece is concealed, or shown."""
    return (
        traits.report([keys.CONCEAL], f'{{{OPEN}?"":"{OWN}lies here now"}}', "Concealed"),
        traits.report([keys.CONCEAL], f'{{{OPEN}?"{OWN}is shown":""}}', "Shown"),
    )


def copies() -> Trait:
    """There is another of a marker."""
    return traits.report([keys.CLONE], '{GetString("LocationName")+": another "+newPieceName}', "Another one")


# --- markers ----------------------------------------------------------------------------------------------------------


def words_of(game: Game, marker_id: str) -> MarkerWords:
    """What is said of a marker: its own words, or those of its kind."""
    marker = game.markers[marker_id]
    if marker.says is not None:
        return marker.says
    if marker.kind == "construction":
        return MarkerWords(put=f"{marker.name} is built in {PLACE}", gone=f"{marker.name} in {PLACE} is destroyed")
    if marker.kind == "state" and marker.state in game.states:
        begins, ends = state_words(game, marker.state)
        return MarkerWords(put=f"A unit in {PLACE} {begins}", gone=f"A unit in {PLACE} {ends}")
    return MarkerWords()


def boxed(game: Game) -> bool:
    """Whether some marker says that it is put into a box."""
    return any(words_of(game, key).boxes for key in game.markers)


def _spoken(words: str, place: str) -> str:
    """The words of a marker as an expression, with its place."""
    before, *after = bare(words.replace(PLACE, WHERE)).split(WHERE)
    return f'"{before}"' + "".join(f'+GetString("{place}")+"{part}"' for part in after)


def put_down(game: Game, marker_id: str) -> list[Trait]:
    """What a marker says as it is put on the map, or into boxes, whose names stand before the words."""
    words = words_of(game, marker_id)
    put = [traits.report([keys.ARRIVED], _put(words.put), "Put down")] if words.put else []
    by_text: dict[str, list[str]] = {}
    for box, said in words.boxes.items():
        by_text.setdefault(said, []).append(bare(box_names(game)[box]))
    return [*put, *(traits.report([keys.BOXED], _put(said, boxes), "In a box") for said, boxes in by_text.items())]


def _put(words: str, boxes: Sequence[str] = ()) -> str:
    return PUT + "".join(f"{box}|" for box in boxes) + bare(words.replace(PLACE, WHERE))


def turned_over(game: Game, marker_id: str) -> Trait:
    """A marker is turned over, and says so in its own words if it has some."""
    words = words_of(game, marker_id)
    if not words.back and not words.front:
        return traits.prototype(backs(game)[""])
    spoken = [f'|"+{_spoken(said, "LocationName")}' if said else '"' for said in (words.back, words.front)]
    below, above = (f'"{FACE}{plain}{said}' for plain, said in zip(turned(game, ""), spoken, strict=True))
    return traits.report([keys.FLIP], f"{{Face_Level==2?{below}:{above}}}", "Flipped")


def taken_away(game: Game, marker_id: str) -> tuple[Trait, ...]:
    """A marker is taken out of the game, in its own words if it lies on the map; a concealed one doesn't say what it is."""
    words = words_of(game, marker_id)
    if not words.gone:
        return (traits.prototype(REMOVAL),)
    secret = f"&&{OPEN}" if game.card.fog else ""
    said = f'{{OldMap=="{MAIN}"{secret}?{_spoken(words.gone, "OldLocationName")}:newPieceName+"{GONE}"}}'
    return (traits.report([keys.DELETE], said, "Taken away"), traits.delete("Delete", keys.DELETE))

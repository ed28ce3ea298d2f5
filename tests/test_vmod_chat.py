"""What the chat says of what players do to pieces: the reports of pieces and what windows make of them, without the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from modgen.vmod import keys, pieces
from modgen.vmod.chat import formats, names_of_places, plural, silent
from modgen.vmod.faces import face_state, loose_states, lower
from scenarios import PackError, load, shipped
from scenarios.game import Game
from scenarios.vassal.sequence import split
from scenarios.vassal.windows import box_names
from tests import shared
from tests.bsh import Scope, evaluated
from tests.packs import TWO_WELLS, broken

SAMPLES = TWO_WELLS.parent
HERE = {
    "LocationName": "here",
    "OldLocationName": "there",
    "newPieceName": "It (so) 2",
    "Selected": "false",
    "OldMap": "Set-up",
}


@pytest.fixture(scope="module", params=shipped())
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


def told_by(
    game: Game, piece: str, stroke: str, now: dict[str, str], main: bool = True, stack: int = 1, below: int = 0
) -> list[str]:
    """What the chat says as a piece hears a keystroke: its reports, and what the window makes of them.

    It is one of so many that are selected in a stack, so many of them below it.
    """

    def counted(condition: str) -> int:
        if "ObscuredToOthers" in condition:
            return int(words["newPieceName"].startswith("concealed"))
        return below if "StackPos<" in condition else stack

    traits = pieces.expanded(pieces.piece(game, piece, "1").traits, shared.prototypes(game))
    words = HERE | {"Selected": str(stack > 1).lower(), "NamesOfPlaces": names_of_places(game)} | now
    functions = {"CountStack": counted, "SumStack": lambda *_: 0}
    lines = []
    for fields in (split(one.type, ";") for one in traits if one.type.startswith("report;")):
        if stroke in split(fields[1], ","):
            message = (
                fields[2]
                .replace("$menuCommand$", words.get("menuCommand", ""))
                .replace("$newPieceName$", words["newPieceName"])
            )
            message = evaluated(message[1:-1], Scope(words, functions)) if message.startswith("{") else message
            window = formats(game, main)["changeFormat"]
            gone = stroke == keys.DELETE
            lines.append(
                message
                if gone
                else evaluated(window[1:-1], Scope(words | {"message": message}, functions))
                if message
                else ""
            )
    return [line for line in lines if line]


@pytest.mark.parametrize(
    "one, several",
    [
        ("is dispersed", "are dispersed"),
        ("rallies", "rally"),
        ("loses its second step", "lose their second step"),
        ("has ammunition again", "have ammunition again"),
        ("goes by rail", "go by rail"),
        ("passes", "pass"),
        ("lands", "land"),
        ("flips to its back", "flip to their backs"),
    ],
)
def test_several_do_what_one_does(one: str, several: str) -> None:
    assert plural(one) == several


def test_a_flip_names_what_changes_and_only_that(game: Game) -> None:
    for unit in game.units.values():
        told = [told_by(game, unit.id, keys.FLIP, {"Face_Level": level}) for level in ("2", "1")]
        state = game.states.get(face_state(game, unit))
        below, above = f"flips to {lower(state.name) if state else 'its back'}", "flips back to its front"
        if state is not None and state.says is not None:
            below, above = state.says.begins, state.says.ends
        less, again = [], []
        for key, factor in game.factors.items():
            front, back = unit.factors.get(key), (unit.back or {}).get(key, unit.factors.get(key))
            if front != back:
                assert front is not None and back is not None
                less.append(f"{lower(factor.name)} {back} instead of {front}" if back else f"no {lower(factor.name)}")
                again.append(f"{lower(factor.name)} {front}" + ("" if "again" in above else " again"))
        ends = [f": {', '.join(listed)}" if listed else "" for listed in (less, again)]
        assert told == [[f"here: It 2 {below}{ends[0]}"], [f"here: It 2 {above}{ends[1]}"]], unit.id


def test_yom_kippur_tells_the_factors_of_a_reduced_brigade() -> None:
    game = load("yom_kippur")
    unit = game.units["arm_21_1"]
    assert (unit.factors["attack"], unit.factors["defense"]) == (10, 8)
    (line,) = told_by(game, unit.id, keys.FLIP, {"Face_Level": "2"})
    assert line == "here: It 2 is reduced: attack strength 5 instead of 10, defense strength 4 instead of 8"
    (line,) = told_by(game, unit.id, keys.FLIP, {"Face_Level": "1"})
    assert line == "here: It 2 is at full strength again: attack strength 10, defense strength 8"


def test_a_stack_says_it_once_and_names_no_factors(game: Game) -> None:
    unit = next((key for key, held in game.units.items() if held.back is not None), next(iter(game.units)))
    (line,) = told_by(game, unit, keys.FLIP, {"Face_Level": "2"}, stack=3)
    assert line.startswith("here: 3 pieces ") and line.endswith(", It 2 on top") and "instead" not in line
    assert not told_by(game, unit, keys.FLIP, {"Face_Level": "2"}, stack=3, below=1)


def test_a_concealed_piece_gives_nothing_away(game: Game) -> None:
    if not game.card.fog:
        return
    now = {"newPieceName": "concealed Arab piece", "Face_Level": "2"}
    for unit in game.units:
        assert told_by(game, unit, keys.FLIP, now) == ["here: concealed Arab piece is changed"]
        for number, state in enumerate(loose_states(game)):
            told = told_by(
                game,
                unit,
                keys.state_key(number),
                now | {f"{state}_Active": "true", "menuCommand": game.states[state].name},
            )
            assert told == ["here: concealed Arab piece is changed"]
    for marker, held in game.markers.items():
        assert not told_by(game, marker, keys.ARRIVED, now | {"OldMap": ""})
        assert told_by(game, marker, keys.FLIP, now) == ["here: concealed Arab piece is changed"]
        for name in box_names(game).values():
            assert not told_by(game, marker, keys.BOXED, now | {"LocationName": name}, main=False)
        if held.says is not None and held.says.gone:
            assert told_by(game, marker, keys.DELETE, now | {"OldMap": "Main Map"}) == [
                "concealed Arab piece is taken out of the game"
            ]


def test_every_state_is_told_as_it_is_put_on_and_taken_off(game: Game) -> None:
    unit = next(iter(game.units))
    for number, state in enumerate(loose_states(game)):
        held = game.states[state]
        assert held.says is not None, "every shipped game has words of its own"
        for active, words in (("true", held.says.begins), ("false", held.says.ends)):
            told = told_by(game, unit, keys.state_key(number), {f"{state}_Active": active, "menuCommand": held.name})
            assert told == [f"here: It 2 {words}"]
            told = told_by(
                game, unit, keys.state_key(number), {f"{state}_Active": active, "menuCommand": held.name}, stack=2
            )
            assert told == [f"here: 2 pieces {plural(words)}, It 2 on top"]


def test_a_loss_and_a_return_name_both_places(game: Game) -> None:
    unit = next(iter(game.units))
    assert told_by(game, unit, keys.ELIMINATE, {"CurrentMap": "Tracks"}, main=False) == [
        "It 2 is lost in there, to here"
    ]
    assert told_by(game, unit, keys.BACK, {"CurrentMap": "Main Map"}) == ["It 2 is back in here, from there"]
    assert told_by(game, unit, keys.DELETE, {"newPieceName": "It"}) == ["It is taken out of the game"]


def test_a_piece_that_comes_before_its_turn_is_told() -> None:
    game = load("yom_kippur")
    unit, coming = (
        next(iter(game.units)),
        {"Enters": "Turn 5, in Entry Area A", "OldMap": "Reinforcements", "StackPos": "2"},
    )
    assert told_by(game, unit, keys.ARRIVED, coming | {"TurnNumber": "4"}) == [
        "here: It 2 is early: Turn 5, in Entry Area A"
    ]
    assert not told_by(game, unit, keys.ARRIVED, coming | {"TurnNumber": "5"})
    assert not told_by(game, unit, keys.ARRIVED, coming | {"TurnNumber": "4", "OldMap": "Main Map"})


# --- markers ----------------------------------------------------------------------------------------------------------


def test_markers_speak_in_the_words_of_their_pack(game: Game) -> None:
    for key, marker in game.markers.items():
        if (said := marker.says) is None:
            continue
        name = {"newPieceName": marker.name}
        came, stayed = name | {"OldMap": ""}, name | {"OldMap": "Main Map"}
        assert told_by(game, key, keys.ARRIVED, came) == ([said.put.replace("{place}", "here")] if said.put else [])
        assert not told_by(game, key, keys.ARRIVED, stayed), "a move on the map is the engine's to tell"
        for level, words in (("2", said.back), ("1", said.front)):
            told = told_by(game, key, keys.FLIP, name | {"Face_Level": level})
            plain = "flips to its back" if level == "2" else "flips back to its front"
            assert told == [words.replace("{place}", "here") or f"here: {marker.name} {plain}"]
        gone = said.gone.replace("{place}", "there") or f"{marker.name} is taken out of the game"
        assert told_by(game, key, keys.DELETE, stayed) == [gone]
        assert told_by(game, key, keys.DELETE, came) == [f"{marker.name} is taken out of the game"], "beside the map"
        for box, words in said.boxes.items():
            place = {"LocationName": box_names(game)[box]}
            assert told_by(game, key, keys.BOXED, name | place, main=False) == [words]
            assert not told_by(
                game, key, keys.BOXED, name | place | {"OldLocationName": place["LocationName"]}, main=False
            )


def moved(game: Game, attribute: str, pieces_: str, place: str, main: bool = True, window: str = "Set-up") -> str:
    words = {"pieceName": pieces_, "location": place, "previousLocation": "there", "previousMap": window}
    told = evaluated(formats(game, main)[attribute][1:-1], Scope(words))
    assert isinstance(told, str)
    return told


def test_a_deed_is_told_once(game: Game) -> None:
    """Where a marker speaks for itself, the engine's own line leaves it out; a unit in the same stack is still named."""
    for key, marker in game.markers.items():
        own = bool(told_by(game, key, keys.ARRIVED, {"newPieceName": marker.name, "OldMap": ""}))
        for attribute, end in (("moveToFormat", ": to 4.10, from there"), ("createFormat", ": new in 4.10")):
            assert moved(game, attribute, marker.name, "4.10") == ("" if own else f"{marker.name}{end}")
            names = f"Tank, {marker.name}"
            assert moved(game, attribute, names, "4.10") == ("Tank" if own else names) + end
        assert moved(game, "moveWithinFormat", marker.name, "4.10") == f"{marker.name}: from there to 4.10"
        for box, name in box_names(game).items():
            spoken = marker.says is not None and box in marker.says.boxes
            for attribute, end in (
                ("moveToFormat", f": to {name}, from there"),
                ("moveWithinFormat", f": from there to {name}"),
            ):
                alike = [
                    one
                    for one in game.markers.values()
                    if one.name == marker.name and one.says and box in one.says.boxes
                ]
                if spoken or not alike:
                    assert moved(game, attribute, marker.name, name, main=False) == (
                        "" if spoken else f"{marker.name}{end}"
                    )


def test_a_marker_that_comes_back_says_so_once() -> None:
    game = load("october_war")
    back = {"newPieceName": "Barrage", "CurrentMap": "Main Map"}
    assert not told_by(game, "barrage_egypt", keys.BACK, back)
    assert told_by(game, "barrage_egypt", keys.ARRIVED, back) == ["Egyptian artillery bombards here"]
    assert (
        moved(game, "moveToFormat", "Ceasefire", "Suez", window="Arab hand") == "Ceasefire: to Suez, from the Arab hand"
    )


def test_a_hand_keeps_its_secrets() -> None:
    told = silent("Arab hand")
    assert not told["changeFormat"] and not told["moveWithinFormat"] and not told["createFormat"]
    assert "$pieceName$" not in told["moveToFormat"]


def test_places_with_names_are_called_by_them() -> None:
    game = load("six_day_war")
    put = {"newPieceName": "Israeli control", "OldMap": ""}
    assert told_by(game, "control_israeli", keys.ARRIVED, put | {"LocationName": "5327"}) == [
        "Gaza (5327) is taken by Israel"
    ]
    assert told_by(game, "control_israeli", keys.ARRIVED, put | {"LocationName": "0000"}) == ["0000 is taken by Israel"]


def test_markers_without_words_have_those_of_their_kind() -> None:
    game = load("yom_kippur")
    name = {"newPieceName": "DG", "OldMap": "Main Map"}
    assert told_by(game, "disorganized", keys.ARRIVED, name | {"OldMap": ""}) == ["A unit in here is disorganized"]
    assert told_by(game, "disorganized", keys.DELETE, name) == ["A unit in there is organized again"]
    assert not told_by(game, "game_turn", keys.ARRIVED, name | {"OldMap": ""})
    assert told_by(game, "game_turn", keys.CLONE, {"newPieceName": "Game Turn"}) == ["here: another Game Turn"]


def test_the_samples_speak_too() -> None:
    ridge, island = load(SAMPLES / "ridge"), load(SAMPLES / "island")
    assert told_by(ridge, "smoke", keys.ARRIVED, {"newPieceName": "Smoke", "OldMap": ""}) == ["Smoke is laid in here"]
    assert told_by(island, "flag_mainland", keys.DELETE, {"OldMap": "Main Map"}) == [
        "there is no longer in Mainland hands"
    ]


# --- what is wrong ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "says, column, told",
    [
        ('{put: "Dust rises in {hex}"}', 7, "{hex} stands for nothing; write {place} for where the marker lies"),
        ('{gone: "It is over in {place"}', 8, "{ stands for nothing"),
        ("{boxes: {nowhere: It is there}}", 10, "there is no box 'nowhere'"),
        ("{puts: Dust rises}", 2, "puts"),
    ],
)
def test_wrong_words_of_a_marker_are_findings(tmp_path: Path, says: str, column: int, told: str) -> None:
    old = "dry: {name: Out of water, kind: state, state: dry, count: 4}"
    new = old[:-1] + f", says: {says}" + "}"
    pack, line, start = broken(tmp_path, "counters.yaml", old, new)
    with pytest.raises(PackError) as error:
        load(pack)
    at = start + new.index("says: ") + len("says: ") + column - 1
    found = str(error.value)
    assert told in found and f"counters.yaml:{line}:{at}: " in found, found


def test_a_state_says_both_or_nothing(tmp_path: Path) -> None:
    old = "says: {begins: digs in, ends: leaves its trench}"
    pack, line, _ = broken(tmp_path, "game.yaml", old, "says: {begins: digs in}")
    with pytest.raises(PackError, match=rf"game.yaml:{line}:\d+: .*ends"):
        load(pack)

"""What the chat says of what players do to pieces: the reports of pieces and what windows make of them, without the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from modgen.vmod.files import keys
from modgen.vmod.pieces import pieces
from modgen.vmod.pieces.faces import loose_states, lower
from modgen.vmod.text.chat import formats, names_of_places, plural, silent
from scenarios import PackError, load, shipped_games
from scenarios.model.game import Game
from scenarios.unit_view import face_state
from scenarios.vassal.sequence import split
from scenarios.vassal.windows import box_names
from tests import shared
from tests.bsh import Scope, evaluate_text
from tests.packs import TWO_WELLS, break_pack

SAMPLES = TWO_WELLS.parent
PROPERTIES = {
    "LocationName": "here",
    "OldLocationName": "there",
    "newPieceName": "It (so) 2",
    "Selected": "false",
    "OldMap": "Set-up",
}


@pytest.fixture(scope="module", params=shipped_games())
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


def told_by(
    game: Game,
    piece: str,
    stroke: str,
    properties: dict[str, str],
    main: bool = True,
    stack: int = 1,
    count_below: int = 0,
) -> list[str]:
    """What the chat says as a piece hears a keystroke: its reports, and what the window makes of them.

    It is one of so many that are selected in a stack, so many of them below it.
    """

    def count_pieces(condition: str) -> int:
        if "ObscuredToOthers" in condition:
            return int(words["newPieceName"].startswith("concealed"))
        return count_below if "StackPos<" in condition else stack

    traits = pieces.expand_prototypes(pieces.piece_entry(game, piece, "1").traits, shared.prototypes(game))
    words = PROPERTIES | {"Selected": str(stack > 1).lower(), "NamesOfPlaces": names_of_places(game)} | properties
    functions = {"CountStack": count_pieces, "SumStack": lambda *_: 0}
    lines = []
    for fields in (split(trait.type, ";") for trait in traits if trait.type.startswith("report;")):
        if stroke in split(fields[1], ","):
            message = (
                fields[2]
                .replace("$menuCommand$", words.get("menuCommand", ""))
                .replace("$newPieceName$", words["newPieceName"])
            )
            message = evaluate_text(message[1:-1], Scope(words, functions)) if message.startswith("{") else message
            window = formats(game, main)["changeFormat"]
            is_deleted = stroke == keys.DELETE
            lines.append(
                message
                if is_deleted
                else evaluate_text(window[1:-1], Scope(words | {"message": message}, functions))
                if message
                else ""
            )
    return [line for line in lines if line]


@pytest.mark.parametrize(
    "singular, plural_text",
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
def test_several_do_what_one_does(singular: str, plural_text: str) -> None:
    assert plural(singular) == plural_text


def test_a_flip_names_what_changes_and_only_that(game: Game) -> None:
    for unit in game.units.values():
        reports = [told_by(game, unit.id, keys.FLIP, {"Face_Level": level}) for level in ("2", "1")]
        state = game.states.get(face_state(game, unit))
        back_text, front_text = f"flips to {lower(state.name) if state else 'its back'}", "flips back to its front"
        if state is not None and state.says is not None:
            back_text, front_text = state.says.begins, state.says.ends
        losses, gains = [], []
        for key, factor in game.factors.items():
            front, back_factor = unit.factors.get(key), (unit.back or {}).get(key, unit.factors.get(key))
            if front != back_factor:
                assert front is not None and back_factor is not None
                losses.append(
                    f"{lower(factor.name)} {back_factor} instead of {front}"
                    if back_factor
                    else f"no {lower(factor.name)}"
                )
                gains.append(f"{lower(factor.name)} {front}" + ("" if "again" in front_text else " again"))
        ends = [f": {', '.join(changes)}" if changes else "" for changes in (losses, gains)]
        assert reports == [[f"here: It 2 {back_text}{ends[0]}"], [f"here: It 2 {front_text}{ends[1]}"]], unit.id


def test_yom_kippur_tells_the_factors_of_a_reduced_brigade() -> None:
    game = load("yom_kippur")
    unit = game.units["arm_21_1"]
    assert (unit.factors["attack"], unit.factors["defense"]) == (10, 8)
    (line,) = told_by(game, unit.id, keys.FLIP, {"Face_Level": "2"})
    assert line == "here: It 2 is reduced: attack strength 5 instead of 10, defense strength 4 instead of 8"
    (line,) = told_by(game, unit.id, keys.FLIP, {"Face_Level": "1"})
    assert line == "here: It 2 is at full strength again: attack strength 10, defense strength 8"


def test_a_stack_says_it_once_and_names_no_factors(game: Game) -> None:
    unit = next((key for key, counter in game.units.items() if counter.back is not None), next(iter(game.units)))
    (line,) = told_by(game, unit, keys.FLIP, {"Face_Level": "2"}, stack=3)
    assert line.startswith("here: 3 pieces ") and line.endswith(", It 2 on top") and "instead" not in line
    assert not told_by(game, unit, keys.FLIP, {"Face_Level": "2"}, stack=3, count_below=1)


def test_a_concealed_piece_gives_nothing_away(game: Game) -> None:
    if not game.card.fog:
        return
    properties = {"newPieceName": "concealed Arab piece", "Face_Level": "2"}
    for unit in game.units:
        assert told_by(game, unit, keys.FLIP, properties) == ["here: concealed Arab piece is changed"]
        for number, state in enumerate(loose_states(game)):
            reports = told_by(
                game,
                unit,
                keys.state_key(number),
                properties | {f"{state}_Active": "true", "menuCommand": game.states[state].name},
            )
            assert reports == ["here: concealed Arab piece is changed"]
    for marker, definition in game.markers.items():
        assert not told_by(game, marker, keys.ARRIVAL, properties | {"OldMap": ""})
        assert told_by(game, marker, keys.FLIP, properties) == ["here: concealed Arab piece is changed"]
        for name in box_names(game).values():
            assert not told_by(game, marker, keys.BOX_ARRIVAL, properties | {"LocationName": name}, main=False)
        if definition.says is not None and definition.says.gone:
            assert told_by(game, marker, keys.DELETE, properties | {"OldMap": "Main Map"}) == [
                "concealed Arab piece is removed from the game"
            ]


def test_every_state_is_told_as_it_is_put_on_and_taken_off(game: Game) -> None:
    unit = next(iter(game.units))
    for number, state in enumerate(loose_states(game)):
        definition = game.states[state]
        assert definition.says is not None, "every shipped game has words of its own"
        for active, words in (("true", definition.says.begins), ("false", definition.says.ends)):
            reports = told_by(
                game, unit, keys.state_key(number), {f"{state}_Active": active, "menuCommand": definition.name}
            )
            assert reports == [f"here: It 2 {words}"]
            reports = told_by(
                game, unit, keys.state_key(number), {f"{state}_Active": active, "menuCommand": definition.name}, stack=2
            )
            assert reports == [f"here: 2 pieces {plural(words)}, It 2 on top"]


def test_a_loss_and_a_return_name_both_places(game: Game) -> None:
    unit = next(iter(game.units))
    assert told_by(game, unit, keys.ELIMINATE, {"CurrentMap": "Tracks"}, main=False) == [
        "It 2 is eliminated in there, to here"
    ]
    assert told_by(game, unit, keys.RETURN_TO_PLAY, {"CurrentMap": "Main Map"}) == [
        "It 2 returns to play in here, from there"
    ]
    assert told_by(game, unit, keys.DELETE, {"newPieceName": "It"}) == ["It is removed from the game"]


def test_a_piece_that_comes_before_its_turn_is_told() -> None:
    game = load("yom_kippur")
    unit, coming = (
        next(iter(game.units)),
        {"Enters": "Turn 5, in Entry Area A", "OldMap": "Reinforcements", "StackPos": "2"},
    )
    assert told_by(game, unit, keys.ARRIVAL, coming | {"TurnNumber": "4"}) == [
        "here: It 2 is early: Turn 5, in Entry Area A"
    ]
    assert not told_by(game, unit, keys.ARRIVAL, coming | {"TurnNumber": "5"})
    assert not told_by(game, unit, keys.ARRIVAL, coming | {"TurnNumber": "4", "OldMap": "Main Map"})


# --- markers ----------------------------------------------------------------------------------------------------------


def test_markers_speak_in_the_words_of_their_pack(game: Game) -> None:
    for key, marker in game.markers.items():
        if (marker_words := marker.says) is None:
            continue
        name = {"newPieceName": marker.name}
        came, move_properties = name | {"OldMap": ""}, name | {"OldMap": "Main Map"}
        assert told_by(game, key, keys.ARRIVAL, came) == (
            [marker_words.put.replace("{place}", "here")] if marker_words.put else []
        )
        assert not told_by(game, key, keys.ARRIVAL, move_properties), "a move on the map is the engine's to tell"
        for level, words in (("2", marker_words.back), ("1", marker_words.front)):
            reports = told_by(game, key, keys.FLIP, name | {"Face_Level": level})
            default_text = "flips to its back" if level == "2" else "flips back to its front"
            assert reports == [words.replace("{place}", "here") or f"here: {marker.name} {default_text}"]
        removal_text = marker_words.gone.replace("{place}", "there") or f"{marker.name} is removed from the game"
        assert told_by(game, key, keys.DELETE, move_properties) == [removal_text]
        assert told_by(game, key, keys.DELETE, came) == [f"{marker.name} is removed from the game"], "beside the map"
        for box, words in marker_words.boxes.items():
            place = {"LocationName": box_names(game)[box]}
            assert told_by(game, key, keys.BOX_ARRIVAL, name | place, main=False) == [words]
            assert not told_by(
                game, key, keys.BOX_ARRIVAL, name | place | {"OldLocationName": place["LocationName"]}, main=False
            )


def move_message(
    game: Game, attribute: str, pieces_: str, place: str, main: bool = True, window: str = "Set-up"
) -> str:
    words = {"pieceName": pieces_, "location": place, "previousLocation": "there", "previousMap": window}
    text = evaluate_text(formats(game, main)[attribute][1:-1], Scope(words))
    assert isinstance(text, str)
    return text


def test_a_deed_is_told_once(game: Game) -> None:
    """Where a marker speaks for itself, the engine's own line leaves it out; a unit in the same stack is still named."""
    for key, marker in game.markers.items():
        has_report = bool(told_by(game, key, keys.ARRIVAL, {"newPieceName": marker.name, "OldMap": ""}))
        for attribute, end in (("moveToFormat", ": to 4.10, from there"), ("createFormat", ": new in 4.10")):
            assert move_message(game, attribute, marker.name, "4.10") == ("" if has_report else f"{marker.name}{end}")
            names = f"Tank, {marker.name}"
            assert move_message(game, attribute, names, "4.10") == ("Tank" if has_report else names) + end
        assert move_message(game, "moveWithinFormat", marker.name, "4.10") == f"{marker.name}: from there to 4.10"
        for box, name in box_names(game).items():
            has_words = marker.says is not None and box in marker.says.boxes
            for attribute, end in (
                ("moveToFormat", f": to {name}, from there"),
                ("moveWithinFormat", f": from there to {name}"),
            ):
                same_name_markers = [
                    other_marker
                    for other_marker in game.markers.values()
                    if other_marker.name == marker.name and other_marker.says and box in other_marker.says.boxes
                ]
                if has_words or not same_name_markers:
                    assert move_message(game, attribute, marker.name, name, main=False) == (
                        "" if has_words else f"{marker.name}{end}"
                    )


def test_a_marker_that_comes_back_says_so_once() -> None:
    game = load("october_war")
    properties = {"newPieceName": "Barrage", "CurrentMap": "Main Map"}
    assert not told_by(game, "barrage_egypt", keys.RETURN_TO_PLAY, properties)
    assert told_by(game, "barrage_egypt", keys.ARRIVAL, properties) == ["Egyptian artillery bombards here"]
    assert (
        move_message(game, "moveToFormat", "Ceasefire", "Suez", window="Arab hand")
        == "Ceasefire: to Suez, from the Arab hand"
    )


def test_a_hand_keeps_its_secrets() -> None:
    hand_formats = silent("Arab hand")
    assert (
        not hand_formats["changeFormat"] and not hand_formats["moveWithinFormat"] and not hand_formats["createFormat"]
    )
    assert "$pieceName$" not in hand_formats["moveToFormat"]


def test_places_with_names_are_called_by_them() -> None:
    game = load("six_day_war")
    put = {"newPieceName": "Israeli control", "OldMap": ""}
    assert told_by(game, "control_israeli", keys.ARRIVAL, put | {"LocationName": "5327"}) == [
        "Gaza (5327) is captured by Israel"
    ]
    assert told_by(game, "control_israeli", keys.ARRIVAL, put | {"LocationName": "0000"}) == [
        "0000 is captured by Israel"
    ]


def test_markers_without_words_have_those_of_their_kind() -> None:
    game = load("yom_kippur")
    name = {"newPieceName": "DG", "OldMap": "Main Map"}
    assert told_by(game, "disorganized", keys.ARRIVAL, name | {"OldMap": ""}) == ["A unit in here is disorganized"]
    assert told_by(game, "disorganized", keys.DELETE, name) == ["A unit in there is organized again"]
    assert not told_by(game, "game_turn", keys.ARRIVAL, name | {"OldMap": ""})
    assert told_by(game, "game_turn", keys.CLONE, {"newPieceName": "Game Turn"}) == ["here: another Game Turn"]


def test_the_samples_speak_too() -> None:
    ridge, island = load(SAMPLES / "ridge"), load(SAMPLES / "island")
    assert told_by(ridge, "smoke", keys.ARRIVAL, {"newPieceName": "Smoke", "OldMap": ""}) == ["Smoke is laid in here"]
    assert told_by(island, "flag_mainland", keys.DELETE, {"OldMap": "Main Map"}) == [
        "there is no longer in Mainland hands"
    ]


# --- what is wrong ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "says, column, message",
    [
        ('{put: "Dust rises in {hex}"}', 7, "{hex} stands for nothing; write {place} for where the marker lies"),
        ('{gone: "It is over in {place"}', 8, "{ stands for nothing"),
        ("{boxes: {nowhere: It is there}}", 10, "there is no box 'nowhere'"),
        ("{puts: Dust rises}", 2, "puts"),
    ],
)
def test_wrong_words_of_a_marker_are_findings(tmp_path: Path, says: str, column: int, message: str) -> None:
    old = "dry: {name: Out of water, kind: state, state: dry, count: 4}"
    new = old[:-1] + f", says: {says}" + "}"
    pack, line, start = break_pack(tmp_path, "counters.yaml", old, new)
    with pytest.raises(PackError) as error:
        load(pack)
    expected_column = start + new.index("says: ") + len("says: ") + column - 1
    error_text = str(error.value)
    assert message in error_text and f"counters.yaml:{line}:{expected_column}: " in error_text, error_text


def test_a_state_says_both_or_nothing(tmp_path: Path) -> None:
    old = "says: {begins: digs in, ends: leaves its trench}"
    pack, line, _ = break_pack(tmp_path, "game.yaml", old, "says: {begins: digs in}")
    with pytest.raises(PackError, match=rf"game.yaml:{line}:\d+: .*ends"):
        load(pack)

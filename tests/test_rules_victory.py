"""Lines of victory in a pack of one's own: every event, what narrows it, and what has to be told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.questions.answer import BadQuestion
from assistant.questions.registry import ask as question
from assistant.questions.rendering import answer_json
from scenarios import PackError, load
from scenarios.model.game import Game
from tests.packs import break_pack

TURNS = "turns: {last: 6}"


def pack_with(folder: Path, line: str, inputs: str = "", turns: str = "") -> Game:
    """The sample two_wells with one victory line more, the first; and with inputs and turns of its own."""
    pack, _, _ = break_pack(
        folder, "map.yaml", "    victory:\n", f"    victory:\n      - {{side: red, text: It counts., {line}}}\n"
    )
    for file, old, new in (
        ("rules.yaml", "rules:\n", f"rules:\n  inputs: {inputs}\n"),
        ("map.yaml", TURNS, f"turns: {turns}"),
    ):
        if inputs if file == "rules.yaml" else turns:
            text = (pack / file).read_text(encoding="utf-8")
            assert text.count(old) == 1
            (pack / file).write_text(text.replace(old, new), encoding="utf-8")
    return load(pack)


def score(game: Game, **inputs: str) -> dict[str, Any]:
    return answer_json(question(game, "score", inputs))


def count(game: Game, **inputs: str) -> int | None:
    """How often the first line counts; None where that is open."""
    total: int | None = score(game, **inputs)["scores"][0]["count"]
    return total


def test_places_without_a_unit(tmp_path: Path) -> None:
    """Of two wells one has a Blue unit in it, so Blue is absent from the other."""
    wells = "at: {any: [{place: west_well}, {place: east_well}]}"
    game = pack_with(tmp_path, f"points: 1, per: hex, event: vacant, who: {{side: blue}}, {wells}")
    assert count(game, put="camels/23@0401,camels/24@0402,gun@0403") == 2
    assert count(game, put="camels/23@0302,camels/24@0402,gun@0403") == 1
    assert count(game, put="camels/23@0302,camels/24@0202,gun@0403") == 0


def test_a_place_that_was_entered_at_some_time(tmp_path: Path) -> None:
    game = pack_with(
        tmp_path, "points: 5, per: once, event: entered, who: {side: red, units: [cars]}, at: {place: east_well}"
    )
    assert count(game, put="cars/14@0302") == 1
    assert count(game, put="infantry_red/11@0302") is None  # no cars
    result = score(game)
    assert [line["input"] for line in result["missing_inputs"]] == ["1"] and result["totals"]["red"] == 0
    assert score(game, counts="1:1")["totals"]["red"] == 5


def test_units_that_left_the_map(tmp_path: Path) -> None:
    """Over the right edge, and in the right turns; a unit of which no turn is told leaves the line open."""
    line = "points: 2, per: unit, event: exited, who: {side: red}, at: {edge: east}, turns: 1-3"
    game = pack_with(tmp_path, line)
    assert count(game) == 0
    assert count(game, put="cars/14@box:exited:east@3,cars/15@box:exited:east@4") == 1
    assert count(game, put="cars/14@box:exited:north@2,camels/23@box:exited:east@2") == 0
    assert count(game, put="cars/14@box:exited:east") is None
    assert count(game, put="cars/14@box:exited:east", counts="1:1") == 1
    with pytest.raises(BadQuestion, match="up"):
        score(game, put="cars/14@box:exited:up")


def test_units_that_survive_and_counters_that_came_back(tmp_path: Path) -> None:
    game = pack_with(tmp_path, "points: 1, per: unit, event: survived, who: {side: red}")
    assert count(game) == 5  # on the map or still to come
    assert count(game, put="cars/14@box:lost") == 4
    assert count(game, put="cars/14@box:eliminated") == 4
    points = score(game)["totals"]["blue"]
    assert score(game, lost="2*cars")["totals"]["blue"] == points + 2


def test_units_of_a_group_that_a_position_leaves_open(tmp_path: Path) -> None:
    """Only group B has cars; a piece that is put is of that group."""
    game = pack_with(
        tmp_path, "points: 1, per: unit, event: remaining, who: {side: red, groups: [B]}, at: {anywhere: true}"
    )
    assert count(game, put="cars/14@0202,infantry_red/11@0201") == 1


def test_where_a_marker_stands(tmp_path: Path) -> None:
    """In the hex of the marker, and next to it."""
    inside = pack_with(tmp_path / "a", "points: 1, per: hex, event: occupied, who: {side: red}, at: {marker: dug_in}")
    assert count(inside, put="cars/14@0202,dug_in@0202") == 1
    assert count(inside, put="cars/14@0202,dug_in@0203") == 0
    line = "points: 1, per: hex, event: occupied, who: {side: red}, at: {adjacent: {zone: west, marker: dug_in}}"
    adjacent_game = pack_with(tmp_path / "b", line)
    # Besides the cars the infantry in 0103, which stands there from the start, is next to it.
    assert count(adjacent_game, put="cars/14@0202,dug_in@0203") == 2
    assert count(adjacent_game, put="cars/14@0402,dug_in@0403") == 0  # not in the zone


def test_where_paths_meet(tmp_path: Path) -> None:
    """The track passes through 0201 and 0301, and ends in 0102 and 0401: no hex has three ends of it."""
    ends = pack_with(
        tmp_path / "a",
        "points: 1, per: hex, event: vacant, who: {side: blue, units: [gun]}, at: {path: track, sides: 1}",
    )
    assert count(ends, put="gun@0403") == 4
    through = pack_with(
        tmp_path / "b",
        "points: 1, per: hex, event: vacant, who: {side: blue, units: [gun]}, at: {path: track, sides: 2}",
    )
    assert count(through, put="gun@0403") == 2
    with pytest.raises(PackError, match="no place on this scenario's map"):
        pack_with(tmp_path / "c", "points: 1, per: hex, event: vacant, who: {side: blue}, at: {path: track, sides: 3}")


def test_places_for_which_an_expression_holds(tmp_path: Path) -> None:
    """Hills count where a unit of the side is west of the wadi, or has left the map."""
    line = "points: 1, per: hex, event: occupied, who: {side: red}, at: {anywhere: true}, where: to.hill and (present.west or exited > 0)"
    game = pack_with(tmp_path, line)
    empty = {"scenario": "none"}
    assert count(game, **empty, put="cars/14@0402,infantry_red/11@0301") == 0
    assert count(game, **empty, put="cars/14@0402,infantry_red/11@0202") == 1  # the well isn't on a hill
    assert count(game, **empty, put="cars/14@0402,infantry_red/11@box:exited:north") == 1
    assert count(game, **empty, put="cars/14@0402,infantry_blue/21@0202") == 0


def test_a_line_is_open_until_an_input_is_told(tmp_path: Path) -> None:
    inputs = "{raids: {title: Raids, kind: number, needed: true}}"
    game = pack_with(tmp_path / "a", "points: 1, per: turn, event: other, times: input.raids", inputs)
    assert [line["input"] for line in score(game)["missing_inputs"]] == ["raids"]
    assert count(game) is None and count(game, raids="0") == 0 and count(game, raids="3") == 3
    line = "points: 4, per: once, event: survived, who: {side: blue, units: [gun]}, needs: [{text: no raid, that: input.raids == 0}]"
    quiet = pack_with(tmp_path / "b", line, inputs)
    assert count(quiet) is None and count(quiet, raids="0") == 1
    score_line = score(quiet, raids="2")["scores"][0]
    assert (score_line["count"], score_line["note"]) == (0, "no raid")
    assert count(quiet, put="gun@box:lost") == 0  # whatever is told


def test_a_game_that_may_be_over_sooner(tmp_path: Path) -> None:
    game = pack_with(
        tmp_path,
        "points: 1, event: other, times: 0",
        "{longer: {title: It goes on}}",
        "{last: 6, early_end: {last: 4, text: nothing lost, when: turn <= 4 and not input.longer}}",
    )
    assert (score(game, turn="4")["last_turn"], score(game, turn="4")["over"]) == (4, True)
    assert (score(game, turn="4", longer="yes")["last_turn"], score(game, turn="4", longer="yes")["over"]) == (6, False)
    assert score(game, turn="5")["last_turn"] == 6


@pytest.mark.parametrize(
    ("line", "turns", "sentence"),
    [
        ("points: 1, event: occupied, at: {place: west_well}, turns: 1-3", "", "`turns` goes with `event: exited`"),
        ("points: 1, event: exited, turns: often", "", "'often' is no number or range"),
        ("points: 1, event: eliminated, where: to.hill", "", "'eliminated' is of no place"),
        ("points: 1, event: occupied, at: {place: west_well}, where: to.hil", "", "to.hil"),
        ("points: 1, event: occupied, at: {terrain: [hill], sides: 2}", "", "`sides` are crossed by a path"),
        ("points: 1, event: occupied, at: {marker: dugin}", "", "dug_in"),
        ("points: 1, event: other", "{last: 6, early_end: {last: 6, text: x, when: turn > 1}}", "give an earlier turn"),
        ("points: 1, event: other", "{last: 6, early_end: {last: 4, text: x, when: turnn > 1}}", "turnn"),
    ],
)
def test_mistakes_in_lines(tmp_path: Path, line: str, turns: str, sentence: str) -> None:
    with pytest.raises(PackError) as error:
        pack_with(tmp_path, line, turns=turns)
    assert sentence in str(error.value)


def test_a_marker_is_no_place_to_set_up(tmp_path: Path) -> None:
    pack, _, _ = break_pack(
        tmp_path, "map.yaml", 'states: [dug_in], at: "0301"}', "states: [dug_in], at: {marker: dug_in}}"
    )
    with pytest.raises(PackError, match="use it under `victory`"):
        load(pack)

"""Points for players where several play one side, and the dead of a box: what counts, and what a pack may not say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scenarios import PackError, load
from scenarios.model.game import Game
from tests.packs import copy
from tests.rule_keys import ask_words, lacking

LINES = """
      - {side: red, player: Anna, points: 4, per: unit, event: remaining, at: {place: west_well}, text: "Anna: 4 for a unit at the well."}
      - {side: red, player: Ben, points: 1, per: unit, event: eliminated, who: {side: blue}, at: {box: lost}, lost: 'type == "gun"',
         text: "Ben: 1 for each Blue unit that he eliminated."}
      - {side: blue, wins: true, event: occupied, at: {place: east_well}, text: Blue is at the eastern well.}
"""
RULES = """rules:
  victory: {levels: levels, players: {anna: Anna, ben: Ben}, nobody: {text: Nobody wins, rule: "9"}, missing: unknown}
tables:
  levels:
    title: Levels
    source: {mine: a test}
    row_title: Lead
    columns: {names: [level]}
    cells: {"0-2": draw, "3+": victory}
"""


def wells(folder: Path, rules: str = RULES, lines: str = LINES) -> Game:
    """Two Wells for two players of Red."""
    pack = copy(folder)
    (pack / "rules.yaml").write_text(rules, encoding="utf-8")
    text = (pack / "game.yaml").read_text(encoding="utf-8")
    (pack / "game.yaml").write_text(
        text.replace("  dice: 1d6\n", "  dice: 1d6\n  players: [Anna, Ben]\n", 1), encoding="utf-8"
    )
    text = (pack / "map.yaml").read_text(encoding="utf-8")
    before, rest = text.split("    victory:\n")
    (pack / "map.yaml").write_text(f"{before}    victory:{lines}{rest[rest.index('effects:') :]}", encoding="utf-8")
    return load(pack)


def scored(game: Game, *put: str) -> dict[str, Any]:
    """The score of some pieces."""
    answer: dict[str, Any] = ask_words(game, ["score", "scenario=none", *([f"put={','.join(put)}"] if put else [])])
    return answer


def test_each_player_counts_for_himself(tmp_path: Path) -> None:
    """4 for Anna's unit at the well, 1 for a camel in the box of the lost; 3 apart is a victory."""
    game = wells(tmp_path)
    answer = scored(game, "infantry_red/11@0202", "camels/23@box:lost")
    assert (answer["totals"], answer["level"], answer["ahead"]) == ({"anna": 4, "ben": 1}, "victory", "anna")
    assert answer["scores"][0]["text"] == "4 for a unit at the well."
    assert "anna" not in scored(lacking(game, "VictoryRules.players"), "infantry_red/11@0202")["totals"]


def test_nobody_wins_without_points_or_where_the_other_side_does(tmp_path: Path) -> None:
    """Nobody has more than 0; and Blue at its well beats both players, whatever they have."""
    game = wells(tmp_path)
    assert scored(game)["level"] == "Nobody wins"
    answer = scored(game, "infantry_red/11@0202", "camels/23@0302")
    assert (answer["level"], answer["totals"]["anna"], answer["won"][0]["side"]) == ("Nobody wins", 4, "blue")
    assert scored(lacking(game, "VictoryRules.nobody"))["level"] == "draw"


def test_a_pile_of_the_dead_that_is_no_box(tmp_path: Path) -> None:
    """`lost`: the gun in a pile counts for Ben, the camels in it don't."""
    game = wells(tmp_path)
    assert scored(game, "gun@dead:Blue", "camels/23@dead:Blue")["totals"]["ben"] == 1


@pytest.mark.parametrize(
    ("rules", "lines", "finding"),
    [
        (RULES.replace("ben: Ben", "ben: Bert"), LINES, "there is no player of the game 'Bert'"),
        (RULES.replace("players: {anna: Anna, ben: Ben}, ", ""), LINES, "`nobody` goes with `players`"),
        (
            RULES,
            LINES.replace("event: eliminated", "event: remaining"),
            "`lost` goes with `event: eliminated` and a box",
        ),
        (RULES, LINES.replace("""'type == "gun"'""", "to.well"), "to.well"),
    ],
)
def test_what_a_pack_may_not_say(tmp_path: Path, rules: str, lines: str, finding: str) -> None:
    with pytest.raises(PackError) as error:
        wells(tmp_path, rules, lines)
    assert finding in str(error.value)

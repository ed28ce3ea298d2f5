"""Six Day War: the ruling that a user's overlay reads the other way (13.12, 25.5)."""

from __future__ import annotations

from pathlib import Path

from scenarios import load
from scenarios.model.game import Game
from tests.net.adapter import ask

ATTACK = {
    "put": "is_7_armor@4622,is_60_armor@4622,eg_7_11@4621",
    "attackers": "is_7_armor,is_60_armor",
    "target": "4621",
    "turn": "1",
}


def test_shock_is_the_free_enhancement(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("overlay: six_day_war\nrulings: {shock_turn_shifts: one}\n", encoding="utf-8")
    book, own_game = (
        load("six_day_war", with_config_overlays=False),
        load("six_day_war", [path], with_config_overlays=False),
    )
    assert [key for key, ruling in book.rulings.items() if ruling.switch] == ["shock_turn_shifts"]

    def shifts(game: Game, **inputs: str) -> int:
        return int(ask(game, "odds", **ATTACK, **inputs)["tables"]["mobile"]["shift"])

    assert (shifts(book), shifts(own_game)) == (2, 1)
    assert (shifts(book, shock_and_enhanced="no"), shifts(own_game, shock_and_enhanced="yes")) == (1, 2)

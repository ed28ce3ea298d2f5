"""What the assistant of Six Day War takes for its heaviest questions, in CPU time. Prints; asserts nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.questions.answering import answer_question
from assistant.questions.registry import questions
from benchmarks.timing import took
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import neighbours
from scenarios.model.maps import HexMap

TARGET = "4621"


def figures() -> Iterator[str]:
    """Every figure with what was promised."""
    game = load("six_day_war", with_config_overlays=False)
    ring = _ring(game)
    odds_inputs = {"put": "is_7_armor@5026,is_60_armor@5026", "from": "5026", "at": "5025"}
    cases: list[tuple[str, str, Mapping[str, str], str]] = [
        ("odds of two brigades moved next to a fort", "odds", odds_inputs, "5"),
        ("the same on turn 2, with what if", "odds", {**odds_inputs, "turn": "2", "what_if": "yes"}, "5"),
        ("odds of all brigades of a front around a hex", "odds", ring, "5"),
        ("the same with what if, on both tables", "odds", {**ring, "what_if": "yes"}, "5"),
        (
            "twelve airstrikes with what if",
            "air",
            {"superiority": "12", "special_forces": "2", "barrages": "6", "what_if": "yes"},
            "5",
        ),
        ("a forced march", "move", {"unit": "is_200_armor", "forced": "yes"}, "20"),
        ("lines of communication", "supply", {}, "20"),
        ("points", "score", {}, "20"),
        ("arrivals", "arrivals", {}, "20"),
    ]
    for title, name, options, limit in cases:
        question = questions(game)[name]
        milliseconds = took(10, lambda: answer_question(question, game, options))  # noqa: B023
        yield f"Six Day War, {title}: {milliseconds:.1f} ms" + (f" (promised {limit})" if limit else "")


def _ring(game: Game) -> dict[str, str]:
    """All Israeli brigades that may fight in Sinai around two Egyptian ones and a garrison."""
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    sinai_units = {key: unit for key, unit in game.units.items() if unit.factors.get("front") in ("sinai", "either")}
    attackers = [key for key, unit in sinai_units.items() if unit.side == "israeli" and unit.class_ == "mobile"][:18]
    ring_hexes = [table.name(hex) for hex in neighbours(table.hex(TARGET))]
    put = [f"{unit}@{ring_hexes[number // 3]}" for number, unit in enumerate(attackers)]
    put += [f"{unit}@{TARGET}" for unit in ("eg_7_11", "eg_14_armor", "eg_garrison_el_arish")]
    return {"scenario": "none", "turn": "2", "put": ",".join(put), "attackers": ",".join(attackers), "at": TARGET}


if __name__ == "__main__":
    print("\n".join(figures()))

"""What published games ask of a rule language, clause by clause: a game or sample uses each, and a small question proves it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from scenarios import load
from tests.rule_keys import ask_words, part, small

ROOT = Path(__file__).parents[1]
CLAUSES: list[dict[str, str]] = yaml.safe_load(
    (ROOT / "tests" / "data" / "rule_clauses.yaml").read_text(encoding="utf-8")
)
PARTS = {
    "terrain", "movement", "pieces on hexsides", "stops", "zones", "stacking", "supply", "command", "sight", "results", "retreat",
    "advance", "attack rules", "state", "turn", "victory", "air and fire",
}  # fmt: skip
STATED_CLAUSES = [clause for clause in CLAUSES if "unsaid" not in clause]


@pytest.mark.parametrize(
    "clause", STATED_CLAUSES, ids=[f"{clause['part']}: {clause['says']}" for clause in STATED_CLAUSES]
)
def test_the_language_says_it(clause: dict[str, Any], tmp_path: Path) -> None:
    words = clause["asked"].split()
    if "rules" in clause:
        options = {key: clause[key] for key in ("features", "tables", "line") if key in clause}
        game = small(tmp_path, clause["rules"], **options)
    else:
        game = load(words.pop(1))
    result = ask_words(game, words)
    assert part(result, clause["at"]) == clause["answer"], result


def test_every_part_has_clauses_and_what_is_unsaid_is_listed() -> None:
    assert {clause["part"] for clause in CLAUSES} == PARTS
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    gap_text = " ".join(text[text.index("## Not yet said") :].split())
    assert [clause["unsaid"] for clause in CLAUSES if "unsaid" in clause and clause["unsaid"] not in gap_text] == []

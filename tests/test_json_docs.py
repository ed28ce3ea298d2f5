"""docs/json.md is what the questions say."""

from __future__ import annotations

from pathlib import Path

from assistant.questions.json_docs import page

ROOT = Path(__file__).parents[1]


def test_the_page_of_questions_is_up_to_date() -> None:
    page_text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    assert page_text == page(), "run: python -m assistant.questions.json_docs > docs/json.md"

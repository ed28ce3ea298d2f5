"""Every answer of the cookbook is put into a small game, which is checked, and its commands are run and compared."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from modgen.new import new_game
from tests.examples import assert_session, run

COOKBOOK = (Path(__file__).parent.parent / "docs" / "cookbook.md").read_text("utf-8")
ANSWERS = dict(re.findall(r"^### (\d+)\. (.*?)(?=^##|\Z)", COOKBOOK, re.MULTILINE | re.DOTALL))
BLOCK = re.compile(r"(?:^File `(?P<file>[^`]+)`:\n\n)?^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def merge_values(old: Any, new: Any) -> Any:
    """What stands in both, as the cookbook says: keys are added or replaced, items of a list go behind those that are there."""
    if isinstance(old, dict) and isinstance(new, dict):
        return old | {key: merge_values(old.get(key), value) for key, value in new.items()}
    return old + new if isinstance(old, list) and isinstance(new, list) else new


def put_in(game: Path, text: str) -> None:
    """Put a snippet into a pack, whose YAML then stands in one file."""
    pack_tree: Any = {}
    for path in sorted(game.glob("*.yaml")):
        pack_tree = merge_values(pack_tree, yaml.load(path.read_text("utf-8"), yaml.BaseLoader))
        path.unlink()
    pack_tree = merge_values(pack_tree, yaml.load(text, yaml.BaseLoader))
    (game / "game.yaml").write_text(yaml.safe_dump(pack_tree, sort_keys=False, allow_unicode=True), "utf-8")


@pytest.mark.parametrize("number", ANSWERS)
def test_an_answer(
    number: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    game = Path("my_game")
    new_game(game, "", datetime.date(2026, 11, 18), "two_wells")
    blocks = list(BLOCK.finditer(ANSWERS[number]))
    assert blocks
    for block in blocks:
        if block["file"]:
            Path(block["file"]).parent.mkdir(exist_ok=True)
            Path(block["file"]).write_text(block["text"], "utf-8")
        elif block["kind"] == "yaml":
            put_in(game, block["text"])
    assert run("modgen", ["check", "my_game"]).output == "my_game: fine\n"
    for block in blocks:
        if not block["file"] and not block["kind"]:
            assert_session(block["text"])


def test_there_are_thirty() -> None:
    assert list(ANSWERS) == [str(number) for number in range(1, 31)]

"""Overlays that add things: counters, markers, tables and scenarios that the pack doesn't have."""

from __future__ import annotations

import re
from pathlib import Path

import jsonschema
import pytest

from modgen.schemas import SCHEMAS
from scenarios import PackError, load
from scenarios.reading.yaml_tree import read_nodes
from tests.extensions import GUARDS
from tests.packs import TWO_WELLS


def write_overlay(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(f"overlay: two_wells\n{text}", encoding="utf-8")
    return path


def test_what_is_added_stands_beside_what_is_there_and_is_the_users_own() -> None:
    base_game, new_game = load(TWO_WELLS), load(TWO_WELLS, [GUARDS])
    assert [*new_game.units] == [*base_game.units, "guards", "lorries"] and [*new_game.markers] == [
        *base_game.markers,
        "cache",
    ]
    assert [*new_game.scenarios] == [*base_game.scenarios, "dusk"] and [*new_game.tables] == [
        *base_game.tables,
        "caches",
    ]
    assert all(new_game.units[key] == unit for key, unit in base_game.units.items())
    words = {
        datum.source.word
        for datum in new_game.data
        if datum.source is not None and datum.address[1] in ("guards", "caches", "dusk")
    }
    assert words == {"mine"}
    source = new_game.tables["caches"].source
    assert source is not None and source.word == "mine" and source.note == "coast_guards.yaml"


def test_a_source_of_its_own_stays(tmp_path: Path) -> None:
    game = load(
        TWO_WELLS, [write_overlay(tmp_path, "add: {markers: {flag: {name: Flag, count: 1, source: {rulebook: '7'}}}}")]
    )
    source = game.markers["flag"].source
    assert source is not None and source.word == "rulebook"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("add: {counters: {cars: {name: Cars}}}", 2, "there is a counters/cars already; choose another id, or change"),
        ("add: {turns: {count: 9}}", 2, "nothing can be added to 'turns'"),
        ("add: {countres: {x: {name: X}}}", 2, "did you mean counters"),
        ("add: [counters]", 2, "`add` is a mapping of sections"),
        ("add:\n  counters: [x]", 3, "counters to add are a mapping by id"),
        ("add:\n  counters:\n    x: {name: X, nation: green, class: foot, type: infantry, count: 1}", 4, "green"),
        ("ad: {}", 2, "an overlay has no section 'ad'; did you mean add"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = write_overlay(tmp_path, text)
    with pytest.raises(PackError) as error:
        load(TWO_WELLS, [path])
    messages = [str(finding) for finding in error.value.findings]
    assert any(finding.startswith(f"{path}:{line}:") and message in finding for finding in messages), messages


def test_the_schema_of_overlays_knows_what_can_be_added() -> None:
    node, _ = read_nodes(GUARDS)
    assert node is not None
    schema = SCHEMAS["overlay"]()
    jsonschema.Draft202012Validator.check_schema(schema)
    checker = jsonschema.Draft202012Validator(schema)
    good = {"overlay": "two_wells", "add": {"markers": {"cache": {"name": "Cache", "count": 2}}}}
    assert checker.is_valid(good)
    assert not checker.is_valid({**good, "add": {"markers": {"cache": {"nmae": "Cache"}}}})
    assert not checker.is_valid({**good, "add": {"turns": {"count": 3}}})


@pytest.mark.parametrize("page", ["modules.md", "packs.md"])
def test_the_overlays_in_the_documents_can_be_loaded(tmp_path: Path, page: str) -> None:
    text = (GUARDS.parents[1] / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(overlay: two_wells\n.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        path = tmp_path / "shown.yaml"
        path.write_text(block, encoding="utf-8")
        assert load(TWO_WELLS, [path]).overlays == (path,)

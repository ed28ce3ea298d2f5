"""Games as loaded: counters, ids, scenarios, positions, overlays, sources, schema."""

from __future__ import annotations

import dataclasses
import datetime
import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from modgen.cli import cli
from modgen.schemas import SCHEMAS
from scenarios import PackError, check, load, shipped_games
from scenarios.model.game import phases
from scenarios.model.hexes import Hex
from scenarios.model.position import Position, from_file, from_scenario, from_text
from scenarios.model.sources import WORDS
from scenarios.opening_positions import as_text
from scenarios.pack.overlays import config_folder
from scenarios.pack.pack_file import PackFile
from scenarios.pack.pack_folder import PACKS, samples
from scenarios.reading.reference import reference
from tests.asking import run_command
from tests.packs import TWO_WELLS, copy

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FIVE = ["arab_israeli_wars", "musketeer", "october_war", "six_day_war", "yom_kippur"]


def test_the_five_games() -> None:
    assert shipped_games() == FIVE
    for game_id in FIVE:
        assert check(game_id) == []
        game = load(game_id)
        assert game.id == game_id and game.title and game.card.publisher and game.card.year
        assert len(game.sides) == 2 and game.nations and game.terrain
        assert {nation.side for nation in game.nations.values()} == set(game.sides)
        for sequence in game.sequence.values():
            assert len(list(phases(sequence))) >= 4
        for nation in game.nations.values():
            assert contrast(nation.colors.fill, nation.colors.ink) >= 7


def contrast(a: str, b: str) -> float:
    def light(color: str) -> float:
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        lin = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * lin[0] + 0.7152 * lin[1] + 0.0722 * lin[2]

    dark, bright = sorted((light(a), light(b)))
    return (bright + 0.05) / (dark + 0.05)


def test_counters() -> None:
    game = load(TWO_WELLS)
    assert sum(unit.count for unit in game.units.values()) == 10
    red, blue = game.units["infantry_red"], game.units["infantry_blue"]
    assert (red.numbers, blue.numbers) == (("11", "12", "13"), ("21", "22"))
    assert (red.factors["defense"], blue.factors["defense"]) == (4, 5)
    assert red.back == {"attack": 2, "defense": 2, "movement": 3} and red.back_state == "reduced" and red.steps == 2
    assert game.units["gun"].abilities == {"fires_far"} and game.units["gun"].side == "blue"


def test_a_game_does_not_change() -> None:
    game = load(TWO_WELLS)
    with pytest.raises(dataclasses.FrozenInstanceError):
        game.folder = Path()  # type: ignore[misc]
    with pytest.raises(TypeError):
        game.units["x"] = game.units["gun"]  # type: ignore[index]
    with pytest.raises(TypeError):
        game.units["gun"].factors["attack"] = Fraction(9)  # type: ignore[index]


def test_ids_survive(tmp_path: Path) -> None:
    """What plain YAML would turn into 4.1, 65, 181 and False stays as it was written."""
    pack = copy(tmp_path)
    (pack / "ids.yaml").write_text(
        "source: {rulebook: x}\n"
        "counters:\n"
        + "".join(f"  {i}: {{name: {i}, nation: red}}\n" for i in ("4.10", "0101", "3:1", "NO"))
        + "tables:\n  odd:\n    title: NO\n    columns: {names: [3:1, 4.10, 0101, NO]}\n"
        "    cells: {NO: [NO, 4.10, 3:1, 0101]}\n",
        encoding="utf-8",
    )
    game = load(pack)
    assert {"4.10", "0101", "3:1", "NO"} < set(game.units)
    answer = json.loads(run_command(cli, "show", str(pack), "counters", "--json").stdout)
    assert {c["id"] for c in answer["counters"]} > {"4.10", "0101", "3:1", "NO"}
    assert {c["name"] for c in answer["counters"]} > {"4.10", "0101", "3:1", "NO"}
    tables = json.loads(run_command(cli, "show", str(pack), "tables", "--json").stdout)["tables"]
    odd = next(t for t in tables if t["id"] == "odd")
    assert odd["cells"] == {"NO": {"3:1": "NO", "4.10": "4.10", "0101": "3:1", "NO": "0101"}}


def test_a_scenario_like_another(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / "dusk.yaml").write_text(
        "source: {rulebook: x}\nscenarios:\n  dusk:\n    title: Dusk\n    like: noon\n    first: blue\n"
        "    forces: {red: {groups: [{id: C, units: {gun: 1}, at: '0101'}]}}\n    special: [It is dark.]\n",
        encoding="utf-8",
    )
    findings = check(pack)
    assert ["uses 2 of gun" in f.message for f in findings] == [True], "the guns of both are counted together"
    (pack / "dusk.yaml").write_text(
        (pack / "dusk.yaml").read_text(encoding="utf-8").replace("units: {gun: 1}", "markers: {dry: 1}"),
        encoding="utf-8",
    )
    game = load(pack)
    noon, dusk = game.scenarios["noon"], game.scenarios["dusk"]
    assert dusk.title == "Dusk" and dusk.first == "blue" and dusk.turns == noon.turns and dusk.victory == noon.victory
    assert [g.id for g in dusk.forces["red"].groups] == ["A", "B", "C"] and dusk.forces["blue"] == noon.forces["blue"]
    assert len(dusk.special) == len(noon.special) + 1
    (pack / "dusk.yaml").write_text("scenarios: {a: {title: A, like: b}, b: {title: B, like: a}}", encoding="utf-8")
    assert any("can't be like" in f.message for f in check(pack))


def test_positions(tmp_path: Path) -> None:
    game = load(TWO_WELLS)
    start = from_scenario(game, "noon")
    assert len(start.pieces) == 12
    hex_map: Any = game.maps["main"]
    assert {p.unit for p in start.pieces_at(hex_map.hex("0301"))} == {"infantry_blue", "dug_in"}
    assert {p.at for p in start.copies_of("cars")} == {"turn:2"} and {p.at for p in start.copies_of("camels")} == {
        "setup:blue/B"
    }
    new_position = start.with_move("cars", "14", hex_map.hex("0103")).with_states("cars", "14", frozenset({"dry"}))
    assert (
        new_position.pieces_at(Hex(*hex_map.hex("0103")))[0].states == {"dry"}
        and start.copies_of("cars")[0].at == "turn:2"
    )
    with pytest.raises(ValueError, match="not on the table"):
        start.with_move("cars", "99", "box:lost")
    with pytest.raises(ValueError, match="did you mean noon"):
        from_scenario(game, "non")
    file = tmp_path / "position.yaml"
    file.write_text(
        "game: two_wells\nscenario: noon\nturn: 3\npieces:\n  - {unit: cars, at: '0103', states: [dry]}\n"
        "  - {unit: gun, at: box:lost}\n",
        encoding="utf-8",
    )
    read = from_file(game, file)
    assert read.turn == 3 and read.pieces[0].copy == "14" and read.pieces[0].at == hex_map.hex("0103")
    file.write_text(
        "game: two_wells\npieces:\n  - {unit: cras, at: '0103'}\n  - {unit: gun, at: '0903', states: [wet]}\n"
        "  - {unit: gun, at: '0101'}\n",
        encoding="utf-8",
    )
    with pytest.raises(PackError) as error_info:
        from_file(game, file)
    finding_places = [(f.line, f.column) for f in error_info.value.findings]
    assert finding_places == [(3, 12), (4, 21), (4, 38), (5, 12)]
    file.write_text(
        "game: two_wells\nscenario: noon\npieces:\n  - {unit: cars, at: '0103', group: blue/C}\n", encoding="utf-8"
    )
    with pytest.raises(PackError, match="4:37: noon has no group 'blue/C'; did you mean blue/"):
        from_file(game, file)


@pytest.mark.parametrize("name", [*shipped_games(), *samples()])
def test_a_written_position_is_the_same_when_it_is_read(name: str) -> None:
    game = load(name, with_config_overlays=False)
    for scenario in game.scenarios:
        start = from_scenario(game, scenario)
        assert from_text(game, as_text(game, start), scenario) == start
    odd = Position(game.id, pieces=(start.pieces[0]._replace(copy='1"\\: é#', at="box:a, b", group=""),))
    assert from_text(game, as_text(game, odd), "odd").pieces[0].copy == odd.pieces[0].copy


def overlay(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text("overlay: two_wells\n" + text, encoding="utf-8")
    return path


def test_an_overlay_wins(tmp_path: Path) -> None:
    overlay_path = overlay(
        tmp_path,
        "counters: {cars: {factors: {attack: 9}}, infantry: {variants: {blue: {factors: {defense: 7}}}}}\n"
        "tables: {combat: {cells: {3: {3-1: DE}}}, movement: {cells: {hill: {cost: 3}}}}\n"
        "boards: {desert: {hexes: {'0101': hill}}}\n"
        "scenarios: {noon: {forces: {red: {groups: {0: {units: {infantry_red: 2}}}}}}}\n",
    )
    base_game, game = load(TWO_WELLS), load(TWO_WELLS, [overlay_path])
    assert (base_game.units["cars"].factors["attack"], game.units["cars"].factors["attack"]) == (5, 9)
    assert game.units["infantry_blue"].factors["defense"] == 7
    assert (base_game.tables["combat"].cells["3"][3], game.tables["combat"].cells["3"][3]) == ("D1", "DE")
    assert game.tables["combat"].cells["3"][:3] == base_game.tables["combat"].cells["3"][:3]
    hex_map: Any = game.maps["main"]
    assert hex_map.terrain[hex_map.hex("0101")] == "hill"
    assert game.scenarios["noon"].forces["red"].groups[0].units == {"infantry_red": 2}
    by_word = {word: sum(d.source is not None and d.source.word == word for d in game.data) for word in WORDS}
    assert by_word["mine"] == 6 and game.overlays == (overlay_path,)
    addresses = {d.path for d in game.data if d.source is not None and d.source.word == "mine"}
    assert "tables/combat/cells/3/3-1" in addresses and "counters/cars/factors/attack" in addresses


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("counters: {cras: {factors: {attack: 9}}}", 2, 12, "there is no counters/cras to replace; did you mean cars"),
        ("counters: {cars: {factors: {atack: 9}}}", 2, 29, "did you mean attack"),
        ("counters: {cars: {factors: {attack: nine}}}", 2, 37, "not a number"),
        ("counters: {cars: 9}", 2, 18, "not a single number"),
        ("tables: {combat: {cells: {3: {9-1: DE}}}}", 2, 31, "there is no tables/combat/cells/3/9-1"),
        ("tables: {combat: {cells: {3: {3-1: D9}}}}", 2, 36, "'D9'"),
        ("boards: {desert: {hexes: {'0901': hill}}}", 2, 35, "0901"),
        ("countrs: {}", 2, 1, "did you mean counters"),
        ("routes: {}", 2, 1, "nothing to replace"),
    ],
)
def test_overlays_that_name_nothing(text: str, line: int, column: int, words: str, tmp_path: Path) -> None:
    overlay_path = overlay(tmp_path, text)
    hits = [f for f in check(TWO_WELLS, [overlay_path]) if words in f.message]
    assert [(Path(f.path).name, f.line, f.column) for f in hits] == [("mine.yaml", line, column)]


def test_standing_overlays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenarios.folders.config_folder", lambda: tmp_path)
    (tmp_path / "overlays").mkdir()
    overlay(tmp_path / "overlays", "counters: {cars: {factors: {attack: 9}}}")
    (tmp_path / "overlays" / "other.yaml").write_text("overlay: yom_kippur\n", encoding="utf-8")
    assert load(TWO_WELLS).units["cars"].factors["attack"] == 5
    assert load(TWO_WELLS, with_config_overlays=True).units["cars"].factors["attack"] == 9
    run = run_command(cli, "show", str(TWO_WELLS), "sources")
    assert "mine.yaml" in run.stdout
    assert "mine.yaml" not in run_command(cli, "show", str(TWO_WELLS), "sources", "--no-overlay").stdout


def test_the_config_folder_of_each_system() -> None:
    assert config_folder({"APPDATA": "C:/Users/me/AppData"}, "win32").name == "mitla"
    assert config_folder({}, "darwin").parent.name == "Application Support"
    assert config_folder({"XDG_CONFIG_HOME": "/x"}, "linux") == Path("/x/mitla")
    assert config_folder({}, "linux").parent.name == ".config"


def test_every_datum_has_a_source() -> None:
    game_ids: list[str | Path] = [*FIVE, TWO_WELLS]
    for game_id in game_ids:
        game = load(game_id)
        assert all(datum.source is not None for datum in game.data)


def as_json(value: Any) -> Any:
    """YAML as an editor sees it: keys are texts, dates are texts."""
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_json(item) for item in value]
    return str(value) if isinstance(value, datetime.date) else value


def test_no_two_kinds_of_record_share_a_name() -> None:
    """The schema and the reference name a record by its class: a second `Within` would get the keys of the first."""
    headings = re.findall(r"^## (\w+)$", reference(PackFile, "What a pack may hold"), re.MULTILINE)
    assert [name for name, count in Counter(headings).items() if count > 1] == []


def test_pack_files_fit_their_schema() -> None:
    """An editor that reads plain YAML and the JSON Schema finds nothing wrong with our packs."""
    validator = jsonschema.Draft202012Validator(SCHEMAS["pack"]())
    for path in [*TWO_WELLS.glob("*.yaml"), *PACKS.rglob("*.yaml")]:
        errors = list(validator.iter_errors(as_json(yaml.load(path.read_text(encoding="utf-8"), LOADER))))
        assert not errors, f"{path}: {errors[0].json_path} {errors[0].message}"
    bad = {"counters": {"a": {"name": "A", "sise": "x"}}}
    assert [e.message for e in validator.iter_errors(bad)]


def test_schemas_are_schemas() -> None:
    for name, make in SCHEMAS.items():
        jsonschema.Draft202012Validator.check_schema(make())
        assert json.loads(run_command(cli, "schema", name).stdout)["title"]


def test_a_cell_can_have_a_source_of_its_own(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    path = pack / "counters.yaml"
    text = path.read_text(encoding="utf-8")
    source_lines = (
        '    rule: "3.5"\n    sources: {"3": {inferred: torn}, 4-1: {reconstructed: lost}, 6/1-2: {inferred: faint}}\n'
    )
    path.write_text(text.replace('    rule: "3.5"\n', source_lines), encoding="utf-8")
    game = load(pack)
    words = {
        d.path: d.source.word for d in game.data if d.source is not None and d.path.startswith("tables/combat/cells")
    }
    assert words["tables/combat/cells/3/4-1"] == "inferred" and words["tables/combat/cells/2/4-1"] == "reconstructed"
    assert words["tables/combat/cells/6/1-2"] == "inferred" and words["tables/combat/cells/6/1-1"] == "rulebook"
    combat_table = game.tables["combat"]
    assert [str(combat_table.source_of(r, c)) for r, c in (("3", "2-1"), ("6", "1-2"))] == [
        "inferred: torn",
        "inferred: faint",
    ]
    path.write_text(text.replace('    rule: "3.5"\n', source_lines.replace('"3":', '"9":')), encoding="utf-8")
    assert any("no row, column or cell '9'" in f.message for f in check(pack))

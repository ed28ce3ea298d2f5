"""What is painted in the editor is what loads afterwards; overlays hold only what differs; packs keep every other line."""

from __future__ import annotations

import copy
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from modgen.editing.document import document
from modgen.editing.saving import SaveRefused, new_board, save_numbers, save_overlay, save_pack
from modgen.new import new_game
from scenarios import load
from scenarios.model.game import Game
from scenarios.pack.pack_folder import SAMPLES


def paint_parts(game: Game, key: str, seed: int) -> dict[str, Any]:
    """The parts of a board or map with random strokes of the brush."""
    chance, map_document = random.Random(seed), document(game, key)
    parts: dict[str, Any] = copy.deepcopy(map_document["parts"])
    if map_document["kind"] == "points":
        names = sorted(parts["points"])
        parts["points"][names[0]]["at"] = [3.5, 4]
        parts["points"]["cove"] = {"name": "Cove: the north", "at": [5, 6.25], "terrain": next(iter(game.terrain))}
        kind = next(iter(game.routes))
        parts["routes"][kind] = sorted([*parts["routes"].get(kind, []), ["cove", names[-1]]])
        return parts
    names, sides = [hex[0] for hex in map_document["hexes"]], [side[0] for side in map_document["sides"]]
    for name in chance.sample(names, min(30, len(names))):
        parts["terrain"][name] = chance.choice(list(game.terrain))
    for kind in game.hexsides:
        was = set(parts["hexsides"].get(kind, []))
        new_sides = sorted(was ^ set(chance.sample(sides, 5)))
        parts["hexsides"][kind] = new_sides
    parts["hexsides"] = {kind: names for kind, names in parts["hexsides"].items() if names}
    if game.paths:
        start = map_document["hexes"][0]
        nearest_hex = min(
            map_document["hexes"][1:], key=lambda hex: (hex[1] - start[1]) ** 2 + (hex[2] - start[2]) ** 2
        )
        parts["paths"].append(
            {"kind": next(iter(game.paths)), "name": "A lane, mine", "hexes": [start[0], nearest_hex[0]]}
        )
    parts["places"]["mill"] = {"name": "The mill", "hex": names[3], "kind": "town"}
    first = next(iter(map_document["parts"]["places"]), None)
    if first is not None:
        parts["places"][first]["name"] = "Renamed: yes"
    return parts


BOARDS = [
    ("yom_kippur", "boards/sinai"),
    ("arab_israeli_wars", "boards/B"),
    ("ridge", "boards/solla"),
    ("island", "maps/main"),
]


@pytest.mark.parametrize(("pack", "key"), BOARDS)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_an_overlay_loads_as_it_was_painted(pack: str, key: str, seed: int, tmp_path: Path) -> None:
    game = load(pack)
    if key.split("/")[1] not in {**game.boards, **game.maps}:
        key = f"maps/{next(iter(game.maps))}"
    overlay = tmp_path / "mine.yaml"
    for attempt in (seed, seed + 100):  # the second over the first
        parts = paint_parts(game, key, attempt)
        save_overlay(pack, overlay, [], key, parts)
        assert document(load(pack, [overlay]), key)["parts"] == parts
    save_overlay(pack, overlay, [], key, document(game, key)["parts"])
    assert overlay.read_text(encoding="utf-8") == f"overlay: {pack}\n", "painted back: nothing is left of it"


@pytest.mark.parametrize(
    ("sample", "key"), [("ridge", "boards/solla"), ("corps", ""), ("two_wells", ""), ("island", "")]
)
def test_a_pack_keeps_every_other_line(sample: str, key: str, tmp_path: Path) -> None:
    pack = Path(shutil.copytree(SAMPLES / sample, tmp_path / sample))
    game = load(pack)
    key = key or (f"boards/{next(iter(game.boards))}" if game.boards else f"maps/{next(iter(game.maps))}")
    old_lines = {path: path.read_text(encoding="utf-8").splitlines() for path in pack.glob("*.yaml")}
    parts = paint_parts(game, key, 5)
    save_pack(pack, key, parts)
    assert document(load(pack), key)["parts"] == parts
    changed_files = [path for path in old_lines if path.read_text(encoding="utf-8").splitlines() != old_lines[path]]
    assert len(changed_files) == 1
    lines = changed_files[0].read_text(encoding="utf-8").splitlines()
    common_lines = [line for line in old_lines[changed_files[0]] if line in lines]
    assert len(common_lines) > 0.6 * len(old_lines[changed_files[0]]), "most lines are as they were"
    assert [line for line in old_lines[changed_files[0]] if line.lstrip().startswith("#") and line not in lines] == []


def test_what_doesnt_load_isnt_written(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.yaml"
    parts = document(load("ridge"), "boards/solla")["parts"]
    parts["terrain"]["0101"] = "lava"
    with pytest.raises(SaveRefused, match="lava"):
        save_overlay("ridge", overlay, [], "boards/solla", parts)
    assert not overlay.exists() and not list(tmp_path.iterdir())
    pack = Path(shutil.copytree(SAMPLES / "ridge", tmp_path / "ridge"))
    old_bytes = (pack / "map.yaml").read_bytes()
    del parts["terrain"]["0101"]
    parts["terrain"]["0101"] = "woods"
    parts["paths"][0]["hexes"] = ["0101", "0909"]
    with pytest.raises(SaveRefused, match=r"map\.yaml:.*touch"):
        save_pack(pack, "boards/solla", parts)
    assert (pack / "map.yaml").read_bytes() == old_bytes


def test_numbers_that_a_rulebook_lacks(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.yaml"
    address = "counters/hq_3_army/factors/supply_range"
    save_numbers("yom_kippur", overlay, [], {address: "9"})
    assert str(load("yom_kippur", [overlay]).units["hq_3_army"].factors["supply_range"]) == "9"
    with pytest.raises(SaveRefused):
        save_numbers("yom_kippur", overlay, [], {address: "a lot"})
    save_numbers("yom_kippur", overlay, [], {address: ""})
    assert overlay.read_text(encoding="utf-8") == "overlay: yom_kippur\n"


def test_a_map_from_nothing(tmp_path: Path) -> None:
    import datetime

    pack = tmp_path / "mine"
    new_game(pack, "Mine", datetime.date(2026, 1, 1))
    grid = {"columns": 6, "rows": 5, "numbering": {"scheme": "xxyy"}}
    new_board(pack, "valley", {"name": "The valley", "grid": grid})
    game = load(pack)
    parts = document(game, "boards/valley")["parts"]
    assert len(parts["terrain"]) == 30
    parts["terrain"]["0203"] = list(game.terrain)[1]
    save_pack(pack, "boards/valley", parts)
    assert document(load(pack), "boards/valley")["parts"] == parts

"""Saves with pieces that the pack doesn't know: they are named, kept, and found again where the pack says what they were."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from assistant.cli import cli as assistant
from assistant.page.site import Site
from modgen.cache import Cache
from modgen.cli import cli as modgen
from modgen.vmod.files.lock import LOCK, Lock
from modgen.vmod.files.locked_build import make_module
from modgen.vmod.files.module import compose
from scenarios import check, load
from tests.asking import run_command
from tests.packs import TWO_WELLS, copy

GUN_RENAMING = [("counters.yaml", "  gun:\n", "  cannon:\n"), ("map.yaml", "gun: 1}", "cannon: 1}")]
WAS = ("counters.yaml", "    name: Field gun\n", "    name: Field gun\n    was: [gun]\n")
FARM = Path("docs/examples/chinese_farm.yaml")


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The start of Noon, saved under the pack as it is: a gun, two camels, infantry and cars."""
    path = tmp_path_factory.mktemp("unknown") / "noon.vsav"
    path.write_bytes(compose(load(TWO_WELLS), Lock(), Cache(None)).files["Noon.vsav"])
    return path


def change_pack(folder: Path, *changes: tuple[str, str, str]) -> Path:
    pack = copy(folder)
    for file, old, new in changes:
        text = (pack / file).read_text(encoding="utf-8")
        assert old in text
        (pack / file).write_text(text.replace(old, new), encoding="utf-8")
    assert check(pack) == []
    return pack


def run(*words: object, code: int = 0) -> Result:
    result = run_command(assistant, *words)
    assert result.exit_code == code, result.output
    return result


def open_save(save: Path, pack: Path) -> dict[str, Any]:
    return dict(json.loads(run("open", save, "--game", pack, "--json").stdout))


def test_a_counter_that_was_renamed_is_named_and_kept(save: Path, tmp_path: Path) -> None:
    old_answer, new_answer = open_save(save, TWO_WELLS), open_save(save, change_pack(tmp_path, *GUN_RENAMING))
    assert "left_out" not in old_answer
    guns = [piece for piece in old_answer["pieces"] if piece["unit"] == "gun"]
    assert [(row["unit"], row["at"]) for row in new_answer["left_out"]] == [("gun", guns[0]["at"])]
    assert new_answer["pieces"] == [piece for piece in old_answer["pieces"] if piece["unit"] != "gun"]
    output = run("open", save, "--game", tmp_path / "two_wells").stdout
    assert "Two Wells doesn't have these pieces, so the answer leaves them out: 1 x gun" in output


def test_a_pack_says_what_a_counter_was(save: Path, tmp_path: Path) -> None:
    old_answer, new_answer = open_save(save, TWO_WELLS), open_save(save, change_pack(tmp_path, *GUN_RENAMING, WAS))
    assert "left_out" not in new_answer
    assert [
        {**piece, "unit": "cannon" if piece["unit"] == "gun" else piece["unit"]} for piece in old_answer["pieces"]
    ] == new_answer["pieces"]
    position = tmp_path / "old.yaml"
    position.write_text("game: two_wells\nscenario: noon\npieces:\n  - {unit: gun, at: '0203'}\n", encoding="utf-8")
    assert [piece["unit"] for piece in open_save(position, tmp_path / "two_wells")["pieces"]] == ["cannon"]


def test_counters_of_several_nations_and_markers_were_too(save: Path, tmp_path: Path) -> None:
    pack = change_pack(
        tmp_path,
        ("counters.yaml", "  infantry:\n    name: Infantry\n", "  rifles:\n    name: Infantry\n    was: [infantry]\n"),
        ("counters.yaml", "  dug_in: {name: Dug in,", "  trench: {name: Dug in, was: [dug_in],"),
        ("map.yaml", "infantry_", "rifles_"),
        ("map.yaml", "markers: {dug_in: 2}", "markers: {trench: 2}"),
    )
    old_answer, new_answer = open_save(save, TWO_WELLS), open_save(save, pack)
    assert "left_out" not in new_answer and len(new_answer["pieces"]) == len(old_answer["pieces"])
    assert {"rifles_red", "rifles_blue", "trench"} <= {piece["unit"] for piece in new_answer["pieces"]}


def test_a_state_that_is_not_known_is_named(save: Path, tmp_path: Path) -> None:
    pack = change_pack(
        tmp_path, *((file, "dug_in", "entrenched") for file in ("game.yaml", "counters.yaml", "map.yaml", "rules.yaml"))
    )
    dug_in_pieces = [piece for piece in open_save(save, TWO_WELLS)["pieces"] if "dug_in" in piece["states"]]
    unknown = [piece for piece in open_save(save, pack)["left_out"] if piece.get("state")]
    assert dug_in_pieces and [(piece["unit"], piece["state"]) for piece in unknown] == [
        (piece["unit"], "dug_in") for piece in dug_in_pieces
    ]


def test_what_is_unknown_stays_in_a_position_file(save: Path, tmp_path: Path) -> None:
    pack, position_path = change_pack(tmp_path, *GUN_RENAMING), tmp_path / "written.yaml"
    first = json.loads(run("open", save, "--game", pack, "--write", position_path, "--json").stdout)
    assert open_save(position_path, pack) == first and first["left_out"]


def test_every_answer_says_what_it_leaves_out(tmp_path: Path) -> None:
    """October War's question about supply, on the command line by flag and by word, and on the page."""
    path = tmp_path / "farm.yaml"
    unknown = 'unknown:\n  - {unit: camel_corps, copy: "1", at: tasa}\n'
    path.write_text(FARM.read_text(encoding="utf-8") + unknown, encoding="utf-8")
    expected_rows = [{"unit": "camel_corps", "copy": "1", "at": "tasa"}]
    for words in (("supply", "october_war", "--position", path), ("ask", "october_war", "supply", f"position={path}")):
        assert "the answer leaves them out: 1 x camel_corps (tasa)" in " ".join(run(*words).stdout.split())
        assert json.loads(run(*words, "--json").stdout)["left_out"] == expected_rows
    assert "left_out" not in json.loads(run("supply", "october_war", "--position", FARM, "--json").stdout)
    site = Site({"october_war": "October War"}, load)

    def post_question(question_: str, **body: Any) -> dict[str, Any]:
        answer = site.post(f"/api/october_war/{question_}", json.dumps(body).encode())
        assert answer.status == 200
        return dict(json.loads(answer.body))

    save = post_question("open", name="farm.yaml", data=base64.b64encode(path.read_bytes()).decode())
    assert "1 x camel_corps (tasa)" in save["left_out"]
    answer = post_question("ask", question="supply", inputs={"position": save["id"]})
    warning_nodes = [node for node in answer["nodes"] if node["kind"] == "warning"]
    assert answer["answer"]["left_out"] == expected_rows and "camel_corps" in json.dumps(warning_nodes)


def test_sight_of_a_position_says_it_too(tmp_path: Path) -> None:
    path = tmp_path / "smoke.yaml"
    text = "game: arab_israeli_wars\nscenario: S-2\npieces:\n  - {unit: smoke, at: B-H-6}\nunknown:\n  - {unit: balloon, at: B-H-4}\n"
    path.write_text(text, encoding="utf-8")
    answer = json.loads(run("los", "arab_israeli_wars", "B-H-4", "B-H-8", "--position", path, "--json").stdout)
    assert answer["left_out"][0]["unit"] == "balloon" and answer["clear"] is False
    assert run("ask", "arab_israeli_wars", "score", f"position={path}").stdout.count("balloon") == 1


@pytest.mark.parametrize(
    ("was", "message"),
    [
        ("[cars]", "can't have been 'cars': a counter or marker is called so today"),
        ("[old, old]", "gun was called so too"),
    ],
)
def test_what_was_is_nobody_elses(was: str, message: str, tmp_path: Path) -> None:
    pack = copy(tmp_path)
    text = (pack / "counters.yaml").read_text(encoding="utf-8")
    (pack / "counters.yaml").write_text(
        text.replace("    name: Field gun\n", f"    name: Field gun\n    was: {was}\n"), encoding="utf-8"
    )
    findings = check(pack)
    assert len(findings) == 1 and message in findings[0].message and findings[0].line == 33


def test_a_module_keeps_the_ids_and_pictures_of_renamed_counters(tmp_path: Path) -> None:
    pack, old, new = copy(tmp_path / "old"), tmp_path / "old.vmod", tmp_path / "new.vmod"
    old.write_bytes(make_module(load(pack), Cache(None), pool=False))
    ids = json.loads((pack / LOCK).read_text(encoding="utf-8"))["gpids"]
    new_pack = change_pack(tmp_path / "new", *GUN_RENAMING, WAS)
    (new_pack / LOCK).write_bytes((pack / LOCK).read_bytes())
    new.write_bytes(make_module(load(new_pack), Cache(None), pool=False))
    new_ids = json.loads((new_pack / LOCK).read_text(encoding="utf-8"))["gpids"]
    assert new_ids == {"cannon" if unit == "gun" else unit: gpid for unit, gpid in ids.items()}
    runner = CliRunner()
    diff_answer = json.loads(runner.invoke(modgen, ["diff", str(old), str(new), "--json"]).stdout)
    assert diff_answer["breaks"] == [] and diff_answer["saves_keep"]
    assert (
        json.loads(runner.invoke(modgen, ["verify", str(new), "--game", str(new_pack), "--json"]).stdout)["problems"]
        == []
    )

"""The page that needs no server: what is written, and that its Python runs where there is no renderer and no server."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from modgen.cli import cli
from modgen.page import NoRuntime, build_page
from scenarios import load
from tests.asking import run_command
from tests.packs import TWO_WELLS

BROWSER = """
import sys, json
class NotHere:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in sys.argv[4].split(","):
            raise ImportError(f"a browser has no {name}")
sys.meta_path.insert(0, NotHere())
sys.path[:0] = [sys.argv[1]]
from assistant.page.browser_site import BrowserSite
import assistant
assert "python.zip" in assistant.__file__, assistant.__file__
alone = BrowserSite(sys.argv[5])
alone.take("two_wells", open(sys.argv[2], "rb").read())
for method, target, body in json.loads(sys.argv[3]):
    print(json.dumps(alone.ask(method, target, json.dumps(body))))
"""
POSITION = """
game: two_wells
scenario: noon
pieces:
  - {unit: camels, copy: "23", at: "0102"}
"""
LACKS = "lxml,PIL,click,uvicorn,typst,pikepdf,segno,art,modgen,_multiprocessing"


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Something that looks like Pyodide."""
    folder = tmp_path_factory.mktemp("pyodide")
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        (folder / name).write_bytes(name.encode())
    return folder


@pytest.fixture(scope="module")
def page(runtime: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of Two Wells."""
    folder = tmp_path_factory.mktemp("built") / "page"
    build_page([load(TWO_WELLS)], folder, runtime, lambda message: None)
    return folder


def test_every_file_is_kept_on_the_device(page: Path) -> None:
    script = (page / "offline.js").read_text(encoding="utf-8")
    file_list = re.search(r"const files = (\[.*\]);", script)
    assert file_list
    names = {unquote(name) for name in json.loads(file_list[1])} - {"./"}
    page_files = {path.relative_to(page).as_posix() for path in page.rglob("*") if path.is_file()}
    assert names == page_files - {"offline.js"}
    assert "VERSION" not in script and "FILES" not in script


def test_nothing_comes_from_elsewhere(page: Path) -> None:
    for path in [*page.glob("*.js"), page / "index.html", page / "page.css", page / "manifest.webmanifest"]:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
        assert "http://" not in text and "https://" not in text, path
        assert not re.search(r"""(src|href)="/|from "/|fetch\("/""", text), f"{path} is tied to the root of its host"


def test_it_is_the_same_bytes_every_time(page: Path, runtime: Path, tmp_path: Path) -> None:
    build_page([load(TWO_WELLS)], tmp_path / "page", runtime, lambda message: None)
    for path in page.rglob("*"):
        if path.is_file():
            assert (tmp_path / "page" / path.relative_to(page)).read_bytes() == path.read_bytes(), path


def test_its_python_answers_without_what_a_browser_lacks(page: Path, tmp_path: Path) -> None:
    groups = {"attackers": [{"unit": "cars"}], "defenders": [{"unit": "camels"}]}
    requests = [
        ["POST", "/api/two_wells/odds", {"attack": "assault", "groups": groups}],
        [
            "POST",
            "/api/two_wells/ask",
            {"question": "move", "inputs": {"unit": "camels", "scenario": "noon", "put": "camels@0102"}},
        ],
        ["POST", "/api/two_wells/ask", {"question": "supply", "inputs": {"scenario": "noon"}}],
        ["GET", "/api/two_wells/scenario/noon", {}],
        ["POST", "/api/two_wells/roll", {"what": "2d6"}],
        ["POST", "/api/two_wells/open", {"name": "mine.yaml", "data": base64.b64encode(POSITION.encode()).decode()}],
        ["POST", "/api/two_wells/open", {"name": "mine.yaml", "data": base64.b64encode(b"game: [").decode()}],
        ["POST", "/api/two_wells/play", {"begin": "noon"}],
    ]
    pack = str(page / "data/two_wells/pack.packed")
    words = [
        sys.executable,
        "-S",
        "-c",
        BROWSER,
        str(page / "python.zip"),
        pack,
        json.dumps(requests),
        LACKS,
        str(tmp_path),
    ]
    done = subprocess.run(words, capture_output=True, text=True, cwd=page, check=False)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [status for status, _ in answers] == [200, 200, 200, 200, 200, 200, 400, 200], answers
    assert json.loads(answers[0][1])["column"] == "1-1"
    assert json.loads(answers[5][1])["pieces"] == 1
    assert "mine.yaml:1:8" in json.loads(answers[6][1])["wrong"]
    assert len(list(tmp_path.iterdir())) == 1, "a live table is kept"


def test_without_pyodide_a_sentence_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(NoRuntime, match="--runtime FOLDER"):
        build_page([load(TWO_WELLS)], tmp_path / "page", None, lambda message: None)
    assert not list(tmp_path.iterdir()), "nothing half-written"
    words = ["build", str(TWO_WELLS), "--only", "page", "--runtime", str(tmp_path), "--out", str(tmp_path / "dist")]
    result = run_command(cli, *words)
    assert result.exit_code == 2 and "pyodide.asm.wasm" in result.output


def test_another_folder_is_left_alone(runtime: Path, tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "letter.txt").write_text("mine", encoding="utf-8")
    words = ["build", str(TWO_WELLS), "--only", "page", "--runtime", str(runtime), "--out", str(tmp_path)]
    result = run_command(cli, *words)
    assert result.exit_code == 2 and "isn't a page" in result.output
    assert (tmp_path / "page" / "letter.txt").read_text(encoding="utf-8") == "mine"
    (tmp_path / "page" / "letter.txt").unlink()
    assert run_command(cli, *words).exit_code == 0
    assert run_command(cli, *words).exit_code == 0, "a page is replaced by the next"
    assert (tmp_path / "page" / "index.html").is_file() and [path.name for path in tmp_path.iterdir()] == ["page"]

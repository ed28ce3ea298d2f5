"""Wheel and sdist: the same bytes twice, everything in them, and the wheel works where the sources are not."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import urllib.request
import venv
import zipfile
from pathlib import Path
from urllib.parse import urljoin

import pytest

from modgen.distribution import distributions, is_source

ROOT = Path(__file__).parent.parent
PACKAGES = ("scenarios", "art", "modgen", "assistant")
BIN = "Scripts" if os.name == "nt" else "bin"


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    return distributions(ROOT)


def sources(*folders: str) -> set[str]:
    """The files of some folders that belong to the project."""
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in paths if path.suffix not in (".pyc", ".part")}


@pytest.mark.slow
def test_the_same_bytes_twice(made: dict[str, bytes]) -> None:
    assert is_source(ROOT) and not is_source(ROOT / "docs")
    assert [re.sub(r"-\d[\d.]*\d", "", name) for name in made] == ["mitla-py3-none-any.whl", "mitla.tar.gz"]
    assert distributions(ROOT) == made


@pytest.mark.slow
def test_everything_is_in_them(made: dict[str, bytes]) -> None:
    wheel, sdist = made.values()
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        wheel_names = set(archive.namelist())
    assert sources(*PACKAGES) - wheel_names == set()
    docs = {name.partition("/share/doc/mitla/")[2] for name in wheel_names}
    assert sources("docs") - docs == set() and "README.md" in docs
    with tarfile.open(fileobj=io.BytesIO(sdist)) as sdist_archive:
        sdist_names = {name.partition("/")[2] for name in sdist_archive.getnames()}
    assert sources(*PACKAGES, "docs", "tests", "benchmarks") - sdist_names == set()
    assert {"pyproject.toml", "Makefile", "LICENSE", "CHANGELOG.md", "SECURITY.md"} <= sdist_names


@pytest.fixture(scope="module")
def installed(made: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of its own with the wheel in it; what the wheel needs is taken from the environment of the tests."""
    home = tmp_path_factory.mktemp("elsewhere")
    wheel = next(name for name in made if name.endswith(".whl"))
    (home / wheel).write_bytes(made[wheel])
    venv.create(home / "env", with_pip=False)
    pip = [sys.executable, "-m", "pip", "--python", str(home / "env"), "install", "--no-deps", "--no-index", "--quiet"]
    subprocess.run([*pip, str(home / wheel)], check=True, cwd=home, env=clean())
    site = next((home / "env").rglob("site-packages"))
    (site / "needed.pth").write_text(
        sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8"
    )  # its own .pth files aren't followed
    return home


def clean() -> dict[str, str]:
    """The environment without anything that leads back to the sources."""
    return {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "MITLA_", "XDG_"))}


def run(home: Path, program: str, *words: str) -> str:
    environment = {**clean(), "XDG_CACHE_HOME": str(home / "cache"), "XDG_CONFIG_HOME": str(home / "config")}
    command = [str(home / "env" / BIN / program), *words]
    done = subprocess.run(
        command, cwd=home, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_it_is_not_the_sources_that_run(installed: Path) -> None:
    code = "import art, assistant, modgen, scenarios; print(art.__file__, assistant.__file__, modgen.__file__, scenarios.__file__)"
    module_paths = run(installed, "python", "-c", code)
    assert str(ROOT) not in module_paths and module_paths.count(str(installed / "env")) == 4
    assert (installed / "env" / "share" / "doc" / "mitla" / "docs" / "packs.md").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["corps", "island", "march", "ridge", "two_wells"])
def test_a_new_game_is_built_and_asked(installed: Path, sample: str) -> None:
    run(installed, "modgen", "new", f"g_{sample}", "--like", sample)
    run(installed, "modgen", "build", f"g_{sample}")
    suffixes = {path.suffix for path in (installed / "dist" / f"g_{sample}").iterdir()}
    assert {".pdf", ".vmod", ".json"} <= suffixes
    if sample == "corps":
        output = run(installed, "assistant", "move", "g_corps", "infantry_north/3", "0906", "--from", "0704")
        assert "0906" in output


@pytest.mark.slow
def test_the_other_commands(installed: Path) -> None:
    assert "musketeer" in run(installed, "modgen", "list")
    assert "--overlay" in run(installed, "modgen", "edit", "--help")
    assert "Usage" in run(installed, "modgen", "watch", "--help")
    assert "150-199" in run(installed, "assistant", "odds", "six_day_war", "20:12")


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["assistant/page", "modgen/editing", "modgen/watch"])
def test_assets_are_there(installed: Path, folder: str) -> None:
    site = next((installed / "env").rglob("site-packages"))
    asset_names = {path.name for path in (site / folder / "assets").iterdir()}
    assert asset_names == {path.name for path in (ROOT / folder / "assets").iterdir()}


@pytest.mark.slow
def test_the_page_is_served(installed: Path) -> None:
    command = [str(installed / "env" / BIN / "assistant"), "serve", "two_wells", "--port", "0", "--workers", "1"]
    environment = {**clean(), "XDG_CACHE_HOME": str(installed / "cache"), "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(
        command,
        cwd=installed,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    try:
        assert server.stdout is not None
        address = next(addresses[0] for line in server.stdout if (addresses := re.findall(r"http://\S+", line)))
        with urllib.request.urlopen(address, timeout=30) as answer:
            page = answer.read().decode("utf-8")
        linked_names = re.findall(r'(?:src|href)="(?!data:|https?:|#)([^"]+)"', page)
        assert any(name.endswith(".js") for name in linked_names) and any(
            name.endswith(".css") for name in linked_names
        )
        for name in linked_names:
            with urllib.request.urlopen(urljoin(address, name), timeout=30) as answer:
                assert answer.status == 200 and answer.read(), name
    finally:
        server.terminate()
        server.wait(timeout=30)

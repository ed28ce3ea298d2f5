"""A release: modules, kits, the page, wheel and sdist in one folder, with checksums and notes. It is written whole or not at all."""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from modgen.build import make_all, writable
from modgen.build_jobs import BuildJob
from modgen.cache import Cache, cache_folder
from modgen.distribution import EPOCH, CannotPack, distributions
from modgen.kit.options import options
from modgen.notices import NOTICE
from modgen.page import NoRuntime, page_files
from scenarios.files import replace_folder
from scenarios.model.game import Game
from scenarios.pack.export import count_sources
from scenarios.pack.loading import load

PAPERS = ("a4", "letter")
PAGE = "mitla-page.zip"
TOOLS = ("typst", "font-source-sans-pro", "pillow", "lxml", "pyyaml")
OTHER_FILES = {PAGE: "The assistant as a page", ".whl": "Mitla for Python", ".tar.gz": "Mitla's sources"}
USE = """## How to use it

To print and to play you need no Python and nothing of Mitla's own.

- **To play on a screen**: install VASSAL 3.7 or newer from vassalengine.org, then open a `.vmod` file with it. Choose a
  scenario from the list of set-ups; the quick guide is in the Help menu.
- **To play on a table**: print a kit, the `a4` or the `letter` one, at 100 % (not "fit to page") and on both sides. Its
  contents page says what to print, and how.
- **To check a download**: `sha256sum --check SHA256SUMS` (on Windows `certutil -hashfile FILE SHA256`).
"""
RULES = "The rules themselves are in none of these files: you need the published game's rulebook."
WITH_PAGE = """- **At the table**: unpack `mitla-page.zip` on any web host and open it on a phone once; from then on it needs no network."""
WITH_WHEEL = """- **For more** (your own games, questions typed or asked of a server at home): `pipx install mitla-VERSION-py3-none-any.whl`
  with Python 3.11 or newer, then `modgen --help`, `assistant --help`, `assistant serve --lan`."""


class CannotRelease(ValueError):
    """There is no release, because of these findings."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__("\n".join(findings))
        self.findings = list(findings)


def make_release(
    games: Sequence[str],
    release_folder: Path,
    changelog: Path | None = None,
    is_locked: bool = True,
    cache: Cache | None = None,
    quiet: bool = True,
    sources: Path | None = None,
    page: bool = False,
    runtime: Path | None = None,
) -> dict[str, Any]:
    """Build games without overlays into a folder that is replaced whole. Returns its content.

    With `sources`, Mitla's own folder, it contains wheel and sdist. With `page` it contains the page, if Pyodide is
    available.
    """
    writable(release_folder.parent)
    build_cache = Cache(cache_folder()) if cache is None else cache
    jobs = [BuildJob(game, (), False, ("kit", "module"), options(paper=PAPERS[0]), is_locked) for game in games]
    jobs += [
        BuildJob(game, (), False, ("kit",), options(paper=paper), is_locked) for paper in PAPERS[1:] for game in games
    ]
    results = make_all(jobs, build_cache, quiet)
    findings = [
        finding for result in results for finding in (*result.findings, result.wrong, result.failure) if finding
    ]
    if findings:
        raise CannotRelease(findings)
    files = {output.name: output.content for result in results for output in result.outputs}
    loaded_games = [load(game, with_config_overlays=False) for game in games]
    left_out: list[str] = []
    if page:
        try:
            files[PAGE] = packed_page(loaded_games, runtime)
        except NoRuntime as error:
            if runtime is not None:
                raise CannotRelease([str(error)]) from None
            left_out.append(f"the page is left out: {error}")
    if sources is not None:
        try:
            files |= distributions(sources)
        except CannotPack as error:
            raise CannotRelease([f"there is no wheel: {error}"]) from None
    text = ""
    if changelog is not None and changelog.is_file():
        text = changelog.read_text(encoding="utf-8", errors="replace")
    files["RELEASE.md"] = notes(loaded_games, text, sorted(files)).encode("utf-8")
    files["SHA256SUMS"] = sums(files).encode("ascii")
    replace_folder(release_folder, files)
    return {"folder": str(release_folder), "files": sorted(files), "left_out": left_out}


def packed_page(games: Sequence[Game], runtime: Path | None) -> bytes:
    """The page that needs no server as one archive; its larger files are already compressed."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path, file_content in page_files(games, runtime, lambda phase: None):
            info = zipfile.ZipInfo(f"mitla-page/{path}", EPOCH)
            info.external_attr = 0o100644 << 16
            info.create_system = 3
            archive.writestr(info, file_content, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def sums(files: Mapping[str, bytes]) -> str:
    """The input of `sha256sum --check`."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))


def notes(games: Sequence[Game], changelog: str, files: Sequence[str] = ()) -> str:
    """The notes of a release: its content, its changes, the sources of its numbers, its license."""
    version = importlib.metadata.version("mitla")
    lines = [f"# Mitla {version}", "", NOTICE, ""]
    for game in games:
        lines.append(f"- **{game.title}** ({game.card.release}): `{game.id}.vmod`, kits in A4 and Letter")
    for name in files:
        description = next((words for end, words in OTHER_FILES.items() if name.endswith(end)), "")
        lines += [f"- **{description}**: `{name}`"] if description else []
    lines += ["", USE.rstrip()]
    download_texts = ((PAGE, WITH_PAGE), (".whl", WITH_WHEEL.replace("VERSION", version)))
    further_lines = [words for end, words in download_texts if any(name.endswith(end) for name in files)]
    lines += [*further_lines, "", RULES, ""]
    news = newest(changelog)
    if news:
        lines += ["## What is new", "", news, ""]
    lines += [
        "## Where the numbers come from",
        "",
        "| game | rulebook | inferred | reconstructed | our own |",
        "|-|-|-|-|-|",
    ]
    for game in games:
        counts = count_sources(game)["sources"]
        cells = (counts.get(word, 0) for word in ("rulebook", "inferred", "reconstructed", "mine"))
        lines.append(f"| {game.title} | {' | '.join(map(str, cells))} |")
    lines += [
        "",
        "## Licence",
        "",
        "Code: MIT. Packs and art: CC BY 4.0. Both texts are in the file LICENSE of the sources.",
        "",
    ]
    lines += ["## Made with", "", ", ".join(f"{tool} {importlib.metadata.version(tool)}" for tool in TOOLS), ""]
    return "\n".join(lines)


def newest(changelog: str) -> str:
    """The first section of a changelog, without its heading."""
    parts = re.split(r"^## .*\n", changelog, flags=re.MULTILINE)
    return parts[1].strip() if len(parts) > 1 else ""

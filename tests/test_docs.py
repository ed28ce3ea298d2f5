"""The documents as a site and on the command line: every page is there, and every link leads somewhere."""

from __future__ import annotations

import json
import posixpath
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import html

from modgen.cli import cli
from modgen.docs import FOLDER, pages, site, title_of, to_html

ROOT = Path(__file__).parent.parent


def test_every_document_is_a_page() -> None:
    assert set(pages().values()) == set(FOLDER.rglob("*.md")), "name the new document in modgen.docs.GROUPS"
    assert all(title_of(path) != path.stem for path in pages().values())


def test_every_link_of_the_site_leads_somewhere() -> None:
    files = site()
    trees = {name: html.fromstring(content) for name, content in files.items() if name.endswith(".html")}
    anchors = {name: {element.get("id") for element in tree.iter()} for name, tree in trees.items()}
    count = 0
    for name, tree in trees.items():
        for address in [element.get("href") or element.get("src") or "" for element in tree.iter("a", "img", "link")]:
            if not address or address.startswith(("http://", "https://")):
                continue
            path, _, anchor = address.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            assert target in files, f"{name}: {address}"
            assert not anchor or anchor in anchors[target], f"{name}: {address}"
            count += 1
    assert count > 1000


def test_a_page_as_html() -> None:
    text = "# A & b\n\n## Same\n\n## Same\n\n[to](../packs.md#counters) [away](../../README.md) <b>x</b>\n\n| a |\n|---|\n| `<` |\n"
    tree = html.fromstring(to_html("tutorial/1-start", text))
    assert tree.xpath("//h1/@id | //h2/@id") == ["a--b", "same", "same-1"]
    assert tree.xpath("//a/@href") == ["../packs.html#counters"]
    assert tree.xpath("//td/code/text()") == ["<"] and not tree.xpath("//b")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    assert [line.split()[0] for line in run(cli, ["docs"]).output.splitlines()] == list(pages())
    assert run(cli, ["docs", "cookbook"]).output.strip() == (FOLDER / "cookbook.md").read_text("utf-8").strip()
    assert json.loads(run(cli, ["docs", "packs", "--json"]).output)["pages"] == [
        {"page": "packs", "title": "How to write a pack"}
    ]
    wrong = run(cli, ["docs", "cokbook"])
    assert wrong.exit_code == 2 and "did you mean cookbook" in wrong.output
    for _ in range(2):  # a site may be written over an earlier one
        assert run(cli, ["docs", "--out", "site"]).exit_code == 0
        assert (tmp_path / "site" / "tutorial" / "8-play.html").is_file() and (
            tmp_path / "site" / "tutorial" / "map.png"
        ).is_file()
    opened_urls: list[str] = []
    monkeypatch.setattr("click.launch", opened_urls.append)
    monkeypatch.setenv("MITLA_CACHE", str(tmp_path / "cache"))
    assert run(cli, ["docs", "rules", "--open"]).exit_code == 0
    assert opened_urls == [(tmp_path / "cache" / "docs" / "rules.html").as_uri()]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    refusal = run(cli, ["docs", "--out", "mine"])
    assert refusal.exit_code == 2 and "something else" in refusal.output
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["letter.txt"]


def test_the_documents_are_in_the_wheel() -> None:
    """Where pip puts documents, and `modgen.docs` looks for them."""
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    packaged_paths = {
        path
        for folder, patterns in setuptools["data-files"].items()
        if folder.startswith("share/doc/mitla/docs")
        for pattern in patterns
        for path in ROOT.glob(pattern)
        if path.is_file()
    }
    assert {path for path in FOLDER.rglob("*") if path.is_file()} == packaged_paths

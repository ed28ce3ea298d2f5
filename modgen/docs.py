"""The documents, found beside the program in the source tree or in an installed wheel, and written as a small site."""

from __future__ import annotations

import html
import posixpath
import re
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from scenarios.files import replace_folder


def _folder() -> Path:
    """The folder of the documents: in the source tree, or where pip has installed them."""
    docs_folder = Path(__file__).resolve().parents[1] / "docs"
    if not (docs_folder / "packs.md").is_file():
        for file in metadata.files("mitla") or ():
            if file.parts[-2:] == ("docs", "packs.md"):
                return Path(str(file.locate())).resolve().parent
    return docs_folder


FOLDER = _folder()
GENERATOR_TAG = '<meta name="generator" content="modgen docs">'
GROUPS = {
    "Learn": ("install", "tutorial/*", "cookbook"),
    "Write": ("packs", "rules", "edit", "import", "pack-reference"),
    "Make": ("kits", "modules", "publishing", "gallery"),
    "Ask": ("assistant", "positions", "assistant-*", "page", "hosting", "windows"),
    "Look up": ("tables-*", "json", "json-*", "reliability", "benchmarks", "decisions"),
}
"""The pages in the order of the list."""
STYLE = """
:root { color-scheme: light dark; --ink: #22201c; --paper: #fffdf8; --rule: #d8d0c0; --code: #f3eee2; --link: #1f5f96 }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e4da; --paper: #1d1c1a; --rule: #47433b; --code: #2a2824; --link: #8fc1ea } }
* { box-sizing: border-box }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.55 system-ui, sans-serif; display: flex }
nav { flex: 0 0 15rem; padding: 1.5rem 1rem 2rem 1.5rem; font-size: 14px; line-height: 1.4;
  position: sticky; top: 0; height: 100vh; overflow-y: auto }
nav a { text-decoration: none } nav a:hover, nav a:focus { text-decoration: underline }
nav h2 { font-size: 12px; text-transform: uppercase; letter-spacing: .08em; margin: 1.2rem 0 .3rem; border: 0; padding: 0 }
nav ul { list-style: none; margin: 0; padding: 0 } nav li { margin: .2rem 0 } nav [aria-current] { font-weight: 700; color: inherit }
main { flex: 1 1 24rem; min-width: 0; max-width: 58rem; padding: 1rem 1.5rem 4rem }
a { color: var(--link) } h1 { line-height: 1.2 } h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--rule); padding-bottom: .2rem }
code, pre { font: 13.5px/1.45 ui-monospace, Consolas, monospace; background: var(--code) }
code { padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere } pre { padding: .8rem 1rem; overflow-x: auto; border-radius: 6px }
pre code { padding: 0; background: none; overflow-wrap: normal } img { max-width: 100%; height: auto; background: #fff }
table { border-collapse: collapse; display: block; overflow-x: auto } td, th { border: 1px solid var(--rule); padding: .3rem .6rem;
  text-align: left; vertical-align: top }
@media (max-width: 45rem) { body { flex-direction: column-reverse } nav { position: static; height: auto } nav li { margin: .6rem 0 } }
"""
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">{made}
<title>{title} - Mitla</title><link rel="stylesheet" href="{root}style.css"></head>
<body><nav aria-label="Pages"><a href="{root}index.html"><strong>Mitla</strong></a>{menu}</nav>
<main>
{body}</main></body></html>
"""


class CannotWrite(ValueError):
    """The site can't be written there; the text says why."""


def pages() -> dict[str, Path]:
    """Every page by its name, in the order of the groups: packs, tutorial/1-start."""
    return {name: path for group in groups().values() for name, path in group.items()}


def groups() -> dict[str, dict[str, Path]]:
    """The pages of each group."""
    return {
        title: {
            path.relative_to(FOLDER).with_suffix("").as_posix(): path
            for pattern in patterns
            for path in sorted(FOLDER.glob(f"{pattern}.md"))
        }
        for title, patterns in GROUPS.items()
    }


def title_of(path: Path) -> str:
    """A page's heading."""
    with path.open(encoding="utf-8") as file:
        return next((line.lstrip("# ").strip() for line in file if line.startswith("# ")), path.stem)


def write_site(site_folder: Path) -> int:
    """Write the documents as a whole site, or nothing. Returns the number of files."""
    if site_folder.is_file() or (site_folder.is_dir() and any(site_folder.iterdir()) and not _is_site(site_folder)):
        raise CannotWrite(f"{site_folder} holds something else; name a new or empty folder")
    files = site()
    replace_folder(site_folder.resolve(), files)
    return len(files)


def _is_site(folder: Path) -> bool:
    index = folder / "index.html"
    return index.is_file() and GENERATOR_TAG in index.read_text(encoding="utf-8", errors="replace")


def site() -> dict[str, bytes]:
    """The files of the site: a page for each document, and the pictures and examples beside them."""
    files = {"style.css": STYLE.encode()}
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in (".png", ".svg", ".yaml"):
            files[path.relative_to(FOLDER).as_posix()] = path.read_bytes()
    titles = {name: title_of(path) for name, path in pages().items()}
    for name, path in pages().items():
        files[f"{name}.html"] = _page(name, titles, to_html(name, path.read_text(encoding="utf-8"))).encode()
    start = (
        "<h1>Mitla</h1>\n<p>Plain game files in; print-and-play kits, VASSAL modules and a rules assistant out.</p>\n"
    )
    files["index.html"] = _page("index", titles, start + _menu("index", titles)).encode()
    return files


def _page(name: str, titles: dict[str, str], body: str) -> str:
    title = html.escape(titles.get(name, "Documents"))
    return PAGE.format(
        made=GENERATOR_TAG, title=title, root="../" * name.count("/"), menu=_menu(name, titles), body=body
    )


def _menu(name: str, titles: dict[str, str]) -> str:
    root = "../" * name.count("/")
    lines = []
    for title, group in groups().items():
        lines.append(f"<h2>{title}</h2><ul>")
        for page in group:
            current = ' aria-current="page"' if page == name else ""
            lines.append(f'<li><a href="{root}{page}.html"{current}>{html.escape(titles[page])}</a></li>')
        lines.append("</ul>")
    return "\n".join(lines)


def to_html(name: str, text: str) -> str:
    """A page's Markdown as HTML. Headings have anchors, and links to documents lead to their pages."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(text)
    anchor_counts: dict[str, int] = {}
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(tokens[number + 1].content, anchor_counts))
        for child in token.children or ():
            if child.type == "link_open":
                _lead(child, name)
    return str(reader.renderer.render(tokens, reader.options, {}))


def _anchor(heading: str, anchor_counts: dict[str, int]) -> str:
    """A heading's id, as GitHub makes it. A repeated text gets a number."""
    heading_text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    word = re.sub(r"[^\w\- ]", "", heading_text).replace(" ", "-")
    times = anchor_counts[word] = anchor_counts.get(word, -1) + 1
    return f"{word}-{times}" if times else word


def _lead(link: Token, name: str) -> None:
    """Point a link to a document to its page. A link to any other file becomes plain text."""
    parts = urlsplit(str(link.attrGet("href") or ""))
    if parts.scheme or not parts.path:
        return
    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), parts.path))
    if target.startswith("..") or not (FOLDER / target).is_file():
        del link.attrs["href"]
    elif target.endswith(".md"):
        link.attrSet("href", parts._replace(path=parts.path.removesuffix(".md") + ".html").geturl())

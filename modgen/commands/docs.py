"""`modgen docs` on the command line."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from modgen.docs import CannotWrite, pages, title_of, write_site
from scenarios.command import json_option, print_json, wrong
from scenarios.folders import cache_folder
from scenarios.reading.findings import suggest


@click.command()
@click.argument("page", default="")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Write all pages as a small web site.")
@click.option("--open", "opened", is_flag=True, help="Open the page in your browser.")
@json_option
def docs(page: str, out: Path | None, opened: bool, as_json: bool) -> None:
    """List the documents, or print one: `modgen docs packs`."""
    known_pages = pages()
    if page and (page := page.removesuffix(".md").removeprefix("docs/")) not in known_pages:
        raise wrong(f"there is no page {page!r}; {suggest(page, known_pages)}")
    if out is not None or opened:
        folder = out if out is not None else _preview_folder()
        try:
            count = write_site(folder)
        except CannotWrite as error:
            raise wrong(str(error)) from None
        except OSError as error:
            raise wrong(f"{folder} can't be written: {error.strerror}; name another folder") from None
        index = folder / f"{page or 'index'}.html"
        if opened:
            click.launch(index.resolve().as_uri())
        if as_json:
            print_json({"folder": str(folder), "files": count})
        else:
            click.echo(f"wrote {count} files; begin with {index}")
    elif as_json:
        page_entries = [
            {"page": name, "title": title_of(path)} for name, path in known_pages.items() if page in ("", name)
        ]
        print_json({"pages": page_entries, "text": known_pages[page].read_text(encoding="utf-8") if page else ""})
    elif page:
        click.echo(known_pages[page].read_text(encoding="utf-8").rstrip())
    else:
        name_width = max(map(len, known_pages))
        for name, path in known_pages.items():
            click.echo(f"{name:{name_width}}  {title_of(path)}")


def _preview_folder() -> Path:
    """The folder for a preview of the site."""
    return (cache_folder() or Path(tempfile.gettempdir()) / "mitla") / "docs"

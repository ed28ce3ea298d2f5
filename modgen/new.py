"""`modgen new`: writes a small game of the user's own, complete and ready to build."""

from __future__ import annotations

import datetime
import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from string import Template

from scenarios.pack.pack_folder import SAMPLES, samples
from scenarios.reading.findings import suggest

FILES = ("game.yaml", "counters.yaml", "map.yaml")
PLAIN_NAME = re.compile(r"[A-Za-z][\w ]*")
"""A title that needs no quotes in YAML."""
NAME = re.compile(r"[a-z][a-z0-9_]*")


class CannotStart(ValueError):
    """A new game can't be written there; the text says why."""


def new_game(folder: Path, title: str, today: datetime.date, like: str = "") -> list[Path]:
    """Write a whole pack into a new or empty folder, or nothing. Its id is the folder's name, and it may copy a sample (`like`)."""
    if like and like not in samples():
        raise CannotStart(f"there is no sample {like!r}; {suggest(like, samples())}")
    key = re.sub(r"[^a-z0-9]+", "_", folder.resolve().name.lower()).strip("_")
    if not NAME.fullmatch(key):
        raise CannotStart(
            f"a game's id begins with a letter; name the folder otherwise than {folder.name!r}, such as my_game"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CannotStart(f"{folder} is there already and isn't empty; name a new folder")
    game_title = " ".join(title.split()) or key.replace("_", " ").title()
    if not game_title.isprintable():
        raise CannotStart(f"the title {game_title!r} has characters that can't be printed; leave them out")
    yaml_title = game_title if PLAIN_NAME.fullmatch(game_title) else json.dumps(game_title, ensure_ascii=False)
    words = {"id": key, "title": yaml_title, "year": today.year, "date": today.isoformat()}
    texts = _like(like, words) if like else _template(words)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{key}.") as temporary_folder:
        pack_folder = Path(temporary_folder) / key
        pack_folder.mkdir()
        for name, text in texts.items():
            (pack_folder / name).parent.mkdir(exist_ok=True)
            (pack_folder / name).write_text(text, encoding="utf-8", newline="\n")
        if folder.exists():
            folder.rmdir()
        shutil.move(pack_folder, folder)
    return [folder / name for name in texts]


def _template(words: Mapping[str, object]) -> dict[str, str]:
    """The files of the smallest pack."""
    source = resources.files("modgen") / "templates" / "new"
    return {name: Template((source / name).read_text(encoding="utf-8")).substitute(words) for name in FILES}


def _like(sample: str, words: Mapping[str, object]) -> dict[str, str]:
    """The files of a sample, with another id, title and date."""
    home = SAMPLES / sample
    files = sorted(path for path in home.rglob("*") if path.suffix in (".yaml", ".md", ".csv", ".svg"))
    texts = {path.relative_to(home).as_posix(): path.read_text(encoding="utf-8") for path in files}
    new_values = {"id": words["id"], "title": words["title"], "year": words["year"], "release": words["date"]}
    # The card of the game is the first section of the file with such keys.
    texts["game.yaml"] = re.sub(
        r"^  (id|title|year|release): .*$",
        lambda match: f"  {match[1]}: {new_values[match[1]]}",
        texts["game.yaml"],
        count=4,
        flags=re.M,
    )
    return texts

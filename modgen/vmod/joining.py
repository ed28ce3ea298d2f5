"""An extension looked over with its module: the two are put together as the engine does it, and what is wrong then is told."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from modgen.vmod import looks
from modgen.vmod.opened import BUILD, Element, Opened, kind_of, name_of, open_module, told
from modgen.vmod.targets import find
from modgen.vmod.verify import counted, setup_problems
from scenarios.game import Game
from scenarios.vassal import MOST

OWN = (BUILD, "moduledata", "extensiondata")
LOOKS = (looks.pictures, looks.prototypes, looks.keys, looks.menus, looks.expressions)


def is_extension(path: Path) -> bool:
    """Whether a file is an extension, by its name."""
    return path.suffix.lower() == ".vmdx"


def module_beside(path: Path) -> Path:
    """The module of an extension that lies in the module's folder for them; ValueError with a sentence where there is none."""
    folder = path.resolve().parent
    module = folder.with_name(folder.name.removesuffix("_ext") + ".vmod")
    if not folder.name.endswith("_ext") or not module.is_file():
        raise ValueError(
            f"{path.name} is an extension, and its module isn't beside it; name that with --module FILE.vmod"
        )
    return module


def verify_extension(path: Path, module_path: Path, game: Game | None = None, most: int = MOST) -> dict[str, Any]:
    """What is in an extension, and what is wrong with it beside its module; `notes` say what wasn't looked at."""
    extension, module = open_module(path, most), open_module(module_path, most)
    if kind_of(extension.root) != "ModuleExtension":
        raise ValueError(f"{path.name} is no extension: its {BUILD} is of {kind_of(extension.root)}; name a .vmdx file")
    whole, lost = joined(module, extension)
    problems = [*fits(extension, module), *lost, *ids(extension)]
    for look in LOOKS:
        before = set(look(module))
        problems += [problem for problem in look(whole) if problem not in before]
    setups = list(extension.all("PredefinedSetup"))
    notes = []
    if game is None:
        notes.append(
            "set-ups aren't compared: name the game and the overlay that it was made of with --game and --overlay"
        )
    else:
        problems += setup_problems(game, setups, extension.files, most)
    counts = counted(extension, len(setups), len(problems))
    return {"file": str(path), "game": told(module).get("game"), "counts": counts, "problems": problems, "notes": notes}


@contextmanager
def in_its_place(path: Path, module: Path) -> Iterator[Path]:
    """A copy of a module with one extension in its folder for them, and no other."""
    with tempfile.TemporaryDirectory(prefix="vassal-") as folder:
        placed = Path(shutil.copy(module, folder))
        beside = placed.with_name(placed.stem + "_ext")
        beside.mkdir()
        shutil.copy(path, beside)
        yield placed


def fits(extension: Opened, module: Opened) -> Iterator[str]:
    """Whether the extension is of this module."""
    wanted, root = extension.root, module.root
    if wanted.get("anyModule") != "true" and wanted.get("module") != root.get("name"):
        other = wanted.get("module") or "a module that it doesn't name"
        yield f"it is an extension of {other}, and the module is {root.get('name') or 'without a name'}: VASSAL won't load it"
    if _version(wanted.get("moduleVersion", "")) > _version(root.get("version", "")):
        yield (
            f"it was made for version {wanted.get('moduleVersion')}, and the module is {root.get('version') or 'without one'}:"
            " VASSAL will warn"
        )
    if "extensiondata" not in extension.files:
        yield "it has no extensiondata: VASSAL won't take it for an extension"


def _version(text: str) -> list[int]:
    return [int(part) if part.isdecimal() and len(part) < 10 else 0 for part in text.split(".")]


def joined(module: Opened, extension: Opened) -> tuple[Opened, list[str]]:
    """A module with what an extension adds, each in its place, and whatever has none."""
    root = ElementTree.fromstring(module.files[BUILD])
    lost = []
    for part in extension.root:
        target = part.get("target", "")
        place: Element | None = find(root, target)
        if place is None:
            what = ", ".join(f"{kind_of(child)} {name_of(child)}".strip() for child in part)
            lost.append(f"{what} is to be added to {target[:200]}, which the module hasn't")
        else:
            place.extend(part)
    # Where both have a file of a name, the engine takes the module's.
    files = {**{name: content for name, content in extension.files.items() if name not in OWN}, **module.files}
    return Opened(extension.path, files, root), lost


def ids(extension: Opened) -> Iterator[str]:
    """Every piece has an id of its own that begins with the extension's."""
    prefix, seen = extension.root.get("extensionId", ""), set[str]()
    following = looks.whole_number(extension.root.get("nextPieceSlotId", ""))
    if not prefix:
        yield "it has no id of its own: its pieces would have those of the module's"
    for slot in extension.all("PieceSlot"):
        gpid = slot.get("gpid", "")
        before, _, number = gpid.rpartition(":")
        whole = looks.whole_number(number)
        if before != prefix or whole is None:
            yield f"{name_of(slot)} has the id {gpid[:40]!r}; it should begin with {prefix}:"
        elif following is None or whole >= following:
            yield f"{name_of(slot)} has the id {gpid}, but the next would be {extension.root.get('nextPieceSlotId') or 'nothing'}"
        if gpid in seen:
            yield f"the id {gpid} belongs to two pieces"
        seen.add(gpid)

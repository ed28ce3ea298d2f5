"""Checks an extension with its module: combines the two as the engine does, and reports faults."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from modgen.vmod.check import module_faults
from modgen.vmod.check.verify import module_counts, setup_problems
from modgen.vmod.files.component_paths import find
from modgen.vmod.files.loaded_module import BUILD, Element, LoadedModule, kind_of, module_facts, name_of, open_module
from scenarios.model.game import Game
from scenarios.vassal import MAX_BYTES

OWN_FILES = (BUILD, "moduledata", "extensiondata")
LOOKS = (
    module_faults.pictures,
    module_faults.prototypes,
    module_faults.keys,
    module_faults.menus,
    module_faults.expressions,
)


def is_extension(path: Path) -> bool:
    """Whether a file is an extension, judged by its name."""
    return path.suffix.lower() == ".vmdx"


def module_beside(path: Path) -> Path:
    """The module of an extension that is in the module's extension folder. Raises ValueError with a sentence if there is none."""
    folder = path.resolve().parent
    module = folder.with_name(folder.name.removesuffix("_ext") + ".vmod")
    if not folder.name.endswith("_ext") or not module.is_file():
        raise ValueError(
            f"{path.name} is an extension, and its module isn't beside it; name that with --module FILE.vmod"
        )
    return module


def verify_extension(
    path: Path, module_path: Path, game: Game | None = None, max_bytes: int = MAX_BYTES
) -> dict[str, Any]:
    """The content of an extension and its faults beside its module. `notes` say what wasn't checked."""
    extension, module = open_module(path, max_bytes), open_module(module_path, max_bytes)
    if kind_of(extension.root) != "ModuleExtension":
        raise ValueError(f"{path.name} is no extension: its {BUILD} is of {kind_of(extension.root)}; name a .vmdx file")
    joined_module, lost_parts = join_extension(module, extension)
    problems = [*fits(extension, module), *lost_parts, *ids(extension)]
    for look in LOOKS:
        module_problems = set(look(module))
        problems += [problem for problem in look(joined_module) if problem not in module_problems]
    setups = list(extension.elements("PredefinedSetup"))
    notes = []
    if game is None:
        notes.append(
            "set-ups aren't compared: name the game and the overlay that it was made of with --game and --overlay"
        )
    else:
        problems += setup_problems(game, setups, extension.files, max_bytes)
    counts = module_counts(extension, len(setups), len(problems))
    return {
        "file": str(path),
        "game": module_facts(module).get("game"),
        "counts": counts,
        "problems": problems,
        "notes": notes,
    }


@contextmanager
def in_its_place(path: Path, module: Path) -> Iterator[Path]:
    """A copy of a module with one extension, and no other, in its extension folder."""
    with tempfile.TemporaryDirectory(prefix="vassal-") as folder:
        module_copy = Path(shutil.copy(module, folder))
        extension_folder = module_copy.with_name(module_copy.stem + "_ext")
        extension_folder.mkdir()
        shutil.copy(path, extension_folder)
        yield module_copy


def fits(extension: LoadedModule, module: LoadedModule) -> Iterator[str]:
    """Checks that the extension belongs to this module."""
    extension_root, root = extension.root, module.root
    if extension_root.get("anyModule") != "true" and extension_root.get("module") != root.get("name"):
        other = extension_root.get("module") or "a module that it doesn't name"
        yield f"it is an extension of {other}, and the module is {root.get('name') or 'without a name'}: VASSAL won't load it"
    if _version(extension_root.get("moduleVersion", "")) > _version(root.get("version", "")):
        yield (
            f"it was made for version {extension_root.get('moduleVersion')}, and the module is {root.get('version') or 'without one'}:"
            " VASSAL will warn"
        )
    if "extensiondata" not in extension.files:
        yield "it has no extensiondata: VASSAL won't take it for an extension"


def _version(text: str) -> list[int]:
    return [int(part) if part.isdecimal() and len(part) < 10 else 0 for part in text.split(".")]


def join_extension(module: LoadedModule, extension: LoadedModule) -> tuple[LoadedModule, list[str]]:
    """A module with an extension's additions, each in its place, and the additions that have no place."""
    root = ElementTree.fromstring(module.files[BUILD])
    problems = []
    for part in extension.root:
        target = part.get("target", "")
        place: Element | None = find(root, target)
        if place is None:
            part_names = ", ".join(f"{kind_of(child)} {name_of(child)}".strip() for child in part)
            problems.append(f"{part_names} is to be added to {target[:200]}, which the module hasn't")
        else:
            place.extend(part)
    # If both have a file of a name, the engine uses the module's.
    files = {**{name: content for name, content in extension.files.items() if name not in OWN_FILES}, **module.files}
    return LoadedModule(extension.path, files, root), problems


def ids(extension: LoadedModule) -> Iterator[str]:
    """Checks that every piece has its own id with the extension's prefix."""
    prefix, used_ids = extension.root.get("extensionId", ""), set[str]()
    following = module_faults.whole_number(extension.root.get("nextPieceSlotId", ""))
    if not prefix:
        yield "it has no id of its own: its pieces would have those of the module's"
    for slot in extension.elements("PieceSlot"):
        gpid = slot.get("gpid", "")
        id_prefix, _, number = gpid.rpartition(":")
        id_number = module_faults.whole_number(number)
        if id_prefix != prefix or id_number is None:
            yield f"{name_of(slot)} has the id {gpid[:40]!r}; it should begin with {prefix}:"
        elif following is None or id_number >= following:
            yield f"{name_of(slot)} has the id {gpid}, but the next would be {extension.root.get('nextPieceSlotId') or 'nothing'}"
        if gpid in used_ids:
            yield f"the id {gpid} belongs to two pieces"
        used_ids.add(gpid)

"""Damaged saves, logs and modules."""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from scenarios.opening_positions import game_of, open_position
from scenarios.pack.loading import read_pack
from scenarios.vassal.archive import ENTRY, read_save, veil
from tests.fuzz.mutating import bytes_damaged, text_damaged, tree_damaged
from tests.fuzz.running import Case, Part
from tests.fuzz.world import DATA, folder, game, module, module_files, sentence, words, zip_files

MODULES = ("two_wells", "march")


@functools.cache
def _saves(ending: str) -> tuple[tuple[str, str, Mapping[str, bytes]], ...]:
    """The texts of saves or logs, by the game they are of, with the other files in them."""
    saves = [("two_wells", *read_save(DATA / f"two_wells.{ending}"))]
    if ending == "vsav":
        for name in MODULES:
            for file, content in module_files(name).items():
                if file.endswith(".vsav"):
                    path = folder() / "seed.vsav"
                    path.write_bytes(content)
                    saves.append((name, *read_save(path)))
    return tuple(saves)


def _save(random: Random, ending: str) -> Case:
    name, text, other_entries = random.choice(_saves(ending))
    if random.random() < 0.7:
        text = text_damaged(random, text, "\x1b\t/;\\,|\n")
        return {"game": name, "ending": ending, "content": zip_files({ENTRY: veil(text), **other_entries})}
    archive = zip_files(
        {ENTRY: veil(text) if random.random() < 0.5 else bytes_damaged(random, veil(text)), **other_entries}
    )
    return {"game": name, "ending": ending, "content": bytes_damaged(random, archive)}


def _try_save(case: Case) -> str:
    path = folder() / f"case.{case['ending']}"
    path.write_bytes(case["content"])
    sentence(lambda: game_of(path), ValueError)
    return sentence(lambda: open_position(game(case["game"]), path))


def _foreign(random: Random) -> Case:
    """A save read with a table between it and a pack."""
    _, text, other_entries = random.choice(_saves("vsav"))
    table = _table()
    if random.random() < 0.7:
        table = text_damaged(random, table, ',\n"')
    else:
        text = text_damaged(random, text, "\x1b\t/;\\,|\n")
    return {"table": table.encode("utf-8", "replace"), "content": zip_files({ENTRY: veil(text), **other_entries})}


@functools.cache
def _table() -> str:
    from modgen.importing.pack import read_module
    from modgen.importing.table import propose, write_table

    path, table_path = folder() / "seed.vmod", folder() / "seed.map.csv"
    path.write_bytes(module("two_wells"))
    write_table(table_path, propose(read_module(path), game("two_wells")))
    return table_path.read_text(encoding="utf-8")


def _try_foreign(case: Case) -> str:
    path, table = folder() / "foreign.vsav", folder() / "foreign.csv"
    path.write_bytes(case["content"])
    table.write_bytes(case["table"])
    sentence(lambda: game_of(path, table=table), ValueError)
    return sentence(lambda: open_position(game("two_wells"), path, table=table))


def _module(random: Random) -> Case:
    name = random.choice(MODULES)
    files = dict(module_files(name))
    kind = random.random()
    if kind < 0.75:
        files["buildFile.xml"] = text_damaged(random, files["buildFile.xml"].decode("utf-8"), '\n"<> ;/\t=,').encode(
            "utf-8", "replace"
        )
    elif kind < 0.95:
        file = random.choice(sorted(files))
        if random.random() < 0.3:
            del files[file]
        else:
            files[file] = bytes_damaged(random, files[file])
    archive = zip_files(files)
    return {
        "game": name,
        "how": random.choice(("verify", "diff", "import", "table", "patch")),
        "content": archive if kind < 0.95 else bytes_damaged(random, archive),
    }


def _import_module(path: Path) -> None:
    """The pack of a module is written; it loads, or says what is wrong with it."""
    from modgen.importing.pack import read_module, write_pack
    from tests.fuzz.parts_files import findings_kind

    target_folder = folder() / "imported"
    shutil.rmtree(target_folder, ignore_errors=True)
    write_pack(read_module(path), target_folder, "")
    findings_kind(read_pack(target_folder, (), False)[1])


def _try_module(case: Case) -> str:
    from modgen.importing.pack import read_module
    from modgen.importing.pictures import PictureTooLarge
    from modgen.importing.table import propose
    from modgen.vmod.check.diff import compare
    from modgen.vmod.check.verify import verify_module
    from modgen.vmod.files.patch import make_patch

    path, module_path = folder() / "case.vmod", folder() / f"{case['game']}.vmod"
    path.write_bytes(case["content"])
    if not module_path.exists():
        module_path.write_bytes(module(case["game"]))
    calls: dict[str, Any] = {
        "verify": lambda: verify_module(path, game(case["game"])),
        "diff": lambda: compare(module_path, path),
        "import": lambda: _import_module(path),
        "table": lambda: propose(read_module(path), game(case["game"])),
        "patch": lambda: make_patch(module_path, path),
    }
    return sentence(calls[case["how"]], ValueError, PictureTooLarge)


@functools.cache
def _make_patch() -> dict[str, Any]:
    from modgen.vmod.files.patch import make_patch

    files = dict(module_files("two_wells"))
    text = files["buildFile.xml"].decode("utf-8")
    files["buildFile.xml"] = text.replace("Field gun", "Great gun").replace("true", "false", 3).encode("utf-8")
    old, new = folder() / "old.vmod", folder() / "new.vmod"
    old.write_bytes(module("two_wells"))
    new.write_bytes(zip_files({**files, "extra.txt": b"extra"}))
    return make_patch(old, new)[0]


def _patch(random: Random) -> Case:
    text = json.dumps(tree_damaged(random, _make_patch(), words()), ensure_ascii=False)
    return {"content": (text if random.random() < 0.8 else text_damaged(random, text)).encode("utf-8", "replace")}


def _try_patch(case: Case) -> str:
    from modgen.vmod.files.patch import apply_patch

    pack = folder() / "patched"
    pack.mkdir(exist_ok=True)
    Path(pack / "module.patch.json").write_bytes(case["content"])
    return sentence(lambda: apply_patch(pack, module_files("two_wells")), ValueError)


VASSAL = {
    "saves": Part(lambda random: _save(random, "vsav"), _try_save),
    "logs": Part(lambda random: _save(random, "vlog"), _try_save),
    "foreign saves": Part(_foreign, _try_foreign),
    "modules": Part(_module, _try_module),
    "patches": Part(_patch, _try_patch),
}

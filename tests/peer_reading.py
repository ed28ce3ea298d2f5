"""Run by the Python that has pywargame: what it finds in a module and its saves, as JSON.

`python peer_reading.py FILE.vmod` reads the palette, and every set-up in the module.
"""

import json
import sys
import tempfile
import zipfile

from pywargame.vassal.buildfile import BuildFile
from pywargame.vassal.save import SaveIO
from pywargame.vassal.traits import BasicTrait, MarkTrait
from pywargame.vassal.vmod import VMod
from pywargame.vassal.withtraits import WithTraits


def palette(path: str) -> list[dict[str, str]]:
    """Every slot: its id, and the name and id of the piece in it."""
    with VMod(path, "r") as module:
        slots = BuildFile(module.getBuildFile()).getGame().getPieces(asdict=False)
        return [{"gpid": slot["gpid"], "name": name(basic(slot.getTraits()))} for slot in slots]


def basic(traits: list[BasicTrait]) -> BasicTrait:
    """The piece itself."""
    return next(trait for trait in traits if trait.ID == BasicTrait.ID)


def name(piece: BasicTrait) -> str:
    """A piece's name; pywargame leaves the backslash with which VASSAL guards a slash."""
    return str(piece["name"]).replace("\\/", "/")


def unit(traits: list[BasicTrait]) -> str:
    """The counter that a piece says it is."""
    marks = (trait for trait in traits if trait.ID == MarkTrait.ID)
    for mark in marks:
        names, values = mark._type[0].split(","), mark._state[0].split(",")
        if "unit" in names:
            return str(values[names.index("unit")])
    return ""


def read_save_pieces(content: bytes) -> list[dict[str, object]]:
    """Every piece of a save: id, counter, name, window and pixels."""
    with tempfile.NamedTemporaryFile(suffix=".vsav") as file:
        file.write(content)
        file.flush()
        _, lines = SaveIO.readSave(file.name)
    pieces: list[dict[str, object]] = []
    for line in lines:
        if not line.startswith("+/") or line.split("/")[2].startswith(("stack", "deck;")):
            continue
        _, traits = WithTraits.decodeAdd(line)
        piece = basic(traits)
        about: dict[str, object] = {"gpid": piece["gpid"], "name": name(piece), "unit": unit(traits)}
        pieces.append(about | {"window": piece["map"], "x": int(piece["x"]), "y": int(piece["y"])})
    return pieces


if __name__ == "__main__":
    with zipfile.ZipFile(sys.argv[1]) as archive:
        saves = {name: archive.read(name) for name in archive.namelist() if name.endswith(".vsav")}
    answer = {
        "palette": palette(sys.argv[1]),
        "saves": {name: read_save_pieces(content) for name, content in saves.items()},
    }
    json.dump(answer, sys.stdout)

"""What the chat says of everything that a player does to a piece and to a stack: one line for each deed, in words."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from modgen.cache import Cache, cache_folder
from modgen.vmod import keys
from modgen.vmod.chat import plural
from modgen.vmod.faces import counted_steps, face_state, loose_states, lower
from modgen.vmod.lock import Lock, read_lock
from modgen.vmod.module import module_bytes
from modgen.vmod.reports import changed, state_words, turned, words_of
from modgen.vmod.setups import setup_file
from scenarios import load, shipped
from scenarios.game import Game
from scenarios.position import Piece, from_scenario
from scenarios.vassal.windows import SOLITAIRE, box_sheets, map_of
from tests.engine.battles import Ring
from tests.engine.run import drive

Point = tuple[int, int]


@dataclass(frozen=True)
class Deed:
    """Something done, and what the chat has to say then: the whole line, as a pattern."""

    name: str
    orders: tuple[str, ...]
    said: str


def deeds(game: Game, scenario: str, lock: Lock) -> Iterator[Deed]:
    """Everything that is done to units in one place, alone and together, and to every marker."""
    places = Ring(game, scenario, lock, 1).places
    (_, x, y), (_, right, down) = places[len(places) // 2], places[len(places) // 3]
    pieces = [piece for piece in from_scenario(game, scenario).pieces if piece.unit in game.units]
    yield from of_units(game, three(game, pieces), (x, y), (right, down))
    for key in game.markers:
        yield from of_marker(game, scenario, key, lock.gpid(key), (x, y), (right, down))


def three(game: Game, pieces: list[Piece]) -> list[Piece]:
    """Three units: with printed backs for the same state if there are as many, or else one such and others."""
    backed: dict[str, list[Piece]] = {}
    for piece in pieces:
        if changed(game, game.units[piece.unit]):
            backed.setdefault(face_state(game, game.units[piece.unit]), []).append(piece)
    alike = max(backed.values(), key=len, default=[])
    return [*alike, *(piece for piece in pieces if piece not in alike)][:3]


def of_units(game: Game, units: list[Piece], first: Point, second: Point) -> Iterator[Deed]:
    """What is done to three units, one of which has a printed back if any has."""
    take = [f"take\t{i}\t{piece.unit}\t{piece.copy}" for i, piece in enumerate(units)]
    take += [f"go\t{i}\t{first[0]}\t{first[1]}" for i in range(len(units))]
    yield Deed("set-up", (*take, "select\t0\t1\t2"), r"")
    yield Deed("move", (f"go all\t{second[0]}\t{second[1]}",), r".+: from .+ to .+")
    alone, stack = ("select\t0",), ("select\t0\t1\t2",)

    def both(
        name: str, stroke: str, begins: str, ends: str, secret: bool = False, more: tuple[str, str] = ("", "")
    ) -> Iterator[Deed]:
        yield Deed(f"{name}, one piece", (*alone, f"command\t{stroke}"), rf".+: \S.+ {begins}{more[0]}")
        yield Deed(f"{name}, one piece again", (f"command\t{stroke}",), rf".+: \S.+ {ends}{more[1]}")
        yield Deed(f"{name}, a stack", (*stack, f"command\t{stroke}"), rf".+: 3 pieces {plural(begins)}, .+ on top")
        yield Deed(f"{name}, a stack again", (f"command\t{stroke}",), rf".+: 3 pieces {plural(ends)}, .+ on top")
        if secret and game.card.fog:
            yield Deed(
                f"{name}, conceal", (*alone, f"command\t{keys.CONCEAL}"), r".+: concealed .+ piece lies here now"
            )
            yield Deed(f"{name}, concealed", (f"command\t{stroke}",), r".+: concealed \D+ piece is changed")
            yield Deed(
                f"{name}, one concealed in a stack",
                (*stack, f"command\t{stroke}"),
                r".+: 3 pieces are changed, .+ on top",
            )
            yield Deed(f"{name}, show", (*alone, f"command\t{keys.CONCEAL}"), r".+: \S.+ is shown")
            yield Deed(f"{name}, all as before", (f"command\t{stroke}", *stack, f"command\t{stroke}"), r".+")

    for number, state in enumerate(loose_states(game)):
        if not any(state in piece.states for piece in units):
            yield from both(state, keys.state_key(number), *state_words(game, state), secret=True)
    unit = game.units[units[0].unit]
    less = again = ""
    for key, (front, back) in changed(game, unit).items():
        name = re.escape(lower(game.factors[key].name))
        less += f"(, |: )({name} {back} instead of {front}|no {name})"
        again += f"(, |: ){name} {front}( again)?"
    alike = len({face_state(game, game.units[piece.unit]) for piece in units}) == 1
    for deed in both("flip", keys.FLIP, *turned(game, face_state(game, unit)), secret=True, more=(less, again)):
        mixed = not alike and "a stack" in deed.name and "concealed" not in deed.name
        yield replace(deed, said=r".+: 3 pieces are flipped, .+ on top") if mixed else deed
    yield from both("moved", keys.MOVED, "is (no longer )?marked as moved", "is (no longer )?marked as moved")
    if game.attacks:
        yield from both("attacker", keys.ATTACKER, "attacks", "leaves the battle")
        yield from both("defender", keys.DEFENDER, "is attacked", "leaves the battle")
    if unit.steps in counted_steps(game):
        yield Deed(
            "a step",
            (*alone, f"command\t{keys.LOSS}"),
            rf".+: \S.+ loses a step: {unit.steps - 1} of {unit.steps} left",
        )
        yield Deed("all steps", (f"command\t{keys.RECOVER}",), rf".+: \S.+ has all {unit.steps} steps again")
    yield Deed("lose", (*alone, f"command\t{keys.ELIMINATE}"), r"\S.+ is lost in .+, to .+")
    yield Deed("return", (f"command\t{keys.BACK}",), r"\S.+ is back in .+, from .+")
    yield Deed("delete", (f"command\t{keys.DELETE}",), r"\S.+ is taken out of the game")


def of_marker(game: Game, scenario: str, key: str, slot: str, first: Point, second: Point) -> Iterator[Deed]:
    """A marker from the palette on the map, moved, copied, turned over, put into boxes and taken away."""
    marker, words = game.markers[key], words_of(game, key)
    name = re.escape(marker.name)

    def said(text: str, otherwise: str) -> str:
        return re.escape(text).replace(r"\{place\}", ".+") if text else otherwise

    x, y = first
    yield Deed(
        f"{key}, new", (f"new\tm\t{slot}", f"bring\tm\tMain Map\t{x}\t{y}"), said(words.put, rf"{name}: new in .+")
    )
    yield Deed(f"{key}, moved", ("select\tm", f"go all\t{second[0]}\t{second[1]}"), rf"{name}: from .+ to .+")
    yield Deed(
        f"{key}, turned", ("select\tm", f"command\t{keys.FLIP}"), said(words.back, rf".+: {name} flips to its back")
    )
    yield Deed(
        f"{key}, turned again", (f"command\t{keys.FLIP}",), said(words.front, rf".+: {name} flips back to its front")
    )
    yield Deed(f"{key}, copied", (f"command\t{keys.CLONE}",), rf".+: another {name}")
    yield Deed(
        f"{key}, taken away",
        ("select\tm", f"command\t{keys.DELETE}"),
        said(words.gone, rf"{name} is taken out of the game"),
    )
    sheets = box_sheets(game, map_of(game, scenario))
    for box, text in words.boxes.items():
        trays = ((sheet.window, tray) for sheet in sheets for tray in sheet.trays)
        window, (left, top) = next((window, tray.cells[0]) for window, tray in trays if tray.location == f"box:{box}")
        put = (f"new\tm\t{slot}", f"bring\tm\tMain Map\t{x}\t{y}", f"bring\tm\t{window}\t{left}\t{top}")
        yield Deed(f"{key}, in {box}", put, said(text, ""))
        gone = rf"{name} is taken out of the game"
        yield Deed(f"{key}, taken out of {box}", ("select\tm", f"command\t{keys.DELETE}"), gone)


def check(engine: Path, game: Game, scenario: str) -> tuple[list[Deed], list[str], list[str]]:
    """Everything done, every line that was said, and what isn't right."""
    folder = Path(tempfile.mkdtemp(prefix="mitla-chat-"))
    module, start = folder / f"{game.id}.vmod", folder / "start.vsav"
    lock = read_lock(game.folder)
    module.write_bytes(module_bytes(game, lock, Cache(cache_folder())))
    with zipfile.ZipFile(module) as archive:
        start.write_bytes(archive.read(setup_file(game, scenario)))
    listed = [*deeds(game, scenario, lock)]
    orders = [order for deed in listed for order in (*deed.orders, "chat", "say\tEND")]
    lines = drive(engine, module, [f"load\t{start}", f"side\t{SOLITAIRE}", *orders], folder)
    found = [line for line in lines if line.startswith(("unknown", "failed"))]
    said: list[list[str]] = [[]]
    for line in lines:
        if line == "END":
            said.append([])
        elif line.startswith("chat\t"):
            said[-1].append(line.removeprefix("chat\t").removeprefix("* "))
    for deed, heard in zip(listed, said, strict=False):
        # What a stack breaks is told beside the move.
        heard[:] = [line for line in heard if not line.startswith("Stacking in ") and " is early: " not in line]
        if deed.said and (len(heard) != 1 or not re.fullmatch(deed.said, heard[0])):
            found.append(f"{deed.name}: {heard}, not {deed.said}")
    if len(said) <= len(listed):
        found.append(f"{len(said) - 1} of {len(listed)} deeds were done")
    shutil.rmtree(folder, ignore_errors=True)
    return listed, [f"{deed.name}: {line}" for deed, heard in zip(listed, said, strict=False) for line in heard], found


def main() -> int:
    """`python -m tests.engine.chat ENGINE [--show] [GAME ...]`"""
    engine, *rest = sys.argv[1:]
    bad = 0
    for name in [one for one in rest if one != "--show"] or shipped():
        game = load(name)
        listed, said, found = check(Path(engine), game, next(iter(game.scenarios)))
        print(f"{name}: {len(listed)} deeds, {len(found)} not told as they should be", *found, sep="\n  ", flush=True)
        if "--show" in rest:
            print(*said, sep="\n    ")
        bad += len(found)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

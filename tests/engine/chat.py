"""What the chat says of everything that a player does to a piece and to a stack: one line for each deed, in words."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from modgen.cache import Cache, cache_folder
from modgen.vmod import keys
from modgen.vmod.faces import counted_steps, face_state, loose_states, lower
from modgen.vmod.lock import read_lock
from modgen.vmod.module import module_bytes
from modgen.vmod.setups import setup_file
from scenarios import load, shipped
from scenarios.game import Game
from scenarios.position import from_scenario
from scenarios.vassal.windows import SOLITAIRE
from tests.engine.battles import Ring
from tests.engine.run import drive


@dataclass(frozen=True)
class Deed:
    """Something done, and what the chat has to say then: the whole line, as a pattern."""

    name: str
    orders: tuple[str, ...]
    said: str


def deeds(game: Game, scenario: str) -> Iterator[Deed]:
    """Everything that is done to three units in one place, and to one of them alone."""
    units = [piece for piece in from_scenario(game, scenario).pieces if piece.unit in game.units][:3]
    places = Ring(game, scenario, read_lock(game.folder), 1).places
    (_, x, y), (_, right, down) = places[len(places) // 2], places[len(places) // 3]
    take = [f"take\t{i}\t{piece.unit}\t{piece.copy}" for i, piece in enumerate(units)]
    take += [f"go\t{i}\t{x}\t{y}" for i in range(len(units))]
    yield Deed("set-up", (*take, "select\t0\t1\t2"), r"")
    yield Deed("move", (f"go all\t{right}\t{down}",), r".+: from .+ to .+")
    alone, stack = ("select\t0",), ("select\t0\t1\t2",)

    def both(name: str, stroke: str, one: str, many: str) -> Iterator[Deed]:
        yield Deed(f"{name}, one piece", (*alone, f"command\t{stroke}"), rf".+: \S.+ {one}")
        yield Deed(f"{name}, one piece again", (f"command\t{stroke}",), r".+: \S.+")
        yield Deed(f"{name}, a stack", (*stack, f"command\t{stroke}"), rf".+: 3 pieces {many}, .+ on top")
        yield Deed(f"{name}, a stack again", (f"command\t{stroke}",), r".+: 3 pieces .+, .+ on top")

    for number, state in enumerate(loose_states(game)):
        name = re.escape(lower(game.states[state].name))
        if not any(state in piece.states for piece in units):
            yield from both(state, keys.state_key(number), f"is marked {name}", f"are marked {name}")
    back = face_state(game, game.units[units[0].unit])
    name = re.escape(lower(game.states[back].name)) if back in game.states else "its back"
    yield Deed("flip, one piece", (*alone, f"command\t{keys.FLIP}"), rf".+: \S.+ flips to {name}(: now .+, was .+)?")
    yield Deed("flip, one piece again", (f"command\t{keys.FLIP}",), r".+: \S.+ flips back to its front(: .+ again)?")
    yield Deed("flip, a stack", (*stack, f"command\t{keys.FLIP}"), r".+: 3 pieces flip to .+, .+ on top")
    yield Deed("flip, a stack again", (f"command\t{keys.FLIP}",), r".+: 3 pieces flip back to their fronts, .+ on top")
    yield from both("moved", keys.MOVED, "is (no longer )?marked as moved", "are (no longer )?marked as moved")
    if game.attacks:
        yield from both("attacker", keys.ATTACKER, "attacks", "attack")
        yield from both("defender", keys.DEFENDER, "is attacked", "are attacked")
    if game.units[units[0].unit].steps in counted_steps(game):
        steps = game.units[units[0].unit].steps
        yield Deed("a step", (*alone, f"command\t{keys.LOSS}"), rf".+: \S.+ loses a step, {steps - 1} of {steps} left")
        yield Deed("all steps", (f"command\t{keys.RECOVER}",), rf".+: \S.+ has all {steps} steps again")
    if game.card.fog:
        yield Deed("conceal", (*alone, f"command\t{keys.CONCEAL}"), r".+: concealed .+ piece lies here now")
        yield Deed("show", (f"command\t{keys.CONCEAL}",), r".+: \S.+ is shown")
    yield Deed("lose", (*alone, f"command\t{keys.ELIMINATE}"), r"\S.+ is lost in .+, to .+")
    yield Deed("return", (f"command\t{keys.BACK}",), r"\S.+ is back in .+, from .+")
    yield Deed("delete", (f"command\t{keys.DELETE}",), r"\S.+ is taken out of the game")


def check(engine: Path, game: Game, scenario: str) -> tuple[list[Deed], list[str], list[str]]:
    """Everything done, every line that was said, and what isn't right."""
    folder = Path(tempfile.mkdtemp(prefix="mitla-chat-"))
    module, start = folder / f"{game.id}.vmod", folder / "start.vsav"
    module.write_bytes(module_bytes(game, read_lock(game.folder), Cache(cache_folder())))
    with zipfile.ZipFile(module) as archive:
        start.write_bytes(archive.read(setup_file(game, scenario)))
    listed = [*deeds(game, scenario)]
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

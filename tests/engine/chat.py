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
from modgen.vmod.files import keys
from modgen.vmod.files.lock import Lock, read_lock
from modgen.vmod.files.module import module_bytes
from modgen.vmod.pieces.faces import counted_steps, loose_states, lower
from modgen.vmod.setups.setups import setup_file
from modgen.vmod.text.chat import plural
from modgen.vmod.text.piece_reports import changed_factors, flip_text, state_words, words_of
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.model.position import Piece, from_scenario
from scenarios.unit_view import face_state
from scenarios.vassal.windows import SOLITAIRE, box_sheets, map_of
from tests.engine.battles import Ring
from tests.engine.run import drive

Point = tuple[int, int]

SILENCE = "nothing"
"""Where the chat says nothing."""


@dataclass(frozen=True)
class Deed:
    """Something done, and what the chat has to say then: the whole line, as a pattern."""

    name: str
    orders: tuple[str, ...]
    expected_chat: str


def deeds(game: Game, scenario: str, lock: Lock) -> Iterator[Deed]:
    """Everything that is done to units in one place, alone and together, and to every marker."""
    places = Ring(game, scenario, lock, 1).places
    (_, x, y), (_, right, second_y) = places[len(places) // 2], places[len(places) // 3]
    pieces = [piece for piece in from_scenario(game, scenario).pieces if piece.unit in game.units]
    yield from of_units(game, three(game, pieces), (x, y), (right, second_y))
    for key in game.markers:
        yield from of_marker(game, scenario, key, lock.gpid(key), (x, y), (right, second_y))


def three(game: Game, pieces: list[Piece]) -> list[Piece]:
    """Three units: with printed backs for the same state if there are as many, or else one such and others."""
    by_back: dict[str, list[Piece]] = {}
    for piece in pieces:
        if changed_factors(game, game.units[piece.unit]):
            by_back.setdefault(face_state(game, game.units[piece.unit]), []).append(piece)
    same_back = max(by_back.values(), key=len, default=[])
    return [*same_back, *(piece for piece in pieces if piece not in same_back)][:3]


def of_units(game: Game, units: list[Piece], first: Point, second: Point) -> Iterator[Deed]:
    """What is done to three units, one of which has a printed back if any has."""
    take = [f"take\t{i}\t{piece.unit}\t{piece.copy}" for i, piece in enumerate(units)]
    take += [f"go\t{i}\t{first[0]}\t{first[1]}" for i in range(len(units))]
    yield Deed("set-up", (*take, "select\t0\t1\t2"), r"")
    yield Deed("move", (f"go all\t{second[0]}\t{second[1]}",), r".+: from .+ to .+")
    single_piece, stack = ("select\t0",), ("select\t0\t1\t2",)

    def paired_deeds(
        name: str, stroke: str, begins: str, ends: str, secret: bool = False, suffixes: tuple[str, str] = ("", "")
    ) -> Iterator[Deed]:
        yield Deed(f"{name}, one piece", (*single_piece, f"command\t{stroke}"), rf".+: \S.+ {begins}{suffixes[0]}")
        yield Deed(f"{name}, one piece again", (f"command\t{stroke}",), rf".+: \S.+ {ends}{suffixes[1]}")
        yield Deed(f"{name}, a stack", (*stack, f"command\t{stroke}"), rf".+: 3 pieces {plural(begins)}, .+ on top")
        yield Deed(f"{name}, a stack again", (f"command\t{stroke}",), rf".+: 3 pieces {plural(ends)}, .+ on top")
        if secret and game.card.fog:
            yield Deed(
                f"{name}, conceal", (*single_piece, f"command\t{keys.CONCEAL}"), r".+: concealed .+ piece lies here now"
            )
            yield Deed(f"{name}, concealed", (f"command\t{stroke}",), r".+: concealed \D+ piece is changed")
            yield Deed(
                f"{name}, one concealed in a stack",
                (*stack, f"command\t{stroke}"),
                r".+: 3 pieces are changed, .+ on top",
            )
            yield Deed(f"{name}, show", (*single_piece, f"command\t{keys.CONCEAL}"), r".+: \S.+ is shown")
            yield Deed(f"{name}, all as before", (f"command\t{stroke}", *stack, f"command\t{stroke}"), r".+")

    for number, state in enumerate(loose_states(game)):
        abilities = game.states[state].abilities
        if abilities and not any({*abilities} & {*game.units[piece.unit].abilities} for piece in units):
            yield Deed(f"{state}, not for these", (*stack, f"command\t{keys.state_key(number)}"), SILENCE)
        elif not any(state in piece.states for piece in units):
            yield from paired_deeds(state, keys.state_key(number), *state_words(game, state), secret=True)
    unit = game.units[units[0].unit]
    loss_pattern = restore_pattern = ""
    for key, (front, back_value) in changed_factors(game, unit).items():
        name = re.escape(lower(game.factors[key].name))
        loss_pattern += f"(, |: )({name} {back_value} instead of {front}|no {name})"
        restore_pattern += f"(, |: ){name} {front}( again)?"
    is_uniform = len({face_state(game, game.units[piece.unit]) for piece in units}) == 1
    for deed in paired_deeds(
        "flip",
        keys.FLIP,
        *flip_text(game, face_state(game, unit)),
        secret=True,
        suffixes=(loss_pattern, restore_pattern),
    ):
        is_mixed = not is_uniform and "a stack" in deed.name and "concealed" not in deed.name
        yield replace(deed, expected_chat=r".+: 3 pieces are flipped, .+ on top") if is_mixed else deed
    yield from paired_deeds(
        "moved", keys.MARK_MOVED, "is (no longer )?marked as moved", "is (no longer )?marked as moved"
    )
    if game.attacks:
        yield from paired_deeds("attacker", keys.ATTACKER, "attacks", "leaves the battle")
        yield from paired_deeds("defender", keys.DEFENDER, "is attacked", "leaves the battle")
    if unit.steps in counted_steps(game):
        yield Deed(
            "a step",
            (*single_piece, f"command\t{keys.LOSS}"),
            rf".+: \S.+ loses a step: {unit.steps - 1} of {unit.steps} left",
        )
        yield Deed("all steps", (f"command\t{keys.RECOVER}",), rf".+: \S.+ has all {unit.steps} steps again")
    yield Deed("lose", (*single_piece, f"command\t{keys.ELIMINATE}"), r"\S.+ is eliminated in .+, to .+")
    yield Deed("return", (f"command\t{keys.RETURN_TO_PLAY}",), r"\S.+ returns to play in .+, from .+")
    yield Deed("delete", (f"command\t{keys.DELETE}",), r"\S.+ is removed from the game")


def of_marker(game: Game, scenario: str, key: str, slot: str, first: Point, second: Point) -> Iterator[Deed]:
    """A marker from the palette on the map, moved, copied, turned over, put into boxes and taken away."""
    marker, words = game.markers[key], words_of(game, key)
    name = re.escape(marker.name)

    def message_pattern(text: str, otherwise: str) -> str:
        return re.escape(text).replace(r"\{place\}", ".+") if text else otherwise

    x, y = first
    yield Deed(
        f"{key}, new",
        (f"new\tm\t{slot}", f"bring\tm\tMain Map\t{x}\t{y}"),
        message_pattern(words.put, rf"{name}: new in .+"),
    )
    yield Deed(f"{key}, moved", ("select\tm", f"go all\t{second[0]}\t{second[1]}"), rf"{name}: from .+ to .+")
    yield Deed(
        f"{key}, turned",
        ("select\tm", f"command\t{keys.FLIP}"),
        message_pattern(words.back, rf".+: {name} flips to its back"),
    )
    yield Deed(
        f"{key}, turned again",
        (f"command\t{keys.FLIP}",),
        message_pattern(words.front, rf".+: {name} flips back to its front"),
    )
    yield Deed(f"{key}, copied", (f"command\t{keys.CLONE}",), rf".+: another {name}")
    yield Deed(
        f"{key}, taken away",
        ("select\tm", f"command\t{keys.DELETE}"),
        message_pattern(words.gone, rf"{name} is removed from the game"),
    )
    sheets = box_sheets(game, map_of(game, scenario))
    for box, text in words.boxes.items():
        trays = ((sheet.window, tray) for sheet in sheets for tray in sheet.trays)
        window, (left, top) = next((window, tray.cells[0]) for window, tray in trays if tray.location == f"box:{box}")
        put = (f"new\tm\t{slot}", f"bring\tm\tMain Map\t{x}\t{y}", f"bring\tm\t{window}\t{left}\t{top}")
        yield Deed(f"{key}, in {box}", put, message_pattern(text, ""))
        removal_pattern = rf"{name} is removed from the game"
        yield Deed(f"{key}, taken out of {box}", ("select\tm", f"command\t{keys.DELETE}"), removal_pattern)


def check(engine: Path, game: Game, scenario: str) -> tuple[list[Deed], list[str], list[str]]:
    """Everything done, every line that was said, and what isn't right."""
    folder = Path(tempfile.mkdtemp(prefix="mitla-chat-"))
    module, start = folder / f"{game.id}.vmod", folder / "start.vsav"
    lock = read_lock(game.folder)
    module.write_bytes(module_bytes(game, lock, Cache(cache_folder())))
    with zipfile.ZipFile(module) as archive:
        start.write_bytes(archive.read(setup_file(game, scenario)))
    all_deeds = [*deeds(game, scenario, lock)]
    orders = [order for deed in all_deeds for order in (*deed.orders, "chat", "say\tEND")]
    lines = drive(engine, module, [f"load\t{start}", f"side\t{SOLITAIRE}", *orders], folder)
    problems = [line for line in lines if line.startswith(("unknown", "failed"))]
    replies: list[list[str]] = [[]]
    for line in lines:
        if line == "END":
            replies.append([])
        elif line.startswith("chat\t"):
            replies[-1].append(line.removeprefix("chat\t").removeprefix("* "))
    for deed, heard in zip(all_deeds, replies, strict=False):
        # What a stack breaks is told beside the move.
        heard[:] = [line for line in heard if not line.startswith("Stacking in ") and " is early: " not in line]
        silent = deed.expected_chat == SILENCE
        if heard if silent else deed.expected_chat and not re.fullmatch(deed.expected_chat, "\n".join(heard)):
            problems.append(f"{deed.name}: {heard}, not {deed.expected_chat}")
    if len(replies) <= len(all_deeds):
        problems.append(f"{len(replies) - 1} of {len(all_deeds)} deeds were done")
    shutil.rmtree(folder, ignore_errors=True)
    return (
        all_deeds,
        [f"{deed.name}: {line}" for deed, heard in zip(all_deeds, replies, strict=False) for line in heard],
        problems,
    )


def main() -> int:
    """`python -m tests.engine.chat ENGINE [--show] [GAME ...]`"""
    engine, *arguments = sys.argv[1:]
    bad = 0
    for name in [argument for argument in arguments if argument != "--show"] or shipped_games():
        game = load(name)
        all_deeds, lines, problems = check(Path(engine), game, next(iter(game.scenarios)))
        print(
            f"{name}: {len(all_deeds)} deeds, {len(problems)} not told as they should be",
            *problems,
            sep="\n  ",
            flush=True,
        )
        if "--show" in arguments:
            print(*lines, sep="\n    ")
        bad += len(problems)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

"""A game played a little in the engine: the save and the log it writes, read back, are what the engine lists."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from modgen.cache import Cache, cache_folder
from modgen.vmod.check.engine import Engine, EngineLine, find_engine, run_script
from modgen.vmod.check.engine_report import EnginePiece, complaints, parse_line
from modgen.vmod.files.lock import read_lock
from modgen.vmod.files.module import module_bytes
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.vassal.archive import read_save
from scenarios.vassal.commands import ESCAPE, add_piece_command, flatten, read_added
from scenarios.vassal.playing import PlayedGame, TablePiece, play_text
from scenarios.vassal.reading import game_of_save, read_position
from scenarios.vassal.sequence import join, split
from tests.packs import TWO_WELLS

PLAY = Path(__file__).with_name("play.bsh")
STEPS = """
open(given[0]);
load(first(setups()));
step("log", new Runnable() { public void run() { beginLog(given[2]); } });
step("play", new Runnable() {
  public void run() {
    Object[] listed = sorted(pieces());
    int number = listed.length;
    for (int i = 0; i < 6; i++) {
      Object piece = listed[i * (number - 1) / 5];
      Object size = piece.getMap().mapSize();
      drag(piece, size.width * (i + 2) / 10, size.height * (i + 1) / 8);
      press(piece, 70, 128);
      if (i % 2 == 0) press(piece, 76, 128);
      if (i % 3 == 0) press(piece, 49, 512);
      if (i == 3) press(piece, 69, 128);
    }
    drag(listed[1], listed[0].getPosition().x, listed[0].getPosition().y);
    if (!Objects.isNull(listed[2].getParent())) drag(listed[2].getParent(), 300, 300);
    press(listed[number - 2], 68, 128);
    Object main = listed[0].getMap();
    bring(first(module.getAllDescendantComponentsOf(PieceSlot.class)), main, 200, 200);
    for (int i = 0; i < 3; i++) module.fireKeyStroke(NamedKeyStroke.of(KeyStroke.getKeyStroke(78, 512)));
    sent(module.getMutableProperty("Mitla").setPropertyValue(given[3]));
  }
});
step("list", new Runnable() { public void run() { list(); turn(); endLog(); } });
save(given[1]);
chat();
"""


def table_of(path: Path) -> tuple[str, PlayedGame]:
    """A save or log, and what lies on the table at its end."""
    text, _ = read_save(path)
    return text, play_text(text)


def differences(engine_pieces: Sequence[EnginePiece], table: PlayedGame, label: str) -> Iterator[str]:
    """Where our reading of a file isn't what the engine lists."""
    own_pieces = {key: piece for key, piece in table.pieces.items() if "unit" in piece.properties}
    for piece in engine_pieces:
        own_piece = own_pieces.pop(piece.id, None)
        if own_piece is None:
            yield f"{label}: {piece.unit} {piece.copy} ({piece.id}) is missing"
        elif visible_state(own_piece) != visible_state(piece):
            yield f"{label}: {piece.unit} {piece.copy} is {visible_state(own_piece)}, and the engine says {visible_state(piece)}"
    for extra_piece in own_pieces.values():
        yield f"{label}: {extra_piece.id} is still there"


def visible_state(piece: TablePiece | EnginePiece) -> tuple[object, ...]:
    """What must be the same of a piece; a hidden layer has nought or less."""
    properties = piece.properties if isinstance(piece, TablePiece) else {"unit": piece.unit, "copy": piece.copy}
    layers = {name: max(0, level) for name, level in piece.layers.items()}
    return properties["unit"], properties.get("copy", ""), piece.window, piece.x, piece.y, layers


def rewritten(text: str) -> Iterator[str]:
    """Where a text that the engine wrote isn't written again as it was."""
    parts = split(text, ESCAPE)
    if join(parts, ESCAPE) != text:
        yield "the sequence of commands is written in another way"
    for command in flatten(text):
        piece = read_added(command)
        if piece is not None and add_piece_command(piece) != command:
            yield f"the piece {piece.id} is written in another way"


def check(engine: Engine, game: Game, folder: Path) -> tuple[list[EngineLine], list[str]]:
    """One game: what the engine said, and what isn't right."""
    module, save, log = folder / "a.vmod", folder / "a.vsav", folder / "a.vlog"
    module.write_bytes(module_bytes(game, read_lock(game.folder), Cache(cache_folder())))
    about = json.dumps({"game": game.id, "played": True})
    arguments = [str(module), str(save), str(log), about]
    lines = run_script(engine, STEPS, arguments, PLAY.read_text(encoding="utf-8"))
    problems = list(complaints(lines))
    # Support off the map and flags stand for no counter: a position doesn't have them.
    engine_pieces = [piece for piece in map(parse_line, (line for line in lines if line.word == "PIECE")) if piece.unit]
    if not engine_pieces or not save.exists() or not log.exists():
        return lines, [*problems, "the engine listed or wrote nothing"]
    turns = set()
    for path in (save, log):
        text, table = table_of(path)
        problems += differences(engine_pieces, table, path.suffix)
        problems += [f"{path.suffix}: {problem}" for problem in rewritten(text)]
        if game_of_save(text) != game.id or table.about.get("played") is not True:
            problems.append(f"{path.suffix} doesn't tell its game as it was changed")
        turns.add((table.turn, read_position(game, text).turn))
    if len(turns) != 1:
        problems.append(f"save and log differ in the turn: {turns}")
    return lines, problems


def main() -> int:
    """`python -m tests.engine.saves ENGINE [GAME ...]`"""
    engine = find_engine(Path(sys.argv[1]))
    bad = 0
    for name in sys.argv[2:] or [str(TWO_WELLS), *shipped_games()]:
        with tempfile.TemporaryDirectory() as folder:
            lines, problems = check(engine, load(name), Path(folder))
        pieces = sum(line.word == "PIECE" for line in lines)
        print(
            f"{Path(name).name}: {pieces} pieces, {len(problems)} differences", *problems[:10], sep="\n  ", flush=True
        )
        bad += len(problems)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

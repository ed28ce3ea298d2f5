"""Extensions in the engine: one that Mitla made and one made by hand, with the module as it was and as it is later.

Each loads without a complaint, hangs where its paths say, and its pieces are put on the map, saved, loaded and refreshed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from modgen.vmod.check.engine import Engine, EngineLine, find_engine, run_script
from modgen.vmod.check.engine_report import EnginePiece, complaints, misplaced_pieces, parse_line
from modgen.vmod.files.loaded_module import open_module
from modgen.vmod.files.lock import ExtensionLock, Lock, read_lock
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.position import format_location
from scenarios.vassal.archive import read_save
from scenarios.vassal.reading import read_position
from scenarios.vassal.windows import MAIN
from tests.engine.battles import Ring
from tests.engine.refresh import piece_changes
from tests.engine.run import differences, drive, replies
from tests.engine.saves import PLAY
from tests.extensions import GUARDS, HAND, LIST, PROTOTYPES, TRAYS, by_hand, later, make_extension, module_of, pack_of

WORDS = """
import VASSAL.build.module.ExtensionsLoader;
import VASSAL.tools.ComponentPathBuilder;

Object slotOf(String gpid) {
  for (Object slot : all(module.getAllDescendantComponentsOf(PieceSlot.class))) if (gpid.equals(slot.getGpId())) return slot;
  problem("palette", "there is no slot " + gpid);
  return null;
}

Object mapOf(String name) {
  for (Object map : all(Map.getMapList())) if (name.equals(map.getMapName())) return map;
  return null;
}

// A path leads to a component of that name, not to some other of its class.
void path(String told) {
  Object builder = ComponentPathBuilder.getInstance();
  try { say("PATH", new Object[] {builder.getId(builder.getPath(told)).equals(told), told}); }
  catch (Throwable error) { problem("path", cause(error)); }
}

Object setupOf(String name) {
  for (Object setup : all(setups())) if (name.equals(setup.getConfigureName())) return setup;
  problem("set-ups", "there is no " + name);
  return null;
}
"""
PLAY_SCRIPT = """
open(given[0]);
check();
for (int i = 5; i < given.length; i++) path(given[i]);
palette();
Object start = given[1].endsWith(".vsav") ? new File(given[1]) : setupOf(given[1]);
load(start);
say("START", new Object[] {});
step("start", new Runnable() { public void run() { list(); paint(); } });
say("PLAYED", new Object[] {});
step("play", new Runnable() {
  public void run() {
    String[] bring = given[2].split(",");
    for (int i = 0; i < bring.length; i++) if (!bring[i].isEmpty()) bring(slotOf(bring[i]), mapOf("Main Map"), 150 + 60 * i, 150);
    list();
  }
});
save(given[3]);
load(new File(given[3]));
say("LOADED", new Object[] {});
step("loaded", new Runnable() { public void run() { list(); paint(); } });
if (given[4].equals("refresh")) refresh();
say("REFRESHED", new Object[] {});
step("refreshed", new Runnable() { public void run() { list(); paint(); } });
chat();
"""
FIGHTS = 30
PARTS = ("START", "PLAYED", "LOADED", "REFRESHED")


def parts(lines: list[EngineLine]) -> dict[str, list[EnginePiece]]:
    """The pieces that the engine lists at each point of a game."""
    pieces_by_part: dict[str, list[EnginePiece]] = {part: [] for part in PARTS}
    current_part = ""
    for line in lines:
        current_part = line.word if line.word in PARTS else current_part
        if line.word == "PIECE" and current_part:
            pieces_by_part[current_part].append(parse_line(line))
    return pieces_by_part


def read(game: Game, save: Path, seen_pieces: list[EnginePiece]) -> Iterator[str]:
    """Where our reading of a save isn't what the engine lists on the map."""
    position = read_position(game, read_save(save)[0])
    table = game.scenario_maps[position.scenario]
    assert isinstance(table, HexMap)
    own_counts = Counter(
        (p.unit, p.copy, format_location(table, p.at)) for p in position.pieces if not isinstance(p.at, str)
    )
    engine_counts = Counter((p.unit, p.copy, p.location) for p in seen_pieces if p.window == MAIN and p.unit)
    yield from (f"read and not listed: {piece}" for piece in own_counts - engine_counts)
    yield from (f"listed and not read: {piece}" for piece in engine_counts - own_counts)


class Check:
    """A game with its extensions, in one engine."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine, self.folder, self.all_complaints = engine, folder, list[str]()
        self.pieces = self.battles = 0

    def play(
        self, name: str, module: Path, start: str, bring: str, mode: str, paths: tuple[str, ...]
    ) -> tuple[Path, dict[str, list[EnginePiece]]]:
        """Start a set-up or save, bring pieces from the palette, save, load, perhaps refresh."""
        save = self.folder / f"{name}.vsav"
        words = PLAY.read_text(encoding="utf-8") + WORDS
        lines = run_script(self.engine, PLAY_SCRIPT, [str(module), start, bring, str(save), mode, *paths], words)
        self.all_complaints += [f"{name}: {complaint}" for complaint in complaints(lines)]
        self.all_complaints += [
            f"{name}: {line.fields[0]}"
            for line in lines
            if line.word == "CHAT" and line.fields[0].lstrip("- ").startswith("~")
        ]
        right = [line.fields[1] for line in lines if line.word == "PATH" and line.fields[0] == "true"]
        self.all_complaints += [f"{name}: no component of the name {path}" for path in paths if path not in right]
        pieces_by_part = parts(lines)
        if not all(pieces_by_part.values()) or not save.exists():
            self.all_complaints.append(f"{name}: the engine listed or saved nothing")
        self.all_complaints += [
            f"{name}, loaded again: {difference}"
            for difference in piece_changes(pieces_by_part["PLAYED"], pieces_by_part["LOADED"])
        ]
        self.all_complaints += [
            f"{name}, refreshed: {difference}"
            for difference in piece_changes(pieces_by_part["LOADED"], pieces_by_part["REFRESHED"])
        ]
        new_count = len([gpid for gpid in bring.split(",") if gpid])
        if len(pieces_by_part["PLAYED"]) != len(pieces_by_part["START"]) + new_count:
            self.all_complaints.append(
                f"{name}: {len(pieces_by_part['START'])} pieces became {len(pieces_by_part['PLAYED'])}"
            )
        self.pieces += len(pieces_by_part["PLAYED"])
        return save, pieces_by_part

    def check_guards(self) -> None:
        """The extension of an overlay, with the module of the day and a later one; then made anew for that."""
        game = pack_of(self.folder)
        lock = Lock()
        content = make_extension(game, GUARDS, lock)
        guards, cache = (f"{lock.id}:{lock.gpids[piece]}" for piece in ("guards", "cache"))
        full_game = load(game.folder, [GUARDS])
        module = self.install_module("first", game, {"two_wells-coast_guards": content})
        paths = (LIST, TRAYS, "VASSAL.build.module.ChartWindow:Scenarios/VASSAL.build.widget.ListWidget:Scenarios")
        save, pieces_by_part = self.play("ours", module, "Dusk", f"{guards},{cache}", "refresh", paths)
        self.all_complaints += misplaced_pieces(full_game, "dusk", pieces_by_part["START"])
        self.all_complaints += read(full_game, save, pieces_by_part["PLAYED"])
        self.all_complaints += [f"ours: {problem}" for problem in self.refusal_complaints(game, save)]
        self.fight(full_game, module, lock)
        later_game = later(game, self.folder / "later")
        newer = self.install_module("second", later_game, {"two_wells-coast_guards": content})
        second_save, pieces_by_part = self.play("ours, later module", newer, str(save), guards, "refresh", paths)
        self.all_complaints += read(load(later_game.folder, [GUARDS]), second_save, pieces_by_part["PLAYED"])
        self.play("ours, later module, from its set-up", newer, "Dusk", guards, "refresh", paths)
        remade = self.install_module(
            "third", later_game, {"two_wells-coast_guards": make_extension(later_game, GUARDS, lock)}
        )
        self.play("ours, made anew", remade, str(second_save), cache, "refresh", paths)

    def fight(self, game: Game, module: Path, own_lock: Lock) -> None:
        """Random battles in which the extension's pieces fight, each compared with what the assistant says of it."""
        start, lock = self.folder / "dusk.vsav", read_lock(game.folder)
        extension = next(module.with_name("two_wells_ext").iterdir())
        start.write_bytes(open_module(extension).files["Dusk.vsav"])
        ring = Ring(game, "dusk", ExtensionLock(lock.gpids, lock.next, lock.names, lock.boards, lock=own_lock), 1)
        fights = [ring.fight("assault") for _ in range(FIGHTS)]
        joint_count = sum(any(fighter.unit in own_lock.gpids for fighter in fight.fighters) for fight in fights)
        orders = [f"load\t{start}", *(order for fight in fights for order in fight.orders)]
        lines = drive(self.engine.jar.parent.parent, module, orders, self.folder)
        answers = list(replies(lines))
        if len(answers) != len(fights) or joint_count < FIGHTS // 4:
            self.all_complaints.append(
                f"{len(answers)} battles of {FIGHTS}, {joint_count} with pieces of the extension"
            )
        for fight, (readings, chat) in zip(fights, answers, strict=False):
            self.all_complaints += [f"battle: {difference}" for difference in differences(game, fight, readings, chat)]
        self.battles = joint_count

    def refusal_complaints(self, game: Game, save: Path) -> Iterator[str]:
        """Without the overlay the save is refused with the extension's name."""
        try:
            read_position(game, read_save(save)[0])
            yield "the save was read without its overlay"
        except ValueError as error:
            if "coast_guards" not in str(error):
                yield str(error)

    def hand(self) -> None:
        """The extension of the editor; its set-up is a save that the engine wrote with its piece on the map."""
        game = pack_of(self.folder / "hand")
        scout, paths = f"{HAND}:0", (LIST, PROTOTYPES)
        version = game.card.release.replace("-", ".")
        bare_module = self.install_module("bare", game, {"by hand": by_hand(version)})
        save, _ = self.play("by hand", bare_module, "Noon", scout, "refresh", paths)
        position = read_position(game, read_save(save)[0])
        if [piece.unit for piece in position.unknown] != ["Desert scout"] or position.extensions != ("by hand",):
            self.all_complaints.append(f"by hand: the reader says {position.unknown} of {position.extensions}")
        with_setup = by_hand(version, save.read_bytes())
        module = self.install_module("with a set-up", game, {"by hand": with_setup})
        save, _ = self.play("by hand, its set-up", module, "Scouting", scout, "refresh", paths)
        newer = self.install_module("later by hand", later(game, self.folder / "later hand"), {"by hand": with_setup})
        self.play("by hand, later module", newer, str(save), scout, "refresh", paths)
        self.play("by hand, later module, its set-up", newer, "Scouting", scout, "refresh", paths)

    def install_module(self, name: str, game: Game, extensions: dict[str, bytes]) -> Path:
        """A module in a folder of its own, with its extensions beside it."""
        module = module_of(game, self.folder / name / "two_wells.vmod")
        for file, content in extensions.items():
            path = module.with_name("two_wells_ext") / f"{file}.vmdx"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        return module


def main() -> int:
    """`python -m tests.engine.extension ENGINE [--keep FOLDER]`"""
    parser = argparse.ArgumentParser(prog="tests.engine.extension")
    parser.add_argument("engine", type=Path)
    parser.add_argument("--keep", type=Path, help="a folder for modules, extensions and saves")
    arguments = parser.parse_args()
    engine = find_engine(arguments.engine)
    with tempfile.TemporaryDirectory() as scratch:
        check = Check(engine, arguments.keep or Path(scratch))
        check.folder.mkdir(parents=True, exist_ok=True)
        check.check_guards()
        check.hand()
    summary = f"{check.pieces} pieces, {check.battles} battles, {len(check.all_complaints)} differences"
    print(f"extensions: {summary}", *check.all_complaints[:30], sep="\n  ", flush=True)
    return 1 if check.all_complaints or not check.pieces else 0


if __name__ == "__main__":
    sys.exit(main())

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

from modgen.vmod.asking import Seen, complaints, misplaced, seen
from modgen.vmod.engine import Engine, Line, find_engine, run_script
from modgen.vmod.lock import ExtensionLock, Lock, read_lock
from modgen.vmod.opened import open_module
from scenarios import load
from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.position import shown
from scenarios.vassal.archive import read_save
from scenarios.vassal.reading import read_position
from scenarios.vassal.windows import MAIN
from tests.engine.battles import Ring
from tests.engine.refresh import lost
from tests.engine.run import differences, drive, replies
from tests.engine.saves import PLAY
from tests.extensions import GUARDS, HAND, LIST, PROTOTYPES, TRAYS, by_hand, later, made, module_of, pack_of

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
PLAYED = """
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


def parts(lines: list[Line]) -> dict[str, list[Seen]]:
    """The pieces that the engine lists at each point of a game."""
    found: dict[str, list[Seen]] = {part: [] for part in PARTS}
    now = ""
    for line in lines:
        now = line.word if line.word in PARTS else now
        if line.word == "PIECE" and now:
            found[now].append(seen(line))
    return found


def read(game: Game, save: Path, listed: list[Seen]) -> Iterator[str]:
    """Where our reading of a save isn't what the engine lists on the map."""
    position = read_position(game, read_save(save)[0])
    table = game.scenario_maps[position.scenario]
    assert isinstance(table, HexMap)
    ours = Counter((p.unit, p.copy, shown(table, p.at)) for p in position.pieces if not isinstance(p.at, str))
    theirs = Counter((p.unit, p.copy, p.location) for p in listed if p.window == MAIN and p.unit)
    yield from (f"read and not listed: {piece}" for piece in ours - theirs)
    yield from (f"listed and not read: {piece}" for piece in theirs - ours)


class Check:
    """A game with its extensions, in one engine."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine, self.folder, self.found = engine, folder, list[str]()
        self.pieces = self.battles = 0

    def play(
        self, name: str, module: Path, start: str, bring: str, how: str, paths: tuple[str, ...]
    ) -> tuple[Path, dict[str, list[Seen]]]:
        """Start a set-up or save, bring pieces from the palette, save, load, perhaps refresh."""
        save = self.folder / f"{name}.vsav"
        words = PLAY.read_text(encoding="utf-8") + WORDS
        lines = run_script(self.engine, PLAYED, [str(module), start, bring, str(save), how, *paths], words)
        self.found += [f"{name}: {told}" for told in complaints(lines)]
        self.found += [
            f"{name}: {line.fields[0]}"
            for line in lines
            if line.word == "CHAT" and line.fields[0].lstrip("- ").startswith("~")
        ]
        right = [line.fields[1] for line in lines if line.word == "PATH" and line.fields[0] == "true"]
        self.found += [f"{name}: no component of the name {path}" for path in paths if path not in right]
        listed = parts(lines)
        if not all(listed.values()) or not save.exists():
            self.found.append(f"{name}: the engine listed or saved nothing")
        self.found += [f"{name}, loaded again: {told}" for told in lost(listed["PLAYED"], listed["LOADED"])]
        self.found += [f"{name}, refreshed: {told}" for told in lost(listed["LOADED"], listed["REFRESHED"])]
        brought = len([gpid for gpid in bring.split(",") if gpid])
        if len(listed["PLAYED"]) != len(listed["START"]) + brought:
            self.found.append(f"{name}: {len(listed['START'])} pieces became {len(listed['PLAYED'])}")
        self.pieces += len(listed["PLAYED"])
        return save, listed

    def ours(self) -> None:
        """The extension of an overlay, with the module of the day and a later one; then made anew for that."""
        game = pack_of(self.folder)
        lock = Lock()
        content = made(game, GUARDS, lock)
        guards, cache = (f"{lock.id}:{lock.gpids[piece]}" for piece in ("guards", "cache"))
        whole = load(game.folder, [GUARDS])
        module = self.beside("first", game, {"two_wells-coast_guards": content})
        paths = (LIST, TRAYS, "VASSAL.build.module.ChartWindow:Scenarios/VASSAL.build.widget.ListWidget:Scenarios")
        save, listed = self.play("ours", module, "Dusk", f"{guards},{cache}", "refresh", paths)
        self.found += misplaced(whole, "dusk", listed["START"])
        self.found += read(whole, save, listed["PLAYED"])
        self.found += [f"ours: {told}" for told in self.told(game, save)]
        self.fight(whole, module, lock)
        after = later(game, self.folder / "later")
        newer = self.beside("second", after, {"two_wells-coast_guards": content})
        again, listed = self.play("ours, later module", newer, str(save), guards, "refresh", paths)
        self.found += read(load(after.folder, [GUARDS]), again, listed["PLAYED"])
        self.play("ours, later module, from its set-up", newer, "Dusk", guards, "refresh", paths)
        remade = self.beside("third", after, {"two_wells-coast_guards": made(after, GUARDS, lock)})
        self.play("ours, made anew", remade, str(again), cache, "refresh", paths)

    def fight(self, game: Game, module: Path, own: Lock) -> None:
        """Random battles in which the extension's pieces fight, each compared with what the assistant says of it."""
        start, lock = self.folder / "dusk.vsav", read_lock(game.folder)
        extension = next(module.with_name("two_wells_ext").iterdir())
        start.write_bytes(open_module(extension).files["Dusk.vsav"])
        ring = Ring(game, "dusk", ExtensionLock(lock.gpids, lock.next, lock.names, lock.boards, own=own), 1)
        fights = [ring.fight("assault") for _ in range(FIGHTS)]
        joined = sum(any(one.unit in own.gpids for one in fight.fighters) for fight in fights)
        orders = [f"load\t{start}", *(order for fight in fights for order in fight.orders)]
        lines = drive(self.engine.jar.parent.parent, module, orders, self.folder)
        answers = list(replies(lines))
        if len(answers) != len(fights) or joined < FIGHTS // 4:
            self.found.append(f"{len(answers)} battles of {FIGHTS}, {joined} with pieces of the extension")
        for fight, (told, chat) in zip(fights, answers, strict=False):
            self.found += [f"battle: {told}" for told in differences(game, fight, told, chat)]
        self.battles = joined

    def told(self, game: Game, save: Path) -> Iterator[str]:
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
        bare = self.beside("bare", game, {"by hand": by_hand(version)})
        save, _ = self.play("by hand", bare, "Noon", scout, "refresh", paths)
        left = read_position(game, read_save(save)[0])
        if [one.unit for one in left.unknown] != ["Desert scout"] or left.extensions != ("by hand",):
            self.found.append(f"by hand: the reader says {left.unknown} of {left.extensions}")
        with_setup = by_hand(version, save.read_bytes())
        module = self.beside("with a set-up", game, {"by hand": with_setup})
        save, _ = self.play("by hand, its set-up", module, "Scouting", scout, "refresh", paths)
        newer = self.beside("later by hand", later(game, self.folder / "later hand"), {"by hand": with_setup})
        self.play("by hand, later module", newer, str(save), scout, "refresh", paths)
        self.play("by hand, later module, its set-up", newer, "Scouting", scout, "refresh", paths)

    def beside(self, name: str, game: Game, extensions: dict[str, bytes]) -> Path:
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
    told = parser.parse_args()
    engine = find_engine(told.engine)
    with tempfile.TemporaryDirectory() as scratch:
        check = Check(engine, told.keep or Path(scratch))
        check.folder.mkdir(parents=True, exist_ok=True)
        check.ours()
        check.hand()
    counted = f"{check.pieces} pieces, {check.battles} battles, {len(check.found)} differences"
    print(f"extensions: {counted}", *check.found[:30], sep="\n  ", flush=True)
    return 1 if check.found or not check.pieces else 0


if __name__ == "__main__":
    sys.exit(main())
